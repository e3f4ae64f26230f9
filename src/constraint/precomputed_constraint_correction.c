// PrecomputedConstraintCorrection: the whole compliance of an object as a dense matrix that is computed once,
//
//     C = φ A⁻¹ at the first step,      W += H C Hᵀ,      x = x_free + C λ,  v = v_free + C λ ψ/φ,
//
// with the factors φ and ψ of the integrator for positions and velocities (dt and 1 of implicit Euler), and kept in a
// file from run to run: n × n reals, row-major, no header, named <node>-<scalars>-<dt>.comp unless fileCompliance says
// otherwise. A file of another size, with numbers that are not finite, or for which C v is not φ A⁻¹ v with a test
// vector v, is not used. With `rotations` the compliance turns with the body: R C Rᵀ, R by the node's rotations (a
// force of the node that knows them; of rigids their orientation).
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/sink.h"
#include "constraint/correction.h"
#include "math/dense.h"
#include "math/quat.h"
#include "scene/element.h"
#include "solver/inverse_file.h"
#include "solver/linear_solver.h"

// n² numbers are held in memory and solved for: larger states are refused.
enum { MOST_SCALARS = 20000, COLUMNS_AT_ONCE = 32 };

typedef struct precomputed {
    st_correction base;
    bool rotations, rest_deformations, recompute;
    char *file;
    char *directory;
    st_real frame_scale;

    st_reals compliance; // n × n
    st_reals inverse;    // of it, for solvers that want the matrix
    bool ready, inverted;
    st_reals turns;    // 9 reals a DOF, with `rotations`
    st_reals response; // C Hᵀ of one row at the touched DOFs
    st_uints touched;  // DOFs that have entries
    st_bools is_touched;
    st_reals columns;
} precomputed;

static const st_field fields[] = {
    ST_FIELD(precomputed, rotations, "rotations", st_type_bool, "0", "the compliance turns with the body"),
    ST_FIELD(precomputed, rest_deformations, "restDeformations", st_type_bool, "0",
             "rotations of rigids are taken relative to the rest orientation"),
    ST_FIELD(precomputed, recompute, "recompute", st_type_bool, "0", "do not look for a file"),
    ST_FIELD(precomputed, base.regularization, "regularizationTerm", st_type_real, "0",
             "compliance added to the rows that act on this object"),
    ST_FIELD(precomputed, file, "fileCompliance", st_type_string, NULL, "file of the compliance",
             .aliases = "filePrefix"),
    ST_FIELD(precomputed, directory, "fileDir", st_type_string, NULL, "folder of the file, where it is kept, too"),
    ST_FIELD(precomputed, frame_scale, "debugViewFrameScale", st_type_real, "1", "", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static st_state *state_of(const precomputed *self) { return self->base.states.data[0]; }
static size_t precomputed_correction_width_of(const precomputed *self) { return self->base.object.dof->deriv; }

// ---------------------------------------------------------------------------------------------------
// The file
// ---------------------------------------------------------------------------------------------------

// Where the file is looked for and kept; NULL when out of memory.
static char *file_path(const precomputed *self, size_t n) {
    const bool named = self->file && *self->file, placed = self->directory && *self->directory;
    char *name = named ? st_string_copy(self->file) : st_inverse_file_name(&self->base.object, n);
    if (!name || !placed) return name;
    char *path = st_string_format("%s/%s", self->directory, name);
    st_free(name);
    return path;
}

// Only a folder or a name that the scene gives is written to.
static void write_file(const precomputed *self, size_t n) {
    if (!(self->directory && *self->directory) && !(self->file && *self->file)) return;
    if (self->base.object.scene->config.read_only) return;
    char *path = file_path(self, n);
    if (path) st_inverse_file_write(&self->base.object, path, n, self->compliance.data);
    st_free(path);
}

// ---------------------------------------------------------------------------------------------------
// The compliance
// ---------------------------------------------------------------------------------------------------

static st_status precomputed_correction_init(st_object *object) {
    precomputed *self = (precomputed *)object;
    if (!st_correction_find_state(object)) return ST_INVALID;

    self->base.integrator = (st_integrator *)st_find_slot(object->node, ST_ROLE(integrator));
    if (!self->base.integrator) return st_invalid(object, "needs an integrator at its node or above");
    if (st_correction_position_factor(&self->base, 0) == 0)
        return st_invalid(object,
                          "the integrator %s does not move positions by the solution of its system: use one that "
                          "does, such as EulerImplicitSolver",
                          st_path(&self->base.integrator->object));
    return ST_OK;
}

// Scalars that do not move: their columns are zero.
static void find_fixed(const precomputed *self, st_plan *plan, st_deriv_id probe, bool *fixed) {
    const st_state *s = state_of(self);
    const size_t n = st_state_scalars(s);
    st_real *v = st_dx_of(s, probe);

    for (size_t i = 0; i < n; i++) v[i] = 1;
    st_plan_project_response(plan, probe);
    for (size_t i = 0; i < n; i++) fixed[i] = v[i] == 0;
}

// Columns of φ A⁻¹ by the factor of the free motion, some at a time.
static st_status solve_columns(precomputed *self, st_linear_solver *solver, size_t offset, size_t n,
                               const bool *fixed) {
    const size_t size = solver->system->size;
    const st_real h = st_correction_position_factor(&self->base, 1);

    if (!st_list_set_count(&self->columns, COLUMNS_AT_ONCE * size, 1)) return ST_OUT_OF_MEMORY;
    st_real *x = self->columns.data;

    for (size_t first = 0; first < n; first += COLUMNS_AT_ONCE) {
        const size_t count = n - first < COLUMNS_AT_ONCE ? n - first : COLUMNS_AT_ONCE;

        // unit forces
        memset(x, 0, count * size * sizeof *x);
        for (size_t c = 0; c < count; c++)
            if (!fixed[first + c]) x[c * size + offset + first + c] = h;

        // their motions
        const st_status status = st_linear_solve_many(solver, count, x, x);
        if (status != ST_OK) return status;
        for (size_t c = 0; c < count; c++)
            for (size_t r = 0; r < n; r++)
                self->compliance.data[r * n + first + c] = fixed[r] ? 0 : x[c * size + offset + r];
    }
    return ST_OK;
}

static st_status precomputed_correction_compute(precomputed *self, st_deriv_id probe, size_t n) {
    st_object *object = &self->base.object;
    st_linear_solver *solver = self->base.integrator->solver;
    const size_t offset = solver && solver->system ? st_correction_offset(solver->system, state_of(self)) : SIZE_MAX;

    if (offset == SIZE_MAX) {
        st_message(object, ST_ERROR, "its state is not part of a linear system that could give the compliance");
        return ST_INVALID;
    }

    bool *fixed = st_alloc(n, sizeof *fixed);
    if (!fixed) return ST_OUT_OF_MEMORY;
    find_fixed(self, solver->system->plan, probe, fixed);
    const st_status status = solve_columns(self, solver, offset, n, fixed);
    st_free(fixed);
    st_list_free(&self->columns);

    if (status == ST_OK) write_file(self, n);
    return status;
}

// Is C v = φ A⁻¹ v for a test vector v? A system that cannot be solved cannot tell.
static bool same_response(const precomputed *self, st_linear_solver *solver, size_t offset, size_t n, const bool *fixed,
                          st_real *x, st_real *response) {
    const st_real h = st_correction_position_factor(&self->base, 1);

    for (size_t i = 0; i < n; i++) x[offset + i] = fixed[i] ? 0 : h * st_inverse_test(i);
    if (st_linear_solve_many(solver, 1, x, x) != ST_OK) return true;

    for (size_t i = 0; i < n; i++) {
        response[i] = 0;
        for (size_t k = 0; k < n; k++) response[i] += self->compliance.data[i * n + k] * st_inverse_test(k);
        if (fixed[i]) x[offset + i] = 0;
    }
    return st_inverse_same(n, response, x + offset);
}

static bool precomputed_correction_fits(const precomputed *self, st_deriv_id probe, size_t n) {
    st_linear_solver *solver = self->base.integrator->solver;
    const size_t offset = solver && solver->system ? st_correction_offset(solver->system, state_of(self)) : SIZE_MAX;

    if (offset == SIZE_MAX || n == 0) return true;

    st_real *x = st_alloc(solver->system->size, sizeof *x), *response = st_alloc(n, sizeof *response);
    bool *fixed = st_alloc(n, sizeof *fixed), same = true;

    if (x && response && fixed) {
        find_fixed(self, solver->system->plan, probe, fixed);
        same = same_response(self, solver, offset, n, fixed, x, response);
    }

    st_free(x);
    st_free(response);
    st_free(fixed);
    return same;
}

static bool precomputed_correction_read_file(precomputed *self, st_deriv_id probe, size_t n) {
    const st_object *object = &self->base.object;
    const bool placed = self->directory && *self->directory;
    if (self->recompute && !placed) return false;

    // in the folder that the scene names, else along the search path
    char *path = file_path(self, n);
    char *found = path && !placed ? st_repository_find(object->scene, NULL, path) : NULL;
    const char *name = found ? found : path;

    bool read = name && st_inverse_file_read(object, name, n, self->compliance.data) == ST_OK;

    if (read && !precomputed_correction_fits(self, probe, n)) {
        st_message(object, ST_WARNING, "the file %s does not hold the compliance of this object: it is computed again",
                   name);
        read = false;
    }

    if (read) st_message(object, ST_INFO, "the compliance is read from %s", name);
    st_free(path);
    st_free(found);
    return read;
}

static st_status make_ready(precomputed *self, st_deriv_id probe) {
    const size_t n = st_state_scalars(state_of(self));
    if (self->ready && self->compliance.count == n * n) return ST_OK;

    if (n > MOST_SCALARS) {
        st_message(&self->base.object, ST_ERROR, "%zu scalars are too many for a dense compliance (at most %d)", n,
                   MOST_SCALARS);
        return ST_INVALID;
    }

    if (!st_list_set_count(&self->compliance, n * n, 1)) return ST_OUT_OF_MEMORY;
    const st_status status =
        precomputed_correction_read_file(self, probe, n) ? ST_OK : precomputed_correction_compute(self, probe, n);

    self->ready = status == ST_OK;
    self->inverted = false;
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Rotations
// ---------------------------------------------------------------------------------------------------

static bool rotations_of_force(precomputed *self) {
    const st_node *node = self->base.object.node;
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (!object->type->force || !object->type->force->rotations || !st_is_valid(object)) continue;
        st_force *force = (st_force *)object;

        if (force->state == state_of(self) && object->type->force->rotations(force, self->turns.data)) return true;
    }
    return false;
}

static void rotations_of_rigids(precomputed *self) {
    const st_state *s = state_of(self);
    for (size_t i = 0; i < s->size; i++) {
        st_real q[4], inverse[4];

        st_quat_copy(q, s->coord[ST_COORD_POSITION].data + 7 * i + 3);
        if (self->rest_deformations && s->coord[ST_COORD_REST].count == s->size) {
            st_quat_inverse(inverse, s->coord[ST_COORD_REST].data + 7 * i + 3);
            st_quat_multiply(q, q, inverse);
        }
        st_quat_to_matrix(self->turns.data + 9 * i, q);
    }
}

static st_status find_rotations(precomputed *self) {
    const st_state *s = state_of(self);
    self->turns.count = 0;
    if (!self->rotations || precomputed_correction_width_of(self) < 3) return ST_OK;

    if (!st_list_set_count(&self->turns, s->size, 9)) return ST_OUT_OF_MEMORY;
    if (self->base.object.dof->rigid) rotations_of_rigids(self);
    else if (!rotations_of_force(self)) {
        self->turns.count = 0;
        st_message_once(&self->base.object, "rotations", ST_WARNING,
                        "no force of its node knows rotations: the compliance does not turn");
    }
    return ST_OK;
}

// r = R a, or Rᵀ a, on each triple of the DOF.
static void precomputed_correction_turn(const precomputed *self, size_t dof, const st_real *a, st_real *r, bool back) {
    const size_t width = precomputed_correction_width_of(self);
    if (self->turns.count == 0) {
        st_copy_reals(r, a, width);
        return;
    }

    const st_real *m = self->turns.data + 9 * dof;

    for (size_t k = 0; k + 3 <= width; k += 3)
        for (size_t i = 0; i < 3; i++) {
            r[k + i] = 0;
            for (size_t j = 0; j < 3; j++) r[k + i] += (back ? m[3 * j + i] : m[3 * i + j]) * a[k + j];
        }
}

// ---------------------------------------------------------------------------------------------------
// Correction
// ---------------------------------------------------------------------------------------------------

// A vector of the state that the solver does not use yet serves to find fixed scalars.
static st_status precomputed_correction_prepare(st_correction *base, const st_constraint_params *params) {
    (void)params;
    precomputed *self = (precomputed *)base;
    if (!st_state_make_deriv(state_of(self), ST_DX)) return ST_OUT_OF_MEMORY;
    const st_status status = make_ready(self, ST_DX);
    return status == ST_OK ? find_rotations(self) : status;
}

static void precomputed_correction_factors(const st_correction *base, const st_constraint_params *params,
                                           st_real *position, st_real *velocity) {
    (void)params;
    *position = 1;
    *velocity = st_correction_velocity_factor(base, 1) / st_correction_position_factor(base, 1);
}

static bool find_touched(precomputed *self) {
    const st_state *s = state_of(self);
    self->touched.count = 0;

    if (!st_list_set_count(&self->is_touched, s->size, 1)) return false;
    memset(self->is_touched.data, 0, s->size * sizeof *self->is_touched.data);

    for (size_t e = 0; e < s->constraint.entries.count; e++) {
        const size_t dof = st_entry_dof(st_jacobian_entry(&s->constraint, precomputed_correction_width_of(self), e));
        if (self->is_touched.data[dof]) continue;
        self->is_touched.data[dof] = true;
        if (!st_list_push(&self->touched, (uint32_t)dof)) return false;
    }
    return st_list_set_count(&self->response, st_state_scalars(s), 1);
}

// response += C h at the DOFs of `to`, in turned axes.
static void precomputed_correction_respond(precomputed *self, size_t dof, const st_real *force, const uint32_t *to,
                                           size_t count) {
    const size_t width = precomputed_correction_width_of(self), n = st_state_scalars(state_of(self));
    st_real h[6];

    precomputed_correction_turn(self, dof, force, h, true);

    for (size_t t = 0; t < count; t++) {
        const size_t target = to ? to[t] : t;
        for (size_t k = 0; k < width; k++) {
            const st_real *row = self->compliance.data + (target * width + k) * n + dof * width;
            st_real sum = 0;
            for (size_t m = 0; m < width; m++) sum += row[m] * h[m];
            self->response.data[target * width + k] += sum;
        }
    }
}

static void clear_response(precomputed *self) {
    const size_t width = precomputed_correction_width_of(self);
    for (size_t t = 0; t < self->touched.count; t++)
        memset(self->response.data + self->touched.data[t] * width, 0, width * sizeof(st_real));
}

// h · R response
static st_real row_product(const precomputed *self, size_t place) {
    const st_jacobian *j = &state_of(self)->constraint;
    const size_t width = precomputed_correction_width_of(self);
    st_real sum = 0;
    for (size_t e = j->starts.data[place]; e < j->starts.data[place + 1]; e++) {
        const st_real *entry = st_jacobian_entry(j, width, e);
        st_real h[6];
        precomputed_correction_turn(self, st_entry_dof(entry), entry + ST_ENTRY_HEAD, h, true);
        for (size_t k = 0; k < width; k++) sum += h[k] * self->response.data[st_entry_dof(entry) * width + k];
    }
    return sum;
}

static st_status precomputed_correction_add_compliance(st_correction *base, const st_constraint_params *params,
                                                       size_t size, st_real *w) {
    precomputed *self = (precomputed *)base;
    const st_jacobian *j = &state_of(self)->constraint;
    const size_t width = precomputed_correction_width_of(self);

    st_real factor = 1, velocity = 1;
    precomputed_correction_factors(base, params, &factor, &velocity);
    if (params->order == ST_ORDER_VELOCITY) factor = velocity;

    if (j->rows.count == 0) return ST_OK;
    if (!find_touched(self)) return ST_OUT_OF_MEMORY;
    for (size_t q = 0; q < j->rows.count; q++) {
        // C hᵀ of row q, at the DOFs that any row touches
        clear_response(self);
        for (size_t e = j->starts.data[q]; e < j->starts.data[q + 1]; e++) {
            const st_real *entry = st_jacobian_entry(j, width, e);
            precomputed_correction_respond(self, st_entry_dof(entry), entry + ST_ENTRY_HEAD, self->touched.data,
                                           self->touched.count);
        }

        // and its product with the rows up to q
        const size_t column = j->rows.data[q];
        for (size_t r = 0; r <= q; r++) {
            const size_t row = j->rows.data[r];
            const st_real value = row_product(self, r) * factor;
            w[row * size + column] += value;
            if (row != column) w[column * size + row] += value;
        }
    }
    return ST_OK;
}

static st_status precomputed_correction_motion(st_correction *base, const st_constraint_params *params) {
    precomputed *self = (precomputed *)base;
    const st_state *s = state_of(self);
    const size_t width = precomputed_correction_width_of(self);

    if (s->size == 0) return ST_OK;
    if (!find_touched(self)) return ST_OUT_OF_MEMORY;

    const st_real *lambda = st_force_of(s, params->lambda);
    st_real *dx = st_dx_of(s, params->dx);
    memset(self->response.data, 0, st_state_scalars(s) * sizeof(st_real));
    for (size_t t = 0; t < self->touched.count; t++)
        precomputed_correction_respond(self, self->touched.data[t], lambda + self->touched.data[t] * width, NULL,
                                       s->size);

    for (size_t i = 0; i < s->size; i++)
        precomputed_correction_turn(self, i, self->response.data + i * width, dx + i * width, false);
    return ST_OK;
}

// --- the matrix: A = C⁻¹, turned; scalars that do not move have a unit diagonal

static bool precomputed_correction_invert(precomputed *self, size_t n) {
    if (self->inverted) return true;

    st_real *a = st_alloc(n * n, sizeof *a);
    uint32_t *pivots = st_alloc(n, sizeof *pivots);
    bool ok = a && pivots && st_list_set_count(&self->inverse, n * n, 1);

    // scalars that do not move have a unit diagonal
    if (ok) {
        st_copy_reals(a, self->compliance.data, n * n);
        for (size_t i = 0; i < n; i++)
            if (a[i * n + i] == 0) a[i * n + i] = 1;
        ok = st_dense_factor(a, pivots, n);
    }

    for (size_t i = 0; ok && i < n; i++) { // C is symmetric: columns of the inverse are its rows
        st_real *row = self->inverse.data + i * n;
        memset(row, 0, n * sizeof *row);
        row[i] = 1;
        st_dense_solve_factored(row, a, pivots, n);
    }

    st_free(a);
    st_free(pivots);
    return self->inverted = ok;
}

// R_i A_ij R_jᵀ
static void turn_block(const precomputed *self, size_t i, size_t j, st_real block[36]) {
    const size_t width = precomputed_correction_width_of(self), n = st_state_scalars(state_of(self));
    st_real half[36], column[6], turned[6];
    for (size_t k = 0; k < width; k++) // rows times R_jᵀ
        precomputed_correction_turn(self, j, self->inverse.data + (i * width + k) * n + j * width, half + k * width,
                                    false);

    // columns times R_i
    for (size_t c = 0; c < width; c++) {
        for (size_t k = 0; k < width; k++) column[k] = half[k * width + c];
        precomputed_correction_turn(self, i, column, turned, false);
        for (size_t k = 0; k < width; k++) block[k * width + c] = turned[k];
    }
}

static bool precomputed_correction_add_matrix(st_correction *base, st_accumulator *to) {
    precomputed *self = (precomputed *)base;
    const st_state *s = state_of(self);
    const size_t n = st_state_scalars(s), width = precomputed_correction_width_of(self);
    if (n > ST_MOST_INVERTED || (n && !precomputed_correction_invert(self, n))) return false;

    st_sink *sink = to->between(to, s, s);
    st_real block[36];
    for (size_t i = 0; i < s->size; i++)
        for (size_t j = 0; j < s->size; j++) {
            turn_block(self, i, j, block);
            sink->add(sink, i * width, j * width, (int)width, (int)width, block);
        }
    return true;
}

static void precomputed_correction_destroy(st_object *object) {
    precomputed *self = (precomputed *)object;
    st_list_free(&self->compliance);
    st_list_free(&self->inverse);
    st_list_free(&self->turns);
    st_list_free(&self->response);
    st_list_free(&self->touched);
    st_list_free(&self->is_touched);
    st_list_free(&self->columns);
    st_correction_destroy(object);
}

static const st_correction_ops ops = {.prepare = precomputed_correction_prepare,
                                      .add_compliance = precomputed_correction_add_compliance,
                                      .motion = precomputed_correction_motion,
                                      .factors = precomputed_correction_factors,
                                      .add_matrix = precomputed_correction_add_matrix};

const st_class st_precomputed_constraint_correction_class = {
    .name = "PrecomputedConstraintCorrection",
    .help = "constraint correction with a compliance that is computed once, or read from a file",
    .parent = &st_correction_class,
    .templates = "Rigid3 Vec1 Vec3",
    .fields = fields,
    .size = sizeof(precomputed),
    .example = "<EulerImplicitSolver/><SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/>"
               "<MechanicalObject position='0 0 0  1 0 0'/><UniformMass totalMass='2'/>"
               "<PrecomputedConstraintCorrection/>"
               "<BilateralLagrangianConstraint first_point='0' second_point='1' rest_vector='1 0 0'/>",
    .accepts = st_correction_accepts,
    .init = precomputed_correction_init,
    .destroy = precomputed_correction_destroy,
    .correction = &ops,
};
