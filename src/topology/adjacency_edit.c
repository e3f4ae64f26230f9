// Neighborhoods of a mesh that loses elements and points: the tables that were made follow, at a cost that depends on the
// neighbors of what is removed alone. They are then what they would be if they were made from scratch.
//
// Removing element e, whose place the last one takes:
//
//     1. e leaves the rows of its parts (vertices, edges, faces)
//     2. in the rows of the last one's parts its number becomes e, and moves to its place in their order
//     3. where elements of its kind are parts themselves, row e becomes the row of the last one, and the elements there
//        know it by its new number
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "topology/adjacency_tables.h"
#include "topology/tables.h"

// ---------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------

static void move_row(st_around_table *table, uint32_t to, uint32_t from) {
    table->starts[to] = table->starts[from];
    table->ends[to] = table->ends[from];
    table->limits[to] = table->limits[from];
}

static void remove_from_row(st_around_table *table, uint32_t row, uint32_t id) {
    if (row >= table->count) return;
    uint32_t to = table->starts[row];
    for (uint32_t k = to; k < table->ends[row]; k++)
        if (table->ids[k] != id) table->ids[to++] = table->ids[k];
    table->ends[row] = to;
}

// Triangles along the edge come before those against it, and decrease; all others increase.
bool st_around_before(const st_topology *topology, bool by_direction, uint32_t row, uint32_t a, uint32_t b) {
    if (!by_direction) return a < b;
    const uint32_t *edge = topology->elements[ST_EDGE].data + 2 * (size_t)row;
    bool along[2] = {false, false};
    for (int i = 0; i < 2; i++) {
        const uint32_t *t = topology->elements[ST_TRIANGLE].data + 3 * (size_t)(i ? b : a);
        for (int j = 0; j < 3; j++) {
            const uint32_t p = t[st_triangle_edges[j][0]], q = t[st_triangle_edges[j][1]];
            along[i] = along[i] || (p == edge[0] && q == edge[1]);
        }
    }
    if (along[0] != along[1]) return along[0];
    return along[0] ? a > b : a < b;
}

// The element has a new number, under which its vertices can be found already.
static void rename_in_row(const st_topology *topology, st_around_table *table, bool by_direction, uint32_t row,
                          uint32_t before, uint32_t after) {
    if (row >= table->count) return;
    uint32_t *ids = table->ids + table->starts[row];
    const size_t count = table->ends[row] - table->starts[row];
    for (size_t k = 0; k < count; k++)
        if (ids[k] == before) ids[k] = after;

    // rows are short: insertion
    for (size_t k = 1; k < count; k++) {
        const uint32_t id = ids[k];
        size_t at = k;
        for (; at > 0 && st_around_before(topology, by_direction, row, id, ids[at - 1]); at--) ids[at] = ids[at - 1];
        ids[at] = id;
    }
}

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

// The parts of one element that are the rows of a table.
typedef struct row_list {
    const uint32_t *rows;
    size_t count;
} row_list;

static row_list rows_of(const st_topology *topology, st_element kind, int lower, uint32_t id) {
    const size_t width =
        lower == ST_VERTEX ? st_element_size[kind] : (size_t)st_element_parts(kind, (st_element)lower).parts;
    const uint32_t *all = lower == ST_VERTEX ? topology->elements[kind].data : topology->adjacency->in[kind][lower];
    return (row_list){all ? all + id * width : NULL, all ? width : 0};
}

// 1 and 2 of one table; the list of elements has the last one in the place of `id` already, its parts are given.
static bool leave_rows(st_topology *topology, st_element kind, int lower, const uint32_t *gone, uint32_t id,
                       uint32_t last) {
    st_around_table *table = &topology->adjacency->around[kind][lower];
    const bool by_direction = kind == ST_TRIANGLE && lower == ST_EDGE;
    if (!table->starts) return true;
    if (!st_around_table_loosen(table)) return false;

    const row_list now = rows_of(topology, kind, lower, id);
    for (size_t k = 0; k < now.count; k++) remove_from_row(table, gone[k], id);
    for (size_t k = 0; id != last && k < now.count; k++)
        rename_in_row(topology, table, by_direction, now.rows[k], last, id);
    return true;
}

// 3 of one table of larger elements. Where nobody knows who has the part, the table is forgotten.
static bool leave_as_part(st_topology *topology, st_element upper, st_element kind, uint32_t id, uint32_t last) {
    struct st_adjacency *adjacency = topology->adjacency;
    st_around_table *table = &adjacency->around[upper][kind];
    uint32_t *in = adjacency->in[upper][kind];
    const size_t width = (size_t)st_element_parts(upper, kind).parts;
    if (in && !table->starts) {
        st_free(in);
        adjacency->in[upper][kind] = NULL;
        adjacency->in_count[upper][kind] = adjacency->in_room[upper][kind] = 0;
    }
    if (!table->starts) return true;
    if (!st_around_table_loosen(table) || !in || last + 1 != table->count) {
        st_around_table_free(table);
        return true;
    }

    // elements that still have it have no part there any more
    const uint32_t numbers[2][2] = {{id, ST_INVALID_INDEX}, {last, id}};
    for (int step = 0; step < (id == last ? 1 : 2); step++)
        for (uint32_t k = table->starts[numbers[step][0]]; k < table->ends[numbers[step][0]]; k++)
            for (size_t j = 0; j < width; j++)
                if (in[table->ids[k] * width + j] == numbers[step][0]) in[table->ids[k] * width + j] = numbers[step][1];
    move_row(table, id, last);
    table->count--;
    return true;
}

enum { PARTS_MAX = 12 };

bool st_adjacency_take_out(st_topology *topology, st_element kind, uint32_t id) {
    st_uints *list = &topology->elements[kind];
    const size_t size = st_element_size[kind];
    const uint32_t last = (uint32_t)list->count - 1;
    struct st_adjacency *adjacency = topology->adjacency;
    uint32_t gone[ST_ELEMENT_KINDS + 1][PARTS_MAX];

    // the parts of the one that goes
    for (int lower = 0; adjacency && lower <= ST_ELEMENT_KINDS; lower++) {
        if (!adjacency->around[kind][lower].starts) continue;
        const row_list rows = rows_of(topology, kind, lower, id);
        for (size_t k = 0; k < rows.count && k < PARTS_MAX; k++) gone[lower][k] = rows.rows[k];
    }

    // the last one into the gap, in all lists of its kind
    if (id != last) memcpy(list->data + id * size, list->data + last * size, size * sizeof *list->data);
    list->count--;
    bool ok = true;
    for (int lower = 0; adjacency && lower < ST_ELEMENT_KINDS; lower++) {
        uint32_t *in = adjacency->in[kind][lower];
        const size_t width = in ? (size_t)st_element_parts(kind, (st_element)lower).parts : 0;
        if (in && id != last) memcpy(in + id * width, in + last * width, width * sizeof *in);
        if (in) adjacency->in_count[kind][lower] -= width;
    }

    for (int lower = 0; adjacency && lower <= ST_ELEMENT_KINDS; lower++)
        ok = leave_rows(topology, kind, lower, gone[lower], id, last) && ok;
    for (int upper = 0; adjacency && upper < ST_ELEMENT_KINDS; upper++)
        ok = leave_as_part(topology, (st_element)upper, kind, id, last) && ok;
    if (!ok) st_adjacency_drop(topology);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

bool st_adjacency_take_point(st_topology *topology, uint32_t id, uint32_t last) {
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        st_uints *list = &topology->elements[kind];
        const size_t size = st_element_size[kind];
        if (list->count == 0) continue;

        // made where nobody has asked before
        if (!st_topology_around(topology, (st_element)kind, ST_VERTEX).starts) return false;
        st_around_table *table = &topology->adjacency->around[kind][ST_VERTEX];
        if (!st_around_table_loosen(table)) return false;

        // elements of the last point know it by its new number
        if (last < table->count && id != last)
            for (uint32_t k = table->starts[last]; k < table->ends[last]; k++)
                for (size_t j = 0; j < size; j++)
                    if (list->data[table->ids[k] * size + j] == last) list->data[table->ids[k] * size + j] = id;
        if (id < table->count && id != last) {
            if (last < table->count) move_row(table, id, last);
            else table->ends[id] = table->starts[id];
        }
        if (last + 1 == table->count) table->count--;
    }
    return true;
}
