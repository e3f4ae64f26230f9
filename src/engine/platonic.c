// The platonic solids: tables.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/platonic.h"

#include <stddef.h>

// ---- tetrahedron. A third is a number of single precision there: spheres of SOFA scenes were made with it.

static const st_real tetrahedron_vertices[4][3] = {
    {0, 0, 1},
    {0, (st_real)0.94280904158206336587 /* 2 sqrt(2)/3 */, -(1.0f / 3.0f)},
    {-(st_real)0.81649658092772603273 /* sqrt(2/3) */, -(st_real)0.47140452079103168293 /* sqrt(2)/3 */,
     -(1.0f / 3.0f)},
    {(st_real)0.81649658092772603273, -(st_real)0.47140452079103168293, -(1.0f / 3.0f)},
};
static const uint32_t tetrahedron_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
static const uint32_t tetrahedron_edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// ---- octahedron

static const st_real octahedron_vertices[6][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {-1, 0, 0}, {0, -1, 0}};
static const uint32_t octahedron_faces[8][3] = {{0, 1, 2}, {0, 2, 4}, {0, 4, 5}, {0, 5, 1},
                                                {1, 5, 3}, {1, 3, 2}, {3, 5, 4}, {2, 3, 4}};
static const uint32_t octahedron_edges[12][2] = {{0, 1}, {0, 2}, {0, 4}, {0, 5}, {1, 2}, {1, 3},
                                                 {1, 5}, {2, 3}, {2, 4}, {3, 4}, {3, 5}, {4, 5}};

// ---- icosahedron

static const st_real icosahedron_vertices[12][3] = {
    {(st_real)0.4249358858193742, (st_real)-0.6234212590752522, (st_real)-0.901521749427252},
    {(st_real)-0.5999406907417391, (st_real)0.05914133178387721, (st_real)-1.009227188986324},
    {(st_real)0.4980672603913731, (st_real)0.6101449500603583, (st_real)-0.872707378430782},
    {(st_real)1.170388006823068, (st_real)-0.06734654200022822, (st_real)-0.0873067158600265},
    {(st_real)0.4878971283264427, (st_real)-1.037062929459035, (st_real)0.2615777778398508},
    {(st_real)-0.606226178027942, (st_real)-0.958889124295748, (st_real)-0.3082004094765843},
    {(st_real)-0.4249358858193759, (st_real)0.6234212590752533, (st_real)0.90152174942725},
    {(st_real)0.5999406907417364, (st_real)-0.05914133178387813, (st_real)1.009227188986327},
    {(st_real)-0.4980672603913764, (st_real)-0.6101449500603557, (st_real)0.87270737843078},
    {(st_real)-1.170388006823072, (st_real)0.0673465420002311, (st_real)0.0873067158600247},
    {(st_real)-0.4878971283264417, (st_real)1.037062929459036, (st_real)-0.2615777778398516},
    {(st_real)0.606226178027942, (st_real)0.958889124295747, (st_real)0.3082004094765856},
};
static const uint32_t icosahedron_faces[20][3] = {
    {0, 1, 5}, {0, 2, 1},  {0, 3, 2}, {0, 4, 3}, {0, 5, 4}, {1, 2, 10}, {1, 9, 5}, {1, 10, 9}, {2, 3, 11},  {2, 11, 10},
    {3, 4, 7}, {3, 7, 11}, {4, 5, 8}, {4, 8, 7}, {5, 9, 8}, {6, 7, 8},  {6, 8, 9}, {6, 9, 10}, {6, 10, 11}, {6, 11, 7},
};
static const uint32_t icosahedron_edges[30][2] = {
    {0, 1},  {0, 2},  {0, 3}, {0, 4},  {0, 5},  {1, 2}, {1, 5},  {1, 9}, {1, 10}, {2, 3},
    {2, 10}, {2, 11}, {3, 4}, {3, 7},  {3, 11}, {4, 5}, {4, 7},  {4, 8}, {5, 8},  {5, 9},
    {6, 7},  {6, 8},  {6, 9}, {6, 10}, {6, 11}, {7, 8}, {7, 11}, {8, 9}, {9, 10}, {10, 11},
};

const st_platonic st_platonic_solids[] = {
    {"icosahedron", false, 12, 20, 30, icosahedron_vertices, icosahedron_faces, icosahedron_edges},
    {"tetrahedron", true, 4, 4, 6, tetrahedron_vertices, tetrahedron_faces, tetrahedron_edges},
    {"octahedron", true, 6, 8, 12, octahedron_vertices, octahedron_faces, octahedron_edges},
    {NULL, false, 0, 0, 0, NULL, NULL, NULL},
};
