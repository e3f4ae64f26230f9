// MeshTrianLoader: triangles and their neighbors from both forms of .trian files.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"

static void reads_triangles_and_neighbors(void **state) {
    (void)state;
    static const char file[] = "4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n2\n0 1 2 -1 1 -1\n0 2 3 -1 -1 0\n";
    physics_scene *test = loader_read("MeshTrianLoader", "a.trian", TEXT(file), "");
    loader_counts(test, (size_t[6]){4, 0, 2, 0, 0, 0});
    assert_field(test, "/loader", "neighborTable", "-1 1 -1 -1 -1 0");
    assert_field(test, "/loader", "edgesOnBorder", "1 2 0 1 2 3 3 0");
    assert_field(test, "/loader", "trianglesOnBorderList", "0 1");
    physics_free(test);
    static const char second[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\nvertices 3\n0 0 0\n1 0 0\n0 1 0\n"
                                 "normals 1\n0 0 1\ntriangles 1\n0 1 2\n";
    test = loader_read("MeshTrianLoader", "a.trian", TEXT(second), "trian2='1'");
    loader_counts(test, (size_t[6]){3, 0, 1, 0, 0, 0});
    physics_free(test);
    static const broken_file broken[] = {
        {"x", "1:", "number of points"},
        {"777777777777\n0 0 0\n", "3:", "point 2 of 777777777777"},
        {"1\n0 0 0\n1\n0 0 1 -1 -1 -1\n", "4:", "point 1"},
        {"1\n0 0 0\n1\n0 0 0 -1 -2 -1\n", "4:", "neighbor -2"},
        {"1\n0 0 0\n1\n0 0 0 -1 1 -1\n", "4:", "neighbor 1"},
        {"1\n0 0 0\n2\n0 0 0 -1 -1 -1\n", "5:", "corner"},
    };
    REFUSE_ALL("MeshTrianLoader", "broken.trian", broken);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_triangles_and_neighbors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
