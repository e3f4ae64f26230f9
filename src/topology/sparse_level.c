// Levels of sparse grids: which cells are kept, and their hexahedra and points.
//
//   finest    1. boundary cells are kept, then inside ones, x fastest
//             2. their corners are numbered by their coordinates: x first, then y, then z
//   coarser   1. the lattice with steps twice as large
//             2. cells are kept that have a kept child, z fastest, with the means of their children's coefficients
//             3. points as on the finest level
//             4. each child knows its parent
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "topology/sparse_grid.h"
#include "topology/tables.h"

void st_sparse_level_free(st_sparse_level *level) {
    st_list_free(&level->hexahedra);
    st_list_free(&level->type);
    st_list_free(&level->stiffness);
    st_list_free(&level->mass);
    st_list_free(&level->cell);
    st_list_free(&level->children);
    st_list_free(&level->parent);
    st_list_free(&level->links);
    st_list_free(&level->first);
    st_list_free(&level->number);
    st_list_free(&level->points);
    *level = (st_sparse_level){0};
}

// ---------------------------------------------------------------------------------------------------
// Cells
// ---------------------------------------------------------------------------------------------------

static bool clear_cells(st_sparse_level *level) {
    const size_t cells = st_lattice_cells(&level->lattice);
    if (!st_list_set_count(&level->first, cells, 1) || !st_list_set_count(&level->number, cells, 1)) return false;

    for (size_t i = 0; i < cells; i++) level->first.data[i] = level->number.data[i] = ST_INVALID_INDEX;
    return true;
}

static bool keep_cell(st_sparse_level *level, size_t cell, uint8_t type, float stiffness, float mass) {
    level->first.data[cell] = level->number.data[cell] = (uint32_t)level->cell.count;
    return st_list_push(&level->cell, (uint32_t)cell) && st_list_push(&level->type, type) &&
           st_list_push(&level->stiffness, stiffness) && st_list_push(&level->mass, mass);
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

static size_t point_index(const st_lattice *lattice, const int32_t at[3]) {
    return (size_t)at[0] + (size_t)lattice->n[0] * ((size_t)at[1] + (size_t)lattice->n[1] * (size_t)at[2]);
}

// Layers of an axis in the order of their coordinates, which is backwards when the step is negative.
static int32_t layer(const st_lattice *lattice, int axis, int32_t i) {
    return lattice->step[axis] < 0 ? lattice->n[axis] - 1 - i : i;
}

// Points are numbered by their coordinates: x first, then y, then z.
static bool number_points(st_sparse_level *level, uint32_t *number) {
    const st_lattice *lattice = &level->lattice;
    int32_t i[3], at[3];
    bool ok = true;

    for (i[0] = 0; ok && i[0] < lattice->n[0]; i[0]++)
        for (i[1] = 0; ok && i[1] < lattice->n[1]; i[1]++)
            for (i[2] = 0; ok && i[2] < lattice->n[2]; i[2]++) {
                for (int a = 0; a < 3; a++) at[a] = layer(lattice, a, i[a]);

                // only points that some hexahedron uses
                uint32_t *entry = &number[point_index(lattice, at)];
                if (!*entry) continue;

                const size_t count = level->points.count;
                ok = st_list_set_count(&level->points, count + 1, 3);
                for (int a = 0; ok && a < 3; a++)
                    level->points.data[3 * count + (size_t)a] = st_lattice_coordinate(lattice, a, at[a]);

                *entry = (uint32_t)count;
            }
    return ok;
}

// Writes the lattice's numbers of the corners, or their new numbers.
static void write_corners(const st_sparse_level *level, size_t h, uint32_t corners[8]) {
    int32_t at[3];
    st_lattice_place(&level->lattice, level->cell.data[h], at);

    for (int c = 0; c < 8; c++) {
        const int *corner = st_hexahedron_corners[c];
        const int32_t place[3] = {at[0] + corner[0], at[1] + corner[1], at[2] + corner[2]};
        corners[c] = (uint32_t)point_index(&level->lattice, place);
    }
}

static bool sparse_level_make_points(st_sparse_level *level) {
    const st_lattice *lattice = &level->lattice;
    const size_t count = level->cell.count;
    uint32_t *number = st_alloc((size_t)lattice->n[0] * (size_t)lattice->n[1] * (size_t)lattice->n[2], sizeof *number);
    bool ok = number && st_list_set_count(&level->hexahedra, count, 8);

    // corners by their numbers in the lattice, each marked as used
    for (size_t h = 0; ok && h < count; h++) {
        uint32_t *corners = level->hexahedra.data + 8 * h;
        write_corners(level, h, corners);
        for (int c = 0; c < 8; c++) number[corners[c]] = 1;
    }

    // then by their numbers among the used ones
    ok = ok && number_points(level, number);
    for (size_t i = 0; ok && i < 8 * count; i++) level->hexahedra.data[i] = number[level->hexahedra.data[i]];

    st_free(number);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// The finest level
// ---------------------------------------------------------------------------------------------------

bool st_sparse_level_finest(st_sparse_level *level, const st_sparse_cells *cells, bool only_inside) {
    static const st_cell_type order[] = {ST_CELL_BOUNDARY, ST_CELL_INSIDE};
    const size_t count = st_lattice_cells(&level->lattice);
    bool ok = clear_cells(level);

    // boundary cells first, as the order of hexahedra is part of the results
    for (int k = only_inside ? 1 : 0; k < 2; k++)
        for (size_t i = 0; ok && i < count; i++)
            if (cells->type[i] == order[k])
                ok = keep_cell(level, i, cells->type[i], cells->stiffness[i], cells->mass[i]);

    return ok && sparse_level_make_points(level);
}

// ---------------------------------------------------------------------------------------------------
// Coarser levels
// ---------------------------------------------------------------------------------------------------

size_t st_sparse_child(const st_sparse_level *coarse, const st_sparse_level *fine, size_t cell, int child) {
    int32_t at[3];
    st_lattice_place(&coarse->lattice, cell, at);

    // child c is at bit 0 of c along x, bit 1 along y, bit 2 along z
    for (int i = 0; i < 3; i++) {
        at[i] = 2 * at[i] + (child >> i & 1);
        if (at[i] >= fine->lattice.n[i] - 1) return SIZE_MAX;
    }

    return st_lattice_cell(&fine->lattice, at);
}

static void coarsen_lattice(st_lattice *coarse, const st_lattice *fine) {
    // an odd number of fine cells leaves a coarse one with four children only
    for (int i = 0; i < 3; i++) {
        coarse->n[i] = fine->n[i] / 2 + 1;
        const st_real max = fine->p0[i] + (st_real)(coarse->n[i] - 1) * 2 * fine->step[i];

        coarse->p0[i] = fine->p0[i];
        coarse->step[i] = (max - fine->p0[i]) / (st_real)(coarse->n[i] - 1);
    }
}

// Inside, when all eight children are there and inside; boundary, when some are there.
static st_cell_type coarse_type(const st_sparse_level *fine, const uint32_t children[8]) {
    size_t there = 0, inside = 0;

    for (int c = 0; c < 8; c++) {
        if (children[c] == ST_INVALID_INDEX) continue;
        there++;
        inside += fine->type.data[children[c]] == ST_CELL_INSIDE;
    }

    return inside == 8 ? ST_CELL_INSIDE : there ? ST_CELL_BOUNDARY : ST_CELL_OUTSIDE;
}

static bool keep_parent(st_sparse_level *coarse, const st_sparse_level *fine, size_t cell, bool by_number) {
    uint32_t children[8];
    float stiffness = 0, mass = 0;

    // sums over the children that are kept
    for (int c = 0; c < 8; c++) {
        const size_t child = st_sparse_child(coarse, fine, cell, c);
        children[c] = child == SIZE_MAX ? ST_INVALID_INDEX : (by_number ? &fine->number : &fine->first)->data[child];
        if (children[c] == ST_INVALID_INDEX) continue;

        stiffness += fine->stiffness.data[children[c]];
        mass += fine->mass.data[children[c]];
    }

    const st_cell_type type = coarse_type(fine, children);
    if (type == ST_CELL_OUTSIDE) return true;

    // means over all eight, missing ones counting 0
    const size_t h = coarse->cell.count;
    if (!keep_cell(coarse, cell, (uint8_t)type, stiffness / 8, mass / 8)) return false;
    if (!st_list_set_count(&coarse->children, h + 1, 8)) return false;
    st_copy_bytes(coarse->children.data + 8 * h, children, sizeof children);
    return true;
}

bool st_sparse_level_keep_cells(st_sparse_level *coarse, const st_sparse_level *fine, bool by_number) {
    coarsen_lattice(&coarse->lattice, &fine->lattice);
    int32_t at[3];
    bool ok = clear_cells(coarse);

    const int32_t *n = coarse->lattice.n;

    // z fastest: the order of coarser levels is not that of the finest
    for (at[0] = 0; ok && at[0] < n[0] - 1; at[0]++)
        for (at[1] = 0; ok && at[1] < n[1] - 1; at[1]++)
            for (at[2] = 0; ok && at[2] < n[2] - 1; at[2]++)
                ok = keep_parent(coarse, fine, st_lattice_cell(&coarse->lattice, at), by_number);
    return ok;
}

bool st_sparse_level_coarsen(st_sparse_level *coarse, st_sparse_level *fine) {
    if (!st_sparse_level_keep_cells(coarse, fine, false) || !sparse_level_make_points(coarse)) return false;

    if (!st_list_set_count(&fine->parent, fine->cell.count, 1)) return false;

    // parents, from the children
    for (size_t i = 0; i < 8 * coarse->cell.count; i++)
        if (coarse->children.data[i] != ST_INVALID_INDEX)
            fine->parent.data[coarse->children.data[i]] = (uint32_t)(i / 8);

    return true;
}
