// What the exporters of matrices share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_MATRIX_EXPORTER_H
#define SETTEE_IO_MATRIX_EXPORTER_H

#include "io/exporter.h"
#include "settee/matrix.h"
#include "settee/plugin/solver.h"

typedef struct st_matrix_exporter {
    st_exporter exporter;
    int32_t format;
    int32_t precision;
    bool no_begin; // exportAtBegin, which has no effect
} st_matrix_exporter;

extern const st_class st_matrix_exporter_class;

// For `init` of what derives from it.
st_status st_matrix_exporter_init(st_object *object, bool (*write)(st_exporter *));
bool st_matrix_exporter_write(st_matrix_exporter *self, const st_matrix_view *m);
// The linear system that is linked, else the first one upwards, else that of the first solver upwards; NULL: none.
st_system *st_chosen_system(const st_object *object, st_object *linked);
// Reports once that nothing is written; returns false.
bool st_matrix_exporter_nothing(st_matrix_exporter *self, const char *why);

#endif
