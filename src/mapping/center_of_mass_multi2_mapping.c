// CenterOfMassMulti2Mapping: one point, the center of mass of points and rigid frames (mapping/center_of_mass.c).
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/center_of_mass.h"
#include "mapping/multi_mapping.h"

static st_status center_of_mass_multi2_mapping_init(st_object *object) {
    const st_status status = st_multi2_mapping_join(object);
    return status == ST_OK ? st_center_of_mass_init(object) : status;
}

const st_class st_center_of_mass_multi2_mapping_class = {
    .name = "CenterOfMassMulti2Mapping",
    .help = "one point: the center of mass of points and rigid frames",
    .parent = &st_multi2_mapping_class,
    .templates = "Vec3,Rigid3,Vec3",
    .size = sizeof(st_multi2_mapping),
    .example = "<MechanicalObject name=\"first\" position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<Node name=\"other\">\n"
               "    <MechanicalObject name=\"second\" template=\"Rigid3\" position=\"0 1 0 0 0 0 1\"/>\n"
               "    <UniformMass totalMass=\"6\"/>\n"
               "</Node>\n"
               "<Node name=\"center\">\n"
               "    <MechanicalObject name=\"child\"/>\n"
               "    <CenterOfMassMulti2Mapping input1=\"@../first\" input2=\"@../other/second\" output=\"@child\"/>\n"
               "</Node>",
    .init = center_of_mass_multi2_mapping_init,
    .mapping = &st_center_of_mass_ops,
};
