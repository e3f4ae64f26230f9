// The body-centered cubic lattice and a surface in it.
//
//   1. each triangle is met with the lines of the lattice through the points in its box, one cell larger
//   2. the hits of each line are sorted from its start
//   3. every point of a line takes the distances to the hits before and behind it; the line votes whether it is inside
//   4. the majority of its lines decides
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/bcc_lattice.h"

#include <stdlib.h>

#include "engine/engine.h"

// Edges in half cells: the axes of a grid, then the diagonals to the other one.
static const int steps[ST_BCC_EDGES][3] = {{-2, 0, 0},  {2, 0, 0},    {0, -2, 0}, {0, 2, 0},   {0, 0, -2},
                                           {0, 0, 2},   {-1, -1, -1}, {1, 1, 1},  {-1, 1, -1}, {1, -1, 1},
                                           {-1, -1, 1}, {1, 1, -1},   {-1, 1, 1}, {1, -1, -1}};

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
    l->distance = st_alloc(l->count, ST_BCC_EDGES * sizeof *l->distance);
    l->inside = st_alloc(l->count, sizeof *l->inside);
    return l->distance && l->inside;
}

void st_bcc_free(st_bcc_lattice *l) {
    st_free(l->distance);
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

size_t st_bcc_neighbor(const st_bcc_lattice *l, size_t index, int edge) {
    size_t at[3], to[3];
    const bool second = split_index(l, index, at), target = edge < ST_BCC_LONG ? second : !second;

    for (int a = 0; a < 3; a++) {
        // in half cells both grids are one lattice of integers
        const long half = half_cells(at[a], second) + steps[edge][a] + (target ? 1 : 0);
        const size_t limit = l->n[a] + (target ? 1 : 0);
        if (half < 0 || (size_t)(half / 2) >= limit) return SIZE_MAX;
        to[a] = (size_t)(half / 2);
    }

    return st_bcc_grid_index(l, target, to);
}

// ---------------------------------------------------------------------------------------------------
// Lines and triangles
// ---------------------------------------------------------------------------------------------------

typedef struct hit {
    size_t line; // 7 * its first point + edge / 2
    st_real t;   // from its first point, in edges
    int leaves;  // 1: the line goes along the normal, out of the body; -1: into it
    size_t triangle;
} hit;

typedef struct meeting {
    const st_bcc_lattice *lattice;
    uint32_t *start;  // first point of each of the seven lines through each point
    uint32_t *marked; // the last triangle, from 1, that each line met
    ST_LIST(hit) hits;
} meeting;

typedef struct triangle {
    size_t number;
    const st_real *a;
    st_real ab[3], ac[3], normal[3];
} triangle;

// A line begins where there is no point before; even edges lead along it.
static bool find_starts(meeting *m) {
    const st_bcc_lattice *l = m->lattice;
    m->start = st_alloc(l->count, ST_BCC_EDGES / 2 * sizeof *m->start);
    m->marked = st_alloc(l->count, ST_BCC_EDGES / 2 * sizeof *m->marked);
    if (!m->start || !m->marked) return false;

    for (size_t i = 0; i < l->count; i++)
        for (int e = 0; e < ST_BCC_EDGES; e += 2) {
            if (st_bcc_neighbor(l, i, e + 1) != SIZE_MAX) continue;
            for (size_t q = i; q != SIZE_MAX; q = st_bcc_neighbor(l, q, e))
                m->start[q * (ST_BCC_EDGES / 2) + (size_t)e / 2] = (uint32_t)i;
        }
    return true;
}

// p + t d = a + u ab + v ac (Möller and Trumbore), within the triangle and ahead of p. What is off by rounding counts:
// a hit on an edge may be found twice, which does no harm, but must not be missed, as it is in SOFA.
static bool bcc_lattice_meets(const triangle *tri, const st_real p[3], const st_real d[3], st_real *t) {
    const st_real eps = ST_REAL_EPSILON, off = 64 * eps;
    st_real across[3], from[3], q[3];

    st_vec3_cross(across, d, tri->ac);
    const st_real det = st_vec3_dot(tri->ab, across);
    if (!(fabs(det) > eps)) return false;

    st_vec3_sub(from, p, tri->a);
    st_vec3_cross(q, from, tri->ab);
    const st_real u = st_vec3_dot(from, across) / det, v = st_vec3_dot(d, q) / det;
    *t = st_vec3_dot(tri->ac, q) / det;
    return u >= -off && u <= 1 + off && v >= -off && u + v <= 1 + off && *t >= eps;
}

// Every line through a point is met with a triangle once.
static bool meet_lines(meeting *m, size_t index, const triangle *tri) {
    const st_bcc_lattice *l = m->lattice;

    for (int e = 0; e < ST_BCC_EDGES; e += 2) {
        const size_t half = ST_BCC_EDGES / 2, start = m->start[index * half + (size_t)e / 2];
        const size_t line = start * half + (size_t)e / 2;
        if (m->marked[line] == tri->number + 1) continue;
        m->marked[line] = (uint32_t)tri->number + 1;

        st_real p[3], d[3], t;
        st_bcc_point(l, start, p);
        for (int a = 0; a < 3; a++) d[a] = l->h / 2 * (st_real)steps[e][a];
        if (!bcc_lattice_meets(tri, p, d, &t)) continue;

        const int leaves = st_vec3_dot(tri->normal, d) < 0 ? -1 : 1;
        if (!st_list_push(&m->hits, ((hit){line, t, leaves, tri->number}))) return false;
    }
    return true;
}

// The points of one grid whose lines may reach the triangle: those in its box, enlarged by a cell.
static bool meet_grid(meeting *m, bool second, const st_real low[3], const st_real high[3], const triangle *tri) {
    const st_bcc_lattice *l = m->lattice;
    size_t from[3], to[3], at[3];
    bool all = false;

    // the second grid lies half a cell before the first
    for (int a = 0; a < 3; a++) {
        const st_real shift = second ? ST_R(0.5) : 0, most = (st_real)(l->n[a] - (second ? 0 : 1));
        const st_real first = floor((low[a] - l->origin[a]) / l->h + shift) - 1;
        const st_real last = floor((high[a] - l->origin[a]) / l->h + shift) + 1;
        all = all || first < -1 || last > most + 1;
        from[a] = (size_t)st_clamp(first, 0, most);
        to[a] = (size_t)st_clamp(last, 0, most);
    }

    // a triangle outside of the lattice may be met by any line
    for (int a = 0; a < 3 && all; a++) {
        from[a] = 0;
        to[a] = l->n[a] - (second ? 0 : 1);
    }

    for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
        for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
            for (at[0] = from[0]; at[0] <= to[0]; at[0]++)
                if (!meet_lines(m, st_bcc_grid_index(l, second, at), tri)) return false;
    return true;
}

static bool meet_triangle(meeting *m, size_t number, const st_real *a, const st_real *b, const st_real *c) {
    triangle tri = {.number = number, .a = a};
    st_real low[3], high[3];

    st_vec3_sub(tri.ab, b, a);
    st_vec3_sub(tri.ac, c, a);
    st_vec3_cross(tri.normal, tri.ab, tri.ac);

    // a triangle that is not finite crosses nothing
    for (int i = 0; i < 3; i++) {
        low[i] = st_min(a[i], st_min(b[i], c[i]));
        high[i] = st_max(a[i], st_max(b[i], c[i]));
        if (!(fabs(low[i]) < ST_REAL_MAX && fabs(high[i]) < ST_REAL_MAX)) return true;
    }

    return meet_grid(m, false, low, high, &tri) && meet_grid(m, true, low, high, &tri);
}

static bool meet_surface(meeting *m, const st_surface *s) {
    bool ok = true;

    // triangles
    for (size_t t = 0; ok && t < s->triangle_count; t++) {
        const uint32_t *v = s->triangles + 3 * t;
        if (st_vertices_exist(v, 3, s->point_count))
            ok = meet_triangle(m, t, s->points + 3 * (size_t)v[0], s->points + 3 * (size_t)v[1],
                               s->points + 3 * (size_t)v[2]);
    }

    // quads, each as two triangles
    for (size_t q = 0; ok && q < s->quad_count; q++) {
        const uint32_t *v = s->quads + 4 * q;
        for (int k = 2; ok && k < 4 && st_vertices_exist(v, 4, s->point_count); k++)
            ok = meet_triangle(m, s->triangle_count + 2 * q + (size_t)k - 2, s->points + 3 * (size_t)v[0],
                               s->points + 3 * (size_t)v[k - 1], s->points + 3 * (size_t)v[k]);
    }
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Distances and votes
// ---------------------------------------------------------------------------------------------------

// At one place a line enters before it leaves: one that only touches an edge of the body stays outside.
static int compare_hits(const void *a, const void *b) {
    const hit *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    if (x->leaves != y->leaves) return x->leaves < y->leaves ? -1 : 1;
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

// Of a point at D on the line, i the first hit not before it. The hit ahead votes where the one behind is nearer, too,
// as in SOFA.
static int vote(const hit *hits, size_t count, size_t i, st_real at) {
    if (i == count) return -hits[count - 1].leaves;
    if (i == 0) return hits[0].leaves;
    return at - hits[i - 1].t < hits[i].t - at ? hits[i].leaves : -hits[i - 1].leaves;
}

static void walk_line(const st_bcc_lattice *l, const hit *hits, size_t count, int *votes) {
    const size_t half = ST_BCC_EDGES / 2;
    const int e = 2 * (int)(hits->line % half);
    st_real at = 0;
    size_t i = 0;

    for (size_t q = hits->line / half; q != SIZE_MAX; q = st_bcc_neighbor(l, q, e), at += 1) {
        while (i < count && hits[i].t < at) i++;

        votes[q] += vote(hits, count, i, at);
        if (i < count) *st_bcc_distance(l, q, e) = hits[i].t - at;
        if (i > 0) *st_bcc_distance(l, q, e + 1) = at - hits[i - 1].t;
    }
}

bool st_bcc_classify(st_bcc_lattice *l, const st_surface *surface) {
    meeting m = {.lattice = l};
    int *votes = st_alloc(l->count, sizeof *votes);
    const bool ok = votes && find_starts(&m) && meet_surface(&m, surface);

    // line by line
    if (ok && m.hits.count) qsort(m.hits.data, m.hits.count, sizeof *m.hits.data, compare_hits);
    for (size_t first = 0, end; ok && first < m.hits.count; first = end) {
        for (end = first; end < m.hits.count && m.hits.data[end].line == m.hits.data[first].line;) end++;
        walk_line(l, m.hits.data + first, end - first, votes);
    }

    // without a majority a point is outside
    for (size_t i = 0; ok && i < l->count; i++) l->inside[i] = votes[i] > 0 ? 1 : -1;

    st_free(votes);
    st_free(m.start);
    st_free(m.marked);
    st_list_free(&m.hits);
    return ok;
}
