// PartialLinearMovementProjectiveConstraint: points that follow displacements given at key times in some directions
// only.
//
// x_j = x0_j + s m_j(t) in the moved directions j, with s = 1, or, between macro nodes, the bilinear or trilinear
// interpolation s(x0) of factors at the corners of a rectangle or box of the size X0 Y0 Z0.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/key_movement.h"

typedef struct partial_movement {
    st_key_movement keys;
    bool directions[6];
    bool between_nodes;
    uint32_t main_index, lowest_index, highest_index;
    st_reals factors;
    st_real size[3];
} partial_movement;

static const st_field fields[] = {
    ST_FIELD(partial_movement, directions, "movedDirections", st_type_deriv_flags, "1 1 1 1 1 1",
             "for each direction, whether it is moved"),
    ST_FIELD(partial_movement, between_nodes, "linearMovementBetweenNodesInIndices", st_type_bool, "0",
             "scale the movement by the factors of the macro nodes, interpolated"),
    ST_FIELD(partial_movement, main_index, "mainIndice", st_type_uint, "0", "the main node",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(partial_movement, lowest_index, "minDepIndice", st_type_uint, "0", "the lowest node",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(partial_movement, highest_index, "maxDepIndice", st_type_uint, "0", "the highest node",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(partial_movement, factors, "imposedDisplacmentOnMacroNodes", st_type_reals, NULL,
             "factor of the movement at each macro node: 4 of a rectangle, 8 of a box"),
    ST_FIELD(partial_movement, size[0], "X0", st_type_real, "0", "size of the box in x"),
    ST_FIELD(partial_movement, size[1], "Y0", st_type_real, "0", "size of the box in y"),
    ST_FIELD(partial_movement, size[2], "Z0", st_type_real, "0", "size of the box in z"),
    ST_FIELDS_END,
};

// Number of sizes that are not zero: 3 for a box.
static size_t extent(const partial_movement *self) {
    return (self->size[0] != 0) + (self->size[1] != 0) + (self->size[2] != 0);
}

static st_status check_macro_nodes(partial_movement *self) {
    st_object *object = (st_object *)self;
    const size_t sizes = extent(self);

    // only used for vectors
    if (object->dof->rigid) return ST_OK;
    if (sizes < 2) return st_invalid(object, "X0, Y0 and Z0 must hold at least two sizes that are not zero");
    if (object->dof->coord < sizes) return st_invalid(object, "a box of %zu sizes needs points with as many", sizes);
    if (self->factors.count < (size_t)1 << sizes)
        return st_invalid(object, "imposedDisplacmentOnMacroNodes holds %zu numbers: %d are needed",
                          self->factors.count, 1 << sizes);

    if (!st_all_finite(self->size, 3) || !st_all_finite(self->factors.data, self->factors.count))
        return st_invalid(object, "X0, Y0, Z0 or imposedDisplacmentOnMacroNodes holds a number that is not finite");
    return ST_OK;
}

static st_status partial_linear_movement_init(st_object *object) {
    partial_movement *self = (partial_movement *)object;
    self->keys.points.directions = self->directions;

    const st_status status = self->between_nodes ? check_macro_nodes(self) : ST_OK;
    return status == ST_OK ? st_key_movement_init(object) : status;
}

// Corners in the order of the nodes; bit 0: x, bit 1: y, bit 2: z.
static const unsigned char rectangle[4] = {0, 1, 3, 2};
static const unsigned char box[8] = {0, 4, 5, 1, 2, 6, 7, 3};

static st_real partial_linear_movement_factor(const st_key_movement *keys, const st_real *start) {
    const partial_movement *self = (const partial_movement *)keys;

    if (!self->between_nodes) return 1;
    const size_t sizes = extent(self);
    st_real way[3] = {0, 0, 0}, sum = 0;
    int axis = 0;

    // where the point started, as fractions of the box
    for (int i = 0; i < 3; i++) {
        if (self->size[i] == 0) continue;
        way[axis] = start[axis] / self->size[i];
        axis++;
    }

    // the weights of the corners
    for (int n = 0; n < 1 << sizes; n++) {
        const int corner = sizes == 3 ? box[n] : rectangle[n];
        st_real weight = self->factors.data[n];
        for (size_t i = 0; i < sizes; i++) weight *= corner >> i & 1 ? way[i] : 1 - way[i];
        sum += weight;
    }
    return sum;
}

// Fields may have been set since the init.
static void partial_linear_movement_position(st_projection *base, st_coord_id id) {
    partial_movement *self = (partial_movement *)base;
    if (self->between_nodes && check_macro_nodes(self) != ST_OK) return;
    st_key_movement_position(base, id, true, partial_linear_movement_factor);
}

static const st_projection_ops ops = {
    .response = st_points_response,
    .velocity = st_key_movement_velocity,
    .position = partial_linear_movement_position,
    .discard = st_points_discard,
    .columns = st_points_columns,
};

const st_class st_partial_linear_movement_projective_constraint_class = {
    .name = "PartialLinearMovementProjectiveConstraint",
    .help = "points that follow displacements given at key times in some directions",
    .parent = &st_key_movement_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid3",
    .fields = fields,
    .size = sizeof(partial_movement),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0\"/>\n"
               "<UniformMass totalMass=\"3\"/>\n"
               "<PartialLinearMovementProjectiveConstraint indices=\"1\" movedDirections=\"1 0 1\" keyTimes=\"0 1\"\n"
               "    movements=\"0 0 0  1 0 2\"/>",
    .init = partial_linear_movement_init,
    .projection = &ops,
};
