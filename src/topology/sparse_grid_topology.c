// SparseGridTopology: the cells of a regular grid that touch a closed surface or lie inside it.
//
//     box    the surface's, wider by 1 % of its size on each side, unless min and max are given
//     cells  n - 1 along each axis; boundary cells first, then inside ones, x fastest
//     points the corners of kept cells, in the order of x, then y, then z
//
// Each cell has coefficients of stiffness and mass: ½ for boundary cells when fillWeighted, else 1; with virtual finer
// levels the mean of its eight children, 0 for those that are missing.
//
// How a grid is made, at init or when a component asks for its points before that:
//   1. the voxels of a loader or file, or else the surface of the file or of the attributes
//   2. the box, the number of cells, and the lattice of the finest level
//   3. the finest level: its cells are classified and weighted (sparse_classify.c), linked with their neighbors where
//      the grid is ramified (sparse_ramify.c), and get points (sparse_level.c)
//   4. each coarser level from the one before it
//   5. the lists of the topology, which are those of the coarsest level
//
// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "math/vec3.h"
#include "scene/compat.h"
#include "scene/scene.h"
#include "topology/sparse_grid.h"

// More cells than this on the finest level is taken for a mistake.
enum { MAX_CELLS = 1 << 22, MAX_LEVELS = 20 };

static const st_field fields[] = {
    ST_FIELD(st_sparse_grid, n, "n", st_type_int3, "2 2 2", "number of points along x, y and z; at least 2"),
    ST_FIELD(st_sparse_grid, min, "min", st_type_vec3, "0 0 0",
             "one corner; with max: the surface's box when both are 0"),
    ST_FIELD(st_sparse_grid, max, "max", st_type_vec3, "0 0 0", "the opposite corner"),
    ST_FIELD(st_sparse_grid, cell_width, "cellWidth", st_type_real, "0",
             "when not 0, the number of points is ceil((max - min) / cellWidth) + 1"),
    ST_FIELD(st_sparse_grid, fill_weighted, "fillWeighted", st_type_bool, "1", "cells on the boundary count half"),
    ST_FIELD(st_sparse_grid, only_inside_cells, "onlyInsideCells", st_type_bool, "0", "drop the cells on the boundary"),
    ST_FIELD(st_sparse_grid, virtual_levels, "nbVirtualFinerLevels", st_type_int, "0",
             "finer grids, each with half the cell size, by which cells are chosen and weighted"),
    ST_FIELD(st_sparse_grid, facets, "facets", st_type_map, NULL, "polygons of the surface, one per line"),
    ST_FIELD(st_sparse_grid, data_resolution, "dataResolution", st_type_int3, "0 0 0", "voxels of a .raw file"),
    ST_FIELD(st_sparse_grid, voxel_size, "voxelSize", st_type_vec3, "1 1 1", "size of a voxel"),
    ST_FIELD(st_sparse_grid, marching_cube_step, "marchingCubeStep", st_type_uint, "1",
             "no surface is made from voxels", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_sparse_grid, convolution_size, "convolutionSize", st_type_uint, "0", "no surface is made from voxels",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Surfaces and voxels
// ---------------------------------------------------------------------------------------------------

bool st_facets_add(st_facets *facets, const uint32_t *corners, size_t count) {
    const size_t old = facets->corners.count;

    if (count == 0) return true;

    if (facets->start.count == 0 && !st_list_push(&facets->start, 0)) return false;
    if (!st_list_set_count(&facets->corners, old + count, 1)) return false;

    st_copy_bytes(facets->corners.data + old, corners, count * sizeof *corners);
    return st_list_push(&facets->start, (uint32_t)(old + count));
}

void st_facets_free(st_facets *facets) {
    st_list_free(&facets->points);
    st_list_free(&facets->corners);
    st_list_free(&facets->start);
}

static bool all_exist(const uint32_t *corners, size_t count, size_t points) {
    for (size_t i = 0; i < count; i++)
        if (corners[i] >= points) return false;
    return true;
}

static bool add_elements(st_facets *facets, const st_uints *list, size_t size, size_t *wrong) {
    bool ok = true;

    for (size_t e = 0; ok && e < list->count; e++) {
        const uint32_t *v = list->data + e * size;
        if (all_exist(v, size, facets->points.count)) ok = st_facets_add(facets, v, size);
        else ++*wrong;
    }
    return ok;
}

// A line "a b c ...", with or without brackets.
static bool add_line(st_facets *facets, const char *line, size_t *wrong) {
    st_uints corners = {0};
    bool ok = true;

    while (ok && *line) {
        // whatever is not a digit separates numbers
        char *end = NULL;
        if (!isdigit((unsigned char)*line)) {
            line++;
            continue;
        }

        const unsigned long value = strtoul(line, &end, 10);
        ok = st_list_push(&corners, value < UINT32_MAX ? (uint32_t)value : ST_INVALID_INDEX);
        line = end;
    }

    // a facet with a wrong corner is counted and left out
    if (ok && all_exist(corners.data, corners.count, facets->points.count))
        ok = st_facets_add(facets, corners.data, corners.count);
    else ++*wrong;

    st_list_free(&corners);
    return ok;
}

static st_status surface_of_lists(st_sparse_grid *grid, st_facets *surface) {
    const st_topology *topology = &grid->mesh.topology;
    size_t wrong = 0;
    bool ok = st_list_set_count(&surface->points, topology->position.count, 3);
    if (ok) st_copy_reals(surface->points.data, topology->position.data, 3 * topology->position.count);

    // facets first, then triangles and quads
    for (size_t i = 0; ok && i < grid->facets.count; i++) ok = add_line(surface, grid->facets.data[i], &wrong);
    ok = ok && add_elements(surface, &topology->elements[ST_TRIANGLE], 3, &wrong) &&
         add_elements(surface, &topology->elements[ST_QUAD], 4, &wrong);

    if (wrong)
        st_message(&topology->object, ST_ERROR, "%zu faces of the surface have corners beyond its %zu points", wrong,
                   surface->points.count);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

// The surface that the attributes give.
static st_status find_surface(st_sparse_grid *grid, st_facets *surface) {
    st_topology *topology = &grid->mesh.topology;

    if (topology->filename && *topology->filename)
        return st_facets_read(surface, &topology->object, topology->filename) ? ST_OK : ST_INVALID;
    return surface_of_lists(grid, surface);
}

// ---------------------------------------------------------------------------------------------------
// The lattice
// ---------------------------------------------------------------------------------------------------

static bool is_zero(const st_real v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

static void sparse_grid_topology_grow(st_real low[3], st_real high[3], const st_reals *points) {
    for (size_t i = 0; i < points->count; i++)
        for (int a = 0; a < 3; a++) {
            low[a] = st_min(low[a], points->data[3 * i + (size_t)a]);
            high[a] = st_max(high[a], points->data[3 * i + (size_t)a]);
        }
}

static void find_box(st_sparse_grid *grid, const st_sparse_source *source) {
    // a box that is given stays
    if (!is_zero(grid->min) || !is_zero(grid->max)) return;
    st_real low[3] = {ST_REAL_MAX, ST_REAL_MAX, ST_REAL_MAX}, high[3] = {-ST_REAL_MAX, -ST_REAL_MAX, -ST_REAL_MAX};

    // 1 % of its size more on each side
    for (size_t i = 0; i < source->surface_count; i++)
        sparse_grid_topology_grow(low, high, &source->surfaces[i].points);

    for (int a = 0; a < 3; a++) {
        const st_real margin = (high[a] - low[a]) / 100;
        grid->min[a] = low[a] - margin;
        grid->max[a] = high[a] + margin;
    }
}

static void find_voxel_box(st_sparse_grid *grid, const st_sparse_source *source) {
    const st_voxels *voxels = source->voxels;

    for (int a = 0; a < 3; a++) {
        const st_real side = voxels->size[a] * (st_real)voxels->n[a];

        // scaled voxels fill the n cells of the grid; otherwise each is a cell, in a box of whole numbers
        grid->min[a] = 0;
        grid->max[a] = source->scaled ? side : trunc(side);
        if (!source->scaled) grid->n[a] = voxels->n[a] + 1;
    }
}

static void find_size(st_sparse_grid *grid) {
    for (int a = 0; a < 3; a++) {
        // cellWidth takes precedence over n
        if (grid->cell_width != 0) {
            const st_real count = ceil((grid->max[a] - grid->min[a]) / grid->cell_width) + 1;
            grid->n[a] =
                count >= 2 ? (int32_t)st_min(count, (st_real)1e9) : 2; // far too many are reported by make_lattice
        }

        if (grid->n[a] < 2) grid->n[a] = 2;
    }
}

// The lattice of the finest level: (n - 1) 2^levels cells along each axis.
static st_status make_lattice(st_sparse_grid *grid, st_lattice *lattice) {
    st_object *object = &grid->mesh.topology.object;
    uint64_t cells = 1;

    for (int a = 0; a < 3; a++) {
        const st_real side = grid->max[a] - grid->min[a];
        if (!isfinite(side) || side == 0)
            return st_invalid(object, "its box from %g to %g along axis %d has no volume", (double)grid->min[a],
                              (double)grid->max[a], a);

        // cells on the finest level, checked while they are multiplied so that nothing overflows
        const uint64_t fine = (uint64_t)(grid->n[a] - 1) << grid->virtual_levels;
        if (fine > MAX_CELLS || (cells *= fine) > MAX_CELLS)
            return st_invalid(object, "n = %d %d %d with %d finer levels is more than %d cells", grid->n[0], grid->n[1],
                              grid->n[2], grid->virtual_levels, MAX_CELLS);

        lattice->n[a] = (int32_t)fine + 1;
        lattice->p0[a] = grid->min[a];
        lattice->step[a] = side / (st_real)fine;

        if (!(fabs(lattice->step[a]) > 0)) return st_invalid(object, "its cells have no size along axis %d", a);
    }
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Cells
// ---------------------------------------------------------------------------------------------------

static void weight_cells(const st_sparse_grid *grid, st_sparse_cells *cells, size_t count) {
    for (size_t i = 0; i < count; i++)
        cells->stiffness[i] = cells->mass[i] = cells->type[i] == ST_CELL_BOUNDARY && grid->fill_weighted ? 0.5f : 1.0f;
}

static void fill_voxels(const st_sparse_source *source, const st_lattice *lattice, uint8_t *type) {
    const st_voxels *voxels = source->voxels;

    memset(type, ST_CELL_OUTSIDE, st_lattice_cells(lattice));

    for (size_t i = 0; i < voxels->full.count; i++) {
        if (!voxels->full.data[i]) continue;

        // the cell in which the voxel begins
        size_t rest = i;
        int32_t at[3];
        for (int a = 0; a < 3; a++) {
            const size_t n = (size_t)voxels->n[a], cells = (size_t)lattice->n[a] - 1;
            at[a] = (int32_t)(rest % n * cells / n);
            rest /= n;
        }

        type[st_lattice_cell(lattice, at)] = ST_CELL_INSIDE;
    }
}

static void report_lost(const st_sparse_grid *grid, size_t lost) {
    if (lost) st_message(&grid->mesh.topology.object, ST_ERROR, "%zu points of the surface lie outside the grid", lost);
}

// One surface over those before it.
static void add_surface(const st_sparse_grid *grid, const st_sparse_source *source, size_t surface, const uint8_t *type,
                        st_sparse_cells *cells, size_t count) {
    const float stiffness = (float)source->stiffness[surface], mass = (float)source->mass[surface];

    for (size_t i = 0; i < count; i++) {
        if (type[i] == ST_CELL_OUTSIDE) continue;

        // matter inside covers what was there before
        if (type[i] == ST_CELL_INSIDE || !grid->fill_weighted) {
            cells->type[i] = ST_CELL_INSIDE;
            cells->stiffness[i] = stiffness;
            cells->mass[i] = mass;
            continue;
        }

        // on the boundary both share the cell
        if (cells->type[i] == ST_CELL_OUTSIDE) cells->type[i] = ST_CELL_BOUNDARY;
        cells->stiffness[i] = source->erase_previous ? stiffness : (cells->stiffness[i] + stiffness) * 0.5f;
        cells->mass[i] = source->erase_previous ? mass : (cells->mass[i] + mass) * 0.5f;
    }
}

static bool classify_all(const st_sparse_grid *grid, const st_sparse_source *source, const st_lattice *lattice,
                         st_sparse_cells *cells) {
    const size_t count = st_lattice_cells(lattice);
    uint8_t *type = st_alloc(count, 1);
    bool ok = type != NULL;

    memset(cells->type, ST_CELL_OUTSIDE, count);

    // surface by surface: later ones cover or share the cells of former ones
    for (size_t i = 0; ok && i < source->surface_count; i++) {
        const size_t lost = st_sparse_classify(lattice, &source->surfaces[i], type);
        ok = lost != SIZE_MAX;
        if (!ok) break;

        report_lost(grid, lost);
        add_surface(grid, source, i, type, cells, count);
    }
    st_free(type);
    return ok;
}

static bool classify(const st_sparse_grid *grid, const st_sparse_source *source, const st_lattice *lattice,
                     st_sparse_cells *cells) {
    if (source->stiffness) return classify_all(grid, source, lattice, cells);

    if (source->voxels) fill_voxels(source, lattice, cells->type);
    else {
        const size_t lost = st_sparse_classify(lattice, source->surfaces, cells->type);
        if (lost == SIZE_MAX) return false;
        report_lost(grid, lost);
    }

    weight_cells(grid, cells, st_lattice_cells(lattice));
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Levels
// ---------------------------------------------------------------------------------------------------

static bool make_finest(st_sparse_grid *grid, const st_sparse_source *source, st_sparse_level *level) {
    const size_t count = st_lattice_cells(&level->lattice);
    st_sparse_cells cells = {.type = st_alloc(count, 1),
                             .stiffness = st_alloc(count, sizeof *cells.stiffness),
                             .mass = st_alloc(count, sizeof *cells.mass)};
    bool ok = cells.type && cells.stiffness && cells.mass && classify(grid, source, &level->lattice, &cells) &&
              st_sparse_level_finest(level, &cells, grid->only_inside_cells);

    // neighbors are looked up only where some coarser level, or the points, depend on them
    const bool linked = source->ramified && (grid->finest_connectivity || grid->virtual_levels > 0);
    if (ok && linked)
        ok = st_sparse_level_link(level, source->joining,
                                  grid->finest_connectivity && !source->voxels ? source->joining_count : 0);

    // with finestConnectivity the finest level has points of its own, too
    if (ok && linked && grid->finest_connectivity) {
        level->points.count = 0;
        ok = st_sparse_level_ramify(level);
    }

    st_free(cells.type);
    st_free(cells.stiffness);
    st_free(cells.mass);
    return ok;
}

static bool make_levels(st_sparse_grid *grid, const st_sparse_source *source, const st_lattice *lattice) {
    const bool last_child = st_compat_on(grid->mesh.topology.object.scene, ST_COMPAT_RAMIFIED_COEFFICIENTS);

    grid->level_count = (size_t)grid->virtual_levels + 1;
    grid->levels = st_alloc(grid->level_count, sizeof *grid->levels);
    if (!grid->levels) return false;

    grid->levels[0].lattice = *lattice;

    bool ok = make_finest(grid, source, grid->levels);

    // each level from the one before it
    for (size_t i = 1; ok && i < grid->level_count; i++) {
        st_sparse_level *fine = &grid->levels[i - 1], *coarse = &grid->levels[i];
        ok = source->ramified ? st_sparse_level_coarsen_ramified(coarse, fine, last_child)
                              : st_sparse_level_coarsen(coarse, fine);
    }
    return ok;
}

static void free_levels(st_sparse_grid *grid) {
    for (size_t i = 0; i < grid->level_count && grid->levels; i++) st_sparse_level_free(&grid->levels[i]);
    st_free(grid->levels);
    grid->levels = NULL;
    grid->level_count = 0;
}

// The lists of the topology: those of the surface make room for those of the grid.
static bool fill_topology(st_sparse_grid *grid) {
    st_topology *topology = &grid->mesh.topology;
    const st_sparse_level *level = grid->level_count ? st_sparse_grid_level(grid) : NULL;
    const size_t points = level ? level->points.count : 0, count = level ? level->hexahedra.count : 0;

    // what the lists followed would undo them
    st_unlink_field(&topology->object, &topology->position);
    st_topology_clear(topology);

    if (!st_list_set_count(&topology->position, points, 3) ||
        !st_list_set_count(&topology->elements[ST_HEXAHEDRON], count, 8))
        return false;

    if (points) st_copy_reals(topology->position.data, level->points.data, 3 * points);
    if (count)
        st_copy_bytes(topology->elements[ST_HEXAHEDRON].data, level->hexahedra.data, 8 * count * sizeof(uint32_t));

    topology->point_count = points;
    st_touch(&topology->object, &topology->position);
    st_touch(&topology->object, &topology->elements[ST_HEXAHEDRON]);
    return true;
}

st_status st_sparse_grid_build(st_sparse_grid *grid, const st_sparse_source *source) {
    st_object *object = &grid->mesh.topology.object;
    st_lattice lattice = {0};

    // attributes that are out of range
    if (grid->virtual_levels < 0 || grid->virtual_levels > MAX_LEVELS)
        return st_invalid(object, "nbVirtualFinerLevels = %d must be between 0 and %d", grid->virtual_levels,
                          MAX_LEVELS);
    if (!(grid->cell_width >= 0))
        return st_invalid(object, "cellWidth = %g must not be negative", (double)grid->cell_width);

    // box and number of cells
    if (source->voxels) find_voxel_box(grid, source);
    else find_box(grid, source);
    find_size(grid);

    grid->ramified = source->ramified;
    grid->from_voxels = source->voxels != NULL;

    const st_status status = make_lattice(grid, &lattice);
    if (status != ST_OK) return status;

    if (make_levels(grid, source, &lattice) && fill_topology(grid)) return ST_OK;

    // out of memory: an empty grid, with all lists consistent
    free_levels(grid);
    fill_topology(grid);
    return st_invalid(object, "out of memory for its cells");
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// Voxels of a loader, or of the file when it is one of voxels; false: none, and *failed when there should be.
static bool find_voxels(st_sparse_grid *grid, st_sparse_source *source, st_voxels *voxels, bool *failed) {
    st_object *object = &grid->mesh.topology.object;
    const char *path = grid->mesh.topology.filename;

    source->scaled = true;

    if (st_voxels_of_loader(voxels, object->node)) return true;

    if (st_text_ends_with(path, ".voxel")) {
        source->scaled = false;
        *failed = !st_voxels_read_text(voxels, object, path);
    } else if (st_text_ends_with(path, ".raw")) {
        // the file has no header: attributes give its size
        for (int a = 0; a < 3; a++) {
            voxels->n[a] = grid->data_resolution[a];
            voxels->size[a] = grid->voxel_size[a];
        }
        *failed = !st_voxels_read_raw(voxels, object, path);
    } else return false;

    return !*failed;
}

static st_status sparse_grid_topology_build(st_sparse_grid *grid) {
    st_object *object = &grid->mesh.topology.object;
    st_sparse_source source = {.ramified = st_is_a(object, &st_sparse_grid_ramification_topology_class)};
    st_facets surface = {0};
    st_voxels voxels = {0};
    bool failed = false;
    st_status status = ST_OK;

    // voxels take precedence over a surface
    if (find_voxels(grid, &source, &voxels, &failed)) source.voxels = &voxels;
    else status = failed ? ST_INVALID : find_surface(grid, &surface);

    if (status == ST_OK && !source.voxels && surface.points.count == 0)
        status =
            st_invalid(object, "there is no surface: give a filename, or position with triangles, quads or facets");

    source.surfaces = source.joining = &surface;
    source.surface_count = source.joining_count = 1;
    if (status == ST_OK) status = st_sparse_grid_build(grid, &source);

    st_facets_free(&surface);
    st_list_free(&voxels.full);
    return status;
}

// Once: the lists of the surface are not there any more the second time.
st_status st_sparse_grid_init(st_sparse_grid *grid, st_status (*fill)(st_sparse_grid *)) {
    st_object *object = &grid->mesh.topology.object;

    if (grid->built) return grid->level_count ? ST_OK : ST_INVALID;

    // links of the surface's lists are followed a last time
    grid->built = true;
    st_pull(object);

    const st_status status = fill(grid);
    if (status == ST_OUT_OF_MEMORY) st_message(object, ST_ERROR, "out of memory for the surface");
    if (status != ST_OK) fill_topology(grid);
    return status;
}

static st_status sparse_grid_topology_init(st_object *object) {
    return st_sparse_grid_init((st_sparse_grid *)object, sparse_grid_topology_build);
}

// Whoever asks before it was initialized gets the grid, not the surface.
static void ensure_built(const st_topology *topology) {
    st_object *object = (st_object *)(uintptr_t)&topology->object;
    if (!((const st_sparse_grid *)topology)->built && object->type->init(object) != ST_OK) object->validity = ST_BROKEN;
}

static size_t sparse_grid_topology_points(const st_topology *topology) {
    ensure_built(topology);
    return topology->position.count;
}

static bool sparse_grid_topology_point(const st_topology *topology, size_t index, st_real p[3]) {
    ensure_built(topology);

    if (index >= topology->position.count) return false;
    st_vec3_copy(p, topology->position.data + 3 * index);
    return true;
}

static void sparse_grid_topology_derive(st_topology *topology, st_element kind) {
    if (kind == ST_HEXAHEDRON) ensure_built(topology);
}

static st_status sparse_grid_topology_parse(st_object *object) {
    ((st_topology *)object)->derived[ST_HEXAHEDRON] = true;
    return ST_OK;
}

static void sparse_grid_topology_destroy(st_object *object) {
    free_levels((st_sparse_grid *)object);
    st_topology_class.destroy(object);
}

// ---------------------------------------------------------------------------------------------------
// Search
// ---------------------------------------------------------------------------------------------------

const st_sparse_grid *st_sparse_grid_of(const st_topology *topology) {
    if (!topology || !st_is_a(&topology->object, &st_sparse_grid_topology_class)) return NULL;
    ensure_built(topology);
    const st_sparse_grid *grid = (const st_sparse_grid *)topology;
    return grid->level_count ? grid : NULL;
}

static const st_sparse_level *level_of(const st_sparse_search *search) { return &search->grid->levels[search->level]; }

st_sparse_search st_sparse_search_on(const st_sparse_grid *grid, size_t level) {
    return (st_sparse_search){.grid = grid, .level = level};
}

st_sparse_search st_sparse_search_of(const st_sparse_grid *grid) {
    const bool up = grid->ramified && grid->level_count > 1;
    return (st_sparse_search){.grid = grid, .level = up ? 0 : grid->level_count - 1, .up = up};
}

void st_sparse_search_free(st_sparse_search *search) {
    st_list_free(&search->centers);
    st_list_free(&search->hexahedra);
    st_point_tree_free(&search->tree);
}

// Points outside belong to hexahedra on the boundary, unless they are voxels.
static bool sparse_grid_topology_prepare(st_sparse_search *search) {
    const st_sparse_level *level = level_of(search);

    for (size_t h = 0; h < level->hexahedra.count; h++) {
        if (!search->grid->from_voxels && level->type.data[h] != ST_CELL_BOUNDARY) continue;

        const uint32_t *v = level->hexahedra.data + 8 * h;
        const size_t at = search->hexahedra.count;
        if (!st_list_push(&search->hexahedra, (uint32_t)h) || !st_list_set_count(&search->centers, at + 1, 3))
            return false;

        // the center of a box is the middle of its diagonal
        for (size_t i = 0; i < 3; i++)
            search->centers.data[3 * at + i] =
                (level->points.data[3 * (size_t)v[0] + i] + level->points.data[3 * (size_t)v[6] + i]) / 2;
    }

    search->ready = st_point_tree_create(&search->tree, search->centers.data, search->hexahedra.count, 3, 3);
    return search->ready;
}

// Distances are compared in single precision.
static st_real as_float(st_real square) { return (st_real)(float)square; }

static bool find_nearest(st_sparse_search *search, const st_real p[3], size_t *hexahedron, st_real local[3]) {
    const st_sparse_level *level = level_of(search);
    st_neighbor nearest;

    *hexahedron = SIZE_MAX;

    // a squared distance of 1e8 or more counts as nothing found
    if (!search->ready && !sparse_grid_topology_prepare(search)) return false;
    if (st_point_tree_nearest(&search->tree, p, as_float, 1, &nearest) == 0 || !(nearest.key < ST_R(99999999.0f)))
        return true;

    *hexahedron = search->hexahedra.data[nearest.point];

    // coordinates in the hexahedron, below 0 or above 1
    const uint32_t *v = level->hexahedra.data + 8 * *hexahedron;
    for (size_t i = 0; i < 3; i++) {
        const st_real low = level->points.data[3 * (size_t)v[0] + i], high = level->points.data[3 * (size_t)v[6] + i];
        local[i] = (p[i] - low) / (high - low);
    }
    return true;
}

bool st_sparse_search_find(st_sparse_search *search, const st_real p[3], size_t *hexahedron, st_real local[3]) {
    const st_sparse_level *level = level_of(search);
    const size_t cell = st_lattice_find(&level->lattice, p, local);
    *hexahedron = cell == SIZE_MAX || level->first.data[cell] == ST_INVALID_INDEX ? SIZE_MAX : level->first.data[cell];

    // a point in a cell that is not kept belongs to the nearest one that is
    if (*hexahedron == SIZE_MAX && !find_nearest(search, p, hexahedron, local)) return false;

    if (!search->up || *hexahedron == SIZE_MAX) return true;

    // From the finest level up to the grid itself.
    for (size_t i = 0; i + 1 < search->grid->level_count; i++)
        *hexahedron = search->grid->levels[i].parent.data[*hexahedron];
    st_lattice_find_nearest(&st_sparse_grid_level(search->grid)->lattice, p, local);
    return true;
}

static const st_topology_ops ops = {
    .derive = sparse_grid_topology_derive, .points = sparse_grid_topology_points, .point = sparse_grid_topology_point};

const st_class st_sparse_grid_topology_class = {
    .name = "SparseGridTopology",
    .help = "the cells of a regular grid that touch a closed surface or lie inside it",
    .parent = &st_mesh_topology_class,
    .fields = fields,
    .size = sizeof(st_sparse_grid),
    .example = "<SparseGridTopology n=\"4 4 4\" position=\"0 0 0  1 0 0  0 1 0  0 0 1\" triangles=\"0 2 1  0 1 3  0 3 "
               "2  1 2 3\"/>",
    .parse = sparse_grid_topology_parse,
    .init = sparse_grid_topology_init,
    .destroy = sparse_grid_topology_destroy,
    .topology = &ops,
};

// ---------------------------------------------------------------------------------------------------
// Ramified grids
// ---------------------------------------------------------------------------------------------------

static const st_field ramification_fields[] = {
    ST_FIELD(st_sparse_grid, finest_connectivity, "finestConnectivity", st_type_bool, "1",
             "two cells on the boundary are joined only where the surface crosses the face between them"),
    ST_FIELDS_END,
};

const st_class st_sparse_grid_ramification_topology_class = {
    .name = "SparseGridRamificationTopology",
    .help = "a sparse grid in which a cell with several pieces of matter that do not touch becomes several cells",
    .parent = &st_sparse_grid_topology_class,
    .fields = ramification_fields,
    .size = sizeof(st_sparse_grid),
    .example = "<SparseGridRamificationTopology n=\"3 3 3\" nbVirtualFinerLevels=\"1\" "
               "position=\"0 0 0  1 0 0  0 1 0  0 0 1\" triangles=\"0 2 1  0 1 3  0 3 2  1 2 3\"/>",
};
