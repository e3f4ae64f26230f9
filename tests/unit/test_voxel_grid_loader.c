// VoxelGridLoader: hexahedra and points from the voxels of raw images.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"

static void makes_hexahedra_of_active_voxels(void **state) {
    (void)state;
    static const unsigned char image[] = {9, 9, /* 3 x 2 x 1 */ 1, 0, 2, 1, 1, 0};
    const char *path = loader_file("a.raw", image, sizeof image);
    physics_scene *test =
        loader_load("VoxelGridLoader", path, "resolution='3 2 1' header='2' bgValue='0' voxelSize='1 2 3'");
    assert_field(test, "/loader", "idxInRegularGrid", "0 2 3 4");
    assert_field(test, "/loader", "hexahedra",
                 "0 1 5 4 11 12 16 15 2 3 7 6 13 14 18 17 4 5 9 8 15 16 20 19 5 6 10 9 16 17 21 20");
    physics_free(test);
    test =
        loader_load("VoxelGridLoader", path,
                    "resolution='3 2 1' header='2' dataValue='1' generateHexa='0' ROI='0 1 0 9 9 9' voxelSize='1 2 3'");
    assert_field(test, "/loader", "position", "0 2 0 1 2 0");
    assert_int_equal(test->count[ST_ERROR], 0);
    physics_free(test);
    static const char *const wrong[] = {"resolution='3 2 2'", "resolution='2000000000 2000000000 2000000000'",
                                        "resolution='-1 2 1'", "resolution='3 2 1' header='-3'"};
    for (int i = 0; i < 4; i++) {
        test = loader_load("VoxelGridLoader", path, wrong[i]);
        assert_int_equal(physics_find(test, "/loader")->validity, ST_BROKEN);
        physics_free(test);
    }
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_hexahedra_of_active_voxels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
