// Exporters: when they write, how the files are called, that loaders read the same mesh back, and what a disk that is
// full does.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include <sys/stat.h>
#include <unistd.h>

#include "settee/mesh.h"

static char folder[512];

static void clean(void) {
    char command[1024];
    snprintf(folder, sizeof folder, "%s/exporters_test", SETTEE_BUILD);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static bool exists(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static const char body[] = "<RegularGridTopology name='grid' n='3 3 2' min='0 0 0' max='1 1 0.3'/>"
                           "<MechanicalObject name='dofs'/>";

// The body with an exporter whose filename is %s, stepped and ended.
static physics_scene *run(const char *exporter, int steps) {
    char text[4096], with[2048];
    snprintf(with, sizeof with, exporter, folder);
    snprintf(text, sizeof text, "%s%s", body, with);
    physics_scene *test = physics_load(text);
    for (int i = 0; i < steps; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    assert_int_equal(st_scene_finish(test->scene), ST_OK);
    if (test->count[ST_ERROR]) print_message("%s", test->log);
    return test;
}

static void written_when_asked(void **state) {
    (void)state;
    clean();
    physics_free(run("<VTKExporter filename='%s/a' exportEveryNumberOfSteps='3'/>", 7));
    assert_true(exists("a0.vtu") && exists("a1.vtu") && exists("a.pvd") && !exists("a2.vtu"));
    physics_free(run("<VTKExporter filename='%s/b.vtu' exportAtBegin='1'/>", 1));
    assert_true(exists("b0.vtu") && !exists("b1.vtu"));
    physics_free(run("<VTKExporter filename='%s/c' XMLformat='0' exportAtEnd='1'/>", 1));
    assert_true(exists("c_0.vtk") && !exists("c.pvd"));
    physics_free(run("<VTKExporter filename='%s/d' exportEveryNumberOfSteps='1' enable='0'/>", 2));
    assert_true(!exists("d0.vtu"));
    physics_free(run("<VTKExporter filename='%s/e' exportEveryNumberOfSteps='1' overwrite='1'/>", 3));
    assert_true(exists("e.vtu") && !exists("e1.vtu"));
    physics_free(run("<STLExporter filename='%s/f' exportEveryNumberOfSteps='2'/>", 4));
    assert_true(exists("f00001.stl") && exists("f00002.stl"));
    physics_free(run("<STLExporter name='own' filename='%s' exportAtEnd='1'/>", 1)); // a folder
    assert_true(exists("own.stl"));
    physics_free(
        run("<MeshExporter filename='%s/g_%%p_%%E_%%e' format='vtk' exportAtEnd='1' edges='0' triangles='0'/>", 1));
    assert_true(exists("g_18_24_4.vtk")); // 18 points, 20 quads and 4 hexahedra
    clean();
}

static void nothing_is_written_without_leave(void **state) {
    (void)state;
    clean();
    assert_int_equal(mkdir(folder, 0777), 0);
    char text[2048];
    snprintf(text, sizeof text,
             "<Node>%s<VTKExporter filename='%s/a' exportAtBegin='1'/><WriteState filename='%s/b'/></Node>", body,
             folder, folder);
    st_config config = st_default_config();
    config.read_only = true;
    st_scene *scene = st_scene_create(&config);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    st_scene_destroy(scene);
    assert_int_equal(rmdir(folder), 0); // empty
}

// Points and one kind of elements of a file.
static void assert_mesh(const char *name, st_element kind, size_t count) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    st_mesh *mesh = NULL;
    assert_int_equal(st_mesh_load(&mesh, path, NULL, NULL), ST_OK);
    const st_real *points;
    assert_true(st_mesh_points(mesh, &points) >= 18);
    const size_t found = st_mesh_elements(mesh, kind, NULL);
    if (found != count) print_message("%s: %zu elements\n", name, found);
    assert_int_equal(found, count);
    st_mesh_destroy(mesh);
}

static void loaders_read_what_is_written(void **state) {
    (void)state;
    clean();
    physics_free(run(
        "<VTKExporter filename='%s/a' edges='0' hexas='1' exportAtEnd='1' pointsDataFields='v=@dofs.position'/>", 1));
    assert_mesh("a0.vtu", ST_HEXAHEDRON, 4);
    physics_free(run("<VTKExporter filename='%s/b' edges='0' hexas='1' quads='1' XMLformat='0' exportAtEnd='1'/>", 1));
    assert_mesh("b_0.vtk", ST_HEXAHEDRON, 4);
    physics_free(run("<MeshExporter filename='%s/c' edges='0' triangles='0' exportAtEnd='1'/>", 1));
    assert_mesh("c.vtu", ST_HEXAHEDRON, 4);
    assert_mesh("c.vtk", ST_HEXAHEDRON, 4);
    assert_true(exists("c.mesh") && exists("c.node") && exists("c.ele") && exists("c.face") && exists("c.gmsh") &&
                exists("c.obj"));
    char from[1024], to[1024];
    snprintf(from, sizeof from, "%s/c.gmsh", folder);
    snprintf(to, sizeof to, "%s/c.msh", folder);
    assert_int_equal(rename(from, to), 0);
    assert_mesh("c.msh", ST_HEXAHEDRON, 4);
    physics_free(run("<MeshExporter filename='%s/d' format='off' triangles='0' exportAtEnd='1'/>", 1));
    assert_mesh("d.off", ST_QUAD, 20);
    physics_free(run("<MeshExporter filename='%s/e' format='obj' exportAtEnd='1'/>", 1));
    assert_true(exists("e.obj"));
    clean();
}

// Both kinds of STL hold the same triangles.
static void stl_in_both_kinds(void **state) {
    (void)state;
    clean();
    static const char surface[] =
        "<MeshTopology position='0 0 0  1 0 0  0 1 0  0 0 1' triangles='0 2 1  0 1 3'/><MechanicalObject/>"
        "<STLExporter filename='%s/%s' exportAtEnd='1' binaryformat='%d'/>";
    for (int binary = 0; binary < 2; binary++) {
        char text[2048], path[1024];
        snprintf(text, sizeof text, surface, folder, binary ? "binary" : "text", binary);
        physics_free(physics_load(text));
        snprintf(path, sizeof path, "%s/%s.stl", folder, binary ? "binary" : "text");
        struct stat status;
        assert_int_equal(stat(path, &status), 0);
        if (binary) assert_int_equal(status.st_size, 84 + 2 * 50);
        st_mesh *mesh = NULL;
        assert_int_equal(st_mesh_load(&mesh, path, NULL, NULL), ST_OK);
        assert_int_equal(st_mesh_elements(mesh, ST_TRIANGLE, NULL), 2);
        st_mesh_destroy(mesh);
    }
    clean();
}

static void visual_models_in_one_file(void **state) {
    (void)state;
    clean();
    char text[2048], path[1024];
    snprintf(text, sizeof text,
             "<OglModel name='a b' color='1 0 0 1' position='0 0 0  1 0 0  0 1 0' triangles='0 1 2'/>"
             "<Node name='n'><OglModel position='0 0 0  1 0 0  1 1 0  0 1 0' quads='0 1 2 3' "
             "material='m Diffuse 1 0 0.5 1 0.25'/></Node>"
             "<VisualModelOBJExporter filename='%s/models' exportAtEnd='1'/>",
             folder);
    physics_free(physics_load(text));
    snprintf(path, sizeof path, "%s/models.obj", folder);
    st_mesh *mesh = NULL;
    assert_int_equal(st_mesh_load(&mesh, path, NULL, NULL), ST_OK);
    assert_int_equal(st_mesh_elements(mesh, ST_TRIANGLE, NULL), 1);
    assert_int_equal(st_mesh_elements(mesh, ST_QUAD, NULL), 1);
    const uint32_t *quad;
    st_mesh_elements(mesh, ST_QUAD, &quad);
    assert_int_equal(quad[0], 3);
    st_mesh_destroy(mesh);
    assert_true(exists("models.mtl"));
    snprintf(path, sizeof path, "%s/models.mtl", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char mtl[1024] = {0};
    assert_true(fread(mtl, 1, sizeof mtl - 1, file) > 0);
    fclose(file);
    assert_non_null(strstr(mtl, "Kd 1 0 0\n"));
    assert_non_null(strstr(mtl, "Kd 0 0.5 1\nd 0.25\n")); // of the material: that is what is drawn
    clean();
}

static void a_full_disk_is_an_error(void **state) {
    (void)state;
    clean();
    assert_int_equal(mkdir(folder, 0555), 0);
    char text[2048];
    // a folder below a file cannot be made, whoever asks
    snprintf(text, sizeof text, "%s<VTKExporter filename='/dev/null/x/a' exportEveryNumberOfSteps='1'/>", body);
    physics_scene *test = physics_load(text);
    assert_int_equal(st_scene_step(test->scene, 0), ST_FAILED);
    assert_true(test->count[ST_ERROR] > 0);
    physics_free(test);
    snprintf(text, sizeof text, "%s<VTKExporter filename='/dev/null/x/a' exportAtEnd='1'/>", body);
    test = physics_load(text);
    assert_int_equal(st_scene_finish(test->scene), ST_FAILED);
    physics_free(test);
    test = physics_load("<EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject position='0 0 0'/><UniformMass/>"
                        "<GlobalSystemMatrixExporter filename='/dev/null/x/a' exportEveryNumberOfSteps='1'/>");
    assert_int_equal(st_scene_step(test->scene, 0), ST_FAILED);
    assert_true(test->count[ST_ERROR] > 0);
    physics_free(test);
    clean();
}

// At the begin there is no matrix: nothing is tried then, and a later absence is still told.
static void matrices_are_not_written_at_the_begin(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MechanicalObject position='0 0 0'/><GlobalSystemMatrixExporter filename='x' "
                                       "exportAtBegin='1' exportEveryNumberOfSteps='1'/>");
    assert_null(strstr(test->log, "there is no linear system"));
    st_scene_step(test->scene, 0);
    assert_non_null(strstr(test->log, "there is no linear system"));
    physics_free(test);
}

static void without_a_mesh(void **state) {
    (void)state;
    static const char *const exporters[] = {"VTKExporter", "MeshExporter", "STLExporter"};
    for (size_t i = 0; i < 3; i++) {
        char text[256];
        snprintf(text, sizeof text, "<%s filename='x' exportAtEnd='1'/>", exporters[i]);
        physics_scene *test = physics_load(text);
        assert_int_equal(test->count[ST_ERROR], 1);
        physics_free(test);
    }
    // a mesh that names points which the state does not have
    physics_scene *test = physics_load("<MeshTopology edges='0 7'/><MechanicalObject position='0 0 0'/>"
                                       "<VTKExporter filename='x' exportAtEnd='1'/>");
    st_scene_finish(test->scene);
    assert_true(test->count[ST_ERROR] > 0);
    physics_free(test);
    assert_int_equal(access("x0.vtu", F_OK), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_when_asked),
        cmocka_unit_test(nothing_is_written_without_leave),
        cmocka_unit_test(loaders_read_what_is_written),
        cmocka_unit_test(stl_in_both_kinds),
        cmocka_unit_test(visual_models_in_one_file),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(matrices_are_not_written_at_the_begin),
        cmocka_unit_test(without_a_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
