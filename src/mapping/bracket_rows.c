// Rows of numbers as text.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/bracket_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "math/real.h"

static const char blanks[] = " \t\r\n,";

// The numbers up to the closing bracket; NULL when something else is there.
static const char *read_row(st_bracket_rows *rows, const char *s, st_status *status) {
    for (s += strspn(s, blanks); *s && *s != ']'; s += strspn(s, blanks)) {
        char *end;
        const double value = strtod(s, &end);

        // what is not a finite number ends the reading
        if (end == s || !isfinite(value)) {
            *status = ST_INVALID;
            return NULL;
        }

        if (!st_list_push(&rows->values, (st_real)value)) *status = ST_OUT_OF_MEMORY;
        if (*status != ST_OK) return NULL;
        s = end;
    }

    if (*s == ']' && st_list_push(&rows->start, (uint32_t)rows->values.count)) return s + 1;
    *status = *s ? ST_OUT_OF_MEMORY : ST_INVALID;
    return NULL;
}

st_status st_bracket_rows_read(st_bracket_rows *rows, const char *text) {
    st_status status = ST_OK;

    rows->start.count = rows->values.count = 0;
    if (!st_list_push(&rows->start, 0)) return ST_OUT_OF_MEMORY;
    const char *s = text ? text : "";

    // brackets that hold brackets only count; the innermost ones are rows
    int depth = 0;
    for (s += strspn(s, blanks); status == ST_OK && *s; s += strspn(s, blanks)) {
        const bool opens = *s == '[';
        if (!opens && *s != ']') return ST_INVALID;

        const char *inner = s + 1 + strspn(s + 1, blanks);
        if (opens && *inner != '[') {
            const char *after = read_row(rows, s + 1, &status);
            if (!after) return status;
            s = after;
            continue;
        }

        depth += opens ? 1 : -1;
        if (depth < 0) return ST_INVALID;
        s++;
    }

    return depth == 0 ? status : ST_INVALID;
}

void st_bracket_rows_free(st_bracket_rows *rows) {
    st_list_free(&rows->start);
    st_list_free(&rows->values);
}
