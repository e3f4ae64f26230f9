// Loads on points: constant forces and their checks, damping, planes, shapes, torsion, forces over time, gravity of nodes.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/vec3.h"

#ifdef SETTEE_REAL_FLOAT
static const st_real small = ST_R(1e-4);
#else
static const st_real small = ST_R(1e-12);
#endif

static physics_scene *load_force(const char *dofs, const char *force) {
    char text[1024];
    snprintf(text, sizeof text, "<MechanicalObject name='dofs' %s/>%s", dofs, force);
    return physics_load(text);
}

static const char three[] = "position='0 0 0 1 0 0 2 0 0'";

static void check(physics_scene *test, size_t count, const st_real *expected, st_real tolerance) {
    physics_force(test, "/load");
    assert_reals(physics_state(test, "/dofs")->deriv[ST_DERIV_FORCE].data, count, expected, tolerance);
}

// ---------------------------------------------------------------------------------------------------
// ConstantForceField
// ---------------------------------------------------------------------------------------------------

static void total_force_is_shared(void **state) {
    (void)state;
    physics_scene *test = load_force(three, "<ConstantForceField name='load' totalForce='3 0 6'/>");
    check(test, 9, (st_real[]){1, 0, 2, 1, 0, 2, 1, 0, 2}, 0);
    physics_free(test);
}

static void one_force_for_each_index(void **state) {
    (void)state;
    physics_scene *test =
        load_force(three, "<ConstantForceField name='load' indices='0 2' forces='1 2 3' totalForce='9 9 9'/>");
    assert_int_equal(test->count[ST_WARNING], 1); // forces takes precedence over totalForce
    check(test, 9, (st_real[]){1, 2, 3, 0, 0, 0, 1, 2, 3}, 0);
    assert_field(test, "/load", "totalForce", "2 4 6");
    physics_free(test);
}

static void forces_one_by_one_from_the_end(void **state) {
    (void)state;
    physics_scene *test =
        load_force(three, "<ConstantForceField name='load' indices='0 1' forces='1 0 0 0 2 0' indexFromEnd='1'/>");
    check(test, 9, (st_real[]){0, 0, 0, 0, 2, 0, 1, 0, 0}, 0);
    st_force *force = (st_force *)physics_find(test, "/load");
    const st_params params = st_default_params();
    assert_near(force->object.type->force->potential(force, &params), -2, 0);
    physics_free(test);
}

static void forces_on_rigids_have_six_numbers(void **state) {
    (void)state;
    physics_scene *test = load_force("template='Rigid3' position='0 0 0 0 0 0 1'",
                                     "<ConstantForceField name='load' totalForce='1 2 3 4 5 6'/>");
    check(test, 6, (st_real[]){1, 2, 3, 4, 5, 6}, 0);
    physics_free(test);
}

static void wrong_constant_forces_do_nothing(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "",                                       // neither of both
        "forces='1 0 0 2 0 0' indices='0'",       // more forces than indices
        "totalForce='1 0 0' indices='0 7'",       // no such point
        "totalForce='1 0 0' indices='3'",         // one beyond the last
        "totalForce='1 0 0' indices='0 0 1 1 2'", // more indices than points
        "totalForce='1 0 0' indices=''",          // nowhere
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256];
        snprintf(text, sizeof text, "<ConstantForceField name='load' %s/>", wrong[i]);
        physics_scene *test = load_force(three, text);
        check(test, 9, (st_real[]){0, 0, 0, 0, 0, 0, 0, 0, 0}, 0);
        assert_int_equal(test->count[ST_ERROR], 1);
        physics_free(test);
    }
}

static void a_written_force_counts_from_the_next_step(void **state) {
    (void)state;
    physics_scene *test = load_force(three, "<ConstantForceField name='load' totalForce='3 0 0'/>");
    check(test, 3, (st_real[]){1, 0, 0}, 0);
    st_object_set(physics_find(test, "/load"), "totalForce", "6 0 0");
    st_scene_step(test->scene, 0);
    check(test, 3, (st_real[]){2, 0, 0}, 0);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// UniformVelocityDampingForceField
// ---------------------------------------------------------------------------------------------------

static void damping_opposes_velocity(void **state) {
    (void)state;
    for (int implicit = 0; implicit < 2; implicit++) {
        char text[128];
        snprintf(text, sizeof text, "<UniformVelocityDampingForceField name='load' damping='0.5' implicit='%d'/>",
                 implicit);
        physics_scene *test = load_force("position='0 0 0' velocity='1 -2 4'", text);
        check(test, 3, (st_real[]){-0.5, 1, -2}, 0);
        st_state *dofs = physics_state(test, "/dofs");
        st_force *force = (st_force *)physics_find(test, "/load");
        physics_set(dofs, ST_DX, (st_real[]){1, 1, 2});
        const st_real *df = physics_set(dofs, ST_DFORCE, NULL);
        const st_params params = st_default_params();
        force->object.type->force->product(force, &params, 7, 3);
        assert_reals(df, 3, implicit ? (st_real[]){-1.5, -1.5, -3} : (st_real[]){0, 0, 0}, 0);
        physics_dense dense;
        physics_dense_init(&dense, dofs, dofs);
        force->object.type->force->damping(force, &params, (st_damping){&dense.accumulator});
        assert_near(dense.values[4], implicit ? -ST_R(0.5) : 0, 0);
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// PlaneForceField
// ---------------------------------------------------------------------------------------------------

// n = (0, 2, 0), d = 1: δ = 2 y - 1
static void plane_pushes_what_is_behind_it(void **state) {
    (void)state;
    physics_scene *test =
        load_force("position='0 0 0 0 1 0' velocity='3 0 0 3 0 0'",
                   "<PlaneForceField name='load' normal='0 2 0' d='1' stiffness='10' damping='0.5'/>");
    check(test, 6, (st_real[]){-1.5, 20, 0, 0, 0, 0}, 0);
    st_state *dofs = physics_state(test, "/dofs");
    st_force *force = (st_force *)physics_find(test, "/load");
    physics_set(dofs, ST_DX, (st_real[]){1, 1, 1, 1, 1, 1});
    const st_real *df = physics_set(dofs, ST_DFORCE, NULL);
    const st_params params = st_default_params();
    force->object.type->force->product(force, &params, 2, 0);
    assert_reals(df, 6, (st_real[]){0, -80, 0, 0, 0, 0}, 0);
    physics_dense dense;
    physics_stiffness(force, &dense, dofs, dofs);
    for (size_t i = 0; i < 36; i++) assert_near(dense.values[i], i == 7 ? -40 : 0, 0);
    physics_free(test);
}

static void plane_options(void **state) {
    (void)state;
    physics_scene *test = load_force("position='0 -1 0 0 1 0 0 -2 0'",
                                     "<PlaneForceField name='load' stiffness='10' bilateral='1' localRange='1 1'/>");
    check(test, 9, (st_real[]){0, 0, 0, 0, -10, 0, 0, 0, 0}, 0);
    physics_free(test);
    test = load_force("position='0 -1 0'", "<PlaneForceField name='load' stiffness='10' maxForce='4'/>");
    check(test, 3, (st_real[]){0, 4, 0}, ST_R(1e-6));
    physics_free(test);
    test = load_force("position='0 -1 0'", "<PlaneForceField name='load' stiffness='-1' damping='-1' maxForce='-1'/>");
    assert_int_equal(test->count[ST_WARNING], 3);
    check(test, 3, (st_real[]){0, 500, 0}, 0);
    physics_free(test);
}

static void plane_and_rigids(void **state) {
    (void)state;
    physics_scene *test = load_force("template='Rigid3' position='0 -1 0 0 0 0 1' velocity='0 0 0 1 1 1'",
                                     "<PlaneForceField name='load' normal='0 1 0' stiffness='10'/>");
    assert_int_equal(test->count[ST_WARNING], 0);
    check(test, 6, (st_real[]){0, 10, 0, 0, 0, 0}, 0);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Look-up of the state, gravity
// ---------------------------------------------------------------------------------------------------

static void forces_find_their_state(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MechanicalObject name='dofs' position='0 -1 0'/>"
                                       "<Node name='mesh'><PlaneForceField name='below'/></Node>"
                                       "<Node name='other'><MechanicalObject name='dofs' template='Rigid3'/>"
                                       "<PlaneForceField name='linked' mstate='@../dofs'/>"
                                       "<PlaneForceField name='wrong' template='Vec3' mstate='@nowhere'/></Node>");
    assert_ptr_equal(((st_force *)physics_find(test, "/mesh/below"))->state, physics_find(test, "/dofs"));
    assert_ptr_equal(((st_force *)physics_find(test, "/other/linked"))->state, physics_find(test, "/dofs"));
    assert_null(st_scene_find(test->scene, "/other/wrong"));
    physics_free(test);
}

static void gravity_goes_down_the_tree(void **state) {
    (void)state;
    physics_scene *test = physics_load("<Node name='moon' gravity='9 9 9'><Gravity gravity='0 0 -1.62'/>"
                                       "<Node name='crater'><MechanicalObject name='dofs'/></Node></Node>"
                                       "<Node name='earth'><MechanicalObject name='dofs'/></Node>");
    const st_object *moon = physics_find(test, "/moon/crater/dofs"), *earth = physics_find(test, "/earth/dofs");
    st_real g[6];
    st_gravity(moon, &st_rigid3, g);
    assert_reals(g, 6, (st_real[]){0, 0, ST_R(-1.62), 0, 0, 0}, 0);
    st_gravity(earth, &st_vec1, g);
    assert_near(g[0], 0, 0);
    st_gravity(earth, &st_vec2, g);
    assert_reals(g, 2, (st_real[]){0, -10}, 0);
    physics_free(test);
}

static void derivatives_against_differences(void **state) {
    (void)state;
    physics_scene *test =
        load_force("position='0 -0.5 0 1 0.5 0 0.3 -0.2 1' velocity='1 2 3 0 1 0 0 0 1'",
                   "<PlaneForceField normal='0.6 0.8 0' d='0.1' stiffness='200' damping='2'/>"
                   "<UniformVelocityDampingForceField implicit='1'/><ConstantForceField totalForce='1 2 3'/>"
                   "<UniformMass totalMass='3'/>");
    assert_derivatives(test);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Shapes, torsion, forces over time
// ---------------------------------------------------------------------------------------------------

static void shapes_push_points(void **state) {
    (void)state;
    assert_force("<MechanicalObject name='dofs' position='1 0 0 5 0 0' velocity='0 1 0 0 0 0'/><SphereForceField "
                 "name='load' radius='2' stiffness='10' damping='3'/>",
                 6, (st_real[]){10, -3, 0, 0, 0, 0}, 10 * small);
    assert_force("<MechanicalObject name='dofs' position='1 0 0 5 0 0'/><EllipsoidForceField name='load' vradius='2 1 "
                 "1' stiffness='10' damping='0'/>",
                 6, (st_real[]){5, 0, 0, 0, 0, 0}, 10 * small); // φ = -1/2
    assert_force("<MechanicalObject name='dofs' position='1 0 0 5 0 0'/><EllipsoidForceField name='load' vradius='2 1 "
                 "1' stiffness='-10' damping='0'/>",
                 6, (st_real[]){0, 0, 0, -15, 0, 0}, 10 * small); // kept inside: φ = 3/2
    assert_force("<MechanicalObject name='dofs' position='0 1 0 0 3 0 0 -2 0' velocity='0 0 0 0 1 0 0 0 0'/>"
                 "<ConicalForceField name='load' coneHeight='0 2 0' coneAngle='20' stiffness='10' damping='3'/>",
                 9, (st_real[]){0, 0, 0, 0, -13, 0, 0, 20, 0}, 100 * small); // inside; beyond the end; behind the apex
}

// The push of a cone's side is perpendicular to the side.
static void cone_pushes_to_its_side(void **state) {
    (void)state;
    physics_scene *test =
        physics_load_force("<MechanicalObject name='dofs' position='1 1 0'/><ConicalForceField name='load' "
                           "coneHeight='0 9 0' coneAngle='30' stiffness='1' damping='0'/>");
    const st_real *f = physics_force_of(test, "/dofs"), side[3] = {ST_R(0.5), sqrt(ST_R(3)) / 2, 0}, p[3] = {1, 1, 0};
    assert_near(st_vec3_dot(f, side), 0, 100 * small);
    const st_real along = st_vec3_dot(p, side);
    assert_near(st_vec3_norm(f), sqrt(2 - along * along), 100 * small);
    assert_true(f[0] < 0);
    physics_free(test);
}

static void centers_and_zero_sizes_are_no_numbers(void **state) {
    (void)state;
    static const char *const loads[] = {"<SphereForceField name='load' radius='2'/>",
                                        "<EllipsoidForceField name='load' vradius='1 1 1'/>",
                                        "<EllipsoidForceField name='load' vradius='0 1 1'/>",
                                        "<ConicalForceField name='load' coneHeight='0 1 0'/>",
                                        "<ConicalForceField name='load' coneHeight='0 0 0'/>",
                                        "<TorsionForceField name='load' indices='0 9' torque='1' axis='0 0 0'/>"};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        char text[300];
        snprintf(text, sizeof text, "<MechanicalObject name='dofs' position='0 0 0'/>%s", loads[i]);
        physics_scene *test = physics_load_force(text);
        for (int k = 0; k < 3; k++) assert_near(physics_force_of(test, "/dofs")[k], 0, 0);
        physics_free(test);
    }
}

static void torsion_and_damping(void **state) {
    (void)state;
    assert_force("<MechanicalObject name='dofs' position='2 0 7 0 3 0'/><TorsionForceField name='load' indices='0 1' "
                 "torque='5' axis='0 0 2'/>",
                 6, (st_real[]){0, 10, 0, -15, 0, 0}, 100 * small);
    assert_force("<MechanicalObject name='dofs' template='Rigid3' position='2 0 7 0 0 0 1'/><TorsionForceField "
                 "name='load' template='Rigid3' indices='0' torque='5' axis='0 0 2'/>",
                 6, (st_real[]){0, 10, 0, 0, 0, 5}, 100 * small);
    assert_force("<MechanicalObject name='dofs' position='0 0 0 0 0 0 0 0 0' velocity='1 1 1 1 1 1 1 1 1'/>"
                 "<DiagonalVelocityDampingForceField name='load' dampingCoefficient='1 2 3 4 5 6'/>",
                 9, (st_real[]){-1, -2, -3, -4, -5, -6, -4, -5, -6}, small);
}

static void linear_force_follows_time(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MechanicalObject name='dofs' position='0 0 0 1 0 0'/>"
                     "<LinearForceField name='load' points='1' times='1 2 4' forces='0 0 0 0 2 0 0 4 0' force='3'/>");
    static const st_real times[] = {ST_R(0.5), 1, ST_R(1.5), 2, 3, 4, 9}, expected[] = {0, 0, 3, 6, 9, 12, 12};
    for (int i = 0; i < 7; i++) {
        physics_find(test, "/load")->node->time = times[i];
        physics_force(test, "/load");
        assert_near(physics_force_of(test, "/dofs")[4], expected[i], 100 * small);
    }
    physics_free(test);
    test = physics_load_force(
        "<MechanicalObject name='dofs' position='0 0 0'/><LinearForceField name='load' points='0' times='2 "
        "1' forces='0 1 0 0 4 0'/>");
    assert_true(test->count[ST_ERROR] > 0);
    physics_free(test);
}

// The push on the points and on the frame cancel; the frame turns the ellipsoid.
static void ellipsoids_on_a_frame(void **state) {
    (void)state;
    physics_scene *test = physics_load("<Node name='frame'><MechanicalObject name='rigid' template='Rigid3' "
                                       "position='1 0 0  0 0 0.70710678118654752 0.70710678118654752'/></Node>"
                                       "<MechanicalObject name='dofs' position='1 1 0  1 3 0'/>"
                                       "<InteractionEllipsoidForceField name='load' object1='@dofs' "
                                       "object2='@frame/rigid' vradius='2 1 1' stiffness='10' damping='0'/>");
    physics_force(test, "/load"); // the long axis points along y
    assert_reals(physics_force_of(test, "/dofs"), 6, (st_real[]){0, 5, 0, 0, 0, 0}, 100 * small);
    assert_reals(physics_force_of(test, "/frame/rigid"), 6, (st_real[]){0, -5, 0, 0, 0, 0}, 100 * small);
    physics_free(test);
    test = physics_load(
        "<Node name='frame'><MechanicalObject name='rigid' template='Rigid3' position='1 0 0 0 0 0 "
        "1'/></Node><MechanicalObject name='dofs' position='1 1 0'/>"
        "<InteractionEllipsoidForceField name='load' object1='@dofs' object2='@frame/rigid' object2_dof_index='3'/>");
    assert_true(test->count[ST_ERROR] > 0);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(total_force_is_shared),
        cmocka_unit_test(one_force_for_each_index),
        cmocka_unit_test(forces_one_by_one_from_the_end),
        cmocka_unit_test(forces_on_rigids_have_six_numbers),
        cmocka_unit_test(wrong_constant_forces_do_nothing),
        cmocka_unit_test(a_written_force_counts_from_the_next_step),
        cmocka_unit_test(damping_opposes_velocity),
        cmocka_unit_test(plane_pushes_what_is_behind_it),
        cmocka_unit_test(plane_options),
        cmocka_unit_test(plane_and_rigids),
        cmocka_unit_test(forces_find_their_state),
        cmocka_unit_test(gravity_goes_down_the_tree),
        cmocka_unit_test(derivatives_against_differences),
        cmocka_unit_test(shapes_push_points),
        cmocka_unit_test(cone_pushes_to_its_side),
        cmocka_unit_test(centers_and_zero_sizes_are_no_numbers),
        cmocka_unit_test(torsion_and_damping),
        cmocka_unit_test(linear_force_follows_time),
        cmocka_unit_test(ellipsoids_on_a_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
