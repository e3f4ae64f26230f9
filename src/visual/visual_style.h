// VisualStyle: what is shown of the scene.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_VISUAL_STYLE_H
#define SETTEE_VISUAL_VISUAL_STYLE_H

#include "settee/plugin/component.h"

extern const st_class st_visual_style_class;

const char *st_visual_style_flags(const st_object *style); // its words, or NULL

#endif
