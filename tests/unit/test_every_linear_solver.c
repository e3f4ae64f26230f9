// Every linear solver that is registered, found by itself: with each of its templates, and where it is a direct one
// with each library and each ordering method, on every kind of matrix, through a scene. It solves the system, or says
// what is wrong with it; a failed factorization names the component of the DOF and the state. W = H A⁻¹ Hᵀ of each
// equals dense solves for rows that are empty, zero, repeated, or name a column twice.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "api/classes.h"
#include "base/text.h"
#include "solver/direct_solver.h"
#include "solver/ordering_method.h"
#include "system_scene.h"

#ifdef SETTEE_REAL_FLOAT
#define ITERATIVE "iterations='500' tolerance='1e-11' "
#define SOLVED ((st_real)1e-3)
#else
#define ITERATIVE "iterations='500' tolerance='1e-22' "
#define SOLVED ((st_real)1e-6)
#endif

enum { N = 12 };

// ---------------------------------------------------------------------------------------------------
// Matrices
// ---------------------------------------------------------------------------------------------------

static void definite(st_real *a) {
    uint64_t seed = 5;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++) a[i * N + j] = a[j * N + i] = i == j ? N : test_random(&seed);
}

static void disconnected(st_real *a) {
    definite(a);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            if ((i < N / 2) != (j < N / 2)) a[i * N + j] = 0;
}

static void badly_scaled(st_real *a) {
    definite(a);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) a[i * N + j] *= (i % 3 ? (st_real)0.03 : 10) * (j % 3 ? (st_real)0.03 : 10);
}

static void diagonal(st_real *a) {
    for (size_t i = 0; i < N; i++) a[i * N + i] = (st_real)(1 + i % 4);
}

static void indefinite(st_real *a) {
    definite(a);
    for (size_t i = 0; i < N; i += 2) a[i * N + i] = -a[i * N + i];
}

static void unsymmetric(st_real *a) {
    definite(a);
    for (size_t i = 0; i + 1 < N; i++) a[i * N + i + 1] += 2;
}

// Springs in a row that nothing holds.
static void singular(st_real *a) {
    for (size_t i = 0; i + 1 < N; i++) {
        a[i * N + i] += 1;
        a[(i + 1) * N + i + 1] += 1;
        a[i * N + i + 1] = a[(i + 1) * N + i] = -1;
    }
}

// One DOF with neither mass nor stiffness.
static void hollow(st_real *a) {
    definite(a);
    for (size_t k = 0; k < N; k++) a[7 * N + k] = a[k * N + 7] = 0;
}

typedef struct test_matrix {
    const char *name;
    void (*fill)(st_real *a);
    bool easy;    // symmetric and positive definite: every solver solves it
    bool regular; // there is a solution
} test_matrix;

static const test_matrix matrices[] = {
    {"positive definite", definite, true, true}, {"disconnected", disconnected, true, true},
    {"badly scaled", badly_scaled, true, true},  {"diagonal", diagonal, true, true},
    {"indefinite", indefinite, false, true},     {"unsymmetric", unsymmetric, false, true},
    {"singular", singular, false, false},        {"with an empty row", hollow, false, false},
};
enum { MATRICES = sizeof matrices / sizeof *matrices };

// ---------------------------------------------------------------------------------------------------
// Solvers
// ---------------------------------------------------------------------------------------------------

typedef struct choice {
    const st_class *type, *ordering; // NULL: none
    char template_[64], library[32];
} choice;

static const st_linear_solver_ops *ops_of(const st_class *type) {
    for (; type; type = type->parent)
        if (type->linear_solver) return type->linear_solver;
    return NULL;
}

static bool descends(const st_class *type, const st_class *base) {
    while (type && type != base) type = type->parent;
    return type != NULL;
}

static bool has_field(const st_class *type, const char *name) {
    for (; type; type = type->parent)
        for (const st_field *field = type->fields; field && field->name; field++)
            if (strcmp(field->name, name) == 0) return true;
    return false;
}

// Preconditioners only come near the solution; Jacobi's and its like have it for diagonal matrices.
static bool is_preconditioner(const st_class *type) { return strstr(type->name, "Preconditioner") != NULL; }

// Two of them need another solver and a mesh, and are tested by their example (test_iterative_solvers).
static bool stands_alone(const st_class *type) { return !strstr(type->name, "Warp"); }

static void print_choice(const choice *c, char *text, size_t size) {
    snprintf(text, size, "<%s name='s' template='%s' %s%s%s %s%s%s/>%s%s%s", c->type->name, c->template_,
             c->library[0] ? "library='" : "", c->library, c->library[0] ? "'" : "",
             has_field(c->type, "iterations") ? ITERATIVE : "", has_field(c->type, "threshold") ? "threshold='0' " : "",
             has_field(c->type, "use_file") ? "use_file='0' " : "", c->ordering ? "<" : "",
             c->ordering ? c->ordering->name : "", c->ordering ? "/>" : "");
}

// A matrix of `dofs` DOFs, three scalars each, or a single scalar.
static test_scene *scene_of(const choice *c, size_t scalars, const st_real *a) {
    char solver[512], state[128];
    print_choice(c, solver, sizeof solver);
    snprintf(state, sizeof state,
             "<MechanicalObject name='dofs' template='%s' size='%zu'/><TestMatrix name='matrix' values='",
             scalars == 1 ? "Vec1" : "Vec3", scalars == 1 ? 1 : scalars / 3);
    st_text text = {0};
    bool ok =
        st_text_append(&text, solver) && st_text_append(&text, "<Node name='body'>") && st_text_append(&text, state);
    for (size_t i = 0; ok && i < scalars * scalars; i++)
        ok = st_text_append_real(&text, a[i], 17) && st_text_append(&text, " ");
    assert_true(ok && st_text_append(&text, "'/></Node>"));
    char *scene = st_text_take(&text);
    test_scene *test = test_scene_create(scene, false, 1);
    st_free(scene);
    return test;
}

typedef void visitor(const choice *c);

static size_t visit_orderings(choice *c, visitor *visit) {
    c->ordering = NULL;
    visit(c);
    if (!descends(c->type, &st_direct_solver_class)) return 1;
    size_t count = 1;
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        if (!descends(*type, &st_ordering_method_class) || ((*type)->flags & ST_CLASS_ABSTRACT)) continue;
        c->ordering = *type;
        visit(c);
        count++;
    }
    assert_true(count >= 5);
    return count;
}

// Which factorization a class makes is known when it is initialized.
static void list_libraries(const choice *c, char *names, size_t size) {
    test_scene *test = scene_of(c, 0, NULL);
    const st_linear_solver *solver = test_solver(test, "/s");
    st_direct_names(((const st_direct_solver *)solver)->method, names, size);
    test_scene_destroy(test);
}

static size_t visit_libraries(choice *c, visitor *visit) {
    c->library[0] = '\0';
    c->ordering = NULL;
    if (!descends(c->type, &st_direct_solver_class)) return visit_orderings(c, visit);
    char names[128];
    list_libraries(c, names, sizeof names);
    size_t count = 0;
    for (char *rest = NULL, *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        snprintf(c->library, sizeof c->library, "%s", name);
        count += visit_orderings(c, visit);
    }
    return count;
}

static void visit_all(visitor *visit) {
    size_t classes = 0, choices = 0;
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        if (!ops_of(*type) || ((*type)->flags & ST_CLASS_ABSTRACT) || !stands_alone(*type)) continue;
        classes++;
        char templates[256];
        assert_non_null((*type)->templates);
        snprintf(templates, sizeof templates, "%s", (*type)->templates);
        for (char *rest = NULL, *name = strtok_r(templates, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
            choice c = {.type = *type};
            snprintf(c.template_, sizeof c.template_, "%s", name);
            choices += visit_libraries(&c, visit);
        }
    }
    assert_true(classes >= 18 && choices >= 100);
}

static void fail_choice(const choice *c, const char *matrix, const char *what, const test_scene *test) {
    char text[512];
    print_choice(c, text, sizeof text);
    fail_msg("%s, %s: %s\n%s", text, matrix, what, test->log);
}

// A solver may refuse an ordering, when it is initialized or when it factors: then it names it.
static bool refuses_ordering(const choice *c, const test_scene *test, st_status status) {
    return c->ordering && status == ST_INVALID && test_count(test, c->ordering->name) > 0;
}

// ---------------------------------------------------------------------------------------------------
// Outcomes
// ---------------------------------------------------------------------------------------------------

static st_status solve(const choice *c, test_scene *test, size_t n) {
    st_linear_solver *solver = test_solver(test, "/s");
    if (!st_is_valid(&solver->object)) return ST_INVALID;
    if (c->ordering == NULL) test_clear_log(test);
    assert_int_equal(test_build(solver->system, 0, 0, 1), ST_OK);
    for (size_t i = 0; i < n; i++) {
        solver->system->rhs[i] = 1 + (st_real)(i % 5);
        solver->system->solution[i] = 0;
    }
    return st_linear_solve(solver);
}

static void check_matrix(const choice *c, const test_matrix *m) {
    st_real a[N * N] = {0};
    m->fill(a);
    test_scene *test = scene_of(c, N, a);
    const st_status status = solve(c, test, N);
    const st_linear_solver *solver = test_solver(test, "/s");
    const size_t said = test->messages[ST_WARNING] + test->messages[ST_ERROR];
    const bool right = status == ST_OK && test_residual(N, a, solver->system->solution, solver->system->rhs) <= SOLVED;
    const bool promised = m->easy && (!is_preconditioner(c->type) || m->fill == diagonal);
    if (refuses_ordering(c, test, status)) {
        test_scene_destroy(test);
        return;
    }
    if (promised && !right) fail_choice(c, m->name, "is not solved", test);
    if (m->easy && test->messages[ST_ERROR] > 0) fail_choice(c, m->name, "an error", test);
    // A preconditioner has no opinion on matrices that it can be made of.
    const bool silent = said == 0 && !is_preconditioner(c->type);
    if (silent && (!m->regular || !right)) fail_choice(c, m->name, "nothing said", test);
    if (m->fill == unsymmetric && !right && !is_preconditioner(c->type) && test_count(test, "not symmetric") == 0)
        fail_choice(c, m->name, "does not say that it is not symmetric", test);
    if (status != ST_OK && test->messages[ST_ERROR] == 0) fail_choice(c, m->name, "fails without an error", test);
    // Who factors the matrix knows where it failed.
    const bool factors = ops_of(c->type)->invert != NULL;
    if (status == ST_FAILED && factors && (!test_count(test, " of DOF ") || !test_count(test, " of /body/dofs")))
        fail_choice(c, m->name, "does not name the DOF", test);
    for (size_t i = 0; m->regular && status == ST_OK && i < N; i++) assert_true(isfinite(solver->system->solution[i]));
    test_scene_destroy(test);
}

static void check_matrices(const choice *c) {
    for (size_t m = 0; m < MATRICES; m++) check_matrix(c, &matrices[m]);
}

static void test_every_matrix(void **unused) {
    (void)unused;
    visit_all(check_matrices);
}

// What a solver says once it says again after a reset, and nothing else.
static void check_reset(const choice *c) {
    for (size_t m = 0; m < MATRICES && !c->ordering; m++) {
        st_real a[N * N] = {0};
        size_t said[2];
        matrices[m].fill(a);
        test_scene *test = scene_of(c, N, a);
        for (int run = 0; run < 2; run++) {
            const st_status status = solve(c, test, N);
            said[run] = test->messages[ST_WARNING] + test->messages[ST_ERROR];
            if (status == ST_OK) assert_int_equal(solve(c, test, N), ST_OK);
            assert_int_equal(st_scene_reset(test->scene), ST_OK);
        }
        if (said[0] != said[1]) fail_choice(c, matrices[m].name, "says something else after a reset", test);
        test_scene_destroy(test);
    }
}

static void test_messages_after_a_reset(void **unused) {
    (void)unused;
    visit_all(check_reset);
}

// Numbers that are none do not come through the scene's text; a component may make them.
static void check_not_finite(const choice *c) {
    st_real a[N * N] = {0};
    definite(a);
    test_scene *test = scene_of(c, N, a);
    size_t count, width;
    st_real *values = (st_real *)st_object_reals(st_scene_find(test->scene, "/body/matrix"), "values", &count, &width);
    assert_true(values && count * width == N * N);
    values[4 * N + 5] = values[5 * N + 4] = values[4 * N + 4] = (st_real)NAN;
    const st_status status = solve(c, test, N);
    if (!refuses_ordering(c, test, status)) {
        if (status != ST_FAILED) fail_choice(c, "not finite", "is not refused", test);
        if (ops_of(c->type)->invert && !test_count(test, " of DOF 1 of /body/dofs"))
            fail_choice(c, "not finite", "does not name the DOF", test);
        if (!test_count(test, "not finite")) fail_choice(c, "not finite", "does not say so", test);
    }
    test_scene_destroy(test);
}

static void test_numbers_that_are_none(void **unused) {
    (void)unused;
    visit_all(check_not_finite);
}

static void check_small(const choice *c) {
    const st_real four = 4;
    test_scene *test = scene_of(c, 1, &four);
    const st_status status = solve(c, test, 1);
    const bool frames = strcmp(c->type->name, "BTDLinearSolver") == 0; // six unknowns at a time
    if (frames) assert_true(status == ST_FAILED && test_count(test, "not a multiple of 6") == 1);
    else if (!refuses_ordering(c, test, status)) {
        if (status != ST_OK || !(fabs(test_solver(test, "/s")->system->solution[0] - (st_real)0.25) < SOLVED))
            fail_choice(c, "1 x 1", "is not solved", test);
    }
    test_scene_destroy(test);
    test = scene_of(c, 0, NULL);
    const st_status empty = solve(c, test, 0);
    if (empty != ST_OK && !refuses_ordering(c, test, empty)) fail_choice(c, "empty", "is not solved", test);
    test_scene_destroy(test);
}

static void test_one_unknown_and_none(void **unused) {
    (void)unused;
    visit_all(check_small);
}

// ---------------------------------------------------------------------------------------------------
// Constraint products
// ---------------------------------------------------------------------------------------------------

enum { ROWS = 7 };
static const size_t starts[ROWS + 1] = {0, 2, 2, 5, 7, 9, 11, 12};
static const int32_t columns[] = {1, 7, /**/ 5, 5, 5, /**/ 3, 8, /**/ 1, 7, /**/ 11, 0, /**/ 10};
static const st_real values[] = {1,
                                 -2,
                                 /* the same column */ 3,
                                 (st_real)-0.5,
                                 1,
                                 /* zeros */ 0,
                                 0,
                                 /* as the first */ 1,
                                 -2,
                                 /* not in order */ 2,
                                 1,
                                 1};

static void expected_compliance(const st_real *a, st_real factor, st_real *w) {
    for (size_t r = 0; r < ROWS; r++) {
        st_real b[N] = {0};
        for (size_t k = starts[r]; k < starts[r + 1]; k++) b[columns[k]] += values[k];
        st_real *x = test_dense_solve(N, a, b);
        for (size_t o = 0; o < ROWS; o++)
            for (size_t k = starts[o]; k < starts[o + 1]; k++) w[o * ROWS + r] += factor * values[k] * x[columns[k]];
        st_free(x);
    }
}

static void check_compliance(const choice *c) {
    st_real a[N * N] = {0}, w[ROWS * ROWS], expected[ROWS * ROWS];
    const st_sparse_rows h = {ROWS, starts, columns, values};
    (is_preconditioner(c->type) ? diagonal : definite)(a);
    for (int k = 0; k < ROWS * ROWS; k++) w[k] = expected[k] = (st_real)(k % 3); // it is added to
    expected_compliance(a, (st_real)1.5, expected);
    test_scene *test = scene_of(c, N, a);
    const st_status status = solve(c, test, N);
    if (!refuses_ordering(c, test, status)) {
        if (status != ST_OK) fail_choice(c, "positive definite", "is not solved", test);
        assert_int_equal(st_linear_solver_compliance(test_solver(test, "/s"), &h, (st_real)1.5, w), ST_OK);
        for (int k = 0; k < ROWS * ROWS; k++)
            if (!(fabs(w[k] - expected[k]) <= SOLVED)) fail_choice(c, "positive definite", "another W", test);
        for (int k = 0; k < ROWS; k++) assert_true(w[ROWS + k] == (st_real)((ROWS + k) % 3)); // of the empty row
    }
    test_scene_destroy(test);
}

static void test_constraint_products(void **unused) {
    (void)unused;
    visit_all(check_compliance);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_matrix),          cmocka_unit_test(test_messages_after_a_reset),
        cmocka_unit_test(test_numbers_that_are_none), cmocka_unit_test(test_one_unknown_and_none),
        cmocka_unit_test(test_constraint_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
