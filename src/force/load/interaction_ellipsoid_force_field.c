// InteractionEllipsoidForceField: ellipsoids fixed to a rigid frame (object2) push the points of another state
// (object1).
//
// With the frame (C, q) a point is p' = q⁻¹ (p - C) and feels the ellipsoid in which it is deepest, as in ellipsoid.h;
// the force is turned back by q. The frame gets the opposite force at its center, without a torque, unless
// object2_forces is off. Velocities are those of the points alone. The derivative takes the direction q as fixed.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/load/contacts.h"
#include "force/load/ellipsoid.h"
#include "math/rigid.h"
#include "scene/compat.h"
#include "settee/plugin/change.h"
#include "state/find_state.h"

typedef struct ellipsoids {
    st_force base;
    st_reals centers, radii; // Vec3 each
    st_real stiffness, damping, color[4];
    int32_t dof;
    bool react, invert, draw;

    st_real frame[7];     // of the last evaluation
    st_contacts contacts; // derivatives in the frame
} ellipsoids;

static const st_field fields[] = {
    ST_FIELD(ellipsoids, centers, "center", st_type_vec3s, NULL, "centers in the frame; the last one is repeated"),
    ST_FIELD(ellipsoids, radii, "vradius", st_type_vec3s, NULL, "radii along the axes; the last ones are repeated"),
    ST_FIELD(ellipsoids, stiffness, "stiffness", st_type_real, "500", "stiffness; below 0: points are kept inside"),
    ST_FIELD(ellipsoids, damping, "damping", st_type_real, "5", "damping"),
    ST_FIELD(ellipsoids, dof, "object2_dof_index", st_type_int, "0", "number of the frame in object2",
             .mesh = ST_ROWS_OF_SECOND),
    ST_FIELD(ellipsoids, react, "object2_forces", st_type_bool, "1", "the frame is pushed, too"),
    ST_FIELD(ellipsoids, invert, "object2_invert", st_type_bool, "0", "use the inverse of the frame"),
    ST_FIELD(ellipsoids, color, "color", st_type_color, "0 0.5 1 1", "color", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(ellipsoids, draw, "draw", st_type_bool, "1", "draw the ellipsoids", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// States
// ---------------------------------------------------------------------------------------------------

static bool interaction_ellipsoid_accepts(st_object *object) {
    const char *path = st_pair_path(object, "object2");

    if (!st_accept_state(object, "object1", st_pair_path(object, "object1"))) return false;
    const st_object *frame = st_find_path(object->node, path, ST_ROLE(state));

    if (frame && frame->dof == &st_rigid3) return true;
    return st_refuse(object, "object2=\"%.120s\" leads to no mechanical state of type Rigid3", path);
}

static bool check_radii(st_object *object, const st_reals *radii) {
    for (size_t i = 0; i < 3 * radii->count; i++)
        if (!(fabs(radii->data[i]) > 0)) {
            st_message(object, ST_ERROR, "vradius must not be 0 along any axis: it has no effect");
            return false;
        }
    return true;
}

static st_status interaction_ellipsoid_init(st_object *object) {
    ellipsoids *force = (ellipsoids *)object;
    st_state *frame = force->base.other;
    force->base.state = st_matching_state(object, force->base.state);

    // the two states are of different types: each is checked by itself
    if (!force->base.state)
        return st_invalid(object, "object1 is not a mechanical state of type Vec3: it has no effect");
    if (!frame || !frame->mechanical || frame->object.dof != &st_rigid3)
        return st_invalid(object, "object2 is not a mechanical state of type Rigid3: it has no effect");
    if (force->dof == -1 && st_why_init(object) == ST_INIT_CHANGED) return ST_OK; // the frame has left its mesh
    if (force->dof < 0 || (size_t)force->dof >= frame->size)
        return st_invalid(object, "object2_dof_index is %d, but object2 has %zu DOFs: it has no effect", force->dof,
                          frame->size);

    return check_radii(object, &force->radii) ? ST_OK : ST_INVALID;
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static const st_real *interaction_ellipsoid_entry(const st_reals *list, size_t i, const st_real *standard) {
    if (!list->count) return standard;
    return list->data + 3 * (i < list->count ? i : list->count - 1);
}

typedef struct pick {
    const st_real *center, *radius;
    st_real level;
} pick;

// The ellipsoid in whose coordinates the point is nearest to the center.
static pick deepest(const ellipsoids *force, const st_real p[3]) {
    static const st_real zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    const size_t count = force->radii.count > force->centers.count ? force->radii.count : force->centers.count;
    pick best = {.level = 0};

    for (size_t e = 0; e < count; e++) {
        // lists that are too short go on with their last value
        pick next = {.center = interaction_ellipsoid_entry(&force->centers, e, zero),
                     .radius = interaction_ellipsoid_entry(&force->radii, e, one)};
        next.level = st_ellipsoid_level(p, next.center, next.radius, 3);
        if (!best.center || next.level < best.level) best = next;
    }
    return best;
}

// The frame in the world, or with `invert` the world in the frame.
static void read_frame(ellipsoids *force, const st_params *params) {
    const st_real *pose = st_x(force->base.other, params) + 7 * (size_t)force->dof;
    memcpy(force->frame, pose, sizeof force->frame);

    if (!force->invert) return;

    st_quat_inverse(force->frame + 3, pose + 3);
    st_quat_rotate(force->frame, force->frame + 3, pose);
    st_vec3_negate(force->frame, force->frame);
}

static bool interaction_ellipsoid_is_usable(const ellipsoids *force) {
    const st_force *base = &force->base;
    return base->state && base->other && st_is_valid(&base->object) && force->dof >= 0 &&
           (size_t)force->dof < base->other->size;
}

static void interaction_ellipsoid_add_force(st_force *base, const st_params *params) {
    ellipsoids *force = (ellipsoids *)base;
    if (!interaction_ellipsoid_is_usable(force) || !st_contacts_begin(&force->contacts, base->state, 3)) return;

    read_frame(force, params);

    const st_real *x = st_x(base->state, params), *v = st_v(base->state, params), *q = force->frame + 3;
    st_real *f = st_f(base->state, params), reaction[3] = {0, 0, 0};

    const bool sofa = st_compat_on(base->object.scene, ST_COMPAT_ELLIPSOID_TANGENT);
    for (size_t i = 0; i < base->state->size; i++) {
        st_real p[3], w[3], push[3], matrix[9];

        // the point in the frame, and the ellipsoid in which it is deepest
        st_rigid_inverse_apply(p, force->frame, x + 3 * i);
        const pick e = deepest(force, p);
        if (!e.center || !((e.level - 1) * force->stiffness < 0)) continue;

        // the push there, turned back to the world
        st_quat_inverse_rotate(w, q, v + 3 * i);
        if (!st_ellipsoid_push(push, matrix, p, w, e.center, e.radius, 3, e.level, force->stiffness, force->damping,
                               sofa))
            continue;

        st_mat3_copy(st_contacts_add(&force->contacts, i), matrix);
        st_quat_rotate(push, q, push);
        st_vec3_add(f + 3 * i, f + 3 * i, push);
        st_vec3_sub(reaction, reaction, push);
    }

    // the frame bears what the points were pushed with
    st_real *g = st_f(base->other, params) + 6 * (size_t)force->dof;
    if (force->react) st_vec3_add(g, g, reaction);
}

// ---------------------------------------------------------------------------------------------------
// Derivative
// ---------------------------------------------------------------------------------------------------

// R A Rᵀ
static void interaction_ellipsoid_turn(st_real r[9], const st_real q[4], const st_real a[9]) {
    st_real rotation[9];

    st_quat_to_matrix(rotation, q);
    st_mat3_multiply(r, rotation, a);
    st_mat3_multiply_transpose(r, r, rotation);
}

static void interaction_ellipsoid_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    const ellipsoids *force = (const ellipsoids *)base;
    (void)params;
    if (!interaction_ellipsoid_is_usable(force)) return;

    const st_state *one = base->state, *two = base->other;
    st_sink *k11 = st_stiffness_between(k, one, one), *k12 = st_stiffness_between(k, one, two);
    st_sink *k21 = st_stiffness_between(k, two, one), *k22 = st_stiffness_between(k, two, two);

    // q A qᵀ between the point and, with reaction, the frame
    for (size_t c = 0; c < force->contacts.points.count; c++) {
        const size_t at = 3 * (size_t)force->contacts.points.data[c], frame = 6 * (size_t)force->dof;
        st_real block[9], negative[9];

        interaction_ellipsoid_turn(block, force->frame + 3, force->contacts.blocks.data + 9 * c);
        st_mat3_scale(negative, block, -1);

        st_add_3x3(k11, at, at, block);
        if (!force->react) continue;
        st_add_3x3(k12, at, frame, negative);
        st_add_3x3(k21, frame, at, negative);
        st_add_3x3(k22, frame, frame, block);
    }
}

// dF = q (k (A q⁻¹ δ)),  δ = dx1 - dx2
static void interaction_ellipsoid_product(st_force *base, const st_params *params, st_real k, st_real b) {
    const ellipsoids *force = (const ellipsoids *)base;
    (void)b;
    if (!interaction_ellipsoid_is_usable(force)) return;

    const st_real *dx = st_dx(base->state, params), *q = force->frame + 3;
    st_real *df = st_df(base->state, params);
    const st_real *dx2 = force->react ? st_dx(base->other, params) + 6 * (size_t)force->dof : NULL;
    st_real *df2 = force->react ? st_df(base->other, params) + 6 * (size_t)force->dof : NULL;

    for (size_t c = 0; c < force->contacts.points.count; c++) {
        const size_t at = 3 * (size_t)force->contacts.points.data[c];
        st_real d[3];

        // δ = dx1 - dx2
        st_vec3_copy(d, dx + at);
        if (dx2) st_vec3_sub(d, d, dx2);

        // q (k (A q⁻¹ δ))
        st_quat_inverse_rotate(d, q, d);
        st_mat3_times_vec(d, force->contacts.blocks.data + 9 * c, d);
        st_vec3_scale(d, d, k);
        st_quat_rotate(d, q, d);

        st_vec3_add(df + at, df + at, d);
        if (df2) st_vec3_sub(df2, df2, d);
    }
}

static void interaction_ellipsoid_destroy(st_object *object) { st_contacts_free(&((ellipsoids *)object)->contacts); }

static const st_force_ops force_ops = {.add_force = interaction_ellipsoid_add_force,
                                       .stiffness = interaction_ellipsoid_stiffness,
                                       .product = interaction_ellipsoid_product};

const st_class st_interaction_ellipsoid_force_field_class = {
    .name = "InteractionEllipsoidForceField",
    .help = "ellipsoids on a rigid frame that push the points of another state",
    .parent = &st_pair_force_class,
    .templates = "Vec3,Rigid3",
    .fields = fields,
    .size = sizeof(ellipsoids),
    .example = "<Node name=\"frame\">\n"
               "    <MechanicalObject name=\"dofs\" template=\"Rigid3\" position=\"0.1 0 0  0 0.6 0 0.8\"/>\n"
               "</Node>\n"
               "<MechanicalObject name=\"points\" position=\"0.3 0.4 0.2  0.7 -0.3 0.1  5 0 0\"/>\n"
               "<InteractionEllipsoidForceField object1=\"@points\" object2=\"@frame/dofs\" vradius=\"2 1 1.5\" "
               "stiffness=\"80\" damping=\"2\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_APPROXIMATE_TANGENT,
    .accepts = interaction_ellipsoid_accepts,
    .init = interaction_ellipsoid_init,
    .destroy = interaction_ellipsoid_destroy,
    .force = &force_ops,
};
