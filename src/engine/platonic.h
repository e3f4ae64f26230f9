// The platonic solids from which spheres are made: vertices (to be brought to the unit sphere), faces, edges.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_PLATONIC_H
#define SETTEE_ENGINE_PLATONIC_H

#include "settee/types.h"

typedef struct st_platonic {
    const char *name;
    bool normalized; // the vertices are on the unit sphere as they are
    size_t vertex_count, face_count, edge_count;
    const st_real (*vertices)[3];
    const uint32_t (*faces)[3];
    const uint32_t (*edges)[2];
} st_platonic;

extern const st_platonic st_platonic_solids[]; // a nameless one at the end

#endif
