// Matrices of mapped states: the assembled matrix is the operator that the matrix-free product computes through the
// mappings. Chains, forces between mapped and independent states, several inputs and outputs, mixed types of DOFs,
// geometric stiffness, constant Jacobians, changing sizes; the same bits for any number of threads; cycles are named.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "system/matrix_linear_system.h"
#include "system_scene.h"

#ifdef SETTEE_REAL_FLOAT
#define TIGHT ((st_real)2e-4)
#else
#define TIGHT ((st_real)1e-11)
#endif

#define SYSTEMS "<MatrixLinearSystem name=\"system\"/><MatrixFreeSystem name=\"free\"/>"

#define TWO_BODIES                                                                                                     \
    "<Node name=\"a\"><MechanicalObject name=\"s\" template=\"Vec3\" position=\"0 1 0 1 0 .5 2 -1 0 3 0 2\"/>"         \
    "<TestMass masses=\"1 2 3\"/><TestForce edges=\"0 1 1 2 2 3\"/>%s</Node>"                                          \
    "<Node name=\"b\"><MechanicalObject name=\"s\" template=\"%s\" size=\"4\"/><TestMass masses=\"7\"/>%s</Node>"

// Forces at the present positions, which the geometric terms depend on.
static void evaluate(st_system *system) {
    st_params params = st_default_params();
    for (size_t i = 0; i < system->plan->states.count; i++) {
        const st_state *s = system->plan->states.data[i];
        for (size_t k = 0; k < s->size * (size_t)st_state_dof(s)->coord && !s->mapped && !st_state_dof(s)->rigid; k++)
            s->coord[ST_COORD_POSITION].data[k] += (st_real)0.1 * (st_real)((k * 7) % 5);
    }
    st_plan_propagate_xv(system->plan, ST_POSITION, ST_VELOCITY);
    st_plan_compute_force(system->plan, &params);
}

static void check_operator(test_scene *test) {
    st_system *assembled = test_system(test, "/system"), *matrix_free = test_system(test, "/free");
    assert_int_equal(test_build(matrix_free, 1, (st_real)-0.1, (st_real)-0.3), ST_OK);
    evaluate(matrix_free);
    for (int pass = 0; pass < 2; pass++) {
        if (test_build(assembled, 1, (st_real)-0.1, (st_real)-0.3) != ST_OK) fail_msg("%s", test->log);
        const size_t n = assembled->size;
        st_real *a = test_assembled(assembled), *p = st_alloc(n, sizeof *p), *q = st_alloc(n, sizeof *q);
        assert_true(n > 0);
        for (size_t j = 0; j < n; j++) {
            p[j] = 1;
            assert_int_equal(matrix_free->object.type->system->multiply(matrix_free, p, q), ST_OK);
            p[j] = 0;
            for (size_t i = 0; i < n; i++) {
                const st_real difference = fabs(a[i * n + j] - q[i]);
                if (!(difference <= TIGHT * (1 + fabs(q[i]))))
                    fail_msg("A(%zu, %zu) = %g, the product says %g", i, j, (double)a[i * n + j], (double)q[i]);
            }
        }
        st_free(a);
        st_free(p);
        st_free(q);
    }
}

static void check_scene(const char *children) {
    test_scene *test = test_scene_create(children, false, 1);
    check_operator(test);
    if (test->messages[ST_ERROR]) fail_msg("%s", test->log);
    test_scene_destroy(test);
}

#define CHILD "<Node name=\"child\"><MechanicalObject name=\"s\" template=\"Vec3\"/><IdentityMapping/>%s</Node>"

static void test_chain(void **unused) {
    (void)unused;
    check_scene(SYSTEMS "<MechanicalObject name=\"top\" template=\"Rigid3\" position=\"0 0 0 0 0 0 1 1 2 0 0 0 0 1 3 0 "
                        "1 0 0 0 1\"/><TestMass masses=\"3\"/>"
                        "<Node name=\"one\"><MechanicalObject name=\"s\" template=\"Vec3\"/><IdentityMapping/>"
                        "<TestForce edges=\"0 1\" damping=\"0.3\"/>"
                        "<Node name=\"two\"><MechanicalObject name=\"s\" template=\"Vec3\"/><IdentityMapping/>"
                        "<TestForce edges=\"0 2 1 2\" rayleighStiffness=\"0.4\"/><TestMass masses=\"1 2\" "
                        "rayleighMass=\"0.1\"/></Node></Node>");
}

// Forces between a mapped state and an independent one, between two mapped ones of the same and of other bodies.
static void test_cross_terms(void **unused) {
    (void)unused;
    static const char *const second[] = {"Vec3", "Rigid3"};
    for (size_t i = 0; i < 2; i++) {
        char text[4096], child[512];
        snprintf(child, sizeof child, CHILD, "<TestForce edges=\"0 3\"/>");
        snprintf(text, sizeof text,
                 SYSTEMS TWO_BODIES "<TestPairForce object1=\"@/a/child/s\" object2=\"@/b/child/s\"/>"
                                    "<TestPairForce object1=\"@/a/s\" object2=\"@/b/child/s\"/>"
                                    "<TestPairForce object1=\"@/a/s\" object2=\"@/a/child/s\"/>",
                 child, second[i], child);
        check_scene(text);
    }
}

#define DOT                                                                                                            \
    "<Node name=\"dots\"><MechanicalObject name=\"s\" template=\"Vec1\"/>"                                             \
    "<TestDotMapping input=\"@%s @%s\" output=\"@s\"/>"                                                                \
    "<TestForce edges=\"0 1 1 2 2 3\" stiffness=\"2\"/><ConstantForceField forces=\"3\"/>%s</Node>"

// Two inputs, of the same and of different kinds, with a geometric term; below another mapping, too.
static void test_several_inputs(void **unused) {
    (void)unused;
    static const char *const inputs[][2] = {{"/a/s", "/b/s"},
                                            {"/a/child/s", "/b/s"},
                                            {"/a/s", "/b/child/s"},
                                            {"/a/child/s", "/b/child/s"},
                                            {"/a/s", "/a/child/s"}};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        for (int rigid = 0; rigid < 2; rigid++) {
            char text[4096], child[512], dot[1024];
            snprintf(child, sizeof child, CHILD, "");
            snprintf(dot, sizeof dot, DOT, inputs[i][0], inputs[i][1], "<TestMass masses=\"0.5\"/>");
            snprintf(text, sizeof text, SYSTEMS TWO_BODIES "%s", child, rigid ? "Rigid3" : "Vec3", child, dot);
            check_scene(text);
        }
    }
}

static void test_several_outputs(void **unused) {
    (void)unused;
    char text[4096];
    snprintf(text, sizeof text,
             SYSTEMS TWO_BODIES
             "<Node name=\"first\"><MechanicalObject name=\"s\" template=\"Vec1\"/>"
             "<Node name=\"second\"><MechanicalObject name=\"s\" template=\"Vec1\"/>"
             "<TestDotMapping input=\"@/a/s @/b/s\" output=\"@/first/s @/first/second/s\"/>"
             "<TestForce edges=\"0 1 1 2\"/><TestPairForce object1=\"@/first/second/s\" object2=\"@/first/s\"/></Node>"
             "</Node>",
             "", "Vec3", "");
    test_scene *test = test_scene_create(text, false, 1);
    // The first output's node holds no mapping: it stays independent, as in SOFA.
    st_system *system = test_system(test, "/system");
    assert_int_equal(test_build(system, 1, 0, -1), ST_OK);
    assert_int_equal(system->size, 12 + 12 + 4);
    if (test->messages[ST_ERROR]) fail_msg("%s", test->log);
    test_scene_destroy(test);
}

// Without the geometric stiffness A is JᵀKJ alone: symmetric and other.
static void test_geometric_switch(void **unused) {
    (void)unused;
    char text[4096], dot[1024];
    snprintf(dot, sizeof dot, DOT, "/a/s", "/b/s", "");
    snprintf(text, sizeof text, SYSTEMS TWO_BODIES "%s", "", "Vec3", "", dot);
    test_scene *test = test_scene_create(text, false, 1);
    check_operator(test);
    st_system *system = test_system(test, "/system");
    st_real *with = test_assembled(system);
    test_set(test, "/system", "assembleGeometricStiffness", "0");
    assert_int_equal(test_build(system, 1, (st_real)-0.1, (st_real)-0.3), ST_OK);
    st_real *without = test_assembled(system);
    st_real difference = 0;
    for (size_t i = 0; i < system->size * system->size; i++) difference = fmax(difference, fabs(with[i] - without[i]));
    assert_true(difference > (st_real)0.01);
    st_free(with);
    st_free(without);
    test_scene_destroy(test);
}

// A state that changes its size makes the patterns anew.
static void test_sizes_change(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        SYSTEMS "<MechanicalObject name=\"top\" template=\"Vec3\" size=\"3\"/><TestMass masses=\"3\"/>"
                "<Node name=\"one\"><MechanicalObject name=\"s\" template=\"Vec3\" size=\"3\"/><IdentityMapping/>"
                "<TestForce edges=\"0 1\"/></Node>",
        false, 1);
    check_operator(test);
    assert_int_equal(st_state_resize((st_state *)st_scene_find(test->scene, "/one/s"), 2), ST_OK);
    check_operator(test);
    assert_int_equal(st_state_resize((st_state *)st_scene_find(test->scene, "/top"), 5), ST_OK);
    assert_int_equal(st_state_resize((st_state *)st_scene_find(test->scene, "/one/s"), 5), ST_OK);
    check_operator(test);
    assert_int_equal(st_state_resize((st_state *)st_scene_find(test->scene, "/one/s"), 0), ST_OK);
    check_operator(test);
    test_scene_destroy(test);
}

static void test_threads_give_the_same_bits(void **unused) {
    (void)unused;
    st_real *first = NULL;
    for (int threads = 1; threads <= 4; threads++) {
        test_scene *test = test_scene_create(
            SYSTEMS "<RegularGridTopology name=\"grid\" n=\"9 9 9\" min=\"0 0 0\" max=\"1 2 3\"/>"
                    "<MechanicalObject name=\"top\"/><TestMass masses=\"3 4\"/>"
                    "<Node name=\"fine\"><RegularGridTopology name=\"inner\" n=\"6 6 6\" min=\"0.1 0.1 0.1\" max=\"0.8 "
                    "1.9 2.7\"/>"
                    "<MechanicalObject name=\"s\"/><BarycentricMapping/><MeshSpringForceField/></Node>",
            false, threads);
        st_system *system = test_system(test, "/system");
        assert_int_equal(test_build(system, 1, 0, -1), ST_OK);
        const st_bsr *a = system->object.type->system->matrix(system);
        const size_t bytes = st_bsr_count(a) * 9 * sizeof(st_real);
        if (!first) {
            first = st_alloc(bytes, 1);
            memcpy(first, a->values, bytes);
        }
        assert_memory_equal(first, a->values, bytes);
        test_scene_destroy(test);
    }
    st_free(first);
}

static void test_cycles_are_named(void **unused) {
    (void)unused;
    test_scene *test =
        test_scene_create(SYSTEMS "<Node name=\"x\"><MechanicalObject name=\"s\" template=\"Vec3\" size=\"2\"/></Node>"
                                  "<Node name=\"y\"><MechanicalObject name=\"s\" template=\"Vec1\" size=\"2\"/>"
                                  "<TestDotMapping input=\"@/x/s @/y/t/s\" output=\"@/y/s\"/>"
                                  "<Node name=\"t\"><MechanicalObject name=\"s\" template=\"Vec3\" size=\"2\"/>"
                                  "<TestDotMapping input=\"@/x/s @/y/s\" output=\"@/y/t/s\"/></Node></Node>"
                                  "<TestPairForce object1=\"@/x/s\" object2=\"@/y/t/s\"/>",
                          false, 1);
    test_clear_log(test);
    assert_int_equal(test_build(test_system(test, "/system"), 1, 0, -1), ST_OK);
    assert_int_equal(test_count(test, "cycle of mappings"), 2);
    assert_int_equal(test_build(test_system(test, "/system"), 1, 0, -1), ST_OK);
    assert_int_equal(test_count(test, "cycle of mappings"), 2);
    test_scene_destroy(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_cross_terms),
        cmocka_unit_test(test_several_inputs),
        cmocka_unit_test(test_several_outputs),
        cmocka_unit_test(test_geometric_switch),
        cmocka_unit_test(test_sizes_change),
        cmocka_unit_test(test_threads_give_the_same_bits),
        cmocka_unit_test(test_cycles_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
