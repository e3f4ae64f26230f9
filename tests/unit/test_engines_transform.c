// Engines that transform and analyze: rotations and their inverses, operations on lists, frames, shape matching.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine_scene.h"

static void transformations_in_order(void **state) {
    (void)state;
    // scale, then turn by 90 degrees about z, then move
    physics_scene *test = engine_load("<TransformEngine name='e' input_position='1 0 0 0 1 2' scale='2 3 4' "
                                      "rotation='0 0 90' translation='10 0 0'/>");
    assert_numbers(test, "/e", "output_position", NUMBERS(10, 2, 0, 7, 0, 8));
    physics_free(test);
    // Rz Ry Rx: x acts first
    test = engine_load("<TransformEngine name='e' input_position='0 1 0' rotation='90 90 0'/>");
    assert_numbers(test, "/e", "output_position", NUMBERS(1, 0, 0));
    physics_free(test);
    // the quaternion acts after the angles
    test = engine_load("<TransformEngine name='e' input_position='0 1 0' rotation='90 0 0' "
                       "quaternion='0 0.70710678118654752 0 0.70710678118654752'/>");
    assert_numbers(test, "/e", "output_position", NUMBERS(1, 0, 0));
    physics_free(test);
}

static void inverse_transformations(void **state) {
    (void)state;
    const char *how = "scale='2 3 4' rotation='20 30 40' translation='1 2 3' quaternion='0.5 0.5 0.5 0.5'";
    static const struct {
        const char *template_, *points;
        size_t count;
        double values[7];
    } cases[] = {
        {"Vec3", "1 2 3", 3, {1, 2, 3}},
        {"Rigid3", "1 2 3 0 0 0 1", 7, {1, 2, 3, 0, 0, 0, 1}},
    };
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "<TransformEngine name='there' template='%s' input_position='%s' %s/>"
                 "<TransformEngine name='e' template='%s' input_position='@there.output_position' %s inverse='1'/>",
                 cases[i].template_, cases[i].points, how, cases[i].template_, how);
        physics_scene *test = engine_load(text);
        assert_numbers(test, "/e", "output_position", cases[i].count, cases[i].values);
        physics_free(test);
    }
}

static void transformed_rigids(void **state) {
    (void)state;
    physics_scene *test = engine_load("<TransformEngine name='e' template='Rigid3' input_position='1 0 0 0 0 0 1' "
                                      "scale='5 5 5' rotation='0 0 90'/>"
                                      "<TransformEngine name='f' template='Rigid2' input_position='1 0 0.5' "
                                      "rotation='0 0 90' translation='1 1 9'/>"
                                      "<TransformEngine name='g' template='Vec1' input_position='3' scale='2 1 1'/>");
    assert_numbers(test, "/e", "output_position", NUMBERS(0, 5, 0, 0, 0, 0.70710678, 0.70710678));
    assert_numbers(test, "/f", "output_position", NUMBERS(1, 2, 0.5 + 1.57079633));
    assert_numbers(test, "/g", "output_position", NUMBERS(6));
    physics_free(test);
}

static void positions_by_method(void **state) {
    (void)state;
    static const struct {
        const char *how;
        double x[3];
    } cases[] = {
        {"method='projectOnPlane' normal='0 0 2' origin='0 0 1'", {1, 2, 1}},
        {"method='translation' translation='1 1 1'", {2, 3, 4}},
        {"method='rotation' rotation='0 0 90'", {-2, 1, 3}},
        {"method='scale' scale='2 3 4'", {2, 6, 12}},
        {"method='scaleTranslation' scale='2 3 4' translation='1 1 1'", {3, 7, 13}},
        {"method='scaleRotationTranslation' scale='2 3 4' rotation='0 0 90' translation='1 1 1'", {-5, 3, 13}},
        {"method='affine' matrix='0 1 0 5 1 0 0 6 0 0 1 7 0 0 0 1'", {7, 7, 10}},
        {"method='translation' translation='1 1 1' fixedIndices='0 9'", {1, 2, 3}},
        {"method='random' maxRandomDisplacement='0'", {1, 2, 3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, "<TransformPosition name='e' inputPosition='1 2 3' %s/>", cases[i].how);
        physics_scene *test = engine_load(text);
        assert_numbers(test, "/e", "outputPosition", 3, cases[i].x);
        physics_free(test);
    }
}

static void positions_from_a_file(void **state) {
    (void)state;
    char name[64], text[1024];
    static const struct {
        const char *end, *content;
    } files[] = {
        {".tfm", "#Insight Transform File V1.0\nParameters: 0 1 0 1 0 0 0 0 1 5 6 7\nFixedParameters: 0 0 0\n"},
        {".trm", "5 6 7\n0 1 0\n1 0 0\n0 0 1\n"},
        {".txt", "0 1 0 5\n1 0 0 6\n0 0 1 7\n0 0 0 1\n"},
    };
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "transformation%s", files[i].end);
        const char *path = physics_file(name, files[i].content);
        snprintf(text, sizeof text,
                 "<TransformPosition name='e' input_position='1 2 3' method='fromFile' filename='%s'/>", path);
        physics_scene *test = engine_load(text);
        assert_numbers(test, "/e", "output_position", NUMBERS(7, 7, 10));
        physics_free(test);
        remove(path);
    }
    physics_scene *test = physics_load("<TransformPosition name='e' input_position='1 2 3' method='fromFile' "
                                       "filename='no-such-file.tfm'/>");
    assert_numbers(test, "/e", "output_position", NUMBERS(1, 2, 3));
    assert_true(test->count[ST_ERROR] > 0);
    physics_free(test);
}

static void matrices(void **state) {
    (void)state;
    physics_scene *test = engine_load("<TranslateTransformMatrixEngine name='a' translation='1 2 3'/>"
                                      "<ScaleTransformMatrixEngine name='b' inT='@a.outT' scale='2 3 4'/>"
                                      "<RotateTransformMatrixEngine name='c' inT='@b.outT' rotation='0 0 90'/>"
                                      "<InvertTransformMatrixEngine name='d' inT='@c.outT'/>");
    assert_numbers(test, "/b", "outT", NUMBERS(2, 0, 0, 1, 0, 3, 0, 2, 0, 0, 4, 3, 0, 0, 0, 1));
    assert_numbers(test, "/c", "outT", NUMBERS(0, -2, 0, 1, 3, 0, 0, 2, 0, 0, 4, 3, 0, 0, 0, 1));
    assert_numbers(test, "/d", "outT", NUMBERS(0, 1. / 3, 0, -2. / 3, -0.5, 0, 0, 0.5, 0, 0, 0.25, -0.75, 0, 0, 0, 1));
    physics_free(test);
    test = physics_load("<ScaleTransformMatrixEngine name='b' scale='0 0 0'/>"
                        "<InvertTransformMatrixEngine name='d' inT='@b.outT'/>");
    assert_numbers(test, "/d", "outT", NUMBERS(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1));
    assert_says(test, "no inverse");
    physics_free(test);
}

static void displacements(void **state) {
    (void)state;
    const char *frames = "x0='1 0 0 0 0 0 1' x='1 1 0 0 0 0.70710678118654752 0.70710678118654752'";
    char text[256];
    snprintf(text, sizeof text, "<DisplacementTransformEngine name='e' template='Rigid3,Mat4x4' %s/>", frames);
    physics_scene *test = engine_load(text); // the point (1, 0, 0) goes to (1, 1, 0)
    assert_numbers(test, "/e", "displacements", NUMBERS(0, -1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1));
    physics_free(test);
    snprintf(text, sizeof text, "<DisplacementTransformEngine name='e' template='Rigid3,Rigid3' %s/>", frames);
    test = engine_load(text);
    assert_numbers(test, "/e", "displacements", NUMBERS(1, 0, 0, 0, 0, 0.70710678, 0.70710678));
    physics_free(test);
    snprintf(text, sizeof text, "<DisplacementMatrixEngine name='e' template='Rigid3' %s/>", frames);
    test = engine_load(text);
    assert_numbers(test, "/e", "displacements", NUMBERS(0, -1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1));
    physics_free(test);
}

static void operations(void **state) {
    (void)state;
    static const struct {
        const char *template_, *op, *result;
    } cases[] = {
        {"vector<d>", "+", "8 5"}, {"vector<d>", "-", "4 -3"}, {"vector<d>", "*", "12 4"}, {"vector<d>", "/", "3 0.25"},
        {"vector<i>", "/", "3 0"}, {"vector<d>", "<", "2 1"},  {"vector<d>", ">", "6 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256], op[8];
        snprintf(op, sizeof op, "%s", strcmp(cases[i].op, "<") == 0 ? "&lt;" : cases[i].op);
        snprintf(text, sizeof text, "<MathOp name='e' template='%s' op='%s' input1='6 1' input2='2 4'/>",
                 strcmp(cases[i].template_, "vector<i>") == 0 ? "vector&lt;i>" : "vector&lt;d>", op);
        assert_engine(text, "output", cases[i].result);
    }
    assert_engine("<MathOp name='e' op='&amp;' nbInputs='3' input1='1 1' input2='1 0' input3='1'/>", "output", "1 0");
    assert_engine("<MathOp name='e' op='!' nbInputs='1' input1='0 5'/>", "output", "1 0");
    assert_engine("<MathOp name='e' op='!|' input1='0 5' input2='0 0'/>", "output", "1 0");
    assert_engine("<MathOp name='e' op='-' nbInputs='1' input1='2'/>", "output", "-2");
    assert_engine("<MathOp name='e' template='vector&lt;Vec3>' input1='1 2 3 4 5 6' input2='1 1 1'/>", "output",
                  "2 3 4 5 6 7");
    physics_scene *test = physics_load("<MathOp name='e' op='?' input1='1'/>");
    assert_field(test, "/e", "output", "");
    assert_says(test, "op \"?\" is not known");
    physics_free(test);
}

static void maps_of_values(void **state) {
    (void)state;
    assert_engine("<DifferenceEngine name='e' input='1 2 3' substractor='1 1 1'/>", "output", "0 1 2");
    assert_engine("<SumEngine name='e' input='1 2 3 4 5 6'/>", "output", "5 7 9");
    assert_engine("<IndexValueMapper name='e' indices='1 4' value='9' inputValues='5 5'/>", "outputValues",
                  "5 9 1 1 9");
    assert_engine("<Indices2ValuesMapper name='e' inputValues='3 7 4' indices='3 4' values='30 40' defaultValue='-1'/>",
                  "outputValues", "30 -1 40");
    assert_engine("<MapIndices name='e' in='0 2 7' indices='5 6 8'/>", "out", "5 8 7");
    assert_engine("<MapIndices name='e' in='5 8 7' indices='5 6 8' transpose='1'/>", "out", "0 2 7");
    assert_engine("<ROIValueMapper name='e' nbROIs='2' indices1='0 1' value1='3' indices2='1 3' value2='4' "
                  "defaultValue='7'/>",
                  "outputValues", "3 4 7 4");
    physics_scene *test = physics_load("<DifferenceEngine name='e' input='1 2 3' substractor='1 1 1 1 1 1'/>"
                                       "<IndexValueMapper name='f' indices='4000000000 0'/>");
    assert_field(test, "/e", "output", "");
    assert_field(test, "/f", "outputValues", "0");
    assert_says(test, "input has 1 values, substractor 2");
    assert_says(test, "too large");
    physics_free(test);
}

static void rigids_and_quaternions(void **state) {
    (void)state;
    physics_scene *test = engine_load("<QuatToRigidEngine name='a' positions='1 2 3 4 5 6' orientations='0 0 1 0'/>"
                                      "<RigidToQuatEngine name='b' rigids='@a.rigids'/>");
    assert_field(test, "/a", "rigids", "1 2 3 0 0 1 0 4 5 6 0 0 1 0");
    assert_field(test, "/b", "positions", "1 2 3 4 5 6");
    assert_field(test, "/b", "orientations", "0 0 1 0 0 0 1 0");
    assert_numbers(test, "/b", "orientationsEuler", NUMBERS(0, 0, 180, 0, 0, 180));
    physics_free(test);
    assert_engine("<ProjectiveTransformEngine name='e' input_position='2 4 2' focal_distance='3'/>", "output_position",
                  "3 6 3");
    test = engine_load("<Vertex2Frame name='e' vertices='1 2 3 4 5 6' normals='1 0 0'/>");
    assert_numbers(test, "/e", "frames", NUMBERS(1, 2, 3, 0, 0.70710678, 0, 0.70710678, 4, 5, 6, 0, 0, 0, 1));
    physics_free(test);
}

static void surfaces_move(void **state) {
    (void)state;
    physics_scene *test =
        engine_load("<GenerateSphere name='s' radius='1' tessellationDegree='4' platonicSolid='octahedron'/>"
                    "<DilateEngine name='e' input_position='@s.output_TrianglesPosition' "
                    "triangles='@s.triangles' distance='1'/>"
                    "<VolumeFromTriangles name='v' position='@e.output_position' "
                    "triangles='@s.triangles'/>"
                    "<VolumeFromTriangles name='v0' position='@s.output_TrianglesPosition' "
                    "triangles='@s.triangles'/>");
    double volume[2] = {0, 0};
    engine_numbers(test, "/v0", "volume", volume, 1);
    engine_numbers(test, "/v", "volume", volume + 1, 1);
    assert_near((st_real)(volume[1] / volume[0]), 8, (st_real)0.05);
    physics_free(test);
    // a plate of thickness 1 that must be 3 thick: each side moves by 1
    test = engine_load("<DilateEngine name='e' input_position='0 0 0 9 0 0 0 9 0 1 1 -1 1 8 -1 8 1 -1' "
                       "triangles='0 1 2 3 4 5' minThickness='3'/>");
    double points[18];
    assert_int_equal(engine_numbers(test, "/e", "output_position", points, 18), 18);
    assert_near((st_real)points[3 * 3 + 2], -2, (st_real)1e-6);
    physics_free(test);
    assert_engine("<MeshTopology edges='0 1 1 2'/><SmoothMeshEngine name='e' input_position='0 0 0 5 3 0 2 0 0' "
                  "input_indices='1 99'/>",
                  "output_position", "0 0 0 1 0 0 2 0 0");
    assert_engine("<SmoothMeshEngine name='e' input_position='0 0 0 4 0 0' edges='0 1 1 77' nb_iterations='1'/>",
                  "output_position", "4 0 0 0 0 0");
}

static void averages(void **state) {
    (void)state;
    assert_engine("<MechanicalObject position='0 0 0 2 0 0 7 7 7'/><AverageCoord name='e' indices='0 1 9'/>", "average",
                  "1 0 0");
    physics_scene *test = engine_load("<MechanicalObject template='Rigid3' position='2 0 0 0 0 0 1 4 0 0 0 0 0 1'/>"
                                      "<AverageCoord name='e' template='Rigid3'/>");
    assert_field(test, "/e", "average", "3 0 0 0 0 0 1");
    physics_free(test);
}

static void distances_of_sets(void **state) {
    (void)state;
    physics_scene *test =
        engine_load("<HausdorffDistance name='e' point_set_1='0 0 0 1 0 0' point_set_2='0 0 0 5 0 0'/>"
                    "<HausdorffDistance name='f' point_set_1='0 0 0'/>");
    assert_field(test, "/e", "d12", "1");
    assert_field(test, "/e", "d21", "4");
    assert_field(test, "/e", "max", "4");
    assert_field(test, "/f", "max", "0");
    physics_free(test);
}

// Points that were turned and moved as a whole are where shape matching wants them; a scaled group is brought back.
static void shapes_match(void **state) {
    (void)state;
    const char *rest = "restPosition='0 0 0 1 0 0 0 1 0 0 0 1'";
    char text[512];
    snprintf(text, sizeof text,
             "<ShapeMatching name='e' %s position='5 0 0 5 1 0 4 0 0 5 0 1' cluster='[0,1,2,3,99]'/>", rest);
    physics_scene *test = engine_load(text);
    assert_numbers(test, "/e", "targetPosition", NUMBERS(5, 0, 0, 5, 1, 0, 4, 0, 0, 5, 0, 1));
    physics_free(test);
    snprintf(text, sizeof text, "<ShapeMatching name='e' %s position='0 0 0 2 0 0 0 2 0 0 0 2'/>", rest);
    test = engine_load(text);
    assert_numbers(test, "/e", "targetPosition",
                   NUMBERS(0.25, 0.25, 0.25, 1.25, 0.25, 0.25, 0.25, 1.25, 0.25, 0.25, 0.25, 1.25));
    physics_free(test);
}

static void clusters_cover_all_points(void **state) {
    (void)state;
    physics_scene *test = engine_load("<ClusteringEngine name='e' number='2' radius='0.5' useTopo='0' "
                                      "position='0 0 0 1 0 0 2 0 0 10 0 0 11 0 0 12 0 0'/>");
    assert_field(test, "/e", "cluster", "[0,1,2]\n[5,3,4]");
    physics_free(test);
    test = engine_load("<ClusteringEngine name='e' number='2' radius='1' useTopo='0' "
                       "position='0 0 0 1 0 0 2 0 0 3 0 0 11 0 0 12 0 0'/>");
    assert_field(test, "/e", "cluster", "[0,1,2,3]\n[5,4]"); // nobody is as near as 1 to the other group
    physics_free(test);
    test = engine_load("<MeshTopology name='t' position='0 0 0 1 0 0 2 0 0 3 0 0 4 0 0 5 0 0' edges='0 1 1 2 2 3 3 4 4 "
                       "5'/><ClusteringEngine name='e' number='2' radius='0.1' position='@t.position'/>");
    assert_field(test, "/e", "cluster", "[0,1,2,3]\n[5,2,3,4]"); // neighbors along edges, however far
    physics_free(test);
    test = engine_load("<MeshTopology name='t' position='0 0 0 1 0 0 5 0 0' edges='0 1'/>"
                       "<ClusteringEngine name='e' radius='9' position='@t.position'/>");
    assert_field(test, "/e", "cluster", "[0,1]\n[1,0]\n[2]"); // no way leads to point 2
    physics_free(test);
}

static void nothing_in_gives_nothing_out(void **state) {
    (void)state;
    static const char *const names[] = {
        "TransformEngine",
        "TransformPosition",
        "DifferenceEngine",
        "SumEngine",
        "DilateEngine",
        "IndexValueMapper",
        "Indices2ValuesMapper",
        "MapIndices",
        "MathOp",
        "ProjectiveTransformEngine",
        "QuatToRigidEngine",
        "RigidToQuatEngine",
        "ROIValueMapper",
        "Vertex2Frame",
        "DisplacementMatrixEngine",
        "DisplacementTransformEngine",
        "HausdorffDistance",
        "NormEngine",
        "NormalsFromPoints",
        "JoinPoints",
        "MergePoints",
        "MergeSets",
        "MergeVectors",
        "MergeMeshes",
        "MeshClosingEngine",
        "GenerateRigidMass",
        "RandomPointDistributionInSurface",
        "ExtrudeQuadsAndGenerateHexas",
        "ExtrudeEdgesAndGenerateQuads",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[128];
        snprintf(text, sizeof text, "<%s name='e'/>", names[i]);
        physics_scene *test = physics_load(text);
        st_pull(physics_find(test, "/e"));
        if (test->count[ST_ERROR]) print_message("%s", test->log);
        assert_int_equal(test->count[ST_ERROR], 0);
        physics_free(test);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transformations_in_order),
        cmocka_unit_test(inverse_transformations),
        cmocka_unit_test(transformed_rigids),
        cmocka_unit_test(positions_by_method),
        cmocka_unit_test(positions_from_a_file),
        cmocka_unit_test(matrices),
        cmocka_unit_test(displacements),
        cmocka_unit_test(operations),
        cmocka_unit_test(maps_of_values),
        cmocka_unit_test(rigids_and_quaternions),
        cmocka_unit_test(surfaces_move),
        cmocka_unit_test(averages),
        cmocka_unit_test(distances_of_sets),
        cmocka_unit_test(shapes_match),
        cmocka_unit_test(clusters_cover_all_points),
        cmocka_unit_test(nothing_in_gives_nothing_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
