// Numbers of points of other states than a component's own, on meshes that change: of parents of mappings, of both ends of
// pairs, single ones, and lists that run empty, which "all when not given" must not turn into all.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "plan/edits.h"
#include "plan/plan.h"
#include "scene/scene.h"
#include "topology/edit.h"

// A line of six points on five edges; the position of point i is (i, 0, 0).
#define LINE                                                                                                           \
    "<Node name='body'><EdgeSetTopologyContainer name='mesh' edges='0 1  1 2  2 3  3 4  4 5'/>"                        \
    "<EdgeSetTopologyModifier name='modifier'/>"                                                                       \
    "<MechanicalObject name='dofs' position='0 0 0  1 0 0  2 0 0  3 0 0  4 0 0  5 0 0'/>"

// The same of frames.
#define FRAMES                                                                                                         \
    "<Node name='body'><EdgeSetTopologyContainer name='mesh' edges='0 1  1 2  2 3'/>"                                  \
    "<EdgeSetTopologyModifier name='modifier'/><MechanicalObject name='dofs' template='Rigid3' "                       \
    "position='0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1  3 0 0 0 0 0 1'/>"

static void remove_points(physics_scene *test, const uint32_t *ids, size_t count) {
    st_topology *mesh = (st_topology *)physics_find(test, "/body/mesh");
    assert_int_equal(st_edit_remove_points(mesh, ids, count, true), ST_OK);
    st_finish_edits(test->scene);
    assert_int_equal(test->count[ST_ERROR], 0);
}

static const st_real *positions(physics_scene *test, const char *path) {
    return physics_state(test, path)->coord[ST_COORD_POSITION].data;
}

// Point 1 goes: point 5 has its number then.
static void children_of_removed_points_stay(void **state) {
    (void)state;
    physics_scene *test = physics_load(LINE "<Node name='some'><MechanicalObject name='child'/>"
                                            "<SubsetMapping name='map' indices='5 1 0'/></Node></Node>");
    remove_points(test, (uint32_t[]){1}, 1);
    assert_field(test, "/body/some/map", "indices", "1 4294967295 0");
    assert_int_equal(physics_state(test, "/body/some/child")->size, 3);

    // the first follows point 5, which is number 1 now; the second one is alone and does not move
    st_state *dofs = physics_state(test, "/body/dofs"), *child = physics_state(test, "/body/some/child");
    dofs->coord[ST_COORD_POSITION].data[3] = 7;
    for (size_t i = 0; i < st_state_scalars(dofs); i++) dofs->deriv[ST_DERIV_VELOCITY].data[i] = 1;
    st_settle(test->scene->root);
    assert_near(positions(test, "/body/some/child")[0], 7, 0);
    assert_reals(child->deriv[ST_DERIV_VELOCITY].data, 9, (st_real[]){1, 1, 1, 0, 0, 0, 1, 1, 1}, 0);

    // and back
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_field(test, "/body/some/map", "indices", "5 1 0");
    assert_reals(positions(test, "/body/some/child"), 9, (st_real[]){5, 0, 0, 1, 0, 0, 0, 0, 0}, 0);
    physics_free(test);
}

static void pairs_of_parents_follow(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(LINE "<Node name='other'><MechanicalObject name='dofs' position='9 9 9  8 8 8'/></Node>"
                          "<Node name='both'><MechanicalObject name='child'/><SubsetMultiMapping name='map' "
                          "input='@../dofs @../other/dofs' output='@child' indexPairs='0 1  1 1  0 5'/></Node></Node>");
    remove_points(test, (uint32_t[]){1}, 1);
    assert_field(test, "/body/both/map", "indexPairs", "0 4294967295 1 1 0 1");
    assert_reals(positions(test, "/body/both/child") + 3, 6, (st_real[]){8, 8, 8, 5, 0, 0}, 0);
    physics_free(test);
}

static void distances_to_removed_points_are_zero(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        LINE
        "<Node name='targets'><MechanicalObject name='child' template='Vec1'/><DistanceFromTargetMapping name='map' "
        "indices='1 5' targetPositions='0 0 0  0 0 0'/></Node>"
        "<Node name='other'><MechanicalObject name='dofs' position='0 3 0'/></Node>"
        "<Node name='lengths'><MechanicalObject name='child' template='Vec1'/><MeshTopology name='edges' "
        "edges='0 2  1 2'/><DistanceMultiMapping name='map' topology='@edges' input='@../dofs @../other/dofs' "
        "output='@child' indexPairs='0 1  0 4  1 0' computeDistance='1'/></Node></Node>");
    assert_reals(positions(test, "/body/targets/child"), 2, (st_real[]){1, 5}, 0);
    remove_points(test, (uint32_t[]){1}, 1);
    assert_reals(positions(test, "/body/targets/child"), 2, (st_real[]){0, 5}, 0);
    assert_reals(positions(test, "/body/lengths/child"), 2, (st_real[]){0, 5}, 0);
    assert_derivatives(test);
    physics_free(test);
}

static void points_of_removed_frames_stay(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(FRAMES "<Node name='points'><MechanicalObject name='child' position='0 1 0  0 1 0  0 1 0'/>"
                            "<RigidMapping name='map' rigidIndexPerPoint='3 1 0'/></Node>"
                            "<Node name='frames'><MechanicalObject name='child' template='Rigid3' position="
                            "'0 1 0 0 0 0 1  0 1 0 0 0 0 1'/><RigidMapping name='map' template='Rigid3,Rigid3' "
                            "repartition='0 1 0 1'/></Node></Node>");
    assert_reals(positions(test, "/body/points/child"), 9, (st_real[]){3, 1, 0, 1, 1, 0, 0, 1, 0}, 0);
    remove_points(test, (uint32_t[]){1}, 1);
    assert_field(test, "/body/points/map", "rigidIndexPerPoint", "1 4294967295 0");

    // point 0 follows frame 3, which is number 1 now, and the second of the child frames does
    st_state *dofs = physics_state(test, "/body/dofs");
    dofs->coord[ST_COORD_POSITION].data[7] = 30;
    st_settle(test->scene->root);
    assert_reals(positions(test, "/body/points/child"), 9, (st_real[]){30, 1, 0, 1, 1, 0, 0, 1, 0}, 0);
    assert_reals(positions(test, "/body/frames/child"), 14, (st_real[]){1, 1, 0, 0, 0, 0, 1, 30, 1, 0, 0, 0, 0, 1}, 0);
    assert_derivatives(test);
    physics_free(test);
}

static void springs_to_another_state_lose_both_ends(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        LINE "</Node><Node name='held'><MechanicalObject name='dofs' position='0 1 0  1 1 0  2 1 0'/>"
             "<RestShapeSpringsForceField name='all' external_rest_shape='@/body/dofs' external_points='5 1 2' "
             "stiffness='10 20 30'/>"
             "<RestShapeSpringsForceField name='some' points='2 0' external_rest_shape='@/body/dofs' "
             "external_points='1 5' stiffness='10 20'/></Node>");
    remove_points(test, (uint32_t[]){1}, 1);
    assert_field(test, "/held/all", "points", "0 2");
    assert_field(test, "/held/all", "external_points", "1 2");
    assert_field(test, "/held/all", "stiffness", "10 30");
    assert_field(test, "/held/some", "points", "0");
    assert_field(test, "/held/some", "external_points", "1");
    assert_field(test, "/held/some", "stiffness", "20");

    // f = k (5 - 0, 0 - 1) on point 0, k (2 - 2, 0 - 1) on point 2
    physics_force(test, "/held/all");
    assert_reals(physics_force_of(test, "/held/dofs"), 9, (st_real[]){50, -10, 0, 0, 0, 0, 0, -30, 0}, ST_R(1e-4));
    physics_free(test);
}

static void single_numbers_follow(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        LINE
        "</Node><Node name='other'><MechanicalObject name='dofs' position='0 0 0'/>"
        "<SlidingLagrangianConstraint name='follows' object1='@/other/dofs' object2='@/body/dofs' sliding_point='0' "
        "axis_1='0' axis_2='5'/><SlidingLagrangianConstraint name='stops' object1='@/other/dofs' "
        "object2='@/body/dofs' sliding_point='0' axis_1='1' axis_2='2'/></Node>");
    remove_points(test, (uint32_t[]){1}, 1);
    assert_field(test, "/other/follows", "axis_2", "1");
    assert_field(test, "/other/stops", "axis_1", "-1");
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    assert_int_equal(test->count[ST_ERROR], 0);
    physics_free(test);
}

static void a_list_that_runs_empty_does_not_mean_all(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        LINE "<ConstantForceField name='push' indices='1' forces='0 1 0'/><UniformMass name='mass' indices='1' "
             "vertexMass='3'/><RestShapeSpringsForceField name='springs' points='1' stiffness='5'/></Node>");
    physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data[0] = 4;
    remove_points(test, (uint32_t[]){1}, 1);

    static const char *const paths[] = {"/body/push", "/body/mass", "/body/springs"};
    for (int i = 0; i < 3; i++) {
        physics_force(test, paths[i]);
        for (int k = 0; k < 15; k++) assert_near(physics_force_of(test, "/body/dofs")[k], 0, 0);
    }
    physics_free(test);
}

static void forces_go_with_their_points(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(LINE "<ConstantForceField name='push' indices='0 1 5' forces='1 0 0  2 0 0  3 0 0'/></Node>");
    remove_points(test, (uint32_t[]){1}, 1);
    physics_force(test, "/body/push");
    assert_field(test, "/body/push", "forces", "1 0 0 3 0 0");
    assert_reals(physics_force_of(test, "/body/dofs"), 6, (st_real[]){1, 0, 0, 3, 0, 0}, 0);
    physics_free(test);
}

// Laws of springs are cut from one list of coefficients.
static void polynomials_go_with_their_springs(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        LINE "<PolynomialRestShapeSpringsForceField name='springs' points='0 1 5' polynomialDegree='1 2 1' "
             "polynomialStiffness='10 20 30 40' initialLength='1 2 3'/></Node>");
    remove_points(test, (uint32_t[]){1}, 1);
    assert_field(test, "/body/springs", "points", "0 1");
    assert_field(test, "/body/springs", "polynomialDegree", "1 1");
    assert_field(test, "/body/springs", "polynomialStiffness", "10 40");
    assert_field(test, "/body/springs", "initialLength", "1 3");
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_field(test, "/body/springs", "polynomialStiffness", "10 20 30 40");
    physics_free(test);
}

// A state without a mesh of its own that copies another one follows its points, with all that lives on it.
static void copies_follow_their_originals(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        LINE "<Node name='copy'><MechanicalObject name='child'/><IdentityMapping/>"
             "<FixedProjectiveConstraint name='fix' indices='5 1 2'/></Node>"
             "<Node name='view'><OglModel name='model' position='@../dofs.position' triangles='0 1 2  0 2 5'/>"
             "<IdentityMapping/></Node></Node>");
    remove_points(test, (uint32_t[]){1}, 1);
    assert_field(test, "/body/copy/fix", "indices", "1 2");
    assert_field(test, "/body/view/model", "triangles", "0 2 1");
    assert_int_equal(physics_state(test, "/body/view/model")->size, 5);
    physics_free(test);
}

// What is drawn is the mesh that is there.
static void pictures_show_the_changed_mesh(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<Node name='body'><TriangleSetTopologyContainer name='mesh' position='0 0 0  2 0 0  2 2 0  0 2 0' "
        "triangles='0 1 2  0 2 3'/><TriangleSetTopologyModifier name='modifier'/><MechanicalObject name='dofs'/>"
        "<Node name='view'><OglModel name='model'/><IdentityMapping/></Node></Node>");
    assert_field(test, "/body/view/model", "triangles", "0 1 2 0 2 3");
    st_topology *mesh = (st_topology *)physics_find(test, "/body/mesh");
    assert_int_equal(st_edit_remove(mesh, ST_TRIANGLE, (uint32_t[]){0}, 1, true, true), ST_OK);
    st_finish_edits(test->scene);
    assert_field(test, "/body/view/model", "triangles", "0 2 1");
    assert_int_equal(physics_state(test, "/body/view/model")->size, 3);
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_field(test, "/body/view/model", "triangles", "0 1 2 0 2 3");
    assert_int_equal(physics_state(test, "/body/view/model")->size, 4);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_of_removed_points_stay),          cmocka_unit_test(pairs_of_parents_follow),
        cmocka_unit_test(distances_to_removed_points_are_zero),     cmocka_unit_test(points_of_removed_frames_stay),
        cmocka_unit_test(springs_to_another_state_lose_both_ends),  cmocka_unit_test(single_numbers_follow),
        cmocka_unit_test(a_list_that_runs_empty_does_not_mean_all), cmocka_unit_test(forces_go_with_their_points),
        cmocka_unit_test(polynomials_go_with_their_springs),        cmocka_unit_test(copies_follow_their_originals),
        cmocka_unit_test(pictures_show_the_changed_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
