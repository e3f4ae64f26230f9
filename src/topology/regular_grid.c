// RegularGridTopology: a grid of boxes between two corners.
//
//     point (i, j, k) = p0 + (i d_x, j d_y, k d_z),   d = (max - min) / (n - 1),   p0 = min
//
// Along an axis with one layer d is max - min, and p0 is in the middle for x and y but at min for z. The steps are
// fixed when the component is read: a cellWidth changes the number of points at init, not the steps.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/regular_grid.h"

#include "math/vec3.h"
#include "topology/lattice.h"

static const st_field fields[] = {
    ST_FIELD(st_regular_grid, min, "min", st_type_vec3, "0 0 0", "one corner"),
    ST_FIELD(st_regular_grid, max, "max", st_type_vec3, "1 1 1", "the opposite corner"),
    ST_FIELD(st_regular_grid, x_range[0], "xmin", st_type_float, "0",
             "corners in single precision; all six together replace min and max", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_regular_grid, x_range[1], "xmax", st_type_float, "1", "see xmin", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_regular_grid, y_range[0], "ymin", st_type_float, "0", "see xmin", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_regular_grid, y_range[1], "ymax", st_type_float, "1", "see xmin", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_regular_grid, z_range[0], "zmin", st_type_float, "0", "see xmin", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_regular_grid, z_range[1], "zmax", st_type_float, "1", "see xmin", .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_regular_grid, scale, "scale", st_type_float, "1", "factor of xmin ... zmax",
             .flags = ST_FIELD_SHORTHAND),
    ST_FIELD(st_regular_grid, p0, "p0", st_type_vec3, "0 0 0", "position of the first point; min when not given"),
    ST_FIELD(st_regular_grid, cell_width, "cellWidth", st_type_real, "0",
             "when not 0, the number of points is ceil((max - min) / cellWidth) + 1"),
    ST_FIELDS_END,
};

static st_status regular_grid_parse(st_object *object) {
    st_regular_grid *grid = (st_regular_grid *)object;

    st_pull(object); // n, min and max may be linked to what was read before
    st_grid_check_size(&grid->grid);
    const st_real *const range[3] = {grid->x_range, grid->y_range, grid->z_range};
    st_mesh_apply_ranges(object, range, grid->scale, grid->min, grid->max);

    const bool keep_origin = st_is_set(object, &grid->p0);

    // one layer lies in the middle of the box along x and y, at its beginning along z
    for (int i = 0; i < 3; i++) {
        const int32_t cells = grid->grid.n[i] - 1;
        const st_real middle = (grid->max[i] + grid->min[i]) / 2;
        grid->step[i] = cells > 0 ? (grid->max[i] - grid->min[i]) / (st_real)cells : grid->max[i] - grid->min[i];
        if (!keep_origin) grid->p0[i] = cells > 0 || i == 2 ? grid->min[i] : middle;
    }
    return ST_OK;
}

// Numbers of points that no int holds are left to the check of the size, as 0.
static void apply_cell_width(st_regular_grid *grid) {
    if (grid->cell_width == 0) return;

    for (int i = 0; i < 3; i++) {
        const st_real count = ceil((grid->max[i] - grid->min[i]) / grid->cell_width) + 1;
        grid->grid.n[i] = count >= 1 && count < (st_real)1e9 ? (int32_t)count : 0;
        grid->grid.n_axis[i] = grid->grid.n[i];
    }
}

static st_status regular_grid_init(st_object *object) {
    st_regular_grid *grid = (st_regular_grid *)object;
    for (int i = 0; i < 3; i++)
        if (grid->min[i] > grid->max[i])
            st_message(object, ST_WARNING, "min = %g is larger than max = %g along %c: its cells are inside out",
                       (double)grid->min[i], (double)grid->max[i], "xyz"[i]);
    apply_cell_width(grid);
    return st_grid_topology_class.init(object);
}

static bool regular_grid_point(const st_topology *topology, size_t index, st_real p[3]) {
    const st_regular_grid *grid = (const st_regular_grid *)topology;

    if (index >= st_grid_points(&grid->grid)) return false;

    // x is the fastest
    size_t rest = index;
    for (int i = 0; i < 3; i++) {
        const size_t n = (size_t)grid->grid.n[i];
        p[i] = grid->p0[i] + grid->step[i] * (st_real)(rest % n);
        rest /= n;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Search
// ---------------------------------------------------------------------------------------------------

static st_lattice lattice_of(const st_regular_grid *grid) {
    st_lattice lattice;

    for (int i = 0; i < 3; i++) {
        lattice.n[i] = grid->grid.n[i];
        lattice.p0[i] = grid->p0[i];
        lattice.step[i] = grid->step[i];
    }
    return lattice;
}

size_t st_regular_grid_find_nearest_cell(const st_regular_grid *grid, const st_real p[3], st_real local[3]) {
    if (st_grid_cells(&grid->grid) == 0) return SIZE_MAX;

    const st_lattice lattice = lattice_of(grid);
    return st_lattice_find_nearest(&lattice, p, local);
}

// ---------------------------------------------------------------------------------------------------
// Class
// ---------------------------------------------------------------------------------------------------

static void regular_grid_derive(st_topology *topology, st_element kind) {
    st_grid_topology_class.topology->derive(topology, kind);
}
static size_t regular_grid_points(const st_topology *topology) { return st_grid_points((const st_grid *)topology); }

static const st_topology_ops ops = {
    .derive = regular_grid_derive, .points = regular_grid_points, .point = regular_grid_point};

const st_class st_regular_grid_topology_class = {
    .name = "RegularGridTopology",
    .help = "a grid of equal boxes between two corners",
    .parent = &st_grid_topology_class,
    .fields = fields,
    .size = sizeof(st_regular_grid),
    .example = "<RegularGridTopology n=\"3 3 3\" min=\"-1 -1 -1\" max=\"1 1 1\"/>",
    .parse = regular_grid_parse,
    .init = regular_grid_init,
    .topology = &ops,
};
