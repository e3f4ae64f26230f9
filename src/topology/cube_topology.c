// CubeTopology: points, edges and quads on the surface of a box.
//
//     point (x, y, z) = min + (x d_x, y d_y, z d_z),   d = (max - min) / (n - 1), 0 along an axis with one layer
//
// Points are numbered in one of three ways:
//   internalPoints   all, x + nx (y + ny z); so, too, when there is one layer along some axis
//   default          layer z = 0, layer z = nz - 1, then the ring of each layer between: its rows y = 0 and y = ny - 1,
//                    then its columns x = 0 and x = nx - 1 without their ends
//   splitNormals     each face has its own: X0, Y0, Z0, X1, Y1, Z1
// Quads look outward. Edges are met in loops over z, y, x, those on the surface along x, then y, then z.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/cube.h"

#include "base/array.h"
#include "math/vec3.h"

enum { MAX_POINTS = 1 << 24 };

static const st_field fields[] = {
    ST_FIELD(st_cube, n[0], "nx", st_type_int, "0", "number of points along x"),
    ST_FIELD(st_cube, n[1], "ny", st_type_int, "0", "number of points along y"),
    ST_FIELD(st_cube, n[2], "nz", st_type_int, "0", "number of points along z"),
    ST_FIELD(st_cube, min, "min", st_type_vec3, "0 0 0", "one corner"),
    ST_FIELD(st_cube, max, "max", st_type_vec3, "1 1 1", "the opposite corner"),
    ST_FIELD(st_cube, x_range[0], "xmin", st_type_float, "0",
             "corners in single precision; all six together replace min and max", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_cube, x_range[1], "xmax", st_type_float, "1", "see xmin", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_cube, y_range[0], "ymin", st_type_float, "0", "see xmin", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_cube, y_range[1], "ymax", st_type_float, "1", "see xmin", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_cube, z_range[0], "zmin", st_type_float, "0", "see xmin", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_cube, z_range[1], "zmax", st_type_float, "1", "see xmin", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_cube, scale, "scale", st_type_float, "1", "factor of xmin ... zmax", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_cube, internal_points, "internalPoints", st_type_bool, "0", "number the points inside, too"),
    ST_FIELD(st_cube, split_normals, "splitNormals", st_type_bool, "0", "each face has points of its own"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Numbers of points
// ---------------------------------------------------------------------------------------------------

// Faces in the order in which splitNormals numbers their points; ANY where points are shared.
typedef enum plane { X0, Y0, Z0, X1, Y1, Z1, ANY } plane;

static size_t face_points(const st_cube *c, plane p) {
    const size_t n[3] = {(size_t)c->n[0], (size_t)c->n[1], (size_t)c->n[2]};
    return n[0] * n[1] * n[2] / n[p % 3];
}

static bool is_full(const st_cube *c) { return c->internal_points || c->n[0] <= 1 || c->n[1] <= 1 || c->n[2] <= 1; }

static size_t point_count(const st_cube *c) {
    const size_t nx = (size_t)c->n[0], ny = (size_t)c->n[1], nz = (size_t)c->n[2];

    if (nx == 0 || ny == 0 || nz == 0) return 0;
    if (c->split_normals) return 2 * (face_points(c, X0) + face_points(c, Y0) + face_points(c, Z0));
    if (is_full(c)) return nx * ny * nz;
    return 2 * nx * ny + (2 * nx + 2 * ny - 4) * (nz - 2);
}

static size_t split_index(const st_cube *c, const size_t at[3], plane p) {
    const size_t n[3] = {(size_t)c->n[0], (size_t)c->n[1], (size_t)c->n[2]};
    size_t start = 0;
    for (int before = X0; before < (int)p; before++) start += face_points(c, (plane)before);

    switch (p % 3) {
    case 0: return start + at[1] + n[1] * at[2];
    case 1: return start + at[0] + n[0] * at[2];
    default: return start + at[0] + n[0] * at[1];
    }
}

static size_t ring_index(const st_cube *c, const size_t at[3]) {
    const size_t nx = (size_t)c->n[0], ny = (size_t)c->n[1];
    const size_t start = 2 * nx * ny + (2 * nx + 2 * ny - 4) * (at[2] - 1);

    if (at[1] == 0) return start + at[0];
    if (at[1] == ny - 1) return start + nx + at[0];
    return start + 2 * nx + (at[0] == 0 ? 0 : ny - 2) + at[1] - 1;
}

static uint32_t index_of(const st_cube *c, int32_t x, int32_t y, int32_t z, plane p) {
    const size_t nx = (size_t)c->n[0], ny = (size_t)c->n[1], nz = (size_t)c->n[2];
    const size_t at[3] = {(size_t)x, (size_t)y, (size_t)z};

    if (c->split_normals) return (uint32_t)split_index(c, at, p);
    if (is_full(c)) return (uint32_t)(at[0] + nx * (at[1] + ny * at[2]));
    if (z == 0) return (uint32_t)(at[0] + nx * at[1]);
    if (at[2] == nz - 1) return (uint32_t)(nx * ny + at[0] + nx * at[1]);
    return (uint32_t)ring_index(c, at);
}

// ---------------------------------------------------------------------------------------------------
// Lists
// ---------------------------------------------------------------------------------------------------

static void place_point(const st_cube *c, const int32_t at[3], st_real p[3]) {
    // an axis with one layer has no step
    for (int i = 0; i < 3; i++) {
        const st_real step = c->n[i] > 1 ? (c->max[i] - c->min[i]) / (st_real)(c->n[i] - 1) : 0;
        p[i] = c->min[i] + (st_real)at[i] * step;
    }
}

static bool on_face(const st_cube *c, const int32_t at[3], plane p) {
    return at[p % 3] == (p < X1 ? 0 : c->n[p % 3] - 1);
}

static void put_position(st_cube *c, const int32_t at[3], st_cube_place *place, plane p) {
    st_real *to = c->mesh.topology.position.data + 3 * (size_t)index_of(c, at[0], at[1], at[2], p);
    place(c, at, to);
}

static bool make_positions(st_cube *c, st_cube_place *place) {
    st_topology *topology = &c->mesh.topology;
    const size_t count = point_count(c);

    topology->point_count = count;
    if (!st_resize_member(&topology->object, &topology->position, count)) return false;

    // internal points have a position only in the full numbering; with splitNormals a point has one for each face it is
    // on
    int32_t at[3];
    for (at[2] = 0; at[2] < c->n[2]; at[2]++)
        for (at[1] = 0; at[1] < c->n[1]; at[1]++)
            for (at[0] = 0; at[0] < c->n[0]; at[0]++) {
                bool surface = false;
                for (int p = X0; p <= Z1; p++) {
                    if (!on_face(c, at, (plane)p)) continue;
                    surface = true;
                    if (c->split_normals) put_position(c, at, place, (plane)p);
                }
                if (!c->split_normals && (surface || is_full(c))) put_position(c, at, place, ANY);
            }
    return true;
}

// The face that holds both ends of an edge; ANY when it runs inside.
static plane face_of_edge(const st_cube *c, const int32_t at[3], int axis) {
    for (int p = X0; p <= Z1; p++)
        if (p % 3 != axis && on_face(c, at, (plane)p)) return (plane)p;
    return ANY;
}

static bool make_edges(st_cube *c, st_uints *edges) {
    edges->count = 0;

    // every edge on the surface belongs to the lattice point where it begins
    int32_t at[3];
    for (at[2] = 0; at[2] < c->n[2]; at[2]++)
        for (at[1] = 0; at[1] < c->n[1]; at[1]++)
            for (at[0] = 0; at[0] < c->n[0]; at[0]++)
                for (int axis = 0; axis < 3; axis++) {
                    const plane p = face_of_edge(c, at, axis);
                    if (p == ANY || at[axis] + 1 >= c->n[axis]) continue;
                    int32_t end[3] = {at[0], at[1], at[2]};
                    end[axis]++;

                    const size_t k = 2 * edges->count;
                    if (!st_list_set_count(edges, edges->count + 1, 2)) return false;
                    edges->data[k] = index_of(c, at[0], at[1], at[2], p);
                    edges->data[k + 1] = index_of(c, end[0], end[1], end[2], p);
                }
    return true;
}

// The quads of one face: loops over axis b, then a; `first` is the axis along which the second vertex lies.
static bool cube_topology_add_face(st_cube *c, st_uints *quads, plane p, int a, int b, int first) {
    const int fixed = p % 3, second = first == a ? b : a;
    int32_t at[3];
    at[fixed] = p < X1 ? 0 : c->n[fixed] - 1;

    for (at[b] = 0; at[b] + 1 < c->n[b]; at[b]++)
        // v walks around the cell: corner, first, first + second, second
        for (at[a] = 0; at[a] + 1 < c->n[a]; at[a]++) {
            const size_t k = 4 * quads->count;
            if (!st_list_set_count(quads, quads->count + 1, 4)) return false;
            int32_t v[3] = {at[0], at[1], at[2]};
            quads->data[k] = index_of(c, v[0], v[1], v[2], p);
            v[first]++;
            quads->data[k + 1] = index_of(c, v[0], v[1], v[2], p);
            v[second]++;
            quads->data[k + 2] = index_of(c, v[0], v[1], v[2], p);
            v[first]--;
            quads->data[k + 3] = index_of(c, v[0], v[1], v[2], p);
        }
    return true;
}

static bool cube_topology_make_quads(st_cube *c, st_uints *quads) {
    quads->count = 0;

    static const struct {
        plane face;
        int a, b, first;
    } faces[] = {{Z0, 0, 1, 1}, {Z1, 0, 1, 0}, {Y0, 0, 2, 0}, {Y1, 0, 2, 2}, {X0, 1, 2, 2}, {X1, 1, 2, 1}};

    // a box with one layer along an axis has one face there, not two
    for (size_t i = 0; i < 6; i++) {
        if (faces[i].face >= X1 && c->n[faces[i].face % 3] <= 1) continue;
        if (!cube_topology_add_face(c, quads, faces[i].face, faces[i].a, faces[i].b, faces[i].first)) return false;
    }
    return true;
}

static st_status cube_topology_make_lists(st_cube *c, st_cube_place *place) {
    st_topology *topology = &c->mesh.topology;

    topology->derived[ST_EDGE] = topology->derived[ST_QUAD] = false;
    st_topology_invalidate(topology);

    // points, edges and quads that were given or linked are replaced
    if (!make_positions(c, place) || !make_edges(c, &topology->elements[ST_EDGE]) ||
        !cube_topology_make_quads(c, &topology->elements[ST_QUAD]))
        return st_invalid(&topology->object, "out of memory while the lists of the box were made");

    st_touch(&topology->object, &topology->position);
    st_touch(&topology->object, &topology->elements[ST_EDGE]);
    st_touch(&topology->object, &topology->elements[ST_QUAD]);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Parsing and init
// ---------------------------------------------------------------------------------------------------

static void check_size(st_cube *c) {
    uint64_t points = 1;

    // the product stops growing where it is too large, so that it cannot overflow
    bool negative = false;
    for (int i = 0; i < 3; i++) {
        negative = negative || c->n[i] < 0;
        points = points > MAX_POINTS ? points : points * (uint64_t)(c->n[i] < 0 ? 0 : c->n[i]);
    }

    if (!negative && points <= MAX_POINTS) return;
    st_message(&c->mesh.topology.object, ST_ERROR, "%d × %d × %d points are not possible (0 to %d in all): it is empty",
               c->n[0], c->n[1], c->n[2], MAX_POINTS);
    for (int i = 0; i < 3; i++) c->n[i] = 0;
}

st_status st_cube_parse(st_cube *cube, st_cube_place *place) {
    st_pull(&cube->mesh.topology.object);
    check_size(cube);
    const st_real *const range[3] = {cube->x_range, cube->y_range, cube->z_range};
    st_mesh_apply_ranges(&cube->mesh.topology.object, range, cube->scale, cube->min, cube->max);
    return cube_topology_make_lists(cube, place);
}

st_status st_cube_init(st_cube *cube, st_cube_place *place) {
    check_size(cube);
    const st_status status = st_mesh_topology_class.init(&cube->mesh.topology.object);
    return status == ST_OK ? cube_topology_make_lists(cube, place) : status;
}

static st_status cube_topology_parse(st_object *object) { return st_cube_parse((st_cube *)object, place_point); }
static st_status cube_topology_init(st_object *object) { return st_cube_init((st_cube *)object, place_point); }

const st_class st_cube_topology_class = {
    .name = "CubeTopology",
    .help = "points, edges and quads on the surface of a box",
    .parent = &st_mesh_topology_class,
    .fields = fields,
    .size = sizeof(st_cube),
    .example = "<CubeTopology nx=\"3\" ny=\"3\" nz=\"5\" min=\"0 0 0\" max=\"1 1 2\"/>",
    .parse = cube_topology_parse,
    .init = cube_topology_init,
};
