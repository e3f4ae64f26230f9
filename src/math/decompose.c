// Decompositions of 3x3 matrices.
//
// Polar decomposition, by Newton with Higham's scaling, on X0 = Mᵀ:
//
//     A = cofactors of X,   γ = sqrt(sqrt(|A|_1 |A|_inf / (|X|_1 |X|_inf)) / |det|)
//     X <- γ/2 X + A / (2 γ det)
//
// until X no longer moves. Convergence is quadratic, so the last iterate is exact to rounding.
//
// Stable polar decomposition: Mᵀ M = V D Vᵀ, U = M V D^(-1/2), Q = U Vᵀ, where columns of U that belong to
// vanishing singular values are rebuilt by cross products. The order of the unsorted eigenvalues and the signs of
// the eigenvectors enter the result for rank-one matrices; this is why the eigenvalue iteration is fixed in detail.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/decompose.h"

enum { MAX_NEWTON = 100, MAX_QL_SWEEPS = 32 };

// --- frames ---------------------------------------------------------------------------------------------------------

void st_frame_rows(st_real axes[9], const st_real ex[3], const st_real ey[3]) {
    st_real x[3], y[3], z[3];

    // x along ex, z across both, y completes them: right-handed for any ex, ey that are not parallel
    st_vec3_normalize(x, ex);
    st_vec3_cross(z, x, ey);
    st_vec3_normalize(z, z);
    st_vec3_cross(y, z, x);

    st_vec3_copy(axes, x);
    st_vec3_copy(axes + 3, y);
    st_vec3_copy(axes + 6, z);
}

// --- polar decomposition --------------------------------------------------------------------------------------------

// One step of Newton on x; sets |x - previous|_1. False when x is singular.
static bool newton_step(st_real x[9], st_real *moved) {
    st_real a[9], previous[9];
    st_mat3_cofactor(a, x);
    const st_real det = st_vec3_dot(x, a);
    if (det == 0) return false;

    // γ
    const st_real norms_a = st_mat3_norm_one(a) * st_mat3_norm_infinity(a);
    const st_real norms_x = st_mat3_norm_one(x) * st_mat3_norm_infinity(x);
    const st_real gamma = sqrt(sqrt(norms_a / norms_x) / fabs(det));
    const st_real g1 = gamma * ST_R(0.5), g2 = ST_R(0.5) / (gamma * det);

    // γ/2 X + A / (2 γ det)
    st_mat3_copy(previous, x);
    for (int i = 0; i < 9; i++) x[i] = x[i] * g1 + a[i] * g2;
    st_mat3_sub(previous, previous, x);
    *moved = st_mat3_norm_one(previous);
    return true;
}

static bool decompose_all_finite(const st_real *m, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(m[i])) return false;
    return true;
}

bool st_polar(st_real q[9], const st_real m[9]) {
    // In single precision a movement of 1e-8 is never reached; 1e-4 squared is the same guarantee.
    const st_real tolerance = sizeof(st_real) == sizeof(float) ? ST_R(1e-4) : ST_R(1e-8);
    st_real x[9], moved = 0;
    bool regular = true;

    st_mat3_transpose(x, m);
    for (int i = 0; i < MAX_NEWTON && regular; i++) {
        regular = newton_step(x, &moved);
        // Written so that numbers that are not finite end the loop.
        if (!(moved > tolerance * st_mat3_norm_one(x))) break;
    }

    st_mat3_transpose(q, x);
    return regular && decompose_all_finite(q, 9);
}

// In two dimensions the polar factor is M plus or minus its cofactors, with normalized columns.
bool st_polar_2(st_real q[4], const st_real m[4]) {
    const st_real s = m[0] * m[3] - m[1] * m[2] < 0 ? -1 : 1;
    const st_real r[4] = {m[0] + s * m[3], m[1] - s * m[2], m[2] - s * m[1], m[3] + s * m[0]};
    bool regular = true;

    // a column without length has no direction
    for (int j = 0; j < 2; j++) {
        const st_real norm = sqrt(r[j] * r[j] + r[2 + j] * r[2 + j]);
        const bool long_enough = norm > ST_REAL_EPSILON;
        q[j] = long_enough ? r[j] / norm : r[j];
        q[2 + j] = long_enough ? r[2 + j] / norm : r[2 + j];
        regular = regular && long_enough;
    }
    return regular && decompose_all_finite(q, 4);
}

// --- eigenvalues ----------------------------------------------------------------------------------------------------

// The basis (1,0,0), (0,a,b), (0,b,-a) with (a,b) along (m01, m02) makes a symmetric matrix tridiagonal: diagonal d,
// off-diagonal e.
static void tridiagonalize(st_real d[3], st_real e[3], st_real v[9], const st_real m[9]) {
    st_mat3_identity(v);
    st_vec3_set(d, m[0], m[4], m[8]);
    st_vec3_set(e, m[1], m[5], 0);
    if (m[2] == 0) return;

    const st_real length = sqrt(m[1] * m[1] + m[2] * m[2]);
    if (length == 0) return; // squares below the smallest number: diagonal up to rounding

    const st_real a = m[1] / length, b = m[2] / length;
    const st_real q = 2 * a * m[5] + b * (m[8] - m[4]);
    st_vec3_set(d, m[0], m[4] + b * q, m[8] - b * q);
    st_vec3_set(e, length, m[5] - a * q, 0);

    v[4] = a;
    v[5] = b;
    v[7] = b;
    v[8] = -a;
}

// The plane rotation (c, s) along (g, f): s > 0 when |f| >= |g|, else c > 0. Returns the rotated length with its sign.
static st_real plane_rotation(st_real *c, st_real *s, st_real f, st_real g) {
    if (f == 0 && g == 0) {
        *c = 1;
        *s = 0;
        return 0;
    }

    // the ratio that is at most 1
    if (fabs(f) >= fabs(g)) {
        const st_real ratio = g / f, r = sqrt(ratio * ratio + 1);
        *s = 1 / r;
        *c = ratio * *s;
        return f * r;
    }

    const st_real ratio = f / g, r = sqrt(ratio * ratio + 1);
    *c = 1 / r;
    *s = ratio * *c;
    return g * r;
}

// One implicit QL sweep with shift on the rows first..last, from the bottom up, as tql2 of EISPACK orders it.
static void ql_sweep(st_real d[3], st_real e[3], st_real v[9], int first, int last) {
    // the shift: the eigenvalue of the first 2 x 2 block that is nearer to d[first]
    const st_real slope = (d[first + 1] - d[first]) / (2 * e[first]);
    const st_real root = sqrt(slope * slope + 1);
    st_real g = d[last] - d[first] + e[first] / (slope + (slope < 0 ? -root : root));
    st_real c = 1, s = 1, p = 0;

    for (int i = last - 1; i >= first; i--) {
        // a rotation of rows and columns i, i + 1 chases the entry that fell off the diagonals
        const st_real f = s * e[i], b = c * e[i];
        e[i + 1] = plane_rotation(&c, &s, f, g);
        g = d[i + 1] - p;
        const st_real r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;

        // the eigenvectors turn along
        for (int k = 0; k < 9; k += 3) {
            const st_real low = v[k + i], high = v[k + i + 1];
            v[k + i] = c * low - s * high;
            v[k + i + 1] = s * low + c * high;
        }
    }

    d[first] -= p;
    e[first] = g;
    e[last] = 0;
}

// The end of the block that starts at `first`: the first off-diagonal that is lost in the rounding of its neighbors.
static int block_end(const st_real d[3], const st_real e[3], int first) {
    int last = first;
    for (; last < 2; last++) {
        const st_real sum = fabs(d[last]) + fabs(d[last + 1]);
        if (fabs(e[last]) + sum == sum) break;
    }
    return last;
}

bool st_mat3_eigen(st_real values[3], st_real vectors[9], const st_real m[9]) {
    st_real d[3], e[3], v[9];
    bool converged = true;

    // M = V T Vᵀ with T tridiagonal, then QL sweeps until its off-diagonal vanishes, from the first value to the last
    tridiagonalize(d, e, v, m);
    for (int first = 0; first < 3; first++) {
        int sweeps = 0, last;
        while ((last = block_end(d, e, first)) != first && sweeps++ < MAX_QL_SWEEPS) ql_sweep(d, e, v, first, last);
        converged = converged && last == first;
    }

    st_vec3_copy(values, d);
    st_mat3_copy(vectors, v);
    return converged;
}

// --- stable polar decomposition -------------------------------------------------------------------------------------

static void get_column(st_real r[3], const st_real m[9], int j) { st_vec3_set(r, m[j], m[3 + j], m[6 + j]); }

static void set_column(st_real m[9], int j, const st_real a[3]) {
    for (int i = 0; i < 3; i++) m[3 * i + j] = a[i];
}

static void negate_column(st_real *m, int size, int j) {
    for (int i = 0; i < size; i++) m[size * i + j] = -m[size * i + j];
}

// Singular values from the eigenvalues of Mᵀ M; those whose square is below 1e-8 count as zero.
static int singular_values(st_real s[], const st_real d[], int size) {
    int zeros = 0;
    for (int i = 0; i < size; i++) {
        const bool zero = d[i] < ST_R(1e-8);
        s[i] = zero ? 0 : sqrt(d[i]);
        zeros += zero;
    }
    return zeros;
}

// order[0] is the smallest and order[2] the largest; among zeros the one of higher index counts as smaller.
static void order_ascending(int order[3], const st_real s[3]) {
    for (int i = 0; i < 3; i++) order[i] = 2 - i;

    // insertion sort
    for (int i = 1; i < 3; i++)
        for (int j = i; j > 0 && s[order[j]] < s[order[j - 1]]; j--) {
            const int other = order[j];
            order[j] = order[j - 1];
            order[j - 1] = other;
        }
}

// Two of the three directions are missing. The vector g takes its first component from the column that is there and
// the others from one that is not: SOFA's choice, kept because its results show.
static void rebuild_two(st_real u[9], const int order[3]) {
    const st_real g[3] = {u[order[2]], u[3 + order[0]], u[6 + order[0]]};
    const st_real g0 = fabs(g[0]), g1 = fabs(g[1]), g2 = fabs(g[2]);

    // t: an axis that is not along g
    st_real t[3] = {1, 0, 0}, first[3], second[3];
    if (g0 > g1 && g0 > g2) st_vec3_set(t, 0, 1, 0);
    else if (g0 <= g1 && g1 > g2) st_vec3_set(t, 0, 0, 1);

    // g, first and second are perpendicular to each other
    st_vec3_cross(first, g, t);
    st_vec3_normalize(first, first);
    st_vec3_cross(second, first, g);
    set_column(u, order[0], second);
    set_column(u, order[1], first);
}

static void rebuild_columns(st_real u[9], const int order[3], int zeros) {
    if (zeros == 1) {
        // the third direction is perpendicular to the other two
        st_real middle[3], largest[3];
        get_column(middle, u, order[1]);
        get_column(largest, u, order[2]);
        st_vec3_cross(middle, middle, largest);
        set_column(u, order[0], middle);
    } else if (zeros == 2) {
        rebuild_two(u, order);
    } else if (zeros == 3) {
        st_mat3_identity(u);
    }
}

void st_polar_stable(st_real q[9], const st_real m[9]) {
    st_real product[9], d[3], s[3], v[9], u[9];
    int order[3];

    // Mᵀ M = V D Vᵀ with a rotation V
    st_mat3_transpose_multiply(product, m, m);
    st_mat3_eigen(d, v, product);
    if (st_mat3_determinant(v) < 0) negate_column(v, 3, 0);
    const int zeros = singular_values(s, d, 3);
    order_ascending(order, s);

    // U = M V / s, then the columns that M does not give.
    st_mat3_multiply(u, m, v);
    for (int i = 0; i < 9; i++) u[i] *= s[i % 3] > 0 ? 1 / s[i % 3] : 1;
    rebuild_columns(u, order, zeros);

    // a rotation: the least direction is turned round where U is a reflection
    if (st_mat3_determinant(u) < 0) negate_column(u, 3, order[0]);
    st_mat3_multiply_transpose(q, u, v);
}

// Eigenvectors of Mᵀ M in two dimensions: one rotation by φ with tan(2 φ) = 2 b01 / (b00 - b11).
static void eigen_2(st_real d[2], st_real v[4], const st_real m[4]) {
    const st_real b00 = m[0] * m[0] + m[2] * m[2], b01 = m[0] * m[1] + m[2] * m[3], b11 = m[1] * m[1] + m[3] * m[3];
    const st_real phi = atan2(2 * b01, b00 - b11) / 2, c = cos(phi), s = sin(phi);

    // D = Vᵀ (Mᵀ M) V
    d[0] = c * c * b00 + 2 * c * s * b01 + s * s * b11;
    d[1] = s * s * b00 - 2 * c * s * b01 + c * c * b11;
    v[0] = c;
    v[1] = -s;
    v[2] = s;
    v[3] = c;
}

void st_polar_stable_2(st_real q[4], const st_real m[4]) {
    st_real d[2], s[2], v[4], u[4];

    // U = M V / s
    eigen_2(d, v, m);
    const int zeros = singular_values(s, d, 2);
    const int small = s[0] < s[1] ? 0 : 1, large = 1 - small;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            u[2 * i + j] = (m[2 * i] * v[j] + m[2 * i + 1] * v[2 + j]) * (s[j] > 0 ? 1 / s[j] : 1);

    // the columns that M does not give
    if (zeros == 1) {
        // Perpendicular to the direction that is there; the sign is settled below.
        u[small] = -u[2 + large];
        u[2 + small] = u[large];
    } else if (zeros == 2) {
        u[small] = u[2 + large] = 1;
        u[2 + small] = u[large] = 0;
    }

    // Q = U Vᵀ, a rotation
    if (u[0] * u[3] - u[1] * u[2] < 0) negate_column(u, 2, small);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) q[2 * i + j] = u[2 * i] * v[2 * j] + u[2 * i + 1] * v[2 * j + 1];
}

// --- projections ----------------------------------------------------------------------------------------------------

// V min(D, 0) Vᵀ.
bool st_mat3_project_negative(st_real r[9], const st_real m[9]) {
    st_real d[3], v[9], scaled[9];
    bool changed = false;

    // M = V D Vᵀ; positive eigenvalues become 0
    st_mat3_eigen(d, v, m);
    for (int i = 0; i < 3; i++)
        if (d[i] > 0) {
            d[i] = 0;
            changed = true;
        }

    // (V D) Vᵀ, or M itself to the last bit
    if (changed) {
        for (int i = 0; i < 9; i++) scaled[i] = v[i] * d[i % 3];
        st_mat3_multiply_transpose(r, scaled, v);
    } else {
        st_mat3_copy(r, m);
    }
    return changed;
}
