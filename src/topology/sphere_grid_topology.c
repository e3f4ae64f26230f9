// SphereGridTopology: a grid bent into a ball.
//
//     cube    p_a = 2 i_a r / (n_a - 1) - r,   p max(|p0|, |p1|, |p2|) / |p| makes it round
//     point   center + X p0 + Y p1 + Z p2
//
// with Z along the axis, Y = Z × X.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/vec3.h"
#include "topology/round_grid.h"

typedef struct sphere_grid {
    st_grid grid;
    st_real center[3], axis[3];
    st_real radius;
} sphere_grid;

static const st_field fields[] = {
    ST_FIELD(sphere_grid, center, "center", st_type_vec3, "0 0 0", "center of the ball"),
    ST_FIELD(sphere_grid, axis, "axis", st_type_vec3, "0 0 1", "direction of the grid's z axis"),
    ST_FIELD(sphere_grid, radius, "radius", st_type_real, "1", "radius of the ball"),
    ST_FIELDS_END,
};

static bool sphere_grid_topology_point(const st_topology *topology, size_t index, st_real p[3]) {
    const sphere_grid *self = (const sphere_grid *)topology;
    int32_t at[3];
    if (!st_grid_place(&self->grid, index, at)) return false;

    st_real axes[3][3], local[3];
    st_round_grid_axes(self->axis, axes);
    for (int i = 0; i < 3; i++) local[i] = st_round_grid_coordinate(at[i], self->grid.n[i], self->radius);
    st_round_grid_to_ball(local);

    st_round_grid_point(self->center, axes, local, p);
    return true;
}

static void sphere_grid_topology_derive(st_topology *topology, st_element kind) {
    st_grid_topology_class.topology->derive(topology, kind);
}
static size_t sphere_grid_topology_points(const st_topology *topology) {
    return st_grid_points((const st_grid *)topology);
}

static const st_topology_ops ops = {
    .derive = sphere_grid_topology_derive, .points = sphere_grid_topology_points, .point = sphere_grid_topology_point};

const st_class st_sphere_grid_topology_class = {
    .name = "SphereGridTopology",
    .help = "a grid bent into a ball",
    .parent = &st_grid_topology_class,
    .fields = fields,
    .size = sizeof(sphere_grid),
    .example = "<SphereGridTopology n=\"6 6 6\" radius=\"2\"/>",
    .topology = &ops,
};
