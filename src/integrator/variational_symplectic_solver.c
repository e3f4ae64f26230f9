// Variational integration (Kharevych et al. 2006): a discrete principle of least action gives a map of (x, p), p = M v,
// that conserves momentum exactly and energy in the long run.
//
// explicit:
//
//  1. a = M⁻¹ (f(x) + p/h), projected
//  2. v' = h a,  x' = x ⊕ h v',  p' = M v'
//
// implicit (midpoint):
//
//  1. finds the middle q = x ⊕ u of the step by fixed linearizations, until q stays where it is:
//
//         ((4/h² + 4 rM/h) M - (1 + 4 rK/h) K) u = f(q) + (2/h) p - K u,   q = x ⊕ u
//
//  2. v' = (2/h) u,  p' = (h/2) f(x ⊕ (h/2) v') + M v',  x' = x ⊕ (h/2) v' ⊕ (h/2) v'
//
// Both end with the energy H = 1/2 p M⁻¹ p + potential, on request.
//
// SPDX-License-Identifier: Apache-2.0
#include "integrator/integrator.h"
#include "math/real.h"

typedef struct variational {
    st_integrator base;
    st_real newton_error;
    uint32_t steps;
    st_real rayleigh_stiffness;
    st_real rayleigh_mass;
    bool explicit_integration;
    bool save_energy;
    char *file;
    bool compute_hamiltonian;
    st_real hamiltonian;
    bool incremental_potential;
    bool verbose;
    bool thread_safe;
    st_real potential; // incremental
    st_work work;
} variational;

enum { START, LAST, COORDS };
enum { MOMENTUM, DISPLACEMENT, RHS, WORK, DERIVS };

static const st_field fields[] = {
    ST_FIELD(variational, newton_error, "newtonError", st_type_real, "0.01",
             "iterations stop when positions change less, relative to their norm"),
    ST_FIELD(variational, steps, "steps", st_type_uint, "5", "most iterations of a step"),
    ST_FIELD(variational, rayleigh_stiffness, "rayleighStiffness", st_type_real, "0", "Rayleigh damping by stiffness"),
    ST_FIELD(variational, rayleigh_mass, "rayleighMass", st_type_real, "0", "Rayleigh damping by mass"),
    ST_FIELD(variational, explicit_integration, "explicitIntegration", st_type_bool, "false",
             "explicit scheme; needs diagonal masses"),
    ST_FIELD(variational, save_energy, "saveEnergyInFile", st_type_bool, "false",
             "energies are not written: read hamiltonianEnergy", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(variational, file, "file", st_type_string, NULL, "see saveEnergyInFile", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(variational, compute_hamiltonian, "computeHamiltonian", st_type_bool, "true", "compute hamiltonianEnergy"),
    ST_FIELD(variational, hamiltonian, "hamiltonianEnergy", st_type_real, "0",
             "kinetic and potential energy at the end of the step", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(variational, incremental_potential, "useIncrementalPotentialEnergy", st_type_bool, "true",
             "potential energy as the work of the forces since the start; else as the sum of all force fields'"),
    ST_FIELD(variational, verbose, "verbose", st_type_bool, "false", "use printLog instead",
             .flags = ST_FIELD_DEPRECATED | ST_FIELD_NO_EFFECT),
    ST_THREAD_SAFE_FIELD(variational),
    ST_LINEAR_SOLVER_FIELD(variational),
    ST_FIELDS_END,
};

static st_status variational_symplectic_init(st_object *object) {
    variational *self = (variational *)object;
    if (!self->explicit_integration) return st_integrator_init_implicit(object);
    if (!self->base.solver) self->base.solver = st_integrator_find_solver(object->node, &object->node->object.tags);
    return ST_OK;
}

static void variational_symplectic_reset(st_object *object) {
    variational *self = (variational *)object;
    self->potential = 0;
    st_work_reset(&self->work);
}

// p = M v
static void momentum_of(variational *self, st_deriv_id v) {
    st_plan_clear(self->base.plan, self->work.deriv[MOMENTUM]);
    st_plan_add_mdx(self->base.plan, self->work.deriv[MOMENTUM], st_read_deriv(v), 1);
}

// --- explicit scheme ---------------------------------------------------------------------------------

static st_status solve_explicit(variational *self, st_real h, st_coord_id x, st_deriv_id v) {
    st_plan *plan = self->base.plan;
    const st_params params = st_integrator_params(h, false);
    const st_mass *which = st_integrator_full_mass(plan);
    if (which) return st_integrator_no_inverse(&self->base, which);

    // 1. a = M⁻¹ (f + p/h), projected
    st_plan_compute_force(self->base.plan, &params);
    st_plan_add(plan, ST_FORCE, st_read_deriv(self->work.deriv[MOMENTUM]), 1 / h);
    st_plan_acceleration(plan, ST_DX, st_read_deriv(ST_FORCE), &which);
    if (self->rayleigh_mass > 0) st_plan_add(plan, ST_DX, st_read_deriv(ST_VELOCITY), -self->rayleigh_mass);
    st_plan_project_response(plan, ST_DX);

    // 2. v' = h a, x' = x ⊕ h v', p' = M v'
    st_plan_copy(plan, v, st_read_deriv(ST_DX));
    st_plan_scale(plan, v, h);
    st_plan_move(plan, x, st_read_coord(ST_POSITION), st_read_deriv(v), h);
    momentum_of(self, v);
    return ST_OK;
}

// --- implicit scheme ---------------------------------------------------------------------------------

// One linearization of step 1.
static st_status improve(variational *self, st_params params, st_real h, bool first) {
    st_plan *plan = self->base.plan;
    const st_deriv_id u = self->work.deriv[DISPLACEMENT], rhs = self->work.deriv[RHS];

    // b = f(q) + (2/h) p - K u, where u is 0 the first time
    st_plan_compute_force(self->base.plan, &params);
    st_plan_combine(plan, rhs, st_read_deriv(ST_FORCE), st_read_deriv(self->work.deriv[MOMENTUM]), 2 / h);
    if (!first) {
        st_plan_propagate_dx(plan, u);
        params.dx = st_read_deriv(u);
        params.df = rhs;
        params.k = -1;
        st_plan_add_mbk(plan, &params, true);
    }
    st_plan_project_response(plan, rhs);

    // (4/h² + 4 rM/h) M - (1 + 4 rK/h) K
    params.m = 4 / (h * h) + 4 * self->rayleigh_mass / h;
    params.b = 0;
    params.k = -(1 + 4 * self->rayleigh_stiffness / h);
    return st_integrator_solve_system(&self->base, &params, u, rhs);
}

// Step 1. The estimate q of the middle is in the result x.
static st_status find_middle(variational *self, const st_params *params, st_real h, st_coord_id x) {
    st_plan *plan = self->base.plan;
    const st_coord_id start = self->work.coord[START], last = self->work.coord[LAST];
    const st_deriv_id change = self->work.deriv[WORK];
    const st_real norm = sqrt(st_plan_dot_coord(plan, st_read_coord(start), st_read_coord(start)));

    st_plan_clear(plan, self->work.deriv[DISPLACEMENT]);
    st_real error = 0;
    for (uint32_t i = 0; i == 0 || (i < self->steps && error > self->newton_error); i++) {
        const st_status status = improve(self, *params, h, i == 0);
        if (status != ST_OK) return status;

        // q = x ⊕ u; the iterations end when it changes little
        st_plan_copy_coord(plan, last, st_read_coord(x));
        st_plan_move(plan, x, st_read_coord(start), st_read_deriv(self->work.deriv[DISPLACEMENT]), 1);
        st_plan_difference(plan, change, st_read_coord(x), st_read_coord(last));
        error = sqrt(st_plan_dot(plan, st_read_deriv(change), st_read_deriv(change))) / norm;
        st_plan_propagate_x(plan, x);
    }
    return ST_OK;
}

static st_status solve_implicit(variational *self, st_real h, st_coord_id x, st_deriv_id v) {
    st_plan *plan = self->base.plan;
    const st_deriv_id u = self->work.deriv[DISPLACEMENT];

    st_params params = st_integrator_params(h, true);
    params.x = st_read_coord(x);
    st_plan_copy_coord(plan, self->work.coord[START], st_read_coord(ST_POSITION));
    if (x.index != ST_COORD_POSITION) st_plan_copy_coord(plan, x, st_read_coord(ST_POSITION));

    // 1. the middle
    const st_status status = find_middle(self, &params, h, x);
    if (status != ST_OK) return status;

    // 2. v' = (2/h) u,
    st_plan_copy(plan, v, st_read_deriv(u));
    st_plan_scale(plan, v, 2 / h);

    // f at x ⊕ (h/2) v',
    st_plan_move(plan, x, st_read_coord(self->work.coord[START]), st_read_deriv(v), h / 2);
    st_plan_propagate_xv(plan, x, v);
    st_plan_compute_force(self->base.plan, &params);
    st_plan_project_response(plan, ST_FORCE);

    // p' = (h/2) f + M v',
    momentum_of(self, v);
    st_plan_add(plan, self->work.deriv[MOMENTUM], st_read_deriv(ST_FORCE), h / 2);

    // x' = x ⊕ (h/2) v' ⊕ (h/2) v'
    st_plan_move(plan, x, st_read_coord(x), st_read_deriv(v), h / 2);

    // the work of the forces on the way of 2 u
    self->potential -= 2 * st_plan_dot(plan, st_read_deriv(ST_FORCE), st_read_deriv(u));
    return ST_OK;
}

// --- energy ------------------------------------------------------------------------------------------

static st_real total_potential(const st_plan *plan, const st_params *params) {
    st_real sum = 0;
    for (size_t i = 0; i < plan->forces.count; i++) {
        st_force *force = plan->forces.data[i];
        const st_force_ops *ops = force->object.type->force;
        if (ops->potential) sum += ops->potential(force, params);
    }
    return sum;
}

// u = M⁻¹ p: directly where masses are diagonal, else by the linear solver.
static st_status divide_by_mass(variational *self, st_deriv_id u, st_deriv_id p) {
    st_plan *plan = self->base.plan;
    st_plan_clear(plan, u);

    const st_mass *which = st_integrator_full_mass(plan);
    if (!which && !plan->mapped_mass) {
        st_plan_acceleration(plan, u, st_read_deriv(p), &which);
        return ST_OK;
    }

    st_params params = st_default_params();
    params.implicit = true;
    params.m = 1;
    return self->base.solver ? st_integrator_solve_system(&self->base, &params, u, p) : ST_OK;
}

// H = 1/2 p M⁻¹ p + potential.
static st_status compute_energy(variational *self, st_coord_id x, st_deriv_id v) {
    const st_deriv_id p = self->work.deriv[MOMENTUM], u = self->work.deriv[WORK];
    const st_status status = divide_by_mass(self, u, p);
    if (status != ST_OK) return status;

    st_params params = st_default_params();
    params.x = st_read_coord(x);
    params.v = st_read_deriv(v);

    const bool incremental = self->incremental_potential && !self->explicit_integration;
    const st_real potential = incremental ? self->potential : total_potential(self->base.plan, &params);
    self->hamiltonian = st_plan_dot(self->base.plan, st_read_deriv(p), st_read_deriv(u)) / 2 + potential;
    st_touch(&self->base.object, &self->hamiltonian);
    return ST_OK;
}

static st_status variational_symplectic_solve(st_integrator *integrator, st_real h, st_coord_id x, st_deriv_id v) {
    variational *self = (variational *)integrator;
    st_status status = st_integrator_prepare(integrator, &self->work, COORDS, DERIVS, x, v);
    if (status != ST_OK) return status;

    if (self->work.fresh || integrator->object.node->time == 0) momentum_of(self, ST_VELOCITY);
    status = self->explicit_integration ? solve_explicit(self, h, x, v) : solve_implicit(self, h, x, v);

    if (status != ST_OK || !st_is_valid(&integrator->object)) return status;
    return self->compute_hamiltonian ? compute_energy(self, x, v) : ST_OK;
}

static const st_integrator_ops ops = {variational_symplectic_solve, st_factor_zero, st_factor_zero};

const st_class st_variational_symplectic_solver_class = {
    .name = "VariationalSymplecticSolver",
    .help = "symplectic integration by a discrete principle of least action, explicit or implicit (midpoint)",
    .parent = &st_integrator_class,
    .fields = fields,
    .size = sizeof(variational),
    .init = variational_symplectic_init,
    .reset = variational_symplectic_reset,
    .integrator = &ops,
};
