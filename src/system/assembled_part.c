// The part of a matrix-free product that costs less with a matrix. See assembled_part.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "system/assembled_part.h"

#include <string.h>

#include "base/array.h"

enum { ASSEMBLY_TRIES = 3, BLOCK = 3 };

// ---------------------------------------------------------------------------------------------------
// Which forces
// ---------------------------------------------------------------------------------------------------

static bool may_take(const st_plan *plan, const st_force *force) {
    return (force->object.type->flags & ST_CLASS_PRODUCT_BY_MATRIX) && st_is_valid(&force->object) && force->state &&
           (!force->other || force->other == force->state) && st_plan_find(plan, force->state) != SIZE_MAX;
}

static bool choose(st_assembled_part *part, const st_plan *plan) {
    const size_t count = plan->forces.count;
    part->any = false;
    // The product of blocks of 3 x 3 is the fast one.
    if (st_plan_block(plan) % BLOCK != 0) return true;
    if (!st_contributions_make(&part->contributions, plan) || !st_list_set_count(&part->taken, count, 1)) return false;
    bool heavy = false; // a diagonal mass alone is not worth a matrix
    for (size_t i = 0; i < count; i++) {
        const st_force *force = plan->forces.data[i];
        const st_class *type = force->object.type;
        part->taken.data[i] = may_take(plan, force);
        if (!part->taken.data[i]) continue;
        const st_mass_ops *mass = type->mass;
        heavy = heavy || !mass || !mass->is_diagonal || !mass->is_diagonal((const st_mass *)force);
    }
    size_t kept = 0;
    for (size_t i = 0; i < part->contributions.count; i++)
        if (may_take(plan, part->contributions.data[i].force))
            part->contributions.data[kept++] = part->contributions.data[i];
    part->contributions.count = kept;
    part->any = heavy;
    return true;
}

static bool same_offsets(const st_assembled_part *part, const st_plan *plan) {
    const size_t count = plan->independent.count + 1;
    return part->offsets.count == count &&
           memcmp(part->offsets.data, plan->offsets, count * sizeof *plan->offsets) == 0;
}

// Looks at the plan again where the scene's structure or the sizes of states have changed.
static bool refresh(st_assembled_part *part, const st_plan *plan) {
    const bool same_plan = part->plan == plan && part->plan_version == plan->version;
    if (same_plan && same_offsets(part, plan)) return true;
    const size_t count = plan->independent.count + 1;
    part->plan = NULL;
    if (!st_list_set_count(&part->offsets, count, 1)) return false;
    memcpy(part->offsets.data, plan->offsets, count * sizeof *plan->offsets);
    if (!choose(part, plan)) return false;
    part->plan = plan;
    part->plan_version = plan->version;
    part->must_record = true;
    part->keep = false;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Assembly
// ---------------------------------------------------------------------------------------------------

// Goes through all contributions once, recording or adding. False: a component gave a block that is not its own.
static bool pass(st_assembled_part *part, const st_params *params) {
    bool good = true;
    for (size_t i = 0; i < part->contributions.count; i++) {
        const st_contribution *c = &part->contributions.data[i];
        const st_real factor = st_contribution_factor(c, params);
        if (factor == 0) continue;
        const size_t offset = part->offsets.data[c->pairs[0].row_index], size = st_state_scalars(c->force->state);
        st_matrix_sink sink;
        st_single_accumulator accumulator;
        st_matrix_sink_init(&sink, &part->assembly, (st_window){offset, offset, size, size}, factor);
        st_single_accumulator_init(&accumulator, &sink.sink);
        st_assembly_part(&part->assembly, i);
        st_contribution_call(c, params, &accumulator.accumulator);
        good = good && sink.refusals.count == 0;
    }
    return good;
}

static bool record(st_assembled_part *part, const st_params *params) {
    if (st_assembly_begin_record(&part->assembly, BLOCK, part->plan->size, part->contributions.count, part->keep) !=
        ST_OK)
        return false;
    const bool good = pass(part, params);
    part->must_record = false;
    return st_assembly_end_record(&part->assembly) == ST_OK && good;
}

static bool assemble(st_assembled_part *part, const st_params *params) {
    for (int i = 0; i < ASSEMBLY_TRIES; i++) {
        if (part->must_record && !record(part, params)) return false;
        st_assembly_begin_add(&part->assembly);
        if (!pass(part, params)) return false;
        part->keep = true;
        part->must_record = part->assembly.grown || st_assembly_is_stale(&part->assembly);
        if (!part->assembly.grown) return true;
    }
    return false;
}

bool st_assembled_part_build(st_assembled_part *part, const st_plan *plan, const st_params *params) {
    if (plan->size == 0 || !refresh(part, plan) || !part->any) return false;
    if (assemble(part, params)) return true;
    st_assembly_free(&part->assembly);
    part->plan = NULL;
    return false;
}

void st_assembled_part_free(st_assembled_part *part) {
    st_list_free(&part->offsets);
    st_list_free(&part->contributions);
    st_list_free(&part->taken);
    st_assembly_free(&part->assembly);
}
