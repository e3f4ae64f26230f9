// Haptics as programs see them (settee/haptics.h): checks, then the component.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/plugin/haptics.h"
#include "math/quat.h"
#include "scene/scene.h"

static bool are_finite(const st_real *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

// A pose with a quaternion of length 1. False: it has none, or something is no number.
static bool take_pose(st_real to[7], const st_real *pose) {
    if (!pose || !are_finite(pose, 7)) return false;
    for (int k = 0; k < 7; k++) to[k] = pose[k];
    const st_real length = st_quat_norm(to + 3);
    if (!(length > 0 && length <= ST_REAL_MAX)) return false;
    for (int k = 3; k < 7; k++) to[k] /= length;
    return true;
}

st_status st_haptic_force(st_object *feedback, const st_real *positions, size_t count, st_real *forces) {
    if (!feedback) return ST_NOT_FOUND;
    if (!feedback->type->force_feedback || !positions || !forces || count == 0) return ST_INVALID;
    const size_t coord = feedback->dof ? feedback->dof->coord : 7;
    if (count > SIZE_MAX / sizeof(st_real) / 16 || !are_finite(positions, count * coord)) return ST_INVALID;
    return feedback->type->force_feedback->force(feedback, positions, count, forces);
}

st_status st_haptic_move(st_object *device, const st_real pose[7]) {
    st_real checked[7];
    if (!device) return ST_NOT_FOUND;
    if (!device->type->device || !take_pose(checked, pose)) return ST_INVALID;
    if (!st_is_valid(device)) return ST_FAILED;
    return device->type->device->move(device, checked);
}

st_status st_haptic_tick(st_object *device, const st_real pose[7], st_real wrench[6]) {
    st_real checked[7];
    if (!device) return ST_NOT_FOUND;
    if (!device->type->device || !device->type->device->tick || !wrench || !take_pose(checked, pose)) return ST_INVALID;
    if (!st_is_valid(device)) return ST_FAILED;
    return device->type->device->tick(device, checked, wrench);
}

st_status st_scene_mouse(st_scene *scene, const st_mouse_event *event) {
    if (!scene || !scene->root || !event) return ST_INVALID;
    st_send_event(scene->root, &(st_event){.kind = ST_EVENT_MOUSE, .mouse = event});
    return ST_OK;
}
