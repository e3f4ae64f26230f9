// What every section of a wire has. See rod_section.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "beam/rod_section.h"

static const st_field fields[] = {
    ST_FIELD(st_rod_section, poisson, "poissonRatio", st_type_real, "0.49", "Poisson's ratio"),
    ST_FIELD(st_rod_section, young, "youngModulus", st_type_real, "5000", "Young's modulus"),
    ST_FIELD(st_rod_section, density, "massDensity", st_type_real, "1", "mass per volume"),
    ST_FIELD(st_rod_section, radius, "radius", st_type_real, "1", "of the circular section"),
    ST_FIELD(st_rod_section, inner_radius, "innerRadius", st_type_real, "0", "of a section that is hollow"),
    ST_FIELD(st_rod_section, length, "length", st_type_real, "1", "along the wire"),
    ST_FIELD(st_rod_section, beams, "nbBeams", st_type_int, "5", "number of beams; nbEdgesCollis when not given"),
    ST_FIELD(st_rod_section, edges_visual, "nbEdgesVisu", st_type_int, "10", "number of edges in the mesh of the wire"),
    ST_FIELD(st_rod_section, edges_collision, "nbEdgesCollis", st_type_int, "20", "number of edges that can collide"),
    ST_FIELDS_END,
};

enum { MAX_PARTS = 1 << 20 };

st_status st_rod_section_check(st_rod_section *self) {
    st_object *object = &self->object;
    if (!st_is_set(object, &self->beams)) {
        st_message(object, ST_WARNING, "nbBeams is not given: nbEdgesCollis = %d is taken", (int)self->edges_collision);
        self->beams = self->edges_collision;
    }

    // a wire has a length, a section and a material
    if (!(self->length > 0 && self->length <= ST_REAL_MAX))
        return st_invalid(object, "length is %g: it must be larger than 0", (double)self->length);
    if (!(self->radius > 0 && self->inner_radius >= 0 && self->inner_radius < self->radius))
        return st_invalid(object, "radius is %g and innerRadius %g: the first must be larger, the second not negative",
                          (double)self->radius, (double)self->inner_radius);
    if (!(self->young >= 0 && self->poisson > -1 && self->density >= 0))
        return st_invalid(object, "youngModulus %g, poissonRatio %g, massDensity %g: they must be at least 0, -1, 0",
                          (double)self->young, (double)self->poisson, (double)self->density);

    // and is cut into parts
    const int32_t parts[3] = {self->beams, self->edges_visual, self->edges_collision};
    for (int i = 0; i < 3; i++)
        if (parts[i] < 1 || parts[i] > MAX_PARTS)
            return st_invalid(object, "nbBeams, nbEdgesVisu and nbEdgesCollis are %d %d %d: each must be from 1 to %d",
                              (int)parts[0], (int)parts[1], (int)parts[2], MAX_PARTS);
    return ST_OK;
}

const st_class st_rod_section_class = {
    .name = "BaseRodSection",
    .kind = "beams",
    .help = "what every section of a wire has",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_rod_section),
    .flags = ST_CLASS_ABSTRACT,
};
