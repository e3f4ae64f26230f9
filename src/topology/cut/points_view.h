// Present positions of a mesh: those of the state of its node, else its own.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_CUT_POINTS_VIEW_H
#define SETTEE_TOPOLOGY_CUT_POINTS_VIEW_H

#include "settee/plugin/state.h"
#include "settee/plugin/topology.h"

typedef struct st_points_view {
    const st_real *data; // NULL: there are none
    size_t count, width; // point i starts at data[i * width]
} st_points_view;

static inline const st_real *st_view_point(const st_points_view *view, size_t i) { return view->data + i * view->width; }

// Borrowed until the mesh or the state changes. Points without three coordinates give an empty view.
st_points_view st_view_points(const st_topology *topology);
// One point; the origin when the view does not have it.
void st_view_copy(const st_points_view *view, size_t i, st_real p[3]);

#endif
