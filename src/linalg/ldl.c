// Sparse LDLᵀ, multifrontal (Duff and Reid 1983). See ldl.h, and ldl_plan.c for what is known beforehand.
//
// From the leaves of the tree up, each supernode is eliminated in a dense front:
//
//     1. its columns of A are put into the front
//     2. the update matrices of its children are added; their rows are all among those of the front
//     3. its pivots are eliminated, block by block
//     4. what that takes off the rows below, together with what the children left there, is its own update matrix, for
//        its parent
//
// Disjoint subtrees are eliminated in parallel; above them, the rows of large fronts are.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/ldl.h"

#include <string.h>
#include <tgmath.h>

#include "linalg/ldl_factor.h"

// ---- life -----------------------------------------------------------------------------------------------------------

static void free_factor(st_ldl *ldl) {
    st_free(ldl->numbers);
    st_free(ldl->inverse);
    st_free(ldl->failed);
    st_list_free(&ldl->lanes);
    st_list_free(&ldl->sparse.rows);
    st_list_free(&ldl->sparse.reaches);
    st_list_free(&ldl->sparse.places);
    st_list_free(&ldl->sparse.fronts);
    st_list_free(&ldl->sparse.reals);
}

// Nested dissection takes as long as several factorizations. A pattern that changed after fewer than FEW_USES of them
// is ordered by AMD; if it then stays for MANY_USES of them, it gets the best order after all.
enum { FEW_USES = 4, MANY_USES = 16 };

st_ldl *st_ldl_create(void) {
    st_ldl *ldl = st_alloc(1, sizeof *ldl);
    if (!ldl) return NULL;
    ldl->kernels = st_ldl_choose_kernels();
    ldl->uses = MANY_USES;
    return ldl;
}

void st_ldl_free(st_ldl *ldl) {
    if (!ldl) return;
    st_ldl_plan_free(&ldl->plan);
    free_factor(ldl);
    st_free(ldl);
}

// ---- analysis -------------------------------------------------------------------------------------------------------

static bool same_pattern(const st_ldl_plan *plan, const st_bsr *matrix) {
    const size_t count = st_bsr_count(matrix), n = (size_t)plan->n;
    if (plan->n != matrix->rows || plan->block != matrix->height || plan->starts[n] != count) return false;
    return count == 0 || (memcmp(plan->starts, matrix->starts, (n + 1) * sizeof *plan->starts) == 0 &&
                          memcmp(plan->columns, matrix->columns, count * sizeof *plan->columns) == 0);
}

static bool is_zero(const st_bsr *matrix, size_t slot) {
    const size_t scalars = st_bsr_area(matrix);
    const st_real *values = matrix->values + slot * scalars;
    for (size_t k = 0; k < scalars; k++)
        if (values[k] != 0) return false;
    return true;
}

// Does every block that is not zero have a place in the plan?
static bool ldl_fits(const st_ldl_plan *plan, const st_bsr *matrix) {
    for (size_t k = 0; k < plan->empty_count; k++)
        if (!is_zero(matrix, plan->empty[k])) return false;
    return true;
}

// Which blocks are not zero. Where the pattern must grow, all blocks between coupled unknowns get a place; unknowns
// that are coupled to nothing, such as fixed ones, stay apart.
static bool *find_used(const st_bsr *matrix, bool grow) {
    const size_t count = st_bsr_count(matrix), n = (size_t)matrix->rows;
    bool *used = st_alloc(count, sizeof *used), *coupled = st_alloc(n, sizeof *coupled);

    // blocks on the diagonal and those that are not zero
    for (int32_t i = 0; used && coupled && count > 0 && i < matrix->rows; i++)
        for (size_t s = matrix->starts[i]; s < matrix->starts[i + 1]; s++) {
            used[s] = matrix->columns[s] == i || !is_zero(matrix, s);
            if (used[s] && matrix->columns[s] != i) coupled[i] = coupled[matrix->columns[s]] = true;
        }

    // zeros between coupled unknowns, which may not stay so
    for (int32_t i = 0; grow && used && coupled && count > 0 && i < matrix->rows; i++)
        for (size_t s = matrix->starts[i]; s < matrix->starts[i + 1]; s++)
            used[s] = used[s] || (coupled[i] && coupled[matrix->columns[s]]);

    if (!coupled) {
        st_free(used);
        used = NULL;
    }

    st_free(coupled);
    return used;
}

static bool make_factor(st_ldl *ldl) {
    const st_ldl_plan *p = &ldl->plan;
    ldl->numbers = st_alloc(p->numbers, sizeof *ldl->numbers);
    ldl->inverse = st_alloc(p->padded, sizeof *ldl->inverse);
    ldl->failed = st_alloc((size_t)p->group_count, sizeof *ldl->failed);
    return ldl->numbers && ldl->inverse && ldl->failed;
}

static st_status ldl_analyze(st_ldl *ldl, const st_bsr *matrix, bool grow, const st_ldl_request *request) {
    if (matrix->rows != matrix->cols || matrix->height != matrix->width || matrix->height < 0 || matrix->rows < 0)
        return ST_INVALID;

    // the plan of a new factor; the former one stays where it fails
    bool *used = find_used(matrix, grow);
    st_ldl fresh = {.kernels = ldl->kernels};
    st_status status = used ? st_ldl_plan_create(&fresh.plan, matrix, used, request) : ST_OUT_OF_MEMORY;

    st_free(used);
    if (status != ST_OK) return status;

    if (!make_factor(&fresh)) {
        st_ldl_plan_free(&fresh.plan);
        free_factor(&fresh);
        return ST_OUT_OF_MEMORY;
    }

    // it worked: the new one replaces the former
    st_ldl_plan_free(&ldl->plan);
    free_factor(ldl);
    *ldl = fresh;
    ldl->analyzed = true;

    return ST_OK;
}

st_status st_ldl_analyze(st_ldl *ldl, st_pool *pool, const st_bsr *matrix, st_ordering ordering, st_ldl_couple couple) {
    const st_ldl_plan *plan = &ldl->plan;
    const bool parallel = st_pool_threads(pool) > 1;
    const bool same = ldl->analyzed && plan->ordering == ordering && plan->couple == couple &&
                      plan->parallel == parallel && same_pattern(plan, matrix);

    const bool kept = same && ldl_fits(plan, matrix);
    if (kept && !(plan->quick && ldl->uses >= MANY_USES)) return ST_OK;

    // a pattern that changes often is not worth the best order
    const st_ldl_request request = {
        .ordering = ordering, .couple = couple, .parallel = parallel, .quick = !kept && ldl->uses < FEW_USES};
    return ldl_analyze(ldl, matrix, same, &request);
}

void st_ldl_forget(st_ldl *ldl) {
    ldl->analyzed = false;
    ldl->uses = MANY_USES;
}
void st_ldl_drop(st_ldl *ldl) { ldl->factored = false; }

bool st_ldl_stands(st_ldl *ldl) {
    if (!ldl->analyzed || !ldl->factored || (ldl->plan.quick && ldl->uses >= MANY_USES)) return false;
    if (ldl->uses < MANY_USES) ldl->uses++;
    return true;
}

// ---- assembly of a front --------------------------------------------------------------------------------------------

// Below which a pivot is rounding only, relative to the diagonal entry of A that it comes from.
static const st_real pivot_tolerance = 2 * ST_REAL_EPSILON;

static void note_diagonal(const st_ldl_view *f, size_t column, size_t b, const st_real *values) {
    for (size_t r = 0; r < b; r++) f->tiny[column + r] = pivot_tolerance * fabs(values[r * b + r]);
}

static void put_block(const st_ldl_view *f, size_t row, size_t column, size_t b, const st_real *values,
                      bool transposed) {
    const size_t down = transposed ? 1 : b, right = transposed ? b : 1;
    for (size_t r = 0; r < b; r++) {
        st_real *target = st_ldl_strip(f, (row + r) / ST_LDL_TILE) + (row + r) % ST_LDL_TILE + column * ST_LDL_TILE;
        const size_t columns = row == column ? r + 1 : b; // of a diagonal block, the lower triangle
        for (size_t c = 0; c < columns; c++) target[c * ST_LDL_TILE] = values[r * down + c * right];
    }
}

// The front's own blocks of A, and ones for the pivots that fill up the last tile.
static void put_matrix(const st_ldl *ldl, const st_ldl_view *f, int32_t s, const st_real *values) {
    const st_ldl_plan *plan = &ldl->plan;
    const st_ldl_front *front = &plan->fronts[s];
    const size_t b = (size_t)plan->block, k = (size_t)front->columns * b, padded = (size_t)front->pivots * ST_LDL_TILE;

    // zeros, and the identity where pivots fill up the last tile
    memset(f->panel, 0, st_ldl_panel_size(f->pivots, f->below) * sizeof *f->panel);
    for (size_t p = 0; p < padded; p++) f->tiny[p] = 0;
    for (size_t p = k; p < padded; p++) st_ldl_strip(f, p / ST_LDL_TILE)[p * ST_LDL_TILE + p % ST_LDL_TILE] = 1;

    // the blocks of A; the diagonal says how small a pivot may be
    for (size_t e = front->entries; e < front[1].entries; e++) {
        const st_ldl_entry *entry = &plan->entries[e];
        const bool transposed = entry->column < 0;
        const size_t column = (size_t)(transposed ? ~entry->column : entry->column) * b;
        const size_t row = st_ldl_front_row(plan, front, entry->row);
        const st_real *block = values + (size_t)entry->slot * b * b;
        put_block(f, row, column, b, block, transposed);
        if (row == column) note_diagonal(f, column, b, block);
    }
}

// Adds one strip of a child's update matrix. Its columns [0, split) are pivots of the front, those after it are not;
// offsets[j] leads to column j. `lanes` rows of the strip are rows.
typedef struct strip_target {
    st_real *panel[ST_LDL_TILE], *update[ST_LDL_TILE]; // of each row: its first element
} strip_target;

// The rows are named one by one: the compiler then knows that no addition changes where they are.
static inline void add_full_columns(st_real *const rows[], const st_real *restrict source,
                                    const size_t *restrict offsets, size_t begin, size_t end) {
    for (size_t first = 0; first < ST_LDL_TILE; first += 4) {
        st_real *restrict const a = rows[first], *restrict const b = rows[first + 1];
        st_real *restrict const c = rows[first + 2], *restrict const d = rows[first + 3];
        const st_real *restrict from = source + first;
        for (size_t j = begin; j < end; j++) {
            const size_t o = offsets[j];
            a[o] += from[j * ST_LDL_TILE];
            b[o] += from[j * ST_LDL_TILE + 1];
            c[o] += from[j * ST_LDL_TILE + 2];
            d[o] += from[j * ST_LDL_TILE + 3];
        }
    }
}

static inline void add_columns(st_real *const rows[], size_t lanes, const st_real *source, const size_t *offsets,
                               size_t begin, size_t end) {
    if (lanes == ST_LDL_TILE) {
        add_full_columns(rows, source, offsets, begin, end);
        return;
    }
    for (size_t r = 0; r < lanes; r++)
        for (size_t j = begin; j < end; j++) rows[r][offsets[j]] += source[j * ST_LDL_TILE + r];
}

static void add_strip(const strip_target *to, size_t first, size_t lanes, size_t split, const st_real *source,
                      const size_t *offsets) {
    // Columns left of the diagonal tile are full.
    add_columns(to->panel, lanes, source, offsets, 0, split < first ? split : first);
    if (split < first) add_columns(to->update, lanes, source, offsets, split, first);
    for (size_t r = 0; r < lanes; r++)
        for (size_t j = first; j <= first + r; j++)
            (j < split ? to->panel : to->update)[r][offsets[j]] += source[j * ST_LDL_TILE + r];
}

// Where the rows of child c go: offsets[j] of column j, rows[j] in the front. Gives how many are pivots.
static size_t map_rows(const st_ldl_plan *plan, const st_ldl_front *front, int32_t c, size_t *rows, size_t *offsets) {
    const size_t b = (size_t)plan->block, padded = (size_t)front->pivots * ST_LDL_TILE;
    size_t n = 0, split = 0;

    for (size_t t = plan->e.row_starts[c]; t < plan->e.row_starts[c + 1]; t++) {
        const size_t row = st_ldl_front_row(plan, front, plan->relative[t]);
        for (size_t r = 0; r < b; r++, n++) {
            rows[n] = row + r;
            offsets[n] = (row < padded ? row + r : row + r - padded) * ST_LDL_TILE;
            split += row < padded;
        }
    }

    return split;
}

static void add_child(const st_ldl *ldl, const st_ldl_view *f, int32_t s, int32_t c) {
    const st_ldl_plan *plan = &ldl->plan;
    const st_ldl_view child = st_ldl_view_of(ldl, c);
    const size_t n = st_ldl_rows_below(plan, c) * (size_t)plan->block, padded = f->pivots * ST_LDL_TILE;

    // where its rows are in this front
    size_t *rows = (size_t *)(void *)f->u, *offsets = rows + n; // U is not needed yet
    const size_t split = map_rows(plan, &plan->fronts[s], c, rows, offsets);

    // strip by strip: addresses of the rows, then all columns
    for (size_t t = 0; t < child.below; t++) {
        strip_target to;
        const size_t first = t * ST_LDL_TILE, lanes = n - first < ST_LDL_TILE ? n - first : ST_LDL_TILE;
        for (size_t r = 0; r < lanes; r++) {
            const size_t row = rows[first + r];
            to.panel[r] = st_ldl_strip(f, row / ST_LDL_TILE) + row % ST_LDL_TILE;
            to.update[r] = NULL;
            if (row >= padded) to.update[r] = st_ldl_update_strip(f, (row - padded) / ST_LDL_TILE) + row % ST_LDL_TILE;
        }
        add_strip(&to, first, lanes, split, st_ldl_update_strip(&child, t), offsets);
    }
}

// ---- elimination ----------------------------------------------------------------------------------------------------

typedef struct factorization {
    st_ldl *ldl;
    st_pool *pool;
    const st_real *values;
} factorization;

// The rows of one block of pivots, as a loop for threads.
typedef struct row_loop {
    const st_ldl_kernels *kernels;
    const st_ldl_view *f;
    size_t first, end; // pivot tiles
    size_t begin;      // first strip
} row_loop;

static void solve_strips(void *context, size_t begin, size_t end) {
    const row_loop *l = context;
    l->kernels->solve_rows(l->f, l->first, l->end, l->begin + begin, l->begin + end);
}

static void update_strips(void *context, size_t begin, size_t end) {
    const row_loop *l = context;
    l->kernels->update_rows(l->f, l->first, l->end, l->begin + begin, l->begin + end);
}

enum { STRIPS_A_TIME = 2 * ST_LDL_GROUP, WORTH_THREADS = 64 }; // strips

static void ldl_eliminate(const factorization *work, st_pool *pool, st_ldl_view *f) {
    const st_ldl_kernels *kernels = work->ldl->kernels;
    const size_t strips = f->pivots + f->below;
    const size_t grain = pool && strips >= WORTH_THREADS ? STRIPS_A_TIME : strips + 1;

    // the pivots of a block, then the rows below it, then what it takes off all that follows
    for (size_t first = 0; first < f->pivots; first += ST_LDL_BLOCK_TILES) {
        const size_t end = f->pivots - first < ST_LDL_BLOCK_TILES ? f->pivots : first + ST_LDL_BLOCK_TILES;
        kernels->factor_block(f, first, end);

        row_loop loop = {kernels, f, first, end, end};
        st_parallel_for(pool, strips - end, grain, solve_strips, &loop);
        st_parallel_for(pool, f->pivots - end, grain, update_strips, &loop);
        loop.begin = f->pivots;
        st_parallel_for(pool, f->below, grain, update_strips, &loop);
    }
}

static void factor_front(const factorization *work, st_pool *pool, int32_t s) {
    st_ldl *ldl = work->ldl;
    const st_ldl_plan *plan = &ldl->plan;
    const st_ldl_front *front = &plan->fronts[s];
    st_ldl_view f = st_ldl_view_of(ldl, s);

    f.u = ldl->numbers + front->scratch;
    f.tiny = f.u + st_ldl_u_size(f.pivots, f.below);

    // its columns of A, and the update matrices of its children
    put_matrix(ldl, &f, s, work->values);
    if (f.below) memset(f.update, 0, st_ldl_update_size(f.below) * sizeof *f.update);
    for (int32_t c = front->child; c >= 0; c = plan->fronts[c].next)
        if (plan->fronts[c].below) add_child(ldl, &f, s, c);

    ldl_eliminate(work, pool, &f);

    // the first failure counts: later ones may be its consequence
    size_t *failed = &ldl->failed[front->group];
    if (f.failed != SIZE_MAX && *failed == SIZE_MAX) *failed = front->place + f.failed;
}

static void factor_groups(void *context, size_t begin, size_t end) {
    const factorization *work = context;
    const st_ldl_plan *plan = &work->ldl->plan;
    for (size_t g = begin; g < end; g++)
        for (int32_t s = plan->groups[g].first; s < plan->groups[g].end; s++) factor_front(work, NULL, s);
}

// The scalar unknown at a place of padded vectors.
static size_t unknown_at(const st_ldl_plan *plan, size_t place) {
    const size_t b = (size_t)plan->block;

    int32_t s = 0;
    while (s + 1 < plan->e.supernodes && plan->fronts[s + 1].place <= place) s++;
    const size_t offset = place - plan->fronts[s].place;
    return (size_t)plan->e.permutation[(size_t)plan->e.first[s] + offset / b] * b + offset % b;
}

st_status st_ldl_factor(st_ldl *ldl, st_pool *pool, const st_bsr *matrix, size_t *unknown) {
    const st_ldl_plan *plan = &ldl->plan;
    if (!ldl->analyzed || matrix->rows != plan->n || matrix->cols != plan->n || matrix->height != plan->block ||
        st_bsr_count(matrix) != plan->starts[plan->n])
        return ST_INVALID;

    factorization work = {ldl, pool, matrix->values};
    ldl->factored = false;
    if (ldl->uses < MANY_USES) ldl->uses++;

    // subtrees side by side, then the top of the tree
    const int32_t top = plan->group_count - 1;
    for (int32_t g = 0; g <= top; g++) ldl->failed[g] = SIZE_MAX;
    st_parallel_for(pool, (size_t)top, 1, factor_groups, &work);
    for (int32_t s = 0; s < plan->e.supernodes; s++)
        if (plan->fronts[s].group == top) factor_front(&work, pool, s);

    // the first pivot that failed, in the order of elimination
    size_t first = SIZE_MAX;
    for (int32_t g = 0; g <= top; g++)
        if (ldl->failed[g] < first) first = ldl->failed[g];

    if (first != SIZE_MAX) {
        if (unknown) *unknown = unknown_at(plan, first);
        return ST_FAILED;
    }

    ldl->factored = true;
    return ST_OK;
}

// ---- what is known --------------------------------------------------------------------------------------------------

size_t st_ldl_entries(const st_ldl *ldl) { return ldl->plan.entries_of_l; }
const int32_t *st_ldl_permutation(const st_ldl *ldl) { return ldl->plan.e.permutation; }
st_real st_ldl_inverse_pivot(const st_ldl *ldl, size_t unknown) {
    const size_t b = (size_t)ldl->plan.block;
    return ldl->inverse[ldl->plan.places[ldl->plan.e.position[unknown / b]] + unknown % b];
}
