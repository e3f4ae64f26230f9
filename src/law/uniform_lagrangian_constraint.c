// UniformLagrangianConstraint: every scalar of a state is zero, or what it was at rest. Of use on mapped states, such
// as the elongations of a DistanceMapping.
//
//     d = x  [− x₀]
//
// SPDX-License-Identifier: Apache-2.0
#include "law/law.h"

typedef struct uniform_law {
    st_law law;
    bool iterative;
    bool to_rest;
} uniform_law;

static const st_field fields[] = {
    ST_FIELD(uniform_law, iterative, "iterative", st_type_bool, "1", "one block per scalar, else one for all of them"),
    ST_FIELD(uniform_law, to_rest, "constrainToRestPos", st_type_bool, "0", "rest positions instead of zero"),
    ST_FIELDS_END,
};

static size_t uniform_build(st_law *law, size_t first) {
    for (size_t i = 0; i < law->state->size; i++) st_law_add_axis(law->state, first + i, i, 0, 1);
    return law->state->size;
}

static void uniform_violation(st_law *law, const st_constraint_params *params, st_real *d) {
    const uniform_law *self = (uniform_law *)law;
    const st_state *s = law->state;
    const st_reals *rest = &s->coord[ST_COORD_REST];

    for (size_t i = 0; i < s->size; i++)
        d[i] = st_law_x(s, params, i)[0] - (self->to_rest && i < rest->count ? rest->data[i] : 0);
}

static void uniform_resolutions(st_law *law, st_resolutions *to) {
    const uniform_law *self = (uniform_law *)law;

    if (law->state->size == 0) return;
    if (!self->iterative) st_add_equality(to, law->state->size);
    else
        for (size_t i = 0; i < law->state->size; i++) st_add_equality(to, 1);
}

static const st_law_ops ops = {
    .build = uniform_build, .violation = uniform_violation, .resolutions = uniform_resolutions};

const st_class st_uniform_lagrangian_constraint_class = {
    .name = "UniformLagrangianConstraint",
    .help = "makes every scalar of a state zero, or its rest value",
    .parent = &st_law_class,
    .templates = "Vec1",
    .fields = fields,
    .size = sizeof(uniform_law),
    .example = "<MechanicalObject template='Vec1' position='0.1 0.2'/><UniformMass totalMass='1'/>"
               "<UncoupledConstraintCorrection defaultCompliance='1'/><UniformLagrangianConstraint/>",
    .law = &ops,
};
