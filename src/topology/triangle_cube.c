// Does a triangle touch the cube of side 1 around the origin?
//
// In single precision, and touching counts: a corner in the cube; else no common face, edge or corner plane of the cube
// with the whole triangle beyond it, and either an edge that hits the cube or the diagonal of the cube that is closest
// to the normal passing through the triangle.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "topology/sparse_grid.h"

static bool corner_inside(const float p[3]) {
    return fabsf(p[0]) <= 0.5f && fabsf(p[1]) <= 0.5f && fabsf(p[2]) <= 0.5f;
}

// Are all corners beyond direction . p = distance?
static bool all_beyond(const float corners[3][3], float x, float y, float z, float distance) {
    for (int k = 0; k < 3; k++)
        if (!(x * corners[k][0] + y * corners[k][1] + z * corners[k][2] > distance)) return false;
    return true;
}

static bool beyond_any_plane(const float corners[3][3]) {
    for (int sign = -1; sign <= 1; sign += 2) {
        // the three faces, the edges between them
        const float s = (float)sign;
        for (int i = 0; i < 3; i++) {
            float d[3] = {0, 0, 0};
            d[i] = s;

            if (all_beyond(corners, d[0], d[1], d[2], 0.5f)) return true;

            for (int other = -1; other <= 1; other += 2) {
                float e[3] = {0, 0, 0};
                e[i] = s;
                e[(i + 1) % 3] = (float)other;
                if (all_beyond(corners, e[0], e[1], e[2], 1)) return true;
            }
        }

        // the corners
        for (int y = -1; y <= 1; y += 2)
            for (int z = -1; z <= 1; z += 2)
                if (all_beyond(corners, s, (float)y, (float)z, 1.5f)) return true;
    }
    return false;
}

static bool edge_hits(const float a[3], const float b[3]) {
    float e[3], s[3];
    for (int i = 0; i < 3; i++) {
        e[i] = b[i] - a[i];
        s[i] = e[i] < 0 ? -1.0f : 1.0f;
        if (a[i] * s[i] > 0.5f || b[i] * s[i] < -0.5f) return false;
    }

    // the moments of the edge about the axes, against those of the cube's edges
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        const float moment = e[i2] * a[i1] - e[i1] * a[i2], reach = 0.5f * (e[i2] * s[i1] + e[i1] * s[i2]);
        if (moment * moment > reach * reach) return false;
    }
    return true;
}

// Is a point of the triangle's plane in the triangle? Turns of the edges around it, without the axis of the normal's
// largest component.
static bool plane_point_inside(const float corners[3][3], const float p[3], int drop) {
    const int x = (drop + 1) % 3, y = (drop + 2) % 3;
    int turns = 0;

    for (int k = 0; k < 3; k++) {
        const float *a = corners[k], *b = corners[(k + 1) % 3];
        const bool below_a = a[y] <= p[y], below_b = b[y] <= p[y];

        // edges that do not pass the height of the point cannot turn around it
        if (below_a == below_b) continue;

        const float side = (b[x] - a[x]) * (p[y] - a[y]) - (p[x] - a[x]) * (b[y] - a[y]);
        if (below_a && side > 0) turns++;
        if (!below_a && side < 0) turns--;
    }

    return turns != 0;
}

static bool diagonal_hits(const float corners[3][3]) {
    float u[3], v[3], normal[3], d[3], along = 0, offset = 0, p[3];
    int drop = 0;

    // normal of the triangle
    for (int i = 0; i < 3; i++) u[i] = corners[1][i] - corners[0][i], v[i] = corners[2][i] - corners[0][i];
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        normal[i] = u[i1] * v[i2] - u[i2] * v[i1];
    }

    // d is the diagonal closest to the normal; drop the axis along which the normal is longest
    for (int i = 0; i < 3; i++) {
        d[i] = normal[i] < 0 ? -1.0f : 1.0f;
        along += normal[i] * d[i];
        offset += normal[i] * corners[0][i];
        if (fabsf(normal[i]) > fabsf(normal[drop])) drop = i;
    }

    // where the diagonal t d meets the plane
    if (!(along > 0)) return false;
    const float t = offset / along;
    if (!(t >= -0.5f && t <= 0.5f)) return false;

    for (int i = 0; i < 3; i++) p[i] = t * d[i];
    return plane_point_inside(corners, p, drop);
}

bool st_triangle_touches_cube(const float corners[3][3]) {
    for (int k = 0; k < 3; k++)
        if (corner_inside(corners[k])) return true;

    if (beyond_any_plane(corners)) return false;

    for (int k = 0; k < 3; k++)
        if (edge_hits(corners[k], corners[(k + 1) % 3])) return true;
    return diagonal_hits(corners);
}
