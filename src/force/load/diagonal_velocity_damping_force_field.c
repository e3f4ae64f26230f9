// DiagonalVelocityDampingForceField: f_i = -c_i v_i, a coefficient for each direction of each DOF.
//
// The last coefficient of the list holds for all further DOFs. ∂f/∂v = -diag(c) enters the system.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/plugin/physics.h"

typedef struct diagonal_damping {
    st_force base;
    st_reals coefficients; // derivs
} diagonal_damping;

static const st_field fields[] = {
    ST_FIELD(diagonal_damping, coefficients, "dampingCoefficient", st_type_derivs, NULL,
             "force per velocity, for each direction; the last one is repeated"),
    ST_FIELDS_END,
};

// The coefficients of DOF i.
static const st_real *coefficients_of(const diagonal_damping *force, size_t i, size_t width) {
    const size_t last = force->coefficients.count - 1;
    return force->coefficients.data + (i < last ? i : last) * width;
}

static bool is_empty(const st_force *base) {
    return !base->state || ((const diagonal_damping *)base)->coefficients.count == 0;
}

static void diagonal_velocity_damping_add_force(st_force *base, const st_params *params) {
    if (is_empty(base)) return;
    const size_t width = st_state_dof(base->state)->deriv;
    const st_real *v = st_v(base->state, params);
    st_real *f = st_f(base->state, params);

    for (size_t i = 0; i < base->state->size; i++) {
        const st_real *c = coefficients_of((const diagonal_damping *)base, i, width);
        for (size_t j = 0; j < width; j++) f[i * width + j] -= v[i * width + j] * c[j];
    }
}

static void diagonal_velocity_damping_damping(st_force *base, const st_params *params, st_damping b) {
    (void)params;
    if (is_empty(base)) return;
    const size_t width = st_state_dof(base->state)->deriv;
    st_sink *sink = st_damping_between(b, base->state, base->state);

    for (size_t i = 0; i < base->state->size; i++) {
        const st_real *c = coefficients_of((const diagonal_damping *)base, i, width);
        for (size_t j = 0; j < width; j++) st_add_scalar(sink, i * width + j, i * width + j, -c[j]);
    }
}

static void diagonal_velocity_damping_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)k;
    if (is_empty(base)) return;
    const size_t width = st_state_dof(base->state)->deriv;
    const st_real *dx = st_dx(base->state, params);
    st_real *df = st_df(base->state, params);

    // df_i -= b c_i dx_i
    for (size_t i = 0; i < base->state->size; i++) {
        const st_real *c = coefficients_of((const diagonal_damping *)base, i, width);
        for (size_t j = 0; j < width; j++) df[i * width + j] -= dx[i * width + j] * c[j] * b;
    }
}

static const st_force_ops force_ops = {.add_force = diagonal_velocity_damping_add_force,
                                       .damping = diagonal_velocity_damping_damping,
                                       .product = diagonal_velocity_damping_product};

const st_class st_diagonal_velocity_damping_force_field_class = {
    .name = "DiagonalVelocityDampingForceField",
    .help = "a force against the velocity, with a coefficient for each direction",
    .parent = &st_force_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .fields = fields,
    .size = sizeof(diagonal_damping),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0\" velocity=\"1 2 3  -1 0 2  0 1 0\"/>\n"
               "<DiagonalVelocityDampingForceField dampingCoefficient=\"1 2 3  0.5 0.5 0\"/>",
    .force = &force_ops,
};
