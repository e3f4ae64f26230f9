// Frames and lines that carry points, found by search: against loops over all of them, ties included.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/carried_rows.h"
#include "mapping_check.h"
#include "math/vec3.h"

enum { FRAMES = 150, POINTS = 80 };

// On a lattice, where many are as near, and elsewhere.
static st_real coordinate(int i) { return i % 2 ? (st_real)(rand() % 5) : (st_real)(4 * mapping_random()); }

static void places(char *text, size_t size, int count, const char *turn) {
    size_t at = 0;
    for (int i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, size - at, "%.9g %.9g %.9g %s ", (double)coordinate(i), (double)coordinate(i),
                               (double)coordinate(i), turn);
}

static physics_scene *load(const char *edges, const char *mapping) {
    static char frames[FRAMES * 64], points[POINTS * 64];
    places(frames, sizeof frames, FRAMES, "0 0 0 1");
    places(points, sizeof points, POINTS, "");
    char *text =
        st_string_format("<MeshTopology edges='%s'/><MechanicalObject name='p' template='Rigid3' position='%s'/>"
                         "<Node name='c'><MechanicalObject name='s' position='%s'/><%s name='m'/></Node>",
                         edges, frames, points, mapping);
    physics_scene *test = physics_load(text);
    st_free(text);
    assert_true(st_is_valid(physics_find(test, "/c/m")));
    return test;
}

// One row, heaviest first: frames must be the same, weights too.
static void compare_row(const st_carried_rows *rows, size_t i, const uint32_t *frames, const st_real *weights,
                        size_t count) {
    st_real sum = 0;
    for (size_t k = 0; k < count; k++) sum += weights[k];
    assert_int_equal(rows->start.data[i + 1] - rows->start.data[i], count);
    for (size_t k = 0; k < count; k++) {
        assert_int_equal(rows->frame.data[rows->start.data[i] + k], frames[k]);
        assert_true(fabs(rows->weight.data[rows->start.data[i] + k] - weights[k] / sum) <= MAPPING_ROUNDING);
    }
}

static void frames_of_points(void **unused) {
    (void)unused;
    for (int most = 1; most <= 7; most += 3) {
        char name[64];
        snprintf(name, sizeof name, "SkinningMapping nbRef='%d'", most);
        physics_scene *test = load("", name);
        const st_carried_rows *rows = &((const st_carried_mapping *)physics_find(test, "/c/m"))->rows;
        const st_real *x = physics_state(test, "/p")->coord[ST_COORD_REST].data;
        const st_reals *p = &physics_state(test, "/c/s")->coord[ST_COORD_REST];
        for (size_t i = 0; i < POINTS; i++) {
            uint32_t best[8] = {0};
            st_real weights[8] = {0};
            for (uint32_t j = 0; j < FRAMES; j++) {
                st_real d[3];
                st_vec3_sub(d, p->data + 3 * i, x + 7 * j);
                const st_real square = st_vec3_norm2(d), w = square > 0 ? 1 / square : ST_REAL_MAX / 100;
                int at = most;
                for (; at > 0 && w > weights[at - 1]; at--) best[at] = best[at - 1], weights[at] = weights[at - 1];
                best[at] = j, weights[at] = w;
            }
            compare_row(rows, i, best, weights, (size_t)most);
        }
        physics_free(test);
    }
}

static st_real influence(const st_real *a, const st_real *b, const st_real *x, int power) {
    st_real d[3], sum = 0;
    st_vec3_sub(d, b, a);
    for (int i = 0; i <= 1000; i++) {
        st_real q[3];
        st_vec3_add_scaled(q, a, d, (st_real)i / 1000);
        sum += pow(1 / st_max(st_vec3_distance(q, x), ST_R(1e-30)), (st_real)power);
    }
    return st_min(st_vec3_norm(d) / 1000 * sum, ST_REAL_MAX / 1000);
}

static bool touch(const uint32_t *a, const uint32_t *b) {
    return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

static void compare_lines(int power, int level) {
    enum { LINES = FRAMES - 1, MOST = 4 };
    char edges[LINES * 12], name[128];
    uint32_t lines[LINES][2];
    size_t at = 0;
    for (uint32_t i = 0; i < LINES; i++) { // a tree of lines
        lines[i][0] = i + 1, lines[i][1] = i / 3;
        at += (size_t)snprintf(edges + at, sizeof edges - at, "%u %u ", lines[i][0], lines[i][1]);
    }
    snprintf(name, sizeof name, "LineSetSkinningMapping weightCoef='%d' neighborhoodLevel='%d'", power, level);
    physics_scene *test = load(edges, name);
    const st_carried_rows *rows = &((const st_carried_mapping *)physics_find(test, "/c/m"))->rows;
    const st_real *x = physics_state(test, "/p")->coord[ST_COORD_REST].data;
    const st_reals *p = &physics_state(test, "/c/s")->coord[ST_COORD_REST];
    for (size_t i = 0; i < POINTS; i++) {
        st_real all[LINES], weights[MOST];
        uint32_t frames[MOST];
        int reach[LINES];
        size_t best = 0, count = 0;
        for (size_t l = 0; l < LINES; l++) {
            all[l] = influence(x + 7 * lines[l][0], x + 7 * lines[l][1], p->data + 3 * i, power);
            if (all[l] > all[best]) best = l;
        }
        for (size_t l = 0; l < LINES; l++) reach[l] = l == best ? 0 : 1000;
        for (int k = 0; k < level; k++)
            for (size_t l = 0; l < LINES; l++)
                for (size_t m = 0; m < LINES; m++)
                    if (reach[m] == k && reach[l] > k + 1 && touch(lines[l], lines[m])) reach[l] = k + 1;
        for (; count < MOST; count++) {
            size_t next = LINES;
            for (size_t l = 0; l < LINES; l++)
                if (reach[l] <= level && (next == LINES || all[l] > all[next])) next = l;
            if (next == LINES) break;
            frames[count] = lines[next][0], weights[count] = all[next];
            reach[next] = 1000;
        }
        compare_row(rows, i, frames, weights, count);
    }
    physics_free(test);
}

static void lines_of_points(void **unused) {
    (void)unused;
    compare_lines(4, 3);
    compare_lines(1, 1);
    compare_lines(0, 2);
    compare_lines(-2, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_points),
        cmocka_unit_test(lines_of_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
