// UniformMass: which attribute wins, where the mass goes, weight, products, rigid bodies and their files.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

static const char points[] = "<MechanicalObject name='dofs' position='0 0 0 1 0 0 2 0 0 3 0 0'/>";

static physics_scene *load_mass(const char *before, const char *attributes) {
    char text[2048];
    snprintf(text, sizeof text, "%s<UniformMass name='mass' %s/>", before, attributes);
    return physics_load(text);
}

static st_real mass_of(physics_scene *test) {
    const st_mass *mass = (st_mass *)physics_find(test, "/mass");
    return mass->force.object.type->mass->element_mass(mass, 0);
}

static void total_mass_is_shared(void **state) {
    (void)state;
    physics_scene *test = load_mass(points, "totalMass='6'");
    assert_near(mass_of(test), 1.5, 0);
    assert_field(test, "/mass", "vertexMass", "1.5");
    physics_free(test);
}

static void vertex_mass_makes_the_total(void **state) {
    (void)state;
    physics_scene *test = load_mass(points, "vertexMass='2'");
    assert_near(mass_of(test), 2, 0);
    assert_field(test, "/mass", "totalMass", "8");
    physics_free(test);
}

static void total_mass_wins_with_a_warning(void **state) {
    (void)state;
    physics_scene *test = load_mass(points, "vertexMass='2' totalMass='2'");
    assert_near(mass_of(test), 0.5, 0);
    assert_int_equal(test->count[ST_WARNING], 1);
    physics_free(test);
}

static void indices_carry_the_mass(void **state) {
    (void)state;
    physics_scene *test = load_mass(points, "totalMass='6' indices='1 3'");
    assert_near(mass_of(test), 3, 0);
    physics_force(test, "/mass");
    const st_real f[12] = {0, 0, 0, 0, -30, 0, 0, 0, 0, 0, -30, 0};
    assert_reals(physics_state(test, "/dofs")->deriv[ST_DERIV_FORCE].data, 12, f, 0);
    physics_free(test);
}

static void indices_out_of_range_are_left_out(void **state) {
    (void)state;
    physics_scene *test = load_mass(points, "vertexMass='1' indices='1 99 4 2'");
    assert_field(test, "/mass", "indices", "1 2");
    assert_field(test, "/mass", "totalMass", "2");
    assert_int_equal(test->count[ST_WARNING], 1);
    physics_free(test);
}

static void local_range_must_end_before_the_last(void **state) {
    (void)state;
    physics_scene *test = load_mass(points, "vertexMass='1' localRange='1 2'");
    assert_field(test, "/mass", "indices", "1 2");
    physics_free(test);
    test = load_mass(points, "vertexMass='1' localRange='1 3'");
    assert_field(test, "/mass", "indices", "0 1 2 3");
    physics_free(test);
}

static void without_a_mass_only_the_weight_of_one(void **state) {
    (void)state;
    physics_scene *test = load_mass(points, "");
    assert_int_equal(test->count[ST_ERROR], 1);
    physics_force(test, "/mass");
    st_state *dofs = physics_state(test, "/dofs");
    assert_near(dofs->deriv[ST_DERIV_FORCE].data[1], -10, 0);
    st_mass *mass = (st_mass *)physics_find(test, "/mass");
    const st_real ones[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    physics_set(dofs, ST_DX, ones);
    const st_real *df = physics_set(dofs, ST_DFORCE, NULL);
    const st_params params = st_default_params();
    mass->force.object.type->mass->product(mass, &params, 2);
    for (int i = 0; i < 12; i++) assert_near(df[i], 0, 0);
    physics_free(test);
}

static void negative_masses_are_refused(void **state) {
    (void)state;
    physics_scene *test = load_mass(points, "totalMass='-3'");
    assert_int_equal(test->count[ST_ERROR], 1);
    physics_free(test);
}

static void separate_gravity_adds_no_force(void **state) {
    (void)state;
    physics_scene *test = load_mass(points, "totalMass='4' separateGravity='1'");
    physics_force(test, "/mass");
    assert_near(physics_state(test, "/dofs")->deriv[ST_DERIV_FORCE].data[1], 0, 0);
    physics_free(test);
}

static void gravity_component_counts(void **state) {
    (void)state;
    physics_scene *test = load_mass("<Gravity gravity='1 2 3'/><MechanicalObject name='dofs' template='Vec2' "
                                    "position='0 0'/>",
                                    "totalMass='2'");
    physics_force(test, "/mass");
    assert_reals(physics_state(test, "/dofs")->deriv[ST_DERIV_FORCE].data, 2, (st_real[]){2, 4}, 0);
    physics_free(test);
}

// M w = (m w, J m ω) in the matrix, the product and the inverse.
static void rigid_inertia(void **state) {
    (void)state;
    physics_scene *test = load_mass("<MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1'/>",
                                    "vertexMass='2 1 [0.5 0.1 0,0.1 0.25 0,0 0 2]'");
    assert_int_equal(test->count[ST_WARNING], 0);
    st_state *dofs = physics_state(test, "/dofs");
    st_mass *mass = (st_mass *)physics_find(test, "/mass");
    const st_mass_ops *ops = mass->force.object.type->mass;
    const st_params params = st_default_params();

    const st_real w[6] = {1, 2, 3, 4, 5, 6}, expected[6] = {2, 4, 6, 5, 3.3, 24};
    physics_set(dofs, ST_DX, w);
    st_real *df = physics_set(dofs, ST_DFORCE, NULL);
    ops->product(mass, &params, 1);
    assert_reals(df, 6, expected, 1e-14);

    physics_dense dense;
    physics_dense_init(&dense, dofs, dofs);
    ops->matrix(mass, (st_inertia){&dense.accumulator});
    for (size_t i = 0; i < 6; i++) {
        st_real row = 0;
        for (size_t j = 0; j < 6; j++) row += dense.values[6 * i + j] * w[j];
        assert_near(row, expected[i], 1e-14);
    }

    st_real *f = physics_set(dofs, ST_FORCE, expected), *a = physics_set(dofs, ST_DX, NULL);
    ops->acceleration(mass, ST_DX, st_read_deriv(ST_FORCE));
    (void)f;
    assert_reals(a, 6, w, 1e-13);
    physics_free(test);
}

static void total_mass_of_rigids_keeps_the_inertia(void **state) {
    (void)state;
    physics_scene *test = load_mass(
        "<MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1 1 0 0 0 0 0 1'/>", "totalMass='10'");
    st_state *dofs = physics_state(test, "/dofs");
    st_mass *mass = (st_mass *)physics_find(test, "/mass");
    physics_dense dense;
    physics_dense_init(&dense, dofs, dofs);
    mass->force.object.type->mass->matrix(mass, (st_inertia){&dense.accumulator});
    for (size_t i = 0; i < 12; i++) assert_near(dense.values[12 * i + i], 5, 0);
    physics_free(test);
}

// The determinant of a small inertia, here 1e-18, does not make it singular.
static void tiny_inertia_is_inverted(void **state) {
    (void)state;
    physics_scene *test =
        load_mass("<MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1'/>", "totalMass='1e-6'");
    st_state *dofs = physics_state(test, "/dofs");
    st_mass *mass = (st_mass *)physics_find(test, "/mass");
    const st_real f[6] = {1, 1, 1, 1, 1, 1}, expected[6] = {1e6, 1e6, 1e6, 1e6, 1e6, 1e6};
    physics_set(dofs, ST_FORCE, f);
    st_real *a = physics_set(dofs, ST_DX, NULL);
    mass->force.object.type->mass->acceleration(mass, ST_DX, st_read_deriv(ST_FORCE));
    assert_reals(a, 6, expected, 1e-6);
    physics_free(test);
}

static physics_scene *load_rigid_file(const char *content, const char *attributes) {
    const char *path = physics_file("test_uniform_mass.rigid", content);
    char all[768];
    snprintf(all, sizeof all, "filename='%s' %s", path, attributes);
    physics_scene *test = load_mass("<MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1'/>", all);
    remove(path);
    return test;
}

static void rigid_files_give_mass_and_inertia(void **state) {
    (void)state;
    static const char content[] =
        "title mass 99\n# a comment\ninrt 1 0 0 0 2 0 0 0 3\ncntr 0 0 0\nvertexMass 5\nvolm 7\n";
    physics_scene *test = load_rigid_file(content, "");
    assert_field(test, "/mass", "vertexMass", "5 7 [1 0 0,0 2 0,0 0 3]");
    assert_int_equal(test->count[ST_ERROR], 0);
    physics_free(test);
    test = load_rigid_file(content, "totalMass='8'"); // the file wins
    assert_near(mass_of(test), 5, 0);
    physics_free(test);
    test = load_rigid_file(content, "totalMass='8' vertexMass='1 1 9 0 0 0 9 0 0 0 9'"); // totalMass, the file's J
    assert_field(test, "/mass", "vertexMass", "8 7 [1 0 0,0 2 0,0 0 3]");
    physics_free(test);
}

static void broken_rigid_files_are_reported(void **state) {
    (void)state;
    physics_scene *test = load_rigid_file("title\nmass 5\ninrt 1 2 3\n", "");
    assert_int_equal(test->count[ST_ERROR], 2); // unknown keyword, numbers missing
    assert_near(mass_of(test), 1, 0);
    physics_free(test);
    test = load_mass("<MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1'/>",
                     "filename='no_such_file.rigid'");
    assert_true(test->count[ST_ERROR] > 0);
    assert_near(mass_of(test), 1, 0);
    physics_free(test);
}

static void energies(void **state) {
    (void)state;
    physics_scene *test = load_mass("<MechanicalObject name='dofs' position='1 2 3 4 5 6'/>", "vertexMass='3'");
    st_mass *mass = (st_mass *)physics_find(test, "/mass");
    st_state *dofs = physics_state(test, "/dofs");
    physics_set(dofs, ST_VELOCITY, (st_real[]){1, 2, 2, 0, 0, 1});
    const st_params params = st_default_params();
    assert_near(mass->force.object.type->mass->kinetic(mass, &params), 15, 1e-13);
    assert_near(mass->force.object.type->force->potential(&mass->force, &params), 3 * 10 * 7, 1e-12);
    physics_free(test);
}

static void a_written_total_is_shared_again(void **state) {
    (void)state;
    physics_scene *test = load_mass(points, "totalMass='4'");
    assert_int_equal(st_object_set(physics_find(test, "/mass"), "totalMass", "8"), ST_OK);
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    assert_near(mass_of(test), 2, 0);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(total_mass_is_shared),
        cmocka_unit_test(vertex_mass_makes_the_total),
        cmocka_unit_test(total_mass_wins_with_a_warning),
        cmocka_unit_test(indices_carry_the_mass),
        cmocka_unit_test(indices_out_of_range_are_left_out),
        cmocka_unit_test(local_range_must_end_before_the_last),
        cmocka_unit_test(without_a_mass_only_the_weight_of_one),
        cmocka_unit_test(negative_masses_are_refused),
        cmocka_unit_test(separate_gravity_adds_no_force),
        cmocka_unit_test(gravity_component_counts),
        cmocka_unit_test(rigid_inertia),
        cmocka_unit_test(total_mass_of_rigids_keeps_the_inertia),
        cmocka_unit_test(tiny_inertia_is_inverted),
        cmocka_unit_test(rigid_files_give_mass_and_inertia),
        cmocka_unit_test(broken_rigid_files_are_reported),
        cmocka_unit_test(energies),
        cmocka_unit_test(a_written_total_is_shared_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
