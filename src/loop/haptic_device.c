// HapticDevice: a device that a program moves while the scene runs, in place of the drivers of SOFA's plug-ins.
//
// A pose (x, q) of the device is in the scene at
//
//     positionBase + R(orientationBase) scale x,   orientationBase q
//
// It is in positionDevice from the beginning of the next step on; the tool's state, or a state that springs draw the tool
// to, is linked to it. A tick also asks the force feedback of the same `indice` for the force at the newest pose, and
// turns it back into the axes of the device.
//
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include "base/array.h"
#include "base/triple.h"
#include "math/rigid.h"
#include "scene/scene.h"
#include "settee/plugin/haptics.h"
#include "settee/plugin/state.h"

// What other threads need of the attributes, kept apart from the fields.
typedef struct device_base {
    st_real place[3], turn[4], scale, force_scale;
} device_base;

typedef struct device {
    st_object object;
    device_base base;
    int32_t index;
    st_reals position; // Rigid3, one
    bool button[2];

    st_object *feedback; // of the same index
    st_triple places;    // of poses in the scene
    st_real poses[3][7];
    pthread_mutex_t lock; // of `seen` and of the threads that move it
    bool has_lock, ready;
    device_base seen;
} device;

static const st_type frames = {"list of frames", ST_SCALAR_REAL, 7, true, ST_SYNTAX_PLAIN};

static const st_field fields[] = {
    ST_FIELD(device, position, "positionDevice", frames, NULL,
             "its frame in the scene; its base before a program moves it", .aliases = "position"),
    ST_FIELD(device, base.place, "positionBase", st_type_vec3, "0 0 0", "the place of its origin in the scene"),
    ST_FIELD(device, base.turn, "orientationBase", st_type_quat, "0 0 0 1", "the rotation of its axes in the scene"),
    ST_FIELD(device, base.scale, "scale", st_type_real, "1", "units of the scene per unit of the device"),
    ST_FIELD(device, base.force_scale, "forceScale", st_type_real, "1", "factor of the forces that it shows"),
    ST_FIELD(device, index, "indice", st_type_int, "0", "number of its tool: that of the force feedback"),
    ST_FIELD(device, button[0], "button1", st_type_bool, "0", "a button, for those who link to it"),
    ST_FIELD(device, button[1], "button2", st_type_bool, "0", "another one"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Any thread
// ---------------------------------------------------------------------------------------------------

static void to_scene(const device_base *base, const st_real pose[7], st_real frame[7]) {
    st_real x[3];
    st_vec3_scale(x, pose, base->scale);
    st_quat_rotate(x, base->turn, x);
    st_vec3_add(frame, base->place, x);
    st_quat_multiply(frame + 3, base->turn, pose + 3);
}

// Leaves the frame in the scene, and the attributes of this moment.
static st_status move_to(device *self, const st_real pose[7], st_real frame[7], device_base *base) {
    if (!self->ready) return ST_FAILED;
    pthread_mutex_lock(&self->lock);
    *base = self->seen;
    to_scene(base, pose, frame);
    st_copy_reals(self->poses[self->places.back], frame, 7);
    st_triple_publish(&self->places);
    pthread_mutex_unlock(&self->lock);
    return ST_OK;
}

static st_status haptic_device_move(st_object *object, const st_real pose[7]) {
    st_real frame[7];
    device_base base;
    return move_to((device *)object, pose, frame, &base);
}

static st_status haptic_device_tick(st_object *object, const st_real pose[7], st_real wrench[6]) {
    device *self = (device *)object;
    st_real frame[7], world[6] = {0};
    device_base base;
    memset(wrench, 0, 6 * sizeof *wrench);
    st_status status = move_to(self, pose, frame, &base);
    if (status != ST_OK || !self->feedback) return status;

    // one that is not active leaves zeros
    status = self->feedback->type->force_feedback->force(self->feedback, frame, 1, world);
    for (int k = 0; k < 6; k += 3) {
        st_quat_inverse_rotate(wrench + k, base.turn, world + k);
        st_vec3_scale(wrench + k, wrench + k, base.force_scale);
    }
    return status == ST_FAILED ? ST_OK : status;
}

// ---------------------------------------------------------------------------------------------------
// The thread of the simulation
// ---------------------------------------------------------------------------------------------------

static void show_base(device *self) {
    pthread_mutex_lock(&self->lock);
    self->seen = self->base;
    st_quat_normalize(self->seen.turn, self->seen.turn);
    pthread_mutex_unlock(&self->lock);
}

static void haptic_device_written(st_object *object, const st_field *field, bool by_link) {
    (void)field, (void)by_link;
    if (((device *)object)->ready) show_base((device *)object);
}

static void haptic_device_event(st_object *object, st_event *event) {
    device *self = (device *)object;
    if (event->kind != ST_EVENT_ANIMATE_BEGIN || !st_triple_take(&self->places)) return;

    // those who are linked to it follow before the forces of the step
    self->position.count = 0;
    if (!st_list_set_count(&self->position, 1, 7)) {
        st_message_once(object, "memory", ST_ERROR, "out of memory: its frame");
        return;
    }
    st_copy_reals(self->position.data, self->poses[self->places.front], 7);
    st_touch(object, &self->position);
}

typedef struct search {
    const device *self;
    st_object *found;
} search;

static bool look_for_feedback(st_node *node, void *context) {
    search *s = context;
    for (size_t i = 0; !s->found && i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (!object->type->force_feedback || (object->dof && object->dof != &st_rigid3)) continue;
        const int field = st_field_index(object, "indice");
        const int32_t index =
            field < 0 ? 0 : *(const int32_t *)((const char *)object + st_fields(object)[field]->offset);
        if (index == s->self->index) s->found = object;
    }
    return !s->found;
}

// After every component has its own init.
static st_status haptic_device_bwd_init(st_object *object) {
    device *self = (device *)object;
    search s = {.self = self};
    st_visit(object->scene->root, look_for_feedback, &s);
    self->feedback = s.found;
    return ST_OK;
}

static st_status haptic_device_construct(st_object *object) {
    device *self = (device *)object;
    st_triple_init(&self->places);
    self->has_lock = pthread_mutex_init(&self->lock, NULL) == 0;
    return self->has_lock ? ST_OK : ST_OUT_OF_MEMORY;
}

// Before a program moves it, it is at its base.
static st_status haptic_device_parse(st_object *object) {
    device *self = (device *)object;
    static const st_real still[7] = {0, 0, 0, 0, 0, 0, 1};
    if (st_is_set(object, &self->position) && self->position.count) return ST_OK;

    self->position.count = 0;
    if (!st_list_set_count(&self->position, 1, 7)) return ST_OUT_OF_MEMORY;
    to_scene(&self->base, still, self->position.data);
    return ST_OK;
}

static st_status haptic_device_init(st_object *object) {
    device *self = (device *)object;
    if (!(fabs(self->base.scale) <= ST_REAL_MAX) || !(fabs(self->base.force_scale) <= ST_REAL_MAX))
        return st_invalid(object, "scale is %g and forceScale %g: they must be finite numbers",
                          (double)self->base.scale, (double)self->base.force_scale);
    show_base(self);
    self->ready = true;
    return ST_OK;
}

static void haptic_device_destroy(st_object *object) {
    device *self = (device *)object;
    if (self->has_lock) pthread_mutex_destroy(&self->lock);
}

// Drivers have attributes of their hardware, which a program has not.
static bool haptic_device_attribute(st_object *object, const char *name, const char *value) {
    (void)object, (void)name, (void)value;
    return true;
}

static const st_device_ops ops = {.move = haptic_device_move, .tick = haptic_device_tick};

const st_class st_haptic_device_class = {
    .name = "HapticDevice",
    .help = "a device that a program moves while the scene runs (settee/haptics.h), instead of a driver",
    .parent = &st_object_class,
    .aliases = "GeomagicDriver",
    .fields = fields,
    .size = sizeof(device),
    .example = "<HapticDevice name='device' scale='0.1' positionBase='0 1 0'/>\n"
               "<MechanicalObject template='Rigid3' position='@device.positionDevice'/>",
    .flags = ST_CLASS_LISTENING,
    .construct = haptic_device_construct,
    .attribute = haptic_device_attribute,
    .parse = haptic_device_parse,
    .init = haptic_device_init,
    .bwd_init = haptic_device_bwd_init,
    .written = haptic_device_written,
    .event = haptic_device_event,
    .destroy = haptic_device_destroy,
    .device = &ops,
};
