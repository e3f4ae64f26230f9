// The smaller loaders and the meshes that come from no file: OFF and its sequences, Xsp, Trian, GID, strings, grids,
// voxels; and the choice of a reader by the name of a file.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"

#include "io/mesh_reader.h"

#define TEXT(content) (content), strlen(content)

typedef struct broken_file {
    const char *content, *place, *what;
} broken_file;

static void refuse_all(const char *type, const char *name, const broken_file *broken, size_t count) {
    for (size_t i = 0; i < count; i++)
        loader_refuses(type, name, TEXT(broken[i].content), broken[i].place, broken[i].what);
}
#define REFUSE_ALL(type, name, broken) refuse_all(type, name, broken, sizeof(broken) / sizeof *(broken))

// ---------------------------------------------------------------------------------------------------
// OFF
// ---------------------------------------------------------------------------------------------------

static void off(void **state) {
    (void)state;
    static const char file[] =
        "OFF # points, faces\n# comment\n\n5 3 0\n0 0 0\n1 0 0\n# in between\n1 1 0\n0 1 0\n.5 .5 1\n"
        "4 0 3 2 1 255 0 0\n3 0 1 4\n5 0 1 2 3 4\n";
    physics_scene *test = loader_read("MeshOffLoader", "a.off", TEXT(file), "");
    loader_counts(test, (size_t[6]){5, 0, 1, 1, 0, 0});
    loader_first(test, ST_QUAD, (uint32_t[]){0, 3, 2, 1}, 1);
    loader_first(test, ST_TRIANGLE, (uint32_t[]){0, 1, 4}, 1);
    assert_non_null(strstr(test->log, "a.off:13: a face of 5 corners"));
    physics_free(test);
}

static void broken_off(void **state) {
    (void)state;
    static const broken_file broken[] = {
        {"PLY\n", "1:", "OFF is expected"},
        {"OFF\n3 x\n", "2:", "\"x\""},
        {"OFF\n999999999999 1 0\n0 0 0\n", "4:", "point 2 of 999999999999"},
        {"OFF\n1 1 0\n0 0 nan\n", "3:", "nan"},
        {"OFF\n1 1 0\n0 0 0\n3 0 0 1\n", "4:", "point 1, but there are only 1"},
        {"OFF\n1 1 0\n0 0 0\n3 0 0 -1\n", "4:", "point -1"},
        {"OFF\n1 2 0\n0 0 0\n3 0 0 0\n", "5:", "face 2 of 2"},
        {"OFF\n1 1 0\n0 0 0\n-3 0 0 0\n", "4:", "number of corners"},
    };
    REFUSE_ALL("MeshOffLoader", "broken.off", broken);
}

static void off_sequence(void **state) {
    (void)state;
    char content[64];
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "wave09%d.off", i + 8);
        if (i == 2) snprintf(name, sizeof name, "wave100.off");
        snprintf(content, sizeof content, "OFF\n1 0 0\n%d 0 0\n", i);
        loader_file(name, content, strlen(content));
    }
    char path[512];
    snprintf(path, sizeof path, "%s/wave098.off", SETTEE_BUILD);
    physics_scene *test = loader_load("OffSequenceLoader", path, "nbOfFiles='3' stepDuration='0.015'");
    // steps begin at t = 0, 0.01, 0.02: the second file at once, the third when t reaches 0.015
    static const st_real x[] = {1, 1, 2, 2};
    assert_near(loader_of(test)->position.data[0], 0, 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        assert_near(loader_of(test)->position.data[0], x[i], 0);
    }
    assert_int_equal(test->count[ST_ERROR], 0);
    physics_free(test);
    for (int i = 98; i <= 100; i++) {
        snprintf(path, sizeof path, "%s/wave%03d.off", SETTEE_BUILD, i);
        remove(path);
    }
}

// ---------------------------------------------------------------------------------------------------
// Xsp, Trian, GID
// ---------------------------------------------------------------------------------------------------

static void xsp(void **state) {
    (void)state;
    static const char file[] = "Xsp 3.0\nnumm 2\nnums 1\ngrav 0 0 -9\n# comment\nmass 1 s 0 0 0 0 0 0 1 0\n"
                               "mass 2 v 1 2 3 0 0 0 -1 0\nlspg 1 2 1 10 1 -1\n";
    physics_scene *test = loader_read("MeshXspLoader", "a.xs3", TEXT(file), "");
    loader_counts(test, (size_t[6]){2, 1, 0, 0, 0, 0});
    loader_first(test, ST_EDGE, (uint32_t[]){1, 0}, 1);
    assert_reals(loader_of(test)->position.data + 3, 3, (st_real[]){1, 2, 3}, 0);
    physics_free(test);
    static const broken_file broken[] = {
        {"Xs 3.0\n", "1:", "begin with Xsp"},
        {"Xsp 5.0\n", "1:", "version"},
        {"Xsp 3.0\nmass 1 s 0 0 0 0 0 0 1 0\nlspg 1 1 2 10 1 -1\n", "3:", "spring joins"},
        {"Xsp 3.0\nmass 1 s 0 0 0 0\nnumm 2\n", "3:", "mass record"},
        {"Xsp 3.0\nfoo\n", "2:", "unknown"},
    };
    REFUSE_ALL("MeshXspLoader", "broken.xs3", broken);
}

static void trian(void **state) {
    (void)state;
    static const char file[] = "4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n2\n0 1 2 -1 1 -1\n0 2 3 -1 -1 0\n";
    physics_scene *test = loader_read("MeshTrianLoader", "a.trian", TEXT(file), "");
    loader_counts(test, (size_t[6]){4, 0, 2, 0, 0, 0});
    assert_field(test, "/loader", "neighborTable", "-1 1 -1 -1 -1 0");
    assert_field(test, "/loader", "edgesOnBorder", "1 2 0 1 2 3 3 0");
    assert_field(test, "/loader", "trianglesOnBorderList", "0 1");
    physics_free(test);
    static const char second[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\nvertices 3\n0 0 0\n1 0 0\n0 1 0\n"
                                 "normals 1\n0 0 1\ntriangles 1\n0 1 2\n";
    test = loader_read("MeshTrianLoader", "a.trian", TEXT(second), "trian2='1'");
    loader_counts(test, (size_t[6]){3, 0, 1, 0, 0, 0});
    physics_free(test);
    static const broken_file broken[] = {
        {"x", "1:", "number of points"},
        {"777777777777\n0 0 0\n", "3:", "point 2 of 777777777777"},
        {"1\n0 0 0\n1\n0 0 1 -1 -1 -1\n", "4:", "point 1"},
        {"1\n0 0 0\n1\n0 0 0 -1 -2 -1\n", "4:", "neighbor -2"},
        {"1\n0 0 0\n1\n0 0 0 -1 1 -1\n", "4:", "neighbor 1"},
        {"1\n0 0 0\n2\n0 0 0 -1 -1 -1\n", "5:", "corner"},
    };
    REFUSE_ALL("MeshTrianLoader", "broken.trian", broken);
}

static void gid(void **state) {
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

// ---------------------------------------------------------------------------------------------------
// No file
// ---------------------------------------------------------------------------------------------------

static void string_mesh(void **state) {
    (void)state;
    physics_scene *test = physics_load("<StringMeshCreator name='loader' resolution='5' scale3d='2 1 1'/>");
    loader_counts(test, (size_t[6]){5, 4, 0, 0, 0, 0});
    loader_first(test, ST_EDGE, (uint32_t[]){0, 1, 1, 2, 2, 3, 3, 4}, 4);
    assert_reals(loader_of(test)->position.data + 9, 3, (st_real[]){1.5, 0, 0}, 0);
    assert_int_equal(test->count[ST_ERROR] + test->count[ST_WARNING], 0);
    physics_free(test);
    test = physics_load("<StringMeshCreator name='loader' resolution='4000000000'/>");
    assert_int_equal(loader_of(test)->object.validity, ST_BROKEN);
    physics_free(test);
}

static physics_scene *load_grid(const char *attributes) {
    char text[200];
    snprintf(text, sizeof text, "<GridMeshCreator name='loader' %s/>", attributes);
    return physics_load(text);
}

static void grid_mesh(void **state) {
    (void)state;
    physics_scene *test = load_grid("resolution='3 2' trianglePattern='1' filename='nofile'");
    loader_counts(test, (size_t[6]){6, 9, 4, 0, 0, 0});
    loader_first(test, ST_TRIANGLE, (uint32_t[]){0, 1, 4, 0, 4, 3, 1, 2, 4, 2, 5, 4}, 4);
    loader_first(test, ST_EDGE, (uint32_t[]){0, 1, 1, 2, 1, 4, 2, 4, 2, 5, 3, 0, 4, 0, 4, 3, 5, 4}, 9);
    assert_reals(loader_of(test)->position.data + 12, 3, (st_real[]){0.5, 1, 0}, 0);
    assert_int_equal(test->count[ST_ERROR] + test->count[ST_WARNING], 0);
    physics_free(test);
    test = load_grid("resolution='2 2' trianglePattern='0'");
    loader_counts(test, (size_t[6]){4, 4, 0, 1, 0, 0});
    loader_first(test, ST_QUAD, (uint32_t[]){0, 1, 3, 2}, 1);
    physics_free(test);
    test = load_grid("resolution='2 2' trianglePattern='3'");
    loader_first(test, ST_TRIANGLE, (uint32_t[]){0, 1, 2, 1, 3, 2}, 2);
    physics_free(test);
}

static void impossible_grids(void **state) {
    (void)state;
    static const char *const attributes[] = {"resolution='1000000 1000000'", "resolution='-1 5'", "resolution='0 0'",
                                             "trianglePattern='9'"};
    for (int i = 0; i < 4; i++) {
        physics_scene *test = load_grid(attributes[i]);
        assert_int_equal(loader_of(test)->object.validity, ST_BROKEN);
        assert_int_equal(loader_of(test)->position.count, 0);
        physics_free(test);
    }
}

static void voxels(void **state) {
    (void)state;
    static const unsigned char image[] = {9, 9, /* 3 x 2 x 1 */ 1, 0, 2, 1, 1, 0};
    const char *path = loader_file("a.raw", image, sizeof image);
    physics_scene *test =
        loader_load("VoxelGridLoader", path, "resolution='3 2 1' header='2' bgValue='0' voxelSize='1 2 3'");
    assert_field(test, "/loader", "idxInRegularGrid", "0 2 3 4");
    assert_field(test, "/loader", "hexahedra",
                 "0 1 5 4 11 12 16 15 2 3 7 6 13 14 18 17 4 5 9 8 15 16 20 19 5 6 10 9 16 17 21 20");
    physics_free(test);
    test =
        loader_load("VoxelGridLoader", path,
                    "resolution='3 2 1' header='2' dataValue='1' generateHexa='0' ROI='0 1 0 9 9 9' voxelSize='1 2 3'");
    assert_field(test, "/loader", "position", "0 2 0 1 2 0");
    assert_int_equal(test->count[ST_ERROR], 0);
    physics_free(test);
    static const char *const wrong[] = {"resolution='3 2 2'", "resolution='2000000000 2000000000 2000000000'",
                                        "resolution='-1 2 1'", "resolution='3 2 1' header='-3'"};
    for (int i = 0; i < 4; i++) {
        test = loader_load("VoxelGridLoader", path, wrong[i]);
        assert_int_equal(physics_find(test, "/loader")->validity, ST_BROKEN);
        physics_free(test);
    }
    remove(path);
}

// ---------------------------------------------------------------------------------------------------
// Any file
// ---------------------------------------------------------------------------------------------------

static bool read_any(st_mesh *mesh, const char *name, const char *content) {
    st_mesh_file file = st_mesh_file_of_text(content, strlen(content));
    file.path = name;
    return st_mesh_read(mesh, &file);
}

static void suffixes_choose_the_reader(void **state) {
    (void)state;
    st_mesh mesh = {0};
    assert_true(read_any(&mesh, "a.OFF", "OFF 1 0 0\n1 2 3"));
    assert_int_equal(mesh.position.count, 1);
    st_mesh_free(&mesh);
    assert_true(read_any(&mesh, "x/y.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 3 1\n"));
    assert_int_equal(mesh.elements[ST_TRIANGLE].count, 1);
    assert_indices(&mesh.elements[ST_EDGE], 2, 1, (uint32_t[]){0, 2});
    st_mesh_free(&mesh);
    assert_true(st_mesh_format_known("a/b.vtu"));
    assert_false(st_mesh_format_known("a.vtu/b"));
    assert_false(read_any(&mesh, "a.dae", "x"));
    st_mesh_free(&mesh);
}

static void topologies_read_obj_and_msh(void **state) {
    (void)state;
    physics_scene *test = physics_load("<StringMeshCreator name='loader'/>");
    st_object *object = physics_find(test, "/loader");
    st_mesh mesh = {0};
    static const char file[] =
        "$NOD\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$ENDNOD\n$ELM\n1\n1 4 1 1 4 1 2 3 4\n$ENDELM\n";
    const char *path = loader_file("t.msh", TEXT(file));
    assert_true(st_mesh_read_topology(&mesh, object, path));
    assert_int_equal(mesh.elements[ST_TETRAHEDRON].count, 1);
    assert_int_equal(mesh.elements[ST_TRIANGLE].count, 0); // no sub-elements
    st_mesh_free(&mesh);
    remove(path);
    assert_false(st_mesh_read_topology(&mesh, object, "/a.vtk"));
    assert_non_null(strstr(test->log, "unable to load"));
    assert_false(st_mesh_read_topology(&mesh, object, "/missing.obj"));
    physics_free(test);
}

// What is made of elements that no file here holds, too, and in which order.
static void parts_of_all_kinds(void **state) {
    (void)state;
    st_mesh mesh = {0};
    static const uint32_t v[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    for (int i = 0; i < 11; i++) assert_true(st_mesh_add_point(&mesh, (st_real[3]){0}));
    assert_true(st_mesh_add(&mesh, ST_PYRAMID, v + 6, false) && st_mesh_add(&mesh, ST_PRISM, v, false));
    assert_true(st_mesh_add(&mesh, ST_TETRAHEDRON, v, false) && st_mesh_add(&mesh, ST_TRIANGLE, v, true));
    assert_true(st_mesh_create_subelements(mesh.elements));
    assert_indices(&mesh.elements[ST_QUAD], 4, 4, (uint32_t[]){0, 3, 4, 1, 0, 2, 5, 3, 1, 4, 5, 2, 6, 9, 8, 7});
    assert_indices(&mesh.elements[ST_TRIANGLE], 3, 9,
                   (uint32_t[]){2, 1, 0, 4, 3, 5, 6, 7, 10, 7, 8, 10, 9, 10, 8, 6, 10, 9, 0, 1, 3, 0, 3, 2, 1, 2, 3});
    assert_int_equal(mesh.elements[ST_EDGE].count, 19); // 9 and 8, and two of the tetrahedron
    st_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(off),
        cmocka_unit_test(broken_off),
        cmocka_unit_test(off_sequence),
        cmocka_unit_test(xsp),
        cmocka_unit_test(trian),
        cmocka_unit_test(gid),
        cmocka_unit_test(string_mesh),
        cmocka_unit_test(grid_mesh),
        cmocka_unit_test(impossible_grids),
        cmocka_unit_test(voxels),
        cmocka_unit_test(suffixes_choose_the_reader),
        cmocka_unit_test(topologies_read_obj_and_msh),
        cmocka_unit_test(parts_of_all_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
