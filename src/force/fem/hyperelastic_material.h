// Hyperelastic materials: the second Piola-Kirchhoff stress S(C) and its derivative.
//
// All but Ogden's can be written  S = a X + b C + c C^-1,  with a, b, c functions of (q, I2, J):
//     isotropic   X = 1,            q = I1 = tr C,     I2 = (I1^2 - tr C^2)/2,     J = det F
//     Costa       X = U o (C - 1)/2 (entry by entry),  q = X : (C - 1)/2
// so that along a change H of C
//     dS = da X + a dX + db C + b H + dc C^-1 - c C^-1 H C^-1,
//     dq = tr H (or H : X),   dI2 = I1 tr H - C : H,   dJ = J/2 C^-1 : H,
// where da = a_q dq + a_I2 dI2 + a_J dJ. Numbers that carry their three partial derivatives along (`st_dual`) give those
// for nothing: a material is the formula of its stress and no more.
//
// Ogden's is  S = mu/alpha J^(-alpha/3) (C^(alpha/2-1) - 1/3 tr(C^(alpha/2)) C^-1) + k0 ln J C^-1.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_HYPERELASTIC_MATERIAL_H
#define SETTEE_FORCE_FEM_HYPERELASTIC_MATERIAL_H

#include "math/real.h"

// A number and its derivatives with respect to q, I2 and J.
typedef struct st_dual {
    st_real value, d[3];
} st_dual;

// What is known of one element after its force.
typedef struct st_hyperelastic_point {
    st_real f[9];       // deformation gradient, rows are x, y, z of the deformed body
    st_real c[9];       // F^T F
    st_real inverse[9]; // of C; zero where there is none
    st_real j;          // det F
    bool regular;       // it has a stress
    st_real s[9];       // stress
    st_real x[9];       // X
    st_dual part[3];    // a, b, c
    st_real lambda[3];  // Ogden: eigenvalues of C ...
    st_real axes[9];    // ... and eigenvectors (columns)
} st_hyperelastic_point;

typedef struct st_hyperelastic_material {
    const char *name;
    int parameters;
    const char *parameter_names;
    bool inverts; // has a stress where J <= 0, too
    // a, b, c from the parameters and q, I2, J. NULL: Ogden.
    void (*parts)(const st_real *p, const st_dual in[3], st_dual out[3]);
    st_real (*energy)(const st_real *p, const st_hyperelastic_point *point); // of a unit of volume at rest
    // NULL, or what is wrong with the parameters.
    const char *(*complain)(const st_real *p);
} st_hyperelastic_material;

enum { ST_HYPERELASTIC_MATERIALS = 8, ST_HYPERELASTIC_PARAMETERS = 8 };
extern const st_hyperelastic_material st_hyperelastic_materials[ST_HYPERELASTIC_MATERIALS];
extern const char *const st_hyperelastic_names[]; // NULL at the end
// NULL when there is none of that name.
const st_hyperelastic_material *st_hyperelastic_find(const char *name);

// Stress and what the derivative needs, from F and J. False where there is none: the stress is then zero.
bool st_hyperelastic_stress(const st_hyperelastic_material *material, const st_real *parameters,
                            st_hyperelastic_point *point);
// dS along H.
void st_hyperelastic_derivative(const st_hyperelastic_material *material, const st_real *parameters,
                                const st_hyperelastic_point *point, const st_real h[9], st_real ds[9]);
// 0 where there is no stress.
st_real st_hyperelastic_energy(const st_hyperelastic_material *material, const st_real *parameters,
                               const st_hyperelastic_point *point);

#endif
