// The list of what is drawn of a scene, while it is made (settee/drawing.h is what programs see of it).
//
// An update has four parts:
//
//     1. flags: which kinds of things are shown in which node (show_flags.c)
//     2. bodies and what belongs to a component: draw_bodies.c, and the hook `draw` of components
//     3. what is drawn about states, models and constraints on request: draw_states.c, draw_collision.c, draw_trails.c, ...
//     4. colors by a field: field_colors.c
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_DRAWING_H
#define SETTEE_VISUAL_DRAWING_H

#include "settee/drawing.h"
#include "settee/plugin/draw.h"
#include "settee/plugin/state.h"
#include "topology/boundary.h"
#include "visual/picture.h"

typedef struct st_body_mesh st_body_mesh; // draw_bodies.c
typedef struct st_trail st_trail;         // draw_trails.c

// A file that was read, or could not be: then without pixels.
typedef struct st_read_texture {
    char *path;
    st_texture texture;
} st_read_texture;

// Values that color a body: one for each of its points, or for each element of one kind.
typedef struct st_color_field {
    const st_state *state;
    int kind; // st_element, or ST_POINT
    const float *values;
    size_t count;
} st_color_field;

struct st_drawing {
    st_canvas canvas; // comes first: what components draw on
    ST_LIST(st_draw_item) items;
    ST_LIST(void *) owned; // memory of the items
    ST_LIST(st_body_mesh *) meshes;
    ST_LIST(st_trail *) trails;
    ST_LIST(st_read_texture *) textures;
    ST_LIST(st_color_field) fields;
    st_draw_legend legend;

    // the present update
    const st_draw_options *options;
    unsigned on, off;
    const st_object *object; // whose items are added
    unsigned show;           // the flag that they belong to
    uint64_t ordinal;        // of the next item of that object and flag
    double size;             // of the scene: length of the diagonal of its box
    size_t surfaces;         // bodies so far: each gets the next color
    bool failed;             // out of memory
};

// The drawing whose canvas it is; NULL: another one's.
st_drawing *st_drawing_of_canvas(st_canvas *canvas);

// Items that follow belong to this component and flag.
void st_drawing_begin(st_drawing *drawing, const st_object *object, unsigned show);
// Zeroed memory that lives as long as the items; NULL: out of memory, which the drawing remembers.
void *st_drawing_alloc(st_drawing *drawing, size_t count, size_t size);
// A new item of the present component with its kind and color; NULL: out of memory. Borrowed until the next one.
st_draw_item *st_drawing_add(st_drawing *drawing, st_draw_kind kind, st_rgba color);

// Positions with any stride as 3 reals each, of which the first `spatial` are given; the array itself if it has that form
// and `borrow` is set.
const st_real *st_drawing_places(st_drawing *drawing, size_t count, const st_real *positions, size_t stride,
                                 size_t spatial, bool borrow);
const st_real *st_drawing_state_places(st_drawing *drawing, const st_state *state);
// Labels 0, 1, 2, ... at places that live as long as the items.
void st_drawing_add_numbers(st_drawing *drawing, size_t count, const st_real *places, st_rgba color);
// 0, 1, 2, ...
const uint32_t *st_drawing_numbers(st_drawing *drawing, size_t count);

const char *st_show_flag_name(unsigned flag);
bool st_parse_show_words(const char *words, unsigned *on, unsigned *off, char word[64]);
void st_scalar_color(double t, float rgb[3]);

// The list itself.
st_drawing *st_make_drawing(void); // NULL: out of memory
void st_free_drawing(st_drawing *drawing);
void st_clear_drawing(st_drawing *drawing); // items, but not what is kept from update to update
void st_seal_drawing(st_drawing *drawing);  // at the end of an update: computes `topology` of all items
st_status st_update_drawing(st_drawing *drawing, st_scene *scene, const st_draw_options *options);

// The places that an item uses, one after another; false: it is not finite.
size_t st_item_places(const st_draw_item *item);
bool st_item_place(const st_draw_item *item, size_t i, st_real p[3]);
// Grows the box (low corner, high corner) around them; false: none is finite.
bool st_add_item_bounds(const st_draw_item *item, st_real box[6]);
bool st_find_drawing_bounds(const st_drawing *drawing, st_real box[6]);

// The parts of an update.
unsigned st_node_show_flags(const st_node *node, unsigned inherited);
bool st_find_color_fields(st_drawing *drawing, st_scene *scene); // false, after a message: the field is unknown
const st_color_field *st_color_field_of(const st_drawing *drawing, const st_state *state);
void st_draw_body(st_drawing *drawing, st_state *state);
bool st_is_body(const st_state *state);                            // is it shown where no visual model shows it?
bool st_body_has_mesh(st_drawing *drawing, const st_state *state); // faces or edges, not only points
bool st_has_visual_model(const st_node *node);                     // at or below
void st_draw_state_extras(st_drawing *drawing, const st_state *state, unsigned show);
void st_draw_normals(st_drawing *drawing, const st_state *state);
void st_draw_trail(st_drawing *drawing, const st_state *state);
void st_draw_collision(st_drawing *drawing, st_object *model);
void st_draw_fixed(st_drawing *drawing, const st_object *projection);
void st_make_wireframe(st_drawing *drawing, size_t first); // of the items from here on
void st_free_body_meshes(st_drawing *drawing);
void st_free_trails(st_drawing *drawing);
void st_free_textures(st_drawing *drawing); // drawing_picture.c

#endif
