// What a mesh is like: st_mesh_measure of settee/mesh.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_MESH_MEASURE_H
#define SETTEE_IO_MESH_MEASURE_H

#include "settee/mesh.h"

st_status st_measure_mesh(const st_mesh *mesh, st_mesh_report *report);

#endif
