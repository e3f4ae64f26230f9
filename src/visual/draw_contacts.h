// Contacts in a picture.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_DRAW_CONTACTS_H
#define SETTEE_VISUAL_DRAW_CONTACTS_H

#include "settee/plugin/draw.h"

// Draws the contacts of the scene: their points, normals and forces. `size` is that of what is seen: the largest force is
// an arrow of a quarter of it, normals are a twentieth. False: out of memory.
bool st_draw_contacts(const st_scene *scene, st_real size, st_canvas *canvas);

#endif
