// Points of beams, for the mappings that carry them.
//
// A point (x, y, z) of a wire lies at the abscissa x along it, or at beam + s, with the offset (0, y, z) in the frame of the
// curve there. Its velocity is that of the control points, with the offset turned by the ends:
//
//     v = Σ b_k V_k + (b0 + b1) ω_0 × o_0 + (b2 + b3) ω_1 × o_1
//
// with the weights b of the curve, V_k the velocities of its control points and o_k the offset in the axes of end k.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BEAM_BEAM_POINTS_H
#define SETTEE_BEAM_BEAM_POINTS_H

#include "beam/beam_interpolation.h"
#include "settee/plugin/physics.h"

typedef struct st_beam_point {
    const st_object *beams; // the interpolation
    st_real at[3];
    bool by_abscissa;
} st_beam_point;

typedef ST_LIST(st_beam_point) st_beam_points;

// What a mapping of these points does; points of an interpolation without beams are at the origin.
void st_beam_points_apply(const st_beam_points *points, st_mapping *mapping, st_coord_id out, st_const_coord_id in);
void st_beam_points_jacobian(const st_beam_points *points, st_mapping *mapping, st_sink *sink);

// The sum of the rest lengths of the beams.
st_real st_beams_total(const st_beams *beams);

#endif
