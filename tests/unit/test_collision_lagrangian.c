// Contacts held by Lagrange multipliers: friction against Coulomb's law, impulses against momentum, who gets which
// contact, first guesses, contacts that stick, rules for responses, and the filters of LocalMinDistance.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/text.h"
#include "collision/contact_pair.h"
#include "law/bilateral.h"
#include "law/unilateral.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "settee/contact.h"

#define LOOP "<FreeMotionAnimationLoop/>"
#define PGS "<BlockGaussSeidelConstraintSolver name='solver' tolerance='1e-12' maxIterations='1000'/>"
#define PHASES "<CollisionPipeline name='pipeline'/><BruteForceBroadPhase/><BVHNarrowPhase name='narrow'/>"
#define MIN "<MinProximityIntersection name='method' alarmDistance='0.3' contactDistance='0.1'/>"
#define LMD(more) "<LocalMinDistance name='method' alarmDistance='0.3' contactDistance='0.1' " more "/>"
#define RESPONSE(name, parameters)                                                                                     \
    "<CollisionResponse name='manager' response='" name "' responseParams='" parameters "'/>"
#define FLOOR                                                                                                          \
    "<Node name='floor'><MeshTopology position='-50 0 -50  50 0 -50  50 0 50  -50 0 50' triangles='0 2 1  0 3 2'/>"    \
    "<MechanicalObject name='dofs'/><TriangleCollisionModel name='model' simulated='0' moving='0'/></Node>"
#define SOLVER "<EulerImplicitSolver/><SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/>"
#define BODY(name, where, model)                                                                                       \
    "<Node name='" name "'>" SOLVER "<MechanicalObject name='dofs' position='" where "'/><UniformMass totalMass='2'/>" \
    "<UncoupledConstraintCorrection defaultCompliance='0.5'/>" model "</Node>"

static const st_real tight = sizeof(st_real) == 8 ? ST_R(1e-9) : ST_R(1e-3);

static physics_scene *load_at(const char *gravity, const char *children) {
    physics_scene *test = calloc(1, sizeof *test);
    char text[8192];
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    test->scene = st_scene_create(&config);
    snprintf(text, sizeof text, "<Node name='root' gravity='%s' dt='0.01'>" LOOP "%s</Node>", gravity, children);
    assert_true(st_succeeded(st_scene_load_text(test->scene, text, strlen(text), NULL)));
    st_scene_init(test->scene);
    return test;
}
static physics_scene *load(const char *children) { return load_at("0 -10 0", children); }

static void step(physics_scene *test, int count) {
    for (int i = 0; i < count; i++) {
        const st_status status = st_scene_step(test->scene, 0);
        if (status != ST_OK) print_message("%s", test->log);
        assert_int_equal(status, ST_OK);
    }
}

static size_t rows(physics_scene *test) {
    return st_constraint_solver_view((st_constraint_solver *)physics_find(test, "/solver")).size;
}
static st_real *x_of(physics_scene *test, const char *path) {
    return physics_state(test, path)->coord[ST_COORD_POSITION].data;
}
static st_real *v_of(physics_scene *test, const char *path) {
    return physics_state(test, path)->deriv[ST_DERIV_VELOCITY].data;
}
static bool said(const physics_scene *test, const char *text) { return strstr(test->log, text) != NULL; }
static size_t found(physics_scene *test) {
    const st_narrow_phase *phase = (const st_narrow_phase *)physics_find(test, "/narrow");
    size_t count = 0;
    for (size_t i = 0; i < phase->outputs.count; i++) count += phase->outputs.data[i]->found.list.count;
    return count;
}

// ---------------------------------------------------------------------------------------------------
// Friction
// ---------------------------------------------------------------------------------------------------

// A block of one point slides on the floor: it slows down by µ g, then stays. Every solver with every friction.
static void coulomb(void **state) {
    (void)state;
    static const char *const solvers[] = {
        PGS, "<NNCGConstraintSolver name='solver' tolerance='1e-12' maxIterations='1000'/>",
        "<LCPConstraintSolver name='solver' tolerance='1e-12' maxIt='1000' mu='0.3'/>",
        "<LCPConstraintSolver name='solver' tolerance='1e-12' maxIt='1000' mu='0.3' initial_guess='0'/>",
        "<KKTConstraintSolver name='solver'/>"};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        char text[4096];
        snprintf(text, sizeof text,
                 "%s" PHASES MIN RESPONSE("FrictionContactConstraint", "mu=0.3")
                     FLOOR BODY("a", "0.3 0.1 0.2", "<PointCollisionModel/>"),
                 solvers[s]);
        physics_scene *test = load(text);
        v_of(test, "/a/dofs")[0] = 1;
        step(test, 20);
        assert_int_equal(rows(test), 3);
        assert_near(v_of(test, "/a/dofs")[0], 1 - ST_R(0.3) * 10 * ST_R(0.2), 100 * tight);
        assert_near(x_of(test, "/a/dofs")[1], ST_R(0.1), 10 * tight);
        step(test, 20);
        assert_near(v_of(test, "/a/dofs")[0], 0, 100 * tight); // it stopped after 1 / (µ g) = 1/3 s
        physics_free(test);
    }
}

// On a slope tan φ = 0.5, as gravity leans: sticks above it, slides below it with g (sin φ - µ cos φ).
static void slopes(void **state) {
    (void)state;
    static const struct {
        const char *mu;
        st_real speed; // after 0.5 s, with gravity (5, -10, 0)
    } cases[] = {{"mu=0.51", 0}, {"mu=0.4", ST_R(0.5)}, {"mu=0", ST_R(2.5)}};
    for (int c = 0; c < 3; c++) {
        char text[4096];
        snprintf(text, sizeof text,
                 PGS PHASES MIN "<CollisionResponse response='FrictionContactConstraint' "
                                "responseParams='%s'/>" FLOOR BODY("a", "0.3 0.1 0.2", "<PointCollisionModel/>"),
                 cases[c].mu);
        physics_scene *test = load_at("5 -10 0", text);
        step(test, 50);
        assert_near(v_of(test, "/a/dofs")[0], cases[c].speed, 100 * tight);
        assert_int_equal(rows(test), c == 2 ? 1 : 3); // one row without friction
        physics_free(test);
    }
}

// Two free bodies collide off-center: impulses are opposite, so that the momentum stays.
static void momentum_is_kept(void **state) {
    (void)state;
    physics_scene *test = load_at("0 0 0", PGS PHASES MIN RESPONSE("FrictionContactConstraint", "mu=0.1")
                                               BODY("a", "0 0 0", "<SphereCollisionModel radius='0.5'/>")
                                                   BODY("b", "1.2 0.3 0", "<SphereCollisionModel radius='0.5'/>"));
    v_of(test, "/a/dofs")[0] = 3;
    step(test, 30);
    const st_real *a = v_of(test, "/a/dofs"), *b = v_of(test, "/b/dofs");
    assert_near(a[0] + b[0], 3, tight);
    assert_near(a[1] + b[1], 0, tight);
    assert_true(b[0] > ST_R(0.5) && b[1] > ST_R(0.01));
    physics_free(test);
}

// The contact points of frames: their radius counts twice with most methods, as in SOFA. Two of radius 1 that are found
// are pushed to 2 (1 + 1) + 0.2; around points they stay where they are.
static void spheres_of_frames_and_of_points(void **state) {
    (void)state;
    static const char method[] = "<MinProximityIntersection alarmDistance='0.5' contactDistance='0.2'/>";
#define RIGID(name, x)                                                                                                 \
    "<Node name='" name "'>" SOLVER "<MechanicalObject name='dofs' template='Rigid3' position='" x " 0 0 0 0 0 1'/>"   \
    "<UniformMass totalMass='1'/><UncoupledConstraintCorrection/><SphereCollisionModel radius='1'/></Node>"
    char text[4096];
    snprintf(text, sizeof text,
             PGS PHASES "%s" RESPONSE("FrictionContactConstraint", "mu=0") RIGID("a", "0") RIGID("b", "2.4"), method);
    physics_scene *test = load_at("0 0 0", text);
    step(test, 1);
    assert_near(x_of(test, "/b/dofs")[0] - x_of(test, "/a/dofs")[0], ST_R(4.2), 100 * tight);
    physics_free(test);

    snprintf(text, sizeof text,
             PGS PHASES "%s" RESPONSE("FrictionContactConstraint", "mu=0")
                 BODY("a", "0 0 0", "<SphereCollisionModel radius='1'/>")
                     BODY("b", "2.4 0 0", "<SphereCollisionModel radius='1'/>"),
             method);
    test = load_at("0 0 0", text);
    step(test, 1);
    assert_int_equal(rows(test), 1);
    assert_near(x_of(test, "/b/dofs")[0] - x_of(test, "/a/dofs")[0], ST_R(2.4), tight);
    physics_free(test);
}

// The rows of a body below two mappings reach its frame: a box on four corners rests without turning.
static void rows_go_up_to_the_frame(void **state) {
    (void)state;
    physics_scene *test =
        load(PGS PHASES MIN RESPONSE("FrictionContactConstraint", "mu=0.4") FLOOR
             "<Node name='box'>" SOLVER "<MechanicalObject name='frame' template='Rigid3' position='0 0.7 0 0 0 0 1'/>"
             "<UniformMass vertexMass='2 1 0.1667 0 0 0 0.1667 0 0 0 0.1667'/><UncoupledConstraintCorrection/>"
             "<Node name='skin'><MeshTopology position='-0.5 -0.5 -0.5  0.5 -0.5 -0.5  0.5 -0.5 0.5  -0.5 -0.5 0.5' "
             "triangles='0 1 2  0 2 3' edges='0 1  1 2  2 3  3 0'/><MechanicalObject name='dofs'/><RigidMapping/>"
             "<PointCollisionModel/><LineCollisionModel/></Node></Node>");
    v_of(test, "/box/frame")[0] = ST_R(0.5);
    step(test, 60);
    assert_true(rows(test) >= 12);
    const st_real *x = x_of(test, "/box/frame"), *v = v_of(test, "/box/frame");
    assert_near(x[1], ST_R(0.6), ST_R(1e-5)); // half its height above the contact distance
    for (int k = 0; k < 3; k++) assert_near(x[3 + k], 0, ST_R(1e-5));
    for (int k = 0; k < 6; k++) assert_near(v[k], 0, ST_R(1e-4));
    physics_free(test);
}

// A soft sheet, whose triangles carry contact points of a ball above it, gives way by its own matrix.
static void soft_bodies(void **state) {
    (void)state;
    physics_scene *test =
        load(PGS PHASES "<NewProximityIntersection alarmDistance='0.2' contactDistance='0.05'/>" RESPONSE(
            "FrictionContactConstraint",
            "mu=0.4") "<Node name='sheet'>" SOLVER "<MeshTopology position='-1 0 -1  1 0 -1  1 0 1  -1 0 1  0 0 0' "
                      "triangles='0 4 1  1 4 2  2 4 3  3 4 0'/><MechanicalObject name='dofs'/><UniformMass "
                      "totalMass='1'/>"
                      "<FixedProjectiveConstraint indices='0 1 2 3'/><MeshSpringForceField linesStiffness='0' "
                      "trianglesStiffness='8000'/>"
                      "<LinearSolverConstraintCorrection/><TriangleCollisionModel/></Node>" BODY(
                          "ball", "0.1 0.3 0.1", "<SphereCollisionModel radius='0.2'/>"));
    step(test, 40);
    const st_real *middle = x_of(test, "/sheet/dofs") + 12, *ball = x_of(test, "/ball/dofs");
    assert_true(rows(test) >= 3);
    assert_true(middle[1] < ST_R(-0.05)); // pressed down
    assert_true(ball[1] > middle[1] + ST_R(0.2) && ball[1] < middle[1] + ST_R(0.35));
    physics_free(test);
}

// contactStiffness 0 turns a response off, with a word.
static void no_stiffness_no_contact(void **state) {
    (void)state;
    physics_scene *test = load(PGS PHASES MIN RESPONSE("FrictionContactConstraint", "mu=0.3")
                                   FLOOR BODY("a", "0.3 0.1 0.2", "<PointCollisionModel contactStiffness='0'/>"));
    step(test, 10);
    assert_int_equal(rows(test), 0);
    assert_true(x_of(test, "/a/dofs")[1] < ST_R(0.06));
    assert_true(said(test, "contactStiffness of one of its models is 0"));
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Contacts of a response
// ---------------------------------------------------------------------------------------------------

// What repeats an earlier detection is dropped: against all pairs, on clouds with points near and at the same places.
static void repeated_detections(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (int all = 0; all < 2; all++) {
        st_contact_pair pair = {0};
        st_detections cloud = {0};
        for (size_t i = 0; i < 600; i++) {
            st_detection d = {.id = (int64_t)i};
            for (int k = 0; k < 6; k++) {
                seed = seed * 1664525u + 1013904223u;
                const st_real place = (st_real)(seed >> 30) * ST_R(0.5),
                              shift = (st_real)(seed >> 8 & 255) * ST_R(8e-7);
                d.point[k / 3][k % 3] = i % 50 == 49 ? ST_R(1e30) : k / 3 && i % 4 ? 0 : place + shift - ST_R(1e-4);
            }
            if (i == 77) d.point[0][1] = (st_real)NAN;
            assert_true(st_list_push(&cloud.list, d));
        }
        assert_true(st_contact_pair_keep_distinct(&pair, &cloud, all));
        size_t kept = 0;
        bool is_kept[600];
        for (size_t i = 0; i < 600; i++) {
            is_kept[i] = true;
            for (size_t k = 0; k < i && is_kept[i]; k++) {
                if (!all && !is_kept[k]) continue;
                st_real sum = 0;
                for (int c = 0; c < 6; c++) {
                    const st_real d = cloud.list.data[i].point[c / 3][c % 3] - cloud.list.data[k].point[c / 3][c % 3];
                    sum += d * d;
                }
                is_kept[i] = !(sum < ST_R(9.99999993922529e-09));
            }
            if (is_kept[i]) assert_int_equal(pair.kept.data[kept++], i);
        }
        assert_int_equal(pair.kept.count, kept);
        assert_true(kept > 100 && kept < 550); // both kinds were there
        st_list_free(&cloud.list);
        st_list_free(&pair.kept);
        st_list_free(&pair.table);
        st_list_free(&pair.chain);
    }
}

static st_unilateral *law_between(physics_scene *test, const char *node, const char *name) {
    const st_node *at = (const st_node *)physics_find(test, node);
    for (size_t i = 0; i < at->objects.count; i++)
        if (strcmp(at->objects.data[i]->name, name) == 0) return (st_unilateral *)at->objects.data[i];
    return NULL;
}

// A solver that starts from the last forces finds those of a contact from the third step on, as in SOFA; when a pair
// has parted, its past is forgotten.
static void first_guesses(void **state) {
    (void)state;
    physics_scene *test =
        load("<LCPConstraintSolver name='solver' tolerance='1e-12' maxIt='1000' mu='0.3'/>" PHASES MIN RESPONSE(
            "FrictionContactConstraint", "mu=0.3") FLOOR BODY("a", "0.3 0.1 0.2", "<PointCollisionModel name='p'/>"));
    const st_law_ops *ops = st_registry_find(test->scene, "FrictionContactConstraint")->law;
    for (int round = 0; round < 2; round++) {
        for (int n = 1; n <= 4; n++) {
            step(test, 1);
            st_unilateral *law = law_between(test, "/a", "model-p");
            assert_non_null(law);
            assert_int_equal(law->all.count, 1);
            assert_int_equal(law->all.data[0].id < 0, n == 1);
            st_real f[3] = {-1, -1, -1};
            law->all.data[0].id = 1 + 0; // what the next step will ask for
            ops->guess(&law->law, f);
            assert_int_equal(f[0] > 0, n > 1);
        }
        x_of(test, "/a/dofs")[1] = 5; // away, and back
        step(test, 1);
        assert_int_equal(rows(test), 0);
        x_of(test, "/a/dofs")[1] = ST_R(0.1);
        v_of(test, "/a/dofs")[1] = 0;
    }
    physics_free(test);
}

// Laws between simulated models are in the pipeline's node, those with obstacles in that of the body; all go with the
// contact, and nothing else of the graph changes while it stays.
static void laws_come_and_go(void **state) {
    (void)state;
    physics_scene *test = load(PGS PHASES MIN RESPONSE("FrictionContactConstraint", "mu=0.3")
                                   FLOOR BODY("a", "0.3 0.2 0.2", "<SphereCollisionModel name='s' radius='0.1'/>")
                                       BODY("b", "0.3 0.5 0.2", "<SphereCollisionModel name='s' radius='0.1'/>"));
    step(test, 1);
    assert_non_null(law_between(test, "/a", "model-s"));
    assert_non_null(law_between(test, "/", "s-s"));
    const uint32_t structure = test->scene->structure;
    step(test, 10);
    assert_int_equal(test->scene->structure, structure);
    v_of(test, "/b/dofs")[1] = 5;
    step(test, 20);
    assert_null(law_between(test, "/", "s-s"));
    assert_non_null(law_between(test, "/a", "model-s"));
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Forces
// ---------------------------------------------------------------------------------------------------

static bool collect_text(void *user, const char *text, size_t length) { return st_text_append_n(user, text, length); }
static bool refuse(void *user, const char *text, size_t length) { return (void)user, (void)text, (void)length, false; }

// A body of weight 20 on a slope: contacts bear it, and say whether they stick, slide, or only push.
static void forces_are_known(void **state) {
    (void)state;
    static const struct {
        const char *solver, *mu;
        st_real tangential;
        st_contact_motion motion;
    } cases[] = {{PGS, "mu=0.6", 10, ST_CONTACT_STICKS},
                 {PGS, "mu=0.4", 8, ST_CONTACT_SLIDES},
                 {PGS, "mu=0", 0, ST_CONTACT_SLIDES},
                 {"<LCPConstraintSolver name='solver' tolerance='1e-12' maxIt='1000' mu='0.2'/>", "mu=0.9", 4,
                  ST_CONTACT_SLIDES}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[4096];
        snprintf(text, sizeof text,
                 "%s" PHASES MIN
                 "<CollisionResponse response='FrictionContactConstraint' responseParams='%s'/>" FLOOR BODY(
                     "a", "0.3 0.1 0.2", "<PointCollisionModel name='p'/>"),
                 cases[c].solver, cases[c].mu);
        physics_scene *test = load_at("5 -10 0", text);
        assert_int_equal(st_scene_contacts(test->scene, NULL, 0), 0);
        step(test, 3);
        st_contact_report r;
        assert_int_equal(st_scene_contacts(test->scene, &r, 1), 1);
        assert_string_equal(st_object_path(r.model[1]), "/a/p");
        assert_near(r.normal_force, 20, 1000 * tight);
        assert_near(r.force[1], 20, 1000 * tight);
        assert_near(r.tangential_force, cases[c].tangential, 1000 * tight);
        assert_near(r.force[0], -cases[c].tangential, 1000 * tight);
        assert_near(r.gap, 0, 10 * tight);
        assert_int_equal(r.motion, cases[c].motion);

        // the same as text
        st_text csv = {0};
        assert_int_equal(st_scene_write_contacts(test->scene, 3, true, &(st_writer){collect_text, &csv}), ST_OK);
        assert_non_null(strstr(csv.data, "step,time,model1"));
        assert_non_null(strstr(csv.data, "\n3,0.0"));
        assert_non_null(strstr(csv.data, cases[c].motion == ST_CONTACT_STICKS ? ",sticks\n" : ",slides\n"));
        assert_int_equal(st_scene_write_contacts(test->scene, 3, true, &(st_writer){refuse, NULL}), ST_FAILED);
        st_text_free(&csv);
        physics_free(test);
    }
}

// Penalty contacts have the force of their springs; those that are near and do not press are open.
static void forces_of_springs(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        PHASES MIN RESPONSE("PenalityContactForceField", "") FLOOR
        "<Node name='a'>" SOLVER "<MechanicalObject name='dofs' position='0.3 0.08 0.1  2 0.25 0'/><UniformMass "
        "totalMass='4'/><FixedProjectiveConstraint indices='0 1'/><PointCollisionModel contactStiffness='3'/></Node>");
    step(test, 1);
    st_contact_report r[3];
    assert_int_equal(st_scene_contacts(test->scene, r, 3), 2);
    assert_near(r[0].gap, ST_R(-0.02), 100 * tight);
    assert_near(r[0].normal_force, 10 * 3 / ST_R(0.1) * ST_R(0.02), 1000 * tight);
    assert_int_equal(r[0].motion, ST_CONTACT_SLIDES);
    assert_near(r[1].gap, ST_R(0.15), 100 * tight);
    assert_near(r[1].normal_force, 0, 0);
    assert_int_equal(r[1].motion, ST_CONTACT_OPEN);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Other responses
// ---------------------------------------------------------------------------------------------------

// Points that have met stay together, by multipliers or by springs, and are carried away together.
static void contacts_that_stick(void **state) {
    (void)state;
#define POINT(name, where, more)                                                                                       \
    "<Node name='" name "'><MechanicalObject name='dofs' position='" where "'/><UniformMass totalMass='2'/>" more      \
    "<PointCollisionModel contactStiffness='500'/></Node>"
    for (int springs = 0; springs < 2; springs++) {
        physics_scene *test =
            springs ? physics_load(PHASES MIN RESPONSE("StickContactForceField", "") "<Node name='all'>" SOLVER POINT(
                          "a", "0 0 0", "") POINT("b", "0.2 0 0", "") "</Node>")
                    : load_at("0 0 0",
                              PGS PHASES MIN RESPONSE("StickContactConstraint", "") "<Node name='all'>" POINT(
                                  "a", "0 0 0", SOLVER "<UncoupledConstraintCorrection defaultCompliance='0.5'/>")
                                  POINT("b", "0.2 0 0",
                                        SOLVER "<UncoupledConstraintCorrection defaultCompliance='0.5'/>") "</Node>");
        step(test, 1);
        assert_true(found(test) > 0);
        v_of(test, "/all/b/dofs")[0] = 20; // out of the alarm distance in one step, were it not held
        step(test, 30);
        const st_real gap = x_of(test, "/all/b/dofs")[0] - x_of(test, "/all/a/dofs")[0];
        if (springs) assert_true(gap < 2); // 3 m without springs
        else assert_near(gap, ST_R(0.2), ST_R(1e-6));
        assert_true(v_of(test, "/all/a/dofs")[0] > 1);
        physics_free(test);
    }
}

// Without keepAlive a pair that is found no more is free.
static void contacts_that_let_go(void **state) {
    (void)state;
    for (int keep = 0; keep < 2; keep++) {
        char text[4096];
        snprintf(text, sizeof text,
                 PGS PHASES MIN "<CollisionResponse response='StickContactConstraint' "
                                "responseParams='keepAlive=%d'/>" BODY("a", "0 0 0", "<PointCollisionModel/>")
                                    BODY("b", "0.2 0 0", "<PointCollisionModel/>"),
                 keep);
        physics_scene *test = load_at("0 0 0", text);
        step(test, 1);
        assert_int_equal(rows(test), 3);
        x_of(test, "/b/dofs")[0] = 1; // torn away by hand
        step(test, 1);
        assert_int_equal(rows(test), keep ? 3 : 0);
        assert_int_equal(fabs(x_of(test, "/b/dofs")[0] - 1) < ST_R(0.1), !keep); // pulled back, or left alone
        physics_free(test);
    }
}

static void rules(void **state) {
    (void)state;
    static const struct {
        const char *manager, *first, *second;
        size_t rows;
        const char *message;
    } cases[] = {
        {"response='FrictionContactConstraint' rules='default'", "", "", 3, NULL}, // no whole rule
        {"response='nullptr' rules='p * FrictionContactConstraint?mu=0'", "", "", 1, NULL},
        {"response='nullptr' rules='* 7 FrictionContactConstraint'", "", "group='7'", 3, NULL},
        {"response='nullptr' rules='7 9 FrictionContactConstraint'", "group='9'", "group='7'", 3, NULL}, // either way
        {"response='nullptr' rules='7 9 FrictionContactConstraint'", "group='9'", "group='8'", 0, NULL},
        {"response='nullptr' rules='p q nullptr * * FrictionContactConstraint'", "", "", 0, NULL}, // the first one
        {"response='nullptr' rules='* * $kind$?mu=$mu$' variables='kind mu' kind='FrictionContactConstraint' mu='0'",
         "", "", 1, NULL},
        {"response='nullptr' rules='* * $kind$' variables='kin' kind='FrictionContactConstraint'", "", "", 0,
         "no variable called 'kind'"},
        {"response='nullptr' rules='* * FrictionContactConstraint?mu=$mu'", "", "", 1, "lacks the second $"},
        {"response='nullptr' rules='* * nullptr'", "contactResponse='FrictionContactConstraint?mu=0'", "", 1, NULL},
        {"response='nullptr'", "contactResponse='FrictionContactConstraint?mu=0'",
         "contactResponse='FrictionContactConstraint'", 3, NULL}, // the first model of the pair is the later one
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[4096];
        snprintf(text, sizeof text,
                 PGS PHASES MIN "<RuleBasedContactManager %s/>" BODY("a", "0 0 0", "<PointCollisionModel name='p' %s/>")
                     BODY("b", "0.2 0 0", "<PointCollisionModel name='q' %s/>"),
                 cases[c].manager, cases[c].first, cases[c].second);
        physics_scene *test = load_at("0 0 0", text);
        step(test, 1);
        if (rows(test) != cases[c].rows) fail_msg("case %zu has %zu rows\n%s", c, rows(test), test->log);
        if (cases[c].message && !said(test, cases[c].message)) fail_msg("case %zu: %s", c, test->log);
        if (strstr(cases[c].manager, "variables='kind")) assert_false(said(test, "unused attribute"));
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// LocalMinDistance
// ---------------------------------------------------------------------------------------------------

// A cube with outward normals around a point, at some distance of another one below it.
#define CUBE(name, y, more)                                                                                            \
    "<Node name='" name "'>" SOLVER "<MeshTopology position='0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1' " \
    "triangles='0 2 1  0 3 2  4 5 6  4 6 7  0 1 5  0 5 4  3 7 6  3 6 2  0 4 7  0 7 3  1 2 6  1 6 5'/>"                 \
    "<MechanicalObject name='dofs' translation='" y "'/><UniformMass totalMass='1'/>"                                  \
    "<UncoupledConstraintCorrection defaultCompliance='1'/><TriangleCollisionModel " more "/>"                         \
    "<LineCollisionModel " more "/><PointCollisionModel " more "/></Node>"

// A cube above the middle of a large floor: the nearest points are its four lower corners, and nothing else.
static void a_cube_stands_on_its_corners(void **state) {
    (void)state;
    physics_scene *test = load_at(
        "0 0 0",
        PGS PHASES LMD("") RESPONSE("nullptr", "") CUBE(
            "cube", "0.3 0.2 0.1",
            "") "<Node name='ground'><MeshTopology position='-9 0 -9  9 0 -9  9 0 9  -9 0 9' triangles='0 2 1  0 3 2'/>"
                "<MechanicalObject/><TriangleCollisionModel simulated='0'/><LineCollisionModel simulated='0'/>"
                "<PointCollisionModel simulated='0'/></Node>");
    step(test, 1);
    assert_int_equal(found(test), 4);
    const st_narrow_phase *phase = (const st_narrow_phase *)physics_find(test, "/narrow");
    const st_detections *list = &phase->outputs.data[0]->found;
    for (size_t i = 0; i < 4; i++) {
        assert_near(list->list.data[i].value, ST_R(0.1), tight);
        assert_near(fabs(list->list.data[i].normal[1]), 1, tight);
    }
    physics_free(test);
}

// Without filters there are more; both sides, wider cones and no filters let pass what filters drop.
static void filters_only_drop(void **state) {
    (void)state;
    static const char *const options[] = {"", "coneFactor='1'", "angleCone='0.4'", "filterIntersection='0'",
                                          "useLMDFilters='1'"};
    size_t count[5];
    for (int k = 0; k < 5; k++) {
        char text[8192];
        snprintf(text, sizeof text,
                 PGS PHASES "<LocalMinDistance alarmDistance='0.5' contactDistance='0.1' %s/>" RESPONSE("nullptr", "")
                     CUBE("a", "0 0 0", "") CUBE("b", "0.4 1.2 0.3", ""),
                 options[k]);
        physics_scene *test = load_at("0 0 0", text);
        step(test, 1);
        count[k] = found(test);
        physics_free(test);
    }
    assert_true(count[0] > 0 && count[0] < count[2] && count[0] <= count[1] && count[2] <= count[3]);
    assert_int_equal(count[3], count[4]);
}

// A point inside of the cube is behind its faces: no contact, unless the model has both sides.
static void sides(void **state) {
    (void)state;
    for (int both = 0; both < 2; both++) {
        char text[8192];
        snprintf(text, sizeof text,
                 PGS PHASES LMD("") RESPONSE("nullptr", "") "%s" BODY("p", "0.3 0.9 0.4", "<PointCollisionModel/>"),
                 both ? CUBE("a", "0 0 0", "bothSide='1'") : CUBE("a", "0 0 0", ""));
        physics_scene *test = load_at("0 0 0", text);
        step(test, 1);
        assert_int_equal(found(test), both);
        physics_free(test);
    }
}

// A wire: beside it its line is found and not its end; beyond it the end; parallel wires touch by their middles.
static void wires(void **state) {
    (void)state;
    static const char *const points[] = {"0.5 0 0.2", "0.95 0 0.1", "1.1 0 0.1", "1.1 0 0", "-0.1 0 -0.1"};
    for (size_t c = 0; c < sizeof points / sizeof *points; c++) {
        char text[4096];
        snprintf(text, sizeof text,
                 PGS PHASES LMD("") RESPONSE(
                     "nullptr",
                     "") "<Node name='wire'><MeshTopology position='0 0 0  1 0 0' edges='0 1'/><MechanicalObject/>"
                         "<LineCollisionModel simulated='0'/><PointCollisionModel simulated='0'/></Node>" BODY(
                             "p", "%s", "<PointCollisionModel/>"),
                 points[c]);
        physics_scene *test = load_at("0 0 0", text);
        step(test, 1);
        if (found(test) != 1) fail_msg("%s: %zu contacts", points[c], found(test));
        physics_free(test);
    }
    physics_scene *test = load_at(
        "0 0 0",
        PGS PHASES LMD("") RESPONSE(
            "nullptr", "") "<Node name='w1'><MeshTopology position='0 0 0  1 0 0' edges='0 1'/><MechanicalObject/>"
                           "<LineCollisionModel simulated='0'/></Node>"
                           "<Node name='w2'><MeshTopology position='0 0.2 0  1 0.2 0' edges='0 1'/><MechanicalObject/>"
                           "<LineCollisionModel/></Node>");
    step(test, 1);
    const st_narrow_phase *phase = (const st_narrow_phase *)physics_find(test, "/narrow");
    assert_int_equal(found(test), 1);
    assert_near(phase->outputs.data[0]->found.list.data[0].point[0][0], ST_R(0.5), tight);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// The same bits
// ---------------------------------------------------------------------------------------------------

static bool collect(void *user, const char *text, size_t length) { return st_text_append_n(user, text, length); }

static void the_same_for_any_number_of_threads(void **state) {
    (void)state;
    static const char text[] =
        "<Node gravity='0 -10 0' dt='0.02'>" LOOP PGS PHASES LMD("") RESPONSE("FrictionContactConstraint", "mu=0.6")
            FLOOR CUBE("a", "0 0.2 0", "") CUBE("b", "0.3 1.35 0.2", "") CUBE("c", "-0.2 2.5 0.1", "") "</Node>";
    st_text reference = {0};
    for (int threads = 1; threads <= 8; threads *= 2) {
        st_config config = st_default_config();
        config.threads = threads;
        st_scene *scene = st_scene_create(&config);
        st_text dump = {0};
        assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
        assert_true(st_succeeded(st_scene_init(scene)));
        for (int round = 0; round < 2; round++) { // and again after a reset
            dump.length = 0;
            for (int i = 0; i < 40; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
            assert_int_equal(st_scene_dump_states(scene, 0, &(st_writer){collect, &dump}), ST_OK);
            if (!reference.data) assert_true(st_text_append(&reference, dump.data));
            assert_string_equal(reference.data, dump.data);
            assert_int_equal(st_scene_reset(scene), ST_OK);
        }
        st_scene_destroy(scene);
        st_text_free(&dump);
    }
    st_text_free(&reference);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coulomb),
        cmocka_unit_test(slopes),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(spheres_of_frames_and_of_points),
        cmocka_unit_test(rows_go_up_to_the_frame),
        cmocka_unit_test(soft_bodies),
        cmocka_unit_test(no_stiffness_no_contact),
        cmocka_unit_test(repeated_detections),
        cmocka_unit_test(first_guesses),
        cmocka_unit_test(laws_come_and_go),
        cmocka_unit_test(forces_are_known),
        cmocka_unit_test(forces_of_springs),
        cmocka_unit_test(contacts_that_stick),
        cmocka_unit_test(contacts_that_let_go),
        cmocka_unit_test(rules),
        cmocka_unit_test(a_cube_stands_on_its_corners),
        cmocka_unit_test(filters_only_drop),
        cmocka_unit_test(sides),
        cmocka_unit_test(wires),
        cmocka_unit_test(the_same_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
