// VolumeFromTriangles: the volume that a closed surface encloses, sum of a . (b x c) / 6 over its triangles.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/surface.h"
#include "topology/topology.h"

typedef struct volume_from_triangles {
    st_object object;
    st_reals position;
    st_uints triangles, quads;
    bool do_update;
    st_real volume;
} volume_from_triangles;

static const st_field fields[] = {
    ST_INPUT(volume_from_triangles, position, "position", st_type_vec3s, NULL,
             "points; the positions of the state when not given"),
    ST_INPUT(volume_from_triangles, triangles, "triangles", st_type_triangles, NULL,
             "triangles; the topology's when not given"),
    ST_INPUT(volume_from_triangles, quads, "quads", st_type_quads, NULL, "quads; the topology's when not given"),
    ST_INPUT(volume_from_triangles, do_update, "doUpdate", st_type_bool, "1",
             "follow the state; else the positions at init stay"),
    ST_OUTPUT(volume_from_triangles, volume, "volume", st_type_real, "volume"),
    ST_FIELDS_END,
};

static st_status volume_from_triangles_init(st_object *object) {
    volume_from_triangles *engine = (volume_from_triangles *)object;
    const char *from = engine->do_update ? "position" : "rest_position";
    if (!st_engine_link_state(object, &engine->position, from))
        return st_invalid(object, "position is not given and there is no mechanical state");

    st_topology *topology = st_context_topology(object->node, NULL);

    // one list that is given means that the topology's are not wanted
    if (st_is_set(object, &engine->triangles) || st_is_set(object, &engine->quads)) return ST_OK;

    st_engine_link_elements(object, &engine->triangles, topology, ST_TRIANGLE);
    st_engine_link_elements(object, &engine->quads, topology, ST_QUAD);
    return ST_OK;
}

static void volume_from_triangles_update(st_object *object) {
    volume_from_triangles *engine = (volume_from_triangles *)object;
    const st_surface surface = {engine->position.data,   engine->position.count, engine->triangles.data,
                                engine->triangles.count, engine->quads.data,     engine->quads.count};

    engine->volume = st_surface_volume(&surface);
    st_engine_done(object, true);
}

const st_class st_volume_from_triangles_class = {
    .name = "VolumeFromTriangles",
    .help = "computes the volume that a surface encloses",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(volume_from_triangles),
    .init = volume_from_triangles_init,
    .update = volume_from_triangles_update,
};
