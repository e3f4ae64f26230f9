// Springs in space, four side by side: lane by lane the operations of spring.c. Compiled for each instruction set
// (math/simd.h).
//
// All four springs exist and have their ends in range. Forces are added spring after spring: two of the four may share
// an end.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/spring_packs.h"
#include "math/pack.h"

// Vectors of three reals, `stride` from one to the next.
ST_PACK_INLINE void gather_ends(st_pack r[3], const st_real *array, size_t stride, const uint32_t index[4]) {
    const st_real *p[4];
    for (int lane = 0; lane < 4; lane++) p[lane] = array + index[lane] * stride;
    for (int k = 0; k < 3; k++) r[k] = st_pack_set(p[0][k], p[1][k], p[2][k], p[3][k]);
}

ST_PACK_INLINE void scatter_ends(st_real *f, st_real *g, size_t stride, const uint32_t a[4], const uint32_t b[4],
                                 const st_pack force[3]) {
    for (int lane = 0; lane < 4; lane++) {
        for (int k = 0; k < 3; k++) f[a[lane] * stride + (size_t)k] += force[k][lane];
        for (int k = 0; k < 3; k++) g[b[lane] * stride + (size_t)k] -= force[k][lane];
    }
}

#define EACH(springs, member) st_pack_set(springs[0].member, springs[1].member, springs[2].member, springs[3].member)

ST_PACK_INLINE void indices_of(uint32_t a[4], uint32_t b[4], const st_spring *springs) {
    for (int lane = 0; lane < 4; lane++) {
        a[lane] = springs[lane].a;
        b[lane] = springs[lane].b;
    }
}

static void evaluate_pack(const st_spring_kernel *kernel, const st_spring *springs, const st_spring_ends *e,
                          st_real *matrix) {
    const st_pack zero = st_pack_splat(0), length = EACH(springs, length), stiffness = EACH(springs, stiffness);
    const st_pack damping = EACH(springs, damping);
    uint32_t a[4], b[4];
    st_pack p[3], u[3], v[3], w[3];

    indices_of(a, b, springs);
    gather_ends(p, e->x1, e->coord, a);
    gather_ends(u, e->x2, e->coord, b);
    gather_ends(v, e->v1, e->deriv, a);
    gather_ends(w, e->v2, e->deriv, b);

    // u, d and v_b - v_a
    st_pack3_sub(u, u, p);
    st_pack3_sub(w, w, v);
    const st_pack d = st_pack_sqrt(st_pack3_dot(u, u));

    // which of them act?
    const st_pack_mask longer = (st_pack_mask)(d > length);
    st_pack_mask acts = (st_pack_mask)(d > st_pack_splat(kernel->shortest > 0 ? kernel->shortest : ST_R(1e-9)));
    acts &= (st_pack_mask)(EACH(springs, enabled) > zero);
    acts &= longer | (st_pack_mask)(EACH(springs, elongation_only) == zero);
    if (kernel->repulsive) acts &= (st_pack_mask)(d < length);

    // û and I
    const st_pack inverse = st_pack_splat(1) / d;
    for (int k = 0; k < 3; k++) u[k] *= inverse;
    const st_pack intensity = stiffness * (d - length) + damping * st_pack3_dot(u, w);

    // A
    const st_pack across = intensity * inverse, along = stiffness - across;
    for (int i = 0; i < 9; i++) {
        const st_pack entry = along * u[i / 3] * u[i % 3];
        st_pack_store(matrix + 4 * i, st_pack_select(acts, i % 4 == 0 ? entry + across : entry, zero));
    }

    // û I
    for (int k = 0; k < 3; k++) u[k] = st_pack_select(acts, u[k] * intensity, zero);
    scatter_ends(e->f1, e->f2, e->deriv, a, b, u);
}

static void multiply_pack(const st_spring *springs, const st_spring_ends *e, const st_real *matrix, st_real before,
                          st_real after) {
    uint32_t a[4], b[4];
    st_pack p[3], delta[3], force[3];
    indices_of(a, b, springs);
    gather_ends(p, e->x1, e->deriv, a);
    gather_ends(delta, e->x2, e->deriv, b);

    // δ
    for (int k = 0; k < 3; k++) delta[k] = (delta[k] - p[k]) * st_pack_splat(before);
    const st_pack_mask acts = (st_pack_mask)(EACH(springs, enabled) > st_pack_splat(0));

    // A δ of those that act
    for (int i = 0; i < 3; i++) {
        st_pack sum = st_pack_load(matrix + 12 * i) * delta[0];
        for (int j = 1; j < 3; j++) sum += st_pack_load(matrix + 12 * i + 4 * j) * delta[j];
        force[i] = st_pack_select(acts, sum * st_pack_splat(after), st_pack_splat(0));
    }

    scatter_ends(e->f1, e->f2, e->deriv, a, b, force);
}

const st_spring_packs ST_KERNEL(st_spring_packs) = {.evaluate = evaluate_pack, .multiply = multiply_pack};
