// All built-in classes.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_API_CLASSES_H
#define SETTEE_API_CLASSES_H

#include "settee/plugin/component.h"

extern const st_class *const st_builtin_classes[]; // NULL at the end
// Makes them known to the scene, and those that are known and without effect (scene/inert.c).
st_status st_register_builtin_classes(st_scene *scene);
const char *st_class_kind(const st_class *type); // "mass", "force", ... (describe.c)

#endif
