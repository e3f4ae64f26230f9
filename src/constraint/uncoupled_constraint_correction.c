// UncoupledConstraintCorrection: a compliance per DOF, without coupling between them.
//
//     C = diag(c_i):   Vec      c_i times the vector
//                      Rigid3   c₀ times the linear part, a symmetric 3 × 3 times the angular one
//
// Without values, that of a rigid comes from the mass of the node: ω / m and ω J⁻¹ along the world's axes, ω = 1 with
// the factors of the integrator, else h².
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/correction.h"
#include "math/mat3.h"
#include "scene/compat.h"
#include "state/sink.h"

enum { RIGID_VALUES = 7 };

typedef struct uncoupled {
    st_correction base;
    st_reals compliance;
    st_real default_compliance;
    bool use_factors;
    st_real velocity_factor, position_factor;
    bool verbose;
    st_object *topology;

    ST_LIST(size_t) column_starts, column_entries; // entries of H by DOF
    st_reals sums;                                 // of one row of W
    st_uints reached;                              // rows that have one
    st_bools seen;                                 //
    st_reals force, displacement;                  // of the unbuilt solvers
} uncoupled;

static bool is_rigid(const uncoupled *self) { return self->base.object.dof->rigid; }
static st_state *state_of(const uncoupled *self) { return self->base.states.data[0]; }
static size_t uncoupled_correction_width_of(const uncoupled *self) { return self->base.object.dof->deriv; }

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static void init_vector(uncoupled *self) {
    st_object *object = &self->base.object;
    const size_t size = state_of(self)->size;
    const bool has_default = st_is_set(object, &self->default_compliance);

    if (!has_default && !st_is_set(object, &self->compliance))
        st_message(object, ST_WARNING, "neither compliance nor defaultCompliance is given: %g is used for every DOF",
                   (double)self->default_compliance);

    if (self->compliance.count == 1 && has_default && self->compliance.data[0] == self->default_compliance)
        self->compliance.count = 0;
    if (self->compliance.count == 0 || self->compliance.count == size) return;

    // a list of another length: one value for all
    if (!has_default) self->default_compliance = self->compliance.data[0];
    st_message(object, ST_WARNING, "compliance has %zu values, the state %zu DOFs: %g is used for all of them",
               self->compliance.count, size, (double)self->default_compliance);
    self->compliance.count = 0;
}

// The 6 × 6 block of the first DOF.
typedef struct block_sink {
    st_sink sink;
    st_real m[36];
} block_sink;

static void add_to_block(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    block_sink *self = (block_sink *)sink;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            if (row + r < 6 && col + c < 6) self->m[(row + r) * 6 + col + c] += block[r * cols + c];
}

static bool mass_of_node(const uncoupled *self, st_real *mass, st_real inertia[9]) {
    st_mass *found = (st_mass *)st_find(self->base.object.node, ST_ROLE(mass), ST_LOCAL);
    if (!found || !st_is_valid(&found->force.object) || found->force.state != state_of(self) ||
        !found->force.object.type->mass->matrix)
        return false;

    // M of the first rigid: m on the diagonal, J in the lower right
    block_sink sink = {.sink = {.add = add_to_block}};
    st_single_accumulator accumulator;
    st_single_accumulator_init(&accumulator, &sink.sink);
    found->force.object.type->mass->matrix(found, (st_inertia){&accumulator.accumulator});

    *mass = sink.m[0];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) inertia[3 * r + c] = sink.m[6 * (r + 3) + c + 3];
    return true;
}

// One set of 7 values holds for every rigid.
static st_status init_rigid(uncoupled *self) {
    st_object *object = &self->base.object;
    if (self->compliance.count == RIGID_VALUES) return ST_OK;

    // ω; a given default leaves J = 1
    const st_real h = object->node->dt;
    const st_real omega = self->use_factors || !self->base.integrator ? 1 : h * h;
    st_real mass = 1, inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, inverse[9];

    const bool has_default = st_is_set(object, &self->default_compliance);
    if (!has_default && !mass_of_node(self, &mass, inertia))
        return st_invalid(object, "needs 7 values of compliance, defaultCompliance, or a mass in its node that gives "
                                  "the compliance of a rigid: its object will not move");

    if (!(mass > 0) || !st_mat3_inverse_above(inverse, inertia, 0))
        return st_invalid(object,
                          "the mass of its node (%g, or its inertia) cannot be inverted: its object will not "
                          "move",
                          (double)mass);

    // c₀, and the upper triangle of J⁻¹ row by row
    if (!st_list_set_count(&self->compliance, RIGID_VALUES, 1)) return ST_OUT_OF_MEMORY;
    const st_real values[RIGID_VALUES] = {has_default ? self->default_compliance : omega / mass,
                                          omega * inverse[0],
                                          omega * inverse[1],
                                          omega * inverse[2],
                                          omega * inverse[4],
                                          omega * inverse[5],
                                          omega * inverse[8]};
    st_copy_reals(self->compliance.data, values, RIGID_VALUES);
    return ST_OK;
}

static st_status check_values(uncoupled *self) {
    st_object *object = &self->base.object;
    static const bool diagonal[RIGID_VALUES] = {true, true, false, false, true, false, true};

    if (self->default_compliance == 0) return st_invalid(object, "defaultCompliance is 0: its object will not move");
    for (size_t i = 0; i < self->compliance.count; i++)
        if (self->compliance.data[i] == 0 && (!is_rigid(self) || diagonal[i % RIGID_VALUES]))
            return st_invalid(object, "value %zu of compliance is 0: its object will not move", i);
    return ST_OK;
}

static st_status uncoupled_correction_init(st_object *object) {
    return st_correction_find_state(object) ? ST_OK : ST_INVALID;
}

// The mass of the node is known by now, wherever it is in the node.
static st_status uncoupled_correction_bwd_init(st_object *object) {
    uncoupled *self = (uncoupled *)object;
    self->base.integrator = (st_integrator *)st_find_slot(object->node, ST_ROLE(integrator));

    if (!self->base.integrator && self->use_factors) {
        st_message(object, ST_ERROR,
                   "there is no integrator at its node or above: useOdeSolverIntegrationFactors is "
                   "turned off");
        self->use_factors = false;
    }

    if (is_rigid(self)) {
        const st_status status = init_rigid(self);
        if (status != ST_OK) return status;
    } else {
        init_vector(self);
    }

    return check_values(self);
}

// ---------------------------------------------------------------------------------------------------
// Compliance
// ---------------------------------------------------------------------------------------------------

// The list can be written while the scene runs.
static st_status uncoupled_correction_prepare(st_correction *base, const st_constraint_params *params) {
    (void)params;
    const uncoupled *self = (uncoupled *)base;
    if (!is_rigid(self) || self->compliance.count == RIGID_VALUES) return ST_OK;

    st_message(&base->object, ST_ERROR, "compliance has %zu values, a rigid needs %d", self->compliance.count,
               RIGID_VALUES);
    return ST_INVALID;
}

// r = c_i(a)
static void comply(const uncoupled *self, size_t dof, const st_real *a, st_real *r) {
    if (is_rigid(self)) {
        const st_real *c = self->compliance.data;
        for (int k = 0; k < 3; k++) r[k] = a[k] * c[0];
        r[3] = c[1] * a[3] + c[2] * a[4] + c[3] * a[5];
        r[4] = c[2] * a[3] + c[4] * a[4] + c[5] * a[5];
        r[5] = c[3] * a[3] + c[5] * a[4] + c[6] * a[5];
        return;
    }

    const st_real c = dof < self->compliance.count ? self->compliance.data[dof] : self->default_compliance;
    for (size_t k = 0; k < uncoupled_correction_width_of(self); k++) r[k] = a[k] * c;
}

static bool sort_columns(uncoupled *self, size_t rows) {
    const st_state *s = state_of(self);
    const st_jacobian *j = &s->constraint;
    const size_t width = uncoupled_correction_width_of(self), n = j->entries.count;
    if (!st_list_set_count(&self->column_starts, s->size + 2, 1) || !st_list_set_count(&self->column_entries, n, 1) ||
        !st_list_set_count(&self->sums, rows, 1) || !st_list_set_count(&self->seen, rows, 1) ||
        !st_list_reserve(&self->reached, rows, 1))
        return false;

    // a counting sort of the entries by DOF
    size_t *starts = self->column_starts.data;
    memset(starts, 0, (s->size + 2) * sizeof *starts);
    memset(self->sums.data, 0, rows * sizeof *self->sums.data);
    for (size_t e = 0; e < n; e++) starts[st_entry_dof(st_jacobian_entry(j, width, e)) + 2]++;
    for (size_t i = 2; i < s->size + 2; i++) starts[i] += starts[i - 1];

    for (size_t e = 0; e < n; e++)
        self->column_entries.data[starts[st_entry_dof(st_jacobian_entry(j, width, e)) + 1]++] = e;
    return true;
}

// Σ over the DOFs that row r shares with each later row q.
static void uncoupled_correction_add_row(uncoupled *self, size_t place, st_real factor, size_t size, st_real *w) {
    const st_jacobian *j = &state_of(self)->constraint;
    const size_t width = uncoupled_correction_width_of(self), r = j->rows.data[place];
    self->reached.count = 0;

    // c h of row r at each of its DOFs, times the entries of all rows q ≥ r there
    for (size_t e = j->starts.data[place]; e < j->starts.data[place + 1]; e++) {
        const st_real *entry = st_jacobian_entry(j, width, e);
        const size_t dof = st_entry_dof(entry);
        st_real moved[6];
        comply(self, dof, entry + ST_ENTRY_HEAD, moved);

        for (size_t k = self->column_starts.data[dof]; k < self->column_starts.data[dof + 1]; k++) {
            const st_real *other = st_jacobian_entry(j, width, self->column_entries.data[k]);
            const size_t q = st_entry_row(other);
            if (q < r) continue;

            st_real sum = 0;
            for (size_t m = 0; m < width; m++) sum += moved[m] * other[ST_ENTRY_HEAD + m];
            if (!self->seen.data[q]) self->reached.data[self->reached.count++] = (uint32_t)q;
            self->seen.data[q] = true;
            self->sums.data[q] += sum * factor;
        }
    }

    // into W and its mirror image; sums are cleared for the next row
    for (size_t i = 0; i < self->reached.count; i++) {
        const size_t q = self->reached.data[i];
        w[r * size + q] += self->sums.data[q];
        if (q != r) w[q * size + r] += self->sums.data[q];
        self->sums.data[q] = 0;
        self->seen.data[q] = false;
    }
}

static st_real factor_of(const uncoupled *self, const st_constraint_params *params) {
    return self->use_factors ? st_correction_factor(&self->base, params) : 1;
}

static st_status uncoupled_correction_add_compliance(st_correction *base, const st_constraint_params *params,
                                                     size_t size, st_real *w) {
    uncoupled *self = (uncoupled *)base;
    const st_jacobian *j = &state_of(self)->constraint;
    if (j->rows.count == 0) return ST_OK;
    if (!sort_columns(self, size)) return ST_OUT_OF_MEMORY;

    for (size_t place = 0; place < j->rows.count; place++)
        uncoupled_correction_add_row(self, place, factor_of(self, params), size, w);
    return ST_OK;
}

static st_status uncoupled_correction_motion(st_correction *base, const st_constraint_params *params) {
    const uncoupled *self = (uncoupled *)base;
    const st_state *s = state_of(self);
    const size_t width = uncoupled_correction_width_of(self);
    const st_real *lambda = st_force_of(s, params->lambda);
    st_real *dx = st_dx_of(s, params->dx);

    for (size_t i = 0; i < s->size; i++) comply(self, i, lambda + i * width, dx + i * width);
    return ST_OK;
}

static void uncoupled_correction_factors(const st_correction *base, const st_constraint_params *params,
                                         st_real *position, st_real *velocity) {
    const uncoupled *self = (const uncoupled *)base;
    *position = self->use_factors ? st_correction_position_factor(base, 1) : self->position_factor;
    *velocity = self->use_factors                    ? st_correction_velocity_factor(base, 1)
                : params->order == ST_ORDER_VELOCITY ? self->velocity_factor
                                                     : self->velocity_factor / params->dt;
}

// ---------------------------------------------------------------------------------------------------
// Block by block
// ---------------------------------------------------------------------------------------------------

// SOFA leaves the factor of the integrator out of this path.
static st_real unbuilt_factor(const uncoupled *self, const st_constraint_params *params) {
    return st_compat_on(self->base.object.scene, ST_COMPAT_UNBUILT_FACTOR) ? 1 : factor_of(self, params);
}

static st_status uncoupled_correction_begin_unbuilt(st_correction *base, const st_constraint_params *params,
                                                    size_t size, const st_real *f) {
    uncoupled *self = (uncoupled *)base;
    const st_state *s = state_of(self);
    const st_jacobian *j = &s->constraint;
    const size_t width = uncoupled_correction_width_of(self), n = s->size * width;
    (void)size;

    if (!st_list_set_count(&self->force, n + 1, 1) || !st_list_set_count(&self->displacement, n, 1))
        return ST_OUT_OF_MEMORY;

    // no displacement yet; the factor is kept behind the forces
    memset(self->force.data, 0, n * sizeof *self->force.data);
    if (n) memset(self->displacement.data, 0, n * sizeof *self->displacement.data);
    self->force.data[n] = unbuilt_factor(self, params);

    // forces of the first guess: Hᵀ f
    for (size_t e = 0; e < j->entries.count; e++) {
        const st_real *entry = st_jacobian_entry(j, width, e);
        for (size_t k = 0; k < width; k++)
            self->force.data[st_entry_dof(entry) * width + k] += entry[ST_ENTRY_HEAD + k] * f[st_entry_row(entry)];
    }
    return ST_OK;
}

static void uncoupled_correction_add_displacement(st_correction *base, size_t row, size_t count, st_real *d) {
    const uncoupled *self = (uncoupled *)base;
    const st_jacobian *j = &state_of(self)->constraint;

    for (size_t l = 0; l < count; l++) {
        const size_t place = st_jacobian_find(j, row + l);
        if (place != SIZE_MAX)
            d[l] += st_row_dot(j, uncoupled_correction_width_of(self), place, self->displacement.data);
    }
}

static void uncoupled_correction_add_force(st_correction *base, size_t row, size_t count, const st_real *df) {
    uncoupled *self = (uncoupled *)base;
    const st_jacobian *j = &state_of(self)->constraint;
    const size_t width = uncoupled_correction_width_of(self), n = state_of(self)->size * width;
    const st_real factor = self->force.data[n];

    for (size_t l = 0; l < count; l++) {
        const size_t place = st_jacobian_find(j, row + l);
        if (place == SIZE_MAX) continue;
        for (size_t e = j->starts.data[place]; e < j->starts.data[place + 1]; e++) {
            const st_real *entry = st_jacobian_entry(j, width, e);
            const size_t dof = st_entry_dof(entry);
            st_real *force = self->force.data + dof * width, *moved = self->displacement.data + dof * width;

            // force += h Δf, and the displacement that belongs to it
            for (size_t k = 0; k < width; k++) force[k] += entry[ST_ENTRY_HEAD + k] * df[l];
            comply(self, dof, force, moved);
            for (size_t k = 0; k < width && factor != 1; k++) moved[k] *= factor;
        }
    }
}

// Σ over the DOFs that two rows share; both are sorted.
static st_real uncoupled_correction_couple(const uncoupled *self, size_t a, size_t b) {
    const st_jacobian *j = &state_of(self)->constraint;
    const size_t width = uncoupled_correction_width_of(self);
    st_real sum = 0;
    size_t at = j->starts.data[b];

    for (size_t e = j->starts.data[a]; e < j->starts.data[a + 1]; e++) {
        const st_real *entry = st_jacobian_entry(j, width, e);
        while (at < j->starts.data[b + 1] && st_entry_dof(st_jacobian_entry(j, width, at)) < st_entry_dof(entry)) at++;
        if (at >= j->starts.data[b + 1] || st_entry_dof(st_jacobian_entry(j, width, at)) != st_entry_dof(entry))
            continue;

        st_real moved[6];
        comply(self, st_entry_dof(entry), entry + ST_ENTRY_HEAD, moved);
        const st_real *other = st_jacobian_entry(j, width, at);
        for (size_t k = 0; k < width; k++) sum += moved[k] * other[ST_ENTRY_HEAD + k];
    }

    return sum;
}

static void uncoupled_correction_add_block(st_correction *base, size_t row, size_t count, st_real *w, size_t stride) {
    const uncoupled *self = (uncoupled *)base;
    const st_jacobian *j = &state_of(self)->constraint;
    const st_real factor = self->force.data[state_of(self)->size * uncoupled_correction_width_of(self)];

    for (size_t l = 0; l < count; l++)
        for (size_t m = l; m < count; m++) {
            const size_t a = st_jacobian_find(j, row + l), b = st_jacobian_find(j, row + m);
            if (a == SIZE_MAX || b == SIZE_MAX) continue;
            const st_real sum = uncoupled_correction_couple(self, a, b) * factor;
            w[l * stride + m] += sum;
            if (m != l) w[m * stride + l] += sum;
        }
}

// ---------------------------------------------------------------------------------------------------
// The matrix: C⁻¹ per DOF
// ---------------------------------------------------------------------------------------------------

static bool uncoupled_correction_add_matrix(st_correction *base, st_accumulator *to) {
    const uncoupled *self = (uncoupled *)base;
    const size_t width = uncoupled_correction_width_of(self);
    const st_state *s = state_of(self);
    st_sink *sink = to->between(to, s, s);
    st_real inverse[9] = {0}, block[36] = {0};

    // the same block for all rigids
    if (is_rigid(self)) {
        const st_real *c = self->compliance.data;
        const st_real angular[9] = {c[1], c[2], c[3], c[2], c[4], c[5], c[3], c[5], c[6]};
        if (!st_mat3_inverse_above(inverse, angular, 0)) return false;
        for (size_t k = 0; k < 3; k++) block[7 * k] = 1 / c[0];
        for (size_t r = 0; r < 3; r++)
            for (size_t k = 0; k < 3; k++) block[(r + 3) * 6 + k + 3] = inverse[3 * r + k];
    }

    for (size_t i = 0; i < s->size; i++) {
        if (!is_rigid(self)) {
            const st_real c = i < self->compliance.count ? self->compliance.data[i] : self->default_compliance;
            for (size_t k = 0; k < width; k++) block[k * (width + 1)] = 1 / c;
        }
        sink->add(sink, i * width, i * width, (int)width, (int)width, block);
    }

    return true;
}

static void uncoupled_correction_destroy(st_object *object) {
    uncoupled *self = (uncoupled *)object;
    st_list_free(&self->column_starts);
    st_list_free(&self->column_entries);
    st_list_free(&self->sums);
    st_list_free(&self->reached);
    st_list_free(&self->seen);
    st_list_free(&self->force);
    st_list_free(&self->displacement);
    st_correction_destroy(object);
}

static const st_field fields[] = {
    ST_FIELD(uncoupled, compliance, "compliance", st_type_reals, NULL,
             "Vec: one value per DOF. Rigid3: translation, then the upper triangle of the 3 x 3 of rotations; for all "
             "rigids",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(uncoupled, default_compliance, "defaultCompliance", st_type_real, "1e-5",
             "compliance of DOFs without a value"),
    ST_FIELD(uncoupled, use_factors, "useOdeSolverIntegrationFactors", st_type_bool, "1",
             "scale by the factors of the integrator"),
    ST_FIELD(uncoupled, velocity_factor, "correctionVelocityFactor", st_type_real, "1",
             "factor of the velocities without those of the integrator"),
    ST_FIELD(uncoupled, position_factor, "correctionPositionFactor", st_type_real, "1",
             "factor of the positions without those of the integrator"),
    ST_FIELD(uncoupled, verbose, "verbose", st_type_bool, "0", "", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(uncoupled, topology, "topology", st_type_link, NULL, "mesh whose changes `compliance` follows",
             .flags = ST_FIELD_NO_EFFECT, .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

static const st_correction_ops ops = {
    .prepare = uncoupled_correction_prepare,
    .add_compliance = uncoupled_correction_add_compliance,
    .motion = uncoupled_correction_motion,
    .factors = uncoupled_correction_factors,
    .begin_unbuilt = uncoupled_correction_begin_unbuilt,
    .add_displacement = uncoupled_correction_add_displacement,
    .add_force = uncoupled_correction_add_force,
    .add_block = uncoupled_correction_add_block,
    .add_matrix = uncoupled_correction_add_matrix,
};

const st_class st_uncoupled_constraint_correction_class = {
    .name = "UncoupledConstraintCorrection",
    .help = "constraint correction with one compliance per DOF",
    .parent = &st_correction_class,
    .templates = "Rigid3 Vec1 Vec2 Vec3",
    .fields = fields,
    .size = sizeof(uncoupled),
    .example = "<EulerImplicitSolver/><SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/><Mechanical"
               "Object position='0 0 0  1 0 0'/><UniformMass totalMass='2'/><UncoupledConstraintCorrection defa"
               "ultCompliance='1'/><BilateralLagrangianConstraint first_point='0' second_point='1' rest_vector="
               "'1 0 0'/>",
    .accepts = st_correction_accepts,
    .init = uncoupled_correction_init,
    .bwd_init = uncoupled_correction_bwd_init,
    .destroy = uncoupled_correction_destroy,
    .correction = &ops,
};
