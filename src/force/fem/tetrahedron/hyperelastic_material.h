// Hyperelastic materials: the second Piola-Kirchhoff stress S(C) and its derivative.
//
// All but Ogden's can be written  S = a X + b C + c C^-1,  with a, b, c functions of (q, I2, J):
//     isotropic   X = 1,            q = I1 = tr C,     I2 = (I1^2 - tr C^2)/2,     J = det F
//     Costa       X = U o (C - 1)/2 (entry by entry),  q = X : (C - 1)/2
// so that along a change H of C
//     dS = da X + a dX + db C + b H + dc C^-1 - c C^-1 H C^-1,
//     dq = tr H (or H : X),   dI2 = I1 tr H - C : H,   dJ = J/2 C^-1 : H,
// where da = a_q dq + a_I2 dI2 + a_J dJ. Numbers that carry their three partial derivatives along (`st_dual`) give
// those for nothing: a material is the formula of its stress and no more.
//
// Ogden's is  S = mu/alpha J^(-alpha/3) (C^(alpha/2-1) - 1/3 tr(C^(alpha/2)) C^-1) + k0 ln J C^-1.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_TETRAHEDRON_HYPERELASTIC_MATERIAL_H
#define SETTEE_FORCE_FEM_TETRAHEDRON_HYPERELASTIC_MATERIAL_H

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
    const char *(*check)(const st_real *p);
} st_hyperelastic_material;

enum { ST_HYPERELASTIC_MATERIALS = 8, ST_HYPERELASTIC_PARAMETERS = 8 };
extern const st_hyperelastic_material st_hyperelastic_materials[ST_HYPERELASTIC_MATERIALS];
extern const char *const st_hyperelastic_names[]; // NULL at the end
// NULL when there is none of that name.
const st_hyperelastic_material *st_hyperelastic_find(const char *name);

// Stress and what the derivative needs, from F and J. False where there is none: the stress is then zero.
bool st_hyperelastic_stress(const st_hyperelastic_material *material, const st_real *parameters,
                            st_hyperelastic_point *point);

// The derivative: F dS(H_m) s_k for the change H_m = s_l (x) F_m + F_m (x) s_l of C that component m of node l makes.
// Isotropic materials need no matrix H: with b = F s, c = F C s and n = F C^-1 s of each node,
//
//     tr H_m / 2 = b_l[m],   C : H_m / 2 = c_l[m],   C^-1 : H_m / 2 = n_l[m],
//     F H_m s_k = b_k[m] b_l + (s_k . s_l) F F^T e_m,    F C^-1 H_m C^-1 s_k = n_k[m] n_l + (n_k . n_l) e_m.
//
// What is the same for all nodes of an element is made once.
typedef struct st_hyperelastic_tangent {
    const st_hyperelastic_material *material;
    const st_real *p;
    const st_hyperelastic_point *at;
    bool isotropic;         // and not Ogden's
    st_real left[9];        // F F^T
    st_real power[9];       // Ogden: C^(alpha/2 - 1) ...
    st_real differences[9]; // ... its divided differences in the frame of the eigenvectors ...
    st_real trace, shrink;  // ... tr C^(alpha/2), J^(-alpha/3)
} st_hyperelastic_tangent;
void st_hyperelastic_tangent_make(st_hyperelastic_tangent *tangent, const st_hyperelastic_material *material,
                                  const st_real *parameters, const st_hyperelastic_point *point);

// What is the same for all pairs that a node is in.
typedef struct st_hyperelastic_node {
    const st_real *s;
    st_real b[3], c[3], n[3];
    st_real da[3], db[3], dc[3]; // changes of a, b, c with each component
    st_real ds[3][9];            // of others: dS(H_m)
} st_hyperelastic_node;
void st_hyperelastic_node_make(st_hyperelastic_node *node, const st_hyperelastic_tangent *tangent, const st_real s[3]);
// Row m of t: F dS(H_m) s_k.
void st_hyperelastic_pair(const st_hyperelastic_tangent *tangent, const st_hyperelastic_node *k,
                          const st_hyperelastic_node *l, st_real t[9]);

// 0 where there is no stress.
st_real st_hyperelastic_energy(const st_hyperelastic_material *material, const st_real *parameters,
                               const st_hyperelastic_point *point);

#endif
