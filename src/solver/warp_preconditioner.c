// Preconditioner that turns an old factorization with the body: z = R S⁻¹ Rᵀ r, where S is the matrix of the wrapped
// solver as it was last assembled and R (a RotationMatrixSystem) how far the points have turned since.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "solver/linear_solver.h"

typedef struct warp {
    st_linear_solver solver;
    st_linear_solver *wrapped;
    bool use_rotation_finder;
    uint32_t update_step;
    bool solving;
} warp;

static void find_wrapped(warp *self) {
    const st_node *node = self->solver.object.node;
    for (size_t i = 0; i < node->objects.count && !self->wrapped; i++)
        if (st_has_role(node->objects.data[i], ST_ROLE(linear_solver)))
            self->wrapped = (st_linear_solver *)node->objects.data[i];
}

static st_status warp_preconditioner_init(st_object *object) {
    warp *self = (warp *)object;
    if (!self->wrapped && st_is_set(object, &self->wrapped))
        return st_invalid(object, "the link linearSolver leads to no linear solver");

    // which solver is wrapped
    if (!self->wrapped) find_wrapped(self);
    if (!self->wrapped || &self->wrapped->object == object)
        return st_invalid(object, "it needs another linear solver to wrap: name it with linearSolver=\"@...\"");

    if (st_is_matrix_free(&self->wrapped->object))
        return st_invalid(object,
                          "the linear solver %s is matrix-free; it must have an assembled system: name another "
                          "one with linearSolver=\"@...\"",
                          st_path(&self->wrapped->object));

    // the system of rotations
    const st_status status = st_linear_solver_init(object, "RotationMatrixSystem", "RotationMatrixd");
    if (status != ST_OK) return status;

    if (!self->solver.system->object.type->system->rotate)
        return st_invalid(object, "its linear system %s must be a RotationMatrixSystem",
                          st_path(&self->solver.system->object));

    return ST_OK;
}

static st_status solve_wrapped(warp *self) {
    if (self->solving) {
        st_message(&self->solver.object, ST_ERROR, "the wrapped solver leads back to this preconditioner");
        return ST_FAILED;
    }

    self->solving = true;
    const st_status status = st_linear_solve(self->wrapped);
    self->solving = false;
    return status;
}

static st_status warp_preconditioner_solve(st_linear_solver *solver) {
    warp *self = (warp *)solver;
    st_system *system = solver->system, *inner = self->wrapped ? self->wrapped->system : NULL;
    const st_system_ops *ops = system->object.type->system;

    if (!inner || inner->size != system->size) {
        st_message(&solver->object, ST_ERROR, "the wrapped solver's system has %zu unknowns, the rotations are for %zu",
                   inner ? inner->size : 0, system->size);
        return ST_FAILED;
    }

    // z = R S⁻¹ Rᵀ r
    st_status status = ops->rotate(system, true, system->rhs, inner->rhs);
    if (status == ST_OK) status = solve_wrapped(self);
    if (status == ST_OK) status = ops->rotate(system, false, inner->solution, system->solution);

    return status;
}

static const st_field fields[] = {
    ST_FIELD(warp, wrapped, "linearSolver", st_type_link, NULL,
             "linear solver that is warped; without it the first one of the node", .role = ST_ROLE(linear_solver)),
    ST_FIELD(warp, use_rotation_finder, "useRotationFinder", st_type_bool, "0",
             "rotationFinder of the RotationMatrixSystem says who tells the rotations", .flags = ST_FIELD_REMOVED),
    ST_FIELD(warp, update_step, "update_step", st_type_uint, "1",
             "assemblingRate of the RotationMatrixSystem says how often the matrix is assembled",
             .flags = ST_FIELD_REMOVED),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.solve = warp_preconditioner_solve};

const st_class st_warp_preconditioner_class = {
    .name = "WarpPreconditioner",
    .help = "preconditioner that turns the factorization of another solver with the body",
    .parent = &st_linear_solver_class,
    .templates = "RotationMatrixd",
    .default_template = "RotationMatrixd",
    .fields = fields,
    .size = sizeof(warp),
    .example = "<EulerImplicitSolver/>\n"
               "<PCGLinearSolver iterations=\"50\" tolerance=\"1e-9\" preconditioner=\"@warp\"/>\n"
               "<WarpPreconditioner name=\"warp\" linearSolver=\"@ldl\"/>\n"
               "<SparseLDLSolver name=\"ldl\" template=\"CompressedRowSparseMatrixMat3x3d\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1\"/>\n"
               "<MeshTopology tetrahedra=\"0 1 2 3\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<FixedProjectiveConstraint indices=\"0\"/>\n"
               "<TetrahedronFEMForceField youngModulus=\"500\" poissonRatio=\"0.3\" method=\"large\"/>",
    .init = warp_preconditioner_init,
    .linear_solver = &ops,
};
