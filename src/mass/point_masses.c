// Masses of points. See point_masses.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "mass/point_masses.h"

#include "state/dof.h"

void st_point_masses_weigh(const st_point_masses *points, const st_mass *mass, const st_params *params) {
    if (mass->separate_gravity || !points->count) return;

    const st_dof *dof = st_state_dof(mass->force.state);
    const size_t n = dof->deriv, linear = st_position_scalars(dof);
    st_real *f = st_f(mass->force.state, params), g[6];

    st_gravity(&mass->force.object, dof, g);

    // f_i += factor m_i g
    for (size_t i = 0; i < points->count; i++)
        for (size_t j = 0; j < linear; j++) f[i * n + j] += g[j] * points->data[i * points->stride] * points->factor;
}

st_real st_point_masses_potential(const st_point_masses *points, const st_mass *mass, const st_params *params) {
    if (!points->count) return 0;

    const st_dof *dof = st_state_dof(mass->force.state);
    const size_t n = dof->coord;
    const st_real *x = st_x(mass->force.state, params);
    st_real g[6], energy = 0;
    st_gravity(&mass->force.object, dof, g);

    // -Σ m g·x
    for (size_t i = 0; i < points->count; i++)
        for (size_t j = 0; j < dof->spatial; j++)
            energy -= g[j] * points->data[i * points->stride] * points->factor * x[i * n + j];
    return energy;
}

void st_point_masses_multiply(const st_point_masses *points, const st_mass *mass, const st_params *params, st_real k) {
    if (!points->count) return;

    const size_t n = st_state_dof(mass->force.state)->deriv;
    const st_real *dx = st_dx(mass->force.state, params);
    st_real *df = st_df(mass->force.state, params);

    // df_i += k factor m_i dx_i
    for (size_t i = 0; i < points->count; i++)
        for (size_t j = 0; j < n; j++)
            df[i * n + j] += dx[i * n + j] * points->data[i * points->stride] * points->factor * k;
}

void st_point_masses_accelerate(const st_point_masses *points, const st_mass *mass, st_deriv_id a,
                                st_const_deriv_id f) {
    if (!points->count) return;

    const size_t n = st_state_dof(mass->force.state)->deriv;
    st_real *result = st_dx_of(mass->force.state, a);
    const st_real *force = st_force_of(mass->force.state, (st_deriv_id){f.index});

    // a_i = f_i / (factor m_i), where there is a mass
    for (size_t i = 0; i < points->count; i++) {
        const st_real m = points->data[i * points->stride] * points->factor;
        for (size_t j = 0; j < n && m != 0; j++) result[i * n + j] = force[i * n + j] / m;
    }
}

st_real st_point_masses_kinetic(const st_point_masses *points, const st_mass *mass, const st_params *params) {
    if (!points->count) return 0;

    const size_t n = st_state_dof(mass->force.state)->deriv;
    const st_real *v = st_v(mass->force.state, params);
    st_real energy = 0;

    // ½ Σ factor m_i v_i²
    for (size_t i = 0; i < points->count; i++)
        for (size_t j = 0; j < n; j++)
            energy += points->data[i * points->stride] * points->factor * v[i * n + j] * v[i * n + j];
    return energy / 2;
}
