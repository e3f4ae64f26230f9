// Meshes: the lists of elements that forces, masses and mappings read.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLUGIN_TOPOLOGY_H
#define SETTEE_PLUGIN_TOPOLOGY_H

#include "settee/plugin/component.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum st_element {
    ST_EDGE,
    ST_TRIANGLE,
    ST_QUAD,
    ST_TETRAHEDRON,
    ST_HEXAHEDRON,
    ST_PRISM,
    ST_PYRAMID,
    ST_ELEMENT_KINDS
} st_element;

// In place of a kind of element: the points.
enum { ST_POINT = ST_ELEMENT_KINDS };

// Number of vertices of an element: 2, 3, 4, 4, 8, 6, 5.
extern ST_API const size_t st_element_size[ST_ELEMENT_KINDS];

typedef struct st_topology {
    st_object object;
    st_reals position;                   // Vec3, may be empty
    st_uints elements[ST_ELEMENT_KINDS]; // given or derived; read them through st_topology_elements
    bool derived[ST_ELEMENT_KINDS];      // the list is made from others on first use
    bool made[ST_ELEMENT_KINDS];         // a derived list has been made
    size_t point_count;
    char *filename;                 // mesh file to read at init
    struct st_adjacency *adjacency; // neighborhoods, made on demand (src/topology/adjacency.h)
} st_topology;

struct st_topology_ops {
    // Makes a derived list. Called at most once per kind until st_topology_invalidate.
    void (*derive)(st_topology *, st_element kind);
    size_t (*points)(const st_topology *);                          // number of points
    bool (*point)(const st_topology *, size_t index, st_real p[3]); // false: it has no coordinates
};

extern ST_API const st_class st_topology_class;

// The list of one kind of element, derived on demand; element i starts at data[st_element_size[kind] * i].
ST_API const st_uints *st_topology_elements(st_topology *topology, st_element kind);
ST_API void st_topology_invalidate(st_topology *topology);
ST_API size_t st_topology_points(const st_topology *topology);
ST_API bool st_topology_point(const st_topology *topology, size_t index, st_real p[3]);

#ifdef __cplusplus
}
#endif
#endif
