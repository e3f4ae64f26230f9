// The kernels of ldl_kernels.h, compiled for any machine and for AVX2 with fused multiply-add (math/simd.h).
//
// The work is done by `product`: in registers, 3 × 4 packs minus the product of three strips of rows with four rows of
// a fourth strip. Short loops with constant bounds are unrolled by the compiler.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/ldl_kernels.h"

#include <tgmath.h>
#ifdef __FMA__
#include <immintrin.h>
#endif

// A pack of ST_LDL_TILE reals, splat() to fill one, fnma(a, b, c) = c - a b and fma_(a, b, c) = c + a b.
#if defined(__FMA__) && defined(SETTEE_REAL_FLOAT)
typedef __m256 vec;
#define splat(value) _mm256_set1_ps(value)
#define fnma(a, b, c) _mm256_fnmadd_ps(a, b, c)
#define fma_(a, b, c) _mm256_fmadd_ps(a, b, c)
#elif defined(__FMA__)
typedef __m256d vec;
#define splat(value) _mm256_set1_pd(value)
#define fnma(a, b, c) _mm256_fnmadd_pd(a, b, c)
#define fma_(a, b, c) _mm256_fmadd_pd(a, b, c)
#else
typedef st_real vec __attribute__((vector_size(ST_LDL_TILE * sizeof(st_real))));
#define splat(value) ((vec){0} + (st_real)(value))
#define fnma(a, b, c) ((c) - (a) * (b))
#define fma_(a, b, c) ((c) + (a) * (b))
#endif

enum { T = ST_LDL_TILE, TT = ST_LDL_TILE_SCALARS, N = 4 }; // N columns of a result in registers

#define INLINE static inline __attribute__((always_inline))

INLINE vec load(const st_real *a) { return *(const vec *)(const void *)a; }
INLINE void store(st_real *a, vec v) { *(vec *)(void *)a = v; }

// c[i][j] -= Σ_p a[i][p] b[j][p], with rows i of S strips and N rows j of the strip b.
INLINE void product(int S, size_t depth, const st_real *a0, const st_real *a1, const st_real *a2, const st_real *b,
                    vec c[3][N]) {
    for (size_t p = 0; p < depth; p++) {
        const vec x0 = load(a0 + p * T), x1 = S > 1 ? load(a1 + p * T) : x0, x2 = S > 2 ? load(a2 + p * T) : x0;
        for (int j = 0; j < N; j++) {
            const vec y = splat(b[p * T + (size_t)j]);
            c[0][j] = fnma(x0, y, c[0][j]);
            if (S > 1) c[1][j] = fnma(x1, y, c[1][j]);
            if (S > 2) c[2][j] = fnma(x2, y, c[2][j]);
        }
    }
}

// ---- factorization --------------------------------------------------------------------------------------------------

// Columns [begin, end) of a block for S strips of rows: U from A = U L₁ᵀ, then L = U D⁻¹. Row q of L₁ is in strip
// first + q / T.
INLINE void solve_strips(int S, const st_ldl_view *f, size_t first, size_t begin, size_t end, st_real *const l[3],
                         st_real *const u[3]) {
    const st_real *inverse = f->inverse + first * T;

    for (size_t q = begin; q < end; q += N) {
        const st_real *b = st_ldl_strip(f, first + q / T) + first * TT + q % T;
        vec c[3][N];

        // A minus what the columns before q take off
        for (int i = 0; i < S; i++)
            for (int j = 0; j < N; j++) c[i][j] = load(l[i] + (q + (size_t)j) * T);
        product(S, q, u[0], u[1], u[2], b, c);

        // the triangle of L₁ within these N columns
        for (int j = 1; j < N; j++)
            for (int k = 0; k < j; k++) {
                const vec y = splat(b[(q + (size_t)k) * T + (size_t)j]);
                for (int i = 0; i < S; i++) c[i][j] = fnma(c[i][k], y, c[i][j]);
            }

        // U, and L = U D⁻¹
        for (int j = 0; j < N; j++) {
            const vec d = splat(inverse[q + (size_t)j]);
            for (int i = 0; i < S; i++) {
                store(u[i] + (q + (size_t)j) * T, c[i][j]);
                store(l[i] + (q + (size_t)j) * T, c[i][j] * d);
            }
        }
    }
}

// One diagonal tile; `l` and `u` point to its first column in the strip, depth columns of the block are before it.
static void factor_tile(st_ldl_view *f, size_t tile, size_t depth, st_real *l, st_real *u) {
    st_real *inverse = f->inverse + tile * T;
    const st_real *tiny = f->tiny + tile * T;

    for (size_t q = 0; q < T; q += N) {
        vec c[3][N];

        // A minus what the columns before q take off
        for (int j = 0; j < N; j++) c[0][j] = load(l + (q + (size_t)j) * T);
        product(1, depth + q, u - depth * T, NULL, NULL, l - depth * T + q, c);

        // pivot by pivot within these N columns
        for (int j = 0; j < N; j++) {
            const size_t k = q + (size_t)j;
            st_real column[T] __attribute__((aligned(sizeof(vec))));
            store(column, c[0][j]);

            st_real pivot = column[k];
            if (!(fabs(pivot) > tiny[k] && fabs(pivot) <= ST_REAL_MAX)) {
                if (f->failed == SIZE_MAX) f->failed = tile * T + k;
                pivot = 1;
            }

            inverse[k] = 1 / pivot;

            // U below the pivot, L = U / pivot; the diagonal and what is above are stored as zeros
            for (size_t i = 0; i <= k; i++) column[i] = 0;
            const vec below = load(column);
            store(u + k * T, below);
            for (size_t i = 0; i < T; i++) column[i] *= inverse[k];
            store(l + k * T, load(column));

            // off the columns that are left
            for (int m = j + 1; m < N; m++) c[0][m] = fnma(below, splat(column[q + (size_t)m]), c[0][m]);
        }
    }
}

// Columns [begin, end) of the block for the strips [t, t_end).
INLINE void solve_columns(const st_ldl_view *f, size_t first, size_t begin, size_t end, size_t t, size_t t_end) {
    while (t < t_end) {
        const size_t count = t_end - t < 3 ? t_end - t : 3;
        st_real *l[3] = {0}, *u[3] = {0};
        for (size_t i = 0; i < count; i++) {
            l[i] = st_ldl_strip(f, t + i) + first * TT;
            u[i] = f->u + (t + i - first) * T * ST_LDL_BLOCK;
        }

        if (count == 3) solve_strips(3, f, first, begin, end, l, u);
        else if (count == 2) solve_strips(2, f, first, begin, end, l, u);
        else solve_strips(1, f, first, begin, end, l, u);

        t += count;
    }
}

// Tile after tile on the diagonal, each with the column below it: three strips at a time keep the units busy while one
// would wait for itself.
static void factor_block(st_ldl_view *f, size_t first, size_t end) {
    for (size_t t = first; t < end; t++) {
        const size_t depth = (t - first) * T;
        factor_tile(f, t, depth, st_ldl_strip(f, t) + t * TT, f->u + (t - first) * (T * ST_LDL_BLOCK + TT));
        solve_columns(f, first, depth, depth + T, t + 1, end);
    }
}

static void solve_rows(const st_ldl_view *f, size_t first, size_t end, size_t t, size_t t_end) {
    solve_columns(f, first, 0, (end - first) * T, t, t_end);
}

// Tiles c[i] -= U[i] Lᵀ for S strips.
INLINE void update_tiles(int S, size_t depth, const st_real *const u[3], const st_real *l, st_real *const c[3]) {
    for (size_t q = 0; q < T; q += N) {
        vec r[3][N];
        for (int i = 0; i < S; i++)
            for (int j = 0; j < N; j++) r[i][j] = load(c[i] + (q + (size_t)j) * T);
        product(S, depth, u[0], u[1], u[2], l + q, r);
        for (int i = 0; i < S; i++)
            for (int j = 0; j < N; j++) store(c[i] + (q + (size_t)j) * T, r[i][j]);
    }
}

// Columns [j, j_end) of tiles for `count` strips; `l` is the strip of L that belongs to the first column, `stride`
// leads to the next, and 1 tile more for each when `growing` (strips of pivot rows grow).
static void update_columns(size_t count, size_t depth, const st_real *const u[3], const st_real *l, size_t stride,
                           size_t columns, st_real *const c[3], size_t growing) {
    st_real *d[3] = {c[0], c[1], c[2]};

    for (size_t j = 0; j < columns; j++) {
        if (count == 3) update_tiles(3, depth, u, l, d);
        else if (count == 2) update_tiles(2, depth, u, l, d);
        else update_tiles(1, depth, u, l, d);

        l += stride + j * growing;
        for (size_t i = 0; i < count; i++) d[i] += TT;
    }
}

// The triangle that closes a group of strips in the lower triangle: tile (i, k) with 0 < k ≤ i.
static void update_corner(size_t count, size_t depth, const st_real *const u[3], const st_real *const l[3],
                          st_real *const c[3]) {
    for (size_t k = 1; k < count; k++)
        for (size_t i = k; i < count; i++) {
            const st_real *const ui[3] = {u[i], NULL, NULL};
            st_real *const ci[3] = {c[i] + k * TT, NULL, NULL};
            update_tiles(1, depth, ui, l[k], ci);
        }
}

static void update_rows(const st_ldl_view *f, size_t first, size_t end, size_t t, size_t t_end) {
    const size_t depth = (end - first) * T;
    const bool pivots = t < f->pivots;

    while (t < t_end) {
        const size_t count = t_end - t < 3 ? t_end - t : 3;
        const st_real *u[3] = {0}, *l[3] = {0};
        st_real *c[3] = {0};

        for (size_t i = 0; i < count; i++) {
            u[i] = f->u + (t + i - first) * T * ST_LDL_BLOCK;
            l[i] = st_ldl_strip(f, t + i) + first * TT;
            c[i] = st_ldl_strip(f, t + i) + end * TT;
        }

        // Pivot columns that are not eliminated yet; those of pivot rows end with the diagonal tile of the first strip.
        const size_t rest = pivots ? t + 1 - end : f->pivots - end, corner = pivots ? t - end : t - f->pivots;
        if (rest > 0) update_columns(count, depth, u, st_ldl_strip(f, end) + first * TT, (end + 1) * TT, rest, c, TT);

        // rows below: the triangle of `update`, up to the diagonal of the first strip
        if (!pivots) {
            for (size_t i = 0; i < count; i++) c[i] = st_ldl_update_strip(f, corner + i);
            update_columns(count, depth, u, st_ldl_strip(f, f->pivots) + first * TT, f->pivots * TT, corner + 1, c, 0);
        }

        // the other tiles on and below the diagonal of these strips
        for (size_t i = 0; i < count; i++) c[i] += corner * TT;
        update_corner(count, depth, u, l, c);

        t += count;
    }
}

// ---- one right-hand side --------------------------------------------------------------------------------------------

// A solve does two operations for each number of L that it reads, so it is as fast as L comes. Forward reads the panels
// from the first byte to the last and backward from the last to the first, one number after the other: that is what
// makes the memory deliver. (Four strips at a time need fewer additions, and take twice as long when L is not in a cache.)

// v - Σ_p strip[p] y[p]: several sums at a time, since one waits for its own last step.
INLINE vec multiply_strip(size_t tiles, const st_real *strip, const st_real *y, vec v) {
    vec sum[4] = {v};
    for (size_t p = 0; p < tiles * T; p += 4)
        for (size_t k = 0; k < 4; k++) sum[k] = fnma(load(strip + (p + k) * T), splat(y[p + k]), sum[k]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The unit lower triangle of one tile; v is the right-hand side and the solution.
INLINE vec solve_tile(const st_real *tile, vec v) {
    for (size_t k = 0; k < T; k++) v = fnma(load(tile + k * T), splat(v[k]), v);
    return v;
}

static void forward(const st_ldl_view *f, st_real *y, st_real *z) {
    const st_real *strip = f->panel;
    for (size_t t = 0; t < f->pivots; t++, strip += t * TT)
        store(y + t * T, solve_tile(strip + t * TT, multiply_strip(t, strip, y, load(y + t * T))));

    for (size_t t = 0; t < f->below; t++, strip += f->pivots * TT)
        store(z + t * T, multiply_strip(f->pivots, strip, y, splat(0)));
}

// sums[p] += strip[p] x, in packs: what the rows of a strip take off column p is the sum over a pack, which is made when
// the column's turn comes.
INLINE void add_strip(size_t tiles, const st_real *strip, vec x, st_real *sums) {
    for (size_t p = tiles * TT; p > 0;) {
        p -= 4 * T;
        for (size_t k = 4 * T; k > 0;) {
            k -= T;
            store(sums + p + k, fma_(load(strip + p + k), x, load(sums + p + k)));
        }
    }
}

// Rows of a tile.
INLINE void transpose(const st_real *tile, vec rows[T]) {
#ifdef SETTEE_REAL_FLOAT
    for (size_t r = 0; r < T; r++)
        for (size_t k = 0; k < T; k++) rows[r][k] = tile[k * T + r];
#else
    const vec a = load(tile), b = load(tile + T), c = load(tile + 2 * T), d = load(tile + 3 * T);
    const vec even = __builtin_shufflevector(a, b, 0, 4, 2, 6), odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const vec even2 = __builtin_shufflevector(c, d, 0, 4, 2, 6), odd2 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    rows[0] = __builtin_shufflevector(even, even2, 0, 1, 4, 5);
    rows[1] = __builtin_shufflevector(odd, odd2, 0, 1, 4, 5);
    rows[2] = __builtin_shufflevector(even, even2, 2, 3, 6, 7);
    rows[3] = __builtin_shufflevector(odd, odd2, 2, 3, 6, 7);
#endif
}

// v minus the sums over T packs, then the transposed unit triangle of one tile.
INLINE vec solve_tile_transposed(const st_real *tile, const st_real *sums, vec v) {
    vec rows[T];
    transpose(sums, rows);
    for (size_t r = 1; r < T; r++) rows[0] += rows[r];
    v -= rows[0];

    transpose(tile, rows);
    for (size_t r = T; r-- > 1;) v = fnma(rows[r], splat(v[r]), v);
    return v;
}

static void backward(const st_ldl_view *f, st_real *y, const st_real *z, st_real *sums) {
    for (size_t p = 0; p < f->pivots * TT; p += T) store(sums + p, splat(0));

    // what the rows below take off
    const st_real *strip = st_ldl_strip(f, f->pivots);
    for (size_t t = f->below; t-- > 0;) add_strip(f->pivots, strip + t * f->pivots * TT, load(z + t * T), sums);

    // pivots from the last to the first; each takes off those before it
    for (size_t t = f->pivots; t-- > 0;) {
        strip = st_ldl_strip(f, t);
        const vec x = solve_tile_transposed(strip + t * TT, sums + t * TT, load(y + t * T));
        store(y + t * T, x);
        add_strip(t, strip, x, sums);
    }
}

// ---- many right-hand sides ------------------------------------------------------------------------------------------

static void forward_many(const st_ldl_view *f, st_real *const y[3], st_real *const z[3]) {
    for (size_t q = 0; q < f->pivots * T; q += N) {
        const st_real *b = st_ldl_strip(f, q / T) + q % T;
        vec c[3][N];

        // y minus what the rows before q take off
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < N; j++) c[i][j] = load(y[i] + (q + (size_t)j) * T);
        product(3, q, y[0], y[1], y[2], b, c);

        // the triangle of L₁ within these N rows
        for (int j = 1; j < N; j++)
            for (int k = 0; k < j; k++) {
                const vec l = splat(b[(q + (size_t)k) * T + (size_t)j]);
                for (int i = 0; i < 3; i++) c[i][j] = fnma(c[i][k], l, c[i][j]);
            }

        for (int i = 0; i < 3; i++)
            for (int j = 0; j < N; j++) store(y[i] + (q + (size_t)j) * T, c[i][j]);
    }

    // z = −L₂ y
    for (size_t q = 0; q < f->below * T; q += N) {
        const st_real *b = st_ldl_strip(f, f->pivots + q / T) + q % T;
        vec c[3][N] = {{{0}}};
        product(3, f->pivots * T, y[0], y[1], y[2], b, c);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < N; j++) store(z[i] + (q + (size_t)j) * T, c[i][j]);
    }
}

// c[i][j] -= Σ_r a[i][r] strip[column j][r] for rows [begin, T) of one strip.
INLINE void product_transposed(size_t begin, const st_real *a0, const st_real *a1, const st_real *a2,
                               const st_real *strip, vec c[3][N]) {
    for (size_t r = begin; r < T; r++) {
        const vec x0 = load(a0 + r * T), x1 = load(a1 + r * T), x2 = load(a2 + r * T);
        for (int j = 0; j < N; j++) {
            const vec l = splat(strip[(size_t)j * T + r]);
            c[0][j] = fnma(x0, l, c[0][j]);
            c[1][j] = fnma(x1, l, c[1][j]);
            c[2][j] = fnma(x2, l, c[2][j]);
        }
    }
}

static void backward_many(const st_ldl_view *f, st_real *const y[3], const st_real *const z[3]) {
    for (size_t q = f->pivots * T; q > 0;) {
        q -= N;
        vec c[3][N];
        // y minus what the rows below and later pivots take off
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < N; j++) c[i][j] = load(y[i] + (q + (size_t)j) * T);

        const st_real *strip = st_ldl_strip(f, f->pivots) + q * T;
        for (size_t t = 0; t < f->below; t++, strip += f->pivots * TT)
            product_transposed(0, z[0] + t * TT, z[1] + t * TT, z[2] + t * TT, strip, c);
        for (size_t t = q / T + 1; t < f->pivots; t++)
            product_transposed(0, y[0] + t * TT, y[1] + t * TT, y[2] + t * TT, st_ldl_strip(f, t) + q * T, c);

        // the rest of the own tile, then the triangle within these N rows
        const size_t t = q / T;
        const st_real *own = st_ldl_strip(f, t) + q * T;
        product_transposed(q % T + N, y[0] + t * TT, y[1] + t * TT, y[2] + t * TT, own, c);
        for (int j = N - 2; j >= 0; j--)
            for (int k = j + 1; k < N; k++) {
                const vec l = splat(own[(size_t)j * T + q % T + (size_t)k]);
                for (int i = 0; i < 3; i++) c[i][j] = fnma(c[i][k], l, c[i][j]);
            }

        for (int i = 0; i < 3; i++)
            for (int j = 0; j < N; j++) store(y[i] + (q + (size_t)j) * T, c[i][j]);
    }
}

static void subtract_products(size_t depth, const st_real *const a[3], const st_real *b, st_real *const c[3]) {
    update_tiles(3, depth, a, b, c);
}

const st_ldl_kernels ST_KERNEL(st_ldl_kernels) = {
    .factor_block = factor_block,
    .solve_rows = solve_rows,
    .update_rows = update_rows,
    .forward = forward,
    .backward = backward,
    .forward_many = forward_many,
    .backward_many = backward_many,
    .subtract_products = subtract_products,
};
