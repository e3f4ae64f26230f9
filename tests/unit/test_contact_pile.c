// 100 loose bricks stand for 10,000 steps: none has moved by 1 mm. This takes a while. And eight boxes on each other, with
// far more contacts than they need, by KKTConstraintSolver.
//
// labels: double-only no-sanitizer
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/text.h"
#include "math/vec3.h"
#include "settee/contact.h"

static void a_pile_of_bricks_stands(void **state) {
    (void)state;
    physics_scene *test = calloc(1, sizeof *test);
    assert_non_null(test);
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    test->scene = st_scene_create(&config);
    if (st_scene_load(test->scene, SETTEE_EXAMPLES "/pile.scn") != ST_OK || st_scene_init(test->scene) != ST_OK)
        fail_msg("%s", test->log);

    const st_state *bricks = physics_state(test, "/Bricks/frames");
    assert_int_equal(bricks->size, 100);
    st_real start[700], most = 0;
    memcpy(start, bricks->coord[ST_COORD_POSITION].data, sizeof start);

    for (int n = 1; n <= 10000; n++) {
        if (st_scene_step(test->scene, 0) != ST_OK) fail_msg("step %d: %s", n, test->log);
        if (n % 100) continue;
        for (size_t i = 0; i < bricks->size; i++)
            most = st_max(most, st_vec3_distance(bricks->coord[ST_COORD_POSITION].data + 7 * i, start + 7 * i));
        if (!(most < ST_R(1e-3))) fail_msg("step %d: a brick has moved by %g", n, (double)most);
    }
    print_message("moved by %g at most\n", (double)most);
    physics_free(test);
}

// 210 contacts on seven joints and the floor: friction settles on them, and each joint bears what is above it, so that the
// normal forces add up to (1 + 2 + … + 8) m g.
static void a_tower_settles_with_redundant_contacts(void **state) {
    (void)state;
    enum { BOXES = 8, STEPS = 12, MOST = 400 };
    static st_contact_report contacts[MOST];
    st_text text = {0};
    st_text_appendf(&text,
                    "<Node name='root' dt='0.01' gravity='0 -9.81 0'><FreeMotionAnimationLoop/><KKTConstraintSolver/>"
                    "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><NewProximityIntersection "
                    "alarmDistance='0.08' contactDistance='0.02' useLineLine='1'/><CollisionResponse "
                    "response='FrictionContactConstraint' responseParams='mu=0.5'/><Node name='floor'><MeshTopology "
                    "position='-9 0 -9  9 0 -9  9 0 9  -9 0 9' triangles='0 2 1  0 3 2'/><MechanicalObject/>"
                    "<TriangleCollisionModel simulated='0' moving='0'/></Node>");
    for (int i = 0; i < BOXES; i++)
        st_text_appendf(&text,
                        "<Node name='b%d'><EulerImplicitSolver/><SparseLDLSolver "
                        "template='CompressedRowSparseMatrixd'/><MechanicalObject name='frame' template='Rigid3' "
                        "position='%g %g %g 0 0 0 1'/><UniformMass vertexMass='1 1 0.1667 0 0  0 0.1667 0  0 0 "
                        "0.1667'/><LinearSolverConstraintCorrection/><Node><MeshTopology position='-0.5 -0.5 -0.5 0.5 "
                        "-0.5 -0.5 0.5 0.5 -0.5 -0.5 0.5 -0.5 -0.5 -0.5 0.5 0.5 -0.5 0.5 0.5 0.5 0.5 -0.5 0.5 0.5' "
                        "triangles='0 2 1 0 3 2 4 5 6 4 6 7 0 1 5 0 5 4 2 3 7 2 7 6 1 2 6 1 6 5 0 4 7 0 7 3'/>"
                        "<MechanicalObject/><TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/>"
                        "<RigidMapping/></Node></Node>",
                        i, 0.3 * (i % 2), 0.52 + 1.02 * i, 0.3 * (i % 2));
    st_text_appendf(&text, "</Node>");

    physics_scene *test = calloc(1, sizeof *test);
    assert_non_null(test);
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    test->scene = st_scene_create(&config);
    assert_int_equal(st_scene_load_text(test->scene, text.data, text.length, NULL), ST_OK);
    assert_int_equal(st_scene_init(test->scene), ST_OK);
    st_text_free(&text);

    for (int n = 1; n <= STEPS; n++) {
        assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        const size_t count = st_scene_contacts(test->scene, contacts, MOST);
        st_real sum = 0;
        assert_true(count > 100 && count <= MOST);
        for (size_t i = 0; i < count; i++) sum += contacts[i].normal_force;
        assert_near(sum, BOXES * (BOXES + 1) / 2 * ST_R(9.81), ST_R(1e-5));
    }
    const st_real *top = physics_state(test, "/b7/frame")->coord[ST_COORD_POSITION].data;
    assert_near(top[1], ST_R(7.66), ST_R(1e-9));
    if (test->count[ST_WARNING]) fail_msg("%s", test->log);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_tower_settles_with_redundant_contacts),
                                       cmocka_unit_test(a_pile_of_bricks_stands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
