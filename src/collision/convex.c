// Gaps between convex bodies: see the header.
//
// Phases of a query:
//     1. separating axes: the one with the largest gap. A gap above the limit is the answer.
//     2. overlapping bodies: the second is moved along that axis until they only just touch
//     3. all shortest ways between corners, faces and edges; the mean of those that are as short as the shortest
//     4. what was moved is moved back
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/convex.h"

#include "collision/proximity.h"

// Parts of the size: what counts as the same place or way, and below which a way has no direction.
static const st_real relative = sizeof(st_real) == 8 ? ST_R(1e-9) : ST_R(1e-5);
static const st_real directed = sizeof(st_real) == 8 ? ST_R(1e-6) : ST_R(1e-4);

// ---------------------------------------------------------------------------------------------------
// Bodies
// ---------------------------------------------------------------------------------------------------

st_convex st_convex_box(const st_real center[3], const st_real axes[3][3], const st_real extent[3]) {
    st_convex b = {.kind = ST_CONVEX_BOX, .count = 8, .normals = 3, .directions = 3};
    st_vec3_copy(b.center, center);
    st_vec3_copy(b.extent, extent);
    for (int k = 0; k < 3; k++) {
        st_vec3_copy(b.axis[k], axes[k]);
        st_vec3_copy(b.normal[k], axes[k]);
        st_vec3_copy(b.direction[k], axes[k]);
    }

    // corner c is at the upper end of axis k where bit k is set; edges join corners that differ in one bit
    for (int c = 0; c < 8; c++) {
        st_vec3_copy(b.v[c], center);
        for (int k = 0; k < 3; k++) {
            const bool upper = c >> k & 1;
            st_vec3_add_scaled(b.v[c], b.v[c], axes[k], upper ? extent[k] : -extent[k]);
            if (upper) continue;
            b.edge[b.edges][0] = (uint8_t)c;
            b.edge[b.edges++][1] = (uint8_t)(c | 1 << k);
        }
    }
    return b;
}

st_convex st_convex_triangle(const st_real a[3], const st_real b[3], const st_real c[3]) {
    st_convex t = {
        .kind = ST_CONVEX_TRIANGLE, .count = 3, .edges = 3, .edge = {{0, 1}, {1, 2}, {2, 0}}, .directions = 3};
    st_vec3_copy(t.v[0], a);
    st_vec3_copy(t.v[1], b);
    st_vec3_copy(t.v[2], c);
    for (int k = 0; k < 3; k++) st_vec3_sub(t.direction[k], t.v[(k + 1) % 3], t.v[k]);

    st_vec3_cross(t.normal[0], t.direction[0], t.direction[1]);
    t.normals = st_vec3_normalize(t.normal[0], t.normal[0]) ? 1 : 0;
    return t;
}

st_convex st_convex_segment(const st_real a[3], const st_real b[3]) {
    st_convex s = {.kind = ST_CONVEX_SEGMENT, .count = 2, .edges = 1, .edge = {{0, 1}}, .directions = 1};
    st_vec3_copy(s.v[0], a);
    st_vec3_copy(s.v[1], b);
    st_vec3_sub(s.direction[0], b, a);
    return s;
}

// ---------------------------------------------------------------------------------------------------
// Nearest points
// ---------------------------------------------------------------------------------------------------

static void nearest_on_segment(const st_real a[3], const st_real b[3], const st_real p[3], st_real q[3]) {
    st_real ab[3], ap[3];
    st_vec3_sub(ab, b, a);
    st_vec3_sub(ap, p, a);

    const st_real l = st_vec3_norm2(ab);
    st_vec3_add_scaled(q, a, ab, l > 0 ? st_clamp(st_vec3_dot(ap, ab) / l, 0, 1) : 0);
}

// The projection where it is inside, otherwise the nearest of the three sides.
static void nearest_on_triangle(const st_convex *t, const st_real p[3], st_real q[3]) {
    st_real alpha = -1, beta = -1;
    if (t->normals) st_triangle_coordinates(t->v[0], t->v[1], t->v[2], p, &alpha, &beta);
    if (alpha >= 0 && beta >= 0 && alpha + beta <= 1) {
        st_triangle_point(q, t->v[0], t->v[1], t->v[2], alpha, beta);
        return;
    }

    // on the border
    st_real best = ST_REAL_MAX;
    for (int k = 0; k < 3; k++) {
        st_real at[3];
        nearest_on_segment(t->v[k], t->v[(k + 1) % 3], p, at);

        const st_real distance = st_vec3_distance(at, p);
        if (!(distance < best)) continue;
        best = distance;
        st_vec3_copy(q, at);
    }

    if (best == ST_REAL_MAX) st_vec3_copy(q, t->v[0]);
}

static void convex_nearest(const st_convex *c, const st_real p[3], st_real q[3]) {
    if (c->kind == ST_CONVEX_SEGMENT) nearest_on_segment(c->v[0], c->v[1], p, q);
    if (c->kind == ST_CONVEX_TRIANGLE) nearest_on_triangle(c, p, q);
    if (c->kind != ST_CONVEX_BOX) return;

    st_real to[3];
    st_vec3_sub(to, p, c->center);
    st_vec3_copy(q, c->center);
    for (int k = 0; k < 3; k++)
        st_vec3_add_scaled(q, q, c->axis[k], st_clamp(st_vec3_dot(to, c->axis[k]), -c->extent[k], c->extent[k]));
}

void st_nearest_on_segments(const st_real a[3], const st_real b[3], const st_real c[3], const st_real d[3], st_real *t,
                            st_real *u) {
    // inside of both
    const st_real ab = st_vec3_distance(a, b), cd = st_vec3_distance(c, d);
    const bool crossing = st_lines_parameters(a, b, c, d, 64 * ST_REAL_EPSILON * ab * ab * cd * cd, t, u);
    if (crossing && *t >= 0 && *t <= 1 && *u >= 0 && *u <= 1) return;

    // parallel, and beside each other: the middle of what they share
    const st_real c_on = st_line_parameter(a, b, c), d_on = st_line_parameter(a, b, d);
    const st_real low = st_max(0, st_min(c_on, d_on)), high = st_min(1, st_max(c_on, d_on));
    st_real p[3];
    if (!crossing && ab > 0 && cd > 0 && low <= high) {
        *t = (low + high) / 2;
        st_line_point(p, a, b, *t);
        *u = st_clamp(st_line_parameter(c, d, p), 0, 1);
        return;
    }

    // an end of one is nearest
    const st_real *end[4] = {a, b, c, d};
    st_real best = ST_REAL_MAX;
    *t = *u = 0;
    for (int i = 0; i < 4; i++) {
        const st_real *from = i < 2 ? c : a, *to = i < 2 ? d : b;
        const st_real at = st_clamp(st_line_parameter(from, to, end[i]), 0, 1);
        st_line_point(p, from, to, at);
        const st_real distance = st_vec3_distance(p, end[i]);
        if (!(distance < best)) continue;
        best = distance;
        *t = i < 2 ? (st_real)i : at;
        *u = i < 2 ? at : (st_real)(i - 2);
    }
}

// ---------------------------------------------------------------------------------------------------
// Shortest ways
// ---------------------------------------------------------------------------------------------------

enum { WAYS = 8 + 8 + 12 * 12 };
typedef struct ways {
    int count;
    st_real p[WAYS][3], q[WAYS][3], length[WAYS];
} ways;

static void add_way(ways *w, const st_real p[3], const st_real q[3]) {
    st_vec3_copy(w->p[w->count], p);
    st_vec3_copy(w->q[w->count], q);
    w->length[w->count++] = st_vec3_distance(p, q);
}

// Edges that cross, seen along the way between them. Where an end is nearest, a corner has found it.
static void add_edges(ways *w, const st_convex *one, const st_convex *two) {
    for (int i = 0; i < one->edges; i++)
        for (int j = 0; j < two->edges; j++) {
            const st_real *a = one->v[one->edge[i][0]], *b = one->v[one->edge[i][1]];
            const st_real *c = two->v[two->edge[j][0]], *d = two->v[two->edge[j][1]];
            const st_real ab = st_vec3_distance(a, b), cd = st_vec3_distance(c, d);

            st_real t, u, p[3], q[3];
            if (!st_lines_parameters(a, b, c, d, ST_R(1e-6) * ab * ab * cd * cd, &t, &u)) continue;

            if (!(t > 0 && t < 1 && u > 0 && u < 1)) continue;
            st_line_point(p, a, b, t);
            st_line_point(q, c, d, u);
            add_way(w, p, q);
        }
}

// Is way i the shortest one, at another place? Ways between parallel faces and edges are.
static bool is_same_way(const ways *w, int i, int shortest, st_real same) {
    st_real one[3], two[3];
    st_vec3_sub(one, w->q[i], w->p[i]);
    st_vec3_sub(two, w->q[shortest], w->p[shortest]);
    return st_vec3_distance(one, two) <= same;
}

static bool is_repeated(const ways *w, int i, int shortest, st_real same) {
    for (int k = 0; k < i; k++)
        if (is_same_way(w, k, shortest, same) && st_vec3_distance(w->p[k], w->p[i]) <= same) return true;
    return false;
}

// The mean of all ways that are as short as the shortest. False: none of them has a length.
static bool mean_of_shortest(const st_convex *one, const st_convex *two, st_real same, st_real p[3], st_real q[3]) {
    ways w;
    w.count = 0;
    st_real at[3];

    // corners of each to the other, and edges that cross
    for (int i = 0; i < one->count; i++) {
        convex_nearest(two, one->v[i], at);
        add_way(&w, one->v[i], at);
    }
    for (int i = 0; i < two->count; i++) {
        convex_nearest(one, two->v[i], at);
        add_way(&w, at, two->v[i]);
    }
    add_edges(&w, one, two);

    // the shortest of them
    int shortest = 0, count = 0;
    for (int i = 1; i < w.count; i++)
        if (w.length[i] < w.length[shortest]) shortest = i;
    if (!(w.length[shortest] <= ST_REAL_MAX)) return false;

    // each place once
    st_vec3_zero(p);
    st_vec3_zero(q);
    for (int i = 0; i < w.count; i++) {
        if (!is_same_way(&w, i, shortest, same) || is_repeated(&w, i, shortest, same)) continue;
        st_vec3_add(p, p, w.p[i]);
        st_vec3_add(q, q, w.q[i]);
        count++;
    }

    st_vec3_divide(p, p, (st_real)count);
    st_vec3_divide(q, q, (st_real)count);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Separating axes
// ---------------------------------------------------------------------------------------------------

typedef struct separation {
    const st_convex *one, *two;
    st_real gap, axis[3]; // the largest so far, from the first to the second
    st_real prefer;       // how much better a later axis must be
} separation;

static void extent_along(const st_convex *c, const st_real axis[3], st_real *low, st_real *high) {
    *low = *high = st_vec3_dot(c->v[0], axis);
    for (int i = 1; i < c->count; i++) {
        const st_real x = st_vec3_dot(c->v[i], axis);
        *low = st_min(*low, x);
        *high = st_max(*high, x);
    }
}

static void try_axis(separation *s, const st_real axis[3]) {
    st_real low1, high1, low2, high2;
    extent_along(s->one, axis, &low1, &high1);
    extent_along(s->two, axis, &low2, &high2);

    // the second is behind where its middle is
    const bool behind = low2 + high2 < low1 + high1;
    const st_real gap = behind ? low1 - high2 : low2 - high1;

    if (!(gap > s->gap + s->prefer)) return;
    s->gap = gap;
    st_vec3_scale(s->axis, axis, behind ? -1 : 1);
}

// Faces first, then edges; last, for flat bodies that lie in a face, the sides of the face.
static void try_axes(separation *s) {
    const st_convex *bodies[2] = {s->one, s->two};
    for (int b = 0; b < 2; b++)
        for (int k = 0; k < bodies[b]->normals; k++) try_axis(s, bodies[b]->normal[k]);

    // cross products of edges that are not parallel
    for (int i = 0; i < s->one->directions; i++)
        for (int j = 0; j < s->two->directions; j++) {
            st_real axis[3];
            st_vec3_cross(axis, s->one->direction[i], s->two->direction[j]);

            const st_real length = st_vec3_norm(axis);
            if (!(length > ST_R(1e-4) * st_vec3_norm(s->one->direction[i]) * st_vec3_norm(s->two->direction[j])))
                continue;

            st_vec3_divide(axis, axis, length);
            try_axis(s, axis);
        }

    for (int b = 0; b < 2; b++)
        for (int k = 0; bodies[b]->kind == ST_CONVEX_TRIANGLE && bodies[b]->normals && k < 3; k++) {
            st_real axis[3];
            st_vec3_cross(axis, bodies[b]->direction[k], bodies[b]->normal[0]);
            if (st_vec3_normalize(axis, axis)) try_axis(s, axis);
        }
}

// ---------------------------------------------------------------------------------------------------

static st_real size_of(const st_convex *c) {
    st_real size = 0;
    for (int i = 1; i < c->count; i++) size = st_max(size, st_vec3_distance(c->v[0], c->v[i]));
    return size;
}

static st_convex moved_by(const st_convex *c, const st_real by[3]) {
    st_convex m = *c;
    for (int i = 0; i < m.count; i++) st_vec3_add(m.v[i], m.v[i], by);
    st_vec3_add(m.center, m.center, by);
    return m;
}

bool st_convex_meet(const st_convex *one, const st_convex *two, st_real limit, st_convex_contact *contact) {
    const st_real size = st_max(size_of(one), size_of(two));
    separation s = {.one = one, .two = two, .gap = -ST_REAL_MAX};

    // the largest gap of all axes is not larger than the distance
    s.prefer = relative * size;
    try_axes(&s);
    if (!(s.gap > -ST_REAL_MAX && s.gap <= limit)) return false;

    // overlapping ones are pulled apart until they touch
    const bool apart = s.gap > 0;
    st_real by[3];
    st_vec3_scale(by, s.axis, apart ? 0 : -s.gap);
    const st_convex touching = moved_by(two, by);
    if (!mean_of_shortest(one, &touching, relative * size, contact->p, contact->q)) return false;
    st_vec3_sub(contact->q, contact->q, by);

    // along the way where there is one, along the axis where they touch or overlap
    st_real way[3];
    st_vec3_sub(way, contact->q, contact->p);
    const st_real length = st_vec3_norm(way);
    const bool use_way = apart && length > directed * size;
    contact->gap = apart ? length : s.gap;
    if (use_way) st_vec3_divide(contact->normal, way, length);
    else st_vec3_copy(contact->normal, s.axis);
    return contact->gap <= limit;
}
