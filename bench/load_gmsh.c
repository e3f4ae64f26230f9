// How long does a Gmsh file of one million tetrahedra take, compared with reading its bytes and its numbers and keeping
// nothing?
//
// The mesh is a grid of cubes of 5 tetrahedra each, written as format 2 into a temporary file. "numbers" reads the file
// and every number in it with the library's own reader; "mesh" makes points and tetrahedra of them; "faces" adds the
// missing faces and edges, as MeshGmshLoader does. Best of several tries.
//
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/text.h"
#include "io/mesh_loader.h"
#include "io/mesh_reader.h"
#include "scene/xml.h"

enum { SIDE = 58, TRIES = 5 }; // 58³ cubes: 975 560 tetrahedra

static int number(int x, int y, int z) { return 1 + x + (SIDE + 1) * (y + (SIDE + 1) * z); }

static void write_cube(FILE *file, int x, int y, int z, int *index) {
    static const int tetrahedra[2][5][4] = {{{0, 1, 3, 4}, {1, 2, 3, 6}, {1, 4, 5, 6}, {3, 4, 6, 7}, {1, 3, 4, 6}},
                                            {{0, 1, 2, 5}, {0, 2, 3, 7}, {0, 4, 5, 7}, {2, 5, 6, 7}, {0, 2, 5, 7}}};
    const int v[8] = {
        number(x, y, z),     number(x + 1, y, z),     number(x + 1, y + 1, z),     number(x, y + 1, z),
        number(x, y, z + 1), number(x + 1, y, z + 1), number(x + 1, y + 1, z + 1), number(x, y + 1, z + 1)};
    for (int t = 0; t < 5; t++) {
        const int *c = tetrahedra[(x + y + z) % 2][t];
        fprintf(file, "%d 4 2 1 1 %d %d %d %d\n", ++*index, v[c[0]], v[c[1]], v[c[2]], v[c[3]]);
    }
}

static void write_mesh(FILE *file) {
    int index = 0;
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", (SIDE + 1) * (SIDE + 1) * (SIDE + 1));
    for (int z = 0; z <= SIDE; z++)
        for (int y = 0; y <= SIDE; y++)
            for (int x = 0; x <= SIDE; x++)
                fprintf(file, "%d %.15g %.15g %.15g\n", number(x, y, z), x / 57.0, y / 57.0, z / 57.0);

    fprintf(file, "$EndNodes\n$Elements\n%d\n", 5 * SIDE * SIDE * SIDE);
    for (int z = 0; z < SIDE; z++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) write_cube(file, x, y, z, &index);

    fprintf(file, "$EndElements\n");
}

static char *read_file(const char *path, size_t *length) {
    char why[100];
    st_source_id id;
    return st_source_read(path, (size_t)1 << 30, length, &id, why, sizeof why);
}

static double best(double time, double so_far) { return so_far == 0 || time < so_far ? time : so_far; }

static void time_numbers(const char *path, double *time, size_t *count) {
    const double start = st_clock_seconds();
    size_t length = 0;
    char *text = read_file(path, &length);
    const char *cursor = text, *end = text ? text + length : NULL;
    *count = 0;

    st_real value;
    while (cursor && (cursor = st_text_skip_blanks(cursor, end)) < end) {
        if (st_text_read_real(&cursor, end, &value) == ST_TEXT_OK) ++*count;
        else
            while (cursor < end && !st_text_is_blank(*cursor)) cursor++;
    }

    st_free(text);
    *time = best(st_clock_seconds() - start, *time);
}

static bool time_mesh(const char *path, double *time, double *faces) {
    const double start = st_clock_seconds();
    size_t length = 0;
    char *text = read_file(path, &length);
    st_mesh mesh = {0};
    st_mesh_file file = st_mesh_file_of_text(text, length);

    // the mesh
    bool ok = text && st_gmsh_read(&mesh, &file);
    st_free(text);
    *time = best(st_clock_seconds() - start, *time);

    // its faces and edges
    ok = ok && st_mesh_create_subelements(mesh.elements);
    *faces = best(st_clock_seconds() - start, *faces);

    st_mesh_free(&mesh);
    return ok;
}

int main(void) {
    char path[] = "/tmp/settee-bench-XXXXXX";
    const int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file) return perror(path), EXIT_FAILURE;

    write_mesh(file);
    fclose(file);

    // both in turn, so that they meet the same machine
    double numbers = 0, mesh = 0, faces = 0;
    size_t count = 0, length = 0;
    bool ok = true;
    for (int i = 0; ok && i < TRIES; i++) {
        time_numbers(path, &numbers, &count);
        ok = time_mesh(path, &mesh, &faces);
    }

    st_free(read_file(path, &length));
    unlink(path);
    if (!ok) return EXIT_FAILURE;

    printf("file     %8.1f MB, %.1f million numbers, %d tetrahedra\n", (double)length / 1e6, (double)count / 1e6,
           5 * SIDE * SIDE * SIDE);
    printf("numbers  %8.3f s\nmesh     %8.3f s  %.2f times\nfaces    %8.3f s  %.2f times\n", numbers, mesh,
           mesh / numbers, faces, faces / numbers);
    return EXIT_SUCCESS;
}
