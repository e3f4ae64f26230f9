// An addition outside of a component's own block reaches no other block: it is refused, and reported once, with the
// component, the row, the column and the valid range. So is, with checkIndices under --strict, a number that is none.
// Every kind of matrix, of independent and of mapped components, of interactions, of SOFA's former interface; at the
// first build and at later ones, in one thread and in two.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "stray_components.h"
#include "system/matrix_linear_system.h"
#include "system_scene.h"

enum { BUILDS = 4 };

// A neighbor on each side, into whose block a stray addition would fall; all have two points.
#define STATE "<MechanicalObject name='s' template='Vec3' size='2'/>"
#define BEFORE "<Node name='before'>" STATE "<TestMass masses='3'/></Node>"
#define AFTER "<Node name='after'>" STATE "<TestMass masses='5'/></Node>"
#define CHILD(mapping, inside) "<Node name='c'>" STATE mapping inside "</Node>"
#define BODY(inside) BEFORE "<Node name='b'>" STATE "<TestMass masses='2'/>" inside "</Node>" AFTER

static const struct {
    const char *name;      // of the case
    const char *component; // in messages
    const char *matrix;    // in messages
    const char *scene;     // %s: the attributes of the stray component
    uint32_t kind;         // its attribute `matrix`
    uint32_t pair;
} cases[] = {
    {"stiffness", "TestStray(x)", "stiffness", BODY("<TestStray name='x' %s/>"), 0, 0},
    {"damping", "TestStray(x)", "damping", BODY("<TestStray name='x' %s/>"), 2, 0},
    {"mass", "TestStrayMass(x)", "mass", BODY("<TestStrayMass name='x' %s/>"), 1, 0},
    {"mapped stiffness", "TestStray(x)", "stiffness", BODY(CHILD("<TestMapping/>", "<TestStray name='x' %s/>")), 0, 0},
    {"mapped damping", "TestStray(x)", "damping", BODY(CHILD("<TestMapping/>", "<TestStray name='x' %s/>")), 2, 0},
    {"mapped mass", "TestStrayMass(x)", "mass", BODY(CHILD("<TestMapping/>", "<TestStrayMass name='x' %s/>")), 1, 0},
    {"copied stiffness", "TestStray(x)", "stiffness", BODY(CHILD("<IdentityMapping/>", "<TestStray name='x' %s/>")), 0,
     0},
    {"copied mass", "TestStrayMass(x)", "mass", BODY(CHILD("<IdentityMapping/>", "<TestStrayMass name='x' %s/>")), 1,
     0},
    {"former stiffness", "TestStrayFormer(x)", "stiffness", BODY("<TestStrayFormer name='x' %s/>"), 0, 0},
    {"former mass", "TestStrayFormer(x)", "mass", BODY("<TestStrayFormer name='x' %s/>"), 1, 0},
    {"former damping", "TestStrayFormer(x)", "damping", BODY("<TestStrayFormer name='x' %s/>"), 2, 0},
    {"former, mapped", "TestStrayFormer(x)", "stiffness",
     BODY(CHILD("<TestMapping/>", "<TestStrayFormer name='x' %s/>")), 0, 0},
    {"interaction, rows", "TestStrayPair(x)", "stiffness",
     BODY("") "<TestStrayPair name='x' object1='@b/s' object2='@before/s' %s/>", 0, 0},
    {"interaction, across", "TestStrayPair(x)", "stiffness",
     BODY("") "<TestStrayPair name='x' object1='@b/s' object2='@before/s' %s/>", 0, 1},
    {"interaction with a mapped state", "TestStrayPair(x)", "stiffness",
     BODY(CHILD("<TestMapping/>", "")) "<TestStrayPair name='x' object1='@after/s' object2='@b/c/s' %s/>", 0, 2},
    {"interaction with a copy", "TestStrayPair(x)", "stiffness",
     BODY(CHILD("<IdentityMapping/>", "")) "<TestStrayPair name='x' object1='@after/s' object2='@b/c/s' %s/>", 0, 3},
    {"geometric stiffness", "TestStrayMapping(x)", "geometric stiffness",
     BODY(CHILD("<TestStrayMapping name='x' %s/>", "")), 0, 0},
    {"geometric stiffness of a mapped state", "TestStrayMapping(x)", "geometric stiffness",
     BODY(CHILD("<TestMapping/>", "<Node name='d'>" STATE "<TestStrayMapping name='x' %s/></Node>")), 0, 0},
};

static test_scene *create(size_t c, uint32_t how, uint32_t after, bool check, bool strict, int threads) {
    char attributes[128], children[2048], scene[2560];
    snprintf(attributes, sizeof attributes, "matrix='%u' how='%u' after='%u' pair='%u'", cases[c].kind, how, after,
             cases[c].pair);
    snprintf(children, sizeof children, cases[c].scene, attributes);
    snprintf(scene, sizeof scene, "<MatrixLinearSystem name='system' checkIndices='%d'/>%s", check, children);
    test_scene *test = test_scene_create(scene, strict, threads);
    test_clear_log(test);
    return test;
}

static void build(test_scene *test) {
    if (test_build(test_system(test, "/system"), 1, (st_real)-0.25, (st_real)-0.5) != ST_OK) fail_msg("%s", test->log);
}

// The same matrix, to the bit, as that of a component that behaves.
static void expect_matrix(size_t c, test_scene *test) {
    test_scene *good = create(c, STRAY_NOT, 0, false, false, 1);
    build(good);
    st_system *a = test_system(test, "/system"), *b = test_system(good, "/system");
    st_real *got = test_assembled(a), *expected = test_assembled(b);
    assert_int_equal(a->size, 18);
    if (memcmp(got, expected, 18 * 18 * sizeof *got) != 0) fail_msg("%s: the matrix is another one", cases[c].name);
    st_free(got);
    st_free(expected);
    test_scene_destroy(good);
}

static void expect_once(size_t c, const test_scene *test, const char *text) {
    char sentence[256];
    snprintf(sentence, sizeof sentence, text, cases[c].matrix);
    if (test->messages[ST_ERROR] != 1 || test_count(test, cases[c].component) != 1 || test_count(test, sentence) != 1)
        fail_msg("%s: expected once: %s\n%s", cases[c].name, sentence, test->log);
}

static void outside_is_refused_and_told_once(void **unused) {
    (void)unused;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (uint32_t after = 0; after <= 3; after += 3)
            for (int how = STRAY_ROW; how <= STRAY_COL; how++)
                for (int check = 0; check < 2; check++)
                    for (int threads = 1; threads <= 2; threads++) {
                        test_scene *test = create(c, (uint32_t)how, after, check != 0, false, threads);
                        for (int i = 0; i < BUILDS; i++) build(test);
                        expect_once(c, test,
                                    how == STRAY_ROW ? "1 x 1 block at row 6, column 0 to the %s matrix, whose valid "
                                                       "rows are 0 to 5 and columns 0 to 5"
                                                     : "1 x 1 block at row 5, column 7 to the %s matrix, whose valid "
                                                       "rows are 0 to 5 and columns 0 to 5");
                        expect_matrix(c, test);
                        test_scene_destroy(test);
                    }
}

static void a_number_that_is_none_is_refused_under_strict(void **unused) {
    (void)unused;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (uint32_t after = 0; after <= 3; after += 3) {
            test_scene *test = create(c, STRAY_NAN, after, true, true, 1);
            for (int i = 0; i < BUILDS; i++) build(test);
            expect_once(c, test,
                        "adds a number that is not finite to the %s matrix, in a 1 x 1 block at row 1, column 0");
            expect_matrix(c, test);
            test_scene_destroy(test);
            // Not asked to look: the number is in the matrix, and the assembly reports nothing.
            test = create(c, STRAY_NAN, after, false, true, 1);
            for (int i = 0; i < BUILDS; i++) build(test);
            st_real *got = test_assembled(test_system(test, "/system")), sum = 0;
            for (size_t i = 0; i < 18 * 18; i++) sum += got[i];
            assert_true(isnan(sum));
            assert_int_equal(test->messages[ST_ERROR], 0);
            st_free(got);
            test_scene_destroy(test);
        }
}

// Components of both lanes have something to say in the same build: the log is the same for any number of threads.
static void messages_come_in_a_fixed_order(void **unused) {
    (void)unused;
    static const char scene[] = "<MatrixLinearSystem name='system' checkIndices='1'/>" BODY(
        "<TestStray name='y' how='1' after='2'/><TestStrayMass name='x' matrix='1' how='2' after='2'/>" CHILD(
            "<TestMapping/>",
            "<TestStray name='v' how='2' after='2'/><TestStray name='u' how='1' matrix='2' after='2'/>"
            "<TestStrayMass name='w' matrix='1' how='1' after='2'/>"));
    char expected[sizeof((test_scene *)NULL)->log] = "";
    for (int threads = 1; threads <= 4; threads++)
        for (int repeat = 0; repeat < 10; repeat++) {
            test_scene *test = test_scene_create(scene, false, threads);
            test_clear_log(test);
            for (int i = 0; i < BUILDS; i++) build(test);
            assert_int_equal(test->messages[ST_ERROR], 5);
            if (!expected[0]) strcpy(expected, test->log);
            assert_string_equal(expected, test->log);
            test_scene_destroy(test);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outside_is_refused_and_told_once),
        cmocka_unit_test(a_number_that_is_none_is_refused_under_strict),
        cmocka_unit_test(messages_come_in_a_fixed_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
