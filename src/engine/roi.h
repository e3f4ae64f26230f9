// Regions of interest: engines that select the points and elements of a mesh that lie in some region.
//
// A class of regions declares its shape, says for one place whether it is inside, and calls st_roi_init and
// st_roi_update from its hooks. Points come from `position`; an element is selected when all of its vertices are
// inside (strict) or when its center is.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_ROI_H
#define SETTEE_ENGINE_ROI_H

#include "settee/plugin/topology.h"

enum { ST_ROI_KINDS = ST_HEXAHEDRON + 1, ST_ROI_OUT_KINDS = 3 };

typedef struct st_roi st_roi;
struct st_roi {
    st_object object;
    // inputs
    st_reals position; // coordinates of the template
    st_uints elements[ST_ROI_KINDS];
    bool compute[ST_ROI_KINDS];
    bool strict, do_update;
    // outputs
    st_uints indices, indices_out;
    st_reals points_in, points_out;
    uint32_t index_count;
    st_uints element_indices[ST_ROI_KINDS], elements_in[ST_ROI_KINDS];
    st_uints element_indices_out[ST_ROI_OUT_KINDS], elements_out[ST_ROI_OUT_KINDS]; // edges, triangles, tetrahedra
    // display
    bool draw_region, draw_points, draw_kind[ST_ROI_KINDS];
    st_real draw_size;

    // set by a class at init
    bool (*element)(const st_roi *roi, st_element kind, const uint32_t *vertices); // a further condition; may be NULL
    bool vertices_suffice; // an element whose vertices are all inside is inside, even if not strict

    bool computed;
};

extern const st_class st_roi_class; // the fields that all have, without a shape

typedef bool st_roi_inside(const st_roi *roi, const st_real *p); // p: leading scalars of a coordinate

// Finds positions and elements where the scene gives none, and computes at once.
st_status st_roi_init(st_roi *roi);
void st_roi_update(st_roi *roi, st_roi_inside *inside);
// What is selected, as far as it is to be drawn; a class with a shape draws that, too.
void st_roi_draw(st_object *object, st_canvas *canvas);

#endif
