// NodalMassDensity: a density at each vertex. The last value of the list holds for all further vertices; 1 without any.
//
// SPDX-License-Identifier: Apache-2.0
#include "mass/nodal_mass_density.h"

typedef struct nodal_density {
    st_object object;
    st_reals property;
} nodal_density;

static const st_field fields[] = {
    ST_FIELD(nodal_density, property, "property", st_type_reals, "1",
             "density at each vertex; the last one holds for all further ones"),
    ST_FIELDS_END,
};

st_real st_nodal_mass_density_at(const st_object *object, size_t vertex) {
    const st_reals *list = &((const nodal_density *)object)->property;
    if (!list->count) return 1;
    return list->data[vertex < list->count ? vertex : list->count - 1];
}

const st_class st_nodal_mass_density_class = {
    .name = "NodalMassDensity",
    .help = "a density at each vertex, for FEMMass",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(nodal_density),
    .example = "<NodalMassDensity property=\"1100\"/>",
};
