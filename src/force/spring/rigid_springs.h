// The derivative of springs between rigids a and b: forces and torques A (d_b - d_a) on a, and the opposite on b, with
// a 3x3 matrix for translations and one for rotations. A spring that is anchored acts on a alone, against a fixed
// frame.
//
// Shared by FrameSpringForceField, JointSpringForceField and GearSpringForceField.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_RIGID_SPRINGS_H
#define SETTEE_FORCE_SPRING_RIGID_SPRINGS_H

#include "settee/plugin/physics.h"

typedef struct st_rigid_spring {
    uint32_t a, b;
    bool anchored;
    st_real linear[9], angular[9];
} st_rigid_spring;

typedef ST_LIST(st_rigid_spring) st_rigid_springs;

// R diag(k) Rᵀ for the rotation q.
void st_rigid_spring_matrix(st_real matrix[9], const st_real q[4], const st_real k[3]);

void st_rigid_springs_blocks(const st_rigid_springs *springs, const st_state *one, const st_state *two, st_stiffness k);
void st_rigid_springs_product(const st_rigid_springs *springs, const st_state *one, const st_state *two,
                              const st_params *params, st_real k);

#endif
