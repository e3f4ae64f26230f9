// SquareMapping: each number squared.
//
//     out = x²        J = 2 x        geometric stiffness 2 f
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/geometric.h"
#include "mapping/states.h"

typedef struct square_mapping {
    st_mapping mapping;
    int32_t geometric_stiffness;
    st_reals slope; // 2 x of the last apply
} square_mapping;

static bool square_mapping_fits(const square_mapping *self) {
    const size_t count = self->slope.count;
    return count > 0 && st_mapping_in(&self->mapping)->size == count && st_mapping_out(&self->mapping)->size == count;
}

static void square_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    square_mapping *self = (square_mapping *)mapping;
    const st_state *parent = st_mapping_in(mapping);
    st_state *child = st_mapping_out(mapping);

    // sizes follow the parent at each apply
    if (child->size != parent->size && st_state_resize(child, parent->size) != ST_OK) return;
    if (self->slope.count != parent->size && !st_list_set_count(&self->slope, parent->size, 1)) return;

    const st_real *x = st_whole_position(parent, in.index);
    st_real *to = st_whole_position(child, out.index);

    // out = x², J = 2 x
    for (size_t i = 0; x && to && i < parent->size; i++) {
        to[i] = x[i] * x[i];
        self->slope.data[i] = 2 * x[i];
    }
}

static void square_mapping_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const square_mapping *self = (const square_mapping *)mapping;

    if (!square_mapping_fits(self)) return;

    const st_real *v = st_whole_velocity(st_mapping_in(mapping), in.index);
    st_real *to = st_whole_velocity(st_mapping_out(mapping), out.index);
    for (size_t i = 0; v && to && i < self->slope.count; i++) to[i] = self->slope.data[i] * v[i];
}

static void square_mapping_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const square_mapping *self = (const square_mapping *)mapping;

    if (!square_mapping_fits(self)) return;

    const st_real *f = st_whole_force(st_mapping_out(mapping), out.index);
    st_real *to = st_whole_force(st_mapping_in(mapping), in.index);
    for (size_t i = 0; f && to && i < self->slope.count; i++) to[i] += self->slope.data[i] * f[i];
}

static void square_mapping_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    const square_mapping *self = (const square_mapping *)mapping;

    if (!square_mapping_fits(self)) return;
    for (size_t i = 0; i < self->slope.count; i++) st_add_scalar(sink, i, i, self->slope.data[i]);
}

static void square_mapping_add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    const st_real *velocity = st_whole_velocity(st_mapping_in(mapping), v.index);
    st_real *to = st_whole_velocity(st_mapping_out(mapping), a.index);

    if (!velocity || !to || !square_mapping_fits((const square_mapping *)mapping)) return;
    for (size_t i = 0; i < st_mapping_out(mapping)->size; i++) to[i] += 2 * velocity[i] * velocity[i];
}

static void square_mapping_geometric(st_mapping *mapping, const st_params *params, st_stiffness stiffness) {
    const square_mapping *self = (const square_mapping *)mapping;
    const st_real *f = st_whole_force(st_mapping_out(mapping), params->f.index);
    if (self->geometric_stiffness == ST_GEOMETRIC_NONE || !f || !square_mapping_fits(self)) return;

    st_sink *sink = st_stiffness_between(stiffness, st_mapping_in(mapping), st_mapping_in(mapping));
    for (size_t i = 0; i < self->slope.count; i++) st_add_scalar(sink, i, i, 2 * f[i]);
}

static void square_mapping_destroy(st_object *object) { st_list_free(&((square_mapping *)object)->slope); }

static const char *const options[] = {"None", "Exact", NULL};

static const st_field fields[] = {
    ST_FIELD(square_mapping, geometric_stiffness, "geometricStiffness", st_type_option, "Exact",
             "the term of the stiffness that comes from the change of J: left out, or whole", .options = options),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {
    .apply = square_mapping_apply,
    .apply_j = square_mapping_apply_j,
    .apply_jt = square_mapping_apply_jt,
    .jacobian = square_mapping_jacobian,
    .geometric = square_mapping_geometric,
    .add_curvature = square_mapping_add_curvature,
};

const st_class st_square_mapping_class = {
    .name = "SquareMapping",
    .help = "each number squared",
    .parent = &st_mapping_class,
    .templates = "Vec1,Vec1",
    .fields = fields,
    .size = sizeof(square_mapping),
    .example = "<MechanicalObject name=\"parent\" template=\"Vec1\" position=\"1 -2 0.5\"/>\n"
               "<Node name=\"squares\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec1\"/>\n"
               "    <SquareMapping input=\"@../parent\" output=\"@child\"/>\n"
               "</Node>",
    .destroy = square_mapping_destroy,
    .mapping = &ops,
};
