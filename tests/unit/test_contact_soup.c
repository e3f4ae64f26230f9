// Soups of collision elements: random models, methods, responses and solvers; degenerate triangles, indices out of range,
// coordinates that are huge or no numbers. Nothing may crash, whatever a step answers; and 100,000 spheres at one place
// end in time. SETTEE_SOUPS=N in the environment cooks N soups instead of a few, SETTEE_SOUP_SEED=K only soup K.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "settee/contact.h"
#include "settee/pick.h"

enum { SOUPS = 150, STEPS = 3 };

typedef struct soup {
    uint32_t seed;
    char *text;
    size_t used, room;
} soup;

static uint32_t draw(soup *s, uint32_t below) {
    s->seed ^= s->seed << 13;
    s->seed ^= s->seed >> 17;
    s->seed ^= s->seed << 5;
    return s->seed % below;
}

static void put(soup *s, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(s->text + s->used, s->room - s->used, format, list);
    va_end(list);
    if (n > 0 && (size_t)n < s->room - s->used) s->used += (size_t)n;
}

#define ONE_OF(s, list) (list)[draw(s, sizeof(list) / sizeof *(list))]

// Mostly on a coarse lattice, so that points coincide and triangles are flat.
static void put_number(soup *s, bool wild) {
    static const char *const odd[] = {"nan", "inf", "-inf", "1e300", "-1e300", "1e-300", "0", "1e38", "1e9"};
    const uint32_t kind = draw(s, wild ? 40 : 1000000);
    if (kind == 0) put(s, "%s ", ONE_OF(s, odd));
    else if (kind % 2) put(s, "%g ", 0.25 * ((int)draw(s, 9) - 4));
    else put(s, "%g ", 0.001 * ((int)draw(s, 2000) - 1000));
}

static void put_numbers(soup *s, const char *name, size_t count, bool wild) {
    put(s, " %s='", name);
    for (size_t i = 0; i < count; i++) put_number(s, wild);
    put(s, "'");
}

static void put_indices(soup *s, const char *name, size_t count, uint32_t points) {
    put(s, " %s='", name);
    for (size_t i = 0; i < count; i++)
        put(s, "%u ", draw(s, 60) ? draw(s, points) : draw(s, 3) ? points + 3 : 4000000000u);
    put(s, "'");
}

static void put_model(soup *s, bool rigid, bool simulated) {
    static const char *const meshes[] = {"Triangle",    "Line",           "Point",  "Sphere",
                                         "Tetrahedron", "TriangleOctree", "Capsule"};
    static const char *const frames[] = {"Sphere", "OBB", "Capsule", "Cylinder", "RigidDistanceGrid"};
    const char *const kind = rigid ? ONE_OF(s, frames) : ONE_OF(s, meshes);
    put(s, "<%sCollisionModel simulated='%d' moving='%u' selfCollision='%u'", kind, simulated, draw(s, 4), draw(s, 2));
    if (draw(s, 3) == 0) put(s, " bothSide='1'");
    if (draw(s, 3) == 0) put(s, " contactDistance='%g'", 0.1 * ((int)draw(s, 5) - 1));
    if (draw(s, 4) == 0) put(s, " contactStiffness='%d'", (int)draw(s, 3) - 1);
    if (draw(s, 4) == 0) put(s, " group='%u'", draw(s, 3));
    if (!strcmp(kind, "Sphere")) put(s, " radius='%g'", 0.1 * ((int)draw(s, 6) - 1));
    if (!strcmp(kind, "Point")) put(s, " computeNormals='%u'", draw(s, 2));
    if (!strcmp(kind, "OBB")) put(s, " extents='%g 0.3 %g'", 0.1 * draw(s, 4), 0.1 * ((int)draw(s, 4) - 1));
    if (!strcmp(kind, "Capsule")) put(s, " defaultRadius='%g'", 0.1 * ((int)draw(s, 4) - 1));
    if (!strcmp(kind, "RigidDistanceGrid"))
        put(s, " filename='#cube' scale='%g' nx='%u' ny='5' nz='6'", 0.2 * ((int)draw(s, 5) - 1), draw(s, 8));
    put(s, "/>");
}

static void put_body(soup *s, uint32_t number, bool wild) {
    const bool rigid = draw(s, 4) == 0, simulated = draw(s, 4) != 0;
    const uint32_t points = 1 + draw(s, 12);
    put(s, "<Node name='n%u'>", number);
    if (simulated) put(s, "<EulerImplicitSolver/><CGLinearSolver iterations='10' tolerance='1e-6' threshold='1e-9'/>");
    if (!rigid) {
        put(s, "<MeshTopology");
        put_indices(s, "triangles", 3 * draw(s, 8), points);
        put_indices(s, "edges", 2 * draw(s, 5), points);
        put_indices(s, "tetrahedra", 4 * draw(s, 3), points);
        if (draw(s, 3) == 0) put_indices(s, "quads", 4 * draw(s, 3), points);
        put(s, "/>");
    }

    // frames may have any orientation, also none
    put(s, "<MechanicalObject template='%s'", rigid ? "Rigid3" : "Vec3");
    put_numbers(s, "position", (rigid ? 7 : 3) * (size_t)points, wild);
    put_numbers(s, "velocity", (rigid ? 6 : 3) * (size_t)points, wild);
    put(s, "/>");
    if (simulated) put(s, "<UniformMass vertexMass='%s'/>", draw(s, 20) ? "1" : "0");
    if (simulated && draw(s, 5)) {
        static const char *const corrections[] = {"<UncoupledConstraintCorrection/>",
                                                  "<UncoupledConstraintCorrection defaultCompliance='0.1'/>",
                                                  "<UncoupledConstraintCorrection defaultCompliance='0'/>"};
        put(s, "%s", ONE_OF(s, corrections));
    }
    for (uint32_t m = 1 + draw(s, 3); m > 0; m--) put_model(s, rigid, simulated);
    put(s, "</Node>");
}

static void put_scene(soup *s) {
    static const char *const loops[] = {"<DefaultAnimationLoop/>", "<FreeMotionAnimationLoop/>",
                                        "<FreeMotionAnimationLoop solveVelocityConstraintFirst='1'/>"};
    static const char *const solvers[] = {"<BlockGaussSeidelConstraintSolver maxIterations='20'/>",
                                          "<LCPConstraintSolver maxIt='20'/>",
                                          "<LCPConstraintSolver maxIt='20' build_lcp='0'/>",
                                          "<UnbuiltGaussSeidelConstraintSolver maxIterations='9'/>",
                                          "<NNCGConstraintSolver maxIterations='20'/>",
                                          "<KKTConstraintSolver maxIterations='70'/>",
                                          "<ImprovedJacobiConstraintSolver maxIterations='20'/>"};
    static const char *const methods[] = {
        "<DiscreteIntersection/>",
        "<MinProximityIntersection alarmDistance='0.5' contactDistance='0.2' useSurfaceNormals='1'/>",
        "<NewProximityIntersection alarmDistance='0.3' contactDistance='0.1' useLineLine='1'/>",
        "<LocalMinDistance alarmDistance='0.3' contactDistance='0.1' angleCone='0.1'/>",
        "<LocalMinDistance alarmDistance='-1' contactDistance='nan'/>",
        "<CCDTightInclusionIntersection alarmDistance='0.1' contactDistance='0.02' maxIterations='50' "
        "continuousCollisionType='FreeMotion'/>",
        "<CCDTightInclusionIntersection alarmDistance='0.1' contactDistance='0.02' maxIterations='50' "
        "continuousCollisionType='Inertia'/>"};
    static const char *const phases[] = {"<BruteForceBroadPhase/><BVHNarrowPhase/>",
                                         "<BruteForceBroadPhase/><DirectSAPNarrowPhase/>",
                                         "<BruteForceBroadPhase/><RayTraceNarrowPhase/>", "<IncrSAP/>"};
    static const char *const responses[] = {"FrictionContactConstraint",
                                            "PenalityContactForceField",
                                            "StickContactConstraint",
                                            "StickContactForceField",
                                            "AugmentedLagrangianResponseConstraint",
                                            "FrictionContactConstraint?mu=-1",
                                            "AugmentedLagrangianResponseConstraint?mu=0.4&amp;epsilon=1e9",
                                            "nullptr"};
    const bool wild = draw(s, 2);
    put(s,
        "<Node gravity='0 -10 0' dt='0.01'>%s%s<CollisionPipeline depth='%d'/>%s%s<CollisionResponse response='%s'/>",
        ONE_OF(s, loops), ONE_OF(s, solvers), (int)draw(s, 12) - 1, ONE_OF(s, phases), ONE_OF(s, methods),
        ONE_OF(s, responses));
    for (uint32_t n = 2 + draw(s, 4); n > 0; n--) put_body(s, n, wild);
    put(s, "</Node>");
}

static void ignore_log(void *user, const st_diagnostic *d) { (void)user, (void)d; }

static void pull_something(st_scene *scene) {
    const st_real eye[3] = {ST_R(0.1), ST_R(0.2), 3}, direction[3] = {0, ST_R(-0.05), -1};
    st_pick pick;
    st_object *spring;
    if (st_scene_pick(scene, eye, direction, &pick) != ST_OK || st_pick_attach(&pick, 50, &spring) != ST_OK) return;
    st_pick_move(spring, eye);
    st_scene_step(scene, 0);
    st_pick_release(spring);
}

static void eat(const char *text, size_t length) {
    st_config config = st_default_config();
    config.log = ignore_log;
    st_scene *scene = st_scene_create(&config);
    assert_non_null(scene);
    assert_int_equal(st_scene_load_text(scene, text, length, NULL), ST_OK);
    if (st_scene_init(scene) == ST_OK) {
        st_contact_report reports[4];
        st_scene_check_contacts(scene);
        for (int n = 0; n < STEPS; n++) {
            st_scene_step(scene, 0); // it may fail, not crash
            st_scene_contacts(scene, reports, 4);
        }
        pull_something(scene);
        st_scene_reset(scene);
        st_scene_step(scene, 0);
    }
    st_scene_destroy(scene);
}

static void soups_do_not_crash(void **state) {
    (void)state;
    const char *const count = getenv("SETTEE_SOUPS"), *const only = getenv("SETTEE_SOUP_SEED");
    const uint32_t soups = only ? 1 : count ? (uint32_t)strtoul(count, NULL, 10) : SOUPS;
    soup s = {.room = 1 << 16, .text = malloc(1 << 16)};
    assert_non_null(s.text);
    for (uint32_t k = 0; k < soups; k++) {
        const uint32_t seed = only ? (uint32_t)strtoul(only, NULL, 10) : k + 1;
        s.seed = seed * 2654435761u | 1;
        s.used = 0;
        put_scene(&s);
        if (only || count) fprintf(stderr, only ? "%u: %s\n" : "%u\r", seed, s.text);
        eat(s.text, s.used);
    }
    free(s.text);
}

// All pairs of 100,000 spheres overlap: the number of contacts is bounded, and so is the time.
static void a_hundred_thousand_spheres(void **state) {
    (void)state;
    for (int two = 0; two < 2; two++) {
        soup s = {.room = 1 << 21, .text = malloc(1 << 21)};
        assert_non_null(s.text);
        put(&s, "<Node gravity='0 0 0' dt='0.01'><DefaultAnimationLoop/><CollisionPipeline/><BruteForceBroadPhase/>"
                "<BVHNarrowPhase/><MinProximityIntersection alarmDistance='0.2' contactDistance='0.1'/>"
                "<CollisionResponse response='PenalityContactForceField'/>");
        for (int n = 0; n <= two; n++) {
            put(&s, "<Node><EulerExplicitSolver/><MechanicalObject position='");
            for (int i = 0; i < 100000 / (two + 1); i++) put(&s, "0 %d 0 ", i % 3);
            put(&s, "'/><UniformMass vertexMass='1'/><SphereCollisionModel radius='2' selfCollision='%d'/></Node>",
                !two);
        }
        put(&s, "</Node>");
        eat(s.text, s.used);
        free(s.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(soups_do_not_crash),
                                       cmocka_unit_test(a_hundred_thousand_spheres)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
