// The part of a matrix-free product that costs less with a matrix. See assembled_part.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/assembled_part.h"

#include "base/array.h"

enum { BLOCK = 3 };

static bool may_take(const st_plan *plan, const st_force *force) {
    // of one independent state, and willing
    return (force->object.type->flags & ST_CLASS_PRODUCT_BY_MATRIX) && st_is_valid(&force->object) && force->state &&
           (!force->other || force->other == force->state) && st_plan_find(plan, force->state) != SIZE_MAX;
}

// A diagonal mass alone is not worth a matrix.
static bool is_heavy(const st_force *force) {
    const st_mass_ops *mass = force->object.type->mass;

    return !mass || !mass->is_diagonal || !mass->is_diagonal((const st_mass *)force);
}

// True: something is worth it.
static bool assembled_part_choose(st_assembled_part *part, const st_plan *plan) {
    bool heavy = false;

    // The product of blocks of 3 x 3 is the fast one.
    if (st_plan_block(plan) % BLOCK != 0 || !st_list_set_count(&part->taken, plan->forces.count, 1)) return false;

    for (size_t i = 0; i < plan->forces.count; i++) {
        part->taken.data[i] = may_take(plan, plan->forces.data[i]);
        heavy = heavy || (part->taken.data[i] && is_heavy(plan->forces.data[i]));
    }

    return heavy;
}

bool st_assembled_part_build(st_assembled_part *part, const st_plan *plan, const st_params *params) {
    const st_sum_request request = {.params = *params, .kinds = {true, true, true}, .block = BLOCK, .silent = true};
    if (plan->size == 0 || !assembled_part_choose(part, plan)) return false;

    // What a component puts elsewhere than into its own block is left to its product, which reports it.
    if (st_matrix_sum_refresh(&part->sum, plan, ST_SUM_INDEPENDENT, may_take) &&
        st_matrix_sum_assemble(&part->sum, &request) == ST_OK && part->sum.refused == 0)
        return true;

    st_matrix_sum_free(&part->sum);
    return false;
}

void st_assembled_part_free(st_assembled_part *part) {
    st_list_free(&part->taken);
    st_matrix_sum_free(&part->sum);
}
