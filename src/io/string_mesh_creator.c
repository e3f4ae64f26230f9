// StringMeshCreator: n points from (0 0 0) to (1 0 0), joined by edges. No file is read.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_loader.h"
#include "io/mesh_reader.h"

// The longest string, so that a mistyped number in a scene cannot take all memory.
enum { MOST_POINTS = 1 << 24 };

typedef struct string_mesh_creator {
    st_mesh_loader mesh;
    uint32_t resolution;
} string_mesh_creator;

static const st_field fields[] = {
    ST_FIELD(string_mesh_creator, resolution, "resolution", st_type_uint, "2", "number of points",
             .flags = ST_FIELD_FIXED | ST_FIELD_NO_SRC),
    ST_FIELDS_END,
};

static bool string_mesh_creator_make(st_mesh *mesh, uint32_t n) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++) {
        const st_real x[3] = {i == 0 ? 0 : (st_real)i / (st_real)(n - 1), 0, 0};
        ok = st_mesh_add_point(mesh, x) && (i == 0 || st_mesh_add(mesh, ST_EDGE, (uint32_t[2]){i - 1, i}, false));
    }
    return ok;
}

static st_status string_mesh_creator_parse(st_object *object) {
    string_mesh_creator *self = (string_mesh_creator *)object;
    st_mesh_file none = {0};
    st_mesh mesh = {0};
    st_mesh_loader_begin_without_file(&self->mesh);

    // too many points are refused before any memory is taken
    const bool few = self->resolution <= MOST_POINTS;
    const bool ok = few && string_mesh_creator_make(&mesh, self->resolution);

    if (!few) st_message(object, ST_ERROR, "resolution = %u is more than %d points", self->resolution, MOST_POINTS);
    else if (!ok) st_message(object, ST_ERROR, "there is not enough memory for %u points", self->resolution);
    return st_mesh_loader_take(&mesh, &self->mesh, &none, ok);
}

const st_class st_string_mesh_creator_class = {
    .name = "StringMeshCreator",
    .help = "makes a string of edges along x, from 0 to 1",
    .parent = &st_mesh_loader_class,
    .fields = fields,
    .size = sizeof(string_mesh_creator),
    .example = "<StringMeshCreator name=\"loader\" resolution=\"20\"/>",
    .parse = string_mesh_creator_parse,
};
