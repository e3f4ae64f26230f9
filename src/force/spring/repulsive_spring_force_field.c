// RepulsiveSpringForceField: springs of SpringForceField that only push: they act where they are shorter than at rest.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/spring.h"

static st_status repulsive_spring_construct(st_object *object) {
    ((st_spring_force *)object)->kernel.repulsive = true;
    return ST_OK;
}

const st_class st_repulsive_spring_force_field_class = {
    .name = "RepulsiveSpringForceField",
    .help = "springs that only push",
    .parent = &st_spring_force_field_class,
    .templates = "Vec1 Vec2 Vec3",
    .size = sizeof(st_spring_force),
    .example =
        "<MechanicalObject position=\"0 0 0  1.2 0.1 0  1 1 0.3\"/>\n"
        "<RepulsiveSpringForceField springsIndices1=\"0 1 0\" springsIndices2=\"1 2 2\" stiffness=\"100 80 50\"\n"
        "    damping=\"2 1 0\" lengths=\"2 0.5 3\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
    .construct = repulsive_spring_construct,
};
