// Products of dense rows. See dense_rows.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/dense_rows.h"

#include "math/pack.h"
#include "math/simd.h"

ST_PACK_INLINE st_real lanes(st_pack a, st_pack b) {
    const st_pack sum = a + b;
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// Three rows share the loads of the vector.
ST_PACK_INLINE void three_rows(const st_real *w, size_t stride, const st_real *f, size_t n, st_real *d) {
    const st_real *rows[3] = {w, w + stride, w + 2 * stride};
    st_pack sum[3][2] = {{{0}}};
    size_t k = 0;

    // two packs of each row a turn
    for (; k + 8 <= n; k += 8) {
        const st_pack a = st_pack_load(f + k), b = st_pack_load(f + k + 4);

        for (int l = 0; l < 3; l++) {
            sum[l][0] += st_pack_load(rows[l] + k) * a;
            sum[l][1] += st_pack_load(rows[l] + k + 4) * b;
        }
    }

    for (int l = 0; l < 3; l++) {
        // the numbers that fill no pack come last
        st_real rest = 0;
        for (size_t i = k; i < n; i++) rest += rows[l][i] * f[i];
        d[l] += lanes(sum[l][0], sum[l][1]) + rest;
    }
}

ST_PACK_INLINE void one_row(const st_real *w, const st_real *f, size_t n, st_real *d) {
    st_pack sum[2] = {{0}};
    size_t k = 0;

    // the lanes of three_rows, for the same bits
    for (; k + 8 <= n; k += 8) {
        sum[0] += st_pack_load(w + k) * st_pack_load(f + k);
        sum[1] += st_pack_load(w + k + 4) * st_pack_load(f + k + 4);
    }

    st_real rest = 0;
    for (; k < n; k++) rest += w[k] * f[k];
    *d += lanes(sum[0], sum[1]) + rest;
}

ST_PACK_INLINE void all_rows(size_t count, const st_real *w, size_t stride, const st_real *f, size_t n, st_real *d) {
    size_t l = 0;
    for (; l + 3 <= count; l += 3) three_rows(w + l * stride, stride, f, n, d + l);
    for (; l < count; l++) one_row(w + l * stride, f, n, d + l);
}

static void rows_portable(size_t count, const st_real *w, size_t stride, const st_real *f, size_t n, st_real *d) {
    all_rows(count, w, stride, f, n, d);
}

ST_AVX2 static void rows_avx2(size_t count, const st_real *w, size_t stride, const st_real *f, size_t n, st_real *d) {
    all_rows(count, w, stride, f, n, d);
}

void st_dense_rows_product(size_t count, const st_real *w, size_t stride, const st_real *f, size_t n, st_real *d) {
    (ST_HAS_AVX2() ? rows_avx2 : rows_portable)(count, w, stride, f, n, d);
}
