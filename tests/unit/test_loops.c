// Animation loops: time, sub-steps, tags, interaction forces outside of integrators, events, and steps that fail.
//
// SPDX-License-Identifier: Apache-2.0
#include "stepped_scene.h"

#include "math/real.h"
#include "settee/plugin/component.h"
#include "settee/plugin/state.h"

#ifdef SETTEE_REAL_FLOAT
#define TIGHT 1e-5
#else
#define TIGHT 1e-13
#endif

#define assert_close(a, b) assert_close_((double)(a), (double)(b), #a, __LINE__)
static void assert_close_(double a, double b, const char *what, int line) {
    if (!(fabs(a - b) <= TIGHT * (1 + fabs(b)))) fail_msg("line %d: %s = %.17g, expected %.17g", line, what, a, b);
}

#define BALL "<EulerExplicitSolver/><MechanicalObject name=\"s\"/><UniformMass totalMass=\"1\"/>"
#define SCENE(loop, inside) "<Node gravity=\"0 -10 0\" dt=\"0.1\">" loop inside "</Node>"

// ---------------------------------------------------------------------------------------------------
// Time
// ---------------------------------------------------------------------------------------------------

static void time_is_a_running_sum(void **state) {
    (void)state;
    st_scene *scene = start(create(false), SCENE("<DefaultAnimationLoop/>", "<Node name=\"n\">" BALL "</Node>"));
    st_real sum = 0;
    for (int i = 0; i < 100; i++) {
        run(scene, 1, 0); // 0: the root's dt
        sum += (st_real)0.1;
        assert_true(st_scene_time(scene) == sum);
    }
    run(scene, 1, (st_real)0.25);
    assert_true(st_scene_time(scene) == sum + (st_real)0.25);
    st_object *node = st_scene_find(scene, "/n");
    assert_non_null(node);
    assert_true(((st_node *)node)->time == st_scene_time(scene));
    assert_int_equal(st_scene_reset(scene), ST_OK);
    assert_true(st_scene_time(scene) == 0);
    st_scene_destroy(scene);
}

static void a_reset_goes_back_to_the_first_time(void **state) {
    (void)state;
    st_scene *scene = start(create(false), "<Node time=\"2.5\" dt=\"0.5\"><DefaultAnimationLoop/>" BALL "</Node>");
    run(scene, 3, 0);
    assert_close(st_scene_time(scene), 4);
    st_scene_reset(scene);
    assert_close(st_scene_time(scene), 2.5);
    assert_close(reals(scene, "/s", "position")[1], 0);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Sub-steps
// ---------------------------------------------------------------------------------------------------

// n sub-steps of symplectic Euler: x = h² g n (n + 1)/2.
static void fall_in_parts(const char *loop, int parts) {
    char text[512];
    snprintf(text, sizeof text, SCENE("%s", "<Node name=\"n\">" BALL "</Node>"), loop);
    st_scene *scene = start(create(false), text);
    run(scene, 2, 0);
    const double h = 0.1 / parts, n = 2 * parts;
    assert_close(reals(scene, "/n/s", "position")[1], h * h * -10 * n * (n + 1) / 2);
    assert_close(reals(scene, "/n/s", "velocity")[1], -2);
    assert_close(st_scene_time(scene), 0.2);
    st_scene_destroy(scene);
}

static void steps_are_cut_into_parts(void **state) {
    (void)state;
    fall_in_parts("<DefaultAnimationLoop/>", 1);
    fall_in_parts("<MultiStepAnimationLoop/>", 1);
    fall_in_parts("<MultiStepAnimationLoop integrationSteps=\"3\"/>", 3);
    fall_in_parts("<MultiStepAnimationLoop collisionSteps=\"2\" integrationSteps=\"3\"/>", 6);
}

static void only_the_first_integrator_of_a_node_is_used_in_parts(void **state) {
    (void)state;
    st_scene *scene =
        start(create(false), SCENE("<MultiStepAnimationLoop/>", BALL "<EulerExplicitSolver name=\"second\"/>"));
    run(scene, 1, 0);
    assert_close(reals(scene, "/s", "velocity")[1], -1);
    st_scene_destroy(scene);
    scene = start(create(false), SCENE("<DefaultAnimationLoop/>", BALL "<EulerExplicitSolver name=\"second\"/>"));
    run(scene, 1, 0);
    assert_close(reals(scene, "/s", "velocity")[1], -2);
    st_scene_destroy(scene);
}

static void parts_must_be_positive(void **state) {
    (void)state;
    st_scene *scene = create(false);
    const char *text = SCENE("<MultiStepAnimationLoop name=\"l\" integrationSteps=\"0\"/>", BALL);
    st_scene_load_text(scene, text, strlen(text), NULL);
    st_scene_init(scene);
    assert_non_null(strstr(last_error, "integrationSteps (0)"));
    assert_int_not_equal(st_scene_step(scene, 0), ST_OK);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Tags
// ---------------------------------------------------------------------------------------------------

#define TAGGED(name, tags)                                                                                             \
    "<Node name=\"" name "\"><EulerExplicitSolver tags=\"" tags                                                        \
    "\"/><MechanicalObject name=\"s\"/><UniformMass totalMass=\"1\"/></Node>"

static void integrators_run_by_tag(void **state) {
    (void)state;
    st_scene *scene =
        start(create(false), SCENE("<MultiTagAnimationLoop tags=\"a b\"/>",
                                   TAGGED("n", "a") TAGGED("m", "b") TAGGED("o", "c") TAGGED("p", "a b")));
    run(scene, 1, 0);
    assert_close(reals(scene, "/n/s", "velocity")[1], -1);
    assert_close(reals(scene, "/m/s", "velocity")[1], -1);
    assert_close(reals(scene, "/o/s", "velocity")[1], 0);
    assert_close(reals(scene, "/p/s", "velocity")[1], -2); // in both turns
    assert_close(st_scene_time(scene), 0.1);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Loops of child nodes
// ---------------------------------------------------------------------------------------------------

// Two nodes with loops of their own, which cut the step differently, and one without, which stays.
static void child_nodes_have_loops_of_their_own(void **state) {
    (void)state;
    st_scene *scene =
        start(create(false), SCENE("<AnimationLoopParallelScheduler/>",
                                   "<Node name=\"a\"><DefaultAnimationLoop/>" BALL "</Node>"
                                   "<Node name=\"b\"><MultiStepAnimationLoop integrationSteps=\"4\"/>" BALL
                                   "</Node><Node name=\"c\">" BALL "</Node>"));
    st_scene *alone = start(create(false), SCENE("<MultiStepAnimationLoop integrationSteps=\"4\"/>", BALL));
    run(scene, 3, 0);
    run(alone, 3, 0);

    // symplectic: y = -g dt² (1 + 2 + 3)
    assert_close(reals(scene, "/a/s", "position")[1], -0.6);
    assert_close(reals(scene, "/b/s", "position")[1], reals(alone, "/s", "position")[1]);
    assert_true(reals(scene, "/b/s", "position")[1] > ST_R(-0.59));
    assert_close(reals(scene, "/c/s", "position")[1], 0);
    assert_close(st_scene_time(scene), 0.3);
    st_scene_destroy(alone);

    // a child that fails fails the step, at the time where it began
    st_real *broken = (st_real *)(uintptr_t)reals(scene, "/b/s", "velocity");
    broken[0] = NAN;
    assert_int_not_equal(st_scene_step(scene, 0), ST_OK);
    assert_close(st_scene_time(scene), 0.3);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Interaction forces outside of integrators
// ---------------------------------------------------------------------------------------------------

#define ENDS                                                                                                           \
    "<Node name=\"a\"><EulerExplicitSolver/><MechanicalObject name=\"s\"/><UniformMass totalMass=\"1\"/></Node>"       \
    "<Node name=\"b\"><EulerExplicitSolver/><MechanicalObject name=\"s\" position=\"2 0 0\"/><UniformMass "            \
    "totalMass=\"1\"/></Node>"
#define SPRING "<SpringForceField object1=\"@/a\" object2=\"@/b\" spring=\"0 0 10 0 1\"/>"

static void interactions_above_integrators_act_explicitly(void **state) {
    (void)state;
    const char *loops[] = {"<DefaultAnimationLoop/>", "<MultiStepAnimationLoop/>"};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text, "<Node gravity=\"0 0 0\" dt=\"0.1\">%s" ENDS SPRING "</Node>", loops[i]);
        st_scene *scene = start(create(false), text);
        run(scene, 1, 0);
        assert_close(reals(scene, "/a/s", "velocity")[0], 1); // h k (l - 1) / m
        assert_close(reals(scene, "/b/s", "velocity")[0], -1);
        run(scene, 1, 0); // the force of the first step must be gone
        assert_close(reals(scene, "/a/s", "velocity")[0], 1 + 0.1 * 10 * 0.8);
        st_scene_destroy(scene);
    }
}

static void interactions_after_the_integrators_come_too_late(void **state) {
    (void)state;
    st_scene *scene = start(create(false), "<Node gravity=\"0 0 0\" dt=\"0.1\"><DefaultAnimationLoop/>" ENDS
                                           "<Node name=\"late\">" SPRING "</Node></Node>");
    run(scene, 3, 0);
    assert_close(reals(scene, "/a/s", "velocity")[0], 0);
    st_scene_destroy(scene);
}

static void integrators_below_an_integrator_are_not_run(void **state) {
    (void)state;
    st_scene *scene =
        start(create(false), SCENE("<DefaultAnimationLoop/>",
                                   "<Node name=\"n\"><EulerExplicitSolver/><Node name=\"m\">" BALL "</Node></Node>"));
    run(scene, 1, 0);
    assert_close(reals(scene, "/n/m/s", "velocity")[1], -1);
    st_scene_destroy(scene);
}

static void external_forces_last_one_step(void **state) {
    (void)state;
    st_scene *scene = start(
        create(false), "<Node gravity=\"0 0 0\" dt=\"0.1\"><DefaultAnimationLoop/><EulerExplicitSolver/>"
                       "<MechanicalObject name=\"s\" externalForce=\"3 0 0\"/><UniformMass totalMass=\"1\"/></Node>");
    run(scene, 4, 0);
    assert_close(reals(scene, "/s", "velocity")[0], 0.3);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------------------------------

typedef struct witness {
    st_object object;
    enum st_event_kind seen[32];
    st_real times[32];
    size_t count;
} witness;

static void watch(st_object *object, st_event *event) {
    witness *self = (witness *)object;
    if (self->count == 32) return;
    self->times[self->count] = object->node->time;
    self->seen[self->count++] = event->kind;
}

static const st_class witness_class = {.name = "Witness",
                                       .help = "keeps the events",
                                       .parent = &st_object_class,
                                       .size = sizeof(witness),
                                       .event = watch,
                                       .flags = ST_CLASS_LISTENING};

static void events_come_in_order(void **state) {
    (void)state;
    st_scene *scene = create(false);
    assert_int_equal(st_register_class(scene, &witness_class), ST_OK);
    start(scene, SCENE("<DefaultAnimationLoop/>", "<Witness name=\"w\"/>" BALL));
    witness *w = (witness *)st_scene_find(scene, "/w");
    assert_non_null(w);
    w->count = 0;
    run(scene, 1, 0);
    const enum st_event_kind expected[] = {ST_EVENT_ANIMATE_BEGIN,   ST_EVENT_COLLISION_BEGIN, ST_EVENT_COLLISION_END,
                                           ST_EVENT_INTEGRATE_BEGIN, ST_EVENT_INTEGRATE_END,   ST_EVENT_ANIMATE_END,
                                           ST_EVENT_MAPPING_END};
    assert_int_equal(w->count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(w->seen[i], expected[i]);
        assert_close(w->times[i], i < 5 ? 0 : 0.1);
    }
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Failure
// ---------------------------------------------------------------------------------------------------

// An explicit step far beyond the limit of stability multiplies positions by 1e9 or more each time.
static void a_diverging_step_fails_and_is_taken_back(void **state) {
    (void)state;
    const char *loops[] = {"<DefaultAnimationLoop/>", "<MultiStepAnimationLoop/>",
                           "<MultiTagAnimationLoop tags=\"t\"/>"};
    for (int k = 0; k < 3; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 SCENE("%s", "<Node name=\"n\"><EulerExplicitSolver tags=\"t\"/><MechanicalObject name=\"s\" "
                             "position=\"0 0 0  1.5 0 0\"/>"
                             "<UniformMass vertexMass=\"1\"/><SpringForceField spring=\"0 1 1e11 0 1\"/></Node>"),
                 loops[k]);
        st_scene *scene = start(create(false), text);
        st_status status = ST_OK;
        st_real last[6] = {0}, time = 0;
        int steps = 0;
        for (; status == ST_OK && steps < 200; steps++) {
            memcpy(last, reals(scene, "/n/s", "position"), sizeof last);
            time = st_scene_time(scene);
            status = st_scene_step(scene, 0);
        }
        assert_int_equal(status, ST_FAILED);
        assert_true(steps > 1);
        assert_memory_equal(last, reals(scene, "/n/s", "position"), sizeof last);
        for (int i = 0; i < 6; i++) assert_true(isfinite(reals(scene, "/n/s", "velocity")[i]));
        assert_true(st_scene_time(scene) == time);
        char expected[32];
        snprintf(expected, sizeof expected, "after step %d", steps);
        assert_non_null(strstr(last_error, "/n/s"));
        assert_non_null(strstr(last_error, expected));
        st_scene_destroy(scene);
    }
}

static void the_target_must_be_a_node(void **state) {
    (void)state;
    st_scene *scene = create(false);
    const char *text = SCENE("<DefaultAnimationLoop targetNode=\"@n/s\"/>", "<Node name=\"n\">" BALL "</Node>");
    st_scene_load_text(scene, text, strlen(text), NULL);
    st_scene_init(scene);
    assert_int_not_equal(st_scene_step(scene, 0), ST_OK);
    st_scene_destroy(scene);

    scene = start(create(false), SCENE("<DefaultAnimationLoop targetNode=\"@n\"/>",
                                       "<Node name=\"n\">" BALL "</Node><Node name=\"m\">" BALL "</Node>"));
    run(scene, 1, 0);
    assert_close(reals(scene, "/n/s", "velocity")[1], -1);
    assert_close(reals(scene, "/m/s", "velocity")[1], 0);
    st_scene_destroy(scene);
}

// Spoils the state in the given integration, counted from the first.
typedef struct spoiler {
    st_object object;
    int32_t when;
    int32_t resize; // to so many points, too
    int32_t seen;
} spoiler;

static void spoil(st_object *object, st_event *event) {
    spoiler *self = (spoiler *)object;
    if (event->kind != ST_EVENT_INTEGRATE_BEGIN || ++self->seen != self->when) return;
    st_state *s = (st_state *)st_scene_find(object->scene, "/n/s");
    assert_non_null(s);
    if (self->resize) assert_int_equal(st_state_resize(s, (size_t)self->resize), ST_OK);
    s->deriv[ST_DERIV_VELOCITY].data[0] = (st_real)NAN;
}

static const st_field spoiler_fields[] = {
    ST_FIELD(spoiler, when, "when", st_type_int, "0", "integration that fails"),
    ST_FIELD(spoiler, resize, "resize", st_type_int, "0", "size of the state"),
    ST_FIELDS_END,
};

static const st_class spoiler_class = {.name = "Spoiler",
                                       .help = "spoils a state",
                                       .parent = &st_object_class,
                                       .fields = spoiler_fields,
                                       .size = sizeof(spoiler),
                                       .event = spoil,
                                       .flags = ST_CLASS_LISTENING};

#define SPOILED                                                                                                        \
    "<Node name=\"n\"><EulerExplicitSolver tags=\"t u\"/><MechanicalObject name=\"s\" position=\"0 0 0  1 0 0\"/>"     \
    "<UniformMass vertexMass=\"1\"/></Node>"

static st_scene *start_spoiled(const char *loop, const char *attributes) {
    char text[1024];
    snprintf(text, sizeof text, SCENE("%s<Spoiler name=\"spoiler\" %s/>", SPOILED), loop, attributes);
    st_scene *scene = create(false);
    assert_int_equal(st_register_class(scene, &spoiler_class), ST_OK);
    return start(scene, text);
}

static const char *const two_parts[] = {"<MultiStepAnimationLoop integrationSteps=\"2\"/>",
                                        "<MultiStepAnimationLoop collisionSteps=\"2\"/>",
                                        "<MultiTagAnimationLoop tags=\"t u\"/>"};

// The second part of the second step fails: everything is as at the begin of that step, and can go on from there.
static void a_failing_part_takes_the_whole_step_back(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof two_parts / sizeof *two_parts; k++) {
        st_scene *scene = start_spoiled(two_parts[k], "when=\"4\"");
        run(scene, 1, 0);
        st_real x[6], v[6];
        memcpy(x, reals(scene, "/n/s", "position"), sizeof x);
        memcpy(v, reals(scene, "/n/s", "velocity"), sizeof v);
        const st_real time = st_scene_time(scene);
        assert_true(time > 0 && v[1] != 0);
        assert_int_equal(st_scene_step(scene, 0), ST_FAILED);
        assert_non_null(strstr(last_error, "was put back"));
        assert_memory_equal(x, reals(scene, "/n/s", "position"), sizeof x);
        assert_memory_equal(v, reals(scene, "/n/s", "velocity"), sizeof v);
        assert_true(st_scene_time(scene) == time);
        assert_true(((st_node *)st_scene_find(scene, "/n"))->time == time);
        run(scene, 1, 0);
        assert_true(reals(scene, "/n/s", "velocity")[1] < v[1]);
        st_scene_destroy(scene);
    }
}

// A copy of another size is not put back, and the message says so.
static void a_state_of_another_size_is_not_put_back(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof two_parts / sizeof *two_parts; k++) {
        st_scene *scene = start_spoiled(two_parts[k], "when=\"2\" resize=\"1000\"");
        assert_int_equal(st_scene_step(scene, 0), ST_FAILED);
        assert_non_null(strstr(last_error, "could not be put back"));
        st_scene_destroy(scene);
    }
}

// Links that are emptied, or lead to something else, while the scene runs.
static void the_target_may_be_written_between_steps(void **state) {
    (void)state;
    const char *loops[] = {"<DefaultAnimationLoop name=\"l\" targetNode=\"@n\"/>",
                           "<MultiStepAnimationLoop name=\"l\" targetNode=\"@n\"/>",
                           "<MultiTagAnimationLoop name=\"l\" tags=\"t\" targetNode=\"@n\"/>"};
    const char *values[] = {"", "@n/s", "@nowhere"};
    for (int k = 0; k < 3; k++) {
        char text[1024];
        snprintf(text, sizeof text, SCENE("%s", TAGGED("n", "t") TAGGED("m", "t")), loops[k]);
        st_scene *scene = start(create(false), text);
        run(scene, 1, 0);
        assert_close(reals(scene, "/m/s", "velocity")[1], 0);
        for (int i = 0; i < 3; i++) {
            st_object_set(st_scene_find(scene, "/l"), "targetNode", values[i]);
            run(scene, 1, 0); // the loop's own node
            assert_close(reals(scene, "/m/s", "velocity")[1], -(i + 1));
        }
        st_scene_destroy(scene);
    }
}

static void a_lost_linear_solver_fails_the_step(void **state) {
    (void)state;
    st_scene *scene =
        start(create(false),
              SCENE("<DefaultAnimationLoop/>", "<Node name=\"n\"><EulerImplicitSolver name=\"i\"/><CGLinearSolver "
                                               "name=\"cg\" iterations=\"9\" tolerance=\"1e-9\" threshold=\"1e-9\"/>"
                                               "<MechanicalObject name=\"s\"/><UniformMass totalMass=\"1\"/></Node>"));
    run(scene, 1, 0);
    st_object *integrator = st_scene_find(scene, "/n/i");
    const size_t errors = st_scene_message_count(scene, ST_ERROR);
    st_object_set(integrator, "linearSolver", "");
    assert_int_equal(st_scene_step(scene, 0), ST_INVALID);
    assert_int_equal(st_scene_message_count(scene, ST_ERROR), errors + 2); // the integrator's, and that of the step
    assert_close(reals(scene, "/n/s", "velocity")[1], -1);
    assert_close(st_scene_time(scene), 0.1);
    st_object_set(integrator, "linearSolver", "@cg");
    run(scene, 1, 0);
    assert_close(reals(scene, "/n/s", "velocity")[1], -2);
    st_scene_destroy(scene);
}

// The event clears `animate` of the root; a step can be made all the same. Other events do nothing.
static void a_pause_event_pauses(void **state) {
    (void)state;
    st_scene *scene = start(create(false), "<Node animate='1'><DefaultAnimationLoop/><Node name='n'>"
                                           "<PauseAnimationOnEvent/></Node></Node>");
    st_object *root = st_scene_find(scene, "/");
    int64_t animate = -1;
    st_node_send_event((st_node *)root, "ResumeEvent", 0, NULL);
    assert_int_equal(st_object_get_integers(root, "animate", &animate, 1), 1);
    assert_int_equal(animate, 1);
    st_node_send_event((st_node *)root, "PauseEvent", 0, NULL);
    st_object_get_integers(root, "animate", &animate, 1);
    assert_int_equal(animate, 0);
    run(scene, 1, 0);
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_a_running_sum),
        cmocka_unit_test(a_reset_goes_back_to_the_first_time),
        cmocka_unit_test(steps_are_cut_into_parts),
        cmocka_unit_test(only_the_first_integrator_of_a_node_is_used_in_parts),
        cmocka_unit_test(parts_must_be_positive),
        cmocka_unit_test(child_nodes_have_loops_of_their_own),
        cmocka_unit_test(integrators_run_by_tag),
        cmocka_unit_test(interactions_above_integrators_act_explicitly),
        cmocka_unit_test(interactions_after_the_integrators_come_too_late),
        cmocka_unit_test(integrators_below_an_integrator_are_not_run),
        cmocka_unit_test(external_forces_last_one_step),
        cmocka_unit_test(events_come_in_order),
        cmocka_unit_test(a_diverging_step_fails_and_is_taken_back),
        cmocka_unit_test(the_target_must_be_a_node),
        cmocka_unit_test(a_failing_part_takes_the_whole_step_back),
        cmocka_unit_test(a_state_of_another_size_is_not_put_back),
        cmocka_unit_test(the_target_may_be_written_between_steps),
        cmocka_unit_test(a_lost_linear_solver_fails_the_step),
        cmocka_unit_test(a_pause_event_pauses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
