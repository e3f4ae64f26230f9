// Formats of surfaces: OBJ, STL and OFF, as text.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_write.h"
#include "math/vec3.h"

// ---------------------------------------------------------------------------------------------------
// OBJ: edges as lines; indices from 1
// ---------------------------------------------------------------------------------------------------

void st_mesh_write_obj(FILE *out, const st_mesh_view *mesh) {
    for (size_t i = 0; i < mesh->point_count; i++) {
        fputs("v ", out);
        st_mesh_put_point(out, mesh->points + 3 * i);
        fputc('\n', out);
    }

    for (int kind = ST_EDGE; kind <= ST_QUAD; kind++)
        for (size_t i = 0; i < mesh->elements[kind].count; i++) {
            fputc(kind == ST_EDGE ? 'l' : 'f', out);
            st_mesh_put_vertices(out, st_mesh_view_element(mesh, kind, i), st_element_size[kind], NULL, 1);
            fputc('\n', out);
        }
}

// ---------------------------------------------------------------------------------------------------
// STL: triangles with their unit normals, without points of their own
// ---------------------------------------------------------------------------------------------------

static void put_facet(FILE *out, const st_mesh_view *mesh, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t corners[3] = {a, b, c};
    const st_real *p = mesh->points + 3 * (size_t)a;
    st_real u[3], v[3], normal[3];

    // the unit normal; 0 where the corners are on one line
    st_vec3_sub(u, mesh->points + 3 * (size_t)b, p);
    st_vec3_sub(v, mesh->points + 3 * (size_t)c, p);
    st_vec3_cross(normal, u, v);
    if (!st_vec3_normalize(normal, normal)) st_vec3_zero(normal);

    fputs("facet normal ", out);
    st_mesh_put_point(out, normal);
    fputs("\nouter loop\n", out);
    for (int k = 0; k < 3; k++) {
        fputs("vertex ", out);
        st_mesh_put_point(out, mesh->points + 3 * (size_t)corners[k]);
        fputc('\n', out);
    }
    fputs("endloop\nendfacet\n", out);
}

void st_mesh_write_stl(FILE *out, const st_mesh_view *mesh) {
    fputs("solid settee\n", out);
    for (size_t i = 0; i < mesh->elements[ST_TRIANGLE].count; i++) {
        const uint32_t *t = st_mesh_view_element(mesh, ST_TRIANGLE, i);
        put_facet(out, mesh, t[0], t[1], t[2]);
    }

    for (size_t i = 0; i < mesh->elements[ST_QUAD].count; i++) {
        const uint32_t *q = st_mesh_view_element(mesh, ST_QUAD, i);
        put_facet(out, mesh, q[0], q[1], q[2]);
        put_facet(out, mesh, q[0], q[2], q[3]);
    }

    fputs("endsolid settee\n", out);
}

// ---------------------------------------------------------------------------------------------------
// OFF
// ---------------------------------------------------------------------------------------------------

void st_mesh_write_off(FILE *out, const st_mesh_view *mesh) {
    fprintf(out, "OFF\n%zu %zu 0\n", mesh->point_count,
            mesh->elements[ST_TRIANGLE].count + mesh->elements[ST_QUAD].count);

    for (size_t i = 0; i < mesh->point_count; i++) {
        st_mesh_put_point(out, mesh->points + 3 * i);
        fputc('\n', out);
    }

    for (int kind = ST_TRIANGLE; kind <= ST_QUAD; kind++)
        for (size_t i = 0; i < mesh->elements[kind].count; i++) {
            fprintf(out, "%zu", st_element_size[kind]);
            st_mesh_put_vertices(out, st_mesh_view_element(mesh, kind, i), st_element_size[kind], NULL, 0);
            fputc('\n', out);
        }
}
