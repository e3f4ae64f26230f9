// HexahedronCompositeFEMForceFieldAndMass: hexahedra of a sparse grid with the stiffness and mass of
// finer cells within them, which move as the body at rest does when the corners are moved (condensation.h has the
// formulas).
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/hexahedron/non_uniform_hexahedron.h"

static st_status hexahedron_composite_fem_force_field_and_mass_init(st_object *object) {
    return st_non_uniform_hexahedron_init(object, true);
}

static const st_field fields[] = {
    ST_FIELD(st_non_uniform_hexahedron, complete_interpolation, "completeInterpolation", st_type_bool, "0",
             "mapped points also move across the axes, as a body does that contracts sideways"),
    ST_FIELD(st_non_uniform_hexahedron, finest_to_coarse, "finestToCoarse", st_type_bool, "0",
             "condense all finer cells of a hexahedron at once, where none is missing, instead of level by level"),
    ST_FIELD(st_non_uniform_hexahedron, homogenization, "homogenizationMethod", st_type_int, "0",
             "has no effect in SOFA either", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_non_uniform_hexahedron, use_ramification, "useRamification", st_type_bool, "1",
             "in a ramified grid: children of a cell are the members of its piece, not one at each place"),
    ST_FIELD(st_non_uniform_hexahedron, draw_type, "drawType", st_type_int, "0", "what is drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(st_non_uniform_hexahedron, draw_color, "drawColor", st_type_int, "0", "color of what is drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(st_non_uniform_hexahedron, draw_size, "drawSize", st_type_real, "-1", "size of what is drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

const st_class st_hexahedron_composite_fem_force_field_and_mass_class = {
    .name = "HexahedronCompositeFEMForceFieldAndMass",
    .help = "hexahedra of a sparse grid with the stiffness and mass of finer cells within them",
    .parent = &st_non_uniform_hexahedron_fem_force_field_and_mass_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_non_uniform_hexahedron),
    .example = "<SparseGridTopology n=\"3 3 3\" nbVirtualFinerLevels=\"1\" position=\"0 0 0  2 0 0  0 2 0  0 0 2\"\n"
               "                    triangles=\"0 2 1  0 1 3  0 3 2  1 2 3\"/>\n"
               "<MechanicalObject/>\n"
               "<HexahedronCompositeFEMForceFieldAndMass nbVirtualFinerLevels=\"1\" youngModulus=\"1000\" "
               "poissonRatio=\"0.3\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = hexahedron_composite_fem_force_field_and_mass_init,
    .reinit = hexahedron_composite_fem_force_field_and_mass_init,
    .destroy = st_non_uniform_hexahedron_destroy,
};
