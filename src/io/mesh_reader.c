// Which reader reads a file: its suffix tells.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_reader.h"

#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "io/mesh_scan.h"
#include "io/obj_file.h"

// ---------------------------------------------------------------------------------------------------
// OBJ: points as in the file, edges, triangles and quads of its faces
// ---------------------------------------------------------------------------------------------------

static bool take_obj(st_mesh *mesh, const st_obj *obj) {
    st_uints vertex_of = {0};
    const st_obj_elements to = {.edges = &mesh->elements[ST_EDGE],
                                .triangles = &mesh->elements[ST_TRIANGLE],
                                .quads = &mesh->elements[ST_QUAD]};
    bool ok = st_list_set_count(&vertex_of, obj->corners.count, 1);
    for (size_t i = 0; ok && i < obj->corners.count; i++) vertex_of.data[i] = (uint32_t)obj->corners.data[i].point;
    for (size_t i = 0; ok && i < obj->points.count; i++) ok = st_mesh_add_point(mesh, obj->points.data + 3 * i);
    for (size_t i = 0; ok && i < obj->faces.count; i++) ok = st_obj_add_face(&to, &obj->faces.data[i], vertex_of.data);
    st_list_free(&vertex_of);
    return ok;
}

static bool read_obj(st_mesh *mesh, st_mesh_file *file) {
    st_obj obj = {0};
    const bool ok = st_obj_read(&obj, file) && (take_obj(mesh, &obj) || st_mesh_scan_no_memory(file));
    st_obj_free(&obj);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Formats
// ---------------------------------------------------------------------------------------------------

static bool read_vtk(st_mesh *mesh, st_mesh_file *file) { return st_vtk_read(mesh, file, false, false); }
static bool read_vtk_swap(st_mesh *mesh, st_mesh_file *file) { return st_vtk_read(mesh, file, false, true); }
static bool read_off(st_mesh *mesh, st_mesh_file *file) { return st_off_read(mesh, file, false); }
static bool read_gid(st_mesh *mesh, st_mesh_file *file) { return st_gid_read(mesh, file, false); }
static bool read_trian(st_mesh *mesh, st_mesh_file *file) { return st_trian_read(mesh, file, false, false, NULL); }
static bool read_trian2(st_mesh *mesh, st_mesh_file *file) { return st_trian_read(mesh, file, true, false, NULL); }
static bool read_stl(st_mesh *mesh, st_mesh_file *file) {
    return st_stl_read(mesh, file, &(st_stl_options){.header = 80});
}

static const struct format {
    const char *suffix, *name;
    bool (*read)(st_mesh *, st_mesh_file *);
    bool of_topology;
} formats[] = {
    {"obj", "Wavefront OBJ", read_obj, true},
    {"msh", "Gmsh", st_gmsh_read, true},
    {"vtk", "VTK legacy", read_vtk, false},
    {"vtk_swap", "VTK legacy, bytes in the other order", read_vtk_swap, false},
    {"vtu", "VTK XML, unstructured grid", read_vtk, false},
    {"vtp", "VTK XML, surface", read_vtk, false},
    {"stl", "STL", read_stl, false},
    {"off", "OFF", read_off, false},
    {"xsp", "springs", st_xsp_mesh_read, false},
    {"xs3", "springs, version 3", st_xsp_mesh_read, false},
    {"xs4", "springs, version 4", st_xsp_mesh_read, false},
    {"trian", "triangles with neighbors", read_trian, false},
    {"trian2", "triangles, second form", read_trian2, false},
    {"gid", "GiD", read_gid, false},
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
    st_mesh_file_problem(file, 1, "the suffix of the name is that of no mesh format that is known here");
    return false;
}

bool st_mesh_read_topology(st_mesh *mesh, st_object *object, const char *path) {
    const struct format *format = path ? find_format(path) : NULL;
    st_mesh_file file;
    if (path && *path && (!format || !format->of_topology)) {
        st_message(object, ST_ERROR,
                   "unable to load \"%s\": the filename of a topology must end in .obj or .msh; use a "
                   "loader for other formats",
                   path);
        return false;
    }
    if (!st_mesh_file_open(&file, object, path)) return false;
    const bool ok = st_mesh_read(mesh, &file);
    st_mesh_file_close(&file);
    if (!ok) st_mesh_free(mesh);
    return ok;
}
