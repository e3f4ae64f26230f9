// RodStraightSection: a straight section of a wire, along x.
//
// SPDX-License-Identifier: Apache-2.0
#include "beam/rod_section.h"

static st_beam_frame rod_straight_frame(const st_rod_section *section, st_real x, st_real start) {
    (void)section, (void)start;
    return st_beam_frame_make((const st_real[3]){x, 0, 0}, (const st_real[4]){0, 0, 0, 1});
}

static st_status rod_straight_init(st_object *object) {
    st_rod_section *self = (st_rod_section *)object;
    self->frame = rod_straight_frame;
    return st_rod_section_check(self);
}

const st_class st_rod_straight_section_class = {
    .name = "RodStraightSection",
    .help = "a straight section of a wire",
    .parent = &st_rod_section_class,
    .size = sizeof(st_rod_section),
    .example = "<RodStraightSection youngModulus=\"20000\" radius=\"0.9\" nbBeams=\"30\" length=\"980\"/>",
    .init = rod_straight_init,
};
