// What the grids that are bent around an axis share: the frame of the axis, and the map from square to round.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_ROUND_GRID_H
#define SETTEE_TOPOLOGY_ROUND_GRID_H

#include "math/vec3.h"
#include "topology/grid.h"

// The place (x, y, z) of a point in its grid; false when there is no such point.
static inline bool st_grid_place(const st_grid *grid, size_t index, int32_t at[3]) {
    if (index >= st_grid_points(grid)) return false;

    for (int i = 0; i < 3; i++) {
        at[i] = (int32_t)(index % (size_t)grid->n[i]);
        index /= (size_t)grid->n[i];
    }
    return true;
}

// Unit vectors X, Y, Z with Z along the axis. An axis of no length leaves zeros.
static inline void st_round_grid_axes(const st_real axis[3], st_real axes[3][3]) {
    st_real *x = axes[0], *y = axes[1], *z = axes[2], from_x[3];

    st_vec3_normalize(z, axis);

    // any vector that is not parallel to Z gives the other two
    st_vec3_set(x, 1, 0, 0);
    st_vec3_sub(from_x, z, x);
    if (st_vec3_norm(from_x) < ST_R(1e-6)) st_vec3_set(x, 0, 1, 0);

    st_vec3_cross(y, z, x);
    st_vec3_cross(x, y, z);
    st_vec3_normalize(x, x);
    st_vec3_normalize(y, y);
}

// Layer i of n between -radius and radius; a single layer lies in the middle.
static inline st_real st_round_grid_coordinate(int32_t i, int32_t n, st_real radius) {
    return n > 1 ? (st_real)(2 * i) * radius / (st_real)(n - 1) - radius : 0;
}

// From the surface of a square or cube around the origin to the circle or sphere that it touches.
static inline void st_round_grid_to_ball(st_real p[3]) {
    const st_real norm = st_vec3_norm(p);

    if (!(norm > ST_R(1e-7))) return;
    st_vec3_scale(p, p, st_max(fabs(p[0]), st_max(fabs(p[1]), fabs(p[2]))) / norm);
}

// center + X p0 + Y p1 + Z p2
static inline void st_round_grid_point(const st_real center[3], st_real axes[3][3], const st_real local[3],
                                       st_real p[3]) {
    st_vec3_copy(p, center);

    for (int i = 0; i < 3; i++) st_vec3_add_scaled(p, p, axes[i], local[i]);
}

#endif
