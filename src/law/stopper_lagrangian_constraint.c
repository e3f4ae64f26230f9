// StopperLagrangianConstraint: one scalar DOF stays between two bounds, min ≤ x ≤ max.
//
// SPDX-License-Identifier: Apache-2.0
#include "law/law.h"
#include "settee/plugin/change.h"

typedef struct stopper {
    st_law law;
    int32_t index;
    st_real min, max;
} stopper;

static const st_field fields[] = {
    ST_FIELD(stopper, index, "index", st_type_int, "0", "the DOF", .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(stopper, min, "min", st_type_real, "-100", "lower bound"),
    ST_FIELD(stopper, max, "max", st_type_real, "100", "upper bound"),
    ST_FIELDS_END,
};

static st_status stopper_init(st_object *object) {
    const stopper *self = (stopper *)object;
    const st_status status = st_law_class.init(object);
    if (status != ST_OK) return status;

    if (!(self->min <= self->max))
        return st_invalid(object, "min = %g is not below max = %g", (double)self->min, (double)self->max);
    if (self->index == -1 && st_why_init(object) == ST_INIT_CHANGED) return ST_OK; // it has left the mesh
    if (self->index < 0 || (size_t)self->index >= self->law.state->size)
        return st_invalid(object, "index = %d: the state has %zu DOFs", (int)self->index, self->law.state->size);
    return ST_OK;
}

static bool stopper_is_there(const stopper *self) {
    return self->index >= 0 && (size_t)self->index < self->law.state->size;
}

static size_t stopper_build(st_law *law, size_t first) {
    const stopper *self = (stopper *)law;
    if (!stopper_is_there(self)) return 0;
    st_law_add_axis(law->state, first, (size_t)self->index, 0, 1);
    return 1;
}

static void stopper_violation(st_law *law, const st_constraint_params *params, st_real *d) {
    const stopper *self = (stopper *)law;
    if (stopper_is_there(self)) d[0] = st_law_x(law->state, params, (size_t)self->index)[0];
}

static void stopper_resolutions(st_law *law, st_resolutions *to) {
    const stopper *self = (stopper *)law;
    if (stopper_is_there(self)) st_add_interval(to, self->min, self->max);
}

static const st_law_ops ops = {
    .build = stopper_build, .violation = stopper_violation, .resolutions = stopper_resolutions};

const st_class st_stopper_lagrangian_constraint_class = {
    .name = "StopperLagrangianConstraint",
    .help = "keeps a scalar between two bounds",
    .parent = &st_law_class,
    .templates = "Vec1",
    .fields = fields,
    .size = sizeof(stopper),
    .example = "<MechanicalObject template='Vec1' position='0'/><UniformMass totalMass='1'/>"
               "<UncoupledConstraintCorrection defaultCompliance='1'/>"
               "<StopperLagrangianConstraint index='0' min='-1' max='1'/>",
    .init = stopper_init,
    .law = &ops,
};
