// The stiffness of one linear elastic element of any kind, integrated numerically:
//
//     K = Σ points  w |Jac|  Bᵀ C B,        Jac = Σ X_i ⊗ grad_ref N_i,     grad N_i = Jac⁻ᵀ grad_ref N_i
//
// Where the element has fewer dimensions than space, |Jac| = sqrt(det(Jacᵀ Jac)) and Jac⁻¹ = (Jacᵀ Jac)⁻¹ Jacᵀ.
// Rows of B: xx, yy, zz, yz, xz, xy (in the plane xx, yy, xy), with engineering shear strains. An element without
// extent has no stiffness.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_GENERIC_STIFFNESS_H
#define SETTEE_FORCE_FEM_GENERIC_STIFFNESS_H

#include "force/fem/common/elastic.h"
#include "force/fem/common/element_mesh.h"

// Gradients of the shape functions in space at point q of an element with nodes X (d reals each), and |Jac|. False when
// the Jacobian is singular.
bool st_spatial_gradients(st_element kind, const st_real q[3], const st_real *nodes, size_t d, st_real g[][3],
                          st_real *det);

// k: (n d) x (n d), row by row.
void st_element_stiffness(st_element kind, const st_real *nodes, size_t d, st_lame lame, st_real *k);

#endif
