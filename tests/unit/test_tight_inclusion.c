// Continuous detection: known times of impact; hits that dense sampling in time finds are never missed, over a million
// random pairs, hits that are exact by construction, degenerate elements, and limits.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collision/tight_inclusion.h"
#include "math/vec3.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { PAIRS = 50000 }; // of each kind: what counts there is memory, and it is ten times as slow
#else
enum { PAIRS = 500000 };
#endif
static const bool single = sizeof(st_real) == 4;

typedef struct options {
    st_real tolerance, separation;
    int32_t max_iterations; // 0: as many as it takes
} options;
typedef struct answer {
    st_real time;
} answer;

static st_time_boxes boxes;

static bool ask_for(bool edges, const st_real start[4][3], const st_real end[4][3], const options *o, answer *hit) {
    st_impact_query q = {.edges = edges,
                         .distance = (double)o->separation,
                         .tolerance = (double)o->tolerance,
                         .most_iterations = (size_t)o->max_iterations};
    for (int i = 0; i < 12; i++) {
        q.start[i / 3][i % 3] = (double)start[i / 3][i % 3];
        q.end[i / 3][i % 3] = (double)end[i / 3][i % 3];
    }
    double time = 0;
    bool failed = false;
    const bool found = st_find_impact(&q, &boxes, &time, &failed);
    assert_false(failed);
    if (hit) hit->time = (st_real)time;
    return found;
}

static bool point_meets(const st_real start[4][3], const st_real end[4][3], const options *o, answer *hit) {
    return ask_for(false, start, end, o, hit);
}

static bool edge_meets(const st_real start[4][3], const st_real end[4][3], const options *o, answer *hit) {
    return ask_for(true, start, end, o, hit);
}

typedef bool query(const st_real start[4][3], const st_real end[4][3], const options *, answer *);

// ---------------------------------------------------------------------------------------------------
// Random numbers and distances
// ---------------------------------------------------------------------------------------------------

static uint64_t seed;

static uint32_t draw(uint32_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % below);
}

static st_real number(void) { return (st_real)draw(1u << 30) / (st_real)(1u << 29) - 1; }

static st_real clamp01(st_real x) { return st_clamp(x, 0, 1); }

static st_real point_segment(const st_real p[3], const st_real a[3], const st_real b[3]) {
    st_real ab[3], ap[3], q[3];
    st_vec3_sub(ab, b, a);
    st_vec3_sub(ap, p, a);
    const st_real l = st_vec3_norm2(ab);
    st_vec3_add_scaled(q, a, ab, l > 0 ? clamp01(st_vec3_dot(ap, ab) / l) : 0);
    return st_vec3_distance(p, q);
}

// The nearest of the three sides, and of the face where the projection is inside.
static st_real point_triangle(const st_real x[4][3]) {
    st_real best = point_segment(x[0], x[1], x[2]), n[3], u[3], v[3], w[3];
    best = st_min(best, point_segment(x[0], x[2], x[3]));
    best = st_min(best, point_segment(x[0], x[3], x[1]));
    st_vec3_sub(u, x[2], x[1]);
    st_vec3_sub(v, x[3], x[1]);
    st_vec3_sub(w, x[0], x[1]);
    st_vec3_cross(n, u, v);
    const st_real area2 = st_vec3_norm2(n);
    if (!(area2 > 0)) return best;
    st_real c[3];
    st_vec3_cross(c, w, v);
    const st_real alpha = st_vec3_dot(c, n) / area2;
    st_vec3_cross(c, u, w);
    const st_real beta = st_vec3_dot(c, n) / area2;
    if (alpha < 0 || beta < 0 || alpha + beta > 1) return best;
    return st_min(best, fabs(st_vec3_dot(w, n)) / sqrt(area2));
}

// The nearest of the four ends, and of the inner points where the common perpendicular meets both.
static st_real edge_edge(const st_real x[4][3]) {
    st_real best = point_segment(x[0], x[2], x[3]), u[3], v[3], w[3];
    best = st_min(best, point_segment(x[1], x[2], x[3]));
    best = st_min(best, point_segment(x[2], x[0], x[1]));
    best = st_min(best, point_segment(x[3], x[0], x[1]));
    st_vec3_sub(u, x[1], x[0]);
    st_vec3_sub(v, x[3], x[2]);
    st_vec3_sub(w, x[2], x[0]);
    const st_real a = st_vec3_norm2(u), b = st_vec3_dot(u, v), c = st_vec3_norm2(v), det = a * c - b * b;
    if (!(det > 0)) return best;
    const st_real s = (st_vec3_dot(u, w) * c - st_vec3_dot(v, w) * b) / det;
    const st_real t = (st_vec3_dot(u, w) * b - st_vec3_dot(v, w) * a) / det;
    if (s < 0 || s > 1 || t < 0 || t > 1) return best;
    st_real p[3], q[3];
    st_vec3_add_scaled(p, x[0], u, s);
    st_vec3_add_scaled(q, x[2], v, t);
    return st_min(best, st_vec3_distance(p, q));
}

static void at_time(const st_real start[4][3], const st_real end[4][3], st_real t, st_real x[4][3]) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) x[i][k] = start[i][k] + (end[i][k] - start[i][k]) * t;
}

// ---------------------------------------------------------------------------------------------------
// Random pairs
// ---------------------------------------------------------------------------------------------------

// Elements of size 1 around the origin that move by about as much, and one time in two something special.
static void random_pair(st_real start[4][3], st_real end[4][3]) {
    const st_real motion = draw(4) ? 1 : ST_R(0.1) * number(), apart = draw(2) ? 0 : ST_R(0.7);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            start[i][k] = number() + (i == 0 && k == 0 ? apart : 0);
            end[i][k] = start[i][k] + motion * number();
        }

    const uint32_t a = draw(4), b = draw(4);
    switch (draw(16)) {
    case 0: // vertices coincide, at the start or all the time
        st_vec3_copy(start[a], start[b]);
        if (draw(2)) st_vec3_copy(end[a], end[b]);
        break;
    case 1: // nothing moves
        for (int i = 0; i < 4; i++) st_vec3_copy(end[i], start[i]);
        break;
    case 2: // all in one plane
        for (int i = 0; i < 4; i++) start[i][2] = end[i][2] = 0;
        break;
    case 3: // all on one line
        for (int i = 0; i < 4; i++) start[i][2] = end[i][2] = start[i][1] = end[i][1] = 0;
        break;
    case 4: // parallel edges; a triangle without area
        for (int k = 0; k < 3; k++) {
            start[3][k] = start[2][k] + 2 * (start[1][k] - start[0][k]);
            end[3][k] = end[2][k] + 2 * (end[1][k] - end[0][k]);
        }
        break;
    case 5: // elements that shrink to a point on the way
        for (int i = 1; i < 4; i++) st_vec3_copy(end[i], end[1]);
        break;
    case 6: // common motion
        for (int i = 0; i < 4; i++) st_vec3_add_scaled(end[i], start[i], start[a], 3);
        break;
    case 7: // whole numbers
        for (int i = 0; i < 12; i++) {
            start[i / 3][i % 3] = floor(2 * start[i / 3][i % 3]);
            end[i / 3][i % 3] = floor(2 * end[i / 3][i % 3]);
        }
        break;
    default: break;
    }
}

// What sampling finds, the query finds, and not later. What it finds without reaching its limit is near.
static void never_misses(query *ask, st_real distance_of(const st_real x[4][3])) {
    enum { SAMPLES = 12 };
    size_t hits = 0, sampled = 0;
    seed = 20261118;
    for (size_t n = 0; n < PAIRS; n++) {
        st_real start[4][3], end[4][3], x[4][3];
        random_pair(start, end);
        const options asked = {.tolerance = ST_R(0.02),
                               .separation = draw(3) ? ST_R(0.05) : ST_R(0.01),
                               .max_iterations = draw(400) ? (int32_t)(1 + draw(200)) : 0};
        answer hit;
        const bool found = ask((const st_real(*)[3])start, (const st_real(*)[3])end, &asked, &hit);
        hits += found;
        assert_true(!found || (hit.time >= 0 && hit.time <= 1));

        st_real first = 2;
        for (int s = 0; s <= SAMPLES && first > 1; s++) {
            at_time((const st_real(*)[3])start, (const st_real(*)[3])end, (st_real)s / SAMPLES, x);
            if (distance_of((const st_real(*)[3])x) < asked.separation) first = (st_real)s / SAMPLES;
        }
        sampled += first <= 1;
        if (first <= 1 && (!found || hit.time > first))
            fail_msg("pair %zu: sampling finds a contact at %g, the query %s %g", n, (double)first,
                     found ? "only one at" : "none", (double)hit.time);

        if (found && !asked.max_iterations) {
            at_time((const st_real(*)[3])start, (const st_real(*)[3])end, hit.time, x);
            const st_real near = sqrt(ST_R(3)) * (asked.separation + asked.tolerance) + ST_R(1e-5);
            assert_true(distance_of((const st_real(*)[3])x) <= near);
        }
    }
    print_message("%d pairs: %zu hits, %zu of them seen by sampling\n", PAIRS, hits, sampled);
    assert_true(sampled > PAIRS / 12 && hits < PAIRS * 9 / 10);
}

static void points_and_triangles_are_never_missed(void **state) {
    (void)state;
    never_misses(point_meets, point_triangle);
}

static void edges_are_never_missed(void **state) {
    (void)state;
    never_misses(edge_meets, edge_edge);
}

// ---------------------------------------------------------------------------------------------------
// Exact hits
// ---------------------------------------------------------------------------------------------------

static st_real whole(uint32_t range) { return (st_real)draw(2 * range + 1) - (st_real)range; }

// F vanishes at (t, u, v): in whole numbers and quarters, where nothing is rounded. No separation helps.
static void exact_hit(query *ask, bool triangle) {
    static const st_real scales[] = {1, ST_R(1048576), ST_R(9.5367431640625e-7)};
    for (size_t n = 0; n < PAIRS / 25; n++) {
        st_real start[4][3], end[4][3];
        const st_real t = (st_real)(1 + draw(4)) / 4, u = (st_real)draw(5) / 4,
                      v = triangle ? (st_real)draw((uint32_t)(4 * (1 - u)) + 1) / 4 : (st_real)draw(5) / 4;
        for (int i = 0; i < 12; i++) {
            start[i / 3][i % 3] = 48 * whole(8);
            end[i / 3][i % 3] = start[i / 3][i % 3] + 48 * whole(8);
        }

        // the first vertex moves so that it arrives at the right place
        const st_real scale = scales[draw(3)];
        for (int k = 0; k < 3; k++) {
            st_real p[4];
            for (int i = 0; i < 4; i++) p[i] = start[i][k] + (end[i][k] - start[i][k]) * t;
            if (triangle) {
                const st_real target = p[1] + u * (p[2] - p[1]) + v * (p[3] - p[1]);
                start[0][k] = target - 4 * (end[0][k] - start[0][k]) * t;
                end[0][k] = target + (target - start[0][k]) / t * (1 - t);
            } else { // the second edge as a whole
                const st_real shift = p[0] + u * (p[1] - p[0]) - (p[2] + v * (p[3] - p[2]));
                for (int i = 2; i < 4; i++) {
                    start[i][k] += shift;
                    end[i][k] += shift;
                }
            }
        }
        for (int i = 0; i < 12; i++) {
            start[i / 3][i % 3] *= scale;
            end[i / 3][i % 3] *= scale;
        }
        const options asked = {.tolerance = 10 * scale, .max_iterations = (int32_t)draw(100)};
        answer hit;
        if (!ask((const st_real(*)[3])start, (const st_real(*)[3])end, &asked, &hit) || hit.time > t)
            fail_msg("pair %zu meets at %g, %g, %g, the query says %g", n, (double)t, (double)u, (double)v,
                     (double)hit.time);
    }
}

static void exact_hits_are_found(void **state) {
    (void)state;
    seed = 7;
    exact_hit(point_meets, true);
    exact_hit(edge_meets, false);
}

// ---------------------------------------------------------------------------------------------------
// By hand
// ---------------------------------------------------------------------------------------------------

static const st_real triangle[3][3] = {{-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}};

static void point_case(st_real z0, st_real z1, st_real x, st_real start[4][3], st_real end[4][3]) {
    for (int i = 0; i < 3; i++) {
        st_vec3_copy(start[i + 1], triangle[i]);
        st_vec3_copy(end[i + 1], triangle[i]);
    }
    st_vec3_set(start[0], x, 0, z0);
    st_vec3_set(end[0], x, 0, z1);
}

// A point falls through a triangle: 1 − 3 t = separation. With a separation the boxes that meet it are many, and the
// limit ends the search.
static void time_of_impact(void **state) {
    (void)state;
    st_real start[4][3], end[4][3];
    const st_real delta = single ? ST_R(1e-4) : ST_R(1e-8);
    answer hit;
    point_case(1, -2, 0, start, end);
    options asked = {.tolerance = delta, .max_iterations = 100000};
    assert_true(point_meets((const st_real(*)[3])start, (const st_real(*)[3])end, &asked, &hit));
    assert_true(hit.time <= ST_R(1) / 3 && hit.time > ST_R(1) / 3 - 2 * delta);
    asked.separation = ST_R(0.1);
    assert_true(point_meets((const st_real(*)[3])start, (const st_real(*)[3])end, &asked, &hit));
    assert_true(hit.time <= ST_R(0.3) && hit.time > ST_R(0.299));

    // beside it, short of it, away from it
    static const st_real none[][3] = {{1, -2, ST_R(2.5)}, {1, ST_R(0.2), 0}, {1, 3, 0}};
    for (int i = 0; i < 3; i++) {
        point_case(none[i][0], none[i][1], none[i][2], start, end);
        assert_false(point_meets((const st_real(*)[3])start, (const st_real(*)[3])end, &asked, &hit));
    }

    // however fast
    point_case(ST_R(1e4), ST_R(-1e4), 0, start, end);
    asked.tolerance = ST_R(0.01);
    assert_true(point_meets((const st_real(*)[3])start, (const st_real(*)[3])end, &asked, &hit));
    assert_true(hit.time <= ST_R(0.5) && hit.time > ST_R(0.4999));
}

static void crossing_edges(void **state) {
    (void)state;
    const st_real start[4][3] = {{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}};
    const st_real end[4][3] = {{-1, 0, -1}, {1, 0, -1}, {0, -1, 0}, {0, 1, 0}};
    const options asked = {.tolerance = ST_R(1e-4), .max_iterations = 100000};
    answer hit;
    assert_true(edge_meets(start, end, &asked, &hit));
    assert_true(hit.time <= ST_R(0.5) && hit.time > ST_R(0.499));
}

// A small limit gives the answer early: a hit, not later than the right one.
static void limits(void **state) {
    (void)state;
    st_real start[4][3], end[4][3], last = 0;
    point_case(1, -2, 0, start, end);
    for (int32_t n = 1; n < 2000; n *= 3) {
        const options asked = {.tolerance = single ? ST_R(1e-5) : ST_R(1e-12), .max_iterations = n};
        answer hit;
        assert_true(point_meets((const st_real(*)[3])start, (const st_real(*)[3])end, &asked, &hit));
        assert_true(hit.time <= ST_R(1) / 3 && hit.time >= last);
        last = hit.time;
    }
    assert_true(last > ST_R(0.33));
    const options endless = {.tolerance = 0, .max_iterations = 0};
    assert_true(point_meets((const st_real(*)[3])start, (const st_real(*)[3])end, &endless, NULL));
}

static void hostile_numbers(void **state) {
    (void)state;
    st_real start[4][3], end[4][3];
    const options asked = {.tolerance = ST_R(1e-6), .separation = 1, .max_iterations = 100};
    for (int place = 0; place < 24; place++) {
        point_case(1, -1, 0, start, end);
        (place < 12 ? start : end)[place % 12 / 3][place % 3] = NAN;
        assert_false(point_meets((const st_real(*)[3])start, (const st_real(*)[3])end, &asked, NULL));
        assert_false(edge_meets((const st_real(*)[3])start, (const st_real(*)[3])end, &asked, NULL));
    }

    // all at one place
    for (int i = 0; i < 4; i++) {
        st_vec3_set(start[i], 5, 5, 5);
        st_vec3_set(end[i], 5, 5, 5);
    }
    const options fine = {.tolerance = ST_R(1e-6), .max_iterations = 10};
    answer hit;
    assert_true(point_meets((const st_real(*)[3])start, (const st_real(*)[3])end, &fine, &hit));
    assert_true(hit.time == 0);
    assert_true(edge_meets((const st_real(*)[3])start, (const st_real(*)[3])end, &fine, &hit));
    assert_true(hit.time == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_triangles_are_never_missed),
        cmocka_unit_test(edges_are_never_missed),
        cmocka_unit_test(exact_hits_are_found),
        cmocka_unit_test(time_of_impact),
        cmocka_unit_test(crossing_edges),
        cmocka_unit_test(limits),
        cmocka_unit_test(hostile_numbers),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    st_list_free(&boxes);
    return failed;
}
