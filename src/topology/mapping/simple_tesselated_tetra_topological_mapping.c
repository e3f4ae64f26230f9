// SimpleTesselatedTetraTopologicalMapping: each tetrahedron becomes eight.
//
// Points are those of the input, then one in the middle of each of its edges. With vertices v and middles m of the six
// edges of a tetrahedron (01 02 03 12 13 23):
//
//     v0 m0 m1 m2   v1 m0 m4 m3   v2 m1 m3 m5   v3 m2 m5 m4   m1 m0 m3 m5   m1 m0 m5 m2   m4 m0 m5 m3   m4 m0 m2 m5
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "topology/adjacency.h"
#include "topology/mapping/tesselated.h"

typedef struct mapping {
    st_topological_mapping base;
    st_uints from_point, from_edge; // output point of each input point, of each input edge
    st_ints source;                 // of each output point: input point + 1, or −(input edge + 1)
} mapping;

// Positive numbers are vertices, 4 and above the middles of edges.
static const int parts[8][4] = {{0, 4, 5, 6}, {1, 4, 8, 7}, {2, 5, 7, 9}, {3, 6, 9, 8},
                                {5, 4, 7, 9}, {5, 4, 9, 6}, {8, 4, 9, 7}, {8, 4, 6, 9}};

static st_status relate_points(mapping *self, size_t points, size_t edges) {
    if (!st_list_set_count(&self->from_point, points, 1) || !st_list_set_count(&self->from_edge, edges, 1) ||
        !st_list_set_count(&self->source, points + edges, 1))
        return ST_OUT_OF_MEMORY;

    // points keep their numbers, middles of edges follow them
    for (size_t i = 0; i < points; i++) {
        self->from_point.data[i] = (uint32_t)i;
        self->source.data[i] = (int32_t)i + 1;
    }

    for (size_t i = 0; i < edges; i++) {
        self->from_edge.data[i] = (uint32_t)(points + i);
        self->source.data[points + i] = -((int32_t)i + 1);
    }

    return ST_OK;
}

static st_status make_elements(mapping *self, size_t points) {
    st_topology *input = st_mapped_from(&self->base), *output = st_mapped_to(&self->base);
    const st_uints *tetrahedra = st_topology_elements(input, ST_TETRAHEDRON);
    const uint32_t *edges_in = st_topology_in(input, ST_TETRAHEDRON, ST_EDGE);

    if (tetrahedra->count && !edges_in) return ST_OUT_OF_MEMORY;

    const st_status status =
        st_topological_reserve(&self->base, ST_TETRAHEDRON, 8 * tetrahedra->count, tetrahedra->count, 8);
    if (status != ST_OK) return status;

    for (size_t t = 0; t < tetrahedra->count; t++)
        for (size_t k = 0; k < 8; k++) {
            uint32_t *to = output->elements[ST_TETRAHEDRON].data + 4 * (8 * t + k);

            // below 4 a vertex of the tetrahedron, else the middle of its edge
            for (int v = 0; v < 4; v++) {
                const int part = parts[k][v];
                to[v] = part < 4 ? tetrahedra->data[4 * t + (size_t)part]
                                 : (uint32_t)points + edges_in[6 * t + (size_t)(part - 4)];
            }

            st_topological_relate(&self->base, 8 * t + k, t, k);
        }
    return ST_OK;
}

static st_status simple_tesselated_tetra_init(st_object *object) {
    mapping *self = (mapping *)object;
    st_topology *input = st_mapped_from(&self->base);
    st_status status = st_topological_check_types(&self->base, ST_TETRAHEDRON, ST_TETRAHEDRON);
    if (status != ST_OK) return status;

    const size_t points = st_topology_points(input);
    const st_uints *edges = st_topology_elements(input, ST_EDGE);
    if (points + edges->count > INT32_MAX) return st_invalid(object, "too many points");

    st_topological_begin(&self->base, points + edges->count);

    // points first, then the middles of edges, then the elements that use both
    status = relate_points(self, points, edges->count);
    if (status == ST_OK) status = st_tesselated_begin(&self->base);
    if (status == ST_OK) status = st_tesselated_add(&self->base, edges->data, 2, edges->count);
    if (status == ST_OK) status = make_elements(self, points);

    if (status == ST_OUT_OF_MEMORY) return st_invalid(object, "out of memory for its tetrahedra");
    return status == ST_OK ? st_topological_finish(&self->base) : status;
}

st_status st_tesselated_begin(st_topological_mapping *base) {
    const st_topology *input = st_mapped_from(base);
    st_topology *output = st_mapped_to(base);
    const size_t points = st_topology_points(input);
    st_real p[3];

    st_unlink_field(&output->object, &output->position);
    output->position.count = 0;

    // without coordinates in the input there are none in the output
    if (points == 0 || !st_topology_point(input, 0, p)) return ST_OK;
    if (!st_resize_member(&output->object, &output->position, points)) return ST_OUT_OF_MEMORY;
    for (size_t i = 0; i < points; i++) st_topology_point(input, i, output->position.data + 3 * i);

    st_touch(&output->object, &output->position);
    return ST_OK;
}

st_status st_tesselated_add(st_topological_mapping *base, const uint32_t *groups, int size, size_t count) {
    const st_topology *input = st_mapped_from(base);
    st_topology *output = st_mapped_to(base);
    const size_t old = output->position.count;

    if (old == 0) return ST_OK;
    if (!st_resize_member(&output->object, &output->position, old + count)) return ST_OUT_OF_MEMORY;

    for (size_t g = 0; g < count; g++) {
        // the mean of the group
        st_real sum[3] = {0, 0, 0}, p[3] = {0, 0, 0};
        for (int k = 0; k < size; k++) {
            st_topology_point(input, groups[g * (size_t)size + (size_t)k], p);
            st_vec3_add(sum, sum, p);
        }

        st_vec3_divide(output->position.data + 3 * (old + g), sum, (st_real)size);
    }
    return ST_OK;
}

static const st_field fields[] = {
    ST_FIELD(mapping, base.glob_to_loc, "tetrahedraMappedFromTetra", st_type_indices, NULL,
             "the eight tetrahedra of each input tetrahedron", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mapping, base.loc_to_glob, "tetraSource", st_type_indices, NULL,
             "the input tetrahedron of each output one", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mapping, from_point, "pointMappedFromPoint", st_type_indices, NULL, "the output point of each input point",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mapping, from_edge, "pointMappedFromEdge", st_type_indices, NULL, "the output point of each input edge",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mapping, source, "pointSource", st_type_ints, NULL,
             "of each output point: the input point + 1, or minus (the input edge + 1)", .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

const st_class st_simple_tesselated_tetra_topological_mapping_class = {
    .name = "SimpleTesselatedTetraTopologicalMapping",
    .help = "eight tetrahedra for each tetrahedron",
    .parent = &st_topological_mapping_class,
    .fields = fields,
    .size = sizeof(mapping),
    .example =
        "<TetrahedronSetTopologyContainer name='coarse' position='0 0 0 1 0 0 0 1 0 0 0 1' tetrahedra='0 1 2 3'/>"
        "<Node name='fine'><TetrahedronSetTopologyContainer name='mesh'/>"
        "<SimpleTesselatedTetraTopologicalMapping input='@../coarse' output='@mesh'/></Node>",
    .init = simple_tesselated_tetra_init,
};
