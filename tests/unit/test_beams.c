// BeamInterpolation and AdaptiveBeamForceFieldAndMass: lengths, sections and rest shapes, forces of a cantilever and of
// rigid motions in closed form, mass and weight, the motion of SOFA's own scenes, and input that cannot be.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/dense.h"
#include "math/quat.h"
#include "math/real.h"

#ifdef SETTEE_REAL_FLOAT
enum { DOUBLE = 0 };
#else
enum { DOUBLE = 1 };
#endif

enum { NODES = 4, DOFS = 6 * NODES };
static const st_real young = 10000, poisson = ST_R(0.25), radius = ST_R(0.1), length = 3;

#define FRAMES(positions)                                                                                              \
    "<MeshTopology name='mesh' edges='0 1  1 2  2 3'/>"                                                                \
    "<MechanicalObject name='dofs' template='Rigid3' position='" positions "'/>"
#define STRAIGHT FRAMES("0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1  3 0 0 0 0 0 1")
#define BENT                                                                                                           \
    FRAMES("0 0 0 0 0 0 1  1 0.2 0 0 0 0.1961161351381840 0.9805806756909201  1.8 0.8 0 0 0 0.6 0.8  2 1.7 0 0 0 0.6 " \
           "0.8")
#define INTERPOLATION(more)                                                                                            \
    "<BeamInterpolation name='beams' radius='0.1' defaultYoungModulus='10000' defaultPoissonRatio='0.25' " more "/>"
#define BEAM(more) "<AdaptiveBeamForceFieldAndMass name='beam' " more "/>"

static const st_real *forces(physics_scene *test) {
    physics_force(test, "/beam");
    return physics_state(test, "/dofs")->deriv[ST_DERIV_FORCE].data;
}

static st_mass *mass_of(physics_scene *test) { return (st_mass *)physics_find(test, "/beam"); }

static st_real potential(physics_scene *test) {
    const st_params params = st_default_params();
    return mass_of(test)->force.object.type->force->potential(&mass_of(test)->force, &params);
}

static void mass_matrix(physics_scene *test, physics_dense *dense) {
    st_mass *mass = mass_of(test);
    physics_dense_init(dense, mass->force.state, mass->force.state);
    mass->force.object.type->mass->matrix(mass, (st_inertia){&dense->accumulator});
}

// ---------------------------------------------------------------------------------------------------
// Interpolation
// ---------------------------------------------------------------------------------------------------

// Quaternions that are no unit ones enter as they are: the numbers are SOFA's.
static void lengths_of_frames_that_are_not_normalized(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MeshTopology edges='0 1  1 2'/><MechanicalObject template='Rigid3' position="
                                       "'12 0 -7 0.707 0 0.707 0  12 0 -6 0.707 0 0.707 0  12 0 -5.5 0.707 0 0.707 0'/>"
                                       "<BeamInterpolation name='beams' radius='0.1'/>");
    char *text = st_object_get(physics_find(test, "/beams"), "lengthList", 17);
    double l[2];
    assert_int_equal(sscanf(text, "%lf %lf", &l[0], &l[1]), 2);
    assert_near((st_real)l[0], ST_R(0.9993963739316432), DOUBLE ? ST_R(1e-15) : ST_R(1e-5));
    assert_near((st_real)l[1], ST_R(0.49969818696582047), DOUBLE ? ST_R(1e-15) : ST_R(1e-5));
    st_string_free(text);
    assert_field(test, "/beams", "edgeList", "0 1");
    assert_field(test, "/beams", "radius", "0.1 0.1");
    physics_free(test);
}

// A quarter of a circle of radius 1: the curve is near its length, its middle near the arc and tangent to it.
static void frames_are_interpolated(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<MeshTopology edges='0 1'/><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  "
        "1 1 0 0 0 0.7071067811865476 0.7071067811865476'/>"
        "<BeamInterpolation name='beams' radius='0.1' InterpolationInputs='0 0  0 0.5  0 1  4 0.5  -1 0'/>");
    assert_non_null(strstr(test->log, "InterpolationInputs[3] names beam 4"));
    double x[21];
    char *text = st_object_get(physics_find(test, "/beams"), "InterpolatedPos", 17), *at = text;
    for (int i = 0; i < 21; i++) x[i] = strtod(at, &at);
    st_string_free(text);
    const st_real h = sqrt(ST_R(0.5)), s = sin(ST_PI / 8), c = cos(ST_PI / 8);
    const st_real expected[21] = {0, 0, 0, 0, 0, 0, 1, h, 1 - h, 0, 0, 0, s, c, 1, 1, 0, 0, 0, h, h};
    for (int i = 0; i < 21; i++) assert_near((st_real)x[i], expected[i], i / 7 == 1 && i < 9 ? ST_R(0.02) : ST_R(1e-5));
    text = st_object_get(physics_find(test, "/beams"), "lengthList", 17);
    assert_near((st_real)strtod(text, NULL), ST_PI / 2, ST_R(0.02));
    st_string_free(text);
    physics_free(test);
}

static void lists_are_spread_over_the_beams(void **state) {
    (void)state;
    physics_scene *test = physics_load(STRAIGHT "<BeamInterpolation name='beams' radius='0.1 0.2' innerRadius='' "
                                                "defaultYoungModulus='1 2 3'/>" BEAM(""));
    assert_field(test, "/beams", "radius", "0.1 0.1 0.1");
    assert_field(test, "/beams", "defaultYoungModulus", "1 2 3");
    assert_field(test, "/beams", "innerRadius", "0 0 0");
    assert_non_null(strstr(test->log, "innerRadius is empty"));
    physics_free(test);
}

// Some edges only, and of other lengths than they have.
static void given_lists_are_kept(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(STRAIGHT INTERPOLATION("edgeList='1' lengthList='0.5' DOF0TransformNode0='0 0 0 0 0 0 1' "
                                            "DOF1TransformNode1='0 0 0 0 0 0 1'") BEAM("computeMass='0'"));
    const st_real *f = forces(test), ea = young * ST_PI * radius * radius;
    assert_near(f[6], ea / ST_R(0.5) * ST_R(0.5), ST_R(1e-3));
    assert_near(f[12], -ea / ST_R(0.5) * ST_R(0.5), ST_R(1e-3));
    for (int i = 0; i < 6; i++) assert_true(f[i] == 0 && f[18 + i] == 0);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Elasticity
// ---------------------------------------------------------------------------------------------------

// -K u = load at the last node, the first one held.
static void solve_cantilever(physics_scene *test, const st_real load[6], st_real u[DOFS]) {
    enum { FREE = DOFS - 6 };
    st_force *force = &mass_of(test)->force;
    physics_dense dense;
    st_real k[FREE * FREE];
    uint32_t pivots[FREE];
    forces(test);
    physics_stiffness(force, &dense, force->state, force->state);
    for (int i = 0; i < FREE; i++)
        for (int j = 0; j < FREE; j++) k[FREE * i + j] = -dense.values[DOFS * (i + 6) + j + 6];
    for (int i = 0; i < DOFS; i++) u[i] = 0;
    for (int i = 0; i < 6; i++) u[DOFS - 6 + i] = load[i];
    assert_true(st_dense_factor(k, pivots, FREE));
    st_dense_solve_factored(u + 6, k, pivots, FREE);
}

// Euler and Bernoulli: F L³/3EI and F L²/2EI under a force, F L/EA, T L/GJ.
static void assert_cantilever(const char *section, st_real area, st_real iy, st_real iz) {
    char text[1024];
    snprintf(text, sizeof text,
             STRAIGHT
             "<BeamInterpolation name='beams' defaultYoungModulus='10000' defaultPoissonRatio='0.25' %s/>" BEAM(
                 "computeMass='0'"),
             section);
    physics_scene *test = physics_load(text);
    const st_real precise = DOUBLE ? ST_R(1e-9) : ST_R(1e-2), cube = length * length * length;
    const st_real gj = young / (2 * (1 + poisson)) * (iy + iz);
    st_real u[DOFS];
    const st_real *tip = u + DOFS - 6;

    solve_cantilever(test, (const st_real[6]){0, 2, 0}, u);
    assert_near(tip[1] / (2 * cube / (3 * young * iz)), 1, precise);
    assert_near(tip[5] / (2 * length * length / (2 * young * iz)), 1, precise);
    solve_cantilever(test, (const st_real[6]){0, 0, 2}, u);
    assert_near(tip[2] / (2 * cube / (3 * young * iy)), 1, precise);
    assert_near(tip[4] / (-2 * length * length / (2 * young * iy)), 1, precise);
    solve_cantilever(test, (const st_real[6]){5, 0, 0, 3, 0, 0}, u);
    assert_near(tip[0] / (5 * length / (young * area)), 1, precise);
    assert_near(tip[3] / (3 * length / gj), 1, precise);
    physics_free(test);
}

static void cantilever(void **state) {
    (void)state;
    const st_real r4 = ST_R(1e-4), i4 = ST_R(625e-8);
    assert_cantilever("radius='0.1'", ST_PI * ST_R(0.01), ST_PI * r4 / 4, ST_PI * r4 / 4);
    assert_cantilever("radius='0.1' innerRadius='0.05'", ST_PI * ST_R(0.0075), ST_PI * (r4 - i4) / 4,
                      ST_PI * (r4 - i4) / 4);
    assert_cantilever("crossSectionShape='rectangular' lengthY='0.2' lengthZ='0.1'", ST_R(0.02),
                      ST_R(0.2) * ST_R(0.001) / 12, ST_R(0.1) * ST_R(0.008) / 12);
}

// Turned and moved as a whole, a beam that is bent at rest stays so; a straight one that is bent does not.
static void rigid_motion_gives_no_force(void **state) {
    (void)state;
    physics_scene *test = physics_load(BENT INTERPOLATION("straight='0'") BEAM("computeMass='0'"));
    const st_state *dofs = physics_state(test, "/dofs");
    st_real turn[4];
    st_quat_from_axis_angle(turn, (const st_real[3]){1, 2, -1}, ST_R(2.1));
    for (size_t i = 0; i < dofs->size; i++) {
        st_real *x = dofs->coord[ST_COORD_POSITION].data + 7 * i;
        st_quat_rotate(x, turn, x);
        x[1] += 3;
        st_quat_multiply(x + 3, turn, x + 3);
    }
    const st_real *f = forces(test);
    for (size_t i = 0; i < st_state_scalars(dofs); i++) assert_near(f[i], 0, DOUBLE ? ST_R(1e-8) : 1);
    assert_near(potential(test), 0, DOUBLE ? ST_R(1e-12) : ST_R(1e-2));
    physics_free(test);

    test = physics_load(BENT INTERPOLATION("") BEAM("computeMass='0'"));
    assert_true(fabs(forces(test)[5]) > ST_R(0.1));
    assert_true(potential(test) > ST_R(0.1));
    physics_free(test);
}

// The sum of elastic forces and of their moments is zero, however the beam is bent.
static void internal_forces_are_in_equilibrium(void **state) {
    (void)state;
    static const char *const options[] = {"", "reinforceLength='1'", "shearStressComputation='0'"};
    for (size_t n = 0; n < sizeof options / sizeof *options; n++) {
        char text[1024];
        snprintf(text, sizeof text, BENT INTERPOLATION("") BEAM("computeMass='0' %s"), options[n]);
        physics_scene *test = physics_load(text);
        const st_real *f = forces(test), *x = physics_state(test, "/dofs")->coord[ST_COORD_POSITION].data;
        st_real sum[6] = {0}, size = 0;
        for (size_t i = 0; i < NODES; i++) {
            st_real moment[3];
            st_vec3_cross(moment, x + 7 * i, f + 6 * i);
            for (size_t j = 0; j < 3; j++) {
                sum[j] += f[6 * i + j];
                sum[3 + j] += f[6 * i + 3 + j] + moment[j];
                size += fabs(f[6 * i + j]);
            }
        }
        for (int j = 0; j < 3; j++) assert_near(sum[j] / size, 0, DOUBLE ? ST_R(1e-13) : ST_R(1e-5));
        // the moment is that of the middle frame, which lies off the chord where the beam is bent
        for (int j = 3; j < 5; j++) assert_near(sum[j] / size, 0, DOUBLE ? ST_R(1e-13) : ST_R(1e-5));
        physics_free(test);
    }
}

// Drawn out by 10 % and twisted: EA e and GJ theta / L, measured in three ways.
static void elongation_and_twist(void **state) {
    (void)state;
    static const char *const options[] = {"", "reinforceLength='1'", "shearStressComputation='0'"};
    const st_real ea = young * ST_PI * ST_R(0.01), gj = young / ST_R(2.5) * ST_PI * ST_R(1e-4) / 2;
    for (size_t n = 0; n < sizeof options / sizeof *options; n++) {
        char text[1024];
        snprintf(text, sizeof text, STRAIGHT INTERPOLATION("") BEAM("computeMass='0' %s"), options[n]);
        physics_scene *test = physics_load(text);
        st_real *x = physics_state(test, "/dofs")->coord[ST_COORD_POSITION].data + 21;
        x[0] += ST_R(0.1);
        st_quat_from_axis_angle(x + 3, (const st_real[3]){1, 0, 0}, ST_R(0.2));
        const st_real *f = forces(test);
        // the curve keeps its first third of the rest length, so that its ends are drawn out less than its middle
        assert_near(f[18], -ea * ST_R(0.1), ST_R(1e-2) * ea * ST_R(0.1));
        assert_near(f[12], ea * ST_R(0.1), ST_R(1e-2) * ea * ST_R(0.1));
        assert_near(f[21], -gj * ST_R(0.2), ST_R(1e-4) * gj);
        assert_near(f[15], gj * ST_R(0.2), ST_R(1e-4) * gj);
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// Mass
// ---------------------------------------------------------------------------------------------------

static void mass_and_weight(void **state) {
    (void)state;
    physics_scene *test = physics_load(STRAIGHT INTERPOLATION("") BEAM("massDensity='10'"));
    const st_real m = 10 * ST_PI * ST_R(0.01), precise = DOUBLE ? ST_R(1e-13) : ST_R(1e-5);
    const st_real *f = forces(test);

    // half a beam at the ends, with the moments m g L / 12 of a clamped beam; inner ones cancel
    assert_near(f[1], -10 * m / 2, precise);
    assert_near(f[7], -10 * m, precise);
    assert_near(f[19], -10 * m / 2, precise);
    assert_near(f[5], -10 * m / 12, precise);
    assert_near(f[11], 0, precise);
    assert_near(f[23], 10 * m / 12, precise);
    const st_mass_ops *ops = mass_of(test)->force.object.type->mass;
    assert_near(ops->element_mass(mass_of(test), 0), m / 2, precise);
    assert_near(ops->element_mass(mass_of(test), 1), m, precise);
    assert_false(ops->is_diagonal(mass_of(test)));

    // symmetric; ½ m v² of a translation, ½ I w² of a turn about the first end: m L²/3 and the section's own inertia
    physics_dense dense;
    mass_matrix(test, &dense);
    for (int i = 0; i < DOFS; i++)
        for (int j = 0; j < DOFS; j++) assert_near(dense.values[DOFS * i + j], dense.values[DOFS * j + i], precise);
    st_state *dofs = physics_state(test, "/dofs");
    const st_params params = st_default_params();
    st_real v[DOFS] = {0};
    for (int i = 0; i < NODES; i++) v[6 * i] = v[6 * i + 1] = 2;
    physics_set(dofs, ST_VELOCITY, v);
    assert_near(ops->kinetic(mass_of(test), &params), 3 * m * 8 / 2, 10 * precise);
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < 6; j++) v[6 * i + j] = j == 1 ? (st_real)i : j == 5;
    physics_set(dofs, ST_VELOCITY, v);
    const st_real inertia = 3 * m * 9 / 3 + 10 * 3 * ST_PI * ST_R(1e-4) / 4;
    assert_near(ops->kinetic(mass_of(test), &params), inertia / 2, 10 * precise);
    assert_near(potential(test), 0, precise);
    for (size_t i = 0; i < NODES; i++) dofs->coord[ST_COORD_POSITION].data[7 * i + 1] += 2;
    assert_near(potential(test), 3 * m * 10 * 2, 100 * precise);
    physics_free(test);
}

static void beams_without_mass(void **state) {
    (void)state;
    physics_scene *test = physics_load(STRAIGHT INTERPOLATION("") BEAM("computeMass='0' massDensity='10'"));
    const st_real *f = forces(test);
    for (int i = 0; i < DOFS; i++) assert_near(f[i], 0, DOUBLE ? ST_R(1e-10) : ST_R(1e-2));
    physics_dense dense;
    mass_matrix(test, &dense);
    for (int i = 0; i < DOFS * DOFS; i++) assert_true(dense.values[i] == 0);
    assert_true(mass_of(test)->force.object.type->mass->element_mass(mass_of(test), 1) == 0);
    physics_free(test);
}

// One density for each beam, or the first for all.
static void densities(void **state) {
    (void)state;
    physics_scene *test = physics_load(STRAIGHT INTERPOLATION("") BEAM("massDensity='1 2 4'"));
    const st_mass_ops *ops = mass_of(test)->force.object.type->mass;
    const st_real unit = ST_PI * ST_R(0.01), precise = DOUBLE ? ST_R(1e-14) : ST_R(1e-6);
    assert_near(ops->element_mass(mass_of(test), 2), 3 * unit, precise);
    physics_free(test);
    test = physics_load(STRAIGHT INTERPOLATION("") BEAM("massDensity='1 2'"));
    assert_near(ops->element_mass(mass_of(test), 2), unit, precise);
    physics_free(test);
}

// Both ends at one DOF: a rigid part has mass, but no stiffness.
static void rigid_parts(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<MeshTopology edges='0 0  0 1'/>"
        "<MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0 0 1'/>" INTERPOLATION(
            "edgeList='0 1' lengthList='2 1' DOF0TransformNode0='-2 0 0 0 0 0 1  0 0 0 0 0 0 1' "
            "DOF1TransformNode1='0 0 0 0 0 0 1  0 0 0 0 0 0 1' dofsAndBeamsAligned='0'") BEAM("massDensity='10'"));
    const st_real m = 10 * ST_PI * ST_R(0.01), precise = DOUBLE ? ST_R(1e-12) : ST_R(1e-4);
    const st_real *f = forces(test);
    assert_near(f[1], -10 * (2 * m + m / 2), precise);
    assert_near(f[7], -10 * m / 2, precise);

    // about the DOF: 2 m g at the lever 1, less m g / 12 of the elastic beam
    assert_near(f[5], 10 * (2 * m - m / 12), precise);
    physics_dense dense;
    st_force *force = &mass_of(test)->force;
    physics_stiffness(force, &dense, force->state, force->state);
    assert_near(dense.values[0], -young * ST_PI * ST_R(0.01), DOUBLE ? ST_R(1e-9) : ST_R(1e-2));
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Motion
// ---------------------------------------------------------------------------------------------------

static void step(physics_scene *test, int steps) {
    for (int i = 0; i < steps; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
}

static void assert_frame(physics_scene *test, size_t dof, const st_real expected[7]) {
    if (!DOUBLE) return; // single precision loses its digits on the way
    const st_real *x = physics_state(test, "/n/dofs")->coord[ST_COORD_POSITION].data + 7 * dof;
    assert_reals(x, 7, expected, ST_R(2e-11));
}

#define SOLVED(gravity, solver, frames, force)                                                                         \
    "<Node name='n'><Gravity gravity='" gravity                                                                        \
    "'/><EulerImplicitSolver rayleighStiffness='0' rayleighMass='0'/>" solver frames                                   \
    "<FixedProjectiveConstraint indices='0'/>" force "</Node>"

// A pendulum of three beams; numbers of SOFA.
static void single_beam_moves_like_sofa(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(SOLVED("0 -9.81 0", "<BTDLinearSolver/>",
                            "<MechanicalObject template='Rigid3' name='dofs' position='0 0 0 0 0 0 1  2 0 0 0 0 0 1  "
                            "4 0 0 0 0 0 1  6 0 0 0 0 0 1'/><MeshTopology lines='0 1 1 2 2 3'/>",
                            "<BeamInterpolation radius='0.1'/><AdaptiveBeamForceFieldAndMass massDensity='10'/>"));
    step(test, 50);
    assert_frame(test, 3,
                 (const st_real[7]){ST_R(5.7647349207099863), ST_R(-1.162540281405144), 0, 0, 0,
                                    ST_R(0.078230339225045409), ST_R(0.99693531085258213)});
    step(test, 150);
    assert_frame(test, 3,
                 (const st_real[7]){ST_R(-4.6337449977824408), ST_R(-2.9279333214521213), 0, 0, 0,
                                    ST_R(-0.9837077555835998), ST_R(0.17977500272473504)});
    physics_free(test);
}

// Frames that are not normalized; numbers of SOFA.
static void beam_of_the_sofa_scene_moves_like_sofa(void **state) {
    (void)state;
    physics_scene *test = physics_load(SOLVED(
        "1 9.81 2", "<EigenSparseLU template='CompressedRowSparseMatrixd'/>",
        "<MechanicalObject template='Rigid3' name='dofs' position='12 0 -9 0.707 0 0.707 0  12 0 -8 0.707 0 0.707 0  "
        "12 0 -7 0.707 0 0.707 0  12 0 -6 0.707 0 0.707 0  12 0 -5.5 0.707 0 0.707 0'/>"
        "<MeshTopology lines='0 1 1 2 2 3 3 4'/>",
        "<BeamInterpolation radius='0.1' defaultYoungModulus='10000 10000 10000' defaultPoissonRatio='0.4'/>"
        "<AdaptiveBeamForceFieldAndMass massDensity='1'/>"));
    step(test, 100);
    assert_frame(test, 4,
                 (const st_real[7]){ST_R(12.323900315376685), ST_R(3.2161258902797067), ST_R(-8.6115645464407695),
                                    ST_R(0.50642829469562745), ST_R(0.54090530345832377), ST_R(0.39717029663520853),
                                    ST_R(0.54120752996705168)});
    physics_free(test);
}

// The same motion with a matrix and without.
static void matrix_and_products_agree(void **state) {
    (void)state;
    st_real end[2][7];
    static const char *const solvers[] = {"<EigenSparseLU/>",
                                          "<CGLinearSolver iterations='200' tolerance='1e-14' threshold='1e-20'/>"};
    for (int i = 0; i < 2; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 SOLVED("0 -10 3", "%s",
                        "<MechanicalObject template='Rigid3' name='dofs' position='0 0 0 0 0 0 1  "
                        "1 0 0 0 0 0 1  2 0 0 0 0 0 1'/><MeshTopology edges='0 1 1 2'/>",
                        "<BeamInterpolation radius='0.1'/><AdaptiveBeamForceFieldAndMass massDensity='10'/>"),
                 solvers[i]);
        physics_scene *test = physics_load(text);
        step(test, 20);
        memcpy(end[i], physics_state(test, "/n/dofs")->coord[ST_COORD_POSITION].data + 14, sizeof end[i]);
        physics_free(test);
    }
    assert_reals(end[0], 7, end[1], DOUBLE ? ST_R(1e-8) : ST_R(1e-2));
}

// A reset keeps the lengths of the first positions, and the motion repeats.
static void reset_starts_over(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(SOLVED("0 -10 0", "<EigenSparseLU/>",
                            "<MechanicalObject template='Rigid3' name='dofs' position='0 0 0 0 0 0 1  1 0 0 0 0 0 1'/>"
                            "<MeshTopology edges='0 1'/>",
                            "<BeamInterpolation radius='0.1'/><AdaptiveBeamForceFieldAndMass/>"));
    st_real first[7];
    st_state *dofs = physics_state(test, "/n/dofs");
    step(test, 10);
    memcpy(first, dofs->coord[ST_COORD_POSITION].data + 7, sizeof first);
    st_scene_reset(test->scene);
    step(test, 10);
    assert_memory_equal(first, dofs->coord[ST_COORD_POSITION].data + 7, sizeof first);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Input that cannot be
// ---------------------------------------------------------------------------------------------------

static void assert_told(const char *scene, st_severity severity, const char *words) {
    physics_scene *test = physics_load(scene);
    if (!test->count[severity] || !strstr(test->log, words)) print_message("%s\n%s\n", scene, test->log);
    assert_true(test->count[severity] > 0);
    assert_non_null(strstr(test->log, words));
    step(test, 2);
    physics_free(test);
}

static void hostile_input(void **state) {
    (void)state;
#define ONLY_FRAMES "<MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0 0 1'/>"
#define ONE "<MeshTopology edges='0 1'/>" ONLY_FRAMES
    assert_told("<MechanicalObject position='0 0 0'/><BeamInterpolation/>", ST_ERROR, "is of type Vec3");
    assert_told(ONLY_FRAMES "<BeamInterpolation/>", ST_ERROR, "there is no mesh");
    assert_told("<MeshTopology name='mesh'/>" ONLY_FRAMES "<BeamInterpolation/>", ST_ERROR, "has no edges");
    assert_told("<MeshTopology edges='0 7'/>" ONLY_FRAMES "<BeamInterpolation/>" BEAM(""), ST_ERROR,
                "vertices 0 and 7");
    assert_told(ONE "<BeamInterpolation radius='0'/>" BEAM(""), ST_ERROR, "radius[0]");
    assert_told(ONE "<BeamInterpolation radius='-1'/>" BEAM(""), ST_ERROR, "radius[0]");
    assert_told(ONE "<BeamInterpolation defaultYoungModulus='-1'/>" BEAM(""), ST_ERROR, "defaultYoungModulus[0]");
    assert_told(ONE "<BeamInterpolation defaultPoissonRatio='-1'/>" BEAM(""), ST_ERROR, "defaultPoissonRatio[0]");
    assert_told(ONE "<BeamInterpolation crossSectionShape='elliptic (not available)'/>" BEAM(""), ST_WARNING,
                "elliptic");
    assert_told(ONE "<BeamInterpolation edgeList='1' lengthList='1' DOF0TransformNode0='0 0 0 0 0 0 1' "
                    "DOF1TransformNode1='0 0 0 0 0 0 1'/>" BEAM(""),
                ST_ERROR, "edgeList names edge 1");
    assert_told(ONE "<BeamInterpolation edgeList='0' lengthList='-1' DOF0TransformNode0='0 0 0 0 0 0 1' "
                    "DOF1TransformNode1='0 0 0 0 0 0 1'/>" BEAM(""),
                ST_ERROR, "lengthList[0]");
    assert_told(ONE BEAM(""), ST_ERROR, "there is no BeamInterpolation");
    assert_told(ONE "<BeamInterpolation/><UniformMass name='m'/>" BEAM("interpolation='@m'"), ST_ERROR,
                "no BeamInterpolation");
    assert_told(ONE "<BeamInterpolation/>" BEAM("massDensity='-1'"), ST_ERROR, "massDensity[0]");
    assert_told(ONE "<BeamInterpolation/>" BEAM("separateGravity='1'"), ST_ERROR, "separateGravity");
    assert_told(ONE "<BeamInterpolation/><Node><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1'/>"
                    "<AdaptiveBeamForceFieldAndMass interpolation='@../BeamInterpolation1'/></Node>",
                ST_ERROR, "AdaptiveBeam");
}

// Ends in one place, frames without direction, folded beams: forces stay numbers.
static void degenerate_beams(void **state) {
    (void)state;
    static const char *const positions[] = {
        "0 0 0 0 0 0 1  0 0 0 0 0 0 1",        // no length
        "0 0 0 0 0 0 0  1 0 0 0 0 0 0",        // no orientation
        "0 0 0 0 0 0 1  1 0 0 0 0 1 0",        // the second end looks back
        "0 0 0 0 1 0 0  1 0 0 0 1 0 0",        // both look away from each other
        "0 0 0 0 0 0 1  1 0 0 0 1 0 0",        // half a turn about y
        "0 0 0 0.7 0.1 0 2  1e-9 0 0 3 0 0 1", // no unit quaternions
    };
    for (size_t n = 0; n < sizeof positions / sizeof *positions; n++)
        for (int walk = 0; walk < 2; walk++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "<MeshTopology edges='0 1'/><MechanicalObject name='dofs' template='Rigid3' position='%s'/>"
                     "<BeamInterpolation radius='0.1'/>" BEAM("shearStressComputation='%d'"),
                     positions[n], walk);
            physics_scene *test = physics_load(text);
            const st_real *f = forces(test);
            for (int i = 0; i < 12; i++) {
                if (!isfinite(f[i])) print_message("%s\n", text);
                assert_true(isfinite(f[i]));
            }
            assert_true(isfinite(potential(test)));
            physics_free(test);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_of_frames_that_are_not_normalized),
        cmocka_unit_test(frames_are_interpolated),
        cmocka_unit_test(lists_are_spread_over_the_beams),
        cmocka_unit_test(given_lists_are_kept),
        cmocka_unit_test(cantilever),
        cmocka_unit_test(rigid_motion_gives_no_force),
        cmocka_unit_test(internal_forces_are_in_equilibrium),
        cmocka_unit_test(elongation_and_twist),
        cmocka_unit_test(mass_and_weight),
        cmocka_unit_test(beams_without_mass),
        cmocka_unit_test(densities),
        cmocka_unit_test(rigid_parts),
        cmocka_unit_test(single_beam_moves_like_sofa),
        cmocka_unit_test(beam_of_the_sofa_scene_moves_like_sofa),
        cmocka_unit_test(matrix_and_products_agree),
        cmocka_unit_test(reset_starts_over),
        cmocka_unit_test(hostile_input),
        cmocka_unit_test(degenerate_beams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
