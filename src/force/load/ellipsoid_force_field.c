// EllipsoidForceField: an ellipsoid that keeps points out (stiffness > 0) or in (stiffness < 0). Formulas: ellipsoid.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/load/contacts.h"
#include "force/load/ellipsoid.h"
#include "scene/compat.h"

typedef struct ellipsoid_force {
    st_force base;
    st_real center[3], radius[3], stiffness, damping, color[4];
    st_contacts contacts;
} ellipsoid_force;

static const st_field fields[] = {
    ST_FIELD(ellipsoid_force, center, "center", st_type_coord, NULL, "center"),
    ST_FIELD(ellipsoid_force, radius, "vradius", st_type_coord, NULL, "radius along each axis"),
    ST_FIELD(ellipsoid_force, stiffness, "stiffness", st_type_real, "500",
             "stiffness; below 0: points are kept inside"),
    ST_FIELD(ellipsoid_force, damping, "damping", st_type_real, "5", "damping"),
    ST_FIELD(ellipsoid_force, color, "color", st_type_color, "0 0.5 1 1", "color", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static st_status ellipsoid_init(st_object *object) {
    const ellipsoid_force *force = (ellipsoid_force *)object;
    const st_status status = st_force_class.init(object);

    for (size_t j = 0; status == ST_OK && j < object->dof->coord; j++)
        if (!(fabs(force->radius[j]) > 0))
            return st_invalid(object, "vradius must not be 0 along any axis: it has no effect");
    return status;
}

static void ellipsoid_add_force(st_force *base, const st_params *params) {
    ellipsoid_force *force = (ellipsoid_force *)base;
    if (!base->state || !st_is_valid(&base->object)) return;

    const size_t dim = st_state_dof(base->state)->coord;
    const st_real *x = st_x(base->state, params), *v = st_v(base->state, params);
    st_real *f = st_f(base->state, params), push[3], matrix[9];
    const bool sofa = st_compat_on(base->object.scene, ST_COMPAT_ELLIPSOID_TANGENT);

    if (!st_contacts_begin(&force->contacts, base->state, dim)) return;
    for (size_t i = 0; i < base->state->size; i++) {
        const size_t at = i * dim;
        const st_real level = st_ellipsoid_level(x + at, force->center, force->radius, dim);
        if (!((level - 1) * force->stiffness < 0)) continue;

        // F and A
        if (!st_ellipsoid_push(push, matrix, x + at, v + at, force->center, force->radius, dim, level, force->stiffness,
                               force->damping, sofa))
            continue;

        st_real *block = st_contacts_add(&force->contacts, i);
        for (size_t j = 0; j < dim; j++) f[at + j] += push[j];
        for (size_t j = 0; j < dim * dim; j++) block[j] = matrix[j];
    }
}

static void ellipsoid_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    st_contacts_blocks(&((ellipsoid_force *)base)->contacts, base->state, k);
}

static void ellipsoid_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    st_contacts_product(&((ellipsoid_force *)base)->contacts, base->state, params, k);
}

static void ellipsoid_destroy(st_object *object) { st_contacts_free(&((ellipsoid_force *)object)->contacts); }

static const st_force_ops force_ops = {
    .add_force = ellipsoid_add_force, .stiffness = ellipsoid_stiffness, .product = ellipsoid_product};

const st_class st_ellipsoid_force_field_class = {
    .name = "EllipsoidForceField",
    .help = "an ellipsoid that keeps points out, or in",
    .parent = &st_force_class,
    .templates = "Vec1 Vec2 Vec3",
    .fields = fields,
    .size = sizeof(ellipsoid_force),
    .example = "<MechanicalObject position=\"0.3 0.4 0.2  1.4 -0.3 0.1  5 0 0\"/>\n"
               "<EllipsoidForceField center=\"0.1 0 0\" vradius=\"2 1 1.5\" stiffness=\"80\" damping=\"2\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
    .init = ellipsoid_init,
    .destroy = ellipsoid_destroy,
    .force = &force_ops,
};
