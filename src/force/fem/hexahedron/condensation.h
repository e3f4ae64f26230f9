// Hexahedra of a sparse grid whose stiffness and mass come from finer cells within them.
//
// A cell of a level is made of up to eight cells of the next finer one, on a lattice of 27 points, index x + 3 y + 9 z.
// With W (27 x 8 for each axis) the motion of the lattice when the corners of the cell move, and P_w the rows of W for
// the corners of child w,
//
//     K = Σ children w that are there  P_wᵀ K_w P_w,        the same for M,
//
// from the finest level used up to the grid itself. W is either trilinear, or that of the body at rest with its corners
// moved (`composite`):
//
//     K_ff q_f + K_fg q_g = 0,        f the 19 points that are no corners, g the eight corners,
//
// missing children being taken as nearly rigid there; of the solution the entries remain that couple a point, along the
// same axis, with the corners of the edge or face it lies on, divided by their sum.
//
// In a ramified grid a cell may be one of several pieces. Its children are then the members of that piece, several at
// one place if need be; a point of the lattice has as many nodes as its children have points there, and what is
// superimposed on a corner moves with that corner.
//
// In one step W is that of all points of the finest cells, (2^levels + 1)³, with K_ff of all of them; of the solution
// the same entries remain.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_HEXAHEDRON_CONDENSATION_H
#define SETTEE_FORCE_FEM_HEXAHEDRON_CONDENSATION_H

#include "force/fem/hexahedron/hexahedron_mass.h"
#include "topology/sparse_grid.h"

typedef struct st_condensation {
    const st_sparse_grid *grid;
    size_t finest;                    // the finest level used
    bool composite;                   // W from the stiffness of the cells
    bool crossed;                     // weights for mappings couple different axes, too
    bool ramified;                    // cells have the members of their pieces as children
    bool one_step;                    // all finest cells of a hexahedron on one lattice, where none is missing
    bool rounded_filling;             // missing children are as rigid as SOFA's, see st_condensation_rigid_cell
    bool mass_by_stiffness;           // the mass of finest cells follows their stiffness coefficient
    st_real poisson;                  // for those
    st_real mass;                     // of a full cell of the finest level
    st_real pattern[ST_MASS_PATTERN]; // of its inertia
} st_condensation;

typedef struct st_condensed {
    st_real k[ST_HEXAHEDRON_ENTRIES];
    st_real m[ST_MASS_PATTERN];
} st_condensed;

// Stiffness and inertia of one hexahedron of the grid with these nodes. False, here and below: out of memory.
bool st_condense(const st_condensation *condensation, size_t hexahedron, const st_real nodes[24], st_hooke hooke,
                 st_condensed *result);

// For every cell of the finest level within the hexahedron: the motion of its corners (24 scalars) as a function of
// that of the hexahedron's, row by row.
typedef void st_condensation_take(void *user, size_t fine, const st_real weights[ST_HEXAHEDRON_ENTRIES]);
bool st_condensation_weights(const st_condensation *condensation, size_t hexahedron, const st_real nodes[24],
                             st_hooke hooke, st_condensation_take *take, void *user);

// What missing children are for the weights of a composite: a cell so stiff that it does not deform beside any real
// one. With six digits for each entry, as SOFA has it, the rows do not add up to 0: the cell is tied to its place.
void st_condensation_rigid_cell(bool rounded, st_real k[ST_HEXAHEDRON_ENTRIES]);

#endif
