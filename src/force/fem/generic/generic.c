// What the element-generic forces share: attributes, mesh, force, product, blocks. See generic.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/generic/generic.h"

#include <string.h>

#include "force/fem/common/mesh_fits.h"
#include "scene/scene.h"

static const char *const kind_names[ST_ELEMENT_KINDS] = {"Edge",       "Triangle", "Quad",   "Tetrahedron",
                                                         "Hexahedron", "Prism",    "Pyramid"};

st_element st_generic_fem_kind(const st_object *object) {
    const char *comma = object->template_ ? strchr(object->template_, ',') : NULL;
    for (int kind = 0; comma && kind < ST_ELEMENT_KINDS; kind++)
        if (strcmp(comma + 1, kind_names[kind]) == 0) return (st_element)kind;
    return ST_TETRAHEDRON;
}

static bool set_stiffness(st_generic_fem *self) {
    const st_element_hooke hooke = {.material = &self->elastic, .kind = self->model.kind, .d = self->model.d};
    const st_element_law law = st_element_hooke_law(&hooke);
    const st_force *force = &self->elastic.force;
    return st_element_model_set_stiffness(&self->model, force->object.scene->pool, &law,
                                          force->state->coord[ST_COORD_REST].data);
}

st_status st_generic_fem_build(st_generic_fem *self) {
    st_object *object = &self->elastic.force.object;
    st_topology *topology = st_elastic_mesh(&self->elastic);
    if (!topology) return ST_INVALID;

    // elements of the kind that the template names
    st_element_model *model = &self->model;
    const st_uints *elements = st_topology_elements(topology, model->kind);
    const st_reals *rest = &self->elastic.force.state->coord[ST_COORD_REST];
    if (elements->count == 0)
        st_message(object, ST_WARNING, "the mesh has no element of type %s: there is no force",
                   kind_names[model->kind]);

    // rest positions, rest frames and places for the stiffness
    size_t wrong = 0;
    const st_status status = st_element_model_make(model, object->scene->pool, elements->data, elements->count,
                                                   rest->data, rest->count, &wrong);
    if (status == ST_INVALID)
        return st_invalid(object, "element %zu of %zu has a vertex beyond the %zu DOFs of the state", wrong,
                          elements->count, rest->count);
    if (status != ST_OK) return st_invalid(object, "out of memory for %zu elements", elements->count);
    if (!set_stiffness(self)) return st_invalid(object, "out of memory for %zu elements", elements->count);
    return ST_OK;
}

static void generic_changed(st_object *object) {
    st_generic_fem *self = (st_generic_fem *)object;
    st_elastic_class.changed(object);
    if (self->elastic.force.state->size < self->model.mesh.points || set_stiffness(self)) return;

    st_element_model_free(&self->model);
    st_message(object, ST_ERROR, "out of memory for a new material: there is no force any more");
}

static void generic_destroy(st_object *object) { st_element_model_free(&((st_generic_fem *)object)->model); }

// ---------------------------------------------------------------------------------------------------

static void generic_add_force(st_force *force, const st_params *params) {
    st_generic_fem *self = (st_generic_fem *)force;
    if (!st_mesh_fits(force, self->model.mesh.points)) return;

    st_element_model_add_force(&self->model, force->object.scene->pool, st_x(force->state, params),
                               st_f(force->state, params));
    if (self->model.singular)
        st_message_once(&force->object, "flat", ST_WARNING,
                        "an element is flat: its polar decomposition does not exist");
    self->model.singular = false;
}

static void generic_product(st_force *force, const st_params *params, st_real k, st_real b) {
    (void)b; // no damping
    st_generic_fem *self = (st_generic_fem *)force;
    if (force->state->size < self->model.mesh.points) return;
    st_element_model_product(&self->model, force->object.scene->pool, k, st_dx(force->state, params),
                             st_df(force->state, params));
}

static void generic_stiffness(st_force *force, const st_params *params, st_stiffness to) {
    (void)params;
    st_generic_fem *self = (st_generic_fem *)force;
    if (force->state->size < self->model.mesh.points) return;
    st_element_model_stiffness(&self->model, force->object.scene->pool,
                               st_stiffness_between(to, force->state, force->state));
}

static st_real generic_potential(st_force *force, const st_params *params) {
    const st_element_model *model = &((const st_generic_fem *)force)->model;
    return force->state->size < model->mesh.points ? 0 : st_element_model_potential(model, st_x(force->state, params));
}

static const st_force_ops force_ops = {
    .add_force = generic_add_force,
    .stiffness = generic_stiffness,
    .product = generic_product,
    .potential = generic_potential,
};

#define HINT(member, name, type, value)                                                                                \
    ST_FIELD(st_generic_fem, member, name, type, value, "a hint to threads", .flags = ST_FIELD_NO_EFFECT)

static const st_field fields[] = {
    HINT(force_strategy, "computeForceStrategy", st_type_string, "parallel"),
    HINT(derivative_strategy, "computeForceDerivStrategy", st_type_string, "parallel"),
    HINT(threads, "nbThreads", st_type_int, "0"),
    HINT(task_scheduler, "taskSchedulerType", st_type_string, NULL),
    ST_FIELD(st_generic_fem, element_space, "elementSpace", st_type_real, "0.125", "gap between the elements drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

const st_class st_generic_fem_class = {
    .name = "BaseElementLinearFEMForceField",
    .help = "what the element-generic linear elastic forces have",
    .parent = &st_elastic_class,
    .fields = fields,
    .size = sizeof(st_generic_fem),
    .flags = ST_CLASS_ABSTRACT,
    .changed = generic_changed,
    .destroy = generic_destroy,
    .force = &force_ops,
};
