// AdaptiveBeamController: moves the frames of a row of beams along it at the begin of each step, to where it bends most.
//
// For n beams on n + 1 frames in a row, with A_j the sums of the rest lengths:
//
//     1. the length of the control polygon of each beam, l += 30 |l − L|, and the sums S_j
//     2. n equal parts of S_n, carried over to A: the new abscissas
//     3. frame i goes to the curve at its new abscissa, with the velocity between the ends; each one sees those that
//        have moved before it; rest lengths are the differences of the new abscissas
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "beam/beam_curve.h"
#include "beam/beam_interpolation.h"

typedef struct beam_controller {
    st_object object;
    st_object *interpolation;
    int32_t controlled;
    st_reals tips, rotations;
    st_real step, angular_step, speed;

    st_reals old, stretched, next; // abscissas
} beam_controller;

#define NO_EFFECT(member, name, type, value, help)                                                                     \
    ST_FIELD(beam_controller, member, name, type, value, help, .flags = ST_FIELD_NO_EFFECT)

static const st_field fields[] = {
    ST_FIELD(beam_controller, interpolation, "interpolation", st_type_link, NULL,
             "the BeamInterpolation; the first of its node when not given"),
    NO_EFFECT(controlled, "controlledInstrument", st_type_int, "0", "no effect, as in SOFA"),
    NO_EFFECT(tips, "xtip", st_type_reals, NULL, "no effect, as in SOFA"),
    NO_EFFECT(rotations, "rotationInstrument", st_type_reals, NULL, "no effect, as in SOFA"),
    NO_EFFECT(step, "step", st_type_real, "0.1", "no effect, as in SOFA"),
    NO_EFFECT(angular_step, "angularStep", st_type_real, "0.15708", "no effect, as in SOFA"),
    NO_EFFECT(speed, "speed", st_type_real, "0", "no effect, as in SOFA"),
    ST_FIELDS_END,
};

static st_beams *beams_of(const beam_controller *self) { return (st_beams *)self->interpolation; }

// The curve of beam b as it is now; false: there is no such beam.
static bool curve_of(const beam_controller *self, size_t b, st_beam *beam, st_beam_curve *curve) {
    if (!st_beam_interpolation_get(self->interpolation, b, beam)) return false;
    const st_real *x = beams_of(self)->state->coord[ST_COORD_POSITION].data;
    const st_beam_frame f0 = st_beam_end(beam, 0, x), f1 = st_beam_end(beam, 1, x);
    *curve = st_beam_curve_make(&f0, &f1, beam->length);
    return true;
}

// 1: sums of rest lengths and of stretched ones.
static bool measure(beam_controller *self, size_t n) {
    if (!st_list_set_count(&self->old, n + 1, 1) || !st_list_set_count(&self->stretched, n + 1, 1) ||
        !st_list_set_count(&self->next, n + 1, 1))
        return false;

    self->old.data[0] = self->stretched.data[0] = 0;
    for (size_t b = 0; b < n; b++) {
        st_beam beam;
        st_beam_curve c;
        if (!curve_of(self, b, &beam, &c)) return false;
        st_real l = 0;
        for (int k = 0; k < 3; k++) l += st_vec3_distance(c.p[k + 1], c.p[k]);
        l += 30 * fabs(l - beam.length);
        self->old.data[b + 1] = self->old.data[b] + beam.length;
        self->stretched.data[b + 1] = self->stretched.data[b] + l;
    }
    return true;
}

// 2
static void divide(beam_controller *self, size_t n) {
    const st_real *a = self->old.data, *s = self->stretched.data, part = s[n] / (st_real)n;
    st_real place = 0;
    size_t j = 0;
    self->next.data[0] = 0;
    for (size_t b = 1; b < n; b++) {
        place += part;
        while (j < n && s[j] < place) j++;
        const st_real size = j ? s[j] - s[j - 1] : 0, ratio = size > 0 ? (place - s[j - 1]) / size : 0;
        self->next.data[b] = j ? a[j - 1] + (a[j] - a[j - 1]) * ratio : 0;
    }
    self->next.data[n] = a[n];
}

// 3
static void move_frames(beam_controller *self, size_t n) {
    st_beams *beams = beams_of(self);
    st_state *state = beams->state;
    st_real *x = state->coord[ST_COORD_POSITION].data, *v = state->deriv[ST_DERIV_VELOCITY].data;
    const bool moving = state->deriv[ST_DERIV_VELOCITY].count >= state->size;
    size_t j = 0;

    for (size_t i = 1; i < n; i++) {
        st_beam beam;
        st_beam_curve curve;
        while (j < n && self->old.data[j] < self->next.data[i]) j++;
        if (j == 0 || !curve_of(self, j - 1, &beam, &curve) || !(beam.length > 0)) continue;

        // between the ends of beam j − 1
        const st_real ratio = (self->next.data[i] - self->old.data[j - 1]) / beam.length;
        const st_beam_frame frame = st_beam_curve_frame(&curve, ratio);
        st_beam_frame_origin(x + 7 * i, &frame);
        st_quat_copy(x + 7 * i + 3, frame.q);
        for (size_t k = 0; moving && k < 6; k++) v[6 * i + k] = v[6 * (j - 1) + k] * (1 - ratio) + v[6 * j + k] * ratio;
        beams->length_list.data[i - 1] = self->next.data[i] - self->next.data[i - 1];
    }
    beams->length_list.data[n - 1] = self->next.data[n] - self->next.data[n - 1];

    st_touch(&state->object, &state->coord[ST_COORD_POSITION]);
    st_touch(&state->object, &state->deriv[ST_DERIV_VELOCITY]);
    st_touch(&beams->object, &beams->length_list);
}

static void beam_controller_event(st_object *object, st_event *event) {
    beam_controller *self = (beam_controller *)object;
    if (event->kind != ST_EVENT_ANIMATE_BEGIN || !self->interpolation) return;

    // one frame more than beams, in a row
    const size_t n = st_beam_interpolation_count(self->interpolation);
    if (n < 1 || beams_of(self)->state->size < n + 1 || beams_of(self)->length_list.count < n) return;
    if (!measure(self, n)) {
        st_message_once(object, "memory", ST_ERROR, "out of memory for %zu beams, or one is no more: nothing moves", n);
        return;
    }
    divide(self, n);
    move_frames(self, n);
}

static st_status beam_controller_init(st_object *object) {
    beam_controller *self = (beam_controller *)object;
    if (!self->interpolation) self->interpolation = st_find_class(object->node, &st_beam_interpolation_class, ST_LOCAL);
    if (self->interpolation && st_is_a(self->interpolation, &st_beam_interpolation_class)) return ST_OK;
    self->interpolation = NULL;
    return st_invalid(object, "there is no BeamInterpolation in its node: nothing is moved");
}

static void beam_controller_destroy(st_object *object) {
    beam_controller *self = (beam_controller *)object;
    st_list_free(&self->old);
    st_list_free(&self->stretched);
    st_list_free(&self->next);
}

const st_class st_adaptive_beam_controller_class = {
    .name = "AdaptiveBeamController",
    .kind = "beams",
    .help = "moves the frames of a row of beams to where it bends most",
    .parent = &st_object_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(beam_controller),
    .example = "<MeshTopology edges=\"0 1  1 2\"/>\n"
               "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1\"/>\n"
               "<BeamInterpolation radius=\"0.1\"/>\n"
               "<AdaptiveBeamController/>",
    .flags = ST_CLASS_LISTENING,
    .init = beam_controller_init,
    .event = beam_controller_event,
    .destroy = beam_controller_destroy,
};
