// Small scenes for the tests of systems and solvers: components whose matrices are known, and a log that can be read.
//
//   TestForce       springs between the DOFs of `edges` with a full symmetric block each; `damping` times the identity
//                   as ∂f/∂v; `mode` makes it misbehave
//   TestPairForce   couples DOF i of object1 with DOF i of object2
//   TestMatrix      the dense matrix `values`, whatever it is, as ∂f/∂x
//   TestMass        `masses` on the diagonal, one per scalar (the last one holds for the rest)
//   TestConstraint  fixes `indices`
//   TestMapping     identity from the parent node's state
//   TestStray...    components that add what they must not (stray_components.h)
//   TestDotMapping  from two states x, y to x · y (first output) and x · x / 2 (second one)
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_SYSTEM_SCENE_H
#define SETTEE_TESTS_SYSTEM_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tgmath.h>

#include <cmocka.h>

#include "scene/scene.h"
#include "state/sink.h"
#include "system/system.h"

typedef enum test_mode {
    TEST_GOOD,
    TEST_MORE_BLOCKS,  // a block between the first and the last DOF, too
    TEST_FEWER_BLOCKS, // the first edge is left out
    TEST_ROW_OUTSIDE,  // one row beyond the end
    TEST_COL_OUTSIDE,  // a column far beyond the end
    TEST_NAN,          // a number that is none on the diagonal of DOF 1
    TEST_RESTLESS,     // other blocks at every call
} test_mode;

typedef struct test_scene {
    st_scene *scene;
    char log[16384];
    size_t messages[ST_FATAL + 1];
} test_scene;

// The scene of the text (children of the root), initialized. `strict` and `threads` as in st_config.
test_scene *test_scene_create(const char *children, bool strict, int threads);
void test_scene_destroy(test_scene *test);
void test_clear_log(test_scene *test);
size_t test_count(const test_scene *test, const char *text); // how often the log holds the text

st_system *test_system(test_scene *test, const char *path);
st_linear_solver *test_solver(test_scene *test, const char *path);
void test_set(test_scene *test, const char *path, const char *field, const char *value);

st_params test_params(st_real m, st_real b, st_real k);
st_status test_build(st_system *system, st_real m, st_real b, st_real k);
// A as the sum over all components through dense sinks, with constraints, row-major; n = plan size. Allocated.
st_real *test_dense(st_plan *plan, st_real m, st_real b, st_real k, bool constrained);
st_real *test_assembled(st_system *system); // the same from the system's matrix
void test_equal(size_t count, const st_real *a, const st_real *b, st_real tolerance);
// x = A⁻¹ b by elimination with pivoting. Allocated.
st_real *test_dense_solve(size_t n, const st_real *a, const st_real *b);

// |b - A x| / (|A| |x| + |b|): of which part of its numbers the system solved differs from the one asked for.
st_real test_residual(size_t n, const st_real *a, const st_real *x, const st_real *b);

st_real test_random(uint64_t *seed); // in (-1, 1)

#endif
