// Ramified sparse grids: which pieces of matter are joined, and what that means for cells and points.
//
// On the finest level each kept cell is one piece, linked with its neighbors before it along x, y and z. On a coarser
// one the pieces of the eight children that are joined inside the cell make one piece; pieces of two cells are linked
// when any of their members are. Each piece is a hexahedron.
//
// Points: hexahedron h starts with eight of its own, 8 h to 8 h + 7. For each hexahedron in order and each link behind
// (z), below (y) and to the left (x) the points of its near face are replaced everywhere by the facing ones of the
// neighbor. What is left is numbered in increasing order.
//
// A coarser level is made in five steps:
//   1. its cells are kept as if nothing were ramified (sparse_level.c)
//   2. fine hexahedra that are linked inside one coarse cell are joined to pieces (union-find)
//   3. each piece becomes a hexahedron with the coefficients of its members
//   4. pieces of two cells are linked where their members are
//   5. points, as above
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "base/array.h"
#include "math/vec3.h"
#include "topology/lattice_visit.h"
#include "topology/sparse_grid.h"
#include "topology/tables.h"

// ---------------------------------------------------------------------------------------------------
// Links
// ---------------------------------------------------------------------------------------------------

// Along z before along y before along x: the order in which points are joined.
static int compare_links(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;

    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    if (x[1] != y[1]) return x[1] > y[1] ? -1 : 1;
    return x[2] < y[2] ? -1 : x[2] > y[2];
}

static bool add_link(st_uints *links, uint32_t from, uint32_t axis, uint32_t to) {
    const size_t at = links->count;

    if (!st_list_set_count(links, at + 1, 3)) return false;
    uint32_t *link = links->data + 3 * at;
    link[0] = from, link[1] = axis, link[2] = to;
    return true;
}

static void sort_links(st_uints *links) {
    if (links->count == 0) return;

    qsort(links->data, links->count, 3 * sizeof *links->data, compare_links);

    // equal ones are neighbors now: the first of each run stays
    size_t kept = 1;
    for (size_t i = 1; i < links->count; i++) {
        if (compare_links(links->data + 3 * i, links->data + 3 * (kept - 1)) == 0) continue;
        memmove(links->data + 3 * kept++, links->data + 3 * i, 3 * sizeof *links->data);
    }

    links->count = kept;
}

// ---------------------------------------------------------------------------------------------------
// Where the surface crosses faces between cells
// ---------------------------------------------------------------------------------------------------

// The line from `start` along the unit vector `direction`, between both ends of a segment of the given length and its
// mirror image behind the start.
typedef struct segment {
    st_real start[3], direction[3], length;
} segment;

static bool crosses_triangle(const segment *s, const st_real a[3], const st_real b[3], const st_real c[3]) {
    st_real e1[3], e2[3], normal[3], d[3], w[3];

    // plane of the triangle; a segment in it does not cross
    st_vec3_sub(e1, b, a);
    st_vec3_sub(e2, c, a);
    st_vec3_sub(d, s->start, a);
    st_vec3_cross(normal, e1, e2);

    st_real steepness = st_vec3_dot(s->direction, normal);
    if (!(fabs(steepness) > ST_R(1e-10))) return false;

    const st_real sign = steepness > 0 ? 1 : -1;
    steepness *= sign;

    // barycentric coordinates of the line's point in the plane, times the steepness
    st_vec3_cross(w, d, e2);
    const st_real u = sign * st_vec3_dot(s->direction, w);
    st_vec3_cross(w, e1, d);
    const st_real v = sign * st_vec3_dot(s->direction, w);
    if (!(u >= 0 && v >= 0 && u + v <= steepness)) return false;

    const st_real t = -sign * st_vec3_dot(d, normal) / steepness;
    return t >= -s->length && t <= s->length;
}

static bool crosses_face(const st_lattice *lattice, const segment *s, const int32_t at[3], int axis) {
    static const int32_t faces[3][4][3] = {{{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0}},
                                           {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}},
                                           {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}};
    st_real p[4][3];

    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) p[k][i] = st_lattice_coordinate(lattice, i, at[i] + faces[axis][k][i]);
    return crosses_triangle(s, p[0], p[1], p[2]) || crosses_triangle(s, p[0], p[2], p[3]);
}

// The cells that a segment and its mirror image can reach, one more on each side.
static bool cells_of_segment(const st_lattice *lattice, const segment *s, int32_t low[3], int32_t high[3]) {
    for (int i = 0; i < 3; i++) {
        const st_real middle = (s->start[i] - lattice->p0[i]) / lattice->step[i];
        const st_real reach = fabs(s->direction[i] * s->length / lattice->step[i]) + 1,
                      end = (st_real)(lattice->n[i] - 2);

        // one cell more on each side than the segment reaches
        const st_real from = st_max(floor(middle - reach), 0), to = st_min(floor(middle + reach), end);
        if (!(from <= to)) return false;

        low[i] = (int32_t)from;
        high[i] = (int32_t)to;
    }
    return true;
}

typedef struct marker {
    const st_sparse_level *level;
    const segment *segment;
    uint8_t *crossed; // 3 h + axis: does the surface cross the face of hexahedron h before it along the axis?
} marker;

static void mark_cell(void *context, const int32_t at[3]) {
    const marker *m = context;
    const uint32_t h = m->level->first.data[st_lattice_cell(&m->level->lattice, at)];

    if (h == ST_INVALID_INDEX) return;

    for (int axis = 0; axis < 3; axis++) {
        uint8_t *crossed = &m->crossed[3 * (size_t)h + (size_t)axis];
        if (!*crossed && crosses_face(&m->level->lattice, m->segment, at, axis)) *crossed = 1;
    }
}

static void mark_crossed(const st_sparse_level *level, const segment *s, uint8_t *crossed) {
    int32_t low[3], high[3];
    st_real ends[3][3];
    if (!cells_of_segment(&level->lattice, s, low, high)) return;

    // from the mirror image of the end to the end
    st_vec3_add_scaled(ends[0], s->start, s->direction, -s->length);
    st_vec3_add_scaled(ends[1], s->start, s->direction, s->length);
    st_vec3_copy(ends[2], ends[1]);

    marker m = {level, s, crossed};
    st_lattice_visit(&level->lattice, (const st_real(*)[3])ends, low, high, mark_cell, &m);
}

static void mark_surface(const st_sparse_level *level, const st_facets *surface, uint8_t *crossed) {
    for (size_t f = 0; f < st_facets_count(surface); f++)
        for (size_t j = surface->start.data[f] + 1; j < surface->start.data[f + 1]; j++) {
            // the sides of the facet, but for the one that closes it
            segment s;
            const st_real *end = surface->points.data + 3 * (size_t)surface->corners.data[j];
            st_vec3_copy(s.start, surface->points.data + 3 * (size_t)surface->corners.data[j - 1]);

            st_vec3_sub(s.direction, end, s.start);
            s.length = st_vec3_norm(s.direction);
            if (st_vec3_normalize(s.direction, s.direction)) mark_crossed(level, &s, crossed);
        }
}

bool st_sparse_level_link(st_sparse_level *level, const st_facets *surfaces, size_t count) {
    const st_lattice *lattice = &level->lattice;
    uint8_t *crossed = st_alloc(level->cell.count, 3);
    bool ok = crossed != NULL;

    // where surfaces cross faces between cells
    for (size_t i = 0; ok && i < count; i++) mark_surface(level, &surfaces[i], crossed);

    // links with the neighbors before along each axis
    for (size_t h = 0; ok && h < level->cell.count; h++)
        for (int axis = 0; ok && axis < 3; axis++) {
            int32_t at[3];
            st_lattice_place(lattice, level->cell.data[h], at);
            if (at[axis]-- == 0) continue;

            const uint32_t other = level->first.data[st_lattice_cell(lattice, at)];
            if (other == ST_INVALID_INDEX) continue;

            // two boundary cells hang together only where matter passes through their face
            const bool both_boundary =
                level->type.data[h] == ST_CELL_BOUNDARY && level->type.data[other] == ST_CELL_BOUNDARY;
            if (count && both_boundary && !crossed[3 * h + (size_t)axis]) continue;

            ok = add_link(&level->links, (uint32_t)h, (uint32_t)axis, other);
        }

    sort_links(&level->links);
    st_free(crossed);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

// Who uses a point: a chain of corners (8 h + corner) per point.
typedef struct users {
    uint32_t *point; // of each corner
    uint32_t *head;  // first corner of each point
    uint32_t *next;  // of each corner
} users;

// Is no corner before this one, in the same hexahedron, at the same point?
static bool is_first(const users *u, uint32_t corner) {
    for (uint32_t c = corner & ~7u; c < corner; c++)
        if (u->point[c] == u->point[corner]) return false;
    return true;
}

// Replaces a point everywhere: in each hexahedron only the first corner that has it.
static void replace_point(users *u, uint32_t old, uint32_t new_point) {
    if (old == new_point) return;

    // take the corners that move out of the chain of the old point
    uint32_t moved = ST_INVALID_INDEX, *link = &u->head[old];
    while (*link != ST_INVALID_INDEX) {
        const uint32_t corner = *link;
        if (!is_first(u, corner)) {
            link = &u->next[corner];
            continue;
        }
        *link = u->next[corner];
        u->next[corner] = moved;
        moved = corner;
    }

    // and put them into that of the new one
    while (moved != ST_INVALID_INDEX) {
        const uint32_t corner = moved;
        moved = u->next[corner];
        u->point[corner] = new_point;
        u->next[corner] = u->head[new_point];
        u->head[new_point] = corner;
    }
}

static void join_points(users *u, const st_uints *links) {
    static const int pairs[3][4][2] = {
        {{0, 1}, {4, 5}, {7, 6}, {3, 2}}, {{0, 3}, {4, 7}, {5, 6}, {1, 2}}, {{0, 4}, {1, 5}, {2, 6}, {3, 7}}};

    for (size_t i = 0; i < links->count; i++) {
        const uint32_t *link = links->data + 3 * i;
        for (int k = 0; k < 4; k++)
            replace_point(u, u->point[8 * link[0] + (uint32_t)pairs[link[1]][k][0]],
                          u->point[8 * link[2] + (uint32_t)pairs[link[1]][k][1]]);
    }
}

static void corner_coordinates(const st_sparse_level *level, size_t corner, st_real p[3]) {
    const int *place = st_hexahedron_corners[corner % 8];

    int32_t at[3];
    st_lattice_place(&level->lattice, level->cell.data[corner / 8], at);
    for (int i = 0; i < 3; i++) p[i] = st_lattice_coordinate(&level->lattice, i, at[i] + place[i]);
}

// Numbers the points that are left, and gives each the coordinates of the first corner that uses it.
static bool number_points(st_sparse_level *level, users *u, size_t corners) {
    const uint32_t none = ST_INVALID_INDEX;
    size_t count = 0;

    // those that no corner uses any more are left out
    for (size_t p = 0; p < corners; p++)
        if (u->head[p] != none) u->head[p] = (uint32_t)count++;
    if (!st_list_set_count(&level->points, count, 3)) return false;

    uint8_t *placed = st_alloc(count, 1);

    // the first corner in order decides the coordinates
    for (size_t c = 0; placed && c < corners; c++) {
        const uint32_t p = u->head[u->point[c]];
        level->hexahedra.data[c] = p;

        if (placed[p]) continue;
        placed[p] = 1;
        corner_coordinates(level, c, level->points.data + 3 * (size_t)p);
    }

    st_free(placed);
    return placed != NULL;
}

bool st_sparse_level_ramify(st_sparse_level *level) {
    const size_t corners = 8 * level->cell.count;
    users u = {0};

    if (corners >= ST_INVALID_INDEX) return false;

    u.point = st_alloc(corners, sizeof *u.point);
    u.head = st_alloc(corners, sizeof *u.head);
    u.next = st_alloc(corners, sizeof *u.next);
    bool ok = u.point && u.head && u.next && st_list_set_count(&level->hexahedra, corners / 8, 8);

    // each corner has its own point
    for (size_t c = 0; ok && c < corners; c++) {
        u.point[c] = u.head[c] = (uint32_t)c;
        u.next[c] = ST_INVALID_INDEX;
    }

    if (ok) join_points(&u, &level->links);
    ok = ok && number_points(level, &u, corners);

    st_free(u.point);
    st_free(u.head);
    st_free(u.next);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Coarser levels
// ---------------------------------------------------------------------------------------------------

typedef struct coarsening {
    st_sparse_level *coarse, *fine;
    uint32_t *piece;       // representative of each fine hexahedron among those it is joined with in its coarse cell
    uint32_t *coarse_cell; // number of the kept coarse cell of each fine hexahedron
    bool last_child;
} coarsening;

static uint32_t representative(uint32_t *piece, uint32_t h) {
    while (piece[h] != h) h = piece[h] = piece[piece[h]];
    return h;
}

// The hexahedra of a fine cell follow each other: one past the last of them.
static uint32_t end_of_cell(const st_sparse_level *level, uint32_t first) {
    uint32_t end = first;
    while (end < level->cell.count && level->cell.data[end] == level->cell.data[first]) end++;
    return end;
}

static void find_pieces(coarsening *self) {
    const st_sparse_level *fine = self->fine;

    // each fine hexahedron is alone at first
    for (size_t h = 0; h < fine->cell.count; h++) self->piece[h] = (uint32_t)h;

    // which coarse cell it is in
    for (size_t k = 0; k < self->coarse->cell.count; k++)
        for (int c = 0; c < 8; c++) {
            const size_t child = st_sparse_child(self->coarse, fine, self->coarse->cell.data[k], c);
            if (child == SIZE_MAX || fine->first.data[child] == ST_INVALID_INDEX) continue;
            const uint32_t first = fine->first.data[child], end = end_of_cell(fine, first);
            for (uint32_t h = first; h < end; h++) self->coarse_cell[h] = (uint32_t)k;
        }

    // links within a coarse cell join pieces
    for (size_t i = 0; i < fine->links.count; i++) {
        const uint32_t a = fine->links.data[3 * i], b = fine->links.data[3 * i + 2];

        if (self->coarse_cell[a] != self->coarse_cell[b]) continue;
        self->piece[representative(self->piece, a)] = representative(self->piece, b);
    }
}

// The fine hexahedra of a coarse cell: by child, then in order.
static bool gather_members(const coarsening *self, size_t cell, st_uints *members, st_uints *slots) {
    bool ok = true;

    members->count = slots->count = 0;

    for (uint32_t c = 0; ok && c < 8; c++) {
        const size_t child = st_sparse_child(self->coarse, self->fine, cell, (int)c);
        if (child == SIZE_MAX || self->fine->first.data[child] == ST_INVALID_INDEX) continue;

        const uint32_t first = self->fine->first.data[child], end = end_of_cell(self->fine, first);
        for (uint32_t h = first; ok && h < end; h++) ok = st_list_push(members, h) && st_list_push(slots, c);
    }
    return ok;
}

// A new hexahedron for one of several pieces in a cell.
static bool add_piece(st_sparse_level *level, size_t cell) {
    const size_t h = level->cell.count;

    if (!st_list_push(&level->cell, (uint32_t)cell) || !st_list_push(&level->type, (uint8_t)ST_CELL_BOUNDARY) ||
        !st_list_push(&level->stiffness, 0) || !st_list_push(&level->mass, 0) ||
        !st_list_set_count(&level->children, h + 1, 8))
        return false;
    for (size_t c = 0; c < 8; c++) level->children.data[8 * h + c] = ST_INVALID_INDEX;
    return true;
}

static void add_member(const coarsening *self, st_sparse_level *to, size_t h, uint32_t member, uint32_t slot) {
    const st_sparse_level *fine = self->fine;

    // the defect: what other children gave is forgotten
    if (self->last_child) {
        for (size_t c = 0; c < 8; c++) to->children.data[8 * h + c] = ST_INVALID_INDEX;
        to->stiffness.data[h] = to->mass.data[h] = 0;
    }

    to->children.data[8 * h + slot] = member;
    to->stiffness.data[h] += fine->stiffness.data[member] / 8;
    to->mass.data[h] += fine->mass.data[member] / 8;
}

// Splits one cell into its pieces, in the order of their first members; they go to `to`.
static bool split_cell(coarsening *self, size_t k, st_sparse_level *to, st_uints *members, st_uints *slots) {
    const st_sparse_level *coarse = self->coarse;
    const size_t cell = coarse->cell.data[k], first = to->cell.count;

    if (!gather_members(self, cell, members, slots)) return false;

    size_t pieces = 0;

    // members join the hexahedron of an earlier one of the same piece, or begin a new one
    for (size_t i = 0; i < members->count; i++) {
        const uint32_t mine = representative(self->piece, members->data[i]);
        size_t h = ST_INVALID_INDEX;
        for (size_t j = 0; j < i && h == ST_INVALID_INDEX; j++)
            if (representative(self->piece, members->data[j]) == mine) h = self->fine->parent.data[members->data[j]];

        if (h == ST_INVALID_INDEX) {
            h = to->cell.count;
            pieces++;
            if (!add_piece(to, cell)) return false;
        }

        self->fine->parent.data[members->data[i]] = (uint32_t)h;
        add_member(self, to, h, members->data[i], slots->data[i]);
    }

    if (pieces == 1) { // undivided: what is known of the cell
        to->type.data[first] = coarse->type.data[k];
        if (self->last_child) {
            to->stiffness.data[first] = coarse->stiffness.data[k];
            to->mass.data[first] = coarse->mass.data[k];
            st_copy_bytes(to->children.data + 8 * first, coarse->children.data + 8 * k, 8 * sizeof(uint32_t));
        }
    }

    to->first.data[cell] = (uint32_t)first;
    return true;
}

static bool split_cells(coarsening *self, st_sparse_level *to) {
    const st_sparse_level *coarse = self->coarse;
    st_uints members = {0}, slots = {0};
    bool ok = st_list_set_count(&self->fine->parent, self->fine->cell.count, 1);
    to->lattice = coarse->lattice;

    ok = ok && st_list_set_count(&to->first, coarse->first.count, 1) &&
         st_list_set_count(&to->number, coarse->number.count, 1);

    // numbers of cells stay those of the coarse lattice
    for (size_t i = 0; ok && i < coarse->first.count; i++) {
        to->first.data[i] = ST_INVALID_INDEX;
        to->number.data[i] = coarse->number.data[i];
    }

    for (size_t k = 0; ok && k < coarse->cell.count; k++) ok = split_cell(self, k, to, &members, &slots);
    st_list_free(&members);
    st_list_free(&slots);
    return ok;
}

static bool link_pieces(st_sparse_level *level, const st_sparse_level *fine) {
    bool ok = true;

    for (size_t i = 0; ok && i < fine->links.count; i++) {
        // links between pieces of two cells; those within a cell made the pieces
        const uint32_t *link = fine->links.data + 3 * i;
        const uint32_t a = fine->parent.data[link[0]], b = fine->parent.data[link[2]];
        if (level->cell.data[a] != level->cell.data[b]) ok = add_link(&level->links, a, link[1], b);
    }

    sort_links(&level->links);
    return ok;
}

bool st_sparse_level_coarsen_ramified(st_sparse_level *coarse, st_sparse_level *fine, bool last_child) {
    st_sparse_level cells = {0};
    coarsening self = {.coarse = &cells, .fine = fine, .last_child = last_child};

    self.piece = st_alloc(fine->cell.count, sizeof *self.piece);
    self.coarse_cell = st_alloc(fine->cell.count, sizeof *self.coarse_cell);

    bool ok = self.piece && self.coarse_cell && st_sparse_level_keep_cells(&cells, fine, last_child);

    // pieces, their hexahedra, links and points
    if (ok) find_pieces(&self);
    ok = ok && split_cells(&self, coarse) && link_pieces(coarse, fine) && st_sparse_level_ramify(coarse);

    st_free(self.piece);
    st_free(self.coarse_cell);
    st_sparse_level_free(&cells);
    return ok;
}
