// Present positions of a mesh: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/cut/points_view.h"

#include "math/vec3.h"

st_points_view st_view_points(const st_topology *topology) {
    const st_state *state = (const st_state *)st_find_slot(topology->object.node, ST_ROLE(state));
    const st_reals *x = state ? &state->coord[ST_COORD_POSITION] : &topology->position;

    if (!state || x->count == 0) return (st_points_view){topology->position.data, topology->position.count, 3};
    if (st_state_dof(state)->spatial < 3) return (st_points_view){NULL, 0, 3};
    return (st_points_view){x->data, x->count, st_state_dof(state)->coord};
}

void st_view_copy(const st_points_view *view, size_t i, st_real p[3]) {
    if (i < view->count) st_vec3_copy(p, st_view_point(view, i));
    else st_vec3_zero(p);
}
