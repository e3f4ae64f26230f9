// The system of a PCGLinearSolver: matrix-free itself, it has the assembled system of the preconditioner built every
// `assemblingRate` times that it is built. The first build always does both, and so does one after the states changed
// their sizes.
//
// SPDX-License-Identifier: Apache-2.0
#include "system/preconditioned_matrix_free_system.h"

#include <string.h>

typedef st_preconditioned_matrix_free_system preconditioned;

static void begin_counting(preconditioned *self) { self->builds = self->rate; }

static st_status preconditioned_matrix_free_system_init(st_object *object) {
    begin_counting((preconditioned *)object);
    return ST_OK;
}

static void preconditioned_matrix_free_system_reset(st_object *object) {
    begin_counting((preconditioned *)object);
    st_matrix_free_reset(object);
}

static st_status build_preconditioner(preconditioned *self, const st_params *params) {
    st_system *system = &self->matrix_free.system, *other = self->preconditioner;
    self->builds += self->builds < UINT32_MAX;

    // it is not its turn
    if (self->builds < self->rate && other->version > 0 && other->size == system->size) return ST_OK;

    if (self->building || other == system) {
        st_message(&system->object, ST_ERROR, "preconditionerSystem leads back to this system");
        return ST_FAILED;
    }

    self->builds = 0;
    self->building = true;
    const st_status status = other->object.type->system->build(other, params);
    self->building = false;

    return status;
}

static st_status preconditioned_matrix_free_system_build(st_system *system, const st_params *params) {
    preconditioned *self = (preconditioned *)system;

    // its own vectors first: they tell the size
    const st_status status = st_matrix_free_build(system, params);
    return status == ST_OK && self->preconditioner ? build_preconditioner(self, params) : status;
}

static void preconditioned_matrix_free_system_set_preconditioner(st_system *system, st_system *preconditioner) {
    preconditioned *self = (preconditioned *)system;
    if (!self->preconditioner) self->preconditioner = preconditioner;
}

static const st_field fields[] = {
    ST_FIELD(preconditioned, preconditioner, "preconditionerSystem", st_type_link, NULL,
             "linear system of the preconditioner; set by the PCGLinearSolver", .role = ST_ROLE(system)),
    ST_FIELD(preconditioned, rate, "assemblingRate", st_type_uint, "1",
             "the preconditioner's system is built every so many builds of this one", .aliases = "update_step"),
    ST_FIELDS_END,
};

static const st_system_ops ops = {.build = preconditioned_matrix_free_system_build,
                                  .multiply = st_matrix_free_multiply,
                                  .matrix = st_matrix_free_matrix,
                                  .keep_sum_order = st_matrix_free_keep_sum_order,
                                  .set_preconditioner = preconditioned_matrix_free_system_set_preconditioner};

const st_class st_preconditioned_matrix_free_system_class = {
    .name = "PreconditionedMatrixFreeSystem",
    .help = "matrix-free linear system that has the system of a preconditioner assembled",
    .parent = &st_matrix_free_system_class,
    .templates = "GraphScattered",
    .default_template = "GraphScattered",
    .fields = fields,
    .size = sizeof(preconditioned),
    .example = "<EulerImplicitSolver/>\n"
               "<PreconditionedMatrixFreeSystem assemblingRate=\"2\"/>\n"
               "<PCGLinearSolver iterations=\"50\" tolerance=\"1e-9\" preconditioner=\"@ssor\"/>\n"
               "<SSORPreconditioner name=\"ssor\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<SpringForceField spring=\"0 1 100 1 0.9\"/>",
    .init = preconditioned_matrix_free_system_init,
    .reset = preconditioned_matrix_free_system_reset,
    .system = &ops,
};
