// Haptics: the force of a LCPForceFeedback against the law of one contact, by every constraint solver; asked by a second
// thread while the scene steps; devices and the mouse that move a tool.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "math/quat.h"
#include "scene/scene.h"
#include "settee/haptics.h"
#include "settee/plugin/constraint.h"

#define LCP(more) "<LCPConstraintSolver name='solver' tolerance='1e-9' maxIt='1000' mu='0.3' " more "/>"
#define PGS "<BlockGaussSeidelConstraintSolver name='solver' tolerance='1e-9' maxIterations='1000'/>"
#define COLLISION                                                                                                      \
    "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"                                                     \
    "<LocalMinDistance alarmDistance='0.5' contactDistance='0.1'/>"                                                    \
    "<CollisionResponse response='FrictionContactConstraint' responseParams='mu=0.3'/>"                                \
    "<Node name='floor'><MeshTopology position='-9 0 -9  9 0 -9  9 0 12  -9 0 12' triangles='0 2 1  0 3 2'/>"          \
    "<MechanicalObject/><TriangleCollisionModel simulated='0' moving='0'/></Node>"
// A frame with contact points at places of its own, above the floor.
#define TOOL(feedback, points)                                                                                         \
    "<Node name='tool'><EulerImplicitSolver/><SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/>"           \
    "<MechanicalObject name='frame' template='Rigid3' position='0 0.3 0  0 0 0 1'/>"                                   \
    "<UniformMass totalMass='2'/>" feedback "<UncoupledConstraintCorrection/>"                                         \
    "<Node name='tip'><MechanicalObject name='points' position='" points "'/><RigidMapping/><PointCollisionModel/>"    \
    "</Node></Node>"
#define FEEDBACK(more)                                                                                                 \
    "<LCPForceFeedback name='feedback' activate='1' forceCoef='2' solverTimeout='10' solverMaxIt='1000' " more "/>"

static const st_real tight = sizeof(st_real) == 8 ? ST_R(1e-9) : ST_R(2e-3);

static physics_scene *load(const char *children) {
    physics_scene *test = calloc(1, sizeof *test);
    char text[8192];
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    test->scene = st_scene_create(&config);
    snprintf(text, sizeof text, "<Node name='root' gravity='0 -10 0' dt='0.01'><FreeMotionAnimationLoop/>%s</Node>",
             children);
    assert_true(st_succeeded(st_scene_load_text(test->scene, text, strlen(text), NULL)));
    st_scene_init(test->scene);
    return test;
}

static void step(physics_scene *test, int count) {
    for (int i = 0; i < count; i++) {
        const st_status status = st_scene_step(test->scene, 0);
        if (status != ST_OK) print_message("%s", test->log);
        assert_int_equal(status, ST_OK);
    }
}

static st_constraint_view view_of(physics_scene *test) {
    return st_constraint_solver_view((st_constraint_solver *)physics_find(test, "/solver"));
}

// The free motion of the tool in the last step, lower by a way.
static void below(physics_scene *test, st_real way, st_real pose[7]) {
    const st_state *frame = physics_state(test, "/tool/frame");
    for (int k = 0; k < 7; k++) pose[k] = frame->coord[ST_COORD_FREE].data[k];
    pose[1] -= way;
}

// ---------------------------------------------------------------------------------------------------
// The force
// ---------------------------------------------------------------------------------------------------

// One contact: d = d_free - way, f = max(0, -d / W) along y, whatever solver the scene has.
static void force_follows_the_law_of_a_contact(void **state) {
    (void)state;
    static const char *const solvers[] = {
        LCP(""),
        LCP("build_lcp='0'"),
        PGS,
        "<NNCGConstraintSolver name='solver' tolerance='1e-9' maxIterations='1000'/>",
        "<ImprovedJacobiConstraintSolver name='solver' tolerance='1e-9' maxIterations='1000'/>",
        "<UnbuiltGaussSeidelConstraintSolver name='solver' tolerance='1e-9' maxIterations='1000'/>",
    };
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        char text[4096];
        snprintf(text, sizeof text, "%s" COLLISION TOOL(FEEDBACK(""), "0 0 0"), solvers[s]);
        physics_scene *test = load(text);
        st_object *feedback = physics_find(test, "/tool/feedback");
        step(test, 3);

        // no force above the floor; below it the one that the compliance dt / m says
        const st_constraint_view view = view_of(test);
        assert_int_equal(view.size, 3);
        const st_real w = ST_R(0.01) / 2, free = view.free[0];
        st_real pose[7], f[6];
        for (int k = 0; k < 5; k++) {
            const st_real way = free + ST_R(0.01) * (st_real)(k - 2),
                          expected = k > 2 ? ST_R(0.01) * (st_real)(k - 2) / w : 0;
            below(test, way, pose);
            assert_int_equal(st_haptic_force(feedback, pose, 1, f), ST_OK);
            assert_near(f[1], 2 * expected, tight * 100);
            assert_near(f[0], 0, tight * 100);
            for (int r = 3; r < 6; r++) assert_near(f[r], 0, tight * 100);
        }
        physics_free(test);
    }
}

// Pushed sideways the tool sticks up to the cone, and slides beyond.
static void force_has_friction(void **state) {
    (void)state;
    physics_scene *test = load(PGS COLLISION TOOL(FEEDBACK(""), "0 0 0"));
    st_object *feedback = physics_find(test, "/tool/feedback");
    step(test, 60); // it lies on the floor
    st_real pose[7], f[6];
    below(test, ST_R(0.01), pose);
    assert_int_equal(st_haptic_force(feedback, pose, 1, f), ST_OK);
    const st_real normal = f[1];
    assert_true(normal > 0);

    pose[0] += ST_R(0.0001);
    assert_int_equal(st_haptic_force(feedback, pose, 1, f), ST_OK);
    assert_near(f[1], normal, tight * normal);
    assert_true(f[0] < 0 && -f[0] < ST_R(0.29) * normal);
    pose[0] += 1;
    assert_int_equal(st_haptic_force(feedback, pose, 1, f), ST_OK);
    assert_near(-f[0] / f[1], ST_R(0.3), ST_R(1e-4));
    physics_free(test);
}

// A point on an arm of length 1: turning by θ about z lowers it by θ, and the force has a torque.
static void rotations_count_when_asked_for(void **state) {
    (void)state;
    for (int with = 0; with < 2; with++) {
        physics_scene *test = load(with ? LCP("") COLLISION TOOL(FEEDBACK("derivRotations='1'"), "-1 0 0")
                                        : LCP("") COLLISION TOOL(FEEDBACK(""), "-1 0 0"));
        st_object *feedback = physics_find(test, "/tool/feedback");
        step(test, 3);
        const st_real free = view_of(test).free[0], angle = ST_R(0.02),
                      turn[4] = {0, 0, sin(angle / 2), cos(angle / 2)};
        st_real pose[7], f[6], q[4];
        below(test, free, pose); // touches
        st_quat_multiply(q, turn, pose + 3);
        for (int k = 0; k < 4; k++) pose[3 + k] = -q[k]; // the same rotation
        assert_int_equal(st_haptic_force(feedback, pose, 1, f), ST_OK);
        if (with) {
            assert_true(f[1] > 1);
            assert_near(f[5], -f[1], ST_R(1e-3) * f[1]); // r × f with r = (-1, 0, 0)
        } else {
            assert_near(f[1], 0, ST_R(1e-3));
        }
        physics_free(test);
    }
}

static void forces_of_all_frames_go_to_the_first_one(void **state) {
    (void)state;
    physics_scene *test =
        load(LCP("") COLLISION
             "<Node name='tool'><EulerImplicitSolver/><SparseLDLSolver "
             "template='CompressedRowSparseMatrixMat3x3d'/><MechanicalObject name='frame' template='Rigid3' "
             "position='5 5 5  0 0 0 1  0 0.15 0  0 0 0 1'/><UniformMass totalMass='2'/>"
             "<LCPForceFeedback name='feedback' activate='1' forceCoef='1' solverTimeout='10'/>"
             "<UncoupledConstraintCorrection/><Node name='tip'><MechanicalObject position='0 0 0'/>"
             "<RigidMapping index='1'/><PointCollisionModel/></Node></Node>");
    st_object *feedback = physics_find(test, "/tool/feedback");
    step(test, 2);
    const st_state *frame = physics_state(test, "/tool/frame");
    st_real x[14], f[12];
    for (int k = 0; k < 14; k++) x[k] = frame->coord[ST_COORD_FREE].data[k];
    x[1] -= 1;
    x[8] -= 1;
    assert_int_equal(st_haptic_force(feedback, x, 2, f), ST_OK);
    assert_near(f[1], 0, 0);
    assert_true(f[7] > 0);
    const st_real alone = f[7];

    // the change of an attribute counts at once
    assert_int_equal(st_object_set(feedback, "localHapticConstraintAllFrames", "1"), ST_OK);
    assert_int_equal(st_haptic_force(feedback, x, 2, f), ST_OK);
    assert_near(f[1], alone, ST_R(1e-4) * alone);
    assert_near(f[7], 0, 0);
    physics_free(test);
}

static void one_dimension(void **state) {
    (void)state;
    physics_scene *test = load(LCP(
        "") "<Node name='tool'><EulerImplicitSolver/><CGLinearSolver iterations='9' tolerance='1e-9' threshold='1e-9'/>"
            "<MechanicalObject name='frame' template='Vec1' position='1 2'/><UniformMass totalMass='2'/>"
            "<LCPForceFeedback name='feedback' activate='1'/><UncoupledConstraintCorrection/></Node>");
    st_object *feedback = physics_find(test, "/tool/feedback");
    step(test, 1);
    st_real x[2] = {-5, 3}, f[2] = {7, 7};
    assert_int_equal(st_haptic_force(feedback, x, 2, f), ST_OK);
    assert_near(f[0], 0, 0);
    assert_near(f[1], 0, 0);
    assert_string_equal(st_object_template(feedback), "Vec1");
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// What can go wrong
// ---------------------------------------------------------------------------------------------------

static void wrong_questions_are_refused(void **state) {
    (void)state;
    physics_scene *test =
        load(LCP("") COLLISION TOOL("<LCPForceFeedback name='feedback' forceCoef='1'/><NullForceFeedback "
                                    "name='null'/><NullForceFeedbackT name='none'/>",
                                    "0 0 0"));
    st_object *feedback = physics_find(test, "/tool/feedback");
    st_real pose[7] = {0, 0, 0, 0, 0, 0, 1}, f[6] = {3, 3, 3, 3, 3, 3};
    step(test, 3);

    // not active: untouched
    assert_int_equal(st_haptic_force(feedback, pose, 1, f), ST_FAILED);
    assert_near(f[0], 3, 0);
    assert_int_equal(st_object_set(feedback, "activate", "1"), ST_OK);
    assert_int_equal(st_haptic_force(feedback, pose, 1, f), ST_OK);
    assert_true(f[1] > 0);

    assert_int_equal(st_haptic_force(NULL, pose, 1, f), ST_NOT_FOUND);
    assert_int_equal(st_haptic_force(physics_find(test, "/tool/frame"), pose, 1, f), ST_INVALID);
    assert_int_equal(st_haptic_force(feedback, NULL, 1, f), ST_INVALID);
    assert_int_equal(st_haptic_force(feedback, pose, 0, f), ST_INVALID);
    assert_int_equal(st_haptic_force(feedback, pose, SIZE_MAX / 2, f), ST_INVALID);
    pose[4] = NAN;
    assert_int_equal(st_haptic_force(feedback, pose, 1, f), ST_INVALID);
    assert_int_equal(st_haptic_move(feedback, pose), ST_INVALID);
    assert_int_equal(st_haptic_move(NULL, pose), ST_NOT_FOUND);

    // places without end leave no trace: the next answer is finite again
    pose[4] = 0;
    pose[1] = -ST_REAL_MAX;
    st_haptic_force(feedback, pose, 1, f);
    for (int k = 0; k < 6; k++) assert_true(isfinite(f[k]));
    pose[1] = 0;
    assert_int_equal(st_haptic_force(feedback, pose, 1, f), ST_OK);
    assert_true(isfinite(f[1]) && f[1] > 0);

    // more DOFs than the tool has: zeros for them
    st_real many[21] = {0}, forces[18];
    for (int k = 0; k < 18; k++) forces[k] = 5;
    assert_int_equal(st_haptic_force(feedback, many, 3, forces), ST_OK);
    for (int k = 6; k < 18; k++) assert_near(forces[k], 0, 0);

    // those that give nothing
    for (int k = 0; k < 6; k++) f[k] = 9;
    assert_int_equal(st_haptic_force(physics_find(test, "/tool/null"), pose, 1, f), ST_OK);
    for (int k = 0; k < 6; k++) assert_near(f[k], 0, 0);
    assert_int_equal(st_haptic_force(physics_find(test, "/tool/none"), pose, 1, f), ST_OK);

    // a reset ends all contacts
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_int_equal(st_haptic_force(feedback, pose, 1, f), ST_OK);
    assert_near(f[1], 0, 0);
    physics_free(test);
}

static void scenes_that_lack_something_are_told(void **state) {
    (void)state;
    physics_scene *test = load(TOOL(FEEDBACK(""), "0 0 0"));
    assert_non_null(strstr(test->log, "there is no constraint solver"));
    st_real pose[7] = {0, 0, 0, 0, 0, 0, 1}, f[6] = {1, 1, 1, 1, 1, 1};
    assert_int_equal(st_haptic_force(physics_find(test, "/tool/feedback"), pose, 1, f), ST_OK);
    assert_near(f[0], 0, 0);
    physics_free(test);

    test = load(LCP("") "<LCPForceFeedback name='feedback'/>");
    assert_null(st_scene_find(test->scene, "/feedback"));
    physics_free(test);

    test = load("<KKTConstraintSolver name='solver'/>" COLLISION TOOL(FEEDBACK(""), "0 0 0"));
    st_scene_step(test->scene, 0);
    assert_int_equal(st_haptic_force(physics_find(test, "/tool/feedback"), pose, 1, f), ST_OK);
    assert_near(f[1], 0, 0);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// A second thread
// ---------------------------------------------------------------------------------------------------

typedef struct asking {
    st_object *feedback, *device;
    atomic_bool stop;
    atomic_size_t calls, pushes;
    bool wrong;
    double slowest;
} asking;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A tool that goes up and down through the floor: below it is pushed up, high above it feels nothing.
static void *ask(void *context) {
    asking *a = context;
    for (size_t i = 0; !atomic_load(&a->stop); i++) {
        const st_real height = i % 2 ? 50 : -1;
        const st_real pose[7] = {0, height, 0, 0, 0, 0, 1};
        st_real f[6] = {0};
        const double begin = seconds();
        const st_status status =
            a->feedback ? st_haptic_force(a->feedback, pose, 1, f) : st_haptic_tick(a->device, pose, f);
        const double time = seconds() - begin;
        if (time > a->slowest) a->slowest = time;
        if (status != ST_OK || !isfinite(f[1]) || f[1] < 0 || (height > 1 && f[1] != 0)) a->wrong = true;
        if (f[1] > 0) atomic_fetch_add(&a->pushes, 1);
        atomic_fetch_add(&a->calls, 1);
    }
    return NULL;
}

static void a_second_thread_reads_while_the_scene_steps(void **state) {
    (void)state;
    enum { STEPS = 300 };
    static st_real alone[STEPS];
    for (int with = 0; with < 2; with++) {
        physics_scene *test = load(LCP("") COLLISION TOOL(FEEDBACK(""), "0 0 0 0.2 0 0 0 0 0.2"));
        st_object *feedback = physics_find(test, "/tool/feedback");
        asking a[2] = {{.feedback = feedback}, {.feedback = feedback}};
        pthread_t threads[2];
        step(test, 1);
        for (int t = 0; with && t < 2; t++) assert_int_equal(pthread_create(&threads[t], NULL, ask, &a[t]), 0);

        // what is asked changes nothing of the motion, not in one bit
        const st_state *frame = physics_state(test, "/tool/frame");
        for (int i = 0; i < STEPS; i++) {
            step(test, 1);
            if (i == STEPS / 2) assert_int_equal(st_object_set(feedback, "forceCoef", "3"), ST_OK);
            if (i == STEPS / 3) assert_int_equal(st_scene_reset(test->scene), ST_OK);
            if (with) assert_true(alone[i] == frame->coord[ST_COORD_POSITION].data[1]);
            else alone[i] = frame->coord[ST_COORD_POSITION].data[1];
        }

        // some times at least, however slow the machine is
        for (int t = 0; with && t < 2; t++) {
            while (atomic_load(&a[t].calls) < 100) (void)0;
            atomic_store(&a[t].stop, true);
            pthread_join(threads[t], NULL);
            assert_false(a[t].wrong);
            assert_true(a[t].pushes > 0);
            print_message("%zu forces beside %d steps, %zu of them pushes, the slowest took %.2g s\n",
                          (size_t)a[t].calls, STEPS, (size_t)a[t].pushes, a[t].slowest);
        }
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// Devices
// ---------------------------------------------------------------------------------------------------

#define DEVICE                                                                                                         \
    "<HapticDevice name='device' scale='0.1' forceScale='0.5' positionBase='0 1 0' "                                   \
    "orientationBase='0 0 0.70710678118654752 0.70710678118654752' deviceName='Default Device' drawDevice='0'/>"

static void a_device_moves_a_state_and_shows_the_force(void **state) {
    (void)state;
    physics_scene *test =
        load(LCP("") COLLISION DEVICE "<Node name='pointer'><MechanicalObject name='frame' template='Rigid3' "
                                      "position='@/device.positionDevice'/></Node>" TOOL(FEEDBACK(""), "0 0 0"));
    st_object *device = physics_find(test, "/device");
    st_real pose[7] = {3, 2, 1, 0, 0, 0, 2}, wrench[6];
    step(test, 3);
    assert_int_equal(st_haptic_tick(device, pose, wrench), ST_OK);
    step(test, 1);

    // turned by a right angle about z: x becomes y; the quaternion has length 1 again
    const st_real *x = physics_state(test, "/pointer/frame")->coord[ST_COORD_POSITION].data;
    const st_real half = sqrt(ST_R(0.5)), expected[7] = {ST_R(-0.2), ST_R(1.3), ST_R(0.1), 0, 0, half, half};
    assert_reals(x, 7, expected, tight);
    assert_near(wrench[0], 0, 0);

    // down in the scene is against x of the device: a force up is along it
    pose[0] = -14, pose[1] = 0, pose[2] = 0;
    st_real world[7] = {0, ST_R(-0.4), 0, 0, 0, half, half}, f[6];
    assert_int_equal(st_haptic_tick(device, pose, wrench), ST_OK);
    assert_int_equal(st_haptic_force(physics_find(test, "/tool/feedback"), world, 1, f), ST_OK);
    assert_true(f[1] > 0);
    assert_near(wrench[0], ST_R(0.5) * f[1], tight * f[1] * 10);
    assert_near(wrench[1], ST_R(-0.5) * f[0], tight * f[1] * 10);

    // a feedback that is off shows nothing; poses that are none are refused
    assert_int_equal(st_object_set(physics_find(test, "/tool/feedback"), "activate", "0"), ST_OK);
    assert_int_equal(st_haptic_tick(device, pose, wrench), ST_OK);
    assert_near(wrench[0], 0, 0);
    pose[6] = 0;
    assert_int_equal(st_haptic_tick(device, pose, wrench), ST_INVALID);
    assert_int_equal(st_haptic_tick(physics_find(test, "/tool/feedback"), pose, wrench), ST_INVALID);
    physics_free(test);
}

static void a_device_ticks_in_its_own_thread(void **state) {
    (void)state;
    physics_scene *test =
        load(LCP("") COLLISION "<HapticDevice name='device'/>"
                               "<Node name='pointer'><MechanicalObject name='frame' template='Rigid3' "
                               "position='@/device.positionDevice'/></Node>" TOOL(FEEDBACK(""), "0 0 0"));
    asking a = {.device = physics_find(test, "/device")};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ask, &a), 0);
    for (int i = 0; i < 100 || atomic_load(&a.calls) < 100; i++) {
        step(test, 1);
        const st_real y = physics_state(test, "/pointer/frame")->coord[ST_COORD_POSITION].data[1];
        assert_true(y == 0 || y == 50 || y == -1);
    }
    atomic_store(&a.stop, true);
    pthread_join(thread, NULL);
    assert_false(a.wrong);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// MechanicalStateController
// ---------------------------------------------------------------------------------------------------

#define DRIVEN(attributes)                                                                                             \
    "<Node name='tool'><MechanicalObject name='frame' template='Rigid3' position='1 2 3  0 0 0 1'/>"                   \
    "<MechanicalStateController name='controller' listening='1' " attributes "/>"                                      \
    "<Node name='tip'><MechanicalObject name='points' position='0 0 -1'/><RigidMapping/></Node></Node>"

static void mouse(physics_scene *test, st_mouse_action action, int x, int y) {
    assert_int_equal(st_scene_mouse(test->scene, &(st_mouse_event){action, x, y}), ST_OK);
}

static void a_mouse_drives_a_frame(void **state) {
    (void)state;
    physics_scene *test = load(DRIVEN("mainDirection='0 0 -2'"));
    const st_real *x = physics_state(test, "/tool/frame")->coord[ST_COORD_POSITION].data;
    const st_real start[7] = {1, 2, 3, 0, 0, 0, 1};
    mouse(test, ST_MOUSE_MOVE, 500, 500);
    step(test, 1);
    assert_reals(x, 7, start, 0);

    // the left button turns about y and z of the frame, at the beginning of the next step; what is mapped follows
    mouse(test, ST_MOUSE_LEFT_PRESS, 10, 10);
    mouse(test, ST_MOUSE_MOVE, 110, 10);
    assert_reals(x, 7, start, 0);
    step(test, 1);
    const st_real turned[7] = {1, 2, 3, 0, sin(ST_R(0.05)), 0, cos(ST_R(0.05))};
    assert_reals(x, 7, turned, tight);
    const st_real tip[3] = {1 - sin(ST_R(0.1)), 2, 3 - cos(ST_R(0.1))};
    assert_reals(physics_state(test, "/tool/tip/points")->coord[ST_COORD_POSITION].data, 3, tip, tight);

    // the way since then counts once
    step(test, 3);
    assert_reals(x, 7, turned, tight);
    mouse(test, ST_MOUSE_LEFT_RELEASE, 110, 10);

    // the right one moves along the direction, which is used as it is, and turns about x
    mouse(test, ST_MOUSE_RIGHT_PRESS, 0, 0);
    mouse(test, ST_MOUSE_MOVE, 0, 10);
    step(test, 1);
    const st_real way = ST_R(0.05) * 10 * 2;
    const st_real moved[3] = {1 - way * sin(ST_R(0.1)), 2, 3 - way * cos(ST_R(0.1))};
    assert_reals(x, 3, moved, tight);
    mouse(test, ST_MOUSE_RIGHT_RELEASE, 0, 10);
    mouse(test, ST_MOUSE_MOVE, 900, 900);
    step(test, 1);
    assert_reals(x, 3, moved, tight);
    assert_int_equal(st_scene_mouse(test->scene, NULL), ST_INVALID);
    physics_free(test);

    // along the axes of the world, at once
    test = load(DRIVEN("onlyTranslation='1' handleEventTriggersUpdate='1'"));
    x = physics_state(test, "/tool/frame")->coord[ST_COORD_POSITION].data;
    static const st_mouse_action press[] = {ST_MOUSE_LEFT_PRESS, ST_MOUSE_RIGHT_PRESS, ST_MOUSE_MIDDLE_PRESS};
    for (int k = 0; k < 3; k++) {
        mouse(test, press[k], 0, 0);
        mouse(test, ST_MOUSE_MOVE, 3, 5);
        mouse(test, press[k] + 1, 3, 5);
    }
    const st_real there[3] = {4, 7, 8};
    assert_reals(x, 3, there, tight);
    physics_free(test);
}

static void a_program_drives_a_frame(void **state) {
    (void)state;
    physics_scene *test = load(DRIVEN(""));
    st_object *controller = physics_find(test, "/tool/controller");
    const st_real *x = physics_state(test, "/tool/frame")->coord[ST_COORD_POSITION].data;
    const st_real first[7] = {9, 9, 9, 0, 0, 0, 1}, second[7] = {4, 5, 6, 0, 1, 0, 0};
    assert_int_equal(st_haptic_move(controller, first), ST_OK);
    assert_int_equal(st_haptic_move(controller, second), ST_OK);
    step(test, 1);
    assert_reals(x, 7, second, 0);

    // taken once: what else moves it goes on
    physics_state(test, "/tool/frame")->coord[ST_COORD_POSITION].data[0] = 7;
    step(test, 1);
    assert_near(x[0], 7, 0);
    const st_real tip[3] = {7, 5, 7};
    assert_reals(physics_state(test, "/tool/tip/points")->coord[ST_COORD_POSITION].data, 3, tip, tight);
    assert_int_equal(st_object_set(controller, "index", "3"), ST_OK);
    step(test, 1);
    assert_non_null(strstr(test->log, "index is 3"));
    physics_free(test);

    // without listening nothing arrives; without a state there is nothing to move
    test = load("<Node name='tool'><MechanicalObject template='Rigid3'/><MechanicalStateController name='c'/></Node>");
    assert_int_equal(st_haptic_move(physics_find(test, "/tool/c"), first), ST_FAILED);
    physics_free(test);
    test = load("<MechanicalStateController name='c' template='Rigid3' listening='1'/>");
    assert_non_null(strstr(test->log, "there is no mechanical state"));
    assert_int_equal(st_haptic_move(physics_find(test, "/c"), first), ST_FAILED);
    step(test, 1);
    physics_free(test);
}

static void the_middle_button_opens_two_rest_positions(void **state) {
    (void)state;
    physics_scene *test = load("<MechanicalObject name='dofs' template='Vec1' position='1 2 3' rest_position='1 2 3'/>"
                               "<MechanicalStateController name='c' template='Vec1' listening='1'/>");
    const st_reals *rest = &physics_state(test, "/dofs")->coord[ST_COORD_REST];
    step(test, 1);
    const st_real shut[3] = {0, 0, 3}, open[3] = {ST_R(-0.4), ST_R(-0.4), 3};
    assert_reals(rest->data, 3, shut, 0);
    mouse(test, ST_MOUSE_MIDDLE_PRESS, 0, 0);
    step(test, 1);
    assert_reals(rest->data, 3, open, 0);
    const st_real pose[7] = {0, 0, 0, 0, 0, 0, 1};
    assert_int_equal(st_haptic_move(physics_find(test, "/c"), pose), ST_INVALID);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_follows_the_law_of_a_contact),
        cmocka_unit_test(force_has_friction),
        cmocka_unit_test(rotations_count_when_asked_for),
        cmocka_unit_test(forces_of_all_frames_go_to_the_first_one),
        cmocka_unit_test(one_dimension),
        cmocka_unit_test(wrong_questions_are_refused),
        cmocka_unit_test(scenes_that_lack_something_are_told),
        cmocka_unit_test(a_second_thread_reads_while_the_scene_steps),
        cmocka_unit_test(a_device_moves_a_state_and_shows_the_force),
        cmocka_unit_test(a_device_ticks_in_its_own_thread),
        cmocka_unit_test(a_mouse_drives_a_frame),
        cmocka_unit_test(a_program_drives_a_frame),
        cmocka_unit_test(the_middle_button_opens_two_rest_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
