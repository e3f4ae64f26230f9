// Von Mises stress in linear tetrahedra. See von_mises.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/tetrahedron/von_mises.h"

void st_von_mises_elements(st_von_mises *job, st_pool *pool) {
    st_element_each(pool, &job->model->mesh, ST_BEST_KERNELS(st_tetra_kernels, pool)->von_mises, job);
}

void st_von_mises_nodes(st_tetra_model *model, const st_real *elements, st_real *nodes) {
    const st_element_mesh *mesh = &model->mesh;
    st_element_mesh_update(&model->mesh);
    for (size_t n = 0; n < mesh->points; n++) {
        st_real sum = 0;
        const uint32_t count = mesh->starts[n + 1] - mesh->starts[n];
        for (uint32_t c = mesh->starts[n]; c < mesh->starts[n + 1]; c++) sum += elements[st_element_of_corner(mesh, c)];

        nodes[n] = count ? sum / (st_real)count : 0;
    }
}
