// What TetrahedronFEMForceField and TetrahedralCorotationalFEMForceField share: attributes, material, derivative,
// energy. The formulas are in tetra_model.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_TETRAHEDRON_TETRA_FEM_H
#define SETTEE_FORCE_FEM_TETRAHEDRON_TETRA_FEM_H

#include "force/fem/common/tear.h"
#include "force/fem/tetrahedron/tetra_model.h"
#include "force/fem/tetrahedron/von_mises.h"

typedef struct st_tetra_fem {
    st_elastic elastic;
    char *method;
    st_reals local_factor;
    bool update_stiffness_matrix, compute_global_matrix;
    st_reals von_mises_elements, von_mises_nodes;

    st_tear tear;
    st_tetra_model model;
    bool followed;   // the model has lost the elements that the mesh has lost since the last init, and no others came
    bool renumbered; // points have other numbers
} st_tetra_fem;

extern const st_class st_tetra_fem_class; // abstract: attributes and hooks

static inline const st_real *st_tetra_fem_rest(const st_tetra_fem *self) {
    return self->elastic.force.state->coord[ST_COORD_REST].data;
}

// Takes the elements, after the method was set. Says what is wrong with them.
st_status st_tetra_fem_make(st_tetra_fem *self, const st_uints *elements);
// C / (36 V) of all elements.
void st_tetra_fem_set_materials(st_tetra_fem *self);
// Von Mises stress of elements and nodes at positions x; `scaled` as in von_mises.h. False when out of memory.
bool st_tetra_fem_von_mises(st_tetra_fem *self, const st_real *x, st_strain_measure measure, bool scaled);
// Says once that there is no force with computeGlobalMatrix and the given method.
void st_tetra_fem_report_no_force(st_tetra_fem *self, const char *method);
// Says once that an element is flat.
void st_tetra_fem_report_flat(st_tetra_fem *self);

void st_tetra_fem_product(st_force *force, const st_params *params, st_real k, st_real b);
void st_tetra_fem_stiffness(st_force *force, const st_params *params, st_stiffness to);
st_real st_tetra_fem_potential(st_force *force, const st_params *params);

#endif
