// The center of mass of all parents, shared by the three mappings that compute it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_CENTER_OF_MASS_H
#define SETTEE_MAPPING_CENTER_OF_MASS_H

#include "settee/plugin/physics.h"

extern const st_mapping_ops st_center_of_mass_ops;
// The end of their inits: the child gets one DOF. Invalid when no parent has a mass.
st_status st_center_of_mass_init(st_object *object);

#endif
