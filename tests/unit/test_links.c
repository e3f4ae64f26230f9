// Paths, component links and src.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_probe.h"

#define ROOT(inside) "<Node><DefaultAnimationLoop/>" inside "</Node>"
#define NODE(name, inside) "<Node name='" name "'>" inside "</Node>"

// Where a link of /m/x with this text leads to, as a path; "-" for nowhere.
static void expect_target(const char *text, const char *link, const char *expected) {
    char xml[2048];
    snprintf(
        xml, sizeof xml,
        "<Node><DefaultAnimationLoop/><Probe name='top'/><Probe name='both'/>" NODE(
            "side",
            "<Probe name='p'/>") "<Node name='m'><MechanicalObject name='state'/><Probe name='before'/><Probe "
                                 "name='both'/>" NODE("in", "<Probe name='deep'/><Probe name='in'/>") NODE("bare", "")
                                     NODE("two", "<MechanicalObject name='t1'/><MechanicalObject name='t2'/>") NODE(
                                         "model",
                                         "<MechanicalObject name='t'/><OglModel name='v'/>") "<Probe name='x' "
                                                                                             "%s='%s'/></Node></Node>",
        link, text);
    st_scene *scene = probe_init(xml);
    const st_object *target = strcmp(link, "any") == 0     ? PROBE(scene, "/m/x")->any
                              : strcmp(link, "state") == 0 ? PROBE(scene, "/m/x")->state
                                                           : PROBE(scene, "/m/x")->node;
    const char *path = target ? st_path(target) : "-";
    if (strcmp(path, expected) != 0) fail_msg("%s='%s' leads to %s, not %s", link, text, path, expected);
    st_scene_destroy(scene);
}

static void paths(void **unused) {
    (void)unused;
    expect_target("@before", "any", "/m/before");
    expect_target("@top", "any", "/top");               // climbs
    expect_target("@both", "any", "/m/both");           // the nearest
    expect_target("@./top", "any", "-");                // . does not climb
    expect_target("@./before", "any", "/m/before");     //
    expect_target("@../top", "any", "/top");            //
    expect_target("@../before", "any", "-");            //
    expect_target("@/top", "any", "/top");              //
    expect_target("@/m/before", "any", "/m/before");    //
    expect_target("@/before", "any", "-");              // / does not climb
    expect_target("@//m//before", "any", "/m/before");  // empty segments are nothing
    expect_target("@side/p", "any", "/side/p");         // climbs for the first name
    expect_target("@in/deep", "any", "/m/in/deep");     //
    expect_target("@in/p", "any", "-");                 // and not for the others
    expect_target("@in/../before", "any", "/m/before"); //
    expect_target("@../../..", "any", "-");             // above the root
    expect_target("@top/x", "any", "-");                // nothing below a component
    expect_target("@nobody", "any", "-");
}

static void offsets(void **unused) {
    (void)unused;
    expect_target("@[-1]", "any", "/m/both");
    expect_target("@[-2]", "any", "/m/before");
    expect_target("@[-4]", "any", "-");
    expect_target("@[-9223372036854775808]", "any", "-");
    expect_target("@[-99999999999999999999999]", "any", "-");
    expect_target("@[1]", "any", "-");
    expect_target("@[-1", "any", "-");
}

static void nodes(void **unused) {
    (void)unused;
    expect_target("@in", "node", "/m/in");
    expect_target("@..", "node", "/");
    expect_target("@/", "node", "/");
    expect_target("@./", "node", "/m");
    expect_target("@[]", "node", "/m");
    expect_target("@", "node", "/m");
    expect_target("@before", "node", "-");
}

// A path that ends on a node means its state, else the nearest one upwards; two make it ambiguous.
static void states_of_nodes(void **unused) {
    (void)unused;
    expect_target("@state", "state", "/m/state");
    expect_target("@.", "state", "/m/state");
    expect_target("@../m", "state", "/m/state");
    expect_target("@in", "state", "/m/state");
    expect_target("@two", "state", "-");
    expect_target("@two/t1", "state", "/m/two/t1");
    expect_target("@bare", "state", "/m/state");
    expect_target("@before", "state", "-"); // not a state
    expect_target("@..", "state", "-");
    expect_target("@model", "state", "/m/model/t"); // the mechanical one
}

static void links_to_what_comes_later(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe name='a' any='@b' many='@a @b @c'/><Probe name='b'/><Probe name='c'/>"));
    assert_null(PROBE(scene, "/a")->any);
    assert_quiet(ST_WARNING, "link");
    assert_true(st_succeeded(st_scene_init(scene)));
    assert_ptr_equal(PROBE(scene, "/a")->any, probe_find(scene, "/b"));
    assert_int_equal(PROBE(scene, "/a")->many.count, 3);
    assert_ptr_equal(PROBE(scene, "/a")->many.data[2], probe_find(scene, "/c"));
    assert_quiet(ST_WARNING, "link");
    probe_expect(scene, "/a", "many", "@/a @/b @/c");
    st_scene_destroy(scene);
}

static void broken_links_are_reported_once(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("\n<Probe name='a' any='@nobody' many='@a nowhere @b'/>"
                                      "<Probe name='d' any='@a @a' state='@a'/><Probe name='e' any='@a.number'/>"));
    assert_said(ST_WARNING, "<text>:2 /a Probe(a): link update failed for 'any': no suitable component at \"@nobody\"");
    assert_said(ST_WARNING, "link update failed for 'many'");
    assert_int_equal(probe_count(ST_ERROR, "link 'many': \"nowhere\" does not begin with @"), 1);
    assert_int_equal(PROBE(scene, "/a")->many.count, 2); // the missing one is NULL
    assert_ptr_equal(PROBE(scene, "/a")->many.data[0], probe_find(scene, "/a"));
    assert_null(PROBE(scene, "/a")->many.data[1]);
    assert_int_equal(probe_count(ST_WARNING, "link 'any' takes one component"), 1);
    assert_ptr_equal(PROBE(scene, "/d")->any, probe_find(scene, "/a"));
    assert_null(PROBE(scene, "/d")->state);
    assert_said(ST_ERROR, "\"@a.number\" looks like a data field");
    st_scene_destroy(scene);
}

// Links found by name in a node of many entries, where an index answers, are the same as in a small one.
static void large_nodes_answer_like_small_ones(void **unused) {
    (void)unused;
    st_scene *scene = probe_create(false);
    char *xml = malloc(200000), *at = xml;
    at += sprintf(at, "<Node><DefaultAnimationLoop/><MechanicalObject name='s'/>");
    for (int i = 0; i < 100; i++)
        at +=
            sprintf(at, "<Node name='n%d'><Probe name='p' any='@s'/></Node><Probe name='c%d' any='@n%d' state='@./'/>",
                    i, i, i);
    sprintf(at, "<Probe name='c7' number='1'/><Probe name='s'/><Probe name='last' any='@c7' state='@.'/></Node>");
    assert_int_equal(probe_try(scene, xml), ST_OK);
    free(xml);
    for (int i = 0; i < 100; i += 33) {
        char path[32];
        snprintf(path, sizeof path, "/c%d", i);
        const st_object *target = PROBE(scene, path)->any;
        snprintf(path, sizeof path, "/n%d", i);
        assert_string_equal(st_path(target), path);
    }
    assert_int_equal(((probe *)PROBE(scene, "/last")->any)->number, 7); // the first of that name
    assert_string_equal(st_path(PROBE(scene, "/last")->state), "/s");
    // a new name is found, the old one no longer
    assert_int_equal(st_object_set(probe_find(scene, "/c50"), "name", "renamed"), ST_OK);
    assert_null(st_scene_find(scene, "/c50"));
    probe_find(scene, "/renamed");
    assert_int_equal(st_object_set(probe_find(scene, "/n50"), "name", "other"), ST_OK);
    probe_find(scene, "/other/p");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// src
// ---------------------------------------------------------------------------------------------------

static void src_links_fields_of_the_same_name(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(
        ROOT("<Probe name='source' number='3' real='4' text='t' file='f' sh='5' printLog='1' listening='1' tags='x' "
             "points='1 2 3'/>"
             "<Probe name='a' src='@source' real='8'/>"));
    const probe *a = PROBE(scene, "/a");
    assert_int_equal(a->number, 3);
    assert_true(a->real == 8); // what is written wins
    assert_string_equal(a->text, "t");
    assert_true(a->shorthand == 3); // a short-hand is no field to be linked
    assert_false(a->object.print_log || a->object.listening);
    assert_int_equal(a->object.tags.count, 0);
    assert_string_equal(a->object.name, "a");
    assert_int_equal(a->points.count, 1);
    st_object_set(probe_find(scene, "/source"), "number", "5");
    probe_expect(scene, "/a", "number", "5");
    st_object_set(probe_find(scene, "/source"), "real", "5");
    probe_expect(scene, "/a", "real", "8");
    st_scene_destroy(scene);
}

static void src_does_not_climb(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("<Probe name='source' number='3'/>"
                                      "<Node name='n'>\n<Probe name='a' src='@source'/>"
                                      "<Probe name='b' src='@../source'/><Probe name='c' src='@/source'/>"
                                      "<Probe name='d' src='source'/><Probe name='e' src='@'/>"
                                      "<Probe name='f' src='@[-1]'/><Probe name='g' src='@g'/></Node>"
                                      "<Probe name='h' src='@n/b'/><Probe name='i' src='@n/b/c'/>"));
    probe_expect(scene, "/n/a", "number", "7");
    probe_expect(scene, "/n/b", "number", "3");
    probe_expect(scene, "/n/c", "number", "3");
    probe_expect(scene, "/h", "number", "3");
    probe_expect(scene, "/i", "number", "7");
    assert_said(ST_ERROR, "<text>:2 /n/a Probe(a): src=\"@source\": there is no such component");
    assert_said(ST_ERROR, "src=\"source\" is not a link");
    assert_said(ST_WARNING, "src=\"@\" names no component");
    assert_said(ST_ERROR, "src=\"@g\"");
    assert_ptr_equal(PROBE(scene, "/n/f")->object.data[4].source, probe_find(scene, "/n/e"));
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths),
        cmocka_unit_test(offsets),
        cmocka_unit_test(nodes),
        cmocka_unit_test(states_of_nodes),
        cmocka_unit_test(links_to_what_comes_later),
        cmocka_unit_test(broken_links_are_reported_once),
        cmocka_unit_test(large_nodes_answer_like_small_ones),
        cmocka_unit_test(src_links_fields_of_the_same_name),
        cmocka_unit_test(src_does_not_climb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
