// A tree of boxes over the elements of a mesh. A node of it bounds the centers of its elements, the regions in which they
// hold a point, and, where space is divided, their cubes.
//
//   1. elements are added: origin, inverse of the axes, center
//   2. their cubes, where space is divided
//   3. their regions: boxes that are wider by what rounding can do, so that no element is skipped that would come
//      out as holding a point
//   4. the tree, divided by centers
//   5. a search goes down the nodes whose regions reach the point: the element of smallest d <= 0 holds it
//   6. when no element does, it goes down towards the nearest center, past every node whose centers are farther than the
//      best so far, or as far and of higher numbers
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/cell_search.h"

#include "base/array.h"
#include "math/mat3.h"

// Dimensions of the tree: centers, by which it is parted, regions, and cubes where there are any.
enum { CENTER = 0, CENTER_DIMS = 3, REGION = 3, CUBE = 6, DIMS = 6, DIVIDED_DIMS = 9 };

typedef struct box {
    st_real low[3], high[3];
} box;

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

// The nodes at the ends of the axes.
static const int axis_nodes[ST_ELEMENT_KINDS][3] = {
    [ST_TRIANGLE] = {1, 2, -1}, [ST_QUAD] = {1, 3, -1}, [ST_TETRAHEDRON] = {1, 2, 3}, [ST_HEXAHEDRON] = {1, 3, 4}};

// The axes as columns.
static void axes_of(const st_cell *cell, const st_real *positions, st_real axes[9]) {
    st_real rows[9] = {0};

    for (int i = 0; i < 3; i++) {
        const int node = axis_nodes[cell->kind][i];

        // a surface has its normal as the third axis
        if (node < 0) st_vec3_cross(rows + 6, rows, rows + 3);
        else st_vec3_sub(rows + 3 * (size_t)i, positions + 3 * (size_t)cell->nodes[node], cell->origin);
    }

    st_mat3_transpose(axes, rows);
}

static st_cell make_cell(st_element kind, const uint32_t *nodes, const st_real *positions, bool transpose) {
    st_cell cell = {.kind = kind, .nodes = nodes};
    st_real axes[9];
    const size_t size = st_element_size[kind];

    st_vec3_copy(cell.origin, positions + 3 * (size_t)nodes[0]);

    for (size_t i = 0; i < size; i++) st_vec3_add(cell.center, cell.center, positions + 3 * (size_t)nodes[i]);
    st_vec3_divide(cell.center, cell.center, (st_real)size);

    axes_of(&cell, positions, axes);
    cell.flat = !st_mat3_inverse_above(cell.inverse, axes, ST_R(2.220446049250313e-16));

    // a flat element of a container has the transpose in place of the inverse
    if (cell.flat && transpose) st_mat3_transpose(cell.inverse, axes);

    return cell;
}

void st_cell_coordinates(const st_cell *cell, const st_real p[3], st_real local[3]) {
    st_real d[3];
    st_vec3_sub(d, p, cell->origin);
    st_mat3_times_vec(local, cell->inverse, d);
}

static st_real inside_measure(const st_cell *cell, const st_real p[3]) {
    st_real f[3];
    st_cell_coordinates(cell, p, f);

    // off the plane of a surface by up to 1 % of its normal counts as inside
    const st_real low = st_max(-f[0], -f[1]), flat = fabs(f[2]) - ST_R(0.01);

    switch (cell->kind) {
    case ST_TRIANGLE: return st_max(st_max(low, flat), f[0] + f[1] - 1);
    case ST_QUAD: return st_max(st_max(low, f[1] - 1), st_max(f[0] - 1, flat));
    case ST_TETRAHEDRON: return st_max(st_max(low, -f[2]), f[0] + f[1] + f[2] - 1);
    default: return st_max(st_max(low, -f[2]), st_max(st_max(f[0] - 1, f[1] - 1), f[2] - 1));
    }
}

static st_real center_distance(const st_cell *cell, const st_real p[3]) {
    st_real d[3];
    st_vec3_sub(d, p, cell->center);
    return st_vec3_norm2(d);
}

// ---------------------------------------------------------------------------------------------------
// Boxes
// ---------------------------------------------------------------------------------------------------

static void cell_search_grow(box *b, const st_real p[3]) {
    for (int i = 0; i < 3; i++) {
        b->low[i] = st_min(b->low[i], p[i]);
        b->high[i] = st_max(b->high[i], p[i]);
    }
}

static box empty_box(void) {
    return (box){{ST_REAL_MAX, ST_REAL_MAX, ST_REAL_MAX}, {-ST_REAL_MAX, -ST_REAL_MAX, -ST_REAL_MAX}};
}

static st_real norm_of(const st_real m[9]) {
    st_real sum = 0;
    for (int i = 0; i < 9; i++) sum += m[i] * m[i];
    return sqrt(sum);
}

// How far, in lengths of the axes, a point can be from the region and still come out as held. With the inverse B as it
// was computed, A B = I + E: f = B d gives d = (I + E)^-1 A f, which is off A f by less than 2 |E| |A| |f|, |f| < 2. E
// is not small for needles: rounding changes their determinant by epsilon times the square of the condition. All other
// rounding is that of E itself, epsilon times the condition.
static st_real slack_of(const st_cell *cell, const st_real axes[9]) {
    st_real error[9];

    // E = A B − I
    st_mat3_multiply(error, axes, cell->inverse);
    for (int i = 0; i < 9; i += 4) error[i] -= 1;

    const st_real condition = norm_of(axes) * norm_of(cell->inverse);
    return st_max(cbrt(ST_REAL_EPSILON), 100 * ST_REAL_EPSILON * condition) + 4 * norm_of(error);
}

// A box around the region, widened by the slack. An element too distorted for one has none.
static bool region_of(const st_cell *cell, const st_real *positions, box *region) {
    st_real axes[9];

    axes_of(cell, positions, axes);

    const st_real slack = slack_of(cell, axes);
    if (cell->flat || !(slack < ST_R(0.1))) return false;

    // corners of the region in coordinates of the element
    const bool surface = cell->kind == ST_TRIANGLE || cell->kind == ST_QUAD;
    const bool simplex = cell->kind == ST_TRIANGLE || cell->kind == ST_TETRAHEDRON;

    *region = empty_box();

    for (int corner = 0; corner < 8; corner++) {
        const int ends = (corner & 1) + (corner >> 1 & 1) + (surface ? 0 : corner >> 2);

        if (simplex && ends > 1) continue; // beyond the face opposite to the first node

        const st_real z = surface ? (corner & 4 ? ST_R(0.01) : ST_R(-0.01)) : (st_real)(corner >> 2 & 1);
        const st_real f[3] = {(st_real)(corner & 1), (st_real)(corner >> 1 & 1), z};

        // A f + p0
        st_real p[3];
        st_mat3_times_vec(p, axes, f);
        st_vec3_add(p, p, cell->origin);
        cell_search_grow(region, p);
    }

    // wider by what rounding can do
    const st_real margin = slack * norm_of(axes) + 4 * ST_REAL_EPSILON * st_vec3_norm(cell->origin);
    for (int i = 0; i < 3; i++) {
        region->low[i] -= margin;
        region->high[i] += margin;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Tree
// ---------------------------------------------------------------------------------------------------

bool st_cell_search_add(st_cell_search *search, st_element kind, const st_uints *elements, const st_real *positions) {
    const size_t old = search->cells.count, size = st_element_size[kind];

    if (!st_list_set_count(&search->cells, old + elements->count, 1)) return false;

    for (size_t i = 0; i < elements->count; i++)
        search->cells.data[old + i] = make_cell(kind, elements->data + i * size, positions, search->transpose);
    return true;
}

static st_cell_cubes cubes_of(const st_cell *cell, const st_real *x, st_real inverse) {
    st_cell_cubes cubes;

    for (int k = 0; k < 3; k++) {
        st_real low = ST_REAL_MAX, high = -ST_REAL_MAX;

        // the bounding box of the element along one axis
        for (size_t i = 0; i < st_element_size[cell->kind]; i++) {
            low = st_min(low, x[3 * (size_t)cell->nodes[i] + (size_t)k]);
            high = st_max(high, x[3 * (size_t)cell->nodes[i] + (size_t)k]);
        }

        // and the cubes it overlaps
        cubes.low[k] = floor(low * inverse);
        cubes.high[k] = floor(high * inverse);
    }
    return cubes;
}

bool st_cell_search_divide(st_cell_search *search, st_real side, const st_real *positions) {
    const st_cell_cubes nowhere = {{1, 1, 1}, {0, 0, 0}};
    if (!st_list_set_count(&search->cubes, search->cells.count, 1)) return false;

    // a side that is no ordinary number puts all elements nowhere
    for (size_t i = 0; i < search->cells.count; i++)
        search->cubes.data[i] =
            isnormal(side) && isfinite(1 / side) ? cubes_of(&search->cells.data[i], positions, 1 / side) : nowhere;
    return true;
}

static bool is_zero(const st_cell *cell) {
    for (int i = 0; i < 9; i++)
        if (cell->inverse[i] != 0) return false;
    return true;
}

// An element whose region has no reliable box may hold any point. Flat ones whose inverse is zero all hold every point
// with d = 0, so only the first of them can win; in each cube, where space is divided.
static box any_region(const st_cell *cell, bool divided, bool *zero_known) {
    const bool zero = is_zero(cell), known = *zero_known;
    *zero_known = known || zero;

    if (zero && known && !divided) return empty_box();
    return (box){{-ST_REAL_MAX, -ST_REAL_MAX, -ST_REAL_MAX}, {ST_REAL_MAX, ST_REAL_MAX, ST_REAL_MAX}};
}

static void cell_search_put(st_real *bounds, int dims, int at, const st_real low[3], const st_real high[3]) {
    st_vec3_copy(bounds + at, low);
    st_vec3_copy(bounds + dims + at, high);
}

bool st_cell_search_finish(st_cell_search *search, const st_real *positions) {
    const size_t count = search->cells.count;
    const bool divided = count > 0 && search->cubes.count == count;
    const int dims = divided ? DIVIDED_DIMS : DIMS;
    st_real *boxes = st_alloc(count, 2 * (size_t)dims * sizeof *boxes);
    bool zero_known = false;

    for (size_t i = 0; boxes && i < count; i++) {
        const st_cell *cell = &search->cells.data[i];
        st_real *bounds = boxes + 2 * (size_t)dims * i;
        box region;

        // centers divide the tree; regions and cubes only bound its nodes
        if (!region_of(cell, positions, &region)) region = any_region(cell, divided, &zero_known);

        cell_search_put(bounds, dims, CENTER, cell->center, cell->center);
        cell_search_put(bounds, dims, REGION, region.low, region.high);
        if (divided) cell_search_put(bounds, dims, CUBE, search->cubes.data[i].low, search->cubes.data[i].high);
    }

    const bool ok = boxes && st_box_tree_create(&search->tree, boxes, count, dims, CENTER_DIMS);
    st_free(boxes);
    return ok;
}

void st_cell_search_free(st_cell_search *search) {
    st_list_free(&search->cells);
    st_list_free(&search->cubes);
    st_box_tree_free(&search->tree);
}

// ---------------------------------------------------------------------------------------------------
// Search
// ---------------------------------------------------------------------------------------------------

// What is asked: the cell of p, of all cells or of those in some cubes.
typedef struct question {
    const st_cell_search *search;
    const st_real *p;
    const st_cell_cubes *cubes; // NULL: all
} question;

// Of two cells in the cubes, is the first one tried earlier? Each is tried in the first of the cubes that it overlaps.
static bool is_earlier(const question *q, size_t a, size_t b) {
    // cubes are tried with x slowest, z fastest
    for (int k = 0; q->cubes && k < 3; k++) {
        const st_real x = st_max(q->search->cubes.data[a].low[k], q->cubes->low[k]);
        const st_real y = st_max(q->search->cubes.data[b].low[k], q->cubes->low[k]);
        if (x != y) return x < y;
    }

    return a < b;
}

static void keep_better(const question *q, st_cell_best *b, st_real d, size_t cell) {
    if (d < b->d || (d == b->d && b->cell != SIZE_MAX && is_earlier(q, cell, b->cell))) *b = (st_cell_best){d, cell};
}

static bool cell_search_holds(const st_real low[3], const st_real high[3], const st_real p[3]) {
    for (int i = 0; i < 3; i++)
        if (!(p[i] >= low[i] && p[i] <= high[i])) return false;
    return true;
}

static bool overlaps(const st_cell_cubes *cubes, const st_real low[3], const st_real high[3]) {
    for (int i = 0; i < 3; i++)
        if (!(low[i] <= cubes->high[i] && high[i] >= cubes->low[i])) return false;
    return true;
}

static bool node_is_asked(const question *q, uint32_t node) {
    const st_box_tree *tree = &q->search->tree;
    return !q->cubes || overlaps(q->cubes, st_box_low(tree, node) + CUBE, st_box_high(tree, node) + CUBE);
}

static bool cell_is_asked(const question *q, size_t cell) {
    return !q->cubes || overlaps(q->cubes, q->search->cubes.data[cell].low, q->search->cubes.data[cell].high);
}

static void try_inside(const question *q, size_t cell, st_cell_best *b) {
    if (!cell_is_asked(q, cell)) return;

    const st_real d = inside_measure(&q->search->cells.data[cell], q->p);
    if (d <= 0) keep_better(q, b, d, cell);
}

static void find_inside(const question *q, st_cell_best *b) {
    const st_box_tree *tree = &q->search->tree;
    st_box_walk walk;

    st_box_walk_begin(&walk, tree);
    for (uint32_t at; st_box_walk_next(&walk, &at);) {
        const st_box_node *node = &tree->nodes.data[at];
        const st_real *low = st_box_low(tree, at) + REGION, *high = st_box_high(tree, at) + REGION;

        // neither the region nor the cubes reach the point
        if (!cell_search_holds(low, high, q->p) || !node_is_asked(q, at)) continue;

        if (node->count == 0) st_box_walk_down(&walk, at, true);
        for (uint32_t i = 0; i < node->count; i++) try_inside(q, tree->order.data[node->first + i], b);
    }
}

// Equals of higher numbers come too late, unless cubes say otherwise.
static bool can_be_better(const question *q, const st_cell_best *b, uint32_t node) {
    // nodes farther away than the best center hold nothing better
    const st_real d = st_box_node_square(&q->search->tree, node, CENTER_DIMS, q->p);
    const bool in_time = b->cell != SIZE_MAX && (q->cubes || q->search->tree.nodes.data[node].least < b->cell);

    return (d < b->d || (d == b->d && in_time)) && node_is_asked(q, node);
}

static void find_nearest(const question *q, st_cell_best *b) {
    const st_box_tree *tree = &q->search->tree;
    st_box_walk walk;

    st_box_walk_begin(&walk, tree);
    for (uint32_t at; st_box_walk_next(&walk, &at);) {
        const st_box_node *node = &tree->nodes.data[at];

        if (!can_be_better(q, b, at)) continue;

        // the nearer child first, so that the other one is skipped more often
        if (node->count == 0) st_box_walk_down(&walk, at, st_box_left_is_nearer(tree, at, CENTER_DIMS, q->p));
        for (uint32_t i = 0; i < node->count; i++) {
            const uint32_t cell = tree->order.data[node->first + i];
            if (cell_is_asked(q, cell)) keep_better(q, b, center_distance(&q->search->cells.data[cell], q->p), cell);
        }
    }
}

// A point at the very center of an element that does not hold it has d = 0, as one on a face of an element that does.
static void find_best(const question *q, st_cell_best *b) {
    find_inside(q, b);
    if (b->d >= 0) find_nearest(q, b);
}

size_t st_cell_search_find(const st_cell_search *search, const st_real p[3], st_real local[3]) {
    st_cell_best b = {ST_REAL_MAX, SIZE_MAX};

    find_best(&(question){search, p, NULL}, &b);

    if (b.cell != SIZE_MAX) st_cell_coordinates(&search->cells.data[b.cell], p, local);
    return b.cell;
}

// Ties with the best so far stay with it.
void st_cell_search_in_cubes(const st_cell_search *search, const st_cell_cubes *cubes, const st_real p[3],
                             st_cell_best *best) {
    st_cell_best b = {best->d, SIZE_MAX};

    find_best(&(question){search, p, cubes}, &b);
    if (b.cell != SIZE_MAX) *best = b;
}
