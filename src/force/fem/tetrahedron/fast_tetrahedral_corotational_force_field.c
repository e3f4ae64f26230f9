// FastTetrahedralCorotationalForceField: the corotational linear tetrahedron organized by edges (edge_model.h has the
// formulas). The rotation of the element is frozen in the derivative.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "force/fem/common/mesh_fits.h"
#include "force/fem/tetrahedron/edge_model.h"
#include "scene/scene.h"
#include "topology/adjacency.h"

typedef struct fast_corotational {
    st_elastic elastic;
    char *method;
    bool drawing;
    st_real draw_color[4][4];
    st_edge_model model;
} fast_corotational;

static st_edge_method fast_tetrahedral_corotational_read_method(fast_corotational *self) {
    static const struct name {
        const char *text;
        st_edge_method method;
    } names[] = {{"qr", ST_EDGE_QR},     {"large", ST_EDGE_QR},    {"polar", ST_EDGE_POLAR}, {"polar2", ST_EDGE_POLAR2},
                 {"none", ST_EDGE_NONE}, {"linear", ST_EDGE_NONE}, {"small", ST_EDGE_NONE}};
    const char *method = self->method ? self->method : "";

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(method, names[i].text) == 0) return names[i].method;

    st_message(
        &self->elastic.force.object, ST_ERROR,
        "unknown method \"%.40s\": it must be qr (or large), polar, polar2, none (or linear, small); polar is used",
        method);
    return ST_EDGE_POLAR;
}

static void set_materials(fast_corotational *self, const st_real *rest) {
    st_edge_model *model = &self->model;
    for (size_t lane = 0; lane < model->mesh.packs * ST_PACK_SIZE; lane++) {
        const size_t e = lane < model->mesh.count ? lane : model->mesh.count - 1;
        st_edge_model_set_material(
            model, lane, rest,
            st_lame_of(st_elastic_young(&self->elastic, e), st_elastic_poisson(&self->elastic, e), 3));
    }
}

static st_status fast_tetrahedral_corotational_reinit(st_object *object) {
    fast_corotational *self = (fast_corotational *)object;
    st_topology *topology = st_elastic_mesh(&self->elastic);
    if (!topology) return ST_INVALID;

    // tetrahedra and their edges
    const st_uints *tetrahedra = st_topology_elements(topology, ST_TETRAHEDRON);
    const st_reals *rest = &self->elastic.force.state->coord[ST_COORD_REST];
    self->model.method = fast_tetrahedral_corotational_read_method(self);
    if (tetrahedra->count == 0) st_message(object, ST_ERROR, "the mesh has no tetrahedra: there is no force");
    const st_uints *edges = st_topology_elements(topology, ST_EDGE);
    const uint32_t *in_tetrahedra = tetrahedra->count ? st_topology_in(topology, ST_TETRAHEDRON, ST_EDGE) : NULL;
    if (tetrahedra->count && !in_tetrahedra) return st_invalid(object, "the mesh gives no edges of its tetrahedra");

    // the model; what is wrong with the mesh is reported
    size_t wrong = 0;
    const st_status status = st_edge_model_make(&self->model, object->scene->pool, tetrahedra, edges, in_tetrahedra,
                                                rest->data, rest->count, &wrong);
    if (status == ST_INVALID)
        return st_invalid(object,
                          "tetrahedron or edge %zu has a vertex beyond the %zu DOFs of the state, or an edge that is "
                          "not in the mesh's list of edges",
                          wrong, rest->count);
    if (status != ST_OK) return st_invalid(object, "out of memory for %zu tetrahedra", tetrahedra->count);

    set_materials(self, rest->data);
    return ST_OK;
}

static st_status fast_tetrahedral_corotational_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? fast_tetrahedral_corotational_reinit(object) : status;
}

static void fast_tetrahedral_corotational_destroy(st_object *object) {
    st_edge_model_free(&((fast_corotational *)object)->model);
}

// ---------------------------------------------------------------------------------------------------

static void fast_tetrahedral_corotational_add_force(st_force *force, const st_params *params) {
    fast_corotational *self = (fast_corotational *)force;
    if (!st_mesh_fits(force, self->model.mesh.points)) return;

    st_edge_model_add_force(&self->model, force->object.scene->pool, st_x(force->state, params),
                            st_f(force->state, params));

    // the kernel runs in threads: it leaves a mark
    if (self->model.singular)
        st_message_once(&force->object, "flat", ST_WARNING,
                        "a tetrahedron is flat: its polar decomposition does not exist");
    self->model.singular = false;
}

static void fast_tetrahedral_corotational_product(st_force *force, const st_params *params, st_real k, st_real b) {
    (void)b; // no damping
    fast_corotational *self = (fast_corotational *)force;
    if (force->state->size < self->model.mesh.points) return;
    st_edge_model_product(&self->model, force->object.scene->pool, k, st_dx(force->state, params),
                          st_df(force->state, params));
}

static void fast_tetrahedral_corotational_stiffness(st_force *force, const st_params *params, st_stiffness to) {
    (void)params;
    fast_corotational *self = (fast_corotational *)force;
    if (force->state->size < self->model.mesh.points) return;
    st_edge_model_stiffness(&self->model, force->object.scene->pool,
                            st_stiffness_between(to, force->state, force->state));
}

static const st_force_ops force_ops = {.add_force = fast_tetrahedral_corotational_add_force,
                                       .stiffness = fast_tetrahedral_corotational_stiffness,
                                       .product = fast_tetrahedral_corotational_product};

#define COLOR(i, name, value)                                                                                          \
    ST_FIELD(fast_corotational, draw_color[i], name, st_type_color, value, "color of the elements",                    \
             .flags = ST_FIELD_DISPLAY)

static const st_field fields[] = {
    ST_FIELD(fast_corotational, method, "method", st_type_string, "qr",
             "rotation of the elements: qr (or large), polar, polar2, none (or linear, small)"),
    ST_FIELD(fast_corotational, drawing, "drawing", st_type_bool, "1", "draw the elements", .flags = ST_FIELD_DISPLAY),
    COLOR(0, "drawColor1", "0 0 1 1"),
    COLOR(1, "drawColor2", "0 0.5 1 1"),
    COLOR(2, "drawColor3", "0 1 1 1"),
    COLOR(3, "drawColor4", "0.5 1 1 1"),
    ST_FIELDS_END,
};

const st_class st_fast_tetrahedral_corotational_force_field_class = {
    .name = "FastTetrahedralCorotationalForceField",
    .help = "linear elastic tetrahedra that turn with the body, organized by edges",
    .parent = &st_elastic_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(fast_corotational),
    .example = "<MeshTopology tetrahedra=\"0 1 2 3  1 2 3 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\"/>\n"
               "<FastTetrahedralCorotationalForceField youngModulus=\"1000\" poissonRatio=\"0.3\" method=\"polar2\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT | ST_CLASS_PRODUCT_BY_MATRIX,
    .init = fast_tetrahedral_corotational_init,
    .reinit = fast_tetrahedral_corotational_reinit,
    .destroy = fast_tetrahedral_corotational_destroy,
    .force = &force_ops,
};
