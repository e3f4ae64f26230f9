// One beam as a curve: a cubic Bezier curve between the frames of its two ends, tangent to their x axes.
//
//     P0 = origin of F0,   P1 = P0 + x0 L/3,   P2 = P3 - x1 L/3,   P3 = origin of F1
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BEAM_BEAM_CURVE_H
#define SETTEE_BEAM_BEAM_CURVE_H

#include "beam/beam_frame.h"

typedef struct st_beam_curve {
    st_real p[4][3];
    st_real q[2][4]; // orientations of the ends
    st_real length;  // at rest
} st_beam_curve;

st_beam_curve st_beam_curve_make(const st_beam_frame *f0, const st_beam_frame *f1, st_real length);
void st_beam_curve_point(const st_beam_curve *curve, st_real s, st_real point[3]);
void st_beam_curve_derivative(const st_beam_curve *curve, st_real s, st_real d[3]);
// Length of the curve by four Gauss points.
st_real st_beam_curve_length(const st_beam_curve *curve);
// The frame at s: its x axis is tangent to the curve, its twist is that of the ends, interpolated.
st_beam_frame st_beam_curve_frame(const st_beam_curve *curve, st_real s);

#endif
