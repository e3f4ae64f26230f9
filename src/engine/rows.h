// Lists of index lists, as fields hold them: one text per list, "[0,3,7]".
//
// A field of type st_type_rows is read from "[0,1] [2]" or from one list per line. Engines work on the flat form: list
// r is values[starts[r]] up to values[starts[r + 1]].
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_ROWS_H
#define SETTEE_ENGINE_ROWS_H

#include "settee/plugin/component.h"

extern const st_type st_type_rows; // of an st_strings

typedef struct st_rows {
    st_uints values;
    st_uints starts; // one more than there are lists; empty before the first
} st_rows;

static inline size_t st_rows_count(const st_rows *rows) { return rows->starts.count ? rows->starts.count - 1 : 0; }
static inline const uint32_t *st_row(const st_rows *rows, size_t r, size_t *count) {
    *count = rows->starts.data[r + 1] - rows->starts.data[r];
    return rows->values.data + rows->starts.data[r];
}

bool st_rows_add(st_rows *rows, const uint32_t *values, size_t count);
bool st_rows_read(st_rows *rows, const st_strings *texts); // from scratch; words that are no numbers are skipped
bool st_rows_write(const st_rows *rows, st_strings *texts);
void st_rows_free(st_rows *rows);

#endif
