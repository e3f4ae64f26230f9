// The base of linear elastic forces: mesh and material.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/common/elastic.h"

#include "settee/plugin/change.h"
#include "topology/topology.h"

#define DEFAULT_YOUNG 5000
#define DEFAULT_POISSON 0.45

st_topology *st_elastic_mesh(st_elastic *elastic) {
    st_object *object = &elastic->force.object;
    st_topology *topology = st_context_topology(object->node, elastic->topology);
    if (!topology) st_message(object, ST_ERROR, "there is no mesh in its node or above: it has no elements");
    return topology;
}

// ---------------------------------------------------------------------------------------------------
// Material
// ---------------------------------------------------------------------------------------------------

static void replace_invalid(st_object *object, st_reals *list, const char *name, st_real end, st_real value) {
    size_t wrong = 0, first = 0;
    st_real example = 0;

    // the first wrong value is reported, with the number of all
    for (size_t i = 0; i < list->count; i++) {
        if (list->data[i] >= 0 && list->data[i] < end) continue;
        if (wrong++ == 0) {
            first = i;
            example = list->data[i];
        }
        list->data[i] = value;
    }

    // one message for all
    if (wrong)
        st_message(object, ST_WARNING,
                   "%s of element %zu is %g: it must not be negative%s; %g is used instead (%zu %s)", name, first,
                   (double)example, end < 1 ? " and must be below 0.5" : "", (double)value, wrong,
                   wrong == 1 ? "value" : "values");
    if (list->count == 0) st_message(object, ST_WARNING, "%s is empty: %g is used", name, (double)value);
}

void st_elastic_validate(st_elastic *elastic) {
    st_object *object = &elastic->force.object;
    replace_invalid(object, &elastic->poisson, "poissonRatio", ST_R(0.5), ST_R(DEFAULT_POISSON));
    replace_invalid(object, &elastic->young, "youngModulus", ST_REAL_MAX, DEFAULT_YOUNG);
}

static st_real element_value(const st_reals *list, size_t element, st_real value) {
    if (list->count == 0) return value;
    return list->data[element < list->count ? element : 0];
}

st_real st_elastic_young(const st_elastic *elastic, size_t element) {
    return element_value(&elastic->young, element, DEFAULT_YOUNG);
}

st_real st_elastic_poisson(const st_elastic *elastic, size_t element) {
    return element_value(&elastic->poisson, element, ST_R(DEFAULT_POISSON));
}

st_lame st_lame_of(st_real young, st_real poisson, size_t dimensions) {
    return (st_lame){.lambda = young * poisson / ((1 + poisson) * (1 - (st_real)(dimensions - 1) * poisson)),
                     .mu = young / (2 * (1 + poisson))};
}

// The unit matrix 1, ν / (1 - ν), (1 - 2 ν) / (2 (1 - ν)) times E (1 - ν) / ((1 + ν) (1 - 2 ν)).
st_hooke st_hooke_of(st_real young, st_real poisson) {
    const st_real scale = young * (1 - poisson) / ((1 + poisson) * (1 - 2 * poisson));
    return (st_hooke){.diagonal = scale,
                      .off_diagonal = poisson / (1 - poisson) * scale,
                      .shear = (1 - 2 * poisson) / (2 * (1 - poisson)) * scale};
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

static st_status elastic_init(st_object *object) {
    const st_status status = st_force_class.init(object);
    if (status == ST_OK) st_elastic_validate((st_elastic *)object);
    return status;
}

static void elastic_changed(st_object *object) { st_elastic_validate((st_elastic *)object); }

static const st_field fields[] = {
    ST_FIELD(st_elastic, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(st_elastic, young, "youngModulus", st_type_reals, "5000",
             "Young's modulus: one value, or one for each element", .mesh = ST_PER_CELL, .make = st_make_like_ancestor,
             .flags = ST_FIELD_REINIT | ST_FIELD_REQUIRED | ST_FIELD_TRACKED),
    ST_FIELD(st_elastic, poisson, "poissonRatio", st_type_reals, "0.45",
             "Poisson's ratio, at least 0 and below 0.5: one value, or one for each element", .mesh = ST_PER_CELL,
             .make = st_make_like_ancestor, .flags = ST_FIELD_REINIT | ST_FIELD_REQUIRED | ST_FIELD_TRACKED),
    ST_FIELDS_END,
};

const st_class st_elastic_class = {
    .name = "BaseLinearElasticityFEMForceField",
    .help = "what every linear elastic force has",
    .parent = &st_force_class,
    .fields = fields,
    .size = sizeof(st_elastic),
    .flags = ST_CLASS_ABSTRACT,
    .init = elastic_init,
    .changed = elastic_changed,
};
