// Gmsh, format 2.2 as text: the one that every program reads. Elements have the tags 0 0.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_write.h"

void st_mesh_write_gmsh(FILE *out, const st_mesh_view *mesh) {
    static const int types[ST_ELEMENT_KINDS] = {
        [ST_EDGE] = 1,       [ST_TRIANGLE] = 2, [ST_QUAD] = 3,   [ST_TETRAHEDRON] = 4,
        [ST_HEXAHEDRON] = 5, [ST_PRISM] = 6,    [ST_PYRAMID] = 7};

    size_t count = 0, number = 0;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) count += mesh->elements[kind].count;

    // points, numbered from 1
    fprintf(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%zu\n", mesh->point_count);
    for (size_t i = 0; i < mesh->point_count; i++) {
        fprintf(out, "%zu ", i + 1);
        st_mesh_put_point(out, mesh->points + 3 * i);
        fputc('\n', out);
    }

    // elements, numbered through all kinds
    fprintf(out, "$EndNodes\n$Elements\n%zu\n", count);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < mesh->elements[kind].count; i++) {
            fprintf(out, "%zu %d 2 0 0", ++number, types[kind]);
            st_mesh_put_vertices(out, st_mesh_view_element(mesh, kind, i), st_element_size[kind], NULL, 1);
            fputc('\n', out);
        }

    fputs("$EndElements\n", out);
}
