// What a plan holds and in which orders: traversal, mapping graph, masses, projections, states outside, tags.
//
// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.h"
#include "scene_probe.h"
#include "settee/plugin/physics.h"

extern const st_class st_identity_mapping_class;

static st_scene *start(const char *inside) {
    char xml[8192];
    snprintf(xml, sizeof xml, "<Node gravity='0 -10 0' dt='0.1'><DefaultAnimationLoop/>%s</Node>", inside);
    st_scene *scene = probe_create(false);
    if (!st_registry_find(scene, "IdentityMapping")) st_register_class(scene, &st_identity_mapping_class);
    if (probe_try(scene, xml) != ST_OK) fail_msg("%s", probe_messages);
    return scene;
}

// The names of a list of components, in order.
static void expect_names(st_object *const *objects, size_t count, const char *expected, int line) {
    char names[1024] = "";
    for (size_t i = 0; i < count; i++) {
        strcat(names, i ? " " : "");
        strcat(names, objects[i]->name);
    }
    if (strcmp(names, expected) != 0)
        fail_msg("line %d: \"%s\", not \"%s\"\n%s", line, names, expected, probe_messages);
}
#define EXPECT(list, names) expect_names((st_object *const *)(void *)(list).data, (list).count, names, __LINE__)

#define STATE_(name) "<MechanicalObject name='" name "'/>"
#define MASS(name) "<UniformMass name='" name "' vertexMass='1'/>"
#define FORCE(name) "<ConstantForceField name='" name "' forces='1 0 0'/>"
#define PAIR(name, a, b) "<SpringForceField name='" name "' object1='@" a "' object2='@" b "' spring='0 0 1 0 1'/>"
#define FIX(name) "<FixedProjectiveConstraint name='" name "' indices=''/>"
#define MAP(name, attributes) "<IdentityMapping name='" name "' " attributes "/>"
#define NODE(name, inside) "<Node name='" name "'>" inside "</Node>"

// ---------------------------------------------------------------------------------------------------
// Traversal
// ---------------------------------------------------------------------------------------------------

static void the_traversal_is_depth_first(void **unused) {
    (void)unused;
    st_scene *scene =
        start(NODE("a", STATE_("s1") FORCE("f1") MASS("m1") FIX("c1") FORCE("f2")
                            NODE("b", STATE_("s2") FORCE("f3") MAP("j1", "") FIX("c2")))
                  NODE("d", STATE_("s3") PAIR("p1", "/a/s1", "s3") MASS("m3") FORCE("f4") FIX("c3") FIX("c4")));
    const st_plan *plan = st_plan_of(st_scene_root(scene));
    EXPECT(plan->states, "s1 s2 s3");
    EXPECT(plan->independent, "s1 s3");
    EXPECT(plan->forces, "f1 m1 f2 f3 m3 f4 p1"); // interactions after the others of their node
    EXPECT(plan->masses, "m1 m3");
    EXPECT(plan->mappings, "j1");
    EXPECT(plan->projections, "c1 c2 c3 c4");
    EXPECT(plan->responses, "c3 c4 c2 c1"); // nodes in reverse, each in its own order
    EXPECT(plan->graph_projections, "c1 c2 c3 c4");
    EXPECT(plan->outside, "");
    assert_true(STATE(scene, "/a/b/s2")->mapped && !STATE(scene, "/a/s1")->mapped);
    assert_int_equal(plan->size, 6);
    assert_int_equal(plan->offsets[1], 3);
    st_scene_destroy(scene);
}

static void only_the_last_of_a_slot_counts(void **unused) {
    (void)unused;
    st_scene *scene = start(STATE_("s1") MASS("m1") STATE_("s2") MASS("m2") FORCE("f"));
    assert_said(ST_WARNING, "MechanicalObject(s2): only one state is permitted in a node; it replaces 's1'");
    assert_said(ST_WARNING, "UniformMass(m2): only one mass is permitted in a node; it replaces 'm1'");
    const st_plan *plan = st_plan_of(st_scene_root(scene));
    EXPECT(plan->states, "s2");
    EXPECT(plan->masses, "m2");
    EXPECT(plan->forces, "m1 m2 f"); // every mass keeps its weight
    st_scene_destroy(scene);
}

// a = M⁻¹ f uses each node's mass; M dx stops at masses and at mappings.
static void masses_below_masses(void **unused) {
    (void)unused;
    st_scene *scene = start(NODE("a", STATE_("s1") MASS("m1") NODE("b", STATE_("s2") MASS("m2")))
                                NODE("c", STATE_("s3") NODE("d", STATE_("s4") MAP("j", "") MASS("m4")))
                                    NODE("e", NODE("g", STATE_("s5") MASS("m5"))));
    const st_plan *plan = st_plan_of(st_scene_root(scene));
    EXPECT(plan->masses, "m1 m2 m4 m5");
    EXPECT(plan->mdx_masses, "m1 m5");
    assert_true(plan->mapped_mass);
    st_scene_destroy(scene);
}

static void mappings_without_forces_stop_the_traversal(void **unused) {
    (void)unused;
    st_scene *scene =
        start(STATE_("s1") MASS("m1") NODE("b", STATE_("s2") MAP("j1", "mapForces='0'") FORCE("f2") FIX("c2")
                                                    NODE("c", STATE_("s3") MAP("j2", "") FORCE("f3"))));
    const st_plan *plan = st_plan_of(st_scene_root(scene));
    EXPECT(plan->states, "s1");
    EXPECT(plan->forces, "m1");
    EXPECT(plan->mappings, "");
    EXPECT(plan->projections, "");
    EXPECT(plan->responses, "c2"); // never stops
    EXPECT(plan->all_mappings, "j1 j2");
    EXPECT(plan->graph_states, "s1 s2 s3");
    EXPECT(plan->graph_forces, "m1 f2 f3"); // the mapping graph does not look at the flag
    EXPECT(plan->graph_mappings, "j2 j1");
    EXPECT(plan->outside, "s2 s3");
    // the flag may change at run time
    st_object_set(probe_find(scene, "/b/j1"), "mapForces", "1");
    plan = st_plan_of(st_scene_root(scene));
    EXPECT(plan->states, "s1 s2 s3");
    EXPECT(plan->mappings, "j1 j2");
    EXPECT(plan->outside, "");
    st_scene_destroy(scene);
}

static void tags_choose(void **unused) {
    (void)unused;
    st_scene *scene =
        start("<Node name='n' tags='x'><MechanicalObject name='s1' tags='x y'/>"
              "<UniformMass name='m1' vertexMass='1' tags='x'/><ConstantForceField name='f1' forces='1 0 0'/>"
              "<Node name='b'><MechanicalObject name='s2' tags='y'/></Node></Node>");
    st_plan *plan = st_plan_of((st_node *)probe_find(scene, "/n"));
    EXPECT(plan->states, "s1");
    EXPECT(plan->forces, "m1");
    EXPECT(plan->graph_forces, "m1 f1"); // tags are not looked at
    EXPECT(plan->graph_states, "s1 s2");
    st_object_set(probe_find(scene, "/n/b/s2"), "tags", "x");
    plan = st_plan_of((st_node *)probe_find(scene, "/n"));
    EXPECT(plan->states, "s1 s2");
    st_scene_destroy(scene);
}

static void inclusion_of_tags(void **unused) {
    (void)unused;
    static const struct {
        const char *object, *required;
        bool included;
    } cases[] = {
        {"", "", true},      {"a", "", true},     {"a b", "a", true}, {"a b", "a b", true}, {"a", "a b", false},
        {"", "a", false},    {"", "!a", true},    {"a", "!a", false}, {"b", "!a", true},    {"", "0", true},
        {"a", "0", true},    {"", "a 0", true},   {"", "0 a", true},  {"b", "0 a", false},  {"", "!a !b", true},
        {"", "!a b", false}, {"b", "!a b", true},
    };
    st_scene *scene = start("<Probe name='o'/><Probe name='r'/>");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        st_object *o = probe_find(scene, "/o"), *r = probe_find(scene, "/r");
        st_object_set(o, "tags", cases[i].object);
        st_object_set(r, "tags", cases[i].required);
        if (st_tags_include(&o->tags, &r->tags) != cases[i].included) fail_msg("case %zu", i);
    }
    st_scene_destroy(scene);
}

static void invalid_components_are_left_out(void **unused) {
    (void)unused;
    st_scene *scene = start(STATE_("s") MASS("m") FORCE("f"));
    probe_find(scene, "/f")->validity = ST_BROKEN;
    scene->structure++;
    EXPECT(st_plan_of(st_scene_root(scene))->forces, "m");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Mapping graph
// ---------------------------------------------------------------------------------------------------

static void forces_are_grouped_by_their_states(void **unused) {
    (void)unused;
    st_scene *scene = start(NODE("a", STATE_("s1") FORCE("f1")) NODE(
        "b", STATE_("s2") FORCE("f2")
                 PAIR("p1", "/a/s1", "s2") "<ConstantForceField name='f3' mstate='@/a/s1' forces='1 0 0'/>" FORCE("f4"))
                                PAIR("p2", "a/s1", "b/s2") PAIR("p3", "b/s2", "a/s1"));
    const st_plan *plan = st_plan_of(st_scene_root(scene));
    EXPECT(plan->graph_forces, "p2 p1 p3 f1 f3 f2 f4"); // the root's components come first
    st_scene_destroy(scene);
    scene = start(NODE("a", STATE_("s1") FORCE("f1")) NODE(
        "b", STATE_("s2") FORCE("f2")
                 PAIR("p1", "/a/s1", "s2") "<ConstantForceField name='f3' mstate='@/a/s1' forces='1 0 0'/>" FORCE("f4"))
                      NODE("c", PAIR("p2", "/a/s1", "/b/s2") PAIR("p3", "/b/s2", "/a/s1")));
    plan = st_plan_of(st_scene_root(scene));
    EXPECT(plan->graph_forces, "f1 f3 f2 f4 p1 p2 p3"); // p3 has them the other way round
    st_scene_destroy(scene);
}

// Leaves first; of one level the last first. A mapping of a state on which something acts comes a level later.
static void mappings_go_up_from_the_leaves(void **unused) {
    (void)unused;
    st_scene *scene = start(NODE("a", STATE_("s1") MASS("m1") NODE("b", STATE_("s2") MAP("j1", "") FORCE("f2")
                                                                            NODE("c", STATE_("s3") MAP("j2", "")))
                                          NODE("d", STATE_("s4") MAP("j3", "") NODE("e", STATE_("s5") MAP("j4", "")))));
    const st_plan *plan = st_plan_of(st_scene_root(scene));
    EXPECT(plan->all_mappings, "j1 j2 j3 j4");
    // breadth first: s1, its group, j1 j3, s2 s4, the group of s2 and j4, j2
    EXPECT(plan->graph_mappings, "j2 j4 j3 j1");
    st_scene_destroy(scene);
}

// A spring between a state and the one mapped from it closes a cycle of the graph: the mapping still works.
static void a_cycle_keeps_its_mappings(void **unused) {
    (void)unused;
    st_scene *scene = start(NODE("a", STATE_("s1") NODE("b", STATE_("s2") MAP("j", "") PAIR("p", "/a/s1", "s2")
                                                                 NODE("c", STATE_("s3") MAP("k", "")))));
    const st_plan *plan = st_plan_of(st_scene_root(scene));
    EXPECT(plan->graph_mappings, "k j");
    st_scene_destroy(scene);
}

// Doubling the number of mappings in a chain must not double the time again and again.
static void long_chains_of_mappings(void **unused) {
    (void)unused;
    enum { DEPTH = 200 };
    char *xml = malloc(DEPTH * 128 + 256), *at = xml;
    st_scene *scene = probe_create(false);
    if (!st_registry_find(scene, "IdentityMapping")) st_register_class(scene, &st_identity_mapping_class);
    at += sprintf(at, "<Node><DefaultAnimationLoop/><MechanicalObject name='s'/>");
    for (int i = 0; i < DEPTH; i++)
        at += sprintf(at, "<Node name='n'><MechanicalObject name='s'/><IdentityMapping name='j%d'/>", i);
    for (int i = 0; i <= DEPTH; i++) at += sprintf(at, "</Node>");
    assert_int_equal(probe_try(scene, xml), ST_OK);
    free(xml);
    const st_plan *plan = st_plan_of(st_scene_root(scene));
    assert_int_equal(plan->graph_mappings.count, DEPTH);
    assert_string_equal(plan->graph_mappings.data[0]->object.name, "j199");
    assert_string_equal(plan->graph_mappings.data[DEPTH - 1]->object.name, "j0");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Forces through the two mechanisms
// ---------------------------------------------------------------------------------------------------

static void expect_force(st_scene *scene, const char *path, double expected) {
    assert_float_equal((double)STATE(scene, path)->deriv[ST_DERIV_FORCE].data[0], expected, 1e-12);
}

// Evaluated twice: nothing of the first time may be left.
static void forces_below_a_mapping_without_forces(void **unused) {
    (void)unused;
    st_scene *scene =
        start(STATE_("s1") FORCE("f1") NODE("b", STATE_("s2") MAP("j", "mapForces='0'") FORCE("f2") FORCE("f3")));
    st_plan *plan = st_plan_of(st_scene_root(scene));
    const st_params params = st_default_params();
    for (int i = 0; i < 2; i++) {
        st_plan_compute_force(plan, &params);
        expect_force(scene, "/s1", 1);
    }
    for (int i = 0; i < 2; i++) {
        st_plan_graph_compute_force(plan, &params);
        expect_force(scene, "/b/s2", 2);
        expect_force(scene, "/s1", 3);
    }
    st_scene_destroy(scene);
}

static void external_forces_act_once(void **unused) {
    (void)unused;
    st_scene *scene = start("<MechanicalObject name='s1' externalForce='5 0 0'/>" FORCE("f1") NODE(
        "b", "<MechanicalObject name='s2' externalForce='3 0 0'/>" MAP("j", "mapForces='0'")));
    st_plan *plan = st_plan_of(st_scene_root(scene));
    const st_params params = st_default_params();
    st_plan_compute_force(plan, &params);
    expect_force(scene, "/s1", 6);
    st_plan_graph_compute_force(plan, &params);
    expect_force(scene, "/s1", 9);
    st_plan_end_integration(plan); // on every state, whatever the flags
    st_plan_graph_compute_force(plan, &params);
    expect_force(scene, "/s1", 1);
    probe_expect(scene, "/s1", "externalForce", "");
    probe_expect(scene, "/b/s2", "externalForce", "");
    st_scene_destroy(scene);
}

static void states_elsewhere(void **unused) {
    (void)unused;
    st_scene *scene =
        start(NODE("a", STATE_("s1")) NODE("b", STATE_("s2") PAIR("p", "/a/s1", "s2") PAIR("q", "/a/s1", "s2")));
    const st_plan *plan = st_plan_of((st_node *)probe_find(scene, "/b"));
    EXPECT(plan->states, "s2");
    EXPECT(plan->outside, "s1");
    assert_ptr_equal(st_plan_of((st_node *)probe_find(scene, "/b")), plan);
    assert_ptr_not_equal(st_plan_of((st_node *)probe_find(scene, "/a")), plan);
    st_scene_destroy(scene);
}

// Each plan finds its own independent states, and only these; sizes may change while the graph stays.
static void places_and_offsets(void **unused) {
    (void)unused;
    st_scene *scene = start(NODE("a", STATE_("s1") NODE("b", STATE_("s2") MAP("j1", "")))
                                NODE("c", STATE_("s3") NODE("d", STATE_("s4"))));
    st_state *s1 = (st_state *)probe_find(scene, "/a/s1"), *s2 = (st_state *)probe_find(scene, "/a/b/s2");
    st_state *s3 = (st_state *)probe_find(scene, "/c/s3"), *s4 = (st_state *)probe_find(scene, "/c/d/s4");
    st_plan *whole = st_plan_of(st_scene_root(scene)), *part = st_plan_of((st_node *)probe_find(scene, "/c"));

    assert_int_equal(st_plan_find(whole, s1), 0);
    assert_int_equal(st_plan_find(whole, s3), 1);
    assert_int_equal(st_plan_find(whole, s4), 2);
    assert_int_equal(st_plan_find(part, s3), 0);
    assert_int_equal(st_plan_find(part, s4), 1);
    assert_true(st_plan_find(whole, s2) == SIZE_MAX && st_plan_find(part, s1) == SIZE_MAX);
    assert_true(st_plan_find(part, s2) == SIZE_MAX && st_plan_find(part, NULL) == SIZE_MAX);

    assert_int_equal(st_plan_offset(whole, s4), 6);
    assert_int_equal(st_state_resize(s3, 4), ST_OK);
    assert_ptr_equal(st_plan_of(st_scene_root(scene)), whole);
    assert_int_equal(st_plan_offset(whole, s4), 15);
    assert_int_equal(whole->size, 18);
    st_plan_update_offsets(part);
    assert_int_equal(st_plan_offset(part, s4), 12);
    st_scene_destroy(scene);
}

static void count_check(void *user, const st_derivative_check *check) {
    (void)check;
    ++*(int *)user;
}

static void derivatives_of_nothing(void **unused) {
    (void)unused;
    st_scene *scene = start(NODE("a", "<MechanicalObject name='s' size='0'/>" MASS("m") FORCE("f"))
                                NODE("b", STATE_("t") PAIR("p", "t", "/a/s")));
    int checks = 0;
    assert_int_equal(st_scene_check_derivatives(scene, count_check, &checks), ST_OK);
    assert_int_equal(checks, 0);
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_traversal_is_depth_first),
        cmocka_unit_test(only_the_last_of_a_slot_counts),
        cmocka_unit_test(masses_below_masses),
        cmocka_unit_test(mappings_without_forces_stop_the_traversal),
        cmocka_unit_test(tags_choose),
        cmocka_unit_test(inclusion_of_tags),
        cmocka_unit_test(invalid_components_are_left_out),
        cmocka_unit_test(forces_are_grouped_by_their_states),
        cmocka_unit_test(mappings_go_up_from_the_leaves),
        cmocka_unit_test(a_cycle_keeps_its_mappings),
        cmocka_unit_test(long_chains_of_mappings),
        cmocka_unit_test(forces_below_a_mapping_without_forces),
        cmocka_unit_test(external_forces_act_once),
        cmocka_unit_test(states_elsewhere),
        cmocka_unit_test(places_and_offsets),
        cmocka_unit_test(derivatives_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
