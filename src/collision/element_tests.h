// What the tests between elements share: how they are written, and how a finding is written down.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_ELEMENT_TESTS_H
#define SETTEE_COLLISION_ELEMENT_TESTS_H

#include "collision/collision.h"
#include "math/vec3.h"

// A test between element i of a and element j of b; the corners of both.
#define ST_TEST(name)                                                                                                  \
    static void name(const st_intersection *method, const st_collision_model *a, size_t i,                             \
                     const st_collision_model *b, size_t j, st_detections *out)
#define ST_A(k) st_corner_position(a, i, k)
#define ST_B(k) st_corner_position(b, j, k)

// What a test looks for: points of its elements that are nearer than `limit`, and the distance that counts as 0.
typedef struct st_query {
    st_detections *out;
    const st_collision_model *first, *second;
    size_t i, j;
    st_real limit, skin;
} st_query;
// With the distances of the method and the skins of the models, and radii more.
#define ST_QUERY(radii)                                                                                                \
    { out, a, b, i, j, st_alarm_of(method, a, b) + (radii), st_contact_of(method, a, b) + (radii) }

// Appends p (on the first) and q (on the second) when they are near; the value is |pq| - skin. NULL: they are not.
// Points at the same place have the normal (1, 0, 0).
st_detection *st_add_near(const st_query *query, const st_real p[3], const st_real q[3], int64_t id);
// Appends as it is.
st_detection *st_add_detection(const st_query *query, const st_real p[3], const st_real q[3], const st_real normal[3],
                               st_real value, int64_t id);
// The nearest points of two lines, where they are inside of both; the middles of lines that are parallel: determinants
// up to `parallel`.
void st_add_lines(const st_query *query, const st_real a[3], const st_real b[3], const st_real c[3], const st_real d[3],
                  st_real parallel, int64_t id);
// Spheres, of which those that only just touch count, too.
void st_add_spheres(st_query query);

// The element of the model that has more of them; of the second one when there is no difference.
int64_t st_larger_id(const st_query *query);

// The projection of p onto a triangle, where it is inside, a little away from the border.
bool st_project_inside_triangle(st_real q[3], const st_collision_model *triangles, size_t i, const st_real p[3]);

// Is a parameter inside of a line: a little away from its ends?
static inline bool st_is_inside(st_real t) { return t >= ST_R(1e-6) && t <= ST_R(0.999999); }

// Moves the points of a finding between centers to where spheres are touched: points at their centers, frames on their
// surfaces. `first`, `second`: which of them are spheres. NULL is no finding.
void st_to_surface(st_detection *found, const st_query *query, bool first, bool second);

#endif
