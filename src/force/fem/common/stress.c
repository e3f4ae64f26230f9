// Stress and strain of elements: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/common/stress.h"

#include <tgmath.h>

#include "base/array.h"
#include "force/fem/common/elastic.h"
#include "force/fem/generic/generic.h"
#include "force/fem/generic/shape.h"
#include "force/fem/hexahedron/hexahedron_fem.h"
#include "force/fem/tetrahedron/hyperelastic.h"
#include "force/fem/triangle/triangle_fem.h"
#include "math/decompose.h"
#include "math/vec3.h"
#include "settee/plugin/state.h"
#include "topology/topology.h"

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

static const st_element candidates[] = {ST_TETRAHEDRON, ST_HEXAHEDRON, ST_TRIANGLE, ST_QUAD};

// The kind of element that a class works on; ST_ELEMENT_KINDS: the first of the candidates that the mesh has.
static int kind_of(const st_object *object) {
    if (st_is_a(object, &st_hyperelastic_class)) return ST_TETRAHEDRON;
    if (st_is_a(object, &st_generic_fem_class)) return (int)st_generic_fem_kind(object);
    if (st_is_a(object, &st_hexahedron_fem_class)) return ST_HEXAHEDRON;
    if (st_is_a(object, &st_triangle_fem_class)) return ST_TRIANGLE;
    return ST_ELEMENT_KINDS;
}

static bool is_in_range(const st_uints *list, size_t size, size_t points) {
    for (size_t i = 0; i < list->count * size; i++)
        if (list->data[i] >= points) return false;
    return true;
}

bool st_stress_mesh_of(const st_object *object, st_stress_value what, st_stress_mesh *mesh) {
    const bool hyperelastic = st_is_a(object, &st_hyperelastic_class), linear = st_is_a(object, &st_elastic_class);
    const st_state *state = object->type->force ? ((const st_force *)object)->state : NULL;
    if (!(linear || hyperelastic) || !state || !st_is_valid(object)) return false;
    if (hyperelastic && what == ST_STRESS_YOUNG) return false;
    if (st_state_dof(state)->spatial < 2 || st_state_dof(state)->rigid) return false;
    if (state->coord[ST_COORD_REST].count != state->size) return false;

    // its own mesh, else that of the context
    st_object *link = linear ? ((const st_elastic *)object)->topology : ((const st_hyperelastic *)object)->topology;
    st_topology *topology = st_context_topology(object->node, link);
    int kind = kind_of(object);
    for (size_t i = 0; topology && kind == ST_ELEMENT_KINDS && i < sizeof candidates / sizeof *candidates; i++)
        if (st_topology_elements(topology, candidates[i])->count) kind = (int)candidates[i];
    if (!topology || kind == ST_ELEMENT_KINDS || kind == ST_EDGE) return false;

    const st_uints *list = st_topology_elements(topology, (st_element)kind);
    *mesh = (st_stress_mesh){(st_element)kind, list->count, list->data};
    return list->count > 0 && is_in_range(list, st_element_size[kind], state->size);
}

// ---------------------------------------------------------------------------------------------------
// The deformation gradient
// ---------------------------------------------------------------------------------------------------

static void center_of(st_element kind, st_real q[3]) {
    static const st_real centers[ST_ELEMENT_KINDS][3] = {
        [ST_TRIANGLE] = {ST_R(1.0) / 3, ST_R(1.0) / 3, 0},
        [ST_TETRAHEDRON] = {ST_R(0.25), ST_R(0.25), ST_R(0.25)},
        [ST_PRISM] = {ST_R(1.0) / 3, ST_R(1.0) / 3, ST_R(0.5)},
        [ST_PYRAMID] = {0, 0, ST_R(-0.5)},
    };
    st_vec3_copy(q, centers[kind]);
}

// Columns ∂x/∂q of the element at its center: rows of m are x, y, z.
static void tangents(const st_state *state, int vector, st_element kind, const uint32_t *v, st_real m[9]) {
    const st_dof *dof = st_state_dof(state);
    st_real q[3], g[ST_SHAPE_NODES][3];
    center_of(kind, q);
    st_shape_gradients(kind, q, g);

    st_mat3_zero(m);
    for (size_t i = 0; i < st_element_size[kind]; i++)
        for (size_t r = 0; r < dof->spatial && r < 3; r++)
            for (size_t c = 0; c < st_shape_dimension(kind); c++)
                m[3 * r + c] += state->coord[vector].data[v[i] * dof->coord + r] * g[i][c];
}

// The third tangent of a surface is its normal, of length 1: F then has no stretch across it.
static bool complete(st_real m[9]) {
    const st_real a[3] = {m[0], m[3], m[6]}, b[3] = {m[1], m[4], m[7]};
    st_real n[3];
    st_vec3_cross(n, a, b);
    if (!st_vec3_normalize(n, n)) return false;
    for (int r = 0; r < 3; r++) m[3 * r + 2] = n[r];
    return true;
}

static bool gradient(const st_state *state, st_element kind, const uint32_t *v, st_real f[9]) {
    st_real rest[9], now[9], inverse[9];
    tangents(state, ST_COORD_REST, kind, v, rest);
    tangents(state, ST_COORD_POSITION, kind, v, now);
    if (st_shape_dimension(kind) == 2 && !(complete(rest) && complete(now))) return false;

    if (!(fabs(st_mat3_determinant(rest)) > 0) || !st_mat3_inverse_above(inverse, rest, 0)) return false;
    st_mat3_multiply(f, now, inverse);
    return isfinite(st_mat3_determinant(f)) != 0;
}

// U - 1
static void strain_of(const st_real f[9], st_real strain[9]) {
    st_real r[9], u[9];
    st_polar_stable(r, f);
    st_mat3_transpose_multiply(u, r, f);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) strain[3 * i + j] = (u[3 * i + j] + u[3 * j + i]) / 2 - (i == j);
}

// ---------------------------------------------------------------------------------------------------
// Stress
// ---------------------------------------------------------------------------------------------------

static float von_mises(const st_real s[9]) {
    const st_real direct = s[0] * s[0] + s[4] * s[4] + s[8] * s[8] - s[0] * s[4] - s[4] * s[8] - s[8] * s[0];
    const st_real shear = s[1] * s[1] + s[5] * s[5] + s[2] * s[2];
    return (float)sqrt(fmax(direct + 3 * shear, 0));
}

// Hooke's law. Across a surface there is neither strain (F has none there) nor stress; the strain is turned into the axes
// of the surface by what it has no part in, the normal, so that the trace is that of the plane.
static void hooke(st_real stress[9], const st_real strain[9], st_real young, st_real poisson, size_t dimension) {
    const st_real trace = strain[0] + strain[4] + strain[8];
    const st_lame volume = st_lame_of(young, poisson, 3);
    const st_real two_mu = 2 * volume.mu, plane = young * poisson / (1 - poisson * poisson);
    for (int i = 0; i < 9; i++) stress[i] = two_mu * strain[i];
    for (int k = 0; k < 3; k++) stress[4 * k] += (dimension == 3 ? volume.lambda : plane) * trace;
}

// Plane stress adds λ' tr(ε) along the normal, too, where it does not belong: it is taken out.
static void remove_normal(st_real stress[9], const st_real normal[3], st_real amount) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) stress[3 * i + j] -= amount * normal[i] * normal[j];
}

static float linear_value(const st_elastic *elastic, size_t e, const st_stress_mesh *mesh, const uint32_t *v,
                          const st_real f[9]) {
    const st_real young = st_elastic_young(elastic, e), poisson = st_elastic_poisson(elastic, e);
    const size_t dimension = st_shape_dimension(mesh->kind);
    st_real strain[9], stress[9];
    strain_of(f, strain);
    hooke(stress, strain, young, poisson, dimension);

    // strain is in the axes of the rest shape, and so is the normal
    if (dimension == 2) {
        st_real rest[9];
        tangents(elastic->force.state, ST_COORD_REST, mesh->kind, v, rest);
        complete(rest);
        const st_real normal[3] = {rest[2], rest[5], rest[8]};
        const st_real trace = strain[0] + strain[4] + strain[8];
        remove_normal(stress, normal, young * poisson / (1 - poisson * poisson) * trace);
    }
    return von_mises(stress);
}

static float hyperelastic_value(const st_hyperelastic *self, const st_real f[9]) {
    st_hyperelastic_point point = {.j = st_mat3_determinant(f)};
    st_real fs[9], stress[9];
    st_mat3_copy(point.f, f);
    if (!self->material || !st_hyperelastic_stress(self->material, self->parameters.data, &point)) return NAN;

    // σ = F S Fᵀ / J
    st_mat3_multiply(fs, f, point.s);
    st_mat3_multiply_transpose(stress, fs, f);
    for (int i = 0; i < 9; i++) stress[i] /= point.j;
    return von_mises(stress);
}

static float strain_value(const st_real f[9]) {
    st_real strain[9], square = 0;
    strain_of(f, strain);
    for (int i = 0; i < 9; i++) square += strain[i] * strain[i];
    return (float)sqrt(square);
}

void st_stress_of_elements(const st_object *object, const st_stress_mesh *mesh, st_stress_value what, float *values) {
    const bool hyperelastic = st_is_a(object, &st_hyperelastic_class);
    const st_state *state = ((const st_force *)object)->state;
    const size_t size = st_element_size[mesh->kind];

    for (size_t e = 0; e < mesh->count; e++) {
        const uint32_t *v = mesh->elements + e * size;
        st_real f[9];
        values[e] = NAN;
        if (what == ST_STRESS_YOUNG) values[e] = (float)st_elastic_young((const st_elastic *)object, e);
        if (what == ST_STRESS_YOUNG || !gradient(state, mesh->kind, v, f)) continue;

        if (what == ST_STRESS_STRAIN) values[e] = strain_value(f);
        else if (hyperelastic) values[e] = hyperelastic_value((const st_hyperelastic *)object, f);
        else values[e] = linear_value((const st_elastic *)object, e, mesh, v, f);
    }
}

bool st_stress_of_points(const st_stress_mesh *mesh, const float *values, size_t points, float *result) {
    const size_t size = st_element_size[mesh->kind];
    float *weight = st_alloc(points, sizeof *weight);
    if (!weight) return false;

    // sums in the order of the elements, then means
    for (size_t i = 0; i < points; i++) result[i] = 0;
    for (size_t e = 0; e < mesh->count; e++)
        for (size_t k = 0; k < size && isfinite(values[e]); k++) {
            result[mesh->elements[e * size + k]] += values[e];
            weight[mesh->elements[e * size + k]] += 1;
        }
    for (size_t i = 0; i < points; i++) result[i] = weight[i] > 0 ? result[i] / weight[i] : NAN;

    st_free(weight);
    return true;
}
