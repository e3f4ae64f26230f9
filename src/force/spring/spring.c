// The kernel of linear springs: see the header for the formulas.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/spring.h"

#include "base/array.h"
#include "force/spring/spring_packs.h"
#include "math/pack.h"
#include "math/real.h"
#include "math/simd.h"
#include "scene/scene.h"
#include "state/dof.h"

bool st_springs_add(st_spring_kernel *kernel, st_spring spring) { return st_list_push(&kernel->springs, spring); }

st_real st_springs_distance(const st_real *p, const st_real *q, size_t dim) {
    st_real square = 0;
    for (size_t i = 0; i < dim; i++) square += (q[i] - p[i]) * (q[i] - p[i]);
    return sqrt(square);
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static const st_spring_packs *packs(const st_spring_ends *ends) { return ST_BEST_KERNELS(st_spring_packs, ends->pool); }

// Springs in space keep their matrices in packs of four: entry by entry, each for four springs.
static size_t stride_of(size_t dim) { return dim == 3 ? ST_PACK_SIZE : 1; }
static size_t matrix_of(size_t s, size_t dim) {
    const size_t area = dim * dim, lane = s % ST_PACK_SIZE;
    return dim == 3 ? (s - lane) * area + lane : s * area;
}

bool st_springs_make_matrices(st_spring_kernel *kernel, size_t dim) {
    const size_t count = kernel->springs.count, whole = (count + ST_PACK_SIZE - 1) / ST_PACK_SIZE * ST_PACK_SIZE;
    const bool ok = st_list_set_count(&kernel->matrices, whole, dim * dim);
    kernel->dim = dim;
    kernel->evaluated = ok ? count : 0;
    return ok;
}

void st_springs_set_matrix(st_spring_kernel *kernel, size_t s, const st_real *matrix) {
    st_real *kept = kernel->matrices.data + matrix_of(s, kernel->dim);
    for (size_t i = 0; i < (kernel->dim * kernel->dim); i++) kept[i * stride_of(kernel->dim)] = matrix[i];
}

static st_spring_ends ends_of(const st_state *one, const st_state *two, const st_params *params) {
    return (st_spring_ends){.x1 = st_x(one, params),
                            .x2 = st_x(two, params),
                            .v1 = st_v(one, params),
                            .v2 = st_v(two, params),
                            .f1 = st_f(one, params),
                            .f2 = st_f(two, params),
                            .coord = st_state_dof(one)->coord,
                            .deriv = st_state_dof(one)->deriv,
                            .pool = one->object.scene->pool,
                            .size1 = one->size,
                            .size2 = two->size};
}

static inline bool spring_acts(const st_spring_kernel *kernel, const st_spring *spring, st_real d) {
    const st_real shortest = kernel->shortest > 0 ? kernel->shortest : ST_R(1e-9);

    if (!spring->enabled || !(d > shortest)) return false;
    if (spring->elongation_only && !(d > spring->length)) return false;
    return !kernel->repulsive || d < spring->length;
}

// One spring; `dim` is a constant at each call, so that the loops unroll.
static inline void spring_evaluate(const st_spring_kernel *kernel, const st_spring *spring, const st_spring_ends *e,
                                   const size_t dim, st_real *matrix) {
    const st_real *p = e->x1 + spring->a * e->coord, *q = e->x2 + spring->b * e->coord;
    const st_real *v = e->v1 + spring->a * e->deriv, *w = e->v2 + spring->b * e->deriv;

    st_real u[6], square = 0, rate = 0;

    // u and d
    for (size_t i = 0; i < dim; i++) u[i] = q[i] - p[i];
    for (size_t i = 0; i < dim; i++) square += u[i] * u[i];
    const st_real d = sqrt(square);
    const int stride = (int)stride_of(dim);

    if (!spring_acts(kernel, spring, d)) {
        for (size_t i = 0; i < dim * dim; i++) matrix[i * stride] = 0;
        return;
    }

    // û and I
    const st_real inverse = 1 / d;
    for (size_t i = 0; i < dim; i++) u[i] *= inverse;
    for (size_t i = 0; i < dim; i++) rate += u[i] * (w[i] - v[i]);
    const st_real intensity = spring->stiffness * (d - spring->length) + spring->damping * rate;

    // f_a += û I, f_b -= û I
    st_real *f = e->f1 + spring->a * e->deriv, *g = e->f2 + spring->b * e->deriv;
    for (size_t i = 0; i < dim; i++) f[i] += u[i] * intensity;
    for (size_t i = 0; i < dim; i++) g[i] -= u[i] * intensity;

    // A = (ks - I/d) û ûᵀ + (I/d) 1
    const st_real across = intensity * inverse, along = spring->stiffness - across;
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++) matrix[(i * dim + j) * stride] = along * u[i] * u[j];
    for (size_t i = 0; i < dim; i++) matrix[(i * dim + i) * stride] += across;
}

static void report_range(const st_object *object, const st_spring *spring, const st_spring_ends *e) {
    st_message_once(object, "range", ST_ERROR,
                    "a spring joins DOFs %u and %u, but there are %zu and %zu: it and its like do not act", spring->a,
                    spring->b, e->size1, e->size2);
}

static inline void evaluate_all(st_spring_kernel *kernel, const st_object *object, const st_spring_ends *e,
                                const size_t dim) {
    for (size_t s = 0; s < kernel->springs.count; s++) {
        // four at once, as far as that goes
        if (dim == 3 && s % ST_PACK_SIZE == 0) s = packs(e)->evaluate(kernel, s, e);
        if (s == kernel->springs.count) break;

        const st_spring *spring = &kernel->springs.data[s];
        st_real *matrix = kernel->matrices.data + matrix_of(s, dim);

        if (spring->a < e->size1 && spring->b < e->size2) {
            spring_evaluate(kernel, spring, e, dim, matrix);
        } else {
            for (size_t i = 0; i < (dim * dim); i++) matrix[i * stride_of(dim)] = 0;
            report_range(object, spring, e);
        }
    }
}

void st_springs_evaluate(st_spring_kernel *kernel, const st_object *object, const st_state *one, const st_state *two,
                         const st_params *params) {
    kernel->evaluated = 0;
    if (!one || !two || !kernel->springs.count) return;

    if (!st_springs_make_matrices(kernel, st_position_scalars(st_state_dof(one)))) return;
    const st_spring_ends e = ends_of(one, two, params);

    // constants, so that loops unroll
    switch (kernel->dim) {
    case 1: evaluate_all(kernel, object, &e, 1); break;
    case 2: evaluate_all(kernel, object, &e, 2); break;
    case 3: evaluate_all(kernel, object, &e, 3); break;
    default: evaluate_all(kernel, object, &e, 6); break;
    }
}

// ---------------------------------------------------------------------------------------------------
// Derivative
// ---------------------------------------------------------------------------------------------------

// Springs made since the last force evaluation have no matrix yet, and ends out of range never had one.
static bool has_matrix(const st_spring_kernel *kernel, size_t s, const st_state *one, const st_state *two) {
    const st_spring *spring = &kernel->springs.data[s];
    return s < kernel->evaluated && spring->enabled && spring->a < one->size && spring->b < two->size;
}

void st_springs_blocks(const st_spring_kernel *kernel, const st_state *one, const st_state *two, st_stiffness k) {
    if (!one || !two) return;

    const size_t dim = kernel->dim;
    const size_t deriv = st_state_dof(one)->deriv, area = dim * dim;

    st_sink *k11 = st_stiffness_between(k, one, one), *k12 = st_stiffness_between(k, one, two);
    st_sink *k21 = st_stiffness_between(k, two, one), *k22 = st_stiffness_between(k, two, two);

    for (size_t s = 0; s < kernel->springs.count; s++) {
        if (!has_matrix(kernel, s, one, two)) continue;

        const size_t a = kernel->springs.data[s].a * deriv, b = kernel->springs.data[s].b * deriv;
        const st_real *kept = kernel->matrices.data + matrix_of(s, dim);
        st_real matrix[36], negative[36];

        for (size_t i = 0; i < area; i++) {
            matrix[i] = kept[i * stride_of(dim)];
            negative[i] = -matrix[i];
        }

        // [-A A; A -A]
        k11->add(k11, a, a, dim, dim, negative);
        k12->add(k12, a, b, dim, dim, matrix);
        k21->add(k21, b, a, dim, dim, matrix);
        k22->add(k22, b, b, dim, dim, negative);
    }
}

// dF = (A δ) k, or A (δ k), with δ = dx_b - dx_a
static inline void spring_multiply(const st_spring *spring, const st_spring_ends *e, const size_t dim,
                                   const st_real *matrix, const st_real before, const st_real after) {
    const size_t a = spring->a * e->deriv, b = spring->b * e->deriv;
    const int stride = (int)stride_of(dim);
    st_real delta[6], force[6];

    // δ
    for (size_t i = 0; i < dim; i++) delta[i] = (e->x2[b + i] - e->x1[a + i]) * before;

    for (size_t i = 0; i < dim; i++) {
        st_real sum = matrix[i * dim * stride] * delta[0];
        for (size_t j = 1; j < dim; j++) sum += matrix[(i * dim + j) * stride] * delta[j];
        force[i] = sum * after;
    }

    for (size_t i = 0; i < dim; i++) e->f1[a + i] += force[i];
    for (size_t i = 0; i < dim; i++) e->f2[b + i] -= force[i];
}

static inline void multiply_all(const st_spring_kernel *kernel, const st_state *one, const st_state *two,
                                const st_spring_ends *e, const size_t dim, st_real k) {
    const st_real before = kernel->scale_first ? k : 1, after = kernel->scale_first ? 1 : k;

    const size_t count = kernel->evaluated < kernel->springs.count ? kernel->evaluated : kernel->springs.count;

    for (size_t s = 0; s < count; s++) {
        // four at once, as far as that goes
        if (dim == 3 && s % ST_PACK_SIZE == 0) s = packs(e)->multiply(kernel, s, e, before, after);

        if (s >= count || !has_matrix(kernel, s, one, two)) continue;

        const st_real *matrix = kernel->matrices.data + matrix_of(s, dim);
        spring_multiply(&kernel->springs.data[s], e, dim, matrix, before, after);
    }
}

void st_springs_multiply(const st_spring_kernel *kernel, const st_state *one, const st_state *two,
                         const st_params *params, st_real k) {
    if (!one || !two) return;

    const st_spring_ends e = {.x1 = st_dx(one, params),
                              .x2 = st_dx(two, params),
                              .f1 = st_df(one, params),
                              .f2 = st_df(two, params),
                              .deriv = st_state_dof(one)->deriv,
                              .pool = one->object.scene->pool,
                              .size1 = one->size,
                              .size2 = two->size};

    // constants, so that loops unroll
    switch (kernel->dim) {
    case 1: multiply_all(kernel, one, two, &e, 1, k); break;
    case 2: multiply_all(kernel, one, two, &e, 2, k); break;
    case 3: multiply_all(kernel, one, two, &e, 3, k); break;
    case 6: multiply_all(kernel, one, two, &e, 6, k); break;
    default: break;
    }
}

// ---------------------------------------------------------------------------------------------------
// Energy, drawing, end
// ---------------------------------------------------------------------------------------------------

st_real st_springs_energy(const st_spring_kernel *kernel, const st_state *one, const st_state *two,
                          const st_params *params) {
    if (!one || !two) return 0;

    const size_t dim = st_position_scalars(st_state_dof(one));
    const size_t coord = st_state_dof(one)->coord;
    const st_real *x1 = st_x(one, params), *x2 = st_x(two, params);
    st_real energy = 0;

    for (size_t s = 0; s < kernel->springs.count; s++) {
        const st_spring *spring = &kernel->springs.data[s];
        if (spring->a >= one->size || spring->b >= two->size) continue;

        // ½ ks (d - l0)², where the spring acts
        const st_real d = st_springs_distance(x1 + spring->a * coord, x2 + spring->b * coord, dim);
        const st_real e = spring_acts(kernel, spring, d) ? d - spring->length : 0;
        energy += ST_R(0.5) * spring->stiffness * e * e;
    }
    return energy;
}

static void copy_point(st_real to[3], const st_state *state, uint32_t index) {
    const st_dof *dof = st_state_dof(state);
    const st_real *x = state->coord[ST_COORD_POSITION].data + index * dof->coord;
    for (size_t i = 0; i < 3; i++) to[i] = i < dof->spatial ? x[i] : 0;
}

void st_springs_show(const st_spring_kernel *kernel, const st_state *one, const st_state *two, st_canvas *canvas) {
    const size_t count = kernel->springs.count;
    if (!one || !two || !count) return;

    // two points of its own for each spring
    st_real *points = st_alloc(2 * count, 3 * sizeof *points);
    uint32_t *pairs = st_alloc(2 * count, sizeof *pairs);
    size_t drawn = 0;

    for (size_t s = 0; points && pairs && s < count; s++) {
        const st_spring *spring = &kernel->springs.data[s];
        if (!spring->enabled || spring->a >= one->size || spring->b >= two->size) continue;

        copy_point(points + 6 * drawn, one, spring->a);
        copy_point(points + 6 * drawn + 3, two, spring->b);
        pairs[2 * drawn] = (uint32_t)(2 * drawn);
        pairs[2 * drawn + 1] = (uint32_t)(2 * drawn + 1);
        drawn++;
    }

    if (drawn) canvas->lines(canvas, drawn, pairs, points, 2 * drawn, 3, (st_rgba){0.9f, 0.6f, 0.1f, 1});
    st_free(points);
    st_free(pairs);
}

void st_springs_free(st_spring_kernel *kernel) {
    st_list_free(&kernel->springs);
    st_list_free(&kernel->matrices);
}
