// Loads on the elements of a mesh and on surfaces: forces by hand, conservation laws, tangents, input out of range.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "check/derivative_check.h"
#include "math/vec3.h"

#ifdef SETTEE_REAL_FLOAT
static const st_real small = ST_R(1e-4);
static const double difference = 2e-2;
#else
static const st_real small = ST_R(1e-12);
static const double difference = 1e-7;
#endif

static void sum_forces(physics_scene *test, st_real sum[3]) {
    const st_state *dofs = physics_state(test, "/dofs");
    st_vec3_zero(sum);
    for (size_t i = 0; i < dofs->size; i++) st_vec3_add(sum, sum, dofs->deriv[ST_DERIV_FORCE].data + 3 * i);
}

static void sum_torques(physics_scene *test, st_real sum[3]) {
    const st_state *dofs = physics_state(test, "/dofs");
    st_vec3_zero(sum);
    for (size_t i = 0; i < dofs->size; i++) {
        st_real torque[3];
        st_vec3_cross(torque, dofs->coord[ST_COORD_POSITION].data + 3 * i, dofs->deriv[ST_DERIV_FORCE].data + 3 * i);
        st_vec3_add(sum, sum, torque);
    }
}

static void loads_on_elements(void **state) {
    (void)state;
    assert_force("<MeshTopology triangles='0 1 2'/><MechanicalObject name='dofs' rest_position='0 0 0 2 0 0 0 3 0' "
                 "position='0 0 0 9 0 0 0 9 0'/>"
                 "<TrianglePressureForceField name='load' triangleList='0' pressure='0 0 4'/>",
                 9, (st_real[]){0, 0, 4, 0, 0, 4, 0, 0, 4}, 10 * small); // area 3 at rest
    assert_force("<MeshTopology triangles='0 1 2'/><MechanicalObject name='dofs' position='0 0 0 2 0 0 0 3 0'/>"
                 "<TrianglePressureForceField name='load' triangleList='0' useConstantForce='0' cauchyStress='0 0 1 0 "
                 "0 0 1 0 2'/>",
                 9, (st_real[]){1, 0, 2, 1, 0, 2, 1, 0, 2}, 10 * small); // σ (0, 0, 6) / 6
    assert_force("<MeshTopology quads='0 1 2 3'/><MechanicalObject name='dofs' position='0 0 0 2 0 0 2 3 0 0 3 0'/>"
                 "<QuadPressureForceField name='load' quadList='0' pressure='0 0 4'/>",
                 12, (st_real[]){0, 0, 6, 0, 0, 6, 0, 0, 6, 0, 0, 6}, 10 * small);
    assert_force("<MeshTopology edges='0 1 1 2'/><MechanicalObject name='dofs' position='0 0 0 2 0 0 2 3 0'/>"
                 "<EdgePressureForceField name='load' edgeIndices='1' pressure='0 0 4'/>",
                 9, (st_real[]){0, 0, 0, 0, 0, 6, 0, 0, 6}, 10 * small);
    assert_force("<MeshTopology edges='0 1 1 2'/><MechanicalObject name='dofs' position='0 0 0 2 0 0 2 3 0'/>"
                 "<EdgePressureForceField name='load' edges='1 2' binormal='0 0 5' p_intensity='2'/>",
                 9, (st_real[]){0, 0, 0, -3, 0, 0, -3, 0, 0}, 10 * small); // z × y = -x
    // towards the inside of the only triangle
    assert_force("<MeshTopology triangles='0 1 2'/><MechanicalObject name='dofs' position='0 0 0 2 0 0 1 3 0'/>"
                 "<EdgePressureForceField name='load' edges='0 1' p_intensity='2'/>",
                 9, (st_real[]){0, 2, 0, 0, 2, 0, 0, 0, 0}, 10 * small);
}

static void planes_select_elements(void **state) {
    (void)state;
    assert_force("<MeshTopology quads='0 1 2 3'/><MechanicalObject name='dofs' position='0 0 0 2 0 0 2 3 0 0 3 0'/>"
                 "<QuadPressureForceField name='load' normal='0 0 1' dmin='-1' dmax='1' pressure='0 0 4'/>",
                 3, (st_real[]){0, 0, 6}, 10 * small);
    assert_force("<MeshTopology quads='0 1 2 3'/><MechanicalObject name='dofs' position='0 0 0 2 0 0 2 3 0 0 3 0'/>"
                 "<QuadPressureForceField name='load' normal='0 0 1' dmin='0' dmax='1' pressure='0 0 4'/>",
                 3, (st_real[]){0, 0, 0}, 0); // strictly
}

static void elements_that_do_not_exist(void **state) {
    (void)state;
    static const char *const loads[] = {
        "<TrianglePressureForceField name='load' triangleList='7' pressure='0 0 4'/>",
        "<QuadPressureForceField name='load' quadList='7' pressure='0 0 4'/>",
        "<EdgePressureForceField name='load' edgeIndices='7' pressure='0 0 4'/>",
        "<SurfacePressureForceField name='load' triangleIndices='7' pressure='4'/>",
        "<OscillatingTorsionPressureForceField name='load' triangleList='7' moment='4'/>"};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        char text[400];
        snprintf(text, sizeof text, "<MeshTopology/><MechanicalObject name='dofs' position='0 0 0 1 0 0 0 1 0'/>%s",
                 loads[i]);
        physics_scene *test = physics_load_force(text);
        assert_true(test->count[ST_ERROR] > 0);
        for (int k = 0; k < 9; k++) assert_near(physics_force_of(test, "/dofs")[k], 0, 0);
        physics_free(test);
    }
}

#define CLOSED "<MeshTopology triangles='0 2 1  0 1 3  1 2 3  0 3 2'/>"
#define CORNERS "<MechanicalObject name='dofs' position='0 0 0  2 0 0.3  0 2.5 0  0.2 0 3'/>"

// A pressure inside a closed surface pushes it nowhere and turns it nowhere.
static void closed_surfaces_stay_where_they_are(void **state) {
    (void)state;
    static const char *const loads[] = {"<SurfacePressureForceField name='load' pressure='3'/>",
                                        "<TaitSurfacePressureForceField name='load' p0='2' B='5' gamma='3'/>",
                                        "<TaitSurfacePressureForceField name='load' p0='2' B='5' gamma='1'/>"};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        char text[600];
        snprintf(text, sizeof text, CLOSED CORNERS "%s", loads[i]);
        physics_scene *test = physics_load_force(text);
        st_real force[3], torque[3];
        sum_forces(test, force);
        sum_torques(test, torque);
        assert_reals(force, 3, (st_real[]){0, 0, 0}, 100 * small);
        assert_reals(torque, 3, (st_real[]){0, 0, 0}, 100 * small);
        assert_true(st_vec3_norm(physics_force_of(test, "/dofs")) > 1);
        physics_free(test);
    }
}

typedef struct worst {
    double stiffness;
} worst;

static void note(void *user, const st_derivative_check *check) {
    if (strcmp(check->what, "stiffness") == 0) ((worst *)user)->stiffness = (double)check->error;
}

static double stiffness_error(physics_scene *test, const char *path) {
    worst w = {0};
    assert_int_equal(st_check_force((st_force *)physics_find(test, path), note, &w), ST_OK);
    return w.stiffness;
}

// Its tangent is approximate only with a main direction or a volume to be kept.
static void surface_pressure_has_a_tangent(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MeshTopology triangles='0 1 4' quads='0 1 2 3'/><MechanicalObject name='dofs' "
                                       "position='0 0 0  2 0 0.1  2 1 0  0 1 0.2  1 -1 1'/>"
                                       "<SurfacePressureForceField name='load' pressure='3'/>");
    assert_true(stiffness_error(test, "/load") < difference);
    physics_free(test);
}

static void pressure_pulses_between_bounds(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MeshTopology triangles='0 1 2'/><MechanicalObject name='dofs' position='0 0 0 2 0 0 0 3 0'/>"
                     "<SurfacePressureForceField name='load' pressure='4' pulseMode='1' pressureSpeed='300' "
                     "pressureLowerBound='1'/>");
    static const st_real expected[] = {3, 4, 1, 4, 1}; // by 3 for each evaluation, turning at 4 and 1
    for (int i = 0; i < 5; i++) {
        physics_force(test, "/load");
        assert_near(physics_force_of(test, "/dofs")[2], expected[i], 100 * small);
    }
    physics_free(test);
}

// P = p0 - B ((V / v0)^γ - 1) with V = v0 at rest
static void tait_pressure_follows_the_volume(void **state) {
    (void)state;
    physics_scene *test =
        physics_load_force(CLOSED CORNERS "<TaitSurfacePressureForceField name='load' p0='2' B='5' gamma='3'/>");
    assert_field(test, "/load", "currentPressure", "2");
    st_real *x = physics_state(test, "/dofs")->coord[ST_COORD_POSITION].data;
    for (int i = 0; i < 12; i++) x[i] *= 2; // eight times the volume
    physics_force(test, "/load");
    assert_field(test, "/load", "currentPressure", "-2553");
    for (int i = 0; i < 12; i++) x[i] *= -1; // inside out: no power of a negative number
    physics_force(test, "/load");
    for (int i = 0; i < 12; i++) assert_true(isfinite(physics_force_of(test, "/dofs")[i]));
    physics_free(test);
}

// At rest the whole moment is applied, and nothing else: Σ r × f = moment about the axis.
static void oscillating_torsion_gives_its_moment(void **state) {
    (void)state;
    physics_scene *test = physics_load_force(
        "<MeshTopology triangles='0 1 2  0 2 3'/><MechanicalObject name='dofs' position='1 0 0  0 2 0  -1 0 0  0 -2 "
        "0'/>"
        "<OscillatingTorsionPressureForceField name='load' moment='2' dmin='-1' dmax='1' axis='0 0 4' penalty='50'/>");
    st_real torque[3];
    sum_torques(test, torque);
    assert_reals(torque, 3, (st_real[]){0, 0, 2}, 100 * small);
    // turned as a whole by a quarter turn: still no force that holds it together
    st_real *x = physics_state(test, "/dofs")->coord[ST_COORD_POSITION].data;
    for (int i = 0; i < 4; i++) st_vec3_set(x + 3 * i, -x[3 * i + 1], x[3 * i], 0);
    physics_force(test, "/load");
    sum_torques(test, torque);
    assert_near(torque[2], 2, 1000 * small);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_on_elements),
        cmocka_unit_test(planes_select_elements),
        cmocka_unit_test(elements_that_do_not_exist),
        cmocka_unit_test(closed_surfaces_stay_where_they_are),
        cmocka_unit_test(surface_pressure_has_a_tangent),
        cmocka_unit_test(pressure_pulses_between_bounds),
        cmocka_unit_test(tait_pressure_follows_the_volume),
        cmocka_unit_test(oscillating_torsion_gives_its_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
