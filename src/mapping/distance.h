// What the mappings of distances between two points share; the formulas are in mapping/distance_mapping.c.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_DISTANCE_H
#define SETTEE_MAPPING_DISTANCE_H

#include "base/array.h"
#include "mapping/geometric.h"
#include "mapping/gradient_rows.h"
#include "mapping/states.h"

// First member of such a mapping. A row has two vertices.
typedef struct st_distance_mapping {
    st_gradient_mapping base;
    bool compute_distance;
    st_reals rest_lengths;
    int32_t geometric_stiffness;
    st_object *topology;
    st_real show_scale, show_color[4];
    st_reals inverse; // 1 / |g|, 0 for points that coincide
} st_distance_mapping;

// The attributes that all have, for a table of fields; `owner` has the member `distance`.
#define ST_DISTANCE_FIELDS(owner)                                                                                      \
    ST_FIELD(owner, distance.compute_distance, "computeDistance", st_type_bool, "0",                                   \
             "rest lengths are 0 unless they are given: the output is the distance", .flags = ST_FIELD_FIXED),         \
        ST_FIELD(owner, distance.rest_lengths, "restLengths", st_type_reals, NULL,                                     \
                 "rest lengths; those at init unless there is one for each edge", .mesh = ST_PER(ST_EDGE),             \
                 .make = st_distance_make_rest_length, .flags = ST_FIELD_REINIT),                                      \
        ST_FIELD(owner, distance.geometric_stiffness, "geometricStiffness", st_type_option, "Stabilized",              \
                 ST_GEOMETRIC_HELP, .options = st_geometric_options),                                                  \
        ST_FIELD(owner, distance.show_scale, "showObjectScale", st_type_real, "0", "thickness of the drawn edges",     \
                 .flags = ST_FIELD_DISPLAY),                                                                           \
        ST_FIELD(owner, distance.show_color, "showColor", st_type_color, "1 1 0 1", "color of the drawn edges",        \
                 .flags = ST_FIELD_DISPLAY)

// The rest length of a new edge is not known before the next init.
void st_distance_make_rest_length(st_object *object, void *entry, const st_edit *edit, size_t k);
// The distance of two DOFs; of rigid ones, with the vector part of q_b⁻¹ q_a as further coordinates.
st_real st_distance_between(const st_dof *dof, const st_real *a, const st_real *b);
extern const st_mapping_ops st_distance_ops;
// For the end of inits, once there are rows: rest lengths, size of the child, first apply.
st_status st_distance_init(st_object *object);
void st_distance_destroy(st_object *object);

#endif
