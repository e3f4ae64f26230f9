// Mappings of points that a mesh carries: those of Mesh2PointTopologicalMapping, those of divided elements, and frames
// on a mesh.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping_check.h"

#define CUBE "position=\"0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1\" "
#define POINTS(mesh, attributes)                                                                                       \
    "<MeshTopology name=\"mesh\" " CUBE mesh                                                                           \
    "/><MechanicalObject name=\"p\"/><Node name=\"c\"><PointSetTopologyContainer name=\"set\"/>"                       \
    "<Mesh2PointTopologicalMapping input=\"@../mesh\" output=\"@set\" " attributes                                     \
    "/><MechanicalObject name=\"s\"/><Mesh2PointMechanicalMapping name=\"m\"/></Node>"

static void check_child(const char *children, const st_real *expected, size_t count) {
    physics_scene *test = physics_load(children);
    const st_state *child = physics_state(test, "/c/s");
    if (child->size * 3 != count) print_message("%s", test->log);
    assert_int_equal(child->size * 3, count);
    assert_reals(child->coord[ST_COORD_POSITION].data, count, expected, (st_real)1e-6);
    physics_free(test);
}

static void test_mesh2point(void **unused) {
    (void)unused;
    mapping_check_scene(POINTS("tetrahedra=\"0 1 3 4\" quads=\"0 1 2 3\" hexahedra=\"0 1 2 3 4 5 6 7\"",
                               "pointBaryCoords=\"0 0 0.5\" edgeBaryCoords=\"0.25 0 0\" "
                               "triangleBaryCoords=\"0.2 0.3 0\" quadBaryCoords=\"0.5 0.25 0\" "
                               "tetraBaryCoords=\"0.1 0.2 0.3\" hexaBaryCoords=\"0.1 0.2 0.3\""),
                        "/c/m", MAPPING_ALL);
    check_child(
        POINTS("edges=\"0 6\"", "edgeBaryCoords=\"0.25 0 0  0.5 0 0\""),
        (const st_real[]){(st_real)0.25, (st_real)0.25, (st_real)0.25, (st_real)0.5, (st_real)0.5, (st_real)0.5}, 6);
    check_child(POINTS("hexahedra=\"0 1 2 3 4 5 6 7\"", "hexaBaryCoords=\"0.1 0.2 0.3\""),
                (const st_real[]){(st_real)0.1, (st_real)0.2, (st_real)0.3}, 3);
    mapping_check_bad("<MechanicalObject/><Node name=\"c\"><MechanicalObject/><Mesh2PointMechanicalMapping/></Node>",
                      "no Mesh2PointTopologicalMapping");
    mapping_check_bad("<MeshTopology name=\"mesh\" " CUBE "edges=\"0 6\"/><MechanicalObject position=\"0 0 0  1 0 0\"/>"
                      "<Node name=\"c\"><PointSetTopologyContainer name=\"set\"/><Mesh2PointTopologicalMapping "
                      "input=\"@../mesh\" output=\"@set\" edgeBaryCoords=\"0.5 0 0\"/><MechanicalObject/>"
                      "<Mesh2PointMechanicalMapping/></Node>",
                      "point 6");
    mapping_check_bad(POINTS("", ""), "");
}

#define TETRA                                                                                                          \
    "<TetrahedronSetTopologyContainer name=\"t\" position=\"0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\" "                      \
    "tetrahedra=\"0 1 2 3  1 2 3 4\"/><MechanicalObject name=\"p\"/><Node name=\"c\">"                                 \
    "<TetrahedronSetTopologyContainer name=\"fine\"/>"                                                                 \
    "<SimpleTesselatedTetraTopologicalMapping name=\"tm\" input=\"@../t\" output=\"@fine\"/>"                          \
    "<MechanicalObject name=\"s\"/><SimpleTesselatedTetraMechanicalMapping name=\"m\"/></Node>"

// Eight parts fill a tetrahedron: volumes add up, none is turned over.
static void test_tesselated_tetra(void **unused) {
    (void)unused;
    mapping_check_scene(TETRA, "/c/m", MAPPING_ALL);
    physics_scene *test = physics_load(TETRA);
    st_topology *fine = (st_topology *)physics_find(test, "/c/fine");
    const st_state *child = physics_state(test, "/c/s");
    const st_uints *tetrahedra = st_topology_elements(fine, ST_TETRAHEDRON);
    assert_int_equal(tetrahedra->count, 16);
    assert_int_equal(child->size, 5 + 9);
    st_real volumes[2] = {0, 0};
    for (size_t t = 0; t < 16; t++) {
        const st_real *p[4];
        st_real e[3][3];
        for (size_t v = 0; v < 4; v++) p[v] = child->coord[ST_COORD_POSITION].data + 3 * tetrahedra->data[4 * t + v];
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) e[k][c] = p[k + 1][c] - p[0][c];
        const st_real volume =
            fabs(e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                 e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
            6;
        volumes[t / 8] += volume;
    }
    assert_near(volumes[0], (st_real)(1.0 / 6), (st_real)1e-6);
    assert_near(volumes[1], (st_real)(1.0 / 3), (st_real)1e-6);
    physics_free(test);
    mapping_check_bad("<MechanicalObject/><Node name=\"c\"><MechanicalObject/>"
                      "<SimpleTesselatedTetraMechanicalMapping/></Node>",
                      "no SimpleTesselatedTetraTopologicalMapping");
    mapping_check_bad("<TetrahedronSetTopologyContainer name=\"t\"/><MechanicalObject size=\"0\"/><Node name=\"c\">"
                      "<TetrahedronSetTopologyContainer name=\"fine\"/><SimpleTesselatedTetraTopologicalMapping "
                      "input=\"@../t\" output=\"@fine\"/><MechanicalObject/>"
                      "<SimpleTesselatedTetraMechanicalMapping/></Node>",
                      "");
    mapping_check_bad(
        "<MeshTopology name=\"t\" edges=\"0 1\"/><Node name=\"c\"><TetrahedronSetTopologyContainer "
        "name=\"fine\"/><SimpleTesselatedTetraTopologicalMapping input=\"@../t\" output=\"@fine\"/></Node>",
        "mesh of");
}

// Two cells share a face: 3 · 3 · 5 points, 16 cells of an eighth each.
static void test_tesselated_hexa(void **unused) {
    (void)unused;
    physics_scene *test = physics_load(
        "<HexahedronSetTopologyContainer name=\"h\" position=\"0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1  "
        "0 0 2  1 0 2  1 1 2  0 1 2\" hexahedra=\"0 1 2 3 4 5 6 7  4 5 6 7 8 9 10 11\"/><Node name=\"c\">"
        "<HexahedronSetTopologyContainer name=\"fine\"/>"
        "<SimpleTesselatedHexaTopologicalMapping input=\"@../h\" output=\"@fine\"/></Node>");
    st_topology *fine = (st_topology *)physics_find(test, "/c/fine");
    const st_uints *cells = st_topology_elements(fine, ST_HEXAHEDRON);
    assert_int_equal(cells->count, 16);
    assert_int_equal(st_topology_points(fine), 45);
    for (size_t i = 0; i < 16; i++) {
        st_real p[8][3];
        for (size_t c = 0; c < 8; c++) assert_true(st_topology_point(fine, cells->data[8 * i + c], p[c]));
        for (int k = 0; k < 3; k++) {
            assert_near(p[1][k] - p[0][k], (st_real)(k == 0 ? 0.5 : 0), (st_real)1e-6);
            assert_near(p[3][k] - p[0][k], (st_real)(k == 1 ? 0.5 : 0), (st_real)1e-6);
            assert_near(p[4][k] - p[0][k], (st_real)(k == 2 ? 0.5 : 0), (st_real)1e-6);
            assert_near(p[6][k] - p[0][k], (st_real)0.5, (st_real)1e-6);
        }
    }
    physics_free(test);
}

#define FRAMES                                                                                                         \
    "<TetrahedronSetTopologyContainer position=\"0 0 0  1.1 0.1 0  0.2 1 0  0 0.1 1  1 1 1\" "                         \
    "tetrahedra=\"0 1 2 3  1 2 3 4\"/><MechanicalObject name=\"p\"/><Node name=\"c\"><MechanicalObject name=\"s\" "    \
    "template=\"Rigid3\" position=\"0.2 0.2 0.2 0 0 0 1  0.6 0.6 0.6 0.6 0 0 0.8\"/><BarycentricMapping name=\"m\" "   \
    "geometricStiffness=\"Exact\"/>"                                                                                   \
    "</Node>"

// Frames in tetrahedra turn: J is the derivative of their orientation, and a turn of the mesh is theirs.
static void test_turning_frames(void **unused) {
    (void)unused;
    mapping_check_scene(FRAMES, "/c/m", MAPPING_ALL);
    // SOFA's arms are no derivative of the orientation, but their own change is right
    physics_scene *compat = physics_load_with(FRAMES, false);
    mapping_check((st_mapping *)physics_find(compat, "/c/m"), MAPPING_GEOMETRIC);
    physics_free(compat);
    physics_scene *test = physics_load(FRAMES);
    st_mapping *m = (st_mapping *)physics_find(test, "/c/m");
    st_state *parent = st_mapping_in(m), *child = st_mapping_out(m);
    st_real before[14];
    memcpy(before, child->coord[ST_COORD_POSITION].data, sizeof before);
    for (size_t i = 0; i < parent->size; i++) { // a quarter of a turn about z
        st_real *x = parent->coord[ST_COORD_POSITION].data + 3 * i;
        const st_real y = x[1];
        x[1] = x[0];
        x[0] = -y;
    }
    mapping_apply(m);
    const st_real half = (st_real)sqrt(0.5);
    for (size_t i = 0; i < 2; i++) {
        const st_real *q = before + 7 * i + 3, *now = child->coord[ST_COORD_POSITION].data + 7 * i + 3;
        const st_real expected[4] = {half * (q[0] - q[1]), half * (q[1] + q[0]), half * (q[2] + q[3]),
                                     half * (q[3] - q[2])};
        assert_reals(now, 4, expected, (st_real)1e-5);
    }
    physics_free(test);
    test =
        physics_load("<TetrahedronSetTopologyContainer position=\"0 0 0  1 0 0  2 0 0  3 0 0\" tetrahedra=\"0 1 2 3\"/>"
                     "<MechanicalObject/><Node name=\"c\"><MechanicalObject name=\"s\" template=\"Rigid3\"/>"
                     "<BarycentricMapping/></Node>");
    st_scene_step(test->scene, 0);
    const st_real upright[4] = {0, 0, 0, 1}; // without volume, it turns nothing
    assert_reals(physics_state(test, "/c/s")->coord[ST_COORD_POSITION].data + 3, 4, upright, (st_real)1e-6);
    physics_free(test);
}

// Tetrahedra that were turned inside out have no rotation: frames stay, and J is still the derivative of that. A parent
// that lost its nodes moves nothing.
static void test_inverted_and_lost_tetrahedra(void **unused) {
    (void)unused;
    physics_scene *test = physics_load(FRAMES);
    st_mapping *m = (st_mapping *)physics_find(test, "/c/m");
    st_state *parent = st_mapping_in(m), *child = st_mapping_out(m);
    st_real before[14];
    memcpy(before, child->coord[ST_COORD_POSITION].data, sizeof before);
    for (size_t i = 0; i < parent->size; i++) parent->coord[ST_COORD_POSITION].data[3 * i] *= -1;
    mapping_apply(m);
    const st_real *now = child->coord[ST_COORD_POSITION].data;
    for (size_t i = 0; i < 2; i++) assert_reals(now + 7 * i + 3, 4, before + 7 * i + 3, (st_real)1e-6);
    mapping_check(m, MAPPING_ALL);
    memcpy(before, child->coord[ST_COORD_POSITION].data, sizeof before);
    assert_int_equal(st_state_resize(parent, 2), ST_OK);
    const st_mapping_ops *ops = m->object.type->mapping;
    mapping_apply(m);
    ops->apply_j(m, ST_VELOCITY, st_read_deriv(ST_VELOCITY));
    ops->apply_jt(m, ST_FORCE, st_read_deriv(ST_FORCE));
    assert_memory_equal(child->coord[ST_COORD_POSITION].data, before, sizeof before);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mesh2point),
        cmocka_unit_test(test_tesselated_tetra),
        cmocka_unit_test(test_tesselated_hexa),
        cmocka_unit_test(test_turning_frames),
        cmocka_unit_test(test_inverted_and_lost_tetrahedra),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
