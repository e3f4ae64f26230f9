// The lists of a mesh.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/file/mesh.h"

#include "base/array.h"
#include "base/text.h"
#include "math/vec3.h"

void st_mesh_free(st_mesh *mesh) {
    st_list_free(&mesh->position);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) st_list_free(&mesh->elements[kind]);
    st_list_free(&mesh->edge_points);
    st_strings_free(&mesh->polylines);
    for (int kind = 0; kind < ST_MESH_GROUP_KINDS; kind++) st_strings_free(&mesh->groups[kind]);
    st_element_set_free(&mesh->sides);
    *mesh = (st_mesh){0};
}

// ---------------------------------------------------------------------------------------------------
// Points and elements
// ---------------------------------------------------------------------------------------------------

bool st_mesh_add_point(st_mesh *mesh, const st_real point[3]) {
    const size_t at = mesh->position.count;

    if (!st_list_reserve(&mesh->position, at + 1, 3)) return false;
    mesh->position.count = at + 1;
    st_vec3_copy(mesh->position.data + 3 * at, point);
    return true;
}

bool st_mesh_add(st_mesh *mesh, st_element kind, const uint32_t *vertices, bool flip) {
    st_uints *list = &mesh->elements[kind];
    const size_t size = st_element_size[kind];
    const size_t at = list->count;

    if (!st_list_reserve(list, at + 1, size)) return false;
    list->count = at + 1;

    flip = flip && (kind == ST_TRIANGLE || kind == ST_QUAD);
    for (size_t i = 0; i < size; i++) list->data[at * size + i] = vertices[flip ? size - 1 - i : i];
    return true;
}

bool st_mesh_add_fan(st_mesh *mesh, const uint32_t *vertices, size_t count, bool flip) {
    bool ok = true;
    for (size_t k = 2; ok && k < count; k++)
        ok = st_mesh_add(mesh, ST_TRIANGLE, (const uint32_t[3]){vertices[0], vertices[k - 1], vertices[k]}, flip);
    return ok;
}

static bool push_line(st_strings *list, char *line) {
    if (line && st_list_push(list, line)) return true;
    st_free(line);
    return false;
}

bool st_mesh_add_polyline(st_mesh *mesh, const uint32_t *vertices, size_t count) {
    st_text line = {0};
    bool ok = true;

    for (size_t i = 0; ok && i < count; i++) ok = st_text_appendf(&line, "%s%u", i ? " " : "", vertices[i]);
    ok = ok && push_line(&mesh->polylines, st_text_take(&line));
    st_text_free(&line);
    return ok;
}

bool st_mesh_add_group(st_mesh *mesh, st_element kind, const char *name, size_t first) {
    const size_t count = mesh->elements[kind].count - first;
    return count == 0 || push_line(&mesh->groups[kind], st_string_format("%s default %zu %zu", name, first, count));
}

bool st_mesh_add_middles(st_mesh *mesh, const uint32_t *vertices, const st_mesh_side *sides, int count) {
    for (int i = 0; i < count; i++) {
        const uint32_t edge[2] = {vertices[sides[i][0]], vertices[sides[i][1]]};
        const uint32_t index = (uint32_t)mesh->elements[ST_EDGE].count;
        const size_t at = mesh->edge_points.count;
        const st_element_set_result result = st_element_set_add(&mesh->sides, edge, 2, index);

        // a side that two elements share is known by its first
        if (result == ST_SET_KNOWN) continue;
        if (result == ST_SET_NO_MEMORY || !st_mesh_add(mesh, ST_EDGE, edge, false)) return false;
        if (!st_list_set_count(&mesh->edge_points, at + 1, 4)) return false;

        // the record: point, edge, 1, 1
        uint32_t *record = mesh->edge_points.data + 4 * at;
        record[0] = vertices[sides[i][2]];
        record[1] = index;
        record[2] = record[3] = 1;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Promises of headers
// ---------------------------------------------------------------------------------------------------

static size_t believable(size_t count, size_t left, size_t bytes) {
    const size_t most = left / bytes + 1;
    return count < most ? count : most;
}

bool st_mesh_promise_points(st_mesh *mesh, size_t count, size_t left, size_t bytes) {
    return st_list_reserve(&mesh->position, mesh->position.count + believable(count, left, bytes), 3);
}

bool st_mesh_promise(st_mesh *mesh, st_element kind, size_t count, size_t left, size_t bytes) {
    st_uints *list = &mesh->elements[kind];
    return st_list_reserve(list, list->count + believable(count, left, bytes), st_element_size[kind]);
}
