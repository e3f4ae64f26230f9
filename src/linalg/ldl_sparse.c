// W += factor · H A⁻¹ Hᵀ with a sparse LDLᵀ factor, for many sparse rows H:
//
//     H A⁻¹ Hᵀ = Uᵀ D⁻¹ U        U = L⁻¹ P Hᵀ
//
// A column of U is not zero only in the fronts that its entries reach: those that hold them, and their ancestors. Rows
// of H are sorted by the first front that they enter, and taken in groups of ST_LDL_LANES, which then reach much the
// same fronts. Only those are stored, one after the other; of two groups, the product runs over what both reach.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "linalg/ldl.h"
#include "linalg/ldl_factor.h"

// One group of rows: the fronts that it reaches, increasing, and where they begin in its U, in pivots.
typedef struct reach {
    size_t first, count; // rows, of the sorted ones
    int32_t *fronts;
    size_t front_count;
    size_t *places;      // by front of the whole tree; SIZE_MAX: not reached
    size_t length;       // pivots, padded
    st_real *u, *scaled; // packs: [ST_LDL_GROUP][length][ST_LDL_TILE]
} reach;

typedef struct compliance {
    const st_ldl *ldl;
    const st_ldl_rows *h;
    size_t count;  // rows that have entries
    size_t *order; // these rows
    size_t groups;
    reach *reaches;
    st_real *z; // room of each group for the rows below a front
    size_t z_size;
    st_real factor;
    st_real *w;
} compliance;

typedef struct sorted_row {
    int32_t front;
    size_t row;
} sorted_row;

static int compare_rows(const void *a, const void *b) {
    const sorted_row *x = a, *y = b;
    if (x->front != y->front) return x->front < y->front ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static int32_t front_of(const st_ldl_plan *plan, int32_t column) {
    return plan->e.supernode[plan->e.position[column / plan->block]];
}

static bool sort_rows(compliance *c) {
    const st_ldl_plan *plan = &c->ldl->plan;
    sorted_row *rows = st_alloc(c->h->count, sizeof *rows);
    c->order = st_alloc(c->h->count, sizeof *c->order);
    if (rows && c->order) {
        for (size_t r = 0; r < c->h->count; r++) {
            int32_t first = INT32_MAX;
            for (size_t k = c->h->starts[r]; k < c->h->starts[r + 1]; k++) {
                const int32_t s = front_of(plan, c->h->columns[k]);
                if (s < first) first = s;
            }
            if (first < INT32_MAX) rows[c->count++] = (sorted_row){first, r};
        }
        qsort(rows, c->count, sizeof *rows, compare_rows);
        for (size_t k = 0; k < c->count; k++) c->order[k] = rows[k].row;
    }
    const bool ok = rows && c->order;
    st_free(rows);
    return ok;
}

// Marks the fronts that a group reaches, lists them and gives them places.
static bool find_reach(const compliance *c, reach *r) {
    const st_ldl_plan *plan = &c->ldl->plan;
    const size_t all = (size_t)plan->e.supernodes;
    r->places = st_alloc(all, sizeof *r->places);
    if (!r->places) return false;
    for (size_t s = 0; s < all; s++) r->places[s] = SIZE_MAX;
    for (size_t i = r->first; i < r->first + r->count; i++)
        for (size_t k = c->h->starts[c->order[i]]; k < c->h->starts[c->order[i] + 1]; k++)
            for (int32_t s = front_of(plan, c->h->columns[k]); s >= 0 && r->places[s] == SIZE_MAX;
                 s = plan->e.parent[s]) {
                r->places[s] = 0;
                r->front_count++;
            }
    r->fronts = st_alloc(r->front_count, sizeof *r->fronts);
    if (!r->fronts) return false;
    size_t next = 0;
    for (int32_t s = 0; s < plan->e.supernodes; s++) {
        if (r->places[s] == SIZE_MAX) continue;
        r->fronts[next++] = s;
        r->places[s] = r->length;
        r->length += (size_t)plan->fronts[s].pivots * ST_LDL_TILE;
    }
    r->u = st_alloc(r->length * ST_LDL_LANES, sizeof *r->u);
    r->scaled = st_alloc(r->length * ST_LDL_LANES, sizeof *r->scaled);
    return r->u && r->scaled;
}

// Pack g of the group's U at a front.
static st_real *pack_at(const reach *r, st_real *u, size_t g, int32_t s) {
    return u + (g * r->length + r->places[s]) * ST_LDL_TILE;
}

static void put_rows(const compliance *c, const reach *r) {
    const st_ldl_plan *plan = &c->ldl->plan;
    for (size_t i = 0; i < r->count; i++) {
        const size_t row = c->order[r->first + i];
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
        st_real *z[ST_LDL_GROUP], *y[ST_LDL_GROUP];
        for (size_t g = 0; g < ST_LDL_GROUP; g++) z[g] = c->z + (group * ST_LDL_GROUP + g) * c->z_size;
        put_rows(c, r);
        for (size_t k = 0; k < r->front_count; k++) {
            const int32_t s = r->fronts[k];
            const st_ldl_view f = st_ldl_view_of(ldl, s);
            for (size_t g = 0; g < ST_LDL_GROUP; g++) y[g] = pack_at(r, r->u, g, s);
            ldl->kernels->forward_many(&f, y, z);
            for (size_t g = 0; g < ST_LDL_GROUP; g++) {
                pass_on(c, r, s, g, z[g]);
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
static void multiply(const st_ldl *ldl, const reach *a, const reach *b, st_real *tiles) {
    memset(tiles, 0, ST_LDL_LANES * ST_LDL_LANES * sizeof *tiles);
    size_t i = 0, j = 0, depth;
    int32_t s = 0;
    while ((depth = next_run(&ldl->plan, a, b, &i, &j, &s)) > 0) {
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
        multiply(c->ldl, a, b, tiles);
        for (size_t k = 0; k < a->count; k++)
            for (size_t l = 0; l < b->count && (a != b || l <= k); l++) {
                const st_real *tile = tiles + (k / ST_LDL_TILE * ST_LDL_GROUP + l / ST_LDL_TILE) * ST_LDL_TILE_SCALARS;
                const st_real sum = -c->factor * tile[l % ST_LDL_TILE * ST_LDL_TILE + k % ST_LDL_TILE];
                const size_t row = c->order[a->first + k], column = c->order[b->first + l];
                c->w[row * n + column] += sum;
                if (row != column) c->w[column * n + row] += sum;
            }
    }
}

static bool prepare(compliance *c) {
    if (!sort_rows(c)) return false;
    c->groups = (c->count + ST_LDL_LANES - 1) / ST_LDL_LANES;
    c->reaches = st_alloc(c->groups, sizeof *c->reaches);
    c->z_size = c->ldl->plan.most_below * ST_LDL_TILE;
    c->z = st_alloc(c->groups * ST_LDL_GROUP, (c->z_size + 1) * sizeof *c->z);
    bool ok = c->reaches && c->z;
    for (size_t g = 0; ok && g < c->groups; g++) {
        reach *r = &c->reaches[g];
        r->first = g * ST_LDL_LANES;
        r->count = c->count - r->first < ST_LDL_LANES ? c->count - r->first : ST_LDL_LANES;
        ok = find_reach(c, r);
    }
    return ok;
}

static void release(compliance *c) {
    for (size_t g = 0; c->reaches && g < c->groups; g++) {
        st_free(c->reaches[g].fronts);
        st_free(c->reaches[g].places);
        st_free(c->reaches[g].u);
        st_free(c->reaches[g].scaled);
    }
    st_free(c->reaches);
    st_free(c->z);
    st_free(c->order);
}

st_status st_ldl_compliance(st_ldl *ldl, st_pool *pool, const st_ldl_rows *h, st_real factor, st_real *w) {
    if (!ldl->factored) return ST_FAILED;
    if (h->count == 0 || ldl->plan.n == 0 || h->starts[h->count] == 0) return ST_OK;
    compliance c = {.ldl = ldl, .h = h, .factor = factor, .w = w};
    const bool ok = prepare(&c);
    if (ok) {
        st_parallel_for(pool, c.groups, 1, find_u, &c);
        st_parallel_for(pool, c.groups * (c.groups + 1) / 2, 1, add_pairs, &c);
    }
    release(&c);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}
