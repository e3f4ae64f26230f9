// Views of matrices: what programs and exporters see of them (settee/matrix.h).
//
// A view is no matrix of its own: it lends the arrays of an st_bsr with square blocks, or of W and H, to programs that do
// not include the library's headers.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SYSTEM_MATRIX_VIEW_H
#define SETTEE_SYSTEM_MATRIX_VIEW_H

#include "linalg/bsr.h"
#include "settee/matrix.h"
#include "settee/plugin/solver.h"

st_matrix_view st_view_of(const st_bsr *matrix);
// A matrix that borrows the arrays of the view: not to be freed or written.
st_bsr st_bsr_of_view(const st_matrix_view *view);
// The matrix that the system holds since its last build; ST_NOT_FOUND: none was built, or it is never assembled.
st_status st_system_held_matrix(st_system *system, st_matrix_view *view);

#endif
