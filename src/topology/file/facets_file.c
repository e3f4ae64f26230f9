// The surfaces of sparse grids: every point of an .obj or .trian file and its polygons, whatever their number of
// corners.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "base/text.h"
#include "topology/file/mesh_formats.h"
#include "topology/file/obj_file.h"
#include "topology/sparse_grid.h"

static bool read_obj(st_facets *facets, st_mesh_file *file) {
    st_obj obj = {0};
    st_uints corners = {0};
    bool ok = st_obj_read(&obj, file) && st_list_set_count(&facets->points, obj.points.count, 3);

    if (ok) st_copy_reals(facets->points.data, obj.points.data, 3 * obj.points.count);

    // polygons keep their number of corners
    for (size_t f = 0; ok && f < obj.faces.count; f++) {
        const st_obj_face *face = &obj.faces.data[f];
        ok = st_list_set_count(&corners, face->count, 1);
        for (size_t i = 0; ok && i < face->count; i++)
            corners.data[i] = (uint32_t)obj.corners.data[face->first + i].point;
        ok = ok && st_facets_add(facets, corners.data, face->count);
    }

    st_list_free(&corners);
    st_obj_free(&obj);
    return ok;
}

static bool read_trian(st_facets *facets, st_mesh_file *file) {
    st_mesh mesh = {0};
    const st_uints *triangles = &mesh.elements[ST_TRIANGLE];
    bool ok = st_trian_read(&mesh, file, false, false, NULL);
    for (size_t i = 0; ok && i < triangles->count; i++) ok = st_facets_add(facets, triangles->data + 3 * i, 3);

    // the list of points changes its owner
    if (ok) {
        facets->points = mesh.position;
        mesh.position.data = NULL;
        mesh.position.count = mesh.position.capacity = 0;
    }

    st_mesh_free(&mesh);
    return ok;
}

bool st_facets_read(st_facets *facets, st_object *object, const char *path) {
    const bool obj = st_text_ends_with(path, ".obj");
    if (!obj && !st_text_ends_with(path, ".trian")) {
        st_message(object, ST_ERROR, "%s: the surface of a sparse grid must be an .obj or a .trian file", path);
        return false;
    }

    st_mesh_file file;

    if (!st_mesh_file_open(&file, object, path)) return false;
    const bool ok = obj ? read_obj(facets, &file) : read_trian(facets, &file);
    st_mesh_file_close(&file);
    return ok;
}
