// Questions about a mesh that the tables of adjacency.c answer: elements by vertices, neighbors, borders, components.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "topology/adjacency.h"

// ---------------------------------------------------------------------------------------------------
// Elements by vertices
// ---------------------------------------------------------------------------------------------------

static bool has_vertex(const uint32_t *element, size_t size, uint32_t vertex) {
    for (size_t i = 0; i < size; i++)
        if (element[i] == vertex) return true;
    return false;
}

static bool has_all(const uint32_t *element, const uint32_t *vertices, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (!has_vertex(element, size, vertices[i])) return false;
    return true;
}

uint32_t st_topology_find_element(st_topology *topology, st_element kind, const uint32_t *vertices) {
    const size_t size = st_element_size[kind];
    const st_shell shell = st_shell_of(st_topology_around(topology, kind, ST_VERTEX), vertices[0]);
    const uint32_t *elements = topology->elements[kind].data;
    uint32_t found = ST_INVALID_INDEX;
    for (size_t i = 0; i < shell.count; i++) {
        if (!has_all(elements + (size_t)shell.ids[i] * size, vertices, size)) continue;
        if (kind == ST_EDGE) return shell.ids[i];
        if (found != ST_INVALID_INDEX && found != shell.ids[i]) return ST_INVALID_INDEX;
        found = shell.ids[i];
    }
    return found;
}

// ---------------------------------------------------------------------------------------------------
// Neighbors and borders
// ---------------------------------------------------------------------------------------------------

static st_element face_kind(st_element kind) {
    return kind == ST_TETRAHEDRON ? ST_TRIANGLE : kind == ST_HEXAHEDRON ? ST_QUAD : ST_EDGE;
}

bool st_topology_neighbors(st_topology *topology, st_element kind, st_uints *neighbors) {
    const st_element face = face_kind(kind);
    const size_t parts = (size_t)st_element_parts(kind, face).parts;
    const uint32_t *in = st_topology_in(topology, kind, face);
    const st_around around = st_topology_around(topology, kind, face);
    if (!in || !around.starts || !st_list_set_count(neighbors, topology->elements[kind].count, parts)) return false;
    for (size_t i = 0; i < neighbors->count * parts; i++) {
        const st_shell shell = st_shell_of(around, in[i]);
        const uint32_t self = (uint32_t)(i / parts);
        neighbors->data[i] = shell.count != 2 ? ST_INVALID_INDEX : shell.ids[shell.ids[0] == self];
    }
    return true;
}

bool st_topology_single_parts(st_topology *topology, st_element upper, st_element lower, st_uints *parts) {
    const st_around around = st_topology_around(topology, upper, lower);
    parts->count = 0;
    if (!around.starts) return false;
    size_t count = 0;
    for (size_t i = 0; i < around.count; i++) count += around.starts[i + 1] - around.starts[i] == 1;
    if (!st_list_set_count(parts, count, 1)) return false;
    count = 0;
    for (size_t i = 0; i < around.count; i++)
        if (around.starts[i + 1] - around.starts[i] == 1) parts->data[count++] = (uint32_t)i;
    return true;
}

static bool push_once(st_uints *list, bool *seen, uint32_t id) {
    if (!list || seen[id]) return true;
    seen[id] = true;
    return st_list_push(list, id);
}

bool st_topology_border(st_topology *topology, st_uints *triangles, st_uints *edges, st_uints *points) {
    st_uints single = {0};
    bool ok = st_topology_single_parts(topology, ST_TRIANGLE, ST_EDGE, &single);
    const st_around around = st_topology_around(topology, ST_TRIANGLE, ST_EDGE);
    const size_t point_count = st_topology_points(topology);
    bool *seen_triangle = st_alloc(topology->elements[ST_TRIANGLE].count, sizeof *seen_triangle);
    bool *seen_point = st_alloc(point_count, sizeof *seen_point);
    ok = ok && seen_triangle && seen_point;
    for (size_t i = 0; ok && i < single.count; i++) {
        const uint32_t edge = single.data[i], point = topology->elements[ST_EDGE].data[2 * (size_t)edge];
        ok = push_once(triangles, seen_triangle, st_shell_of(around, edge).ids[0]) &&
             (point >= point_count || push_once(points, seen_point, point)) && (!edges || st_list_push(edges, edge));
    }
    st_free(seen_triangle);
    st_free(seen_point);
    st_list_free(&single);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Connected elements
// ---------------------------------------------------------------------------------------------------

typedef struct walk {
    st_topology *topology;
    st_element kind;
    st_around around;
    bool *seen_element, *seen_vertex; // a vertex whose elements were all taken need not be looked at again
    st_uints queue;
} walk;

static bool walk_begin(walk *w, st_topology *topology, st_element kind) {
    *w = (walk){.topology = topology, .kind = kind, .around = st_topology_around(topology, kind, ST_VERTEX)};
    w->seen_element = st_alloc(topology->elements[kind].count, sizeof *w->seen_element);
    w->seen_vertex = st_alloc(w->around.count, sizeof *w->seen_vertex);
    return w->around.starts && w->seen_element && w->seen_vertex;
}

static void walk_end(walk *w) {
    st_free(w->seen_element);
    st_free(w->seen_vertex);
    st_list_free(&w->queue);
}

static bool walk_from(walk *w, uint32_t seed) {
    const size_t size = st_element_size[w->kind];
    w->seen_element[seed] = true;
    size_t next = w->queue.count;
    if (!st_list_push(&w->queue, seed)) return false;
    for (; next < w->queue.count; next++)
        for (size_t k = 0; k < size; k++) {
            const uint32_t vertex = w->topology->elements[w->kind].data[w->queue.data[next] * size + k];
            if (vertex >= w->around.count || w->seen_vertex[vertex]) continue;
            w->seen_vertex[vertex] = true;
            const st_shell shell = st_shell_of(w->around, vertex);
            for (size_t i = 0; i < shell.count; i++)
                if (!push_once(&w->queue, w->seen_element, shell.ids[i])) return false;
        }
    return true;
}

bool st_topology_connected(st_topology *topology, st_element kind, uint32_t seed, st_uints *elements) {
    walk w;
    elements->count = 0;
    if (seed >= st_topology_elements(topology, kind)->count) return true;
    const bool ok =
        walk_begin(&w, topology, kind) && walk_from(&w, seed) && st_list_set_count(elements, w.queue.count, 1);
    if (ok) st_copy_bytes(elements->data, w.queue.data, w.queue.count * sizeof *w.queue.data);
    walk_end(&w);
    return ok;
}

size_t st_topology_components(st_topology *topology, st_element kind) {
    walk w;
    size_t components = 0;
    bool ok = walk_begin(&w, topology, kind);
    for (size_t i = 0; ok && i < topology->elements[kind].count; i++) {
        if (w.seen_element[i]) continue;
        components++;
        ok = walk_from(&w, (uint32_t)i);
    }
    walk_end(&w);
    return ok ? components : SIZE_MAX;
}

// ---------------------------------------------------------------------------------------------------
// Fans
// ---------------------------------------------------------------------------------------------------

static int corner_of(const uint32_t *triangle, uint32_t vertex) {
    for (int i = 0; i < 3; i++)
        if (triangle[i] == vertex) return i;
    return -1;
}

// The triangle on the other side of the edge that joins the vertex with corner + side of the triangle.
static uint32_t across(st_topology *topology, const uint32_t *in, st_around around, uint32_t triangle, uint32_t vertex,
                       int side) {
    const int corner = corner_of(topology->elements[ST_TRIANGLE].data + 3 * (size_t)triangle, vertex);
    if (corner < 0) return ST_INVALID_INDEX;
    // edge j is opposite to corner j: the edge towards corner + 1 is opposite to corner + 2
    const st_shell shell = st_shell_of(around, in[3 * (size_t)triangle + (size_t)((corner + 3 - side) % 3)]);
    return shell.count != 2 ? ST_INVALID_INDEX : shell.ids[shell.ids[0] == triangle];
}

bool st_topology_fan(st_topology *topology, uint32_t vertex, st_uints *triangles) {
    triangles->count = 0;
    const st_shell shell = st_shell_of(st_topology_around(topology, ST_TRIANGLE, ST_VERTEX), vertex);
    const uint32_t *in = st_topology_in(topology, ST_TRIANGLE, ST_EDGE);
    const st_around around = st_topology_around(topology, ST_TRIANGLE, ST_EDGE);
    if (!in || !around.starts) return false;
    if (shell.count == 0) return true;
    uint32_t start = shell.ids[0];
    for (size_t i = 0; i < shell.count; i++)
        if (across(topology, in, around, shell.ids[i], vertex, 1) == ST_INVALID_INDEX) {
            start = shell.ids[i];
            break;
        }
    // ends at the border, back at the start, or where neighbors run in opposite directions
    for (uint32_t at = start, former = ST_INVALID_INDEX; at != ST_INVALID_INDEX && triangles->count < shell.count;) {
        if (!st_list_push(triangles, at)) return false;
        const uint32_t next = across(topology, in, around, at, vertex, 2);
        if (next == start || next == former) break;
        former = at;
        at = next;
    }
    return true;
}
