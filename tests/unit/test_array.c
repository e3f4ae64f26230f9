// Growing arrays and allocation: zeroed and aligned memory, growth that keeps what was there, and sizes that cannot be.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"

static void memory_is_zeroed_and_aligned(void **state) {
    (void)state;
    for (size_t count = 0; count < 200; count += 33) {
        unsigned char *block = st_alloc(count, 3);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
        for (size_t i = 0; i < 3 * count; i++) assert_int_equal(block[i], 0);
        st_free(block);
    }
}

static void sizes_that_overflow_are_refused(void **state) {
    (void)state;
    assert_null(st_alloc(SIZE_MAX, 2));
    assert_null(st_alloc(SIZE_MAX / 8, 16));
    assert_null(st_alloc(SIZE_MAX, 1));
    // A refused growth leaves the list as it was.
    st_uints list = {0};
    assert_true(st_list_push(&list, 7));
    assert_false(st_list_set_count(&list, SIZE_MAX, 1));
    assert_false(st_list_reserve(&list, SIZE_MAX / 2, 3));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.data[0], 7);
    st_list_free(&list);
}

static void resize_keeps_old_items_and_zeroes_new_ones(void **state) {
    (void)state;
    int32_t *block = st_alloc(3, sizeof *block);
    for (int i = 0; i < 3; i++) block[i] = i + 1;
    block = st_resize(block, 3, 100, sizeof *block);
    assert_non_null(block);
    for (int i = 0; i < 100; i++) assert_int_equal(block[i], i < 3 ? i + 1 : 0);
    block = st_resize(block, 100, 2, sizeof *block);
    assert_int_equal(block[0], 1);
    assert_int_equal(block[1], 2);
    st_free(block);
}

static void pushing_keeps_every_value(void **state) {
    (void)state;
    st_uints list = {0};
    for (uint32_t i = 0; i < 10000; i++) assert_true(st_list_push(&list, i * i));
    assert_int_equal(list.count, 10000);
    assert_true(list.capacity >= list.count);
    for (uint32_t i = 0; i < 10000; i++) assert_int_equal(list.data[i], i * i);
    st_list_free(&list);
    assert_null(list.data);
    assert_int_equal(list.capacity, 0);
}

static void counts_are_elements_of_the_given_width(void **state) {
    (void)state;
    st_reals points = {0};
    assert_true(st_list_set_count(&points, 5, 3));
    assert_int_equal(points.count, 5);
    for (size_t i = 0; i < 15; i++) points.data[i] = (st_real)i;
    assert_true(st_list_set_count(&points, 50, 3));
    for (size_t i = 0; i < 150; i++) assert_true(points.data[i] == (i < 15 ? (st_real)i : 0));
    st_list_free(&points);
}

static void elements_that_come_back_are_zero(void **state) {
    (void)state;
    st_ints list = {0};
    for (int i = 0; i < 8; i++) assert_true(st_list_push(&list, -1));
    assert_true(st_list_set_count(&list, 2, 1));
    assert_true(st_list_set_count(&list, 8, 1));
    for (size_t i = 0; i < 8; i++) assert_int_equal(list.data[i], i < 2 ? -1 : 0);
    st_list_free(&list);
}

static void strings_are_copied_and_formatted(void **state) {
    (void)state;
    assert_null(st_string_copy(NULL));
    char *copy = st_string_copy("settee");
    char *part = st_string_copy_n("settee", 3);
    char *text = st_string_format("%s has %d of %zu", "node", 3, (size_t)4);
    assert_string_equal(copy, "settee");
    assert_string_equal(part, "set");
    assert_string_equal(text, "node has 3 of 4");
    st_free(copy);
    st_free(part);

    st_strings list = {0};
    assert_true(st_list_push(&list, text));
    assert_true(st_list_push(&list, st_string_copy("")));
    st_strings_free(&list); // the sanitizer build sees that the strings went with it
    assert_null(list.data);
    assert_int_equal(list.count, 0);
}

// The memory stays until the last one has left it: the sanitizer build sees when it is freed, and that it is.
static void retained_memory_outlives_its_owner(void **state) {
    (void)state;
    int *block = st_alloc(4, sizeof *block);
    block[3] = 7;
    st_retain(block);
    st_retain(block);

    int *moved = st_resize(block, 4, 8, sizeof *moved);
    assert_ptr_not_equal(moved, block);
    moved[3] = 8;
    assert_int_equal(block[3], 7);
    st_release(block);
    assert_int_equal(block[3], 7);
    st_release(block);

    // released before its owner goes
    st_retain(moved);
    st_release(moved);
    assert_int_equal(moved[3], 8);
    st_free(moved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(resize_keeps_old_items_and_zeroes_new_ones),
        cmocka_unit_test(pushing_keeps_every_value),
        cmocka_unit_test(counts_are_elements_of_the_given_width),
        cmocka_unit_test(elements_that_come_back_are_zero),
        cmocka_unit_test(strings_are_copied_and_formatted),
        cmocka_unit_test(retained_memory_outlives_its_owner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
