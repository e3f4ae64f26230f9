// Sparse rows over the DOFs of a state (st_jacobian).
//
// It is not an st_bsr: with every contact that comes or goes the pattern is another one, the laws add their entries in
// any order, and few of the problem's rows have any. So entries are appended and sorted once for each solution, and only
// rows that have entries are kept; a pattern with known places would be made again in each step.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_STATE_JACOBIAN_H
#define SETTEE_STATE_JACOBIAN_H

#include "settee/plugin/state.h"

enum { ST_ENTRY_HEAD = 2 }; // row, DOF

static inline st_real *st_jacobian_entry(const st_jacobian *j, size_t width, size_t entry) {
    return j->entries.data + entry * (width + ST_ENTRY_HEAD);
}
static inline size_t st_entry_row(const st_real *entry) { return (size_t)entry[0]; }
static inline size_t st_entry_dof(const st_real *entry) { return (size_t)entry[1]; }
static inline st_real *st_entry_values(st_real *entry) { return entry + ST_ENTRY_HEAD; }

void st_jacobian_free(st_jacobian *j);
void st_jacobian_clear(st_jacobian *j); // keeps its memory
void st_jacobian_add(st_jacobian *j, size_t width, size_t row, size_t dof, const st_real *values);
// Sorts and adds up. False: out of memory, then or while adding.
bool st_jacobian_close(st_jacobian *j, size_t width);
// Place of a row among the rows that have entries; SIZE_MAX: it has none. Rows without a gap, those of one body most
// often, need no search.
size_t st_jacobian_search(const st_jacobian *j, size_t row); // from the first to the last one
static inline size_t st_jacobian_find(const st_jacobian *j, size_t row) {
    const size_t count = j->rows.count;
    if (count == 0 || row < j->rows.data[0] || row > j->rows.data[count - 1]) return SIZE_MAX;

    const size_t place = row - j->rows.data[0];
    return j->rows.data[count - 1] - j->rows.data[0] + 1 == count ? place : st_jacobian_search(j, row);
}

#endif
