// Bodies that no visual model shows: the boundary of their mesh, its edges where it has no faces, or points.
//
// A mesh is kept from update to update and made again when the elements of the topology are others.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/array.h"
#include "settee/plugin/physics.h"
#include "visual/drawing.h"

// Faces as triangles: those of quads are two each, whose common side is not one of the mesh.
struct st_body_mesh {
    const st_state *state;
    uint64_t hash;    // of the elements
    st_uints corners; // 3 for each triangle
    st_uints owners;  // of each triangle: kind and number of its element
    ST_LIST(uint8_t) sides;
    st_uints edges; // where there are no faces: 2 each
};

// ---------------------------------------------------------------------------------------------------
// Which states
// ---------------------------------------------------------------------------------------------------

bool st_has_visual_model(const st_node *node) {
    for (size_t i = 0; i < node->objects.count; i++) {
        const st_object *object = node->objects.data[i];
        if (!st_has_role(object, ST_ROLE(state)) || (object->type->flags & ST_CLASS_INERT)) continue;
        if (!((const st_state *)object)->mechanical) return true;
    }

    for (size_t i = 0; i < node->children.count; i++)
        if (st_has_visual_model(node->children.data[i])) return true;
    return false;
}

// A mapped state is a body when none of those above it is a place in space: the tip of a pendulum given by its angle.
bool st_is_body(const st_state *state) {
    if (!state->mechanical || state->transient || st_state_dof(state)->spatial < 2) return false;
    if (!state->mapped || !state->mapping) return !state->mapped;

    const st_mapping *mapping = (const st_mapping *)state->mapping;
    for (size_t i = 0; i < mapping->input.count; i++) {
        const st_state *parent = (const st_state *)mapping->input.data[i];
        if (parent->mapped ? st_is_body(parent) : st_state_dof(parent)->spatial >= 2) return false;
    }
    return true;
}

// The mesh whose boundary shows a state: that of its node, if it is about these points.
static st_topology *topology_of(const st_state *state) {
    st_topology *topology = (st_topology *)st_find(state->object.node, ST_ROLE(topology), ST_LOCAL);
    const size_t points = topology ? st_topology_points(topology) : 0;
    return points > 0 && points <= state->size ? topology : NULL;
}

// ---------------------------------------------------------------------------------------------------
// Their meshes
// ---------------------------------------------------------------------------------------------------

// Of all elements that are drawn (FNV-1a over words).
static uint64_t hash_elements(st_topology *topology) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        const st_uints *list = st_topology_elements(topology, (st_element)kind);
        hash = (hash ^ list->count) * UINT64_C(0x100000001b3);
        for (size_t i = 0; i < list->count * st_element_size[kind]; i++)
            hash = (hash ^ list->data[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static bool add_face(st_body_mesh *mesh, const uint32_t *v, const int which[3], uint8_t sides, const uint32_t *owner) {
    const size_t n = mesh->corners.count;
    if (!st_list_set_count(&mesh->corners, n + 1, 3) || !st_list_set_count(&mesh->owners, n + 1, 2) ||
        !st_list_push(&mesh->sides, sides))
        return false;
    for (size_t k = 0; k < 3; k++) mesh->corners.data[3 * n + k] = v[which[k]];
    memcpy(mesh->owners.data + 2 * n, owner, 2 * sizeof *owner);
    return true;
}

static bool fill_mesh(st_body_mesh *mesh, st_topology *topology) {
    static const int first[3] = {0, 1, 2}, second[3] = {0, 2, 3};
    st_boundary b = {0};
    mesh->corners.count = mesh->owners.count = mesh->sides.count = mesh->edges.count = 0;
    bool ok = st_boundary_of_topology(&b, topology);

    // triangles, and quads as two each
    for (size_t i = 0; ok && i < b.triangles.count; i++)
        ok = add_face(mesh, b.triangles.data + 3 * i, first, 7, b.triangle_owners.data + 2 * i);
    for (size_t i = 0; ok && i < b.quads.count; i++)
        ok = add_face(mesh, b.quads.data + 4 * i, first, 3, b.quad_owners.data + 2 * i) &&
             add_face(mesh, b.quads.data + 4 * i, second, 6, b.quad_owners.data + 2 * i);

    // edges only where there are no faces
    const st_uints *edges = st_topology_elements(topology, ST_EDGE);
    if (ok && !mesh->corners.count && edges->count) {
        ok = st_list_set_count(&mesh->edges, edges->count, 2);
        if (ok) st_copy_bytes(mesh->edges.data, edges->data, 2 * edges->count * sizeof *edges->data);
    }

    st_boundary_free(&b);
    return ok;
}

static void free_mesh(st_body_mesh *mesh) {
    st_list_free(&mesh->corners);
    st_list_free(&mesh->owners);
    st_list_free(&mesh->sides);
    st_list_free(&mesh->edges);
    st_free(mesh);
}

void st_free_body_meshes(st_drawing *drawing) {
    for (size_t i = 0; i < drawing->meshes.count; i++) free_mesh(drawing->meshes.data[i]);
    st_list_free(&drawing->meshes);
}

static st_body_mesh *kept_mesh(st_drawing *d, const st_state *state) {
    for (size_t i = 0; i < d->meshes.count; i++)
        if (d->meshes.data[i]->state == state) return d->meshes.data[i];

    st_body_mesh *mesh = st_alloc(1, sizeof *mesh);
    if (mesh && st_list_push(&d->meshes, mesh)) {
        mesh->state = state;
        return mesh;
    }
    st_free(mesh);
    return NULL;
}

static bool is_in_range(const st_uints *list, size_t width, size_t points) {
    for (size_t i = 0; i < list->count * width; i++)
        if (list->data[i] >= points) return false;
    return true;
}

// NULL: it has none, or there is no memory for it.
static const st_body_mesh *mesh_of(st_drawing *d, const st_state *state) {
    st_topology *topology = topology_of(state);
    if (!topology) return NULL;

    st_body_mesh *mesh = kept_mesh(d, state);
    const uint64_t hash = hash_elements(topology);
    if (mesh && mesh->hash != hash) {
        mesh->hash = hash;
        if (!fill_mesh(mesh, topology)) mesh->hash = 0, mesh = NULL;
    }
    if (!mesh) d->failed = true;

    // numbers beyond the points of the state are reported when the mesh is made; they are not drawn
    return mesh && is_in_range(&mesh->corners, 3, state->size) && is_in_range(&mesh->edges, 2, state->size) ? mesh
                                                                                                            : NULL;
}

bool st_body_has_mesh(st_drawing *drawing, const st_state *state) {
    const st_body_mesh *mesh = mesh_of(drawing, state);
    return mesh && mesh->corners.count + mesh->edges.count > 0;
}

// ---------------------------------------------------------------------------------------------------
// Drawing
// ---------------------------------------------------------------------------------------------------

// Values of elements go to their triangles; those of points stay as they are.
static void color_item(st_drawing *d, st_draw_item *item, const st_body_mesh *mesh, const st_color_field *field) {
    if (!field) return;
    if (field->kind == ST_POINT) {
        if (field->count == item->point_count) item->scalars = field->values;
        return;
    }

    // edges are elements themselves
    float *values = st_drawing_alloc(d, item->element_count, sizeof *values);
    for (size_t i = 0; values && i < item->element_count; i++) {
        const bool edge = item->kind == ST_DRAW_LINES;
        const size_t kind = edge ? ST_EDGE : mesh->owners.data[2 * i], e = edge ? i : mesh->owners.data[2 * i + 1];
        values[i] = (int)kind == field->kind && e < field->count ? field->values[e] : NAN;
    }
    item->scalars = values;
    item->scalars_per_element = true;
}

void st_draw_body(st_drawing *d, st_state *state) {
    static const st_rgba palette[] = {
        {0.36F, 0.58F, 0.80F, 1}, {0.85F, 0.55F, 0.35F, 1}, {0.47F, 0.70F, 0.45F, 1}, {0.70F, 0.50F, 0.72F, 1}};
    const st_body_mesh *mesh = mesh_of(d, state);
    const st_real *places = st_drawing_state_places(d, state);
    if (!places && state->size) return;

    // each mesh in the next color
    const bool faces = mesh && mesh->corners.count, lines = mesh && !faces && mesh->edges.count;
    const st_rgba color = faces || lines ? palette[d->surfaces++ % (sizeof palette / sizeof *palette)]
                                         : (st_rgba){0.30F, 0.42F, 0.60F, 1};
    const st_draw_kind kind = faces ? ST_DRAW_TRIANGLES : lines ? ST_DRAW_LINES : ST_DRAW_POINTS;
    st_draw_item *item = state->size ? st_drawing_add(d, kind, color) : NULL;
    if (!item) return;

    item->positions = places;
    item->point_count = item->element_count = state->size;
    if (faces) {
        item->indices = mesh->corners.data, item->element_count = mesh->corners.count;
        item->sides = mesh->sides.data, item->edges = true;
    }
    if (lines) item->indices = mesh->edges.data, item->element_count = mesh->edges.count, item->size = 3;
    color_item(d, item, mesh, st_color_field_of(d, state));
}

// Triangles become the lines around them.
void st_make_wireframe(st_drawing *d, size_t first) {
    for (size_t i = first; i < d->items.count; i++) {
        st_draw_item *item = &d->items.data[i];
        if (item->kind != ST_DRAW_TRIANGLES) continue;

        uint32_t *pairs = st_drawing_alloc(d, item->element_count * 6, sizeof *pairs);
        size_t count = 0;
        for (size_t t = 0; pairs && t < item->element_count; t++)
            for (size_t k = 0; k < 3; k++) {
                if (item->sides && !(item->sides[t] >> k & 1)) continue;
                pairs[2 * count] = item->indices[3 * t + k];
                pairs[2 * count++ + 1] = item->indices[3 * t + (k + 1) % 3];
            }
        if (!pairs) return;

        // values of faces have no meaning for lines
        item->kind = ST_DRAW_LINES;
        item->indices = pairs, item->element_count = count;
        if (item->scalars_per_element) item->scalars = NULL, item->scalars_per_element = false;
        item->colors = NULL, item->texcoords = NULL, item->texture = NULL, item->sides = NULL;
        item->edges = false;
        item->size = 1;
    }
}
