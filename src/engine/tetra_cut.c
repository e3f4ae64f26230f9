// Tetrahedra cut at a surface.
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
// Pieces
// ---------------------------------------------------------------------------------------------------

static bool add_tetrahedron(st_tetra_cut *cut, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const uint32_t v[4] = {a, b, c, d};
    return st_push_uints(&cut->tetrahedra, v, 4);
}

// The base q0 q1 q2 q3 around, cut through its smallest vertex, with the apex.
static bool add_pyramid(st_tetra_cut *cut, const uint32_t q[4], uint32_t apex) {
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (q[i] < q[k]) k = i;
    return add_tetrahedron(cut, q[k], q[(k + 1) % 4], q[(k + 2) % 4], apex) &&
           add_tetrahedron(cut, q[k], q[(k + 2) % 4], q[(k + 3) % 4], apex);
}

// Triangles (w0 w1 w2) and (w3 w4 w5) with edges w0-w3, w1-w4, w2-w5. From the smallest vertex, the opposite triangle
// and the opposite quad are seen: a tetrahedron and a pyramid.
static bool add_wedge(st_tetra_cut *cut, const uint32_t w[6]) {
    int k = 0;
    for (int i = 1; i < 6; i++)
        if (w[i] < w[k]) k = i;
    const int near = k / 3 * 3, far = 3 - near, a = k % 3, b = (a + 1) % 3, c = (a + 2) % 3;
    const uint32_t quad[4] = {w[near + b], w[near + c], w[far + c], w[far + b]};
    return add_tetrahedron(cut, w[k], w[far], w[far + 1], w[far + 2]) && add_pyramid(cut, quad, w[k]);
}

// ---------------------------------------------------------------------------------------------------
// Cuts
// ---------------------------------------------------------------------------------------------------

// The point of the surface on an edge, made on first use.
static uint32_t cut_point(st_tetra_cut *cut, uint32_t a, uint32_t b, bool *ok) {
    const uint32_t edge[2] = {a, b}, known = st_element_set_find(&cut->cuts, edge, 2);
    if (known != ST_INVALID_INDEX || !*ok) return known;
    const uint32_t made = (uint32_t)cut->points.count;
    st_real p[3];
    cut->place(cut->context, a, b, p);
    *ok = st_push_reals(&cut->points, p, 3) && st_list_push(&cut->signs, 0) &&
          st_element_set_add(&cut->cuts, edge, 2, made) != ST_SET_NO_MEMORY;
    return made;
}

// The vertices in three groups: inside, on the surface, outside.
typedef struct sorted {
    uint32_t in[4], on[4], out[4];
    int in_count, on_count, out_count;
} sorted;

static sorted sort(const st_tetra_cut *cut, const uint32_t v[4]) {
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
    bool ok = true;
    uint32_t v[4] = {s->in[0]};
    for (int i = 0; i < s->out_count; i++) v[1 + i] = cut_point(cut, s->in[0], s->out[i], &ok);
    for (int i = 0; i < s->on_count; i++) v[1 + s->out_count + i] = s->on[i];
    return ok && add_tetrahedron(cut, v[0], v[1], v[2], v[3]);
}

static bool add_two(st_tetra_cut *cut, const sorted *s) {
    bool ok = true;
    uint32_t c[2][2];
    for (int i = 0; i < 2; i++)
        for (int o = 0; o < s->out_count; o++) c[i][o] = cut_point(cut, s->in[i], s->out[o], &ok);
    if (!ok) return false;
    if (s->out_count == 1) {
        const uint32_t quad[4] = {s->in[0], s->in[1], c[1][0], c[0][0]};
        return add_pyramid(cut, quad, s->on[0]);
    }
    const uint32_t wedge[6] = {s->in[0], c[0][0], c[0][1], s->in[1], c[1][0], c[1][1]};
    return add_wedge(cut, wedge);
}

static bool add_three(st_tetra_cut *cut, const sorted *s) {
    bool ok = true;
    uint32_t wedge[6];
    for (int i = 0; i < 3; i++) {
        wedge[i] = s->in[i];
        wedge[3 + i] = cut_point(cut, s->in[i], s->out[0], &ok);
    }
    return ok && add_wedge(cut, wedge);
}

bool st_tetra_cut_add(st_tetra_cut *cut, const uint32_t v[4], bool split) {
    const sorted s = sort(cut, v);
    if (s.in_count == 0 && s.out_count > 0) return true;
    if (s.out_count == 0 || !split) return st_push_uints(&cut->tetrahedra, v, 4);
    switch (s.in_count) {
    case 1: return add_corner(cut, &s);
    case 2: return add_two(cut, &s);
    default: return add_three(cut, &s);
    }
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

static bool take(const st_tetra_cut *cut, uint32_t *number, st_reals *points, st_uints *tetrahedra) {
    for (size_t i = 0; i < 4 * cut->tetrahedra.count; i++) number[cut->tetrahedra.data[i]] = 1;
    for (size_t i = 0; i < cut->points.count; i++) {
        if (!number[i]) continue;
        number[i] = (uint32_t)points->count;
        if (!st_push_reals(points, cut->points.data + 3 * i, 3)) return false;
    }
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
    const bool ok = number && take(cut, number, points, tetrahedra);
    st_free(number);
    return ok;
}
