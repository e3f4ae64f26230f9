// MeshOffLoader: a surface from an OFF file.
//
//     OFF    points faces edges    {x y z}    {3 a b c | 4 a b c d}
//
// Lines that begin with # are comments. What follows on the line of a point or a face (colors) is skipped. Faces of
// other sizes are left out with a warning.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "io/mesh_loader.h"
#include "io/mesh_reader.h"
#include "topology/file/mesh_scan.h"

static void skip_comments(st_mesh_file *file) {
    for (;;) {
        file->cursor = st_text_skip_blanks(file->cursor, file->end);
        if (file->cursor == file->end || *file->cursor != '#') return;
        st_mesh_scan_skip_line(file);
    }
}

static bool read_points(st_mesh *mesh, st_mesh_file *file, size_t count) {
    if (!st_mesh_promise_points(mesh, count, st_mesh_scan_left(file), 6)) return st_mesh_scan_no_memory(file);

    for (size_t i = 0; i < count; i++) {
        st_real x[3];
        skip_comments(file);

        // three numbers; colors may follow
        if (!st_mesh_scan_reals(file, x, 3))
            return st_mesh_scan_expected(file, "a coordinate of point %zu of %zu", i + 1, count);
        if (!st_mesh_add_point(mesh, x)) return st_mesh_scan_no_memory(file);
        st_mesh_scan_skip_line(file);
    }
    return true;
}

static bool read_corners(st_mesh *mesh, st_mesh_file *file, int32_t size, uint32_t *v) {
    for (int32_t i = 0; i < size; i++) {
        int32_t point;
        if (!st_mesh_scan_int(file, &point))
            return st_mesh_scan_expected(file, "corner %d of %d of a face", i + 1, size);

        if (point < 0 || (size_t)point >= mesh->position.count) {
            st_mesh_file_problem(file, st_mesh_scan_line(file, file->cursor),
                                 "the face uses point %d, but there are only %zu", point, mesh->position.count);
            return false;
        }
        v[i] = (uint32_t)point;
    }
    return true;
}

static bool read_faces(st_mesh *mesh, st_mesh_file *file, size_t count, bool flip) {
    for (size_t i = 0; i < count; i++) {
        int32_t size;
        uint32_t v[4];

        skip_comments(file);
        if (!st_mesh_scan_int(file, &size) || size < 0)
            return st_mesh_scan_expected(file, "the number of corners of face %zu of %zu", i + 1, count);

        if (size == 3 || size == 4) {
            if (!read_corners(mesh, file, size, v)) return false;
            if (!st_mesh_add(mesh, size == 3 ? ST_TRIANGLE : ST_QUAD, v, flip)) return st_mesh_scan_no_memory(file);
        } else st_mesh_file_warn(file, st_mesh_scan_line(file, file->cursor), "a face of %d corners is left out", size);

        st_mesh_scan_skip_line(file);
    }
    return true;
}

bool st_off_read(st_mesh *mesh, st_mesh_file *file, bool flip) {
    size_t points, faces, edges;

    // OFF
    skip_comments(file);
    if (!st_mesh_scan_is(file, "OFF")) return st_mesh_scan_expected(file, "OFF");

    // points, faces, edges; what follows on the line has no meaning
    skip_comments(file);
    if (!st_mesh_scan_count(file, &points) || !st_mesh_scan_count(file, &faces) || !st_mesh_scan_count(file, &edges))
        return st_mesh_scan_expected(file, "\"points faces edges\"");
    st_mesh_scan_skip_line(file);

    return read_points(mesh, file, points) && read_faces(mesh, file, faces, flip);
}

static st_status mesh_off_loader_parse(st_object *object) {
    st_mesh_loader *loader = (st_mesh_loader *)object;
    st_mesh_file file;
    st_mesh mesh = {0};
    if (!st_mesh_loader_begin(loader, &file)) return ST_INVALID;
    const bool ok = st_off_read(&mesh, &file, loader->flip_normals);
    return st_mesh_loader_take(&mesh, loader, &file, ok);
}

const st_class st_mesh_off_loader_class = {
    .name = "MeshOffLoader",
    .help = "reads triangles and quads from an OFF file",
    .parent = &st_mesh_loader_class,
    .size = sizeof(st_mesh_loader),
    .example = "<MeshOffLoader name=\"loader\" filename=\"mesh/part.off\"/>",
    .parse = mesh_off_loader_parse,
};
