// Regular grids, made in place: no rank has more than its slice.
//
// The order of the corners of a cell and of its tetrahedra is asked from the engine, by a grid of 2 × 2 × 2 cells: the
// tables are in one place.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_source.h"

enum { PROBE_TEXT = 512 };

// The scene never sees these attributes: what the engine says about them is said here. An error ends all.
static void keep_error(void *user, const st_diagnostic *diagnostic) {
    char *text = user;
    if (diagnostic->severity == ST_WARNING) st_say("RegularGridTopology: %s", diagnostic->text);
    if (diagnostic->severity >= ST_ERROR && !*text) snprintf(text, PROBE_TEXT, "%s", diagnostic->text);
}

static st_scene *probe_of(const st_attribute_text *attributes, size_t count, bool tetrahedra, bool swapping) {
    st_config config = st_default_config();
    char error[PROBE_TEXT] = "";
    config.log = tetrahedra ? NULL : keep_error;
    config.log_user = error;
    st_scene *scene = st_scene_create(&config);
    st_node *root = st_scene_create_root(scene, "probe");
    if (!st_node_add_object(root, "RegularGridTopology", attributes, count) || *error)
        st_end_all(ST_MPI_INVALID, "RegularGridTopology cannot be read: %s", error);
    if (!tetrahedra) return scene;

    // cells as the mapping splits them
    const st_attribute_text container = {"name", "mesh"};
    const st_attribute_text mapping[] = {
        {"input", "@../grid"}, {"output", "@mesh"}, {"swapping", swapping ? "1" : "0"}};
    st_node *child = st_node_add_child(root, "child", NULL, 0);
    if (!st_node_add_object(child, "TetrahedronSetTopologyContainer", &container, 1) ||
        !st_node_add_object(child, "TetrahedronSetTopologyModifier", NULL, 0) ||
        !st_node_add_object(child, "Hexa2TetraTopologicalMapping", mapping, 3) || !st_succeeded(st_scene_init(scene)))
        st_end_rank(ST_MPI_FAILED, "cannot make a grid to look at");
    return scene;
}

static const uint32_t *list_of(st_scene *scene, const char *path, const char *field, size_t needed) {
    st_array array;
    if (st_object_array(st_scene_find(scene, path), field, &array) != ST_OK || array.count < needed)
        st_end_rank(ST_MPI_FAILED, "cannot look at %s of %s", field, path);
    return array.data;
}

static void read_numbers(st_scene *scene, const char *field, double numbers[3]) {
    st_array array;
    st_object *grid = st_scene_object(scene, 0);
    if (st_object_array(grid, field, &array) != ST_OK || array.width != 3)
        st_end_rank(ST_MPI_FAILED, "cannot read %s of the grid", field);
    for (int i = 0; i < 3; i++)
        numbers[i] = array.scalar == ST_SCALAR_REAL ? (double)((const st_real *)array.data)[i]
                                                    : (double)((const int32_t *)array.data)[i];
}

static const st_attribute_text small_grid[] = {{"name", "grid"}, {"n", "3 3 3"}};

// Point of each corner of a cell, as 0 or 1 along x, y, z.
static void read_corners(int corners[8][3]) {
    st_scene *scene = probe_of(small_grid, 2, true, false);
    const uint32_t *cell = list_of(scene, "/grid", "hexahedra", 8);
    for (int v = 0; v < 8; v++) {
        corners[v][0] = (int)(cell[v] % 3);
        corners[v][1] = (int)(cell[v] / 3 % 3);
        corners[v][2] = (int)(cell[v] / 9);
    }
    st_scene_destroy(scene);
}

void st_make_grid(st_slices *slices, const st_attribute_text *attributes, size_t count, size_t cells[2]) {
    double n[3], min[3], max[3], p0[3];
    st_scene *scene = probe_of(attributes, count, false, false);
    read_numbers(scene, "n", n);
    read_numbers(scene, "min", min);
    read_numbers(scene, "max", max);
    read_numbers(scene, "p0", p0);
    st_scene_destroy(scene);

    // the numbers of points and cells
    size_t points[3], boxes[3], total = 1;
    for (int i = 0; i < 3; i++) {
        if (n[i] < 2)
            st_end_all(ST_MPI_INVALID, "a grid of %g x %g x %g points has no cells to spread", n[0], n[1], n[2]);
        points[i] = (size_t)n[i];
        boxes[i] = points[i] - 1;
        if (points[i] > INT32_MAX / 3 / total)
            st_end_all(ST_MPI_INVALID, "%g x %g x %g points are more than this PETSc can number", n[0], n[1], n[2]);
        total *= points[i];
    }
    *slices = (st_slices){.points = total, .elements[ST_HEXAHEDRON] = boxes[0] * boxes[1] * boxes[2]};
    cells[0] = boxes[0], cells[1] = boxes[1];

    // points, with the arithmetic of RegularGridTopology
    const size_t first = st_slice_first(slices->points, st_rank), own = st_slice_count(slices->points, st_rank);
    slices->positions = st_take(3 * own, sizeof(st_real));
    for (size_t k = 0; k < own; k++) {
        size_t rest = first + k;
        for (int i = 0; i < 3; i++) {
            const st_real step = ((st_real)max[i] - (st_real)min[i]) / (st_real)boxes[i];
            slices->positions[3 * k + (size_t)i] = (st_real)p0[i] + step * (st_real)(rest % points[i]);
            rest /= points[i];
        }
    }

    // cells
    int corners[8][3];
    read_corners(corners);
    const size_t first_cell = st_slice_first(slices->elements[ST_HEXAHEDRON], st_rank);
    const size_t own_cells = st_slice_count(slices->elements[ST_HEXAHEDRON], st_rank);
    uint32_t *vertices = slices->vertices[ST_HEXAHEDRON] = st_take(8 * own_cells, sizeof *vertices);
    for (size_t k = 0; k < own_cells; k++) {
        const size_t cell = first_cell + k, x = cell % boxes[0], y = cell / boxes[0] % boxes[1],
                     z = cell / boxes[0] / boxes[1];
        for (int v = 0; v < 8; v++)
            vertices[8 * k + (size_t)v] =
                (uint32_t)(x + (size_t)corners[v][0] +
                           points[0] * (y + (size_t)corners[v][1] + points[1] * (z + (size_t)corners[v][2])));
    }
}

// Corner of a cell for each vertex of its tetrahedra, for even and odd cells along each axis.
static void read_split(bool swapping, uint32_t split[8][24]) {
    st_scene *scene = probe_of(small_grid, 2, true, swapping);
    const uint32_t *cells = list_of(scene, "/grid", "hexahedra", 8);
    const uint32_t *tetrahedra = list_of(scene, "/child/mesh", "tetrahedra", 48);
    for (size_t cell = 0; cell < 8; cell++)
        for (size_t i = 0; i < 24; i++)
            for (uint32_t v = 0; v < 8; v++)
                if (cells[8 * cell + v] == tetrahedra[24 * cell + i]) split[cell][i] = v;
    st_scene_destroy(scene);
}

uint32_t *st_make_tetrahedra(const st_spread *spread, bool swapping, const size_t cells[2]) {
    const size_t count = spread->count[ST_HEXAHEDRON], nx = cells[0] ? cells[0] : 2, ny = cells[1] ? cells[1] : 1;
    uint32_t split[8][24];
    uint32_t *tetrahedra = st_take(24 * count, sizeof *tetrahedra);
    read_split(swapping, split);

    // which of the eight a cell is like
    for (size_t k = 0; k < count; k++) {
        const size_t cell = spread->element_index[ST_HEXAHEDRON][k];
        const size_t like = cell % nx % 2 + 2 * (cell / nx % ny % 2) + 4 * (cell / (nx * ny) % 2);
        for (size_t i = 0; i < 24; i++)
            tetrahedra[24 * k + i] = spread->vertices[ST_HEXAHEDRON][8 * k + split[like][i]];
    }
    return tetrahedra;
}
