// AttractionForceField: an example of a component in a plug-in. Every point is drawn to a center by a linear spring:
//
//     f = −k (x − c),   ∂f/∂x = −k I
//
// Build it against the installed headers alone, put the folder of the library into the plug-in path and write
// <RequiredPlugin pluginName="example_plugin"/> in the scene:
//
//     cc -shared -fPIC $(pkg-config --cflags settee) *.c -o example_plugin.so
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/plugin/physics.h"

typedef struct attraction {
    st_force force; // the base comes first
    st_real center[3];
    st_real stiffness;
} attraction;

// One line per attribute: member, name in the scene, type, default, help.
static const st_field fields[] = {
    ST_FIELD(attraction, center, "center", st_type_vec3, "0 0 0", "point that attracts"),
    ST_FIELD(attraction, stiffness, "stiffness", st_type_real, "1", "force per unit of distance"),
    ST_FIELDS_END,
};

static st_status attraction_init(st_object *object) {
    const attraction *self = (const attraction *)object;
    const st_status status = st_force_class.init(object); // finds the state
    if (status != ST_OK) return status;

    if (!(self->stiffness >= 0))
        return st_invalid(object, "stiffness = %g must not be negative", (double)self->stiffness);
    return ST_OK;
}

static void attraction_add_force(st_force *force, const st_params *params) {
    const attraction *self = (const attraction *)force;
    const st_real *x = st_x(force->state, params);
    st_real *f = st_f(force->state, params);

    // f -= k (x - c)
    for (size_t i = 0; i < 3 * force->state->size; i++) f[i] -= self->stiffness * (x[i] - self->center[i % 3]);
}

// The derivative, once, as blocks: the engine makes matrices, products and checks of it.
static void attraction_stiffness(st_force *force, const st_params *params, st_stiffness to) {
    (void)params;
    const st_real k = ((const attraction *)force)->stiffness;
    const st_real block[9] = {-k, 0, 0, 0, -k, 0, 0, 0, -k};

    st_sink *sink = st_stiffness_between(to, force->state, force->state);
    for (size_t i = 0; i < force->state->size; i++) st_add_3x3(sink, 3 * i, 3 * i, block);
}

static st_real attraction_potential(st_force *force, const st_params *params) {
    const attraction *self = (const attraction *)force;
    const st_real *x = st_x(force->state, params);
    st_real sum = 0;

    // k/2 |x - c|²
    for (size_t i = 0; i < 3 * force->state->size; i++)
        sum += (x[i] - self->center[i % 3]) * (x[i] - self->center[i % 3]);

    return self->stiffness / 2 * sum;
}

static const st_force_ops ops = {
    .add_force = attraction_add_force,
    .stiffness = attraction_stiffness,
    .potential = attraction_potential,
};

extern const st_class example_attraction_class; // plugin.c lists it
const st_class example_attraction_class = {
    .name = "AttractionForceField",
    .help = "draws every point to a center, f = -k (x - c)",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(attraction),
    .example = "<MechanicalObject position='1 0 0 0 2 0'/><AttractionForceField stiffness='3' center='0 0 1'/>",
    .init = attraction_init,
    .force = &ops,
};
