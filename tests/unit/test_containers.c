// Changeable containers: number of points, lists that are made, lists that are given, checks; boxes, spheres and
// cylinders; modifiers; geometry and orientation.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/real.h"
#include "math/vec3.h"
#include "topology/container.h"
#include "topology/measure.h"

static st_real measure(const st_real *x, st_element kind, const uint32_t *vertices) {
    const st_points points = {.data = x, .count = SIZE_MAX, .stride = 3, .dim = 3};
    return st_measure(&points, kind, vertices);
}

static st_topology *mesh_of(physics_scene *test) { return (st_topology *)physics_find(test, "/mesh"); }

static void check(physics_scene *test, st_element kind, size_t count, const uint32_t *first, size_t elements) {
    const st_uints *list = st_topology_elements(mesh_of(test), kind);
    assert_int_equal(list->count, count);
    for (size_t i = 0; i < elements * st_element_size[kind]; i++) assert_int_equal(list->data[i], first[i]);
}

static void assert_logged(physics_scene *test, const char *text) {
    if (!strstr(test->log, text)) print_message("\"%s\" is not in:\n%s", text, test->log);
    assert_non_null(strstr(test->log, text));
}

// ---------------------------------------------------------------------------------------------------
// Containers
// ---------------------------------------------------------------------------------------------------

// The first tetrahedra of SOFA's cube_low_res.msh, and what a container makes of them.
static void tetrahedra_make_edges_and_triangles(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<TetrahedronSetTopologyContainer name='mesh' tetrahedra='22 2 11 25  22 2 24 11'/>");
    static const uint32_t edges[] = {2, 22, 11, 22, 22, 25, 2, 11, 2, 25, 11, 25, 22, 24, 2, 24, 11, 24};
    static const uint32_t triangles[] = {2, 11, 25, 11, 22, 25, 2, 25, 22, 2, 22, 11, 2, 24, 11};
    check(test, ST_EDGE, 9, edges, 9);
    check(test, ST_TRIANGLE, 7, triangles, 5);
    assert_int_equal(st_topology_points(mesh_of(test)), 26);
    assert_field(test, "/mesh", "nbPoints", "26");
    assert_int_equal(test->count[ST_ERROR], 0);
    physics_free(test);
}

static void triangles_keep_directions_quads_sort(void **state) {
    (void)state;
    physics_scene *test = physics_load("<TriangleSetTopologyContainer name='mesh' triangles='2 1 0  1 2 3'/>");
    check(test, ST_EDGE, 5, (uint32_t[]){1, 0, 0, 2, 2, 1, 2, 3, 3, 1}, 5);
    physics_free(test);
    test = physics_load("<QuadSetTopologyContainer name='mesh' quads='3 2 1 0  2 3 4 5'/>");
    check(test, ST_EDGE, 7, (uint32_t[]){1, 2, 0, 1, 0, 3, 2, 3, 3, 4, 4, 5, 2, 5}, 7);
    check(test, ST_TRIANGLE, 0, NULL, 0);
    physics_free(test);
}

static void hexahedra_make_quads(void **state) {
    (void)state;
    physics_scene *test = physics_load("<HexahedronSetTopologyContainer name='mesh' hexas='0 1 3 2 4 5 7 6'/>");
    static const uint32_t quads[] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 1, 3, 7, 5, 2, 6, 7, 3, 0, 4, 6, 2};
    static const uint32_t edges[] = {0, 1, 0, 2, 0, 4, 1, 3, 1, 5, 2, 3, 3, 7, 2, 6, 4, 5, 4, 6, 5, 7, 6, 7};
    check(test, ST_QUAD, 6, quads, 6);
    check(test, ST_EDGE, 12, edges, 12);
    physics_free(test);
}

static void nothing_is_made_without_own_elements(void **state) {
    (void)state;
    physics_scene *test = physics_load("<TetrahedronSetTopologyContainer name='mesh' triangles='0 1 2' nbPoints='7'/>");
    check(test, ST_TRIANGLE, 1, (uint32_t[]){0, 1, 2}, 1);
    check(test, ST_EDGE, 0, NULL, 0);
    assert_int_equal(st_topology_points(mesh_of(test)), 7);
    physics_free(test);
}

static void positions_decide_the_number_of_points(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<EdgeSetTopologyContainer name='mesh' position='0 0 0 1 0 0 2 0 0 3 0 0' edges='0 1' nbPoints='9'/>");
    assert_int_equal(st_topology_points(mesh_of(test)), 4);
    physics_free(test);
    test = physics_load("<PointSetTopologyContainer name='mesh' position='0 0 0 1 0 0' nbPoints='9'/>");
    assert_int_equal(st_topology_points(mesh_of(test)), 9);
    physics_free(test);
}

static void given_lists_come_first(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<TetrahedronSetTopologyContainer name='mesh' tetrahedra='0 1 2 3' edges='3 0 2 1' triangles='0 2 1'/>");
    check(test, ST_EDGE, 6, (uint32_t[]){3, 0, 2, 1, 0, 1, 0, 2, 1, 3, 2, 3}, 6);
    check(test, ST_TRIANGLE, 1, (uint32_t[]){0, 2, 1}, 1);
    assert_int_equal(test->count[ST_WARNING], 2); // missing edges, missing faces
    physics_free(test);
}

static void missing_edge_of_a_triangle_is_an_error(void **state) {
    (void)state;
    physics_scene *test = physics_load("<TriangleSetTopologyContainer name='mesh' triangles='0 1 2' edges='0 1 1 2'/>");
    assert_logged(test, "edge (2 0) of triangle 0");
    assert_false(st_is_valid(&mesh_of(test)->object));
    physics_free(test);
}

static void lists_follow_links(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MeshTopology name='source' tetrahedra='0 1 2 3' position='0 0 0 1 0 0 0 1 0 0 0 1'/>"
                     "<TetrahedronSetTopologyContainer name='mesh' src='@source'/>"
                     "<EdgeSetTopologyContainer name='edges' edges='@mesh.edges'/>");
    check(test, ST_TRIANGLE, 4, (uint32_t[]){1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1}, 4);
    const st_topology *edges = (const st_topology *)physics_find(test, "/edges");
    assert_int_equal(edges->elements[ST_EDGE].count, 6);
    physics_free(test);
}

static void folded_tetrahedra_are_reported(void **state) {
    (void)state;
    physics_scene *test = physics_load("<TetrahedronSetTopologyContainer name='mesh' tetrahedra='0 1 2 3  0 1 2 4'/>");
    assert_logged(test, "is a face of tetrahedron 1 on the same side");
    check(test, ST_TRIANGLE, 7, NULL, 0);
    physics_free(test);
}

static void faults_name_their_element(void **state) {
    (void)state;
    physics_scene *test = physics_load("<TriangleSetTopologyContainer name='mesh' checkTopology='1' "
                                       "triangles='0 1 2  3 4 4  2 0 1'/>");
    assert_logged(test, "triangle 1 (3 4 4) has a vertex twice");
    assert_logged(test, "triangle 2 (2 0 1) has the vertices of triangle 0");
    physics_free(test);
    test = physics_load("<EdgeSetTopologyContainer name='mesh' checkConnexity='1' edges='0 1  2 3  3 4'/>");
    assert_logged(test, "2 parts");
    physics_free(test);
}

static void impossible_vertices_empty_the_list(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<TriangleSetTopologyContainer name='mesh' position='0 0 0 1 0 0 0 1 0' triangles='0 1 2 0 1 3'/>");
    assert_logged(test, "triangle 1 has vertex 3");
    check(test, ST_TRIANGLE, 0, NULL, 0);
    physics_free(test);
    test = physics_load("<EdgeSetTopologyContainer name='mesh' edges='0 4294967295'/>");
    check(test, ST_EDGE, 0, NULL, 0);
    physics_free(test);
    test = physics_load("<PointSetTopologyContainer name='mesh' nbPoints='4000000000'/>");
    assert_int_equal(st_topology_points(mesh_of(test)), 0);
    physics_free(test);
}

// The file's lists replace the others; for a static mesh points that no element uses count, too.
static void lists_come_from_a_file(void **state) {
    (void)state;
    const char *path = SETTEE_BUILD "/tests/test_containers.obj";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\n", file);
    fclose(file);
    static const char *const classes[] = {"TriangleSetTopologyContainer", "MeshTopology"};
    for (size_t i = 0; i < 2; i++) {
        char scene[512];
        snprintf(scene, sizeof scene, "<%s name='mesh' triangles='0 1 2 2 1 3' fileTopology='%s'/>", classes[i], path);
        physics_scene *test = physics_load(scene);
        check(test, ST_TRIANGLE, 1, (uint32_t[]){0, 1, 2}, 1);
        check(test, ST_EDGE, 3, (uint32_t[]){1, 2, 2, 0, 0, 1}, 3);
        assert_int_equal(st_topology_points(mesh_of(test)), 4);
        physics_free(test);
    }
    remove(path);
    physics_scene *test = physics_load("<EdgeSetTopologyContainer name='mesh' filename='nowhere.obj'/>");
    assert_true(test->count[ST_ERROR] > 0);
    assert_false(st_is_valid(&mesh_of(test)->object));
    physics_free(test);
}

static void modifiers_need_their_container(void **state) {
    (void)state;
    physics_scene *test = physics_load("<TetrahedronSetTopologyContainer name='mesh' tetrahedra='0 1 2 3'/>"
                                       "<TetrahedronSetTopologyModifier name='volume'/>"
                                       "<TriangleSetTopologyModifier name='surface'/>"
                                       "<QuadSetTopologyModifier name='quads'/>");
    assert_ptr_equal(((st_modifier *)physics_find(test, "/volume"))->container, mesh_of(test));
    assert_ptr_equal(((st_modifier *)physics_find(test, "/surface"))->container,
                     mesh_of(test)); // it is one of these, too
    assert_false(st_is_valid(physics_find(test, "/quads")));
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Boxes, spheres, cylinders
// ---------------------------------------------------------------------------------------------------

static void box_numbers_its_surface(void **state) {
    (void)state;
    physics_scene *test = physics_load("<CubeTopology name='mesh' nx='3' ny='3' nz='3' min='0 0 0' max='2 2 2'/>");
    assert_int_equal(st_topology_points(mesh_of(test)), 26);
    const st_real *x = mesh_of(test)->position.data;
    assert_reals(x + 3 * 9, 3, (st_real[]){0, 0, 2}, 0);  // layer z = 2 follows z = 0
    assert_reals(x + 3 * 18, 3, (st_real[]){0, 0, 1}, 0); // then the ring: row y = 0
    assert_reals(x + 3 * 21, 3, (st_real[]){0, 2, 1}, 0); // row y = 2
    assert_reals(x + 3 * 24, 3, (st_real[]){0, 1, 1}, 0); // column x = 0
    assert_reals(x + 3 * 25, 3, (st_real[]){2, 1, 1}, 0); // column x = 2
    check(test, ST_QUAD, 24, (uint32_t[]){0, 3, 4, 1}, 1);
    check(test, ST_EDGE, 48, (uint32_t[]){0, 1, 0, 3, 0, 18}, 3); // as many as a closed surface with 26 points has
    physics_free(test);
}

// The outward normals of all quads: the sum of areas is that of the box, and all look away from the center.
static void box_looks_outward(void **state) {
    (void)state;
    static const char *const scenes[] = {
        "<CubeTopology name='mesh' nx='3' ny='4' nz='5' min='-1 -1 -1' max='1 1 1'/>",
        "<CubeTopology name='mesh' nx='3' ny='4' nz='5' min='-1 -1 -1' max='1 1 1' internalPoints='1'/>",
        "<CubeTopology name='mesh' nx='3' ny='4' nz='5' min='-1 -1 -1' max='1 1 1' splitNormals='1'/>"};
    static const size_t points[] = {54, 60, 94};
    for (size_t s = 0; s < 3; s++) {
        physics_scene *test = physics_load(scenes[s]);
        const st_topology *mesh = mesh_of(test);
        assert_int_equal(st_topology_points(mesh), points[s]);
        st_real area = 0;
        for (size_t i = 0; i < mesh->elements[ST_QUAD].count; i++) {
            const uint32_t *q = mesh->elements[ST_QUAD].data + 4 * i;
            st_real a[3], b[3], n[3];
            const st_real *p = mesh->position.data + 3 * q[0];
            st_vec3_sub(a, mesh->position.data + 3 * q[1], p);
            st_vec3_sub(b, mesh->position.data + 3 * q[2], p);
            st_vec3_cross(n, a, b);
            assert_true(st_vec3_dot(n, p) > 0);
            area += measure(mesh->position.data, ST_QUAD, q);
        }
        assert_near(area, 24, ST_R(1e-4));
        assert_int_equal(mesh->elements[ST_QUAD].count, 2 * (2 * 3 + 2 * 4 + 3 * 4));
        physics_free(test);
    }
}

static void box_of_impossible_size_is_empty(void **state) {
    (void)state;
    physics_scene *test = physics_load("<CubeTopology name='mesh' nx='2000000' ny='2000000' nz='2000000'/>");
    assert_int_equal(st_topology_points(mesh_of(test)), 0);
    assert_true(test->count[ST_ERROR] > 0);
    physics_free(test);
    test = physics_load("<CubeTopology name='mesh' nx='-1' ny='2' nz='2'/>");
    assert_int_equal(st_topology_points(mesh_of(test)), 0);
    physics_free(test);
}

static void sphere_of_quads_is_round(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<SphereQuadTopology name='mesh' nx='5' ny='5' nz='5' center='1 2 3' radius='2'/>");
    const st_topology *mesh = mesh_of(test);
    assert_int_equal(st_topology_points(mesh), 98);
    for (size_t i = 0; i < 98; i++) {
        const st_real *p = mesh->position.data + 3 * i;
        const st_real d[3] = {p[0] - 1, p[1] - 2, p[2] - 3};
        assert_near(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], 4, ST_R(1e-5));
    }
    physics_free(test);
}

static void cylinder_and_ball_keep_their_radius(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<CylinderGridTopology name='mesh' n='5 5 3' axis='0 2 0' radius='3' length='10' center='0 1 0'/>");
    const st_real *x = mesh_of(test)->position.data;
    assert_int_equal(st_topology_elements(mesh_of(test), ST_HEXAHEDRON)->count, 32);
    assert_near(x[0] * x[0] + x[2] * x[2], 9, ST_R(1e-5)); // a corner of the square lies on the circle
    assert_near(x[1], 1, 0);
    assert_near(x[3 * 25 + 1], 6, ST_R(1e-6));
    assert_reals(x + 3 * 12, 3, (st_real[]){0, 1, 0}, 0); // the middle stays
    physics_free(test);
    test = physics_load("<SphereGridTopology name='mesh' n='3 3 3' radius='2' axis='1 0 0'/>");
    x = mesh_of(test)->position.data;
    assert_near(x[0] * x[0] + x[1] * x[1] + x[2] * x[2], 4, ST_R(1e-5));
    assert_reals(x + 3 * 22, 3, (st_real[]){2, 0, 0}, ST_R(1e-6)); // (1, 1, 2): the end of the axis
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Geometry
// ---------------------------------------------------------------------------------------------------

static void measures_of_simple_bodies(void **state) {
    (void)state;
    static const st_real x[] = {0, 0, 0, 2, 0, 0, 2, 3, 0, 0, 3, 0, 0, 0, 4, 2, 0, 4, 2, 3, 4, 0, 3, 4};
    static const uint32_t v[8] = {0, 1, 2, 3, 4, 5, 6, 7}, mirrored[8] = {1, 0, 3, 2, 5, 4, 7, 6};
    assert_near(measure(x, ST_EDGE, (uint32_t[]){0, 6}), sqrt(ST_R(29)), ST_R(1e-6));
    assert_near(measure(x, ST_TRIANGLE, v), 3, 0);
    assert_near(measure(x, ST_QUAD, v), 6, 0);
    assert_near(measure(x, ST_TETRAHEDRON, (uint32_t[]){0, 1, 3, 4}), 4, ST_R(1e-6));
    assert_near(measure(x, ST_TETRAHEDRON, (uint32_t[]){1, 0, 3, 4}), 4, ST_R(1e-6));
    assert_near(measure(x, ST_HEXAHEDRON, v), 24, ST_R(1e-5));
    assert_near(measure(x, ST_HEXAHEDRON, mirrored), 24, ST_R(1e-5));
}

// A frustum has no parallel faces: V = h (A + B + √(AB)) / 3.
static void volume_of_a_frustum(void **state) {
    (void)state;
    static const st_real x[] = {-2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2, 0, -1, -1, 3, 1, -1, 3, 1, 1, 3, -1, 1, 3};
    static const uint32_t v[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    assert_near(measure(x, ST_HEXAHEDRON, v), 28, ST_R(1e-5));
}

static void triangles_turn_to_the_first(void **state) {
    (void)state;
    const char *scene = "<TriangleSetTopologyContainer name='mesh' position='0 0 0 1 0 0 0 1 0 1 1 0 2 0 0' "
                        "triangles='0 1 2  1 2 3  1 4 3'/><TriangleSetGeometryAlgorithms "
                        "recomputeTrianglesOrientation='1' flipNormals='%d'/>";
    char text[512];
    snprintf(text, sizeof text, scene, 0);
    physics_scene *test = physics_load(text);
    check(test, ST_TRIANGLE, 3, (uint32_t[]){0, 1, 2, 1, 3, 2, 1, 4, 3}, 3);
    physics_free(test);
    snprintf(text, sizeof text, scene, 1);
    test = physics_load(text);
    check(test, ST_TRIANGLE, 3, (uint32_t[]){0, 2, 1, 1, 2, 3, 1, 3, 4}, 3);
    physics_free(test);
}

// A mass that comes before its container finds the elements that are linked to it; broken ones are refused then, too.
static void elements_are_there_before_init(void **state) {
    (void)state;
    const char *scene = "<MeshTopology name='from' position='0 0 0 1 0 0 0 1 0 0 0 1' tetrahedra='0 1 2 %d'/>"
                        "<Node name='n'><MechanicalObject position='@../from.position'/><DiagonalMass massDensity='6'/>"
                        "<TetrahedronSetTopologyContainer position='@../from.position' "
                        "tetrahedra='@../from.tetrahedra'/></Node>";
    char text[512];
    snprintf(text, sizeof text, scene, 3);
    physics_scene *test = physics_load(text);
    assert_int_equal(test->count[ST_ERROR], 0);
    physics_free(test);
    snprintf(text, sizeof text, scene, 4);
    test = physics_load(text);
    assert_true(test->count[ST_ERROR] > 0);
    physics_free(test);
}

// Lists are fetched together: one that nobody asked for yet is refused as soon as the first is asked for.
static void all_lists_are_checked_before_init(void **state) {
    (void)state;
    physics_scene *test = calloc(1, sizeof *test);
    assert_non_null(test);
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    test->scene = st_scene_create(&config);
    const char *text = "<Node><MeshTopology name='from' edges='0 1  0 70000000' tetrahedra='0 1 2 3'/>"
                       "<TetrahedronSetTopologyContainer name='mesh' position='0 0 0 1 0 0 0 1 0 0 0 1' "
                       "edges='@from.edges' tetrahedra='@from.tetrahedra'/></Node>";
    assert_true(st_succeeded(st_scene_load_text(test->scene, text, strlen(text), NULL)));
    st_topology *mesh = (st_topology *)physics_find(test, "/mesh");
    assert_int_equal(st_topology_elements(mesh, ST_TETRAHEDRON)->count, 1);
    const st_uints *edges = st_topology_elements(mesh, ST_EDGE);
    for (size_t i = 0; i < 2 * edges->count; i++) assert_true(edges->data[i] < 4);
    assert_true(test->count[ST_ERROR] > 0);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_there_before_init),
        cmocka_unit_test(all_lists_are_checked_before_init),
        cmocka_unit_test(tetrahedra_make_edges_and_triangles),
        cmocka_unit_test(triangles_keep_directions_quads_sort),
        cmocka_unit_test(hexahedra_make_quads),
        cmocka_unit_test(nothing_is_made_without_own_elements),
        cmocka_unit_test(positions_decide_the_number_of_points),
        cmocka_unit_test(given_lists_come_first),
        cmocka_unit_test(missing_edge_of_a_triangle_is_an_error),
        cmocka_unit_test(lists_follow_links),
        cmocka_unit_test(folded_tetrahedra_are_reported),
        cmocka_unit_test(faults_name_their_element),
        cmocka_unit_test(impossible_vertices_empty_the_list),
        cmocka_unit_test(lists_come_from_a_file),
        cmocka_unit_test(modifiers_need_their_container),
        cmocka_unit_test(box_numbers_its_surface),
        cmocka_unit_test(box_looks_outward),
        cmocka_unit_test(box_of_impossible_size_is_empty),
        cmocka_unit_test(sphere_of_quads_is_round),
        cmocka_unit_test(cylinder_and_ball_keep_their_radius),
        cmocka_unit_test(measures_of_simple_bodies),
        cmocka_unit_test(volume_of_a_frustum),
        cmocka_unit_test(triangles_turn_to_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
