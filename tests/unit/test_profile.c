// The profile: phases and components as a tree, whose parts are never above their whole; events that are inside of each other.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "settee/settee.h"

// A matrix-free solver with a mapped skin, a direct one, and both in one step.
static const char text[] =
    "<Node dt='0.01'><DefaultAnimationLoop/>"
    "<Node name='free'><EulerImplicitSolver/><CGLinearSolver name='cg' iterations='10' tolerance='1e-9' "
    "threshold='1e-9'/><RegularGridTopology n='4 4 4'/><MechanicalObject/><UniformMass name='mass' totalMass='1'/>"
    "<FixedProjectiveConstraint indices='0-8'/><MeshSpringForceField name='springs' stiffness='50'/>"
    "<Node name='skin'><MechanicalObject position='0.5 0.5 0.5'/><BarycentricMapping name='map'/>"
    "<ConstantForceField name='pull' indices='0' forces='1 0 0'/></Node></Node>"
    "<Node name='direct'><EulerImplicitSolver/><SparseLDLSolver name='ldl'/><RegularGridTopology n='4 4 4'/>"
    "<MechanicalObject/><UniformMass totalMass='1'/><FixedProjectiveConstraint indices='0-8'/>"
    "<MeshSpringForceField name='springs' stiffness='50'/></Node></Node>";

static st_scene *make_scene(int threads) {
    st_config config = st_default_config();
    config.threads = threads;
    st_scene *scene = st_scene_create(&config);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));
    return scene;
}

static void make_steps(st_scene *scene, int steps) {
    for (int i = 0; i < steps; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
}

// The part of a whole with this name, or SIZE_MAX.
static size_t part_of(const st_profile_node *nodes, size_t count, size_t whole, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (nodes[i].parent == whole && strcmp(nodes[i].name, name) == 0) return i;
    return SIZE_MAX;
}

static void components_are_not_timed_unless_asked_for(void **state) {
    (void)state;
    st_scene *scene = make_scene(1);
    make_steps(scene, 3);
    const st_profile_node *nodes;
    const size_t count = st_scene_profile_tree(scene, &nodes);
    assert_true(count > 3);
    for (size_t i = 0; i < count; i++) assert_false(nodes[i].is_component);
    st_scene_destroy(scene);
}

static void components_are_in_their_phases(void **state) {
    (void)state;
    enum { STEPS = 7 };
    for (int threads = 1; threads <= 2; threads++) {
        st_scene *scene = make_scene(threads);
        assert_int_equal(st_scene_profile_components(scene, true, NULL, NULL), ST_OK);
        make_steps(scene, STEPS);
        const st_profile_node *nodes;
        const size_t count = st_scene_profile_tree(scene, &nodes);

        // phase by phase
        const size_t force = part_of(nodes, count, SIZE_MAX, "force");
        const size_t solve = part_of(nodes, count, SIZE_MAX, "solve");
        const size_t assembly = part_of(nodes, count, SIZE_MAX, "assembly");
        const size_t factorization = part_of(nodes, count, SIZE_MAX, "factorization");
        const size_t springs = part_of(nodes, count, force, "MeshSpringForceField /free/springs");
        const size_t cg = part_of(nodes, count, solve, "CGLinearSolver /free/cg");
        assert_true(springs < count && nodes[springs].calls == STEPS && nodes[springs].bytes > 0);
        assert_true(part_of(nodes, count, force, "BarycentricMapping /free/skin/map") < count);
        assert_true(part_of(nodes, count, factorization, "SparseLDLSolver /direct/ldl") < count);
        assert_true(part_of(nodes, count, SIZE_MAX, "product") < count);

        // products of the solver are in it, one for each iteration at least
        const size_t product = part_of(nodes, count, cg, "MeshSpringForceField /free/springs");
        assert_true(product < count && nodes[product].calls >= STEPS);

        // a recording and the additions after it are one call
        const size_t assembled = part_of(nodes, count, assembly, "MeshSpringForceField /direct/springs");
        assert_true(assembled < count);
        assert_int_equal(nodes[assembled].calls, STEPS);
        assert_true(part_of(nodes, count, assembly, "MeshSpringForceField /free/springs") == SIZE_MAX);
        st_scene_destroy(scene);
    }
}

static void parts_are_within_their_whole(void **state) {
    (void)state;
    st_scene *scene = make_scene(1);
    assert_int_equal(st_scene_profile_components(scene, true, NULL, NULL), ST_OK);
    make_steps(scene, 20);
    const st_profile_node *nodes;
    const size_t count = st_scene_profile_tree(scene, &nodes);
    for (size_t i = 0; i < count; i++) {
        assert_true(nodes[i].parent == SIZE_MAX || nodes[i].parent < i);
        double parts = 0;
        for (size_t k = 0; k < count; k++)
            if (nodes[k].parent == i) parts += nodes[k].seconds;
        assert_true(parts <= nodes[i].seconds * (1 + 1e-9));
    }
    st_scene_destroy(scene);
}

// The flat list has each phase's own time: together they are the roots of the tree.
static void flat_list_counts_nothing_twice(void **state) {
    (void)state;
    st_scene *scene = make_scene(1);
    make_steps(scene, 20);
    const st_profile_entry *entries;
    const st_profile_node *nodes;
    double flat = 0, roots = 0;
    for (size_t i = 0; i < st_scene_profile(scene, &entries); i++) flat += entries[i].seconds;
    for (size_t i = 0; i < st_scene_profile_tree(scene, &nodes); i++)
        if (nodes[i].parent == SIZE_MAX) roots += nodes[i].seconds;
    assert_true(flat > 0 && flat <= roots * (1 + 1e-9) && flat >= roots * (1 - 1e-9));
    st_scene_destroy(scene);
}

typedef struct listener {
    size_t events, components;
    double latest; // end of the last event
    bool ordered;  // in the order in which they end
} listener;

static void hear(void *user, const st_profile_event *event) {
    listener *l = user;
    if (event->lane == 0) {
        l->ordered &= event->begin + event->seconds >= l->latest - 1e-9 || event->is_component;
        l->latest = event->begin + event->seconds;
    }
    l->events++;
    l->components += event->is_component;
    assert_true(event->name && event->seconds >= 0);
}

static void events_come_as_calls_end(void **state) {
    (void)state;
    st_scene *scene = make_scene(1);
    listener l = {.ordered = true};
    const st_profile_node *nodes;
    size_t earlier = 0;
    for (size_t i = 0; i < st_scene_profile_tree(scene, &nodes); i++) earlier += nodes[i].calls;
    assert_int_equal(st_scene_profile_components(scene, true, hear, &l), ST_OK);
    make_steps(scene, 5);

    // as many events as there are calls since then
    size_t calls = 0, components = 0;
    for (size_t i = 0; i < st_scene_profile_tree(scene, &nodes); i++) {
        calls += nodes[i].calls;
        if (nodes[i].is_component) components += nodes[i].calls;
    }
    assert_true(l.ordered && l.events > 0);
    assert_int_equal(l.events, calls - earlier);
    assert_int_equal(l.components, components);

    // and none when it is switched off
    assert_int_equal(st_scene_profile_components(scene, false, hear, &l), ST_OK);
    make_steps(scene, 1);
    assert_int_equal(l.events, calls - earlier);
    st_scene_destroy(scene);
}

// Results are the same with and without it.
static void timing_changes_nothing(void **state) {
    (void)state;
    st_scene *plain = make_scene(1), *timed = make_scene(1);
    assert_int_equal(st_scene_profile_components(timed, true, NULL, NULL), ST_OK);
    make_steps(plain, 10);
    make_steps(timed, 10);
    const st_energy a = st_scene_energy(plain), b = st_scene_energy(timed);
    assert_true(a.kinetic == b.kinetic && a.potential == b.potential);
    st_scene_destroy(plain);
    st_scene_destroy(timed);
}

static void null_is_answered(void **state) {
    (void)state;
    const st_profile_node *nodes;
    st_scene *scene = st_scene_create(NULL);
    assert_int_equal(st_scene_profile_tree(NULL, &nodes), 0);
    assert_int_equal(st_scene_profile_tree(scene, &nodes), 0);
    assert_int_equal(st_scene_profile_components(NULL, true, NULL, NULL), ST_INVALID);
    st_scene_destroy(scene);
}

// Removing a component that was counted: its time stays, its name too.
static void removed_components_stay_in_the_tree(void **state) {
    (void)state;
    st_scene *scene = make_scene(1);
    assert_int_equal(st_scene_profile_components(scene, true, NULL, NULL), ST_OK);
    make_steps(scene, 2);
    assert_int_equal(st_object_remove(st_scene_find(scene, "/free/springs")), ST_OK);
    make_steps(scene, 2);
    const st_profile_node *nodes;
    const size_t count = st_scene_profile_tree(scene, &nodes), force = part_of(nodes, count, SIZE_MAX, "force");
    const size_t springs = part_of(nodes, count, force, "MeshSpringForceField /free/springs");
    assert_true(springs < count);
    assert_int_equal(nodes[springs].calls, 2);
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_not_timed_unless_asked_for),
        cmocka_unit_test(components_are_in_their_phases),
        cmocka_unit_test(parts_are_within_their_whole),
        cmocka_unit_test(flat_list_counts_nothing_twice),
        cmocka_unit_test(events_come_as_calls_end),
        cmocka_unit_test(timing_changes_nothing),
        cmocka_unit_test(null_is_answered),
        cmocka_unit_test(removed_components_stay_in_the_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
