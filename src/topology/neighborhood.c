// Questions about a mesh that the tables of adjacency.c answer: borders and connected elements.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "topology/adjacency.h"

// ---------------------------------------------------------------------------------------------------
// Borders
// ---------------------------------------------------------------------------------------------------

bool st_topology_single_parts(st_topology *topology, st_element upper, st_element lower, st_uints *parts) {
    const st_around around = st_topology_around(topology, upper, lower);

    parts->count = 0;
    if (!around.starts) return false;

    // count, then write, so that the list has its exact size
    size_t count = 0;
    for (size_t i = 0; i < around.count; i++) count += st_shell_of(around, i).count == 1;
    if (!st_list_set_count(parts, count, 1)) return false;

    count = 0;
    for (size_t i = 0; i < around.count; i++)
        if (st_shell_of(around, i).count == 1) parts->data[count++] = (uint32_t)i;
    return true;
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

static bool push_once(st_uints *list, bool *seen, uint32_t id) {
    if (seen[id]) return true;
    seen[id] = true;
    return st_list_push(list, id);
}

static bool walk_from(walk *w, uint32_t seed) {
    const size_t size = st_element_size[w->kind];

    w->seen_element[seed] = true;
    size_t next = w->queue.count;
    if (!st_list_push(&w->queue, seed)) return false;

    // the queue is the result: elements stay in it in the order in which they were found
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

    // each element that no walk has reached begins a component
    for (size_t i = 0; ok && i < topology->elements[kind].count; i++) {
        if (w.seen_element[i]) continue;
        components++;
        ok = walk_from(&w, (uint32_t)i);
    }

    walk_end(&w);
    return ok ? components : SIZE_MAX;
}
