// What each class of component becomes where a scene is spread over ranks. A class that is not here is refused.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CLUSTER_CLASS_TABLE_H
#define SETTEE_CLUSTER_CLASS_TABLE_H

#include <stdbool.h>

typedef enum st_treatment {
    ST_REFUSED,
    ST_KEPT,         // works on the rank's part as it is
    ST_KEPT_POINTS,  // the same, and `indices` names points
    ST_LEFT_OUT,     // is only drawn, or belongs to a solver that is replaced
    ST_GRID,         // makes the mesh
    ST_GMSH,         // reads it
    ST_TETRAHEDRA,   // Hexa2TetraTopologicalMapping
    ST_STATE,        // MechanicalObject
    ST_UNIFORM_MASS, // shares a total mass among all points
    ST_MESH_MASS,    // a total mass by the volume of all elements
    ST_LOAD,         // ConstantForceField: shares a total force among its points
    ST_DIRECT,       // linear solvers
    ST_ITERATIVE,
    ST_PETSC,
    ST_EXPLICIT, // explicit integrators
    ST_VISUAL,   // the whole node is only drawn
} st_treatment;

st_treatment st_treatment_of(const char *class_name);

#endif
