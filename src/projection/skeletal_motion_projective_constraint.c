// SkeletalMotionProjectiveConstraint: frames that follow the joints of an animated skeleton.
//
// Each joint has a local frame: given, or interpolated between the keys around the time t · animationSpeed (the center
// straight, the orientation on the shorter arc). Its frame in the world is the product of the local ones from the root
// down. DOF i follows the joint bones[i]; its velocity is the difference to the frame one step later.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/rigid.h"
#include "projection/points.h"
#include "projection/skeleton.h"

typedef struct skeletal_motion {
    st_projection base;
    char *joints_text;
    char *bones_text;
    st_real speed;
    bool active;
    st_skeleton skeleton;
    st_reals now, later; // frames of the joints in the world
} skeletal_motion;

static const st_field fields[] = {
    ST_FIELD(skeletal_motion, joints_text, "joints", st_type_string, NULL,
             "[record,record,...]: Parent i Channels n frames Times n times PreviousMotion frame NextMotion frame "
             "LocalRigid frame"),
    ST_FIELD(skeletal_motion, bones_text, "bones", st_type_string, NULL, "[joint of the first DOF,of the second,...]"),
    ST_FIELD(skeletal_motion, speed, "animationSpeed", st_type_real, "1",
             "time of the animation over time of the scene"),
    ST_FIELD(skeletal_motion, active, "active", st_type_bool, "1", "whether the animation is followed"),
    ST_FIELDS_END,
};

static st_status skeletal_motion_init(st_object *object) {
    skeletal_motion *self = (skeletal_motion *)object;
    st_status status = st_projection_class.init(object);
    if (status == ST_OK) status = st_skeleton_read(object, &self->skeleton, self->joints_text, self->bones_text);
    if (status != ST_OK) return status;

    if (!isfinite(self->speed)) return st_invalid(object, "animationSpeed is not a finite number");
    const size_t joints = self->skeleton.joints.count;
    return st_list_set_count(&self->now, joints, 7) && st_list_set_count(&self->later, joints, 7) ? ST_OK
                                                                                                  : ST_OUT_OF_MEMORY;
}

// Time of the animation; false at 0, when there is no motion yet.
static bool find_time(const skeletal_motion *self, st_real *t) {
    *t = self->base.object.node->time * self->speed;
    return self->active && self->base.state && *t != 0;
}

static size_t bone_count(const skeletal_motion *self) {
    const size_t bones = self->skeleton.bones.count, size = self->base.state->size;
    return bones < size ? bones : size;
}

static void skeletal_motion_response(st_projection *base, st_deriv_id id) {
    const skeletal_motion *self = (skeletal_motion *)base;

    st_real *d = base->state ? st_dx_of(base->state, id) : NULL;
    for (size_t i = 0; d && self->active && i < base->state->size * 6; i++) d[i] = 0;
}

static void skeletal_motion_position(st_projection *base, st_coord_id id) {
    skeletal_motion *self = (skeletal_motion *)base;
    st_real t, *x = base->state ? st_position_of(base->state, id) : NULL;
    if (!x || !find_time(self, &t)) return;

    st_skeleton_pose(&self->skeleton, t, self->now.data);
    for (size_t i = 0; i < bone_count(self); i++)
        st_copy_reals(x + 7 * i, self->now.data + 7 * self->skeleton.bones.data[i], 7);
}

static void skeletal_motion_velocity(st_projection *base, st_deriv_id id) {
    skeletal_motion *self = (skeletal_motion *)base;
    const st_real dt = base->object.node->dt;
    st_real t, *v = base->state ? st_velocity_of(base->state, id) : NULL;
    if (!v || !find_time(self, &t)) return;

    // v = (frame at t + dt) - (frame at t), over dt
    st_skeleton_pose(&self->skeleton, t, self->now.data);
    st_skeleton_pose(&self->skeleton, t + dt, self->later.data);
    for (size_t i = 0; i < bone_count(self); i++) {
        const size_t joint = self->skeleton.bones.data[i];
        st_rigid_difference(v + 6 * i, self->later.data + 7 * joint, self->now.data + 7 * joint);
        for (int j = 0; j < 6; j++) v[6 * i + (size_t)j] = dt != 0 ? v[6 * i + (size_t)j] / dt : 0;
    }
}

static void skeletal_motion_discard(st_projection *base, st_clear *clear, void *context) {
    const skeletal_motion *self = (skeletal_motion *)base;
    for (size_t i = 0; self->active && base->state && i < base->state->size * 6; i++) clear(context, i);
}

static void skeletal_motion_columns(st_projection *base, st_filter *filter, void *context) {
    const skeletal_motion *self = (skeletal_motion *)base;
    for (size_t i = 0; self->active && base->state && i < base->state->size; i++) filter(context, i, NULL);
}

static void skeletal_motion_destroy(st_object *object) {
    skeletal_motion *self = (skeletal_motion *)object;
    st_skeleton_free(&self->skeleton);
    st_list_free(&self->now);
    st_list_free(&self->later);
}

static const st_projection_ops ops = {
    .response = skeletal_motion_response,
    .velocity = skeletal_motion_velocity,
    .position = skeletal_motion_position,
    .discard = skeletal_motion_discard,
    .columns = skeletal_motion_columns,
};

const st_class st_skeletal_motion_projective_constraint_class = {
    .name = "SkeletalMotionProjectiveConstraint",
    .help = "frames that follow the joints of an animated skeleton",
    .parent = &st_projection_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(skeletal_motion),
    .example = "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<SkeletalMotionProjectiveConstraint bones=\"[0,1]\" joints=\"[\n"
               "    Parent -1 Channels 2 0 0 0 0 0 0 1  0 0 1 0 0 0 1 Times 2 0 2 PreviousMotion 0 0 0 0 0 0 1\n"
               "    NextMotion 0 0 0 0 0 0 1 LocalRigid 0 0 0 0 0 0 1,\n"
               "    Parent 0 Channels 0 Times 0 PreviousMotion 0 0 0 0 0 0 1 NextMotion 0 0 0 0 0 0 1\n"
               "    LocalRigid 1 0 0 0 0 0 1]\"/>",
    .init = skeletal_motion_init,
    .destroy = skeletal_motion_destroy,
    .projection = &ops,
};
