// Tests of boxes and capsules with each other and with other elements.
//
// The distance of two bodies is that of their cores less the radii around them: a capsule has a segment, a sphere and a
// point a point. Nearest points and overlaps of boxes, triangles and segments: convex.h. Contact points are on the
// surfaces.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/box_capsule.h"
#include "collision/element_tests.h"
#include "collision/proximity.h"

// Core points p and q with radii around them; the cores are apart, or at one place.
static st_detection *add_round(const st_query *query, const st_real p[3], st_real rp, const st_real q[3], st_real rq,
                               int64_t id) {
    st_query cores = *query;
    cores.limit += rp + rq;
    cores.limit += cores.limit * ST_REAL_EPSILON; // those that only just touch count, too
    cores.skin += rp + rq;
    st_detection *d = st_add_near(&cores, p, q, id);
    if (!d) return NULL;

    st_vec3_add_scaled(d->point[0], d->point[0], d->normal, rp);
    st_vec3_add_scaled(d->point[1], d->point[1], d->normal, -rq);
    return d;
}

// Cores with corners; the first has a radius around it.
static st_detection *add_convex(const st_query *query, const st_convex *one, st_real radius, const st_convex *two,
                                int64_t id) {
    st_convex_contact c;
    st_real p[3];
    if (!st_convex_meet(one, two, query->limit + radius, &c)) return NULL;

    st_vec3_add_scaled(p, c.p, c.normal, radius);
    return st_add_detection(query, p, c.q, c.normal, c.gap - radius - query->skin, id);
}

// ---------------------------------------------------------------------------------------------------
// Capsules
// ---------------------------------------------------------------------------------------------------

// A sphere around a point has its contact point in the center: its radius counts with the response.
static void sphere_center(st_detection *d, const st_collision_model *spheres, size_t i, int side) {
    if (d && spheres->primitive == ST_PRIMITIVE_SPHERE) st_vec3_copy(d->point[side], st_corner_position(spheres, i, 0));
}

ST_TEST(capsule_sphere) {
    const st_query q = ST_QUERY(0);
    const st_capsule c = st_capsule_of(a, i);
    st_real p[3];
    st_line_point(p, c.a, c.b, st_clamp(st_line_parameter(c.a, c.b, ST_B(0)), 0, 1));
    sphere_center(add_round(&q, p, c.radius, ST_B(0), st_element_radius(b, j), (int64_t)i), b, j, 1);
}

ST_TEST(capsule_capsule) {
    const st_query q = ST_QUERY(0);
    const st_capsule c = st_capsule_of(a, i), d = st_capsule_of(b, j);
    st_real t, u, p[3], r[3];

    st_nearest_on_segments(c.a, c.b, d.a, d.b, &t, &u);
    st_line_point(p, c.a, c.b, t);
    st_line_point(r, d.a, d.b, u);
    add_round(&q, p, c.radius, r, d.radius, st_larger_id(&q));
}

static void capsule_and_segment(const st_query *q, const st_capsule *c, const st_real a[3], const st_real b[3],
                                bool first, bool last) {
    st_real t, u, p[3], r[3];
    st_nearest_on_segments(c->a, c->b, a, b, &t, &u);

    if ((u <= 0 && !first) || (u >= 1 && !last)) return;

    st_line_point(p, c->a, c->b, t);
    st_line_point(r, a, b, u);
    add_round(q, p, c->radius, r, 0, (int64_t)q->i);
}

ST_TEST(capsule_line) {
    const st_query q = ST_QUERY(0);
    const st_capsule c = st_capsule_of(a, i);
    capsule_and_segment(&q, &c, ST_B(0), ST_B(1), true, true);
}

static const unsigned owner_of[] = {
    [ST_PART_P1] = ST_OWNS_P1,   [ST_PART_P2] = ST_OWNS_P2,   [ST_PART_P3] = ST_OWNS_P3,
    [ST_PART_E12] = ST_OWNS_E12, [ST_PART_E31] = ST_OWNS_E31, [ST_PART_E23] = ST_OWNS_E23,
};

// An end of a capsule against a triangle, by the parts that the triangle owns.
static st_detection *end_and_triangle(const st_query *q, const st_real end[3], st_real radius,
                                      const st_real *const t[3], unsigned flags) {
    static const st_border_limits limits = {.low = ST_R(1e-6), .high = ST_R(0.999999), .corner = ST_R(1e-6)};
    st_real alpha, beta, p[3];

    const st_triangle_part part = st_nearest_on_triangle(t[0], t[1], t[2], end, &limits, &alpha, &beta);
    if (part != ST_PART_FACE && !(flags & owner_of[part])) return NULL;

    st_triangle_point(p, t[0], t[1], t[2], alpha, beta);
    return add_round(q, end, radius, p, 0, (int64_t)q->i);
}

// Both ends, which become one contact in the middle where the capsule lies on the triangle; then the sides.
ST_TEST(capsule_triangle) {
    const st_query q = ST_QUERY(0);
    const st_capsule c = st_capsule_of(a, i);
    const st_real *const t[3] = {ST_B(0), ST_B(1), ST_B(2)};
    const unsigned flags = st_triangle_flags(b, j), sides[3] = {ST_OWNS_E12, ST_OWNS_E23, ST_OWNS_E31};
    const size_t before = out->list.count;

    // the ends; on a face that is parallel both are as near
    const bool one = end_and_triangle(&q, c.a, c.radius, t, flags) != NULL;
    const bool two = end_and_triangle(&q, c.b, c.radius, t, flags) != NULL;
    if (one && two && fabs(out->list.data[before].value - out->list.data[before + 1].value) < ST_R(1e-15)) {
        st_detection *d = &out->list.data[before];
        for (int side = 0; side < 2; side++) {
            st_vec3_add(d->point[side], d->point[side], d[1].point[side]);
            st_vec3_scale(d->point[side], d->point[side], ST_R(0.5));
        }
        out->list.count = before + 1;
    }

    // sides, and their ends where the triangle owns them
    for (int k = 0; k < 3; k++)
        if (flags & sides[k])
            capsule_and_segment(&q, &c, t[k], t[(k + 1) % 3], (flags & ((unsigned)ST_OWNS_P1 << k)) != 0,
                                (flags & ((unsigned)ST_OWNS_P1 << (k + 1) % 3)) != 0);
}

// ---------------------------------------------------------------------------------------------------
// Boxes
// ---------------------------------------------------------------------------------------------------

ST_TEST(box_box) {
    const st_query q = ST_QUERY(0);
    const st_convex one = st_box_of_model(a, i), two = st_box_of_model(b, j);
    add_convex(&q, &one, 0, &two, st_larger_id(&q));
}

ST_TEST(capsule_box) {
    const st_query q = ST_QUERY(0);
    const st_capsule c = st_capsule_of(a, i);
    const st_convex core = st_convex_segment(c.a, c.b), box = st_box_of_model(b, j);
    add_convex(&q, &core, c.radius, &box, (int64_t)i);
}

// A corner that another triangle owns is left to it.
ST_TEST(triangle_box) {
    const st_query q = ST_QUERY(0);
    const st_convex triangle = st_convex_triangle(ST_A(0), ST_A(1), ST_A(2)), box = st_box_of_model(b, j);
    const unsigned flags = st_triangle_flags(a, i);

    const st_detection *d = add_convex(&q, &triangle, 0, &box, (int64_t)i);
    for (int k = 0; d && k < 3; k++)
        if (!(flags & ((unsigned)ST_OWNS_P1 << k)) && st_vec3_distance(d->point[0], ST_A(k)) < ST_R(1e-6)) {
            out->list.count--;
            return;
        }
}

// Outside of a box the nearest point of it; inside, the nearest face.
static st_real face_of(const st_convex *box, const st_real local[3], int *axis) {
    st_real depth = ST_REAL_MAX;
    for (int k = 0; k < 3; k++) {
        if (!(box->extent[k] - fabs(local[k]) < depth)) continue;
        depth = box->extent[k] - fabs(local[k]);
        *axis = k;
    }
    return depth;
}

ST_TEST(sphere_box) {
    const st_query q = ST_QUERY(0);
    const st_convex box = st_box_of_model(b, j);
    const st_real *center = ST_A(0), radius = st_element_radius(a, i);

    // the center in the axes of the box, and the nearest point
    st_real to[3], local[3], nearest[3];
    st_vec3_sub(to, center, box.center);
    st_vec3_copy(nearest, box.center);
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        local[k] = st_vec3_dot(to, box.axis[k]);
        inside = inside && fabs(local[k]) < box.extent[k];
        st_vec3_add_scaled(nearest, nearest, box.axis[k], st_clamp(local[k], -box.extent[k], box.extent[k]));
    }

    if (!inside) {
        sphere_center(add_round(&q, center, radius, nearest, 0, (int64_t)i), a, i, 0);
        return;
    }

    // out through the nearest face: the normal points to the box
    int axis = 0;
    const st_real depth = face_of(&box, local, &axis), side = local[axis] < 0 ? -1 : 1;
    st_real n[3], p[3];

    st_vec3_scale(n, box.axis[axis], -side);
    st_vec3_add_scaled(nearest, center, n, -depth);
    st_vec3_add_scaled(p, center, n, radius);
    sphere_center(st_add_detection(&q, p, nearest, n, -depth - radius - q.skin, (int64_t)i), a, i, 0);
}

// ---------------------------------------------------------------------------------------------------
// Tables
// ---------------------------------------------------------------------------------------------------

void st_intersection_enter_boxes(st_intersection *method) {
    // points are spheres without a radius
    static const st_element_test_entry entries[] = {
        {ST_PRIMITIVE_CAPSULE, ST_PRIMITIVE_CAPSULE, capsule_capsule},
        {ST_PRIMITIVE_CAPSULE, ST_PRIMITIVE_RIGID_CAPSULE, capsule_capsule},
        {ST_PRIMITIVE_RIGID_CAPSULE, ST_PRIMITIVE_RIGID_CAPSULE, capsule_capsule},
        {ST_PRIMITIVE_CAPSULE, ST_PRIMITIVE_SPHERE, capsule_sphere},
        {ST_PRIMITIVE_CAPSULE, ST_PRIMITIVE_RIGID_SPHERE, capsule_sphere},
        {ST_PRIMITIVE_RIGID_CAPSULE, ST_PRIMITIVE_SPHERE, capsule_sphere},
        {ST_PRIMITIVE_RIGID_CAPSULE, ST_PRIMITIVE_RIGID_SPHERE, capsule_sphere},
        {ST_PRIMITIVE_CAPSULE, ST_PRIMITIVE_POINT, capsule_sphere},
        {ST_PRIMITIVE_RIGID_CAPSULE, ST_PRIMITIVE_POINT, capsule_sphere},
        {ST_PRIMITIVE_CAPSULE, ST_PRIMITIVE_BOX, capsule_box},
        {ST_PRIMITIVE_RIGID_CAPSULE, ST_PRIMITIVE_BOX, capsule_box},
        {ST_PRIMITIVE_BOX, ST_PRIMITIVE_BOX, box_box},
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_BOX, sphere_box},
        {ST_PRIMITIVE_RIGID_SPHERE, ST_PRIMITIVE_BOX, sphere_box},
        {ST_PRIMITIVE_POINT, ST_PRIMITIVE_BOX, sphere_box},
    };

    st_intersection_enter(method, entries, sizeof entries / sizeof *entries);
}

void st_intersection_enter_boxes_and_triangles(st_intersection *method) {
    static const st_element_test_entry entries[] = {
        {ST_PRIMITIVE_CAPSULE, ST_PRIMITIVE_LINE, capsule_line},
        {ST_PRIMITIVE_RIGID_CAPSULE, ST_PRIMITIVE_LINE, capsule_line},
        {ST_PRIMITIVE_CAPSULE, ST_PRIMITIVE_TRIANGLE, capsule_triangle},
        {ST_PRIMITIVE_RIGID_CAPSULE, ST_PRIMITIVE_TRIANGLE, capsule_triangle},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_BOX, triangle_box},
    };
    st_intersection_enter(method, entries, sizeof entries / sizeof *entries);
}
