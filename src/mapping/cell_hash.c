// The rule of hashed cells, by a search that knows the cubes of its elements: no list of them is made, so that one
// large element among tiny ones costs no more than others.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/cell_hash.h"

#include "base/array.h"
#include "math/vec3.h"

st_real st_cell_hash_side(const st_cell_search *search, const st_uints *edges, const st_real *positions) {
    st_real sum = 0;

    // the mean length of the edges
    for (size_t i = 0; i < edges->count; i++)
        sum += st_vec3_distance(positions + 3 * (size_t)edges->data[2 * i + 1],
                                positions + 3 * (size_t)edges->data[2 * i]);
    if (edges->count) return sum / (st_real)edges->count;

    // without edges, of the first two nodes of each element
    for (size_t i = 0; i < search->cells.count; i++) {
        const uint32_t *nodes = search->cells.data[i].nodes;
        sum += st_vec3_distance(positions + 3 * (size_t)nodes[1], positions + 3 * (size_t)nodes[0]);
    }

    return search->cells.count ? sum / (st_real)search->cells.count : 0;
}

size_t st_cell_hash_find(const st_cell_search *search, st_real side, const st_real p[3], st_real local[3]) {
    const st_real inverse = 1 / side;
    st_cell_cubes cubes;
    st_cell_best b = {ST_REAL_MAX, SIZE_MAX};

    // its own cube first; an empty one says nothing, and all elements are tried
    for (int k = 0; k < 3; k++) cubes.low[k] = cubes.high[k] = floor(p[k] * inverse);
    st_cell_search_in_cubes(search, &cubes, p, &b);
    if (b.cell == SIZE_MAX) return st_cell_search_find(search, p, local);

    // the 27 cubes around
    for (int k = 0; k < 3; k++) cubes.low[k] -= 1, cubes.high[k] += 1;

    // Those of the own cube are tried again, which changes nothing: none of them is better than the best.
    if (fabs(b.d) > side / 2) st_cell_search_in_cubes(search, &cubes, p, &b);

    st_cell_coordinates(&search->cells.data[b.cell], p, local);
    return b.cell;
}

// ---------------------------------------------------------------------------------------------------
// One point
// ---------------------------------------------------------------------------------------------------

// The 27 cubes around a point and one more on each side, so that rounding of their faces does not matter.
typedef struct vicinity {
    st_real low[3], high[3];
} vicinity;

static bool reaches(const vicinity *v, const uint32_t *nodes, size_t size, const st_real *positions) {
    for (size_t k = 0; k < 3; k++) {
        bool above = true, below = true;
        for (size_t i = 0; i < size; i++) {
            const st_real x = positions[3 * (size_t)nodes[i] + k];
            above = above && x > v->high[k];
            below = below && x < v->low[k];
        }
        if (above || below) return false;
    }
    return true;
}

// Elements near the point, in their order, with their numbers.
static bool gather(const vicinity *v, const st_uints *elements, size_t size, const st_real *positions, st_uints *near,
                   st_uints *numbers) {
    for (size_t e = 0; e < elements->count; e++) {
        const uint32_t *nodes = elements->data + e * size;
        if (!reaches(v, nodes, size, positions)) continue;
        if (!st_list_push(numbers, (uint32_t)e) || !st_list_set_count(near, numbers->count, size)) return false;
        memcpy(near->data + (numbers->count - 1) * size, nodes, size * sizeof *nodes);
    }
    return true;
}

static bool has_cell_in(const st_cell_search *search, const st_real cube[3]) {
    for (size_t i = 0; i < search->cubes.count; i++) {
        const st_cell_cubes *c = &search->cubes.data[i];
        bool inside = true;
        for (int k = 0; k < 3; k++) inside = inside && c->low[k] <= cube[k] && c->high[k] >= cube[k];
        if (inside) return true;
    }
    return false;
}

st_status st_cell_hash_find_near(st_element kind, const st_uints *elements, const st_real *positions, st_real side,
                                 const st_real p[3], st_real local[3], uint32_t *element) {
    const st_real far = 100000; // cubes: up to there their faces are exact to far less than a cube
    st_real cube[3];
    vicinity v;
    if (!isnormal(side) || !isfinite(1 / side)) return ST_NOT_FOUND;
    for (int k = 0; k < 3; k++) {
        cube[k] = floor(p[k] * (1 / side));
        if (!(fabs(cube[k]) < far)) return ST_NOT_FOUND;
        v.low[k] = (cube[k] - 2) * side;
        v.high[k] = (cube[k] + 3) * side;
    }

    // a search over them alone: they keep their order, by which ties are decided
    st_uints near = {0}, numbers = {0};
    st_cell_search search = {.transpose = true};
    const bool ok = gather(&v, elements, st_element_size[kind], positions, &near, &numbers) &&
                    st_cell_search_add(&search, kind, &near, positions) &&
                    st_cell_search_divide(&search, side, positions) && st_cell_search_finish(&search, positions);

    st_status status = ok ? ST_NOT_FOUND : ST_OUT_OF_MEMORY;
    if (ok && has_cell_in(&search, cube)) {
        const size_t cell = st_cell_hash_find(&search, side, p, local);
        if (cell != SIZE_MAX) *element = numbers.data[cell], status = ST_OK;
    }

    st_cell_search_free(&search);
    st_list_free(&near);
    st_list_free(&numbers);
    return status;
}
