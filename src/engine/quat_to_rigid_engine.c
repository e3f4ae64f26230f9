// QuatToRigidEngine: rigid coordinates from positions and quaternions. A single quaternion serves all positions;
// without any the orientation is the identity.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/rigids.h"
#include "math/rigid.h"

typedef struct quat_to_rigid_engine {
    st_object object;
    st_reals positions, orientations, rigids;
} quat_to_rigid_engine;

static const st_field fields[] = {
    ST_INPUT(quat_to_rigid_engine, positions, "positions", st_type_vec3s, NULL, "centers"),
    ST_INPUT(quat_to_rigid_engine, orientations, "orientations", st_type_quats, NULL, "orientations, as quaternions"),
    ST_OUTPUT(quat_to_rigid_engine, rigids, "rigids", st_type_rigids, "rigid coordinates"),
    ST_FIELDS_END,
};

static const st_real *orientation(const quat_to_rigid_engine *engine, size_t i) {
    static const st_real identity[4] = {0, 0, 0, 1};
    const size_t count = engine->orientations.count;
    return i < count ? engine->orientations.data + 4 * i : count == 1 ? engine->orientations.data : identity;
}

static void quat_to_rigid_engine_update(st_object *object) {
    quat_to_rigid_engine *engine = (quat_to_rigid_engine *)object;
    const size_t count = engine->positions.count, turned = engine->orientations.count;

    if (turned != count && turned > 1)
        st_message(object, ST_WARNING, "there are %zu orientations for %zu positions", turned, count);

    const bool ok = st_engine_resize(object, &engine->rigids, count);
    for (size_t i = 0; ok && i < count; i++)
        st_rigid_set(engine->rigids.data + 7 * i, engine->positions.data + 3 * i, orientation(engine, i));

    st_engine_done(object, ok);
}

const st_class st_quat_to_rigid_engine_class = {
    .name = "QuatToRigidEngine",
    .help = "makes rigid coordinates from positions and quaternions",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(quat_to_rigid_engine),
    .update = quat_to_rigid_engine_update,
};
