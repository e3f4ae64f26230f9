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
        for (size_t k = 0; k < s->size * st_state_dof(s)->coord && !s->mapped && !st_state_dof(s)->rigid; k++)
            s->coord[ST_COORD_POSITION].data[k] += (st_real)0.1 * (st_real)((k * 7) % 5);
    }
    st_plan_propagate_xv(system->plan, ST_POSITION, ST_VELOCITY);
    st_plan_graph_compute_force(system->plan, &params);
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
    const st_matrix_linear_system *system = (const st_matrix_linear_system *)test_system(test, "/system");
    assert_true(system->sum.assembly.recorded); // every build gives the same stream
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

// A mapping with two parents that are one mapped state, or copies of one: the geometric terms of several pairs of
// parents stand in one matrix.
static void test_repeated_inputs(void **unused) {
    (void)unused;
    static const char *const inputs[] = {"@/a/points/s @/a/points/s", "@/a/points/one/s @/a/points/two/s",
                                         "@/a/points/s @/a/points/two/s"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        char text[4096];
        snprintf(text, sizeof text,
                 SYSTEMS "<Node name=\"a\"><MechanicalObject name=\"s\" template=\"Rigid3\" "
                         "position=\"0 0 0 0 0 0 1 1 2 0 0.6 0 0 0.8\"/><TestMass masses=\"3\"/>"
                         "<Node name=\"points\"><MechanicalObject name=\"s\" position=\"0 0 0 1 0 0 0 1 0 0 0 1\"/>"
                         "<RigidMapping rigidIndexPerPoint=\"0 1 1 0\" geometricStiffness=\"Exact\"/>"
                         "<Node name=\"one\"><MechanicalObject name=\"s\"/><IdentityMapping/></Node>"
                         "<Node name=\"two\"><MechanicalObject name=\"s\"/><IdentityMapping/></Node></Node></Node>"
                         "<Node name=\"lengths\"><MechanicalObject name=\"s\" template=\"Vec1\"/>"
                         "<MeshTopology name=\"t\" edges=\"0 2 1 3 2 3 0 1\"/><DistanceMultiMapping topology=\"@t\" "
                         "input=\"%s\" output=\"@s\" indexPairs=\"0 0 0 1 1 2 1 3\" geometricStiffness=\"Exact\"/>"
                         "<TestForce edges=\"0 1 1 2\"/><ConstantForceField indices=\"0 1 2 3\" forces=\"-3\"/></Node>",
                 inputs[i]);
        check_scene(text);
    }
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

// A state that changes its size makes new patterns.
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

// ---------------------------------------------------------------------------------------------------
// Copies
// ---------------------------------------------------------------------------------------------------

#define SUBSET(indices)                                                                                                \
    "<MechanicalObject name=\"s\"/><SubsetMapping handleTopologyChange=\"0\" indices=\"" indices "\"/>"
#define JOINED(pairs)                                                                                                  \
    "<Node name=\"joined\"><MechanicalObject name=\"s\"/><SubsetMultiMapping input=\"@/a/s @/b/child/some/s\" "        \
    "output=\"@s\" indexPairs=\"" pairs "\"/><TestForce edges=\"0 1 1 2 2 3\" damping=\"0.2\"/>"

static size_t matrices_of(const st_mapped *mapped) {
    size_t count = 0;
    for (size_t i = 0; i < mapped->pairs.count; i++) count += mapped->pairs.data[i].targets == NULL;
    return count;
}

static void check_copies(const char *below, size_t steps, size_t matrices) {
    char text[4096];
    snprintf(
        text, sizeof text,
        SYSTEMS TWO_BODIES JOINED(
            "1 2  0 0  1 0  1 1") "%s</Node>"
                                  "<TestPairForce object1=\"@/joined/s\" object2=\"@/b/child/s\"/>"
                                  "<TestPairForce object1=\"@/a/s\" object2=\"@/joined/s\"/>",
        "", "Rigid3", // a subset, out of order, of the centers of frames; frame 3 twice
        "<Node name=\"child\"><MechanicalObject name=\"s\" template=\"Vec3\"/><IdentityMapping/>"
        "<Node name=\"some\">" SUBSET("3 1 3") "<TestForce edges=\"0 1 1 2\"/><TestMass masses=\"2 5\"/></Node></Node>",
        below);
    test_scene *test = test_scene_create(text, false, 1);
    check_operator(test);
    if (test->messages[ST_ERROR]) fail_msg("%s", test->log);
    const st_mapped *mapped = &((st_matrix_linear_system *)test_system(test, "/system"))->sum.mapped;
    assert_int_equal(mapped->renamings.count, 3);
    assert_int_equal(mapped->steps.count, steps);
    assert_int_equal(matrices_of(mapped), matrices);
    test_scene_destroy(test);
}

// Copies, copies of copies and copies of several states have neither matrices nor products.
static void test_copies(void **unused) {
    (void)unused;
    check_copies("", 0, 0);
}

// What is mapped from a copy is projected to what it copies: lengths of edges, with a geometric term.
static void test_mapped_from_copies(void **unused) {
    (void)unused;
    check_copies("<Node name=\"lengths\"><MechanicalObject name=\"s\" template=\"Vec1\"/>"
                 "<MeshTopology name=\"t\" edges=\"0 1 1 3\"/><DistanceMapping topology=\"@t\" "
                 "geometricStiffness=\"Exact\"/><TestForce edges=\"0 1\"/><ConstantForceField indices=\"0 1\" "
                 "forces=\"3\"/></Node>",
                 6, 7);
}

// DOFs that copy nothing have no part in the matrix; neither have those of a child that became longer.
static void test_partial_copies(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        SYSTEMS
        "<MechanicalObject name=\"top\" template=\"Vec3\" position=\"0 0 0 1 0 0 2 0 0\"/><TestMass masses=\"3\"/>"
        "<Node name=\"one\"><MechanicalObject name=\"s\" template=\"Vec3\" position=\"9 9 9 2 0 0 0 0 0\"/>"
        "<SubsetMapping handleTopologyChange=\"0\" ignoreNotFound=\"1\"/><TestForce edges=\"0 1 1 2 0 2\"/></Node>",
        false, 1);
    check_operator(test);
    if (test->messages[ST_ERROR]) fail_msg("%s", test->log);
    test_scene_destroy(test);
}

static void test_chain_of_three(void **unused) {
    (void)unused;
    check_scene(SYSTEMS
                "<MechanicalObject name=\"top\" template=\"Rigid3\" position=\"0 0 0 0 0 0 1 1 2 0 0.6 0 0 0.8\"/>"
                "<TestMass masses=\"3\"/>"
                "<Node name=\"one\"><MechanicalObject name=\"s\" position=\"0 0 0 1 0 0 0 1 0 0 0 1 1 1 1\"/>"
                "<RigidMapping rigidIndexPerPoint=\"0 1 1 0 1\" geometricStiffness=\"Exact\"/>"
                "<MeshTopology tetrahedra=\"0 1 2 3 1 2 3 4\"/><TestForce edges=\"0 1\"/>"
                "<Node name=\"two\"><MechanicalObject name=\"s\" position=\"0.2 0.2 0.2 0.7 0.6 0.5 0.3 0.1 2\"/>"
                "<BarycentricMapping/><TestForce edges=\"0 2\"/>"
                "<Node name=\"three\"><MechanicalObject name=\"s\" template=\"Vec1\"/><MeshTopology name=\"t\" "
                "edges=\"0 1 1 2\"/><DistanceMapping topology=\"@t\" geometricStiffness=\"Exact\"/>"
                "<TestForce edges=\"0 1\"/><ConstantForceField indices=\"0 1\" forces=\"-3\"/></Node></Node></Node>");
}

// Two mappings onto one state: the later one computes it, the other has no effect and says so.
static void test_two_mappings_onto_one_state(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        SYSTEMS "<Node name=\"a\"><MechanicalObject name=\"s\" template=\"Vec3\" position=\"1 0 0 2 0 0\"/>"
                "<TestMass masses=\"1 2\"/></Node>"
                "<Node name=\"b\"><MechanicalObject name=\"s\" template=\"Vec3\" position=\"5 0 0 7 1 0\"/>"
                "<TestMass masses=\"3 4\"/></Node>"
                "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"Vec3\"/><IdentityMapping name=\"first\" "
                "input=\"@/a/s\" output=\"@s\"/><TestForce edges=\"0 1\"/>"
                "<Node name=\"d\"><IdentityMapping name=\"second\" input=\"@/b/s\" output=\"@/c/s\"/></Node></Node>",
        false, 1);
    assert_int_equal(test_count(test, "'s' is computed by 'second', too"), 1);
    check_operator(test);
    const st_state *child = (const st_state *)st_scene_find(test->scene, "/c/s"),
                   *b = (const st_state *)st_scene_find(test->scene, "/b/s");
    for (size_t k = 0; k < 6; k++)
        assert_true(child->coord[ST_COORD_POSITION].data[k] == b->coord[ST_COORD_POSITION].data[k]);
    st_real *a = test_assembled(test_system(test, "/system"));
    assert_true(a[0] == 1 && a[6 * 12 + 6] > 3); // the force acts on b alone
    st_free(a);
    test_scene_destroy(test);
}

// ---------------------------------------------------------------------------------------------------
// Flags
// ---------------------------------------------------------------------------------------------------

#define FLAGGED(flags)                                                                                                 \
    SYSTEMS                                                                                                            \
    "<MechanicalObject name=\"top\" template=\"Vec3\" position=\"0 0 0 1 0.5 0\"/><TestMass masses=\"1\"/>"            \
    "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"Vec1\"/><MeshTopology name=\"t\" edges=\"0 1\"/>"        \
    "<DistanceMapping topology=\"@t\" geometricStiffness=\"Exact\" " flags                                             \
    "/><RestShapeSpringsForceField stiffness=\"2\"/><ConstantForceField indices=\"0\" forces=\"-3\"/></Node>"

// A(1, 1), where J has little and the geometric term much, assembled and matrix-free.
static void entries_of(const char *scene, st_real *assembled, st_real *product) {
    test_scene *test = test_scene_create(scene, false, 1);
    st_system *a = test_system(test, "/system"), *f = test_system(test, "/free");
    assert_int_equal(test_build(f, 1, 0, -1), ST_OK);
    evaluate(f);
    assert_int_equal(test_build(a, 1, 0, -1), ST_OK);
    st_real *dense = test_assembled(a), p[6] = {0, 1}, q[6];
    assert_int_equal(f->object.type->system->multiply(f, p, q), ST_OK);
    *assembled = dense[6 + 1];
    *product = q[1];
    st_free(dense);
    test_scene_destroy(test);
}

static void test_flags(void **unused) {
    (void)unused;
    st_real all[2], none[2], some[2];
    entries_of(FLAGGED(""), &all[0], &all[1]);
    assert_true(fabs(all[0] - all[1]) < TIGHT * 10 && all[0] > (st_real)2.5);
    // Without mapForces products know nothing of the child (A = M = 1); matrices do, as in SOFA.
    entries_of(FLAGGED("mapForces=\"0\""), &some[0], &some[1]);
    assert_true(some[0] == all[0] && some[1] == 1);
    // Not mechanical at all: the geometric term is gone, too.
    entries_of(FLAGGED("isMechanical=\"0\""), &none[0], &none[1]);
    assert_true(none[0] < all[0] - 1 && none[1] == 1);
    entries_of(FLAGGED("mapForces=\"0\" mapMasses=\"0\" mapConstraints=\"0\""), &some[0], &some[1]);
    assert_true(some[0] == none[0]);
    // One of the three is enough for the geometric term; mapMasses and mapMatrices do nothing else.
    entries_of(FLAGGED("mapForces=\"0\" mapConstraints=\"0\""), &some[0], &some[1]);
    assert_true(some[0] == all[0]);
    entries_of(FLAGGED("mapMasses=\"0\" mapMatrices=\"1\""), &some[0], &some[1]);
    assert_true(some[0] == all[0] && some[1] == all[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_mapped_from_copies),
        cmocka_unit_test(test_partial_copies),
        cmocka_unit_test(test_chain_of_three),
        cmocka_unit_test(test_two_mappings_onto_one_state),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_cross_terms),
        cmocka_unit_test(test_several_inputs),
        cmocka_unit_test(test_several_outputs),
        cmocka_unit_test(test_repeated_inputs),
        cmocka_unit_test(test_geometric_switch),
        cmocka_unit_test(test_sizes_change),
        cmocka_unit_test(test_threads_give_the_same_bits),
        cmocka_unit_test(test_cycles_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
