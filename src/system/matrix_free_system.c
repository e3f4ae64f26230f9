// A linear system without a matrix: q = A p is computed by the components themselves.
//
//     dx = p on the independent states, J p on the mapped ones;  df = 0
//     df += (m M + b B + k K) dx   of every force and mass
//     df_parent += Jᵀ df_child + k (∂Jᵀ/∂q dx) f_child   bottom-up
//     q = df, projected by the projective constraints
//
// p itself is not projected: it stays in the constrained space because the right-hand side was projected.
//
// p and q are not copied into the states. For the time of a product the dx and df vectors of each independent state
// are made to point at its slice of p and q.
//
// After many products with one A, or at once where the A before had many, those of some forces are taken with a matrix
// (assembled_part.h): assembling it costs as much as ten to twenty products save. Exceptions:
//   - solves that stop at the usual limit of 25 iterations or at a loose tolerance, far from convergence: their results
//     show the order of sums, and keep that of the elements, unless the scene may round otherwise (fast="1");
//   - large systems, whose matrix would have to come from memory each time: elements of the same shape share their
//     stiffness and read less.
// It depends on counts alone, so that a run gives the same bits each time.
//
// SPDX-License-Identifier: Apache-2.0
#include "system/matrix_free_system.h"

#include <string.h>

#include "base/array.h"
#include "scene/scene.h"

enum {
    MANY_PRODUCTS = 32,          // after one build
    LARGEST_ASSEMBLED = 1 << 13, // scalars: the matrix stays in the caches
};

st_status st_matrix_free_build(st_system *system, const st_params *params) {
    st_matrix_free_system *self = (st_matrix_free_system *)system;
    const size_t size = system->size;
    const st_status status = st_system_prepare(system);
    if (status != ST_OK) return status;
    if (!system->enable_assembly && self->built && system->size == size) return ST_OK;

    // dx and df of all states, and room to put their own vectors aside
    if (!st_plan_make_deriv(system->plan, ST_DX, true) || !st_plan_make_deriv(system->plan, ST_DFORCE, true) ||
        !st_list_set_count(&self->saved, 2 * system->plan->independent.count, 1)) {
        st_message(&system->object, ST_ERROR, "out of memory for the vectors of a matrix-free product");
        return ST_OUT_OF_MEMORY;
    }

    system->params = *params;
    system->params.dx = st_read_deriv(ST_DX);
    system->params.df = ST_DFORCE;

    // what the last build needed decides on the matrix of this one
    self->many = self->products >= MANY_PRODUCTS;
    self->products = 0;
    self->assembled = false;
    self->built = true;

    system->version++;
    system->factorization_invalid = true;

    return ST_OK;
}

static void lend(st_matrix_free_system *self, const st_real *p, st_real *q) {
    const st_plan *plan = self->system.plan;
    for (size_t i = 0; i < plan->independent.count; i++) {
        st_state *state = plan->independent.data[i];
        self->saved.data[2 * i] = state->deriv[ST_DERIV_DX];
        self->saved.data[2 * i + 1] = state->deriv[ST_DERIV_DFORCE];

        // dx is only read by products, so p stays as it is.
        state->deriv[ST_DERIV_DX] = (st_reals){(st_real *)p + plan->offsets[i], state->size, state->size};
        state->deriv[ST_DERIV_DFORCE] = (st_reals){q + plan->offsets[i], state->size, state->size};
    }
}

static void give_back(st_matrix_free_system *self) {
    const st_plan *plan = self->system.plan;

    // in the order of lend
    for (size_t i = 0; i < plan->independent.count; i++) {
        plan->independent.data[i]->deriv[ST_DERIV_DX] = self->saved.data[2 * i];
        plan->independent.data[i]->deriv[ST_DERIV_DFORCE] = self->saved.data[2 * i + 1];
    }
}

// df = (m M + b B + k K) dx on the independent states, whose df is q.
static void matrix_free_system_multiply(st_matrix_free_system *self, const st_real *p, st_real *q) {
    st_system *system = &self->system;

    // the first product that is worth a matrix
    if (self->products++ == (self->many ? 0 : MANY_PRODUCTS) && system->size <= LARGEST_ASSEMBLED &&
        !self->keep_sum_order)
        self->assembled = st_assembled_part_build(&self->part, system->plan, &system->params);

    // q = A_part p, then what is not in the matrix
    if (self->assembled) st_bsr_multiply(&self->part.sum.assembly.matrix, system->object.scene->pool, p, q);
    else if (system->size > 0) memset(q, 0, system->size * sizeof *q);
    st_plan_add_mbk_except(system->plan, &system->params, true, self->assembled ? self->part.taken.data : NULL);
}

st_status st_matrix_free_multiply(st_system *system, const st_real *p, st_real *q) {
    st_matrix_free_system *self = (st_matrix_free_system *)system;
    st_plan *plan = system->plan;

    if (!plan || system->size != plan->size || self->saved.count != 2 * plan->independent.count) {
        st_message(&system->object, ST_ERROR, "the states changed since the system was built");
        return ST_FAILED;
    }

    // dx = J p,  df = (m M + b B + k K) dx,  q = projected df
    lend(self, p, q);
    st_plan_propagate_dx(plan, ST_DX);
    matrix_free_system_multiply(self, p, q);
    st_plan_project_response(plan, ST_DFORCE);
    give_back(self);

    return ST_OK;
}

const st_bsr *st_matrix_free_matrix(st_system *system) {
    (void)system;
    return NULL;
}

void st_matrix_free_keep_sum_order(st_system *system, bool keep) {
    ((st_matrix_free_system *)system)->keep_sum_order = keep && !st_pool_is_fast(system->object.scene->pool);
}

static void matrix_free_destroy(st_object *object) {
    st_list_free(&((st_matrix_free_system *)object)->saved);
    st_assembled_part_free(&((st_matrix_free_system *)object)->part);
    st_system_destroy(object);
}

// A run after a reset must not depend on the one before it.
void st_matrix_free_reset(st_object *object) {
    st_matrix_free_system *self = (st_matrix_free_system *)object;
    self->products = 0;

    st_assembled_part_free(&self->part);
    self->part = (st_assembled_part){0};
    self->assembled = self->built = false;
}

static const st_system_ops ops = {.build = st_matrix_free_build,
                                  .multiply = st_matrix_free_multiply,
                                  .matrix = st_matrix_free_matrix,
                                  .keep_sum_order = st_matrix_free_keep_sum_order};

const st_class st_matrix_free_system_class = {
    .name = "MatrixFreeSystem",
    .help = "linear system that multiplies by its matrix without assembling it",
    .parent = &st_system_class,
    .templates = "GraphScattered",
    .default_template = "GraphScattered",
    .size = sizeof(st_matrix_free_system),
    .reset = st_matrix_free_reset,
    .destroy = matrix_free_destroy,
    .system = &ops,
};
