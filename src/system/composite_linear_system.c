// Several linear systems that are built together, of which one is solved: A for the solver, and beside it, say, K and M
// alone for whoever wants to look at them.
//
// Every build, right-hand side and solution goes to all systems of the list, in its order; matrix and product are those
// of `solverLinearSystem`.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "system/system.h"

typedef struct composite {
    st_system system;
    ST_LIST(st_object *) systems;
    st_system *solved;
    bool building;
    bool built;        // since the last reset
    size_t built_size; // unknowns
} composite;

extern const st_class st_composite_linear_system_class;

static bool same_storage(const composite *self, const st_object *system) {
    const char *own = self->system.object.template_, *other = system->template_;

    // templates are compared by name
    return own && other && strcmp(own, other) == 0;
}

static bool composite_system_has(const composite *self, const st_object *system) {
    for (size_t i = 0; i < self->systems.count; i++)
        if (self->systems.data[i] == system) return true;
    return false;
}

static st_status choose_solved(composite *self) {
    st_object *object = &self->system.object;
    for (size_t i = 0; i < self->systems.count && !self->solved; i++)
        if (self->systems.data[i] && same_storage(self, self->systems.data[i]))
            self->solved = (st_system *)self->systems.data[i];

    if (!self->solved)
        return st_invalid(object,
                          "none of its linearSystems has its template %s: say which one is to be solved with "
                          "solverLinearSystem=\"@...\"",
                          object->template_ ? object->template_ : "");

    return ST_OK;
}

static st_status composite_system_init(st_object *object) {
    composite *self = (composite *)object;
    if (self->systems.count == 0 && !self->solved)
        return st_invalid(object, "it has no systems: name them with linearSystems=\"@...\" and solverLinearSystem");

    // which one is solved; it is one of the list
    if (!self->solved) {
        const st_status status = choose_solved(self);
        if (status != ST_OK) return status;
    }

    if (!composite_system_has(self, &self->solved->object)) {
        if (self->systems.count > 0)
            st_message(object, ST_INFO, "%s is not among its linearSystems; it is added",
                       st_path(&self->solved->object));
        if (!st_list_push(&self->systems, &self->solved->object)) return st_invalid(object, "out of memory");
    }

    // composites do not nest
    for (size_t i = 0; i < self->systems.count; i++)
        if (self->systems.data[i] && st_is_a(self->systems.data[i], &st_composite_linear_system_class))
            return st_invalid(object, "its system %s is a CompositeLinearSystem, too: list the systems of that one",
                              st_path(self->systems.data[i]));

    return ST_OK;
}

// Parts are looked at again at every use: links can be written while the scene runs.
static st_system *composite_system_part(st_system *system, size_t index) {
    const composite *self = (const composite *)system;
    for (size_t i = 0, seen = 0; i < self->systems.count; i++) {
        st_object *object = self->systems.data[i];
        if (!st_has_role(object, ST_ROLE(system)) || object->type->system->part) continue;

        if (seen++ == index) return (st_system *)object;
    }

    return NULL;
}

static st_status build_parts(composite *self, const st_params *params) {
    st_system *one;
    for (size_t i = 0; (one = composite_system_part(&self->system, i)); i++) {
        // in the order of the list
        const st_status status = one->object.type->system->build(one, params);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

static st_status composite_system_build(st_system *system, const st_params *params) {
    composite *self = (composite *)system;
    if (!st_is_valid(&system->object) || self->building) {
        st_message(&system->object, ST_ERROR,
                   self->building ? "one of its systems builds this one" : "it is not valid: nothing is assembled");
        return ST_FAILED;
    }

    st_status status = st_system_prepare(system);
    if (status != ST_OK) return status;
    if (!system->enable_assembly && self->built && self->built_size == system->size) return ST_OK;

    // one of the systems may lead back here
    self->building = true;
    status = build_parts(self, params);
    self->building = false;
    self->built = status == ST_OK;
    self->built_size = system->size;

    if (status != ST_OK) return status;

    system->params = *params;
    system->version++;
    system->factorization_invalid = true;

    return ST_OK;
}

static st_status composite_system_multiply(st_system *system, const st_real *p, st_real *q) {
    st_system *solved = ((composite *)system)->solved;
    if (solved && solved != system && solved->size == system->size)
        return solved->object.type->system->multiply(solved, p, q);

    st_message(&system->object, ST_ERROR, "its solverLinearSystem has %zu unknowns, it has %zu",
               solved ? solved->size : 0, system->size);
    return ST_FAILED;
}

static const st_bsr *composite_system_matrix(st_system *system) {
    // a link may lead to anything while the scene runs
    st_system *solved = ((composite *)system)->solved;
    const st_system_ops *ops = solved && solved != system ? solved->object.type->system : NULL;
    return ops && !ops->part && ops->matrix ? ops->matrix(solved) : NULL;
}

static void composite_system_reset(st_object *object) { ((composite *)object)->built = false; }

static const st_field fields[] = {
    ST_FIELD(composite, systems, "linearSystems", st_type_links, NULL, "linear systems that are built",
             .role = ST_ROLE(system)),
    ST_FIELD(composite, solved, "solverLinearSystem", st_type_link, NULL,
             "the one that the linear solver solves; without it the first of the list with this template",
             .role = ST_ROLE(system)),
    ST_FIELDS_END,
};

static const st_system_ops ops = {.build = composite_system_build,
                                  .multiply = composite_system_multiply,
                                  .matrix = composite_system_matrix,
                                  .part = composite_system_part};

const st_class st_composite_linear_system_class = {
    .name = "CompositeLinearSystem",
    .help = "several linear systems that are built together, of which one is solved",
    .parent = &st_system_class,
    .templates = "BTDMatrix6d BlockDiagonalMatrixMat3x3d CompressedRowSparseMatrixMat2x2d "
                 "CompressedRowSparseMatrixMat3x3d CompressedRowSparseMatrixMat4x4d CompressedRowSparseMatrixMat6x6d "
                 "CompressedRowSparseMatrixMat8x8d CompressedRowSparseMatrixd DiagonalMatrix FullMatrix GraphScattered "
                 "RotationMatrixd SparseMatrix",
    .default_template = "BTDMatrix6d", // SOFA flags none, and takes the first in alphabetical order
    .fields = fields,
    .size = sizeof(composite),
    .example = "<EulerImplicitSolver/>\n"
               "<MatrixLinearSystem template=\"CompressedRowSparseMatrixd\" name=\"A\"/>\n"
               "<MatrixLinearSystem template=\"CompressedRowSparseMatrixd\" name=\"K\" assembleMass=\"0\"/>\n"
               "<CompositeLinearSystem template=\"CompressedRowSparseMatrixd\" name=\"all\" linearSystems=\"@A @K\" "
               "solverLinearSystem=\"@A\"/>\n"
               "<SparseLDLSolver template=\"CompressedRowSparseMatrixd\" linearSystem=\"@all\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<SpringForceField spring=\"0 1 100 1 0.9\"/>",
    .init = composite_system_init,
    .reset = composite_system_reset,
    .system = &ops,
};
