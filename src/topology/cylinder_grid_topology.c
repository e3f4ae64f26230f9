// CylinderGridTopology: a grid of which each layer along its axis is a disc.
//
//     square   p = (2 i r / (nx - 1) - r,  2 j r / (ny - 1) - r),   p max(|p0|, |p1|) / |p| makes it round
//     point    center + X p0 + Y p1 + Z h,   h = k length / (nz - 1)
//
// with Z along the axis, Y = Z × X.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/vec3.h"
#include "topology/round_grid.h"

typedef struct cylinder_grid {
    st_grid grid;
    st_real center[3], axis[3];
    st_real radius, length;
} cylinder_grid;

static const st_field fields[] = {
    ST_FIELD(cylinder_grid, center, "center", st_type_vec3, "0 0 0", "center of the first disc"),
    ST_FIELD(cylinder_grid, axis, "axis", st_type_vec3, "0 0 1", "direction of the axis"),
    ST_FIELD(cylinder_grid, radius, "radius", st_type_real, "1", "radius of the discs"),
    ST_FIELD(cylinder_grid, length, "length", st_type_real, "1", "distance between the first and the last disc"),
    ST_FIELDS_END,
};

static bool cylinder_grid_topology_point(const st_topology *topology, size_t index, st_real p[3]) {
    const cylinder_grid *self = (const cylinder_grid *)topology;
    int32_t at[3];
    if (!st_grid_place(&self->grid, index, at)) return false;

    st_real axes[3][3], local[3] = {0, 0, 0};
    st_round_grid_axes(self->axis, axes);
    for (int i = 0; i < 2; i++) local[i] = st_round_grid_coordinate(at[i], self->grid.n[i], self->radius);
    st_round_grid_to_ball(local);

    // the height of the layer along the axis
    local[2] = self->grid.n[2] > 1 ? (st_real)at[2] * self->length / (st_real)(self->grid.n[2] - 1) : 0;
    st_round_grid_point(self->center, axes, local, p);
    return true;
}

static void cylinder_grid_topology_derive(st_topology *topology, st_element kind) {
    st_grid_topology_class.topology->derive(topology, kind);
}
static size_t cylinder_grid_topology_points(const st_topology *topology) {
    return st_grid_points((const st_grid *)topology);
}

static const st_topology_ops ops = {.derive = cylinder_grid_topology_derive,
                                    .points = cylinder_grid_topology_points,
                                    .point = cylinder_grid_topology_point};

const st_class st_cylinder_grid_topology_class = {
    .name = "CylinderGridTopology",
    .help = "a grid bent into a cylinder",
    .parent = &st_grid_topology_class,
    .fields = fields,
    .size = sizeof(cylinder_grid),
    .example = "<CylinderGridTopology n=\"5 5 20\" axis=\"0 1 0\" radius=\"2\" length=\"10\"/>",
    .topology = &ops,
};
