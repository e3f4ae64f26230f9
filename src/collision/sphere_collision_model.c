// SphereCollisionModel: a sphere around every DOF of a state, a point or a frame.
//
// Spheres around points touch by their centers, which are DOFs. Around frames most methods put contact points on the
// surface, where they are carried by the frame.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/collision.h"
#include "collision/contact_mappings.h"
#include "math/rigid.h"

typedef struct sphere_model {
    st_collision_model base;
    st_reals radii;
    st_real radius;
    bool show_impostors;
} sphere_model;

static const st_field fields[] = {
    ST_FIELD(sphere_model, radii, "listRadius", st_type_reals, NULL, "the radius of each sphere"),
    ST_FIELD(sphere_model, radius, "radius", st_type_real, "1", "the radius of those that listRadius does not name"),
    ST_FIELD(sphere_model, show_impostors, "showImpostors", st_type_bool, "1", "draw spheres as points",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// The list can be written while the scene runs.
static st_real sphere_model_radius(const st_collision_model *model, size_t i) {
    const sphere_model *self = (const sphere_model *)model;
    return i < self->radii.count ? self->radii.data[i] : self->radius;
}

static bool sphere_model_carry(const st_collision_model *model, st_mapping *mapping, size_t i, const st_real point[3]) {
    st_real local[3];
    st_rigid_inverse_apply(local, st_corner_position(model, i, 0), point);
    return st_rigid_carrier_add(mapping, (uint32_t)i, local);
}

static st_status sphere_model_init(st_object *object) {
    st_collision_model *model = (st_collision_model *)object;
    const sphere_model *self = (const sphere_model *)object;
    for (size_t i = 0; i <= self->radii.count; i++)
        if (!(sphere_model_radius(model, i) >= 0))
            return st_invalid(object, "the radius of sphere %zu is %g: it cannot be negative", i,
                              (double)sphere_model_radius(model, i));
    model->primitive = object->dof == &st_rigid3 ? ST_PRIMITIVE_RIGID_SPHERE : ST_PRIMITIVE_SPHERE;
    return st_collision_model_class.init(object);
}

static const st_collision_model_ops ops = {
    .radius = sphere_model_radius, .rigid_carrier = &st_rigid_carrier, .carry = sphere_model_carry};

const st_class st_sphere_collision_model_class = {
    .name = "SphereCollisionModel",
    .help = "spheres around the points or frames of a state, that touch other models",
    .parent = &st_collision_model_class,
    .templates = "Vec3 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(sphere_model),
    .init = sphere_model_init,
    .collision_model = &ops,
};
