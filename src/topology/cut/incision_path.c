// The path of an incision: which edges the line from a to b meets, triangle by triangle, and what is snapped to vertices.
//
// Within a triangle b is projected into its plane, b' = b - n ((b - p)·n). The line from p to b' leaves the triangle where
// p + k (b' - p) = q0 + s (q1 - q0) with 0 <= s <= 1 and the largest k > 0; k >= 1 says that b is in this triangle.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/vec3.h"
#include "topology/adjacency.h"
#include "topology/cut/incision.h"

// ---------------------------------------------------------------------------------------------------
// Triangles
// ---------------------------------------------------------------------------------------------------

static const uint32_t *vertices_of(const st_topology *topology, uint32_t triangle) {
    return topology->elements[ST_TRIANGLE].data + 3 * (size_t)triangle;
}

static void corners_of(const st_topology *topology, const st_points *x, uint32_t triangle, st_real p[3][3]) {
    for (int i = 0; i < 3; i++) st_view_copy(x, vertices_of(topology, triangle)[i], p[i]);
}

// (p1 - p0) × (p2 - p0)
static void area_vector(st_real n[3], const st_real p0[3], const st_real p1[3], const st_real p2[3]) {
    st_real a[3], b[3];
    st_vec3_sub(a, p1, p0);
    st_vec3_sub(b, p2, p0);
    st_vec3_cross(n, a, b);
}

bool st_triangle_weights(const st_topology *topology, uint32_t triangle, const st_real p[3], st_real w[3]) {
    const st_points x = st_view_points(topology);
    st_real c[3][3], n[3], part[3];
    corners_of(topology, &x, triangle, c);
    area_vector(n, c[0], c[1], c[2]);

    const st_real square = st_vec3_norm2(n);

    for (int i = 0; i < 3; i++) {
        // area of the triangle opposite to the vertex, as part of the whole
        area_vector(part, p, c[(i + 1) % 3], c[(i + 2) % 3]);
        w[i] = square > 0 ? st_vec3_dot(part, n) / square : 0;
    }
    return square > 0;
}

// Is p, or its projection into the plane, inside?
static bool contains(const st_real c[3][3], const st_real p[3], bool *flat) {
    st_real n[3];
    area_vector(n, c[0], c[2], c[1]);
    *flat = !(st_vec3_norm2(n) > 0);

    for (int i = 0; i < 3; i++) {
        st_real d[3], e[3], out[3];

        // on the inner side of the edge, up to rounding
        st_vec3_sub(d, p, c[i]);
        st_vec3_sub(e, c[(i + 1) % 3], c[i]);
        st_vec3_cross(out, e, n);
        if (!(st_vec3_dot(d, out) > ST_R(-1e-12))) return false;
    }
    return !*flat;
}

static bool in_box(const st_real c[3][3], const st_real p[3]) {
    for (int k = 0; k < 3; k++) {
        const st_real low = st_min(c[0][k], st_min(c[1][k], c[2][k])), high = st_max(c[0][k], st_max(c[1][k], c[2][k]));
        if (!(p[k] >= low && p[k] <= high)) return false;
    }
    return true;
}

uint32_t st_locate_triangle(st_topology *topology, const st_real p[3], uint32_t old) {
    const st_points x = st_view_points(topology);
    const size_t count = st_topology_elements(topology, ST_TRIANGLE)->count;
    uint32_t found = ST_INVALID_INDEX, first = ST_INVALID_INDEX;
    size_t hits = 0;
    bool scan = true;

    // those whose box has the point: one, or the old one; at the same time the first one above or below the point
    for (size_t i = 0; i < count; i++) {
        st_real c[3][3];
        bool flat;
        corners_of(topology, &x, (uint32_t)i, c);

        const bool inside = contains((const st_real(*)[3])c, p, &flat);
        if (inside && in_box((const st_real(*)[3])c, p)) {
            hits++;
            found = (uint32_t)i;
            if (i == old) return old;
        }
        if (scan && inside && (first == ST_INVALID_INDEX || i == old)) first = (uint32_t)i;
        scan = scan && !flat;
    }
    return hits == 1 ? found : first;
}

bool st_is_border_point(st_topology *topology, uint32_t point) {
    const size_t triangles = st_shell_of(st_topology_around(topology, ST_TRIANGLE, ST_VERTEX), point).count;
    return triangles < st_shell_of(st_topology_around(topology, ST_EDGE, ST_VERTEX), point).count;
}

// ---------------------------------------------------------------------------------------------------
// One step of the line
// ---------------------------------------------------------------------------------------------------

typedef struct exit_place {
    uint32_t edge[2];
    st_real s, k;
} exit_place;

// Where the line p + k d meets the edge from q0 to q1 of a plane with normal n. False: it does not.
static bool meet_edge(const st_real p[3], const st_real d[3], const st_real q0[3], const st_real q1[3],
                      const st_real n[3], st_real *s, st_real *k) {
    st_real e[3], r[3], cross[3];
    st_vec3_sub(e, q1, q0);
    st_vec3_sub(r, q0, p);
    st_vec3_cross(cross, d, e);
    const st_real denominator = st_vec3_dot(cross, n), size = st_vec3_norm(d) * st_vec3_norm(e);

    // parallel lines: the same, or none
    if (fabs(denominator) <= ST_R(1e-12) * size) {
        st_vec3_cross(cross, r, d);
        if (st_vec3_norm(cross) > ST_R(1e-9) * size) return false;
        const st_real first = st_vec3_dot(r, d) / st_vec3_norm2(d);
        *s = first >= 0 ? 0 : 1;
        *k = first >= 0 ? first : first + st_vec3_dot(e, d) / st_vec3_norm2(d);
        return *k > 0;
    }

    // k along the line, s along the edge
    st_vec3_cross(cross, r, e);
    *k = st_vec3_dot(cross, n) / denominator;
    st_vec3_cross(cross, r, d);
    *s = st_vec3_dot(cross, n) / denominator;
    return *s >= 0 && *s <= 1 && *k > 0;
}

static bool same_edge(const uint32_t a[2], const uint32_t b[2]) {
    return (a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]);
}

// Through which edge the line from p to b leaves the triangle; not through `entered` (NULL: it begins here).
static bool leave_triangle(const st_topology *topology, const st_points *x, uint32_t triangle, const st_real p[3],
                           const st_real b[3], const uint32_t *entered, exit_place *out) {
    const uint32_t *v = vertices_of(topology, triangle);
    st_real c[3][3], n[3], d[3];

    // the direction in the plane
    corners_of(topology, x, triangle, c);
    area_vector(n, c[0], c[2], c[1]);
    const st_real area = st_vec3_norm(n);
    if (!(area > 0)) return false;
    st_vec3_scale(n, n, 1 / area);
    st_vec3_sub(d, b, p);
    st_vec3_add_scaled(d, d, n, -st_vec3_dot(d, n));
    if (!(st_vec3_norm2(d) > 0)) return false;

    // the edge that is met last
    bool hit = false;
    for (int i = 0; i < 3; i++) {
        const uint32_t edge[2] = {v[i], v[(i + 1) % 3]};
        st_real s, k;
        if (entered && same_edge(entered, edge)) continue;
        if (!meet_edge(p, d, c[i], c[(i + 1) % 3], n, &s, &k)) continue;
        if (!hit || k > out->k) *out = (exit_place){{edge[0], edge[1]}, s, k};
        hit = true;
    }
    return hit;
}

// ---------------------------------------------------------------------------------------------------
// The march
// ---------------------------------------------------------------------------------------------------

static uint32_t edge_number(st_topology *topology, const uint32_t edge[2]) {
    const st_shell shell = st_shell_of(st_topology_around(topology, ST_EDGE, ST_VERTEX), edge[0]);
    const uint32_t *edges = topology->elements[ST_EDGE].data;
    for (size_t i = 0; i < shell.count; i++)
        if (same_edge(edges + 2 * (size_t)shell.ids[i], edge)) return shell.ids[i];
    return ST_INVALID_INDEX;
}

static bool record_edge(st_incision *c, const exit_place *exit) {
    const uint32_t number = edge_number(c->topology, exit->edge);
    if (number == ST_INVALID_INDEX) return false;

    // s counts from the first vertex of the edge in the mesh
    const bool reversed = c->topology->elements[ST_EDGE].data[2 * (size_t)number] != exit->edge[0];
    const st_real s = reversed ? 1 - exit->s : exit->s;
    const st_path_entry entry = {.kind = ST_EDGE, .index = number, .w = {1 - s, s, 0}};
    return st_list_push(&c->path, entry);
}

// From the last point: the first other triangle around it that the line leaves on the far side.
static bool first_triangle(const st_incision *c, const st_points *x, const st_real a[3], const st_real b[3],
                           uint32_t *triangle, exit_place *exit) {
    const uint32_t last = c->last_point;
    const bool hit = leave_triangle(c->topology, x, *triangle, a, b, NULL, exit);
    if (last == ST_INVALID_INDEX || (hit && exit->edge[0] != last && exit->edge[1] != last)) return hit;

    // turn around the last point
    const st_shell shell = st_shell_of(st_topology_around(c->topology, ST_TRIANGLE, ST_VERTEX), last);
    for (size_t i = 0; i < shell.count; i++) {
        if (shell.ids[i] == *triangle || !leave_triangle(c->topology, x, shell.ids[i], a, b, NULL, exit)) continue;
        if (exit->edge[0] == last || exit->edge[1] == last) continue;
        *triangle = shell.ids[i];
        return true;
    }
    return false;
}

// The next triangle behind an exit: the one from which the line comes nearest to b.
static bool next_triangle(st_topology *topology, const st_points *x, const st_real p[3], const st_real b[3],
                          uint32_t *triangle, exit_place *exit) {
    const exit_place behind = *exit;

    // around a vertex, or on the other side of the edge
    const bool at_vertex = behind.s <= 0 || behind.s >= 1;
    const st_shell shell =
        at_vertex ? st_shell_of(st_topology_around(topology, ST_TRIANGLE, ST_VERTEX), behind.edge[behind.s >= 1])
                  : st_shell_of(st_topology_around(topology, ST_TRIANGLE, ST_EDGE), edge_number(topology, behind.edge));

    const uint32_t from = *triangle;
    bool found = false;
    st_real best = 0;

    for (size_t i = 0; i < shell.count; i++) {
        exit_place next;
        st_real q[2][3], place[3];
        if (shell.ids[i] == from || !leave_triangle(topology, x, shell.ids[i], p, b, behind.edge, &next)) continue;

        // how far from b this triangle leads
        for (int k = 0; k < 2; k++) st_view_copy(x, next.edge[k], q[k]);
        for (int k = 0; k < 3; k++) place[k] = (1 - next.s) * q[0][k] + next.s * q[1][k] - b[k];
        const st_real distance = st_vec3_norm2(place);
        if (found && !(distance < best && next.k <= 1)) continue;
        found = true, best = distance, *exit = next, *triangle = shell.ids[i];
    }
    return found;
}

static st_status path_failed(const st_incision *c, const st_real a[3], const st_real b[3], const char *why) {
    st_message(c->reporter, ST_ERROR, "no incision from (%g %g %g) to (%g %g %g): %s", (double)a[0], (double)a[1],
               (double)a[2], (double)b[0], (double)b[1], (double)b[2], why);
    return ST_INVALID;
}

static st_status march(st_incision *c, uint32_t from, const st_real a[3], uint32_t to, const st_real b[3]) {
    const st_points x = st_view_points(c->topology);
    st_real p[3] = {a[0], a[1], a[2]};
    exit_place exit;
    uint32_t triangle = from;

    if (!first_triangle(c, &x, a, b, &triangle, &exit)) return path_failed(c, a, b, "the line leaves no triangle");
    if (triangle == to) return path_failed(c, a, b, "both points are in one triangle");

    // where it begins
    st_path_entry entry = {.kind = ST_POINT, .index = c->last_point};
    if (c->last_point == ST_INVALID_INDEX) {
        entry = (st_path_entry){.kind = ST_TRIANGLE, .index = triangle};
        st_triangle_weights(c->topology, triangle, a, entry.w);
    }
    if (!st_list_push(&c->path, entry)) return ST_OUT_OF_MEMORY;

    // edge by edge; each triangle can be met once
    const size_t limit = c->topology->elements[ST_TRIANGLE].count;
    for (size_t steps = 0; exit.k < 1; steps++) {
        if (!record_edge(c, &exit)) return path_failed(c, a, b, "an edge is missing in the mesh");

        // the place on the edge is where the next part begins
        st_real q[2][3];
        for (int k = 0; k < 2; k++) st_view_copy(&x, exit.edge[k], q[k]);
        for (int k = 0; k < 3; k++) p[k] = (1 - exit.s) * q[0][k] + exit.s * q[1][k];

        if (steps > limit || !next_triangle(c->topology, &x, p, b, &triangle, &exit))
            return path_failed(c, a, b, "the line leaves the surface");
    }
    return triangle == to ? ST_OK : path_failed(c, a, b, "the line ends in another triangle");
}

st_status st_incision_find_path(st_incision *c, uint32_t from, const st_real a[3], uint32_t to, const st_real b[3]) {
    c->path.count = 0;
    const st_status status = march(c, from, a, to, b);
    if (status != ST_OK) return status;

    // where it ends: at a vertex, or in the triangle
    st_path_entry entry = {.kind = ST_TRIANGLE, .index = to};
    st_triangle_weights(c->topology, to, b, entry.w);
    for (int i = 2; i >= 0; i--)
        if (entry.w[i] > ST_R(0.9999)) entry.kind = ST_POINT, entry.index = vertices_of(c->topology, to)[i];
    return st_list_push(&c->path, entry) ? ST_OK : ST_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------------
// Snapping
// ---------------------------------------------------------------------------------------------------

// The vertices of an entry, and how many.
static int entry_vertices(const st_topology *topology, const st_path_entry *entry, uint32_t v[3]) {
    if (entry->kind == ST_POINT) {
        v[0] = entry->index;
        return 1;
    }
    const int count = entry->kind == ST_EDGE ? 2 : 3;
    for (int i = 0; i < count; i++)
        v[i] = topology->elements[entry->kind].data[(size_t)count * entry->index + (size_t)i];
    return count;
}

// The vertex that an entry is close to.
static uint32_t close_vertex(const st_topology *topology, const st_path_entry *entry, st_real epsilon) {
    uint32_t v[3];
    const int count = entry_vertices(topology, entry, v);
    for (int i = 0; entry->kind != ST_POINT && i < count; i++)
        if (entry->w[i] > 1 - epsilon) return v[i];
    return ST_INVALID_INDEX;
}

static bool is_named(const st_uints *named, uint32_t vertex) {
    for (size_t i = 0; i < named->count; i++)
        if (named->data[i] == vertex) return true;
    return false;
}

// To which of the named vertices an entry goes.
static uint32_t vertex_of_entry(const st_incision *c, const st_uints *named, const st_path_entry *entry) {
    uint32_t v[3];
    const int count = entry_vertices(c->topology, entry, v);
    if (entry->kind == ST_TRIANGLE) return close_vertex(c->topology, entry, c->snap_path);
    for (int i = 0; i < count; i++)
        if (is_named(named, v[i])) return v[i];
    return ST_INVALID_INDEX;
}

static void drop_entry(st_cut_path *path, size_t i) {
    memmove(path->data + i, path->data + i + 1, (path->count - i - 1) * sizeof *path->data);
    path->count--;
}

// All entries of one vertex become the vertex, which moves to their mean.
static bool snap_vertex(st_incision *c, const st_uints *named, uint32_t vertex) {
    // how many, and where the first one is
    size_t entries = 0, first = SIZE_MAX;
    for (size_t i = 0; i < c->path.count; i++) {
        if (vertex_of_entry(c, named, &c->path.data[i]) != vertex) continue;
        if (entries++ == 0) first = i;
    }
    if (entries < 2) return true;

    // the mean, as weights of points
    st_path_move move = {.vertex = vertex, .first = c->ancestors.count};
    for (size_t i = c->path.count; i-- > first;) {
        const st_path_entry entry = c->path.data[i];
        uint32_t v[3];
        if (vertex_of_entry(c, named, &entry) != vertex) continue;
        const int count = entry_vertices(c->topology, &entry, v);
        for (int k = 0; k < count; k++) {
            const st_real w = (entry.kind == ST_POINT ? 1 : entry.w[k]) / (st_real)entries;
            if (!st_list_push(&c->ancestors, v[k]) || !st_list_push(&c->weights, w)) return false;
        }
        if (i > first) drop_entry(&c->path, i);
    }
    c->path.data[first] = (st_path_entry){.kind = ST_POINT, .index = vertex};
    move.count = c->ancestors.count - move.first;
    return st_list_push(&c->moves, move);
}

static bool snap_path(st_incision *c) {
    st_uints named = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < c->path.count; i++) {
        const uint32_t vertex = close_vertex(c->topology, &c->path.data[i], c->snap_path);
        if (vertex == ST_INVALID_INDEX || is_named(&named, vertex) || st_is_border_point(c->topology, vertex)) continue;
        ok = st_list_push(&named, vertex);
    }
    for (size_t i = 0; ok && i < named.count; i++) ok = snap_vertex(c, &named, named.data[i]);
    st_list_free(&named);
    return ok;
}

// An end near a border: on its edge if it lies there, else at a vertex that it is close to.
static void snap_end(st_incision *c, size_t at) {
    st_path_entry *entry = &c->path.data[at];
    if (entry->kind != ST_TRIANGLE) return;
    const uint32_t *in = st_topology_in(c->topology, ST_TRIANGLE, ST_EDGE);
    const st_around around = st_topology_around(c->topology, ST_TRIANGLE, ST_EDGE);

    for (int i = 0; in && i < 3; i++) {
        if (!(entry->w[i] < c->snap_border)) continue;
        const uint32_t edge = in[3 * (size_t)entry->index + (size_t)i];

        // a border is met exactly, or not at all
        if (st_shell_of(around, edge).count == 1) {
            if (fabs(entry->w[i]) > ST_R(1e-12)) continue;
            const uint32_t *v = vertices_of(c->topology, entry->index);
            const bool reversed = c->topology->elements[ST_EDGE].data[2 * (size_t)edge] != v[(i + 1) % 3];
            const st_real s = entry->w[reversed ? (i + 1) % 3 : (i + 2) % 3];
            *entry = (st_path_entry){.kind = ST_EDGE, .index = edge, .w = {1 - s, s, 0}};
            return;
        }

        // a vertex: what else touches it leaves the path
        const uint32_t vertex = close_vertex(c->topology, entry, c->snap_border);
        if (vertex == ST_INVALID_INDEX) return;
        *entry = (st_path_entry){.kind = ST_POINT, .index = vertex};
        for (size_t next = at ? at - 1 : 1; c->path.count > 2 && next < c->path.count; next = at ? at - 1 : 1) {
            uint32_t v[3];
            const int count = entry_vertices(c->topology, &c->path.data[next], v);
            bool touches = false;
            for (int k = 0; k < count; k++) touches = touches || v[k] == vertex;
            if (!touches) return;
            drop_entry(&c->path, next);
            if (at) at--;
        }
        return;
    }
}

st_status st_incision_snap(st_incision *c) {
    c->moves.count = c->ancestors.count = c->weights.count = 0;
    if (c->snap_path > 0 && !snap_path(c)) return ST_OUT_OF_MEMORY;
    if (c->snap_border > 0) {
        snap_end(c, 0);
        snap_end(c, c->path.count - 1);
    }
    return ST_OK;
}
