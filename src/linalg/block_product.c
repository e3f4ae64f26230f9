// Products of sparse block matrices by a plan. See block_product.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/block_product.h"

#include "base/array.h"
#include "linalg/add_block.h"

enum { BLOCKS_PER_TASK = 256 };

// The rows of A or of Aᵀ: columns increase within a row; `slots` says where the block is stored.
typedef struct row_lists {
    size_t *starts;
    int32_t *columns;
    uint32_t *slots;
    int32_t rows;
} row_lists;

static void free_rows(row_lists *rows) {
    st_free(rows->starts);
    st_free(rows->columns);
    st_free(rows->slots);
}

static void copy_rows(row_lists *rows, const st_bsr *a) {
    memcpy(rows->starts, a->starts, ((size_t)a->rows + 1) * sizeof *rows->starts);
    for (size_t s = 0; s < st_bsr_count(a); s++) {
        rows->columns[s] = a->columns[s];
        rows->slots[s] = (uint32_t)s;
    }
}

// A counting sort by column; rows come in increasing order.
static void transpose_rows(row_lists *rows, const st_bsr *a) {
    const size_t count = st_bsr_count(a);
    size_t *next = rows->starts;

    // blocks of each column, summed up to where the columns begin
    for (size_t s = 0; s < count; s++) next[a->columns[s] + 1]++;
    for (int32_t col = 0; col < a->cols; col++) next[col + 1] += next[col];

    for (int32_t row = 0; row < a->rows; row++) {
        for (size_t s = a->starts[row]; s < a->starts[row + 1]; s++) {
            const size_t at = next[a->columns[s]]++;
            rows->columns[at] = row;
            rows->slots[at] = (uint32_t)s;
        }
    }

    // Each start has moved to the next one.
    for (int32_t col = a->cols; col > 0; col--) next[col] = next[col - 1];
    next[0] = 0;
}

static bool block_product_make_rows(row_lists *rows, const st_bsr *a, bool transposed) {
    const size_t count = st_bsr_count(a);
    *rows = (row_lists){.rows = transposed ? a->cols : a->rows};
    rows->starts = st_alloc((size_t)rows->rows + 1, sizeof *rows->starts);
    rows->columns = st_alloc(count, sizeof *rows->columns);
    rows->slots = st_alloc(count, sizeof *rows->slots);

    if (!rows->starts || !rows->columns || !rows->slots) {
        free_rows(rows);
        return false;
    }

    if (transposed) transpose_rows(rows, a);
    else copy_rows(rows, a);
    return true;
}

st_status st_block_product_record(const st_bsr *a, bool transposed, const st_bsr *b, st_pattern *c) {
    if (!a->starts || !b->starts) return ST_OK;

    row_lists rows;
    int32_t *last_row = st_alloc((size_t)b->cols, sizeof *last_row);

    if (!last_row || !block_product_make_rows(&rows, a, transposed)) {
        st_free(last_row);
        return ST_OUT_OF_MEMORY;
    }

    for (int32_t col = 0; col < b->cols; col++) last_row[col] = -1;

    // each block of a row of C once, however many products lead to it
    st_status status = ST_OK;
    for (int32_t row = 0; row < rows.rows; row++) {
        for (size_t k = rows.starts[row]; k < rows.starts[row + 1]; k++) {
            const int32_t inner = rows.columns[k];
            for (size_t s = b->starts[inner]; status == ST_OK && s < b->starts[inner + 1]; s++) {
                if (last_row[b->columns[s]] == row) continue;
                last_row[b->columns[s]] = row;
                status = st_pattern_record(c, row, b->columns[s]);
            }
        }
    }

    free_rows(&rows);
    st_free(last_row);
    return status;
}

// Counts the terms of each block of C (fill = false), or writes them; `slot_of` is scratch, one per column of C.
static void walk_terms(st_block_product *p, const row_lists *rows, const st_bsr *b, const st_bsr *c, uint32_t *slot_of,
                       bool fill) {
    for (int32_t row = 0; row < rows->rows; row++) {
        // where the blocks of this row of C are
        for (size_t s = c->starts[row]; s < c->starts[row + 1]; s++) slot_of[c->columns[s]] = (uint32_t)s;

        // every block of row A with every block of the row of B that it meets
        for (size_t k = rows->starts[row]; k < rows->starts[row + 1]; k++) {
            const int32_t inner = rows->columns[k];
            for (size_t s = b->starts[inner]; s < b->starts[inner + 1]; s++) {
                const uint32_t slot = slot_of[b->columns[s]];
                if (!fill) {
                    p->starts[slot + 1]++;
                    continue;
                }

                const size_t at = p->starts[slot]++;
                p->left[at] = rows->slots[k];
                p->right[at] = (uint32_t)s;
            }
        }
    }
}

static st_status fill_plan(st_block_product *p, const row_lists *rows, const st_bsr *b, const st_bsr *c,
                           uint32_t *slot_of) {
    const size_t count = st_bsr_count(c);
    p->starts = st_alloc(count + 1, sizeof *p->starts);
    if (!p->starts) return ST_OUT_OF_MEMORY;

    walk_terms(p, rows, b, c, slot_of, false);
    for (size_t s = 0; s < count; s++) p->starts[s + 1] += p->starts[s];

    p->left = st_alloc(p->starts[count], sizeof *p->left);
    p->right = st_alloc(p->starts[count], sizeof *p->right);
    if (!p->left || !p->right) return ST_OUT_OF_MEMORY;
    walk_terms(p, rows, b, c, slot_of, true);

    // each start has moved to the next one
    for (size_t s = count; s > 0; s--) p->starts[s] = p->starts[s - 1];
    p->starts[0] = 0;

    return ST_OK;
}

st_status st_block_product_plan(st_block_product *p, const st_bsr *a, bool transposed, const st_bsr *b,
                                const st_bsr *c) {
    st_block_product_free(p);
    p->transposed = transposed;
    if (!a->starts || !b->starts || !c->starts) return ST_OK;

    row_lists rows;
    if (!block_product_make_rows(&rows, a, transposed)) return ST_OUT_OF_MEMORY;
    uint32_t *slot_of = st_alloc((size_t)c->cols, sizeof *slot_of);
    const st_status status = slot_of ? fill_plan(p, &rows, b, c, slot_of) : ST_OUT_OF_MEMORY;
    if (status != ST_OK) st_block_product_free(p);
    st_free(slot_of);
    free_rows(&rows);

    return status;
}

void st_block_product_free(st_block_product *p) {
    st_free(p->starts);
    st_free(p->left);
    st_free(p->right);
    *p = (st_block_product){0};
}

// ---------------------------------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------------------------------

typedef struct task {
    const st_block_product *product;
    const st_bsr *left, *right;
    st_real *c;
    size_t height, inner, width; // of the blocks: C is height × width
} task;

// sum += a B for one row of a 3 × 3 product. Written out: the loops would cost more than the arithmetic.
static inline void add_row_3(st_real *sum, st_real a0, st_real a1, st_real a2, const st_real *b) {
    sum[0] = sum[0] + a0 * b[0] + a1 * b[3] + a2 * b[6];
    sum[1] = sum[1] + a0 * b[1] + a1 * b[4] + a2 * b[7];
    sum[2] = sum[2] + a0 * b[2] + a1 * b[5] + a2 * b[8];
}

static inline void sum_blocks_3(const task *t, size_t begin, size_t end, size_t down, size_t right) {
    const st_block_product *p = t->product;
    for (size_t slot = begin; slot < end; slot++) {
        st_real *c = &t->c[slot * 9];
        for (size_t term = p->starts[slot]; term < p->starts[slot + 1]; term++) {
            const st_real *a = &t->left->values[(size_t)p->left[term] * 9];
            const st_real *b = &t->right->values[(size_t)p->right[term] * 9];
            add_row_3(c, a[0], a[right], a[2 * right], b);
            add_row_3(c + 3, a[down], a[down + right], a[down + 2 * right], b);
            add_row_3(c + 6, a[2 * down], a[2 * down + right], a[2 * down + 2 * right], b);
        }
    }
}

// Constant sizes at every call but the last one, so that the loops below vanish.
static inline void sum_blocks(const task *t, size_t begin, size_t end, bool transposed, size_t h, size_t n, size_t w) {
    const st_block_product *p = t->product;
    for (size_t slot = begin; slot < end; slot++) {
        st_real sum[36], *c = &t->c[slot * h * w];
        for (size_t k = 0; k < h * w; k++) sum[k] = c[k];

        // C stays in registers while its terms are added
        for (size_t term = p->starts[slot]; term < p->starts[slot + 1]; term++) {
            const st_real *a = &t->left->values[p->left[term] * h * n], *b = &t->right->values[p->right[term] * n * w];
            for (size_t i = 0; i < h; i++)
                for (size_t k = 0; k < n; k++)
                    for (size_t j = 0; j < w; j++)
                        sum[i * w + j] += (transposed ? a[k * h + i] : a[i * n + k]) * b[k * w + j];
        }

        for (size_t k = 0; k < h * w; k++) c[k] = sum[k];
    }
}

// One of the factors is made of weights: a ninth of the multiplications of 3 × 3 blocks, with the same result. The
// other one is taken as it is, not transposed.
static inline void sum_weighted(const task *t, size_t begin, size_t end, size_t area) {
    const st_block_product *p = t->product;
    const bool first = t->left->weights != NULL;
    const st_real *weights = first ? t->left->weights : t->right->weights;
    const st_real *values = first ? t->right->values : t->left->values;
    const uint32_t *weight_of = first ? p->left : p->right, *block_of = first ? p->right : p->left;

    for (size_t slot = begin; slot < end; slot++) {
        st_real *c = &t->c[slot * area];
        for (size_t term = p->starts[slot]; term < p->starts[slot + 1]; term++) {
            const st_real weight = weights[weight_of[term]], *block = &values[block_of[term] * area];
            if (area == 9) st_add_block_3(c, block, 3, weight);
            else
                for (size_t k = 0; k < area; k++) c[k] += weight * block[k];
        }
    }
}

static void run_weighted(const task *t, size_t begin, size_t end) {
    switch (t->height * t->width) {
    case 9: sum_weighted(t, begin, end, 9); break;
    case 3: sum_weighted(t, begin, end, 3); break;
    case 1: sum_weighted(t, begin, end, 1); break;
    default: sum_weighted(t, begin, end, t->height * t->width); break;
    }
}

#define CASE(h, n, w)                                                                                                  \
    case (h)*100 + (n)*10 + (w):                                                                                       \
        if (t->product->transposed) sum_blocks(t, begin, end, true, h, n, w);                                          \
        else sum_blocks(t, begin, end, false, h, n, w);                                                                \
        break

static void block_product_run(void *context, size_t begin, size_t end) {
    const task *t = context;

    // the cheapest product that gives the same numbers
    if (t->left->weights || (t->right->weights && !t->product->transposed)) {
        run_weighted(t, begin, end);
        return;
    }

    // sizes that matter are compiled as constants
    switch (t->height * 100 + t->inner * 10 + t->width) {
    case 333:
        if (t->product->transposed) sum_blocks_3(t, begin, end, 1, 3);
        else sum_blocks_3(t, begin, end, 3, 1);
        break;
        CASE(3, 1, 3);
        CASE(3, 1, 1);
        CASE(1, 1, 3);
        CASE(1, 3, 3);
        CASE(3, 3, 1);
        CASE(1, 1, 1);
    default: sum_blocks(t, begin, end, t->product->transposed, t->height, t->inner, t->width); break;
    }
}

void st_block_product_add(const st_block_product *p, st_pool *pool, const st_bsr *a, const st_bsr *b, st_bsr *c) {
    if (!p->starts) return;
    task t = {
        .product = p,
        .left = a,
        .right = b,
        .c = c->values,
        .height = (size_t)c->height,
        .inner = (size_t)b->height,
        .width = (size_t)c->width,
    };
    st_parallel_for(pool, st_bsr_count(c), BLOCKS_PER_TASK, block_product_run, &t);
}
