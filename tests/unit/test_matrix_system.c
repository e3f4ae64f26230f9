// The assembled matrix equals the sum of its parts, taken through dense sinks: one and several states, every type of
// DOF, interactions, constraints, switches, Rayleigh factors. Its pattern follows components that change what they
// add. The matrix-free product is the same operator. SOFA's own matrices are met where they are at hand.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "system/matrix_linear_system.h"
#include "system_scene.h"

#ifdef SETTEE_REAL_FLOAT
#define TIGHT ((st_real)1e-5)
#else
#define TIGHT ((st_real)1e-13)
#endif

#define ONE_STATE                                                                                                      \
    "<MatrixLinearSystem name=\"system\"/>"                                                                            \
    "<MechanicalObject name=\"dofs\" template=\"Vec3\" position=\"0 0 0 1 0 0 2 0 0 3 0 0\"/>"                         \
    "<TestMass name=\"mass\" masses=\"1 2 3 4\" rayleighMass=\"0.2\"/>"                                                \
    "<TestForce name=\"force\" edges=\"0 1 1 2 2 3\" stiffness=\"10\" damping=\"0.5\" rayleighStiffness=\"0.3\"/>"

static void check_against_dense(st_system *system, st_real m, st_real b, st_real k, bool constrained) {
    assert_int_equal(test_build(system, m, b, k), ST_OK);
    st_real *expected = test_dense(system->plan, m, b, k, constrained), *got = test_assembled(system);
    test_equal(system->size * system->size, expected, got, TIGHT);
    st_free(expected);
    st_free(got);
}

static void test_one_state(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(ONE_STATE, false, 1);
    st_system *system = test_system(test, "/system");
    check_against_dense(system, 1, (st_real)-0.01, (st_real)-0.0001, true);
    assert_int_equal(system->size, 12);
    assert_int_equal(system->matrix_size[0], 12);
    assert_int_equal(system->version, 1);
    check_against_dense(system, 2, 0, -3, true); // without damping and with other factors
    check_against_dense(system, 1, 1, 1, true);  // and with it again
    assert_int_equal(system->version, 3);
    assert_int_equal(system->object.type->system->matrix(system)->height, 3);
    test_scene_destroy(test);
}

static void test_factor_zero_is_not_asked(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(ONE_STATE, false, 1);
    st_system *system = test_system(test, "/system");
    test_set(test, "/force", "mode", "5"); // a NaN in the stiffness: it must not matter where its factor is 0
    test_set(test, "/force", "rayleighStiffness", "0");
    assert_int_equal(test_build(system, 1, 0, 0), ST_OK);
    const st_bsr *a = system->object.type->system->matrix(system);
    for (size_t i = 0; i < 12; i++) assert_true(isfinite(st_bsr_get(a, i, i)));
    test_scene_destroy(test);
}

// Every type of DOF, and mixtures: the blocks of the matrix follow the types.
static void test_types_and_several_states(void **unused) {
    (void)unused;
    static const struct {
        const char *first, *second;
        int block;
    } cases[] = {
        {"Vec1", "Vec1", 1}, {"Vec2", "Vec2", 2},     {"Vec3", "Vec3", 3},     {"Vec6", "Vec6", 6},
        {"Vec3", "Vec2", 1}, {"Rigid3", "Vec3", 3},   {"Rigid3", "Rigid3", 6}, {"Rigid2", "Vec3", 3},
        {"Vec2", "Vec6", 2}, {"Rigid2", "Rigid3", 3}, {"Vec1", "Vec3", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            "<MatrixLinearSystem name=\"system\"/>"
            "<Node name=\"a\"><MechanicalObject name=\"s\" template=\"%s\" size=\"3\"/><TestMass masses=\"1 2 3\"/>"
            "<TestForce edges=\"0 1 1 2\" damping=\"2\"/></Node>"
            "<Node name=\"b\"><MechanicalObject name=\"s\" template=\"%s\" size=\"4\"/>"
            "<TestForce edges=\"0 1 1 2 2 3\" stiffness=\"5\"/><TestMass masses=\"7\"/><TestConstraint indices=\"1 "
            "3\"/></Node>"
            "%s",
            cases[i].first, cases[i].second,
            strcmp(cases[i].first, cases[i].second) ? "" : "<TestPairForce object1=\"@a/s\" object2=\"@b/s\"/>");
        test_scene *test = test_scene_create(text, false, 1);
        st_system *system = test_system(test, "/system");
        check_against_dense(system, 1, (st_real)-0.1, -1, true);
        assert_int_equal(system->plan->independent.count, 2);
        assert_int_equal(system->object.type->system->matrix(system)->height, cases[i].block);
        check_against_dense(system, 1, (st_real)-0.2, -2, true);
        test_scene_destroy(test);
    }
}

static void test_constraints(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(ONE_STATE "<TestConstraint name=\"fix\" indices=\"0 2\"/>", false, 1);
    st_system *system = test_system(test, "/system");
    check_against_dense(system, 1, 0, -1, true);
    const st_bsr *a = system->object.type->system->matrix(system);
    assert_true(st_bsr_get(a, 0, 0) == 1 && st_bsr_get(a, 0, 3) == 0 && st_bsr_get(a, 3, 0) == 0);
    test_set(test, "/system", "applyProjectiveConstraints", "0");
    check_against_dense(system, 1, 0, -1, false);
    test_set(test, "/system", "applyProjectiveConstraints", "1");
    test_set(test, "/fix", "indices", "3");
    check_against_dense(system, 1, 0, -1, true);

    test_set(test, "/fix", "indices", "1 4000000000"); // beyond the state: said once, and the rest holds
    test_clear_log(test);
    assert_int_equal(test_build(system, 1, 0, -1), ST_OK);
    assert_int_equal(test_build(system, 1, 0, -1), ST_OK);
    assert_int_equal(test->messages[ST_ERROR], 1);
    assert_true(st_bsr_get(system->object.type->system->matrix(system), 3, 3) == 1);
    test_scene_destroy(test);
}

static void test_switches(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(ONE_STATE, false, 1);
    st_system *system = test_system(test, "/system");
    static const struct {
        const char *name;
        st_real m, b, k;
        bool keeps_rayleigh;
    } switches[] = {
        {"assembleStiffness", 1, 1, 0, false}, {"assembleMass", 0, 1, 1, false}, {"assembleDamping", 1, 0, 1, false}};
    test_set(test, "/mass", "rayleighMass", "0");
    test_set(test, "/force", "rayleighStiffness", "0");
    for (size_t i = 0; i < 3; i++) {
        test_set(test, "/system", switches[i].name, "0");
        assert_int_equal(test_build(system, 1, 1, 1), ST_OK);
        st_real *expected = test_dense(system->plan, switches[i].m, switches[i].b, switches[i].k, true);
        st_real *got = test_assembled(system);
        test_equal(144, expected, got, TIGHT);
        st_free(expected);
        st_free(got);
        test_set(test, "/system", switches[i].name, "1");
    }
    check_against_dense(system, 1, 1, 1, true);

    test_set(test, "/system", "enableAssembly", "0");
    const uint32_t version = system->version;
    assert_int_equal(test_build(system, 5, 5, 5), ST_OK);
    assert_int_equal(system->version, version);
    test_scene_destroy(test);
}

// A force that adds more, fewer, and again the first blocks.
static void test_pattern_follows(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(ONE_STATE, false, 1);
    st_system *system = test_system(test, "/system");
    const st_matrix_linear_system *self = (const st_matrix_linear_system *)system;
    check_against_dense(system, 1, 1, -1, true);
    const size_t blocks = st_bsr_count(system->object.type->system->matrix(system));
    assert_int_equal(blocks, 10); // 4 on the diagonal, 2 for each edge
    test_set(test, "/force", "mode", "1");
    check_against_dense(system, 1, 1, -1, true);
    assert_int_equal(st_bsr_count(system->object.type->system->matrix(system)), 12);
    check_against_dense(system, 1, 1, -1, true);
    assert_int_equal(self->sum.assembly.misses, 0);
    test_set(test, "/force", "mode", "2");
    check_against_dense(system, 1, 1, -1, true);
    check_against_dense(system, 1, 1, -1, true);
    assert_int_equal(self->sum.assembly.misses, 0); // the shorter stream was learned
    test_set(test, "/force", "mode", "0");
    check_against_dense(system, 1, 1, -1, true);
    assert_int_equal(st_bsr_count(system->object.type->system->matrix(system)), 12); // zeros stay
    test_scene_destroy(test);
}

// A component whose pattern grows, shrinks and moves in the middle of a run, on an independent state, on a mapped one
// and on a copy: each matrix is that of a fresh system, to the bit. The slots are learned again after a change, and
// only then.
static test_scene *scene_of_edges(const char *class_name, const char *mapping, const char *edges) {
    char text[2048];
    snprintf(text, sizeof text,
             "<%s name='system'/><MechanicalObject name='s' template='Vec3' size='6'/><TestMass masses='1 2 3'/>"
             "<TestForce edges='0 5 1 4' stiffness='2'/><Node name='n'><MechanicalObject template='Vec3' size='6'/>%s"
             "<TestForce name='force' edges='%s' stiffness='3' damping='0.5'/></Node>",
             class_name, mapping, edges);
    return test_scene_create(text, false, 1);
}

static void build_and_compare(test_scene *test, const char *class_name, const char *mapping, const char *edges) {
    test_scene *fresh = scene_of_edges(class_name, mapping, edges);
    st_system *a = test_system(test, "/system"), *b = test_system(fresh, "/system");
    assert_int_equal(test_build(a, 1, (st_real)-0.1, (st_real)-0.3), ST_OK);
    assert_int_equal(test_build(b, 1, (st_real)-0.1, (st_real)-0.3), ST_OK);
    st_real *got = test_assembled(a), *expected = test_assembled(b);
    if (a->size != b->size || memcmp(got, expected, a->size * a->size * sizeof *got) != 0)
        fail_msg("%s %s, edges %s: not the matrix of a fresh system", class_name, mapping, edges);
    st_free(got);
    st_free(expected);
    test_scene_destroy(fresh);
}

static void test_pattern_changes_in_a_run(void **unused) {
    (void)unused;
    static const char *const classes[] = {"MatrixLinearSystem", "ConstantSparsityPatternSystem"};
    static const char *const mappings[] = {"", "<TestMapping/>", "<IdentityMapping/>"};
    static const char *const phases[] = {
        "0 1 1 2 2 3 3 4 4 5",         // steady
        "0 1 1 2 2 3 3 4 4 5 0 3 2 5", // grows at the end
        "0 4 0 1 1 2 2 3 3 4 4 5",     // and at the begin
        "3 4 4 5",                     // shrinks
        "5 3 0 2",                     // moves
        "0 2 5 3",                     // comes in another order
        "",                            // is gone
        "0 1 1 2 2 3 3 4 4 5",
    };
    for (size_t i = 0; i < 6; i++) {
        const char *class_name = classes[i / 3], *mapping = mappings[i % 3];
        test_scene *test = scene_of_edges(class_name, mapping, phases[0]);
        const st_assembly *assembly = &((st_matrix_linear_system *)test_system(test, "/system"))->sum.assembly;
        for (size_t p = 0; p < sizeof phases / sizeof *phases; p++) {
            test_set(test, "/n/force", "edges", phases[p]);
            for (int build = 0; build < 2; build++) build_and_compare(test, class_name, mapping, phases[p]);
            const size_t recordings = assembly->recordings;
            if (p == 0) assert_int_equal(recordings, 1);
            if (p == 1) assert_int_equal(recordings, 2);
            for (int build = 0; build < 3; build++) {
                build_and_compare(test, class_name, mapping, phases[p]);
                assert_int_equal(assembly->recordings, recordings);
                assert_false(st_assembly_is_stale(assembly)); // but for a few, all slots are known
            }
        }
        test_scene_destroy(test);
    }
}

static void test_restless_component_fails(void **unused) {
    (void)unused;
    test_scene *test =
        test_scene_create("<MatrixLinearSystem name=\"system\"/><MechanicalObject template=\"Vec3\" size=\"40\"/>"
                          "<TestForce name=\"force\" mode=\"6\"/>",
                          false, 1);
    assert_int_equal(test_build(test_system(test, "/system"), 1, 0, -1), ST_FAILED);
    assert_int_equal(test_count(test, "adds other blocks"), 1);
    test_scene_destroy(test);
}

// States that grow, shrink, or trade places.
static void test_sizes_change(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        "<MatrixLinearSystem name=\"system\"/>"
        "<Node name=\"a\"><MechanicalObject name=\"s\" template=\"Vec3\" "
        "size=\"3\"/><TestMass/><TestForce edges=\"0 1\"/></Node>"
        "<Node name=\"b\"><MechanicalObject name=\"s\" template=\"Vec3\" "
        "size=\"5\"/><TestMass masses=\"2\"/><TestForce edges=\"0 2\"/><TestConstraint indices=\"1\"/></Node>",
        false, 1);
    st_system *system = test_system(test, "/system");
    check_against_dense(system, 1, 0, -1, true);
    st_state *a = (st_state *)st_scene_find(test->scene, "/a/s"), *b = (st_state *)st_scene_find(test->scene, "/b/s");
    static const size_t sizes[][2] = {{6, 5}, {5, 3}, {3, 5}, {4, 4}};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(st_state_resize(a, sizes[i][0]), ST_OK);
        assert_int_equal(st_state_resize(b, sizes[i][1]), ST_OK);
        check_against_dense(system, 1, 0, -1, true);
        assert_int_equal(system->size, 3 * (sizes[i][0] + sizes[i][1]));
    }
    test_scene_destroy(test);
}

static void test_empty_system(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create("<MatrixLinearSystem name=\"system\"/>", false, 1);
    test_clear_log(test);
    assert_int_equal(test_build(test_system(test, "/system"), 1, 0, -1), ST_OK);
    assert_int_equal(test_build(test_system(test, "/system"), 1, 0, -1), ST_OK);
    assert_int_equal(test->messages[ST_ERROR], 1);
    test_scene_destroy(test);
}

// An index outside is refused with and without checkIndices: it must not reach the block of another component.
static void test_check_indices(void **unused) {
    (void)unused;
    for (int check = 0; check < 2; check++) {
        test_scene *test =
            test_scene_create("<MatrixLinearSystem name=\"system\"/>"
                              "<Node name=\"a\"><MechanicalObject template=\"Vec3\" size=\"2\"/><TestMass/><TestForce "
                              "name=\"force\" edges=\"0 1\"/></Node>"
                              "<Node name=\"b\"><MechanicalObject template=\"Vec3\" size=\"2\"/><TestMass/></Node>",
                              false, 1);
        test_set(test, "/system", "checkIndices", check ? "1" : "0");
        st_system *system = test_system(test, "/system");
        for (int mode = TEST_ROW_OUTSIDE; mode <= TEST_COL_OUTSIDE; mode++) {
            check_against_dense(system, 1, 0, -1, true);
            test_clear_log(test);
            st_forget_messages(st_scene_find(test->scene, "/a/force"));
            test_set(test, "/a/force", "mode", mode == TEST_ROW_OUTSIDE ? "3" : "4");
            for (int i = 0; i < 3; i++) check_against_dense(system, 1, 0, -1, true);
            assert_int_equal(test->messages[ST_ERROR], 1);
            assert_int_equal(test_count(test, "TestForce(force)"), 1);
            assert_int_equal(test_count(test, mode == TEST_ROW_OUTSIDE ? "row 6, column 0" : "row 0, column"), 1);
            assert_int_equal(test_count(test, "valid rows are 0 to 5"), 1);
        }
        test_scene_destroy(test);
    }
}

// A product drops what leaves the component's block, too, and says so once.
static void test_products_tell_of_indices(void **unused) {
    (void)unused;
    for (int mode = TEST_ROW_OUTSIDE; mode <= TEST_COL_OUTSIDE; mode++) {
        test_scene *test = test_scene_create(ONE_STATE "<MatrixFreeSystem name=\"free\"/>", false, 1);
        st_system *system = test_system(test, "/free");
        char text[16];
        snprintf(text, sizeof text, "%d", mode);
        test_set(test, "/force", "mode", text);
        test_clear_log(test);
        st_real p[12] = {1}, q[12];
        for (int i = 0; i < 3; i++) {
            assert_int_equal(test_build(system, 1, 0, -1), ST_OK);
            assert_int_equal(system->object.type->system->multiply(system, p, q), ST_OK);
        }
        assert_int_equal(test_count(test, "valid rows are 0 to"), 1);
        assert_int_equal(test_count(test, "TestForce(force)"), 1);
        test_scene_destroy(test);
    }
}

// A scene without a DOF: named, and no solver stumbles over it.
static void test_empty_systems(void **unused) {
    (void)unused;
#define ASSEMBLED "template=\"CompressedRowSparseMatrixd\" iterations=\"5\" tolerance=\"1e-5\" threshold=\"1e-5\""
#define EMPTY "<MechanicalObject size=\"0\"/>"
#define EMPTY_CHILD "<Node name=\"n\">" EMPTY "<IdentityMapping/><TestForce/></Node>"
    static const char ldl[] = "<SparseLDLSolver/>", cg[] = "<CGLinearSolver/>";
    static const char assembled[] = "<CGLinearSolver " ASSEMBLED "/>";
    static const char nothing[] = "", one[] = EMPTY, mapped[] = EMPTY EMPTY_CHILD;
    const char *const solvers[] = {ldl, cg, assembled}, *const bodies[] = {nothing, one, mapped};
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 3; k++) {
            char text[1024];
            snprintf(text, sizeof text, "<EulerImplicitSolver/>%s%s", solvers[i], bodies[k]);
            test_scene *test = test_scene_create(text, false, 1);
            for (int n = 0; n < 2; n++) st_scene_step(test->scene, 0);
            if (i != 1) assert_int_equal(test_count(test, "the global matrix is empty"), 1);
            test_scene_destroy(test);
        }
    }
}

static void test_nan_is_refused_under_strict(void **unused) {
    (void)unused;
    for (int strict = 0; strict < 2; strict++) {
        test_scene *test = test_scene_create(ONE_STATE, strict != 0, 1);
        st_system *system = test_system(test, "/system");
        test_set(test, "/system", "checkIndices", "1");
        test_set(test, "/force", "mode", "5");
        test_clear_log(test);
        assert_int_equal(test_build(system, 1, 0, -1), ST_OK);
        assert_int_equal(test_count(test, "not finite"), (size_t)strict);
        assert_true(isnan(st_bsr_get(system->object.type->system->matrix(system), 3, 3)) == !strict);
        test_scene_destroy(test);
    }
}

#define MAPPED                                                                                                         \
    "<Node name=\"child\"><MechanicalObject template=\"Vec3\" size=\"4\"/><TestMapping/>"                              \
    "<TestForce name=\"mapped\" edges=\"0 3\" stiffness=\"4\"/></Node>"

// A force on a state that is mapped by the identity is the same force on its parent.
static void test_mapped_components_are_projected(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(ONE_STATE MAPPED, false, 1);
    test_scene *flat =
        test_scene_create(ONE_STATE "<TestForce name=\"mapped\" edges=\"0 3\" stiffness=\"4\"/>", false, 1);
    st_system *system = test_system(test, "/system");
    for (int applied = 1; applied >= 0; applied--) {
        test_set(test, "/system", "applyMappedComponents", applied ? "1" : "0");
        if (!applied) test_set(flat, "/mapped", "stiffness", "0");
        assert_int_equal(test_build(system, 1, 0, -1), ST_OK);
        assert_int_equal(test_build(test_system(flat, "/system"), 1, 0, -1), ST_OK);
        st_real *got = test_assembled(system), *expected = test_assembled(test_system(flat, "/system"));
        test_equal(system->size * system->size, expected, got, TIGHT);
        st_free(got);
        st_free(expected);
    }
    test_scene_destroy(test);
    test_scene_destroy(flat);
}

static void multiply_with(st_system *system, const st_real *p, st_real *q) {
    assert_int_equal(test_build(system, 1, (st_real)-0.1, (st_real)-0.3), ST_OK);
    assert_int_equal(system->object.type->system->multiply(system, p, q), ST_OK);
}

// The same operator, matrix-free and assembled, on vectors that respect the constraints.
static void test_matrix_free_product(void **unused) {
    (void)unused;
    test_scene *test =
        test_scene_create(ONE_STATE "<MatrixFreeSystem name=\"free\"/><TestConstraint indices=\"1\"/>", false, 1);
    st_system *assembled = test_system(test, "/system"), *matrix_free = test_system(test, "/free");
    uint64_t seed = 4;
    st_real p[12], q[12], r[12];
    for (int i = 0; i < 12; i++) p[i] = i / 3 == 1 ? 0 : test_random(&seed);
    multiply_with(assembled, p, q);
    multiply_with(matrix_free, p, r);
    test_equal(12, q, r, 10 * TIGHT);
    assert_null(matrix_free->object.type->system->matrix(matrix_free));
    test_scene_destroy(test);
}

// Through a mapping, and without leaving a trace in the states' own vectors.
static void test_matrix_free_through_mapping(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(ONE_STATE "<MatrixFreeSystem name=\"free\"/>" MAPPED, false, 1);
    test_scene *flat =
        test_scene_create(ONE_STATE "<TestForce name=\"mapped\" edges=\"0 3\" stiffness=\"4\"/>", false, 1);
    st_system *matrix_free = test_system(test, "/free"), *assembled = test_system(flat, "/system");
    st_state *state = (st_state *)st_scene_find(test->scene, "/dofs");
    uint64_t seed = 4;
    st_real p[12], q[12], r[12];
    for (int i = 0; i < 12; i++) p[i] = test_random(&seed);
    assert_int_equal(test_build(matrix_free, 1, 0, -1), ST_OK);
    const st_real *dx = state->deriv[ST_DERIV_DX].data, *df = state->deriv[ST_DERIV_DFORCE].data;
    multiply_with(matrix_free, p, r);
    assert_ptr_equal(state->deriv[ST_DERIV_DX].data, dx);
    assert_ptr_equal(state->deriv[ST_DERIV_DFORCE].data, df);
    multiply_with(assembled, p, q);
    test_equal(12, q, r, 10 * TIGHT);
    test_scene_destroy(test);
    test_scene_destroy(flat);
}

static void test_vectors(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        "<MatrixLinearSystem name=\"system\"/>"
        "<Node name=\"a\"><MechanicalObject name=\"s\" template=\"Vec2\" velocity=\"1 2 3 4\" size=\"2\"/></Node>"
        "<Node name=\"b\"><MechanicalObject name=\"s\" template=\"Vec3\" velocity=\"5 6 7\" size=\"1\"/></Node>",
        false, 1);
    st_system *system = test_system(test, "/system"); // before any build
    assert_int_equal(st_system_set_rhs(system, st_read_deriv(ST_VELOCITY)), ST_OK);
    assert_int_equal(system->size, 7);
    for (int i = 0; i < 7; i++) {
        assert_true(system->rhs[i] == (st_real)(i + 1));
        system->solution[i] = (st_real)(10 * i);
    }
    st_system_get_solution(system, ST_VELOCITY);
    const st_state *b = (const st_state *)st_scene_find(test->scene, "/b/s");
    assert_true(b->deriv[ST_DERIV_VELOCITY].data[2] == 60);
    assert_int_equal(st_system_set_solution(system, (st_const_deriv_id){0}), ST_OK); // no vector: nothing is copied
    assert_true(system->solution[6] == 60);
    size_t scalar = 0;
    assert_ptr_equal(st_system_state_at(system, 5, &scalar), b);
    assert_int_equal(scalar, 1);
    assert_null(st_system_state_at(system, 7, &scalar));
    test_scene_destroy(test);
}

// ---------------------------------------------------------------------------------------------------
// SOFA's own matrices
// ---------------------------------------------------------------------------------------------------

static const char *shared_folder(void) {
    const char *folder = getenv("SETTEE_SHARED");
#ifdef SETTEE_SHARED
    if (!folder) folder = SETTEE_SHARED;
#endif
    return folder;
}

static void expect(const char *what, size_t row, size_t col, double expected, st_real got) {
#ifdef SETTEE_REAL_FLOAT
    const double tolerance = 1e-5;
#else
    const double tolerance = 1e-13;
#endif
    if (!(fabs(expected - (double)got) <= tolerance * fmax(1, fabs(expected))))
        fail_msg("%s(%zu, %zu): SOFA has %.17g, settee %.17g", what, row, col, expected, (double)got);
}

// Compares the system after one step with a file of lines `A row col value`, `b row value`, `x row value`.
static void compare_with_sofa(test_scene *test, const char *path) {
    gzFile file = gzopen(path, "rb");
    assert_non_null(file);
    char line[512], name[256];
    size_t rows, cols, row, col, entries = 0;
    double value;
    assert_non_null(gzgets(file, line, sizeof line));
    assert_int_equal(sscanf(line, "# MatrixLinearSystem %255s %zu %zu", name, &rows, &cols), 3);
    st_system *system = test_system(test, name);
    assert_int_equal(system->size, rows);
    const st_bsr *a = system->object.type->system->matrix(system);
    while (gzgets(file, line, sizeof line)) {
        if (sscanf(line, "A %zu %zu %lf", &row, &col, &value) == 3) {
            expect("A", row, col, value, st_bsr_get(a, row, col));
            entries += value != 0;
        } else if (sscanf(line, "b %zu %lf", &row, &value) == 2) {
            expect("b", row, 0, value, system->rhs[row]);
        } else if (sscanf(line, "x %zu %lf", &row, &value) == 2) {
            expect("x", row, 0, value, system->solution[row]);
        }
    }
    gzclose(file);
    size_t stored = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++) stored += st_bsr_get(a, i, j) != 0;
    assert_int_equal(stored, entries);
}

static void test_sofa_pendulum(void **unused) {
    (void)unused;
    const char *folder = shared_folder();
    if (!folder) {
        print_message("the conformance files are not here: set SETTEE_SHARED to the folder that holds conformance/\n");
        skip();
    }
    char path[1024];
    test_scene *test = test_scene_create("", false, 1);
    snprintf(path, sizeof path, "%s/conformance/sofa/examples/Benchmark/Analysis/Pendulum.scn", folder);
    st_scene_destroy(test->scene);
    st_config config = st_default_config();
    test->scene = st_scene_create(&config);
    assert_true(st_succeeded(st_scene_load(test->scene, path)));
    assert_true(st_succeeded(st_scene_init(test->scene)));
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/conformance/truth/matrices/examples/Benchmark/Analysis/Pendulum.scn.%d.txt.gz",
                 folder, i);
        compare_with_sofa(test, path);
    }
    test_scene_destroy(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_state),
        cmocka_unit_test(test_factor_zero_is_not_asked),
        cmocka_unit_test(test_types_and_several_states),
        cmocka_unit_test(test_constraints),
        cmocka_unit_test(test_switches),
        cmocka_unit_test(test_pattern_follows),
        cmocka_unit_test(test_pattern_changes_in_a_run),
        cmocka_unit_test(test_restless_component_fails),
        cmocka_unit_test(test_sizes_change),
        cmocka_unit_test(test_empty_system),
        cmocka_unit_test(test_check_indices),
        cmocka_unit_test(test_products_tell_of_indices),
        cmocka_unit_test(test_empty_systems),
        cmocka_unit_test(test_nan_is_refused_under_strict),
        cmocka_unit_test(test_mapped_components_are_projected),
        cmocka_unit_test(test_matrix_free_product),
        cmocka_unit_test(test_matrix_free_through_mapping),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_sofa_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
