// TrianglePressureForceField: a load on triangles of a surface.
//
//     constant:  F = pressure × area at rest,  a third of it on each vertex
//     else:      σ ((b - a) × (c - a)) / 6 on each vertex of the triangle a b c as it is now, σ the Cauchy stress
//
// The list of triangles and the areas are those of the start. It has no derivative.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/load/element_load.h"
#include "math/mat3.h"
#include "settee/plugin/change.h"
#include "topology/topology.h"

typedef struct triangle_pressure {
    st_force base;
    st_real pressure[3], stress[9];
    st_uints triangles;
    bool constant, show_forces;
    st_object *topology;

    st_element_loads loads;
} triangle_pressure;

static const st_field fields[] = {
    ST_FIELD(triangle_pressure, pressure, "pressure", st_type_vec3, "0 0 0", "force per area",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(triangle_pressure, stress, "cauchyStress", st_type_mat3, "0 0 0 0 0 0 0 0 0",
             "stress whose traction acts on the triangles; used when useConstantForce is off",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(triangle_pressure, triangles, "triangleList", st_type_indices, NULL, "the triangles of the mesh",
             .mesh = ST_INDICES(ST_TRIANGLE), .flags = ST_FIELD_REINIT),
    ST_FIELD(triangle_pressure, constant, "useConstantForce", st_type_bool, "1", "pressure on the areas at rest"),
    ST_FIELD(triangle_pressure, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(triangle_pressure, show_forces, "showForces", st_type_bool, "0", "draw the forces",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static st_status triangle_pressure_init(st_object *object) {
    triangle_pressure *force = (triangle_pressure *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;
    st_topology *topology = st_context_topology(object->node, force->topology);
    if (!topology) return st_invalid(object, "there is no mesh in its node or above: there is no load");

    // the areas stay those of the start
    const st_points rest = st_points_of(force->base.state, ST_COORD_REST);
    if (!st_element_loads_make(&force->loads, object, topology, ST_TRIANGLE, &force->triangles, &rest))
        return ST_OUT_OF_MEMORY;

    st_element_loads_press(&force->loads, force->pressure, &rest);
    return ST_OK;
}

static void add_stress(const triangle_pressure *force, const st_params *params) {
    const st_state *state = force->base.state;
    const st_real *x = st_x(state, params);
    st_real *f = st_f(state, params);

    for (size_t i = 0; i < force->loads.list.count; i++) {
        const uint32_t *v = force->loads.list.data[i].vertices;
        if (v[0] >= state->size || v[1] >= state->size || v[2] >= state->size) continue;

        st_real ab[3], ac[3], normal[3];

        // σ times the area vector
        st_vec3_sub(ab, x + 3 * (size_t)v[1], x + 3 * (size_t)v[0]);
        st_vec3_sub(ac, x + 3 * (size_t)v[2], x + 3 * (size_t)v[0]);
        st_vec3_cross(normal, ab, ac);
        st_mat3_times_vec(normal, force->stress, normal);
        st_vec3_divide(normal, normal, 6);

        for (int j = 0; j < 3; j++) st_vec3_add(f + 3 * (size_t)v[j], f + 3 * (size_t)v[j], normal);
    }
}

static void triangle_pressure_add_force(st_force *base, const st_params *params) {
    const triangle_pressure *force = (const triangle_pressure *)base;

    if (!base->state) return;
    if (force->constant) st_element_loads_add(&force->loads, base->state, params);
    else add_stress(force, params);
}

static void triangle_pressure_draw(st_object *object, st_canvas *canvas) {
    const triangle_pressure *force = (const triangle_pressure *)object;
    if (force->show_forces && force->base.state) st_element_loads_draw(&force->loads, force->base.state, 1, canvas);
}

static void triangle_pressure_destroy(st_object *object) {
    st_element_loads_free(&((triangle_pressure *)object)->loads);
}

static const st_force_ops force_ops = {.add_force = triangle_pressure_add_force};

const st_class st_triangle_pressure_force_field_class = {
    .name = "TrianglePressureForceField",
    .help = "a load on triangles of a surface",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(triangle_pressure),
    .example = "<MeshTopology triangles=\"0 1 2  0 2 3\"/>\n"
               "<MechanicalObject position=\"0 0 0  2 0 0  2 1 0  0 1 0\"/>\n"
               "<TrianglePressureForceField triangleList=\"0 1\" pressure=\"0 0 3\"/>",
    .flags = ST_CLASS_NO_TANGENT,
    .init = triangle_pressure_init,
    .draw = triangle_pressure_draw,
    .destroy = triangle_pressure_destroy,
    .force = &force_ops,
};
