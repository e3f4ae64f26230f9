// Components that add to their matrices what they must not, from a certain call on.
//
//   TestStray          a force: stiffness and damping
//   TestStrayMass      a mass
//   TestStrayPair      a force between two states, in the block of `pair`: 0 (1, 1), 1 (1, 2), 2 (2, 1), 3 (2, 2)
//   TestStrayFormer    a mass whose three matrices come by SOFA's former interface
//   TestStrayMapping   the identity from the parent node's state, with a geometric stiffness
//
// All have `matrix` (which one is wrong: 0 stiffness, 1 mass, 2 damping), `how` and `after`. Beside the wrong addition
// each gives 1 on the diagonal.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_STRAY_COMPONENTS_H
#define SETTEE_TESTS_STRAY_COMPONENTS_H

#include "settee/plugin/component.h"

typedef enum stray_way {
    STRAY_NOT,
    STRAY_ROW, // one row beyond the end, in the first column
    STRAY_COL, // two columns beyond the end, in the last row
    STRAY_NAN, // at (1, 0)
} stray_way;

extern const st_class *const stray_classes[]; // NULL at the end

#endif
