// Points from a file, for mappings that take theirs from one.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_POINTS_FILE_H
#define SETTEE_MAPPING_POINTS_FILE_H

#include "settee/plugin/component.h"

// Centers of spheres (.sph, .xs3) or points of a mesh, appended to `points` as Vec3. A failure was reported in the name
// of the object.
st_status st_read_points(st_object *object, const char *filename, st_reals *points);

#endif
