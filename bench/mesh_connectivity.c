// How long does it take to load a mesh of tetrahedra and to find all its connectivity, and how much memory does it
// hold?
//
// Meshes of about 10^4, 10^5 and 10^6 tetrahedra are cut from grids, six a cell, and written as Gmsh files. Timed is
// reading the file, and everything that a container of tetrahedra can be asked: its edges and triangles, the parts of
// its elements, and the elements around vertices, edges and triangles. The yardstick, in the same run, is to read the
// bytes of the file, as cat does, and to sort the edges of all tetrahedra once: with a radix sort, which is as fast as
// a sort can be, and with qsort. Growth is linear when the nanoseconds per tetrahedron stay the same. Bytes are those
// that the topology holds at the end: positions, lists and neighborhoods. Best of several tries.
//
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "io/mesh_reader.h"
#include "io/mesh_write.h"
#include "settee/settee.h"
#include "topology/adjacency.h"
#include "topology/container.h"
#include "topology/tables.h"

enum { TRIES = 3 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---------------------------------------------------------------------------------------------------
// The mesh
// ---------------------------------------------------------------------------------------------------

static uint32_t point(size_t n, size_t x, size_t y, size_t z) { return (uint32_t)(x + (n + 1) * (y + (n + 1) * z)); }

static void cut_cell(uint32_t *to, size_t n, size_t x, size_t y, size_t z) {
    static const int tetrahedra[6][4] = {{0, 5, 1, 6}, {0, 1, 3, 6}, {1, 3, 6, 2},
                                         {6, 3, 0, 7}, {6, 7, 0, 5}, {7, 5, 4, 0}};
    const uint32_t v[8] = {
        point(n, x, y, z),     point(n, x + 1, y, z),     point(n, x + 1, y + 1, z),     point(n, x, y + 1, z),
        point(n, x, y, z + 1), point(n, x + 1, y, z + 1), point(n, x + 1, y + 1, z + 1), point(n, x, y + 1, z + 1)};
    for (int t = 0; t < 6; t++)
        for (int i = 0; i < 4; i++) to[4 * t + i] = v[tetrahedra[t][i]];
}

// n cells along each side
static bool fill(st_topology *topology, size_t n) {
    const size_t points = (n + 1) * (n + 1) * (n + 1);
    st_topology_clear(topology);

    if (!st_resize_member(&topology->object, &topology->position, points)) return false;
    if (!st_list_set_count(&topology->elements[ST_TETRAHEDRON], 6 * n * n * n, 4)) return false;
    for (size_t i = 0; i < points; i++) {
        topology->position.data[3 * i] = (st_real)(i % (n + 1));
        topology->position.data[3 * i + 1] = (st_real)(i / (n + 1) % (n + 1));
        topology->position.data[3 * i + 2] = (st_real)(i / (n + 1) / (n + 1));
    }

    uint32_t *to = topology->elements[ST_TETRAHEDRON].data;
    for (size_t z = 0; z < n; z++)
        for (size_t y = 0; y < n; y++)
            for (size_t x = 0; x < n; x++, to += 24) cut_cell(to, n, x, y, z);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// What is measured
// ---------------------------------------------------------------------------------------------------

static bool write_file(const char *path, const st_topology *topology) {
    FILE *file = fopen(path, "w");
    st_mesh_view view = {.points = topology->position.data, .point_count = topology->position.count};
    view.elements[ST_TETRAHEDRON].vertices = topology->elements[ST_TETRAHEDRON].data;
    view.elements[ST_TETRAHEDRON].count = topology->elements[ST_TETRAHEDRON].count;

    if (file) st_mesh_write_gmsh(file, &view);
    return file && fclose(file) == 0;
}

// What cat does, to /dev/null.
static double read_bytes(const char *path) {
    static char buffer[1 << 17];
    const double begin = now();
    const int file = open(path, O_RDONLY), nowhere = open("/dev/null", O_WRONLY);

    ssize_t got = -1;
    while (file >= 0 && nowhere >= 0 && (got = read(file, buffer, sizeof buffer)) > 0)
        if (write(nowhere, buffer, (size_t)got) != got) break;

    if (file >= 0) close(file);
    if (nowhere >= 0) close(nowhere);
    return got == 0 ? now() - begin : -1;
}

// The topology takes over the lists of the file.
static double load(st_topology *topology, const char *path) {
    st_mesh mesh = {0};
    st_mesh_file file;
    const double begin = now();
    if (!st_mesh_file_open_path(&file, path, NULL, NULL)) return -1;

    const bool ok = st_gmsh_read(&mesh, &file);
    st_mesh_file_close(&file);

    st_topology_clear(topology);
    const st_reals position = topology->position;
    topology->position = mesh.position;
    mesh.position = position;
    const st_uints tetrahedra = topology->elements[ST_TETRAHEDRON];
    topology->elements[ST_TETRAHEDRON] = mesh.elements[ST_TETRAHEDRON];
    mesh.elements[ST_TETRAHEDRON] = tetrahedra;

    st_mesh_free(&mesh);
    return ok ? now() - begin : -1;
}

static double connect_elements(st_topology *topology) {
    const double begin = now();
    if (st_topology_init_again(topology) != ST_OK) return -1;

    static const struct {
        st_element upper;
        int lower;
    } tables[] = {{ST_EDGE, ST_VERTEX},   {ST_TRIANGLE, ST_VERTEX},  {ST_TETRAHEDRON, ST_VERTEX},
                  {ST_TRIANGLE, ST_EDGE}, {ST_TETRAHEDRON, ST_EDGE}, {ST_TETRAHEDRON, ST_TRIANGLE}};

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (!st_topology_around(topology, tables[i].upper, tables[i].lower).starts) return -1;
    return now() - begin;
}

static size_t bytes_held(const st_topology *topology) {
    size_t bytes = topology->position.capacity * 3 * sizeof(st_real) + st_adjacency_bytes(topology);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        bytes += topology->elements[kind].capacity * st_element_size[kind] * sizeof(uint32_t);
    return bytes;
}

static uint64_t *edge_keys(const st_uints *tetrahedra, size_t *count) {
    *count = 6 * tetrahedra->count;
    uint64_t *keys = malloc(*count * sizeof *keys);

    for (size_t i = 0; keys && i < *count; i++) {
        const uint32_t *v = tetrahedra->data + i / 6 * 4;
        const uint64_t a = v[st_tetrahedron_edges[i % 6][0]], b = v[st_tetrahedron_edges[i % 6][1]];
        keys[i] = a < b ? a << 32 | b : b << 32 | a;
    }
    return keys;
}

static int compare(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Bytes that are the same in all keys are skipped.
static bool radix_sort(uint64_t *keys, size_t count) {
    uint64_t *other = malloc(count * sizeof *other), *from = keys, *to = other;
    if (!other) return false;
    for (int shift = 0; shift < 64; shift += 8) {
        size_t places[257] = {0};
        for (size_t i = 0; i < count; i++) places[(from[i] >> shift & 255) + 1]++;

        if (places[(from[0] >> shift & 255) + 1] == count) continue;
        for (int d = 0; d < 256; d++) places[d + 1] += places[d];
        for (size_t i = 0; i < count; i++) to[places[from[i] >> shift & 255]++] = from[i];

        uint64_t *swap = from;
        from = to;
        to = swap;
    }

    if (from != keys) memcpy(keys, from, count * sizeof *keys);
    free(other);
    return true;
}

static double sort_edges(const st_topology *topology, bool radix) {
    size_t count;
    const double begin = now();
    uint64_t *keys = edge_keys(&topology->elements[ST_TETRAHEDRON], &count);
    if (!keys) return -1;

    if (radix) radix_sort(keys, count);
    else qsort(keys, count, sizeof *keys, compare);
    const double seconds = now() - begin;
    free(keys);
    return seconds;
}

static void keep_best(double *best, double seconds) {
    if (*best == 0 || seconds < *best) *best = seconds;
}

static bool measure(st_topology *topology, size_t n, const char *path) {
    double loading = 0, all = 0, cat = 0, radix = 0, sorted = 0;
    if (!fill(topology, n) || !write_file(path, topology)) return false;

    for (int k = 0; k < TRIES; k++) {
        keep_best(&loading, load(topology, path));
        keep_best(&all, connect_elements(topology));
        keep_best(&cat, read_bytes(path));
        keep_best(&radix, sort_edges(topology, true));
        keep_best(&sorted, sort_edges(topology, false));
        if (loading < 0 || all < 0 || cat < 0 || radix < 0 || sorted < 0) return false;
    }

    const double count = (double)topology->elements[ST_TETRAHEDRON].count, both = loading + all;
    printf("%10.0f %8.4f s %8.4f s %7.1f ns %7.1f bytes   %5.2f x %5.2f x\n", count, loading, all, 1e9 * both / count,
           (double)bytes_held(topology) / count, both / (cat + radix), both / (cat + sorted));
    return true;
}

int main(void) {
    static const size_t sides[] = {12, 26, 55}; // 10368, 105456, 998250 tetrahedra
    static const char scene_text[] = "<Node name='root'><TetrahedronSetTopologyContainer name='mesh'/></Node>";
    st_scene *scene = st_scene_create(NULL);
    if (!scene || !st_succeeded(st_scene_load_text(scene, scene_text, strlen(scene_text), NULL))) return 1;

    // a container to fill, and a file to read
    st_topology *topology = (st_topology *)st_scene_find(scene, "/mesh");
    char path[] = "/tmp/settee-bench-XXXXXX";
    const int descriptor = mkstemp(path);
    bool ok = topology && descriptor >= 0;
    if (descriptor >= 0) close(descriptor);

    printf("                                                              compared with cat and\n"
           "tetrahedra  loading   connecting  per tetra    per tetra   radix sort  qsort of all edges\n");
    for (size_t i = 0; ok && i < sizeof sides / sizeof *sides; i++) ok = measure(topology, sides[i], path);

    unlink(path);
    st_scene_destroy(scene);
    if (!ok) fprintf(stderr, "out of memory, or no room for files in /tmp\n");
    return !ok;
}
