// Rotations of four elements side by side: the functions of math/decompose.h on packs, lane by lane the same bits.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MATH_PACK_ROTATION_H
#define SETTEE_MATH_PACK_ROTATION_H

#include "math/pack.h"

// a / |a|; a vector not longer than epsilon stays as it is.
ST_PACK_INLINE void st_pack3_normalize(st_pack r[3], const st_pack a[3]) {
    const st_pack one = st_pack_splat(1), norm = st_pack_sqrt(st_pack3_dot(a, a));
    const st_pack divisor = st_pack_select((st_pack_mask)(norm > st_pack_splat(ST_REAL_EPSILON)), norm, one);
    for (int k = 0; k < 3; k++) r[k] = a[k] / divisor;
}

// Rows x, y, z with x along ex and y in the plane of ex and ey.
ST_PACK_INLINE void st_pack_frame_rows(st_pack axes[9], const st_pack ex[3], const st_pack ey[3]) {
    st_pack z[3];
    st_pack3_normalize(axes, ex);
    st_pack3_cross(z, axes, ey);
    st_pack3_normalize(axes + 6, z);
    st_pack3_cross(axes + 3, axes + 6, axes);
}

ST_PACK_INLINE void st_pack9_transpose(st_pack r[9], const st_pack a[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r[3 * i + j] = a[3 * j + i];
}

ST_PACK_INLINE st_pack st_pack9_norm_one(const st_pack a[9]) {
    st_pack norm = st_pack_splat(0);
    for (int j = 0; j < 3; j++)
        norm = st_pack_max(norm, st_pack_abs(a[j]) + st_pack_abs(a[3 + j]) + st_pack_abs(a[6 + j]));
    return norm;
}

ST_PACK_INLINE st_pack st_pack9_norm_infinity(const st_pack a[9]) {
    st_pack norm = st_pack_splat(0);
    for (int i = 0; i < 9; i += 3)
        norm = st_pack_max(norm, st_pack_abs(a[i]) + st_pack_abs(a[i + 1]) + st_pack_abs(a[i + 2]));
    return norm;
}

// The orthogonal factor of each lane's matrix by the scaled Newton iteration of math/decompose.c. The iteration goes on
// until all lanes have arrived; each keeps the iterate with which it did. (To hold a lane that has arrived where it is
// would make every step wait for the test of the step before.) Gives the lanes that are singular: all bits set.
ST_PACK_INLINE st_pack_mask st_pack_polar(st_pack q[9], const st_pack m[9]) {
    enum { MAX_NEWTON = 100 };
    const st_pack tolerance = st_pack_splat(sizeof(st_real) == sizeof(float) ? ST_R(1e-4) : ST_R(1e-8));
    const st_pack zero = st_pack_splat(0), half = st_pack_splat(ST_R(0.5));
    st_pack x[9], a[9], next[9], last[9];
    st_pack_mask active = (st_pack_mask)(zero == zero), singular = (st_pack_mask)(zero != zero);

    // X0 = Mᵀ
    st_pack9_transpose(x, m);
    for (int i = 0; i < 9; i++) last[i] = x[i];

    for (int n = 0; n < MAX_NEWTON && st_pack_any(active); n++) {
        // A = cofactors of X, γ, and which lanes are singular
        st_pack3_cross(a, x + 3, x + 6);
        st_pack3_cross(a + 3, x + 6, x);
        st_pack3_cross(a + 6, x, x + 3);
        const st_pack det = st_pack3_dot(x, a);
        const st_pack norms_a = st_pack9_norm_one(a) * st_pack9_norm_infinity(a);
        const st_pack norms_x = st_pack9_norm_one(x) * st_pack9_norm_infinity(x);
        const st_pack gamma = st_pack_sqrt(st_pack_sqrt(norms_a / norms_x) / st_pack_abs(det));
        const st_pack g1 = gamma * half, g2 = half / (gamma * det);
        singular |= active & (st_pack_mask)(det == zero);
        active &= (st_pack_mask)(det != zero);

        // γ/2 X + A / (2 γ det); how far it moved
        for (int i = 0; i < 9; i++) next[i] = x[i] * g1 + a[i] * g2;
        for (int i = 0; i < 9; i++) a[i] = x[i] - next[i];
        const st_pack moved = st_pack9_norm_one(a), limit = tolerance * st_pack9_norm_one(next);

        for (int i = 0; i < 9; i++) x[i] = next[i];
        for (int i = 0; i < 9; i++) last[i] = st_pack_select(active, next[i], last[i]);
        active &= (st_pack_mask)(moved > limit);
    }

    st_pack9_transpose(q, last);
    return singular;
}

#endif
