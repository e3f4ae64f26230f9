// How one block of rows is solved.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LAW_RESOLUTION_H
#define SETTEE_LAW_RESOLUTION_H

#include "settee/plugin/constraint.h"

// The blocks that the laws of a problem have asked for, in the order of their rows.
struct st_resolutions {
    ST_LIST(st_resolution) list;
    size_t rows;
    bool failed; // out of memory
};

// Has the first visit found a block of N equations without inverse? Its rows keep their forces.
bool st_resolution_is_singular(const st_resolution *resolution);

// One visit of a contact with friction by steps d / W, whatever its own way is.
void st_resolve_friction(const st_resolution *resolution, const st_real *w, size_t stride, st_real *d, st_real *f);

#endif
