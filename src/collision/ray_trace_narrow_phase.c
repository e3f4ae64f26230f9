// RayTraceNarrowPhase: vertices that are inside of another surface, found by rays. For TriangleOctreeCollisionModel.
//
// For each of two models and each vertex that lies in the box of the other one:
//
//     1. a ray goes from the vertex against its normal, back into its own body, to the nearest triangle of the other
//        surface that looks the other way; without one the vertex is outside
//     2. when the ray meets the vertex's own surface before, on a triangle that looks the other way, it has left its body
//        first: no contact
//     3. else the contact is between the vertex and where the ray hit, along the normal of the vertex, as deep as the
//        ray is long
//
// Each direction has its own list: contacts of the vertices of a with b, and of those of b with a.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/detection_map.h"
#include "collision/element_tests.h"
#include "math/vec3.h"
#include "scene/scene.h"

typedef struct ray {
    st_real from[3], along[3];
    const st_real *normal; // of the vertex
} ray;

// Where the ray goes through triangle i, if nearer than `nearest`, and the triangle looks against the normal.
static bool ray_hits(const ray *r, const st_collision_model *m, size_t i, st_real *nearest) {
    const st_real *p = st_corner_position(m, i, 0);
    st_real n[3];
    if (!st_triangle_normal(m, i, n) || st_vec3_dot(n, r->normal) > 0) return false;

    // p + α u + β v = from + t along
    st_real u[3], v[3], w[3], across[3], other[3];
    st_vec3_sub(u, st_corner_position(m, i, 1), p);
    st_vec3_sub(v, st_corner_position(m, i, 2), p);
    st_vec3_sub(w, r->from, p);
    st_vec3_cross(across, r->along, v);
    const st_real det = st_vec3_dot(u, across);
    if (!(fabs(det) > ST_REAL_EPSILON)) return false;
    const st_real alpha = st_vec3_dot(w, across) / det;
    st_vec3_cross(other, w, u);
    const st_real beta = st_vec3_dot(r->along, other) / det, t = st_vec3_dot(v, other) / det;
    if (!(alpha >= 0 && beta >= 0 && alpha + beta <= 1 && t > 0 && t < *nearest)) return false;
    *nearest = t;
    return true;
}

// Does the ray meet a box before `nearest`?
static bool ray_meets_box(const ray *r, const st_box *box, st_real nearest) {
    st_real enter = 0, leave = nearest;

    for (int k = 0; k < 3; k++) {
        if (r->along[k] == 0) {
            if (r->from[k] < box->min[k] || r->from[k] > box->max[k]) return false;
            continue;
        }

        const st_real one = (box->min[k] - r->from[k]) / r->along[k], two = (box->max[k] - r->from[k]) / r->along[k];
        enter = st_max(enter, st_min(one, two));
        leave = st_min(leave, st_max(one, two));
    }

    return enter <= leave;
}

// The nearest triangle that it hits; SIZE_MAX: none.
static size_t trace(const ray *r, const st_collision_model *m, st_real *nearest) {
    size_t hit = SIZE_MAX;
    *nearest = ST_REAL_MAX;
    for (size_t k = 0; k < m->tree.leaves.count; k++)
        if (ray_meets_box(r, &m->tree.leaves.data[k], *nearest) && ray_hits(r, m, m->tree.elements.data[k], nearest))
            hit = m->tree.elements.data[k];
    return hit;
}

static bool is_in_box(const st_box *box, const st_real p[3]) {
    for (int k = 0; k < 3; k++)
        if (!(p[k] >= box->min[k] && p[k] <= box->max[k])) return false;
    return true;
}

static void trace_vertex(const st_query *query, size_t vertex, int64_t id) {
    const st_collision_model *a = query->first, *b = query->second;
    const st_real *p = a->state->coord[ST_COORD_POSITION].data + 3 * vertex;
    ray r = {.normal = st_vertex_normal(a, vertex)};
    if (!r.normal || !is_in_box(&b->tree.cells.data[0].box, p)) return;

    st_vec3_copy(r.from, p);
    st_vec3_negate(r.along, r.normal);

    // the other surface, then its own
    st_real depth, own;
    const size_t hit = trace(&r, b, &depth);
    if (hit == SIZE_MAX) return;
    trace(&r, a, &own);
    if (own < depth) return;

    // where the ray hit
    st_real q[3];
    st_query found = *query;
    found.j = hit;
    st_vec3_add_scaled(q, p, r.along, depth);
    st_add_detection(&found, p, q, r.normal, -depth, id);
}

// Every vertex with the triangle that owns it.
static void search_direction(st_detection_entry *entry) {
    const st_collision_model *a = entry->output.model[0], *b = entry->output.model[1];
    for (size_t i = 0; i < a->count; i++) {
        const st_query query = {&entry->output.found, a, b, i, 0, 0, 0};
        for (int k = 0; k < 3; k++)
            if (st_triangle_flags(a, i) & (ST_OWNS_P1 << k))
                trace_vertex(&query, st_corner(a, i, k), 3 * (int64_t)i + k);
    }
}

static void search_directions(void *context, size_t begin, size_t end) {
    const st_narrow_phase *phase = context;
    for (size_t i = begin; i < end; i++) search_direction(phase->map->work.data[i]);
}

static st_status ray_trace_find(st_narrow_phase *phase, st_intersection *method, const st_model_pairs *pairs) {
    st_status status = st_detections_begin(phase);
    for (size_t i = 0; status == ST_OK && i < pairs->count; i++) {
        st_collision_model *a = pairs->data[i].first, *b = pairs->data[i].second;

        if (!st_vertex_normals_are_kept(a) || !st_vertex_normals_are_kept(b)) continue;
        if (!st_intersection_prepare_flags(method, a) || !st_intersection_prepare_flags(method, b))
            return ST_OUT_OF_MEMORY;

        // both directions
        status = st_detections_enter(phase, a, b, NULL);
        if (status == ST_OK && a != b) status = st_detections_enter(phase, b, a, NULL);
    }
    if (status == ST_OK) status = st_detections_fill_boxes(phase, method, true);

    if (status != ST_OK) return status;
    st_parallel_for(phase->object.scene->pool, phase->map->work.count, 1, search_directions, phase);
    return st_detections_end(phase);
}

static const st_narrow_phase_ops ops = {ray_trace_find};

const st_class st_ray_trace_narrow_phase_class = {
    .name = "RayTraceNarrowPhase",
    .help = "finds vertices of TriangleOctreeCollisionModels that are inside of each other, by rays",
    .parent = &st_narrow_phase_class,
    .size = sizeof(st_narrow_phase),
    .narrow_phase = &ops,
};
