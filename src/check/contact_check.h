// What often goes wrong in scenes with contacts, found before the first step.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CHECK_CONTACT_CHECK_H
#define SETTEE_CHECK_CONTACT_CHECK_H

#include "scene/scene.h"

// Looks at the collision models, methods and responses of an initialized scene, at its present positions. Each problem
// is a warning; `problems` counts them.
st_status st_check_contacts(st_scene *scene, size_t *problems);

#endif
