// Collision models: triangles, lines and points of meshes, spheres, and boxes around what else there is.
//
// Elements are those of the last detection; before the first one, those of the mesh.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "collision/box_capsule.h"
#include "collision/collision.h"
#include "visual/drawing.h"

static st_rgba color_of(const st_collision_model *m) {
    return (st_rgba){(float)m->color[0], (float)m->color[1], (float)m->color[2], (float)m->color[3]};
}

static const uint32_t *elements_of(const st_collision_model *m, st_element kind, size_t *count) {
    if (m->vertices.count) {
        *count = m->count;
        return m->vertices.data;
    }
    st_topology *topology = m->topology && st_has_role(m->topology, ST_ROLE(topology))
                                ? (st_topology *)m->topology
                                : (st_topology *)st_find_slot(m->object.node, ST_ROLE(topology));
    const st_uints *list = topology ? st_topology_elements(topology, kind) : NULL;
    *count = list ? list->count : 0;
    return list ? list->data : NULL;
}

static void draw_mesh(st_drawing *d, const st_collision_model *m, bool triangles) {
    size_t count;
    const uint32_t *elements = elements_of(m, triangles ? ST_TRIANGLE : ST_EDGE, &count);
    const st_real *places = st_drawing_state_places(d, m->state);
    if (!count || !places) return;

    if (triangles) d->canvas.triangles(&d->canvas, count, elements, places, m->state->size, 3, color_of(m));
    else d->canvas.lines(&d->canvas, count, elements, places, m->state->size, 3, color_of(m));
    st_draw_item *item = d->items.count ? &d->items.data[d->items.count - 1] : NULL;
    if (item && item->object == &m->object && triangles) item->edges = true;
}

static void draw_tetrahedra(st_drawing *d, const st_collision_model *m) {
    static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {1, 3, 0}, {0, 2, 1}};
    size_t count;
    const uint32_t *elements = elements_of(m, ST_TETRAHEDRON, &count);
    const st_real *places = st_drawing_state_places(d, m->state);
    uint32_t *corners = st_drawing_alloc(d, 12 * count, sizeof *corners);
    for (size_t i = 0; corners && i < 12 * count; i++)
        corners[i] = elements[4 * (i / 12) + (size_t)faces[i / 3 % 4][i % 3]];
    if (corners && places && count)
        d->canvas.triangles(&d->canvas, 4 * count, corners, places, m->state->size, 3, color_of(m));
}

static void draw_spheres(st_drawing *d, const st_collision_model *m) {
    const st_real *places = st_drawing_state_places(d, m->state);
    st_real *radii = st_drawing_alloc(d, m->state->size, sizeof *radii);
    if (!places || !radii || !m->state->size) return;
    for (size_t i = 0; i < m->state->size; i++) radii[i] = st_element_radius(m, i);
    d->canvas.spheres(&d->canvas, m->state->size, places, 3, radii, color_of(m));
}

// The edges of eight corners, numbered by bits.
static void draw_corners(st_drawing *d, const st_collision_model *m, const st_real *corners, size_t boxes) {
    uint32_t *pairs = st_drawing_alloc(d, 24 * boxes, sizeof *pairs);
    size_t n = 0;
    for (size_t b = 0; pairs && b < boxes; b++)
        for (uint32_t c = 0; c < 8; c++)
            for (uint32_t k = 1; k < 8; k *= 2)
                if (!(c & k)) pairs[n++] = (uint32_t)(8 * b) + c, pairs[n++] = (uint32_t)(8 * b) + (c | k);
    if (pairs && boxes) d->canvas.lines(&d->canvas, n / 2, pairs, corners, 8 * boxes, 3, color_of(m));
}

// Boxes along the axes of their frames.
static void draw_frames(st_drawing *d, const st_collision_model *m) {
    st_real *corners = st_drawing_alloc(d, 24 * m->state->size, sizeof *corners);
    for (size_t i = 0; corners && i < m->state->size; i++) {
        const st_convex box = st_box_of_model(m, i);
        st_copy_reals(corners + 24 * i, box.v[0], 24);
    }
    if (corners) draw_corners(d, m, corners, m->state->size);
}

// A sphere at each end of a line.
static void draw_capsules(st_drawing *d, const st_collision_model *m) {
    const size_t count = m->corners == 1 ? m->state->size : m->count;
    st_real *ends = st_drawing_alloc(d, 6 * count, sizeof *ends),
            *radii = st_drawing_alloc(d, 2 * count, sizeof *radii);
    const uint32_t *pairs = st_drawing_numbers(d, 2 * count);
    if (!ends || !radii || !pairs || !count) return;

    for (size_t i = 0; i < count; i++) {
        const st_capsule c = st_capsule_of(m, i);
        st_copy_reals(ends + 6 * i, c.a, 3);
        st_copy_reals(ends + 6 * i + 3, c.b, 3);
        radii[2 * i] = radii[2 * i + 1] = c.radius;
    }
    d->canvas.spheres(&d->canvas, 2 * count, ends, 3, radii, color_of(m));
    d->canvas.lines(&d->canvas, count, pairs, ends, 2 * count, 3, color_of(m));
}

// Whatever else there is, by the boxes of its elements.
static void draw_boxes(st_drawing *d, const st_collision_model *m) {
    const st_collision_model_ops *ops = st_model_ops(m);
    const size_t count = m->corners == 1 ? m->state->size : m->count;
    if (!ops->box || !count) return;

    st_real *corners = st_drawing_alloc(d, 24 * count, sizeof *corners);
    for (size_t i = 0; corners && i < count; i++) {
        st_box box;
        ops->box(m, i, &box);
        for (size_t c = 0; c < 8; c++)
            for (size_t k = 0; k < 3; k++) corners[24 * i + 3 * c + k] = c >> k & 1 ? box.max[k] : box.min[k];
    }
    if (corners) draw_corners(d, m, corners, count);
}

void st_draw_collision(st_drawing *d, st_object *object) {
    const st_collision_model *m = (const st_collision_model *)object;
    if (!m->state || !m->active) return;
    st_drawing_begin(d, object, ST_SHOW_COLLISION);

    // by the shape of its elements
    switch (m->primitive) {
    case ST_PRIMITIVE_TRIANGLE: draw_mesh(d, m, true); break;
    case ST_PRIMITIVE_LINE: draw_mesh(d, m, false); break;
    case ST_PRIMITIVE_POINT:
        d->canvas.points(&d->canvas, m->state->size, m->state->coord[ST_COORD_POSITION].data,
                         st_state_dof(m->state)->coord, color_of(m));
        break;
    case ST_PRIMITIVE_SPHERE:
    case ST_PRIMITIVE_RIGID_SPHERE: draw_spheres(d, m); break;
    case ST_PRIMITIVE_BOX: draw_frames(d, m); break;
    case ST_PRIMITIVE_CAPSULE:
    case ST_PRIMITIVE_RIGID_CAPSULE: draw_capsules(d, m); break;
    case ST_PRIMITIVE_TETRAHEDRON: draw_tetrahedra(d, m); break;
    default: draw_boxes(d, m); break;
    }
}
