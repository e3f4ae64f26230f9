// TaitSurfacePressureForceField: a closed surface filled with a gas or a liquid, by Tait's equation.
//
//     V = Σ ((a - o) × (b - o)).(c - o) / 6        o the mean of all points
//     v0 = volume at the start + injected volume
//     P = p0 - B ((V / v0)^γ - 1),   S = dP/dV = -B γ (V / v0)^γ / V
//     gradV_i = Σ (b - a) × (c - a) / 6 over the triangles around i
//     f_i = P gradV_i,     K_ij = S gradV_i gradV_jᵀ + P ∂gradV_i/∂x_j
//
// Quads are taken as triangles 0 1 2 and 2 3 0. K is dense, since every point feels the volume.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/load/pressed_triangles.h"
#include "math/mat3.h"
#include "settee/plugin/change.h"
#include "topology/topology.h"

typedef struct tait_pressure {
    st_force base;
    st_real p0, b, gamma, injected, max_rate;
    st_real initial_volume, current_injected, v0, volume, pressure, tangent, volume_after_change;
    st_real initial_area, area, area_after_change;
    st_real draw_scale;
    st_uints triangles; // three vertices each
    st_object *topology;

    st_reals gradient; // ∂V/∂x of each DOF
    st_uints touched;  // DOFs that have triangles
    st_pressed_triangles pressed;
} tait_pressure;

static const st_field fields[] = {
    ST_FIELD(tait_pressure, p0, "p0", st_type_real, "0", "pressure at rest"),
    ST_FIELD(tait_pressure, b, "B", st_type_real, "0", "bulk modulus; 0: constant pressure"),
    ST_FIELD(tait_pressure, gamma, "gamma", st_type_real, "0", "exponent; 0: constant pressure"),
    ST_FIELD(tait_pressure, injected, "injectedVolume", st_type_real, "0", "volume to be injected"),
    ST_FIELD(tait_pressure, max_rate, "maxInjectionRate", st_type_real, "1000", "largest injected volume per time"),
    ST_FIELD(tait_pressure, initial_volume, "initialVolume", st_type_real, "0", "volume at rest",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(tait_pressure, current_injected, "currentInjectedVolume", st_type_real, "0", "volume injected so far",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(tait_pressure, v0, "v0", st_type_real, "0", "initialVolume + currentInjectedVolume",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(tait_pressure, volume, "currentVolume", st_type_real, "0", "volume", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(tait_pressure, pressure, "currentPressure", st_type_real, "0", "pressure", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(tait_pressure, tangent, "currentStiffness", st_type_real, "0", "dP/dV", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(tait_pressure, triangles, "pressureTriangles", st_type_triangles, NULL, "triangles of the surface",
             .flags = ST_FIELD_OUTPUT, .mesh = ST_WITH_MESH),
    ST_FIELD(tait_pressure, initial_area, "initialSurfaceArea", st_type_real, "0", "area at rest",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(tait_pressure, area, "currentSurfaceArea", st_type_real, "0", "area", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(tait_pressure, volume_after_change, "volumeAfterTC", st_type_real, "0",
             "volume after the last change of the mesh", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(tait_pressure, area_after_change, "surfaceAreaAfterTC", st_type_real, "0",
             "area after the last change of the mesh", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(tait_pressure, draw_scale, "drawForceScale", st_type_real, "0.001", "length of the forces drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(tait_pressure, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static bool tait_surface_pressure_add_triangle(tait_pressure *force, uint32_t a, uint32_t b, uint32_t c,
                                               size_t *missing) {
    const size_t size = force->base.state->size, n = force->triangles.count;

    // counted, and reported together
    if (a >= size || b >= size || c >= size) {
        (*missing)++;
        return true;
    }

    if (!st_list_set_count(&force->triangles, n + 1, 3)) return false;
    force->triangles.data[3 * n] = a;
    force->triangles.data[3 * n + 1] = b;
    force->triangles.data[3 * n + 2] = c;
    return true;
}

static bool tait_surface_pressure_collect(tait_pressure *force, st_topology *topology) {
    const st_uints *triangles = st_topology_elements(topology, ST_TRIANGLE);
    const st_uints *quads = st_topology_elements(topology, ST_QUAD);
    size_t missing = 0;
    bool ok = true;
    force->triangles.count = 0;

    for (size_t i = 0; ok && i < triangles->count; i++) {
        const uint32_t *v = triangles->data + 3 * i;
        ok = tait_surface_pressure_add_triangle(force, v[0], v[1], v[2], &missing);
    }

    // quads are the triangles 0 1 2 and 2 3 0
    for (size_t i = 0; ok && i < quads->count; i++) {
        const uint32_t *v = quads->data + 4 * i;
        ok = tait_surface_pressure_add_triangle(force, v[0], v[1], v[2], &missing) &&
             tait_surface_pressure_add_triangle(force, v[2], v[3], v[0], &missing);
    }

    if (missing)
        st_message(&force->base.object, ST_ERROR, "%zu triangles have vertices without a DOF: they are left out",
                   missing);
    return ok;
}

static bool collect_touched(tait_pressure *force) {
    bool *seen = st_alloc(force->base.state->size, sizeof *seen);
    bool ok = seen != NULL;
    for (size_t i = 0; ok && i < 3 * force->triangles.count; i++) seen[force->triangles.data[i]] = true;
    force->touched.count = 0;
    for (size_t i = 0; ok && i < force->base.state->size; i++)
        if (seen[i]) ok = st_list_push(&force->touched, (uint32_t)i);

    st_free(seen);
    return ok;
}

// The volume of the surface with these positions, and its area.
static st_real tait_surface_pressure_measure(const tait_pressure *force, const st_real *x, st_real *area) {
    const size_t size = force->base.state->size;
    st_real middle[3] = {0, 0, 0}, volume = 0;
    *area = 0;

    // o
    for (size_t i = 0; i < size; i++) st_vec3_add(middle, middle, x + 3 * i);
    if (size) st_vec3_divide(middle, middle, (st_real)size);

    for (size_t i = 0; i < force->triangles.count; i++) {
        const uint32_t *v = force->triangles.data + 3 * i;
        st_real a[3], b[3], c[3], normal[3];

        // V += (a × b).c / 6
        st_vec3_sub(a, x + 3 * (size_t)v[0], middle);
        st_vec3_sub(b, x + 3 * (size_t)v[1], middle);
        st_vec3_sub(c, x + 3 * (size_t)v[2], middle);
        st_vec3_cross(normal, a, b);
        volume += st_vec3_dot(normal, c);

        // the area, |(b - a) × (c - a)| / 2
        st_vec3_sub(b, b, a);
        st_vec3_sub(c, c, a);
        st_vec3_cross(normal, b, c);
        *area += st_vec3_norm(normal) / 2;
    }
    return volume / 6;
}

static void update_v0(tait_pressure *force) {
    force->v0 = force->initial_volume + force->current_injected;
    st_touch(&force->base.object, &force->v0);
}

static st_status tait_surface_pressure_init(st_object *object) {
    tait_pressure *force = (tait_pressure *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;
    st_topology *topology = st_context_topology(object->node, force->topology);
    if (!topology) return st_invalid(object, "there is no mesh in its node or above: there is no pressure");

    if (!tait_surface_pressure_collect(force, topology) || !collect_touched(force)) return ST_OUT_OF_MEMORY;

    // volume and area at the start, unless the scene gives them
    if (force->base.state->coord[ST_COORD_REST].count == force->base.state->size)
        force->initial_volume =
            tait_surface_pressure_measure(force, force->base.state->coord[ST_COORD_REST].data, &force->initial_area);

    force->volume_after_change = force->initial_volume;
    force->area_after_change = force->initial_area;
    update_v0(force);
    return ST_OK;
}

// The injected volume goes to its target at no more than the given rate.
static void tait_surface_pressure_on_event(st_object *object, st_event *event) {
    tait_pressure *force = (tait_pressure *)object;
    if (event->kind != ST_EVENT_ANIMATE_BEGIN) return;
    const st_real most = force->max_rate * object->node->dt, missing = force->injected - force->current_injected;
    force->current_injected += st_clamp(missing, -most, most);

    update_v0(force);
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static void find_pressure(tait_pressure *force, st_real volume) {
    const st_real b = force->b, gamma = force->gamma, v0 = force->v0;
    force->pressure = force->p0;
    force->tangent = 0;

    if (b == 0 || gamma == 0 || v0 == 0) return;

    // a liquid: no powers
    if (gamma == 1) {
        force->tangent = -b / v0;
        force->pressure = force->p0 - b * (volume / v0 - 1);
        return;
    }

    // a gas; a surface turned inside out has no volume to any power
    const st_real power = volume / v0 > 0 ? pow(volume / v0, gamma) : 0;
    force->pressure = force->p0 - b * (power - 1);
    force->tangent = volume != 0 ? -b * gamma * power / volume : 0;
}

static void report_volume(const tait_pressure *force, st_real volume) {
    if (volume > 10 * force->v0 || volume < force->v0 / 10)
        st_message_once(&force->base.object, "volume", ST_ERROR, "the volume %g is far from that at rest, %g",
                        (double)volume, (double)force->v0);
}

// ∂V/∂x of each DOF, and what its derivative needs.
static bool find_gradient(tait_pressure *force, const st_real *x) {
    const size_t size = force->base.state->size;

    force->pressed.list.count = 0;
    if (!st_list_set_count(&force->gradient, size, 3)) return false;
    if (size) memset(force->gradient.data, 0, 3 * size * sizeof(st_real));

    for (size_t i = 0; i < force->triangles.count; i++) {
        const uint32_t *v = force->triangles.data + 3 * i;
        const st_real *a = x + 3 * (size_t)v[0], *b = x + 3 * (size_t)v[1], *c = x + 3 * (size_t)v[2];
        st_real ab[3], ac[3], share[3];

        // (b - a) × (c - a) / 6 for each of the three
        st_vec3_sub(ab, b, a);
        st_vec3_sub(ac, c, a);
        st_vec3_cross(share, ab, ac);
        st_vec3_divide(share, share, 6);

        for (int j = 0; j < 3; j++) {
            st_real *sum = force->gradient.data + 3 * (size_t)v[j];
            st_vec3_add(sum, sum, share);
        }

        if (!st_pressed_triangles_add(&force->pressed, v[0], v[1], v[2], a, b, c, force->pressure)) return false;
    }
    return true;
}

static void tait_surface_pressure_add_force(st_force *base, const st_params *params) {
    tait_pressure *force = (tait_pressure *)base;
    if (!base->state || !st_is_valid(&base->object)) return;

    const st_real *x = st_x(base->state, params);
    st_real *f = st_f(base->state, params);

    // V, then P(V) and S
    const st_real volume =
        tait_surface_pressure_measure(force, x, &force->area) - (force->volume_after_change - force->initial_volume);
    force->volume = volume;
    find_pressure(force, volume);
    report_volume(force, volume);

    // f = P gradV
    if (!find_gradient(force, x)) return;
    for (size_t i = 0; i < base->state->size; i++)
        st_vec3_add_scaled(f + 3 * i, f + 3 * i, force->gradient.data + 3 * i, force->pressure);
}

// ---------------------------------------------------------------------------------------------------
// Derivative and end
// ---------------------------------------------------------------------------------------------------

static void tait_surface_pressure_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    const tait_pressure *force = (const tait_pressure *)base;
    (void)params;
    if (!base->state || force->gradient.count != base->state->size) return;

    st_sink *sink = st_stiffness_between(k, base->state, base->state);
    const st_uints *touched = &force->touched;

    // S gradV gradVᵀ, dense
    for (size_t i = 0; force->tangent != 0 && i < touched->count; i++)
        for (size_t j = 0; j < touched->count; j++) {
            st_real block[9], row[3];
            st_vec3_scale(row, force->gradient.data + 3 * (size_t)touched->data[i], force->tangent);
            st_mat3_outer(block, row, force->gradient.data + 3 * (size_t)touched->data[j]);
            st_add_3x3(sink, 3 * (size_t)touched->data[i], 3 * (size_t)touched->data[j], block);
        }

    // P ∂gradV/∂x
    st_pressed_triangles_blocks(&force->pressed, base->state, k);
}

static void tait_surface_pressure_product(st_force *base, const st_params *params, st_real k, st_real b) {
    const tait_pressure *force = (const tait_pressure *)base;
    (void)b;
    if (!base->state || force->gradient.count != base->state->size) return;

    const st_real *dx = st_dx(base->state, params);
    st_real *df = st_df(base->state, params), change = 0;

    // S gradV (gradV.dx)
    for (size_t i = 0; i < base->state->size; i++) change += st_vec3_dot(force->gradient.data + 3 * i, dx + 3 * i);
    const st_real factor = k * force->tangent * change;
    for (size_t i = 0; i < base->state->size; i++)
        st_vec3_add_scaled(df + 3 * i, df + 3 * i, force->gradient.data + 3 * i, factor);

    st_pressed_triangles_product(&force->pressed, base->state, params, k);
}

static void tait_surface_pressure_destroy(st_object *object) {
    tait_pressure *force = (tait_pressure *)object;
    st_list_free(&force->gradient);
    st_list_free(&force->touched);
    st_pressed_triangles_free(&force->pressed);
}

static const st_force_ops force_ops = {.add_force = tait_surface_pressure_add_force,
                                       .stiffness = tait_surface_pressure_stiffness,
                                       .product = tait_surface_pressure_product};

const st_class st_tait_surface_pressure_force_field_class = {
    .name = "TaitSurfacePressureForceField",
    .help = "a closed surface filled with a gas or a liquid",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(tait_pressure),
    .example = "<MeshTopology triangles=\"0 2 1  0 1 3  1 2 3  0 3 2\"/>\n"
               "<MechanicalObject position=\"0 0 0  2 0 0  0 2 0  0 0 2\"/>\n"
               "<TaitSurfacePressureForceField p0=\"1\" B=\"5\" gamma=\"3\"/>",
    .flags = ST_CLASS_LISTENING,
    .init = tait_surface_pressure_init,
    .event = tait_surface_pressure_on_event,
    .destroy = tait_surface_pressure_destroy,
    .force = &force_ops,
};
