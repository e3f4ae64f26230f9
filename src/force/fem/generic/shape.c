// Reference elements. See shape.h. The irrational numbers have twelve digits, as in SOFA: its results show them.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/generic/shape.h"

#include <string.h>

#define ROOT_2_3 ST_R(0.816496580928)      // sqrt(2/3)
#define ONE_ROOT_6 ST_R(1 / 2.44948974278) // 1/sqrt(6)
#define ONE_ROOT_2 ST_R(1 / 1.41421356237) // 1/sqrt(2)
#define GAUSS ST_R(1 / 1.73205080757)      // 1/sqrt(3)
#define PRISM_LOW ST_R(0.5 * (1 - 0.57735026919))
#define PRISM_HIGH ST_R(0.5 * (1 + 0.57735026919))
#define THIRD ST_R(1.0 / 3)

#define CUBE_POINTS                                                                                                    \
    {-GAUSS, -GAUSS, -GAUSS}, {GAUSS, -GAUSS, -GAUSS}, {GAUSS, GAUSS, -GAUSS}, {-GAUSS, GAUSS, -GAUSS},                \
        {-GAUSS, -GAUSS, GAUSS}, {GAUSS, -GAUSS, GAUSS}, {GAUSS, GAUSS, GAUSS}, {                                      \
        -GAUSS, GAUSS, GAUSS                                                                                           \
    }

static const st_quadrature quadratures[ST_ELEMENT_KINDS] = {
    [ST_EDGE] = {1, {{0}}, 2},
    [ST_TRIANGLE] = {1, {{THIRD, THIRD}}, ST_R(0.5)},
    [ST_QUAD] = {3, {{ROOT_2_3, 0}, {-ONE_ROOT_6, -ONE_ROOT_2}, {-ONE_ROOT_6, ONE_ROOT_2}}, ST_R(4.0 / 3)},
    [ST_TETRAHEDRON] = {1, {{ST_R(0.25), ST_R(0.25), ST_R(0.25)}}, ST_R(1.0 / 6)},
    [ST_HEXAHEDRON] = {8, {CUBE_POINTS}, 1},
    [ST_PRISM] = {2, {{THIRD, THIRD, PRISM_LOW}, {THIRD, THIRD, PRISM_HIGH}}, ST_R(0.25)},
    [ST_PYRAMID] = {8, {CUBE_POINTS}, 1},
};

static const int dimensions[ST_ELEMENT_KINDS] = {1, 2, 2, 3, 3, 3, 3};

size_t st_shape_dimension(st_element kind) { return dimensions[kind]; }
const st_quadrature *st_shape_quadrature(st_element kind) { return &quadratures[kind]; }

const st_real st_cube_corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                       {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

// ---------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------

void st_shape_values(st_element kind, const st_real q[3], st_real n[ST_SHAPE_NODES]) {
    const st_real rest = 1 - q[0] - q[1];

    // barycentric on simplices, products of (1 ± q) / 2 on cubes
    switch (kind) {
    case ST_EDGE:
        n[0] = (1 - q[0]) / 2;
        n[1] = (1 + q[0]) / 2;
        return;
    case ST_TRIANGLE:
        n[0] = rest;
        n[1] = q[0];
        n[2] = q[1];
        return;
    case ST_TETRAHEDRON:
        n[0] = rest - q[2];
        for (int i = 0; i < 3; i++) n[i + 1] = q[i];
        return;
    case ST_QUAD:
        for (int i = 0; i < 4; i++) n[i] = (1 + st_cube_corners[i][0] * q[0]) * (1 + st_cube_corners[i][1] * q[1]) / 4;
        return;
    case ST_HEXAHEDRON:
        for (int i = 0; i < 8; i++)
            n[i] = (1 + st_cube_corners[i][0] * q[0]) * (1 + st_cube_corners[i][1] * q[1]) *
                   (1 + st_cube_corners[i][2] * q[2]) / 8;
        return;
    case ST_PRISM:
        // triangle × segment
        for (int i = 0; i < 6; i++) n[i] = (i % 3 ? q[i % 3 - 1] : rest) * (i < 3 ? 1 - q[2] : q[2]);
        return;
    case ST_PYRAMID:
        for (int i = 0; i < 4; i++)
            n[i] = (1 + st_cube_corners[i][0] * q[0]) * (1 + st_cube_corners[i][1] * q[1]) * (1 - q[2]) / 8;
        n[4] = (1 + q[2]) / 2;
        return;
    case ST_ELEMENT_KINDS: return;
    }
}

// ---------------------------------------------------------------------------------------------------
// Gradients
// ---------------------------------------------------------------------------------------------------

static void shape_set(st_real g[3], st_real x, st_real y, st_real z) {
    g[0] = x;
    g[1] = y;
    g[2] = z;
}

static void prism_gradients(const st_real q[3], st_real g[ST_SHAPE_NODES][3]) {
    const st_real rest = 1 - q[0] - q[1], low = 1 - q[2], high = q[2];

    // the triangle at the bottom, then that at the top
    shape_set(g[0], -low, -low, -rest);
    shape_set(g[1], low, 0, -q[0]);
    shape_set(g[2], 0, low, -q[1]);
    shape_set(g[3], -high, -high, rest);
    shape_set(g[4], high, 0, q[0]);
    shape_set(g[5], 0, high, q[1]);
}

static void pyramid_gradients(const st_real q[3], st_real g[ST_SHAPE_NODES][3]) {
    for (int i = 0; i < 4; i++) {
        const st_real *s = st_cube_corners[i];
        const st_real a = 1 + s[0] * q[0], b = 1 + s[1] * q[1], c = 1 - q[2];
        shape_set(g[i], s[0] * b * c / 8, s[1] * a * c / 8, -a * b / 8);
    }

    // the apex
    shape_set(g[4], 0, 0, ST_R(0.5));
}

void st_shape_gradients(st_element kind, const st_real q[3], st_real g[ST_SHAPE_NODES][3]) {
    memset(g, 0, ST_SHAPE_NODES * sizeof *g);

    // ∂N_i / ∂q of the functions above; what is not set is zero
    switch (kind) {
    case ST_EDGE:
        g[0][0] = -ST_R(0.5);
        g[1][0] = ST_R(0.5);
        return;
    case ST_TRIANGLE:
    case ST_TETRAHEDRON:
        for (int i = 0; i < dimensions[kind]; i++) {
            g[0][i] = -1;
            g[i + 1][i] = 1;
        }
        return;
    case ST_QUAD:
        for (int i = 0; i < 4; i++)
            shape_set(g[i], st_cube_corners[i][0] * (1 + st_cube_corners[i][1] * q[1]) / 4,
                      st_cube_corners[i][1] * (1 + st_cube_corners[i][0] * q[0]) / 4, 0);
        return;
    case ST_HEXAHEDRON:
        for (int i = 0; i < 8; i++) {
            // product rule of (1 + s q) / 2 along the three axes
            const st_real *s = st_cube_corners[i];
            const st_real a = 1 + s[0] * q[0], b = 1 + s[1] * q[1], c = 1 + s[2] * q[2];
            shape_set(g[i], s[0] * b * c / 8, s[1] * a * c / 8, s[2] * a * b / 8);
        }
        return;
    case ST_PRISM: prism_gradients(q, g); return;
    case ST_PYRAMID: pyramid_gradients(q, g); return;
    case ST_ELEMENT_KINDS: return;
    }
}
