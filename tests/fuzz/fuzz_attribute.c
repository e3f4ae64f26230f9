// Any text in any type of field: reading ends without a fault, and a value of numbers survives being written in full
// and read again, bit by bit.
//
// The first byte chooses the type ('0' is the first of the table), the rest is the text.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "scene/field_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// New types go to the end, so that the corpus keeps its meaning.
static const st_type *const types[] = {
    &st_type_bool,   &st_type_int,         &st_type_uint,      &st_type_real,      &st_type_float,
    &st_type_string, &st_type_file,        &st_type_option,    &st_type_select,    &st_type_tags,
    &st_type_color,  &st_type_map,         &st_type_vec2,      &st_type_vec3,      &st_type_vec4,
    &st_type_vec6,   &st_type_int2,        &st_type_int3,      &st_type_uint2,     &st_type_quat,
    &st_type_mat3,   &st_type_mat4,        &st_type_box,       &st_type_bool3,     &st_type_reals,
    &st_type_ints,   &st_type_bools,       &st_type_indices,   &st_type_index_set, &st_type_words,
    &st_type_files,  &st_type_vec2s,       &st_type_vec3s,     &st_type_vec4s,     &st_type_vec6s,
    &st_type_quats,  &st_type_boxes,       &st_type_springs,   &st_type_edges,     &st_type_triangles,
    &st_type_quads,  &st_type_tetrahedra,  &st_type_hexahedra, &st_type_prisms,    &st_type_pyramids,
    &st_type_coord,  &st_type_deriv,       &st_type_mass,      &st_type_coords,    &st_type_derivs,
    &st_type_masses, &st_type_deriv_flags, &st_type_link,      &st_type_links,
};
enum { TYPE_COUNT = sizeof types / sizeof *types };

static const char *const options[] = {"small", "large", "polar", NULL};

typedef union value {
    st_real reals[ST_WIDTH_MAX];
    char *string;
    st_any_list list;
} value;

static void value_free(const st_type *type, value *v) {
    if (type->list && type->scalar == ST_SCALAR_STRING) st_strings_free((st_strings *)(void *)&v->list);
    else if (type->list) st_free(v->list.data);
    else if (type->scalar == ST_SCALAR_STRING) st_free(v->string);
}

// As for the template Rigid3, whose values are the longest.
static int width_of(const st_type *type) {
    switch (type->width) {
    case ST_WIDTH_COORD: return 7;
    case ST_WIDTH_DERIV: return 6;
    case ST_WIDTH_MASS: return 11;
    default: return type->width;
    }
}

// A range of many entries is legal and takes its time; here it would only keep the fuzzer from other texts.
static bool takes_long(const st_type *type, const char *text) {
    enum { MOST_DIGITS = 4, MOST_BYTES = 256 };
    if (type->syntax != ST_SYNTAX_RANGES && type->syntax != ST_SYNTAX_SET) return false;
    size_t length = 0, digits = 0;
    for (; text[length]; length++) {
        digits = text[length] >= '0' && text[length] <= '9' ? digits + 1 : 0;
        if (digits > MOST_DIGITS) return strchr(text, '-') != NULL;
    }
    return length > MOST_BYTES;
}

static st_read_result read_value(const st_type *type, value *v, const char *text) {
    char why[100];
    memset(v, 0, sizeof *v);
    const st_read_result result = st_field_read(type, width_of(type), options, v, text, why, sizeof why);
    if (result == ST_READ_WARN && (why[0] == '\0' || !memchr(why, '\0', sizeof why))) abort();
    return result;
}

static char *write_value(const st_type *type, const value *v, int digits) {
    st_text out = {0};
    if (!st_field_write(type, width_of(type), options, v, digits, &out)) abort();
    return st_text_take(&out);
}

static void check_round_trip(const st_type *type, const value *first) {
    value second;
    char *text = write_value(type, first, 17);
    if (read_value(type, &second, text) != ST_READ_OK) abort();
    char *again = write_value(type, &second, 17);
    if (strcmp(text, again) != 0) abort();
    st_free(text);
    st_free(again);
    value_free(type, &second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const st_type *type = types[(uint8_t)(data[0] - '0') % TYPE_COUNT];
    // An exact block, so that a read behind the terminator is seen.
    char *text = malloc(size);
    if (!text) return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    value v;
    const bool skipped = takes_long(type, text);
    if (!skipped) read_value(type, &v, text);
    free(text);
    if (skipped) return 0;
    st_free(write_value(type, &v, 6));
    if (type->scalar != ST_SCALAR_STRING && type->scalar != ST_SCALAR_LINK) check_round_trip(type, &v);
    value_free(type, &v);
    return 0;
}
