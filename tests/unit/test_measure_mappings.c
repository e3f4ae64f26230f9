// Mappings to numbers: distances, squares, areas, volumes. Values, derivatives in every mode, and input that makes no
// sense.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping_check.h"

#define PARENT                                                                                                         \
    "<MeshTopology name=\"mesh\" position=\"0 0 0  1 0.2 0  0 1 0.5  0.3 0 1  1 1 1\" edges=\"0 1  3 2  4 0  1 4\" "   \
    "triangles=\"0 1 2  4 2 3\" tetrahedra=\"0 1 2 3  1 2 3 4\"/><MechanicalObject name=\"p\"/>"
#define RIGID                                                                                                          \
    "<MeshTopology name=\"mesh\" edges=\"0 1  2 1\"/><MechanicalObject name=\"p\" template=\"Rigid3\" "                \
    "position=\"0 0 0 0 0 0 1  1 0.2 0 0.6 0 0 0.8  0 1 1 0 0 1 0\"/>"
#define CHILD(component, attributes)                                                                                   \
    "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"Vec1\"/><" component " name=\"m\" " attributes "/></"    \
    "Node>"
#define MESH "topology=\"@../mesh\" "

static void check_modes(const char *parent, const char *component, const char *attributes) {
    for (int mode = 0; mode < 3; mode++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "%s<Node name=\"c\"><MechanicalObject name=\"s\" template=\"Vec1\"/>"
                 "<%s name=\"m\" %s geometricStiffness=\"%d\"/></Node>",
                 parent, component, attributes, mode);
        mapping_check_scene(text, "/c/m", mode == 1 ? MAPPING_ALL : MAPPING_J);
    }
}

static void test_derivatives(void **unused) {
    (void)unused;
    check_modes(PARENT, "DistanceMapping", MESH);
    check_modes(RIGID, "DistanceMapping", MESH "computeDistance=\"1\"");
    check_modes(PARENT, "SquareDistanceMapping", MESH);
    check_modes(RIGID, "SquareDistanceMapping", MESH);
    check_modes(PARENT, "AreaMapping", MESH);
    check_modes(PARENT, "VolumeMapping", MESH);
    mapping_check_scene(PARENT CHILD("DistanceToPlaneMapping", "planeNormal=\"1 2 2\" planePoint=\"0 0 1\""), "/c/m",
                        MAPPING_ALL);
    mapping_check_scene(RIGID CHILD("DistanceToPlaneMapping", "planeNormal=\"1 2 2 0 0 0 1\""), "/c/m", MAPPING_ALL);
    mapping_check_scene("<MechanicalObject template=\"Vec1\" position=\"1 -2 0.5\"/>" CHILD("SquareMapping", ""),
                        "/c/m", MAPPING_ALL);
    for (int mode = 0; mode < 2; mode++)
        mapping_check_scene(mode ? "<MechanicalObject template=\"Vec1\" position=\"1 -2 0.5\"/>" CHILD(
                                       "SquareMapping", "geometricStiffness=\"None\"")
                                 : "<MechanicalObject template=\"Vec2\" position=\"1 -2 0.5 3\"/>" CHILD(
                                       "DistanceToPlaneMapping", "planeNormal=\"1 2\""),
                            "/c/m", MAPPING_J);
}

#define TWO                                                                                                            \
    "<Node name=\"a\"><MechanicalObject name=\"p\" position=\"0 0 0  1 0.2 0\"/></Node>"                               \
    "<Node name=\"b\"><MechanicalObject name=\"p\" position=\"0 1 0.5  0.3 0 1\"/></Node>"
#define MULTI(edges, attributes)                                                                                       \
    "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"Vec1\"/><MeshTopology name=\"t\" edges=\"" edges         \
    "\"/><DistanceMultiMapping name=\"m\" topology=\"@t\" input=\"@../a/p @../b/p\" output=\"@s\" " attributes         \
    "/></Node>"

static void test_multi(void **unused) {
    (void)unused;
    mapping_check_scene(TWO MULTI("0 1  2 3  2 0", "indexPairs=\"0 1  1 0  1 1  0 0\" geometricStiffness=\"Exact\""),
                        "/c/m", MAPPING_ALL);
    physics_scene *test = physics_load(
        TWO MULTI("0 1  2 0", "indexPairs=\"0 1  1 0  0 0\" computeDistance=\"1\" applyRestPosition=\"1\""));
    const st_state *child = physics_state(test, "/c/s");
    const st_real expected[2] = {(st_real)sqrt(1 + 0.64 + 0.25), (st_real)sqrt(1.04)};
    assert_reals(child->coord[ST_COORD_POSITION].data, 2, expected, (st_real)1e-6);
    assert_reals(child->coord[ST_COORD_REST].data, 2, expected, (st_real)1e-6);
    physics_free(test);
    mapping_check_bad(TWO MULTI("0 1", "indexPairs=\"0 1 1\""), "in pairs");
    mapping_check_bad(TWO MULTI("0 1", "indexPairs=\"0 1 2 0\""), "parent 2");
    mapping_check_bad(TWO MULTI("0 1", "indexPairs=\"0 1 1 9\""), "DOF 9");
    mapping_check_bad(TWO MULTI("0 5", "indexPairs=\"0 1 1 0\""), "joins point 5");
    mapping_check_bad(TWO MULTI("", "indexPairs=\"0 1 1 0\""), "no edges");
    mapping_check_bad(TWO "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"Vec1\"/>"
                          "<DistanceMultiMapping input=\"@../a/p\"/></Node>",
                      "output must name");
    mapping_check_bad(TWO "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"Vec1\"/>"
                          "<DistanceMultiMapping input=\"@../a/p @../nobody\" output=\"@s\"/></Node>",
                      "leads to no state");
    mapping_check_bad(TWO "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"Vec1\"/>"
                          "<DistanceMultiMapping input=\"@../a/p @s\" output=\"@s\"/></Node>",
                      "of type Vec1");
}

static void test_target(void **unused) {
    (void)unused;
    physics_scene *test = physics_load(PARENT CHILD(
        "DistanceFromTargetMapping", "indices=\"4 1\" targetPositions=\"1 1 4  1 0.2 0\" restLengths=\"1\""));
    st_mapping *m = (st_mapping *)physics_find(test, "/c/m");
    const st_state *child = physics_state(test, "/c/s");
    assert_reals(child->coord[ST_COORD_POSITION].data, 2, (const st_real[]){2, 0}, (st_real)1e-6);
    st_real *j = mapping_dense_jacobian(m);
    assert_near(j[14], -1, (st_real)1e-6);    // the first row: point 4, along −z
    assert_near(j[15 + 3], 1, (st_real)1e-6); // a point at its target: along x
    free(j);
    mapping_check(m, 0);
    physics_free(test);
    check_modes(PARENT, "DistanceFromTargetMapping", "indices=\"4 1\" targetPositions=\"1 1 4  3 0.2 0\"");
    check_modes(RIGID, "DistanceFromTargetMapping", "indices=\"1\" targetPositions=\"1 1 4 0 0 0 1\"");
    check_modes("<MechanicalObject template=\"Vec1\" position=\"1 -2 0.5\"/>", "DistanceFromTargetMapping",
                "targetPositions=\"0 0 0\"");
    mapping_check_bad(PARENT CHILD("DistanceFromTargetMapping", "indices=\"9\" targetPositions=\"0 0 0\""), "point 9");
    mapping_check_bad(PARENT CHILD("DistanceFromTargetMapping", "indices=\"1 2\" targetPositions=\"0 0 0\""),
                      "2 indices");
}

static void check_values(const char *children, const st_real *expected, size_t count) {
    physics_scene *test = physics_load(children);
    const st_state *child = physics_state(test, "/c/s");
    assert_int_equal(child->size, count);
    assert_reals(child->coord[ST_COORD_POSITION].data, count, expected, (st_real)1e-6);
    physics_free(test);
}

#define UNIT "<MeshTopology name=\"mesh\" position=\"0 0 0  2 0 0  0 3 0  0 0 4\" "

static void test_values(void **unused) {
    (void)unused;
    check_values(UNIT "edges=\"0 1  1 2\"/><MechanicalObject/>" CHILD("DistanceMapping", MESH "restLengths=\"0.5 0\""),
                 (const st_real[]){(st_real)1.5, (st_real)sqrt(13.0)}, 2);
    check_values(UNIT "edges=\"0 1  1 2\"/><MechanicalObject/>" CHILD("DistanceMapping", MESH), (const st_real[]){0, 0},
                 2);
    check_values(UNIT "edges=\"0 1  1 2\"/><MechanicalObject/>" CHILD("SquareDistanceMapping", MESH),
                 (const st_real[]){4, 13}, 2);
    check_values(UNIT "triangles=\"0 1 2\"/><MechanicalObject/>" CHILD("AreaMapping", MESH), (const st_real[]){3}, 1);
    check_values(UNIT "tetrahedra=\"0 1 2 3  0 2 1 3\"/><MechanicalObject/>" CHILD("VolumeMapping", MESH),
                 (const st_real[]){4, -4}, 2);
    check_values("<MechanicalObject position=\"0 0 0  2 0 0  0 3 0  0 0 4\"/>" CHILD(
                     "DistanceToPlaneMapping", "planeNormal=\"0 5 0\" planePoint=\"7 1 7\""),
                 (const st_real[]){-1, -1, 2, -1}, 4);
}

#define DIFFERENCES(template)                                                                                          \
    "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"" template "\"/><DifferenceMapping name=\"m\" " MESH     \
                                                                         "/></Node>"

static void test_differences(void **unused) {
    (void)unused;
    physics_scene *test = physics_load(UNIT "edges=\"0 1  3 2\"/><MechanicalObject/>" DIFFERENCES("Vec3"));
    assert_reals(physics_state(test, "/c/s")->coord[ST_COORD_POSITION].data, 6, (const st_real[]){2, 0, 0, 0, 3, -4},
                 (st_real)1e-6);
    mapping_check((st_mapping *)physics_find(test, "/c/m"), MAPPING_ALL);
    physics_free(test);
    mapping_check_bad("<MechanicalObject/>" DIFFERENCES("Vec3"), "mesh");
    mapping_check_bad("<MeshTopology name=\"mesh\"/><MechanicalObject/>" DIFFERENCES("Vec3"), "no edges");
    mapping_check_bad("<MeshTopology name=\"mesh\" edges=\"0 9\"/><MechanicalObject/>" DIFFERENCES("Vec3"), "point 9");
    mapping_check_bad(UNIT "edges=\"0 1\"/><MechanicalObject/>" DIFFERENCES("Vec1"), "Vec1");
}

// Points that coincide: a direction that is some unit vector, and finite numbers.
static void test_coincident(void **unused) {
    (void)unused;
    static const char *const components[] = {"DistanceMapping", "SquareDistanceMapping", "AreaMapping",
                                             "VolumeMapping"};
    for (int i = 0; i < 4; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "<MeshTopology name=\"mesh\" position=\"1 1 1  1 1 1  1 1 1  1 1 1\" edges=\"0 1\" triangles=\"0 1 2\" "
            "tetrahedra=\"0 1 2 3\"/><MechanicalObject/>" CHILD("%s", MESH "geometricStiffness=\"Exact\""),
            components[i]);
        physics_scene *test = physics_load(text);
        st_mapping *m = (st_mapping *)physics_find(test, "/c/m");
        assert_true(st_is_valid(&m->object));
        st_real *j = mapping_dense_jacobian(m), *g = mapping_dense_geometric(m, (const st_real[]){1});
        for (size_t k = 0; k < 12; k++) assert_true(isfinite(j[k]));
        for (size_t k = 0; k < 144; k++) assert_true(isfinite(g[k]));
        if (i == 0) assert_near(j[3], (st_real)0.57735026918962576, (st_real)1e-6);
        if (i == 0)
            for (size_t k = 0; k < 144; k++) assert_true(g[k] == 0);
        free(j);
        free(g);
        physics_free(test);
    }
}

// A triangle so small that one over the cube of its area is infinite: the geometric term has no unit of length, and is
// finite, with a force and without one.
static void test_tiny_triangle(void **unused) {
    (void)unused;
#ifdef SETTEE_REAL_FLOAT
#define TINY "3e-7"
#else
#define TINY "4e-53"
#endif
    physics_scene *test =
        physics_load("<MeshTopology name=\"mesh\" position=\"0 0 0  " TINY " 0 0  0 " TINY " 0\" triangles=\"0 1 2\"/>"
                     "<MechanicalObject/>" CHILD("AreaMapping", MESH "geometricStiffness=\"Exact\""));
    st_mapping *m = (st_mapping *)physics_find(test, "/c/m");
    for (int force = 0; force < 2; force++) {
        st_real *g = mapping_dense_geometric(m, (const st_real[]){(st_real)force});
        st_real largest = 0;
        for (size_t k = 0; k < 81; k++) {
            assert_true(isfinite(g[k]));
            largest = fmax(largest, fabs(g[k]));
        }
        assert_true(force ? largest > (st_real)0.4 && largest < 2 : largest == 0);
        free(g);
    }
    physics_free(test);
}

static void test_bad_input(void **unused) {
    (void)unused;
    mapping_check_bad("<MechanicalObject/>" CHILD("DistanceMapping", ""), "no topology");
    mapping_check_bad("<MeshTopology name=\"mesh\"/><MechanicalObject/>" CHILD("DistanceMapping", MESH), "no edges");
    mapping_check_bad("<MeshTopology name=\"mesh\"/><MechanicalObject/>" CHILD("AreaMapping", MESH), "no triangles");
    mapping_check_bad("<MeshTopology name=\"mesh\"/><MechanicalObject/>" CHILD("VolumeMapping", MESH), "no tetrahedra");
    mapping_check_bad("<MeshTopology name=\"mesh\" edges=\"0 7\"/><MechanicalObject position=\"0 0 0\"/>" CHILD(
                          "DistanceMapping", MESH),
                      "point 7");
    mapping_check_bad(UNIT "triangles=\"0 1 2\" quads=\"0 1 2 3\"/><MechanicalObject/>" CHILD("AreaMapping", MESH),
                      "quads");
    mapping_check_bad(UNIT "edges=\"0 1\"/><MechanicalObject/>" CHILD("DistanceMapping", ""), "is taken");
    mapping_check_bad(PARENT CHILD("DistanceToPlaneMapping", "planeNormal=\"0 0 0\""), "no direction");
    mapping_check_bad("<MechanicalObject template=\"Vec2\"/>" CHILD("DistanceMapping", ""), "of type Vec2");
    mapping_check_bad("<MechanicalObject template=\"Vec1\" size=\"0\"/>" CHILD("SquareMapping", ""), "");
    mapping_check_bad("<MechanicalObject size=\"0\"/>" CHILD("DistanceToPlaneMapping", "planeNormal=\"0 1 0\""), "");
}

// Lists of numbers that become shorter while the scene runs: the child keeps what it has.
static void test_shorter_lists(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *field;
    } cases[] = {
        {PARENT CHILD("DistanceMapping", MESH), "restLengths"},
        {TWO MULTI("0 1  2 3  2 0", "indexPairs=\"0 1  1 0  1 1  0 0\""), "restLengths"},
        {PARENT CHILD("DistanceFromTargetMapping", "indices=\"0 2\" targetPositions=\"1 1 1  2 0 0\""), "restLengths"},
        {PARENT CHILD("DistanceFromTargetMapping", "indices=\"0 2\" targetPositions=\"1 1 1  2 0 0\""),
         "targetPositions"},
        {RIGID "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"Rigid3\" position=\"1 0 0 0 0 0 1\"/>"
               "<RigidMapping name=\"m\"/></Node>",
         "initialPoints"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        physics_scene *test = physics_load(cases[i].text);
        st_mapping *m = (st_mapping *)physics_find(test, "/c/m");
        const st_real before = st_mapping_out(m)->coord[ST_COORD_POSITION].data[0];
        assert_int_equal(st_object_set(&m->object, cases[i].field, ""), ST_OK);
        mapping_apply(m);
        assert_true(st_mapping_out(m)->coord[ST_COORD_POSITION].data[0] == before);
        physics_free(test);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),   cmocka_unit_test(test_multi),         cmocka_unit_test(test_target),
        cmocka_unit_test(test_values),        cmocka_unit_test(test_coincident),    cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_shorter_lists), cmocka_unit_test(test_tiny_triangle), cmocka_unit_test(test_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
