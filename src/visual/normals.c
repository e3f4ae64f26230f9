// Smooth normals that respect creases.
//
// The normal at a corner of a triangle is the area-weighted mean over the triangles around the same point whose planes
// differ by less than the crease angle. A sphere becomes smooth, a box keeps its sharp sides. The orientation of a
// neighbor is not trusted: a normal that points the other way counts with its sign turned. Points at the same place
// (seams of textured meshes, triangle soups) count as one.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/normals.h"

#include <string.h>
#include <tgmath.h>

#include "base/array.h"

static const float crease_cosine = 0.76f; // 40.5 degrees
enum { MAX_NEIGHBORS = 256 };             // keeps a fan of a million triangles from taking its square in time

typedef struct face {
    float normal[3];
    float weight;
} face;

typedef struct mesh {
    const double *points;
    const uint32_t *triangles;
    size_t point_count, triangle_count;
    face *faces;
    uint32_t *place;  // per point: the first point at the same place
    uint32_t *start;  // triangles around place p: around[start[p]] to around[start[p + 1] - 1]
    uint32_t *around; //
} mesh;

static double area_vector(const mesh *m, size_t t, double v[3]) {
    const double *a = m->points + 3 * (size_t)m->triangles[3 * t], *b = m->points + 3 * (size_t)m->triangles[3 * t + 1],
                 *c = m->points + 3 * (size_t)m->triangles[3 * t + 2];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        v[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
    }
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void compute_faces(mesh *m) {
    // weights relative to the largest triangle, so that single precision is enough
    double largest = 0;

    for (size_t t = 0; t < m->triangle_count; t++) {
        double v[3];
        const double area = area_vector(m, t, v);
        if (isfinite(area)) largest = fmax(largest, area);
    }

    for (size_t t = 0; t < m->triangle_count; t++) {
        double v[3];
        const double area = area_vector(m, t, v);
        if (!isfinite(area) || !(area > 0)) continue;
        for (int k = 0; k < 3; k++) m->faces[t].normal[k] = (float)(v[k] / area);
        m->faces[t].weight = (float)(area / largest);
    }
}

static size_t hash_point(const double p[3]) {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (int k = 0; k < 3; k++) {
        const double value = p[k] + 0.0; // -0 and 0 are the same place
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);

        hash = (hash ^ bits) * 0xFF51AFD7ED558CCDu;
        hash ^= hash >> 32;
    }
    return hash;
}

// Finds points at the same place with a hash table of open addresses, at most half full.
static bool find_places(mesh *m) {
    size_t size = 16;
    while (size < 2 * m->point_count) size *= 2;

    uint32_t *table = st_alloc(size, sizeof(uint32_t)); // index + 1, 0 is free
    if (!table) return false;

    // each point looks for an equal one; else it takes the free slot
    for (size_t i = 0; i < m->point_count; i++) {
        const double *p = m->points + 3 * i;
        m->place[i] = (uint32_t)i;
        if (!isfinite(p[0] + p[1] + p[2])) continue;

        size_t slot = hash_point(p) & (size - 1);
        for (; table[slot]; slot = (slot + 1) & (size - 1)) {
            const double *q = m->points + 3 * (size_t)(table[slot] - 1);
            if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2]) break;
        }
        if (table[slot]) m->place[i] = table[slot] - 1;
        else table[slot] = (uint32_t)i + 1;
    }

    st_free(table);
    return true;
}

// Counting sort. Counts are stored two places on, so that after the sums start[p + 1] is where the list of p begins,
// and after filling it is where the list ends.
static void collect_around(mesh *m) {
    const size_t corners = 3 * m->triangle_count;
    for (size_t i = 0; i < corners; i++) m->start[(size_t)m->place[m->triangles[i]] + 2]++;

    for (size_t p = 0; p <= m->point_count; p++) m->start[p + 1] += m->start[p];
    for (size_t i = 0; i < corners; i++)
        m->around[m->start[(size_t)m->place[m->triangles[i]] + 1]++] = (uint32_t)(i / 3);
}

static void corner_normal(const mesh *m, size_t t, size_t place, float result[3]) {
    const face *own = &m->faces[t];
    const uint32_t first = m->start[place];
    uint32_t last = m->start[place + 1];

    if (last - first > MAX_NEIGHBORS) last = first + MAX_NEIGHBORS;
    float sum[3] = {0, 0, 0};
    for (uint32_t i = first; i < last; i++) {
        const face *f = &m->faces[m->around[i]];
        const float cosine =
            own->normal[0] * f->normal[0] + own->normal[1] * f->normal[1] + own->normal[2] * f->normal[2];
        if (fabs(cosine) < crease_cosine) continue;

        // a neighbor whose orientation is turned counts with its sign turned
        const float weight = cosine < 0 ? -f->weight : f->weight;
        for (int k = 0; k < 3; k++) sum[k] += weight * f->normal[k];
    }

    const float length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (int k = 0; k < 3; k++) result[k] = length > 1e-12f ? sum[k] / length : own->normal[k];
}

static bool smooth_normals(mesh *m, float *normals) {
    const size_t corners = 3 * m->triangle_count;
    m->place = st_alloc(m->point_count, sizeof(uint32_t));
    m->start = st_alloc(m->point_count + 2, sizeof(uint32_t));
    m->around = st_alloc(corners, sizeof(uint32_t));

    const bool good = m->place && m->start && m->around && find_places(m);
    if (good) {
        collect_around(m);
        for (size_t i = 0; i < corners; i++) corner_normal(m, i / 3, m->place[m->triangles[i]], normals + 3 * i);
    }

    st_free(m->place);
    st_free(m->start);
    st_free(m->around);
    return good;
}

bool st_corner_normals(const double *points, size_t point_count, const uint32_t *triangles, size_t triangle_count,
                       bool flat, float *normals) {
    mesh m = {points, triangles, point_count, triangle_count, NULL, NULL, NULL, NULL};
    m.faces = st_alloc(triangle_count, sizeof(face));
    if (!m.faces) return false;

    compute_faces(&m);
    bool good = true;

    // one normal for all three corners
    if (flat) {
        for (size_t i = 0; i < 3 * triangle_count; i++)
            memcpy(normals + 3 * i, m.faces[i / 3].normal, 3 * sizeof(float));
    } else {
        good = smooth_normals(&m, normals);
    }

    st_free(m.faces);
    return good;
}
