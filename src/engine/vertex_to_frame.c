// Vertex2Frame: a rigid frame at each vertex, with its z axis along the normal; the turn from the world's axes is the
// shortest one, after a turn by rotationAngle about z.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/rigids.h"
#include "math/rigid.h"

typedef struct vertex_to_frame {
    st_object object;
    st_reals vertices, normals, frames;
    bool use_normals, invert_normals;
    st_real angle; // degrees
} vertex_to_frame;

static const st_field fields[] = {
    ST_INPUT(vertex_to_frame, vertices, "vertices", st_type_vec3s, NULL, "centers of the frames",
             .aliases = "position"),
    ST_INPUT(vertex_to_frame, normals, "normals", st_type_vec3s, NULL, "normals of the vertices"),
    ST_INPUT(vertex_to_frame, use_normals, "useNormals", st_type_bool, "1", "turn the frames to the normals"),
    ST_INPUT(vertex_to_frame, invert_normals, "invertNormals", st_type_bool, "0", "turn the normals around"),
    ST_INPUT(vertex_to_frame, angle, "rotationAngle", st_type_real, "0", "turn about the normal in degrees"),
    ST_OUTPUT(vertex_to_frame, frames, "frames", st_type_rigids, "one frame for each vertex"),
    ST_FIELDS_END,
};

static void vertex_to_frame_orient(const vertex_to_frame *engine, size_t i, st_real q[4]) {
    static const st_real z[3] = {0, 0, 1};
    st_real n[3], turn[4];

    st_quat_identity(q);

    // the shortest turn from z to the normal
    if (engine->use_normals && i < engine->normals.count) {
        const st_real *given = engine->normals.data + 3 * i;
        st_vec3_scale(n, given, engine->invert_normals ? -1 : 1);
        if (st_vec3_normalize(n, n)) st_quat_from_unit_vectors(q, z, n);
    }

    // after a turn about z
    st_quat_from_axis_angle(turn, z, engine->angle * ST_PI / 180);
    st_quat_multiply(q, q, turn);
}

static void vertex_to_frame_update(st_object *object) {
    vertex_to_frame *engine = (vertex_to_frame *)object;
    const bool ok = st_engine_resize(object, &engine->frames, engine->vertices.count);

    for (size_t i = 0; ok && i < engine->vertices.count; i++) {
        st_real q[4];
        vertex_to_frame_orient(engine, i, q);
        st_rigid_set(engine->frames.data + 7 * i, engine->vertices.data + 3 * i, q);
    }

    st_engine_done(object, ok);
}

const st_class st_vertex_to_frame_class = {
    .name = "Vertex2Frame",
    .help = "makes a rigid frame at each vertex from its normal",
    .parent = &st_engine_class,
    .templates = "Rigid3 Vec3",
    .default_template = "Rigid3",
    .fields = fields,
    .size = sizeof(vertex_to_frame),
    .update = vertex_to_frame_update,
};
