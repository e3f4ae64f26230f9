// SurfacePressureForceField: a pressure on a surface of triangles and quads as it is now.
//
//     triangle a b c:    P = p/6 (b - a) × (c - a) on each vertex, times |n.mainDirection| if that is given
//     quad:              triangles 0 1 2 and 0 2 3
//
// The pressure may pulse between two bounds, or be raised as the enclosed volume V shrinks: p V0 / V. The derivative
// (pressed_triangles.h) is that of a constant pressure without main direction.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/load/pressed_triangles.h"
#include "math/vec3.h"
#include "settee/plugin/change.h"
#include "topology/topology.h"

typedef struct surface_pressure {
    st_force base;
    st_real pressure, min[3], max[3], lower_bound, speed, default_volume, main_direction[3], draw_scale;
    st_uints triangle_indices, quad_indices;
    bool pulse, conserve_volume, use_tangent;
    st_object *topology_link;

    st_topology *topology;
    st_real pulsed; // pressure of a pulse
    bool rising;
    st_reals sums; // force on each DOF, before it is added
    st_pressed_triangles tangent;
} surface_pressure;

static const st_field fields[] = {
    ST_FIELD(surface_pressure, pressure, "pressure", st_type_real, "0", "force per area, along the normals"),
    ST_FIELD(surface_pressure, min, "min", st_type_vec3, "0 0 0", "lower corner of the box of the elements that count"),
    ST_FIELD(surface_pressure, max, "max", st_type_vec3, "0 0 0", "upper corner; no box when both corners are 0"),
    ST_FIELD(surface_pressure, triangle_indices, "triangleIndices", st_type_indices, NULL, "triangles that count",
             .mesh = ST_INDICES(ST_TRIANGLE), .flags = ST_FIELD_REINIT),
    ST_FIELD(surface_pressure, quad_indices, "quadIndices", st_type_indices, NULL, "quads that count",
             .mesh = ST_INDICES(ST_QUAD), .flags = ST_FIELD_REINIT),
    ST_FIELD(surface_pressure, pulse, "pulseMode", st_type_bool, "0", "the pressure goes up and down",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(surface_pressure, lower_bound, "pressureLowerBound", st_type_real, "0", "other end of the pulse",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(surface_pressure, speed, "pressureSpeed", st_type_real, "0", "change of the pressure per time",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(surface_pressure, conserve_volume, "volumeConservationMode", st_type_bool, "0",
             "the pressure is multiplied by defaultVolume / volume"),
    ST_FIELD(surface_pressure, default_volume, "defaultVolume", st_type_real, "-1", "volume; -1: that of the start",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(surface_pressure, use_tangent, "useTangentStiffness", st_type_bool, "1",
             "the derivative enters the system"),
    ST_FIELD(surface_pressure, main_direction, "mainDirection", st_type_vec3, "0 0 0",
             "elements count by how much they face this direction"),
    ST_FIELD(surface_pressure, topology_link, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(surface_pressure, draw_scale, "drawForceScale", st_type_real, "0", "length of the forces drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static st_status surface_pressure_init(st_object *object) {
    surface_pressure *force = (surface_pressure *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;
    force->topology = st_context_topology(object->node, force->topology_link);
    if (!force->topology) return st_invalid(object, "there is no mesh in its node or above: there is no pressure");

    // a pulse begins at 0, towards the pressure
    force->pulsed = 0;
    force->rising = force->pressure > 0;

    if (force->pulse && force->speed == 0) {
        force->speed = fabs(force->pressure);
        st_message(object, ST_WARNING, "pressureSpeed is 0 in pulse mode: %g is used", (double)force->speed);
    }
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Pressure
// ---------------------------------------------------------------------------------------------------

// Goes on between both bounds, and turns at them.
static st_real next_pulse(surface_pressure *force) {
    // the bounds in order
    const bool positive = force->pressure > 0;
    const st_real upper = positive ? force->pressure : force->lower_bound;
    const st_real lower = positive ? force->lower_bound : force->pressure;

    // one step further
    const st_real step = force->speed * force->base.object.node->dt;
    force->pulsed += force->rising ? step : -step;

    // turns at the bounds
    if (force->rising && force->pulsed >= upper) {
        force->pulsed = upper;
        force->rising = false;
    } else if (!force->rising && force->pulsed <= lower) {
        force->pulsed = lower;
        force->rising = true;
    }
    return force->pulsed;
}

typedef struct places {
    const st_real *x;
    size_t stride, count;
} places;

static const st_real *surface_pressure_at(const places *p, uint32_t vertex) { return p->x + vertex * p->stride; }

static st_real spanned(const places *p, uint32_t a, uint32_t b, uint32_t c) {
    st_real normal[3];
    st_vec3_cross(normal, surface_pressure_at(p, a), surface_pressure_at(p, b));
    return st_vec3_dot(normal, surface_pressure_at(p, c));
}

static bool all_there(const places *p, const uint32_t *v, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (v[i] >= p->count) return false;
    return true;
}

static st_real enclosed_volume(const surface_pressure *force, const places *p) {
    const st_uints *triangles = st_topology_elements(force->topology, ST_TRIANGLE);
    const st_uints *quads = st_topology_elements(force->topology, ST_QUAD);
    st_real sum = 0;

    // V = Σ (a × b)·c / 6, quads as two triangles
    for (size_t i = 0; i < triangles->count; i++) {
        const uint32_t *v = triangles->data + 3 * i;
        if (all_there(p, v, 3)) sum += spanned(p, v[0], v[1], v[2]);
    }

    for (size_t i = 0; i < quads->count; i++) {
        const uint32_t *v = quads->data + 4 * i;
        if (all_there(p, v, 4)) sum += spanned(p, v[0], v[1], v[2]) + spanned(p, v[0], v[2], v[3]);
    }
    return sum / 6;
}

static st_real pressure_now(surface_pressure *force, const places *p) {
    const st_real pressure = force->pulse ? next_pulse(force) : force->pressure;
    if (!force->conserve_volume || force->default_volume == 0) return pressure;

    // p V0 / V; the first volume is V0 unless it is given
    const st_real volume = enclosed_volume(force, p);
    if (force->default_volume == -1) {
        force->default_volume = volume;
        return pressure;
    }

    return volume != 0 ? pressure * (force->default_volume / volume) : pressure;
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static bool in_box(const surface_pressure *force, const places *p, const uint32_t *v, size_t n) {
    const st_real none = st_vec3_norm2(force->min) + st_vec3_norm2(force->max);
    for (size_t i = 0; none != 0 && i < n; i++)
        for (int j = 0; j < 3; j++)
            if (!(surface_pressure_at(p, v[i])[j] >= force->min[j] && surface_pressure_at(p, v[i])[j] <= force->max[j]))
                return false;
    return true;
}

// The force on each vertex of a triangle.
static void press(surface_pressure *force, const places *p, const uint32_t v[3], st_real pressure) {
    const st_real *a = surface_pressure_at(p, v[0]), *b = surface_pressure_at(p, v[1]),
                  *c = surface_pressure_at(p, v[2]);
    st_real ab[3], ac[3], push[3], normal[3];

    // P = p/6 (b - a) × (c - a)
    st_vec3_sub(ab, b, a);
    st_vec3_sub(ac, c, a);
    st_vec3_cross(normal, ab, ac);
    st_vec3_scale(push, normal, pressure / 6);

    if (st_vec3_norm2(force->main_direction) > 0) {
        st_vec3_normalize(normal, normal);
        st_vec3_scale(push, push, fabs(st_vec3_dot(normal, force->main_direction)));
    }

    for (int i = 0; i < 3; i++) {
        st_real *sum = force->sums.data + 3 * (size_t)v[i];
        st_vec3_add(sum, sum, push);
    }

    if (force->use_tangent) st_pressed_triangles_add(&force->tangent, v[0], v[1], v[2], a, b, c, pressure);
}

// Both triangles 0 1 2 and 0 2 3 of a quad, or the triangle itself.
static void press_element(surface_pressure *force, const places *p, const uint32_t *v, size_t n, st_real pressure) {
    press(force, p, v, pressure);
    if (n == 4) press(force, p, (const uint32_t[3]){v[0], v[2], v[3]}, pressure);
}

static void press_all(surface_pressure *force, const places *p, st_element kind, const st_uints *listed,
                      st_real pressure) {
    const st_uints *elements = st_topology_elements(force->topology, kind);
    const size_t n = st_element_size[kind];
    const bool all = !listed->count && !st_became_empty(&force->base.object, listed);
    const size_t count = all ? elements->count : listed->count;
    size_t missing = 0;

    for (size_t i = 0; i < count; i++) {
        const size_t e = all ? i : listed->data[i];
        const uint32_t *v = elements->data + e * n;

        // listed elements act wherever they are, the others only within the box
        if (e >= elements->count || !all_there(p, v, n)) missing++;
        else if (!all || in_box(force, p, v, n)) press_element(force, p, v, n, pressure);
    }

    if (missing)
        st_message_once(
            &force->base.object, "missing", ST_ERROR,
            "%zu elements are not in the mesh, or have vertices without a DOF: there is no pressure on them", missing);
}

static void surface_pressure_add_force(st_force *base, const st_params *params) {
    surface_pressure *force = (surface_pressure *)base;
    if (!base->state || !force->topology) return;

    const st_dof *dof = st_state_dof(base->state);
    const places p = {st_x(base->state, params), dof->coord, base->state->size};

    force->tangent.list.count = 0;
    if (!st_list_set_count(&force->sums, p.count, 3)) return;
    if (p.count) memset(force->sums.data, 0, 3 * p.count * sizeof(st_real));

    // one pressure for all elements, summed up for each DOF before it is added
    const st_real pressure = pressure_now(force, &p);
    press_all(force, &p, ST_TRIANGLE, &force->triangle_indices, pressure);
    press_all(force, &p, ST_QUAD, &force->quad_indices, pressure);

    for (size_t i = 0; i < p.count; i++) {
        st_real *f = st_f(base->state, params) + i * dof->deriv;
        st_vec3_add(f, f, force->sums.data + 3 * i);
    }
}

// ---------------------------------------------------------------------------------------------------
// Derivative and end
// ---------------------------------------------------------------------------------------------------

static void surface_pressure_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    if (base->state) st_pressed_triangles_blocks(&((surface_pressure *)base)->tangent, base->state, k);
}

static void surface_pressure_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    if (!base->state) return;
    st_pressed_triangles_product(&((surface_pressure *)base)->tangent, base->state, params, k);
}

static void surface_pressure_destroy(st_object *object) {
    st_list_free(&((surface_pressure *)object)->sums);
    st_pressed_triangles_free(&((surface_pressure *)object)->tangent);
}

static const st_force_ops force_ops = {.add_force = surface_pressure_add_force,
                                       .stiffness = surface_pressure_stiffness,
                                       .product = surface_pressure_product};

const st_class st_surface_pressure_force_field_class = {
    .name = "SurfacePressureForceField",
    .help = "a pressure on a surface",
    .parent = &st_force_class,
    .templates = "Vec3 Rigid3",
    .fields = fields,
    .size = sizeof(surface_pressure),
    .example = "<MeshTopology triangles=\"0 1 4\" quads=\"0 1 2 3\"/>\n"
               "<MechanicalObject position=\"0 0 0  2 0 0  2 1 0  0 1 0  1 -1 1\"/>\n"
               "<SurfacePressureForceField pressure=\"3\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = surface_pressure_init,
    .destroy = surface_pressure_destroy,
    .force = &force_ops,
};
