// Every pair of models that can touch, with every response that they have; and every constraint solver with every
// correction. One body flies at another one without gravity, touches it, and is pulled away again. In each step
//
//     momentum stays:      Σ m v = const
//     nothing goes in:     gap ≥ -tolerance of every contact
//     Coulomb's law:       f_n ≥ 0, |f_t| ≤ µ f_n
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "constraint/problem.h"
#include "math/vec3.h"
#include "settee/contact.h"

enum { MOST_CONTACTS = 64, APPROACH = 40, APART = 60 };

// Forces below this part of the impact's are rounding: violations of 1 ulp of the positions, over dt². In single precision
// that is all there is once the bodies go together (3e-5 N after 37 N).
static const st_real rounding = sizeof(st_real) == 8 ? ST_R(1e-9) : ST_R(1);
static const st_real cone_limit = sizeof(st_real) == 8 ? ST_R(1e-5) : ST_R(2e-4); // KKT slides to 1e-6 and 1e-4
static const st_real tight = sizeof(st_real) == 8 ? ST_R(1e-9) : ST_R(1e-3);

// ---------------------------------------------------------------------------------------------------
// Bodies
// ---------------------------------------------------------------------------------------------------

typedef struct kind {
    const char *name;
    bool rigid;
    st_real reach;        // from its place to its surface, along x
    const char *dofs;     // places of its DOFs around it
    const char *topology; // before the state
    const char *model;
} kind;

#define CELL                                                                                                           \
    "-0.6 -0.6 -0.6  0.6 -0.6 -0.6  0.6 0.6 -0.6  -0.6 0.6 -0.6  -0.6 -0.6 0.6  0.6 -0.6 0.6  0.6 0.6 0.6  -0.6 0.6 "  \
    "0.6"
#define LARGE "0 -0.9 -0.8  0 1.1 -0.7  0 0.1 1.2"
#define SMALL "0 -0.3 -0.2  0 0.4 -0.25  0 0.05 0.5"

// Two lines have to cross, and of two triangles one is smaller: these kinds are there twice.
static const kind kinds[] = {
    {"point", false, 0, "0 0.07 0.07", "", "<PointCollisionModel/>"},
    {"line", false, 0, "0 -0.7 0.1  0 0.8 0.05", "<MeshTopology edges='0 1'/>", "<LineCollisionModel/>"},
    {"crossing line", false, 0, "0 0.1 -0.6  0 0.05 0.9", "<MeshTopology edges='0 1'/>", "<LineCollisionModel/>"},
    {"triangle", false, 0, LARGE, "<MeshTopology triangles='0 1 2'/>", "<TriangleCollisionModel bothSide='1'/>"},
    {"small triangle", false, 0, SMALL, "<MeshTopology triangles='0 1 2'/>", "<TriangleCollisionModel bothSide='1'/>"},
    {"sphere", false, ST_R(0.3), "0 0.02 0.03", "", "<SphereCollisionModel radius='0.3'/>"},
    {"sphere on a frame", true, ST_R(0.3), "0 0.02 0.03", "", "<SphereCollisionModel radius='0.3'/>"},
    {"small sphere", false, ST_R(0.05), "0 0.05 0.06", "", "<SphereCollisionModel radius='0.05'/>"},
    {"small sphere on a frame", true, ST_R(0.05), "0 0.05 0.06", "", "<SphereCollisionModel radius='0.05'/>"},
    {"box", true, ST_R(0.3), "0 0 0", "", "<OBBCollisionModel extents='0.3 0.35 0.4'/>"},
    {"capsule", false, ST_R(0.2), "0 -0.5 0.05  0 0.6 0", "<MeshTopology edges='0 1'/>",
     "<CapsuleCollisionModel defaultRadius='0.2'/>"},
    {"capsule on a frame", true, ST_R(0.2), "0 0 0", "", "<CapsuleCollisionModel radii='0.2' heights='1'/>"},
    {"grid", true, ST_R(0.5), "0 0 0", "",
     "<RigidDistanceGridCollisionModel filename='#cube' scale='0.5' nx='13' ny='13' nz='13'/>"},
    {"deformed grid", false, ST_R(0.5), CELL, "<MeshTopology hexahedra='0 1 2 3 4 5 6 7'/>",
     "<FFDDistanceGridCollisionModel filename='#cube' scale='0.5' nx='13' ny='13' nz='13'/>"},
    {"tetrahedron", false, ST_R(0.2), "0.2 -0.6 -0.6  0.2 0 0.8  0.2 0.7 -0.5  -0.6 0 0",
     "<MeshTopology tetrahedra='0 1 2 3'/>", "<TetrahedronCollisionModel/>"},
    {"points with normals", false, ST_R(0.3), "-0.3 0 0  0.3 -0.4 -0.4  0.3 0.4 -0.4  0.3 0 0.5",
     "<MeshTopology tetrahedra='0 1 2 3'/>", "<PointCollisionModel computeNormals='1'/>"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// Two bodies whose surfaces are 5 cm apart.
static bool put_body(char *text, size_t room, const char *name, const kind *k, st_real x, const char *correction) {
    char places[1024] = "";
    const char *at = k->dofs;
    if (k->rigid && strstr(correction, "Uncoupled")) correction = "<UncoupledConstraintCorrection/>"; // by the mass
    double v[3];
    for (int used; sscanf(at, "%lf %lf %lf%n", &v[0], &v[1], &v[2], &used) == 3; at += used)
        snprintf(places + strlen(places), sizeof places - strlen(places), "%.6g %.6g %.6g%s  ", v[0] + (double)x, v[1],
                 v[2], k->rigid ? " 0 0 0 1" : "");
    return (size_t)snprintf(text, room,
                            "<Node name='%s'><EulerImplicitSolver/><SparseLDLSolver template='%s'/>%s"
                            "<MechanicalObject name='dofs' template='%s' position='%s' %s%s%s/><UniformMass %s/>%s%s"
                            "</Node>",
                            name, k->rigid ? "CompressedRowSparseMatrixd" : "CompressedRowSparseMatrixMat3x3d",
                            k->topology, k->rigid ? "Rigid3" : "Vec3", places, k->rigid ? "" : "rest_position='",
                            k->rigid ? "" : k->dofs, k->rigid ? "" : "'",
                            k->rigid ? "vertexMass='2 1 0.2 0 0 0 0.2 0 0 0 0.2'" : "vertexMass='1'", correction,
                            k->model) < room;
}

typedef struct setting {
    const char *loop, *solver, *response, *correction;
} setting;

static physics_scene *load_pair(const kind *a, const kind *b, const setting *s) {
    physics_scene *test = calloc(1, sizeof *test);
    assert_non_null(test);
    char text[8192], one[3000], two[3000];
    assert_true(put_body(one, sizeof one, "a", a, 0, s->correction));
    assert_true(put_body(two, sizeof two, "b", b, a->reach + b->reach + ST_R(0.05), s->correction));
    const int length =
        snprintf(text, sizeof text,
                 "<Node name='root' gravity='0 0 0' dt='0.01'>%s%s<CollisionPipeline/><BruteForceBroadPhase/>"
                 "<BVHNarrowPhase/><NewProximityIntersection alarmDistance='0.06' contactDistance='0.02' "
                 "useLineLine='1'/><CollisionResponse %s/>%s%s</Node>",
                 s->loop, s->solver, s->response, one, two);
    assert_true(length > 0 && (size_t)length < sizeof text);

    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    config.no_compat = true;
    test->scene = st_scene_create(&config);
    if (st_scene_load_text(test->scene, text, (size_t)length, NULL) != ST_OK || st_scene_init(test->scene) != ST_OK)
        fail_msg("%s\n%s", text, test->log);
    return test;
}

// ---------------------------------------------------------------------------------------------------
// What is measured
// ---------------------------------------------------------------------------------------------------

static void set_speed(physics_scene *test, const char *path, st_real x, st_real y) {
    st_state *s = physics_state(test, path);
    const size_t width = st_state_dof(s)->deriv;
    for (size_t i = 0; i < s->size; i++) {
        memset(s->deriv[ST_DERIV_VELOCITY].data + i * width, 0, width * sizeof(st_real));
        s->deriv[ST_DERIV_VELOCITY].data[i * width] = x;
        s->deriv[ST_DERIV_VELOCITY].data[i * width + 1] = y;
    }
}

static void add_momentum(physics_scene *test, const char *path, st_real p[3]) {
    const st_state *s = physics_state(test, path);
    const size_t width = st_state_dof(s)->deriv;
    const st_real mass = width == 6 ? 2 : 1;
    for (size_t i = 0; i < s->size; i++)
        for (size_t k = 0; k < 3; k++) p[k] += mass * s->deriv[ST_DERIV_VELOCITY].data[i * width + k];
}

typedef struct verdict {
    size_t touched;                      // steps with a force
    st_real momentum, depth, pull, cone; // the largest errors
    st_real passed;                      // largest momentum that the first body got
    st_real impact;                      // largest normal force of all steps
    bool parted;                         // at the end nothing touches
    bool failed;
} verdict;

static void judge(physics_scene *test, const st_real start[3], st_real mu, verdict *v) {
    st_contact_report r[MOST_CONTACTS];
    size_t count = st_scene_contacts(test->scene, r, MOST_CONTACTS);
    st_real p[3] = {0}, force = 0;
    add_momentum(test, "/a/dofs", p);
    add_momentum(test, "/b/dofs", p);
    for (int k = 0; k < 3; k++) v->momentum = st_max(v->momentum, fabs(p[k] - start[k]));

    v->parted = true;
    if (count > MOST_CONTACTS) count = MOST_CONTACTS;
    for (size_t i = 0; i < count; i++) force = st_max(force, fabs(r[i].normal_force));
    v->impact = st_max(v->impact, force);
    for (size_t i = 0; i < count; i++) {
        if (r[i].normal_force != 0) v->parted = false;
        v->depth = st_max(v->depth, -r[i].gap);
        v->pull = st_max(v->pull, -r[i].normal_force);
        const st_real over = r[i].tangential_force - mu * r[i].normal_force;
        if (force > 0) v->cone = st_max(v->cone, over / st_max(force, rounding * v->impact));
    }
    v->touched += force > 0;
}

// The second body comes with 0.5 along x and slides along y, is with the first one for a while, and leaves.
static verdict meet(const kind *a, const kind *b, const setting *s, st_real mu, char *log, size_t room) {
    physics_scene *test = load_pair(a, b, s);
    verdict v = {0};
    st_real start[3] = {0};

    set_speed(test, "/b/dofs", ST_R(-0.5), ST_R(0.05));
    add_momentum(test, "/b/dofs", start);
    for (int n = 0; n < APPROACH && !v.failed; n++) {
        v.failed = st_scene_step(test->scene, 0) != ST_OK;
        judge(test, start, mu, &v);
        st_real p[3] = {0};
        add_momentum(test, "/a/dofs", p);
        v.passed = st_max(v.passed, st_vec3_norm(p));
    }

    // apart
    set_speed(test, "/a/dofs", -1, 0);
    set_speed(test, "/b/dofs", 1, 0);
    memset(start, 0, sizeof start);
    add_momentum(test, "/a/dofs", start);
    add_momentum(test, "/b/dofs", start);
    for (int n = 0; n < APART && !v.failed; n++) {
        v.failed = st_scene_step(test->scene, 0) != ST_OK;
        judge(test, start, mu, &v);
    }
    snprintf(log, room, "%s", test->log);
    physics_free(test);
    return v;
}

#define FREE "<FreeMotionAnimationLoop/>"
#define PGS "<BlockGaussSeidelConstraintSolver tolerance='1e-10' maxIterations='2000'/>"
#define FRICTION "response='FrictionContactConstraint' responseParams='mu=0.3'"
#define LINEAR "<LinearSolverConstraintCorrection/>"

// Pairs without a test, in SOFA and here; a sphere touches a grid of distances only where its center is inside of the
// grid, and points are found in a tetrahedron when they have normals.
static bool is_named(const kind *a, const kind *b, const char *one, const char *two) {
    return (strstr(a->name, one) && strstr(b->name, two)) || (strstr(a->name, two) && strstr(b->name, one));
}
static bool is_special(const kind *k) { return strstr(k->name, "tetra") || strstr(k->name, "normals"); }
static bool must_touch(const kind *a, const kind *b) {
    if (is_special(a) || is_special(b))
        return strstr(b->name, "normals") && (!strcmp(a->name, "tetrahedron") || !strcmp(a->name, "triangle"));
    if (is_named(a, b, "sphere", "grid")) return is_named(a, b, "small", "grid");
    return !is_named(a, b, "box", "line") && !is_named(a, b, "box", "grid") && !is_named(a, b, "capsule", "grid") &&
           !is_named(a, b, "line", "grid");
}

static void expect(const kind *a, const kind *b, const char *what, const verdict *v, bool touches, st_real scale,
                   const char *log) {
    const bool ok = !v->failed && v->momentum <= scale * tight && v->depth <= ST_R(1e-3) && v->pull <= scale * tight &&
                    v->cone <= cone_limit && v->parted && (!touches || v->touched);
    if (!ok)
        fail_msg("%s with %s, %s: touched in %zu steps, momentum off by %g, depth %g, pull %g, cone %g%s%s\n%s",
                 a->name, b->name, what, v->touched, (double)v->momentum, (double)v->depth, (double)v->pull,
                 (double)v->cone, v->parted ? "" : ", still in touch", v->failed ? ", a step failed" : "", log);
}

static void friction_between_all_models(void **state) {
    (void)state;
    static const setting friction = {FREE, PGS, FRICTION, LINEAR};
    char log[8192];
    for (int i = 0; i < KINDS; i++)
        for (int j = 0; j < KINDS; j++) {
            const kind *a = &kinds[i], *b = &kinds[j];
            if ((is_special(a) || is_special(b)) && !must_touch(a, b)) continue; // they pass through each other
            const verdict v = meet(a, b, &friction, ST_R(0.3), log, sizeof log);
            expect(a, b, "friction", &v, must_touch(a, b), 1, log);
        }
}

// The same by steps ε d, without friction, and with so much of it that all contacts stick: SOFA's step along the sliding
// direction leaves the cone (its formula is tested in test_constraints).
static void augmented_between_all_models(void **state) {
    (void)state;
    static const struct {
        setting setting;
        st_real mu;
    } cases[] = {
        {{FREE, PGS, "response='AugmentedLagrangianResponseConstraint' responseParams='mu=0&amp;epsilon=30'", LINEAR},
         0},
        {{FREE, PGS, "response='AugmentedLagrangianResponseConstraint' responseParams='mu=100&amp;epsilon=30'", LINEAR},
         100},
    };
    char log[8192];
    const size_t count = sizeof(st_real) == 8 ? sizeof cases / sizeof *cases : 1; // sticking in double precision only
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < KINDS; i++)
            for (int j = 0; j < KINDS; j++) {
                const kind *a = &kinds[i], *b = &kinds[j];
                if ((is_special(a) || is_special(b)) && !must_touch(a, b)) continue;
                if (k && is_named(a, b, "grid", "grid")) continue; // those with hardly any pressure slide
                const verdict v = meet(a, b, &cases[k].setting, cases[k].mu, log, sizeof log);
                expect(a, b, k ? "augmented, sticking" : "augmented", &v, must_touch(a, b), 1, log);
            }
}

static bool is_simple(const kind *k) { return !k->rigid && !strstr(k->name, "capsule") && !strstr(k->name, "grid"); }

// Contacts that stick pass momentum on and keep its sum, by multipliers and by springs; other models are refused. Springs
// that stick begin without a force in each step that finds contacts: they only pull once bodies have parted.
static void sticking_between_all_models(void **state) {
    (void)state;
    static const setting sticks[] = {
        {FREE, PGS, "response='StickContactConstraint' responseParams='keepAlive=0'", LINEAR},
        {"<DefaultAnimationLoop/>", "", "response='StickContactForceField' responseParams='keepAlive=1'", ""},
        {"<DefaultAnimationLoop/>", "", "response='PenalityContactForceField'", ""},
    };
    char log[8192];
    for (size_t s = 0; s < sizeof sticks / sizeof *sticks; s++)
        for (int i = 0; i < KINDS; i++)
            for (int j = 0; j < KINDS; j++) {
                const kind *a = &kinds[i], *b = &kinds[j];
                if (is_special(a) || is_special(b)) continue;
                const verdict v = meet(a, b, &sticks[s], 1, log, sizeof log);
                const bool grids = strstr(a->name, "grid") || strstr(b->name, "grid");
                const bool has = must_touch(a, b) && (s == 2 || (is_simple(a) && is_simple(b)));
                const bool refused = strstr(log, "there is no response") != NULL;
                if (v.failed || v.momentum > tight || (has && s != 1 && !(v.passed > ST_R(1e-6))) || (has && refused) ||
                    (!has && s < 2 && !grids && must_touch(a, b) && !refused))
                    fail_msg("%s with %s, %s: %g passed on, momentum off by %g\n%s", a->name, b->name,
                             sticks[s].response, (double)v.passed, (double)v.momentum, log);
            }
}

// Every constraint solver with every correction. What is solved by steps has the error of the last one.
static void solvers_and_corrections(void **state) {
    (void)state;
    static const char *const solvers[] = {
        PGS,
        "<NNCGConstraintSolver tolerance='1e-10' maxIterations='2000'/>",
        "<ImprovedJacobiConstraintSolver tolerance='1e-10' maxIterations='5000'/>",
        "<LCPConstraintSolver tolerance='1e-10' maxIt='2000' mu='0.3'/>",
        "<KKTConstraintSolver/>",
        "<UnbuiltGaussSeidelConstraintSolver tolerance='1e-10' maxIterations='2000'/>",
        "<LCPConstraintSolver tolerance='1e-10' maxIt='2000' mu='0.3' build_lcp='0'/>",
    };
    static const char *const corrections[] = {"<UncoupledConstraintCorrection defaultCompliance='1'/>", LINEAR,
                                              "<GenericConstraintCorrection/>", "<PrecomputedConstraintCorrection/>"};
    static const char *const pairs[][2] = {
        {"triangle", "point"},         {"triangle", "small triangle"},    {"sphere", "sphere"}, {"line", "capsule"},
        {"box", "capsule on a frame"}, {"triangle", "sphere on a frame"}, {"grid", "triangle"}};
    char log[8192];
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++)
        for (size_t c = 0; c < 4; c++)
            for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
                const kind *two[2] = {NULL, NULL};
                for (int i = 0; i < KINDS; i++)
                    for (int k = 0; k < 2; k++)
                        if (!strcmp(kinds[i].name, pairs[p][k])) two[k] = &kinds[i];
                const setting set = {FREE, solvers[s], FRICTION, corrections[c]};
                const verdict v = meet(two[0], two[1], &set, ST_R(0.3), log, sizeof log);
                char what[256];
                snprintf(what, sizeof what, "%.120s %.100s", solvers[s], corrections[c]);
                expect(two[0], two[1], what, &v, true, 1000, log);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_between_all_models),
        cmocka_unit_test(augmented_between_all_models),
        cmocka_unit_test(sticking_between_all_models),
        cmocka_unit_test(solvers_and_corrections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
