// What every linear elastic force has: a mesh, Young's modulus and Poisson's ratio, for all elements or for each.
//
// Some of them have mass, too: they are a st_mass, which begins with a st_force.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_COMMON_ELASTIC_H
#define SETTEE_FORCE_FEM_COMMON_ELASTIC_H

#include "math/real.h"
#include "settee/plugin/physics.h"
#include "settee/plugin/topology.h"

typedef struct st_elastic {
    union {
        st_force force;
        st_mass mass;
    };
    st_object *topology;
    st_reals young, poisson;
} st_elastic;

extern const st_class st_elastic_class; // abstract; its init finds the state and checks the material

// The mesh of a component: its link, else the context's. NULL, after an error, when there is none.
st_topology *st_elastic_mesh(st_elastic *elastic);

// Values that cannot be (negative or infinite moduli, ratios outside [0, 0.5)) become the defaults, with a warning.
void st_elastic_validate(st_elastic *elastic);

// The value of element e: its own, else the first one of the list.
st_real st_elastic_young(const st_elastic *elastic, size_t element);
st_real st_elastic_poisson(const st_elastic *elastic, size_t element);

// Lamé's parameters in d dimensions: μ = E / (2 (1 + ν)), λ = E ν / ((1 + ν) (1 - (d - 1) ν)).
typedef struct st_lame {
    st_real lambda, mu;
} st_lame;
st_lame st_lame_of(st_real young, st_real poisson, size_t dimensions);

// Hooke's law for engineering shear strains: diagonal, off-diagonal and shear entries of the 6 x 6 matrix.
typedef struct st_hooke {
    st_real diagonal, off_diagonal, shear;
} st_hooke;
st_hooke st_hooke_of(st_real young, st_real poisson);

// The index of element e in a list of `size` factors that are spread evenly over `count` elements.
static inline size_t st_spread_index(size_t element, size_t size, size_t count) { return element * size / count; }

#endif
