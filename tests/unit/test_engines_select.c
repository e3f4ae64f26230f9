// Engines that select: regions, pairs, labels, subsets, and how they answer wrong indices.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine_scene.h"

#define CUBE "<RegularGridTopology name='grid' n='3 3 3' min='0 0 0' max='2 2 2'/><MechanicalObject name='dofs'/>"

// ---------------------------------------------------------------------------------------------------
// Regions
// ---------------------------------------------------------------------------------------------------

static void spheres(void **state) {
    (void)state;
    const char *four = "position='0 0 0 1 0 0 2 0 0 3 0 0' edges='0 1 1 2 2 3'";
    char text[512];
    snprintf(text, sizeof text, "<SphereROI name='e' %s centers='0 0 0' radii='1'/>", four);
    physics_scene *test = engine_load(text);
    assert_field(test, "/e", "indices", "0 1"); // the surface belongs to the sphere
    assert_field(test, "/e", "edgeIndices", "0");
    assert_field(test, "/e", "indicesOut", "2 3");
    physics_free(test);
    snprintf(text, sizeof text, "<SphereROI name='e' %s centers='0 0 0 3 0 0' radii='0.6' strict='0'/>", four);
    test = engine_load(text); // one radius serves all centers; edges by their centers
    assert_field(test, "/e", "indices", "0 3");
    assert_field(test, "/e", "edgeIndices", "0 2");
    physics_free(test);
    snprintf(text, sizeof text, "<SphereROI name='e' %s centers='0 0 0 3 0 0 5 5 5' radii='1 2'/>", four);
    test = physics_load(text);
    assert_says(test, "2 radii for 3 centers");
    assert_field(test, "/e", "indices", "");
    physics_free(test);
}

static void spheres_and_angles(void **state) {
    (void)state;
    physics_scene *test =
        engine_load("<SphereROI name='e' position='0 0 0 1 0 0 0 1 0' edges='0 1 0 2 1 2' triangles='0 1 2 0 2 1' "
                    "centers='0 0 0' radii='9' direction='2 0 0' edgeAngle='30' normal='0 0 5' triAngle='60'/>");
    assert_field(test, "/e", "edgeIndices", "1 2");   // |n . x| = 1, 0, 0.7 against cos 30 = 0.87
    assert_field(test, "/e", "triangleIndices", "0"); // n = (p2-p0) x (p1-p0) looks down for the first one
    physics_free(test);
}

static void planes(void **state) {
    (void)state;
    physics_scene *test = engine_load(CUBE "<PlaneROI name='e' plane='-1 0 -1 3 0 -1 3 0 3 0.2'/>");
    assert_field(test, "/e", "indices", "0 1 2 9 10 11 18 19 20");
    physics_free(test);
    // without thickness there are no sides: the whole plane
    test = engine_load("<PlaneROI name='e' position='0 0 0 -9 0 0 0 0 1' plane='0.3 0 0 0 0 0 0 0.3 0 0'/>");
    assert_field(test, "/e", "indices", "0 1");
    physics_free(test);
    // two slabs: an edge between them is in neither
    test = engine_load("<PlaneROI name='e' position='0 0 0 0 1 0 1 0 0' edges='0 1 0 2' "
                       "plane='-2 0 -2 2 0 -2 2 0 2 0.2  -2 1 -2 2 1 -2 2 1 2 0.2'/>");
    assert_field(test, "/e", "indices", "0 1 2");
    assert_field(test, "/e", "edgeIndices", "1");
    assert_field(test, "/e", "edgesInROI", "0 2");
    physics_free(test);
}

static void meshes_hold_points(void **state) {
    (void)state;
    physics_scene *test = engine_load("<GenerateSphere name='ball' radius='1' tessellationDegree='4'/>"
                                      "<MeshROI name='e' ROIposition='@ball.output_TrianglesPosition' "
                                      "ROItriangles='@ball.triangles' position='0.05 0.02 0.01 0.5 0.4 0.3 "
                                      "0.9 0.9 0.9 5 0 0 -0.3 0.2 0.6'/>");
    assert_field(test, "/e", "indices", "0 1 4");
    physics_free(test);
    test = engine_load("<MeshROI name='e' ROIposition='0 0 0' ROItriangles='0 7 9' computeMeshROI='0' "
                       "position='5 5 5 6 6 6' edges='0 1'/>");
    assert_field(test, "/e", "indices", "0 1");
    assert_field(test, "/e", "edgeIndices", "0");
    physics_free(test);
}

static void pair_boxes(void **state) {
    (void)state;
    physics_scene *test =
        engine_load(CUBE "<PairBoxROI name='e' inclusiveBox='-1 -1 -1 3 3 3' includedBox='0.5 0.5 -1 1.5 1.5 3'/>");
    assert_field(test, "/e", "indices", "0 1 2 3 5 6 7 8 9 10 11 12 14 15 16 17 18 19 20 21 23 24 25 26");
    physics_free(test);
}

static void nearest_points(void **state) {
    (void)state;
    const char *scene = "<Node name='a'><MechanicalObject name='s' position='0 0 0 1 0 0 2 0 0'/></Node>"
                        "<Node name='b'><MechanicalObject name='s' position='2 0.5 0 9 9 9 0 0.1 0'/></Node>"
                        "<NearestPointROI name='e' object1='@a/s' object2='@b/s' radius='1' %s/>";
    char text[640];
    snprintf(text, sizeof text, scene, "");
    physics_scene *test = engine_load(text);
    assert_field(test, "/e", "indices1", "2 0");
    assert_field(test, "/e", "indices2", "0 2");
    assert_field(test, "/e", "edges", "0 1 2 3");
    assert_field(test, "/e", "indexPairs", "0 2 1 0 0 0 1 2");
    assert_numbers(test, "/e", "distances", NUMBERS(0.5, 0.1));
    physics_free(test);
    snprintf(text, sizeof text, scene, "inputIndices1='1 77' inputIndices2='2'");
    test = engine_load(text);
    assert_field(test, "/e", "indices1", ""); // at distance > 1
    physics_free(test);
    snprintf(text, sizeof text, scene, "inputIndices1='2 1' inputIndices2='0 4000000000'");
    test = engine_load(text);
    assert_field(test, "/e", "indices1", "2");
    physics_free(test);
}

static void nearest_points_need_a_radius(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MechanicalObject name='s'/>"
                                       "<NearestPointROI name='e' object1='@s' object2='@s' radius='0'/>");
    assert_says(test, "radius is 0");
    physics_free(test);
}

static void proximity(void **state) {
    (void)state;
    assert_engine("<ProximityROI name='e' position='3 0 0 1 0 0 2 0 0 9 0 0 0 0 0' centers='0 0 0' radii='4' N='3'/>",
                  "indices", "4 1 2");
    assert_engine("<ProximityROI name='e' position='3 0 0 1 0 0 2 0 0 9 0 0 0 0 0' centers='0 0 0' radii='4' N='9'/>",
                  "indicesOut", "3");

    // fewer radii than centers: the last one is that of the others; more: the last ones are ignored
    assert_engine("<ProximityROI name='e' position='0 0 0 1 0 0 10 0 0 12 0 0 20 0 0 22 0 0' "
                  "centers='0 0 0 10 0 0 20 0 0' radii='0.5 2' N='9'/>",
                  "indices", "0 2 4 3 5");
    physics_scene *test =
        physics_load("<ProximityROI name='e' position='0 0 0 1 0 0' centers='0 0 0' radii='1 5' N='9'/>"
                     "<ProximityROI name='f' position='0 0 0' centers='0 0 0' N='9'/>"
                     "<ProximityROI name='g' position='0 0 0' centers='0 0 0' radii='1'/>");
    assert_field(test, "/e", "indices", "0 1");
    assert_field(test, "/f", "indices", "");
    assert_field(test, "/g", "indices", "");
    assert_says(test, "2 radii for 1 centers: the last ones are ignored");
    assert_says(test, "radii is empty: nothing is selected");
    assert_says(test, "N is 0: nothing is selected");
    assert_int_equal(test->count[ST_ERROR], 3);
    physics_free(test);
}

static void complements(void **state) {
    (void)state;
    const char *four = "<ComplementaryROI name='e' position='0 0 0 1 0 0 2 0 0 3 0 0' ";
    char text[256];
    snprintf(text, sizeof text, "%s nbSet='2' setIndices1='0' setIndices2='3 0'/>", four);
    assert_engine(text, "indices", "1 2");
    assert_engine(text, "pointsInROI", "1 0 0 2 0 0");
    snprintf(text, sizeof text, "%s nbSet='1' setIndices1='0 7'/>", four);
    physics_scene *test = physics_load(text);
    assert_field(test, "/e", "indices", "1 2 3");
    assert_says(test, "names point 7; there are 4 points");
    physics_free(test);
}

static void borders(void **state) {
    (void)state;
    // a fan of four triangles around point 4: the center is no border
    assert_engine("<MeshBoundaryROI name='e' triangles='0 1 4 1 2 4 2 3 4 3 0 4'/>", "indices", "0 1 2 3");
    assert_engine("<MeshBoundaryROI name='e' triangles='3 4 1' quads='3 1 0 2'/>", "indices", "0 1 2 3 4");
}

// ---------------------------------------------------------------------------------------------------
// Lists
// ---------------------------------------------------------------------------------------------------

static void values_and_indices(void **state) {
    (void)state;
    assert_engine("<IndicesFromValues name='e' values='7 5' global='5 6 7 5'/>", "indices", "2 0");
    assert_engine("<IndicesFromValues name='e' values='7 5' global='5 6 7 5' recursiveSearch='1'/>", "indices",
                  "2 0 3");
    assert_engine("<IndicesFromValues name='e' template='Vec3' values='1 2 3' global='0 0 0 1 2 3'/>", "indices", "1");
    assert_engine("<ValuesFromIndices name='e' in='5 6 7' indices='2 0 2'/>", "out", "7 5 7");
    assert_engine("<PointsFromIndices name='e' position='0 0 0 1 0 0 1 0 0 2 0 0' indices='1 2 3 1 88'/>",
                  "indices_position", "1 0 0 2 0 0");
    physics_scene *test = physics_load("<IndicesFromValues name='e' values='7 8' global='7'/>"
                                       "<ValuesFromIndices name='f' in='5' indices='0 3'/>");
    assert_field(test, "/e", "indices", "0");
    assert_field(test, "/f", "out", "5");
    assert_says(test, "value 1 is not among the 1 values");
    assert_says(test, "indices[1] is 3; there are 1 values");
    physics_free(test);
}

static void labels(void **state) {
    (void)state;
    assert_engine("<MergeROIs name='e' nbROIs='2' indices1='4 5' indices2='6'/>", "roiIndices", "[4,5]\n[6]");
    assert_engine("<SelectLabelROI name='e' labels='[1,2] [3] [] [2]' selectLabels='2 9'/>", "indices", "0 3");
    assert_engine("<MergeROIs name='m' nbROIs='3' indices1='1' indices2='2' indices3='1 2'/>"
                  "<SelectLabelROI name='e' labels='@m.roiIndices' selectLabels='2'/>",
                  "indices", "1 2");
    assert_engine("<SelectConnectedLabelsROI name='e' nbLabels='2' labels1='[1] [1] [3]' labels2='[2] [5] [2]' "
                  "connectLabels='1 2'/>",
                  "indices", "0");
}

static void positions_give_values(void **state) {
    (void)state;
    const char *points = "position='0 0 0 1 0 0 4 0 0' edges='0 1 1 2' direction='2 0 0'";
    char text[256];
    snprintf(text, sizeof text, "<ValuesFromPositions name='e' %s inputValues='10 20'/>", points);
    assert_engine(text, "values", "10 12.5 20");
    assert_engine(text, "edgeValues", "11.25 16.25");
    snprintf(text, sizeof text, "<ValuesFromPositions name='e' %s fieldType='Vector'/>", points);
    assert_engine(text, "pointVectors", "0 0 0 0.25 0 0 1 0 0");
}

// ---------------------------------------------------------------------------------------------------
// Parts of meshes
// ---------------------------------------------------------------------------------------------------

static void subsets(void **state) {
    (void)state;
    physics_scene *test = engine_load("<MeshSubsetEngine name='e' inputPosition='0 0 0 1 0 0 2 0 0 3 0 0' "
                                      "inputEdges='0 1 1 2 2 3' indices='3 2' inputTriangles='1 2 3 3 2 99'/>");
    assert_field(test, "/e", "position", "3 0 0 2 0 0");
    assert_field(test, "/e", "edges", "1 0");
    assert_field(test, "/e", "triangles", "");
    physics_free(test);
}

// A chain of two hexahedra whose points come in a bad order, with a tetrahedron at its end.
#define CHAIN                                                                                                          \
    "<MeshTopology name='m' position='0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0 0 0 1 1 0 1 2 0 1 0 1 1 1 1 1 2 1 1 3 0 0' " \
    "hexahedra='0 1 4 3 6 7 10 9 1 2 5 4 7 8 11 10' tetrahedra='2 5 8 12'/><MechanicalObject name='s'/>"

static void assert_renumbered(physics_scene *test, const char *field, const double *inverse) {
    double old[64], new[64];
    const size_t count = engine_numbers(test, "/m", field, old, 64);
    assert_int_equal(engine_numbers(test, "/e", field, new, 64), count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) assert_true(new[i] == inverse[(size_t)old[i]]);
}

static void fill_reducing_orders(void **state) {
    (void)state;
    enum { POINTS = 13 };
    static const char *const methods[] = {"nestedDissection", "approximateMinimumDegree"};
    for (size_t m = 0; m < 2; m++) {
        char text[1024];
        snprintf(text, sizeof text, CHAIN "<FillReducingOrdering name='e' orderingMethod='%s'/>", methods[m]);
        physics_scene *test = engine_load(text);
        double permutation[POINTS + 1], inverse[POINTS + 1], old[3 * POINTS], new[3 * POINTS];
        assert_int_equal(engine_numbers(test, "/e", "permutation", permutation, POINTS + 1), POINTS);
        assert_int_equal(engine_numbers(test, "/e", "invPermutation", inverse, POINTS + 1), POINTS);
        assert_int_equal(engine_numbers(test, "/s", "position", old, 3 * POINTS), 3 * POINTS);
        assert_int_equal(engine_numbers(test, "/e", "position", new, 3 * POINTS), 3 * POINTS);
        for (size_t i = 0; i < POINTS; i++) {
            assert_true(inverse[(size_t)permutation[i]] == (double)i);
            for (size_t c = 0; c < 3; c++) assert_true(new[3 * i + c] == old[3 * (size_t)permutation[i] + c]);
        }
        // The tip has the fewest neighbors: minimum degree takes it first.
        if (m == 1) assert_true(permutation[0] == 12);
        assert_renumbered(test, "hexahedra", inverse);
        assert_renumbered(test, "tetrahedra", inverse);
        physics_free(test);
    }
}

static void fill_reducing_orders_refuse(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MechanicalObject position='0 0 0'/><FillReducingOrdering name='e'/>");
    assert_says(test, "there is no topology");
    physics_free(test);
    test = physics_load("<MeshTopology name='m' tetrahedra='0 1 2 3'/><FillReducingOrdering name='e'/>");
    assert_says(test, "there is no state");
    physics_free(test);
    static const char *const elements[] = {"0 1 2 4000000000", "0 0 0 1", "9999999 9999999 9999999 9999999"};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "<MeshTopology name='m' position='0 0 0'/><MechanicalObject/>"
                 "<FillReducingOrdering name='e' inputTetrahedra='%s'/>",
                 elements[i]);
        test = physics_load(text);
        assert_field(test, "/e", "permutation", "");
        assert_field(test, "/e", "tetrahedra", "");
        assert_says(test, "has a point that does not exist: there are 1 points");
        physics_free(test);
    }
}

static void splitting(void **state) {
    (void)state;
    physics_scene *test = engine_load("<MeshSplittingEngine name='e' position='0 0 0 1 0 0 2 0 0 3 0 0' nbInputs='2' "
                                      "edges='0 1 2 3' indices1='2' edgeIndices2='1 9'/>");
    assert_field(test, "/e", "position1", "2 0 0");
    assert_field(test, "/e", "position2", "3 0 0"); // point 2 belongs to the first part already
    assert_field(test, "/e", "position3", "0 0 0 1 0 0");
    assert_field(test, "/e", "indexPairs", "2 0 2 1 0 0 1 0");
    physics_free(test);
}

static void subset_topology(void **state) {
    (void)state;
    const char *line = "position='0 0 0 1 0 0 2 0 0 3 0 0' edges='0 1 1 2 2 3' box='-1 -1 -1 1.5 1 1'";
    char text[256];
    snprintf(text, sizeof text, "<SubsetTopology name='e' %s/>", line);
    physics_scene *test = engine_load(text);
    assert_field(test, "/e", "indices", "0 1");
    assert_field(test, "/e", "edgesInROI", "0 1");
    assert_field(test, "/e", "edgesOutROI", "1 2 2 3");
    assert_field(test, "/e", "pointsOutROI", "2 0 0 3 0 0");
    physics_free(test);
    snprintf(text, sizeof text, "<SubsetTopology name='e' %s localIndices='1'/>", line);
    test = engine_load(text); // point 1 is on the cut: the first one of both parts
    assert_field(test, "/e", "nbrborder", "1");
    assert_field(test, "/e", "pointsInROI", "1 0 0 0 0 0");
    assert_field(test, "/e", "pointsOutROI", "1 0 0 2 0 0 3 0 0");
    assert_field(test, "/e", "edgesInROI", "1 0");
    assert_field(test, "/e", "edgesOutROI", "0 1 1 2");
    physics_free(test);
    assert_engine("<SubsetTopology name='e' position='0 0 0 1 0 0 9 0 0' centers='0 0 0 8 0 0' radii='1'/>", "indices",
                  "0 1 2");
}

static void samples(void **state) {
    (void)state;
    physics_scene *test =
        engine_load("<MeshSampler name='e' number='2' position='0 0 0 1 0 0 2 0 0 10 0 0 11 0 0 12 0 0'/>");
    assert_field(test, "/e", "outputIndices", "1 4"); // the middles of the two groups
    assert_field(test, "/e", "outputPosition", "1 0 0 11 0 0");
    physics_free(test);
    assert_engine("<MeshSampler name='e' number='9' position='0 0 0 0 0 0 1 0 0' edges='0 1 1 2 5 7'/>",
                  "outputIndices", "0 2");
    assert_engine("<MeshSampler name='e' number='3'/>", "outputIndices", "");
}

// ---------------------------------------------------------------------------------------------------

static void a_selection_follows_its_inputs(void **state) {
    (void)state;
    physics_scene *test = engine_load("<ValuesFromIndices name='first' in='1 2 3' indices='0 2'/>"
                                      "<IndicesFromValues name='e' values='@first.out' global='3 2 1'/>");
    assert_field(test, "/e", "indices", "2 0");
    st_object_set(physics_find(test, "/first"), "indices", "1");
    assert_field(test, "/e", "indices", "1");
    physics_free(test);
}

static void nothing_in_gives_nothing_out(void **state) {
    (void)state;
    static const char *const names[] = {
        "ComplementaryROI",    "IndicesFromValues", "MergeROIs",         "MeshBoundaryROI",
        "MeshSampler",         "MeshSubsetEngine",  "SelectLabelROI",    "SelectConnectedLabelsROI",
        "MeshSplittingEngine", "ValuesFromIndices", "PointsFromIndices",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[128];
        snprintf(text, sizeof text, "<%s name='e'/>", names[i]);
        physics_scene *test = physics_load(text);
        st_pull(physics_find(test, "/e"));
        assert_int_equal(test->count[ST_ERROR], 0);
        physics_free(test);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres),
        cmocka_unit_test(spheres_and_angles),
        cmocka_unit_test(planes),
        cmocka_unit_test(meshes_hold_points),
        cmocka_unit_test(pair_boxes),
        cmocka_unit_test(nearest_points),
        cmocka_unit_test(nearest_points_need_a_radius),
        cmocka_unit_test(proximity),
        cmocka_unit_test(complements),
        cmocka_unit_test(borders),
        cmocka_unit_test(values_and_indices),
        cmocka_unit_test(labels),
        cmocka_unit_test(positions_give_values),
        cmocka_unit_test(subsets),
        cmocka_unit_test(fill_reducing_orders),
        cmocka_unit_test(fill_reducing_orders_refuse),
        cmocka_unit_test(splitting),
        cmocka_unit_test(subset_topology),
        cmocka_unit_test(samples),
        cmocka_unit_test(a_selection_follows_its_inputs),
        cmocka_unit_test(nothing_in_gives_nothing_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
