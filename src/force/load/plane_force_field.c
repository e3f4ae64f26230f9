// PlaneForceField: a plane n.p = d that pushes back what is behind it.
//
//     δ = p.n - d        δ < 0 (or bilateral):   F = n (-k δ) + v (c δ),   not longer than maxForce
//
// The damping c δ v opposes the velocity behind the plane. The normal is used as given, not normalized. The derivative
// is that of the elastic force, -k n nᵀ, of the DOFs that the last force evaluation found behind the plane.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/vec3.h"
#include "settee/plugin/draw.h"
#include "settee/plugin/physics.h"
#include "state/dof.h"
#include "state/local_range.h"

typedef struct plane_force {
    st_force base;
    st_reals normal; // as many numbers as the scene gives
    st_real d, stiffness, damping, max_force;
    bool bilateral;
    int32_t local_range[2];
    bool show_plane;
    st_real color[4];
    st_real show_size;

    st_real n[6];
    st_uints contacts; // DOFs behind the plane at the last evaluation
} plane_force;

static const st_field fields[] = {
    ST_FIELD(plane_force, normal, "normal", st_type_reals, "0 1 0", "normal of the plane; its length counts",
             .flags = ST_FIELD_TRACKED),
    ST_FIELD(plane_force, d, "d", st_type_real, "0", "the plane is where normal . position = d"),
    ST_FIELD(plane_force, stiffness, "stiffness", st_type_real, "500", "force per depth"),
    ST_FIELD(plane_force, damping, "damping", st_type_real, "5", "force per depth and velocity"),
    ST_FIELD(plane_force, max_force, "maxForce", st_type_real, "0", "limit of the force on one DOF; 0: none"),
    ST_FIELD(plane_force, bilateral, "bilateral", st_type_bool, "0", "pull on the other side, too"),
    ST_FIELD(plane_force, local_range, "localRange", st_type_int2, "-1 -1", "first and last DOF that it acts on"),
    ST_FIELD(plane_force, show_plane, "showPlane", st_type_bool, "0", "draw the plane", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(plane_force, color, "planeColor", st_type_color, "0 0.5 0.2 1", "color of the plane",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(plane_force, show_size, "showPlaneSize", st_type_real, "10", "size of the plane drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static void read_normal(plane_force *force) {
    for (size_t i = 0; i < 6; i++) force->n[i] = i < force->normal.count ? force->normal.data[i] : 0;
}

static void replace_negative(st_object *object, const char *name, st_real *value, st_real instead) {
    if (!(*value < 0)) return;
    st_message(object, ST_WARNING, "%s = %g is negative: %g is used", name, (double)*value, (double)instead);
    *value = instead;
}

static st_status plane_force_field_init(st_object *object) {
    plane_force *force = (plane_force *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    replace_negative(object, "stiffness", &force->stiffness, 500);
    replace_negative(object, "damping", &force->damping, 5);
    replace_negative(object, "maxForce", &force->max_force, 0);
    st_check_local_range(object, force->local_range);

    read_normal(force);
    return ST_OK;
}

static void plane_changed(st_object *object) { read_normal((plane_force *)object); }

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static void find_range(const plane_force *force, size_t *begin, size_t *end) {
    const size_t size = force->base.state->size;
    *begin = force->local_range[0] >= 0 ? (size_t)force->local_range[0] : 0;
    *end = force->local_range[1] >= 0 && (size_t)force->local_range[1] + 1 < size ? (size_t)force->local_range[1] + 1
                                                                                  : size;
}

static void limit_force(const plane_force *force, size_t width, st_real *f) {
    if (!(force->max_force > 0)) return;

    const st_real limit = force->max_force * force->max_force;
    st_real square = 0;
    for (size_t j = 0; j < width; j++) square += f[j] * f[j];

    if (!(square > limit)) return;
    const st_real factor = sqrt(limit / square);
    for (size_t j = 0; j < width; j++) f[j] *= factor;
}

static void plane_add_force(st_force *base, const st_params *params) {
    plane_force *force = (plane_force *)base;
    force->contacts.count = 0;

    if (!base->state || !st_list_reserve(&force->contacts, base->state->size, 1)) return;
    const st_dof *dof = st_state_dof(base->state);
    const size_t width = st_position_scalars(dof);
    size_t begin, end;
    find_range(force, &begin, &end);

    for (size_t i = begin; i < end; i++) {
        const st_real *x = st_x(base->state, params) + i * dof->coord;
        const st_real *v = st_v(base->state, params) + i * dof->deriv;
        st_real *f = st_f(base->state, params) + i * dof->deriv, pushed[6];

        // δ = p.n - d
        st_real depth = 0;
        for (size_t j = 0; j < width; j++) depth += x[j] * force->n[j];
        depth -= force->d;

        if (!force->bilateral && !(depth < 0)) continue;

        // n (-k δ) + v (c δ)
        const st_real elastic = -force->stiffness * depth, viscous = force->damping * depth;
        for (size_t j = 0; j < width; j++) pushed[j] = force->n[j] * elastic + v[j] * viscous;

        limit_force(force, width, pushed);
        for (size_t j = 0; j < width; j++) f[j] += pushed[j];

        force->contacts.data[force->contacts.count++] = (uint32_t)i;
    }
}

// ---------------------------------------------------------------------------------------------------
// Derivative
// ---------------------------------------------------------------------------------------------------

static void plane_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    const plane_force *force = (const plane_force *)base;
    (void)params;
    if (!base->state) return;

    const size_t width = st_position_scalars(st_state_dof(base->state));
    const size_t deriv = st_state_dof(base->state)->deriv;
    st_sink *sink = st_stiffness_between(k, base->state, base->state);
    st_real block[36];

    // the same block for all of them
    for (size_t i = 0; i < width; i++)
        for (size_t j = 0; j < width; j++) block[i * width + j] = -force->stiffness * force->n[i] * force->n[j];

    for (size_t c = 0; c < force->contacts.count; c++) {
        const size_t row = force->contacts.data[c] * deriv;
        sink->add(sink, row, row, width, width, block);
    }
}

static void plane_product(st_force *base, const st_params *params, st_real k, st_real b) {
    const plane_force *force = (const plane_force *)base;
    (void)b;
    if (!base->state) return;

    const size_t width = st_position_scalars(st_state_dof(base->state));
    const size_t deriv = st_state_dof(base->state)->deriv;
    const st_real *dx = st_dx(base->state, params), factor = -force->stiffness * k;
    st_real *df = st_df(base->state, params);

    for (size_t c = 0; c < force->contacts.count; c++) {
        const size_t at = force->contacts.data[c] * deriv;
        st_real along = 0;

        // -k n (n·dx)
        for (size_t j = 0; j < width; j++) along += dx[at + j] * force->n[j];
        for (size_t j = 0; j < width; j++) df[at + j] += force->n[j] * (factor * along);
    }
}

static void plane_destroy(st_object *object) { st_list_free(&((plane_force *)object)->contacts); }

// A square around the point of the plane that is nearest to the origin.
static void plane_draw(st_object *object, st_canvas *canvas) {
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    const plane_force *force = (const plane_force *)object;
    st_real normal[3], across[3] = {0, 0, 0}, up[3], square[4][3];
    if (!force->show_plane || object->dof->spatial < 3 || !st_vec3_normalize(normal, force->n)) return;

    // two directions in the plane
    across[fabs(normal[0]) < ST_R(0.7) ? 0 : 1] = 1;
    st_vec3_cross(up, normal, across);
    st_vec3_normalize(up, up);
    st_vec3_cross(across, up, normal);

    // the corners
    const st_real half = force->show_size / 2, distance = force->d / st_vec3_norm(force->n);
    for (int i = 0; i < 4; i++) {
        st_vec3_scale(square[i], normal, distance);
        st_vec3_add_scaled(square[i], square[i], across, i == 1 || i == 2 ? half : -half);
        st_vec3_add_scaled(square[i], square[i], up, i >= 2 ? half : -half);
    }

    const st_rgba color = {(float)force->color[0], (float)force->color[1], (float)force->color[2],
                           (float)force->color[3]};
    canvas->triangles(canvas, 2, corners, square[0], 4, 3, color);
}

static const st_force_ops force_ops = {
    .add_force = plane_add_force, .stiffness = plane_stiffness, .product = plane_product};

const st_class st_plane_force_field_class = {
    .name = "PlaneForceField",
    .help = "a plane that pushes back what is behind it",
    .parent = &st_force_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid3",
    .fields = fields,
    .size = sizeof(plane_force),
    .example = "<MechanicalObject position=\"0 -0.5 0  1 0.5 0  0.3 -0.2 1\"/>\n"
               "<PlaneForceField normal=\"0.6 0.8 0\" d=\"0.1\" stiffness=\"200\" damping=\"2\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
    .init = plane_force_field_init,
    .changed = plane_changed,
    .draw = plane_draw,
    .destroy = plane_destroy,
    .force = &force_ops,
};
