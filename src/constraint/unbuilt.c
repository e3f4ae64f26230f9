// The compliance block by block: corrections that can are asked directly, the others through a W of their own.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/unbuilt.h"

// The i-th correction that is active, and its calls.
static st_correction *correction_at(const st_constraint_solver *solver, size_t i, const st_correction_ops **ops) {
    st_correction *correction = (st_correction *)solver->corrections.data[i];
    *ops = correction->object.type->correction;
    return st_correction_is_active(&correction->object) ? correction : NULL;
}

static st_status begin_blocks(st_unbuilt *u, const st_constraint_problem *p) {
    size_t total = 0;
    if (!st_list_set_count(&u->starts, p->blocks.list.count + 1, 1)) return ST_OUT_OF_MEMORY;
    for (size_t b = 0; b < p->blocks.list.count; b++) {
        u->starts.data[b] = total;
        total += p->blocks.list.data[b].count * p->blocks.list.data[b].count;
    }
    if (!st_list_set_count(&u->w, total, 1)) return ST_OUT_OF_MEMORY;
    if (total) memset(u->w.data, 0, total * sizeof *u->w.data);
    return ST_OK;
}

static st_status begin_part(st_unbuilt *u, size_t n, const st_real *f) {
    if (!st_list_set_count(&u->part, n * n, 1) || !st_list_set_count(&u->force, n, 1)) return ST_OUT_OF_MEMORY;
    memset(u->part.data, 0, n * n * sizeof *u->part.data);
    st_copy_reals(u->force.data, f, n);
    u->has_part = true;
    return ST_OK;
}

st_status st_unbuilt_begin(st_unbuilt *u, st_constraint_solver *solver, const st_constraint_params *params) {
    const st_constraint_problem *p = solver->problem;
    u->has_part = false;
    u->size = p->size;
    st_status status = begin_blocks(u, p);
    for (size_t i = 0; status == ST_OK && i < solver->corrections.count; i++) {
        const st_correction_ops *ops;
        st_correction *correction = correction_at(solver, i, &ops);
        if (!correction) continue;
        if (ops->begin_unbuilt) {
            status = ops->begin_unbuilt(correction, params, p->size, p->force.data);
            continue;
        }
        if (!u->has_part) status = begin_part(u, p->size, p->force.data);
        if (status == ST_OK) status = ops->add_compliance(correction, params, p->size, u->part.data);
    }
    return status;
}

static bool acts_on(const st_correction *correction, size_t row) {
    for (size_t s = 0; s < correction->states.count; s++)
        if (st_jacobian_find(&correction->states.data[s]->constraint, row) != SIZE_MAX) return true;
    return false;
}

bool st_unbuilt_block(st_unbuilt *u, st_constraint_solver *solver, const st_resolution *block, size_t index) {
    st_real *w = st_unbuilt_w(u, index);
    bool found = false;
    for (size_t i = 0; i < solver->corrections.count; i++) {
        const st_correction_ops *ops;
        st_correction *correction = correction_at(solver, i, &ops);
        if (!correction || !acts_on(correction, block->row)) continue;
        if (ops->add_block) ops->add_block(correction, block->row, block->count, w, block->count);
        found = true;
    }
    for (size_t l = 0; u->has_part && l < block->count; l++)
        for (size_t m = 0; m < block->count; m++)
            w[l * block->count + m] += u->part.data[(block->row + l) * u->size + block->row + m];
    return found;
}

void st_unbuilt_displacement(const st_unbuilt *u, st_constraint_solver *solver, size_t row, size_t count, st_real *d) {
    for (size_t i = 0; i < solver->corrections.count; i++) {
        const st_correction_ops *ops;
        st_correction *correction = correction_at(solver, i, &ops);
        if (correction && ops->add_displacement) ops->add_displacement(correction, row, count, d);
    }
    for (size_t l = 0; u->has_part && l < count; l++)
        for (size_t k = 0; k < u->size; k++) d[l] += u->part.data[(row + l) * u->size + k] * u->force.data[k];
}

void st_unbuilt_force(st_unbuilt *u, st_constraint_solver *solver, size_t row, size_t count, const st_real *df) {
    for (size_t i = 0; i < solver->corrections.count; i++) {
        const st_correction_ops *ops;
        st_correction *correction = correction_at(solver, i, &ops);
        if (correction && ops->add_force) ops->add_force(correction, row, count, df);
    }
    for (size_t l = 0; u->has_part && l < count; l++) u->force.data[row + l] += df[l];
}

void st_unbuilt_free(st_unbuilt *u) {
    st_list_free(&u->w);
    st_list_free(&u->starts);
    st_list_free(&u->part);
    st_list_free(&u->force);
}
