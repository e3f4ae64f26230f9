// A surface of triangles that cuts: see topology/cut/cut.h.
//
// An edge of the mesh is crossed when the surface meets it an odd number of times, at the first of these places. The surface
// may end within the mesh; what it does not reach stays together.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_CUT_CUT_SURFACE_H
#define SETTEE_TOPOLOGY_CUT_CUT_SURFACE_H

#include "math/box_tree.h"
#include "topology/cut/cut.h"

typedef struct st_surface_knife {
    st_knife knife;
    st_reals corners; // nine numbers a triangle
    size_t triangles;
    st_box_tree tree;
} st_surface_knife;

// Triangles of three numbers of points each. Flat ones are left out. ST_INVALID, with a message: no triangle is left, a
// point is missing or not finite.
st_status st_surface_knife_make(st_surface_knife *surface, const st_points *points, const uint32_t *triangles,
                                size_t count, const st_object *reporter);
void st_surface_knife_free(st_surface_knife *surface);

#endif
