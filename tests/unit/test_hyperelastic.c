// Hyperelastic tetrahedra: every material's stress is the derivative of its energy, its tangent that of its force;
// nothing at rest and after a rigid motion; inverted elements and wrong parameters are answered.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "check/derivative_check.h"
#include "force/fem/tetrahedron/hyperelastic_material.h"

static const struct {
    const char *name, *parameters;
} materials[] = {
    {"ArrudaBoyce", "300 2000"},     {"StVenantKirchhoff", "400 700"},  {"NeoHookean", "400 700"},
    {"MooneyRivlin", "150 40 3000"}, {"VerondaWestman", "80 1.5 3000"}, {"Costa", "100 2000 4 2 3 1.5 2.5 3.5"},
    {"Ogden", "300 3.5 2000"},       {"StableNeoHookean", "400 700"},
};
enum { MATERIALS = sizeof materials / sizeof *materials };

static physics_scene *load(const char *class_name, const char *material, const char *parameters, const char *more) {
    char text[1024];
    snprintf(text, sizeof text,
             "<MeshTopology tetrahedra='0 1 2 3  1 2 3 4  1 4 3 5'/>"
             "<MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1.1 0  0 0 0.9  1 1 1  1.5 0.2 1.3'/>"
             "<%s name='force' materialName='%s' ParameterSet='%s' %s/>",
             class_name, material, parameters, more);
    return physics_load(text);
}

static const char *const classes[] = {"TetrahedronHyperelasticityFEMForceField", "StandardTetrahedralFEMForceField"};
static bool offers(int class_index, int material) { return class_index == 0 || material < 7; }

// Away from the rest shape by a smooth map with a volume, stretches of about 20 %.
static void deform(st_state *state) {
    st_real *x = state->coord[ST_COORD_POSITION].data;
    for (size_t n = 0; n < state->size; n++, x += 3) {
        const st_real a = x[0], b = x[1], c = x[2];
        x[0] = ST_R(1.15) * a + ST_R(0.12) * b * c - ST_R(0.1) * c;
        x[1] = ST_R(0.9) * b + ST_R(0.2) * a - ST_R(0.05) * a * c;
        x[2] = ST_R(1.05) * c + ST_R(0.1) * a * b - ST_R(0.15) * b;
    }
}

static void turn(st_state *state) {
    st_real *x = state->coord[ST_COORD_POSITION].data;
    for (size_t n = 0; n < state->size; n++, x += 3) {
        const st_real a = x[0], b = x[1], c = cos(ST_R(1.1)), s = sin(ST_R(1.1));
        x[0] = c * a - s * b + 3;
        x[1] = s * a + c * b - 2;
        x[2] += 5;
    }
}

// Along random directions the derivatives of a smooth force agree to the 2/3 power of the precision.
static void note(void *user, const st_derivative_check *check) {
    const double limit = sizeof(st_real) == sizeof(double) ? 1e-6 : 0.05;
    if ((double)check->error > limit) {
        print_error("%s is wrong by %g\n", check->what, (double)check->error);
        ++*(int *)user;
    }
}

static void tangents_are_exact(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++)
        for (int m = 0; m < MATERIALS; m++) {
            if (!offers(c, m)) continue;
            physics_scene *test = load(classes[c], materials[m].name, materials[m].parameters, "");
            deform(physics_state(test, "/dofs"));
            int wrong = 0;
            assert_int_equal(st_check_force((st_force *)physics_find(test, "/force"), note, &wrong), ST_OK);
            if (wrong) print_error("%s of %s\n", materials[m].name, classes[c]);
            assert_int_equal(wrong, 0);
            physics_free(test);
        }
}

static void force_is_minus_the_slope_of_the_energy(void **state) {
    (void)state;
    const st_real h = cbrt(ST_REAL_EPSILON);
    for (int m = 0; m < MATERIALS; m++) {
        physics_scene *test = load(classes[0], materials[m].name, materials[m].parameters, "");
        st_state *dofs = physics_state(test, "/dofs");
        st_force *force = (st_force *)physics_find(test, "/force");
        const st_params params = st_default_params();
        deform(dofs);
        physics_force(test, "/force");
        st_real *x = dofs->coord[ST_COORD_POSITION].data;
        for (size_t i = 0; i < 18; i++) {
            const st_real f = dofs->deriv[ST_DERIV_FORCE].data[i], at = x[i];
            x[i] = at + h;
            const st_real high = force->object.type->force->potential(force, &params);
            x[i] = at - h;
            const st_real low = force->object.type->force->potential(force, &params);
            x[i] = at;
            assert_near(f, -(high - low) / (2 * h), 3e5 * h * h);
        }
        physics_free(test);
    }
}

static void nothing_at_rest_and_after_a_rigid_motion(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++)
        for (int m = 0; m < MATERIALS; m++) {
            if (!offers(c, m)) continue;
            physics_scene *test = load(classes[c], materials[m].name, materials[m].parameters, "");
            st_state *dofs = physics_state(test, "/dofs");
            turn(dofs);
            physics_force(test, "/force");
            for (size_t i = 0; i < 18; i++) assert_near(dofs->deriv[ST_DERIV_FORCE].data[i], 0, 1e5 * ST_REAL_EPSILON);
            physics_free(test);
        }
}

// Two equal eigenvalues of C, and three, must not divide by zero.
static void ogden_with_equal_stretches(void **state) {
    (void)state;
    for (int stretch = 0; stretch < 2; stretch++) {
        physics_scene *test = load(classes[0], "Ogden", "300 5 2000", "");
        st_state *dofs = physics_state(test, "/dofs");
        for (size_t i = 0; i < 18; i++)
            dofs->coord[ST_COORD_POSITION].data[i] *= stretch && i % 3 == 0 ? ST_R(1.2) : ST_R(0.9);
        int wrong = 0;
        assert_int_equal(st_check_force((st_force *)physics_find(test, "/force"), note, &wrong), ST_OK);
        assert_int_equal(wrong, 0);
        physics_free(test);
    }
}

static void inverted_elements_make_no_nan(void **state) {
    (void)state;
    for (int m = 0; m < MATERIALS; m++) {
        physics_scene *test = load(classes[0], materials[m].name, materials[m].parameters, "");
        st_state *dofs = physics_state(test, "/dofs");
        for (size_t i = 2; i < 18; i += 3) dofs->coord[ST_COORD_POSITION].data[i] *= m % 2 ? 0 : -1;
        physics_force(test, "/force");
        physics_force(test, "/force");
        for (size_t i = 0; i < 18; i++) assert_true(isfinite(dofs->deriv[ST_DERIV_FORCE].data[i]));
        physics_dense dense;
        physics_stiffness((st_force *)physics_find(test, "/force"), &dense, dofs, dofs);
        for (size_t i = 0; i < 18 * 18; i++) assert_true(isfinite(dense.values[i]));
        const bool inverts =
            strcmp(materials[m].name, "StVenantKirchhoff") == 0 || strcmp(materials[m].name, "StableNeoHookean") == 0;
        assert_int_equal(test->count[ST_WARNING], inverts ? 0 : 1);
        physics_free(test);
    }
}

static void wrong_input_is_answered(void **state) {
    (void)state;
    static const struct {
        const char *name, *parameters, *message;
    } cases[] = {
        {"MooneyRivlin", "1 2", "ParameterSet has 2 values: MooneyRivlin needs 3, c1 c2 k0"},
        {"Ogden", "1 0 2", "alpha must not be 0"},
        {"NeoHookean", "", "ParameterSet has 0 values"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        physics_scene *test = load(classes[0], cases[i].name, cases[i].parameters, "");
        assert_non_null(strstr(test->log, cases[i].message));
        assert_false(st_is_valid(physics_find(test, "/force")));
        physics_free(test);
    }
    physics_scene *test = load(classes[1], "StableNeoHookean", "1 2", "");
    assert_non_null(strstr(test->log, "unknown materialName \"StableNeoHookean\""));
    physics_free(test);
    test = physics_load("<MechanicalObject name='dofs' position='0 0 0'/>"
                        "<TetrahedronHyperelasticityFEMForceField name='force' ParameterSet='1 2'/>");
    assert_non_null(strstr(test->log, "there is no mesh"));
    physics_free(test);
    test = physics_load("<MeshTopology tetrahedra='0 1 2 3'/>"
                        "<MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0  1 1 0'/>"
                        "<TetrahedronHyperelasticityFEMForceField name='force' ParameterSet='1 2'/>");
    assert_non_null(strstr(test->log, "1 of 1 tetrahedra have no volume at rest"));
    physics_force(test, "/force");
    for (size_t i = 0; i < 12; i++) assert_true(physics_state(test, "/dofs")->deriv[ST_DERIV_FORCE].data[i] == 0);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_are_exact),
        cmocka_unit_test(force_is_minus_the_slope_of_the_energy),
        cmocka_unit_test(nothing_at_rest_and_after_a_rigid_motion),
        cmocka_unit_test(ogden_with_equal_stretches),
        cmocka_unit_test(inverted_elements_make_no_nan),
        cmocka_unit_test(wrong_input_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
