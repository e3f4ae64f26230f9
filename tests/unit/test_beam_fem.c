// Beams: deflections of a cantilever in closed form, rigid motions, the tangent at rest, energy, and input that cannot
// be.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/dense.h"
#include "math/quat.h"
#include "math/real.h"

#ifdef SETTEE_REAL_FLOAT
static const st_real small = ST_R(2e-4);
#else
static const st_real small = ST_R(1e-12);
#endif

enum { NODES = 4, DOFS = 6 * NODES };
static const st_real young = 10000, poisson = ST_R(0.25), radius = ST_R(0.1), length = 3;

#define BEAM_DOFS                                                                                                      \
    "<MeshTopology edges='0 1  1 2  2 3'/><MechanicalObject name='dofs' template='Rigid3' position="                   \
    "'0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1  3 0 0 0 0 0 1'/>"
#define BEAM(more)                                                                                                     \
    BEAM_DOFS "<BeamFEMForceField name='beam' radius='0.1' youngModulus='10000' poissonRatio='0.25' " more "/>"

static const st_real *forces(physics_scene *test) {
    physics_force(test, "/beam");
    return physics_state(test, "/dofs")->deriv[ST_DERIV_FORCE].data;
}

static void stiffness_of(physics_scene *test, physics_dense *dense) {
    st_force *force = (st_force *)physics_find(test, "/beam");
    physics_stiffness(force, dense, force->state, force->state);
}

static st_real potential(physics_scene *test) {
    st_force *force = (st_force *)physics_find(test, "/beam");
    const st_params params = st_default_params();
    return force->object.type->force->potential(force, &params);
}

// -K u = load at the last node, the first one held.
static void solve_cantilever(physics_scene *test, const st_real load[6], st_real u[DOFS]) {
    enum { FREE = DOFS - 6 };
    physics_dense dense;
    st_real k[FREE * FREE];
    uint32_t pivots[FREE];
    forces(test);
    stiffness_of(test, &dense);
    for (int i = 0; i < FREE; i++)
        for (int j = 0; j < FREE; j++) k[FREE * i + j] = -dense.values[DOFS * (i + 6) + j + 6];
    for (int i = 0; i < DOFS; i++) u[i] = 0;
    for (int i = 0; i < 6; i++) u[DOFS - 6 + i] = load[i];
    assert_true(st_dense_factor(k, pivots, FREE));
    st_dense_solve_factored(u + 6, k, pivots, FREE);
}

// Euler and Bernoulli: F L³/3EI and F L²/2EI under a force, M L²/2EI under a moment, F L/EA, T L/GJ.
static void assert_cantilever(const char *more, st_real inner) {
    char text[512];
    snprintf(text, sizeof text, BEAM("%s"), more);
    physics_scene *test = physics_load(text);
    const st_real r4 = radius * radius * radius * radius, i4 = inner * inner * inner * inner;
    const st_real ei = young * ST_PI * (r4 - i4) / 4, ea = young * ST_PI * (radius * radius - inner * inner);
    const st_real gj = young / (2 * (1 + poisson)) * ST_PI * (r4 - i4) / 2;
    const st_real precise = sizeof(st_real) == 4 ? ST_R(1e-2) : ST_R(1e-9);
    st_real u[DOFS];
    const st_real *tip = u + DOFS - 6;
    solve_cantilever(test, (const st_real[6]){0, 2, 0}, u);
    assert_near(tip[1] / (2 * length * length * length / (3 * ei)), 1, precise);
    assert_near(tip[5] / (2 * length * length / (2 * ei)), 1, precise);
    solve_cantilever(test, (const st_real[6]){0, 0, 2}, u);
    assert_near(tip[2] / (2 * length * length * length / (3 * ei)), 1, precise);
    assert_near(tip[4] / (-2 * length * length / (2 * ei)), 1, precise);
    solve_cantilever(test, (const st_real[6]){5, 0, 0, 3, 0, 4}, u);
    assert_near(tip[0] / (5 * length / ea), 1, precise);
    assert_near(tip[3] / (3 * length / gj), 1, precise);
    assert_near(tip[1] / (4 * length * length / (2 * ei)), 1, precise);
    physics_free(test);
}

static void cantilever(void **state) {
    (void)state;
    assert_cantilever("", 0);
    assert_cantilever("radiusInner='0.05'", ST_R(0.05));
    assert_cantilever("useSymmetricAssembly='1'", 0);
}

// Turned and moved as a whole, a bent beam stays as it was at rest.
static void rigid_motion_gives_no_force(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MeshTopology edges='0 1  1 2'/><MechanicalObject name='dofs' template='Rigid3' position="
                     "'0 0 0 0 0 0 1  1 0.5 0 0.5 0.5 0.5 0.5  2 0 0.7 0 0.6 0 0.8'/>"
                     "<BeamFEMForceField name='beam' radius='0.1' youngModulus='10000' poissonRatio='0.25'/>");
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
    for (size_t i = 0; i < st_state_scalars(dofs); i++) assert_near(f[i], 0, 5000 * small);
    assert_near(potential(test), 0, 1000 * small);
    physics_free(test);
}

// Drawn out, twisted and bent by a finite amount: f = -(k d) on b, with the lever on a.
static void force_by_hand(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MeshTopology edges='0 1'/><MechanicalObject name='dofs' template='Rigid3' "
                     "rest_position='0 0 0 0 0 0 1  2 0 0 0 0 0 1' position='0 0 0 0 0 0 1  2.5 0.1 0 0.6 0 0 0.8'/>"
                     "<BeamFEMForceField name='beam' radius='0.1' youngModulus='10000' poissonRatio='0.25'/>");
    const st_real *f = forces(test), ea = young * ST_PI * ST_R(0.01), ei = young * ST_PI * ST_R(1e-4) / 4;
    const st_real twist = 2 * acos(ST_R(0.8)), gj = young / ST_R(2.5) * 2 * ei / young;
    assert_near(f[6], -ea / 2 * ST_R(0.5), 1000 * small);
    assert_near(f[0], ea / 2 * ST_R(0.5), 1000 * small);
    assert_near(f[7], -12 * ei / 8 * ST_R(0.1), 1000 * small);
    assert_near(f[11], 6 * ei / 4 * ST_R(0.1), 1000 * small);
    assert_near(f[5], 6 * ei / 4 * ST_R(0.1), 1000 * small);
    assert_near(f[9], -gj / 2 * twist, 1000 * small);
    assert_near(f[3], gj / 2 * twist, 1000 * small);
    const st_real energy = (ea / 2 * ST_R(0.25) + 12 * ei / 8 * ST_R(0.01) + gj / 2 * twist * twist) / 2;
    assert_near(potential(test), energy, 1000 * small);
    physics_free(test);
}

static void tangent_is_exact_at_rest(void **state) {
    (void)state;
    physics_scene *test = physics_load(BEAM(""));
    const st_state *dofs = physics_state(test, "/dofs");
    st_real *x = dofs->coord[ST_COORD_POSITION].data;
    physics_dense dense;
    forces(test);
    stiffness_of(test, &dense);
    const st_real h = sizeof(st_real) == 4 ? ST_R(1e-2) : ST_R(1e-4);
    for (size_t j = 0; j < DOFS; j++) {
        st_real start[7], d[6] = {0}, ahead[DOFS], *at = x + 7 * (j / 6);
        memcpy(start, at, sizeof start);
        d[j % 6] = 1;
        st_dof_add(&st_rigid3, at, d, h);
        memcpy(ahead, forces(test), sizeof ahead);
        memcpy(at, start, sizeof start);
        st_dof_add(&st_rigid3, at, d, -h);
        const st_real *behind = forces(test);
        for (size_t i = 0; i < DOFS; i++)
            assert_near((ahead[i] - behind[i]) / (2 * h), dense.values[DOFS * i + j],
                        sizeof(st_real) == 4 ? ST_R(0.2) : ST_R(1e-4));
        memcpy(at, start, sizeof start);
    }
    physics_free(test);
}

static void symmetric_assembly(void **state) {
    (void)state;
    physics_scene *test = physics_load(BEAM("useSymmetricAssembly='1'"));
    const st_state *dofs = physics_state(test, "/dofs");
    st_real d[6] = {ST_R(0.1), ST_R(-0.2), 0, ST_R(0.3), ST_R(0.5), ST_R(-0.4)};
    for (size_t i = 0; i < NODES; i++)
        st_dof_add(&st_rigid3, dofs->coord[ST_COORD_POSITION].data + 7 * i, d, (st_real)(i + 1));
    physics_dense dense;
    forces(test);
    stiffness_of(test, &dense);
    for (int i = 0; i < DOFS; i++)
        for (int j = 0; j < DOFS; j++) assert_true(dense.values[DOFS * i + j] == dense.values[DOFS * j + i]);
    physics_free(test);
}

// Listed edges alone are beams; a list that does not fit is not used.
static void some_segments(void **state) {
    (void)state;
    physics_scene *test = physics_load(BEAM("listSegment='1'"));
    physics_dense dense;
    forces(test);
    stiffness_of(test, &dense);
    for (int i = 0; i < 6; i++) {
        assert_near(dense.values[(DOFS + 1) * i], 0, 0);
        assert_true(dense.values[(DOFS + 1) * (6 + i)] < 0);
        assert_near(dense.values[(DOFS + 1) * (18 + i)], 0, 0);
    }
    physics_free(test);
    test = physics_load(BEAM("listSegment='1 3'"));
    assert_non_null(strstr(test->log, "all edges are used"));
    forces(test);
    stiffness_of(test, &dense);
    for (int i = 0; i < DOFS; i++) assert_true(dense.values[(DOFS + 1) * i] < 0);
    physics_free(test);
}

static void assert_told(const char *scene, st_severity severity, const char *words) {
    physics_scene *test = physics_load(scene);
    const st_real *f = forces(test);
    for (size_t i = 0; i < st_state_scalars(physics_state(test, "/dofs")); i++) assert_true(isfinite(f[i]));
    assert_true(isfinite(potential(test)));
    if (!test->count[severity] || !strstr(test->log, words)) print_message("%s\n%s\n", scene, test->log);
    assert_true(test->count[severity] > 0);
    assert_non_null(strstr(test->log, words));
    physics_free(test);
}

static void hostile_input(void **state) {
    (void)state;
#define RIGIDS                                                                                                         \
    "<MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1  0 0 0 0 0 0 1  1 0 0 0 0 0 0'/>"
#define FORCE "<BeamFEMForceField name='beam' radius='0.1' youngModulus='10' poissonRatio='0.3'/>"
    assert_told(RIGIDS FORCE, ST_ERROR, "no mesh");
    assert_told("<MeshTopology/>" RIGIDS FORCE, ST_ERROR, "no edges");
    assert_told("<MeshTopology edges='0 1  0 2'/>" RIGIDS FORCE, ST_ERROR, "no length");
    assert_told("<MeshTopology edges='0 5'/>" RIGIDS FORCE, ST_ERROR, "beyond");
    assert_told(BEAM("radiusInner='0.2'"), ST_WARNING, "radiusInner");
    assert_told(BEAM_DOFS "<BeamFEMForceField name='beam' radius='0.1' youngModulus='-1' poissonRatio='0.7'/>",
                ST_WARNING, "youngModulus");
    assert_told(BEAM_DOFS "<BeamFEMForceField name='beam' youngModulus='1' poissonRatio='0.3'/>", ST_WARNING, "radius");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cantilever),         cmocka_unit_test(rigid_motion_gives_no_force),
        cmocka_unit_test(force_by_hand),      cmocka_unit_test(tangent_is_exact_at_rest),
        cmocka_unit_test(symmetric_assembly), cmocka_unit_test(some_segments),
        cmocka_unit_test(hostile_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
