// AdaptiveBeamMapping: points, or frames, on the beams of an interpolation (beam_points.h has the formulas).
//
// The points are (abscissa, y, z), or with useCurvAbs="0" (beam + s, y, z). Those that the scene does not give are the
// positions of the child at init. Abscissas find their beam at each application: a wire moves on through its frames.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "beam/beam_points.h"
#include "mapping/states.h"

typedef struct beam_mapping {
    st_mapping mapping;
    st_object *interpolation;
    bool use_abscissas;
    st_reals given;
    st_real proximity;
    bool contact_duplicate, parallel;
    char *input_map;
    st_beam_points points;
} beam_mapping;

#define NO_EFFECT(member, name, type, value, help)                                                                     \
    ST_FIELD(beam_mapping, member, name, type, value, help, .flags = ST_FIELD_NO_EFFECT)

static const st_field fields[] = {
    ST_FIELD(beam_mapping, interpolation, "interpolation", st_type_link, NULL,
             "the beams; the nearest interpolation upwards when not given"),
    ST_FIELD(beam_mapping, use_abscissas, "useCurvAbs", st_type_bool, "1",
             "the first number of a point is the abscissa along the wire; 0: the number of the beam, and where on it",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(beam_mapping, given, "points", st_type_vec3s, NULL,
             "abscissa and offset of each point; the positions of the child when not given", .flags = ST_FIELD_REINIT),
    NO_EFFECT(proximity, "proximity", st_type_real, "0", "no effect on the points"),
    NO_EFFECT(contact_duplicate, "contactDuplicate", st_type_bool, "0", "no effect on the points"),
    NO_EFFECT(input_map, "nameOfInputMap", st_type_string, NULL, "no effect on the points"),
    NO_EFFECT(parallel, "parallelMapping", st_type_bool, "0", "no effect on the points"),
    ST_FIELDS_END,
};

static void beam_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    st_beam_points_apply(&((beam_mapping *)mapping)->points, mapping, out, in);
}

static void beam_mapping_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    st_beam_points_jacobian(&((beam_mapping *)mapping)->points, mapping, sink);
}

// The points of the scene, or where the child is now.
static bool take_points(beam_mapping *self) {
    const st_state *child = st_mapping_out(&self->mapping);
    const bool given = self->given.count > 0;
    const st_reals *from = given ? &self->given : &child->coord[ST_COORD_POSITION];
    const size_t width = given ? 3 : st_state_dof(child)->coord;
    if (!st_list_set_count(&self->points, from->count, 1)) return false;

    for (size_t i = 0; i < from->count; i++) {
        st_beam_point *p = &self->points.data[i];
        *p = (st_beam_point){.beams = self->interpolation, .by_abscissa = self->use_abscissas};
        st_vec3_copy(p->at, from->data + width * i);
    }
    return true;
}

static st_status beam_mapping_init(st_object *object) {
    beam_mapping *self = (beam_mapping *)object;
    if (!st_mapping_has_states(&self->mapping)) return st_mapping_init(object);

    // the beams, on the frames of the parent
    if (!self->interpolation) self->interpolation = st_find_class(object->node, &st_beams_class, ST_UP);
    if (!self->interpolation || !st_is_a(self->interpolation, &st_beams_class))
        return st_invalid(object, "there is no interpolation of beams in its node or above");
    const st_state *frames = st_beam_interpolation_state(self->interpolation);
    if (!frames) return st_invalid(object, "the interpolation '%s' has no beams", self->interpolation->name);
    if (frames != st_mapping_in(&self->mapping))
        return st_invalid(object, "the beams of '%s' are on the state '%s', not on its parent",
                          self->interpolation->name, frames->object.name);

    if (!take_points(self)) return st_invalid(object, "out of memory for its points");
    const st_status status = st_mapping_size_child(&self->mapping, 0, self->points.count);
    return status == ST_OK ? st_mapping_init(object) : status;
}

static void beam_mapping_destroy(st_object *object) { st_list_free(&((beam_mapping *)object)->points); }

static const st_mapping_ops ops = {.apply = beam_mapping_apply, .jacobian = beam_mapping_jacobian};

const st_class st_adaptive_beam_mapping_class = {
    .name = "AdaptiveBeamMapping",
    .help = "points or frames on the beams of an interpolation",
    .parent = &st_mapping_class,
    .templates = "Rigid3,Vec3 Rigid3,Rigid3",
    .fields = fields,
    .size = sizeof(beam_mapping),
    .example =
        "<MeshTopology edges=\"0 1  1 2\"/>\n"
        "<MechanicalObject name=\"frames\" template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 "
        "0 1\"/>\n"
        "<BeamInterpolation radius=\"0.1\"/>\n"
        "<Node name=\"points\">\n"
        "    <MechanicalObject name=\"points\"/>\n"
        "    <AdaptiveBeamMapping input=\"@../frames\" output=\"@points\" useCurvAbs=\"0\" points=\"0.5 0 0  1.2 0 "
        "0\"/>\n"
        "</Node>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = beam_mapping_init,
    .destroy = beam_mapping_destroy,
    .mapping = &ops,
};
