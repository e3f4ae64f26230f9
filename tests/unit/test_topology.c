// Topologies: the lists of grids, derived elements and their order, points, searches, and meshes that are wrong.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/real.h"
#include "topology/element_set.h"
#include "topology/regular_grid.h"

static st_topology *mesh_of(physics_scene *test) { return (st_topology *)physics_find(test, "/mesh"); }

// The first numbers of a list of elements, and their count.
static void check(physics_scene *test, st_element kind, size_t count, const uint32_t *first, size_t elements) {
    const st_uints *list = st_topology_elements(mesh_of(test), kind);
    assert_int_equal(list->count, count);
    for (size_t i = 0; i < elements * st_element_size[kind]; i++) assert_int_equal(list->data[i], first[i]);
}

static void smallest_grid(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology name='mesh' n='2 2 2'/>");
    static const uint32_t hexahedron[] = {0, 1, 3, 2, 4, 5, 7, 6};
    static const uint32_t quads[] = {0, 1, 3, 2, 4, 5, 7, 6, 0, 1, 5, 4, 2, 3, 7, 6, 0, 2, 6, 4, 1, 3, 7, 5};
    static const uint32_t edges[] = {1, 3, 3, 0, 0, 1, 3, 2, 2, 0, 5, 7, 7, 4, 4, 5, 7, 6,
                                     6, 4, 1, 5, 5, 0, 4, 0, 3, 7, 7, 2, 6, 2, 6, 0, 7, 1};
    check(test, ST_HEXAHEDRON, 1, hexahedron, 1);
    check(test, ST_QUAD, 6, quads, 6);
    check(test, ST_TRIANGLE, 12, (uint32_t[]){0, 1, 3, 0, 3, 2}, 2);
    check(test, ST_EDGE, 18, edges, 18);
    physics_free(test);
}

static void counts_of_a_larger_grid(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology name='mesh' nx='4' ny='4' nz='20'/>");
    check(test, ST_HEXAHEDRON, 171, NULL, 0);
    check(test, ST_QUAD, 636, NULL, 0);
    check(test, ST_TRIANGLE, 1272, NULL, 0);
    check(test, ST_EDGE, 1420, NULL, 0);
    assert_int_equal(st_topology_points(mesh_of(test)), 320);
    physics_free(test);
}

static void lattice_without_triangles(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology name='mesh' n='2 3 1' computeTriangleList='0'/>");
    static const uint32_t edges[] = {0, 1, 2, 3, 4, 5, 0, 2, 1, 3, 2, 4, 3, 5};
    check(test, ST_EDGE, 7, edges, 7);
    check(test, ST_HEXAHEDRON, 0, NULL, 0);
    physics_free(test);
}

static void edges_of_hexahedra_when_switched_off(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology name='mesh' n='2 2 2' computeEdgeList='0'/>");
    static const uint32_t edges[] = {0, 1, 0, 2, 0, 4, 1, 3, 1, 5, 2, 3, 3, 7, 2, 6, 4, 5, 4, 6, 5, 7, 6, 7};
    check(test, ST_EDGE, 12, edges, 12);
    physics_free(test);
}

static void positions_of_a_grid(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology name='mesh' n='3 2 1' min='0 10 -1' max='1 12 5'/>");
    st_real p[3];
    assert_true(st_topology_point(mesh_of(test), 4, p));
    assert_reals(p, 3, (st_real[]){0.5, 12, -1}, 0);
    assert_reals(mesh_of(test)->position.data + 12, 3, p, 0);
    assert_false(st_topology_point(mesh_of(test), 6, p));
    physics_free(test);
}

// One layer along x or y is in the middle, along z at the minimum.
static void single_layers(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology name='mesh' n='1 1 1' min='0 0 0' max='2 4 6'/>");
    assert_reals(mesh_of(test)->position.data, 3, (st_real[]){1, 2, 0}, 0);
    physics_free(test);
}

static void short_hands_are_single_precision(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<RegularGridTopology name='mesh' n='2 2 2' xmin='0.1' xmax='1' ymin='0' ymax='1' "
                     "zmin='0' zmax='1'/>");
    assert_near(mesh_of(test)->position.data[0], (st_real)0.1f, 0);
    assert_true((double)mesh_of(test)->position.data[0] != 0.1 || sizeof(st_real) == sizeof(float));
    physics_free(test);
    test =
        physics_load("<RegularGridTopology name='mesh' n='2 2 2' xmin='0.1' xmax='1' min='0.2 0 0'/>"); // not all six
    assert_near(mesh_of(test)->position.data[0], ST_R(0.2), 0);
    physics_free(test);
}

static void cell_width_keeps_the_steps(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<RegularGridTopology name='mesh' n='3 3 3' min='0 0 0' max='1 1 1' cellWidth='0.3'/>");
    assert_int_equal(st_topology_points(mesh_of(test)), 125); // ceil(1 / 0.3) + 1 = 5
    assert_near(mesh_of(test)->position.data[3], 0.5, 0);     // step of the 3 points that were read
    physics_free(test);
}

static void given_origin_stays(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<RegularGridTopology name='mesh' n='2 2 2' min='0 0 0' max='2 2 2' p0='5 6 7'/>");
    assert_reals(mesh_of(test)->position.data, 6, (st_real[]){5, 6, 7, 7, 6, 7}, 0);
    physics_free(test);
}

static void search_in_a_grid(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology name='mesh' n='3 3 3' min='0 0 0' max='2 2 2'/>");
    const st_regular_grid *grid = (const st_regular_grid *)mesh_of(test);
    st_real local[3];
    assert_int_equal(st_regular_grid_find_nearest_cell(grid, (st_real[]){1.25, 0.5, 1.75}, local), 5);
    assert_reals(local, 3, (st_real[]){0.25, 0.5, 0.75}, 1e-15);
    assert_int_equal(st_regular_grid_find_nearest_cell(grid, (st_real[]){-1, 0.5, 3}, local), 4);
    assert_reals(local, 3, (st_real[]){-1, 0.5, 2}, 1e-15);
    uint32_t corners[8];
    st_grid_cell_corners(&grid->grid, 7, corners);
    const uint32_t expected[8] = {13, 14, 17, 16, 22, 23, 26, 25};
    for (int i = 0; i < 8; i++) assert_int_equal(corners[i], expected[i]);
    st_regular_grid_find_nearest_cell(grid, (st_real[]){(st_real)NAN, 0, 0}, local);
    physics_free(test);
}

static void impossible_grids(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology name='mesh' n='0 2 2'/>");
    assert_int_equal(st_topology_points(mesh_of(test)), 8);
    assert_true(test->count[ST_WARNING] > 0);
    physics_free(test);
    test = physics_load("<RegularGridTopology name='mesh' n='2000000000 2000000000 2000000000'/>");
    assert_int_equal(st_topology_points(mesh_of(test)), 8);
    assert_true(test->count[ST_ERROR] > 0);
    physics_free(test);
    test = physics_load("<RegularGridTopology name='mesh' n='2 2 2' cellWidth='1e-300'/>");
    assert_int_equal(st_topology_points(mesh_of(test)), 8);
    physics_free(test);
}

static void tetrahedra_make_faces_and_edges(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MeshTopology name='mesh' tetrahedra='3 1 2 0  1 3 2 4'/>");
    // (v1 v2 v3), (v0 v3 v2), (v1 v3 v0), (v0 v2 v1), turned to the smallest vertex; edges small first
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2, 2, 4, 3, 1, 4, 2, 1, 3, 4};
    static const uint32_t edges[] = {1, 3, 2, 3, 0, 3, 1, 2, 0, 1, 0, 2, 1, 4, 3, 4, 2, 4};
    check(test, ST_TRIANGLE, 7, triangles, 7);
    check(test, ST_EDGE, 9, edges, 9);
    assert_int_equal(st_topology_points(mesh_of(test)), 5);
    physics_free(test);
}

static void hexahedra_make_quads(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MeshTopology name='mesh' hexahedra='0 1 3 2 4 5 7 6'/>");
    static const uint32_t quads[] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 1, 3, 7, 5, 2, 6, 7, 3, 0, 4, 6, 2};
    check(test, ST_QUAD, 6, quads, 6);
    check(test, ST_TRIANGLE, 0, NULL, 0);
    check(test, ST_EDGE, 12, NULL, 0);
    physics_free(test);
}

static void surfaces_make_edges(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MeshTopology name='mesh' triangles='2 1 0' quads='1 2 4 3'/>");
    static const uint32_t edges[] = {1, 0, 0, 2, 2, 1, 2, 4, 3, 4, 1, 3};
    check(test, ST_EDGE, 6, edges, 6);
    physics_free(test);
}

static void given_lists_stay(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<MeshTopology name='mesh' lines='3 0' tetras='0 1 2 3' position='0 0 0 1 0 0 0 1 0 0 0 1 5 5 5'/>");
    check(test, ST_EDGE, 1, (uint32_t[]){3, 0}, 1);
    assert_int_equal(st_topology_points(mesh_of(test)), 4); // points that no element uses do not count
    physics_free(test);
}

static void derived_lists_can_be_linked(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<MeshTopology name='mesh' tetrahedra='0 1 2 3'/><MeshTopology name='second' edges='@mesh.edges'/>");
    st_topology *second = (st_topology *)physics_find(test, "/second");
    assert_int_equal(second->elements[ST_EDGE].count, 6);
    physics_free(test);
}

static void vertices_out_of_range_empty_the_list(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MeshTopology name='mesh' position='0 0 0 1 0 0' edges='0 1 0 7' triangles='0 1 4294967295'/>");
    assert_true(test->count[ST_ERROR] >= 2);
    assert_int_equal(st_topology_elements(mesh_of(test), ST_EDGE)->count, 0);
    assert_int_equal(st_topology_elements(mesh_of(test), ST_TRIANGLE)->count, 0);
    physics_free(test);
}

static void sets_know_elements_by_vertices(void **state) {
    (void)state;
    st_element_set set = {0};
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(st_element_set_add(&set, (uint32_t[]){i, i + 1, i * i}, 3, i), ST_SET_ADDED);
    assert_int_equal(st_element_set_add(&set, (uint32_t[]){49, 7, 8}, 3, 5), ST_SET_KNOWN);
    assert_int_equal(st_element_set_find(&set, (uint32_t[]){8, 49, 7}, 3), 7);
    assert_int_equal(st_element_set_find(&set, (uint32_t[]){8, 7}, 2), ST_INVALID_INDEX);
    st_element_set_free(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smallest_grid),
        cmocka_unit_test(counts_of_a_larger_grid),
        cmocka_unit_test(lattice_without_triangles),
        cmocka_unit_test(edges_of_hexahedra_when_switched_off),
        cmocka_unit_test(positions_of_a_grid),
        cmocka_unit_test(single_layers),
        cmocka_unit_test(short_hands_are_single_precision),
        cmocka_unit_test(cell_width_keeps_the_steps),
        cmocka_unit_test(given_origin_stays),
        cmocka_unit_test(search_in_a_grid),
        cmocka_unit_test(impossible_grids),
        cmocka_unit_test(tetrahedra_make_faces_and_edges),
        cmocka_unit_test(hexahedra_make_quads),
        cmocka_unit_test(surfaces_make_edges),
        cmocka_unit_test(given_lists_stay),
        cmocka_unit_test(derived_lists_can_be_linked),
        cmocka_unit_test(vertices_out_of_range_empty_the_list),
        cmocka_unit_test(sets_know_elements_by_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
