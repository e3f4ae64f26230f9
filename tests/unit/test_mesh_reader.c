// Readers of mesh files: the suffix decides which one, and what is made of the elements that they read.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"

#include "io/mesh_reader.h"

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
    assert_int_equal(mesh.elements[ST_TRIANGLE].count, 0); // no faces of volumes
    st_mesh_free(&mesh);
    remove(path);
    assert_false(st_mesh_read_topology(&mesh, object, "/a.vtk"));
    assert_non_null(strstr(test->log, "unable to load"));
    assert_false(st_mesh_read_topology(&mesh, object, "/missing.obj"));
    physics_free(test);
}

// Faces and edges of every kind of volume, and their order.
static void all_kinds_get_faces_and_edges(void **state) {
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
        cmocka_unit_test(suffixes_choose_the_reader),
        cmocka_unit_test(topologies_read_obj_and_msh),
        cmocka_unit_test(all_kinds_get_faces_and_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
