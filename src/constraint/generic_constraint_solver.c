// GenericConstraintSolver: the former name of three solvers, chosen by resolutionMethod.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/generic_solver.h"

extern const st_class st_block_gauss_seidel_constraint_solver_class, st_unbuilt_gauss_seidel_constraint_solver_class,
    st_nncg_constraint_solver_class;

typedef struct former_solver {
    st_generic_solver base;
    int32_t method;
    int32_t newton_iterations;
} former_solver;

static const char *const methods[] = {"ProjectedGaussSeidel", "UnbuiltGaussSeidel",
                                      "NonsmoothNonlinearConjugateGradient", NULL};

static const st_field fields[] = {
    ST_FIELD(former_solver, method, "resolutionMethod", st_type_option, "ProjectedGaussSeidel", "which solver it is",
             .options = methods),
    ST_FIELD(former_solver, newton_iterations, "newtonIterations", st_type_int, "100",
             "iterations of NonsmoothNonlinearConjugateGradient; maxIterations of NNCGConstraintSolver"),
    ST_FIELDS_END,
};

static const st_class *class_of(const former_solver *self) {
    static const st_class *const classes[] = {&st_block_gauss_seidel_constraint_solver_class,
                                              &st_unbuilt_gauss_seidel_constraint_solver_class,
                                              &st_nncg_constraint_solver_class};
    return classes[self->method >= 0 && self->method < 3 ? self->method : 0];
}

static st_status generic_parse(st_object *object) {
    former_solver *self = (former_solver *)object;
    if (self->method == 2 && st_is_set(object, &self->newton_iterations))
        self->base.max_iterations = self->newton_iterations;
    st_message(object, ST_NOTICE, "GenericConstraintSolver with resolutionMethod %s is called %s since SOFA 25.12",
               methods[self->method >= 0 && self->method < 3 ? self->method : 0], class_of(self)->name);
    return ST_OK;
}

static st_status generic_build(st_constraint_solver *solver, const st_constraint_params *params) {
    return class_of((former_solver *)solver)->constraint_solver->build(solver, params);
}

static st_status generic_solve(st_constraint_solver *solver, const st_constraint_params *params) {
    return class_of((former_solver *)solver)->constraint_solver->solve(solver, params);
}

static const st_constraint_solver_ops ops = {.build = generic_build, .solve = generic_solve};

const st_class st_generic_constraint_solver_class = {
    .name = "GenericConstraintSolver",
    .help =
        "former name of BlockGaussSeidelConstraintSolver, UnbuiltGaussSeidelConstraintSolver and NNCGConstraintSolver",
    .parent = &st_built_solver_class,
    .fields = fields,
    .size = sizeof(former_solver),
    .example = "<FreeMotionAnimationLoop/><GenericConstraintSolver maxIterations='100' tolerance='1e-6'/>",
    .parse = generic_parse,
    .constraint_solver = &ops,
};
