// The compatibility table: defects of SOFA that its results contain, each reproduced behind one named entry.
//
// settee computes the right thing. Where a result of SOFA can only be met by reproducing a defect, the defect is listed
// here, with its reason. The table is on for scenes and off with --no-compat or compat="0" on the root node.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SCENE_COMPAT_H
#define SETTEE_SCENE_COMPAT_H

#include "settee/settee.h"

typedef enum st_compat {
    ST_COMPAT_BDF_HISTORY,
    ST_COMPAT_EDGE_PRESSURE_LATE,
    ST_COMPAT_ELLIPSOID_TANGENT,
    ST_COMPAT_QUADRATIC_SPRINGS_TANGENT,
    ST_COMPAT_PRECOMPUTED_WARP_EMPTY,
    ST_COMPAT_HEXAHEDRON_MASS,
    ST_COMPAT_RAMIFIED_COEFFICIENTS,
    ST_COMPAT_UNBUILT_FACTOR,
    ST_COMPAT_BARYCENTRIC_FRAME_ARMS,
    ST_COMPAT_NEW_PROXIMITY_FLAGS,
    ST_COMPAT_LINE_SPHERE_MIRRORED,
    ST_COMPAT_CROSS_TERMS,
    ST_COMPAT_BTD_SLOTS,
    ST_COMPAT_SWEPT_TIES,
    ST_COMPAT_MESH_TRANSFORM,
    ST_COMPAT_DISTANCE_GRID_TANGENT,
    ST_COMPAT_COMPOSITE_FILLING,
    ST_COMPAT_CONDENSED_MASS,
    ST_COMPAT_WARP_ROTATIONS,
    ST_COMPAT_CONSTRAINTS_PASS,
    ST_COMPAT_BEAM_ABSCISSAS,
    ST_COMPAT_DIRECTION_PLACES,
    ST_COMPAT_COUNT
} st_compat;

bool st_compat_on(const st_scene *scene, st_compat entry);
const st_compat_entry *st_compat_entry_at(size_t index); // NULL past the last one

#endif
