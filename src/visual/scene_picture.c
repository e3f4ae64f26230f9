// A picture of a scene: what components draw, and the boundary of the meshes that no visual model shows.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/scene_picture.h"

#include <math.h>

#include "scene/scene.h"
#include "settee/plugin/draw.h"
#include "settee/plugin/physics.h"
#include "topology/boundary.h"
#include "visual/draw_contacts.h"
#include "visual/picture.h"

typedef struct painter {
    st_canvas canvas;
    st_picture *picture;
    st_status status;
    size_t surfaces; // how many were painted: each gets the next color
} painter;

// ---------------------------------------------------------------------------------------------------
// The canvas that components draw on
// ---------------------------------------------------------------------------------------------------

static st_color color_of(st_rgba c) { return (st_color){c.r, c.g, c.b, c.a}; }

// Positions with any stride as 3 reals per point, of which the first `spatial` scalars are given and the others zero
// (those of a Rigid2 are x, y and an angle); NULL: out of memory.
static st_real *packed(size_t count, const st_real *positions, size_t stride, size_t spatial) {
    st_real *out = st_alloc(count * 3 + 1, sizeof *out);
    for (size_t i = 0; out && i < count; i++)
        for (size_t k = 0; k < 3 && k < spatial; k++) out[3 * i + k] = positions[i * stride + k];
    return out;
}

static st_real *places(const st_state *state) {
    const st_dof *dof = st_state_dof(state);
    return packed(state->size, state->coord[ST_COORD_POSITION].data, dof->coord, dof->spatial);
}

static void scene_picture_note(painter *p, st_status status) {
    if (p->status == ST_OK) p->status = status;
}

// Takes over the points.
static void scene_picture_add_points(painter *p, size_t count, st_real *xyz, st_rgba color) {
    scene_picture_note(p, xyz ? st_picture_add_points(p->picture, xyz, count, color_of(color), 4) : ST_OUT_OF_MEMORY);
    st_free(xyz);
}

static void draw_points(st_canvas *canvas, size_t count, const st_real *positions, size_t stride, st_rgba color) {
    scene_picture_add_points((painter *)canvas, count, packed(count, positions, stride, stride), color);
}

static void draw_lines(st_canvas *canvas, size_t count, const uint32_t *pairs, const st_real *positions,
                       size_t position_count, int stride, st_rgba color) {
    painter *p = (painter *)canvas;

    st_real *xyz = packed(position_count, positions, stride, stride);
    scene_picture_note(p,
                       xyz ? st_picture_add_lines(p->picture, xyz, position_count, pairs, count, color_of(color), 1.5F)
                           : ST_OUT_OF_MEMORY);
    st_free(xyz);
}

static void draw_triangles(st_canvas *canvas, size_t count, const uint32_t *corners, const st_real *positions,
                           size_t position_count, int stride, st_rgba color) {
    painter *p = (painter *)canvas;
    st_surface_style style = st_default_surface_style();
    style.color = color_of(color);
    style.edges = false;

    st_real *xyz = packed(position_count, positions, stride, stride);

    scene_picture_note(p, xyz ? st_picture_add_surface(p->picture, xyz, position_count, corners, count, NULL, 0, &style)
                              : ST_OUT_OF_MEMORY);
    st_free(xyz);
}

// ---------------------------------------------------------------------------------------------------
// Meshes without a visual model
// ---------------------------------------------------------------------------------------------------

static bool has_visual_model(const st_node *node) {
    for (size_t i = 0; i < node->objects.count; i++)
        if (st_has_role(node->objects.data[i], ST_ROLE(state)) &&
            !((const st_state *)node->objects.data[i])->mechanical)
            return true;

    for (size_t i = 0; i < node->children.count; i++)
        if (has_visual_model(node->children.data[i])) return true;
    return false;
}

static void draw_mesh(painter *p, const st_state *state, st_topology *topology) {
    static const st_color palette[] = {
        {0.36F, 0.58F, 0.80F, 1}, {0.85F, 0.55F, 0.35F, 1}, {0.47F, 0.70F, 0.45F, 1}, {0.70F, 0.50F, 0.72F, 1}};

    st_boundary b = {0};
    st_status status = st_boundary_of_topology(&b, topology) ? ST_OK : ST_OUT_OF_MEMORY;

    // each mesh in the next color
    if (status == ST_OK && (b.triangles.count || b.quads.count)) {
        st_surface_style style = st_default_surface_style();
        style.color = palette[p->surfaces++ % (sizeof palette / sizeof *palette)];
        style.edges = true;

        st_real *xyz = places(state);
        status = xyz ? st_picture_add_surface(p->picture, xyz, state->size, b.triangles.data, b.triangles.count,
                                              b.quads.data, b.quads.count, &style)
                     : ST_OUT_OF_MEMORY;
        st_free(xyz);
    }

    scene_picture_note(p, status);
    st_boundary_free(&b);
}

// The mesh whose boundary shows a state: that of its node, if it is about these points.
static st_topology *mesh_of(const st_state *state) {
    st_topology *topology = (st_topology *)st_find(state->object.node, ST_ROLE(topology), ST_LOCAL);
    return topology && st_topology_points(topology) > 0 && st_topology_points(topology) <= state->size ? topology
                                                                                                       : NULL;
}

// A state shows the boundary of its mesh, or its points, unless a visual model shows it.
static void draw_state(painter *p, const st_state *state) {
    if (!state->mechanical || state->mapped || st_state_dof(state)->spatial < 2 || has_visual_model(state->object.node))
        return;

    st_topology *topology = mesh_of(state);
    if (topology) draw_mesh(p, state, topology);
    else scene_picture_add_points(p, state->size, places(state), (st_rgba){0.30F, 0.42F, 0.60F, 1});
}

// Springs on a mesh that is shown would only clutter it.
static bool is_hidden(const st_object *object) {
    const st_force *force = (const st_force *)object;
    return object->type->force && force->state && force->state == force->other &&
           (has_visual_model(force->state->object.node) || mesh_of(force->state));
}

static bool scene_picture_visit(st_node *node, void *context) {
    painter *p = context;
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (st_has_role(object, ST_ROLE(state))) draw_state(p, (st_state *)object);

        if (object->type->draw && st_is_valid(object) && !is_hidden(object)) object->type->draw(object, &p->canvas);
    }
    return p->status == ST_OK;
}

// Bodies that one can see through, and the contacts between them.
static void show_contacts(painter *p, const st_scene *scene) {
    double box[2][3], size = 0;
    if (!st_picture_bounds(p->picture, box)) return;
    for (int k = 0; k < 3; k++) size = fmax(size, box[1][k] - box[0][k]);
    for (size_t i = 0; i < p->picture->shapes.count; i++)
        if (p->picture->shapes.data[i].kind == ST_SHAPE_SURFACE) p->picture->shapes.data[i].color.a *= 0.35F;
    if (!st_draw_contacts(scene, (st_real)size, &p->canvas)) scene_picture_note(p, ST_OUT_OF_MEMORY);
}

// ---------------------------------------------------------------------------------------------------

st_status st_write_picture(st_scene *scene, const char *path, const st_picture_options *options) {
    if (!scene->root || options->width <= 0 || options->height <= 0) {
        st_scene_message(scene, ST_ERROR, "picture", path, 0, "the picture could not be written: %s",
                         scene->root ? "its size must be positive" : "no scene is loaded");
        return ST_INVALID;
    }

    // what components draw, and the meshes that nothing else shows
    st_picture picture = {0};
    painter p = {.canvas = {draw_points, draw_lines, draw_triangles}, .picture = &picture};
    st_visit(scene->root, scene_picture_visit, &p);
    if (st_has_word(options->show, "contacts")) show_contacts(&p, scene);
    st_status status = p.status;
    if (status == ST_OK && options->caption) status = st_picture_set_caption(&picture, options->caption);

    // size and direction that were asked for
    st_picture_view view = st_default_picture_view();
    view.width = (uint32_t)options->width;
    view.height = (uint32_t)options->height;
    if (options->view[0] != 0 || options->view[1] != 0 || options->view[2] != 0)
        for (int k = 0; k < 3; k++) view.direction[k] = (double)options->view[k];

    // the picture, in memory and then in its file
    st_image image = {0};
    st_image_error error = {.text = "out of memory"};
    if (status == ST_OK) status = st_picture_render(&picture, &view, &image, &error);
    if (status == ST_OK) status = st_image_write_png(&image, path, &error);
    if (status != ST_OK)
        st_scene_message(scene, ST_ERROR, "picture", path, 0, "the picture could not be written: %s", error.text);

    st_image_free(&image);
    st_picture_free(&picture);
    return status;
}
