// What the components share that write a matrix every so many steps.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_MATRIX_EXPORTER_H
#define SETTEE_IO_MATRIX_EXPORTER_H

#include "settee/component.h"
#include "settee/matrix.h"

typedef struct st_matrix_exporter {
    st_object object;
    int32_t format;
    int32_t precision;
    char *filename;
    uint32_t every;
    bool enable, at_begin, at_end;
    uint32_t steps;
    bool told; // that there is nothing to write
} st_matrix_exporter;

extern const st_class st_matrix_exporter_class;

// Is a file due at this event? Counts the steps.
bool st_matrix_exporter_due(st_matrix_exporter *self, const st_event *event);
void st_matrix_exporter_write(st_matrix_exporter *self, const st_matrix_view *m);
// Said once.
void st_matrix_exporter_nothing(st_matrix_exporter *self, const char *why);

#endif
