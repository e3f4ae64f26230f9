// The vector operations of iterative solvers. See krylov.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/krylov.h"

#include <tgmath.h>

#include "linalg/vector.h"
#include "math/pack.h"
#include "math/simd.h"
#include "scene/scene.h"

enum { CHUNK = 16384 }; // DOFs

typedef struct operands {
    size_t width; // scalars of one DOF
    st_real alpha;
    const st_real *p, *q;
    st_real *x, *r;
} operands;

ST_PACK_INLINE st_real krylov_dot(const operands *o, size_t begin, size_t end, size_t width) {
    st_real sum = 0;
    for (size_t i = begin; i < end; i++) {
        const st_real *p = o->p + i * width, *q = o->q + i * width;

        // the scalars of one DOF first
        st_real one = p[0] * q[0];
        for (size_t k = 1; k < width; k++) one += p[k] * q[k];
        sum += one;
    }

    return sum;
}

ST_PACK_INLINE st_real krylov_step(const operands *o, size_t begin, size_t end, size_t width) {
    st_real sum = 0;
    for (size_t i = begin; i < end; i++) {
        // x += α p, r -= α q
        st_real one = 0;
        for (size_t k = i * width; k < (i + 1) * width; k++) {
            o->x[k] += o->alpha * o->p[k];
            const st_real r = o->r[k] - o->alpha * o->q[k];
            o->r[k] = r;
            one += r * r; // 0 + r r has the bits of r r
        }
        sum += one;
    }

    return sum;
}

// sum + x + y + z of four DOFs, one DOF after the other; terms are x y z x | y z x y | z x y z.
ST_PACK_INLINE st_real add_four(st_real sum, const st_pack terms[3]) {
    const st_pack yz = __builtin_shufflevector(terms[0], terms[1], 1, 4, 2, 5); // y0 y1 z0 z1
    const st_pack xy = __builtin_shufflevector(terms[1], terms[2], 2, 5, 3, 6); // x2 x3 y2 y3
    const st_pack x = __builtin_shufflevector(terms[0], xy, 0, 3, 4, 5),
                  y = __builtin_shufflevector(yz, xy, 0, 1, 6, 7);
    const st_pack z = __builtin_shufflevector(yz, terms[2], 2, 3, 4, 7);

    // the scalars of one DOF first
    const st_pack one = x + y + z;
    return (((sum + one[0]) + one[1]) + one[2]) + one[3];
}

// Of three scalars per DOF, four DOFs at a time.
ST_PACK_INLINE st_real dot_3(const operands *o, size_t begin, size_t end) {
    st_real sum = 0;
    size_t i = begin;
    for (; i + 4 <= end; i += 4) {
        st_pack terms[3];
        for (size_t k = 0; k < 3; k++)
            terms[k] = st_pack_load(o->p + 3 * i + 4 * k) * st_pack_load(o->q + 3 * i + 4 * k);
        sum = add_four(sum, terms);
    }

    for (; i < end; i++) sum += krylov_dot(o, i, i + 1, 3);
    return sum;
}

ST_PACK_INLINE st_real step_3(const operands *o, size_t begin, size_t end) {
    const st_pack alpha = st_pack_splat(o->alpha);
    st_real sum = 0;
    size_t i = begin;

    // four DOFs at a time: x += alpha p, r -= alpha q, and the squares of r
    for (; i + 4 <= end; i += 4) {
        st_pack terms[3];
        for (size_t k = 0; k < 3; k++) {
            const size_t at = 3 * i + 4 * k;
            st_pack_store(o->x + at, st_pack_load(o->x + at) + alpha * st_pack_load(o->p + at));
            const st_pack r = st_pack_load(o->r + at) - alpha * st_pack_load(o->q + at);
            st_pack_store(o->r + at, r);
            terms[k] = r * r;
        }
        sum = add_four(sum, terms);
    }

    // the others
    for (; i < end; i++) sum += krylov_step(o, i, i + 1, 3);
    return sum;
}

// The width is a constant in the cases that matter, so that the inner loop is none.
#define BODIES(name)                                                                                                   \
    static st_real name##_3_portable(const operands *o, size_t begin, size_t end) { return name##_3(o, begin, end); }  \
    ST_AVX2 static st_real name##_3_avx2(const operands *o, size_t begin, size_t end) {                                \
        return name##_3(o, begin, end);                                                                                \
    }                                                                                                                  \
    static st_real name##_body(void *context, size_t begin, size_t end) {                                              \
        const operands *o = context;                                                                                   \
        switch (o->width) {                                                                                            \
        case 1: return krylov_##name(o, begin, end, 1);                                                                \
        case 3: return (ST_HAS_AVX2() ? name##_3_avx2 : name##_3_portable)(o, begin, end);                             \
        case 6: return krylov_##name(o, begin, end, 6);                                                                \
        default: return krylov_##name(o, begin, end, o->width);                                                        \
        }                                                                                                              \
    }
BODIES(dot)
BODIES(step)

typedef st_real body_function(void *context, size_t begin, size_t end);

static st_real sum_segment(const st_system *system, body_function *body, const operands *all, size_t first, size_t dofs,
                           size_t width) {
    operands part = {width, all->alpha, all->p + first, all->q + first, NULL, NULL};

    if (all->x) {
        part.x = all->x + first;
        part.r = all->r + first;
    }
    return st_parallel_sum(system->object.scene->pool, dofs, CHUNK, body, &part);
}

static st_pool *pool_of(const st_system *system) { return system->object.scene->pool; }

// State by state.
static st_real sum_all(const st_system *system, body_function *body, const operands *all) {
    const st_plan *plan = system->plan;
    st_real sum = 0;

    for (size_t i = 0; i < plan->independent.count; i++) {
        // SOFA's order: one sum for each state
        const st_state *state = plan->independent.data[i];
        sum += sum_segment(system, body, all, plan->offsets[i], state->size, st_state_dof(state)->deriv);
    }

    return sum;
}

static bool is_assembled(const st_system *system) {
    const st_system_ops *ops = system->object.type->system;

    // products by a matrix have no order of elements to keep
    return !system->plan || (ops->matrix && ops->matrix((st_system *)system));
}

st_real st_krylov_dot(const st_system *system, const st_real *a, const st_real *b) {
    if (is_assembled(system)) return st_vector_dot(pool_of(system), system->size, a, b);
    return sum_all(system, dot_body, &(operands){.p = a, .q = b});
}

st_real st_krylov_step(const st_system *system, st_real alpha, const st_real *p, const st_real *q, st_real *x,
                       st_real *r) {
    if (is_assembled(system)) return st_vector_cg_step(pool_of(system), system->size, alpha, p, q, x, r);
    return sum_all(system, step_body, &(operands){.alpha = alpha, .p = p, .q = q, .x = x, .r = r});
}

void st_krylov_direction(const st_system *system, const st_real *r, st_real beta, st_real *p) {
    st_vector_xpay(pool_of(system), system->size, r, beta, p);
}

st_status st_krylov_multiply(st_system *system, const st_real *p, st_real *q) {
    return system->object.type->system->multiply(system, p, q);
}

// ---------------------------------------------------------------------------------------------------
// Checks
// ---------------------------------------------------------------------------------------------------

void st_krylov_check_tolerance(st_object *solver, const char *name, st_real *tolerance) {
    if (*tolerance >= 0) return;
    st_message(solver, ST_WARNING, "%s is %g, but it must not be negative; 1e-5 is used", name, (double)*tolerance);
    *tolerance = (st_real)1e-5;
}

st_status st_krylov_not_finite(const st_linear_solver *solver, uint64_t iteration, const char *what) {
    st_message(&solver->object, ST_ERROR,
               "%s is not finite in iteration %llu: the forces or their derivatives hold numbers that are not, or the "
               "matrix is far from positive definite",
               what, (unsigned long long)iteration);
    return ST_FAILED;
}

void st_krylov_warn_indefinite(const st_linear_solver *solver, uint64_t iteration, st_real curvature) {
    if (curvature >= 0) return;
    st_message_once(
        &solver->object, "indefinite", ST_WARNING,
        "the matrix is not positive definite: a direction p of iteration %llu has p^T A p = %.3g. The solve goes "
        "on, but may not converge; MinResLinearSolver and SparseLDLSolver take such matrices",
        (unsigned long long)iteration, (double)curvature);
}

st_status st_krylov_check_symmetric(st_linear_solver *solver, const st_real *u, const st_real *v, st_real *work) {
    st_system *system = solver->system;
    const st_system_ops *ops = system->object.type->system;
    const st_bsr *matrix = ops->matrix ? ops->matrix(system) : NULL;

    // entries say it at once
    if (matrix) {
        st_linear_solver_warn_unsymmetric(solver, matrix);
        return ST_OK;
    }

    // without them: uᵀ(A v) = vᵀ(A u) for one pair of vectors, v = A u
    const st_status status = st_krylov_multiply(system, v, work);
    if (status != ST_OK) return status;
    const st_real there = st_krylov_dot(system, u, work), back = st_krylov_dot(system, v, v);
    const st_real size = sqrt(st_krylov_dot(system, u, u) * st_krylov_dot(system, work, work));

    if (!(fabs(there - back) > sqrt(ST_REAL_EPSILON) * size)) return ST_OK;

    solver->unsymmetric = true;
    st_message(&solver->object, ST_WARNING,
               "the matrix is not symmetric (u^T A v is %.6g, v^T A u is %.6g), and this solver is for symmetric "
               "ones: its solution may be wrong. EigenSparseLU solves such systems",
               (double)there, (double)back);

    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------

bool st_krylov_reserve(st_krylov_vectors *vectors, size_t size, size_t count) {
    if (vectors->data && vectors->size == size && vectors->count == count) return true;

    st_krylov_free(vectors);
    vectors->data = count > 0 && size > SIZE_MAX / count ? NULL : st_alloc(size * count, sizeof *vectors->data);
    if (!vectors->data) return false;
    vectors->size = size;
    vectors->count = count;

    return true;
}

void st_krylov_free(st_krylov_vectors *vectors) {
    st_free(vectors->data);
    *vectors = (st_krylov_vectors){0};
}
