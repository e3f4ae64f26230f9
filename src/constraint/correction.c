// The base of constraint corrections: their states, the integrator whose factors they use.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/correction.h"

#include "force/force.h"

st_real st_correction_position_factor(const st_correction *correction, st_real none) {
    const st_integrator *integrator = correction->integrator;
    if (!integrator) return none;
    return integrator->object.type->integrator->position_factor(integrator, integrator->object.node->dt);
}

st_real st_correction_velocity_factor(const st_correction *correction, st_real none) {
    const st_integrator *integrator = correction->integrator;
    if (!integrator) return none;
    return integrator->object.type->integrator->velocity_factor(integrator, integrator->object.node->dt);
}

st_real st_correction_factor(const st_correction *correction, const st_constraint_params *params) {
    return params->order == ST_ORDER_VELOCITY ? st_correction_velocity_factor(correction, 1)
                                              : st_correction_position_factor(correction, 1);
}

st_integrator *st_correction_find_integrator(const st_node *node) {
    st_object *found = st_find(node, ST_ROLE(integrator), ST_LOCAL);
    if (!found) found = st_find(node->object.scene->root, ST_ROLE(integrator), ST_DOWN);
    return (st_integrator *)found;
}

bool st_correction_accepts(st_object *object) { return st_accept_state(object, "", NULL); }

st_state *st_correction_find_state(st_object *object) {
    st_correction *correction = (st_correction *)object;
    st_state *state = st_matching_state(object, NULL);
    correction->states.count = 0;

    if (!state) {
        st_invalid(object, "no mechanical state of type %s is found: it has no effect",
                   object->dof ? object->dof->name : "(none)");
        return NULL;
    }
    return st_list_push(&correction->states, state) ? state : NULL;
}

size_t st_correction_offset(const st_system *system, const st_state *state) {
    return system->plan ? st_plan_offset(system->plan, state) : SIZE_MAX;
}

// A row that acts on several of the states counts once.
static bool is_counted(const st_correction *correction, size_t states, size_t row) {
    for (size_t s = 0; s < states; s++)
        if (st_jacobian_find(&correction->states.data[s]->constraint, row) != SIZE_MAX) return true;
    return false;
}

void st_correction_regularize(const st_correction *correction, st_real *diagonal, size_t stride) {
    for (size_t s = 0; s < correction->states.count && correction->regularization > ST_REAL_EPSILON; s++) {
        const st_jacobian *j = &correction->states.data[s]->constraint;
        for (size_t r = 0; r < j->rows.count; r++)
            if (!is_counted(correction, s, j->rows.data[r]))
                diagonal[j->rows.data[r] * stride] += correction->regularization;
    }
}

st_status st_correction_add_compliance(st_correction *correction, const st_constraint_params *params, size_t size,
                                       st_real *w) {
    const st_status status = correction->object.type->correction->add_compliance(correction, params, size, w);
    if (status == ST_OK) st_correction_regularize(correction, w, size + 1);
    return status;
}

void st_correction_destroy(st_object *object) { st_list_free(&((st_correction *)object)->states); }

static const st_field fields[] = {
    ST_FIELD(st_correction, solvers, "constraintSolvers", st_type_links, NULL, "constraint solvers that use it",
             .flags = ST_FIELD_OUTPUT, .role = ST_ROLE(constraint_solver)),
    ST_FIELDS_END,
};

const st_class st_correction_class = {
    .name = "ConstraintCorrection",
    .help = "moves the states that constraints act on",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_correction),
    .flags = ST_CLASS_ABSTRACT,
    .destroy = st_correction_destroy,
};
