// Splitting the elements of a cut: see the header.
//
// An edge is crossed or not; a vertex lies on the cut or not. In an element that the knife goes through, the vertices off
// the cut have one of two sides, and crossed edges are those between the two. Each side is a convex piece: its polygons are
// those of the element's faces, clipped, and the polygon of the cut itself. Polygons are divided from their smallest vertex,
// pieces from theirs: the polygons at that vertex are then divided from it as well, and two neighbors always divide their
// common face alike.
//
// Where the sides do not fit, the knife ends within the element. Its faces are divided by the same rule; a tetrahedron with
// one crossed edge is halved, another filled from its middle. It is not opened.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/real.h"
#include "topology/cut/cut.h"
#include "topology/tables.h"

enum { ON_CUT = 2, MAX_POLYGON = 6 };

typedef struct corner {
    uint32_t point;
    bool on_cut;
} corner;

typedef struct polygon {
    corner corners[MAX_POLYGON];
    int count;
} polygon;

typedef struct element {
    uint32_t v[4];
    uint32_t crossing[4][4]; // point of a crossed edge, ST_INVALID_INDEX: not crossed
    int side[4];             // 0, 1 or ON_CUT
    bool crossed, fits;
} element;

// ---------------------------------------------------------------------------------------------------
// What the knife does to an element
// ---------------------------------------------------------------------------------------------------

static void read_element(const st_cut *cut, size_t index, element *e) {
    const int size = (int)cut->size;
    *e = (element){.fits = !cut->closed};
    memcpy(e->v, cut->vertices.data + index * cut->size, cut->size * sizeof *e->v);

    // crossed edges
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++) {
            const uint32_t edge[2] = {e->v[i], e->v[k]};
            e->crossing[i][k] = i == k ? ST_INVALID_INDEX : st_element_set_find(&cut->edges, edge, 2);
            e->crossed = e->crossed || e->crossing[i][k] != ST_INVALID_INDEX;
        }

    // sides, counted from the first vertex off the cut
    int first = -1;
    for (int i = 0; i < size; i++) {
        e->side[i] = cut->on_cut.data[e->v[i]] ? ON_CUT : 0;
        if (e->side[i] == ON_CUT) continue;
        if (first < 0) first = i;
        e->side[i] = e->crossing[first][i] != ST_INVALID_INDEX;
    }
    for (int i = 0; i < size; i++)
        for (int k = 0; k < i; k++)
            if (e->side[i] != ON_CUT && e->side[k] != ON_CUT)
                e->fits = e->fits && (e->crossing[i][k] != ST_INVALID_INDEX) == (e->side[i] != e->side[k]);
}

// ---------------------------------------------------------------------------------------------------
// Polygons
// ---------------------------------------------------------------------------------------------------

static void put_corner(polygon *p, uint32_t point, bool on_cut) {
    if (p->count < MAX_POLYGON) p->corners[p->count++] = (corner){point, on_cut};
}

// What one side has of a face (of the whole triangle, for triangles).
static polygon clip_face(const element *e, const int *face, int side) {
    polygon p = {.count = 0};
    for (int i = 0; i < 3; i++) {
        // a vertex of this side, then the place where the edge after it is crossed
        const int a = face[i], b = face[(i + 1) % 3];
        if (e->side[a] == side || e->side[a] == ON_CUT) put_corner(&p, e->v[a], e->side[a] == ON_CUT);
        if (e->crossing[a][b] != ST_INVALID_INDEX) put_corner(&p, e->crossing[a][b], true);
    }
    return p;
}

static int smallest_corner(const polygon *p) {
    int least = 0;
    for (int i = 1; i < p->count; i++)
        if (p->corners[i].point < p->corners[least].point) least = i;
    return least;
}

// Triangle i of the fan from the smallest vertex.
static void fan_triangle(const polygon *p, int i, uint32_t t[3]) {
    const int least = smallest_corner(p);
    t[0] = p->corners[least].point;
    t[1] = p->corners[(least + 1 + i) % p->count].point;
    t[2] = p->corners[(least + 2 + i) % p->count].point;
}

static bool has_corner(const polygon *p, uint32_t point) {
    for (int i = 0; i < p->count; i++)
        if (p->corners[i].point == point) return true;
    return false;
}

// ---------------------------------------------------------------------------------------------------
// New elements
// ---------------------------------------------------------------------------------------------------

static bool push_element(st_cut *cut, const uint32_t *v, size_t parent) {
    bool ok = st_list_push(&cut->parent, (uint32_t)parent);
    for (size_t i = 0; ok && i < cut->size; i++) ok = st_list_push(&cut->vertices, v[i]);
    return ok;
}

static bool open_facet(st_cut *cut, const uint32_t *facet) {
    return st_element_set_add(&cut->opened, facet, (int)cut->size - 1, 0) != ST_SET_NO_MEMORY;
}

// The polygon of the cut, looking out of a piece: its edges are those of the clipped faces, turned around.
static polygon cut_polygon(const polygon faces[4], int count) {
    polygon cut = {.count = 0};
    uint32_t from[4], to[4];
    int edges = 0;

    // edges on the cut, turned around
    for (int f = 0; f < count; f++)
        for (int i = 0; i < faces[f].count; i++) {
            const corner *a = &faces[f].corners[i], *b = &faces[f].corners[(i + 1) % faces[f].count];
            if (!a->on_cut || !b->on_cut || edges == 4) continue;
            from[edges] = b->point;
            to[edges++] = a->point;
        }

    // one behind the other
    uint32_t at = edges ? from[0] : 0;
    for (int i = 0; i < edges; i++) {
        put_corner(&cut, at, true);
        for (int k = 0; k < edges; k++)
            if (from[k] == at) {
                at = to[k];
                break;
            }
    }
    return cut;
}

// One side of a tetrahedron, filled from its smallest vertex.
static bool fill_piece(st_cut *cut, const element *e, int side, size_t parent) {
    polygon faces[5];
    int count = 0;
    for (int f = 0; f < 4; f++) {
        // what is left of a face, unless it is an edge or a vertex
        faces[count] = clip_face(e, st_tetrahedron_triangles[f], side);
        if (faces[count].count >= 3) count++;
    }

    // closed by the polygon of the cut; all of it is seen from the smallest vertex
    faces[count] = cut_polygon(faces, count);
    uint32_t apex = UINT32_MAX;
    for (int f = 0; f <= count; f++) {
        const uint32_t least = faces[f].corners[smallest_corner(&faces[f])].point;
        apex = least < apex ? least : apex;
    }

    // a tetrahedron on each triangle that does not have the apex
    bool ok = true;
    for (int f = 0; ok && f <= count; f++)
        for (int i = 0; ok && i + 2 < faces[f].count; i++) {
            uint32_t v[4] = {apex};
            fan_triangle(&faces[f], i, v + 1);
            if (!has_corner(&faces[f], apex)) ok = push_element(cut, v, parent);
            if (f == count) ok = ok && open_facet(cut, v + 1);
        }
    return ok;
}

static bool fill_triangle_side(st_cut *cut, const element *e, int side, size_t parent) {
    static const int whole[3] = {0, 1, 2};
    const polygon p = clip_face(e, whole, side);
    bool ok = true;

    // a triangle, or the two of a quad
    for (int i = 0; ok && i + 2 < p.count; i++) {
        uint32_t v[3];
        fan_triangle(&p, i, v);
        ok = push_element(cut, v, parent);
    }

    // the cut itself
    for (int i = 0; ok && i < p.count; i++) {
        const corner *a = &p.corners[i], *b = &p.corners[(i + 1) % p.count];
        const uint32_t edge[2] = {a->point, b->point};
        if (a->on_cut && b->on_cut) ok = open_facet(cut, edge);
    }
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Where the knife ends
// ---------------------------------------------------------------------------------------------------

// Triangles of a face with crossed edges, at most four. Returns how many.
static int divide_face(const element *e, const int *face, uint32_t t[4][3]) {
    uint32_t mid[3];
    int crossed = 0, open = 0; // `open`: the last edge that is not crossed
    for (int i = 0; i < 3; i++) {
        // mid[i] is on the edge from vertex i to the next one
        mid[i] = e->crossing[face[i]][face[(i + 1) % 3]];
        if (mid[i] != ST_INVALID_INDEX) crossed++;
        else open = i;
    }

    const uint32_t v[3] = {e->v[face[0]], e->v[face[1]], e->v[face[2]]};

    // none: the face itself; three: its corners and the middle
    if (crossed == 0) {
        memcpy(t[0], v, sizeof v);
        return 1;
    }
    if (crossed == 3) {
        for (int i = 0; i < 3; i++) t[i][0] = v[i], t[i][1] = mid[i], t[i][2] = mid[(i + 2) % 3];
        memcpy(t[3], mid, sizeof mid);
        return 4;
    }

    // one: halves; two: the corner and the quad behind it
    if (crossed == 1) {
        int i = 0;
        while (mid[i] == ST_INVALID_INDEX) i++;
        memcpy(t[0], (uint32_t[]){v[i], mid[i], v[(i + 2) % 3]}, sizeof v);
        memcpy(t[1], (uint32_t[]){mid[i], v[(i + 1) % 3], v[(i + 2) % 3]}, sizeof v);
        return 2;
    }

    const int tip = (open + 2) % 3; // between the crossed edges (open + 1) and (open + 2)
    const uint32_t before = mid[(open + 1) % 3], behind = mid[tip];
    const polygon quad = {{{v[open], false}, {v[(open + 1) % 3], false}, {before, true}, {behind, true}}, 4};

    memcpy(t[0], (uint32_t[]){v[tip], behind, before}, sizeof v);
    fan_triangle(&quad, 0, t[1]);
    fan_triangle(&quad, 1, t[2]);
    return 3;
}

// The only crossed edge of a tetrahedron; -1: there are several.
static int single_crossing(const element *e) {
    int found = -1, count = 0;
    for (int i = 0; i < 6; i++)
        if (e->crossing[st_tetrahedron_edges[i][0]][st_tetrahedron_edges[i][1]] != ST_INVALID_INDEX) found = i, count++;
    return count == 1 ? found : -1;
}

static bool divide_element(st_cut *cut, const element *e, size_t parent) {
    static const int whole[3] = {0, 1, 2};
    static const st_real quarter[4] = {ST_R(0.25), ST_R(0.25), ST_R(0.25), ST_R(0.25)};
    uint32_t t[4][3];
    bool ok = true;

    // a triangle is its only face
    if (cut->size == 3) {
        const int count = divide_face(e, whole, t);
        for (int i = 0; ok && i < count; i++) ok = push_element(cut, t[i], parent);
        return ok;
    }

    // one crossed edge: halves
    const int pair = single_crossing(e);
    for (int half = 0; pair >= 0 && half < 2; half++) {
        const int *edge = st_tetrahedron_edges[pair];
        uint32_t v[4];
        memcpy(v, e->v, sizeof v);
        v[edge[half]] = e->crossing[edge[0]][edge[1]];
        ok = ok && push_element(cut, v, parent);
    }
    if (pair >= 0) return ok;

    // from the middle of the tetrahedron to all of its surface
    const uint32_t middle = st_cut_add_point(cut, e->v, quarter, 4);
    for (int f = 0; ok && middle != ST_INVALID_INDEX && f < 4; f++) {
        const int count = divide_face(e, st_tetrahedron_triangles[f], t);
        for (int i = 0; ok && i < count; i++)
            ok = push_element(cut, (uint32_t[]){middle, t[i][0], t[i][1], t[i][2]}, parent);
    }
    return ok && middle != ST_INVALID_INDEX;
}

// ---------------------------------------------------------------------------------------------------
// All elements
// ---------------------------------------------------------------------------------------------------

// Facets of the mesh whose every vertex is on the cut: the vertices behind them, on both sides, say whether it runs there.
typedef struct lying_facets {
    st_element_set known;
    st_uints facets, behind; // `behind`: two vertices, the second ST_INVALID_INDEX while there is one element
} lying_facets;

static bool note_facet(lying_facets *l, const uint32_t *facet, int size, uint32_t behind) {
    const uint32_t next = (uint32_t)(l->behind.count / 2), place = st_element_set_find(&l->known, facet, size);
    if (place != ST_INVALID_INDEX) {
        l->behind.data[2 * (size_t)place + 1] = behind;
        return true;
    }

    // seen for the first time, from one side
    bool ok = st_element_set_add(&l->known, facet, size, next) != ST_SET_NO_MEMORY;
    for (int i = 0; ok && i < size; i++) ok = st_list_push(&l->facets, facet[i]);
    return ok && st_list_push(&l->behind, behind) && st_list_push(&l->behind, ST_INVALID_INDEX);
}

static bool note_facets(const st_cut *cut, const element *e, lying_facets *l) {
    const int size = (int)cut->size;
    bool ok = true;
    for (int out = 0; ok && out < size; out++) {
        // the facet without this vertex, if all of it is on the cut
        uint32_t facet[3];
        int count = 0;
        for (int i = 0; i < size; i++)
            if (i != out && e->side[i] == ON_CUT) facet[count++] = e->v[i];

        if (count == size - 1) ok = note_facet(l, facet, count, e->v[out]);
    }
    return ok;
}

static bool open_lying_facets(st_cut *cut, const lying_facets *l, const st_points *points, const st_knife *knife) {
    bool ok = true;
    for (size_t i = 0; ok && i < l->behind.count / 2; i++) {
        st_real p[2][3], t;

        // a facet of the surface opens nothing
        if (l->behind.data[2 * i + 1] == ST_INVALID_INDEX) continue;

        for (size_t k = 0; k < 2; k++) st_view_copy(points, l->behind.data[2 * i + k], p[k]);

        // the cut runs here if it is between the vertices on both sides
        if (knife->crosses(knife, p[0], p[1], &t)) ok = open_facet(cut, l->facets.data + i * (cut->size - 1));
    }
    return ok;
}

bool st_cut_split_elements(st_cut *cut, const st_points *points, const st_knife *knife) {
    lying_facets lying = {0};
    bool ok = true;

    for (size_t i = 0; ok && i < cut->elements; i++) {
        element e;
        read_element(cut, i, &e);
        if (!e.crossed) {
            ok = note_facets(cut, &e, &lying);
            continue;
        }

        // both sides, or all of it where the knife ends
        cut->gone.data[i] = true;
        cut->split++;
        if (!e.fits) ok = divide_element(cut, &e, i);
        for (int side = 0; e.fits && ok && side < 2; side++)
            ok = cut->size == 4 ? fill_piece(cut, &e, side, i) : fill_triangle_side(cut, &e, side, i);
    }

    if (!cut->closed) ok = ok && open_lying_facets(cut, &lying, points, knife);
    st_element_set_free(&lying.known);
    st_list_free(&lying.facets);
    st_list_free(&lying.behind);
    return ok;
}
