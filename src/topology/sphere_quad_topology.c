// SphereQuadTopology: the surface of a box blown up to a sphere.
//
//     point (x, y, z) = center + radius u / |u|,   u = (2 x / (nx - 1) - 1, 2 y / (ny - 1) - 1, 2 z / (nz - 1) - 1)
//
// SPDX-License-Identifier: Apache-2.0
#include "math/vec3.h"
#include "topology/cube.h"

typedef struct sphere_quad {
    st_cube cube;
    st_real center[3], radius;
} sphere_quad;

static const st_field fields[] = {
    ST_FIELD(sphere_quad, center, "center", st_type_vec3, "0 0 0", "center of the sphere"),
    ST_FIELD(sphere_quad, radius, "radius", st_type_real, "0", "radius of the sphere"),
    ST_FIELDS_END,
};

static void sphere_quad_topology_place(const st_cube *cube, const int32_t at[3], st_real p[3]) {
    const sphere_quad *self = (const sphere_quad *)cube;
    st_real u[3];
    for (int i = 0; i < 3; i++) u[i] = cube->n[i] > 1 ? (st_real)(2 * at[i]) / (st_real)(cube->n[i] - 1) - 1 : 0;

    st_vec3_normalize(u, u);
    st_vec3_add_scaled(p, self->center, u, self->radius);
}

static st_status sphere_quad_topology_parse(st_object *object) {
    return st_cube_parse((st_cube *)object, sphere_quad_topology_place);
}
static st_status sphere_quad_topology_init(st_object *object) {
    return st_cube_init((st_cube *)object, sphere_quad_topology_place);
}

const st_class st_sphere_quad_topology_class = {
    .name = "SphereQuadTopology",
    .help = "points, edges and quads on a sphere, made from the surface of a box",
    .parent = &st_cube_topology_class,
    .fields = fields,
    .size = sizeof(sphere_quad),
    .example = "<SphereQuadTopology nx=\"5\" ny=\"5\" nz=\"5\" radius=\"2\"/>",
    .parse = sphere_quad_topology_parse,
    .init = sphere_quad_topology_init,
};
