// TetrahedralCorotationalFEMForceField: the linear elastic tetrahedron that turns with its element (tetra_model.h has
// the formulas), for meshes that change.
//
// The rotation of the element is frozen in the derivative.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "force/fem/tetra_model.h"
#include "force/fem/von_mises.h"
#include "scene/scene.h"

typedef struct corotational {
    st_elastic elastic;
    char *method;
    st_reals local_factor;
    bool update_stiffness_matrix, compute_global_matrix;
    bool von_mises;
    st_reals von_mises_elements, von_mises_nodes;
    bool drawing;
    st_real draw_color[4][4];

    st_tetra_model model;
    bool told_no_force, told_energy, told_flat;
} corotational;

static corotational *self_of(st_force *force) { return (corotational *)force; }
static const st_real *rest_of(const corotational *self) { return self->elastic.force.state->coord[ST_COORD_REST].data; }

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_tetra_method read_method(const char *method) {
    if (method && strcmp(method, "small") == 0) return ST_TETRA_SMALL;
    if (method && strcmp(method, "polar") == 0) return ST_TETRA_POLAR;
    return ST_TETRA_LARGE;
}

static void set_materials(corotational *self) {
    st_tetra_model *model = &self->model;
    const size_t count = model->mesh.count, factors = self->local_factor.count;
    for (size_t lane = 0; lane < model->mesh.packs * ST_PACK_SIZE; lane++) {
        const size_t e = lane < count ? lane : count - 1;
        st_real young = st_elastic_young(&self->elastic, e);
        if (factors) young *= self->local_factor.data[st_spread_index(e, factors, count)];
        st_tetra_model_set_material(model, lane, rest_of(self),
                                    st_hooke_of(young, st_elastic_poisson(&self->elastic, e)));
    }
}

static bool make_outputs(corotational *self) {
    if (!self->von_mises) return true;
    return st_list_set_count(&self->von_mises_elements, self->model.mesh.count, 1) &&
           st_list_set_count(&self->von_mises_nodes, self->model.mesh.points, 1);
}

static st_status reinit(st_object *object) {
    corotational *self = (corotational *)object;
    st_topology *topology = st_elastic_mesh(&self->elastic);
    if (!topology) return ST_INVALID;
    const st_uints *elements = st_topology_elements(topology, ST_TETRAHEDRON);
    const st_reals *rest = &self->elastic.force.state->coord[ST_COORD_REST];
    if (elements->count == 0) st_message(object, ST_WARNING, "the mesh has no tetrahedra: there is no force");
    st_tetra_model *model = &self->model;
    model->method = read_method(self->method);
    model->update = self->update_stiffness_matrix && model->method != ST_TETRA_SMALL ? ST_TETRA_FULL : ST_TETRA_KEEP;
    model->explicit_matrix = self->compute_global_matrix;
    size_t wrong = 0;
    const st_status status = st_tetra_model_make(model, object->scene->pool, elements->data, elements->count,
                                                 rest->data, rest->count, &wrong);
    if (status == ST_INVALID)
        return st_invalid(object, "tetrahedron %zu of %zu has a vertex beyond the %zu DOFs of the state", wrong,
                          elements->count, rest->count);
    if (status != ST_OK || !make_outputs(self))
        return st_invalid(object, "out of memory for %zu tetrahedra", elements->count);
    set_materials(self);
    return ST_OK;
}

static st_status init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? reinit(object) : status;
}

static void destroy(st_object *object) { st_tetra_model_free(&((corotational *)object)->model); }

// ---------------------------------------------------------------------------------------------------
// Force and derivative
// ---------------------------------------------------------------------------------------------------

// SOFA divides the material by 36 V here already: the values are meaningful relative to each other only.
static void compute_von_mises(corotational *self, const st_real *x) {
    st_von_mises_elements(&self->model, rest_of(self), x, ST_STRAIN_COROTATED, true, self->von_mises_elements.data);
    st_von_mises_nodes(&self->model, self->von_mises_elements.data, self->von_mises_nodes.data);
    st_touch(&self->elastic.force.object, &self->von_mises_elements);
    st_touch(&self->elastic.force.object, &self->von_mises_nodes);
}

static void add_force(st_force *force, const st_params *params) {
    corotational *self = self_of(force);
    st_tetra_model *model = &self->model;
    const st_real *x = st_x(force->state, params);
    if (force->state->size < model->mesh.points || model->mesh.count == 0) return;
    if (model->method == ST_TETRA_POLAR && self->compute_global_matrix) {
        if (!self->told_no_force)
            st_message(&force->object, ST_ERROR,
                       "computeGlobalMatrix cannot be used with the method polar: there is no force");
        self->told_no_force = true;
        return;
    }
    st_tetra_model_add_force(model, force->object.scene->pool, x, st_f(force->state, params));
    if (self->von_mises) compute_von_mises(self, x);
    if (model->singular && !self->told_flat)
        st_message(&force->object, ST_WARNING, "a tetrahedron is flat: its polar decomposition does not exist");
    self->told_flat = self->told_flat || model->singular;
}

static void product(st_force *force, const st_params *params, st_real k, st_real b) {
    (void)b; // no damping
    corotational *self = self_of(force);
    if (force->state->size < self->model.mesh.points) return;
    st_tetra_model_product(&self->model, force->object.scene->pool, k, st_dx(force->state, params),
                           st_df(force->state, params));
}

static void stiffness(st_force *force, const st_params *params, st_stiffness to) {
    (void)params;
    st_tetra_model_stiffness(&self_of(force)->model, st_stiffness_between(to, force->state, force->state));
}

static st_real potential(st_force *force, const st_params *params) {
    (void)params;
    corotational *self = self_of(force);
    if (!self->told_energy) st_message(&force->object, ST_WARNING, "its potential energy is not known: 0 is given");
    self->told_energy = true;
    return 0;
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

#define COLOR(i, name, value)                                                                                          \
    ST_FIELD(corotational, draw_color[i], name, st_type_color, value, "color of the elements",                         \
             .flags = ST_FIELD_DISPLAY)

static const st_field fields[] = {
    ST_FIELD(corotational, method, "method", st_type_string, "large",
             "rotation of the elements: small (none), polar, anything else is large (frame of two edges)"),
    ST_FIELD(corotational, local_factor, "localStiffnessFactor", st_type_reals, NULL,
             "factors on Young's modulus, spread evenly over the elements"),
    ST_FIELD(corotational, update_stiffness_matrix, "updateStiffnessMatrix", st_type_bool, "0",
             "take the gradients of the shape functions from the deformed shape"),
    ST_FIELD(corotational, compute_global_matrix, "computeGlobalMatrix", st_type_bool, "0",
             "compute forces through explicit element matrices", .aliases = "assembling"),
    ST_FIELD(corotational, von_mises, "computeVonMisesStress", st_type_bool, "0", "compute the stress with each force"),
    ST_FIELD(corotational, von_mises_elements, "vonMisesPerElement", st_type_reals, NULL,
             "von Mises stress of the elements, up to a factor", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(corotational, von_mises_nodes, "vonMisesPerNode", st_type_reals, NULL,
             "von Mises stress of the nodes: mean of the elements around them", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(corotational, drawing, "drawing", st_type_bool, "1", "draw the elements", .flags = ST_FIELD_DISPLAY),
    COLOR(0, "drawColor1", "0 0 1 1"),
    COLOR(1, "drawColor2", "0 0.5 1 1"),
    COLOR(2, "drawColor3", "0 1 1 1"),
    COLOR(3, "drawColor4", "0.5 1 1 1"),
    ST_FIELDS_END,
};

static const st_force_ops force_ops = {
    .add_force = add_force,
    .stiffness = stiffness,
    .product = product,
    .potential = potential,
};

const st_class st_tetrahedral_corotational_fem_force_field_class = {
    .name = "TetrahedralCorotationalFEMForceField",
    .help = "linear elastic tetrahedra that turn with the body",
    .parent = &st_elastic_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(corotational),
    .example = "<MeshTopology tetrahedra=\"0 1 2 3  1 2 3 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\"/>\n"
               "<TetrahedralCorotationalFEMForceField youngModulus=\"1000\" poissonRatio=\"0.3\" method=\"polar\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT | ST_CLASS_PRODUCT_BY_MATRIX,
    .init = init,
    .reinit = reinit,
    .destroy = destroy,
    .force = &force_ops,
};
