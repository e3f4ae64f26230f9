// The derivative of a pressure on triangles: see the header for the formulas.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/load/pressed_triangles.h"

#include "base/array.h"
#include "math/mat3.h"

bool st_pressed_triangles_add(st_pressed_triangles *triangles, uint32_t a, uint32_t b, uint32_t c, const st_real *pa,
                              const st_real *pb, const st_real *pc, st_real pressure) {
    st_pressed_triangle triangle = {.vertices = {a, b, c}};

    st_vec3_sub(triangle.across, pc, pb);
    st_vec3_sub(triangle.across + 3, pa, pc);
    st_vec3_sub(triangle.across + 6, pb, pa);

    for (int i = 0; i < 9; i++) triangle.across[i] *= pressure / 6;
    return st_list_push(&triangles->list, triangle);
}

void st_pressed_triangles_blocks(const st_pressed_triangles *triangles, const st_state *state, st_stiffness k) {
    if (!triangles->list.count) return;

    const size_t deriv = st_state_dof(state)->deriv;
    st_sink *sink = st_stiffness_between(k, state, state);

    for (size_t t = 0; t < triangles->list.count; t++) {
        const st_pressed_triangle *triangle = &triangles->list.data[t];

        // column j is the same for all three vertices
        for (int j = 0; j < 3; j++) {
            st_real block[9];
            st_mat3_cross(block, triangle->across + 3 * j);
            for (int i = 0; i < 3; i++)
                st_add_3x3(sink, triangle->vertices[i] * deriv, triangle->vertices[j] * deriv, block);
        }
    }
}

void st_pressed_triangles_product(const st_pressed_triangles *triangles, const st_state *state, const st_params *params,
                                  st_real k) {
    if (!triangles->list.count) return;

    const size_t deriv = st_state_dof(state)->deriv;
    const st_real *dx = st_dx(state, params);
    st_real *df = st_df(state, params);

    for (size_t t = 0; t < triangles->list.count; t++) {
        const st_pressed_triangle *triangle = &triangles->list.data[t];
        st_real sum[3] = {0, 0, 0}, part[3];

        // dP, the same for all three vertices
        for (int j = 0; j < 3; j++) {
            st_vec3_cross(part, triangle->across + 3 * j, dx + triangle->vertices[j] * deriv);
            st_vec3_add(sum, sum, part);
        }

        for (int i = 0; i < 3; i++) {
            st_real *at = df + triangle->vertices[i] * deriv;
            st_vec3_add_scaled(at, at, sum, k);
        }
    }
}

void st_pressed_triangles_free(st_pressed_triangles *triangles) { st_list_free(&triangles->list); }
