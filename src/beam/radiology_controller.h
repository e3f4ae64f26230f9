// What an InterventionalRadiologyController tells others: its instruments, and how far they are out.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BEAM_RADIOLOGY_CONTROLLER_H
#define SETTEE_BEAM_RADIOLOGY_CONTROLLER_H

#include "beam/rod_section.h"

typedef struct st_radiology {
    st_object object;
    st_strings names;
    int32_t controlled;
    st_reals tips, rotations;
    st_real step, angular_step, speed, start[7], threshold, main_direction[3];
    uint32_t first_node;
    st_object *fixed, *link;

    ST_LIST(st_beams *) wires;
    st_state *state;
    st_topology *topology;
    bool driven;                       // by a BeamAdapterActionController
    st_reals nodes, previous;          // abscissas of the nodes now, and before the last apply
    st_uints table;                    // [node][wire]: is the node on the wire?
    st_reals moved, old;               // scratch: abscissas by which old places are found; old frames
    st_reals first_tips, first_angles; // for a reset
    int32_t first_controlled;
} st_radiology;

extern const st_class st_interventional_radiology_controller_class;

// Puts nodes and beams where the tips say.
void st_radiology_apply(st_radiology *controller);
// Abscissa of a wire's hidden end along the common line: tip − length.
st_real st_radiology_begin_of(const st_radiology *controller, size_t wire);
// The first wire at a node.
size_t st_radiology_wire_at(const st_radiology *controller, size_t node);

#endif
