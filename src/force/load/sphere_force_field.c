// SphereForceField: a sphere that pushes out what is inside it; with `bilateral` it pulls what is outside, too.
//
//     u = (p - c) / |p - c|,  δ = |p - c| - r:     F = -k δ u + damping δ v      (δ < 0 inside: against the velocity)
//     ∂F/∂p = -k (ρ u uᵀ + (1 - ρ) 1),   ρ = r / |p - c|
//
// SPDX-License-Identifier: Apache-2.0
#include "force/load/contacts.h"
#include "math/real.h"

typedef struct sphere_force {
    st_force base;
    st_real center[3], radius, stiffness, damping, color[4];
    bool bilateral;
    int32_t local_range[2];
    st_contacts contacts;
} sphere_force;

static const st_field fields[] = {
    ST_FIELD(sphere_force, center, "center", st_type_coord, NULL, "center"),
    ST_FIELD(sphere_force, radius, "radius", st_type_real, "1", "radius"),
    ST_FIELD(sphere_force, stiffness, "stiffness", st_type_real, "500", "force per depth"),
    ST_FIELD(sphere_force, damping, "damping", st_type_real, "5", "force per depth and velocity"),
    ST_FIELD(sphere_force, bilateral, "bilateral", st_type_bool, "0", "pull from outside, too"),
    ST_FIELD(sphere_force, local_range, "localRange", st_type_int2, "-1 -1", "first and last DOF that it acts on"),
    ST_FIELD(sphere_force, color, "color", st_type_color, "0 0 1 1", "color", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// The force on one point and its derivative; a point in the very center is left alone.
static void sphere_push(sphere_force *force, size_t i, int dim, const st_real *p, const st_real *v, st_real *f) {
    st_real d[3], square = 0;
    for (int j = 0; j < dim; j++) d[j] = p[j] - force->center[j];
    for (int j = 0; j < dim; j++) square += d[j] * d[j];

    if (!(square > 0) || !(square < force->radius * force->radius || force->bilateral)) return;

    // F = -k δ u + damping δ v
    const st_real distance = sqrt(square), depth = distance - force->radius;
    const st_real elastic = -force->stiffness * depth / distance, viscous = force->damping * depth;
    for (int j = 0; j < dim; j++) f[j] += d[j] * elastic + v[j] * viscous;

    // -k (ρ u uᵀ + (1 - ρ) 1)
    const st_real ratio = force->radius / distance;
    st_real *block = st_contacts_add(&force->contacts, i);
    for (int r = 0; r < dim; r++)
        for (int c = 0; c < dim; c++)
            block[r * dim + c] =
                -force->stiffness * (d[r] / distance * (d[c] / distance) * ratio + (r == c ? 1 - ratio : 0));
}

static void sphere_add_force(st_force *base, const st_params *params) {
    sphere_force *force = (sphere_force *)base;
    if (!base->state) return;

    const size_t size = base->state->size, dim = st_state_dof(base->state)->coord;

    // DOFs from localRange[0] to localRange[1], all of them when negative
    const int32_t *range = force->local_range;
    const size_t begin = range[0] >= 0 ? (size_t)range[0] : 0;
    const size_t end = range[1] >= 0 && (size_t)range[1] + 1 < size ? (size_t)range[1] + 1 : size;

    const st_real *x = st_x(base->state, params), *v = st_v(base->state, params);
    st_real *f = st_f(base->state, params);

    if (!st_contacts_begin(&force->contacts, base->state, (int)dim)) return;
    for (size_t i = begin; i < end; i++) sphere_push(force, i, (int)dim, x + i * dim, v + i * dim, f + i * dim);
}

static void sphere_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    st_contacts_blocks(&((sphere_force *)base)->contacts, base->state, k);
}

static void sphere_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    st_contacts_product(&((sphere_force *)base)->contacts, base->state, params, k);
}

static void sphere_destroy(st_object *object) { st_contacts_free(&((sphere_force *)object)->contacts); }

static const st_force_ops force_ops = {
    .add_force = sphere_add_force, .stiffness = sphere_stiffness, .product = sphere_product};

const st_class st_sphere_force_field_class = {
    .name = "SphereForceField",
    .help = "a sphere that pushes out what is inside it",
    .parent = &st_force_class,
    .templates = "Vec1 Vec2 Vec3",
    .fields = fields,
    .size = sizeof(sphere_force),
    .example = "<MechanicalObject position=\"0.3 0.4 0.2  0.9 -0.3 0.1  5 0 0\"/>\n"
               "<SphereForceField center=\"0.1 0 0\" radius=\"2\" stiffness=\"80\" damping=\"2\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
    .destroy = sphere_destroy,
    .force = &force_ops,
};
