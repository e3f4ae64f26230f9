// LCPConstraintSolver: contacts only. With friction (mu > 0) every three rows are a contact (normal, two tangents),
// without every row is one; the solver's own mu holds for all of them.
//
//     1. rows are grouped into contacts, whatever blocks their laws gave
//     2. with initial_guess laws give the forces to start from
//     3. W is assembled (build_lcp), or the corrections are asked contact by contact
//     4. sweeps over the contacts until the error is below the tolerance:
//
//        built, friction      with w the 3 × 3 block of the contact: f_n −= δ_n/w_nn, then f_t −= 2 δ_t/(w_tt + w_ss),
//                             cut back to the cone; error Σ |Δd|, below tolerance · (contacts + 1)
//        built, no friction   f = max(0, −u/w); error Σ |w Δf|, below the tolerance
//        unbuilt              the same visits without W; error Σ |w Δf|, below tolerance · (contacts + 1)
//
//     5. assembled: a contact whose normal force reaches maxF gets none
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/unbuilt.h"

#include "math/real.h"

typedef struct lcp {
    st_generic_solver base; // only the members below are attributes here
    bool initial_guess;
    bool build_lcp;
    st_real mu, min_w, max_f;
    bool display_debug;
    int32_t group;
    st_real cell_width, translation[3];
    char *graph;
} lcp;

static const st_field fields[] = {
    ST_FIELD(lcp, initial_guess, "initial_guess", st_type_bool, "1", "start from the forces of the last step"),
    ST_FIELD(lcp, build_lcp, "build_lcp", st_type_bool, "1", "assemble W; else visit contacts without it"),
    ST_FIELD(lcp, base.tolerance, "tolerance", st_type_real, "0.001", "sweeps end when their change is below it",
             .flags = ST_FIELD_REQUIRED),
    ST_FIELD(lcp, base.max_iterations, "maxIt", st_type_int, "1000", "most sweeps over all contacts",
             .flags = ST_FIELD_REQUIRED),
    ST_FIELD(lcp, base.regularization, "regularizationTerm", st_type_real, "0",
             "compliance added to the diagonal of W"),
    ST_FIELD(lcp, mu, "mu", st_type_real, "0.6", "friction of all contacts; 0: none, one row each"),
    ST_FIELD(lcp, min_w, "minW", st_type_real, "0", "contacts whose compliance is not above it get no force"),
    ST_FIELD(lcp, max_f, "maxF", st_type_real, "0", "contacts whose force reaches it get none"),
    ST_FIELD(lcp, base.compute_forces, "computeConstraintForces", st_type_bool, "0",
             "copy the multipliers to constraintForces"),
    ST_FIELD(lcp, base.forces, "constraintForces", st_type_reals, NULL, "the multipliers of the last step",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(lcp, base.iterations, "currentIterations", st_type_int, "0", "sweeps of the last step",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(lcp, base.error, "currentError", st_type_real, "0", "error at the end of the last step",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(lcp, display_debug, "displayDebug", st_type_bool, "0", "", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(lcp, group, "group", st_type_int, "0", "number of a group", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(lcp, cell_width, "showCellWidth", st_type_real, "0", "", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(lcp, translation, "showTranslation", st_type_vec3, "0 0 0", "", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(lcp, graph, "graph", st_type_string, NULL, "curve for SOFA's window",
             .flags = ST_FIELD_DISPLAY | ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static bool has_friction(const lcp *self) { return self->mu > 0; }

// ---------------------------------------------------------------------------------------------------
// Build
// ---------------------------------------------------------------------------------------------------

// Rows are contacts, whatever the laws say.
static st_status make_contacts(lcp *self) {
    st_constraint_problem *p = self->base.base.problem;
    const size_t width = has_friction(self) ? 3 : 1;

    if (p->size % width != 0) {
        st_message_once(&self->base.base.object, "rows", ST_ERROR,
                        "%zu rows are not contacts of 3 rows each: nothing is solved (mu = %g; laws without friction "
                        "need mu=\"0\")",
                        p->size, (double)self->mu);
        p->blocks.list.count = p->blocks.rows = 0;
        return ST_OK;
    }

    // contacts take the place of the laws' own blocks
    p->blocks.list.count = p->blocks.rows = 0;
    for (size_t row = 0; row < p->size; row += width)
        if (!(has_friction(self) ? st_add_friction(&p->blocks, self->mu) : st_add_unilateral(&p->blocks)))
            return ST_OUT_OF_MEMORY;

    return st_blocks_prepare(p);
}

static void take_guess(const lcp *self) {
    const st_constraint_problem *p = self->base.base.problem;

    for (size_t row = 0; self->initial_guess && row < p->size;) {
        st_law *law = p->row_laws.data[row];
        if (law->object.type->law->guess) law->object.type->law->guess(law, p->force.data + row);
        while (row < p->size && p->row_laws.data[row] == law) row++;
    }
}

static st_status lcp_build(st_constraint_solver *solver, const st_constraint_params *params) {
    lcp *self = (lcp *)solver;
    st_constraint_problem *p = solver->problem;

    const st_status status = make_contacts(self);
    if (status != ST_OK || p->blocks.list.count == 0) return status;

    take_guess(self);
    return self->build_lcp ? st_generic_build(solver, params) : st_unbuilt_begin(&self->base, params);
}

// ---------------------------------------------------------------------------------------------------
// Visits
// ---------------------------------------------------------------------------------------------------

static void cut_to_cone(st_real *f, st_real mu) {
    const st_real length = sqrt(f[1] * f[1] + f[2] * f[2]), most = mu * f[0];
    if (!(length > most)) return;

    f[1] *= most / length;
    f[2] *= most / length;
}

static st_real norm3(const st_real d[3]) { return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]); }

// One contact of the assembled problem; `w` has the stride of W. Returns |d_new − d_old|.
static st_real visit_built(const lcp *self, size_t row) {
    const st_constraint_problem *p = self->base.base.problem;
    const size_t n = p->size;
    const st_real *w = p->w.data + row * n + row;
    st_real *f = p->force.data + row, old[3], without[3], change[3];

    if (w[0] == 0 || (self->min_w != 0 && fabs(w[0]) <= self->min_w)) {
        f[0] = f[1] = f[2] = 0;
        return 0;
    }

    // d with all forces, and without those of this contact
    for (size_t l = 0; l < 3; l++) {
        old[l] = st_row_violation(p, row + l);
        without[l] = old[l] - (w[l * n] * f[0] + w[l * n + 1] * f[1] + w[l * n + 2] * f[2]);
    }

    // normal: f_n −= δ_n / w_nn; a contact that pulls is released
    const st_real w12 = w[1], w13 = w[2], w22 = w[n + 1], w23 = w[n + 2], w33 = w[2 * n + 2];
    f[0] -= (w[0] * f[0] + w12 * f[1] + w13 * f[2] + without[0]) / w[0];
    if (f[0] < 0) {
        f[0] = f[1] = f[2] = 0;
    } else if (w22 + w33 != 0) {
        // tangents, with the new f_n: f_t −= 2 δ_t / (w_tt + w_ss)
        const st_real dt = w12 * f[0] + w22 * f[1] + w23 * f[2] + without[1];
        const st_real ds = w13 * f[0] + w23 * f[1] + w33 * f[2] + without[2];
        f[1] -= 2 * dt / (w22 + w33);
        f[2] -= 2 * ds / (w22 + w33);
        cut_to_cone(f, self->mu);
    }

    // how far the contact moved
    for (size_t l = 0; l < 3; l++)
        change[l] = without[l] + w[l * n] * f[0] + w[l * n + 1] * f[1] + w[l * n + 2] * f[2] - old[l];
    return norm3(change);
}

// One contact without W: d holds the violation with the present forces, w the contact's own block.
static st_real visit_unbuilt(const lcp *self, const st_real *w, const st_real d[3], st_real *f) {
    const st_real old[3] = {f[0], f[1], f[2]};
    if (w[0] == 0) return 0;

    // normal; a contact that pulls is released
    f[0] -= d[0] / w[0];
    if (f[0] <= 0) {
        f[0] = f[1] = f[2] = 0;
        if (!(old[0] > 0)) return 0;
    } else if (w[4] + w[8] != 0) {
        // d_t changes by w_tn Δf_n
        const st_real dn = f[0] - old[0];
        f[1] -= 2 * (d[1] + w[1] * dn) / (w[4] + w[8]);
        f[2] -= 2 * (d[2] + w[2] * dn) / (w[4] + w[8]);
        cut_to_cone(f, self->mu);
    }

    // |w Δf|
    st_real change[3];
    for (size_t l = 0; l < 3; l++) {
        change[l] = 0;
        for (size_t m = 0; m < 3; m++) change[l] += w[3 * l + m] * (f[m] - old[m]);
    }

    return norm3(change);
}

static st_real sweep_built(const lcp *self) {
    const st_constraint_problem *p = self->base.base.problem;
    st_real error = 0;

    if (has_friction(self)) {
        for (size_t row = 0; row < p->size; row += 3) error += visit_built(self, row);
        return error;
    }

    // u: the violation without the force of the row itself
    for (size_t row = 0; row < p->size; row++) {
        const st_real w = p->w.data[row * p->size + row], before = p->force.data[row];
        if (w == 0 || (self->min_w != 0 && fabs(w) <= self->min_w)) continue;
        const st_real u = st_row_violation(p, row) - w * before;
        p->force.data[row] = u < 0 ? -u / w : 0;
        error += fabs(w * (p->force.data[row] - before));
    }

    return error;
}

static st_real sweep_unbuilt(lcp *self) {
    st_constraint_solver *solver = &self->base.base;
    st_constraint_problem *p = solver->problem;
    const size_t width = has_friction(self) ? 3 : 1;
    st_real error = 0;

    for (size_t i = 0; i < p->blocks.list.count; i++) {
        const size_t b = st_unbuilt_visit(p, i), row = b * width;
        const st_real *w = st_unbuilt_w(p, b);
        st_real *f = p->force.data + row, d[3], old[3];

        // d = d_free + the displacement by all forces
        st_copy_reals(d, p->free.data + row, width);
        st_copy_reals(old, f, width);
        st_unbuilt_displacement(solver, b, d);

        // Δf by the law of the contact
        if (width == 3) {
            error += visit_unbuilt(self, w, d, f);
        } else if (w[0] != 0) {
            f[0] = st_max(0, f[0] - d[0] / w[0]);
            error += fabs(w[0] * (f[0] - old[0]));
        }

        // the corrections follow
        if (old[0] == 0 && f[0] == 0) continue;
        for (size_t l = 0; l < width; l++) d[l] = f[l] - old[l];
        st_unbuilt_force(solver, b, d);
    }

    return error;
}

static void limit_forces(const lcp *self) {
    const st_constraint_problem *p = self->base.base.problem;
    const size_t width = has_friction(self) ? 3 : 1;

    for (size_t row = 0; self->build_lcp && self->max_f != 0 && row < p->size; row += width)
        if (fabs(p->force.data[row]) >= self->max_f)
            for (size_t l = 0; l < width; l++) p->force.data[row + l] = 0;
}

static st_status lcp_solve(st_constraint_solver *solver, const st_constraint_params *params) {
    (void)params;
    lcp *self = (lcp *)solver;
    const st_constraint_problem *p = solver->problem;
    const size_t contacts = p->blocks.list.count;
    if (contacts == 0) return ST_OK;

    // assembled without friction: the tolerance is not scaled, and the start is 0
    const bool plain = self->build_lcp && !has_friction(self);
    const st_real tolerance = self->base.tolerance * (plain ? 1 : (st_real)(contacts + 1));
    if (plain) memset(p->force.data, 0, p->size * sizeof *p->force.data);

    st_real error = 0;
    int32_t done = 0;
    bool converged = false;
    for (; done < self->base.max_iterations && !converged; done++) {
        error = self->build_lcp ? sweep_built(self) : sweep_unbuilt(self);
        converged = error < tolerance;
    }

    limit_forces(self);
    st_generic_report(&self->base, done, error, converged);
    return ST_OK;
}

static const st_constraint_solver_ops ops = {.build = lcp_build, .solve = lcp_solve};

const st_class st_lcp_constraint_solver_class = {
    .name = "LCPConstraintSolver",
    .help = "constraint solver for contacts with one friction coefficient",
    .parent = &st_constraint_solver_class,
    .fields = fields,
    .size = sizeof(lcp),
    .example = "<FreeMotionAnimationLoop/><LCPConstraintSolver maxIt='100' tolerance='1e-6' mu='0.3'/>",
    .destroy = st_generic_solver_destroy,
    .constraint_solver = &ops,
};
