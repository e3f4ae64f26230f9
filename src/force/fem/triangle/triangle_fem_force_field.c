// TriangleFEMForceField: elastic membrane triangles (triangle_model.h has the formulas) for meshes that do not change.
//
// Material: thickness area E / (1 - ν²) [1 ν 0; ν 1 0; 0 0 (1-ν)/2] in plane stress, or that of plane strain. Quads are
// cut into the triangles 0 1 2 and 0 2 3 where the mesh has no triangles. The derivative holds the frame and the
// gradients of the deformed triangle fixed.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/fem/triangle/triangle_fem.h"
#include "math/decompose.h"
#include "settee/plugin/change.h"

typedef struct triangle_force {
    st_triangle_fem base;
    st_real thickness;
    bool plane_strain;
    st_reals initial_points;
} triangle_force;

// Triangles of the mesh; `cut` holds those of quads, and is the caller's to free.
static const st_uints *find_triangles(st_topology *topology, st_uints *cut, bool *ok) {
    const st_uints *triangles = st_topology_elements(topology, ST_TRIANGLE);
    if (triangles->count) return triangles;

    // a quad is cut along its diagonal from corner 0
    const st_uints *quads = st_topology_elements(topology, ST_QUAD);
    *ok = st_list_set_count(cut, 2 * quads->count, 3);
    for (size_t i = 0; *ok && i < quads->count; i++) {
        static const int corner[6] = {0, 1, 2, 0, 2, 3};
        for (size_t k = 0; k < 6; k++) cut->data[6 * i + k] = quads->data[4 * i + (size_t)corner[k]];
    }
    return cut;
}

// Corners in the frame first, then A subtracted: this order of rounding is part of the results.
static void triangle_fem_set_rest(triangle_force *self, size_t lane) {
    st_triangle_model *model = &self->base.model;
    uint32_t nodes[3];
    st_real x[9], ab[3], ac[3], normal[3], frame[9], k[6];
    st_element_nodes(&model->mesh, lane, nodes);
    for (int i = 0; i < 3; i++) st_vec3_copy(x + 3 * i, self->initial_points.data + 3 * (size_t)nodes[i]);

    // volume = thickness |AB × AC| / 2
    st_vec3_sub(ab, x + 3, x);
    st_vec3_sub(ac, x + 6, x);
    st_vec3_cross(normal, ab, ac);
    const st_real size = self->thickness * (ST_R(0.5) * st_vec3_norm(normal));

    // B and C seen from A
    if (model->method == ST_TRIANGLE_LARGE) {
        st_frame_rows(frame, ab, ac);
        for (int i = 0; i < 3; i++) st_mat3_times_vec(x + 3 * i, frame, x + 3 * i);
        st_vec3_sub(ab, x + 3, x);
        st_vec3_sub(ac, x + 6, x);
    } else {
        st_mat3_identity(frame);
    }
    st_triangle_model_set_rest(model, lane, ab, ac, frame);

    // the elasticity, times the volume
    const size_t e = st_triangle_of_lane(model, lane);
    const st_real young = st_elastic_young(&self->base.elastic, e),
                  poisson = st_elastic_poisson(&self->base.elastic, e);
    if (self->plane_strain) st_plane_strain(k, young, poisson, size);
    else st_plane_stress(k, young, poisson, size);
    st_triangle_model_set_material(model, lane, k);
}

static bool copy_rest_position(triangle_force *self) {
    const st_reals *rest = &self->base.elastic.force.state->coord[ST_COORD_REST];
    if (!st_list_set_count(&self->initial_points, rest->count, 3)) return false;
    st_copy_reals(self->initial_points.data, rest->data, 3 * rest->count);
    return true;
}

static st_status triangle_fem_reinit(st_object *object) {
    triangle_force *self = (triangle_force *)object;
    st_triangle_model *model = &self->base.model;
    st_uints cut = {0};
    bool ok = true;
    st_topology *topology = st_elastic_mesh(&self->base.elastic);
    if (!topology) return ST_INVALID;

    // triangles, and the rest shape where it was not given
    model->method = st_triangle_fem_read_method(&self->base);
    const st_uints *triangles = find_triangles(topology, &cut, &ok);
    if (self->initial_points.count == 0) ok = ok && copy_rest_position(self);
    const size_t size = self->base.elastic.force.state->size, given = self->initial_points.count;
    const st_status status = ok ? st_triangle_fem_make(&self->base, triangles, given < size ? given : size)
                                : st_invalid(object, "out of memory for the triangles of %zu points", size);
    st_list_free(&cut);
    if (status != ST_OK) return status;

    // β, γ and the elasticity of each; lanes that fill up the last pack, too
    for (size_t lane = 0; lane < st_triangle_lanes(model); lane++) triangle_fem_set_rest(self, lane);
    st_triangle_fem_report_flat(&self->base, "at rest");
    return ST_OK;
}

static st_status triangle_fem_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? triangle_fem_reinit(object) : status;
}

// A new point of the mesh is where the state has it at rest.
static void make_initial_point(st_object *object, void *entry, const st_edit *edit, size_t k) {
    const st_state *state = ((const triangle_force *)object)->base.elastic.force.state;
    const st_reals *rest = &state->coord[ST_COORD_REST];
    if (edit->ids[k] < rest->count) st_copy_reals(entry, rest->data + 3 * (size_t)edit->ids[k], 3);
}

static const st_field fields[] = {
    ST_FIELD(triangle_force, thickness, "thickness", st_type_real, "1", "thickness of the membrane",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(triangle_force, plane_strain, "planeStrain", st_type_bool, "0",
             "plane strain (no strain across the membrane) instead of plane stress", .flags = ST_FIELD_REINIT),
    ST_FIELD(triangle_force, initial_points, "initialPoints", st_type_vec3s, NULL,
             "rest shape; the rest positions of the state when not given", .mesh = ST_PER(ST_POINT),
             .make = make_initial_point),
    ST_FIELDS_END,
};

const st_class st_triangle_fem_force_field_class = {
    .name = "TriangleFEMForceField",
    .help = "elastic membrane triangles that turn with the surface",
    .parent = &st_triangle_fem_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(triangle_force),
    .example = "<MeshTopology triangles=\"0 1 2  1 3 2\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0.2  1.2 1.1 0\"/>\n"
               "<TriangleFEMForceField youngModulus=\"1000\" poissonRatio=\"0.3\" thickness=\"0.1\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = triangle_fem_init,
    .reinit = triangle_fem_reinit,
};
