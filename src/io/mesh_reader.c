// Which reader reads a file: the suffix of its name decides.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_reader.h"

#include <string.h>
#include <strings.h>

static bool mesh_reader_read_vtk(st_mesh *mesh, st_mesh_file *file) { return st_vtk_read(mesh, file, false, false); }
static bool mesh_reader_read_vtk_swap(st_mesh *mesh, st_mesh_file *file) {
    return st_vtk_read(mesh, file, false, true);
}
static bool mesh_reader_read_off(st_mesh *mesh, st_mesh_file *file) { return st_off_read(mesh, file, false); }
static bool mesh_reader_read_gid(st_mesh *mesh, st_mesh_file *file) { return st_gid_read(mesh, file, false); }
static bool mesh_reader_read_trian(st_mesh *mesh, st_mesh_file *file) {
    return st_trian_read(mesh, file, false, false, NULL);
}
static bool mesh_reader_read_trian2(st_mesh *mesh, st_mesh_file *file) {
    return st_trian_read(mesh, file, true, false, NULL);
}
static bool mesh_reader_read_stl(st_mesh *mesh, st_mesh_file *file) {
    return st_stl_read(mesh, file, &(st_stl_options){.header = 80});
}

static const struct format {
    const char *suffix, *name;
    bool (*read)(st_mesh *, st_mesh_file *);
} formats[] = {
    {"obj", "Wavefront OBJ", st_obj_mesh_read},
    {"msh", "Gmsh", st_gmsh_read},
    {"vtk", "VTK legacy", mesh_reader_read_vtk},
    {"vtk_swap", "VTK legacy, bytes in the other order", mesh_reader_read_vtk_swap},
    {"vtu", "VTK XML, unstructured grid", mesh_reader_read_vtk},
    {"vtp", "VTK XML, surface", mesh_reader_read_vtk},
    {"stl", "STL", mesh_reader_read_stl},
    {"off", "OFF", mesh_reader_read_off},
    {"xsp", "springs", st_xsp_mesh_read},
    {"xs3", "springs, version 3", st_xsp_mesh_read},
    {"xs4", "springs, version 4", st_xsp_mesh_read},
    {"trian", "triangles with neighbors", mesh_reader_read_trian},
    {"trian2", "triangles, second form", mesh_reader_read_trian2},
    {"gid", "GiD", mesh_reader_read_gid},
};

const char *st_mesh_suffix_at(size_t index) {
    return index < sizeof formats / sizeof *formats ? formats[index].suffix : NULL;
}
const char *st_mesh_suffix_name(size_t index) {
    return index < sizeof formats / sizeof *formats ? formats[index].name : NULL;
}

static const struct format *find_format(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(dot + 1, formats[i].suffix) == 0) return &formats[i];
    return NULL;
}

bool st_mesh_format_known(const char *path) { return find_format(path) != NULL; }

bool st_mesh_read(st_mesh *mesh, st_mesh_file *file) {
    const struct format *format = find_format(file->path);
    if (format) return format->read(mesh, file);
    st_mesh_file_problem(file, 1, "no mesh format is known for the suffix of this name");
    return false;
}
