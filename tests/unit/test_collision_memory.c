// Contacts when out of memory: whichever allocation of a run fails, nothing crashes, and a reset starts over as if it
// had not happened. And a step whose contacts stay allocates nothing.
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

// With multipliers: contacts with friction, points that stick, filters that look at the mesh, rules.
static const char laws[] =
    "<FreeMotionAnimationLoop/><LCPConstraintSolver mu='0.4' tolerance='1e-9' maxIt='100'/>"
    "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
    "<RuleBasedContactManager response='FrictionContactConstraint' responseParams='mu=0.4' variables='how' "
    "how='StickContactConstraint' rules='stuck * $how$'/>"
    "<LocalMinDistance alarmDistance='0.3' contactDistance='0.2'/>"
    "<Node name='floor'><MeshTopology position='-5 0 -5  5 0 -5  5 0 5  -5 0 5' triangles='0 2 1  0 3 2'/>"
    "<MechanicalObject/><TriangleCollisionModel simulated='0' moving='0'/><LineCollisionModel simulated='0'/></Node>"
    "<Node name='body'><EulerImplicitSolver/><SparseLDLSolver/>"
    "<MeshTopology position='1 0.21 0  2 0.4 0  1 0.4 1' triangles='0 1 2' edges='0 1  1 2  2 0'/><MechanicalObject/>"
    "<UniformMass vertexMass='0.1'/><LinearSolverConstraintCorrection/><TriangleCollisionModel/><LineCollisionModel/>"
    "<PointCollisionModel/></Node>"
    "<Node name='box'><EulerImplicitSolver/><SparseLDLSolver/>"
    "<MechanicalObject template='Rigid3' position='-2 0.2 0  0 0 0 1'/><UniformMass totalMass='0.1'/>"
    "<UncoupledConstraintCorrection/><Node name='skin'><MechanicalObject position='0 0 0  0.3 0 0  0 0 0.3'/>"
    "<RigidMapping/><PointCollisionModel/></Node></Node>"
    "<Node name='glue'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject position='-3 0.25 -3'/>"
    "<UniformMass totalMass='0.1'/><UncoupledConstraintCorrection defaultCompliance='10'/>"
    "<PointCollisionModel name='stuck'/></Node>";

// A tool with force feedback, and a ray that meets a triangle.
static const char haptics[] =
    "<FreeMotionAnimationLoop/><LCPConstraintSolver mu='0.4' tolerance='1e-9' maxIt='100'/>"
    "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
    "<CollisionResponse response='FrictionContactConstraint' responseParams='mu=0.4'/>"
    "<LocalMinDistance alarmDistance='0.3' contactDistance='0.2'/>"
    "<Node name='floor'><MeshTopology position='-5 0 -5  5 0 -5  5 0 5  -5 0 5' triangles='0 2 1  0 3 2'/>"
    "<MechanicalObject/><TriangleCollisionModel simulated='0' moving='0'/></Node>"
    "<Node name='box'><EulerImplicitSolver/><SparseLDLSolver/>"
    "<MechanicalObject template='Rigid3' position='-2 0.2 0  0 0 0 1'/><UniformMass totalMass='0.1'/>"
    "<LCPForceFeedback activate='1'/><UncoupledConstraintCorrection/><Node name='skin'>"
    "<MechanicalObject position='0 0 0  0.3 0 0  0 0 0.3'/><RigidMapping/><PointCollisionModel/></Node></Node>"
    "<Node name='ray'><MechanicalObject position='1.2 3 0.3'/><RayCollisionModel directions='0 -1 0' "
    "defaultLength='9'/>"
    "</Node>";

// Bodies by distance grids, rigid and deformed, boxes and capsules of both kinds, and what they touch.
static const char bodies[] =
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

static const char *const scenes[] = {scene, laws, haptics, bodies};
enum { SCENES = 4 };

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
