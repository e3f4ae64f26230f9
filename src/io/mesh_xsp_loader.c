// MeshXspLoader: particles as points and springs as edges, from an Xsp file.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_loader.h"
#include "io/mesh_reader.h"
#include "topology/file/mesh_scan.h"
#include "topology/xsp.h"

static bool add_all(st_mesh *mesh, const st_xsp *xsp) {
    bool ok = true;
    for (size_t i = 0; ok && i < xsp->particles.count; i++)
        ok = st_mesh_add_point(mesh, xsp->particles.data[i].position);

    for (size_t i = 0; ok && i < xsp->springs.count; i++) {
        const uint32_t edge[2] = {xsp->springs.data[i].a, xsp->springs.data[i].b};
        ok = st_mesh_add(mesh, ST_EDGE, edge, false);
    }
    return ok;
}

bool st_xsp_mesh_read(st_mesh *mesh, st_mesh_file *file) {
    st_word_file words = st_word_file_of_text(file->cursor, st_mesh_scan_left(file));
    st_xsp xsp = {0};

    // the parser of the spring force field reads the words from memory
    const bool sound = st_xsp_parse(NULL, &words, &xsp);
    file->cursor = words.cursor;
    if (!sound) st_mesh_file_problem(file, st_mesh_scan_line(file, file->cursor), "%s", xsp.problem);

    const bool ok = sound && (add_all(mesh, &xsp) || st_mesh_scan_no_memory(file));
    st_xsp_free(&xsp);
    return ok;
}

static st_status mesh_xsp_loader_parse(st_object *object) {
    st_mesh_loader *loader = (st_mesh_loader *)object;
    st_mesh_file file;
    st_mesh mesh = {0};
    if (!st_mesh_loader_begin(loader, &file)) return ST_INVALID;

    const bool ok = st_xsp_mesh_read(&mesh, &file);
    return st_mesh_loader_take(&mesh, loader, &file, ok);
}

const st_class st_mesh_xsp_loader_class = {
    .name = "MeshXspLoader",
    .help = "reads points and edges from the particles and springs of an Xsp file",
    .parent = &st_mesh_loader_class,
    .size = sizeof(st_mesh_loader),
    .example = "<MeshXspLoader name=\"loader\" filename=\"mesh/cube.xs3\"/>",
    .parse = mesh_xsp_loader_parse,
};
