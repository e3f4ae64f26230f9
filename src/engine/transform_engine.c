// TransformEngine: scales, turns and moves points, in this order: scale, Euler rotation (Rz Ry Rx), quaternion,
// translation; inverse: the inverse operations in the reverse order. What is the identity is left out.
//
// A rigid coordinate is turned as a whole (orientation q_rotation q); scale and translation move its center only.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "math/quat.h"

typedef struct transform_engine {
    st_object object;
    st_reals input, output;
    st_real translation[3], rotation[3], quaternion[4], scale[3];
    bool inverse;
} transform_engine;

static const st_field fields[] = {
    ST_INPUT(transform_engine, input, "input_position", st_type_coords, NULL, "points"),
    ST_INPUT(transform_engine, translation, "translation", st_type_vec3, "0 0 0", "translation"),
    ST_INPUT(transform_engine, rotation, "rotation", st_type_vec3, "0 0 0", "angles about x, y and z in degrees"),
    ST_INPUT(transform_engine, quaternion, "quaternion", st_type_quat, "0 0 0 1", "further rotation"),
    ST_INPUT(transform_engine, scale, "scale", st_type_vec3, "1 1 1", "factors of the coordinates"),
    ST_INPUT(transform_engine, inverse, "inverse", st_type_bool, "0", "apply the inverse"),
    ST_OUTPUT(transform_engine, output, "output_position", st_type_coords, "points after the transformation"),
    ST_FIELDS_END,
};

static st_status transform_engine_init(st_object *object) {
    transform_engine *engine = (transform_engine *)object;

    st_engine_link_state(object, &engine->input, "position");
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Operations on one coordinate; points of fewer dimensions lie in the plane or on the line of the first ones
// ---------------------------------------------------------------------------------------------------

static void transform_engine_load(const st_dof *dof, st_real p[3], const st_real *x) {
    st_vec3_zero(p);
    for (size_t i = 0; i < dof->spatial; i++) p[i] = x[i];
}

static void transform_engine_store(const st_dof *dof, st_real *x, const st_real p[3]) {
    for (size_t i = 0; i < dof->spatial; i++) x[i] = p[i];
}

static void scale_by(const st_dof *dof, st_real *x, const st_real factors[3]) {
    for (size_t i = 0; i < dof->spatial; i++) x[i] *= factors[i];
}

static void move_by(const st_dof *dof, st_real *x, const st_real offset[3]) {
    for (size_t i = 0; i < dof->spatial; i++) x[i] += offset[i];
}

static void turn_by(const st_dof *dof, st_real *x, const st_real q[4], st_real angle_z) {
    st_real p[3];

    transform_engine_load(dof, p, x);
    st_quat_rotate(p, q, p);
    transform_engine_store(dof, x, p);

    // the orientation turns with the point
    if (dof->coord == 7) st_quat_multiply(x + 3, q, x + 3);
    else if (dof->rigid) x[2] += angle_z;
}

// ---------------------------------------------------------------------------------------------------
// All operations
// ---------------------------------------------------------------------------------------------------

enum { OPERATIONS = 4 };
typedef enum operation { SCALE, EULER, QUATERNION, TRANSLATION } operation;

typedef struct transformation {
    bool active[OPERATIONS];
    st_real scale[3], euler[4], quaternion[4], translation[3];
    st_real euler_z, quaternion_z; // turns about z, for angles in the plane
} transformation;

static bool all_are(const st_real v[3], st_real value) { return v[0] == value && v[1] == value && v[2] == value; }

static transformation transform_engine_prepare(const transform_engine *engine) {
    static const st_real identity[4] = {0, 0, 0, 1};
    transformation t;
    st_real angles[3];

    for (int i = 0; i < 3; i++) {
        // inverse: 1/s, -t, and the inverse quaternions
        angles[i] = engine->rotation[i] * ST_PI / 180;
        t.scale[i] = engine->inverse ? 1 / engine->scale[i] : engine->scale[i];
        t.translation[i] = engine->inverse ? -engine->translation[i] : engine->translation[i];
    }

    st_quat_from_euler(t.euler, angles);
    st_quat_copy(t.quaternion, engine->quaternion);
    if (engine->inverse) {
        st_quat_inverse(t.euler, t.euler);
        st_quat_inverse(t.quaternion, t.quaternion);
    }

    // in the plane a frame has an angle: that of the turn about z
    t.euler_z = engine->inverse ? -angles[2] : angles[2];
    t.quaternion_z = 2 * atan2(t.quaternion[2], t.quaternion[3]);

    // what is the identity is left out, so that no rounding touches the points
    t.active[SCALE] = !all_are(engine->scale, 1);
    t.active[EULER] = !all_are(engine->rotation, 0);
    t.active[QUATERNION] = !st_quat_near(engine->quaternion, identity);
    t.active[TRANSLATION] = !all_are(engine->translation, 0);
    return t;
}

static void transform_engine_apply(const transformation *t, operation which, const st_dof *dof, st_real *x) {
    if (!t->active[which]) return;

    switch (which) {
    case SCALE: scale_by(dof, x, t->scale); break;
    case EULER: turn_by(dof, x, t->euler, t->euler_z); break;
    case QUATERNION: turn_by(dof, x, t->quaternion, t->quaternion_z); break;
    case TRANSLATION: move_by(dof, x, t->translation); break;
    }
}

static void transform_engine_update(st_object *object) {
    transform_engine *engine = (transform_engine *)object;
    const size_t width = st_engine_width(object);
    const transformation t = transform_engine_prepare(engine);
    const bool ok = st_engine_resize(object, &engine->output, engine->input.count);
    if (ok) st_copy_reals(engine->output.data, engine->input.data, engine->input.count * width);

    // the inverse operations in the reverse order
    for (size_t i = 0; ok && i < engine->output.count; i++)
        for (int k = 0; k < OPERATIONS; k++)
            transform_engine_apply(&t, (operation)(engine->inverse ? OPERATIONS - 1 - k : k), object->dof,
                                   engine->output.data + i * width);

    st_engine_done(object, ok);
}

const st_class st_transform_engine_class = {
    .name = "TransformEngine",
    .help = "scales, turns and moves points",
    .parent = &st_engine_class,
    .templates = "Vec1 Vec2 Vec3 Rigid2 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(transform_engine),
    .example = "<RegularGridTopology name=\"grid\" n=\"2 2 2\" min=\"0 0 0\" max=\"1 1 1\"/>\n"
               "<TransformEngine name=\"turned\" input_position=\"@grid.position\" rotation=\"0 0 45\" "
               "translation=\"2 0 0\"/>\n"
               "<MechanicalObject position=\"@turned.output_position\"/>",
    .init = transform_engine_init,
    .update = transform_engine_update,
};
