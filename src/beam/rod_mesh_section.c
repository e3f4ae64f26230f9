// RodMeshSection: a section of a wire whose rest shape is a line of edges from a mesh file.
//
//     1. the vertices along the line, from the first one that has one edge
//     2. frames: the x axis of each is turned onto the edge that leads to it, without twist; lengths along the line
//     3. at an abscissa: between the two vertices around it
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "beam/beam_curve.h"
#include "beam/rod_section.h"
#include "scene/scene.h"

typedef struct rod_mesh {
    st_rod_section section;
    st_object *loader;
    st_reals points, turns, lengths; // of each vertex: place, orientation, length along the line up to it
} rod_mesh;

static const st_field fields[] = {
    ST_FIELD(rod_mesh, loader, "loader", st_type_link, NULL, "loader of the line; the nearest one when not given"),
    ST_FIELDS_END,
};

// The nearest loader at or above the node.
static st_object *find_loader(const st_node *node) {
    for (; node; node = node->parent)
        for (size_t i = 0; i < node->objects.count; i++) {
            const char *kind = node->objects.data[i]->type->kind;
            if (kind && strcmp(kind, "loader") == 0) return node->objects.data[i];
        }
    return NULL;
}

// A list of the loader; NULL: it has none.
static const void *list_of(const st_object *loader, const char *name) {
    const int index = st_field_by_name(loader, name);
    return index < 0 || !st_fields(loader)[index]->type->list ? NULL : st_member(loader, st_fields(loader)[index]);
}

// ---------------------------------------------------------------------------------------------------
// The line
// ---------------------------------------------------------------------------------------------------

static uint32_t first_end(const st_uints *edges, size_t points) {
    for (uint32_t v = 0; v < points; v++) {
        size_t around = 0;
        for (size_t i = 0; i < 2 * edges->count; i++) around += edges->data[i] == v;
        if (around == 1) return v;
    }
    return ST_INVALID_INDEX;
}

// 1: vertex by vertex, each edge once.
static st_status follow_line(rod_mesh *self, const st_reals *from, const st_uints *edges) {
    st_object *object = &self->section.object;
    uint32_t v = first_end(edges, from->count);
    bool *used = st_alloc(edges->count + 1, sizeof *used);
    self->points.count = 0;
    if (!used) return st_invalid(object, "out of memory for a line of %zu edges", edges->count);
    if (v == ST_INVALID_INDEX) {
        st_free(used);
        return st_invalid(object, "no vertex of the mesh has one edge only: the line has no end to start from");
    }

    // over the first edge of the list that is left at each vertex
    bool ok = true;
    for (bool more = true; ok && more;) {
        const size_t n = self->points.count;
        ok = st_list_set_count(&self->points, n + 1, 3);
        if (ok) st_vec3_copy(self->points.data + 3 * n, from->data + 3 * (size_t)v);
        more = false;
        for (size_t e = 0; ok && !more && e < edges->count; e++) {
            const uint32_t *edge = edges->data + 2 * e;
            if (used[e] || (edge[0] != v && edge[1] != v)) continue;
            used[e] = more = true;
            v = edge[0] == v ? edge[1] : edge[0];
            if (v >= from->count) ok = false;
        }
    }
    st_free(used);
    return ok ? ST_OK : st_invalid(object, "an edge has a vertex beyond the %zu of the mesh", from->count);
}

// 2: y = x axis of the new edge in the old frame; about (0, −y_z, y_y) by the angle between them.
static void turn_onto(st_real r[4], const st_real q[4], const st_real x[3]) {
    st_real y[3];
    st_quat_inverse_rotate(y, q, x);
    if (y[0] > ST_R(0.9999)) {
        st_quat_copy(r, q);
        return;
    }
    const st_real half = acos(st_max(y[0], -1)) / 2;
    st_real axis[3] = {0, -y[2], y[1]};
    st_vec3_normalize(axis, axis);
    st_quat_multiply(r, q, (const st_real[4]){0, axis[1] * sin(half), axis[2] * sin(half), cos(half)});
}

static bool make_frames(rod_mesh *self) {
    const size_t n = self->points.count;
    if (!st_list_set_count(&self->turns, n, 4) || !st_list_set_count(&self->lengths, n, 1)) return false;

    st_quat_identity(self->turns.data);
    self->lengths.data[0] = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        st_real edge[3];
        st_vec3_sub(edge, self->points.data + 3 * (i + 1), self->points.data + 3 * i);
        self->lengths.data[i + 1] = self->lengths.data[i] + st_vec3_norm(edge);
        st_vec3_normalize(edge, edge);
        turn_onto(self->turns.data + 4 * (i + 1), self->turns.data + 4 * i, edge);
    }
    return true;
}

// 3
static st_beam_frame rod_mesh_frame(const st_rod_section *section, st_real x, st_real start) {
    const rod_mesh *self = (const rod_mesh *)section;
    const size_t n = self->lengths.count;
    const st_real a = (x - start) / section->length * self->lengths.data[n - 1];
    size_t i = 1;
    while (i + 1 < n && self->lengths.data[i] < a) i++;

    // linear between places, by the shorter way between orientations
    const st_real size = self->lengths.data[i] - self->lengths.data[i - 1];
    const st_real t = a <= 0 || !(size > 0) ? 0 : (a - self->lengths.data[i - 1]) / size;
    st_real at[3], q[4];
    for (int k = 0; k < 3; k++)
        at[k] = (1 - t) * (self->points.data[3 * (i - 1) + (size_t)k] - self->points.data[k]) +
                t * (self->points.data[3 * i + (size_t)k] - self->points.data[k]);
    at[0] += start;
    st_quat_slerp(q, self->turns.data + 4 * (i - 1), self->turns.data + 4 * i, t);
    st_quat_normalize(q, q);
    return st_beam_frame_make(at, q);
}

// ---------------------------------------------------------------------------------------------------

static st_status rod_mesh_init(st_object *object) {
    rod_mesh *self = (rod_mesh *)object;
    self->section.frame = rod_mesh_frame;
    if (!self->loader) self->loader = find_loader(object->node);
    if (!self->loader) return st_invalid(object, "there is no loader of its line");

    // edges alone
    const st_reals *points = list_of(self->loader, "position");
    const st_uints *edges = list_of(self->loader, "edges");
    static const char *const faces[] = {"triangles", "quads", "polygons"};
    for (int i = 0; i < 3; i++) {
        const st_any_list *list = list_of(self->loader, faces[i]);
        if (list && list->count)
            return st_invalid(object, "the mesh of '%s' has %zu %s: it must be a line of edges", self->loader->name,
                              list->count, faces[i]);
    }
    if (!points || !edges || edges->count == 0)
        return st_invalid(object, "the mesh of '%s' has no edges", self->loader->name);

    st_status status = follow_line(self, points, edges);
    if (status == ST_OK && !make_frames(self)) return st_invalid(object, "out of memory for its line");
    if (status != ST_OK) return status;

    // its length is that of the line
    self->section.length = self->lengths.data[self->lengths.count - 1];
    st_touch(object, &self->section.length);
    return st_rod_section_check(&self->section);
}

static void rod_mesh_destroy(st_object *object) {
    rod_mesh *self = (rod_mesh *)object;
    st_list_free(&self->points);
    st_list_free(&self->turns);
    st_list_free(&self->lengths);
}

const st_class st_rod_mesh_section_class = {
    .name = "RodMeshSection",
    .help = "a section of a wire whose rest shape is a line of edges from a mesh file",
    .parent = &st_rod_section_class,
    .fields = fields,
    .size = sizeof(rod_mesh),
    .example = "<MeshOBJLoader name=\"loader\" filename=\"line.obj\"/>\n"
               "<RodMeshSection loader=\"@loader\" radius=\"0.05\" nbBeams=\"30\"/>",
    .init = rod_mesh_init,
    .destroy = rod_mesh_destroy,
};
