// Products of a sparse matrix in blocks of 3 × 3 and 6 × 6 with a vector. Compiled for each instruction set (math/simd.h).
//
// The 3 × 3 kernel keeps one chain of additions for each column of the blocks, side by side in a pack, for each of the
// three rows, and adds the three chains of a row at its end. That of 6 × 6 is alike.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/bsr_kernels.h"
#include "math/pack.h"

// In reals: a matrix that is in the second cache is there in time when it is asked for this much earlier.
enum { AHEAD = 128 };

// The three rows of a block row: one sum for each column of the blocks, side by side in a pack. (Not an array: its
// members stay in registers.)
typedef struct row_packs {
    st_pack a, b, c;
} row_packs;

// sums + the block at `block` times v. Four reals are read where three are meant: there must be a block behind this
// one, and a scalar behind v. The fourth lane is never looked at.
ST_PACK_INLINE row_packs add_block_3(row_packs sums, const st_real *block, const st_real *v) {
    const st_pack x = st_pack_load(v);
    sums.a += st_pack_load(block) * x;
    sums.b += st_pack_load(block + 3) * x;
    sums.c += st_pack_load(block + 6) * x;
    return sums;
}

// The same for a block behind which the matrix or the vector ends.
ST_PACK_INLINE row_packs add_last_block_3(row_packs sums, const st_real *block, const st_real *v) {
    const st_pack x = st_pack_set(v[0], v[1], v[2], 0);
    sums.a += st_pack_load(block) * x;
    sums.b += st_pack_load(block + 3) * x;
    sums.c += st_pack_set(block[6], block[7], block[8], 0) * x;
    return sums;
}

ST_PACK_INLINE st_real add_three(st_pack sums) { return sums[0] + sums[1] + sums[2]; }

ST_PACK_INLINE void row_sum_3(const st_bsr *matrix, size_t row, const st_real *restrict x, st_real *sum) {
    const int32_t *columns = matrix->columns;
    const size_t begin = matrix->starts[row], end = matrix->starts[row + 1];

    sum[0] = sum[1] = sum[2] = 0;
    if (begin == end) return;
    const st_pack zero = st_pack_splat(0);
    row_packs even = {zero, zero, zero}, odd = {zero, zero, zero};

    const st_real *block = &matrix->values[9 * begin];
    size_t s = begin;

    // blocks at even and at odd places of the row have sums of their own, two at a time
    for (; s + 2 < end; s += 2, block += 18) {
        __builtin_prefetch(block + AHEAD);
        __builtin_prefetch(block + AHEAD + 8);
        even = add_block_3(even, block, &x[3 * (size_t)columns[s]]);
        odd = add_block_3(odd, block + 9, &x[3 * (size_t)columns[s + 1]]);
    }

    // one or two are left; the last one may end the matrix
    if (s + 1 < end) {
        even = add_block_3(even, block, &x[3 * (size_t)columns[s]]);
        block += 9;
        s++;
    }

    const bool inside = end < matrix->starts[matrix->rows] && columns[s] + 1 < matrix->cols;
    if (inside) odd = add_block_3(odd, block, &x[3 * (size_t)columns[s]]);
    else odd = add_last_block_3(odd, block, &x[3 * (size_t)columns[s]]);

    sum[0] = add_three(even.a + odd.a);
    sum[1] = add_three(even.b + odd.b);
    sum[2] = add_three(even.c + odd.c);
}

// A block of 6 × 6 is nine packs in a row. Three of them are two rows,
//
//     a a a a | a a b b | b b b b        times   x0 x1 x2 x3 | x4 x5 x0 x1 | x2 x3 x4 x5,
//
// and each pack has a sum of its own.
typedef struct parts_6 {
    st_pack head, middle, tail;
} parts_6;

ST_PACK_INLINE row_packs add_two_rows_6(row_packs sums, const st_real *rows, parts_6 x) {
    sums.a += st_pack_load(rows) * x.head;
    sums.b += st_pack_load(rows + 4) * x.middle;
    sums.c += st_pack_load(rows + 8) * x.tail;
    return sums;
}

ST_PACK_INLINE void store_two_rows_6(row_packs s, st_real *y) {
    y[0] = ((s.a[0] + s.a[1]) + (s.a[2] + s.a[3])) + (s.b[0] + s.b[1]);
    y[1] = (s.b[2] + s.b[3]) + ((s.c[0] + s.c[1]) + (s.c[2] + s.c[3]));
}

ST_PACK_INLINE void row_sum_6(const st_bsr *matrix, size_t row, const st_real *restrict x, st_real *y) {
    const st_pack zero = st_pack_splat(0);
    row_packs first = {zero, zero, zero}, second = first, third = first;

    for (size_t s = matrix->starts[row]; s < matrix->starts[row + 1]; s++) {
        const st_real *block = &matrix->values[36 * s], *v = &x[6 * (size_t)matrix->columns[s]];

        // three pairs of rows, each against the same three parts of x
        const st_pack head = st_pack_load(v), tail = st_pack_load(v + 2);
        const parts_6 parts = {head, __builtin_shufflevector(head, tail, 6, 7, 0, 1), tail};
        first = add_two_rows_6(first, block, parts);
        second = add_two_rows_6(second, block + 12, parts);
        third = add_two_rows_6(third, block + 24, parts);
    }

    store_two_rows_6(first, y);
    store_two_rows_6(second, y + 2);
    store_two_rows_6(third, y + 4);
}

static void multiply_3(void *context, size_t begin, size_t end) {
    const st_bsr_product *p = context;
    for (size_t row = begin; row < end; row++) row_sum_3(p->matrix, row, p->x, p->y + 3 * row);
}

static void multiply_6(void *context, size_t begin, size_t end) {
    const st_bsr_product *p = context;
    for (size_t row = begin; row < end; row++) row_sum_6(p->matrix, row, p->x, p->y + 6 * row);
}

const st_bsr_kernels ST_KERNEL(st_bsr_kernels) = {.multiply_3 = multiply_3, .multiply_6 = multiply_6};
