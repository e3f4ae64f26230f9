// Hexahedra of a sparse grid with the stiffness and mass of finer cells: what NonUniformHexahedronFEMForceFieldAndMass
// and HexahedronCompositeFEMForceFieldAndMass share (condensation.h has the formulas).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_HEXAHEDRON_NON_UNIFORM_HEXAHEDRON_H
#define SETTEE_FORCE_FEM_HEXAHEDRON_NON_UNIFORM_HEXAHEDRON_H

#include "force/fem/hexahedron/condensation.h"

typedef struct st_non_uniform_hexahedron {
    st_hexahedron_mass mass;
    int32_t levels;
    bool use_mass;
    st_real total_mass;
    bool complete_interpolation;
    bool finest_to_coarse, use_ramification;
    int32_t homogenization, draw_type, draw_color;
    st_real draw_size;

    st_reals start; // positions at init, which are the rest shape
    st_condensation condensation;
    bool condensed;      // there are finer levels
    bool *out_of_memory; // set while the stiffness is computed
} st_non_uniform_hexahedron;

extern const st_class st_non_uniform_hexahedron_fem_force_field_and_mass_class;
extern const st_class st_hexahedron_composite_fem_force_field_and_mass_class;

// `composite`: finer cells follow the body at rest, not the trilinear interpolation.
st_status st_non_uniform_hexahedron_init(st_object *object, bool composite);
void st_non_uniform_hexahedron_destroy(st_object *object);

// Weights of all finest cells within hexahedron e (condensation.h). False when out of memory.
bool st_non_uniform_hexahedron_weights(const st_non_uniform_hexahedron *self, size_t e, st_condensation_take *take,
                                       void *user);

#endif
