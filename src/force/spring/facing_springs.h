// Springs between vertices that face each other across an edge, made from lists of elements: what
// TriangleBendingSprings and QuadBendingSprings share. Stiffness and damping are the first of SpringForceField's, not
// divided by the length.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_FACING_SPRINGS_H
#define SETTEE_FORCE_SPRING_FACING_SPRINGS_H

#include "force/spring/spring.h"
#include "settee/plugin/topology.h"

// Finds states and mesh; no springs yet.
st_status st_facing_springs_init(st_spring_force *force, st_object *topology_link, st_topology **topology);
// A spring from a to b of the first state, with their present distance as length. Vertices without a DOF are reported
// and left out. False when out of memory.
bool st_facing_springs_add(st_spring_force *force, uint32_t a, uint32_t b);
// Springs stay as they were made.
void st_facing_springs_changed(st_object *object);

#endif
