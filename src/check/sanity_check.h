// What makes a scene run and mean nothing, found right after init.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CHECK_SANITY_CHECK_H
#define SETTEE_CHECK_SANITY_CHECK_H

#include "scene/scene.h"

// Reports, once for each component: a time step that cannot be, integrators without mass, masses of 0, and elements that
// are flat or inside out where finite elements use them.
void st_check_sanity(st_scene *scene);

#endif
