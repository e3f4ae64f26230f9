// Searches in trees of boxes against loops over everything, ties included.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/array.h"
#include "mapping/edge_search.h"
#include "math/vec3.h"

static uint32_t seed = 99;
static uint32_t next(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}
static st_real between(st_real low, st_real high) { return low + (high - low) * (st_real)next(1 << 20) / (1 << 20); }

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

static st_real same(st_real square) { return square; }
static st_real coarse(st_real square) { return floor(square * 4); }

static bool precedes(st_neighbor a, st_neighbor b) { return a.key < b.key || (a.key == b.key && a.point < b.point); }

// All points in order of their keys, by sorting.
static void sort_all(const st_real *x, size_t count, size_t stride, int dims, const st_real *p, st_real (*key)(st_real),
                     st_neighbor *all) {
    for (size_t i = 0; i < count; i++) {
        st_real square = 0;
        for (int k = 0; k < dims; k++)
            square += (p[k] - x[i * stride + (size_t)k]) * (p[k] - x[i * stride + (size_t)k]);
        const st_neighbor one = {key(square), (uint32_t)i};
        size_t at = i;
        for (; at > 0 && precedes(one, all[at - 1]); at--) all[at] = all[at - 1];
        all[at] = one;
    }
}

static void compare_points(const st_real *x, size_t count, size_t stride, int dims, const st_real *p,
                           st_real (*key)(st_real)) {
    enum { MOST = 600 };
    static st_neighbor found[MOST], all[MOST];
    st_point_tree tree;
    assert_true(st_point_tree_create(&tree, x, count, stride, dims));
    sort_all(x, count, stride, dims, p, key, all);
    const size_t wanted[] = {0, 1, 2, 7, count, count + 3};
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        const size_t expected = wanted[w] < count ? wanted[w] : count;
        assert_int_equal(st_point_tree_nearest(&tree, p, key, wanted[w], found), expected);
        for (size_t i = 0; i < expected; i++) {
            assert_int_equal(found[i].point, all[i].point);
            assert_true(found[i].key == all[i].key);
        }
    }
    st_point_tree_free(&tree);
}

// Anywhere, on a lattice where many are as near, all in a plane, and all in one place.
static void nearest_points(void **state) {
    (void)state;
    enum { COUNT = 300, STRIDE = 4 };
    st_real x[COUNT * STRIDE];
    for (int round = 0; round < 60; round++) {
        const int kind = round % 4, dims = 1 + round % 3;
        for (int i = 0; i < COUNT * STRIDE; i++)
            x[i] = kind == 0   ? between(-1, 1)
                   : kind == 1 ? (st_real)next(5)
                   : kind == 2 ? (i % STRIDE ? between(-1, 1) : 3)
                               : 2;
        const st_real far = round % 5 == 0 ? ST_R(1e12) : 1;
        const st_real p[3] = {far * between(-1, 4), far * (st_real)next(4), far * between(-1, 4)};
        compare_points(x, COUNT, STRIDE, dims, p, same);
        compare_points(x, COUNT, STRIDE, dims, p, coarse);
        compare_points(x, (size_t)next(6), STRIDE, dims, p, same);
    }
}

static void points_that_are_nowhere(void **state) {
    (void)state;
    const st_real x[] = {NAN, 0, 0, 1, 1, 1, INFINITY, 0, 0, 2, 2, 2};
    st_point_tree tree;
    st_neighbor found[4];
    assert_true(st_point_tree_create(&tree, x, 4, 3, 3));
    assert_int_equal(st_point_tree_nearest(&tree, (st_real[]){2, 2, 2}, same, 4, found), 2);
    assert_int_equal(found[0].point, 3);
    assert_int_equal(found[1].point, 1);
    assert_int_equal(st_point_tree_nearest(&tree, (st_real[]){NAN, 2, 2}, same, 4, found), 0);
    st_point_tree_free(&tree);
}

// ---------------------------------------------------------------------------------------------------
// Edges
// ---------------------------------------------------------------------------------------------------

// The rule as the header has it.
static size_t loop_over_edges(const st_uints *edges, const st_real *x, const st_real p[3], st_real *c) {
    size_t k = 0;
    for (; k < edges->count; k++) {
        st_real u[3], d[3];
        const st_real *a = x + 3 * (size_t)edges->data[2 * k];
        st_vec3_sub(u, x + 3 * (size_t)edges->data[2 * k + 1], a);
        const st_real length = st_vec3_norm(u);
        st_vec3_normalize(u, u);
        st_vec3_sub(d, p, a);
        *c = st_vec3_dot(u, d) / length;
        if (*c >= 0 && *c <= 1) return k;
    }
    return k - 1;
}

typedef enum shape { ANYWHERE, LATTICE, CURVE, LINE, SHUFFLED_LINE, FAR_LINE, SHAPES } shape;

static void place(st_real x[3], shape kind, int i) {
    for (int k = 0; k < 3; k++) {
        if (kind == ANYWHERE) x[k] = between(-1, 1);
        else if (kind == LATTICE) x[k] = (st_real)next(4);
        else if (kind == CURVE)
            x[k] = sin((st_real)i * ST_R(0.05) + (st_real)k) + (k == 2 ? (st_real)i * ST_R(0.01) : 0);
        else x[k] = (st_real)i * ST_R(0.1) * (st_real)(k + 1) + (kind == FAR_LINE ? ST_R(1e6) : 0);
    }
}

static void feet_on_edges(void **state) {
    (void)state;
    enum { COUNT = 400 };
    size_t fallbacks = 0;
    for (int kind = 0; kind < SHAPES; kind++) {
        st_real x[3 * (COUNT + 1)];
        st_uints edges = {0};
        for (int i = 0; i <= COUNT; i++) place(x + 3 * i, (shape)kind, i);
        for (uint32_t i = 0; i < COUNT; i++) {
            const uint32_t other = kind == ANYWHERE || kind == LATTICE ? next(COUNT + 1) : i + 1;
            assert_true(st_list_push(&edges, i % 5 == 0 ? other : i) && st_list_push(&edges, i % 5 == 0 ? i : other));
        }
        edges.count /= 2;
        for (uint32_t i = 0; kind == SHUFFLED_LINE && i < COUNT; i++)
            for (int end = 0; end < 2; end++) {
                const uint32_t j = 2 * next(COUNT) + (uint32_t)end, kept = edges.data[2 * i + (uint32_t)end];
                edges.data[2 * i + (uint32_t)end] = edges.data[j];
                edges.data[j] = kept;
            }
        st_edge_search search;
        assert_true(st_edge_search_create(&search, &edges, x));
        for (int i = 0; i < 500; i++) {
            st_real p[3], c = 0, expected_c = 0;
            const st_real *near = x + 3 * (size_t)next(COUNT + 1), reach = i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : 100;
            for (int k = 0; k < 3; k++) p[k] = near[k] + reach * between(-1, 1);
            const size_t expected = loop_over_edges(&edges, x, p, &expected_c);
            fallbacks += !(expected_c >= 0 && expected_c <= 1);
            assert_int_equal(st_edge_search_find(&search, p, &c), expected);
            assert_true(c == expected_c || (isnan(c) && isnan(expected_c)));
        }
        st_edge_search_free(&search);
        st_list_free(&edges);
    }
    assert_true(fallbacks > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_points),
        cmocka_unit_test(points_that_are_nowhere),
        cmocka_unit_test(feet_on_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
