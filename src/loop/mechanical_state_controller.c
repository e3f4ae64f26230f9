// MechanicalStateController: a mouse, or a device that a program moves, drives one frame of a state.
//
// Rigid3. The mouse turns and moves the frame by the pixels dx, dy since the last time, while a button is held:
//
//     left                      q ← q Q(y, 0.001 dx) Q(z, 0.001 dy)
//     right                     x += R(q) 0.05 dy mainDirection,  q ← q Q(x, 0.001 dx)
//     left, right, middle       with onlyTranslation: x += dx, y += dy, z += dy along the axes of the world
//
// with Q(axis, angle) a rotation about an axis of the frame. A pose given by a program (st_haptic_move) is taken as it is.
// Both act at the beginning of a step, the mouse also at once with handleEventTriggersUpdate. Then the node is settled:
// projective constraints and mappings below it follow.
//
// Vec1. The rest positions 0 and 1 are -0.4 while the middle button is held, else 0.
//
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <tgmath.h>

#include "base/array.h"
#include "base/triple.h"
#include "math/rigid.h"
#include "plan/plan.h"
#include "settee/plugin/haptics.h"

typedef enum held_button { NO_BUTTON, LEFT, RIGHT, MIDDLE } held_button;

typedef struct controller {
    st_object object;
    bool at_once; // handleEventTriggersUpdate
    uint32_t index;
    bool only_translation, device_button;
    st_real direction[3];

    st_state *state;
    held_button button;
    int x, y, saved_x, saved_y; // pixels

    // poses that other threads give
    st_triple places;
    st_real poses[3][7];
    pthread_mutex_t writers;
    bool has_lock;
    atomic_bool listens;
} controller;

static const st_field fields[] = {
    ST_FIELD(controller, at_once, "handleEventTriggersUpdate", st_type_bool, "0",
             "moves of the mouse act at once, not only at the beginning of a step"),
    ST_FIELD(controller, index, "index", st_type_uint, "0", "the frame that is moved"),
    ST_FIELD(controller, only_translation, "onlyTranslation", st_type_bool, "0",
             "buttons move the frame along the axes of the world"),
    ST_FIELD(controller, device_button, "buttonDeviceState", st_type_bool, "0",
             "the button of a device, which moves nothing in SOFA either", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(controller, direction, "mainDirection", st_type_vec3, "0 0 -1",
             "direction in the frame along which the right button moves it"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Rigid3
// ---------------------------------------------------------------------------------------------------

// q ← q Q(axis, angle)
static void turn(st_real q[4], int axis, st_real angle) {
    st_real by[4] = {0, 0, 0, cos(angle / 2)}, turned[4];
    by[axis] = sin(angle / 2);
    st_quat_multiply(turned, q, by);
    st_quat_copy(q, turned);
}

static void drive_freely(controller *self, st_real *x, st_real *free, st_real dx, st_real dy) {
    const st_real per_pixel = ST_R(0.001);
    if (self->button == LEFT) {
        turn(x + 3, 1, per_pixel * dx);
        turn(x + 3, 2, per_pixel * dy);
        st_quat_copy(free + 3, x + 3);
        return;
    }
    if (self->button != RIGHT) return;

    // along its own direction, and about x; the free motion is turned twice, as in SOFA
    st_real way[3];
    st_vec3_scale(way, self->direction, ST_R(0.05) * dy);
    st_quat_rotate(way, x + 3, way);
    st_vec3_add(x, x, way);
    st_vec3_add(free, free, way);
    turn(x + 3, 0, per_pixel * dx);
    st_quat_copy(free + 3, x + 3);
    turn(free + 3, 0, per_pixel * dx);
}

static st_real *frame_of(controller *self, st_coord_id id) {
    if (!st_state_make_coord(self->state, id)) return NULL;
    return st_position_of(self->state, id) + 7 * (size_t)self->index;
}

static void drive_by_mouse(controller *self, st_real *x) {
    const st_real dx = (st_real)self->x - (st_real)self->saved_x, dy = (st_real)self->y - (st_real)self->saved_y;
    self->saved_x = self->x;
    self->saved_y = self->y;
    if (self->button == NO_BUTTON) return;

    if (self->only_translation) {
        x[self->button - LEFT] += self->button == LEFT ? dx : dy;
        return;
    }
    st_real *free = frame_of(self, ST_FREE_POSITION);
    if (free) drive_freely(self, x, free, dx, dy);
}

static void drive_frame(controller *self) {
    if (self->index >= self->state->size) {
        st_message_once(&self->object, "index", ST_ERROR, "index is %u, but the state has %zu DOFs: nothing is moved",
                        (unsigned)self->index, self->state->size);
        return;
    }
    st_real *x = frame_of(self, ST_POSITION);
    if (!x) return;

    // the newest pose of a program, then what the mouse adds
    if (st_triple_take(&self->places)) {
        const st_real *pose = self->poses[self->places.front];
        st_real *free = frame_of(self, ST_FREE_POSITION);
        st_copy_reals(x, pose, 7);
        if (free) st_copy_reals(free, pose, 7);
    }
    drive_by_mouse(self, x);
    st_settle(self->object.node);
}

// ---------------------------------------------------------------------------------------------------
// Vec1
// ---------------------------------------------------------------------------------------------------

static void drive_two(controller *self) {
    if (self->state->size < 2) {
        st_message_once(&self->object, "two", ST_ERROR, "it needs two DOFs, the state has %zu: nothing is moved",
                        self->state->size);
        return;
    }
    if (!st_state_make_coord(self->state, ST_REST_POSITION)) return;
    st_real *rest = st_position_of(self->state, ST_REST_POSITION);
    rest[0] = rest[1] = self->button == MIDDLE ? ST_R(-0.4) : 0;
    st_touch(&self->state->object, &self->state->coord[ST_COORD_REST]);
}

// ---------------------------------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------------------------------

static void controller_apply(controller *self) {
    if (self->object.dof == &st_rigid3) drive_frame(self);
    else drive_two(self);
}

static void take_mouse(controller *self, const st_mouse_event *mouse) {
    static const held_button pressed[] = {
        [ST_MOUSE_LEFT_PRESS] = LEFT, [ST_MOUSE_RIGHT_PRESS] = RIGHT, [ST_MOUSE_MIDDLE_PRESS] = MIDDLE};
    self->x = mouse->x;
    self->y = mouse->y;

    // ways are measured from where a button was pressed
    switch (mouse->action) {
    case ST_MOUSE_LEFT_PRESS:
    case ST_MOUSE_RIGHT_PRESS:
    case ST_MOUSE_MIDDLE_PRESS:
        self->button = pressed[mouse->action];
        self->saved_x = mouse->x;
        self->saved_y = mouse->y;
        break;
    case ST_MOUSE_LEFT_RELEASE:
    case ST_MOUSE_RIGHT_RELEASE:
    case ST_MOUSE_MIDDLE_RELEASE: self->button = NO_BUTTON; break;
    default: break;
    }
}

static void mechanical_state_controller_event(st_object *object, st_event *event) {
    controller *self = (controller *)object;
    if (event->kind == ST_EVENT_ANIMATE_BEGIN) {
        atomic_store(&self->listens, true);
        controller_apply(self);
    }
    if (event->kind != ST_EVENT_MOUSE || !event->mouse) return;

    take_mouse(self, event->mouse);
    const bool moves = event->mouse->action == ST_MOUSE_MOVE || object->dof != &st_rigid3;
    if (self->at_once && moves) controller_apply(self);
}

// ---------------------------------------------------------------------------------------------------
// Class
// ---------------------------------------------------------------------------------------------------

static st_status mechanical_state_controller_move(st_object *object, const st_real pose[7]) {
    controller *self = (controller *)object;
    if (object->dof != &st_rigid3) return ST_INVALID;
    if (!atomic_load(&self->listens)) return ST_FAILED;

    // writers take turns; the step that takes the pose waits for nobody
    pthread_mutex_lock(&self->writers);
    st_copy_reals(self->poses[self->places.back], pose, 7);
    st_triple_publish(&self->places);
    pthread_mutex_unlock(&self->writers);
    return ST_OK;
}

static bool mechanical_state_controller_accepts(st_object *object) {
    const st_object *state = st_find_slot(object->node, ST_ROLE(state));
    if (!state || state->dof == object->dof) return true;
    return st_refuse(object, "the state '%s' is of type %s", state->name ? state->name : "",
                     state->dof ? state->dof->name : "(none)");
}

static st_status mechanical_state_controller_construct(st_object *object) {
    controller *self = (controller *)object;
    st_triple_init(&self->places);
    self->has_lock = pthread_mutex_init(&self->writers, NULL) == 0;
    return self->has_lock ? ST_OK : ST_OUT_OF_MEMORY;
}

static st_status mechanical_state_controller_init(st_object *object) {
    controller *self = (controller *)object;
    self->state = (st_state *)st_find(object->node, ST_ROLE(state), ST_LOCAL);
    atomic_store(&self->listens, object->listening);
    if (self->state && self->state->object.dof == object->dof) return ST_OK;
    return st_invalid(object, "there is no mechanical state of type %s in its node: nothing is moved",
                      object->dof ? object->dof->name : "(none)");
}

// Poses of a time before the reset do not count.
static void mechanical_state_controller_reset(st_object *object) {
    controller *self = (controller *)object;
    self->button = NO_BUTTON;
    st_triple_take(&self->places);
}

static void mechanical_state_controller_destroy(st_object *object) {
    controller *self = (controller *)object;
    if (self->has_lock) pthread_mutex_destroy(&self->writers);
}

static const st_device_ops ops = {.move = mechanical_state_controller_move};

const st_class st_mechanical_state_controller_class = {
    .name = "MechanicalStateController",
    .help = "moves a frame of a state by the mouse or by a program (settee/haptics.h); needs listening=\"1\"",
    .parent = &st_object_class,
    .templates = "Rigid3 Vec1",
    .fields = fields,
    .size = sizeof(controller),
    .accepts = mechanical_state_controller_accepts,
    .construct = mechanical_state_controller_construct,
    .init = mechanical_state_controller_init,
    .reset = mechanical_state_controller_reset,
    .event = mechanical_state_controller_event,
    .destroy = mechanical_state_controller_destroy,
    .device = &ops,
};
