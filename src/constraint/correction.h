// What the constraint corrections share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CONSTRAINT_CORRECTION_H
#define SETTEE_CONSTRAINT_CORRECTION_H

#include "constraint/problem.h"

// Factor of W: that of positions or of velocities, by the order.
st_real st_correction_factor(const st_correction *correction, const st_constraint_params *params);
st_real st_correction_position_factor(const st_correction *correction, st_real none);
st_real st_correction_velocity_factor(const st_correction *correction, st_real none);

// The first integrator of the node, else the first one of the whole scene.
st_integrator *st_correction_find_integrator(const st_node *node);

// For corrections of the node's own state: finds it. NULL after an error.
st_state *st_correction_find_state(st_object *object);
bool st_correction_accepts(st_object *object);

// H of a state times a flat vector of its scalars, row `r` (place among the rows that have entries).
static inline st_real st_row_dot(const st_jacobian *j, size_t width, size_t r, const st_real *v) {
    st_real sum = 0;
    for (size_t e = j->starts.data[r]; e < j->starts.data[r + 1]; e++) {
        const st_real *entry = st_jacobian_entry(j, width, e), *at = v + st_entry_dof(entry) * width;
        for (size_t k = 0; k < width; k++) sum += entry[ST_ENTRY_HEAD + k] * at[k];
    }
    return sum;
}

// Adds the regularization of the correction to diagonal[row · stride] of each row that acts on its states.
void st_correction_regularize(const st_correction *correction, st_real *diagonal, size_t stride);
// W += its compliance and regularization.
st_status st_correction_add_compliance(st_correction *correction, const st_constraint_params *params, size_t size,
                                       st_real *w);
// Most scalars of a state of which PrecomputedConstraintCorrection can give the matrix, which is a dense inverse.
enum { ST_MOST_INVERTED = 3000 };
// First scalar of the state in the system; SIZE_MAX: it is not part of it.
size_t st_correction_offset(const st_system *system, const st_state *state);

void st_correction_destroy(st_object *object);

#endif
