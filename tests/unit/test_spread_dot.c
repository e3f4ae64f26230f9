// Products of vectors where states are spread over processes: integrators take them by the function that the program gave.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "settee/plugin/solver.h"
#include "settee/settee.h"

// As if the second half of the points were another process's, which this one does not hear of.
static st_real first_half(void *user, const st_state *state, size_t width, const st_real *a, const st_real *b) {
    st_real sum = 0;
    for (size_t i = 0; i < state->size / 2 * width; i++) sum += a[i] * b[i];
    ++*(int *)user;
    return sum;
}

static double residual_of(st_scene *scene) {
    size_t count, width;
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    const st_real *residual = st_object_reals(st_scene_find(scene, "/euler"), "residual", &count, &width);
    assert_non_null(residual);
    return (double)*residual;
}

// Two equal points fall: with one of them left out the squared norm is half of it.
static void integrators_use_the_given_function(void **state) {
    (void)state;
    static const char text[] = "<Node dt='0.1' gravity='0 -10 0'><DefaultAnimationLoop/>"
                               "<EulerImplicitSolver name='euler' computeResidual='1'/><SparseLDLSolver/>"
                               "<MechanicalObject position='0 0 0 1 0 0'/><UniformMass vertexMass='2'/></Node>";
    int calls = 0;
    st_scene *scene = st_scene_create(NULL);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));

    const double whole = residual_of(scene);
    assert_true(whole > 0);
    st_scene_set_dot(scene, first_half, &calls);
    assert_true(fabs(residual_of(scene) - whole / 2) < 1e-5 * whole);
    assert_true(calls > 0);
    st_scene_set_dot(scene, NULL, NULL);
    assert_true(fabs(residual_of(scene) - whole) < 1e-5 * whole);
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(integrators_use_the_given_function)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
