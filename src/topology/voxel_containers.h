// Containers whose hexahedra stand for voxels of a regular grid: which voxel each one is.
//
// The voxel number of hexahedron h is  i + nx (j + ny k)  in a grid of nx × ny × nz voxels.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_VOXEL_CONTAINERS_H
#define SETTEE_TOPOLOGY_VOXEL_CONTAINERS_H

#include "topology/container.h"

enum { ST_MAX_VOXEL_LEVEL = 16 };

// MultilevelHexahedronSetTopologyContainer
typedef struct st_multilevel {
    st_container container;
    int32_t level; // a hexahedron has room for 2^level voxels along each axis
    int32_t resolution[3];
    st_uints index_in_grid;
    char *ignored[2];
} st_multilevel;

extern const st_class st_multilevel_hexahedron_set_topology_container_class,
    st_dynamic_sparse_grid_topology_container_class, st_dynamic_sparse_grid_topology_modifier_class,
    st_dynamic_sparse_grid_geometry_algorithms_class;

// The place of hexahedron e's voxel within the hexahedron: its coordinates modulo 2^level.
void st_multilevel_place(const st_multilevel *container, size_t e, int place[3]);

// Does each of the hexahedra have a voxel of the grid? An error with the hexahedron and its number otherwise.
st_status st_check_voxels(st_topology *topology, const int32_t resolution[3], const st_uints *index_in_grid);
// New hexahedra are no voxels of the grid: for `.make` of a list of voxel numbers.
void st_make_no_voxel(st_object *object, void *entry, const st_edit *edit, size_t k);

#endif
