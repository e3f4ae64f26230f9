// Solves with a sparse LDLᵀ factor:
//
//     1. y = P b
//     2. y = L⁻¹ y, from the leaves of the tree up
//     3. y = D⁻¹ y
//     4. y = L⁻ᵀ y, down again
//     5. x = Pᵀ y
//
// Vectors are in the order of elimination and padded like the pivots of the fronts. Several right-hand sides go through
// L together, a pack of them for each unknown: L is read once for ST_LDL_LANES of them. A front whose pivots are zero
// in all of them changes nothing and is left out, so right-hand sides with few entries cost half.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "linalg/ldl.h"
#include "linalg/ldl_factor.h"

// ---- one right-hand side --------------------------------------------------------------------------------------------

// The rows below a front, b scalars each: to[row] += from, and to = from[row].
static inline void scatter_rows(const st_ldl_plan *plan, int32_t s, size_t b, const st_real *from, st_real *y) {
    for (size_t t = plan->e.row_starts[s]; t < plan->e.row_starts[s + 1]; t++, from += b) {
        st_real *to = y + plan->places[plan->e.rows[t]];
        for (size_t c = 0; c < b; c++) to[c] += from[c];
    }
}

static inline st_real *gather_rows(const st_ldl_plan *plan, int32_t s, size_t b, const st_real *y, st_real *to) {
    for (size_t t = plan->e.row_starts[s]; t < plan->e.row_starts[s + 1]; t++, to += b) {
        const st_real *from = y + plan->places[plan->e.rows[t]];
        for (size_t c = 0; c < b; c++) to[c] = from[c];
    }
    return to;
}

static void forward(st_ldl *ldl, st_real *y, st_real *z) {
    const st_ldl_plan *plan = &ldl->plan;
    for (int32_t s = 0; s < plan->e.supernodes; s++) {
        const st_ldl_view f = st_ldl_view_of(ldl, s);
        ldl->kernels->forward(&f, y + plan->fronts[s].place, z);
        if (plan->block == 3) scatter_rows(plan, s, 3, z, y);
        else scatter_rows(plan, s, (size_t)plan->block, z, y);
    }
}

static void ldl_solve_backward(st_ldl *ldl, st_real *y, st_real *z, st_real *sums) {
    const st_ldl_plan *plan = &ldl->plan;
    for (int32_t s = plan->e.supernodes - 1; s >= 0; s--) {
        const st_ldl_view f = st_ldl_view_of(ldl, s);
        st_real *end =
            plan->block == 3 ? gather_rows(plan, s, 3, y, z) : gather_rows(plan, s, (size_t)plan->block, y, z);
        // rows that fill up the last tile
        while (end < z + f.below * ST_LDL_TILE) *end++ = 0;
        ldl->kernels->backward(&f, y + plan->fronts[s].place, z, sums);
    }
}

st_status st_ldl_solve(st_ldl *ldl, const st_real *b, st_real *x) {
    if (!ldl->factored) return ST_FAILED;
    const st_ldl_plan *plan = &ldl->plan;
    const size_t width = (size_t)plan->block;

    // A padded vector, then room for the rows below a front and for sums of pivots.
    st_real *y = ldl->numbers + plan->vectors, *z = y + plan->padded, *sums = z + plan->most_below;

    // y = P b
    memset(y, 0, plan->padded * sizeof *y);
    for (int32_t k = 0; k < plan->n; k++) {
        const st_real *from = b + (size_t)plan->e.permutation[k] * width;
        for (size_t c = 0; c < width; c++) y[plan->places[k] + c] = from[c];
    }

    // L y = y,  y = D⁻¹ y,  Lᵀ y = y
    forward(ldl, y, z);
    for (size_t p = 0; p < plan->padded; p++) y[p] *= ldl->inverse[p];
    ldl_solve_backward(ldl, y, z, sums);

    // x = Pᵀ y
    for (int32_t k = 0; k < plan->n; k++) {
        st_real *to = x + (size_t)plan->e.permutation[k] * width;
        for (size_t c = 0; c < width; c++) to[c] = y[plan->places[k] + c];
    }

    return ST_OK;
}

// ---- many -----------------------------------------------------------------------------------------------------------

typedef struct many {
    const st_ldl *ldl;
    size_t count;
    const st_real *b;
    st_real *x;
} many;

// ST_LDL_LANES right-hand sides: packs y[g], and room z[g] for the rows below a front.
typedef struct lanes {
    st_real *y[ST_LDL_GROUP], *z[ST_LDL_GROUP];
} lanes;

static size_t lane_room(const st_ldl_plan *plan) { return (plan->padded + plan->most_below) * ST_LDL_LANES; }

static lanes make_lanes(const st_ldl *ldl, size_t group) {
    lanes l;
    const size_t part = lane_room(&ldl->plan) / ST_LDL_GROUP;

    for (size_t g = 0; g < ST_LDL_GROUP; g++) {
        l.y[g] = ldl->lanes.data + group * lane_room(&ldl->plan) + g * part;
        l.z[g] = l.y[g] + ldl->plan.padded * ST_LDL_TILE;
        memset(l.y[g], 0, part * sizeof **l.y);
    }

    return l;
}

static void read_lane(const many *m, size_t index, st_real *lane) {
    const st_ldl_plan *plan = &m->ldl->plan;
    const size_t width = (size_t)plan->block;
    for (int32_t k = 0; k < plan->n; k++) {
        const st_real *from = m->b + index * (size_t)plan->n * width + (size_t)plan->e.permutation[k] * width;
        for (size_t c = 0; c < width; c++) lane[(plan->places[k] + c) * ST_LDL_TILE] = from[c];
    }
}

static void write_lane(const many *m, size_t index, const st_real *lane) {
    const st_ldl_plan *plan = &m->ldl->plan;
    const size_t width = (size_t)plan->block;
    for (int32_t k = 0; k < plan->n; k++) {
        st_real *to = m->x + index * (size_t)plan->n * width + (size_t)plan->e.permutation[k] * width;
        for (size_t c = 0; c < width; c++) to[c] = lane[(plan->places[k] + c) * ST_LDL_TILE];
    }
}

static bool all_zero(st_real *const y[ST_LDL_GROUP], size_t count) {
    for (size_t g = 0; g < ST_LDL_GROUP; g++)
        for (size_t k = 0; k < count; k++)
            if (y[g][k] != 0) return false;
    return true;
}

static void forward_lanes(const st_ldl *ldl, const lanes *l) {
    const st_ldl_plan *plan = &ldl->plan;
    const size_t pack = (size_t)plan->block * ST_LDL_TILE;

    for (int32_t s = 0; s < plan->e.supernodes; s++) {
        const st_ldl_view f = st_ldl_view_of(ldl, s);

        st_real *y[ST_LDL_GROUP];
        for (size_t g = 0; g < ST_LDL_GROUP; g++) y[g] = l->y[g] + plan->fronts[s].place * ST_LDL_TILE;
        if (all_zero(y, f.pivots * ST_LDL_TILE_SCALARS)) continue;

        // the pivots, then what they pass on to the rows below
        ldl->kernels->forward_many(&f, y, l->z);
        for (size_t g = 0; g < ST_LDL_GROUP; g++) {
            const st_real *from = l->z[g];
            for (size_t t = plan->e.row_starts[s]; t < plan->e.row_starts[s + 1]; t++, from += pack) {
                st_real *to = l->y[g] + plan->places[plan->e.rows[t]] * ST_LDL_TILE;
                for (size_t c = 0; c < pack; c++) to[c] += from[c];
            }
        }
    }
}

static void backward_lanes(const st_ldl *ldl, const lanes *l) {
    const st_ldl_plan *plan = &ldl->plan;
    const size_t pack = (size_t)plan->block * ST_LDL_TILE;

    for (int32_t s = plan->e.supernodes - 1; s >= 0; s--) {
        const st_ldl_view f = st_ldl_view_of(ldl, s);

        // what the rows below have come to, then the pivots
        st_real *y[ST_LDL_GROUP];
        const st_real *z[ST_LDL_GROUP];
        for (size_t g = 0; g < ST_LDL_GROUP; g++) {
            y[g] = l->y[g] + plan->fronts[s].place * ST_LDL_TILE;
            z[g] = l->z[g];
            st_real *to = l->z[g];
            for (size_t t = plan->e.row_starts[s]; t < plan->e.row_starts[s + 1]; t++, to += pack)
                memcpy(to, l->y[g] + plan->places[plan->e.rows[t]] * ST_LDL_TILE, pack * sizeof *to);
            while (to < l->z[g] + f.below * ST_LDL_TILE_SCALARS) *to++ = 0;
        }
        ldl->kernels->backward_many(&f, y, z);
    }
}

static void solve_groups(void *context, size_t begin, size_t end) {
    const many *m = context;
    const st_ldl *ldl = m->ldl;

    for (size_t group = begin; group < end; group++) {
        const size_t first = group * ST_LDL_LANES;
        const size_t used = m->count - first < ST_LDL_LANES ? m->count - first : ST_LDL_LANES;
        const lanes l = make_lanes(ldl, group);
        for (size_t i = 0; i < used; i++) read_lane(m, first + i, l.y[i / ST_LDL_TILE] + i % ST_LDL_TILE);

        forward_lanes(ldl, &l);

        // D⁻¹
        for (size_t g = 0; g < ST_LDL_GROUP; g++)
            for (size_t p = 0; p < ldl->plan.padded; p++)
                for (size_t c = 0; c < ST_LDL_TILE; c++) l.y[g][p * ST_LDL_TILE + c] *= ldl->inverse[p];

        backward_lanes(ldl, &l);
        for (size_t i = 0; i < used; i++) write_lane(m, first + i, l.y[i / ST_LDL_TILE] + i % ST_LDL_TILE);
    }
}

st_status st_ldl_solve_many(st_ldl *ldl, st_pool *pool, size_t count, const st_real *b, st_real *x) {
    if (!ldl->factored) return ST_FAILED;
    if (count == 0 || ldl->plan.n == 0) return ST_OK;
    many m = {.ldl = ldl, .count = count, .b = b, .x = x};

    const size_t groups = (count - 1) / ST_LDL_LANES + 1, room = lane_room(&ldl->plan);
    if (groups > SIZE_MAX / room || !st_list_reserve(&ldl->lanes, groups * room, 1)) return ST_OUT_OF_MEMORY;
    st_parallel_for(pool, groups, 1, solve_groups, &m);

    return ST_OK;
}
