// Neighborhoods: parts in elements, elements around parts and their order, neighbors, borders, components, fans; and
// equal parts against a plain search on random meshes.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/array.h"
#include "topology/adjacency.h"
#include "topology/match.h"
#include "topology/tables.h"
#include "topology/topology.h"

static st_topology *mesh_of(physics_scene *test) { return (st_topology *)physics_find(test, "/mesh"); }

static void assert_shell(st_around around, size_t index, size_t count, const uint32_t *expected) {
    const st_shell shell = st_shell_of(around, index);
    assert_int_equal(shell.count, count);
    for (size_t i = 0; i < count; i++) assert_int_equal(shell.ids[i], expected[i]);
}

static void assert_list(st_uints *list, size_t count, const uint32_t *expected) {
    assert_indices(list, 1, count, expected);
    st_list_free(list);
}

// ---------------------------------------------------------------------------------------------------
// Equal parts
// ---------------------------------------------------------------------------------------------------

static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u, *seed >> 8; }

static void sort_part(uint32_t *to, const uint32_t *element, const int *local, int width) {
    for (int i = 0; i < width; i++) {
        int at = i;
        for (; at > 0 && to[at - 1] > element[local[i]]; at--) to[at] = to[at - 1];
        to[at] = element[local[i]];
    }
}

// Random tetrahedra, many of which share parts; some vertices are far beyond the others.
static void parts_equal_a_plain_search(void **state) {
    (void)state;
    enum { COUNT = 200 };
    uint32_t seed = 7, elements[4 * COUNT];
    for (size_t i = 0; i < 4 * COUNT; i++) elements[i] = next_random(&seed) % 12 + (i % 97 == 0 ? 4000000000u : 0);
    const struct {
        const int *table;
        int parts, width;
    } kinds[] = {{&st_tetrahedron_edges[0][0], 6, 2}, {&st_tetrahedron_triangles[0][0], 4, 3}};
    for (size_t k = 0; k < 2; k++) {
        const size_t total = COUNT * (size_t)kinds[k].parts;
        const st_parts source = {elements, COUNT, 4, kinds[k].table, kinds[k].parts};
        uint32_t first[6 * COUNT], keys[6 * COUNT][3];
        assert_true(st_parts_match(kinds[k].width, &source, 1, first));
        for (size_t i = 0; i < total; i++) {
            const size_t part = i % (size_t)kinds[k].parts;
            memset(keys[i], 0, sizeof keys[i]);
            sort_part(keys[i], elements + i / (size_t)kinds[k].parts * 4,
                      kinds[k].table + part * (size_t)kinds[k].width, kinds[k].width);
            size_t same = 0;
            while (memcmp(keys[same], keys[i], sizeof keys[i]) != 0) same++;
            assert_int_equal(first[i], same);
        }
    }
}

static void parts_of_several_sources(void **state) {
    (void)state;
    static const uint32_t listed[] = {2, 1, 9, 8, 1, 2}, triangles[] = {0, 1, 2, 1, 3, 2};
    const st_parts sources[] = {{.elements = listed, .count = 3, .size = 2},
                                {triangles, 2, 3, &st_triangle_edges[0][0], 3}};
    uint32_t first[9];
    assert_int_equal(st_parts_total(sources, 2), 9);
    assert_true(st_parts_match(2, sources, 2, first));
    static const uint32_t expected[] = {0, 1, 0, 0, 4, 5, 6, 0, 8};
    for (size_t i = 0; i < 9; i++) assert_int_equal(first[i], expected[i]);
    assert_true(st_parts_match(2, sources, 0, first));
    assert_false(st_parts_match(9, sources, 2, first));
}

// ---------------------------------------------------------------------------------------------------
// Tables
// ---------------------------------------------------------------------------------------------------

static void parts_follow_the_local_numbering(void **state) {
    (void)state;
    physics_scene *test = physics_load("<TetrahedronSetTopologyContainer name='mesh' tetrahedra='3 1 2 0  1 3 2 4'/>");
    st_topology *mesh = mesh_of(test);
    const struct {
        st_element upper, lower;
    } pairs[] = {{ST_TETRAHEDRON, ST_EDGE}, {ST_TETRAHEDRON, ST_TRIANGLE}, {ST_TRIANGLE, ST_EDGE}};
    for (size_t p = 0; p < 3; p++) {
        const st_part_table table = st_element_parts(pairs[p].upper, pairs[p].lower);
        const uint32_t *in = st_topology_in(mesh, pairs[p].upper, pairs[p].lower);
        const st_around around = st_topology_around(mesh, pairs[p].upper, pairs[p].lower);
        const size_t width = st_element_size[pairs[p].lower], parts = (size_t)table.parts;
        for (size_t i = 0; i < mesh->elements[pairs[p].upper].count * parts; i++) {
            const uint32_t *element = mesh->elements[pairs[p].upper].data + i / parts * st_element_size[pairs[p].upper];
            const uint32_t *part = mesh->elements[pairs[p].lower].data + in[i] * width;
            for (size_t a = 0; a < width; a++) {
                bool found = false;
                for (size_t b = 0; b < width; b++)
                    found = found || part[b] == element[table.local[i % parts * width + a]];
                assert_true(found);
            }
            const st_shell shell = st_shell_of(around, in[i]);
            bool back = false;
            for (size_t k = 0; k < shell.count; k++) back = back || shell.ids[k] == i / parts;
            assert_true(back);
        }
    }
    assert_null(st_topology_in(mesh, ST_EDGE, ST_TRIANGLE));
    physics_free(test);
}

static void around_vertices_numbers_increase(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MeshTopology name='mesh' triangles='4 0 1  0 2 1  2 0 3'/>");
    const st_around around = st_topology_around(mesh_of(test), ST_TRIANGLE, ST_VERTEX);
    assert_int_equal(around.count, 5);
    assert_shell(around, 0, 3, (uint32_t[]){0, 1, 2});
    assert_shell(around, 3, 1, (uint32_t[]){2});
    assert_shell(around, 99, 0, NULL);
    physics_free(test);
}

// Edge (0 1): triangles 1 and 3 run along it, 0 and 2 against it.
static void triangles_around_an_edge_are_sorted_by_direction(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MeshTopology name='mesh' edges='0 1' triangles='1 0 2  0 1 3  1 0 4  0 1 5'/>");
    const st_around around = st_topology_around(mesh_of(test), ST_TRIANGLE, ST_EDGE);
    assert_shell(around, 0, 4, (uint32_t[]){3, 1, 0, 2});
    const uint32_t *in = st_topology_in(mesh_of(test), ST_TRIANGLE, ST_EDGE);
    assert_int_equal(in[2], 0);
    assert_int_equal(in[0], ST_INVALID_INDEX); // not listed
    physics_free(test);
}

static void tables_are_forgotten_with_the_lists(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MeshTopology name='mesh' triangles='0 1 2  1 3 2'/>");
    st_topology *mesh = mesh_of(test);
    assert_shell(st_topology_around(mesh, ST_TRIANGLE, ST_EDGE), 0, 2, (uint32_t[]){0, 1});
    mesh->elements[ST_TRIANGLE].count = 1;
    st_topology_invalidate(mesh);
    assert_int_equal(st_adjacency_bytes(mesh), 0);
    assert_int_equal(st_topology_elements(mesh, ST_EDGE)->count, 3);
    assert_shell(st_topology_around(mesh, ST_TRIANGLE, ST_EDGE), 0, 1, (uint32_t[]){0});
    physics_free(test);
}

// A star: all elements share vertex 0. Slow if one vertex with many elements were searched through again and again.
static void many_elements_around_one_vertex(void **state) {
    (void)state;
    enum { COUNT = 200000 };
    physics_scene *test = physics_load("<TriangleSetTopologyContainer name='mesh'/>");
    st_topology *mesh = mesh_of(test);
    assert_true(st_list_set_count(&mesh->elements[ST_TRIANGLE], COUNT, 3));
    for (uint32_t i = 0; i < COUNT; i++) {
        mesh->elements[ST_TRIANGLE].data[3 * i + 1] = 1 + i;
        mesh->elements[ST_TRIANGLE].data[3 * i + 2] = 1 + (i + 1) % COUNT;
    }
    assert_int_equal(st_topology_init_again(mesh), ST_OK);
    assert_int_equal(mesh->elements[ST_EDGE].count, 2 * COUNT);
    assert_int_equal(st_shell_of(st_topology_around(mesh, ST_TRIANGLE, ST_VERTEX), 0).count, COUNT);
    assert_int_equal(st_topology_components(mesh, ST_TRIANGLE), 1);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Questions
// ---------------------------------------------------------------------------------------------------

// Edges: (1 2) (2 0) (0 1) (3 2) (1 3) (4 2) (3 4).
static void border_of_a_surface(void **state) {
    (void)state;
    physics_scene *test = physics_load("<TriangleSetTopologyContainer name='mesh' triangles='0 1 2  1 3 2  3 4 2'/>");
    st_uints edges = {0};
    assert_true(st_topology_single_parts(mesh_of(test), ST_TRIANGLE, ST_EDGE, &edges));
    assert_list(&edges, 5, (uint32_t[]){1, 2, 4, 5, 6});
    physics_free(test);
}

static void border_of_a_grid(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology name='mesh' n='4 4 4'/>");
    st_uints quads = {0};
    assert_true(st_topology_single_parts(mesh_of(test), ST_HEXAHEDRON, ST_QUAD, &quads));
    assert_int_equal(quads.count, 6 * 9);
    st_list_free(&quads);
    physics_free(test);
}

static void connected_elements(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MeshTopology name='mesh' edges='0 1  5 6  1 2  6 7  2 3' />");
    st_uints list = {0};
    assert_true(st_topology_connected(mesh_of(test), ST_EDGE, 2, &list));
    assert_list(&list, 3, (uint32_t[]){2, 0, 4}); // those of vertex 1, then those of vertex 2
    assert_int_equal(st_topology_components(mesh_of(test), ST_EDGE), 2);
    assert_int_equal(st_topology_components(mesh_of(test), ST_HEXAHEDRON), 0);
    assert_true(st_topology_connected(mesh_of(test), ST_EDGE, 99, &list));
    assert_int_equal(list.count, 0);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_equal_a_plain_search),
        cmocka_unit_test(parts_of_several_sources),
        cmocka_unit_test(parts_follow_the_local_numbering),
        cmocka_unit_test(around_vertices_numbers_increase),
        cmocka_unit_test(triangles_around_an_edge_are_sorted_by_direction),
        cmocka_unit_test(tables_are_forgotten_with_the_lists),
        cmocka_unit_test(many_elements_around_one_vertex),
        cmocka_unit_test(border_of_a_surface),
        cmocka_unit_test(border_of_a_grid),
        cmocka_unit_test(connected_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
