// The kernel of linear springs: see the header for the formulas.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/spring.h"

#include "base/array.h"
#include "force/force.h"
#include "math/real.h"

bool st_springs_add(st_spring_force *force, st_spring spring) { return st_list_push(&force->springs, spring); }

st_real st_springs_distance(const st_real *p, const st_real *q, int dim) {
    st_real square = 0;
    for (int i = 0; i < dim; i++) square += (q[i] - p[i]) * (q[i] - p[i]);
    return sqrt(square);
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

// The vectors of both ends.
typedef struct ends {
    const st_real *x1, *x2, *v1, *v2;
    st_real *f1, *f2;
    size_t coord, deriv; // scalars from one DOF to the next
    size_t size1, size2;
} ends;

static ends ends_of(const st_force *force, const st_params *params) {
    const st_state *one = force->state, *two = force->other;
    return (ends){.x1 = st_x(one, params),
                  .x2 = st_x(two, params),
                  .v1 = st_v(one, params),
                  .v2 = st_v(two, params),
                  .f1 = st_f(one, params),
                  .f2 = st_f(two, params),
                  .coord = (size_t)st_state_dof(one)->coord,
                  .deriv = (size_t)st_state_dof(one)->deriv,
                  .size1 = one->size,
                  .size2 = two->size};
}

// One spring; `dim` is a constant at each call, so that the loops unroll.
static inline void evaluate(const st_spring *spring, const ends *e, const int dim, st_real *matrix) {
    const st_real *p = e->x1 + spring->a * e->coord, *q = e->x2 + spring->b * e->coord;
    const st_real *v = e->v1 + spring->a * e->deriv, *w = e->v2 + spring->b * e->deriv;
    st_real u[6], square = 0, rate = 0;
    for (int i = 0; i < dim; i++) u[i] = q[i] - p[i];
    for (int i = 0; i < dim; i++) square += u[i] * u[i];
    const st_real d = sqrt(square);
    if (!spring->enabled || !(d > ST_R(1e-9)) || (spring->elongation_only && !(d > spring->length))) {
        for (int i = 0; i < dim * dim; i++) matrix[i] = 0;
        return;
    }
    const st_real inverse = 1 / d;
    for (int i = 0; i < dim; i++) u[i] *= inverse;
    for (int i = 0; i < dim; i++) rate += u[i] * (w[i] - v[i]);
    const st_real intensity = spring->stiffness * (d - spring->length) + spring->damping * rate;
    st_real *f = e->f1 + spring->a * e->deriv, *g = e->f2 + spring->b * e->deriv;
    for (int i = 0; i < dim; i++) f[i] += u[i] * intensity;
    for (int i = 0; i < dim; i++) g[i] -= u[i] * intensity;
    const st_real across = intensity * inverse, along = spring->stiffness - across;
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) matrix[i * dim + j] = along * u[i] * u[j];
    for (int i = 0; i < dim; i++) matrix[i * dim + i] += across;
}

static void report_range(st_spring_force *force, const st_spring *spring, const ends *e) {
    if (force->reported) return;
    force->reported = true;
    st_message(&force->base.object, ST_ERROR,
               "a spring joins DOFs %u and %u, but there are %zu and %zu: it and its like "
               "do not act",
               spring->a, spring->b, e->size1, e->size2);
}

static inline void evaluate_all(st_spring_force *force, const ends *e, const int dim) {
    for (size_t s = 0; s < force->springs.count; s++) {
        const st_spring *spring = &force->springs.data[s];
        st_real *matrix = force->matrices.data + s * (size_t)(dim * dim);
        if (spring->a < e->size1 && spring->b < e->size2) {
            evaluate(spring, e, dim, matrix);
        } else {
            for (int i = 0; i < dim * dim; i++) matrix[i] = 0;
            report_range(force, spring, e);
        }
    }
}

void st_springs_add_force(st_force *base, const st_params *params) {
    st_spring_force *force = (st_spring_force *)base;
    if (!base->state || !base->other || !force->springs.count) return;
    force->dim = st_position_scalars(st_state_dof(base->state));
    if (!st_list_set_count(&force->matrices, force->springs.count, force->dim * force->dim)) return;
    const ends e = ends_of(base, params);
    switch (force->dim) {
    case 1: evaluate_all(force, &e, 1); break;
    case 2: evaluate_all(force, &e, 2); break;
    case 3: evaluate_all(force, &e, 3); break;
    default: evaluate_all(force, &e, 6); break;
    }
}

// ---------------------------------------------------------------------------------------------------
// Derivative
// ---------------------------------------------------------------------------------------------------

// Springs made since the last force evaluation have no matrix yet, and ends out of range never had one.
static bool has_matrix(const st_spring_force *force, size_t s) {
    const st_spring *spring = &force->springs.data[s];
    return s < force->matrices.count && spring->a < force->base.state->size && spring->b < force->base.other->size;
}

void st_springs_blocks(st_spring_force *force, size_t count, st_stiffness k) {
    const st_state *one = force->base.state, *two = force->base.other;
    if (!one || !two || !count) return;
    const int dim = force->dim;
    const size_t deriv = (size_t)st_state_dof(one)->deriv, area = (size_t)dim * (size_t)dim;
    st_sink *k11 = st_stiffness_between(k, one, one), *k12 = st_stiffness_between(k, one, two);
    st_sink *k21 = st_stiffness_between(k, two, one), *k22 = st_stiffness_between(k, two, two);
    for (size_t s = 0; s < count && s < force->springs.count; s++) {
        if (!has_matrix(force, s)) continue;
        const size_t a = force->springs.data[s].a * deriv, b = force->springs.data[s].b * deriv;
        const st_real *matrix = force->matrices.data + s * area;
        st_real negative[36];
        for (size_t i = 0; i < area; i++) negative[i] = -matrix[i];
        k11->add(k11, a, a, dim, dim, negative);
        k12->add(k12, a, b, dim, dim, matrix);
        k21->add(k21, b, a, dim, dim, matrix);
        k22->add(k22, b, b, dim, dim, negative);
    }
}

void st_springs_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    st_springs_blocks((st_spring_force *)base, SIZE_MAX, k);
}

typedef struct product_ends {
    const st_real *dx1, *dx2;
    st_real *df1, *df2;
    size_t deriv;
} product_ends;

// dF = (A (dx_b - dx_a)) k, in this order
static inline void multiply(const st_spring *spring, const product_ends *e, const int dim, const st_real *matrix,
                            st_real k) {
    const size_t a = spring->a * e->deriv, b = spring->b * e->deriv;
    st_real delta[6], force[6];
    for (int i = 0; i < dim; i++) delta[i] = e->dx2[b + (size_t)i] - e->dx1[a + (size_t)i];
    for (int i = 0; i < dim; i++) {
        st_real sum = matrix[i * dim] * delta[0];
        for (int j = 1; j < dim; j++) sum += matrix[i * dim + j] * delta[j];
        force[i] = sum * k;
    }
    for (int i = 0; i < dim; i++) e->df1[a + (size_t)i] += force[i];
    for (int i = 0; i < dim; i++) e->df2[b + (size_t)i] -= force[i];
}

static inline void multiply_all(const st_spring_force *force, const product_ends *e, const int dim, st_real k) {
    for (size_t s = 0; s < force->springs.count; s++)
        if (has_matrix(force, s))
            multiply(&force->springs.data[s], e, dim, force->matrices.data + s * (size_t)(dim * dim), k);
}

void st_springs_product(st_force *base, const st_params *params, st_real k, st_real b) {
    const st_spring_force *force = (const st_spring_force *)base;
    (void)b;
    if (!base->state || !base->other) return;
    const product_ends e = {.dx1 = st_dx(base->state, params),
                            .dx2 = st_dx(base->other, params),
                            .df1 = st_df(base->state, params),
                            .df2 = st_df(base->other, params),
                            .deriv = (size_t)st_state_dof(base->state)->deriv};
    switch (force->dim) {
    case 1: multiply_all(force, &e, 1, k); break;
    case 2: multiply_all(force, &e, 2, k); break;
    case 3: multiply_all(force, &e, 3, k); break;
    case 6: multiply_all(force, &e, 6, k); break;
    default: break;
    }
}

// ---------------------------------------------------------------------------------------------------
// Energy, drawing, end
// ---------------------------------------------------------------------------------------------------

// Σ ½ ks (d - l0)², of springs that do not act, too
st_real st_springs_potential(st_force *base, const st_params *params) {
    const st_spring_force *force = (const st_spring_force *)base;
    if (!base->state || !base->other) return 0;
    const int dim = st_position_scalars(st_state_dof(base->state));
    const size_t coord = (size_t)st_state_dof(base->state)->coord;
    const st_real *x1 = st_x(base->state, params), *x2 = st_x(base->other, params);
    st_real energy = 0;
    for (size_t s = 0; s < force->springs.count; s++) {
        const st_spring *spring = &force->springs.data[s];
        if (spring->a >= base->state->size || spring->b >= base->other->size) continue;
        const st_real e = st_springs_distance(x1 + spring->a * coord, x2 + spring->b * coord, dim) - spring->length;
        energy += ST_R(0.5) * spring->stiffness * e * e;
    }
    return energy;
}

static void copy_point(st_real to[3], const st_state *state, uint32_t index) {
    const st_dof *dof = st_state_dof(state);
    const st_real *x = state->coord[ST_COORD_POSITION].data + index * (size_t)dof->coord;
    for (int i = 0; i < 3; i++) to[i] = i < dof->spatial ? x[i] : 0;
}

void st_springs_draw(st_object *object, st_canvas *canvas) {
    const st_spring_force *force = (const st_spring_force *)object;
    const st_state *one = force->base.state, *two = force->base.other;
    const size_t count = force->springs.count;
    if (!one || !two || !count) return;
    st_real *points = st_alloc(2 * count, 3 * sizeof *points);
    uint32_t *pairs = st_alloc(2 * count, sizeof *pairs);
    size_t drawn = 0;
    for (size_t s = 0; points && pairs && s < count; s++) {
        const st_spring *spring = &force->springs.data[s];
        if (spring->a >= one->size || spring->b >= two->size) continue;
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

void st_springs_destroy(st_object *object) {
    st_spring_force *force = (st_spring_force *)object;
    st_list_free(&force->springs);
    st_list_free(&force->matrices);
}
