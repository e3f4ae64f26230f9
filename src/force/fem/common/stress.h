// Stress and strain of the elements of any elastic force, for pictures and files: computed here for all of them.
//
// With the deformation gradient F at the center of an element and its rotation R (polar decomposition of F):
//
//     strain      U - 1, U = Rᵀ F                          shown as its norm sqrt(ε : ε)
//     stress      volumes: 2 μ ε + λ tr(ε) 1; surfaces: plane stress, E / (1 - ν²) ((1 - ν) ε + ν tr(ε) 1);
//                 hyperelastic: F S(C) Fᵀ / J, with S of the material
//     von Mises   sqrt(xx² + yy² + zz² - xx yy - yy zz - zz xx + 3 (xy² + yz² + zx²))
//
// Rotations of a body thus never look like strain, whatever the method of the force.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_COMMON_STRESS_H
#define SETTEE_FORCE_FEM_COMMON_STRESS_H

#include "settee/plugin/physics.h"
#include "settee/plugin/topology.h"

typedef enum st_stress_value { ST_STRESS_VON_MISES, ST_STRESS_STRAIN, ST_STRESS_YOUNG } st_stress_value;

// The elements of a force that have a stress, by their vertices. False: it has none, or none of that value.
typedef struct st_stress_mesh {
    st_element kind;
    size_t count;
    const uint32_t *elements;
} st_stress_mesh;
bool st_stress_mesh_of(const st_object *force, st_stress_value what, st_stress_mesh *mesh);

// One value for each of its elements, at the present positions; NaN where there is none.
void st_stress_of_elements(const st_object *force, const st_stress_mesh *mesh, st_stress_value what, float *values);
// Means over the elements around each point of the state; NaN at points without any. False: out of memory.
bool st_stress_of_points(const st_stress_mesh *mesh, const float *values, size_t points, float *result);

#endif
