// The changeable containers: Point ← Edge ← Triangle ← Tetrahedron and Edge ← Quad ← Hexahedron. A container is
// everything below it: one of tetrahedra holds triangles, edges and points as well (and no quads).
//
// A container owns its lists. Those that are missing are made at init from the elements that give it its name, and
// from then on they belong to it like the others, since a change of the mesh gives them an order of their own.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_CONTAINER_H
#define SETTEE_TOPOLOGY_CONTAINER_H

#include "topology/topology.h"

typedef struct st_container {
    st_topology topology;
    uint32_t nb_points;
    bool check_topology, check_connexity;
    bool create_array; // createTriangleArray, createQuadArray
} st_container;

extern const st_class st_point_set_topology_container_class, st_edge_set_topology_container_class,
    st_triangle_set_topology_container_class, st_quad_set_topology_container_class,
    st_tetrahedron_set_topology_container_class, st_hexahedron_set_topology_container_class;

// The kind of element that gives a container its name; ST_ELEMENT_KINDS for points alone.
st_element st_container_kind(const st_topology *topology);
void st_container_set_points(st_topology *topology, size_t count);

// The init of all of them.
st_status st_container_init(st_object *object);
// What they answer about their points.
extern const st_topology_ops st_container_ops;

// A modifier finds its container and says how it changes (topology/edit.h).
typedef struct st_modifier {
    st_object object;
    st_container *container;
    bool propagate_to_dof, remove_isolated;
    st_uints list_out;
} st_modifier;

extern const st_class st_point_set_topology_modifier_class, st_edge_set_topology_modifier_class,
    st_triangle_set_topology_modifier_class, st_quad_set_topology_modifier_class,
    st_tetrahedron_set_topology_modifier_class, st_hexahedron_set_topology_modifier_class;

#endif
