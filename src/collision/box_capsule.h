// Boxes and capsules: models and the tests for them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_BOX_CAPSULE_H
#define SETTEE_COLLISION_BOX_CAPSULE_H

#include "collision/collision.h"
#include "collision/convex.h"

// What every method begins with: with each other, spheres and points.
void st_intersection_enter_boxes(st_intersection *method);
// What needs the flags of triangles: with lines and triangles.
void st_intersection_enter_boxes_and_triangles(st_intersection *method);

typedef struct st_capsule {
    st_real a[3], b[3], radius;
} st_capsule;

st_capsule st_capsule_of(const st_collision_model *model, size_t i);
st_convex st_box_of_model(const st_collision_model *model, size_t i);

#endif
