// Membranes of triangles as springs: see the header for the formulas.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/triangle_springs.h"

#include "base/array.h"
#include "math/mat3.h"
#include "scene/compat.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

static const st_field fields[] = {
    ST_FIELD(st_triangle_springs, poisson, "poissonRatio", st_type_real, "0.3", "Poisson's ratio, between -1 and 1",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(st_triangle_springs, young, "youngModulus", st_type_real, "1000", "Young's modulus times thickness",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(st_triangle_springs, damping, "dampingRatio", st_type_real, "0", "damping of the edges"),
    ST_FIELD(st_triangle_springs, angular, "useAngularSprings", st_type_bool, "1", "springs between edges, too"),
    ST_FIELD(st_triangle_springs, regularize, "matrixRegularization", st_type_bool, "1", "",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_triangle_springs, initial_points, "initialPoints", st_type_coords, NULL, "",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_triangle_springs, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static bool add_edges(st_triangle_springs *force, st_topology *topology) {
    const st_uints *edges = st_topology_elements(topology, ST_EDGE);
    const st_real *rest = force->base.state->coord[ST_COORD_REST].data;
    if (!st_list_set_count(&force->edges, edges->count, 1)) return false;

    for (size_t i = 0; i < edges->count; i++) {
        const uint32_t a = edges->data[2 * i], b = edges->data[2 * i + 1];
        force->edges.data[i] = (st_spring_edge){.v = {a, b}};
        if (a >= force->base.state->size || b >= force->base.state->size) continue;

        // L²
        st_real d[3];
        st_vec3_sub(d, rest + 3 * (size_t)a, rest + 3 * (size_t)b);
        force->edges.data[i].rest = st_vec3_norm2(d);
    }
    return true;
}

// s and γ from the squared lengths of the edges; false for a flat triangle.
static bool triangle_springs_weigh(const st_triangle_springs *force, const st_real l[3], st_spring_triangle *t) {
    const st_real both = force->lambda + force->mu;
    st_real cot[3], sum = 0;

    // the area by Heron's formula
    for (int j = 0; j < 3; j++) sum += l[j] * (l[(j + 1) % 3] + l[(j + 2) % 3] - l[j]);
    t->rest_area = sqrt(sum) / 4;
    if (!(t->rest_area > 0)) return false;

    // the cotangents, then s and γ
    for (int j = 0; j < 3; j++) cot[j] = (l[(j + 1) % 3] + l[(j + 2) % 3] - l[j]) / (4 * t->rest_area);
    for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3, n = (j + 2) % 3;
        const st_real own = 2 * cot[j] * cot[j] * both + force->mu, mixed = 2 * cot[k] * cot[n] * both - force->mu;
        t->s[j] = force->quadratic ? l[j] * own / (8 * t->rest_area) : own / (16 * t->rest_area);
        t->gamma[j] =
            force->quadratic ? sqrt(l[k]) * sqrt(l[n]) * mixed / (8 * t->rest_area) : mixed / (16 * t->rest_area);
    }
    return true;
}

static void rest_normal(const st_triangle_springs *force, st_spring_triangle *t) {
    const st_real *rest = force->base.state->coord[ST_COORD_REST].data, *a = rest + 3 * (size_t)t->v[0];
    st_real ab[3], ac[3];

    st_vec3_sub(ab, rest + 3 * (size_t)t->v[1], a);
    st_vec3_sub(ac, rest + 3 * (size_t)t->v[2], a);

    st_vec3_cross(t->normal, ab, ac);
    st_vec3_normalize(t->normal, t->normal);
}

static bool triangle_springs_add_triangle(st_triangle_springs *force, const uint32_t *v, const uint32_t *edges,
                                          size_t *unusable) {
    st_spring_triangle t = {.rest_area = 0};
    st_real squares[3] = {0, 0, 0};
    bool usable = true;

    // the squared lengths of its edges at rest
    for (int j = 0; j < 3; j++) {
        t.v[j] = v[j];
        t.edge[j] = edges[j];
        usable = usable && v[j] < force->base.state->size && edges[j] < force->edges.count;
        if (usable) squares[j] = force->edges.data[edges[j]].rest;
    }

    usable = usable && triangle_springs_weigh(force, squares, &t);
    *unusable += !usable;
    if (!usable) return true;

    // an edge has the stiffness of all its triangles
    rest_normal(force, &t);
    for (int j = 0; j < 3; j++) force->edges.data[t.edge[j]].stiffness += t.s[j];
    return st_list_push(&force->triangles, t);
}

static st_status triangle_springs_build(st_triangle_springs *force, st_topology *topology) {
    const st_uints *triangles = st_topology_elements(topology, ST_TRIANGLE);
    const uint32_t *in = st_topology_in(topology, ST_TRIANGLE, ST_EDGE);
    size_t unusable = 0;
    force->triangles.count = 0;
    if (!add_edges(force, topology)) return ST_OUT_OF_MEMORY;

    // unusable ones are counted, and reported together
    for (size_t i = 0; in && i < triangles->count; i++)
        if (!triangle_springs_add_triangle(force, triangles->data + 3 * i, in + 3 * i, &unusable))
            return ST_OUT_OF_MEMORY;

    if (unusable)
        st_message(&force->base.object, ST_ERROR,
                   "%zu of %zu triangles are flat at rest or have vertices without a DOF: they have no springs",
                   unusable, triangles->count);
    return st_list_set_count(&force->tangent, 3 * force->triangles.count, 1) ? ST_OK : ST_OUT_OF_MEMORY;
}

static st_status triangle_springs_init(st_object *object) {
    st_triangle_springs *force = (st_triangle_springs *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;
    force->triangles.count = force->edges.count = force->tangent.count = 0;

    st_topology *topology = st_context_topology(object->node, force->topology);
    if (!topology) return st_invalid(object, "there is no mesh in its node or above: there are no springs");

    // λ and μ of plane stress
    const st_real plane = 1 - force->poisson * force->poisson;
    if (!(plane > 0) || !isfinite(force->young))
        return st_invalid(
            object, "poissonRatio = %g, youngModulus = %g: the ratio must be between -1 and 1; there are no springs",
            (double)force->poisson, (double)force->young);

    force->lambda = force->young * force->poisson / plane;
    force->mu = force->young * (1 - force->poisson) / plane;

    if (!st_topology_elements(topology, ST_TRIANGLE)->count)
        st_message(object, ST_WARNING, "the mesh has no triangles: there are no springs");
    return triangle_springs_build(force, topology);
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

// The factor of p in the derivative of e along the edge, over 2h: 1, or 1 / |p|.
static st_real triangle_springs_slope(const st_triangle_springs *force, const st_spring_edge *edge) {
    if (!force->quadratic) return 1;
    return edge->length > 0 ? 1 / edge->length : 0;
}

static void add_edge_forces(st_triangle_springs *force, const st_params *params) {
    const st_state *state = force->base.state;
    const st_real *x = st_x(state, params), *v = st_v(state, params);
    st_real *f = st_f(state, params);

    for (size_t i = 0; i < force->edges.count; i++) {
        st_spring_edge *edge = &force->edges.data[i];
        const size_t a = 3 * (size_t)edge->v[0], b = 3 * (size_t)edge->v[1];
        if (edge->v[0] >= state->size || edge->v[1] >= state->size) continue;

        // p and the rate at which it changes
        st_real p[3], rate[3];
        st_vec3_sub(p, x + a, x + b);
        st_vec3_sub(rate, v + a, v + b);

        // e, with damping
        const st_real square = st_vec3_norm2(p);
        edge->length = sqrt(square);
        const st_real unit = force->quadratic ? edge->length : square;
        edge->extension = force->quadratic ? edge->length - sqrt(edge->rest) : square - edge->rest;
        if (unit > 0) edge->extension += force->damping * st_vec3_dot(rate, p) / unit;

        // -s e ∂e/∂x
        const st_real push = edge->stiffness * edge->extension * triangle_springs_slope(force, edge);
        st_vec3_add_scaled(f + b, f + b, p, push);
        st_vec3_add_scaled(f + a, f + a, p, -push);
    }
}

// γ_k e_l + γ_l e_k
static st_real mixed(const st_triangle_springs *force, const st_spring_triangle *t, int j) {
    const int k = (j + 1) % 3, l = (j + 2) % 3;
    return force->edges.data[t->edge[k]].extension * t->gamma[l] +
           force->edges.data[t->edge[l]].extension * t->gamma[k];
}

static void add_angular_forces(const st_triangle_springs *force, const st_spring_triangle *t, const st_real *x,
                               st_real *f) {
    for (int j = 0; j < 3; j++) {
        const size_t k = 3 * (size_t)t->v[(j + 1) % 3], l = 3 * (size_t)t->v[(j + 2) % 3];
        st_real p[3];
        st_vec3_sub(p, x + l, x + k);

        const st_real push = -mixed(force, t, j) * triangle_springs_slope(force, &force->edges.data[t->edge[j]]);
        st_vec3_add_scaled(f + l, f + l, p, push);
        st_vec3_add_scaled(f + k, f + k, p, -push);
    }
}

// ---------------------------------------------------------------------------------------------------
// Tangent
// ---------------------------------------------------------------------------------------------------

// The matrix of the edge i j of a triangle, k its third vertex. With g the derivatives of e, over 2h where biquadratic:
//     m = -w (s_k g_k g_kᵀ - γ_k g_j g_iᵀ + γ_i g_j g_kᵀ - γ_j g_k g_iᵀ) - c_k ∂g_k,   w = 2 or 1
static void edge_tangent(const st_triangle_springs *force, const st_spring_triangle *t, int k, const st_real *x,
                         st_real m[9]) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const st_real *xi = x + 3 * (size_t)t->v[i], *xj = x + 3 * (size_t)t->v[j], *xk = x + 3 * (size_t)t->v[k];

    const st_spring_edge *edge[3];
    st_real gk[3], gj[3], gi[3], term[9];
    for (int n = 0; n < 3; n++) edge[n] = &force->edges.data[t->edge[n]];

    // g of the three edges
    st_vec3_sub(gk, xi, xj);
    st_vec3_sub(gj, xi, xk);
    st_vec3_sub(gi, xj, xk);
    st_vec3_scale(gk, gk, triangle_springs_slope(force, edge[k]));
    st_vec3_scale(gj, gj, triangle_springs_slope(force, edge[j]));
    st_vec3_scale(gi, gi, triangle_springs_slope(force, edge[i]));

    // -w s_k g_k g_kᵀ - c_k ∂g_k
    const st_real w = force->quadratic ? 1 : 2;
    const st_real c = t->s[k] * edge[k]->extension + (force->angular ? mixed(force, t, k) : 0);
    st_mat3_outer(m, gk, gk);
    const st_real twice = force->doubled ? t->s[k] * edge[k]->extension : 0;
    st_mat3_scale(m, m, -w * t->s[k] + (force->quadratic ? (c + twice) * triangle_springs_slope(force, edge[k]) : 0));
    for (int n = 0; n < 9; n += 4) m[n] -= c * triangle_springs_slope(force, edge[k]);

    if (!force->angular) return;

    // the mixed terms
    st_mat3_outer(term, gj, gi);
    st_mat3_add_scaled(m, m, term, w * t->gamma[k]);
    st_mat3_outer(term, gj, gk);
    st_mat3_add_scaled(m, m, term, -w * t->gamma[i]);
    st_mat3_outer(term, gk, gi);
    st_mat3_add_scaled(m, m, term, w * t->gamma[j]);
}

// ---------------------------------------------------------------------------------------------------
// Resistance to compression
// ---------------------------------------------------------------------------------------------------

typedef struct squeezed {
    st_real n[3], area, j1; // normal, area, J - 1
    st_real av[3][3];       // derivative of the area by each vertex
} squeezed;

// The normal of a triangle that is not yet flat or turned over; else the last one that could be trusted.
static void trusted_normal(const st_triangle_springs *force, st_spring_triangle *t, st_real n[3], st_real ratio) {
    if (ratio < ST_R(0.01)) {
        st_vec3_copy(n, t->normal);
    } else if (st_vec3_dot(n, t->normal) > ST_R(-0.5)) {
        st_vec3_copy(t->normal, n);
    } else {
        st_vec3_negate(n, n);
        st_message_once(&force->base.object, "turned", ST_WARNING, "a triangle has turned over");
    }
}

// Is the triangle smaller than at rest?
static bool is_squeezed(const st_triangle_springs *force, st_spring_triangle *t, const st_real *x, squeezed *q) {
    const st_real *p[3];
    st_real ab[3], ac[3];

    // J - 1 from the area
    for (int j = 0; j < 3; j++) p[j] = x + 3 * (size_t)t->v[j];
    st_vec3_sub(ab, p[1], p[0]);
    st_vec3_sub(ac, p[2], p[0]);
    st_vec3_cross(q->n, ab, ac);
    q->area = st_vec3_norm(q->n) / 2;
    q->j1 = q->area / t->rest_area - 1;
    if (!(q->j1 < 0)) return false;

    st_vec3_normalize(q->n, q->n);
    trusted_normal(force, t, q->n, q->area / t->rest_area);

    // ∂area/∂x of each vertex
    for (int j = 0; j < 3; j++) {
        st_real d[3];
        st_vec3_sub(d, p[(j + 2) % 3], p[(j + 1) % 3]);
        st_vec3_cross(q->av[j], q->n, d);
        st_vec3_divide(q->av[j], q->av[j], 2);
    }
    return true;
}

// -3 (λ + μ) ∂((J - 1)³ ∂area/∂x_i)/∂x_j, blended with its mean by h = 1 - J.
static void add_squeezed_tangent(const st_triangle_springs *force, const st_spring_triangle *t, const squeezed *q,
                                 int k, const st_real lengths[3], st_real m[9]) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const st_real a = 3 * (force->lambda + force->mu), h = -q->j1;
    const st_real c2 = 3 * a * q->j1 * q->j1 / t->rest_area, c1 = a * q->j1 * q->j1 * q->j1 / 2;
    st_real w[3], term[9];

    // the area vector turns
    st_vec3_scale(w, q->n, c1);
    st_mat3_cross(term, w);
    st_mat3_add(m, m, term);

    if (q->area > 0) {
        st_mat3_outer(term, q->n, q->n);
        st_mat3_add_scaled(m, m, term, c1 / (2 * q->area) * (lengths[0] + lengths[1] + lengths[2] - 2 * lengths[k]));
    }

    // the pressure changes
    st_mat3_outer(term, q->av[i], q->av[j]);
    st_mat3_add_scaled(m, m, term, (1 - h) * c2);
    for (int n = 0; n < 9; n += 4) m[n] += h * c2 * st_vec3_dot(q->av[i], q->av[j]);
}

// f_j = -3 (λ + μ) (J - 1)³ ∂area/∂x_j
static void resist(st_triangle_springs *force, st_spring_triangle *t, const st_real *x, st_real *f,
                   st_edge_matrix *tangent) {
    squeezed q;
    if (!is_squeezed(force, t, x, &q)) return;

    const st_real push = 3 * (force->lambda + force->mu) * q.j1 * q.j1 * q.j1;
    st_real lengths[3];

    // -3 (λ + μ) (J - 1)³ ∂area/∂x_j
    for (int j = 0; j < 3; j++) {
        st_vec3_add_scaled(f + 3 * (size_t)t->v[j], f + 3 * (size_t)t->v[j], q.av[j], -push);
        lengths[j] = force->edges.data[t->edge[j]].length * force->edges.data[t->edge[j]].length;
    }

    for (int k = 0; k < 3; k++) add_squeezed_tangent(force, t, &q, k, lengths, tangent[k].m);
}

// ---------------------------------------------------------------------------------------------------
// Hooks
// ---------------------------------------------------------------------------------------------------

static bool triangle_springs_in_range(const st_spring_triangle *t, size_t size) {
    return t->v[0] < size && t->v[1] < size && t->v[2] < size;
}

static void triangle_springs_add_force(st_force *base, const st_params *params) {
    st_triangle_springs *force = (st_triangle_springs *)base;
    if (!base->state || !st_is_valid(&base->object)) return;

    const st_real *x = st_x(base->state, params);
    st_real *f = st_f(base->state, params);

    force->doubled = force->quadratic && st_compat_on(base->object.scene, ST_COMPAT_QUADRATIC_SPRINGS_TANGENT);

    // springs along the edges
    add_edge_forces(force, params);

    // springs between the edges of each triangle, and the tangent of both
    for (size_t i = 0; i < force->triangles.count; i++) {
        st_spring_triangle *t = &force->triangles.data[i];
        st_edge_matrix *tangent = &force->tangent.data[3 * i];
        if (!triangle_springs_in_range(t, base->state->size)) continue;

        if (force->angular) add_angular_forces(force, t, x, f);
        for (int k = 0; k < 3; k++) {
            tangent[k].a = t->v[(k + 1) % 3];
            tangent[k].b = t->v[(k + 2) % 3];
            edge_tangent(force, t, k, x, tangent[k].m);
        }

        if (force->compressible && force->angular) resist(force, t, x, f, tangent);
    }
}

static void triangle_springs_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    if (base->state) st_edge_matrices_blocks(&((st_triangle_springs *)base)->tangent, base->state, k);
}

static void triangle_springs_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    if (base->state)
        st_edge_matrices_apply(&((st_triangle_springs *)base)->tangent, base->state->size, st_dx(base->state, params),
                               NULL, k, st_df(base->state, params));
}

static void triangle_springs_destroy(st_object *object) {
    st_triangle_springs *force = (st_triangle_springs *)object;
    st_list_free(&force->edges);
    st_list_free(&force->triangles);
    st_list_free(&force->tangent);
}

static const st_force_ops force_ops = {.add_force = triangle_springs_add_force,
                                       .stiffness = triangle_springs_stiffness,
                                       .product = triangle_springs_product};

const st_class st_triangle_springs_class = {
    .name = "TriangularSprings",
    .help = "what membranes made of springs share",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_triangle_springs),
    .flags = ST_CLASS_ABSTRACT,
    .init = triangle_springs_init,
    .destroy = triangle_springs_destroy,
    .force = &force_ops,
};
