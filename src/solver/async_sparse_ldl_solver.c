// Sparse LDLᵀ that is factored while the simulation goes on: solves use the factorization of an earlier step.
//
// In SOFA another thread factors, and a solve takes the last factorization that is ready, which depends on the time
// that it takes: no two runs are alike. Here the time is an attribute, so a run can be repeated. With d = `delay`:
//
//     1. the first solve factors its own matrix
//     2. a matrix that is built in step k is factored, but used from the first solve of step k + d on; the steps
//        k + 1 to k + d - 1 assemble nothing
//     3. step k + d assembles again, and its matrix is the next one
//
// So d = 1 uses the matrix of the previous step.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/sparse_ldl_solver.h"

typedef struct async_sparse_ldl_solver {
    st_sparse_ldl_solver ldl;
    bool enable_assembly;
    uint32_t delay; // steps from a build to the use of its factorization

    uint32_t steps;   // since the last factorization
    void *waiting;    // the other factorization: of the last build, for a later step
    bool has_waiting; // there is one
    size_t wait_size; // of its matrix
    st_direct_request wait_request;
    st_bsr_copy wait_matrix;
} async_sparse_ldl_solver;

static st_status async_sparse_ldl_init(st_object *object) {
    async_sparse_ldl_solver *self = (async_sparse_ldl_solver *)object;
    const st_direct_library *before = self->ldl.direct.used;

    if (self->waiting) before->destroy(self->waiting);
    self->waiting = NULL;
    st_bsr_copy_forget(&self->wait_matrix);
    self->has_waiting = false;

    const st_status status = st_sparse_ldl_solver_class.init(object);
    if (status != ST_OK) return status;
    self->waiting = self->ldl.direct.used->create();

    return self->waiting ? ST_OK : st_invalid(object, "out of memory");
}

// Exchanges the factorization that solves with the one that waits.
static void async_sparse_ldl_exchange(async_sparse_ldl_solver *self) {
    st_direct_solver *direct = &self->ldl.direct;
    // the one that solves, aside
    void *factor = direct->factor;
    const bool factored = direct->factored;
    const size_t size = direct->size;
    const st_direct_request request = direct->request;
    const st_bsr_copy matrix = direct->matrix;

    // the waiting one takes its place
    direct->factor = self->waiting;
    direct->factored = self->has_waiting;
    direct->size = self->wait_size;
    direct->request = self->wait_request;
    direct->matrix = self->wait_matrix;

    self->waiting = factor;
    self->has_waiting = factored;
    self->wait_size = size;
    self->wait_request = request;
    self->wait_matrix = matrix;
}

// From now on the factorization that waits solves.
static void async_sparse_ldl_take(async_sparse_ldl_solver *self) {
    async_sparse_ldl_exchange(self);
    self->has_waiting = false;
    self->ldl.direct.solver.system->enable_assembly = true;
}

static bool async_sparse_ldl_is_due(const async_sparse_ldl_solver *self) {
    return self->has_waiting && self->steps >= self->delay && self->wait_size == self->ldl.direct.solver.system->size;
}

static st_status async_sparse_ldl_invert(st_linear_solver *solver) {
    async_sparse_ldl_solver *self = (async_sparse_ldl_solver *)solver;
    const bool first = !self->ldl.direct.factored || self->ldl.direct.size != solver->system->size;

    if (first) {
        self->has_waiting = false;
        return st_sparse_ldl_solver_invert(solver);
    }

    // SOFA would wait for a factorization that still runs
    if (self->has_waiting && self->wait_size == solver->system->size) async_sparse_ldl_take(self);

    // the matrix of this build is factored for later, and stays until then
    async_sparse_ldl_exchange(self);
    const st_status status = st_sparse_ldl_solver_invert(solver);
    async_sparse_ldl_exchange(self);
    self->steps = 0;
    if (status == ST_OK && self->delay > 1) solver->system->enable_assembly = false;

    return status;
}

// ---------------------------------------------------------------------------------------------------
// Solving
// ---------------------------------------------------------------------------------------------------

static st_status async_sparse_ldl_solve(st_linear_solver *solver) {
    async_sparse_ldl_solver *self = (async_sparse_ldl_solver *)solver;
    if (async_sparse_ldl_is_due(self)) async_sparse_ldl_take(self);
    return st_direct_solver_solve(solver);
}

static st_status async_sparse_ldl_compliance(st_linear_solver *solver, const st_sparse_rows *h, st_real factor,
                                             st_real *w) {
    async_sparse_ldl_solver *self = (async_sparse_ldl_solver *)solver;
    if (async_sparse_ldl_is_due(self)) async_sparse_ldl_take(self);
    return st_direct_solver_compliance(solver, h, factor, w);
}

static st_status async_sparse_ldl_solve_many(st_linear_solver *solver, size_t count, const st_real *b, st_real *x) {
    async_sparse_ldl_solver *self = (async_sparse_ldl_solver *)solver;
    if (async_sparse_ldl_is_due(self)) async_sparse_ldl_take(self);
    return st_direct_solver_solve_many(solver, count, b, x);
}

// The step in which a factorization is due assembles again, before its first solve.
static void async_sparse_ldl_event(st_object *object, st_event *event_) {
    async_sparse_ldl_solver *self = (async_sparse_ldl_solver *)object;
    st_system *system = self->ldl.direct.solver.system;
    if (event_->kind != ST_EVENT_ANIMATE_BEGIN || !system) return;

    self->steps += self->steps < UINT32_MAX;
    if (async_sparse_ldl_is_due(self)) system->enable_assembly = true;
}

static void async_sparse_ldl_reset(st_object *object) {
    async_sparse_ldl_solver *self = (async_sparse_ldl_solver *)object;
    st_sparse_ldl_solver_class.parent->reset(object);

    // both factorizations belong to the run before
    if (self->waiting) self->ldl.direct.used->forget(self->waiting);
    st_bsr_copy_forget(&self->wait_matrix);
    self->has_waiting = false;
    if (self->ldl.direct.solver.system) self->ldl.direct.solver.system->enable_assembly = true;
}

static void async_sparse_ldl_destroy(st_object *object) {
    async_sparse_ldl_solver *self = (async_sparse_ldl_solver *)object;
    if (self->waiting) self->ldl.direct.used->destroy(self->waiting);
    st_bsr_copy_free(&self->wait_matrix);
    st_sparse_ldl_solver_class.parent->destroy(object);
}

static const st_field fields[] = {
    ST_FIELD(async_sparse_ldl_solver, enable_assembly, "enableAssembly", st_type_bool, "1",
             "the matrix is assembled in each step; in SOFA set while no factorization is running",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(async_sparse_ldl_solver, delay, "delay", st_type_uint, "10",
             "steps from the assembly of a matrix to the use of its factorization; SOFA's example takes 6 to 14, "
             "depending on the machine"),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.invert = async_sparse_ldl_invert,
                                         .solve = async_sparse_ldl_solve,
                                         .compliance = async_sparse_ldl_compliance,
                                         .solve_many = async_sparse_ldl_solve_many};

const st_class st_async_sparse_ldl_solver_class = {
    .name = "AsyncSparseLDLSolver",
    .help = "direct solver by a sparse LDL factorization of the matrix of an earlier step",
    .parent = &st_sparse_ldl_solver_class,
    .templates = "CompressedRowSparseMatrixd CompressedRowSparseMatrixMat3x3d",
    .default_template = "CompressedRowSparseMatrixd",
    .fields = fields,
    .size = sizeof(async_sparse_ldl_solver),
    .example = ST_DIRECT_EXAMPLE("AsyncSparseLDLSolver", "template='CompressedRowSparseMatrixMat3x3d'"),
    .flags = ST_CLASS_LISTENING,
    .init = async_sparse_ldl_init,
    .event = async_sparse_ldl_event,
    .reset = async_sparse_ldl_reset,
    .destroy = async_sparse_ldl_destroy,
    .linear_solver = &ops,
};
