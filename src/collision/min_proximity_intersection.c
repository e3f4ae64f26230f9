// MinProximityIntersection: nearest points inside of elements, nearer than the alarm distance.
//
//     point, point       the points
//     line, point        the nearest point of the line, ends included
//     line, line         the nearest points, both inside of their lines; parallel lines have their middles
//     triangle, point    the projection onto the plane, where it is inside of the triangle
//     spheres            as points, with distances that are larger by the radius
//
// Distances are those of the method and the skins of both models. There is no side: a point is pushed out where it is.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/element_tests.h"
#include "collision/proximity.h"
#include "scene/compat.h"

typedef struct min_proximity {
    st_intersection base;
    bool use_sphere_triangle, use_point_point, use_line_point, use_line_line, use_surface_normals;
} min_proximity;

#define FLAG(member, name, value, help) ST_FIELD(min_proximity, member, name, st_type_bool, value, help)
static const st_field fields[] = {
    ST_FIELD(min_proximity, base.alarm, "alarmDistance", st_type_real, "1", "elements that are nearer are looked at",
             .flags = ST_FIELD_REQUIRED),
    ST_FIELD(min_proximity, base.contact, "contactDistance", st_type_real, "0.5", "distance that contacts keep",
             .flags = ST_FIELD_REQUIRED),
    FLAG(use_sphere_triangle, "useSphereTriangle", "1", "spheres touch triangles, lines and points"),
    FLAG(use_point_point, "usePointPoint", "1", "points touch points"),
    FLAG(use_line_point, "useLinePoint", "1", "lines touch points"),
    FLAG(use_line_line, "useLineLine", "1", "lines touch lines"),
    FLAG(use_surface_normals, "useSurfaceNormals", "0", "points touch triangles along the normals of these"),
    ST_FIELDS_END,
};

// What is inside: a little away from the ends.
static bool is_inside(st_real t) { return t >= ST_R(1e-6) && t <= ST_R(0.999999); }

#define TEST(name)                                                                                                     \
    static void name(const st_intersection *method, const st_collision_model *a, size_t i,                             \
                     const st_collision_model *b, size_t j, st_detections *out)
#define A(k) st_corner_position(a, i, k)
#define B(k) st_corner_position(b, j, k)

TEST(point_point) {
    const st_element_pair pair = {a, b, i, j};
    st_add_near(out, &pair, A(0), B(0), st_alarm_of(method, a, b), st_contact_of(method, a, b), st_larger_id(&pair));
}

TEST(line_point) {
    const st_element_pair pair = {a, b, i, j};
    st_real q[3];
    st_line_point(q, A(0), A(1), st_clamp(st_line_parameter(A(0), A(1), B(0)), 0, 1));
    st_add_near(out, &pair, q, B(0), st_alarm_of(method, a, b), st_contact_of(method, a, b), (int64_t)j);
}

TEST(line_line) {
    const st_element_pair pair = {a, b, i, j};
    st_real t, u, p[3], q[3];
    if (st_lines_parameters(A(0), A(1), B(0), B(1), ST_R(1e-15), &t, &u) && !(is_inside(t) && is_inside(u))) return;
    st_line_point(p, A(0), A(1), t);
    st_line_point(q, B(0), B(1), u);
    st_add_near(out, &pair, p, q, st_alarm_of(method, a, b), st_contact_of(method, a, b), st_larger_id(&pair));
}

// The projection of a point onto a triangle, where it is inside.
static bool project(st_real q[3], const st_collision_model *a, size_t i, const st_real p[3]) {
    st_real alpha, beta;
    st_triangle_coordinates(A(0), A(1), A(2), p, &alpha, &beta);
    if (!(alpha >= ST_R(1e-6) && beta >= ST_R(1e-6) && alpha + beta <= ST_R(0.999999))) return false;
    st_triangle_point(q, A(0), A(1), A(2), alpha, beta);
    return true;
}

TEST(triangle_point) {
    const st_element_pair pair = {a, b, i, j};
    st_real q[3];
    if (!project(q, a, i, B(0))) return;
    st_detection *found =
        st_add_near(out, &pair, q, B(0), st_alarm_of(method, a, b), st_contact_of(method, a, b), (int64_t)j);
    const st_real *normal = st_triangle_normal(a, i);
    if (found && normal && ((const min_proximity *)method)->use_surface_normals) st_vec3_copy(found->normal, normal);
}

TEST(sphere_sphere) {
    const st_element_pair pair = {a, b, i, j};
    const st_real r = st_element_radius(a, i) + st_element_radius(b, j), limit = st_alarm_of(method, a, b) + r;
    st_to_surface(st_add_near(out, &pair, A(0), B(0), limit + limit * ST_REAL_EPSILON, st_contact_of(method, a, b) + r,
                              st_larger_id(&pair)),
                  &pair, true, true);
}

TEST(sphere_point) {
    const st_element_pair pair = {a, b, i, j};
    const st_real r = st_element_radius(a, i);
    st_to_surface(
        st_add_near(out, &pair, A(0), B(0), st_alarm_of(method, a, b) + r, st_contact_of(method, a, b) + r, (int64_t)i),
        &pair, true, false);
}

TEST(line_sphere) {
    const st_element_pair pair = {a, b, i, j};
    const st_real r = st_element_radius(b, j), t = st_line_parameter(A(0), A(1), B(0));
    st_real q[3];
    if (!is_inside(t)) return;
    // with SOFA's mistake t, which is measured from the second end, is applied from the first
    st_line_point(q, A(0), A(1), method->compat ? 1 - t : t);
    st_to_surface(
        st_add_near(out, &pair, q, B(0), st_alarm_of(method, a, b) + r, st_contact_of(method, a, b) + r, (int64_t)j),
        &pair, false, true);
}

TEST(triangle_sphere) {
    const st_element_pair pair = {a, b, i, j};
    const st_real r = st_element_radius(b, j);
    st_real q[3];
    if (!project(q, a, i, B(0))) return;
    st_to_surface(
        st_add_near(out, &pair, q, B(0), st_alarm_of(method, a, b) + r, st_contact_of(method, a, b) + r, (int64_t)j),
        &pair, false, true);
}

// ---------------------------------------------------------------------------------------------------

// Options are looked at once.
static st_status init(st_object *object) {
    min_proximity *self = (min_proximity *)object;
    st_element_test *const points = self->use_point_point ? point_point : NULL;
    st_element_test *const ends = self->use_line_point ? line_point : NULL;
    st_element_test *const lines = self->use_line_line ? line_line : NULL;
    const bool spheres = self->use_sphere_triangle;
    const st_element_test_entry entries[] = {
        {ST_PRIMITIVE_POINT, ST_PRIMITIVE_POINT, points},
        {ST_PRIMITIVE_LINE, ST_PRIMITIVE_POINT, ends},
        {ST_PRIMITIVE_LINE, ST_PRIMITIVE_LINE, lines},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_POINT, triangle_point},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_LINE, NULL},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_TRIANGLE, NULL},
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_SPHERE, sphere_sphere},
        {ST_PRIMITIVE_RIGID_SPHERE, ST_PRIMITIVE_RIGID_SPHERE, sphere_sphere},
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_RIGID_SPHERE, sphere_sphere},
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_POINT, spheres ? sphere_point : NULL},
        {ST_PRIMITIVE_RIGID_SPHERE, ST_PRIMITIVE_POINT, spheres ? sphere_point : NULL},
        {ST_PRIMITIVE_LINE, ST_PRIMITIVE_SPHERE, spheres ? line_sphere : NULL},
        {ST_PRIMITIVE_LINE, ST_PRIMITIVE_RIGID_SPHERE, spheres ? line_sphere : NULL},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_SPHERE, spheres ? triangle_sphere : NULL},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_RIGID_SPHERE, spheres ? triangle_sphere : NULL},
    };
    self->base.compat = st_compat_on(object->scene, ST_COMPAT_LINE_SPHERE_MIRRORED);
    st_intersection_enter_discrete(&self->base);
    st_intersection_enter(&self->base, entries, sizeof entries / sizeof *entries);
    return ST_OK;
}

static const st_intersection_ops ops = {.needs_flags = false};

const st_class st_min_proximity_intersection_class = {
    .name = "MinProximityIntersection",
    .help = "contacts between nearest points of points, lines, triangles and spheres",
    .parent = &st_intersection_class,
    .fields = fields,
    .size = sizeof(min_proximity),
    .init = init,
    .intersection = &ops,
};
