// Small scenes for the tests of forces, masses, projections, topologies and engines: loaded from text, initialized,
// with a log that can be searched, and single components evaluated by hand.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_PHYSICS_SCENE_H
#define SETTEE_TESTS_PHYSICS_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include <cmocka.h>

#include "dense_sink.h"
#include "math/real.h"
#include "settee/plugin/physics.h"
#include "settee/plugin/topology.h"
#include "settee/settee.h"
#include "state/sink.h"

typedef struct physics_scene {
    st_scene *scene;
    char log[8192];
    size_t count[ST_FATAL + 1];
} physics_scene;

static inline void physics_log(void *user, const st_diagnostic *d) {
    physics_scene *test = user;
    test->count[d->severity]++;
    const size_t used = strlen(test->log);
    snprintf(test->log + used, sizeof test->log - used, "%s: %s: %s\n", st_severity_name(d->severity), d->component,
             d->text);
}

// The children of the root, as text.
static inline physics_scene *physics_load_with(const char *children, bool no_compat) {
    physics_scene *test = calloc(1, sizeof *test);
    assert_non_null(test);
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    config.no_compat = no_compat;
    test->scene = st_scene_create(&config);
    assert_non_null(test->scene);
    const size_t length = strlen(children) + 128;
    char *text = malloc(length);
    snprintf(text, length, "<Node name=\"root\" gravity=\"0 -10 0\" dt=\"0.01\"><DefaultAnimationLoop/>%s</Node>",
             children);
    const st_status loaded = st_scene_load_text(test->scene, text, strlen(text), NULL);
    free(text);
    if (!st_succeeded(loaded)) print_message("%s", test->log);
    assert_true(st_succeeded(loaded));
    st_scene_init(test->scene);
    return test;
}

static inline physics_scene *physics_load(const char *children) { return physics_load_with(children, true); }

static inline void physics_free(physics_scene *test) {
    st_scene_destroy(test->scene);
    free(test);
}

static inline st_object *physics_find(physics_scene *test, const char *path) {
    st_object *object = st_scene_find(test->scene, path);
    if (!object) print_message("no %s\n%s", path, test->log);
    assert_non_null(object);
    return object;
}

static inline st_state *physics_state(physics_scene *test, const char *path) {
    return (st_state *)physics_find(test, path);
}

static inline void assert_near(st_real a, st_real b, st_real tolerance) {
    if (!(fabs(a - b) <= tolerance)) print_message("%.17g is not %.17g\n", (double)a, (double)b);
    assert_true(fabs(a - b) <= tolerance);
}

static inline void assert_reals(const st_real *a, size_t count, const st_real *b, st_real tolerance) {
    for (size_t i = 0; i < count; i++) assert_near(a[i], b[i], tolerance);
}

static inline void assert_indices(const st_uints *list, int width, size_t count, const uint32_t *expected) {
    assert_int_equal(list->count, count);
    for (size_t i = 0; i < count * (size_t)width; i++) assert_int_equal(list->data[i], expected[i]);
}

static inline void assert_field(physics_scene *test, const char *path, const char *field, const char *expected) {
    char *text = st_object_get(physics_find(test, path), field, 6);
    assert_non_null(text);
    assert_string_equal(text, expected);
    st_string_free(text);
}

// f = force of one component at the present positions and velocities, on its own.
static inline void physics_force(physics_scene *test, const char *path) {
    st_force *force = (st_force *)physics_find(test, path);
    st_state *states[2] = {force->state, force->other};
    for (int i = 0; i < 2; i++) {
        if (!states[i]) continue;
        st_state_make_deriv(states[i], ST_FORCE);
        st_state_make_deriv(states[i], ST_VELOCITY);
        memset(states[i]->deriv[ST_DERIV_FORCE].data, 0, st_state_scalars(states[i]) * sizeof(st_real));
    }
    const st_params params = st_default_params();
    force->object.type->force->add_force(force, &params);
}

static inline const st_real *physics_force_of(physics_scene *test, const char *path) {
    return physics_state(test, path)->deriv[ST_DERIV_FORCE].data;
}

static inline st_real physics_largest_force(physics_scene *test) {
    const st_state *dofs = physics_state(test, "/dofs");
    st_real largest = 0;
    for (size_t i = 0; i < st_state_scalars(dofs); i++)
        largest = st_max(largest, fabs(dofs->deriv[ST_DERIV_FORCE].data[i]));
    return largest;
}

// The forces of a component called load on a state called dofs.
static inline physics_scene *physics_load_force(const char *text) {
    physics_scene *test = physics_load(text);
    physics_force(test, "/load");
    return test;
}

static inline void assert_force(const char *text, size_t count, const st_real *expected, st_real tolerance) {
    physics_scene *test = physics_load_force(text);
    assert_reals(physics_force_of(test, "/dofs"), count, expected, tolerance);
    physics_free(test);
}

static inline void physics_keep_error(void *user, const st_derivative_check *check) {
    st_real *largest = user;
    if (check->exact_by_design) *largest = st_max(*largest, check->error);
}

// Derivatives of all components of the scene that have exact ones, against differences.
static inline void assert_derivatives(physics_scene *test) {
    st_real largest = 0;
    assert_int_equal(st_scene_check_derivatives(test->scene, physics_keep_error, &largest), ST_OK);
    assert_true(largest < (sizeof(st_real) == sizeof(float) ? ST_R(0.05) : ST_R(1e-6)));
}

static inline st_real physics_random(unsigned *seed) { // in [-1, 1]
    *seed = *seed * 1103515245u + 12345u;
    return (st_real)((*seed >> 16) & 1023u) / 512 - 1;
}

// Force, then product, of the component /fem in a scene of `text`, at disturbed positions: 2 × count numbers.
static inline void physics_evaluate_with(const char *text, int threads, st_real *result, size_t count) {
    st_config config = st_default_config();
    config.threads = threads;
    st_scene *scene = st_scene_create(&config);
    assert_int_equal(st_scene_load_text(scene, text, strlen(text), NULL), ST_OK);
    assert_int_equal(st_scene_init(scene), ST_OK);
    st_force *force = (st_force *)st_scene_find(scene, "/fem");
    st_state *dofs = force->state;
    unsigned seed = 5;
    assert_true(dofs->size * 3 == count);
    assert_true(st_state_make_deriv(dofs, ST_FORCE) && st_state_make_deriv(dofs, ST_DX) &&
                st_state_make_deriv(dofs, ST_DFORCE));
    for (size_t k = 0; k < count; k++) {
        dofs->coord[ST_COORD_POSITION].data[k] += physics_random(&seed) / 50;
        dofs->deriv[ST_DERIV_DX].data[k] = physics_random(&seed);
    }
    const st_params params = st_default_params();
    force->object.type->force->add_force(force, &params);
    force->object.type->force->product(force, &params, ST_R(0.3), 0);
    memcpy(result, dofs->deriv[ST_DERIV_FORCE].data, count * sizeof *result);
    memcpy(result + count, dofs->deriv[ST_DERIV_DFORCE].data, count * sizeof *result);
    st_scene_destroy(scene);
}

// A file in the build tree with the given content; removed by the caller.
static inline const char *physics_file(const char *name, const char *content) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", SETTEE_BUILD, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
    return path;
}

// Sets a vector of a state to the given numbers.
static inline st_real *physics_set(st_state *state, st_deriv_id id, const st_real *values) {
    assert_true(st_state_make_deriv(state, id));
    st_real *data = state->deriv[id.index].data;
    const size_t n = st_state_scalars(state);
    for (size_t i = 0; i < n; i++) data[i] = values ? values[i] : 0;
    return data;
}

// Blocks between two states in a dense matrix.
typedef struct physics_dense {
    st_accumulator accumulator;
    dense_sink sink;
    const st_state *row, *col;
    st_real values[900];
} physics_dense;

static inline st_sink *physics_between(st_accumulator *accumulator, const st_state *row, const st_state *col) {
    physics_dense *dense = (physics_dense *)accumulator;
    return row == dense->row && col == dense->col ? &dense->sink.sink : st_null_sink();
}

static inline void physics_dense_init(physics_dense *dense, const st_state *row, const st_state *col) {
    const size_t rows = st_state_scalars(row), cols = st_state_scalars(col);
    assert_true(rows * cols <= 900);
    memset(dense, 0, sizeof *dense);
    dense->accumulator.between = physics_between;
    dense->row = row;
    dense->col = col;
    dense_sink_init(&dense->sink, (st_window){0, 0, rows, cols}, 1, dense->values, cols);
}

static inline void physics_stiffness(st_force *force, physics_dense *dense, const st_state *row, const st_state *col) {
    const st_params params = st_default_params();
    physics_dense_init(dense, row, col);
    force->object.type->force->stiffness(force, &params, (st_stiffness){&dense->accumulator});
}

#endif
