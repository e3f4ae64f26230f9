// Present positions of a mesh: those of the state of its node, else its own.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_CUT_POINTS_VIEW_H
#define SETTEE_TOPOLOGY_CUT_POINTS_VIEW_H

#include "topology/measure.h"

// Borrowed until the mesh or the state changes. Points without three coordinates give none.
st_points st_view_points(const st_topology *topology);
// One point; the origin when there is no such point.
void st_view_copy(const st_points *points, size_t i, st_real p[3]);

#endif
