// Von Mises stress in linear tetrahedra. See von_mises.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/von_mises.h"

#include "math/decompose.h"

typedef struct tetra {
    st_real x[12], rest[12]; // world
    st_real gradients[12];   // of the shape functions, world
    st_real volume;          // signed
} tetra;

// grad N_i = (face of the other three vertices, pointing to i) / (3 V).
static void set_gradients(tetra *t) {
    const st_real *p = t->rest;
    st_real e[3][3], c[3];
    for (int i = 0; i < 3; i++) st_vec3_sub(e[i], p + 3 * (i + 1), p);
    st_vec3_cross(c, e[0], e[1]);
    const st_real six = st_vec3_dot(c, e[2]);
    t->volume = six / 6;
    const st_real scale = six == 0 ? 0 : 1 / six;
    for (int i = 0; i < 3; i++) {
        st_vec3_cross(c, e[(i + 1) % 3], e[(i + 2) % 3]);
        st_vec3_scale(t->gradients + 3 * (i + 1), c, scale);
    }
    for (int k = 0; k < 3; k++) t->gradients[k] = -(t->gradients[3 + k] + t->gradients[6 + k] + t->gradients[9 + k]);
}

static void load(tetra *t, const st_tetra_model *model, size_t e, const st_real *rest, const st_real *x) {
    uint32_t nodes[4];
    st_element_nodes(&model->mesh, e, nodes);
    for (int i = 0; i < 4; i++) {
        st_vec3_copy(t->x + 3 * i, x + 3 * (size_t)nodes[i]);
        st_vec3_copy(t->rest + 3 * i, rest + 3 * (size_t)nodes[i]);
    }
    set_gradients(t);
}

static void frame_of(st_real frame[9], const st_real x[12], st_tetra_method method) {
    st_real a[9];
    for (int i = 0; i < 3; i++) st_vec3_sub(a + 3 * i, x + 3 * (i + 1), x);
    if (method == ST_TETRA_SMALL) st_mat3_identity(frame);
    else if (method == ST_TETRA_LARGE) st_frame_rows(frame, a, a + 3);
    else st_polar(frame, a);
}

// Rest minus current in the element's frame, relative to node 0 (the common part has no gradient).
static void corotated_displacement(st_real u[12], const tetra *t, st_tetra_method method) {
    st_real now[9], before[9];
    frame_of(now, t->x, method);
    frame_of(before, t->rest, method);
    for (int i = 0; i < 4; i++) {
        st_real a[3], b[3];
        st_vec3_sub(a, t->rest + 3 * i, t->rest);
        st_vec3_sub(b, t->x + 3 * i, t->x);
        st_mat3_times_vec(a, before, a);
        st_mat3_times_vec(b, now, b);
        st_vec3_sub(u + 3 * i, a, b);
    }
}

static void strain_of(st_real strain[9], const tetra *t, const st_tetra_model *model, st_strain_measure measure) {
    st_real u[12], gradient[9] = {0}, outer[9], square[9];
    if (measure == ST_STRAIN_GREEN)
        for (int k = 0; k < 12; k++) u[k] = t->x[k] - t->rest[k];
    else corotated_displacement(u, t, model->method);
    for (int i = 0; i < 4; i++) {
        st_mat3_outer(outer, u + 3 * i, t->gradients + 3 * i);
        st_mat3_add(gradient, gradient, outer);
    }
    st_mat3_symmetric_part(strain, gradient);
    if (measure != ST_STRAIN_GREEN) return;
    st_mat3_transpose_multiply(square, gradient, gradient);
    st_mat3_add_scaled(strain, strain, square, ST_R(0.5));
}

static st_real von_mises(const st_real strain[9], st_real lambda, st_real mu) {
    const st_real trace = lambda * st_mat3_trace(strain);
    const st_real xx = 2 * mu * strain[0] + trace, yy = 2 * mu * strain[4] + trace, zz = 2 * mu * strain[8] + trace;
    const st_real yz = 2 * mu * strain[5], xz = 2 * mu * strain[2], xy = 2 * mu * strain[1];
    const st_real value = xx * xx + yy * yy + zz * zz - xx * yy - yy * zz - zz * xx + 3 * (yz * yz + xz * xz + xy * xy);
    const st_real root = value > 0 ? sqrt(value) : 0;
    return root < ST_R(1e-10) ? 0 : root;
}

void st_von_mises_elements(const st_tetra_model *model, const st_real *rest, const st_real *x,
                           st_strain_measure measure, bool scaled, st_real *values) {
    for (size_t e = 0; e < model->mesh.count; e++) {
        tetra t;
        st_real strain[9], material[3];
        load(&t, model, e, rest, x);
        strain_of(strain, &t, model, measure);
        st_pack_take(model->material[0], 3, e, material);
        const st_real unit = scaled ? 1 : 36 * fabs(t.volume);
        values[e] = von_mises(strain, material[1] * unit, material[2] * unit);
    }
}

void st_von_mises_nodes(const st_tetra_model *model, const st_real *elements, st_real *nodes) {
    const st_element_mesh *mesh = &model->mesh;
    for (size_t n = 0; n < mesh->points; n++) {
        st_real sum = 0;
        const uint32_t count = mesh->starts[n + 1] - mesh->starts[n];
        for (uint32_t c = mesh->starts[n]; c < mesh->starts[n + 1]; c++)
            sum += elements[mesh->corners[c] / (4 * ST_PACK_SIZE) * ST_PACK_SIZE + mesh->corners[c] % ST_PACK_SIZE];
        nodes[n] = count ? sum / (st_real)count : 0;
    }
}
