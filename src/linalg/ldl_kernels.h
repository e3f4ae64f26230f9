// Dense kernels of the LDLᵀ factorization, for one front.
//
// A front is stored in strips of ST_LDL_TILE rows, column by column: a strip is what a register holds of each column.
//
//     columns:   pivots, padded to whole tiles     rows below, padded
//              +----+                                                     tile = ST_LDL_TILE × ST_LDL_TILE scalars
//      strip 0 |tile|
//      strip 1 |tile tile|                     `panel`: strips of pivot rows end with their diagonal tile,
//      ...     |tile tile tile|                         those below have all pivot columns
//              +--------------+---+
//              |              |   |            `update`: the rows below among themselves, lower triangle of tiles
//              |              |       |
//              +--------------+----------+
//
// Element (row, column) of a strip is at column * ST_LDL_TILE + row % ST_LDL_TILE. After the factorization the
// panel holds L without its unit diagonal: diagonal tiles are strictly lower triangular. Padded pivots are 1 and touch
// nothing.
//
// With U = L D, the elimination of a block of pivots is update -= U Lᵀ; U of the block at hand is kept in `u`. Every
// element is computed by the same operations in the same order however rows are grouped or shared among threads.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_LDL_KERNELS_H
#define SETTEE_LINALG_LDL_KERNELS_H

#include "math/simd.h"
#include "settee/types.h"

enum {
#ifdef SETTEE_REAL_FLOAT
    ST_LDL_TILE = 8,
#else
    ST_LDL_TILE = 4,
#endif
    ST_LDL_TILE_SCALARS = ST_LDL_TILE * ST_LDL_TILE,
    ST_LDL_BLOCK = 48, // pivots that are eliminated together
    ST_LDL_BLOCK_TILES = ST_LDL_BLOCK / ST_LDL_TILE,
    ST_LDL_GROUP = 3,                          // strips, or packs of right-hand sides, that a kernel takes at once
    ST_LDL_LANES = ST_LDL_GROUP * ST_LDL_TILE, // right-hand sides in such a group
};

typedef struct st_ldl_view {
    st_real *panel;
    st_real *update;
    size_t pivots;    // tiles of pivot columns
    size_t below;     // tiles of rows below
    st_real *u;       // room for st_ldl_u_size reals
    st_real *inverse; // 1 / D, of the padded pivots
    st_real *tiny;    // of each padded pivot: it is none when it is not above this in magnitude
    size_t failed;    // first pivot that is none; SIZE_MAX
} st_ldl_view;

// Strip t of the panel: pivot rows first, then those below.
static inline st_real *st_ldl_strip(const st_ldl_view *f, size_t t) {
    if (t < f->pivots) return f->panel + t * (t + 1) / 2 * ST_LDL_TILE_SCALARS;
    return f->panel + (f->pivots * (f->pivots + 1) / 2 + (t - f->pivots) * f->pivots) * ST_LDL_TILE_SCALARS;
}

// Strip t of the update matrix.
static inline st_real *st_ldl_update_strip(const st_ldl_view *f, size_t t) {
    return f->update + t * (t + 1) / 2 * ST_LDL_TILE_SCALARS;
}

static inline size_t st_ldl_panel_size(size_t pivots, size_t below) {
    return (pivots * (pivots + 1) / 2 + below * pivots) * ST_LDL_TILE_SCALARS;
}
static inline size_t st_ldl_update_size(size_t below) { return below * (below + 1) / 2 * ST_LDL_TILE_SCALARS; }

// Room for U of a block of pivots.
static inline size_t st_ldl_u_size(size_t pivots, size_t below) {
    return (pivots + below) * ST_LDL_TILE * ST_LDL_BLOCK;
}

typedef struct st_ldl_kernels {
    // Pivot tiles [first, end): the block on the diagonal; a pivot that is none becomes 1 and is noted in `failed`.
    void (*factor_block)(st_ldl_view *f, size_t first, size_t end);
    // The rows of strips [t, t_end) below that block.
    void (*solve_rows)(const st_ldl_view *f, size_t first, size_t end, size_t t, size_t t_end);
    // What that block takes off the rest of these strips; they are all of pivot rows, or all below.
    void (*update_rows)(const st_ldl_view *f, size_t first, size_t end, size_t t, size_t t_end);
    // y = L₁⁻¹ y for the pivots, z = -L₂ y for the rows below.
    void (*forward)(const st_ldl_view *f, st_real *y, st_real *z);
    // y = L₁⁻ᵀ (y - L₂ᵀ z). `sums` is room for a pack for each pivot.
    void (*backward)(const st_ldl_view *f, st_real *y, const st_real *z, st_real *sums);
    // The same for ST_LDL_GROUP packs of right-hand sides: y[g][p * ST_LDL_TILE + lane].
    void (*forward_many)(const st_ldl_view *f, st_real *const y[ST_LDL_GROUP], st_real *const z[ST_LDL_GROUP]);
    void (*backward_many)(const st_ldl_view *f, st_real *const y[ST_LDL_GROUP], const st_real *const z[ST_LDL_GROUP]);
    // c[g] -= a[g] bᵀ for strips of `depth` columns; c[g] is a tile.
    void (*subtract_products)(size_t depth, const st_real *const a[ST_LDL_GROUP], const st_real *b,
                              st_real *const c[ST_LDL_GROUP]);
} st_ldl_kernels;

extern const st_ldl_kernels st_ldl_kernels_portable;
#ifdef __x86_64__
extern const st_ldl_kernels st_ldl_kernels_fma;
#endif

// The best kernels for this machine.
static inline const st_ldl_kernels *st_ldl_choose_kernels(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &st_ldl_kernels_fma;
#endif
    return &st_ldl_kernels_portable;
}

#endif
