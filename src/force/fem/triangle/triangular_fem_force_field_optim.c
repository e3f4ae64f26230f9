// TriangularFEMForceFieldOptim: elastic membrane triangles (triangle_model.h has the formulas) with the gradients of
// the rest shape.
//
// Material: area E / (1 - ν²) [1 ν 0; ν 1 0; 0 0 (1-ν)/2], plane stress of a membrane of thickness 1; a change of it
// counts from the next step on. The derivative holds the frame fixed.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "force/fem/triangle/triangle_fem.h"
#include "math/decompose.h"

typedef struct optim {
    st_triangle_fem base;
    st_real damping, rest_scale;
    bool compute_principal_stress, show_stress_vector;
    st_real stress_max, show_stress_threshold;
    st_reals area; // at rest
} optim;

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// x along AB, y = (AB × AC) × AB normalized.
static void triangular_fem_force_field_optim_frame_of(st_real frame[9], st_real ab[3], st_real ac[3], const st_real *x,
                                                      const uint32_t nodes[3], st_real scale) {
    st_vec3_sub(ab, x + 3 * (size_t)nodes[1], x + 3 * (size_t)nodes[0]);
    st_vec3_sub(ac, x + 3 * (size_t)nodes[2], x + 3 * (size_t)nodes[0]);
    st_vec3_scale(ab, ab, scale);
    st_vec3_scale(ac, ac, scale);

    // x, then z = AB × AC and y = z × AB, normalized at the end
    st_vec3_normalize(frame, ab);
    st_vec3_cross(frame + 6, ab, ac);
    st_vec3_cross(frame + 3, frame + 6, ab);
    st_vec3_normalize(frame + 3, frame + 3);
    st_vec3_normalize(frame + 6, frame + 6);
}

static void triangular_fem_force_field_optim_set_rest(optim *self, size_t lane) {
    st_triangle_model *model = &self->base.model;
    const st_state *state = self->base.elastic.force.state;
    const bool scaled = st_is_set(&self->base.elastic.force.object, &self->rest_scale);
    st_real ab[3], ac[3], unused[2][3], frame[9], now[9];
    uint32_t nodes[3];
    st_element_nodes(&model->mesh, lane, nodes);

    triangular_fem_force_field_optim_frame_of(frame, ab, ac, state->coord[ST_COORD_REST].data, nodes,
                                              scaled ? self->rest_scale : 1);
    triangular_fem_force_field_optim_frame_of(now, unused[0], unused[1], state->coord[ST_COORD_POSITION].data, nodes,
                                              1);
    const st_real b[3] = {st_vec3_dot(frame, ab), 0, 0}, c[3] = {st_vec3_dot(frame, ac), st_vec3_dot(frame + 3, ac), 0};
    self->area.data[st_triangle_of_lane(model, lane)] = b[0] * c[1] / 2;
    st_triangle_model_set_rest(model, lane, b, c, now);
}

static void set_materials(optim *self) {
    st_triangle_model *model = &self->base.model;

    for (size_t lane = 0; lane < st_triangle_lanes(model); lane++) {
        const size_t e = st_triangle_of_lane(model, lane);
        st_triangle_model_set_elasticity(model, lane, st_elastic_young(&self->base.elastic, e),
                                         st_elastic_poisson(&self->base.elastic, e));
    }
}

static void report_no_triangles(optim *self, st_topology *topology) {
    if (st_topology_elements(topology, ST_TRIANGLE)->count || !st_topology_elements(topology, ST_QUAD)->count) return;
    st_message(&self->base.elastic.force.object, ST_WARNING,
               "the mesh has quads: Quad2TriangleTopologicalMapping makes triangles of them");
}

static st_status triangular_fem_force_field_optim_reinit(st_object *object) {
    optim *self = (optim *)object;
    st_triangle_model *model = &self->base.model;
    const st_state *state = self->base.elastic.force.state;
    st_topology *topology = st_elastic_mesh(&self->base.elastic);
    if (!topology) return ST_INVALID;

    if (self->base.method && strcmp(self->base.method, "large") != 0)
        st_message(object, ST_WARNING, "method=\"%.60s\": it has large alone", self->base.method);
    model->method = ST_TRIANGLE_REST;
    report_no_triangles(self, topology);

    // both the rest shape and the present one are needed
    const st_uints *triangles = st_topology_elements(topology, ST_TRIANGLE);
    const size_t rest = state->coord[ST_COORD_REST].count, now = state->coord[ST_COORD_POSITION].count;
    const st_status status = st_triangle_fem_make(&self->base, triangles, rest < now ? rest : now);
    if (status != ST_OK) return status;

    if (!st_list_set_count(&self->area, triangles->count, 1)) {
        st_triangle_model_free(model);
        return st_invalid(object, "out of memory for %zu triangles", triangles->count);
    }

    for (size_t lane = 0; lane < st_triangle_lanes(model); lane++)
        triangular_fem_force_field_optim_set_rest(self, lane);
    set_materials(self);
    st_triangle_fem_report_flat(&self->base, "at rest");
    return ST_OK;
}

static st_status triangular_fem_force_field_optim_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? triangular_fem_force_field_optim_reinit(object) : status;
}

static void triangular_fem_force_field_optim_changed(st_object *object) {
    st_elastic_class.changed(object);
    if (st_triangle_fem_ready((st_triangle_fem *)object)) set_materials((optim *)object);
}

static void triangular_fem_force_field_optim_destroy(st_object *object) {
    st_list_free(&((optim *)object)->area);
    st_triangle_fem_class.destroy(object);
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static void take_stress(void *user, size_t e, const st_real stress[3]) {
    optim *self = user;
    st_real principal[2], direction[2];
    st_principal_stress(principal, direction, stress);
    if (self->area.data[e] > 0) self->stress_max = st_max(self->stress_max, fabs(principal[0]) / self->area.data[e]);
}

static void triangular_fem_force_field_optim_add_force(st_force *force, const st_params *params) {
    optim *self = (optim *)force;
    st_triangle_fem_add_force(force, params);
    if (!self->compute_principal_stress || !st_triangle_fem_ready(&self->base)) return;

    self->stress_max = 0;
    st_triangle_model_stresses(&self->base.model, st_x(force->state, params), take_stress, self);
    st_touch(&force->object, &self->stress_max);
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

static const st_field fields[] = {
    ST_FIELD(optim, damping, "damping", st_type_real, "0", "accepted because SOFA has it", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(optim, rest_scale, "restScale", st_type_real, "1", "scales the edges at rest", .flags = ST_FIELD_REINIT),
    ST_FIELD(optim, compute_principal_stress, "computePrincipalStress", st_type_bool, "0",
             "compute stressMaxValue with each force"),
    ST_FIELD(optim, stress_max, "stressMaxValue", st_type_real, "0", "largest principal stress of all triangles",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(optim, show_stress_vector, "showStressVector", st_type_bool, "0",
             "draw the direction of the largest stress", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(optim, show_stress_threshold, "showStressThreshold", st_type_real, "0", "least stress that is drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static const st_force_ops force_ops = {
    .add_force = triangular_fem_force_field_optim_add_force,
    .stiffness = st_triangle_fem_stiffness,
    .product = st_triangle_fem_product,
    .potential = st_triangle_fem_potential,
};

const st_class st_triangular_fem_force_field_optim_class = {
    .name = "TriangularFEMForceFieldOptim",
    .help = "elastic membrane triangles with the gradients of the rest shape",
    .parent = &st_triangle_fem_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(optim),
    .example = "<MeshTopology triangles=\"0 1 2  1 3 2\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0.2  1.2 1.1 0\"/>\n"
               "<TriangularFEMForceFieldOptim youngModulus=\"1000\" poissonRatio=\"0.3\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = triangular_fem_force_field_optim_init,
    .reinit = triangular_fem_force_field_optim_reinit,
    .changed = triangular_fem_force_field_optim_changed,
    .destroy = triangular_fem_force_field_optim_destroy,
    .force = &force_ops,
};
