// Orderings of the unknowns of a symmetric system; see ordering.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/ordering.h"

#include <suitesparse/amd.h>

#include "base/array.h"

static st_status order_amd(int32_t n, const size_t *starts, const int32_t *columns, int32_t *permutation) {
    if (starts[n] > INT32_MAX) return ST_INVALID;
    int32_t *narrow = st_alloc((size_t)n + 1, sizeof *narrow);
    if (!narrow) return ST_OUT_OF_MEMORY;
    for (int32_t i = 0; i <= n; i++) narrow[i] = (int32_t)starts[i];
    const int result = amd_order(n, narrow, columns, permutation, NULL, NULL);
    st_free(narrow);
    if (result == AMD_OUT_OF_MEMORY) return ST_OUT_OF_MEMORY;
    return result == AMD_INVALID ? ST_INVALID : ST_OK;
}

st_status st_ordering_compute(st_ordering ordering, int32_t n, const size_t *starts, const int32_t *columns,
                              int32_t *permutation) {
    if (n < 0) return ST_INVALID;
    if (ordering == ST_ORDERING_AMD && n > 0) return order_amd(n, starts, columns, permutation);
    for (int32_t i = 0; i < n; i++) permutation[i] = i;
    return ST_OK;
}
