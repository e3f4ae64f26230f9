// Incisions: split and opening, see the header. New triangles, their order and their numbers are SOFA's.
//
// For each pair P, Q of neighbors of the path one triangle t goes; v is the vertex or the edge of it that the pair names:
//
//     vertex - edge       (t_v, E, t_v+2) (t_v, t_v+1, E)                      E: the place on the edge
//     vertex - triangle   a fan of three around the place in it
//     edge - edge         the corner, and the quad behind it along the Delaunay diagonal
//     edge - triangle     a fan of four around the place in it
//
// Points come first, then edges, then triangles, and the old triangles go. The opening makes each triangle on its
// side again with the copies of points.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/cut/incision.h"

#include <stdlib.h>

#include "base/array.h"
#include "math/vec3.h"
#include "topology/adjacency.h"
#include "topology/element_set.h"

typedef struct split {
    st_incision *c;
    st_uints triangles; // vertices of the new ones
    st_uints parents;   // the old triangle of each
    st_uints gone;      // old triangles
    bool ok;
} split;

void st_incision_free(st_incision *c) {
    st_list_free(&c->path);
    st_list_free(&c->moves);
    st_list_free(&c->ancestors);
    st_list_free(&c->weights);
}

static const uint32_t *vertices_of(const st_topology *topology, uint32_t triangle) {
    return topology->elements[ST_TRIANGLE].data + 3 * (size_t)triangle;
}

static int local_vertex(const uint32_t *t, uint32_t vertex) {
    for (int i = 0; i < 3; i++)
        if (t[i] == vertex) return i;
    return -1;
}

// The local number of an edge: it is opposite to that vertex.
static int local_edge(const st_topology *topology, const uint32_t *t, uint32_t edge) {
    const uint32_t *e = topology->elements[ST_EDGE].data + 2 * (size_t)edge;
    for (int i = 0; i < 3; i++)
        if (t[i] != e[0] && t[i] != e[1]) return local_vertex(t, e[0]) >= 0 && local_vertex(t, e[1]) >= 0 ? i : -1;
    return -1;
}

// ---------------------------------------------------------------------------------------------------
// New points
// ---------------------------------------------------------------------------------------------------

// One for each edge or triangle of the path, numbered in its order.
static st_status add_path_points(st_incision *c) {
    st_uints starts = {0}, ancestors = {0};
    st_reals weights = {0};
    uint32_t next = (uint32_t)st_topology_points(c->topology);
    bool ok = st_list_push(&starts, 0);

    // ancestors and weights
    for (size_t i = 0; ok && i < c->path.count; i++) {
        st_path_entry *entry = &c->path.data[i];
        entry->point = entry->kind == ST_POINT ? entry->index : next++;
        if (entry->kind == ST_POINT) continue;
        const size_t count = st_element_size[entry->kind];
        for (size_t k = 0; ok && k < count; k++)
            ok = st_list_push(&ancestors, c->topology->elements[entry->kind].data[count * entry->index + k]) &&
                 st_list_push(&weights, entry->w[k]);
        ok = ok && st_list_push(&starts, (uint32_t)ancestors.count);
    }

    // all at once
    const st_origin origin = {starts.data, ancestors.data, weights.data};
    st_status status = ok ? ST_OK : ST_OUT_OF_MEMORY;
    if (ok && starts.count > 1) status = st_edit_add_points(c->topology, starts.count - 1, &origin, true);

    st_list_free(&starts);
    st_list_free(&ancestors);
    st_list_free(&weights);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// New triangles
// ---------------------------------------------------------------------------------------------------

static void push_triangle(split *s, uint32_t a, uint32_t b, uint32_t c) {
    s->ok = s->ok && st_list_push(&s->triangles, a) && st_list_push(&s->triangles, b) &&
            st_list_push(&s->triangles, c) && st_list_push(&s->parents, s->gone.data[s->gone.count - 1]);
}

// The first triangle around an edge that has a vertex, or another edge.
static uint32_t triangle_with(const split *s, uint32_t edge, const st_path_entry *other) {
    st_topology *topology = s->c->topology;

    const st_shell shell = st_shell_of(st_topology_around(topology, ST_TRIANGLE, ST_EDGE), edge);
    for (size_t i = 0; i < shell.count; i++) {
        const uint32_t *t = vertices_of(topology, shell.ids[i]);
        if (other->kind == ST_POINT ? local_vertex(t, other->index) >= 0 : local_edge(topology, t, other->index) >= 0)
            return shell.ids[i];
    }
    return ST_INVALID_INDEX;
}

// Angles at a and c of the quad a b c d: together at most half a turn.
static bool is_delaunay(const st_points *x, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const uint32_t v[4] = {a, b, c, d};
    st_real p[4][3], angle[2];
    for (int i = 0; i < 4; i++) st_view_copy(x, v[i], p[i]);

    for (int i = 0; i < 2; i++) {
        st_real e[3], f[3];

        // the angle between the sides to b and d
        st_vec3_sub(e, p[1], p[2 * i]);
        st_vec3_sub(f, p[3], p[2 * i]);
        const st_real lengths = st_vec3_norm(e) * st_vec3_norm(f);
        angle[i] = lengths > 0 ? acos(st_clamp(st_vec3_dot(e, f) / lengths, -1, 1)) : 0;
    }
    return angle[0] + angle[1] <= ST_R(3.14159265358979323846);
}

static void split_between_edges(split *s, const uint32_t *t, const st_path_entry *p, const st_path_entry *q) {
    const st_topology *topology = s->c->topology;
    const int ep = local_edge(topology, t, p->index), eq = local_edge(topology, t, q->index);
    const int v = 3 - ep - eq; // the vertex of both edges
    if (ep < 0 || eq < 0 || ep == eq) {
        s->ok = false;
        return;
    }

    // edge (t_v, t_v+1) is opposite to v + 2
    const uint32_t a = ep == (v + 2) % 3 ? p->point : q->point, z = ep == (v + 2) % 3 ? q->point : p->point;
    const uint32_t b = t[(v + 1) % 3], c = t[(v + 2) % 3];

    // the corner at t_v
    const st_points x = st_view_points(topology);
    push_triangle(s, t[v], a, z);

    // the quad a b c z, by one of its diagonals
    if (is_delaunay(&x, a, b, c, z)) {
        push_triangle(s, a, b, z);
        push_triangle(s, b, c, z);
    } else {
        push_triangle(s, a, b, c);
        push_triangle(s, z, a, c);
    }
}

// A fan around a point of the triangle; `edge` (may be NULL): the place on an edge is a corner, too.
static void split_around(split *s, const uint32_t *t, uint32_t q, const st_path_entry *edge, bool point_first) {
    // three around the place
    if (!edge) {
        for (int i = 0; i < 3; i++)
            if (point_first) push_triangle(s, q, t[i], t[(i + 1) % 3]);
            else push_triangle(s, t[i], t[(i + 1) % 3], q);
        return;
    }

    // four: the side with the place on the edge has two
    const int e = local_edge(s->c->topology, t, edge->index);
    if (e < 0) {
        s->ok = false;
        return;
    }
    push_triangle(s, q, t[e], t[(e + 1) % 3]);
    push_triangle(s, q, t[(e + 2) % 3], t[e]);
    push_triangle(s, q, t[(e + 1) % 3], edge->point);
    push_triangle(s, q, edge->point, t[(e + 2) % 3]);
}

// One pair of neighbors of the path. False: the mesh has no such triangle.
static bool split_pair(split *s, const st_path_entry *p, const st_path_entry *q) {
    const bool p_in = p->kind == ST_TRIANGLE, q_in = q->kind == ST_TRIANGLE;
    if (p->kind == ST_POINT && q->kind == ST_POINT) return true; // checked by the opening
    if (p_in && q_in) return false;

    // the triangle that goes, once
    const uint32_t old = p_in                 ? p->index
                         : q_in               ? q->index
                         : p->kind == ST_EDGE ? triangle_with(s, p->index, q)
                                              : triangle_with(s, q->index, p);
    if (old == ST_INVALID_INDEX) return false;
    for (size_t i = 0; i < s->gone.count; i++)
        if (s->gone.data[i] == old) return false;
    if (!st_list_push(&s->gone, old)) return false;

    // a copy, since lists of the mesh may move
    uint32_t t[3];
    memcpy(t, vertices_of(s->c->topology, old), sizeof t);
    const st_path_entry *in = p_in ? p : q, *other = p_in ? q : p;
    if (p_in || q_in) split_around(s, t, in->point, other->kind == ST_EDGE ? other : NULL, p_in);
    else if (p->kind == ST_EDGE && q->kind == ST_EDGE) split_between_edges(s, t, p, q);
    else {
        const st_path_entry *edge = p->kind == ST_EDGE ? p : q, *vertex = p->kind == ST_EDGE ? q : p;
        const int v = local_vertex(t, vertex->index);
        push_triangle(s, t[v], edge->point, t[(v + 2) % 3]);
        push_triangle(s, t[v], t[(v + 1) % 3], edge->point);
    }
    return s->ok;
}

// Sides of the new triangles that the mesh does not have yet, small vertex first.
static bool list_new_edges(const split *s, st_uints *list) {
    st_topology *topology = s->c->topology;
    const st_uints *edges = &topology->elements[ST_EDGE];
    const st_around around = st_topology_around(topology, ST_EDGE, ST_VERTEX);
    st_element_set known = {0};
    bool ok = around.starts != NULL;

    // side by side, each once
    for (size_t i = 0; ok && i < s->triangles.count; i++) {
        const uint32_t a = s->triangles.data[i], b = s->triangles.data[i % 3 == 2 ? i - 2 : i + 1];
        const uint32_t edge[2] = {a < b ? a : b, a < b ? b : a};

        // does the mesh have it?
        const st_shell shell = st_shell_of(around, edge[0]);
        bool there = false;
        for (size_t k = 0; k < shell.count; k++) {
            const uint32_t *e = edges->data + 2 * (size_t)shell.ids[k];
            there = there || (e[0] == edge[0] && e[1] == edge[1]) || (e[1] == edge[0] && e[0] == edge[1]);
        }

        // do former triangles?
        if (there) continue;
        const st_element_set_result result = st_element_set_add(&known, edge, 2, (uint32_t)i);
        ok = result != ST_SET_NO_MEMORY;
        if (result == ST_SET_ADDED) ok = st_list_push(list, edge[0]) && st_list_push(list, edge[1]);
    }
    st_element_set_free(&known);
    return ok;
}

// Adds triangles, each from one old triangle, and removes the old ones.
static st_status replace_triangles(st_topology *topology, const st_uints *vertices, const st_uints *parents,
                                   const st_uints *gone) {
    st_uints starts = {0};
    st_reals weights = {0};
    const size_t count = parents->count;
    if (!st_list_set_count(&starts, count + 1, 1) || !st_list_set_count(&weights, count, 1)) {
        st_list_free(&starts);
        return ST_OUT_OF_MEMORY;
    }

    // one parent each, with weight 1
    for (size_t i = 0; i < count; i++) starts.data[i + 1] = (uint32_t)i + 1, weights.data[i] = 1;
    const st_origin origin = {starts.data, parents->data, weights.data};
    st_status status = st_edit_add(topology, ST_TRIANGLE, vertices->data, count, &origin);
    if (status == ST_OK) status = st_edit_remove(topology, ST_TRIANGLE, gone->data, gone->count, true, true);

    st_list_free(&starts);
    st_list_free(&weights);
    return status;
}

static st_status split_path(split *s) {
    st_incision *c = s->c;

    // the whole path is checked with the numbers that its points will have, before anything changes
    uint32_t next = (uint32_t)st_topology_points(c->topology);
    for (size_t i = 0; i < c->path.count; i++)
        c->path.data[i].point = c->path.data[i].kind == ST_POINT ? c->path.data[i].index : next++;

    split check = {.c = c, .ok = true};
    bool fits = true;
    for (size_t i = 0; fits && i + 1 < c->path.count; i++)
        fits = split_pair(&check, &c->path.data[i], &c->path.data[i + 1]);

    st_list_free(&check.triangles);
    st_list_free(&check.parents);
    st_list_free(&check.gone);

    if (!fits) {
        st_message(c->reporter, ST_ERROR, "no incision: its path of %zu places does not follow the triangles",
                   c->path.count);
        return ST_INVALID;
    }

    // points, then triangles by their positions
    st_status status = add_path_points(c);
    for (size_t i = 0; status == ST_OK && i + 1 < c->path.count; i++)
        if (!split_pair(s, &c->path.data[i], &c->path.data[i + 1])) status = ST_OUT_OF_MEMORY;
    if (status != ST_OK || s->gone.count == 0) return status;

    // edges before triangles, which look for theirs
    st_uints edges = {0};
    if (!list_new_edges(s, &edges)) status = ST_OUT_OF_MEMORY;
    if (status == ST_OK && edges.count) status = st_edit_add(c->topology, ST_EDGE, edges.data, edges.count / 2, NULL);
    if (status == ST_OK) status = replace_triangles(c->topology, &s->triangles, &s->parents, &s->gone);

    st_list_free(&edges);
    return status;
}

static st_status move_snapped(st_incision *c) {
    for (size_t i = 0; i < c->moves.count; i++) {
        const st_path_move *move = &c->moves.data[i];
        const uint32_t starts[2] = {0, (uint32_t)move->count};
        const st_origin origin = {starts, c->ancestors.data + move->first, c->weights.data + move->first};
        const st_status status = st_edit_move_points(c->topology, &move->vertex, 1, &origin);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Opening
// ---------------------------------------------------------------------------------------------------

typedef struct opening {
    st_incision *c;
    st_uints met;   // triangles on the side that gets the copies
    uint32_t *copy; // of each point of the path; ST_INVALID_INDEX: none
    bool border[2]; // of the first and the last point
    bool ok;
} opening;

static bool triangle_has(const st_topology *topology, uint32_t triangle, uint32_t a, uint32_t b) {
    const uint32_t *t = vertices_of(topology, triangle);
    return local_vertex(t, a) >= 0 && local_vertex(t, b) >= 0;
}

// The two triangles of the edge between two points; fewer or more: count says so.
static size_t triangles_of_edge(st_topology *topology, uint32_t a, uint32_t b, uint32_t found[2]) {
    const st_shell shell = st_shell_of(st_topology_around(topology, ST_TRIANGLE, ST_VERTEX), a);
    size_t count = 0;
    for (size_t i = 0; i < shell.count; i++) {
        if (!triangle_has(topology, shell.ids[i], a, b)) continue;
        if (count < 2) found[count] = shell.ids[i];
        count++;
    }
    return count;
}

static void meet(opening *o, uint32_t triangle) {
    for (size_t i = 0; i < o->met.count; i++)
        if (o->met.data[i] == triangle) return;
    o->ok = o->ok && st_list_push(&o->met, triangle);
}

// Turns around a point, away from the edge to `from`, until a triangle has the point `until` or there is none.
static uint32_t turn(opening *o, uint32_t around, uint32_t triangle, uint32_t from, uint32_t until) {
    st_topology *topology = o->c->topology;
    const size_t limit = st_shell_of(st_topology_around(topology, ST_TRIANGLE, ST_VERTEX), around).count;

    // at most once around
    for (size_t i = 0; i < limit; i++) {
        meet(o, triangle);
        const uint32_t *t = vertices_of(topology, triangle);
        if (until != ST_INVALID_INDEX && local_vertex(t, until) >= 0) return triangle;

        // over the edge from the point to the third vertex
        uint32_t third = ST_INVALID_INDEX, next[2];
        for (int k = 0; k < 3; k++)
            if (t[k] != around && t[k] != from) third = t[k];
        if (triangles_of_edge(topology, around, third, next) != 2) return triangle;
        triangle = next[0] == triangle ? next[1] : next[0];
        from = third;
    }
    return triangle;
}

// The triangle of the first edge from which the opening starts: the first that the split has made.
static uint32_t first_side(const opening *o, const split *s, const uint32_t found[2]) {
    const uint32_t a = o->c->path.data[0].point, b = o->c->path.data[1].point;
    for (size_t i = 0; i + 2 < s->triangles.count; i += 3) {
        const uint32_t *t = s->triangles.data + i;
        if (local_vertex(t, a) < 0 || local_vertex(t, b) < 0) continue;
        for (int k = 0; k < 2; k++)
            if (memcmp(vertices_of(o->c->topology, found[k]), t, 3 * sizeof *t) == 0) return found[k];
    }
    return found[0];
}

static st_status open_failed(const opening *o, uint32_t a, uint32_t b, size_t count) {
    st_message(o->c->reporter, ST_ERROR, "the incision is not opened: edge (%u %u) has %zu triangles, it must have 2",
               a, b, count);
    return ST_INVALID;
}

static st_status collect_side(opening *o, const split *s) {
    const st_cut_path *path = &o->c->path;
    uint32_t found[2], first[2] = {0, 0};

    // every edge between two triangles
    for (size_t i = 0; i + 1 < path->count; i++) {
        const uint32_t a = path->data[i].point, b = path->data[i + 1].point;
        const size_t count = triangles_of_edge(o->c->topology, a, b, found);
        if (count != 2) return open_failed(o, a, b, count);
        if (i == 0) memcpy(first, found, sizeof first);
    }

    // from the first edge around each point of the path
    const size_t last = path->count - 1;
    uint32_t triangle = first_side(o, s, first);
    if (o->border[0]) turn(o, path->data[0].point, triangle, path->data[1].point, ST_INVALID_INDEX);
    for (size_t i = 1; i < last; i++)
        triangle = turn(o, path->data[i].point, triangle, path->data[i - 1].point, path->data[i + 1].point);
    if (o->border[1]) turn(o, path->data[last].point, triangle, path->data[last - 1].point, ST_INVALID_INDEX);
    return o->ok ? ST_OK : ST_OUT_OF_MEMORY;
}

static st_status add_copies(opening *o) {
    const st_cut_path *path = &o->c->path;
    st_uints starts = {0}, ancestors = {0};
    st_reals weights = {0};
    uint32_t next = (uint32_t)st_topology_points(o->c->topology);
    bool ok = st_list_push(&starts, 0);

    // every point but an end inside of the surface
    for (size_t i = 0; ok && i < path->count; i++) {
        const bool stays = (i == 0 && !o->border[0]) || (i + 1 == path->count && !o->border[1]);
        o->copy[i] = stays ? ST_INVALID_INDEX : next++;
        if (stays) continue;
        ok = st_list_push(&ancestors, path->data[i].point) && st_list_push(&weights, 1) &&
             st_list_push(&starts, (uint32_t)ancestors.count);
    }

    // each with the point of the path as its only ancestor
    const st_origin origin = {starts.data, ancestors.data, weights.data};
    st_status status = ok ? ST_OK : ST_OUT_OF_MEMORY;
    if (ok && ancestors.count) status = st_edit_add_points(o->c->topology, ancestors.count, &origin, true);

    st_list_free(&starts);
    st_list_free(&ancestors);
    st_list_free(&weights);
    return status;
}

static int increasing(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static st_status reattach(opening *o) {
    const st_cut_path *path = &o->c->path;
    st_uints vertices = {0};
    if (o->met.count == 0) return ST_OK;

    // in the order of their numbers
    qsort(o->met.data, o->met.count, sizeof *o->met.data, increasing);
    if (!st_list_set_count(&vertices, 3 * o->met.count, 1)) return ST_OUT_OF_MEMORY;

    // the same vertices, copies in place of points of the path
    for (size_t i = 0; i < vertices.count; i++) {
        uint32_t v = vertices_of(o->c->topology, o->met.data[i / 3])[i % 3];
        for (size_t k = 0; k < path->count; k++)
            if (path->data[k].point == v && o->copy[k] != ST_INVALID_INDEX) {
                v = o->copy[k];
                break;
            }
        vertices.data[i] = v;
    }

    const st_status status = replace_triangles(o->c->topology, &vertices, &o->met, &o->met);
    st_list_free(&vertices);
    return status;
}

static st_status open_path(st_incision *c, const split *s) {
    const st_cut_path *path = &c->path;
    opening o = {.c = c, .ok = true};

    // an end on the border is doubled, too
    const uint32_t begin = path->data[0].point, end = path->data[path->count - 1].point;
    o.border[0] = st_is_border_point(c->topology, begin);
    o.border[1] = st_is_border_point(c->topology, end);
    o.copy = st_alloc(path->count, sizeof *o.copy);

    // a cut of one edge inside of the surface opens nothing
    const bool opens = path->count > 2 || o.border[0] || o.border[1];
    st_status status = o.copy ? collect_side(&o, s) : ST_OUT_OF_MEMORY;
    if (status == ST_OK && opens) status = add_copies(&o);
    if (status == ST_OK && opens) status = reattach(&o);

    st_list_free(&o.met);
    st_free(o.copy);
    if (status != ST_OK) return status;

    // the next incision goes on from an end inside
    c->reached_border = o.border[1];
    if (!o.border[1]) c->last_point = end;
    else if (!o.border[0]) c->last_point = begin;
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// All of it
// ---------------------------------------------------------------------------------------------------

static st_status check_ends(const st_incision *c, const uint32_t triangle[2], const st_real *const p[2]) {
    const size_t count = c->topology->elements[ST_TRIANGLE].count;
    if (!st_is_changeable(c->topology) || st_container_kind(c->topology) != ST_TRIANGLE) {
        st_message(c->reporter, ST_ERROR, "no incision: %s is no TriangleSetTopologyContainer",
                   c->topology->object.name);
        return ST_INVALID;
    }

    // both ends: numbers, and triangles that exist
    for (int i = 0; i < 2; i++) {
        const bool finite = isfinite(p[i][0]) && isfinite(p[i][1]) && isfinite(p[i][2]);
        if (finite && triangle[i] < count) continue;
        if (!finite) st_message(c->reporter, ST_ERROR, "no incision: an end is no point of finite numbers");
        else if (triangle[i] == ST_INVALID_INDEX)
            st_message(c->reporter, ST_ERROR, "no incision: no triangle is at (%g %g %g)", (double)p[i][0],
                       (double)p[i][1], (double)p[i][2]);
        else st_message(c->reporter, ST_ERROR, "no incision: there is no triangle %u among %zu", triangle[i], count);
        return ST_INVALID;
    }
    return ST_OK;
}

st_status st_incise(st_incision *c, uint32_t from, const st_real a[3], uint32_t to, const st_real b[3]) {
    // the path, on the mesh as it is
    st_status status = check_ends(c, (uint32_t[]){from, to}, (const st_real *const[]){a, b});
    if (status == ST_OK) status = st_incision_find_path(c, from, a, to, b);
    if (status == ST_OK) status = st_incision_snap(c);
    if (status == ST_OK && c->path.count < 2) {
        st_message(c->reporter, ST_ERROR, "no incision: both ends are snapped to vertex %u", c->path.data[0].index);
        status = ST_INVALID;
    }
    if (status != ST_OK) return status;

    // the mesh changes from here on
    split s = {.c = c, .ok = true};
    status = split_path(&s);
    if (status == ST_OK) status = move_snapped(c);
    if (status == ST_OK) status = open_path(c, &s);
    if (status == ST_OUT_OF_MEMORY) st_message(c->reporter, ST_ERROR, "out of memory: an incision");
    st_list_free(&s.triangles);
    st_list_free(&s.parents);
    st_list_free(&s.gone);
    return status;
}
