// GIDMeshLoader: meshes of one kind of element from GID files.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"

static void reads_elements_of_one_kind(void **state) {
    (void)state;
    static const char file[] = "MESH \"part\" dimension 3 ElemType Tetrahedra Nnode 10\nCoordinates\n"
                               "11 0 0 0\n12 1 0 0\n13 0 1 0\n14 0 0 1\nEnd Coordinates\n\nElements\n"
                               "1 4 3 2 1 1 1 1 1 1 1\nend elements\n";
    physics_scene *test = loader_read("GIDMeshLoader", "a.gid", TEXT(file), "");
    loader_counts(test, (size_t[6]){4, 0, 0, 0, 1, 0});
    loader_first(test, ST_TETRAHEDRON, (uint32_t[]){3, 2, 1, 0}, 1);
    assert_int_equal(test->count[ST_WARNING], 1);
    physics_free(test);
    static const char flat[] = "MESH dimension 2 ElemType Linear Nnode 2\ncoordinates\n1 5 6\n2 7 8\nend coordinates\n"
                               "elements\n1 1 2\nend elements\n";
    test = loader_read("GIDMeshLoader", "a.gid", TEXT(flat), "");
    loader_counts(test, (size_t[6]){2, 1, 0, 0, 0, 0});
    assert_reals(loader_of(test)->position.data + 3, 3, (st_real[]){7, 8, 0}, 0);
    physics_free(test);
#define GID "MESH dimension 3 ElemType Triangle Nnode 3\n"
    static const broken_file broken[] = {
        {"mash\n", "1:", "MESH"},
        {"MESH dimension 3 ElemType Sphere Nnode 1\n", "1:", "Sphere"},
        {"MESH dimension 3 ElemType Hexahedra Nnode 4\n", "1:", "enough nodes"},
        {GID "1 0 0 0\n", "3:", "coordinates is expected"},
        {GID "coordinates\n1 0 0\nend coordinates\n", "3:", "id x y z"},
        {GID "coordinates\n1 0 0 nan\nend coordinates\n", "3:", "nan"},
        {GID "coordinates\n1 0 0 0\n", "4:", "end coordinates"},
        {GID "coordinates\n1 0 0 0\nend coordinates\nelements\n1 1 1 2\nend elements\n", "6:", "point 2"},
        {GID "coordinates\n1 0 0 0\nend coordinates\nelements\n1 1 1 0\nend elements\n", "6:", "point 0"},
        {GID "coordinates\n1 0 0 0\nend coordinates\nelements\n1 1 1\n1 1\n", "6:", "node 3 of 3"},
    };
    REFUSE_ALL("GIDMeshLoader", "broken.gid", broken);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_elements_of_one_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
