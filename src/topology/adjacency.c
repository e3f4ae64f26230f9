// Neighborhoods, made on demand: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/adjacency_tables.h"

#include "base/array.h"
#include "topology/match.h"
#include "topology/tables.h"

typedef st_around_table table;

st_part_table st_element_parts(st_element upper, st_element lower) {
    if (lower == ST_EDGE) switch (upper) {
        case ST_TRIANGLE: return (st_part_table){&st_triangle_edges[0][0], 3};
        case ST_QUAD: return (st_part_table){&st_quad_edges[0][0], 4};
        case ST_TETRAHEDRON: return (st_part_table){&st_tetrahedron_edges[0][0], 6};
        case ST_HEXAHEDRON: return (st_part_table){&st_hexahedron_edges[0][0], 12};
        default: break;
        }

    if (lower == ST_TRIANGLE && upper == ST_TETRAHEDRON) return (st_part_table){&st_tetrahedron_triangles[0][0], 4};
    if (lower == ST_QUAD && upper == ST_HEXAHEDRON) return (st_part_table){&st_hexahedron_quads[0][0], 6};
    return (st_part_table){NULL, 0};
}

// ---------------------------------------------------------------------------------------------------
// Storage
// ---------------------------------------------------------------------------------------------------

static struct st_adjacency *storage(st_topology *topology) {
    if (!topology->adjacency) topology->adjacency = st_alloc(1, sizeof *topology->adjacency);
    return topology->adjacency;
}

bool st_adjacency_keep(st_topology *topology, st_element upper, st_element lower, uint32_t *parts) {
    struct st_adjacency *adjacency = storage(topology);

    if (!adjacency) {
        st_free(parts);
        return false;
    }

    st_free(adjacency->in[upper][lower]);
    adjacency->in[upper][lower] = parts;
    adjacency->in_count[upper][lower] = topology->elements[upper].count * (size_t)st_element_parts(upper, lower).parts;
    adjacency->in_room[upper][lower] = adjacency->in_count[upper][lower];
    return true;
}

void st_around_table_free(st_around_table *t) {
    st_free(t->starts);
    st_free(t->ends);
    st_free(t->limits);
    st_free(t->ids);
    *t = (st_around_table){0};
}

void st_adjacency_drop(st_topology *topology) {
    struct st_adjacency *adjacency = topology->adjacency;

    if (!adjacency) return;

    for (int upper = 0; upper < ST_ELEMENT_KINDS; upper++) {
        for (int lower = 0; lower < ST_ELEMENT_KINDS; lower++) st_free(adjacency->in[upper][lower]);
        for (int lower = 0; lower <= ST_ELEMENT_KINDS; lower++) st_around_table_free(&adjacency->around[upper][lower]);
    }

    st_free(adjacency);
    topology->adjacency = NULL;
}

size_t st_adjacency_bytes(const st_topology *topology) {
    const struct st_adjacency *adjacency = topology->adjacency;
    size_t words = 0;

    for (int upper = 0; adjacency && upper < ST_ELEMENT_KINDS; upper++) {
        for (int lower = 0; lower < ST_ELEMENT_KINDS; lower++) words += adjacency->in_room[upper][lower];
        for (int lower = 0; lower <= ST_ELEMENT_KINDS; lower++) {
            const table *t = &adjacency->around[upper][lower];
            if (t->ends) words += 3 * t->row_room + t->id_room;
            else if (t->starts) words += t->count + 1 + t->id_count;
        }
    }

    return words * sizeof(uint32_t) + (adjacency ? sizeof *adjacency : 0);
}

static void report_memory(st_topology *topology) {
    st_message(&topology->object, ST_ERROR, "out of memory while neighborhoods of the mesh were made");
}

// ---------------------------------------------------------------------------------------------------
// Parts in elements
// ---------------------------------------------------------------------------------------------------

// Matches the parts against the list of the lower kind, which comes first: a part whose first occurrence is one of its
// entries has that number.
static uint32_t *find_parts(const st_uints *upper, size_t size, const st_uints *lower, size_t width,
                            st_part_table parts) {
    // the listed parts come first, then those of the elements
    const st_parts sources[2] = {
        {.elements = lower->data, .count = lower->count, .size = width},
        {.elements = upper->data,
         .count = upper->count,
         .size = size,
         .table = parts.local,
         .parts_per_element = parts.parts},
    };

    const size_t listed = lower->count, total = st_parts_total(sources, 2);
    uint32_t *first = st_alloc(total, sizeof *first), *in = st_alloc(total - listed, sizeof *in);

    // a part that matches a listed one has its number; any other is missing in the list
    if (first && in && st_parts_match(width, sources, 2, first)) {
        for (size_t i = 0; i < total - listed; i++)
            in[i] = first[listed + i] < listed ? first[listed + i] : ST_INVALID_INDEX;
    } else {
        st_free(in);
        in = NULL;
    }

    st_free(first);
    return in;
}

static int corner_of(const uint32_t *element, int size, uint32_t vertex) {
    int i = 0;
    while (i < size && element[i] != vertex) i++;
    return i;
}

// The edges of a triangle are known where it is a face of a tetrahedron whose edges are known. False where they are
// not.
static bool copy_edges(const uint32_t *triangle, const uint32_t *tetrahedron, const uint32_t *edges, uint32_t to[3]) {
    static const signed char edge_between[5][5] = {
        {-1, 0, 1, 2, -1}, {0, -1, 3, 4, -1}, {1, 3, -1, 5, -1}, {2, 4, 5, -1, -1}, {-1, -1, -1, -1, -1}};

    for (int j = 0; j < 3; j++) {
        const int a = corner_of(tetrahedron, 4, triangle[st_triangle_edges[j][0]]);
        const int b = corner_of(tetrahedron, 4, triangle[st_triangle_edges[j][1]]);
        if (edge_between[a][b] < 0) return false;
        to[j] = edges[edge_between[a][b]];
    }
    return true;
}

// Edges of triangles without a search, where all triangles are faces of tetrahedra; NULL where that is not so.
static uint32_t *edges_by_tetrahedra(const st_topology *topology) {
    const uint32_t *faces = topology->adjacency->in[ST_TETRAHEDRON][ST_TRIANGLE];
    const uint32_t *edges = topology->adjacency->in[ST_TETRAHEDRON][ST_EDGE];
    const st_uints *tetrahedra = &topology->elements[ST_TETRAHEDRON], *triangles = &topology->elements[ST_TRIANGLE];
    uint32_t *in = faces && edges ? st_alloc(3 * triangles->count, sizeof *in) : NULL;
    if (!in) return NULL;

    // each tetrahedron writes the edges of those of its faces that have none yet
    bool all = true;
    for (size_t i = 0; i < 3 * triangles->count; i++) in[i] = ST_INVALID_INDEX;
    for (size_t i = 0; all && i < 4 * tetrahedra->count; i++) {
        const size_t face = faces[i], e = i / 4;
        if (face >= triangles->count || in[3 * face] != ST_INVALID_INDEX) continue;
        all = copy_edges(triangles->data + 3 * face, tetrahedra->data + 4 * e, edges + 6 * e, in + 3 * face);
    }

    // one triangle that is no face of a tetrahedron spoils the table
    for (size_t i = 0; all && i < triangles->count; i++) all = in[3 * i] != ST_INVALID_INDEX;
    if (all) return in;
    st_free(in);
    return NULL;
}

static uint32_t *make_in(st_topology *topology, st_element upper, st_element lower) {
    uint32_t *in = upper == ST_TRIANGLE ? edges_by_tetrahedra(topology) : NULL;
    if (in) return in;

    return find_parts(&topology->elements[upper], st_element_size[upper], &topology->elements[lower],
                      st_element_size[lower], st_element_parts(upper, lower));
}

const uint32_t *st_topology_in(st_topology *topology, st_element upper, st_element lower) {
    if (!st_element_parts(upper, lower).parts) return NULL;

    // lists that are derived on demand must be there before they are matched
    st_topology_elements(topology, upper);
    st_topology_elements(topology, lower);

    struct st_adjacency *adjacency = storage(topology);
    if (adjacency && adjacency->in[upper][lower]) return adjacency->in[upper][lower];

    uint32_t *in = adjacency ? make_in(topology, upper, lower) : NULL;
    if (in && st_adjacency_keep(topology, upper, lower, in)) return in;
    report_memory(topology);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Elements around parts
// ---------------------------------------------------------------------------------------------------

// `parts` numbers per element, each smaller than `rows` or skipped.
typedef struct incidence {
    const uint32_t *parts;
    size_t elements, width, rows;
} incidence;

static bool count_rows(const incidence *i, table *t) {
    if (i->elements * i->width >= UINT32_MAX) return false;
    t->count = i->rows;
    t->starts = st_alloc(i->rows + 1, sizeof *t->starts);
    if (!t->starts) return false;

    // starts[row + 1] = how many elements row has, then their running sum
    for (size_t k = 0; k < i->elements * i->width; k++)
        if (i->parts[k] < i->rows) t->starts[i->parts[k] + 1]++;
    for (size_t row = 0; row < i->rows; row++) t->starts[row + 1] += t->starts[row];

    t->id_count = t->starts[i->rows];
    t->ids = st_alloc(t->id_count, sizeof *t->ids);
    return t->ids != NULL;
}

// Filling backwards from the end of each row needs no cursor of its own: starts[row + 1] walks down to the beginning
// of its row, which is what starts[row] must be in the end.
static bool fill_increasing(const incidence *i, table *t) {
    if (!count_rows(i, t)) return false;

    for (size_t e = i->elements; e-- > 0;)
        for (size_t k = i->width; k-- > 0;) {
            const uint32_t row = i->parts[e * i->width + k];
            if (row < i->rows) t->ids[--t->starts[row + 1]] = (uint32_t)e;
        }

    for (size_t row = 0; row < i->rows; row++) t->starts[row] = t->starts[row + 1];
    t->starts[i->rows] = (uint32_t)t->id_count;
    return true;
}

static bool runs_along(const uint32_t *triangle, size_t j, const uint32_t *edge) {
    return edge[0] == triangle[st_triangle_edges[j][0]];
}

// Those along the edge are put in front, so that the last one comes first; the others behind, in their order.
static bool fill_by_direction(const incidence *i, const uint32_t *triangles, const uint32_t *edges, table *t) {
    uint32_t *front = st_alloc(i->rows, sizeof *front), *back = st_alloc(i->rows, sizeof *back);
    const bool ok = front && back && count_rows(i, t);

    // front[row] = how many triangles run along the edge: the others begin behind them
    for (size_t k = 0; ok && k < i->elements * 3; k++) {
        const uint32_t row = i->parts[k];
        if (row < i->rows && runs_along(triangles + k / 3 * 3, k % 3, edges + 2 * (size_t)row)) front[row]++;
    }

    for (size_t row = 0; ok && row < i->rows; row++) back[row] = front[row];

    // those along the edge fill their places from the last to the first
    for (size_t k = 0; ok && k < i->elements * 3; k++) {
        const uint32_t row = i->parts[k];
        if (row >= i->rows) continue;
        const bool along = runs_along(triangles + k / 3 * 3, k % 3, edges + 2 * (size_t)row);
        t->ids[t->starts[row] + (along ? --front[row] : back[row]++)] = (uint32_t)(k / 3);
    }

    st_free(front);
    st_free(back);
    return ok;
}

static bool make_around(st_topology *topology, st_element upper, int lower, table *t) {
    const st_uints *elements = st_topology_elements(topology, upper);
    incidence i = {.elements = elements->count};

    // around a point: the vertices of the elements are the rows
    if (lower == ST_VERTEX) {
        i.parts = elements->data;
        i.width = st_element_size[upper];
        i.rows = st_topology_points(topology);
        return fill_increasing(&i, t);
    }

    // around an edge or a face: its number in each element is the row
    i.parts = st_topology_in(topology, upper, (st_element)lower);
    i.width = (size_t)st_element_parts(upper, (st_element)lower).parts;
    const st_uints *rows = st_topology_elements(topology, (st_element)lower);
    i.rows = rows->count;

    if (!i.parts) return false;
    if (upper == ST_TRIANGLE) return fill_by_direction(&i, elements->data, rows->data, t);
    return fill_increasing(&i, t);
}

st_around st_topology_around(st_topology *topology, st_element upper, int lower) {
    st_topology_elements(topology, upper);
    struct st_adjacency *adjacency = storage(topology);

    table *kept = adjacency ? &adjacency->around[upper][lower] : NULL;

    // an empty table was never made; making it may make other tables, so the place is looked up again
    if (kept && !kept->starts) {
        table fresh = {0};
        if (make_around(topology, upper, lower, &fresh)) {
            topology->adjacency->around[upper][lower] = fresh;
            kept = &topology->adjacency->around[upper][lower];
        } else {
            // no message where such elements have no such parts
            st_free(fresh.starts);
            st_free(fresh.ids);
            kept = NULL;
            if (lower == ST_VERTEX || st_element_parts(upper, (st_element)lower).parts) report_memory(topology);
        }
    }

    return kept ? (st_around){kept->starts, kept->ends, kept->ids, kept->count} : (st_around){0};
}
