// Where a membrane would tear: principal stresses of its triangles, for display and for cutting.
//
// With s0, s1 the sizes of the principal values of area times the stress, s0 >= s1, and n Hosford's exponent:
//     difference to the criterion = (1/2 (s0^n + s1^n + |s0 - s1|^n))^(1/n) - criterion
//     principal direction         = mean of the last 30 of  s0/100 times the direction of s0 in the world
//     stress at a vertex          = mean of s0 of the triangles around it, weighted by their areas
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_TRIANGLE_TRIANGULAR_STRESS_H
#define SETTEE_FORCE_FEM_TRIANGLE_TRIANGULAR_STRESS_H

#include "force/fem/triangle/triangle_model.h"

typedef struct st_triangular_stress {
    st_real exponent, criterion;
    st_reals max;        // s0 of each triangle
    st_reals difference; //
    st_reals direction;  // Vec3
    st_reals vertex;
    st_reals history; // the last directions of each triangle, a ring
    size_t steps;     // evaluations so far
} st_triangular_stress;

// Room for the results of the model; former ones are forgotten.
bool st_triangular_stress_make(st_triangular_stress *stress, const st_triangle_model *model);
void st_triangular_stress_free(st_triangular_stress *stress); // what the fields do not own
// At positions x, with the frames of the force that was just evaluated there.
void st_triangular_stress_update(st_triangular_stress *stress, st_triangle_model *model, const st_real *areas,
                                 const st_real *x);

#endif
