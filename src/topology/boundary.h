// The boundary of a mesh: faces of volume elements that no second element shares.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_BOUNDARY_H
#define SETTEE_TOPOLOGY_BOUNDARY_H

#include "settee/topology.h"

// Faces that belong to one volume element only, oriented outwards; where there are no volumes, the triangles and quads
// themselves. Both lists are allocated.
st_status st_topology_boundary(st_topology *topology, st_uints *triangles, st_uints *quads);

#endif
