// InterventionalRadiologyController: pushes wires (catheter, guide, coil) through one entry. All of them share the frames of
// one state, the last of which are in use.
//
// With xe_i the tip of wire i and xb_i = xe_i − its length, an application does:
//
//     1. abscissas of the nodes: 0, the ends of all sections that are out, and the ends of their beams; sorted, those
//        nearer than `threshold` joined
//     2. which wires are at each node
//     3. frames of the nodes, taken from the old ones at the same material place, or between them along the curve
//     4. beams of each wire between neighboring nodes
//     5. frames that are not in use wait at the entry, fixed; the node at the entry is indexFirstNode
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "base/array.h"
#include "base/text.h"
#include "beam/beam_curve.h"
#include "beam/radiology_controller.h"
#include "scene/scene.h"
#include "topology/topology.h"

#define SMALLEST ST_R(1.1920929e-07)

static const st_field fields[] = {
    ST_FIELD(st_radiology, names, "instruments", st_type_words, NULL,
             "names of the WireBeamInterpolations; all of the node when not given"),
    ST_FIELD(st_radiology, controlled, "controlledInstrument", st_type_int, "0", "the one that moves"),
    ST_FIELD(st_radiology, tips, "xtip", st_type_reals, "0", "abscissa of each tip"),
    ST_FIELD(st_radiology, rotations, "rotationInstrument", st_type_reals, "0", "angle by which each is turned"),
    ST_FIELD(st_radiology, step, "step", st_type_real, "0.1", "how far one action pushes"),
    ST_FIELD(st_radiology, angular_step, "angularStep", st_type_real, "0.15708", "how far one action turns"),
    ST_FIELD(st_radiology, speed, "speed", st_type_real, "0", "how fast the controlled one goes forward"),
    ST_FIELD(st_radiology, start, "startingPos", st_type_coord, "0 0 0 0 0 0 1", "frame of the entry"),
    ST_FIELD(st_radiology, threshold, "threshold", st_type_real, "0.01", "abscissas that are nearer are one"),
    ST_FIELD(st_radiology, first_node, "indexFirstNode", st_type_uint, "0",
             "frame at the entry, which a stiff RestShapeSpringsForceField should hold", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_radiology, fixed, "fixedConstraint", st_type_link, NULL,
             "FixedProjectiveConstraint for frames that wait; the first of the node when not given"),
    ST_FIELD(st_radiology, link, "topology", st_type_link, NULL, "mesh whose edges are the beams; that of the node",
             .role = ST_ROLE(topology)),
    ST_FIELD(st_radiology, main_direction, "mainDirection", st_type_vec3, "0 0 -1", "no effect, as in SOFA",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

st_real st_radiology_begin_of(const st_radiology *self, size_t wire) {
    return self->tips.data[wire] - self->wires.data[wire]->rest_length;
}

static bool is_at(const st_radiology *self, size_t node, size_t wire) {
    return self->table.data[node * self->wires.count + wire] != 0;
}

size_t st_radiology_wire_at(const st_radiology *self, size_t node) {
    for (size_t w = 0; w < self->wires.count; w++)
        if (is_at(self, node, w)) return w;
    return 0;
}

// ---------------------------------------------------------------------------------------------------
// 1, 2: nodes
// ---------------------------------------------------------------------------------------------------

static bool add_wire_nodes(st_radiology *self, size_t wire, st_real *run) {
    const st_wire_shape *shape = st_wire_of(self->wires.data[wire]);
    const st_real begin = st_radiology_begin_of(self, wire);
    const st_real *key = shape->key_points.data;
    bool ok = true;

    for (size_t j = 0; ok && j < shape->sections.count; j++) {
        const st_real a = begin + key[j], b = begin + key[j + 1];
        if (a > 0) ok = st_list_push(&self->nodes, a);
        if (!(b - *run > 0)) continue;

        // the ends of beams that no wire before this one has sampled, backwards from the end of the section
        const st_real density = (st_real)shape->beams.data[j] / (key[j + 1] - key[j]);
        for (int32_t k = (int32_t)floor((b - *run) * density); ok && k > 0; k--)
            ok = st_list_push(&self->nodes, b - (st_real)k / density);
        *run = b;
    }
    const st_real tip = begin + st_wire_length(shape);
    return ok && (tip > 0 ? st_list_push(&self->nodes, tip) : true);
}

static int increasing(const void *a, const void *b) {
    const st_real x = *(const st_real *)a, y = *(const st_real *)b;
    return (x > y) - (x < y);
}

static bool find_nodes(st_radiology *self) {
    st_real run = 0;
    self->nodes.count = 0;
    bool ok = st_list_push(&self->nodes, 0);
    for (size_t w = 0; ok && w < self->wires.count; w++) ok = add_wire_nodes(self, w, &run);
    if (!ok) return false;

    // each place once
    qsort(self->nodes.data, self->nodes.count, sizeof *self->nodes.data, increasing);
    size_t kept = 1;
    for (size_t i = 1; i < self->nodes.count; i++)
        if (fabs(self->nodes.data[i] - self->nodes.data[kept - 1]) >= self->threshold)
            self->nodes.data[kept++] = self->nodes.data[i];
    self->nodes.count = kept;
    if (kept > self->state->size) {
        st_message_once(&self->object, "frames", ST_WARNING,
                        "the wires need %zu frames, the state has %zu: the rest is left out", kept, self->state->size);
        self->nodes.count = self->state->size;
    }
    return true;
}

static bool find_wires(st_radiology *self) {
    const size_t wires = self->wires.count;
    if (!st_list_set_count(&self->table, self->nodes.count * wires, 1)) return false;
    for (size_t p = 0; p < self->nodes.count; p++)
        for (size_t w = 0; w < wires; w++) {
            const st_real a = self->nodes.data[p];
            self->table.data[p * wires + w] =
                a >= st_radiology_begin_of(self, w) - self->threshold && a <= self->tips.data[w] + self->threshold;
        }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// 3: frames
// ---------------------------------------------------------------------------------------------------

// The frame at an old abscissa: that of an old node, the entry, or between two nodes.
static void old_frame(const st_radiology *self, st_real at, st_real frame[7]) {
    const st_reals *previous = &self->previous;
    const size_t first = self->state->size - previous->count;
    size_t s = 0;
    while (s + 1 < previous->count && !(previous->data[s] + self->threshold > at)) s++;
    const st_real *here = self->old.data + 7 * (first + s);

    // at a node, or beyond the last one; before the entry; between two nodes
    if (fabs(previous->data[s] - at) < self->threshold || (s + 1 == previous->count && at > previous->data[s]))
        st_copy_reals(frame, here, 7);
    else if (s == 0) st_copy_reals(frame, self->start, 7);
    else {
        const st_real size = previous->data[s] - previous->data[s - 1];
        const st_real place = size < SMALLEST ? 1 : (at - previous->data[s - 1]) / size;
        const st_beam_frame f0 = st_beam_frame_make(here - 7, here - 4), f1 = st_beam_frame_make(here, here + 3);
        const st_beam_curve curve = st_beam_curve_make(&f0, &f1, size);
        const st_beam_frame f = st_beam_curve_frame(&curve, place);
        st_beam_frame_origin(frame, &f);
        st_quat_copy(frame + 3, f.q);
    }
}

static bool place_frames(st_radiology *self) {
    const size_t n = self->nodes.count, size = self->state->size;
    st_real *x = self->state->coord[ST_COORD_POSITION].data;
    if (!st_list_set_count(&self->moved, n, 1) || !st_list_set_count(&self->old, size, 7)) return false;
    st_copy_reals(self->old.data, x, 7 * size);

    // nodes of a single wire have moved with the tip
    const st_real d = self->nodes.data[n - 1] - self->previous.data[self->previous.count - 1];
    for (size_t p = 0; p < n; p++) {
        size_t around = 0;
        for (size_t w = 0; w < self->wires.count; w++) around += is_at(self, p, w);
        self->moved.data[p] = self->nodes.data[p];
        if (!(fabs(d) > self->threshold) || around != 1) continue;
        self->moved.data[p] -= d;
        if (p > 1) self->moved.data[p] = st_max(self->moved.data[p], self->moved.data[p - 1]);
    }

    for (size_t p = 0; p < n; p++) old_frame(self, self->moved.data[p], x + 7 * (size - n + p));
    return true;
}

// ---------------------------------------------------------------------------------------------------
// 4, 5: beams, and frames that wait
// ---------------------------------------------------------------------------------------------------

static bool add_beams(st_radiology *self) {
    const size_t beams = self->nodes.count - 1, first = self->state->size - 1 - beams;
    bool ok = true;
    for (size_t w = 0; w < self->wires.count; w++) st_wire_clear(self->wires.data[w]);

    for (size_t b = 0; ok && b < beams; b++)
        for (size_t w = 0; ok && w < self->wires.count; w++) {
            const st_real a0 = self->nodes.data[b], a1 = self->nodes.data[b + 1],
                          begin = st_radiology_begin_of(self, w);
            const st_real low = begin - self->threshold, high = self->tips.data[w] + self->threshold;
            if (a0 > low && a0 < high && a1 > low && a1 < high)
                ok = st_wire_add_beam(self->wires.data[w], (uint32_t)(first + b), a1 - a0, a0 - begin, a1 - begin,
                                      self->rotations.data[w]);
        }

    // beams that can collide: those of the first wire at their end
    for (size_t b = 0; ok && b < beams; b++)
        ok = st_list_push(&self->wires.data[st_radiology_wire_at(self, b + 1)]->collision, (uint32_t)b);
    return ok;
}

static st_uints *fixed_points(const st_radiology *self) {
    const int index = self->fixed ? st_field_by_name(self->fixed, "indices") : -1;
    return index < 0 ? NULL : st_member(self->fixed, st_fields(self->fixed)[index]);
}

static bool let_wait(st_radiology *self) {
    st_state *state = self->state;
    const size_t waiting = state->size - self->nodes.count;
    st_uints *fixed = fixed_points(self);
    if (fixed && !st_list_set_count(fixed, waiting, 1)) return false;

    // at the entry, at rest, held
    for (size_t i = 0; i < waiting; i++) {
        st_copy_reals(state->coord[ST_COORD_POSITION].data + 7 * i, self->start, 7);
        if (state->coord[ST_COORD_REST].count == state->size)
            st_copy_reals(state->coord[ST_COORD_REST].data + 7 * i, self->start, 7);
        for (size_t k = 0; state->deriv[ST_DERIV_VELOCITY].count == state->size && k < 6; k++)
            state->deriv[ST_DERIV_VELOCITY].data[6 * i + k] = 0;
        if (fixed) fixed->data[i] = (uint32_t)i;
    }
    self->first_node = (uint32_t)waiting;

    if (fixed) st_touch(self->fixed, fixed);
    st_touch(&self->object, &self->first_node);
    st_touch(&state->object, &state->coord[ST_COORD_POSITION]);
    st_touch(&state->object, &state->deriv[ST_DERIV_VELOCITY]);
    return true;
}

void st_radiology_apply(st_radiology *self) {
    st_real out = 0;
    for (size_t w = 0; w < self->wires.count; w++) out = st_max(out, self->tips.data[w]);
    if (out < SMALLEST) self->tips.data[0] = SMALLEST;

    bool ok = find_nodes(self) && find_wires(self) && place_frames(self) && add_beams(self) && let_wait(self);
    ok = ok && st_list_set_count(&self->previous, self->nodes.count, 1);
    if (!ok) {
        st_message_once(&self->object, "memory", ST_ERROR, "out of memory: the wires stay where they are");
        return;
    }
    st_copy_reals(self->previous.data, self->nodes.data, self->nodes.count);
    st_touch(&self->object, &self->tips);
}

static void radiology_event(st_object *object, st_event *event) {
    st_radiology *self = (st_radiology *)object;
    if (event->kind != ST_EVENT_ANIMATE_BEGIN || self->driven || self->wires.count == 0) return;

    if (self->speed > 0 && self->controlled >= 0 && (size_t)self->controlled < self->wires.count)
        self->tips.data[self->controlled] += self->speed * event->dt;
    for (size_t w = 0; w < self->wires.count; w++)
        self->tips.data[w] = st_min(self->tips.data[w], self->wires.data[w]->rest_length);
    st_radiology_apply(self);
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static bool add_wire(st_radiology *self, st_object *wire) {
    st_wire_control((st_beams *)wire);
    return st_list_push(&self->wires, (st_beams *)wire);
}

static st_status find_instruments(st_radiology *self) {
    st_object *object = &self->object;
    bool ok = true;
    self->wires.count = 0;

    // those that are named, else all of the node
    for (size_t i = 0; ok && i < self->names.count; i++) {
        st_object *wire = st_find_path(object->node, self->names.data[i], 0);
        if (!wire || !st_is_a(wire, &st_wire_beam_interpolation_class) || !st_is_valid(wire))
            return st_invalid(object, "instruments: '%s' is no WireBeamInterpolation before it in the scene",
                              self->names.data[i]);
        ok = add_wire(self, wire);
    }
    for (size_t i = 0; ok && self->names.count == 0 && i < object->node->objects.count; i++) {
        st_object *wire = object->node->objects.data[i];
        if (st_is_a(wire, &st_wire_beam_interpolation_class) && st_is_valid(wire)) ok = add_wire(self, wire);
    }
    if (!ok) return st_invalid(object, "out of memory for its instruments");
    return self->wires.count ? ST_OK : st_invalid(object, "there is no WireBeamInterpolation in its node");
}

// One entry for each wire, zeros where the scene has none.
static bool fit_lists(st_radiology *self) {
    st_reals *lists[2] = {&self->tips, &self->rotations};
    for (int k = 0; k < 2; k++) {
        const size_t given = lists[k]->count;
        if (!st_list_set_count(lists[k], self->wires.count, 1)) return false;
        for (size_t i = given; i < self->wires.count; i++) lists[k]->data[i] = 0;
    }
    return true;
}

static st_status check(st_radiology *self) {
    st_object *object = &self->object;
    size_t beams = 0;

    // wires on the same frames, tips that are numbers
    for (size_t w = 0; w < self->wires.count; w++) {
        const st_wire_shape *shape = st_wire_of(self->wires.data[w]);
        for (size_t i = 0; i < shape->beams.count; i++) beams += (size_t)shape->beams.data[i];
        if (self->wires.data[w]->state != self->state)
            return st_invalid(object, "instrument '%s' is not on the state '%s'", self->wires.data[w]->object.name,
                              self->state->object.name);
        if (!(fabs(self->tips.data[w]) <= ST_REAL_MAX && fabs(self->rotations.data[w]) <= ST_REAL_MAX))
            return st_invalid(object, "xtip[%zu] is %g, rotationInstrument[%zu] is %g: they must be numbers", w,
                              (double)self->tips.data[w], w, (double)self->rotations.data[w]);
    }
    if (!(self->threshold > 0))
        return st_invalid(object, "threshold is %g: it must be larger than 0", (double)self->threshold);
    if (self->state->size < 2)
        return st_invalid(object, "the state has %zu frames: there must be 2 at least", self->state->size);

    // as many frames and edges as there can be beams
    if (self->state->size < beams + 1)
        st_message(object, ST_WARNING, "the wires have %zu beams, but there are only %zu frames", beams,
                   self->state->size);
    if (st_topology_elements(self->topology, ST_EDGE)->count < beams)
        st_message(object, ST_WARNING, "the wires have %zu beams, but the mesh has only %zu edges", beams,
                   st_topology_elements(self->topology, ST_EDGE)->count);
    return ST_OK;
}

// All frames wait at the entry; the nodes before the first application are the entry and the tips that are out.
static bool start(st_radiology *self) {
    st_state *state = self->state;
    for (size_t i = 0; i < state->size; i++) {
        st_copy_reals(state->coord[ST_COORD_POSITION].data + 7 * i, self->start, 7);
        if (state->coord[ST_COORD_REST].count == state->size)
            st_copy_reals(state->coord[ST_COORD_REST].data + 7 * i, self->start, 7);
    }
    st_touch(&state->object, &state->coord[ST_COORD_REST]);

    self->previous.count = 0;
    bool ok = st_list_push(&self->previous, 0);
    for (size_t w = self->wires.count; ok && w-- > 0;)
        if (self->tips.data[w] > 0 && self->previous.count < state->size)
            ok = st_list_push(&self->previous, self->tips.data[w]);
    if (ok) st_radiology_apply(self);
    return ok;
}

static st_status radiology_init(st_object *object) {
    st_radiology *self = (st_radiology *)object;
    st_status status = find_instruments(self);
    if (status != ST_OK) return status;

    // the frames, the edges between them, the constraint
    self->state = self->wires.data[0]->state;
    self->topology = st_context_topology(object->node, self->link);
    if (!self->fixed) {
        for (size_t i = 0; !self->fixed && i < object->node->objects.count; i++)
            if (strcmp(object->node->objects.data[i]->type->name, "FixedProjectiveConstraint") == 0)
                self->fixed = object->node->objects.data[i];
        if (!self->fixed)
            st_message(object, ST_ERROR, "there is no FixedProjectiveConstraint: frames that wait are not held");
    }
    if (!self->topology) return st_invalid(object, "there is no mesh for the beams");
    if (!fit_lists(self)) return st_invalid(object, "out of memory for its instruments");
    status = check(self);
    if (status != ST_OK) return status;

    const st_real square = st_quat_dot(self->start + 3, self->start + 3);
    if (fabs(square - 1) > ST_R(1e-10) && square > 0)
        for (int i = 3; i < 7; i++) self->start[i] *= 1 / sqrt(square);
    self->first_controlled = self->controlled;
    if (!st_list_set_count(&self->first_tips, self->wires.count, 1) ||
        !st_list_set_count(&self->first_angles, self->wires.count, 1) ||
        !st_list_reserve(&self->previous, self->wires.count + 1, 1))
        return st_invalid(object, "out of memory for its instruments");
    st_copy_reals(self->first_tips.data, self->tips.data, self->wires.count);
    st_copy_reals(self->first_angles.data, self->rotations.data, self->wires.count);
    return start(self) ? ST_OK : st_invalid(object, "out of memory for its nodes");
}

static void radiology_reset(st_object *object) {
    st_radiology *self = (st_radiology *)object;
    if (self->first_tips.count != self->wires.count || self->tips.count != self->wires.count) return;
    self->controlled = self->first_controlled;
    st_copy_reals(self->tips.data, self->first_tips.data, self->wires.count);
    st_copy_reals(self->rotations.data, self->first_angles.data, self->wires.count);
    start(self);
}

static void radiology_destroy(st_object *object) {
    st_radiology *self = (st_radiology *)object;
    st_list_free(&self->wires);
    st_list_free(&self->nodes);
    st_list_free(&self->previous);
    st_list_free(&self->table);
    st_list_free(&self->moved);
    st_list_free(&self->old);
    st_list_free(&self->first_tips);
    st_list_free(&self->first_angles);
}

const st_class st_interventional_radiology_controller_class = {
    .name = "InterventionalRadiologyController",
    .kind = "beams",
    .help = "pushes wires through one entry",
    .parent = &st_object_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(st_radiology),
    .example = "<Node name=\"wire\">\n"
               "    <RodStraightSection name=\"body\" radius=\"0.9\" nbBeams=\"3\" length=\"9\"/>\n"
               "    <WireRestShape name=\"shape\" wireMaterials=\"@body\"/>\n"
               "    <EdgeSetTopologyContainer/>\n"
               "</Node>\n"
               "<RegularGridTopology name=\"line\" n=\"4 1 1\" max=\"0 0 0\"/>\n"
               "<MechanicalObject template=\"Rigid3\"/>\n"
               "<WireBeamInterpolation name=\"beams\" WireRestShape=\"@wire/shape\"/>\n"
               "<InterventionalRadiologyController instruments=\"beams\" speed=\"0.5\" topology=\"@line\"/>\n"
               "<FixedProjectiveConstraint/>",
    .flags = ST_CLASS_LISTENING,
    .init = radiology_init,
    .reset = radiology_reset,
    .event = radiology_event,
    .destroy = radiology_destroy,
};
