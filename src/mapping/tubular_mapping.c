// TubularMapping: circles of points around the frames of a line.
//
//     p_{iN+j} = c_i + ρ_i R_i (0, cos(2πj/N), sin(2πj/N)),   j < N
//
// ρ is the radius; a positive peak lets it grow over the first frames, ρ i/peak for i < peak, a negative one lets it
// shrink over the last ones, ρ (n−1−i)/|peak|.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/carried_rows.h"
#include "mapping/states.h"
#include "math/vec3.h"

typedef struct tubular_mapping {
    st_carried_mapping base;
    uint32_t circle; // N
    st_real radius;
    int32_t peak;
} tubular_mapping;

enum { POINTS_MAX = 1 << 28 };

static st_real radius_at(const tubular_mapping *self, size_t i, size_t frames) {
    const int64_t peak = self->peak, from_end = (int64_t)(frames - 1 - i);

    if (peak > 0 && (int64_t)i < peak) return self->radius * ((st_real)i / (st_real)peak);
    if (peak < 0 && from_end < -peak) return self->radius * ((st_real)from_end / (st_real)-peak);
    return self->radius;
}

static bool tubular_mapping_make_rows(tubular_mapping *self, size_t frames) {
    st_carried_rows *rows = &self->base.rows;
    bool ok = st_carried_rows_begin(rows, false);

    for (size_t i = 0; ok && i < frames; i++) {
        const st_real radius = radius_at(self, i, frames);
        for (uint32_t j = 0; ok && j < self->circle; j++) {
            // ρ R (0, cos, sin)
            const st_real angle = 2 * ST_PI * (st_real)j / (st_real)self->circle;
            const st_real local[3] = {0, radius * cos(angle), radius * sin(angle)};
            ok = st_carried_rows_add(rows, (uint32_t)i, 1, local) && st_carried_rows_end(rows);
        }
    }

    return ok && st_carried_rows_finish(rows);
}

static st_status tubular_mapping_init(st_object *object) {
    tubular_mapping *self = (tubular_mapping *)object;

    self->base.rows.start.count = 0;
    if (!st_mapping_has_states(&self->base.mapping)) return st_mapping_init(object);
    const size_t frames = st_mapping_in(&self->base.mapping)->size;

    // what cannot be computed is refused before it takes memory
    if (!st_is_set(object, &self->radius)) return st_invalid(object, "radius is not given");
    if (!(fabs(self->radius) <= sqrt(ST_REAL_MAX))) return st_invalid(object, "radius is %g", (double)self->radius);
    if (frames && self->circle > POINTS_MAX / frames)
        return st_invalid(object, "%u points on each of %zu circles are too many", self->circle, frames);

    if (!tubular_mapping_make_rows(self, frames)) {
        self->base.rows.start.count = 0;
        return st_invalid(object, "out of memory for its points");
    }

    return st_mapping_init(object);
}

static const st_field fields[] = {
    ST_FIELD(tubular_mapping, circle, "nbPointsOnEachCircle", st_type_uint, "0", "points on each circle"),
    ST_FIELD(tubular_mapping, radius, "radius", st_type_real, NULL, "radius of the circles",
             .flags = ST_FIELD_REINIT | ST_FIELD_REQUIRED),
    ST_FIELD(tubular_mapping, peak, "peak", st_type_int, "0",
             "over so many first (negative: last) frames the radius grows from zero (shrinks to zero)",
             .flags = ST_FIELD_REINIT),
    ST_GEOMETRIC_FIELD(st_carried_mapping, "None"),
    ST_FIELDS_END,
};

const st_class st_tubular_mapping_class = {
    .name = "TubularMapping",
    .help = "circles of points around the frames of a line",
    .parent = &st_mapping_class,
    .templates = "Rigid3,Vec3",
    .fields = fields,
    .size = sizeof(tubular_mapping),
    .example = "<MechanicalObject name=\"parent\" template=\"Rigid3\" "
               "position=\"0 0 0  0 0 0 1  1 0 0  0.6 0 0 0.8\"/>\n"
               "<Node name=\"tube\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec3\"/>\n"
               "    <TubularMapping input=\"@../parent\" output=\"@child\" nbPointsOnEachCircle=\"5\" radius=\"0.3\" "
               "geometricStiffness=\"Exact\"/>\n"
               "</Node>",
    .init = tubular_mapping_init,
    .destroy = st_carried_destroy,
    .mapping = &st_carried_ops,
};
