// MeshBoundaryROI: the vertices of the edges that belong to exactly one triangle or quad.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "engine/border.h"
#include "engine/engine.h"

typedef struct mesh_boundary_roi {
    st_object object;
    st_uints triangles, quads;
    st_uints indices;
} mesh_boundary_roi;

static const st_field fields[] = {
    ST_INPUT(mesh_boundary_roi, triangles, "triangles", st_type_triangles, NULL, "triangles of the surface"),
    ST_INPUT(mesh_boundary_roi, quads, "quads", st_type_quads, NULL, "quads of the surface"),
    ST_OUTPUT(mesh_boundary_roi, indices, "indices", st_type_indices, "vertices on the border, increasing"),
    ST_FIELDS_END,
};

static int by_value(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// The vertices of the edges, sorted and each once.
static void mesh_boundary_roi_update(st_object *object) {
    mesh_boundary_roi *roi = (mesh_boundary_roi *)object;
    st_uints edges = {0};
    bool ok = st_border_edges(&edges, &roi->triangles, &roi->quads);

    roi->indices.count = 0;

    if (edges.count) qsort(edges.data, 2 * edges.count, sizeof *edges.data, by_value);
    for (size_t i = 0; ok && i < 2 * edges.count; i++)
        if (i == 0 || edges.data[i] != edges.data[i - 1]) ok = st_list_push(&roi->indices, edges.data[i]);

    st_list_free(&edges);
    st_engine_done(object, ok);
}

const st_class st_mesh_boundary_roi_class = {
    .name = "MeshBoundaryROI",
    .help = "selects the vertices on the border of a surface",
    .parent = &st_engine_class,
    .fields = fields,
    .size = sizeof(mesh_boundary_roi),
    .update = mesh_boundary_roi_update,
};
