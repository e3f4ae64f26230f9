// PulledPointForceField as picking uses it (api/pick.c).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_PULLED_POINT_H
#define SETTEE_FORCE_SPRING_PULLED_POINT_H

#include "settee/plugin/component.h"

typedef struct st_pulled_place {
    size_t count;
    const uint32_t *dofs;
    const st_real *weights;
    const st_real *local;
    st_real stiffness;
} st_pulled_place;

extern const st_class st_pulled_point_force_field_class;

// Takes hold of the point; its target is where the point is now. False: out of memory.
bool st_pulled_point_take(st_object *object, const st_pulled_place *place);
void st_pulled_point_aim(st_object *object, const st_real target[3]);

#endif
