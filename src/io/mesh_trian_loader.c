// MeshTrianLoader: triangles and their neighbors from a .trian file.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_loader.h"
#include "topology/file/mesh_formats.h"

typedef struct mesh_trian_loader {
    st_mesh_loader mesh;
    bool trian2;
    st_trian_border border;
} mesh_trian_loader;

static const st_type neighbor_type = {"list of 3 integers", ST_SCALAR_INT, 3, true, ST_SYNTAX_PLAIN};

static const st_field fields[] = {
    ST_FIELD(mesh_trian_loader, trian2, "trian2", st_type_bool, "0", "the file has the second form of the format",
             .flags = ST_FIELD_NO_SRC),
    ST_FIELD(mesh_trian_loader, border.neighbors, "neighborTable", neighbor_type, NULL,
             "the triangle across each edge, or -1", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mesh_trian_loader, border.edges, "edgesOnBorder", st_type_edges, NULL, "edges with one triangle",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mesh_trian_loader, border.triangles, "trianglesOnBorderList", st_type_indices, NULL,
             "triangles that have such an edge", .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

static st_status mesh_trian_loader_parse(st_object *object) {
    mesh_trian_loader *self = (mesh_trian_loader *)object;
    st_mesh_file file;
    st_mesh mesh = {0};
    if (!st_mesh_loader_begin(&self->mesh, &file)) return ST_INVALID;

    const bool ok = st_trian_read(&mesh, &file, self->trian2, self->mesh.flip_normals, &self->border);
    return st_mesh_loader_take(&mesh, &self->mesh, &file, ok);
}

const st_class st_mesh_trian_loader_class = {
    .name = "MeshTrianLoader",
    .help = "reads triangles and their neighbors from a .trian file",
    .parent = &st_mesh_loader_class,
    .fields = fields,
    .size = sizeof(mesh_trian_loader),
    .example = "<MeshTrianLoader name=\"loader\" filename=\"mesh/part.trian\"/>",
    .parse = mesh_trian_loader_parse,
};
