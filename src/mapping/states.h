// The states of a mapping and their vectors, as every mapping reads them.
//
// A vector that does not exist, such as the velocities of a visual model, or that has not the size of its state, is
// NULL: the mapping then leaves it alone. So is every vector of an empty state.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_STATES_H
#define SETTEE_MAPPING_STATES_H

#include "settee/plugin/physics.h"

static inline st_state *st_mapping_input(const st_mapping *m, size_t i) { return (st_state *)m->input.data[i]; }
static inline st_state *st_mapping_output(const st_mapping *m, size_t i) { return (st_state *)m->output.data[i]; }

static inline st_real *st_whole_list(const st_state *state, const st_reals *list) {
    return state->size > 0 && list->count == state->size ? list->data : NULL;
}
static inline st_real *st_whole_position(const st_state *state, int index) {
    return st_whole_list(state, st_coord_list(state, index, ST_COORD_POSITION));
}
static inline st_real *st_whole_velocity(const st_state *state, int index) {
    return st_whole_list(state, st_deriv_list(state, index, ST_DERIV_VELOCITY));
}
static inline st_real *st_whole_force(const st_state *state, int index) {
    return st_whole_list(state, st_deriv_list(state, index, ST_DERIV_FORCE));
}
static inline st_real *st_whole_dx(const st_state *state, int index) {
    return st_whole_list(state, st_deriv_list(state, index, ST_DERIV_DX));
}
static inline st_real *st_whole_dforce(const st_state *state, int index) {
    return st_whole_list(state, st_deriv_list(state, index, ST_DERIV_DFORCE));
}

// A frame that points carry turns with them: its J is never constant.
static inline bool st_mapping_is_constant(const st_mapping *m, size_t out, size_t in) {
    const bool carried =
        st_state_dof(st_mapping_output(m, out))->rigid && !st_state_dof(st_mapping_input(m, in))->rigid;
    return !carried && (m->object.type->flags & ST_CLASS_CONSTANT_JACOBIAN) != 0;
}

// Is all of J constant? Then there is no geometric stiffness.
static inline bool st_mapping_is_linear(const st_mapping *m) {
    for (size_t out = 0; out < m->output.count; out++)
        for (size_t in = 0; in < m->input.count; in++)
            if (!st_mapping_is_constant(m, out, in)) return false;
    return true;
}

// The types of a template "In,Out", or with more of them.
bool st_mapping_read_types(const char *text, size_t count, const st_dof **types);
// Are all states of the mapping there? What follows relies on it.
bool st_mapping_has_states(const st_mapping *mapping);
// Gives a child as many DOFs as it must have. A failure was reported.
st_status st_mapping_size_child(st_mapping *mapping, size_t output, size_t count);
// Every vertex of the elements, `size` each, must be one of the parent's points.
st_status st_mapping_check_vertices(st_object *object, const st_uints *elements, size_t size, size_t points);
bool st_mapping_has_input(const st_mapping *mapping, const st_state *state);

#endif
