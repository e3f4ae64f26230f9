// Findings of the tests between elements: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/element_tests.h"

static const st_real nowhere = ST_R(1e-15); // points that are nearer have no direction between them

st_detection *st_add_detection(st_detections *out, const st_element_pair *pair, const st_real p[3], const st_real q[3],
                               const st_real normal[3], st_real value, int64_t id) {
    if (out->list.count >= ST_DETECTIONS_MAX) {
        out->full = true;
        return NULL;
    }
    st_detection d = {.element = {(uint32_t)pair->i, (uint32_t)pair->j}, .value = value, .id = id};
    st_vec3_copy(d.point[0], p);
    st_vec3_copy(d.point[1], q);
    st_vec3_copy(d.normal, normal);
    if (!st_list_push(&out->list, d)) {
        out->failed = true;
        return NULL;
    }
    return &out->list.data[out->list.count - 1];
}

st_detection *st_add_near(st_detections *out, const st_element_pair *pair, const st_real p[3], const st_real q[3],
                          st_real limit, st_real skin, int64_t id) {
    st_real n[3];
    st_vec3_sub(n, q, p);
    const st_real distance2 = st_vec3_norm2(n);
    if (!(distance2 < limit * limit)) return NULL; // what is no number is not near
    const st_real distance = sqrt(distance2);
    if (distance > nowhere) {
        st_vec3_divide(n, n, distance);
    } else {
        st_vec3_set(n, 1, 0, 0);
        out->coincident = true;
    }
    return st_add_detection(out, pair, p, q, n, distance - skin, id);
}

int64_t st_larger_id(const st_element_pair *pair) {
    return (int64_t)(pair->first->count > pair->second->count ? pair->i : pair->j);
}

void st_sphere_contact(st_real r[3], const st_collision_model *spheres, size_t i, const st_real n[3]) {
    const st_real out = spheres->primitive == ST_PRIMITIVE_RIGID_SPHERE ? st_element_radius(spheres, i) : 0;
    st_vec3_add_scaled(r, st_corner_position(spheres, i, 0), n, -out);
}

void st_to_surface(st_detection *found, const st_element_pair *pair, bool first, bool second) {
    if (!found) return;
    st_real opposite[3];
    st_vec3_negate(opposite, found->normal);
    if (first) st_sphere_contact(found->point[0], pair->first, pair->i, opposite);
    if (second) st_sphere_contact(found->point[1], pair->second, pair->j, found->normal);
}
