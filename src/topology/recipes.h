// How lists of edges and faces are made from larger elements. The order and the direction of what is made are part of
// the results: masses, springs and finite elements sum in that order.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_RECIPES_H
#define SETTEE_TOPOLOGY_RECIPES_H

#include "settee/plugin/topology.h"

// How a part is written when it is met for the first time.
typedef enum st_part_style {
    ST_PART_AS_FOUND, // as its element has it
    ST_PART_SORTED,   // small vertex first (edges)
    ST_PART_TURNED,   // turned until the smallest vertex comes first; its orientation stays (faces)
} st_part_style;

typedef struct st_recipe {
    st_element from;
    st_part_style style;
} st_recipe;

// Appends the parts of kind `lower` of all elements of the recipes' kinds that are not listed yet, in the order in
// which they are met. The places of the parts in their elements are kept for st_topology_in.
bool st_derive_parts(st_topology *topology, st_element lower, const st_recipe *recipes, size_t count);

// The recipe of MeshTopology for one kind, from nothing: edges of the volumes, else of the surfaces; faces of the
// volumes. Kinds that cannot be derived become empty.
bool st_derive_mesh_elements(st_topology *topology, st_element kind);
// The recipe of the changeable containers: parts of the elements of one kind; edges of triangles as found, all else
// sorted or turned.
bool st_derive_container_parts(st_topology *topology, st_element upper, st_element lower);

// The names of kinds of elements, for messages.
extern const char *const st_element_names[ST_ELEMENT_KINDS];

#endif
