// What the topologies share beyond the public interface: look-ups, and the recipes that derive lists from others.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_TOPOLOGY_H
#define SETTEE_TOPOLOGY_TOPOLOGY_H

#include "settee/topology.h"
#include "topology/element_set.h"

// The topology that a component of the node uses when it is not told otherwise: the node's slot, else the nearest one
// upwards. `link` (may be NULL) goes first.
st_topology *st_context_topology(const st_node *node, st_object *link);
// The slot of the node itself: the last topology among its components.
st_topology *st_local_topology(const st_node *node);

// Appends an element whose vertices are not in the set yet. `sorted` edges are stored small vertex first.
bool st_derive_edge(st_uints *edges, st_element_set *known, uint32_t a, uint32_t b, bool sorted);
// Appends a triangle or a quad, turned so that its smallest vertex comes first (its orientation stays).
bool st_derive_face(st_uints *faces, st_element_set *known, const uint32_t *vertices, int size);
// Edges in the order of a list of triangles, each in the direction of its first triangle.
bool st_derive_triangle_edges(st_uints *edges, st_element_set *known, const st_uints *triangles);

// The recipe of MeshTopology for one kind: edges of the volumes, else of the surfaces; faces of the volumes.
bool st_derive_mesh_elements(st_topology *topology, st_element kind);

#endif
