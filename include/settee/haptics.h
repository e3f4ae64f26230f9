// Haptics: a program that moves a tool of a running simulation, and feels its contacts a thousand times per second.
//
//     st_object *feedback = st_scene_find(scene, "/Tool/feedback");      // LCPForceFeedback
//     st_object *device = st_scene_find(scene, "/device");              // HapticDevice
//     ...
//     st_haptic_force(feedback, x, 1, f);      // the thread of the device, at any rate
//     st_scene_step(scene, 0);                 // the thread of the simulation, at its own
//
// The first three functions may be called by any thread while another one steps the scene. They never make the simulation
// wait, nor do they wait for it; threads that ask the same component at the same time wait for each other. They send no
// messages. The scene must not be loaded again or destroyed during a call. docs/haptics.md tells the rest.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_HAPTICS_H
#define SETTEE_HAPTICS_H

#include "settee/settee.h"

#ifdef __cplusplus
extern "C" {
#endif

// The forces on a tool if its DOFs were at these positions: the contacts of the last step are solved again for them.
// `count` DOFs of the type of the feedback's template: 7 numbers each (place and quaternion) for Rigid3, 1 for Vec1;
// forces have 6 numbers (force and torque) or 1. Without contacts they are 0.
//
// ST_FAILED: its attribute `activate` is false: the forces are left as they are. ST_INVALID: it is no force feedback, or
// the positions are no finite numbers. ST_NOT_FOUND: the object is NULL.
ST_API st_status st_haptic_force(st_object *feedback, const st_real *positions, size_t count, st_real *forces);

// A new pose (place and quaternion) of a HapticDevice or a MechanicalStateController: it has it from the beginning of
// the next step on. Of several poses before a step the last one counts. Statuses as above; ST_FAILED: the component does
// not listen to steps (listening="0").
ST_API st_status st_haptic_move(st_object *device, const st_real pose[7]);

// One tick of a HapticDevice: moves it, and gives the force and torque to show, in its own axes, by the force feedback
// of the scene that has the same `indice`. 0 without one, or when that is not active.
ST_API st_status st_haptic_tick(st_object *device, const st_real pose[7], st_real wrench[6]);

// What a mouse does, for the components that listen to it (MechanicalStateController); pixels. Only between steps, by
// the thread of the scene.
typedef enum st_mouse_action {
    ST_MOUSE_MOVE,
    ST_MOUSE_WHEEL,
    ST_MOUSE_LEFT_PRESS,
    ST_MOUSE_LEFT_RELEASE,
    ST_MOUSE_RIGHT_PRESS,
    ST_MOUSE_RIGHT_RELEASE,
    ST_MOUSE_MIDDLE_PRESS,
    ST_MOUSE_MIDDLE_RELEASE,
} st_mouse_action;
typedef struct st_mouse_event {
    st_mouse_action action;
    int x, y;
} st_mouse_event;
ST_API st_status st_scene_mouse(st_scene *scene, const st_mouse_event *event);

#ifdef __cplusplus
}
#endif
#endif
