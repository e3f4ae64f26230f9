// GlobalSystemMatrixExporter: writes the matrix A of a linear system every so many steps.
//
// It is written at the end of a step, as it is then: with constraints, and as the solver left it.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/matrix_exporter.h"
#include "system/matrix_view.h"

typedef struct exporter {
    st_matrix_exporter base;
    st_object *system;
} exporter;

static bool global_system_matrix_exporter_write(st_exporter *base) {
    exporter *self = (exporter *)base;
    st_system *system = st_chosen_system(&base->object, self->system);

    // no matrix before the first step, nor of a system that never builds one
    st_matrix_view view;
    if (system && st_system_held_matrix(system, &view) == ST_OK) return st_matrix_exporter_write(&self->base, &view);

    return st_matrix_exporter_nothing(&self->base,
                                      system ? "the linear system has no matrix" : "there is no linear system");
}

static st_status global_system_matrix_exporter_init(st_object *object) {
    return st_matrix_exporter_init(object, global_system_matrix_exporter_write);
}

static const st_field fields[] = {
    ST_FIELD(exporter, system, "linearSystem", st_type_link, NULL,
             "the linear system; the nearest one upwards when not given", .role = ST_ROLE(system)),
    ST_FIELDS_END,
};

const st_class st_global_system_matrix_exporter_class = {
    .name = "GlobalSystemMatrixExporter",
    .help = "writes the matrix of a linear system to files",
    .parent = &st_matrix_exporter_class,
    .fields = fields,
    .size = sizeof(exporter),
    .example = "<GlobalSystemMatrixExporter format=\"csv\" precision=\"17\" exportEveryNumberOfSteps=\"10\"/>",
    .init = global_system_matrix_exporter_init,
};
