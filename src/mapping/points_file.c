// Points for a mapping: centers of spheres, or the points of a mesh.
//
//     sph 1.0                  sphe index x y z radius
//     Xsp 3.0                  mass x y z vx vy vz m e fixed simulated    (.xs3, one line for each point)
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/points_file.h"

#include "base/array.h"
#include "base/text.h"
#include "topology/file/mesh_file.h"
#include "topology/file/mesh_formats.h"

static bool points_file_add_point(st_reals *points, const st_real p[3]) {
    const size_t at = points->count;

    if (!st_list_set_count(points, at + 1, 3)) return false;
    st_copy_reals(points->data + 3 * at, p, 3);
    return true;
}

// False: out of memory.
static bool points_file_read_line(st_mesh_file *file, const char *cursor, const char *end, st_reals *points) {
    const char *word, *index;
    size_t length;
    st_real p[3];
    if (!st_mesh_file_word(&cursor, end, &word, &length)) return true;

    // other lines mean nothing here
    const bool sphere = st_text_is(word, length, "sphe");
    if (!sphere && !st_text_is(word, length, "mass")) return true;
    if (sphere && !st_mesh_file_word(&cursor, end, &index, &length)) return true;

    if (st_mesh_file_reals(&cursor, end, p, 3)) return points_file_add_point(points, p);
    st_mesh_file_problem(file, file->line, "three finite numbers are expected");
    return true;
}

static st_status read_spheres(st_object *object, const char *filename, st_reals *points) {
    st_mesh_file file;
    const char *begin, *end;
    bool ok = true;

    if (!st_mesh_file_open(&file, object, filename)) return ST_INVALID;

    while (ok && st_mesh_file_line(&file, &begin, &end)) ok = points_file_read_line(&file, begin, end, points);
    const bool good = file.problems == 0;
    st_mesh_file_close(&file);

    if (!ok) return ST_OUT_OF_MEMORY;
    return good ? ST_OK : st_invalid(object, "%s cannot be read", filename);
}

st_status st_read_points(st_object *object, const char *filename, st_reals *points) {
    if (st_text_ends_with(filename, ".sph") || st_text_ends_with(filename, ".xs3"))
        return read_spheres(object, filename, points);

    st_mesh mesh = {0};
    bool ok = st_mesh_read_topology(&mesh, object, filename);
    const bool read = ok;

    // as far as memory lasts; a file that cannot be read is reported as such
    for (size_t i = 0; ok && i < mesh.position.count; i++)
        ok = points_file_add_point(points, mesh.position.data + 3 * i);

    st_mesh_free(&mesh);
    if (!read) return st_invalid(object, "%s cannot be read", filename);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}
