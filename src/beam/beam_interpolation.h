// What a beam interpolation tells those that act on its beams.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BEAM_BEAM_INTERPOLATION_H
#define SETTEE_BEAM_BEAM_INTERPOLATION_H

#include "beam/beam_frame.h"
#include "settee/plugin/state.h"
#include "settee/plugin/topology.h"

extern const st_class st_beams_class; // abstract: what every interpolation has
extern const st_class st_beam_interpolation_class, st_wire_beam_interpolation_class;

typedef struct st_beam {
    uint32_t dof[2];         // ends; the same one twice: a rigid part
    st_real length;          // at rest
    st_real young, poisson;  //
    st_real density;         // negative: it has none of its own
    st_real area, iy, iz, j; // of the section: second moments about y and z, J = iy + iz
    st_beam_frame node[2];   // constant frames of the ends in those of their DOFs
    st_beam_frame rest[2];   // ends at rest, as seen from the middle of the beam
} st_beam;

// Edges of a mesh over frames, as beams.
typedef struct st_beams st_beams;
struct st_beams {
    st_object object;
    st_state *state;
    st_object *link;
    bool aligned;
    st_uints edge_list, collision;
    st_reals length_list, transform[2], abscissas;

    st_topology *topology;
    st_real rest_length; // of the whole wire; negative: the beams are all there is
    // Section, material and rest shape of a beam whose ends and length are known.
    void (*complete)(const st_beams *beams, size_t b, st_beam *beam);
};

// Finds the state and the mesh; an error where there is none.
st_status st_beams_find(st_beams *beams);
// Ends and constant frames of beam b, all that a curve needs but its length; false: its ends are no DOFs.
bool st_beams_ends(const st_beams *beams, size_t b, st_beam *beam);

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
