// OscillatorProjectiveConstraint: points that swing, x = mean + amplitude sin(w t + phase).
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/real.h"
#include "projection/points.h"

typedef struct oscillator {
    st_projection base;
    st_reals records; // index, mean (a coordinate), amplitude (a derivative), pulsation, phase
} oscillator;

static const st_field fields[] = {
    ST_FIELD(oscillator, records, "oscillators", st_type_reals, NULL,
             "for each: index of the point, mean position, amplitude, pulsation, phase"),
    ST_FIELDS_END,
};

static size_t record_size(const oscillator *self) {
    return (self->base.object.dof->coord + self->base.object.dof->deriv + 3);
}

static size_t record_count(const oscillator *self) { return self->records.count / record_size(self); }

static const st_real *record_at(const oscillator *self, size_t k) { return self->records.data + k * record_size(self); }

// The point of a record; SIZE_MAX when the state has none such.
static size_t point_of(const oscillator *self, const st_real *record) {
    return self->base.state && record[0] >= 0 && record[0] < (st_real)self->base.state->size ? (size_t)record[0]
                                                                                             : SIZE_MAX;
}

static st_status oscillator_init(st_object *object) {
    oscillator *self = (oscillator *)object;
    const st_status status = st_projection_class.init(object);
    if (status != ST_OK) return status;

    // every number is finite and every record has its point
    if (self->records.count % record_size(self))
        return st_invalid(object, "oscillators holds %zu numbers: a record has %zu", self->records.count,
                          record_size(self));
    if (!st_all_finite(self->records.data, self->records.count))
        return st_invalid(object, "oscillators holds a number that is not finite");

    for (size_t k = 0; k < record_count(self); k++) {
        const st_real *record = record_at(self, k);
        if (point_of(self, record) == SIZE_MAX || record[0] != floor(record[0]))
            return st_invalid(object, "oscillator %zu is for point %g of a state of %zu points", k, (double)record[0],
                              self->base.state->size);
    }
    return ST_OK;
}

static void oscillator_response(st_projection *base, st_deriv_id id) {
    const oscillator *self = (oscillator *)base;
    const size_t width = base->object.dof->deriv;
    st_real *d = base->state ? st_dx_of(base->state, id) : NULL;

    for (size_t k = 0; d && k < record_count(self); k++) {
        const size_t point = point_of(self, record_at(self, k));
        for (size_t j = 0; j < width && point != SIZE_MAX; j++) d[point * width + j] = 0;
    }
}

// Angle of a record at the time of the node, and its amplitude.
static st_real angle_of(const oscillator *self, const st_real *record, const st_real **amplitude, st_real *pulsation) {
    const st_dof *dof = self->base.object.dof;

    *amplitude = record + 1 + dof->coord;
    *pulsation = record[1 + dof->coord + dof->deriv];
    return *pulsation * self->base.object.node->time + record[2 + dof->coord + dof->deriv];
}

static void oscillator_velocity(st_projection *base, st_deriv_id id) {
    const oscillator *self = (oscillator *)base;
    const size_t width = base->object.dof->deriv;
    st_real *v = base->state ? st_velocity_of(base->state, id) : NULL;

    for (size_t k = 0; v && k < record_count(self); k++) {
        const st_real *amplitude, *record = record_at(self, k);
        st_real pulsation;
        const size_t point = point_of(self, record);

        const st_real angle = angle_of(self, record, &amplitude, &pulsation);

        // amplitude w cos(w t + phase)
        for (size_t j = 0; j < width && point != SIZE_MAX; j++)
            v[point * width + j] = amplitude[j] * (pulsation * cos(angle));
    }
}

static void oscillator_position(st_projection *base, st_coord_id id) {
    const oscillator *self = (oscillator *)base;
    const st_dof *dof = base->object.dof;
    st_real *x = base->state ? st_position_of(base->state, id) : NULL;

    for (size_t k = 0; x && k < record_count(self); k++) {
        const st_real *amplitude, *record = record_at(self, k);
        st_real pulsation;
        const size_t point = point_of(self, record);
        const st_real angle = angle_of(self, record, &amplitude, &pulsation);

        if (point == SIZE_MAX) continue;

        // mean + amplitude sin(w t + phase)
        st_copy_reals(x + point * dof->coord, record + 1, dof->coord);
        st_dof_add(dof, x + point * dof->coord, amplitude, sin(angle));
    }
}

static void oscillator_discard(st_projection *base, st_clear *clear, void *context) {
    const oscillator *self = (oscillator *)base;
    const size_t width = base->object.dof->deriv;

    for (size_t k = 0; k < record_count(self); k++) {
        const size_t point = point_of(self, record_at(self, k));
        for (size_t j = 0; j < width && point != SIZE_MAX; j++) clear(context, point * width + j);
    }
}

static void oscillator_columns(st_projection *base, st_filter *filter, void *context) {
    const oscillator *self = (oscillator *)base;
    for (size_t k = 0; k < record_count(self); k++) {
        const size_t point = point_of(self, record_at(self, k));
        if (point != SIZE_MAX) filter(context, point, NULL);
    }
}

static const st_projection_ops ops = {
    .response = oscillator_response,
    .velocity = oscillator_velocity,
    .position = oscillator_position,
    .discard = oscillator_discard,
    .columns = oscillator_columns,
};

const st_class st_oscillator_projective_constraint_class = {
    .name = "OscillatorProjectiveConstraint",
    .help = "points that swing about a mean position",
    .parent = &st_projection_class,
    .templates = "Vec3 Rigid3",
    .fields = fields,
    .size = sizeof(oscillator),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<OscillatorProjectiveConstraint oscillators=\"1  1 0 0  0 0.5 0  3 0.2\"/>",
    .init = oscillator_init,
    .projection = &ops,
};
