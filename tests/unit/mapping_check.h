// A mapping of a small scene against its mathematics, by the check that `settee check` makes, too.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_MAPPING_CHECK_H
#define SETTEE_TESTS_MAPPING_CHECK_H

#include "check/derivative_check.h"
#include "dense_accumulator.h"
#include "dense_sink.h"
#include "mapping/states.h"
#include "physics_scene.h"

#define MAPPING_DIFFERENCE ((st_real)(2e3 * pow((double)ST_REAL_EPSILON, 2.0 / 3.0))) // what central differences give
#define MAPPING_ROUNDING ((st_real)(1e4 * (double)ST_REAL_EPSILON))

enum mapping_checks {
    MAPPING_J = 1,         // J is the derivative of apply, and its change that of J
    MAPPING_GEOMETRIC = 2, // the geometric blocks are the derivative of Jᵀf
    MAPPING_ALL = 3,
};

static inline void mapping_note(void *user, const st_derivative_check *check) {
    const unsigned checks = *(const unsigned *)user;
    const bool j = strcmp(check->what, "jacobian") == 0 || strcmp(check->what, "acceleration") == 0;
    const bool geometric = strcmp(check->what, "geometric") == 0;
    if ((j && !(checks & MAPPING_J)) || (geometric && !(checks & MAPPING_GEOMETRIC))) return;
    if (!(check->error <= (j || geometric ? MAPPING_DIFFERENCE : MAPPING_ROUNDING)))
        fail_msg("%s: %s is wrong by %g (relative)", check->object->type->name, check->what, (double)check->error);
}

// Products must equal the blocks in any case.
static inline void mapping_check(st_mapping *m, unsigned checks) {
    assert_int_equal(st_check_mapping(m, mapping_note, &checks), ST_OK);
}

// The mapping at `path` of a scene.
static inline void mapping_check_scene(const char *children, const char *path, unsigned checks) {
    physics_scene *test = physics_load(children);
    st_mapping *m = (st_mapping *)physics_find(test, path);
    if (!st_is_valid(&m->object)) fail_msg("%s", test->log);
    mapping_check(m, checks);
    physics_free(test);
}

// A scene whose mapping must be refused or become invalid with a message that holds `why`, and can be stepped.
static inline void mapping_check_bad(const char *children, const char *why) {
    physics_scene *test = physics_load(children);
    if (!strstr(test->log, why)) fail_msg("\"%s\" is not in: %s", why, test->log);
    st_scene_step(test->scene, 0);
    physics_free(test);
}

// --- numbers of a mapping with one input and one output ------------------------------------------------

static inline double mapping_random(void) { return (double)rand() / RAND_MAX * 2 - 1; }

static inline void mapping_apply(st_mapping *m) {
    m->object.type->mapping->apply(m, ST_POSITION, st_read_coord(ST_POSITION));
}

static inline st_real *mapping_dense_jacobian(st_mapping *m) {
    const size_t rows = st_state_scalars(st_mapping_out(m)), cols = st_state_scalars(st_mapping_in(m));
    st_real *j = calloc(rows * cols + 1, sizeof *j);
    dense_sink sink;
    dense_sink_init(&sink, (st_window){.rows = rows, .cols = cols}, 1, j, cols);
    m->object.type->mapping->jacobian(m, 0, 0, &sink.sink);
    assert_int_equal(sink.refusals.count, 0);
    return j;
}

// For the given forces on the child.
static inline st_real *mapping_dense_geometric(st_mapping *m, const st_real *forces) {
    st_state *in = st_mapping_in(m), *out = st_mapping_out(m);
    const st_params params = st_default_params();
    st_real *g = calloc(st_state_scalars(in) * st_state_scalars(in) + 1, sizeof *g);
    dense_accumulator dense;
    dense_accumulator_init(&dense, 1, in, NULL, g);
    assert_true(st_state_make_deriv(out, ST_FORCE));
    memcpy(out->deriv[ST_DERIV_FORCE].data, forces, st_state_scalars(out) * sizeof *forces);
    m->object.type->mapping->geometric(m, &params, (st_stiffness){&dense.pairs.accumulator});
    return g;
}

#endif
