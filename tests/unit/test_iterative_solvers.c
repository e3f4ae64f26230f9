// Iterative solvers and preconditioners: every solver on every kind of matrix solves it or says why it cannot; each
// preconditioner against its formula; how often preconditioners are assembled; the systems that they need; products
// with an assembled part; the example of every class runs.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"
#include "solver/inverse_file.h"
#include "solver/krylov.h"
#include "system/matrix_free_system.h"
#include "system/rotation_matrix_system.h"
#include "system_scene.h"

#ifdef SETTEE_REAL_FLOAT
#define TOLERANCE "1e-6"
#define SQUARED_TOLERANCE "1e-11"
#define SOLVED ((st_real)1e-3)
#define TIGHT ((st_real)1e-4)
#else
#define TOLERANCE "1e-10"
#define SQUARED_TOLERANCE "1e-21"
#define SOLVED ((st_real)1e-6)
#define TIGHT ((st_real)1e-11)
#endif

enum { LARGEST = 12 };

// ---------------------------------------------------------------------------------------------------
// Every solver on every kind of matrix
// ---------------------------------------------------------------------------------------------------

typedef enum kind { DEFINITE, INDEFINITE, UNSYMMETRIC } kind;

typedef struct test_case {
    const char *name;
    kind kind;
    size_t n;
    void (*fill)(st_real *a, size_t n);
} test_case;

static void fill_definite(st_real *a, size_t n) {
    uint64_t seed = 5;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = i == j ? (st_real)n : test_random(&seed);
}

static void fill_indefinite(st_real *a, size_t n) {
    fill_definite(a, n);
    for (size_t i = 0; i < n; i += 2) a[i * n + i] = -a[i * n + i];
}

static void fill_unsymmetric(st_real *a, size_t n) {
    fill_definite(a, n);
    for (size_t i = 0; i + 1 < n; i++) a[i * n + i + 1] += 2;
}

static void fill_disconnected(st_real *a, size_t n) {
    fill_definite(a, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if ((i < n / 2) != (j < n / 2)) a[i * n + j] = 0;
}

static void fill_badly_scaled(st_real *a, size_t n) {
    fill_definite(a, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) a[i * n + j] *= (i % 3 ? (st_real)0.03 : 10) * (j % 3 ? (st_real)0.03 : 10);
}

static const test_case cases[] = {
    {"definite", DEFINITE, 12, fill_definite},
    {"indefinite", INDEFINITE, 12, fill_indefinite},
    {"unsymmetric", UNSYMMETRIC, 12, fill_unsymmetric},
    {"1 x 1", DEFINITE, 1, fill_definite},
    {"empty", DEFINITE, 0, fill_definite},
    {"disconnected", DEFINITE, 12, fill_disconnected},
    {"badly scaled", DEFINITE, 12, fill_badly_scaled},
};

#define PRECONDITIONED(preconditioner)                                                                                 \
    "<PCGLinearSolver name=\"s\" iterations=\"500\" tolerance=\"" SQUARED_TOLERANCE "\" preconditioner=\"@p\"/>"       \
    "<" preconditioner " name=\"p\"/>"
#define CONJUGATE(name, template)                                                                                      \
    "<" name " name=\"s\" template=\"" template "\" iterations=\"500\" tolerance=\"" TOLERANCE "\" threshold=\"0\"/>"
#define MINIMAL(template)                                                                                              \
    "<MinResLinearSolver name=\"s\" template=\"" template "\" iterations=\"500\" tolerance=\"" TOLERANCE "\"/>"

static const struct {
    const char *name, *scene;
    bool takes_indefinite;
} solvers[] = {
    {"CG, matrix-free", CONJUGATE("CGLinearSolver", "GraphScattered"), false},
    {"CG, assembled", CONJUGATE("CGLinearSolver", "CompressedRowSparseMatrixd"), false},
    {"CG, parallel", CONJUGATE("ParallelCGLinearSolver", "ParallelCompressedRowSparseMatrixd"), false},
    {"MINRES, matrix-free", MINIMAL("GraphScattered"), true},
    {"MINRES, assembled", MINIMAL("CompressedRowSparseMatrixd"), true},
    {"PCG", "<PCGLinearSolver name=\"s\" iterations=\"500\" tolerance=\"" SQUARED_TOLERANCE "\"/>", false},
    {"PCG and Jacobi", PRECONDITIONED("JacobiPreconditioner"), false},
    {"PCG and block Jacobi", PRECONDITIONED("BlockJacobiPreconditioner"), false},
    {"PCG and SSOR", PRECONDITIONED("SSORPreconditioner"), false},
    {"PCG and LDL", PRECONDITIONED("SparseLDLSolver"), false},
};
enum { SOLVERS = sizeof solvers / sizeof *solvers, CASES = sizeof cases / sizeof *cases };

// A state of n scalars with the given matrix as stiffness.
static test_scene *matrix_scene(const char *solver, size_t n, const st_real *a) {
    st_text text = {0};
    char start[256];
    snprintf(start, sizeof start,
             "<MechanicalObject name=\"dofs\" template=\"Vec1\" size=\"%zu\"/><TestMatrix values=\"", n);
    bool ok = st_text_append(&text, solver) && st_text_append(&text, start);
    for (size_t i = 0; ok && i < n * n; i++) ok = st_text_append_real(&text, a[i], 17) && st_text_append(&text, " ");
    assert_true(ok && st_text_append(&text, "\"/>"));
    char *scene = st_text_take(&text);
    test_scene *test = test_scene_create(scene, false, 1);
    st_free(scene);
    return test;
}

static st_status solve(st_linear_solver *solver, const st_real *b) {
    assert_int_equal(test_build(solver->system, 0, 0, 1), ST_OK);
    const size_t n = solver->system->size;
    st_copy_reals(solver->system->rhs, b, n);
    for (size_t i = 0; i < n; i++) solver->system->solution[i] = 0;
    return st_linear_solve(solver);
}

static void check_outcome(const test_scene *test, size_t s, const test_case *one, st_status status, st_real error) {
    const size_t said = test->messages[ST_WARNING] + test->messages[ST_ERROR];
    const bool solved = status == ST_OK && error <= SOLVED;
    const bool expected = one->kind == DEFINITE || (one->kind == INDEFINITE && solvers[s].takes_indefinite);
    if (expected && !solved)
        fail_msg("%s on %s: status %d, residual %g\n%s", solvers[s].name, one->name, status, (double)error, test->log);
    if (expected && said > 0) fail_msg("%s on %s: %s", solvers[s].name, one->name, test->log);
    // An exact preconditioner may solve what the method does not promise.
    if (!expected && !solved && said == 0) fail_msg("%s on %s: nothing said", solvers[s].name, one->name);
    if (one->kind == UNSYMMETRIC && test_count(test, "not symmetric") == 0)
        fail_msg("%s on %s: does not say so: %s", solvers[s].name, one->name, test->log);
}

static void test_every_solver_on_every_matrix(void **unused) {
    (void)unused;
    for (size_t c = 0; c < CASES; c++)
        for (size_t s = 0; s < SOLVERS; s++) {
            const size_t n = cases[c].n;
            st_real a[LARGEST * LARGEST] = {0}, b[LARGEST];
            if (n) cases[c].fill(a, n);
            for (size_t i = 0; i < n; i++) b[i] = 1 + (st_real)(i % 5);
            test_scene *test = matrix_scene(solvers[s].scene, n, a);
            test_clear_log(test);
            st_linear_solver *solver = test_solver(test, "/s");
            const st_status status = solve(solver, b);
            if (n == 0) assert_int_equal(status, ST_OK);
            else check_outcome(test, s, &cases[c], status, test_residual(n, a, solver->system->solution, b));
            test_scene_destroy(test);
        }
}

// A matrix of zeros has no solution: x stays finite, and somebody says something, or fails.
static void test_singular_matrices(void **unused) {
    (void)unused;
    const st_real zeros[9] = {0}, b[3] = {1, 2, 3};
    for (size_t s = 0; s < SOLVERS; s++) {
        test_scene *test = matrix_scene(solvers[s].scene, 3, zeros);
        test_clear_log(test);
        st_linear_solver *solver = test_solver(test, "/s");
        const st_status status = solve(solver, b);
        for (int i = 0; i < 3; i++) assert_true(isfinite(solver->system->solution[i]));
        if (!solvers[s].takes_indefinite)
            assert_true(status != ST_OK || test->messages[ST_WARNING] + test->messages[ST_ERROR] > 0);
        test_scene_destroy(test);
    }
}

static void test_numbers_that_are_not(void **unused) {
    (void)unused;
    st_real a[9], b[3] = {1, 2, 3};
    fill_definite(a, 3);
    for (size_t s = 0; s < SOLVERS; s++) {
        test_scene *test = matrix_scene(solvers[s].scene, 3, a);
        st_linear_solver *solver = test_solver(test, "/s");
        b[1] = (st_real)NAN;
        test_clear_log(test);
        assert_int_equal(solve(solver, b), ST_FAILED);
        assert_true(test->messages[ST_ERROR] > 0);
        b[1] = 2;
        assert_int_equal(solve(solver, b), ST_OK); // and it recovers
        assert_true(test_residual(3, a, solver->system->solution, b) <= SOLVED);
        test_scene_destroy(test);
    }
}

static void test_no_right_hand_side(void **unused) {
    (void)unused;
    st_real a[9];
    const st_real b[3] = {0};
    fill_definite(a, 3);
    for (size_t s = 0; s < SOLVERS; s++) {
        test_scene *test = matrix_scene(solvers[s].scene, 3, a);
        st_linear_solver *solver = test_solver(test, "/s");
        test_clear_log(test);
        assert_int_equal(solve(solver, b), ST_OK);
        for (int i = 0; i < 3; i++) assert_true(solver->system->solution[i] == 0);
        assert_int_equal(test->messages[ST_WARNING] + test->messages[ST_ERROR], 0);
        test_scene_destroy(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// Preconditioners by their formulas
// ---------------------------------------------------------------------------------------------------

// z = P⁻¹ b with the preconditioner as a solver of its own.
static void apply(const char *preconditioner, size_t n, const st_real *a, const st_real *b, st_real *z) {
    char scene[256];
    snprintf(scene, sizeof scene, "<%s name=\"s\"/>", preconditioner);
    test_scene *test = matrix_scene(scene, n, a);
    st_linear_solver *solver = test_solver(test, "/s");
    assert_int_equal(solve(solver, b), ST_OK);
    memcpy(z, solver->system->solution, n * sizeof *z);
    test_scene_destroy(test);
}

static void test_jacobi(void **unused) {
    (void)unused;
    st_real a[25], b[5] = {1, 2, 3, 4, 5}, z[5];
    fill_badly_scaled(a, 5);
    apply("JacobiPreconditioner", 5, a, b, z);
    for (int i = 0; i < 5; i++) assert_true(fabs(z[i] - b[i] / a[6 * i]) <= TIGHT * fabs(z[i]));
}

// Blocks of three, and one of two that is left.
static void test_block_jacobi(void **unused) {
    (void)unused;
    st_real a[25], b[5] = {1, 2, 3, 4, 5}, z[5];
    fill_unsymmetric(a, 5);
    apply("BlockJacobiPreconditioner", 5, a, b, z);
    for (int i = 0; i < 5; i++) {
        st_real sum = 0;
        for (int j = i / 3 * 3; j < 5 && j < i / 3 * 3 + 3; j++) sum += a[5 * i + j] * z[j];
        assert_true(fabs(sum - b[i]) <= TIGHT * 10);
    }
}

// b = P z with P = 1/(2-ω) (D/ω + U) (D/ω)⁻¹ (D/ω + L)
static void check_ssor(st_real omega, const char *preconditioner) {
    enum { N = 6 };
    st_real a[N * N], b[N] = {1, 2, 3, 4, 5, 6}, z[N], t[N], p[N];
    fill_definite(a, N);
    apply(preconditioner, N, a, b, z);
    for (int i = 0; i < N; i++) {
        t[i] = a[i * N + i] / omega * z[i];
        for (int j = 0; j < i; j++) t[i] += a[i * N + j] * z[j];
        t[i] *= omega / a[i * N + i];
    }
    for (int i = 0; i < N; i++) {
        p[i] = a[i * N + i] / omega * t[i];
        for (int j = i + 1; j < N; j++) p[i] += a[i * N + j] * t[j];
        assert_true(fabs(p[i] / (2 - omega) - b[i]) <= TIGHT * 10);
    }
}

static void test_ssor(void **unused) {
    (void)unused;
    check_ssor(1, "SSORPreconditioner");
    check_ssor((st_real)1.4, "SSORPreconditioner omega=\"1.4\"");
    check_ssor((st_real)0.5, "SSORPreconditioner template=\"CompressedRowSparseMatrixMat3x3d\" omega=\"0.5\"");
    for (int i = 0; i < 3; i++) {
        static const char *const wrong[] = {"0", "2", "nan"};
        char scene[128];
        snprintf(scene, sizeof scene, "<SSORPreconditioner name=\"s\" omega=\"%s\"/>", wrong[i]);
        test_scene *test = test_scene_create(scene, false, 1);
        assert_int_equal(test_count(test, "omega is"), 1);
        test_scene_destroy(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// PCG
// ---------------------------------------------------------------------------------------------------

static size_t graph_numbers(test_scene *test, const char *path, const char *line) {
    char *text = st_object_get(st_scene_find(test->scene, path), "graph", 6);
    assert_non_null(text);
    const char *at = strstr(text, line);
    size_t count = 0;
    for (at = at ? at + strlen(line) : NULL; at && *at && *at != '\n'; at++)
        count += *at == ' ' && at[1] != ' ' && at[1] != '\n' && at[1];
    st_string_free(text);
    return count;
}

// With an exact preconditioner one iteration is enough; the solution before is the first guess of the next solve.
static void test_pcg_counts(void **unused) {
    (void)unused;
    st_real a[25], b[5] = {1, 2, 3, 4, 5};
    fill_definite(a, 5);
    test_scene *test = matrix_scene("<PCGLinearSolver name=\"s\" iterations=\"50\" tolerance=\"1e-6\" "
                                    "preconditioner=\"@p\"/><SparseLDLSolver name=\"p\"/>",
                                    5, a);
    st_linear_solver *solver = test_solver(test, "/s");
    assert_int_equal(solve(solver, b), ST_OK);
    assert_int_equal(graph_numbers(test, "/s", "Error 1"), 2); // before and after one iteration
    st_copy_reals(solver->system->rhs, b, 5);
    assert_int_equal(st_linear_solve(solver), ST_OK);
    assert_int_equal(graph_numbers(test, "/s", "Error 2"), 1); // nothing is left to do
    test_set(test, "/s", "use_precond", "0");
    assert_int_equal(solve(solver, b), ST_OK);
    assert_true(graph_numbers(test, "/s", "Error 3") > 2);
    assert_int_equal(st_scene_step(test->scene, (st_real)0.01), ST_OK);
    assert_int_equal(graph_numbers(test, "/s", "Error 1"), 0); // emptied by each step
    test_scene_destroy(test);
}

static void test_pcg_links(void **unused) {
    (void)unused;
    static const struct {
        const char *scene, *said;
    } wrong[] = {
        {"<PCGLinearSolver name=\"s\" preconditioner=\"@nobody\"/>", "leads to no linear solver"},
        {"<PCGLinearSolver name=\"s\" preconditioner=\"@s\"/>", "its own preconditioner"},
        {"<PCGLinearSolver name=\"s\" preconditioner=\"@p\"/><MinResLinearSolver name=\"p\"/>", "is matrix-free"},
        {"<MatrixFreeSystem name=\"m\"/><PCGLinearSolver name=\"s\" linearSystem=\"@m\"/>",
         "must be a PreconditionedMatrixFreeSystem"},
        {"<WarpPreconditioner name=\"s\"/>", "needs another linear solver"},
        {"<CGLinearSolver name=\"cg\"/><WarpPreconditioner name=\"s\" linearSolver=\"@cg\"/>", "is matrix-free"},
        {"<SparseLDLSolver name=\"ldl\"/><WarpPreconditioner name=\"s\" linearSolver=\"@ldl\"/>", "tells rotations"},
        {"<CompositeLinearSystem name=\"s\"/>", "has no systems"},
        {"<CGLinearSolver name=\"cg\" template=\"CompressedRowSparseMatrixd\"/><CGLinearSolver name=\"s\" "
         "iterations=\"-1\" tolerance=\"-1\" threshold=\"nan\"/>",
         "must not be negative"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_scene *test = test_scene_create(wrong[i].scene, false, 1);
        if (test_count(test, wrong[i].said) == 0) fail_msg("%s: %s", wrong[i].scene, test->log);
        test_scene_destroy(test);
    }
}

// The preconditioner is assembled by the first build and then by every third one.
static void test_assembling_rate(void **unused) {
    (void)unused;
    st_real a[9];
    fill_definite(a, 3);
    test_scene *test = matrix_scene("<PreconditionedMatrixFreeSystem name=\"m\" assemblingRate=\"3\"/>"
                                    "<PCGLinearSolver name=\"s\" preconditioner=\"@p\"/>"
                                    "<MatrixLinearSystem name=\"d\" template=\"DiagonalMatrix\"/>"
                                    "<JacobiPreconditioner name=\"p\" linearSystem=\"@d\"/>",
                                    3, a);
    st_system *system = test_system(test, "/m"), *preconditioner = test_system(test, "/d");
    static const uint32_t versions[] = {1, 1, 1, 2, 2, 2, 3};
    for (int i = 0; i < 7; i++) {
        assert_int_equal(test_build(system, 0, 0, 1), ST_OK);
        assert_int_equal(preconditioner->version, versions[i]);
    }
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_int_equal(test_build(system, 0, 0, 1), ST_OK);
    assert_int_equal(preconditioner->version, 4);
    test_scene_destroy(test);
}

// ---------------------------------------------------------------------------------------------------
// Systems
// ---------------------------------------------------------------------------------------------------

static void test_composite(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        "<MatrixLinearSystem name=\"A\"/><MatrixLinearSystem name=\"K\" assembleMass=\"0\"/>"
        "<CompositeLinearSystem template=\"CompressedRowSparseMatrixd\" name=\"all\" linearSystems=\"@K\" "
        "solverLinearSystem=\"@A\"/>"
        "<SparseLDLSolver name=\"s\" linearSystem=\"@all\"/>"
        "<MechanicalObject name=\"dofs\" template=\"Vec3\" size=\"2\"/><TestMass masses=\"3\"/>"
        "<TestMatrix values=\"-1 0 0 0 0 0  0 -2 0 0 0 0  0 0 -3 0 0 0  0 0 0 -1 0 0  0 0 0 0 -2 0  0 0 0 0 0 -3\"/>",
        false, 1);
    st_linear_solver *solver = test_solver(test, "/s");
    assert_ptr_equal(solver->system, test_system(test, "/all"));
    assert_int_equal(test_build(solver->system, 1, 0, -1), ST_OK);
    const st_system_ops *ops = solver->system->object.type->system;
    assert_ptr_equal(ops->matrix(solver->system),
                     test_system(test, "/A")->object.type->system->matrix(test_system(test, "/A")));
    for (size_t i = 0; i < 6; i++) solver->system->rhs[i] = (st_real)(4 + i % 3); // A = diag(4 5 6 4 5 6)
    assert_int_equal(st_linear_solve(solver), ST_OK);
    for (size_t i = 0; i < 6; i++) assert_true(fabs(solver->system->solution[i] - 1) < TIGHT);
    st_real *k = test_assembled(test_system(test, "/K"));
    for (size_t i = 0; i < 6; i++) assert_true(k[7 * i] == (st_real)(1 + i % 3));
    st_free(k);
    test_scene_destroy(test);
}

#define BODY                                                                                                           \
    "<MechanicalObject name=\"dofs\" position=\"0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\"/>"                                 \
    "<MeshTopology tetrahedra=\"0 1 2 3  1 2 3 4\"/><MeshMatrixMass totalMass=\"2\"/>"                                 \
    "<FixedProjectiveConstraint indices=\"0\"/>"                                                                       \
    "<TetrahedronFEMForceField youngModulus=\"500\" poissonRatio=\"0.3\" method=\"large\"/>"

// After a turn of the whole body by 90 degrees the warped old factorization is the new one.
static void test_warp_follows_a_turn(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create("<EulerImplicitSolver/><WarpPreconditioner name=\"s\" linearSolver=\"@ldl\" "
                                         "linearSystem=\"@r\"/>"
                                         "<MatrixLinearSystem name=\"A\"/><SparseLDLSolver name=\"ldl\" "
                                         "linearSystem=\"@A\"/>"
                                         "<RotationMatrixSystem name=\"r\" assemblingRate=\"100\"/>" BODY,
                                         false, 1);
    st_linear_solver *warp = test_solver(test, "/s"), *ldl = test_solver(test, "/ldl");
    st_plan *plan = st_plan_of(test->scene->root);
    assert_non_null(plan);
    const st_params params = test_params(1, 0, (st_real)-0.01);
    st_plan_compute_force(plan, &params);
    assert_int_equal(test_build(warp->system, 1, 0, (st_real)-0.01), ST_OK);

    st_real *x = plan->independent.data[0]->coord[ST_COORD_POSITION].data;
    for (int i = 0; i < 5; i++) {
        const st_real first = x[3 * i];
        x[3 * i] = -x[3 * i + 1];
        x[3 * i + 1] = first;
    }
    st_plan_compute_force(plan, &params);
    assert_int_equal(test_build(warp->system, 1, 0, (st_real)-0.01), ST_OK);
    for (int i = 0; i < 15; i++) warp->system->rhs[i] = i < 3 ? 0 : (st_real)(i % 4);
    assert_int_equal(st_linear_solve(warp), ST_OK);

    assert_int_equal(test_build(ldl->system, 1, 0, (st_real)-0.01), ST_OK);
    memcpy(ldl->system->rhs, warp->system->rhs, 15 * sizeof(st_real));
    assert_int_equal(st_linear_solve(ldl), ST_OK);
    test_equal(15, warp->system->solution, ldl->system->solution, TIGHT * 100);
    test_scene_destroy(test);
}

// The rotations count from the last assembly on; in SOFA from the rest shape on, and the assembly leaves those of the
// build before beside a diagonal of ones.
static void test_rotations_since_the_assembly(void **unused) {
    (void)unused;
    for (int compat = 0; compat < 2; compat++) {
        test_scene *test = test_scene_create("<EulerImplicitSolver/><MatrixLinearSystem name=\"A\"/>"
                                             "<SparseLDLSolver linearSystem=\"@A\"/>"
                                             "<RotationMatrixSystem name=\"r\" assemblingRate=\"2\"/>" BODY,
                                             false, 1);
        st_system *system = test_system(test, "/r");
        ((st_rotation_matrix_system *)system)->rotations.since_rest = compat;
        st_plan *plan = st_plan_of(test->scene->root);
        const st_params params = test_params(1, 0, (st_real)-0.01);
        st_real *x = plan->independent.data[0]->coord[ST_COORD_POSITION].data, one[15], turned[15];
        for (int i = 0; i < 15; i++) one[i] = i % 3 == 0; // along x

        for (int build = 0; build < 6; build++) {
            st_plan_compute_force(plan, &params);
            assert_int_equal(test_build(system, 1, 0, (st_real)-0.01), ST_OK);
            assert_int_equal(system->object.type->system->rotate(system, false, one, turned), ST_OK);

            // builds 0, 2 and 4 assemble; the body has turned by 90 degrees after each of them
            const bool assembled = build % 2 == 0;
            static const st_real rest[6][3] = {{1, 0}, {0, 1}, {1, 1}, {-1, 0}, {1, 0}, {0, -1}};
            const st_real *expected = compat ? rest[build] : assembled ? rest[0] : rest[1];
            for (int k = 0; k < 3; k++) assert_true(fabs(turned[12 + k] - expected[k]) < TIGHT * 100);

            for (int i = 0; i < 5 && assembled; i++) {
                const st_real first = x[3 * i];
                x[3 * i] = -x[3 * i + 1];
                x[3 * i + 1] = first;
            }
        }
        test_scene_destroy(test);
    }
}

static test_scene *precomputed_scene(const char *attributes) {
    char scene[1024];
    snprintf(scene, sizeof scene,
             "<EulerImplicitSolver/><PCGLinearSolver name=\"s\" iterations=\"50\" tolerance=\"1e-9\" "
             "preconditioner=\"@p\"/>"
             "<MechanicalObject name=\"dofs\" position=\"0 0 0  1 0 0  0 1 0  0 0 1\"/>"
             "<PrecomputedWarpPreconditioner name=\"p\" %s/>"
             "<MeshTopology tetrahedra=\"0 1 2 3\"/><UniformMass totalMass=\"2\"/>"
             "<ConstantForceField indices=\"1 2 3\" forces=\"0 0 -1\"/><FixedProjectiveConstraint indices=\"0\"/>"
             "<TetrahedronFEMForceField youngModulus=\"500\" poissonRatio=\"0.3\" method=\"large\"/>",
             attributes);
    return test_scene_create(scene, false, 1);
}

static st_real height(test_scene *test) {
    return ((st_state *)st_scene_find(test->scene, "/dofs"))->coord[ST_COORD_POSITION].data[11];
}

// As SOFA: nothing moves. Without the table of defects it does, and one iteration is enough at first.
static void test_precomputed_warp(void **unused) {
    (void)unused;
    test_scene *test = precomputed_scene("use_file=\"0\"");
    assert_int_equal(st_scene_step(test->scene, (st_real)0.01), ST_OK);
    assert_true(height(test) == 1);
    assert_int_equal(test_count(test, "stays empty"), 1);
    test_scene_destroy(test);

    static const char right[] =
        "<Node name=\"root\" compat=\"0\" dt=\"0.01\"><DefaultAnimationLoop/><EulerImplicitSolver/>"
        "<PCGLinearSolver name=\"s\" iterations=\"50\" tolerance=\"1e-9\" preconditioner=\"@p\"/>"
        "<MechanicalObject name=\"dofs\" position=\"0 0 0  1 0 0  0 1 0  0 0 1\"/>"
        "<PrecomputedWarpPreconditioner name=\"p\" use_file=\"0\"/><UniformMass totalMass=\"2\"/>"
        "<ConstantForceField indices=\"1 2 3\" forces=\"0 0 -1\"/><FixedProjectiveConstraint indices=\"0\"/></Node>";
    const st_config config = st_default_config();
    test_scene other = {.scene = st_scene_create(&config)};
    assert_non_null(other.scene);
    assert_true(st_succeeded(st_scene_load_text(other.scene, right, strlen(right), NULL)));
    assert_true(st_succeeded(st_scene_init(other.scene)));
    assert_int_equal(st_scene_step(other.scene, (st_real)0.01), ST_OK);
    assert_true(height(&other) < 1);
    assert_int_equal(graph_numbers(&other, "/s", "Error 1"), 2);
    st_scene_destroy(other.scene);
}

// The file holds A⁻¹ times the position factor; it is used when it fits, and replaced when it does not.
static void test_precomputed_warp_keeps_its_inverse(void **unused) {
    (void)unused;
    char folder[] = "/tmp/settee_inverse_XXXXXX", before[1024];
    assert_non_null(getcwd(before, sizeof before));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    st_real heights[3];
    for (int run = 0; run < 3; run++) {
        test_scene *test = precomputed_scene("printLog=\"1\" linearSystem=\"@own\" linearSolver=\"@ldl\"/>"
                                             "<MatrixLinearSystem name=\"own\"/><MatrixLinearSystem name=\"A\"/>"
                                             "<SparseLDLSolver name=\"ldl\" linearSystem=\"@A\"");
        char *name = st_inverse_file_name(st_scene_find(test->scene, "/p"), 12);
        assert_int_equal(access(name, R_OK), run == 0 ? -1 : 0);
        if (run == 2) { // numbers of another matrix
            FILE *file = fopen(name, "r+b");
            assert_non_null(file);
            const st_real wrong = 5;
            assert_int_equal(fwrite(&wrong, sizeof wrong, 1, file), 1);
            fclose(file);
        }
        assert_int_equal(st_scene_step(test->scene, (st_real)0.01), ST_OK);
        heights[run] = height(test);
        assert_int_equal(test_count(test, "is read from"), run == 1);
        assert_int_equal(test_count(test, "computed again"), run == 2);
        if (run == 2) assert_int_equal(remove(name), 0);
        st_free(name);
        test_scene_destroy(test);
    }
    assert_true(heights[0] < 1 && fabs(heights[0] - heights[1]) < TIGHT && heights[0] == heights[2]);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(rmdir(folder), 0);
}

// ---------------------------------------------------------------------------------------------------
// Products with an assembled part
// ---------------------------------------------------------------------------------------------------

static void test_assembled_part(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        "<MatrixFreeSystem name=\"A\"/>" BODY "<TestForce edges=\"0 1 1 2\" damping=\"0.5\"/>", false, 1);
    st_matrix_free_system *system = (st_matrix_free_system *)test_system(test, "/A");
    st_plan *plan = st_plan_of(test->scene->root);
    const st_params params = test_params(1, (st_real)-0.1, (st_real)-0.01);
    st_plan_compute_force(plan, &params);
    st_real p[15], q[15], first[15];
    for (int i = 0; i < 15; i++) p[i] = i < 3 ? 0 : (st_real)1 / (st_real)(1 + i);
    for (int build = 0; build < 2; build++) {
        assert_int_equal(test_build(&system->system, 1, (st_real)-0.1, (st_real)-0.01), ST_OK);
        for (int i = 0; i < 40; i++) {
            assert_int_equal(st_krylov_multiply(&system->system, p, q), ST_OK);
            if (build == 0 && i == 0) memcpy(first, q, sizeof q);
            test_equal(15, q, first, TIGHT);
            assert_true(system->assembled == (build == 1 || i >= 32));
        }
    }
    assert_true(q[0] == 0 && q[4] != 0); // constraints hold, others do not
    assert_false(system->part.taken.data[plan->forces.count - 1]);
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    st_plan_compute_force(plan, &params);
    assert_int_equal(test_build(&system->system, 1, (st_real)-0.1, (st_real)-0.01), ST_OK);
    assert_int_equal(st_krylov_multiply(&system->system, p, q), ST_OK);
    assert_false(system->assembled);
    assert_memory_equal(q, first, sizeof q); // a run after a reset has the bits of the first
    test_scene_destroy(test);
}

// ---------------------------------------------------------------------------------------------------

static void test_examples(void **unused) {
    (void)unused;
    static const char *const names[] = {
        "CGLinearSolver",
        "ParallelCGLinearSolver",
        "PCGLinearSolver",
        "MinResLinearSolver",
        "JacobiPreconditioner",
        "BlockJacobiPreconditioner",
        "SSORPreconditioner",
        "WarpPreconditioner",
        "PrecomputedWarpPreconditioner",
        "CompositeLinearSystem",
        "PreconditionedMatrixFreeSystem",
        "RotationMatrixSystem",
        "PrecomputedMatrixSystem",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        test_scene *probe = test_scene_create("", false, 1);
        const st_class *type = st_registry_find(probe->scene, names[i]);
        assert_non_null(type);
        assert_non_null(type->example);
        test_scene *test = test_scene_create(type->example, false, 1);
        for (int step = 0; step < 3; step++)
            if (st_scene_step(test->scene, (st_real)0.01) != ST_OK) fail_msg("%s: %s", names[i], test->log);
        if (test->messages[ST_ERROR]) fail_msg("%s: %s", names[i], test->log);
        test_scene_destroy(test);
        test_scene_destroy(probe);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_solver_on_every_matrix),
        cmocka_unit_test(test_singular_matrices),
        cmocka_unit_test(test_numbers_that_are_not),
        cmocka_unit_test(test_no_right_hand_side),
        cmocka_unit_test(test_jacobi),
        cmocka_unit_test(test_block_jacobi),
        cmocka_unit_test(test_ssor),
        cmocka_unit_test(test_pcg_counts),
        cmocka_unit_test(test_pcg_links),
        cmocka_unit_test(test_assembling_rate),
        cmocka_unit_test(test_composite),
        cmocka_unit_test(test_warp_follows_a_turn),
        cmocka_unit_test(test_rotations_since_the_assembly),
        cmocka_unit_test(test_precomputed_warp),
        cmocka_unit_test(test_precomputed_warp_keeps_its_inverse),
        cmocka_unit_test(test_assembled_part),
        cmocka_unit_test(test_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
