// The boundary of a mesh: faces of volumes that no second one shares.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_BOUNDARY_H
#define SETTEE_TOPOLOGY_BOUNDARY_H

#include "settee/plugin/topology.h"

// Zero bytes are an empty one.
typedef struct st_boundary {
    st_uints triangles, quads;             // looking outward, in the order tetrahedra, hexahedra, prisms, pyramids
    st_uints triangle_owners, quad_owners; // of each face: the kind of the element that it belongs to, and its number
    size_t shared;                         // faces that more than two volumes have
} st_boundary;

bool st_has_volumes(const st_uints elements[ST_ELEMENT_KINDS]);
// False, in both that follow: out of memory. To be freed all the same.
bool st_boundary_find(st_boundary *boundary, const st_uints elements[ST_ELEMENT_KINDS]);
// Where there are no volumes, the triangles and quads themselves.
bool st_boundary_of_topology(st_boundary *boundary, st_topology *topology);
void st_boundary_free(st_boundary *boundary);

#endif
