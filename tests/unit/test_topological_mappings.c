// Topological mappings at init: the elements that they make, their order and options, their index maps, and what they
// refuse.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/array.h"
#include "math/real.h"
#include "math/vec3.h"
#include "settee/plugin/state.h"
#include "topology/mapping/topological_mapping.h"
#include "topology/match.h"

static st_real signed_volume(const st_real *x, const uint32_t v[4]) {
    st_real e[3][3], cross[3];
    for (int i = 0; i < 3; i++) st_vec3_sub(e[i], x + 3 * v[i + 1], x + 3 * v[0]);
    st_vec3_cross(cross, e[0], e[1]);
    return st_vec3_dot(cross, e[2]) / 6;
}

static st_topology *topology(physics_scene *test, const char *path) { return (st_topology *)physics_find(test, path); }

static void check(physics_scene *test, st_element kind, size_t count, const uint32_t *first, size_t elements) {
    const st_uints *list = st_topology_elements(topology(test, "/out/mesh"), kind);
    assert_int_equal(list->count, count);
    for (size_t i = 0; i < elements * st_element_size[kind]; i++) assert_int_equal(list->data[i], first[i]);
}

static const st_topological_mapping *map_of(physics_scene *test) {
    return (const st_topological_mapping *)physics_find(test, "/out/map");
}

static void assert_invalid(const char *scene, const char *message) {
    physics_scene *test = physics_load(scene);
    if (!strstr(test->log, message)) print_message("\"%s\" is not in:\n%s", message, test->log);
    assert_non_null(strstr(test->log, message));
    physics_free(test);
}

#define OUT(container, modifier, mapping) "<Node name='out'><" container " name='mesh'/>" modifier mapping "</Node>"
#define TRIANGLES(mapping) OUT("TriangleSetTopologyContainer", "<TriangleSetTopologyModifier/>", mapping)
#define QUADS(mapping) OUT("QuadSetTopologyContainer", "<QuadSetTopologyModifier/>", mapping)
#define EDGES(mapping) OUT("EdgeSetTopologyContainer", "<EdgeSetTopologyModifier/>", mapping)
#define TETRAHEDRA(mapping) OUT("TetrahedronSetTopologyContainer", "", mapping)

// ---------------------------------------------------------------------------------------------------
// Borders
// ---------------------------------------------------------------------------------------------------

#define TWO_TETRAHEDRA "<TetrahedronSetTopologyContainer name='in' tetrahedra='3 1 2 0  1 3 2 4'/>"

static void surface_of_tetrahedra(void **state) {
    (void)state;
    physics_scene *test = physics_load(TWO_TETRAHEDRA TRIANGLES("<Tetra2TriangleTopologicalMapping name='map'/>"));
    // triangle 3 of the input, (1 3 2), lies between the two
    check(test, ST_TRIANGLE, 6, (uint32_t[]){0, 1, 2, 0, 2, 3, 0, 3, 1, 2, 4, 3, 1, 4, 2, 1, 3, 4}, 6);
    check(test, ST_EDGE, 9, (uint32_t[]){1, 2, 2, 0, 0, 1}, 3); // made again by the container
    assert_int_equal(st_topology_points(topology(test, "/out/mesh")), 5);
    assert_indices(&map_of(test)->loc_to_glob, 1, 6, (uint32_t[]){0, 1, 2, 4, 5, 6});
    assert_indices(&map_of(test)->glob_to_loc, 1, 7, (uint32_t[]){0, 1, 2, ST_INVALID_INDEX, 3, 4, 5});
    assert_int_equal(test->count[ST_WARNING], 0);
    physics_free(test);
}

static void options_of_the_surface(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(TWO_TETRAHEDRA TRIANGLES("<Tetra2TriangleTopologicalMapping name='map' flipNormals='1'/>"));
    check(test, ST_TRIANGLE, 6, (uint32_t[]){0, 2, 1, 0, 3, 2}, 2);
    physics_free(test);
    test =
        physics_load(TWO_TETRAHEDRA TRIANGLES("<Tetra2TriangleTopologicalMapping name='map' noInitialTriangles='1'/>"));
    check(test, ST_TRIANGLE, 0, NULL, 0);
    assert_int_equal(st_topology_points(topology(test, "/out/mesh")), 5);
    physics_free(test);
    test = physics_load(TWO_TETRAHEDRA OUT("MeshTopology", "", "<Tetra2TriangleTopologicalMapping name='map'/>"));
    check(test, ST_TRIANGLE, 6, NULL, 0);
    check(test, ST_EDGE, 9, NULL, 0);
    assert_int_equal(test->count[ST_WARNING], 1); // without a modifier it cannot follow changes
    physics_free(test);
}

static void surface_of_hexahedra(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<RegularGridTopology name='in' n='3 3 3'/>" QUADS("<Hexa2QuadTopologicalMapping name='map'/>"));
    check(test, ST_QUAD, 24, (uint32_t[]){0, 1, 4, 3}, 1); // the grid's own quads, not outward
    assert_int_equal(topology(test, "/out/mesh")->elements[ST_EDGE].count, 48);
    physics_free(test);
    test = physics_load("<HexahedronSetTopologyContainer name='in' hexahedra='0 1 2 3 4 5 6 7'/>" QUADS(
        "<Hexa2QuadTopologicalMapping name='map' flipNormals='1'/>"));
    check(test, ST_QUAD, 6, (uint32_t[]){1, 2, 3, 0, 7, 6, 5, 4}, 2);
    physics_free(test);
}

static void rim_of_a_surface(void **state) {
    (void)state;
    physics_scene *test = physics_load("<TriangleSetTopologyContainer name='in' triangles='0 1 2  1 3 2'/>" EDGES(
        "<Triangle2EdgeTopologicalMapping name='map'/>"));
    check(test, ST_EDGE, 4, (uint32_t[]){2, 0, 0, 1, 3, 2, 1, 3}, 4);
    assert_indices(&map_of(test)->loc_to_glob, 1, 4, (uint32_t[]){1, 2, 3, 4});
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Cuts
// ---------------------------------------------------------------------------------------------------

// How many faces of the tetrahedra have no partner.
static size_t open_faces(st_topology *mesh) {
    size_t single = 0;
    const st_uints *tetrahedra = st_topology_elements(mesh, ST_TETRAHEDRON);
    static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {1, 3, 0}, {0, 2, 1}};
    const st_parts source = {tetrahedra->data, tetrahedra->count, 4, &faces[0][0], 4};
    const size_t total = st_parts_total(&source, 1);
    uint32_t *first = malloc(total * sizeof *first), *count = calloc(total, sizeof *count);
    assert_true(st_parts_match(3, &source, 1, first));
    for (size_t i = 0; i < total; i++) count[first[i]]++;
    for (size_t i = 0; i < total; i++) single += count[i] == 1;
    free(first);
    free(count);
    return single;
}

static void hexahedra_become_tetrahedra(void **state) {
    (void)state;
    static const char *const options[] = {"<Hexa2TetraTopologicalMapping name='map'/>",
                                          "<Hexa2TetraTopologicalMapping name='map' swapping='1'/>"};
    for (int swapping = 0; swapping < 2; swapping++) {
        char scene[512];
        snprintf(scene, sizeof scene,
                 "<RegularGridTopology name='in' n='4 3 5'/><Node name='out'><TetrahedronSetTopologyContainer "
                 "name='mesh'/>%s</Node>",
                 options[swapping]);
        physics_scene *test = physics_load(scene);
        st_topology *mesh = topology(test, "/out/mesh");
        check(test, ST_TETRAHEDRON, 6 * 3 * 2 * 4, NULL, 0);
        const st_real *x = topology(test, "/in")->position.data;
        st_real volume = 0;
        for (size_t i = 0; i < mesh->elements[ST_TETRAHEDRON].count; i++) {
            const st_real v = signed_volume(x, mesh->elements[ST_TETRAHEDRON].data + 4 * i);
            assert_true(v > 0);
            volume += v;
        }
        assert_near(volume, 1, ST_R(1e-5));
        assert_int_equal(open_faces(mesh), 2 * 2 * (3 * 2 + 2 * 4 + 3 * 4)); // conforming: only the surface is open
        assert_int_equal(map_of(test)->loc_to_glob.data[13], 2);
        assert_int_equal(map_of(test)->glob_to_loc.data[6 * 2 + 1], 13);
        physics_free(test);
    }
}

static void swapped_tetrahedra_of_a_grid(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology name='in' n='3 3 3'/>" TETRAHEDRA(
        "<Hexa2TetraTopologicalMapping name='map' swapping='1'/>"));
    static const uint32_t first[] = {1,  9, 12, 0,  1,  0,  12, 4,  0,  4,  3,  12, 12, 4,  13, 1, 12, 13,
                                     9,  1, 13, 9,  1,  10, 1,  11, 2,  14, 1,  2,  4,  14, 2,  4, 14, 5,
                                     14, 4, 1,  13, 14, 13, 1,  11, 13, 11, 10, 1,  7,  15, 6,  12};
    check(test, ST_TETRAHEDRON, 48, first, 13);
    physics_free(test);
}

static void quads_become_triangles(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<QuadSetTopologyContainer name='in' quads='0 1 2 3  4 5 6 7  8 9 10 11'/>" TRIANGLES(
            "<Quad2TriangleTopologicalMapping name='map'/>"));
    static const uint32_t swapped[] = {1, 2, 0, 3, 0, 2, 4, 5, 7, 6, 7, 5, 8, 9, 11, 10, 11, 9};
    check(test, ST_TRIANGLE, 6, swapped, 6);
    assert_indices(&map_of(test)->glob_to_loc, 1, 6, (uint32_t[]){0, 1, 2, 3, 4, 5});
    physics_free(test);
    test = physics_load("<QuadSetTopologyContainer name='in' quads='0 1 2 3  4 5 6 7'/>" TRIANGLES(
        "<Quad2TriangleTopologicalMapping name='map' swapping='0'/>"));
    check(test, ST_TRIANGLE, 4, (uint32_t[]){1, 2, 0, 3, 0, 2, 5, 6, 4, 7, 4, 6}, 4);
    physics_free(test);
    // a flat grid alternates like a chess board: quad 3 is below quad 0 and is cut the other way
    test = physics_load(
        "<RegularGridTopology name='in' n='4 3 1'/>" TRIANGLES("<Quad2TriangleTopologicalMapping name='map'/>"));
    const st_topology *mesh = topology(test, "/out/mesh");
    assert_int_equal(mesh->elements[ST_TRIANGLE].data[0], 1);
    assert_int_equal(mesh->elements[ST_TRIANGLE].data[6 * 3], 4);
    physics_free(test);
}

static void hexahedra_become_prisms(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<HexahedronSetTopologyContainer name='in' hexahedra='10 11 12 13 14 15 16 17'/>" OUT(
            "MeshTopology", "", "<Hexa2PrismTopologicalMapping name='map'/>"));
    check(test, ST_PRISM, 2, (uint32_t[]){10, 15, 11, 13, 16, 12, 10, 14, 15, 13, 17, 16}, 2);
    assert_int_equal(st_topology_points(topology(test, "/out/mesh")), 18);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

static void tube_around_a_beam(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<EdgeSetTopologyContainer name='in' edges='0 1'/>"
                     "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  5 0 0 0.7071067811865476 0 0 "
                     "0.7071067811865476'/>"
                     "<Node name='out'><QuadSetTopologyContainer "
                     "name='mesh'/><QuadSetTopologyModifier/><MechanicalObject name='skin'/>"
                     "<Edge2QuadTopologicalMapping name='map' nbPointsOnEachCircle='4' radius='2'/></Node>");
    check(test, ST_QUAD, 4, (uint32_t[]){0, 4, 5, 1, 1, 5, 6, 2, 2, 6, 7, 3, 3, 7, 4, 0}, 4);
    const st_state *skin = physics_state(test, "/out/skin");
    assert_int_equal(skin->size, 8);
    static const st_real expected[] = {0, 2, 0, 0, 0, 2, 0, -2, 0, 0, 0, -2, 5, 0, 2, 5, -2, 0, 5, 0, -2, 5, 2, 0};
    assert_reals(skin->coord[ST_COORD_POSITION].data, 24, expected, ST_R(1e-6));
    assert_int_equal(st_topology_points(topology(test, "/out/mesh")), 8);
    physics_free(test);
}

static void options_of_the_tube(void **state) {
    (void)state;
    const char *scene =
        "<EdgeSetTopologyContainer name='in' edges='0 1  1 2'/><MechanicalObject template='Rigid3' "
        "position='0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1'/><Node name='out'>"
        "<QuadSetTopologyContainer name='mesh'/><QuadSetTopologyModifier/><MechanicalObject name='skin'/>"
        "<Edge2QuadTopologicalMapping name='map' nbPointsOnEachCircle='4' flipNormals='1' %s/></Node>";
    char text[1024];
    snprintf(text, sizeof text, scene, "radius='1'");
    physics_scene *test = physics_load(text);
    check(test, ST_QUAD, 8, (uint32_t[]){1, 5, 4, 0}, 1);
    physics_free(test);
    snprintf(text, sizeof text, scene, "radius='1' radiusFocal='3' focalAxis='0 0 5' edgeList='1'");
    test = physics_load(text);
    check(test, ST_QUAD, 4, (uint32_t[]){4, 5, 9, 8}, 1);
    const st_state *skin = physics_state(test, "/out/skin");
    assert_reals(skin->coord[ST_COORD_POSITION].data, 6, (st_real[]){0, 1, 0, 0, 0, 3}, ST_R(1e-6));
    physics_free(test);
    snprintf(text, sizeof text, scene, "");
    assert_invalid(text, "neither radius nor radiusFocal");
    snprintf(text, sizeof text, scene, "radius='1' edgeList='7'");
    assert_invalid(text, "edgeList has edge 7");
}

#define TETRAHEDRON "<MeshTopology name='in' position='0 0 0 4 0 0 0 4 0 0 0 4' tetrahedra='0 1 2 3'/>"

static void points_in_elements(void **state) {
    (void)state;
    physics_scene *test = physics_load(TETRAHEDRON OUT(
        "PointSetTopologyContainer", "",
        "<Mesh2PointTopologicalMapping name='map' pointBaryCoords='0 0 0 1 0 0' edgeBaryCoords='0.25 9 9' "
        "triangleBaryCoords='0.5 0.25 0' tetraBaryCoords='0.25 0.25 0.25'/><MechanicalObject name='dofs'/>"));
    const st_topology *mesh = topology(test, "/out/mesh");
    assert_int_equal(st_topology_points(mesh), 8 + 6 + 4 + 1);
    assert_reals(mesh->position.data + 3, 3, (st_real[]){1, 0, 0}, 0);      // point 0, second entry
    assert_reals(mesh->position.data + 3 * 8, 3, (st_real[]){1, 0, 0}, 0);  // edge (0 1)
    assert_reals(mesh->position.data + 3 * 14, 3, (st_real[]){1, 2, 1}, 0); // triangle (1 2 3)
    assert_reals(mesh->position.data + 3 * 18, 3, (st_real[]){1, 1, 1}, 0);
    assert_int_equal(physics_state(test, "/out/dofs")->size, 19);
    physics_free(test);
}

static void points_in_quads_and_hexahedra(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology name='in' n='2 2 2'/>" OUT(
        "PointSetTopologyContainer", "",
        "<Mesh2PointTopologicalMapping name='map' quadBaryCoords='0.5 0.25 0' hexaBaryCoords='0.125 0.25 0.5'/>"));
    const st_topology *mesh = topology(test, "/out/mesh");
    assert_int_equal(st_topology_points(mesh), 7);
    // quad (0 1 3 2): its corners 2 and 3 change places, so that v runs from one diagonal to the other
    assert_reals(mesh->position.data, 3, (st_real[]){0.5, 0.25, 0}, ST_R(1e-6));
    assert_reals(mesh->position.data + 3 * 6, 3, (st_real[]){0.125, 0.25, 0.5}, ST_R(1e-6));
    physics_free(test);
}

static void elements_are_copied_with_points(void **state) {
    (void)state;
    physics_scene *test = physics_load(TETRAHEDRON OUT(
        "TriangleSetTopologyContainer", "",
        "<Mesh2PointTopologicalMapping name='map' pointBaryCoords='0 0 0' copyTriangles='1' copyEdges='1'/>"));
    check(test, ST_TRIANGLE, 4, (uint32_t[]){1, 2, 3, 0, 3, 2}, 2);
    check(test, ST_EDGE, 6, (uint32_t[]){0, 1, 0, 2}, 2);
    physics_free(test);
    assert_invalid(
        TETRAHEDRON OUT("PointSetTopologyContainer", "", "<Mesh2PointTopologicalMapping name='map' copyEdges='1'/>"),
        "copyEdges needs pointBaryCoords");
}

static void centers_of_hexahedra(void **state) {
    (void)state;
    physics_scene *test = physics_load("<RegularGridTopology name='in' n='3 3 2'/><Node name='out'>"
                                       "<PointSetTopologyContainer name='mesh'/><MechanicalObject name='dofs'/>"
                                       "<CenterPointTopologicalMapping name='map'/></Node>");
    assert_int_equal(st_topology_points(topology(test, "/out/mesh")), 4);
    assert_int_equal(physics_state(test, "/out/dofs")->size, 4);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Subsets
// ---------------------------------------------------------------------------------------------------

static void subsets_find_their_counterparts(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<TriangleSetTopologyContainer name='in' position='0 0 0 1 0 0 0 1 0 1 1 0' triangles='0 1 2 1 3 2'/>"
        "<Node name='out'><TriangleSetTopologyContainer name='mesh' position='1 1 0 -0 1 0 1 0 0' triangles='1 2 0'/>"
        "<SubsetTopologicalMapping name='map' handleTriangles='1' handleEdges='1'/></Node>");
    assert_field(test, "/out/map", "pointS2D", "4294967295 2 1 0");
    assert_field(test, "/out/map", "pointD2S", "3 2 1");
    assert_field(test, "/out/map", "triangleS2D", "4294967295 0");
    assert_field(test, "/out/map", "triangleD2S", "1");
    assert_field(test, "/out/map", "edgeD2S", "4 3 0");
    assert_true(st_is_valid(physics_find(test, "/out/map")));
    physics_free(test);
    assert_invalid("<PointSetTopologyContainer name='in' position='0 0 0 1 0 0'/><Node name='out'>"
                   "<PointSetTopologyContainer name='mesh' position='1 0 1'/><SubsetTopologicalMapping/></Node>",
                   "point 0 of the subset");
    assert_invalid("<PointSetTopologyContainer name='in' nbPoints='3'/><Node name='out'>"
                   "<PointSetTopologyContainer name='mesh' nbPoints='2'/><SubsetTopologicalMapping/></Node>",
                   "the source has 3 points, the subset 2");
}

// ---------------------------------------------------------------------------------------------------
// What is refused
// ---------------------------------------------------------------------------------------------------

static void both_ends_must_be_there(void **state) {
    (void)state;
    assert_invalid("<MeshTopology name='in'/><Node name='out'><Tetra2TriangleTopologicalMapping/></Node>",
                   "its output topology is not there");
    assert_invalid(
        "<Node name='out'><MeshTopology name='mesh'/><Tetra2TriangleTopologicalMapping input='@nowhere'/></Node>",
        "its input topology is not there");
    assert_invalid("<MeshTopology name='in'/><Node name='out'><MeshTopology name='mesh'/>"
                   "<Tetra2TriangleTopologicalMapping input='@mesh' output='@mesh'/></Node>",
                   "the same topology");
}

static void kinds_must_fit(void **state) {
    (void)state;
    assert_invalid("<TriangleSetTopologyContainer name='in'/>" QUADS("<Hexa2QuadTopologicalMapping name='map'/>"),
                   "is a mesh of triangle elements, not of hexahedron elements");
    assert_invalid("<RegularGridTopology name='in' n='3 3 3'/>" TRIANGLES("<Hexa2QuadTopologicalMapping name='map'/>"),
                   "not of quad elements");
    assert_invalid("<RegularGridTopology name='in' n='3 3 3'/>" OUT("QuadSetTopologyContainer", "",
                                                                    "<Hexa2QuadTopologicalMapping name='map'/>"),
                   "no QuadSetTopologyModifier");
    assert_invalid("<RegularGridTopology name='in' n='3 3 3'/>" QUADS("<Hexa2TetraTopologicalMapping name='map'/>"),
                   "cannot hold tetrahedron elements");
    assert_invalid(
        "<RegularGridTopology name='in' n='1 1 5'/>" TRIANGLES("<Quad2TriangleTopologicalMapping name='map'/>"),
        "is a line");
}

// What follows the output by links sees what the mapping made; what the output followed before is forgotten.
static void links_of_the_output(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        TWO_TETRAHEDRA
        "<MeshTopology name='other' triangles='0 1 2'/><Node name='out'>"
        "<TriangleSetTopologyContainer name='mesh' triangles='@../other.triangles'/><TriangleSetTopologyModifier/>"
        "<Tetra2TriangleTopologicalMapping name='map' input='@../in'/>"
        "<MeshTopology name='behind' triangles='@mesh.triangles'/></Node>");
    check(test, ST_TRIANGLE, 6, NULL, 0);
    assert_int_equal(topology(test, "/out/behind")->elements[ST_TRIANGLE].count, 6);
    st_topology *other = topology(test, "/other");
    st_touch(&other->object, &other->elements[ST_TRIANGLE]);
    st_pull(&topology(test, "/out/mesh")->object);
    check(test, ST_TRIANGLE, 6, NULL, 0);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surface_of_tetrahedra),
        cmocka_unit_test(options_of_the_surface),
        cmocka_unit_test(surface_of_hexahedra),
        cmocka_unit_test(rim_of_a_surface),
        cmocka_unit_test(hexahedra_become_tetrahedra),
        cmocka_unit_test(swapped_tetrahedra_of_a_grid),
        cmocka_unit_test(quads_become_triangles),
        cmocka_unit_test(hexahedra_become_prisms),
        cmocka_unit_test(tube_around_a_beam),
        cmocka_unit_test(options_of_the_tube),
        cmocka_unit_test(points_in_elements),
        cmocka_unit_test(points_in_quads_and_hexahedra),
        cmocka_unit_test(elements_are_copied_with_points),
        cmocka_unit_test(centers_of_hexahedra),
        cmocka_unit_test(subsets_find_their_counterparts),
        cmocka_unit_test(both_ends_must_be_there),
        cmocka_unit_test(kinds_must_fit),
        cmocka_unit_test(links_of_the_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
