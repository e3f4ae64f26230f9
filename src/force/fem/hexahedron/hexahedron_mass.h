// Hexahedra that have mass: what HexahedronFEMForceFieldAndMass and its like add to the elastic force.
//
// The inertia of element e between its corners i and j along axis a is  m_e P[a][i][j],  m_e the mass of the cell and P
// a pattern: for the consistent mass of a box {8, 4, 2, 1}/216, by the number of axes along which the corners differ.
// (SOFA: 8/27 for all pairs, hexahedron-mass in the table of compatibility.) The weight of a cell goes to its corners
// in equal parts.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_HEXAHEDRON_HEXAHEDRON_MASS_H
#define SETTEE_FORCE_FEM_HEXAHEDRON_HEXAHEDRON_MASS_H

#include "force/fem/hexahedron/hexahedron_fem.h"

enum { ST_MASS_PATTERN = 3 * 64 };

typedef struct st_hexahedron_mass {
    st_hexahedron_fem fem;
    st_real density;
    bool lumped_mass;
    char *ignored_mass[4];

    st_real *scale;     // m_e of each element
    st_real *pattern;   // one for all elements, or one for each
    bool pattern_each;  //
    st_reals weight;    // mass of each point, for gravity
    st_reals lumped;    // Vec3: sums of the rows of the mass
    st_reals mass_part; // of a sparse grid: how much of each cell is filled; empty: all of it
} st_hexahedron_mass;

// Masses of cells and points from the rest shape, and the usual pattern for all.
st_status st_hexahedron_mass_build(st_hexahedron_mass *self, const st_real *rest);
// Sums of the rows, after the patterns are set; `absolute`: sums below zero change their sign.
bool st_hexahedron_mass_lump(st_hexahedron_mass *self, bool absolute);
void st_hexahedron_mass_free(st_hexahedron_mass *self);
// The consistent pattern of a box, and the usual one, which has SOFA's defect where that is asked for.
void st_hexahedron_mass_consistent(st_real pattern[ST_MASS_PATTERN]);
void st_hexahedron_mass_pattern(const st_scene *scene, st_real pattern[ST_MASS_PATTERN]);

extern const st_class st_hexahedron_fem_force_field_and_mass_class, // parents of those with finer levels
    st_hexahedral_fem_force_field_and_mass_class;
void st_hexahedron_mass_destroy(st_object *object);
extern const st_force_ops st_hexahedron_mass_force_ops;
extern const st_mass_ops st_hexahedron_mass_ops;

// The attributes of a mass, for the tables of its classes.
#define ST_HEXAHEDRON_MASS_FIELDS                                                                                      \
    ST_FIELD(st_hexahedron_mass, density, "density", st_type_real, "1", "mass of a unit of volume",                    \
             .flags = ST_FIELD_REINIT),                                                                                \
        ST_FIELD(st_hexahedron_mass, lumped_mass, "lumpedMass", st_type_bool, "0",                                     \
                 "gather the mass of each row at its point"),                                                          \
        ST_FIELD(st_hexahedron_mass, fem.elastic.mass.separate_gravity, "separateGravity", st_type_bool, "0",          \
                 "gravity is added to the velocity at the begin of a step, not as a force"),                           \
        ST_FIELD(st_hexahedron_mass, fem.elastic.mass.rayleigh_mass, "rayleighMass", st_type_real, "0",                \
                 "damping in proportion to this mass"),                                                                \
        ST_FIELD(st_hexahedron_mass, ignored_mass[0], "massMatrices", st_type_string, NULL,                            \
                 "computed, whatever is given", .flags = ST_FIELD_NO_EFFECT)

#endif
