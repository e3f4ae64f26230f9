// The classical hexahedra: stiffness against the generic element, patch test, rigid motions, derivatives, energy,
// masses, shared stiffness, threads, wrong input.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "check/derivative_check.h"
#include "force/fem/generic/shape.h"
#include "force/fem/generic/stiffness.h"
#include "force/fem/hexahedron/hexahedron_fem.h"
#include "math/decompose.h"

#define EXACT (1e3 * ST_REAL_EPSILON)

static const char *const classes[] = {
    "HexahedronFEMForceField", "ParallelHexahedronFEMForceField", "HexahedronFEMForceFieldAndMass",
    "HexahedralFEMForceField", "HexahedralFEMForceFieldAndMass",
};
enum { CLASSES = sizeof classes / sizeof *classes };
static bool has_mass(int c) { return strstr(classes[c], "AndMass") != NULL; }

// A cube of eight distorted hexahedra around node 0.
#define PATCH                                                                                                          \
    "<MeshTopology hexahedra='1 9 13 12 17 21 0 24  9 2 10 13 21 18 22 0  13 10 3 11 0 22 19 23  12 13 11 4 24 0 23 "  \
    "20 "                                                                                                              \
    "17 21 0 24 5 14 25 16  21 18 22 0 14 6 26 25  0 22 19 23 25 26 7 15  24 0 23 20 16 25 15 8'/>"                    \
    "<MechanicalObject name='dofs' position='0.55 0.48 0.52  0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1  " \
    "0.5 0 0  1 0.5 0  0.5 1 0  0 0.5 0  0.5 0.5 0  0.5 0 1  0.5 1 1  0 0.5 1  0 0 0.5  1 0 0.5  1 1 0.5  0 1 0.5  "   \
    "0.5 0 0.5  1 0.5 0.5  0.5 1 0.5  0 0.5 0.5  0.5 0.5 1  1 0.5 1'/>"
#define BOX "<RegularGridTopology n='3 2 2' min='0 0 0' max='2 1 0.7'/><MechanicalObject name='dofs'/>"

static physics_scene *load_with(const char *mesh, const char *class_name, const char *more, bool no_compat) {
    char text[2048];
    snprintf(text, sizeof text, "%s<%s name='fem' youngModulus='1000' poissonRatio='0.3' %s/>", mesh, class_name, more);
    return physics_load_with(text, no_compat);
}
static physics_scene *load(const char *mesh, const char *class_name, const char *more) {
    return load_with(mesh, class_name, more, true);
}

static void move(st_state *dofs, const st_real m[9], st_real shift) {
    for (size_t n = 0; n < dofs->size; n++)
        for (size_t r = 0; r < 3; r++) {
            st_real sum = shift * (st_real)(r + 1);
            for (size_t c = 0; c < 3; c++) sum += m[3 * r + c] * dofs->coord[ST_COORD_REST].data[n * 3 + c];
            dofs->coord[ST_COORD_POSITION].data[n * 3 + r] = sum;
        }
}

static void weightless(physics_scene *test) { // gravity would hide elastic forces
    for (int k = 0; k < 3; k++) physics_find(test, "/fem")->node->gravity[k] = 0;
}

// ---------------------------------------------------------------------------------------------------

// Distorted: that of the generic element. A parallelepiped: exact. Mirrored: negative. Flat: none.
static void stiffness_of_one_element(void **state) {
    (void)state;
    st_real x[24], k[576], generic[576];
    const st_hooke hooke = st_hooke_of(1000, ST_R(0.3));
    for (int i = 0; i < 24; i++) x[i] = st_cube_corners[i / 3][i % 3] + ST_R(0.1) * (st_real)((i * 7 + i / 5) % 5) / 5;
    assert_true(st_hexahedron_stiffness(x, hooke, k));
    st_element_stiffness(ST_HEXAHEDRON, x, 3, st_lame_of(1000, ST_R(0.3), 3), generic);
    for (int i = 0; i < 576; i++) assert_near(k[i], generic[i], fmax(1e6 * ST_REAL_EPSILON, ST_R(1e-8)));
    for (int i = 0; i < 24; i++) x[i] = st_cube_corners[i / 3][i % 3];
    assert_true(st_hexahedron_stiffness(x, hooke, k));
    for (int i = 0; i < 24; i += 3) x[i] = -x[i];
    assert_true(st_hexahedron_stiffness(x, hooke, generic));
    assert_true(generic[0] < 0 && k[0] > 0);
    for (int i = 0; i < 24; i += 3) x[i] = 0;
    assert_false(st_hexahedron_stiffness(x, hooke, k));
    for (int i = 0; i < 576; i++) assert_true(k[i] == 0);
}

static void patch_test(void **state) {
    (void)state;
    const st_real m[9] = {1.02, 0.03, 0.01, -0.01, 0.97, 0.02, 0.01, 0.04, 1.01};
    physics_scene *test = load(PATCH, "HexahedronFEMForceField", "method='small'");
    st_state *dofs = physics_state(test, "/dofs");
    move(dofs, m, 1);
    physics_force(test, "/fem");
    for (size_t k = 0; k < 3; k++) assert_near(dofs->deriv[ST_DERIV_FORCE].data[k], 0, 1e4 * ST_REAL_EPSILON);
    assert_true(fabs(dofs->deriv[ST_DERIV_FORCE].data[3]) > 1);
    physics_free(test);
}

static void rigid_motion_makes_no_force(void **state) {
    (void)state;
    st_real turn[9];
    st_frame_rows(turn, (st_real[]){1, 2, -1}, (st_real[]){0.3, 1, 2});
    for (int c = 0; c < CLASSES; c++)
        for (int polar = 0; polar < 2; polar++) {
            physics_scene *test = load(PATCH, classes[c], polar ? "method='polar'" : "method='large'");
            st_state *dofs = physics_state(test, "/dofs");
            weightless(test);
            move(dofs, turn, 3);
            physics_force(test, "/fem");
            for (size_t k = 0; k < dofs->size * 3; k++)
                assert_near(dofs->deriv[ST_DERIV_FORCE].data[k], 0, 1e7 * ST_REAL_EPSILON);
            st_force *force = (st_force *)physics_find(test, "/fem");
            st_real rotations[27 * 9];
            assert_true(force->object.type->force->rotations(force, rotations));
            for (int k = 0; k < 27 * 9; k++) assert_near(rotations[k], turn[k % 9], EXACT);
            physics_free(test);
        }
}

// SOFA's nodes tell the rotation nearest to (1 + R⁻¹): of one cell that has turned by 90 degrees -45 degrees.
static void nodes_tell_the_inverse_in_sofa(void **state) {
    (void)state;
    const st_real turn[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, half = sqrt(ST_R(0.5));
    const st_real inverse[9] = {half, half, 0, -half, half, 0, 0, 0, 1};
    for (int compat = 0; compat < 2; compat++) {
        physics_scene *test =
            load_with("<RegularGridTopology n='2 2 2' min='0 0 0' max='1 1 1'/><MechanicalObject name='dofs'/>",
                      "HexahedronFEMForceField", "method='large'", !compat);
        move(physics_state(test, "/dofs"), turn, 3);
        physics_force(test, "/fem");
        st_force *force = (st_force *)physics_find(test, "/fem");
        st_real rotations[8 * 9];
        assert_true(force->object.type->force->rotations(force, rotations));
        for (int k = 0; k < 8 * 9; k++) assert_near(rotations[k], (compat ? inverse : turn)[k % 9], EXACT);
        physics_free(test);
    }
}

static void note_error(void *user, const st_derivative_check *check) {
    if (strcmp(check->what, "stiffness") == 0) *(st_real *)user = check->error;
    else if (strcmp(check->what, "potential") != 0) assert_true(check->error <= EXACT); // products and masses
}

// Exact at rest, and everywhere without rotation. Products equal blocks: assert in the report.
static void derivatives(void **state) {
    (void)state;
    const st_real limit = 2e3 * pow(ST_REAL_EPSILON, ST_R(2.0 / 3));
    const st_real m[9] = {1.2, 0.3, 0.1, -0.1, 0.7, 0.2, 0.1, 0.4, 1.1};
    static const char *const more[] = {"method='large'", "method='polar'", "lumpedMass='1'"};
    for (int c = 0; c < CLASSES; c++)
        for (int i = 0; i < (has_mass(c) ? 3 : 2); i++) {
            physics_scene *test = load(PATCH, classes[c], more[i]);
            st_real error = -1;
            st_force *force = (st_force *)physics_find(test, "/fem");
            assert_int_equal(st_check_force(force, note_error, &error), ST_OK);
            assert_true(error >= 0 && error <= limit);
            move(physics_state(test, "/dofs"), m, 0);
            assert_int_equal(st_check_force(force, note_error, &error), ST_OK);
            physics_free(test);
        }
    physics_scene *test = load(PATCH, "HexahedronFEMForceField", "method='small'");
    st_real error = -1;
    move(physics_state(test, "/dofs"), m, 0);
    assert_int_equal(st_check_force((st_force *)physics_find(test, "/fem"), note_error, &error), ST_OK);
    assert_true(error >= 0 && error <= limit);
    physics_free(test);
}

// Uniform strain: 1/2 (lambda + 2 mu) strain^2 V, whatever the rotation.
static void energy_of_a_stretch(void **state) {
    (void)state;
    const st_lame lame = st_lame_of(1000, ST_R(0.3), 3);
    for (int c = 0; c < CLASSES; c++) {
        physics_scene *test = load(BOX, classes[c], "");
        weightless(test);
        move(physics_state(test, "/dofs"), (st_real[]){0, -1, 0, 1.1, 0, 0, 0, 0, 1}, 2);
        physics_force(test, "/fem");
        st_force *force = (st_force *)physics_find(test, "/fem");
        const st_params params = st_default_params();
        assert_near(force->object.type->force->potential(force, &params) /
                        ((lame.lambda + 2 * lame.mu) * ST_R(0.005) * ST_R(1.4)),
                    1, 1e6 * ST_REAL_EPSILON);
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// Mass
// ---------------------------------------------------------------------------------------------------

// Weight, inertia and kinetic energy of a rigid motion are those of the body; SOFA's inertia is 512/27 of it.
static void mass_of_a_box(void **state) {
    (void)state;
    for (int c = 0; c < CLASSES; c++)
        for (int compat = 0; has_mass(c) && compat < 2; compat++)
            for (int lumped = 0; lumped < 2; lumped++) {
                physics_scene *test =
                    load_with(BOX, classes[c], lumped ? "density='2' lumpedMass='1'" : "density='2'", !compat);
                st_mass *mass = (st_mass *)physics_find(test, "/fem");
                const st_mass_ops *ops = mass->force.object.type->mass;
                st_state *dofs = mass->force.state;
                const st_params params = st_default_params();
                const st_real whole = 2 * ST_R(1.4), factor = compat ? ST_R(512.0) / 27 : 1;
                physics_force(test, "/fem");
                st_real weight = 0, all = 0;
                for (size_t n = 0; n < dofs->size; n++) {
                    weight += dofs->deriv[ST_DERIV_FORCE].data[3 * n + 1];
                    all += ops->element_mass(mass, n);
                    dofs->deriv[ST_DERIV_VELOCITY].data[3 * n + 2] = 3;
                }
                assert_near(weight, -10 * whole, 1e6 * ST_REAL_EPSILON);
                assert_near(all, whole, EXACT);
                assert_near(ops->kinetic(mass, &params) / (factor * whole * ST_R(4.5)), 1, EXACT);
                assert_int_equal(ops->is_diagonal(mass), lumped);
                const st_mass_sum sum = st_scene_mass(test->scene);
                assert_near(sum.total, whole, EXACT);
                assert_near(sum.center[0], 1, EXACT);
                assert_near(sum.center[2], ST_R(0.35), EXACT);
                physics_free(test);
            }
}

// ---------------------------------------------------------------------------------------------------

// A grid has one stiffness; an element out of line has its own, and the force is the same as without sharing.
static void grids_share_their_stiffness(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology n='12 11 13' min='-3 0.1 0.2' max='1.7 7 5'/>"
                                       "<MechanicalObject name='dofs'/>"
                                       "<HexahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3'/>");
    const st_element_model *model = &((st_hexahedron_fem *)physics_find(test, "/fem"))->model;
    for (size_t p = 0; p < model->mesh.packs; p++) assert_int_equal(model->place[p], ST_SHARED);
    physics_free(test);
    test = physics_load("<RegularGridTopology n='12 11 13' min='-3 0.1 0.2' max='1.7 7 5'/>"
                        "<MechanicalObject name='dofs'/>"
                        "<HexahedronFEMForceField name='fem' youngModulus='1000 2000' poissonRatio='0.3'/>");
    model = &((st_hexahedron_fem *)physics_find(test, "/fem"))->model;
    assert_int_equal(model->place[0], 0);
    assert_int_equal(model->place[1], ST_SHARED);
    st_real k[576], other[576];
    st_element_model_matrix(model, 0, k);
    st_element_model_matrix(model, 1, other);
    for (int i = 0; i < 576; i++) assert_near(other[i], 2 * k[i], 1e5 * ST_REAL_EPSILON);
    st_element_model_matrix(model, 77, other);
    for (int i = 0; i < 576; i++) assert_near(other[i], k[i], 1e5 * ST_REAL_EPSILON);
    physics_free(test);
}

// With updateStiffnessMatrix a body that was stretched along one axis is stiffer across it.
static void stiffness_follows_the_shape(void **state) {
    (void)state;
    physics_dense at_rest, stretched;
    for (int update = 0; update < 2; update++) {
        physics_scene *test =
            load("<RegularGridTopology n='2 2 2' min='0 0 0' max='1 1 1'/>"
                 "<MechanicalObject name='dofs'/>",
                 "HexahedronFEMForceField", update ? "method='small' updateStiffnessMatrix='1'" : "method='small'");
        st_force *force = (st_force *)physics_find(test, "/fem");
        move(force->state, (st_real[]){2, 0, 0, 0, 1, 0, 0, 0, 1}, 0);
        physics_force(test, "/fem");
        physics_stiffness(force, update ? &stretched : &at_rest, force->state, force->state);
        physics_free(test);
    }
    st_real x[24], k[576];
    for (int i = 0; i < 24; i++) x[i] = (st_cube_corners[i / 3][i % 3] + 1) / 2 * (i % 3 == 0 ? 2 : 1);
    assert_true(st_hexahedron_stiffness(x, st_hooke_of(1000, ST_R(0.3)), k));
    assert_near(stretched.values[0], -k[0], 1e5 * ST_REAL_EPSILON);
    assert_true(fabs(at_rest.values[0] - stretched.values[0]) > 1);
}

static void wrong_input_is_answered(void **state) {
    (void)state;
    for (int c = 0; c < CLASSES; c++) {
        physics_scene *test = load("<MechanicalObject name='dofs' position='0 0 0'/>", classes[c], "");
        assert_non_null(strstr(test->log, "there is no mesh"));
        physics_free(test);
        test = load("<MeshTopology/><MechanicalObject name='dofs'/>", classes[c], "");
        assert_non_null(strstr(test->log, "the mesh has no hexahedra"));
        physics_free(test);
        test = load("<MeshTopology hexahedra='0 1 2 3 4 5 6 7'/><MechanicalObject name='dofs' position='0 0 0'/>",
                    classes[c], "");
        assert_non_null(strstr(test->log, "hexahedron 0 of 1 has a vertex beyond the 1 DOFs"));
        physics_free(test);
        test = load(BOX, classes[c], "method='round'");
        assert_non_null(strstr(test->log, "unknown method \"round\""));
        physics_free(test);
        test = load("<MeshTopology hexahedra='0 1 2 3 0 1 2 3'/>"
                    "<MechanicalObject name='dofs' position='0 0 0  1 0 0  1 1 0  0 1 0'/>",
                    classes[c], "method='polar'");
        physics_force(test, "/fem");
        assert_non_null(strstr(test->log, "a hexahedron is flat"));
        for (size_t i = 0; i < 12; i++)
            assert_true(isfinite(physics_state(test, "/dofs")->deriv[ST_DERIV_FORCE].data[i]));
        physics_free(test);
    }
}

// Three steps of a block that hangs on four corners, as text.
static char *run_block(const char *components, const char *solver, int threads) {
    char text[1024];
    snprintf(text, sizeof text,
             "<Node gravity='0 -10 0' dt='0.02'><DefaultAnimationLoop/><EulerImplicitSolver/>%s"
             "<RegularGridTopology n='13 9 9' min='0 0 0' max='6 4 4'/><MechanicalObject name='dofs'/>%s"
             "<FixedProjectiveConstraint indices='0 1 2 3'/></Node>",
             solver, components);
    st_config config = st_default_config();
    config.threads = threads;
    st_scene *scene = st_scene_create(&config);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));
    for (int step = 0; step < 3; step++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
    char *position = st_object_get(st_scene_find(scene, "/dofs"), "position", 17);
    assert_non_null(position);
    st_scene_destroy(scene);
    return position;
}

static void compare_threads(const char *components, const char *solver) {
    char *one = run_block(components, solver, 1), *three = run_block(components, solver, 3);
    assert_string_equal(one, three);
    st_string_free(one);
    st_string_free(three);
}

// Products and assembled matrices, of hexahedra and of the tetrahedra that are cut from them.
static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    static const char *const solvers[] = {"<CGLinearSolver iterations='9' tolerance='1e-9' threshold='1e-9'/>",
                                          "<CGLinearSolver template='CompressedRowSparseMatrixMat3x3d' iterations='9' "
                                          "tolerance='1e-9' threshold='1e-9'/>"};
    for (int i = 0; i < 2; i++) {
        for (int c = 0; c < CLASSES; c++) {
            char components[256];
            snprintf(components, sizeof components, "%s<%s youngModulus='1000' poissonRatio='0.3'/>",
                     has_mass(c) ? "" : "<UniformMass totalMass='3'/>", classes[c]);
            compare_threads(components, solvers[i]);
        }
        compare_threads("<UniformMass totalMass='3'/>"
                        "<TetrahedronFEMForceField youngModulus='1000' poissonRatio='0.3'/>",
                        solvers[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffness_of_one_element),
        cmocka_unit_test(patch_test),
        cmocka_unit_test(rigid_motion_makes_no_force),
        cmocka_unit_test(nodes_tell_the_inverse_in_sofa),
        cmocka_unit_test(derivatives),
        cmocka_unit_test(energy_of_a_stretch),
        cmocka_unit_test(mass_of_a_box),
        cmocka_unit_test(grids_share_their_stiffness),
        cmocka_unit_test(stiffness_follows_the_shape),
        cmocka_unit_test(wrong_input_is_answered),
        cmocka_unit_test(threads_do_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
