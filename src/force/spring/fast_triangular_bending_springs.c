// FastTriangularBendingSprings: bending energy of a surface of triangles, linear in the positions.
//
//          A          across the edge C D, with weights such that α_A + α_B + α_C + α_D = 0:
//         / \.
//        C---D        R = α_A A + α_B B + α_C C + α_D D         zero for a flat surface
//         \ /         energy ½ λ |R|²,   f_i = -λ α_i R,   K_ij = -λ α_i α_j
//          B
//
// From the rest position, with N_A = |(A - C) × (A - D)| and so on, h the heights of A and B over the edge of length l:
//     α_A = N_B / (N_A + N_B),  α_B = N_A / (N_A + N_B),  α_C = -N_D / (N_C + N_D),  α_D = -N_C / (N_C + N_D)
//     λ = 2/3 (h_A + h_B) / (h_A h_B)² l k
// (P. Volino, N. Magnenat-Thalmann: Simple linear bending stiffness in particle systems, 2006.)
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/spring/bending_springs.h"
#include "math/vec3.h"
#include "topology/topology.h"

typedef struct bender {
    bool active;
    uint32_t points[4]; // A, B, C, D
    st_real alpha[4];
    st_real lambda;
} bender;

typedef struct fast_bending {
    st_force base;
    st_real stiffness, shortest;
    st_object *topology;
    ST_LIST(bender) edges; // one for each edge of the mesh
} fast_bending;

static const st_field fields[] = {
    ST_FIELD(fast_bending, stiffness, "bendingStiffness", st_type_real, "1", "bending stiffness of the material",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(fast_bending, shortest, "minDistValidity", st_type_real, "0.000001",
             "edges are left out where they, or the distance across them, are not longer", .flags = ST_FIELD_REINIT),
    ST_FIELD(fast_bending, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// |(p - a) × (p - b)|
static st_real double_area(const st_real *p, const st_real *a, const st_real *b) {
    st_real u[3], v[3], normal[3];
    st_vec3_sub(u, p, a);
    st_vec3_sub(v, p, b);
    st_vec3_cross(normal, u, v);
    return st_vec3_norm(normal);
}

// Distance of p from the line through c along the unit vector e.
static st_real height(const st_real *p, const st_real *c, const st_real e[3]) {
    st_real d[3];
    st_vec3_sub(d, c, p);
    st_vec3_add_scaled(d, d, e, -st_vec3_dot(d, e));
    return st_vec3_norm(d);
}

// The weights of one inner edge.
static bool bend(void *context, const st_inner_edge *edge) {
    fast_bending *force = context;
    const uint32_t *t = edge->mine;
    const int j = edge->in_mine;
    const st_real *rest = force->base.state->coord[ST_COORD_REST].data;
    bender *b = &force->edges.data[edge->edge];
    *b = (bender){.points = {edge->other[edge->in_other], t[j], edge->ends[0], edge->ends[1]}};

    const st_real *p[4];
    for (int i = 0; i < 4; i++) p[i] = rest + 3 * (size_t)b->points[i];

    // none where vertices fall together
    const st_real length = st_vec3_distance(p[2], p[3]);
    if (!(length > force->shortest && st_vec3_distance(p[0], p[1]) > force->shortest)) return true;

    // N of the four, and the heights of A and B
    const st_real na = double_area(p[0], p[2], p[3]), nb = double_area(p[1], p[3], p[2]);
    const st_real nc = double_area(p[2], p[1], p[0]), nd = double_area(p[3], p[0], p[1]);
    st_real e[3];
    st_vec3_sub(e, p[2], p[3]);
    st_vec3_normalize(e, e);
    const st_real ha = height(p[0], p[2], e), hb = height(p[1], p[2], e);

    // α and λ
    b->alpha[0] = nb / (na + nb);
    b->alpha[1] = na / (na + nb);
    b->alpha[2] = -nd / (nc + nd);
    b->alpha[3] = -nc / (nc + nd);
    b->lambda = (ST_R(2.0) / 3) * (ha + hb) / (ha * ha * hb * hb) * length * force->stiffness;

    b->active = isfinite(b->lambda) && isfinite(b->alpha[0] + b->alpha[2]); // flat triangles have no height
    return true;
}

static st_status fast_triangular_bending_springs_init(st_object *object) {
    fast_bending *force = (fast_bending *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    st_topology *topology = st_context_topology(object->node, force->topology);
    force->edges.count = 0;
    if (!topology) return st_invalid(object, "there is no mesh in its node or above: there is no bending stiffness");
    if (!st_topology_elements(topology, ST_TRIANGLE)->count) {
        st_message(object, ST_WARNING, "the mesh has no triangles: there is no bending stiffness");
        return ST_OK;
    }

    // one entry for each edge, active ones where two triangles meet
    if (!st_list_set_count(&force->edges, st_topology_elements(topology, ST_EDGE)->count, 1)) return ST_OUT_OF_MEMORY;
    if (st_visit_inner_edges(topology, ST_TRIANGLE, force->base.state->size, false, bend, force)) return ST_OK;

    force->edges.count = 0;
    return st_invalid(object, "the mesh has triangles with vertices beyond the %zu DOFs: there is no bending stiffness",
                      force->base.state->size);
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

// Do its four vertices exist, and does it act?
static bool fast_triangular_bending_springs_in_range(const bender *b, const st_state *state) {
    for (int i = 0; i < 4; i++)
        if (b->points[i] >= state->size) return false;
    return b->active;
}

// R, the weighted sum of the four positions
static void weighted_sum(const bender *b, const st_real *x, st_real r[3]) {
    st_vec3_scale(r, x + 3 * (size_t)b->points[0], b->alpha[0]);
    for (int i = 1; i < 4; i++) st_vec3_add_scaled(r, r, x + 3 * (size_t)b->points[i], b->alpha[i]);
}

static void fast_triangular_bending_springs_add_force(st_force *base, const st_params *params) {
    const fast_bending *force = (const fast_bending *)base;
    if (!base->state) return;

    const st_real *x = st_x(base->state, params);
    st_real *f = st_f(base->state, params);

    for (size_t e = 0; e < force->edges.count; e++) {
        const bender *b = &force->edges.data[e];
        if (!fast_triangular_bending_springs_in_range(b, base->state)) continue;

        st_real r[3];

        // R, then -λ α_i R
        weighted_sum(b, x, r);
        for (int i = 0; i < 4; i++) {
            st_real *at = f + 3 * (size_t)b->points[i];
            for (int j = 0; j < 3; j++) at[j] -= r[j] * b->lambda * b->alpha[i];
        }
    }
}

static st_real fast_triangular_bending_springs_potential(st_force *base, const st_params *params) {
    const fast_bending *force = (const fast_bending *)base;
    st_real energy = 0;

    for (size_t e = 0; base->state && e < force->edges.count; e++) {
        const bender *b = &force->edges.data[e];
        st_real r[3];
        if (!fast_triangular_bending_springs_in_range(b, base->state)) continue;

        // ½ λ |R|²
        weighted_sum(b, st_x(base->state, params), r);
        energy += ST_R(0.5) * b->lambda * st_vec3_norm2(r);
    }
    return energy;
}

// ---------------------------------------------------------------------------------------------------
// Derivative
// ---------------------------------------------------------------------------------------------------

static void fast_triangular_bending_springs_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    const fast_bending *force = (const fast_bending *)base;
    (void)params;
    if (!base->state) return;

    st_sink *sink = st_stiffness_between(k, base->state, base->state);

    for (size_t e = 0; e < force->edges.count; e++) {
        const bender *b = &force->edges.data[e];

        // K_ij = -λ α_i α_j
        for (int n = 0; n < 16 && fast_triangular_bending_springs_in_range(b, base->state); n++) {
            const int i = n / 4, j = n % 4;
            const st_real value = -b->lambda * b->alpha[i] * b->alpha[j];
            const st_real block[9] = {value, 0, 0, 0, value, 0, 0, 0, value};
            st_add_3x3(sink, 3 * (size_t)b->points[i], 3 * (size_t)b->points[j], block);
        }
    }
}

static void fast_triangular_bending_springs_product(st_force *base, const st_params *params, st_real k,
                                                    st_real b_factor) {
    const fast_bending *force = (const fast_bending *)base;
    (void)b_factor;
    if (!base->state) return;

    const st_real *dx = st_dx(base->state, params);
    st_real *df = st_df(base->state, params);

    for (size_t e = 0; e < force->edges.count; e++) {
        const bender *b = &force->edges.data[e];
        if (!fast_triangular_bending_springs_in_range(b, base->state)) continue;

        // -λ α_i α_j dx_i
        const st_real scale = b->lambda * k;
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 4; i++) {
                const st_real *d = dx + 3 * (size_t)b->points[i];
                st_real *at = df + 3 * (size_t)b->points[j];
                for (int c = 0; c < 3; c++) at[c] -= d[c] * scale * b->alpha[i] * b->alpha[j];
            }
    }
}

static void fast_triangular_bending_springs_destroy(st_object *object) {
    st_list_free(&((fast_bending *)object)->edges);
}

static const st_force_ops force_ops = {
    .add_force = fast_triangular_bending_springs_add_force,
    .stiffness = fast_triangular_bending_springs_stiffness,
    .product = fast_triangular_bending_springs_product,
    .potential = fast_triangular_bending_springs_potential,
};

const st_class st_fast_triangular_bending_springs_class = {
    .name = "FastTriangularBendingSprings",
    .help = "linear bending stiffness of a surface of triangles",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(fast_bending),
    .example = "<MeshTopology triangles=\"0 1 2  1 3 2  2 3 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  1 1 0  0.5 2 0.5\"/>\n"
               "<FastTriangularBendingSprings bendingStiffness=\"100\"/>",
    .init = fast_triangular_bending_springs_init,
    .destroy = fast_triangular_bending_springs_destroy,
    .force = &force_ops,
};
