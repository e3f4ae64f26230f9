// Tetra2TriangleTopologicalMapping: the surface of a mesh of tetrahedra, which is the triangles that one of them has.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/container.h"
#include "topology/mapping/topological_mapping.h"

typedef struct mapping {
    st_topological_mapping base;
    bool flip_normals, no_new_triangles, no_initial_triangles;
    st_object *modifier;
} mapping;

static const st_field fields[] = {
    ST_FIELD(mapping, flip_normals, "flipNormals", st_type_bool, "0",
             "exchange the last two vertices of each triangle"),
    ST_FIELD(mapping, no_new_triangles, "noNewTriangles", st_type_bool, "0", "make no triangles after init",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(mapping, no_initial_triangles, "noInitialTriangles", st_type_bool, "0", "begin without triangles"),
    ST_FIELD(mapping, modifier, "modifier", st_type_link, NULL, "what changes the output; looked for beside it"),
    ST_FIELDS_END,
};

static st_status tetra2triangle_init(st_object *object) {
    mapping *self = (mapping *)object;

    // the modifier is needed only when the mesh changes
    if (!self->modifier)
        self->modifier = st_find_class(self->base.output->node, &st_triangle_set_topology_modifier_class, ST_UP);
    if (!self->modifier)
        st_message(object, ST_WARNING,
                   "there is no TriangleSetTopologyModifier beside the output %s: it will not follow changes",
                   self->base.output->name);

    if (!self->no_initial_triangles)
        return st_topological_map_border(&self->base, ST_TETRAHEDRON, ST_TRIANGLE, self->flip_normals);

    // an empty surface that is filled by later changes
    st_topology *input = st_mapped_from(&self->base);
    st_topological_begin(&self->base, st_topology_points(input));
    return st_topological_reserve(&self->base, ST_TRIANGLE, 0, st_topology_elements(input, ST_TRIANGLE)->count, 1);
}

const st_class st_tetra2triangle_topological_mapping_class = {
    .name = "Tetra2TriangleTopologicalMapping",
    .help = "the surface of a mesh of tetrahedra",
    .parent = &st_topological_mapping_class,
    .fields = fields,
    .size = sizeof(mapping),
    .example =
        "<TetrahedronSetTopologyContainer name='volume' position='0 0 0 1 0 0 0 1 0 0 0 1' tetrahedra='0 1 2 3'/>"
        "<Node name='surface'><TriangleSetTopologyContainer name='triangles'/><TriangleSetTopologyModifier/>"
        "<Tetra2TriangleTopologicalMapping input='@../volume' output='@triangles'/></Node>",
    .init = tetra2triangle_init,
};
