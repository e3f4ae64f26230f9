// MeshXspLoader: particles and springs from Xsp files.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"

static void reads_particles_and_springs(void **state) {
    (void)state;
    static const char file[] = "Xsp 3.0\nnumm 2\nnums 1\ngrav 0 0 -9\n# comment\nmass 1 s 0 0 0 0 0 0 1 0\n"
                               "mass 2 v 1 2 3 0 0 0 -1 0\nlspg 1 2 1 10 1 -1\n";
    physics_scene *test = loader_read("MeshXspLoader", "a.xs3", TEXT(file), "");
    loader_counts(test, (size_t[6]){2, 1, 0, 0, 0, 0});
    loader_first(test, ST_EDGE, (uint32_t[]){1, 0}, 1);
    assert_reals(loader_of(test)->position.data + 3, 3, (st_real[]){1, 2, 3}, 0);
    physics_free(test);
    static const broken_file broken[] = {
        {"Xs 3.0\n", "1:", "begin with Xsp"},
        {"Xsp 5.0\n", "1:", "version"},
        {"Xsp 3.0\nmass 1 s 0 0 0 0 0 0 1 0\nlspg 1 1 2 10 1 -1\n", "3:", "spring joins"},
        {"Xsp 3.0\nmass 1 s 0 0 0 0\nnumm 2\n", "3:", "mass record"},
        {"Xsp 3.0\nfoo\n", "2:", "unknown"},
    };
    REFUSE_ALL("MeshXspLoader", "broken.xs3", broken);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_particles_and_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
