// What contacts cost.
//
//   scenes        chainAll, fallingBeamLagrangianCollision and FrictionContact_LCP against SOFA, as in scenes.c
//   gauss_seidel  sweeps over the dense W of 1,024 contacts with friction, against the triad a[i] = b[i] + s c[i] on
//                 the same core, measured in between
//   compliance    W of those contacts, against that of as many bilateral rows on the same nodes
//   detection     a liver of 4,384 triangles, their lines and points, against a tool that touches it
//   pile          1,000 rigid boxes in a pile, with friction: time of a step by phases
//   soft          a soft body of 5,060 nodes on 506 contacts, by phases
//   unbuilt       boxes on a floor, 10² to 10⁴ contacts, solved without W: cost for each contact. One state of many
//                 frames, which is one pair of models, and a body for each box
//   separate      10³ to 3·10⁴ balls that fall beside each other: a step and its detection, for each body
//   coming        a box in a pile comes into contact and goes again in every step: the cost of the change
//
//     contacts [NAME]...     all, or those named
//
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE
#include "sofa_times.h"

#include "base/text.h"
#include "collision/collision.h"
#include "constraint/generic_solver.h"
#include "math/real.h"
#include "scene/scene.h"

enum { TRIAD_COUNT = 8 << 20, SWEEPS = 5, TRIES = 3 };

static void print_error(void *user, const st_diagnostic *d) {
    (void)user;
    if (d->severity >= ST_ERROR) fprintf(stderr, "%s: %s\n", d->component, d->text);
}

static st_scene *load(st_text *text) {
    const char *const data[] = {SHARED "/conformance/sofa/share", SHARED "/conformance/sofa/examples", NULL};
    st_config config = st_default_config();
    config.log = print_error;
    config.threads = 1;
    config.data_paths = data;

    st_scene *scene = st_scene_create(&config);
    if (!scene || st_scene_load_text(scene, text->data, strlen(text->data), NULL) != ST_OK ||
        st_scene_init(scene) != ST_OK)
        exit(EXIT_FAILURE);
    st_text_free(text);
    return scene;
}

// Of the wall, as the phases of a scene are.
static double wall_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void step(st_scene *scene, int steps) {
    for (int i = 0; i < steps; i++)
        if (st_scene_step(scene, 0) != ST_OK) exit(EXIT_FAILURE);
}

static size_t count_contacts(const st_scene *scene) {
    const st_narrow_phase *phase = (const st_narrow_phase *)st_find(scene->root, ST_ROLE(narrow_phase), ST_DOWN);
    size_t count = 0;
    for (size_t i = 0; phase && i < phase->outputs.count; i++) count += phase->outputs.data[i]->found.list.count;
    return count;
}

static double profile(const st_scene *scene, const char *name) {
    const st_profile_entry *entries;
    const size_t count = st_scene_profile(scene, &entries);
    for (size_t i = 0; i < count; i++)
        if (strcmp(entries[i].name, name) == 0) return entries[i].seconds;
    return 0;
}

// A step of the scene by phases, after some that let it settle.
static void measure_phases(st_scene *scene, const char *what, int settle, int steps) {
    static const char *const phases[] = {"collision",     "compliance", "constraints", "assembly",
                                         "factorization", "solve",      "force",       "mapping"};
    enum { PHASES = sizeof phases / sizeof *phases };
    step(scene, settle);

    // differences of the sums that the scene keeps
    double before[PHASES];
    for (int k = 0; k < PHASES; k++) before[k] = profile(scene, phases[k]);
    const double begin = wall_seconds(), thread = thread_seconds();
    step(scene, steps);
    const double all = (wall_seconds() - begin) / steps * 1e3, mine = (thread_seconds() - thread) / steps * 1e3;

    // shares of the processor's time: others may have taken some of the wall's
    printf("%s, %zu contacts: %.2f ms a step", what, count_contacts(scene), mine);
    for (int k = 0; k < PHASES; k++)
        printf(", %s %.2f", phases[k], (profile(scene, phases[k]) - before[k]) / steps * 1e3 * mine / all);
    printf("\n");
}

// ---------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------

static void append_head(st_text *text, const char *solver, const char *response) {
    st_text_appendf(text,
                    "<Node dt='0.01' gravity='0 -10 0' compat='0'><FreeMotionAnimationLoop/>%s<CollisionPipeline/>"
                    "<BruteForceBroadPhase/><BVHNarrowPhase name='narrow'/><LocalMinDistance name='method' "
                    "alarmDistance='0.08' contactDistance='0.02'/><CollisionResponse response='%s' "
                    "responseParams='mu=0.5'/><Node name='floor'><MeshTopology "
                    "position='-1e3 0 -1e3  1e3 0 -1e3  1e3 0 1e3  -1e3 0 1e3' triangles='0 2 1  0 3 2'/>"
                    "<MechanicalObject name='s'/><TriangleCollisionModel simulated='0' moving='0'/></Node>",
                    solver, response);
}

// n × m × l nodes of a soft block whose lowest layer lies on the floor.
static st_scene *soft_block(int n, int m, int l, const char *solver, bool contacts) {
    st_text text = {0};
    append_head(&text, solver, contacts ? "FrictionContactConstraint" : "nullptr");
    st_text_appendf(&text,
                    "<Node name='body'><EulerImplicitSolver rayleighStiffness='0.02'/><SparseLDLSolver name='ldl' "
                    "template='CompressedRowSparseMatrixMat3x3d'/><RegularGridTopology n='%d %d %d' min='0 0.02 0' "
                    "max='%g %g %g'/><MechanicalObject name='s'/><UniformMass totalMass='%g'/>"
                    "<HexahedronFEMForceField youngModulus='50000' poissonRatio='0.3'/>"
                    "<LinearSolverConstraintCorrection/><PointCollisionModel/></Node>",
                    n, l, m, 0.1 * (n - 1), 0.1 * (l - 1) + 0.02, 0.1 * (m - 1), 0.01 * n * m * l);

    // the same nodes by bilateral rows instead
    if (!contacts) {
        st_text_appendf(&text,
                        "<Node name='world'><RegularGridTopology n='%d %d %d' min='0 0.02 0' max='%g %g %g'/>"
                        "<MechanicalObject name='s'/></Node><BilateralLagrangianConstraint template='Vec3' "
                        "object1='@world/s' object2='@body/s' first_point='",
                        n, l, m, 0.1 * (n - 1), 0.1 * (l - 1) + 0.02, 0.1 * (m - 1));
        for (int list = 0; list < 2; list++) {
            for (int i = 0; i < n * m; i++) st_text_appendf(&text, "%d ", i % n + i / n * n * l);
            st_text_appendf(&text, list ? "'/>" : "' second_point='");
        }
    }
    st_text_appendf(&text, "</Node>");
    return load(&text);
}

static void append_box(st_text *text, const char *name, double x, double y, double z) {
    st_text_appendf(
        text,
        "<Node name='%s'><EulerImplicitSolver/><CGLinearSolver iterations='10' tolerance='1e-12' threshold='1e-12'/>"
        "<MechanicalObject name='s' template='Rigid3' position='%g %g %g  0 0 0 1'/><UniformMass "
        "vertexMass='1 1 0.1667 0 0  0 0.1667 0  0 0 0.1667'/><UncoupledConstraintCorrection/><Node name='skin'>",
        name, x, y, z);
    st_text_appendf(
        text,
        "<MeshTopology name='mesh' position='-0.5 -0.5 -0.5 0.5 -0.5 -0.5 0.5 0.5 -0.5 -0.5 0.5 -0.5 -0.5 -0.5 0.5 0.5 "
        "-0.5 0.5 0.5 0.5 0.5 -0.5 0.5 0.5' triangles='0 2 1 0 3 2 4 5 6 4 6 7 0 1 5 0 5 4 2 3 7 2 7 6 1 2 6 1 6 5 0 4 "
        "7 0 7 3'/>");
    st_text_appendf(text, "<MechanicalObject name='s'/><TriangleCollisionModel/><LineCollisionModel/>"
                          "<PointCollisionModel/><RigidMapping/></Node></Node>");
}

static const char unbuilt_solver[] = "<UnbuiltGaussSeidelConstraintSolver tolerance='0' maxIterations='10'/>";

// ---------------------------------------------------------------------------------------------------
// Measurements
// ---------------------------------------------------------------------------------------------------

static void measure_scenes(void) {
    char *words[] = {"chainAll", "fallingBeamLagrangianCollision", "FrictionContact_LCP"};
    compare_with_sofa(false, 3, words);
}

static double triad(st_real *a, const st_real *b, const st_real *c) {
    const double begin = thread_seconds();
    for (size_t i = 0; i < TRIAD_COUNT; i++) a[i] = b[i] + 3 * c[i];
    return 3.0 * sizeof *a * TRIAD_COUNT / (thread_seconds() - begin) / 1e9;
}

static void measure_gauss_seidel(void) {
    st_scene *scene = soft_block(
        32, 32, 2, "<BlockGaussSeidelConstraintSolver name='solver' tolerance='1e-9' maxIterations='1'/>", true);
    step(scene, 1);
    st_constraint_problem *p = ((st_constraint_solver *)st_scene_find(scene, "/solver"))->problem;
    st_real *a = st_alloc(TRIAD_COUNT, sizeof *a), *b = st_alloc(TRIAD_COUNT, sizeof *b),
            *c = st_alloc(TRIAD_COUNT, sizeof *c);
    if (!a || !b || !c) exit(EXIT_FAILURE);

    double bandwidth = 0, sweeps = 0;
    st_blocks_init(p);
    for (int i = 0; i < TRIES; i++) {
        bandwidth = fmax(bandwidth, triad(a, b, c));
        const double begin = thread_seconds();
        for (int k = 0; k < SWEEPS; k++) st_gauss_seidel_sweep(p, 0);
        const double bytes = (double)SWEEPS * (double)p->size * (double)p->size * sizeof(st_real);
        sweeps = fmax(sweeps, bytes / (thread_seconds() - begin) / 1e9);
    }
    printf("gauss_seidel, %zu rows of contacts with friction: %.2f GB/s of W, triad %.2f GB/s, ratio %.2f\n", p->size,
           sweeps, bandwidth, sweeps / bandwidth);
    st_free(a);
    st_free(b);
    st_free(c);
    st_scene_destroy(scene);
}

static double time_compliance(bool contacts, size_t *rows) {
    st_scene *scene = soft_block(
        32, 32, 4, "<BlockGaussSeidelConstraintSolver name='solver' tolerance='1e-9' maxIterations='1'/>", contacts);
    step(scene, 1);
    const st_constraint_problem *p = ((st_constraint_solver *)st_scene_find(scene, "/solver"))->problem;
    st_correction *correction = (st_correction *)st_find(scene->root, ST_ROLE(correction), ST_DOWN);
    const st_constraint_params params = {.dt = (st_real)0.01};

    double best = 1e30;
    for (int i = 0; i < TRIES; i++) {
        memset(p->w.data, 0, p->size * p->size * sizeof *p->w.data);
        const double begin = thread_seconds();
        if (correction->object.type->correction->add_compliance(correction, &params, p->size, p->w.data) != ST_OK)
            exit(EXIT_FAILURE);
        best = fmin(best, thread_seconds() - begin);
    }
    *rows = p->size;
    st_scene_destroy(scene);
    return best;
}

static void measure_compliance(void) {
    size_t rows[2];
    const double contacts = time_compliance(true, &rows[0]), bilateral = time_compliance(false, &rows[1]);
    printf("compliance, 4096 nodes: %zu rows of contacts %.1f ms, %zu bilateral rows %.1f ms, ratio %.2f\n", rows[0],
           contacts * 1e3, rows[1], bilateral * 1e3, contacts / bilateral);
}

#define SURFACE                                                                                                        \
    "<MechanicalObject name='s'/><TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/></Node>"

static void measure_detection(void) {
    st_text text = {0};
    // a cylinder of 16 sides, whose tip is at the liver
    append_head(&text, "<BlockGaussSeidelConstraintSolver/>", "nullptr");
    st_text_appendf(&text, "<Node name='liver'><MeshOBJLoader name='mesh' filename='mesh/liver-smooth.obj'/>"
                           "<MeshTopology src='@mesh'/>" SURFACE "<Node name='tool'><MeshTopology position='");
    enum { SIDES = 16, RINGS = 12 };
    for (int i = 0; i < SIDES * RINGS; i++)
        st_text_appendf(&text, "%g %g %g ", -1.75 + 0.2 * cos(i % SIDES * 2 * M_PI / SIDES), 5.3 + 0.4 * (i / SIDES),
                        0.7 + 0.2 * sin(i % SIDES * 2 * M_PI / SIDES));
    st_text_appendf(&text, "' triangles='");
    for (int i = 0; i < SIDES * (RINGS - 1); i++) {
        const int next = i - i % SIDES + (i + 1) % SIDES;
        st_text_appendf(&text, "%d %d %d %d %d %d ", i, next, i + SIDES, next, next + SIDES, i + SIDES);
    }
    st_text_appendf(&text, "'/>" SURFACE "</Node>");
    st_scene *scene = load(&text);
    step(scene, 2);

    // moved down until they touch
    st_object *pipeline = st_find(scene->root, ST_ROLE(collision_pipeline), ST_DOWN);
    st_state *tool = (st_state *)st_scene_find(scene, "/tool/s");
    for (int i = 0; i < 60 && count_contacts(scene) < 5; i++) {
        for (size_t k = 0; k < tool->size; k++) tool->coord[ST_COORD_POSITION].data[3 * k + 1] -= ST_R(0.03);
        pipeline->type->collision_pipeline->detect(pipeline);
    }

    enum { REPEATS = 50 };
    double best = 1e30;
    for (int i = 0; i < REPEATS; i++) {
        const double begin = thread_seconds();
        pipeline->type->collision_pipeline->detect(pipeline);
        best = fmin(best, thread_seconds() - begin);
    }
    printf("detection, liver against tool, %zu contacts: %.3f ms\n", count_contacts(scene), best * 1e3);
    st_scene_destroy(scene);
}

static void append_pile(st_text *text, int side, int height) {
    for (int i = 0; i < side * side * height; i++) {
        char name[32];
        snprintf(name, sizeof name, "b%d", i);
        const int layer = i / (side * side);
        append_box(text, name, i % side * 1.2 + layer % 2 * 0.3, 0.52 + 1.02 * layer,
                   i / side % side * 1.2 + layer % 2 * 0.3);
    }
}

static void measure_pile(void) {
    st_text text = {0};
    append_head(&text, "<UnbuiltGaussSeidelConstraintSolver tolerance='1e-5' maxIterations='50'/>",
                "FrictionContactConstraint");
    append_pile(&text, 10, 10);
    st_text_appendf(&text, "</Node>");
    st_scene *scene = load(&text);
    measure_phases(scene, "pile of 1000 boxes", 5, 10);
    st_scene_destroy(scene);
}

static void measure_soft(void) {
    st_scene *scene =
        soft_block(22, 23, 10, "<BlockGaussSeidelConstraintSolver tolerance='1e-6' maxIterations='50'/>", true);
    measure_phases(scene, "soft body of 5060 nodes", 3, 3);
    st_scene_destroy(scene);
}

// Boxes side by side: 4 contacts each.
static void measure_unbuilt_of(int boxes, bool apart) {
    st_text text = {0};
    append_head(&text, unbuilt_solver, "FrictionContactConstraint");
    const int side = (int)ceil(sqrt(boxes));

    for (int i = 0; apart && i < boxes; i++) {
        char name[32];
        snprintf(name, sizeof name, "b%d", i);
        append_box(&text, name, i % side * 2.0, 0.52, i / side * 2.0);
    }

    // one state of all frames, four corners of each
    if (!apart) {
        st_text_appendf(&text, "<Node name='boxes'><EulerImplicitSolver/><CGLinearSolver iterations='10' "
                               "tolerance='1e-12' threshold='1e-12'/><MechanicalObject name='s' template='Rigid3' "
                               "position='");
        for (int i = 0; i < boxes; i++) st_text_appendf(&text, "%d 0.52 %d 0 0 0 1 ", i % side * 2, i / side * 2);
        st_text_appendf(&text, "'/><UniformMass vertexMass='1 1 0.1667 0 0  0 0.1667 0  0 0 0.1667'/>"
                               "<UncoupledConstraintCorrection/><Node name='skin'><MechanicalObject name='s' "
                               "position='");
        for (int i = 0; i < 4 * boxes; i++) st_text_appendf(&text, "%g -0.5 %g ", i % 2 - 0.5, i / 2 % 2 - 0.5);
        st_text_appendf(&text, "'/><RigidMapping rigidIndexPerPoint='");
        for (int i = 0; i < 4 * boxes; i++) st_text_appendf(&text, "%d ", i / 4);
        st_text_appendf(&text, "'/><PointCollisionModel/></Node></Node>");
    }
    st_text_appendf(&text, "</Node>");
    st_scene *scene = load(&text);

    const int steps = boxes > 500 ? 3 : 10;
    step(scene, 3);
    const double before[2] = {profile(scene, "constraints"), profile(scene, "collision")};
    const double wall = wall_seconds(), begin = thread_seconds();
    step(scene, steps);
    const double mine = thread_seconds() - begin, share = mine / (wall_seconds() - wall);
    const double scale = 1e6 / steps / (double)count_contacts(scene);
    printf("unbuilt, %s, %6zu contacts: %.2f us a step and contact, of which constraints %.2f, collision %.2f\n",
           apart ? "a body for each box" : "one state", count_contacts(scene), mine * scale,
           (profile(scene, "constraints") - before[0]) * scale * share,
           (profile(scene, "collision") - before[1]) * scale * share);
    st_scene_destroy(scene);
}

static void measure_unbuilt(void) {
    static const int boxes[] = {25, 250, 2500};
    for (int apart = 0; apart < 2; apart++)
        for (int i = 0; i < 3; i++) measure_unbuilt_of(boxes[i], apart);
}

// Balls at the nodes of a lattice, each a body with its own integrator; some are nearer to their neighbors than alarm.
static void measure_separate_of(int bodies) {
    st_text text = {0};
    append_head(&text, unbuilt_solver, "FrictionContactConstraint");
    const int side = (int)ceil(cbrt(bodies));
    for (int i = 0; i < bodies; i++)
        st_text_appendf(&text,
                        "<Node><EulerImplicitSolver/><CGLinearSolver iterations='10' tolerance='1e-12' "
                        "threshold='1e-12'/><MechanicalObject position='%g %g %g'/><UniformMass totalMass='1'/>"
                        "<UncoupledConstraintCorrection/><SphereCollisionModel radius='0.3'/></Node>",
                        i % side + 0.17 * (i * 7 % 5), 2 + i / side % side + 0.13 * (i * 3 % 7),
                        i / (side * side) + 0.11 * (i % 6));
    st_text_appendf(&text, "</Node>");
    const double made = thread_seconds();
    st_scene *scene = load(&text);
    step(scene, 2);

    // the last step's own, without the first ones that make lists
    const double first = thread_seconds(), before = profile(scene, "collision"), wall = wall_seconds();
    enum { STEPS = 3 };
    step(scene, STEPS);
    const double mine = thread_seconds() - first, share = mine / (wall_seconds() - wall);
    const double scale = 1e6 / STEPS / bodies;
    printf("separate, %5d bodies, %zu contacts: %.2f us a step and body, of which collision %.2f; load, init and two "
           "steps %.1f us a body\n",
           bodies, count_contacts(scene), mine * scale, (profile(scene, "collision") - before) * scale * share,
           (first - made) / bodies * 1e6);
    st_scene_destroy(scene);
}

static void measure_separate(void) {
    static const int bodies[] = {1000, 10000, 30000};
    for (int i = 0; i < 3; i++) measure_separate_of(bodies[i]);
}

// One box of the top layer is lifted and put back: pairs of models come and go.
static double time_steps(st_scene *scene, st_state *box, st_real lift, int steps) {
    const double begin = thread_seconds();
    for (int i = 0; i < steps; i++) {
        box->coord[ST_COORD_POSITION].data[1] += i % 2 ? -lift : lift;
        step(scene, 1);
    }
    return (thread_seconds() - begin) / steps * 1e3;
}

static void measure_coming(void) {
    st_text text = {0};
    append_head(&text, unbuilt_solver, "FrictionContactConstraint");
    append_pile(&text, 20, 2);
    st_text_appendf(&text, "</Node>");
    st_scene *scene = load(&text);
    step(scene, 4);
    st_state *box = (st_state *)st_scene_find(scene, "/b799/s");
    double stay = 1e30, come = 1e30;
    for (int i = 0; i < TRIES; i++) {
        stay = fmin(stay, time_steps(scene, box, 0, 6));
        come = fmin(come, time_steps(scene, box, ST_R(0.5), 6));
    }
    printf("coming, 800 boxes, %zu contacts: %.2f ms a step, %.2f ms where one box comes or goes\n",
           count_contacts(scene), stay, come);
    st_scene_destroy(scene);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*measure)(void);
    } all[] = {{"scenes", measure_scenes},
               {"gauss_seidel", measure_gauss_seidel},
               {"compliance", measure_compliance},
               {"detection", measure_detection},
               {"pile", measure_pile},
               {"soft", measure_soft},
               {"unbuilt", measure_unbuilt},
               {"separate", measure_separate},
               {"coming", measure_coming}};

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        bool wanted = argc == 1;
        for (int i = 1; i < argc; i++) wanted = wanted || strcmp(argv[i], all[k].name) == 0;
        if (wanted) all[k].measure();
    }
    return EXIT_SUCCESS;
}
