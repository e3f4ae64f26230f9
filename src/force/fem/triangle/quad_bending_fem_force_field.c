// QuadBendingFEMForceField: flat quads near the x-y plane, stretched in x and y and sheared across in z. No rotation.
//
//     d---c     half edges  l = |b - a|/2,  h = |d - a|/2  of the quad as it is now, seen as a rectangle
//     |   |     corner i at (m, n) = (-1,-1), (1,-1), (1,1), (-1,1)
//     a---b     d_i = (X_i - (X_a + X_c)/2) - (x_i - (x_a + x_c)/2),  rest minus current
//
// With the elasticity matrix C of plane stress times the thickness t, and S = 5/6 E t / (2 + 2ν), the integrals of the
// bilinear shape functions over 2 × 2 Gauss points (in the plane), over the middle (across), are in closed form
//
//     K_xx(i,j) = C00 (h/l) m_i m_j (3 + n_i n_j)/12 + C22 (l/h) n_i n_j (3 + m_i m_j)/12
//     K_xy(i,j) = (C01 m_i n_j + C22 n_i m_j)/4
//     K_yy(i,j) = C00 (l/h) n_i n_j (3 + m_i m_j)/12 + C22 (h/l) m_i m_j (3 + n_i n_j)/12
//     K_zz(i,j) = S/4 ((h/l) m_i m_j + (l/h) n_i n_j)
//
// so f = K d needs only three sums of each component: Σ m d, Σ n d, Σ m n d. Rotations of the corners are no DOFs and
// taken as 0: bending enters through the shear alone. The derivative holds l and h fixed.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/fem/common/element_mesh.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "settee/plugin/draw.h"
#include "settee/plugin/physics.h"
#include "topology/topology.h"

enum { C00, C01, C22, SHEAR, MATERIAL };

typedef struct quad_bending {
    st_force force;
    st_reals young, poisson;
    st_real thickness;
    char *method;
    st_object *topology;

    st_element_mesh mesh;
    st_pack (*rest)[12];           // X_i - (X_a + X_c)/2
    st_pack (*material)[MATERIAL]; //
    st_pack (*ratio)[2];           // h/l, l/h of the last force
} quad_bending;

// What a loop works on.
typedef struct quad_call {
    quad_bending *self;
    const st_real *x;       // positions, for a product dx
    const st_real *lengths; // positions that give l and h
    st_real factor;         // of a product
    bool degenerate;        // a quad without extent was met: it has no force
} quad_call;

static const st_real side[2][4] = {{-1, 1, 1, -1}, {-1, -1, 1, 1}}; // m and n of the corners

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_real value_of(const st_reals *list, size_t e, st_real otherwise) {
    if (list->count == 0) return otherwise;
    return list->data[e < list->count ? e : 0];
}

// False when the material has no positive and finite stiffness: then it has none.
static bool set_quad(quad_bending *self, size_t lane) {
    const size_t e = lane < self->mesh.count ? lane : self->mesh.count - 1;
    const st_real *rest = self->force.state->coord[ST_COORD_REST].data;

    // C00, C01, C22 and S
    const st_real young = value_of(&self->young, e, 1000), nu = value_of(&self->poisson, e, ST_R(0.45));
    const st_real scale = young * self->thickness / (1 - nu * nu);
    st_real m[MATERIAL] = {scale, nu * scale, young * self->thickness * (1 - nu) / (2 - 2 * nu * nu),
                           ST_R(5.0) / 6 * young * self->thickness / (2 + 2 * nu)};

    // X_i - (X_a + X_c)/2
    st_real offset[12];
    uint32_t nodes[4];
    st_element_nodes(&self->mesh, lane, nodes);
    const st_real *a = rest + 3 * (size_t)nodes[0], *c = rest + 3 * (size_t)nodes[2];
    for (int i = 0; i < 12; i++)
        offset[i] = rest[3 * (size_t)nodes[i / 3] + (size_t)(i % 3)] - (a[i % 3] + c[i % 3]) / 2;

    const bool usable = young >= 0 && fabs(nu) < 1 && isfinite(m[C00]) && isfinite(m[C22]) && isfinite(m[SHEAR]);
    if (!usable) memset(m, 0, sizeof m);
    st_pack_put(self->rest[0], 12, lane, offset);
    st_pack_put(self->material[0], MATERIAL, lane, m);
    return usable;
}

static void free_model(quad_bending *self) {
    st_free(self->rest);
    st_free(self->material);
    st_free(self->ratio);
    self->rest = NULL;
    self->material = NULL;
    self->ratio = NULL;
    st_element_mesh_free(&self->mesh);
}

static st_status make_model(quad_bending *self, const st_uints *quads) {
    st_object *object = &self->force.object;
    const size_t points = self->force.state->coord[ST_COORD_REST].count;
    size_t wrong = 0;
    free_model(self);

    // the quads must be within the state
    const st_status status =
        st_element_mesh_make(&self->mesh, object->scene->pool, quads->data, quads->count, 4, points, 3, &wrong);
    if (status == ST_INVALID)
        return st_invalid(object, "quad %zu of %zu has a vertex beyond the %zu DOFs of the state", wrong, quads->count,
                          points);
    if (status == ST_OK && quads->count == 0) return ST_OK;

    if (status == ST_OK) {
        self->rest = (void *)st_packs_create(&self->mesh, 12);
        self->material = (void *)st_packs_create(&self->mesh, MATERIAL);
        self->ratio = (void *)st_packs_create(&self->mesh, 2);
    }
    if (self->rest && self->material && self->ratio) return ST_OK;

    free_model(self);
    return st_invalid(object, "out of memory for %zu quads", quads->count);
}

static st_status quad_bending_fem_reinit(st_object *object) {
    quad_bending *self = (quad_bending *)object;
    st_topology *topology = st_context_topology(object->node, self->topology);
    if (!topology) return st_invalid(object, "there is no mesh in its node or above: it has no elements");

    const st_uints *quads = st_topology_elements(topology, ST_QUAD);
    if (quads->count == 0) st_message(object, ST_WARNING, "the mesh has no quads: there is no force");
    const st_status status = make_model(self, quads);
    if (status != ST_OK) return status;

    // rest shape and material; lanes beyond the last quad repeat it
    size_t wrong = 0;
    for (size_t lane = 0; lane < self->mesh.packs * ST_PACK_SIZE; lane++)
        if (!set_quad(self, lane) && lane < self->mesh.count) wrong++;
    if (wrong)
        st_message(object, ST_WARNING,
                   "%zu of %zu quads have a material without a positive, finite stiffness: there is no force from them "
                   "(youngModulus must not be negative, poissonRatio between -1 and 1)",
                   wrong, self->mesh.count);
    return ST_OK;
}

static st_status quad_bending_fem_init(st_object *object) {
    const st_status status = st_force_class.init(object);
    return status == ST_OK ? quad_bending_fem_reinit(object) : status;
}

static void quad_bending_fem_destroy(st_object *object) { free_model((quad_bending *)object); }

// ---------------------------------------------------------------------------------------------------
// Loops over packs
// ---------------------------------------------------------------------------------------------------

ST_PACK_INLINE void gather_corners(st_pack x[12], const quad_bending *self, const st_real *from, size_t p) {
    const uint32_t *nodes = self->mesh.nodes + p * ST_PACK_SIZE * 4;
    for (int i = 0; i < 4; i++) st_pack3_gather(x + 3 * i, from, nodes + ST_PACK_SIZE * i);
}

ST_PACK_INLINE st_pack half_length(const st_pack a[3], const st_pack b[3]) {
    st_pack edge[3];
    st_pack3_sub(edge, b, a);
    return st_pack_sqrt(st_pack3_dot(edge, edge)) / st_pack_splat(2);
}

// h/l and l/h; both 0, which is no stiffness, where an edge has no length.
ST_PACK_INLINE void find_ratio(st_pack ratio[2], quad_call *call, size_t p) {
    const st_pack zero = st_pack_splat(0);
    st_pack x[12];
    gather_corners(x, call->self, call->lengths, p);
    const st_pack l = half_length(x, x + 3), h = half_length(x, x + 9);
    const st_pack_mask good = (st_pack_mask)(l > zero) & (st_pack_mask)(h > zero);
    ratio[0] = st_pack_select(good, h / l, zero);
    ratio[1] = st_pack_select(good, l / h, zero);

    // Several threads may find such a quad: all write the same.
    if (!st_pack_all(good)) __atomic_store_n(&call->degenerate, true, __ATOMIC_RELAXED);
}

// f = K d
ST_PACK_INLINE void quad_bending_fem_multiply(st_pack f[12], const st_pack c[MATERIAL], const st_pack ratio[2],
                                              const st_pack d[12]) {
    const st_pack quarter = st_pack_splat(ST_R(0.25)), twelfth = st_pack_splat(ST_R(1.0) / 12);
    st_pack along[3], up[3], twist[3];

    // Σ m d, Σ n d, Σ m n d
    for (int k = 0; k < 3; k++) {
        along[k] = (d[3 + k] - d[k]) + (d[6 + k] - d[9 + k]);
        up[k] = (d[9 + k] - d[k]) + (d[6 + k] - d[3 + k]);
        twist[k] = (d[k] - d[3 + k]) + (d[6 + k] - d[9 + k]);
    }

    // What goes with m_i, n_i and m_i n_i in the force on corner i.
    const st_pack p = ratio[0], q = ratio[1];
    const st_pack xm = (c[C00] * p * along[0] + c[C01] * up[1]) * quarter;
    const st_pack xn = (c[C22] * q * up[0] + c[C22] * along[1]) * quarter;
    const st_pack xt = (c[C00] * p + c[C22] * q) * twist[0] * twelfth;
    const st_pack ym = (c[C22] * p * along[1] + c[C22] * up[0]) * quarter;
    const st_pack yn = (c[C00] * q * up[1] + c[C01] * along[0]) * quarter;
    const st_pack yt = (c[C00] * q + c[C22] * p) * twist[1] * twelfth;
    const st_pack zm = c[SHEAR] * p * along[2] * quarter, zn = c[SHEAR] * q * up[2] * quarter;

    for (int i = 0; i < 4; i++) {
        const st_pack m = st_pack_splat(side[0][i]), n = st_pack_splat(side[1][i]);
        f[3 * i] = m * xm + n * xn + m * n * xt;
        f[3 * i + 1] = m * ym + n * yn + m * n * yt;
        f[3 * i + 2] = m * zm + n * zn;
    }
}

ST_PACK_INLINE void quad_bending_fem_displacement(st_pack d[12], const quad_call *call, size_t p) {
    const st_pack two = st_pack_splat(2);
    st_pack x[12];
    gather_corners(x, call->self, call->x, p);
    for (int i = 0; i < 12; i++) d[i] = call->self->rest[p][i] - (x[i] - (x[i % 3] + x[6 + i % 3]) / two);
}

static void force_loop(void *context, size_t begin, size_t end, st_real *results) {
    quad_call *call = context;
    quad_bending *self = call->self;
    for (size_t p = begin; p < end; p++) {
        st_pack d[12], f[12];

        // l and h as they are now, then K d
        find_ratio(self->ratio[p], call, p);
        quad_bending_fem_displacement(d, call, p);
        quad_bending_fem_multiply(f, self->material[p], self->ratio[p], d);

        for (int k = 0; k < 12; k++, results += ST_PACK_SIZE) st_pack_store(results, f[k]);
    }
}

static void product_loop(void *context, size_t begin, size_t end, st_real *results) {
    const quad_call *call = context;
    const quad_bending *self = call->self;
    const st_pack factor = st_pack_splat(-call->factor);
    for (size_t p = begin; p < end; p++) {
        st_pack d[12], f[12];
        gather_corners(d, self, call->x, p);
        quad_bending_fem_multiply(f, self->material[p], self->ratio[p], d);

        for (int k = 0; k < 12; k++, results += ST_PACK_SIZE) st_pack_store(results, f[k] * factor);
    }
}

// ---------------------------------------------------------------------------------------------------
// Force and derivative
// ---------------------------------------------------------------------------------------------------

static bool quad_bending_fem_is_ready(const quad_bending *self) {
    return self->mesh.count && self->force.state && self->force.state->size >= self->mesh.points;
}

// The lengths are those of the state's own positions, also where the force is asked for elsewhere.
static void quad_bending_fem_add_force(st_force *force, const st_params *params) {
    quad_bending *self = (quad_bending *)force;
    if (!quad_bending_fem_is_ready(self)) return;

    quad_call call = {
        .self = self, .x = st_x(force->state, params), .lengths = force->state->coord[ST_COORD_POSITION].data};
    st_element_loop(force->object.scene->pool, &self->mesh, force_loop, &call, st_f(force->state, params));
    if (call.degenerate)
        st_message_once(&force->object, "degenerate", ST_ERROR,
                        "a quad has an edge without length: there is no force from it");
}

static void quad_bending_fem_product(st_force *force, const st_params *params, st_real k, st_real b) {
    (void)b; // no damping
    quad_bending *self = (quad_bending *)force;
    if (!quad_bending_fem_is_ready(self)) return;

    quad_call call = {.self = self, .x = st_dx(force->state, params), .factor = k};
    st_element_loop(force->object.scene->pool, &self->mesh, product_loop, &call, st_df(force->state, params));
}

static void quad_block(st_real block[9], const st_real c[MATERIAL], const st_real ratio[2], int i, int j) {
    const st_real p = ratio[0], q = ratio[1], mi = side[0][i], mj = side[0][j], ni = side[1][i], nj = side[1][j];
    const st_real mm = mi * mj * (3 + ni * nj) / 12, nn = ni * nj * (3 + mi * mj) / 12;

    // -∫ Bᵢᵀ C Bⱼ over the rectangle: in the plane 2 × 2, across it the shear alone
    memset(block, 0, 9 * sizeof *block);
    block[0] = -(c[C00] * p * mm + c[C22] * q * nn);
    block[1] = -(c[C01] * mi * nj + c[C22] * ni * mj) / 4;
    block[3] = -(c[C01] * ni * mj + c[C22] * mi * nj) / 4;
    block[4] = -(c[C00] * q * nn + c[C22] * p * mm);
    block[8] = -c[SHEAR] * (p * mi * mj + q * ni * nj) / 4;
}

static void quad_bending_fem_stiffness(st_force *force, const st_params *params, st_stiffness to) {
    (void)params;
    const quad_bending *self = (const quad_bending *)force;
    if (!quad_bending_fem_is_ready(self)) return;

    // -K(i,j) of all pairs of corners
    st_sink *sink = st_stiffness_between(to, force->state, force->state);
    for (size_t e = 0; e < self->mesh.count; e++) {
        st_real material[MATERIAL], ratio[2], block[9];
        uint32_t nodes[4];
        st_element_nodes(&self->mesh, e, nodes);
        st_pack_take(self->material[0], MATERIAL, e, material);
        st_pack_take(self->ratio[0], 2, e, ratio);

        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                quad_block(block, material, ratio, i, j);
                st_add_3x3(sink, 3 * (size_t)nodes[i], 3 * (size_t)nodes[j], block);
            }
    }
}

// Σ 1/2 dᵀ K d
static st_real quad_bending_fem_potential(st_force *force, const st_params *params) {
    quad_bending *self = (quad_bending *)force;
    if (!quad_bending_fem_is_ready(self)) return 0;

    quad_call call = {
        .self = self, .x = st_x(force->state, params), .lengths = force->state->coord[ST_COORD_POSITION].data};
    st_real energy = 0;
    for (size_t p = 0; p < self->mesh.packs; p++) {
        st_pack d[12], f[12], ratio[2], sum = st_pack_splat(0);

        // f = K d, then d·f / 2
        find_ratio(ratio, &call, p);
        quad_bending_fem_displacement(d, &call, p);
        quad_bending_fem_multiply(f, self->material[p], ratio, d);
        for (int k = 0; k < 12; k++) sum += d[k] * f[k];
        for (size_t lane = 0; lane < ST_PACK_SIZE && p * ST_PACK_SIZE + lane < self->mesh.count; lane++)
            energy += sum[lane] / 2;
    }
    return energy;
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

static void quad_bending_fem_draw(st_object *object, st_canvas *canvas) {
    const quad_bending *self = (const quad_bending *)object;
    for (size_t e = 0; quad_bending_fem_is_ready(self) && e < self->mesh.count; e++) {
        uint32_t n[4];
        st_element_nodes(&self->mesh, e, n);

        const uint32_t corners[6] = {n[0], n[1], n[2], n[0], n[2], n[3]};
        canvas->triangles(canvas, 2, corners, self->force.state->coord[ST_COORD_POSITION].data, self->force.state->size,
                          3, (st_rgba){0, 0.6f, 0.8f, 1});
    }
}

static const st_field fields[] = {
    ST_FIELD(quad_bending, young, "youngModulus", st_type_reals, "1000",
             "Young's modulus: one value, or one for each quad", .flags = ST_FIELD_REINIT),
    ST_FIELD(quad_bending, poisson, "poissonRatio", st_type_reals, "0.45",
             "Poisson's ratio: one value, or one for each quad", .flags = ST_FIELD_REINIT),
    ST_FIELD(quad_bending, thickness, "thickness", st_type_real, "1", "thickness of the plate",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(quad_bending, method, "method", st_type_string, "small", "always small", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(quad_bending, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

static const st_force_ops force_ops = {
    .add_force = quad_bending_fem_add_force,
    .stiffness = quad_bending_fem_stiffness,
    .product = quad_bending_fem_product,
    .potential = quad_bending_fem_potential,
};

const st_class st_quad_bending_fem_force_field_class = {
    .name = "QuadBendingFEMForceField",
    .help = "flat quads near the x-y plane that resist stretching and shearing across",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(quad_bending),
    .example = "<MeshTopology quads=\"0 1 4 3  1 2 5 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0  0 1 0  1 1 0  2 1 0\"/>\n"
               "<QuadBendingFEMForceField youngModulus=\"1000\" poissonRatio=\"0.3\" thickness=\"0.1\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = quad_bending_fem_init,
    .reinit = quad_bending_fem_reinit,
    .destroy = quad_bending_fem_destroy,
    .draw = quad_bending_fem_draw,
    .force = &force_ops,
};
