// What a mesh is like: sizes and shapes of its elements, its boundary, whether a surface is closed.
//
// Aspect ratio, with l the longest edge and r the radius of the inscribed circle or sphere:
//     triangle      l / (2 √3 r),   r = 2 area / perimeter
//     tetrahedron   l / (2 √6 r),   r = 3 volume / area of the faces
//     others        longest edge / shortest edge
// so that 1 is the best. An element is flat when its area or volume is below 1e-12 of that of a square or cube over its
// longest edge.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_measure.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "topology/boundary.h"
#include "topology/file/mesh.h"
#include "topology/match.h"
#include "topology/tables.h"

const double st_aspect_limits[ST_ASPECT_BINS] = {1.5, 2, 3, 5, 10, 100, INFINITY};

// ---------------------------------------------------------------------------------------------------
// Shapes, in double precision
// ---------------------------------------------------------------------------------------------------

typedef double vec[3];

static void mesh_measure_load(vec p, const st_mesh *mesh, uint32_t vertex) {
    for (int i = 0; i < 3; i++) p[i] = (double)mesh->position.data[3 * (size_t)vertex + (size_t)i];
}
static void sub(vec r, const vec a, const vec b) {
    for (int i = 0; i < 3; i++) r[i] = a[i] - b[i];
}
static void mesh_measure_cross(vec r, const vec a, const vec b) {
    for (int i = 0; i < 3; i++) r[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}
static double mesh_measure_dot(const vec a, const vec b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double mesh_measure_distance(const vec a, const vec b) {
    vec d;
    sub(d, a, b);
    return sqrt(mesh_measure_dot(d, d));
}
static double triangle_area(const vec a, const vec b, const vec c) {
    vec u, v, n;
    sub(u, b, a);
    sub(v, c, a);
    mesh_measure_cross(n, u, v);
    return sqrt(mesh_measure_dot(n, n)) / 2;
}
static double tetrahedron_volume(const vec a, const vec b, const vec c, const vec d) {
    vec u, v, w, n;
    sub(u, b, a);
    sub(v, c, a);
    sub(w, d, a);
    mesh_measure_cross(n, u, v);
    return mesh_measure_dot(n, w) / 6;
}

// Tetrahedra that fill a volume.
static const int tetrahedra_of_hexahedron[6][4] = {{0, 5, 1, 6}, {0, 1, 3, 6}, {1, 3, 6, 2},
                                                   {6, 3, 0, 7}, {6, 7, 0, 5}, {7, 5, 4, 0}};
static const int tetrahedra_of_prism[3][4] = {{0, 1, 2, 5}, {0, 1, 5, 4}, {0, 4, 5, 3}};
static const int tetrahedra_of_pyramid[2][4] = {{0, 1, 2, 4}, {0, 2, 3, 4}};
static const int tetrahedron_itself[1][4] = {{0, 1, 2, 3}};
// At each corner of a hexahedron the three edges that leave it, right-handed.
static const int corners_of_hexahedron[8][4] = {{0, 1, 3, 4}, {1, 2, 0, 5}, {2, 3, 1, 6}, {3, 0, 2, 7},
                                                {4, 7, 5, 0}, {5, 4, 6, 1}, {6, 5, 7, 2}, {7, 6, 4, 3}};

static const int prism_edges[9][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
static const int pyramid_edges[8][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {2, 4}, {3, 4}};
static const int edge_itself[1][2] = {{0, 1}};

typedef struct shape {
    const int (*edges)[2];
    int edge_count;
    const int (*tetrahedra)[4]; // that fill it; NULL: no volume
    int tetrahedron_count;
} shape;

static const shape shapes[ST_ELEMENT_KINDS] = {
    [ST_EDGE] = {edge_itself, 1, NULL, 0},
    [ST_TRIANGLE] = {st_triangle_edges, 3, NULL, 0},
    [ST_QUAD] = {st_quad_edges, 4, NULL, 0},
    [ST_TETRAHEDRON] = {st_tetrahedron_edges, 6, tetrahedron_itself, 1},
    [ST_HEXAHEDRON] = {st_hexahedron_edges, 12, tetrahedra_of_hexahedron, 6},
    [ST_PRISM] = {prism_edges, 9, tetrahedra_of_prism, 3},
    [ST_PYRAMID] = {pyramid_edges, 8, tetrahedra_of_pyramid, 2},
};

typedef struct measured {
    double size, aspect;
    bool inverted, flat;
} measured;

static double volume_of(const shape *s, vec *p, bool *inverted) {
    double volume = 0;
    for (int i = 0; i < s->tetrahedron_count; i++) {
        const int *t = s->tetrahedra[i];
        volume += tetrahedron_volume(p[t[0]], p[t[1]], p[t[2]], p[t[3]]);
    }

    *inverted = volume < 0;
    return volume;
}

static bool corner_inverted(vec *p) {
    for (int i = 0; i < 8; i++) {
        // a corner whose three edges are left-handed
        const int *c = corners_of_hexahedron[i];
        if (tetrahedron_volume(p[c[0]], p[c[1]], p[c[2]], p[c[3]]) < 0) return true;
    }
    return false;
}

static measured measure_element(st_element kind, vec *p) {
    const shape *s = &shapes[kind];
    measured m = {0};
    double longest = 0, shortest = INFINITY, perimeter = 0;

    // edges
    for (int i = 0; i < s->edge_count; i++) {
        const double length = mesh_measure_distance(p[s->edges[i][0]], p[s->edges[i][1]]);
        longest = fmax(longest, length);
        shortest = fmin(shortest, length);
        perimeter += length;
    }

    // size, and the aspect ratio of triangles
    m.aspect = longest / shortest;
    switch (kind) {
    case ST_EDGE: m.size = longest; break;
    case ST_TRIANGLE:
        m.size = triangle_area(p[0], p[1], p[2]);
        m.aspect = longest * perimeter / (4 * sqrt(3) * m.size);
        break;
    case ST_QUAD: m.size = triangle_area(p[0], p[1], p[2]) + triangle_area(p[2], p[3], p[0]); break;
    default: m.size = volume_of(s, p, &m.inverted);
    }

    // the aspect ratio of tetrahedra
    if (kind == ST_TETRAHEDRON) {
        const double area = triangle_area(p[1], p[2], p[3]) + triangle_area(p[0], p[3], p[2]) +
                            triangle_area(p[1], p[3], p[0]) + triangle_area(p[0], p[2], p[1]);
        m.aspect = longest * area / (6 * sqrt(6) * fabs(m.size));
    }

    // a hexahedron may be turned over at one corner alone
    if (kind == ST_HEXAHEDRON) m.inverted = m.inverted || corner_inverted(p);

    // flat: next to nothing of the square or cube over its longest edge
    const double whole = s->tetrahedra ? longest * longest * longest : kind == ST_EDGE ? 1 : longest * longest;
    m.flat = !(fabs(m.size) > 1e-12 * whole) || longest == 0;
    if (m.flat || !(m.aspect >= 0)) m.aspect = INFINITY;
    return m;
}

static void measure_kind(const st_mesh *mesh, st_element kind, st_element_quality *q) {
    const size_t size = st_element_size[kind];
    size_t finite = 0;
    double sum = 0;
    q->count = mesh->elements[kind].count;

    for (size_t e = 0; e < q->count; e++) {
        // the corners, in double precision
        vec p[8];
        for (size_t i = 0; i < size; i++) mesh_measure_load(p[i], mesh, mesh->elements[kind].data[e * size + i]);

        const measured m = measure_element(kind, p);
        q->total += m.size;
        q->least = e == 0 || m.size < q->least ? m.size : q->least;
        q->most = e == 0 || m.size > q->most ? m.size : q->most;

        q->inverted += m.inverted;
        q->flat += m.flat;

        // flat elements have no aspect ratio that a mean could use
        if (e == 0 || m.aspect < q->best_aspect) q->best_aspect = m.aspect;
        if (e == 0 || m.aspect > q->worst_aspect) {
            q->worst_aspect = m.aspect;
            q->worst = e;
        }
        if (isfinite(m.aspect)) {
            sum += m.aspect;
            finite++;
        }

        int bin = 0;
        while (bin + 1 < ST_ASPECT_BINS && !(m.aspect <= st_aspect_limits[bin])) bin++;
        q->histogram[bin]++;
    }

    q->mean_aspect = finite ? sum / (double)finite : q->worst_aspect;
}

// ---------------------------------------------------------------------------------------------------
// Points and pieces
// ---------------------------------------------------------------------------------------------------

static void measure_box(const st_mesh *mesh, st_mesh_report *report) {
    report->points = mesh->position.count;
    for (size_t i = 0; i < mesh->position.count; i++)
        for (int a = 0; a < 3; a++) {
            const double x = (double)mesh->position.data[3 * i + (size_t)a];
            report->low[a] = i == 0 || x < report->low[a] ? x : report->low[a];
            report->high[a] = i == 0 || x > report->high[a] ? x : report->high[a];
        }
}

static uint32_t root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static bool count_pieces(const st_mesh *mesh, st_mesh_report *report) {
    const size_t points = mesh->position.count;
    uint32_t *parent = st_alloc(points, sizeof *parent);
    uint8_t *used = st_alloc(points, 1);
    bool ok = parent && used;

    // join the vertices of each element with its first one
    for (size_t i = 0; ok && i < points; i++) parent[i] = (uint32_t)i;
    for (int kind = 0; ok && kind < ST_ELEMENT_KINDS; kind++) {
        const size_t size = st_element_size[kind];
        for (size_t i = 0; i < mesh->elements[kind].count * size; i++) {
            const uint32_t v = mesh->elements[kind].data[i], first = mesh->elements[kind].data[i - i % size];
            used[v] = 1;
            parent[root(parent, v)] = root(parent, first);
        }
    }

    // each tree is a piece
    for (size_t i = 0; ok && i < points; i++) {
        report->unused += !used[i];
        report->components += used[i] && parent[i] == i;
    }

    st_free(parent);
    st_free(used);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Boundary
// ---------------------------------------------------------------------------------------------------

static double face_area(const st_mesh *mesh, const uint32_t *v, st_element kind) {
    vec p[4];
    for (size_t i = 0; i < st_element_size[kind]; i++) mesh_measure_load(p[i], mesh, v[i]);
    return measure_element(kind, p).size;
}

static bool measure_volumes(const st_mesh *mesh, st_mesh_report *report) {
    st_boundary boundary = {0};
    const bool ok = st_boundary_find(&boundary, mesh->elements);

    report->boundary_faces = boundary.triangles.count + boundary.quads.count;
    report->shared_faces = boundary.shared;

    for (size_t i = 0; ok && i < boundary.triangles.count; i++)
        report->boundary_area += face_area(mesh, boundary.triangles.data + 3 * i, ST_TRIANGLE);
    for (size_t i = 0; ok && i < boundary.quads.count; i++)
        report->boundary_area += face_area(mesh, boundary.quads.data + 4 * i, ST_QUAD);

    st_boundary_free(&boundary);
    return ok;
}

// Volume between the faces and the corner of the box.
static double enclosed_volume(const st_mesh *mesh, const double origin[3]) {
    double volume = 0;
    for (int kind = ST_TRIANGLE; kind <= ST_QUAD; kind++) {
        const size_t size = st_element_size[kind];
        for (size_t e = 0; e < mesh->elements[kind].count; e++) {
            vec p[4];
            for (size_t i = 0; i < size; i++) mesh_measure_load(p[i], mesh, mesh->elements[kind].data[e * size + i]);
            volume += tetrahedron_volume(origin, p[0], p[1], p[2]);
            if (kind == ST_QUAD) volume += tetrahedron_volume(origin, p[0], p[2], p[3]);
        }
    }

    return volume;
}

// Both ends of edge number i of all faces, triangles first.
static void ends_of(const st_mesh *mesh, size_t i, uint32_t ends[2]) {
    const size_t of_triangles = 3 * mesh->elements[ST_TRIANGLE].count;
    const bool quad = i >= of_triangles;
    const size_t k = quad ? i - of_triangles : i, size = quad ? 4 : 3;
    const uint32_t *v = mesh->elements[quad ? ST_QUAD : ST_TRIANGLE].data + k / size * size;
    const int *local = quad ? st_quad_edges[k % 4] : st_triangle_edges[k % 3];

    ends[0] = v[local[0]];
    ends[1] = v[local[1]];
}

static bool measure_surface(const st_mesh *mesh, st_mesh_report *report) {
    const st_uints *triangles = &mesh->elements[ST_TRIANGLE], *quads = &mesh->elements[ST_QUAD];
    const st_parts sources[2] = {{triangles->data, triangles->count, 3, &st_triangle_edges[0][0], 3},
                                 {quads->data, quads->count, 4, &st_quad_edges[0][0], 4}};

    // number each edge by its first occurrence
    const size_t total = st_parts_total(sources, 2);
    uint32_t *first = st_alloc(total, sizeof *first), *times = st_alloc(total, sizeof *times);
    int32_t *direction = st_alloc(total, sizeof *direction); // those along the first, less those against it
    const bool ok = first && times && direction && st_parts_match(2, sources, 2, first);

    // count how often each edge is met, and in which direction
    bool oriented = total > 0;

    for (size_t i = 0; ok && i < total; i++) {
        uint32_t mine[2], its[2];
        ends_of(mesh, i, mine);
        ends_of(mesh, first[i], its);
        times[first[i]]++;
        direction[first[i]] += mine[0] == its[0] ? 1 : -1;
    }
    for (size_t i = 0; ok && i < total; i++) {
        // closed: every edge has two faces, which run along it in opposite directions
        if (first[i] != i) continue;
        report->boundary_edges += times[i] == 1;
        report->shared_edges += times[i] > 2;
        oriented = oriented && times[i] == 2 && direction[i] == 0;
    }

    report->closed = ok && oriented;
    if (report->closed) report->enclosed = enclosed_volume(mesh, report->low);

    st_free(first);
    st_free(times);
    st_free(direction);
    return ok;
}

st_status st_measure_mesh(const st_mesh *mesh, st_mesh_report *report) {
    *report = (st_mesh_report){0};
    measure_box(mesh, report);

    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) measure_kind(mesh, (st_element)kind, &report->quality[kind]);
    const bool ok = count_pieces(mesh, report) &&
                    (st_has_volumes(mesh->elements) ? measure_volumes(mesh, report) : measure_surface(mesh, report));
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}
