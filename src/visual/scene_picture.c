// A picture of a scene: the list of what is drawn, seen by a camera, as pixels or in a PNG file.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/scene_picture.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "scene/scene.h"
#include "visual/drawing_picture.h"
#include "visual/scene_camera.h"

static bool is_given(const st_real v[3]) { return v[0] != 0 || v[1] != 0 || v[2] != 0; }

static void copy(double to[3], const st_real from[3]) {
    for (int k = 0; k < 3; k++) to[k] = (double)from[k];
}

static st_status refuse(st_scene *scene, const char *path, const char *why) {
    st_scene_message(scene, ST_ERROR, "picture", path, 0, "the picture could not be written: %s", why);
    return ST_INVALID;
}

// ---------------------------------------------------------------------------------------------------
// The camera
// ---------------------------------------------------------------------------------------------------

// Is the component the one that the path names, or in the node that it names?
static bool is_below(const st_object *object, const char *path) {
    const char *own = st_path(object);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    if (length == 1 && path[0] == '/') return true;
    return strncmp(own, path, length) == 0 && (own[length] == 0 || own[length] == '/');
}

// The box around what is drawn of a part of the scene; false: nothing is.
static bool fit_part(const st_drawing *d, const char *path, double bounds[2][3]) {
    st_real box[6];
    bool any = false;
    for (int k = 0; k < 3; k++) box[k] = ST_REAL_MAX, box[3 + k] = -ST_REAL_MAX;
    for (size_t i = 0; i < d->items.count; i++)
        if (is_below(d->items.data[i].object, path)) any = st_add_item_bounds(&d->items.data[i], box) || any;
    for (int i = 0; i < 6; i++) bounds[i / 3][i % 3] = (double)box[i];
    return any;
}

// An eye without a target looks at the middle of the scene; a target without an eye is seen from where all fits.
static void complete_eye(st_picture_view *view, const st_drawing *d, const st_picture_options *o) {
    double middle[3] = {0, 0, 0}, direction[3], length = 0;
    st_real box[6];
    if (st_find_drawing_bounds(d, box))
        for (int k = 0; k < 3; k++) middle[k] = ((double)box[k] + (double)box[3 + k]) / 2;
    copy(view->eye, o->eye);
    copy(view->target, o->target);
    if (!o->has_target) memcpy(view->target, middle, sizeof middle);
    view->has_eye = true;
    if (o->has_eye) return;

    // far enough for a sphere around everything
    for (int k = 0; k < 3; k++) direction[k] = view->direction[k], length += direction[k] * direction[k];
    const double distance = 0.55 * d->size / sin(view->field_of_view * acos(-1.0) / 360);
    for (int k = 0; k < 3; k++) view->eye[k] = view->target[k] + distance * direction[k] / sqrt(length);
}

static st_status choose_view(st_picture_view *view, st_scene *scene, const st_drawing *d, const st_picture_options *o) {
    const st_draw_camera camera = st_find_camera(scene);
    const bool own = is_given(o->view) || o->has_eye || o->has_target || o->fit;
    if (is_given(o->view)) copy(view->direction, o->view);
    if (o->zoom > 0) view->zoom = (double)o->zoom;

    // the camera of the scene counts where nothing else is said
    if (!own && camera.given) {
        view->has_eye = true;
        memcpy(view->eye, camera.eye, sizeof view->eye);
        memcpy(view->target, camera.target, sizeof view->target);
        memcpy(view->up, camera.up, sizeof view->up);
        view->field_of_view = camera.field_of_view;
    }
    if (is_given(o->up)) copy(view->up, o->up);
    if (o->has_eye || o->has_target) complete_eye(view, d, o);

    if (!o->fit) return ST_OK;
    view->has_bounds = fit_part(d, o->fit, view->bounds);
    if (view->has_bounds) return ST_OK;
    st_scene_message(scene, ST_ERROR, "picture", NULL, 0, "'%s' cannot fit in the picture: nothing is drawn of it",
                     o->fit);
    return ST_INVALID;
}

// ---------------------------------------------------------------------------------------------------
// Pixels
// ---------------------------------------------------------------------------------------------------

static st_status render(st_scene *scene, const char *path, const st_picture_options *o, st_drawing *d,
                        st_image *image) {
    st_picture picture = {0};
    st_picture_view view = st_default_picture_view();
    st_image_error error = {.text = "out of memory"};
    view.width = (uint32_t)o->width;
    view.height = (uint32_t)o->height;

    // shapes and camera
    st_status status = st_picture_take_drawing(&picture, d, scene);
    if (status == ST_OK && o->caption) status = st_picture_set_caption(&picture, o->caption);
    if (status == ST_OK && choose_view(&view, scene, d, o) != ST_OK) {
        st_picture_free(&picture);
        return ST_INVALID;
    }

    // an empty picture is drawn, but nobody should wonder why
    double bounds[2][3];
    if (status == ST_OK && !st_picture_bounds(&picture, bounds) && st_first_time(&scene->root->object, "empty picture"))
        st_scene_message(scene, ST_WARNING, "picture", path, 0,
                         "the picture is empty: nothing in the scene has a place, or nothing is switched on");
    if (status == ST_OK) status = st_picture_render(&picture, &view, image, &error);
    if (status != ST_OK) refuse(scene, path, error.text);

    st_picture_free(&picture);
    return status;
}

// The list, unless an earlier one is continued, and the picture of it.
static st_status draw(st_scene *scene, const char *path, const st_picture_options *o, st_image *image) {
    const st_draw_options what = {.show_words = o->show,
                                  .color = o->color,
                                  .color_range = {(double)o->color_range[0], (double)o->color_range[1]}};
    if (!scene->root) return refuse(scene, path, "no scene is loaded");
    if (o->width <= 0 || o->height <= 0) return refuse(scene, path, "its size must be positive");

    st_drawing *drawing = o->drawing ? o->drawing : st_make_drawing();
    st_status status = drawing ? st_update_drawing(drawing, scene, &what) : ST_OUT_OF_MEMORY;
    if (status == ST_OUT_OF_MEMORY) refuse(scene, path, "out of memory");
    if (status == ST_OK) status = render(scene, path, o, drawing, image);
    if (!o->drawing) st_free_drawing(drawing);
    return status;
}

st_status st_draw_pixels(st_scene *scene, uint8_t *pixels, const st_picture_options *options) {
    st_image image = {0};
    const st_status status = draw(scene, NULL, options, &image);
    if (status == ST_OK) memcpy(pixels, image.pixels, (size_t)3 * image.width * image.height);
    st_image_free(&image);
    return status;
}

st_status st_write_picture(st_scene *scene, const char *path, const st_picture_options *options) {
    st_image image = {0};
    st_image_error error;
    st_status status = draw(scene, path, options, &image);
    if (status == ST_OK) {
        status = st_image_write_png(&image, path, &error);
        if (status != ST_OK) refuse(scene, path, error.text);
    }

    st_image_free(&image);
    return status;
}
