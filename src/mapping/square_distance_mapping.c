// SquareDistanceMapping: the square of the length of each edge of a mesh.
//
//     g = x_b − x_a,  out = |g|²        J: −2 g for a, +2 g for b
//
// Geometric stiffness of an edge with the force f: 2 f I on both points, −2 f I between them; Stabilized takes edges
// with f < 0 only. Of rigid parents the centers count.
//
// Scenes with it are chaotic: the order of the operations in apply_geometric shows in their results.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/geometric.h"
#include "mapping/gradient_rows.h"
#include "mapping/states.h"
#include "math/mat3.h"

typedef struct square_distance_mapping {
    st_gradient_mapping base;
    int32_t geometric_stiffness;
    st_object *topology;
    st_real show_scale, show_color[4];
} square_distance_mapping;

static void square_distance_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    square_distance_mapping *self = (square_distance_mapping *)mapping;
    const st_state *parent = st_mapping_in(mapping);
    st_real *to = st_whole_position(st_mapping_out(mapping), out.index);
    const st_real *x = st_whole_position(parent, in.index);

    self->base.rows.filled = true;

    if (!to || !x || !st_gradient_rows_fit(&self->base.rows, mapping)) return;

    const size_t stride = st_state_dof(parent)->coord;
    for (size_t i = 0; i < self->base.rows.count; i++) {
        st_real gap[3];

        st_vec3_sub(gap, x + stride * st_gradient_node(&self->base.rows, i, 1),
                    x + stride * st_gradient_node(&self->base.rows, i, 0));

        to[i] = st_vec3_norm2(gap);

        // J: −2 g, +2 g
        st_vec3_scale(st_gradient(&self->base.rows, i, 1), gap, 2);
        st_vec3_scale(st_gradient(&self->base.rows, i, 0), gap, -2);
    }
}

static st_real square_distance_mapping_curvature(const st_mapping *mapping, size_t row, const st_real *const *v) {
    (void)mapping, (void)row;
    st_real w[3];

    st_vec3_sub(w, v[1], v[0]);
    return 2 * st_vec3_norm2(w);
}

static void square_distance_mapping_add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    st_gradient_add_curvature(mapping, a, v, square_distance_mapping_curvature);
}

static void square_distance_mapping_geometric(st_mapping *mapping, const st_params *params, st_stiffness stiffness) {
    const square_distance_mapping *self = (const square_distance_mapping *)mapping;
    const st_state *parent = st_mapping_in(mapping);
    const st_real *f = st_whole_force(st_mapping_out(mapping), params->f.index);
    const size_t width = st_state_dof(parent)->deriv;

    if (self->geometric_stiffness == ST_GEOMETRIC_NONE || !f || !st_gradient_rows_fit(&self->base.rows, mapping))
        return;

    st_sink *sink = st_stiffness_between(stiffness, parent, parent);

    // 2 f I on both points, −2 f I between them
    for (size_t i = 0; i < self->base.rows.count; i++) {
        const st_real t = st_geometric_counts(self->geometric_stiffness, f[i]) ? 2 * f[i] : 0;
        st_real block[2][9];
        st_mat3_diagonal(block[0], t, t, t);
        st_mat3_diagonal(block[1], -t, -t, -t);

        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                st_add_3x3(sink, width * st_gradient_node(&self->base.rows, i, a),
                           width * st_gradient_node(&self->base.rows, i, b), block[a != b]);
    }
}

static void square_distance_mapping_apply_geometric(st_mapping *mapping, const st_params *params, st_real k) {
    const square_distance_mapping *self = (const square_distance_mapping *)mapping;
    const st_state *parent = st_mapping_in(mapping);
    const st_real *f = st_whole_force(st_mapping_out(mapping), params->f.index);
    const st_real *dx = st_whole_dx(parent, params->dx.index);
    st_real *df = st_whole_dforce(parent, params->df.index);
    const size_t width = st_state_dof(parent)->deriv;

    if (!f || !dx || !df || !st_gradient_rows_fit(&self->base.rows, mapping)) return;

    // df_a += 2 f k (dx_a − dx_b), df_b −= the same
    for (size_t i = 0; i < self->base.rows.count; i++) {
        if (!st_geometric_counts(self->geometric_stiffness, f[i])) continue;
        const size_t a = width * st_gradient_node(&self->base.rows, i, 0),
                     b = width * st_gradient_node(&self->base.rows, i, 1);

        const st_real t = (2 * f[i]) * k;
        st_real d[3];

        st_vec3_sub(d, dx + a, dx + b);
        st_vec3_scale(d, d, t);
        st_vec3_add(df + a, df + a, d);
        st_vec3_sub(df + b, df + b, d);
    }
}

static st_status square_distance_mapping_init(st_object *object) {
    square_distance_mapping *self = (square_distance_mapping *)object;

    if (!st_mapping_has_states(&self->base.mapping)) return st_mapping_init(object);

    if (!st_gradient_rows_from_mesh(&self->base.rows, &self->base.mapping, self->topology, ST_EDGE)) return ST_INVALID;

    const st_status status = st_mapping_size_child(&self->base.mapping, 0, self->base.rows.count);
    return status == ST_OK ? st_mapping_init(object) : status;
}

static void square_distance_mapping_destroy(st_object *object) {
    st_gradient_rows_free(&((square_distance_mapping *)object)->base.rows);
}

static const st_field fields[] = {
    ST_FIELD(square_distance_mapping, topology, "topology", st_type_link, NULL, "the mesh whose edges are measured",
             .role = ST_ROLE(topology)),
    ST_GEOMETRIC_FIELD(square_distance_mapping, "Stabilized"),
    ST_FIELD(square_distance_mapping, show_scale, "showObjectScale", st_type_real, "0", "thickness of the drawn edges",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(square_distance_mapping, show_color, "showColor", st_type_color, "1 1 0 1", "color of the drawn edges",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {
    .apply = square_distance_mapping_apply,
    .apply_j = st_gradient_apply_j,
    .apply_jt = st_gradient_apply_jt,
    .jacobian = st_gradient_jacobian,
    .geometric = square_distance_mapping_geometric,
    .add_curvature = square_distance_mapping_add_curvature,
    .apply_geometric = square_distance_mapping_apply_geometric,
};

const st_class st_square_distance_mapping_class = {
    .name = "SquareDistanceMapping",
    .help = "the square of the length of each edge of a mesh",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec1 Rigid3,Vec1",
    .default_template = "Vec3,Vec1",
    .fields = fields,
    .size = sizeof(square_distance_mapping),
    .example = "<MeshTopology name=\"mesh\" position=\"0 0 0  1 0.2 0  1 1 0.5\" edges=\"0 1  1 2  2 0\"/>\n"
               "<MechanicalObject name=\"parent\"/>\n"
               "<Node name=\"squares\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec1\"/>\n"
               "    <SquareDistanceMapping topology=\"@../mesh\" input=\"@../parent\" output=\"@child\" "
               "geometricStiffness=\"Exact\"/>\n"
               "</Node>",
    .init = square_distance_mapping_init,
    .destroy = square_distance_mapping_destroy,
    .mapping = &ops,
};
