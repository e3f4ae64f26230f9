// NodalMassDensity: a density at each vertex, read by FEMMass.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MASS_NODAL_MASS_DENSITY_H
#define SETTEE_MASS_NODAL_MASS_DENSITY_H

#include "settee/plugin/component.h"

extern const st_class st_nodal_mass_density_class;

// The density at a vertex.
st_real st_nodal_mass_density_at(const st_object *object, size_t vertex);

#endif
