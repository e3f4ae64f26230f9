// The mass of one degree of freedom: a number, or mass, volume and inertia of a rigid.
//
//     M w = (m w_linear, J m w_angular)      J per unit mass, in world axes: it does not turn with the body
//
// As a field it is 1 real (vectors), 3 (Rigid2: m, volume, J) or 11 (Rigid3: m, volume, J row by row). What is derived
// from it, J m and its inverse, is kept apart.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MASS_RIGID_MASS_H
#define SETTEE_MASS_RIGID_MASS_H

#include "math/mat3.h"
#include "settee/plugin/state.h"
#include "state/dof.h"

enum { ST_MASS_WIDTH_MAX = 11 };
// The default of a mass field: mass 1, volume 1, J = 1; vectors read the first number of it.
#define ST_MASS_DEFAULT "1 1 1 0 0 0 1 0 0 0 1"

typedef struct st_dof_mass {
    const st_dof *dof;
    st_real mass;
    st_real inertia[9];         // J m, or its first entry for Rigid2
    st_real inverse_inertia[9]; // of J m
} st_dof_mass;

// The inverse of J m. A determinant says nothing of small entries: those are inverted at their own scale. A J m that is
// singular gives 0: the body does not turn.
static inline void st_invert_inertia(st_real inverse[9], const st_real inertia[9]) {
    st_real scaled[9], largest = 0;
    if (st_mat3_inverse(inverse, inertia)) return;

    // (J m / s)⁻¹ / s with s its largest entry
    for (int i = 0; i < 9; i++) largest = st_max(largest, fabs(inertia[i]));
    for (int i = 0; i < 9; i++) scaled[i] = largest > 0 ? inertia[i] / largest : 0;
    if (!st_mat3_inverse(scaled, scaled)) st_mat3_zero(scaled);
    for (int i = 0; i < 9; i++) inverse[i] = largest > 0 ? scaled[i] / largest : 0;
}

// Takes mass and J from the value of a field.
static inline void st_dof_mass_set(st_dof_mass *m, const st_real *value) {
    m->mass = value[0];
    if (m->dof == &st_rigid3) {
        st_mat3_scale(m->inertia, value + 2, m->mass);
        st_invert_inertia(m->inverse_inertia, m->inertia);
    } else if (m->dof == &st_rigid2) {
        m->inertia[0] = value[2] * m->mass;
        m->inverse_inertia[0] = 1 / m->inertia[0];
    }
}

static inline void st_dof_mass_init(st_dof_mass *m, const st_dof *dof) {
    static const st_real unit[ST_MASS_WIDTH_MAX] = {1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    m->dof = dof;
    st_dof_mass_set(m, unit);
}

// The same mass times a factor (its inverse is not kept up to date).
static inline st_dof_mass st_dof_mass_scaled(const st_dof_mass *m, st_real factor) {
    st_dof_mass scaled = *m;
    scaled.mass = m->mass * factor;
    for (int i = 0; i < 9; i++) scaled.inertia[i] = m->inertia[i] * factor;
    return scaled;
}

// r = M w
static inline void st_dof_mass_multiply(const st_dof_mass *m, st_real *r, const st_real *w) {
    const size_t linear = st_position_scalars(m->dof);
    for (size_t i = 0; i < linear; i++) r[i] = w[i] * m->mass;
    if (m->dof == &st_rigid3) st_mat3_times_vec(r + 3, m->inertia, w + 3);
    if (m->dof == &st_rigid2) r[2] = m->inertia[0] * w[2];
}

// r = M⁻¹ f
static inline void st_dof_mass_divide(const st_dof_mass *m, st_real *r, const st_real *f) {
    const size_t linear = st_position_scalars(m->dof);
    for (size_t i = 0; i < linear; i++) r[i] = f[i] / m->mass;
    if (m->dof == &st_rigid3) st_mat3_times_vec(r + 3, m->inverse_inertia, f + 3);
    if (m->dof == &st_rigid2) r[2] = m->inverse_inertia[0] * f[2];
}

// Row-major dense matrix of deriv × deriv scalars.
static inline void st_dof_mass_block(const st_dof_mass *m, st_real block[36]) {
    const size_t n = m->dof->deriv, linear = st_position_scalars(m->dof);

    for (size_t i = 0; i < n * n; i++) block[i] = 0;
    for (size_t i = 0; i < linear; i++) block[i * n + i] = m->mass;

    for (size_t i = linear; i < n; i++)
        for (size_t j = linear; j < n; j++) block[i * n + j] = m->inertia[(i - linear) * (n - linear) + j - linear];
}

#endif
