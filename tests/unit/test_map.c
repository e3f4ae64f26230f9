// The map of strings: found is what was put, in the order in which it was put, through growth and removal.
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
    size_t cursor = 0;
    assert_null(st_map_get(&map, "a"));
    assert_false(st_map_has(&map, "a"));
    assert_null(st_map_remove(&map, "a"));
    assert_false(st_map_next(&map, &cursor, NULL, NULL));
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
    assert_int_equal(map.count, 3);
    st_map_free(&map);
    assert_int_equal(map.count, 0);
    assert_null(st_map_get(&map, "alpha"));
}

static void removed_keys_are_gone_and_may_return(void **state) {
    (void)state;
    st_map map = {0};
    int values[3] = {0};
    st_map_put(&map, "a", &values[0]);
    st_map_put(&map, "b", &values[1]);
    st_map_put(&map, "c", &values[2]);
    assert_ptr_equal(st_map_remove(&map, "a"), &values[0]);
    assert_null(st_map_remove(&map, "a"));
    assert_false(st_map_has(&map, "a"));
    assert_int_equal(map.count, 2);
    st_map_put(&map, "a", &values[0]);
    // A key that returns comes last.
    static const char *const expected[] = {"b", "c", "a"};
    const char *key = NULL;
    size_t cursor = 0;
    void *value = NULL;
    for (int n = 0; n < 3; n++) {
        assert_true(st_map_next(&map, &cursor, &key, &value));
        assert_string_equal(key, expected[n]);
        assert_ptr_equal(value, st_map_get(&map, key));
    }
    assert_false(st_map_next(&map, &cursor, &key, &value));
    st_map_free(&map);
}

// Against a plain array, with many puts and removals; the order is checked at the end.
static void a_large_map_agrees_with_an_array(void **state) {
    (void)state;
    enum { KEYS = 2000, ACTIONS = 40000 };
    static int values[KEYS], stamps[KEYS]; // stamp of the insertion, 0: absent
    st_map map = {0};
    uint64_t seed = 3;
    char name[32];
    for (int action = 1; action <= ACTIONS; action++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const int k = (int)((seed >> 33) % KEYS);
        snprintf(name, sizeof name, "object%d", k);
        assert_int_equal(st_map_has(&map, name), stamps[k] != 0);
        if ((seed >> 60) < 6) {
            assert_ptr_equal(st_map_remove(&map, name), stamps[k] ? &values[k] : NULL);
            stamps[k] = 0;
        } else {
            assert_true(st_map_put(&map, name, &values[k]));
            if (!stamps[k]) stamps[k] = action;
        }
    }
    size_t cursor = 0, count = 0;
    int last = 0;
    void *value;
    while (st_map_next(&map, &cursor, NULL, &value)) {
        const int stamp = stamps[(int *)value - values];
        assert_true(stamp > last);
        last = stamp;
        count++;
    }
    size_t expected = 0;
    for (int k = 0; k < KEYS; k++) expected += stamps[k] != 0;
    assert_int_equal(count, expected);
    assert_int_equal(map.count, expected);
    st_map_free(&map);
}

static void the_current_key_may_be_removed_in_a_walk(void **state) {
    (void)state;
    st_map map = {0};
    char name[16];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "k%d", i);
        st_map_put(&map, name, &map);
    }
    size_t cursor = 0, n = 0;
    const char *key;
    while (st_map_next(&map, &cursor, &key, NULL))
        if (n++ % 2) st_map_remove(&map, key);
    assert_int_equal(n, 100);
    assert_int_equal(map.count, 50);
    assert_true(st_map_has(&map, "k0") && !st_map_has(&map, "k1"));
    st_map_free(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_answers),
        cmocka_unit_test(values_are_found_and_replaced),
        cmocka_unit_test(removed_keys_are_gone_and_may_return),
        cmocka_unit_test(a_large_map_agrees_with_an_array),
        cmocka_unit_test(the_current_key_may_be_removed_in_a_walk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
