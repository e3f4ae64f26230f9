// LinearSolverConstraintCorrection: the compliance is the inverse of the matrix of a linear solver, C = A⁻¹.
//
// Several objects under one linear solver, each with its correction, share A: the first of these corrections gives W
// for all of them, with the terms between them, and solves once for their motion. (SOFA takes the columns of the first
// state for each of them.)
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/system_compliance.h"

typedef struct linear_solver_correction {
    st_correction base;
    st_linear_solver *solver;
    bool wire_optimization;
    bool leads; // gives W and motion for all corrections of its solver
    st_system_compliance compliance;
} linear_solver_correction;

static const st_field fields[] = {
    ST_FIELD(linear_solver_correction, solver, "linearSolver", st_type_link, NULL,
             "linear solver; the first one of the node when not given", .role = ST_ROLE(linear_solver)),
    ST_FIELD(linear_solver_correction, base.integrator, "ODESolver", st_type_link, NULL,
             "integrator; the first one of the node, else of the scene", .role = ST_ROLE(integrator)),
    ST_FIELD(linear_solver_correction, base.regularization, "regularizationTerm", st_type_real, "0",
             "compliance added to the rows that act on this object"),
    ST_FIELD(linear_solver_correction, wire_optimization, "wire_optimization", st_type_bool, "0",
             "unbuilt solvers visit its rows last, in the order of their first DOF"),
    ST_FIELDS_END,
};

static st_status linear_solver_correction_init(st_object *object) {
    linear_solver_correction *self = (linear_solver_correction *)object;
    if (!st_correction_find_state(object)) return ST_INVALID;
    return st_system_compliance_find(object, &self->solver, &self->base.integrator);
}

// The place that the solver knows may be of a former step, or of another problem: it counts if its correction is there.
static linear_solver_correction *leader_of(const st_constraint_problem *p, const st_linear_solver *solver) {
    if (solver->leader >= p->leaders.count) return NULL;
    linear_solver_correction *leader = (linear_solver_correction *)p->leaders.data[solver->leader];
    return leader->solver == solver ? leader : NULL;
}

// The first correction of a linear solver leads; the others, which come after it, give it their states.
static st_status linear_solver_correction_prepare(st_correction *base, const st_constraint_params *params) {
    (void)params;
    linear_solver_correction *self = (linear_solver_correction *)base;
    st_constraint_problem *p = base->solver->problem;

    self->leads = leader_of(p, self->solver) == NULL;
    self->compliance.solver = self->solver;
    self->compliance.states.count = 0;

    if (self->leads) {
        self->solver->leader = p->leaders.count;
        if (!st_list_push(&p->leaders, base)) return ST_OUT_OF_MEMORY;
    }
    linear_solver_correction *leader = leader_of(p, self->solver);
    return st_list_push(&leader->compliance.states, base->states.data[0]) ? ST_OK : ST_OUT_OF_MEMORY;
}

static st_status linear_solver_correction_add_compliance(st_correction *base, const st_constraint_params *params,
                                                         size_t size, st_real *w) {
    linear_solver_correction *self = (linear_solver_correction *)base;
    if (!self->leads) return ST_OK;
    return st_system_compliance_add(&self->compliance, &base->object, st_correction_factor(base, params), size, w);
}

static st_status linear_solver_correction_motion(st_correction *base, const st_constraint_params *params) {
    linear_solver_correction *self = (linear_solver_correction *)base;
    return self->leads ? st_system_compliance_motion(&self->compliance, params) : ST_OK;
}

static void linear_solver_correction_factors(const st_correction *base, const st_constraint_params *params,
                                             st_real *position, st_real *velocity) {
    (void)params;
    *position = st_correction_position_factor(base, 1);
    *velocity = st_correction_velocity_factor(base, 1);
}

static bool linear_solver_correction_visit_key(const st_correction *base, size_t row, size_t *key) {
    const st_jacobian *j = &base->states.data[0]->constraint;
    const size_t r = ((const linear_solver_correction *)base)->wire_optimization ? st_jacobian_find(j, row) : SIZE_MAX;
    if (r == SIZE_MAX) return false;
    *key = st_entry_dof(st_jacobian_entry(j, base->object.dof->deriv, j->starts.data[r]));
    return true;
}

static bool linear_solver_correction_add_matrix(st_correction *base, st_accumulator *to) {
    const linear_solver_correction *self = (linear_solver_correction *)base;
    return !self->leads || st_system_compliance_matrix(&self->compliance, to);
}

static void linear_solver_correction_destroy(st_object *object) {
    st_system_compliance_free(&((linear_solver_correction *)object)->compliance);
    st_correction_destroy(object);
}

static const st_correction_ops ops = {.prepare = linear_solver_correction_prepare,
                                      .add_compliance = linear_solver_correction_add_compliance,
                                      .motion = linear_solver_correction_motion,
                                      .factors = linear_solver_correction_factors,
                                      .visit_key = linear_solver_correction_visit_key,
                                      .add_matrix = linear_solver_correction_add_matrix};

const st_class st_linear_solver_constraint_correction_class = {
    .name = "LinearSolverConstraintCorrection",
    .help = "constraint correction with the inverse of the system matrix",
    .parent = &st_correction_class,
    .templates = "Rigid3 Vec1 Vec2 Vec3",
    .fields = fields,
    .size = sizeof(linear_solver_correction),
    .example = "<EulerImplicitSolver/><SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/><Mechanical"
               "Object position='0 0 0  1 0 0'/><UniformMass totalMass='2'/><LinearSolverConstraintCorrection/>"
               "<BilateralLagrangianConstraint first_point='0' second_point='1' rest_vector='1 0 0'/>",
    .accepts = st_correction_accepts,
    .init = linear_solver_correction_init,
    .destroy = linear_solver_correction_destroy,
    .correction = &ops,
};
