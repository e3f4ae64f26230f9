// W += factor · H A⁻¹ Hᵀ with a sparse LDLᵀ factor, for many sparse rows H:
//
//     H A⁻¹ Hᵀ = Uᵀ D⁻¹ U        U = L⁻¹ P Hᵀ
//
// A column of U is not zero only in the fronts that its entries reach: those that hold them, and their ancestors. Rows
// of H are sorted by the first front that they enter, and taken in groups of ST_LDL_LANES, which then reach much the
// same fronts. Only those are stored, one after the other; of two groups, the product runs over what both reach.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "linalg/ldl.h"
#include "linalg/ldl_factor.h"

// One group of rows: the fronts that it reaches, increasing, and where they begin in its U, in pivots.
typedef struct st_ldl_reach {
    size_t first, count; // rows, of the sorted ones
    int32_t *fronts;
    size_t front_count;
    size_t *places;           // by front of the whole tree; SIZE_MAX: not reached
    size_t length;            // pivots, padded
    st_real *u, *scaled;      // packs: [ST_LDL_GROUP][length][ST_LDL_TILE]
    st_real *z[ST_LDL_GROUP]; // room for the rows below a front
} reach;

typedef struct compliance {
    st_ldl *ldl;
    const st_sparse_rows *h;
    size_t count;            // rows that have entries
    const st_ldl_row *order; // these rows, sorted
    size_t groups;
    reach *reaches;
    st_real factor;
    st_real *w;
} compliance;

static bool is_before(const st_ldl_row *a, const st_ldl_row *b) {
    return a->front != b->front ? a->front < b->front : a->row < b->row;
}

// Shell's sort with gaps of about 2.25ᵏ. (qsort of the C library may allocate.)
static void ldl_sparse_sort(st_ldl_row *rows, size_t count) {
    size_t gap = 1;
    while (gap < count / 3) gap = gap * 9 / 4 + 1;

    for (;; gap = gap > 2 ? gap * 4 / 9 : 1) {
        // insertion sort of every gap-th row
        for (size_t i = gap; i < count; i++) {
            const st_ldl_row row = rows[i];
            size_t k = i;
            for (; k >= gap && is_before(&row, &rows[k - gap]); k -= gap) rows[k] = rows[k - gap];
            rows[k] = row;
        }
        if (gap == 1) return;
    }
}

static int32_t front_of(const st_ldl_plan *plan, int32_t column) {
    return plan->e.supernode[plan->e.position[column / plan->block]];
}

static bool sort_rows(compliance *c) {
    const st_ldl_plan *plan = &c->ldl->plan;
    if (!st_list_reserve(&c->ldl->sparse.rows, c->h->count, 1)) return false;
    st_ldl_row *rows = c->ldl->sparse.rows.data;

    for (size_t r = 0; r < c->h->count; r++) {
        // the first front that its entries enter; rows without entries are left out
        int32_t first = INT32_MAX;
        for (size_t k = c->h->starts[r]; k < c->h->starts[r + 1]; k++) {
            const int32_t s = front_of(plan, c->h->columns[k]);
            if (s < first) first = s;
        }
        if (first < INT32_MAX) rows[c->count++] = (st_ldl_row){first, r};
    }

    ldl_sparse_sort(rows, c->count);
    c->order = rows;
    return true;
}

// Marks the fronts that a group reaches, lists them and gives them places.
static void find_reach(const compliance *c, reach *r) {
    const st_ldl_plan *plan = &c->ldl->plan;
    for (int32_t s = 0; s < plan->e.supernodes; s++) r->places[s] = SIZE_MAX;

    // the fronts of all entries, and their ancestors
    for (size_t i = r->first; i < r->first + r->count; i++)
        for (size_t k = c->h->starts[c->order[i].row]; k < c->h->starts[c->order[i].row + 1]; k++)
            for (int32_t s = front_of(plan, c->h->columns[k]); s >= 0 && r->places[s] == SIZE_MAX;
                 s = plan->e.parent[s])
                r->places[s] = 0;

    // in increasing order, one after the other
    for (int32_t s = 0; s < plan->e.supernodes; s++) {
        if (r->places[s] == SIZE_MAX) continue;
        r->fronts[r->front_count++] = s;
        r->places[s] = r->length;
        r->length += (size_t)plan->fronts[s].pivots * ST_LDL_TILE;
    }
}

// Pack g of the group's U at a front.
static st_real *pack_at(const reach *r, st_real *u, size_t g, int32_t s) {
    return u + (g * r->length + r->places[s]) * ST_LDL_TILE;
}

static void put_rows(const compliance *c, const reach *r) {
    const st_ldl_plan *plan = &c->ldl->plan;
    for (size_t i = 0; i < r->count; i++) {
        const size_t row = c->order[r->first + i].row;
        for (size_t k = c->h->starts[row]; k < c->h->starts[row + 1]; k++) {
            const int32_t column = c->h->columns[k], s = front_of(plan, column);
            const size_t place = plan->places[plan->e.position[column / plan->block]] - plan->fronts[s].place;
            const size_t pivot = place + (size_t)(column % plan->block);
            pack_at(r, r->u, i / ST_LDL_TILE, s)[pivot * ST_LDL_TILE + i % ST_LDL_TILE] += c->h->values[k];
        }
    }
}

// What a front passes on to the rows below it; all of them belong to fronts of the reach.
static void pass_on(const compliance *c, const reach *r, int32_t s, size_t g, const st_real *z) {
    const st_ldl_plan *plan = &c->ldl->plan;
    const size_t pack = (size_t)plan->block * ST_LDL_TILE;

    for (size_t t = plan->e.row_starts[s]; t < plan->e.row_starts[s + 1]; t++, z += pack) {
        const int32_t row = plan->e.rows[t], up = plan->e.supernode[row];
        st_real *to = pack_at(r, r->u, g, up) + (plan->places[row] - plan->fronts[up].place) * ST_LDL_TILE;
        for (size_t k = 0; k < pack; k++) to[k] += z[k];
    }
}

static void find_u(void *context, size_t begin, size_t end) {
    const compliance *c = context;
    const st_ldl *ldl = c->ldl;

    for (size_t group = begin; group < end; group++) {
        reach *r = &c->reaches[group];
        st_real *y[ST_LDL_GROUP];

        // U = P Hᵀ
        memset(r->u, 0, r->length * ST_LDL_LANES * sizeof *r->u);
        put_rows(c, r);

        // U = L⁻¹ U, from the leaves up; D⁻¹ U beside it
        for (size_t k = 0; k < r->front_count; k++) {
            const int32_t s = r->fronts[k];
            const st_ldl_view f = st_ldl_view_of(ldl, s);
            for (size_t g = 0; g < ST_LDL_GROUP; g++) y[g] = pack_at(r, r->u, g, s);

            ldl->kernels->forward_many(&f, y, r->z);
            for (size_t g = 0; g < ST_LDL_GROUP; g++) {
                pass_on(c, r, s, g, r->z[g]);
                st_real *scaled = pack_at(r, r->scaled, g, s);
                for (size_t p = 0; p < f.pivots * ST_LDL_TILE_SCALARS; p++)
                    scaled[p] = y[g][p] * f.inverse[p / ST_LDL_TILE];
            }
        }
    }
}

// The next run of fronts that both groups reach and store one after the other; its length in pivots, 0 at the end.
static size_t next_run(const st_ldl_plan *plan, const reach *a, const reach *b, size_t *i, size_t *j, int32_t *first) {
    while (*i < a->front_count && *j < b->front_count && a->fronts[*i] != b->fronts[*j])
        if (a->fronts[*i] < b->fronts[*j]) ++*i;
        else ++*j;
    if (*i == a->front_count || *j == b->front_count) return 0;

    *first = a->fronts[*i];
    size_t depth = 0;

    while (*i < a->front_count && *j < b->front_count && a->fronts[*i] == b->fronts[*j]) {
        depth += (size_t)plan->fronts[a->fronts[*i]].pivots * ST_LDL_TILE;
        ++*i;
        ++*j;
    }

    return depth;
}

// Minus the product of two groups, in tiles: tile (g, k) of pack g of a and pack k of b.
static void ldl_sparse_multiply(const st_ldl *ldl, const reach *a, const reach *b, st_real *tiles) {
    memset(tiles, 0, ST_LDL_LANES * ST_LDL_LANES * sizeof *tiles);
    size_t i = 0, j = 0, depth;
    int32_t s = 0;

    while ((depth = next_run(&ldl->plan, a, b, &i, &j, &s)) > 0) {
        // Uᵀ D⁻¹ U over the fronts that both reach
        const st_real *ua[ST_LDL_GROUP];
        for (size_t g = 0; g < ST_LDL_GROUP; g++) ua[g] = pack_at(a, a->u, g, s);
        for (size_t k = 0; k < ST_LDL_GROUP; k++) {
            st_real *c[ST_LDL_GROUP];
            for (size_t g = 0; g < ST_LDL_GROUP; g++) c[g] = tiles + (g * ST_LDL_GROUP + k) * ST_LDL_TILE_SCALARS;
            ldl->kernels->subtract_products(depth, ua, pack_at(b, b->scaled, k, s), c);
        }
    }
}

// Pair p of groups (i, j), j ≤ i, row by row of a triangle.
static void add_pairs(void *context, size_t begin, size_t end) {
    const compliance *c = context;
    const size_t n = c->h->count;

    st_real tiles[ST_LDL_LANES * ST_LDL_LANES] __attribute__((aligned(64)));
    for (size_t p = begin; p < end; p++) {
        size_t i = 0;
        while ((i + 1) * (i + 2) / 2 <= p) i++;
        const reach *a = &c->reaches[i], *b = &c->reaches[p - i * (i + 1) / 2];

        ldl_sparse_multiply(c->ldl, a, b, tiles);

        // both halves of W get the same number
        for (size_t k = 0; k < a->count; k++)
            for (size_t l = 0; l < b->count && (a != b || l <= k); l++) {
                const st_real *tile = tiles + (k / ST_LDL_TILE * ST_LDL_GROUP + l / ST_LDL_TILE) * ST_LDL_TILE_SCALARS;
                const st_real sum = -c->factor * tile[l % ST_LDL_TILE * ST_LDL_TILE + k % ST_LDL_TILE];
                const size_t row = c->order[a->first + k].row, column = c->order[b->first + l].row;
                c->w[row * n + column] += sum;
                if (row != column) c->w[column * n + row] += sum;
            }
    }
}

// All room is kept for the next time.
static bool ldl_sparse_prepare(compliance *c) {
    const st_ldl_plan *plan = &c->ldl->plan;
    const size_t all = (size_t)plan->e.supernodes, z_size = plan->most_below * ST_LDL_TILE;
    if (!sort_rows(c)) return false;

    c->groups = (c->count + ST_LDL_LANES - 1) / ST_LDL_LANES;
    if (c->groups > SIZE_MAX / all || !st_list_reserve(&c->ldl->sparse.reaches, c->groups * sizeof(reach), 1) ||
        !st_list_reserve(&c->ldl->sparse.places, c->groups * all, 1) ||
        !st_list_reserve(&c->ldl->sparse.fronts, c->groups * all, 1))
        return false;

    // what each group reaches
    c->reaches = (reach *)(void *)c->ldl->sparse.reaches.data;
    size_t total = 0;
    for (size_t g = 0; g < c->groups; g++) {
        reach *r = &c->reaches[g];
        *r = (reach){.first = g * ST_LDL_LANES};
        r->count = c->count - r->first < ST_LDL_LANES ? c->count - r->first : ST_LDL_LANES;
        r->places = c->ldl->sparse.places.data + g * all;
        r->fronts = c->ldl->sparse.fronts.data + g * all;
        find_reach(c, r);
        total += 2 * r->length * ST_LDL_LANES + ST_LDL_GROUP * z_size;
    }

    // room for U and D⁻¹ U of all groups, one after the other
    if (!st_list_reserve(&c->ldl->sparse.reals, total, 1)) return false;
    st_real *next = c->ldl->sparse.reals.data;
    for (size_t g = 0; g < c->groups; g++) {
        reach *r = &c->reaches[g];
        r->u = next;
        r->scaled = r->u + r->length * ST_LDL_LANES;
        next = r->scaled + r->length * ST_LDL_LANES;
        for (size_t k = 0; k < ST_LDL_GROUP; k++, next += z_size) r->z[k] = next;
    }

    return true;
}

st_status st_ldl_compliance(st_ldl *ldl, st_pool *pool, const st_sparse_rows *h, st_real factor, st_real *w) {
    if (!ldl->factored) return ST_FAILED;
    if (h->count == 0 || ldl->plan.n == 0 || h->starts[h->count] == 0) return ST_OK;

    compliance c = {.ldl = ldl, .h = h, .factor = factor, .w = w};
    if (!ldl_sparse_prepare(&c)) return ST_OUT_OF_MEMORY;

    st_parallel_for(pool, c.groups, 1, find_u, &c);
    st_parallel_for(pool, c.groups * (c.groups + 1) / 2, 1, add_pairs, &c);
    return ST_OK;
}
