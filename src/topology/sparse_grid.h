// Sparse grids: of a regular grid only the cells that touch a closed surface or lie inside it.
//
// A grid may have virtual finer levels, each with cells of half the size. The finest is classified against the surface;
// each coarser one keeps the cells that have a kept cell among their eight children. The last level is the grid itself.
//
// In a ramified grid a coarse cell that holds several pieces of matter which do not touch each other inside it becomes
// several hexahedra, which lie in the same place but have points of their own. Two hexahedra of neighboring cells share
// the points of their common face only when their pieces are joined through it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_SPARSE_GRID_H
#define SETTEE_TOPOLOGY_SPARSE_GRID_H

#include "math/box_tree.h"
#include "topology/lattice.h"
#include "topology/mesh_topology.h"

// A surface of polygons: facet i has the corners start[i] to start[i + 1]. Every corner is a point that exists.
typedef struct st_facets {
    st_reals points; // Vec3
    st_uints corners, start;
} st_facets;

static inline size_t st_facets_count(const st_facets *facets) {
    return facets->start.count ? facets->start.count - 1 : 0;
}
bool st_facets_add(st_facets *facets, const uint32_t *corners, size_t count);
void st_facets_free(st_facets *facets);
// Reads points and polygons of an .obj or .trian file. False: an error was sent.
bool st_facets_read(st_facets *facets, st_object *object, const char *path);

// An image: which of its voxels are full, x fastest.
typedef struct st_voxels {
    int32_t n[3];
    st_real size[3];
    ST_LIST(uint8_t) full;
} st_voxels;
// A .raw file of n bytes, a .voxel file of text. False: an error was sent.
bool st_voxels_read_raw(st_voxels *voxels, st_object *object, const char *path);
bool st_voxels_read_text(st_voxels *voxels, st_object *object, const char *path);

// What loaders of images have.
typedef struct st_voxel_loader {
    st_object object;
    int32_t resolution[3];
    st_real voxel_size[3];
    st_uints index_in_grid; // numbers of the active voxels
    st_uints values;        // and their values
    int32_t n[3];           // `resolution` when they were found
} st_voxel_loader;
extern const st_class st_voxel_loader_class;
// The image of a loader in the node or above it. False: there is none.
bool st_voxels_of_loader(st_voxels *voxels, const st_node *node);

typedef enum st_cell_type { ST_CELL_OUTSIDE, ST_CELL_INSIDE, ST_CELL_BOUNDARY } st_cell_type;

// What is known of every cell of a lattice.
typedef struct st_sparse_cells {
    uint8_t *type; // st_cell_type
    float *stiffness, *mass;
} st_sparse_cells;

typedef struct st_sparse_level {
    st_lattice lattice;
    // Per hexahedron
    st_uints hexahedra; // 8 points each
    ST_LIST(uint8_t) type;
    ST_LIST(float) stiffness, mass; // coefficients
    st_uints cell;                  // of the lattice
    st_uints children; // 8 of the next finer level, ST_INVALID_INDEX where there is none; empty on the finest
    st_uints parent;   // of the next coarser level; empty on the coarsest
    st_uints links;    // of a ramified level: (hexahedron, axis, the one before it along that axis), sorted
    // Per cell of the lattice
    st_uints first;  // its first hexahedron; those of one cell follow each other. ST_INVALID_INDEX: none
    st_uints number; // its place among the kept cells
    // Per point
    st_reals points; // Vec3
} st_sparse_level;

typedef struct st_sparse_grid {
    st_mesh_topology mesh;
    int32_t n[3];
    st_real min[3], max[3];
    st_real cell_width;
    bool fill_weighted, only_inside_cells;
    int32_t virtual_levels;
    st_strings facets;
    int32_t data_resolution[3];
    st_real voxel_size[3];
    uint32_t marching_cube_step, convolution_size;
    bool finest_connectivity; // of ramified grids
    // Made at init
    bool built, ramified, from_voxels;
    st_sparse_level *levels; // the finest first; the last is the grid itself
    size_t level_count;
} st_sparse_grid;

extern const st_class st_sparse_grid_topology_class;
extern const st_class st_sparse_grid_ramification_topology_class;

// The grid behind a topology; NULL when it is not a sparse one.
const st_sparse_grid *st_sparse_grid_of(const st_topology *topology);
// Level 0 is the finest, that of level_count - 1 the grid itself.
static inline const st_sparse_level *st_sparse_grid_level(const st_sparse_grid *grid) {
    return &grid->levels[grid->level_count - 1];
}

// A search for the hexahedra that carry points.
typedef struct st_sparse_search {
    const st_sparse_grid *grid;
    size_t level; // on which hexahedra are looked for
    bool up;      // what was found there is taken up to the grid itself
    // Made for the first point outside
    bool ready;
    st_reals centers;   // of the hexahedra that points outside can belong to
    st_uints hexahedra; // their numbers
    st_point_tree tree;
} st_sparse_search;

// On one level.
st_sparse_search st_sparse_search_on(const st_sparse_grid *grid, size_t level);
// As a mapping asks: on the grid itself, or, where it is ramified, from the finest level up.
st_sparse_search st_sparse_search_of(const st_sparse_grid *grid);
// The hexahedron that holds p, or the nearest one when there is none, and the coordinates of p in it; SIZE_MAX when the
// grid is empty. False: out of memory.
bool st_sparse_search_find(st_sparse_search *search, const st_real p[3], size_t *hexahedron, st_real local[3]);
void st_sparse_search_free(st_sparse_search *search);

// --- how a grid is made

// Cells that the surface touches become boundary, those that it separates from the rim of the lattice inside. Returns
// the number of points outside the lattice, SIZE_MAX when out of memory.
size_t st_sparse_classify(const st_lattice *lattice, const st_facets *surface, uint8_t *type);
// Does a triangle touch the cube of side 1 around the origin?
bool st_triangle_touches_cube(const float corners[3][3]);

// Makes a level of the cells that are kept, boundary before inside. False, here and below: out of memory.
bool st_sparse_level_finest(st_sparse_level *level, const st_sparse_cells *cells, bool only_inside);
// Makes the next coarser level.
bool st_sparse_level_coarsen(st_sparse_level *coarse, st_sparse_level *fine);
// The same for a ramified grid; `last_child` reproduces a defect (see the compatibility table). Fine links are needed.
bool st_sparse_level_coarsen_ramified(st_sparse_level *coarse, st_sparse_level *fine, bool last_child);
void st_sparse_level_free(st_sparse_level *level);
// For both: the kept cells of the coarser lattice, with one hexahedron each. `by_number`: the number of a finer cell is
// taken for that of its hexahedron, which is part of the defect.
bool st_sparse_level_keep_cells(st_sparse_level *coarse, const st_sparse_level *fine, bool by_number);
// The child of a cell: lattice cell of the finer level, SIZE_MAX where there is none.
size_t st_sparse_child(const st_sparse_level *coarse, const st_sparse_level *fine, size_t cell, int child);

// Links kept cells of the finest level with their neighbors: all of them, or, with surfaces, boundary cells only where
// one of them crosses their common face.
bool st_sparse_level_link(st_sparse_level *level, const st_facets *surfaces, size_t count);
// Gives every hexahedron points of its own, and joins those of linked ones.
bool st_sparse_level_ramify(st_sparse_level *level);

// For the classes: makes all levels and fills the topology. Of several surfaces each has its coefficients.
typedef struct st_sparse_source {
    const st_facets *surfaces;
    size_t surface_count;
    const st_real *stiffness, *mass; // one of each surface; NULL: 1 inside, ½ (or 1, when not weighted) on the boundary
    bool erase_previous;
    const st_facets *joining; // the surfaces that join boundary cells where they cross their common face
    size_t joining_count;
    const st_voxels *voxels; // instead of surfaces
    bool scaled;             // voxels are brought to the n cells of the grid, otherwise each is one
    bool ramified;
} st_sparse_source;
st_status st_sparse_grid_build(st_sparse_grid *grid, const st_sparse_source *source);
// For `init`: `fill` builds the grid, once.
st_status st_sparse_grid_init(st_sparse_grid *grid, st_status (*fill)(st_sparse_grid *));

#endif
