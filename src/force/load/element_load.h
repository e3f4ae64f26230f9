// Loads on the elements of a mesh: forces that edges, triangles and quads share out equally to their vertices.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_LOAD_ELEMENT_LOAD_H
#define SETTEE_FORCE_LOAD_ELEMENT_LOAD_H

#include "settee/plugin/physics.h"
#include "topology/measure.h"

typedef struct st_element_load {
    uint32_t element;     // its number in the mesh
    uint32_t vertices[4]; // as many as the element has
    st_real force[3];     // on the whole element
} st_element_load;

typedef struct st_element_loads {
    st_element kind;
    ST_LIST(st_element_load) list;
} st_element_loads;

// Numbers of the elements whose vertices all are strictly between the planes axis.p = low and axis.p = high.
bool st_select_between(st_topology *topology, st_element kind, const st_points *points, const st_real axis[3],
                       st_real low, st_real high, st_uints *elements);

// One load for each listed element of the mesh; elements that are not there, or have vertices without a position, are
// reported and left out. Forces are zero.
bool st_element_loads_make(st_element_loads *loads, const st_object *object, st_topology *topology, st_element kind,
                           const st_uints *elements, const st_points *points);
// F = pressure × measure at rest
void st_element_loads_press(st_element_loads *loads, const st_real pressure[3], const st_points *rest);
// f_v += F / n for the n vertices of each element.
void st_element_loads_add(const st_element_loads *loads, const st_state *state, const st_params *params);
void st_element_loads_draw(const st_element_loads *loads, const st_state *state, st_real scale,
                           struct st_canvas *canvas);
void st_element_loads_free(st_element_loads *loads);

#endif
