// Springs across the inner edges of a surface: what TriangularBendingSprings, QuadularBendingSprings and
// FastTriangularBendingSprings share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_BENDING_SPRINGS_H
#define SETTEE_FORCE_SPRING_BENDING_SPRINGS_H

#include "force/spring/spring.h"
#include "settee/plugin/topology.h"

// An edge between exactly two elements: `mine`, which was met, and `other`; the number that the edge has in each.
typedef struct st_inner_edge {
    uint32_t edge;
    const uint32_t *ends;         // its vertices, as the mesh has them
    const uint32_t *mine, *other; // vertices
    int in_mine, in_other;
} st_inner_edge;

// Visits the edges of all triangles (or quads) in the order of the elements; with `once` each edge is met only in its
// first element. Elements with vertices that are not below `points` are left out. False when out of memory or visit
// fails.
bool st_visit_inner_edges(st_topology *topology, st_element kind, size_t points, bool once,
                          bool (*visit)(void *context, const st_inner_edge *edge), void *context);

// The force of springs across edges, `per_edge` entries of the kernel for each edge of the mesh.
typedef struct st_bending_springs {
    st_force base;
    st_real stiffness, damping;
    st_object *topology;
    bool show_springs;
    st_spring_kernel kernel;
} st_bending_springs;

// Finds state and mesh and makes `per_edge` springs for each edge, none of which acts yet.
st_status st_bending_init(st_bending_springs *force, st_element kind, size_t per_edge, st_topology **topology);
// The spring at `place` joins a and b, at their distance at rest.
void st_bending_set(st_bending_springs *force, size_t place, uint32_t a, uint32_t b);

extern const st_force_ops st_bending_force_ops;
void st_bending_draw(st_object *object, st_canvas *canvas);
void st_bending_destroy(st_object *object);

#endif
