// Matrices for a page: a window of one, in cells. A cell holds the entry of largest magnitude of the rows and columns that
// it covers, so that a single entry is seen in a matrix of a million rows, and is the entry itself where one fits.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "answers.h"
#include "settee/matrix.h"
#include "snapshot.h"

// "A", "M", "B", "K" of the first system, or of the component at a path; "J" of a mapping; "W" and "H".
static bool find_matrix(st_scene *scene, const st_viewer_command *command, st_matrix_view *view,
                        st_viewer_text *answer) {
    static const char letters[] = "AMBKJWH";
    const char *which = st_viewer_command_text(command, "which"), *path = st_viewer_command_text(command, "path");
    const char *letter = strlen(which) == 1 ? strchr(letters, which[0]) : NULL;
    if (!letter) return st_viewer_fail(answer, "the matrix must be one of A, M, B, K, J, W and H, not '%s'", which);
    const st_matrix_kind kind = (st_matrix_kind)(letter - letters);
    st_status status;
    st_scene_clear_error(scene);

    // of the constraints, of the whole scene, or of one component
    if (*which == 'W' || *which == 'H') {
        st_constraint_solver *solver = st_scene_constraint_solver(scene, NULL);
        if (!solver) return st_viewer_fail(answer, "the scene has no constraint solver, and no %s", which);
        status = *which == 'W' ? st_constraint_compliance(solver, view) : st_constraint_jacobian(solver, view);
    } else if (!*path) {
        st_system *system = st_scene_system(scene, NULL);
        if (!system) return st_viewer_fail(answer, "the scene has no linear system");
        if (*which == 'J') return st_viewer_fail(answer, "J belongs to a mapping: choose one");
        status = st_system_matrix(system, kind, view);
    } else {
        st_object *object = st_scene_find(scene, path);
        if (!object) return st_viewer_fail(answer, "there is no component at %s", path);
        status = st_component_matrix(object, kind, ST_SPACE_OWN, view);
    }

    if (status == ST_NOT_FOUND) return st_viewer_fail(answer, "there is no %s yet, or none here: make a step", which);
    return status == ST_OK || st_viewer_fail_with(answer, scene, status);
}

typedef struct window {
    size_t row, rows, column, columns; // of the matrix
    size_t height, width;              // in cells
} window;

static size_t count_of(const st_viewer_command *command, const char *name) {
    return (size_t)st_viewer_command_number(command, name);
}

// A part of the matrix; without a size all of it. No cell is smaller than an entry.
static window window_of(const st_viewer_command *command, const st_matrix_view *m) {
    window w = {count_of(command, "row"),     count_of(command, "rows"),   count_of(command, "column"),
                count_of(command, "columns"), count_of(command, "height"), count_of(command, "width")};
    if (w.row >= m->rows) w.row = 0;
    if (w.column >= m->cols) w.column = 0;
    if (w.rows == 0 || w.rows > m->rows - w.row) w.rows = m->rows - w.row;
    if (w.columns == 0 || w.columns > m->cols - w.column) w.columns = m->cols - w.column;
    if (w.height > w.rows) w.height = w.rows;
    if (w.width > w.columns) w.width = w.columns;
    return w;
}

static void put_entry(const window *w, float *cells, size_t row, size_t column, st_real value) {
    if (value == 0 || row < w->row || row - w->row >= w->rows || column < w->column || column - w->column >= w->columns)
        return;
    const size_t i = (row - w->row) * w->height / w->rows, k = (column - w->column) * w->width / w->columns;
    float *cell = &cells[i * w->width + k];
    if (!(fabs((double)value) <= fabs((double)*cell))) *cell = (float)value;
}

static void fill(const window *w, const st_matrix_view *m, float *cells) {
    const size_t b = (size_t)m->block;
    for (size_t r = w->row / b; r * b < w->row + w->rows; r++)
        for (size_t s = m->starts[r]; s < m->starts[r + 1]; s++)
            for (size_t i = 0; i < b * b; i++)
                put_entry(w, cells, r * b + i / b, (size_t)m->columns[s] * b + i % b, m->values[s * b * b + i]);
}

bool st_viewer_answer_matrix(st_scene *scene, const st_viewer_command *command, st_viewer_text *answer,
                             st_viewer_text *cells) {
    st_matrix_view m;
    if (!find_matrix(scene, command, &m, answer)) return false;
    const window w = window_of(command, &m);
    const struct {
        const char *name;
        size_t value;
    } members[] = {{"matrixRows", m.rows}, {"matrixColumns", m.cols}, {"row", w.row},       {"rows", w.rows},
                   {"column", w.column},   {"columns", w.columns},    {"height", w.height}, {"width", w.width}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        st_viewer_json_count(answer, members[i].name, members[i].value);

    // header of 16 bytes as that of a frame: kind 2, the id of the command, the size in cells
    const struct {
        uint8_t magic, kind, version, flags;
        uint32_t id, height, width;
    } header = {'S', 2, ST_VIEWER_PROTOCOL, 0, command->id, (uint32_t)w.height, (uint32_t)w.width};
    st_viewer_text_append(cells, &header, sizeof header);
    const size_t bytes = w.height * w.width * sizeof(float);
    float *room = bytes ? st_viewer_text_extend(cells, bytes) : NULL;
    if (!room) return bytes == 0 || st_viewer_fail(answer, "out of memory");
    memset(room, 0, bytes);
    fill(&w, &m, room);
    return true;
}

bool st_viewer_answer_figures(st_scene *scene, const st_viewer_command *command, st_viewer_text *answer) {
    st_matrix_view m;
    st_matrix_summary s;
    if (!find_matrix(scene, command, &m, answer)) return false;
    const st_status status = st_matrix_summarize(&m, &s);
    if (status != ST_OK) return st_viewer_fail_with(answer, scene, status);

    st_viewer_json_count(answer, "matrixRows", s.rows);
    st_viewer_json_count(answer, "matrixColumns", s.cols);
    st_viewer_json_count(answer, "entries", s.entries);
    st_viewer_json_real(answer, "norm", (double)s.norm);
    st_viewer_json_bool(answer, "symmetric", s.symmetric);
    st_viewer_json_count(answer, "bandwidth", s.bandwidth);
    st_viewer_json_count(answer, "zeroRows", s.zero_rows);

    // by its factorization
    st_viewer_json_bool(answer, "factored", s.factored);
    st_viewer_json_count(answer, "positive", s.positive);
    st_viewer_json_count(answer, "negative", s.negative);
    st_viewer_json_real(answer, "condition", s.condition);
    return true;
}
