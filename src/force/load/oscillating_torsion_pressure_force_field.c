// OscillatingTorsionPressureForceField: turns a patch of a surface as a whole about an axis, by an oscillating moment.
//
// With r_i the vector from the axis to vertex i, r0_i the one at rest and c0_i the foot of the latter on the axis:
//
//     θ = Σ |r_i| angle(r0_i, r_i) / Σ |r_i|                             how far the patch has turned
//     f_i += penalty (rot(θ) r0_i + c0_i - x_i)                          holds it together
//     M = moment cos(2π frequency t) - Σ f_i.t_i |r_i|,  t_i = axis × r_i normalized
//     f_i += t_i M w_i / |r_i|                                           what is left of the moment
//
// The weights w come from the triangles of area a at rest: with d the distances of their vertices from the axis,
// averages of d² over each vertex' share of the triangle, times d a / 3; their sum is 1. It has no derivative.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/load/element_load.h"
#include "math/quat.h"
#include "settee/plugin/change.h"
#include "topology/topology.h"

typedef struct oscillating_torsion {
    st_force base;
    st_real moment, axis[3], center[3], penalty, frequency, low, high;
    st_uints triangles;
    bool show_forces;
    st_object *topology;

    st_uints points;  // vertices of the triangles, each once
    st_reals weights; // of each point
    st_reals rest;    // of each point: r0 and c0
} oscillating_torsion;

static const st_field fields[] = {
    ST_FIELD(oscillating_torsion, moment, "moment", st_type_real, "0", "largest moment"),
    ST_FIELD(oscillating_torsion, triangles, "triangleList", st_type_indices, NULL, "triangles of the part",
             .mesh = ST_INDICES(ST_TRIANGLE), .flags = ST_FIELD_REINIT),
    ST_FIELD(oscillating_torsion, axis, "axis", st_type_vec3, "0 0 1", "direction of the axis",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(oscillating_torsion, center, "center", st_type_vec3, "0 0 0", "a point of the axis",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(oscillating_torsion, penalty, "penalty", st_type_real, "1000", "stiffness that holds the part together"),
    ST_FIELD(oscillating_torsion, frequency, "frequency", st_type_real, "1", "oscillations per time"),
    ST_FIELD(oscillating_torsion, low, "dmin", st_type_real, "0", "selection: lower end along the axis",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(oscillating_torsion, high, "dmax", st_type_real, "0", "selection: upper end; none when it equals dmin",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(oscillating_torsion, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(oscillating_torsion, show_forces, "showForces", st_type_bool, "0", "draw the forces",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// p = foot + radial, foot on the axis
static void oscillating_torsion_pressure_split(const oscillating_torsion *force, const st_real *p, st_real radial[3],
                                               st_real foot[3]) {
    st_real offset[3];
    st_vec3_sub(offset, p, force->center);
    st_vec3_add_scaled(foot, force->center, force->axis, st_vec3_dot(offset, force->axis));
    st_vec3_sub(radial, p, foot);
}

// Distances at the middles of the edges, of the thirds and of the triangle; then the averages of d² around each vertex.
static void triangle_weights(const st_real d[3], st_real area, st_real w[3]) {
    const st_real d3 = (d[0] + d[1]) / 2, d4 = (d[1] + d[2]) / 2, d5 = (d[2] + d[0]) / 2;
    const st_real d6 = (d[0] + d3 + d5) / 3, d7 = (d[1] + d4 + d3) / 3, d8 = (d[2] + d5 + d4) / 3;
    const st_real d9 = (d[0] + d[1] + d[2]) / 3;

    w[0] = (d[0] * d[0] + d3 * d3 + d5 * d5 + d6 * d6 + d9 * d9) * d[0] * area / 3;
    w[1] = (d[1] * d[1] + d4 * d4 + d3 * d3 + d7 * d7 + d9 * d9) * d[1] * area / 3;
    w[2] = (d[2] * d[2] + d5 * d5 + d4 * d4 + d8 * d8 + d9 * d9) * d[2] * area / 3;
}

// Weights of all DOFs, -1 where there is no triangle.
static st_real oscillating_torsion_pressure_weigh(const oscillating_torsion *force, const st_element_loads *patch,
                                                  const st_points *rest, st_real *all) {
    st_real sum = 0;
    for (size_t i = 0; i < rest->count; i++) all[i] = -1;

    for (size_t i = 0; i < patch->list.count; i++) {
        const uint32_t *v = patch->list.data[i].vertices;
        st_real d[3], w[3], radial[3], foot[3];

        // distances from the axis
        for (int j = 0; j < 3; j++) {
            oscillating_torsion_pressure_split(force, st_point(rest, v[j]), radial, foot);
            d[j] = st_vec3_norm(radial);
        }

        triangle_weights(d, st_measure(rest, ST_TRIANGLE, v), w);

        for (int j = 0; j < 3; j++) {
            all[v[j]] = (all[v[j]] < 0 ? 0 : all[v[j]]) + w[j];
            sum += w[j];
        }
    }
    return sum;
}

static bool keep_points(oscillating_torsion *force, const st_points *rest, const st_real *all, st_real sum) {
    force->points.count = force->weights.count = force->rest.count = 0;

    for (size_t i = 0; i < rest->count; i++) {
        if (all[i] < 0) continue;
        if (!st_list_push(&force->points, (uint32_t)i) || !st_list_push(&force->weights, sum > 0 ? all[i] / sum : 0) ||
            !st_list_set_count(&force->rest, force->points.count, 6))
            return false;

        // r0 and c0
        st_real *pair = force->rest.data + 6 * (force->points.count - 1);
        oscillating_torsion_pressure_split(force, st_point(rest, (uint32_t)i), pair, pair + 3);
    }
    return true;
}

static bool oscillating_torsion_pressure_prepare(oscillating_torsion *force, st_topology *topology) {
    const st_points rest = st_points_of(force->base.state, ST_COORD_REST);
    st_element_loads patch = {0};
    st_uints selected = {0};
    st_real *all = st_alloc(rest.count, sizeof *all);
    bool ok = all != NULL;

    // the triangles: listed, or selected by planes
    if (ok && !force->triangles.count && !st_became_empty(&force->base.object, &force->triangles) &&
        force->low != force->high)
        ok = st_select_between(topology, ST_TRIANGLE, &rest, force->axis, force->low, force->high, &selected);
    ok = ok && st_element_loads_make(&patch, &force->base.object, topology, ST_TRIANGLE,
                                     force->triangles.count ? &force->triangles : &selected, &rest);

    ok = ok && keep_points(force, &rest, all, oscillating_torsion_pressure_weigh(force, &patch, &rest, all));

    st_list_free(&selected);
    st_element_loads_free(&patch);
    st_free(all);
    return ok;
}

static st_status oscillating_torsion_pressure_init(st_object *object) {
    oscillating_torsion *force = (oscillating_torsion *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    st_topology *topology = st_context_topology(object->node, force->topology);
    if (!topology) return st_invalid(object, "there is no mesh in its node or above: it has no effect");

    if (!st_vec3_normalize(force->axis, force->axis))
        return st_invalid(object, "axis has no direction: it has no effect");

    return oscillating_torsion_pressure_prepare(force, topology) ? ST_OK : ST_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static const st_real smallest = ST_R(1e-10);

// Mean angle by which the patch has turned.
static st_real oscillating_torsion_pressure_turned(const oscillating_torsion *force, const st_real *x) {
    st_real sum = 0, total = 0;
    for (size_t i = 0; i < force->points.count; i++) {
        const st_real *r0 = force->rest.data + 6 * i;
        st_real r[3], foot[3], normal[3];
        oscillating_torsion_pressure_split(force, x + 3 * (size_t)force->points.data[i], r, foot);

        const st_real length = st_vec3_norm(r), length0 = st_vec3_norm(r0);
        if (!(length > smallest && length0 > smallest)) continue;

        // signed: about the axis
        st_real angle = acos(st_clamp(st_vec3_dot(r, r0) / (length * length0), -1, 1));
        st_vec3_cross(normal, r, r0);
        if (st_vec3_dot(force->axis, normal) > 0) angle = -angle;

        sum += length * angle;
        total += length;
    }
    return total > 0 ? sum / total : 0;
}

// The forces that hold the patch together, and the moment that they have.
static st_real oscillating_torsion_pressure_hold(const oscillating_torsion *force, const st_real *x, st_real *f) {
    st_real q[4], moment = 0;
    st_quat_from_axis_angle(q, force->axis, oscillating_torsion_pressure_turned(force, x));

    for (size_t i = 0; i < force->points.count; i++) {
        const st_real *r0 = force->rest.data + 6 * i, *p = x + 3 * (size_t)force->points.data[i];
        st_real r[3], foot[3], ideal[3], tangent[3], push[3], *at = f + 3 * (size_t)force->points.data[i];

        // penalty (rot(θ) r0 + c0 - x)
        st_quat_rotate(ideal, q, r0);
        st_vec3_add(ideal, ideal, r0 + 3);
        st_vec3_sub(push, ideal, p);
        st_vec3_scale(push, push, force->penalty);
        st_vec3_add(at, at, push);

        // its moment about the axis
        oscillating_torsion_pressure_split(force, p, r, foot);
        st_vec3_cross(tangent, force->axis, r);
        st_vec3_normalize(tangent, tangent);
        moment += st_vec3_dot(push, tangent) * st_vec3_norm(r);
    }
    return moment;
}

static void oscillating_torsion_pressure_add_force(st_force *base, const st_params *params) {
    const oscillating_torsion *force = (const oscillating_torsion *)base;
    if (!base->state || !st_is_valid(&base->object)) return;
    for (size_t i = 0; i < force->points.count; i++)
        if (force->points.data[i] >= base->state->size) return;

    const st_real *x = st_x(base->state, params);
    st_real *f = st_f(base->state, params);

    // what is left of the moment
    const st_real wave = cos(ST_R(6.2831853) * force->frequency * base->object.node->time);
    const st_real remaining = force->moment * wave - oscillating_torsion_pressure_hold(force, x, f);

    for (size_t i = 0; i < force->points.count; i++) {
        st_real r[3], foot[3], tangent[3], *at = f + 3 * (size_t)force->points.data[i];
        oscillating_torsion_pressure_split(force, x + 3 * (size_t)force->points.data[i], r, foot);
        const st_real length = st_vec3_norm(r);
        if (!(length > smallest)) continue;

        st_vec3_cross(tangent, force->axis, r);
        st_vec3_normalize(tangent, tangent);
        st_vec3_add_scaled(at, at, tangent, remaining * force->weights.data[i] / length);
    }
}

static void oscillating_torsion_pressure_destroy(st_object *object) {
    oscillating_torsion *force = (oscillating_torsion *)object;
    st_list_free(&force->points);
    st_list_free(&force->weights);
    st_list_free(&force->rest);
}

static const st_force_ops force_ops = {.add_force = oscillating_torsion_pressure_add_force};

const st_class st_oscillating_torsion_pressure_force_field_class = {
    .name = "OscillatingTorsionPressureForceField",
    .help = "turns a part of a surface about an axis with an oscillating moment",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(oscillating_torsion),
    .example = "<MeshTopology triangles=\"0 1 2  0 2 3\"/>\n"
               "<MechanicalObject position=\"1 0 0  0 1 0  -1 0 0  0 -1 0\"/>\n"
               "<OscillatingTorsionPressureForceField moment=\"2\" dmin=\"-1\" dmax=\"1\" penalty=\"50\"/>",
    .flags = ST_CLASS_NO_TANGENT,
    .init = oscillating_torsion_pressure_init,
    .destroy = oscillating_torsion_pressure_destroy,
    .force = &force_ops,
};
