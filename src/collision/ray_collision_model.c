// RayCollisionModel: a ray from every point of a state. It touches what it goes through, without a force: contacts are
// there to be read (response RayContact, ContactListener).
//
// SOFA's rays get their directions by code; here they are also an attribute.
//
// And CubeCollisionModel, which SOFA keeps boxes of other models in. In a scene it has no elements.
//
// SPDX-License-Identifier: Apache-2.0
#include <tgmath.h>

#include "collision/ray.h"
#include "math/vec3.h"

typedef struct ray_model {
    st_collision_model base;
    st_reals directions; // Vec3
    st_real length;
} ray_model;

static const st_field fields[] = {
    ST_FIELD(ray_model, length, "defaultLength", st_type_real, "1", "length of the rays"),
    ST_FIELD(ray_model, directions, "directions", st_type_vec3s, NULL,
             "direction of each ray, of any length; the last one holds for the rest. Those without one meet nothing"),
    ST_FIELD(ray_model, base.contact_response, "contactResponse", st_type_string, "RayContact",
             "response for this model, the only one that rays have"),
    ST_FIELDS_END,
};

// The lists can be written while the scene runs.
st_ray st_ray_of(const st_collision_model *model, size_t i) {
    const ray_model *self = (const ray_model *)model;
    st_ray ray = {.length = self->length >= 0 && self->length <= ST_REAL_MAX ? self->length : 0};
    const size_t count = self->directions.count;
    st_vec3_copy(ray.origin, st_corner_position(model, i, 0));
    if (count) st_vec3_normalize(ray.direction, self->directions.data + 3 * (i < count ? i : count - 1));
    for (int k = 0; k < 3; k++)
        if (!isfinite(ray.direction[k])) st_vec3_zero(ray.direction);
    return ray;
}

// The skin does not count.
static void ray_model_box(const st_collision_model *model, size_t i, st_box *box) {
    const st_ray ray = st_ray_of(model, i);
    st_real end[3];
    st_vec3_add_scaled(end, ray.origin, ray.direction, ray.length);
    st_box_clear(box);
    st_box_add(box, ray.origin);
    st_box_add(box, end);
}

static st_status ray_model_init(st_object *object) {
    const ray_model *self = (const ray_model *)object;
    ((st_collision_model *)object)->primitive = ST_PRIMITIVE_RAY;
    if (!(self->length >= 0 && self->length <= ST_REAL_MAX))
        return st_invalid(object, "defaultLength is %g: it must be a length", (double)self->length);
    return st_collision_model_class.init(object);
}

static const st_collision_model_ops ops = {.box = ray_model_box};

const st_class st_ray_collision_model_class = {
    .name = "RayCollisionModel",
    .help = "rays from the points of a state, which find what they go through",
    .parent = &st_collision_model_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(ray_model),
    .init = ray_model_init,
    .collision_model = &ops,
};

// ---------------------------------------------------------------------------------------------------
// Cubes
// ---------------------------------------------------------------------------------------------------

static bool cube_refresh(st_collision_model *model) {
    model->count = 0;
    return true;
}

static bool cube_accepts(st_object *object) {
    (void)object;
    return true;
}

static st_status cube_init(st_object *object) {
    ((st_collision_model *)object)->corners = 1;
    return ST_OK;
}

static const st_collision_model_ops cube_ops = {.refresh = cube_refresh};

const st_class st_cube_collision_model_class = {
    .name = "CubeCollisionModel",
    .help = "SOFA keeps the boxes of other models in it; in a scene it has no elements, and touches nothing",
    .parent = &st_collision_model_class,
    .size = sizeof(st_collision_model),
    .accepts = cube_accepts,
    .init = cube_init,
    .collision_model = &cube_ops,
};
