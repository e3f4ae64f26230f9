// How one block of rows is solved when an iterative solver visits it. d is the violation with the present forces of all
// rows, w the block's own part of W.
//
//     equality            f ← f − load w⁻¹ d                                (1, 3 or N rows at once)
//     unilateral          f ← max(0, f − d / w)
//     friction            f_n as unilateral; with it d_t changes by w_tn Δf_n; f_t ← f_t − 2 d_t / (w_tt + w_ss), cut
//                         back to the cone |f_t| ≤ µ f_n
//     augmented friction  f_n ← max(0, f_n − ε d_n), f_t by the same step or along the sliding direction
//     interval            f = 0 inside, else what brings d back to the bound
//
// A row without compliance (w = 0: nothing that it acts on can move) keeps its force.
//
// SPDX-License-Identifier: Apache-2.0
#include "law/resolution.h"

#include "base/array.h"
#include "math/decompose.h"
#include "math/dense.h"

// ---------------------------------------------------------------------------------------------------
// Equalities
// ---------------------------------------------------------------------------------------------------

static void resolution_recall(const st_resolution *r, st_real *f) {
    if (r->memory) st_copy_reals(f, r->memory, r->count);
}

static void init_1(st_resolution *r, const st_real *w, size_t stride, st_real *f) {
    (void)w, (void)stride;
    resolution_recall(r, f);
}

static void equality_1(const st_resolution *r, const st_real *w, size_t stride, st_real *d, st_real *f) {
    (void)r, (void)stride;
    if (w[0] != 0) f[0] -= d[0] / w[0];
}

static size_t work_3(size_t count) {
    (void)count;
    return 9;
}

static void adjugate(st_real inverse[9], const st_real m[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            inverse[3 * i + j] = m[3 * a + c] * m[3 * b + d] - m[3 * a + d] * m[3 * b + c];
        }
}

// The pseudo-inverse of a block whose directions cannot all be moved: eigenvalues that vanish stay out.
static void pseudo_inverse(st_real inverse[9], const st_real m[9]) {
    st_real values[3], vectors[9], largest = 0;
    memset(inverse, 0, 9 * sizeof *inverse);
    if (!st_mat3_eigen(values, vectors, m)) return;

    // Σ v vᵀ / λ over the eigenvalues that count
    for (int k = 0; k < 3; k++) largest = st_max(largest, fabs(values[k]));
    for (int k = 0; k < 3; k++) {
        if (fabs(values[k]) <= 100 * ST_REAL_EPSILON * largest) continue;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) inverse[3 * i + j] += vectors[3 * i + k] * vectors[3 * j + k] / values[k];
    }
}

static void init_3(st_resolution *r, const st_real *w, size_t stride, st_real *f) {
    st_real m[9], scale = 1;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) m[3 * i + j] = w[i * stride + j];

    // singular: a determinant far below the product of the diagonal
    const st_real det = m[0] * m[4] * m[8] + m[3] * m[7] * m[2] + m[6] * m[1] * m[5] - m[0] * m[7] * m[5] -
                        m[3] * m[1] * m[8] - m[6] * m[4] * m[2];
    for (int i = 0; i < 3; i++) scale *= fabs(m[4 * i]);

    resolution_recall(r, f);
    memset(r->work, 0, 9 * sizeof *r->work);
    if (!(fabs(det) > 1000 * ST_REAL_EPSILON * scale)) {
        pseudo_inverse(r->work, m);
        return;
    }

    // the inverse by Cramer's rule
    adjugate(r->work, m);
    for (int i = 0; i < 9; i++) r->work[i] /= det;
}

static void equality_3(const st_resolution *r, const st_real *w, size_t stride, st_real *d, st_real *f) {
    (void)w, (void)stride;
    for (int i = 0; i < 3; i++) {
        const st_real *row = r->work + 3 * i;
        f[i] -= r->load * (row[0] * d[0] + row[1] * d[1] + row[2] * d[2]);
    }
}

// Work: 1 when the factors are there, the factors, the pivots.
static size_t work_n(size_t count) { return 1 + count * count + count; }
static uint32_t *pivots_of(const st_resolution *r) { return (uint32_t *)(void *)(r->work + 1 + r->count * r->count); }

static void init_n(st_resolution *r, const st_real *w, size_t stride, st_real *f) {
    resolution_recall(r, f);
    const size_t n = r->count;
    st_real *own = r->work + 1;

    // rows without compliance stay out: unit row, unit column
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            const bool still = w[i * stride + i] == 0 || w[k * stride + k] == 0;
            own[i * n + k] = still ? (st_real)(i == k) : w[i * stride + k];
        }

    r->work[0] = st_dense_factor(r->work + 1, pivots_of(r), r->count) ? 1 : 0;
}

static void equality_n(const st_resolution *r, const st_real *w, size_t stride, st_real *d, st_real *f) {
    if (r->work[0] == 0) return;

    for (size_t i = 0; i < r->count; i++)
        if (w[i * stride + i] == 0) d[i] = 0;

    st_dense_solve_factored(d, r->work + 1, pivots_of(r), r->count);
    for (size_t i = 0; i < r->count; i++) f[i] -= d[i];
}

// ---------------------------------------------------------------------------------------------------
// Contacts
// ---------------------------------------------------------------------------------------------------

static void unilateral(const st_resolution *r, const st_real *w, size_t stride, st_real *d, st_real *f) {
    (void)r, (void)stride;
    if (w[0] == 0) return;
    f[0] -= d[0] / w[0];
    if (f[0] < 0) f[0] = 0;
}

static void resolution_release(st_real *f) { f[0] = f[1] = f[2] = 0; }

void st_resolve_friction(const st_resolution *r, const st_real *w, size_t stride, st_real *d, st_real *f) {
    if (w[0] == 0) return;
    const st_real before = f[0], tangential = w[stride + 1] + w[2 * stride + 2];

    // normal: f_n −= d_n / w_nn; a contact that pulls is released
    f[0] -= d[0] / w[0];
    if (f[0] < 0) {
        resolution_release(f);
        return;
    }

    // tangents: d_t changes with f_n, then f_t −= 2 d_t / (w_tt + w_ss)
    if (tangential == 0) return;
    d[1] += w[1] * (f[0] - before);
    d[2] += w[2] * (f[0] - before);
    f[1] -= 2 * d[1] / tangential;
    f[2] -= 2 * d[2] / tangential;

    // back to the cone |f_t| ≤ µ f_n
    const st_real length = sqrt(f[1] * f[1] + f[2] * f[2]), most = r->friction * f[0];
    if (length <= most) return;
    f[1] *= most / length;
    f[2] *= most / length;
}

static void augmented(const st_resolution *r, const st_real *w, size_t stride, st_real *d, st_real *f) {
    (void)w, (void)stride;

    f[0] -= r->epsilon * d[0];
    if (f[0] < 0) {
        resolution_release(f);
        return;
    }

    // sticks: the trial force is inside of the cone
    const st_real trial[2] = {f[1] - r->epsilon * d[1], f[2] - r->epsilon * d[2]};
    const st_real slip = sqrt(d[1] * d[1] + d[2] * d[2]);
    if (sqrt(trial[0] * trial[0] + trial[1] * trial[1]) < r->friction * fabs(f[0]) || slip == 0) {
        f[1] = trial[0];
        f[2] = trial[1];
        return;
    }

    // slides: along d_t / |d_t|
    f[1] -= r->friction * r->epsilon * d[0] * d[1] / slip;
    f[2] -= r->friction * r->epsilon * d[0] * d[2] / slip;
}

static void interval(const st_resolution *r, const st_real *w, size_t stride, st_real *d, st_real *f) {
    (void)stride;
    if (w[0] == 0) return;

    // d without the force of the row itself
    const st_real without = d[0] - w[0] * f[0];
    if (without > r->high) f[0] = (r->high - without) / w[0];
    else if (without < r->low) f[0] = (r->low - without) / w[0];
    else f[0] = 0;
}

// ---------------------------------------------------------------------------------------------------
// Adding blocks
// ---------------------------------------------------------------------------------------------------

static st_resolution *resolution_add(st_resolutions *to, const st_resolution_ops *ops, st_resolution_kind kind,
                                     size_t count) {
    const st_resolution block = {.ops = ops, .kind = kind, .row = to->rows, .count = count, .load = 1};

    if (!st_list_push(&to->list, block)) {
        to->failed = true;
        return NULL;
    }

    to->rows += count;
    return &to->list.data[to->list.count - 1];
}

st_resolution *st_add_equality(st_resolutions *to, size_t count) {
    static const st_resolution_ops one = {NULL, init_1, equality_1}, three = {work_3, init_3, equality_3},
                                   many = {work_n, init_n, equality_n};
    return resolution_add(to, count == 1 ? &one : count == 3 ? &three : &many, ST_RESOLVE_EQUALITY, count);
}

st_resolution *st_add_unilateral(st_resolutions *to) {
    static const st_resolution_ops ops = {NULL, NULL, unilateral};
    return resolution_add(to, &ops, ST_RESOLVE_UNILATERAL, 1);
}

st_resolution *st_add_friction(st_resolutions *to, st_real coefficient) {
    static const st_resolution_ops ops = {NULL, NULL, st_resolve_friction};
    st_resolution *block = resolution_add(to, &ops, ST_RESOLVE_FRICTION, 3);
    if (block) block->friction = coefficient;
    return block;
}

st_resolution *st_add_augmented_friction(st_resolutions *to, st_real coefficient, st_real epsilon) {
    static const st_resolution_ops ops = {NULL, NULL, augmented};
    st_resolution *block = resolution_add(to, &ops, ST_RESOLVE_FRICTION, 3);
    if (!block) return NULL;
    block->friction = coefficient;
    block->epsilon = epsilon;
    return block;
}

st_resolution *st_add_interval(st_resolutions *to, st_real low, st_real high) {
    static const st_resolution_ops ops = {NULL, NULL, interval};
    st_resolution *block = resolution_add(to, &ops, ST_RESOLVE_INTERVAL, 1);
    if (!block) return NULL;
    block->low = low;
    block->high = high;
    return block;
}

bool st_resolution_is_singular(const st_resolution *r) { return r->ops->init == init_n && r->work[0] == 0; }
