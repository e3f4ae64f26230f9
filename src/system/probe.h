// Matrices gathered on request (settee/matrix.h), kept with the scene so that asking again allocates nothing.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SYSTEM_PROBE_H
#define SETTEE_SYSTEM_PROBE_H

#include "linalg/bsr.h"
#include "settee/matrix.h"
#include "settee/plugin/solver.h"

st_matrix_view st_view_of(const st_bsr *matrix);
// A matrix that borrows the arrays of the view: not to be freed or written.
st_bsr st_bsr_of_view(const st_matrix_view *view);
void st_probes_destroy(st_scene *scene);

#endif
