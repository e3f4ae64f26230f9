// What SOFA's assembled matrices hold beside JᵀKJ where a force couples states of different bodies, which an ordinary
// system has not, and where a BTDMatrix keeps what lies left of its band: as specified, and absent without
// compatibility.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "dense_accumulator.h"
#include "system/matrix_linear_system.h"
#include "system_scene.h"

#ifdef SETTEE_REAL_FLOAT
#define TIGHT ((st_real)2e-4)
#else
#define TIGHT ((st_real)1e-12)
#endif
static const st_real STIFFNESS_FACTOR = (st_real)-0.3;

static st_real *build(test_scene *test, const char *path, bool compat) {
    st_system *system = test_system(test, path);
    if (test->messages[ST_ERROR]) fail_msg("%s", test->log);
    test->scene->compat = compat;
    st_matrix_sum_free(&((st_matrix_linear_system *)system)->sum);
    if (test_build(system, 1, (st_real)-0.1, STIFFNESS_FACTOR) != ST_OK) fail_msg("%s", test->log);
    return test_assembled(system);
}

// The same matrix with cross terms; the system was built.
static st_real *cross(test_scene *test, const char *path) {
    const st_system *system = test_system(test, path);
    const st_sum_request request = {.params = system->params, .kinds = {true, true, true}, .geometric = true};
    st_matrix_sum sum = {0};
    st_real *a = st_alloc(system->size * system->size, sizeof *a);
    assert_true(a && st_matrix_sum_refresh(&sum, system->plan, ST_SUM_CROSSED, NULL));
    assert_int_equal(st_matrix_sum_assemble(&sum, &request), ST_OK);
    st_bsr_to_dense(&sum.assembly.matrix, a);
    st_matrix_sum_free(&sum);
    return a;
}

// ---------------------------------------------------------------------------------------------------
// Cross terms
// ---------------------------------------------------------------------------------------------------

enum { MOST = 40 };

// One side of a force: its state, and the bodies that the state is taken for although it does not depend on them.
typedef struct side {
    const char *state, *taken_for;
    size_t scalars;
    st_real right[MOST][MOST], all[MOST][MOST]; // J, and J with the identities
} side;

static side side_of(const char *state, const char *taken_for) { return (side){.state = state, .taken_for = taken_for}; }

static void find_jacobians(side *s, test_scene *test, st_plan *plan) {
    const st_state *state = (const st_state *)st_scene_find(test->scene, s->state);
    assert_non_null(state);
    s->scalars = st_state_scalars(state);
    assert_true(s->scalars <= MOST && plan->size <= MOST);
    assert_true(st_plan_make_deriv(plan, ST_DX, true));
    for (size_t i = 0; i < plan->size; i++) {
        st_real unit[MOST] = {0};
        unit[i] = 1;
        st_plan_scatter(plan, ST_DX, unit);
        st_plan_propagate_dx(plan, ST_DX);
        // A state outside depends on nothing.
        const bool inside = strncmp(s->state, "/in/", 4) == 0;
        for (size_t k = 0; k < s->scalars; k++)
            s->all[k][i] = s->right[k][i] = inside ? state->deriv[ST_DERIV_DX].data[k] : 0;
    }
    if (!s->taken_for) return;
    const st_state *body = (const st_state *)st_scene_find(test->scene, s->taken_for);
    const size_t offset = st_plan_offset(plan, body);
    for (size_t k = 0; k < s->scalars && k < st_state_scalars(body); k++) s->all[k][offset + k] += 1;
}

static void find_stiffness(test_scene *test, st_real *k) {
    st_force *force = (st_force *)st_scene_find(test->scene, "/in/z/pair");
    if (!force) fail_msg("%s", test->log);
    const st_params params = st_default_params();
    dense_accumulator dense;
    dense_accumulator_init(&dense, STIFFNESS_FACTOR, force->state, force->other, k);
    force->object.type->force->stiffness(force, &params, (st_stiffness){&dense.pairs.accumulator});
}

// Σ over both orders of (J + I)ᵀ K (J + I) - Jᵀ K J.
static void add_terms(st_real *a, size_t n, const side *s, const side *t, const st_real *k) {
    const size_t stride = s->scalars + t->scalars;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t r = 0; r < s->scalars; r++)
                for (size_t c = 0; c < t->scalars; c++) {
                    const st_real st = k[r * stride + s->scalars + c], ts = k[(s->scalars + c) * stride + r];
                    a[i * n + j] += st * (s->all[r][i] * t->all[c][j] - s->right[r][i] * t->right[c][j]) +
                                    ts * (t->all[c][i] * s->all[r][j] - t->right[c][i] * s->right[r][j]);
                }
}

// A frame with three points on it; three points, three others in their triangle and copies of them; three points; a
// floor, which is no part of the system. `before` is a force of their node: it comes before all others.
static test_scene *bodies(const char *before, const char *one, const char *two) {
    char text[4096];
    snprintf(
        text, sizeof text,
        "<Node name=\"floor\"><MechanicalObject name=\"s\" position=\"0 0 0 1 0 0 0 1 0\"/></Node>"
        "<Node name=\"in\"><MatrixLinearSystem name=\"system\"/>"
        "<Node name=\"a\"><MechanicalObject name=\"s\" template=\"Rigid3\" position=\"1 2 0 0.6 0 0 0.8\"/>"
        "<TestMass masses=\"3\"/><Node name=\"c\"><MechanicalObject name=\"s\" position=\"0 0 0 1 0 0 0 1 2\"/>"
        "<RigidMapping/></Node></Node>"
        "<Node name=\"b\"><MechanicalObject name=\"s\" position=\"0 0 0 1 0 0 0 1 0\"/><TestMass masses=\"7\"/>"
        "<MeshTopology triangles=\"0 1 2\"/>"
        "<Node name=\"c\"><MechanicalObject name=\"s\" position=\".2 .2 0 .5 .1 0 .3 .6 0\"/>"
        "<BarycentricMapping/></Node>"
        "<Node name=\"d\"><MechanicalObject name=\"s\"/><SubsetMapping indices=\"2 0 1\"/></Node></Node>"
        "<Node name=\"e\"><MechanicalObject name=\"s\" position=\"0 0 0 1 0 0 0 1 0\"/><TestMass masses=\"5\"/></Node>"
        "%s<Node name=\"z\"><TestPairForce name=\"pair\" object1=\"@%s\" object2=\"@%s\"/></Node></Node>",
        before, one, two);
    return test_scene_create(text, false, 1);
}

static void check_terms(const char *before, side s, side t) {
    test_scene *test = bodies(before, s.state, t.state);
    st_real *right = build(test, "/in/system", true), *whole = cross(test, "/in/system"), k[MOST * MOST] = {0};
    st_system *system = test_system(test, "/in/system");
    const size_t n = system->size;
    find_jacobians(&s, test, system->plan);
    find_jacobians(&t, test, system->plan);
    find_stiffness(test, k);
    add_terms(right, n, &s, &t, k);
    test_equal(n * n, whole, right, TIGHT);
    if (test->messages[ST_ERROR]) fail_msg("%s", test->log);
    st_free(right);
    st_free(whole);
    test_scene_destroy(test);
}

static void test_between_bodies(void **unused) {
    (void)unused;
    // Both mapped; numbers of the three points beyond the six scalars of the frame are left out.
    check_terms("", side_of("/in/a/c/s", "/in/b/s"), side_of("/in/b/c/s", "/in/a/s"));
    check_terms("", side_of("/in/b/d/s", "/in/a/s"), side_of("/in/a/c/s", "/in/b/s"));
    // A mapped and an independent state.
    check_terms("", side_of("/in/a/c/s", "/in/b/s"), side_of("/in/b/s", "/in/a/s"));
    // Of one body: nothing but JᵀKJ.
    check_terms("", side_of("/in/b/c/s", NULL), side_of("/in/b/s", NULL));
    check_terms("", side_of("/in/b/c/s", NULL), side_of("/in/b/d/s", NULL));
    // Two independent states.
    check_terms("", side_of("/in/b/s", NULL), side_of("/in/e/s", NULL));
}

static void test_with_outside(void **unused) {
    (void)unused;
    check_terms("", side_of("/in/a/c/s", NULL), side_of("/floor/s", "/in/a/s"));
    check_terms("", side_of("/floor/s", "/in/b/s"), side_of("/in/b/d/s", NULL));
    check_terms("", side_of("/in/b/s", NULL), side_of("/floor/s", "/in/b/s"));
}

// A force between the bodies that comes first: the points of one body depend on the other, too, with J = 0.
static void test_first_group(void **unused) {
    (void)unused;
    check_terms("", side_of("/in/b/c/s", "/in/e/s"), side_of("/in/e/s", "/in/b/s"));
    check_terms("<TestPairForce object1=\"@/in/b/s\" object2=\"@/in/e/s\"/>", side_of("/in/b/c/s", NULL),
                side_of("/in/e/s", "/in/b/s"));
}

// SOFA projects nothing where there is no mapping.
static void test_nothing_projected(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        "<Node name=\"floor\"><MechanicalObject name=\"s\" size=\"2\"/></Node>"
        "<Node name=\"in\"><MatrixLinearSystem name=\"system\"/><MechanicalObject name=\"s\" size=\"2\"/>"
        "<TestMass masses=\"3\"/><TestPairForce object1=\"@s\" object2=\"@/floor/s\"/></Node>",
        false, 1);
    st_real *right = build(test, "/in/system", true), *whole = cross(test, "/in/system");
    test_equal(36, whole, right, 0);
    st_free(right);
    st_free(whole);
    test_scene_destroy(test);
}

// ---------------------------------------------------------------------------------------------------
// The band
// ---------------------------------------------------------------------------------------------------

enum { FRAMES = 5, B = 6, N = FRAMES * B };

// Slots of three blocks a row, filled and read as specified; the first frame is fixed afterwards.
static void store_in_slots(const st_real *a, st_real *stored) {
    st_real slots[3 * FRAMES][B][B] = {0};
    for (int r = 0; r < N; r++)
        for (int c = 0; c < N; c++)
            if (c / B - r / B + 1 < 3) slots[3 * (r / B) + c / B - r / B + 1][r % B][c % B] += a[r * N + c];
    for (int r = 0; r < N; r++)
        for (int c = 0; c < N; c++) {
            const int position = c / B - r / B + 1;
            const bool fixed = r < B || c < B;
            stored[r * N + c] = position < 0            ? 0
                                : position > 2 && fixed ? 0
                                : position > 2          ? a[r * N + c] // left to the solver, which leaves it out
                                : fixed                 ? r == c
                                                        : slots[3 * (r / B) + position][r % B][c % B];
        }
}

static void test_band(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        "<MatrixLinearSystem name=\"band\" template=\"BTDMatrix6d\"/><MatrixLinearSystem name=\"whole\" "
        "applyProjectiveConstraints=\"0\"/><MatrixLinearSystem name=\"fixed\"/>"
        "<MechanicalObject name=\"s\" template=\"Rigid3\" size=\"5\"/><TestMass masses=\"3 4 5\"/>"
        "<TestForce edges=\"0 1 1 2 2 3 3 4 0 2 1 4 0 4\"/><TestConstraint indices=\"0\"/>",
        false, 1);
    st_real *whole = build(test, "/whole", true), *band = build(test, "/band", true), expected[N * N];
    store_in_slots(whole, expected);
    test_equal(N * N, band, expected, TIGHT);
    st_free(band);
    st_free(whole);
    band = build(test, "/band", false);
    whole = build(test, "/fixed", false);
    test_equal(N * N, band, whole, 0);
    st_free(band);
    st_free(whole);
    test_scene_destroy(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_between_bodies), cmocka_unit_test(test_with_outside),
        cmocka_unit_test(test_first_group),    cmocka_unit_test(test_nothing_projected),
        cmocka_unit_test(test_band),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
