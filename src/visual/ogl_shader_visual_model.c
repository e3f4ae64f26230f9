// OglShaderVisualModel: a surface whose shape only a shader draws. It is inert here: a state that mappings can write to, so
// that scenes load, but nothing of it is drawn. The mesh of its body is drawn instead.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene/scene.h"

extern const st_class st_ogl_model_class, st_ogl_shader_visual_model_class;

const st_class st_ogl_shader_visual_model_class = {
    .name = "OglShaderVisualModel",
    .help = "a surface that a shader draws; inert here",
    .parent = &st_ogl_model_class,
    .flags = ST_CLASS_INERT,
};
