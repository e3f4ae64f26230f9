// VTKExporter: the mesh and chosen numbers of its points and cells as VTK files, with a .pvd file that holds the times
// of a series, so that ParaView shows it as an animation.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "io/mesh_export.h"
#include "scene/scene.h"

typedef struct vtk_exporter {
    st_mesh_export mesh;
    bool xml, overwrite;
    st_strings point_fields, cell_fields;
    ST_LIST(st_mesh_data) data;
    st_strings names; // of the data
    st_reals times;   // of the files written
    bool reporting;   // problems of the data: in the first file only
} vtk_exporter;

static const st_field fields[] = {
    ST_MESH_EXPORT_FIELDS(vtk_exporter, "1", "0"),
    ST_FIELD(vtk_exporter, xml, "XMLformat", st_type_bool, "1",
             ".vtu files and a .pvd series; otherwise legacy .vtk files"),
    ST_FIELD(vtk_exporter, point_fields, "pointsDataFields", st_type_words, NULL,
             "numbers of the points to write, each as label=@component.field or component.field"),
    ST_FIELD(vtk_exporter, cell_fields, "cellsDataFields", st_type_words, NULL,
             "numbers of the cells to write, likewise"),
    ST_FIELD(vtk_exporter, overwrite, "overwrite", st_type_bool, "0", "write the same file each time"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Data
// ---------------------------------------------------------------------------------------------------

static size_t cell_count(const st_mesh_view *view) {
    size_t count = 0;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) count += view->elements[kind].count;
    return count;
}

static void report_item(const vtk_exporter *self, const char *item, const char *what) {
    if (self->reporting) st_message(&self->mesh.exporter.object, ST_ERROR, "'%.120s' is not written: %s", item, what);
}

// label=@component.field: the component by its path from this node.
static void add_data(vtk_exporter *self, const char *item, bool of_cells, size_t expected) {
    const char *label = strchr(item, '='), *path = label ? label + 1 : item;

    const char *dot = strrchr(path, '.');
    if (!dot) {
        report_item(self, item, "it is not of the form [label=][@]component.field");
        return;
    }

    // the component's path, without the @, and the name of the array
    char *target = st_string_format("@%.*s", (int)(dot - path) - (*path == '@'), path + (*path == '@'));
    char *name = label ? st_string_copy_n(item, (size_t)(label - item)) : st_string_copy(dot + 1);

    // its numbers
    st_object *object = target ? st_find_path(self->mesh.exporter.object.node, target, 0) : NULL;
    size_t count = 0, width = 0;
    const st_real *values = object ? st_field_reals(object, dot + 1, &count, &width) : NULL;
    st_free(target);

    if (!object) report_item(self, item, "there is no such component");
    else if (!values && count == 0 && width == 0) report_item(self, item, "the component has no such field of numbers");
    else if (count != expected || width == 0 || width > ST_WIDTH_MAX)
        report_item(self, item, "it has another number of elements than the mesh");
    else if (name && st_list_push(&self->names, name)) {
        const st_mesh_data data = {.name = name, .of_cells = of_cells, .width = (int)width, .values = values};
        name = NULL;
        st_list_push(&self->data, data);
    }

    st_free(name);
}

static void collect_data(vtk_exporter *self, st_mesh_view *view) {
    self->data.count = 0;
    self->reporting = st_first_time(&self->mesh.exporter.object, "data");
    st_strings_free(&self->names);

    for (size_t i = 0; i < self->point_fields.count; i++)
        add_data(self, self->point_fields.data[i], false, view->point_count);
    for (size_t i = 0; i < self->cell_fields.count; i++)
        add_data(self, self->cell_fields.data[i], true, cell_count(view));

    view->data = self->data.data;
    view->data_count = self->data.count;
}

// ---------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------

typedef struct series {
    const vtk_exporter *exporter;
    const char *name; // of the files, without their numbers
} series;

static st_status put_series(FILE *out, const void *what) {
    const series *s = what;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n", out);
    for (size_t i = 0; i < s->exporter->times.count; i++) {
        char time[40];
        st_text_write_real(time, sizeof time, s->exporter->times.data[i], ST_TEXT_EXACT_DIGITS);

        fprintf(out, "<DataSet timestep=\"%s\" file=\"", time);
        for (const char *c = s->name; *c; c++)
            if (*c == '&') fputs("&amp;", out);
            else if (*c == '<') fputs("&lt;", out);
            else if (*c == '"') fputs("&quot;", out);
            else fputc(*c, out);

        fprintf(out, "%zu.vtu\"/>\n", i);
    }

    fputs("</Collection>\n</VTKFile>\n", out);
    return ST_OK;
}

// name.pvd: which file belongs to which time. It is written again with each file, so that a series can be viewed
// while it grows.
static bool write_series(const vtk_exporter *self, const char *base) {
    const char *slash = strrchr(base, '/');
    const series s = {self, slash ? slash + 1 : base};
    return st_output_write(&self->mesh.exporter.object, st_string_format("%s.pvd", base), put_series, &s);
}

static st_status put_vtu(FILE *out, const void *view) {
    st_mesh_write_vtu(out, view);
    return ST_OK;
}

static st_status put_vtk(FILE *out, const void *view) {
    st_mesh_write_vtk(out, view);
    return ST_OK;
}

static char *file_name(const vtk_exporter *self, const char *base) {
    // name.vtu each time, or name0.vtu, name1.vtu, ... (legacy: name_0.vtk)
    const uint32_t number = self->mesh.exporter.files;
    if (self->overwrite) return st_string_format("%s.%s", base, self->xml ? "vtu" : "vtk");
    return st_string_format(self->xml ? "%s%u.vtu" : "%s_%u.vtk", base, number);
}

static bool vtk_exporter_write(st_exporter *exporter) {
    vtk_exporter *self = (vtk_exporter *)exporter;
    st_mesh_view view;
    if (!st_mesh_export_view(&self->mesh, &view)) return false;

    collect_data(self, &view);
    char *base = st_exporter_base(exporter, ".vtu .vtk .pvd");
    bool ok = base && st_output_write(&exporter->object, file_name(self, base), self->xml ? put_vtu : put_vtk, &view);

    // the series has one more file
    if (ok && self->xml && !self->overwrite)
        ok = st_list_push(&self->times, exporter->object.node->time) && write_series(self, base);

    st_free(base);
    return ok;
}

static st_status vtk_exporter_init(st_object *object) { return st_mesh_export_init(object, vtk_exporter_write); }

static void vtk_exporter_reset(st_object *object) {
    vtk_exporter *self = (vtk_exporter *)object;
    self->times.count = 0;
    self->mesh.exporter.files = self->mesh.exporter.steps = 0;
}

static void vtk_exporter_destroy(st_object *object) {
    vtk_exporter *self = (vtk_exporter *)object;
    st_mesh_export_destroy(object);
    st_list_free(&self->data);
    st_strings_free(&self->names);
    st_list_free(&self->times);
}

const st_class st_vtk_exporter_class = {
    .name = "VTKExporter",
    .help = "writes the mesh, and numbers of its points and cells, as VTK files",
    .parent = &st_exporter_class,
    .fields = fields,
    .size = sizeof(vtk_exporter),
    .example = "<RegularGridTopology n=\"3 3 3\" min=\"0 0 0\" max=\"1 1 1\"/>\n"
               "<MechanicalObject name=\"dofs\"/>\n"
               "<VTKExporter filename=\"grid\" hexas=\"1\" edges=\"0\" exportEveryNumberOfSteps=\"10\" "
               "pointsDataFields=\"dofs.velocity\"/>",
    .init = vtk_exporter_init,
    .reset = vtk_exporter_reset,
    .destroy = vtk_exporter_destroy,
};
