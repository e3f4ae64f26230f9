// The Jacobian of one mapping as a matrix of its own, for settee/matrix.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ASSEMBLY_JACOBIAN_PROBE_H
#define SETTEE_ASSEMBLY_JACOBIAN_PROBE_H

#include "assembly/matrix_sink.h"
#include "settee/plugin/physics.h"

// Rows are the scalars of the mapping's outputs, one state after the other, columns those of its inputs; a state that
// is named twice is there once. The pattern is kept while the mapping gives the same blocks.
st_status st_gather_jacobian(st_assembly *jacobian, st_mapping *mapping);

#endif
