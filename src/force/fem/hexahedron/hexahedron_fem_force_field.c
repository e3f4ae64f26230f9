// HexahedronFEMForceField: linear elastic trilinear hexahedra that turn with the body (hexahedron_stiffness.h and
// element_model.h have the formulas). The rotation is frozen in the derivative.
//
// With updateStiffnessMatrix the stiffness is that of the deformed element, in its frame, at each force.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/fem/hexahedron/hexahedron_fem.h"

static st_status hexahedron_fem_reinit(st_object *object) {
    st_hexahedron_fem *self = (st_hexahedron_fem *)object;
    const st_reals *rest = st_hexahedron_fem_rest(self);
    if (!st_hexahedron_fem_use_grid(self, &self->stiffness_part, false)) return st_invalid(object, "out of memory");

    self->law = st_hexahedron_fem_law(self);
    const st_status status = st_hexahedron_fem_build(self, rest, true);
    if (status != ST_OK) return status;

    if (!st_list_set_count(&self->initial_points, rest->count, 3)) return st_invalid(object, "out of memory");
    st_copy_reals(self->initial_points.data, rest->data, 3 * rest->count);
    return ST_OK;
}

static st_status hexahedron_fem_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? hexahedron_fem_reinit(object) : status;
}

#define NO_EFFECT(member, name, help)                                                                                  \
    ST_FIELD(st_hexahedron_fem, member, name, st_type_string, NULL, help, .flags = ST_FIELD_NO_EFFECT)

static const st_field fields[] = {
    ST_FIELD(st_hexahedron_fem, update_stiffness_matrix, "updateStiffnessMatrix", st_type_bool, "0",
             "take the stiffness of the deformed shape at each force"),
    ST_FIELD(st_hexahedron_fem, initial_points, "initialPoints", st_type_vec3s, NULL, "positions at rest",
             .flags = ST_FIELD_OUTPUT),
    NO_EFFECT(ignored[0], "stiffnessMatrices", "computed, whatever is given"),
    NO_EFFECT(ignored[1], "gatherPt", "a hint to graphics cards"),
    NO_EFFECT(ignored[2], "gatherBsize", "a hint to graphics cards"),
    ST_FIELD(st_hexahedron_fem, drawing, "drawing", st_type_bool, "1", "draw the elements", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(st_hexahedron_fem, draw_offset, "drawPercentageOffset", st_type_real, "0.15",
             "gap between the elements drawn", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

#define EXAMPLE(name)                                                                                                  \
    "<RegularGridTopology name=\"grid\" n=\"2 2 3\" min=\"0 0 0\" max=\"1 1 2\"/>\n"                                   \
    "<MechanicalObject/>\n"                                                                                            \
    "<" name " youngModulus=\"1000\" poissonRatio=\"0.3\" method=\"large\"/>"

const st_class st_hexahedron_fem_force_field_class = {
    .name = "HexahedronFEMForceField",
    .help = "linear elastic hexahedra that turn with the body",
    .parent = &st_hexahedron_fem_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_hexahedron_fem),
    .example = EXAMPLE("HexahedronFEMForceField"),
    .flags = ST_CLASS_APPROXIMATE_TANGENT | ST_CLASS_PRODUCT_BY_MATRIX,
    .init = hexahedron_fem_init,
    .reinit = hexahedron_fem_reinit,
};

static const st_field parallel_fields[] = {
    ST_FIELD(st_hexahedron_fem, threads, "nbThreads", st_type_int, "0", "a hint to threads",
             .flags = ST_FIELD_NO_EFFECT),
    NO_EFFECT(ignored[3], "taskSchedulerType", "a hint to threads"),
    ST_FIELDS_END,
};

// In SOFA the variant with threads. Here both use them and give the same bits.
const st_class st_parallel_hexahedron_fem_force_field_class = {
    .name = "ParallelHexahedronFEMForceField",
    .help = "linear elastic hexahedra that turn with the body; same as HexahedronFEMForceField",
    .parent = &st_hexahedron_fem_force_field_class,
    .templates = "Vec3",
    .fields = parallel_fields,
    .size = sizeof(st_hexahedron_fem),
    .example = EXAMPLE("ParallelHexahedronFEMForceField"),
    .flags = ST_CLASS_APPROXIMATE_TANGENT | ST_CLASS_PRODUCT_BY_MATRIX,
};
