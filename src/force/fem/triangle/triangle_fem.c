// The base of the force fields of membrane triangles.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/triangle/triangle_fem.h"

#include <string.h>

#include "scene/scene.h"
#include "settee/plugin/draw.h"

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

st_status st_triangle_fem_make(st_triangle_fem *self, const st_uints *triangles, size_t points) {
    st_object *object = &self->elastic.force.object;
    size_t wrong = 0;
    if (triangles->count == 0) st_message(object, ST_WARNING, "the mesh has no triangles: there is no force");

    const st_status status =
        st_triangle_model_make(&self->model, object->scene->pool, triangles->data, triangles->count, points, &wrong);
    if (status == ST_INVALID)
        return st_invalid(object, "triangle %zu of %zu has a vertex beyond the %zu points at rest", wrong,
                          triangles->count, points);
    if (status != ST_OK) return st_invalid(object, "out of memory for %zu triangles", triangles->count);
    st_tear_init(&self->tear, &self->elastic, ST_TRIANGLE);
    return ST_OK;
}

void st_triangle_fem_report_flat(st_triangle_fem *self, const char *when) {
    if (self->model.flat)
        st_message_once(&self->elastic.force.object, "flat", ST_ERROR,
                        "a triangle has no area %s: there is no force from it (its corners must not lie on one line)",
                        when);
    self->model.flat = false;
}

st_triangle_method st_triangle_fem_read_method(const st_triangle_fem *self) {
    const char *method = self->method ? self->method : "";

    if (strcmp(method, "small") == 0) return ST_TRIANGLE_SMALL;
    if (strcmp(method, "large") != 0)
        st_message(&self->elastic.force.object, ST_WARNING,
                   "method=\"%.60s\" is not known (small, large): large is used", method);

    return ST_TRIANGLE_LARGE;
}

static void triangle_fem_event(st_object *object, st_event *event) {
    st_triangle_fem *self = (st_triangle_fem *)object;
    st_tear_step(&self->tear, &self->elastic, NULL, event);
}

static void triangle_fem_destroy(st_object *object) {
    st_triangle_model_free(&((st_triangle_fem *)object)->model);
    st_tear_free(&((st_triangle_fem *)object)->tear);
}

// ---------------------------------------------------------------------------------------------------
// Force and derivative
// ---------------------------------------------------------------------------------------------------

bool st_triangle_fem_ready(const st_triangle_fem *self) {
    const st_state *state = self->elastic.force.state;
    return self->model.mesh.count && state && state->size >= self->model.mesh.points;
}

void st_triangle_fem_add_force(st_force *force, const st_params *params) {
    st_triangle_fem *self = (st_triangle_fem *)force;
    if (!st_triangle_fem_ready(self)) return;

    st_triangle_model_add_force(&self->model, force->object.scene->pool, st_x(force->state, params),
                                st_f(force->state, params));
    st_triangle_fem_report_flat(self, "any more");
}

void st_triangle_fem_product(st_force *force, const st_params *params, st_real k, st_real b) {
    (void)b; // no damping
    st_triangle_fem *self = (st_triangle_fem *)force;
    if (!st_triangle_fem_ready(self)) return;
    st_triangle_model_product(&self->model, force->object.scene->pool, k, st_dx(force->state, params),
                              st_df(force->state, params));
}

void st_triangle_fem_stiffness(st_force *force, const st_params *params, st_stiffness to) {
    (void)params;
    st_triangle_fem *self = (st_triangle_fem *)force;
    if (st_triangle_fem_ready(self))
        st_triangle_model_stiffness(&self->model, force->object.scene->pool,
                                    st_stiffness_between(to, force->state, force->state));
}

st_real st_triangle_fem_potential(st_force *force, const st_params *params) {
    st_triangle_fem *self = (st_triangle_fem *)force;
    return st_triangle_fem_ready(self) ? st_triangle_model_potential(&self->model, st_x(force->state, params)) : 0;
}

// With m the mean of xx and yy, the principal values are m ± r, r² = ((xx - yy)/2)² + xy².
void st_principal_stress(st_real values[2], st_real direction[2], const st_real stress[3]) {
    const st_real mean = (stress[0] + stress[1]) / 2, half = (stress[0] - stress[1]) / 2;
    const st_real radius = sqrt(half * half + stress[2] * stress[2]), sign = mean < 0 ? -1 : 1;
    values[0] = mean + sign * radius;
    values[1] = mean - sign * radius;

    // of the first value; 0 when all directions are alike
    const st_real angle = atan2(sign * stress[2], sign * half) / 2;
    direction[0] = cos(angle);
    direction[1] = sin(angle);
}

// ---------------------------------------------------------------------------------------------------
// Drawing
// ---------------------------------------------------------------------------------------------------

static void triangle_fem_draw(st_object *object, st_canvas *canvas) {
    enum { AT_ONCE = 256 };
    st_triangle_fem *self = (st_triangle_fem *)object;
    if (!st_triangle_fem_ready(self)) return;

    // a buffer at a time: the canvas takes many triangles in one call
    const st_state *state = self->elastic.force.state;
    uint32_t corners[3 * AT_ONCE];
    for (size_t e = 0, n = 0; e < self->model.mesh.count; e++) {
        st_element_nodes(&self->model.mesh, e, corners + 3 * n++);
        if (n < AT_ONCE && e + 1 < self->model.mesh.count) continue;
        canvas->triangles(canvas, n, corners, state->coord[ST_COORD_POSITION].data, state->size, 3,
                          (st_rgba){0, 0.6f, 0.8f, 1});
        n = 0;
    }
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

static const st_field fields[] = {
    ST_FIELD(st_triangle_fem, method, "method", st_type_string, "large",
             "large: a frame turns with each triangle; small: none does, the surface stays near the x-y plane"),
    ST_TEAR_FIELD(st_triangle_fem),
    ST_FIELDS_END,
};

static const st_force_ops force_ops = {
    .add_force = st_triangle_fem_add_force,
    .stiffness = st_triangle_fem_stiffness,
    .product = st_triangle_fem_product,
    .potential = st_triangle_fem_potential,
};

const st_class st_triangle_fem_class = {
    .name = "MembraneFEMForceField",
    .help = "what every force of membrane triangles has",
    .parent = &st_elastic_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_triangle_fem),
    .flags = ST_CLASS_ABSTRACT,
    .destroy = triangle_fem_destroy,
    .event = triangle_fem_event,
    .draw = triangle_fem_draw,
    .force = &force_ops,
};
