// Collision geometry alone: nearest points against brute force, trees of boxes, the order of pairs.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "collision/bounding_tree.h"
#include "collision/pair_order.h"
#include "collision/proximity.h"

static unsigned seed = 1;
static st_real number(st_real low, st_real high) {
    seed = seed * 1103515245u + 12345u;
    return low + (high - low) * (st_real)((seed >> 8) & 0xFFFFu) / 65535;
}

static void random_point(st_real p[3]) {
    for (int k = 0; k < 3; k++) p[k] = number(-1, 1);
}

// ---------------------------------------------------------------------------------------------------
// Nearest points
// ---------------------------------------------------------------------------------------------------

static st_real distance_to_segment(const st_real a[3], const st_real b[3], const st_real q[3]) {
    st_real p[3];
    st_line_point(p, a, b, st_clamp(st_line_parameter(a, b, q), 0, 1));
    return st_vec3_distance(p, q);
}

// The nearest of: the projection where it is inside, the three edges.
static st_real distance_to_triangle(const st_real t[3][3], const st_real q[3]) {
    st_real best = ST_REAL_MAX, alpha, beta, p[3];
    for (int k = 0; k < 3; k++) best = st_min(best, distance_to_segment(t[k], t[(k + 1) % 3], q));
    st_triangle_coordinates(t[0], t[1], t[2], q, &alpha, &beta);
    if (alpha < 0 || beta < 0 || alpha + beta > 1) return best;
    st_triangle_point(p, t[0], t[1], t[2], alpha, beta);
    return st_min(best, st_vec3_distance(p, q));
}

// An angle of 90° or more at some corner.
static bool is_obtuse(const st_real t[3][3]) {
    for (int k = 0; k < 3; k++) {
        st_real a[3], b[3];
        st_vec3_sub(a, t[(k + 1) % 3], t[k]);
        st_vec3_sub(b, t[(k + 2) % 3], t[k]);
        if (st_vec3_dot(a, b) <= 0) return true;
    }
    return false;
}

static void nearest_point_of_a_triangle(void **state) {
    (void)state;
    static const st_border_limits closed = {.low = 0, .high = 1, .corner = 0};
    int seen[7] = {0}, acute = 0;
    for (int i = 0; i < 4000; i++) {
        st_real t[3][3], q[3], p[3], alpha, beta;
        for (int k = 0; k < 3; k++) random_point(t[k]);
        random_point(q);
        seen[st_nearest_on_triangle(t[0], t[1], t[2], q, &closed, &alpha, &beta)]++;
        assert_true(alpha >= 0 && beta >= 0 && alpha + beta <= 1 + 8 * ST_REAL_EPSILON);
        st_triangle_point(p, t[0], t[1], t[2], alpha, beta);
        const st_real found = st_vec3_distance(p, q), least = distance_to_triangle((const st_real(*)[3])t, q);
        const st_real tolerance = 2000 * ST_REAL_EPSILON;
        assert_true(found >= least - tolerance);
        if (is_obtuse((const st_real(*)[3])t)) continue;
        acute++;
        assert_true(found <= least + tolerance);
    }
    for (int part = 0; part < 7; part++) assert_true(seen[part] > 20);
    assert_true(acute > 500);
}

static void nearest_points_of_two_lines(void **state) {
    (void)state;
    for (int i = 0; i < 1000; i++) {
        st_real a[3], b[3], c[3], d[3], t, u, p[3], q[3], pq[3], ab[3], cd[3];
        random_point(a), random_point(b), random_point(c), random_point(d);
        st_vec3_sub(ab, b, a);
        st_vec3_sub(cd, d, c);
        if (!st_lines_parameters(a, b, c, d, (st_real)1e-2, &t, &u)) continue;
        st_line_point(p, a, b, t);
        st_line_point(q, c, d, u);
        st_vec3_sub(pq, q, p);
        // the shortest way is perpendicular to both
        assert_true(fabs(st_vec3_dot(pq, ab)) < 1e4 * ST_REAL_EPSILON * (1 + fabs(t)) * 10);
        assert_true(fabs(st_vec3_dot(pq, cd)) < 1e4 * ST_REAL_EPSILON * (1 + fabs(u)) * 10);
    }
    st_real t, u;
    assert_false(st_lines_parameters((st_real[]){0, 0, 0}, (st_real[]){1, 0, 0}, (st_real[]){0, 1, 0},
                                     (st_real[]){2, 1, 0}, (st_real)1e-15, &t, &u));
    assert_true(t == (st_real)0.5 && u == (st_real)0.5);
}

static void nothing_breaks_without_extent(void **state) {
    (void)state;
    static const st_border_limits closed = {.low = 0, .high = 1, .corner = 0};
    const st_real p[3] = {1, 2, 3}, q[3] = {0, 0, 1};
    st_real alpha, beta;
    assert_true(st_line_parameter(p, p, q) == 0);
    st_nearest_on_triangle(p, p, p, q, &closed, &alpha, &beta); // no number is an answer, too
    assert_false(st_plane_coordinates(p, p, q, &alpha, &beta));
}

// ---------------------------------------------------------------------------------------------------
// Trees
// ---------------------------------------------------------------------------------------------------

enum { POINTS = 300 };
typedef struct cloud {
    st_real p[POINTS][3];
} cloud;

static void point_box(const void *context, const uint32_t *elements, size_t count, st_box *boxes) {
    for (size_t i = 0; i < count; i++) {
        st_box_clear(&boxes[i]);
        st_box_add(&boxes[i], ((const cloud *)context)->p[elements ? elements[i] : i]);
    }
}

// Leaves near a box, by each instruction set, in any range: what the comparison one by one finds.
static void check_near(const st_bounding_tree *tree, const st_tree_kernels *kernels) {
    for (uint32_t n = 0; n < 200; n++) {
        const uint32_t first = n * 7 % POINTS, end = first + n * 13 % (POINTS - first + 1);
        const st_box *box = &tree->leaves.data[n * 31 % POINTS];
        const st_real distance = (st_real)(n % 5) * (st_real)0.2;
        uint32_t near[POINTS];

        const size_t count = kernels->near_leaves(tree, first, end, box, distance, near);
        size_t expected = 0;
        for (uint32_t i = first; i < end; i++) {
            assert_int_equal(st_boxes_far(&tree->leaves.data[i], box, distance),
                             !st_boxes_near(&tree->leaves.data[i], box, distance));
            if (!st_boxes_near(&tree->leaves.data[i], box, distance)) continue;
            assert_true(expected < count);
            assert_int_equal(near[expected++], i);
        }
        assert_int_equal(count, expected);
    }
}

// The same cut once more, by recursion and insertion: order of the leaves below one cell.
static void cut(const cloud *c, uint32_t *leaves, size_t count, size_t depth) {
    if (count <= 4 || depth == 0) return;
    st_box box;
    st_box_clear(&box);
    for (size_t i = 0; i < count; i++) st_box_add(&box, c->p[leaves[i]]);
    const st_real x = box.max[0] - box.min[0], y = box.max[1] - box.min[1], z = box.max[2] - box.min[2];
    const int axis = x > y ? (x > z ? 0 : 2) : y > z ? 1 : 2;
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && c->p[leaves[k]][axis] < c->p[leaves[k - 1]][axis]; k--) {
            const uint32_t swap = leaves[k];
            leaves[k] = leaves[k - 1];
            leaves[k - 1] = swap;
        }
    const size_t half = (count + 1) / 2;
    cut(c, leaves, half, depth - 1);
    cut(c, leaves + half, count - half, depth - 1);
}

static void check_boxes(const st_bounding_tree *tree) {
    for (size_t i = 0; i < tree->cells.count; i++) {
        const st_tree_cell *cell = &tree->cells.data[i];
        for (uint32_t k = cell->below.first; k < cell->below.end; k++) {
            const st_box *below = st_tree_box(tree, cell->below.leaves, k);
            for (int a = 0; a < 3; a++)
                assert_true(below->min[a] >= cell->box.min[a] && below->max[a] <= cell->box.max[a]);
        }
    }
}

static void trees_are_built_as_told(void **state) {
    (void)state;
    static cloud c;
    for (size_t depth = 0; depth <= 8; depth++) {
        uint32_t expected[POINTS];
        for (uint32_t i = 0; i < POINTS; i++) {
            random_point(c.p[i]);
            c.p[i][0] = (st_real)(int)(c.p[i][0] * 8); // many equal ones: they keep their order
            expected[i] = i;
        }
        cut(&c, expected, POINTS, depth);
        st_bounding_tree tree = {0};
        assert_true(st_bounding_tree_build(&tree, POINTS, depth, point_box, &c));
        for (size_t i = 0; i < POINTS; i++) assert_int_equal(tree.elements.data[i], expected[i]);
        assert_true(tree.cells.count < ((size_t)2 << depth));
        check_boxes(&tree);
        for (size_t i = 0; i < POINTS; i++) random_point(c.p[i]);
        st_bounding_tree_refresh(&tree, point_box, &c);
        for (size_t i = 0; i < POINTS; i++) assert_int_equal(tree.elements.data[i], expected[i]);
        check_boxes(&tree);
        check_near(&tree, &st_tree_kernels_portable);
        check_near(&tree, ST_BEST_KERNELS(st_tree_kernels, NULL));
        st_bounding_tree_free(&tree);
    }
}

static void trees_take_anything(void **state) {
    (void)state;
    static cloud c; // all at one place
    st_bounding_tree tree = {0};
    assert_true(st_bounding_tree_build(&tree, 0, 6, point_box, &c));
    assert_true(st_bounding_tree_build(&tree, POINTS, 1000000, point_box, &c));
    check_boxes(&tree);
    for (size_t i = 0; i < POINTS; i++) c.p[i][i % 3] = i % 2 ? (st_real)NAN : (st_real)INFINITY;
    assert_true(st_bounding_tree_build(&tree, POINTS, 6, point_box, &c));
    check_near(&tree, ST_BEST_KERNELS(st_tree_kernels, NULL));
    st_bounding_tree_free(&tree);
    const st_real nowhere[3] = {NAN, NAN, NAN};
    st_box none, one;
    st_box_clear(&none);
    st_box_add(&none, nowhere);
    st_box_clear(&one);
    st_box_add(&one, (st_real[]){0, 0, 0});
    assert_false(st_boxes_near(&none, &one, 1000));
    assert_true(st_boxes_near(&one, &one, 0));
}

// ---------------------------------------------------------------------------------------------------
// Order of pairs
// ---------------------------------------------------------------------------------------------------

static st_pair_key key(const char *names) {
    return (st_pair_key){(void *)(uintptr_t)names[0], (void *)(uintptr_t)names[1]};
}

// Pairs "AB CD EF" found in one step, through the map of detections and that of contacts: their order in the end.
static void check_order(const char *found, const char *expected) {
    st_ranked_pair pairs[16], *list[16], *contacts[16];
    const char *names[16];
    size_t count = 0;
    st_pair_order detections = {0}, order = {0};
    for (const char *at = found; *at; at += at[2] ? 3 : 2) {
        if (count) st_pair_order_append(&detections, list[count - 1]->key, key(at));
        names[count] = at;
        pairs[count] = (st_ranked_pair){.key = key(at)};
        list[count] = &pairs[count];
        count++;
    }
    st_pair_order_sort(&detections, list, count);

    for (size_t k = 0; k < count; k++) {
        if (k) st_pair_order_look(&order, contacts[0]->key, list[k]->key);
        contacts[k] = list[k];
        contacts[k]->rank.known = false;
    }
    st_pair_order_sort(&order, contacts, count);
    for (size_t k = 0; k < count; k++) assert_memory_equal(names[contacts[k] - pairs], expected + 3 * k, 2);
    st_pair_order_free(&detections);
    st_pair_order_free(&order);
}

static void pairs_stand_in_the_measured_order(void **state) {
    (void)state;
    check_order("AB CD EF", "CD AB EF");
    check_order("AD BD CD", "BD AD CD");
    check_order("DA DB DC", "DB DA DC");
    check_order("AD AE AF BD BE BF CD CE CF", "AE AD AF BE BD BF CE CD CF");
    check_order("AB", "AB");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_point_of_a_triangle),   cmocka_unit_test(nearest_points_of_two_lines),
        cmocka_unit_test(nothing_breaks_without_extent), cmocka_unit_test(trees_are_built_as_told),
        cmocka_unit_test(trees_take_anything),           cmocka_unit_test(pairs_stand_in_the_measured_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
