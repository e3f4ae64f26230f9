// Hyperelastic linear tetrahedra. See hyperelastic.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/tetrahedron/hyperelastic.h"

#include "base/array.h"
#include "force/fem/common/mesh_fits.h"
#include "math/mat3.h"
#include "scene/scene.h"
#include "topology/adjacency.h"
#include "topology/tables.h"
#include "topology/topology.h"

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_status check_parameters(st_hyperelastic *self) {
    st_object *object = &self->force.object;
    const st_hyperelastic_material *material = self->material;
    if (self->parameters.count < (size_t)material->parameters)
        return st_invalid(object, "ParameterSet has %zu values: %s needs %d, %s", self->parameters.count,
                          material->name, material->parameters, material->parameter_names);

    for (int i = 0; i < material->parameters; i++)
        if (!isfinite(self->parameters.data[i]))
            return st_invalid(object, "value %d of ParameterSet is %g: it must be finite", i,
                              (double)self->parameters.data[i]);

    const char *wrong = material->check ? material->check(self->parameters.data) : NULL;
    return wrong ? st_invalid(object, "ParameterSet of %s: %s", material->name, wrong) : ST_OK;
}

// s_j = ∓(P_{j+2} - P_{j+1}) × (P_{j+3} - P_{j+1}) / 6V, - for even j. A flat element has none, and no volume.
static bool hyperelastic_set_rest(st_hyperelastic *self, size_t e, const st_real *x) {
    st_hyperelastic_rest *rest = &self->rest[e];
    uint32_t nodes[4];
    st_real p[4][3], a[3], b[3], c[3];
    st_element_nodes(&self->mesh, e, nodes);
    for (int i = 0; i < 4; i++) st_vec3_copy(p[i], x + 3 * (size_t)nodes[i]);

    // 6 V = (P_2 - P_0) × (P_3 - P_0) · (P_1 - P_0)
    st_vec3_sub(a, p[2], p[0]);
    st_vec3_sub(b, p[3], p[0]);
    st_vec3_cross(c, a, b);
    st_vec3_sub(a, p[1], p[0]);
    rest->six = st_vec3_dot(c, a);
    rest->volume = fabs(rest->six / 6);
    if (!(rest->volume > 1 / ST_REAL_MAX)) {
        *rest = (st_hyperelastic_rest){.six = 1};
        return false;
    }

    // the gradients of the shape functions, from the faces opposite to the nodes
    for (int j = 0; j < 4; j++) {
        st_vec3_sub(a, p[(j + 2) % 4], p[(j + 1) % 4]);
        st_vec3_sub(b, p[(j + 3) % 4], p[(j + 1) % 4]);
        st_vec3_cross(c, a, b);
        st_vec3_divide(rest->gradient + 3 * j, c, j % 2 ? rest->six : -rest->six);
    }
    return true;
}

static void hyperelastic_free_lists(st_hyperelastic *self) {
    st_free(self->rest);
    st_free(self->point);
    self->rest = NULL;
    self->point = NULL;
    st_element_mesh_free(&self->mesh);
    st_edge_blocks_free(&self->blocks);
}

static st_status hyperelastic_make_lists(st_hyperelastic *self, st_topology *topology, const st_uints *tetrahedra,
                                         size_t *wrong) {
    st_pool *pool = self->force.object.scene->pool;
    const size_t points = self->force.state->coord[ST_COORD_REST].count;
    hyperelastic_free_lists(self);

    // tetrahedra, and the edges that keep their derivatives
    const st_uints *edges = st_topology_elements(topology, ST_EDGE);
    const uint32_t *in_tetrahedra = st_topology_in(topology, ST_TETRAHEDRON, ST_EDGE);
    if (!in_tetrahedra) return ST_OUT_OF_MEMORY;
    st_status status =
        st_element_mesh_make(&self->mesh, pool, tetrahedra->data, tetrahedra->count, 4, points, 3, wrong);
    if (status == ST_OK)
        status = st_edge_blocks_make(&self->blocks, pool, tetrahedra, edges, in_tetrahedra, points, wrong);

    if (status == ST_OK) {
        self->rest = st_alloc(tetrahedra->count, sizeof *self->rest);
        self->point = st_alloc(tetrahedra->count, sizeof *self->point);
        if (!self->rest || !self->point) status = ST_OUT_OF_MEMORY;
    }
    if (status != ST_OK) hyperelastic_free_lists(self);
    return status;
}

st_status st_hyperelastic_build(st_hyperelastic *self) {
    st_object *object = &self->force.object;
    st_topology *topology = st_context_topology(object->node, self->topology);
    if (!topology) return st_invalid(object, "there is no mesh in its node or above: it has no elements");
    const st_uints *tetrahedra = st_topology_elements(topology, ST_TETRAHEDRON);
    if (tetrahedra->count == 0) return st_invalid(object, "the mesh has no tetrahedra: there is no force");
    st_status status = check_parameters(self);
    if (status != ST_OK) return status;

    size_t wrong = 0, flat = 0;
    status = hyperelastic_make_lists(self, topology, tetrahedra, &wrong);
    if (status == ST_INVALID)
        return st_invalid(object,
                          "tetrahedron or edge %zu has a vertex beyond the %zu DOFs of the state, or an edge that is "
                          "not in the mesh's list of edges",
                          wrong, self->force.state->coord[ST_COORD_REST].count);
    if (status != ST_OK) return st_invalid(object, "out of memory for %zu tetrahedra", tetrahedra->count);

    // the rest shape; flat elements stay without a force
    for (size_t e = 0; e < self->mesh.count; e++)
        if (!hyperelastic_set_rest(self, e, self->force.state->coord[ST_COORD_REST].data)) flat++;
    if (flat)
        st_message(object, ST_WARNING, "%zu of %zu tetrahedra have no volume at rest: they have no force", flat,
                   tetrahedra->count);
    return ST_OK;
}

static void hyperelastic_destroy(st_object *object) { hyperelastic_free_lists((st_hyperelastic *)object); }

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static void set_gradient(const st_hyperelastic *self, size_t e, const st_real *x, st_hyperelastic_point *point) {
    const st_hyperelastic_rest *rest = &self->rest[e];
    uint32_t nodes[4];
    st_real d[3][3], cross[3];

    // F = Σ d_j ⊗ s_j
    st_element_nodes(&self->mesh, e, nodes);
    for (int j = 0; j < 3; j++) st_vec3_sub(d[j], x + 3 * (size_t)nodes[j + 1], x + 3 * (size_t)nodes[0]);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            point->f[3 * r + c] =
                d[0][r] * rest->gradient[3 + c] + d[1][r] * rest->gradient[6 + c] + d[2][r] * rest->gradient[9 + c];

    st_vec3_cross(cross, d[1], d[2]);
    point->j = st_vec3_dot(cross, d[0]) / rest->six;
}

typedef struct force_call {
    st_hyperelastic *self;
    const st_real *x;
    bool lost; // an element has no stress
} force_call;

static void force_kernel(void *context, size_t begin, size_t end, st_real *results) {
    force_call *call = context;
    st_hyperelastic *self = call->self;
    for (size_t p = begin; p < end; p++, results += 12 * ST_PACK_SIZE)
        for (size_t lane = 0; lane < ST_PACK_SIZE && p * ST_PACK_SIZE + lane < self->mesh.count; lane++) {
            const size_t e = p * ST_PACK_SIZE + lane;
            const st_hyperelastic_rest *rest = &self->rest[e];
            st_hyperelastic_point *point = &self->point[e];

            // F, J and S, kept for the derivative
            set_gradient(self, e, call->x, point);
            if (!st_hyperelastic_stress(self->material, self->parameters.data, point) && rest->volume > 0)
                __atomic_store_n(&call->lost, true, __ATOMIC_RELAXED);

            // f_i = -V F S s_i
            for (int i = 0; i < 4; i++) {
                st_real t[3], f[3];
                st_mat3_times_vec(t, point->s, rest->gradient + 3 * i);
                st_mat3_times_vec(f, point->f, t);
                for (int k = 0; k < 3; k++) results[(size_t)(3 * i + k) * ST_PACK_SIZE + lane] = -(rest->volume * f[k]);
            }
        }
}

static bool hyperelastic_is_usable(const st_hyperelastic *self) {
    return self->mesh.count && self->force.state->size >= self->mesh.points;
}

static void hyperelastic_add_force(st_force *force, const st_params *params) {
    st_hyperelastic *self = (st_hyperelastic *)force;
    if (!st_mesh_fits(force, self->mesh.points) || self->mesh.count == 0) return;

    // f_j -= V F S s_j; the blocks of the tangent wait until somebody asks for them
    force_call call = {.self = self, .x = st_x(force->state, params)};
    self->blocks.stale = true;
    st_element_loop(force->object.scene->pool, &self->mesh, force_kernel, &call, st_f(force->state, params));

    if (call.lost)
        st_message_once(&force->object, "lost", ST_WARNING,
                        "a tetrahedron is inverted or has lost its volume, where the material %s has no stress: it has "
                        "no force until it is back",
                        self->material->name);
}

static st_real hyperelastic_potential(st_force *force, const st_params *params) {
    const st_hyperelastic *self = (const st_hyperelastic *)force;
    st_real energy = 0;
    if (!hyperelastic_is_usable(self)) return 0;

    // Σ V W(C)
    for (size_t e = 0; e < self->mesh.count; e++) {
        st_hyperelastic_point point;
        set_gradient(self, e, st_x(force->state, params), &point);
        st_hyperelastic_stress(self->material, self->parameters.data, &point);
        energy += self->rest[e].volume * st_hyperelastic_energy(self->material, self->parameters.data, &point);
    }
    return energy;
}

// ---------------------------------------------------------------------------------------------------
// Derivative
// ---------------------------------------------------------------------------------------------------

// T of nodes k and l.
static void edge_block(const st_hyperelastic_tangent *tangent, st_real volume, const st_hyperelastic_node *k,
                       const st_hyperelastic_node *l, st_real t[9]) {
    st_real v[3];

    // V ((s_k · S s_l) 1 + F dS s_k)
    st_mat3_times_vec(v, tangent->at->s, l->s);
    const st_real geometric = st_vec3_dot(k->s, v);

    st_hyperelastic_pair(tangent, k, l, t);
    for (int m = 0; m < 9; m += 4) t[m] += geometric;
    st_mat3_scale(t, t, volume);
}

// Each edge as the mesh's edge runs.
static void block_kernel(void *context, size_t begin, size_t end, st_real *results) {
    const st_hyperelastic *self = context;
    for (size_t p = begin; p < end; p++, results += 54 * ST_PACK_SIZE)
        for (size_t lane = 0; lane < ST_PACK_SIZE && p * ST_PACK_SIZE + lane < self->mesh.count; lane++) {
            const size_t e = p * ST_PACK_SIZE + lane;
            const st_hyperelastic_rest *rest = &self->rest[e];
            st_hyperelastic_tangent tangent;
            st_hyperelastic_node nodes[4];
            st_real t[9];

            // what the six edges have in common
            st_hyperelastic_tangent_make(&tangent, self->material, self->parameters.data, &self->point[e]);
            for (int i = 0; i < 4; i++) st_hyperelastic_node_make(&nodes[i], &tangent, rest->gradient + 3 * i);

            // V ∂f_k/∂x_l of each edge
            for (int i = 0; i < 6; i++) {
                const int k = st_tetrahedron_edges[i][0], l = st_tetrahedron_edges[i][1];
                edge_block(&tangent, rest->volume, &nodes[k], &nodes[l], t);
                if (!(self->blocks.along[p][i][lane] > 0)) st_mat3_transpose(t, t);
                for (int j = 0; j < 9; j++) results[(size_t)(9 * i + j) * ST_PACK_SIZE + lane] = t[j];
            }
        }
}

static void hyperelastic_product(st_force *force, const st_params *params, st_real k, st_real b) {
    (void)b; // no damping
    st_hyperelastic *self = (st_hyperelastic *)force;
    if (!hyperelastic_is_usable(self)) return;

    st_edge_blocks_update(&self->blocks, force->object.scene->pool, block_kernel, self);
    st_edge_blocks_product(&self->blocks, force->object.scene->pool, k, st_dx(force->state, params),
                           st_df(force->state, params));
}

static void hyperelastic_stiffness(st_force *force, const st_params *params, st_stiffness to) {
    (void)params;
    st_hyperelastic *self = (st_hyperelastic *)force;
    if (!hyperelastic_is_usable(self)) return;

    st_sink *sink = st_stiffness_between(to, force->state, force->state);
    st_edge_blocks_update(&self->blocks, force->object.scene->pool, block_kernel, self);
    st_edge_blocks_add(&self->blocks, force->object.scene->pool, sink);
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

static const st_field fields[] = {
    ST_FIELD(st_hyperelastic, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(st_hyperelastic, parameters, "ParameterSet", st_type_reals, NULL,
             "parameters of the material: ArrudaBoyce mu k0; StVenantKirchhoff, NeoHookean and StableNeoHookean mu "
             "lambda; MooneyRivlin and VerondaWestman c1 c2 k0; Costa a k0 bff bfs bss bfn bsn bnn; Ogden mu alpha k0"),
    ST_FIELD(st_hyperelastic, anisotropy, "AnisotropyDirections", st_type_vec3s, NULL, "used by no material",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_hyperelastic, ignored[0], "tetrahedronInfo", st_type_string, NULL, "computed, whatever is given",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_hyperelastic, ignored[1], "edgeInfo", st_type_string, NULL, "computed, whatever is given",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_force_ops force_ops = {
    .add_force = hyperelastic_add_force,
    .stiffness = hyperelastic_stiffness,
    .product = hyperelastic_product,
    .potential = hyperelastic_potential,
};

const st_class st_hyperelastic_class = {
    .name = "BaseHyperelasticityFEMForceField",
    .help = "what the hyperelastic forces have",
    .parent = &st_force_class,
    .fields = fields,
    .size = sizeof(st_hyperelastic),
    .flags = ST_CLASS_ABSTRACT,
    .destroy = hyperelastic_destroy,
    .force = &force_ops,
};
