// CarvingManager: a tool that comes close removes elements of the surface, of the volume behind it; only while it is active; keys;
// what is missing is reported.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "scene/scene.h"

#define TOOL                                                                                                           \
    "<Node name='tool'><MechanicalObject name='dofs' position='0.03 0.55 0.05'/><UniformMass totalMass='1'/>"          \
    "<SphereCollisionModel name='ball' radius='0.1' tags='CarvingTool'/></Node>"
#define BLOCK                                                                                                          \
    "<RegularGridTopology name='grid' n='7 4 7' min='-0.5 0 -0.5' max='0.5 0.4 0.5'/><Node name='block'>"              \
    "<MechanicalObject name='dofs' position='@/grid.position'/><TetrahedronSetTopologyContainer name='mesh'/>"         \
    "<TetrahedronSetTopologyModifier/><Hexa2TetraTopologicalMapping input='@/grid' output='@mesh'/>"                   \
    "<DiagonalMass name='mass' massDensity='10'/><TetrahedronFEMForceField youngModulus='3000' poissonRatio='0.3'/>"   \
    "<BoxROI name='bottom' box='-1 -0.1 -1  1 0.01 1'/><FixedProjectiveConstraint indices='@bottom.indices'/>"         \
    "<Node name='surface'><TriangleSetTopologyContainer name='mesh'/><TriangleSetTopologyModifier/>"                   \
    "<Tetra2TriangleTopologicalMapping input='@../mesh' output='@mesh'/>"                                              \
    "<TriangleCollisionModel tags='CarvingSurface'/><PointCollisionModel tags='CarvingSurface'/></Node></Node>"

static physics_scene *load(const char *manager, const char *rest) {
    char text[4096];
    snprintf(text, sizeof text,
             "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><CollisionResponse "
             "response='PenalityContactForceField'/><LocalMinDistance alarmDistance='0.1' contactDistance='0.02'/>"
             "<EulerImplicitSolver rayleighStiffness='0.1'/><CGLinearSolver iterations='50' tolerance='1e-9' "
             "threshold='1e-12'/><CarvingManager name='manager' %s/>%s",
             manager, rest);
    return physics_load(text);
}

static size_t tetrahedra(physics_scene *test) {
    return ((st_topology *)physics_find(test, "/block/mesh"))->elements[ST_TETRAHEDRON].count;
}

static void run(physics_scene *test, int steps) {
    for (int i = 0; i < steps; i++) assert_true(st_succeeded(st_scene_step(test->scene, 0)));
}

static void a_tool_carves_while_it_is_active(void **state) {
    (void)state;
    physics_scene *test = load("active='1'", BLOCK TOOL);
    const size_t before = tetrahedra(test);
    run(test, 30);
    assert_true(tetrahedra(test) < before);
    assert_int_equal(test->count[ST_ERROR], 0);

    // the surface is that of the volume
    const st_topology *surface = (const st_topology *)physics_find(test, "/block/surface/mesh");
    for (size_t i = 0; i < 3 * surface->elements[ST_TRIANGLE].count; i++)
        assert_true(surface->elements[ST_TRIANGLE].data[i] < physics_state(test, "/block/dofs")->size);

    // what is gone has no mass
    st_real mass = 0;
    char *text = st_object_get(physics_find(test, "/block/mass"), "totalMass", 17);
    mass = (st_real)strtod(text, NULL);
    st_string_free(text);
    assert_true(mass < ST_R(3.99) && mass > 1);

    assert_true(st_succeeded(st_scene_reset(test->scene)));
    assert_int_equal(tetrahedra(test), before);
    physics_free(test);
}

static void it_waits_for_its_key_and_its_distance(void **state) {
    (void)state;
    physics_scene *test = load("", BLOCK TOOL);
    const size_t before = tetrahedra(test);
    run(test, 20);
    assert_int_equal(tetrahedra(test), before);
    st_node *root = st_scene_root(test->scene);
    assert_int_equal(st_node_send_event(root, "KeypressedEvent", '4', NULL), ST_OK);
    assert_field(test, "/manager", "active", "1");
    st_node_send_event(root, "KeypressedEvent", '4', NULL);
    assert_field(test, "/manager", "active", "0");
    st_node_send_event(root, "KeypressedEvent", '1', NULL);
    run(test, 10);
    st_node_send_event(root, "KeyreleasedEvent", '1', NULL);
    assert_field(test, "/manager", "active", "0");
    assert_true(tetrahedra(test) < before);
    physics_free(test);

    test = load("active='1' carvingDistance='-9'", BLOCK TOOL);
    run(test, 30);
    assert_int_equal(tetrahedra(test), before);
    physics_free(test);
}

static void what_is_missing_is_reported(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"active='1'", BLOCK, "there is no tool"},
        {"active='1'", TOOL, "there is no surface"},
        {"active='1' surfaceModelPath='/nowhere'", BLOCK TOOL, "is no collision model"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        physics_scene *test = load(cases[i][0], cases[i][1]);
        if (!strstr(test->log, cases[i][2])) print_message("%s", test->log);
        assert_non_null(strstr(test->log, cases[i][2]));
        st_scene_step(test->scene, 0);
        physics_free(test);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tool_carves_while_it_is_active),
        cmocka_unit_test(it_waits_for_its_key_and_its_distance),
        cmocka_unit_test(what_is_missing_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
