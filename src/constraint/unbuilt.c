// The compliance block by block: corrections that can are asked directly, the others through a W of their own.
//
//     1. each correction takes the first forces; W of those that cannot work block by block is assembled
//     2. for each block of rows: the corrections that act on it
//     3. the diagonal block w of every block of rows is added up
//     4. the order of visits
//     5. each visit: st_unbuilt_displacement adds W f of its rows to d, st_unbuilt_force passes Δf on
//
// Blocks are visited in row order, but those of a correction that orders them itself (wires, from one end to the other)
// come last, correction by correction.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/unbuilt.h"

#include "constraint/correction.h"
#include "math/real.h"

// The i-th correction that is active, and its calls.
static st_correction *correction_at(const st_constraint_solver *solver, size_t i, const st_correction_ops **ops) {
    st_correction *correction = (st_correction *)solver->corrections.data[i];
    *ops = correction->object.type->correction;
    return st_correction_is_active(&correction->object) ? correction : NULL;
}

static st_status unbuilt_make_room(st_constraint_problem *p) {
    st_unbuilt *u = &p->unbuilt;
    size_t total = 0;

    u->has_part = false;
    if (!st_list_set_count(&u->starts, p->blocks.list.count + 1, 1) ||
        !st_list_set_count(&u->order, p->blocks.list.count, 1))
        return ST_OUT_OF_MEMORY;

    for (size_t b = 0; b < p->blocks.list.count; b++) {
        u->starts.data[b] = total;
        total += p->blocks.list.data[b].count * p->blocks.list.data[b].count;
    }

    if (!st_list_set_count(&u->w, total, 1)) return ST_OUT_OF_MEMORY;
    if (total) memset(u->w.data, 0, total * sizeof *u->w.data);
    return ST_OK;
}

static st_status begin_part(st_constraint_problem *p) {
    st_unbuilt *u = &p->unbuilt;
    const size_t n = p->size;

    if (!st_list_set_count(&u->part, n * n, 1) || !st_list_set_count(&u->force, n, 1)) return ST_OUT_OF_MEMORY;

    memset(u->part.data, 0, n * n * sizeof *u->part.data);
    st_copy_reals(u->force.data, p->force.data, n);
    u->has_part = true;
    return ST_OK;
}

static st_status begin_corrections(st_constraint_solver *solver, const st_constraint_params *params) {
    st_constraint_problem *p = solver->problem;
    st_status status = ST_OK;

    for (size_t i = 0; status == ST_OK && i < solver->corrections.count; i++) {
        const st_correction_ops *ops;
        st_correction *correction = correction_at(solver, i, &ops);
        if (!correction) continue;
        if (ops->begin_unbuilt) {
            status = ops->begin_unbuilt(correction, params, p->size, p->force.data);
            continue;
        }

        // a correction without such calls: its W is assembled, together with that of others like it
        if (!p->unbuilt.has_part) status = begin_part(p);
        if (status == ST_OK) status = st_correction_add_compliance(correction, params, p->size, p->unbuilt.part.data);
    }
    return status;
}

static bool acts_on(const st_correction *correction, size_t row) {
    for (size_t s = 0; s < correction->states.count; s++)
        if (st_jacobian_find(&correction->states.data[s]->constraint, row) != SIZE_MAX) return true;
    return false;
}

// Counts, or with `fill` enters, the blocks that the i-th correction acts on; each once.
static void meet_blocks(st_unbuilt *u, const st_correction *correction, uint32_t i, bool fill) {
    for (size_t s = 0; s < correction->states.count; s++) {
        const st_jacobian *j = &correction->states.data[s]->constraint;
        for (size_t r = 0; r < j->rows.count; r++) {
            const uint32_t block = u->block_of_row.data[j->rows.data[r]];
            if (u->last.data[block] == i + 1) continue;
            u->last.data[block] = i + 1;
            if (fill) u->acting.data[u->acting_starts.data[block]++] = i;
            else u->acting_starts.data[block + 1]++;
        }
    }
}

// A block asks only those who act on it, in the order of all corrections. By counting: starts are one place behind while
// the lists are filled.
static st_status find_acting(const st_constraint_solver *solver) {
    st_constraint_problem *p = solver->problem;
    st_unbuilt *u = &p->unbuilt;
    const size_t blocks = p->blocks.list.count;
    u->acting_starts.count = 0; // new ones are zero
    if (!st_list_set_count(&u->acting_starts, blocks + 1, 1) || !st_list_set_count(&u->block_of_row, p->size, 1) ||
        !st_list_set_count(&u->last, blocks, 1))
        return ST_OUT_OF_MEMORY;

    for (size_t b = 0; b < blocks; b++)
        for (size_t l = 0; l < p->blocks.list.data[b].count; l++)
            u->block_of_row.data[p->blocks.list.data[b].row + l] = (uint32_t)b;

    // how many for each block, then who
    for (int fill = 0; fill < 2; fill++) {
        for (size_t b = 0; b < blocks; b++) u->last.data[b] = 0;
        for (size_t i = 0; i < solver->corrections.count; i++) {
            const st_correction_ops *ops;
            const st_correction *correction = correction_at(solver, i, &ops);
            if (correction) meet_blocks(u, correction, (uint32_t)i, fill);
        }

        for (size_t b = 0; !fill && b < blocks; b++) u->acting_starts.data[b + 1] += u->acting_starts.data[b];
        if (!fill && !st_list_set_count(&u->acting, u->acting_starts.data[blocks], 1)) return ST_OUT_OF_MEMORY;
    }
    for (size_t b = blocks; b > 0; b--) u->acting_starts.data[b] = u->acting_starts.data[b - 1];
    u->acting_starts.data[0] = 0;
    return ST_OK;
}

// Adds up a diagonal block and finds its place in the order; false when no correction acts on its first row.
static bool unbuilt_add_block(const st_constraint_solver *solver, const st_resolution *block, size_t index) {
    const st_constraint_problem *p = solver->problem;
    const st_unbuilt *u = &p->unbuilt;
    st_real *w = st_unbuilt_w(p, index);
    bool found = false;
    u->order.data[index] = (st_unbuilt_place){.block = index, .key = index};

    // the blocks of all corrections that act on it; the last one that orders visits gives its place
    for (size_t k = u->acting_starts.data[index]; k < u->acting_starts.data[index + 1]; k++) {
        const st_correction_ops *ops;
        const size_t i = u->acting.data[k];
        st_correction *correction = correction_at(solver, i, &ops);
        if (!correction || !acts_on(correction, block->row)) continue;

        size_t key = 0;
        if (ops->visit_key && ops->visit_key(correction, block->row, &key))
            u->order.data[index] = (st_unbuilt_place){.block = index, .wire = i + 1, .key = key};
        if (ops->add_block) ops->add_block(correction, block->row, block->count, w, block->count);
        found = true;
    }

    // and of the assembled part
    for (size_t l = 0; u->has_part && l < block->count; l++)
        for (size_t m = 0; m < block->count; m++)
            w[l * block->count + m] += u->part.data[(block->row + l) * p->size + block->row + m];

    return found;
}

static bool comes_after(st_unbuilt_place a, st_unbuilt_place b) {
    if (a.wire != b.wire) return a.wire > b.wire;
    return a.key != b.key ? a.key > b.key : a.block > b.block;
}

// Puts the place at the root of the heap below it, whose first `count` places are used.
static void sift(st_unbuilt_place *heap, size_t root, size_t count) {
    const st_unbuilt_place place = heap[root];

    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && comes_after(heap[child + 1], heap[child])) child++;
        if (!comes_after(heap[child], place)) break;
        heap[root] = heap[child];
    }
    heap[root] = place;
}

// Heap sort: in place, and n log n for any order of the wires. Most often there are none, and nothing to do.
static void sort_order(st_unbuilt *u) {
    st_unbuilt_place *order = u->order.data;
    const size_t n = u->order.count;
    size_t sorted = 1;

    // in order already?
    while (sorted < n && comes_after(order[sorted], order[sorted - 1])) sorted++;
    if (sorted >= n) return;

    // a heap with the last place at its root, which goes to the end
    for (size_t i = n / 2; i-- > 0;) sift(order, i, n);
    for (size_t end = n; end-- > 1;) {
        const st_unbuilt_place last = order[0];
        order[0] = order[end];
        order[end] = last;
        sift(order, 0, end);
    }
}

st_status st_unbuilt_begin(st_generic_solver *self, const st_constraint_params *params) {
    st_constraint_solver *solver = &self->base;
    st_constraint_problem *p = solver->problem;
    st_status status = unbuilt_make_room(p);
    if (status == ST_OK) status = begin_corrections(solver, params);
    if (status == ST_OK) status = find_acting(solver);

    // w of each block, with the regularization, and its place in the order
    for (size_t b = 0; status == ST_OK && b < p->blocks.list.count; b++) {
        const st_resolution *block = &p->blocks.list.data[b];
        const st_law *law = p->row_laws.data[block->row];
        if (!unbuilt_add_block(solver, block, b) && st_first_time(&solver->object, "stuck"))
            st_message(&law->object, ST_ERROR, "no constraint correction acts on row %zu", block->row - law->first_row);

        for (size_t l = 0; l < block->count && self->regularization > ST_REAL_EPSILON; l++)
            st_unbuilt_w(p, b)[l * (block->count + 1)] += self->regularization;
    }

    if (status == ST_OK) sort_order(&p->unbuilt);
    return status;
}

void st_unbuilt_displacement(const st_constraint_solver *solver, size_t block, st_real *d) {
    const st_constraint_problem *p = solver->problem;
    const st_unbuilt *u = &p->unbuilt;
    const size_t row = p->blocks.list.data[block].row, count = p->blocks.list.data[block].count;

    for (size_t k = u->acting_starts.data[block]; k < u->acting_starts.data[block + 1]; k++) {
        st_correction *correction = (st_correction *)solver->corrections.data[u->acting.data[k]];
        const st_correction_ops *ops = correction->object.type->correction;
        if (ops->add_displacement) ops->add_displacement(correction, row, count, d);
    }

    // d += W f of the assembled part
    for (size_t l = 0; u->has_part && l < count; l++)
        for (size_t k = 0; k < p->size; k++) d[l] += u->part.data[(row + l) * p->size + k] * u->force.data[k];
}

void st_unbuilt_force(st_constraint_solver *solver, size_t block, const st_real *df) {
    const st_constraint_problem *p = solver->problem;
    const st_unbuilt *u = &p->unbuilt;
    const size_t row = p->blocks.list.data[block].row, count = p->blocks.list.data[block].count;

    for (size_t k = u->acting_starts.data[block]; k < u->acting_starts.data[block + 1]; k++) {
        st_correction *correction = (st_correction *)solver->corrections.data[u->acting.data[k]];
        const st_correction_ops *ops = correction->object.type->correction;
        if (ops->add_force) ops->add_force(correction, row, count, df);
    }

    for (size_t l = 0; u->has_part && l < count; l++) u->force.data[row + l] += df[l];
}
