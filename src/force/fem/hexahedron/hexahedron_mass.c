// Hexahedra that have mass. See hexahedron_mass.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/hexahedron/hexahedron_mass.h"

#include "base/array.h"
#include "force/fem/generic/shape.h"
#include "mass/point_masses.h"
#include "scene/compat.h"
#include "scene/scene.h"

static const st_hexahedron_mass *self_of(const st_mass *mass) { return (const st_hexahedron_mass *)mass; }
static const st_element_mesh *mesh_of(const st_hexahedron_mass *self) { return &self->fem.model.mesh; }

// Elements may have been taken away by a failure, and the state may have shrunk.
static bool hexahedron_mass_is_usable(const st_hexahedron_mass *self) {
    const st_element_mesh *mesh = mesh_of(self);
    return mesh->count && self->scale && self->fem.elastic.force.state->size >= mesh->points;
}

// ---------------------------------------------------------------------------------------------------
// Masses
// ---------------------------------------------------------------------------------------------------

void st_hexahedron_mass_consistent(st_real pattern[ST_MASS_PATTERN]) {
    for (int p = 0; p < ST_MASS_PATTERN; p++) {
        const st_real *a = st_cube_corners[p / 8 % 8], *b = st_cube_corners[p % 8];

        // half as much for each axis along which the corners differ
        st_real value = ST_R(8.0) / 216;
        for (int k = 0; k < 3; k++)
            if (a[k] != b[k]) value /= 2;
        pattern[p] = value;
    }
}

void st_hexahedron_mass_pattern(const st_scene *scene, st_real pattern[ST_MASS_PATTERN]) {
    st_hexahedron_mass_consistent(pattern);
    if (!st_compat_on(scene, ST_COMPAT_HEXAHEDRON_MASS)) return;
    for (int p = 0; p < ST_MASS_PATTERN; p++) pattern[p] = ST_R(8.0) / 27;
}

static const st_real *pattern_of(const st_hexahedron_mass *self, size_t e) {
    return self->pattern + (self->pattern_each ? e * ST_MASS_PATTERN : 0);
}

void st_hexahedron_mass_free(st_hexahedron_mass *self) {
    st_free(self->scale);
    st_free(self->pattern);
    st_list_free(&self->weight);
    st_list_free(&self->lumped);
    self->scale = self->pattern = NULL;
}

static void set_masses(st_hexahedron_mass *self, const st_real *rest) {
    const st_element_mesh *mesh = mesh_of(self);
    for (size_t e = 0; e < mesh->count; e++) {
        uint32_t corners[ST_ELEMENT_CORNERS];
        st_real nodes[24];
        st_element_nodes(mesh, e, corners);
        st_hexahedron_fem_nodes(&self->fem, e, rest, nodes);

        // m = ρ V; a cell of a sparse grid has the part that is filled
        st_real m = self->density * st_hexahedron_box_volume(nodes);
        if (e < self->mass_part.count) m *= self->mass_part.data[e];
        self->scale[e] = m;
        for (int i = 0; i < 8; i++) self->weight.data[corners[i]] += m / 8;
    }
}

st_status st_hexahedron_mass_build(st_hexahedron_mass *self, const st_real *rest) {
    st_object *object = &self->fem.elastic.force.object;
    const st_element_mesh *mesh = mesh_of(self);
    if (!(self->density >= 0 && self->density <= ST_REAL_MAX)) {
        st_message(object, ST_WARNING, "density is %g: it must not be negative; 1 is used", (double)self->density);
        self->density = 1;
    }

    // room for the masses
    st_hexahedron_mass_free(self);
    self->pattern_each = false;
    self->scale = st_alloc(mesh->count ? mesh->count : 1, sizeof *self->scale);
    self->pattern = st_alloc(ST_MASS_PATTERN, sizeof *self->pattern);
    if (!self->scale || !self->pattern || !st_list_set_count(&self->weight, mesh->points, 1))
        return st_invalid(object, "out of memory for the masses of %zu hexahedra", mesh->count);
    if (mesh->points) memset(self->weight.data, 0, mesh->points * sizeof *self->weight.data);

    // M_e = m_e P with one pattern for all; then the sums of its rows
    st_hexahedron_mass_pattern(object->scene, self->pattern);
    set_masses(self, rest);
    if (!st_hexahedron_mass_lump(self, false)) return st_invalid(object, "out of memory for %zu masses", mesh->points);
    return ST_OK;
}

bool st_hexahedron_mass_lump(st_hexahedron_mass *self, bool absolute) {
    const st_element_mesh *mesh = mesh_of(self);
    if (!st_list_set_count(&self->lumped, mesh->points, 3)) return false;
    if (mesh->points) memset(self->lumped.data, 0, 3 * mesh->points * sizeof *self->lumped.data);

    // m_e Σ_j P[a][i][j] at corner i
    for (size_t e = 0; e < mesh->count; e++) {
        uint32_t corners[ST_ELEMENT_CORNERS];
        const st_real *pattern = pattern_of(self, e);
        st_element_nodes(mesh, e, corners);
        for (int a = 0; a < 3; a++)
            for (int i = 0; i < 8; i++) {
                st_real sum = 0;
                for (int j = 0; j < 8; j++) sum += pattern[64 * a + 8 * i + j];
                self->lumped.data[3 * (size_t)corners[i] + (size_t)a] += self->scale[e] * sum;
            }
    }

    // sums of condensed patterns can be negative
    for (size_t i = 0; i < 3 * mesh->points && absolute; i++) self->lumped.data[i] = fabs(self->lumped.data[i]);
    return true;
}

void st_hexahedron_mass_destroy(st_object *object) {
    st_hexahedron_mass *self = (st_hexahedron_mass *)object;
    st_list_free(&self->mass_part);
    st_hexahedron_mass_free(self);
    st_hexahedron_fem_class.destroy(object);
}

// ---------------------------------------------------------------------------------------------------
// Weight
// ---------------------------------------------------------------------------------------------------

static st_point_masses hexahedron_mass_points_of(const st_hexahedron_mass *self) {
    return (st_point_masses){self->weight.data, self->weight.count, 1, 1};
}

static void hexahedron_mass_add_force(st_force *force, const st_params *params) {
    const st_hexahedron_mass *self = (const st_hexahedron_mass *)force;
    st_hexahedron_fem_add_force(force, params);
    const st_point_masses points = hexahedron_mass_points_of(self);
    if (hexahedron_mass_is_usable(self)) st_point_masses_weigh(&points, &self->fem.elastic.mass, params);
}

static st_real hexahedron_mass_potential(st_force *force, const st_params *params) {
    const st_hexahedron_mass *self = (const st_hexahedron_mass *)force;
    if (!hexahedron_mass_is_usable(self)) return 0;
    const st_point_masses points = hexahedron_mass_points_of(self);
    return st_hexahedron_fem_potential(force, params) +
           st_point_masses_potential(&points, &self->fem.elastic.mass, params);
}

const st_force_ops st_hexahedron_mass_force_ops = {
    .add_force = hexahedron_mass_add_force,
    .stiffness = st_hexahedron_fem_stiffness,
    .product = st_hexahedron_fem_product,
    .potential = hexahedron_mass_potential,
    .rotations = st_hexahedron_fem_rotations,
};

// ---------------------------------------------------------------------------------------------------
// Inertia
// ---------------------------------------------------------------------------------------------------

static bool hexahedron_mass_is_diagonal(const st_mass *mass) { return self_of(mass)->lumped_mass; }

typedef struct product_call {
    const st_hexahedron_mass *self;
    const st_real *x;
    st_real factor;
} product_call;

// Row i of the element's mass times the vector, then the factor; four elements side by side.
static void product_kernel(void *context, size_t begin, size_t end, st_real *results) {
    const product_call *call = context;
    const st_hexahedron_mass *self = call->self;
    const st_element_mesh *mesh = mesh_of(self);
    const st_pack factor = st_pack_splat(call->factor);
    for (size_t p = begin; p < end; p++) {
        const st_real *pattern[ST_PACK_SIZE];
        st_real scale[ST_PACK_SIZE];
        st_pack x[24];

        // masses and patterns of the four, their corners of the vector
        for (size_t lane = 0; lane < ST_PACK_SIZE; lane++) {
            const size_t e = p * ST_PACK_SIZE + lane < mesh->count ? p * ST_PACK_SIZE + lane : mesh->count - 1;
            pattern[lane] = pattern_of(self, e);
            scale[lane] = self->scale[e];
        }
        for (int i = 0; i < 8; i++)
            st_pack3_gather(x + 3 * i, call->x, mesh->nodes + (p * 8 + (size_t)i) * ST_PACK_SIZE);
        const st_pack m = st_pack_load(scale);

        // factor Σ_j m P[a][i][j] x_j
        for (int i = 0; i < 8; i++)
            for (int a = 0; a < 3; a++, results += ST_PACK_SIZE) {
                st_pack sum = st_pack_splat(0);
                for (int j = 0; j < 8; j++) {
                    const int at = 64 * a + 8 * i + j;
                    sum +=
                        m * st_pack_set(pattern[0][at], pattern[1][at], pattern[2][at], pattern[3][at]) * x[3 * j + a];
                }
                st_pack_store(results, factor * sum);
            }
    }
}

static void hexahedron_mass_add_product(st_hexahedron_mass *self, st_real factor, const st_real *x, st_real *f) {
    if (self->lumped_mass) {
        for (size_t i = 0; i < 3 * self->lumped.count; i++) f[i] += factor * self->lumped.data[i] * x[i];
        return;
    }

    product_call call = {.self = self, .x = x, .factor = factor};
    st_element_loop(self->fem.elastic.force.object.scene->pool, &self->fem.model.mesh, product_kernel, &call, f);
}

static void hexahedron_mass_product(st_mass *mass, const st_params *params, st_real factor) {
    st_hexahedron_mass *self = (st_hexahedron_mass *)mass;
    const st_state *state = mass->force.state;
    if (hexahedron_mass_is_usable(self))
        hexahedron_mass_add_product(self, factor, st_dx(state, params), st_df(state, params));
}

static void lumped_matrix(const st_hexahedron_mass *self, st_sink *sink) {
    for (size_t n = 0; n < self->lumped.count; n++) {
        const st_real *m = self->lumped.data + 3 * n;
        st_add_3x3(sink, 3 * n, 3 * n, (const st_real[9]){m[0], 0, 0, 0, m[1], 0, 0, 0, m[2]});
    }
}

static void element_matrix(const st_hexahedron_mass *self, size_t e, st_sink *sink) {
    uint32_t corners[ST_ELEMENT_CORNERS];
    st_real m[576] = {0};
    const st_real *pattern = pattern_of(self, e), scale = self->scale[e];
    st_element_nodes(mesh_of(self), e, corners);

    // the axes do not mix
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) m[24 * (3 * i + a) + 3 * j + a] = scale * pattern[64 * a + 8 * i + j];

    st_add_element(sink, 8, corners, 3, m);
}

static void hexahedron_mass_matrix(st_mass *mass, st_inertia inertia) {
    const st_hexahedron_mass *self = self_of(mass);
    if (!hexahedron_mass_is_usable(self)) return;

    st_sink *sink = st_inertia_of(inertia, mass->force.state);
    if (self->lumped_mass) lumped_matrix(self, sink);
    else
        for (size_t e = 0; e < mesh_of(self)->count; e++) element_matrix(self, e, sink);
}

// Only lumped masses can be divided by.
static void hexahedron_mass_acceleration(st_mass *mass, st_deriv_id a, st_const_deriv_id f) {
    const st_hexahedron_mass *self = self_of(mass);
    const st_state *state = mass->force.state;
    if (!hexahedron_mass_is_usable(self)) return;

    st_real *result = st_dx_of(state, a);
    const st_real *force = st_force_of(state, (st_deriv_id){f.index});

    for (size_t i = 0; i < 3 * self->lumped.count; i++)
        if (self->lumped.data[i] > 0) result[i] = force[i] / self->lumped.data[i];
}

static st_real kinetic_of(const st_hexahedron_mass *self, size_t e, const st_real *v) {
    const st_real *pattern = pattern_of(self, e);
    st_real nodes[24], sum = 0;
    st_hexahedron_fem_nodes(&self->fem, e, v, nodes);

    // Σ_ij P[a][i][j] v_i v_j
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) sum += pattern[64 * a + 8 * i + j] * nodes[3 * i + a] * nodes[3 * j + a];

    return self->scale[e] * sum;
}

static st_real hexahedron_mass_kinetic(st_mass *mass, const st_params *params) {
    const st_hexahedron_mass *self = self_of(mass);
    if (!hexahedron_mass_is_usable(self)) return 0;

    // Σ 1/2 vᵀ M v
    const st_real *v = st_v(mass->force.state, params);
    st_real energy = 0;
    if (self->lumped_mass)
        for (size_t i = 0; i < 3 * self->lumped.count; i++) energy += self->lumped.data[i] * v[i] * v[i];
    else
        for (size_t e = 0; e < mesh_of(self)->count; e++) energy += kinetic_of(self, e, v);
    return energy / 2;
}

static st_real hexahedron_mass_element_mass(const st_mass *mass, size_t index) {
    const st_hexahedron_mass *self = self_of(mass);
    return index < self->weight.count ? self->weight.data[index] : 0;
}

const st_mass_ops st_hexahedron_mass_ops = {
    .is_diagonal = hexahedron_mass_is_diagonal,
    .matrix = hexahedron_mass_matrix,
    .product = hexahedron_mass_product,
    .acceleration = hexahedron_mass_acceleration,
    .kinetic = hexahedron_mass_kinetic,
    .element_mass = hexahedron_mass_element_mass,
};
