// A surface of triangles that cuts: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/cut/cut_surface.h"

#include "base/array.h"
#include "math/vec3.h"

enum { MAX_HITS = 16 };

// ---------------------------------------------------------------------------------------------------
// One triangle
// ---------------------------------------------------------------------------------------------------

static void triangle_normal(const st_real *c, st_real n[3]) {
    st_real a[3], b[3];
    st_vec3_sub(a, c + 3, c);
    st_vec3_sub(b, c + 6, c);
    st_vec3_cross(n, a, b);
}

// Is a point of the plane inside, borders included?
static bool is_inside(const st_real *c, const st_real n[3], const st_real p[3]) {
    const st_real slack = ST_R(-1e3) * ST_REAL_EPSILON * st_vec3_norm2(n);
    for (int i = 0; i < 3; i++) {
        // left of each side
        const st_real *a = c + 3 * i, *b = c + 3 * ((i + 1) % 3);
        st_real e[3], d[3], cross[3];
        st_vec3_sub(e, b, a);
        st_vec3_sub(d, p, a);
        st_vec3_cross(cross, e, d);

        if (!(st_vec3_dot(cross, n) >= slack)) return false;
    }
    return true;
}

static st_real height(const st_real *c, const st_real n[3], const st_real p[3]) {
    st_real d[3];
    st_vec3_sub(d, p, c);
    return st_vec3_dot(d, n);
}

// Where the triangle crosses from p to q; a point in its plane counts as one above it.
static bool triangle_crosses(const st_real *c, const st_real p[3], const st_real q[3], st_real *t) {
    st_real n[3], x[3];
    triangle_normal(c, n);
    const st_real a = height(c, n, p), b = height(c, n, q);
    if ((a >= 0) == (b >= 0)) return false;

    *t = a / (a - b);

    // where the line meets the plane
    for (int i = 0; i < 3; i++) x[i] = p[i] + *t * (q[i] - p[i]);
    return is_inside(c, n, x);
}

static bool triangle_touches(const st_real *c, const st_real p[3], st_real distance) {
    st_real n[3], x[3];
    triangle_normal(c, n);

    // n is as long as twice the area: h is the distance times its length
    const st_real square = st_vec3_norm2(n), h = height(c, n, p);
    if (!(h * h <= distance * distance * square)) return false;

    // nearest point of the plane
    st_vec3_add_scaled(x, p, n, -h / square);
    return is_inside(c, n, x);
}

// ---------------------------------------------------------------------------------------------------
// All of them
// ---------------------------------------------------------------------------------------------------

typedef struct hits {
    st_real t[MAX_HITS];
    size_t count;
} hits;

// A place on the common edge of two triangles counts once.
static void add_hit(hits *h, st_real t) {
    for (size_t i = 0; i < h->count; i++)
        if (fabs(h->t[i] - t) <= ST_R(1e-9)) return;
    if (h->count < MAX_HITS) h->t[h->count++] = t;
}

static bool boxes_meet(const st_box_tree *tree, uint32_t node, const st_real low[3], const st_real high[3]) {
    for (int i = 0; i < 3; i++)
        if (low[i] > st_box_high(tree, node)[i] || high[i] < st_box_low(tree, node)[i]) return false;
    return true;
}

static bool surface_crosses(const st_knife *knife, const st_real p[3], const st_real q[3], st_real *t) {
    const st_surface_knife *s = (const st_surface_knife *)knife;
    st_real low[3], high[3];
    hits h = {.count = 0};

    // the box of the segment
    for (int i = 0; i < 3; i++) low[i] = st_min(p[i], q[i]), high[i] = st_max(p[i], q[i]);

    // triangles whose boxes meet that of the segment
    st_box_walk walk;
    st_box_walk_begin(&walk, &s->tree);
    for (uint32_t at; st_box_walk_next(&walk, &at);) {
        const st_box_node *node = &s->tree.nodes.data[at];
        if (!boxes_meet(&s->tree, at, low, high)) continue;

        if (node->count == 0) st_box_walk_down(&walk, at, true);

        // a leaf: its triangles
        for (uint32_t i = 0; i < node->count; i++) {
            st_real place;
            if (triangle_crosses(s->corners.data + 9 * (size_t)s->tree.order.data[node->first + i], p, q, &place))
                add_hit(&h, place);
        }
    }

    // the first of an odd number
    if (h.count % 2 == 0) return false;
    *t = h.t[0];
    for (size_t i = 1; i < h.count; i++) *t = st_min(*t, h.t[i]);
    return true;
}

static bool surface_touches(const st_knife *knife, const st_real p[3], st_real distance) {
    const st_surface_knife *s = (const st_surface_knife *)knife;
    st_box_walk walk;
    st_box_walk_begin(&walk, &s->tree);
    for (uint32_t at; st_box_walk_next(&walk, &at);) {
        const st_box_node *node = &s->tree.nodes.data[at];

        // boxes no farther away than the distance
        if (st_box_node_square(&s->tree, at, 3, p) > distance * distance) continue;
        if (node->count == 0) st_box_walk_down(&walk, at, true);

        for (uint32_t i = 0; i < node->count; i++)
            if (triangle_touches(s->corners.data + 9 * (size_t)s->tree.order.data[node->first + i], p, distance))
                return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Making one
// ---------------------------------------------------------------------------------------------------

void st_surface_knife_free(st_surface_knife *s) {
    st_list_free(&s->corners);
    st_box_tree_free(&s->tree);
}

static st_status read_corners(st_surface_knife *s, const st_points *points, const uint32_t *triangles, size_t count,
                              const st_object *reporter) {
    for (size_t i = 0; i < count; i++) {
        st_real c[9], n[3];
        for (size_t k = 0; k < 9; k++) {
            // a point that is missing is as bad as one that is not finite
            const uint32_t v = triangles[3 * i + k / 3];
            c[k] = v < points->count ? st_point(points, v)[k % 3] : (st_real)NAN;

            if (isfinite(c[k])) continue;
            st_message(reporter, ST_ERROR, "no cut: triangle %zu of the surface has point %u, which is %s", i, v,
                       v < points->count ? "not finite" : "not there");
            return ST_INVALID;
        }

        // a triangle without area has no side
        triangle_normal(c, n);
        if (!(st_vec3_norm2(n) > 0)) continue;

        if (!st_list_set_count(&s->corners, 9 * (s->triangles + 1), 1)) return ST_OUT_OF_MEMORY;
        st_copy_reals(s->corners.data + 9 * s->triangles++, c, 9);
    }

    if (s->triangles) return ST_OK;
    st_message(reporter, ST_ERROR, "no cut: the surface has no triangle with an area (%zu triangles)", count);
    return ST_INVALID;
}

static bool make_tree(st_surface_knife *s) {
    st_real *boxes = st_alloc(s->triangles, 6 * sizeof *boxes);
    if (!boxes) return false;

    // low corners, then high ones
    for (size_t i = 0; i < s->triangles; i++)
        for (size_t k = 0; k < 3; k++) {
            const st_real *c = s->corners.data + 9 * i + k;
            boxes[6 * i + k] = st_min(c[0], st_min(c[3], c[6]));
            boxes[6 * i + 3 + k] = st_max(c[0], st_max(c[3], c[6]));
        }

    const bool ok = st_box_tree_create(&s->tree, boxes, s->triangles, 3, 3);
    st_free(boxes);
    return ok;
}

st_status st_surface_knife_make(st_surface_knife *s, const st_points *points, const uint32_t *triangles, size_t count,
                                const st_object *reporter) {
    *s = (st_surface_knife){.knife = {surface_crosses, surface_touches}};
    st_status status = read_corners(s, points, triangles, count, reporter);
    if (status == ST_OK && !make_tree(s)) status = ST_OUT_OF_MEMORY;
    if (status == ST_OUT_OF_MEMORY) st_message(reporter, ST_ERROR, "out of memory: a surface that cuts");
    return status;
}
