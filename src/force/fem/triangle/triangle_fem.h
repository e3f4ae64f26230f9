// What the force fields of membrane triangles share: material, model, force and derivative. They differ in the rest
// shape and in the gradients that they use.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_TRIANGLE_TRIANGLE_FEM_H
#define SETTEE_FORCE_FEM_TRIANGLE_TRIANGLE_FEM_H

#include "force/fem/common/tear.h"
#include "force/fem/triangle/triangle_model.h"

typedef struct st_triangle_fem {
    st_elastic elastic;
    char *method;
    st_tear tear;
    st_triangle_model model;
} st_triangle_fem;

extern const st_class st_triangle_fem_class; // abstract

// Room for the triangles, whose vertices must be below `points`; the model's method is set already. Says why not.
st_status st_triangle_fem_make(st_triangle_fem *self, const st_uints *triangles, size_t points);
// An error, once, when the model met a triangle without area.
void st_triangle_fem_report_flat(st_triangle_fem *self, const char *when);
// The method by its name; `large`, with a warning, when it is neither that nor `small`.
st_triangle_method st_triangle_fem_read_method(const st_triangle_fem *self);

// The roles of a force, for those who add to one of them.
void st_triangle_fem_add_force(st_force *force, const st_params *params);
void st_triangle_fem_product(st_force *force, const st_params *params, st_real k, st_real b);
void st_triangle_fem_stiffness(st_force *force, const st_params *params, st_stiffness to);
st_real st_triangle_fem_potential(st_force *force, const st_params *params);
// Has it triangles, and the state the points that they need?
bool st_triangle_fem_ready(const st_triangle_fem *self);

// Principal values of a symmetric stress (xx, yy, xy) by size, |first| >= |second|, and the unit direction of the
// first.
void st_principal_stress(st_real values[2], st_real direction[2], const st_real stress[3]);

#endif
