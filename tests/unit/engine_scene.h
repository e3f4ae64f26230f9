// Helpers for the tests of engines: one engine in a scene, its outputs as text or numbers.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_ENGINE_SCENE_H
#define SETTEE_TESTS_ENGINE_SCENE_H

#include "physics_scene.h"

// Numbers of an output; how many there are. Reads at most `most`.
static inline size_t engine_numbers(physics_scene *test, const char *path, const char *field, double *values,
                                    size_t most) {
    char *text = st_object_get(physics_find(test, path), field, 17), *cursor = text;
    assert_non_null(text);
    size_t count = 0;
    for (char *end; count < most; cursor = end) {
        cursor += strspn(cursor, "[], \n");
        const double value = strtod(cursor, &end);
        if (end == cursor) break;
        values[count++] = value;
    }
    st_string_free(text);
    return count;
}

static inline void assert_numbers(physics_scene *test, const char *path, const char *field, size_t count,
                                  const double *expected) {
    static double values[4096];
    const size_t found = engine_numbers(test, path, field, values, 4096);
    if (found != count) print_message("%s has %zu numbers\n%s", field, found, test->log);
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++) assert_near((st_real)values[i], (st_real)expected[i], (st_real)1e-5);
}

#define NUMBERS(...)                                                                                                   \
    (sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (double[]) { __VA_ARGS__ }

// Loads the engine `e` with what stands before it, and sees that nothing was complained about.
static inline physics_scene *engine_load(const char *children) {
    physics_scene *test = physics_load(children);
    if (test->count[ST_ERROR] || test->count[ST_WARNING]) print_message("%s", test->log);
    assert_int_equal(test->count[ST_ERROR], 0);
    assert_int_equal(test->count[ST_WARNING], 0);
    return test;
}

// One output of an engine, as text.
static inline void assert_engine(const char *children, const char *field, const char *expected) {
    physics_scene *test = engine_load(children);
    assert_field(test, "/e", field, expected);
    physics_free(test);
}

static inline void assert_says(physics_scene *test, const char *text) {
    if (!strstr(test->log, text)) print_message("\"%s\" is not in\n%s", text, test->log);
    assert_non_null(strstr(test->log, text));
}

#endif
