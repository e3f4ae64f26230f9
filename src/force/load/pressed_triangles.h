// The derivative of a pressure p on triangles a b c, whose force on each of their three vertices is
//
//     P = p/6 (b - a) × (c - a)
//     dP = p/6 ([c - b]× da + [a - c]× db + [b - a]× dc),      [u]× w = u × w
//
// Shared by SurfacePressureForceField and TaitSurfacePressureForceField.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_LOAD_PRESSED_TRIANGLES_H
#define SETTEE_FORCE_LOAD_PRESSED_TRIANGLES_H

#include "settee/plugin/physics.h"

typedef struct st_pressed_triangle {
    uint32_t vertices[3];
    st_real across[9]; // p/6 times c - b, a - c, b - a
} st_pressed_triangle;

typedef struct st_pressed_triangles {
    ST_LIST(st_pressed_triangle) list;
} st_pressed_triangles;

bool st_pressed_triangles_add(st_pressed_triangles *triangles, uint32_t a, uint32_t b, uint32_t c, const st_real *pa,
                              const st_real *pb, const st_real *pc, st_real pressure);
// Only the center of a rigid counts.
void st_pressed_triangles_blocks(const st_pressed_triangles *triangles, const st_state *state, st_stiffness k);
void st_pressed_triangles_product(const st_pressed_triangles *triangles, const st_state *state, const st_params *params,
                                  st_real k);
void st_pressed_triangles_free(st_pressed_triangles *triangles);

#endif
