// MeshBarycentricMapperEngine: the tetrahedron of a mesh in which each of some points lies, and its coordinates there:
// p = (1 - f1 - f2 - f3) p0 + f1 p1 + f2 p2 + f3 p3. A point outside belongs to the tetrahedron with the nearest
// center.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "mapping/cell_search.h"
#include "topology/topology.h"

typedef struct mesh_barycentric_mapper {
    st_object object;
    char *mesh_name;
    st_reals points;
    st_reals barycentric;
    st_uints elements;
} mesh_barycentric_mapper;

static const st_field fields[] = {
    ST_INPUT(mesh_barycentric_mapper, mesh_name, "InputMeshName", st_type_string, NULL,
             "name or path of the topology; the node's when not given"),
    ST_INPUT(mesh_barycentric_mapper, points, "InputPositions", st_type_vec3s, NULL, "points"),
    ST_OUTPUT(mesh_barycentric_mapper, barycentric, "BarycentricPositions", st_type_vec3s,
              "coordinates of each point in its tetrahedron"),
    ST_OUTPUT(mesh_barycentric_mapper, elements, "TableElements", st_type_indices, "tetrahedron of each point"),
    ST_FIELDS_END,
};

static st_topology *find_mesh(const mesh_barycentric_mapper *engine) {
    st_object *link = NULL;

    // a name that is given must lead somewhere
    if (engine->mesh_name && *engine->mesh_name) {
        link = st_find_path(engine->object.node, engine->mesh_name, ST_ROLE(topology));
        if (!link) return NULL;
    }

    return st_context_topology(engine->object.node, link);
}

// Points of the mesh, and its tetrahedra as far as their vertices exist.
static bool mesh_barycentric_mapper_engine_gather(st_topology *mesh, st_reals *points, st_uints *tetrahedra) {
    const st_uints *all = st_topology_elements(mesh, ST_TETRAHEDRON);
    const size_t count = st_topology_points(mesh);

    if (!st_list_set_count(points, count, 3)) return false;

    for (size_t i = 0; i < count; i++)
        if (!st_topology_point(mesh, i, points->data + 3 * i)) st_vec3_zero(points->data + 3 * i);

    for (size_t t = 0; t < all->count; t++)
        if (st_vertices_exist(all->data + 4 * t, 4, count) && !st_push_uints(tetrahedra, all->data + 4 * t, 4))
            return false;
    return true;
}

static bool mesh_barycentric_mapper_engine_locate(mesh_barycentric_mapper *engine, const st_cell_search *search) {
    for (size_t i = 0; i < engine->points.count; i++) {
        st_real local[3] = {0, 0, 0};
        const size_t cell = st_cell_search_find(search, engine->points.data + 3 * i, local);

        if (!st_push_reals(&engine->barycentric, local, 3) ||
            !st_list_push(&engine->elements, cell == SIZE_MAX ? ST_INVALID_INDEX : (uint32_t)cell))
            return false;
    }
    return true;
}

static void mesh_barycentric_mapper_engine_update(st_object *object) {
    mesh_barycentric_mapper *engine = (mesh_barycentric_mapper *)object;
    st_topology *mesh = find_mesh(engine);
    st_cell_search search = {0};
    st_reals points = {0};
    st_uints tetrahedra = {0};

    engine->barycentric.count = engine->elements.count = 0;
    if (!mesh)
        st_message(object, ST_ERROR, "there is no topology \"%.80s\"", engine->mesh_name ? engine->mesh_name : "");

    // a missing mesh is reported, and leaves the outputs empty
    const bool ok = !mesh || (mesh_barycentric_mapper_engine_gather(mesh, &points, &tetrahedra) &&
                              st_cell_search_add(&search, ST_TETRAHEDRON, &tetrahedra, points.data) &&
                              st_cell_search_finish(&search, points.data) &&
                              mesh_barycentric_mapper_engine_locate(engine, &search));

    st_cell_search_free(&search);
    st_list_free(&points);
    st_list_free(&tetrahedra);
    st_engine_done(object, ok);
}

const st_class st_mesh_barycentric_mapper_engine_class = {
    .name = "MeshBarycentricMapperEngine",
    .help = "finds the tetrahedron of each point and its coordinates there",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(mesh_barycentric_mapper),
    .update = mesh_barycentric_mapper_engine_update,
};
