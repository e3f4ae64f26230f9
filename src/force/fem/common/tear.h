// Tearing: elements that part where their stress is too large.
//
// Stress of an element, from its stretches s_i (square roots of the eigenvalues of FᵀF, F = change of shape) and Lamé's
// parameters, in the directions F n_i:
//
//     σ_i = 2 μ (s_i - 1) + λ Σ (s_k - 1)       triangles: plane stress, k over two stretches
//
// At the beginning of a step the element with the largest of these tears if that is above `tearStress`, at one of its points,
// those on the border or on a crack first: the elements around the point are parted by the plane through it perpendicular to the
// direction of the stress, facets between them open, and the point is doubled (topology/cut/cut_open.c). One point tears
// in a step, so that stress can find its new way; mass and volume stay, as elements do.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_COMMON_TEAR_H
#define SETTEE_FORCE_FEM_COMMON_TEAR_H

#include "force/fem/common/elastic.h"

typedef struct st_tear {
    st_real stress;        // attribute; 0: nothing tears
    st_topology *topology; // NULL: it cannot tear
    st_element kind;
    st_reals values; // work space: largest stress of each element, and its direction
    st_uints star, facets;
} st_tear;

#define ST_TEAR_FIELD(owner)                                                                                           \
    ST_FIELD(owner, tear.stress, "tearStress", st_type_real, "0",                                                      \
             "largest principal stress that the material holds: above it elements part, one point a step; 0: always")

// At the end of an init: says why it cannot tear. A force that can listens to events.
void st_tear_init(st_tear *tear, st_elastic *elastic, st_element kind);
// At an event: tears one point. `factor` (may be NULL): on Young's modulus, spread over the elements.
void st_tear_step(st_tear *tear, const st_elastic *elastic, const st_reals *factor, const st_event *event);
void st_tear_free(st_tear *tear);

#endif
