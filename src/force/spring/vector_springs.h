// Springs that keep the vector between two points, for those that make them by themselves.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_VECTOR_SPRINGS_H
#define SETTEE_FORCE_SPRING_VECTOR_SPRINGS_H

#include "force/spring/spring.h"

// VectorSpringForceField.
typedef struct st_vector_springs {
    st_force base;
    char *filename;
    st_real stiffness, viscosity;
    bool use_topology;
    st_object *topology;

    st_spring_kernel kernel; // ends, stiffness and damping; matrices ks 1
    st_reals rest;           // r of each spring
} st_vector_springs;

extern const st_class st_vector_spring_force_field_class;

void st_vector_springs_clear(st_vector_springs *force);
// A spring between DOF a of the first state and b of the second; false: out of memory.
bool st_vector_springs_add(st_vector_springs *force, uint32_t a, uint32_t b, st_real ks, st_real kd,
                           const st_real rest[3]);

#endif
