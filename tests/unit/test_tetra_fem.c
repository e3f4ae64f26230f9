// The tetrahedral forces: element data against numbers worked out by hand, rigid motions, patch test, tangents at rest,
// flat and inverted elements, plasticity, von Mises stress, wrong attributes, and the same bits for every instruction
// set and number of threads.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "check/derivative_check.h"
#include "force/fem/tetrahedron/hexa_split.h"
#include "force/fem/tetrahedron/tetra_model.h"
#include "math/decompose.h"
#include "math/pack_rotation.h"
#include "math/simd.h"
#include "scene/scene.h"

#define EXACT (1e3 * ST_REAL_EPSILON)

// A ball of tetrahedra around the free inner node 0, none of them regular.
#define BALL                                                                                                           \
    "<MeshTopology tetrahedra='0 1 2 3  0 1 3 4  0 1 4 5  0 1 5 2  0 6 3 2  0 6 4 3  0 6 5 4  0 6 2 5'/>"              \
    "<MechanicalObject name='dofs' position='0.1 0.05 -0.1  0 0 1  1 0 0.1  0.1 1.2 0  -0.9 0 0  0 -1 0.1  0 0.1 "     \
    "-1.1'/>"

static const char *const all_forces[] = {
    "<TetrahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' method='small'/>",
    "<TetrahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' method='large'/>",
    "<TetrahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' method='polar'/>",
    "<TetrahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' method='svd'/>",
    "<ParallelTetrahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' nbThreads='3'/>",
    "<TetrahedralCorotationalFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' method='small'/>",
    "<TetrahedralCorotationalFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' method='large'/>",
    "<TetrahedralCorotationalFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' method='polar'/>",
    "<FastTetrahedralCorotationalForceField name='fem' youngModulus='1000' poissonRatio='0.3' method='none'/>",
    "<FastTetrahedralCorotationalForceField name='fem' youngModulus='1000' poissonRatio='0.3' method='qr'/>",
    "<FastTetrahedralCorotationalForceField name='fem' youngModulus='1000' poissonRatio='0.3' method='polar'/>",
    "<FastTetrahedralCorotationalForceField name='fem' youngModulus='1000' poissonRatio='0.3' method='polar2'/>",
};
enum { FORCES = sizeof all_forces / sizeof *all_forces };

static bool is_linear(const char *xml) { return strstr(xml, "small") || strstr(xml, "none"); }

static physics_scene *load_ball(const char *force) {
    char text[1024];
    snprintf(text, sizeof text, BALL "%s", force);
    return physics_load(text);
}

// x = shift + M X
static void deform(st_state *state, const st_real m[9], const st_real shift[3]) {
    for (size_t n = 0; n < state->size; n++) {
        st_real *x = state->coord[ST_COORD_POSITION].data + 3 * n;
        st_mat3_times_vec(x, m, state->coord[ST_COORD_REST].data + 3 * n);
        st_vec3_add(x, x, shift);
    }
}

// ---------------------------------------------------------------------------------------------------
// Element data
// ---------------------------------------------------------------------------------------------------

static void one_element_by_hand(void **state) {
    (void)state;
    const st_real rest[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t element[4] = {2, 3, 1, 0};
    st_tetra_model model = {.method = ST_TETRA_LARGE};
    size_t wrong;
    assert_int_equal(st_tetra_model_make(&model, NULL, element, 1, rest, 4, &wrong), ST_OK);
    st_tetra_model_set_material(&model, 0, rest, st_hooke_of(1000, ST_R(0.3)));
    st_real frame[9], nodes[12], g[12], material[3];
    st_pack_take(model.frame[0], 9, 0, frame);
    st_pack_take(model.rest[0], 12, 0, nodes);
    st_pack_take(model.direct[0], 12, 0, g);
    st_pack_take(model.material[0], 3, 0, material);
    const st_real turned[9] = {0,           -0.70710678, 0.70710678, 0.81649658, -0.40824829,
                               -0.40824829, 0.57735027,  0.57735027, 0.57735027};
    const st_real placed[12] = {0,          0,          0, 1.41421356, 0,          0,
                                0.70710678, 1.22474487, 0, 0.70710678, 0.40824829, -0.57735027};
    assert_reals(frame, 9, turned, 1e-6);
    assert_reals(nodes, 12, placed, 1e-6);
    assert_reals(material, 3, (st_real[]){224.358974, 96.1538462, 64.1025641}, 1e-4);
    assert_near(g[0], 0.70710678, 1e-6);
    assert_near(g[1], 0.40824829, 1e-6);
    assert_near(g[2], -0.57735027, 1e-6);
    assert_near(g[11], 1.73205081, 1e-6);
    st_tetra_model_free(&model);
}

// ---------------------------------------------------------------------------------------------------
// Physics
// ---------------------------------------------------------------------------------------------------

static void rigid_motion_makes_no_force(void **state) {
    (void)state;
    st_real turn[9], identity[9];
    st_frame_rows(turn, (st_real[]){1, 2, -1}, (st_real[]){0.3, 1, 2});
    st_mat3_identity(identity);
    for (int i = 0; i < FORCES; i++) {
        physics_scene *test = load_ball(all_forces[i]);
        st_state *dofs = physics_state(test, "/dofs");
        deform(dofs, is_linear(all_forces[i]) ? identity : turn, (st_real[]){3, -2, 5});
        physics_force(test, "/fem");
        for (size_t k = 0; k < 21; k++) assert_near(dofs->deriv[ST_DERIV_FORCE].data[k], 0, 1e6 * ST_REAL_EPSILON);
        physics_free(test);
    }
}

// A uniform strain is a state of equilibrium: no force on the inner node, whatever the elements look like. The sum of
// all forces and of their moments vanishes in any state.
static void uniform_strain_is_in_equilibrium(void **state) {
    (void)state;
    const st_real m[9] = {1.02, 0.03, 0, -0.01, 0.97, 0.02, 0.01, 0, 1.01};
    for (int i = 0; i < FORCES; i++) {
        physics_scene *test = load_ball(all_forces[i]);
        st_state *dofs = physics_state(test, "/dofs");
        deform(dofs, m, (st_real[]){1, 2, 3});
        physics_force(test, "/fem");
        const st_real *f = dofs->deriv[ST_DERIV_FORCE].data;
        // elements of one strain turn alike only where the deformation gradient gives the rotation
        const bool alike = is_linear(all_forces[i]) || strstr(all_forces[i], "Fast") != NULL;
        for (int k = 0; k < 3 && alike && !strstr(all_forces[i], "qr") && !strstr(all_forces[i], "polar2"); k++)
            assert_near(f[k], 0, 1e6 * ST_REAL_EPSILON);
        st_real sum[3] = {0}, largest = 0;
        for (size_t n = 0; n < 21; n++) {
            sum[n % 3] += f[n];
            largest = fmax(largest, fabs(f[n]));
        }
        assert_true(largest > 1);
        assert_reals(sum, 3, (st_real[]){0, 0, 0}, 1e5 * ST_REAL_EPSILON);
        physics_free(test);
    }
}

static void note_error(void *user, const st_derivative_check *check) {
    if (strcmp(check->what, "stiffness") == 0) *(st_real *)user = check->error;
    if (strcmp(check->what, "product") == 0) assert_true(check->error <= EXACT);
}

// The rotation is frozen in the derivative: it is exact at the rest shape, and nowhere else unless there is none.
static void tangent_is_exact_at_rest(void **state) {
    (void)state;
    const st_real limit = 2e3 * pow(ST_REAL_EPSILON, ST_R(2.0 / 3));
    for (int i = 0; i < FORCES; i++) {
        physics_scene *test = load_ball(all_forces[i]);
        st_state *dofs = physics_state(test, "/dofs");
        st_force *force = (st_force *)physics_find(test, "/fem");
        st_real error = -1;
        assert_int_equal(st_check_force(force, note_error, &error), ST_OK);
        assert_true(error >= 0 && error <= limit);
        deform(dofs, (st_real[]){1.5, 0.4, 0, 0, 0.7, 0.5, 0.3, 0, 1}, (st_real[]){0, 0, 0});
        assert_int_equal(st_check_force(force, note_error, &error), ST_OK);
        assert_true(is_linear(all_forces[i]) ? error <= limit : error > limit);
        physics_free(test);
    }
}

// The three forces are one model: same numbers for the same rotation.
static void the_same_model_three_times(void **state) {
    (void)state;
    static const int groups[3][3] = {{1, 6, 9}, {2, 7, 11}, {0, 5, 8}};
    const st_real m[9] = {0.2, -1.1, 0.1, 0.9, 0.3, 0, 0.1, 0.2, 1.2};
    for (int g = 0; g < 3; g++) {
        st_real expected[21], matrix[441];
        for (int i = 0; i < 3; i++) {
            physics_scene *test = load_ball(all_forces[groups[g][i]]);
            st_state *dofs = physics_state(test, "/dofs");
            physics_dense dense;
            deform(dofs, m, (st_real[]){0, 1, 0});
            physics_force(test, "/fem");
            physics_stiffness((st_force *)physics_find(test, "/fem"), &dense, dofs, dofs);
            if (i == 0) {
                memcpy(expected, dofs->deriv[ST_DERIV_FORCE].data, sizeof expected);
                memcpy(matrix, dense.values, sizeof matrix);
            }
            assert_reals(dofs->deriv[ST_DERIV_FORCE].data, 21, expected, 1e6 * ST_REAL_EPSILON);
            assert_reals(dense.values, 441, matrix, 1e6 * ST_REAL_EPSILON);
            physics_free(test);
        }
    }
}

// updateStiffnessMatrix and computeGlobalMatrix: product and blocks agree, and the explicit matrix gives the same
// force.
static void options_keep_product_and_blocks_equal(void **state) {
    (void)state;
    static const char *const options[] = {
        "<TetrahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' updateStiffnessMatrix='1'/>",
        "<TetrahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' method='polar' "
        "updateStiffnessMatrix='1'/>",
        "<TetrahedralCorotationalFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' "
        "updateStiffnessMatrix='1'/>",
        "<TetrahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' localStiffnessFactor='1 2'/>",
        "<TetrahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' computeGlobalMatrix='1'/>",
    };
    st_real plain[21];
    for (size_t i = 0; i < 5; i++) {
        physics_scene *test = load_ball(i == 4 ? all_forces[1] : options[i]);
        st_state *dofs = physics_state(test, "/dofs");
        deform(dofs, (st_real[]){0.2, -1.1, 0.1, 0.9, 0.3, 0, 0.1, 0.2, 1.2}, (st_real[]){0, 1, 0});
        st_real error = -1;
        assert_int_equal(st_check_force((st_force *)physics_find(test, "/fem"), note_error, &error), ST_OK);
        physics_force(test, "/fem");
        memcpy(plain, dofs->deriv[ST_DERIV_FORCE].data, sizeof plain);
        physics_free(test);
    }
    physics_scene *test = load_ball(options[4]);
    st_state *dofs = physics_state(test, "/dofs");
    deform(dofs, (st_real[]){0.2, -1.1, 0.1, 0.9, 0.3, 0, 0.1, 0.2, 1.2}, (st_real[]){0, 1, 0});
    physics_force(test, "/fem");
    assert_reals(dofs->deriv[ST_DERIV_FORCE].data, 21, plain, 1e6 * ST_REAL_EPSILON);
    physics_free(test);
}

// Each node knows how far the body has turned.
static void rotations_of_nodes(void **state) {
    (void)state;
    st_real turn[9], found[7 * 9];
    st_frame_rows(turn, (st_real[]){1, 2, -1}, (st_real[]){0.3, 1, 2});
    for (int i = 1; i < 4; i++) {
        physics_scene *test = load_ball(all_forces[i]);
        st_force *force = (st_force *)physics_find(test, "/fem");
        deform(force->state, turn, (st_real[]){0, 0, 0});
        physics_force(test, "/fem");
        assert_true(force->object.type->force->rotations(force, found));
        for (int n = 0; n < 7; n++) assert_reals(found + 9 * n, 9, turn, EXACT);
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// Flat and inverted elements
// ---------------------------------------------------------------------------------------------------

#define SINGLE                                                                                                         \
    "<MeshTopology tetrahedra='0 1 2 3'/>"                                                                             \
    "<MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0  0 0 1'/>"

static void inverted_and_flat_elements(void **state) {
    (void)state;
    static const char *const methods[] = {"small", "large", "polar", "svd"};
    for (int i = 0; i < 4; i++)
        for (int flat = 0; flat < 2; flat++) {
            char text[512];
            snprintf(text, sizeof text,
                     SINGLE "<TetrahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3' method='%s'/>",
                     methods[i]);
            physics_scene *test = physics_load(text);
            st_state *dofs = physics_state(test, "/dofs");
            const st_real m[9] = {1, 0, 0, 0, 1, 0, 0, 0, flat ? 0 : -1};
            deform(dofs, m, (st_real[]){0, 0, 0});
            physics_force(test, "/fem");
            const st_real *f = dofs->deriv[ST_DERIV_FORCE].data;
            for (int k = 0; k < 12; k++) assert_true(isfinite(f[k]));
            // a mirror image is at rest for the polar method, and pushed back by the others
            if (!flat) assert_true(i == 2 ? fabs(f[11]) < EXACT : f[11] > 1);
            physics_free(test);
        }
}

// An element that is flat at rest has no stiffness: nothing infinite comes out of it.
static void flat_at_rest(void **state) {
    (void)state;
    for (int i = 0; i < FORCES; i++) {
        char text[768];
        snprintf(text, sizeof text,
                 "<MeshTopology tetrahedra='0 1 2 3'/><MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0  1 1 "
                 "0'/>%s",
                 all_forces[i]);
        physics_scene *test = physics_load(text);
        st_state *dofs = physics_state(test, "/dofs");
        dofs->coord[ST_COORD_POSITION].data[11] = 1;
        physics_force(test, "/fem");
        for (int k = 0; k < 12; k++) assert_true(isfinite(dofs->deriv[ST_DERIV_FORCE].data[k]));
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// Plasticity, stress, energy
// ---------------------------------------------------------------------------------------------------

// One element stretched by s along x: e = 6 V times the strain = -s. It creeps by c (e - p) in each evaluation and is
// bounded by the maximum.
static void plasticity_creeps_and_is_bounded(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(SINGLE "<TetrahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0' method='small' "
                            "plasticMaxThreshold='0.08' plasticYieldThreshold='0.01' plasticCreep='0.5'/>");
    st_state *dofs = physics_state(test, "/dofs");
    const st_real s = 0.1, k = 1000 / ST_R(6.0); // E V / (6 V)^2
    dofs->coord[ST_COORD_POSITION].data[3] += s;
    const st_real plastic[3] = {s / 2, s * 3 / 4, ST_R(0.08)};
    for (int i = 0; i < 3; i++) {
        physics_force(test, "/fem");
        assert_near(dofs->deriv[ST_DERIV_FORCE].data[3], -k * (s - plastic[i]), 1e-3);
    }
    st_object *object = physics_find(test, "/fem");
    object->type->reset(object);
    physics_force(test, "/fem");
    assert_near(dofs->deriv[ST_DERIV_FORCE].data[3], -k * (s - plastic[0]), 1e-3);
    physics_free(test);
}

// Uniaxial stress E s: von Mises stress is its size, in each element and at each node, in any orientation.
static void von_mises_of_uniaxial_stress(void **state) {
    (void)state;
    static const char *const forms[] = {"method='large' computeVonMisesStress='2'",
                                        "method='small' computeVonMisesStress='2'"};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<EulerExplicitSolver/><UniformMass totalMass='1'/>" BALL
                 "<TetrahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0' %s/>",
                 forms[i]);
        physics_scene *test = physics_load(text);
        st_state *dofs = physics_state(test, "/dofs");
        const st_real s = 0.01;
        deform(dofs, (st_real[]){1 + s, 0, 0, 0, 1, 0, 0, 0, 1}, (st_real[]){0, 0, 0});
        st_object *fem = physics_find(test, "/fem");
        physics_force(test, "/fem");
        st_event end = {.kind = ST_EVENT_ANIMATE_END};
        fem->type->event(fem, &end);
        char *text_of = st_object_get(fem, "vonMisesPerNode", 6);
        assert_non_null(text_of);
        const double value = atof(text_of), green = 1000 * ((double)s + (double)(s * s) / 2);
        assert_true(fabs(value - green) < 1e-2);
        st_string_free(text_of);
        physics_free(test);
    }
}

// For small the energy is the work of the force: dW = -f dx.
static void energy_of_small(void **state) {
    (void)state;
    physics_scene *test = load_ball(all_forces[0]);
    st_state *dofs = physics_state(test, "/dofs");
    st_force *force = (st_force *)physics_find(test, "/fem");
    const st_params params = st_default_params();
    dofs->coord[ST_COORD_POSITION].data[0] += 0.1;
    physics_force(test, "/fem");
    // quadratic: W(x) = -1/2 f(x) . (x - X)
    assert_near(force->object.type->force->potential(force, &params),
                -ST_R(0.5) * dofs->deriv[ST_DERIV_FORCE].data[0] * ST_R(0.1), 1e6 * ST_REAL_EPSILON);
    physics_free(test);
}

// Turned and stretched along one axis: 1/2 (lambda + 2 mu) strain^2 V, whatever the method.
static void energy_of_a_stretch(void **state) {
    (void)state;
    static const char *const forces[] = {
        "TetrahedronFEMForceField method='large'", "TetrahedronFEMForceField method='polar'",
        "TetrahedronFEMForceField method='svd'", "TetrahedralCorotationalFEMForceField method='large'",
        "TetrahedralCorotationalFEMForceField method='polar'"};
    const st_lame lame = st_lame_of(1000, ST_R(0.3), 3);
    for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "<MeshTopology tetrahedra='0 1 2 3'/>"
                 "<MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0  0 0 1'/>"
                 "<%s name='fem' youngModulus='1000' poissonRatio='0.3'/>",
                 forces[i]);
        physics_scene *test = physics_load(text);
        st_force *force = (st_force *)physics_find(test, "/fem");
        const st_params params = st_default_params();
        const st_real x[12] = {5, 1, 2, 5, ST_R(2.1), 2, 4, 1, 2, 5, 1, 3};
        memcpy(force->state->coord[ST_COORD_POSITION].data, x, sizeof x);
        physics_force(test, "/fem");
        assert_near(force->object.type->force->potential(force, &params), (lame.lambda + 2 * lame.mu) * ST_R(0.01) / 12,
                    1e5 * ST_REAL_EPSILON);
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// Attributes that cannot be
// ---------------------------------------------------------------------------------------------------

static void force_on_tip(const char *attributes, st_real *f) {
    char text[512];
    snprintf(text, sizeof text, SINGLE "<TetrahedronFEMForceField name='fem' %s/>", attributes);
    physics_scene *test = physics_load(text);
    st_state *dofs = physics_state(test, "/dofs");
    dofs->coord[ST_COORD_POSITION].data[3] = 1.5;
    physics_force(test, "/fem");
    memcpy(f, dofs->deriv[ST_DERIV_FORCE].data, 12 * sizeof *f);
    physics_free(test);
}

static void wrong_materials_become_the_defaults(void **state) {
    (void)state;
    st_real expected[12], f[12];
    force_on_tip("youngModulus='5000' poissonRatio='0.45'", expected);
    static const char *const wrong[] = {
        "youngModulus='-1' poissonRatio='0.45'", "youngModulus='5000' poissonRatio='0.5'",
        "youngModulus='5000' poissonRatio='-0.1'", "youngModulus='' poissonRatio=''", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        force_on_tip(wrong[i], f);
        assert_reals(f, 12, expected, 0);
    }
    physics_scene *test = physics_load(SINGLE "<TetrahedronFEMForceField youngModulus='-1' poissonRatio='0.7'/>");
    assert_non_null(strstr(test->log, "youngModulus of element 0 is -1"));
    assert_non_null(strstr(test->log, "poissonRatio of element 0 is 0.7"));
    physics_free(test);
}

static void expect_error(const char *children, const char *part, bool valid) {
    physics_scene *test = physics_load(children);
    if (!strstr(test->log, part)) print_message("'%s' is not in:\n%s", part, test->log);
    assert_non_null(strstr(test->log, part));
    assert_int_equal(st_is_valid(physics_find(test, "/fem")), valid);
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    physics_free(test);
}

static void wrong_input_is_answered(void **state) {
    (void)state;
#define DOFS "<MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0  0 0 1'/>"
#define MATERIAL " name='fem' youngModulus='1' poissonRatio='0.1'"
    expect_error(SINGLE "<TetrahedronFEMForceField method='big'" MATERIAL "/>", "unknown method \"big\"", true);
    expect_error(SINGLE "<FastTetrahedralCorotationalForceField method='big'" MATERIAL "/>", "unknown method \"big\"",
                 true);
    expect_error(SINGLE "<TetrahedronFEMForceField computeVonMisesStress='3'" MATERIAL "/>",
                 "computeVonMisesStress is 3", false);
    expect_error(SINGLE "<TetrahedronFEMForceField method='small' computeVonMisesStress='1'" MATERIAL "/>",
                 "no stress is computed", true);
    expect_error(DOFS "<TetrahedronFEMForceField" MATERIAL "/>", "there is no mesh", false);
    expect_error(DOFS "<MeshTopology/><TetrahedronFEMForceField" MATERIAL "/>", "neither tetrahedra nor hexahedra",
                 false);
    expect_error(DOFS "<MeshTopology/><TetrahedralCorotationalFEMForceField" MATERIAL "/>", "no tetrahedra", true);
    expect_error(DOFS "<MeshTopology/><FastTetrahedralCorotationalForceField" MATERIAL "/>", "no tetrahedra", true);
    expect_error(DOFS "<MeshTopology tetrahedra='0 1 2 9'/><TetrahedronFEMForceField" MATERIAL "/>",
                 "beyond the 4 DOFs", false);
    expect_error(DOFS "<MeshTopology tetrahedra='0 1 2 9'/><TetrahedralCorotationalFEMForceField" MATERIAL "/>",
                 "beyond the 4 DOFs", false);
    expect_error(DOFS "<MeshTopology tetrahedra='0 1 2 9'/><FastTetrahedralCorotationalForceField" MATERIAL "/>",
                 "beyond the 4 DOFs", false);
}

// The explicit matrix knows neither polar decompositions nor plasticity: an error, no force, and the tangent stays.
static void explicit_matrix_without_force(void **state) {
    (void)state;
    static const char *const forms[] = {
        "<TetrahedronFEMForceField computeGlobalMatrix='1' method='polar'" MATERIAL "/>",
        "<TetrahedronFEMForceField assembling='1' method='svd'" MATERIAL "/>",
        "<TetrahedronFEMForceField computeGlobalMatrix='1' plasticMaxThreshold='1'" MATERIAL "/>",
        "<TetrahedralCorotationalFEMForceField computeGlobalMatrix='1' method='polar'" MATERIAL "/>",
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char text[512];
        snprintf(text, sizeof text, SINGLE "%s", forms[i]);
        physics_scene *test = physics_load(text);
        st_state *dofs = physics_state(test, "/dofs");
        physics_dense dense;
        dofs->coord[ST_COORD_POSITION].data[3] = 1.5;
        physics_force(test, "/fem");
        assert_near(dofs->deriv[ST_DERIV_FORCE].data[3], 0, 0);
        assert_non_null(strstr(test->log, "there is no force"));
        physics_stiffness((st_force *)physics_find(test, "/fem"), &dense, dofs, dofs);
        assert_true(dense.values[12 * 3 + 3] < 0);
        physics_free(test);
    }
}

static void values_per_element(void **state) {
    (void)state;
    // two tetrahedra that share no node; the list has a value for the first: it holds for the second, too
    static const char *const forms[] = {"youngModulus='1000 3000'", "youngModulus='1000'",
                                        "youngModulus='1000' localStiffnessFactor='1 3'"};
    const st_real ratio[] = {3, 1, 3};
    for (int i = 0; i < 3; i++) {
        char text[640];
        snprintf(text, sizeof text,
                 "<MeshTopology tetrahedra='0 1 2 3  4 5 6 7'/><MechanicalObject name='dofs' "
                 "position='0 0 0  1 0 0  0 1 0  0 0 1  0 0 0  1 0 0  0 1 0  0 0 1'/>"
                 "<TetrahedronFEMForceField name='fem' poissonRatio='0.3' %s/>",
                 forms[i]);
        physics_scene *test = physics_load(text);
        st_state *dofs = physics_state(test, "/dofs");
        dofs->coord[ST_COORD_POSITION].data[3] = dofs->coord[ST_COORD_POSITION].data[15] = 1.5;
        physics_force(test, "/fem");
        const st_real *f = dofs->deriv[ST_DERIV_FORCE].data;
        assert_near(f[15] / f[3], ratio[i], EXACT);
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// Hexahedra cut into tetrahedra
// ---------------------------------------------------------------------------------------------------

static void hexahedra_are_cut(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<RegularGridTopology name='grid' n='3 4 3' min='0 0 0' max='2 3 2'/><MechanicalObject name='dofs'/>");
    st_uints tetrahedra = {0};
    assert_true(st_split_hexahedra((st_topology *)physics_find(test, "/grid"), &tetrahedra));
    assert_int_equal(tetrahedra.count, 6 * 12);
    const st_real *rest = physics_state(test, "/dofs")->coord[ST_COORD_REST].data;
    st_real volume = 0;
    for (size_t t = 0; t < tetrahedra.count; t++) volume += st_tetrahedron_volume(rest, tetrahedra.data + 4 * t);
    assert_near(volume, 12, EXACT);
    // the first cell is mirrored in x: corners 1 0 3 2 5 4 7 6 of the grid's first cell
    assert_int_equal(tetrahedra.data[0], 1);
    assert_int_equal(tetrahedra.data[1], 12);
    assert_int_equal(tetrahedra.data[2], 0);
    assert_int_equal(tetrahedra.data[3], 15);
    st_free(tetrahedra.data);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Same bits
// ---------------------------------------------------------------------------------------------------

static void rotations_of_packs_are_those_of_one_matrix(void **state) {
    (void)state;
    unsigned seed = 7;
    for (int round = 0; round < 500; round++) {
        st_pack m[9], q[9], frame[9];
        st_real one[4][9], expected[9];
        for (int lane = 0; lane < 4; lane++)
            for (int k = 0; k < 9; k++) {
                const bool flat = round % 10 == 0 && lane == 2 && k >= 6; // a row of zeros
                one[lane][k] = flat ? 0 : physics_random(&seed);
                m[k][lane] = one[lane][k];
            }
        const st_pack_mask singular = st_pack_polar(q, m);
        st_pack_frame_rows(frame, m, m + 3);
        for (int lane = 0; lane < 4; lane++) {
            const bool regular = st_polar(expected, one[lane]);
            assert_int_equal(regular, !singular[lane]);
            for (int k = 0; k < 9; k++) assert_true(q[k][lane] == expected[k]);
            st_frame_rows(expected, one[lane], one[lane] + 3);
            for (int k = 0; k < 9; k++) assert_true(frame[k][lane] == expected[k]);
        }
    }
}

#ifdef __x86_64__
static void instruction_sets_agree(void **state) {
    (void)state;
    if (!ST_HAS_AVX2()) skip();
    const int sets = ST_HAS_AVX512() ? 3 : 2;
    const st_tetra_kernels *const all[] = {&st_tetra_kernels_portable, &st_tetra_kernels_avx2,
                                           &st_tetra_kernels_avx512};
    unsigned seed = 3;
    st_real rest[60], x[60];
    uint32_t elements[4 * 21];
    for (int k = 0; k < 60; k++) {
        rest[k] = physics_random(&seed);
        x[k] = rest[k] + physics_random(&seed) / 4;
    }
    for (uint32_t e = 0; e < 21; e++)
        for (uint32_t i = 0; i < 4; i++) elements[4 * e + i] = (e * 3 + i * (e % 3 + 1)) % 20;
    for (int method = 0; method < 4; method++) {
        st_real f[3][60] = {{0}}, df[3][60] = {{0}};
        for (int set = 0; set < sets; set++) {
            const st_tetra_kernels *kernels = all[set];
            st_tetra_model model = {.method = (st_tetra_method)method};
            size_t wrong;
            assert_int_equal(st_tetra_model_make(&model, NULL, elements, 21, rest, 20, &wrong), ST_OK);
            for (size_t e = 0; e < 24; e++) st_tetra_model_set_material(&model, e, rest, st_hooke_of(1000, ST_R(0.3)));
            st_tetra_call call = {.model = &model, .x = x, .factor = ST_R(0.7)};
            st_element_loop(NULL, &model.mesh, kernels->force[method], &call, f[set]);
            st_element_loop(NULL, &model.mesh, kernels->product[method != 0], &call, df[set]);
            st_tetra_model_free(&model);
        }
        for (int set = 1; set < sets; set++) {
            assert_memory_equal(f[0], f[set], sizeof f[0]);
            assert_memory_equal(df[0], df[set], sizeof df[0]);
        }
    }
}
#endif

// Force and product of a body that is large enough for threads.
static void evaluate(const char *xml, bool tetrahedra, int threads, st_real *result, size_t count) {
    char text[1024];
    snprintf(text, sizeof text,
             "<Node><DefaultAnimationLoop/><RegularGridTopology name='grid' n='9 9 9' min='0 0 0' max='1 1 1'/>"
             "<MechanicalObject name='dofs'/>%s%s</Node>",
             tetrahedra ? "<TetrahedronSetTopologyContainer name='tetra'/><Hexa2TetraTopologicalMapping input='@grid' "
                          "output='@tetra'/>"
                        : "",
             xml);
    physics_evaluate_with(text, threads, result, count);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    enum { COUNT = 3 * 729 };
    static st_real one[2 * COUNT], more[2 * COUNT];
    for (int i = 0; i < FORCES; i++) {
        evaluate(all_forces[i], true, 1, one, COUNT);
        for (int threads = 2; threads <= 3; threads++) {
            evaluate(all_forces[i], true, threads, more, COUNT);
            assert_memory_equal(one, more, sizeof one);
        }
    }
}

// A state that loses points, here by a file: no force, no matrix, one message, nothing beyond its end.
static void a_state_that_becomes_smaller(void **state) {
    (void)state;
    static const char *const forces[] = {
        "<TetrahedronFEMForceField youngModulus='1000' poissonRatio='0.3'/>",
        "<TetrahedralCorotationalFEMForceField youngModulus='1000' poissonRatio='0.3'/>",
        "<FastTetrahedralCorotationalForceField youngModulus='1000' poissonRatio='0.3'/>",
        "<CorotationalFEMForceField youngModulus='1000' poissonRatio='0.3'/>",
        "<TetrahedronHyperelasticityFEMForceField materialName='StVenantKirchhoff' ParameterSet='400 500'/>",
        "<HexahedronFEMForceField youngModulus='1000' poissonRatio='0.3'/>",
    };
    static const char *const solvers[] = {"<SparseLDLSolver/>",
                                          "<CGLinearSolver iterations='9' tolerance='1e-9' threshold='1e-9'/>"};
    const char *path = physics_file("smaller_state.txt", "T= 0.02\n  X= 0 0 0 1 0 0\n");
    for (size_t i = 0; i < 2 * sizeof forces / sizeof *forces; i++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            "<EulerImplicitSolver/>%s<MeshTopology %s/><MechanicalObject name='dofs' position='0 0 0  1 0 0  1 1 0 "
            " 0 1 0  0 0 1  1 0 1  1 1 1  0 1 1'/><UniformMass totalMass='1'/>%s<ReadState filename='%s'/>",
            solvers[i % 2], strstr(forces[i / 2], "Hexa") ? "hexahedra='0 1 2 3 4 5 6 7'" : "tetrahedra='0 1 3 7'",
            forces[i / 2], path);
        physics_scene *test = physics_load(text);
        assert_int_equal(test->count[ST_ERROR], 0);
        for (int k = 0; k < 5; k++) st_scene_step(test->scene, 0);
        assert_int_equal(physics_state(test, "/dofs")->size, 2);
        const char *told = strstr(test->log, "the state has 2 points, its mesh 8");
        assert_non_null(told);
        assert_null(strstr(told + 1, "the state has 2 points, its mesh 8"));
        physics_free(test);
    }
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_element_by_hand),
        cmocka_unit_test(rigid_motion_makes_no_force),
        cmocka_unit_test(uniform_strain_is_in_equilibrium),
        cmocka_unit_test(tangent_is_exact_at_rest),
        cmocka_unit_test(the_same_model_three_times),
        cmocka_unit_test(options_keep_product_and_blocks_equal),
        cmocka_unit_test(rotations_of_nodes),
        cmocka_unit_test(inverted_and_flat_elements),
        cmocka_unit_test(flat_at_rest),
        cmocka_unit_test(plasticity_creeps_and_is_bounded),
        cmocka_unit_test(von_mises_of_uniaxial_stress),
        cmocka_unit_test(energy_of_small),
        cmocka_unit_test(energy_of_a_stretch),
        cmocka_unit_test(wrong_materials_become_the_defaults),
        cmocka_unit_test(wrong_input_is_answered),
        cmocka_unit_test(a_state_that_becomes_smaller),
        cmocka_unit_test(explicit_matrix_without_force),
        cmocka_unit_test(values_per_element),
        cmocka_unit_test(hexahedra_are_cut),
        cmocka_unit_test(rotations_of_packs_are_those_of_one_matrix),
#ifdef __x86_64__
        cmocka_unit_test(instruction_sets_agree),
#endif
        cmocka_unit_test(threads_do_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
