// What the classical hexahedral forces share. See hexahedron_fem.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/hexahedron/hexahedron_fem.h"

#include <string.h>

#include "base/array.h"
#include "force/fem/common/mesh_fits.h"
#include "math/decompose.h"
#include "scene/compat.h"
#include "scene/scene.h"
#include "topology/sparse_grid.h"
#include "topology/topology.h"

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

const st_uints *st_hexahedron_fem_elements(st_hexahedron_fem *self) {
    st_topology *topology = st_elastic_mesh(&self->elastic);
    return topology ? st_topology_elements(topology, ST_HEXAHEDRON) : NULL;
}

static void set_method(st_hexahedron_fem *self, bool small) {
    st_element_model *model = &self->model;
    const char *method = self->method ? self->method : "";

    // large, unless another one is named
    model->kind = ST_HEXAHEDRON;
    model->d = 3;
    model->rotated = model->framed = true;
    model->method = ST_ROTATION_HEXAHEDRON;

    // polar takes the rotation from the edges; small has none
    if (strcmp(method, "polar") == 0) {
        model->method = ST_ROTATION_EDGES;
    } else if (small && strcmp(method, "small") == 0) {
        model->rotated = model->framed = false;
    } else if (strcmp(method, "large") != 0) {
        st_message(&self->elastic.force.object, ST_WARNING,
                   "unknown method \"%.40s\": it must be large%s; large is used", method,
                   small ? ", polar or small" : " or polar");
    }
}

st_status st_hexahedron_fem_build(st_hexahedron_fem *self, const st_reals *x, bool small) {
    st_object *object = &self->elastic.force.object;
    const st_uints *elements = st_hexahedron_fem_elements(self);
    if (!elements) return ST_INVALID;
    if (elements->count == 0) return st_invalid(object, "the mesh has no hexahedra: there is no force");

    // the rest shape
    const size_t points = x->count;
    size_t wrong = 0;
    set_method(self, small);
    const st_status status = st_element_model_make(&self->model, object->scene->pool, elements->data, elements->count,
                                                   x->data, points, &wrong);
    if (status == ST_INVALID)
        return st_invalid(object, "hexahedron %zu of %zu has a vertex beyond the %zu DOFs of the state", wrong,
                          elements->count, points);

    // K_e of each element, in its frame
    if (status != ST_OK || !st_element_model_set_stiffness(&self->model, object->scene->pool, &self->law, x->data)) {
        st_element_model_free(&self->model);
        return st_invalid(object, "out of memory for %zu hexahedra", elements->count);
    }
    return ST_OK;
}

void st_hexahedron_fem_nodes(const st_hexahedron_fem *self, size_t e, const st_real *x, st_real nodes[24]) {
    uint32_t corners[ST_ELEMENT_CORNERS];
    st_element_nodes(&self->model.mesh, e, corners);
    for (int i = 0; i < 8; i++) st_vec3_copy(nodes + 3 * i, x + 3 * (size_t)corners[i]);
}

static void law_stiffness(const void *user, size_t e, const st_real *nodes, st_real *k) {
    const st_hexahedron_fem *self = user;
    if (!st_hexahedron_stiffness(nodes, st_hexahedron_fem_hooke(self, e), k))
        __atomic_store_n((bool *)&self->model.singular, true, __ATOMIC_RELAXED);
    for (int i = 0; i < ST_HEXAHEDRON_ENTRIES && e < self->stiffness_part.count; i++)
        k[i] *= self->stiffness_part.data[e];
}

static void law_marks(const void *user, size_t e, st_real marks[ST_ELEMENT_MARKS]) {
    const st_hexahedron_fem *self = user;
    marks[0] = st_elastic_young(&self->elastic, e);
    marks[1] = st_elastic_poisson(&self->elastic, e);
    marks[2] = e < self->stiffness_part.count ? self->stiffness_part.data[e] : 1;
}

st_element_law st_hexahedron_fem_law(const st_hexahedron_fem *self) {
    return (st_element_law){law_stiffness, law_marks, self};
}

bool st_hexahedron_fem_use_grid(const st_hexahedron_fem *self, st_reals *parts, bool mass) {
    const st_elastic *elastic = &self->elastic;
    const st_sparse_grid *grid = st_sparse_grid_of(st_context_topology(elastic->force.object.node, elastic->topology));
    const st_sparse_level *level = grid ? st_sparse_grid_level(grid) : NULL;
    const size_t count = level ? level->hexahedra.count : 0;
    if (!st_list_set_count(parts, count, 1)) return false;

    // a cell at the border is filled in part only, and so are its stiffness and mass
    for (size_t i = 0; i < count; i++)
        parts->data[i] = (st_real)(mass ? level->mass.data[i] : level->stiffness.data[i]);
    return true;
}

static void hexahedron_fem_destroy(st_object *object) {
    st_hexahedron_fem *self = (st_hexahedron_fem *)object;
    st_list_free(&self->stiffness_part);
    st_element_model_free(&self->model);
}

// ---------------------------------------------------------------------------------------------------
// Force and derivative
// ---------------------------------------------------------------------------------------------------

void st_hexahedron_fem_add_force(st_force *force, const st_params *params) {
    st_hexahedron_fem *self = (st_hexahedron_fem *)force;
    st_element_model *model = &self->model;
    st_pool *pool = force->object.scene->pool;
    const st_real *x = st_x(force->state, params);
    if (!st_mesh_fits(force, model->mesh.points) || model->mesh.count == 0) return;

    // the stiffness of the deformed shape
    if (self->update_stiffness_matrix && !st_element_model_set_stiffness(model, pool, &self->law, x)) {
        st_element_model_free(model);
        st_message(&force->object, ST_ERROR, "out of memory for a new stiffness: there is no force any more");
        return;
    }

    st_element_model_add_force(model, pool, x, st_f(force->state, params));
    if (model->singular)
        st_message_once(&force->object, "flat", ST_WARNING,
                        "a hexahedron is flat: it has no frame or no stiffness, and its force may be wrong");
    model->singular = false;
}

void st_hexahedron_fem_product(st_force *force, const st_params *params, st_real k, st_real b) {
    (void)b; // no damping
    st_hexahedron_fem *self = (st_hexahedron_fem *)force;
    if (force->state->size < self->model.mesh.points) return;
    st_element_model_product(&self->model, force->object.scene->pool, k, st_dx(force->state, params),
                             st_df(force->state, params));
}

void st_hexahedron_fem_stiffness(st_force *force, const st_params *params, st_stiffness to) {
    (void)params;
    st_hexahedron_fem *self = (st_hexahedron_fem *)force;
    if (force->state->size < self->model.mesh.points) return;
    st_element_model_stiffness(&self->model, force->object.scene->pool,
                               st_stiffness_between(to, force->state, force->state));
}

st_real st_hexahedron_fem_potential(st_force *force, const st_params *params) {
    const st_hexahedron_fem *self = (const st_hexahedron_fem *)force;
    if (force->state->size < self->model.mesh.points) return 0;
    return st_element_model_potential(&self->model, st_x(force->state, params));
}

// ---------------------------------------------------------------------------------------------------
// Rotations of the nodes
// ---------------------------------------------------------------------------------------------------

// R relative to the rest shape: F(x)ᵀ F(X). SOFA takes F(x) F(X)ᵀ.
static void element_turn(const st_element_model *model, size_t e, bool inverse, st_real r[9]) {
    st_real rotation[9], rest[9];
    st_pack_take(model->rotation, 9, e, rotation);
    st_pack_take(model->rest_frame, 9, e, rest);
    st_mat3_multiply(r, inverse ? rest : rotation, inverse ? rotation : rest);
    if (inverse) st_mat3_transpose(r, r);
}

// The rotation nearest to the mean over the elements around a node. With the defects of SOFA: the sum has the identity,
// too, and the inverse rotations of the elements.
bool st_hexahedron_fem_rotations(st_force *force, st_real *rotations) {
    const st_hexahedron_fem *self = (const st_hexahedron_fem *)force;
    const st_element_model *model = &self->model;
    const st_element_mesh *mesh = &model->mesh;
    const bool inverse = st_compat_on(force->object.scene, ST_COMPAT_WARP_ROTATIONS);
    if (force->state->size < mesh->points) return false;

    for (size_t n = 0; n < force->state->size; n++, rotations += 9) {
        st_real sum[9], r[9];
        st_mat3_identity(rotations);
        const uint32_t begin = n < mesh->points ? mesh->starts[n] : 0, end = n < mesh->points ? mesh->starts[n + 1] : 0;
        if (begin == end || !model->framed) continue;

        // the mean of R, then its orthogonal factor
        if (inverse) st_mat3_identity(sum);
        else st_mat3_zero(sum);
        for (uint32_t c = begin; c < end; c++) {
            element_turn(model, st_element_of_corner(mesh, c), inverse, r);
            st_mat3_add(sum, sum, r);
        }
        st_mat3_scale(sum, sum, 1 / (st_real)(end - begin));
        if (!st_polar(rotations, sum)) st_mat3_identity(rotations);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

static const st_field fields[] = {
    ST_FIELD(st_hexahedron_fem, method, "method", st_type_string, "large",
             "rotation of the elements: large (frame of mean edges), polar; some have small (none), too"),
    ST_FIELDS_END,
};

static const st_force_ops force_ops = {
    .add_force = st_hexahedron_fem_add_force,
    .stiffness = st_hexahedron_fem_stiffness,
    .product = st_hexahedron_fem_product,
    .potential = st_hexahedron_fem_potential,
    .rotations = st_hexahedron_fem_rotations,
};

const st_class st_hexahedron_fem_class = {
    .name = "BaseHexahedronFEMForceField",
    .help = "what the hexahedral forces have",
    .parent = &st_elastic_class,
    .fields = fields,
    .size = sizeof(st_hexahedron_fem),
    .flags = ST_CLASS_ABSTRACT,
    .destroy = hexahedron_fem_destroy,
    .force = &force_ops,
};
