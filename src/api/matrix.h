// Matrices gathered on request (settee/matrix.h) are kept with the scene, so that asking again allocates nothing.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_API_MATRIX_H
#define SETTEE_API_MATRIX_H

#include "settee/matrix.h"

void st_probes_destroy(st_scene *scene);

#endif
