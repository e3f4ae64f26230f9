// All blocks of a constraint problem: their work, their first and their last visit.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/problem.h"
#include "law/resolution.h"

static size_t work_of(const st_resolution *block) {
    return block->ops->work_size ? block->ops->work_size(block->count) : 0;
}

st_status st_blocks_prepare(st_constraint_problem *problem) {
    size_t work = 0, largest = 0;
    for (size_t i = 0; i < problem->blocks.list.count; i++) {
        const st_resolution *block = &problem->blocks.list.data[i];
        work += work_of(block);
        if (block->count > largest) largest = block->count;
    }

    // one list for all blocks; d and the former f of the largest one
    if (!st_list_set_count(&problem->work, work, 1) || !st_list_set_count(&problem->visit, 2 * largest, 1))
        return ST_OUT_OF_MEMORY;

    st_real *at = problem->work.data;
    for (size_t i = 0; i < problem->blocks.list.count && work; i++) {
        problem->blocks.list.data[i].work = at;
        at += work_of(&problem->blocks.list.data[i]);
    }

    return ST_OK;
}

// A block of equations that exclude each other, or say the same, has no inverse: its rows keep their forces.
static void report_singular(const st_constraint_problem *problem, const st_resolution *block) {
    if (!st_resolution_is_singular(block)) return;
    st_message_once(&problem->row_laws.data[block->row]->object, "singular", ST_WARNING,
                    "the compliance of its %zu rows is singular: they keep their forces", block->count);
}

void st_blocks_init(st_constraint_problem *problem) {
    for (size_t i = 0; i < problem->blocks.list.count; i++) {
        st_resolution *block = &problem->blocks.list.data[i];
        const st_real *w = problem->w.data + block->row * problem->size + block->row;
        if (block->ops->init) block->ops->init(block, w, problem->size, problem->force.data + block->row);
        report_singular(problem, block);
    }
}

void st_blocks_store(const st_constraint_problem *problem) {
    for (size_t i = 0; i < problem->blocks.list.count; i++) {
        const st_resolution *block = &problem->blocks.list.data[i];
        if (block->memory) st_copy_reals(block->memory, problem->force.data + block->row, block->count);
    }
}
