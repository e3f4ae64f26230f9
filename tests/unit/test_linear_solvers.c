// Linear solvers: the conjugate gradient's stopping rules, counted; matrix-free and assembled iterations agree; the
// direct solver against dense elimination, with every ordering; kept and renewed factorizations; matrices that cannot
// be factored; which system a solver takes.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "solver/krylov.h"
#include "system_scene.h"

#ifdef SETTEE_REAL_FLOAT
#define TIGHT ((st_real)1e-4)
#else
#define TIGHT ((st_real)1e-11)
#endif

// Diagonal matrices with four different values: the conjugate gradient needs four iterations.
#define DIAGONAL                                                                                                       \
    "<MechanicalObject name=\"dofs\" template=\"Vec1\" size=\"4\"/><TestMass name=\"mass\" masses=\"1 2 3 4\"/>"

static void set_rhs(st_linear_solver *solver, st_real first, st_real step) {
    for (size_t i = 0; i < solver->system->size; i++) solver->system->rhs[i] = first + step * (st_real)i;
}

// Builds with M only and solves for the right-hand side first, first + step, ...
static st_status solve_mass(st_linear_solver *solver, st_real first, st_real step) {
    assert_int_equal(test_build(solver->system, 1, 0, 0), ST_OK);
    set_rhs(solver, first, step);
    return st_linear_solve(solver);
}

// Numbers in the line of the graph: errors (with the 1 of the begin) or denominators.
static size_t graph_count(test_scene *test, const char *key) {
    char *text = st_object_get(st_scene_find(test->scene, "/cg"), "graph", 6);
    assert_non_null(text);
    const char *at = strstr(text, key);
    size_t count = 0;
    if (at) {
        at += strlen(key);
        for (; *at && *at != '\n'; at++) count += *at == ' ' && at[1] != ' ' && at[1] != '\n' && at[1] != '\0';
    }
    st_string_free(text);
    return count;
}

static test_scene *cg_scene(const char *attributes) {
    char text[1024];
    strcpy(text, "<CGLinearSolver name=\"cg\" ");
    strcat(text, attributes);
    strcat(text, "/>" DIAGONAL);
    return test_scene_create(text, false, 1);
}

static void test_cg_converges(void **unused) {
    (void)unused;
    test_scene *test = cg_scene("iterations=\"100\" tolerance=\"1e-6\" threshold=\"1e-30\"");
    st_linear_solver *cg = test_solver(test, "/cg");
    assert_int_equal(solve_mass(cg, 1, 1), ST_OK);
    for (int i = 0; i < 4; i++) assert_true(fabs(cg->system->solution[i] - 1) < (st_real)1e-5);
    assert_int_equal(graph_count(test, "Error"), 6); // 1, then before each of 4 iterations, then the one that stops
    assert_int_equal(graph_count(test, "Denominator"), 4);
    test_scene_destroy(test);
}

static void test_cg_stops_at_the_limit(void **unused) {
    (void)unused;
    test_scene *test = cg_scene("iterations=\"2\" tolerance=\"1e-12\" threshold=\"1e-30\"");
    st_linear_solver *cg = test_solver(test, "/cg");
    assert_int_equal(solve_mass(cg, 1, 1), ST_OK);
    assert_int_equal(graph_count(test, "Error"), 3);
    assert_int_equal(graph_count(test, "Denominator"), 2);
    assert_true(fabs(cg->system->solution[0] - 1) > (st_real)1e-3);
    test_scene_destroy(test);
}

// The tolerance stops before an iteration; in the first iteration of the first solve it only warns.
static void test_cg_tolerance(void **unused) {
    (void)unused;
    test_scene *test = cg_scene("iterations=\"100\" tolerance=\"10\" threshold=\"1e-30\"");
    st_linear_solver *cg = test_solver(test, "/cg");
    test_clear_log(test);
    assert_int_equal(solve_mass(cg, 1, 1), ST_OK);
    assert_int_equal(test->messages[ST_WARNING], 1);
    assert_int_equal(graph_count(test, "Denominator"), 1);
    assert_true(cg->system->solution[0] != 0);
    assert_int_equal(solve_mass(cg, 1, 1), ST_OK);
    assert_int_equal(graph_count(test, "Error"), 2);
    assert_int_equal(graph_count(test, "Denominator"), 0);
    assert_true(cg->system->solution[0] == 0);
    assert_int_equal(test->messages[ST_WARNING], 1);
    test_scene_destroy(test);
}

// The threshold is absolute and stops before the direction is used.
static void test_cg_threshold(void **unused) {
    (void)unused;
    test_scene *test = cg_scene("iterations=\"100\" tolerance=\"1e-30\" threshold=\"1e6\"");
    st_linear_solver *cg = test_solver(test, "/cg");
    test_clear_log(test);
    assert_int_equal(solve_mass(cg, 1, 1), ST_OK);
    assert_int_equal(test->messages[ST_WARNING], 1);
    assert_int_equal(graph_count(test, "Denominator"), 2); // used, not used
    const st_real alpha = (st_real)30 / (st_real)100;      // rᵀr / rᵀMr of 1 2 3 4
    assert_true(fabs(cg->system->solution[3] - 4 * alpha) < (st_real)1e-5);
    assert_int_equal(solve_mass(cg, 1, 1), ST_OK);
    assert_int_equal(graph_count(test, "Denominator"), 1);
    assert_true(cg->system->solution[3] == 0);
    test_scene_destroy(test);
}

static void test_cg_without_right_hand_side(void **unused) {
    (void)unused;
    for (int warm = 0; warm < 2; warm++) {
        test_scene *test = cg_scene(warm ? "iterations=\"9\" tolerance=\"1e-6\" threshold=\"0\" warmStart=\"1\""
                                         : "iterations=\"9\" tolerance=\"1e-6\" threshold=\"0\"");
        st_linear_solver *cg = test_solver(test, "/cg");
        assert_int_equal(test_build(cg->system, 1, 0, 0), ST_OK);
        cg->system->solution[2] = 5;
        assert_int_equal(st_linear_solve(cg), ST_OK);
        assert_true(cg->system->solution[2] == (warm ? 5 : 0));
        assert_int_equal(graph_count(test, "Error"), 1);
        test_scene_destroy(test);
    }
}

static void test_cg_warm_start(void **unused) {
    (void)unused;
    test_scene *test = cg_scene("iterations=\"100\" tolerance=\"1e-5\" threshold=\"1e-30\" warmStart=\"1\"");
    st_linear_solver *cg = test_solver(test, "/cg");
    assert_int_equal(solve_mass(cg, 1, 1), ST_OK);
    assert_int_equal(graph_count(test, "Denominator"), 4);
    assert_int_equal(st_linear_solve(cg), ST_OK); // from the solution: nothing is left to do
    assert_int_equal(graph_count(test, "Denominator"), 0);
    assert_true(fabs(cg->system->solution[1] - 1) < (st_real)1e-4);
    test_scene_destroy(test);
}

static void test_cg_attributes(void **unused) {
    (void)unused;
    test_scene *test = cg_scene("");
    assert_int_equal(test_count(test, "required data"), 3);
    test_scene_destroy(test);
    test = cg_scene("iterations=\"10\" tolerance=\"-1\" threshold=\"-2\"");
    assert_int_equal(test_count(test, "must not be negative"), 2);
    char *text = st_object_get(st_scene_find(test->scene, "/cg"), "tolerance", 6);
    assert_true(fabs(strtod(text, NULL) - 1e-5) < 1e-9);
    st_string_free(text);
    test_scene_destroy(test);
}

static void test_cg_not_finite(void **unused) {
    (void)unused;
    test_scene *test = cg_scene("iterations=\"10\" tolerance=\"1e-9\" threshold=\"1e-9\"");
    st_linear_solver *cg = test_solver(test, "/cg");
    test_clear_log(test);
    assert_int_equal(solve_mass(cg, (st_real)NAN, 0), ST_FAILED);
    assert_int_equal(test_count(test, "CGLinearSolver(cg): the residual is not finite"), 1);
    test_scene_destroy(test);
}

// ---------------------------------------------------------------------------------------------------
// A chain of springs with two states, solved in all ways
// ---------------------------------------------------------------------------------------------------

#define CHAIN                                                                                                          \
    "<Node name=\"a\"><MechanicalObject name=\"s\" template=\"Vec3\" size=\"5\"/><TestMass/>"                          \
    "<TestForce edges=\"0 1 1 2 2 3 3 4\" stiffness=\"3\"/><TestConstraint indices=\"0\"/></Node>"                     \
    "<Node name=\"b\"><MechanicalObject name=\"s\" template=\"Vec3\" size=\"4\"/><TestMass masses=\"2\"/>"             \
    "<TestForce name=\"force\" edges=\"0 1 1 2 2 3\" stiffness=\"2\"/></Node>"                                         \
    "<TestPairForce object1=\"@a/s\" object2=\"@b/s\"/>"

static test_scene *chain_scene(const char *solver, int threads) {
    char *text = st_string_format("%s" CHAIN, solver);
    assert_non_null(text);
    test_scene *test = test_scene_create(text, false, threads);
    st_free(text);
    return test;
}

static st_status solve_chain(st_linear_solver *solver) {
    assert_int_equal(test_build(solver->system, 1, 0, -1), ST_OK);
    uint64_t seed = 11;
    for (size_t i = 0; i < solver->system->size; i++) solver->system->rhs[i] = i < 3 ? 0 : test_random(&seed);
    return st_linear_solve(solver);
}

static void check_chain(st_linear_solver *solver, st_real tolerance) {
    st_real *a = test_dense(solver->system->plan, 1, 0, -1, true);
    st_real *x = test_dense_solve(solver->system->size, a, solver->system->rhs);
    test_equal(solver->system->size, x, solver->system->solution, tolerance);
    st_free(a);
    st_free(x);
}

static void test_every_solver_on_the_chain(void **unused) {
    (void)unused;
    static const char *const solvers[] = {
        "<CGLinearSolver name=\"s\" iterations=\"200\" tolerance=\"1e-13\" threshold=\"1e-30\"/>",
        "<CGLinearSolver name=\"s\" template=\"CompressedRowSparseMatrixMat3x3\" iterations=\"200\" "
        "tolerance=\"1e-13\" threshold=\"1e-30\"/>",
        "<CGLinearSolver name=\"s\" template=\"CompressedRowSparseMatrix\" iterations=\"200\" tolerance=\"1e-13\" "
        "threshold=\"1e-30\"/>",
        "<CGLinearSolver name=\"s\" template=\"FullMatrix\" iterations=\"200\" tolerance=\"1e-13\" "
        "threshold=\"1e-30\"/>",
        "<CGLinearSolver name=\"s\" template=\"SparseMatrix\" iterations=\"200\" tolerance=\"1e-13\" "
        "threshold=\"1e-30\"/>",
        "<SparseLDLSolver name=\"s\" template=\"CompressedRowSparseMatrixMat3x3d\"/>",
        "<SparseLDLSolver name=\"s\" template=\"CompressedRowSparseMatrixd\" precomputeSymbolicDecomposition=\"0\"/>",
        "<SparseLDLSolver name=\"s\"/><NaturalOrderingMethod/>",
        "<COLAMDOrderingMethod name=\"order\"/><SparseLDLSolver name=\"s\" orderingMethod=\"@order\"/>",
        "<AMDOrderingMethod name=\"order\"/><SparseLDLSolver name=\"s\" orderingMethod=\"@order\"/>",
        "<ConstantSparsityPatternSystem name=\"sys\"/><SparseLDLSolver name=\"s\" linearSystem=\"@sys\"/>",
    };
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        test_scene *test = chain_scene(solvers[i], 1);
        st_linear_solver *solver = test_solver(test, "/s");
        for (int again = 0; again < 2; again++) {
            assert_int_equal(solve_chain(solver), ST_OK);
            check_chain(solver, TIGHT);
        }
        test_scene_destroy(test);
    }
}

// Matrix-free and assembled iterates are the same up to rounding, whatever the moment at which they stop.
static void test_cg_iterates_agree(void **unused) {
    (void)unused;
    test_scene *free =
        chain_scene("<CGLinearSolver name=\"s\" iterations=\"6\" tolerance=\"1e-13\" threshold=\"1e-30\"/>", 1);
    test_scene *assembled = chain_scene("<CGLinearSolver name=\"s\" template=\"CompressedRowSparseMatrixMat3x3d\" "
                                        "iterations=\"6\" tolerance=\"1e-13\" threshold=\"1e-30\"/>",
                                        1);
    st_linear_solver *a = test_solver(free, "/s"), *b = test_solver(assembled, "/s");
    assert_int_equal(solve_chain(a), ST_OK);
    assert_int_equal(solve_chain(b), ST_OK);
    test_equal(a->system->size, a->system->solution, b->system->solution, TIGHT);
    test_scene_destroy(free);
    test_scene_destroy(assembled);
}

static void test_threads_give_the_same_bits(void **unused) {
    (void)unused;
    st_real *first = NULL;
    for (int threads = 1; threads <= 4; threads *= 2) {
        test_scene *test = test_scene_create(
            "<CGLinearSolver name=\"s\" iterations=\"7\" tolerance=\"1e-13\" threshold=\"1e-30\"/>"
            "<MechanicalObject template=\"Vec3\" size=\"40000\"/><TestMass masses=\"1 2 3 4 5 6 7 8 9 1\"/>",
            false, threads);
        st_linear_solver *solver = test_solver(test, "/s");
        assert_int_equal(test_build(solver->system, 1, 0, 0), ST_OK);
        uint64_t seed = 5;
        const size_t n = solver->system->size;
        for (size_t i = 0; i < n; i++) solver->system->rhs[i] = test_random(&seed);
        assert_int_equal(st_linear_solve(solver), ST_OK);
        if (first) {
            assert_memory_equal(first, solver->system->solution, n * sizeof *first);
        } else {
            first = st_alloc(n, sizeof *first);
            assert_non_null(first);
            memcpy(first, solver->system->solution, n * sizeof *first);
        }
        test_scene_destroy(test);
    }
    st_free(first);
}

// The update of a solve and its next residual in one pass have the bits of the operations one by one.
static void test_fused_step(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create("<MatrixFreeSystem name=\"free\"/>"
                                         "<MechanicalObject template=\"Vec3\" size=\"50\"/><TestMass/>",
                                         false, 1);
    st_system *free = test_system(test, "/free");
    assert_int_equal(test_build(free, 1, 0, 0), ST_OK);
    st_real p[150], q[150], x[150], r[150], expected[150];
    uint64_t seed = 1;
    for (int i = 0; i < 150; i++) {
        p[i] = test_random(&seed);
        q[i] = test_random(&seed);
        x[i] = test_random(&seed);
        r[i] = test_random(&seed);
        expected[i] = r[i] - (st_real)0.3 * q[i];
    }
    const st_real fused = st_krylov_step(free, (st_real)0.3, p, q, x, r);
    assert_memory_equal(r, expected, sizeof r);
    assert_true(fused == st_krylov_dot(free, r, r));
    test_scene_destroy(test);
}

// ---------------------------------------------------------------------------------------------------
// Factorizations
// ---------------------------------------------------------------------------------------------------

static size_t factorizations(const test_scene *test) {
    const st_profile_entry *entries;
    const size_t count = st_scene_profile(test->scene, &entries);
    for (size_t i = 0; i < count; i++)
        if (strcmp(entries[i].name, "factorization") == 0) return entries[i].calls;
    return 0;
}

static void test_factorization_is_kept(void **unused) {
    (void)unused;
    test_scene *test = chain_scene("<SparseLDLSolver name=\"s\" template=\"CompressedRowSparseMatrixd\"/>", 1);
    st_linear_solver *solver = test_solver(test, "/s");
    assert_int_equal(solve_chain(solver), ST_OK);
    const uint32_t version = solver->solved_version;
    assert_int_equal(version, solver->system->version);
    set_rhs(solver, 0, 0);
    assert_int_equal(st_linear_solve(solver), ST_OK);
    for (size_t i = 0; i < solver->system->size; i++) assert_true(solver->system->solution[i] == 0);
    assert_int_equal(solver->solved_version, version);
    assert_int_equal(factorizations(test), 1);
    char *entries = st_object_get(&solver->object, "L_nnz", 6);
    assert_true(atoi(entries) > 0);
    st_string_free(entries);

    test_set(test, "/b/force", "mode", "1"); // a new pattern: analyzed again
    assert_int_equal(solve_chain(solver), ST_OK);
    assert_true(solver->solved_version > version);
    assert_int_equal(factorizations(test), 2);
    check_chain(solver, TIGHT);
    test_scene_destroy(test);
}

static void test_matrix_with_nan_fails(void **unused) {
    (void)unused;
    test_scene *test = chain_scene("<SparseLDLSolver name=\"s\" template=\"CompressedRowSparseMatrixd\"/>", 1);
    st_linear_solver *solver = test_solver(test, "/s");
    test_set(test, "/b/force", "mode", "5");
    test_clear_log(test);
    assert_int_equal(solve_chain(solver), ST_FAILED);
    assert_int_equal(test_count(test,
                                "SparseLDLSolver(s): there is a number that is not finite in row 18 of the matrix: "
                                "component 0 of DOF 1 of /b/s"),
                     1);
    test_set(test, "/b/force", "mode", "0");
    assert_int_equal(solve_chain(solver), ST_OK); // and the next one is good again
    check_chain(solver, TIGHT);
    test_scene_destroy(test);
}

static void test_zero_pivot_fails(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create("<SparseLDLSolver name=\"s\"/><NaturalOrderingMethod/><MechanicalObject "
                                         "name=\"dofs\" template=\"Vec1\" size=\"2\"/>"
                                         "<TestForce edges=\"0 1\" stiffness=\"1\"/>",
                                         false, 1);
    st_linear_solver *solver = test_solver(test, "/s");
    test_clear_log(test);
    assert_int_equal(test_build(solver->system, 0, 0, -1), ST_OK); // k [[1, -1], [-1, 1]]
    assert_int_equal(st_linear_solve(solver), ST_FAILED);
    assert_int_equal(test_count(test, "pivot that is 0 or not finite in row 1"), 1);
    test_scene_destroy(test);
}

static void test_empty_row_is_left_out(void **unused) {
    (void)unused;
    test_scene *test =
        test_scene_create("<SparseLDLSolver name=\"s\"/>"
                          "<MechanicalObject template=\"Vec1\" size=\"3\"/><TestMass name=\"mass\" masses=\"1 0 2\"/>",
                          false, 1);
    st_linear_solver *solver = test_solver(test, "/s");
    test_clear_log(test);
    assert_int_equal(test_build(solver->system, 1, 0, 0), ST_OK);
    solver->system->solution[1] = 7;
    assert_int_equal(st_linear_solve(solver), ST_OK);
    assert_int_equal(test->messages[ST_WARNING], 1);
    assert_true(solver->system->solution[1] == 7); // as it was
    test_scene_destroy(test);
}

// ---------------------------------------------------------------------------------------------------
// Which system a solver takes
// ---------------------------------------------------------------------------------------------------

// Each function of SOFA's former interface is named, with its component and its successor; what only old scenes have is
// accepted with a notice.
static void test_former_interfaces_are_named(void **unused) {
    (void)unused;
    static const char *const notices[] = {
        "TestStrayFormer(x): TestStrayFormer gives its matrices by addKToMatrix, which is deprecated: give blocks by "
        "buildStiffnessMatrix",
        "TestStrayFormer(x): TestStrayFormer gives its matrices by addBToMatrix, which is deprecated: give blocks by "
        "buildDampingMatrix",
        "TestStrayFormer(x): TestStrayFormer gives its matrices by addMToMatrix, which is deprecated: give blocks by "
        "buildMassMatrix",
        "MechanicalMatrixMapper is deprecated: it changes nothing",
        "MappingGeometricStiffnessForceField is deprecated: it changes nothing",
    };
    test_scene *test =
        test_scene_create("<SparseLDLSolver name=\"s\" printLog=\"1\"/><MechanicalObject name=\"d\"/>"
                          "<TestStrayFormer name=\"x\"/><MechanicalMatrixMapper template=\"Vec3,Rigid3\" "
                          "object1=\"@d\" object2=\"@d\" nodeToParse=\"@.\"/>"
                          "<MappingGeometricStiffnessForceField mapping=\"@d\"/>",
                          false, 1);
    for (size_t i = 0; i < sizeof notices / sizeof *notices; i++) assert_int_equal(test_count(test, notices[i]), 1);
    assert_int_equal(test->messages[ST_ERROR], 0);

    // a scene with only a solver gets its system, and a notice
    assert_int_equal(test_count(test, "there is no linear system: a MatrixLinearSystem is created"), 1);
    assert_non_null(test_solver(test, "/s")->system);
    test_scene_destroy(test);
}

static void test_system_is_created(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        "<CGLinearSolver name=\"s\" printLog=\"1\" iterations=\"1\" tolerance=\"1\" threshold=\"1\"/>" DIAGONAL, false,
        1);
    assert_ptr_equal(test_solver(test, "/s")->system, test_system(test, "/MatrixFreeSystem1"));
    assert_int_equal(test_count(test, "there is no linear system: a MatrixFreeSystem is created"), 1);
    assert_true(test_system(test, "/MatrixFreeSystem1")->object.print_log);
    test_scene_destroy(test);

    test = test_scene_create(
        "<MatrixFreeSystem/><SparseLDLSolver name=\"s\" template=\"CompressedRowSparseMatrixMat3x3\"/>" DIAGONAL, false,
        1);
    assert_ptr_equal(test_solver(test, "/s")->system, test_system(test, "/MatrixLinearSystem1"));
    assert_string_equal(test_solver(test, "/s")->system->object.template_, "CompressedRowSparseMatrixMat3x3d");
    assert_int_equal(test_count(test, "warning SparseLDLSolver(s): there is a linear system, but not one of template"),
                     1);
    test_scene_destroy(test);
}

static void test_system_is_found(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        "<MatrixLinearSystem name=\"above\"/><Node name=\"n\"><SparseLDLSolver name=\"s\"/>" DIAGONAL "</Node>", false,
        1);
    assert_ptr_equal(test_solver(test, "/n/s")->system, test_system(test, "/above"));
    test_scene_destroy(test);

    test = test_scene_create(
        "<Node name=\"n\"><MatrixLinearSystem name=\"a\"/><MatrixLinearSystem name=\"b\"/>"
        "<SparseLDLSolver name=\"s\"/><SparseLDLSolver name=\"t\"/><SparseLDLSolver name=\"u\"/>" DIAGONAL "</Node>",
        false, 1);
    assert_ptr_equal(test_solver(test, "/n/s")->system, test_system(test, "/n/a"));
    assert_int_equal(test_count(test, "2 linear systems fit"), 1);
    assert_ptr_equal(test_solver(test, "/n/t")->system, test_system(test, "/n/b"));
    assert_ptr_equal(test_solver(test, "/n/u")->system, test_system(test, "/n/MatrixLinearSystem1"));
    assert_int_equal(test_count(test, "every linear system is used by another solver"), 1);
    test_scene_destroy(test);
}

static void test_linked_system_must_fit(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        "<MatrixFreeSystem name=\"free\"/><SparseLDLSolver name=\"s\" linearSystem=\"@free\"/>" DIAGONAL, false, 1);
    assert_false(st_is_valid(&test_solver(test, "/s")->object));
    assert_int_equal(st_linear_solve(test_solver(test, "/s")), ST_FAILED);
    test_scene_destroy(test);

    test = test_scene_create(
        "<MatrixLinearSystem name=\"system\"/><SparseLDLSolver name=\"s\" orderingMethod=\"@system\"/>" DIAGONAL, false,
        1);
    assert_int_equal(test_count(test, "which is not an ordering method"), 1);
    test_scene_destroy(test);
}

static void test_solve_needs_a_build(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create("<SparseLDLSolver name=\"s\"/>" DIAGONAL, false, 1);
    assert_int_equal(st_linear_solve(test_solver(test, "/s")), ST_FAILED);
    assert_int_equal(test_count(test, "never built"), 1);
    test_scene_destroy(test);
}

// The graph is a field like others: what is written into it from outside goes, whatever its size.
static void test_cg_graph_can_be_written(void **unused) {
    (void)unused;
    test_scene *test = cg_scene("iterations=\"100\" tolerance=\"1e-6\" threshold=\"1e-30\"");
    st_linear_solver *cg = test_solver(test, "/cg");
    const char *const values[] = {"a 1\nb 2", "a 1", "", "a 1\nb 2\nc 3"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        assert_int_equal(solve_mass(cg, 1, 1), ST_OK);
        assert_int_equal(graph_count(test, "Error"), 6);
        st_object_apply(&cg->object, "graph", values[i]); // programs cannot: it is an output
        assert_int_equal(graph_count(test, "Error"), 0);
        assert_int_equal(solve_mass(cg, 1, 1), ST_OK);
        assert_int_equal(graph_count(test, "Error"), 6);
        assert_int_equal(graph_count(test, "Denominator"), 4);
    }
    test_scene_destroy(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cg_converges),
        cmocka_unit_test(test_cg_stops_at_the_limit),
        cmocka_unit_test(test_cg_tolerance),
        cmocka_unit_test(test_cg_threshold),
        cmocka_unit_test(test_cg_without_right_hand_side),
        cmocka_unit_test(test_cg_warm_start),
        cmocka_unit_test(test_cg_attributes),
        cmocka_unit_test(test_cg_not_finite),
        cmocka_unit_test(test_every_solver_on_the_chain),
        cmocka_unit_test(test_cg_iterates_agree),
        cmocka_unit_test(test_threads_give_the_same_bits),
        cmocka_unit_test(test_fused_step),
        cmocka_unit_test(test_factorization_is_kept),
        cmocka_unit_test(test_matrix_with_nan_fails),
        cmocka_unit_test(test_zero_pivot_fails),
        cmocka_unit_test(test_empty_row_is_left_out),
        cmocka_unit_test(test_former_interfaces_are_named),
        cmocka_unit_test(test_system_is_created),
        cmocka_unit_test(test_system_is_found),
        cmocka_unit_test(test_linked_system_must_fit),
        cmocka_unit_test(test_solve_needs_a_build),
        cmocka_unit_test(test_cg_graph_can_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
