// DistanceFromTargetMapping: the distance of each point from a fixed target, less a rest length.
//
//     g = x − target,  out = |g| − rest        J: u = g / |g|
//
// Geometric stiffness of a row with the force f: (I − u uᵀ) f / |g|; Stabilized takes rows with f < 0 only. A point at
// its target (|g| ≤ 1e-10) has u = (1, 0, 0) and no geometric term. Of rigid parents the centers count.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/geometric.h"
#include "mapping/gradient_rows.h"
#include "mapping/states.h"
#include "math/real.h"
#include "settee/plugin/change.h"

typedef struct distance_from_target_mapping {
    st_gradient_mapping base;
    st_uints indices;
    st_reals targets, rest_lengths;
    int32_t geometric_stiffness;
    st_real show_scale, show_color[4];
    st_reals inverse; // 1 / |g|, 0 at the target
} distance_from_target_mapping;

// ---------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------

// The distance; sets the gradient and 1 / |g|.
static st_real apply_row(distance_from_target_mapping *self, size_t i, const st_real *x, const st_real *target) {
    const size_t width = self->base.rows.width;
    st_real *u = st_gradient(&self->base.rows, i, 0), gap[3], square = 0;

    for (size_t c = 0; c < width; c++) {
        gap[c] = x[c] - target[c];
        square += gap[c] * gap[c];
    }

    // at the target the direction is (1, 0, 0), and nothing is divided
    const st_real length = sqrt(square), inverse = length > ST_R(1e-10) ? 1 / length : 0;
    self->inverse.data[i] = inverse;
    for (size_t c = 0; c < width; c++) u[c] = inverse > 0 ? gap[c] * inverse : (st_real)(c == 0);

    return length;
}

static void distance_from_target_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    distance_from_target_mapping *self = (distance_from_target_mapping *)mapping;
    const st_state *parent = st_mapping_in(mapping);
    st_real *to = st_whole_position(st_mapping_out(mapping), out.index);
    const st_real *x = st_whole_position(parent, in.index);

    self->base.rows.filled = true;
    if (!to || !x || !st_gradient_rows_fit(&self->base.rows, mapping)) return;

    // Both lists can be written while the scene runs.
    if (self->rest_lengths.count < self->base.rows.count || self->targets.count < self->base.rows.count) return;

    const size_t stride = st_state_dof(parent)->coord;
    for (size_t i = 0; i < self->base.rows.count; i++) {
        if (st_gradient_is_gone(&self->base.rows, i)) {
            to[i] = self->inverse.data[i] = 0;
            continue;
        }
        to[i] =
            apply_row(self, i, x + stride * st_gradient_node(&self->base.rows, i, 0), self->targets.data + stride * i) -
            self->rest_lengths.data[i];
    }
}

static st_real distance_from_target_mapping_curvature(const st_mapping *mapping, size_t row, const st_real *const *v) {
    const distance_from_target_mapping *self = (const distance_from_target_mapping *)mapping;
    const st_real *u = st_gradient(&self->base.rows, row, 0);
    st_real square = 0, along = 0;

    for (size_t c = 0; c < self->base.rows.width; c++) {
        square += v[0][c] * v[0][c];
        along += u[c] * v[0][c];
    }

    // (|v|² − (u · v)²) / |g|
    return (square - along * along) * self->inverse.data[row];
}

static void distance_from_target_mapping_add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    st_gradient_add_curvature(mapping, a, v, distance_from_target_mapping_curvature);
}

static void distance_from_target_mapping_geometric(st_mapping *mapping, const st_params *params,
                                                   st_stiffness stiffness) {
    const distance_from_target_mapping *self = (const distance_from_target_mapping *)mapping;
    const st_state *parent = st_mapping_in(mapping);
    const st_real *f = st_whole_force(st_mapping_out(mapping), params->f.index);
    if (self->geometric_stiffness == ST_GEOMETRIC_NONE || !f || !st_gradient_rows_fit(&self->base.rows, mapping))
        return;

    st_sink *sink = st_stiffness_between(stiffness, parent, parent);
    const size_t width = self->base.rows.width;

    // (I − u uᵀ) f / |g|
    for (size_t i = 0; i < self->base.rows.count; i++) {
        const st_real *u = st_gradient(&self->base.rows, i, 0);
        const st_real force = st_geometric_counts(self->geometric_stiffness, f[i]) ? f[i] : 0;
        const size_t at = st_state_dof(parent)->deriv * st_gradient_node(&self->base.rows, i, 0);
        st_real block[9];
        for (size_t r = 0; r < width; r++)
            for (size_t c = 0; c < width; c++)
                block[width * r + c] = ((st_real)(r == c) - u[r] * u[c]) * force * self->inverse.data[i];

        sink->add(sink, at, at, width, width, block);
    }
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// There are as many rows as targets; missing indices count on, missing rest lengths are 0.
static st_status complete_lists(distance_from_target_mapping *self) {
    const size_t count = self->targets.count, given = self->indices.count;
    if (!st_list_set_count(&self->indices, count, 1) || !st_list_set_count(&self->rest_lengths, count, 1) ||
        !st_list_set_count(&self->inverse, count, 1))
        return ST_OUT_OF_MEMORY;

    // indices that are not given count on from there
    for (size_t i = given; i < count; i++) self->indices.data[i] = (uint32_t)i;

    const bool changed = st_why_init(&self->base.mapping.object) != ST_INIT_FIRST;
    for (size_t i = 0; i < count; i++)
        if (self->indices.data[i] >= st_mapping_in(&self->base.mapping)->size &&
            !(changed && self->indices.data[i] == ST_INVALID_INDEX))
            return st_invalid(&self->base.mapping.object, "indices: point %u does not exist, the parent has %zu",
                              self->indices.data[i], st_mapping_in(&self->base.mapping)->size);
    return ST_OK;
}

static st_status distance_from_target_mapping_init(st_object *object) {
    distance_from_target_mapping *self = (distance_from_target_mapping *)object;
    if (!st_mapping_has_states(&self->base.mapping)) return st_mapping_init(object);

    self->base.rows.count = 0;
    if (self->indices.count > self->targets.count)
        return st_invalid(object, "there are %zu indices, but only %zu targetPositions", self->indices.count,
                          self->targets.count);

    // one row for each target
    st_status status = complete_lists(self);
    if (status == ST_OK &&
        !st_gradient_rows_make(&self->base.rows, 1, st_state_dof(st_mapping_in(&self->base.mapping))->spatial,
                               self->indices.count, self->indices.data, NULL))
        status = ST_OUT_OF_MEMORY;

    if (status == ST_OUT_OF_MEMORY) return st_invalid(object, "out of memory for its points");
    if (status == ST_OK) status = st_mapping_size_child(&self->base.mapping, 0, self->base.rows.count);
    return status == ST_OK ? st_mapping_init(object) : status;
}

static void distance_from_target_mapping_destroy(st_object *object) {
    distance_from_target_mapping *self = (distance_from_target_mapping *)object;
    st_gradient_rows_free(&self->base.rows);
    st_list_free(&self->inverse);
}

static const st_field fields[] = {
    ST_FIELD(distance_from_target_mapping, indices, "indices", st_type_indices, NULL,
             "the point of each target; 0, 1, 2 ... where none is given; a target whose point leaves the mesh has the "
             "distance 0",
             .mesh = ST_OF_PARENT, .flags = ST_FIELD_REINIT),
    ST_FIELD(distance_from_target_mapping, targets, "targetPositions", st_type_coords, NULL, "places to measure from"),
    ST_FIELD(distance_from_target_mapping, rest_lengths, "restLengths", st_type_reals, NULL,
             "rest lengths; 0 where none is given", .flags = ST_FIELD_REINIT),
    ST_GEOMETRIC_FIELD(distance_from_target_mapping, "Stabilized"),
    ST_FIELD(distance_from_target_mapping, show_scale, "showObjectScale", st_type_real, "0",
             "thickness of the drawn lines", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(distance_from_target_mapping, show_color, "showColor", st_type_color, "1 1 0 1",
             "color of the drawn lines", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {
    .apply = distance_from_target_mapping_apply,
    .apply_j = st_gradient_apply_j,
    .apply_jt = st_gradient_apply_jt,
    .jacobian = st_gradient_jacobian,
    .geometric = distance_from_target_mapping_geometric,
    .add_curvature = distance_from_target_mapping_add_curvature,
};

const st_class st_distance_from_target_mapping_class = {
    .name = "DistanceFromTargetMapping",
    .help = "the distance of each point from a fixed target, less a rest length",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec1 Vec1,Vec1 Rigid3,Vec1",
    .default_template = "Vec3,Vec1",
    .fields = fields,
    .size = sizeof(distance_from_target_mapping),
    .example = "<MechanicalObject name=\"parent\" position=\"0 0 0  1 0.2 0  1 1 0.5\"/>\n"
               "<Node name=\"distances\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec1\"/>\n"
               "    <DistanceFromTargetMapping input=\"@../parent\" output=\"@child\" indices=\"2 0\" "
               "targetPositions=\"4 0 0  0 3 0\" geometricStiffness=\"Exact\"/>\n"
               "</Node>",
    .init = distance_from_target_mapping_init,
    .destroy = distance_from_target_mapping_destroy,
    .mapping = &ops,
};
