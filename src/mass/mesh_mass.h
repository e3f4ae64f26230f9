// What the masses that are computed from a mesh share: the mesh, the positions, the kind of element.
//
// The elements that have mass are those of the highest kind that the mesh has, in the order hexahedra, tetrahedra,
// quads, triangles, edges. The positions are those of the state found at the mesh's node or above, which may be of a
// higher dimension than the state that has the mass (template "Vec1,Vec3").
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MASS_MESH_MASS_H
#define SETTEE_MASS_MESH_MASS_H

#include "settee/plugin/physics.h"
#include "topology/measure.h"
#include "topology/topology.h"

typedef struct st_mesh_mass {
    st_topology *topology;
    st_state *geometry;
    st_element kind;
} st_mesh_mass;

// For `accepts`: the state of its node is of the first type; a template of two types is taken only when it is given.
bool st_mesh_mass_accepts(st_object *object);

// Mesh, positions and kind of element; both links may be NULL. Says what is missing.
st_status st_mesh_mass_find(st_mesh_mass *mesh, st_object *object, st_object *topology, st_object *geometry);

st_points st_mesh_mass_points(const st_mesh_mass *mesh, bool at_rest);

// Which attribute the masses come from.
typedef enum st_mass_source { ST_MASS_FROM_TOTAL, ST_MASS_FROM_DENSITY, ST_MASS_FROM_VERTICES } st_mass_source;

// Says that of several attributes only one counts: totalMass before massDensity before vertexMass. 1 is used for a
// negative totalMass.
st_mass_source st_mass_choose(const st_object *object, bool total, bool density, bool vertices);
void st_mass_check_total(const st_object *object, st_real *total);

#endif
