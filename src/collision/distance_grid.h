// A grid of signed distances to a closed surface: negative inside.
//
// Nodes beside the surface have the distance to it along the axes; from there distances go on from node to node, so that
// they are lengths of paths along the axes, as in SOFA, and not Euclidean. Between nodes they are interpolated.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_DISTANCE_GRID_H
#define SETTEE_COLLISION_DISTANCE_GRID_H

#include "settee/plugin/component.h"

typedef struct st_distance_grid {
    size_t n[3];             // nodes along x, y and z
    st_real min[3], max[3];  // of the grid
    st_real cell[3];         // size of a cell
    st_real inverse[3];      // of it
    st_reals distances;      // of the nodes, x fastest
    st_reals points;         // Vec3: of the surface
    st_real low[3], high[3]; // box around the points
} st_distance_grid;

// What a component asks for.
typedef struct st_distance_grid_recipe {
    const char *file; // .obj, .raw (reals of 8 bytes, with a box), .vtk, or #cube
    st_real scale;
    st_real sampling; // 0: points are the vertices; < 0: from every so many nodes; > 0: from a lattice of this step
    const st_real *box;
    uint32_t n[3];
} st_distance_grid_recipe;

// False, with an error in the name of the object: the file cannot be read, or out of memory.
bool st_distance_grid_make(st_distance_grid *grid, st_object *object, const st_distance_grid_recipe *recipe);
void st_distance_grid_free(st_distance_grid *grid);
// As .raw or .vtk, unless the scene may not write files. False: a message was sent.
bool st_distance_grid_write(const st_distance_grid *grid, st_object *object, const char *path);

// --- between the files that make a grid

// Nodes between two corners, with room for their distances.
bool st_distance_grid_shape(st_distance_grid *grid, st_object *object, const st_real low[3], const st_real high[3],
                            const uint32_t n[3]);
bool st_distance_grid_read_raw(st_distance_grid *grid, st_object *object, const st_distance_grid_recipe *recipe);
bool st_distance_grid_read_vtk(st_distance_grid *grid, st_object *object, const st_distance_grid_recipe *recipe);

// Trilinear; beyond the border it goes on as in the last cell.
st_real st_distance_grid_interpolate(const st_distance_grid *grid, const st_real p[3]);
// Differences of nodes, interpolated. They are not divided by the size of a cell: its length is about that of a cell.
void st_distance_grid_gradient(const st_distance_grid *grid, const st_real p[3], st_real gradient[3]);
// Its direction, of length 1. False: there the gradient is rounding, as on an edge of a body whose nodes lie on it.
bool st_distance_grid_direction(const st_distance_grid *grid, const st_real p[3], st_real direction[3]);
bool st_distance_grid_holds(const st_distance_grid *grid, const st_real p[3]); // a little inside of the border
bool st_distance_grid_near(const st_distance_grid *grid, const st_real p[3], st_real margin); // of the points' box
// The distance anywhere: outside of the grid, to its border and from there on.
st_real st_distance_grid_evaluate(const st_distance_grid *grid, const st_real p[3]);

#endif
