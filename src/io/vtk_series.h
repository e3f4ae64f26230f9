// The list of VTK files of a run, scene.pvd: which file shows which part of the scene at which time.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_VTK_SERIES_H
#define SETTEE_IO_VTK_SERIES_H

#include "settee/settee.h"

// Before a frame. The first one in a folder removes the files that the list of an earlier run names there, if settee wrote
// that list; nothing else is touched. All answer false after an error was reported, or out of memory.
bool st_vtk_series_begin(st_scene *scene, const char *folder);
// A file of the frame; `part` is its number there.
bool st_vtk_series_add(st_scene *scene, const char *path, size_t part);
// After a frame: writes the list.
bool st_vtk_series_write(st_scene *scene);

#endif
