// What the topologies share beyond the public interface: look-ups, checks, and what fills them again.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_TOPOLOGY_H
#define SETTEE_TOPOLOGY_TOPOLOGY_H

#include "settee/plugin/topology.h"

// The topology that a component of the node uses unless it names another: the node's slot, else the nearest one
// upwards. `link` (may be NULL) takes precedence.
st_topology *st_context_topology(const st_node *node, st_object *link);
// The slot of the node itself: the last topology among its components.
st_topology *st_local_topology(const st_node *node);

// What a mesh mostly consists of: the kind of a changeable container, else the first kind of hexahedra, tetrahedra,
// prisms, pyramids, quads, triangles, edges that it has; ST_ELEMENT_KINDS for points alone.
st_element st_topology_type(st_topology *topology);

// Vertices must exist where positions are given, and be numbers that such a mesh can have. A list that breaks this
// would be read out of bounds by everyone: it is emptied, with an error that names the element.
st_status st_topology_check_vertices(st_topology *topology, st_element kind);
size_t st_topology_used_points(const st_topology *topology, st_element kind); // 1 + largest vertex

// Replaces all lists by those of the mesh file that the attribute `filename` names, if any.
st_status st_topology_read_file(st_topology *topology);

// --- for topological mappings, which fill a topology and initialize it again

bool st_topology_holds(const st_topology *topology, st_element kind); // does it have a list for them?
// Empties edges to hexahedra, which follow no link any more; points and positions stay.
void st_topology_clear(st_topology *topology);
void st_topology_set_points(st_topology *topology, size_t count);
st_status st_topology_init_again(st_topology *topology);

#endif
