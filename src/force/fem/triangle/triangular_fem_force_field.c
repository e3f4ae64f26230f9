// TriangularFEMForceField: elastic membrane triangles (triangle_model.h has the formulas) for meshes that change.
//
// Material: area E / (1 - ν²) [1 ν 0; ν 1 0; 0 0 (1-ν)/2], plane stress of a membrane of thickness 1. The force uses
// the gradients of the deformed triangle with the area at rest; the derivative holds them and the frame fixed.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/fem/triangle/triangular_fem.h"
#include "math/decompose.h"

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// Edges AB and AC at rest in the triangle's frame, and that frame.
static void rest_edges(const st_triangular_fem *self, size_t lane, st_real ab[3], st_real ac[3], st_real frame[9]) {
    const st_triangle_model *model = &self->base.model;
    const st_real *rest = self->base.elastic.force.state->coord[ST_COORD_REST].data;
    const size_t e = st_triangle_of_lane(model, lane);
    uint32_t nodes[3];

    // from the rest positions
    st_element_nodes(&model->mesh, lane, nodes);
    st_vec3_sub(ab, rest + 3 * (size_t)nodes[1], rest + 3 * (size_t)nodes[0]);
    st_vec3_sub(ac, rest + 3 * (size_t)nodes[2], rest + 3 * (size_t)nodes[0]);
    st_mat3_identity(frame);
    const bool large = model->method == ST_TRIANGLE_LARGE, given = e < self->rotated_initial.count;
    if (large) {
        st_frame_rows(frame, ab, ac);
        st_mat3_times_vec(ab, frame, ab);
        st_mat3_times_vec(ac, frame, ac);
    }
    if (!given) return;

    // as the scene gives them
    const st_real *corners = self->rotated_initial.data + 9 * e;
    st_vec3_sub(ab, corners + 3, corners);
    st_vec3_sub(ac, corners + 6, corners);
    if (large && e < self->initial_transformation.count) st_mat3_copy(frame, self->initial_transformation.data + 9 * e);
}

static void triangular_fem_set_rest(st_triangular_fem *self, size_t lane) {
    st_triangle_model *model = &self->base.model;
    const st_elastic *elastic = &self->base.elastic;
    const size_t e = st_triangle_of_lane(model, lane);
    st_real ab[3], ac[3], normal[3], frame[9], k[6];

    // in the frame of the large method AB is along x: the area is AB_x AC_y / 2
    rest_edges(self, lane, ab, ac, frame);
    st_vec3_cross(normal, ab, ac);
    const st_real area =
        model->method == ST_TRIANGLE_LARGE ? ST_R(0.5) * ab[0] * ac[1] : ST_R(0.5) * st_vec3_norm(normal);
    self->area.data[e] = area;

    // β and γ, and the plane stress elasticity times the area
    st_triangle_model_set_rest(model, lane, ab, ac, frame);
    st_plane_stress(k, st_elastic_young(elastic, e), st_elastic_poisson(elastic, e), area);
    st_triangle_model_set_material(model, lane, k);
}

static st_status triangular_fem_reinit(st_object *object) {
    st_triangular_fem *self = (st_triangular_fem *)object;
    st_triangle_model *model = &self->base.model;
    st_topology *topology = st_elastic_mesh(&self->base.elastic);
    if (!topology) return ST_INVALID;

    // room for the triangles and what is computed for them
    model->method = st_triangle_fem_read_method(&self->base);
    const st_uints *triangles = st_topology_elements(topology, ST_TRIANGLE);
    const st_status status =
        st_triangle_fem_make(&self->base, triangles, self->base.elastic.force.state->coord[ST_COORD_REST].count);
    if (status != ST_OK) return status;
    if (!st_list_set_count(&self->area, triangles->count, 1) ||
        (self->compute_principal_stress && !st_triangular_stress_make(&self->stress, model))) {
        st_triangle_model_free(model);
        return st_invalid(object, "out of memory for %zu triangles", triangles->count);
    }

    // lanes that fill up the last pack are set, too: kernels read them
    for (size_t lane = 0; lane < st_triangle_lanes(model); lane++) triangular_fem_set_rest(self, lane);
    st_triangle_fem_report_flat(&self->base, "at rest");
    return ST_OK;
}

static st_status triangular_fem_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? triangular_fem_reinit(object) : status;
}

static void triangular_fem_destroy(st_object *object) {
    st_triangular_fem *self = (st_triangular_fem *)object;
    st_triangular_stress_free(&self->stress);
    st_list_free(&self->area);
    st_triangle_fem_class.destroy(object);
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static void triangular_fem_add_force(st_force *force, const st_params *params) {
    st_triangular_fem *self = (st_triangular_fem *)force;
    st_triangle_fem_add_force(force, params);

    // It may have been switched on after the start.
    if (!self->compute_principal_stress || !st_triangle_fem_ready(&self->base)) return;
    if (self->stress.history.count != self->base.model.mesh.count &&
        !st_triangular_stress_make(&self->stress, &self->base.model))
        return;

    st_triangular_stress_update(&self->stress, &self->base.model, self->area.data, st_x(force->state, params));
    st_touch(&force->object, &self->stress.max);
    st_touch(&force->object, &self->stress.difference);
    st_touch(&force->object, &self->stress.direction);
    st_touch(&force->object, &self->stress.vertex);
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

static const st_type nine_type = {
    .name = "list of 3 Vec3", .scalar = ST_SCALAR_REAL, .width = 9, .list = true, .syntax = ST_SYNTAX_MATRIX};

static const st_field fields[] = {
    ST_FIELD(st_triangular_fem, rotated_initial, "rotatedInitialElements", nine_type, NULL,
             "corners of each triangle at rest in its frame; from the rest positions when not given"),
    ST_FIELD(st_triangular_fem, initial_transformation, "initialTransformation", nine_type, NULL,
             "the frames of rotatedInitialElements, row by row"),
    ST_FIELD(st_triangular_fem, stress.exponent, "hosfordExponant", st_type_real, "1",
             "Hosford's exponent of the criterion of fracture"),
    ST_FIELD(st_triangular_fem, stress.criterion, "criteriaValue", st_type_real, "1e15",
             "value of the criterion at which a triangle would tear"),
    ST_FIELD(st_triangular_fem, compute_principal_stress, "computePrincipalStress", st_type_bool, "0",
             "compute the stresses below with each force"),
    ST_FIELD(st_triangular_fem, stress.max, "maxStress", st_type_reals, NULL,
             "area times the largest principal stress of each triangle", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_triangular_fem, stress.difference, "differenceToCriteria", st_type_reals, NULL,
             "of each triangle; positive: it would tear", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_triangular_fem, stress.direction, "principalStressDirection", st_type_vec3s, NULL,
             "direction of maxStress in the world times maxStress / 100, mean of the last 30",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_triangular_fem, stress.vertex, "vertexStress", st_type_reals, NULL,
             "mean of maxStress around each vertex, weighted by area", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_triangular_fem, show_stress_value, "showStressValue", st_type_bool, "1", "draw the stress as colors",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(st_triangular_fem, show_stress_vector, "showStressVector", st_type_bool, "0",
             "draw the direction of the largest stress", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(st_triangular_fem, show_fracturable, "showFracturableTriangles", st_type_bool, "0",
             "draw the triangles that would tear", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// The default is to show it; a scene that says so itself means it.
static bool triangular_fem_shows_stress(const st_force *force) {
    const st_triangular_fem *self = (const st_triangular_fem *)force;
    return self->show_stress_value && st_is_set(&force->object, &self->show_stress_value);
}

static const st_force_ops force_ops = {
    .add_force = triangular_fem_add_force,
    .stiffness = st_triangle_fem_stiffness,
    .product = st_triangle_fem_product,
    .potential = st_triangle_fem_potential,
    .shows_stress = triangular_fem_shows_stress,
};

const st_class st_triangular_fem_force_field_class = {
    .name = "TriangularFEMForceField",
    .help = "elastic membrane triangles that turn with the surface, for meshes that change",
    .parent = &st_triangle_fem_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_triangular_fem),
    .example = "<MeshTopology triangles=\"0 1 2  1 3 2\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0.2  1.2 1.1 0\"/>\n"
               "<TriangularFEMForceField youngModulus=\"1000\" poissonRatio=\"0.3\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = triangular_fem_init,
    .reinit = triangular_fem_reinit,
    .destroy = triangular_fem_destroy,
    .force = &force_ops,
};
