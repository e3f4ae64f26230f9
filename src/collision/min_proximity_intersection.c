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
    FLAG(use_sphere_triangle, "useSphereTriangle", "1", "spheres touch triangles, lines and points"),
    FLAG(use_point_point, "usePointPoint", "1", "points touch points"),
    FLAG(use_line_point, "useLinePoint", "1", "lines touch points"),
    FLAG(use_line_line, "useLineLine", "1", "lines touch lines"),
    FLAG(use_surface_normals, "useSurfaceNormals", "0", "points touch triangles along the normals of these"),
    ST_FIELDS_END,
};

ST_TEST(point_point) {
    const st_query query = ST_QUERY(0);
    st_add_near(&query, ST_A(0), ST_B(0), st_larger_id(&query));
}

ST_TEST(line_point) {
    const st_query query = ST_QUERY(0);
    st_real q[3];
    st_line_point(q, ST_A(0), ST_A(1), st_clamp(st_line_parameter(ST_A(0), ST_A(1), ST_B(0)), 0, 1));
    st_add_near(&query, q, ST_B(0), (int64_t)j);
}

ST_TEST(line_line) {
    const st_query query = ST_QUERY(0);
    st_add_lines(&query, ST_A(0), ST_A(1), ST_B(0), ST_B(1), ST_R(1e-15), st_larger_id(&query));
}

ST_TEST(triangle_point) {
    const st_query query = ST_QUERY(0);
    st_real q[3];
    if (!st_project_inside_triangle(q, a, i, ST_B(0))) return;
    st_detection *found = st_add_near(&query, q, ST_B(0), (int64_t)j);
    if (found && ((const min_proximity *)method)->use_surface_normals) st_triangle_normal(a, i, found->normal);
}

ST_TEST(sphere_sphere) { st_add_spheres((st_query)ST_QUERY(st_element_radius(a, i) + st_element_radius(b, j))); }

ST_TEST(sphere_point) {
    const st_query query = ST_QUERY(st_element_radius(a, i));
    st_to_surface(st_add_near(&query, ST_A(0), ST_B(0), (int64_t)i), &query, true, false);
}

ST_TEST(line_sphere) {
    const st_query query = ST_QUERY(st_element_radius(b, j));
    const st_real t = st_line_parameter(ST_A(0), ST_A(1), ST_B(0));
    st_real q[3];
    if (!st_is_inside(t)) return;

    // with SOFA's mistake t, which is measured from the second end, is applied from the first
    st_line_point(q, ST_A(0), ST_A(1), method->compat ? 1 - t : t);
    st_to_surface(st_add_near(&query, q, ST_B(0), (int64_t)j), &query, false, true);
}

ST_TEST(triangle_sphere) {
    const st_query query = ST_QUERY(st_element_radius(b, j));
    st_real q[3];
    if (!st_project_inside_triangle(q, a, i, ST_B(0))) return;
    st_to_surface(st_add_near(&query, q, ST_B(0), (int64_t)j), &query, false, true);
}

// ---------------------------------------------------------------------------------------------------

// Options are looked at once.
static st_status min_proximity_intersection_init(st_object *object) {
    min_proximity *self = (min_proximity *)object;

    // NULL: the pair is ignored
    st_element_test *const points = self->use_point_point ? point_point : NULL;
    st_element_test *const ends = self->use_line_point ? line_point : NULL;
    st_element_test *const lines = self->use_line_line ? line_line : NULL;
    const bool spheres = self->use_sphere_triangle;

    // pairs without a test are those that other pairs of the same meshes find
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
    return st_proximity_intersection_class.init(object);
}

static const st_intersection_ops ops = {0};

const st_class st_min_proximity_intersection_class = {
    .name = "MinProximityIntersection",
    .help = "contacts between nearest points of points, lines, triangles and spheres",
    .parent = &st_proximity_intersection_class,
    .fields = fields,
    .size = sizeof(min_proximity),
    .init = min_proximity_intersection_init,
    .intersection = &ops,
};
