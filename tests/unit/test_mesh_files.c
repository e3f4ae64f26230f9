// Meshes outside of a scene: what is written is read back, and what is measured has closed forms.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "io/mesh_reader.h"
#include "io/mesh_write.h"

typedef struct said {
    char text[2048];
    size_t count[ST_FATAL + 1];
} said;

static void listen(void *user, const st_diagnostic *d) {
    said *s = user;
    const size_t used = strlen(s->text);
    s->count[d->severity]++;
    snprintf(s->text + used, sizeof s->text - used, "%s:%d: %s\n", d->file, d->line, d->text);
}

static const char *path_of(const char *suffix) {
    static char path[512];
    snprintf(path, sizeof path, "%s/mesh_files.%s", SETTEE_BUILD, suffix);
    return path;
}

static void add_points(st_mesh *mesh, const double *x, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_true(
            st_mesh_add_point(mesh, (st_real[3]){(st_real)x[3 * i], (st_real)x[3 * i + 1], (st_real)x[3 * i + 2]}));
}

static void add(st_mesh *mesh, st_element kind, const uint32_t *vertices) {
    assert_true(st_mesh_add(mesh, kind, vertices, false));
}

static const double cube[24] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};

// Elements of every kind over points that need all their digits.
static void make_everything(st_mesh *mesh) {
    for (size_t i = 0; i < 16; i++)
        assert_true(
            st_mesh_add_point(mesh, (st_real[3]){(st_real)(sin((double)i) / 3), (st_real)(1e-5 / (double)(i + 7)),
                                                 (st_real)(1e20 / 3 * (double)i)}));
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (uint32_t e = 0; e < 3; e++) {
            uint32_t v[8];
            for (uint32_t i = 0; i < 8; i++) v[i] = e + 2 * i < 16 ? e + 2 * i : 2 * i % 16 - 1;
            add(mesh, (st_element)kind, v);
        }
}

static void assert_same(const st_mesh *a, const st_mesh *b, unsigned kinds) {
    assert_int_equal(a->position.count, b->position.count);
    for (size_t i = 0; i < 3 * a->position.count; i++) assert_true(a->position.data[i] == b->position.data[i]);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        assert_int_equal(b->elements[kind].count, kinds >> kind & 1 ? a->elements[kind].count : 0);
        for (size_t i = 0; i < b->elements[kind].count * st_element_size[kind]; i++)
            assert_int_equal(a->elements[kind].data[i], b->elements[kind].data[i]);
    }
}

static st_mesh *back(const st_mesh *mesh, const char *suffix, said *s) {
    st_mesh *read = NULL;
    if (st_mesh_save(mesh, path_of(suffix), listen, s) != ST_OK) fail_msg("%s", s->text);
    if (st_mesh_load(&read, path_of(suffix), listen, s) != ST_OK) fail_msg("%s", s->text);
    remove(path_of(suffix));
    return read;
}

// Formats that hold every kind of element give back every bit.
static void whole_meshes_come_back(void **state) {
    (void)state;
    static const char *const suffixes[] = {"msh", "vtk", "vtu"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        st_mesh mesh = {0};
        said s = {0};
        make_everything(&mesh);
        st_mesh *read = back(&mesh, suffixes[i], &s);
        assert_same(&mesh, read, (1u << ST_ELEMENT_KINDS) - 1);
        assert_int_equal(s.count[ST_WARNING] + s.count[ST_ERROR], 0);
        st_mesh_destroy(read);
        st_mesh_free(&mesh);
    }
}

static void surfaces_come_back(void **state) {
    (void)state;
    static const struct {
        const char *suffix;
        unsigned kinds;
        size_t warnings;
    } cases[] = {{"obj", 1u << ST_EDGE | 1u << ST_TRIANGLE | 1u << ST_QUAD, 0},
                 {"off", 1u << ST_TRIANGLE | 1u << ST_QUAD, 1}}; // edges are left out
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        st_mesh mesh = {0};
        said s = {0};
        make_everything(&mesh);
        for (int kind = ST_TETRAHEDRON; kind < ST_ELEMENT_KINDS; kind++) mesh.elements[kind].count = 0;
        st_mesh *read = back(&mesh, cases[i].suffix, &s);
        assert_same(&mesh, read, cases[i].kinds);
        assert_int_equal(s.count[ST_WARNING], cases[i].warnings);
        st_mesh_destroy(read);
        st_mesh_free(&mesh);
    }
}

// STL has no points of its own: triangles come back corner by corner, a quad as two of them.
static void triangles_come_back(void **state) {
    (void)state;
    st_mesh mesh = {0};
    said s = {0};
    add_points(&mesh, cube, 8);
    add(&mesh, ST_TRIANGLE, (uint32_t[]){0, 1, 2});
    add(&mesh, ST_QUAD, (uint32_t[]){4, 5, 6, 7});
    st_mesh *read = back(&mesh, "stl", &s);
    static const uint32_t expected[9] = {0, 1, 2, 4, 5, 6, 4, 6, 7};
    assert_int_equal(read->elements[ST_TRIANGLE].count, 3);
    assert_int_equal(read->position.count, 7);
    for (size_t i = 0; i < 9; i++)
        for (size_t k = 0; k < 3; k++)
            assert_true((double)read->position.data[3 * read->elements[ST_TRIANGLE].data[i] + k] ==
                        cube[3 * expected[i] + k]);
    st_mesh_destroy(read);
    st_mesh_free(&mesh);
}

static void empty_meshes_come_back(void **state) {
    (void)state;
    static const char *const suffixes[] = {"msh", "vtk", "vtu", "off", "stl"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        st_mesh mesh = {0};
        said s = {0};
        st_mesh_report report;
        st_mesh *read = back(&mesh, suffixes[i], &s);
        assert_int_equal(read->position.count, 0);
        assert_int_equal(st_mesh_measure(read, &report), ST_OK);
        assert_int_equal(report.points + report.components + report.boundary_faces, 0);
        assert_false(report.closed);
        st_mesh_destroy(read);
    }
}

// A format of surfaces gets the boundary of volumes, looking outward.
static void boundary_of_volumes(void **state) {
    (void)state;
    st_mesh mesh = {0};
    said s = {0};
    st_mesh_report report;
    add_points(&mesh, cube, 8);
    add_points(&mesh, (double[]){0.5, 0.5, 2, 2, 0, 0, 9, 9, 9, 2, 1, 0}, 4);
    add(&mesh, ST_HEXAHEDRON, (uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7});
    add(&mesh, ST_PYRAMID, (uint32_t[]){4, 5, 6, 7, 8});   // on top: ⅓
    add(&mesh, ST_PRISM, (uint32_t[]){1, 5, 9, 2, 6, 11}); // beside: ½
    assert_int_equal(st_mesh_measure(&mesh, &report), ST_OK);
    assert_true(fabs(report.quality[ST_PYRAMID].total - 1.0 / 3) < 1e-12);
    assert_true(fabs(report.quality[ST_PRISM].total - 0.5) < 1e-12);
    assert_int_equal(report.boundary_faces, 6 + 5 + 5 - 4);
    st_mesh *read = back(&mesh, "off", &s);
    assert_int_equal(s.count[ST_NOTICE], 1);
    assert_int_equal(st_mesh_measure(read, &report), ST_OK);
    assert_true(report.closed);
    assert_true(fabs(report.enclosed - (1 + 1.0 / 3 + 0.5)) < 1e-12);
    st_mesh_destroy(read);
    st_mesh_free(&mesh);
}

static st_mesh *text_mesh(const char *suffix, const char *text, said *s) {
    FILE *file = fopen(path_of(suffix), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    st_mesh *mesh = NULL;
    st_mesh_load(&mesh, path_of(suffix), listen, s);
    remove(path_of(suffix));
    return mesh;
}

static void measures_of_a_cube(void **state) {
    (void)state;
    st_mesh mesh = {0};
    st_mesh_report r;
    add_points(&mesh, cube, 8);
    add_points(&mesh, (double[]){9, 9, 9}, 1);
    add(&mesh, ST_HEXAHEDRON, (uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7});
    assert_int_equal(st_mesh_measure(&mesh, &r), ST_OK);
    assert_int_equal(r.points, 9);
    assert_int_equal(r.unused, 1);
    assert_int_equal(r.components, 1);
    assert_true(r.high[0] == 9 && r.low[2] == 0);
    const st_element_quality *q = &r.quality[ST_HEXAHEDRON];
    assert_true(fabs(q->total - 1) < 1e-12 && q->best_aspect == 1 && q->worst_aspect == 1);
    assert_int_equal(q->histogram[0], 1);
    assert_int_equal(q->inverted + q->flat, 0);
    assert_int_equal(r.boundary_faces, 6);
    assert_true(fabs(r.boundary_area - 6) < 1e-12);
    st_mesh_free(&mesh);
}

// The regular tetrahedron has the aspect ratio 1; turned over it is inverted; pressed flat it is flat.
static void measures_of_tetrahedra(void **state) {
    (void)state;
    st_mesh mesh = {0};
    st_mesh_report r;
    add_points(&mesh, (double[]){1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1, 0, 0, -1}, 5);
    add(&mesh, ST_TETRAHEDRON, (uint32_t[]){0, 2, 1, 3});
    assert_int_equal(st_mesh_measure(&mesh, &r), ST_OK);
    const st_element_quality *q = &r.quality[ST_TETRAHEDRON];
    assert_true(fabs(fabs(q->total) - 8.0 / 3) < 1e-6 && fabs(q->worst_aspect - 1) < 1e-6);
    const size_t inverted = q->total < 0;
    assert_int_equal(q->inverted, inverted);
    add(&mesh, ST_TETRAHEDRON, (uint32_t[]){0, 1, 2, 3});
    add(&mesh, ST_TETRAHEDRON, (uint32_t[]){1, 2, 4, 4});
    assert_int_equal(st_mesh_measure(&mesh, &r), ST_OK);
    assert_int_equal(q->inverted, 1);
    assert_int_equal(q->flat, 1);
    assert_true(isinf(q->worst_aspect) && q->worst == 2 && isfinite(q->mean_aspect));
    assert_int_equal(q->histogram[ST_ASPECT_BINS - 1], 1);
    st_mesh_free(&mesh);
}

// A hexahedron with one corner pushed through the opposite one has a positive volume, and is inverted.
static void corner_of_a_hexahedron(void **state) {
    (void)state;
    st_mesh mesh = {0};
    st_mesh_report r;
    add_points(&mesh, cube, 8);
    for (int i = 0; i < 3; i++) mesh.position.data[18 + i] = (st_real)0.2;
    add(&mesh, ST_HEXAHEDRON, (uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7});
    assert_int_equal(st_mesh_measure(&mesh, &r), ST_OK);
    assert_true(r.quality[ST_HEXAHEDRON].total > 0);
    assert_int_equal(r.quality[ST_HEXAHEDRON].inverted, 1);
    st_mesh_free(&mesh);
}

static void measures_of_surfaces(void **state) {
    (void)state;
    said s = {0};
    st_mesh_report r;
    // equilateral
    st_mesh *mesh = text_mesh("obj", "v 0 0 0\nv 2 0 0\nv 1 1.7320508075688772 0\nf 1 2 3\n", &s);
    assert_int_equal(st_mesh_measure(mesh, &r), ST_OK);
    assert_true(fabs(r.quality[ST_TRIANGLE].worst_aspect - 1) < 1e-6);
    assert_int_equal(r.boundary_edges, 3);
    assert_false(r.closed);
    st_mesh_destroy(mesh);
    // a closed box of quads around a volume of 1, then with one face turned over
    static const char box[] =
        "OFF\n8 6 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n4 0 3 2 1\n4 4 5 6 7\n"
        "4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n";
    char text[512];
    snprintf(text, sizeof text, "%s4 3 0 4 7\n", box);
    mesh = text_mesh("off", text, &s);
    assert_int_equal(st_mesh_measure(mesh, &r), ST_OK);
    assert_true(r.closed && fabs(r.enclosed - 1) < 1e-12);
    st_mesh_destroy(mesh);
    snprintf(text, sizeof text, "%s4 7 4 0 3\n", box);
    mesh = text_mesh("off", text, &s);
    assert_int_equal(st_mesh_measure(mesh, &r), ST_OK);
    assert_false(r.closed);
    assert_int_equal(r.boundary_edges, 0);
    st_mesh_destroy(mesh);
}

static void files_that_fail(void **state) {
    (void)state;
    said s = {0};
    st_mesh *mesh = (st_mesh *)(uintptr_t)1;
    assert_int_equal(st_mesh_load(&mesh, "nowhere.msh", listen, &s), ST_NOT_FOUND);
    assert_null(mesh);
    assert_int_equal(st_mesh_load(&mesh, "nowhere.doc", listen, &s), ST_INVALID);
    assert_int_equal(st_mesh_load(&mesh, "nowhere.msh", NULL, NULL), ST_NOT_FOUND);
    s = (said){0};
    assert_null(text_mesh("off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 nan\n3 0 1 2\n", &s));
    assert_non_null(strstr(s.text, "mesh_files.off:5:"));
    st_mesh empty = {0};
    assert_int_equal(st_mesh_save(&empty, "/nowhere/mesh.vtu", listen, &s), ST_FAILED);
    assert_int_equal(st_mesh_save(&empty, path_of("doc"), listen, &s), ST_INVALID);
}

static void formats_are_listed(void **state) {
    (void)state;
    st_mesh_format format;
    size_t count = 0, written = 0;
    for (; st_describe_mesh_format(count, &format); count++) {
        assert_true(format.reads);
        written += format.writes;
        for (size_t k = 0; k < count; k++) {
            st_mesh_format other;
            assert_true(st_describe_mesh_format(k, &other));
            assert_string_not_equal(format.suffix, other.suffix);
        }
    }
    assert_int_equal(written, 6);
    assert_int_equal(count, 14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_meshes_come_back), cmocka_unit_test(surfaces_come_back),
        cmocka_unit_test(triangles_come_back),    cmocka_unit_test(empty_meshes_come_back),
        cmocka_unit_test(boundary_of_volumes),    cmocka_unit_test(measures_of_a_cube),
        cmocka_unit_test(measures_of_tetrahedra), cmocka_unit_test(corner_of_a_hexahedron),
        cmocka_unit_test(measures_of_surfaces),   cmocka_unit_test(files_that_fail),
        cmocka_unit_test(formats_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
