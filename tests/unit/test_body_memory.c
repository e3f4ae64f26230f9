// Contacts of grids, boxes and capsules when out of memory: whichever allocation of a run fails, nothing crashes, and a
// reset starts over as if it had not happened. And a step whose contacts stay allocates nothing.
//
// All memory of the library comes from aligned_alloc (base/array.c), which this program replaces.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/text.h"
#include "scene/scene.h"

static size_t made, failing; // allocations since the last start; the one that fails, 0: none

void *aligned_alloc(size_t alignment, size_t size) {
    void *block = NULL;
    if (++made == failing || posix_memalign(&block, alignment, size) != 0) return NULL;
    return block;
}

// Bodies by distance grids, rigid and deformed, boxes and capsules of both kinds, and what they touch.
static const char scene[] =
    "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
    "<CollisionResponse response='PenalityContactForceField'/>"
    "<NewProximityIntersection alarmDistance='0.3' contactDistance='0.2'/>"
    "<Node name='grid'><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1'/>"
    "<RigidDistanceGridCollisionModel simulated='0' filename='#cube' nx='9' ny='9' nz='9'/></Node>"
    "<Node name='soft'><EulerImplicitSolver/><CGLinearSolver iterations='9' tolerance='1e-12' threshold='1e-12'/>"
    "<RegularGridTopology n='2 2 2' min='-1.5 1 -1.5' max='1.5 4 1.5'/><MechanicalObject/><UniformMass totalMass='1'/>"
    "<MeshSpringForceField stiffness='100'/><FFDDistanceGridCollisionModel filename='#cube' scale='1.4' "
    "nx='9' ny='9' "
    "nz='9'/></Node>"
    "<Node name='box'><EulerImplicitSolver/><CGLinearSolver iterations='9' tolerance='1e-12' threshold='1e-12'/>"
    "<MechanicalObject template='Rigid3' position='5 0 0 0 0 0 1  5.3 2.05 0 0 0 0 1'/><UniformMass totalMass='1'/>"
    "<OBBCollisionModel selfCollision='1'/></Node>"
    "<Node name='rod'><EulerImplicitSolver/><CGLinearSolver iterations='9' tolerance='1e-12' threshold='1e-12'/>"
    "<MeshTopology edges='0 1  1 2'/><MechanicalObject position='4 3.7 0  6 3.7 0  7 3.7 0'/>"
    "<UniformMass totalMass='1'/><CapsuleCollisionModel/></Node>"
    "<Node name='pin'><EulerImplicitSolver/><CGLinearSolver iterations='9' tolerance='1e-12' threshold='1e-12'/>"
    "<MechanicalObject template='Rigid3' position='6.5 5.8 0 0 0 0 1'/><UniformMass totalMass='1'/>"
    "<CapsuleCollisionModel template='Rigid3'/></Node>"
    "<Node name='cloth'><EulerImplicitSolver/><CGLinearSolver iterations='9' tolerance='1e-12' threshold='1e-12'/>"
    "<MeshTopology triangles='0 1 2'/><MechanicalObject position='0 0 1.05  0.5 0 1.05  0 0.5 1.05'/>"
    "<UniformMass totalMass='1'/><TriangleCollisionModel/><PointCollisionModel/></Node>";

enum { SCENES = 1 };
static const char *const scenes[SCENES] = {scene};

static bool collect(void *user, const char *text, size_t length) { return st_text_append_n(user, text, length); }

// Some steps while one allocation fails, then the same from the start.
static void run(const char *text, size_t which, st_text *dump) {
    physics_scene *test = physics_load(text);
    made = 0;
    failing = which;
    for (int i = 0; i < 6; i++) st_scene_step(test->scene, 0);
    const size_t needed = made;
    failing = 0;
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    for (int i = 0; i < 6; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    assert_int_equal(st_scene_dump_states(test->scene, 0, &(st_writer){collect, dump}), ST_OK);
    physics_free(test);
    made = needed;
}

static void a_failure_leaves_nothing_behind(void **state) {
    (void)state;
    for (int s = 0; s < SCENES; s++) {
        st_text reference = {0};
        run(scenes[s], 0, &reference);
        const size_t last = made;
        assert_true(last > 100); // it is this aligned_alloc that is called
        for (size_t which = 1; which <= last; which++) {
            st_text dump = {0};
            run(scenes[s], which, &dump);
            assert_string_equal(reference.data, dump.data);
            st_text_free(&dump);
        }
        st_text_free(&reference);
    }
}

static void a_steady_step_allocates_nothing(void **state) {
    (void)state;
    for (int s = 0; s < SCENES; s++) {
        physics_scene *test = physics_load(scenes[s]);
        for (int i = 0; i < 60; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        int steady = 0;
        bool changed = true; // a pair came or went; plans follow in the next step
        for (int i = 0; i < 40; i++) {
            const uint32_t structure = test->scene->structure;
            const size_t logged = strlen(test->log);
            made = 0;
            assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
            const bool before = changed;
            changed = test->scene->structure != structure;
            if (before || changed || strlen(test->log) != logged) continue; // a message needs memory, too
            assert_int_equal(made, 0);
            steady++;
        }
        assert_true(steady > 20);
        physics_free(test);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_failure_leaves_nothing_behind),
                                       cmocka_unit_test(a_steady_step_allocates_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
