// The body-centered cubic lattice and a surface in it.
//
//   1. each triangle is crossed with the edges of the points in its box, one cell larger: of each edge the first and the
//      last crossing are kept
//   2. from each point, along each of its seven lines both ways, the nearest crossing says whether the point is inside
//   3. the majority of the lines decides
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/bcc_lattice.h"

#include "engine/engine.h"

// Forward edges in half cells: the axes of a grid, then the diagonals to the other one.
static const int steps[ST_BCC_EDGES][3] = {{2, 0, 0},  {0, 2, 0},  {0, 0, 2},  {1, 1, 1},
                                           {1, -1, 1}, {1, 1, -1}, {1, -1, -1}};

// ---------------------------------------------------------------------------------------------------
// Numbering
// ---------------------------------------------------------------------------------------------------

bool st_bcc_create(st_bcc_lattice *l, const st_real box[6], st_real h) {
    *l = (st_bcc_lattice){.h = h};

    size_t second = 1;

    l->grid_count = 1;

    // both grids reach at least one cell beyond the box on each side
    for (int a = 0; a < 3; a++) {
        const st_real center = (box[a] + box[3 + a]) / 2;
        const st_real before = floor((center - box[a]) / h) + 2, after = floor((box[3 + a] - center) / h) + 2;
        l->origin[a] = center - before * h;
        l->n[a] = (size_t)(before + after) + 1;

        l->grid_count *= l->n[a];
        second *= l->n[a] + 1;
    }

    l->count = l->grid_count + second;
    l->hits = st_alloc(l->count * ST_BCC_EDGES, sizeof *l->hits);
    l->inside = st_alloc(l->count, sizeof *l->inside);
    return l->hits && l->inside;
}

void st_bcc_free(st_bcc_lattice *l) {
    st_free(l->hits);
    st_free(l->inside);
    *l = (st_bcc_lattice){0};
}

size_t st_bcc_grid_index(const st_bcc_lattice *l, bool second, const size_t at[3]) {
    const size_t more = second ? 1 : 0;
    return (second ? l->grid_count : 0) + at[0] + (l->n[0] + more) * (at[1] + (l->n[1] + more) * at[2]);
}

static bool split_index(const st_bcc_lattice *l, size_t index, size_t at[3]) {
    const bool second = index >= l->grid_count;
    const size_t more = second ? 1 : 0;
    size_t rest = second ? index - l->grid_count : index;

    for (int a = 0; a < 3; a++) {
        at[a] = rest % (l->n[a] + more);
        rest /= l->n[a] + more;
    }
    return second;
}

void st_bcc_point(const st_bcc_lattice *l, size_t index, st_real p[3]) {
    size_t at[3];
    const bool second = split_index(l, index, at);

    for (int a = 0; a < 3; a++) p[a] = l->origin[a] + l->h * (st_real)at[a] - (second ? l->h / 2 : 0);
}

// In half cells: G(i) is at 2i, H(i) at 2i - 1.
static long half_cells(size_t at, bool second) { return 2 * (long)at - (second ? 1 : 0); }

size_t st_bcc_neighbor(const st_bcc_lattice *l, size_t index, int edge, int direction) {
    size_t at[3], to[3];
    const bool second = split_index(l, index, at), target = edge < ST_BCC_AXES ? second : !second;

    for (int a = 0; a < 3; a++) {
        // in half cells both grids are one lattice of integers
        const long half = half_cells(at[a], second) + direction * steps[edge][a] + (target ? 1 : 0);
        const size_t limit = l->n[a] + (target ? 1 : 0);
        if (half < 0 || (size_t)(half / 2) >= limit) return SIZE_MAX;
        to[a] = (size_t)(half / 2);
    }

    return st_bcc_grid_index(l, target, to);
}

int st_bcc_axes_beyond(const st_bcc_lattice *l, size_t a, size_t b) {
    size_t from[3], to[3];
    const bool first = split_index(l, a, from), second = split_index(l, b, to);
    int count = 0;
    for (int i = 0; i < 3; i++) count += half_cells(to[i], second) > half_cells(from[i], first);
    return count;
}

// ---------------------------------------------------------------------------------------------------
// Crossings
// ---------------------------------------------------------------------------------------------------

typedef struct triangle {
    const st_real *a;
    st_real ab[3], ac[3], normal[3];
} triangle;

// t in [0, 1] where p + t e is in the triangle. What is off by rounding counts: a crossing that two triangles or two
// edges share may be found twice, which does no harm, but must not be missed.
static bool crosses(const triangle *tri, const st_real p[3], const st_real e[3], st_real *t) {
    const st_real off = 64 * ST_REAL_EPSILON;
    st_real u, v;

    if (!st_ray_meets_plane(p, e, tri->a, tri->ab, tri->ac, &u, &v, t)) return false;
    if (!(u >= -off && v >= -off && u + v <= 1 + off && *t >= -off && *t <= 1 + off)) return false;

    *t = st_clamp(*t, 0, 1);
    return true;
}

static void meet_edges(st_bcc_lattice *l, size_t index, const triangle *tri) {
    st_real p[3], e[3], t;

    st_bcc_point(l, index, p);

    for (int edge = 0; edge < ST_BCC_EDGES; edge++) {
        for (int a = 0; a < 3; a++) e[a] = l->h / 2 * (st_real)steps[edge][a];
        if (!crosses(tri, p, e, &t)) continue;

        st_bcc_hit *hit = &l->hits[index * ST_BCC_EDGES + (size_t)edge];

        // dot > 0: the edge goes out of the body here
        const bool leaves = st_vec3_dot(e, tri->normal) > 0, fresh = hit->first > hit->last;

        if (fresh || t < hit->first) {
            hit->first = t;
            hit->first_leaves = leaves;
        }
        if (fresh || t > hit->last) {
            hit->last = t;
            hit->last_leaves = leaves;
        }
    }
}

// The points of one grid whose edges may reach the triangle: those in its box, enlarged by a cell.
static void meet_grid(st_bcc_lattice *l, bool second, const st_real low[3], const st_real high[3],
                      const triangle *tri) {
    size_t from[3], to[3], at[3];

    // the second grid lies half a cell before the first
    for (int a = 0; a < 3; a++) {
        const st_real shift = second ? ST_R(0.5) : 0, most = (st_real)(l->n[a] - (second ? 0 : 1));
        from[a] = (size_t)st_clamp(floor((low[a] - l->origin[a]) / l->h + shift) - 1, 0, most);
        to[a] = (size_t)st_clamp(floor((high[a] - l->origin[a]) / l->h + shift) + 1, 0, most);
    }

    for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
        for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
            for (at[0] = from[0]; at[0] <= to[0]; at[0]++) meet_edges(l, st_bcc_grid_index(l, second, at), tri);
}

static void meet_triangle(st_bcc_lattice *l, const st_real *a, const st_real *b, const st_real *c) {
    triangle tri = {.a = a};
    st_real low[3], high[3];

    st_vec3_sub(tri.ab, b, a);
    st_vec3_sub(tri.ac, c, a);
    st_vec3_cross(tri.normal, tri.ab, tri.ac);

    // a triangle that is not finite crosses nothing
    for (int i = 0; i < 3; i++) {
        low[i] = st_min(a[i], st_min(b[i], c[i]));
        high[i] = st_max(a[i], st_max(b[i], c[i]));
        if (!(fabs(low[i]) < ST_REAL_MAX && fabs(high[i]) < ST_REAL_MAX)) return;
    }

    meet_grid(l, false, low, high, &tri);
    meet_grid(l, true, low, high, &tri);
}

static void meet_surface(st_bcc_lattice *l, const st_surface *s) {
    for (size_t i = 0; i < l->count * ST_BCC_EDGES; i++) l->hits[i] = (st_bcc_hit){.first = 1, .last = 0};

    // triangles
    for (size_t t = 0; t < s->triangle_count; t++) {
        const uint32_t *v = s->triangles + 3 * t;
        if (st_vertices_exist(v, 3, s->point_count))
            meet_triangle(l, s->points + 3 * (size_t)v[0], s->points + 3 * (size_t)v[1], s->points + 3 * (size_t)v[2]);
    }

    // quads, each as two triangles
    for (size_t q = 0; q < s->quad_count; q++) {
        const uint32_t *v = s->quads + 4 * q;
        for (int k = 2; k < 4 && st_vertices_exist(v, 4, s->point_count); k++)
            meet_triangle(l, s->points + 3 * (size_t)v[0], s->points + 3 * (size_t)v[k - 1],
                          s->points + 3 * (size_t)v[k]);
    }
}

static const st_bcc_hit *hit_of(const st_bcc_lattice *l, size_t index, int edge, int direction) {
    const size_t first = direction > 0 ? index : st_bcc_neighbor(l, index, edge, direction);
    return first == SIZE_MAX ? NULL : &l->hits[first * ST_BCC_EDGES + (size_t)edge];
}

bool st_bcc_crossing(const st_bcc_lattice *l, size_t index, int edge, int direction, st_real *t) {
    const st_bcc_hit *hit = hit_of(l, index, edge, direction);

    if (!hit || hit->first > hit->last) return false;
    *t = direction > 0 ? hit->first : 1 - hit->last;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Votes
// ---------------------------------------------------------------------------------------------------

// The nearest crossing from a point along an edge direction: its distance in edges, and whether it shows the point
// inside. Ahead, a place where the line leaves the body; behind, one where it enters.
static st_real nearest_crossing(const st_bcc_lattice *l, size_t index, int edge, int direction, bool *inside) {
    st_real walked = 0;

    for (size_t at = index;;) {
        const size_t next = st_bcc_neighbor(l, at, edge, direction);
        if (next == SIZE_MAX) return ST_REAL_MAX;
        const st_bcc_hit *hit = &l->hits[(direction > 0 ? at : next) * ST_BCC_EDGES + (size_t)edge];

        // ahead, the first crossing on the edge is the nearest; behind, the last one
        if (hit->first <= hit->last) {
            *inside = direction > 0 ? hit->first_leaves : !hit->last_leaves;
            return walked + (direction > 0 ? hit->first : 1 - hit->last);
        }

        walked += 1;
        at = next;
    }
}

static int vote(const st_bcc_lattice *l, size_t index, int edge) {
    bool ahead = false, behind = false;
    const st_real a = nearest_crossing(l, index, edge, 1, &ahead), b = nearest_crossing(l, index, edge, -1, &behind);

    // no crossing on the whole line, or two that contradict each other: no vote
    if (!(a < ST_REAL_MAX) && !(b < ST_REAL_MAX)) return 0;
    if (a == b && ahead != behind) return 0;
    return (a <= b ? ahead : behind) ? 1 : -1;
}

void st_bcc_classify(st_bcc_lattice *l, const st_surface *surface) {
    meet_surface(l, surface);

    // the majority of the seven lines; without one the point is outside
    for (size_t i = 0; i < l->count; i++) {
        int votes = 0;
        for (int edge = 0; edge < ST_BCC_EDGES; edge++) votes += vote(l, i, edge);
        l->inside[i] = votes > 0 ? 1 : -1;
    }
}
