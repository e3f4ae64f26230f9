// Cuts: crossings and snapping, see the header.
//
// A point v may lie on the cut if, in the ring of elements around it, the vertices off the cut fall into at most two groups
// that hang together without crossed edges, and no element would lie on the cut as a whole. The nearest points come first.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/cut/cut.h"

#include <stdlib.h>

#include "base/array.h"
#include "math/vec3.h"

// ---------------------------------------------------------------------------------------------------
// Planes
// ---------------------------------------------------------------------------------------------------

static st_real plane_distance(const st_knife *knife, const st_real p[3]) {
    const st_plane_knife *plane = (const st_plane_knife *)knife;
    return st_vec3_dot(plane->normal, p) - plane->offset;
}

// A point in the plane counts as one above it.
static bool plane_crosses(const st_knife *knife, const st_real p[3], const st_real q[3], st_real *t) {
    const st_real a = plane_distance(knife, p), b = plane_distance(knife, q);
    if ((a >= 0) == (b >= 0)) return false;
    *t = a / (a - b);
    return true;
}

static bool plane_touches(const st_knife *knife, const st_real p[3], st_real distance) {
    return fabs(plane_distance(knife, p)) <= distance;
}

bool st_plane_knife_make(st_plane_knife *plane, const st_real normal[3], const st_real point[3]) {
    st_real largest = 0;
    for (int i = 0; i < 3; i++) largest = st_max(largest, fabs(normal[i]));

    // numbers, and a direction
    const bool finite = isfinite(normal[0]) && isfinite(normal[1]) && isfinite(normal[2]) && isfinite(point[0]) &&
                        isfinite(point[1]) && isfinite(point[2]);
    if (!finite || !(largest > 0)) return false;

    // of any length: large and small ones are brought near 1 first
    *plane = (st_plane_knife){.knife = {plane_crosses, plane_touches}};
    st_vec3_divide(plane->normal, normal, largest);
    st_vec3_normalize(plane->normal, plane->normal);
    plane->offset = st_vec3_dot(plane->normal, point);
    return isfinite(plane->offset);
}

// ---------------------------------------------------------------------------------------------------
// The mesh
// ---------------------------------------------------------------------------------------------------

void st_cut_free(st_cut *cut) {
    st_list_free(&cut->vertices);
    st_list_free(&cut->parent);
    st_list_free(&cut->gone);
    st_list_free(&cut->changed);

    // new points
    st_list_free(&cut->starts);
    st_list_free(&cut->ancestors);
    st_list_free(&cut->weights);

    // the border of the cut
    st_list_free(&cut->on_cut);
    st_element_set_free(&cut->opened);
    st_element_set_free(&cut->edges);
}

bool st_cut_start(st_cut *cut, st_element kind, const st_uints *elements, size_t point_count) {
    *cut = (st_cut){.kind = kind, .size = st_element_size[kind], .points = point_count, .elements = elements->count};

    // rows of vertices become a plain list
    const size_t numbers = elements->count * cut->size;
    if (!st_list_set_count(&cut->vertices, numbers, 1) || !st_list_set_count(&cut->gone, elements->count, 1) ||
        !st_list_set_count(&cut->changed, elements->count, 1) || !st_list_set_count(&cut->on_cut, point_count, 1) ||
        !st_list_push(&cut->starts, 0))
        return false;
    st_copy_bytes(cut->vertices.data, elements->data, numbers * sizeof *elements->data);
    return true;
}

uint32_t st_cut_add_point(st_cut *cut, const uint32_t *ancestors, const st_real *weights, size_t count) {
    // a row of ancestors ends where the next one begins
    const uint32_t number = (uint32_t)(cut->points + cut->starts.count - 1);
    for (size_t i = 0; i < count; i++)
        if (!st_list_push(&cut->ancestors, ancestors[i]) || !st_list_push(&cut->weights, weights[i]))
            return ST_INVALID_INDEX;
    return st_list_push(&cut->starts, (uint32_t)cut->ancestors.count) ? number : ST_INVALID_INDEX;
}

// ---------------------------------------------------------------------------------------------------
// Crossings
// ---------------------------------------------------------------------------------------------------

typedef struct crossing {
    uint32_t edge[2]; // small number first
    st_real t;        // from the first
} crossing;

typedef struct candidate {
    st_real distance; // as a part of an edge
    uint32_t point;
} candidate;

typedef struct finder {
    st_cut *cut;
    const st_points *points;
    const st_knife *knife;
    st_real snap;
    ST_LIST(crossing) crossings;
    st_element_set known;   // crossed edges
    st_reals nearest;       // of each point: least distance of a crossing, 1 without one
    uint32_t *starts, *ids; // elements around each point
    st_uints ring, group;   // work space: vertices around a point
} finder;

static bool find_crossing(finder *f, uint32_t a, uint32_t b) {
    const uint32_t edge[2] = {a < b ? a : b, a < b ? b : a};
    if (st_element_set_find(&f->known, edge, 2) != ST_INVALID_INDEX) return true;

    // its ends are read only when the edge is new
    st_real p[2][3], t;
    for (int k = 0; k < 2; k++) st_view_copy(f->points, edge[k], p[k]);
    if (!f->knife->crosses(f->knife, p[0], p[1], &t)) return true;

    // each end knows its nearest crossing, as a part of the edge
    const crossing c = {{edge[0], edge[1]}, t};
    f->nearest.data[edge[0]] = st_min(f->nearest.data[edge[0]], t);
    f->nearest.data[edge[1]] = st_min(f->nearest.data[edge[1]], 1 - t);
    return st_element_set_add(&f->known, edge, 2, (uint32_t)f->crossings.count) != ST_SET_NO_MEMORY &&
           st_list_push(&f->crossings, c);
}

// How close a point must be to lie on the knife exactly.
static st_real touching_distance(const st_points *points) {
    st_real largest = 0;
    for (size_t i = 0; i < points->count; i++)
        for (int k = 0; k < 3; k++) largest = st_max(largest, fabs(st_point(points, (uint32_t)i)[k]));
    return 64 * ST_REAL_EPSILON * largest;
}

static bool find_crossings(finder *f) {
    const st_cut *cut = f->cut;
    const st_real distance = touching_distance(f->points);
    bool ok = st_list_set_count(&f->nearest, cut->points, 1);
    for (size_t i = 0; ok && i < cut->points; i++) f->nearest.data[i] = 1;

    // every edge of every element, once
    for (size_t e = 0; ok && e < cut->elements; e++) {
        const uint32_t *v = cut->vertices.data + e * cut->size;
        for (size_t i = 0; i < cut->size; i++)
            for (size_t k = 0; ok && k < i; k++) ok = find_crossing(f, v[i], v[k]);
    }

    // points on the knife itself
    for (size_t i = 0; ok && i < cut->points && i < f->points->count; i++)
        if (f->knife->touches(f->knife, st_point(f->points, (uint32_t)i), distance)) f->nearest.data[i] = 0;
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Snapping
// ---------------------------------------------------------------------------------------------------

static bool list_around(finder *f) {
    const st_cut *cut = f->cut;
    f->starts = st_alloc(cut->points + 1, sizeof *f->starts);
    f->ids = st_alloc(cut->vertices.count, sizeof *f->ids);
    if (!f->starts || !f->ids) return false;

    // counting sort: how many around each point, where each begins, who they are
    for (size_t i = 0; i < cut->vertices.count; i++) f->starts[cut->vertices.data[i]]++;
    uint32_t sum = 0;
    for (size_t i = 0; i <= cut->points; i++) f->starts[i] = sum += f->starts[i];
    for (size_t i = cut->vertices.count; i-- > 0;)
        f->ids[--f->starts[cut->vertices.data[i]]] = (uint32_t)(i / cut->size);
    return true;
}

static uint32_t group_of(finder *f, uint32_t vertex) {
    for (size_t i = 0; i < f->ring.count; i++)
        if (f->ring.data[i] == vertex) {
            size_t root = i;
            while (f->group.data[root] != root) root = f->group.data[root];
            f->group.data[i] = (uint32_t)root;
            return (uint32_t)root;
        }

    // new: a group of its own
    const uint32_t place = (uint32_t)f->ring.count;
    return st_list_push(&f->ring, vertex) && st_list_push(&f->group, place) ? place : ST_INVALID_INDEX;
}

// Vertices around v that are joined by an edge without a crossing belong together.
static bool group_ring(finder *f, uint32_t v, bool *flat) {
    const st_cut *cut = f->cut;
    f->ring.count = f->group.count = 0;
    *flat = false;

    // element by element, pair by pair of the vertices besides v
    for (uint32_t at = f->starts[v]; at < f->starts[v + 1]; at++) {
        const uint32_t *e = cut->vertices.data + f->ids[at] * cut->size;
        size_t off = 0;
        for (size_t i = 0; i < cut->size; i++) {
            if (e[i] == v || cut->on_cut.data[e[i]]) continue;
            off++;
            if (group_of(f, e[i]) == ST_INVALID_INDEX) return false;
            for (size_t k = 0; k < i; k++) {
                const uint32_t edge[2] = {e[i], e[k]};
                if (e[k] == v || cut->on_cut.data[e[k]]) continue;
                if (st_element_set_find(&f->known, edge, 2) != ST_INVALID_INDEX) continue;
                f->group.data[group_of(f, e[i])] = group_of(f, e[k]);
            }
        }

        // all its other vertices are on the cut
        *flat = *flat || off == 0;
    }
    return true;
}

// May v lie on the cut?
static bool may_snap(finder *f, uint32_t v, bool *ok) {
    const st_cut *cut = f->cut;
    bool flat;
    *ok = group_ring(f, v, &flat);
    if (!*ok || flat) return false;

    // two sides at most
    size_t groups = 0;
    for (size_t i = 0; i < f->ring.count; i++) groups += f->group.data[i] == i;
    if (groups > 2) return false;

    // a crossed edge within one group: the knife ends here
    for (uint32_t at = f->starts[v]; at < f->starts[v + 1]; at++) {
        const uint32_t *e = cut->vertices.data + f->ids[at] * cut->size;
        for (size_t i = 0; i < cut->size; i++)
            for (size_t k = 0; k < i; k++) {
                const uint32_t edge[2] = {e[i], e[k]};
                if (e[i] == v || e[k] == v || cut->on_cut.data[e[i]] || cut->on_cut.data[e[k]]) continue;
                if (st_element_set_find(&f->known, edge, 2) == ST_INVALID_INDEX) continue;
                if (group_of(f, e[i]) == group_of(f, e[k])) return false;
            }
    }
    return true;
}

static int nearest_first(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static bool snap_points(finder *f) {
    // points with a crossing nearby
    ST_LIST(candidate) list = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < f->cut->points; i++) {
        const candidate c = {f->nearest.data[i], (uint32_t)i};
        if (f->starts[i] < f->starts[i + 1] && (c.distance <= 0 || c.distance < f->snap)) ok = st_list_push(&list, c);
    }
    if (ok && list.count) qsort(list.data, list.count, sizeof *list.data, nearest_first);

    // in turn: who is on the cut decides about those after it
    for (size_t i = 0; ok && i < list.count; i++)
        f->cut->on_cut.data[list.data[i].point] = may_snap(f, list.data[i].point, &ok);
    st_list_free(&list);
    return ok;
}

// A point for every crossing that is left, not too near to an end of its edge.
static bool add_crossing_points(finder *f) {
    st_cut *cut = f->cut;
    const st_real least = st_max(f->snap, ST_R(1e-3));
    for (size_t i = 0; i < f->crossings.count; i++) {
        const crossing *c = &f->crossings.data[i];
        if (cut->on_cut.data[c->edge[0]] || cut->on_cut.data[c->edge[1]]) continue;

        const st_real t = st_clamp(c->t, least, 1 - least), weights[2] = {1 - t, t};
        const uint32_t point = st_cut_add_point(cut, c->edge, weights, 2);
        if (point == ST_INVALID_INDEX || st_element_set_add(&cut->edges, c->edge, 2, point) == ST_SET_NO_MEMORY)
            return false;
    }
    return true;
}

bool st_cut_find(st_cut *cut, st_element kind, const st_uints *elements, const st_points *points, size_t point_count,
                 const st_knife *knife, st_real snap) {
    finder f = {.cut = cut, .points = points, .knife = knife, .snap = snap};
    const bool ok = st_cut_start(cut, kind, elements, point_count) && find_crossings(&f) && list_around(&f) &&
                    snap_points(&f) && add_crossing_points(&f) && st_cut_split_elements(cut, points, knife) &&
                    st_cut_part(cut);

    st_list_free(&f.crossings);
    st_element_set_free(&f.known);
    st_list_free(&f.nearest);
    st_list_free(&f.ring);
    st_list_free(&f.group);
    st_free(f.starts);
    st_free(f.ids);
    return ok;
}
