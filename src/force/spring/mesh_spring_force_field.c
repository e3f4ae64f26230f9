// MeshSpringForceField: springs (spring.h) along the edges and across the faces and cells of a mesh.
//
// Families in order: lines, triangles, quads, tetrahedra, cubes; each joins every two vertices of its elements. A pair
// belongs to the first family that has it. With l the distance at rest, ks = stiffness / l, kd = damping / l, l0 = l.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/spring/spring.h"
#include "scene/scene.h"
#include "state/dof.h"
#include "state/local_range.h"
#include "topology/element_set.h"
#include "topology/topology.h"

enum { FAMILIES = 5 };

typedef struct mesh_springs {
    st_spring_force springs;
    st_real stiffness[FAMILIES], damping[FAMILIES];
    bool no_compression;
    int32_t local_range[2];
    st_object *topology;
    st_real draw_min, draw_max, draw_size;
} mesh_springs;

#define FAMILY(i, name, more_stiffness, more_damping)                                                                  \
    ST_FIELD(mesh_springs, stiffness[i], name "Stiffness", st_type_real, "0",                                          \
             "stiffness, divided by the length of each spring", .aliases = "stiffness" more_stiffness,                 \
             .flags = ST_FIELD_TRACKED),                                                                               \
        ST_FIELD(mesh_springs, damping[i], name "Damping", st_type_real, "0",                                          \
                 "damping, divided by the length of each spring", .aliases = "damping" more_damping,                   \
                 .flags = ST_FIELD_TRACKED)

static const st_field fields[] = {
    FAMILY(0, "lines", "", ""),
    FAMILY(1, "triangles", "", ""),
    FAMILY(2, "quads", "", ""),
    FAMILY(3, "tetrahedra", " tetrasStiffness", " tetrasDamping"),
    FAMILY(4, "cubes", "", ""),
    ST_FIELD(mesh_springs, no_compression, "noCompression", st_type_bool, "0", "springs do not resist compression",
             .flags = ST_FIELD_TRACKED),
    ST_FIELD(mesh_springs, local_range, "localRange", st_type_int2, "-1 -1",
             "leave out springs with an end below the first number or both ends above the second",
             .flags = ST_FIELD_TRACKED),
    ST_FIELD(mesh_springs, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(mesh_springs, draw_min, "drawMinElongationRange", st_type_real, "8", "lower end of the colors",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(mesh_springs, draw_max, "drawMaxElongationRange", st_type_real, "15", "upper end of the colors",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(mesh_springs, draw_size, "drawSpringSize", st_type_real, "8", "size of springs drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static const struct family {
    st_element kind;
    int size;
} families[FAMILIES] = {{ST_EDGE, 2}, {ST_TRIANGLE, 3}, {ST_QUAD, 4}, {ST_TETRAHEDRON, 4}, {ST_HEXAHEDRON, 8}};

static bool out_of_range(const mesh_springs *force, uint32_t a, uint32_t b) {
    const int64_t low = force->local_range[0], high = force->local_range[1];
    if (low >= 0 && ((int64_t)a < low || (int64_t)b < low)) return true;
    return high >= 0 && (int64_t)a > high && (int64_t)b > high;
}

typedef struct spring_builder {
    mesh_springs *force;
    st_element_set pairs; // of all families so far
    const st_real *rest;
    size_t points, coord;
    size_t dim;
    bool missing; // a vertex has no DOF
} spring_builder;

static bool mesh_spring_join(spring_builder *builder, uint32_t a, uint32_t b, int family) {
    mesh_springs *force = builder->force;
    if (out_of_range(force, a, b)) return true;
    if (a >= builder->points || b >= builder->points) {
        builder->missing = true;
        return true;
    }

    // a pair belongs to the first family that has it
    switch (st_element_set_add(&builder->pairs, (uint32_t[]){a, b}, 2, 0)) {
    case ST_SET_KNOWN: return true;
    case ST_SET_NO_MEMORY: return false;
    case ST_SET_ADDED: break;
    }

    // ks = stiffness / l, kd = damping / l, l0 = l
    const st_real length =
        st_springs_distance(builder->rest + a * builder->coord, builder->rest + b * builder->coord, builder->dim);
    const st_real unit = length > ST_REAL_EPSILON ? length : 1;
    return st_springs_add(&force->springs.kernel, (st_spring){.a = a,
                                                              .b = b,
                                                              .stiffness = force->stiffness[family] / unit,
                                                              .damping = force->damping[family] / unit,
                                                              .length = length,
                                                              .elongation_only = force->no_compression,
                                                              .enabled = true});
}

static bool add_family(spring_builder *builder, st_topology *topology, int family) {
    if (builder->force->stiffness[family] == 0 && builder->force->damping[family] == 0) return true;

    const st_uints *elements = st_topology_elements(topology, families[family].kind);
    const int size = families[family].size;

    // every two vertices of each element
    for (size_t e = 0; e < elements->count; e++) {
        const uint32_t *v = elements->data + e * (size_t)size;
        for (int i = 0; i < size; i++)
            for (int j = i + 1; j < size; j++)
                if (!mesh_spring_join(builder, v[i], v[j], family)) return false;
    }
    return true;
}

static st_status mesh_spring_make_springs(mesh_springs *force, st_topology *topology) {
    st_force *base = &force->springs.base;
    const st_reals *rest = &base->state->coord[ST_COORD_REST];
    spring_builder builder = {.force = force,
                              .rest = rest->data,
                              .points = rest->count,
                              .coord = base->object.dof->coord,
                              .dim = st_position_scalars(base->object.dof)};
    bool ok = true;

    for (int family = 0; family < FAMILIES && ok; family++) ok = add_family(&builder, topology, family);
    st_element_set_free(&builder.pairs);

    // one message for all of them
    if (builder.missing)
        st_message(&base->object, ST_ERROR,
                   "the mesh has vertices beyond the %zu DOFs of the state: their springs are "
                   "left out",
                   builder.points);

    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

static st_status mesh_spring_init(st_object *object) {
    mesh_springs *force = (mesh_springs *)object;
    const st_status status = st_pair_force_class.init(object);
    if (status != ST_OK) return status;

    st_check_local_range(object, force->local_range);
    force->springs.kernel.springs.count = 0; // springs of the inherited attributes are not used

    st_topology *topology = st_context_topology(object->node, force->topology);
    if (!topology) return st_invalid(object, "there is no mesh in its node or above: there are no springs");

    return force->springs.base.state == force->springs.base.other ? mesh_spring_make_springs(force, topology) : ST_OK;
}

// Springs are made again; there may be others now, so that matrices get other patterns.
static void mesh_spring_changed(st_object *object) {
    if (!st_is_valid(object)) return;
    if (mesh_spring_init(object) != ST_OK) object->validity = ST_BROKEN;
    object->scene->structure++;
}

const st_class st_mesh_spring_force_field_class = {
    .name = "MeshSpringForceField",
    .help = "springs along the edges and across the faces and cells of a mesh",
    .parent = &st_spring_force_field_class,
    .templates = "Vec1 Vec2 Vec3",
    .fields = fields,
    .size = sizeof(mesh_springs),
    .example = "<MeshTopology tetrahedra=\"0 1 2 3\"/>\n"
               "<MechanicalObject rest_position=\"0 0 0  1 0 0  0 1 0  0 0 1\" "
               "position=\"0 0 0.1  1.2 0 0  0 1 0  0.1 0 1.1\"/>\n"
               "<MeshSpringForceField tetrahedraStiffness=\"100\" tetrahedraDamping=\"1\"/>",
    .init = mesh_spring_init,
    .changed = mesh_spring_changed,
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
};

// In SOFA the variant with threads, which changes the order of sums only.
const st_class st_parallel_mesh_spring_force_field_class = {
    .name = "ParallelMeshSpringForceField",
    .help = "springs along the edges and across the faces and cells of a mesh; same as MeshSpringForceField",
    .parent = &st_mesh_spring_force_field_class,
    .templates = "Vec1 Vec2 Vec3",
    .fields = st_parallel_spring_fields,
    .size = sizeof(mesh_springs),
    .example = "<MeshTopology tetrahedra=\"0 1 2 3\"/>\n"
               "<MechanicalObject rest_position=\"0 0 0  1 0 0  0 1 0  0 0 1\" "
               "position=\"0 0 0.1  1.2 0 0  0 1 0  0.1 0 1.1\"/>\n"
               "<ParallelMeshSpringForceField tetrahedraStiffness=\"100\" tetrahedraDamping=\"1\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
};
