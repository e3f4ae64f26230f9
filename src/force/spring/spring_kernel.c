// Springs in space, four side by side: lane by lane the operations of spring.c. Compiled for each instruction set
// (math/simd.h).
//
// A pack whose springs are not all there, or have an end out of range, is left to spring.c. Forces are added spring
// after spring: two of the four may share an end.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/spring_packs.h"
#include "math/pack.h"

// Vectors of three reals, `stride` from one to the next.
ST_PACK_INLINE void gather_ends(st_pack r[3], const st_real *array, size_t stride, const size_t index[4]) {
    const st_real *const p[4] = {array + index[0] * stride, array + index[1] * stride, array + index[2] * stride,
                                 array + index[3] * stride};
    st_pack3_load(r, p);
}

// f_a += force, g_b -= force
ST_PACK_INLINE void scatter_ends(st_real *f, st_real *g, size_t stride, const size_t a[4], const size_t b[4],
                                 const st_pack force[3]) {
    st_real *p[4], *q[4];
    for (int lane = 0; lane < 4; lane++) {
        p[lane] = f + a[lane] * stride;
        q[lane] = g + b[lane] * stride;
    }
    st_pack3_exchange(p, q, force);
}

#define EACH(springs, member) st_pack_set(springs[0].member, springs[1].member, springs[2].member, springs[3].member)

// Are both ends of each there?
ST_PACK_INLINE bool find_ends(size_t a[4], size_t b[4], const st_spring *springs, const st_spring_ends *e) {
    bool found = true;
    for (int lane = 0; lane < 4; lane++) {
        a[lane] = springs[lane].a;
        b[lane] = springs[lane].b;
        found &= (a[lane] < e->size1) & (b[lane] < e->size2);
    }
    return found;
}

// Those of the four that are enabled, and long enough if they only resist elongation. Most often that is all of them,
// which the flags alone say.
ST_PACK_INLINE st_pack_mask allowed(const st_spring *springs, st_pack_mask longer) {
    bool all = true;
    for (int lane = 0; lane < 4; lane++) all &= springs[lane].enabled & !springs[lane].elongation_only;
    if (all) return ~(st_pack_mask){0};

    const st_pack zero = st_pack_splat(0);
    return (st_pack_mask)(EACH(springs, enabled) > zero) &
           (longer | (st_pack_mask)(EACH(springs, elongation_only) == zero));
}

// `coord` and `deriv` are constants where it matters.
ST_PACK_INLINE size_t evaluate(const st_spring_kernel *kernel, size_t first, const st_spring_ends *e,
                               const size_t coord, const size_t deriv) {
    const st_pack zero = st_pack_splat(0);
    const st_pack shortest = st_pack_splat(kernel->shortest > 0 ? kernel->shortest : ST_R(1e-9));
    const bool repulsive = kernel->repulsive;
    const size_t count = kernel->springs.count;
    const st_spring *springs = kernel->springs.data + first;
    st_real *matrix = kernel->matrices.data + 9 * first;
    size_t s = first;

    for (; s + 4 <= count; s += 4, springs += 4, matrix += 36) {
        size_t a[4], b[4];
        st_pack p[3], u[3], v[3], w[3];
        if (!find_ends(a, b, springs, e)) break;
        gather_ends(p, e->x1, coord, a);
        gather_ends(u, e->x2, coord, b);
        gather_ends(v, e->v1, deriv, a);
        gather_ends(w, e->v2, deriv, b);

        // u, d and v_b - v_a
        st_pack3_sub(u, u, p);
        st_pack3_sub(w, w, v);
        const st_pack d = st_pack_sqrt(st_pack3_dot(u, u)), length = EACH(springs, length);

        // which of them act?
        st_pack_mask acts = (st_pack_mask)(d > shortest) & allowed(springs, (st_pack_mask)(d > length));
        if (repulsive) acts &= (st_pack_mask)(d < length);

        // û and I
        const st_pack inverse = st_pack_splat(1) / d, stiffness = EACH(springs, stiffness);
        for (int k = 0; k < 3; k++) u[k] *= inverse;
        const st_pack intensity = stiffness * (d - length) + EACH(springs, damping) * st_pack3_dot(u, w);

        // A
        const st_pack across = intensity * inverse, along = stiffness - across;
        for (int i = 0; i < 9; i++) {
            const st_pack entry = along * u[i / 3] * u[i % 3];
            st_pack_store(matrix + 4 * i, st_pack_select(acts, i % 4 == 0 ? entry + across : entry, zero));
        }

        // û I
        for (int k = 0; k < 3; k++) u[k] = st_pack_select(acts, u[k] * intensity, zero);
        scatter_ends(e->f1, e->f2, deriv, a, b, u);
    }

    return s;
}

static size_t evaluate_packs(const st_spring_kernel *kernel, size_t first, const st_spring_ends *e) {
    return e->coord == 3 ? evaluate(kernel, first, e, 3, 3) : evaluate(kernel, first, e, e->coord, e->deriv);
}

ST_PACK_INLINE size_t multiply(const st_spring_kernel *kernel, size_t first, const st_spring_ends *e,
                               const size_t deriv, st_real before, st_real after) {
    const size_t count = kernel->evaluated < kernel->springs.count ? kernel->evaluated : kernel->springs.count;
    const st_spring *springs = kernel->springs.data + first;
    const st_real *matrix = kernel->matrices.data + 9 * first;
    size_t s = first;

    for (; s + 4 <= count; s += 4, springs += 4, matrix += 36) {
        size_t a[4], b[4];
        st_pack p[3], delta[3], force[3];
        if (!find_ends(a, b, springs, e)) break;
        gather_ends(p, e->x1, deriv, a);
        gather_ends(delta, e->x2, deriv, b);

        // δ
        for (int k = 0; k < 3; k++) delta[k] = (delta[k] - p[k]) * st_pack_splat(before);
        const st_pack_mask acts = (st_pack_mask)(EACH(springs, enabled) > st_pack_splat(0));

        // A δ of those that act
        for (int i = 0; i < 3; i++) {
            st_pack sum = st_pack_load(matrix + 12 * i) * delta[0];
            for (int j = 1; j < 3; j++) sum += st_pack_load(matrix + 12 * i + 4 * j) * delta[j];
            force[i] = st_pack_select(acts, sum * st_pack_splat(after), st_pack_splat(0));
        }

        scatter_ends(e->f1, e->f2, deriv, a, b, force);
    }

    return s;
}

static size_t multiply_packs(const st_spring_kernel *kernel, size_t first, const st_spring_ends *e, st_real before,
                             st_real after) {
    return e->deriv == 3 ? multiply(kernel, first, e, 3, before, after)
                         : multiply(kernel, first, e, e->deriv, before, after);
}

const st_spring_packs ST_KERNEL(st_spring_packs) = {.evaluate = evaluate_packs, .multiply = multiply_packs};
