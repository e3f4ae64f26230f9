// Hexahedra made of finer cells. See condensation.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/hexahedron/condensation.h"

#include "force/fem/generic/shape.h"
#include "math/dense.h"

enum { LATTICE = 27, FREE = 57, SCALARS = 24, CHILDREN = 8 };

// The motion of the lattice with the corners of its cell: one 27 x 8 matrix for each axis, and the solution it comes
// from.
typedef struct lattice_weights {
    st_real w[3][LATTICE][8];
    st_real solution[FREE][SCALARS]; // of a composite: rows are the scalars of points that are no corners
    bool solved;
} lattice_weights;

// ---------------------------------------------------------------------------------------------------
// The lattice
// ---------------------------------------------------------------------------------------------------

// Point of the lattice at corner i of child w (x fastest).
static int lattice_point(int w, int i) {
    int point = 0, step = 1;
    for (int a = 0; a < 3; a++, step *= 3) point += step * ((w >> a & 1) + (st_cube_corners[i][a] > 0 ? 1 : 0));
    return point;
}

static void condensation_place_of(int point, int at[3]) {
    at[0] = point % 3;
    at[1] = point / 3 % 3;
    at[2] = point / 9;
}

// The corner at a point of the lattice; -1 when it is none.
static int corner_at(int point) {
    int at[3];
    condensation_place_of(point, at);

    // lattice places run from 0 to 2, corners are at -1 and 1
    for (int i = 0; i < 8; i++) {
        bool same = true;
        for (int a = 0; a < 3; a++) same = same && at[a] == (st_cube_corners[i][a] > 0 ? 2 : 0);
        if (same) return i;
    }
    return -1;
}

static st_real trilinear(int point, int corner) {
    int at[3];
    st_real weight = 1;
    condensation_place_of(point, at);

    // Π (1 ± ξ) / 2 along the three axes
    for (int a = 0; a < 3; a++) {
        const st_real high = (st_real)at[a] / 2;
        weight *= st_cube_corners[corner][a] > 0 ? high : 1 - high;
    }
    return weight;
}

static void set_trilinear(lattice_weights *weights) {
    for (int a = 0; a < 3; a++)
        for (int p = 0; p < LATTICE; p++)
            for (int i = 0; i < 8; i++) weights->w[a][p][i] = trilinear(p, i);
}

// ---------------------------------------------------------------------------------------------------
// Weights of a composite
// ---------------------------------------------------------------------------------------------------

// A x = b for each column of b, which becomes x. False when A is singular.
static bool condensation_solve(st_real a[FREE][FREE], st_real b[FREE][SCALARS]) {
    uint32_t pivots[FREE];
    st_real column[FREE];
    if (!st_dense_factor(a[0], pivots, FREE)) return false;

    // one factorization for the 24 scalars of the corners
    for (int c = 0; c < SCALARS; c++) {
        for (int r = 0; r < FREE; r++) column[r] = b[r][c];
        st_dense_solve_factored(column, a[0], pivots, FREE);
        for (int r = 0; r < FREE; r++) b[r][c] = column[r];
    }
    return true;
}

// A cell so stiff that it does not deform beside any real one.
static void rigid_cell(st_real k[ST_HEXAHEDRON_ENTRIES]) {
    st_real unit[24];
    for (int i = 0; i < 24; i++) unit[i] = (st_cube_corners[i / 3][i % 3] + 1) / 2;
    st_hexahedron_stiffness(unit, (st_hooke){.diagonal = ST_R(1.02e12), .off_diagonal = 0, .shear = ST_R(5.1e11)}, k);
}

// The free scalars of the lattice, numbered; -1 - scalar of the cell for those of corners.
static void number_scalars(int number[3 * LATTICE]) {
    int next = 0;
    for (int p = 0; p < LATTICE; p++) {
        const int corner = corner_at(p);
        for (int a = 0; a < 3; a++) number[3 * p + a] = corner < 0 ? next++ : -1 - (3 * corner + a);
    }
}

// K_ff and -K_fg of all eight children.
static void condensation_assemble(const uint32_t children[CHILDREN], const st_condensed *condensed,
                                  const st_real rigid[], const int number[], st_real free[FREE][FREE],
                                  st_real given[FREE][SCALARS]) {
    memset(free, 0, sizeof(st_real[FREE][FREE]));
    memset(given, 0, sizeof(st_real[FREE][SCALARS]));

    for (int w = 0; w < CHILDREN; w++) {
        // an absent child counts as a rigid cell
        const st_real *k = children[w] == ST_INVALID_INDEX ? rigid : condensed[w].k;
        for (int i = 0; i < SCALARS; i++) {
            const int row = number[3 * lattice_point(w, i / 3) + i % 3];
            for (int j = 0; j < SCALARS && row >= 0; j++) {
                const int col = number[3 * lattice_point(w, j / 3) + j % 3];

                // free numbers are counted from 0, given ones from -1 down
                if (col >= 0) free[row][col] += k[SCALARS * i + j];
                else given[row][-1 - col] -= k[SCALARS * i + j];
            }
        }
    }
}

// What is kept of the solution: the same axis, and corners that the trilinear interpolation has, too.
static void mask(lattice_weights *weights, const int number[]) {
    for (int p = 0; p < LATTICE; p++)
        for (int a = 0; a < 3; a++) {
            st_real *row = weights->w[a][p], sum = 0;
            const int scalar = number[3 * p + a];
            if (scalar < 0) continue; // a corner follows itself

            for (int i = 0; i < 8; i++) {
                row[i] = trilinear(p, i) != 0 ? weights->solution[scalar][3 * i + a] : 0;
                sum += row[i];
            }
            for (int i = 0; i < 8; i++) row[i] = sum != 0 ? row[i] / sum : trilinear(p, i);
        }
}

static void set_weights(const st_condensation *c, const uint32_t children[CHILDREN], const st_condensed *condensed,
                        lattice_weights *weights) {
    st_real free[FREE][FREE], rigid[ST_HEXAHEDRON_ENTRIES];
    int number[3 * LATTICE];
    set_trilinear(weights);
    weights->solved = false;
    if (!c->composite) return;

    // K_ff q_f = -K_fg q_g
    number_scalars(number);
    rigid_cell(rigid);
    condensation_assemble(children, condensed, rigid, number, free, weights->solution);
    weights->solved = condensation_solve(free, weights->solution);
    if (weights->solved) mask(weights, number);
}

// ---------------------------------------------------------------------------------------------------
// Stiffness and mass
// ---------------------------------------------------------------------------------------------------

// result += Pᵀ K P and Pᵀ M P for child w.
static void add_child(st_condensed *result, const st_condensed *child, const lattice_weights *weights, int w) {
    st_real t[SCALARS][SCALARS];
    int point[8];
    for (int i = 0; i < 8; i++) point[i] = lattice_point(w, i);

    // t = K P
    for (int r = 0; r < SCALARS; r++)
        for (int j = 0; j < 8; j++)
            for (int b = 0; b < 3; b++) {
                st_real sum = 0;
                for (int q = 0; q < 8; q++) sum += child->k[SCALARS * r + 3 * q + b] * weights->w[b][point[q]][j];
                t[r][3 * j + b] = sum;
            }

    // Pᵀ t
    for (int i = 0; i < 8; i++)
        for (int a = 0; a < 3; a++)
            for (int c = 0; c < SCALARS; c++) {
                st_real sum = 0;
                for (int p = 0; p < 8; p++) sum += weights->w[a][point[p]][i] * t[3 * p + a][c];
                result->k[SCALARS * (3 * i + a) + c] += sum;
            }

    // Pᵀ M P, axis by axis
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                st_real sum = 0;
                for (int p = 0; p < 8; p++)
                    for (int q = 0; q < 8; q++)
                        sum += weights->w[a][point[p]][i] * child->m[64 * a + 8 * p + q] * weights->w[a][point[q]][j];
                result->m[64 * a + 8 * i + j] += sum;
            }
}

static void condense(const st_condensation *c, size_t level, size_t h, const st_real cell[], st_condensed *result);

// Children of a cell, their condensed matrices, and the weights of the lattice.
static const uint32_t *condense_children(const st_condensation *c, size_t level, size_t h, const st_real cell[],
                                         st_condensed condensed[CHILDREN], lattice_weights *weights) {
    const uint32_t *children = c->grid->levels[level].children.data + CHILDREN * h;
    for (int w = 0; w < CHILDREN; w++)
        if (children[w] != ST_INVALID_INDEX) condense(c, level - 1, children[w], cell, &condensed[w]);
    set_weights(c, children, condensed, weights);
    return children;
}

// `cell`: the stiffness of a full cell of the finest level.
static void condense(const st_condensation *c, size_t level, size_t h, const st_real cell[], st_condensed *result) {
    if (level == c->finest) {
        const st_sparse_level *finest = &c->grid->levels[level];
        const st_real k = (st_real)finest->stiffness.data[h], m = (st_real)finest->mass.data[h] * c->mass;
        for (int i = 0; i < ST_HEXAHEDRON_ENTRIES; i++) result->k[i] = k * cell[i];
        for (int i = 0; i < ST_MASS_PATTERN; i++) result->m[i] = m * c->pattern[i];
        return;
    }

    // the sum over its children
    st_condensed condensed[CHILDREN];
    lattice_weights weights;
    const uint32_t *children = condense_children(c, level, h, cell, condensed, &weights);
    *result = (st_condensed){{0}, {0}};
    for (int w = 0; w < CHILDREN; w++)
        if (children[w] != ST_INVALID_INDEX) add_child(result, &condensed[w], &weights, w);
}

// Cells of a grid are boxes: those of the finest level are all alike, nodes of the first scaled to its corner.
static void finest_cell(const st_condensation *c, const st_real nodes[24], st_hooke hooke, st_real cell[]) {
    const st_real size = 1 / (st_real)((uint32_t)1 << (c->grid->level_count - 1 - c->finest));
    st_real small[24];
    for (int i = 0; i < 24; i++) small[i] = nodes[i % 3] + size * (nodes[i] - nodes[i % 3]);
    st_hexahedron_stiffness(small, hooke, cell);
}

void st_condense(const st_condensation *c, size_t hexahedron, const st_real nodes[24], st_hooke hooke,
                 st_condensed *result) {
    st_real cell[ST_HEXAHEDRON_ENTRIES];
    finest_cell(c, nodes, hooke, cell);
    condense(c, c->grid->level_count - 1, hexahedron, cell, result);
}

// ---------------------------------------------------------------------------------------------------
// Weights for mappings
// ---------------------------------------------------------------------------------------------------

// Across its axes a point moves with the sideways contraction: 0.3 ν for each corner, twice that on an edge, with the
// sign of the solution. Edges: rows across the edge, columns along it. Faces: the row of the normal, columns in the
// plane.
static st_real crossed_weight(const st_condensation *c, const lattice_weights *weights, const int number[], int point,
                              int row, int corner, int col) {
    int at[3], middle = 0;
    condensation_place_of(point, at);
    for (int a = 0; a < 3; a++) middle += at[a] == 1;
    if (middle == 0 || middle == 3 || trilinear(point, corner) == 0) return 0;
    if (at[row] == 1 || at[col] != 1) return 0; // rows across, columns along

    const st_real w = weights->solution[number[3 * point + row]][3 * corner + col];
    const st_real size = (middle == 1 ? -2 : -1) * ST_R(0.3) * c->poisson;
    return w > 0 ? size : w < 0 ? -size : 0;
}

// Rows of the child's corners, 24 x 24.
static void child_weights(const st_condensation *c, const lattice_weights *weights, int w, st_real p[]) {
    int number[3 * LATTICE];
    number_scalars(number);

    for (int r = 0; r < SCALARS; r++)
        for (int q = 0; q < SCALARS; q++) {
            const int point = lattice_point(w, r / 3), a = r % 3, b = q % 3;
            st_real weight = 0;

            // along the axis by the condensed weights; across it only when the interpolation is complete
            if (a == b) weight = weights->w[a][point][q / 3];
            else if (c->crossed && weights->solved) weight = crossed_weight(c, weights, number, point, a, q / 3, b);

            p[SCALARS * r + q] = weight;
        }
}

static void condensation_multiply(st_real r[], const st_real a[], const st_real b[]) {
    for (int i = 0; i < SCALARS; i++)
        for (int j = 0; j < SCALARS; j++) {
            st_real sum = 0;
            for (int k = 0; k < SCALARS; k++) sum += a[SCALARS * i + k] * b[SCALARS * k + j];
            r[SCALARS * i + j] = sum;
        }
}

static void descend(const st_condensation *c, size_t level, size_t h, const st_real cell[], const st_real above[],
                    st_condensation_take *take, void *user) {
    if (level == c->finest) {
        take(user, h, above);
        return;
    }

    // the motion of each child: its weights times those above
    st_condensed condensed[CHILDREN];
    lattice_weights weights;
    const uint32_t *children = condense_children(c, level, h, cell, condensed, &weights);
    for (int w = 0; w < CHILDREN; w++) {
        st_real p[ST_HEXAHEDRON_ENTRIES], all[ST_HEXAHEDRON_ENTRIES];
        if (children[w] == ST_INVALID_INDEX) continue;
        child_weights(c, &weights, w, p);
        condensation_multiply(all, p, above);
        descend(c, level - 1, children[w], cell, all, take, user);
    }
}

void st_condensation_weights(const st_condensation *c, size_t hexahedron, const st_real nodes[24], st_hooke hooke,
                             st_condensation_take *take, void *user) {
    st_real cell[ST_HEXAHEDRON_ENTRIES], identity[ST_HEXAHEDRON_ENTRIES] = {0};
    for (int i = 0; i < SCALARS; i++) identity[25 * i] = 1;
    finest_cell(c, nodes, hooke, cell);
    descend(c, c->grid->level_count - 1, hexahedron, cell, identity, take, user);
}
