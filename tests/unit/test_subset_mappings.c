// Mappings that copy or average: subsets, concatenations, centers of mass.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping_check.h"

#define PARENT "<MechanicalObject name=\"p\" position=\"0 0 0  1 0 0  1 1 0  0 1 0\"/>"
#define SUBSET(points, attributes)                                                                                     \
    "<Node name=\"c\"><MechanicalObject name=\"s\" " points                                                            \
    "/><SubsetMapping name=\"m\" handleTopologyChange=\"0\" " attributes "/></Node>"

static void check_child(const char *children, const st_real *expected, size_t count) {
    physics_scene *test = physics_load(children);
    const st_state *child = physics_state(test, "/c/s");
    assert_int_equal(child->size * st_state_dof(child)->coord, count);
    assert_reals(child->coord[ST_COORD_POSITION].data, count, expected, (st_real)1e-6);
    physics_free(test);
}

static void test_subset(void **unused) {
    (void)unused;
    mapping_check_scene(PARENT SUBSET("", "indices=\"3 1 1\""), "/c/m", MAPPING_ALL);
    check_child(PARENT SUBSET("", "indices=\"3 1\""), (const st_real[]){0, 1, 0, 1, 0, 0}, 6);
    check_child(PARENT SUBSET("", "first=\"1\" last=\"2\""), (const st_real[]){1, 0, 0, 1, 1, 0}, 6);
    check_child(PARENT SUBSET("", "first=\"2\""), (const st_real[]){1, 1, 0, 0, 1, 0}, 6);
    check_child(PARENT SUBSET("position=\"1 1.0000001 0  0 0 0\"", ""), (const st_real[]){1, 1, 0, 0, 0, 0}, 6);
    check_child(PARENT SUBSET("position=\"0.9 0.9 0\"", "radius=\"0.5\""), (const st_real[]){1, 1, 0}, 3);
    mapping_check_scene("<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0.6 0 0 0.8\"/>"
                        "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"Rigid3\"/>"
                        "<SubsetMapping name=\"m\" indices=\"1\"/></Node>",
                        "/c/m", MAPPING_ALL);
}

// A point that has no parent stays where it rests and takes no part in J.
static void test_not_found(void **unused) {
    (void)unused;
    const char *scene = PARENT SUBSET("position=\"5 5 5  1 0 0\" rest_position=\"6 6 6  1 0 0\"", "");
    check_child(scene, (const st_real[]){6, 6, 6, 1, 0, 0}, 6);
    mapping_check_bad(scene, "point 0: no point");
    physics_scene *test = physics_load(scene);
    st_real *j = mapping_dense_jacobian((st_mapping *)physics_find(test, "/c/m"));
    for (size_t k = 0; k < 36; k++) assert_true(j[k] == 0);
    assert_true(j[3 * 12 + 3] == 1);
    free(j);
    physics_free(test);
    test = physics_load(PARENT SUBSET("position=\"5 5 5\"", "ignoreNotFound=\"1\""));
    assert_int_equal(test->count[ST_ERROR], 0);
    physics_free(test);
    mapping_check_bad(PARENT SUBSET("", "indices=\"0 9\""), "9 does not exist");
    mapping_check_bad("<Node name=\"a\"><MechanicalObject name=\"p\" position=\"0 0 0\"/></Node><Node name=\"c\">"
                      "<MechanicalObject name=\"s\"/><IdentityMultiMapping input=\"@../a/p\" output=\"@s @s\"/></Node>",
                      "'s' twice");
    check_child(PARENT SUBSET("", "indices=\"0 9 1\""), (const st_real[]){0, 0, 0, 1, 0, 0}, 6);
    mapping_check_bad("<MechanicalObject size=\"0\"/>" SUBSET("", "first=\"0\""), "");
    mapping_check_bad("<MechanicalObject size=\"0\"/>" SUBSET("", ""), "no point");
    mapping_check_bad(PARENT SUBSET("size=\"0\"", ""), "");
}

#define TWO                                                                                                            \
    "<Node name=\"a\"><MechanicalObject name=\"p\" position=\"0 0 0  1 0 0\"/><UniformMass totalMass=\"2\"/></Node>"   \
    "<Node name=\"b\"><MechanicalObject name=\"p\" position=\"0 1 0\"/><UniformMass totalMass=\"6\"/></Node>"
#define RIGIDS                                                                                                         \
    "<Node name=\"a\"><MechanicalObject name=\"p\" template=\"Rigid3\" position=\"0 0 0 0 0 0 1\"/></Node>"            \
    "<Node name=\"b\"><MechanicalObject name=\"p\" template=\"Rigid3\" position=\"0 1 0 0.6 0 0 0.8\"/>"               \
    "<UniformMass totalMass=\"6\"/></Node>"
#define MULTI(type, component, attributes)                                                                             \
    "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"" type "\"/><" component                                 \
    " name=\"m\" input=\"@../a/p @../b/p\" output=\"@s\" " attributes "/></Node>"

static void test_several(void **unused) {
    (void)unused;
    const char *pairs = TWO MULTI("Vec3", "SubsetMultiMapping", "indexPairs=\"1 0  0 1  1 0\"");
    mapping_check_scene(pairs, "/c/m", MAPPING_ALL);
    check_child(pairs, (const st_real[]){0, 1, 0, 1, 0, 0, 0, 1, 0}, 9);
    mapping_check_scene(RIGIDS MULTI("Vec3", "SubsetMultiMapping", "indexPairs=\"1 0  0 0\""), "/c/m", MAPPING_ALL);
    mapping_check_scene(RIGIDS MULTI("Rigid3", "SubsetMultiMapping", "indexPairs=\"1 0  0 0\""), "/c/m", MAPPING_ALL);
    const char *all = TWO MULTI("Vec3", "IdentityMultiMapping", "");
    mapping_check_scene(all, "/c/m", MAPPING_ALL);
    check_child(all, (const st_real[]){0, 0, 0, 1, 0, 0, 0, 1, 0}, 9);
    mapping_check_scene(RIGIDS MULTI("Rigid3", "IdentityMultiMapping", ""), "/c/m", MAPPING_ALL);
    mapping_check_bad(TWO MULTI("Vec3", "SubsetMultiMapping", "indexPairs=\"1\""), "in pairs");
    mapping_check_bad(TWO MULTI("Vec3", "SubsetMultiMapping", "indexPairs=\"5 0\""), "parent 5");
    mapping_check_bad(TWO MULTI("Vec3", "SubsetMultiMapping", "indexPairs=\"1 5\""), "DOF 5");
    mapping_check_bad(TWO MULTI("Vec3", "SubsetMultiMapping", ""), "");
    mapping_check_bad(
        "<Node name=\"a\"><MechanicalObject name=\"p\" size=\"0\"/></Node>"
        "<Node name=\"b\"><MechanicalObject name=\"p\" size=\"0\"/></Node>" MULTI("Vec3", "IdentityMultiMapping", ""),
        "");
}

static void test_center(void **unused) {
    (void)unused;
    const char *points = TWO MULTI("Vec3", "CenterOfMassMultiMapping", "");
    mapping_check_scene(points, "/c/m", MAPPING_ALL);
    check_child(points, (const st_real[]){(st_real)0.125, (st_real)0.75, 0}, 3);
    mapping_check_scene(RIGIDS MULTI("Vec3", "CenterOfMassMultiMapping", ""), "/c/m", MAPPING_ALL);
    mapping_check_scene(RIGIDS MULTI("Rigid3", "CenterOfMassMultiMapping", ""), "/c/m", MAPPING_ALL);
    mapping_check_scene("<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0.6 0 0 0.8\"/>"
                        "<UniformMass totalMass=\"2\"/><Node name=\"c\"><MechanicalObject name=\"s\"/>"
                        "<CenterOfMassMapping name=\"m\"/></Node>",
                        "/c/m", MAPPING_ALL);
    mapping_check_scene("<MechanicalObject template=\"Rigid2\" position=\"0 0 1  1 0 0.5\"/>"
                        "<UniformMass totalMass=\"2\"/><Node name=\"c\"><MechanicalObject name=\"s\" "
                        "template=\"Vec2\"/><CenterOfMassMapping name=\"m\"/></Node>",
                        "/c/m", MAPPING_ALL);
    const char *both = "<Node name=\"a\"><MechanicalObject name=\"p\" position=\"0 0 0  1 0 0\"/><UniformMass "
                       "totalMass=\"2\"/></Node><Node name=\"b\"><MechanicalObject name=\"p\" template=\"Rigid3\" "
                       "position=\"0 1 0 0 0 0 1\"/><UniformMass totalMass=\"6\"/></Node><Node name=\"c\">"
                       "<MechanicalObject name=\"s\"/><CenterOfMassMulti2Mapping name=\"m\" input1=\"@../a/p\" "
                       "input2=\"@../b/p\" output=\"@s\"/></Node>";
    mapping_check_scene(both, "/c/m", MAPPING_ALL);
    check_child(both, (const st_real[]){(st_real)0.125, (st_real)0.75, 0}, 3);
    mapping_check_bad("<MechanicalObject template=\"Rigid3\"/><Node name=\"c\"><MechanicalObject/>"
                      "<CenterOfMassMapping/></Node>",
                      "has a mass");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subset),
        cmocka_unit_test(test_not_found),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_center),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
