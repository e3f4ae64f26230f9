// Whole scenes with contacts on 1, 2 and 8 threads: states and contacts have the same bits.
//
// labels: no-sanitizer
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/text.h"
#include "settee/contact.h"

static bool collect(void *user, const char *text, size_t length) { return st_text_append_n(user, text, length); }

static void ignore(void *user, const st_diagnostic *d) {
    (void)user;
    (void)d;
}

typedef struct subject {
    const char *name; // of an example, or of the text
    int steps;
    const char *text; // NULL: an example
} subject;

// States of all bodies, then contacts with their forces, with all digits.
static void run_subject(const subject *s, int threads, st_text *dump) {
    st_config config = st_default_config();
    config.threads = threads;
    config.log = ignore;
    st_scene *scene = st_scene_create(&config);
    char path[512];
    snprintf(path, sizeof path, "%s/%s.scn", SETTEE_EXAMPLES, s->name);
    assert_true(
        st_succeeded(s->text ? st_scene_load_text(scene, s->text, strlen(s->text), NULL) : st_scene_load(scene, path)));
    assert_true(st_succeeded(st_scene_init(scene)));

    // contacts at the middle and at the end: some are gone by then
    const st_writer writer = {collect, dump};
    size_t touched = 0;
    for (int i = 1; i <= s->steps; i++) {
        if (!st_succeeded(st_scene_step(scene, 0))) fail_msg("%s fails in step %d", s->name, i);
        const size_t contacts = st_scene_contacts(scene, NULL, 0);
        touched = contacts > touched ? contacts : touched;
        if (i % (s->steps / 2)) continue;
        assert_int_equal(st_scene_dump_states(scene, (size_t)i, &writer), ST_OK);
        assert_int_equal(st_scene_write_contacts(scene, (size_t)i, false, &writer), ST_OK);
    }
    if (touched == 0) fail_msg("%s: nothing has touched", s->name);
    st_scene_destroy(scene);
}

#define SCENE(solver, method, response)                                                                                \
    "<Node name='root' gravity='0 -9.81 0' dt='0.01'><FreeMotionAnimationLoop/>" solver                                \
    "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>" method "<CollisionResponse " response "/>"
#define FRICTION "response='FrictionContactConstraint' responseParams='mu=0.4'"
#define NEAR "<NewProximityIntersection alarmDistance='0.1' contactDistance='0.02'/>"
#define FLOOR                                                                                                          \
    "<Node name='floor'><MeshTopology position='-9 0 -9  9 0 -9  9 0 9  -9 0 9' triangles='0 2 1  0 3 2'/>"            \
    "<MechanicalObject/><TriangleCollisionModel simulated='0' moving='0'/></Node>"
#define RIGID(place, model)                                                                                            \
    "<Node><EulerImplicitSolver/><CGLinearSolver iterations='20' tolerance='1e-12' threshold='1e-12'/>"                \
    "<MechanicalObject template='Rigid3' position='" place "'/><UniformMass totalMass='1'/>"                           \
    "<UncoupledConstraintCorrection/>" model "</Node>"
#define BALL(place) RIGID(place " 0 0 0 1", "<SphereCollisionModel radius='0.3'/>")
#define BOX(place) RIGID(place " 0 0 0 1", "<OBBCollisionModel extents='0.3 0.2 0.25'/>")
#define GRID(place)                                                                                                    \
    RIGID(place " 0.05 0 0.1 0.99",                                                                                    \
          "<RigidDistanceGridCollisionModel filename='#cube' scale='0.4' nx='13' ny='13' nz='13'/>")
#define BALLS                                                                                                          \
    BALL("0 0.33 0")                                                                                                   \
    BALL("0.5 0.33 0.1")                                                                                               \
    BALL("0.2 0.8 0.05")                                                                                               \
    BALL("0.1 1.3 0.3") BALL("-0.4 0.5 0.2") BALL("-0.6 1 0.1") BALL("0.7 1.1 -0.1") BALL("0.1 2 0")
#define SOFT                                                                                                           \
    "<Node><RegularGridTopology name='grid' n='6 6 6' min='-0.5 1.8 -0.5' max='0.5 2.8 0.5'/><EulerImplicitSolver/>"   \
    "<SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/><MechanicalObject/><UniformMass totalMass='2'/>"    \
    "<HexahedronFEMForceField youngModulus='3000' poissonRatio='0.3'/><LinearSolverConstraintCorrection/>"             \
    "<PointCollisionModel/></Node>"

static const subject subjects[] = {
    {"pile", 20, NULL},
    {"folded_cloth", 80, NULL},
    {"ring", 80, NULL},
    {"bullet", 30, NULL},
    {"unbuilt", 60,
     SCENE("<UnbuiltGaussSeidelConstraintSolver tolerance='1e-8' maxIterations='200'/>", NEAR, FRICTION)
         FLOOR BALLS SOFT "</Node>"},
    {"unbuilt LCP", 60,
     SCENE("<LCPConstraintSolver tolerance='1e-8' maxIt='200' mu='0.4' build_lcp='0'/>", NEAR, FRICTION)
         FLOOR BALLS BOX("0 2.6 0.1") "</Node>"},
    {"conjugate gradients", 60,
     SCENE("<NNCGConstraintSolver tolerance='1e-8' maxIterations='200'/>", NEAR, FRICTION) FLOOR BALLS SOFT "</Node>"},
    {"KKT", 60,
     SCENE("<KKTConstraintSolver/>", NEAR, FRICTION) FLOOR BALL("0 0.4 0") BALL("0.3 0.9 0.1") BOX("1 0.3 0")
         BOX("1.1 0.8 0.1") "</Node>"},
    {"grids", 60,
     SCENE("<BlockGaussSeidelConstraintSolver tolerance='1e-8' maxIterations='200'/>", NEAR, FRICTION)
         FLOOR GRID("0 0.45 0")
             GRID("0.2 1.3 0.1") "<Node><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject position='0.1 2.1 "
                                 "0  0.15 2.2 0.1  0 2.15 0.1'/><UniformMass totalMass='1'/><LinearSolverConstraint"
                                 "Correction/><PointCollisionModel/></Node></Node>"},
    {"penalties", 60, SCENE("", NEAR, "response='PenalityContactForceField'") FLOOR BALLS SOFT "</Node>"},
};

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 8};
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        st_text dump[3] = {0};
        for (int k = 0; k < 3; k++) {
            run_subject(&subjects[i], threads[k], &dump[k]);
            if (strcmp(dump[0].data, dump[k].data) != 0)
                fail_msg("%s differs with %d threads", subjects[i].name, threads[k]);
        }
        assert_true(dump[0].length > 1000);
        for (int k = 0; k < 3; k++) st_text_free(&dump[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_change_a_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
