// RegularGridSpringForceField: springs (spring.h) along the lines and across the faces and cells of a regular grid.
//
// The rest lengths are those of the grid's steps Dx, Dy, Dz, whatever the positions of the state; ks = stiffness / l0
// and kd = damping / l0. Order, each with z outermost and x innermost:
//
//     springs of `spring`;  lines along x, along y, along z
//     both diagonals of the quads XY, XZ, YZ
//     the four diagonals of the cells
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/spring.h"
#include "math/vec3.h"
#include "topology/regular_grid.h"

enum { LINES, QUADS, CUBES, FAMILIES };

typedef struct grid_springs {
    st_spring_force springs;
    st_real stiffness[FAMILIES], damping[FAMILIES];
} grid_springs;

#define FAMILY(i, name)                                                                                                \
    ST_FIELD(grid_springs, stiffness[i], name "Stiffness", st_type_real, "100",                                        \
             "stiffness, divided by the length of each spring", .aliases = "stiffness", .flags = ST_FIELD_TRACKED),    \
        ST_FIELD(grid_springs, damping[i], name "Damping", st_type_real, "5",                                          \
                 "damping, divided by the length of each spring", .aliases = "damping", .flags = ST_FIELD_TRACKED)

static const st_field fields[] = {
    FAMILY(LINES, "lines"),
    FAMILY(QUADS, "quads"),
    FAMILY(CUBES, "cubes"),
    ST_FIELDS_END,
};

// A spring from corner `from` to corner `to` of each cell of the block that `span` (0 or 1 along each axis) makes.
typedef struct diagonal {
    int family;
    int span[3], from[3], to[3];
} diagonal;

static const diagonal passes[] = {
    {LINES, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}}, {LINES, {0, 1, 0}, {0, 0, 0}, {0, 1, 0}},
    {LINES, {0, 0, 1}, {0, 0, 0}, {0, 0, 1}}, {QUADS, {1, 1, 0}, {0, 0, 0}, {1, 1, 0}},
    {QUADS, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}, {QUADS, {1, 0, 1}, {0, 0, 0}, {1, 0, 1}},
    {QUADS, {1, 0, 1}, {1, 0, 0}, {0, 0, 1}}, {QUADS, {0, 1, 1}, {0, 0, 0}, {0, 1, 1}},
    {QUADS, {0, 1, 1}, {0, 1, 0}, {0, 0, 1}}, {CUBES, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}},
    {CUBES, {1, 1, 1}, {1, 0, 0}, {0, 1, 1}}, {CUBES, {1, 1, 1}, {0, 1, 0}, {1, 0, 1}},
    {CUBES, {1, 1, 1}, {0, 0, 1}, {1, 1, 0}},
};
// Passes that share their cells are made cell by cell: how many go together, in order.
static const int groups[] = {1, 1, 1, 2, 2, 2, 4};

static bool add_one(grid_springs *force, const st_regular_grid *grid, const diagonal *d, const int32_t cell[3]) {
    // l0 by the steps of the grid
    st_real vector[3];
    for (int i = 0; i < 3; i++) vector[i] = grid->step[i] * (st_real)(d->to[i] - d->from[i]);
    const st_real length = st_vec3_norm(vector);

    const st_grid *g = &grid->grid;
    const st_spring spring = {
        .a = st_grid_point_index(g, cell[0] + d->from[0], cell[1] + d->from[1], cell[2] + d->from[2]),
        .b = st_grid_point_index(g, cell[0] + d->to[0], cell[1] + d->to[1], cell[2] + d->to[2]),
        .stiffness = force->stiffness[d->family] / length,
        .damping = force->damping[d->family] / length,
        .length = length,
        .enabled = true,
    };
    return st_springs_add(&force->springs.kernel, spring);
}

static bool add_group(grid_springs *force, const st_regular_grid *grid, const diagonal *first, int count) {
    if (force->stiffness[first->family] == 0 && force->damping[first->family] == 0) return true;
    int32_t end[3], cell[3];

    // cells along each axis; a line or quad has one more across it
    for (int i = 0; i < 3; i++) end[i] = grid->grid.n[i] - first->span[i];

    for (cell[2] = 0; cell[2] < end[2]; cell[2]++)
        for (cell[1] = 0; cell[1] < end[1]; cell[1]++)
            for (cell[0] = 0; cell[0] < end[0]; cell[0]++)
                for (int k = 0; k < count; k++)
                    if (!add_one(force, grid, first + k, cell)) return false;
    return true;
}

static st_status regular_grid_spring_make_springs(grid_springs *force) {
    const st_status status = st_springs_from_fields(&force->springs);
    const st_force *base = &force->springs.base;
    if (status != ST_OK || base->state != base->other) return status;

    // a grid of its own points
    const st_topology *topology = st_context_topology(base->state->object.node, NULL);
    if (!topology || !st_is_a(&topology->object, &st_regular_grid_topology_class)) return ST_OK;

    const diagonal *next = passes;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; next += groups[i++])
        if (!add_group(force, (const st_regular_grid *)topology, next, groups[i])) return ST_OUT_OF_MEMORY;
    return ST_OK;
}

static st_status regular_grid_spring_init(st_object *object) {
    const st_status status = st_spring_force_field_class.init(object);
    return status == ST_OK ? regular_grid_spring_make_springs((grid_springs *)object) : status;
}

static void regular_grid_spring_changed(st_object *object) {
    if (st_is_valid(object)) regular_grid_spring_make_springs((grid_springs *)object);
}

const st_class st_regular_grid_spring_force_field_class = {
    .name = "RegularGridSpringForceField",
    .help = "springs along the lines and across the faces and cells of a regular grid",
    .parent = &st_spring_force_field_class,
    .templates = "Vec1 Vec2 Vec3 Vec6",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(grid_springs),
    .example = "<RegularGridTopology n=\"2 2 2\" min=\"0 0 0\" max=\"1 1 1\"/>\n"
               "<MechanicalObject position=\"0 0 0.1  1.1 0 0  0 1 0  1 1 0  0 0.2 1  1 0 1  0 1 1  1 1.1 1\"/>\n"
               "<RegularGridSpringForceField linesStiffness=\"50\" quadsStiffness=\"50\" cubesStiffness=\"50\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
    .init = regular_grid_spring_init,
    .changed = regular_grid_spring_changed,
};
