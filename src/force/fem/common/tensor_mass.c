// What the tensor-mass forces share: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/common/tensor_mass.h"

#include "base/array.h"
#include "math/mat3.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

static const st_field fields[] = {
    ST_FIELD(st_tensor_mass, poisson, "poissonRatio", st_type_real, "0.3", "Poisson's ratio"),
    ST_FIELD(st_tensor_mass, young, "youngModulus", st_type_real, "1000", "Young's modulus"),
    ST_FIELD(st_tensor_mass, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static bool tensor_mass_start(st_tensor_mass *force, st_topology *topology) {
    const st_uints *edges = st_topology_elements(topology, ST_EDGE);
    const st_reals *rest = &force->base.state->coord[ST_COORD_REST];
    if (!st_list_set_count(&force->rest, rest->count, 3)) return false;
    if (!st_list_set_count(&force->edges, edges->count, 1)) return false;

    st_copy_reals(force->rest.data, rest->data, 3 * rest->count);
    for (size_t i = 0; i < edges->count; i++)
        force->edges.data[i] = (st_edge_matrix){.a = edges->data[2 * i + 1], .b = edges->data[2 * i]};
    return true;
}

st_status st_tensor_mass_build(st_tensor_mass *force, st_element kind, st_tensor_element *add) {
    st_object *object = &force->base.object;
    st_topology *topology = st_context_topology(object->node, force->topology);
    if (!topology) return st_invalid(object, "there is no mesh in its node or above: there is no force");
    if (!tensor_mass_start(force, topology)) return ST_OUT_OF_MEMORY;

    // D of each edge: the sum over the elements around it
    const st_uints *elements = st_topology_elements(topology, kind);
    const uint32_t *in = st_topology_in(topology, kind, ST_EDGE);
    const size_t n = st_element_size[kind], parts = (size_t)st_element_parts(kind, ST_EDGE).parts;
    size_t unusable = 0;
    for (size_t e = 0; in && e < elements->count; e++) {
        const uint32_t *vertices = elements->data + e * n, *edges = in + e * parts;

        // a mesh from a file may name points that the state does not have
        bool usable = true;
        for (size_t j = 0; j < n; j++) usable = usable && vertices[j] < force->rest.count;
        for (size_t j = 0; j < parts; j++) usable = usable && edges[j] < force->edges.count;
        unusable += !usable || !add(force, vertices, edges);
    }

    if (!elements->count) st_message(object, ST_WARNING, "the mesh has no elements of its kind: there is no force");
    if (unusable)
        st_message(object, ST_ERROR,
                   "%zu of %zu elements are flat at rest or have vertices without a DOF: they have no stiffness",
                   unusable, elements->count);
    return ST_OK;
}

void st_tensor_mass_add(st_tensor_mass *force, uint32_t edge, uint32_t first, const st_real m[9]) {
    st_edge_matrix *matrix = &force->edges.data[edge];
    st_real oriented[9];
    st_mat3_copy(oriented, m);
    if (matrix->a != first) st_mat3_transpose(oriented, oriented);
    st_mat3_add(matrix->m, matrix->m, oriented);
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static size_t tensor_mass_points_of(const st_force *base) {
    const st_tensor_mass *force = (const st_tensor_mass *)base;
    if (!base->state || !st_is_valid(&base->object)) return 0;
    return force->rest.count < base->state->size ? force->rest.count : base->state->size;
}

static void tensor_mass_add_force(st_force *base, const st_params *params) {
    const st_tensor_mass *force = (const st_tensor_mass *)base;
    const size_t points = tensor_mass_points_of(base);
    if (points)
        st_edge_matrices_apply(&force->edges, points, st_x(base->state, params), force->rest.data, 1,
                               st_f(base->state, params));
}

static void tensor_mass_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    const st_tensor_mass *force = (const st_tensor_mass *)base;
    (void)params;
    if (tensor_mass_points_of(base)) st_edge_matrices_blocks(&force->edges, base->state, k);
}

static void tensor_mass_product(st_force *base, const st_params *params, st_real k, st_real b) {
    const size_t points = tensor_mass_points_of(base);
    (void)b;
    if (points)
        st_edge_matrices_apply(&((const st_tensor_mass *)base)->edges, points, st_dx(base->state, params), NULL, k,
                               st_df(base->state, params));
}

static void tensor_mass_destroy(st_object *object) {
    st_list_free(&((st_tensor_mass *)object)->edges);
    st_list_free(&((st_tensor_mass *)object)->rest);
}

static const st_force_ops force_ops = {
    .add_force = tensor_mass_add_force, .stiffness = tensor_mass_stiffness, .product = tensor_mass_product};

const st_class st_tensor_mass_class = {
    .name = "TensorMass",
    .help = "what the tensor-mass forces share",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_tensor_mass),
    .flags = ST_CLASS_ABSTRACT,
    .destroy = tensor_mass_destroy,
    .force = &force_ops,
};
