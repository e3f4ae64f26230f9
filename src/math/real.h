// The real number in formulas: type-generic functions and literals that follow st_real.
//
// <tgmath.h> makes sqrt(), sin(), fabs()... take the width of their argument, so that the same text computes in
// double or in float. A literal such as 0.5 is a double and would widen a float expression: write ST_R(0.5).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MATH_REAL_H
#define SETTEE_MATH_REAL_H

#include <tgmath.h>

#include "settee/types.h"

// <complex.h>, which comes with <tgmath.h>, takes the letter that everybody uses for an inertia or an identity.
#undef I

#define ST_R(literal) ((st_real)(literal))
#define ST_PI ST_R(3.14159265358979323846)

static inline st_real st_min(st_real a, st_real b) { return b < a ? b : a; }
static inline st_real st_max(st_real a, st_real b) { return a < b ? b : a; }
static inline st_real st_clamp(st_real value, st_real low, st_real high) { return st_max(low, st_min(value, high)); }

#endif
