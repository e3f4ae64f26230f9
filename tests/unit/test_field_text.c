// The text of values: each row of the table of syntaxes, what is left after a bad text, and that hostile texts end.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/array.h"
#include "scene/field_text.h"

typedef union value {
    bool flags[ST_WIDTH_MAX];
    int32_t ints[ST_WIDTH_MAX];
    st_real reals[ST_WIDTH_MAX];
    char *string;
    st_any_list list;
} value;

static void value_free(const st_type *type, value *v) {
    if (type->list && type->scalar == ST_SCALAR_STRING) st_strings_free((st_strings *)(void *)&v->list);
    else if (type->list) st_free(v->list.data);
    else if (type->scalar == ST_SCALAR_STRING) st_free(v->string);
}

// A text is read over the value that `before` gives, and the value is then written with 6 digits.
typedef struct row {
    const st_type *type;
    int width;
    const char *before;
    const char *text;
    st_read_result result;
    const char *written;
} row;

static const char *const methods[] = {"small", "large", "polar", NULL};

static void check_row(const row *r) {
    value v;
    char why[256] = "";
    st_text out = {0};
    memset(&v, 0, sizeof v);
    if (r->before)
        assert_int_equal(st_field_read(r->type, r->width, methods, &v, r->before, why, sizeof why), ST_READ_OK);
    const st_read_result result = st_field_read(r->type, r->width, methods, &v, r->text, why, sizeof why);
    assert_true(st_field_write(r->type, r->width, methods, &v, 6, &out));
    if (result != r->result || strcmp(out.data, r->written) != 0 || (result == ST_READ_WARN) != (why[0] != '\0'))
        fail_msg("%s '%s' gave %d '%s' (%s)", r->type->name, r->text, (int)result, out.data, why);
    st_text_free(&out);
    value_free(r->type, &v);
}

static void check_rows(const row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) check_row(&rows[i]);
}
#define CHECK(rows) check_rows(rows, sizeof(rows) / sizeof *(rows))

#define OK ST_READ_OK
#define WARN ST_READ_WARN

static void single_numbers(void **state) {
    (void)state;
    static const row rows[] = {
        {&st_type_real, 1, "7", "1.5abc", OK, "1.5"},
        {&st_type_real, 1, "7", "abc", WARN, "0"},
        {&st_type_real, 1, "7", "", OK, "7"},
        {&st_type_real, 1, "7", "  ", WARN, "7"},
        {&st_type_real, 1, NULL, " \t\n.5", OK, "0.5"},
        {&st_type_real, 1, NULL, "5.", OK, "5"},
        {&st_type_real, 1, NULL, "1e-3", OK, "0.001"},
        {&st_type_real, 1, NULL, "+1E+3", OK, "1000"},
        {&st_type_real, 1, NULL, "-0.25", OK, "-0.25"},
        {&st_type_real, 1, NULL, "0010", OK, "10"},
        {&st_type_real, 1, "7", "0x10", OK, "0"},
        {&st_type_real, 1, "7", "inf", WARN, "0"},
        {&st_type_real, 1, "7", "nan", WARN, "0"},
        {&st_type_real, 1, "7", "-", WARN, "0"},
        {&st_type_real, 1, "7", "1e", WARN, "0"},
        {&st_type_real, 1, NULL, "1,5", OK, "1"},
        {&st_type_int, 1, "7", "1.5", OK, "1"},
        {&st_type_int, 1, "7", "abc", WARN, "0"},
        {&st_type_int, 1, "7", "010", OK, "10"},
        {&st_type_int, 1, "7", "99999999999", WARN, "2147483647"},
        {&st_type_int, 1, "7", "-99999999999", WARN, "-2147483648"},
        {&st_type_int, 1, "7", "", OK, "7"},
        {&st_type_uint, 1, "7", "-1", WARN, "7"},
        {&st_type_uint, 1, "7", "5000000000", WARN, "4294967295"},
    };
    CHECK(rows);
}

static void too_large_reals_become_the_limit(void **state) {
    (void)state;
    st_real number = 7;
    char why[80];
    assert_int_equal(st_field_read(&st_type_real, 1, NULL, &number, "1e999", why, sizeof why), WARN);
    assert_true(number == ST_REAL_MAX);
    assert_int_equal(st_field_read(&st_type_real, 1, NULL, &number, "-1e999 ", why, sizeof why), WARN);
    assert_true(number == -ST_REAL_MAX);
    assert_int_equal(st_field_read(&st_type_real, 1, NULL, &number, "1e-999", why, sizeof why), OK);
    assert_true(number == 0);
}

static void short_hands_are_rounded_to_single_precision(void **state) {
    (void)state;
    static const row rows[] = {
        {&st_type_float, 1, NULL, "0.5", OK, "0.5"},  {&st_type_float, 1, "7", "1.5abc", WARN, "7"},
        {&st_type_float, 1, "7", "", OK, "7"},        {&st_type_float, 1, "7", "nan", WARN, "7"},
        {&st_type_float, 1, "7", "1e999", WARN, "7"}, {&st_type_float, 1, "7", "1 2", WARN, "7"},
        {&st_type_float, 1, NULL, "-2e1", OK, "-20"},
    };
    CHECK(rows);
    st_real number = 0;
    assert_int_equal(st_field_read(&st_type_float, 1, NULL, &number, "0.1", NULL, 0), OK);
    assert_true(number == (st_real)0.1f);
}

static void bools(void **state) {
    (void)state;
    static const row rows[] = {
        {&st_type_bool, 1, NULL, "true", OK, "1"},
        {&st_type_bool, 1, NULL, "T", OK, "1"},
        {&st_type_bool, 1, "1", "false", OK, "0"},
        {&st_type_bool, 1, "1", "Foo", OK, "0"},
        {&st_type_bool, 1, NULL, "1abc", OK, "1"},
        {&st_type_bool, 1, "1", "0.5", OK, "0"},
        {&st_type_bool, 1, NULL, "-1", OK, "1"},
        {&st_type_bool, 1, NULL, "0042", OK, "1"},
        {&st_type_bool, 1, "1", "00", OK, "0"},
        {&st_type_bool, 1, NULL, "99999999999999999999", OK, "1"},
        {&st_type_bool, 1, "1", "yes", WARN, "1"},
        {&st_type_bool, 1, "1", "on", WARN, "1"},
        {&st_type_bool, 1, "1", " 0", WARN, "1"},
        {&st_type_bool, 1, "1", "", OK, "1"},
        {&st_type_bool, 1, "1", "-", WARN, "1"},
        {&st_type_bools, 1, NULL, "0 1 1", OK, "0 1 1"},
        {&st_type_bools, 1, "1", "", OK, ""},
        {&st_type_bools, 1, NULL, "0 true", WARN, "0"},
        {&st_type_bools, 1, NULL, "0 2 1", WARN, "0"},
        {&st_type_bool3, 3, NULL, "1 0 1", OK, "1 0 1"},
        {&st_type_bool3, 3, "1 1 1", "0", WARN, "0 1 1"},
        {&st_type_bool3, 3, "1 1 1", "true", WARN, "0 1 1"},
        {&st_type_deriv_flags, 1, NULL, "true", WARN, "0"},
        {&st_type_deriv_flags, 6, NULL, "1 1 1 0 0 0", OK, "1 1 1 0 0 0"},
    };
    CHECK(rows);
}

static void strings(void **state) {
    (void)state;
    static const row rows[] = {
        {&st_type_string, 1, "old", " a  b ", OK, " a  b "},
        {&st_type_string, 1, "old", "", OK, ""},
        {&st_type_string, 1, NULL, "\xc3\xa9\xff\x80", OK, "\xc3\xa9\xff\x80"},
        {&st_type_file, 1, NULL, "mesh/liver.msh", OK, "mesh/liver.msh"},
        {&st_type_words, 1, "x y", "a b\tc\nd", OK, "[\"a\", \"b\", \"c\", \"d\"]"},
        {&st_type_words, 1, "x", "", OK, "[]"},
        {&st_type_words, 1, "x", "  ", OK, "[]"},
        {&st_type_words, 1, NULL, "[\"a\", \"b c\"]", OK, "[\"a\", \"b c\"]"},
        {&st_type_words, 1, NULL, "[]", OK, "[]"},
        {&st_type_words, 1, NULL, " [ ] ", OK, "[]"},
        {&st_type_words, 1, NULL, "[\"a\", b]", WARN, "[\"a\"]"},
        {&st_type_words, 1, NULL, "[\"a\", \"b", WARN, "[\"a\"]"},
        {&st_type_words, 1, NULL, "[\"a\" \"b\"]", WARN, "[\"a\"]"},
        {&st_type_words, 1, NULL, "[\"a\",]", WARN, "[\"a\"]"},
        {&st_type_words, 1, NULL, "[\"a\"] b", WARN, "[\"a\"]"},
        {&st_type_words, 1, NULL, "[", WARN, "[]"},
        {&st_type_words, 1, NULL, "[\"", WARN, "[]"},
        {&st_type_words, 1, NULL, "['a']", WARN, "[]"},
        {&st_type_words, 1, NULL, "a\"b c", OK, "a\"b c"},
        {&st_type_files, 1, NULL, "['a', \"b\"]", OK, "[\"a\", \"b\"]"},
        {&st_type_files, 1, NULL, "['say \"a\"']", OK, "['say \"a\"']"},
        {&st_type_files, 1, "['x']", "a b", WARN, "[]"},
        {&st_type_files, 1, NULL, "['a', 'b'", WARN, "[\"a\", \"b\"]"},
        {&st_type_tags, 1, NULL, " meca  !Visual ", OK, "meca !Visual"},
        {&st_type_tags, 1, "a", " ", OK, ""},
        {&st_type_map, 1, NULL, "a 1 2\n  b 3 \r\n\nc", OK, "a 1 2\nb 3\nc"},
    };
    CHECK(rows);
}

static void fixed_values(void **state) {
    (void)state;
    static const row rows[] = {
        {&st_type_vec3, 3, NULL, "1 2 3", OK, "1 2 3"},
        {&st_type_vec3, 3, "7 8 9", "1 2", WARN, "1 2 9"},
        {&st_type_vec3, 3, "7 8 9", "1 2 ", WARN, "1 2 9"},
        {&st_type_vec3, 3, "7 8 9", "1 x 3", WARN, "1 0 9"},
        {&st_type_vec3, 3, "7 8 9", "1 2 -", WARN, "1 2 0"},
        {&st_type_vec3, 3, "7 8 9", "1 2 3 4 5", OK, "1 2 3"},
        {&st_type_vec3, 3, "7 8 9", "1 2 3 x", OK, "1 2 3"},
        {&st_type_vec3, 3, "7 8 9", "", OK, "7 8 9"},
        {&st_type_vec3, 3, "7 8 9", "1,2,3", WARN, "1 0 9"},
        {&st_type_vec3, 3, NULL, "1-2-3", OK, "1 -2 -3"},
        {&st_type_vec3, 3, NULL, "1.2.3.4", OK, "1.2 0.3 0.4"},
        {&st_type_vec2, 2, NULL, "0.123456789 1e10", OK, "0.123457 1e+10"},
        {&st_type_int2, 2, NULL, "-1 2", OK, "-1 2"},
        {&st_type_int3, 3, NULL, "5-4 3", OK, "5 -4 3"},
        {&st_type_uint2, 2, NULL, "3 -1", WARN, "3 0"},
        {&st_type_quat, 4, NULL, "0.707 0 0.707 0", OK, "0.707 0 0.707 0"},
        {&st_type_box, 6, NULL, "-1 -1 -1 1 1 1", OK, "-1 -1 -1 1 1 1"},
        {&st_type_coord, 7, NULL, "1 2 3 0 0 0 1", OK, "1 2 3 0 0 0 1"},
        {&st_type_coord, 1, NULL, "4", OK, "4"},
        {&st_type_deriv, 6, NULL, "1 2 3 4 5 6", OK, "1 2 3 4 5 6"},
    };
    CHECK(rows);
}

static void lists_of_numbers(void **state) {
    (void)state;
    static const row rows[] = {
        {&st_type_reals, 1, "7 8 9", "1 2", OK, "1 2"},
        {&st_type_reals, 1, "7", "", OK, ""},
        {&st_type_reals, 1, "7", " \n ", OK, ""},
        {&st_type_reals, 1, NULL, "1 2 -", OK, "1 2"},
        {&st_type_reals, 1, NULL, "1 2 1e", OK, "1 2"},
        {&st_type_reals, 1, NULL, "1 2 x", WARN, "1 2"},
        {&st_type_reals, 1, NULL, "1,2", WARN, "1"},
        {&st_type_reals, 1, NULL, "1 2  ", OK, "1 2"},
        {&st_type_reals, 1, NULL, "0x10", WARN, "0"},
        {&st_type_reals, 1, NULL, "1 1e999", WARN, "1"},
        {&st_type_reals, 1, NULL, "nan 1", WARN, ""},
        {&st_type_vec3s, 3, NULL, "1 2 3 4 5 6", OK, "1 2 3 4 5 6"},
        {&st_type_vec3s, 3, NULL, "1 2 3 4 5", WARN, "1 2 3"},
        {&st_type_vec3s, 3, NULL, "1 2 3 4 x 6", WARN, "1 2 3"},
        {&st_type_coords, 7, NULL, "0 0 0 0 0 0 1 5", WARN, "0 0 0 0 0 0 1"},
        {&st_type_edges, 2, NULL, "0 1 1 2", OK, "0 1 1 2"},
        {&st_type_edges, 2, NULL, "0 1 1 -1", WARN, "0 1"},
        {&st_type_tetrahedra, 4, NULL, "0 1 2 3 4", WARN, "0 1 2 3"},
        {&st_type_springs, 5, NULL, "0 1 1000 0 1.5", OK, "0 1 1000 0 1.5"},
        {&st_type_boxes, 6, NULL, "0 0 0 1 1 1 2 2 2 3 3 3", OK, "0 0 0 1 1 1 2 2 2 3 3 3"},
    };
    CHECK(rows);
}

static void index_ranges(void **state) {
    (void)state;
    static const row rows[] = {
        {&st_type_indices, 1, "9", "0-5", OK, "0 1 2 3 4 5"},
        {&st_type_indices, 1, NULL, "1-10-3", OK, "1 4 7 10"},
        {&st_type_indices, 1, NULL, "5-2", OK, "5 4 3 2"},
        {&st_type_indices, 1, NULL, "10-1--3", OK, "10 7 4 1"},
        {&st_type_indices, 1, NULL, "10-2--3", OK, "10 7 4 2"},
        {&st_type_indices, 1, NULL, "1-10--3", OK, "10 7 4 1"},
        {&st_type_indices, 1, NULL, "10-1-3", OK, "1 4 7 10"},
        {&st_type_indices, 1, NULL, "1-9-3", OK, "1 4 7"},
        {&st_type_indices, 1, NULL, "3-3", OK, "3"},
        {&st_type_indices, 1, NULL, "3-3-2", OK, "3"},
        {&st_type_indices, 1, NULL, "1-3-0", OK, "1 2 3"},
        {&st_type_indices, 1, NULL, "10-1--20", OK, "10 1"}, // SOFA wraps around and never ends
        {&st_type_indices, 1, NULL, "5-0--2", OK, "5 3 1 0"},
        {&st_type_indices, 1, NULL, "4294967295", OK, "4294967295"},
        {&st_type_indices, 1, NULL, "4294967293-4294967295", OK, "4294967293 4294967294 4294967295"},
        {&st_type_indices, 1, NULL, "7 0-2\t9", OK, "7 0 1 2 9"},
        {&st_type_indices, 1, NULL, "1 x 2", WARN, "1 0 2"},
        {&st_type_indices, 1, NULL, "1 -5 2", WARN, "1 0 2"},
        {&st_type_indices, 1, NULL, "2--3", WARN, "0"},
        {&st_type_indices, 1, NULL, "4-", WARN, "0"},
        {&st_type_indices, 1, NULL, "4-5-", WARN, "0"},
        {&st_type_indices, 1, NULL, "-", WARN, "0"},
        {&st_type_indices, 1, NULL, "99999999999", WARN, "0"},
        {&st_type_indices, 1, NULL, "1 0-4294967295 2", WARN, "1 2"},
        {&st_type_indices, 1, NULL, "0-100000000", WARN, ""},
        {&st_type_indices, 1, "3", " ", OK, ""},
        {&st_type_ints, 1, NULL, "2--3", OK, "2 1 0 -1 -2 -3"},
        {&st_type_ints, 1, NULL, "-3-2-2", OK, "-3 -1 1"},
        {&st_type_ints, 1, NULL, "5-0--2", OK, "5 3 1"},
        {&st_type_ints, 1, NULL, "-5 3", OK, "-5 3"},
        {&st_type_ints, 1, NULL, "1 x", WARN, "1 0"},
        {&st_type_ints, 1, NULL, "-2147483648-2147483647-2147483647", OK, "-2147483648 -1 2147483646"},
        {&st_type_index_set, 1, NULL, "5 1-3 2 5", OK, "1 2 3 5"},
        {&st_type_index_set, 1, NULL, "3-1", OK, "1 2 3"},
        {&st_type_index_set, 1, NULL, "5 x 1", WARN, "1 5"},
        {&st_type_index_set, 1, "4", "", OK, ""},
    };
    CHECK(rows);
}

static void options(void **state) {
    (void)state;
    static const row rows[] = {
        {&st_type_option, 1, NULL, "polar", OK, "polar"},      {&st_type_option, 1, NULL, "1", OK, "large"},
        {&st_type_option, 1, "large", "Polar", WARN, "large"}, {&st_type_option, 1, "large", "3", WARN, "large"},
        {&st_type_option, 1, "large", "-1", WARN, "large"},    {&st_type_option, 1, "large", "", OK, "large"},
        {&st_type_select, 1, NULL, "polar", OK, "polar"},      {&st_type_select, 1, "polar", "other", WARN, "small"},
        {&st_type_select, 1, "polar", "1", WARN, "small"},     {&st_type_select, 1, "polar", "", OK, "polar"},
    };
    CHECK(rows);
    int32_t index = 2;
    char why[200];
    assert_int_equal(st_field_read(&st_type_option, 1, methods, &index, "smal", why, sizeof why), WARN);
    assert_string_equal(why, "'smal' is none of: small, large, polar");
    assert_int_equal(st_field_read(&st_type_option, 1, NULL, &index, "1", why, sizeof why), WARN);
}

static void colors(void **state) {
    (void)state;
    static const row rows[] = {
        {&st_type_color, 4, NULL, "0.5 0.25 1", OK, "0.5 0.25 1 1"},
        {&st_type_color, 4, NULL, "1 1 0 0.5", OK, "1 1 0 0.5"},
        {&st_type_color, 4, NULL, "red", OK, "1 0 0 1"},
        {&st_type_color, 4, NULL, "#f00", OK, "1 0 0 1"},
        {&st_type_color, 4, NULL, "#F000", OK, "1 0 0 0"},
        {&st_type_color, 4, NULL, "#0000ff", OK, "0 0 1 1"},
        {&st_type_color, 4, NULL, "#00ff0033", OK, "0 1 0 0.2"},
        {&st_type_color, 4, "1 1 1", "", OK, "1 1 1 1"},
        {&st_type_color, 4, "1 1 1", "reddish", WARN, "1 1 1 1"},
        {&st_type_color, 4, "1 1 1", "#ff", WARN, "1 1 1 1"},
        {&st_type_color, 4, "1 1 1", "#xyz", WARN, "1 1 1 1"},
        {&st_type_color, 4, "1 1 1", "#", WARN, "1 1 1 1"},
        {&st_type_color, 4, "1 1 1", ".5 0 0", WARN, "1 1 1 1"},
        {&st_type_color, 4, "1 1 1 1", "0 0.5", WARN, "0 0.5 1 1"},
        {&st_type_color, 4, "1 1 1 0", "0 0 0 x", WARN, "0 0 0 1"},
    };
    CHECK(rows);
    static const char *const all[] = {"white", "black",    "red",       "green",  "blue",   "cyan", "magenta", "yellow",
                                      "gray",  "darkgray", "lightgray", "orange", "purple", "pink", "brown",   "lime",
                                      "teal",  "navy",     "olive",     "maroon", "silver", "gold", "azure"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        st_real color[4] = {-1, -1, -1, -1};
        assert_int_equal(st_field_read(&st_type_color, 4, NULL, color, all[i], NULL, 0), OK);
        assert_true(color[0] >= 0 && color[2] <= 1 && color[3] == 1);
    }
}

static void matrices_and_masses(void **state) {
    (void)state;
    static const row rows[] = {
        {&st_type_mat3, 9, NULL, "1 2 3 4 5 6 7 8 9", OK, "[1 2 3,4 5 6,7 8 9]"},
        {&st_type_mat3, 9, NULL, "[1 2 3,4 5 6,7 8 9]", OK, "[1 2 3,4 5 6,7 8 9]"},
        {&st_type_mat3, 9, NULL, "[[1 2 3] , [4 5 6]\n,[7 8 9] ]", OK, "[1 2 3,4 5 6,7 8 9]"},
        {&st_type_mat3, 9, NULL, "1 2 3,4 5 6,7 8 9]", OK, "[1 2 3,4 5 6,7 8 9]"},
        {&st_type_mat3, 9, NULL, "[1,2,3]", WARN, "[1 0 0,0 0 0,0 0 0]"},
        {&st_type_mat3, 9, "[1 1 1,1 1 1,1 1 1]", "[2 2 2,3", WARN, "[2 2 2,3 1 1,1 1 1]"},
        {&st_type_mat4, 16, NULL, "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", OK, "[1 0 0 0,0 1 0 0,0 0 1 0,0 0 0 1]"},
        {&st_type_mass, 1, NULL, "2.5", OK, "2.5"},
        {&st_type_mass, 3, NULL, "2 3 4", OK, "2 3 4"},
        {&st_type_mass, 11, NULL, "1 1 0.01 0 0 0 0.1 0 0 0 0.1", OK, "1 1 [0.01 0 0,0 0.1 0,0 0 0.1]"},
        {&st_type_mass, 11, NULL, "50 50 [1 0 0,0 1 0,0 0 1]", OK, "50 50 [1 0 0,0 1 0,0 0 1]"},
        {&st_type_mass, 11, "1 1 [1 0 0,0 1 0,0 0 1]", "3", WARN, "3 1 [1 0 0,0 1 0,0 0 1]"},
        {&st_type_masses, 11, NULL, "1 2 [1 0 0,0 1 0,0 0 1] 3 4 1 0 0 0 1 0 0 0 1", OK,
         "1 2 [1 0 0,0 1 0,0 0 1] 3 4 [1 0 0,0 1 0,0 0 1]"},
        {&st_type_masses, 11, NULL, "1 2 [1 0 0,0 1 0,0 0 1] 3 4 [1 0 0,", WARN, "1 2 [1 0 0,0 1 0,0 0 1]"},
        {&st_type_masses, 1, NULL, "1 2 3", OK, "1 2 3"},
    };
    CHECK(rows);
}

static void numbers_in_brackets(void **state) {
    (void)state;
    static const st_type numbers = {"numbers", ST_SCALAR_REAL, 1, true, ST_SYNTAX_BRACKETS};
    static const st_type points = {"points", ST_SCALAR_REAL, 2, true, ST_SYNTAX_BRACKETS};
    static const row rows[] = {
        {&numbers, 1, NULL, "[ 1, 2.5,3 ]", OK, "[1, 2.5, 3]"},
        {&numbers, 1, NULL, "[]", OK, "[]"},
        {&numbers, 1, NULL, "1 2", WARN, "[]"},
        {&numbers, 1, NULL, "[1 2]", WARN, "[1]"},
        {&numbers, 1, NULL, "[1, x]", WARN, "[1]"},
        {&points, 2, NULL, "[1 2, 3 4]", OK, "[1 2, 3 4]"},
    };
    CHECK(rows);
}

static void reasons_name_the_token_and_stay_in_their_buffer(void **state) {
    (void)state;
    st_real v[3] = {0};
    char why[256];
    st_field_read(&st_type_vec3, 3, NULL, v, "1 2", why, sizeof why);
    assert_string_equal(why, "3 numbers are needed, there are 2");
    st_field_read(&st_type_vec3, 3, NULL, v, "1 apple 2", why, sizeof why);
    assert_string_equal(why, "'apple' cannot be read as a number");
    st_uints list = {0};
    st_field_read(&st_type_indices, 1, NULL, &list, "0-4294967295", why, sizeof why);
    assert_non_null(strstr(why, "'0-4294967295' is refused"));
    st_field_read(&st_type_indices, 1, NULL, &list, "1 a 2 b", why, sizeof why);
    assert_non_null(strstr(why, "'a'"));
    st_list_free(&list);
    char small[5];
    st_field_read(&st_type_vec3, 3, NULL, v, "apple", small, sizeof small);
    assert_string_equal(small, "'app");
    // A word of 3-byte characters is cut between two of them.
    st_field_read(&st_type_vec3, 3, NULL, v,
                  "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac"
                  "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac"
                  "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac",
                  why, sizeof why);
    assert_non_null(strstr(why, "\xac..."));
    assert_int_equal(strstr(why, "...") - why, 1 + 13 * 3);
}

static void every_bit_survives_with_all_digits(void **state) {
    (void)state;
    st_reals list = {0}, again = {0};
    st_text out = {0};
    uint32_t seed = 1;
    assert_true(st_list_set_count(&list, 3000, 1));
    for (size_t i = 0; i < list.count; i++) {
        seed = seed * 1664525u + 1013904223u;
        list.data[i] = ((st_real)seed - (st_real)2e9) / 3 * (st_real)(i % 7 ? 1e-6 : 1e20);
    }
    assert_true(st_field_write(&st_type_reals, 1, NULL, &list, 17, &out));
    assert_int_equal(st_field_read(&st_type_reals, 1, NULL, &again, out.data, NULL, 0), OK);
    assert_int_equal(again.count, list.count);
    assert_memory_equal(again.data, list.data, list.count * sizeof(st_real));
    st_text_free(&out);
    st_list_free(&list);
    st_list_free(&again);
}

static void long_words_and_long_lists_are_read(void **state) {
    (void)state;
    enum { LENGTH = 1 << 20 };
    char *text = st_alloc(LENGTH + 1, 1);
    char why[64];
    st_real v[3] = {1, 1, 1};
    st_uints list = {0};
    memset(text, '9', LENGTH);
    assert_int_equal(st_field_read(&st_type_vec3, 3, NULL, v, text, why, sizeof why), WARN);
    assert_true(v[0] == ST_REAL_MAX && v[1] == 1);
    assert_int_equal(st_field_read(&st_type_indices, 1, NULL, &list, text, why, sizeof why), WARN);
    assert_int_equal(list.count, 1);
    memset(text, '-', LENGTH);
    assert_int_equal(st_field_read(&st_type_indices, 1, NULL, &list, text, why, sizeof why), WARN);
    memset(text, 0xff, LENGTH);
    assert_int_equal(st_field_read(&st_type_color, 3, NULL, v, text, why, sizeof why), WARN);
    assert_int_equal(st_field_read(&st_type_indices, 1, NULL, &list, "0-99999", why, sizeof why), OK);
    assert_int_equal(list.count, 100000);
    assert_int_equal(list.data[99999], 99999);
    st_list_free(&list);
    st_free(text);
}

static void links_and_missing_templates_are_refused(void **state) {
    (void)state;
    st_object *link = NULL;
    st_real v[3] = {1, 2, 3};
    char why[128];
    assert_int_equal(st_field_read(&st_type_link, 1, NULL, &link, "@dofs", why, sizeof why), WARN);
    assert_null(link);
    assert_int_equal(st_field_read(&st_type_coord, ST_WIDTH_COORD, NULL, v, "4 5 6", why, sizeof why), WARN);
    assert_true(v[0] == 1);
}

// Loose enough for sanitizers and slow machines; the measured time is printed.
static void a_million_numbers_are_read_quickly(void **state) {
    (void)state;
    st_text text = {0};
    st_reals list = {0};
    for (int i = 0; i < 1000000; i++) assert_true(st_text_appendf(&text, "%.7g ", i * 0.0137 - 5000));
    const clock_t begin = clock();
    assert_int_equal(st_field_read(&st_type_reals, 1, NULL, &list, text.data, NULL, 0), OK);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    print_message("one million numbers: %.3f s\n", seconds);
    assert_int_equal(list.count, 1000000);
    assert_true(seconds < 2);
    st_list_free(&list);
    st_text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_numbers),
        cmocka_unit_test(too_large_reals_become_the_limit),
        cmocka_unit_test(short_hands_are_rounded_to_single_precision),
        cmocka_unit_test(bools),
        cmocka_unit_test(strings),
        cmocka_unit_test(fixed_values),
        cmocka_unit_test(lists_of_numbers),
        cmocka_unit_test(index_ranges),
        cmocka_unit_test(options),
        cmocka_unit_test(colors),
        cmocka_unit_test(matrices_and_masses),
        cmocka_unit_test(numbers_in_brackets),
        cmocka_unit_test(reasons_name_the_token_and_stay_in_their_buffer),
        cmocka_unit_test(every_bit_survives_with_all_digits),
        cmocka_unit_test(long_words_and_long_lists_are_read),
        cmocka_unit_test(links_and_missing_templates_are_refused),
        cmocka_unit_test(a_million_numbers_are_read_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
