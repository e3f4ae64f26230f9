// Membrane triangles and plate quads: closed forms of plane stress, patch tests, rigid motions, tangents at rest,
// energy, and what happens with input that cannot be.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/quat.h"
#include "math/real.h"

#ifdef SETTEE_REAL_FLOAT
static const st_real small = ST_R(2e-4);
static const st_real strain = ST_R(1e-2);
#else
static const st_real small = ST_R(1e-12);
static const st_real strain = ST_R(1e-4);
#endif

// A square of side 2 with a vertex inside, off its center: no two triangles are alike. x = 2 has the vertices 1 and 2.
#define PATCH                                                                                                          \
    "<MeshTopology name='mesh' triangles='0 1 4  4 1 2  2 3 4  4 3 0'/>"                                               \
    "<MechanicalObject name='dofs' position='0 0 0  2 0 0  2 2 0  0 2 0  0.8 1.1 0'/>"
#define MATERIAL " name='fem' youngModulus='1000' poissonRatio='0.3'"

static const char *const corotated[] = {
    "<TriangleFEMForceField" MATERIAL "/>",
    "<TriangularFEMForceField" MATERIAL "/>",
    "<TriangularFEMForceFieldOptim" MATERIAL "/>",
    "<TriangularAnisotropicFEMForceField" MATERIAL " transverseYoungModulus='300' fiberAngle='20'/>",
};
enum { COROTATED = sizeof corotated / sizeof *corotated };

static physics_scene *load_with(const char *mesh, const char *force, bool no_compat) {
    char text[1024];
    snprintf(text, sizeof text, "%s%s", mesh, force);
    return physics_load_with(text, no_compat);
}
static physics_scene *load(const char *mesh, const char *force) { return load_with(mesh, force, true); }

static const st_real *forces(physics_scene *test) {
    physics_force(test, "/fem");
    return physics_state(test, "/dofs")->deriv[ST_DERIV_FORCE].data;
}

static st_real potential(physics_scene *test) {
    st_force *force = (st_force *)physics_find(test, "/fem");
    const st_params params = st_default_params();
    return force->object.type->force->potential(force, &params);
}

static st_real *positions(physics_scene *test) { return physics_state(test, "/dofs")->coord[ST_COORD_POSITION].data; }
static size_t scalars(physics_scene *test) { return st_state_scalars(physics_state(test, "/dofs")); }

// x = A X + t
static void move_affine(physics_scene *test, const st_real a[9], const st_real t[3]) {
    const st_state *dofs = physics_state(test, "/dofs");
    for (size_t i = 0; i < dofs->size; i++) {
        st_real *x = dofs->coord[ST_COORD_POSITION].data + 3 * i;
        st_mat3_times_vec(x, a, dofs->coord[ST_COORD_REST].data + 3 * i);
        st_vec3_add(x, x, t);
    }
}

static void rotation(st_real r[9]) {
    const st_real axis[3] = {1, ST_R(-0.5), 2};
    st_real q[4];
    st_quat_from_axis_angle(q, axis, ST_R(1.3));
    st_quat_to_matrix(r, q);
}

static const st_real nowhere[3] = {0, 0, 0};

static void rigid_motion_gives_no_force(void **state) {
    (void)state;
    for (int n = 0; n < COROTATED; n++) {
        physics_scene *test = load(PATCH, corotated[n]);
        st_real r[9];
        rotation(r);
        move_affine(test, r, (const st_real[3]){3, -1, 2});
        const st_real *f = forces(test);
        for (size_t i = 0; i < scalars(test); i++) assert_near(f[i], 0, 5000 * small);
        assert_near(potential(test), 0, 1000 * small);
        physics_free(test);
    }
    // Plate quads know translations only.
    physics_scene *test = load("<MeshTopology quads='0 1 2 3'/><MechanicalObject name='dofs' "
                               "position='0 0 0  2 0 0  2 1 0  0 1 0'/>",
                               "<QuadBendingFEMForceField" MATERIAL "/>");
    const st_real one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    move_affine(test, one, (const st_real[3]){3, -1, 2});
    const st_real *f = forces(test);
    for (size_t i = 0; i < scalars(test); i++) assert_near(f[i], 0, 5000 * small);
    physics_free(test);
}

// The same growth in all directions leaves frames as they are: the vertex inside feels nothing, and the side x = 2 is
// pulled back by its length times E/(1-ν) ε.
static void patch_of_equal_growth(void **state) {
    (void)state;
    for (int n = 0; n < 3; n++) {
        physics_scene *test = load(PATCH, corotated[n]);
        const st_real s = 1 + strain, a[9] = {s, 0, 0, 0, s, 0, 0, 0, s};
        move_affine(test, a, nowhere);
        const st_real *f = forces(test), pull = -1000 / ST_R(0.7) * strain * 2;
        for (int k = 0; k < 3; k++) assert_near(f[12 + k], 0, 5000 * small);
        assert_near((f[3] + f[6]) / pull, 1, 3 * strain); // the first two use the gradients of the deformed shape
        // energy: area times E/(1-ν) ε²
        assert_near(potential(test) / (4 * 1000 / ST_R(0.7) * strain * strain), 1, 3 * strain + 100 * small / strain);
        physics_free(test);
    }
}

// Without rotation, any strain in the plane passes exactly: shear and stretch at once.
static void patch_of_any_strain(void **state) {
    (void)state;
    physics_scene *test = load(PATCH, "<TriangularFEMForceField method='small'" MATERIAL "/>");
    const st_real a[9] = {ST_R(1.1), ST_R(0.05), 0, ST_R(-0.02), ST_R(0.93), 0, 0, 0, 1};
    move_affine(test, a, nowhere);
    const st_real *f = forces(test);
    for (int k = 0; k < 3; k++) assert_near(f[12 + k], 0, 5000 * small);
    assert_true(fabs(f[0]) > 1);
    physics_free(test);
}

// With rotation, what is left in the vertex inside is of second order: a quarter for half of the strain.
static void patch_of_small_strain(void **state) {
    (void)state;
    for (int n = 0; n < 3; n++) {
        physics_scene *test = load(PATCH, corotated[n]);
        st_real left[2];
        for (int i = 0; i < 2; i++) {
            const st_real e = ST_R(0.04) / (1 + (st_real)i), a[9] = {1 + e, e, 0, 0, 1 - e / 2, 0, 0, 0, 1};
            move_affine(test, a, nowhere);
            const st_real *f = forces(test);
            left[i] = fabs(f[12]) + fabs(f[13]);
            assert_true(left[i] < 10 * 1000 * e * e);
        }
        assert_near(left[0] / left[1], 4, 1);
        physics_free(test);
    }
}

#define SQUARE                                                                                                         \
    "<MeshTopology triangles='0 1 2  2 3 0'/><MechanicalObject name='dofs' position='0 0 0  2 0 0  2 2 0  0 2 0'/>"
#define QUAD_SQUARE                                                                                                    \
    "<MeshTopology quads='0 1 2 3'/><MechanicalObject name='dofs' position='0 0 0  2 0 0  2 2 0  0 2 0'/>"

// Stretched along x by ε, the side x = 2 (length 2) is pulled back by the modulus of the material times 2 ε.
static void assert_pull(const char *mesh, const char *force, bool no_compat, st_real modulus) {
    physics_scene *test = load_with(mesh, force, no_compat);
    const st_real a[9] = {1 + strain, 0, 0, 0, 1, 0, 0, 0, 1};
    move_affine(test, a, nowhere);
    const st_real *f = forces(test), pull = (f[3] + f[6]) / (-2 * strain);
    if (fabs(pull / modulus - 1) > 3 * strain + 100 * small / strain) print_message("%s\n", force);
    assert_near(pull / modulus, 1, 3 * strain + 100 * small / strain);
    physics_free(test);
}

static void stretching_by_hand(void **state) {
    (void)state;
    const st_real stress = 1000 / ST_R(0.91), plane_strain = 1000 * ST_R(0.7) / (ST_R(1.3) * ST_R(0.4));
    assert_pull(SQUARE, "<TriangleFEMForceField" MATERIAL "/>", true, stress);
    assert_pull(SQUARE, "<TriangleFEMForceField thickness='0.1'" MATERIAL "/>", true, stress / 10);
    assert_pull(SQUARE, "<TriangleFEMForceField planeStrain='1'" MATERIAL "/>", true, plane_strain);
    assert_pull(SQUARE, "<TriangleFEMForceField method='small'" MATERIAL "/>", true, stress);
    assert_pull(SQUARE, "<TriangleFEMForceField method='small'" MATERIAL "/>", false, stress);
    assert_pull(QUAD_SQUARE, "<TriangleFEMForceField" MATERIAL "/>", true, stress);
    assert_pull(SQUARE, "<TriangularFEMForceField" MATERIAL "/>", true, stress);
    assert_pull(SQUARE, "<TriangularFEMForceField method='small'" MATERIAL "/>", true, stress);
    assert_pull(SQUARE, "<TriangularFEMForceFieldOptim" MATERIAL "/>", true, stress);
    assert_pull(QUAD_SQUARE, "<QuadBendingFEMForceField thickness='0.1'" MATERIAL "/>", true, stress / 10);

    // fibers: E1 = 1000 along, E2 = 250 across, ν2 = ν/4
    const st_real divisor = 1 - ST_R(0.3) * ST_R(0.075);
    const char *along = "<TriangularAnisotropicFEMForceField transverseYoungModulus='250'" MATERIAL "/>";
    assert_pull(SQUARE, along, true, 1000 / divisor);
    assert_pull(SQUARE, along, false, 1000 / divisor);
    assert_pull(SQUARE,
                "<TriangularAnisotropicFEMForceField transverseYoungModulus='250' fiberAngle='90'" MATERIAL "/>", true,
                250 / divisor);
    // round a center far below: along x in the square
    assert_pull(SQUARE,
                "<TriangularAnisotropicFEMForceField transverseYoungModulus='250' fiberCenter='1 -1e6 0'" MATERIAL "/>",
                true, 1000 / divisor);
}

// A material that is the same along and across has no fibers, however they lie.
static void anisotropic_becomes_isotropic(void **state) {
    (void)state;
    const st_real a[9] = {ST_R(1.1), ST_R(0.2), 0, ST_R(0.1), ST_R(0.9), 0, ST_R(0.3), 0, 1};
    physics_scene *plain = load(PATCH, corotated[1]);
    physics_scene *fibers =
        load(PATCH, "<TriangularAnisotropicFEMForceField transverseYoungModulus='1000' fiberAngle='33'" MATERIAL "/>");
    move_affine(plain, a, nowhere);
    move_affine(fibers, a, nowhere);
    assert_reals(forces(plain), scalars(plain), forces(fibers), 5000 * small);
    physics_free(plain);
    physics_free(fibers);
}

// The spec's integral over 2 × 2 points, and over the middle for the shear across.
static void quad_blocks_are_the_integral(void **state) {
    (void)state;
    physics_scene *test = load("<MeshTopology quads='0 1 2 3'/><MechanicalObject name='dofs' "
                               "position='0 0 0  3 0 0  3 2 0  0 2 0'/>",
                               "<QuadBendingFEMForceField thickness='0.5'" MATERIAL "/>");
    forces(test);
    physics_dense dense;
    const st_state *dofs = physics_state(test, "/dofs");
    physics_stiffness((st_force *)physics_find(test, "/fem"), &dense, dofs, dofs);
    const double l = 1.5, h = 1, t = 0.5, young = 1000, nu = 0.3, s = sqrt(3.0) / 3;
    const double c00 = young * t / (1 - nu * nu), c01 = nu * c00, c22 = young * t * (1 - nu) / (2 - 2 * nu * nu);
    const double shear = 5.0 / 6 * young * t / (2 + 2 * nu), m[4] = {-1, 1, 1, -1}, n[4] = {-1, -1, 1, 1};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double k[9] = {0};
            for (int g = 0; g < 4; g++) {
                const double g1 = g % 2 ? -s : s, g2 = g / 2 ? -s : s;
                const double bxi = m[i] * (1 + n[i] * g2) / (4 * l), bxj = m[j] * (1 + n[j] * g2) / (4 * l);
                const double byi = n[i] * (1 + m[i] * g1) / (4 * h), byj = n[j] * (1 + m[j] * g1) / (4 * h);
                k[0] += l * h * (bxi * c00 * bxj + byi * c22 * byj);
                k[1] += l * h * (bxi * c01 * byj + byi * c22 * bxj);
                k[3] += l * h * (byi * c01 * bxj + bxi * c22 * byj);
                k[4] += l * h * (byi * c00 * byj + bxi * c22 * bxj);
            }
            k[8] = 4 * l * h * shear * (m[i] * m[j] / (16 * l * l) + n[i] * n[j] / (16 * h * h));
            for (int r = 0; r < 9; r++)
                assert_near(dense.values[12 * (3 * i + r / 3) + 3 * j + r % 3], (st_real)-k[r], 5000 * small);
        }
    physics_free(test);
}

// At rest what the derivative leaves out vanishes: K d is the change of the force.
static void tangent_is_exact_at_rest(void **state) {
    (void)state;
    for (int n = 0; n < COROTATED; n++) {
        physics_scene *test = load(PATCH, corotated[n]);
        st_force *force = (st_force *)physics_find(test, "/fem");
        const st_state *dofs = force->state;
        physics_dense dense;
        forces(test);
        physics_stiffness(force, &dense, dofs, dofs);
        const st_real h = sizeof(st_real) == 4 ? ST_R(1e-2) : ST_R(1e-5);
        for (size_t j = 0; j < 15; j++) {
            st_real ahead[15];
            positions(test)[j] += h;
            memcpy(ahead, forces(test), sizeof ahead);
            positions(test)[j] -= 2 * h;
            const st_real *behind = forces(test);
            for (size_t i = 0; i < 15; i++)
                assert_near((ahead[i] - behind[i]) / (2 * h), dense.values[15 * i + j],
                            sizeof(st_real) == 4 ? 1 : ST_R(1e-4));
            positions(test)[j] += h;
        }
        physics_free(test);
    }
}

// Near rest the energy is 1/2 dᵀ (-K) d, and the force its slope.
static void energy_near_rest(void **state) {
    (void)state;
    for (int n = 0; n < COROTATED; n++) {
        physics_scene *test = load(PATCH, corotated[n]);
        st_force *force = (st_force *)physics_find(test, "/fem");
        physics_dense dense;
        forces(test);
        physics_stiffness(force, &dense, force->state, force->state);
        st_real d[15], expected = 0, work = 0;
        for (int i = 0; i < 15; i++) d[i] = i % 3 == 2 ? 0 : strain * (st_real)((i * 7) % 5 - 2);
        for (int i = 0; i < 15; i++) {
            positions(test)[i] += d[i];
            for (int j = 0; j < 15; j++) expected -= d[i] * dense.values[15 * i + j] * d[j] / 2;
        }
        const st_real *f = forces(test);
        for (int i = 0; i < 15; i++) work -= f[i] * d[i] / 2;
        assert_near(potential(test) / expected, 1, 30 * strain + 100 * small / strain);
        assert_near(work / expected, 1, 30 * strain + 100 * small / strain);
        physics_free(test);
    }
}

// Scaled rest edges are a stretch from the start.
static void rest_scale_stretches(void **state) {
    (void)state;
    physics_scene *test = load(SQUARE, "<TriangularFEMForceFieldOptim restScale='0.9'" MATERIAL "/>");
    const st_real *f = forces(test); // displacement 0.1 on an edge of 1.8, pulled along its length
    assert_near(f[3] + f[6], -1000 / ST_R(0.7) * ST_R(0.2), 5000 * small);
    physics_free(test);
}

// Stretched along x and y by different amounts: principal stresses are those of the axes.
static void principal_stresses(void **state) {
    (void)state;
    physics_scene *test =
        load(SQUARE, "<TriangularFEMForceField computePrincipalStress='1' hosfordExponant='2' criteriaValue='1'"
                     " method='small'" MATERIAL "/>");
    const st_real a[9] = {1 + strain, 0, 0, 0, 1 - 2 * strain, 0, 0, 0, 1};
    move_affine(test, a, nowhere);
    forces(test);
    // area 2, E/(1-ν²) (ε_yy + ν ε_xx) is the larger one
    const st_real scale = 2 * 1000 / ST_R(0.91), large = scale * ST_R(1.7) * strain, other = scale * ST_R(0.4) * strain;
    const st_real mises = sqrt((large * large + other * other + (large - other) * (large - other)) / 2);
    char *max = st_object_get(physics_find(test, "/fem"), "maxStress", 17);
    char *difference = st_object_get(physics_find(test, "/fem"), "differenceToCriteria", 17);
    char *direction = st_object_get(physics_find(test, "/fem"), "principalStressDirection", 17);
    char *vertex = st_object_get(physics_find(test, "/fem"), "vertexStress", 17);
    assert_near((st_real)strtod(max, NULL) / large, 1, 5 * strain + 100 * small / strain);
    assert_near((st_real)strtod(difference, NULL) + 1, mises, 5 * strain + 100 * small / strain);
    assert_near((st_real)strtod(vertex, NULL) / large, 1, 5 * strain + 100 * small / strain);
    char *end;
    assert_near((st_real)strtod(direction, &end) * 100, 0, 100 * small);
    assert_near(fabs((st_real)strtod(end, NULL)) * 100 / large, 1, 5 * strain + 100 * small / strain);
    st_string_free(max);
    st_string_free(difference);
    st_string_free(direction);
    st_string_free(vertex);
    physics_free(test);

    test = load(SQUARE, "<TriangularFEMForceFieldOptim computePrincipalStress='1'" MATERIAL "/>");
    move_affine(test, (const st_real[9]){1 + strain, 0, 0, 0, 1, 0, 0, 0, 1}, nowhere);
    forces(test);
    char *text = st_object_get(physics_find(test, "/fem"), "stressMaxValue", 17);
    assert_near((st_real)strtod(text, NULL) / (1000 / ST_R(0.91) * strain), 1, 5 * strain + 100 * small / strain);
    st_string_free(text);
    physics_free(test);
}

// A scene that cannot be: a message of the severity, the component goes on or not, no number that is not one.
static void assert_told(const char *mesh, const char *force, st_severity severity, const char *words) {
    physics_scene *test = load(mesh, force);
    const st_real *f = forces(test);
    for (size_t i = 0; i < scalars(test); i++) assert_true(isfinite(f[i]));
    assert_true(isfinite(potential(test)));
    if (!test->count[severity] || !strstr(test->log, words)) print_message("%s\n%s\n", force, test->log);
    assert_true(test->count[severity] > 0);
    assert_non_null(strstr(test->log, words));
    physics_free(test);
}

static void hostile_input(void **state) {
    (void)state;
    static const char *const names[] = {"TriangleFEMForceField", "TriangularFEMForceField",
                                        "TriangularFEMForceFieldOptim", "TriangularAnisotropicFEMForceField"};
    static const struct {
        const char *mesh, *attributes;
        st_severity severity;
        const char *words;
    } cases[] = {
        {SQUARE, "youngModulus='-1' poissonRatio='0.3'", ST_WARNING, "youngModulus"},
        {SQUARE, "youngModulus='1' poissonRatio='0.5'", ST_WARNING, "poissonRatio"},
        {SQUARE, "youngModulus='0' poissonRatio='0'", ST_INFO, ""},
        {SQUARE, "youngModulus='1' poissonRatio='0.3' method='huge'", ST_WARNING, "huge"},
        {"<MechanicalObject name='dofs' position='0 0 0'/>", "youngModulus='1' poissonRatio='0.3'", ST_ERROR,
         "no mesh"},
        {"<MeshTopology/><MechanicalObject name='dofs' position='0 0 0'/>", "youngModulus='1' poissonRatio='0.3'",
         ST_WARNING, "no triangles"},
        {"<MeshTopology triangles='0 1 2'/><MechanicalObject name='dofs' position='0 0 0  1 0 0  2 0 0'/>",
         "youngModulus='1' poissonRatio='0.3'", ST_ERROR, "no area"},
        {"<MeshTopology triangles='0 0 0'/><MechanicalObject name='dofs' position='0 0 0  1 0 0  2 0 0'/>",
         "youngModulus='1' poissonRatio='0.3'", ST_ERROR, "no area"},
        {"<MeshTopology triangles='0 1 7'/><MechanicalObject name='dofs' position='0 0 0  1 0 0  2 0 0'/>",
         "youngModulus='1' poissonRatio='0.3'", ST_ERROR, "beyond"},
    };
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char force[256];
            snprintf(force, sizeof force, "<%s name='fem' printLog='1' %s/>", names[n], cases[i].attributes);
            if (cases[i].severity != ST_INFO) assert_told(cases[i].mesh, force, cases[i].severity, cases[i].words);
            else physics_free(load(cases[i].mesh, force));
        }
    assert_told(SQUARE, "<TriangleFEMForceField initialPoints='0 0 0 1 0 0'" MATERIAL "/>", ST_ERROR, "beyond");
    assert_told("<MeshTopology quads='0 0 1 1'/><MechanicalObject name='dofs' position='0 0 0  1 0 0'/>",
                "<QuadBendingFEMForceField" MATERIAL "/>", ST_ERROR, "without length");
    assert_told(QUAD_SQUARE, "<QuadBendingFEMForceField name='fem' poissonRatio='1'/>", ST_WARNING, "finite stiffness");
    assert_told("<MeshTopology quads='0 1 2 9'/><MechanicalObject name='dofs' position='0 0 0  1 0 0  2 0 0'/>",
                "<QuadBendingFEMForceField" MATERIAL "/>", ST_ERROR, "beyond");
    assert_told(SQUARE,
                "<TriangularAnisotropicFEMForceField name='fem' transverseYoungModulus='16000' youngModulus='1000' "
                "poissonRatio='0.25'/>",
                ST_WARNING, "finite stiffness");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_motion_gives_no_force),
        cmocka_unit_test(patch_of_equal_growth),
        cmocka_unit_test(patch_of_any_strain),
        cmocka_unit_test(patch_of_small_strain),
        cmocka_unit_test(stretching_by_hand),
        cmocka_unit_test(anisotropic_becomes_isotropic),
        cmocka_unit_test(quad_blocks_are_the_integral),
        cmocka_unit_test(tangent_is_exact_at_rest),
        cmocka_unit_test(energy_near_rest),
        cmocka_unit_test(rest_scale_stretches),
        cmocka_unit_test(principal_stresses),
        cmocka_unit_test(hostile_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
