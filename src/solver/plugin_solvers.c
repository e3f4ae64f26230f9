// Direct solvers of SOFA's plug-ins, by name: LU and Cholesky of CSparseSolvers, supernodal Cholesky of SofaCHOLMOD.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "solver/direct_solver.h"

typedef struct plugin_solver {
    st_direct_solver direct;
    bool verbose;
    st_real tolerance;
    uint32_t threads;
} plugin_solver;

static st_status plugin_solvers_init_lu(st_object *object) {
    return st_direct_solver_init((st_direct_solver *)object, ST_DIRECT_LU, ST_LDL_LOWER);
}

static st_status plugin_solvers_init_cholesky(st_object *object) {
    return st_direct_solver_init((st_direct_solver *)object, ST_DIRECT_LLT, ST_LDL_LOWER);
}

// Its name says which library it means; another one can still be asked for.
static st_status plugin_solvers_init_cholmod(st_object *object) {
    st_direct_solver *self = (st_direct_solver *)object;
    if (!self->library || !*self->library) {
        st_free(self->library);
        self->library = st_string_copy("cholmod");
    }
    return plugin_solvers_init_cholesky(object);
}

#define TEMPLATES "CompressedRowSparseMatrixd CompressedRowSparseMatrixMat3x3d"

static const st_field lu_fields[] = {
    ST_FIELD(plugin_solver, tolerance, "tolerance", st_type_real, "0.001",
             "how much smaller than the largest of its column a pivot may be; the library has its own rule",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(plugin_solver, verbose, "verbose", st_type_bool, "0", "messages", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

const st_class st_sparse_lu_solver_class = {
    .name = "SparseLUSolver",
    .help = "direct solver by a sparse LU factorization, for any system",
    .parent = &st_direct_solver_class,
    .templates = TEMPLATES,
    .default_template = "CompressedRowSparseMatrixd",
    .fields = lu_fields,
    .size = sizeof(plugin_solver),
    .example = ST_DIRECT_EXAMPLE("SparseLUSolver", ""),
    .init = plugin_solvers_init_lu,
    .linear_solver = &st_direct_solver_ops,
};

static const st_field cholesky_fields[] = {
    ST_FIELD(plugin_solver, verbose, "verbose", st_type_bool, "0", "messages", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

const st_class st_sparse_cholesky_solver_class = {
    .name = "SparseCholeskySolver",
    .help = "direct solver by a sparse Cholesky factorization, for symmetric positive definite systems",
    .parent = &st_direct_solver_class,
    .templates = TEMPLATES,
    .default_template = "CompressedRowSparseMatrixd",
    .fields = cholesky_fields,
    .size = sizeof(plugin_solver),
    .example = ST_DIRECT_EXAMPLE("SparseCholeskySolver", ""),
    .init = plugin_solvers_init_cholesky,
    .linear_solver = &st_direct_solver_ops,
};

static const st_field cholmod_fields[] = {
    ST_FIELD(plugin_solver, threads, "numThreads", st_type_uint, "1", "a hint to threads", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

const st_class st_eigen_cholmod_supernodal_llt_class = {
    .name = "EigenCholmodSupernodalLLT",
    .help = "direct solver by a supernodal Cholesky factorization, for symmetric positive definite systems",
    .parent = &st_direct_solver_class,
    .templates = TEMPLATES,
    .default_template = "CompressedRowSparseMatrixd",
    .fields = cholmod_fields,
    .size = sizeof(plugin_solver),
    .example = ST_DIRECT_EXAMPLE("EigenCholmodSupernodalLLT", ""),
    .init = plugin_solvers_init_cholmod,
    .linear_solver = &st_direct_solver_ops,
};
