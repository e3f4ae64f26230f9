// CenterOfMassMapping: one point, the center of mass of the parent (mapping/center_of_mass.c).
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/center_of_mass.h"

const st_class st_center_of_mass_mapping_class = {
    .name = "CenterOfMassMapping",
    .help = "one point: the center of mass of the parent",
    .parent = &st_mapping_class,
    .templates = "Rigid3,Vec3 Rigid2,Vec2",
    .default_template = "Rigid3,Vec3",
    .size = sizeof(st_mapping),
    .example =
        "<MechanicalObject name=\"parent\" template=\"Rigid3\" position=\"1 0 0  0 0 0 1  2 1 0  0.6 0 0 0.8\"/>\n"
        "<UniformMass totalMass=\"2\"/>\n"
        "<Node name=\"center\">\n"
        "    <MechanicalObject name=\"child\" template=\"Vec3\"/>\n"
        "    <CenterOfMassMapping input=\"@../parent\" output=\"@child\"/>\n"
        "</Node>",
    .init = st_center_of_mass_init,
    .mapping = &st_center_of_mass_ops,
};
