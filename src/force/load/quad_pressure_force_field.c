// QuadPressureForceField: a load on quads of a surface, F = pressure × area at rest, a quarter of it on each vertex.
//
// The quads are listed, or selected: those whose vertices at rest are all strictly between dmin and dmax along
// `normal`.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/load/element_load.h"
#include "settee/plugin/change.h"
#include "topology/topology.h"

typedef struct quad_pressure {
    st_force base;
    st_real pressure[3], normal[3], low, high;
    st_uints quads;
    bool show_forces;
    st_object *topology;

    st_element_loads loads;
} quad_pressure;

static const st_field fields[] = {
    ST_FIELD(quad_pressure, pressure, "pressure", st_type_vec3, "0 0 0", "force per area", .flags = ST_FIELD_TRACKED),
    ST_FIELD(quad_pressure, quads, "quadList", st_type_indices, NULL, "the quads of the mesh",
             .mesh = ST_INDICES(ST_QUAD)),
    ST_FIELD(quad_pressure, normal, "normal", st_type_vec3, "0 0 0", "direction of the selection"),
    ST_FIELD(quad_pressure, low, "dmin", st_type_real, "0", "selection: lower end along the normal"),
    ST_FIELD(quad_pressure, high, "dmax", st_type_real, "0", "selection: upper end; none when it equals dmin"),
    ST_FIELD(quad_pressure, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(quad_pressure, show_forces, "showForces", st_type_bool, "0", "draw the forces", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static st_status quad_pressure_init(st_object *object) {
    quad_pressure *force = (quad_pressure *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    st_topology *topology = st_context_topology(object->node, force->topology);
    if (!topology) return st_invalid(object, "there is no mesh in its node or above: there is no load");

    const st_points rest = st_points_of(force->base.state, ST_COORD_REST);

    // quads between two planes, unless they are listed
    st_uints selected = {0};
    bool ok = true;
    if (force->low != force->high && !st_became_empty(object, &force->quads))
        ok = st_select_between(topology, ST_QUAD, &rest, force->normal, force->low, force->high, &selected);
    ok = ok && st_element_loads_make(&force->loads, object, topology, ST_QUAD,
                                     force->quads.count ? &force->quads : &selected, &rest);
    st_element_loads_press(&force->loads, force->pressure, &rest);

    st_free(selected.data);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

static void quad_pressure_changed(st_object *object) {
    quad_pressure *force = (quad_pressure *)object;

    if (!force->base.state) return;
    const st_points rest = st_points_of(force->base.state, ST_COORD_REST);
    st_element_loads_press(&force->loads, force->pressure, &rest);
}

static void quad_pressure_add_force(st_force *base, const st_params *params) {
    if (base->state) st_element_loads_add(&((const quad_pressure *)base)->loads, base->state, params);
}

static void quad_pressure_draw(st_object *object, st_canvas *canvas) {
    const quad_pressure *force = (const quad_pressure *)object;
    if (force->show_forces && force->base.state) st_element_loads_draw(&force->loads, force->base.state, 1, canvas);
}

static void quad_pressure_destroy(st_object *object) { st_element_loads_free(&((quad_pressure *)object)->loads); }

static const st_force_ops force_ops = {.add_force = quad_pressure_add_force};

const st_class st_quad_pressure_force_field_class = {
    .name = "QuadPressureForceField",
    .help = "a load on quads of a surface",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(quad_pressure),
    .example = "<MeshTopology quads=\"0 1 2 3\"/>\n"
               "<MechanicalObject position=\"0 0 0  2 0 0  2 1 0  0 1 0\"/>\n"
               "<QuadPressureForceField normal=\"0 0 1\" dmin=\"-1\" dmax=\"1\" pressure=\"0 0 3\"/>",
    .init = quad_pressure_init,
    .changed = quad_pressure_changed,
    .draw = quad_pressure_draw,
    .destroy = quad_pressure_destroy,
    .force = &force_ops,
};
