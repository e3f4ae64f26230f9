// The .rigid file: mass and inertia of a rigid body, in words and numbers.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MASS_RIGID_FILE_H
#define SETTEE_MASS_RIGID_FILE_H

#include "settee/plugin/component.h"

typedef struct st_rigid_file {
    bool has_mass, has_volume, has_inertia;
    st_real mass, volume;
    st_real inertia[9]; // per unit mass
} st_rigid_file;

// Reads the file; what it does not say stays as it is. Messages go to the component. False: it cannot be read.
bool st_rigid_file_read(const st_object *object, const char *path, st_rigid_file *content);

#endif
