// RodSpireSection: a section of a wire that is a helix about y at rest.
//
// With the diameter d and the height p of a turn, its length is ℓ = √(p² + (πd)²); at the k-th turn, θ = 2πk:
//
//     (start + d/2 sin θ, k p, d/2 (cos θ − 1)),   turned by θ about y, then by atan(p / πd) about z
//
// SPDX-License-Identifier: Apache-2.0
#include "beam/rod_section.h"

typedef struct rod_spire {
    st_rod_section section;
    st_real diameter, height;
} rod_spire;

static const st_field fields[] = {
    ST_FIELD(rod_spire, diameter, "spireDiameter", st_type_real, "0.1", "of a turn"),
    ST_FIELD(rod_spire, height, "spireHeight", st_type_real, "0.01", "from one turn to the next"),
    ST_FIELDS_END,
};

static st_beam_frame rod_spire_frame(const st_rod_section *section, st_real x, st_real start) {
    const rod_spire *self = (const rod_spire *)section;
    const st_real d = self->diameter, p = self->height, around = ST_PI * d, turn = sqrt(p * p + around * around);
    const st_real slope = atan(p / around), k = (x - start) / turn, theta = 2 * ST_PI * k;

    const st_real at[3] = {start + d / 2 * sin(theta), k * p, d / 2 * (cos(theta) - 1)};
    const st_real about_y[4] = {0, sin(theta / 2), 0, cos(theta / 2)},
                  about_z[4] = {0, 0, sin(slope / 2), cos(slope / 2)};
    st_real q[4];
    st_quat_multiply(q, about_y, about_z);
    return st_beam_frame_make(at, q);
}

static st_status rod_spire_init(st_object *object) {
    rod_spire *self = (rod_spire *)object;
    self->section.frame = rod_spire_frame;
    if (!(self->diameter > 0 && self->diameter <= ST_REAL_MAX && fabs(self->height) <= ST_REAL_MAX))
        return st_invalid(object, "spireDiameter is %g and spireHeight %g: the first must be larger than 0",
                          (double)self->diameter, (double)self->height);
    return st_rod_section_check(&self->section);
}

const st_class st_rod_spire_section_class = {
    .name = "RodSpireSection",
    .help = "a section of a wire that is a helix at rest",
    .parent = &st_rod_section_class,
    .fields = fields,
    .size = sizeof(rod_spire),
    .example = "<RodSpireSection radius=\"0.9\" nbBeams=\"5\" length=\"20\" spireDiameter=\"25\" spireHeight=\"5\"/>",
    .init = rod_spire_init,
};
