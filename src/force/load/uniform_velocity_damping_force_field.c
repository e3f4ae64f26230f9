// UniformVelocityDampingForceField: f = -c v on every degree of freedom.
//
// With `implicit` its derivative ∂f/∂v = -c enters the system; otherwise it has none and is integrated explicitly.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/plugin/physics.h"

typedef struct velocity_damping {
    st_force base;
    st_real coefficient;
    bool implicit;
} velocity_damping;

static const st_field fields[] = {
    ST_FIELD(velocity_damping, coefficient, "dampingCoefficient", st_type_real, "0.1", "force per velocity",
             .aliases = "damping"),
    ST_FIELD(velocity_damping, implicit, "implicit", st_type_bool, "0", "its derivative enters the system"),
    ST_FIELDS_END,
};

static size_t uniform_velocity_damping_scalars(const st_force *force) {
    return force->state ? force->state->size * st_state_dof(force->state)->deriv : 0;
}

static void uniform_velocity_damping_add_force(st_force *base, const st_params *params) {
    const st_real c = ((const velocity_damping *)base)->coefficient;
    const size_t count = uniform_velocity_damping_scalars(base);
    if (!count) return;

    const st_real *v = st_v(base->state, params);
    st_real *f = st_f(base->state, params);
    for (size_t i = 0; i < count; i++) f[i] -= v[i] * c;
}

static void uniform_velocity_damping_damping(st_force *base, const st_params *params, st_damping b) {
    const velocity_damping *force = (const velocity_damping *)base;
    (void)params;
    const size_t count = uniform_velocity_damping_scalars(base);
    if (!force->implicit || !count) return;

    st_sink *sink = st_damping_between(b, base->state, base->state);
    for (size_t i = 0; i < count; i++) st_add_scalar(sink, i, i, -force->coefficient);
}

static void uniform_velocity_damping_product(st_force *base, const st_params *params, st_real k, st_real b) {
    const velocity_damping *force = (const velocity_damping *)base;
    (void)k;
    const size_t count = uniform_velocity_damping_scalars(base);
    if (!force->implicit || !count) return;

    const st_real factor = b * force->coefficient;
    const st_real *dx = st_dx(base->state, params);
    st_real *df = st_df(base->state, params);
    for (size_t i = 0; i < count; i++) df[i] -= dx[i] * factor;
}

static const st_force_ops force_ops = {.add_force = uniform_velocity_damping_add_force,
                                       .damping = uniform_velocity_damping_damping,
                                       .product = uniform_velocity_damping_product};

const st_class st_uniform_velocity_damping_force_field_class = {
    .name = "UniformVelocityDampingForceField",
    .help = "a force against the velocity, in proportion to it",
    .parent = &st_force_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .fields = fields,
    .size = sizeof(velocity_damping),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0\" velocity=\"1 2 3  -1 0 2\"/>\n"
               "<UniformVelocityDampingForceField dampingCoefficient=\"0.5\" implicit=\"1\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING,
    .force = &force_ops,
};
