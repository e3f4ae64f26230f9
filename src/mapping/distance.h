// What the mappings of distances between two points share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_DISTANCE_H
#define SETTEE_MAPPING_DISTANCE_H

#include "base/array.h"
#include "mapping/geometric.h"
#include "mapping/gradient_rows.h"
#include "mapping/states.h"

// The distance of two places; sets the gradients −u and u of the row, and 1 / distance (0 for places that coincide,
// where u = (1, 1, 1)/√3).
st_real st_distance_row(const st_gradient_rows *rows, size_t row, const st_real a[3], const st_real b[3],
                        st_real *inverse);

// The distance of two DOFs at init; of rigid ones, with the vector part of q_b⁻¹ q_a as further coordinates.
st_real st_initial_distance(const st_state *state_a, const st_state *state_b, size_t a, size_t b);

// |w|² − (u · w)² over the distance, with w the difference of the two velocities.
st_real st_distance_curvature(const st_gradient_rows *rows, size_t row, const st_real *inverse,
                              const st_real *const *v);

// M = (I − u uᵀ) f / distance on both points, −M between them, for the rows that count by the option.
void st_distance_geometric(const st_gradient_rows *rows, const st_mapping *mapping, int32_t option,
                           const st_real *inverse, const st_params *params, st_stiffness stiffness);
void st_distance_apply_geometric(const st_gradient_rows *rows, const st_mapping *mapping, int32_t option,
                                 const st_real *inverse, const st_params *params, st_real k);

#endif
