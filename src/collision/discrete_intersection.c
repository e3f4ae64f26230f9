// DiscreteIntersection: what overlaps at this moment. Distances are 0.
//
//     sphere, sphere    |c2 - c1| <= r1 + r2
//     triangle, line    p1 + α (p2 - p1) + β (p3 - p1) = q1 + t (q2 - q1) with α, β >= 0, α + β <= 1, 0 <= t <= 1
//
// Every method begins with these tests; its own replace or complete them.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/element_tests.h"
#include "math/mat3.h"

static void sphere_sphere(const st_intersection *method, const st_collision_model *a, size_t i,
                          const st_collision_model *b, size_t j, st_detections *out) {
    const st_element_pair pair = {a, b, i, j};
    const st_real r = st_element_radius(a, i) + st_element_radius(b, j), limit = method->alarm + r;
    const st_real *p = st_corner_position(a, i, 0), *q = st_corner_position(b, j, 0);
    // touching ones count, too
    st_to_surface(
        st_add_near(out, &pair, p, q, limit + limit * ST_REAL_EPSILON, r + method->contact, st_larger_id(&pair)), &pair,
        true, true);
}

static void triangle_line(const st_intersection *method, const st_collision_model *a, size_t i,
                          const st_collision_model *b, size_t j, st_detections *out) {
    (void)method;
    const st_element_pair pair = {a, b, i, j};
    const st_real *p1 = st_corner_position(a, i, 0), *p2 = st_corner_position(a, i, 1),
                  *p3 = st_corner_position(a, i, 2);
    const st_real *q1 = st_corner_position(b, j, 0), *q2 = st_corner_position(b, j, 1);
    st_real columns[9], inverse[9], r[3], at[3], u[3], v[3], n[3];
    for (int k = 0; k < 3; k++) {
        columns[3 * k] = u[k] = p2[k] - p1[k];
        columns[3 * k + 1] = v[k] = p3[k] - p1[k];
        columns[3 * k + 2] = q1[k] - q2[k];
        r[k] = q1[k] - p1[k];
    }
    if (!st_mat3_inverse(inverse, columns)) return;
    st_mat3_times_vec(at, inverse, r);
    if (!(at[0] >= 0 && at[1] >= 0 && at[0] + at[1] <= 1 && at[2] >= 0 && at[2] <= 1)) return;
    for (int k = 0; k < 3; k++) r[k] = q1[k] + (q2[k] - q1[k]) * at[2];
    const st_real *stored = st_triangle_normal(a, i);
    st_vec3_cross(n, u, v);
    st_vec3_normalize(n, n);
    st_add_detection(out, &pair, r, r, stored ? stored : n, 0, (int64_t)j);
}

void st_intersection_enter_discrete(st_intersection *method) {
    static const st_element_test_entry entries[] = {
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_SPHERE, sphere_sphere},
        {ST_PRIMITIVE_RIGID_SPHERE, ST_PRIMITIVE_RIGID_SPHERE, sphere_sphere},
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_RIGID_SPHERE, sphere_sphere},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_LINE, triangle_line},
    };
    st_intersection_enter(method, entries, sizeof entries / sizeof *entries);
}

static st_status init(st_object *object) {
    st_intersection_enter_discrete((st_intersection *)object);
    return ST_OK;
}

static const st_intersection_ops ops = {.needs_flags = false};

const st_class st_discrete_intersection_class = {
    .name = "DiscreteIntersection",
    .help = "contacts of what overlaps: spheres, and lines through triangles",
    .parent = &st_intersection_class,
    .size = sizeof(st_intersection),
    .init = init,
    .intersection = &ops,
};
