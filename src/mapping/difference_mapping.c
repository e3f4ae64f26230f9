// DifferenceMapping: how far the second point of each edge of a mesh is from the first, as a vector.
//
//     out = x_b − x_a        J: −I for a, +I for b
//
// With forces on the child it ties points in every direction, where DistanceMapping measures the length alone. Points
// of several bodies are brought together by a SubsetMultiMapping first.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/gradient_rows.h"
#include "mapping/states.h"

enum { SCALARS_MAX = 6 }; // of a DOF

typedef struct difference_mapping {
    st_gradient_mapping base; // its rows name the points; their gradients are not used
    st_object *topology;
} difference_mapping;

static void difference_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    const st_gradient_rows *rows = &((const st_gradient_mapping *)mapping)->rows;

    if (!st_gradient_rows_fit(rows, mapping)) return;

    const st_real *x = st_whole_position(st_mapping_in(mapping), in.index);
    st_real *to = st_whole_position(st_mapping_out(mapping), out.index);
    const size_t width = st_state_dof(st_mapping_out(mapping))->coord;

    for (size_t i = 0; x && to && i < rows->count; i++) {
        const st_real *a = x + st_gradient_node(rows, i, 0) * width, *b = x + st_gradient_node(rows, i, 1) * width;
        for (size_t c = 0; c < width; c++) to[i * width + c] = b[c] - a[c];
    }
}

static void difference_mapping_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    const st_gradient_rows *rows = &((const st_gradient_mapping *)mapping)->rows;

    if (!st_gradient_rows_fit(rows, mapping)) return;

    const size_t width = st_state_dof(st_mapping_out(mapping))->deriv;

    // −I for the first point, +I for the second
    for (int end = 0; end < 2; end++) {
        st_real block[SCALARS_MAX * SCALARS_MAX] = {0};
        for (size_t c = 0; c < width; c++) block[c * width + c] = end ? 1 : -1;
        for (size_t i = 0; i < rows->count; i++)
            sink->add(sink, i * width, st_gradient_node(rows, i, end) * width, width, width, block);
    }
}

static st_status difference_mapping_init(st_object *object) {
    difference_mapping *self = (difference_mapping *)object;
    st_mapping *mapping = &self->base.mapping;

    if (!st_mapping_has_states(mapping)) return st_mapping_init(object);
    if (!st_gradient_rows_from_mesh(&self->base.rows, mapping, self->topology, ST_EDGE)) return ST_INVALID;

    // J is constant: it never waits for an apply
    self->base.rows.filled = true;

    const st_status status = st_mapping_size_child(mapping, 0, self->base.rows.count);
    return status == ST_OK ? st_mapping_init(object) : status;
}

static void difference_mapping_destroy(st_object *object) {
    st_gradient_rows_free(&((st_gradient_mapping *)object)->rows);
}

static const st_field fields[] = {
    ST_FIELD(difference_mapping, topology, "topology", st_type_link, NULL, "the mesh whose edges name the points",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {.apply = difference_mapping_apply, .jacobian = difference_mapping_jacobian};

const st_class st_difference_mapping_class = {
    .name = "DifferenceMapping",
    .help = "the vector from the first to the second point of each edge of a mesh; settee's own",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec3 Vec1,Vec1 Vec2,Vec2 Vec6,Vec6",
    .default_template = "Vec3,Vec3",
    .fields = fields,
    .size = sizeof(difference_mapping),
    .example = "<MeshTopology name=\"mesh\" position=\"0 0 0  1 0.2 0  1 1 0.5\" edges=\"0 1  1 2  2 0\"/>\n"
               "<MechanicalObject name=\"parent\"/>\n"
               "<Node name=\"differences\">\n"
               "    <MechanicalObject name=\"child\"/>\n"
               "    <DifferenceMapping topology=\"@../mesh\" input=\"@../parent\" output=\"@child\"/>\n"
               "</Node>",
    .flags = ST_CLASS_CONSTANT_JACOBIAN,
    .init = difference_mapping_init,
    .destroy = difference_mapping_destroy,
    .mapping = &ops,
};
