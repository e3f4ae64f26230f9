// FixedTranslationProjectiveConstraint: frames whose linear velocity does not change.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/points.h"
#include "settee/plugin/change.h"

typedef struct fixed_translation {
    st_points points;
    st_uints coordinates;
    st_real draw_size;
    bool linear[6]; // directions
} fixed_translation;

static const st_field fields[] = {
    ST_FIELD(fixed_translation, points.indices, "indices", st_type_indices, "0", "the constrained frames",
             .flags = ST_FIELD_TRACKED, .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(fixed_translation, points.all, "fixAll", st_type_bool, "0", "constrain every frame"),
    ST_FIELD(fixed_translation, coordinates, "coordinates", st_type_indices, NULL, "coordinates of the constraint",
             .flags = ST_FIELD_NO_EFFECT, .mesh = ST_NO_INDEX),
    ST_FIELD(fixed_translation, draw_size, "drawSize", st_type_real, "0", "size of the points drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static st_status fixed_translation_init(st_object *object) {
    fixed_translation *self = (fixed_translation *)object;
    for (size_t j = 0; j < object->dof->deriv; j++) self->linear[j] = j < object->dof->spatial;
    self->points.directions = self->linear;
    return st_points_init(object, ST_WARNING);
}

static const st_projection_ops ops = {
    .response = st_points_response, .discard = st_points_discard, .columns = st_points_columns};

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
    .init = fixed_translation_init,
    .changed = st_points_changed,
    .projection = &ops,
};
