// Which cells of a lattice a surface touches, and which it encloses.
//
// 1. Every cell is inside until shown otherwise.
// 2. A cell that holds a point of the surface is boundary.
// 3. A cell that a triangle of the surface touches is boundary; polygons are cut into fans of triangles.
// 4. From the rim of the lattice the outside spreads through faces between cells that are not boundary.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/vec3.h"
#include "topology/lattice_visit.h"
#include "topology/sparse_grid.h"

typedef struct classifier {
    const st_lattice *lattice;
    const st_facets *surface;
    uint8_t *type;
    uint32_t *cell_of; // the cell of each point of the surface, ST_INVALID_INDEX when it has none
} classifier;

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

// A point just outside is looked for half a step inside the rim.
static size_t find_moved(const st_lattice *lattice, const st_real p[3]) {
    const st_real slack = ST_R(1.19209290e-07);
    st_real q[3], local[3];

    for (int i = 0; i < 3; i++) {
        const st_real low = lattice->p0[i], high = st_lattice_coordinate(lattice, i, lattice->n[i] - 1);
        q[i] = p[i] - slack < low    ? low + lattice->step[i] / 2
               : p[i] + slack > high ? high - lattice->step[i] / 2
                                     : p[i];
    }

    return st_lattice_find(lattice, q, local);
}

static size_t mark_points(classifier *self) {
    size_t lost = 0;

    for (size_t i = 0; i < self->surface->points.count; i++) {
        const st_real *p = self->surface->points.data + 3 * i;
        st_real local[3];

        // without moving the cell is boundary; a moved point only bounds the boxes of its triangles
        size_t cell = st_lattice_find(self->lattice, p, local);
        if (cell != SIZE_MAX) self->type[cell] = ST_CELL_BOUNDARY;
        else cell = find_moved(self->lattice, p);

        self->cell_of[i] = cell == SIZE_MAX ? ST_INVALID_INDEX : (uint32_t)cell;
        lost += cell == SIZE_MAX;
    }

    return lost;
}

// ---------------------------------------------------------------------------------------------------
// Triangles
// ---------------------------------------------------------------------------------------------------

static bool touches(const classifier *self, const uint32_t v[3], const int32_t at[3]) {
    float corners[3][3];

    // the triangle in the frame of the cell, which is the cube of side 1 around the origin
    for (int i = 0; i < 3; i++) {
        const st_real low = st_lattice_coordinate(self->lattice, i, at[i]);
        const st_real high = st_lattice_coordinate(self->lattice, i, at[i] + 1);
        const st_real center = (low + high) / 2, side = high - low;
        for (int k = 0; k < 3; k++)
            corners[k][i] = (float)((self->surface->points.data[3 * (size_t)v[k] + (size_t)i] - center) / side);
    }

    return st_triangle_touches_cube((const float(*)[3])corners);
}

typedef struct marker {
    classifier *classifier;
    const uint32_t *v; // corners of the triangle
} marker;

static void mark_cell(void *context, const int32_t at[3]) {
    const marker *m = context;
    uint8_t *type = &m->classifier->type[st_lattice_cell(m->classifier->lattice, at)];
    if (*type != ST_CELL_BOUNDARY && touches(m->classifier, m->v, at)) *type = ST_CELL_BOUNDARY;
}

static void mark_triangle(classifier *self, const uint32_t v[3]) {
    int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, high[3] = {0, 0, 0}, at[3];
    const uint32_t *cells = self->cell_of;
    st_real p[3][3];

    // the box of cells around the corners; a triangle with a lost corner is left out
    for (int k = 0; k < 3; k++) {
        if (cells[v[k]] == ST_INVALID_INDEX) return;

        st_lattice_place(self->lattice, cells[v[k]], at);
        st_vec3_copy(p[k], self->surface->points.data + 3 * (size_t)v[k]);
        for (int i = 0; i < 3; i++) {
            if (at[i] < low[i]) low[i] = at[i];
            if (at[i] > high[i]) high[i] = at[i];
        }
    }

    // a small triangle in one cell that is marked already changes nothing
    if (cells[v[0]] == cells[v[1]] && cells[v[0]] == cells[v[2]] && self->type[cells[v[0]]] == ST_CELL_BOUNDARY) return;

    marker m = {self, v};
    st_lattice_visit(self->lattice, (const st_real(*)[3])p, low, high, mark_cell, &m);
}

static void mark_triangles(classifier *self) {
    const st_facets *s = self->surface;

    for (size_t f = 0; f < st_facets_count(s); f++) {
        const size_t count = s->start.data[f + 1] - s->start.data[f];
        if (count == 0) continue;

        // polygons are cut into a fan
        const uint32_t *c = s->corners.data + s->start.data[f];
        for (size_t j = 2; j < count; j++) mark_triangle(self, (const uint32_t[3]){c[0], c[j - 1], c[j]});
    }
}

// ---------------------------------------------------------------------------------------------------
// Outside
// ---------------------------------------------------------------------------------------------------

// Takes a cell into the outside, once.
static bool sparse_classify_take(classifier *self, st_uints *stack, const int32_t at[3]) {
    const size_t cell = st_lattice_cell(self->lattice, at);

    if (self->type[cell] != ST_CELL_INSIDE) return true;

    self->type[cell] = ST_CELL_OUTSIDE;
    return st_list_push(stack, (uint32_t)cell);
}

static bool sparse_classify_spread(classifier *self, st_uints *stack) {
    bool ok = true;

    // depth first: the order does not matter, the set that is reached does
    while (ok && stack->count) {
        int32_t at[3];
        st_lattice_place(self->lattice, stack->data[--stack->count], at);

        for (int i = 0; ok && i < 3; i++)
            for (int32_t d = -1; ok && d <= 1; d += 2) {
                at[i] += d;
                if (at[i] >= 0 && at[i] < self->lattice->n[i] - 1) ok = sparse_classify_take(self, stack, at);
                at[i] -= d;
            }
    }
    return ok;
}

static bool mark_outside(classifier *self) {
    const int32_t *n = self->lattice->n;
    st_uints stack = {0};
    int32_t at[3];
    bool ok = true;

    // every cell on the rim that is not boundary is outside
    for (at[2] = 0; ok && at[2] < n[2] - 1; at[2]++)
        for (at[1] = 0; ok && at[1] < n[1] - 1; at[1]++) {
            const bool rim = at[2] == 0 || at[2] == n[2] - 2 || at[1] == 0 || at[1] == n[1] - 2;
            const int32_t skip =
                rim || n[0] < 3 ? 1 : n[0] - 2; // in the middle only both ends of the row are on the rim

            for (at[0] = 0; ok && at[0] < n[0] - 1; at[0] += skip) ok = sparse_classify_take(self, &stack, at);
            ok = ok && sparse_classify_spread(self, &stack);
        }

    st_list_free(&stack);
    return ok;
}

size_t st_sparse_classify(const st_lattice *lattice, const st_facets *surface, uint8_t *type) {
    classifier self = {.lattice = lattice, .surface = surface, .type = type};

    self.cell_of = st_alloc(surface->points.count, sizeof *self.cell_of);
    if (!self.cell_of) return SIZE_MAX;

    memset(type, ST_CELL_INSIDE, st_lattice_cells(lattice));
    size_t lost = mark_points(&self);
    mark_triangles(&self);
    if (!mark_outside(&self)) lost = SIZE_MAX;

    st_free(self.cell_of);
    return lost;
}
