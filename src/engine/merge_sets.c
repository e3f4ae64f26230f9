// MergeSets: union, intersection, difference or symmetric difference of two sets of indices; the result increases.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "engine/engine.h"

typedef struct merge_sets {
    st_object object;
    st_ints in[2];
    char *operation;
    st_ints out;
} merge_sets;

static const st_field fields[] = {
    ST_INPUT(merge_sets, in[0], "in1", st_type_ints, NULL, "first set"),
    ST_INPUT(merge_sets, in[1], "in2", st_type_ints, NULL, "second set"),
    ST_INPUT(merge_sets, operation, "op", st_type_string, "union",
             "union, intersection, difference or symmetric_difference; the first letter counts"),
    ST_OUTPUT(merge_sets, out, "out", st_type_ints, "the result"),
    ST_FIELDS_END,
};

static int by_value(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

static bool sorted_copy(st_ints *to, const st_ints *from) {
    if (!st_list_set_count(to, from->count, 1)) return false;
    st_copy_bytes(to->data, from->data, from->count * sizeof *from->data);
    if (to->count) qsort(to->data, to->count, sizeof *to->data, by_value);
    return true;
}

static bool wanted(char operation, bool in_first, bool in_second) {
    switch (operation) {
    case 'i': return in_first && in_second;
    case 'd': return in_first && !in_second;
    case 's': return in_first != in_second;
    default: return true;
    }
}

static size_t skip_equal(const st_ints *list, size_t at, int32_t value) {
    while (at < list->count && list->data[at] == value) at++;
    return at;
}

static bool merge_sets_merge(merge_sets *engine, const st_ints *a, const st_ints *b) {
    const char operation = engine->operation ? engine->operation[0] : 'u';

    // both are sorted: take the smaller value, then skip all its repetitions in both
    for (size_t i = 0, k = 0; i < a->count || k < b->count;) {
        const bool first = k == b->count || (i < a->count && a->data[i] <= b->data[k]);
        const int32_t value = first ? a->data[i] : b->data[k];
        const bool in_first = i < a->count && a->data[i] == value, in_second = k < b->count && b->data[k] == value;

        if (wanted(operation, in_first, in_second) && !st_list_push(&engine->out, value)) return false;
        i = skip_equal(a, i, value);
        k = skip_equal(b, k, value);
    }
    return true;
}

static void merge_sets_update(st_object *object) {
    merge_sets *engine = (merge_sets *)object;
    st_ints a = {0}, b = {0};
    const char operation = engine->operation && engine->operation[0] ? engine->operation[0] : '?';
    if (!strchr("uids", operation))
        st_message(object, ST_ERROR, "op \"%.40s\" is not known: the union is taken",
                   engine->operation ? engine->operation : "");

    engine->out.count = 0;
    const bool ok =
        sorted_copy(&a, &engine->in[0]) && sorted_copy(&b, &engine->in[1]) && merge_sets_merge(engine, &a, &b);

    st_list_free(&a);
    st_list_free(&b);
    st_engine_done(object, ok);
}

const st_class st_merge_sets_class = {
    .name = "MergeSets",
    .help = "merges two sets of indices",
    .parent = &st_engine_class,
    .templates = "i I",
    .default_template = "i",
    .fields = fields,
    .size = sizeof(merge_sets),
    .update = merge_sets_update,
};
