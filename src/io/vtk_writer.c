// States and visual models as VTK files (XML, ASCII), one file for each of them and each frame; scene.pvd lists them with
// their times (vtk_series.c).
//
// SPDX-License-Identifier: Apache-2.0
#include "io/vtk_writer.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>

#include "base/map.h"
#include "force/fem/common/stress.h"
#include "io/vtk_series.h"
#include "io/vtu_file.h"
#include "scene/scene.h"
#include "settee/file.h"
#include "settee/plugin/state.h"
#include "settee/plugin/topology.h"
#include "visual/drawing.h"

typedef struct frame {
    st_scene *scene;
    const char *directory;
    size_t number, written;
    st_map names; // of the states written so far
    bool ok;
} frame;

// The lists of elements of one dimension: what a viewer shows.
typedef struct cells {
    const st_uints *list[ST_ELEMENT_KINDS]; // NULL: not written
    size_t count;
} cells;

static void vtk_writer_take(cells *c, st_topology *topology, st_element kind) {
    const st_uints *list = st_topology_elements(topology, kind);

    // the triangles of a surface may be those of its quads cut in two: then the quads are enough
    if (kind == ST_TRIANGLE && c->list[ST_QUAD] && topology->derived[kind]) return;

    if (!list->count) return;
    c->list[kind] = list;
    c->count += list->count;
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

static const int vtk_type[ST_ELEMENT_KINDS] = {
    [ST_EDGE] = 3,        [ST_TRIANGLE] = 5, [ST_QUAD] = 9,    [ST_TETRAHEDRON] = 10,
    [ST_HEXAHEDRON] = 12, [ST_PRISM] = 13,   [ST_PYRAMID] = 14};

// Cells by their kinds; points alone are cells of one vertex, so that a viewer shows them.
static void put_cells(FILE *out, const cells *c, size_t points) {
    st_vtu_begin(out, "Int32", "connectivity", 1);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; c->list[kind] && i < c->list[kind]->count * st_element_size[kind]; i++)
            fprintf(out, "%u\n", c->list[kind]->data[i]);
    for (size_t i = 0; !c->count && i < points; i++) fprintf(out, "%zu\n", i);

    // where each one ends, and its type
    st_vtu_next(out, "Int32", "offsets", 1);
    size_t end = 0;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; c->list[kind] && i < c->list[kind]->count; i++)
            fprintf(out, "%zu\n", end += st_element_size[kind]);
    for (size_t i = 0; !c->count && i < points; i++) fprintf(out, "%zu\n", i + 1);
    st_vtu_next(out, "UInt8", "types", 1);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; c->list[kind] && i < c->list[kind]->count; i++) fprintf(out, "%d\n", vtk_type[kind]);
    for (size_t i = 0; !c->count && i < points; i++) fputs("1\n", out);
    st_vtu_end(out);
}

// Velocity and force, as far as the state has them; forces are absent before the first step.
static void put_point_data(FILE *out, const st_state *state) {
    const st_dof *dof = st_state_dof(state);
    static const struct {
        int index;
        const char *name;
    } vectors[] = {{ST_DERIV_VELOCITY, "velocity"}, {ST_DERIV_FORCE, "force"}};

    fputs("<PointData>\n", out);
    for (size_t k = 0; k < 2; k++) {
        const st_reals *list = &state->deriv[vectors[k].index];
        if (list->count != state->size || !state->size) continue;
        st_vtu_vectors(out, vectors[k].name, list->data, state->size, dof->deriv, dof->spatial);
    }

    // how rigids are turned
    if (dof == &st_rigid3) {
        st_vtu_begin(out, "Float64", "orientation", 4);
        for (size_t i = 0; i < state->size; i++)
            for (size_t k = 0; k < 4; k++) st_vtu_real(out, state->coord[ST_COORD_POSITION].data[7 * i + 3 + k]);
        st_vtu_end(out);
    }
    fputs("</PointData>\n", out);
}

// Stress and strain of the forces that act on the cells of the state; cells without any have none (NaN).
static bool put_stress(FILE *out, const st_state *state, const cells *c, st_stress_value what, const char *name) {
    const st_node *node = state->object.node;
    bool ok = true, any = false;
    float *all = st_alloc(c->count, sizeof *all);
    for (size_t i = 0; all && i < c->count; i++) all[i] = NAN;

    for (size_t k = 0; all && ok && k < node->objects.count; k++) {
        st_stress_mesh mesh;
        const st_object *object = node->objects.data[k];
        if (!st_stress_mesh_of(object, what, &mesh) || ((const st_force *)object)->state != state) continue;
        if (!c->list[mesh.kind] || c->list[mesh.kind]->count != mesh.count) continue;

        // the cells of that kind follow those before it
        size_t first = 0;
        for (int kind = 0; kind < (int)mesh.kind; kind++) first += c->list[kind] ? c->list[kind]->count : 0;
        st_stress_of_elements(object, &mesh, what, all + first);
        any = true;
    }

    if (all && any) {
        st_vtu_begin(out, "Float32", name, 1);
        for (size_t i = 0; i < c->count; i++) st_vtu_real(out, (st_real)all[i]);
        st_vtu_end(out);
    }
    ok = all != NULL;
    st_free(all);
    return ok;
}

static bool put_state(FILE *out, const st_state *state, st_topology *topology) {
    const st_dof *dof = st_state_dof(state);
    const cells c = main_cells(topology);

    st_vtu_head(out, state->size, c.count ? c.count : state->size);
    st_vtu_points(out, state->coord[ST_COORD_POSITION].data, state->size, dof->coord, dof->spatial);
    fputs("<Cells>\n", out);
    put_cells(out, &c, state->size);
    fputs("</Cells>\n", out);
    put_point_data(out, state);
    fputs("<CellData>\n", out);
    const bool ok = !c.count || (put_stress(out, state, &c, ST_STRESS_VON_MISES, "vonMises") &&
                                 put_stress(out, state, &c, ST_STRESS_STRAIN, "strain"));
    fputs("</CellData>\n", out);
    st_vtu_tail(out);
    return ok;
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
    char *path = name ? st_string_format("%s/%s_%06zu.vtu", f->directory, name, f->number) : NULL;
    st_free(name);
    return path;
}

typedef bool put_function(FILE *out, const void *what, st_topology *topology);

static bool put_mechanical(FILE *out, const void *what, st_topology *topology) {
    return put_state(out, what, topology);
}

static bool put_visual(FILE *out, const void *what, st_topology *topology) {
    (void)topology;
    return st_vtu_drawing(out, what);
}

// One file, and its line in the list.
static bool write_one(frame *f, const st_object *object, put_function *put, const void *what, st_topology *topology) {
    char why[256] = "out of memory", *path = file_name(f, object);
    st_file file;
    bool ok = path && st_file_create(&file, path, why, sizeof why);

    if (ok && !put(file.stream, what, topology)) {
        st_file_abandon(&file);
        snprintf(why, sizeof why, "out of memory");
        ok = false;
    } else if (ok) ok = st_file_commit(&file, why, sizeof why);
    ok = ok && st_vtk_series_add(f->scene, path, f->written);

    if (!ok) st_scene_message(f->scene, ST_ERROR, "vtk", path, 0, "%s", why);
    st_free(path);
    f->written += ok;
    return ok;
}

static bool write_state(frame *f, const st_state *state) {
    // elements are written if they are about the points of the state
    st_topology *topology = (st_topology *)st_find(state->object.node, ST_ROLE(topology), ST_LOCAL);
    if (topology && st_topology_points(topology) > state->size) topology = NULL;
    return write_one(f, &state->object, put_mechanical, state, topology);
}

// What the visual model draws.
static bool write_visual(frame *f, st_object *object) {
    st_drawing *drawing = st_make_drawing();
    if (!drawing) return false;
    drawing->canvas.show = ST_SHOW_VISUAL;
    st_drawing_begin(drawing, object, ST_SHOW_VISUAL);
    object->type->draw(object, &drawing->canvas);

    const bool ok = !drawing->items.count || write_one(f, object, put_visual, drawing, NULL);
    st_free_drawing(drawing);
    return ok;
}

static bool vtk_writer_visit(st_node *node, void *context) {
    frame *f = context;
    for (size_t i = 0; f->ok && i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        const st_state *state = (const st_state *)object;
        if (!st_has_role(object, ST_ROLE(state)) || state->transient) continue;

        if (state->mechanical) f->ok = write_state(f, state);
        else if (object->type->draw && st_is_valid(object)) f->ok = write_visual(f, object);
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

    if (!st_vtk_series_begin(scene, directory)) return ST_FAILED;
    frame f = {.scene = scene, .directory = directory, .number = number, .ok = true};
    st_visit(scene->root, vtk_writer_visit, &f);
    st_map_free(&f.names);

    if (files) *files += f.written;
    return f.ok && st_vtk_series_write(scene) ? ST_OK : ST_FAILED;
}
