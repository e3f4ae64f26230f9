// Findings of the tests between elements: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/element_tests.h"

#include "collision/proximity.h"

static const st_real nowhere = ST_R(1e-15); // points that are nearer have no direction between them

st_detection *st_add_detection(const st_query *query, const st_real p[3], const st_real q[3], const st_real normal[3],
                               st_real value, int64_t id) {
    st_detections *out = query->out;
    if (out->list.count >= ST_DETECTIONS_MAX) {
        out->full = true;
        return NULL;
    }

    st_detection d = {.element = {(uint32_t)query->i, (uint32_t)query->j}, .value = value, .id = id};
    st_vec3_copy(d.point[0], p);
    st_vec3_copy(d.point[1], q);
    st_vec3_copy(d.normal, normal);

    if (!st_list_push(&out->list, d)) {
        out->failed = true;
        return NULL;
    }
    return &out->list.data[out->list.count - 1];
}

st_detection *st_add_near(const st_query *query, const st_real p[3], const st_real q[3], int64_t id) {
    st_real n[3];
    st_vec3_sub(n, q, p);

    const st_real distance2 = st_vec3_norm2(n);
    if (!(distance2 < query->limit * query->limit)) return NULL; // what is no number is not near

    // points at the same place have no direction
    const st_real distance = sqrt(distance2);
    if (distance > nowhere) {
        st_vec3_divide(n, n, distance);
    } else {
        st_vec3_set(n, 1, 0, 0);
        query->out->coincident = true;
    }

    return st_add_detection(query, p, q, n, distance - query->skin, id);
}

int64_t st_larger_id(const st_query *query) {
    return (int64_t)(query->first->count > query->second->count ? query->i : query->j);
}

void st_add_lines(const st_query *query, const st_real a[3], const st_real b[3], const st_real c[3], const st_real d[3],
                  st_real parallel, int64_t id) {
    st_real t, u, p[3], q[3];
    if (st_lines_parameters(a, b, c, d, parallel, &t, &u) && !(st_is_inside(t) && st_is_inside(u))) return;

    st_line_point(p, a, b, t);
    st_line_point(q, c, d, u);
    st_add_near(query, p, q, id);
}

bool st_project_inside_triangle(st_real q[3], const st_collision_model *a, size_t i, const st_real p[3]) {
    st_real alpha, beta;
    st_triangle_coordinates(ST_A(0), ST_A(1), ST_A(2), p, &alpha, &beta);
    if (!(alpha >= ST_R(1e-6) && beta >= ST_R(1e-6) && alpha + beta <= ST_R(0.999999))) return false;
    st_triangle_point(q, ST_A(0), ST_A(1), ST_A(2), alpha, beta);
    return true;
}

void st_add_spheres(st_query query) {
    const st_real *p = st_corner_position(query.first, query.i, 0), *q = st_corner_position(query.second, query.j, 0);
    query.limit += query.limit * ST_REAL_EPSILON;
    st_to_surface(st_add_near(&query, p, q, st_larger_id(&query)), &query, true, true);
}

// Where a sphere is touched by something in the direction -n from its center.
static void sphere_contact(st_real r[3], const st_collision_model *spheres, size_t i, const st_real n[3]) {
    const st_real out = spheres->primitive == ST_PRIMITIVE_RIGID_SPHERE ? st_element_radius(spheres, i) : 0;
    st_vec3_add_scaled(r, st_corner_position(spheres, i, 0), n, -out);
}

void st_to_surface(st_detection *found, const st_query *query, bool first, bool second) {
    if (!found) return;

    st_real opposite[3];
    st_vec3_negate(opposite, found->normal);
    if (first) sphere_contact(found->point[0], query->first, query->i, opposite);
    if (second) sphere_contact(found->point[1], query->second, query->j, found->normal);
}
