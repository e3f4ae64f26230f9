// MeshPart: what a rank holds of the mesh of a loader, under the loader's name: containers take it by src="@loader".
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_parts.h"

#include "settee/plugin/component.h"
#include "settee/plugin/topology.h"

typedef struct mesh_part {
    st_object object;
    st_reals position;
    st_uints elements[ST_ELEMENT_KINDS];
} mesh_part;

static const st_field fields[] = {
    ST_FIELD(mesh_part, position, "position", st_type_vec3s, NULL, "points held", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mesh_part, elements[ST_EDGE], "edges", st_type_edges, NULL, "edges", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mesh_part, elements[ST_TRIANGLE], "triangles", st_type_triangles, NULL, "triangles",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mesh_part, elements[ST_QUAD], "quads", st_type_quads, NULL, "quads", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mesh_part, elements[ST_TETRAHEDRON], "tetrahedra", st_type_tetrahedra, NULL, "tetrahedra",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mesh_part, elements[ST_HEXAHEDRON], "hexahedra", st_type_hexahedra, NULL, "hexahedra",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

const st_class st_mesh_part_class = {
    .name = "MeshPart",
    .help = "what a rank holds of the mesh of a loader",
    .kind = "loader",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(mesh_part),
};
