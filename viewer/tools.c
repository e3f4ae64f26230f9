// What pages do to bodies besides pulling.
//
// A swipe of the pointer is two rays. The surface between them is the cut: it parts what lies under the swipe, at any depth,
// and ends where the swipe does.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools.h"

#include <math.h>
#include <string.h>

#include "answers.h"
#include "settee/edit.h"

#define SNAP ((st_real)0.1) // of settee/edit.h

void st_viewer_read_ray(const st_viewer_command *command, bool second, st_real origin[3], st_real direction[3]) {
    static const char *const names[2][6] = {{"x", "y", "z", "dx", "dy", "dz"}, {"x2", "y2", "z2", "dx2", "dy2", "dz2"}};
    for (int k = 0; k < 3; k++) {
        origin[k] = (st_real)st_viewer_command_number(command, names[second][k]);
        direction[k] = (st_real)st_viewer_command_number(command, names[second][3 + k]);
    }
}

void st_viewer_put_pick(st_viewer_text *answer, const st_pick *pick) {
    st_viewer_json_text(answer, "path", st_object_path(pick->state));
    st_viewer_json_open(answer, "point", '[');
    for (int k = 0; k < 3; k++) st_viewer_json_real(answer, NULL, (double)pick->point[k]);
    st_viewer_json_close(answer, ']');
}

// The first body on a ray.
static bool pick_body(st_scene *scene, const st_real origin[3], const st_real direction[3], st_pick *pick,
                      st_viewer_text *answer) {
    st_scene_clear_error(scene);
    const st_status status = st_scene_pick(scene, origin, direction, pick);
    if (status == ST_NOT_FOUND) return st_viewer_fail(answer, "there is no body");
    return status == ST_OK || st_viewer_fail_with(answer, scene, status);
}

// ---------------------------------------------------------------------------------------------------
// Points that are held
// ---------------------------------------------------------------------------------------------------

bool st_viewer_fix(st_viewer_pins *pins, st_scene *scene, const st_viewer_command *command, st_viewer_text *answer) {
    st_real origin[3], direction[3];
    st_pick pick;
    st_viewer_read_ray(command, false, origin, direction);
    if (pins->count == ST_VIEWER_MOST_PINS)
        return st_viewer_fail(answer, "at most %d points are fixed by hand", ST_VIEWER_MOST_PINS);
    if (!pick_body(scene, origin, direction, &pick, answer)) return false;

    st_object *spring = NULL;
    const st_status status = st_pick_attach(&pick, (st_real)st_viewer_command_number(command, "stiffness"), &spring);
    if (status != ST_OK) return st_viewer_fail_with(answer, scene, status);
    pins->all[pins->count].spring = spring;
    for (int k = 0; k < 3; k++) pins->all[pins->count].point[k] = (double)pick.point[k];
    pins->count++;
    st_viewer_put_pick(answer, &pick);
    return true;
}

void st_viewer_unfix(st_viewer_pins *pins) {
    while (pins->count > 0) st_pick_release(pins->all[--pins->count].spring);
}

// ---------------------------------------------------------------------------------------------------
// Meshes that change
// ---------------------------------------------------------------------------------------------------

// The container of this class in the node or the next one above that has one.
static st_object *find_above(const st_node *node, const char *class_name) {
    for (; node; node = st_node_parent(node))
        for (size_t i = 0; i < st_node_object_count(node); i++) {
            st_object *object = st_node_object(node, i);
            if (strcmp(st_object_class_name(object), class_name) == 0) return object;
        }
    return NULL;
}

// The mesh of what was picked: a volume before its surface.
static st_object *find_mesh(const st_pick *pick, st_viewer_text *answer) {
    static const char *const classes[] = {"TetrahedronSetTopologyContainer", "TriangleSetTopologyContainer"};
    const st_node *node = st_object_node(pick->model ? pick->model : pick->state);
    st_object *mesh = NULL;
    for (size_t i = 0; !mesh && i < sizeof classes / sizeof *classes; i++) mesh = find_above(node, classes[i]);
    if (!mesh)
        st_viewer_fail(answer, "%s has no mesh that can change: it needs a TetrahedronSetTopologyContainer or a %s",
                       st_object_path(pick->state), classes[1]);
    return mesh;
}

bool st_viewer_remove(st_scene *scene, const st_viewer_command *command, st_viewer_text *answer) {
    st_real origin[3], direction[3];
    st_pick pick;
    st_viewer_read_ray(command, false, origin, direction);
    if (!pick_body(scene, origin, direction, &pick, answer)) return false;

    // the element under the pointer; of a body without a collision model, those around the nearest point
    st_object *mesh = find_mesh(&pick, answer);
    size_t removed = 1;
    if (!mesh) return false;
    const st_status status = pick.model ? st_remove_picked_elements(pick.model, &pick.element, 1, &removed)
                                        : st_remove_points(mesh, pick.dofs, 1);
    if (status != ST_OK) return st_viewer_fail_with(answer, scene, status);
    if (removed == 0) return st_viewer_fail(answer, "nothing can be removed from %s", st_object_path(mesh));
    st_viewer_put_pick(answer, &pick);
    return true;
}

// The place at `t` of the way from the first ray to the second, `along` its direction.
static void place_of(const st_real o[2][3], const st_real d[2][3], st_real t, st_real along, st_real place[3]) {
    for (int k = 0; k < 3; k++) place[k] = (1 - t) * (o[0][k] + along * d[0][k]) + t * (o[1][k] + along * d[1][k]);
}

static bool normalize(st_real v[3]) {
    const st_real length = (st_real)sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    for (int k = 0; k < 3; k++) v[k] /= length;
    return length > 0 && isfinite((double)length);
}

// The first body between the rays: under the middle of the swipe, or else nearer to its ends.
static bool pick_between(st_scene *scene, const st_real o[2][3], const st_real d[2][3], st_pick *pick) {
    static const double places[] = {0.5, 0.3, 0.7, 0.1, 0.9};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        st_real origin[3], ahead[3];
        place_of(o, d, (st_real)places[i], 0, origin);
        place_of(o, d, (st_real)places[i], 1, ahead);
        for (int k = 0; k < 3; k++) ahead[k] -= origin[k];
        if (st_scene_pick(scene, origin, ahead, pick) == ST_OK) return true;
    }
    return false;
}

bool st_viewer_cut(st_scene *scene, const st_viewer_command *command, st_viewer_text *answer) {
    st_real o[2][3], d[2][3];
    st_pick pick;
    for (int i = 0; i < 2; i++) {
        st_viewer_read_ray(command, i == 1, o[i], d[i]);
        if (!normalize(d[i])) return st_viewer_fail(answer, "a ray has no direction");
    }
    if (!pick_between(scene, o, d, &pick)) return st_viewer_fail(answer, "there is no body under the cut");
    st_object *mesh = find_mesh(&pick, answer);
    if (!mesh) return false;

    // two triangles between the rays
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    st_real corners[12];
    for (int i = 0; i < 4; i++)
        place_of(o, d, i == 1 || i == 2, pick.distance * (i < 2 ? (st_real)0.1 : 4), corners + (ptrdiff_t)3 * i);
    st_scene_clear_error(scene);
    const st_status status = st_cut_by_surface(mesh, corners, 4, triangles, 2, SNAP);
    if (status != ST_OK) return st_viewer_fail_with(answer, scene, status);
    st_viewer_put_pick(answer, &pick);
    return true;
}
