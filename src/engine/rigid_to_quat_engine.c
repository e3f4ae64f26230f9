// RigidToQuatEngine: positions and orientations of rigid coordinates, the latter as quaternions and as Euler angles in
// degrees (x, y and z of Rz Ry Rx).
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/rigids.h"
#include "math/quat.h"

typedef struct rigid_to_quat_engine {
    st_object object;
    st_reals rigids, positions, orientations, euler;
} rigid_to_quat_engine;

static const st_field fields[] = {
    ST_INPUT(rigid_to_quat_engine, rigids, "rigids", st_type_rigids, NULL, "rigid coordinates"),
    ST_OUTPUT(rigid_to_quat_engine, positions, "positions", st_type_vec3s, "their centers"),
    ST_OUTPUT(rigid_to_quat_engine, orientations, "orientations", st_type_quats, "their orientations, as quaternions"),
    ST_OUTPUT(rigid_to_quat_engine, euler, "orientationsEuler", st_type_vec3s, "the same as angles in degrees"),
    ST_FIELDS_END,
};

static void rigid_to_quat_engine_update(st_object *object) {
    rigid_to_quat_engine *engine = (rigid_to_quat_engine *)object;
    const size_t count = engine->rigids.count;

    const bool ok = st_engine_resize(object, &engine->positions, count) &&
                    st_engine_resize(object, &engine->orientations, count) &&
                    st_engine_resize(object, &engine->euler, count);

    for (size_t i = 0; ok && i < count; i++) {
        const st_real *rigid = engine->rigids.data + 7 * i;
        st_vec3_copy(engine->positions.data + 3 * i, rigid);
        st_quat_copy(engine->orientations.data + 4 * i, rigid + 3);

        // x, y, z of Rz Ry Rx in degrees
        st_quat_to_euler(engine->euler.data + 3 * i, rigid + 3);
        st_vec3_scale(engine->euler.data + 3 * i, engine->euler.data + 3 * i, 180 / ST_PI);
    }

    st_engine_done(object, ok);
}

const st_class st_rigid_to_quat_engine_class = {
    .name = "RigidToQuatEngine",
    .help = "splits rigid coordinates into positions and orientations",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(rigid_to_quat_engine),
    .update = rigid_to_quat_engine_update,
};
