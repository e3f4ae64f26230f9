// What the classical hexahedral forces share: a method for the rotation of the elements, whose data are kept in the
// frame of the element (element_model.h), and where their stiffness comes from.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_HEXAHEDRON_HEXAHEDRON_FEM_H
#define SETTEE_FORCE_FEM_HEXAHEDRON_HEXAHEDRON_FEM_H

#include "force/fem/generic/element_model.h"
#include "force/fem/hexahedron/hexahedron_stiffness.h"

typedef struct st_hexahedron_fem {
    st_elastic elastic;
    char *method;
    bool update_stiffness_matrix;
    st_reals initial_points;
    bool drawing;
    st_real draw_offset;
    int32_t threads;
    char *ignored[4]; // attributes that have no effect

    st_element_model model;
    st_element_law law;      // set by the class before st_hexahedron_fem_build
    st_reals stiffness_part; // of a sparse grid: how much of each cell is filled; empty: all of it
} st_hexahedron_fem;

extern const st_class st_hexahedron_fem_class;             // abstract: attributes and hooks
extern const st_class st_hexahedron_fem_force_field_class; // parents of the forces with mass
extern const st_class st_hexahedral_fem_force_field_class; //

static inline const st_reals *st_hexahedron_fem_rest(const st_hexahedron_fem *self) {
    return &self->elastic.force.state->coord[ST_COORD_REST];
}

// Takes how much of each cell is filled from the sparse grid, if the mesh is one: a stiffness, or the mass of each
// cell. False when out of memory.
bool st_hexahedron_fem_use_grid(const st_hexahedron_fem *self, st_reals *parts, bool mass);
// The hexahedra of its mesh; NULL when there is no mesh, after an error.
const st_uints *st_hexahedron_fem_elements(st_hexahedron_fem *self);
// Takes the elements with their shape at x, and their stiffness by self->law. `small`: is the method without rotation
// offered?
st_status st_hexahedron_fem_build(st_hexahedron_fem *self, const st_reals *x, bool small);

// The usual law: K_e of hexahedron_stiffness.h, times how much of the cell is filled.
st_element_law st_hexahedron_fem_law(const st_hexahedron_fem *self);
// Nodes of element e at the given positions.
void st_hexahedron_fem_nodes(const st_hexahedron_fem *self, size_t e, const st_real *x, st_real nodes[24]);
static inline st_hooke st_hexahedron_fem_hooke(const st_hexahedron_fem *self, size_t e) {
    return st_hooke_of(st_elastic_young(&self->elastic, e), st_elastic_poisson(&self->elastic, e));
}

void st_hexahedron_fem_add_force(st_force *force, const st_params *params);
void st_hexahedron_fem_product(st_force *force, const st_params *params, st_real k, st_real b);
void st_hexahedron_fem_stiffness(st_force *force, const st_params *params, st_stiffness to);
st_real st_hexahedron_fem_potential(st_force *force, const st_params *params);
bool st_hexahedron_fem_rotations(st_force *force, st_real *rotations);

#endif
