// Picking by a ray, and pulling at what was picked (settee/pick.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/vec3.h"
#include "scene/scene.h"
#include "settee/pick.h"

#define PHASES                                                                                                         \
    "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><CollisionResponse response='nullptr'/>"              \
    "<MinProximityIntersection alarmDistance='0.01' contactDistance='0.005'/>"
#define SOLVERS "<EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-12' threshold='1e-12'/>"
#define CUBE(name, place, model)                                                                                       \
    "<Node name='" name "'>" SOLVERS "<MechanicalObject name='dofs' template='Rigid3' position='" place                \
    " 0 0 0 1'/><UniformMass totalMass='2'/>" model "</Node>"
#define SHEET                                                                                                          \
    "<Node name='sheet'>" SOLVERS "<MeshTopology position='0 0 0  2 0 0  0 2 0' triangles='0 1 2'/>"                   \
    "<MechanicalObject name='dofs'/><UniformMass totalMass='3'/><TriangleCollisionModel name='skin'/></Node>"
#define BOX "<OBBCollisionModel name='skin' extents='0.5 0.5 0.5'/>"

static st_pick pick_along(physics_scene *test, st_real x, st_real y, st_real z, st_real dx, st_real dy, st_real dz) {
    st_pick pick;
    memset(&pick, 0, sizeof pick);
    const st_real origin[3] = {x, y, z}, direction[3] = {dx, dy, dz};
    assert_int_equal(st_scene_pick(test->scene, origin, direction, &pick), ST_OK);
    return pick;
}

static st_real *x_of(physics_scene *test, const char *path) {
    return physics_state(test, path)->coord[ST_COORD_POSITION].data;
}

static void pick_steps(physics_scene *test, int count) {
    for (int i = 0; i < count; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
}

// Without gravity.
static physics_scene *load_floating(const char *children) {
    physics_scene *test = calloc(1, sizeof *test);
    assert_non_null(test);
    char text[4096];
    const int length = snprintf(text, sizeof text, "<Node name='root' gravity='0 0 0' dt='0.01'>%s</Node>", children);
    assert_true(length > 0 && (size_t)length < sizeof text);
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    test->scene = st_scene_create(&config);
    assert_true(st_succeeded(st_scene_load_text(test->scene, text, (size_t)length, NULL)));
    assert_true(st_succeeded(st_scene_init(test->scene)));
    return test;
}

// The first of two bodies along the ray, obstacles left out, with the weights of the point.
static void the_first_body_is_picked(void **state) {
    (void)state;
    physics_scene *test = load_floating(PHASES SHEET CUBE("box", "0.5 0.5 -3", BOX) CUBE(
        "ball", "9 0 0",
        "<SphereCollisionModel name='skin' radius='1'/>") "<Node name='points'>" SOLVERS
                                                          "<MechanicalObject name='dofs' position='0 9 0  5 9 "
                                                          "0'/><UniformMass/><SphereCollisionModel name='skin' "
                                                          "radius='0.5'/></Node><Node name='wall'><MeshTopology "
                                                          "position='-9 -9 4  9 -9 4  0 9 4' triangles='0 1 "
                                                          "2'/><MechanicalObject/><TriangleCollisionModel "
                                                          "simulated='0'/></Node>");
    pick_steps(test, 1);

    // through the wall, which is an obstacle
    st_pick pick = pick_along(test, ST_R(0.5), ST_R(0.5), 10, 0, 0, -3);
    assert_ptr_equal(pick.model, physics_find(test, "/sheet/skin"));
    assert_ptr_equal(pick.state, physics_find(test, "/sheet/dofs"));
    assert_int_equal(pick.count, 3);
    assert_near(pick.weights[0], ST_R(0.5), 10 * ST_REAL_EPSILON);
    assert_near(pick.weights[1], ST_R(0.25), 10 * ST_REAL_EPSILON);
    assert_near(pick.weights[2], ST_R(0.25), 10 * ST_REAL_EPSILON);
    assert_near(pick.distance, 10, 100 * ST_REAL_EPSILON);

    // from behind, the box comes first
    pick = pick_along(test, ST_R(0.6), ST_R(0.4), -10, 0, 0, 1);
    assert_ptr_equal(pick.model, physics_find(test, "/box/skin"));
    assert_near(pick.point[2], ST_R(-3.5), 10 * ST_REAL_EPSILON);
    assert_near(pick.local[0], ST_R(0.1), 10 * ST_REAL_EPSILON);
    assert_near(pick.local[2], ST_R(-0.5), 10 * ST_REAL_EPSILON);

    // spheres: around a frame, and the second of two points
    pick = pick_along(test, 9, 0, 5, 0, 0, -1);
    assert_ptr_equal(pick.model, physics_find(test, "/ball/skin"));
    assert_near(pick.local[2], 1, 100 * ST_REAL_EPSILON);
    pick = pick_along(test, 5, 20, 0, 0, -1, 0);
    assert_ptr_equal(pick.model, physics_find(test, "/points/skin"));
    assert_int_equal(pick.element, 1);
    assert_near(pick.point[1], ST_R(9.5), 100 * ST_REAL_EPSILON);
    assert_near(pick.local[1], ST_R(0.5), 100 * ST_REAL_EPSILON);
    physics_free(test);
}

// Without a body along the ray: the nearest DOF, the first of several, ahead of the origin; tags and obstacles.
static void else_the_nearest_particle(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<Node name='a'><MechanicalObject name='dofs' position='0 0 -5  0 0 3  0 0 6  1 0 1'/></Node>"
                     "<Node name='hidden'><MechanicalObject name='dofs' tags='NoPicking' position='0 0 1'/></Node>"
                     "<Node name='wall'><MechanicalObject name='dofs' position='0 0 2'/><SphereCollisionModel "
                     "simulated='0'/></Node>");
    st_pick pick = pick_along(test, 0, 0, 0, 0, 0, 1);
    assert_null(pick.model);
    assert_ptr_equal(pick.state, physics_find(test, "/a/dofs"));
    assert_int_equal(pick.dofs[0], 1);
    assert_near(pick.distance, 3, 10 * ST_REAL_EPSILON);

    const st_real origin[3] = {0, 0, 0}, up[3] = {0, 0, 1}, away[3] = {-1, 0, 0}, none[3] = {0, 0, 0};
    const st_real bad[3] = {0, NAN, 1};
    st_pick untouched = {.element = 77};
    assert_int_equal(st_scene_pick(test->scene, origin, away, &untouched), ST_NOT_FOUND);
    assert_int_equal(st_scene_pick(test->scene, origin, none, &untouched), ST_INVALID);
    assert_int_equal(st_scene_pick(test->scene, origin, bad, &untouched), ST_INVALID);
    assert_int_equal(st_scene_pick(test->scene, bad, up, &untouched), ST_INVALID);
    assert_int_equal(st_scene_pick(NULL, origin, up, &untouched), ST_INVALID);
    assert_int_equal(untouched.element, 77);
    physics_free(test);
}

static void place_of_pick(physics_scene *test, const st_pick *pick, st_real at[3]) {
    const st_state *s = (const st_state *)pick->state;
    (void)test;
    st_vec3_zero(at);
    for (size_t i = 0; i < pick->count; i++)
        st_vec3_add_scaled(at, at, s->coord[ST_COORD_POSITION].data + 3 * (size_t)pick->dofs[i], pick->weights[i]);
}

// The point goes to its target, and once released it goes on as it was.
static void a_pulled_point_follows(void **state) {
    (void)state;
    physics_scene *test = load_floating(PHASES SHEET CUBE("box", "9 0 0", BOX));
    pick_steps(test, 1);
    const st_pick pick = pick_along(test, ST_R(0.4), ST_R(0.7), 5, 0, 0, -1);
    st_object *spring = NULL;
    assert_int_equal(st_pick_attach(&pick, 2000, &spring), ST_OK);

    // without a pull nothing moves
    pick_steps(test, 3);
    st_real at[3];
    place_of_pick(test, &pick, at);
    assert_near(st_vec3_distance(at, pick.point), 0, ST_R(1e-5));

    const st_real target[3] = {ST_R(0.4), ST_R(0.7), ST_R(0.5)};
    assert_int_equal(st_pick_move(spring, target), ST_OK);
    pick_steps(test, 400);
    place_of_pick(test, &pick, at);
    assert_near(st_vec3_distance(at, target), 0, ST_R(2e-2));

    // free: the momentum stays
    assert_int_equal(st_pick_release(spring), ST_OK);
    assert_int_equal(st_pick_move(spring, target), ST_INVALID);
    assert_int_equal(st_pick_release(spring), ST_INVALID);
    const st_real *v = physics_state(test, "/sheet/dofs")->deriv[ST_DERIV_VELOCITY].data;
    st_real before[9];
    memcpy(before, v, sizeof before);
    pick_steps(test, 5);
    for (int i = 0; i < 9; i++) assert_near(v[i], before[i], 100 * ST_REAL_EPSILON);
    physics_free(test);
}

// A frame pulled at a corner turns: the corner follows, and the force is that of the spring.
static void a_pulled_frame_turns(void **state) {
    (void)state;
    physics_scene *test = load_floating(PHASES SHEET CUBE("box", "9 0 0", BOX));
    pick_steps(test, 1);
    const st_pick pick = pick_along(test, ST_R(9.4), ST_R(0.3), 5, 0, 0, -1);
    st_object *spring = NULL;
    assert_int_equal(st_pick_attach(&pick, 500, &spring), ST_OK);
    const st_real target[3] = {ST_R(9.4), ST_R(1.3), ST_R(0.5)};
    assert_int_equal(st_pick_move(spring, target), ST_OK);

    // F = k, M = r × F with r = (0.4, 0.3, 0.5)
    pick_steps(test, 1);
    size_t count, width;
    const st_real *f = st_object_reals(spring, "force", &count, &width);
    assert_near(f[0], 0, ST_R(1e-3));
    assert_near(f[1], 500, ST_R(0.1));
    const st_real *v = physics_state(test, "/box/dofs")->deriv[ST_DERIV_VELOCITY].data;
    assert_true(v[1] > 0 && v[3] < 0 && v[5] > 0);
    pick_steps(test, 600);
    const st_real *frame = x_of(test, "/box/dofs");
    assert_true(st_vec3_distance(frame, target) < 1);
    assert_int_equal(st_pick_release(spring), ST_OK);
    physics_free(test);
}

// One spring serves picks one after the other; two at a time are two.
static void springs_are_used_again(void **state) {
    (void)state;
    physics_scene *test = physics_load(PHASES SHEET CUBE("box", "9 0 0", BOX));
    pick_steps(test, 1);
    const st_pick pick = pick_along(test, ST_R(0.4), ST_R(0.7), 5, 0, 0, -1);
    st_object *first = NULL, *second = NULL;
    for (int i = 0; i < 20; i++) {
        st_object *spring = NULL;
        assert_int_equal(st_pick_attach(&pick, (st_real)(10 + i), &spring), ST_OK);
        if (i == 0) first = spring;
        assert_ptr_equal(spring, first);
        pick_steps(test, 1);
        assert_int_equal(st_pick_release(spring), ST_OK);
    }
    assert_int_equal(test->scene->removed.count, 1);
    assert_int_equal(st_pick_attach(&pick, 10, &first), ST_OK);
    assert_int_equal(st_pick_attach(&pick, 10, &second), ST_OK);
    assert_ptr_not_equal(first, second);
    pick_steps(test, 2);

    // what makes no sense
    st_pick wrong = pick;
    wrong.dofs[1] = 3;
    assert_int_equal(st_pick_attach(&wrong, 10, &second), ST_INVALID);
    wrong = pick;
    wrong.count = 5;
    assert_int_equal(st_pick_attach(&wrong, 10, &second), ST_INVALID);
    wrong = pick;
    wrong.weights[0] = NAN;
    assert_int_equal(st_pick_attach(&wrong, 10, &second), ST_INVALID);
    assert_int_equal(st_pick_attach(&pick, 0, &second), ST_INVALID);
    assert_int_equal(st_pick_attach(&pick, NAN, &second), ST_INVALID);
    assert_int_equal(st_pick_move((st_object *)pick.state, pick.point), ST_INVALID);
    assert_int_equal(st_pick_move(first, (st_real[3]){0, INFINITY, 0}), ST_INVALID);
    physics_free(test);
}

// The body goes while it is held: steps go on, the spring can be moved and released, and its pick is worth nothing.
static void removed_bodies_are_safe(void **state) {
    (void)state;
    physics_scene *test = physics_load(PHASES SHEET CUBE("box", "9 0 0", BOX));
    pick_steps(test, 1);
    const st_pick sheet = pick_along(test, ST_R(0.4), ST_R(0.7), 5, 0, 0, -1);
    const st_pick box = pick_along(test, 9, 0, 5, 0, 0, -1);
    st_object *one = NULL, *two = NULL;
    assert_int_equal(st_pick_attach(&sheet, 100, &one), ST_OK);
    assert_int_equal(st_pick_attach(&box, 100, &two), ST_OK);
    pick_steps(test, 2);

    // a whole node, and a state alone
    assert_int_equal(st_node_remove(st_scene_find_node(test->scene, "/sheet")), ST_OK);
    assert_int_equal(st_object_remove(physics_find(test, "/box/dofs")), ST_OK);
    for (int i = 0; i < 3; i++) st_scene_step(test->scene, 0);
    assert_int_equal(st_pick_move(one, sheet.point), ST_OK);
    assert_int_equal(st_pick_release(one), ST_OK);
    assert_int_equal(st_pick_release(two), ST_OK);
    assert_int_equal(st_pick_attach(&sheet, 100, &one), ST_INVALID);
    assert_int_equal(st_pick_attach(&box, 100, &one), ST_INVALID);
    st_pick none;
    assert_int_equal(st_scene_pick(test->scene, sheet.point, (st_real[3]){0, 0, 1}, &none), ST_NOT_FOUND);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_body_is_picked), cmocka_unit_test(else_the_nearest_particle),
        cmocka_unit_test(a_pulled_point_follows),   cmocka_unit_test(a_pulled_frame_turns),
        cmocka_unit_test(springs_are_used_again),   cmocka_unit_test(removed_bodies_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
