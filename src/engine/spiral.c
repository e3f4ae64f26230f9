// Spiral: rolls a flat strip up.
//
// The coordinate x along the strip becomes the length of an arc of the spiral of Archimedes r = A t. With l = |x| the
// angle t solves
//
//     A/2 (t √(1 + t²) + asinh t) = l,
//
// by ten steps of Newton's method from √l. The point moves to (±A t cos t, ±A t sin t, z), with the sign of x, and from
// there by y along the unit normal n ~ (-A sin t - A t cos t, A cos t - A t sin t), which is held below 0.8 in y on the
// first quarter of a turn.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct spiral {
    st_object object;
    st_reals rest, position;
    st_real curvature;
} spiral;

static const st_field fields[] = {
    ST_INPUT(spiral, rest, "rest_position", st_type_vec3s, NULL, "points of the flat strip, which lies along x"),
    ST_FIELD(spiral, curvature, "curvature", st_type_real, "0.2", "A of the spiral r = A t, with the angle t",
             .flags = ST_FIELD_REINIT),
    ST_OUTPUT(spiral, position, "position", st_type_vec3s, "the points rolled up"),
    ST_FIELDS_END,
};

static st_real angle_at(st_real length, st_real a) {
    enum { STEPS = 10 };
    st_real t = sqrt(length);

    for (int i = 0; i < STEPS; i++) {
        const st_real root = sqrt(1 + t * t);
        t -= (a / 2 * (t * root + asinh(t)) - length) / (a * root);
    }
    return t;
}

static void roll_up(const st_real p[3], st_real a, st_real to[3]) {
    const st_real limit = (st_real)0.8f, quarter = ST_R(1.57079632679489661923);
    const st_real t = angle_at(fabs(p[0]), a), r = p[0] > 0 ? a * t : -a * t;

    // across the spiral
    st_real n[3] = {-a * sin(t) - a * t * cos(t), a * cos(t) - a * t * sin(t), 0};
    st_vec3_normalize(n, n);
    if (t < quarter && n[1] > limit) {
        n[1] = limit;
        n[0] = -sqrt(1 - n[1] * n[1]);
    }

    to[0] = r * cos(t) + n[0] * p[1];
    to[1] = r * sin(t) + n[1] * p[1];
    to[2] = p[2];
}

static void spiral_update(st_object *object) {
    spiral *engine = (spiral *)object;
    const bool ok = st_engine_resize(object, &engine->position, engine->rest.count);

    for (size_t i = 0; ok && i < engine->rest.count; i++)
        roll_up(engine->rest.data + 3 * i, engine->curvature, engine->position.data + 3 * i);

    st_engine_done(object, ok);
}

static st_status spiral_init(st_object *object) {
    const spiral *engine = (const spiral *)object;
    if (!(fabs(engine->curvature) > 0 && isfinite(engine->curvature)))
        return st_invalid(object, "curvature is %g: it must be a number other than 0", (double)engine->curvature);
    return ST_OK;
}

const st_class st_spiral_class = {
    .name = "Spiral",
    .help = "rolls a flat strip up",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(spiral),
    .example = "<Spiral name=\"rolled\" rest_position=\"0 0 0  1 0 0  2 0 0  3 0 0\" curvature=\"0.2\"/>\n"
               "<MechanicalObject position=\"@rolled.position\"/>",
    .init = spiral_init,
    .update = spiral_update,
};
