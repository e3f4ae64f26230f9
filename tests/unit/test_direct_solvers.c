// Every direct solver, with every library that it can use, on every kind of matrix: it solves, or refuses with a
// message. Constraint products and many right-hand sides of each; what the classes promise beyond that.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <tgmath.h>
#include <unistd.h>

#include "base/array.h"
#include "linalg/pattern.h"
#include "solver/direct_solver.h"
#include "system/matrix_linear_system.h"
#include "system_scene.h"

#ifdef SETTEE_REAL_FLOAT
#define CLOSE ((st_real)2e-4)
#else
#define CLOSE ((st_real)1e-10)
#endif

enum { N = 18 };

// ---------------------------------------------------------------------------------------------------
// Matrices
// ---------------------------------------------------------------------------------------------------

typedef enum kind { LDLT, LLT, LU, QR, SVD, BTD } kind;
typedef enum outcome { SOLVES, REFUSES, WARNS, MAY } outcome; // MAY: solves or refuses

typedef struct test_matrix {
    const char *name;
    void (*fill)(st_real *a);
    outcome outcomes[6]; // by kind
} test_matrix;

static void positive(st_real *a) {
    for (int i = 0; i < N; i++) {
        a[i * N + i] = (st_real)(3 + i % 3);
        if (i + 1 < N) a[i * N + i + 1] = a[(i + 1) * N + i] = (st_real)-1.25;
    }
}

static void indefinite(st_real *a) {
    positive(a);
    for (int i = 1; i < N; i += 3) a[i * N + i] = -4;
}

static void unsymmetric(st_real *a) {
    positive(a);
    for (int i = 0; i + 1 < N; i++) a[i * N + i + 1] = (st_real)0.5;
}

// Springs in a row that nothing holds: pivots are 1 up to the last one, which is 0.
static void singular(st_real *a) {
    for (int i = 0; i + 1 < N; i++) {
        a[i * N + i] += 1;
        a[(i + 1) * N + i + 1] += 1;
        a[i * N + i + 1] = a[(i + 1) * N + i] = -1;
    }
}

static void zero_diagonal(st_real *a) {
    for (int i = 0; i < N; i += 2) a[i * N + i + 1] = a[(i + 1) * N + i] = (st_real)(1 + i);
}

static void disconnected(st_real *a) {
    positive(a);
    for (int i = 2; i + 1 < N; i += 3) a[i * N + i + 1] = a[(i + 1) * N + i] = 0;
}

static void badly_scaled(st_real *a) {
    positive(a);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i * N + j] *= pow((st_real)10, (st_real)(i % 5 - 2)) * pow((st_real)10, (st_real)(j % 5 - 2));
}

static void full(st_real *a) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i * N + j] = i == j ? 3 : (st_real)1 / (st_real)(1 + abs(i - j));
}

static void not_finite(st_real *a) {
    positive(a);
    a[4 * N + 5] = a[5 * N + 4] = (st_real)NAN;
}

static const test_matrix matrices[] = {
    //                                  LDLT     LLT      LU       QR       SVD      BTD
    {"positive definite", positive, {SOLVES, SOLVES, SOLVES, SOLVES, SOLVES, SOLVES}},
    {"indefinite", indefinite, {SOLVES, REFUSES, SOLVES, SOLVES, SOLVES, SOLVES}},
    {"unsymmetric", unsymmetric, {WARNS, WARNS, SOLVES, SOLVES, SOLVES, SOLVES}},
    {"singular", singular, {REFUSES, REFUSES, REFUSES, REFUSES, MAY, REFUSES}},
    {"zero diagonal", zero_diagonal, {REFUSES, REFUSES, SOLVES, SOLVES, SOLVES, SOLVES}},
    {"disconnected", disconnected, {SOLVES, SOLVES, SOLVES, SOLVES, SOLVES, SOLVES}},
    {"badly scaled", badly_scaled, {SOLVES, SOLVES, SOLVES, MAY, MAY, SOLVES}},
    {"full", full, {SOLVES, SOLVES, SOLVES, SOLVES, SOLVES, WARNS}},
    {"not finite", not_finite, {REFUSES, REFUSES, REFUSES, REFUSES, REFUSES, REFUSES}},
};
enum { MATRICES = sizeof matrices / sizeof *matrices };

typedef struct test_solver_case {
    const char *text;
    kind kind;
} test_solver_case;

static const test_solver_case solvers[] = {
    {"<SparseLDLSolver name='s'/>", LDLT},
    {"<SparseLDLSolver name='s' library='settee' precomputeSymbolicDecomposition='0'/>", LDLT},
    {"<SparseLDLSolver name='s' library='cholmod'/>", LDLT},
    {"<SparseLDLSolver name='s'/><MetisOrderingMethod/>", LDLT},
    {"<SparseLDLSolver name='s'/><COLAMDOrderingMethod/>", LDLT},
    {"<SparseLDLSolver name='s'/><NaturalOrderingMethod/>", LDLT},
    {"<SparseLDLSolver name='s' library='cholmod'/><NaturalOrderingMethod/>", LDLT},
    {"<AsyncSparseLDLSolver name='s'/>", LDLT},
    {"<EigenSimplicialLDLT name='s'/>", LDLT},
    {"<EigenSimplicialLDLT name='s' library='cholmod'/><AMDOrderingMethod/>", LDLT},
    {"<EigenSimplicialLLT name='s'/>", LLT},
    {"<EigenSimplicialLLT name='s' library='cholmod'/>", LLT},
    {"<CholeskySolver name='s'/>", LLT},
    {"<CholeskySolver name='s' template='FullMatrix'/>", LLT},
    {"<SparseCholeskySolver name='s'/>", LLT},
    {"<EigenCholmodSupernodalLLT name='s'/>", LLT},
    {"<PrecomputedLinearSolver name='s' use_file='0'/>", LLT},
    {"<EigenSparseLU name='s'/>", LU},
    {"<EigenSparseLU name='s' library='klu'/>", LU},
    {"<EigenSparseLU name='s'/><NaturalOrderingMethod/>", LU},
    {"<EigenSparseLU name='s' library='klu'/><NaturalOrderingMethod/>", LU},
    {"<EigenSparseLU name='s' library='klu'/><COLAMDOrderingMethod/>", LU},
    {"<EigenSparseLU name='s'/><AMDOrderingMethod/>", LU},
    {"<SparseLUSolver name='s'/>", LU},
    {"<SparseLUSolver name='s' library='umfpack'/><MetisOrderingMethod/>", LU},
    {"<EigenSparseQR name='s'/>", QR},
    {"<EigenSparseQR name='s' library='spqr'/><NaturalOrderingMethod/>", QR},
    {"<EigenSparseQR name='s'/><COLAMDOrderingMethod/>", QR},
    {"<SVDLinearSolver name='s' minSingularValue='1e-5'/>", SVD},
    {"<BTDLinearSolver name='s' verification='1'/>", BTD},
};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static test_scene *scene_of(const char *solver, int size, int threads) {
    char text[1024];
    snprintf(text, sizeof text, "%s<MechanicalObject template='Vec1' size='%d'/><TestMass/>", solver, size);
    return test_scene_create(text, false, threads);
}

// Builds, then puts the dense matrix, without its zeros, in the place of the one that was built.
static void put_matrix(st_linear_solver *solver, int n, const st_real *dense) {
    st_system *system = solver->system;
    system->enable_assembly = true;
    ((st_matrix_linear_system *)system)->sum.assembly.recorded =
        false; // its slots are those of the matrix that was taken away
    if (solver->object.type->reset) solver->object.type->reset(&solver->object);
    assert_int_equal(test_build(system, 1, 0, 0), ST_OK);
    st_bsr *matrix = (st_bsr *)system->object.type->system->matrix(system);
    st_pattern pattern = {0};
    assert_int_equal(st_pattern_begin(&pattern, n, n), ST_OK);
    assert_int_equal(st_pattern_record_diagonal(&pattern), ST_OK);
    for (int k = 0; k < n * n; k++)
        if (dense[k] != 0) assert_int_equal(st_pattern_record(&pattern, k / n, k % n), ST_OK);
    assert_int_equal(st_pattern_compress(&pattern), ST_OK);
    st_bsr_free(matrix);
    assert_int_equal(st_bsr_create(matrix, 1, pattern.rows, pattern.cols, pattern.starts, pattern.columns), ST_OK);
    st_pattern_free(&pattern);
    for (int k = 0; k < n * n; k++)
        if (dense[k] != 0) *st_bsr_at(matrix, (size_t)(k / n), (size_t)(k % n)) = dense[k];
}

static bool solves(const st_linear_solver *solver, const st_real *a) {
    st_real residual = 0, norm = 0;
    const st_real *x = solver->system->solution, *b = solver->system->rhs;
    for (int i = 0; i < N; i++) {
        st_real r = -b[i], size = 0;
        for (int j = 0; j < N; j++) {
            r += a[i * N + j] * x[j];
            size += fabs(a[i * N + j] * x[j]);
        }
        residual += fabs(r);
        norm += size;
    }
    return residual <= CLOSE * norm;
}

static void test_every_solver_on_every_matrix(void **unused) {
    (void)unused;
    for (int s = 0; s < SOLVERS; s++) {
        test_scene *test = scene_of(solvers[s].text, N, 1);
        st_linear_solver *solver = test_solver(test, "/s");
        // Twice, so that each matrix follows each other one.
        for (int k = 0; k < 2 * MATRICES; k++) {
            const test_matrix *m = &matrices[k % MATRICES];
            const outcome expected = m->outcomes[solvers[s].kind];
            st_real a[N * N] = {0};
            m->fill(a);
            put_matrix(solver, N, a);
            for (int i = 0; i < N; i++) solver->system->rhs[i] = (st_real)(1 + i % 4);
            test_clear_log(test);
            const st_status status = st_linear_solve(solver);
            const bool right = status == ST_OK && solves(solver, a);
            const size_t errors = test->messages[ST_ERROR], warnings = test->messages[ST_WARNING];
            const bool refused = status != ST_OK && errors > 0;
            const bool good = expected == SOLVES    ? right
                              : expected == REFUSES ? refused
                              : expected == WARNS   ? warnings > 0 || (k >= MATRICES && !right)
                                                    : right || refused || solvers[s].kind == SVD;
            if (!good)
                fail_msg("%s, %s matrix: status %d, %s, %zu errors, log: %s", solvers[s].text, m->name, status,
                         right ? "right" : "wrong", errors, test->log);
        }
        test_scene_destroy(test);
    }
}

static void test_one_unknown_and_none(void **unused) {
    (void)unused;
    for (int s = 0; s < SOLVERS; s++) {
        test_scene *test = scene_of(solvers[s].text, 1, 1);
        st_linear_solver *solver = test_solver(test, "/s");
        const st_real one = 4, zero = 0;
        put_matrix(solver, 1, &one);
        solver->system->rhs[0] = 2;
        const bool fits = solvers[s].kind != BTD; // six at a time
        assert_int_equal(st_linear_solve(solver), fits ? ST_OK : ST_FAILED);
        if (fits) assert_true(solver->system->solution[0] == (st_real)0.5);
        put_matrix(solver, 1, &zero);
        test_clear_log(test);
        const st_status status = st_linear_solve(solver);
        if (!(status == ST_FAILED || solvers[s].kind == SVD || test->messages[ST_WARNING] > 0))
            fail_msg("%s solves 0 x = b: %d %s", solvers[s].text, status, test->log);
        test_scene_destroy(test);

        test = scene_of(solvers[s].text, 0, 1);
        solver = test_solver(test, "/s");
        assert_int_equal(test_build(solver->system, 1, 0, 0), ST_OK);
        assert_int_equal(st_linear_solve(solver), ST_OK);
        assert_int_equal(st_linear_solve_many(solver, 3, NULL, NULL), ST_OK);
        test_scene_destroy(test);
    }
}

// W and many solutions of every solver are those of dense elimination; an empty row of H changes nothing.
static void test_constraint_products(void **unused) {
    (void)unused;
    const size_t starts[] = {0, 2, 2, 3, 6};
    const int32_t columns[] = {1, 7, 3, 0, 11, 4};
    const st_real values[] = {1, -2, (st_real)0.5, 3, 1, 1};
    const st_sparse_rows h = {4, starts, columns, values};
    st_real a[N * N] = {0}, expected[16] = {0};
    positive(a);
    for (size_t r = 0; r < 4; r++) {
        st_real b[N] = {0};
        for (size_t k = starts[r]; k < starts[r + 1]; k++) b[columns[k]] = values[k];
        st_real *x = test_dense_solve(N, a, b);
        for (size_t o = 0; o < 4; o++)
            for (size_t k = starts[o]; k < starts[o + 1]; k++) expected[o * 4 + r] += 2 * values[k] * x[columns[k]];
        st_free(x);
    }
    for (int s = 0; s < SOLVERS; s++)
        for (int threads = 1; threads <= 2; threads++) {
            test_scene *test = scene_of(solvers[s].text, N, threads);
            st_linear_solver *solver = test_solver(test, "/s");
            put_matrix(solver, N, a);
            st_real w[16] = {0};
            assert_int_equal(st_linear_solver_compliance(solver, &h, 2, w), ST_OK);
            test_equal(16, w, expected, CLOSE);
            assert_true(w[1] == 0 && w[5] == 0);
            st_real b[3 * N], x[3 * N];
            for (int i = 0; i < 3 * N; i++) b[i] = (st_real)(i % 5);
            assert_int_equal(st_linear_solve_many(solver, 3, b, x), ST_OK);
            for (int c = 0; c < 3; c++) {
                st_real *one = test_dense_solve(N, a, b + c * N);
                test_equal(N, x + c * N, one, CLOSE);
                st_free(one);
            }
            const int32_t outside[] = {N};
            const size_t ends[] = {0, 1};
            assert_int_equal(st_linear_solver_compliance(solver, &(st_sparse_rows){1, ends, outside, values}, 1, w),
                             ST_INVALID);
            assert_int_equal(st_linear_solver_compliance(solver, &(st_sparse_rows){.count = 1}, 1, w), ST_OK);
            test_scene_destroy(test);
        }
}

// ---------------------------------------------------------------------------------------------------
// What single classes promise
// ---------------------------------------------------------------------------------------------------

static void test_refused_choices(void **unused) {
    (void)unused;
    test_scene *test = scene_of("<SparseLDLSolver name='s' library='klu'/>", N, 1);
    assert_int_equal(test_count(test, "library=\"klu\" cannot do this factorization; those that can: settee cholmod"),
                     1);
    test_scene_destroy(test);
    test = scene_of("<EigenSparseLU name='s'/><MetisOrderingMethod/>", N, 1);
    assert_int_equal(test_count(test, "MetisOrderingMethod is not among the orderings of this solver"), 1);
    test_scene_destroy(test);
    test = scene_of("<SparseLUSolver name='s' library='klu'/><MetisOrderingMethod/>", N, 1);
    st_linear_solver *solver = test_solver(test, "/s");
    st_real a[N * N] = {0};
    positive(a);
    put_matrix(solver, N, a);
    assert_int_equal(st_linear_solve(solver), ST_INVALID);
    assert_int_equal(test_count(test, "cannot be factored by klu in the order of MetisOrderingMethod"), 1);
    test_scene_destroy(test);
}

static void test_pivots_are_named(void **unused) {
    (void)unused;
    st_real a[N * N] = {0};
    positive(a);
    a[3 * N + 3] = -2;
    static const char *const texts[] = {"<EigenSimplicialLLT name='s'/><NaturalOrderingMethod/>",
                                        "<EigenSimplicialLLT name='s' library='cholmod'/><NaturalOrderingMethod/>"};
    for (int k = 0; k < 2; k++) {
        test_scene *test = scene_of(texts[k], N, 1);
        st_linear_solver *solver = test_solver(test, "/s");
        put_matrix(solver, N, a);
        assert_int_equal(st_linear_solve(solver), ST_FAILED);
        assert_int_equal(test_count(test, "the matrix is not positive definite: a pivot is not above 0 in row 3"), 1);
        test_scene_destroy(test);
    }
}

// With delay 1 each solve uses the matrix of the build before, the first one its own.
static void test_async_is_one_build_late(void **unused) {
    (void)unused;
    test_scene *test = scene_of("<AsyncSparseLDLSolver name='s' delay='1'/>", 1, 1);
    st_linear_solver *solver = test_solver(test, "/s");
    const st_real expected[] = {1, 1, (st_real)0.5, (st_real)0.25, (st_real)0.125};
    st_real a = 1;
    for (int step = 0; step < 5; step++, a *= 2) {
        assert_int_equal(test_build(solver->system, a, 0, 0), ST_OK);
        solver->system->rhs[0] = 1;
        assert_int_equal(st_linear_solve(solver), ST_OK);
        assert_true(solver->system->solution[0] == expected[step]);
    }
    solver->object.type->reset(&solver->object);
    assert_int_equal(test_build(solver->system, 5, 0, 0), ST_OK);
    solver->system->rhs[0] = 1;
    assert_int_equal(st_linear_solve(solver), ST_OK);
    assert_true(solver->system->solution[0] == (st_real)1 / 5);
    test_scene_destroy(test);
}

// ---------------------------------------------------------------------------------------------------
// The same matrix again
// ---------------------------------------------------------------------------------------------------

enum { LARGE = 300 }; // more numbers than the sample has

static const st_direct_library *counted; // the library behind the one that counts
static int factorizations;

static st_status counting_factor(void *self, st_pool *pool, const st_bsr *matrix, const st_direct_request *request,
                                 size_t *unknown) {
    factorizations++;
    return counted->factor(self, pool, matrix, request, unknown);
}

static void solve_count(st_linear_solver *solver, st_real m, int expected) {
    const int before = factorizations;
    assert_int_equal(test_build(solver->system, m, 0, 0), ST_OK);
    for (int i = 0; i < LARGE; i++) solver->system->rhs[i] = (st_real)(1 + i);
    assert_int_equal(st_linear_solve(solver), ST_OK);
    for (int i = 0; i < LARGE; i++)
        assert_true(fabs(solver->system->solution[i] * m - (st_real)(1 + i)) <= CLOSE * (st_real)(1 + i));
    assert_int_equal(factorizations - before, expected);
}

// The second time leaves a copy, from the third on the factor stays, until a number changes. So with every library.
static void test_a_matrix_that_stays_is_not_factored_again(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "<SparseLDLSolver name='s' template='CompressedRowSparseMatrixd'/>",
        "<SparseLDLSolver name='s' template='CompressedRowSparseMatrixd' precomputeSymbolicDecomposition='0'/>",
        "<EigenSimplicialLLT name='s' template='CompressedRowSparseMatrixd'/>",
        "<EigenSparseLU name='s' template='CompressedRowSparseMatrixd'/>",
        "<EigenSparseQR name='s' template='CompressedRowSparseMatrixd'/>"};

    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        test_scene *test = scene_of(texts[k], LARGE, 1);
        st_linear_solver *solver = test_solver(test, "/s");
        st_direct_solver *direct = (st_direct_solver *)solver;
        counted = direct->used;
        st_direct_library counting = *counted;
        counting.factor = counting_factor;
        direct->used = &counting;

        solve_count(solver, 2, 1);
        solve_count(solver, 2, 1);
        for (int i = 0; i < 40; i++) solve_count(solver, 2, 0);
        solve_count(solver, 3, 1);
        solve_count(solver, 2, 1); // not what was factored last
        solve_count(solver, 2, 1);
        solve_count(solver, 2, 0);

        // one number, by its last bit, which is not in the sample
        assert_int_equal(test_build(solver->system, 2, 0, 0), ST_OK);
        st_bsr *matrix = (st_bsr *)solver->system->object.type->system->matrix(solver->system);
        st_real *number = &matrix->values[st_bsr_count(matrix) - 2];
        *number = nextafter(*number, (st_real)3);
        const int before = factorizations;
        assert_int_equal(st_linear_solve(solver), ST_OK);
        assert_int_equal(factorizations - before, 1);

        // a reset, or another way to factor
        solve_count(solver, 2, 1);
        solve_count(solver, 2, 0);
        solver->object.type->reset(&solver->object);
        solve_count(solver, 2, 1);
        direct->used = counted;
        test_scene_destroy(test);
    }
}

// What is built in step k solves from step k + 3 on, and nothing is assembled in between: steps 1 to 4 use the first
// matrix, 5 to 7 that of step 2, 8 to 10 that of step 5.
static void test_async_delay(void **unused) {
    (void)unused;
    static const int used[] = {1, 1, 1, 1, 2, 2, 2, 5, 5, 5, 8};
    test_scene *test = scene_of("<AsyncSparseLDLSolver name='s' delay='3'/>", 1, 1);
    st_linear_solver *solver = test_solver(test, "/s");
    for (int run = 0; run < 2; run++) {
        for (int step = 1; step <= 11; step++) {
            st_event begin = {.kind = ST_EVENT_ANIMATE_BEGIN};
            solver->object.type->event(&solver->object, &begin);
            assert_int_equal(test_build(solver->system, (st_real)step, 0, 0), ST_OK);
            for (int iteration = 0; iteration < 2; iteration++) { // as a preconditioner solves
                solver->system->rhs[0] = 1;
                assert_int_equal(st_linear_solve(solver), ST_OK);
                assert_true(solver->system->solution[0] == 1 / (st_real)used[step - 1]);
            }
        }
        solver->object.type->reset(&solver->object);
    }
    test_scene_destroy(test);
}

static void test_precomputed_keeps_the_first_matrix(void **unused) {
    (void)unused;
    test_scene *test = scene_of("<PrecomputedLinearSolver name='s' use_file='0'/>", 1, 1);
    st_linear_solver *solver = test_solver(test, "/s");
    for (int step = 0; step < 3; step++) {
        assert_int_equal(test_build(solver->system, (st_real)(2 + step), 0, 0), ST_OK);
        solver->system->rhs[0] = 1;
        assert_int_equal(st_linear_solve(solver), ST_OK);
        assert_true(solver->system->solution[0] == (st_real)0.5);
    }
    test_scene_destroy(test);
}

// The file holds the inverse times the position factor; a stale one is replaced.
static void test_precomputed_file(void **unused) {
    (void)unused;
    char folder[] = "/tmp/settee-precomputed-XXXXXX", before[4096];
    assert_non_null(mkdtemp(folder));
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    char *name = NULL;
    for (int round = 0; round < 3; round++) {
        test_scene *test = scene_of("<PrecomputedLinearSolver name='s' printLog='1'/>", 2, 1);
        st_linear_solver *solver = test_solver(test, "/s");
        const st_real m = round == 2 ? 8 : 4;
        assert_int_equal(test_build(solver->system, m, 0, 0), ST_OK);
        assert_int_equal(st_linear_solve(solver), ST_OK);
        assert_int_equal(test_count(test, "holds the inverse of this matrix"), round == 1);
        if (!name)
            name = st_string_format("%s-2-%g.%s", solver->object.node->object.name, (double)solver->object.node->dt,
                                    sizeof(st_real) == 4 ? "compf" : "comp");
        FILE *file = fopen(name, "rb");
        assert_non_null(file);
        st_real values[4];
        assert_int_equal(fread(values, sizeof *values, 4, file), 4);
        fclose(file);
        assert_true(values[0] == 1 / m && values[1] == 0 && values[3] == 1 / m);
        test_scene_destroy(test);
    }
    assert_int_equal(unlink(name), 0);
    st_free(name);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_svd_leaves_out_small_values(void **unused) {
    (void)unused;
    test_scene *test = scene_of("<SVDLinearSolver name='s' minSingularValue='0.01' verbose='1'/>", 3, 1);
    st_linear_solver *solver = test_solver(test, "/s");
    const st_real a[9] = {2, 0, 0, 0, (st_real)0.001, 0, 0, 0, -4};
    put_matrix(solver, 3, a);
    for (int i = 0; i < 3; i++) solver->system->rhs[i] = 1;
    assert_int_equal(st_linear_solve(solver), ST_OK);
    const st_real expected[] = {(st_real)0.5, 0, (st_real)-0.25};
    test_equal(3, solver->system->solution, expected, CLOSE);
    char *condition = st_object_get(&solver->object, "conditionNumber", 6);
    assert_true(fabs(atof(condition) - 4000) < 1);
    st_string_free(condition);
    assert_int_equal(test_count(test, "1 of 3 are treated as 0"), 1);
    test_scene_destroy(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_solver_on_every_matrix),
        cmocka_unit_test(test_one_unknown_and_none),
        cmocka_unit_test(test_constraint_products),
        cmocka_unit_test(test_refused_choices),
        cmocka_unit_test(test_pivots_are_named),
        cmocka_unit_test(test_async_is_one_build_late),
        cmocka_unit_test(test_async_delay),
        cmocka_unit_test(test_a_matrix_that_stays_is_not_factored_again),
        cmocka_unit_test(test_precomputed_keeps_the_first_matrix),
        cmocka_unit_test(test_precomputed_file),
        cmocka_unit_test(test_svd_leaves_out_small_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
