// MeshExporter: the mesh as files of one format, or of all of them.
//
// Netgen: points, then tetrahedra, then the triangles of the surface, counted from 1, the number of a domain before
// each. Tetgen: .node, .ele and .face files. Only triangles of the boundary count as faces of both.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "io/mesh_export.h"
#include "topology/boundary.h"

typedef struct mesh_exporter {
    st_mesh_export mesh;
    int32_t format;
} mesh_exporter;

enum {
    FORMAT_ALL,
    FORMAT_VTKXML,
    FORMAT_VTK,
    FORMAT_NETGEN,
    FORMAT_TETGEN,
    FORMAT_GMSH,
    FORMAT_OBJ,
    FORMAT_OFF,
    FORMAT_STL,
    FORMATS
};
static const char *const formats[] = {"ALL", "vtkxml", "vtk", "netgen", "tetgen", "gmsh", "obj", "off", "stl", NULL};

static const st_field fields[] = {
    ST_MESH_EXPORT_FIELDS(mesh_exporter, "1", "1"),
    ST_FIELD(mesh_exporter, format, "format", st_type_option, "ALL", "format of the files; ALL: one of each of SOFA's",
             .options = formats),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Formats that only this component writes
// ---------------------------------------------------------------------------------------------------

static void put_points(FILE *out, const st_mesh_view *view, bool numbered) {
    for (size_t i = 0; i < view->point_count; i++) {
        if (numbered) fprintf(out, "%zu ", i + 1);
        st_mesh_put_point(out, view->points + 3 * i);
        fputc('\n', out);
    }
}

static void put_rows(FILE *out, const uint32_t *vertices, size_t count, int size, bool numbered) {
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%zu", numbered ? i + 1 : (size_t)1);
        st_mesh_put_vertices(out, vertices + i * (size_t)size, size, NULL, 1);
        fputc('\n', out);
    }
}

static void mesh_exporter_write_netgen(FILE *out, const st_mesh_view *view, const st_boundary *boundary) {
    fprintf(out, "%zu\n", view->point_count);
    put_points(out, view, false);

    fprintf(out, "%zu\n", view->elements[ST_TETRAHEDRON].count);
    put_rows(out, view->elements[ST_TETRAHEDRON].vertices, view->elements[ST_TETRAHEDRON].count, 4, false);

    fprintf(out, "%zu\n", boundary->triangles.count);
    put_rows(out, boundary->triangles.data, boundary->triangles.count, 3, false);
}

static void mesh_exporter_write_tetgen_nodes(FILE *out, const st_mesh_view *view, const st_boundary *boundary) {
    (void)boundary;
    fprintf(out, "%zu 3 0 0\n", view->point_count);
    put_points(out, view, true);
}

static void mesh_exporter_write_tetgen_elements(FILE *out, const st_mesh_view *view, const st_boundary *boundary) {
    (void)boundary;
    fprintf(out, "%zu 4 0\n", view->elements[ST_TETRAHEDRON].count);
    put_rows(out, view->elements[ST_TETRAHEDRON].vertices, view->elements[ST_TETRAHEDRON].count, 4, true);
}

static void mesh_exporter_write_tetgen_faces(FILE *out, const st_mesh_view *view, const st_boundary *boundary) {
    (void)view;
    fprintf(out, "%zu 0\n", boundary->triangles.count);
    put_rows(out, boundary->triangles.data, boundary->triangles.count, 3, true);
}

// ---------------------------------------------------------------------------------------------------
// Formats that hold surfaces: triangles, or quads where there are none
// ---------------------------------------------------------------------------------------------------

static void write_surface(FILE *out, const st_mesh_view *view, void (*write)(FILE *, const st_mesh_view *)) {
    st_mesh_view surface = *view;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        if (kind != (view->elements[ST_TRIANGLE].count ? ST_TRIANGLE : ST_QUAD)) surface.elements[kind].count = 0;
    write(out, &surface);
}

static void mesh_exporter_write_obj(FILE *out, const st_mesh_view *view, const st_boundary *boundary) {
    (void)boundary;
    write_surface(out, view, st_mesh_write_obj);
}
static void mesh_exporter_write_off(FILE *out, const st_mesh_view *view, const st_boundary *boundary) {
    (void)boundary;
    write_surface(out, view, st_mesh_write_off);
}
static void mesh_exporter_write_stl(FILE *out, const st_mesh_view *view, const st_boundary *boundary) {
    (void)boundary;
    write_surface(out, view, st_mesh_write_stl);
}
static void mesh_exporter_write_vtu(FILE *out, const st_mesh_view *view, const st_boundary *boundary) {
    (void)boundary;
    st_mesh_write_vtu(out, view);
}
static void mesh_exporter_write_vtk(FILE *out, const st_mesh_view *view, const st_boundary *boundary) {
    (void)boundary;
    st_mesh_write_vtk(out, view);
}
static void mesh_exporter_write_gmsh(FILE *out, const st_mesh_view *view, const st_boundary *boundary) {
    (void)boundary;
    st_mesh_write_gmsh(out, view);
}

static const struct file_kind {
    int format;
    const char *suffix;
    void (*write)(FILE *, const st_mesh_view *, const st_boundary *);
} kinds[] = {
    {FORMAT_VTKXML, ".vtu", mesh_exporter_write_vtu},
    {FORMAT_VTK, ".vtk", mesh_exporter_write_vtk},
    {FORMAT_NETGEN, ".mesh", mesh_exporter_write_netgen},
    {FORMAT_TETGEN, ".node", mesh_exporter_write_tetgen_nodes},
    {FORMAT_TETGEN, ".ele", mesh_exporter_write_tetgen_elements},
    {FORMAT_TETGEN, ".face", mesh_exporter_write_tetgen_faces},
    {FORMAT_GMSH, ".gmsh", mesh_exporter_write_gmsh},
    {FORMAT_OBJ, ".obj", mesh_exporter_write_obj},
    {FORMAT_OFF, ".off", mesh_exporter_write_off},
    {FORMAT_STL, ".stl", mesh_exporter_write_stl},
};

static bool is_asked(const mesh_exporter *self, int format) {
    return self->format == FORMAT_ALL ? format <= FORMAT_OBJ : self->format == format;
}

// ---------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------

// Elements of the highest dimension that there are.
static size_t main_count(const st_mesh_view *view) {
    for (int kind = ST_EXPORT_KINDS - 1; kind >= 0; kind--)
        if (view->elements[kind].count) return view->elements[kind].count;
    return 0;
}

// %n: number of the file, %p: points, %E: cells, %e: elements of the main kind.
static char *fill_in(char *base, const st_exporter *exporter, const st_mesh_view *view) {
    st_text text = {0};
    size_t cells = 0;

    for (int kind = 0; kind < ST_EXPORT_KINDS; kind++) cells += view->elements[kind].count;

    // anything else is copied as it is
    bool ok = true;
    for (const char *c = base; ok && *c; c++) {
        const char next = *c == '%' ? c[1] : '\0';
        if (next == 'n') ok = st_text_appendf(&text, "%u", exporter->steps);
        else if (next == 'p') ok = st_text_appendf(&text, "%zu", view->point_count);
        else if (next == 'E') ok = st_text_appendf(&text, "%zu", cells);
        else if (next == 'e') ok = st_text_appendf(&text, "%zu", main_count(view));
        else ok = st_text_append_char(&text, *c);

        if (next && strchr("npEe", next)) c++;
    }

    st_free(base);
    if (ok && !text.data) return st_string_copy("");
    if (!ok) st_text_free(&text);
    return ok ? text.data : NULL;
}

typedef struct content {
    const struct file_kind *kind;
    const st_mesh_view *view;
    const st_boundary *boundary;
} content;

static st_status put_content(FILE *out, const void *what) {
    const content *c = what;
    c->kind->write(out, c->view, c->boundary);
    return ST_OK;
}

static bool mesh_exporter_write(st_exporter *exporter) {
    mesh_exporter *self = (mesh_exporter *)exporter;
    st_mesh_view view;
    st_boundary boundary = {0};

    if (!st_mesh_export_view(&self->mesh, &view)) return false;

    // the name, filled in
    char *base = st_exporter_numbered_base(exporter, ".vtu .vtk .mesh .node .ele .face .gmsh .obj .off .stl");
    base = base ? fill_in(base, exporter, &view) : NULL;
    bool ok = base && st_boundary_of_topology(&boundary, (st_topology *)self->mesh.topology);
    if (!ok) st_output_failed(&exporter->object, base, "out of memory");

    // each file that was asked for
    for (size_t i = 0; ok && i < sizeof kinds / sizeof *kinds; i++) {
        const content c = {&kinds[i], &view, &boundary};
        if (is_asked(self, kinds[i].format))
            ok = st_output_write(&exporter->object, st_string_format("%s%s", base, kinds[i].suffix), put_content, &c);
    }

    st_boundary_free(&boundary);
    st_free(base);
    return ok;
}

static st_status mesh_exporter_init(st_object *object) { return st_mesh_export_init(object, mesh_exporter_write); }

const st_class st_mesh_exporter_class = {
    .name = "MeshExporter",
    .help = "writes the mesh as files of one format, or of all",
    .parent = &st_exporter_class,
    .fields = fields,
    .size = sizeof(mesh_exporter),
    .example = "<RegularGridTopology n=\"3 3 3\" min=\"0 0 0\" max=\"1 1 1\"/>\n"
               "<MechanicalObject name=\"dofs\"/>\n"
               "<MeshExporter filename=\"grid\" format=\"vtkxml\" exportEveryNumberOfSteps=\"10\"/>",
    .init = mesh_exporter_init,
    .destroy = st_mesh_export_destroy,
};
