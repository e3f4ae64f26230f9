// Tests of rays, which come first. A ray is o + s d with 0 <= s <= length.
//
//     sphere        the point of the ray nearest to the center, where it is inside of the sphere
//     triangle      where it goes through; with a distance, the nearest points
//     tetrahedron, box, grid     where it goes in
//     point, line, capsule       nothing
//
// Normals look from the ray to the body: into it. Where SOFA's formulas hold only for some rays (those that end before
// a sphere, those that start at the origin) the ones here hold for all.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/box_capsule.h"
#include "collision/element_tests.h"
#include "collision/proximity.h"
#include "collision/ray.h"
#include "collision/rigid_distance_grid.h"
#include "math/mat3.h"
#include "math/rigid.h"

static bool has_direction(const st_ray *ray) { return st_vec3_norm2(ray->direction) > 0; }

static void point_of_ray(st_real p[3], const st_ray *ray, st_real s) {
    st_vec3_add_scaled(p, ray->origin, ray->direction, s);
}

// --- spheres

static st_detection *add_sphere(const st_query *q, const st_ray *ray, const st_real center[3], st_real radius) {
    st_real way[3], p[3], n[3];
    st_vec3_sub(way, center, ray->origin);
    point_of_ray(p, ray, st_clamp(st_vec3_dot(way, ray->direction), 0, ray->length));
    st_vec3_sub(n, center, p);

    // through the center there is no direction but that of the ray
    const st_real distance = st_vec3_norm(n);
    if (!has_direction(ray) || !(distance < radius)) return NULL;
    if (distance > 0) st_vec3_divide(n, n, distance);
    else st_vec3_copy(n, ray->direction);
    return st_add_detection(q, p, center, n, distance - radius, (int64_t)q->i);
}

ST_TEST(ray_sphere) {
    const st_query q = ST_QUERY(0);
    const st_ray ray = st_ray_of(a, i);
    st_to_surface(add_sphere(&q, &ray, ST_B(0), st_element_radius(b, j)), &q, false, true);
}

ST_TEST(ray_sphere_surface) {
    const st_query q = ST_QUERY(0);
    const st_ray ray = st_ray_of(a, i);
    st_detection *d = add_sphere(&q, &ray, ST_B(0), st_element_radius(b, j));
    if (d) st_vec3_add_scaled(d->point[1], ST_B(0), d->normal, -st_element_radius(b, j));
}

// |o + s d - c| = r
ST_TEST(ray_sphere_hits) {
    const st_query q = ST_QUERY(0);
    const st_ray ray = st_ray_of(a, i);
    const st_real r = st_element_radius(b, j);
    st_real way[3];
    st_vec3_sub(way, ST_B(0), ray.origin);
    const st_real middle = st_vec3_dot(way, ray.direction), under = middle * middle - st_vec3_norm2(way) + r * r;
    if (!has_direction(&ray) || !(under >= 0)) return;

    // in, then out
    for (int side = -1; side <= 1; side += 2) {
        const st_real s = middle + (st_real)side * sqrt(under);
        st_real p[3], n[3];
        if (!(s >= 0 && s <= ray.length) || (side > 0 && under == 0)) continue;
        point_of_ray(p, &ray, s);
        st_vec3_sub(n, ST_B(0), p);
        st_vec3_normalize(n, n);
        st_add_detection(&q, p, p, n, 0, (int64_t)i);
    }
}

// --- triangles

// Where the ray goes through: o + s d = p1 + α (p2 - p1) + β (p3 - p1).
static bool goes_through(const st_ray *ray, const st_collision_model *b, size_t j, st_real p[3]) {
    st_real u[3], v[3], from[3], inverse[9], at[3];
    st_vec3_sub(u, ST_B(1), ST_B(0));
    st_vec3_sub(v, ST_B(2), ST_B(0));
    st_vec3_sub(from, ray->origin, ST_B(0));

    const st_real *d = ray->direction;
    const st_real columns[9] = {u[0], v[0], -d[0], u[1], v[1], -d[1], u[2], v[2], -d[2]};
    if (!st_mat3_inverse_above(inverse, columns, 0)) return false;
    st_mat3_times_vec(at, inverse, from);
    if (!(at[0] >= 0 && at[1] >= 0 && at[0] + at[1] <= 1 && at[2] >= 0 && at[2] <= ray->length)) return false;
    point_of_ray(p, ray, at[2]);
    return true;
}

// Against the normal of the triangle. False: it has no area.
static bool into_triangle(const st_collision_model *b, size_t j, st_real n[3]) {
    st_real u[3], v[3];
    st_vec3_sub(u, ST_B(1), ST_B(0));
    st_vec3_sub(v, ST_B(2), ST_B(0));
    st_vec3_cross(n, v, u);
    st_vec3_normalize(n, n);
    return st_vec3_norm2(n) > 0;
}

ST_TEST(ray_triangle) {
    const st_query q = ST_QUERY(0);
    const st_ray ray = st_ray_of(a, i);
    st_real p[3], n[3];
    if (into_triangle(b, j, n) && goes_through(&ray, b, j, p)) st_add_detection(&q, p, p, n, 0, (int64_t)i);
}

ST_TEST(ray_near_triangle) {
    const st_query q = ST_QUERY(0);
    const st_ray ray = st_ray_of(a, i);
    st_real p[3], n[3], end[3];
    if (!into_triangle(b, j, n) || !(fabs(st_vec3_dot(n, ray.direction)) >= ST_R(1e-6))) return;
    if (goes_through(&ray, b, j, p)) {
        st_add_detection(&q, p, p, n, -q.limit, (int64_t)i);
        return;
    }

    // beside it: nearest points of the segment and the triangle
    point_of_ray(end, &ray, ray.length);
    const st_convex segment = st_convex_segment(ray.origin, end);
    const st_convex triangle = st_convex_triangle(ST_B(0), ST_B(1), ST_B(2));
    st_convex_contact c;
    if (st_convex_meet(&segment, &triangle, q.limit, &c))
        st_add_detection(&q, c.p, c.q, n, st_max(c.gap, 0) - q.limit, (int64_t)i);
}

// --- bodies with an inside

// The part of a ray between two planes: from + s speed between low and high. False: nothing is left.
static bool cut(st_real from, st_real speed, st_real low, st_real high, int face, st_real range[2], int faces[2]) {
    if (speed == 0) return from >= low && from <= high;
    const st_real t0 = ((speed > 0 ? low : high) - from) / speed, t1 = ((speed > 0 ? high : low) - from) / speed;
    if (t0 > range[0]) range[0] = t0, faces[0] = face;
    if (t1 < range[1]) range[1] = t1, faces[1] = face;
    return range[0] <= range[1];
}

// From outside where it goes in, from inside where it goes out.
static bool meets_box(const st_ray *ray, const st_collision_model *b, size_t j, st_real p[3], st_real n[3]) {
    const st_convex box = st_box_of_model(b, j);
    st_real from[3], range[2] = {-ST_REAL_MAX, ST_REAL_MAX};
    int faces[2] = {-1, -1};
    st_vec3_sub(from, ray->origin, box.center);
    if (!has_direction(ray)) return false;
    for (int k = 0; k < 3; k++)
        if (!cut(st_vec3_dot(from, box.axis[k]), st_vec3_dot(ray->direction, box.axis[k]), -box.extent[k],
                 box.extent[k], k, range, faces))
            return false;

    // the first plane ahead of the origin
    const int side = range[0] >= 0 ? 0 : 1;
    if (!(range[side] >= 0 && range[side] <= ray->length) || faces[side] < 0) return false;

    point_of_ray(p, ray, range[side]);
    st_vec3_copy(n, box.axis[faces[side]]);
    if (st_vec3_dot(n, ray->direction) < 0) st_vec3_negate(n, n);
    return true;
}

ST_TEST(ray_box) {
    const st_query q = ST_QUERY(0);
    const st_ray ray = st_ray_of(a, i);
    st_real p[3], n[3];
    if (meets_box(&ray, b, j, p, n)) st_add_detection(&q, p, p, n, 0, (int64_t)i);
}

// In coordinates of the tetrahedron its faces are x = 0, y = 0, z = 0 and x + y + z = 1.
static bool meets_tetrahedron(const st_ray *ray, const st_collision_model *b, size_t j, st_real p[3]) {
    st_real frame[9], at[3], way[3], range[2] = {0, ray->length};
    int faces[2];
    if (!has_direction(ray) || !st_tetrahedron_coordinates(b, j, ray->origin, frame, at)) return false;
    st_mat3_times_vec(way, frame, ray->direction);

    for (int k = 0; k < 3; k++)
        if (!cut(at[k], way[k], 0, ST_REAL_MAX, k, range, faces)) return false;
    if (!cut(at[0] + at[1] + at[2], way[0] + way[1] + way[2], -ST_REAL_MAX, 1, 3, range, faces)) return false;
    point_of_ray(p, ray, range[0]);
    return true;
}

ST_TEST(ray_tetrahedron) {
    const st_query q = ST_QUERY(0);
    const st_ray ray = st_ray_of(a, i);
    st_real p[3];
    if (meets_tetrahedron(&ray, b, j, p)) st_add_detection(&q, p, p, ray.direction, 0, (int64_t)i);
}

// The first change of sign along the ray, in steps of half a cell, then by halving.
static bool meets_grid(const st_ray *ray, const st_collision_model *b, st_real p[3], st_real n[3]) {
    enum { MOST_STEPS = 1 << 16, HALVINGS = 40 };
    const st_rigid_grid *body = (const st_rigid_grid *)b;
    const st_distance_grid *grid = &body->grid;
    st_real from[3], way[3], range[2] = {0, ray->length}, g[3];
    int faces[2];
    if (!has_direction(ray) || body->flip) return false;

    // the part of the ray inside of the grid
    st_rigid_inverse_apply(from, body->frame, ray->origin);
    st_quat_inverse_rotate(way, body->frame + 3, ray->direction);
    for (int k = 0; k < 3; k++)
        if (!cut(from[k], way[k], grid->min[k], grid->max[k], k, range, faces)) return false;

    // forward until it is inside
    const st_real step = st_min(st_min(grid->cell[0], grid->cell[1]), grid->cell[2]) / 2;
    st_real before = range[0], s = range[0];
    for (int k = 0; k < MOST_STEPS; k++) {
        st_vec3_add_scaled(p, from, way, s);
        if (st_distance_grid_interpolate(grid, p) <= 0) break;
        if (s >= range[1]) return false;
        before = s;
        s = st_min(s + step, range[1]);
    }

    // the surface is between the last two places
    for (int k = 0; k < HALVINGS; k++) {
        const st_real middle = (before + s) / 2;
        st_vec3_add_scaled(p, from, way, middle);
        if (st_distance_grid_interpolate(grid, p) <= 0) s = middle;
        else before = middle;
    }

    st_vec3_add_scaled(p, from, way, s);
    if (!(st_distance_grid_interpolate(grid, p) <= 0) || !st_distance_grid_direction(grid, p, g)) return false;
    st_quat_rotate(n, body->frame + 3, g);
    st_vec3_negate(n, n);
    point_of_ray(p, ray, s);
    return true;
}

ST_TEST(ray_grid) {
    const st_query q = ST_QUERY(0);
    const st_ray ray = st_ray_of(a, i);
    st_real p[3], n[3];
    if (meets_grid(&ray, b, p, n)) st_add_detection(&q, p, p, n, 0, (int64_t)i);
}

// The first time that |o + s d - c| = r.
static bool meets_sphere(const st_ray *ray, const st_collision_model *b, size_t j, st_real p[3]) {
    const st_real r = st_element_radius(b, j);
    st_real way[3];
    st_vec3_sub(way, ST_B(0), ray->origin);
    const st_real middle = st_vec3_dot(way, ray->direction), under = middle * middle - st_vec3_norm2(way) + r * r;
    if (!has_direction(ray) || !(under >= 0)) return false;

    const st_real in = middle - sqrt(under), s = in >= 0 ? in : middle + sqrt(under);
    if (!(s >= 0 && s <= ray->length)) return false;
    point_of_ray(p, ray, s);
    return true;
}

bool st_ray_meets(const st_ray *ray, const st_collision_model *b, size_t j, st_real p[3]) {
    st_real n[3];
    switch (b->primitive) {
    case ST_PRIMITIVE_TRIANGLE: return goes_through(ray, b, j, p);
    case ST_PRIMITIVE_TETRAHEDRON: return meets_tetrahedron(ray, b, j, p);
    case ST_PRIMITIVE_SPHERE:
    case ST_PRIMITIVE_RIGID_SPHERE: return meets_sphere(ray, b, j, p);
    case ST_PRIMITIVE_BOX: return meets_box(ray, b, j, p, n);
    case ST_PRIMITIVE_RIGID_GRID: return meets_grid(ray, b, p, n);
    default: return false;
    }
}

// ---------------------------------------------------------------------------------------------------

void st_intersection_enter_rays(st_intersection *method) {
    static const st_element_test_entry entries[] = {
        {ST_PRIMITIVE_RAY, ST_PRIMITIVE_SPHERE, ray_sphere},
        {ST_PRIMITIVE_RAY, ST_PRIMITIVE_RIGID_SPHERE, ray_sphere},
        {ST_PRIMITIVE_RAY, ST_PRIMITIVE_TRIANGLE, ray_triangle},
        {ST_PRIMITIVE_RAY, ST_PRIMITIVE_TETRAHEDRON, ray_tetrahedron},
        {ST_PRIMITIVE_RAY, ST_PRIMITIVE_BOX, ray_box},
        {ST_PRIMITIVE_RAY, ST_PRIMITIVE_RIGID_GRID, ray_grid},
        {ST_PRIMITIVE_RAY, ST_PRIMITIVE_POINT, NULL},
        {ST_PRIMITIVE_RAY, ST_PRIMITIVE_LINE, NULL},
        {ST_PRIMITIVE_RAY, ST_PRIMITIVE_CAPSULE, NULL},
        {ST_PRIMITIVE_RAY, ST_PRIMITIVE_RIGID_CAPSULE, NULL},
        {ST_PRIMITIVE_RAY, ST_PRIMITIVE_FFD_GRID, NULL},
        {ST_PRIMITIVE_RAY, ST_PRIMITIVE_RAY, NULL},
    };
    st_intersection_enter(method, entries, sizeof entries / sizeof *entries);
}

void st_intersection_enter_near_rays(st_intersection *method) {
    static const st_element_test_entry entry = {ST_PRIMITIVE_RAY, ST_PRIMITIVE_TRIANGLE, ray_near_triangle};
    st_intersection_enter(method, &entry, 1);
}

void st_intersection_enter_ray_hits(st_intersection *method) {
    static const st_element_test_entry entry = {ST_PRIMITIVE_RAY, ST_PRIMITIVE_RIGID_SPHERE, ray_sphere_hits};
    st_intersection_enter(method, &entry, 1);
}

void st_intersection_enter_ray_surfaces(st_intersection *method) {
    static const st_element_test_entry entry = {ST_PRIMITIVE_RAY, ST_PRIMITIVE_SPHERE, ray_sphere_surface};
    st_intersection_enter(method, &entry, 1);
}
