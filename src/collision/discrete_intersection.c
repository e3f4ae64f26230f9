// DiscreteIntersection: what overlaps at this moment. Distances are 0.
//
//     sphere, sphere    |c2 - c1| <= r1 + r2
//     triangle, line    p1 + α (p2 - p1) + β (p3 - p1) = q1 + t (q2 - q1) with α, β >= 0, α + β <= 1, 0 <= t <= 1
//     tetrahedron, point   the point is inside, and has a normal: it leaves against it
//
// Every method begins with these tests; its own replace or complete them.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/box_capsule.h"
#include "collision/element_tests.h"
#include "collision/ffd_distance_grid.h"
#include "collision/proximity.h"
#include "collision/ray.h"
#include "math/mat3.h"

// Skins of the models do not count.
ST_TEST(sphere_sphere) {
    const st_real r = st_element_radius(a, i) + st_element_radius(b, j);
    st_add_spheres((st_query){out, a, b, i, j, method->alarm + r, method->contact + r});
}

ST_TEST(triangle_line) {
    const st_query query = ST_QUERY(0);

    // a0 + at0 u + at1 v = b0 + at2 (b1 - b0), solved for at
    st_real u[3], v[3], along[3], at[3], p[3], n[3];

    // columns p2 − p1, p3 − p1, q1 − q2
    st_vec3_sub(u, ST_A(1), ST_A(0));
    st_vec3_sub(v, ST_A(2), ST_A(0));
    st_vec3_sub(along, ST_B(0), ST_B(1));
    st_vec3_sub(p, ST_B(0), ST_A(0));

    const st_real columns[9] = {u[0], v[0], along[0], u[1], v[1], along[1], u[2], v[2], along[2]};
    st_real inverse[9];
    if (!st_mat3_inverse(inverse, columns)) return;
    st_mat3_times_vec(at, inverse, p);

    if (!(at[0] >= 0 && at[1] >= 0 && at[0] + at[1] <= 1 && at[2] >= 0 && at[2] <= 1)) return;

    st_line_point(p, ST_B(0), ST_B(1), at[2]);

    if (!st_triangle_normal(a, i, n)) {
        st_vec3_cross(n, u, v);
        st_vec3_normalize(n, n);
    }
    st_add_detection(&query, p, p, n, 0, (int64_t)j);
}

// A point inside of a tetrahedron leaves it against its normal n: l is the way to the first face, in coordinates along
// the sides of the tetrahedron.
ST_TEST(tetrahedron_point) {
    const st_query query = ST_QUERY(0);
    const st_real *n = st_point_normal(b, j);
    st_real frame[9], at[3], way[3], out_point[3], normal[3];
    if (!n || !st_tetrahedron_coordinates(a, i, ST_B(0), frame, at)) return;
    for (int k = 0; a->object.node == b->object.node && k < 4; k++)
        if (st_corner(a, i, k) == j) return; // a vertex of its own body
    if (!(at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] + at[1] + at[2] <= 1)) return;

    st_vec3_negate(normal, n);
    st_mat3_times_vec(way, frame, normal);
    st_real l = ST_R(1e10);
    for (int k = 0; k < 3; k++)
        if (way[k] < ST_R(-1e-10)) l = st_min(l, -at[k] / way[k]);
    const st_real sum = way[0] + way[1] + way[2];
    if (sum > ST_R(1e-10)) l = st_min(l, (1 - at[0] - at[1] - at[2]) / sum);
    if (l >= ST_R(1e9)) l = 0;
    st_vec3_add_scaled(out_point, ST_B(0), normal, l);
    st_add_detection(&query, out_point, ST_B(0), normal, -l, (int64_t)j);
}

void st_intersection_enter_discrete(st_intersection *method) {
    static const st_element_test_entry entries[] = {
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_SPHERE, sphere_sphere},
        {ST_PRIMITIVE_RIGID_SPHERE, ST_PRIMITIVE_RIGID_SPHERE, sphere_sphere},
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_RIGID_SPHERE, sphere_sphere},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_LINE, triangle_line},
        {ST_PRIMITIVE_TETRAHEDRON, ST_PRIMITIVE_POINT, tetrahedron_point},
    };
    st_intersection_enter(method, entries, sizeof entries / sizeof *entries);
    st_intersection_enter_grids(method);
    st_intersection_enter_deformed_grids(method);
    st_intersection_enter_boxes(method);
    st_intersection_enter_rays(method);
}

static st_status discrete_intersection_init(st_object *object) {
    st_intersection_enter_discrete((st_intersection *)object);
    return ST_OK;
}

static const st_intersection_ops ops = {0};

const st_class st_discrete_intersection_class = {
    .name = "DiscreteIntersection",
    .help = "contacts of what overlaps: spheres, and lines through triangles",
    .parent = &st_intersection_class,
    .size = sizeof(st_intersection),
    .init = discrete_intersection_init,
    .intersection = &ops,
};
