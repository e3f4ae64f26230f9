// CenterOfMassMultiMapping: one point, the center of mass of several parents (mapping/center_of_mass.c).
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/center_of_mass.h"
#include "mapping/multi_mapping.h"

const st_class st_center_of_mass_multi_mapping_class = {
    .name = "CenterOfMassMultiMapping",
    .help = "one point: the center of mass of several parents",
    .parent = &st_multi_mapping_class,
    .templates = "Vec3,Vec3 Rigid3,Vec3 Rigid3,Rigid3",
    .default_template = "Vec3,Vec3",
    .size = sizeof(st_mapping),
    .example = "<MechanicalObject name=\"first\" position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<Node name=\"other\">\n"
               "    <MechanicalObject name=\"second\" position=\"0 1 0  1 1 0\"/>\n"
               "    <UniformMass totalMass=\"6\"/>\n"
               "</Node>\n"
               "<Node name=\"center\">\n"
               "    <MechanicalObject name=\"child\"/>\n"
               "    <CenterOfMassMultiMapping input=\"@../first @../other/second\" output=\"@child\"/>\n"
               "</Node>",
    .init = st_center_of_mass_init,
    .mapping = &st_center_of_mass_ops,
};
