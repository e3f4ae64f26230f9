// Matrices for a page: a window of one, in cells. A cell holds the entry of largest magnitude of the rows and columns that
// it covers, so that a single entry is seen in a matrix of a million rows, and is the entry itself where one fits.
// What a matrix was at another step can be kept: cells then hold the largest entry of the difference.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "snapshot.h"

enum { MOST_NAMED = 64, MOST_PARTS = 256 }; // rows of a window whose names are sent; states that are looked through

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

// ---------------------------------------------------------------------------------------------------
// Differences
// ---------------------------------------------------------------------------------------------------

void st_viewer_kept_free(st_viewer_kept *kept) {
    free(kept->which);
    free(kept->path);
    free(kept->starts);
    free(kept->columns);
    free(kept->values);
    *kept = (st_viewer_kept){0};
}

static void *copy_of(const void *from, size_t bytes) {
    void *to = malloc(bytes ? bytes : 1);
    if (to && bytes) memcpy(to, from, bytes);
    return to;
}

bool st_viewer_answer_keep(st_viewer_kept *kept, st_scene *scene, const st_viewer_command *command,
                           st_viewer_text *answer) {
    st_matrix_view m;
    if (!find_matrix(scene, command, &m, answer)) return false;
    const size_t b = (size_t)m.block, rows = m.rows / b, slots = m.starts[rows];

    // the view is borrowed until the next step; what it is compared with later must be the same matrix
    st_viewer_kept_free(kept);
    kept->which = strdup(st_viewer_command_text(command, "which"));
    kept->path = strdup(st_viewer_command_text(command, "path"));
    kept->starts = copy_of(m.starts, (rows + 1) * sizeof *m.starts);
    kept->columns = copy_of(m.columns, slots * sizeof *m.columns);
    kept->values = copy_of(m.values, slots * b * b * sizeof *m.values);
    if (!kept->which || !kept->path || !kept->starts || !kept->columns || !kept->values) {
        st_viewer_kept_free(kept);
        return st_viewer_fail(answer, "out of memory");
    }

    kept->view = (st_matrix_view){m.rows, m.cols, m.block, kept->starts, kept->columns, kept->values};
    kept->time = (double)st_scene_time(scene);
    st_viewer_json_real(answer, "time", kept->time);
    return true;
}

// Is something kept that the matrix can be compared with?
static bool is_comparable(const st_viewer_kept *kept, const st_viewer_command *command, const st_matrix_view *m,
                          st_viewer_text *answer) {
    if (!kept->values || strcmp(st_viewer_command_text(command, "which"), kept->which) != 0 ||
        strcmp(st_viewer_command_text(command, "path"), kept->path) != 0)
        return st_viewer_fail(answer,
                              "nothing is kept of this matrix: keep it at one step, and compare at another one");
    if (kept->view.rows != m->rows || kept->view.cols != m->cols)
        return st_viewer_fail(answer, "what is kept has %zu × %zu numbers, the matrix %zu × %zu", kept->view.rows,
                              kept->view.cols, m->rows, m->cols);
    return true;
}

// Adds a multiple of a row of the matrix; with a factor of 0 it is cleared.
static void add_row(const st_matrix_view *m, size_t row, st_real factor, st_real *sum) {
    const size_t b = (size_t)m->block, r = row / b;
    for (size_t s = m->starts[r]; s < m->starts[r + 1]; s++)
        for (size_t k = 0; k < b; k++) {
            st_real *to = &sum[(size_t)m->columns[s] * b + k];
            *to = factor == 0 ? 0 : *to + factor * m->values[(s * b + row % b) * b + k];
        }
}

static void put_row(const window *w, const st_matrix_view *m, size_t row, const st_real *sum, float *cells) {
    const size_t b = (size_t)m->block, r = row / b;
    for (size_t s = m->starts[r]; s < m->starts[r + 1]; s++)
        for (size_t k = 0; k < b; k++) {
            const size_t column = (size_t)m->columns[s] * b + k;
            put_entry(w, cells, row, column, sum[column]);
        }
}

static bool fill_difference(const window *w, const st_matrix_view *m, const st_matrix_view *before, float *cells) {
    st_real *sum = calloc(m->cols, sizeof *sum);
    for (size_t row = w->row; sum && row < w->row + w->rows; row++) {
        add_row(m, row, 1, sum);
        add_row(before, row, -1, sum);
        put_row(w, m, row, sum, cells);
        put_row(w, before, row, sum, cells);
        add_row(m, row, 0, sum);
        add_row(before, row, 0, sum);
    }
    free(sum);
    return sum != NULL;
}

// ---------------------------------------------------------------------------------------------------
// Names of rows and columns
// ---------------------------------------------------------------------------------------------------

// "dofs[12] x": the state, its point, the direction.
static void put_name(st_viewer_text *answer, const st_matrix_part *part, size_t scalar) {
    static const struct {
        const char *type, *axes[6];
        size_t width;
    } types[] = {{"Vec1", {"x"}, 1},
                 {"Vec2", {"x", "y"}, 2},
                 {"Vec3", {"x", "y", "z"}, 3},
                 {"Vec6", {"x", "y", "z", "u", "v", "w"}, 6},
                 {"Rigid2", {"x", "y", "rz"}, 3},
                 {"Rigid3", {"x", "y", "z", "rx", "ry", "rz"}, 6}};

    // other types have the number of the scalar
    const char *type = st_object_template(part->state);
    char name[512];
    snprintf(name, sizeof name, "%s %zu", st_object_path(part->state), scalar);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strncmp(type, types[i].type, strlen(types[i].type)) == 0)
            snprintf(name, sizeof name, "%s[%zu] %s", st_object_path(part->state), scalar / types[i].width,
                     types[i].axes[scalar % types[i].width]);

    st_viewer_json_text(answer, NULL, name);
}

// Of a window of single entries, where the scalars are those of the states of a node.
static void put_names(st_scene *scene, const st_viewer_command *command, const char *member, size_t first, size_t count,
                      size_t all, st_viewer_text *answer) {
    const char *path = st_viewer_command_text(command, "path");
    st_object *object = *path ? st_scene_find(scene, path) : (st_object *)st_scene_system(scene, NULL);
    st_node *node = object ? st_object_node(object) : NULL;
    st_matrix_part parts[MOST_PARTS];
    const size_t states = node ? st_node_matrix_parts(node, parts, MOST_PARTS) : 0;
    if (count > MOST_NAMED || states == 0 || states > MOST_PARTS) return;
    const st_matrix_part *last = &parts[states - 1];
    if (last->first + last->count != all) return;

    st_viewer_json_open(answer, member, '[');
    for (size_t i = first, k = 0; i < first + count; i++) {
        while (i >= parts[k].first + parts[k].count) k++;
        put_name(answer, &parts[k], i - parts[k].first);
    }
    st_viewer_json_close(answer, ']');
}

// ---------------------------------------------------------------------------------------------------

bool st_viewer_answer_matrix(const st_viewer_kept *kept, st_scene *scene, const st_viewer_command *command,
                             st_viewer_text *answer, st_viewer_text *cells) {
    st_matrix_view m;
    if (!find_matrix(scene, command, &m, answer)) return false;
    const bool minus = st_viewer_command_number(command, "minus") != 0;
    if (minus && !is_comparable(kept, command, &m, answer)) return false;
    const window w = window_of(command, &m);
    const struct {
        const char *name;
        size_t value;
    } members[] = {{"matrixRows", m.rows}, {"matrixColumns", m.cols}, {"row", w.row},       {"rows", w.rows},
                   {"column", w.column},   {"columns", w.columns},    {"height", w.height}, {"width", w.width}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        st_viewer_json_count(answer, members[i].name, members[i].value);
    if (minus) st_viewer_json_real(answer, "since", kept->time);

    // J and H have rows of other kinds, W of constraints only
    const char which = *st_viewer_command_text(command, "which");
    if (which != 'J' && which != 'W' && which != 'H') {
        put_names(scene, command, "rowNames", w.row, w.rows, m.rows, answer);
        put_names(scene, command, "columnNames", w.column, w.columns, m.cols, answer);
    }

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
    if (minus) return fill_difference(&w, &m, &kept->view, room) || st_viewer_fail(answer, "out of memory");
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
