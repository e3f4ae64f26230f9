// What exporters of meshes share: where points and elements come from.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_MESH_EXPORT_H
#define SETTEE_IO_MESH_EXPORT_H

#include "io/exporter.h"
#include "io/mesh_write.h"

enum { ST_EXPORT_KINDS = ST_HEXAHEDRON + 1 }; // edges, triangles, quads, tetrahedra, hexahedra

typedef struct st_mesh_export {
    st_exporter exporter;
    st_reals position;
    st_object *topology;
    st_object *state;
    bool kinds[ST_EXPORT_KINDS]; // which elements are written
    st_reals points;             // room for positions that are no Vec3
} st_mesh_export;

// Finds topology and state in the context where the scene names none; ST_INVALID without a topology.
st_status st_mesh_export_init(st_object *object, bool (*write)(st_exporter *));
// What there is to write at this moment; false: an error was reported.
bool st_mesh_export_view(st_mesh_export *self, st_mesh_view *view);
void st_mesh_export_destroy(st_object *object);

#define ST_MESH_EXPORT_FIELDS(owner, edges, others)                                                                    \
    ST_FIELD(owner, mesh.position, "position", st_type_vec3s, NULL,                                                    \
             "the points; those of the state, else of the topology, when not given"),                                  \
        ST_FIELD(owner, mesh.topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",       \
                 .role = ST_ROLE(topology)),                                                                           \
        ST_FIELD(owner, mesh.state, "mstate", st_type_link, NULL, "the state; the context's when not given",           \
                 .role = ST_ROLE(state)),                                                                              \
        ST_FIELD(owner, mesh.kinds[ST_EDGE], "edges", st_type_bool, edges, "write edges"),                             \
        ST_FIELD(owner, mesh.kinds[ST_TRIANGLE], "triangles", st_type_bool, others, "write triangles"),                \
        ST_FIELD(owner, mesh.kinds[ST_QUAD], "quads", st_type_bool, others, "write quads"),                            \
        ST_FIELD(owner, mesh.kinds[ST_TETRAHEDRON], "tetras", st_type_bool, others, "write tetrahedra"),               \
        ST_FIELD(owner, mesh.kinds[ST_HEXAHEDRON], "hexas", st_type_bool, others, "write hexahedra")

#endif
