// What a scene looks like, for programs. The work is done in visual/.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/drawing.h"

#include "scene/scene.h"
#include "visual/scene_camera.h"

const char *st_show_name(unsigned flag) { return st_show_flag_name(flag); }

bool st_read_show_words(const char *words, unsigned *on, unsigned *off, char word[64]) {
    return words && on && off && st_parse_show_words(words, on, off, word);
}

unsigned st_scene_show_flags(st_scene *scene) {
    return scene && scene->root ? st_node_show_flags(scene->root, ST_SHOW_VISUAL) : ST_SHOW_VISUAL;
}

st_draw_options st_default_draw_options(void) { return (st_draw_options){0}; }

void st_color_of_scalar(double t, float rgb[3]) { st_scalar_color(t, rgb); }

st_drawing *st_drawing_create(void) { return st_make_drawing(); }
void st_drawing_destroy(st_drawing *drawing) { st_free_drawing(drawing); }

st_status st_drawing_update(st_drawing *drawing, st_scene *scene, const st_draw_options *options) {
    const st_draw_options defaults = st_default_draw_options();
    if (!drawing || !scene) return ST_INVALID;
    return st_update_drawing(drawing, scene, options ? options : &defaults);
}

size_t st_drawing_count(const st_drawing *drawing) { return drawing ? drawing->items.count : 0; }

const st_draw_item *st_drawing_item(const st_drawing *drawing, size_t index) {
    return index < st_drawing_count(drawing) ? &drawing->items.data[index] : NULL;
}

st_draw_legend st_drawing_legend(const st_drawing *drawing) { return drawing ? drawing->legend : (st_draw_legend){0}; }

bool st_drawing_bounds(const st_drawing *drawing, st_real box[6]) {
    return drawing && st_find_drawing_bounds(drawing, box);
}

st_draw_camera st_scene_camera(st_scene *scene) { return st_find_camera(scene); }
