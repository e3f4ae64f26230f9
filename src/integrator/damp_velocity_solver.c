// Damps velocities after a real integrator of the same node:  v *= exp(-rate h). With a threshold, DOFs slower than it
// stop.
//
// SPDX-License-Identifier: Apache-2.0
#include "integrator/integrator.h"
#include "math/real.h"

typedef struct damp_velocity {
    st_integrator base;
    st_real rate;
    st_real threshold;
    st_work work;
} damp_velocity;

static const st_field fields[] = {
    ST_FIELD(damp_velocity, rate, "rate", st_type_real, "0.99", "decay rate: velocities are scaled by exp(-rate h)"),
    ST_FIELD(damp_velocity, threshold, "threshold", st_type_real, "0", "speed below which a DOF is stopped; 0: none"),
    ST_FIELDS_END,
};

static void stop_slow(const st_state *state, st_deriv_id id, st_real threshold) {
    const size_t width = st_state_dof(state)->deriv;
    const st_reals *list = st_deriv_list(state, id.index, ST_DERIV_VELOCITY);

    for (size_t i = 0; i < list->count; i++) {
        st_real *v = list->data + i * width, square = 0;
        for (size_t j = 0; j < width; j++) square += v[j] * v[j];

        if (square < threshold * threshold)
            for (size_t j = 0; j < width; j++) v[j] = 0;
    }
}

static st_status damp_velocity_solve(st_integrator *integrator, st_real dt, st_coord_id x, st_deriv_id v) {
    const damp_velocity *self = (const damp_velocity *)integrator;
    const st_status status = st_integrator_prepare(integrator, &((damp_velocity *)integrator)->work, 0, 0, x, v);
    if (status != ST_OK) return status;

    st_plan_scale(integrator->plan, v, exp(-self->rate * dt));
    if (self->threshold != 0)
        for (size_t i = 0; i < integrator->plan->states.count; i++)
            stop_slow(integrator->plan->states.data[i], v, self->threshold);
    return ST_OK;
}

static const st_integrator_ops ops = {damp_velocity_solve, st_factor_zero, st_factor_zero};

const st_class st_damp_velocity_solver_class = {
    .name = "DampVelocitySolver",
    .help = "damps velocities after another integrator of the node: v *= exp(-rate h)",
    .parent = &st_integrator_class,
    .fields = fields,
    .size = sizeof(damp_velocity),
    .integrator = &ops,
};
