// MeshSTLLoader: text and binary files, equal corners become one point, and broken files are refused.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"

#define FACET(a, b, c)                                                                                                 \
    "facet normal 0 0 nan\n outer loop\n  vertex " a "\n  vertex " b "\n  vertex " c "\n endloop\nendfacet\n"

static const char square[] =
    "solid a square\n" FACET("0 0 0", "1 0 0", "1 1 0.1") FACET("-0 0 0", "1 1 0.1", "0 1 0") "endsolid a square\n";

static void text_file(void **state) {
    (void)state;
    physics_scene *test = loader_read("MeshSTLLoader", "a.stl", TEXT(square), "");
    loader_counts(test, (size_t[6]){4, 0, 2, 0, 0, 0});
    loader_first(test, ST_TRIANGLE, (uint32_t[]){0, 1, 2, 0, 2, 3}, 2);
    assert_near(loader_of(test)->position.data[8], (st_real)0.1, 0); // in double precision
    assert_int_equal(loader_of(test)->normals.count, 4);
    physics_free(test);
    test = loader_read("MeshSTLLoader", "a.stl", TEXT(square), "flipNormals='1'");
    loader_first(test, ST_TRIANGLE, (uint32_t[]){2, 1, 0, 3, 2, 0}, 2);
    physics_free(test);
}

static void the_end_may_be_two_words(void **state) {
    (void)state;
    static const char file[] = "solid\n" FACET("0 0 0", "1 0 0", "1 1 0") "end solid a name\n";
    physics_scene *test = loader_read("MeshSTLLoader", "a.stl", TEXT(file), "");
    loader_counts(test, (size_t[6]){3, 0, 1, 0, 0, 0});
    assert_string_equal(test->log, "");
    physics_free(test);
}

static void text_keeps_flat_triangles(void **state) {
    (void)state;
    static const char file[] = "solid\n" FACET("0 0 0", "0 0 0", "1 1 0") "endsolid\n";
    physics_scene *test = loader_read("MeshSTLLoader", "a.stl", TEXT(file), "");
    loader_counts(test, (size_t[6]){2, 0, 1, 0, 0, 0});
    physics_free(test);
}

// A tetrahedron has as many facets as points: its normals still belong to the points.
static void normals_are_those_of_points(void **state) {
    (void)state;
    static const char file[] = "solid\n" FACET("0 0 0", "0 1 0", "1 0 0") FACET("0 0 0", "1 0 0", "0 0 1")
        FACET("0 0 0", "0 0 1", "0 1 0") FACET("1 0 0", "0 1 0", "0 0 1") "endsolid\n";
    physics_scene *test = loader_read("MeshSTLLoader", "a.stl", TEXT(file), "");
    loader_counts(test, (size_t[6]){4, 0, 4, 0, 0, 0});
    const st_real n = -1 / sqrt((st_real)3);
    assert_reals(loader_of(test)->normals.data, 3, (st_real[]){n, n, n}, 10 * ST_REAL_EPSILON);
    physics_free(test);
}

// Binary files with two triangles, the second one with given corners.
static size_t make_binary(unsigned char *file, size_t header, uint32_t count, const float second[9]) {
    static const float first[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0.1f};
    memset(file, 0, 512);
    memcpy(file, "solid or not", 12);
    memcpy(file + header, &count, 4);
    memcpy(file + header + 4, first, sizeof first);
    memcpy(file + header + 4 + 50 + 12, second, 36);
    return header + 4 + 100;
}

static const float neighbor[9] = {0, 0, 0, 1, 1, 0.1f, 0, 1, 0};

static void binary_file(void **state) {
    (void)state;
    unsigned char file[512];
    for (size_t header = 80; header < 130; header += 40) {
        char attributes[60];
        snprintf(attributes, sizeof attributes, "headerSize='%zu'", header);
        const size_t size = make_binary(file, header, 2, neighbor);
        physics_scene *test = loader_read("MeshSTLLoader", "b.stl", file, size, attributes);
        loader_counts(test, (size_t[6]){4, 0, 2, 0, 0, 0});
        loader_first(test, ST_TRIANGLE, (uint32_t[]){0, 1, 2, 0, 2, 3}, 2);
        assert_near(loader_of(test)->position.data[8], (st_real)0.1f, 0); // in single precision
        physics_free(test);
    }
}

static void binary_drops_flat_triangles(void **state) {
    (void)state;
    unsigned char file[512];
    const float flat[9] = {5, 0, 0, 5, 0, 0, 0, 1, 0};
    physics_scene *test =
        loader_read("MeshSTLLoader", "b.stl", file, make_binary(file, 80, 2, flat), "forceBinary='1'");
    loader_counts(test, (size_t[6]){5, 0, 1, 0, 0, 0});
    assert_int_equal(test->count[ST_WARNING], 1);
    physics_free(test);
}

static void broken_text(void **state) {
    (void)state;
    static const struct {
        const char *content, *place, *what;
    } broken[] = {
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nvertex 1 0 0\n", "5:", "coordinate"},
        {"solid\nvertex 0 0 inf\n", "2:", "\"inf\""},
        {"solid\nvertex 0 0 0\nvertex 0 0 0\nendloop\n", "4:", "2 vertices"},
        {"solid\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\n", "5:", "more than 3"},
        {"solid\nvertex 0 0 0\n", "3:", "the rest of a facet"},
        {"solid\nnonsense\n", "2:", "nonsense"},
        {"solid\nfacet normal 0\n", "3:", "normal"},
        {"garbage", " byte 0", "bytes"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        loader_refuses("MeshSTLLoader", "broken.stl", TEXT(broken[i].content), broken[i].place, broken[i].what);
}

static void broken_binary(void **state) {
    (void)state;
    unsigned char file[512];
    size_t size = make_binary(file, 80, 2, neighbor);
    file[0] = 'x';
    loader_refuses("MeshSTLLoader", "broken.stl", file, size - 1, " byte 80", "2 triangles has 184 bytes");
    loader_refuses("MeshSTLLoader", "broken.stl", file, size + 1, " byte 80", "but this one has 185");
    size = make_binary(file, 80, UINT32_MAX, neighbor);
    file[0] = 'x';
    loader_refuses("MeshSTLLoader", "broken.stl", file, size, " byte 80", "4294967295 triangles");
    const float wrong[9] = {0, 0, 0, 1, NAN, 0, 0, 1, 0};
    size = make_binary(file, 80, 2, wrong);
    file[0] = 'x';
    loader_refuses("MeshSTLLoader", "broken.stl", file, size, " byte 158", "not finite");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_file),
        cmocka_unit_test(the_end_may_be_two_words),
        cmocka_unit_test(text_keeps_flat_triangles),
        cmocka_unit_test(normals_are_those_of_points),
        cmocka_unit_test(binary_file),
        cmocka_unit_test(binary_drops_flat_triangles),
        cmocka_unit_test(broken_text),
        cmocka_unit_test(broken_binary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
