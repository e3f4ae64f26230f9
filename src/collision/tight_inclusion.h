// Continuous detection: when does a point meet a triangle, or an edge another one, while all of them move in a straight
// line from where they are to where they will be?
//
// F(t, u, v) is the vector between the point and the place (u, v) of the triangle (or between the places u and v of two
// edges) at the time t; both run over [0, 1]. Whoever touches has F = 0. The search keeps boxes of (t, u, v) and drops
// those in which F cannot come within the distance of 0, since F is linear in each of its arguments and its values in a
// box lie between those at the eight corners. It never misses a hit; in boxes that are too small to go on it takes a
// near miss for one.
//
//     B. Wang, Z. Ferguson, T. Schneider, X. Jiang, M. Attene, D. Panozzo: A large-scale benchmark and an
//     inclusion-based algorithm for continuous collision detection. ACM Transactions on Graphics 40 (2021).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_TIGHT_INCLUSION_H
#define SETTEE_COLLISION_TIGHT_INCLUSION_H

#include "base/array.h"

// low and high of t, u and v: exact fractions.
typedef struct st_time_box {
    int32_t level;
    double low[3], high[3];
} st_time_box;
typedef ST_LIST(st_time_box) st_time_boxes;

typedef struct st_impact_query {
    bool edges;             // points 0 1 and 2 3 are edges; else 0 meets the triangle 1 2 3
    double start[4][3];     // places at the time 0
    double end[4][3];       // and at the time 1
    double distance;        // within which they touch, along each axis
    double tolerance;       // size of F in boxes that are small enough
    size_t most_iterations; // boxes that are looked at; then what is left counts as a hit. 0: 131072
} st_impact_query;

// The time of the first hit. False: there is none, or `boxes` could not grow (*failed). The list is work and used again.
bool st_find_impact(const st_impact_query *query, st_time_boxes *boxes, double *time, bool *failed);

#endif
