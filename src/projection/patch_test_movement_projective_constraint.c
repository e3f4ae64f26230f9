// PatchTestMovementProjectiveConstraint: points that follow the bilinear (or trilinear) displacement of the corners of
// a patch, for tests of elements.
//
// With corners c0 (left, bottom), c1 (right, bottom), c2 (right, top), c3 (left, top), and c4..c7 above them,
//
//     a = |x - c0.x| / |c1.x - c0.x|,   b = |y - c0.y| / |c3.y - c0.y|,   g = |z - c0.z| / |c4.z - c0.z|
//
// weigh their displacements: (1-a)(1-b), a(1-b), ab, (1-a)b, times 1-g below and g above. The way there is that of
// AffineMovementProjectiveConstraint.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "projection/movement.h"

typedef struct patch_test {
    st_movement movement;
    st_reals constrained_points;
    st_reals corner_movements;
    st_reals corner_points;
    size_t corners; // 4 or 8
} patch_test;

static const st_field fields[] = {
    ST_FIELD(patch_test, constrained_points, "constrainedPoints", st_type_coords, NULL,
             "positions among which the corners are looked for", .flags = ST_FIELD_FIXED),
    ST_FIELD(patch_test, corner_movements, "cornerMovements", st_type_derivs, NULL, "displacement of each corner"),
    ST_FIELD(patch_test, corner_points, "cornerPoints", st_type_coords, NULL,
             "the corners: found among constrainedPoints when these are given", .flags = ST_FIELD_FIXED),
    ST_FIELDS_END,
};

// Which way each corner lies: a point replaces it when it is further that way in any of the three directions.
static const signed char ways[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                       {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
// The corner whose height a point is compared with. The order of the three comparisons does not matter.
static const int height_of[8] = {0, 1, 2, 3, 0, 5, 2, 7};

static bool is_further(const st_real *x, const st_real *corners, size_t width, int corner) {
    const st_real *c = corners + (size_t)corner * width, *h = corners + (size_t)height_of[corner] * width;
    return ways[corner][0] * (x[0] - c[0]) > 0 || ways[corner][1] * (x[1] - c[1]) > 0 ||
           ways[corner][2] * (x[2] - h[2]) > 0;
}

static bool is_flat(const st_reals *points, size_t width) {
    for (size_t i = 1; i < points->count; i++)
        if (points->data[i * width + 2] != points->data[2]) return false;
    return true;
}

static void find_corners(patch_test *self) {
    const size_t width = self->movement.points.base.object.dof->coord;
    const st_reals *points = &self->constrained_points;
    st_real *corners = self->corner_points.data;

    for (size_t c = 0; c < self->corners; c++) memcpy(corners + c * width, points->data, width * sizeof *corners);

    // each point in turn replaces the corners that it is further out than; one that becomes c5 cannot become c7, too
    for (size_t i = 0; i < points->count; i++) {
        const st_real *x = points->data + i * width;
        bool fifth = false;
        for (int c = 0; c < (int)self->corners; c++) {
            if (c == 7 && fifth) continue;
            if (!is_further(x, corners, width, c)) continue;
            memcpy(corners + (size_t)c * width, x, width * sizeof *corners);
            if (c == 5) fifth = true;
        }
    }
}

static st_status check_extent(const patch_test *self) {
    const size_t width = self->movement.points.base.object.dof->coord;
    const st_real *c = self->corner_points.data;

    if (c[width] == c[0] || c[3 * width + 1] == c[1] || (self->corners == 8 && c[4 * width + 2] == c[2]))
        return st_invalid((st_object *)self, "the corners of the patch have no extent in x%s",
                          self->corners == 8 ? ", y or z" : " or y");
    return ST_OK;
}

static st_status patch_test_movement_init(st_object *object) {
    patch_test *self = (patch_test *)object;
    const size_t width = object->dof->coord, deriv = object->dof->deriv;
    const st_status status = st_movement_init(object);
    if (status != ST_OK) return status;

    if (!st_all_finite(self->constrained_points.data, self->constrained_points.count * width) ||
        !st_all_finite(self->corner_movements.data, self->corner_movements.count * deriv) ||
        !st_all_finite(self->corner_points.data, self->corner_points.count * width))
        return st_invalid(object, "a point or a movement holds a number that is not finite");

    // four corners of a flat patch, eight of a box
    const bool given = self->constrained_points.count > 0;
    self->corners = (given ? is_flat(&self->constrained_points, width) : self->corner_points.count < 8) ? 4 : 8;

    if (!given && self->corner_points.count < self->corners)
        return st_invalid(object, "constrainedPoints is empty and cornerPoints holds %zu points: 4 or 8 are needed",
                          self->corner_points.count);

    if (self->corner_movements.count < self->corners)
        return st_invalid(object, "cornerMovements holds %zu displacements: %zu are needed",
                          self->corner_movements.count, self->corners);

    // of given points the outermost ones are the corners
    if (given) {
        if (!st_resize_member(object, &self->corner_points, self->corners)) return ST_OUT_OF_MEMORY;
        find_corners(self);
        st_touch(object, &self->corner_points);
    }

    return check_extent(self);
}

static void patch_test_movement_find_final(const st_movement *movement, const st_real *start, st_real *final) {
    const patch_test *self = (const patch_test *)movement;
    const size_t width = movement->points.base.object.dof->coord;
    const size_t deriv = movement->points.base.object.dof->deriv;
    const st_real *c = self->corner_points.data, *moves = self->corner_movements.data;

    // the fractions a, b and g of the patch
    const st_real a = fabs(start[0] - c[0]) / fabs(c[width] - c[0]);
    const st_real b = fabs(start[1] - c[1]) / fabs(c[3 * width + 1] - c[1]);
    const st_real g = self->corners == 8 ? fabs(start[2] - c[2]) / fabs(c[4 * width + 2] - c[2]) : 0;
    const st_real plane[4] = {(1 - a) * (1 - b), a * (1 - b), a * b, (1 - a) * b};

    // x1 = x0 + Σ weight × displacement of the corner
    for (size_t j = 0; j < width; j++) final[j] = start[j];
    for (size_t k = 0; k < self->corners; k++) {
        const st_real weight = plane[k % 4] * (k < 4 ? 1 - g : g);
        for (size_t j = 0; j < 3; j++) final[j] += moves[k * deriv + j] * weight;
    }
}

static void patch_test_movement_position(st_projection *base, st_coord_id x) {
    st_movement_position((st_movement *)base, x, patch_test_movement_find_final);
}

static const st_projection_ops ops = {
    .response = st_points_response,
    .velocity = st_points_velocity,
    .position = patch_test_movement_position,
    .discard = st_points_discard,
    .columns = st_points_columns,
};

const st_class st_patch_test_movement_projective_constraint_class = {
    .name = "PatchTestMovementProjectiveConstraint",
    .help = "moves points by the interpolated displacement of the corners of a patch",
    .parent = &st_movement_class,
    .templates = "Vec3 Rigid3",
    .fields = fields,
    .size = sizeof(patch_test),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0  1 1 0  0 1 0  0.5 0.5 0\"/>\n"
               "<UniformMass totalMass=\"5\"/>\n"
               "<PatchTestMovementProjectiveConstraint indices=\"0 1 2 3\" endConstraintTime=\"1\"\n"
               "    constrainedPoints=\"0 0 0  1 0 0  1 1 0  0 1 0\"\n"
               "    cornerMovements=\"0 0 0  0.1 0 0  0.2 0.1 0  0 0.1 0\"/>",
    .init = patch_test_movement_init,
    .projection = &ops,
};
