// Springs of surfaces and the forces kept as matrices of edges: rigid motions cost nothing, inner forces have no sum and no
// moment, tangents that are exact somewhere are exact there, a uniform strain gives the stress of Hooke's law, and input
// out of range is reported.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "check/derivative_check.h"
#include "force/spring/bending_springs.h"
#include "math/quat.h"

#ifdef SETTEE_REAL_FLOAT
static const st_real small = ST_R(1e-4);
static const double difference = 3e-2;
#else
static const st_real small = ST_R(1e-11);
static const double difference = 1e-7;
#endif

#define FLAT "<MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0  1 1 0  0.5 2 0'/>"
#define BENT "<MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0  1 1 0  0.5 2 0.7'/>"
#define STRETCHED                                                                                                      \
    "<MechanicalObject name='dofs' rest_position='0 0 0  1 0 0  0 1 0  1 1 0  0.5 2 0' position='0 0 0  1.3 0 0.1  0 " \
    "1.4 0 "                                                                                                           \
    " 1.5 1.3 0.2  0.6 2.9 0'/>"
#define TRIANGLES "<MeshTopology triangles='0 1 2  1 3 2  2 3 4'/>"
#define QUADS                                                                                                          \
    "<MeshTopology quads='0 1 3 2  2 3 5 4'/><MechanicalObject name='dofs' position='0 0 0 1 0 0 0 1 0 1 1 0 0 2 0.5 " \
    "1 2 0.5'/>"
#define TETRAHEDRA                                                                                                     \
    "<MeshTopology tetrahedra='0 1 2 3  1 2 3 4'/><MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0  0 0 1 " \
    " 1 1 1'/>"

static const char *const inner_forces[] = {
    TRIANGLES BENT "<TriangularBendingSprings name='force' stiffness='10' damping='2'/>",
    TRIANGLES BENT "<TriangleBendingSprings name='force' stiffness='10' damping='2'/>",
    TRIANGLES BENT "<TriangularBiquadraticSpringsForceField name='force' youngModulus='10' dampingRatio='0.1'/>",
    TRIANGLES BENT "<TriangularQuadraticSpringsForceField name='force' youngModulus='10' dampingRatio='0.1'/>",
    QUADS "<QuadBendingSprings name='force' stiffness='10' damping='2'/>",
    QUADS "<QuadularBendingSprings name='force' stiffness='10' damping='2'/>",
};
enum { INNER = sizeof inner_forces / sizeof *inner_forces };

static void displace(physics_scene *test, st_real amount) {
    st_state *dofs = physics_state(test, "/dofs");
    st_state_make_deriv(dofs, ST_VELOCITY);
    unsigned seed = 1;
    for (size_t i = 0; i < st_state_scalars(dofs); i++) {
        seed = seed * 1103515245u + 12345u;
        const st_real d = amount * ((st_real)((seed >> 16) & 1023u) / 512 - 1);
        dofs->coord[ST_COORD_POSITION].data[i] += d;
        dofs->deriv[ST_DERIV_VELOCITY].data[i] = d;
    }
}

// Turns and shifts a state as a whole.
static void move_rigidly(st_state *dofs) {
    const st_real axis[3] = {1, 2, 3}, shift[3] = {4, -5, 6};
    st_real q[4];
    st_quat_from_axis_angle(q, axis, ST_R(0.8));
    for (size_t i = 0; i < dofs->size; i++) {
        st_real *x = dofs->coord[ST_COORD_POSITION].data + 3 * i;
        st_quat_rotate(x, q, x);
        st_vec3_add(x, x, shift);
    }
}

static void rigid_motions_cost_nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < INNER; i++) {
        physics_scene *test = physics_load(inner_forces[i]);
        move_rigidly(physics_state(test, "/dofs"));
        physics_force(test, "/force");
        assert_true(physics_largest_force(test) < 100 * small);
        physics_free(test);
    }
}

static void inner_forces_cancel(void **state) {
    (void)state;
    for (size_t i = 0; i < INNER; i++) {
        physics_scene *test = physics_load(inner_forces[i]);
        displace(test, ST_R(0.1));
        physics_force(test, "/force");
        const st_state *dofs = physics_state(test, "/dofs");
        st_real force[3] = {0, 0, 0}, torque[3] = {0, 0, 0};
        for (size_t n = 0; n < dofs->size; n++) {
            st_real part[3];
            const st_real *f = dofs->deriv[ST_DERIV_FORCE].data + 3 * n;
            st_vec3_cross(part, dofs->coord[ST_COORD_POSITION].data + 3 * n, f);
            st_vec3_add(force, force, f);
            st_vec3_add(torque, torque, part);
        }
        assert_true(physics_largest_force(test) > ST_R(0.01));
        assert_true(st_vec3_norm(force) < 10 * small && st_vec3_norm(torque) < 10 * small);
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// Bending
// ---------------------------------------------------------------------------------------------------

static void bending_springs_join_facing_vertices(void **state) {
    (void)state;
    physics_scene *test = physics_load(TRIANGLES BENT "<TriangularBendingSprings name='force' stiffness='10'/>");
    const st_bending_springs *force = (st_bending_springs *)physics_find(test, "/force");
    static const uint32_t expected[2][2] = {{3, 0},
                                            {4, 1}}; // across 1 2 and 2 3; the lower triangle gives the second end
    size_t found = 0;
    for (size_t i = 0; i < force->kernel.springs.count; i++) {
        const st_spring *s = &force->kernel.springs.data[i];
        if (!s->enabled) continue;
        assert_true(found < 2);
        assert_int_equal(s->a, expected[found][0]);
        assert_int_equal(s->b, expected[found][1]);
        found++;
    }
    assert_int_equal(found, 2);
    physics_free(test);

    test = physics_load(QUADS "<QuadularBendingSprings name='force' stiffness='10'/>");
    const st_bending_springs *quads = (st_bending_springs *)physics_find(test, "/force");
    found = 0;
    for (size_t i = 0; i < quads->kernel.springs.count; i++) {
        const st_spring *s = &quads->kernel.springs.data[i];
        if (s->enabled) found++;
        if (s->enabled) assert_int_equal((int)s->a - (int)s->b, 4); // 4-0 and 5-1
    }
    assert_int_equal(found, 2);
    physics_free(test);
}

// A flat surface, however it is moved and stretched, has no bending force; a bent one does.
static void fast_bending_springs_feel_only_bending(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(TRIANGLES FLAT "<FastTriangularBendingSprings name='force' bendingStiffness='10'/>");
    st_state *dofs = physics_state(test, "/dofs");
    for (size_t i = 0; i < dofs->size; i++) dofs->coord[ST_COORD_POSITION].data[3 * i] *= 2;
    move_rigidly(dofs);
    physics_force(test, "/force");
    assert_true(physics_largest_force(test) < 1000 * small);
    st_real f0[3];
    dofs->coord[ST_COORD_POSITION].data[2] += ST_R(0.1);
    physics_force(test, "/force");
    st_vec3_copy(f0, physics_force_of(test, "/dofs"));
    assert_true(st_vec3_norm(f0) > ST_R(0.1));
    physics_free(test);
}

static void fast_bending_springs_are_assembled_whole(void **state) {
    (void)state;
    physics_scene *test = physics_load_with("<MeshTopology triangles='0 1 2  1 3 2'/><MechanicalObject name='dofs' "
                                            "position='0 0 0 1 0 0 0 1 0 1 1 0.2'/>"
                                            "<FastTriangularBendingSprings name='force' bendingStiffness='10'/>",
                                            false);
    const st_state *dofs = physics_state(test, "/dofs");
    physics_dense dense;
    physics_force(test, "/force");
    physics_stiffness((st_force *)physics_find(test, "/force"), &dense, dofs, dofs);
    for (int i = 0; i < 4; i++) assert_true(dense.values[3 * i * 12 + 3 * i] != 0);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Tangents
// ---------------------------------------------------------------------------------------------------

static void note(void *user, const st_derivative_check *check) {
    if (strcmp(check->what, "stiffness") == 0) *(double *)user = (double)check->error;
}

// Classes that declare an approximate tangent, where it is exact.
static void tangents_are_exact_where_they_can_be(void **state) {
    (void)state;
    static const char *const exact[] = {
        TRIANGLES STRETCHED "<TriangularBiquadraticSpringsForceField name='force' youngModulus='10'/>",
        TRIANGLES STRETCHED
        "<TriangularBiquadraticSpringsForceField name='force' youngModulus='10' useAngularSprings='0'/>",
        TRIANGLES STRETCHED
        "<TriangularQuadraticSpringsForceField name='force' youngModulus='10' useAngularSprings='0'/>",
    };
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        physics_scene *test = physics_load(exact[i]);
        double error = 1;
        assert_int_equal(st_check_force((st_force *)physics_find(test, "/force"), note, &error), ST_OK);
        if (!(error < difference)) print_message("%s: %g\n", exact[i], error);
        assert_true(error < difference);
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// Membranes, tensor masses, diffusion
// ---------------------------------------------------------------------------------------------------

// A unit square of two triangles pulled along x, free to shrink along y: force = E ε width at each side.
static void membranes_follow_hooke(void **state) {
    (void)state;
    static const char *const membranes[] = {"TriangularBiquadraticSpringsForceField",
                                            "TriangularQuadraticSpringsForceField", "TriangularTensorMassForceField"};
    const st_real e = ST_R(1e-4), nu = ST_R(0.3), young = 1000;
    for (size_t i = 0; i < 3; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "<MeshTopology triangles='0 1 2  1 3 2'/><MechanicalObject name='dofs' position='0 0 0 1 0 0 0 1 0 1 "
                 "1 0'/><%s name='force' "
                 "youngModulus='1000' poissonRatio='0.3'/>",
                 membranes[i]);
        physics_scene *test = physics_load(text);
        st_real *x = physics_state(test, "/dofs")->coord[ST_COORD_POSITION].data;
        for (int n = 0; n < 4; n++) {
            x[3 * n] *= 1 + e;
            x[3 * n + 1] *= 1 - nu * e;
        }
        physics_force(test, "/force");
        const st_real *f = physics_force_of(test, "/dofs");
        const st_real pull = -(f[3] + f[9]), aside = f[7] + f[10];
#ifdef SETTEE_REAL_FLOAT
        const st_real near = young * e * ST_R(0.05);
#else
        const st_real near = young * e * ST_R(1e-3); // the spring laws are not linear
#endif
        assert_near(pull, young * e, near);
        assert_near(aside, 0, near);
        physics_free(test);
    }
}

// Linear displacements of a patch give the right stress: no force inside, Hooke's traction outside.
static void tensor_mass_follows_hooke(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        TETRAHEDRA "<TetrahedralTensorMassForceField name='force' youngModulus='1000' poissonRatio='0.3'/>");
    st_state *dofs = physics_state(test, "/dofs");
    physics_force(test, "/force");
    assert_true(physics_largest_force(test) < small);
    // shear by γ: energy ½ μ γ² V = ½ |Σ f u|, and forces sum to nothing
    const st_real shear = ST_R(0.25), mu = 1000 / ST_R(2.6);
    st_real volume = ST_R(1.0) / 6 + ST_R(1.0) / 3, work = 0, sum[3] = {0, 0, 0};
    for (size_t i = 0; i < dofs->size; i++)
        dofs->coord[ST_COORD_POSITION].data[3 * i] += shear * dofs->coord[ST_COORD_REST].data[3 * i + 1];
    physics_force(test, "/force");
    for (size_t i = 0; i < dofs->size; i++) {
        const st_real *f = dofs->deriv[ST_DERIV_FORCE].data + 3 * i;
        work -= f[0] * shear * dofs->coord[ST_COORD_REST].data[3 * i + 1];
        st_vec3_add(sum, sum, f);
    }
    assert_near(work, mu * shear * shear * volume, 1000 * small);
    assert_true(st_vec3_norm(sum) < 1000 * small);
    physics_free(test);
}

// Diffusion of a linear profile: nothing builds up where nothing flows in, and the whole quantity is kept.
static void diffusion_keeps_the_quantity(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MeshTopology name='mesh' tetrahedra='0 1 2 3'/><MechanicalObject tags='meca' position='0 0 0 1 "
                     "0 0 0 1 0 0 0 1'/>"
                     "<Node name='heat'><MechanicalObject name='dofs' template='Vec1' position='0 6 0 0'/>"
                     "<TetrahedronDiffusionFEMForceField name='force' topology='@../mesh' "
                     "constantDiffusionCoefficient='2'/></Node>");
    physics_force(test, "/heat/force");
    // f_i = -d V ∇N_i.∇T with T = 6x: -2/6 * 6 on the hot vertex
    assert_reals(physics_force_of(test, "/heat/dofs"), 4, (st_real[]){2, -2, 0, 0}, 10 * small);
    physics_free(test);
    test = physics_load("<MeshTopology tetrahedra='0 1 2 3'/><MechanicalObject name='dofs' position='0 0 0 1 0 0 0 1 0 "
                        "0 0 1'/><TetrahedronDiffusionFEMForceField name='force'/>");
    assert_non_null(strstr(test->log, "tagMechanics"));
    physics_free(test);
}

static void meshes_and_materials_out_of_range(void **state) {
    (void)state;
    static const char *const wrong[] = {
        FLAT "<TriangularBendingSprings name='force'/>",
        "<MeshTopology/>" FLAT "<TriangularBendingSprings name='force'/>",
        "<MeshTopology triangles='0 1 99'/>" FLAT "<TriangularBendingSprings name='force'/>",
        "<MeshTopology triangles='0 1 99 1 0 2'/>" FLAT "<FastTriangularBendingSprings name='force'/>",
        "<MeshTopology triangles='0 1 99 0 1 2'/>" FLAT "<TriangleBendingSprings name='force'/>",
        TRIANGLES FLAT "<TriangularBiquadraticSpringsForceField name='force' poissonRatio='1'/>",
        TRIANGLES FLAT "<TriangularTensorMassForceField name='force' poissonRatio='-1'/>",
        "<MeshTopology triangles='0 1 1'/>" FLAT "<TriangularQuadraticSpringsForceField name='force'/>",
        TETRAHEDRA "<TetrahedralTensorMassForceField name='force' poissonRatio='0.5'/>",
        "<MeshTopology tetrahedra='0 1 2 3'/>" FLAT "<TetrahedralTensorMassForceField name='force'/>",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        physics_scene *test = physics_load(wrong[i]);
        if (!test->count[ST_ERROR]) print_message("%s\n", wrong[i]);
        assert_true(test->count[ST_ERROR] > 0);
        displace(test, ST_R(0.1));
        physics_force(test, "/force");
        for (size_t k = 0; k < st_state_scalars(physics_state(test, "/dofs")); k++)
            assert_true(isfinite(physics_force_of(test, "/dofs")[k]));
        physics_free(test);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_motions_cost_nothing),
        cmocka_unit_test(inner_forces_cancel),
        cmocka_unit_test(bending_springs_join_facing_vertices),
        cmocka_unit_test(fast_bending_springs_feel_only_bending),
        cmocka_unit_test(fast_bending_springs_are_assembled_whole),
        cmocka_unit_test(tangents_are_exact_where_they_can_be),
        cmocka_unit_test(membranes_follow_hooke),
        cmocka_unit_test(tensor_mass_follows_hooke),
        cmocka_unit_test(diffusion_keeps_the_quantity),
        cmocka_unit_test(meshes_and_materials_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
