// Length, area and volume of the elements of a mesh, from the positions of some state.
//
//     edge           |p1 - p0|
//     triangle       ½ |(p1 - p0) × (p2 - p0)| in space; in the plane signed: positive counterclockwise
//     quad           triangles 0 1 2 and 0 2 3
//     tetrahedron    |((p1 - p0) × (p2 - p0)) . (p3 - p0)| / 6
//     hexahedron     six tetrahedra, each counted positive
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_MEASURE_H
#define SETTEE_TOPOLOGY_MEASURE_H

#include "settee/plugin/state.h"
#include "settee/plugin/topology.h"

// Where the vertices are: element vertex v is at data[v * stride], its first `dim` reals.
typedef struct st_points {
    const st_real *data;
    size_t count;
    size_t stride;
    size_t dim;
} st_points;

// The places of a state's DOFs in one of its position vectors (ST_COORD_REST, ...).
static inline st_points st_points_of(const st_state *state, size_t coord) {
    const st_dof *dof = st_state_dof(state);
    return (st_points){.data = state->coord[coord].data,
                       .count = state->coord[coord].count,
                       .stride = dof->coord,
                       .dim = dof->spatial};
}
static inline const st_real *st_point(const st_points *points, uint32_t vertex) {
    return points->data + vertex * points->stride;
}

// The measure of one element, whose vertices must be below the number of points. 0 for an element of a dimension higher
// than that of the points, and for prisms and pyramids.
st_real st_measure(const st_points *points, st_element kind, const uint32_t *vertices);

// Are all vertices of the element among the points?
bool st_has_points(const st_points *points, st_element kind, const uint32_t *vertices);

#endif
