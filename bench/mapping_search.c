// How long mappings look for what carries their points: init of 1e5 points on 1e5 elements, for every mapper and for
// points that are inside, just outside, far outside, all in one place, or in a mesh with one giant element among tiny
// ones. A loop over all pairs would take minutes; goal: below 1 s in every row.
//
//     mapping_search [PART OF A ROW'S NAME]
//
// Processor time, best of three.
//
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "settee/plugin/physics.h"
#include "settee/settee.h"
#include "text.h"

enum { POINTS = 100000, TRIES = 3 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint32_t seed = 12345;
static double next(void) { // in [0, 1)
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

// ---------------------------------------------------------------------------------------------------
// Meshes, in the unit cube
// ---------------------------------------------------------------------------------------------------

typedef struct mesh {
    const char *name, *attribute;
    int n[3]; // points along each axis
    int corners;
    int cell[6][8]; // elements of a box, or of a square, by its corners
    int cells;
} mesh;

static const mesh meshes[] = {
    {"tetrahedra",
     "tetrahedra",
     {27, 27, 27},
     4,
     {{0, 5, 1, 6}, {0, 1, 3, 6}, {1, 3, 6, 2}, {6, 3, 0, 7}, {6, 7, 0, 5}, {7, 5, 4, 0}},
     6},
    {"hexahedra", "hexahedra", {47, 47, 47}, 8, {{0, 1, 2, 3, 4, 5, 6, 7}}, 1},
    {"triangles", "triangles", {225, 225, 1}, 3, {{0, 1, 2}, {0, 2, 3}}, 2},
    {"quads", "quads", {317, 317, 1}, 4, {{0, 1, 2, 3}}, 1},
    {"edges", "edges", {100001, 1, 1}, 2, {{0, 1}}, 1},
};

// A little out of square, so that no point lies on a face by chance; a sheet waves, a line winds.
static void append_place(text *t, const mesh *m, int x, int y, int z) {
    const double u = (double)x / (m->n[0] - 1), v = m->n[1] > 1 ? (double)y / (m->n[1] - 1) : 0;
    const double w = m->n[2] > 1 ? (double)z / (m->n[2] - 1) : 0, jitter = 0.1 / m->n[0];

    if (m->n[1] == 1) append(t, "%.7f %.7f %.7f ", 0.5 + 0.5 * cos(40 * u), 0.5 + 0.5 * sin(40 * u), u);
    else if (m->n[2] == 1) append(t, "%.7f %.7f %.7f ", u, v, 0.5 + 0.1 * sin(6 * u) * cos(5 * v));
    else append(t, "%.7f %.7f %.7f ", u + jitter * next(), v + jitter * next(), w + jitter * next());
}

static void append_mesh(text *t, const mesh *m, const char *container, bool giant) {
    static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

    const int count = m->n[0] * m->n[1] * m->n[2];

    // points; the giant element has eight of its own
    append(t, "<%s name='mesh' position='", container);
    for (int i = 0; i < count; i++) append_place(t, m, i % m->n[0], i / m->n[0] % m->n[1], i / m->n[0] / m->n[1]);
    for (int k = 0; giant && k < 8; k++)
        append(t, "%d %d %d ", 2000 * corner[k][0] - 1000, 2000 * corner[k][1] - 1000, 2000 * corner[k][2] - 1000);

    // elements of each cell
    append(t, "' %s='", m->attribute);
    for (int i = 0; i < count; i++) {
        const int at[3] = {i % m->n[0], i / m->n[0] % m->n[1], i / m->n[0] / m->n[1]};
        if (at[0] + 1 == m->n[0] || (m->n[1] > 1 && at[1] + 1 == m->n[1]) || (m->n[2] > 1 && at[2] + 1 == m->n[2]))
            continue;
        for (int c = 0; c < m->cells; c++)
            for (int k = 0; k < m->corners; k++) {
                const int *d = corner[m->cell[c][k]];
                append(t, "%d ", at[0] + d[0] + m->n[0] * (at[1] + d[1] + m->n[1] * (at[2] + d[2])));
            }
    }

    for (int k = 0; giant && k < m->corners; k++)
        append(t, "%d ", count + (m->corners == 4 && m->cells == 6 ? (const int[]){0, 1, 3, 4}[k] : k));

    append(t, "'/>");
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

typedef enum placement { INSIDE, NEAR, FAR, ONE_PLACE, GIANT, PLACEMENTS } placement;
static const char *const placement_names[] = {"inside", "just outside", "far outside", "all in one place",
                                              "one giant element"};

static void append_points(text *t, placement where) {
    append(t, "<MechanicalObject name='child' position='");
    for (int i = 0; i < POINTS; i++) {
        double p[3] = {next(), next(), next()};

        const int axis = i % 3;
        if (where == NEAR) p[axis] = i % 2 ? 1.01 + 0.02 * next() : -0.01 - 0.02 * next();
        for (int k = 0; where == FAR && k < 3; k++) p[k] = 1000 * (p[k] - 0.5) + (k == axis ? 2000 : 0);
        for (int k = 0; where == ONE_PLACE && k < 3; k++) p[k] = 0.5 + 0.001 * p[k];

        append(t, "%.8g %.8g %.8g ", p[0], p[1], p[2]);
    }
    append(t, "'/>");
}

// ---------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------

static const char *filter = "";

// `once`: what is found stays, so that the time is that of the first init, of the whole scene.
static void measure(const char *name, const text *t, bool once) {
    st_config config = st_default_config();
    st_scene *scene = st_scene_create(&config);
    double best = 1e9;
    if (!scene || !st_succeeded(st_scene_load_text(scene, t->data, t->size, NULL))) abort();

    // the whole scene once
    const double start = now();
    st_scene_init(scene);
    if (once) best = now() - start;

    // then only the mapping
    st_object *mapping = st_scene_find(scene, "/points/mapping");
    if (!mapping || !st_is_valid(mapping)) abort();
    for (int k = 0; !once && k < TRIES; k++) {
        const double begin = now();
        mapping->type->init(mapping);
        const double seconds = now() - begin;
        best = seconds < best ? seconds : best;
    }

    printf("search: %-60s %.3f s\n", name, best);
    fflush(stdout);
    st_scene_destroy(scene);
}

static bool wanted(char name[128], const char *a, const char *b, const char *c) {
    snprintf(name, 128, "%s%s%s, %s", a, *b ? ", " : "", b, c);
    return strstr(name, filter) != NULL;
}

static void measure_mesh(const mesh *m, const char *container, placement where) {
    char name[128];
    text t = {0};
    if (!wanted(name, m->name, container, placement_names[where])) return;

    append(&t, "<Node name='root'><DefaultAnimationLoop/>");
    append_mesh(&t, m, container, where == GIANT);
    append(&t, "<MechanicalObject name='parent'/><Node name='points'>");
    append_points(&t, where);
    append(&t, "<BarycentricMapping name='mapping'/></Node></Node>");

    measure(name, &t, false);
    free(t.data);
}

// A sphere in cells: its surface is the grid's.
static void measure_sparse_grid(placement where) {
    enum { N = 60 };
    char name[128];
    text t = {0};
    if (where == GIANT || !wanted(name, "sparse grid", "", placement_names[where])) return;

    // the surface, as a mesh of quads
    append(&t, "<Node name='root'><DefaultAnimationLoop/><SparseGridTopology n='100 100 100' position='");
    for (int i = 0; i < N * N; i++) {
        const double a = 3.14159265 * (i / N) / (N - 1), b = 2 * 3.14159265 * (i % N) / N;
        append(&t, "%.6f %.6f %.6f ", 0.5 + 0.5 * sin(a) * cos(b), 0.5 + 0.5 * sin(a) * sin(b), 0.5 + 0.5 * cos(a));
    }

    append(&t, "' quads='");
    for (int i = 0; i < N * (N - 1); i++) {
        const int row = N * (i / N), next_one = (i + 1) % N;
        append(&t, "%d %d %d %d ", i, row + next_one, row + N + next_one, i + N);
    }

    append(&t, "'/><MechanicalObject name='parent'/><Node name='points'>");
    append_points(&t, where);
    append(&t, "<BarycentricMapping name='mapping'/></Node></Node>");

    measure(name, &t, false);
    free(t.data);
}

static void measure_skinning(placement where) {
    char name[128];
    text t = {0};
    if (where == GIANT || !wanted(name, "SkinningMapping, 1e5 frames", "", placement_names[where])) return;

    append(&t, "<Node name='root'><DefaultAnimationLoop/><MechanicalObject template='Rigid3' name='parent' position='");
    for (int i = 0; i < POINTS; i++) append(&t, "%.6f %.6f %.6f 0 0 0 1 ", next(), next(), next());
    append(&t, "'/><Node name='points'>");
    append_points(&t, where);
    append(&t, "<SkinningMapping name='mapping'/></Node></Node>");

    measure(name, &t, false);
    free(t.data);
}

// Points of a plane, where the first coordinate does not help.
static void measure_subset(void) {
    char name[128];
    text t = {0}, places = {0};
    if (!wanted(name, "SubsetMapping, 1e5 points in a plane", "", "by place")) return;

    // the same points twice: as parents and as children
    for (int i = 0; i < POINTS; i++) append(&places, "0 %d %d ", i % 317, i / 317);
    append(&t, "<Node name='root'><DefaultAnimationLoop/><MeshTopology/><MechanicalObject name='parent' position='");
    for (int k = 0; k < 2; k++) {
        t.data = realloc(t.data, t.capacity += places.size + 4096);
        if (!t.data) abort();
        memcpy(t.data + t.size, places.data, places.size);
        t.size += places.size;
        append(&t, k == 0 ? "'/><Node name='points'><MechanicalObject name='child' position='" : "'/>");
    }

    append(&t, "<SubsetMapping name='mapping'/></Node></Node>");
    measure(name, &t, true);

    free(places.data);
    free(t.data);
}

int main(int count, char **arguments) {
    static const char *const containers[] = {"TetrahedronSetTopologyContainer", "HexahedronSetTopologyContainer",
                                             "TriangleSetTopologyContainer", "QuadSetTopologyContainer"};

    if (count > 1) filter = arguments[1];
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++)
        for (int where = 0; where < PLACEMENTS; where++) {
            measure_mesh(&meshes[i], "MeshTopology", (placement)where);
            if (meshes[i].corners > 2) measure_mesh(&meshes[i], containers[i], (placement)where);
        }

    for (int where = 0; where < PLACEMENTS; where++) measure_sparse_grid((placement)where);
    for (int where = 0; where < PLACEMENTS; where++) measure_skinning((placement)where);
    measure_subset();
    return EXIT_SUCCESS;
}
