// Springs between rigids: joints, frames, gears and chains by hand, whole turns, records that are wrong.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/quat.h"

#ifdef SETTEE_REAL_FLOAT
static const st_real small = ST_R(1e-4);
#else
static const st_real small = ST_R(1e-11);
#endif

#define BODIES(q) "<MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1  " q "'/>"

static void springs_between_rigids(void **state) {
    (void)state;
    const st_real quarter = ST_PI / 2;
    physics_scene *test = physics_load(
        BODIES("2 0 0 0 0 0.70710678118654752 0.70710678118654752") "<JointSpringForceField name='force' "
                                                                    "spring='BEGIN_SPRING 0 1 FREE_AXIS 0 0 0 0 0 1 "
                                                                    "KS_T 1 10 KS_R 3 5 END_SPRING'/>");
    physics_force(test, "/force"); // about the free axis: soft
    assert_reals(physics_force_of(test, "/dofs"), 12,
                 (st_real[]){20, 0, 0, 0, 0, 3 * quarter, -20, 0, 0, 0, 0, -3 * quarter}, 10 * small);
    physics_free(test);

    test = physics_load(BODIES(
        "2 0 0 0 0 0.70710678118654752 0.70710678118654752") "<JointSpringForceField name='force' spring='BEGIN_SPRING "
                                                             "0 1 FREE_AXIS 1 0 0 0 0 1 KS_T 1 10 KS_R 3 5 KS_B 7 "
                                                             "R_LIM_Z -1 1 END_SPRING'/>");
    physics_force(test, "/force"); // beyond the limit of 1
    assert_reals(physics_force_of(test, "/dofs"), 6, (st_real[]){2, 0, 0, 0, 0, 7 * (quarter - 1)}, 10 * small);
    physics_free(test);

    test = physics_load(
        BODIES("2 0 0 0.70710678118654752 0 0 0.70710678118654752") "<JointSpringForceField name='force' "
                                                                    "spring='BEGIN_SPRING 0 1 FREE_AXIS 0 0 0 0 0 1 "
                                                                    "KS_T 1 10 KS_R 3 5 END_SPRING'/>");
    physics_force(test, "/force"); // the hinge's axis is turned away about x: hard
    assert_near(physics_force_of(test, "/dofs")[3], 5 * quarter, 10 * small);
    physics_free(test);

    test = physics_load(BODIES("1 0 0 0 0 0 1") "<FrameSpringForceField name='force' spring='BEGIN_SPRING 0 1 KS_T 10 "
                                                "KS_R 5 VEC1 0 1 0 VEC2 0 2 0 END_SPRING'/>");
    physics_force(test, "/force"); // (1, 1, 0) between the ends
    assert_reals(physics_force_of(test, "/dofs"), 12, (st_real[]){10, 10, 0, 0, 0, -10, -10, -10, 0, 0, 0, 20},
                 10 * small);
    physics_free(test);

    test = physics_load(
        BODIES("1 0 0 0 0 0.70710678118654752 0.70710678118654752") "<AngularSpringForceField name='force' indices='0 "
                                                                    "1' angularStiffness='4'/>");
    physics_force(test, "/force");
    assert_reals(physics_force_of(test, "/dofs"), 12, (st_real[]){0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -4 * quarter},
                 10 * small);
    physics_free(test);
}

// A gear turned about its axis by a turns the other one back: F = -a ratio kR, and -a kR on the other.
static void gears_turn_each_other(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(BODIES("1 0 0 0 0 0 1") "<GearSpringForceField name='force' spring='BEGIN_SPRING 0 0 1 1 AXIS 1 1 "
                                             "KS_T 10 KS_R 4 100 KD 0 RATIO 2 END_SPRING'/>");
    const st_real axis[3] = {0, 1, 0}, angle = ST_R(0.3);
    st_real *x = physics_state(test, "/dofs")->coord[ST_COORD_POSITION].data;
    st_quat_from_axis_angle(x + 3, axis, angle);
    physics_force(test, "/force");
    assert_reals(physics_force_of(test, "/dofs"), 12, (st_real[]){0, 0, 0, 0, -8 * angle, 0, 0, 0, 0, 0, -4 * angle, 0},
                 100 * small);
    // whole turns are counted
    for (int i = 1; i <= 10; i++) {
        st_quat_from_axis_angle(x + 3, axis, (st_real)i * ST_R(0.9));
        physics_force(test, "/force");
        assert_near(physics_force_of(test, "/dofs")[4], -8 * (st_real)i * ST_R(0.9), 1000 * small);
    }
    physics_free(test);
}

static void records_that_are_wrong_are_ignored(void **state) {
    (void)state;
    static const char *const kinds[] = {"JointSpringForceField", "FrameSpringForceField", "GearSpringForceField"};
    static const char *const texts[] = {"BEGIN_SPRING",
                                        "BEGIN_SPRING 0 1 0 1 KS_T",
                                        "BEGIN_SPRING 0 1 0 1 NONSENSE 3 END_SPRING",
                                        "BEGIN_SPRING 0 99 0 77 END_SPRING",
                                        "BEGIN_SPRING x y END_SPRING",
                                        "BEGIN_SPRING 0 1 0 1 AXIS 7 7 RATIO 0 END_SPRING"};
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            char text[400];
            snprintf(text, sizeof text, BODIES("1 0 0 0 0 0 1") "<%s name='force' spring='%s'/>", kinds[k], texts[i]);
            physics_scene *test = physics_load(text);
            assert_true(test->count[ST_ERROR] > 0);
            physics_force(test, "/force");
            assert_true(physics_largest_force(test) == 0);
            physics_free(test);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_between_rigids),
        cmocka_unit_test(gears_turn_each_other),
        cmocka_unit_test(records_that_are_wrong_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
