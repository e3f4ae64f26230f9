// Principal stresses of membrane triangles. See triangular_stress.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/triangle/triangular_stress.h"

#include "base/array.h"
#include "force/fem/triangle/triangle_fem.h"
#include "math/vec3.h"

enum { KEPT = 30 };

bool st_triangular_stress_make(st_triangular_stress *stress, const st_triangle_model *model) {
    const size_t count = model->mesh.count;
    stress->steps = 0;
    return st_list_set_count(&stress->max, count, 1) && st_list_set_count(&stress->difference, count, 1) &&
           st_list_set_count(&stress->direction, count, 3) && st_list_set_count(&stress->history, count, 3 * KEPT) &&
           st_list_set_count(&stress->vertex, model->mesh.points, 1);
}

void st_triangular_stress_free(st_triangular_stress *stress) { st_list_free(&stress->history); }

// The mean is summed again from the ring each time: a running sum would drift.
static void mean_direction(st_triangular_stress *stress, size_t e, const st_real newest[3]) {
    const size_t kept = stress->steps < KEPT ? stress->steps + 1 : KEPT;
    st_real *ring = stress->history.data + e * 3 * KEPT, *mean = stress->direction.data + 3 * e;
    st_vec3_copy(ring + 3 * (stress->steps % KEPT), newest);

    st_vec3_zero(mean);
    for (size_t i = 0; i < kept; i++) st_vec3_add(mean, mean, ring + 3 * i);
    st_vec3_divide(mean, mean, (st_real)kept);
}

typedef struct update {
    st_triangular_stress *stress;
    const st_triangle_model *model;
} update;

static void triangular_stress_take(void *user, size_t e, const st_real value[3]) {
    const update *u = user;
    st_triangular_stress *stress = u->stress;
    st_real principal[2], local[2], frame[6], world[3];
    st_principal_stress(principal, local, value);

    // Hosford's criterion
    const st_real s0 = fabs(principal[0]), s1 = fabs(principal[1]), n = stress->exponent;
    const st_real sum = ST_R(0.5) * (pow(s0, n) + pow(s1, n) + pow(s0 - s1, n));
    stress->max.data[e] = s0;
    stress->difference.data[e] = pow(sum, 1 / n) - stress->criterion;

    st_pack_take(u->model->frame[0], 6, e, frame);
    for (int k = 0; k < 3; k++) world[k] = (frame[k] * local[0] + frame[3 + k] * local[1]) * s0 / 100;
    mean_direction(stress, e, world);
}

static void average_vertices(st_triangular_stress *stress, const st_triangle_model *model, const st_real *areas) {
    for (size_t v = 0; v < model->mesh.points; v++) {
        st_real sum = 0, area = 0;
        for (uint32_t c = model->mesh.starts[v]; c < model->mesh.starts[v + 1]; c++) {
            const size_t e = st_element_of_corner(&model->mesh, c);
            sum += stress->max.data[e] * areas[e];
            area += areas[e];
        }

        stress->vertex.data[v] = area > 0 ? sum / area : 0;
    }
}

void st_triangular_stress_update(st_triangular_stress *stress, st_triangle_model *model, const st_real *areas,
                                 const st_real *x) {
    st_triangle_model_stresses(model, x, triangular_stress_take, &(update){stress, model});
    stress->steps++;
    average_vertices(stress, model, areas);
}
