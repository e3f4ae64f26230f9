// A run after a reset is the run of a freshly loaded scene, to the bit: the matrix, its pattern, the right-hand side,
// the solution and the trajectory, for every linear system and every linear solver that is registered. Whatever a class
// caches between steps (patterns, factors, counters, first guesses) must not outlive a reset.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "api/classes.h"
#include "base/text.h"
#include "system_scene.h"

enum { STEPS = 8, STEPS_BEFORE = 5 };

// ---------------------------------------------------------------------------------------------------
// What a run leaves
// ---------------------------------------------------------------------------------------------------

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size) {
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211u;
    return hash;
}

static void add_line(st_text *to, const char *what, size_t count, uint64_t hash) {
    char line[512];
    snprintf(line, sizeof line, "%s: %zu, %016llx\n", what, count, (unsigned long long)hash);
    assert_true(st_text_append_n(to, line, strlen(line)));
}

static void add_system(st_text *to, st_system *system) {
    char name[256];
    const st_bsr *a = system->object.type->system->matrix ? system->object.type->system->matrix(system) : NULL;
    const size_t slots = a && a->starts ? a->starts[a->rows] : 0;
    uint64_t hash = 0;
    if (slots > 0) {
        hash = hash_bytes(hash, a->starts, ((size_t)a->rows + 1) * sizeof *a->starts);
        hash = hash_bytes(hash, a->columns, slots * sizeof *a->columns);
        hash = hash_bytes(hash, a->values, slots * st_bsr_area(a) * sizeof *a->values);
    }
    snprintf(name, sizeof name, "blocks of %s", st_path(&system->object));
    add_line(to, name, slots, hash);
    if (!system->rhs || !system->solution) return;
    hash = hash_bytes(0, system->rhs, system->size * sizeof *system->rhs);
    snprintf(name, sizeof name, "rhs of %s", st_path(&system->object));
    add_line(to, name, system->size, hash);
    hash = hash_bytes(0, system->solution, system->size * sizeof *system->solution);
    snprintf(name, sizeof name, "solution of %s", st_path(&system->object));
    add_line(to, name, system->size, hash);
}

static bool collect(void *user, const char *text, size_t length) { return st_text_append_n(user, text, length); }

// One step, and what it left, in text. False: it failed.
static bool run_step(test_scene *test, st_text *to) {
    const st_writer writer = {collect, to};
    st_object *object;
    if (st_scene_step(test->scene, 0) != ST_OK) return false;
    for (size_t i = 0; (object = st_scene_object(test->scene, i)); i++)
        if (st_has_role(object, ST_ROLE(system))) add_system(to, (st_system *)object);
    assert_int_equal(st_scene_dump_states(test->scene, 0, &writer), ST_OK);
    return true;
}

static bool run(test_scene *test, int steps, st_text *to) {
    bool ok = true;
    for (int i = 0; ok && i < steps; i++) ok = run_step(test, to);
    return ok;
}

static void explain(const char *scene, const st_text *fresh, const st_text *again) {
    const char *a = fresh->data, *b = again->data;
    while (*a && *a == *b) a++, b++;
    while (a > fresh->data && a[-1] != '\n') a--, b--;
    fail_msg("after a reset %.200s\nfresh %.200s\n%s", b, a, scene);
}

static void reset_and_compare(const char *scene, test_scene *test, const st_text *fresh) {
    st_text again = {0};
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_true(run(test, STEPS, &again));
    if (strcmp(fresh->data, again.data) != 0) explain(scene, fresh, &again);
    st_text_free(&again);
}

static test_scene *create(const char *scene, bool compat) {
    test_scene *test = test_scene_create(scene, false, 1);
    test->scene->compat = compat;
    return test;
}

// False: the scene has errors.
static bool check_reset(const char *scene, bool compat) {
    st_text fresh = {0}, before = {0};
    test_scene *first = create(scene, compat), *second = create(scene, compat);
    const bool good = run(first, STEPS, &fresh) && first->messages[ST_ERROR] == 0;
    if (good) {
        assert_true(run(second, STEPS_BEFORE, &before));
        reset_and_compare(scene, second, &fresh);
    }
    st_text_free(&fresh);
    st_text_free(&before);
    test_scene_destroy(first);
    test_scene_destroy(second);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Every class
// ---------------------------------------------------------------------------------------------------

// A body that turns and bends, with a part on mapped points; the loads change what the solvers find.
#define BODY                                                                                                           \
    "<RegularGridTopology n='3 3 6' min='0 0 0' max='1 1 3'/><MechanicalObject name='dofs'/>"                          \
    "<UniformMass totalMass='10'/><FixedProjectiveConstraint indices='0 1 2 3 4 5 6 7 8'/>"                            \
    "<TetrahedronFEMForceField youngModulus='2000' poissonRatio='0.3' method='large'/>"                                \
    "<ConstantForceField indices='50 53' forces='0 -40 0  20 -40 5'/>"                                                 \
    "<Node name='inner'><MechanicalObject position='0.2 0.3 2.5  0.7 0.6 2.9'/><BarycentricMapping/>"                  \
    "<SpringForceField spring='0 1 200 1 0.3'/></Node>"

static const char *attributes_of(const st_class *type) {
    static const struct {
        const char *name, *text;
    } needed[] = {
        {"iterations", "iterations='60'"},
        {"tolerance", "tolerance='1e-8'"},
        {"threshold", "threshold='1e-12'"},
        {"use_file", "use_file='0'"},
    };
    static char text[256];
    text[0] = '\0';
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        for (size_t f = 0; f < st_resolved(type)->field_count; f++)
            if (strcmp(st_resolved(type)->fields[f]->name, needed[i].name) == 0) {
                strcat(text, " ");
                strcat(text, needed[i].text);
            }
    return text;
}

// As the solver of the integrator, or as a preconditioner, or with a system of its own to warp.
static const char *const solver_scenes[] = {
    BODY "<EulerImplicitSolver rayleighStiffness='0.05'/><%s name='solver' %s/>",
    BODY "<EulerImplicitSolver/><PCGLinearSolver iterations='60' tolerance='1e-9' preconditioner='@solver'/>"
         "<%s name='solver' %s/>",
    BODY "<EulerImplicitSolver/><PCGLinearSolver iterations='60' tolerance='1e-9' preconditioner='@solver'/>"
         "<RotationMatrixSystem name='rotations' mainSystem='@A' assemblingRate='3'/><MatrixLinearSystem name='A'/>"
         "<%s name='solver' linearSystem='@rotations' linearSolver='@ldl' %s/>"
         "<SparseLDLSolver name='ldl' linearSystem='@A'/>",
};

static const char *const system_scenes[] = {
    BODY "<EulerImplicitSolver/><%s name='system' %s/><SparseLDLSolver linearSystem='@system'/>",
    BODY "<EulerImplicitSolver/><%s name='system' %s/>"
         "<CGLinearSolver iterations='60' tolerance='1e-8' threshold='1e-12' linearSystem='@system'/>",
    BODY
    "<EulerImplicitSolver/><%s name='system' assemblingRate='3' %s/><PCGLinearSolver iterations='60' tolerance='1e-9' "
    "linearSystem='@system' preconditioner='@ssor'/><SSORPreconditioner name='ssor'/>",
    BODY "<EulerImplicitSolver/><PCGLinearSolver iterations='60' tolerance='1e-9' preconditioner='@warp'/>"
         "<%s name='system' mainSystem='@A' assemblingRate='3' %s/><MatrixLinearSystem name='A'/>"
         "<WarpPreconditioner name='warp' linearSystem='@system' linearSolver='@ldl'/>"
         "<SparseLDLSolver name='ldl' linearSystem='@A'/>",
    BODY
    "<EulerImplicitSolver/><MatrixLinearSystem name='A'/><ConstantSparsityPatternSystem name='K' assembleMass='0'/>"
    "<%s name='system' linearSystems='@A @K' solverLinearSystem='@A' %s/><SparseLDLSolver "
    "linearSystem='@system'/>",
    BODY "<EulerImplicitSolver/><PCGLinearSolver iterations='60' tolerance='1e-9' preconditioner='@warp'/>"
         "<%s name='system' %s/><PrecomputedWarpPreconditioner name='warp' use_file='0' linearSystem='@system'/>",
};

static void check_class(const st_class *type, const char *const *scenes, size_t count) {
    size_t good = type->example && strstr(type->example, "Solver") && check_reset(type->example, true);
    for (size_t i = 0; i < count; i++) {
        char text[4096];
        snprintf(text, sizeof text, scenes[i], type->name, attributes_of(type));
        good += (size_t)check_reset(text, true) + check_reset(text, false);
    }
    if (good == 0) fail_msg("no scene of this test fits %s", type->name);
}

static void every_registered_class_starts_over(void **unused) {
    (void)unused;
    test_scene *registry = test_scene_create("", false, 1);
    size_t systems = 0, solvers = 0;
    for (size_t i = 0; st_builtin_classes[i]; i++) {
        const st_class *type = st_registry_find(registry->scene, st_builtin_classes[i]->name);
        if (!type || (type->flags & ST_CLASS_ABSTRACT)) continue;
        if (type->system) check_class(type, system_scenes, sizeof system_scenes / sizeof *system_scenes);
        if (type->linear_solver) check_class(type, solver_scenes, sizeof solver_scenes / sizeof *solver_scenes);
        systems += type->system != NULL;
        solvers += type->linear_solver != NULL;
    }
    assert_true(systems >= 7 && solvers >= 18);
    test_scene_destroy(registry);
}

// What an attribute makes a solver keep.
static void what_attributes_keep_starts_over(void **unused) {
    (void)unused;
    static const char *const scenes[] = {
        BODY "<EulerImplicitSolver/><CGLinearSolver warmStart='1' iterations='9' tolerance='1e-9' threshold='1e-9'/>",
        BODY "<EulerImplicitSolver/><CGLinearSolver template='CompressedRowSparseMatrixMat3x3d' warmStart='1' "
             "iterations='9' "
             "tolerance='1e-9' threshold='1e-9'/>",
        BODY "<EulerImplicitSolver/><CGLinearSolver iterations='25' tolerance='1e-5' threshold='1e-5'/>",
        BODY "<EulerImplicitSolver/><CGLinearSolver iterations='200' tolerance='1e-12' threshold='1e-12'/>",
        BODY "<EulerImplicitSolver/><MinResLinearSolver iterations='9' tolerance='1e-9'/>",
        BODY "<EulerImplicitSolver/><PCGLinearSolver iterations='9' tolerance='1e-9' preconditioner='@p'/>"
             "<PreconditionedMatrixFreeSystem assemblingRate='4'/><BlockJacobiPreconditioner name='p'/>",
        BODY "<EulerImplicitSolver/><PCGLinearSolver iterations='9' tolerance='1e-9' preconditioner='@p'/>"
             "<PrecomputedWarpPreconditioner name='p' use_file='0' linearSystem='@A'/><MatrixLinearSystem name='A'/>",
        BODY "<StaticSolver/><NewtonRaphsonSolver maxNbIterationsNewton='3'/><SparseLDLSolver/>",
        BODY "<NewmarkImplicitSolver/><SparseLDLSolver/>",
        BODY "<BDFOdeSolver order='2'/><NewtonRaphsonSolver maxNbIterationsNewton='3'/><SparseLDLSolver/>",
        BODY "<VariationalSymplecticSolver/><CGLinearSolver iterations='30' tolerance='1e-8' threshold='1e-8'/>",
        BODY "<EulerImplicitSolver/><SparseLDLSolver library='cholmod'/>",
        BODY "<EulerImplicitSolver/><EigenSparseLU library='klu'/>",
        BODY "<EulerImplicitSolver/><PCGLinearSolver use_precond='0' iterations='200' tolerance='1e-30'/>",
        // the first solve of all makes one step whatever the threshold
        BODY "<EulerImplicitSolver/><CGLinearSolver iterations='9' tolerance='1e-9' threshold='1e9'/>",
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (!check_reset(scenes[i], true)) fail_msg("a scene of this test has errors: %s", scenes[i]);
}

// ---------------------------------------------------------------------------------------------------
// Patterns
// ---------------------------------------------------------------------------------------------------

// A pattern that grew in the first run is not that of the second one: neither the order of elimination nor the bits of
// the solution may remember it.
static void a_grown_pattern_is_forgotten(void **unused) {
    (void)unused;
    static const char scene[] =
        "<EulerImplicitSolver/><ConstantSparsityPatternSystem name='system'/><SparseLDLSolver linearSystem='@system'/>"
        "<MechanicalObject template='Vec3' size='9' velocity='1 2 3 4 5 6 7 8 9'/><TestMass masses='1 2 3'/>"
        "<TestForce name='force' edges='0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8' stiffness='10'/>";
    test_scene *first = test_scene_create(scene, false, 1), *second = test_scene_create(scene, false, 1);
    st_text fresh = {0}, before = {0};
    assert_true(run(first, STEPS, &fresh) && run(second, 1, &before));
    test_set(second, "/force", "mode", "1"); // a block between the first and the last DOF
    assert_true(run(second, 1, &before));
    assert_null(strstr(fresh.data, "blocks of /system: 27,"));
    assert_non_null(strstr(fresh.data, "blocks of /system: 25,"));
    assert_non_null(strstr(before.data, "blocks of /system: 27,"));
    test_set(second, "/force", "mode", "0");
    reset_and_compare(scene, second, &fresh);
    st_text_free(&fresh);
    st_text_free(&before);
    test_scene_destroy(first);
    test_scene_destroy(second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_registered_class_starts_over),
        cmocka_unit_test(what_attributes_keep_starts_over),
        cmocka_unit_test(a_grown_pattern_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
