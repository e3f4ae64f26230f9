// From a scene file, or its text, to the scene graph.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SCENE_LOAD_H
#define SETTEE_SCENE_LOAD_H

#include "scene/element.h"

st_status st_load_file(st_scene *scene, const char *path);
// File names in the text are relative to the directory (NULL: the current one).
st_status st_load_text(st_scene *scene, const char *text, size_t length, const char *directory);

// A node of the element's name and attributes, without children; NULL: it was said why. Without a parent: the root.
st_node *st_load_node(st_scene *scene, st_node *parent, const st_xml_element *element);

#endif
