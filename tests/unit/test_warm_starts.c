// Where solvers start from, as the specification says it. With no iterations the multipliers of a step are those that it
// starts from:
//
//     pairs of points, fixed points     from those of the last step, where W is assembled; unbuilt from 0
//     pairs of frames                   from 0
//     contacts                          from 0; of LCPConstraintSolver from those of the last step, from the third on
//
// And the numbers that a ContactListener has of the contacts.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/real.h"
#include "settee/plugin/constraint.h"

#define SOLVER "<EulerImplicitSolver/><SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/>"
#define POINT                                                                                                          \
    "<Node name='anchor'><MechanicalObject name='dofs' position='0 0 0'/></Node>"                                      \
    "<Node name='body'>" SOLVER "<MechanicalObject name='dofs' position='0 0 0'/><UniformMass totalMass='2'/>"         \
    "<UncoupledConstraintCorrection defaultCompliance='0.5'/>"
#define FRAME                                                                                                          \
    "<Node name='anchor'><MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1'/></Node>"            \
    "<Node name='body'>" SOLVER "<MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1'/>"           \
    "<UniformMass totalMass='2'/><UncoupledConstraintCorrection/>"
#define BILATERAL                                                                                                      \
    "</Node><BilateralLagrangianConstraint object1='@anchor/dofs' object2='@body/dofs' first_point='0' "               \
    "second_point='0'/>"
#define CONTACT                                                                                                        \
    "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"                                                     \
    "<MinProximityIntersection alarmDistance='0.3' contactDistance='0.1'/>"                                            \
    "<CollisionResponse response='FrictionContactConstraint' responseParams='mu=0.3'/>"                                \
    "<Node name='floor'><MeshTopology position='-5 0 -5  5 0 -5  5 0 7  -5 0 7' triangles='0 2 1  0 3 2'/>"            \
    "<MechanicalObject/><TriangleCollisionModel name='model' simulated='0' moving='0'/></Node>"                        \
    "<Node name='body'>" SOLVER "<MechanicalObject name='dofs' position='0.3 0.1 0'/><UniformMass totalMass='2'/>"     \
    "<UncoupledConstraintCorrection defaultCompliance='0.5'/><PointCollisionModel name='model'/></Node>"

static const st_real tight = sizeof(st_real) == 8 ? ST_R(1e-9) : ST_R(1e-4);
static const st_real weight = ST_R(0.2); // m g dt

static physics_scene *load(const char *solver, const char *children) {
    physics_scene *test = calloc(1, sizeof *test);
    char text[4096];
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    config.no_compat = true;
    test->scene = st_scene_create(&config);
    snprintf(text, sizeof text,
             "<Node name='root' gravity='0 -10 0' dt='0.01'><FreeMotionAnimationLoop/>"
             "<%s name='solver' tolerance='1e-12' maxIt='1000'/>%s</Node>",
             solver, children);
    assert_int_equal(st_scene_load_text(test->scene, text, strlen(text), NULL), ST_OK);
    st_scene_init(test->scene);
    return test;
}

// The largest multiplier that a step starts from, after so many steps that were solved.
static st_real start_after(physics_scene *test, int steps) {
    st_object *solver = physics_find(test, "/solver");
    for (int i = 0; i < steps; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    st_constraint_view view = st_constraint_solver_view((st_constraint_solver *)solver);
    st_real largest = 0;
    for (size_t i = 0; i < view.size; i++) largest = fmax(largest, fabs(view.force[i]));
    assert_near(largest, weight, tight * 10);

    assert_int_equal(st_object_set(solver, "maxIt", "0"), ST_OK);
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    assert_int_equal(st_object_set(solver, "maxIt", "1000"), ST_OK);
    view = st_constraint_solver_view((st_constraint_solver *)solver);
    assert_true(view.size > 0);
    largest = 0;
    for (size_t i = 0; i < view.size; i++) largest = fmax(largest, fabs(view.force[i]));
    return largest;
}

static void starts(void **state) {
    (void)state;
    static const struct {
        const char *solver, *scene;
        int steps;
        bool warm;
    } cases[] = {
        {"BlockGaussSeidelConstraintSolver", POINT BILATERAL, 1, true},
        {"BlockGaussSeidelConstraintSolver", POINT BILATERAL, 4, true},
        {"ImprovedJacobiConstraintSolver", POINT BILATERAL, 2, true},
        {"UnbuiltGaussSeidelConstraintSolver", POINT BILATERAL, 3, false},
        {"BlockGaussSeidelConstraintSolver", POINT "<FixedLagrangianConstraint indices='0'/></Node>", 2, true},
        {"BlockGaussSeidelConstraintSolver", FRAME "<FixedLagrangianConstraint indices='0'/></Node>", 2, true},
        {"UnbuiltGaussSeidelConstraintSolver", POINT "<FixedLagrangianConstraint indices='0'/></Node>", 2, false},
        {"BlockGaussSeidelConstraintSolver", FRAME BILATERAL, 3, false},
        {"BlockGaussSeidelConstraintSolver", CONTACT, 4, false},
        {"ImprovedJacobiConstraintSolver", CONTACT, 4, false},
        {"UnbuiltGaussSeidelConstraintSolver", CONTACT, 4, false},
        // ids of the first step are not found in the second one
        {"LCPConstraintSolver", CONTACT, 1, false},
        {"LCPConstraintSolver", CONTACT, 2, true},
        {"LCPConstraintSolver", CONTACT, 5, true},
        {"LCPConstraintSolver build_lcp='0'", CONTACT, 1, false},
        {"LCPConstraintSolver build_lcp='0'", CONTACT, 3, true},
        {"LCPConstraintSolver initial_guess='0'", CONTACT, 3, false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        physics_scene *test = load(cases[c].solver, cases[c].scene);
        const st_real start = start_after(test, cases[c].steps);
        if (fabs(start - (cases[c].warm ? weight : 0)) > tight * 10)
            print_message("case %zu, %s: %g\n", c, cases[c].solver, (double)start);
        assert_near(start, cases[c].warm ? weight : 0, tight * 10);

        // a reset forgets
        assert_int_equal(st_scene_reset(test->scene), ST_OK);
        assert_int_equal(st_object_set(physics_find(test, "/solver"), "maxIt", "0"), ST_OK);
        assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        const st_constraint_view view =
            st_constraint_solver_view((st_constraint_solver *)physics_find(test, "/solver"));
        for (size_t i = 0; i < view.size; i++) assert_near(view.force[i], 0, 0);
        physics_free(test);
    }
}

// A warm start shows in the sweeps of NNCG, which always makes one: it is the last one, too.
static void sweeps_are_saved(void **state) {
    (void)state;
    if (sizeof(st_real) == 4) skip(); // the tolerance is below what floats can tell
    static const char chain[] =
        "<Node name='body'>" SOLVER "<MechanicalObject name='dofs' position='0 0 0  1 0 0  2 0 0  3 0 0'/>"
        "<UniformMass totalMass='2'/><LinearSolverConstraintCorrection/><MeshSpringForceField stiffness='500'/>"
        "<FixedLagrangianConstraint indices='0 3'/><BilateralLagrangianConstraint object1='@dofs' object2='@dofs' "
        "first_point='0 1' second_point='1 2' rest_vector='1 0 0  1 0 0'/></Node>";
    static const char *const solvers[] = {"BlockGaussSeidelConstraintSolver", "NNCGConstraintSolver"};
    for (int s = 0; s < 2; s++) {
        physics_scene *test = load(solvers[s], chain);
        st_object *solver = physics_find(test, "/solver");
        int iterations[30];
        for (int i = 0; i < 30; i++) {
            assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
            char *text = st_object_get(solver, "currentIterations", 6);
            iterations[i] = atoi(text);
            st_string_free(text);
        }
        // the load is constant: the last steps start from their solution
        assert_true(iterations[0] > 4 && iterations[29] <= 2);
        physics_free(test);
    }
}

static void listener(void **state) {
    (void)state;
    physics_scene *test =
        load("LCPConstraintSolver", CONTACT "<ContactListener name='listener' collisionModel1='@body/model' "
                                            "collisionModel2='@floor/model'/>");
    st_object *object = physics_find(test, "/listener");
    size_t count, width;
    assert_field(test, "/listener", "numberOfContacts", "0");
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);

    // from the first model that is named to the second, whatever order the test of them has
    assert_field(test, "/listener", "numberOfContacts", "1");
    assert_field(test, "/listener", "elements", "0 0");
    const st_real *points = st_object_reals(object, "points", &count, &width);
    const st_real expected[6] = {ST_R(0.3), ST_R(0.1), 0, ST_R(0.3), 0, 0}, down[3] = {0, -1, 0};
    assert_int_equal(count * width, 6);
    assert_reals(points, 6, expected, tight);
    const st_real *normals = st_object_reals(object, "normals", &count, &width);
    assert_int_equal(count * width, 3);
    assert_reals(normals, 3, down, tight);
    const st_real *distances = st_object_reals(object, "distances", &count, &width);
    assert_int_equal(count, 1);
    assert_near(distances[0], 0, tight);

    // far away there is nothing to hear
    assert_int_equal(st_object_set(physics_find(test, "/body/dofs"), "position", "0 5 0"), ST_OK);
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    assert_field(test, "/listener", "numberOfContacts", "0");
    assert_field(test, "/listener", "points", "");
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts),
        cmocka_unit_test(sweeps_are_saved),
        cmocka_unit_test(listener),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
