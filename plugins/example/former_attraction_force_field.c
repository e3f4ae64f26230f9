// FormerAttractionForceField: the force of attraction_force_field.c with friction, its matrices given by SOFA's former
// interface. A component can be ported as it is, and rewritten with blocks later; until then the scene says that the
// interface is deprecated.
//
//     f = −k (x − c) − d v,   ∂f/∂x = −k I,   ∂f/∂v = −d I
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/plugin/physics.h"

typedef struct former_attraction {
    st_force force;
    st_real center[3];
    st_real stiffness, friction;
} former_attraction;

static const st_field fields[] = {
    ST_FIELD(former_attraction, center, "center", st_type_vec3, "0 0 0", "point that attracts"),
    ST_FIELD(former_attraction, stiffness, "stiffness", st_type_real, "1", "force per unit of distance"),
    ST_FIELD(former_attraction, friction, "friction", st_type_real, "0", "force per unit of velocity"),
    ST_FIELDS_END,
};

static void former_attraction_add_force(st_force *force, const st_params *params) {
    const former_attraction *self = (const former_attraction *)force;
    const st_real *x = st_x(force->state, params), *v = st_v(force->state, params);
    st_real *f = st_f(force->state, params);

    for (size_t i = 0; i < 3 * force->state->size; i++)
        f[i] -= self->stiffness * (x[i] - self->center[i % 3]) + self->friction * v[i];
}

// Adds factor K to a matrix in which the state begins at row and column `offset`.
static void former_attraction_add_k_to_matrix(st_force *force, const st_params *params, st_base_matrix *matrix,
                                              st_real factor, size_t offset) {
    (void)params;
    const st_real k = ((const former_attraction *)force)->stiffness;
    for (size_t i = 0; i < 3 * force->state->size; i++) st_base_matrix_add(matrix, offset + i, offset + i, -factor * k);
}

static void former_attraction_add_b_to_matrix(st_force *force, const st_params *params, st_base_matrix *matrix,
                                              st_real factor, size_t offset) {
    (void)params;
    const st_real d = ((const former_attraction *)force)->friction;
    for (size_t i = 0; i < 3 * force->state->size; i++) st_base_matrix_add(matrix, offset + i, offset + i, -factor * d);
}

static const st_force_ops ops = {
    .add_force = former_attraction_add_force,
    .add_k_to_matrix = former_attraction_add_k_to_matrix,
    .add_b_to_matrix = former_attraction_add_b_to_matrix,
};

extern const st_class example_former_attraction_class;
const st_class example_former_attraction_class = {
    .name = "FormerAttractionForceField",
    .help = "draws every point to a center, with friction; its matrices come by SOFA's former interface",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(former_attraction),
    .example = "<MechanicalObject position='1 0 0 0 2 0'/><FormerAttractionForceField stiffness='3' friction='0.1'/>",
    .force = &ops,
};
