// Backward differentiation formulas: implicit integration of order s by the polynomial through the last s states and
// the new one.
//
// With the times τ_0 ... τ_s (τ_s = t + h), the coefficients of its derivative at τ_s, times h, are
//
//     α_j = h Σ_{i≠j} 1/(τ_j - τ_i) Π_{m≠i,j} (τ_s - τ_m)/(τ_j - τ_m),   a_j = α_j/α_s,  b = 1/α_s
//
// and the step solves, for the new velocity v by Newton's method,
//
//     r1 = Σ a_j x_j - h b v = 0,   r2 = M Σ a_j v_j - h b (f(x, v) + (rK K - rM M) v) = 0
//
// Because Σ a_j = 0 and a_s = 1, the sums are made of differences, Σ_{j<s} -a_j (x ⊖ x_j), which rotations have, too.
// The order grows with the number of states known: the first step is backward Euler. A step
//
//  1. remembers the state at t as the newest one of the history,
//  2. computes the coefficients a_j and hb = h b from the times of the last s states,
//  3. starts from the guess of constant velocity, x = x_t ⊕ h v_t, v = v_t,
//  4. and improves it by Newton's method until r1 = 0 and r2 = 0:
//
//         ((1 + hb rM) M - hb B - hb (rK + hb) K) Δv = -r2 - hb K r1,   Δx = hb Δv - r1
//
// SPDX-License-Identifier: Apache-2.0
#include "integrator/integrator.h"
#include "integrator/newton_raphson_solver.h"
#include "scene/compat.h"

enum { ORDER_MAX = 12, ORDER_STABLE = 6 };
enum { R1, R2, RHS, STEP_V, STEP_X, SUM, HISTORY };

typedef struct bdf {
    st_integrator base;
    uint32_t order;
    st_real rayleigh_stiffness;
    st_real rayleigh_mass;
    st_object *newton_link;
    st_newton *newton;
    st_work work;
    // History: state j of the `known` ones, oldest first, is in slot first + j, wrapped.
    st_real times[ORDER_MAX];
    int slots, first, known;
    // The present step
    int s;
    st_real a[ORDER_MAX + 1];
    st_real hb; // h b
    bool current_only;
    st_params params;
    st_coord_id x;
    st_deriv_id v;
} bdf;

static const st_field fields[] = {
    ST_FIELD(bdf, order, "order", st_type_uint, "1", "order of the formula, 1 to 6"),
    ST_FIELD(bdf, rayleigh_stiffness, "rayleighStiffness", st_type_real, "0", "Rayleigh damping by stiffness"),
    ST_FIELD(bdf, rayleigh_mass, "rayleighMass", st_type_real, "0", "Rayleigh damping by mass"),
    ST_FIELD(bdf, newton_link, "newtonSolver", st_type_link, NULL,
             "NewtonRaphsonSolver; else the first one in the node or below it"),
    ST_LINEAR_SOLVER_FIELD(bdf),
    ST_FIELDS_END,
};

static void check_order(bdf *self) {
    if (self->order == 0) {
        st_message(&self->base.object, ST_WARNING, "order must be 1 or more: 1 is used");
        self->order = 1;
    } else if (self->order > ORDER_STABLE) {
        st_message(&self->base.object, ST_WARNING, "formulas of an order above %d are unstable: order is %u",
                   ORDER_STABLE, self->order);
        if (self->order > ORDER_MAX) self->order = ORDER_MAX;
    }
    self->slots = (int)self->order;
}

static st_status bdf_ode_init(st_object *object) {
    bdf *self = (bdf *)object;
    const st_status status = st_integrator_init_implicit(object);
    if (status != ST_OK) return status;

    check_order(self);
    self->newton = st_newton_find(object->node, self->newton_link);
    if (!self->newton) return st_invalid(object, "needs a NewtonRaphsonSolver in the node or below it");
    return ST_OK;
}

static void bdf_ode_reset(st_object *object) {
    bdf *self = (bdf *)object;
    self->known = 0;
    st_work_reset(&self->work);
}

// --- history -----------------------------------------------------------------------------------------

static int bdf_ode_slot(const bdf *self, int j) {
    const int at = self->first + j;
    return at < self->slots ? at : at - self->slots;
}

// Step 1: the state at t becomes the newest one known; only the last ones are kept.
static void remember(bdf *self) {
    const st_real time = self->base.object.node->time;

    // a time that does not grow begins a new history
    if (self->known && !(time > self->times[bdf_ode_slot(self, self->known - 1)])) self->known = 0;

    // the oldest one makes room
    if (self->known == self->slots) {
        self->first = bdf_ode_slot(self, 1);
        self->known--;
    }

    const int newest = bdf_ode_slot(self, self->known++);
    self->times[newest] = time;
    st_plan_copy_coord(self->base.plan, self->work.coord[newest], st_read_coord(ST_POSITION));
    st_plan_copy(self->base.plan, self->work.deriv[HISTORY + newest], st_read_deriv(ST_VELOCITY));
}

// Step 2: a_j = α_j/α_s and h b = h/α_s from the times τ.
static void coefficients(bdf *self, st_real h) {
    const int s = self->s;
    st_real tau[ORDER_MAX + 1] = {0}, alpha[ORDER_MAX + 1] = {0};

    for (int j = 0; j < s; j++) tau[j] = self->times[bdf_ode_slot(self, self->known - s + j)];
    tau[s] = tau[s - 1] + h;

    // α_j = h Σ_{i≠j} 1/(τ_j - τ_i) Π_{m≠i,j} (τ_s - τ_m)/(τ_j - τ_m)
    for (int j = 0; j <= s; j++) {
        for (int i = 0; i <= s; i++) {
            if (i == j) continue;
            st_real term = 1 / (tau[j] - tau[i]);
            for (int m = 0; m <= s; m++)
                if (m != i && m != j) term *= (tau[s] - tau[m]) / (tau[j] - tau[m]);
            alpha[j] += term;
        }
        alpha[j] *= tau[s] - tau[s - 1];
    }

    for (int j = 0; j <= s; j++) self->a[j] = alpha[j] / alpha[s];
    self->hb = h / alpha[s];
}

// --- residual ----------------------------------------------------------------------------------------

// Σ a_j x_j and Σ a_j v_j; with SOFA's defect of the history every x_j and v_j is the newest one, and Σ_{j<s} a_j = -1.
static void sums(bdf *self, st_deriv_id of_x, st_deriv_id of_v) {
    st_plan *plan = self->base.plan;
    const st_deriv_id difference = self->work.deriv[RHS];

    st_plan_clear(plan, of_x);
    st_plan_clear(plan, of_v);
    for (int j = self->current_only ? self->s - 1 : 0; j < self->s; j++) {
        const int k = bdf_ode_slot(self, self->known - self->s + j);
        const st_real a = self->current_only ? -1 : self->a[j];

        // Σ a_j x_j -= a_j (x ⊖ x_j), and the same of v
        st_plan_difference(plan, difference, st_read_coord(self->x), st_read_coord(self->work.coord[k]));
        st_plan_add(plan, of_x, st_read_deriv(difference), -a);
        st_plan_combine(plan, difference, st_read_deriv(self->v), st_read_deriv(self->work.deriv[HISTORY + k]), -1);
        st_plan_add(plan, of_v, st_read_deriv(difference), -a);
    }
}

// r += (m M + b B + k K) d, mapped states included.
static void bdf_ode_add_product(bdf *self, st_deriv_id r, st_deriv_id d, st_real m, st_real k) {
    st_params params = self->params;
    params.dx = st_read_deriv(d);
    params.df = r;
    params.m = m;
    params.b = 0;
    params.k = k;
    st_plan_add_mbk(self->base.plan, &params, true);
}

static void add_mass_product(bdf *self, st_deriv_id r, st_deriv_id d) {
    if (!self->base.plan->mapped_mass) {
        st_plan_add_mdx(self->base.plan, r, st_read_deriv(d), 1);
        return;
    }

    st_plan_propagate_dx(self->base.plan, d);
    bdf_ode_add_product(self, r, d, 1, 0);
}

// f + (rK K - rM M) v. The damping is added in a vector of its own: the force of mapped states must stay what it is.
static void damped_force(bdf *self) {
    st_plan *plan = self->base.plan;
    st_plan_compute_force(self->base.plan, &self->params);

    if (self->rayleigh_mass != 0 || self->rayleigh_stiffness != 0) {
        const st_deriv_id damping = self->work.deriv[RHS];
        st_plan_clear(plan, damping);
        bdf_ode_add_product(self, damping, self->v, -self->rayleigh_mass, self->rayleigh_stiffness);
        st_plan_add(plan, ST_FORCE, st_read_deriv(damping), 1);
    }

    st_plan_project_response(plan, ST_FORCE);
}

static st_real bdf_ode_residual(void *user) {
    bdf *self = user;
    st_plan *plan = self->base.plan;
    const st_deriv_id r1 = self->work.deriv[R1], r2 = self->work.deriv[R2], sum = self->work.deriv[SUM];

    damped_force(self);

    // r1 = Σ a_j x_j - h b v
    sums(self, r1, sum);
    st_plan_add(plan, r1, st_read_deriv(self->v), -self->hb);

    // r2 = M Σ a_j v_j - h b f
    st_plan_clear(plan, r2);
    add_mass_product(self, r2, sum);
    st_plan_add(plan, r2, st_read_deriv(ST_FORCE), -self->hb);

    st_plan_project_response(plan, r1);
    st_plan_project_response(plan, r2);
    return st_plan_dot(plan, st_read_deriv(r2), st_read_deriv(r2));
}

// --- Newton step -------------------------------------------------------------------------------------

// Step 4: ((1 + hb rM) M - hb B - hb (rK + hb) K) Δv = -r2 - hb K r1,   Δx = hb Δv - r1
static st_status bdf_ode_step(void *user) {
    bdf *self = user;
    st_plan *plan = self->base.plan;
    const st_deriv_id r1 = self->work.deriv[R1], rhs = self->work.deriv[RHS], dv = self->work.deriv[STEP_V],
                      dx = self->work.deriv[STEP_X];
    const st_real hb = self->hb;

    // -r2 - hb K r1
    st_plan_clear(plan, rhs);
    st_plan_add(plan, rhs, st_read_deriv(self->work.deriv[R2]), -1);
    st_plan_propagate_dx(plan, r1);
    bdf_ode_add_product(self, rhs, r1, 0, -hb);
    st_plan_project_response(plan, rhs);

    // the matrix
    st_params matrix = self->params;
    matrix.m = 1 + hb * self->rayleigh_mass;
    matrix.b = -hb;
    matrix.k = -hb * (self->rayleigh_stiffness + hb);
    st_plan_clear(plan, dv);
    const st_status status = st_integrator_solve_system(&self->base, &matrix, dv, rhs);

    // Δx = hb Δv - r1
    st_plan_clear(plan, dx);
    st_plan_add(plan, dx, st_read_deriv(dv), hb);
    st_plan_add(plan, dx, st_read_deriv(r1), -1);
    return status;
}

static st_status bdf_ode_move(void *user, st_real factor) {
    bdf *self = user;
    st_plan *plan = self->base.plan;

    st_plan_add(plan, self->v, st_read_deriv(self->work.deriv[STEP_V]), factor);
    st_plan_move(plan, self->x, st_read_coord(self->x), st_read_deriv(self->work.deriv[STEP_X]),
                 self->current_only ? 1 : factor);

    st_plan_project_xv(plan, self->x, self->v);
    st_plan_propagate_xv(plan, self->x, self->v);
    return ST_OK;
}

static st_real bdf_ode_step_norm(void *user) {
    bdf *self = user;
    const st_const_deriv_id dv = st_read_deriv(self->work.deriv[STEP_V]);
    return st_plan_dot(self->base.plan, dv, dv);
}

static st_real bdf_ode_estimate_norm(void *user) {
    bdf *self = user;
    return st_plan_dot(self->base.plan, st_read_deriv(self->v), st_read_deriv(self->v));
}

static st_status bdf_ode_solve(st_integrator *integrator, st_real h, st_coord_id x, st_deriv_id v) {
    bdf *self = (bdf *)integrator;
    const st_status status = st_integrator_prepare(integrator, &self->work, self->slots, HISTORY + self->slots, x, v);
    if (status != ST_OK) return status;

    st_plan *plan = integrator->plan;
    if (self->work.fresh) self->known = 0;

    // 1. the history
    remember(self);

    // what the residual and the steps need to know
    self->s = self->known;
    self->current_only = st_compat_on(integrator->object.scene, ST_COMPAT_BDF_HISTORY);
    self->x = x;
    self->v = v;
    self->params = st_integrator_params(h, true);
    self->params.x = st_read_coord(x);
    self->params.v = st_read_deriv(v);

    // 2. the coefficients
    coefficients(self, h);

    // 3. the first guess: constant velocity
    st_plan_move(plan, x, st_read_coord(ST_POSITION), st_read_deriv(ST_VELOCITY), h);
    if (v.index != ST_DERIV_VELOCITY) st_plan_copy(plan, v, st_read_deriv(ST_VELOCITY));
    st_plan_propagate_xv(plan, x, v);

    // 4. Newton's method
    const st_newton_problem problem = {bdf_ode_residual,  bdf_ode_step,          bdf_ode_move,
                                       bdf_ode_step_norm, bdf_ode_estimate_norm, self};
    return st_newton_solve(self->newton, &problem);
}

static st_real bdf_ode_no_factor(const st_integrator *integrator, st_real dt) {
    (void)dt;
    st_message(&integrator->object, ST_ERROR,
               "constraints cannot be corrected with a multi-step integrator: their effect is taken as 0");
    return 0;
}

static const st_integrator_ops ops = {bdf_ode_solve, bdf_ode_no_factor, bdf_ode_no_factor};

const st_class st_bdf_ode_solver_class = {
    .name = "BDFOdeSolver",
    .help = "implicit integration by backward differentiation formulas of order 1 to 6, solved by Newton's method",
    .parent = &st_integrator_class,
    .fields = fields,
    .size = sizeof(bdf),
    .init = bdf_ode_init,
    .reset = bdf_ode_reset,
    .integrator = &ops,
};
