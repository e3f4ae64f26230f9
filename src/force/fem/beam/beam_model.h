// Beams in packs of four: forces, products and matrices of BeamFEMForceField, whose file has the formulas.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_BEAM_BEAM_MODEL_H
#define SETTEE_FORCE_FEM_BEAM_BEAM_MODEL_H

#include "force/fem/common/element_mesh.h"

// EA/L, 12EI/L³, 6EI/L², 4EI/L, 2EI/L, GJ/L
enum { ST_BEAM_AXIAL, ST_BEAM_SHEAR, ST_BEAM_LEVER, ST_BEAM_BEND, ST_BEAM_FAR_BEND, ST_BEAM_TWIST, ST_BEAM_CONSTANTS };

typedef struct st_beam_model {
    st_element_mesh mesh; // two ends with six scalars each
    st_pack (*constants)[ST_BEAM_CONSTANTS];
    st_pack (*rotation)[9]; // R of the last force
    bool symmetric;         // matrices are made exactly symmetric
} st_beam_model;

// What a loop works on: the model and the arguments of the call.
typedef struct st_beam_call {
    const st_beam_model *model;
    const st_real *x;    // positions, for a product dx
    const st_real *rest; // positions at rest, for a force
    st_real factor;      // of a product
} st_beam_call;

// f = k d in the frame of the beam: translation and rotation of a, then of b.
ST_PACK_INLINE void st_beam_local_force(st_pack f[12], const st_pack k[ST_BEAM_CONSTANTS], const st_pack d[12]) {
    const st_pack axial = k[ST_BEAM_AXIAL], shear = k[ST_BEAM_SHEAR], lever = k[ST_BEAM_LEVER];
    const st_pack bend = k[ST_BEAM_BEND], far_bend = k[ST_BEAM_FAR_BEND], twist = k[ST_BEAM_TWIST];

    // forces and moments at a
    f[0] = axial * d[0] - axial * d[6];
    f[1] = shear * d[1] + lever * d[5] - shear * d[7] + lever * d[11];
    f[2] = shear * d[2] - lever * d[4] - shear * d[8] - lever * d[10];
    f[3] = twist * d[3] - twist * d[9];
    f[4] = -lever * d[2] + bend * d[4] + lever * d[8] + far_bend * d[10];
    f[5] = lever * d[1] + bend * d[5] - lever * d[7] + far_bend * d[11];

    // the same at b
    f[6] = -axial * d[0] + axial * d[6];
    f[7] = -shear * d[1] - lever * d[5] + shear * d[7] - lever * d[11];
    f[8] = -shear * d[2] + lever * d[4] + shear * d[8] + lever * d[10];
    f[9] = -twist * d[3] + twist * d[9];
    f[10] = -lever * d[2] + far_bend * d[4] + lever * d[8] + bend * d[10];
    f[11] = lever * d[1] + far_bend * d[5] - lever * d[7] + bend * d[11];
}

// The loops of beam_kernel.c; their context is a st_beam_call.
typedef struct st_beam_kernels {
    st_element_kernel *product, *matrix;
} st_beam_kernels;
ST_KERNEL_TABLES(st_beam_kernels);

#endif
