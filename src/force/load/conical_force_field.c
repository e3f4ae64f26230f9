// ConicalForceField: keeps points inside a cone with apex c, axis h and half-angle α.
//
//     n = h / |h|,  cp = p - c;    inside: |cp| <= |h| and the angle between cp and h is at most α
//     beyond the end, |cp| > |h|:   d = |cp| - |h|, u = -cp / |cp|:                 F = k d u - damping d v
//     beside it, cp.n > 0:          p' the nearest point of the side, u d = p' - p:  F = k d u - damping u (u.v)
//     behind the apex:              u d = -cp:                                      F = k d u - damping u (u.v)
//
// The derivative is the one along the direction of the push, -k u uᵀ: it leaves out that the direction turns.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/load/contacts.h"
#include "math/quat.h"

typedef struct conical_force {
    st_force base;
    st_real center[3], height[3], angle, stiffness, damping, color[4];
    st_contacts contacts;
} conical_force;

static const st_field fields[] = {
    ST_FIELD(conical_force, center, "coneCenter", st_type_vec3, "0 0 0", "apex"),
    ST_FIELD(conical_force, height, "coneHeight", st_type_vec3, "0 0 0", "from the apex to the end: axis and length"),
    ST_FIELD(conical_force, angle, "coneAngle", st_type_real, "10", "half-angle, in degrees"),
    ST_FIELD(conical_force, stiffness, "stiffness", st_type_real, "500", "force per depth"),
    ST_FIELD(conical_force, damping, "damping", st_type_real, "5", "damping"),
    ST_FIELD(conical_force, color, "color", st_type_color, "0 0 1 1", "color", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static st_status conical_init(st_object *object) {
    const st_status status = st_force_class.init(object);
    if (status == ST_OK && !(st_vec3_norm(((conical_force *)object)->height) > 0))
        return st_invalid(object, "coneHeight must not be 0: it has no effect");
    return status;
}

typedef struct shape {
    st_real n[3], height, angle; // angle in radians
} shape;

static st_real angle_to(const shape *cone, const st_real cp[3], st_real distance) {
    return acos(st_clamp(st_vec3_dot(cp, cone->n) / distance, -1, 1));
}

// Direction of the push, its depth; false inside.
static bool find_push(const shape *cone, const st_real cp[3], st_real u[3], st_real *depth, bool *beyond) {
    const st_real distance = st_vec3_norm(cp);
    *beyond = distance > cone->height;
    if (!(distance > 0)) return false;

    const st_real angle = angle_to(cone, cp, distance);
    if (!*beyond && angle <= cone->angle) return false;

    // towards the apex: from beyond the end, and from behind the apex
    st_vec3_divide(u, cp, -distance);
    *depth = *beyond ? distance - cone->height : distance;
    if (*beyond || !(st_vec3_dot(cp, cone->n) > 0)) return true;

    // from beside it: the nearest point of the side is cp turned onto the side, then shortened
    st_real axis[3], q[4], side[3];
    st_vec3_cross(axis, cone->n, cp);
    st_quat_from_axis_angle(q, axis, -(angle - cone->angle));
    st_quat_rotate(side, q, cp);
    st_vec3_normalize(side, side);
    st_vec3_scale(side, side, st_vec3_dot(cp, side));

    st_vec3_sub(u, side, cp);
    *depth = st_vec3_norm(u);
    return st_vec3_normalize(u, u);
}

static void conical_add_force(st_force *base, const st_params *params) {
    conical_force *force = (conical_force *)base;
    if (!base->state || !st_is_valid(&base->object) || !st_contacts_begin(&force->contacts, base->state, 3)) return;

    shape cone = {.height = st_vec3_norm(force->height), .angle = force->angle * ST_PI / 180};
    st_vec3_divide(cone.n, force->height, cone.height);
    const st_real *x = st_x(base->state, params), *v = st_v(base->state, params);
    st_real *f = st_f(base->state, params);

    for (size_t i = 0; i < base->state->size; i++) {
        st_real cp[3], u[3], depth, *at = f + 3 * i;
        bool beyond;
        st_vec3_sub(cp, x + 3 * i, force->center);
        if (!find_push(&cone, cp, u, &depth, &beyond)) continue;

        // F = k d u, and the damping
        st_vec3_add_scaled(at, at, u, force->stiffness * depth);
        if (beyond) st_vec3_add_scaled(at, at, v + 3 * i, -force->damping * depth);
        else st_vec3_add_scaled(at, at, u, -force->damping * st_vec3_dot(u, v + 3 * i));

        // -k u uᵀ
        st_real *block = st_contacts_add(&force->contacts, i);
        st_mat3_outer(block, u, u);
        st_mat3_scale(block, block, -force->stiffness);
    }
}

static void conical_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    st_contacts_blocks(&((conical_force *)base)->contacts, base->state, k);
}

static void conical_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    st_contacts_product(&((conical_force *)base)->contacts, base->state, params, k);
}

static void conical_destroy(st_object *object) { st_contacts_free(&((conical_force *)object)->contacts); }

static const st_force_ops force_ops = {
    .add_force = conical_add_force, .stiffness = conical_stiffness, .product = conical_product};

const st_class st_conical_force_field_class = {
    .name = "ConicalForceField",
    .help = "a cone that keeps points inside",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(conical_force),
    .example = "<MechanicalObject position=\"0 1 0  0.5 1 0  0 3 0  0.1 -0.5 0\"/>\n"
               "<ConicalForceField coneHeight=\"0 2 0\" coneAngle=\"15\" stiffness=\"80\" damping=\"2\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_APPROXIMATE_TANGENT,
    .init = conical_init,
    .destroy = conical_destroy,
    .force = &force_ops,
};
