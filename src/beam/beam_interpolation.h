// What a beam interpolation tells those that act on its beams.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BEAM_BEAM_INTERPOLATION_H
#define SETTEE_BEAM_BEAM_INTERPOLATION_H

#include "beam/beam_frame.h"
#include "settee/plugin/state.h"
#include "settee/plugin/topology.h"

extern const st_class st_beam_interpolation_class;

typedef struct st_beam {
    uint32_t dof[2];         // ends; the same one twice: a rigid part
    st_real length;          // at rest
    st_real young, poisson;  //
    st_real area, iy, iz, j; // of the section: second moments about y and z, J = iy + iz
    st_beam_frame node[2];   // constant frames of the ends in those of their DOFs
    st_beam_frame rest[2];   // ends at rest, as seen from the middle of the beam
} st_beam;

st_state *st_beam_interpolation_state(const st_object *interpolation); // NULL: it is not usable
size_t st_beam_interpolation_count(const st_object *interpolation);
// Beam b; false when its ends are no DOFs of the state (any more).
bool st_beam_interpolation_get(const st_object *interpolation, size_t b, st_beam *beam);

// The frame of an end of a beam for the coordinates x of its state.
static inline st_beam_frame st_beam_end(const st_beam *beam, int end, const st_real *x) {
    const st_real *c = x + 7 * (size_t)beam->dof[end];
    const st_beam_frame dof = st_beam_frame_make(c, c + 3);
    return st_beam_frame_multiply(&dof, &beam->node[end]);
}

#endif
