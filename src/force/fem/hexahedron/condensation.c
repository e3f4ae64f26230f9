// Hexahedra made of finer cells. See condensation.h.
//
// One level, for one cell:
//   1. its children, and the nodes at the points of the lattice (list_children, number_nodes)
//   2. stiffness and mass of the children, by recursion
//   3. weights of the nodes: trilinear, or q_f = -K_ff^-1 K_fg q_g, masked and divided by their sums (set_weights)
//   4. P^T K P and P^T M P of the children (add_child)
//
// In one step (c->one_step) the children of a hexahedron are all its cells of the finest level, on one lattice.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/hexahedron/condensation.h"

#include "base/array.h"
#include "force/fem/generic/shape.h"
#include "math/dense.h"

enum { SCALARS = 24, CHILDREN = 8 };

// Where a node of finer cells is: a point of the lattice, and which of the points that are superimposed there. `NOBODY`
// where no child has a node.
typedef struct node_place {
    int point;
    uint32_t number;
} node_place;
static const uint32_t NOBODY = UINT32_MAX;

typedef struct child {
    uint32_t hexahedron; // of the finer level
    int place;           // among the cells of the lattice, x fastest
    uint32_t node[8];
} child;

// A cell with its children.
typedef struct family {
    int side;     // points of the lattice along an axis: 3, more in one step
    size_t level; // of the children
    ST_LIST(child) children;
    ST_LIST(node_place) nodes; // sorted by point, then by number
    st_condensed *condensed;   // of each child
    st_real *weights;          // of node n along axis a with corner i: 8 (3 n + a) + i
    int *number;               // of each scalar of the nodes among the free ones; -1 - scalar of the cell at corners
    size_t free;
    st_real *stiffness; // K_ff
    st_real *solution;  // free x 24: what the free scalars do when one of the cell moves
    bool solved;
} family;

static void free_family(family *f) {
    st_list_free(&f->children);
    st_list_free(&f->nodes);
    st_free(f->condensed);
    st_free(f->weights);
    st_free(f->number);
    st_free(f->stiffness);
    st_free(f->solution);
}

// ---------------------------------------------------------------------------------------------------
// The lattice
// ---------------------------------------------------------------------------------------------------

// Coordinates of a point, or of a cell, in a lattice of so many along an axis; x fastest.
static void condensation_place_of(int number, int side, int at[3]) {
    at[0] = number % side;
    at[1] = number / side % side;
    at[2] = number / side / side;
}

// Point of the lattice at corner i of the cell at place w.
static int lattice_point(const family *f, int w, int i) {
    int at[3], point = 0, step = 1;
    condensation_place_of(w, f->side - 1, at);
    for (int a = 0; a < 3; a++, step *= f->side) point += step * (at[a] + (st_cube_corners[i][a] > 0 ? 1 : 0));
    return point;
}

// The corner at a point of the lattice; -1 when it is none.
static int corner_at(const family *f, int point) {
    int at[3];
    condensation_place_of(point, f->side, at);

    for (int i = 0; i < 8; i++) {
        bool same = true;
        for (int a = 0; a < 3; a++) same = same && at[a] == (st_cube_corners[i][a] > 0 ? f->side - 1 : 0);
        if (same) return i;
    }
    return -1;
}

static st_real trilinear(const family *f, int point, int corner) {
    int at[3];
    st_real weight = 1;
    condensation_place_of(point, f->side, at);

    for (int a = 0; a < 3; a++) {
        const st_real high = (st_real)at[a] / (st_real)(f->side - 1);
        weight *= st_cube_corners[corner][a] > 0 ? high : 1 - high;
    }
    return weight;
}

// ---------------------------------------------------------------------------------------------------
// Children and nodes
// ---------------------------------------------------------------------------------------------------

static bool add_to_family(family *f, uint32_t hexahedron, int place) {
    return st_list_push(&f->children, ((child){.hexahedron = hexahedron, .place = place}));
}

// All cells of the finest level in a cell of a level; `at`: the first of its places. False: out of memory, or `missing`.
static bool list_descendants(const st_condensation *c, size_t level, uint32_t h, const int at[3], family *f,
                             bool *missing) {
    const int side = f->side - 1, half = 1 << (level - c->finest) >> 1;
    if (level == c->finest) return add_to_family(f, h, at[0] + side * (at[1] + side * at[2]));

    for (int w = 0; w < CHILDREN; w++) {
        const uint32_t finer = c->grid->levels[level].children.data[CHILDREN * (size_t)h + (size_t)w];
        const int place[3] = {at[0] + half * (w & 1), at[1] + half * (w >> 1 & 1), at[2] + half * (w >> 2)};
        *missing = *missing || finer == ST_INVALID_INDEX;
        if (*missing || !list_descendants(c, level - 1, finer, place, f, missing)) return false;
    }
    return true;
}

// In one step, when no cell is missing; otherwise the levels follow one another.
static bool list_in_one_step(const st_condensation *c, size_t level, size_t h, family *f, bool *missing) {
    f->side = (1 << (level - c->finest)) + 1;
    f->level = c->finest;
    if (list_descendants(c, level, (uint32_t)h, (const int[3]){0, 0, 0}, f, missing)) return true;
    f->children.count = 0;
    return false;
}

// Of a divided cell the members of this piece, place by place; there may be several at one.
static bool list_children(const st_condensation *c, size_t level, size_t h, family *f) {
    const st_sparse_level *coarse = &c->grid->levels[level], *fine = coarse - 1;

    // all finest cells at once, or those of the next level
    const bool one_step = c->one_step && level == c->grid->level_count - 1;
    bool missing = false;
    if (one_step && list_in_one_step(c, level, h, f, &missing)) return true;
    if (one_step && !missing) return false;
    f->side = 3;
    f->level = level - 1;

    for (int w = 0; w < CHILDREN; w++) {
        const uint32_t only = coarse->children.data[CHILDREN * h + (size_t)w];
        if (!c->ramified && only != ST_INVALID_INDEX && !add_to_family(f, only, w)) return false;
        if (!c->ramified) continue;

        const size_t cell = st_sparse_child(coarse, fine, coarse->cell.data[h], w);
        uint32_t member = cell == SIZE_MAX ? ST_INVALID_INDEX : fine->first.data[cell];
        for (; member < fine->cell.count && fine->cell.data[member] == cell; member++)
            if (fine->parent.data[member] == h && !add_to_family(f, member, w)) return false;
    }
    return true;
}

// The number of a node, or of the first one that is not before it.
static size_t place_in_nodes(const family *f, int point, uint32_t number) {
    size_t n = 0;
    while (n < f->nodes.count &&
           (f->nodes.data[n].point < point || (f->nodes.data[n].point == point && f->nodes.data[n].number < number)))
        n++;
    return n;
}

static bool add_node(family *f, int point, uint32_t number) {
    const size_t n = place_in_nodes(f, point, number), count = f->nodes.count;
    if (n < count && f->nodes.data[n].point == point && f->nodes.data[n].number == number) return true;

    if (!st_list_set_count(&f->nodes, count + 1, 1)) return false;
    memmove(f->nodes.data + n + 1, f->nodes.data + n, (count - n) * sizeof *f->nodes.data);
    f->nodes.data[n] = (node_place){point, number};
    return true;
}

// The number that tells superimposed nodes apart; all are one where pieces are not divided.
static uint32_t node_number(const st_condensation *c, const st_sparse_level *fine, const child *k, int corner) {
    return c->ramified ? fine->hexahedra.data[8 * (size_t)k->hexahedron + (size_t)corner] : 0;
}

static bool number_nodes(const st_condensation *c, family *f) {
    const st_sparse_level *fine = &c->grid->levels[f->level];

    // the nodes of the children, then one where there is none
    for (size_t k = 0; k < f->children.count; k++)
        for (int i = 0; i < 8; i++) {
            const child *one = &f->children.data[k];
            if (!add_node(f, lattice_point(f, one->place, i), node_number(c, fine, one, i))) return false;
        }
    for (int p = 0; p < f->side * f->side * f->side; p++) {
        const size_t n = place_in_nodes(f, p, 0);
        if ((n == f->nodes.count || f->nodes.data[n].point != p) && !add_node(f, p, NOBODY)) return false;
    }

    for (size_t k = 0; k < f->children.count; k++)
        for (int i = 0; i < 8; i++) {
            child *one = &f->children.data[k];
            one->node[i] = (uint32_t)place_in_nodes(f, lattice_point(f, one->place, i), node_number(c, fine, one, i));
        }

    // free scalars in the order of the nodes
    f->number = st_alloc(3 * f->nodes.count, sizeof *f->number);
    for (size_t n = 0; f->number && n < f->nodes.count; n++) {
        const int corner = corner_at(f, f->nodes.data[n].point);
        for (int a = 0; a < 3; a++) f->number[3 * n + (size_t)a] = corner < 0 ? (int)f->free++ : -1 - (3 * corner + a);
    }
    return f->number != NULL;
}

// ---------------------------------------------------------------------------------------------------
// Weights of a composite
// ---------------------------------------------------------------------------------------------------

void st_condensation_rigid_cell(bool rounded, st_real k[ST_HEXAHEDRON_ENTRIES]) {
    st_real unit[24];
    for (int i = 0; i < 24; i++) unit[i] = (st_cube_corners[i / 3][i % 3] + 1) / 2;
    st_hexahedron_stiffness(unit, (st_hooke){.diagonal = ST_R(1.02e12), .off_diagonal = 0, .shear = ST_R(5.1e11)}, k);

    for (int i = 0; rounded && i < ST_HEXAHEDRON_ENTRIES; i++) {
        const double digit = pow(10, floor(log10(fabs((double)k[i]))) - 5);
        k[i] = (st_real)(float)(round((double)k[i] / digit) * digit);
    }
}

// K_ff and -K_fg += the stiffness of one cell on these nodes.
static void condensation_assemble(family *f, const uint32_t node[8], const st_real k[]) {
    for (int i = 0; i < SCALARS; i++) {
        const int row = f->number[3 * node[i / 3] + (uint32_t)(i % 3)];
        if (row < 0) continue;

        for (int j = 0; j < SCALARS; j++) {
            const int col = f->number[3 * node[j / 3] + (uint32_t)(j % 3)];
            if (col >= 0) f->stiffness[(size_t)row * f->free + (size_t)col] += k[SCALARS * i + j];
            else f->solution[SCALARS * (size_t)row + (size_t)(-1 - col)] -= k[SCALARS * i + j];
        }
    }
}

// Where no child is: a rigid cell on the first node of each of its points.
static void fill_places(const st_condensation *c, family *f) {
    st_real rigid[ST_HEXAHEDRON_ENTRIES];
    st_condensation_rigid_cell(c->rounded_filling, rigid);

    for (int w = 0; f->side == 3 && w < CHILDREN; w++) {
        bool filled = false;
        for (size_t k = 0; k < f->children.count; k++) filled = filled || f->children.data[k].place == w;
        if (filled) continue;

        uint32_t node[8];
        for (int i = 0; i < 8; i++) node[i] = (uint32_t)place_in_nodes(f, lattice_point(f, w, i), 0);
        condensation_assemble(f, node, rigid);
    }
}

// K_ff q_f = -K_fg q_g for each scalar of g. False when out of memory; `solved` when there is a solution.
static bool condensation_solve(family *f) {
    uint32_t *pivots = st_alloc(f->free, sizeof *pivots);
    st_real *column = st_alloc(f->free, sizeof *column);
    const bool ok = pivots && column;

    f->solved = ok && st_dense_factor(f->stiffness, pivots, f->free);

    for (size_t c = 0; f->solved && c < SCALARS; c++) {
        for (size_t r = 0; r < f->free; r++) column[r] = f->solution[SCALARS * r + c];
        st_dense_solve_factored(column, f->stiffness, pivots, f->free);
        for (size_t r = 0; r < f->free; r++) f->solution[SCALARS * r + c] = column[r];
    }

    st_free(pivots);
    st_free(column);
    return ok;
}

// What is kept of the solution: the same axis, and corners that the trilinear interpolation has, too.
static void mask(family *f) {
    for (size_t n = 0; n < f->nodes.count; n++)
        for (size_t a = 0; a < 3; a++) {
            st_real *row = f->weights + 8 * (3 * n + a), sum = 0;
            const int scalar = f->number[3 * n + a], p = f->nodes.data[n].point;
            if (scalar < 0) continue; // a corner follows itself

            for (int i = 0; i < 8; i++) {
                row[i] = trilinear(f, p, i) != 0 ? f->solution[SCALARS * (size_t)scalar + 3 * (size_t)i + a] : 0;
                sum += row[i];
            }
            for (int i = 0; i < 8; i++) row[i] = sum != 0 ? row[i] / sum : trilinear(f, p, i);
        }
}

static bool set_weights(const st_condensation *c, family *f) {
    f->weights = st_alloc(24 * f->nodes.count, sizeof *f->weights);
    if (!f->weights) return false;

    for (size_t i = 0; i < 24 * f->nodes.count; i++)
        f->weights[i] = trilinear(f, f->nodes.data[i / 24].point, (int)(i % 8));
    if (!c->composite) return true;

    f->stiffness = st_alloc(f->free * f->free, sizeof *f->stiffness);
    f->solution = st_alloc(f->free, SCALARS * sizeof *f->solution);
    if (!f->stiffness || !f->solution) return false;

    for (size_t k = 0; k < f->children.count; k++)
        condensation_assemble(f, f->children.data[k].node, f->condensed[k].k);
    fill_places(c, f);

    if (!condensation_solve(f)) return false;
    if (f->solved) mask(f);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Stiffness and mass
// ---------------------------------------------------------------------------------------------------

// result += Pᵀ K P and Pᵀ M P for child k.
static void add_child(st_condensed *result, const family *f, size_t k) {
    const uint32_t *node = f->children.data[k].node;
    const st_condensed *from = &f->condensed[k];
    st_real t[SCALARS][SCALARS];
    const st_real *w[8][3];
    for (int i = 0; i < 8; i++)
        for (uint32_t a = 0; a < 3; a++) w[i][a] = f->weights + 8 * (size_t)(3 * node[i] + a);

    // t = K P
    for (int r = 0; r < SCALARS; r++)
        for (int j = 0; j < 8; j++)
            for (int b = 0; b < 3; b++) {
                st_real sum = 0;
                for (int q = 0; q < 8; q++) sum += from->k[SCALARS * r + 3 * q + b] * w[q][b][j];
                t[r][3 * j + b] = sum;
            }

    // Pᵀ t
    for (int i = 0; i < 8; i++)
        for (int a = 0; a < 3; a++)
            for (int c = 0; c < SCALARS; c++) {
                st_real sum = 0;
                for (int p = 0; p < 8; p++) sum += w[p][a][i] * t[3 * p + a][c];
                result->k[SCALARS * (3 * i + a) + c] += sum;
            }

    // Pᵀ M P, axis by axis
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                st_real sum = 0;
                for (int p = 0; p < 8; p++)
                    for (int q = 0; q < 8; q++) sum += w[p][a][i] * from->m[64 * a + 8 * p + q] * w[q][a][j];
                result->m[64 * a + 8 * i + j] += sum;
            }
}

static bool condense(const st_condensation *c, size_t level, size_t h, const st_real cell[], st_condensed *result);

// Children of a cell, their condensed matrices, and the weights of their nodes.
static bool make_family(const st_condensation *c, size_t level, size_t h, const st_real cell[], family *f) {
    if (!list_children(c, level, h, f) || !number_nodes(c, f)) return false;

    f->condensed = st_alloc(f->children.count, sizeof *f->condensed);
    bool ok = f->condensed != NULL;
    for (size_t k = 0; ok && k < f->children.count; k++)
        ok = condense(c, f->level, f->children.data[k].hexahedron, cell, &f->condensed[k]);

    return ok && set_weights(c, f);
}

// `cell`: the stiffness of a full cell of the finest level.
static bool condense(const st_condensation *c, size_t level, size_t h, const st_real cell[], st_condensed *result) {
    if (level == c->finest) {
        const st_sparse_level *finest = &c->grid->levels[level];
        const float part = c->mass_by_stiffness ? finest->stiffness.data[h] : finest->mass.data[h];
        const st_real k = (st_real)finest->stiffness.data[h], m = (st_real)part * c->mass;
        for (int i = 0; i < ST_HEXAHEDRON_ENTRIES; i++) result->k[i] = k * cell[i];
        for (int i = 0; i < ST_MASS_PATTERN; i++) result->m[i] = m * c->pattern[i];
        return true;
    }

    // the sum over its children
    family f = {0};
    const bool ok = make_family(c, level, h, cell, &f);
    *result = (st_condensed){{0}, {0}};
    for (size_t k = 0; ok && k < f.children.count; k++) add_child(result, &f, k);

    free_family(&f);
    return ok;
}

// Cells of a grid are boxes: those of the finest level are all alike, nodes of the first scaled to its corner.
static void finest_cell(const st_condensation *c, const st_real nodes[24], st_hooke hooke, st_real cell[]) {
    const st_real size = 1 / (st_real)((uint32_t)1 << (c->grid->level_count - 1 - c->finest));
    st_real small[24];
    for (int i = 0; i < 24; i++) small[i] = nodes[i % 3] + size * (nodes[i] - nodes[i % 3]);
    st_hexahedron_stiffness(small, hooke, cell);
}

bool st_condense(const st_condensation *c, size_t hexahedron, const st_real nodes[24], st_hooke hooke,
                 st_condensed *result) {
    st_real cell[ST_HEXAHEDRON_ENTRIES];
    finest_cell(c, nodes, hooke, cell);
    return condense(c, c->grid->level_count - 1, hexahedron, cell, result);
}

// ---------------------------------------------------------------------------------------------------
// Weights for mappings
// ---------------------------------------------------------------------------------------------------

// Across its axes a point of a cell that is not divided moves with the sideways contraction: 0.3 ν for each corner,
// twice that on an edge, with the sign of the solution. Edges: rows across the edge, columns along it. Faces: the row
// of the normal, columns in the plane.
static st_real contraction(const st_condensation *c, const family *f, int point, int corner, int row, int col,
                           st_real solution) {
    int at[3], middle = 0;
    condensation_place_of(point, f->side, at);
    for (int a = 0; a < 3; a++) middle += at[a] == 1;
    if (middle == 0 || middle == 3 || trilinear(f, point, corner) == 0) return 0;
    if (at[row] == 1 || at[col] != 1) return 0; // rows across, columns along

    const st_real size = (middle == 1 ? -2 : -1) * ST_R(0.3) * c->poisson;
    return solution > 0 ? size : solution < 0 ? -size : 0;
}

// The weight of scalar (node, row) with (corner, col). The complete interpolation of a ramified grid, or in one step, is
// the solution.
static st_real complete_weight(const st_condensation *c, const family *f, uint32_t node, int row, int corner, int col) {
    const int number = f->number[3 * node + (uint32_t)row];
    const st_real masked = row == col ? f->weights[8 * (3 * (size_t)node + (size_t)row) + (size_t)corner] : 0;
    if (!c->crossed || !f->solved || number < 0) return masked;

    const st_real solution = f->solution[SCALARS * (size_t)number + 3 * (size_t)corner + (size_t)col];
    if (c->ramified || f->side > 3) return solution;
    return row == col ? masked : contraction(c, f, f->nodes.data[node].point, corner, row, col, solution);
}

static void condensation_multiply(st_real r[], const st_real a[], const st_real b[]) {
    for (int i = 0; i < SCALARS; i++)
        for (int j = 0; j < SCALARS; j++) {
            st_real sum = 0;
            for (int k = 0; k < SCALARS; k++) sum += a[SCALARS * i + k] * b[SCALARS * k + j];
            r[SCALARS * i + j] = sum;
        }
}

static bool descend(const st_condensation *c, size_t level, size_t h, const st_real cell[], const st_real above[],
                    st_condensation_take *take, void *user) {
    if (level == c->finest) {
        take(user, h, above);
        return true;
    }

    family f = {0};
    bool ok = make_family(c, level, h, cell, &f);

    // the motion of each child: its weights times those above
    for (size_t k = 0; ok && k < f.children.count; k++) {
        const child *one = &f.children.data[k];
        st_real p[ST_HEXAHEDRON_ENTRIES], all[ST_HEXAHEDRON_ENTRIES];
        for (int r = 0; r < SCALARS; r++)
            for (int q = 0; q < SCALARS; q++)
                p[SCALARS * r + q] = complete_weight(c, &f, one->node[r / 3], r % 3, q / 3, q % 3);

        condensation_multiply(all, p, above);
        ok = descend(c, f.level, one->hexahedron, cell, all, take, user);
    }

    free_family(&f);
    return ok;
}

bool st_condensation_weights(const st_condensation *c, size_t hexahedron, const st_real nodes[24], st_hooke hooke,
                             st_condensation_take *take, void *user) {
    st_real cell[ST_HEXAHEDRON_ENTRIES], identity[ST_HEXAHEDRON_ENTRIES] = {0};
    for (int i = 0; i < SCALARS; i++) identity[25 * i] = 1;
    finest_cell(c, nodes, hooke, cell);
    return descend(c, c->grid->level_count - 1, hexahedron, cell, identity, take, user);
}
