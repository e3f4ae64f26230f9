// Rows of numbers as text, such as [0, 1] [2] or [[0,1],[2]]: one innermost pair of brackets each.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_BRACKET_ROWS_H
#define SETTEE_MAPPING_BRACKET_ROWS_H

#include "settee/types.h"

typedef struct st_bracket_rows {
    st_uints start;  // of each row, and the end
    st_reals values; // of all rows, one after another
} st_bracket_rows;

// ST_INVALID: the text is no such list. NULL text is no rows.
st_status st_bracket_rows_read(st_bracket_rows *rows, const char *text);
void st_bracket_rows_free(st_bracket_rows *rows);

#endif
