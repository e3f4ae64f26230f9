// `settee mesh`: what a mesh file holds, how good its elements are, and the same mesh in another format.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "session.h"
#include "settee/mesh.h"

typedef struct mesh_command {
    const st_cli_options *options;
    st_cli_progress progress;
    st_cli_messages messages;
    st_mesh_report report;
} mesh_command;

static const char *const kinds[ST_ELEMENT_KINDS][2] = {
    [ST_EDGE] = {"edges", "length"},
    [ST_TRIANGLE] = {"triangles", "area"},
    [ST_QUAD] = {"quads", "area"},
    [ST_TETRAHEDRON] = {"tetrahedra", "volume"},
    [ST_HEXAHEDRON] = {"hexahedra", "volume"},
    [ST_PRISM] = {"prisms", "volume"},
    [ST_PYRAMID] = {"pyramids", "volume"},
};

// ---------------------------------------------------------------------------------------------------
// As text
// ---------------------------------------------------------------------------------------------------

static void print_kind(int kind, const st_element_quality *q) {
    char a[32], b[32];
    if (q->count == 0) return;

    // sizes, and elements that are not usable
    printf("%-12s %zu; %s %.6g to %.6g, total %.6g\n", kinds[kind][0], q->count, kinds[kind][1], q->least, q->most,
           q->total);
    if (q->inverted) printf("%-12s %zu inverted\n", "", q->inverted);
    if (q->flat) printf("%-12s %zu flat\n", "", q->flat);

    if (kind == ST_EDGE) return;
    printf("%-12s aspect ratio %s at best, %s in the mean, ", "", st_cli_figure(q->best_aspect, a),
           st_cli_figure(q->mean_aspect, b));
    printf("%s at worst (number %zu)\n", st_cli_figure(q->worst_aspect, a), q->worst);

    // a histogram of aspect ratios
    double low = 1;
    for (int i = 0; i < ST_ASPECT_BINS; i++) {
        const int bar = (int)ceil(30.0 * (double)q->histogram[i] / (double)q->count);
        if (isinf(st_aspect_limits[i])) printf("%-12s   above %-5g", "", low);
        else printf("%-12s %4g to %-5g", "", low, st_aspect_limits[i]);
        printf(" %9zu %.*s\n", q->histogram[i], bar, "##############################");
        low = st_aspect_limits[i];
    }
}

static void print_boundary(const st_mesh_report *r) {
    const bool volumes = r->quality[ST_TETRAHEDRON].count || r->quality[ST_HEXAHEDRON].count ||
                         r->quality[ST_PRISM].count || r->quality[ST_PYRAMID].count;
    const bool faces = r->quality[ST_TRIANGLE].count || r->quality[ST_QUAD].count;

    // volumes have faces around them, surfaces edges
    if (volumes) printf("%-12s %zu faces, area %.6g\n", "boundary", r->boundary_faces, r->boundary_area);
    else if (faces && r->closed) printf("%-12s closed surface around a volume of %.6g\n", "boundary", r->enclosed);
    else if (faces) printf("%-12s %zu edges of one face\n", "boundary", r->boundary_edges);

    if (r->shared_faces) printf("%-12s %zu faces of more than two volumes\n", "", r->shared_faces);
    if (r->shared_edges) printf("%-12s %zu edges of more than two faces\n", "", r->shared_edges);
}

static void print_report(const mesh_command *c) {
    const st_mesh_report *r = &c->report;

    // points and pieces, then each kind of element
    printf("%-12s ", "mesh");
    st_cli_print_clean(stdout, c->options->operand);
    printf("\n%-12s %zu", "points", r->points);
    if (r->unused) printf(", %zu of them in no element", r->unused);
    printf("\n%-12s %zu\n", "pieces", r->components);

    if (r->points)
        printf("%-12s %.6g %.6g %.6g to %.6g %.6g %.6g\n", "box", r->low[0], r->low[1], r->low[2], r->high[0],
               r->high[1], r->high[2]);

    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) print_kind(kind, &r->quality[kind]);
    print_boundary(r);
}

// ---------------------------------------------------------------------------------------------------
// As JSON
// ---------------------------------------------------------------------------------------------------

static void put_point(st_cli_json *json, const char *name, const double p[3]) {
    st_cli_json_open(json, name, '[');
    for (int i = 0; i < 3; i++) st_cli_json_real(json, NULL, p[i]);
    st_cli_json_close(json, ']');
}

static void put_kind(st_cli_json *json, int kind, const st_element_quality *q) {
    st_cli_json_open(json, kinds[kind][0], '{');
    st_cli_json_count(json, "count", q->count);

    // sizes, quality, and the element that is the worst
    if (q->count) {
        st_cli_json_real(json, "total", q->total);
        st_cli_json_real(json, "least", q->least);
        st_cli_json_real(json, "most", q->most);
        st_cli_json_count(json, "inverted", q->inverted);
        st_cli_json_count(json, "flat", q->flat);
        st_cli_json_real(json, "best_aspect", q->best_aspect);
        st_cli_json_real(json, "mean_aspect", q->mean_aspect);
        st_cli_json_real(json, "worst_aspect", q->worst_aspect);
        st_cli_json_count(json, "worst", q->worst);

        st_cli_json_open(json, "histogram", '[');
        for (int i = 0; i < ST_ASPECT_BINS; i++) st_cli_json_count(json, NULL, q->histogram[i]);
        st_cli_json_close(json, ']');
    }
    st_cli_json_close(json, '}');
}

static void put_report(st_cli_json *json, const st_mesh_report *r) {
    st_cli_json_count(json, "points", r->points);
    st_cli_json_count(json, "unused_points", r->unused);
    st_cli_json_count(json, "pieces", r->components);

    st_cli_json_open(json, "box", '[');
    put_point(json, NULL, r->low);
    put_point(json, NULL, r->high);
    st_cli_json_close(json, ']');

    // the bins of all histograms
    st_cli_json_open(json, "aspect_limits", '[');
    for (int i = 0; i < ST_ASPECT_BINS; i++) st_cli_json_real(json, NULL, st_aspect_limits[i]);
    st_cli_json_close(json, ']');

    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) put_kind(json, kind, &r->quality[kind]);

    st_cli_json_open(json, "boundary", '{');
    st_cli_json_count(json, "faces", r->boundary_faces);
    st_cli_json_real(json, "area", r->boundary_area);
    st_cli_json_count(json, "edges", r->boundary_edges);
    st_cli_json_count(json, "shared_faces", r->shared_faces);
    st_cli_json_count(json, "shared_edges", r->shared_edges);
    st_cli_json_bool(json, "closed", r->closed);
    st_cli_json_real(json, "enclosed", r->enclosed);
    st_cli_json_close(json, '}');
}

// ---------------------------------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------------------------------

static int code_of(st_status status) {
    return status == ST_OK                                  ? ST_CLI_OK
           : status == ST_INVALID || status == ST_NOT_FOUND ? ST_CLI_INVALID
                                                            : ST_CLI_FAILED;
}

static int save(mesh_command *c, const st_mesh *mesh) {
    const st_status status = st_mesh_save(mesh, c->options->output, st_cli_messages_log, &c->messages);
    return status == ST_INVALID ? ST_CLI_USAGE : code_of(status);
}

static void print_result(mesh_command *c, bool known, int code) {
    const st_cli_options *o = c->options;

    // one object, also when the mesh could not be read
    if (o->json) {
        st_cli_json json = {.file = stdout};
        st_cli_json_open(&json, NULL, '{');
        st_cli_json_text(&json, "settee", st_version());
        st_cli_json_text(&json, "mesh", o->operand);
        if (known) put_report(&json, &c->report);
        if (o->output) st_cli_json_text(&json, "output", code == ST_CLI_OK ? o->output : NULL);
        st_cli_json_text(&json, "status", code == ST_CLI_OK ? "ok" : code == ST_CLI_INVALID ? "invalid" : "failed");
        st_cli_json_count(&json, "exit_code", (size_t)code);
        st_cli_messages_json(&c->messages, &json);
        st_cli_json_close(&json, '}');
        return;
    }

    if (o->quiet || !known) return;
    print_report(c);

    if (o->output && code == ST_CLI_OK) {
        printf("%-12s ", "wrote");
        st_cli_print_clean(stdout, o->output);
        fputc('\n', stdout);
    }
}

int st_cli_mesh(const st_cli_options *options) {
    mesh_command c = {.options = options};
    st_mesh *mesh = NULL;
    st_cli_messages_start(&c.messages, options->quiet, &c.progress);

    // read, measure, convert
    st_status status = st_mesh_load(&mesh, options->operand, st_cli_messages_log, &c.messages);
    if (status == ST_OK) status = st_mesh_measure(mesh, &c.report);
    const bool known = status == ST_OK;
    int code = code_of(status);
    if (known && options->output) code = save(&c, mesh);

    st_cli_messages_finish(&c.messages);
    print_result(&c, known, code);

    st_mesh_destroy(mesh);
    st_cli_messages_free(&c.messages);
    return code;
}
