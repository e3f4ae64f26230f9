// An animated skeleton: joints with keys, read from text, and their frames at a time.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PROJECTION_SKELETON_H
#define SETTEE_PROJECTION_SKELETON_H

#include "settee/plugin/component.h"

typedef struct st_joint {
    size_t parent;    // SIZE_MAX: none; parents come before their children
    size_t keys;      // number of keys, and where they begin in the lists of the skeleton
    size_t first;     //
    st_real local[7]; // frame of a joint without keys
    st_real start[7]; // frame at time 0, from which one with keys moves to the first of them
} st_joint;

typedef struct st_skeleton {
    ST_LIST(st_joint) joints;
    st_reals motions; // 7 reals a key
    st_reals times;
    ST_LIST(size_t) bones; // joint of each DOF
} st_skeleton;

// Reads both texts; says what is wrong with them.
st_status st_skeleton_read(st_object *object, st_skeleton *skeleton, const char *joints, const char *bones);
// Frames of all joints in the world.
void st_skeleton_pose(const st_skeleton *skeleton, st_real t, st_real *world);
void st_skeleton_free(st_skeleton *skeleton);

#endif
