// Cuts through triangles and tetrahedra: elements are split, not removed, and both sides are free of each other.
//
//     1. crossings   every edge of the mesh is asked where the knife crosses it
//     2. snapping    a point of the mesh that is closer to the knife than a part of its edges lies on the cut as it is, if the
//                    cut stays one sheet there; all other crossings keep at least that distance from the ends of their
//                    edge. No piece is therefore much thinner than the element it comes from, and no point moves
//     3. split       (cut_split.c) each crossed element becomes the simplices on its two sides
//     4. opening     (cut_open.c) points on the cut are doubled where the elements around them hang together no more
//
// New points are weighted sums of two points of an edge, so that volume and mass stay to rounding, at rest and in motion, and
// velocities are interpolated. A knife that ends within the mesh makes a crack: elements that it does not cut through
// are divided, so that the mesh still conforms, but not opened.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_CUT_CUT_H
#define SETTEE_TOPOLOGY_CUT_CUT_H

#include "topology/cut/points_view.h"
#include "topology/edit.h"
#include "topology/element_set.h"

// What cuts. A plane, or a surface of triangles (cut_surface.h).
typedef struct st_knife st_knife;
struct st_knife {
    // Does it cross from p to q, and where (0 to 1)?
    bool (*crosses)(const st_knife *knife, const st_real p[3], const st_real q[3], st_real *t);
    bool (*touches)(const st_knife *knife, const st_real p[3], st_real distance); // is p that close?
};

typedef struct st_plane_knife {
    st_knife knife;
    st_real normal[3], offset; // unit length: normal · p = offset
} st_plane_knife;
// False: the normal has no direction, or a number is not finite.
bool st_plane_knife_make(st_plane_knife *plane, const st_real normal[3], const st_real point[3]);

// A mesh of triangles or tetrahedra on its way through a cut. Zero bytes are an empty one.
typedef struct st_cut {
    st_element kind;
    size_t size;           // vertices of an element
    size_t points;         // of the mesh before
    size_t elements;       // of the mesh before
    st_uints vertices;     // of all elements: the former ones, then new ones
    st_uints parent;       // of new elements: the former one
    ST_LIST(bool) gone;    // of former elements: split
    ST_LIST(bool) changed; // of former elements: with other vertices
    st_uints starts;       // new points: ancestors, as in st_origin
    st_uints ancestors;
    st_reals weights;
    st_element_set opened; // facets where the two sides part
    st_element_set edges;  // crossed edges, with the number of their new point
    ST_LIST(bool) on_cut;  // of former points: the cut runs through it
    size_t split, doubled; // elements and points
    bool closed;           // elements are divided at crossed edges, and nothing opens
} st_cut;

// Finds the cut of a mesh by a knife; nothing changes yet. False: out of memory.
bool st_cut_find(st_cut *cut, st_element kind, const st_uints *elements, const st_points *points, size_t point_count,
                 const st_knife *knife, st_real snap);
// Opens facets of a mesh, all of whose vertices are in one row of `facets`; the points of the listed elements are parted where
// nothing else holds them together. For tearing.
bool st_cut_open_facets(st_cut *cut, st_element kind, const st_uints *elements, size_t point_count,
                        const st_uints *facets, const st_uints *around);
// Makes the change.
st_status st_cut_apply(st_cut *cut, st_topology *topology);
void st_cut_free(st_cut *cut);

// All of it, on the present positions, with messages from the reporter. `report` (may be NULL) counts.
typedef struct st_cut_report {
    size_t split, doubled;
} st_cut_report;
st_status st_cut_topology(st_topology *topology, const st_knife *knife, st_real snap, const st_object *reporter,
                          st_cut_report *report);
// The kind of elements that can be cut; ST_ELEMENT_KINDS, with a message: none.
st_element st_cut_kind(st_topology *topology, const st_object *reporter);

// --- between the files of the cut
bool st_cut_start(st_cut *cut, st_element kind, const st_uints *elements, size_t point_count);
bool st_cut_split_elements(st_cut *cut, const st_points *points, const st_knife *knife);
bool st_cut_part(st_cut *cut); // opens `opened`
// A new point between others; its number, ST_INVALID_INDEX: out of memory.
uint32_t st_cut_add_point(st_cut *cut, const uint32_t *ancestors, const st_real *weights, size_t count);

#endif
