// BeamFEMForceField: Euler-Bernoulli beams with a round section, solid or hollow, between the two frames of each edge.
//
//      z                      r, ri outer and inner radius, L length at rest, G = E/(2 (1+ν)):
//      |  y                       A = π (r² - ri²),   I = π (r⁴ - ri⁴)/4 about y and z,   J = 2 I
//      | /
//      a======b --> x         k (12 × 12) in the frame of a, with the usual entries
//                                 EA/L,  12 EI/L³,  6 EI/L²,  4 EI/L,  2 EI/L,  GJ/L
//
// The beam turns with the orientation q_a of its first frame:
//     u = q_a⁻¹ (x_b - x_a) - the same at rest,   θ = rotation vector of (q_a⁻¹ q_b at rest)⁻¹ (q_a⁻¹ q_b)
//     f = -q_a k (0, 0, u, θ),     energy 1/2 (0, 0, u, θ)ᵀ k (0, 0, u, θ)
//     K = -R k Rᵀ with R the rotation of q_a, held fixed
// Its axis is the x axis of a. K is exact at rest where that axis points to b.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/fem/beam/beam_model.h"
#include "force/fem/common/elastic.h"
#include "math/quat.h"
#include "scene/scene.h"
#include "settee/plugin/change.h"
#include "settee/plugin/draw.h"

typedef struct beam_force {
    st_elastic elastic;
    st_real radius, radius_inner;
    st_uints segments;
    bool symmetric_assembly;
    bool partial;    // only some of the edges
    st_uints chosen; // edges that are beams
    st_uints ends;   // of them, two each
    st_beam_model model;
} beam_force;

static const st_beam_kernels *beam_fem_kernels(const st_pool *pool) { return ST_BEST_KERNELS(st_beam_kernels, pool); }

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// The constants of the beam along an edge. False when the edge has no length: there is no beam.
static bool set_constants(const beam_force *self, size_t e, const st_real *xa, const st_real *xb,
                          st_real k[ST_BEAM_CONSTANTS]) {
    const st_real young = st_elastic_young(&self->elastic, e), poisson = st_elastic_poisson(&self->elastic, e);

    // the section: I and A
    const st_real r2 = self->radius * self->radius, ri2 = self->radius_inner * self->radius_inner;
    const st_real inertia = ST_PI * (r2 * r2 - ri2 * ri2) / 4, area = ST_PI * (r2 - ri2);

    const st_real length = st_vec3_distance(xa, xb), l2 = length * length, l3 = l2 * length;
    k[ST_BEAM_AXIAL] = young * area / length;
    k[ST_BEAM_SHEAR] = 12 * young * inertia / l3;
    k[ST_BEAM_LEVER] = 6 * young * inertia / l2;
    k[ST_BEAM_BEND] = 4 * young * inertia / length;
    k[ST_BEAM_FAR_BEND] = 2 * young * inertia / length;
    k[ST_BEAM_TWIST] = young / (2 * (1 + poisson)) * (inertia + inertia) / length;

    return isfinite(k[ST_BEAM_AXIAL]) && isfinite(k[ST_BEAM_SHEAR]) && isfinite(k[ST_BEAM_TWIST]);
}

static bool segments_exist(const beam_force *self, size_t count) {
    for (size_t i = 0; i < self->segments.count; i++)
        if (self->segments.data[i] >= count) return false;
    return true;
}

// One mark for each edge: is it to be a beam? NULL when out of memory.
static bool *mark_edges(const beam_force *self, size_t count) {
    bool *marks = st_alloc(count ? count : 1, sizeof *marks);
    for (size_t e = 0; marks && e < count; e++) marks[e] = !self->partial;
    for (size_t i = 0; marks && self->partial && i < self->segments.count; i++) marks[self->segments.data[i]] = true;
    return marks;
}

// The edges that are beams: those of the list, if there is one, that have a length.
static bool choose_edges(beam_force *self, const st_uints *edges, const st_reals *rest, const bool *marks) {
    size_t wrong = 0, first = 0;

    // marked edges with a length
    self->chosen.count = self->ends.count = 0;
    for (size_t e = 0; e < edges->count; e++) {
        const uint32_t *ends = edges->data + 2 * e;
        st_real k[ST_BEAM_CONSTANTS];
        if (!marks[e]) continue;
        if (!set_constants(self, e, rest->data + 7 * (size_t)ends[0], rest->data + 7 * (size_t)ends[1], k)) {
            if (wrong++ == 0) first = e;
            continue;
        }
        if (!st_list_push(&self->chosen, (uint32_t)e)) return false;
    }
    if (wrong)
        st_message(&self->elastic.force.object, ST_ERROR,
                   "edge %zu has no length at rest: there is no beam (%zu of %zu edges)", first, wrong, edges->count);

    // their ends
    if (!st_list_set_count(&self->ends, self->chosen.count, 2)) return false;
    for (size_t i = 0; i < 2 * self->chosen.count; i++)
        self->ends.data[i] = edges->data[2 * (size_t)self->chosen.data[i / 2] + i % 2];
    return true;
}

static void free_model(st_beam_model *model) {
    st_element_mesh_free(&model->mesh);
    st_free(model->constants);
    st_free(model->rotation);
    model->constants = NULL;
    model->rotation = NULL;
}

static bool make_model(beam_force *self, const st_reals *rest) {
    st_beam_model *model = &self->model;
    size_t wrong;
    free_model(model);

    // six scalars at each end
    if (st_element_mesh_make(&model->mesh, self->elastic.force.object.scene->pool, self->ends.data, self->chosen.count,
                             2, rest->count, 6, &wrong) != ST_OK)
        return false;
    model->constants = (void *)st_packs_create(&model->mesh, ST_BEAM_CONSTANTS);
    model->rotation = (void *)st_packs_create(&model->mesh, 9);
    if (!model->constants || !model->rotation) return false;

    // lanes beyond the last beam repeat it
    for (size_t lane = 0; lane < model->mesh.packs * ST_PACK_SIZE; lane++) {
        const size_t i = lane < self->chosen.count ? lane : self->chosen.count - 1;
        const st_real *xa = rest->data + 7 * (size_t)self->ends.data[2 * i];
        const st_real *xb = rest->data + 7 * (size_t)self->ends.data[2 * i + 1];
        st_real k[ST_BEAM_CONSTANTS], q[4], rotation[9];

        set_constants(self, self->chosen.data[i], xa, xb, k);
        st_quat_normalize(q, xa + 3);
        st_quat_to_matrix(rotation, q);
        st_pack_put(model->constants[0], ST_BEAM_CONSTANTS, lane, k);
        st_pack_put(model->rotation[0], 9, lane, rotation);
    }
    return true;
}

static st_status check_edges(beam_force *self, const st_uints *edges, size_t points) {
    st_object *object = &self->elastic.force.object;
    for (size_t i = 0; i < 2 * edges->count; i++)
        if (edges->data[i] >= points)
            return st_invalid(object, "edge %zu of %zu has a vertex beyond the %zu DOFs of the state", i / 2,
                              edges->count, points);

    self->partial = self->segments.count > 0 || st_became_empty(object, &self->segments);
    if (self->partial && !segments_exist(self, edges->count)) {
        st_message(object, ST_WARNING, "listSegment has numbers beyond the %zu edges of the mesh: all edges are used",
                   edges->count);
        self->partial = false;
    }

    return ST_OK;
}

static st_status beam_fem_reinit(st_object *object) {
    beam_force *self = (beam_force *)object;
    free_model(&self->model);

    // the edges of the mesh, checked
    st_topology *topology = st_elastic_mesh(&self->elastic);
    if (!topology) return ST_INVALID;
    const st_uints *edges = st_topology_elements(topology, ST_EDGE);
    if (edges->count == 0) return st_invalid(object, "the mesh has no edges: there are no beams");
    if (!(self->radius_inner <= self->radius))
        st_message(object, ST_WARNING, "radiusInner is %g, more than the radius %g: the stiffness is negative",
                   (double)self->radius_inner, (double)self->radius);
    const st_reals *rest = &self->elastic.force.state->coord[ST_COORD_REST];
    const st_status status = check_edges(self, edges, rest->count);
    if (status != ST_OK) return status;

    // the beams among them
    bool *marks = mark_edges(self, edges->count);
    const bool made = marks && choose_edges(self, edges, rest, marks) && make_model(self, rest);
    st_free(marks);
    if (!made) {
        free_model(&self->model);
        return st_invalid(object, "out of memory for %zu edges", edges->count);
    }

    self->model.symmetric = self->symmetric_assembly && !self->partial;
    return ST_OK;
}

static st_status beam_fem_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? beam_fem_reinit(object) : status;
}

static void beam_fem_destroy(st_object *object) {
    beam_force *self = (beam_force *)object;
    st_list_free(&self->chosen);
    st_list_free(&self->ends);
    free_model(&self->model);
}

// ---------------------------------------------------------------------------------------------------
// One beam
// ---------------------------------------------------------------------------------------------------

// What b moved and turned by, seen from a, since rest.
static void deformation(st_real d[12], const st_real *xa, const st_real *xb, const st_real *ra, const st_real *rb) {
    st_real now[3], rest[3], turn_now[4], turn_rest[4], turn[4];
    memset(d, 0, 6 * sizeof *d);

    // u = q_a⁻¹ (x_b - x_a) - the same at rest
    st_vec3_sub(now, xb, xa);
    st_quat_inverse_rotate(now, xa + 3, now);
    st_vec3_sub(rest, rb, ra);
    st_quat_inverse_rotate(rest, ra + 3, rest);
    st_vec3_sub(d + 6, now, rest);

    // θ: the rotation vector of what q_a⁻¹ q_b has turned by since rest
    st_quat_difference(turn_rest, rb + 3, ra + 3);
    st_quat_normalize(turn_rest, turn_rest);
    st_quat_difference(turn_now, xb + 3, xa + 3);
    st_quat_normalize(turn_now, turn_now);
    st_quat_difference(turn, turn_now, turn_rest);
    st_quat_normalize(turn, turn);
    st_quat_to_rotation_vector(d + 9, turn);
}

// ---------------------------------------------------------------------------------------------------
// Force and derivative
// ---------------------------------------------------------------------------------------------------

// There are beams, and the state fits them.
static bool beam_fem_is_usable(const beam_force *self) {
    const st_state *state = self->elastic.force.state;
    const size_t points = self->model.mesh.points;
    return self->model.mesh.count && state->size >= points && state->coord[ST_COORD_REST].count >= points;
}

// Deformations of the four beams of a pack, one by one: there are square roots and angles in them.
static void pack_deformation(const st_beam_model *model, size_t p, const st_real *x, const st_real *rest,
                             st_pack d[12]) {
    for (size_t lane = 0; lane < ST_PACK_SIZE; lane++) {
        uint32_t ends[2];
        st_real one[12];
        st_element_nodes(&model->mesh, p * ST_PACK_SIZE + lane, ends);
        const size_t i = 7 * (size_t)ends[0], j = 7 * (size_t)ends[1];

        deformation(one, x + i, x + j, rest + i, rest + j);
        for (int k = 0; k < 12; k++) d[k][lane] = one[k];
    }
}

static void force_kernel(void *context, size_t begin, size_t end, st_real *results) {
    const st_beam_call *call = context;
    const st_beam_model *model = call->model;
    for (size_t p = begin; p < end; p++, results += 12 * ST_PACK_SIZE) {
        // k (0, 0, u, θ) in the frame of a
        st_pack d[12], f[12];
        pack_deformation(model, p, call->x, call->rest, d);
        st_beam_local_force(f, model->constants[p], d);

        for (size_t lane = 0; lane < ST_PACK_SIZE; lane++) {
            const size_t e = p * ST_PACK_SIZE + lane;
            uint32_t ends[2];
            st_real q[4], rotation[9], world[3];
            st_element_nodes(&model->mesh, e, ends);

            // R is kept for the derivative
            const st_real *frame = call->x + 7 * (size_t)ends[0] + 3;
            st_quat_normalize(q, frame);
            st_quat_to_matrix(rotation, q);
            st_pack_put(model->rotation[0], 9, e, rotation);

            // f = -q_a k (0, 0, u, θ)
            for (size_t h = 0; h < 12; h += 3) {
                st_quat_rotate(world, frame, (st_real[]){f[h][lane], f[h + 1][lane], f[h + 2][lane]});
                for (size_t c = 0; c < 3; c++) results[(h + c) * ST_PACK_SIZE + lane] = -world[c];
            }
        }
    }
}

static void beam_fem_add_force(st_force *force, const st_params *params) {
    beam_force *self = (beam_force *)force;
    if (!beam_fem_is_usable(self)) return;

    st_beam_call call = {
        .model = &self->model, .x = st_x(force->state, params), .rest = force->state->coord[ST_COORD_REST].data};
    st_element_loop(force->object.scene->pool, &self->model.mesh, force_kernel, &call, st_f(force->state, params));
}

static void beam_fem_product(st_force *force, const st_params *params, st_real k, st_real damping) {
    (void)damping; // none
    beam_force *self = (beam_force *)force;
    if (!beam_fem_is_usable(self)) return;

    st_beam_call call = {.model = &self->model, .x = st_dx(force->state, params), .factor = k};
    st_element_loop(force->object.scene->pool, &self->model.mesh, beam_fem_kernels(force->object.scene->pool)->product,
                    &call, st_df(force->state, params));
}

static void beam_fem_stiffness(st_force *force, const st_params *params, st_stiffness to) {
    (void)params;
    beam_force *self = (beam_force *)force;
    if (!beam_fem_is_usable(self)) return;

    st_beam_call call = {.model = &self->model};
    st_element_assemble(force->object.scene->pool, &self->model.mesh, 6,
                        beam_fem_kernels(force->object.scene->pool)->matrix, &call,
                        st_stiffness_between(to, force->state, force->state));
}

static st_real beam_fem_potential(st_force *force, const st_params *params) {
    const beam_force *self = (const beam_force *)force;
    const st_real *rest = force->state->coord[ST_COORD_REST].data, *x = st_x(force->state, params);
    st_real energy = 0;
    for (size_t p = 0; beam_fem_is_usable(self) && p < self->model.mesh.packs; p++) {
        st_pack d[12], f[12];
        pack_deformation(&self->model, p, x, rest, d);
        st_beam_local_force(f, self->model.constants[p], d);

        for (size_t lane = 0; lane < ST_PACK_SIZE && p * ST_PACK_SIZE + lane < self->model.mesh.count; lane++)
            for (int c = 6; c < 12; c++) energy += d[c][lane] * f[c][lane] / 2;
    }
    return energy;
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

static void beam_fem_draw(st_object *object, st_canvas *canvas) {
    const beam_force *self = (const beam_force *)object;
    const st_state *state = self->elastic.force.state;
    if (beam_fem_is_usable(self))
        canvas->lines(canvas, self->chosen.count, self->ends.data, state->coord[ST_COORD_POSITION].data, state->size, 7,
                      (st_rgba){1, 1, 0, 1});
}

static const st_field fields[] = {
    ST_FIELD(beam_force, radius, "radius", st_type_real, "0.1", "radius of the section",
             .flags = ST_FIELD_REINIT | ST_FIELD_REQUIRED),
    ST_FIELD(beam_force, radius_inner, "radiusInner", st_type_real, "0", "inner radius of a hollow section",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(beam_force, segments, "listSegment", st_type_indices, NULL, "edges that are beams; all when empty",
             .mesh = ST_INDICES(ST_EDGE), .flags = ST_FIELD_REINIT),
    ST_FIELD(beam_force, symmetric_assembly, "useSymmetricAssembly", st_type_bool, "0",
             "make assembled matrices exactly symmetric; ignored with listSegment", .flags = ST_FIELD_REINIT),
    ST_FIELDS_END,
};

static const st_force_ops force_ops = {
    .add_force = beam_fem_add_force,
    .stiffness = beam_fem_stiffness,
    .product = beam_fem_product,
    .potential = beam_fem_potential,
};

const st_class st_beam_fem_force_field_class = {
    .name = "BeamFEMForceField",
    .help = "elastic beams between rigid frames",
    .parent = &st_elastic_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(beam_force),
    .example = "<MeshTopology edges=\"0 1  1 2\"/>\n"
               "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1\"/>\n"
               "<BeamFEMForceField radius=\"0.1\" youngModulus=\"10000\" poissonRatio=\"0.3\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = beam_fem_init,
    .reinit = beam_fem_reinit,
    .destroy = beam_fem_destroy,
    .draw = beam_fem_draw,
    .force = &force_ops,
};
