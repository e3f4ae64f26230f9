// The boundary of the volumes of a mesh: faces that one of them has.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_MESH_BOUNDARY_H
#define SETTEE_IO_MESH_BOUNDARY_H

#include "io/mesh.h"

typedef struct st_mesh_boundary {
    st_uints triangles, quads; // looking outward, in the order tetrahedra, hexahedra, prisms, pyramids
    size_t shared;             // faces that more than two volumes have
} st_mesh_boundary;

bool st_mesh_has_volumes(const st_mesh *mesh);
// False: memory is out. To be freed in both cases.
bool st_mesh_find_boundary(st_mesh_boundary *boundary, const st_mesh *mesh);
void st_mesh_boundary_free(st_mesh_boundary *boundary);

#endif
