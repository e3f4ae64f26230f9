// Neighborhoods of a mesh that gains elements and points: the tables that were made follow, at a cost that depends on the
// neighbors of what is added alone. They are then what they would be if they were made from scratch.
//
// A new element, the last one of its kind:
//
//     1. its parts are looked up among the elements around its vertices, and it joins their rows
//     2. it joins the rows of its vertices
//     3. where elements of its kind are parts themselves, larger elements that lacked it know it from now on
//
// A row without room moves behind all others. When the memory of a table is used up, its rows are packed into a larger
// one, so that tables of a mesh that changes for long do not grow without end.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "base/array.h"
#include "topology/adjacency_tables.h"
#include "topology/tables.h"

// ---------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------

bool st_around_table_loosen(st_around_table *table) {
    if (table->ends || !table->starts) return true;
    uint32_t *ends = st_alloc(table->count, sizeof *ends), *limits = st_alloc(table->count, sizeof *limits);
    if (!ends || !limits) {
        st_free(ends);
        st_free(limits);
        return false;
    }

    for (size_t i = 0; i < table->count; i++) ends[i] = limits[i] = table->starts[i + 1];
    table->ends = ends;
    table->limits = limits;
    table->row_room = table->count;
    table->id_room = table->id_count;
    return true;
}

static bool grow_words(uint32_t **words, size_t used, size_t room) {
    uint32_t *larger = st_resize(*words, used, room, sizeof *larger);
    if (larger) *words = larger;
    return larger != NULL;
}

// Empty rows up to `count`.
static bool add_rows(st_around_table *table, size_t count) {
    if (!st_around_table_loosen(table)) return false;
    if (count > table->row_room) {
        const size_t room = count + count / 2 + 16;
        if (!grow_words(&table->starts, table->count, room) || !grow_words(&table->ends, table->count, room) ||
            !grow_words(&table->limits, table->count, room))
            return false;
        table->row_room = room;
    }
    for (; table->count < count; table->count++)
        table->starts[table->count] = table->ends[table->count] = table->limits[table->count] = 0;
    return true;
}

// All rows one after the other, with `extra` words behind them and as many again as half of them.
static bool pack_rows(st_around_table *table, size_t extra) {
    size_t live = 0;
    for (size_t i = 0; i < table->count; i++) live += table->ends[i] - table->starts[i];

    const size_t room = live + live / 2 + extra + 64;
    uint32_t *ids = room < UINT32_MAX ? st_alloc(room, sizeof *ids) : NULL;
    if (!ids) return false;

    // a row has no room of its own until it grows
    uint32_t at = 0;
    for (size_t i = 0; i < table->count; i++) {
        const uint32_t length = table->ends[i] - table->starts[i];
        st_copy_bytes(ids + at, table->ids + table->starts[i], length * sizeof *ids);
        table->starts[i] = at;
        table->ends[i] = table->limits[i] = at += length;
    }

    st_free(table->ids);
    table->ids = ids;
    table->id_count = at;
    table->id_room = room;
    return true;
}

// Room for one more in a row.
static bool make_room(st_around_table *table, uint32_t row) {
    if (table->ends[row] < table->limits[row]) return true;
    const uint32_t length = table->ends[row] - table->starts[row], room = 2 * length + 2;
    if (table->id_count + room > table->id_room && !pack_rows(table, room)) return false;

    const uint32_t to = (uint32_t)table->id_count;
    memcpy(table->ids + to, table->ids + table->starts[row], length * sizeof *table->ids);
    table->starts[row] = to;
    table->ends[row] = to + length;
    table->limits[row] = to + room;
    table->id_count += room;
    return true;
}

// Rows are in the order of st_around_before.
static bool join_row(const st_topology *topology, st_around_table *table, bool by_direction, uint32_t row,
                     uint32_t id) {
    if (row >= table->count) return true;
    if (!st_around_table_loosen(table) || !make_room(table, row)) return false;
    uint32_t *ids = table->ids + table->starts[row];
    size_t at = table->ends[row]++ - table->starts[row];
    for (; at > 0 && st_around_before(topology, by_direction, row, id, ids[at - 1]); at--) ids[at] = ids[at - 1];
    ids[at] = id;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Parts
// ---------------------------------------------------------------------------------------------------

static bool has_vertex(const uint32_t *element, size_t size, uint32_t vertex) {
    for (size_t i = 0; i < size; i++)
        if (element[i] == vertex) return true;
    return false;
}

static int increasing(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// The same vertices as often, in any order. `sorted` are those of b.
static bool is_same_part(const uint32_t *a, const uint32_t *sorted, size_t size) {
    uint32_t own[4];
    for (size_t i = 0; i < size; i++)
        if (!has_vertex(sorted, size, a[i])) return false;
    memcpy(own, a, size * sizeof *own);
    qsort(own, size, sizeof *own, increasing);
    return memcmp(own, sorted, size * sizeof *own) == 0;
}

bool st_adjacency_find(st_topology *topology, st_element kind, const uint32_t *vertices, uint32_t *found) {
    const st_uints *list = &topology->elements[kind];
    const size_t size = st_element_size[kind];
    *found = ST_INVALID_INDEX;
    if (list->count == 0) return true;
    const st_around around = st_topology_around(topology, kind, ST_VERTEX);
    if (!around.starts) return false;

    // rows increase: the first one is that of smallest number
    uint32_t sorted[4];
    memcpy(sorted, vertices, size * sizeof *sorted);
    qsort(sorted, size, sizeof *sorted, increasing);
    const st_shell shell = st_shell_of(around, vertices[0]);
    for (size_t i = 0; i < shell.count && *found == ST_INVALID_INDEX; i++)
        if (is_same_part(list->data + shell.ids[i] * size, sorted, size)) *found = shell.ids[i];
    return true;
}

static void part_of(const st_topology *topology, st_element upper, st_element lower, uint32_t id, size_t j,
                    uint32_t vertices[4]) {
    const uint32_t *v = topology->elements[upper].data + id * st_element_size[upper];
    const int *local = st_element_parts(upper, lower).local + j * st_element_size[lower];
    for (size_t k = 0; k < st_element_size[lower]; k++) vertices[k] = v[local[k]];
}

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

// 1 of one table of parts.
static bool join_parts(st_topology *topology, st_element kind, st_element lower, uint32_t id) {
    struct st_adjacency *adjacency = topology->adjacency;
    const size_t width = (size_t)st_element_parts(kind, lower).parts;
    if (!adjacency->in[kind][lower]) {
        st_around_table_free(&adjacency->around[kind][lower]);
        return true;
    }

    // room for its parts
    size_t *count = &adjacency->in_count[kind][lower], *room = &adjacency->in_room[kind][lower];
    if (*count + width > *room) {
        const size_t larger = *count + *count / 2 + width;
        if (!grow_words(&adjacency->in[kind][lower], *count, larger)) return false;
        *room = larger;
    }

    for (size_t j = 0; j < width; j++) {
        uint32_t vertices[4], part;
        part_of(topology, kind, lower, id, j, vertices);
        if (!st_adjacency_find(topology, lower, vertices, &part)) return false;
        adjacency->in[kind][lower][(*count)++] = part;

        st_around_table *table = &adjacency->around[kind][lower];
        const bool by_direction = kind == ST_TRIANGLE && lower == ST_EDGE;
        if (table->starts && part != ST_INVALID_INDEX && !join_row(topology, table, by_direction, part, id))
            return false;
    }
    return true;
}

// 2
static bool join_vertices(st_topology *topology, st_element kind, uint32_t id) {
    st_around_table *table = &topology->adjacency->around[kind][ST_VERTEX];
    const size_t size = st_element_size[kind];
    const uint32_t *v = topology->elements[kind].data + id * size;
    bool ok = true;
    for (size_t k = 0; table->starts && ok && k < size; k++) ok = join_row(topology, table, false, v[k], id);
    return ok;
}

// 3 of one table of larger elements: those around a vertex that have no such part yet.
static bool join_as_part(st_topology *topology, st_element upper, st_element kind, uint32_t id) {
    struct st_adjacency *adjacency = topology->adjacency;
    const size_t size = st_element_size[kind], width = (size_t)st_element_parts(upper, kind).parts;

    // nobody has asked for the parts: the table is made again when someone does
    if (!adjacency->in[upper][kind]) {
        st_around_table_free(&adjacency->around[upper][kind]);
        return true;
    }

    st_around_table *table = &adjacency->around[upper][kind];
    if (table->starts && !add_rows(table, (size_t)id + 1)) return false;
    if (topology->elements[upper].count == 0) return true;

    uint32_t sorted[4];
    memcpy(sorted, topology->elements[kind].data + id * size, size * sizeof *sorted);
    const st_shell shell = st_shell_of(st_topology_around(topology, upper, ST_VERTEX), sorted[0]);
    qsort(sorted, size, sizeof *sorted, increasing);

    for (size_t i = 0; i < shell.count; i++)
        for (size_t j = 0; j < width; j++) {
            uint32_t *part = &adjacency->in[upper][kind][shell.ids[i] * width + j], vertices[4];
            part_of(topology, upper, kind, shell.ids[i], j, vertices);
            if (*part != ST_INVALID_INDEX || !is_same_part(vertices, sorted, size)) continue;
            *part = id;
            const bool by_direction = upper == ST_TRIANGLE && kind == ST_EDGE;
            if (table->starts && !join_row(topology, table, by_direction, id, shell.ids[i])) return false;
        }
    return true;
}

bool st_adjacency_put_in(st_topology *topology, st_element kind) {
    const uint32_t id = (uint32_t)topology->elements[kind].count - 1;
    bool ok = true;
    if (!topology->adjacency) return true;

    for (int lower = 0; ok && lower < ST_ELEMENT_KINDS; lower++)
        if (st_element_parts(kind, (st_element)lower).parts) ok = join_parts(topology, kind, (st_element)lower, id);
    ok = ok && join_vertices(topology, kind, id);
    for (int upper = 0; ok && upper < ST_ELEMENT_KINDS; upper++)
        if (st_element_parts((st_element)upper, kind).parts) ok = join_as_part(topology, (st_element)upper, kind, id);
    if (!ok) st_adjacency_drop(topology);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

void st_adjacency_add_points(st_topology *topology, size_t count) {
    bool ok = true;
    for (int kind = 0; topology->adjacency && ok && kind < ST_ELEMENT_KINDS; kind++) {
        st_around_table *table = &topology->adjacency->around[kind][ST_VERTEX];
        if (table->starts && table->count < count) ok = add_rows(table, count);
    }
    if (!ok) st_adjacency_drop(topology);
}
