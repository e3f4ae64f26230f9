// Tetrahedra cut at a surface. What is left of one, by its vertices (inside, on the surface, outside):
//
//     one inside                   a corner: one tetrahedron         add_corner
//     two in, one on, one out      a pyramid: two                    add_pyramid
//     two in, two out              a wedge at an edge: three         add_wedge_of_edge
//     three in, one out            a wedge at a face: three          add_wedge_of_face
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/tetra_cut.h"

#include "engine/engine.h"

void st_tetra_cut_free(st_tetra_cut *cut) {
    st_list_free(&cut->points);
    st_list_free(&cut->signs);
    st_list_free(&cut->tetrahedra);
    st_element_set_free(&cut->cuts);
}

// ---------------------------------------------------------------------------------------------------
// Cut edges
// ---------------------------------------------------------------------------------------------------

static bool cut_edge(st_tetra_cut *cut, size_t outside, int edge, int direction) {
    const st_bcc_lattice *l = cut->lattice;
    const size_t inside = st_bcc_neighbor(l, outside, edge, direction);

    if (inside == SIZE_MAX || cut->signs.data[inside] <= 0) return true;

    const uint32_t ends[2] = {(uint32_t)inside, (uint32_t)outside}, made = (uint32_t)cut->points.count;

    st_real t = ST_R(0.5); // between ends that the votes have put on two sides, but no triangle divides
    st_bcc_crossing(l, inside, edge, -direction, &t);

    // p = a + t (b - a)
    st_real a[3], b[3], p[3];
    st_bcc_point(l, inside, a);
    st_bcc_point(l, outside, b);
    for (int i = 0; i < 3; i++) p[i] = a[i] + t * (b[i] - a[i]);

    return st_push_reals(&cut->points, p, 3) && st_element_set_add(&cut->cuts, ends, 2, made) != ST_SET_NO_MEMORY;
}

bool st_tetra_cut_edges(st_tetra_cut *cut) {
    for (size_t i = 0; i < cut->signs.count; i++) {
        if (cut->signs.data[i] >= 0) continue;
        for (int edge = 0; edge < ST_BCC_EDGES; edge++)
            if (!cut_edge(cut, i, edge, -1) || !cut_edge(cut, i, edge, 1)) return false;
    }
    return true;
}

static uint32_t cut_point(const st_tetra_cut *cut, uint32_t a, uint32_t b) {
    const uint32_t edge[2] = {a, b};
    return st_element_set_find(&cut->cuts, edge, 2);
}

// ---------------------------------------------------------------------------------------------------
// Pieces
// ---------------------------------------------------------------------------------------------------

static bool tetra_cut_add(st_tetra_cut *cut, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const uint32_t v[4] = {a, b, c, d};
    return st_push_uints(&cut->tetrahedra, v, 4);
}

// Does the diagonal of the quad in the triangle (a b outside) start at a?
static bool diagonal_from(const st_tetra_cut *cut, uint32_t a, uint32_t b, uint32_t outside) {
    const size_t grid = cut->lattice->grid_count;
    const bool first = a < grid, a_short = first != (outside < grid), b_short = (b < grid) != (outside < grid);
    if (a_short != b_short) return a_short;

    return (st_bcc_axes_beyond(cut->lattice, a, outside) % 2 == 0) == first;
}

// The vertices in three groups: inside, on the surface, outside.
typedef struct sorted {
    uint32_t in[4], on[4], out[4];
    int in_count, on_count, out_count;
} sorted;

static sorted tetra_cut_sort(const st_tetra_cut *cut, const uint32_t v[4]) {
    sorted s = {.in_count = 0};

    for (int i = 0; i < 4; i++) {
        const signed char sign = cut->signs.data[v[i]];
        if (sign > 0) s.in[s.in_count++] = v[i];
        else if (sign == 0) s.on[s.on_count++] = v[i];
        else s.out[s.out_count++] = v[i];
    }
    return s;
}

static bool add_corner(st_tetra_cut *cut, const sorted *s) {
    uint32_t v[4] = {s->in[0]};

    for (int i = 0; i < s->out_count; i++) v[1 + i] = cut_point(cut, s->in[0], s->out[i]);
    for (int i = 0; i < s->on_count; i++) v[1 + s->out_count + i] = s->on[i];

    return tetra_cut_add(cut, v[0], v[1], v[2], v[3]);
}

// A quad of which the diagonal goes from d to the point on e-o.
typedef struct quad {
    uint32_t d, d_cut, e_cut;
} quad;

static quad tetra_cut_divide(const st_tetra_cut *cut, const sorted *s, uint32_t outside) {
    const int d = diagonal_from(cut, s->in[0], s->in[1], outside) ? 0 : 1;
    return (quad){s->in[d], cut_point(cut, s->in[d], outside), cut_point(cut, s->in[1 - d], outside)};
}

static bool add_pyramid(st_tetra_cut *cut, const sorted *s) {
    const quad q = tetra_cut_divide(cut, s, s->out[0]);
    return tetra_cut_add(cut, s->in[0], s->in[1], s->on[0], q.e_cut) &&
           tetra_cut_add(cut, q.d, q.d_cut, q.e_cut, s->on[0]);
}

// Two inside, two outside: a wedge with the edge between the inside vertices. The quad on the surface is divided
// between the ends of the two diagonals.
static bool add_wedge_of_edge(st_tetra_cut *cut, const sorted *s) {
    const quad p = tetra_cut_divide(cut, s, s->out[0]), q = tetra_cut_divide(cut, s, s->out[1]);
    return tetra_cut_add(cut, s->in[0], s->in[1], p.e_cut, q.e_cut) &&
           tetra_cut_add(cut, p.d, p.d_cut, p.e_cut, q.e_cut) && tetra_cut_add(cut, q.d, q.d_cut, q.e_cut, p.e_cut);
}

// Three inside: rank[k] is the vertex at which k of the diagonals of its two quads start.
static bool add_wedge_of_face(st_tetra_cut *cut, const sorted *s) {
    uint32_t rank[3] = {0}, c[3];

    // the diagonals never make a circle: one vertex starts two of them, one starts one, one none
    for (int i = 0; i < 3; i++) {
        int starts = 0;
        for (int k = 1; k < 3; k++) starts += diagonal_from(cut, s->in[i], s->in[(i + k) % 3], s->out[0]);
        rank[starts] = s->in[i];
    }

    for (int i = 0; i < 3; i++) c[i] = cut_point(cut, rank[i], s->out[0]);
    return tetra_cut_add(cut, rank[2], c[0], c[1], c[2]) && tetra_cut_add(cut, rank[0], rank[1], rank[2], c[0]) &&
           tetra_cut_add(cut, rank[1], rank[2], c[0], c[1]);
}

bool st_tetra_cut_add(st_tetra_cut *cut, const uint32_t v[4], bool split) {
    const sorted s = tetra_cut_sort(cut, v);

    // nothing inside: left out, unless the whole tetrahedron is on the surface
    if (s.in_count == 0 && s.out_count > 0) return true;

    if (s.out_count == 0 || !split) return st_push_uints(&cut->tetrahedra, v, 4);

    if (s.in_count == 1) return add_corner(cut, &s);
    if (s.in_count == 3) return add_wedge_of_face(cut, &s);
    return s.out_count == 1 ? add_pyramid(cut, &s) : add_wedge_of_edge(cut, &s);
}

// ---------------------------------------------------------------------------------------------------
// The result
// ---------------------------------------------------------------------------------------------------

static st_real six_volumes(const st_tetra_cut *cut, const uint32_t *v) {
    st_real e[3][3], cross[3];

    for (int i = 0; i < 3; i++)
        st_vec3_sub(e[i], cut->points.data + 3 * (size_t)v[i + 1], cut->points.data + 3 * (size_t)v[0]);

    st_vec3_cross(cross, e[0], e[1]);
    return st_vec3_dot(cross, e[2]);
}

static bool tetra_cut_take(const st_tetra_cut *cut, uint32_t *number, st_reals *points, st_uints *tetrahedra) {
    // points that are used keep their order
    for (size_t i = 0; i < 4 * cut->tetrahedra.count; i++) number[cut->tetrahedra.data[i]] = 1;
    for (size_t i = 0; i < cut->points.count; i++) {
        if (!number[i]) continue;
        number[i] = (uint32_t)points->count;
        if (!st_push_reals(points, cut->points.data + 3 * i, 3)) return false;
    }

    // tetrahedra of positive volume
    for (size_t t = 0; t < cut->tetrahedra.count; t++) {
        const uint32_t *v = cut->tetrahedra.data + 4 * t;
        const bool turned = six_volumes(cut, v) < 0;
        const uint32_t four[4] = {number[v[0]], number[v[1]], number[v[turned ? 3 : 2]], number[v[turned ? 2 : 3]]};
        if (!st_push_uints(tetrahedra, four, 4)) return false;
    }
    return true;
}

bool st_tetra_cut_finish(const st_tetra_cut *cut, st_reals *points, st_uints *tetrahedra) {
    uint32_t *number = st_alloc(cut->points.count, sizeof *number);
    const bool ok = number && tetra_cut_take(cut, number, points, tetrahedra);
    st_free(number);
    return ok;
}
