// BoxROI: points and elements inside, where both come from, oriented boxes, and the flow to what is linked.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "engine/roi.h"

static const char grid[] =
    "<RegularGridTopology name='grid' n='3 2 2' min='0 0 0' max='2 1 1'/><MechanicalObject name='dofs'/>";

static physics_scene *load_roi(const char *before, const char *attributes) {
    char text[1024];
    snprintf(text, sizeof text, "%s<BoxROI name='roi' %s/>", before, attributes);
    return physics_load(text);
}

static void points_and_elements(void **state) {
    (void)state;
    physics_scene *test = load_roi(grid, "box='-0.1 -0.1 -0.1 0.5 1.1 1.1'");
    assert_field(test, "/roi", "indices", "0 3 6 9");
    assert_field(test, "/roi", "nbIndices", "4");
    assert_field(test, "/roi", "indicesOut", "1 2 4 5 7 8 10 11");
    assert_field(test, "/roi", "pointsInROI", "0 0 0 0 1 0 0 0 1 0 1 1");
    assert_field(test, "/roi", "quadIndices", "8");
    assert_field(test, "/roi", "quadsInROI", "0 3 9 6");
    assert_field(test, "/roi", "triangleIndices", "16 17");
    assert_field(test, "/roi", "hexahedronIndices", "");
    const st_roi *roi = (st_roi *)physics_find(test, "/roi");
    assert_int_equal(roi->element_indices[ST_EDGE].count, 5);
    assert_int_equal(roi->element_indices_out[0].count + 5, roi->elements[ST_EDGE].count);
    physics_free(test);
}

static void bounds_belong_to_the_box_and_may_be_reversed(void **state) {
    (void)state;
    physics_scene *test = load_roi(grid, "box='1 1 1 0 0 0'");
    assert_field(test, "/roi", "indices", "0 1 3 4 6 7 9 10");
    assert_field(test, "/roi", "hexahedronIndices", "0");
    physics_free(test);
    test = load_roi(grid, ""); // 0 0 0 1 1 1
    assert_field(test, "/roi", "indices", "0 1 3 4 6 7 9 10");
    physics_free(test);
}

// The cell between two boxes: all its points are in the union, its center is in none of them.
static void strict_or_by_center(void **state) {
    (void)state;
    static const char boxes[] = "box='-0.1 -1 -1 0.1 2 2  0.9 -1 -1 1.1 2 2'";
    physics_scene *test = load_roi(grid, boxes);
    assert_field(test, "/roi", "hexahedronIndices", "0");
    physics_free(test);
    char text[128];
    snprintf(text, sizeof text, "%s strict='0'", boxes);
    test = load_roi(grid, text);
    assert_field(test, "/roi", "hexahedronIndices", "");
    physics_free(test);
    test = load_roi(grid, "box='1.4 0.4 0.4 1.6 0.6 0.6' strict='0'");
    assert_field(test, "/roi", "hexahedronIndices", "1");
    assert_field(test, "/roi", "indices", "");
    physics_free(test);
}

static void switched_off_lists_are_empty(void **state) {
    (void)state;
    physics_scene *test = load_roi(grid, "box='-9 -9 -9 9 9 9' computeQuads='0' computeEdges='0'");
    assert_field(test, "/roi", "quadIndices", "");
    assert_field(test, "/roi", "edgeIndices", "");
    assert_field(test, "/roi", "hexahedronIndices", "0 1");
    physics_free(test);
}

// p0 p1 p2 in the plane z = 0, depth 1: half of it on each side.
static void oriented_boxes(void **state) {
    (void)state;
    physics_scene *test = load_roi("", "position='0.5 0.5 0.4 0.5 0.5 -0.4 0.5 0.5 0.6 1.5 0.5 0 1 1 0.5' "
                                       "orientedBox='0 0 0 1 0 0 1 1 0 1'");
    assert_field(test, "/roi", "indices", "0 1 4");
    physics_free(test);
    test = load_roi("", "position='0 0 0.4 9 9 9 5 5 5' orientedBox='0 0 0 1 0 0 1 1 0 -1' box='8 8 8 10 10 10'");
    assert_field(test, "/roi", "indices", "0 1");
    physics_free(test);
}

static void given_positions_and_templates(void **state) {
    (void)state;
    physics_scene *test = load_roi("", "template='Vec1' position='0 2 0.5' box='0 5 5 1 6 6'");
    assert_field(test, "/roi", "indices", "0 2");
    physics_free(test);
    test =
        load_roi("<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1 5 0 0 0 0 0 1'/>", "template='Rigid3'");
    assert_field(test, "/roi", "indices", "0");
    assert_field(test, "/roi", "pointsInROI", "0 0 0 0 0 0 1");
    physics_free(test);
}

static void positions_are_at_rest(void **state) {
    (void)state;
    physics_scene *test =
        load_roi("<MechanicalObject name='dofs' position='9 9 9 0 0 0' rest_position='0 0 0 9 9 9'/>", "");
    assert_field(test, "/roi", "indices", "0");
    physics_free(test);
}

static void without_positions_it_is_invalid(void **state) {
    (void)state;
    physics_scene *test = load_roi("", "");
    assert_int_equal(test->count[ST_ERROR], 1);
    physics_free(test);
}

static void a_later_state_is_seen_later(void **state) {
    (void)state;
    physics_scene *test = physics_load("<BoxROI name='roi'/><MechanicalObject name='dofs' position='0 0 0 9 9 9'/>");
    assert_true(test->count[ST_WARNING] > 0); // nothing to select from at its init
    assert_field(test, "/roi", "indices", "0");
    physics_free(test);
}

static void the_selection_flows_to_constraints(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology n='2 2 1'/><MechanicalObject name='dofs'/>"
                                       "<BoxROI name='roi' box='-1 0.9 -1 2 2 2'/>"
                                       "<FixedProjectiveConstraint name='fix' indices='@roi.indices'/>");
    assert_field(test, "/fix", "indices", "2 3");
    st_object_set(physics_find(test, "/roi"), "box", "-1 -1 -1 0.1 2 2");
    st_scene_step(test->scene, 0);
    assert_field(test, "/fix", "indices", "0 2");
    physics_free(test);
}

static void a_frozen_selection_stays(void **state) {
    (void)state;
    physics_scene *test = load_roi(grid, "doUpdate='0'");
    st_object_set(physics_find(test, "/roi"), "box", "8 8 8 9 9 9");
    st_scene_step(test->scene, 0);
    assert_field(test, "/roi", "indices", "0 1 3 4 6 7 9 10");
    physics_free(test);
}

static void elements_without_points_are_outside(void **state) {
    (void)state;
    physics_scene *test =
        load_roi("", "position='0 0 0 1 0 0' edges='0 1 0 9 4000000000 1' strict='0' box='-9 -9 -9 9 9 9'");
    assert_field(test, "/roi", "edgeIndices", "0");
    assert_field(test, "/roi", "edgeOutIndices", "1 2");
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_elements),
        cmocka_unit_test(bounds_belong_to_the_box_and_may_be_reversed),
        cmocka_unit_test(strict_or_by_center),
        cmocka_unit_test(switched_off_lists_are_empty),
        cmocka_unit_test(oriented_boxes),
        cmocka_unit_test(given_positions_and_templates),
        cmocka_unit_test(positions_are_at_rest),
        cmocka_unit_test(without_positions_it_is_invalid),
        cmocka_unit_test(a_later_state_is_seen_later),
        cmocka_unit_test(the_selection_flows_to_constraints),
        cmocka_unit_test(a_frozen_selection_stays),
        cmocka_unit_test(elements_without_points_are_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
