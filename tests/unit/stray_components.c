// Components that add what they must not. See stray_components.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "stray_components.h"

#include <string.h>
#include <tgmath.h>

#include "base/array.h"
#include "scene/scene.h"
#include "settee/plugin/physics.h"
#include "state/sink.h"

typedef struct stray {
    uint32_t matrix, how, after, pair;
    uint32_t calls;
} stray;

#define STRAY_FIELDS(type)                                                                                             \
    ST_FIELD(type, stray.matrix, "matrix", st_type_uint, "0", "which one is wrong"),                                   \
        ST_FIELD(type, stray.how, "how", st_type_uint, "0", "stray_way"),                                              \
        ST_FIELD(type, stray.after, "after", st_type_uint, "0", "calls that are right"),                               \
        ST_FIELD(type, stray.pair, "pair", st_type_uint, "0", "block of an interaction")

// Where the wrong addition goes; false: there is none in this call.
static bool place_of(stray *self, uint32_t matrix, size_t rows, size_t cols, size_t *row, size_t *col, st_real *value) {
    if (self->matrix != matrix || self->how == STRAY_NOT || self->calls++ < self->after) return false;
    *value = self->how == STRAY_NAN ? (st_real)NAN : 1;
    *row = self->how == STRAY_ROW ? rows : self->how == STRAY_COL ? rows - 1 : 1;
    *col = self->how == STRAY_COL ? cols + 1 : 0;
    return true;
}

static void add_to(stray *self, uint32_t matrix, st_sink *sink, size_t rows, size_t cols) {
    size_t row, col;
    st_real value;
    for (size_t i = 0; i < rows && i < cols; i++) st_add_scalar(sink, i, i, 1);
    if (place_of(self, matrix, rows, cols, &row, &col, &value)) st_add_scalar(sink, row, col, value);
}

static void no_force(st_force *force, const st_params *params) { (void)force, (void)params; }

// --- a force

typedef struct stray_force {
    st_force force;
    stray stray;
} stray_force;

static void stiffness(st_force *force, const st_params *params, st_stiffness k) {
    (void)params;
    const size_t n = st_state_scalars(force->state);
    add_to(&((stray_force *)force)->stray, 0, st_stiffness_between(k, force->state, force->state), n, n);
}

static void damping(st_force *force, const st_params *params, st_damping b) {
    (void)params;
    const size_t n = st_state_scalars(force->state);
    add_to(&((stray_force *)force)->stray, 2, st_damping_between(b, force->state, force->state), n, n);
}

static const st_force_ops force_ops = {.add_force = no_force, .stiffness = stiffness, .damping = damping};
static const st_field force_fields[] = {STRAY_FIELDS(stray_force), ST_FIELDS_END};

static const st_class force_class = {
    .name = "TestStray",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = force_fields,
    .size = sizeof(stray_force),
    .force = &force_ops,
};

// --- an interaction

static void pair_stiffness(st_force *force, const st_params *params, st_stiffness k) {
    (void)params;
    stray *self = &((stray_force *)force)->stray;
    const st_state *states[2] = {force->state, force->other};
    for (uint32_t i = 0; i < 4; i++) {
        const st_state *row = states[i / 2], *col = states[i % 2];
        stray other = {.how = STRAY_NOT};
        add_to(i == self->pair ? self : &other, 0, st_stiffness_between(k, row, col), st_state_scalars(row),
               st_state_scalars(col));
    }
}

static const st_force_ops pair_ops = {.add_force = no_force, .stiffness = pair_stiffness};

static const st_class pair_class = {
    .name = "TestStrayPair",
    .parent = &st_pair_force_class,
    .templates = "Vec3",
    .fields = force_fields,
    .size = sizeof(stray_force),
    .force = &pair_ops,
};

// --- masses

typedef struct stray_mass {
    st_mass mass;
    stray stray;
} stray_mass;

static void inertia(st_mass *mass, st_inertia m) {
    const size_t n = st_state_scalars(mass->force.state);
    add_to(&((stray_mass *)mass)->stray, 1, st_inertia_of(m, mass->force.state), n, n);
}

static const st_force_ops weightless = {.add_force = no_force};
static const st_mass_ops mass_ops = {.matrix = inertia};
static const st_field mass_fields[] = {STRAY_FIELDS(stray_mass), ST_FIELDS_END};

static const st_class mass_class = {
    .name = "TestStrayMass",
    .parent = &st_mass_class,
    .templates = "Vec3",
    .fields = mass_fields,
    .size = sizeof(stray_mass),
    .force = &weightless,
    .mass = &mass_ops,
};

static void add_formerly(stray *self, uint32_t matrix, st_base_matrix *to, size_t n, st_real factor, size_t offset) {
    size_t row, col;
    st_real value;
    for (size_t i = 0; i < n; i++) st_base_matrix_add(to, offset + i, offset + i, factor);
    if (place_of(self, matrix, n, n, &row, &col, &value))
        st_base_matrix_add(to, offset + row, offset + col, factor * value);
}

static void add_k(st_force *force, const st_params *params, st_base_matrix *to, st_real factor, size_t offset) {
    (void)params;
    add_formerly(&((stray_mass *)force)->stray, 0, to, st_state_scalars(force->state), factor, offset);
}
static void add_b(st_force *force, const st_params *params, st_base_matrix *to, st_real factor, size_t offset) {
    (void)params;
    add_formerly(&((stray_mass *)force)->stray, 2, to, st_state_scalars(force->state), factor, offset);
}
static void add_m(st_mass *mass, st_base_matrix *to, st_real factor, size_t offset) {
    add_formerly(&((stray_mass *)mass)->stray, 1, to, st_state_scalars(mass->force.state), factor, offset);
}

static const st_force_ops former_force = {.add_force = no_force, .add_k_to_matrix = add_k, .add_b_to_matrix = add_b};
static const st_mass_ops former_mass = {.add_m_to_matrix = add_m};

static const st_class former_class = {
    .name = "TestStrayFormer",
    .parent = &st_mass_class,
    .templates = "Vec3",
    .fields = mass_fields,
    .size = sizeof(stray_mass),
    .force = &former_force,
    .mass = &former_mass,
};

// --- a mapping

typedef struct stray_mapping {
    st_mapping mapping;
    stray stray;
} stray_mapping;

static void apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    const st_state *from = (const st_state *)mapping->input.data[0], *to = (const st_state *)mapping->output.data[0];
    memcpy(st_coord_list(to, out.index, ST_COORD_POSITION)->data,
           st_coord_list(from, in.index, ST_COORD_POSITION)->data, 3 * from->size * sizeof(st_real));
}

static void jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    const st_state *from = (const st_state *)mapping->input.data[0];
    for (size_t i = 0; i < st_state_scalars(from); i++) st_add_scalar(sink, i, i, 1);
}

static void geometric(st_mapping *mapping, const st_params *params, st_stiffness k) {
    (void)params;
    const st_state *from = (const st_state *)mapping->input.data[0];
    const size_t n = st_state_scalars(from);
    add_to(&((stray_mapping *)mapping)->stray, 0, st_stiffness_between(k, from, from), n, n);
}

static st_status init(st_object *object) {
    st_mapping *mapping = (st_mapping *)object;
    const st_state *from = (const st_state *)mapping->input.data[0];
    const st_status status = st_state_resize((st_state *)mapping->output.data[0], from->size);
    return status == ST_OK ? st_mapping_init(object) : status;
}

static const st_mapping_ops mapping_ops = {.apply = apply, .jacobian = jacobian, .geometric = geometric};
static const st_field mapping_fields[] = {STRAY_FIELDS(stray_mapping), ST_FIELDS_END};

static const st_class mapping_class = {
    .name = "TestStrayMapping",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec3",
    .fields = mapping_fields,
    .size = sizeof(stray_mapping),
    .init = init,
    .mapping = &mapping_ops,
};

const st_class *const stray_classes[] = {&force_class, &pair_class, &mass_class, &former_class, &mapping_class, NULL};
