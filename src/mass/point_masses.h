// Masses of points: what the masses with one number for each vertex share.
//
//     f_i += factor m_i g,      df_i += k factor m_i dx_i,      a_i = f_i / (factor m_i),      1/2 sum factor m_i v_i^2
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MASS_POINT_MASSES_H
#define SETTEE_MASS_POINT_MASSES_H

#include "settee/plugin/physics.h"

typedef struct st_point_masses {
    const st_real *data; // m_i, one every `stride` reals
    size_t count;        // DOFs that have one: at most those of the state
    size_t stride;
    st_real factor;
} st_point_masses;

// The weight, unless gravity is added apart, and its energy -sum m g.x: for the centers of rigids, too.
void st_point_masses_weigh(const st_point_masses *points, const st_mass *mass, const st_params *params);
st_real st_point_masses_potential(const st_point_masses *points, const st_mass *mass, const st_params *params);

// For vectors, where a mass is the same along all axes. Points without mass keep the acceleration they have.
void st_point_masses_multiply(const st_point_masses *points, const st_mass *mass, const st_params *params, st_real k);
void st_point_masses_accelerate(const st_point_masses *points, const st_mass *mass, st_deriv_id a, st_const_deriv_id f);
st_real st_point_masses_kinetic(const st_point_masses *points, const st_mass *mass, const st_params *params);

#endif
