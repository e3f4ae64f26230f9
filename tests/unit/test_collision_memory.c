// Contacts when memory is out: whichever allocation of a run fails, nothing crashes, and a reset starts over as if it
// had not happened.
//
// All memory of the library comes from aligned_alloc (base/array.c), which this program replaces.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/text.h"

static size_t made, failing; // allocations since the last start; the one that fails, 0: none

void *aligned_alloc(size_t alignment, size_t size) {
    void *block = NULL;
    if (++made == failing || posix_memalign(&block, alignment, size) != 0) return NULL;
    return block;
}

// Every kind of model and mapper, a pair with an obstacle, one between bodies, and one that comes later.
static const char scene[] =
    "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
    "<CollisionResponse response='PenalityContactForceField' responseParams='rayleighStiffness=0.1'/>"
    "<NewProximityIntersection alarmDistance='0.3' contactDistance='0.2'/>"
    "<Node name='floor'><MeshTopology position='-5 0 -5  5 0 -5  5 0 5  -5 0 5' triangles='0 2 1  0 3 2'/>"
    "<MechanicalObject/><TriangleCollisionModel simulated='0' moving='0' contactStiffness='100'/></Node>"
    "<Node name='body'><EulerImplicitSolver/><CGLinearSolver iterations='9' tolerance='1e-12' threshold='1e-12'/>"
    "<MeshTopology position='1 0.29 0  2 0.4 0  1 0.4 1' triangles='0 1 2' edges='0 1  1 2  2 0'/><MechanicalObject/>"
    "<UniformMass vertexMass='0.1'/><TriangleCollisionModel/><LineCollisionModel selfCollision='1'/></Node>"
    "<Node name='ball'><EulerImplicitSolver/><CGLinearSolver iterations='9' tolerance='1e-12' threshold='1e-12'/>"
    "<MechanicalObject template='Rigid3' position='1 0.5021 0.3  0 0 0 1'/><UniformMass totalMass='0.1'/>"
    "<SphereCollisionModel radius='0.2'/></Node>";

static bool collect(void *user, const char *text, size_t length) { return st_text_append_n(user, text, length); }

// Some steps while one allocation fails, then the same from the start.
static void run(size_t which, st_text *dump) {
    physics_scene *test = physics_load(scene);
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
    st_text reference = {0};
    run(0, &reference);
    const size_t last = made;
    assert_true(last > 100); // it is this aligned_alloc that is called
    for (size_t which = 1; which <= last; which++) {
        st_text dump = {0};
        run(which, &dump);
        assert_string_equal(reference.data, dump.data);
        st_text_free(&dump);
    }
    st_text_free(&reference);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_failure_leaves_nothing_behind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
