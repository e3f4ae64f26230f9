// The points of a Mesh2PointTopologicalMapping, for the mechanical mapping that moves them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_MAPPING_MESH2POINT_H
#define SETTEE_TOPOLOGY_MAPPING_MESH2POINT_H

#include "settee/plugin/component.h"

// p = Σ weights[k] x_{nodes[k]} + offset
typedef struct st_mesh2point {
    int count;
    uint32_t nodes[8];
    st_real weights[8];
    st_real offset[3];
} st_mesh2point;

extern const st_class st_mesh2point_topological_mapping_class;
// Each point in the order of its number. False: `visit` said so.
bool st_mesh2point_visit(st_object *mapping, bool (*visit)(void *context, const st_mesh2point *point), void *context);

#endif
