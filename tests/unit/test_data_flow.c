// Data links between fields, engines, and what a write at run time sets in motion.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_probe.h"

#define ROOT(inside) "<Node><DefaultAnimationLoop/>" inside "</Node>"

// ---------------------------------------------------------------------------------------------------
// Links
// ---------------------------------------------------------------------------------------------------

static void values_follow_their_source(void **unused) {
    (void)unused;
    st_scene *scene =
        probe_init(ROOT("<Probe name='a' number='3' text='hello'/>"
                        "<Probe name='b' number='@a.number' text='@/a.text' real='@.number'/>"
                        "<Node name='n'><Probe name='c' number='@../b.number' real='@[].number'/></Node>"));
    const probe *b = PROBE(scene, "/b"), *c = PROBE(scene, "/n/c");
    assert_int_equal(b->number, 3);
    assert_string_equal(b->text, "hello");
    assert_true(b->real == 3);
    assert_int_equal(c->number, 3);
    assert_true(c->real == 3);
    assert_true(st_is_set(&b->object, &b->number));
    assert_int_equal(st_object_set(probe_find(scene, "/a"), "number", "8"), ST_OK);
    assert_int_equal(c->number, 3); // pulled when it is read
    probe_expect(scene, "/n/c", "number", "8");
    // writing a linked field does not cut the link: the next change of the source wins
    st_object_set(probe_find(scene, "/b"), "number", "1");
    probe_expect(scene, "/b", "number", "1");
    probe_expect(scene, "/n/c", "number", "1");
    st_object_set(probe_find(scene, "/a"), "number", "9");
    probe_expect(scene, "/b", "number", "9");
    st_scene_destroy(scene);
}

static void values_are_converted(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(
        ROOT("<Probe name='a' number='3' real='2.75' point='4 5 6' points='1 2 3  4 5 6' text='7 8 9' words='x y' "
             "reals='9 8 7 6'/>"
             "<Probe name='b' template='Rigid3' coords='@a.points' coord='@a.point' text='@a.points' words='@a.text'/>"
             "<Probe name='c' coords='@b.coords' point='@a.reals' reals='@a.points' number='@a.real' real='@a.number'/>"
             "<Probe name='d' point='@a.text' number='@a.text' indices='@a.reals' text='@a.words' flag='@a.number'/>"
             "<Probe name='e' points='@a.point' real='@a.points' text='@a.real'/>"));
    probe_expect(scene, "/b", "coords", "1 2 3 0 0 0 1 4 5 6 0 0 0 1"); // identity rotations
    probe_expect(scene, "/b", "coord", "4 5 6 0 0 0 1");
    probe_expect(scene, "/b", "text", "1 2 3 4 5 6");
    assert_int_equal(PROBE(scene, "/b")->words.count, 3);
    probe_expect(scene, "/c", "coords", "1 2 3 4 5 6"); // centers
    probe_expect(scene, "/c", "point", "9 8 7");
    probe_expect(scene, "/c", "reals", "1 4"); // first scalar of each element
    probe_expect(scene, "/c", "number", "2");
    probe_expect(scene, "/c", "real", "3");
    probe_expect(scene, "/d", "point", "7 8 9");
    probe_expect(scene, "/d", "number", "7");
    probe_expect(scene, "/d", "indices", "9 8 7 6");
    probe_expect(scene, "/d", "flag", "1");
    probe_expect(scene, "/e", "points", "4 5 6");
    probe_expect(scene, "/e", "real", "1");
    probe_expect(scene, "/e", "text", "2.75");
    assert_quiet(ST_WARNING, "link");
    st_scene_destroy(scene);
}

static void wrong_links(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("\n<Probe name='a' number='@later.number' real='@.nothing' text='@a' "
                                      "reals='@.any' indices='@nobody.x' words='@.' flag='@a.'/>"
                                      "<Probe name='later' number='1'/>"));
    assert_said(ST_WARNING,
                "<text>:2 /a Probe(a): data link number=\"@later.number\": there is no such component before");
    assert_said(ST_WARNING, "data link real=\"@.nothing\": the component there has no such field");
    assert_said(ST_WARNING, "text=\"@a\": it names no field");
    assert_said(ST_WARNING, "words=\"@.\": it names no field");
    assert_said(ST_WARNING, "flag=\"@a.\": it names no field");
    assert_said(ST_ERROR, "reals=\"@.any\": ");
    probe_expect(scene, "/a", "number", "7"); // the default stays, and counts as set
    assert_true(st_is_set(&PROBE(scene, "/a")->object, &PROBE(scene, "/a")->number));
    st_scene_destroy(scene);
}

static void cycles_are_refused(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("<Probe name='a' number='@.real' real='@.number'/>"
                                      "<Probe name='s' number='@.number'/>"
                                      "<Adder name='e' a='1'/><Probe name='b' real='@e.sum'/>"));
    assert_said(ST_ERROR,
                "/a Probe(a): data field 'real' would depend on itself through 'number' of the same component");
    assert_said(ST_ERROR, "/s Probe(s): data field 'number' would depend on itself");
    // through an engine, at run time
    assert_int_equal(st_object_set(probe_find(scene, "/e"), "b", "@b.real"), ST_INVALID);
    assert_said(ST_ERROR, "/e Adder(e): data field 'b' would depend on itself through 'real' of b");
    assert_int_equal(st_object_set(probe_find(scene, "/a"), "real", "4"), ST_OK);
    probe_expect(scene, "/a", "number", "4");
    probe_expect(scene, "/b", "real", "1");
    st_scene_destroy(scene);
}

// A chain as long as a scene: neither marking nor pulling may use the program's stack.
static void long_chains(void **unused) {
    (void)unused;
    enum { LENGTH = 30000 };
    st_scene *scene = probe_create(false);
    char *xml = malloc((size_t)LENGTH * 64 + 256), *at = xml;
    at += sprintf(at, "<Node><DefaultAnimationLoop/><Adder name='e0' a='1'/>");
    for (int i = 1; i < LENGTH; i++) at += sprintf(at, "<Adder name='e%d' a='@e%d.sum'/>", i, i - 1);
    sprintf(at, "</Node>");
    assert_int_equal(probe_try(scene, xml), ST_OK);
    free(xml);
    adder *last = ADDER(scene, "/e29999");
    probe_expect(scene, "/e29999", "sum", "1");
    probe_calls[0] = '\0';
    st_object_set(probe_find(scene, "/e0"), "b", "2");
    probe_expect(scene, "/e29999", "sum", "3");
    assert_true(last->sum == 3);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Engines
// ---------------------------------------------------------------------------------------------------

static void engines_run_when_they_are_read(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("<Adder name='idle' a='1' b='2'/><Adder name='e' a='1' b='2'/>"
                                      "<Adder name='f' a='@e.sum' b='@e.sum'/><Probe name='p' real='@f.sum'/>"));
    assert_int_equal(ADDER(scene, "/idle")->updates, 0); // never read
    assert_int_equal(ADDER(scene, "/e")->updates, 1);    // read twice, run once
    assert_int_equal(ADDER(scene, "/f")->updates, 1);
    assert_true(PROBE(scene, "/p")->real == 6);
    assert_non_null(strstr(probe_calls, "e.update f.update p.init"));
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_int_equal(ADDER(scene, "/f")->updates, 1); // nothing has changed
    st_object_set(probe_find(scene, "/e"), "b", "4");
    assert_int_equal(ADDER(scene, "/e")->updates, 1);
    probe_expect(scene, "/p", "real", "10");
    assert_int_equal(ADDER(scene, "/e")->updates, 2);
    st_object_set(probe_find(scene, "/e"), "b", "5");
    assert_int_equal(st_scene_step(scene, 0), ST_OK); // a step's begin pulls what is linked
    assert_true(PROBE(scene, "/p")->real == 12);
    assert_int_equal(ADDER(scene, "/idle")->updates, 0);
    probe_expect(scene, "/idle", "sum", "3");
    assert_int_equal(ADDER(scene, "/idle")->updates, 1);
    st_scene_destroy(scene);
}

// e feeds f and g, which both feed h: everybody runs once.
static void engines_of_a_diamond_run_once(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("<Adder name='e' a='1'/><Adder name='f' a='@e.sum' b='10'/>"
                                      "<Adder name='g' a='@e.sum' b='100'/><Adder name='h' a='@f.sum' b='@g.sum'/>"
                                      "<Probe name='p' real='@h.sum' number='@h.sum'/>"));
    assert_true(PROBE(scene, "/p")->real == 112);
    static const char *const engines[] = {"/e", "/f", "/g", "/h"};
    for (int i = 0; i < 4; i++) assert_int_equal(ADDER(scene, engines[i])->updates, 1);
    st_object_set(probe_find(scene, "/e"), "a", "2");
    probe_expect(scene, "/p", "number", "114");
    for (int i = 0; i < 4; i++) assert_int_equal(ADDER(scene, engines[i])->updates, 2);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Changes at run time
// ---------------------------------------------------------------------------------------------------

static void tracked_fields_are_noticed_at_the_next_step(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("<Adder name='e' a='1'/><Probe name='p' tracked='1' number='2'/>"
                                      "<Probe name='q' tracked='@e.sum'/>"));
    const probe *p = PROBE(scene, "/p"), *q = PROBE(scene, "/q");
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_int_equal(p->changes + q->changes, 0);
    st_object_set(probe_find(scene, "/p"), "tracked", "5");
    st_object_set(probe_find(scene, "/p"), "tracked", "6");
    assert_int_equal(p->changes, 0);
    st_scene_step(scene, 0);
    assert_int_equal(p->changes, 1); // once for both
    st_scene_step(scene, 0);
    assert_int_equal(p->changes, 1);
    st_object_set(probe_find(scene, "/p"), "number", "5"); // not tracked
    st_object_set(probe_find(scene, "/e"), "a", "3");      // through link and engine
    st_scene_step(scene, 0);
    assert_int_equal(p->changes, 1);
    assert_int_equal(q->changes, 1);
    assert_int_equal(q->tracked, 3);
    st_scene_destroy(scene);
}

static void wrong_writes_are_answered(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("<Probe name='p'/>"));
    st_object *p = probe_find(scene, "/p");
    assert_int_equal(st_object_set(p, "nothing", "1"), ST_NOT_FOUND);
    assert_said(ST_ERROR, "there is no field called 'nothing'");
    assert_int_equal(st_object_set(p, "number", "x"), ST_INVALID);
    assert_int_equal(st_object_set(p, "number", "@nobody.number"), ST_INVALID);
    assert_int_equal(st_object_set(p, "gone", "1"), ST_INVALID);
    assert_null(st_object_get(p, "nothing", 6));
    size_t count, width;
    assert_null(st_object_reals(p, "number", &count, &width));
    st_scene_destroy(scene);
}

// A link from a vector of a state delivers after each step; one into a state is cut or filled to its size.
static void vectors_of_states_are_followed(void **unused) {
    (void)unused;
    st_scene *scene = probe_init("<Node gravity='0 0 -10' dt='0.1'><DefaultAnimationLoop/><EulerExplicitSolver/>"
                                 "<MechanicalObject name='s' position='0 0 0  1 0 0'/><UniformMass totalMass='2'/>"
                                 "<Probe name='p' points='@s.position'/></Node>");
    const probe *p = PROBE(scene, "/p");
    assert_int_equal(p->points.count, 2);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    const st_state *s = STATE(scene, "/s");
    assert_true(s->coord[ST_COORD_POSITION].data[2] < 0);
    size_t count, width;
    const st_real *points = st_object_reals(probe_find(scene, "/p"), "points", &count, &width);
    assert_true(points[2] == s->coord[ST_COORD_POSITION].data[2]);
    // steps do not write rest positions
    const uint32_t before = st_change_count(&s->object, &s->coord[ST_COORD_REST]);
    assert_int_equal(st_object_set(probe_find(scene, "/p"), "coords", "@s.rest_position"), ST_OK);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_int_equal(st_change_count(&s->object, &s->coord[ST_COORD_REST]), before);
    st_scene_destroy(scene);
}

// Two falling bodies, the second linked to the first, and a state without a solver that is linked, too. The second is
// where the first has come to, plus its own step: -0.6 - 0.3.
static void a_linked_state_follows_within_the_step(void **unused) {
    (void)unused;
    st_scene *scene =
        probe_init("<Node gravity='0 -10 0' dt='0.1'><DefaultAnimationLoop/>"
                   "<Node name='a'><EulerExplicitSolver/><MechanicalObject name='s' velocity='1 0 0'/><UniformMass "
                   "totalMass='1'/></Node>"
                   "<Node name='b'><EulerExplicitSolver/><MechanicalObject name='s' "
                   "position='@../a/s.position'/><UniformMass totalMass='1'/></Node>"
                   "<Node name='c'><MechanicalObject name='s' position='@../a/s.position'/></Node></Node>");
    for (int i = 0; i < 3; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
    probe_expect(scene, "/a/s", "position", "0.3 -0.6 0");
    probe_expect(scene, "/b/s", "position", "0.3 -0.9 0");
    probe_expect(scene, "/c/s", "position", "0.3 -0.6 0");
    st_scene_destroy(scene);
}

static void a_running_state_keeps_its_size(void **unused) {
    (void)unused;
    st_scene *scene =
        probe_init("<Node dt='0.1'><DefaultAnimationLoop/><EulerExplicitSolver/>"
                   "<MechanicalObject name='s' template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0 0 1'/>"
                   "<UniformMass totalMass='2'/></Node>");
    st_object *s = probe_find(scene, "/s");
    st_object_set(s, "position", "5 6 7 0 0 0 1");
    assert_said(ST_WARNING, "/s MechanicalObject(s): position has 1 elements; the state keeps its 2");
    probe_expect(scene, "/s", "position", "5 6 7 0 0 0 1 0 0 0 0 0 0 1");
    st_object_set(s, "velocity", "");
    probe_expect(scene, "/s", "velocity", "0 0 0 0 0 0 0 0 0 0 0 0");
    st_object_set(s, "position", "1 1 1 0 0 0 1  2 2 2 0 0 0 1  3 3 3 0 0 0 1");
    probe_expect(scene, "/s", "position", "1 1 1 0 0 0 1 2 2 2 0 0 0 1");
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_follow_their_source),
        cmocka_unit_test(values_are_converted),
        cmocka_unit_test(wrong_links),
        cmocka_unit_test(cycles_are_refused),
        cmocka_unit_test(long_chains),
        cmocka_unit_test(engines_run_when_they_are_read),
        cmocka_unit_test(engines_of_a_diamond_run_once),
        cmocka_unit_test(tracked_fields_are_noticed_at_the_next_step),
        cmocka_unit_test(wrong_writes_are_answered),
        cmocka_unit_test(vectors_of_states_are_followed),
        cmocka_unit_test(a_linked_state_follows_within_the_step),
        cmocka_unit_test(a_running_state_keeps_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
