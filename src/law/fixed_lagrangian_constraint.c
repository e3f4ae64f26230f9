// FixedLagrangianConstraint: points that stay at their rest position by forces.
//
//     d = x − x₀                                        (one row per scalar)
//     d = (c − c₀, Euler angles of q q₀⁻¹)              (Rigid3)
//
// SPDX-License-Identifier: Apache-2.0
#include "law/law.h"
#include "settee/plugin/change.h"

typedef struct fixed_law {
    st_law law;
    st_uints indices;
    bool fix_all;
    st_reals memory;
} fixed_law;

static const st_field fields[] = {
    ST_FIELD(fixed_law, indices, "indices", st_type_indices, NULL, "the fixed points", .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(fixed_law, fix_all, "fixAll", st_type_bool, "0", "fix every point"),
    ST_FIELDS_END,
};

static size_t point_count(const fixed_law *self) { return self->fix_all ? self->law.state->size : self->indices.count; }
static size_t fixed_point(const fixed_law *self, size_t i) { return self->fix_all ? i : self->indices.data[i]; }
static bool fixed_is_there(const fixed_law *self, size_t i) {
    return fixed_point(self, i) < self->law.state->size &&
           self->law.state->coord[ST_COORD_REST].count == self->law.state->size;
}

static size_t fixed_build(st_law *law, size_t first) {
    fixed_law *self = (fixed_law *)law;
    const size_t width = law->object.dof->deriv;
    size_t row = first;

    for (size_t i = 0; i < point_count(self); i++) {
        if (fixed_is_there(self, i)) {
            // one row for each scalar
            for (size_t k = 0; k < width; k++, row++) st_law_add_axis(law->state, row, fixed_point(self, i), k, 1);
            continue;
        }
        st_message_once(&law->object, "index", ST_ERROR, "point %zu of %zu has no rest position: it is left out",
                        fixed_point(self, i), law->state->size);
    }
    return row - first;
}

// Roll, pitch and yaw of q q₀⁻¹.
static void angles(st_real a[3], const st_real *q, const st_real *q0) {
    st_real inverse[4], r[4];
    st_quat_inverse(inverse, q0);
    st_quat_multiply(r, q, inverse);

    const st_real x = r[0], y = r[1], z = r[2], w = r[3];
    a[0] = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
    a[1] = asin(st_clamp(2 * (w * y - z * x), -1, 1));
    a[2] = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

static void fixed_violation(st_law *law, const st_constraint_params *params, st_real *d) {
    const fixed_law *self = (fixed_law *)law;
    const st_dof *dof = law->object.dof;

    for (size_t i = 0; i < point_count(self); i++) {
        if (!fixed_is_there(self, i)) continue;

        const st_real *x = st_law_x(law->state, params, fixed_point(self, i));
        const st_real *rest = law->state->coord[ST_COORD_REST].data + fixed_point(self, i) * dof->coord;

        // c − c₀, and the angles of q q₀⁻¹
        const size_t linear = dof->rigid ? 3 : dof->deriv;
        for (size_t k = 0; k < linear; k++) d[k] = x[k] - rest[k];
        if (dof->rigid) angles(d + 3, x + 3, rest + 3);
        d += dof->deriv;
    }
}

static void fixed_resolutions(st_law *law, st_resolutions *to) {
    fixed_law *self = (fixed_law *)law;
    const size_t width = law->object.dof->deriv, count = point_count(self);

    // three rows are solved at once and start from the force of the last step
    const bool in_threes = width == 3 || law->object.dof->rigid;
    const bool remembers =
        in_threes && (self->memory.count >= width * count || st_list_set_count(&self->memory, width * count, 1));

    for (size_t i = 0; i < count; i++) {
        if (!fixed_is_there(self, i)) continue;
        for (size_t k = 0; k < width; k += in_threes ? 3 : width) {
            st_resolution *block = st_add_equality(to, in_threes ? 3 : width);
            if (block && remembers) block->memory = self->memory.data + i * width + k;
        }
    }
}

static st_status fixed_reinit(st_object *object) {
    ((fixed_law *)object)->memory.count = 0;
    return ST_OK;
}

static void fixed_reset(st_object *object) { ((fixed_law *)object)->memory.count = 0; }

static void fixed_destroy(st_object *object) { st_list_free(&((fixed_law *)object)->memory); }

static const st_law_ops ops = {.build = fixed_build, .violation = fixed_violation, .resolutions = fixed_resolutions};

const st_class st_fixed_lagrangian_constraint_class = {
    .name = "FixedLagrangianConstraint",
    .help = "keeps points at their rest position by forces",
    .parent = &st_law_class,
    .templates = "Rigid3 Vec1 Vec2 Vec3 Vec6",
    .fields = fields,
    .size = sizeof(fixed_law),
    .example = "<MechanicalObject position='0 0 0  1 0 0'/><UniformMass totalMass='2'/>"
               "<UncoupledConstraintCorrection defaultCompliance='1'/><FixedLagrangianConstraint indices='0'/>",
    .reinit = fixed_reinit,
    .reset = fixed_reset,
    .destroy = fixed_destroy,
    .law = &ops,
};
