// Triangles and their neighbors in a .trian file.
//
//     first form     points {x y z} triangles {a b c  n0 n1 n2}
//     second form    13 lines, then: word points {x y z}  word normals {x y z}  word triangles {a b c}
//
// n_k is the triangle across the edge opposite to corner k, -1 where the surface ends:
//
//     n0 across b c     n1 across c a     n2 across a b
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "topology/file/mesh_formats.h"
#include "topology/file/mesh_scan.h"

enum { HEADER_LINES = 13 };

static bool read_count(st_mesh_file *file, bool word, const char *of, size_t *count) {
    const char *name;
    size_t length;

    if (word && !st_mesh_scan_word(file, &name, &length)) return st_mesh_scan_expected(file, "the number of %s", of);
    return st_mesh_scan_count(file, count) || st_mesh_scan_expected(file, "the number of %s", of);
}

static bool read_points(st_mesh *mesh, st_mesh_file *file, size_t count) {
    if (!st_mesh_promise_points(mesh, count, st_mesh_scan_left(file), 6)) return st_mesh_scan_no_memory(file);

    for (size_t i = 0; i < count; i++) {
        st_real x[3];
        if (!st_mesh_scan_reals(file, x, 3))
            return st_mesh_scan_expected(file, "a coordinate of point %zu of %zu", i + 1, count);
        if (!st_mesh_add_point(mesh, x)) return st_mesh_scan_no_memory(file);
    }
    return true;
}

static bool skip_normals(st_mesh_file *file, size_t count) {
    st_real x[3];
    for (size_t i = 0; i < count; i++)
        if (!st_mesh_scan_reals(file, x, 3)) return st_mesh_scan_expected(file, "normal %zu of %zu", i + 1, count);
    return true;
}

static bool read_corners(st_mesh *mesh, st_mesh_file *file, uint32_t v[3]) {
    for (int i = 0; i < 3; i++) {
        int32_t point;
        if (!st_mesh_scan_int(file, &point)) return st_mesh_scan_expected(file, "a corner of a triangle");

        // a point that exists
        if (point < 0 || (size_t)point >= mesh->position.count) {
            st_mesh_file_problem(file, st_mesh_scan_line(file, file->cursor),
                                 "the triangle uses point %d, but there are only %zu", point, mesh->position.count);
            return false;
        }

        v[i] = (uint32_t)point;
    }
    return true;
}

static bool push_edge(st_uints *list, uint32_t a, uint32_t b) {
    const size_t at = list->count;
    if (!st_list_set_count(list, at + 1, 2)) return false;
    list->data[2 * at] = a;
    list->data[2 * at + 1] = b;
    return true;
}

static bool add_border(st_trian_border *border, const uint32_t v[3], const int32_t n[3], size_t triangle) {
    const size_t at = border->neighbors.count;
    bool ok = st_list_set_count(&border->neighbors, at + 1, 3), outer = false;

    // an edge without a neighbor is on the border, and so is its triangle
    for (size_t i = 0; ok && i < 3; i++) {
        border->neighbors.data[3 * at + i] = n[i];
        if (n[i] >= 0) continue;
        outer = true;
        ok = push_edge(&border->edges, v[(i + 1) % 3], v[(i + 2) % 3]);
    }

    return ok && (!outer || st_list_push(&border->triangles, (uint32_t)triangle));
}

static bool read_neighbors(st_mesh_file *file, st_trian_border *border, const uint32_t v[3], size_t triangle,
                           size_t count) {
    int32_t n[3];

    for (int i = 0; i < 3; i++) {
        if (!st_mesh_scan_int(file, &n[i])) return st_mesh_scan_expected(file, "a neighbor of a triangle");

        // -1 is the border; others must be triangles of the file
        if (n[i] >= -1 && (n[i] < 0 || (size_t)n[i] < count)) continue;
        st_mesh_file_problem(file, st_mesh_scan_line(file, file->cursor),
                             "the triangle has the neighbor %d, but there are only %zu", n[i], count);
        return false;
    }

    return !border || add_border(border, v, n, triangle) || st_mesh_scan_no_memory(file);
}

bool st_trian_read(st_mesh *mesh, st_mesh_file *file, bool second, bool flip, st_trian_border *border) {
    size_t points, normals, triangles;

    for (int i = 0; second && i < HEADER_LINES; i++) st_mesh_scan_skip_line(file);

    // points, then normals in the second form
    if (!read_count(file, second, "points", &points) || !read_points(mesh, file, points)) return false;
    if (second && (!read_count(file, true, "normals", &normals) || !skip_normals(file, normals))) return false;

    // triangles, with their neighbors in the first form
    if (!read_count(file, second, "triangles", &triangles)) return false;
    for (size_t i = 0; i < triangles; i++) {
        uint32_t v[3];
        if (!read_corners(mesh, file, v)) return false;
        if (!second && !read_neighbors(file, border, v, i, triangles)) return false;
        if (!st_mesh_add(mesh, ST_TRIANGLE, v, flip)) return st_mesh_scan_no_memory(file);
    }
    return true;
}
