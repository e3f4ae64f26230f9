// FixedTranslationProjectiveConstraint: frames whose linear velocity does not change.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/points.h"

typedef struct fixed_translation {
    st_points points;
    st_uints coordinates;
    st_real draw_size;
} fixed_translation;

static const st_field fields[] = {
    ST_FIELD(fixed_translation, points.indices, "indices", st_type_indices, "0", "the constrained frames",
             .flags = ST_FIELD_TRACKED),
    ST_FIELD(fixed_translation, points.all, "fixAll", st_type_bool, "0", "constrain every frame"),
    ST_FIELD(fixed_translation, coordinates, "coordinates", st_type_indices, NULL, "coordinates of the constraint",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(fixed_translation, draw_size, "drawSize", st_type_real, "0", "size of the points drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static st_status init(st_object *object) { return st_points_init(object, ST_WARNING); }

static void find_directions(const st_projection *base, bool directions[6]) {
    for (int j = 0; j < base->object.dof->deriv; j++) directions[j] = j < base->object.dof->spatial;
}

static void response(st_projection *base, st_deriv_id id) {
    st_real *values = base->state ? st_dx_of(base->state, id) : NULL;
    const size_t width = (size_t)base->object.dof->deriv;
    bool directions[6];
    find_directions(base, directions);
    if (!values) return;
    for (ST_EACH_POINT((st_points *)base, k, point))
        for (size_t j = 0; j < width; j++)
            if (directions[j]) values[point * width + j] = 0;
}

static void discard(st_projection *base, st_clear *clear, void *context) {
    bool directions[6];
    find_directions(base, directions);
    st_discard_directions((st_points *)base, directions, clear, context);
}

static void columns(st_projection *base, st_filter *filter, void *context) {
    bool directions[6];
    find_directions(base, directions);
    st_filter_directions((st_points *)base, directions, filter, context);
}

static const st_projection_ops ops = {.response = response, .discard = discard, .columns = columns};

const st_class st_fixed_translation_projective_constraint_class = {
    .name = "FixedTranslationProjectiveConstraint",
    .help = "frames whose linear velocity does not change",
    .parent = &st_projection_class,
    .templates = "Vec6 Rigid2 Rigid3",
    .fields = fields,
    .size = sizeof(fixed_translation),
    .example = "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<FixedTranslationProjectiveConstraint indices=\"1\"/>",
    .init = init,
    .changed = st_points_changed,
    .projection = &ops,
};
