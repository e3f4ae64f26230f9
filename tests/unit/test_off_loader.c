// MeshOffLoader and OffSequenceLoader: surfaces from OFF files.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"

static void reads_points_and_faces(void **state) {
    (void)state;
    static const char file[] =
        "OFF # points, faces\n# comment\n\n5 3 0\n0 0 0\n1 0 0\n# in between\n1 1 0\n0 1 0\n.5 .5 1\n"
        "4 0 3 2 1 255 0 0\n3 0 1 4\n5 0 1 2 3 4\n";
    physics_scene *test = loader_read("MeshOffLoader", "a.off", TEXT(file), "");
    loader_counts(test, (size_t[6]){5, 0, 1, 1, 0, 0});
    loader_first(test, ST_QUAD, (uint32_t[]){0, 3, 2, 1}, 1);
    loader_first(test, ST_TRIANGLE, (uint32_t[]){0, 1, 4}, 1);
    assert_non_null(strstr(test->log, "a.off:13: a face of 5 corners"));
    physics_free(test);
}

static void refuses_broken_files(void **state) {
    (void)state;
    static const broken_file broken[] = {
        {"PLY\n", "1:", "OFF is expected"},
        {"OFF\n3 x\n", "2:", "\"x\""},
        {"OFF\n999999999999 1 0\n0 0 0\n", "4:", "point 2 of 999999999999"},
        {"OFF\n1 1 0\n0 0 nan\n", "3:", "nan"},
        {"OFF\n1 1 0\n0 0 0\n3 0 0 1\n", "4:", "point 1, but there are only 1"},
        {"OFF\n1 1 0\n0 0 0\n3 0 0 -1\n", "4:", "point -1"},
        {"OFF\n1 2 0\n0 0 0\n3 0 0 0\n", "5:", "face 2 of 2"},
        {"OFF\n1 1 0\n0 0 0\n-3 0 0 0\n", "4:", "number of corners"},
    };
    REFUSE_ALL("MeshOffLoader", "broken.off", broken);
}

static void a_sequence_follows_the_time(void **state) {
    (void)state;
    char content[64];
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "wave09%d.off", i + 8);
        if (i == 2) snprintf(name, sizeof name, "wave100.off");
        snprintf(content, sizeof content, "OFF\n1 0 0\n%d 0 0\n", i);
        loader_file(name, content, strlen(content));
    }
    char path[512];
    snprintf(path, sizeof path, "%s/wave098.off", SETTEE_BUILD);
    physics_scene *test = loader_load("OffSequenceLoader", path, "nbOfFiles='3' stepDuration='0.015'");
    // steps begin at t = 0, 0.01, 0.02: the second file at once, the third when t reaches 0.015
    static const st_real x[] = {1, 1, 2, 2};
    assert_near(loader_of(test)->position.data[0], 0, 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        assert_near(loader_of(test)->position.data[0], x[i], 0);
    }
    assert_int_equal(test->count[ST_ERROR], 0);
    physics_free(test);
    for (int i = 98; i <= 100; i++) {
        snprintf(path, sizeof path, "%s/wave%03d.off", SETTEE_BUILD, i);
        remove(path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_points_and_faces),
        cmocka_unit_test(refuses_broken_files),
        cmocka_unit_test(a_sequence_follows_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
