// MergeMeshes: several meshes as one. Points and elements follow each other in the order of the inputs; vertices of
// elements are shifted by the number of points before. Points at the same place stay apart.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

enum { KINDS = ST_HEXAHEDRON + 1 };

typedef struct merge_meshes {
    st_object object;
    uint32_t mesh_count;
    st_reals inputs[ST_ENGINE_INPUTS];
    st_uints elements[KINDS][ST_ENGINE_INPUTS];
    uint32_t point_count;
    st_reals position;
    st_uints merged[KINDS];
} merge_meshes;

#define MESH(n)                                                                                                        \
    ST_INPUT(merge_meshes, inputs[n - 1], "position" #n, st_type_coords, NULL, "points of mesh " #n),                  \
        ST_INPUT(merge_meshes, elements[ST_EDGE][n - 1], "edges" #n, st_type_edges, NULL, "edges of mesh " #n),        \
        ST_INPUT(merge_meshes, elements[ST_TRIANGLE][n - 1], "triangles" #n, st_type_triangles, NULL,                  \
                 "triangles of mesh " #n),                                                                             \
        ST_INPUT(merge_meshes, elements[ST_QUAD][n - 1], "quads" #n, st_type_quads, NULL, "quads of mesh " #n),        \
        ST_INPUT(merge_meshes, elements[ST_TETRAHEDRON][n - 1], "tetrahedra" #n, st_type_tetrahedra, NULL,             \
                 "tetrahedra of mesh " #n),                                                                            \
        ST_INPUT(merge_meshes, elements[ST_HEXAHEDRON][n - 1], "hexahedra" #n, st_type_hexahedra, NULL,                \
                 "hexahedra of mesh " #n),

static const st_field fields[] = {
    ST_INPUT(merge_meshes, mesh_count, "nbMeshes", st_type_uint, "2", "number of meshes"),
    ST_EACH_INPUT(MESH) ST_OUTPUT(merge_meshes, point_count, "npoints", st_type_uint, "number of points"),
    ST_OUTPUT(merge_meshes, position, "position", st_type_coords, "all points"),
    ST_OUTPUT(merge_meshes, merged[ST_EDGE], "edges", st_type_edges, "all edges"),
    ST_OUTPUT(merge_meshes, merged[ST_TRIANGLE], "triangles", st_type_triangles, "all triangles"),
    ST_OUTPUT(merge_meshes, merged[ST_QUAD], "quads", st_type_quads, "all quads"),
    ST_OUTPUT(merge_meshes, merged[ST_TETRAHEDRON], "tetrahedra", st_type_tetrahedra, "all tetrahedra"),
    ST_OUTPUT(merge_meshes, merged[ST_HEXAHEDRON], "hexahedra", st_type_hexahedra, "all hexahedra"),
    ST_FIELDS_END,
};

static bool merge_meshes_add_points(merge_meshes *engine, size_t mesh) {
    const size_t width = st_engine_width(&engine->object), at = engine->position.count;
    const size_t count = engine->inputs[mesh].count;

    if (!st_list_set_count(&engine->position, at + count, width)) return false;
    st_copy_reals(engine->position.data + at * width, engine->inputs[mesh].data, count * width);
    return true;
}

static bool add_elements(merge_meshes *engine, int kind, size_t mesh, size_t shift) {
    const st_uints *from = &engine->elements[kind][mesh];
    st_uints *to = &engine->merged[kind];
    const size_t size = st_element_size[kind], at = to->count;

    if (!st_list_set_count(to, at + from->count, size)) return false;
    for (size_t i = 0; i < from->count * size; i++) to->data[at * size + i] = from->data[i] + (uint32_t)shift;
    return true;
}

static void merge_meshes_update(st_object *object) {
    merge_meshes *engine = (merge_meshes *)object;
    const size_t meshes = st_engine_inputs(object, engine->mesh_count);
    bool ok = true;

    engine->position.count = 0;
    for (int kind = 0; kind < KINDS; kind++) engine->merged[kind].count = 0;

    // vertices move by the number of points before
    for (size_t mesh = 0; mesh < meshes && ok; mesh++) {
        const size_t shift = engine->position.count;

        ok = merge_meshes_add_points(engine, mesh);
        for (int kind = 0; kind < KINDS && ok; kind++) ok = add_elements(engine, kind, mesh, shift);
    }

    engine->point_count = (uint32_t)engine->position.count;
    st_engine_done(object, ok);
}

const st_class st_merge_meshes_class = {
    .name = "MergeMeshes",
    .help = "puts several meshes together",
    .parent = &st_engine_class,
    .templates = "Vec1 Vec2 Vec3 Rigid2 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(merge_meshes),
    .example = "<GenerateSphere name=\"a\"/>\n<GenerateSphere name=\"b\" origin=\"1 0 0\"/>\n"
               "<MergeMeshes name=\"both\" position1=\"@a.position\" tetrahedra1=\"@a.tetrahedra\" "
               "position2=\"@b.position\" tetrahedra2=\"@b.tetrahedra\"/>\n"
               "<MechanicalObject position=\"@both.position\"/>\n"
               "<MeshTopology position=\"@both.position\" tetrahedra=\"@both.tetrahedra\"/>",
    .update = merge_meshes_update,
};
