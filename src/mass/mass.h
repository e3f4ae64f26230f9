// What can be asked of every mass.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MASS_MASS_H
#define SETTEE_MASS_MASS_H

#include "settee/plugin/physics.h"

// The sum of the masses of its DOFs; 0 where the class does not give them.
st_real st_mass_total(const st_mass *mass);

#endif
