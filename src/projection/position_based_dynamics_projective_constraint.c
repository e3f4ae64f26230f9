// PositionBasedDynamicsProjectiveConstraint: points that are drawn to targets, x += s (target - x).
//
// The velocity is what the positions did, (x - old) / dt. Orientations go to the target by s rounded to single
// precision; nothing is normalized on the way, as in SOFA.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/rigid.h"
#include "projection/points.h"
#include "scene/scene.h"
#include "state/state_links.h"

typedef struct position_based {
    st_projection base;
    st_real stiffness;
    st_reals target;
    st_reals velocity;
    st_reals old;
    bool started;
} position_based;

static const st_field fields[] = {
    ST_FIELD(position_based, stiffness, "stiffness", st_type_real, "1", "part of the way to the target in each step"),
    ST_FIELD(position_based, target, "position", st_type_coords, NULL, "the targets, one for each point"),
    ST_FIELD(position_based, velocity, "velocity", st_type_derivs, NULL, "the velocities that result",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(position_based, old, "old_position", st_type_coords, NULL, "the positions of the step before",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

// Room for all points is taken at once, so that a step takes none.
static st_status position_based_dynamics_make_room(position_based *self) {
    st_object *object = (st_object *)self;
    const size_t size = self->base.state->size;

    if (self->old.count != size) self->started = false;
    if (self->old.count != size && !st_resize_member(object, &self->old, size)) return ST_OUT_OF_MEMORY;
    if (self->velocity.count != size && !st_resize_member(object, &self->velocity, size)) return ST_OUT_OF_MEMORY;
    return ST_OK;
}

static st_status position_based_dynamics_init(st_object *object) {
    position_based *self = (position_based *)object;
    const st_status status = st_projection_class.init(object);
    if (status != ST_OK) return status;

    if (!isfinite(self->stiffness)) return st_invalid(object, "the stiffness is not a finite number");
    self->started = st_is_set(object, &self->old) && self->old.count == self->base.state->size;
    return position_based_dynamics_make_room(self);
}

static void position_based_dynamics_reset(st_object *object) { ((position_based *)object)->started = false; }

static bool has_targets(position_based *self) {
    const size_t size = self->base.state->size;
    if (self->target.count == size) return true;

    st_message_once(&self->base.object, "targets", ST_ERROR, "there are %zu positions for %zu points: it has no effect",
                    self->target.count, size);
    return false;
}

// ω with which old turns to q within dt.
static void turn_angle(st_real omega[3], const st_real q[4], const st_real old[4], st_real dt) {
    st_real inverse[4], turn[4], axis[3], angle;

    st_quat_inverse(inverse, old);
    st_quat_multiply(turn, q, inverse);

    st_vec3_zero(omega);
    if (st_quat_to_axis_angle(axis, &angle, turn) && isfinite(angle) && dt != 0) st_vec3_scale(omega, axis, angle / dt);
}

// The way u from q to the target, whatever the sign of their product.
static void approach(st_real q[4], const st_real target[4], st_real u) {
    const st_real cosine = fabs(st_quat_dot(q, target));
    st_real weight = 1 - u, weight_target = u;

    // the ends of a short arc are mixed linearly
    if (1 - cosine >= ST_R(0.01)) {
        const st_real angle = acos(cosine), sine = sin(angle);
        weight = sin((1 - u) * angle) / sine;
        weight_target = sin(u * angle) / sine;
    }

    for (int i = 0; i < 4; i++) q[i] = q[i] * weight + target[i] * weight_target;
}

static void draw_frame(const position_based *self, st_real *x, const st_real *target) {
    for (int j = 0; j < 3; j++) x[j] += (target[j] - x[j]) * self->stiffness;
    if (self->stiffness == 1) st_quat_copy(x + 3, target + 3);
    else approach(x + 3, target + 3, (st_real)(float)self->stiffness);
}

static void position_based_dynamics_follow(position_based *self, st_real *x, size_t point) {
    const st_dof *dof = self->base.object.dof;
    const size_t width = dof->coord;
    const st_real dt = self->base.object.node->dt, *target = self->target.data + point * width;
    st_real *old = self->old.data + point * width, *v = self->velocity.data + point * dof->deriv;

    // x += s (target - x)
    if (dof->rigid) draw_frame(self, x, target);
    else
        for (size_t j = 0; j < width; j++) x[j] += (target[j] - x[j]) * self->stiffness;

    // v = (x - old) / dt
    const size_t linear = dof->rigid ? 3 : width;
    for (size_t j = 0; j < linear; j++) v[j] = dt != 0 ? (x[j] - old[j]) / dt : 0;
    if (dof->rigid) turn_angle(v + 3, x + 3, old + 3, dt);

    st_copy_reals(old, x, width);
}

// Targets that an engine makes of the positions (ShapeMatching) are those of the positions of this moment.
static void follow_targets(position_based *self) {
    if (!st_state_is_linked(self->base.state)) return;
    st_state_give_links(self->base.state);
    st_pull(&self->base.object);
}

static void position_based_dynamics_position(st_projection *base, st_coord_id id) {
    position_based *self = (position_based *)base;
    st_real *x = base->state ? st_position_of(base->state, id) : NULL;

    // the targets of this moment, and room
    if (x && id.index == ST_COORD_POSITION) follow_targets(self);
    if (!x || !has_targets(self) || position_based_dynamics_make_room(self) != ST_OK) return;

    const size_t width = base->object.dof->coord;

    // the first time the points have not moved
    if (!self->started) st_copy_reals(self->old.data, x, base->state->size * width);
    self->started = true;

    for (size_t i = 0; i < base->state->size; i++) position_based_dynamics_follow(self, x + i * width, i);

    st_touch(&base->object, &self->velocity);
    st_touch(&base->object, &self->old);
}

static void position_based_dynamics_velocity(st_projection *base, st_deriv_id id) {
    const position_based *self = (position_based *)base;
    st_real *v = base->state ? st_velocity_of(base->state, id) : NULL;
    if (!v || !self->started || self->velocity.count != base->state->size) return;

    st_copy_reals(v, self->velocity.data, base->state->size * base->object.dof->deriv);
}

static const st_projection_ops ops = {.velocity = position_based_dynamics_velocity,
                                      .position = position_based_dynamics_position};

const st_class st_position_based_dynamics_projective_constraint_class = {
    .name = "PositionBasedDynamicsProjectiveConstraint",
    .help = "points that are drawn to targets",
    .parent = &st_projection_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid3",
    .fields = fields,
    .size = sizeof(position_based),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<PositionBasedDynamicsProjectiveConstraint stiffness=\"1\" position=\"0 0 1  1 1 0\"/>",
    .init = position_based_dynamics_init,
    .reset = position_based_dynamics_reset,
    .projection = &ops,
};
