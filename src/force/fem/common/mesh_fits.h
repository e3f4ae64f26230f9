// A state may lose points after the mesh of a force was taken.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_COMMON_MESH_FITS_H
#define SETTEE_FORCE_FEM_COMMON_MESH_FITS_H

#include "settee/plugin/physics.h"

// Does the state of the force still have the points of its mesh? If not, that is reported once.
static inline bool st_mesh_fits(const st_force *force, size_t points) {
    if (force->state->size >= points) return true;

    st_message_once(&force->object, "mesh fits", ST_ERROR, "the state has %zu points, its mesh %zu: there is no force",
                    force->state->size, points);
    return false;
}

#endif
