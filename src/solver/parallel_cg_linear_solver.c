// The conjugate gradient with a product that is spread over threads. Here every CGLinearSolver does that; this is the
// same solver under SOFA's other name, with the templates that SOFA gives it.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/cg_linear_solver.h"

const st_class st_parallel_cg_linear_solver_class = {
    .name = "ParallelCGLinearSolver",
    .help = "conjugate gradient on an assembled matrix; same as CGLinearSolver, which uses threads, too",
    .parent = &st_cg_linear_solver_class,
    .templates = "ParallelCompressedRowSparseMatrixd ParallelCompressedRowSparseMatrixMat3x3d",
    .default_template = "ParallelCompressedRowSparseMatrixd",
    .size = sizeof(st_cg_linear_solver),
    .example = "<EulerImplicitSolver/>\n"
               "<ParallelCGLinearSolver iterations=\"50\" tolerance=\"1e-9\" threshold=\"1e-9\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<SpringForceField spring=\"0 1 100 1 0.9\"/>",
};
