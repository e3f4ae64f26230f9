// WireRestShape: the rest shape of a wire, made of sections from handle to tip.
//
// Its mesh, for pictures and mappings, is a straight line along x with the edges of all sections. An abscissa x means the
// section that holds x − 1e-10: at a joint the one before it.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "beam/rod_section.h"
#include "topology/topology.h"

static const st_field fields[] = {
    ST_FIELD(st_wire_shape, sections, "wireMaterials", st_type_links, NULL, "sections, from handle to tip"),
    ST_FIELD(st_wire_shape, topology, "topology", st_type_link, NULL, "mesh to fill; that of the node when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(st_wire_shape, beams, "densityOfBeams", st_type_ints, NULL, "number of beams of each section",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_wire_shape, key_points, "keyPoints", st_type_reals, NULL, "where sections begin, and the end",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

static const st_rod_section *section_of(const st_wire_shape *self, size_t i) {
    return (const st_rod_section *)self->sections.data[i];
}

// ---------------------------------------------------------------------------------------------------
// Look-ups
// ---------------------------------------------------------------------------------------------------

st_real st_wire_length(const st_wire_shape *self) {
    return self->key_points.count ? self->key_points.data[self->key_points.count - 1] : 0;
}

static st_real inside(const st_wire_shape *self, st_real x) {
    return st_max(0, st_min(x - ST_R(1e-10), st_wire_length(self)));
}

static size_t section_at(const st_wire_shape *self, st_real x) {
    size_t i = 0;
    while (i + 1 < self->sections.count && x > self->key_points.data[i + 1]) i++;
    return i;
}

const st_rod_section *st_wire_section(const st_wire_shape *self, st_real x) {
    return section_of(self, section_at(self, inside(self, x)));
}

st_beam_frame st_wire_frame(const st_wire_shape *self, st_real x) {
    const st_real at = inside(self, x);
    const size_t i = section_at(self, at);
    return section_of(self, i)->frame(section_of(self, i), at, self->key_points.data[i]);
}

size_t st_wire_collision_parts(const st_wire_shape *self) {
    size_t parts = 0;
    for (size_t i = 0; i < self->sections.count; i++) parts += (size_t)section_of(self, i)->edges_collision;
    return parts;
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_status fill_mesh(st_wire_shape *self, st_topology *topology) {
    size_t edges = 0;
    for (size_t i = 0; i < self->sections.count; i++) edges += (size_t)section_of(self, i)->edges_visual;
    st_topology_clear(topology);
    if (!st_list_set_count(&topology->elements[ST_EDGE], edges, 2) ||
        !st_resize_member(&topology->object, &topology->position, 0) ||
        !st_resize_member(&topology->object, &topology->position, edges + 1))
        return st_invalid(&self->object, "out of memory for a mesh of %zu edges", edges);

    // one point after the other
    size_t at = 0;
    for (size_t i = 0; i < self->sections.count; i++) {
        const st_rod_section *section = section_of(self, i);
        const st_real dx = section->length / (st_real)section->edges_visual;
        for (int32_t k = 1; k <= section->edges_visual; k++, at++) {
            topology->position.data[3 * (at + 1)] = self->key_points.data[i] + (st_real)k * dx;
            topology->elements[ST_EDGE].data[2 * at] = (uint32_t)at;
            topology->elements[ST_EDGE].data[2 * at + 1] = (uint32_t)(at + 1);
        }
    }
    st_topology_set_points(topology, edges + 1);
    st_touch(&topology->object, &topology->position);
    st_touch(&topology->object, &topology->elements[ST_EDGE]);
    return st_topology_init_again(topology);
}

static st_status wire_rest_shape_init(st_object *object) {
    st_wire_shape *self = (st_wire_shape *)object;
    const size_t n = self->sections.count;
    st_topology *topology = st_context_topology(object->node, self->topology);
    if (n == 0) return st_invalid(object, "wireMaterials names no section");
    if (!topology) return st_invalid(object, "there is no mesh in its node that it could fill");
    if (!st_list_set_count(&self->beams, n, 1) || !st_list_set_count(&self->key_points, n + 1, 1))
        return st_invalid(object, "out of memory for %zu sections", n);

    // sections one after the other
    self->key_points.data[0] = 0;
    for (size_t i = 0; i < n; i++) {
        st_object *section = self->sections.data[i];
        self->key_points.count = 0;
        if (!section || !st_is_a(section, &st_rod_section_class) || !st_is_valid(section) ||
            !section_of(self, i)->frame)
            return st_invalid(object, "section %zu ('%s') of wireMaterials is no usable section before it in the scene",
                              i, section && section->name ? section->name : "");
        self->key_points.count = n + 1;
        self->key_points.data[i + 1] = self->key_points.data[i] + section_of(self, i)->length;
        self->beams.data[i] = section_of(self, i)->beams;
    }
    st_touch(object, &self->beams);
    st_touch(object, &self->key_points);
    return fill_mesh(self, topology);
}

const st_class st_wire_rest_shape_class = {
    .name = "WireRestShape",
    .kind = "beams",
    .help = "the rest shape of a wire, made of sections",
    .parent = &st_object_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(st_wire_shape),
    .example = "<RodStraightSection name=\"body\" radius=\"0.9\" nbBeams=\"30\" length=\"980\"/>\n"
               "<RodSpireSection name=\"tip\" radius=\"0.9\" nbBeams=\"5\" length=\"20\" spireDiameter=\"25\"/>\n"
               "<WireRestShape wireMaterials=\"@body @tip\"/>\n"
               "<EdgeSetTopologyContainer/>",
    .init = wire_rest_shape_init,
};
