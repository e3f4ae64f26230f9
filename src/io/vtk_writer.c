// States as legacy VTK files (ASCII), one file per mechanical state and frame; ParaView opens them as a series.
//
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "scene/scene.h"
#include "settee/state.h"
#include "settee/topology.h"

typedef struct frame {
    st_scene *scene;
    const char *directory;
    size_t number, written;
    bool ok;
} frame;

static void put_real(FILE *out, st_real value, char after) {
    char text[40];
    st_text_write_real(text, sizeof text, value, 9);
    fprintf(out, "%s%c", text, after);
}

static void put_vectors(FILE *out, const st_real *values, size_t count, int width, int used) {
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) put_real(out, k < used ? values[i * (size_t)width + (size_t)k] : 0, k == 2 ? '\n' : ' ');
}

// The elements of the highest dimension that the topology has: that is what a viewer should show.
static const st_uints *main_elements(st_topology *topology, st_element *kind) {
    static const st_element order[] = {ST_HEXAHEDRON, ST_TETRAHEDRON, ST_QUAD, ST_TRIANGLE, ST_EDGE};
    for (size_t k = 0; topology && k < sizeof order / sizeof *order; k++) {
        const st_uints *list = st_topology_elements(topology, order[k]);
        if (!list->count) continue;
        *kind = order[k];
        return list;
    }
    return NULL;
}

static void put_cells(FILE *out, st_topology *topology, size_t points) {
    static const int vtk_type[ST_ELEMENT_KINDS] = {[ST_EDGE] = 3, [ST_TRIANGLE] = 5, [ST_QUAD] = 9, [ST_TETRAHEDRON] = 10, [ST_HEXAHEDRON] = 12};
    st_element kind = ST_EDGE;
    const st_uints *list = main_elements(topology, &kind);
    const size_t count = list ? list->count : points;
    const int size = list ? st_element_size[kind] : 1;
    fprintf(out, "CELLS %zu %zu\n", count, count * (size_t)(size + 1));
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%d", size);
        for (int k = 0; k < size; k++) fprintf(out, " %u", list ? list->data[i * (size_t)size + (size_t)k] : (uint32_t)i);
        fputc('\n', out);
    }
    fprintf(out, "CELL_TYPES %zu\n", count);
    for (size_t i = 0; i < count; i++) fprintf(out, "%d\n", list ? vtk_type[kind] : 1);
}

static void put_state(FILE *out, const st_state *state, st_topology *topology) {
    const st_dof *dof = st_state_dof(state);
    fprintf(out, "# vtk DataFile Version 3.0\n%.200s\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS %zu double\n", st_path(&state->object), state->size);
    put_vectors(out, state->coord[ST_COORD_POSITION].data, state->size, dof->coord, dof->spatial);
    put_cells(out, topology, state->size);
    fprintf(out, "POINT_DATA %zu\n", state->size);
    static const struct { int index; const char *name; } vectors[] = {{ST_DERIV_VELOCITY, "velocity"}, {ST_DERIV_FORCE, "force"}};
    for (size_t k = 0; k < 2; k++) {
        const st_reals *list = &state->deriv[vectors[k].index];
        if (list->count != state->size || !state->size) continue;
        fprintf(out, "VECTORS %s double\n", vectors[k].name);
        put_vectors(out, list->data, state->size, dof->deriv, dof->spatial);
    }
}

// The component's path as a file name.
static char *file_name(const frame *f, const st_object *object) {
    const char *path = st_path(object);
    char *name = st_string_format("%s/%s_%06zu.vtk", f->directory, path[0] == '/' ? path + 1 : path, f->number);
    for (char *c = name ? name + strlen(f->directory) + 1 : NULL; c && *c; c++)
        if (*c == '/' || *c == ' ' || (unsigned char)*c < 32) *c = '_';
    return name;
}

static bool write_one(frame *f, const st_state *state) {
    st_topology *topology = (st_topology *)st_find(state->object.node, ST_ROLE(topology), ST_LOCAL);
    if (topology && st_topology_points(topology) > state->size) topology = NULL; // its elements are not about these points
    char why[256] = "out of memory", *path = file_name(f, &state->object);
    st_file file;
    bool ok = path && st_file_create(&file, path, why, sizeof why);
    if (ok) {
        put_state(file.stream, state, topology);
        ok = st_file_commit(&file, why, sizeof why);
    }
    if (!ok) st_scene_message(f->scene, ST_ERROR, "vtk", path, 0, "the file could not be written: %s", why);
    st_free(path);
    return ok;
}

static bool visit(st_node *node, void *context) {
    frame *f = context;
    for (size_t i = 0; f->ok && i < node->objects.count; i++) {
        const st_object *object = node->objects.data[i];
        if (!st_has_role(object, ST_ROLE(state)) || !((const st_state *)object)->mechanical) continue;
        f->ok = write_one(f, (const st_state *)object);
        f->written += f->ok;
    }
    return f->ok;
}

st_status st_scene_write_vtk(st_scene *scene, const char *directory, size_t number, size_t *files) {
    if (!scene->root) return ST_INVALID;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        st_scene_message(scene, ST_ERROR, "vtk", directory, 0, "the directory could not be made: %s", strerror(errno));
        return ST_FAILED;
    }
    frame f = {.scene = scene, .directory = directory, .number = number, .ok = true};
    st_visit(scene->root, visit, &f);
    if (files) *files += f.written;
    return f.ok ? ST_OK : ST_FAILED;
}
