// VectorSpringForceField: springs that keep the vector between two points, not only its length.
//
//     F = ks (x2[b] - x1[a] - r) + kd (v2[b] - v1[a]),     f1[a] += F,  f2[b] -= F,     K = ks [-1 1; 1 -1]
//
// The rest vectors r come from an Xsp file (version 4.0); with useTopology there is one spring for each edge of the
// mesh with the vector at rest; else point i of the first state is tied to point i of the second with r = 0. The
// damping is integrated explicitly.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/spring/vector_springs.h"
#include "math/mat3.h"
#include "topology/topology.h"
#include "topology/xsp.h"

typedef st_vector_springs vector_springs;

static const st_field fields[] = {
    ST_FIELD(vector_springs, filename, "filename", st_type_file, NULL, "Xsp file with the springs"),
    ST_FIELD(vector_springs, stiffness, "stiffness", st_type_real, "1", "stiffness", .flags = ST_FIELD_REINIT),
    ST_FIELD(vector_springs, viscosity, "viscosity", st_type_real, "1", "damping", .flags = ST_FIELD_REINIT),
    ST_FIELD(vector_springs, use_topology, "useTopology", st_type_bool, "0", "one spring for each edge of the mesh",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(vector_springs, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

void st_vector_springs_clear(st_vector_springs *force) { force->kernel.springs.count = force->rest.count = 0; }

bool st_vector_springs_add(st_vector_springs *force, uint32_t a, uint32_t b, st_real ks, st_real kd,
                           const st_real rest[3]) {
    const size_t n = force->kernel.springs.count;
    const st_spring spring = {.a = a, .b = b, .stiffness = ks, .damping = kd, .enabled = true};

    if (!st_springs_add(&force->kernel, spring) || !st_list_set_count(&force->rest, n + 1, 3)) return false;
    st_vec3_copy(force->rest.data + 3 * n, rest);
    return true;
}

static bool add_file(vector_springs *force) {
    st_xsp xsp = {0};
    bool ok = true;
    st_xsp_read(&force->base.object, force->filename, &xsp);

    for (size_t i = 0; ok && i < xsp.springs.count; i++) {
        const st_xsp_spring *s = &xsp.springs.data[i];
        ok = st_vector_springs_add(force, s->a, s->b, s->stiffness, s->damping, s->rest);
    }

    st_xsp_free(&xsp);
    return ok;
}

static bool add_edges(vector_springs *force, st_topology *topology) {
    const st_uints *edges = st_topology_elements(topology, ST_EDGE);
    const st_reals *rest = &force->base.state->coord[ST_COORD_REST];

    for (size_t i = 0; i < edges->count; i++) {
        const uint32_t a = edges->data[2 * i], b = edges->data[2 * i + 1];
        st_real r[3] = {0, 0, 0};

        // r = x_b - x_a at rest
        if (a < rest->count && b < rest->count) st_vec3_sub(r, rest->data + 3 * (size_t)b, rest->data + 3 * (size_t)a);
        if (!st_vector_springs_add(force, a, b, force->stiffness, force->viscosity, r)) return false;
    }
    return true;
}

static bool add_pairs(vector_springs *force) {
    static const st_real zero[3] = {0, 0, 0};
    const size_t one = force->base.state->size, two = force->base.other->size;
    for (size_t i = 0; i < one && i < two; i++)
        if (!st_vector_springs_add(force, (uint32_t)i, (uint32_t)i, force->stiffness, force->viscosity, zero))
            return false;
    return true;
}

static st_status vector_spring_init(st_object *object) {
    vector_springs *force = (vector_springs *)object;
    const st_status status = st_pair_force_class.init(object);
    if (status != ST_OK) return status;
    st_vector_springs_clear(force);

    // from a file, between the states, or along the edges of a mesh
    if (force->filename && *force->filename) return add_file(force) ? ST_OK : ST_OUT_OF_MEMORY;
    if (!force->use_topology) return add_pairs(force) ? ST_OK : ST_OUT_OF_MEMORY;
    st_topology *topology = st_context_topology(object->node, force->topology);
    if (!topology) return st_invalid(object, "there is no mesh in its node or above: there are no springs");
    return add_edges(force, topology) ? ST_OK : ST_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static void vector_spring_add_force(st_force *base, const st_params *params) {
    vector_springs *force = (vector_springs *)base;
    if (!base->state || !base->other) return;

    const size_t count = force->kernel.springs.count;
    if (!st_springs_make_matrices(&force->kernel, 3)) return;

    for (size_t i = 0; i < count; i++) {
        const st_spring *s = &force->kernel.springs.data[i];
        const size_t a = 3 * (size_t)s->a, b = 3 * (size_t)s->b;

        // A = ks 1
        st_real matrix[9];
        st_mat3_diagonal(matrix, s->stiffness, s->stiffness, s->stiffness);
        st_springs_set_matrix(&force->kernel, i, matrix);

        if (s->a >= base->state->size || s->b >= base->other->size) {
            st_message_once(&base->object, "range", ST_ERROR,
                            "a spring joins DOFs %u and %u, which do not exist: it and its like do not act", s->a,
                            s->b);
            continue;
        }

        // F = ks (x2 - x1 - r) + kd (v2 - v1)
        st_real d[3], rate[3], *f = st_f(base->state, params) + a, *g = st_f(base->other, params) + b;
        st_vec3_sub(d, st_x(base->other, params) + b, st_x(base->state, params) + a);
        st_vec3_sub(d, d, force->rest.data + 3 * i);
        st_vec3_sub(rate, st_v(base->other, params) + b, st_v(base->state, params) + a);
        for (int c = 0; c < 3; c++) d[c] = d[c] * s->stiffness + rate[c] * s->damping;

        st_vec3_add(f, f, d);
        st_vec3_sub(g, g, d);
    }
}

static void vector_spring_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    st_springs_blocks(&((vector_springs *)base)->kernel, base->state, base->other, k);
}

static void vector_spring_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    st_springs_multiply(&((vector_springs *)base)->kernel, base->state, base->other, params, k);
}

static void vector_spring_draw(st_object *object, st_canvas *canvas) {
    const vector_springs *force = (const vector_springs *)object;
    st_springs_show(&force->kernel, force->base.state, force->base.other, canvas);
}

static void vector_spring_destroy(st_object *object) {
    st_springs_free(&((vector_springs *)object)->kernel);
    st_list_free(&((vector_springs *)object)->rest);
}

static const st_force_ops force_ops = {
    .add_force = vector_spring_add_force, .stiffness = vector_spring_stiffness, .product = vector_spring_product};

const st_class st_vector_spring_force_field_class = {
    .name = "VectorSpringForceField",
    .help = "springs that keep the vector between two points",
    .parent = &st_pair_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(vector_springs),
    .example = "<MeshTopology edges=\"0 1  1 2\"/>\n"
               "<MechanicalObject rest_position=\"0 0 0  1 0 0  1 1 0\" position=\"0 0 0  1.2 0.1 0  1 1 0.3\"/>\n"
               "<VectorSpringForceField useTopology=\"1\" stiffness=\"50\" viscosity=\"2\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING,
    .init = vector_spring_init,
    .draw = vector_spring_draw,
    .destroy = vector_spring_destroy,
    .force = &force_ops,
};
