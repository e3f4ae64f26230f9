// Views of matrices. See matrix_view.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "system/matrix_view.h"

st_matrix_view st_view_of(const st_bsr *matrix) {
    static const size_t no_rows[1] = {0};
    static const int32_t no_columns[1];
    static const st_real no_values[1];
    return (st_matrix_view){
        .rows = st_bsr_scalar_rows(matrix),
        .cols = st_bsr_scalar_cols(matrix),
        .block = matrix->height > 0 ? matrix->height : 1,
        .starts = matrix->starts ? matrix->starts : no_rows,
        .columns = matrix->columns ? matrix->columns : no_columns,
        .values = matrix->values ? matrix->values : no_values,
    };
}

st_bsr st_bsr_of_view(const st_matrix_view *view) {
    return (st_bsr){
        .height = view->block,
        .width = view->block,
        .rows = (int32_t)(view->rows / (size_t)view->block),
        .cols = (int32_t)(view->cols / (size_t)view->block),
        .starts = (size_t *)view->starts,
        .columns = (int32_t *)view->columns,
        .values = (st_real *)view->values,
    };
}

st_status st_system_held_matrix(st_system *system, st_matrix_view *view) {
    const st_bsr *matrix = system->version > 0 ? system->object.type->system->matrix(system) : NULL;
    if (!matrix) return ST_NOT_FOUND;
    *view = st_view_of(matrix);
    return ST_OK;
}
