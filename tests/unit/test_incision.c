// Incisions of triangle meshes: points and triangles as SOFA makes them, in its order, from a change file and from kept
// points; what they do to mass and area; what cannot be cut.
//
// labels: double-only
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include <unistd.h>

#include "base/array.h"
#include "io/change_incision.h"
#include "math/vec3.h"
#include "plan/edits.h"
#include "scene/scene.h"
#include "topology/edit.h"

// A grid of 4 × 4 points, number i + 4 j at (i j 0), two triangles in each cell.
static physics_scene *load_grid(const char *more) {
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "<Node name='body'><MechanicalObject name='dofs' position='");
    for (int i = 0; i < 16; i++) used += (size_t)snprintf(text + used, sizeof text - used, "%d %d 0 ", i % 4, i / 4);
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "'/><TriangleSetTopologyContainer name='mesh' position='@dofs.position' triangles='");
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            const int p = i + 4 * j;
            used += (size_t)snprintf(text + used, sizeof text - used, "%d %d %d %d %d %d ", p, p + 1, p + 5, p, p + 5,
                                     p + 4);
        }
    snprintf(text + used, sizeof text - used,
             "'/><TriangleSetTopologyModifier/><TriangleSetGeometryAlgorithms/>%s</Node>", more);
    return physics_load(text);
}

static st_topology *mesh_of(physics_scene *test) { return (st_topology *)physics_find(test, "/body/mesh"); }

static st_status incise(physics_scene *test, const st_real *places, size_t count) {
    st_incision_points points = {0};
    for (size_t i = 0; i < 3 * count; i++) assert_true(st_list_push(&points.places, places[i]));
    const st_status status = st_incise_points(physics_find(test, "/body/mesh"), mesh_of(test), &points);
    st_finish_edits(test->scene);
    st_incision_points_free(&points);
    return status;
}

typedef struct expected {
    size_t points, triangles;
    st_real places[12][2]; // of points from 16 on; as many as are given
    size_t place_count;
    uint32_t changed[24][4]; // number of a triangle, its vertices
    size_t changed_count;
} expected;

static void check(physics_scene *test, const expected *e) {
    const st_uints *triangles = &mesh_of(test)->elements[ST_TRIANGLE];
    const st_real *x = physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data;
    assert_int_equal(st_topology_points(mesh_of(test)), e->points);
    assert_int_equal(physics_state(test, "/body/dofs")->size, e->points);
    assert_int_equal(triangles->count, e->triangles);
    for (size_t i = 0; i < e->place_count; i++) assert_reals(x + 3 * (16 + i), 2, e->places[i], ST_R(1e-6));

    for (size_t i = 0; i < e->changed_count; i++)
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(triangles->data[3 * e->changed[i][0] + k], e->changed[i][1 + k]);
}

static st_real area_of(physics_scene *test) {
    const st_uints *triangles = &mesh_of(test)->elements[ST_TRIANGLE];
    const st_real *x = physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data;
    st_real area = 0;
    for (size_t i = 0; i < triangles->count; i++) {
        const uint32_t *t = triangles->data + 3 * i;
        st_real a[3], b[3], n[3];
        st_vec3_sub(a, x + 3 * t[1], x + 3 * t[0]);
        st_vec3_sub(b, x + 3 * t[2], x + 3 * t[0]);
        st_vec3_cross(n, a, b);
        assert_true(n[2] > 0); // no triangle is turned over
        area += n[2] / 2;
    }
    return area;
}

// ---------------------------------------------------------------------------------------------------
// As SOFA cuts
// ---------------------------------------------------------------------------------------------------

static const expected along_three_edges = {24,
                                           28,
                                           {{ST_R(0.6), ST_R(1.3)},
                                            {1, ST_R(1.38421053)},
                                            {ST_R(1.48666667), ST_R(1.48666667)},
                                            {2, ST_R(1.59473684)},
                                            {ST_R(2.5), ST_R(1.7)},
                                            {1, ST_R(1.38421053)},
                                            {ST_R(1.48666667), ST_R(1.48666667)},
                                            {2, ST_R(1.59473684)}},
                                           8,
                                           {{6, 20, 11, 10},
                                            {8, 20, 6, 11},
                                            {9, 20, 10, 19},
                                            {11, 20, 23, 6},
                                            {18, 16, 4, 5},
                                            {19, 16, 9, 4},
                                            {20, 16, 5, 21},
                                            {21, 16, 17, 9},
                                            {22, 5, 22, 21},
                                            {23, 18, 10, 9},
                                            {24, 17, 18, 9},
                                            {25, 10, 18, 19},
                                            {26, 22, 5, 6},
                                            {27, 23, 22, 6}},
                                           14};

static void a_line_opens_along_its_edges(void **state) {
    (void)state;
    physics_scene *test = load_grid("");
    assert_int_equal(incise(test, (st_real[]){ST_R(0.6), ST_R(1.3), 0, ST_R(2.5), ST_R(1.7), 0}, 2), ST_OK);
    check(test, &along_three_edges);
    assert_near(area_of(test), 9, 9 * 64 * ST_REAL_EPSILON);
    physics_free(test);
}

static void a_near_border_stays_closed(void **state) {
    (void)state;
    static const expected e = {26,
                               30,
                               {{ST_R(0.05), ST_R(1.4)}, {ST_R(0.448837209), ST_R(1.44883721)}},
                               2,
                               {{6, 25, 24, 6},
                                {7, 21, 11, 10},
                                {8, 21, 6, 11},
                                {9, 21, 10, 20},
                                {11, 21, 25, 6},
                                {18, 16, 8, 4},
                                {19, 16, 9, 8},
                                {20, 16, 4, 22},
                                {21, 16, 17, 9},
                                {22, 9, 17, 18},
                                {23, 22, 4, 5},
                                {24, 23, 22, 5},
                                {25, 5, 24, 23},
                                {26, 19, 10, 9},
                                {27, 18, 19, 9},
                                {28, 10, 19, 20},
                                {29, 24, 5, 6}},
                               17};
    physics_scene *test = load_grid("");
    assert_int_equal(incise(test, (st_real[]){ST_R(0.05), ST_R(1.4), 0, ST_R(2.5), ST_R(1.7), 0}, 2), ST_OK);
    check(test, &e);
    physics_free(test);
}

static void a_second_segment_goes_on(void **state) {
    (void)state;
    static const expected e = {30,
                               34,
                               {{ST_R(0.6), ST_R(1.3)},
                                {1, ST_R(1.3)},
                                {ST_R(1.3), ST_R(1.3)},
                                {ST_R(1.6), ST_R(1.3)},
                                {1, ST_R(1.3)},
                                {ST_R(1.3), ST_R(1.3)},
                                {ST_R(1.6), ST_R(1.6)},
                                {ST_R(1.6), 2},
                                {ST_R(1.6), ST_R(2.6)},
                                {ST_R(1.6), ST_R(2.7)},
                                {ST_R(1.6), ST_R(1.3)},
                                {ST_R(1.6), ST_R(1.6)}},
                               12,
                               {{6, 19, 5, 6},    {8, 25, 13, 9},  {9, 19, 21, 5},  {14, 25, 14, 13}, {15, 25, 9, 29},
                                {18, 16, 4, 5},   {19, 16, 9, 4},  {20, 16, 5, 20}, {21, 16, 17, 9},  {22, 5, 21, 20},
                                {23, 25, 24, 14}, {24, 17, 18, 9}, {25, 19, 6, 10}, {26, 26, 27, 18}, {27, 19, 10, 22},
                                {28, 10, 23, 22}, {29, 28, 9, 27}, {30, 9, 18, 27}, {31, 9, 28, 29},  {32, 23, 10, 24},
                                {33, 10, 14, 24}},
                               21};
    physics_scene *test = load_grid("");
    const st_real places[] = {ST_R(0.6), ST_R(1.3), 0, ST_R(1.6), ST_R(1.3), 0, ST_R(1.6), ST_R(2.7), 0};
    assert_int_equal(incise(test, places, 3), ST_OK);
    check(test, &e);
    assert_near(area_of(test), 9, 9 * 64 * ST_REAL_EPSILON);
    physics_free(test);
}

static void places_near_a_vertex_move_it(void **state) {
    (void)state;
    static const expected e = {
        19,
        22,
        {{ST_R(0.6), ST_R(1.3)}, {1, ST_R(1.48309859)}, {1, ST_R(1.48309859)}},
        3,
        {{6, 10, 18, 5}, {9, 10, 9, 17}, {18, 16, 4, 5}, {19, 16, 9, 4}, {20, 16, 5, 18}, {21, 16, 17, 9}},
        6};
    physics_scene *test = load_grid("<DiagonalMass name='mass' massDensity='2'/>");
    assert_int_equal(incise(test, (st_real[]){ST_R(0.6), ST_R(1.3), 0, ST_R(2.02), ST_R(1.95), 0}, 2), ST_OK);
    check(test, &e);

    // to the mean of the three places; the rest shape with it
    const st_state *dofs = physics_state(test, "/body/dofs");
    const st_real mean[2] = {ST_R(1.97030303), ST_R(1.92725139)};
    assert_reals(dofs->coord[ST_COORD_POSITION].data + 30, 2, mean, ST_R(1e-6));
    assert_reals(dofs->coord[ST_COORD_REST].data + 30, 2, mean, ST_R(1e-6));
    assert_near(area_of(test), 9, 9 * 64 * ST_REAL_EPSILON);
    assert_field(test, "/body/mass", "totalMass", "18");
    physics_free(test);
}

static void a_short_line_opens_in_the_middle(void **state) {
    (void)state;
    static const expected e = {22,
                               26,
                               {{ST_R(0.3), ST_R(1.5)},
                                {ST_R(0.594736842), ST_R(1.59473684)},
                                {1, ST_R(1.725)},
                                {ST_R(1.7), ST_R(1.95)},
                                {ST_R(0.594736842), ST_R(1.59473684)},
                                {1, ST_R(1.725)}},
                               6,
                               {{6, 19, 5, 10},
                                {7, 19, 9, 18},
                                {9, 19, 21, 5},
                                {18, 16, 8, 4},
                                {19, 16, 9, 8},
                                {20, 16, 4, 20},
                                {21, 16, 17, 9},
                                {22, 9, 17, 18},
                                {23, 20, 4, 5},
                                {24, 21, 20, 5},
                                {25, 19, 10, 9}},
                               11};
    physics_scene *test = load_grid("");
    assert_int_equal(incise(test, (st_real[]){ST_R(0.3), ST_R(1.5), 0, ST_R(1.7), ST_R(1.95), 0}, 2), ST_OK);
    check(test, &e);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// From a file
// ---------------------------------------------------------------------------------------------------

static physics_scene *load_with_file(const char *content, const char *attributes, char *path) {
    strcpy(path, "/tmp/settee_incision_XXXXXX");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, content, strlen(content)), (ssize_t)strlen(content));
    close(file);
    char more[512];
    snprintf(more, sizeof more, "<TopologicalChangeProcessor filename='%s' %s/>", path, attributes);
    return load_grid(more);
}

static void run_file(const char *content, const char *attributes, const expected *e, const char *message) {
    char path[64];
    physics_scene *test = load_with_file(content, attributes, path);
    for (int i = 0; i < 5; i++) assert_true(st_succeeded(st_scene_step(test->scene, 0)));
    if (message && !strstr(test->log, message)) print_message("%s", test->log);
    if (message) assert_non_null(strstr(test->log, message));
    if (e) check(test, e);

    // the first surface again
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_int_equal(mesh_of(test)->elements[ST_TRIANGLE].count, 18);
    if (e && !message) {
        for (int i = 0; i < 5; i++) st_scene_step(test->scene, 0);
        check(test, e);
    }
    physics_free(test);
    unlink(path);
}

#define LINE "0.6 1.3 0 2.5 1.7 0\n"

static void a_file_cuts(void **state) {
    (void)state;
    run_file("T= 0.02\n  INCISE= 2\n" LINE, "", &along_three_edges, NULL);
    run_file("T= 0.02\n  INCISE= 2\n6 0.6 1.3 0 11 2.5 1.7 0\n", "", NULL, NULL);
    run_file("T= 0.02\n  INCISE= 2\n7 0.6 1.3 0 8 2.5 1.7 0\n", "", NULL, "no incision");
    run_file("T= 0.02\n  INCISE= 2\n" LINE, "saveIndicesAtInit='1'", &along_three_edges, NULL);
}

static void bad_lines_are_refused(void **state) {
    (void)state;
    run_file("T= 0.02\n  INCISE= 2\n0.6 1.3 0\n", "", NULL, "INCISE of 2 points needs 3 or 4 numbers");
    run_file("T= 0.02\n  INCISE= 1\n0.6 1.3 0\n", "", NULL, "at least 2");
    run_file("T= 0.02\n  INCISE= x\n" LINE, "", NULL, "is no number");
    run_file("T= 0.02\n  INCISE= 2\n0.6 1.3 0 99 99 0\n", "", NULL, "no triangle is at (99 99 0)");
    run_file("T= 0.02\n  INCISE= 2\n77 0.6 1.3 0 8 2 2 0\n", "", NULL, "there is no triangle 77 among 18");
    run_file("T= 0.02\n  INCISE= 2\n0.6 1.3 0 0.6 1.3 0\n", "", NULL, "no incision");
    run_file("T= 0.02\n  INCISE= 2\n0.6 1.3 0 0.61 1.3 0\n", "", NULL, "both points are in one triangle");
    run_file("T= 0.02\n  INCISE= 2\n0.6 1.3 0 2.5 1.7 0 1\n", "", NULL, "neither 3 nor 4");
    run_file("T= 0.02\n  INCISE= 2\n0.6 nan 0 2.5 1.7 0\n", "", NULL, "needs 3 or 4 numbers");
    run_file("T= 0.02\n  INCISE= 2\n0.6 1.3 0\n", "saveIndicesAtInit='1'", NULL, "needs 3 or 4 numbers");
}

// Lines at random: whatever happens, no triangle is lost, and none is turned over.
static void random_lines_keep_the_area(void **state) {
    (void)state;
    uint64_t seed = 11;
    size_t cut = 0;
    for (int run = 0; run < 300; run++) {
        physics_scene *test = load_grid("<DiagonalMass name='mass' massDensity='1'/>");
        st_real places[6] = {0};
        for (int line = 0; line < 4; line++) {
            for (int k = 0; k < 6; k++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                if (k % 3 < 2) places[k] = 3 * (st_real)(seed >> 40) / ST_R(16777216.0);
            }
            cut += incise(test, places, 2) == ST_OK;
        }
        st_real area = 0;
        const st_uints *triangles = &mesh_of(test)->elements[ST_TRIANGLE];
        const st_real *x = physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data;
        for (size_t i = 0; i < triangles->count; i++) {
            const uint32_t *t = triangles->data + 3 * i;
            for (int k = 0; k < 3; k++) assert_true(t[k] < st_topology_points(mesh_of(test)));
            st_real a[3], b[3], n[3];
            st_vec3_sub(a, x + 3 * t[1], x + 3 * t[0]);
            st_vec3_sub(b, x + 3 * t[2], x + 3 * t[0]);
            st_vec3_cross(n, a, b);
            area += n[2] / 2;
        }
        assert_near(area, 9, ST_R(1e4) * ST_REAL_EPSILON);
        st_scene_step(test->scene, 0);
        physics_free(test);
    }
    assert_true(cut > 600); // most of them do cut
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_opens_along_its_edges),
        cmocka_unit_test(a_near_border_stays_closed),
        cmocka_unit_test(a_second_segment_goes_on),
        cmocka_unit_test(places_near_a_vertex_move_it),
        cmocka_unit_test(a_short_line_opens_in_the_middle),
        cmocka_unit_test(a_file_cuts),
        cmocka_unit_test(bad_lines_are_refused),
        cmocka_unit_test(random_lines_keep_the_area),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
