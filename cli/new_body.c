// `settee new body FILE`: a scene in which a closed surface is a soft body: cells over the surface, hexahedral finite
// elements, one end held, gravity. Its numbers follow from the size of the surface, so that it bends visibly:
//
//     cells     15 along the longest side, about cubes
//     mass      that of water for the volume inside
//     modulus   E = 20 ρ g L, a beam of length L and its proportions then sinks by a good part of L
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "session.h"
#include "settee/mesh.h"

enum { CELLS = 15, MOST_PATH = 4096 };

static const double density = 1000, gravity = 9.81;
static const double most_meters = 2; // what is longer is taken as millimeters

typedef struct body {
    const char *surface; // the file, as it was given
    const char *loader;
    char scene[MOST_PATH];
    double unit; // meters
    double low[3], size[3];
    int longest;
    double mass, modulus;
} body;

static const char *loader_of(const char *path) {
    static const char *const loaders[][2] = {{".stl", "MeshSTLLoader"},
                                             {".obj", "MeshOBJLoader"},
                                             {".off", "MeshOffLoader"},
                                             {".vtk", "MeshVTKLoader"},
                                             {".msh", "MeshGmshLoader"}};
    const char *suffix = strrchr(path, '.');
    for (size_t i = 0; suffix && i < sizeof loaders / sizeof *loaders; i++)
        if (strcasecmp(suffix, loaders[i][0]) == 0) return loaders[i][1];

    st_cli_error("%s: the name of a surface ends in .stl, .obj, .off, .vtk or .msh", path);
    return NULL;
}

// heart.scn in the present folder, for meshes/heart.stl.
static bool name_scene(body *b) {
    const char *slash = strrchr(b->surface, '/'), *name = slash ? slash + 1 : b->surface;
    const size_t length = (size_t)(strrchr(name, '.') - name);
    if (length == 0 || length + 5 > sizeof b->scene) {
        st_cli_error("%s: a scene cannot be named after it", b->surface);
        return false;
    }

    memcpy(b->scene, name, length);
    memcpy(b->scene + length, ".scn", 5);
    FILE *there = fopen(b->scene, "rb");
    if (!there) return true;
    fclose(there);
    st_cli_error("%s: exists already; remove it, or rename the surface", b->scene);
    return false;
}

static double to_two_digits(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.1e", value);
    return strtod(text, NULL);
}

static bool measure_body(body *b, st_cli_messages *messages) {
    st_mesh *mesh;
    st_mesh_report r;
    if (st_mesh_load(&mesh, b->surface, st_cli_messages_log, messages) != ST_OK) return false;
    const bool measured = st_mesh_measure(mesh, &r) == ST_OK;
    st_mesh_destroy(mesh);
    if (!measured) return false;

    // the box around it, in its own unit
    b->longest = 0;
    for (int i = 0; i < 3; i++) {
        b->low[i] = r.low[i];
        b->size[i] = r.high[i] - r.low[i];
        if (b->size[i] > b->size[b->longest]) b->longest = i;
    }
    const double length = b->size[b->longest];
    if (r.quality[ST_TRIANGLE].count + r.quality[ST_QUAD].count == 0 || !(length > 0)) {
        st_cli_error("%s: it holds no surface", b->surface);
        return false;
    }

    // what must be known of it before it is filled
    if (!r.closed)
        printf("surface      not closed: %zu edges of one face; what is inside is a guess\n", r.boundary_edges);
    else if (r.enclosed < 0) printf("surface      inside out: its triangles look inward\n");

    b->unit = length > most_meters ? 1e-3 : 1;
    const double inside = r.closed ? fabs(r.enclosed) : 0.5 * b->size[0] * b->size[1] * b->size[2];
    b->mass = to_two_digits(density * inside * pow(b->unit, 3));
    b->modulus = to_two_digits(20 * density * gravity * length * b->unit);
    if (b->mass > 0 && isfinite(b->mass)) return true;
    st_cli_error("%s: there is no volume inside", b->surface);
    return false;
}

// ---------------------------------------------------------------------------------------------------
// The scene
// ---------------------------------------------------------------------------------------------------

static void put_name(FILE *file, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", file); break;
        case '<': fputs("&lt;", file); break;
        case '"': fputs("&quot;", file); break;
        default: fputc(*text, file);
        }
    }
}

// The end that is held: 15 % of the length, on the left or on top, and some room around it.
static void put_clamp(FILE *file, const body *b) {
    const double length = b->size[b->longest] * b->unit, room = 2 * length / CELLS;
    double low[3], high[3];
    for (int i = 0; i < 3; i++) {
        low[i] = b->low[i] * b->unit - room;
        high[i] = (b->low[i] + b->size[i]) * b->unit + room;
    }

    const int along = b->longest;
    if (along == 1) low[1] = high[1] - room - 0.15 * length;
    else high[along] = low[along] + room + 0.15 * length;
    fprintf(file, "        <BoxROI name=\"clamp\" box=\"%.4g %.4g %.4g  %.4g %.4g %.4g\"/>\n", low[0], low[1], low[2],
            high[0], high[1], high[2]);
}

static void put_scene(FILE *file, const body *b) {
    fputs("<?xml version=\"1.0\"?>\n<!-- A soft body in the shape of a surface, held at one end. "
          "Units are meters, kilograms, seconds. -->\n"
          "<Node name=\"root\" gravity=\"0 -9.81 0\" dt=\"0.01\">\n"
          "    <DefaultAnimationLoop/>\n"
          "    <Node name=\"Body\">\n"
          "        <EulerImplicitSolver rayleighStiffness=\"0.05\" rayleighMass=\"0.05\"/>\n"
          "        <CGLinearSolver iterations=\"200\" tolerance=\"1e-8\" threshold=\"1e-12\"/>\n",
          file);
    fprintf(file, "        <%s name=\"surface\" filename=\"", b->loader);
    put_name(file, b->surface);
    fprintf(file, b->unit < 1 ? "\" scale=\"%g\"/>\n" : "\"/>\n", b->unit);

    // cells: points along each side
    fputs("        <!-- cells over the surface; n: points along x, y, z -->\n"
          "        <SparseGridTopology name=\"cells\" src=\"@surface\" n=\"",
          file);
    for (int i = 0; i < 3; i++) {
        const double cells = ceil(CELLS * b->size[i] / b->size[b->longest]);
        fprintf(file, i ? " %.0f" : "%.0f", fmax(cells, 2) + 1);
    }

    // what it is made of, and where it is held
    fprintf(file,
            "\"/>\n        <MechanicalObject name=\"dofs\"/>\n"
            "        <UniformMass totalMass=\"%g\"/>\n"
            "        <!-- pascals: liver some thousands, rubber a million, steel 2e11 -->\n"
            "        <HexahedronFEMForceField name=\"FEM\" youngModulus=\"%g\" poissonRatio=\"0.4\"/>\n",
            b->mass, b->modulus);
    put_clamp(file, b);
    fputs("        <FixedProjectiveConstraint indices=\"@clamp.indices\"/>\n"
          "        <Node name=\"Surface\">\n"
          "            <OglModel name=\"model\" src=\"@../surface\" color=\"0.7 0.25 0.2\"/>\n"
          "            <BarycentricMapping input=\"@../dofs\" output=\"@model\"/>\n"
          "        </Node>\n"
          "    </Node>\n"
          "</Node>\n",
          file);
}

int st_cli_new_body(const st_cli_options *options) {
    body b = {.surface = options->second, .loader = loader_of(options->second)};
    if (!b.loader) return ST_CLI_USAGE;
    if (!name_scene(&b)) return ST_CLI_FAILED;

    st_cli_progress progress = {0};
    st_cli_messages messages;
    st_cli_messages_start(&messages, false, &progress);
    const bool measured = measure_body(&b, &messages);
    st_cli_messages_finish(&messages);
    st_cli_messages_free(&messages);
    if (!measured) return ST_CLI_INVALID;

    st_cli_output output;
    if (!st_cli_output_open(&output, b.scene)) return ST_CLI_FAILED;
    put_scene(output.stream, &b);
    if (!st_cli_output_close(&output)) return ST_CLI_FAILED;

    // what was taken for granted, and what to do with it
    printf("size         %.3g x %.3g x %.3g m%s\n", b.size[0] * b.unit, b.size[1] * b.unit, b.size[2] * b.unit,
           b.unit < 1 ? " (the file is taken as millimeters: scale=\"0.001\")" : "");
    printf("mass         %g kg\nstiffness    %g Pa\n", b.mass, b.modulus);
    printf("wrote        ");
    st_cli_print_clean(stdout, b.scene);
    printf("\nnext         settee run ");
    st_cli_print_clean(stdout, b.scene);
    printf(" -n 150 --png body.png\n");
    return ST_CLI_OK;
}
