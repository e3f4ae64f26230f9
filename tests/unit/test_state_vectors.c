// What the vectors of a state hold at the end of a step: those of a state that an integrator moves, of one that it does not
// move (an obstacle), and of a mapped one.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

static const st_real *vector_of(physics_scene *test, const char *path, const char *name, size_t *count) {
    size_t width;
    return st_object_reals(physics_find(test, path), name, count, &width);
}

static void assert_vector(physics_scene *test, const char *path, const char *name, const st_real *expected) {
    size_t count = 0;
    const st_real *values = vector_of(test, path, name, &count);
    if (count == 0) fail_msg("%s of %s is empty", name, path);
    assert_reals(values, 3, expected, ST_R(1e-4));
}

// A spring to the origin, k = 100, m = 2, by explicit Euler: v' = v + h f / m, x' = x + h v' with f at the beginning.
#define FALLING                                                                                                        \
    "<Node name='body'><EulerExplicitSolver/><MechanicalObject name='dofs' position='1 0 0' velocity='0 1 0'"          \
    " externalForce='0 0 4'/><UniformMass totalMass='2'/>"                                                             \
    "<RestShapeSpringsForceField stiffness='100' external_rest_shape='@../fixed/dofs'/>"                               \
    "<Node name='child'><MechanicalObject name='dofs'/><IdentityMapping/></Node></Node>"                               \
    "<Node name='fixed'><MechanicalObject name='dofs' position='0 0 0'/></Node>"

static void the_end_of_a_step(void **state) {
    (void)state;
    physics_scene *test = physics_load(FALLING);
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);

    // f = -k x + m g + the external force, of the evaluation at the beginning of the step
    const st_real v[3] = {ST_R(-0.5), ST_R(0.9), ST_R(0.02)}, x[3] = {ST_R(0.995), ST_R(0.009), ST_R(0.0002)};
    assert_vector(test, "/body/dofs", "force", (st_real[]){-100, -20, 4});
    assert_vector(test, "/body/dofs", "velocity", v);
    assert_vector(test, "/body/dofs", "position", x);
    assert_vector(test, "/body/dofs", "rest_position", (st_real[]){1, 0, 0});
    assert_vector(test, "/body/dofs", "reset_position", (st_real[]){1, 0, 0});
    assert_vector(test, "/body/child/dofs", "velocity", v); // mapped once more at the end
    assert_vector(test, "/body/child/dofs", "position", x);

    // an external force lives one step; without constraints there is no free motion
    size_t count = 1;
    vector_of(test, "/body/dofs", "externalForce", &count);
    assert_int_equal(count, 0);
    vector_of(test, "/body/dofs", "free_position", &count);
    assert_int_equal(count, 0);
    assert_field(test, "/body/dofs", "constraint", "");
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    assert_vector(test, "/body/dofs", "force", (st_real[]){ST_R(-99.5), ST_R(-20.9), ST_R(-0.02)});
    physics_free(test);
}

// With constraints the free motion is that before they act, and `constraint` holds their rows.
static void free_motion(void **state) {
    (void)state;
    physics_scene *test = calloc(1, sizeof *test);
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    test->scene = st_scene_create(&config);
    static const char text[] =
        "<Node dt='0.01' gravity='0 -10 0'><FreeMotionAnimationLoop/>"
        "<BlockGaussSeidelConstraintSolver maxIterations='100' tolerance='1e-9'/><Node name='body'>"
        "<EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='dofs' position='0 1 0'/>"
        "<UniformMass totalMass='1'/><FixedLagrangianConstraint indices='0'/><LinearSolverConstraintCorrection/></Node>"
        "</Node>";
    assert_true(st_succeeded(st_scene_load_text(test->scene, text, strlen(text), NULL)));
    assert_true(st_succeeded(st_scene_init(test->scene)));
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);

    assert_vector(test, "/body/dofs", "free_velocity", (st_real[]){0, ST_R(-0.1), 0});
    assert_vector(test, "/body/dofs", "free_position", (st_real[]){0, ST_R(0.999), 0});
    assert_vector(test, "/body/dofs", "position", (st_real[]){0, 1, 0});
    assert_vector(test, "/body/dofs", "velocity", (st_real[]){0, 0, 0});
    assert_int_equal(st_object_element_count(physics_find(test, "/body/dofs"), "constraint"), 3);
    physics_free(test);
}

#define BALL(name, place)                                                                                              \
    "<Node name='" name "'><EulerImplicitSolver rayleighMass='0.5'/>"                                                  \
    "<CGLinearSolver iterations='50' tolerance='1e-12' threshold='1e-12'/>"                                            \
    "<MechanicalObject name='dofs' position='" place "'/><UniformMass totalMass='1'/>"                                 \
    "<SphereCollisionModel radius='1' contactStiffness='10'/></Node>"

// The force on an obstacle is the opposite of what it gives, of this step alone, from all that touch it.
static void forces_on_an_obstacle_do_not_add_up(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
        "<CollisionResponse response='PenalityContactForceField'/>"
        "<MinProximityIntersection alarmDistance='0.5' contactDistance='0.2'/>" BALL("left", "-1.3 1.6 0") BALL(
            "right",
            "1.3 1.6 0") "<Node name='rock'><MechanicalObject name='dofs' position='0 0 0'/>"
                         "<SphereCollisionModel radius='1' simulated='0' moving='0' contactStiffness='10'/></Node>");
    bool touched = false;
    for (int step = 0; step < 5; step++) {
        assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        size_t count;
        const st_real *left = vector_of(test, "/left/dofs", "force", &count);
        const st_real *right = vector_of(test, "/right/dofs", "force", &count);
        const st_real *rock = vector_of(test, "/rock/dofs", "force", &count);
        for (int k = 0; k < 3; k++) // each ball has its weight, m g = -10, too
            assert_near(rock[k], -(left[k] + right[k] + (k == 1 ? 20 : 0)), ST_R(1e-6) * (1 + fabs(rock[k])));
        touched = touched || fabs(rock[1]) > 1;
    }
    assert_true(touched);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_of_a_step),
        cmocka_unit_test(free_motion),
        cmocka_unit_test(forces_on_an_obstacle_do_not_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
