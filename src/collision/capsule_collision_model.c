// CapsuleCollisionModel: all that is nearer to a segment than a radius.
//
// Over points (Vec3) the edges of a mesh are the segments; contact points are carried by the two ends, with the radius
// around them. Over frames (Rigid3) a segment of a given height lies along the y axis of each; contact points are on
// the surface.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/box_capsule.h"
#include "collision/contact_mappings.h"
#include "collision/proximity.h"
#include "math/rigid.h"
#include "topology/topology.h"

typedef struct capsule_model {
    st_collision_model base;
    st_reals edge_radii, radii, heights;
    st_real radius, height;
} capsule_model;

static const st_field fields[] = {
    ST_FIELD(capsule_model, base.topology, "topology", st_type_link, NULL,
             "Vec3: the mesh whose edges are the capsules; that of the node, else the nearest upwards, when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(capsule_model, edge_radii, "listCapsuleRadii", st_type_reals, NULL, "Vec3: the radius of each capsule"),
    ST_FIELD(capsule_model, radii, "radii", st_type_reals, NULL, "Rigid3: the radius of each capsule"),
    ST_FIELD(capsule_model, heights, "heights", st_type_reals, NULL,
             "Rigid3: the length of the segment of each capsule"),
    ST_FIELD(capsule_model, radius, "defaultRadius", st_type_real, "0.5", "radius of those that no list names"),
    ST_FIELD(capsule_model, height, "dafaultHeight", st_type_real, "2", "height of those that `heights` does not name",
             .aliases = "defaultHeight"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

static bool is_rigid(const st_collision_model *model) { return model->primitive == ST_PRIMITIVE_RIGID_CAPSULE; }

static st_real radius_of(const st_collision_model *model, size_t i) {
    const capsule_model *self = (const capsule_model *)model;
    const st_reals *list = is_rigid(model) ? &self->radii : &self->edge_radii;
    return i < list->count ? list->data[i] : self->radius;
}

// For responses: contact points of edges are on the axis, those of frames on the surface.
static st_real capsule_model_radius(const st_collision_model *model, size_t i) {
    return is_rigid(model) ? 0 : radius_of(model, i);
}

st_capsule st_capsule_of(const st_collision_model *model, size_t i) {
    const capsule_model *self = (const capsule_model *)model;
    st_capsule c = {.radius = radius_of(model, i)};

    const st_real *first = st_corner_position(model, i, 0);
    if (!is_rigid(model)) {
        st_vec3_copy(c.a, first);
        st_vec3_copy(c.b, st_corner_position(model, i, 1));
        return c;
    }

    const st_real height = i < self->heights.count ? self->heights.data[i] : self->height, up[3] = {0, 1, 0};
    st_real axis[3];

    st_quat_rotate(axis, first + 3, up);
    st_vec3_add_scaled(c.a, first, axis, -height / 2);
    st_vec3_add_scaled(c.b, first, axis, height / 2);
    return c;
}

static bool capsule_model_refresh(st_collision_model *model) {
    const size_t dofs = st_collision_model_dofs(model);
    if (is_rigid(model)) {
        model->rebuilt = dofs != model->count;
        model->count = dofs;
        return true;
    }

    // edges, but for those whose ends do not exist
    const st_uints *edges = st_topology_elements((st_topology *)model->topology, ST_EDGE);
    model->fresh.count = 0;
    for (size_t i = 0; i < edges->count; i++) {
        const uint32_t *e = edges->data + 2 * i;
        if (e[0] >= dofs || e[1] >= dofs) {
            st_message_once(&model->object, "edge", ST_ERROR,
                            "edge %zu has the vertices %u and %u, but the state has %zu DOFs: it is no capsule", i,
                            e[0], e[1], dofs);
            continue;
        }

        if (!st_list_push(&model->fresh, e[0]) || !st_list_push(&model->fresh, e[1])) return false;
    }

    st_collision_model_take(model);
    return true;
}

static void capsule_model_box(const st_collision_model *model, size_t i, st_box *box) {
    const st_capsule c = st_capsule_of(model, i);
    st_box_clear(box);
    st_box_add(box, c.a);
    st_box_add(box, c.b);
    st_box_grow(box, c.radius);
}

static bool capsule_model_carry(const st_collision_model *model, st_mapping *mapping, size_t i,
                                const st_real point[3]) {
    if (is_rigid(model)) {
        st_real local[3];
        st_rigid_inverse_apply(local, st_corner_position(model, i, 0), point);
        return st_rigid_carrier_add(mapping, (uint32_t)i, local);
    }

    const st_capsule c = st_capsule_of(model, i);
    const st_real t = st_clamp(st_line_parameter(c.a, c.b, point), 0, 1), weights[2] = {1 - t, t};
    return st_barycentric_carrier_add(mapping, 2, model->vertices.data + 2 * i, weights);
}

// Capsules of one chain touch where they are joined.
static bool capsule_model_may_touch(const st_collision_model *model, size_t i, const st_collision_model *other,
                                    size_t j) {
    if (model != other || is_rigid(model)) return true;
    for (int k = 0; k < 4; k++)
        if (st_corner(model, i, k / 2) == st_corner(other, j, k % 2)) return false;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Class
// ---------------------------------------------------------------------------------------------------

static st_status capsule_model_init(st_object *object) {
    capsule_model *self = (capsule_model *)object;
    const bool rigid = object->dof == &st_rigid3;
    self->base.primitive = rigid ? ST_PRIMITIVE_RIGID_CAPSULE : ST_PRIMITIVE_CAPSULE;
    const st_status status = st_collision_model_class.init(object);
    self->base.corners = rigid ? 1 : 2;
    if (status != ST_OK) return status;

    // radii and heights are lengths
    const st_reals *lists[] = {&self->edge_radii, &self->radii, &self->heights};
    if (!(self->radius >= 0 && self->radius <= ST_REAL_MAX) || !(self->height >= 0 && self->height <= ST_REAL_MAX))
        return st_invalid(object, "defaultRadius is %g and dafaultHeight %g: neither can be negative",
                          (double)self->radius, (double)self->height);
    for (int l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l]->count; i++)
            if (!(lists[l]->data[i] >= 0 && lists[l]->data[i] <= ST_REAL_MAX))
                return st_invalid(object, "capsule %zu: %g is no radius or height", i, (double)lists[l]->data[i]);

    if (rigid) return ST_OK;
    self->base.topology = (st_object *)st_context_topology(object->node, self->base.topology);
    if (self->base.topology) return ST_OK;
    return st_invalid(object, "there is no mesh in its node or above: it touches nothing");
}

static const st_collision_model_ops ops = {
    .refresh = capsule_model_refresh,
    .radius = capsule_model_radius,
    .box = capsule_model_box,
    .may_touch = capsule_model_may_touch,
    .carrier = &st_barycentric_carrier,
    .rigid_carrier = &st_rigid_carrier,
    .carry = capsule_model_carry,
};

const st_class st_capsule_collision_model_class = {
    .name = "CapsuleCollisionModel",
    .help = "capsules: edges of a mesh, or segments in frames, with a radius around them, that touch other models",
    .parent = &st_collision_model_class,
    .aliases = "Capsule CapsuleModel TCapsuleModel RigidCapsule RigidCapsuleModel",
    .templates = "Vec3 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(capsule_model),
    .init = capsule_model_init,
    .collision_model = &ops,
};
