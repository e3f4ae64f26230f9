// Products of dense rows: the version of the smallest instruction set, and the choice between both.
//
// SPDX-License-Identifier: Apache-2.0
#define DENSE_ROWS st_dense_rows_portable
#include "linalg/dense_rows.inc"

void st_dense_rows_product(size_t count, const st_real *w, size_t stride, const st_real *f, size_t n, st_real *d) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        st_dense_rows_avx2(count, w, stride, f, n, d);
        return;
    }
#endif
    st_dense_rows_portable(count, w, stride, f, n, d);
}
