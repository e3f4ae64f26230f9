// Lagrangian constraints: rows through mappings and projections, compliance, solvers that agree, corrections, laws,
// what cannot be solved, and mechanisms that keep together.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/classes.h"
#include "constraint/generic_solver.h"
#include "linalg/bsr.h"
#include "math/real.h"
#include "settee/matrix.h"
#include "state/sink.h"

#ifdef SETTEE_REAL_FLOAT
#define TIGHT ST_R(2e-4)
#define LOOSE ST_R(2e-2)
#define FINE "1e-7"
#define SAME ST_R(5e-3)
#else
#define TIGHT ST_R(1e-12)
#define LOOSE ST_R(1e-7)
#define FINE "1e-12"
#define SAME ST_R(1e-5)
#endif

static char log_text[16384];

static void keep_log(void *user, const st_diagnostic *d) {
    (void)user;
    const size_t used = strlen(log_text);
    snprintf(log_text + used, sizeof log_text - used, "%s: %s: %s\n", st_severity_name(d->severity), d->component,
             d->text);
}

static st_scene *create(bool no_compat, int threads) {
    st_config config = st_default_config();
    config.log = keep_log;
    config.no_compat = no_compat;
    config.threads = threads;
    log_text[0] = 0;
    st_scene *scene = st_scene_create(&config);
    assert_non_null(scene);
    return scene;
}

static st_scene *load_with(const char *solver, const char *children, bool no_compat, int threads) {
    static char text[65536];
    st_scene *scene = create(no_compat, threads);
    snprintf(text, sizeof text, "<Node gravity='0 -10 0' dt='0.01'><FreeMotionAnimationLoop name='loop'/>%s%s</Node>",
             solver, children);
    if (!st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL))) fail_msg("%s", log_text);
    if (!st_succeeded(st_scene_init(scene))) fail_msg("%s", log_text);
    return scene;
}

#define PGS "<BlockGaussSeidelConstraintSolver name='solver' tolerance='1e-13' maxIterations='10000'/>"
static st_scene *load(const char *children) { return load_with(PGS, children, true, 1); }

static void step(st_scene *scene, int count) {
    for (int i = 0; i < count; i++)
        if (st_scene_step(scene, 0) != ST_OK) fail_msg("step %d: %s", i, log_text);
}

static st_object *find(st_scene *scene, const char *path) {
    st_object *object = st_scene_find(scene, path);
    if (!object) fail_msg("%s is missing\n%s", path, log_text);
    return object;
}

static st_state *state_at(st_scene *scene, const char *path) { return (st_state *)find(scene, path); }
static const st_real *x_of(st_scene *scene, const char *path) {
    return state_at(scene, path)->coord[ST_COORD_POSITION].data;
}

static st_constraint_view view(st_scene *scene) {
    return st_constraint_solver_view((const st_constraint_solver *)find(scene, "/solver"));
}

#define near_(a, b, limit) near__((double)(a), (double)(b), (double)(limit), #a, __LINE__)
static void near__(double a, double b, double limit, const char *what, int line) {
    if (!(fabs(a - b) <= limit)) fail_msg("line %d: %s = %.17g, expected %.17g\n%s", line, what, a, b, log_text);
}

#define POINT(name, position, mass, correction)                                                                        \
    "<Node name='" name "'><EulerImplicitSolver/><SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/>"       \
    "<MechanicalObject name='s' position='" position "'/><UniformMass vertexMass='" mass "'/>" correction "</Node>"
#define POST(position) "<Node name='post'><MechanicalObject name='s' position='" position "'/></Node>"
#define LINEAR "<LinearSolverConstraintCorrection/>"
#define TIE(a, b, more)                                                                                                \
    "<BilateralLagrangianConstraint name='tie' template='Vec3' object1='@" a "/s' object2='@" b                        \
    "/s' first_point='0' second_point='0' " more "/>"

// ---------------------------------------------------------------------------------------------------
// Closed forms
// ---------------------------------------------------------------------------------------------------

// W = h (1/m₁ + 1/m₂), and two masses tied together fall like one.
static void two_masses_fall_like_one(void **unused) {
    (void)unused;
    st_scene *scene = load(POINT("a", "0 0 0", "2", LINEAR) POINT("b", "0 0 0", "3", LINEAR) TIE("a", "b", ""));
    state_at(scene, "/a/s")->deriv[ST_DERIV_VELOCITY].data[0] = 5;
    step(scene, 1);
    const st_constraint_view v = view(scene);
    assert_int_equal(v.size, 3);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) near_(v.w[3 * i + k], i == k ? 0.01 * (1.0 / 2 + 1.0 / 3) : 0, TIGHT);
    step(scene, 9);
    for (int k = 0; k < 3; k++) near_(x_of(scene, "/a/s")[k], x_of(scene, "/b/s")[k], TIGHT);
    near_(state_at(scene, "/a/s")->deriv[ST_DERIV_VELOCITY].data[0], 5 * 2.0 / 5, TIGHT); // momentum
    near_(state_at(scene, "/a/s")->deriv[ST_DERIV_VELOCITY].data[1], -10 * 0.1, TIGHT);
    st_scene_destroy(scene);
}

// A hanging mass: the multiplier is the impulse m g h, upwards on the mass.
static void the_multiplier_is_an_impulse(void **unused) {
    (void)unused;
    st_scene *scene = load(POST("0 0 0") POINT("a", "0 -1 0", "2", LINEAR) TIE("post", "a", "rest_vector='0 -1 0'"));
    step(scene, 5);
    near_(x_of(scene, "/a/s")[1], -1, TIGHT);
    near_(view(scene).force[1], 2 * 10 * 0.01, TIGHT);
    near_(view(scene).free[1], -10 * 0.01 * 0.01, TIGHT);
    assert_ptr_equal(st_constraint_solver_law((st_constraint_solver *)find(scene, "/solver"), 2), find(scene, "/tie"));
    assert_null(st_constraint_solver_law((st_constraint_solver *)find(scene, "/solver"), 3));
    st_scene_destroy(scene);
}

static void without_correction_nothing_moves(void **unused) {
    (void)unused;
    st_scene *scene = load(POINT("a", "0 0 0", "2", ""));
    step(scene, 3);
    assert_true(x_of(scene, "/a/s")[1] == 0);
    assert_non_null(strstr(log_text, "does not move it"));
    st_scene_destroy(scene);
}

static void velocities_first(void **unused) {
    (void)unused;
    st_scene *scene = load(POST("0 0 0") POINT("a", "0 0 0", "2", LINEAR) TIE("post", "a", ""));
    assert_int_equal(st_object_set(find(scene, "/loop"), "solveVelocityConstraintFirst", "1"), ST_OK);
    step(scene, 20);
    for (int k = 0; k < 3; k++) near_(x_of(scene, "/a/s")[k], 0, TIGHT);
    st_scene_destroy(scene);
}

// Every law holds when velocities are solved for, too: d(x)/h + H v = 0 brings a displaced body back in one step.
static void every_law_holds_velocities(void **unused) {
    (void)unused;
    static const char *const solvers[] = {PGS, "<KKTConstraintSolver name='solver'/>"};
    for (int s = 0; s < 2; s++) {
        st_scene *scene = load_with(
            solvers[s],
            "<Node name='post'><MechanicalObject name='s' position='0 0 0  4 0 0'/></Node>" POINT(
                "fixed", "0 0 0", "2", LINEAR "<FixedLagrangianConstraint indices='0'/>")
                POINT("bead", "1 0.1 0.2", "2",
                      LINEAR) "<SlidingLagrangianConstraint template='Vec3' object1='@bead/s' object2='@post/s' "
                              "sliding_point='0' axis_1='0' axis_2='1'/>"
                              "<Node name='frames'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='s' "
                              "template='Rigid3' position='0 0 0 0 0 0 1  0 0.1 0 0 0 0.0087265 0.99996192'/>"
                              "<UniformMass totalMass='2'/>" LINEAR
                              "<FixedLagrangianConstraint indices='0'/><BilateralLagrangianConstraint first_point='0' "
                              "second_point='1'/></Node>"
                              "<Node name='scalar'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='s' "
                              "template='Vec1' position='0 5' velocity='30 0'/><UniformMass totalMass='2'/>"
                              "<UncoupledConstraintCorrection defaultCompliance='1'/><StopperLagrangianConstraint "
                              "index='0' min='-0.1' max='0.1'/></Node>",
            true, 1);
        assert_int_equal(st_object_set(find(scene, "/loop"), "solveVelocityConstraintFirst", "1"), ST_OK);
        state_at(scene, "/fixed/s")->coord[ST_COORD_POSITION].data[2] = ST_R(0.3);
        step(scene, 20);
        for (int k = 0; k < 3; k++) near_(x_of(scene, "/fixed/s")[k], 0, 10 * TIGHT);
        for (int k = 1; k < 3; k++) near_(x_of(scene, "/bead/s")[k], 0, 1e-5);
        near_(x_of(scene, "/bead/s")[0], 1, 1e-3);
        for (int k = 0; k < 7; k++) near_(x_of(scene, "/frames/s")[7 + k], k == 6, 1e-5);
        near_(x_of(scene, "/scalar/s")[0], 0.1, 1e-5);
        st_scene_destroy(scene);
    }
}

// A stack of uncoupled points with and without the integrator's factors gives the same motion when the compliance fits.
static void uncoupled_factors(void **unused) {
    (void)unused;
    st_real heights[2];
    for (int i = 0; i < 2; i++) {
        st_scene *scene = load(
            i ? POST("0 0 0") POINT(
                    "a", "0.1 0 0", "2",
                    "<UncoupledConstraintCorrection defaultCompliance='0.00005' useOdeSolverIntegrationFactors='0'/>")
                    TIE("post", "a", "")
              : POST("0 0 0") POINT("a", "0.1 0 0", "2", "<UncoupledConstraintCorrection defaultCompliance='0.5'/>")
                    TIE("post", "a", ""));
        step(scene, 4);
        heights[i] = x_of(scene, "/a/s")[1];
        near_(x_of(scene, "/a/s")[0], 0, TIGHT);
        st_scene_destroy(scene);
    }
    near_(heights[0], heights[1], TIGHT);
}

// Without a loop for constraints: integrators call the solvers of their own node.
static void integrators_can_solve_constraints(void **unused) {
    (void)unused;
    static const char *const integrators[] = {"<EulerImplicitSolver name='i' solveConstraint='1'/>",
                                              "<NewmarkImplicitSolver name='i'/>",
                                              "<EulerExplicitSolver name='i'/>",
                                              "<CentralDifferenceSolver name='i'/>",
                                              "<EulerExplicitSolver name='i' symplectic='0'/>",
                                              "<RungeKutta2Solver name='i'/>",
                                              "<RungeKutta4Solver name='i'/>"};
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        st_scene *scene = create(true, 1);
        char text[2048];
        snprintf(text, sizeof text,
                 "<Node gravity='0 -10 0' dt='0.01'><DefaultAnimationLoop/>" POST(
                     "0 0 0") "<Node name='n'>%s<SparseLDLSolver name='ldl' "
                              "template='CompressedRowSparseMatrixMat3x3d'/><BlockGaussSeidelConstraintSolver "
                              "tolerance='1e-13' maxIterations='100'/>"
                              "<Node name='a'><MechanicalObject name='s'/><UniformMass totalMass='2'/>%s"
                              "<BilateralLagrangianConstraint template='Vec3' object1='@/post/s' object2='@s' "
                              "first_point='0' second_point='0'/></Node></Node></Node>",
                 integrators[i],
                 i < 2 ? "<LinearSolverConstraintCorrection linearSolver='@../ldl' ODESolver='@../i'/>"
                       : "<UncoupledConstraintCorrection defaultCompliance='0.5'/>");
        if (!st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)) || !st_succeeded(st_scene_init(scene)))
            fail_msg("%s", log_text);
        step(scene, 10);
        // without a factor for positions they follow the velocities one step later: h² g
        for (int k = 0; k < 3; k++) near_(x_of(scene, "/n/a/s")[k], 0, i < 4 ? TIGHT : 2e-3);
        near_(state_at(scene, "/n/a/s")->deriv[ST_DERIV_VELOCITY].data[1], 0, i < 4 ? TIGHT : 0.2);
        st_scene_destroy(scene);
    }
}

// A chain of springs at rest but for one end that a constraint holds elsewhere.
static st_scene *load_statics(const char *post, const char *newton) {
    char text[2048];
    st_scene *scene = create(true, 1);
    snprintf(text, sizeof text,
             "<Node dt='0.5'><DefaultAnimationLoop/><Node name='post'><MechanicalObject name='s' position='%s'/></Node>"
             "<Node name='n'><StaticSolver name='i'/><NewtonRaphsonSolver name='newton' maxNbIterationsNewton='60' "
             "%s/><SparseLDLSolver name='ldl' template='CompressedRowSparseMatrixMat3x3d'/>"
             "<BlockGaussSeidelConstraintSolver tolerance='1e-13' maxIterations='100'/>"
             "<Node name='a'><MechanicalObject name='s' position='0 0 0  0 1 0  0 2 0'/><RestShapeSpringsForceField "
             "stiffness='100' points='0 1 2'/><SpringForceField spring='0 1 50 0 1  1 2 50 0 1'/><ConstantForceField "
             "indices='0' forces='1e-4 0 0'/>"
             "<LinearSolverConstraintCorrection linearSolver='@../ldl' ODESolver='@../i'/>"
             "<BilateralLagrangianConstraint template='Vec3' object1='@/post/s' object2='@s' first_point='0' "
             "second_point='2'/></Node></Node></Node>",
             post, newton);
    if (!st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)) || !st_succeeded(st_scene_init(scene)))
        fail_msg("%s", log_text);
    return scene;
}

// The others follow it, and Newton's method knows that this is an equilibrium: the reaction is a part of the residual.
static void statics_with_constraints(void **unused) {
    (void)unused;
    static const char *const newtons[] = {"", "maxNbIterationsLineSearch='5'"};
    for (size_t i = 0; i < sizeof newtons / sizeof *newtons; i++) {
        st_scene *scene = load_statics("0 3 0", newtons[i]);
        for (int k = 0; k < 3; k++) {
            step(scene, 1);
            char *status = st_object_get(find(scene, "/n/newton"), "status", 6);
            if (strncmp(status, "Converged", 9) != 0 || strstr(log_text, "warning: "))
                fail_msg("%s: %s", status, log_text);
            st_string_free(status);
        }
        const st_real *x = x_of(scene, "/n/a/s");
        near_(x[7], 3, TIGHT);
        // springs to rest 100, between 50: u₀ (150) = 50 u₁, 200 u₁ = 50 (u₀ + 1)
        near_(x[4], 1 + 3.0 / 11, 1e-6);
        near_(x[1], 1.0 / 11, 1e-6);
        st_scene_destroy(scene);
    }
}

static void statics_stop_when_constraints_fail(void **unused) {
    (void)unused;
    st_scene *scene = load_statics("0 3 0", "");
    state_at(scene, "/post/s")->coord[ST_COORD_POSITION].data[1] = NAN;
    st_scene_step(scene, 0);
    assert_non_null(strstr(log_text, "the violation of its row 1 is not a finite number"));
    size_t count = 0, width = 0;
    assert_non_null(st_object_reals(find(scene, "/n/newton"), "residualGraph", &count, &width));
    assert_int_equal(count, 1); // no iteration went on without them
    st_scene_destroy(scene);
}

// Positions that are linked: what follows a body is where it is at the end of the same step, with this loop, too.
static void linked_positions_follow(void **unused) {
    (void)unused;
    st_scene *scene = load(POINT(
        "a", "0 0 0", "2", LINEAR) "<Node name='c'><MechanicalObject name='s' position='@../a/s.position'/></Node>");
    step(scene, 3);
    near_(x_of(scene, "/a/s")[1], -0.006, TIGHT);
    char *follower = st_object_get(find(scene, "/c/s"), "position", 6);
    assert_string_equal(follower, "0 -0.006 0");
    st_string_free(follower);
    st_scene_destroy(scene);
}

// The older loop: the same motion but for what mappings do between the steps.
static void the_older_loop(void **unused) {
    (void)unused;
    st_scene *scene = create(true, 1);
    static const char text[] =
        "<Node gravity='0 -10 0' dt='0.01'><ConstraintAnimationLoop tolerance='1e-13'/>" POST("0 0 0")
            POINT("a", "0 -1 0", "2", LINEAR) TIE("post", "a", "rest_vector='0 -1 0'") "</Node>";
    if (!st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)) || !st_succeeded(st_scene_init(scene)))
        fail_msg("%s", log_text);
    step(scene, 10);
    near_(x_of(scene, "/a/s")[1], -1, TIGHT);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------

// H of a rigid body through two mappings against finite differences of the violation.
static void rows_go_through_mappings(void **unused) {
    (void)unused;
    st_scene *scene = load(
        POST("1 2 3") "<Node name='r'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='s' "
                      "template='Rigid3' position='0.1 0.2 0.3 0.182574 0.365148 0.547723 0.730297  1 0 0 0 0 0 1'/>"
                      "<UniformMass totalMass='2'/><LinearSolverConstraintCorrection/>"
                      "<Node name='m'><MechanicalObject name='s' position='0.5 0.1 -0.2  1 1 1'/><RigidMapping "
                      "rigidIndexPerPoint='0 1'/>"
                      "<Node name='i'><MechanicalObject name='s'/><IdentityMapping/></Node></Node></Node>"
                      "<BilateralLagrangianConstraint name='tie' template='Vec3' object1='@post/s' object2='@r/m/i/s' "
                      "first_point='0' second_point='0'/>");
    st_law *law = (st_law *)find(scene, "/tie");
    st_state *rigid = state_at(scene, "/r/s");
    st_real before[14];
    memcpy(before, rigid->coord[ST_COORD_POSITION].data, sizeof before);
    step(scene, 1);
    const st_jacobian *h = &rigid->constraint;
    assert_int_equal(h->rows.count, 3);
    st_real dense[36] = {0};
    for (size_t e = 0; e < h->entries.count; e++) {
        const st_real *entry = st_jacobian_entry(h, 6, e);
        for (size_t k = 0; k < 6; k++) dense[st_entry_row(entry) * 12 + st_entry_dof(entry) * 6 + k] = entry[2 + k];
    }
    const st_constraint_params params = {.dt = ST_R(0.01), .x = {ST_COORD_POSITION}, .v = {ST_DERIV_VELOCITY}};
    const st_real eps = sqrt(ST_REAL_EPSILON) * 10;
    for (size_t c = 0; c < 12; c++) {
        st_real d[2][3];
        for (int side = 0; side < 2; side++) {
            st_real move[6] = {0};
            move[c % 6] = side ? eps : -eps;
            memcpy(rigid->coord[ST_COORD_POSITION].data, before, sizeof before);
            st_dof_add(&st_rigid3, rigid->coord[ST_COORD_POSITION].data + c / 6 * 7, move, 1);
            st_plan_propagate_x(st_plan_of(st_scene_root(scene)), ST_POSITION);
            law->object.type->law->violation(law, &params, d[side]);
        }
        for (int r = 0; r < 3; r++) near_(dense[r * 12 + (int)c], (d[1][r] - d[0][r]) / (2 * eps), 20 * eps);
    }
    // shown as a field of the state: entries of row, DOF and direction
    size_t count = 0, width = 0;
    assert_non_null(st_object_reals(&rigid->object, "constraint", &count, &width));
    assert_int_equal(width, 8);
    assert_int_equal(count, h->entries.count);
    st_scene_destroy(scene);
}

static void mappings_may_keep_constraints_to_themselves(void **unused) {
    (void)unused;
    st_scene *scene = load(POST(
        "0 0 0") "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='s'/><UniformMass "
                 "totalMass='1'/>" LINEAR
                 "<Node name='m'><MechanicalObject name='s'/><IdentityMapping mapConstraints='0'/></Node></Node>" TIE(
                     "post", "a/m", ""));
    step(scene, 2);
    assert_int_equal(state_at(scene, "/a/s")->constraint.rows.count, 0);
    assert_true(x_of(scene, "/a/s")[1] < 0);
    assert_non_null(strstr(log_text, "has no compliance"));
    st_scene_destroy(scene);
}

// In SOFA rows of constraints pass every mapping: the parent is held, as with all flags on.
static void constraints_pass_every_mapping_in_sofa(void **unused) {
    (void)unused;
    static const char *const flags[] = {"", "mapConstraints='0'", "mapForces='0'", "isMechanical='0'"};
    st_real held = 0;
    for (int i = 0; i < 4; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "%s<Node name='a'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='s'/><UniformMass "
                 "totalMass='1'/>%s<Node name='m'><MechanicalObject name='s'/><IdentityMapping %s/></Node></Node>%s",
                 POST("0 0 0"), LINEAR, flags[i], TIE("post", "a/m", ""));
        st_scene *scene = load_with(PGS, text, false, 1);
        step(scene, 2);
        assert_true(state_at(scene, "/a/s")->constraint.rows.count > 0);
        if (i == 0) held = x_of(scene, "/a/s")[1];
        near_(x_of(scene, "/a/s")[1], held, 1e-12);
        near_(held, 0, 1e-9);
        st_scene_destroy(scene);
    }
}

static void projections_take_columns_away(void **unused) {
    (void)unused;
    st_scene *scene =
        load(POST("0 0 0  1 0 0") "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver "
                                  "template='CompressedRowSparseMatrixMat3x3d'/><MechanicalObject name='s' position='0 "
                                  "0 0  1 0 0'/><UniformMass totalMass='2'/>" LINEAR
                                  "<FixedProjectiveConstraint indices='0'/><PartialFixedProjectiveConstraint "
                                  "indices='1' fixedDirections='0 1 0'/></Node>"
                                  "<BilateralLagrangianConstraint template='Vec3' object1='@post/s' object2='@a/s' "
                                  "first_point='0 1' second_point='0 1'/>");
    step(scene, 1);
    const st_jacobian *h = &state_at(scene, "/a/s")->constraint;
    for (size_t e = 0; e < h->entries.count; e++) {
        const st_real *entry = st_jacobian_entry(h, 3, e);
        assert_int_equal(st_entry_dof(entry), 1);
        assert_true(entry[2 + 1] == 0);
    }
    assert_int_equal(h->rows.count, 3);
    st_scene_destroy(scene);
}

// Every registered law, by its example: H is the derivative of the violation with respect to the free positions.
static void check_law(st_law *law) {
    st_state *states[2] = {law->state, law->other};
    for (int s = 0; s < 2; s++) {
        if (!states[s]) continue;
        st_jacobian_clear(&states[s]->constraint);
        assert_true(st_state_make_coord(states[s], ST_FREE_POSITION) &&
                    st_state_make_deriv(states[s], ST_FREE_VELOCITY));
        memcpy(states[s]->coord[ST_COORD_FREE].data, states[s]->coord[ST_COORD_POSITION].data,
               states[s]->size * st_state_dof(states[s])->coord * sizeof(st_real));
    }
    const size_t rows = law->object.type->law->build(law, 0);
    assert_true(rows > 0 && rows < 64);
    const st_constraint_params params = {.dt = ST_R(0.01), .x = {ST_COORD_FREE}, .v = {ST_DERIV_FREE}};
    const st_real eps = sqrt(ST_REAL_EPSILON) * 10;
    for (int s = 0; s < 2; s++) {
        if (!states[s] || (s == 1 && states[1] == states[0])) continue;
        const st_dof *dof = st_state_dof(states[s]);
        const size_t width = dof->deriv;
        assert_true(st_jacobian_close(&states[s]->constraint, width));
        for (size_t c = 0; c < st_state_scalars(states[s]); c++) {
            st_real d[2][64], h[64] = {0};
            for (int side = 0; side < 2; side++) {
                st_real move[6] = {0}, *x = states[s]->coord[ST_COORD_FREE].data + c / width * dof->coord, kept[7];
                memcpy(kept, x, dof->coord * sizeof *x);
                move[c % width] = side ? eps : -eps;
                st_dof_add(dof, x, move, 1);
                law->object.type->law->violation(law, &params, d[side]);
                memcpy(x, kept, dof->coord * sizeof *x);
            }
            for (size_t e = 0; e < states[s]->constraint.entries.count; e++) {
                const st_real *entry = st_jacobian_entry(&states[s]->constraint, width, e);
                if (st_entry_dof(entry) == c / width) h[st_entry_row(entry)] = entry[ST_ENTRY_HEAD + c % width];
            }
            for (size_t r = 0; r < rows; r++) near_(h[r], (d[1][r] - d[0][r]) / (2 * eps), 20 * eps);
        }
    }
    st_resolutions blocks = {0};
    law->object.type->law->resolutions(law, &blocks);
    assert_int_equal(blocks.rows, rows);
    st_list_free(&blocks.list);
}

static void every_law_says_its_derivative(void **unused) {
    (void)unused;
    size_t laws = 0;
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        const st_class *c = *type;
        while (c && !c->law) c = c->parent;
        if (!c || ((*type)->flags & ST_CLASS_ABSTRACT)) continue;
        const char *example = (*type)->example ? (*type)->example : c->example;
        assert_non_null(example);
        char text[2048];
        snprintf(text, sizeof text, "<Node name='part'>%s</Node>", example);
        st_scene *scene = load(text);
        st_object *object;
        for (size_t i = 0; (object = st_scene_object(scene, i)); i++) {
            if (!object->type->law) continue;
            check_law((st_law *)object);
            laws++;
        }
        st_scene_destroy(scene);
    }
    assert_true(laws >= 7);
}

// The frames of two bodies that are not joined yet, with a rest vector.
static void rigid_ties(void **unused) {
    (void)unused;
    static const char *const solvers[] = {PGS, "<KKTConstraintSolver name='solver'/>"};
    for (int s = 0; s < 2; s++) {
        st_scene *scene = load_with(
            solvers[s],
            "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='s' template='Rigid3' "
            "position='0 0 0 0 0 0 1  2 0 0 0 0 0.38268343236508978 0.92387953251128674'/>"
            "<UniformMass totalMass='2'/><LinearSolverConstraintCorrection/><FixedProjectiveConstraint indices='0'/>"
            "<BilateralLagrangianConstraint name='tie' first_point='0' second_point='1' "
            "keepOrientationDifference='1'/></Node>",
            true, 1);
        check_law((st_law *)find(scene, "/a/tie"));
        step(scene, 30);
        const st_real *x = x_of(scene, "/a/s") + 7,
                      expected[7] = {2, 0, 0, 0, 0, ST_R(0.38268343236508978), ST_R(0.92387953251128674)};
        for (int k = 0; k < 7; k++) near_(x[k], expected[k], 100 * TIGHT);
        st_scene_destroy(scene);
    }
}

// Entries may come in any order and several times.
static void jacobians_sort_and_add_up(void **unused) {
    (void)unused;
    st_jacobian j = {0};
    const st_real one[2] = {1, 10}, two[2] = {2, 20};
    st_jacobian_add(&j, 2, 5, 1, one);
    st_jacobian_add(&j, 2, 0, 3, one);
    st_jacobian_add(&j, 2, 5, 0, two);
    st_jacobian_add(&j, 2, 5, 1, two);
    assert_true(st_jacobian_close(&j, 2));
    assert_int_equal(j.rows.count, 2);
    assert_int_equal(j.rows.data[1], 5);
    assert_int_equal(j.entries.count, 3);
    const st_real *last = st_jacobian_entry(&j, 2, 2);
    assert_true(st_entry_dof(last) == 1 && last[2] == 3 && last[3] == 30);
    assert_int_equal(st_jacobian_find(&j, 5), 1);
    assert_true(st_jacobian_find(&j, 4) == SIZE_MAX);
    st_jacobian_clear(&j);
    assert_true(st_jacobian_close(&j, 2));
    assert_int_equal(j.rows.count, 0);
    st_jacobian_free(&j);
}

// ---------------------------------------------------------------------------------------------------
// Blocks
// ---------------------------------------------------------------------------------------------------

static void friction_block(void **unused) {
    (void)unused;
    st_resolutions blocks = {0};
    st_resolution *block = st_add_friction(&blocks, ST_R(0.5));
    const st_real w[9] = {2, ST_R(0.1), ST_R(-0.2), ST_R(0.1), 1, 0, ST_R(-0.2), 0, 3};
    st_real d[3] = {-1, ST_R(0.3), ST_R(-0.4)}, f[3] = {0};
    block->ops->resolve(block, w, 3, d, f);
    near_(f[0], 0.5, 1e-6);
    near_(f[1], -0.143365586, 1e-6);
    near_(f[2], 0.204807980, 1e-6);
    st_list_free(&blocks.list);
}

// Steps ε d: the force sticks inside of the cone, slides along d_t outside of it, and there is none where bodies part.
static void augmented_friction_block(void **unused) {
    (void)unused;
    static const struct {
        st_real d[3], f[3], expected[3];
    } cases[] = {
        {{-1, ST_R(0.1), 0}, {4, 0, ST_R(0.5)}, {6, -ST_R(0.2), ST_R(0.5)}},
        {{-1, 3, -4}, {4, 1, 1}, {6, ST_R(1.6), ST_R(0.2)}}, // |(-5, 9)| > µ 6: less µ ε d_n d_t / |d_t| = (-0.6, 0.8)
        {{3, 3, -4}, {4, 1, 1}, {0, 0, 0}},
        {{-1, 0, 0}, {0, 5, 0}, {2, 5, 0}}, // outside, but at rest
    };
    const st_real w[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        st_resolutions blocks = {0};
        st_resolution *block = st_add_augmented_friction(&blocks, ST_R(0.5), 2);
        st_real d[3], f[3];
        memcpy(d, cases[k].d, sizeof d);
        memcpy(f, cases[k].f, sizeof f);
        block->ops->resolve(block, w, 3, d, f);
        for (int i = 0; i < 3; i++) near_(f[i], cases[k].expected[i], 1e-6);
        st_list_free(&blocks.list);
    }
}

static void a_singular_block_is_solved_where_it_can(void **unused) {
    (void)unused;
    st_resolutions blocks = {0};
    st_resolution *block = st_add_equality(&blocks, 3);
    st_real work[9], d[3] = {1, 1, 1}, f[3] = {0};
    const st_real w[9] = {2, 0, 0, 0, 0, 0, 0, 0, 4}, expected[3] = {-ST_R(0.5), 0, -ST_R(0.25)};
    block->work = work;
    block->ops->init(block, w, 3, f);
    block->ops->resolve(block, w, 3, d, f);
    for (int i = 0; i < 3; i++) near_(f[i], expected[i], TIGHT);
    st_list_free(&blocks.list);
}

// Rows that nothing can move keep their force; the others of the block are solved.
static void rows_that_cannot_move_stay_out_of_a_block(void **unused) {
    (void)unused;
    st_resolutions blocks = {0};
    st_resolution *block = st_add_equality(&blocks, 4);
    st_real work[1 + 16 + 4], d[4] = {1, 1, 1, 1}, f[4] = {0, 7, 0, 0};
    const st_real w[16] = {2, 0, 1, 0, 0, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0, 4};
    block->work = work;
    block->ops->init(block, w, 4, f);
    block->ops->resolve(block, w, 4, d, f);
    const st_real expected[4] = {-ST_R(0.4), 7, -ST_R(0.2), -ST_R(0.25)};
    for (int i = 0; i < 4; i++) near_(f[i], expected[i], TIGHT);
    st_list_free(&blocks.list);
}

// However small the compliance is, it has an inverse.
static void heavy_masses_are_held(void **unused) {
    (void)unused;
    st_scene *scene = load(POST("0 0 0") POINT("a", "0 0 0", "1e8", LINEAR) TIE("post", "a", ""));
    step(scene, 5);
    near_(x_of(scene, "/a/s")[1], 0, 1e-6);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Solvers
// ---------------------------------------------------------------------------------------------------

#define BODY(name, position)                                                                                           \
    "<Node name='" name                                                                                                \
    "'><EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-14' threshold='1e-14'/>"                    \
    "<MechanicalObject name='s' template='Rigid3' position='" position                                                 \
    " 0 0 0 1'/><UniformMass vertexMass='1 1 0.1 0 0 0 0.1 0 0 0 0.1'/>"                                               \
    "<UncoupledConstraintCorrection/><Node name='p'><MechanicalObject name='s' position='-0.5 0 0 0.5 0 "              \
    "0'/><RigidMapping/></Node></Node>"
#define JOIN(a, i, b, j)                                                                                               \
    "<BilateralLagrangianConstraint template='Vec3' object1='@" a "/s' object2='@" b "/s' first_point='" i             \
    "' second_point='" j "'/>"
#define CHAIN                                                                                                          \
    POST("0 0 0")                                                                                                      \
    BODY("a", "0.5 0 0")                                                                                               \
    BODY("b", "1.5 0 0")                                                                                               \
    BODY("c", "2.5 0 0") JOIN("post", "0", "a/p", "0") JOIN("a/p", "1", "b/p", "0") JOIN("b/p", "1", "c/p", "0")

// All solvers find the same multipliers of a chain of three bodies, and the same motion.
static void solvers_agree(void **unused) {
    (void)unused;
    static const char *const solvers[] = {
        PGS,
        "<NNCGConstraintSolver name='solver' tolerance='1e-13' maxIterations='10000'/>",
        "<UnbuiltGaussSeidelConstraintSolver name='solver' tolerance='1e-13' maxIterations='10000'/>",
        "<ImprovedJacobiConstraintSolver name='solver' tolerance='1e-12' maxIterations='100000' "
        "useSpectralCorrection='0'/>",
        "<PreconditionedConjugateResidual name='solver' tolerance='1e-14' maxIterations='100'/>",
        "<KKTConstraintSolver name='solver'/>",
        "<GenericConstraintSolver name='solver' tolerance='1e-13' maxIterations='10000'/>",
        "<GenericConstraintSolver name='solver' tolerance='1e-13' maxIterations='10000' "
        "resolutionMethod='UnbuiltGaussSeidel'/>",
        "<GenericConstraintSolver name='solver' tolerance='1e-13' newtonIterations='10000' "
        "resolutionMethod='NonsmoothNonlinearConjugateGradient'/>",
    };
    st_real expected[9], place[3];
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        if (strstr(solvers[s], "Jacobi")) continue; // diverges on coupled blocks without damping: tested below
        st_scene *scene = load_with(solvers[s], CHAIN, true, 1);
        step(scene, 3);
        const st_constraint_view v = view(scene);
        assert_int_equal(v.size, 9);
        if (s == 0) {
            memcpy(expected, v.force, sizeof expected);
            memcpy(place, x_of(scene, "/c/s"), sizeof place);
        }
        for (int i = 0; i < 9; i++) near_(v.force[i], expected[i], LOOSE);
        for (int i = 0; i < 3; i++) near_(x_of(scene, "/c/s")[i], place[i], LOOSE);
        st_scene_destroy(scene);
    }
}

static void jacobi_solves_uncoupled_blocks(void **unused) {
    (void)unused;
    st_scene *scene =
        load_with("<ImprovedJacobiConstraintSolver name='solver' tolerance='1e-12' maxIterations='1000'/>",
                  POST("0 0 0") POINT("a", "0.1 0.2 0.3", "2", LINEAR) TIE("post", "a", ""), true, 1);
    step(scene, 1);
    for (int k = 0; k < 3; k++) near_(x_of(scene, "/a/s")[k], 0, TIGHT);
    st_scene_destroy(scene);
}

// Several objects under one linear solver, joined by a spring that the compliance must know of.
static void objects_under_one_solver_work_together(void **unused) {
    (void)unused;
    st_real places[2][6], w[2][36];
    for (int i = 0; i < 2; i++) {
        char text[4096];
        snprintf(text, sizeof text,
                 POST("0 0 0  1 0 0") "<Node name='both'><EulerImplicitSolver/><SparseLDLSolver "
                                      "template='CompressedRowSparseMatrixMat3x3d'/>%s"
                                      "<Node name='a'><MechanicalObject name='s' position='0 0 0 0 1 0'/><UniformMass "
                                      "totalMass='2'/>%s<SpringForceField spring='0 1 100 1 1'/></Node>"
                                      "<Node name='b'><MechanicalObject name='s' position='1 0 0 1 1 0'/><UniformMass "
                                      "totalMass='3'/>%s<SpringForceField spring='0 1 100 1 1'/></Node>"
                                      "<SpringForceField template='Vec3' object1='@a/s' object2='@b/s' spring='1 1 "
                                      "5000 1 1  0 1 300 0 1'/></Node>"
                                      "<BilateralLagrangianConstraint template='Vec3' object1='@post/s' "
                                      "object2='@both/a/s' first_point='0' second_point='0'/>"
                                      "<BilateralLagrangianConstraint template='Vec3' object1='@post/s' "
                                      "object2='@both/b/s' first_point='1' second_point='0'/>",
                 i ? "" : "<GenericConstraintCorrection/>",
                 i ? "<LinearSolverConstraintCorrection linearSolver='@../SparseLDLSolver1' "
                     "ODESolver='@../EulerImplicitSolver1'/>"
                   : "",
                 i ? "<LinearSolverConstraintCorrection linearSolver='@../SparseLDLSolver1' "
                     "ODESolver='@../EulerImplicitSolver1'/>"
                   : "");
        st_scene *scene = load(text);
        step(scene, 5);
        assert_int_equal(view(scene).size, 6);
        memcpy(w[i], view(scene).w, sizeof w[i]);
        memcpy(places[i], x_of(scene, "/both/b/s"), sizeof places[i]);
        near_(x_of(scene, "/both/b/s")[0], 1, TIGHT);
        near_(x_of(scene, "/both/b/s")[1], 0, TIGHT);
        st_scene_destroy(scene);
    }
    for (int i = 0; i < 36; i++) near_(w[1][i], w[0][i], TIGHT);
    assert_true(fabs(w[0][3]) > 0); // the objects are coupled
    for (int i = 0; i < 6; i++) near_(places[1][i], places[0][i], TIGHT);
}

// Computed, kept in a file and read again: the same W and motion as with the linear solver.
#define SOFT(correction)                                                                                               \
    "<Node name='soft'><EulerImplicitSolver/><SparseLDLSolver "                                                        \
    "template='CompressedRowSparseMatrixMat3x3d'/><RegularGridTopology n='2 2 3' min='0 0 0' max='1 1 "                \
    "2'/><MechanicalObject name='s'/>"                                                                                 \
    "<UniformMass totalMass='3'/><MeshSpringForceField stiffness='100' damping='0'/><FixedProjectiveConstraint "       \
    "indices='0'/>" correction                                                                                         \
    "</Node>" POST("1 1 2.1  0 1 2") "<BilateralLagrangianConstraint template='Vec3' object1='@post/s' "               \
                                     "object2='@soft/s' first_point='0 1' second_point='11 10'/>"
static void precomputed_compliance(void **unused) {
    (void)unused;
    static const char *const corrections[] = {
        SOFT(LINEAR),
        SOFT("<PrecomputedConstraintCorrection fileDir='" SETTEE_BUILD "' fileCompliance='test_constraints.comp'/>"),
        SOFT("<PrecomputedConstraintCorrection fileDir='" SETTEE_BUILD
             "' fileCompliance='test_constraints.comp' printLog='1'/>")};
    remove(SETTEE_BUILD "/test_constraints.comp");
    st_real w[36], place[3];
    for (int i = 0; i < 3; i++) {
        st_scene *scene = load(corrections[i]);
        step(scene, 1);
        assert_int_equal(view(scene).size, 6);
        if (i == 0) {
            memcpy(w, view(scene).w, sizeof w);
            memcpy(place, x_of(scene, "/soft/s") + 27, sizeof place);
        }
        for (int k = 0; k < 36; k++) near_(view(scene).w[k], w[k], TIGHT);
        for (int k = 0; k < 3; k++) near_(x_of(scene, "/soft/s")[27 + k], place[k], TIGHT);
        if (i == 2) assert_non_null(strstr(log_text, "is read from"));
        step(scene, 20);
        near_(x_of(scene, "/soft/s")[33 + 2], 2.1, 1e-4);
        st_scene_destroy(scene);
    }
    // a file of another object is not used
    FILE *file = fopen(SETTEE_BUILD "/test_constraints.comp", "wb");
    assert_non_null(file);
    fputs("short", file);
    fclose(file);
    st_scene *scene = load(corrections[1]);
    step(scene, 1);
    assert_non_null(strstr(log_text, "too short"));
    for (int k = 0; k < 36; k++) near_(view(scene).w[k], w[k], TIGHT);
    const size_t n = st_state_scalars(state_at(scene, "/soft/s"));
    st_scene_destroy(scene);
    // nor one of the right size with other numbers
    file = fopen(SETTEE_BUILD "/test_constraints.comp", "wb");
    assert_non_null(file);
    const st_real other = ST_R(0.01);
    for (size_t i = 0; i < n * n; i++) assert_int_equal(fwrite(&other, sizeof other, 1, file), 1);
    fclose(file);
    scene = load(corrections[1]);
    step(scene, 1);
    assert_non_null(strstr(log_text, "does not hold the compliance"));
    for (int k = 0; k < 36; k++) near_(view(scene).w[k], w[k], TIGHT);
    st_scene_destroy(scene);
    remove(SETTEE_BUILD "/test_constraints.comp");
}

// W and H as matrices: W = h H A⁻¹ Hᵀ of two free masses; also where the solver has no W.
static void matrices_can_be_seen(void **unused) {
    (void)unused;
    static const char *const solvers[] = {PGS, "<KKTConstraintSolver name='solver'/>",
                                          "<UnbuiltGaussSeidelConstraintSolver name='solver'/>"};
    for (int s = 0; s < 3; s++) {
        st_scene *scene =
            load_with(solvers[s],
                      POINT("a", "0 0 0", "2", LINEAR) POINT("b", "0 0 0", "3", LINEAR)
                          TIE("a", "b", "") "<ComplianceMatrixExporter filename='" SETTEE_BUILD
                                            "/test_constraints_w' format='csv' "
                                            "exportEveryNumberOfSteps='2'/><ComplianceMatrixImage name='image'/>",
                      true, 1);
        st_constraint_solver *solver = st_scene_constraint_solver(scene, NULL);
        st_matrix_view w, h;
        st_vector_view f;
        assert_int_equal(st_constraint_compliance(solver, &w), ST_NOT_FOUND);
        step(scene, 1);
        assert_int_equal(st_constraint_compliance(solver, &w), ST_OK);
        assert_int_equal(st_constraint_jacobian(solver, &h), ST_OK);
        assert_int_equal(st_constraint_multipliers(solver, &f), ST_OK);
        assert_int_equal(f.count, 3);
        assert_int_equal(st_constraint_violations(solver, &f), ST_OK);
        assert_true(w.rows == 3 && w.cols == 3 && h.rows == 3 && h.cols == 6);
        near_(w.values[4], 0.01 * (0.5 + 1.0 / 3), TIGHT);
        for (size_t r = 0; r < 3; r++) {
            assert_int_equal(h.starts[r + 1] - h.starts[r], 6);
            for (size_t k = h.starts[r]; k < h.starts[r + 1]; k++)
                near_(h.values[k], h.columns[k] == (int32_t)r ? -1 : h.columns[k] == (int32_t)r + 3 ? 1 : 0, TIGHT);
        }
        step(scene, 1);
        FILE *file = fopen(SETTEE_BUILD "/test_constraints_w00001.csv", "r");
        assert_non_null(file);
        char line[256];
        assert_non_null(fgets(line, sizeof line, file));
        assert_non_null(strstr(line, "0.00833333"));
        fclose(file);
        remove(SETTEE_BUILD "/test_constraints_w00001.csv");
        char *bitmap = st_object_get(find(scene, "/image"), "bitmap", 6);
        if (s == 0) assert_string_equal(bitmap, "0 0 1 1 2 2");
        st_string_free(bitmap);
        st_scene_destroy(scene);
    }
}

// Any number of threads, and every option about them, gives the same W and motion, bit by bit.
static void results_do_not_depend_on_threads(void **unused) {
    (void)unused;
    static const char *const solvers[] = {
        "<BlockGaussSeidelConstraintSolver name='solver' tolerance='1e-9' maxIterations='50' multithreading='%d'/>",
        "<KKTConstraintSolver name='solver'/>"};
    st_real x[3 * 216], w[90 * 90];
    for (int s = 0; s < 2; s++)
        for (int threads = 1; threads <= 4; threads += 3) {
            char solver[256];
            snprintf(solver, sizeof solver, solvers[s], threads > 1);
            st_scene *scene = load_with(
                solver,
                "<Node name='post'><RegularGridTopology n='6 6 6' min='0 0 0' max='1 1 1'/><MechanicalObject "
                "name='s'/></Node>"
                "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver "
                "template='CompressedRowSparseMatrixMat3x3d'/><RegularGridTopology n='6 6 6' min='0 0 0' max='1 1 "
                "1'/><MechanicalObject name='s'/>"
                "<UniformMass totalMass='5'/><HexahedronFEMForceField youngModulus='3000' poissonRatio='0.3'/>" LINEAR
                "</Node>"
                "<BilateralLagrangianConstraint template='Vec3' object1='@post/s' object2='@a/s' first_point='0-29' "
                "second_point='10-39'/>",
                true, threads);
            static const char *const options[] = {"threadSafeVisitor", "parallelCollisionDetectionAndFreeMotion",
                                                  "parallelODESolving"};
            for (int o = 0; o < 3; o++)
                assert_int_equal(st_object_set(find(scene, "/loop"), options[o], threads > 1 ? "1" : "0"), ST_OK);
            step(scene, 5);
            st_matrix_view view_w;
            assert_int_equal(st_constraint_compliance(st_scene_constraint_solver(scene, NULL), &view_w), ST_OK);
            assert_int_equal(view_w.rows, 90);
            if (threads > 1) assert_memory_equal(x, x_of(scene, "/a/s"), sizeof x);
            if (threads > 1) assert_memory_equal(w, view_w.values, sizeof w);
            memcpy(x, x_of(scene, "/a/s"), sizeof x);
            memcpy(w, view_w.values, sizeof w);
            st_scene_destroy(scene);
        }
}

// One sweep along a wire of three points: ties that are listed from its end come in the order of the wire.
static void wires_are_visited_from_their_beginning(void **unused) {
    (void)unused;
#define WIRE(points, more)                                                                                             \
    "<Node name='post'><MechanicalObject name='s' position='0 0.1 0  1 0.2 0  2 0.3 0'/></Node><Node "                 \
    "name='a'><EulerImplicitSolver/><SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/>"                    \
    "<MechanicalObject name='s' position='0 0 0  1 0 0  2 0 0'/><UniformMass totalMass='3'/><SpringForceField "        \
    "spring='0 1 5000 0 1  1 2 5000 0 1'/><LinearSolverConstraintCorrection " more "/></Node>"                         \
    "<BilateralLagrangianConstraint template='Vec3' object1='@post/s' object2='@a/s' first_point='" points             \
    "' second_point='" points "'/>"
    static const char *const scenes[] = {WIRE("0 1 2", ""), WIRE("2 1 0", "wire_optimization='1'"), WIRE("2 1 0", "")};
    st_real x[3][9], differs = 0;
    for (int i = 0; i < 3; i++) {
        st_scene *scene =
            load_with("<UnbuiltGaussSeidelConstraintSolver name='solver' maxIterations='1' tolerance='1e-12'/>",
                      scenes[i], true, 1);
        step(scene, 3);
        memcpy(x[i], x_of(scene, "/a/s"), sizeof x[i]);
        st_scene_destroy(scene);
    }
    for (int k = 0; k < 9; k++) near_(x[1][k], x[0][k], TIGHT);
    for (int k = 0; k < 9; k++) differs = st_max(differs, fabs(x[2][k] - x[0][k]));
    assert_true(differs > ST_R(1e-5));
}

static void a_reset_begins_again(void **unused) {
    (void)unused;
    static const char *const solvers[] = {PGS, "<KKTConstraintSolver name='solver'/>"};
    for (int s = 0; s < 2; s++) {
        st_scene *scene = load_with(solvers[s], CHAIN, true, 1);
        step(scene, 7);
        st_real first[7];
        memcpy(first, x_of(scene, "/b/s"), sizeof first);
        assert_int_equal(st_scene_reset(scene), ST_OK);
        step(scene, 7);
        assert_memory_equal(first, x_of(scene, "/b/s"), sizeof first);
        st_scene_destroy(scene);
    }
}

// The multiplier of a pendulum's rod stiffens it by its tension: K = ∂(Jᵀ λ/h)/∂x = (λ/h)/L across the rod is part of
// the next step's matrix.
static void multipliers_stiffen_mappings(void **unused) {
    (void)unused;
    for (int geometric = 0; geometric < 2; geometric++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver name='ldl'/><MechanicalObject name='s' position='0 "
            "0 0 0 -2 0'/><UniformMass vertexMass='3'/>" LINEAR
            "<FixedProjectiveConstraint indices='0'/><EdgeSetTopologyContainer position='@s.position' edges='0 1'/>"
            "<Node name='rod'><MechanicalObject name='l' template='Vec1' position='0' "
            "rest_position='0'/><DistanceMapping topology='@../EdgeSetTopologyContainer1' geometricStiffness='%s' "
            "computeDistance='1'/>"
            "<UniformLagrangianConstraint constrainToRestPos='1'/></Node></Node>",
            geometric ? "Exact" : "None");
        st_scene *scene = load(text);
        st_reals *rest = &state_at(scene, "/a/rod/l")->coord[ST_COORD_REST];
        if (rest->count == 1) rest->data[0] = 2;
        step(scene, 2);
        const st_linear_solver *solver = (st_linear_solver *)find(scene, "/a/ldl");
        const st_bsr *a = solver->system->object.type->system->matrix(solver->system);
        // λ/h = −m g (it pulls), K_xx = λ/(h L), A_xx = m − h² K
        const st_real stiffness = geometric ? ST_R(-30) / 2 : 0;
        near_(st_bsr_get(a, 3, 3), 3 - ST_R(1e-4) * stiffness, 1e-5);
        st_scene_destroy(scene);
    }
}

// ---------------------------------------------------------------------------------------------------
// KKT
// ---------------------------------------------------------------------------------------------------

// A linear law on a linear body: the violation after the step is rounding.
static void kkt_is_exact(void **unused) {
    (void)unused;
    st_scene *scene = load_with(
        "<KKTConstraintSolver name='solver'/>",
        "<Node name='post'><RegularGridTopology n='3 3 1' min='0 0 0' max='1 1 0'/><MechanicalObject name='s'/></Node>"
        "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver "
        "template='CompressedRowSparseMatrixMat3x3d'/><RegularGridTopology n='3 3 4' min='0 0 0' max='1 1 1'/>"
        "<MechanicalObject name='s'/><UniformMass totalMass='5'/><MeshSpringForceField stiffness='500' "
        "damping='1'/>" LINEAR "</Node>"
        "<BilateralLagrangianConstraint template='Vec3' object1='@post/s' object2='@a/s' first_point='0-8' "
        "second_point='0-8'/>",
        true, 1);
    for (int i = 0; i < 10; i++) {
        step(scene, 1);
        for (int k = 0; k < 27; k++) near_(x_of(scene, "/a/s")[k], x_of(scene, "/post/s")[k], 100 * ST_REAL_EPSILON);
    }
    st_scene_destroy(scene);
}

// Two objects under one linear solver, one of them without a correction: as with W, no force acts on that one.
static void kkt_leaves_uncorrected_objects_alone(void **unused) {
    (void)unused;
    st_real place[2];
    for (int i = 0; i < 2; i++) {
        st_scene *scene =
            load_with(i ? "<KKTConstraintSolver name='solver'/>" : PGS,
                      "<Node name='m'><EulerImplicitSolver/><SparseLDLSolver name='ldl' "
                      "template='CompressedRowSparseMatrixMat3x3d'/>"
                      "<Node name='a'><MechanicalObject name='s' position='0.1 0 0'/><UniformMass vertexMass='2'/>"
                      "<LinearSolverConstraintCorrection linearSolver='@../ldl'/></Node>"
                      "<Node name='b'><MechanicalObject name='s' position='0 0 0'/><UniformMass "
                      "vertexMass='3'/></Node></Node>" TIE("m/a", "m/b", ""),
                      true, 1);
        step(scene, 1);
        near_(x_of(scene, "/m/b/s")[0], 0, 0);
        place[i] = x_of(scene, "/m/a/s")[0];
        near_(place[i], 0, LOOSE);
        st_scene_destroy(scene);
    }
    near_(place[0], place[1], TIGHT);
}

static void kkt_compliance_gives_way(void **unused) {
    (void)unused;
    st_scene *scene = load_with("<KKTConstraintSolver name='solver' compliance='0.002'/>",
                                POST("0 0 0") POINT("a", "0 0 0", "2", LINEAR) TIE("post", "a", ""), true, 1);
    step(scene, 1);
    // d_free + (h/m + C) f = 0
    near_(view(scene).force[1], 10 * 0.01 * 0.01 / (0.01 / 2 + 0.002), TIGHT);
    st_scene_destroy(scene);
}

// The same scene with W and with KKT: the regularization of each kind of correction, and a compliance that was computed
// once, with and without the rotations of the body.
static void kkt_takes_every_correction(void **unused) {
    (void)unused;
#define TURNED(more)                                                                                                   \
    "<Node name='soft'><EulerImplicitSolver/><SparseLDLSolver "                                                        \
    "template='CompressedRowSparseMatrixMat3x3d'/><RegularGridTopology n='2 2 3' min='0 0 0' max='1 1 "                \
    "2'/><MechanicalObject name='s'/>"                                                                                 \
    "<UniformMass totalMass='3'/><HexahedronFEMForceField youngModulus='2000' poissonRatio='0.3' "                     \
    "method='polar'/><PrecomputedConstraintCorrection recompute='1' " more                                             \
    "/></Node>" POST("1 1 2.1  0 1 2") "<BilateralLagrangianConstraint template='Vec3' object1='@post/s' "             \
                                       "object2='@soft/s' first_point='0 1' second_point='11 10'/>"
    static const char *const scenes[] = {
        SOFT("<LinearSolverConstraintCorrection regularizationTerm='0.003'/>"),
        SOFT("<GenericConstraintCorrection regularizationTerm='0.003' complianceFactor='1'/>"),
        SOFT("<PrecomputedConstraintCorrection recompute='1' regularizationTerm='0.003'/>"),
        SOFT("<PrecomputedConstraintCorrection recompute='1'/>"),
        TURNED("rotations='1'"),
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        st_real force[6], place[3];
        for (int kkt = 0; kkt < 2; kkt++) {
            st_scene *scene = load_with(kkt ? "<KKTConstraintSolver name='solver'/>" : PGS, scenes[i], true, 1);
            step(scene, 20);
            const st_constraint_view v = view(scene);
            assert_int_equal(v.size, 6);
            for (int k = 0; kkt && k < 6; k++) near_(v.force[k], force[k], LOOSE);
            for (int k = 0; kkt && k < 3; k++) near_(x_of(scene, "/soft/s")[27 + k], place[k], LOOSE);
            memcpy(force, v.force, sizeof force);
            memcpy(place, x_of(scene, "/soft/s") + 27, sizeof place);
            assert_true(fabs(v.force[2]) > ST_R(1e-4));
            st_scene_destroy(scene);
        }
    }
}

// The same tie three times: any split of the force will do. Ties to two places: a warning, and a finite motion.
static void redundant_and_contradictory(void **unused) {
    (void)unused;
    static const char *const solvers[] = {
        PGS, "<KKTConstraintSolver name='solver'/>",
        "<NNCGConstraintSolver name='solver' tolerance='1e-9' maxIterations='50'/>",
        "<UnbuiltGaussSeidelConstraintSolver name='solver' tolerance='1e-9' maxIterations='50'/>"};
    for (int s = 0; s < 4; s++) {
        st_scene *scene = load_with(solvers[s],
                                    POST("0 0 0") POINT("a", "0 0 0", "2", LINEAR) TIE("post", "a", "")
                                        TIE("post", "a", "") TIE("a", "post", ""),
                                    true, 1);
        step(scene, 5);
        for (int k = 0; k < 3; k++) near_(x_of(scene, "/a/s")[k], 0, 1e-6);
        st_scene_destroy(scene);
        scene = load_with(solvers[s],
                          POST("0 0 0") POINT("a", "0 0 0", "2", LINEAR) TIE("post", "a", "")
                              TIE("post", "a", "rest_vector='1 0 0'"),
                          true, 1);
        const size_t warnings = st_scene_message_count(scene, ST_WARNING);
        step(scene, 5);
        assert_true(st_scene_message_count(scene, ST_WARNING) > warnings);
        assert_true(isfinite(x_of(scene, "/a/s")[0]));
        st_scene_destroy(scene);
    }
}

// A ball thrown on a floor: with friction the tangential impulse is at most µ times the normal one.
#define FLOOR(mu)                                                                                                      \
    "<UnilateralLagrangianConstraint name='contact' template='Vec3' object1='@post/s' object2='@a/s' first_point='0' " \
    "second_point='0' normals='0 1 0' mu='" mu "'/>"
static void contacts(void **unused) {
    (void)unused;
    static const char *const solvers[] = {
        PGS, "<KKTConstraintSolver name='solver'/>",
        "<LCPConstraintSolver name='solver' tolerance='1e-13' maxIt='1000' mu='0.5'/>",
        "<LCPConstraintSolver name='solver' tolerance='1e-13' maxIt='1000' mu='0.5' build_lcp='0'/>"};
    for (int s = 0; s < 4; s++) {
        st_scene *scene =
            load_with(solvers[s],
                      POST("0 0 0") POINT("a", "0 0 0", "2", "<UncoupledConstraintCorrection defaultCompliance='0.5'/>")
                          FLOOR("0.5"),
                      true, 1);
        st_state *a = state_at(scene, "/a/s");
        a->deriv[ST_DERIV_VELOCITY].data[0] = 3;
        step(scene, 1);
        near_(a->coord[ST_COORD_POSITION].data[1], 0, TIGHT);
        near_(a->deriv[ST_DERIV_VELOCITY].data[0], 3 - 0.5 * 10 * 0.01, 1e-5); // slides: µ g
        step(scene, 100);
        near_(a->deriv[ST_DERIV_VELOCITY].data[0], 0, 1e-5); // and sticks at last
        near_(a->coord[ST_COORD_POSITION].data[1], 0, 1e-5);
        a->deriv[ST_DERIV_VELOCITY].data[1] = 1; // leaves without being held back
        step(scene, 1);
        near_(a->deriv[ST_DERIV_VELOCITY].data[1], 0.9, 1e-5);
        st_scene_destroy(scene);
    }
}

static void contacts_without_friction(void **unused) {
    (void)unused;
    static const char *const solvers[] = {
        PGS, "<KKTConstraintSolver name='solver'/>",
        "<LCPConstraintSolver name='solver' tolerance='1e-13' maxIt='1000' mu='0'/>",
        "<LCPConstraintSolver name='solver' tolerance='1e-13' maxIt='1000' mu='0' build_lcp='0'/>"};
    for (int s = 0; s < 4; s++) {
        st_scene *scene =
            load_with(solvers[s],
                      POST("0 0 0") POINT("a", "0 0.001 0", "2",
                                          "<UncoupledConstraintCorrection defaultCompliance='0.5'/>") FLOOR("0"),
                      true, 1);
        state_at(scene, "/a/s")->deriv[ST_DERIV_VELOCITY].data[0] = 3;
        step(scene, 10);
        near_(x_of(scene, "/a/s")[1], 0, 1e-6);
        near_(x_of(scene, "/a/s")[0], 0.3, 1e-5);
        st_scene_destroy(scene);
    }
}

// Contacts as a collision response brings them: a soft sheet of nine points, and a rigid box on four corners, thrown on
// a floor. KKT finds the motion that Gauss-Seidel converges to; of the box only the sum of the forces is unique.
#define SHEET                                                                                                          \
    "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver "                                                           \
    "template='CompressedRowSparseMatrixMat3x3d'/><RegularGridTopology n='3 1 3' min='0 0 0' max='2 0 2'/>"            \
    "<MechanicalObject name='s'/><UniformMass totalMass='9'/><MeshSpringForceField stiffness='200' "                   \
    "damping='2'/>" LINEAR "</Node>"                                                                                   \
    "<UnilateralLagrangianConstraint name='contact' template='Vec3' object1='@post/s' object2='@a/s'/>"
#define BOX                                                                                                            \
    "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='s' template='Rigid3' position='0 " \
    "0.5 0 0 0 0 1'/><UniformMass vertexMass='2 1 0.1667 0 0 0 0.1667 0 0 0 0.1667'/>" LINEAR                          \
    "<Node name='p'><MechanicalObject name='s' position='-0.5 -0.5 -0.5 0.5 -0.5 -0.5 -0.5 -0.5 0.5 0.5 -0.5 "         \
    "0.5'/><RigidMapping/></Node></Node>"                                                                              \
    "<UnilateralLagrangianConstraint name='contact' template='Vec3' object1='@post/s' object2='@a/p/s'/>"
static void throw_on_floor(const char *solver, const char *body, int count, st_real mu, st_real x[3], st_real v[3]) {
    char text[4096];
    snprintf(text, sizeof text, POST("0 0 0") "%s", body);
    st_scene *scene = load_with(solver, text, true, 1);
    st_law *law = (st_law *)find(scene, "/contact");
    st_state *a = state_at(scene, "/a/s");
    const size_t width = st_state_dof(a)->deriv;
    for (size_t i = 0; i < a->size; i++) {
        a->deriv[ST_DERIV_VELOCITY].data[(size_t)width * i] = 1 + ST_R(0.1) * (st_real)i;
        a->deriv[ST_DERIV_VELOCITY].data[(size_t)width * i + 2] = ST_R(0.3);
    }
    for (int n = 0; n < 60; n++) { // the response clears them and adds them again, step by step
        st_clear_contacts(law);
        for (int i = 0; i < count; i++) {
            const st_contact c = {.second = (uint32_t)i, .normal = {0, 1, 0}, .friction = mu, .id = i};
            assert_true(st_add_contact(law, &c));
        }
        step(scene, 1);
        assert_int_equal(view(scene).size, 3 * count);
        if (strstr(log_text, "not enough")) continue; // told: the caller judges
        for (int i = 0; i < count; i++) {
            const st_real *f = view(scene).force + 3 * i;
            if (!(f[0] >= -10 * TIGHT && sqrt(f[1] * f[1] + f[2] * f[2]) <= mu * f[0] * (1 + SAME) + LOOSE))
                fail_msg("%s, mu %g, step %d, contact %d: %g %g %g\n%s", solver, (double)mu, n, i, (double)f[0],
                         (double)f[1], (double)f[2], log_text);
        }
    }
    memcpy(x, a->coord[ST_COORD_POSITION].data, 3 * sizeof *x);
    memcpy(v, a->deriv[ST_DERIV_VELOCITY].data, 3 * sizeof *v);
    st_scene_destroy(scene);
}

static void many_contacts_with_friction(void **unused) {
    (void)unused;
    static const st_real frictions[] = {ST_R(0.05), ST_R(0.2), ST_R(0.5)};
    for (int body = 0; body < 2; body++)
        for (int m = 0; m < 3; m++) {
            st_real x[2][3], v[2][3];
            const char *const text = body ? BOX : SHEET;
            throw_on_floor("<BlockGaussSeidelConstraintSolver name='solver' tolerance='" FINE
                           "' maxIterations='20000'/>",
                           text, body ? 4 : 9, frictions[m], x[0], v[0]);
            if (strstr(log_text, "not enough")) fail_msg("mu %g: %s", (double)frictions[m], log_text);
            throw_on_floor("<KKTConstraintSolver name='solver'/>", text, body ? 4 : 9, frictions[m], x[1], v[1]);
            if (strstr(log_text, "not enough")) fail_msg("mu %g: %s", (double)frictions[m], log_text);
            for (int k = 0; k < 3; k++) near_(x[1][k], x[0][k], SAME);
            for (int k = 0; k < 3; k++) near_(v[1][k], v[0][k], 10 * SAME);
            near_(x[1][1], body ? 0.5 : 0, SAME);
        }
    st_scene *scene = load(POST("0 0 0") POINT("a", "0 0 0", "2", LINEAR) TIE("post", "a", ""));
    assert_false(
        st_add_contact((st_law *)find(scene, "/tie"), &(st_contact){.normal = {0, 1, 0}})); // no law of contacts
    st_scene_destroy(scene);
}

// A box has more contacts than it needs: with any coefficient their friction settles, and no force is outside of the
// cone.
static void friction_settles_on_redundant_contacts(void **unused) {
    (void)unused;
    for (int k = 1; k <= 231; k++) {
        st_real x[3], v[3];
        throw_on_floor("<KKTConstraintSolver name='solver'/>", BOX, 4, ST_R(0.005) * (st_real)k, x, v);
        if (strstr(log_text, "still change") || strstr(log_text, "not enough"))
            fail_msg("mu %g: %s", 0.005 * k, log_text);

        // the motion that Gauss-Seidel converges to
        if (k % 7) continue;
        st_real same[3], speed[3];
        throw_on_floor("<BlockGaussSeidelConstraintSolver name='solver' tolerance='" FINE "' maxIterations='20000'/>",
                       BOX, 4, ST_R(0.005) * (st_real)k, same, speed);
        for (int i = 0; i < 3; i++) near_(x[i], same[i], SAME);
    }
}

static void stoppers_and_uniform_laws(void **unused) {
    (void)unused;
    static const char *const solvers[] = {PGS, "<KKTConstraintSolver name='solver'/>"};
    for (int s = 0; s < 2; s++) {
        st_scene *scene = load_with(
            solvers[s],
            "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='s' template='Vec1' "
            "position='0 5' velocity='3 0'/><UniformMass totalMass='2'/>"
            "<UncoupledConstraintCorrection defaultCompliance='1'/><StopperLagrangianConstraint index='0' min='-0.1' "
            "max='0.1'/></Node>"
            "<Node name='b'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='s' template='Vec1' "
            "position='1 2'/><UniformMass totalMass='2'/>"
            "<UncoupledConstraintCorrection defaultCompliance='1'/><UniformLagrangianConstraint iterative='0'/></Node>",
            true, 1);
        step(scene, 10);
        near_(x_of(scene, "/a/s")[0], 0.1, 1e-6);
        near_(x_of(scene, "/b/s")[0], 0, TIGHT);
        near_(x_of(scene, "/b/s")[1], 0, TIGHT);
        st_scene_destroy(scene);
    }
}

// ---------------------------------------------------------------------------------------------------
// What goes wrong
// ---------------------------------------------------------------------------------------------------

static const char *const some_solvers[] = {PGS, "<KKTConstraintSolver name='solver'/>",
                                           "<UnbuiltGaussSeidelConstraintSolver name='solver'/>",
                                           "<LCPConstraintSolver name='solver'/>", ""};

static void bad_input_is_told(void **unused) {
    (void)unused;
    static const struct {
        const char *scene, *told;
    } cases[] = {
        {POST("0 0 0")
             POINT("a", "0 0 0", "2", LINEAR) "<BilateralLagrangianConstraint template='Vec3' object1='@post/s' "
                                              "object2='@a/s' first_point='0' second_point='7'/>",
         "ignored"},
        {POST("0 0 0") POST("1 0 0") TIE("post", "post", ""), "no compliance"},
        {POST("0 0 0") "<Node name='a'><EulerImplicitSolver/><CGLinearSolver iterations='5' tolerance='1e-9' "
                       "threshold='1e-9'/><MechanicalObject name='s'/><UniformMass/>" LINEAR
                       "</Node>" TIE("post", "a", ""),
         "GraphScattered"},
        {POST("0 0 0") "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='s' "
                       "template='Rigid3'/><UncoupledConstraintCorrection/></Node>",
         "will not move"},
        {"<Node name='a'><MechanicalObject name='s' template='Vec1'/><StopperLagrangianConstraint index='3'/></Node>",
         "index = 3"},
        {POST("0 0 0")
             POINT("a", "0 0 0", "2",
                   LINEAR) "<SlidingLagrangianConstraint template='Vec3' object1='@a/s' object2='@post/s' axis_2='9'/>",
         "does not exist"},
        {POST("0 0 0") POINT("a", "0 0 0", "2", "<UncoupledConstraintCorrection defaultCompliance='0'/>"), "is 0"},
        {POST("0 0 0") "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='s'/>" LINEAR
                       "</Node>" TIE("post", "a", ""),
         "neither mass nor stiffness"}, // no mass
        {POST("0 0 0") "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject "
                       "name='s'/><PrecomputedConstraintCorrection/></Node>" TIE("post", "a", ""),
         "neither mass nor stiffness"},
        {POST("0 0 0") "<Node name='a'><RungeKutta4Solver/><MechanicalObject name='s'/><UniformMass "
                       "totalMass='1'/><PrecomputedConstraintCorrection/></Node>" TIE("post", "a", ""),
         "does not move positions"},
        {POST("0 0 0") "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='s' "
                       "position='nan 0 0'/><UniformMass totalMass='1'/>" LINEAR "</Node>" TIE("post", "a", ""),
         "'nan' cannot be read as a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t s = 0; s < sizeof some_solvers / sizeof *some_solvers; s++) {
            st_scene *scene = load_with(some_solvers[s], cases[i].scene, false, 1);
            st_scene_step(scene, 0);
            st_scene_step(scene, 0);
            if (s == 0 && !strstr(log_text, cases[i].told)) fail_msg("case %zu: %s", i, log_text);
            st_scene_destroy(scene);
        }
}

// A law on nothing has no rows: no solver stumbles over that.
static void an_empty_state_does_not_crash(void **unused) {
    (void)unused;
    for (size_t s = 0; s < sizeof some_solvers / sizeof *some_solvers; s++) {
        st_scene *scene = load_with(
            some_solvers[s],
            "<Node name='a'><EulerImplicitSolver/><SparseLDLSolver "
            "template='CompressedRowSparseMatrixMat3x3d'/><MechanicalObject name='s' position=''/><UniformMass "
            "totalMass='1'/>"
            "<UncoupledConstraintCorrection defaultCompliance='1'/><FixedLagrangianConstraint fixAll='1'/></Node>",
            false, 1);
        st_scene_step(scene, 0);
        st_scene_step(scene, 0);
        if (*some_solvers[s]) assert_int_equal(view(scene).size, 0);
        assert_int_equal(state_at(scene, "/a/s")->size, 0);
        st_scene_destroy(scene);
    }
}

// A law of a plug-in that numbers its rows wrongly.
static size_t stray_row;
static size_t build_stray(st_law *law, size_t first) {
    const st_real h[3] = {1, 0, 0};
    st_constraint_add(law->state, first, 0, h);
    st_constraint_add(law->state, stray_row, 0, h);
    return 1;
}
static void no_violation(st_law *law, const st_constraint_params *params, st_real *d) {
    (void)law, (void)params, d[0] = 0;
}
static void one_equality(st_law *law, st_resolutions *to) { (void)law, st_add_equality(to, 1); }
static const st_law_ops stray_ops = {.build = build_stray, .violation = no_violation, .resolutions = one_equality};
static const st_class stray_class = {.name = "StrayLaw",
                                     .help = "a law with a wrong row",
                                     .parent = &st_law_class,
                                     .templates = "Vec3",
                                     .size = sizeof(st_law),
                                     .law = &stray_ops};

static void rows_of_others_are_refused(void **unused) {
    (void)unused;
    static const size_t rows[] = {0, 1000000, SIZE_MAX, 3};
    for (size_t i = 0; i < 4; i++)
        for (int first = 0; first < 2; first++) {
            for (size_t s = 0; s < 2; s++) {
                char text[2048];
                st_scene *scene = create(true, 1);
                assert_int_equal(st_register_class(scene, &stray_class), ST_OK);
                snprintf(text, sizeof text,
                         "<Node gravity='0 -10 0' dt='0.01'><FreeMotionAnimationLoop "
                         "solveVelocityConstraintFirst='%d'/>%s%s</Node>",
                         first, some_solvers[s],
                         POINT("a", "0 0 0", "2", LINEAR "<FixedLagrangianConstraint indices='0'/><StrayLaw/>"));
                if (!st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)) ||
                    !st_succeeded(st_scene_init(scene)))
                    fail_msg("%s", log_text);
                stray_row = rows[i];
                const bool good = stray_row == 3;
                assert_int_equal(st_scene_step(scene, 0) == ST_OK, good);
                if (!strstr(log_text, "but has 1 rows from 3 on") != good) fail_msg("row %zu: %s", stray_row, log_text);
                st_scene_destroy(scene);
            }
        }
}

static void an_object_that_is_gone(void **unused) {
    (void)unused;
    st_scene *scene = load(POST("0 0 0") POINT("a", "0 0 0", "2", LINEAR) TIE("post", "a", ""));
    step(scene, 2);
    st_object_set(find(scene, "/tie"), "object1", "");
    step(scene, 2);
    assert_non_null(strstr(log_text, "is gone"));
    assert_true(x_of(scene, "/a/s")[1] < 0);
    st_scene_destroy(scene);
}

static void the_limit_of_iterations_is_told(void **unused) {
    (void)unused;
    st_scene *scene = load_with("<BlockGaussSeidelConstraintSolver name='solver' tolerance='1e-15' maxIterations='2'/>",
                                CHAIN, true, 1);
    step(scene, 2);
    assert_non_null(strstr(log_text, "2 iterations were not enough for 9 constraints: the error is "));
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Examples
// ---------------------------------------------------------------------------------------------------

static st_real gap(const st_law *law, const char *first, const char *second) {
    size_t n = 0, m = 0;
    st_real most = 0;
    char *a = st_object_get((st_object *)law, first, 6), *b = st_object_get((st_object *)law, second, 6), *at = a,
         *bt = b;
    for (;; n++, m++) {
        char *end = NULL;
        const size_t i = strtoul(at, &end, 10);
        if (end == at) break;
        at = end;
        const size_t j = strtoul(bt, &bt, 10);
        const st_real *p = law->state->coord[ST_COORD_POSITION].data + 3 * i,
                      *q = law->other->coord[ST_COORD_POSITION].data + 3 * j;
        for (int k = 0; k < 3; k++) most = st_max(most, fabs(p[k] - q[k]));
    }
    st_string_free(a);
    st_string_free(b);
    assert_true(n > 0);
    return most;
}

// Joints stay closed for four seconds of motion; what is left is the curvature of the motion within one step.
static void mechanisms_keep_together(void **unused) {
    (void)unused;
    static const char *const names[] = {"four_bar_linkage", "hinge", "chain"};
    for (int i = 0; i < 3; i++) {
        char path[512];
        st_scene *scene = create(false, 1);
        snprintf(path, sizeof path, "%s/%s.scn", SETTEE_EXAMPLES, names[i]);
        if (!st_succeeded(st_scene_load(scene, path)) || !st_succeeded(st_scene_init(scene))) fail_msg("%s", log_text);
        st_real moved = 0, worst = 0;
        for (int n = 0; n < 600; n++) {
            step(scene, 1);
            st_object *object;
            for (size_t k = 0; (object = st_scene_object(scene, k)); k++) {
                if (object->type->law) worst = st_max(worst, gap((st_law *)object, "first_point", "second_point"));
                if (object->type->state && ((st_state *)object)->mechanical && ((st_state *)object)->size)
                    moved = st_max(moved, fabs(((st_state *)object)->deriv[ST_DERIV_VELOCITY].data[0]));
            }
        }
        if (worst > ST_R(6e-3)) fail_msg("%s: a joint has opened by %g", names[i], (double)worst);
        assert_true(moved > ST_R(0.05));
        st_scene_destroy(scene);
    }
}

// The bead stays on the bar, gains speed by the slope and stops at the end.
static void the_slider_slides(void **unused) {
    (void)unused;
    st_scene *scene = create(false, 1);
    if (!st_succeeded(st_scene_load(scene, SETTEE_EXAMPLES "/slider.scn")) || !st_succeeded(st_scene_init(scene)))
        fail_msg("%s", log_text);
    const st_real *x = x_of(scene, "/bead/point"), *v = state_at(scene, "/bead/point")->deriv[ST_DERIV_VELOCITY].data;
    for (int n = 1; n <= 300; n++) {
        step(scene, 1);
        near_(x[0] * 3 + x[1] * 4, 0, 1e-4); // on the line
        near_(x[2], 0, 1e-5);
        assert_true(x[0] <= 4 + ST_R(1e-5));
        if (n == 50) near_(sqrt(v[0] * v[0] + v[1] * v[1]), 9.81 * 0.6 * 0.5, 1e-3);
    }
    near_(x[0], 4, 1e-4);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// What is not stepped
// ---------------------------------------------------------------------------------------------------

static st_scene *load_root(const char *text) {
    st_scene *scene = create(true, 1);
    if (!st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)) || !st_succeeded(st_scene_init(scene)))
        fail_msg("%s", log_text);
    return scene;
}

// The loop steps one node; the solver, and a linear solver, reach further.
static void corrections_outside_of_the_loop_rest(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "<Node gravity='0 -10 0' dt='0.01'><FreeMotionAnimationLoop targetNode='@a'/>" PGS POINT(
            "a", "0 0 0", "2", LINEAR) POINT("b", "0 0 0", "3", LINEAR) "</Node>",
        "<Node gravity='0 -10 0' dt='0.01'><FreeMotionAnimationLoop targetNode='@a'/>" PGS
        "<EulerImplicitSolver name='e'/><SparseLDLSolver name='ldl' template='CompressedRowSparseMatrixMat3x3d'/>"
        "<Node name='a'><MechanicalObject name='s' position='0 0 0'/><UniformMass vertexMass='2'/>"
        "<GenericConstraintCorrection linearSolver='@../ldl' ODESolver='@../e'/></Node>"
        "<Node name='b'><MechanicalObject name='s' position='0 0 0'/><UniformMass vertexMass='2'/></Node></Node>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        st_scene *scene = load_root(texts[i]);
        step(scene, 3);
        near_(x_of(scene, "/b/s")[1], 0, 0);
        if (i == 0) assert_true(x_of(scene, "/a/s")[1] < 0);
        st_scene_destroy(scene);
    }
}

// A frozen matrix is assembled once a run: what moved moves again after a reset.
static void a_frozen_matrix_is_made_again_after_a_reset(void **unused) {
    (void)unused;
    static const char *const systems[] = {
        "<MatrixLinearSystem name='A' enableAssembly='0' template='CompressedRowSparseMatrixd'/>",
        "<MatrixLinearSystem name='p' template='CompressedRowSparseMatrixd'/><CompositeLinearSystem name='A' "
        "enableAssembly='0' "
        "template='CompressedRowSparseMatrixd' linearSystems='@p' solverLinearSystem='@p'/>"};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "<Node gravity='0 -10 0' dt='0.01'><EulerImplicitSolver/>%s<SparseLDLSolver "
            "template='CompressedRowSparseMatrixd' linearSystem='@A'/><MechanicalObject name='s' position='0 0 0'/>"
            "<UniformMass vertexMass='2'/></Node>",
            systems[i]);
        st_scene *scene = load_root(text);
        step(scene, 3);
        const st_real first = x_of(scene, "/s")[1];
        assert_true(first < 0);
        st_scene_reset(scene);
        near_(x_of(scene, "/s")[1], 0, 0);
        step(scene, 3);
        near_(x_of(scene, "/s")[1], first, 0);
        st_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frozen_matrix_is_made_again_after_a_reset),
        cmocka_unit_test(corrections_outside_of_the_loop_rest),
        cmocka_unit_test(two_masses_fall_like_one),
        cmocka_unit_test(the_multiplier_is_an_impulse),
        cmocka_unit_test(without_correction_nothing_moves),
        cmocka_unit_test(velocities_first),
        cmocka_unit_test(every_law_holds_velocities),
        cmocka_unit_test(uncoupled_factors),
        cmocka_unit_test(integrators_can_solve_constraints),
        cmocka_unit_test(statics_with_constraints),
        cmocka_unit_test(statics_stop_when_constraints_fail),
        cmocka_unit_test(linked_positions_follow),
        cmocka_unit_test(the_older_loop),
        cmocka_unit_test(rows_go_through_mappings),
        cmocka_unit_test(mappings_may_keep_constraints_to_themselves),
        cmocka_unit_test(constraints_pass_every_mapping_in_sofa),
        cmocka_unit_test(projections_take_columns_away),
        cmocka_unit_test(every_law_says_its_derivative),
        cmocka_unit_test(rigid_ties),
        cmocka_unit_test(jacobians_sort_and_add_up),
        cmocka_unit_test(friction_block),
        cmocka_unit_test(augmented_friction_block),
        cmocka_unit_test(a_singular_block_is_solved_where_it_can),
        cmocka_unit_test(rows_that_cannot_move_stay_out_of_a_block),
        cmocka_unit_test(heavy_masses_are_held),
        cmocka_unit_test(solvers_agree),
        cmocka_unit_test(jacobi_solves_uncoupled_blocks),
        cmocka_unit_test(objects_under_one_solver_work_together),
        cmocka_unit_test(precomputed_compliance),
        cmocka_unit_test(matrices_can_be_seen),
        cmocka_unit_test(results_do_not_depend_on_threads),
        cmocka_unit_test(wires_are_visited_from_their_beginning),
        cmocka_unit_test(a_reset_begins_again),
        cmocka_unit_test(multipliers_stiffen_mappings),
        cmocka_unit_test(kkt_is_exact),
        cmocka_unit_test(kkt_leaves_uncorrected_objects_alone),
        cmocka_unit_test(kkt_compliance_gives_way),
        cmocka_unit_test(kkt_takes_every_correction),
        cmocka_unit_test(redundant_and_contradictory),
        cmocka_unit_test(contacts),
        cmocka_unit_test(contacts_without_friction),
        cmocka_unit_test(many_contacts_with_friction),
        cmocka_unit_test(friction_settles_on_redundant_contacts),
        cmocka_unit_test(stoppers_and_uniform_laws),
        cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(an_empty_state_does_not_crash),
        cmocka_unit_test(rows_of_others_are_refused),
        cmocka_unit_test(an_object_that_is_gone),
        cmocka_unit_test(the_limit_of_iterations_is_told),
        cmocka_unit_test(mechanisms_keep_together),
        cmocka_unit_test(the_slider_slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
