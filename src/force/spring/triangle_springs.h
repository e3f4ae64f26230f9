// Membranes of triangles as springs: along the edges, and between the edges of each triangle ("angular" ones), chosen
// so that they act like a linear elastic material in plane stress. (H. Delingette: Triangular springs for modeling
// nonlinear membranes, 2008.)
//
// With e_j a measure of how much edge j, opposite to vertex j, has grown, the energy of a triangle is
//
//     Σ h/2 s_j e_j² + Σ h γ_j e_k e_l,       (j, k, l) = (0, 1, 2), (1, 2, 0), (2, 0, 1)
//
// TriangularBiquadraticSprings has e = |p|² - L² and h = 1/2, TriangularQuadraticSprings e = |p| - L and h = 1. Force
// and tangent need of e only its derivative along the edge and the coefficient c_j = s_j e_j + γ_k e_l + γ_l e_k.
//
//     λ = E ν / (1 - ν²),  μ = E (1 - ν) / (1 - ν²),  A the area at rest, cot_j the cotangent of the angle at vertex j
//     biquadratic:  s_j = (2 cot_j² (λ + μ) + μ) / 16 A,     γ_j = (2 cot_k cot_l (λ + μ) - μ) / 16 A
//     quadratic:    these times 2 L_j² and 2 L_k L_l
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_TRIANGLE_SPRINGS_H
#define SETTEE_FORCE_SPRING_TRIANGLE_SPRINGS_H

#include "force/spring/edge_matrices.h"

typedef struct st_spring_edge {
    uint32_t v[2];
    st_real rest;      // squared length at rest
    st_real stiffness; // Σ s over its triangles
    st_real extension; // e of the last evaluation, with damping
    st_real length;    // |p| then
} st_spring_edge;

typedef struct st_spring_triangle {
    uint32_t v[3], edge[3];
    st_real s[3], gamma[3];
    st_real rest_area;
    st_real normal[3]; // the last one that could be trusted
} st_spring_triangle;

typedef struct st_triangle_springs {
    st_force base;
    // fields
    st_real poisson, young, damping;
    bool angular, compressible, regularize;
    st_reals initial_points;
    st_object *topology;
    // what is computed with
    bool quadratic; // else biquadratic
    st_real lambda, mu;
    ST_LIST(st_spring_edge) edges;
    ST_LIST(st_spring_triangle) triangles;
    st_edge_matrices tangent; // three for each triangle
    bool doubled;             // one term of the tangent counts twice, as in SOFA
} st_triangle_springs;

extern const st_class st_triangle_springs_class; // abstract

#endif
