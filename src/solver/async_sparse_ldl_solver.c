// Sparse LDLᵀ that is factored while the simulation goes on: each solve uses the factorization of the build before.
//
// In SOFA another thread factors, and a solve takes the last factorization that is ready, which depends on the time
// that it takes. Here it is always that of the previous build, so a run can be repeated. The first solve uses its own.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/sparse_ldl_solver.h"

typedef struct async_sparse_ldl_solver {
    st_sparse_ldl_solver ldl;
    bool enable_assembly;

    void *waiting;    // the other factorization: of the last build, for the next solve
    bool has_waiting; // there is one
    size_t wait_size; // of its matrix
} async_sparse_ldl_solver;

static st_status async_sparse_ldl_init(st_object *object) {
    async_sparse_ldl_solver *self = (async_sparse_ldl_solver *)object;
    const st_direct_library *before = self->ldl.direct.used;

    if (self->waiting) before->destroy(self->waiting);
    self->waiting = NULL;
    self->has_waiting = false;

    const st_status status = st_sparse_ldl_solver_class.init(object);
    if (status != ST_OK) return status;
    self->waiting = self->ldl.direct.used->create();

    return self->waiting ? ST_OK : st_invalid(object, "out of memory");
}

// Exchanges the factorization that solves with the one that waits.
static void async_sparse_ldl_exchange(async_sparse_ldl_solver *self) {
    st_direct_solver *direct = &self->ldl.direct;
    void *factor = direct->factor;
    const bool factored = direct->factored;
    const size_t size = direct->size;

    direct->factor = self->waiting;
    direct->factored = self->has_waiting;
    direct->size = self->wait_size;

    self->waiting = factor;
    self->has_waiting = factored;
    self->wait_size = size;
}

static st_status async_sparse_ldl_invert(st_linear_solver *solver) {
    async_sparse_ldl_solver *self = (async_sparse_ldl_solver *)solver;
    const bool first = !self->ldl.direct.factored || self->ldl.direct.size != solver->system->size;

    if (first) {
        self->has_waiting = false;
        return st_sparse_ldl_solver_invert(solver);
    }

    // The one that waits was made by the build before and solves from now on; the other takes up this build. After the
    // first build nothing waits: its factorization goes on solving.
    const bool ready = self->has_waiting && self->wait_size == solver->system->size;
    if (!ready) async_sparse_ldl_exchange(self);
    const st_status status = st_sparse_ldl_solver_invert(solver);
    async_sparse_ldl_exchange(self);

    return status;
}

static void async_sparse_ldl_reset(st_object *object) {
    async_sparse_ldl_solver *self = (async_sparse_ldl_solver *)object;
    st_sparse_ldl_solver_class.parent->reset(object);

    // both factorizations belong to the run before
    if (self->waiting) self->ldl.direct.used->forget(self->waiting);
    self->has_waiting = false;
}

static void async_sparse_ldl_destroy(st_object *object) {
    async_sparse_ldl_solver *self = (async_sparse_ldl_solver *)object;
    if (self->waiting) self->ldl.direct.used->destroy(self->waiting);
    st_sparse_ldl_solver_class.parent->destroy(object);
}

static const st_field fields[] = {
    ST_FIELD(async_sparse_ldl_solver, enable_assembly, "enableAssembly", st_type_bool, "1",
             "the matrix is assembled in each step; in SOFA set while no factorization is running",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.invert = async_sparse_ldl_invert,
                                         .solve = st_direct_solver_solve,
                                         .compliance = st_direct_solver_compliance,
                                         .solve_many = st_direct_solver_solve_many};

const st_class st_async_sparse_ldl_solver_class = {
    .name = "AsyncSparseLDLSolver",
    .help = "direct solver by a sparse LDL factorization of the matrix of the previous step",
    .parent = &st_sparse_ldl_solver_class,
    .templates = "CompressedRowSparseMatrixd CompressedRowSparseMatrixMat3x3d",
    .default_template = "CompressedRowSparseMatrixd",
    .fields = fields,
    .size = sizeof(async_sparse_ldl_solver),
    .example = ST_DIRECT_EXAMPLE("AsyncSparseLDLSolver", "template='CompressedRowSparseMatrixMat3x3d'"),
    .init = async_sparse_ldl_init,
    .reset = async_sparse_ldl_reset,
    .destroy = async_sparse_ldl_destroy,
    .linear_solver = &ops,
};
