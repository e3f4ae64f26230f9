// The sink that looks at indices and numbers before it passes them on. See sink.h.
//
// SPDX-License-Identifier: Apache-2.0
#include <tgmath.h>

#include "state/sink.h"

void st_report_refusals(const st_object *object, const char *what, const st_window *window,
                        const st_refusals *refusals) {
    st_message(
        object, ST_ERROR,
        "adds a %zu x %zu block at row %zu, column %zu to the %s matrix, whose valid rows are 0 to %zu and columns "
        "0 to %zu; it is left out, and so are others like it",
        refusals->rows, refusals->cols, refusals->row, refusals->col, what, window->rows ? window->rows - 1 : 0,
        window->cols ? window->cols - 1 : 0);
}

static bool sink_check_all_finite(const st_real *block, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(block[i])) return false;
    return true;
}

static void sink_check_refuse(st_check_sink *s, size_t row, size_t col, size_t rows, size_t cols, bool outside) {
    s->refused++;
    if (!s->key || !st_first_time(s->object, s->key)) return;

    if (outside) {
        st_report_refusals(s->object, s->what, &s->window, &(st_refusals){1, row, col, rows, cols});
    } else {
        st_message(
            s->object, ST_ERROR,
            "adds a number that is not finite to the %s matrix, in a %zu x %zu block at row %zu, column %zu; it is "
            "left out, and so are others like it",
            s->what, rows, cols, row, col);
    }
}

static void add_checked(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    st_check_sink *s = (st_check_sink *)sink;
    const bool inside = st_window_holds(&s->window, row, col, rows, cols);

    if (inside && (!s->finite || sink_check_all_finite(block, rows * cols)))
        s->target->add(s->target, row, col, rows, cols, block);
    else sink_check_refuse(s, row, col, rows, cols, !inside);
}

void st_check_sink_init(st_check_sink *sink, st_sink *target, const st_object *object, const char *what, size_t rows,
                        size_t cols, bool finite, const char *key) {
    *sink = (st_check_sink){
        .sink = {.add = add_checked},
        .target = target,
        .object = object,
        .what = what,
        .window = {.rows = rows, .cols = cols},
        .finite = finite,
        .key = key,
    };
}
