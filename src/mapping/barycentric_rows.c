// Elements, weights and rows of a barycentric mapping.
//
// Weights of an element's nodes from the coordinates f of a point in it:
//
//     edge         1-fx, fx                       triangle  1-fx-fy, fx, fy
//     quad         products of (1-fx, fx) and (1-fy, fy)
//     tetrahedron  1-fx-fy-fz, fx, fy, fz         hexahedron  products of (1-fx, fx), (1-fy, fy) and (1-fz, fz)
//
// Rows list a quad's nodes as 0 1 3 2 and a hexahedron's as 0 1 3 2 4 5 7 6, but those of containers as 0 1 2 ...: sums
// run in this order.
//
// How a point finds its element:
//   regular and sparse grid   by their own geometry, whatever was done to the parent's positions
//   container                 by the rule of mapping/cell_hash.h
//   other mesh                by that of mapping/cell_search.h: volumes, else surfaces; else edges (mapping/edge_search.h)
//
// Init: 1. vertices are checked, 2. the search is made, 3. each point finds its element and its coordinates there, 4. its
// row gets the weights.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/barycentric_rows.h"

#include "base/array.h"
#include "mapping/cell_hash.h"
#include "mapping/edge_search.h"
#include "mapping/states.h"
#include "math/vec3.h"
#include "topology/container.h"
#include "topology/regular_grid.h"
#include "topology/sparse_grid.h"

enum { NODES_MAX = 8 };

typedef struct builder {
    st_barycentric_rows *rows;
    st_object *object;  // in whose name problems are reported
    bool in_node_order; // of sums
} builder;

// ---------------------------------------------------------------------------------------------------
// Weights
// ---------------------------------------------------------------------------------------------------

static const int summation_order[ST_ELEMENT_KINDS][NODES_MAX] = {
    [ST_EDGE] = {0, 1},
    [ST_TRIANGLE] = {0, 1, 2},
    [ST_TETRAHEDRON] = {0, 1, 2, 3},
    [ST_QUAD] = {0, 1, 3, 2},
    [ST_HEXAHEDRON] = {0, 1, 3, 2, 4, 5, 7, 6},
};

static void element_weights(st_element kind, const st_real f[3], st_real w[NODES_MAX]) {
    const st_real x = f[0], y = f[1], z = f[2];

    switch (kind) {
    case ST_EDGE: w[0] = 1 - x, w[1] = x; break;
    case ST_TRIANGLE: w[0] = 1 - x - y, w[1] = x, w[2] = y; break;
    case ST_QUAD: w[0] = (1 - x) * (1 - y), w[1] = x * (1 - y), w[2] = x * y, w[3] = (1 - x) * y; break;
    case ST_TETRAHEDRON: w[0] = 1 - x - y - z, w[1] = x, w[2] = y, w[3] = z; break;
    default:
        // trilinear
        w[0] = (1 - x) * (1 - y) * (1 - z), w[1] = x * (1 - y) * (1 - z);

        w[2] = x * y * (1 - z), w[3] = (1 - x) * y * (1 - z);
        w[4] = (1 - x) * (1 - y) * z, w[5] = x * (1 - y) * z;
        w[6] = x * y * z, w[7] = (1 - x) * y * z;
    }
}

// Appends the row of the next point.
static st_status barycentric_rows_add_row(builder *self, st_element kind, const uint32_t *nodes, const st_real f[3]) {
    const size_t size = st_element_size[kind];
    st_real w[NODES_MAX], weights[NODES_MAX];
    uint32_t ordered[NODES_MAX];

    if (!isfinite(f[0] + f[1] + f[2]))
        return st_invalid(self->object, "point %zu has no coordinates in its element: is the element flat?",
                          st_barycentric_count(self->rows));

    element_weights(kind, f, w);

    // nodes in the order in which sums run
    for (size_t k = 0; k < size; k++) {
        const size_t node = self->in_node_order ? k : (size_t)summation_order[kind][k];
        ordered[k] = nodes[node];
        weights[k] = w[node];
    }

    return st_barycentric_rows_add(self->rows, size, ordered, weights) ? ST_OK : ST_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------------
// Which element carries a point
// ---------------------------------------------------------------------------------------------------

static st_status check_nodes(builder *self, const st_uints *elements, st_element kind,
                             const st_barycentric_places *at) {
    return st_mapping_check_vertices(self->object, elements, st_element_size[kind], at->node_count);
}

static st_status map_to_grid(builder *self, const st_regular_grid *grid, const st_barycentric_places *at) {
    const size_t points = st_grid_points(&grid->grid);

    // a grid carries points by its cells, whatever was done to the parent's positions
    if (st_grid_cells(&grid->grid) == 0)
        return st_invalid(self->object, "the grid of the parent has no cells: a flat one carries no points");
    if (points > at->node_count)
        return st_invalid(self->object, "the grid has %zu points, but the parent state only %zu", points,
                          at->node_count);

    for (size_t i = 0; i < at->count; i++) {
        st_real f[3];
        uint32_t corners[8];
        st_grid_cell_corners(&grid->grid, st_regular_grid_find_nearest_cell(grid, at->points + i * at->stride, f),
                             corners);

        const st_status status = barycentric_rows_add_row(self, ST_HEXAHEDRON, corners, f);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

static st_status map_to_sparse_grid(builder *self, const st_sparse_grid *grid, const st_barycentric_places *at) {
    const st_sparse_level *level = st_sparse_grid_level(grid);

    if (level->points.count > at->node_count)
        return st_invalid(self->object, "the grid has %zu points, but the parent state only %zu", level->points.count,
                          at->node_count);

    st_sparse_search search = st_sparse_search_of(grid);
    st_status status = ST_OK;
    for (size_t i = 0; status == ST_OK && i < at->count; i++) {
        st_real f[3];
        size_t cell;

        // outside of all cells it is the nearest one that the search gives
        if (!st_sparse_search_find(&search, at->points + i * at->stride, &cell, f)) status = ST_OUT_OF_MEMORY;
        else if (cell == SIZE_MAX) status = st_invalid(self->object, "no cell can be found for point %zu", i);
        else status = barycentric_rows_add_row(self, ST_HEXAHEDRON, level->hexahedra.data + 8 * cell, f);
    }

    st_sparse_search_free(&search);
    return status;
}

static st_status map_to_edges(builder *self, st_topology *topology, const st_barycentric_places *at) {
    const st_uints *edges = st_topology_elements(topology, ST_EDGE);
    st_edge_search search = {0};
    st_status status = check_nodes(self, edges, ST_EDGE, at);
    if (status != ST_OK) return status;

    status = st_edge_search_create(&search, edges, at->nodes) ? ST_OK : ST_OUT_OF_MEMORY;

    // the foot of each point, or the last edge
    for (size_t i = 0; status == ST_OK && i < at->count; i++) {
        st_real f[3] = {0, 0, 0};
        const size_t edge = st_edge_search_find(&search, at->points + i * at->stride, f);

        status = barycentric_rows_add_row(self, ST_EDGE, edges->data + 2 * edge, f);
    }

    st_edge_search_free(&search);
    return status;
}

// By the rule of cubes where they have a side, else by the search alone.
static st_status map_to_cells(builder *self, const st_cell_search *search, st_real side,
                              const st_barycentric_places *at) {
    for (size_t i = 0; i < at->count; i++) {
        st_real f[3] = {0, 0, 0};
        const st_real *p = at->points + i * at->stride;

        // with cubes by the rule of containers
        const size_t cell = side > 0 ? st_cell_hash_find(search, side, p, f) : st_cell_search_find(search, p, f);
        if (cell == SIZE_MAX) return st_invalid(self->object, "no element can be found for point %zu", i);

        const st_status status =
            barycentric_rows_add_row(self, search->cells.data[cell].kind, search->cells.data[cell].nodes, f);
        if (status != ST_OK) return status;
        if (self->in_node_order && !st_list_push(&self->rows->cells, (uint32_t)cell)) return ST_OUT_OF_MEMORY;
    }
    return ST_OK;
}

// Elements of two kinds, those of the first before those of the second.
static st_status map_to_searched(builder *self, st_topology *topology, const st_element kinds[2],
                                 const st_barycentric_places *at) {
    st_cell_search search = {0};
    st_status status = ST_OK;

    // both kinds are cells of one search, in the order in which ties are decided
    for (int i = 0; status == ST_OK && i < 2; i++) {
        const st_uints *elements = st_topology_elements(topology, kinds[i]);
        status = check_nodes(self, elements, kinds[i], at);
        if (status == ST_OK && !st_cell_search_add(&search, kinds[i], elements, at->nodes)) status = ST_OUT_OF_MEMORY;
    }

    if (status == ST_OK && !st_cell_search_finish(&search, at->nodes)) status = ST_OUT_OF_MEMORY;
    if (status == ST_OK) status = map_to_cells(self, &search, 0, at);

    st_cell_search_free(&search);
    return status;
}

// Volumes where there are any, else surfaces, else edges.
static st_status map_to_mesh(builder *self, st_topology *topology, const st_barycentric_places *at) {
    static const st_element kinds[2][2] = {{ST_TETRAHEDRON, ST_HEXAHEDRON}, {ST_TRIANGLE, ST_QUAD}};

    // volumes, then surfaces
    for (int level = 0; level < 2; level++)
        if (st_topology_elements(topology, kinds[level][0])->count +
                st_topology_elements(topology, kinds[level][1])->count >
            0)
            return map_to_searched(self, topology, kinds[level], at);

    // then edges
    if (st_topology_elements(topology, ST_EDGE)->count) return map_to_edges(self, topology, at);

    return st_invalid(self->object, "the topology '%s' has no elements that could carry points",
                      topology->object.name ? topology->object.name : "");
}

enum { FEW_POINTS = 8 }; // for which no search over all elements is made

// Each point by the elements near it. ST_NOT_FOUND: one of them needs the search over all.
static st_status map_few(builder *self, const st_uints *elements, st_element kind, st_real side,
                         const st_barycentric_places *at) {
    uint32_t cells[FEW_POINTS];
    st_real f[FEW_POINTS][3];
    st_status status = ST_OK;

    for (size_t i = 0; status == ST_OK && i < at->count; i++)
        status = st_cell_hash_find_near(kind, elements, at->nodes, side, at->points + i * at->stride, f[i], &cells[i]);

    for (size_t i = 0; status == ST_OK && i < at->count; i++) {
        status = barycentric_rows_add_row(self, kind, elements->data + cells[i] * st_element_size[kind], f[i]);
        if (status == ST_OK && !st_list_push(&self->rows->cells, cells[i])) status = ST_OUT_OF_MEMORY;
    }
    return status;
}

static st_status map_to_hashed(builder *self, st_topology *topology, st_element kind, const st_barycentric_places *at) {
    const st_uints *elements = st_topology_elements(topology, kind), *edges = st_topology_elements(topology, ST_EDGE);
    st_status status = check_nodes(self, elements, kind, at);
    if (status == ST_OK) status = check_nodes(self, edges, ST_EDGE, at);
    if (status != ST_OK) return status;

    // containers sum over nodes in their own order
    self->in_node_order = true;
    self->rows->kind = kind;

    // a few points, as after a small change; cubes are as large as the mean edge
    st_cell_search search = {.transpose = true};
    if (edges->count && at->count <= FEW_POINTS) {
        status = map_few(self, elements, kind, st_cell_hash_side(&search, edges, at->nodes), at);
        if (status != ST_NOT_FOUND) return status;
    }

    bool ok = st_cell_search_add(&search, kind, elements, at->nodes);
    const st_real side = ok ? st_cell_hash_side(&search, edges, at->nodes) : 0;
    ok = ok && st_cell_search_divide(&search, side, at->nodes) && st_cell_search_finish(&search, at->nodes);
    status = ok ? map_to_cells(self, &search, side, at) : ST_OUT_OF_MEMORY;

    st_cell_search_free(&search);
    return status;
}

// The largest elements that a container holds; edges when there are no others.
static st_element largest_kind(st_topology *topology) {
    static const st_element kinds[] = {ST_HEXAHEDRON, ST_TETRAHEDRON, ST_QUAD, ST_TRIANGLE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (st_topology_elements(topology, kinds[i])->count) return kinds[i];
    return ST_EDGE;
}

// A container is searched by them. One of edges carries nothing: its child gets no points.
static st_status map_to_container(builder *self, st_topology *topology, const st_barycentric_places *at) {
    const st_element kind = largest_kind(topology);
    if (kind != ST_EDGE) return map_to_hashed(self, topology, kind, at);

    if (st_topology_elements(topology, ST_EDGE)->count == 0) return map_to_mesh(self, topology, at);

    st_message(self->object, ST_WARNING,
               "a container of edges carries no points: the child will have none (a MeshTopology of edges would do)");
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------

static st_status map_to(builder *self, st_topology *topology, const st_barycentric_places *at) {
    // grids by their own geometry
    if (st_is_a(&topology->object, &st_regular_grid_topology_class))
        return map_to_grid(self, (const st_regular_grid *)topology, at);
    const st_sparse_grid *sparse = st_sparse_grid_of(topology);
    if (sparse) return map_to_sparse_grid(self, sparse, at);

    if (st_is_a(&topology->object, &st_point_set_topology_container_class)) return map_to_container(self, topology, at);
    return map_to_mesh(self, topology, at);
}

st_status st_barycentric_rows_make(st_barycentric_rows *rows, st_object *object, st_topology *topology,
                                   const st_barycentric_places *at) {
    builder self = {.rows = rows, .object = object};
    rows->cells.count = 0;
    st_status status = st_barycentric_rows_begin(rows) ? map_to(&self, topology, at) : ST_OUT_OF_MEMORY;
    if (status == ST_OK) return ST_OK;

    rows->start.count = 0;
    return status == ST_OUT_OF_MEMORY ? st_invalid(object, "out of memory for the coordinates of its points") : status;
}

void st_barycentric_rows_free(st_barycentric_rows *rows) {
    st_list_free(&rows->start);
    st_list_free(&rows->nodes);
    st_list_free(&rows->weights);
    st_list_free(&rows->cells);
}

// ---------------------------------------------------------------------------------------------------
// Changes of a container
// ---------------------------------------------------------------------------------------------------

void st_barycentric_rows_restored(st_barycentric_rows *rows, st_topology *topology) {
    rows->kind = largest_kind(topology);
}

void st_barycentric_rows_edited(st_barycentric_rows *rows, const st_edits *edits) {
    if (rows->cells.count == 0 || rows->cells.count != st_barycentric_count(rows)) return;
    bool cells = false, points = false;
    for (size_t i = 0; i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        cells = cells || (edit->what != ST_EDIT_ADDED && edit->kind == (int)rows->kind);
        points = points || (edit->what != ST_EDIT_ADDED && edit->kind == ST_POINT);
    }

    for (size_t i = 0; cells && i < rows->cells.count; i++)
        if (rows->cells.data[i] != ST_INVALID_INDEX)
            rows->cells.data[i] = st_edits_number(edits, (int)rows->kind, rows->cells.data[i]);
    for (size_t i = 0; points && i < rows->nodes.count; i++)
        if (rows->nodes.data[i] != ST_INVALID_INDEX)
            rows->nodes.data[i] = st_edits_number(edits, ST_POINT, rows->nodes.data[i]);
}

// The places of those points alone that have no element.
static st_real *lost_points(const st_barycentric_rows *rows, const st_barycentric_places *at, size_t *count) {
    *count = 0;
    for (size_t i = 0; i < rows->cells.count; i++) *count += rows->cells.data[i] == ST_INVALID_INDEX;
    st_real *points = st_alloc(*count, 3 * sizeof *points);

    for (size_t i = 0, k = 0; points && i < rows->cells.count; i++)
        if (rows->cells.data[i] == ST_INVALID_INDEX) st_copy_reals(points + 3 * k++, at->points + i * at->stride, 3);
    return points;
}

st_status st_barycentric_rows_repair(st_barycentric_rows *rows, st_object *object, st_topology *topology,
                                     const st_barycentric_places *at) {
    const bool usable = rows->cells.count == at->count && at->count == st_barycentric_count(rows) &&
                        st_topology_elements(topology, rows->kind)->count > 0;
    if (!usable) return st_barycentric_rows_make(rows, object, topology, at);

    size_t lost = 0;
    st_real *points = lost_points(rows, at, &lost);
    if (!points) return st_invalid(object, "out of memory for the coordinates of its points");

    // the search is for these points alone
    st_barycentric_rows found = {0};
    st_barycentric_places some = *at;
    some.points = points, some.count = lost, some.stride = 3;
    st_status status = lost ? st_barycentric_rows_make(&found, object, topology, &some) : ST_OK;
    if (status == ST_OK && lost && (found.cells.count != lost || found.kind != rows->kind))
        status = st_barycentric_rows_make(rows, object, topology, at);
    else if (status == ST_OK)
        for (size_t i = 0, k = 0, size = st_element_size[rows->kind]; i < rows->cells.count; i++) {
            if (rows->cells.data[i] != ST_INVALID_INDEX) continue;
            rows->cells.data[i] = found.cells.data[k];
            memcpy(rows->nodes.data + i * size, found.nodes.data + k * size, size * sizeof *found.nodes.data);
            st_copy_reals(rows->weights.data + i * size, found.weights.data + k++ * size, size);
        }

    st_barycentric_rows_free(&found);
    st_free(points);
    return status;
}
