// The base of masses. A mass is a force, too: its weight.
//
// SPDX-License-Identifier: Apache-2.0
#include "mass/mass.h"

static const st_field fields[] = {
    ST_FIELD(st_mass, separate_gravity, "separateGravity", st_type_bool, "0",
             "gravity is added to the velocity at the begin of a step, not as a force"),
    ST_FIELD(st_mass, rayleigh_mass, "rayleighMass", st_type_real, "0", "damping in proportion to this mass"),
    ST_FIELDS_END,
};

const st_class st_mass_class = {
    .name = "Mass",
    .help = "what every mass has",
    .parent = &st_force_class,
    .fields = fields,
    .size = sizeof(st_mass),
    .flags = ST_CLASS_ABSTRACT,
};

void st_gravity(const st_object *object, const st_dof *dof, st_real g[6]) {
    for (size_t i = 0; i < 6; i++) g[i] = i < dof->spatial ? object->node->gravity[i] : 0;
}

st_real st_mass_total(const st_mass *mass) {
    const st_mass_ops *ops = mass->force.object.type->mass;
    const size_t count = ops->element_mass && mass->force.state ? mass->force.state->size : 0;
    st_real total = 0;
    for (size_t i = 0; i < count; i++) total += ops->element_mass(mass, i);
    return total;
}
