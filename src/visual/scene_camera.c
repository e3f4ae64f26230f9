// Camera, InteractiveCamera, BaseCamera, RecordedCamera: the point of view of pictures; and files SCENE.view.
//
// The eye is at `position`. It looks at `lookAt`, else along the negative z axis of its orientation (a quaternion), as far
// as `distance`. Up is y, turned by the orientation. A file SCENE.view beside the scene holds seven numbers: position and
// orientation; it counts where the scene has no camera.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/scene_camera.h"

#include <math.h>
#include <stdio.h>

#include "base/array.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "scene/scene.h"

typedef struct camera {
    st_object object;
    st_real position[3], orientation[4], look_at[3], distance, field_of_view;
} camera;

static const st_field fields[] = {
    ST_FIELD(camera, position, "position", st_type_vec3, "0 0 0", "the eye; not given: everything fits in the picture",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(camera, orientation, "orientation", st_type_quat, "0 0 0 1",
             "how it is turned from looking along -z, with y up", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(camera, look_at, "lookAt", st_type_vec3, "0 0 0", "the point in the middle of the picture",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(camera, distance, "distance", st_type_real, "0", "from the eye to the point that it looks at",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(camera, field_of_view, "fieldOfView", st_type_real, "45", "vertical angle of view in degrees",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// Windows and mice have further attributes, which pictures do not need.
static bool camera_attribute(st_object *object, const char *name, const char *value) {
    (void)object, (void)name, (void)value;
    return true;
}

const st_class st_camera_class = {
    .name = "BaseCamera",
    .help = "point of view of pictures",
    .kind = "visual",
    .aliases = "Camera InteractiveCamera RecordedCamera",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(camera),
    .example = "<BaseCamera position=\"0 5 20\" lookAt=\"0 0 0\"/>",
    .attribute = camera_attribute,
};

// From an eye and its orientation; `target` is in front of it when not given.
static st_draw_camera looking(const st_real eye[3], const st_real q[4], const st_real *target, double distance) {
    static const st_real y[3] = {0, 1, 0}, back[3] = {0, 0, 1};
    st_draw_camera c = {.given = true, .field_of_view = 45};
    st_real up[3], turned[3], unit[4];
    st_quat_normalize(unit, q);
    st_quat_rotate(up, unit, y);
    st_quat_rotate(turned, unit, back);

    bool finite = true;
    for (int k = 0; k < 3; k++) {
        c.eye[k] = (double)eye[k];
        c.up[k] = (double)up[k];
        c.target[k] = target ? (double)target[k] : c.eye[k] - distance * (double)turned[k];
        finite = finite && isfinite(c.eye[k]) && isfinite(c.up[k]) && isfinite(c.target[k]);
    }
    c.given = finite && (c.eye[0] != c.target[0] || c.eye[1] != c.target[1] || c.eye[2] != c.target[2]);
    return c;
}

static bool find_component(st_node *node, st_draw_camera *found) {
    for (size_t i = 0; i < node->objects.count; i++) {
        const st_object *object = node->objects.data[i];
        const camera *c = (const camera *)object;
        if (!st_is_a(object, &st_camera_class) || !st_is_set(object, c->position)) continue;

        const double distance = c->distance > 0 ? (double)c->distance : 1;
        const bool turned = st_is_set(object, c->orientation) && !st_is_set(object, c->look_at);
        *found = looking(c->position, c->orientation, turned ? NULL : c->look_at, distance);
        if (c->field_of_view >= 1 && c->field_of_view <= 150) found->field_of_view = (double)c->field_of_view;
        if (found->given) return true;
    }

    for (size_t i = 0; i < node->children.count; i++)
        if (find_component(node->children.data[i], found)) return true;
    return false;
}

// Seven numbers. What cannot be read is reported once, and then everything fits.
static st_draw_camera read_view(st_scene *scene) {
    const st_draw_camera none = {0};
    const char *scene_file = scene->root->object.file;
    char *path = scene_file ? st_string_format("%s.view", scene_file) : NULL;
    FILE *file = path ? fopen(path, "r") : NULL;

    // as many numbers as there are
    double v[7];
    int read = 0;
    while (file && read < 7 && fscanf(file, "%lf", &v[read]) == 1) read++;
    if (file) fclose(file);

    if (file && read < 7 && st_first_time(&scene->root->object, "view"))
        st_scene_message(scene, ST_WARNING, "picture", path, 0,
                         "%d numbers were read: a view has 7, the position of the eye and its orientation", read);
    st_free(path);
    if (read < 7) return none;

    // the eye, and how it is turned
    const st_real eye[3] = {(st_real)v[0], (st_real)v[1], (st_real)v[2]};
    const st_real q[4] = {(st_real)v[3], (st_real)v[4], (st_real)v[5], (st_real)v[6]};
    return looking(eye, q, NULL, 1);
}

st_draw_camera st_find_camera(st_scene *scene) {
    st_draw_camera found = {0};
    if (!scene || !scene->root) return found;
    return find_component(scene->root, &found) ? found : read_view(scene);
}
