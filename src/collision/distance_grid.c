// Making and asking grids of distances: see the header.
//
//     1. size of the grid: the box of the surface and a tenth more on each side
//     2. nodes beside a triangle: distances along the axes on which an edge of the grid goes through it; the side follows
//        from the triangle's normal
//     3. from there to all others, the nearest first (Dijkstra); a node is inside when most of its known neighbors are
//     4. distances inside become negative
//     5. points of the surface: its vertices, or nodes moved down the gradient
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/distance_grid.h"

#include <tgmath.h>

#include "base/array.h"
#include "base/text.h"
#include "math/vec3.h"
#include "topology/sparse_grid.h"

enum { MOST_NODES = 1 << 27 };

typedef enum node_side { FAR, OUTSIDE, INSIDE } node_side;

typedef struct building {
    st_distance_grid *grid;
    uint8_t *side;   // of each node
    uint32_t *heap;  // nodes, the nearest first
    uint32_t *place; // of each node in the heap, from 1 on
    size_t heap_count;
} building;

// ---------------------------------------------------------------------------------------------------
// Nodes
// ---------------------------------------------------------------------------------------------------

static size_t node_count(const st_distance_grid *g) { return g->n[0] * g->n[1] * g->n[2]; }

static size_t node_at(const st_distance_grid *g, size_t x, size_t y, size_t z) {
    return x + g->n[0] * (y + g->n[1] * z);
}

static void node_position(const st_distance_grid *g, size_t x, size_t y, size_t z, st_real p[3]) {
    p[0] = g->min[0] + (st_real)x * g->cell[0];
    p[1] = g->min[1] + (st_real)y * g->cell[1];
    p[2] = g->min[2] + (st_real)z * g->cell[2];
}

// The floor of a number that is first rounded to a multiple of 2^-16: what is nearly the next integer is it.
static st_real rounded_floor(st_real r) { return floor(nearbyint(r * 65536) / 65536); }

// The cell of a coordinate, kept between `low` and `high`; numbers that are none are low.
static size_t cell_along(const st_distance_grid *g, int axis, st_real x, st_real shift, size_t low, size_t high) {
    const st_real cell = rounded_floor((x - g->min[axis]) * g->inverse[axis]) + shift;
    if (!(cell > (st_real)low)) return low;
    return cell < (st_real)high ? (size_t)cell : high;
}

// ---------------------------------------------------------------------------------------------------
// Beside the surface
// ---------------------------------------------------------------------------------------------------

// Does the line through p along the axis go through the triangle? In the plane of the two other axes, from p0.
static bool goes_through(const st_real p[3], int axis, const st_real t[3][3]) {
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    const st_real u0 = p[a] - t[0][a], u1 = t[1][a] - t[0][a], u2 = t[2][a] - t[0][a];
    const st_real v0 = p[b] - t[0][b], v1 = t[1][b] - t[0][b], v2 = t[2][b] - t[0][b];

    st_real alpha, beta;
    if (u1 == 0) {
        beta = u0 / u2;
        if (!(beta >= 0 && beta <= 1)) return false;
        alpha = (v0 - beta * v2) / v1;
    } else {
        beta = (v0 * u1 - u0 * v1) / (v2 * u1 - u2 * v1);
        if (!(beta >= 0 && beta <= 1)) return false;
        alpha = (u0 - beta * u2) / u1;
    }

    return alpha >= 0 && alpha + beta <= 1;
}

static void offer(building *b, size_t node, st_real distance, node_side side) {
    if (!(distance < b->grid->distances.data[node])) return;
    b->grid->distances.data[node] = distance;
    b->side[node] = (uint8_t)side;
}

static void add_triangle(building *b, const st_real t[3][3]) {
    st_distance_grid *g = b->grid;
    st_real u[3], v[3], n[3];
    st_vec3_sub(u, t[1], t[0]);
    st_vec3_sub(v, t[2], t[0]);
    st_vec3_cross(n, u, v);
    st_vec3_normalize(n, n);
    const st_real offset = -st_vec3_dot(t[0], n);

    // nodes around the triangle
    size_t first[3], end[3];
    for (int k = 0; k < 3; k++) {
        const st_real low = fmin(fmin(t[0][k], t[1][k]), t[2][k]), high = fmax(fmax(t[0][k], t[1][k]), t[2][k]);
        first[k] = cell_along(g, k, low, -1, 0, g->n[k] - 1);
        end[k] = cell_along(g, k, high, 2, 0, g->n[k] - 1);
    }

    const size_t step[3] = {1, g->n[0], g->n[0] * g->n[1]};
    for (size_t z = first[2]; z < end[2]; z++)
        for (size_t y = first[1]; y < end[1]; y++)
            for (size_t x = first[0]; x < end[0]; x++) {
                st_real p[3];
                node_position(g, x, y, z, p);
                const size_t node = node_at(g, x, y, z);
                const st_real height = st_vec3_dot(p, n) + offset;
                for (int k = 0; k < 3; k++) {
                    if (!(fabs(n[k]) > (st_real)1e-6)) continue;
                    const st_real w = g->cell[k], along = -height / n[k];
                    if (!(along >= (st_real)-0.01 * w && along <= (st_real)1.01 * w) || !goes_through(p, k, t))
                        continue;
                    offer(b, node, along, n[k] < 0 ? OUTSIDE : INSIDE);
                    offer(b, node + step[k], w - along, n[k] < 0 ? INSIDE : OUTSIDE);
                }
            }
}

// ---------------------------------------------------------------------------------------------------
// Everywhere else
// ---------------------------------------------------------------------------------------------------

static st_real key_of(const building *b, uint32_t node) { return b->grid->distances.data[node]; }

static void put_in_heap(building *b, size_t at, uint32_t node) {
    b->heap[at] = node;
    b->place[node] = (uint32_t)(at + 1);
}

static void sift_up(building *b, size_t at, uint32_t node) {
    while (at > 0 && key_of(b, node) < key_of(b, b->heap[(at - 1) / 2])) {
        put_in_heap(b, at, b->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put_in_heap(b, at, node);
}

static uint32_t pop_nearest(building *b) {
    const uint32_t first = b->heap[0], last = b->heap[--b->heap_count];

    size_t at = 0;
    for (size_t below = 1; below < b->heap_count; below = 2 * at + 1) {
        if (below + 1 < b->heap_count && !(key_of(b, b->heap[below]) < key_of(b, b->heap[below + 1]))) below++;
        if (!(key_of(b, b->heap[below]) < key_of(b, last))) break;
        put_in_heap(b, at, b->heap[below]);
        at = below;
    }

    if (b->heap_count) put_in_heap(b, at, last);
    return first;
}

// Visits the six neighbors of a node: those that are known are counted, the others get a way to the surface.
static void visit_neighbors(building *b, size_t node, size_t known[3]) {
    const st_distance_grid *g = b->grid;
    const size_t step[3] = {1, g->n[0], g->n[0] * g->n[1]};
    const size_t at[3] = {node % g->n[0], node / g->n[0] % g->n[1], node / (g->n[0] * g->n[1])};

    // −x, +x, −y, +y, −z, +z
    for (int k = 0; k < 6; k++) {
        const int axis = k / 2;
        if (k % 2 ? at[axis] + 1 >= g->n[axis] : at[axis] == 0) continue;
        const uint32_t neighbor = (uint32_t)(k % 2 ? node + step[axis] : node - step[axis]);

        if (b->side[neighbor] != FAR) {
            known[b->side[neighbor]]++;
            continue;
        }

        const st_real way = g->distances.data[node] + g->cell[axis];
        if (!(way < g->distances.data[neighbor])) continue;
        g->distances.data[neighbor] = way;
        sift_up(b, b->place[neighbor] ? b->place[neighbor] - 1 : b->heap_count++, neighbor);
    }
}

static void spread(building *b) {
    st_distance_grid *g = b->grid;
    size_t known[3];
    for (size_t i = 0; i < node_count(g); i++)
        if (b->side[i] != FAR && i % g->n[0] > 0) visit_neighbors(b, i, known);

    while (b->heap_count) {
        const uint32_t node = pop_nearest(b);
        known[OUTSIDE] = known[INSIDE] = 0;
        visit_neighbors(b, node, known);
        b->side[node] = known[INSIDE] > known[OUTSIDE] ? INSIDE : OUTSIDE;
    }
    for (size_t i = 0; i < node_count(g); i++)
        if (b->side[i] == INSIDE) g->distances.data[i] = -g->distances.data[i];
}

// ---------------------------------------------------------------------------------------------------
// Sources
// ---------------------------------------------------------------------------------------------------

static bool grid_fails(st_object *object, const char *what) {
    st_message(object, ST_ERROR, "the grid of distances cannot be made: %s", what);
    return false;
}

// Nodes between `min` and `max`, as many as were asked for.
static bool size_grid(st_distance_grid *g, st_object *object, const st_distance_grid_recipe *recipe) {
    for (int k = 0; k < 3; k++) {
        if (recipe->n[k] < 2 || !(g->max[k] > g->min[k] && g->max[k] - g->min[k] <= ST_REAL_MAX))
            return grid_fails(object, "it needs two nodes and some extent along each axis");
        g->n[k] = recipe->n[k];
        g->cell[k] = (g->max[k] - g->min[k]) / (st_real)(g->n[k] - 1);
        g->inverse[k] = 1 / g->cell[k];
    }

    if (g->n[0] > MOST_NODES / g->n[1] || g->n[0] * g->n[1] > MOST_NODES / g->n[2])
        return grid_fails(object, "it would have more than 134217728 nodes");

    return st_list_set_count(&g->distances, node_count(g), 1) || grid_fails(object, "out of memory");
}

// Without points on the surface the box of the body is that of the grid.
bool st_distance_grid_shape(st_distance_grid *grid, st_object *object, const st_real low[3], const st_real high[3],
                            const uint32_t n[3]) {
    const st_distance_grid_recipe recipe = {.n = {n[0], n[1], n[2]}};
    for (int k = 0; k < 3; k++) {
        grid->min[k] = grid->low[k] = low[k];
        grid->max[k] = grid->high[k] = high[k];
    }
    return size_grid(grid, object, &recipe);
}

static void box_of_points(const st_reals *points, st_real low[3], st_real high[3]) {
    for (size_t i = 0; i < points->count; i++)
        for (int k = 0; k < 3; k++) {
            const st_real x = points->data[3 * i + (size_t)k];
            if (i == 0 || x < low[k]) low[k] = x;
            if (i == 0 || x > high[k]) high[k] = x;
        }
}

static bool take_triangles(building *b, const st_facets *facets, st_real scale) {
    for (size_t f = 0; f < st_facets_count(facets); f++)
        for (uint32_t k = facets->start.data[f] + 2; k < facets->start.data[f + 1]; k++) {
            const uint32_t corner[3] = {facets->corners.data[facets->start.data[f]], facets->corners.data[k - 1],
                                        facets->corners.data[k]};
            st_real t[3][3];
            for (int c = 0; c < 3; c++) st_vec3_scale(t[c], facets->points.data + 3 * (size_t)corner[c], scale);
            add_triangle(b, t);
        }
    return true;
}

static bool measure(st_distance_grid *g, st_object *object, const st_facets *facets, st_real scale) {
    const size_t count = node_count(g);
    building b = {.grid = g,
                  .side = st_alloc(count, sizeof *b.side),
                  .heap = st_alloc(count, sizeof *b.heap),
                  .place = st_alloc(count, sizeof *b.place)};

    const bool ok = b.side && b.heap && b.place;
    for (size_t i = 0; ok && i < count; i++) g->distances.data[i] = ST_REAL_MAX;

    if (ok) {
        take_triangles(&b, facets, scale);
        spread(&b);
    }

    st_free(b.side);
    st_free(b.heap);
    st_free(b.place);
    return ok || grid_fails(object, "out of memory");
}

static bool make_from_surface(st_distance_grid *g, st_object *object, const st_distance_grid_recipe *recipe) {
    st_facets facets = {0};
    bool ok = st_facets_read(&facets, object, recipe->file);
    if (ok && facets.points.count == 0) ok = grid_fails(object, "the file has no points");
    if (ok && !st_list_set_count(&g->points, facets.points.count, 3)) ok = grid_fails(object, "out of memory");

    for (size_t i = 0; ok && i < 3 * facets.points.count; i++)
        g->points.data[i] = facets.points.data[i] * fabs(recipe->scale);

    // a box that is given is ignored, as in SOFA, unless it is turned inside out: then it grows
    if (ok) box_of_points(&g->points, g->low, g->high);
    for (int k = 0; ok && k < 3; k++) {
        const st_real margin = (g->high[k] - g->low[k]) * (st_real)0.1;
        const bool plain = recipe->box[0] <= recipe->box[3];
        g->min[k] = plain ? g->low[k] - margin : fmin(recipe->box[k], g->low[k]);
        g->max[k] = plain ? g->high[k] + margin : fmax(recipe->box[k + 3], g->high[k]);
    }

    ok = ok && size_grid(g, object, recipe) && measure(g, object, &facets, recipe->scale);
    st_facets_free(&facets);
    return ok;
}

// The exact distance to a cube of half the size `scale`.
static bool make_cube(st_distance_grid *g, st_object *object, const st_distance_grid_recipe *recipe) {
    const st_real size = (st_real)(float)recipe->scale;
    enum { SIDE = 5 };

    for (int k = 0; k < 3; k++) {
        g->low[k] = -size, g->high[k] = size;
        g->min[k] = -size * (st_real)1.2, g->max[k] = size * (st_real)1.2;
    }

    if (!size_grid(g, object, recipe)) return false;

    // outside to the nearest point, inside to the nearest face
    for (size_t i = 0; i < node_count(g); i++) {
        st_real p[3], out = 0, in = -size;
        node_position(g, i % g->n[0], i / g->n[0] % g->n[1], i / (g->n[0] * g->n[1]), p);
        for (int k = 0; k < 3; k++) {
            const st_real over = fabs(p[k]) - size;
            out += over > 0 ? over * over : 0;
            in = fmax(in, over);
        }
        g->distances.data[i] = out > 0 ? sqrt(out) : in;
    }

    // a lattice of points on the faces
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
        if (at[0] % (SIDE - 1) && at[1] % (SIDE - 1) && at[2] % (SIDE - 1)) continue; // inside

        const size_t n = g->points.count;
        if (!st_list_set_count(&g->points, n + 1, 3)) return grid_fails(object, "out of memory");
        for (int k = 0; k < 3; k++) g->points.data[3 * n + (size_t)k] = size * ((st_real)at[k] * 2 / (SIDE - 1) - 1);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

// Moves a point down the gradient onto the surface; false: it does not come near.
static bool move_to_surface(const st_distance_grid *g, st_real p[3], st_real far) {
    st_real d = st_distance_grid_interpolate(g, p);

    for (int i = 0; i < 10 && fabs(d) > far / 100; i++) {
        st_real n[3];
        st_distance_grid_gradient(g, p, n);
        st_vec3_normalize(n, n);
        st_vec3_add_scaled(p, p, n, d * (st_real)-0.99);
        d = st_distance_grid_interpolate(g, p);
    }

    return fabs(d) <= far / 10;
}

static bool sample(st_distance_grid *g, st_object *object, st_real sampling) {
    const st_real every = sampling < 0 ? ceil(-sampling) : 1;
    st_real step[3], from[3], far = 0;
    size_t count[3];

    // a lattice in the middle of the grid, or nodes of it
    for (int k = 0; k < 3; k++) {
        const st_real extent = g->max[k] - g->min[k];
        step[k] = sampling < 0 ? g->cell[k] * every : sampling;
        far += step[k] * step[k];
        const st_real fit = floor(extent / step[k]);
        if (!(fit < MOST_NODES)) return grid_fails(object, "sampling is too fine");
        count[k] = (size_t)fit;
        from[k] = g->min[k] + (sampling < 0 ? 0 : (extent - fit * step[k]) / 2);
    }

    far = sqrt(far);
    g->points.count = 0;

    // those near the surface are moved onto it
    for (size_t z = 1; z < count[2]; z++)
        for (size_t y = 1; y < count[1]; y++)
            for (size_t x = 1; x < count[0]; x++) {
                st_real p[3] = {from[0] + (st_real)x * step[0], from[1] + (st_real)y * step[1],
                                from[2] + (st_real)z * step[2]};
                if (!(fabs(st_distance_grid_interpolate(g, p)) <= far) || !move_to_surface(g, p, far)) continue;

                const size_t n = g->points.count;
                if (!st_list_set_count(&g->points, n + 1, 3)) return grid_fails(object, "out of memory");
                st_vec3_copy(g->points.data + 3 * n, p);
            }

    box_of_points(&g->points, g->low, g->high);
    return true;
}

bool st_distance_grid_make(st_distance_grid *grid, st_object *object, const st_distance_grid_recipe *recipe) {
    const char *file = recipe->file ? recipe->file : "";
    st_distance_grid_free(grid);

    if (!*file) return grid_fails(object, "filename is not given");
    if (!(fabs(recipe->scale) > 0 && fabs(recipe->scale) <= ST_REAL_MAX))
        return grid_fails(object, "scale is 0, or not a finite number");

    bool ok;
    if (st_text_ends_with(file, "#cube")) ok = make_cube(grid, object, recipe);
    else if (st_text_ends_with(file, ".raw")) ok = st_distance_grid_read_raw(grid, object, recipe);
    else if (st_text_ends_with(file, ".vtk")) ok = st_distance_grid_read_vtk(grid, object, recipe);
    else if (st_text_ends_with(file, ".obj")) ok = make_from_surface(grid, object, recipe);
    else if (st_text_ends_with(file, ".fmesh"))
        ok = grid_fails(object, "an .fmesh needs a library of its own, in SOFA, too: save the surface as .obj");
    else ok = grid_fails(object, "its file must be an .obj, .raw, .vtk, or #cube");

    if (ok && recipe->sampling != 0) ok = sample(grid, object, recipe->sampling);
    return ok;
}

void st_distance_grid_free(st_distance_grid *grid) {
    st_list_free(&grid->distances);
    st_list_free(&grid->points);
}

// ---------------------------------------------------------------------------------------------------
// Asking
// ---------------------------------------------------------------------------------------------------

// The distances at the corners of the cell of p, bit 0 for x, 1 for y, 2 for z, and where p is in it.
static void corners_of(const st_distance_grid *g, const st_real p[3], st_real d[8], st_real c[3]) {
    size_t at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = cell_along(g, k, p[k], 0, 0, g->n[k] - 2);
        c[k] = (p[k] - g->min[k]) * g->inverse[k] - (st_real)at[k];
    }

    for (int k = 0; k < 8; k++)
        d[k] = g->distances.data[node_at(g, at[0] + (k & 1), at[1] + (k >> 1 & 1), at[2] + (k >> 2))];
}

static st_real between(st_real a, st_real b, st_real c) { return a + c * (b - a); }
static st_real between_four(st_real a, st_real b, st_real c, st_real d, st_real s, st_real t) {
    return between(between(a, b, s), between(c, d, s), t);
}

st_real st_distance_grid_interpolate(const st_distance_grid *grid, const st_real p[3]) {
    st_real d[8], c[3];
    corners_of(grid, p, d, c);
    return between_four(between(d[0], d[1], c[0]), between(d[2], d[3], c[0]), between(d[4], d[5], c[0]),
                        between(d[6], d[7], c[0]), c[1], c[2]);
}

void st_distance_grid_gradient(const st_distance_grid *grid, const st_real p[3], st_real gradient[3]) {
    st_real d[8], c[3];
    corners_of(grid, p, d, c);
    gradient[0] = between_four(d[1] - d[0], d[3] - d[2], d[5] - d[4], d[7] - d[6], c[1], c[2]);
    gradient[1] = between_four(d[2] - d[0], d[3] - d[1], d[6] - d[4], d[7] - d[5], c[0], c[2]);
    gradient[2] = between_four(d[4] - d[0], d[5] - d[1], d[6] - d[2], d[7] - d[3], c[0], c[1]);
}

bool st_distance_grid_direction(const st_distance_grid *grid, const st_real p[3], st_real direction[3]) {
    st_distance_grid_gradient(grid, p, direction);

    // differences between nodes: as long as a cell, where the distance grows as it should
    const st_real norm = st_vec3_norm(direction), cell = fmin(fmin(grid->cell[0], grid->cell[1]), grid->cell[2]);
    if (!(norm > sqrt(ST_REAL_EPSILON) * cell)) return false;
    st_vec3_divide(direction, direction, norm);
    return true;
}

bool st_distance_grid_holds(const st_distance_grid *grid, const st_real p[3]) {
    for (int k = 0; k < 3; k++) {
        const st_real margin = grid->cell[k] * (st_real)0.1;
        if (!(p[k] >= grid->min[k] + margin && p[k] <= grid->max[k] - margin)) return false;
    }
    return true;
}

bool st_distance_grid_near(const st_distance_grid *grid, const st_real p[3], st_real margin) {
    for (int k = 0; k < 3; k++)
        if (!(p[k] >= grid->low[k] - margin && p[k] <= grid->high[k] + margin)) return false;
    return true;
}

st_real st_distance_grid_evaluate(const st_distance_grid *grid, const st_real p[3]) {
    if (st_distance_grid_holds(grid, p)) return st_distance_grid_interpolate(grid, p);

    st_real nearest[3], d[3];
    for (int k = 0; k < 3; k++) nearest[k] = fmin(fmax(p[k], grid->min[k]), grid->max[k]);
    st_vec3_sub(d, p, nearest);
    const st_real at = st_distance_grid_interpolate(grid, nearest);
    return sqrt(st_vec3_norm2(d) + at * at);
}
