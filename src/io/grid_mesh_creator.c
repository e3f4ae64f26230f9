// GridMeshCreator: nx by ny points on the unit square in the plane z = 0, and the cells between them. No file is read.
//
// The corners of cell (x, y) are a = (x, y), b = (x + 1, y), c = (x + 1, y + 1), d = (x, y + 1). Patterns:
//
//     0  the quad abcd           1  x + y even as 2, odd as 3
//     2  abc and acd             3  abd and bcd
//
// Edges: each side once, in the direction in which the first face has it; in lexicographic order.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "base/array.h"
#include "io/mesh_loader.h"
#include "io/mesh_reader.h"

// The largest grid, so that a mistyped number in a scene cannot take all memory.
enum { MOST_POINTS = 1 << 24 };

typedef struct grid_mesh_creator {
    st_mesh_loader mesh;
    int32_t resolution[2];
    int32_t pattern;
} grid_mesh_creator;

static const st_field fields[] = {
    ST_FIELD(grid_mesh_creator, resolution, "resolution", st_type_int2, "2 2", "number of points along x and y",
             .flags = ST_FIELD_FIXED | ST_FIELD_NO_SRC),
    ST_FIELD(grid_mesh_creator, pattern, "trianglePattern", st_type_int, "2",
             "0: quads, 1: triangles with diagonals in turn, 2 and 3: all diagonals the same way",
             .flags = ST_FIELD_FIXED | ST_FIELD_NO_SRC),
    ST_FIELDS_END,
};

static bool grid_mesh_creator_add_points(st_mesh *mesh, const int32_t n[2]) {
    bool ok = true;
    for (int32_t y = 0; ok && y < n[1]; y++)
        for (int32_t x = 0; ok && x < n[0]; x++) {
            const st_real p[3] = {x == 0 ? 0 : (st_real)x / (st_real)(n[0] - 1),
                                  y == 0 ? 0 : (st_real)y / (st_real)(n[1] - 1), 0};
            ok = st_mesh_add_point(mesh, p);
        }
    return ok;
}

// A face in the direction of its corners, and those of its sides that are new.
static bool grid_mesh_creator_add_face(st_mesh *mesh, const uint32_t *corners, int count, bool flip) {
    bool ok = st_mesh_add(mesh, count == 3 ? ST_TRIANGLE : ST_QUAD, corners, flip);

    // a side that an earlier face has keeps the direction it has there
    for (int i = 0; ok && i < count; i++) {
        const uint32_t edge[2] = {corners[i], corners[(i + 1) % count]};
        const st_element_set_result result = st_element_set_add(&mesh->sides, edge, 2, 0);
        ok = result == ST_SET_KNOWN || (result == ST_SET_ADDED && st_mesh_add(mesh, ST_EDGE, edge, false));
    }

    return ok;
}

static bool add_cells(st_mesh *mesh, const int32_t n[2], int32_t pattern, bool flip) {
    bool ok = true;
    for (int32_t y = 0; ok && y + 1 < n[1]; y++)
        for (int32_t x = 0; ok && x + 1 < n[0]; x++) {
            const uint32_t nx = (uint32_t)n[0], a = (uint32_t)y * nx + (uint32_t)x, b = a + 1, c = b + nx, d = a + nx;

            // which way the diagonal goes
            const bool ac = pattern == 2 || (pattern == 1 && (x + y) % 2 == 0);

            if (pattern == 0) ok = grid_mesh_creator_add_face(mesh, (uint32_t[]){a, b, c, d}, 4, flip);
            else if (ac)
                ok = grid_mesh_creator_add_face(mesh, (uint32_t[]){a, b, c}, 3, flip) &&
                     grid_mesh_creator_add_face(mesh, (uint32_t[]){a, c, d}, 3, flip);
            else
                ok = grid_mesh_creator_add_face(mesh, (uint32_t[]){a, b, d}, 3, flip) &&
                     grid_mesh_creator_add_face(mesh, (uint32_t[]){b, c, d}, 3, flip);
        }

    return ok;
}

static int compare_edges(const void *first, const void *second) {
    const uint32_t *a = first, *b = second;
    if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
    return a[1] < b[1] ? -1 : a[1] > b[1];
}

static bool grid_mesh_creator_make(grid_mesh_creator *self, st_mesh *mesh) {
    st_uints *edges = &mesh->elements[ST_EDGE];
    if (!grid_mesh_creator_add_points(mesh, self->resolution) ||
        !add_cells(mesh, self->resolution, self->pattern, self->mesh.flip_normals)) {
        st_message(&self->mesh.object, ST_ERROR, "there is not enough memory for the grid");
        return false;
    }

    if (edges->count) qsort(edges->data, edges->count, 2 * sizeof *edges->data, compare_edges);
    return true;
}

static bool is_sound(grid_mesh_creator *self) {
    const int32_t *n = self->resolution;
    if (n[0] < 1 || n[1] < 1 || (int64_t)n[0] * n[1] > MOST_POINTS)
        st_message(&self->mesh.object, ST_ERROR,
                   "resolution = %d %d must be at least 1 each and not more than %d points", n[0], n[1], MOST_POINTS);
    else if (self->pattern < 0 || self->pattern > 3)
        st_message(&self->mesh.object, ST_ERROR, "trianglePattern = %d must be 0, 1, 2 or 3", self->pattern);
    else return true;
    return false;
}

static st_status grid_mesh_creator_parse(st_object *object) {
    grid_mesh_creator *self = (grid_mesh_creator *)object;
    st_mesh_file none = {0};
    st_mesh mesh = {0};
    st_mesh_loader_begin_without_file(&self->mesh);
    const bool ok = is_sound(self) && grid_mesh_creator_make(self, &mesh);
    return st_mesh_loader_take(&mesh, &self->mesh, &none, ok);
}

const st_class st_grid_mesh_creator_class = {
    .name = "GridMeshCreator",
    .help = "makes a flat grid of triangles or quads on the unit square",
    .parent = &st_mesh_loader_class,
    .fields = fields,
    .size = sizeof(grid_mesh_creator),
    .example = "<GridMeshCreator name=\"loader\" resolution=\"5 5\"/>",
    .parse = grid_mesh_creator_parse,
};
