// A tree of boxes over the elements of a mesh.
//
// Each node of the tree has two boxes: one around the regions in which its elements hold a point, one around their
// centers. A point first goes down the nodes whose regions reach it. When no element holds it, it goes down towards the
// nearest center, past every node whose box of centers is farther than the best so far. Both bounds are computed with
// the operations of the distances themselves, so rounding cannot make a bound exceed what it bounds.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/cell_search.h"

#include <stdlib.h>

#include "base/array.h"
#include "math/mat3.h"

enum { LEAF = 4, STACK = 64 };

typedef struct box {
    st_real low[3], high[3];
} box;

struct st_cell_node {
    box region, centers;
    uint32_t first, count; // cells of a leaf in `order`; count = 0: an inner node
    uint32_t right;        // of an inner node; its left child stands next to it
};

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
        if (node < 0) st_vec3_cross(rows + 6, rows, rows + 3);
        else st_vec3_sub(rows + 3 * (size_t)i, positions + 3 * (size_t)cell->nodes[node], cell->origin);
    }
    st_mat3_transpose(axes, rows);
}

static st_cell make_cell(st_element kind, const uint32_t *nodes, const st_real *positions, bool transpose) {
    st_cell cell = {.kind = kind, .nodes = nodes};
    st_real axes[9];
    const int size = st_element_size[kind];
    st_vec3_copy(cell.origin, positions + 3 * (size_t)nodes[0]);
    for (int i = 0; i < size; i++) st_vec3_add(cell.center, cell.center, positions + 3 * (size_t)nodes[i]);
    st_vec3_divide(cell.center, cell.center, (st_real)size);
    axes_of(&cell, positions, axes);
    cell.flat = !st_mat3_inverse_above(cell.inverse, axes, ST_R(2.220446049250313e-16));
    if (cell.flat && transpose) st_mat3_transpose(cell.inverse, axes);
    return cell;
}

static st_real inside_measure(const st_cell *cell, const st_real p[3], st_real f[3]) {
    st_real d[3];
    st_vec3_sub(d, p, cell->origin);
    st_mat3_times_vec(f, cell->inverse, d);
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

static void grow(box *b, const st_real p[3]) {
    for (int i = 0; i < 3; i++) {
        b->low[i] = st_min(b->low[i], p[i]);
        b->high[i] = st_max(b->high[i], p[i]);
    }
}

static box empty_box(void) {
    return (box){{ST_REAL_MAX, ST_REAL_MAX, ST_REAL_MAX}, {-ST_REAL_MAX, -ST_REAL_MAX, -ST_REAL_MAX}};
}

static bool contains(const box *b, const st_real p[3]) {
    for (int i = 0; i < 3; i++)
        if (p[i] < b->low[i] || p[i] > b->high[i]) return false;
    return true;
}

static st_real box_distance(const box *b, const st_real p[3]) {
    st_real d[3];
    for (int i = 0; i < 3; i++) d[i] = p[i] < b->low[i] ? p[i] - b->low[i] : p[i] > b->high[i] ? p[i] - b->high[i] : 0;
    return st_vec3_norm2(d);
}

// A box is only as good as the coordinates are: rounding moves them by about epsilon times the condition of the axes.
// Regions are widened by `slack` of their size, and an element too distorted for that is left without a box.
static bool region_of(const st_cell *cell, const st_real *positions, box *region) {
    const st_real slack = cbrt(ST_REAL_EPSILON);
    st_real axes[9], norm = 0, inverse_norm = 0;
    axes_of(cell, positions, axes);
    for (int i = 0; i < 9; i++) {
        norm += axes[i] * axes[i];
        inverse_norm += cell->inverse[i] * cell->inverse[i];
    }
    const st_real condition = sqrt(norm) * sqrt(inverse_norm);
    if (cell->flat || !(condition > 0 && condition < slack / (100 * ST_REAL_EPSILON))) return false;
    const bool surface = cell->kind == ST_TRIANGLE || cell->kind == ST_QUAD;
    const bool simplex = cell->kind == ST_TRIANGLE || cell->kind == ST_TETRAHEDRON;
    *region = empty_box();
    for (int corner = 0; corner < 8; corner++) {
        const int ends = (corner & 1) + (corner >> 1 & 1) + (surface ? 0 : corner >> 2);
        if (simplex && ends > 1) continue; // beyond the face opposite to the first node
        const st_real z = surface ? (corner & 4 ? ST_R(0.01) : ST_R(-0.01)) : (st_real)(corner >> 2 & 1);
        const st_real f[3] = {(st_real)(corner & 1), (st_real)(corner >> 1 & 1), z};
        st_real p[3];
        st_mat3_times_vec(p, axes, f);
        st_vec3_add(p, p, cell->origin);
        grow(region, p);
    }
    const st_real margin = slack * sqrt(norm) + 4 * ST_REAL_EPSILON * st_vec3_norm(cell->origin);
    for (int i = 0; i < 3; i++) {
        region->low[i] -= margin;
        region->high[i] += margin;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Tree
// ---------------------------------------------------------------------------------------------------

typedef struct sort_key {
    st_real value;
    uint32_t cell;
} sort_key;

static int compare_keys(const void *a, const void *b) {
    const sort_key *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return x->cell < y->cell ? -1 : x->cell > y->cell;
}

typedef struct builder {
    st_cell_search *search;
    const box *regions; // of all cells; of loose ones an empty box
    sort_key *keys;
} builder;

static void sort_along_longest(const builder *b, const box *centers, size_t first, size_t count) {
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (centers->high[i] - centers->low[i] > centers->high[axis] - centers->low[axis]) axis = i;
    uint32_t *order = b->search->order.data + first;
    for (size_t i = 0; i < count; i++) b->keys[i] = (sort_key){b->search->cells.data[order[i]].center[axis], order[i]};
    qsort(b->keys, count, sizeof *b->keys, compare_keys);
    for (size_t i = 0; i < count; i++) order[i] = b->keys[i].cell;
}

static bool build_node(builder *b, size_t first, size_t count) {
    st_cell_search *search = b->search;
    const size_t at = search->tree.count;
    if (!st_list_set_count(&search->tree, at + 1, 1)) return false;
    st_cell_node node = {.region = empty_box(), .centers = empty_box()};
    for (size_t i = first; i < first + count; i++) {
        const uint32_t cell = search->order.data[i];
        grow(&node.centers, search->cells.data[cell].center);
        if (b->regions[cell].low[0] > b->regions[cell].high[0]) continue;
        grow(&node.region, b->regions[cell].low);
        grow(&node.region, b->regions[cell].high);
    }
    if (count <= LEAF) {
        node.first = (uint32_t)first;
        node.count = (uint32_t)count;
        search->tree.data[at] = node;
        return true;
    }
    sort_along_longest(b, &node.centers, first, count);
    if (!build_node(b, first, count / 2)) return false;
    node.right = (uint32_t)search->tree.count;
    search->tree.data[at] = node;
    return build_node(b, first + count / 2, count - count / 2);
}

bool st_cell_search_add(st_cell_search *search, st_element kind, const st_uints *elements, const st_real *positions) {
    const size_t old = search->cells.count, size = (size_t)st_element_size[kind];
    if (!st_list_set_count(&search->cells, old + elements->count, 1)) return false;
    for (size_t i = 0; i < elements->count; i++)
        search->cells.data[old + i] = make_cell(kind, elements->data + i * size, positions, search->transpose);
    return true;
}

// Flat elements whose inverse is zero all hold every point with d = 0, so only the first of them can win.
static bool note_loose(st_cell_search *search, uint32_t index, bool *zero_known) {
    const st_real *inverse = search->cells.data[index].inverse;
    bool zero = true;
    for (int i = 0; i < 9; i++) zero = zero && inverse[i] == 0;
    if (zero && *zero_known) return true;
    *zero_known = *zero_known || zero;
    return st_list_push(&search->loose, index);
}

bool st_cell_search_finish(st_cell_search *search, const st_real *positions) {
    const size_t count = search->cells.count;
    box *regions = st_alloc(count, sizeof *regions);
    builder b = {search, regions, st_alloc(count, sizeof(sort_key))};
    bool ok = regions && b.keys && st_list_set_count(&search->order, count, 1), zero_known = false;
    for (size_t i = 0; ok && i < count; i++) {
        search->order.data[i] = (uint32_t)i;
        if (region_of(&search->cells.data[i], positions, &regions[i])) continue;
        regions[i] = empty_box();
        ok = note_loose(search, (uint32_t)i, &zero_known);
    }
    ok = ok && (count == 0 || build_node(&b, 0, count));
    st_free(regions);
    st_free(b.keys);
    return ok;
}

void st_cell_search_free(st_cell_search *search) {
    st_list_free(&search->cells);
    st_list_free(&search->tree);
    st_list_free(&search->order);
    st_list_free(&search->loose);
}

// ---------------------------------------------------------------------------------------------------
// Search
// ---------------------------------------------------------------------------------------------------

st_real st_cell_measure(const st_cell *cell, const st_real p[3], st_real local[3]) {
    const st_real d = inside_measure(cell, p, local);
    return d > 0 ? center_distance(cell, p) : d;
}

typedef struct best {
    st_real d;
    size_t cell;
} best;

static void keep_better(best *b, st_real d, size_t cell) {
    if (d < b->d || (d == b->d && cell < b->cell)) *b = (best){d, cell};
}

static void try_inside(const st_cell_search *search, uint32_t cell, const st_real p[3], best *b) {
    st_real f[3];
    const st_real d = inside_measure(&search->cells.data[cell], p, f);
    if (d <= 0) keep_better(b, d, cell);
}

static void find_inside(const st_cell_search *search, const st_real p[3], best *b) {
    uint32_t stack[STACK];
    size_t depth = 0;
    for (size_t i = 0; i < search->loose.count; i++) try_inside(search, search->loose.data[i], p, b);
    for (uint32_t at = 0;;) {
        const st_cell_node *node = &search->tree.data[at];
        const bool reached = contains(&node->region, p);
        for (uint32_t i = 0; reached && i < node->count; i++)
            try_inside(search, search->order.data[node->first + i], p, b);
        if (reached && node->count == 0) {
            stack[depth++] = node->right;
            at++;
            continue;
        }
        if (depth == 0) return;
        at = stack[--depth];
    }
}

static void find_nearest(const st_cell_search *search, const st_real p[3], best *b) {
    uint32_t stack[STACK];
    size_t depth = 0;
    for (uint32_t at = 0;;) {
        const st_cell_node *node = &search->tree.data[at];
        const bool reached = box_distance(&node->centers, p) <= b->d;
        for (uint32_t i = 0; reached && i < node->count; i++) {
            const uint32_t cell = search->order.data[node->first + i];
            keep_better(b, center_distance(&search->cells.data[cell], p), cell);
        }
        if (reached && node->count == 0) {
            const uint32_t left = at + 1, right = node->right;
            const bool left_first =
                box_distance(&search->tree.data[left].centers, p) <= box_distance(&search->tree.data[right].centers, p);
            stack[depth++] = left_first ? right : left;
            at = left_first ? left : right;
            continue;
        }
        if (depth == 0) return;
        at = stack[--depth];
    }
}

size_t st_cell_search_find(const st_cell_search *search, const st_real p[3], st_real local[3]) {
    best b = {ST_REAL_MAX, SIZE_MAX};
    if (search->tree.count == 0) return SIZE_MAX;
    find_inside(search, p, &b);
    if (b.cell == SIZE_MAX) find_nearest(search, p, &b);
    if (b.cell != SIZE_MAX) inside_measure(&search->cells.data[b.cell], p, local);
    return b.cell;
}

st_real st_cell_search_depth(const st_cell_search *search, const st_real p[3]) {
    best b = {ST_REAL_MAX, SIZE_MAX};
    if (search->tree.count) find_inside(search, p, &b);
    return b.d;
}
