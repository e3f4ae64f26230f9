// Products with J, Jᵀ and the geometric stiffness of a mapping by its blocks, whatever products of its own it has.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_MAPPING_PRODUCT_H
#define SETTEE_MAPPING_MAPPING_PRODUCT_H

#include "settee/plugin/physics.h"
#include "state/sink.h"

void st_mapping_multiply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in);  // out = J in
void st_mapping_multiply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out); // in += Jᵀ out
// df_in += k (∂(Jᵀf)/∂q) dx_in, f being params->f of the outputs.
void st_mapping_multiply_geometric(st_mapping *mapping, const st_params *params, st_real k);
// Says once what a sink refused: a mapping that gives blocks outside of its states gives them at every step. The key is
// that of every error about the blocks of a mapping (st_first_time).
#define ST_REFUSED_BLOCKS "refused blocks"
void st_mapping_report(st_mapping *mapping, const char *what, const st_window *window, const st_refusals *refusals);

#endif
