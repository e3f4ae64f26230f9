// The direct solvers that SOFA takes from Eigen, by name: LDLᵀ and LLᵀ, which read the lower triangle of A, and LU and
// QR, which read all of it and need no symmetry.
//
// They order by AMD, COLAMD, as the unknowns come, or as is best where the scene does not say.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/direct_solver.h"
#include "solver/ordering_method.h"

static st_status eigen_solvers_init(st_object *object, st_direct_method method) {
    st_direct_solver *self = (st_direct_solver *)object;
    const st_status status = st_direct_solver_init(self, method, ST_LDL_LOWER);
    if (status != ST_OK || st_ordering_method_kind(self->ordering) != ST_ORDERING_METIS) return status;

    return st_invalid(object,
                      "%s is not among the orderings of this solver: AMDOrderingMethod, COLAMDOrderingMethod, "
                      "NaturalOrderingMethod",
                      self->ordering->type->name);
}

static st_status eigen_solvers_init_ldlt(st_object *object) { return eigen_solvers_init(object, ST_DIRECT_LDLT); }
static st_status eigen_solvers_init_llt(st_object *object) { return eigen_solvers_init(object, ST_DIRECT_LLT); }
static st_status eigen_solvers_init_lu(st_object *object) { return eigen_solvers_init(object, ST_DIRECT_LU); }
static st_status eigen_solvers_init_qr(st_object *object) { return eigen_solvers_init(object, ST_DIRECT_QR); }

#define TEMPLATES "CompressedRowSparseMatrixMat3x3d CompressedRowSparseMatrixd"

const st_class st_eigen_simplicial_ldlt_class = {
    .name = "EigenSimplicialLDLT",
    .help = "direct solver by a sparse LDL factorization, for symmetric systems",
    .parent = &st_direct_solver_class,
    .templates = TEMPLATES,
    .default_template = "CompressedRowSparseMatrixMat3x3d",
    .size = sizeof(st_direct_solver),
    .example = ST_DIRECT_EXAMPLE("EigenSimplicialLDLT", ""),
    .init = eigen_solvers_init_ldlt,
    .linear_solver = &st_direct_solver_ops,
};

const st_class st_eigen_simplicial_llt_class = {
    .name = "EigenSimplicialLLT",
    .help = "direct solver by a sparse Cholesky factorization, for symmetric positive definite systems",
    .parent = &st_direct_solver_class,
    .templates = TEMPLATES,
    .default_template = "CompressedRowSparseMatrixMat3x3d",
    .size = sizeof(st_direct_solver),
    .example = ST_DIRECT_EXAMPLE("EigenSimplicialLLT", ""),
    .init = eigen_solvers_init_llt,
    .linear_solver = &st_direct_solver_ops,
};

const st_class st_eigen_sparse_lu_class = {
    .name = "EigenSparseLU",
    .help = "direct solver by a sparse LU factorization, for any system",
    .parent = &st_direct_solver_class,
    .templates = TEMPLATES,
    .default_template = "CompressedRowSparseMatrixMat3x3d",
    .size = sizeof(st_direct_solver),
    .example = ST_DIRECT_EXAMPLE("EigenSparseLU", ""),
    .init = eigen_solvers_init_lu,
    .linear_solver = &st_direct_solver_ops,
};

const st_class st_eigen_sparse_qr_class = {
    .name = "EigenSparseQR",
    .help = "direct solver by a sparse QR factorization, for any system",
    .parent = &st_direct_solver_class,
    .templates = TEMPLATES,
    .default_template = "CompressedRowSparseMatrixMat3x3d",
    .size = sizeof(st_direct_solver),
    .example = ST_DIRECT_EXAMPLE("EigenSparseQR", ""),
    .init = eigen_solvers_init_qr,
    .linear_solver = &st_direct_solver_ops,
};
