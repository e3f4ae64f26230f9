// The stiffness of a trilinear hexahedron, as the classical hexahedral forces have it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_HEXAHEDRON_HEXAHEDRON_STIFFNESS_H
#define SETTEE_FORCE_FEM_HEXAHEDRON_HEXAHEDRON_STIFFNESS_H

#include "force/fem/common/elastic.h"

enum { ST_HEXAHEDRON_SCALARS = 24, ST_HEXAHEDRON_ENTRIES = 576 };

// K = Σ 2 x 2 x 2 points  det(Jac) Bᵀ C B. Where opposite edges agree to a thousandth of their length the
// Jacobian is that of the parallelepiped of the edges 01, 03, 04 everywhere. A mirrored element has a negative
// stiffness. False when the element is flat: it then has none.
bool st_hexahedron_stiffness(const st_real nodes[24], st_hooke hooke, st_real k[576]);

// |01| |03| |04|: the volume of a box.
st_real st_hexahedron_box_volume(const st_real nodes[24]);

#endif
