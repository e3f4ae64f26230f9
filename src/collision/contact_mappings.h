// Mappings whose points come from code: what carries contact points.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_CONTACT_MAPPINGS_H
#define SETTEE_COLLISION_CONTACT_MAPPINGS_H

#include "settee/plugin/physics.h"

// A kind of such mappings: `begin` empties it, then points are added, and `finish` (optional) makes it ready. False:
// out of memory.
typedef struct st_contact_carrier {
    const char *class_name;
    const char *template_name;
    bool (*begin)(st_mapping *);
    bool (*finish)(st_mapping *);
} st_contact_carrier;

extern const st_contact_carrier st_barycentric_carrier; // over the DOFs of a Vec3 state
extern const st_contact_carrier st_rigid_carrier;       // in the frames of a Rigid3 state
bool st_barycentric_carrier_add(st_mapping *mapping, int count, const uint32_t *nodes, const st_real *weights);
bool st_rigid_carrier_add(st_mapping *mapping, uint32_t frame, const st_real local[3]);

#endif
