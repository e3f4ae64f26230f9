// Mappings from rigid frames: skinning, beams, tubes, deformable bodies in frames. Places, derivatives, bad input.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping_check.h"

#define FRAMES                                                                                                         \
    "<MechanicalObject name=\"p\" template=\"Rigid3\" "                                                                \
    "position=\"0 0 0 0 0 0 1  1 0 0 0.6 0 0 0.8  2 0.2 0 0.5 0.5 -0.5 0.5\"/>"
#define CHILD(points, component, attributes)                                                                           \
    "<Node name=\"c\"><MechanicalObject name=\"s\" position=\"" points "\"/><" component " name=\"m\" " attributes     \
    "/></Node>"
#define EXACT "geometricStiffness=\"Exact\" "

static void check_places(const char *children, const char *path, const st_real *expected, size_t count) {
    physics_scene *test = physics_load(children);
    const st_state *child = physics_state(test, path);
    if (child->size * 3 != count) print_message("%s", test->log);
    assert_int_equal(child->size * 3, count);
    assert_reals(child->coord[ST_COORD_POSITION].data, count, expected, (st_real)1e-6);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Skinning
// ---------------------------------------------------------------------------------------------------

static void test_skinning(void **unused) {
    (void)unused;
    mapping_check_scene(FRAMES CHILD("0.2 0.1 0  1 1 1", "SkinningMapping", EXACT "nbRef=\"2\""), "/c/m", MAPPING_ALL);
    mapping_check_scene(FRAMES CHILD("0.2 0.1 0  1 1 1", "SkinningMapping", EXACT), "/c/m", MAPPING_ALL);
    mapping_check_scene(
        FRAMES CHILD("0.2 0.1 0  1 1 1", "SkinningMapping", EXACT "indices=\"[0,1] [2]\" weight=\"[3 1] [2]\""), "/c/m",
        MAPPING_ALL);
    mapping_check_scene(FRAMES CHILD("0.2 0.1 0  1 1 1", "SkinningMapping", "geometricStiffness=\"Stabilized\""),
                        "/c/m", MAPPING_J);
    // frames at rest carry points where they are, wherever the weights come from, also right at a frame
    check_places(FRAMES CHILD("0 0 0  1 0.5 0", "SkinningMapping", "nbRef=\"2\""), "/c/s",
                 (const st_real[]){0, 0, 0, 1, (st_real)0.5, 0}, 6);
    check_places("<MechanicalObject template=\"Rigid3\" position=\"1 0 0 0 0 0 1  1 0 0 0 0 0 1\"/>" CHILD(
                     "1 0 0", "SkinningMapping", ""),
                 "/c/s", (const st_real[]){1, 0, 0}, 3);
    // weights [3 1]: the second frame moved by 4 along y carries a quarter of it
    check_places("<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 4 0 0 0 0 1\" "
                 "rest_position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1\"/>" CHILD("0.5 0 0", "SkinningMapping",
                                                                          "indices=\"[0,1]\" weight=\"[3, 1]\""),
                 "/c/s", (const st_real[]){(st_real)0.5, 1, 0}, 3);
    // a weight of zero ends the list of a point
    check_places("<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 4 0 0 0 0 1\" "
                 "rest_position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1\"/>" CHILD("0.5 0 0", "SkinningMapping",
                                                                          "indices=\"[0,1]\" weight=\"[3, 0]\""),
                 "/c/s", (const st_real[]){(st_real)0.5, 0, 0}, 3);
    mapping_check_bad(FRAMES CHILD("1 1 1", "SkinningMapping", "indices=\"[7]\" weight=\"[1]\""), "frame 7");
    mapping_check_bad(FRAMES CHILD("1 1 1", "SkinningMapping", "indices=\"[0 1]\" weight=\"[1]\""), "fewer weights");
    mapping_check_bad(FRAMES CHILD("1 1 1", "SkinningMapping", "indices=\"0 1\" weight=\"[1]\""), "of the form");
    mapping_check_bad(FRAMES CHILD("1 1 1", "SkinningMapping", "indices=\"[0\" weight=\"[1]\""), "of the form");
    mapping_check_bad(FRAMES CHILD("1 1 1", "SkinningMapping", "nbRef=\"0\""), "");
    mapping_check_bad("<MechanicalObject template=\"Rigid3\" size=\"0\"/>" CHILD("1 1 1", "SkinningMapping", ""),
                      "no frames");
}

#define SKELETON "<MeshTopology edges=\"0 1  1 2\"/>" FRAMES

static void test_line_set(void **unused) {
    (void)unused;
    mapping_check_scene(SKELETON CHILD("0.2 0.3 0  1 1 1", "LineSetSkinningMapping", EXACT), "/c/m", MAPPING_ALL);
    mapping_check_scene(SKELETON CHILD("0.2 0.3 0  1 1 1", "LineSetSkinningMapping",
                                       EXACT "numberInfluencedLines=\"1\" neighborhoodLevel=\"0\" weightCoef=\"2\""),
                        "/c/m", MAPPING_ALL);
    check_places(SKELETON CHILD("0.2 0.3 0  1 1 1  1 0 0", "LineSetSkinningMapping", ""), "/c/s",
                 (const st_real[]){(st_real)0.2, (st_real)0.3, 0, 1, 1, 1, 1, 0, 0}, 9);
    mapping_check_bad(FRAMES CHILD("1 1 1", "LineSetSkinningMapping", ""), "no topology");
    mapping_check_bad("<MeshTopology/>" FRAMES CHILD("1 1 1", "LineSetSkinningMapping", ""), "no edges");
    mapping_check_bad("<MeshTopology edges=\"0 9\"/>" FRAMES CHILD("1 1 1", "LineSetSkinningMapping", ""), "point 9");
}

// ---------------------------------------------------------------------------------------------------
// Beams and tubes
// ---------------------------------------------------------------------------------------------------

#define LINE "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  2 0 0 0 0 0 1  4 0 0 0 0 0 1\"/>"

static void test_beam(void **unused) {
    (void)unused;
    mapping_check_scene(FRAMES CHILD("0.5 0.1 0  1.2 0 0.3  2 0 0", "BeamLinearMapping", EXACT), "/c/m", MAPPING_ALL);
    mapping_check_scene(FRAMES CHILD("-1 0.1 0  1.2 0 0.3  7 0 0", "BeamLinearMapping", EXACT "localCoord=\"0\""),
                        "/c/m", MAPPING_ALL);
    check_places(LINE CHILD("0.5 0.25 0  1.75 0 0", "BeamLinearMapping", ""), "/c/s",
                 (const st_real[]){1, (st_real)0.5, 0, (st_real)3.5, 0, 0}, 6);
    check_places(LINE CHILD("0.5 0.25 0  3.75 0 1  -1 2 3  9 0 1", "BeamLinearMapping", "localCoord=\"0\""), "/c/s",
                 (const st_real[]){(st_real)0.5, (st_real)0.25, 0, (st_real)3.75, 0, 1, -1, 2, 3, 9, 0, 1}, 12);
    mapping_check_bad("<MechanicalObject template=\"Rigid3\" size=\"1\"/>" CHILD("1 1 1", "BeamLinearMapping", ""),
                      "needs two");
    mapping_check_bad("<MechanicalObject template=\"Rigid3\" size=\"2\"/>" CHILD("1 1 1", "BeamLinearMapping", ""),
                      "coincide");
    mapping_check_bad("<MechanicalObject template=\"Rigid3\" size=\"0\"/>" CHILD("1 1 1", "BeamLinearMapping", ""),
                      "needs two");
}

static void test_tube(void **unused) {
    (void)unused;
    mapping_check_scene(FRAMES CHILD("", "TubularMapping", EXACT "nbPointsOnEachCircle=\"4\" radius=\"0.5\""), "/c/m",
                        MAPPING_ALL);
    check_places(LINE CHILD("", "TubularMapping", "nbPointsOnEachCircle=\"2\" radius=\"0.5\" peak=\"2\""), "/c/s",
                 (const st_real[]){0, 0, 0, 0, 0, 0, 2, (st_real)0.25, 0, 2, (st_real)-0.25, 0, 4, (st_real)0.5, 0, 4,
                                   (st_real)-0.5, 0},
                 18);
    check_places(LINE CHILD("", "TubularMapping", "nbPointsOnEachCircle=\"1\" radius=\"1\" peak=\"-2\""), "/c/s",
                 (const st_real[]){0, 1, 0, 2, (st_real)0.5, 0, 4, 0, 0}, 9);
    mapping_check_bad(LINE CHILD("", "TubularMapping", "nbPointsOnEachCircle=\"4\""), "radius is not given");
    mapping_check_bad(LINE CHILD("", "TubularMapping", "radius=\"1\""), "");
    mapping_check_bad(LINE CHILD("", "TubularMapping", "radius=\"1\" nbPointsOnEachCircle=\"4000000000\""), "too many");
    mapping_check_bad("<MechanicalObject template=\"Rigid3\" size=\"0\"/>" CHILD(
                          "", "TubularMapping", "radius=\"1\" nbPointsOnEachCircle=\"3\""),
                      "");
}

// ---------------------------------------------------------------------------------------------------
// A deformable body in a frame
// ---------------------------------------------------------------------------------------------------

#define LOCAL(attributes)                                                                                              \
    FRAMES "<Node name=\"l\"><MechanicalObject name=\"x\" position=\"0 0 0  1 0.2 0  0 1 0.5\"/><Node name=\"c\">"     \
           "<MechanicalObject name=\"s\"/><DeformableOnRigidFrameMapping name=\"m\" input1=\"@../x\" "                 \
           "output=\"@s\" " attributes "/></Node></Node>"
#define ROOT "input2=\"@../../p\" "

static void test_deformable(void **unused) {
    (void)unused;
    mapping_check_scene(LOCAL(ROOT EXACT "index=\"1\""), "/l/c/m", MAPPING_ALL);
    mapping_check_scene(LOCAL(ROOT EXACT "index=\"1\" indexFromEnd=\"1\""), "/l/c/m", MAPPING_ALL);
    mapping_check_scene(LOCAL(ROOT EXACT "repartition=\"1\""), "/l/c/m", MAPPING_ALL);
    mapping_check_scene(LOCAL(ROOT EXACT "repartition=\"0 2 1\""), "/l/c/m", MAPPING_ALL);
    mapping_check_scene(LOCAL(ROOT), "/l/c/m", MAPPING_J);
    mapping_check_scene(LOCAL(""), "/l/c/m", MAPPING_ALL);
    check_places(LOCAL(""), "/l/c/s", (const st_real[]){0, 0, 0, 1, (st_real)0.2, 0, 0, 1, (st_real)0.5}, 9);
    mapping_check_bad(LOCAL(ROOT "index=\"5\""), "index is 5");
    mapping_check_bad(LOCAL(ROOT "repartition=\"1 2\""), "2 numbers");
    mapping_check_bad(LOCAL(ROOT "repartition=\"0 1 1\""), "covers 2");
    mapping_check_bad(LOCAL("input2=\"@../x\""), "of type Vec3");
    mapping_check_bad(FRAMES "<MechanicalObject name=\"q\"/><DeformableOnRigidFrameMapping input2=\"@p\" "
                             "output=\"@q\"/>",
                      "input1 must name one");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skinning), cmocka_unit_test(test_line_set),   cmocka_unit_test(test_beam),
        cmocka_unit_test(test_tube),     cmocka_unit_test(test_deformable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
