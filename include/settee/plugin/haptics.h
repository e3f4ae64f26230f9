// Components that programs talk to while a step runs: force feedbacks and devices. Their functions are called from other
// threads than the scene's: they touch nothing but what belongs to them alone, and send no messages.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLUGIN_HAPTICS_H
#define SETTEE_PLUGIN_HAPTICS_H

#include "settee/haptics.h"
#include "settee/plugin/component.h"

#ifdef __cplusplus
extern "C" {
#endif

struct st_force_feedback_ops {
    // See st_haptic_force; the positions are finite numbers.
    st_status (*force)(st_object *, const st_real *positions, size_t count, st_real *forces);
};

struct st_device_ops {
    // See st_haptic_move; the pose is made of finite numbers, its quaternion has the length 1.
    st_status (*move)(st_object *, const st_real pose[7]);
    // See st_haptic_tick. NULL: it shows no forces.
    st_status (*tick)(st_object *, const st_real pose[7], st_real wrench[6]);
};

#ifdef __cplusplus
}
#endif
#endif
