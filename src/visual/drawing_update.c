// Making the list of what is drawn, from the present state of a scene: see drawing.h for the parts.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/array.h"
#include "force/fem/common/elastic.h"
#include "scene/scene.h"
#include "settee/plugin/physics.h"
#include "visual/draw_contacts.h"
#include "visual/drawing.h"

typedef void draw_function(st_drawing *drawing, st_object *object, unsigned show);

// Springs and elements of a body that is seen otherwise would only clutter it.
static bool is_hidden(st_drawing *d, const st_object *object) {
    const st_force *force = (const st_force *)object;
    if (!object->type->force || !force->state) return false;
    if (force->state != force->other && !st_is_a(object, &st_elastic_class)) return false;
    return st_has_visual_model(force->state->object.node) || st_body_has_mesh(d, force->state);
}

// Does a colored body take the place of the visual model?
static bool is_colored_over(const st_drawing *d, const st_state *visual) {
    for (size_t i = 0; i < d->fields.count; i++)
        for (const st_node *node = visual->object.node; node; node = node->parent)
            if (d->fields.data[i].state->object.node == node) return true;
    return false;
}

static void draw_by_itself(st_drawing *d, st_object *object, unsigned show) {
    const bool force = object->type->force != NULL, state = st_has_role(object, ST_ROLE(state));
    unsigned flag = show & ST_SHOW_VISUAL;

    // which flag calls for it
    if (force) flag = show & ST_SHOW_FORCE_FIELDS ? ST_SHOW_FORCE_FIELDS : is_hidden(d, object) ? 0 : flag;
    if (state && ((st_state *)object)->mechanical && !flag) flag = show & ST_SHOW_BEHAVIOR;
    if (state && !((st_state *)object)->mechanical && is_colored_over(d, (st_state *)object)) flag = 0;
    if (!flag && !force && !state) flag = show & (ST_SHOW_ROIS | ST_SHOW_VECTORS);
    if (!flag) return;

    st_drawing_begin(d, object, flag & ST_SHOW_VISUAL ? ST_SHOW_VISUAL : flag & -flag);
    object->type->draw(object, &d->canvas);
}

static void draw_main(st_drawing *d, st_object *object, unsigned show) {
    const bool state = st_has_role(object, ST_ROLE(state));
    if (state && ((st_state *)object)->mechanical && st_is_body((st_state *)object)) {
        const bool seen = st_has_visual_model(object->node) && !st_color_field_of(d, (st_state *)object);
        const unsigned flag = seen ? show & ST_SHOW_BEHAVIOR : show & (ST_SHOW_VISUAL | ST_SHOW_BEHAVIOR);
        st_drawing_begin(d, object, flag & -flag);
        if (flag) st_draw_body(d, (st_state *)object);
    }

    const bool draws = object->type->draw && !(object->type->flags & ST_CLASS_INERT);
    if (draws && st_is_valid(object)) draw_by_itself(d, object, show);
    if (show & ST_SHOW_COLLISION && object->type->collision_model && st_is_valid(object)) st_draw_collision(d, object);
}

static void draw_extras(st_drawing *d, st_object *object, unsigned show) {
    if (!st_is_valid(object)) return;
    if (show & ST_SHOW_FIXED && object->type->projection) st_draw_fixed(d, object);
    if (!st_has_role(object, ST_ROLE(state))) return;

    st_state *state = (st_state *)object;
    if (state->mechanical && !state->transient) st_draw_state_extras(d, state, show);
    if (!state->mechanical && show & ST_SHOW_NORMALS) st_draw_normals(d, state);
}

static void walk(st_drawing *d, st_node *node, unsigned inherited, draw_function *draw) {
    if (!node->activated || d->failed) return;
    const unsigned flags = st_node_show_flags(node, inherited);
    d->canvas.show = (flags | d->on) & ~d->off;

    for (size_t i = 0; i < node->objects.count; i++) {
        const size_t before = d->items.count;
        draw(d, node->objects.data[i], d->canvas.show);
        if (d->canvas.show & ST_SHOW_WIREFRAME) st_make_wireframe(d, before);
    }

    for (size_t i = 0; i < node->children.count; i++) walk(d, node->children.data[i], flags, draw);
}

// A last resort: every state, also mapped ones and numbers on the x axis.
static void draw_any_state(st_drawing *d, st_object *object, unsigned show) {
    const st_state *state = (const st_state *)object;
    if (!(show & ST_SHOW_VISUAL) || !st_has_role(object, ST_ROLE(state)) || !state->mechanical || state->transient)
        return;
    st_drawing_begin(d, object, ST_SHOW_VISUAL);
    d->canvas.points(&d->canvas, state->size, st_drawing_state_places(d, state), 3, (st_rgba){0.30F, 0.42F, 0.60F, 1});
}

bool st_find_drawing_bounds(const st_drawing *drawing, st_real box[6]) {
    bool any = false;
    for (int k = 0; k < 3; k++) box[k] = ST_REAL_MAX, box[3 + k] = -ST_REAL_MAX;
    for (size_t i = 0; i < drawing->items.count; i++) any = st_add_item_bounds(&drawing->items.data[i], box) || any;
    return any;
}

static double diagonal(const st_drawing *d) {
    st_real box[6];
    double square = 0;
    if (!st_find_drawing_bounds(d, box)) return 1;
    for (int k = 0; k < 3; k++) square += pow((double)box[3 + k] - (double)box[k], 2);
    return square > 0 && isfinite(square) ? sqrt(square) : 1;
}

// Bodies that one can see through, and the contacts between them.
static void draw_contacts(st_drawing *d, st_scene *scene) {
    for (size_t i = 0; i < d->items.count; i++)
        if (d->items.data[i].kind == ST_DRAW_TRIANGLES) d->items.data[i].color[3] *= 0.35F;
    st_drawing_begin(d, &scene->root->object, ST_SHOW_CONTACTS);
    if (!st_draw_contacts(scene, (st_real)d->size, &d->canvas)) d->failed = true;
}

static bool take_flags(st_drawing *d, st_scene *scene, const st_draw_options *options) {
    char word[64];
    d->options = options;
    d->on = options->on & ~options->off;
    d->off = options->off;
    if (!options->show_words || st_parse_show_words(options->show_words, &d->on, &d->off, word)) return true;
    st_scene_message(
        scene, ST_ERROR, "drawing", NULL, 0,
        "'%s' cannot be shown: known are visual, behavior, springs, collision, wireframe, normals, forces, "
        "velocities, contacts, fixed, rois, frames, boxes, labels, trails, vectors, all, none, and each "
        "with no- before it",
        word);
    return false;
}

st_status st_update_drawing(st_drawing *d, st_scene *scene, const st_draw_options *options) {
    st_clear_drawing(d);
    if (!scene->root) {
        st_scene_message(scene, ST_ERROR, "drawing", NULL, 0, "nothing can be drawn: no scene is loaded");
        return ST_INVALID;
    }
    if (!take_flags(d, scene, options) || !st_find_color_fields(d, scene)) return ST_INVALID;

    // bodies first: the others are measured by their size
    walk(d, scene->root, ST_SHOW_VISUAL, draw_main);
    if (d->items.count == 0) walk(d, scene->root, ST_SHOW_VISUAL, draw_any_state);
    d->size = diagonal(d);

    walk(d, scene->root, ST_SHOW_VISUAL, draw_extras);
    const unsigned root = st_node_show_flags(scene->root, ST_SHOW_VISUAL);
    if (((root | d->on) & ~d->off) & ST_SHOW_CONTACTS) draw_contacts(d, scene);

    st_seal_drawing(d);
    return d->failed ? ST_OUT_OF_MEMORY : ST_OK;
}
