// Scenes that may round otherwise (fast="1"): results agree with the faithful ones as far as rounding lets them, and
// have the same bits for any number of threads.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "settee/settee.h"

#ifdef SETTEE_REAL_FLOAT
#define CLOSE 1e-3
#else
#define CLOSE 1e-6
#endif

// Bars of each kind of loop: elements, springs, shells, beams; assembled and not, solved far enough for 1e-6.
static const char *const bodies[] = {
    "<CGLinearSolver iterations='400' tolerance='1e-12' threshold='1e-24'/><RegularGridTopology n='6 6 12' min='0 0 0' "
    "max='1 1 2'/><MechanicalObject name='dofs'/><UniformMass totalMass='10'/><FixedProjectiveConstraint "
    "indices='0 1 2 3 4 5 6 7 8 9 10 11 12'/><HexahedronFEMForceField youngModulus='3000' poissonRatio='0.3'/>",
    "<CGLinearSolver iterations='400' tolerance='1e-12' threshold='1e-24' "
    "template='CompressedRowSparseMatrixMat3x3d'/><RegularGridTopology n='6 6 12' min='0 0 0' max='1 1 2'/>"
    "<MechanicalObject name='dofs'/><UniformMass totalMass='10'/><FixedProjectiveConstraint "
    "indices='0 1 2 3 4 5 6 7 8 9 10 11 12'/><HexahedronFEMForceField youngModulus='3000' poissonRatio='0.3'/>",
    "<SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/><RegularGridTopology n='6 6 12' min='0 0 0' "
    "max='1 1 2'/><MechanicalObject name='dofs'/><UniformMass totalMass='10'/><FixedProjectiveConstraint "
    "indices='0 1 2 3 4 5 6 7 8 9 10 11 12'/><TetrahedronFEMForceField youngModulus='3000' poissonRatio='0.3' "
    "method='polar'/>",
    "<CGLinearSolver iterations='400' tolerance='1e-12' threshold='1e-24'/><RegularGridTopology n='6 6 12' min='0 0 0' "
    "max='1 1 2'/><MechanicalObject name='dofs'/><UniformMass totalMass='10'/><FixedProjectiveConstraint "
    "indices='0 1 2 3 4 5 6 7 8 9 10 11 12'/><RegularGridSpringForceField stiffness='300' damping='2'/>",
};
enum { BODIES = sizeof bodies / sizeof *bodies, STEPS = 5 };

typedef struct result {
    size_t count;
    st_real *x;
} result;

static result run(const char *body, const char *root, bool fast, int threads) {
    char text[4096];
    snprintf(text, sizeof text,
             "<Node name='root' dt='0.01' %s><DefaultAnimationLoop/><Node name='a'><EulerImplicitSolver "
             "rayleighStiffness='0.1'/>%s</Node></Node>",
             root, body);

    st_config config = st_default_config();
    config.log = NULL;
    config.fast = fast;
    config.threads = threads;
    st_scene *scene = st_scene_create(&config);
    assert_non_null(scene);
    assert_int_equal(st_scene_load_text(scene, text, strlen(text), NULL), ST_OK);
    assert_int_equal(st_scene_init(scene), ST_OK);
    for (int i = 0; i < STEPS; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);

    // the positions
    st_object *dofs = st_scene_find(scene, "/a/dofs");
    assert_non_null(dofs);
    size_t count = 0, width = 0;
    const st_real *x = st_object_reals(dofs, "position", &count, &width);
    assert_non_null(x);
    count *= width;
    result r = {count, malloc(count * sizeof *x)};
    assert_non_null(r.x);
    memcpy(r.x, x, count * sizeof *x);
    st_scene_destroy(scene);
    return r;
}

static void test_fast_agrees_with_faithful(void **unused) {
    (void)unused;
    for (int b = 0; b < BODIES; b++) {
        const result faithful = run(bodies[b], "", false, 1), fast = run(bodies[b], "", true, 1);
        assert_int_equal(faithful.count, fast.count);
        for (size_t i = 0; i < fast.count; i++)
            if (!(fabs((double)(fast.x[i] - faithful.x[i])) <= CLOSE))
                fail_msg("body %d, scalar %zu: %.17g, faithful %.17g", b, i, (double)fast.x[i], (double)faithful.x[i]);
        free(faithful.x);
        free(fast.x);
    }
}

static void test_fast_has_the_same_bits_on_any_number_of_threads(void **unused) {
    (void)unused;
    for (int b = 0; b < BODIES; b++) {
        const result one = run(bodies[b], "", true, 1);
        for (int threads = 2; threads <= 4; threads += 2) {
            const result many = run(bodies[b], "", true, threads);
            assert_int_equal(one.count, many.count);
            assert_memory_equal(one.x, many.x, one.count * sizeof *one.x);
            free(many.x);
        }
        free(one.x);
    }
}

// The attribute of the root and the configuration are the same; fast="0" and nothing are, too.
static void test_root_and_configuration_say_the_same(void **unused) {
    (void)unused;
    const result by_root = run(bodies[1], "fast='1'", false, 1), by_config = run(bodies[1], "", true, 1);
    const result off = run(bodies[1], "fast='0'", false, 1), faithful = run(bodies[1], "", false, 1);
    assert_memory_equal(by_root.x, by_config.x, by_root.count * sizeof *by_root.x);
    assert_memory_equal(off.x, faithful.x, off.count * sizeof *off.x);

#if defined __x86_64__ && defined __OPTIMIZE__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ &&     \
    !defined SETTEE_REAL_FLOAT
    // and it does something where there is fused multiplication: compilers use it when they optimize, which builds with
    // sanitizers do little
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        assert_memory_not_equal(by_root.x, faithful.x, by_root.count * sizeof *by_root.x);
#endif
    free(by_root.x);
    free(by_config.x);
    free(off.x);
    free(faithful.x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fast_agrees_with_faithful),
        cmocka_unit_test(test_fast_has_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(test_root_and_configuration_say_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
