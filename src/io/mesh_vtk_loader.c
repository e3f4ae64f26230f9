// MeshVTKLoader: a mesh from a VTK file, legacy (.vtk) or XML (.vtu, .vtp).
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "io/mesh_loader.h"
#include "io/vtk_file.h"

static bool line_has(const char *begin, const char *end, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = begin; (size_t)(end - at) >= length; at++)
        if (memcmp(at, word, length) == 0) return true;
    return false;
}

// The first line decides which kind it is.
bool st_vtk_read(st_mesh *mesh, st_mesh_file *file, bool flip, bool swap) {
    const size_t left = (size_t)(file->end - file->cursor);
    const char *newline = memchr(file->cursor, '\n', left), *end = newline ? newline : file->end;

    if (line_has(file->cursor, end, "<?xml") || line_has(file->cursor, end, "<VTKFile"))
        return st_vtk_read_xml(mesh, file, flip);
    return st_vtk_read_legacy(mesh, file, flip, swap);
}

static bool is_swapped(const char *name) {
    static const char suffix[] = ".vtk_swap";
    const size_t length = strlen(name);
    return length >= sizeof suffix - 1 && strcmp(name + length - (sizeof suffix - 1), suffix) == 0;
}

static st_status mesh_vtk_loader_parse(st_object *object) {
    st_mesh_loader *loader = (st_mesh_loader *)object;
    st_mesh_file file;
    st_mesh mesh = {0};
    if (!st_mesh_loader_begin(loader, &file)) return ST_INVALID;
    const bool ok = st_vtk_read(&mesh, &file, loader->flip_normals, is_swapped(loader->filename));
    return st_mesh_loader_take(&mesh, loader, &file, ok);
}

const st_class st_mesh_vtk_loader_class = {
    .name = "MeshVTKLoader",
    .help = "reads a mesh from a VTK file: legacy or XML (UnstructuredGrid, PolyData), text, binary or compressed",
    .parent = &st_mesh_loader_class,
    .size = sizeof(st_mesh_loader),
    .example = "<MeshVTKLoader name=\"loader\" filename=\"mesh/test_quad.vtk\"/>",
    .parse = mesh_vtk_loader_parse,
};
