// Points and where they are pulled to: what RestShapeSpringsForceField and PolynomialRestShapeSpringsForceField share.
//
// The targets are the points' own rest positions, or positions of another state, which feels no reaction.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_REST_TARGETS_H
#define SETTEE_FORCE_SPRING_REST_TARGETS_H

#include "settee/plugin/physics.h"

typedef struct st_rest_targets {
    // fields
    st_uints points, external_points;
    st_object *external; // state
    bool recompute;
    // what is computed with
    st_uints from, to; // DOF of the force's state, DOF of the target's
    const st_state *target;
} st_rest_targets;

// Makes both lists again; when they do not fit the states it says so, once, and there is no pair.
void st_rest_targets_update(st_rest_targets *targets, const st_force *force);
// Where pair i is pulled to.
const st_real *st_rest_target(const st_rest_targets *targets, const st_force *force, size_t i);
void st_rest_targets_free(st_rest_targets *targets);

#endif
