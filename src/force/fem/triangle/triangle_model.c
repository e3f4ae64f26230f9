// Membrane triangles: their rest shape and material, forces, blocks, strains. See triangle_model.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/triangle/triangle_model.h"

#include "base/array.h"
#include "math/mat3.h"

static const st_triangle_kernels *triangle_model_kernels(const st_pool *pool) {
    return ST_BEST_KERNELS(st_triangle_kernels, pool);
}

// ---------------------------------------------------------------------------------------------------
// Rest shape and material
// ---------------------------------------------------------------------------------------------------

static void triangle_model_free_lists(st_triangle_model *model) {
    st_free(model->rest);
    st_free(model->gradient);
    st_free(model->material);
    st_free(model->frame);
    st_free(model->constants);

    model->rest = NULL;
    model->gradient = model->material = model->frame = NULL;
    model->constants = NULL;
}

void st_triangle_model_free(st_triangle_model *model) {
    triangle_model_free_lists(model);
    st_element_mesh_free(&model->mesh);
}

st_status st_triangle_model_make(st_triangle_model *model, st_pool *pool, const uint32_t *elements, size_t count,
                                 size_t points, size_t *wrong) {
    triangle_model_free_lists(model);
    model->flat = false;
    const st_status status = st_element_mesh_make(&model->mesh, pool, elements, count, 3, points, 3, wrong);
    if (status != ST_OK || count == 0) return status;

    model->rest = (void *)st_packs_create(&model->mesh, 4);
    model->gradient = (void *)st_packs_create(&model->mesh, 6);
    model->material = (void *)st_packs_create(&model->mesh, 6);
    model->frame = (void *)st_packs_create(&model->mesh, 6);

    // the rest shape has constants of its own where it gives the gradients
    const bool rest = model->method == ST_TRIANGLE_REST;
    if (rest) model->constants = (void *)st_packs_create(&model->mesh, ST_TRIANGLE_CONSTANTS);
    if (model->rest && model->gradient && model->material && model->frame && (model->constants || !rest)) return ST_OK;
    st_triangle_model_free(model);
    return ST_OUT_OF_MEMORY;
}

// β and γ of the three corners; zero, and false, for a triangle without area.
static bool triangle_model_gradients(st_real g[6], const st_real b[3], const st_real c[3], st_triangle_method method) {
    st_real normal[3], det = b[0] * c[1];
    const st_real by = method == ST_TRIANGLE_SMALL ? b[1] : 0;
    if (method == ST_TRIANGLE_SMALL) {
        st_vec3_cross(normal, b, c);
        det = st_vec3_norm(normal);
    }

    // (y_j - y_k, x_k - x_j) / det; A is the origin, and B is on the x axis unless the method has no frame
    const bool flat = fabs(det) < ST_REAL_EPSILON;
    const st_real values[6] = {by - c[1], c[0] - b[0], c[1], -c[0], -by, b[0]};
    for (int k = 0; k < 6; k++) g[k] = flat ? 0 : values[k] / det;
    return !flat;
}

void st_triangle_model_set_rest(st_triangle_model *model, size_t lane, const st_real b[3], const st_real c[3],
                                const st_real frame[9]) {
    const st_real rest[4] = {b[0], model->method < ST_TRIANGLE_LARGE ? b[1] : 0, c[0], c[1]};
    st_real g[6];

    if (!triangle_model_gradients(g, b, c, model->method)) model->flat = true;

    st_pack_put(model->rest[0], 4, lane, rest);
    st_pack_put(model->gradient[0], 6, lane, g);
    st_pack_put(model->frame[0], 6, lane, frame);
}

void st_triangle_model_set_material(st_triangle_model *model, size_t lane, const st_real k[6]) {
    st_pack_put(model->material[0], 6, lane, k);
}

void st_triangle_model_set_elasticity(st_triangle_model *model, size_t lane, st_real young, st_real poisson) {
    st_real rest[4], k[6];
    st_pack_take(model->rest[0], 4, lane, rest);
    const st_real det = rest[0] * rest[3];
    const bool flat = fabs(det) < ST_REAL_EPSILON;

    // with B on the x axis, det = B_x C_y is twice the area
    const st_real constants[ST_TRIANGLE_CONSTANTS] = {
        [ST_TRIANGLE_BX] = rest[0],
        [ST_TRIANGLE_CX] = rest[2],
        [ST_TRIANGLE_CY] = rest[3],
        [ST_TRIANGLE_SCALE] = flat ? 0 : ST_R(0.5) / det,
        [ST_TRIANGLE_MU] = young / (1 + poisson),
        [ST_TRIANGLE_GAMMA] = young * poisson / (1 - poisson * poisson),
    };
    st_pack_put(model->constants[0], ST_TRIANGLE_CONSTANTS, lane, constants);

    // the same as a matrix, for what does not use the closed form
    st_plane_stress(k, young, poisson, det / 2);
    st_triangle_model_set_material(model, lane, k);
}

void st_plane_stress(st_real k[6], st_real young, st_real poisson, st_real size) {
    const st_real scale = young / (1 - poisson * poisson) * size;
    const st_real values[6] = {scale, poisson * scale, 0, scale, 0, (1 - poisson) / 2 * scale};
    st_copy_reals(k, values, 6);
}

void st_plane_strain(st_real k[6], st_real young, st_real poisson, st_real size) {
    const st_real scale = young / ((1 + poisson) * (1 - 2 * poisson)) * size;
    const st_real values[6] = {(1 - poisson) * scale,        poisson * scale, 0, (1 - poisson) * scale, 0,
                               (ST_R(0.5) - poisson) * scale};
    st_copy_reals(k, values, 6);
}

// ---------------------------------------------------------------------------------------------------
// Loops
// ---------------------------------------------------------------------------------------------------

void st_triangle_model_add_force(st_triangle_model *model, st_pool *pool, const st_real *x, st_real *f) {
    st_triangle_call call = {.model = model, .x = x};
    st_element_loop(pool, &model->mesh, triangle_model_kernels(pool)->force[model->method], &call, f);
}

void st_triangle_model_product(st_triangle_model *model, st_pool *pool, st_real factor, const st_real *dx,
                               st_real *df) {
    st_triangle_call call = {.model = model, .x = dx, .factor = factor};
    st_element_loop(pool, &model->mesh, triangle_model_kernels(pool)->product[model->method], &call, df);
}

void st_triangle_model_stiffness(st_triangle_model *model, st_pool *pool, st_sink *sink) {
    st_triangle_call call = {.model = model};
    st_element_assemble(pool, &model->mesh, 3, triangle_model_kernels(pool)->matrix, &call, sink);
}

static void stress_of(st_real s[3], const st_real k[6], const st_real e[3]) {
    s[0] = k[0] * e[0] + k[1] * e[1] + k[2] * e[2];
    s[1] = k[1] * e[0] + k[3] * e[1] + k[4] * e[2];
    s[2] = k[2] * e[0] + k[4] * e[1] + k[5] * e[2];
}

typedef void take_strain(void *user, size_t element, const st_real strain[3], const st_real stress[3]);

static void each_strain(st_triangle_model *model, const st_real *x, take_strain *take, void *user) {
    st_triangle_call call = {.model = model, .x = x};
    st_real packs[3 * ST_PACK_SIZE], k[6];
    for (size_t e = 0; e < model->mesh.count; e++) {
        // four strains at a time
        const size_t lane = e % ST_PACK_SIZE;
        if (lane == 0)
            triangle_model_kernels(NULL)->strain[model->method](&call, e / ST_PACK_SIZE, e / ST_PACK_SIZE + 1, packs);

        const st_real strain[3] = {packs[lane], packs[ST_PACK_SIZE + lane], packs[2 * ST_PACK_SIZE + lane]};
        st_real stress[3];
        st_pack_take(model->material[0], 6, e, k);
        stress_of(stress, k, strain);
        take(user, e, strain, stress);
    }
}

static void add_energy(void *user, size_t element, const st_real strain[3], const st_real stress[3]) {
    (void)element;
    *(st_real *)user += st_vec3_dot(strain, stress) / 2;
}

st_real st_triangle_model_potential(st_triangle_model *model, const st_real *x) {
    st_real energy = 0;
    each_strain(model, x, add_energy, &energy);
    return energy;
}

typedef struct stress_taker {
    st_triangle_stress_function *take;
    void *user;
} stress_taker;

static void take_stress(void *user, size_t element, const st_real strain[3], const st_real stress[3]) {
    (void)strain;
    const stress_taker *taker = user;
    taker->take(taker->user, element, stress);
}

void st_triangle_model_stresses(st_triangle_model *model, const st_real *x, st_triangle_stress_function *take,
                                void *user) {
    each_strain(model, x, take_stress, &(stress_taker){take, user});
}
