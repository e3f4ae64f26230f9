// EdgePressureForceField: a load on edges of a mesh, half of it on each end.
//
//     pressure given:            F = pressure L        force per length, L the length at rest
//     else, binormal b given:    F = (b × t) I L       normalized b × t; t the direction of the edge now
//     else:                      F = n I L             n in the plane z = const, towards the edge's only triangle
//
// I is p_intensity, one value or one for each edge. Edges are selected by planes (dmin < p.normal < dmax at rest), by
// number, or by their two vertices; the last selection given counts. It has no derivative.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/load/element_load.h"
#include "math/vec3.h"
#include "scene/compat.h"
#include "settee/plugin/change.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

typedef struct edge_pressure {
    st_force base;
    st_real pressure[3], normal[3], binormal[3], low, high;
    st_uints indices, edges; // edges: two vertices each
    st_reals intensity;
    st_object *topology_link;
    bool show_forces;
    st_real arrow_size;

    st_topology *topology;
    st_element_loads loads;
} edge_pressure;

static const st_field fields[] = {
    ST_FIELD(edge_pressure, pressure, "pressure", st_type_vec3, "0 0 0", "force per length", .flags = ST_FIELD_REINIT),
    ST_FIELD(edge_pressure, indices, "edgeIndices", st_type_indices, NULL, "numbers of the edges",
             .mesh = ST_INDICES(ST_EDGE), .flags = ST_FIELD_REINIT),
    ST_FIELD(edge_pressure, edges, "edges", st_type_edges, NULL, "the edges by their vertices",
             .mesh = ST_INDICES(ST_POINT), .flags = ST_FIELD_REINIT),
    ST_FIELD(edge_pressure, normal, "normal", st_type_vec3, "0 0 0", "direction of the selection",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(edge_pressure, low, "dmin", st_type_real, "0", "selection: lower end along the normal",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(edge_pressure, high, "dmax", st_type_real, "0", "selection: upper end; none when it equals dmin",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(edge_pressure, intensity, "p_intensity", st_type_reals, NULL,
             "force per length across the edge, used when pressure is 0: one, or one per edge",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(edge_pressure, binormal, "binormal", st_type_vec3, "0 0 0", "across the edge and the force",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(edge_pressure, topology_link, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(edge_pressure, show_forces, "showForces", st_type_bool, "0", "draw the forces", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(edge_pressure, arrow_size, "arrowSizeCoef", st_type_real, "0", "length of the arrows drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Selection
// ---------------------------------------------------------------------------------------------------

// The last edge of the mesh with these vertices in this order; edge 0 when there is none.
static uint32_t find_edge(const st_uints *edges, const uint32_t *vertices) {
    for (size_t e = edges->count; e-- > 0;)
        if (edges->data[2 * e] == vertices[0] && edges->data[2 * e + 1] == vertices[1]) return (uint32_t)e;
    return 0;
}

static bool select_edges(edge_pressure *force, const st_points *rest, st_uints *selected) {
    const st_uints *all = st_topology_elements(force->topology, ST_EDGE);

    // by their vertices
    if (force->edges.count) {
        if (!st_list_set_count(selected, force->edges.count, 1)) return false;
        for (size_t i = 0; i < force->edges.count; i++) selected->data[i] = find_edge(all, force->edges.data + 2 * i);
        return true;
    }

    // by their numbers
    if (force->indices.count) {
        if (!st_list_set_count(selected, force->indices.count, 1)) return false;
        st_copy_bytes(selected->data, force->indices.data, force->indices.count * sizeof *selected->data);
        return true;
    }

    // by planes
    if (force->low == force->high) return true;
    return st_select_between(force->topology, ST_EDGE, rest, force->normal, force->low, force->high, selected);
}

// ---------------------------------------------------------------------------------------------------
// Forces
// ---------------------------------------------------------------------------------------------------

static bool same_place(const st_real a[3], const st_real b[3]) {
    st_real d[3];
    st_vec3_sub(d, a, b);
    return fabs(d[0]) < ST_R(1e-6) && fabs(d[1]) < ST_R(1e-6) && fabs(d[2]) < ST_R(1e-6);
}

// The third vertex of the only triangle at the edge of the context's surface that is at the same place as the edge p q.
static bool find_opposite_point(const edge_pressure *force, const st_real *p, const st_real *q, st_real opposite[3]) {
    st_topology *surface = st_context_topology(force->base.object.node, NULL);
    const st_state *state = surface ? (const st_state *)st_find_slot(surface->object.node, ST_ROLE(state)) : NULL;

    if (!state || state->object.dof != &st_vec3) return false;

    // the surface may be another mesh than that of the edges: places are compared, not numbers
    const st_points points = st_points_of(state, ST_COORD_POSITION);
    const st_uints *edges = st_topology_elements(surface, ST_EDGE);
    const st_uints *triangles = st_topology_elements(surface, ST_TRIANGLE);
    const st_around around = st_topology_around(surface, ST_TRIANGLE, ST_EDGE);

    for (size_t e = 0; e < edges->count; e++) {
        const uint32_t *v = edges->data + 2 * e;
        const st_shell shell = st_shell_of(around, e);
        if (!st_has_points(&points, ST_EDGE, v)) continue;
        if (!same_place(st_point(&points, v[0]), p) || !same_place(st_point(&points, v[1]), q)) continue;

        // its only triangle
        if (shell.count != 1 || !st_has_points(&points, ST_TRIANGLE, triangles->data + 3 * (size_t)shell.ids[0]))
            return false;
        const uint32_t *t = triangles->data + 3 * (size_t)shell.ids[0];
        for (int i = 0; i < 3; i++)
            if (t[i] != v[0] && t[i] != v[1]) st_vec3_copy(opposite, st_point(&points, t[i]));
        return true;
    }
    return false;
}

// The unit vector across the edge; false where there is none.
static bool find_direction(const edge_pressure *force, const st_real *p, const st_real *q, st_real n[3]) {
    st_real t[3], b[3], opposite[3] = {0, 0, 0}, inward[3];
    st_vec3_sub(t, q, p);
    st_vec3_normalize(t, t);

    // across the edge and the given binormal
    if (st_vec3_norm(force->binormal) > 0) {
        st_vec3_normalize(b, force->binormal);
        st_vec3_cross(n, b, t);
        return st_vec3_normalize(n, n);
    }

    if (!find_opposite_point(force, p, q, opposite)) return false;

    // across the edge in the plane, towards the triangle
    st_vec3_cross(n, (const st_real[3]){0, 0, 1}, t);
    st_vec3_sub(inward, opposite, p);
    if (st_vec3_dot(n, inward) < 0) st_vec3_negate(n, n);
    return true;
}

// The length at rest of the edge with load i.
static st_real rest_length(const edge_pressure *force, size_t i, const st_points *rest) {
    const st_uints *all = st_topology_elements(force->topology, ST_EDGE);
    const bool by_rank = st_compat_on(force->base.object.scene, ST_COMPAT_EDGE_PRESSURE_LATE);
    const uint32_t *v = by_rank && i < all->count ? all->data + 2 * i : force->loads.list.data[i].vertices;
    return st_has_points(rest, ST_EDGE, v) ? st_measure(rest, ST_EDGE, v) : 0;
}

static void edge_pressure_update(edge_pressure *force, const st_real *x) {
    const st_points rest = st_points_of(force->base.state, ST_COORD_REST);

    // a force per length
    if (st_vec3_norm(force->pressure) > 0) {
        st_element_loads_press(&force->loads, force->pressure, &rest);
        return;
    }

    // n I L
    for (size_t i = 0; i < force->loads.list.count; i++) {
        st_element_load *load = &force->loads.list.data[i];
        st_real n[3];
        st_vec3_zero(load->force);
        if (!force->intensity.count || load->vertices[0] >= force->base.state->size ||
            load->vertices[1] >= force->base.state->size)
            continue;

        if (!find_direction(force, x + 3 * (size_t)load->vertices[0], x + 3 * (size_t)load->vertices[1], n)) continue;

        const bool one = force->intensity.count == 1 || i >= force->intensity.count;
        st_vec3_scale(load->force, n, force->intensity.data[one ? 0 : i] * rest_length(force, i, &rest));
    }
}

// ---------------------------------------------------------------------------------------------------
// Life
// ---------------------------------------------------------------------------------------------------

static st_status edge_pressure_init(st_object *object) {
    edge_pressure *force = (edge_pressure *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;
    force->topology = st_context_topology(object->node, force->topology_link);
    if (!force->topology) return st_invalid(object, "there is no mesh in its node or above: there is no load");

    // the edges, which stay those of the start
    const st_points rest = st_points_of(force->base.state, ST_COORD_REST);
    st_uints selected = {0};
    const bool ok = select_edges(force, &rest, &selected) &&
                    st_element_loads_make(&force->loads, object, force->topology, ST_EDGE, &selected, &rest);
    st_list_free(&selected);
    if (!ok) return ST_OUT_OF_MEMORY;

    edge_pressure_update(force, force->base.state->coord[ST_COORD_POSITION].data);
    return ST_OK;
}

static void edge_pressure_add_force(st_force *base, const st_params *params) {
    edge_pressure *force = (edge_pressure *)base;
    if (!base->state || !force->topology) return;

    // SOFA uses the directions of the evaluation before
    const bool late = st_compat_on(base->object.scene, ST_COMPAT_EDGE_PRESSURE_LATE);
    if (!late) edge_pressure_update(force, st_x(base->state, params));
    st_element_loads_add(&force->loads, base->state, params);
    if (late) edge_pressure_update(force, base->state->coord[ST_COORD_POSITION].data);
}

static void edge_pressure_draw(st_object *object, st_canvas *canvas) {
    const edge_pressure *force = (const edge_pressure *)object;
    if (force->show_forces && force->base.state)
        st_element_loads_draw(&force->loads, force->base.state, force->arrow_size, canvas);
}

static void edge_pressure_destroy(st_object *object) { st_element_loads_free(&((edge_pressure *)object)->loads); }

static const st_force_ops force_ops = {.add_force = edge_pressure_add_force};

const st_class st_edge_pressure_force_field_class = {
    .name = "EdgePressureForceField",
    .help = "a load on edges of a mesh",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(edge_pressure),
    .example = "<MeshTopology edges=\"0 1  1 2  2 0\"/>\n"
               "<MechanicalObject position=\"0 0 0  2 0 0  0 1 0\"/>\n"
               "<EdgePressureForceField edgeIndices=\"0 2\" binormal=\"0 0 1\" p_intensity=\"3\"/>",
    .flags = ST_CLASS_NO_TANGENT,
    .init = edge_pressure_init,
    .draw = edge_pressure_draw,
    .destroy = edge_pressure_destroy,
    .force = &force_ops,
};
