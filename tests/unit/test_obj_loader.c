// Loaders of OBJ and sphere files: what they make of good files, and what they say of bad ones.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/array.h"
#include "io/mesh_loader.h"
#include "scene/scene.h"

extern const st_class st_mesh_obj_loader_class, st_sphere_loader_class;

// ---------------------------------------------------------------------------------------------------
// A folder for files, and scenes that read them
// ---------------------------------------------------------------------------------------------------

static char folder[] = "/tmp/settee-obj-XXXXXX";
static char messages[4096];

static int make_folder(void **unused) {
    (void)unused;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused) {
    (void)unused;
    char path[64];
    snprintf(path, sizeof path, "%s/mesh", folder);
    unlink(path);
    return rmdir(folder);
}

static void write_bytes(const char *bytes, size_t length) {
    char path[64];
    snprintf(path, sizeof path, "%s/mesh", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static void keep_message(void *user, const st_diagnostic *diagnostic) {
    (void)user;
    if (diagnostic->severity < ST_WARNING) return;
    const size_t used = strlen(messages);
    snprintf(messages + used, sizeof messages - used, "%s\n", diagnostic->text);
}

static st_scene *load(const char *type, const char *attributes, const char *text) {
    static const st_class *const needed[] = {&st_mesh_obj_loader_class, &st_sphere_loader_class};
    st_config config = st_default_config();
    config.log = keep_message;
    messages[0] = '\0';
    if (text) write_bytes(text, strlen(text));
    st_scene *scene = st_scene_create(&config);
    assert_non_null(scene);
    for (size_t i = 0; i < 2; i++)
        if (!st_registry_find(scene, needed[i]->name)) assert_int_equal(st_register_class(scene, needed[i]), ST_OK);
    char *xml = st_string_format("<Node name=\"root\"><DefaultAnimationLoop/><%s name=\"l\" %s %s/></Node>", type,
                                 strstr(attributes, "filename") ? "" : "filename=\"mesh\"", attributes);
    assert_true(st_succeeded(st_scene_load_text(scene, xml, strlen(xml), folder)));
    st_free(xml);
    return scene;
}

static void check_field(st_scene *scene, const char *field, const char *expected) {
    char *text = st_object_get(st_scene_find(scene, "/l"), field, 6);
    assert_non_null(text);
    if (strcmp(text, expected) != 0) fail_msg("%s is \"%s\", expected \"%s\"; %s", field, text, expected, messages);
    st_string_free(text);
}

// The same for numbers that are computed.
static void check_reals(st_scene *scene, const char *field, const char *expected) {
    char *text = st_object_get(st_scene_find(scene, "/l"), field, 9), *a = text, *b = (char *)expected;
    assert_non_null(text);
    for (char *next_a, *next_b;; a = next_a, b = next_b) {
        const double x = strtod(a, &next_a), y = strtod(b, &next_b);
        if ((next_a == a) != (next_b == b) || fabs(x - y) > 1e-5)
            fail_msg("%s is \"%s\", expected \"%s\"", field, text, expected);
        if (next_a == a) break;
    }
    st_string_free(text);
}

static bool is_valid(st_scene *scene) { return st_is_valid(st_scene_find(scene, "/l")); }

// ---------------------------------------------------------------------------------------------------
// Faces
// ---------------------------------------------------------------------------------------------------

static const char *const square = "# a comment\n"
                                  "v 0 0 0\n"
                                  "v 1 0 0\n"
                                  "v 1 1 0 0.5\n"
                                  "v 0 1 0\r\n"
                                  "v 5 5 5\n"
                                  "f 1 2 3 4\n";

static void test_quad(void **unused) {
    (void)unused;
    st_scene *scene = load("MeshOBJLoader", "", square);
    check_field(scene, "position", "0 0 0 1 0 0 1 1 0 0 1 0 5 5 5");
    check_field(scene, "quads", "0 1 2 3");
    check_field(scene, "triangles", "");
    check_field(scene, "normals", "0 0 1 0 0 1 0 0 1 0 0 1 0 0 0");
    assert_string_equal(messages, "");
    st_scene_destroy(scene);
}

static void test_options(void **unused) {
    (void)unused;
    st_scene *scene =
        load("MeshOBJLoader", "triangulate=\"1\" createSubelements=\"1\" onlyAttachedPoints=\"1\"", square);
    check_field(scene, "quads", "");
    check_field(scene, "triangles", "0 1 2 0 2 3");
    check_field(scene, "edges", "1 2 2 0 0 1 2 3 3 0");
    check_field(scene, "position", "0 0 0 1 0 0 1 1 0 0 1 0");
    st_scene_destroy(scene);
    scene = load("MeshOBJLoader", "flipNormals=\"1\" createSubelements=\"1\"", square);
    check_field(scene, "quads", "3 2 1 0");
    check_field(scene, "edges", "2 1 1 0 0 3 3 2");
    st_scene_destroy(scene);
}

static void test_polygons_lines_and_negative_numbers(void **unused) {
    (void)unused;
    st_scene *scene = load("MeshOBJLoader", "",
                           "v 0 0 0\nv 1 0 0\nv 2 1 0\nf -3 -2 -1\nv 1 2 0\nv 0 1 0\n"
                           "f 1 2 3 4 5\nl 5 2\nf 3 1\nl 1 2 3\nf 1\no name\ns off\n");
    check_field(scene, "triangles", "0 1 2 0 1 2 0 2 3 0 3 4 0 1 2");
    check_field(scene, "edges", "1 4 0 2");
    check_field(scene, "quads", "");
    assert_string_equal(messages, "");
    st_scene_destroy(scene);
}

static void test_groups(void **unused) {
    (void)unused;
    st_scene *scene = load("MeshOBJLoader", "",
                           "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng left side\nusemtl red\nf 1 2 3\n"
                           "f 1 2 3 4\nf 2 3 4\ng right\nf 1 3 4\n");
    check_field(scene, "trianglesGroups", "left side red 0 2\nright red 2 1");
    check_field(scene, "quadsGroups", "left side red 0 1");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Seams
// ---------------------------------------------------------------------------------------------------

// Point 1 is used with two texture coordinates, point 2 with two normals; point 5 by no face.
static const char *const seams = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\n"
                                 "vt 0 0\nvt 1 0\nvt 1 1\nvt 0.5\n"
                                 "vn 0 0 1\nvn 0 1 0\n"
                                 "f 1/4/1 2/2/2 3/3/1\n"
                                 "f 1/1/1 2/2/1 4/3/1\n";

static void test_seams(void **unused) {
    (void)unused;
    st_scene *scene = load("MeshOBJLoader", "handleSeams=\"1\"", seams);
    check_field(scene, "vertPosIdx", "0 0 1 1 2 3");
    check_field(scene, "vertNormIdx", "0 0 1 2 3 4");
    check_field(scene, "position", "0 0 0 0 0 0 1 0 0 1 0 0 1 1 0 0 1 0");
    check_field(scene, "texcoords", "0 0 0.5 0 1 0 1 0 1 1 1 1");
    check_field(scene, "normals", "0 0 1 0 0 1 0 0 1 0 1 0 0 0 1 0 0 1");
    check_field(scene, "triangles", "1 3 4 0 2 5");
    check_field(scene, "positionsDefinition", "0 0 0 1 0 0 1 1 0 0 1 0 9 9 9");
    st_scene_destroy(scene);
}

static void test_without_seams(void **unused) {
    (void)unused;
    st_scene *scene = load("MeshOBJLoader", "onlyAttachedPoints=\"1\"", seams);
    check_field(scene, "vertPosIdx", "");
    check_field(scene, "position", "0 0 0 1 0 0 1 1 0 0 1 0");
    check_field(scene, "texcoords", "0.5 0 1 0 1 1 1 1");
    check_reals(scene, "normals", "0 0 1 0 0.707107 0.707107 0 0 1 0 0 1");
    check_field(scene, "faceList", "0 1 2 -1 0 1 3 -1");
    check_field(scene, "normalsIndex", "0 1 0 -1 0 0 0 -1");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Transformation
// ---------------------------------------------------------------------------------------------------

// Scale, then turn, then move; a short-hand goes through single precision.
static void test_transformation(void **unused) {
    (void)unused;
    static const char *const one = "v 1 2 3\n";
    st_scene *scene = load("MeshOBJLoader", "scale3d=\"1 2 3\" rotation=\"0 0 90\" translation=\"10 0 0\"", one);
    check_reals(scene, "position", "6 1 9");
    st_scene_destroy(scene);
    scene = load("MeshOBJLoader", "rotation=\"90 90 0\"", one); // about x: (1, -3, 2); then about y: (2, -3, -1)
    check_reals(scene, "position", "2 -3 -1");
    st_scene_destroy(scene);
    scene = load("MeshOBJLoader", "scale=\"0.1\" scale3d=\"2 1 1\"", one);
    const st_mesh_loader *loader = (const st_mesh_loader *)st_scene_find(scene, "/l");
    assert_float_equal((double)loader->position.data[0], (double)(0.1f * 2), 0);
    assert_float_equal((double)loader->position.data[1], (double)(0.1f * 2), 0);
    st_scene_destroy(scene);
    scene = load("MeshOBJLoader", "transformation=\"0 1 0 5  1 0 0 6  0 0 1 7  0 0 0 1\" scale=\"9\"", one);
    check_reals(scene, "position", "7 7 10");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Bad files
// ---------------------------------------------------------------------------------------------------

static void test_bad_lines(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *why, *triangles;
    } cases[] = {
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 3\nf 1 2 9\n", "mesh:6: the face uses point 9, but there are only 3",
         "0 1 2"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 0 1 2\n", "mesh:5: \"0\" is not a corner", "0 1 2"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 x\n", "mesh:5: \"x\" is not a corner", "0 1 2"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf -9 2 1\n", "mesh:5: \"-9\" is not a corner", "0 1 2"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 99999999999999999999 2 1\n", "mesh:5:", "0 1 2"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/7 2 3\n", "mesh:4: the face uses texture coordinate 7", "0 1 2"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//7 2 3\n", "mesh:4: the face uses normal 7", "0 1 2"},
        {"v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n", "mesh:2: 3 finite numbers are expected: \"nan 0 0\"", "0 1 2"},
        {"v 0 0 0\nv 1e999 0 0\nv 0 1 0\nf 1 2 3\n", "mesh:2:", "0 1 2"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nv 1 2", "mesh:5: 3 finite numbers", "0 1 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        st_scene *scene = load("MeshOBJLoader", "", cases[i].text);
        if (!strstr(messages, cases[i].why)) fail_msg("case %zu: %s", i, messages);
        assert_true(st_scene_message_count(scene, ST_ERROR) > 0);
        check_field(scene, "triangles", cases[i].triangles);
        st_scene_destroy(scene);
    }
}

static void test_useless_files(void **unused) {
    (void)unused;
    static const struct {
        const char *attributes, *text, *why;
    } cases[] = {
        {"filename=\"\"", NULL, "no file name"},
        {"filename=\"nothing.obj\"", NULL, "file not found: \"nothing.obj\""},
        {"filename=\"/tmp\"", NULL, "folder"},
        {"filename=\"/dev/null\"", NULL, "not a regular file"},
        {"", "", "the file is empty"},
        {"", "\n \n", "the file is empty"},
        {"", "nothing here\n", "is this an OBJ file?"},
        {"scale=\"1e30\" scale3d=\"1e300 1 1\"", "v 1e300 0 0\n", "not finite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        st_scene *scene = load("MeshOBJLoader", cases[i].attributes, cases[i].text);
        if (!strstr(messages, cases[i].why)) fail_msg("case %zu: %s", i, messages);
        assert_false(is_valid(scene));
        check_field(scene, "position", "");
        st_scene_destroy(scene);
    }
}

static void test_binary(void **unused) {
    (void)unused;
    static const char bytes[] = "v 0 0 0\n\0\xff\xfe\x1b[2Jv\nf \x1b[31m 1 2\nv";
    write_bytes(bytes, sizeof bytes - 1);
    st_scene *scene = load("MeshOBJLoader", "", NULL);
    assert_null(strchr(messages, '\x1b'));
    assert_non_null(strstr(messages, "mesh:3:"));
    check_field(scene, "position", "0 0 0 0 0 0");
    st_scene_destroy(scene);
}

// Thousands of bad lines are a few messages.
static void test_many_problems(void **unused) {
    (void)unused;
    enum { LINES = 5000 };
    char *text = calloc(LINES * 2 + 20, 1);
    strcpy(text, "v 0 0 0\n");
    for (int i = 0; i < LINES; i++) strcpy(text + 8 + 2 * i, "v\n");
    st_scene *scene = load("MeshOBJLoader", "", text);
    assert_int_equal(st_scene_message_count(scene, ST_ERROR), 10);
    assert_non_null(strstr(messages, "4990 more"));
    free(text);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Volumes, which other loaders bring: faces and edges in the order of loaders
// ---------------------------------------------------------------------------------------------------

static void check_list(const st_uints *list, size_t size, const char *expected) {
    char text[1024] = "";
    for (size_t i = 0; i < list->count * size; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u",
                 i == 0     ? ""
                 : i % size ? " "
                            : ", ",
                 list->data[i]);
    assert_string_equal(text, expected);
}

static void test_subelements(void **unused) {
    (void)unused;
    st_uints elements[ST_ELEMENT_KINDS] = {0};
    static const uint32_t tetra[4] = {22, 2, 11, 25}, given[3] = {25, 11, 2};
    for (int i = 0; i < 4; i++) st_list_push(&elements[ST_TETRAHEDRON], tetra[i]);
    elements[ST_TETRAHEDRON].count = 1;
    assert_true(st_mesh_create_subelements(elements));
    check_list(&elements[ST_TRIANGLE], 3, "22 11 2, 22 2 25, 22 25 11, 2 11 25");
    check_list(&elements[ST_EDGE], 2, "11 2, 2 22, 22 11, 2 25, 25 22, 25 11");
    for (int kind = ST_EDGE; kind <= ST_TRIANGLE; kind++) st_list_free(&elements[kind]);
    // an element that is there keeps its place and direction
    for (int i = 0; i < 3; i++) st_list_push(&elements[ST_TRIANGLE], given[i]);
    elements[ST_TRIANGLE].count = 1;
    assert_true(st_mesh_create_subelements(elements));
    check_list(&elements[ST_TRIANGLE], 3, "25 11 2, 22 11 2, 22 2 25, 22 25 11");
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) st_list_free(&elements[kind]);

    for (uint32_t i = 0; i < 8; i++) st_list_push(&elements[ST_HEXAHEDRON], i);
    elements[ST_HEXAHEDRON].count = 1;
    assert_true(st_mesh_create_subelements(elements));
    check_list(&elements[ST_QUAD], 4, "0 3 2 1, 4 5 6 7, 0 1 5 4, 1 2 6 5, 2 3 7 6, 3 0 4 7");
    assert_int_equal(elements[ST_EDGE].count, 12);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) st_list_free(&elements[kind]);
}

// ---------------------------------------------------------------------------------------------------
// Spheres
// ---------------------------------------------------------------------------------------------------

static void test_spheres(void **unused) {
    (void)unused;
    static const char *const text = "sph 1.0\n# two\nnums 2000000000\nsphe 1 1 2 3 0.5\nsphe 7 0 1 0 2\n";
    st_scene *scene = load("SphereLoader", "scale=\"2 1 1\" rotation=\"0 0 90\" translation=\"0 0 1\"", text);
    check_reals(scene, "position", "-2 2 4 -1 0 1");
    check_field(scene, "listRadius", "0.5 2");
    assert_string_equal(messages, "");
    st_scene_destroy(scene);
}

static void test_bad_spheres(void **unused) {
    (void)unused;
    st_scene *scene = load("SphereLoader", "", "sph 1.0\nball 1 2 3\nsphe 1 1 2\nsphe 2 1 2 3 4\nsphe 3 1 inf 3 4\n");
    check_field(scene, "position", "1 2 3");
    assert_non_null(strstr(messages, "mesh:2: \"ball\" is not a known word"));
    assert_non_null(strstr(messages, "mesh:3: \"sphe index"));
    assert_non_null(strstr(messages, "mesh:5: \"sphe index"));
    st_scene_destroy(scene);
    scene = load("SphereLoader", "filename=\"nothing.sph\"", NULL);
    assert_false(is_valid(scene));
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quad),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_polygons_lines_and_negative_numbers),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_seams),
        cmocka_unit_test(test_without_seams),
        cmocka_unit_test(test_transformation),
        cmocka_unit_test(test_bad_lines),
        cmocka_unit_test(test_useless_files),
        cmocka_unit_test(test_binary),
        cmocka_unit_test(test_many_problems),
        cmocka_unit_test(test_subelements),
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_bad_spheres),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
