// TetrahedronDiffusionFEMForceField: diffusion of a quantity (the first scalar of each DOF, and alike the others) on a
// mesh of tetrahedra.
//
//     C = Σ d V S_k·(S_l + (r - 1) (u·S_l) u)  over the tetrahedra around the edge 0 1,     S: tetra_shape_vectors.h
//     f_1 += C (x_1 - x_0),  f_0 -= C (x_1 - x_0)
//
// d is the diffusion coefficient, u the direction along which it is r times as large. C is below 0 where the mesh is
// good: the quantity flows from where it is high to where it is low. The positions of the vertices are those, at the
// start, of a 3-D mechanical state found by its tag.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "force/fem/tetrahedron/tetra_shape_vectors.h"
#include "settee/plugin/physics.h"
#include "topology/adjacency.h"
#include "topology/tables.h"
#include "topology/topology.h"

typedef struct diffusion {
    st_force base;
    st_real constant, ratio;
    st_reals coefficients, directions; // one per tetrahedron; directions: Vec3
    char *tag;
    st_object *topology;
    bool draw;

    st_uints edges;
    st_reals conductance; // C of each edge
} diffusion;

static const st_field fields[] = {
    ST_FIELD(diffusion, constant, "constantDiffusionCoefficient", st_type_real, "1", "diffusion coefficient"),
    ST_FIELD(diffusion, coefficients, "tetraDiffusionCoefficient", st_type_reals, NULL,
             "diffusion coefficient of each tetrahedron"),
    ST_FIELD(diffusion, ratio, "anisotropyRatio", st_type_real, "1",
             "diffusion along the directions / diffusion across them; 1: isotropic"),
    ST_FIELD(diffusion, directions, "transverseAnisotropyArray", st_type_vec3s, NULL, "direction of each tetrahedron"),
    ST_FIELD(diffusion, tag, "tagMechanics", st_type_string, "meca", "tag of the state that has the positions"),
    ST_FIELD(diffusion, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(diffusion, draw, "drawConduc", st_type_bool, "0", "draw the conductances", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// The nearest Vec3 state upwards that has the tag.
static const st_state *find_geometry(const diffusion *force) {
    for (const st_node *node = force->base.object.node; node; node = node->parent)
        for (size_t i = 0; i < node->objects.count; i++) {
            const st_object *object = node->objects.data[i];
            if (!st_has_role(object, ST_ROLE(state)) || object->dof != &st_vec3) continue;

            for (size_t t = 0; t < object->tags.count; t++)
                if (force->tag && strcmp(object->tags.data[t], force->tag) == 0) return (const st_state *)object;
        }
    return NULL;
}

// S_k·(S_l + (r - 1) (u·S_l) u)
static st_real conduct(const diffusion *force, size_t tetrahedron, const st_real *sk, const st_real *sl) {
    if (force->ratio == 1 || tetrahedron >= force->directions.count) return st_vec3_dot(sk, sl);
    const st_real *u = force->directions.data + 3 * tetrahedron;
    st_real bent[3];
    st_vec3_add_scaled(bent, sl, u, (force->ratio - 1) * st_vec3_dot(u, sl));
    return st_vec3_dot(sk, bent);
}

static bool add_tetrahedron(diffusion *force, size_t i, const uint32_t *v, const uint32_t *edges,
                            const st_reals *places) {
    const st_real *p[4];
    st_real shape[4][3];
    for (int j = 0; j < 4; j++) {
        if (v[j] >= places->count) return false;
        p[j] = places->data + 3 * (size_t)v[j];
    }

    const st_real volume = fabs(st_tetra_shape_vectors(p, shape)) / 6;
    const st_real coefficient = force->coefficients.count ? force->coefficients.data[i] : force->constant;
    if (!(volume > 0)) return false;

    // V S_kᵀ D S_l, kept on the edge between k and l
    for (int n = 0; n < 6; n++) {
        const int k = st_tetrahedron_edges[n][0], l = st_tetrahedron_edges[n][1];
        if (edges[n] < force->conductance.count)
            force->conductance.data[edges[n]] += coefficient * volume * conduct(force, i, shape[k], shape[l]);
    }
    return true;
}

static st_status tetrahedron_diffusion_fem_build(diffusion *force, st_topology *topology, const st_state *geometry) {
    const st_uints *edges = st_topology_elements(topology, ST_EDGE);
    const st_uints *tetrahedra = st_topology_elements(topology, ST_TETRAHEDRON);
    const uint32_t *in = st_topology_in(topology, ST_TETRAHEDRON, ST_EDGE);
    size_t unusable = 0;

    if (!st_list_set_count(&force->edges, edges->count, 2) || !st_list_set_count(&force->conductance, edges->count, 1))
        return ST_OUT_OF_MEMORY;
    st_copy_bytes(force->edges.data, edges->data, 2 * edges->count * sizeof *edges->data);

    // C of each edge: the sum over the tetrahedra around it
    for (size_t i = 0; i < edges->count; i++) force->conductance.data[i] = 0;
    for (size_t i = 0; in && i < tetrahedra->count; i++)
        unusable +=
            !add_tetrahedron(force, i, tetrahedra->data + 4 * i, in + 6 * i, &geometry->coord[ST_COORD_POSITION]);

    if (unusable)
        st_message(&force->base.object, ST_ERROR,
                   "%zu of %zu tetrahedra are flat or have vertices without a position: nothing flows there", unusable,
                   tetrahedra->count);
    return ST_OK;
}

static st_status tetrahedron_diffusion_fem_init(st_object *object) {
    diffusion *force = (diffusion *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    st_topology *topology = st_context_topology(object->node, force->topology);
    if (!topology) return st_invalid(object, "there is no mesh in its node or above: nothing flows");
    const size_t count = st_topology_elements(topology, ST_TETRAHEDRON)->count;

    const st_state *geometry = find_geometry(force);
    if (!geometry)
        return st_invalid(object, "no Vec3 state with the tag \"%s\" is found upwards: nothing flows; set tagMechanics",
                          force->tag ? force->tag : "");

    if (!count) st_message(object, ST_WARNING, "the mesh has no tetrahedra: nothing flows");
    if (force->coefficients.count && force->coefficients.count != count)
        return st_invalid(object, "tetraDiffusionCoefficient has %zu values for %zu tetrahedra: nothing flows",
                          force->coefficients.count, count);
    return tetrahedron_diffusion_fem_build(force, topology, geometry);
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

// target += k C (x_1 - x_0) at both ends of each edge
static void flow(const diffusion *force, const st_real *x, st_real k, st_real *target) {
    const size_t width = st_state_dof(force->base.state)->deriv, size = force->base.state->size;
    for (size_t e = 0; e < force->conductance.count; e++) {
        const size_t a = force->edges.data[2 * e], b = force->edges.data[2 * e + 1];
        if (a >= size || b >= size) continue;

        // what leaves one end arrives at the other
        for (size_t j = 0; j < width; j++) {
            const st_real push = (x[b * width + j] - x[a * width + j]) * force->conductance.data[e] * k;
            target[b * width + j] += push;
            target[a * width + j] -= push;
        }
    }
}

static bool tetrahedron_diffusion_fem_is_usable(const st_force *base) {
    return base->state && st_is_valid(&base->object);
}

static void tetrahedron_diffusion_fem_add_force(st_force *base, const st_params *params) {
    if (tetrahedron_diffusion_fem_is_usable(base))
        flow((const diffusion *)base, st_x(base->state, params), 1, st_f(base->state, params));
}

static void tetrahedron_diffusion_fem_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    const diffusion *force = (const diffusion *)base;
    (void)params;
    if (!tetrahedron_diffusion_fem_is_usable(base)) return;

    const size_t width = st_state_dof(base->state)->deriv, size = base->state->size;
    st_sink *sink = st_stiffness_between(k, base->state, base->state);

    // C at both ends, -C between them
    for (size_t e = 0; e < force->conductance.count; e++) {
        const size_t a = force->edges.data[2 * e], b = force->edges.data[2 * e + 1];
        for (size_t j = 0; j < width && a < size && b < size; j++) {
            const st_real c = force->conductance.data[e];
            st_add_scalar(sink, a * width + j, a * width + j, c);
            st_add_scalar(sink, b * width + j, b * width + j, c);
            st_add_scalar(sink, a * width + j, b * width + j, -c);
            st_add_scalar(sink, b * width + j, a * width + j, -c);
        }
    }
}

static void tetrahedron_diffusion_fem_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    if (tetrahedron_diffusion_fem_is_usable(base))
        flow((const diffusion *)base, st_dx(base->state, params), k, st_df(base->state, params));
}

static void tetrahedron_diffusion_fem_destroy(st_object *object) {
    st_list_free(&((diffusion *)object)->edges);
    st_list_free(&((diffusion *)object)->conductance);
}

static const st_force_ops force_ops = {.add_force = tetrahedron_diffusion_fem_add_force,
                                       .stiffness = tetrahedron_diffusion_fem_stiffness,
                                       .product = tetrahedron_diffusion_fem_product};

const st_class st_tetrahedron_diffusion_fem_force_field_class = {
    .name = "TetrahedronDiffusionFEMForceField",
    .help = "diffusion on a mesh of tetrahedra",
    .parent = &st_force_class,
    .templates = "Vec1 Vec2 Vec3",
    .fields = fields,
    .size = sizeof(diffusion),
    .example = "<MeshTopology name=\"mesh\" tetrahedra=\"0 1 2 3  1 2 3 4\"/>\n"
               "<MechanicalObject name=\"places\" tags=\"meca\" position=\"0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\"/>\n"
               "<Node name=\"heat\">\n"
               "    <MechanicalObject template=\"Vec1\" position=\"1 0 0 2 0\"/>\n"
               "    <TetrahedronDiffusionFEMForceField topology=\"@../mesh\" constantDiffusionCoefficient=\"3\"/>\n"
               "</Node>",
    .init = tetrahedron_diffusion_fem_init,
    .destroy = tetrahedron_diffusion_fem_destroy,
    .force = &force_ops,
};
