// SOFA's former interface for matrices of forces and masses.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FORMER_INTERFACE_H
#define SETTEE_FORCE_FORMER_INTERFACE_H

#include "settee/plugin/physics.h"

// Completes a class that has only functions of the former interface. The `resolve` hook of the bases of forces.
bool st_bridge_former(st_class *type);

#endif
