// What a scene looks like: a list of points, lines, triangles, arrows, frames and labels that any renderer can draw. The
// pictures of the program are made from it, and the viewer sends it to the browser.
//
//     st_drawing *drawing = st_drawing_create();
//     st_draw_options options = st_default_draw_options();
//     options.show_words = "collision,forces";                      // or set and clear bits of ST_SHOW_...
//     for (;;) {
//         st_scene_step(scene, 0);
//         if (st_drawing_update(drawing, scene, &options) != ST_OK) break;
//         for (size_t i = 0; i < st_drawing_count(drawing); i++) {
//             const st_draw_item *item = st_drawing_item(drawing, i);
//             // item->key finds the item of the frame before; while item->topology is the same only positions, colors,
//             // scalars and vectors can have changed
//         }
//     }
//     st_drawing_destroy(drawing);
//
// Everything in an item is borrowed until the next update of the drawing, the next step or change of the scene. An update
// reads the scene and changes nothing in it: call it between steps, from the thread that owns the scene. Positions of Vec3
// states are not copied. Coordinates that are not finite are handed out as they are; leave such elements out.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_DRAWING_H
#define SETTEE_DRAWING_H

#include "settee/settee.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------
// What is shown
// ---------------------------------------------------------------------------------------------------

// Without a VisualStyle in the scene: ST_SHOW_VISUAL. The words are those of st_draw_options.show_words.
enum {
    ST_SHOW_VISUAL = 1 << 0,       // "visual": visual models; bodies without one as mesh, edges, springs or points
    ST_SHOW_BEHAVIOR = 1 << 1,     // "behavior": meshes and points of bodies that have visual models, too
    ST_SHOW_FORCE_FIELDS = 1 << 2, // "springs": springs, beams and loads of bodies that are shown otherwise, too
    ST_SHOW_COLLISION = 1 << 3,    // "collision": collision models
    ST_SHOW_WIREFRAME = 1 << 4,    // "wireframe": the sides of triangles instead of their faces
    ST_SHOW_NORMALS = 1 << 5,      // "normals": of visual models
    ST_SHOW_FORCES = 1 << 6,       // "forces": the force on each degree of freedom
    ST_SHOW_VELOCITIES = 1 << 7,   // "velocities"
    ST_SHOW_CONTACTS = 1 << 8,     // "contacts": points, normals and forces
    ST_SHOW_FIXED = 1 << 9,        // "fixed": degrees of freedom that projective constraints hold
    ST_SHOW_ROIS = 1 << 10,        // "rois": regions of interest and the points in them
    ST_SHOW_FRAMES = 1 << 11,      // "frames": axes of rigid bodies
    ST_SHOW_BOXES = 1 << 12,       // "boxes": the box around each body
    ST_SHOW_LABELS = 1 << 13,      // "labels": numbers of the degrees of freedom
    ST_SHOW_TRAILS = 1 << 14,      // "trails": where the degrees of freedom were at the updates before
    ST_SHOW_VECTORS = 1 << 15,     // "vectors": VisualVectorField, and showVectors of states
    ST_SHOW_ALL = (1 << 16) - 1
};

// The name of a flag with one bit, "" for others.
ST_API const char *st_show_name(unsigned flag);
// Applies a list such as "collision,no-visual" or "none,contacts" (commas or blanks between): a word switches its flag
// on, with no- before it off; "all" and "none" switch every one. False: `word` (may be NULL) is the one that is unknown.
ST_API bool st_read_show_words(const char *words, unsigned *on, unsigned *off, char word[64]);
// Flags of the root by the VisualStyle of the scene: what is shown unless the options say otherwise.
ST_API unsigned st_scene_show_flags(st_scene *scene);

typedef struct st_draw_options {
    unsigned on, off;       // ST_SHOW_... that are switched, in all nodes, whatever the scene says
    const char *show_words; // the same as words, applied after the flags; NULL: none
    // A field that colors the bodies: "vonMises", "strain" or "youngModulus" of every force that has it, or a component's
    // field with one value for each point or element, such as "/Liver/dofs.velocity" (of vectors the length). NULL: what
    // the scene asks for (showVonMisesStressPerNodeColorMap, showStressValue and the like), if anything.
    const char *color;
    double color_range[2]; // ends of the color bar; equal: the smallest and largest value
    // Length of the longest arrow, of frames and of normals, relative to the size of the scene; 0: a usual one.
    double arrow_length;
} st_draw_options;

ST_API st_draw_options st_default_draw_options(void);

// ---------------------------------------------------------------------------------------------------
// Items
// ---------------------------------------------------------------------------------------------------

typedef enum st_draw_kind {
    ST_DRAW_POINTS,    // discs of `size` pixels radius
    ST_DRAW_SPHERES,   // `radii` in units of the scene
    ST_DRAW_LINES,     // two indices each; `size` pixels wide
    ST_DRAW_TRIANGLES, // three indices each
    ST_DRAW_ARROWS,    // from each position along its vector, which is as long as it is drawn
    ST_DRAW_FRAMES,    // at each position axes x, y, z (red, green, blue) of length `size` in units of the scene
    ST_DRAW_LABELS,    // a text at each position
} st_draw_kind;

typedef struct st_draw_item {
    const st_object *object; // whose picture it is
    uint64_t key;            // the same for the same item in the next update; unique in a drawing
    unsigned show;           // the one flag that it belongs to
    st_draw_kind kind;

    const st_real *positions; // 3 for each point
    size_t point_count;
    const uint32_t *indices; // of lines and triangles; NULL otherwise: each point is an element
    size_t element_count;
    uint64_t topology; // another number: kind, counts or indices are others than before

    float color[4];            // red, green, blue, opacity: 0 to 1, as on a screen
    const float *colors;       // 4 for each element, or NULL: `color` for all
    const float *scalars;      // one for each point or each element, NULL: none. NaN: there is no value, use `color`
    bool scalars_per_element;  //
    const st_real *vectors;    // of arrows: 3 for each point
    const st_real *quaternion; // of frames: 4 for each point, x y z w
    const st_real *radii;      // of spheres
    const char *const *labels; // of labels
    const float *texcoords;    // of textured triangles: 2 for each corner of each triangle, (0, 0) is the lower left
    const char *texture;       // path of the image file, or NULL
    float size;                // see the kinds
    bool edges;                // draw the sides of triangles as thin dark lines
    const uint8_t *sides;      // with `edges`: bit i of a triangle: its side from corner i to i + 1. NULL: all
    bool flat;                 // one normal for each triangle
} st_draw_item;

// The color bar that belongs to the scalars; title NULL: there are none.
typedef struct st_draw_legend {
    const char *title; // "von Mises stress"
    double low, high;
} st_draw_legend;

// Red, green and blue at t, 0 at the lower end of the bar and 1 at the upper one: blue, cyan, green, yellow, red.
ST_API void st_color_of_scalar(double t, float rgb[3]);

typedef struct st_drawing st_drawing;

ST_API st_drawing *st_drawing_create(void); // NULL: out of memory
ST_API void st_drawing_destroy(st_drawing *drawing);
// Makes the list for the present state. ST_INVALID, with a message in the scene's log: no scene is loaded, a word or field
// is unknown. Trails grow with each update while they are shown, up to 1000 points each.
ST_API st_status st_drawing_update(st_drawing *drawing, st_scene *scene, const st_draw_options *options);
ST_API size_t st_drawing_count(const st_drawing *drawing);
ST_API const st_draw_item *st_drawing_item(const st_drawing *drawing, size_t index); // NULL past the end
ST_API st_draw_legend st_drawing_legend(const st_drawing *drawing);
// The box around all positions that are finite and used; false: there are none.
ST_API bool st_drawing_bounds(const st_drawing *drawing, st_real box[6]);

// ---------------------------------------------------------------------------------------------------
// Camera of the scene
// ---------------------------------------------------------------------------------------------------

typedef struct st_draw_camera {
    bool given; // by a camera component of the scene, or by a file SCENE.view beside it; false: fit what is drawn
    double eye[3], target[3], up[3];
    double field_of_view; // degrees, vertical
} st_draw_camera;
ST_API st_draw_camera st_scene_camera(st_scene *scene);

#ifdef __cplusplus
}
#endif
#endif
