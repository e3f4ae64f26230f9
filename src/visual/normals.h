// Normals for the smooth shading of triangle meshes.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_NORMALS_H
#define SETTEE_VISUAL_NORMALS_H

#include "settee/types.h"

// A unit normal for each corner of each triangle: 9 floats per triangle, zero where a triangle has no area or is not
// finite. flat = true gives all corners the normal of the triangle. False: out of memory.
bool st_corner_normals(const double *points, size_t point_count, const uint32_t *triangles, size_t triangle_count,
                       bool flat, float *normals);

#endif
