// The states of a scene with their meshes, as VTK files of one frame.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_VTK_WRITER_H
#define SETTEE_IO_VTK_WRITER_H

#include "settee/settee.h"

// Adds the number of files that were written to `files`, which may be NULL.
st_status st_write_vtk_frame(st_scene *scene, const char *directory, size_t number, size_t *files);

#endif
