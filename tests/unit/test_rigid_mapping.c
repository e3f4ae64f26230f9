// RigidMapping: where points go, which frame carries them, and the derivatives in space and in the plane.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping_check.h"

#define FRAMES                                                                                                         \
    "<MechanicalObject template=\"Rigid3\" position=\"1 2 3 0 0 0 1  4 5 6 0.5 0.5 -0.5 0.5  0 0 1 0.6 0 0 0.8\"/>"
#define CHILD(type, points, attributes)                                                                                \
    "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"" type "\" position=\"" points                           \
    "\"/><RigidMapping name=\"m\" " attributes "/></Node>"

static void test_derivatives(void **unused) {
    (void)unused;
    mapping_check_scene(FRAMES CHILD("Vec3", "1 0 0  0 2 0", "index=\"2\" geometricStiffness=\"Exact\""), "/c/m",
                        MAPPING_ALL);
    mapping_check_scene(
        FRAMES CHILD("Vec3", "1 0 0  0 2 0  1 1 1", "rigidIndexPerPoint=\"0 2 1\" geometricStiffness=\"1\""), "/c/m",
        MAPPING_ALL);
    mapping_check_scene(
        FRAMES CHILD("Rigid3", "1 0 0 0.6 0 0 0.8  0 2 0 0 0 0 1", "index=\"1\" geometricStiffness=\"Exact\""), "/c/m",
        MAPPING_ALL);
    mapping_check_scene("<MechanicalObject template=\"Rigid2\" position=\"1 2 0.3  3 4 -1\"/>" CHILD(
                            "Vec2", "1 0  0 2", "index=\"1\" geometricStiffness=\"Exact\""),
                        "/c/m", MAPPING_ALL);
    mapping_check_scene(FRAMES CHILD("Vec3", "1 0 0  0 2 0", "geometricStiffness=\"Stabilized\""), "/c/m", MAPPING_J);
}

static void check_places(const char *children, const st_real *expected, size_t count) {
    physics_scene *test = physics_load(children);
    const st_state *child = physics_state(test, "/c/s");
    assert_int_equal(child->size * st_state_dof(child)->coord, count);
    assert_reals(child->coord[ST_COORD_POSITION].data, count, expected, (st_real)1e-6);
    physics_free(test);
}

static void test_places(void **unused) {
    (void)unused;
    // the child's positions are local, unless globalToLocalCoords is set
    check_places(FRAMES CHILD("Vec3", "1 0 0", ""), (const st_real[]){2, 2, 3}, 3);
    check_places(FRAMES CHILD("Vec3", "7 8 9", "globalToLocalCoords=\"1\" index=\"1\""), (const st_real[]){7, 8, 9}, 3);
    check_places(FRAMES CHILD("Vec3", "1 0 0", "index=\"2\" indexFromEnd=\"1\""), (const st_real[]){2, 2, 3}, 3);
    // a quarter turn about x, then along: (0, 1, 0) -> cos 2a = 0.28, sin 2a = 0.96
    check_places(FRAMES CHILD("Vec3", "0 1 0", "index=\"2\""), (const st_real[]){0, (st_real)0.28, (st_real)1.96}, 3);
    check_places(FRAMES CHILD("Vec3", "9 9 9  9 9 9", "initialPoints=\"1 0 0  0 1 0\""),
                 (const st_real[]){2, 2, 3, 1, 3, 3}, 6);
    // a list of the wrong length is not looked at
    check_places(FRAMES CHILD("Vec3", "1 0 0", "rigidIndexPerPoint=\"1 1\""), (const st_real[]){2, 2, 3}, 3);
    check_places(FRAMES CHILD("Vec3", "1 0 0  1 0 0  0 0 0", "d_repartition=\"1\""),
                 (const st_real[]){2, 2, 3, 4, 5, 5, 0, 0, 1}, 9);
    check_places(FRAMES CHILD("Rigid3", "1 2 3 0 0 0.6 0.8", "globalToLocalCoords=\"1\" index=\"2\""),
                 (const st_real[]){1, 2, 3, 0, 0, (st_real)0.6, (st_real)0.8}, 7);
    check_places("<MechanicalObject template=\"Rigid2\" position=\"1 2 1.5707963267948966\"/>" CHILD("Vec2", "1 0", ""),
                 (const st_real[]){1, 3}, 2);
}

// The child's rest positions stay the local places when useX0 is set, although the child moves.
static void test_use_x0(void **unused) {
    (void)unused;
    physics_scene *test = physics_load(FRAMES "<Node name=\"c\"><MechanicalObject name=\"s\" position=\"5 5 5\" "
                                              "rest_position=\"1 0 0\"/><RigidMapping name=\"m\" useX0=\"1\"/></Node>");
    const st_state *child = physics_state(test, "/c/s");
    assert_reals(child->coord[ST_COORD_POSITION].data, 3, (const st_real[]){2, 2, 3}, (st_real)1e-6);
    physics_free(test);
}

static void test_file(void **unused) {
    (void)unused;
    const char *path = physics_file("rigid_points.sph", "sph 1.0\nnums 2\nsphe 0 1 0 0 0.5\nsphe 1 0 1 0 0.5\n");
    char text[1024];
    snprintf(text, sizeof text,
             FRAMES "<Node name=\"c\"><MechanicalObject name=\"s\"/>"
                    "<RigidMapping filename=\"%s\"/></Node>",
             path);
    check_places(text, (const st_real[]){2, 2, 3, 1, 3, 3}, 6);
    remove(path);
    mapping_check_bad(FRAMES CHILD("Vec3", "1 0 0", "filename=\"nowhere.sph\""), "nowhere.sph");
}

// The stabilized block has no positive eigenvalue: no turn of the frame is helped by it.
static void test_stabilized(void **unused) {
    (void)unused;
    physics_scene *test =
        physics_load(FRAMES CHILD("Vec3", "1 0 0  0 2 0  1 1 1", "geometricStiffness=\"Stabilized\""));
    st_mapping *m = (st_mapping *)physics_find(test, "/c/m");
    for (int trial = 0; trial < 20; trial++) {
        st_real f[9];
        for (size_t r = 0; r < 9; r++) f[r] = (st_real)mapping_random();
        st_real *g = mapping_dense_geometric(m, f);
        for (int k = 0; k < 50; k++) {
            double d[3] = {mapping_random(), mapping_random(), mapping_random()}, sum = 0;
            for (size_t r = 0; r < 3; r++)
                for (size_t c = 0; c < 3; c++) {
                    sum += d[r] * (double)g[(r + 3) * 18 + c + 3] * d[c];
                    assert_true(fabs(g[(r + 3) * 18 + c + 3] - g[(c + 3) * 18 + r + 3]) < 1e-5);
                }
            assert_true(sum < 1e-5);
        }
        free(g);
    }
    physics_free(test);
}

// With the exact term the matrix is not symmetric as soon as there are forces, here in the second step. Solvers for
// symmetric ones say so, once; those for any matrix are silent and agree.
static void test_unsymmetric(void **unused) {
    (void)unused;
    static const struct {
        const char *solver;
        int warnings;
    } cases[] = {
        {"EigenSparseLU", 0},
        {"SVDLinearSolver", 0},
        {"EigenSparseQR", 0},
        {"SparseLDLSolver", 1},
        {"EigenSimplicialLDLT", 1},
        {"CGLinearSolver", 1},
        {"CGLinearSolver template=\"CompressedRowSparseMatrixd\"", 1},
        {"MinResLinearSolver", 1},
    };
    st_real right[7] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<Node name=\"a\" gravity=\"0 0 0\"><EulerImplicitSolver/><%s/><MechanicalObject name=\"s\" "
                 "template=\"Rigid3\"/><UniformMass vertexMass=\"1 1 1 0 0 1 0 0 0 1\"/><Node name=\"c\">"
                 "<MechanicalObject position=\"1 0 0  0 1 0  0 0.3 1\"/><RigidMapping geometricStiffness=\"Exact\"/>"
                 "<RestShapeSpringsForceField stiffness=\"50\"/><LinearForceField times=\"0 0.005 0.02 1\" points=\"0 "
                 "1\" forces=\"0 0 0  0 0 0  30 10 20  30 10 20\"/></Node></Node>",
                 cases[i].solver);
        physics_scene *test = physics_load(text);
        for (int k = 0; k < 8; k++) st_scene_step(test->scene, (st_real)0.01);
        int warnings = 0;
        for (const char *at = test->log; (at = strstr(at, "the matrix is not symmetric")); at++) warnings++;
        if (warnings != cases[i].warnings) fail_msg("%s: %d warnings\n%s", cases[i].solver, warnings, test->log);
        assert_true(warnings == 0 || strstr(test->log, "EigenSparseLU solves such systems"));
        const st_real *x = physics_state(test, "/a/s")->coord[ST_COORD_POSITION].data;
        if (i == 0) memcpy(right, x, sizeof right);
        else if (warnings == 0) assert_reals(x, 7, right, (st_real)1e-5);
        physics_free(test);
    }
    assert_true(fabs(right[0]) > (st_real)1e-3);
}

static void test_bad_input(void **unused) {
    (void)unused;
    mapping_check_bad(FRAMES CHILD("Vec3", "1 0 0", "index=\"7\""), "frame 7");
    mapping_check_bad(FRAMES CHILD("Vec3", "1 0 0", "rigidIndexPerPoint=\"9\""), "frame 9");
    mapping_check_bad(FRAMES CHILD("Vec3", "1 0 0", "d_repartition=\"1 2\""), "2 numbers");
    mapping_check_bad("<MechanicalObject template=\"Rigid3\" size=\"0\"/>" CHILD("Vec3", "1 0 0", ""), "only 0");
    mapping_check_bad("<MechanicalObject template=\"Vec3\"/>" CHILD("Vec3", "1 0 0", ""), "of type Vec3");
    mapping_check_bad(FRAMES CHILD("Vec3", "1 0 0", "geometricStiffness=\"Sometimes\""), "Sometimes");
    physics_scene *test = physics_load(FRAMES "<Node name=\"c\"><MechanicalObject name=\"s\" size=\"0\"/>"
                                              "<RigidMapping name=\"m\" geometricStiffness=\"Exact\"/></Node>");
    mapping_check((st_mapping *)physics_find(test, "/c/m"), MAPPING_ALL);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_places),     cmocka_unit_test(test_use_x0),
        cmocka_unit_test(test_file),        cmocka_unit_test(test_stabilized), cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_unsymmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
