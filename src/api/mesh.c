// Meshes outside of a scene: loading, saving and measuring, see settee/mesh.h.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <string.h>

#include "base/array.h"
#include "io/mesh_measure.h"
#include "io/mesh_reader.h"
#include "io/mesh_write.h"
#include "settee/file.h"
#include "topology/boundary.h"
#include "topology/recipes.h"

typedef struct reporter {
    const char *path;
    st_log_function *log;
    void *user;
} reporter;

static void report(const reporter *s, st_severity severity, const char *format, ...) ST_PRINTF(3, 4);
static void report(const reporter *s, st_severity severity, const char *format, ...) {
    char text[400];
    va_list arguments;

    if (!s->log) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    s->log(s->user, &(st_diagnostic){.severity = severity, .file = s->path, .component = "mesh", .text = text});
}

// ---------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------

st_status st_mesh_load(st_mesh **mesh, const char *path, st_log_function *log, void *user) {
    const reporter self = {path, log, user};
    *mesh = NULL;

    if (!st_mesh_format_known(path)) {
        report(&self, ST_ERROR, "no mesh format is known for the suffix of this name");
        return ST_INVALID;
    }

    st_mesh_file file;
    if (!st_mesh_file_open_path(&file, path, log, user)) return ST_NOT_FOUND;
    st_mesh *made = st_alloc(1, sizeof *made);
    const bool ok = made && st_mesh_read(made, &file);
    if (!made) report(&self, ST_ERROR, "out of memory");
    st_mesh_file_close(&file);

    // half a mesh is none
    if (ok) *mesh = made;
    else st_mesh_destroy(made);
    return ok ? ST_OK : made ? ST_INVALID : ST_OUT_OF_MEMORY;
}

void st_mesh_destroy(st_mesh *mesh) {
    if (mesh) st_mesh_free(mesh);
    st_free(mesh);
}

size_t st_mesh_points(const st_mesh *mesh, const st_real **positions) {
    if (positions) *positions = mesh->position.data;
    return mesh->position.count;
}

size_t st_mesh_elements(const st_mesh *mesh, st_element kind, const uint32_t **vertices) {
    if (vertices) *vertices = mesh->elements[kind].data;
    return mesh->elements[kind].count;
}

// ---------------------------------------------------------------------------------------------------
// Writing
// ---------------------------------------------------------------------------------------------------

static bool mesh_save_holds(const st_mesh_writer *writer, int kind) { return writer->holds >> kind & 1; }

static st_mesh_view view_of(const st_mesh *mesh) {
    st_mesh_view view = {.points = mesh->position.data, .point_count = mesh->position.count};

    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        view.elements[kind].vertices = mesh->elements[kind].data;
        view.elements[kind].count = mesh->elements[kind].count;
    }
    return view;
}

// Faces of the mesh make room for the boundary of its volumes.
static void show_boundary(st_mesh_view *view, const st_boundary *boundary) {
    view->elements[ST_EDGE].count = 0;
    view->elements[ST_TRIANGLE].vertices = boundary->triangles.data;
    view->elements[ST_TRIANGLE].count = boundary->triangles.count;
    view->elements[ST_QUAD].vertices = boundary->quads.data;
    view->elements[ST_QUAD].count = boundary->quads.count;
    for (int kind = ST_TETRAHEDRON; kind < ST_ELEMENT_KINDS; kind++) view->elements[kind].count = 0;
}

// Elements that the format cannot hold are left out, with a warning.
static void drop_unsupported(const reporter *s, st_mesh_view *view, const st_mesh_writer *writer) {
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        if (mesh_save_holds(writer, kind) || view->elements[kind].count == 0) continue;
        report(s, ST_WARNING, "%s cannot hold %s elements: %zu are left out", writer->name, st_element_names[kind],
               view->elements[kind].count);
        view->elements[kind].count = 0;
    }
}

static bool write_file(const reporter *s, const st_mesh_writer *writer, const st_mesh_view *view) {
    // written under another name first: a file that is there is replaced as a whole
    char why[256];
    st_file file;
    bool ok = st_file_create(&file, s->path, why, sizeof why);

    if (ok) {
        writer->write(file.stream, view);
        ok = st_file_commit(&file, why, sizeof why);
    }

    if (!ok) report(s, ST_ERROR, "the file could not be written: %s", why);
    return ok;
}

st_status st_mesh_save(const st_mesh *mesh, const char *path, st_log_function *log, void *user) {
    const reporter self = {path, log, user};
    const st_mesh_writer *writer = st_mesh_writer_of(path);

    if (!writer) {
        report(&self, ST_ERROR, "no mesh format is written for the suffix of this name");
        return ST_INVALID;
    }

    // a format of surfaces gets the boundary of volumes
    st_mesh_view view = view_of(mesh);
    st_boundary boundary = {0};
    st_status status = ST_OK;
    if (!mesh_save_holds(writer, ST_TETRAHEDRON) && st_has_volumes(mesh->elements)) {
        if (st_boundary_find(&boundary, mesh->elements)) {
            show_boundary(&view, &boundary);
            report(&self, ST_NOTICE, "%s holds surfaces: the boundary of the volumes is written", writer->name);
        } else {
            report(&self, ST_ERROR, "out of memory for the boundary");
            status = ST_OUT_OF_MEMORY;
        }
    }

    // what the format does not hold is reported and left out
    drop_unsupported(&self, &view, writer);
    if (status == ST_OK && !write_file(&self, writer, &view)) status = ST_FAILED;

    st_boundary_free(&boundary);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Formats
// ---------------------------------------------------------------------------------------------------

// Those that are written, then the others that are read.
bool st_describe_mesh_format(size_t index, st_mesh_format *format) {
    size_t written = 0;
    for (const st_mesh_writer *w; (w = st_mesh_writer_at(written)); written++) {
        if (written != index) continue;
        *format = (st_mesh_format){.suffix = w->suffix, .name = w->name, .reads = true, .writes = true};
        return true;
    }

    // a suffix that is written, too, was counted above
    for (size_t i = 0, next = written;; i++) {
        const char *suffix = st_mesh_suffix_at(i), *name = st_mesh_suffix_name(i);
        if (!suffix) return false;

        // writers are found by the suffix of a path
        char path[32] = ".";
        strncat(path, suffix, sizeof path - 2);

        if (st_mesh_writer_of(path)) continue;

        if (next++ != index) continue;
        *format = (st_mesh_format){.suffix = suffix, .name = name, .reads = true};
        return true;
    }
}

st_status st_mesh_measure(const st_mesh *mesh, st_mesh_report *report) { return st_measure_mesh(mesh, report); }
