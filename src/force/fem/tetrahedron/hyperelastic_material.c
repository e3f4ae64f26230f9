// Hyperelastic materials. See hyperelastic_material.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/tetrahedron/hyperelastic_material.h"

#include "math/decompose.h"

// ---------------------------------------------------------------------------------------------------
// Numbers with derivatives
// ---------------------------------------------------------------------------------------------------

static st_dual constant(st_real value) { return (st_dual){.value = value}; }

// f(a) with f'(a)
static st_dual chain(st_dual a, st_real value, st_real slope) {
    return (st_dual){value, {slope * a.d[0], slope * a.d[1], slope * a.d[2]}};
}

static st_dual hyperelastic_material_scale(st_real k, st_dual a) { return chain(a, k * a.value, k); }
static st_dual plus(st_dual a, st_dual b) {
    return (st_dual){a.value + b.value, {a.d[0] + b.d[0], a.d[1] + b.d[1], a.d[2] + b.d[2]}};
}
static st_dual minus(st_dual a, st_dual b) { return plus(a, hyperelastic_material_scale(-1, b)); }
static st_dual times(st_dual a, st_dual b) {
    st_dual r = {.value = a.value * b.value};
    for (int i = 0; i < 3; i++) r.d[i] = a.d[i] * b.value + a.value * b.d[i];
    return r;
}
static st_dual power(st_dual a, st_real p) {
    const st_real value = pow(a.value, p);
    return chain(a, value, p * value / a.value);
}
static st_dual logarithm(st_dual a) { return chain(a, log(a.value), 1 / a.value); }
static st_dual exponential(st_dual a) {
    const st_real value = exp(a.value);
    return chain(a, value, value);
}

// ---------------------------------------------------------------------------------------------------
// Invariants
// ---------------------------------------------------------------------------------------------------

static st_real contract(const st_real a[9], const st_real b[9]) {
    st_real sum = 0;
    for (int i = 0; i < 9; i++) sum += a[i] * b[i];
    return sum;
}

static st_real trace(const st_real a[9]) { return a[0] + a[4] + a[8]; }
static st_real second_invariant(const st_real c[9]) { return (trace(c) * trace(c) - contract(c, c)) / 2; }

// Energy of a change of volume: k/2 (ln J)², the same in most materials.
static st_real bulk_energy(st_real k, st_real j) { return k / 2 * log(j) * log(j); }

enum { Q, I2, J };
enum { A, B, C };

// ---------------------------------------------------------------------------------------------------
// Arruda-Boyce: mu, k0
// ---------------------------------------------------------------------------------------------------

static const st_real arruda[5] = {ST_R(1.0 / 2), ST_R(1.0 / 160), ST_R(11.0 / (1050 * 64)), ST_R(19.0 / (7000 * 512)),
                                  ST_R(519.0 / (673750.0 * 4096))};

// S = 2 mu sum c_i J^(-2i/3) (i I1^(i-1) 1 - i/3 I1^i C^-1) + k0 ln J C^-1
static void hyperelastic_material_arruda_boyce(const st_real *p, const st_dual in[3], st_dual out[3]) {
    const st_dual shrink = power(in[J], -ST_R(2.0) / 3);
    st_dual factor = shrink, i1 = constant(1);
    out[A] = out[B] = constant(0);
    out[C] = hyperelastic_material_scale(p[1], logarithm(in[J]));

    // factor = J^(-2i/3), i1 = I1^(i-1) before and I1^i after its term of A
    for (int i = 1; i <= 5; i++) {
        const st_real c = 2 * p[0] * arruda[i - 1] * (st_real)i;

        out[A] = plus(out[A], hyperelastic_material_scale(c, times(factor, i1)));
        i1 = times(i1, in[Q]);
        out[C] = minus(out[C], hyperelastic_material_scale(c / 3, times(factor, i1)));
        factor = times(factor, shrink);
    }
}

static st_real hyperelastic_material_arruda_boyce_energy(const st_real *p, const st_hyperelastic_point *at) {
    const st_real i1 = pow(at->j, -ST_R(2.0) / 3) * trace(at->c);
    st_real energy = bulk_energy(p[1], at->j), now = 1, rest = 1;

    // Σ c_i (I1^i - 3^i), I1 without the change of volume
    for (int i = 0; i < 5; i++) {
        now *= i1;
        rest *= 3;
        energy += p[0] * arruda[i] * (now - rest);
    }
    return energy;
}

// ---------------------------------------------------------------------------------------------------
// St Venant-Kirchhoff: mu, lambda
// ---------------------------------------------------------------------------------------------------

// S = (lambda tr E - mu) 1 + mu C, E = (C - 1)/2
static void st_venant_kirchhoff(const st_real *p, const st_dual in[3], st_dual out[3]) {
    out[A] = minus(hyperelastic_material_scale(p[1] / 2, minus(in[Q], constant(3))), constant(p[0]));
    out[B] = constant(p[0]);
    out[C] = constant(0);
}

static st_real st_venant_kirchhoff_energy(const st_real *p, const st_hyperelastic_point *at) {
    st_real e[9];
    for (int i = 0; i < 9; i++) e[i] = (at->c[i] - (i % 4 == 0 ? 1 : 0)) / 2;
    return p[1] / 2 * trace(e) * trace(e) + p[0] * contract(e, e);
}

// ---------------------------------------------------------------------------------------------------
// Neo-Hooke: mu, lambda
// ---------------------------------------------------------------------------------------------------

// S = mu 1 + (lambda ln J - mu) C^-1
static void hyperelastic_material_neo_hookean(const st_real *p, const st_dual in[3], st_dual out[3]) {
    out[A] = constant(p[0]);
    out[B] = constant(0);
    out[C] = minus(hyperelastic_material_scale(p[1], logarithm(in[J])), constant(p[0]));
}

static st_real hyperelastic_material_neo_hookean_energy(const st_real *p, const st_hyperelastic_point *at) {
    return p[0] / 2 * (trace(at->c) - 3) - p[0] * log(at->j) + bulk_energy(p[1], at->j);
}

// ---------------------------------------------------------------------------------------------------
// Mooney-Rivlin and Veronda-Westman: c1, c2, k0
// ---------------------------------------------------------------------------------------------------

// k1 J^(-2/3) (1 - I1/3 C^-1) + k2 J^(-4/3) (I1 1 - C - 2/3 I2 C^-1) + k0 ln J C^-1
static void two_invariants(st_dual k1, st_real k2, st_real k0, const st_dual in[3], st_dual out[3]) {
    const st_dual first = times(k1, power(in[J], -ST_R(2.0) / 3)),
                  second = hyperelastic_material_scale(k2, power(in[J], -ST_R(4.0) / 3));

    out[A] = plus(first, times(second, in[Q]));
    out[B] = hyperelastic_material_scale(-1, second);
    out[C] = minus(hyperelastic_material_scale(k0, logarithm(in[J])),
                   plus(hyperelastic_material_scale(ST_R(1.0) / 3, times(first, in[Q])),
                        hyperelastic_material_scale(ST_R(2.0) / 3, times(second, in[I2]))));
}

static void hyperelastic_material_mooney_rivlin(const st_real *p, const st_dual in[3], st_dual out[3]) {
    two_invariants(constant(2 * p[0]), 2 * p[1], p[2], in, out);
}

static st_real hyperelastic_material_mooney_rivlin_energy(const st_real *p, const st_hyperelastic_point *at) {
    return p[0] * (pow(at->j, -ST_R(2.0) / 3) * trace(at->c) - 3) +
           p[1] * (pow(at->j, -ST_R(4.0) / 3) * second_invariant(at->c) - 3) + bulk_energy(p[2], at->j);
}

// k1 = 2 c1 c2 exp(c2 (J^(-2/3) I1 - 3))
static void hyperelastic_material_veronda_westman(const st_real *p, const st_dual in[3], st_dual out[3]) {
    const st_dual i1 = times(power(in[J], -ST_R(2.0) / 3), in[Q]);
    const st_dual growth = exponential(hyperelastic_material_scale(p[1], minus(i1, constant(3))));
    two_invariants(hyperelastic_material_scale(2 * p[0] * p[1], growth), -p[0] * p[1], p[2], in, out);
}

static st_real hyperelastic_material_veronda_westman_energy(const st_real *p, const st_hyperelastic_point *at) {
    return p[0] * (exp(p[1] * (pow(at->j, -ST_R(2.0) / 3) * trace(at->c) - 3)) - 1) -
           p[0] * p[1] / 2 * (pow(at->j, -ST_R(4.0) / 3) * second_invariant(at->c) - 3) + bulk_energy(p[2], at->j);
}

// ---------------------------------------------------------------------------------------------------
// Costa: a, k0, bff, bfs, bss, bfn, bsn, bnn
// ---------------------------------------------------------------------------------------------------

// U, entry by entry: fibers, sheets and normals along x, y and z.
static void costa_weights(const st_real *p, st_real u[9]) {
    const st_real weights[9] = {p[2], p[3], p[5], p[3], p[4], p[6], p[5], p[6], p[7]};
    for (int i = 0; i < 9; i++) u[i] = weights[i];
}

// S = a exp(J^(-4/3) q) J^(-4/3) (X - 2/3 q C^-1) + k0 J ln J C^-1
static void hyperelastic_material_costa(const st_real *p, const st_dual in[3], st_dual out[3]) {
    const st_dual shrink = power(in[J], -ST_R(4.0) / 3);
    out[A] = hyperelastic_material_scale(p[0], times(exponential(times(shrink, in[Q])), shrink));
    out[B] = constant(0);
    out[C] = minus(hyperelastic_material_scale(p[1], times(in[J], logarithm(in[J]))),
                   hyperelastic_material_scale(ST_R(2.0) / 3, times(out[A], in[Q])));
}

static st_real costa_q(const st_hyperelastic_point *at) {
    st_real sum = 0;
    for (int i = 0; i < 9; i++) sum += at->x[i] * (at->c[i] - (i % 4 == 0 ? 1 : 0)) / 2;
    return sum;
}

static st_real hyperelastic_material_costa_energy(const st_real *p, const st_hyperelastic_point *at) {
    return p[0] / 2 * (exp(pow(at->j, -ST_R(4.0) / 3) * costa_q(at)) - 1) + p[1] * (at->j * log(at->j) - at->j + 1);
}

// ---------------------------------------------------------------------------------------------------
// Stable Neo-Hooke: mu, lambda
// ---------------------------------------------------------------------------------------------------

// S = mu 1 + (lambda + mu) J (J - alpha) C^-1, alpha = 1 + mu / (lambda + mu)
static void hyperelastic_material_stable_neo_hookean(const st_real *p, const st_dual in[3], st_dual out[3]) {
    const st_real sum = p[1] + p[0], alpha = 1 + p[0] / sum;
    out[A] = constant(p[0]);
    out[B] = constant(0);
    out[C] = hyperelastic_material_scale(sum, times(in[J], minus(in[J], constant(alpha))));
}

static st_real hyperelastic_material_stable_neo_hookean_energy(const st_real *p, const st_hyperelastic_point *at) {
    const st_real sum = p[1] + p[0], d = at->j - (1 + p[0] / sum);
    return (p[0] * (trace(at->c) - 3) + sum * d * d) / 2;
}

static const char *hyperelastic_material_stable_check(const st_real *p) {
    return p[0] + p[1] != 0 ? NULL : "the sum of mu and lambda must not be 0";
}

// ---------------------------------------------------------------------------------------------------
// Ogden: mu, alpha, k0
// ---------------------------------------------------------------------------------------------------

static const char *hyperelastic_material_ogden_check(const st_real *p) {
    return p[1] != 0 ? NULL : "alpha must not be 0";
}

// sum lambda^p v v^T
static void ogden_power(const st_hyperelastic_point *at, st_real p, st_real r[9]) {
    st_real powers[3];
    for (int i = 0; i < 3; i++) powers[i] = pow(at->lambda[i], p);

    // V diag(λ^p) Vᵀ
    for (int r_ = 0; r_ < 3; r_++)
        for (int c = 0; c < 3; c++) {
            st_real sum = 0;
            for (int i = 0; i < 3; i++) sum += powers[i] * at->axes[3 * r_ + i] * at->axes[3 * c + i];
            r[3 * r_ + c] = sum;
        }
}

static st_real ogden_trace(const st_hyperelastic_point *at, st_real p) {
    return pow(at->lambda[0], p) + pow(at->lambda[1], p) + pow(at->lambda[2], p);
}

static bool ogden_stress(const st_real *p, st_hyperelastic_point *at) {
    const st_real mu = p[0], alpha = p[1], shrink = pow(at->j, -alpha / 3);
    st_real m[9];
    if (!st_mat3_eigen(at->lambda, at->axes, at->c)) return false;

    // C^(α/2 - 1) and the factor of C⁻¹
    ogden_power(at, alpha / 2 - 1, m);
    const st_real c = p[2] * log(at->j) - mu / (3 * alpha) * shrink * ogden_trace(at, alpha / 2);
    for (int i = 0; i < 9; i++) at->s[i] = mu / alpha * shrink * m[i] + c * at->inverse[i];
    return true;
}

// Divided differences of the eigenvalues' powers.
static void ogden_differences(const st_hyperelastic_point *at, st_real p, st_real r[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            const st_real a = at->lambda[i], b = at->lambda[j], larger = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
            const bool equal = i == j || fabs(a - b) < ST_R(1e-8) * larger;

            r[3 * i + j] = r[3 * j + i] = equal ? p * pow(a, p - 1) : (pow(a, p) - pow(b, p)) / (a - b);
        }
}

// The derivative of C^(alpha/2 - 1) along H.
static void ogden_power_derivative(const st_hyperelastic_tangent *tangent, const st_real h[9], st_real r[9]) {
    const st_real *axes = tangent->at->axes;
    st_real t[9], u[9];
    st_mat3_transpose_multiply(t, axes, h);
    st_mat3_multiply(u, t, axes); // Vᵀ H V

    // entry by entry times the divided differences, then back
    for (int i = 0; i < 9; i++) u[i] *= tangent->differences[i];
    st_mat3_multiply(t, axes, u);
    st_mat3_multiply_transpose(r, t, axes);
}

static void ogden_derivative(const st_hyperelastic_tangent *tangent, const st_real h[9], const st_real turned[9],
                             st_real slope, st_real ds[9]) {
    const st_hyperelastic_point *at = tangent->at;
    const st_real mu = tangent->p[0], alpha = tangent->p[1], k0 = tangent->p[2];
    const st_real shrink = tangent->shrink, sum = tangent->trace, *m = tangent->power;
    st_real dm[9];
    ogden_power_derivative(tangent, h, dm);

    // factors of C⁻¹ and of C⁻¹ H C⁻¹
    const st_real along_c = -mu / 6 * shrink * contract(m, h) + mu / 18 * shrink * sum * slope + k0 / 2 * slope;
    const st_real along_a = mu / (3 * alpha) * shrink * sum - k0 * log(at->j);

    for (int i = 0; i < 9; i++)
        ds[i] = mu / alpha * shrink * dm[i] - mu / 6 * shrink * slope * m[i] + along_c * at->inverse[i] +
                along_a * turned[i];
}

static st_real hyperelastic_material_ogden_energy(const st_real *p, const st_hyperelastic_point *at) {
    return p[0] / (p[1] * p[1]) * (pow(at->j, -p[1] / 3) * ogden_trace(at, p[1] / 2) - 3) + bulk_energy(p[2], at->j);
}

// ---------------------------------------------------------------------------------------------------
// All of them
// ---------------------------------------------------------------------------------------------------

const st_hyperelastic_material st_hyperelastic_materials[ST_HYPERELASTIC_MATERIALS] = {
    {"ArrudaBoyce", 2, "mu k0", false, hyperelastic_material_arruda_boyce, hyperelastic_material_arruda_boyce_energy,
     NULL},
    {"StVenantKirchhoff", 2, "mu lambda", true, st_venant_kirchhoff, st_venant_kirchhoff_energy, NULL},
    {"NeoHookean", 2, "mu lambda", false, hyperelastic_material_neo_hookean, hyperelastic_material_neo_hookean_energy,
     NULL},
    {"MooneyRivlin", 3, "c1 c2 k0", false, hyperelastic_material_mooney_rivlin,
     hyperelastic_material_mooney_rivlin_energy, NULL},
    {"VerondaWestman", 3, "c1 c2 k0", false, hyperelastic_material_veronda_westman,
     hyperelastic_material_veronda_westman_energy, NULL},
    {"Costa", 8, "a k0 bff bfs bss bfn bsn bnn", false, hyperelastic_material_costa, hyperelastic_material_costa_energy,
     NULL},
    {"Ogden", 3, "mu alpha k0", false, NULL, hyperelastic_material_ogden_energy, hyperelastic_material_ogden_check},
    {"StableNeoHookean", 2, "mu lambda", true, hyperelastic_material_stable_neo_hookean,
     hyperelastic_material_stable_neo_hookean_energy, hyperelastic_material_stable_check},
};

const char *const st_hyperelastic_names[] = {"ArrudaBoyce",  "StVenantKirchhoff", "NeoHookean",
                                             "MooneyRivlin", "VerondaWestman",    "Costa",
                                             "Ogden",        "StableNeoHookean",  NULL};

const st_hyperelastic_material *st_hyperelastic_find(const char *name) {
    for (int i = 0; name && i < ST_HYPERELASTIC_MATERIALS; i++)
        if (strcmp(name, st_hyperelastic_materials[i].name) == 0) return &st_hyperelastic_materials[i];
    return NULL;
}

// X, and q in the variables.
static void set_basis(const st_hyperelastic_material *material, const st_real *p, st_hyperelastic_point *at,
                      st_dual in[3]) {
    st_mat3_identity(at->x);
    in[Q] = (st_dual){trace(at->c), {1, 0, 0}};
    in[I2] = (st_dual){second_invariant(at->c), {0, 1, 0}};
    in[J] = (st_dual){at->j, {0, 0, 1}};
    if (material->parts != hyperelastic_material_costa) return;

    // X = U o (C - 1)/2, q = X : (C - 1)/2
    costa_weights(p, at->x);
    for (int i = 0; i < 9; i++) at->x[i] *= (at->c[i] - (i % 4 == 0 ? 1 : 0)) / 2;
    in[Q].value = costa_q(at);
}

static bool hyperelastic_material_all_finite(const st_real *values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

// Singular only where C has no inverse in any sense: results of SOFA depend on it for nearly flat elements.
#define SMALLEST_DETERMINANT (sizeof(st_real) == sizeof(float) ? ST_R(1e-30) : ST_R(1e-100))

bool st_hyperelastic_stress(const st_hyperelastic_material *material, const st_real *p, st_hyperelastic_point *at) {
    st_dual in[3];
    st_mat3_transpose_multiply(at->c, at->f, at->f);
    if (!st_mat3_inverse_above(at->inverse, at->c, SMALLEST_DETERMINANT)) st_mat3_zero(at->inverse);
    at->regular = material->inverts || at->j > 0;

    // S = a X + b C + c C⁻¹
    if (at->regular && !material->parts) {
        at->regular = ogden_stress(p, at);
    } else if (at->regular) {
        set_basis(material, p, at, in);
        material->parts(p, in, at->part);
        for (int i = 0; i < 9; i++)
            at->s[i] = at->part[A].value * at->x[i] + at->part[B].value * at->c[i] + at->part[C].value * at->inverse[i];
    }

    at->regular = at->regular && hyperelastic_material_all_finite(at->s, 9);
    if (!at->regular) st_mat3_zero(at->s);
    return at->regular;
}

// ---------------------------------------------------------------------------------------------------
// The derivative
// ---------------------------------------------------------------------------------------------------

void st_hyperelastic_tangent_make(st_hyperelastic_tangent *tangent, const st_hyperelastic_material *material,
                                  const st_real *p, const st_hyperelastic_point *at) {
    tangent->material = material;
    tangent->p = p;
    tangent->at = at;
    tangent->isotropic = material->parts && material->parts != hyperelastic_material_costa;

    if (tangent->isotropic) st_mat3_multiply_transpose(tangent->left, at->f, at->f);
    if (material->parts || !at->regular) return;

    // powers of C that Ogden's stress has
    const st_real alpha = p[1];
    ogden_power(at, alpha / 2 - 1, tangent->power);
    ogden_differences(at, alpha / 2 - 1, tangent->differences);
    tangent->trace = ogden_trace(at, alpha / 2);
    tangent->shrink = pow(at->j, -alpha / 3);
}

static void isotropic_node(st_hyperelastic_node *node, const st_hyperelastic_point *at, const st_real s[3]) {
    st_real t[3], *const change[3] = {node->da, node->db, node->dc};
    const st_real i1 = trace(at->c);

    // b = F s, c = F C s, n = F C⁻¹ s
    st_mat3_times_vec(node->b, at->f, s);
    st_mat3_times_vec(t, at->c, s);
    st_mat3_times_vec(node->c, at->f, t);
    st_mat3_times_vec(t, at->inverse, s);
    st_mat3_times_vec(node->n, at->f, t);

    // da = a_q dq + a_I2 dI2 + a_J dJ, the same for b and c
    for (int m = 0; m < 3; m++) {
        const st_real dq = 2 * node->b[m], di2 = 2 * (i1 * node->b[m] - node->c[m]), dj = at->j * node->n[m];
        for (int k = 0; k < 3; k++)
            change[k][m] = at->part[k].d[Q] * dq + at->part[k].d[I2] * di2 + at->part[k].d[J] * dj;
    }
}

static void costa_derivative(const st_hyperelastic_tangent *tangent, const st_real h[9], const st_real turned[9],
                             st_real slope, st_real ds[9]) {
    const st_hyperelastic_point *at = tangent->at;
    const st_real dq = contract(at->x, h), dj = at->j / 2 * slope;
    st_real weights[9];
    costa_weights(tangent->p, weights);

    // dA and dC by the chain rule in Q and J
    const st_real da = at->part[A].d[Q] * dq + at->part[A].d[J] * dj,
                  dc = at->part[C].d[Q] * dq + at->part[C].d[J] * dj;

    // dS = dA X + A dX + d(C) C⁻¹ - (C) C⁻¹ H C⁻¹: (C) is the factor, C the tensor, H its change
    for (int i = 0; i < 9; i++)
        ds[i] = da * at->x[i] + at->part[A].value * weights[i] * h[i] / 2 + dc * at->inverse[i] -
                at->part[C].value * turned[i];
}

void st_hyperelastic_node_make(st_hyperelastic_node *node, const st_hyperelastic_tangent *tangent, const st_real s[3]) {
    const st_hyperelastic_point *at = tangent->at;
    node->s = s;
    if (!at->regular) return;
    if (tangent->isotropic) {
        isotropic_node(node, at, s);
        return;
    }

    // dS for each component m of the node: H = s ⊗ F_m + F_m ⊗ s
    for (int m = 0; m < 3; m++) {
        const st_real *row = at->f + 3 * m;
        st_real h[9], t[9], turned[9];
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) h[3 * r + c] = s[r] * row[c] + row[r] * s[c];
        st_mat3_multiply(t, at->inverse, h);
        st_mat3_multiply(turned, t, at->inverse); // C⁻¹ H C⁻¹
        (tangent->material->parts ? costa_derivative : ogden_derivative)(tangent, h, turned, contract(at->inverse, h),
                                                                         node->ds[m]);
    }
}

static void isotropic_pair(const st_hyperelastic_tangent *tangent, const st_hyperelastic_node *k,
                           const st_hyperelastic_node *l, st_real t[9]) {
    const st_hyperelastic_point *at = tangent->at;
    const st_real b = at->part[B].value, c = at->part[C].value;
    const st_real b_dot = b * st_vec3_dot(k->s, l->s), c_dot = c * st_vec3_dot(k->n, l->n);

    // ∂f_k/∂x_l row by row: changes of the three factors, then of the tensors that they multiply
    for (int m = 0; m < 3; m++) {
        const st_real b_k = b * k->b[m], c_k = c * k->n[m];
        for (int i = 0; i < 3; i++)
            t[3 * m + i] = l->da[m] * k->b[i] + l->db[m] * k->c[i] + l->dc[m] * k->n[i] + b_k * l->b[i] +
                           b_dot * tangent->left[3 * m + i] - c_k * l->n[i];
        t[4 * m] -= c_dot;
    }
}

void st_hyperelastic_pair(const st_hyperelastic_tangent *tangent, const st_hyperelastic_node *k,
                          const st_hyperelastic_node *l, st_real t[9]) {
    st_real v[3];

    if (!tangent->at->regular) {
        st_mat3_zero(t);
    } else if (tangent->isotropic) {
        isotropic_pair(tangent, k, l, t);
    } else {
        for (int m = 0; m < 3; m++) {
            st_mat3_times_vec(v, l->ds[m], k->s);
            st_mat3_times_vec(t + 3 * m, tangent->at->f, v);
        }
    }
}

st_real st_hyperelastic_energy(const st_hyperelastic_material *material, const st_real *p,
                               const st_hyperelastic_point *at) {
    return at->regular ? material->energy(p, at) : 0;
}
