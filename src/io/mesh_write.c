// The formats in which meshes are written.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_write.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"

#define HOLDS(kind) (1u << (kind))
#define LINES_AND_FACES (HOLDS(ST_EDGE) | HOLDS(ST_TRIANGLE) | HOLDS(ST_QUAD))
#define ALL (HOLDS(ST_ELEMENT_KINDS) - 1)

static const st_mesh_writer writers[] = {
    {"msh", "Gmsh", ALL, st_mesh_write_gmsh},
    {"vtk", "VTK legacy", ALL, st_mesh_write_vtk},
    {"vtu", "VTK XML, unstructured grid", ALL, st_mesh_write_vtu},
    {"obj", "Wavefront OBJ", LINES_AND_FACES, st_mesh_write_obj},
    {"stl", "STL", HOLDS(ST_TRIANGLE) | HOLDS(ST_QUAD), st_mesh_write_stl},
    {"off", "OFF", HOLDS(ST_TRIANGLE) | HOLDS(ST_QUAD), st_mesh_write_off},
};

const st_mesh_writer *st_mesh_writer_at(size_t index) {
    return index < sizeof writers / sizeof *writers ? &writers[index] : NULL;
}

const st_mesh_writer *st_mesh_writer_of(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof writers / sizeof *writers; i++)
        if (strcasecmp(dot + 1, writers[i].suffix) == 0) return &writers[i];
    return NULL;
}

void st_mesh_put_point(FILE *out, const st_real point[3]) {
    for (int i = 0; i < 3; i++) {
        char text[40];
        st_text_write_real(text, sizeof text, point[i], ST_TEXT_EXACT_DIGITS);
        if (i) fputc(' ', out);
        fputs(text, out);
    }
}

void st_mesh_put_vertices(FILE *out, const uint32_t *vertices, size_t count, const int *order, uint32_t base) {
    for (size_t i = 0; i < count; i++) fprintf(out, " %u", vertices[order ? (size_t)order[i] : i] + base);
}
