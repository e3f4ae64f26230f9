// The option geometricStiffness of mappings whose J depends on positions.
//
//     None        the term ∂(Jᵀf)/∂q is left out
//     Exact       the whole term
//     Stabilized  only what cannot make the system indefinite
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_GEOMETRIC_H
#define SETTEE_MAPPING_GEOMETRIC_H

#include "settee/plugin/physics.h"

enum { ST_GEOMETRIC_NONE, ST_GEOMETRIC_EXACT, ST_GEOMETRIC_STABILIZED };
extern const char *const st_geometric_options[]; // None, Exact, Stabilized

#define ST_GEOMETRIC_HELP                                                                                              \
    "the term of the stiffness that comes from the change of J: left out, whole, or only what keeps the system "       \
    "definite"

// The field of a struct with a member `int32_t geometric_stiffness`.
#define ST_GEOMETRIC_FIELD(owner, value)                                                                               \
    ST_FIELD(owner, geometric_stiffness, "geometricStiffness", st_type_option, value, ST_GEOMETRIC_HELP,               \
             .options = st_geometric_options)

// Does an output with this force (tension is negative) give its term?
static inline bool st_geometric_counts(int32_t option, st_real force) {
    return option == ST_GEOMETRIC_EXACT || (option == ST_GEOMETRIC_STABILIZED && force < 0);
}

#endif
