// StringMeshCreator and GridMeshCreator: meshes that come from no file.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"

static void makes_a_string(void **state) {
    (void)state;
    physics_scene *test = physics_load("<StringMeshCreator name='loader' resolution='5' scale3d='2 1 1'/>");
    loader_counts(test, (size_t[6]){5, 4, 0, 0, 0, 0});
    loader_first(test, ST_EDGE, (uint32_t[]){0, 1, 1, 2, 2, 3, 3, 4}, 4);
    assert_reals(loader_of(test)->position.data + 9, 3, (st_real[]){1.5, 0, 0}, 0);
    assert_int_equal(test->count[ST_ERROR] + test->count[ST_WARNING], 0);
    physics_free(test);
    test = physics_load("<StringMeshCreator name='loader' resolution='4000000000'/>");
    assert_int_equal(loader_of(test)->object.validity, ST_BROKEN);
    physics_free(test);
}

static physics_scene *load_grid(const char *attributes) {
    char text[200];
    snprintf(text, sizeof text, "<GridMeshCreator name='loader' %s/>", attributes);
    return physics_load(text);
}

static void makes_a_grid(void **state) {
    (void)state;
    physics_scene *test = load_grid("resolution='3 2' trianglePattern='1' filename='nofile'");
    loader_counts(test, (size_t[6]){6, 9, 4, 0, 0, 0});
    loader_first(test, ST_TRIANGLE, (uint32_t[]){0, 1, 4, 0, 4, 3, 1, 2, 4, 2, 5, 4}, 4);
    loader_first(test, ST_EDGE, (uint32_t[]){0, 1, 1, 2, 1, 4, 2, 4, 2, 5, 3, 0, 4, 0, 4, 3, 5, 4}, 9);
    assert_reals(loader_of(test)->position.data + 12, 3, (st_real[]){0.5, 1, 0}, 0);
    assert_int_equal(test->count[ST_ERROR] + test->count[ST_WARNING], 0);
    physics_free(test);
    test = load_grid("resolution='2 2' trianglePattern='0'");
    loader_counts(test, (size_t[6]){4, 4, 0, 1, 0, 0});
    loader_first(test, ST_QUAD, (uint32_t[]){0, 1, 3, 2}, 1);
    physics_free(test);
    test = load_grid("resolution='2 2' trianglePattern='3'");
    loader_first(test, ST_TRIANGLE, (uint32_t[]){0, 1, 2, 1, 3, 2}, 2);
    physics_free(test);
}

static void refuses_impossible_grids(void **state) {
    (void)state;
    static const char *const attributes[] = {"resolution='1000000 1000000'", "resolution='-1 5'", "resolution='0 0'",
                                             "trianglePattern='9'"};
    for (int i = 0; i < 4; i++) {
        physics_scene *test = load_grid(attributes[i]);
        assert_int_equal(loader_of(test)->object.validity, ST_BROKEN);
        assert_int_equal(loader_of(test)->position.count, 0);
        physics_free(test);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_a_string),
        cmocka_unit_test(makes_a_grid),
        cmocka_unit_test(refuses_impossible_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
