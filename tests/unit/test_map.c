// The map of strings: found is what was put, through growth.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"

static void an_empty_map_answers(void **state) {
    (void)state;
    st_map map = {0};
    assert_null(st_map_get(&map, "a"));
    assert_false(st_map_has(&map, "a"));
    st_map_free(&map);
}

static void values_are_found_and_replaced(void **state) {
    (void)state;
    st_map map = {0};
    int one = 1, two = 2, three = 3;
    char key[] = "alpha";
    assert_true(st_map_put(&map, key, &one));
    key[0] = 'x'; // keys are copied
    assert_true(st_map_put(&map, "", &two));
    assert_true(st_map_put(&map, "nothing", NULL));
    assert_ptr_equal(st_map_get(&map, "alpha"), &one);
    assert_ptr_equal(st_map_get(&map, ""), &two);
    assert_ptr_equal(st_map_get_n(&map, "alphabet", 5), &one);
    assert_null(st_map_get_n(&map, "alphabet", 4));
    assert_null(st_map_get_n(&map, "alpha\0beta", 10));
    assert_null(st_map_get(&map, "xlpha"));
    assert_null(st_map_get(&map, "nothing"));
    assert_true(st_map_has(&map, "nothing"));
    assert_true(st_map_put(&map, "alpha", &three));
    assert_ptr_equal(st_map_get(&map, "alpha"), &three);
    assert_int_equal(map.entries.count, 3);
    st_map_free(&map);
    assert_int_equal(map.entries.count, 0);
    assert_null(st_map_get(&map, "alpha"));
}

// Against a plain array, with many puts of new and of known keys.
static void a_large_map_agrees_with_an_array(void **state) {
    (void)state;
    enum { KEYS = 20000, ACTIONS = 40000 };
    static int values[ACTIONS];
    static int *expected[KEYS];
    st_map map = {0};
    uint64_t seed = 3;
    char name[32];
    size_t known = 0;
    for (int action = 0; action < ACTIONS; action++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const int k = (int)((seed >> 33) % KEYS);
        snprintf(name, sizeof name, "object%d", k);
        assert_int_equal(st_map_has(&map, name), expected[k] != NULL);
        assert_true(st_map_put(&map, name, &values[action]));
        known += !expected[k];
        expected[k] = &values[action];
    }

    assert_true(known > KEYS / 2 && known < KEYS);
    assert_int_equal(map.entries.count, known);
    for (int k = 0; k < KEYS; k++) {
        snprintf(name, sizeof name, "object%d", k);
        assert_ptr_equal(st_map_get(&map, name), expected[k]);
    }
    st_map_free(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_answers),
        cmocka_unit_test(values_are_found_and_replaced),
        cmocka_unit_test(a_large_map_agrees_with_an_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
