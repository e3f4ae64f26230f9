// MeshGmshLoader: all formats give the same mesh, real meshes have the right elements in the right order, and broken
// files are refused with the place of the error.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"

static const char format1[] = "$NOD\n5\n1 0 0 0\n2 1 0 0\n4 0 1 0\n7 0 0 1\n9 1 1 1.5e0\n$ENDNOD\n"
                              "$ELM\n3\n1 4 1 1 4 1 2 4 7\n2 4 1 1 4 2 4 7 9\n3 2 1 2 3 1 2 4\n$ENDELM\n";
static const char format2[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n"
    "$Nodes\n5\n9 0 0 0\n7 1 0 0\n1000000 0 1 0\n5 0 0 1\n1 1 1 1.5\n$EndNodes\n"
    "$Elements\n3\n1 4 2 1 1 9 7 1000000 5\n2 4 0 7 1000000 5 1\n3 2 3 1 1 2 9 7 1000000\n"
    "$EndElements\n";
static const char format4[] = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n$EndEntities\n"
                              "$Nodes\n2 5 1 5\n2 1 0 3\n3\n1\n2\n0 0 0\n1 0 0\n0 1 0\n3 1 1 2\n5\n4\n"
                              "0 0 1 0.1 0.2 0.3\n1 1 1.5 0 0 0\n$EndNodes\n"
                              "$Elements\n2 3 1 3\n3 1 4 2\n1 3 1 2 5\n2 1 2 5 4\n2 7 2 1\n3 3 1 2\n$EndElements\n";

static void check_two_tetrahedra(physics_scene *test) {
    static const uint32_t tetrahedra[] = {0, 1, 2, 3, 1, 2, 3, 4}, triangle[] = {0, 1, 2};
    loader_counts(test, (size_t[6]){5, 0, 1, 0, 2, 0});
    loader_first(test, ST_TETRAHEDRON, tetrahedra, 2);
    loader_first(test, ST_TRIANGLE, triangle, 1);
    const st_real last[] = {1, 1, 1.5};
    assert_reals(loader_of(test)->position.data + 12, 3, last, 0);
}

// Numbers of nodes have holes and any order; those of format 2 are far apart.
static void all_formats_give_the_same_mesh(void **state) {
    (void)state;
    static const char *const files[] = {format1, format2, format4};
    for (int i = 0; i < 3; i++) {
        physics_scene *test = loader_read("MeshGmshLoader", "a.msh", TEXT(files[i]), "createSubelements='0'");
        check_two_tetrahedra(test);
        assert_int_equal(test->count[ST_ERROR] + test->count[ST_WARNING], 0);
        physics_free(test);
    }
}

static void faces_and_edges_are_made_unless_told_otherwise(void **state) {
    (void)state;
    physics_scene *test = loader_read("MeshGmshLoader", "a.msh", TEXT(format1), "");
    loader_counts(test, (size_t[6]){5, 9, 7, 0, 2, 0});
    loader_first(test, ST_TRIANGLE, (uint32_t[]){0, 1, 2, 0, 1, 3, 0, 3, 2, 1, 2, 3}, 4); // the file's first
    loader_first(test, ST_EDGE, (uint32_t[]){1, 2, 2, 0, 0, 1}, 3);
    physics_free(test);
}

static void groups_are_runs_of_the_last_tag(void **state) {
    (void)state;
    physics_scene *test = loader_read("MeshGmshLoader", "a.msh", TEXT(format1), "createSubelements='0'");
    assert_int_equal(loader_of(test)->groups[ST_TETRAHEDRON].count, 1);
    assert_string_equal(loader_of(test)->groups[ST_TETRAHEDRON].data[0], "1 default 0 2");
    assert_string_equal(loader_of(test)->groups[ST_TRIANGLE].data[0], "2 default 0 1");
    physics_free(test);
}

// Corners are kept; each side is an edge once, with the point in its middle.
static void quadratic_elements(void **state) {
    (void)state;
    static const char file[] = "$MeshFormat\n2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 .5 0 0\n"
                               "5 .5 .5 0\n6 0 .5 0\n$EndNodes\n$Elements\n3\n1 8 2 0 0 1 2 4\n2 9 2 0 0 1 2 3 4 5 6\n"
                               "3 15 2 0 0 1\n$EndElements\n";
    physics_scene *test = loader_read("MeshGmshLoader", "a.msh", TEXT(file), "");
    loader_counts(test, (size_t[6]){6, 3, 1, 0, 0, 0});
    static const uint32_t edges[] = {0, 1, 1, 2, 2, 0}, middles[] = {3, 0, 1, 1, 4, 1, 1, 1, 5, 2, 1, 1};
    loader_first(test, ST_EDGE, edges, 3);
    assert_indices(&loader_of(test)->high_order[0], 4, 3, middles);
    physics_free(test);
    test = loader_read("MeshGmshLoader", "a.msh", TEXT(file), "onlyAttachedPoints='1'");
    loader_counts(test, (size_t[6]){3, 3, 1, 0, 0, 0});
    assert_int_equal(loader_of(test)->high_order[0].count, 0);
    physics_free(test);
}

static void unknown_elements_are_left_out(void **state) {
    (void)state;
    static const char file[] = "$NOD\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$ENDNOD\n$ELM\n3\n1 2 0 0 3 1 2 3\n"
                               "2 93 0 0 2 1 2\n3 1 0 0 2 3 1\n$ENDELM\n";
    physics_scene *test = loader_read("MeshGmshLoader", "a.msh", TEXT(file), "createSubelements='0'");
    loader_counts(test, (size_t[6]){3, 1, 1, 0, 0, 0});
    assert_non_null(strstr(test->log, "a.msh:10: elements of type 93"));
    physics_free(test);
}

// A binary file of version 4.1, with its bytes in either order: a block of nodes on a surface, with parameters, and one
// in a volume; a tetrahedron and two triangles.
typedef struct bytes {
    unsigned char data[1024];
    size_t length;
    bool swapped;
} bytes;

static void put_words(bytes *b, const char *text) {
    memcpy(b->data + b->length, text, strlen(text));
    b->length += strlen(text);
}

static void put_value(bytes *b, const void *value, size_t size) {
    const unsigned char *from = value;
    for (size_t i = 0; i < size; i++) b->data[b->length++] = from[b->swapped ? size - 1 - i : i];
}

static void put_ints(bytes *b, const int32_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) put_value(b, &values[i], sizeof values[i]);
}

static void put_sizes(bytes *b, const uint64_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) put_value(b, &values[i], sizeof values[i]);
}

static void put_doubles(bytes *b, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) put_value(b, &values[i], sizeof values[i]);
}

static void make_binary(bytes *b, bool swapped) {
    *b = (bytes){.swapped = swapped};
    put_words(b, "$MeshFormat\n4.1 1 8\n");
    put_ints(b, (int32_t[]){1}, 1);
    put_words(b, "\n$EndMeshFormat\n$Nodes\n");
    put_sizes(b, (uint64_t[]){2, 4, 10, 40}, 4);
    put_ints(b, (int32_t[]){2, 1, 1}, 3);
    put_sizes(b, (uint64_t[]){3, 10, 20, 30}, 4);
    put_doubles(b, (double[]){0, 0, 0, 7, 7, 1, 0, 0, 8, 8, 0, 1, 0, 9, 9}, 15);
    put_ints(b, (int32_t[]){3, 1, 0}, 3);
    put_sizes(b, (uint64_t[]){1, 40}, 2);
    put_doubles(b, (double[]){0, 0, 0.5}, 3);
    put_words(b, "\n$EndNodes\n$Elements\n");
    put_sizes(b, (uint64_t[]){2, 3, 1, 3}, 4);
    put_ints(b, (int32_t[]){2, 1, 2}, 3);
    put_sizes(b, (uint64_t[]){2, 1, 10, 20, 30, 2, 10, 30, 40}, 9);
    put_ints(b, (int32_t[]){3, 1, 4}, 3);
    put_sizes(b, (uint64_t[]){1, 3, 10, 20, 30, 40}, 6);
    put_words(b, "\n$EndElements\n");
}

static void binary_files(void **state) {
    (void)state;
    static bytes b;
    for (int swapped = 0; swapped < 2; swapped++) {
        make_binary(&b, swapped != 0);
        physics_scene *test = loader_read("MeshGmshLoader", "a.msh", b.data, b.length, "createSubelements='0'");
        loader_counts(test, (size_t[6]){4, 0, 2, 0, 1, 0});
        loader_first(test, ST_TETRAHEDRON, (uint32_t[]){0, 1, 2, 3}, 1);
        loader_first(test, ST_TRIANGLE, (uint32_t[]){0, 1, 2, 0, 2, 3}, 2);
        assert_near(loader_of(test)->position.data[3], 1, 0);
        assert_near(loader_of(test)->position.data[11], ST_R(0.5), 0);
        physics_free(test);
    }

    // cut anywhere before its end, it is refused
    make_binary(&b, false);
    for (size_t length = 30; length < b.length - sizeof "$EndElements\n"; length++)
        loader_refuses("MeshGmshLoader", "a.msh", b.data, length, "", "");
    static const char old[] = "$MeshFormat\n2.2 1 8\n\1\0\0\0\n$EndMeshFormat\n";
    loader_refuses("MeshGmshLoader", "a.msh", old, sizeof old - 1, "2:", "binary, of version 2.2");
}

static void broken_files(void **state) {
    (void)state;
    static const struct {
        const char *content, *place, *what;
    } broken[] = {
        {"garbage", "1:", "$NOD or $MeshFormat"},
        {"\x7f"
         "ELF\x02\x01\x01",
         "1:", "$NOD"},
        {"$NOD\n", "2:", "number of nodes"},
        {"$NOD\n-3\n1 0 0 0\n$ENDNOD\n", "2:", "\"-3\""},
        {"$NOD\n1000000000000\n1 0 0 0\n2 0 0 0\n", "5:", "node 3 of 1000000000000"},
        {"$NOD\n99999999999999999999999999\n1 0 0 0\n", "4:", "nothing follows"},
        {"$NOD\n2\n1 0 0 0\n2 0 nan 0\n$ENDNOD\n", "4:", "nan"},
        {"$NOD\n2\n1 0 0 0\n2 0 1e999 0\n$ENDNOD\n", "4:", "1e999"},
        {"$NOD\n1\n1 0 0 0\n2 0 0 0\n$ENDNOD\n", "4:", "$ENDNOD"},
        {"$NOD\n1\n1 0 0 0\n$ENDNOD\n", "5:", "there is no $ELM"},
        {"$NOD\n1\n1 0 0 0\n$ENDNOD\n$ELM\n1\n1 1 0 0 2 1 5\n$ENDELM\n", "7:", "node 5"},
        {"$NOD\n1\n1 0 0 0\n$ENDNOD\n$ELM\n1\n1 1 0 0 2 1 -1\n$ENDELM\n", "7:", "node -1"},
        {"$NOD\n1\n1 0 0 0\n$ENDNOD\n$ELM\n1\n1 1 0 0 7 1 1\n$ENDELM\n", "7:", "2 nodes, not 7"},
        {"$NOD\n1\n1 0 0 0\n$ENDNOD\n$ELM\n1\n1 1 0 0 2 1\n$ENDELM\n", "8:", "node 2 of 2"},
        {"$NOD\n1\n1 0 0 0\n$ENDNOD\n$ELM\n888888888888\n1 15 0 0 1 1\n$ENDELM\n", "8:", "$ENDELM"},
        {"$MeshFormat\n2.2 1 8\n$EndMeshFormat\n", "2:", "binary"},
        {"$MeshFormat\n7 0 8\n$EndMeshFormat\n", "2:", "version 7"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "4:", "there is no $Nodes"},
        {"$MeshFormat\n2 0 8\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 2 -5 1 1 1\n", "9:", "number of tags"},
        {"$MeshFormat\n2 0 8\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 2 2000000000 1 1 1\n",
         "10:", "tag 4 of 2000000000"},
        {"$MeshFormat\n4 0 8\n$EndMeshFormat\n$Nodes\n1 1\n1 1 0 1\n1 0 0 0\n", "5:", "4.0"},
        {"$MeshFormat\n4.1 0 8\n$Nodes\n1 1 1 1\n2 1 0 987654321987\n1\n", "7:", "node 2 of 987654321987"},
        {"$MeshFormat\n4.1 0 8\n$Nodes\n1 1 1 1\n2 1 0 2\n1\n2\n0 0 0\n0 0 inf\n", "9:", "node 2"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        loader_refuses("MeshGmshLoader", "broken.msh", TEXT(broken[i].content), broken[i].place, broken[i].what);
}

// Cut anywhere, a file is refused or, where only its end is missing, read.
static void truncated_anywhere(void **state) {
    (void)state;
    static const char *const files[] = {format1, format2, format4};
    for (int i = 0; i < 3; i++)
        for (size_t length = 1; length + 1 < strlen(files[i]); length += 7) {
            physics_scene *test = loader_load("MeshGmshLoader", loader_file("cut.msh", files[i], length), "");
            assert_true(test->count[ST_ERROR] > 0);
            assert_int_equal(loader_of(test)->position.count, 0);
            physics_free(test);
        }
    remove(loader_file("cut.msh", "", 0));
}

// Points, edges, triangles, quads, tetrahedra and hexahedra of SOFA for the same files.
static void real_meshes(void **state) {
    (void)state;
    static const struct {
        const char *name;
        size_t counts[6];
    } meshes[] = {
        {"cube_low_res.msh", {26, 93, 112, 0, 44, 0}},   {"liver.msh", {181, 914, 1330, 0, 596, 0}},
        {"cylinder.msh", {510, 3119, 5040, 0, 2430, 0}}, {"square3.msh", {774, 2223, 1450, 0, 0, 0}},
        {"nine_hexa.msh", {32, 64, 0, 42, 0, 9}},        {"nine_quads.msh", {16, 24, 0, 9, 0, 0}},
    };
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        physics_scene *test = loader_load("MeshGmshLoader", loader_shared(meshes[i].name), "");
        loader_counts(test, meshes[i].counts);
        physics_free(test);
    }
}

static void first_elements_of_real_meshes(void **state) {
    (void)state;
    physics_scene *test = loader_load("MeshGmshLoader", loader_shared("cube_low_res.msh"), "");
    loader_first(test, ST_TETRAHEDRON, (uint32_t[]){22, 2, 11, 25}, 1);
    loader_first(test, ST_TRIANGLE, (uint32_t[]){22, 11, 2, 22, 2, 25, 22, 25, 11, 2, 11, 25}, 4);
    loader_first(test, ST_EDGE, (uint32_t[]){11, 2, 2, 22, 22, 11, 2, 25, 25, 22, 25, 11}, 6);
    physics_free(test);
    test = loader_load("MeshGmshLoader", loader_shared("liver.msh"), "");
    loader_first(test, ST_TETRAHEDRON, (uint32_t[]){127, 140, 137, 141}, 1);
    loader_first(test, ST_TRIANGLE, (uint32_t[]){127, 137, 140, 127, 140, 141}, 2);
    loader_first(test, ST_EDGE, (uint32_t[]){137, 140, 140, 127, 127, 137}, 3);
    physics_free(test);
    test = loader_load("MeshGmshLoader", loader_shared("nine_quads.msh"), "");
    loader_first(test, ST_EDGE, (uint32_t[]){1, 5, 5, 4, 4, 0}, 3);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_formats_give_the_same_mesh),
        cmocka_unit_test(faces_and_edges_are_made_unless_told_otherwise),
        cmocka_unit_test(groups_are_runs_of_the_last_tag),
        cmocka_unit_test(quadratic_elements),
        cmocka_unit_test(unknown_elements_are_left_out),
        cmocka_unit_test(binary_files),
        cmocka_unit_test(broken_files),
        cmocka_unit_test(truncated_anywhere),
        cmocka_unit_test(real_meshes),
        cmocka_unit_test(first_elements_of_real_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
