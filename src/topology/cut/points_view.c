// Present positions of a mesh: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/cut/points_view.h"

#include "math/vec3.h"

st_points st_view_points(const st_topology *topology) {
    const st_state *state = (const st_state *)st_find_slot(topology->object.node, ST_ROLE(state));

    if (!state || state->coord[ST_COORD_POSITION].count == 0)
        return (st_points){topology->position.data, topology->position.count, 3, 3};
    const st_points points = st_points_of(state, ST_COORD_POSITION);
    return points.dim == 3 ? points : (st_points){.stride = 3, .dim = 3};
}

void st_view_copy(const st_points *points, size_t i, st_real p[3]) {
    if (i < points->count) st_vec3_copy(p, st_point(points, (uint32_t)i));
    else st_vec3_zero(p);
}
