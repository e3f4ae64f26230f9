// WireBeamInterpolation: beams on a wire, which a controller puts where the wire is out.
//
// A beam from x0 to x1 along the wire has the section at x1; its rest shape is that of the wire:
//
//     M = rest frame at (x0 + x1) / 2,   ends at rest M⁻¹ F(x0), M⁻¹ F(x1)
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "beam/rod_section.h"
#include "settee/plugin/change.h"

typedef struct wire_beams {
    st_beams beams;
    st_object *shape;
    bool controlled;
} wire_beams;

static const st_field fields[] = {
    ST_FIELD(wire_beams, shape, "WireRestShape", st_type_link, NULL, "the rest shape of the wire"),
    ST_FIELDS_END,
};

const st_wire_shape *st_wire_of(const st_beams *wire) {
    return (const st_wire_shape *)((const wire_beams *)wire)->shape;
}
void st_wire_control(st_beams *wire) { ((wire_beams *)wire)->controlled = true; }

void st_wire_clear(st_beams *wire) {
    wire->edge_list.count = wire->length_list.count = wire->abscissas.count = wire->collision.count = 0;
    wire->transform[0].count = wire->transform[1].count = 0;
}

bool st_wire_add_beam(st_beams *wire, uint32_t edge, st_real length, st_real x0, st_real x1, st_real angle) {
    const size_t b = wire->edge_list.count;
    if (!st_list_push(&wire->edge_list, edge) || !st_list_push(&wire->length_list, length) ||
        !st_list_set_count(&wire->abscissas, b + 1, 2) || !st_list_set_count(&wire->transform[0], b + 1, 7) ||
        !st_list_set_count(&wire->transform[1], b + 1, 7)) {
        wire->edge_list.count = b;
        return false;
    }

    // the wire is turned about its x axis
    wire->abscissas.data[2 * b] = x0;
    wire->abscissas.data[2 * b + 1] = x1;
    for (int k = 0; k < 2; k++)
        st_copy_reals(wire->transform[k].data + 7 * b,
                      ((const st_real[7]){0, 0, 0, sin(angle / 2), 0, 0, cos(angle / 2)}), 7);
    wire->aligned = false;
    return true;
}

static void wire_beams_complete(const st_beams *beams, size_t b, st_beam *beam) {
    const st_wire_shape *shape = st_wire_of(beams);
    const st_real x0 = beams->abscissas.data[2 * b], x1 = beams->abscissas.data[2 * b + 1];
    const st_rod_section *section = st_wire_section(shape, x1);

    // A = π (r² − i²), I = π (r⁴ − i⁴) / 4
    const st_real r = section->radius, i = section->inner_radius;
    beam->iy = beam->iz = ST_PI * (r * r * r * r - i * i * i * i) / 4;
    beam->area = ST_PI * (r * r - i * i);
    beam->j = beam->iy + beam->iz;
    beam->young = section->young;
    beam->poisson = section->poisson;
    beam->density = section->density;

    const st_beam_frame middle = st_wire_frame(shape, (x0 + x1) / 2), inverse = st_beam_frame_inverse(&middle);
    const st_beam_frame ends[2] = {st_wire_frame(shape, x0), st_wire_frame(shape, x1)};
    for (int k = 0; k < 2; k++) beam->rest[k] = st_beam_frame_multiply(&inverse, &ends[k]);
}

static st_status wire_beams_init(st_object *object) {
    wire_beams *self = (wire_beams *)object;
    self->beams.complete = wire_beams_complete;
    if (!self->shape || !st_is_a(self->shape, &st_wire_rest_shape_class) || !st_is_valid(self->shape) ||
        ((st_wire_shape *)self->shape)->key_points.count == 0)
        return st_invalid(object, "WireRestShape names no usable rest shape: there are no beams");

    // the beams are for the controller to make
    self->beams.rest_length = st_wire_length((st_wire_shape *)self->shape);
    if (st_why_init(object) != ST_INIT_CHANGED) st_wire_clear(&self->beams);
    return st_beams_find(&self->beams);
}

static st_status wire_beams_bwd_init(st_object *object) {
    if (((wire_beams *)object)->controlled) return ST_OK;
    st_message(object, ST_ERROR, "no controller has this wire among its instruments: it has no beams");
    return ST_OK;
}

const st_class st_wire_beam_interpolation_class = {
    .name = "WireBeamInterpolation",
    .help = "beams on a wire, which an InterventionalRadiologyController moves",
    .parent = &st_beams_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(wire_beams),
    .example = "<Node name=\"wire\">\n"
               "    <RodStraightSection name=\"body\" radius=\"0.9\" nbBeams=\"3\" length=\"9\"/>\n"
               "    <WireRestShape name=\"shape\" wireMaterials=\"@body\"/>\n"
               "    <EdgeSetTopologyContainer/>\n"
               "</Node>\n"
               "<RegularGridTopology name=\"line\" n=\"4 1 1\" max=\"0 0 0\"/>\n"
               "<MechanicalObject template=\"Rigid3\"/>\n"
               "<WireBeamInterpolation name=\"beams\" WireRestShape=\"@wire/shape\"/>\n"
               "<InterventionalRadiologyController instruments=\"beams\" xtip=\"4\" topology=\"@line\"/>\n"
               "<FixedProjectiveConstraint/>",
    .init = wire_beams_init,
    .bwd_init = wire_beams_bwd_init,
};
