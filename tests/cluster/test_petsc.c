// PetscLinearSolver in the ordinary program: its methods agree with SparseLDLSolver, runs repeat bit for bit, and what
// cannot work is refused.
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

typedef struct messages {
    char text[2048]; // warnings and errors, one after the other
    size_t warnings, errors;
} messages;

static void keep(void *user, const st_diagnostic *diagnostic) {
    messages *m = user;
    m->warnings += diagnostic->severity == ST_WARNING;
    m->errors += diagnostic->severity >= ST_ERROR;
    const size_t length = strlen(m->text);
    if (diagnostic->severity >= ST_WARNING)
        snprintf(m->text + length, sizeof m->text - length, "%s\n", diagnostic->text);
}

enum { POINTS = 4 * 4 * 10, STEPS = 3 };

// A clamped bar that bends by its weight.
static st_scene *bar(const char *solver, messages *m) {
    static const char *const paths[] = {SETTEE_BUILD "/lib/settee/plugins", NULL};
    st_config config = st_default_config();
    config.log = keep;
    config.log_user = m;
    config.plugin_paths = paths;
    st_scene *scene = st_scene_create(&config);

    char text[2048];
    snprintf(text, sizeof text,
             "<Node dt='0.02' gravity='0 -9.81 0'><RequiredPlugin name='petsc'/><DefaultAnimationLoop/>"
             "<Node name='bar'><EulerImplicitSolver rayleighStiffness='0.1'/>%s"
             "<RegularGridTopology n='4 4 10' min='0 0 0' max='1 1 3'/><MechanicalObject name='state'/>"
             "<UniformMass totalMass='100'/><BoxROI name='clamp' box='-1 -1 -0.1 2 2 0.1'/>"
             "<FixedProjectiveConstraint indices='@clamp.indices'/>"
             "<HexahedronFEMForceField youngModulus='1e5' poissonRatio='0.3' method='large'/></Node></Node>",
             solver);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    st_scene_init(scene);
    return scene;
}

static void run(st_scene *scene, st_real *x) {
    for (int i = 0; i < STEPS; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
    size_t count, width;
    const st_real *position = st_object_reals(st_scene_find(scene, "/bar/state"), "position", &count, &width);
    assert_int_equal((int)(count * width), 3 * POINTS);
    memcpy(x, position, 3 * POINTS * sizeof *x);
}

static void every_method_agrees_with_sparse_ldl(void **state) {
    (void)state;
    static const char *const solvers[] = {
        "<PetscLinearSolver method='direct'/>",
        "<PetscLinearSolver method='direct' template='CompressedRowSparseMatrixd' options='-pc_type cholesky'/>",
        "<PetscLinearSolver tolerance='1e-12'/>",
        "<PetscLinearSolver tolerance='1e-12' options='-pc_type hypre'/>",
        "<PetscLinearSolver tolerance='1e-12' template='GraphScattered'/>",
    };
    st_real expected[3 * POINTS], x[3 * POINTS];
    messages m = {0};
    st_scene *scene = bar("<SparseLDLSolver/>", &m);
    run(scene, expected);
    st_scene_destroy(scene);

    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        scene = bar(solvers[s], &m);
        run(scene, x);
        for (int i = 0; i < 3 * POINTS; i++) assert_true(fabs((double)(x[i] - expected[i])) < 1e-9);
        assert_int_equal((int)m.errors, 0);
        st_scene_destroy(scene);
    }
}

static void multigrid_takes_few_iterations_and_repeats_its_bits(void **state) {
    (void)state;
    st_real first[3 * POINTS], second[3 * POINTS];
    messages m = {0};
    st_scene *scene = bar("<PetscLinearSolver name='solver' tolerance='1e-10'/>", &m);
    run(scene, first);

    int64_t iterations = 0;
    assert_int_equal((int)st_object_get_integers(st_scene_find(scene, "/bar/solver"), "lastIterations", &iterations, 1),
                     1);
    assert_in_range((int)iterations, 1, 40);

    // again after a reset
    assert_int_equal(st_scene_reset(scene), ST_OK);
    run(scene, second);
    assert_memory_equal(first, second, sizeof first);
    st_scene_destroy(scene);
}

static void too_few_iterations_are_said(void **state) {
    (void)state;
    messages m = {0};
    st_scene *scene = bar("<PetscLinearSolver iterations='1' options='-pc_type none'/>", &m);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_int_equal((int)m.warnings, 1);
    assert_non_null(strstr(m.text, "not converged"));
    st_scene_destroy(scene);
}

static void misspelled_option_is_said(void **state) {
    (void)state;
    messages m = {0};
    st_scene *scene = bar("<PetscLinearSolver options='-ksp_tpye gmres'/>", &m);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_int_equal((int)m.warnings, 1);
    assert_non_null(strstr(m.text, "-ksp_tpye"));
    st_scene_destroy(scene);
}

static void what_cannot_work_is_refused(void **state) {
    (void)state;
    static const char *const solvers[][2] = {
        {"<PetscLinearSolver tolerance='0'/>", "tolerance"},
        {"<PetscLinearSolver method='direct' template='GraphScattered'/>", "needs a matrix"},
        {"<PetscLinearSolver options='-ksp_type nonsense'/>", "PETSc cannot"},
        {"<PetscLinearSolver options='-ksp_view ascii:found.txt'/>", "names a file"},
        {"<PetscLinearSolver options='-PREFIX_pop -log_view'/>", "names a file"},
        {"<PetscLinearSolver options='-ksp_view_mat binary'/>", "names a file"},
    };

    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        messages m = {0};
        st_scene *scene = bar(solvers[s][0], &m);
        if (m.errors == 0) assert_int_not_equal(st_scene_step(scene, 0), ST_OK);
        assert_true(m.errors > 0);
        assert_non_null(strstr(m.text, solvers[s][1]));
        st_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_agrees_with_sparse_ldl),
        cmocka_unit_test(multigrid_takes_few_iterations_and_repeats_its_bits),
        cmocka_unit_test(too_few_iterations_are_said),
        cmocka_unit_test(misspelled_option_is_said),
        cmocka_unit_test(what_cannot_work_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
