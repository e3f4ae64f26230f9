// MultiAdaptiveBeamMapping: points for collisions over all wires of an InterventionalRadiologyController.
//
// There are as many points as the wires have parts for collisions, and one more, in a chain of edges. At the begin of each
// step they are dealt out again from the tip backwards: each is one part's length behind the one before it; where
// another wire is outermost, its parts follow. Points for which no wire is left are at the entry.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "beam/beam_points.h"
#include "beam/radiology_controller.h"
#include "mapping/states.h"
#include "topology/topology.h"

typedef struct multi_mapping {
    st_mapping mapping;
    st_object *controller;
    bool use_abscissas, parallel;
    st_beam_points points;
    st_uints wire; // of each point
} multi_mapping;

static const st_field fields[] = {
    ST_FIELD(multi_mapping, controller, "controller", st_type_link, NULL,
             "the InterventionalRadiologyController; the nearest one upwards when not given", .aliases = "ircontroller",
             .flags = ST_FIELD_BARE_LINK),
    ST_FIELD(multi_mapping, use_abscissas, "useCurvAbs", st_type_bool, "1", "points are always at abscissas",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(multi_mapping, parallel, "parallelMapping", st_type_bool, "0", "no effect on the points",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_radiology *radiology_of(const multi_mapping *self) { return (const st_radiology *)self->controller; }

// ---------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------

// Length of a part for collisions at an abscissa of a wire.
static st_real part_at(const st_beams *wire, st_real x) {
    const st_rod_section *section = st_wire_section(st_wire_of(wire), x);
    return section->length / (st_real)section->edges_collision;
}

static void deal_out(multi_mapping *self) {
    const st_radiology *c = radiology_of(self);
    if (c->nodes.count == 0) return;
    size_t node = c->nodes.count - 1, i = st_radiology_wire_at(c, node);
    st_real x = c->nodes.data[node];

    for (size_t k = self->points.count; k-- > 0;) {
        st_beam_point *p = &self->points.data[k];
        if (p->at[0] > c->wires.data[self->wire.data[k]]->rest_length) continue;

        p->beams = &c->wires.data[i]->object;
        p->at[0] = x - st_radiology_begin_of(c, i);
        self->wire.data[k] = (uint32_t)i;
        x -= part_at(c->wires.data[i], p->at[0]);
        if (x < 0) {
            x = 0;
            continue;
        }

        // the next wire begins where this one ends
        while (node > 0 && x < c->nodes.data[node - 1]) {
            node--;
            const size_t other = st_radiology_wire_at(c, node);
            if (other == i) continue;
            i = other;
            x = c->nodes.data[node];
            break;
        }
    }
}

static void multi_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    st_beam_points_apply(&((multi_mapping *)mapping)->points, mapping, out, in);
}

static void multi_mapping_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    st_beam_points_jacobian(&((multi_mapping *)mapping)->points, mapping, sink);
}

static void multi_mapping_event(st_object *object, st_event *event) {
    multi_mapping *self = (multi_mapping *)object;
    if (event->kind != ST_EVENT_ANIMATE_BEGIN || self->points.count == 0) return;
    deal_out(self);
    multi_mapping_apply(&self->mapping, ST_POSITION, st_read_coord(ST_POSITION));
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// The chain of edges, at rest along x.
static st_status make_chain(multi_mapping *self, st_topology *topology, size_t parts) {
    st_topology_clear(topology);
    if (!st_list_set_count(&topology->elements[ST_EDGE], parts, 2) ||
        !st_resize_member(&topology->object, &topology->position, 0) ||
        !st_resize_member(&topology->object, &topology->position, parts + 1))
        return st_invalid(&self->mapping.object, "out of memory for %zu points", parts);

    // the parts of one wire after those of the other
    const st_radiology *c = radiology_of(self);
    st_real before = 0;
    size_t at = 0;
    for (size_t w = 0; w < c->wires.count; w++) {
        const st_wire_shape *shape = st_wire_of(c->wires.data[w]);
        const size_t n = st_wire_collision_parts(shape);
        const st_real dx = st_wire_length(shape) / (st_real)n;
        for (size_t i = 1; i <= n; i++, at++) {
            topology->position.data[3 * (at + 1)] = before + (st_real)i * dx;
            topology->elements[ST_EDGE].data[2 * at] = (uint32_t)at;
            topology->elements[ST_EDGE].data[2 * at + 1] = (uint32_t)(at + 1);
        }
        before += (st_real)(n + 1) * dx;
    }
    st_topology_set_points(topology, parts + 1);
    st_touch(&topology->object, &topology->position);
    st_touch(&topology->object, &topology->elements[ST_EDGE]);
    return st_topology_init_again(topology);
}

static st_status multi_mapping_init(st_object *object) {
    multi_mapping *self = (multi_mapping *)object;
    if (!st_mapping_has_states(&self->mapping)) return st_mapping_init(object);

    // the wires, on the frames of the parent
    if (!self->controller)
        self->controller = st_find_class(object->node, &st_interventional_radiology_controller_class, ST_UP);
    if (!self->controller || !st_is_a(self->controller, &st_interventional_radiology_controller_class) ||
        !st_is_valid(self->controller))
        return st_invalid(object, "there is no InterventionalRadiologyController above it");
    const st_radiology *c = radiology_of(self);
    if (c->state != st_mapping_in(&self->mapping))
        return st_invalid(object, "the wires of '%s' are not on its parent state", self->controller->name);
    st_topology *topology = st_local_topology(object->node);
    if (!topology) return st_invalid(object, "there is no EdgeSetTopologyContainer in its node");

    // the points and their edges
    size_t parts = 0;
    for (size_t w = 0; w < c->wires.count; w++) parts += st_wire_collision_parts(st_wire_of(c->wires.data[w]));
    st_status status = make_chain(self, topology, parts);
    if (status == ST_OK) status = st_mapping_size_child(&self->mapping, 0, parts + 1);
    if (status != ST_OK) return status;
    if (!st_list_set_count(&self->points, parts + 1, 1) || !st_list_set_count(&self->wire, parts + 1, 1))
        return st_invalid(object, "out of memory for %zu points", parts + 1);
    for (size_t i = 0; i <= parts; i++) {
        self->points.data[i] = (st_beam_point){.beams = &c->wires.data[0]->object, .by_abscissa = true};
        self->wire.data[i] = 0;
    }

    deal_out(self);
    return st_mapping_init(object);
}

static void multi_mapping_destroy(st_object *object) {
    multi_mapping *self = (multi_mapping *)object;
    st_list_free(&self->points);
    st_list_free(&self->wire);
}

static const st_mapping_ops ops = {.apply = multi_mapping_apply, .jacobian = multi_mapping_jacobian};

const st_class st_multi_adaptive_beam_mapping_class = {
    .name = "MultiAdaptiveBeamMapping",
    .help = "points for collisions over all wires of an InterventionalRadiologyController",
    .parent = &st_mapping_class,
    .templates = "Rigid3,Vec3",
    .fields = fields,
    .size = sizeof(multi_mapping),
    .example = "<Node name=\"wire\">\n"
               "    <RodStraightSection name=\"body\" radius=\"0.9\" nbBeams=\"3\" nbEdgesCollis=\"3\" length=\"9\"/>\n"
               "    <WireRestShape name=\"shape\" wireMaterials=\"@body\"/>\n"
               "    <EdgeSetTopologyContainer/>\n"
               "</Node>\n"
               "<Node name=\"beams\">\n"
               "    <RegularGridTopology name=\"line\" n=\"4 1 1\" max=\"0 0 0\"/>\n"
               "    <MechanicalObject name=\"frames\" template=\"Rigid3\"/>\n"
               "    <WireBeamInterpolation name=\"wire\" WireRestShape=\"@../wire/shape\"/>\n"
               "    <InterventionalRadiologyController instruments=\"wire\" xtip=\"9\" topology=\"@line\"/>\n"
               "    <FixedProjectiveConstraint/>\n"
               "    <Node name=\"points\">\n"
               "        <EdgeSetTopologyContainer/>\n"
               "        <MechanicalObject name=\"points\"/>\n"
               "        <MultiAdaptiveBeamMapping input=\"@../frames\" output=\"@points\"/>\n"
               "    </Node>\n"
               "</Node>",
    .flags = ST_CLASS_LISTENING | ST_CLASS_APPROXIMATE_TANGENT,
    .init = multi_mapping_init,
    .event = multi_mapping_event,
    .destroy = multi_mapping_destroy,
    .mapping = &ops,
};
