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

static bool cut_edge(st_tetra_cut *cut, size_t outside, int edge) {
    const size_t inside = st_bcc_neighbor(cut->lattice, outside, edge);

    if (inside == SIZE_MAX || cut->signs.data[inside] <= 0) return true;

    // p = a + t (b - a); on a itself where the votes have put the ends on two sides, but no triangle divides them
    const uint32_t ends[2] = {(uint32_t)inside, (uint32_t)outside}, made = (uint32_t)cut->points.count;
    const st_real t = *st_bcc_distance(cut->lattice, outside, edge);
    const st_real *a = cut->points.data + 3 * outside, *b = cut->points.data + 3 * inside;
    st_real p[3];
    for (int i = 0; i < 3; i++) p[i] = a[i] + t * (b[i] - a[i]);

    return st_push_reals(&cut->points, p, 3) && st_element_set_add(&cut->cuts, ends, 2, made) != ST_SET_NO_MEMORY;
}

bool st_tetra_cut_edges(st_tetra_cut *cut) {
    for (size_t i = 0; i < cut->signs.count; i++) {
        if (cut->signs.data[i] >= 0) continue;
        for (int edge = 0; edge < ST_BCC_EDGES; edge++)
            if (!cut_edge(cut, i, edge)) return false;
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

static void swap_numbers(uint32_t *a, uint32_t *b) {
    const uint32_t t = *a;
    *a = *b;
    *b = t;
}

static st_real six_volumes(const st_tetra_cut *cut, const uint32_t *v) {
    st_real e[3][3], cross[3];

    for (int i = 0; i < 3; i++)
        st_vec3_sub(e[i], cut->points.data + 3 * (size_t)v[i + 1], cut->points.data + 3 * (size_t)v[0]);

    st_vec3_cross(cross, e[0], e[1]);
    return st_vec3_dot(cross, e[2]);
}

// Adds a tetrahedron of positive volume.
static bool tetra_cut_add(st_tetra_cut *cut, uint32_t a, uint32_t b, uint32_t c, uint32_t d, bool flip) {
    uint32_t v[4] = {a, b, flip ? d : c, flip ? c : d};
    if (six_volumes(cut, v) < 0) swap_numbers(&v[2], &v[3]);
    return st_push_uints(&cut->tetrahedra, v, 4);
}

// Does the diagonal of the quad in the triangle (a b outside) start at b? `from_b` is the point on b-outside.
static bool diagonal_from_second(const st_tetra_cut *cut, uint32_t a, uint32_t b, uint32_t from_b, uint32_t outside) {
    const size_t grid = cut->lattice->grid_count;
    const bool first = a < grid;
    if (first == (outside < grid)) return true;
    if ((b < grid) == (outside < grid)) return false;

    const st_real *x = cut->points.data + 3 * (size_t)a, *y = cut->points.data + 3 * (size_t)from_b;
    int beyond = 0;
    for (int i = 0; i < 3; i++) beyond += x[i] > y[i];
    return (beyond % 2 == 1) != first;
}

// Rotates until the least of `count` numbers is the first; how often?
static int rotate_least(uint32_t *v, int count) {
    int least = 0;
    for (int i = 1; i < count; i++)
        if (v[i] < v[least]) least = i;

    for (int k = 0; k < least; k++) {
        const uint32_t front = v[0];
        memmove(v, v + 1, (size_t)(count - 1) * sizeof *v);
        v[count - 1] = front;
    }
    return least;
}

// Are two orders of the same four vertices of opposite orientation?
static bool is_turned(uint32_t a, uint32_t b, uint32_t c, uint32_t d, const uint32_t vertices[4]) {
    uint32_t p[4] = {a, b, c, d}, v[4] = {vertices[0], vertices[1], vertices[2], vertices[3]};
    const int turns = rotate_least(p, 4) + rotate_least(v, 4); // each turn of four changes the orientation
    rotate_least(p + 1, 3);
    rotate_least(v + 1, 3);
    return (turns % 2 == 1) != (p[2] == v[3]);
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

// One inside: outside vertices move to the surface.
static bool add_corner(st_tetra_cut *cut, const sorted *s, const uint32_t v[4]) {
    uint32_t corner[4];
    for (int i = 0; i < 4; i++) corner[i] = cut->signs.data[v[i]] < 0 ? cut_point(cut, v[i], s->in[0]) : v[i];
    return st_push_uints(&cut->tetrahedra, corner, 4);
}

static bool add_pyramid(st_tetra_cut *cut, const sorted *s, const uint32_t v[4]) {
    const uint32_t z = s->on[0], p0 = s->in[0], p1 = s->in[1], out = s->out[0];
    const uint32_t c1 = cut_point(cut, out, p0), c2 = cut_point(cut, out, p1);
    const bool t = is_turned(z, p0, p1, out, v);

    if (diagonal_from_second(cut, p0, p1, c2, out))
        return tetra_cut_add(cut, z, p0, p1, c1, t) && tetra_cut_add(cut, z, p1, c2, c1, t);
    return tetra_cut_add(cut, z, p0, p1, c2, t) && tetra_cut_add(cut, z, p0, c2, c1, t);
}

// Two inside, two outside: a wedge with the edge between the inside vertices. The quad on the surface is divided
// between the ends of the two diagonals.
static bool add_wedge_of_edge(st_tetra_cut *cut, const sorted *s, const uint32_t v[4]) {
    const uint32_t p0 = s->in[0], p1 = s->in[1], n0 = s->out[0], n1 = s->out[1];
    const uint32_t c1 = cut_point(cut, n0, p0), c2 = cut_point(cut, n0, p1);
    const uint32_t c3 = cut_point(cut, n1, p0), c4 = cut_point(cut, n1, p1);
    const bool first = diagonal_from_second(cut, p0, p1, c2, n0), second = diagonal_from_second(cut, p0, p1, c4, n1);
    const bool t = is_turned(p0, p1, n0, n1, v);

    if (!first && second)
        return tetra_cut_add(cut, p0, p1, c2, c3, t) && tetra_cut_add(cut, p0, c2, c1, c3, t) &&
               tetra_cut_add(cut, p1, c2, c3, c4, t);
    if (first && !second)
        return tetra_cut_add(cut, p0, p1, c1, c4, t) && tetra_cut_add(cut, p1, c1, c4, c2, t) &&
               tetra_cut_add(cut, p0, c1, c3, c4, t);

    cut->strange++; // both diagonals from the same vertex: in SOFA nothing is made
    return true;
}

// Three inside: a wedge at their face. The diagonals of its three quads never make a circle.
static bool add_wedge_of_face(st_tetra_cut *cut, const sorted *s, const uint32_t v[4]) {
    const uint32_t *p = s->in, out = s->out[0];
    uint32_t c[3];
    bool f[3];

    for (int k = 0; k < 3; k++) c[k] = cut_point(cut, out, p[k]);
    for (int k = 0; k < 3; k++) f[k] = diagonal_from_second(cut, p[k], p[(k + 1) % 3], c[(k + 1) % 3], out);
    if (f[0] == f[1] && f[1] == f[2]) {
        cut->strange++;
        f[2] = !f[0];
    }

    // the vertex where two diagonals start, the point where two of them end, and the pair between them
    const int start = f[0] && !f[1] ? 1 : f[1] && !f[2] ? 2 : 0, end = f[1] && !f[0] ? 1 : f[2] && !f[1] ? 2 : 0;
    const int rest = f[0] == f[1] ? 1 : f[1] == f[2] ? 2 : 0, other = 3 - rest - start;
    if (other < 0 || other > 2) return true;

    const bool t = is_turned(out, p[0], p[1], p[2], v);
    return tetra_cut_add(cut, p[start], c[0], c[2], c[1], t) && tetra_cut_add(cut, c[end], p[0], p[1], p[2], t) &&
           tetra_cut_add(cut, p[rest], c[rest], p[start], c[end], is_turned(p[rest], out, p[start], p[other], v));
}

bool st_tetra_cut_add(st_tetra_cut *cut, const uint32_t vertices[4], bool split) {
    uint32_t v[4] = {vertices[0], vertices[1], vertices[2], vertices[3]};
    if (six_volumes(cut, v) < 0) swap_numbers(&v[2], &v[3]); // after points have snapped
    const sorted s = tetra_cut_sort(cut, v);

    // nothing inside: left out, unless the whole tetrahedron is on the surface
    if (s.in_count == 0 && s.out_count > 0) return true;

    if (s.out_count == 0 || !split) return st_push_uints(&cut->tetrahedra, v, 4);

    if (s.in_count == 1) return add_corner(cut, &s, v);
    if (s.in_count == 3) return add_wedge_of_face(cut, &s, v);
    return s.out_count == 1 ? add_pyramid(cut, &s, v) : add_wedge_of_edge(cut, &s, v);
}

// ---------------------------------------------------------------------------------------------------
// The result
// ---------------------------------------------------------------------------------------------------

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
