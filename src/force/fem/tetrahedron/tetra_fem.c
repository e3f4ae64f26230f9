// What the two classical tetrahedral forces share. See tetra_fem.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/tetrahedron/tetra_fem.h"

#include "base/array.h"
#include "scene/scene.h"
#include "settee/plugin/change.h"
#include "topology/topology.h"

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

void st_tetra_fem_set_materials(st_tetra_fem *self) {
    st_tetra_model *model = &self->model;
    const size_t count = model->mesh.count, factors = self->local_factor.count;

    // lanes beyond the last element repeat it
    for (size_t lane = 0; lane < model->mesh.packs * ST_PACK_SIZE; lane++) {
        const size_t e = lane < count ? lane : count - 1;

        st_real young = st_elastic_young(&self->elastic, e);
        if (factors) young *= self->local_factor.data[st_spread_index(e, factors, count)];

        st_tetra_model_set_material(model, lane, st_tetra_fem_rest(self),
                                    st_hooke_of(young, st_elastic_poisson(&self->elastic, e)));
    }
}

st_status st_tetra_fem_make(st_tetra_fem *self, const st_uints *elements) {
    st_object *object = &self->elastic.force.object;
    const st_reals *rest = &self->elastic.force.state->coord[ST_COORD_REST];
    size_t wrong = 0;

    // after removals the model is up to date but for the numbers of points
    const bool followed = st_why_init(object) == ST_INIT_CHANGED && self->followed && elements->count > 0 &&
                          self->model.mesh.count == elements->count;
    const bool renumbered = self->renumbered;
    self->followed = true;
    self->renumbered = false;
    if (followed && (!renumbered || st_element_mesh_renumber(&self->model.mesh, elements->data, rest->count) == ST_OK))
        return ST_OK;

    const st_status status = st_tetra_model_make(&self->model, object->scene->pool, elements->data, elements->count,
                                                 rest->data, rest->count, &wrong);
    if (status == ST_INVALID)
        return st_invalid(object, "tetrahedron %zu of %zu has a vertex beyond the %zu DOFs of the state", wrong,
                          elements->count, rest->count);
    if (status != ST_OK) return st_invalid(object, "out of memory for %zu tetrahedra", elements->count);

    st_tetra_fem_set_materials(self);
    st_tear_init(&self->tear, &self->elastic, ST_TETRAHEDRON);
    return ST_OK;
}

// Removed elements leave the model; for whatever else it is made again.
static void tetra_fem_edited(st_object *object, const st_edits *edits) {
    st_tetra_fem *self = (st_tetra_fem *)object;
    const st_topology *topology = st_context_topology(object->node, self->elastic.topology);
    self->renumbered = self->renumbered || st_edits_move_points(edits, self->elastic.force.state);
    if (topology != edits->topology) return;

    for (size_t i = 0; self->followed && i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        if (edit->kind == ST_POINT && edit->what == ST_EDIT_ADDED) self->followed = false;
        if (edit->kind == ST_HEXAHEDRON) self->followed = false;
        if (edit->kind != ST_TETRAHEDRON) continue;
        self->followed = edit->what == ST_EDIT_REMOVED && edit->count < self->model.mesh.count &&
                         self->model.mesh.count == topology->elements[ST_TETRAHEDRON].count;
        for (size_t k = 0; self->followed && k < edit->count; k++) st_tetra_model_take_out(&self->model, edit->ids[k]);
    }
}

static void tetra_fem_event(st_object *object, st_event *event) {
    st_tetra_fem *self = (st_tetra_fem *)object;
    st_tear_step(&self->tear, &self->elastic, &self->local_factor, event);
}

static void tetra_fem_destroy(st_object *object) {
    st_tetra_model_free(&((st_tetra_fem *)object)->model);
    st_tear_free(&((st_tetra_fem *)object)->tear);
}

// ---------------------------------------------------------------------------------------------------
// Stress and messages
// ---------------------------------------------------------------------------------------------------

bool st_tetra_fem_von_mises(st_tetra_fem *self, const st_real *x, st_strain_measure measure, bool scaled) {
    st_tetra_model *model = &self->model;
    if (!st_list_set_count(&self->von_mises_elements, model->mesh.count, 1) ||
        !st_list_set_count(&self->von_mises_nodes, model->mesh.points, 1))
        return false;

    st_von_mises job = {.model = model,
                        .rest = st_tetra_fem_rest(self),
                        .x = x,
                        .green = measure == ST_STRAIN_GREEN,
                        .scaled = scaled,
                        .values = self->von_mises_elements.data};

    if (model->mesh.count) st_von_mises_elements(&job, self->elastic.force.object.scene->pool);
    st_von_mises_nodes(model, self->von_mises_elements.data, self->von_mises_nodes.data);
    st_touch(&self->elastic.force.object, &self->von_mises_elements);
    st_touch(&self->elastic.force.object, &self->von_mises_nodes);
    return true;
}

void st_tetra_fem_report_no_force(st_tetra_fem *self, const char *method) {
    st_message_once(&self->elastic.force.object, "no force", ST_ERROR,
                    "computeGlobalMatrix cannot be used with %s: there is no force", method);
}

void st_tetra_fem_report_flat(st_tetra_fem *self) {
    if (self->model.singular)
        st_message_once(&self->elastic.force.object, "flat", ST_WARNING,
                        "a tetrahedron is flat: its polar decomposition does not exist");
    self->model.singular = false;
}

// ---------------------------------------------------------------------------------------------------
// Derivative and energy
// ---------------------------------------------------------------------------------------------------

void st_tetra_fem_product(st_force *force, const st_params *params, st_real k, st_real b) {
    (void)b; // no damping
    st_tetra_model *model = &((st_tetra_fem *)force)->model;
    if (force->state->size < model->mesh.points) return;
    st_tetra_model_product(model, force->object.scene->pool, k, st_dx(force->state, params),
                           st_df(force->state, params));
}

void st_tetra_fem_stiffness(st_force *force, const st_params *params, st_stiffness to) {
    (void)params;
    st_tetra_model *model = &((st_tetra_fem *)force)->model;
    if (force->state->size < model->mesh.points) return;
    st_tetra_model_stiffness(model, force->object.scene->pool, st_stiffness_between(to, force->state, force->state));
}

st_real st_tetra_fem_potential(st_force *force, const st_params *params) {
    const st_tetra_model *model = &((st_tetra_fem *)force)->model;
    return force->state->size < model->mesh.points ? 0 : st_tetra_model_potential(model, st_x(force->state, params));
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

static const st_field fields[] = {
    ST_FIELD(st_tetra_fem, method, "method", st_type_string, "large",
             "rotation of the elements: small (none), large (frame of two edges), polar; TetrahedronFEMForceField has "
             "svd, too"),
    ST_FIELD(st_tetra_fem, local_factor, "localStiffnessFactor", st_type_reals, NULL,
             "factors on Young's modulus, spread evenly over the elements", .mesh = ST_PER_CELL,
             .make = st_make_like_ancestor, .flags = ST_FIELD_REINIT),
    ST_FIELD(st_tetra_fem, update_stiffness_matrix, "updateStiffnessMatrix", st_type_bool, "0",
             "take the gradients of the shape functions from the deformed shape", .flags = ST_FIELD_REINIT),
    ST_FIELD(st_tetra_fem, compute_global_matrix, "computeGlobalMatrix", st_type_bool, "0",
             "compute forces through explicit element matrices", .aliases = "assembling", .flags = ST_FIELD_REINIT),
    ST_FIELD(st_tetra_fem, von_mises_elements, "vonMisesPerElement", st_type_reals, NULL,
             "von Mises stress of the elements; of TetrahedralCorotationalFEMForceField up to a factor",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_tetra_fem, von_mises_nodes, "vonMisesPerNode", st_type_reals, NULL,
             "von Mises stress of the nodes: mean of the elements around them", .flags = ST_FIELD_OUTPUT),
    ST_TEAR_FIELD(st_tetra_fem),
    ST_FIELDS_END,
};

static const st_force_ops force_ops = {
    .stiffness = st_tetra_fem_stiffness,
    .product = st_tetra_fem_product,
    .potential = st_tetra_fem_potential,
};

const st_class st_tetra_fem_class = {
    .name = "BaseTetrahedronFEMForceField",
    .help = "what the two classical tetrahedral forces have",
    .parent = &st_elastic_class,
    .fields = fields,
    .size = sizeof(st_tetra_fem),
    .flags = ST_CLASS_ABSTRACT,
    .edited = tetra_fem_edited,
    .destroy = tetra_fem_destroy,
    .event = tetra_fem_event,
    .force = &force_ops,
};
