// Colors by a field: which values belong to the points or elements of which bodies, and the ends of the color bar.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "force/fem/common/stress.h"
#include "scene/scene.h"
#include "visual/drawing.h"

static const struct {
    const char *name, *title;
    st_stress_value what;
} known[] = {
    {"vonMises", "von Mises stress", ST_STRESS_VON_MISES},
    {"strain", "strain", ST_STRESS_STRAIN},
    {"youngModulus", "Young's modulus", ST_STRESS_YOUNG},
};

const st_color_field *st_color_field_of(const st_drawing *drawing, const st_state *state) {
    for (size_t i = 0; i < drawing->fields.count; i++)
        if (drawing->fields.data[i].state == state) return &drawing->fields.data[i];
    return NULL;
}

// Blue, cyan, green, yellow, red; a little darker than pure, so that shading shows.
void st_scalar_color(double t, float rgb[3]) {
    static const float stops[5][3] = {{0.16F, 0.24F, 0.80F},
                                      {0.10F, 0.68F, 0.80F},
                                      {0.20F, 0.72F, 0.28F},
                                      {0.95F, 0.85F, 0.20F},
                                      {0.82F, 0.14F, 0.12F}};
    const double at = t > 0 ? (t < 1 ? 4 * t : 4) : 0; // NaN gives 0
    const int i = at >= 4 ? 3 : (int)at;
    for (int k = 0; k < 3; k++) rgb[k] = stops[i][k] + (float)(at - i) * (stops[i + 1][k] - stops[i][k]);
}

// ---------------------------------------------------------------------------------------------------
// Stress, strain and Young's modulus
// ---------------------------------------------------------------------------------------------------

// Values of the points of a state; those of a second force fill what the first one leaves.
static void put_points(st_drawing *d, const st_state *state, const float *values) {
    st_color_field *field = (st_color_field *)st_color_field_of(d, state);
    if (!field) {
        const st_color_field made = {state, ST_POINT, values, state->size};
        if (!st_list_push(&d->fields, made)) d->failed = true;
        return;
    }
    for (size_t i = 0; i < field->count; i++)
        if (isnan(field->values[i])) ((float *)field->values)[i] = values[i];
}

static void take_stress(st_drawing *d, const st_object *object, st_stress_value what) {
    st_stress_mesh mesh;
    if (!st_stress_mesh_of(object, what, &mesh)) return;

    const st_state *state = ((const st_force *)object)->state;
    float *elements = st_drawing_alloc(d, mesh.count, sizeof *elements);
    float *points = st_drawing_alloc(d, state->size, sizeof *points);
    if (!elements || !points) return;
    st_stress_of_elements(object, &mesh, what, elements);
    if (st_stress_of_points(&mesh, elements, state->size, points)) put_points(d, state, points);
    else d->failed = true;
}

static void walk_forces(st_drawing *d, st_node *node, st_stress_value what, bool asked) {
    if (!node->activated) return;
    for (size_t i = 0; i < node->objects.count; i++) {
        const st_object *object = node->objects.data[i];
        const st_force_ops *ops = object->type->force;
        if (ops && (!asked || (ops->shows_stress && ops->shows_stress((const st_force *)object))))
            take_stress(d, object, what);
    }
    for (size_t i = 0; i < node->children.count; i++) walk_forces(d, node->children.data[i], what, asked);
}

// ---------------------------------------------------------------------------------------------------
// Any field of a component
// ---------------------------------------------------------------------------------------------------

// The length of element i of a field of numbers.
static float value_of(const st_field *field, const void *data, size_t width, size_t i) {
    double square = 0, one = 0;
    for (size_t k = 0; k < width; k++) {
        const size_t at = i * width + k;
        switch (field->type->scalar) {
        case ST_SCALAR_BOOL: one = ((const bool *)data)[at]; break;
        case ST_SCALAR_INT: one = ((const int32_t *)data)[at]; break;
        case ST_SCALAR_UINT: one = ((const uint32_t *)data)[at]; break;
        default: one = (double)((const st_real *)data)[at]; break;
        }
        square += one * one;
    }
    const double value = width == 1 ? one : sqrt(square);
    return isfinite(value) ? (float)value : NAN;
}

// Points of the state, or the first kind of element that has as many.
static int kind_by_count(const st_state *state, size_t count) {
    if (count == state->size) return ST_POINT;
    st_topology *topology = (st_topology *)st_find_slot(state->object.node, ST_ROLE(topology));
    for (int kind = ST_ELEMENT_KINDS - 1; topology && kind >= 0; kind--)
        if (st_topology_elements(topology, (st_element)kind)->count == count) return kind;
    return -1;
}

static bool refuse(st_scene *scene, const char *color, const char *why) {
    st_scene_message(scene, ST_ERROR, "drawing", NULL, 0, "'%s' cannot color the picture: %s", color, why);
    return false;
}

static bool take_field(st_drawing *d, st_scene *scene, const char *color, const char *dot) {
    char *path = st_string_copy_n(color, (size_t)(dot - color)), why[256];
    st_object *object = path ? st_resolve(&scene->root->object, path[0] == '@' ? path + 1 : path, 0) : NULL;
    st_free(path);
    if (!object) return refuse(scene, color, "there is no such component");

    const int index = st_field_by_name(object, dot + 1);
    if (index < 0) return refuse(scene, color, "the component has no such field; settee info lists them");
    const st_field *field = st_fields(object)[index];
    if (field->type->scalar > ST_SCALAR_REAL || !field->type->list)
        return refuse(scene, color, "the field is not a list of numbers");

    // the state that it is about
    const bool own = st_has_role(object, ST_ROLE(state));
    const st_state *state = (const st_state *)(own ? object : st_find_slot(object->node, ST_ROLE(state)));
    if (object->type->force && ((const st_force *)object)->state) state = ((const st_force *)object)->state;
    if (!state || !state->mechanical) return refuse(scene, color, "there is no mechanical state that it belongs to");

    if (object->data[index].dirty) st_pull_index(object, (uint32_t)index);
    const st_any_list *list = st_member(object, field);
    const int kind = kind_by_count(state, list->count);
    if (kind < 0 || !list->count) {
        snprintf(why, sizeof why, "it has %zu values, the body has %zu points and no kind of element of that number",
                 list->count, state->size);
        return refuse(scene, color, why);
    }

    float *values = st_drawing_alloc(d, list->count, sizeof *values);
    const size_t width = st_field_width(object, field->type);
    for (size_t i = 0; values && i < list->count; i++) values[i] = value_of(field, list->data, width, i);
    const st_color_field made = {state, kind, values, list->count};
    if (!values || !st_list_push(&d->fields, made)) d->failed = true;
    return true;
}

// ---------------------------------------------------------------------------------------------------

static void set_range(st_drawing *d) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < d->fields.count; i++)
        for (size_t k = 0; k < d->fields.data[i].count; k++) {
            const double value = (double)d->fields.data[i].values[k];
            if (isfinite(value)) low = fmin(low, value), high = fmax(high, value);
        }

    if (d->options->color_range[0] < d->options->color_range[1])
        low = d->options->color_range[0], high = d->options->color_range[1];
    d->legend.low = low <= high ? low : 0;
    d->legend.high = low <= high ? high : 0;
}

bool st_find_color_fields(st_drawing *d, st_scene *scene) {
    const char *color = d->options->color, *dot = color ? strrchr(color, '.') : NULL;
    enum { KNOWN = sizeof known / sizeof *known };
    size_t k = 0;
    while (color && k < KNOWN && strcmp(color, known[k].name) != 0) k++;

    // what was asked for, else what the scene asks for
    if (!color || k < KNOWN) walk_forces(d, scene->root, known[k].what, !color);
    else if (!dot)
        return refuse(scene, color,
                      "it is neither vonMises, strain or youngModulus nor a field such as /Body/dofs.force");
    else if (!take_field(d, scene, color, dot)) return false;
    if (color && !d->fields.count && !d->failed) return refuse(scene, color, "no force of the scene has it");
    if (!d->fields.count) return true;

    char *title = st_drawing_alloc(d, 128, 1);
    if (title) strncpy(title, color && k == KNOWN ? color : known[k].title, 127);
    d->legend.title = title;
    set_range(d);
    return true;
}
