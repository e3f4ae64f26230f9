// Mappings that measure the elements of a mesh: areas of triangles, volumes of tetrahedra.
//
// A measure is a function m(p_0 … p_n) of the corners of one element, with gradients g_i and second derivatives H_ij.
// The rest is the same for all: rows of gradients (mapping/gradient_rows.h), the geometric stiffness f H_ij between
// corners, of elements with f < 0 only where it is Stabilized, and the curvature Σ v_i · H_ij v_j.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_MESH_MEASURE_H
#define SETTEE_MAPPING_MESH_MEASURE_H

#include "base/array.h"
#include "mapping/geometric.h"
#include "mapping/gradient_rows.h"
#include "mapping/states.h"

typedef struct st_mesh_measure {
    st_element kind, other; // what is measured; what must not be there
    const char *refusal;    // what is said of the other kind, after its number
    // m; sets the gradients of the row
    st_real (*measure)(const st_gradient_rows *rows, size_t row, const st_real *corners);
    void (*hessian)(const st_real *corners, size_t i, size_t j, st_real h[9]); // H_ij
} st_mesh_measure;

typedef struct st_measure_mapping {
    st_gradient_mapping base;
    const st_mesh_measure *measure;
    int32_t geometric_stiffness;
    st_object *topology;
    st_reals corners; // of each element at the last apply
} st_measure_mapping;

extern const st_mapping_ops st_measure_ops;
st_status st_measure_init(st_object *object, const st_mesh_measure *measure);
void st_measure_destroy(st_object *object);

#endif
