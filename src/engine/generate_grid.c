// GenerateGrid: a box cut into resolution.x × resolution.y × resolution.z cells, or a rectangle when resolution.z is 0.
//
// Points: x fastest, then y, then z. Cells: x outermost, z innermost; each hexahedron is cut into six tetrahedra, each
// quad into two triangles.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "topology/tables.h"

typedef struct generate_grid {
    st_object object;
    st_real min[3], max[3]; // the first two of a Vec2 grid
    int32_t resolution[3];
    st_reals position;
    st_uints hexahedra, tetrahedra, quads, triangles;
} generate_grid;

static const st_field fields[] = {
    ST_INPUT(generate_grid, min, "min", st_type_coord, NULL, "smallest coordinates"),
    ST_INPUT(generate_grid, max, "max", st_type_coord, NULL, "largest coordinates"),
    ST_INPUT(generate_grid, resolution, "resolution", st_type_int3, "3 3 3",
             "number of cells along x, y and z; z = 0: a flat grid"),
    ST_OUTPUT(generate_grid, position, "output_position", st_type_coords, "points", .aliases = "position"),
    ST_OUTPUT(generate_grid, hexahedra, "hexahedra", st_type_hexahedra, "cells of a solid grid"),
    ST_OUTPUT(generate_grid, tetrahedra, "tetrahedra", st_type_tetrahedra, "six for each hexahedron"),
    ST_OUTPUT(generate_grid, quads, "quads", st_type_quads, "cells of a flat grid"),
    ST_OUTPUT(generate_grid, triangles, "triangles", st_type_triangles, "two for each quad"),
    ST_FIELDS_END,
};

static bool generate_grid_check(generate_grid *engine, size_t cells[3]) {
    static const char axis[] = "xyz";
    double points = 1;

    for (int i = 0; i < 3; i++) {
        const bool flat = i == 2 && (engine->resolution[2] <= 0 || st_engine_width(&engine->object) == 2);
        if (i < 2 && engine->resolution[i] < 1)
            st_message(&engine->object, ST_ERROR, "resolution along %c is %ld: 1 is used", axis[i],
                       (long)engine->resolution[i]);

        // one layer of points along z makes a flat grid
        cells[i] = flat ? 0 : engine->resolution[i] < 1 ? 1 : (size_t)engine->resolution[i];
        points *= (double)(cells[i] + 1);
    }

    if (points <= ST_ENGINE_LARGEST) return true;
    st_message(&engine->object, ST_ERROR, "a grid of %g points is too large", points);
    return false;
}

static bool generate_grid_make_points(generate_grid *engine, const size_t cells[3]) {
    const size_t width = st_engine_width(&engine->object);
    st_real step[3] = {0, 0, 0};
    for (size_t i = 0; i < width; i++)
        if (cells[i]) step[i] = (engine->max[i] - engine->min[i]) / (st_real)cells[i];

    // x fastest
    for (size_t k = 0; k <= cells[2]; k++)
        for (size_t j = 0; j <= cells[1]; j++)
            for (size_t i = 0; i <= cells[0]; i++) {
                const size_t at[3] = {i, j, k};
                st_real p[3];
                for (size_t a = 0; a < width; a++) p[a] = engine->min[a] + (st_real)at[a] * step[a];
                if (!st_push_reals(&engine->position, p, width)) return false;
            }
    return true;
}

// The four points of the layer k at cell (i, j), around the cell.
static void cell_layer(const size_t cells[3], size_t i, size_t j, size_t k, uint32_t v[4]) {
    const size_t row = cells[0] + 1, first = i + row * (j + (cells[1] + 1) * k);
    v[0] = (uint32_t)first;
    v[1] = (uint32_t)(first + 1);
    v[2] = (uint32_t)(first + row + 1);
    v[3] = (uint32_t)(first + row);
}

static bool add_hexahedron(generate_grid *engine, const uint32_t h[8]) {
    if (!st_push_uints(&engine->hexahedra, h, 8)) return false;

    for (int t = 0; t < 6; t++) {
        const int *corner = st_hexahedron_tetrahedra[t];
        const uint32_t v[4] = {h[corner[0]], h[corner[1]], h[corner[2]], h[corner[3]]};
        if (!st_push_uints(&engine->tetrahedra, v, 4)) return false;
    }
    return true;
}

static bool add_quad(generate_grid *engine, const uint32_t q[4]) {
    const uint32_t first[3] = {q[0], q[1], q[3]}, second[3] = {q[3], q[1], q[2]};
    return st_push_uints(&engine->quads, q, 4) && st_push_uints(&engine->triangles, first, 3) &&
           st_push_uints(&engine->triangles, second, 3);
}

static bool make_cells(generate_grid *engine, const size_t cells[3]) {
    uint32_t h[8];
    for (size_t i = 0; i < cells[0]; i++)
        for (size_t j = 0; j < cells[1]; j++) {
            cell_layer(cells, i, j, 0, h);
            if (cells[2] == 0 && !add_quad(engine, h)) return false;

            // the vertices of two layers in the order of a hexahedron
            for (size_t k = 0; k < cells[2]; k++) {
                cell_layer(cells, i, j, k, h);
                cell_layer(cells, i, j, k + 1, h + 4);
                if (!add_hexahedron(engine, h)) return false;
            }
        }
    return true;
}

static void generate_grid_update(st_object *object) {
    generate_grid *engine = (generate_grid *)object;
    size_t cells[3];
    engine->position.count = engine->hexahedra.count = engine->tetrahedra.count = engine->quads.count =
        engine->triangles.count = 0;

    const bool usable = generate_grid_check(engine, cells);
    st_engine_done(object, !usable || (generate_grid_make_points(engine, cells) && make_cells(engine, cells)));
}

const st_class st_generate_grid_class = {
    .name = "GenerateGrid",
    .help = "makes a grid of hexahedra and tetrahedra, or of quads and triangles",
    .parent = &st_engine_class,
    .templates = "Vec3 Vec2",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(generate_grid),
    .example = "<GenerateGrid name=\"grid\" min=\"0 0 0\" max=\"2 1 1\" resolution=\"4 2 2\"/>\n"
               "<MechanicalObject position=\"@grid.position\"/>\n"
               "<MeshTopology position=\"@grid.position\" hexahedra=\"@grid.hexahedra\"/>",
    .update = generate_grid_update,
};
