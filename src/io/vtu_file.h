// Pieces of a .vtu file: an unstructured grid of VTK in XML, with numbers as text.
//
//     st_vtu_head, st_vtu_points, <Cells> arrays </Cells>, <PointData> arrays </PointData>, ..., st_vtu_tail
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_VTU_FILE_H
#define SETTEE_IO_VTU_FILE_H

#include <stdio.h>

#include "settee/drawing.h"

void st_vtu_head(FILE *out, size_t points, size_t cells);
void st_vtu_tail(FILE *out);

// An array; its values follow, blanks between.
void st_vtu_begin(FILE *out, const char *type, const char *name, size_t width);
void st_vtu_next(FILE *out, const char *type, const char *name, size_t width); // ends the one before
void st_vtu_end(FILE *out);
void st_vtu_real(FILE *out, st_real value);

// Three scalars for each of `count` elements of `width`, of which the first `used` are given.
void st_vtu_vectors(FILE *out, const char *name, const st_real *values, size_t count, size_t width, size_t used);
void st_vtu_points(FILE *out, const st_real *positions, size_t count, size_t width, size_t used);

// All triangles and lines of a drawing as one grid, with their colors. False: out of memory.
bool st_vtu_drawing(FILE *out, const st_drawing *drawing);

#endif
