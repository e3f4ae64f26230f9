// ComplianceMatrixExporter: writes the compliance W of a constraint solver every so many steps, at the end of a step.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/constraint_matrices.h"
#include "io/matrix_exporter.h"
#include "settee/plugin/constraint.h"

typedef struct exporter {
    st_matrix_exporter base;
    st_object *solver;
} exporter;

static bool compliance_matrix_exporter_write(st_exporter *base) {
    exporter *self = (exporter *)base;
    st_object *solver = self->solver ? self->solver : st_find(base->object.node, ST_ROLE(constraint_solver), ST_UP);

    st_matrix_view view;
    if (solver && st_problem_view_compliance((st_constraint_solver *)solver, &view) == ST_OK && view.rows > 0)
        return st_matrix_exporter_write(&self->base, &view);

    return st_matrix_exporter_nothing(&self->base,
                                      solver ? "there are no constraints yet" : "there is no constraint solver");
}

static st_status compliance_matrix_exporter_init(st_object *object) {
    return st_matrix_exporter_init(object, compliance_matrix_exporter_write);
}

static const st_field fields[] = {
    ST_FIELD(exporter, solver, "constraintSolver", st_type_link, NULL,
             "the constraint solver; the nearest one upwards when not given", .role = ST_ROLE(constraint_solver)),
    ST_FIELDS_END,
};

const st_class st_compliance_matrix_exporter_class = {
    .name = "ComplianceMatrixExporter",
    .help = "writes the compliance of the constraints to files",
    .parent = &st_matrix_exporter_class,
    .fields = fields,
    .size = sizeof(exporter),
    .example = "<ComplianceMatrixExporter format='csv' precision='17' exportEveryNumberOfSteps='10'/>",
    .init = compliance_matrix_exporter_init,
};
