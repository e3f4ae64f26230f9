// Preconditioner by the dense inverse of the first matrix, turned with the body: z = R A₀⁻¹ Rᵀ r, where R tells how far
// each point has turned since A₀ was inverted.
//
// The inverse is computed column by column with the linked solver, or with a SparseLDLSolver of its own, and can be
// kept in a file (inverse_file.h) that holds A₀⁻¹ f, f the position factor of the integrator. A file is used only if
//
//     A₀ (A₀⁻¹ v) = v        holds for a test vector v.
//
// Compatibility: in SOFA its PrecomputedMatrixSystem is empty, and the preconditioner writes no solution.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#include <tgmath.h>

#include "base/array.h"
#include "scene/scene.h"
#include "solver/inverse_file.h"
#include "solver/linear_solver.h"
#include "system/rotations.h"

typedef struct precomputed_warp {
    st_linear_solver solver;
    bool two_steps, use_file, share_matrix, use_rotations;
    st_linear_solver *inverter;
    st_real draw_scale;

    st_real *inverse; // n x n, row-major
    size_t size;      // n; 0: not computed yet
    st_reals work;    // 4 n: three of the test, and the right-hand side that waits
    st_rotations rotations;
    st_object *finder;
} precomputed_warp;

// ---------------------------------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------------------------------

static bool precomputed_warp_preconditioner_accepts(st_object *object) {
    const st_object *state = st_find_slot(object->node, ST_ROLE(state));
    if (state && state->dof == &st_vec3) return true;
    return st_refuse(object, "it needs a state of type Vec3 in its node");
}

// As in SOFA: its system stays without a matrix, and it has no effect.
static bool is_left_empty(const st_system *system) {
    const st_system_ops *ops = system->object.type->system;
    return ops->is_left_empty && ops->is_left_empty(system);
}

// Without a linked solver it makes one, on its own system.
static st_status make_inverter(precomputed_warp *self) {
    st_object *object = &self->solver.object;
    st_object *made = st_add_object(object->node, "SparseLDLSolver", "CompressedRowSparseMatrixd", NULL, false);
    if (!made) return st_invalid(object, "no linear solver could be created for the inverse");

    self->inverter = (st_linear_solver *)made;
    self->inverter->system = self->solver.system;
    st_message(object, ST_INFO, "no linearSolver is linked: a SparseLDLSolver is created, %s", st_path(made));
    return ST_OK;
}

static st_status precomputed_warp_preconditioner_init(st_object *object) {
    precomputed_warp *self = (precomputed_warp *)object;
    if (!self->inverter && st_is_set(object, &self->inverter))
        return st_invalid(object, "the link linearSolver leads to no linear solver");
    if (self->inverter && (&self->inverter->object == object || st_is_matrix_free(&self->inverter->object)))
        return st_invalid(object, "its linearSolver must be another solver, with an assembled system");

    // a system of its own, whose matrix is assembled once
    const st_status status = st_linear_solver_init(object, "PrecomputedMatrixSystem", "CompressedRowSparseMatrixd");
    if (status != ST_OK || self->inverter || is_left_empty(self->solver.system)) return status;
    return make_inverter(self);
}

// ---------------------------------------------------------------------------------------------------
// The inverse
// ---------------------------------------------------------------------------------------------------

// y = A₀⁻¹ x
static void precomputed_warp_preconditioner_multiply(const precomputed_warp *self, const st_real *x, st_real *y) {
    const size_t n = self->size;
    for (size_t i = 0; i < n; i++) {
        const st_real *row = self->inverse + i * n;
        st_real sum = 0;
        for (size_t j = 0; j < n; j++) sum += row[j] * x[j];
        y[i] = sum;
    }
}

static bool read_inverse(precomputed_warp *self, st_system *system, const char *name, st_real factor) {
    const st_object *object = &self->solver.object;
    const size_t n = self->size;
    if (st_inverse_file_read(object, name, n, self->inverse) != ST_OK) return false;

    for (size_t i = 0; i < n * n; i++) self->inverse[i] /= factor;
    if (st_inverse_fits(system, self->inverse, 1, self->work.data)) {
        st_message(object, ST_INFO, "the inverse is read from %s", name);
        return true;
    }

    st_message(object, ST_WARNING, "the file %s does not hold the inverse of this matrix: it is computed again", name);
    return false;
}

static st_status compute_inverse(precomputed_warp *self, st_system *system) {
    const size_t n = self->size;
    for (size_t column = 0; column < n; column++) {
        memset(system->rhs, 0, n * sizeof *system->rhs);
        memset(system->solution, 0, n * sizeof *system->solution);
        system->rhs[column] = 1;

        const st_status status = st_linear_solve(self->inverter);
        if (status != ST_OK) return status;
        for (size_t i = 0; i < n; i++) self->inverse[i * n + column] = system->solution[i];
    }

    return ST_OK;
}

static void keep_inverse(precomputed_warp *self, const char *name, st_real factor) {
    const size_t count = self->size * self->size;

    // the file holds A₀⁻¹ f
    for (size_t i = 0; i < count; i++) self->inverse[i] *= factor;
    st_inverse_file_write(&self->solver.object, name, self->size, self->inverse);
    for (size_t i = 0; i < count; i++) self->inverse[i] /= factor;
}

static st_status make_inverse(precomputed_warp *self, st_system *system) {
    const st_object *object = &self->solver.object;
    char *name = self->use_file ? st_inverse_file_name(object, self->size) : NULL;

    const st_real factor = st_inverse_file_factor(object);
    st_status status = ST_OK;

    // from the file, or column by column
    if (!name || !read_inverse(self, system, name, factor)) {
        status = compute_inverse(self, system);
        if (status == ST_OK && name) keep_inverse(self, name, factor);
    }

    st_free(name);
    return status;
}

static st_status precomputed_warp_preconditioner_reserve(precomputed_warp *self, size_t n) {
    st_free(self->inverse);
    self->inverse = st_alloc(n, n * sizeof *self->inverse);
    if (self->inverse && st_list_set_count(&self->work, 4 * n, 1)) return ST_OK;
    st_message(&self->solver.object, ST_ERROR, "out of memory for the inverse of %zu x %zu", n, n);
    return ST_OUT_OF_MEMORY;
}

static st_status precomputed_warp_preconditioner_begin(precomputed_warp *self) {
    st_system *own = self->solver.system;
    st_system *system = self->inverter ? self->inverter->system : NULL;

    self->size = 0;
    if (!system) {
        st_message(&self->solver.object, ST_ERROR, "its linearSolver has no linear system");
        return ST_FAILED;
    }

    // the inverter may have a system of its own: it gets the same factors
    st_status status = system == own ? ST_OK : system->object.type->system->build(system, &own->params);
    if (status == ST_OK) status = precomputed_warp_preconditioner_reserve(self, own->size);
    if (status != ST_OK) return status;

    if (system->size != own->size) {
        st_message(&self->solver.object, ST_ERROR, "its linearSolver has %zu unknowns, its own system %zu",
                   system->size, own->size);
        return ST_FAILED;
    }

    // Where its own system serves the inverter, too, the right-hand side that was handed over waits aside.
    self->size = own->size;
    st_real *waiting = self->work.data + 3 * own->size;
    st_copy_reals(waiting, own->rhs, own->size);

    status = make_inverse(self, system);
    st_copy_reals(own->rhs, waiting, own->size);
    if (status != ST_OK) self->size = 0;

    return status;
}

static st_status update_rotations(precomputed_warp *self, bool first) {
    if (!self->use_rotations) return ST_OK;
    const st_object *object = &self->solver.object;

    if (!self->finder) self->finder = st_rotations_find(object->node);
    if (!st_rotations_update(&self->rotations, self->solver.system->plan, self->finder, object)) return ST_FAILED;
    if (first) st_rotations_mark(&self->rotations);
    return ST_OK;
}

static st_status precomputed_warp_preconditioner_invert(st_linear_solver *solver) {
    precomputed_warp *self = (precomputed_warp *)solver;
    if (is_left_empty(solver->system)) {
        st_message_once(&solver->object, "empty", ST_WARNING,
                        "as in SOFA its PrecomputedMatrixSystem stays empty and it has no effect: a PCGLinearSolver "
                        "that uses it gives its first guess back. It works with --no-compat");
        return ST_OK;
    }

    const bool first = self->size == 0 || self->size != solver->system->size;
    const st_status status = first ? precomputed_warp_preconditioner_begin(self) : ST_OK;
    return status == ST_OK ? update_rotations(self, first) : status;
}

static st_status precomputed_warp_preconditioner_solve(st_linear_solver *solver) {
    precomputed_warp *self = (precomputed_warp *)solver;
    st_system *system = solver->system;
    if (is_left_empty(system)) return ST_OK;
    if (self->size != system->size) return ST_FAILED;

    if (!self->use_rotations) {
        precomputed_warp_preconditioner_multiply(self, system->rhs, system->solution);
        return ST_OK;
    }

    // z = R A₀⁻¹ Rᵀ r
    st_real *turned = self->work.data;
    st_rotations_apply(&self->rotations, true, system->rhs, turned);
    precomputed_warp_preconditioner_multiply(self, turned, system->solution);
    st_rotations_apply(&self->rotations, false, system->solution, system->solution);

    return ST_OK;
}

static void precomputed_warp_preconditioner_reset(st_object *object) {
    precomputed_warp *self = (precomputed_warp *)object;
    self->size = 0;
    st_linear_solver_class.reset(object);
}

static void precomputed_warp_preconditioner_destroy(st_object *object) {
    precomputed_warp *self = (precomputed_warp *)object;
    st_free(self->inverse);
    st_list_free(&self->work);
    st_rotations_free(&self->rotations);
}

static const st_field fields[] = {
    ST_FIELD(precomputed_warp, two_steps, "jmjt_twostep", st_type_bool, "1", "how products with constraints are made",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(precomputed_warp, use_file, "use_file", st_type_bool, "1",
             "keep the inverse in the file <node>-<unknowns>-<dt>.comp of the working directory"),
    ST_FIELD(precomputed_warp, share_matrix, "share_matrix", st_type_bool, "1",
             "share the inverse with others in the process; here each has its own", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(precomputed_warp, inverter, "linearSolver", st_type_link, NULL,
             "linear solver that computes the inverse; without it a SparseLDLSolver is created",
             .role = ST_ROLE(linear_solver)),
    ST_FIELD(precomputed_warp, use_rotations, "use_rotations", st_type_bool, "1", "turn the inverse with the body"),
    ST_FIELD(precomputed_warp, draw_scale, "draw_rotations_scale", st_type_real, "0", "length of drawn rotations",
             .flags = ST_FIELD_DISPLAY | ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.invert = precomputed_warp_preconditioner_invert,
                                         .solve = precomputed_warp_preconditioner_solve};

const st_class st_precomputed_warp_preconditioner_class = {
    .name = "PrecomputedWarpPreconditioner",
    .help = "preconditioner by the inverse of the first matrix, turned with the body",
    .parent = &st_linear_solver_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(precomputed_warp),
    .example = "<EulerImplicitSolver/>\n"
               "<PCGLinearSolver iterations=\"50\" tolerance=\"1e-9\" preconditioner=\"@warp\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1\"/>\n"
               "<PrecomputedWarpPreconditioner name=\"warp\" use_file=\"0\"/>\n"
               "<MeshTopology tetrahedra=\"0 1 2 3\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<FixedProjectiveConstraint indices=\"0\"/>\n"
               "<TetrahedronFEMForceField youngModulus=\"500\" poissonRatio=\"0.3\" method=\"large\"/>",
    .accepts = precomputed_warp_preconditioner_accepts,
    .init = precomputed_warp_preconditioner_init,
    .reset = precomputed_warp_preconditioner_reset,
    .destroy = precomputed_warp_preconditioner_destroy,
    .linear_solver = &ops,
};
