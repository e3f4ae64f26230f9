// The order of init, backward init and events; context; default loop; inactive and sleeping nodes.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_probe.h"

#define ROOT(inside) "<Node><DefaultAnimationLoop/>" inside "</Node>"

// Removes what does not end in one of the wanted hooks.
static void keep_calls(const char *wanted) {
    char kept[sizeof probe_calls] = "";
    for (char *word = strtok(probe_calls, " "); word; word = strtok(NULL, " ")) {
        const char *dot = strchr(word, '.');
        if (dot && st_has_word(wanted, dot + 1)) {
            strcat(kept, word);
            strcat(kept, " ");
        }
    }
    strcpy(probe_calls, kept);
}

static void init_goes_down_and_back(void **unused) {
    (void)unused;
    st_scene *scene =
        probe_init(ROOT("<Probe name='a'/><Node name='n'><Probe name='b'/><Node name='i'><Probe name='c'/>"
                        "</Node><Probe name='d'/></Node><Probe name='e'/>"
                        "<Node name='m'><Probe name='f'/></Node>"));
    keep_calls("init bwd store");
    assert_string_equal(probe_calls, "a.init e.init b.init d.init c.init f.init "
                                     "f.bwd c.bwd d.bwd b.bwd e.bwd a.bwd "
                                     "a.store e.store b.store d.store c.store f.store ");
    st_scene_destroy(scene);
}

static void components_are_parsed_in_document_order(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe name='a'/><Node name='n'><Probe name='b'/></Node><Probe name='c'/>"));
    assert_string_equal(probe_calls, "a.parse b.parse c.parse ");
    st_scene_destroy(scene);
}

static void what_init_adds_is_initialized(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("<Probe name='a' text='grow'/><Probe name='b'/>"));
    keep_calls("init bwd");
    assert_string_equal(probe_calls, "a.init b.init grown.init grown.bwd b.bwd a.bwd ");
    st_scene_destroy(scene);
}

static void an_invalid_component_is_left_alone(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("<Listener name='a' text='invalid'/><Probe name='b'/>"));
    assert_said(ST_ERROR, "/a Listener(a): says that it is invalid");
    keep_calls("init bwd done begin");
    assert_string_equal(probe_calls, "a.init b.init b.bwd ");
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    keep_calls("init bwd done begin");
    assert_string_equal(probe_calls, "a.init b.init b.bwd ");
    st_scene_destroy(scene);
}

static void a_scene_is_initialized_once(void **unused) {
    (void)unused;
    st_scene *scene = probe_create(false);
    assert_int_equal(st_scene_init(scene), ST_INVALID);
    assert_said(ST_ERROR, "there is no scene");
    assert_int_equal(st_scene_step(scene, 0), ST_INVALID);
    assert_int_equal(st_scene_reset(scene), ST_INVALID);
    assert_int_equal(probe_try(scene, ROOT("")), ST_OK);
    assert_int_equal(st_scene_init(scene), ST_INVALID);
    assert_said(ST_ERROR, "initialized already");
    assert_int_equal(st_scene_load_text(scene, ROOT(""), strlen(ROOT("")), NULL), ST_INVALID);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Default loop
// ---------------------------------------------------------------------------------------------------

static void a_loop_is_added_in_front(void **unused) {
    (void)unused;
    st_scene *scene = probe_init("<Node><Probe name='a'/></Node>");
    assert_said(ST_WARNING, "<text>:1 - scene: there is no animation loop in the root node");
    const st_node *root = st_scene_root(scene);
    assert_int_equal(root->objects.count, 2);
    assert_string_equal(root->objects.data[0]->name, "DefaultAnimationLoop");
    assert_string_equal(st_object_class_name(root->objects.data[0]), "DefaultAnimationLoop");
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    st_scene_destroy(scene);
    scene = probe_init(ROOT(""));
    assert_quiet(ST_WARNING, "loop");
    assert_int_equal(st_scene_root(scene)->objects.count, 1);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------------------------------

static void events_reach_those_who_listen(void **unused) {
    (void)unused;
    st_scene *scene =
        probe_init(ROOT("<Probe name='deaf'/><Probe name='a' listening='1'/><Listener name='b'/>"
                        "<Listener name='off' listening='0'/><Node name='n'><Listener name='c'/></Node>"));
    keep_calls("start done");
    assert_string_equal(probe_calls, "a.start b.start c.start a.done b.done c.done ");
    probe_calls[0] = '\0';
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    char of_c[512] = "";
    for (char *word = strtok(probe_calls, " "); word; word = strtok(NULL, " "))
        if (strncmp(word, "c.", 2) == 0) strcat(strcat(of_c, word + 2), " ");
    assert_string_equal(of_c, "begin cbegin cend ibegin iend end mapped ");
    st_scene_destroy(scene);
}

static void a_handled_event_goes_no_further(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("<Node name='n'><Listener name='a'/><Listener name='b' text='handle'/>"
                                      "<Listener name='c'/><Node name='i'><Listener name='d'/></Node></Node>"));
    probe_calls[0] = '\0';
    st_event event = {.kind = ST_EVENT_ANIMATE_BEGIN};
    st_send_event(st_scene_root(scene), &event);
    assert_true(event.handled);
    assert_string_equal(probe_calls, "a.begin b.begin ");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Context
// ---------------------------------------------------------------------------------------------------

static void only_the_roots_context_counts(void **unused) {
    (void)unused;
    st_scene *scene = probe_init("<Node gravity='1 2 3' dt='0.5' time='4'><DefaultAnimationLoop/>"
                                 "<Node name='n' gravity='9 9 9' dt='9' time='9'><Probe name='p'/></Node>"
                                 "<Node name='m'><Gravity gravity='0 0 -1'/><Probe name='p'/>"
                                 "<Node name='i' gravity='5 5 5'><Probe name='p'/></Node></Node></Node>");
    const st_node *n = (st_node *)probe_find(scene, "/n"), *i = (st_node *)probe_find(scene, "/m/i");
    assert_true(n->gravity[0] == 1 && n->gravity[1] == 2 && n->gravity[2] == 3);
    assert_true(n->dt == (st_real)0.5 && n->time == 4);
    assert_true(PROBE(scene, "/n/p")->gravity[0] == 1 && PROBE(scene, "/n/p")->time == 4); // before init already
    assert_true(PROBE(scene, "/m/p")->gravity[2] == -1 && PROBE(scene, "/m/i/p")->gravity[2] == -1);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_true(i->time == (st_real)4.5 && i->gravity[2] == -1);
    st_object_set(&st_scene_root(scene)->object, "gravity", "7 7 7");
    st_scene_step(scene, 0);
    assert_true(n->gravity[0] == 7 && i->gravity[0] == 0);
    st_scene_destroy(scene);
}

static void defaults_of_a_node(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("<Node name='n' showBehaviorModels='1' unknown='x'/>"));
    const st_node *root = st_scene_root(scene);
    assert_true(root->dt == (st_real)0.01 && root->time == 0 && root->gravity[1] == (st_real)-9.81);
    assert_true(root->activated && !root->sleeping);
    assert_said(ST_DEPRECATED, "showBehaviorModels");
    assert_quiet(ST_WARNING, "unknown");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Inactive and sleeping nodes
// ---------------------------------------------------------------------------------------------------

static void inactive_nodes_are_left_out(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("<Node name='n' activated='0'><Listener name='a'/>"
                                      "<Node name='i'><Listener name='b'/></Node></Node><Listener name='c'/>"));
    st_scene_step(scene, 0);
    assert_null(strstr(probe_calls, "a.init"));
    assert_null(strstr(probe_calls, "b.begin"));
    assert_non_null(strstr(probe_calls, "c.begin"));
    // once switched on, it is initialized and takes part
    probe_calls[0] = '\0';
    st_object_set(probe_find(scene, "/n"), "activated", "1");
    keep_calls("init bwd store");
    assert_string_equal(probe_calls, "a.init b.init b.bwd a.bwd a.store b.store ");
    st_scene_step(scene, 0);
    assert_non_null(strstr(probe_calls, "b.begin"));
    probe_calls[0] = '\0';
    st_object_set(probe_find(scene, "/n"), "activated", "0");
    st_object_set(probe_find(scene, "/n"), "activated", "1");
    assert_null(strstr(probe_calls, "init"));
    st_scene_destroy(scene);
}

#define BALL(attributes)                                                                                               \
    "<Node name='n' " attributes "><EulerExplicitSolver/><MechanicalObject name='s'/><UniformMass totalMass='1'/>"     \
    "<Listener name='p'/></Node>"

static void sleeping_nodes_do_not_move(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(BALL("sleeping='1'")));
    assert_non_null(strstr(probe_calls, "p.init"));
    st_scene_step(scene, 0);
    assert_non_null(strstr(probe_calls, "p.begin")); // events still reach it
    assert_true(STATE(scene, "/n/s")->coord[ST_COORD_POSITION].data[1] == 0);
    st_object_set(probe_find(scene, "/n"), "sleeping", "0");
    st_scene_step(scene, 0);
    assert_true(STATE(scene, "/n/s")->coord[ST_COORD_POSITION].data[1] < 0);
    st_scene_destroy(scene);
}

static void a_body_switched_on_later_falls(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(BALL("activated='0'")));
    st_scene_step(scene, 0);
    assert_true(STATE(scene, "/n/s")->coord[ST_COORD_POSITION].data[1] == 0);
    st_object_set(probe_find(scene, "/n"), "activated", "1");
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_true(STATE(scene, "/n/s")->coord[ST_COORD_POSITION].data[1] < 0);
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init_goes_down_and_back),        cmocka_unit_test(components_are_parsed_in_document_order),
        cmocka_unit_test(what_init_adds_is_initialized),  cmocka_unit_test(an_invalid_component_is_left_alone),
        cmocka_unit_test(a_scene_is_initialized_once),    cmocka_unit_test(a_loop_is_added_in_front),
        cmocka_unit_test(events_reach_those_who_listen),  cmocka_unit_test(a_handled_event_goes_no_further),
        cmocka_unit_test(only_the_roots_context_counts),  cmocka_unit_test(defaults_of_a_node),
        cmocka_unit_test(inactive_nodes_are_left_out),    cmocka_unit_test(sleeping_nodes_do_not_move),
        cmocka_unit_test(a_body_switched_on_later_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
