// GenericConstraintCorrection: one correction for all objects of a linear solver, C = A⁻¹ · complianceFactor.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/problem.h"
#include "constraint/system_compliance.h"

typedef struct generic_correction {
    st_correction base;
    st_linear_solver *solver;
    st_real factor;
    st_system_compliance compliance;
} generic_correction;

static const st_field fields[] = {
    ST_FIELD(generic_correction, solver, "linearSolver", st_type_link, NULL,
             "linear solver; the first one of the node when not given", .role = ST_ROLE(linear_solver)),
    ST_FIELD(generic_correction, base.integrator, "ODESolver", st_type_link, NULL,
             "integrator; the first one of the node, else of the scene", .role = ST_ROLE(integrator)),
    ST_FIELD(generic_correction, factor, "complianceFactor", st_type_real, "1",
             "factor on the compliance and on the motion"),
    ST_FIELD(generic_correction, base.regularization, "regularizationTerm", st_type_real, "0",
             "compliance added to every row"),
    ST_FIELDS_END,
};

static st_status generic_correction_init(st_object *object) {
    generic_correction *self = (generic_correction *)object;
    return st_system_compliance_find(object, &self->solver, &self->base.integrator);
}

static st_status generic_correction_prepare(st_correction *base, const st_constraint_params *params) {
    generic_correction *self = (generic_correction *)base;
    const st_plan *plan = self->solver ? st_plan_of(self->solver->object.node) : NULL;

    base->states.count = self->compliance.states.count = 0;
    self->compliance.solver = self->solver;

    // every independent state of the solver that the loop steps
    for (size_t i = 0; plan && i < plan->independent.count; i++) {
        st_state *state = plan->independent.data[i];
        if (!st_problem_has_vectors(state, params)) continue; // the linear solver may reach further than the loop
        if (!st_list_push(&base->states, state) || !st_list_push(&self->compliance.states, state))
            return ST_OUT_OF_MEMORY;
    }

    return ST_OK;
}

static st_status generic_correction_add_compliance(st_correction *base, const st_constraint_params *params, size_t size,
                                                   st_real *w) {
    generic_correction *self = (generic_correction *)base;
    const st_real factor = st_correction_factor(base, params) * self->factor;
    return st_system_compliance_add(&self->compliance, &base->object, factor, size, w);
}

static st_status generic_correction_motion(st_correction *base, const st_constraint_params *params) {
    return st_system_compliance_motion(&((generic_correction *)base)->compliance, params);
}

static void generic_correction_factors(const st_correction *base, const st_constraint_params *params, st_real *position,
                                       st_real *velocity) {
    (void)params;
    const st_real factor = ((const generic_correction *)base)->factor;
    *position = st_correction_position_factor(base, 1) * factor;
    *velocity = st_correction_velocity_factor(base, 1) * factor;
}

static bool generic_correction_add_matrix(st_correction *base, st_accumulator *to) {
    return st_system_compliance_matrix(&((generic_correction *)base)->compliance, to);
}

static void generic_correction_destroy(st_object *object) {
    st_system_compliance_free(&((generic_correction *)object)->compliance);
    st_correction_destroy(object);
}

static const st_correction_ops ops = {.prepare = generic_correction_prepare,
                                      .add_compliance = generic_correction_add_compliance,
                                      .motion = generic_correction_motion,
                                      .factors = generic_correction_factors,
                                      .add_matrix = generic_correction_add_matrix};

const st_class st_generic_constraint_correction_class = {
    .name = "GenericConstraintCorrection",
    .help = "constraint correction for all objects of a linear solver",
    .parent = &st_correction_class,
    .fields = fields,
    .size = sizeof(generic_correction),
    .example = "<EulerImplicitSolver/><SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/><Mechanical"
               "Object position='0 0 0  1 0 0'/><UniformMass totalMass='2'/><GenericConstraintCorrection/><Bila"
               "teralLagrangianConstraint first_point='0' second_point='1' rest_vector='1 0 0'/>",
    .init = generic_correction_init,
    .destroy = generic_correction_destroy,
    .correction = &ops,
};
