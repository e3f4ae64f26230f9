// GridTopology: the connectivity of nx × ny × nz points, without geometry of its own.
//
// Lists, each in loops over z, y, x with x fastest:
//   hexahedra   one per cell
//   quads       all in planes XY, then XZ, then YZ
//   triangles   two per quad: (0 1 2) and (0 2 3)
//   edges       those of the triangles, one diagonal per quad among them; without triangles the lines along x, y, z
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/grid.h"

#include "base/array.h"
#include "topology/recipes.h"
#include "topology/tables.h"

// More points than this is taken for a mistake: the lists of such a grid fill several gigabytes.
enum { MAX_POINTS = 1 << 24 };

static const st_field fields[] = {
    ST_FIELD(st_grid, n, "n", st_type_int3, "2 2 2", "number of points along x, y and z"),
    ST_FIELD(st_grid, n_axis[0], "nx", st_type_int, "0", "points along x; nx, ny and nz together replace n",
             .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_grid, n_axis[1], "ny", st_type_int, "0", "points along y", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_grid, n_axis[2], "nz", st_type_int, "0", "points along z", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_grid, compute_hexahedra, "computeHexaList", st_type_bool, "1", "make the list of hexahedra"),
    ST_FIELD(st_grid, compute_quads, "computeQuadList", st_type_bool, "1", "make the list of quads"),
    ST_FIELD(st_grid, compute_triangles, "computeTriangleList", st_type_bool, "1", "make the list of triangles"),
    ST_FIELD(st_grid, compute_edges, "computeEdgeList", st_type_bool, "1", "make the list of edges"),
    ST_FIELD(st_grid, compute_points, "computePointList", st_type_bool, "1", "make the list of positions"),
    ST_FIELD(st_grid, create_tex_coords, "createTexCoords", st_type_bool, "0", "make texture coordinates",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Size
// ---------------------------------------------------------------------------------------------------

static void set_default_size(st_grid *grid) {
    for (int i = 0; i < 3; i++) grid->n[i] = 2;
}

static bool too_many_points(const int32_t n[3]) {
    const uint64_t xy = (uint64_t)n[0] * (uint64_t)n[1];
    return xy > MAX_POINTS || xy * (uint64_t)n[2] > MAX_POINTS;
}

st_status st_grid_check_size(st_grid *grid) {
    st_object *object = &grid->mesh.topology.object;

    // nx, ny and nz together take precedence over n
    bool given = true;
    for (int i = 0; i < 3; i++) given = given && st_is_set(object, &grid->n_axis[i]);
    for (int i = 0; i < 3 && given; i++) grid->n[i] = grid->n_axis[i];

    const int32_t *n = grid->n;

    // a size that cannot be used is replaced, not refused, as SOFA does
    if (n[0] < 1 || n[1] < 1 || n[2] < 1) {
        st_message(object, ST_WARNING, "n = %d %d %d must be at least 1 along each axis: 2 2 2 is used", n[0], n[1],
                   n[2]);
        set_default_size(grid);
    } else if (too_many_points(n)) {
        st_message(object, ST_ERROR, "n = %d %d %d is more than %d points: 2 2 2 is used", n[0], n[1], n[2],
                   MAX_POINTS);
        set_default_size(grid);
    }
    return ST_OK;
}

static st_status grid_topology_parse(st_object *object) { return st_grid_check_size((st_grid *)object); }

// ---------------------------------------------------------------------------------------------------
// Lists
// ---------------------------------------------------------------------------------------------------

void st_grid_cell_corners(const st_grid *grid, size_t cell, uint32_t corners[8]) {
    const size_t nx = (size_t)grid->n[0] - 1, ny = (size_t)grid->n[1] - 1;
    const int32_t x = (int32_t)(cell % nx), y = (int32_t)(cell / nx % ny), z = (int32_t)(cell / nx / ny);

    for (int i = 0; i < 8; i++) {
        const int *corner = st_hexahedron_corners[i];
        corners[i] = st_grid_point_index(grid, x + corner[0], y + corner[1], z + corner[2]);
    }
}

static bool make_hexahedra(const st_grid *grid, st_uints *hexahedra) {
    if (!st_list_set_count(hexahedra, st_grid_cells(grid), 8)) return false;
    for (size_t cell = 0; cell < hexahedra->count; cell++) st_grid_cell_corners(grid, cell, hexahedra->data + 8 * cell);
    return true;
}

// Quads in the planes spanned by two axes; lines where the second axis is missing (-1).
static bool make_plane(const st_grid *grid, st_uints *list, int a, int b) {
    const int width = b < 0 ? 2 : 4;

    // an element of the plane joins (x, y, z), + u, + u + v, + v; there is one fewer of them along each axis it spans
    int32_t end[3] = {grid->n[0], grid->n[1], grid->n[2]}, u[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    end[a]--, u[a] = 1;
    if (b >= 0) end[b]--, v[b] = 1;

    size_t at = list->count;
    if (!st_list_set_count(list, at + (size_t)end[0] * (size_t)end[1] * (size_t)end[2], width)) return false;

    for (int32_t z = 0; z < end[2]; z++)
        for (int32_t y = 0; y < end[1]; y++)
            for (int32_t x = 0; x < end[0]; x++, at++) {
                uint32_t *element = list->data + at * (size_t)width;
                element[0] = st_grid_point_index(grid, x, y, z);
                element[1] = st_grid_point_index(grid, x + u[0], y + u[1], z + u[2]);
                if (b < 0) continue;
                element[2] = st_grid_point_index(grid, x + u[0] + v[0], y + u[1] + v[1], z + u[2] + v[2]);
                element[3] = st_grid_point_index(grid, x + v[0], y + v[1], z + v[2]);
            }
    return true;
}

static bool grid_topology_make_quads(const st_grid *grid, st_uints *quads) {
    return make_plane(grid, quads, 0, 1) && make_plane(grid, quads, 0, 2) && make_plane(grid, quads, 1, 2);
}

static bool make_triangles(const st_uints *quads, st_uints *triangles) {
    if (!st_list_set_count(triangles, 2 * quads->count, 3)) return false;
    for (size_t i = 0; i < quads->count; i++) {
        // (0 1 2) and (0 2 3)
        const uint32_t *q = quads->data + 4 * i;
        const uint32_t pair[6] = {q[0], q[1], q[2], q[0], q[2], q[3]};
        for (int j = 0; j < 6; j++) triangles->data[6 * i + (size_t)j] = pair[j];
    }
    return true;
}

static bool make_edges(st_grid *grid, st_uints *edges) {
    const st_uints *triangles = st_topology_elements(&grid->mesh.topology, ST_TRIANGLE);

    if (triangles->count)
        return st_derive_parts(&grid->mesh.topology, ST_EDGE, &(st_recipe){ST_TRIANGLE, ST_PART_AS_FOUND}, 1);

    return make_plane(grid, edges, 0, -1) && make_plane(grid, edges, 1, -1) && make_plane(grid, edges, 2, -1);
}

static bool make_list(st_grid *grid, st_element kind) {
    st_topology *topology = &grid->mesh.topology;
    st_uints *list = &topology->elements[kind];
    list->count = 0;

    // lists that are switched off are empty, or derived as those of any mesh
    switch (kind) {
    case ST_HEXAHEDRON: return !grid->compute_hexahedra || make_hexahedra(grid, list);
    case ST_QUAD:
        if (grid->compute_quads || grid->compute_triangles) return grid_topology_make_quads(grid, list);
        return st_derive_mesh_elements(topology, kind);
    case ST_TRIANGLE: return !grid->compute_triangles || make_triangles(st_topology_elements(topology, ST_QUAD), list);
    case ST_EDGE: return grid->compute_edges ? make_edges(grid, list) : st_derive_mesh_elements(topology, kind);
    default: return true;
    }
}

static void grid_topology_derive(st_topology *topology, st_element kind) {
    if (make_list((st_grid *)topology, kind)) return;
    topology->elements[kind].count = 0;
    st_message(&topology->object, ST_ERROR, "out of memory while the lists of the grid were made");
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_status make_positions(st_topology *topology) {
    const size_t count = st_topology_points(topology);
    if (!st_resize_member(&topology->object, &topology->position, count)) return ST_OUT_OF_MEMORY;

    for (size_t i = 0; i < count; i++)
        topology->object.type->topology->point(topology, i, topology->position.data + 3 * i);
    st_touch(&topology->object, &topology->position);
    return ST_OK;
}

static st_status grid_topology_init(st_object *object) {
    st_grid *grid = (st_grid *)object;
    st_topology *topology = &grid->mesh.topology;

    st_grid_check_size(grid);
    topology->point_count = st_grid_points(grid);

    // all lists are derived again, each from those before it
    static const st_element kinds[] = {ST_HEXAHEDRON, ST_QUAD, ST_TRIANGLE, ST_EDGE};
    for (int i = 0; i < 4; i++) topology->derived[kinds[i]] = true;
    st_topology_invalidate(topology);
    for (int i = 0; i < 4; i++) st_topology_elements(topology, kinds[i]);

    const bool has_geometry = object->type->topology->point != NULL;
    return has_geometry && grid->compute_points ? make_positions(topology) : ST_OK;
}

static size_t grid_topology_points(const st_topology *topology) { return st_grid_points((const st_grid *)topology); }

static const st_topology_ops ops = {.derive = grid_topology_derive, .points = grid_topology_points};

const st_class st_grid_topology_class = {
    .name = "GridTopology",
    .help = "the connectivity of a grid of points, without geometry of its own",
    .parent = &st_mesh_topology_class,
    .fields = fields,
    .size = sizeof(st_grid),
    .example = "<GridTopology n=\"2 2 1\" position=\"0 0 0  1 0 0  0 1 0  1 1 0\"/>",
    .parse = grid_topology_parse,
    .init = grid_topology_init,
    .topology = &ops,
};
