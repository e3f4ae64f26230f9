// The plan of a sparse LDLᵀ factorization, in these steps:
//
//     1. the pattern of A is copied, to see later whether it has changed
//     2. its graph is ordered, and eliminated symbolically (ordering.h, elimination.h)
//     3. each supernode gets a front
//     4. where the rows of a front are in that of its parent
//     5. where the blocks of A go
//     6. groups: in parallel, disjoint subtrees are groups of their own, and the rest of the tree is the last one
//     7. where the numbers are in memory (ldl_places.c)
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/ldl_plan.h"

#include <string.h>

#include "base/array.h"

// ---- the pattern ----------------------------------------------------------------------------------------------------

static bool is_used(const st_ldl_plan *plan, size_t slot) { return !plan->used || plan->used[slot]; }

static st_status copy_pattern(st_ldl_plan *plan, const st_bsr *matrix, const bool *used) {
    const size_t n = (size_t)plan->n, count = st_bsr_count(matrix);
    if (count > UINT32_MAX) return ST_INVALID;

    plan->starts = st_alloc(n + 1, sizeof *plan->starts);
    plan->columns = st_alloc(count, sizeof *plan->columns);
    if (!plan->starts || !plan->columns) return ST_OUT_OF_MEMORY;
    if (matrix->starts) st_copy_bytes(plan->starts, matrix->starts, (n + 1) * sizeof *plan->starts);
    st_copy_bytes(plan->columns, matrix->columns, count * sizeof *plan->columns);

    // slots that hold nothing but zeros: a number in one of them changes the pattern
    size_t empty = 0;
    for (size_t s = 0; used && s < count; s++) empty += !used[s];
    if (empty == 0) return ST_OK;

    plan->used = used;
    plan->empty = st_alloc(empty, sizeof *plan->empty);
    if (!plan->empty) return ST_OUT_OF_MEMORY;
    for (size_t s = 0; s < count; s++)
        if (!used[s]) plan->empty[plan->empty_count++] = (uint32_t)s;

    return ST_OK;
}

// Is block (i, j) the one that is read of its couple, before the order is known? Of a couple of which both are stored
// and read by position, both count for the graph.
static bool counts(const st_ldl_plan *plan, int32_t i, int32_t j) {
    return i != j && (plan->couple == ST_LDL_LATER_ROW || j < i);
}

static bool ldl_plan_has(const st_ldl_plan *plan, int32_t i, int32_t j) {
    size_t low = plan->starts[i], high = plan->starts[i + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (plan->columns[middle] < j) low = middle + 1;
        else high = middle;
    }

    return low < plan->starts[i + 1] && plan->columns[low] == j && is_used(plan, low);
}

// Neighbors in both directions. A mirrored block is added where it is not stored, or not read.
static bool make_graph(const st_ldl_plan *plan, st_graph *g) {
    const size_t n = (size_t)plan->n;
    *g = (st_graph){.n = plan->n, .starts = st_alloc(n + 2, sizeof *g->starts)};
    if (!g->starts) return false;

    for (int pass = 0; pass < 2; pass++) {
        // pass 0 counts, pass 1 fills
        size_t *at = g->starts + 1; // at[i]: first the number of neighbors of i, then the place of the next
        for (int32_t i = 0; i < plan->n; i++)
            for (size_t s = plan->starts[i]; s < plan->starts[i + 1]; s++) {
                const int32_t j = plan->columns[s];
                if (!is_used(plan, s) || !counts(plan, i, j)) continue;
                const bool mirrored = plan->couple == ST_LDL_LATER_ROW && ldl_plan_has(plan, j, i);
                if (pass == 0) {
                    at[i + 1]++;
                    if (!mirrored) at[j + 1]++;
                } else {
                    g->neighbors[at[i]++] = j;
                    if (!mirrored) g->neighbors[at[j]++] = i;
                }
            }

        if (pass == 1) break;
        for (size_t i = 0; i < n; i++) at[i + 1] += at[i];
        g->neighbors = st_alloc(at[n], sizeof *g->neighbors);
        if (!g->neighbors) return false;
    }

    return true;
}

static st_status ldl_plan_order(st_ldl_plan *plan, const st_ldl_request *request) {
    st_graph g;
    st_status status = ST_OUT_OF_MEMORY;
    const st_ordering ordering = plan->quick ? ST_ORDERING_AMD : request->ordering;

    if (make_graph(plan, &g)) status = st_order_and_eliminate(&plan->e, ordering, &g, plan->block);
    st_free(g.starts);
    st_free(g.neighbors);
    return status;
}

// ---- fronts ---------------------------------------------------------------------------------------------------------

static size_t tiles(size_t scalars) { return (scalars + ST_LDL_TILE - 1) / ST_LDL_TILE; }

static size_t ldl_plan_larger(size_t a, size_t b) { return a > b ? a : b; }

static bool make_fronts(st_ldl_plan *plan) {
    const st_elimination *e = &plan->e;

    plan->fronts = st_alloc((size_t)e->supernodes + 1, sizeof *plan->fronts);
    plan->places = st_alloc((size_t)e->n, sizeof *plan->places);
    if (!plan->fronts || !plan->places) return false;

    // sizes, in tiles
    const size_t b = (size_t)plan->block;
    for (int32_t s = 0; s < e->supernodes; s++) {
        st_ldl_front *f = &plan->fronts[s];
        const size_t k = (size_t)(e->first[s + 1] - e->first[s]) * b, r = st_ldl_rows_below(plan, s) * b;
        f->columns = e->first[s + 1] - e->first[s];
        f->pivots = (int32_t)tiles(k);
        f->below = (int32_t)tiles(r);
        f->place = plan->padded;
        f->child = f->next = -1;
        plan->padded += (size_t)f->pivots * ST_LDL_TILE;
        plan->most_below = ldl_plan_larger(plan->most_below, (size_t)f->below * ST_LDL_TILE);
        plan->most_pivots = ldl_plan_larger(plan->most_pivots, (size_t)f->pivots * ST_LDL_TILE);
        plan->entries_of_l += k * (k - 1) / 2 + k * r;
    }

    // where the blocks are in padded vectors
    for (int32_t k = 0; k < e->n; k++) {
        const int32_t s = e->supernode[k];
        plan->places[k] = plan->fronts[s].place + (size_t)(k - e->first[s]) * b;
    }

    // lists of children, increasing
    for (int32_t s = e->supernodes - 1; s >= 0; s--) {
        if (e->parent[s] < 0) continue;
        plan->fronts[s].next = plan->fronts[e->parent[s]].child;
        plan->fronts[e->parent[s]].child = s;
    }

    return true;
}

// Where the rows of each front are in the front of its parent.
static bool make_relative(st_ldl_plan *plan) {
    const st_elimination *e = &plan->e;
    plan->relative = st_alloc(e->row_starts[e->supernodes], sizeof *plan->relative);
    if (!plan->relative) return false;

    for (int32_t s = 0; s < e->supernodes; s++) {
        const int32_t p = e->parent[s];
        if (p < 0) continue;

        // both lists increase: one pass
        size_t at = e->row_starts[p];
        for (size_t t = e->row_starts[s]; t < e->row_starts[s + 1]; t++) {
            const int32_t row = e->rows[t];
            if (row < e->first[p + 1]) {
                plan->relative[t] = row - e->first[p];
                continue;
            }
            while (e->rows[at] < row) at++;
            plan->relative[t] = plan->fronts[p].columns + (int32_t)(at - e->row_starts[p]);
        }
    }

    return true;
}

// ---- blocks of A ----------------------------------------------------------------------------------------------------

// Where block (i, j) of A is in P A Pᵀ: row *later, column *earlier; false when it is not read.
static bool ldl_plan_locate(const st_ldl_plan *plan, int32_t i, int32_t j, int32_t *later, int32_t *earlier,
                            bool *transposed) {
    const int32_t pi = plan->e.position[i], pj = plan->e.position[j];
    *later = pi > pj ? pi : pj;
    *earlier = pi > pj ? pj : pi;
    *transposed = pi < pj;
    if (i == j) return true;
    return plan->couple == ST_LDL_LOWER ? j < i : pj < pi;
}

static int32_t front_row(const st_ldl_plan *plan, int32_t s, int32_t row) {
    const st_elimination *e = &plan->e;
    if (row < e->first[s + 1]) return row - e->first[s];

    size_t low = e->row_starts[s], high = e->row_starts[s + 1];
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (e->rows[middle] <= row) low = middle;
        else high = middle;
    }

    return plan->fronts[s].columns + (int32_t)(low - e->row_starts[s]);
}

// Entries sorted by front: counted, then placed.
static bool make_entries(st_ldl_plan *plan) {
    size_t total = 0;
    for (int pass = 0; pass < 2; pass++) {
        // pass 0 counts, pass 1 fills
        for (int32_t i = 0; i < plan->n; i++)
            for (size_t slot = plan->starts[i]; slot < plan->starts[i + 1]; slot++) {
                int32_t later, earlier;
                bool transposed;
                if (!is_used(plan, slot) ||
                    !ldl_plan_locate(plan, i, plan->columns[slot], &later, &earlier, &transposed))
                    continue;

                // a block belongs to the front that eliminates the earlier one of its two unknowns
                const int32_t s = plan->e.supernode[earlier];
                const size_t at = plan->fronts[s].entries++;
                if (pass == 0) continue;
                const int32_t column = earlier - plan->e.first[s];
                plan->entries[at] =
                    (st_ldl_entry){(uint32_t)slot, front_row(plan, s, later), transposed ? ~column : column};
            }

        if (pass == 1) break;
        for (int32_t s = 0; s <= plan->e.supernodes; s++) {
            const size_t count = plan->fronts[s].entries;
            plan->fronts[s].entries = total;
            total += count;
        }
        plan->entries = st_alloc(total, sizeof *plan->entries);
        if (!plan->entries) return false;
    }

    // Now each start has become an end, which is the start of the next.
    for (int32_t s = plan->e.supernodes; s > 0; s--) plan->fronts[s].entries = plan->fronts[s - 1].entries;
    plan->fronts[0].entries = 0;
    return true;
}

// ---- groups ---------------------------------------------------------------------------------------------------------

// Subtrees of about this many cycles are worth a thread.
static const double group_cost = 150e3;
enum { MOST_GROUPS = 16 };

static double front_cost(const st_ldl_plan *plan, int32_t s) {
    const double b = plan->block;
    return st_front_cost(b * plan->fronts[s].columns, b * (double)st_ldl_rows_below(plan, s));
}

// A subtree is a group when it is light enough and its parent's is not. cost[s]: of the subtree; first[s]: its first.
static void cut_subtrees(st_ldl_plan *plan, const double *cost, const int32_t *first, double limit) {
    const st_elimination *e = &plan->e;
    for (int32_t s = 0; s < e->supernodes; s++) {
        const int32_t p = e->parent[s];
        if (cost[s] > limit || cost[s] < group_cost / 4 || (p >= 0 && cost[p] <= limit)) continue;

        const int32_t g = plan->group_count++;
        plan->groups[g] = (st_ldl_group){.first = first[s], .end = s + 1};
        for (int32_t t = first[s]; t <= s; t++) plan->fronts[t].group = g;
    }
}

static bool make_groups(st_ldl_plan *plan) {
    const st_elimination *e = &plan->e;
    const size_t n = (size_t)e->supernodes;
    double *cost = st_alloc(n, sizeof *cost);
    int32_t *first = st_alloc(n, sizeof *first);
    bool ok = cost && first;

    // costs of subtrees, and the first front of each
    for (int32_t s = 0; ok && s < e->supernodes; s++) {
        cost[s] = front_cost(plan, s);
        first[s] = s;
        plan->fronts[s].group = -1;
        for (int32_t c = plan->fronts[s].child; c >= 0; c = plan->fronts[c].next) {
            cost[s] += cost[c];
            if (first[c] < first[s]) first[s] = first[c];
        }
    }

    double limit = e->cost / MOST_GROUPS;
    if (limit < group_cost) limit = group_cost;

    // subtrees worth a thread
    plan->groups = ok ? st_alloc(n + 1, sizeof *plan->groups) : NULL;
    ok = plan->groups != NULL;
    if (ok && plan->parallel && e->cost > 2 * group_cost) cut_subtrees(plan, cost, first, limit);

    // what is left over is the last group
    if (ok) {
        plan->groups[plan->group_count] = (st_ldl_group){.end = e->supernodes};
        for (int32_t s = 0; s < e->supernodes; s++)
            if (plan->fronts[s].group < 0) plan->fronts[s].group = plan->group_count;
        plan->group_count++;
    }

    st_free(cost);
    st_free(first);
    return ok;
}

// ---------------------------------------------------------------------------------------------------------------------

st_status st_ldl_plan_create(st_ldl_plan *plan, const st_bsr *matrix, const bool *used, const st_ldl_request *request) {
    *plan = (st_ldl_plan){.block = matrix->height,
                          .n = matrix->rows,
                          .couple = request->couple,
                          .ordering = request->ordering,
                          .parallel = request->parallel,
                          .quick = request->quick && request->ordering == ST_ORDERING_BEST};

    st_status status = copy_pattern(plan, matrix, used);
    if (status == ST_OK) status = ldl_plan_order(plan, request);

    if (status == ST_OK && !(make_fronts(plan) && make_relative(plan) && make_entries(plan) && make_groups(plan) &&
                             st_ldl_make_places(plan)))
        status = ST_OUT_OF_MEMORY;

    plan->used = NULL;
    if (status != ST_OK) st_ldl_plan_free(plan);
    return status;
}

void st_ldl_plan_free(st_ldl_plan *plan) {
    st_free(plan->starts);
    st_free(plan->columns);
    st_free(plan->empty);
    st_elimination_free(&plan->e);
    st_free(plan->fronts);
    st_free(plan->entries);
    st_free(plan->relative);
    st_free(plan->groups);
    st_free(plan->places);
    *plan = (st_ldl_plan){0};
}
