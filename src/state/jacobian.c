// Sparse rows over the DOFs of a state: the Jacobian H of constraints.
//
// Row numbers and DOFs are stored in the entries as reals: one list holds everything and can be shown as a field.
// Additions come row by row from laws and in such runs from mappings: a merge sort of the entries' order, which keeps
// the sequence of additions to one place, and then one pass that adds them up.
//
// SPDX-License-Identifier: Apache-2.0
#include "state/jacobian.h"

#include "base/array.h"

void st_jacobian_free(st_jacobian *j) {
    st_list_free(&j->entries);
    st_list_free(&j->rows);
    st_list_free(&j->starts);
    st_list_free(&j->order);
    st_list_free(&j->swap);
    st_list_free(&j->sorted);
}

void st_jacobian_clear(st_jacobian *j) {
    j->entries.count = j->rows.count = j->starts.count = 0;
    j->failed = false;
}

void st_jacobian_add(st_jacobian *j, size_t width, size_t row, size_t dof, const st_real *values) {
    const size_t count = j->entries.count;
    if (!st_list_reserve(&j->entries, count + 1, width + ST_ENTRY_HEAD)) {
        j->failed = true;
        return;
    }

    st_real *entry = st_jacobian_entry(j, width, count);
    entry[0] = (st_real)row;
    entry[1] = (st_real)dof;
    st_copy_reals(st_entry_values(entry), values, width);
    j->entries.count = count + 1;
}

void st_constraint_add(st_state *state, size_t row, size_t dof, const st_real *deriv) {
    if (dof < state->size) st_jacobian_add(&state->constraint, st_state_dof(state)->deriv, row, dof, deriv);
}

// Does entry a come after entry b?
static bool is_after(const st_real *a, const st_real *b) { return a[0] != b[0] ? a[0] > b[0] : a[1] > b[1]; }

static bool is_sorted(const st_jacobian *j, size_t width) {
    for (size_t i = 1; i < j->entries.count; i++) {
        const st_real *before = st_jacobian_entry(j, width, i - 1), *here = st_jacobian_entry(j, width, i);
        if (!is_after(here, before)) return false;
    }
    return true;
}

static void jacobian_merge(const st_jacobian *j, size_t width, size_t begin, size_t middle, size_t end) {
    const uint32_t *from = j->order.data;
    size_t left = begin, right = middle;

    // equal entries keep the order in which they were added
    for (size_t k = begin; k < end; k++) {
        const bool take_left = left < middle && (right >= end || !is_after(st_jacobian_entry(j, width, from[left]),
                                                                           st_jacobian_entry(j, width, from[right])));
        j->swap.data[k] = take_left ? from[left++] : from[right++];
    }
}

static bool sort_order(st_jacobian *j, size_t width) {
    const size_t n = j->entries.count;
    if (!st_list_set_count(&j->order, n, 1) || !st_list_set_count(&j->swap, n, 1)) return false;

    // runs of 1, 2, 4, … entries are merged
    for (size_t i = 0; i < n; i++) j->order.data[i] = (uint32_t)i;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t begin = 0; begin < n; begin += 2 * run) {
            const size_t middle = begin + run < n ? begin + run : n, end = begin + 2 * run < n ? begin + 2 * run : n;
            jacobian_merge(j, width, begin, middle, end);
        }

        const st_uints order = j->order;
        j->order = j->swap;
        j->swap = order;
    }

    return true;
}

// Entries in order, those of the same place added up.
static bool jacobian_gather(st_jacobian *j, size_t width) {
    const size_t n = j->entries.count, stride = width + ST_ENTRY_HEAD;
    if (!st_list_reserve(&j->sorted, n, stride)) return false;

    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        const st_real *from = st_jacobian_entry(j, width, j->order.data[i]);
        st_real *last = count ? j->sorted.data + (count - 1) * stride : NULL;
        if (last && last[0] == from[0] && last[1] == from[1])
            for (size_t k = ST_ENTRY_HEAD; k < stride; k++) last[k] += from[k];
        else st_copy_reals(j->sorted.data + count++ * stride, from, stride);
    }

    // the lists change places, so that both keep their memory
    const st_reals sorted = j->sorted;
    j->sorted = j->entries;
    j->entries = sorted;
    j->entries.count = count;
    return true;
}

// Room is made once, for a row of its own of each entry.
static bool find_rows(st_jacobian *j, size_t width) {
    const size_t n = j->entries.count;
    if (!st_list_reserve(&j->rows, n, 1) || !st_list_reserve(&j->starts, n + 1, 1)) return false;
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        const size_t row = st_entry_row(st_jacobian_entry(j, width, i));
        if (count && j->rows.data[count - 1] == row) continue;
        j->rows.data[count] = (uint32_t)row;
        j->starts.data[count++] = i;
    }

    j->starts.data[count] = n;
    j->rows.count = count;
    j->starts.count = count + 1;
    return true;
}

bool st_jacobian_close(st_jacobian *j, size_t width) {
    if (j->failed) return false;

    // laws mostly add in order: then there is nothing to sort
    if (!is_sorted(j, width) && !(sort_order(j, width) && jacobian_gather(j, width))) return false;
    return find_rows(j, width);
}

// Rows are whole numbers that increase: as many places as rows lie between are enough on either side.
size_t st_jacobian_search(const st_jacobian *j, size_t row) {
    const size_t count = j->rows.count, after = row - j->rows.data[0], before = j->rows.data[count - 1] - row;
    size_t low = before < count ? count - 1 - before : 0, high = after < count ? after + 1 : count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (j->rows.data[middle] < row) low = middle + 1;
        else high = middle;
    }

    return low < count && j->rows.data[low] == row ? low : SIZE_MAX;
}
