// Local numbering of elements: which vertices make their edges and faces.
//
//         7--------6          3
//        /|       /|         /|\        tetrahedron of positive volume: dot(cross(v1-v0, v2-v0), v3-v0) > 0;
//       4--------5 |        / | \       its faces, as listed, look outward; face j is opposite to vertex j
//       | |      | |       0--|--2
//       | 3------|-2        \ | /       edge j of a triangle or quad joins vertices j+1 and j+2
//       |/       |/          \|/
//       0--------1            1
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_TABLES_H
#define SETTEE_TOPOLOGY_TABLES_H

static const int st_tetrahedron_edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
static const int st_tetrahedron_triangles[4][3] = {{1, 2, 3}, {0, 3, 2}, {1, 3, 0}, {0, 2, 1}};
static const int st_hexahedron_edges[12][2] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                                               {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
static const int st_hexahedron_quads[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                              {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
// Where the vertices of a hexahedron lie in its box.
static const int st_hexahedron_corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                                {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
// Six tetrahedra that fill a hexahedron, all of them along its diagonal 0 6.
static const int st_hexahedron_tetrahedra[6][4] = {{0, 5, 1, 6}, {0, 1, 3, 6}, {1, 3, 6, 2},
                                                   {6, 3, 0, 7}, {6, 7, 0, 5}, {7, 5, 4, 0}};
static const int st_triangle_edges[3][2] = {{1, 2}, {2, 0}, {0, 1}};
static const int st_quad_edges[4][2] = {{1, 2}, {2, 3}, {3, 0}, {0, 1}};

#endif
