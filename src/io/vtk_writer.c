// States as legacy VTK files (ASCII), one file per mechanical state and frame; ParaView opens them as a series.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/vtk_writer.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/map.h"
#include "base/text.h"
#include "scene/scene.h"
#include "settee/file.h"
#include "settee/plugin/state.h"
#include "settee/plugin/topology.h"

typedef struct frame {
    st_scene *scene;
    const char *directory;
    size_t number, written;
    st_map names; // of the states written so far
    bool ok;
} frame;

static void put_real(FILE *out, st_real value, char after) {
    char text[40];
    st_text_write_real(text, sizeof text, value, 9);
    fprintf(out, "%s%c", text, after);
}

static void put_vectors(FILE *out, const st_real *values, size_t count, size_t width, size_t used) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++) put_real(out, k < used ? values[i * width + k] : 0, k == 2 ? '\n' : ' ');
}

// The lists of elements of one dimension: what a viewer shows.
typedef struct cells {
    const st_uints *list[ST_ELEMENT_KINDS]; // NULL: not written
    size_t count, words;
} cells;

static void vtk_writer_take(cells *c, st_topology *topology, st_element kind) {
    const st_uints *list = st_topology_elements(topology, kind);

    // the triangles of a surface may be those of its quads cut in two: then the quads are enough
    if (kind == ST_TRIANGLE && c->list[ST_QUAD] && topology->derived[kind]) return;

    if (!list->count) return;
    c->list[kind] = list;
    c->count += list->count;
    c->words += list->count * (st_element_size[kind] + 1);
}

// All elements of the highest dimension that the topology has.
static cells main_cells(st_topology *topology) {
    static const st_element kinds[] = {ST_TETRAHEDRON, ST_HEXAHEDRON, ST_PRISM, ST_PYRAMID,
                                       ST_QUAD,        ST_TRIANGLE,   ST_EDGE};
    static const size_t end_of_dimension[] = {4, 6, 7};
    cells c = {0};
    size_t k = 0;
    for (size_t d = 0; topology && !c.count && d < 3; d++)
        for (; k < end_of_dimension[d]; k++) vtk_writer_take(&c, topology, kinds[k]);
    return c;
}

static void put_points_as_cells(FILE *out, size_t points) {
    fprintf(out, "CELLS %zu %zu\n", points, points * 2);
    for (size_t i = 0; i < points; i++) fprintf(out, "1 %zu\n", i);
    fprintf(out, "CELL_TYPES %zu\n", points);
    for (size_t i = 0; i < points; i++) fputs("1\n", out);
}

static void put_elements(FILE *out, const st_uints *list, size_t size) {
    for (size_t i = 0; i < list->count; i++) {
        fprintf(out, "%zu", size);
        for (size_t k = 0; k < size; k++) fprintf(out, " %u", list->data[i * size + k]);
        fputc('\n', out);
    }
}

static void put_cells(FILE *out, st_topology *topology, size_t points) {
    static const int vtk_type[ST_ELEMENT_KINDS] = {
        [ST_EDGE] = 3,        [ST_TRIANGLE] = 5, [ST_QUAD] = 9,    [ST_TETRAHEDRON] = 10,
        [ST_HEXAHEDRON] = 12, [ST_PRISM] = 13,   [ST_PYRAMID] = 14};

    // points alone are cells of one vertex, so that a viewer shows them
    const cells c = main_cells(topology);
    if (!c.count) {
        put_points_as_cells(out, points);
        return;
    }

    fprintf(out, "CELLS %zu %zu\n", c.count, c.words);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        if (c.list[kind]) put_elements(out, c.list[kind], st_element_size[kind]);

    fprintf(out, "CELL_TYPES %zu\n", c.count);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; c.list[kind] && i < c.list[kind]->count; i++) fprintf(out, "%d\n", vtk_type[kind]);
}

static void put_state(FILE *out, const st_state *state, st_topology *topology) {
    const st_dof *dof = st_state_dof(state);

    // points and cells
    fprintf(out, "# vtk DataFile Version 3.0\n%.200s\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS %zu double\n",
            st_path(&state->object), state->size);
    put_vectors(out, state->coord[ST_COORD_POSITION].data, state->size, dof->coord, dof->spatial);
    put_cells(out, topology, state->size);

    // the vectors that the state has; forces are absent before the first step
    fprintf(out, "POINT_DATA %zu\n", state->size);
    static const struct {
        int index;
        const char *name;
    } vectors[] = {{ST_DERIV_VELOCITY, "velocity"}, {ST_DERIV_FORCE, "force"}};
    for (size_t k = 0; k < 2; k++) {
        const st_reals *list = &state->deriv[vectors[k].index];
        if (list->count != state->size || !state->size) continue;
        fprintf(out, "VECTORS %s double\n", vectors[k].name);
        put_vectors(out, list->data, state->size, dof->deriv, dof->spatial);
    }
}

// The component's path as a file name without folder and frame; NULL: out of memory.
static char *plain_name(const st_object *object) {
    const char *path = st_path(object);
    char *name = st_string_copy(path[0] == '/' ? path + 1 : path);

    for (char *c = name; c && *c; c++)
        if (*c == '/' || *c == ' ' || (unsigned char)*c < 32) *c = '_';
    return name;
}

// Different paths may give the same name (/a/b and /a_b): the second one gets the ending _2, in every frame alike.
static char *own_name(frame *f, const st_object *object) {
    char *plain = plain_name(object), *name = st_string_copy(plain);
    for (size_t n = 2; name && st_map_has(&f->names, name); n++) {
        st_free(name);
        name = st_string_format("%s_%zu", plain, n);
    }

    st_free(plain);

    if (name && st_map_put(&f->names, name, NULL)) return name;
    st_free(name);
    return NULL;
}

static char *file_name(frame *f, const st_object *object) {
    char *name = own_name(f, object);
    char *path = name ? st_string_format("%s/%s_%06zu.vtk", f->directory, name, f->number) : NULL;
    st_free(name);
    return path;
}

static bool write_one(frame *f, const st_state *state) {
    // elements are written if they are about the points of the state
    st_topology *topology = (st_topology *)st_find(state->object.node, ST_ROLE(topology), ST_LOCAL);
    if (topology && st_topology_points(topology) > state->size) topology = NULL;

    char why[256] = "out of memory", *path = file_name(f, &state->object);
    st_file file;
    bool ok = path && st_file_create(&file, path, why, sizeof why);

    if (ok) {
        put_state(file.stream, state, topology);
        ok = st_file_commit(&file, why, sizeof why);
    }

    if (!ok) st_scene_message(f->scene, ST_ERROR, "vtk", path, 0, "%s", why);
    st_free(path);
    return ok;
}

static bool vtk_writer_visit(st_node *node, void *context) {
    frame *f = context;
    for (size_t i = 0; f->ok && i < node->objects.count; i++) {
        const st_object *object = node->objects.data[i];
        if (!st_has_role(object, ST_ROLE(state)) || !((const st_state *)object)->mechanical ||
            ((const st_state *)object)->transient)
            continue;

        f->ok = write_one(f, (const st_state *)object);
        f->written += f->ok;
    }
    return f->ok;
}

st_status st_write_vtk_frame(st_scene *scene, const char *directory, size_t number, size_t *files) {
    if (!scene->root) {
        st_scene_message(scene, ST_ERROR, "vtk", directory, 0, "there is nothing to write: no scene is loaded");
        return ST_INVALID;
    }

    // the folder may exist already
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        char why[128];
        st_error_text(errno, why, sizeof why);
        st_scene_message(scene, ST_ERROR, "vtk", directory, 0, "the directory could not be made: %s", why);
        return ST_FAILED;
    }

    frame f = {.scene = scene, .directory = directory, .number = number, .ok = true};
    st_visit(scene->root, vtk_writer_visit, &f);
    st_map_free(&f.names);

    if (files) *files += f.written;
    return f.ok ? ST_OK : ST_FAILED;
}
