// VolumeFromVolumetricElements: the volume of a mesh, as the sum of the volumes of the tetrahedra into which its
// elements are cut. Elements that are turned inside out count as negative.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "topology/topology.h"

enum { KINDS = 4 };

typedef struct volume_from_elements {
    st_object object;
    st_reals position;
    st_uints elements[KINDS];
    bool do_update;
    st_real volume;
} volume_from_elements;

static const st_element kinds[KINDS] = {ST_TETRAHEDRON, ST_HEXAHEDRON, ST_PRISM, ST_PYRAMID};

static const st_field fields[] = {
    ST_INPUT(volume_from_elements, position, "position", st_type_vec3s, NULL,
             "points; the positions of the state when not given", .aliases = "positions"),
    ST_INPUT(volume_from_elements, elements[0], "tetrahedra", st_type_tetrahedra, NULL,
             "tetrahedra; the topology's when not given"),
    ST_INPUT(volume_from_elements, elements[1], "hexahedra", st_type_hexahedra, NULL,
             "hexahedra; the topology's when not given"),
    ST_INPUT(volume_from_elements, elements[2], "prisms", st_type_prisms, NULL, "prisms"),
    ST_INPUT(volume_from_elements, elements[3], "pyramids", st_type_pyramids, NULL, "pyramids"),
    ST_INPUT(volume_from_elements, do_update, "doUpdate", st_type_bool, "1",
             "follow the state; else the positions at rest are used"),
    ST_OUTPUT(volume_from_elements, volume, "volume", st_type_real, "volume"),
    ST_FIELDS_END,
};

static st_status volume_from_volumetric_elements_init(st_object *object) {
    volume_from_elements *engine = (volume_from_elements *)object;
    const char *from = engine->do_update ? "position" : "rest_position";
    if (!st_engine_link_state(object, &engine->position, from))
        return st_invalid(object, "position is not given and there is no mechanical state");

    st_topology *topology = st_context_topology(object->node, NULL);

    // one list that is given means that the topology's are not wanted
    for (int k = 0; k < KINDS; k++)
        if (st_is_set(object, &engine->elements[k])) return ST_OK;

    for (int k = 0; k < KINDS; k++) st_engine_link_elements(object, &engine->elements[k], topology, kinds[k]);
    return ST_OK;
}

// The tetrahedra of each kind: six of a hexahedron around its diagonal 0-6, three of a prism, two of a pyramid.
typedef struct cut {
    size_t count;
    int corners[6][4];
} cut;

static const cut cuts[KINDS] = {
    {1, {{0, 1, 2, 3}}},
    {6, {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}}},
    {3, {{0, 1, 2, 3}, {1, 4, 2, 3}, {2, 4, 5, 3}}},
    {2, {{0, 1, 2, 4}, {0, 2, 3, 4}}},
};

static st_real six_volumes(const volume_from_elements *engine, const uint32_t *v, const int corners[4]) {
    st_real edge[3][3], cross[3];
    const st_real *origin = engine->position.data + 3 * (size_t)v[corners[0]];
    for (int i = 0; i < 3; i++) st_vec3_sub(edge[i], engine->position.data + 3 * (size_t)v[corners[i + 1]], origin);
    st_vec3_cross(cross, edge[0], edge[1]);

    return st_vec3_dot(cross, edge[2]);
}

static void volume_from_volumetric_elements_update(st_object *object) {
    volume_from_elements *engine = (volume_from_elements *)object;
    st_real sum = 0;

    // Σ over the tetrahedra of all elements whose vertices exist
    for (int k = 0; k < KINDS; k++) {
        const size_t size = st_element_size[kinds[k]];
        for (size_t e = 0; e < engine->elements[k].count; e++) {
            const uint32_t *v = engine->elements[k].data + e * size;

            for (size_t t = 0; t < cuts[k].count && st_vertices_exist(v, size, engine->position.count); t++)
                sum += six_volumes(engine, v, cuts[k].corners[t]);
        }
    }

    engine->volume = sum / 6;
    st_engine_done(object, true);
}

const st_class st_volume_from_volumetric_elements_class = {
    .name = "VolumeFromVolumetricElements",
    .help = "computes the volume of a mesh",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(volume_from_elements),
    .init = volume_from_volumetric_elements_init,
    .update = volume_from_volumetric_elements_update,
};
