// Numbers in text: the value of strtod to the last bit on random strings, the failures of libstdc++'s extraction, the
// same in a locale with decimal commas; distances of words; growing strings.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

#ifdef SETTEE_REAL_FLOAT
static st_real reference(const char *text, char **rest) { return strtof(text, rest); }
#else
static st_real reference(const char *text, char **rest) { return strtod(text, rest); }
#endif

static uint32_t draw(uint64_t *seed, uint32_t bound) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % bound;
}

// --- reals
// ------------------------------------------------------------------------------------------------------------

// Reads from a block that ends exactly where the text ends, so that the address sanitizer sees a step too far.
static st_text_result read_real(const char *text, st_real *value, size_t *consumed) {
    const size_t length = strlen(text);
    char *block = malloc(length ? length : 1);
    for (size_t i = 0; i < length; i++) block[i] = text[i];
    const char *cursor = block;
    const st_text_result result = st_text_read_real(&cursor, block + length, value);
    *consumed = (size_t)(cursor - block);
    free(block);
    return result;
}

static void draw_digits(char **p, uint64_t *seed, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) *(*p)++ = (char)('0' + draw(seed, 10));
}

static void draw_number(char *text, uint64_t *seed) {
    static const uint32_t lengths[] = {1, 3, 8, 17, 20, 25};
    char *p = text;
    if (draw(seed, 2)) *p++ = draw(seed, 4) ? '-' : '+';
    draw_digits(&p, seed, 1 + draw(seed, lengths[draw(seed, 6)]));
    if (draw(seed, 4)) {
        *p++ = '.';
        draw_digits(&p, seed, draw(seed, lengths[draw(seed, 6)]));
    }
    if (draw(seed, 3) == 0) {
        static const uint32_t ranges[] = {5, 30, 45, 330};
        *p++ = draw(seed, 2) ? 'e' : 'E';
        const uint32_t sign = draw(seed, 3);
        if (sign) *p++ = sign == 1 ? '-' : '+';
        p += sprintf(p, "%u", draw(seed, ranges[draw(seed, 4)]));
    }
    *p = '\0';
}

static void random_numbers_have_the_bits_of_strtod(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int n = 0; n < 300000; n++) {
        char text[128];
        st_real value = 7;
        size_t consumed;
        draw_number(text, &seed);
        const st_real expected = reference(text, NULL);
        const st_text_result result = read_real(text, &value, &consumed);
        assert_int_equal(consumed, strlen(text));
        if (isinf(expected)) {
            assert_int_equal(result, ST_TEXT_CUT);
            assert_true(value == (expected < 0 ? -ST_REAL_MAX : ST_REAL_MAX));
        } else {
            assert_int_equal(result, ST_TEXT_OK);
            if (value != expected || signbit(value) != signbit(expected))
                fail_msg("%s: %.17g instead of %.17g", text, (double)value, (double)expected);
        }
    }
}

// Numbers written with all their digits, and the points half-way between two of them, are the hard ones.
static void written_numbers_come_back(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int n = 0; n < 100000; n++) {
        const st_real number = (st_real)ldexp((double)draw(&seed, 1u << 31) + draw(&seed, 1u << 30) / 1073741824.0,
                                              (int)draw(&seed, 80) - 60);
        char text[64];
        st_real value = 0;
        size_t consumed;
        st_text_write_real(text, sizeof text, number, ST_TEXT_EXACT_DIGITS);
        assert_int_equal(read_real(text, &value, &consumed), ST_TEXT_OK);
        assert_memory_equal(&value, &number, sizeof value);
        snprintf(text, sizeof text, "%.19g", (double)number * (1 + (double)ST_REAL_EPSILON / 2));
        assert_int_equal(read_real(text, &value, &consumed), ST_TEXT_OK);
        const st_real expected = reference(text, NULL);
        assert_memory_equal(&value, &expected, sizeof value);
    }
}

typedef struct real_case {
    const char *text;
    st_text_result result;
    st_real value;
    size_t consumed;
} real_case;

static void extraction_follows_the_rules_of_streams(void **state) {
    (void)state;
    static const real_case cases[] = {
        {"", ST_TEXT_END, 7, 0},
        {" \t\r\n\v\f", ST_TEXT_END, 7, 6},
        {"1", ST_TEXT_OK, 1, 1},
        {"  -2.5 3", ST_TEXT_OK, -2.5, 6},
        {"+.5", ST_TEXT_OK, 0.5, 3},
        {"5.", ST_TEXT_OK, 5, 2},
        {"007", ST_TEXT_OK, 7, 3},
        {"1E+3", ST_TEXT_OK, 1000, 4},
        {"1.5abc", ST_TEXT_OK, 1.5, 3},
        {"0x10", ST_TEXT_OK, 0, 1},
        {"1,2", ST_TEXT_OK, 1, 1},
        {"1.2.3", ST_TEXT_OK, (st_real)1.2, 3},
        {"1e2e3", ST_TEXT_OK, 100, 3},
        {"1-2", ST_TEXT_OK, 1, 1},
        {"abc", ST_TEXT_BAD, 0, 0},
        {"inf", ST_TEXT_BAD, 0, 0},
        {"-nan", ST_TEXT_BAD, 0, 1},
        {"-", ST_TEXT_CUT, 0, 1},
        {"+-5", ST_TEXT_BAD, 0, 1},
        {"- 5", ST_TEXT_BAD, 0, 1},
        {".", ST_TEXT_CUT, 0, 1},
        {".e5", ST_TEXT_BAD, 0, 1},
        {"1e", ST_TEXT_CUT, 0, 2},
        {"1e+", ST_TEXT_CUT, 0, 3},
        {"1e 5", ST_TEXT_BAD, 0, 2},
        {"1e+x", ST_TEXT_BAD, 0, 3},
        {"1e999", ST_TEXT_CUT, ST_REAL_MAX, 5},
        {"-1e999 ", ST_TEXT_BAD, -ST_REAL_MAX, 6},
        {"1e99999999999999999999", ST_TEXT_CUT, ST_REAL_MAX, 22},
        {"1e-99999999999999999999", ST_TEXT_OK, 0, 23},
        {"0e99999999999999999999", ST_TEXT_OK, 0, 22},
        {"18446744073709551616", ST_TEXT_OK, (st_real)18446744073709551616.0, 20},
        {"100000000000000000000000e-23", ST_TEXT_OK, 1, 28},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        st_real value = 7;
        size_t consumed;
        const st_text_result result = read_real(cases[i].text, &value, &consumed);
        if (result != cases[i].result || value != cases[i].value || consumed != cases[i].consumed)
            fail_msg("\"%s\": result %d, value %g, consumed %zu", cases[i].text, (int)result, (double)value, consumed);
    }
}

static void very_long_numbers_are_read(void **state) {
    (void)state;
    enum { ZEROS = 100000 };
    st_text text = {0};
    st_real value = 0;
    size_t consumed;
    st_text_append(&text, "0.");
    for (int i = 0; i < ZEROS; i++) st_text_append_char(&text, '0');
    st_text_appendf(&text, "25e%d", ZEROS + 1);
    assert_int_equal(read_real(text.data, &value, &consumed), ST_TEXT_OK);
    assert_true(value == (st_real)2.5);
    st_text_clear(&text);
    for (int i = 0; i < 3000; i++) st_text_append(&text, "123456789");
    st_text_appendf(&text, "e-%d", 26999);
    assert_int_equal(read_real(text.data, &value, &consumed), ST_TEXT_OK);
    assert_true(value == reference(text.data, NULL));
    st_text_free(&text);
}

static void a_list_is_read_to_its_end(void **state) {
    (void)state;
    const char *text = " 1 2.5\n-3e-1\t4 ", *cursor = text, *end = text + strlen(text);
    const st_real expected[] = {1, (st_real)2.5, (st_real)-0.3, 4};
    st_real value;
    int n = 0;
    while (st_text_read_real(&cursor, end, &value) == ST_TEXT_OK) assert_true(value == expected[n++]);
    assert_int_equal(n, 4);
    assert_ptr_equal(cursor, end);
}

// --- integers
// -----------------------------------------------------------------------------------------------------------

static void integers_saturate_and_unsigned_ones_wrap(void **state) {
    (void)state;
    static const struct {
        const char *text;
        st_text_result signed_result, unsigned_result;
        int32_t signed_value;
        uint32_t unsigned_value;
        size_t consumed;
    } cases[] = {
        {"", ST_TEXT_END, ST_TEXT_END, 7, 7, 0},
        {"  ", ST_TEXT_END, ST_TEXT_END, 7, 7, 2},
        {" 42 1", ST_TEXT_OK, ST_TEXT_OK, 42, 42, 3},
        {"+5", ST_TEXT_OK, ST_TEXT_OK, 5, 5, 2},
        {"-1", ST_TEXT_OK, ST_TEXT_OK, -1, UINT32_MAX, 2},
        {"010", ST_TEXT_OK, ST_TEXT_OK, 10, 10, 3},
        {"0x10", ST_TEXT_OK, ST_TEXT_OK, 0, 0, 1},
        {"1.5", ST_TEXT_OK, ST_TEXT_OK, 1, 1, 1},
        {"2147483647", ST_TEXT_OK, ST_TEXT_OK, INT32_MAX, 2147483647u, 10},
        {"2147483648", ST_TEXT_CUT, ST_TEXT_OK, INT32_MAX, 2147483648u, 10},
        {"-2147483648", ST_TEXT_OK, ST_TEXT_OK, INT32_MIN, 2147483648u, 11},
        {"-2147483649 ", ST_TEXT_BAD, ST_TEXT_OK, INT32_MIN, 2147483647u, 11},
        {"4294967295", ST_TEXT_CUT, ST_TEXT_OK, INT32_MAX, UINT32_MAX, 10},
        {"4294967296", ST_TEXT_CUT, ST_TEXT_CUT, INT32_MAX, UINT32_MAX, 10},
        {"-99999999999999999999999 ", ST_TEXT_BAD, ST_TEXT_BAD, INT32_MIN, UINT32_MAX, 24},
        {"abc", ST_TEXT_BAD, ST_TEXT_BAD, 0, 0, 0},
        {"-", ST_TEXT_CUT, ST_TEXT_CUT, 0, 0, 1},
        {"- 1", ST_TEXT_BAD, ST_TEXT_BAD, 0, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text, *end = text + strlen(text), *cursor = text, *other = text;
        int32_t number = 7;
        uint32_t positive = 7;
        assert_int_equal(st_text_read_int(&cursor, end, &number), cases[i].signed_result);
        assert_int_equal(st_text_read_uint(&other, end, &positive), cases[i].unsigned_result);
        assert_int_equal(number, cases[i].signed_value);
        assert_int_equal(positive, cases[i].unsigned_value);
        assert_int_equal(cursor - text, cases[i].consumed);
        assert_ptr_equal(cursor, other);
    }
}

// --- short-hand floats, writing, locale
// --------------------------------------------------------------------------------

static void short_hand_numbers_are_rounded_to_float(void **state) {
    (void)state;
    st_real value = 7;
    assert_true(st_text_read_float("14.4679", &value));
    assert_true((double)value == 14.467900276184082);
    assert_true(st_text_read_float(" 0.1", &value));
    assert_true(value == (st_real)0.1f);
    value = 7;
    assert_false(st_text_read_float("1.5x", &value));
    assert_false(st_text_read_float("1 ", &value));
    assert_false(st_text_read_float("", &value));
    assert_false(st_text_read_float("x", &value));
    assert_true(value == 7);
}

static void numbers_are_written_as_by_printf(void **state) {
    (void)state;
    char buffer[32];
    assert_int_equal(st_text_write_real(buffer, sizeof buffer, (st_real)0.1, 6), 3);
    assert_string_equal(buffer, "0.1");
    st_text_write_real(buffer, sizeof buffer, (st_real)-1234567, 6);
    assert_string_equal(buffer, "-1.23457e+06");
    assert_int_equal(st_text_write_real(buffer, 4, (st_real)12345, 6), 5);
    assert_string_equal(buffer, "123");
}

static void the_locale_does_not_matter(void **state) {
    (void)state;
    static const char *const commas[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE", "fr_FR"};
    bool found = false;
    for (size_t i = 0; i < sizeof commas / sizeof *commas && !found; i++) found = setlocale(LC_ALL, commas[i]) != NULL;
    if (!found) skip();
    char buffer[32];
    st_real value = 0;
    size_t consumed;
    const st_text_result result = read_real("1.2345678901234567890123e-30", &value, &consumed);
    st_text_write_real(buffer, sizeof buffer, (st_real)0.5, 6);
    st_text text = {0};
    st_text_appendf(&text, "%g", 0.5);
    st_real half = 0;
    const bool read = st_text_read_float("0.5", &half);
    setlocale(LC_ALL, "C");
    assert_int_equal(result, ST_TEXT_OK);
    assert_int_equal(consumed, 28);
    assert_true(value == reference("1.2345678901234567890123e-30", NULL));
    assert_string_equal(buffer, "0.5");
    assert_string_equal(text.data, "0.5");
    assert_true(read && half == (st_real)0.5);
    st_text_free(&text);
}

// --- words and strings
// --------------------------------------------------------------------------------------------------

static void distances_of_words_are_those_of_levenshtein(void **state) {
    (void)state;
    char longest[301];
    memset(longest, 'a', 300);
    longest[300] = '\0';
    assert_int_equal(st_text_distance("", ""), 0);
    assert_int_equal(st_text_distance("", "abc"), 3);
    assert_int_equal(st_text_distance("kitten", "sitting"), 3);
    assert_int_equal(st_text_distance("sitting", "kitten"), 3);
    assert_int_equal(st_text_distance("MechanicalObject", "MechanicalObjet"), 1);
    assert_int_equal(st_text_distance("flaw", "lawn"), 2);
    assert_int_equal(st_text_distance(longest, "a"), 300);
    assert_int_equal(st_text_distance(longest + 46, longest + 45), 1);
}

static void strings_grow(void **state) {
    (void)state;
    st_text text = {0};
    for (int i = 0; i < 1000; i++) {
        assert_true(st_text_append(&text, "ab"));
        assert_true(st_text_appendf(&text, "%d,", i % 10));
    }
    assert_int_equal(text.length, 4000);
    assert_int_equal(strlen(text.data), 4000);
    assert_memory_equal(text.data + 3992, "ab8,ab9,", 8);
    st_text_clear(&text);
    assert_string_equal(text.data, "");
    assert_true(st_text_append_real(&text, (st_real)0.25, 6));
    assert_true(st_text_append_n(&text, "xyz", 1));
    assert_true(st_text_append_n(&text, NULL, 0));
    assert_false(st_text_append_n(&text, "x", SIZE_MAX));
    assert_string_equal(text.data, "0.25x");
    char *taken = st_text_take(&text);
    assert_string_equal(taken, "0.25x");
    assert_null(text.data);
    st_free(taken);
    taken = st_text_take(&text);
    assert_string_equal(taken, "");
    st_free(taken);
    st_text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_numbers_have_the_bits_of_strtod),
        cmocka_unit_test(written_numbers_come_back),
        cmocka_unit_test(extraction_follows_the_rules_of_streams),
        cmocka_unit_test(very_long_numbers_are_read),
        cmocka_unit_test(a_list_is_read_to_its_end),
        cmocka_unit_test(integers_saturate_and_unsigned_ones_wrap),
        cmocka_unit_test(short_hand_numbers_are_rounded_to_float),
        cmocka_unit_test(numbers_are_written_as_by_printf),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(distances_of_words_are_those_of_levenshtein),
        cmocka_unit_test(strings_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
