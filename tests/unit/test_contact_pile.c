// 100 loose bricks stand for 10,000 steps: none has moved by 1 mm. This takes a while; the time is printed.
//
// labels: double-only no-sanitizer
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/vec3.h"

static void a_pile_of_bricks_stands(void **state) {
    (void)state;
    physics_scene *test = calloc(1, sizeof *test);
    assert_non_null(test);
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    test->scene = st_scene_create(&config);
    if (st_scene_load(test->scene, SETTEE_EXAMPLES "/pile.scn") != ST_OK || st_scene_init(test->scene) != ST_OK)
        fail_msg("%s", test->log);

    const st_state *bricks = physics_state(test, "/Bricks/frames");
    assert_int_equal(bricks->size, 100);
    st_real start[700], most = 0;
    memcpy(start, bricks->coord[ST_COORD_POSITION].data, sizeof start);

    for (int n = 1; n <= 10000; n++) {
        if (st_scene_step(test->scene, 0) != ST_OK) fail_msg("step %d: %s", n, test->log);
        if (n % 100) continue;
        for (size_t i = 0; i < bricks->size; i++)
            most = st_max(most, st_vec3_distance(bricks->coord[ST_COORD_POSITION].data + 7 * i, start + 7 * i));
        if (!(most < ST_R(1e-3))) fail_msg("step %d: a brick has moved by %g", n, (double)most);
    }
    print_message("moved by %g at most\n", (double)most);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pile_of_bricks_stands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
