// TetrahedralCorotationalFEMForceField: the linear elastic tetrahedron that turns with its element (tetra_model.h has
// the formulas), for meshes that change.
//
// The rotation of the element is frozen in the derivative.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "force/fem/common/mesh_fits.h"
#include "force/fem/tetrahedron/tetra_fem.h"
#include "scene/scene.h"

typedef struct corotational {
    st_tetra_fem base;
    bool von_mises;
    bool drawing;
    st_real draw_color[4][4];
} corotational;

static corotational *self_of(st_force *force) { return (corotational *)force; }

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_tetra_method tetrahedral_corotational_fem_read_method(const char *method) {
    if (method && strcmp(method, "small") == 0) return ST_TETRA_SMALL;
    if (method && strcmp(method, "polar") == 0) return ST_TETRA_POLAR;
    return ST_TETRA_LARGE;
}

static st_status tetrahedral_corotational_fem_reinit(st_object *object) {
    corotational *self = (corotational *)object;
    st_topology *topology = st_elastic_mesh(&self->base.elastic);
    if (!topology) return ST_INVALID;

    const st_uints *elements = st_topology_elements(topology, ST_TETRAHEDRON);
    if (elements->count == 0) st_message(object, ST_WARNING, "the mesh has no tetrahedra: there is no force");

    st_tetra_model *model = &self->base.model;
    model->method = tetrahedral_corotational_fem_read_method(self->base.method);
    model->update =
        self->base.update_stiffness_matrix && model->method != ST_TETRA_SMALL ? ST_TETRA_FULL : ST_TETRA_KEEP;
    model->explicit_matrix = self->base.compute_global_matrix;
    return st_tetra_fem_make(&self->base, elements);
}

static st_status tetrahedral_corotational_fem_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? tetrahedral_corotational_fem_reinit(object) : status;
}

// ---------------------------------------------------------------------------------------------------
// Force and derivative
// ---------------------------------------------------------------------------------------------------

static void tetrahedral_corotational_fem_add_force(st_force *force, const st_params *params) {
    corotational *self = self_of(force);
    st_tetra_model *model = &self->base.model;
    const st_real *x = st_x(force->state, params);
    if (!st_mesh_fits(force, model->mesh.points) || model->mesh.count == 0) return;
    if (model->method == ST_TETRA_POLAR && self->base.compute_global_matrix) {
        st_tetra_fem_report_no_force(&self->base, "the method polar");
        return;
    }

    st_tetra_model_add_force(model, force->object.scene->pool, x, st_f(force->state, params));
    // SOFA divides the material by 36 V here already: the values are meaningful relative to each other only.
    if (self->von_mises) st_tetra_fem_von_mises(&self->base, x, ST_STRAIN_COROTATED, true);
    st_tetra_fem_report_flat(&self->base);
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

#define COLOR(i, name, value)                                                                                          \
    ST_FIELD(corotational, draw_color[i], name, st_type_color, value, "color of the elements",                         \
             .flags = ST_FIELD_DISPLAY)

static const st_field fields[] = {
    ST_FIELD(corotational, von_mises, "computeVonMisesStress", st_type_bool, "0", "compute the stress with each force"),
    ST_FIELD(corotational, drawing, "drawing", st_type_bool, "1", "draw the elements", .flags = ST_FIELD_DISPLAY),
    COLOR(0, "drawColor1", "0 0 1 1"),
    COLOR(1, "drawColor2", "0 0.5 1 1"),
    COLOR(2, "drawColor3", "0 1 1 1"),
    COLOR(3, "drawColor4", "0.5 1 1 1"),
    ST_FIELDS_END,
};

static const st_force_ops force_ops = {
    .add_force = tetrahedral_corotational_fem_add_force,
    .stiffness = st_tetra_fem_stiffness,
    .product = st_tetra_fem_product,
    .potential = st_tetra_fem_potential,
};

const st_class st_tetrahedral_corotational_fem_force_field_class = {
    .name = "TetrahedralCorotationalFEMForceField",
    .help = "linear elastic tetrahedra that turn with the body",
    .parent = &st_tetra_fem_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(corotational),
    .example = "<MeshTopology tetrahedra=\"0 1 2 3  1 2 3 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\"/>\n"
               "<TetrahedralCorotationalFEMForceField youngModulus=\"1000\" poissonRatio=\"0.3\" method=\"polar\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT | ST_CLASS_PRODUCT_BY_MATRIX,
    .init = tetrahedral_corotational_fem_init,
    .reinit = tetrahedral_corotational_fem_reinit,
    .force = &force_ops,
};
