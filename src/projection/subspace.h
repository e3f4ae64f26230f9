// What the constraints onto a line, a direction or a plane share: dx <- P dx with P the same for every point.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PROJECTION_SUBSPACE_H
#define SETTEE_PROJECTION_SUBSPACE_H

#include "math/real.h"
#include "projection/points.h"

typedef struct st_subspace {
    st_points points;
    st_real draw_size;
    const st_uints *filtered; // whose velocities are filtered; NULL: those of `indices`
    bool across;
    st_real unit[3];  // direction of the line, or normal of the plane; zero: none
    st_real block[9]; // P, width × width
} st_subspace;

extern const st_class st_subspace_class;

// Makes `unit` and P from a direction: n nᵀ along it, or I - n nᵀ across it.
st_status st_subspace_init(st_object *object, const st_real *direction, bool across);
// x <- o + n ((x - o).n) along n, or x - n ((x - o).n) across it; origins by point, `stride` reals apart: 0 for one
// that all of them have. Points from `count` on stay where they are when each has its own.
void st_subspace_position(st_projection *base, st_coord_id id, const st_real *origins, size_t stride, size_t count);

void st_subspace_response(st_projection *base, st_deriv_id d);
void st_subspace_velocity(st_projection *base, st_deriv_id v);
void st_subspace_columns(st_projection *base, st_filter *filter, void *context);

#endif
