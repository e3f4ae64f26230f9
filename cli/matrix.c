// `settee matrix`: makes some steps and writes a matrix or a vector of the linear system, or figures of it.
//
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"
#include "settee/matrix.h"

typedef struct request {
    const st_cli_options *options;
    st_cli_session session;
    bool vector;           // b, x, lambda or d
    st_matrix_kind which;  // else
    st_matrix_view matrix; // what was found
    st_vector_view values;
} request;

static const char *which_of(const st_cli_options *o) { return o->which ? o->which : "A"; }
static const char *format_of(const st_cli_options *o) { return o->format ? o->format : "summary"; }

// ---------------------------------------------------------------------------------------------------
// Finding
// ---------------------------------------------------------------------------------------------------

static bool make_steps(request *r) {
    for (size_t i = 0; i < r->options->steps; i++) {
        const st_status status = st_scene_step(r->session.scene, 0);
        if (status == ST_OK) continue;
        st_cli_error("step %zu of %zu failed: %s", i + 1, r->options->steps, st_status_text(status));
        return false;
    }
    return true;
}

static bool explain(const request *r, st_status status, const char *what) {
    if (status == ST_OK) return true;

    if (status != ST_NOT_FOUND) st_cli_error("%s: %s", which_of(r->options), st_status_text(status));
    else st_cli_error("%s: %s", which_of(r->options), what);
    return false;
}

static bool find_of_component(request *r) {
    const char *path = r->options->component;
    st_object *object = st_scene_find(r->session.scene, path);
    if (!object) {
        st_cli_error("--component %s: there is no such component", path);
        return false;
    }

    // of its own states, or projected to the independent ones
    const bool parent = r->options->space && strcmp(r->options->space, "parent") == 0;
    const st_status status = st_component_matrix(object, r->which, parent ? ST_SPACE_PARENT : ST_SPACE_OWN, &r->matrix);

    return explain(r, status,
                   r->which == ST_MATRIX_A && r->options->steps == 0
                       ? "before the first step no system has been built; see --step"
                       : "the component has no such matrix");
}

static bool find_of_system(request *r) {
    st_scene *scene = r->session.scene;
    st_system *system = st_scene_system(scene, r->options->system);

    // A, b and x need a system; M, B and K do not
    const bool built = r->vector || r->which == ST_MATRIX_A;
    if (!system && (built || r->options->system)) {
        if (r->options->system) st_cli_error("--system %s: there is no linear system", r->options->system);
        else st_cli_error("the scene has no linear system; M, B and K are available without one");
        return false;
    }

    st_status status;
    if (r->vector) {
        status =
            which_of(r->options)[0] == 'b' ? st_system_rhs(system, &r->values) : st_system_solution(system, &r->values);
    } else {
        status = system ? st_system_matrix(system, r->which, &r->matrix)
                        : st_node_matrix(st_scene_root(scene), r->which, &r->matrix);
    }

    return explain(r, status, "before the first step no system has been built; see --step");
}

static bool find_of_constraints(request *r) {
    st_constraint_solver *solver = st_scene_constraint_solver(r->session.scene, NULL);
    if (!solver) {
        st_cli_error("the scene has no constraint solver");
        return false;
    }

    // W, H, lambda and d
    st_status status = ST_OK;
    switch (which_of(r->options)[0]) {
    case 'W': status = st_constraint_compliance(solver, &r->matrix); break;
    case 'H': status = st_constraint_jacobian(solver, &r->matrix); break;
    case 'l': status = st_constraint_multipliers(solver, &r->values); break;
    default: status = st_constraint_violations(solver, &r->values); break;
    }

    return explain(r, status, "before the first step there is no constraint problem; see --step");
}

static bool is_vector(char which) { return strchr("bxld", which) != NULL; }
static bool is_of_constraints(char which) { return strchr("WHld", which) != NULL; }

static bool find(request *r) {
    const char *which = which_of(r->options);

    // the first letter decides
    r->vector = is_vector(*which);

    if (is_of_constraints(*which)) return find_of_constraints(r);
    switch (*which) {
    case 'M': r->which = ST_MATRIX_M; break;
    case 'B': r->which = ST_MATRIX_B; break;
    case 'K': r->which = ST_MATRIX_K; break;
    case 'J': r->which = ST_MATRIX_J; break;
    default: r->which = ST_MATRIX_A; break;
    }

    return r->options->component ? find_of_component(r) : find_of_system(r);
}

// ---------------------------------------------------------------------------------------------------
// Printing
// ---------------------------------------------------------------------------------------------------

static const char *definiteness(const st_matrix_summary *s) {
    if (s->rows != s->cols) return "none: not square";
    if (s->rows == 0) return "none: empty";

    if (!s->symmetric) return s->factored ? "none: not symmetric" : "none: not symmetric, singular";
    if (s->zero_rows > 0 || !s->factored) return "singular";

    if (s->condition * ST_REAL_EPSILON > 0.01) return "singular to rounding";
    return s->positive == s->rows ? "positive definite" : s->negative == s->rows ? "negative definite" : "indefinite";
}

// What becomes the factor: a triangle of a symmetric matrix, else all entries, the diagonal twice, for L and for U.
static double factored_entries(const st_matrix_summary *s) {
    return s->symmetric ? (double)(s->entries + s->rows) / 2 : (double)(s->entries + s->rows);
}

static void print_summary(FILE *file, const st_matrix_summary *s) {
    fprintf(file, "%-14s %zu x %zu\n", "size", s->rows, s->cols);
    fprintf(file, "%-14s %zu, %.3g per row\n", "entries", s->entries,
            s->rows ? (double)s->entries / (double)s->rows : 0.0);
    fprintf(file, "%-14s %.6g\n", "norm", (double)s->norm);

    // symmetry is that of a square matrix
    if (s->rows == s->cols)
        fprintf(file, "%-14s %.3g%s\n", "symmetry error", (double)s->symmetry_error,
                s->symmetric ? "" : ", not symmetric");

    fprintf(file, "%-14s %s", "definiteness", definiteness(s));
    if (s->factored && s->positive && s->negative) fprintf(file, ", %zu negative eigenvalues", s->negative);
    if (s->zero_rows) fprintf(file, ", %zu empty rows", s->zero_rows);
    fputc('\n', file);

    if (s->condition > 0) fprintf(file, "%-14s about %.3g\n", "condition", s->condition);
    fprintf(file, "%-14s %zu\n", "bandwidth", s->bandwidth);

    if (s->factor_entries)
        fprintf(file, "%-14s %zu entries of the factor after ordering, %.3g times those of %s\n", "fill",
                s->factor_entries, (double)s->factor_entries / factored_entries(s),
                s->symmetric ? "a triangle" : "the matrix");
}

static void print_json(FILE *file, const st_matrix_summary *s) {
    st_cli_json json = {.file = file};
    st_cli_json_open(&json, NULL, '{');
    st_cli_json_count(&json, "rows", s->rows);
    st_cli_json_count(&json, "cols", s->cols);
    st_cli_json_count(&json, "entries", s->entries);
    st_cli_json_real(&json, "norm", (double)s->norm);
    st_cli_json_real(&json, "symmetry_error", (double)s->symmetry_error);

    // definiteness and condition come from a factorization, if there is one
    st_cli_json_bool(&json, "symmetric", s->symmetric);
    st_cli_json_text(&json, "definiteness", definiteness(s));
    st_cli_json_count(&json, "negative", s->negative);
    st_cli_json_count(&json, "empty_rows", s->zero_rows);

    st_cli_json_real(&json, "condition", s->condition);
    st_cli_json_count(&json, "bandwidth", s->bandwidth);
    st_cli_json_count(&json, "factor_entries", s->factor_entries);
    st_cli_json_close(&json, '}');
}

static double magnitude(double a) { return a < 0 ? -a : a; }

static void print_vector(FILE *file, const st_vector_view *v, bool as_json) {
    double largest = 0, sum = 0;

    // the largest magnitude and the squared norm
    for (size_t i = 0; i < v->count; i++) {
        const double a = (double)v->values[i];
        largest = magnitude(a) > largest ? magnitude(a) : largest;
        sum += a * a;
    }

    if (as_json) {
        st_cli_json json = {.file = file};
        st_cli_json_open(&json, NULL, '{');
        st_cli_json_count(&json, "count", v->count);
        st_cli_json_real(&json, "squared_norm", sum);
        st_cli_json_real(&json, "largest", largest);
        st_cli_json_close(&json, '}');
        return;
    }

    fprintf(file, "%-14s %zu\n", "size", v->count);
    fprintf(file, "%-14s %.6g\n", "squared norm", sum);
    fprintf(file, "%-14s %.6g\n", "largest", largest);
}

static bool summarize(const request *r, FILE *file) {
    if (r->vector) {
        print_vector(file, &r->values, r->options->json);
        return true;
    }

    // a summary takes a factorization, which may run out of memory
    st_matrix_summary summary;
    const st_status status = st_matrix_summarize(&r->matrix, &summary);

    if (status != ST_OK) st_cli_error("no summary: %s", st_status_text(status));
    else if (r->options->json) print_json(file, &summary);
    else print_summary(file, &summary);
    return status == ST_OK;
}

// With the names of the states, where rows or columns are theirs.
static st_status put_picture(const request *r, FILE *file) {
    st_system *system = st_scene_system(r->session.scene, r->options->system);
    st_node *node = system ? st_object_node((st_object *)system) : st_scene_root(r->session.scene);
    const size_t count = st_node_matrix_parts(node, NULL, 0);
    st_matrix_part *parts = malloc((count + 1) * sizeof *parts);
    if (!parts) return ST_OUT_OF_MEMORY;

    st_node_matrix_parts(node, parts, count);
    const st_status status = st_matrix_write_picture(&r->matrix, parts, count, file);
    free(parts);
    return status;
}

static bool put(const request *r, FILE *file) {
    st_matrix_format format;
    const int digits = (int)r->options->digits;

    // "summary" is no format of files
    if (!st_matrix_format_by_name(format_of(r->options), &format)) return summarize(r, file);
    const st_status status = r->vector                 ? st_vector_write(&r->values, format, digits, file)
                             : format == ST_FORMAT_PNG ? put_picture(r, file)
                                                       : st_matrix_write(&r->matrix, format, digits, file);

    if (status == ST_INVALID)
        st_cli_error("%s cannot be written as %s", r->vector ? "a vector" : "a matrix of this size",
                     format_of(r->options));
    else if (status != ST_OK) st_cli_error("the matrix was not written: %s", st_status_text(status));
    return status == ST_OK;
}

static bool write_file(const request *r) {
    st_cli_output output;
    const char *path = r->options->output ? r->options->output : "-";
    if (!st_cli_output_open(&output, path)) return false;

    // half a file is not left behind
    const bool good = put(r, output.stream);
    if (!good) output.failed = true;
    return st_cli_output_close(&output) && good;
}

// ---------------------------------------------------------------------------------------------------

static bool check(const st_cli_options *o) {
    const bool vector = is_vector(which_of(o)[0]), constraints = is_of_constraints(which_of(o)[0]);
    const char *format = format_of(o);

    const bool binary = strcmp(format, "png") == 0 || strcmp(format, "npz") == 0, jacobian = which_of(o)[0] == 'J';

    // combinations that make no sense are refused before the scene is loaded
    if (jacobian && !o->component) st_cli_error("--which J: needs --component MAPPING");
    else if (jacobian && o->space && strcmp(o->space, "parent") == 0)
        st_cli_error("--which J: is between the mapping's own states; there is no --space parent");
    else if ((vector || constraints) && o->component)
        st_cli_error("--component: %s belongs to the whole system", o->which);
    else if (constraints && o->system) st_cli_error("--system: %s belongs to the constraint solver", o->which);
    else if (vector && strcmp(format, "png") == 0) st_cli_error("--format png: %s is a vector", o->which);
    else if (binary && !o->output) st_cli_error("--format %s: needs --output FILE", format);
    else if (o->json && strcmp(format, "summary") != 0) st_cli_error("--json: only a summary is printed as JSON");
    else return !o->output || st_cli_is_stdout(o->output) || st_cli_can_write(o->output);
    return false;
}

int st_cli_matrix(const st_cli_options *options) {
    request r = {.options = options};
    if (!check(options)) return ST_CLI_USAGE;

    int code = st_cli_session_start(&r.session, options, true);
    if (code == ST_CLI_OK && !(make_steps(&r) && find(&r) && write_file(&r))) code = ST_CLI_FAILED;

    st_cli_messages_finish(&r.session.messages);
    code = st_cli_session_code(&r.session, code, options->json);
    st_cli_session_end(&r.session);
    return code;
}
