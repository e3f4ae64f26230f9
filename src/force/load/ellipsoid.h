// The push of an ellipsoid on a point, shared by EllipsoidForceField and InteractionEllipsoidForceField.
//
//     d = p - center,  w_j = 1 / r_j²,  s² = Σ w_j d_j²
//     φ = s - 1,  G_j = w_j d_j,  γ = |G|
//     F = G (-|k| φ / γ) - v (damping |φ|)
//     A_ij = ∂F_i/∂p_j = G_i G_j (c1 + c3 w_j) + δ_ij c2 w_i
//     c1 = -|k| / (s γ),  c2 = -|k| φ / γ,  c3 = |k| φ / γ³
//
// It acts where (s² - 1) k < 0: inside for k > 0, outside for k < 0.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_LOAD_ELLIPSOID_H
#define SETTEE_FORCE_LOAD_ELLIPSOID_H

#include "math/real.h"

// s² of a point; `dim` scalars each.
static inline st_real st_ellipsoid_level(const st_real *p, const st_real *center, const st_real *radius, size_t dim) {
    st_real level = 0;
    for (size_t j = 0; j < dim; j++) {
        const st_real d = p[j] - center[j];
        level += d * d * (1 / (radius[j] * radius[j]));
    }
    return level;
}

// Force and derivative (dim × dim) at a point with the given s². `sofa` takes SOFA's c3 = -|k| φ / γ². False in the
// very center, where there is no direction: no force.
static inline bool st_ellipsoid_push(st_real *force, st_real *matrix, const st_real *p, const st_real *v,
                                     const st_real *center, const st_real *radius, size_t dim, st_real level,
                                     st_real stiffness, st_real damping, bool sofa) {
    st_real g[3], w[3], square = 0;

    // G and γ²
    for (size_t j = 0; j < dim; j++) {
        w[j] = 1 / (radius[j] * radius[j]);
        g[j] = (p[j] - center[j]) * w[j];
        square += g[j] * g[j];
    }

    const st_real s = sqrt(level), phi = s - 1, gamma = sqrt(square), k = fabs(stiffness);
    if (!(gamma > 0)) return false;

    // F
    const st_real elastic = -k * phi / gamma, viscous = damping * fabs(phi);
    for (size_t j = 0; j < dim; j++) force[j] = g[j] * elastic - v[j] * viscous;

    // A
    const st_real c1 = -k / (s * gamma), c2 = -k * phi / gamma;
    const st_real c3 = sofa ? -k * phi / (gamma * gamma) : k * phi / (gamma * gamma * gamma);
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++) matrix[i * dim + j] = g[i] * g[j] * (c1 + c3 * w[j]);
    for (size_t i = 0; i < dim; i++) matrix[i * dim + i] += c2 * w[i];
    return true;
}

#endif
