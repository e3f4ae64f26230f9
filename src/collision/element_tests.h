// What the tests between elements share: how a finding is written down.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_ELEMENT_TESTS_H
#define SETTEE_COLLISION_ELEMENT_TESTS_H

#include "collision/collision.h"
#include "math/vec3.h"

// The elements of a test.
typedef struct st_element_pair {
    const st_collision_model *first, *second;
    size_t i, j;
} st_element_pair;

// Appends p (on the first) and q (on the second) when they are nearer than `limit`; the value is |pq| - skin. NULL:
// they are not. Points at the same place have the normal (1, 0, 0).
st_detection *st_add_near(st_detections *out, const st_element_pair *pair, const st_real p[3], const st_real q[3],
                          st_real limit, st_real skin, int64_t id);
// Appends as it is.
st_detection *st_add_detection(st_detections *out, const st_element_pair *pair, const st_real p[3], const st_real q[3],
                               const st_real normal[3], st_real value, int64_t id);

// The element of the model that has more of them; of the second one when there is no difference.
int64_t st_larger_id(const st_element_pair *pair);

// Where a sphere is touched by something in the direction -n from its center: points at their center, frames on the
// surface.
void st_sphere_contact(st_real r[3], const st_collision_model *spheres, size_t i, const st_real n[3]);
// Moves the points of a finding between centers accordingly; `first`, `second`: which of them are spheres.
void st_to_surface(st_detection *found, const st_element_pair *pair, bool first, bool second);

#endif
