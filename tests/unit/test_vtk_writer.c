// VTK files: all elements of the highest dimension, one file per state even where names collide, errors that are reported.
//
// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "physics_scene.h"
#include "settee/file.h"

typedef struct folder {
    char path[64], file[128];
} folder;

static int make_folder(void **state) {
    static folder f;
    strcpy(f.path, "/tmp/settee-vtk-XXXXXX");
    *state = &f;
    return mkdtemp(f.path) ? 0 : -1;
}

// The number of files, which are removed on request.
static size_t files_in(const folder *f, bool remove) {
    size_t count = 0;
    DIR *directory = opendir(f->path);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        char name[512];
        snprintf(name, sizeof name, "%s/%s", f->path, entry->d_name);
        if (remove) unlink(name);
        count++;
    }
    closedir(directory);
    return count;
}

static int remove_folder(void **state) {
    files_in(*state, true);
    return rmdir(((folder *)*state)->path);
}

static const char *in(folder *f, const char *name) {
    snprintf(f->file, sizeof f->file, "%s/%s", f->path, name);
    return f->file;
}

static const char *text_of(folder *f, const char *name) {
    static char text[8192];
    FILE *file = fopen(in(f, name), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

#define POINTS "<MechanicalObject name='dofs' position='0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1'/>"

static void expect(folder *f, const char *topology, const char *cells) {
    char scene[1024];
    snprintf(scene, sizeof scene, "%s" POINTS, topology);
    physics_scene *test = physics_load(scene);
    size_t files = 0;
    assert_int_equal(st_scene_write_vtk(test->scene, f->path, 7, &files), ST_OK);
    assert_int_equal(files, 1);
    const char *text = text_of(f, "dofs_000007.vtu");
    if (!strstr(text, cells)) print_message("%s\n%s", text, test->log);
    assert_non_null(strstr(text, cells));
    physics_free(test);
}

static void all_elements_of_the_highest_dimension_are_written(void **state) {
    expect(*state,
           "<MeshTopology tetrahedra='0 1 2 4' hexahedra='0 1 2 3 4 5 6 7' prisms='0 1 2 4 5 6' "
           "pyramids='0 1 2 3 4' triangles='0 1 2' quads='0 1 2 3'/>",
           "NumberOfComponents=\"1\" format=\"ascii\">\n10\n12\n13\n14\n</DataArray>");
    expect(*state, "<MeshTopology triangles='0 1 2' quads='4 5 6 7' edges='0 7'/>", ">\n5\n9\n</DataArray>");
    expect(*state, "<MeshTopology triangles='0 1 2' quads='4 5 6 7' edges='0 7'/>",
           ">\n0\n1\n2\n4\n5\n6\n7\n</DataArray>\n");
    expect(*state, "<MeshTopology quads='4 5 6 7'/>", ">\n4\n</DataArray>\n");
    expect(*state, "<MeshTopology edges='0 7'/>", ">\n3\n</DataArray>");
    expect(*state, "", ">\n1\n1\n1\n1\n1\n1\n1\n1\n</DataArray>");
    expect(*state, "", "NumberOfPoints=\"8\" NumberOfCells=\"8\"");
}

// The list has the times of all frames.
static void frames_are_listed_with_their_times(void **state) {
    folder *f = *state;
    physics_scene *test = physics_load(
        "<EulerExplicitSolver/><UniformMass totalMass='8'/>"
        "<MeshTopology hexahedra='0 1 2 3 4 5 6 7'/>" POINTS "<HexahedronFEMForceField youngModulus='100'/>"
        "<Node name='skin'><OglModel name='v' position='0 0 0 1 0 0 0 1 0' triangles='0 1 2'/>"
        "</Node>");
    size_t files = 0;
    assert_int_equal(st_scene_write_vtk(test->scene, f->path, 0, &files), ST_OK);
    st_scene_step(test->scene, ST_R(0.25));
    assert_int_equal(st_scene_write_vtk(test->scene, f->path, 1, &files), ST_OK);
    assert_int_equal(files, 4);
    assert_int_equal(files_in(f, false), 5);
    const char *list = text_of(f, "scene.pvd");
    assert_non_null(strstr(list, "<DataSet timestep=\"0\" part=\"0\" file=\"dofs_000000.vtu\"/>"));
    assert_non_null(strstr(list, "<DataSet timestep=\"0.25\" part=\"1\" file=\"skin_v_000001.vtu\"/>"));
    assert_non_null(strstr(text_of(f, "dofs_000001.vtu"), "Name=\"vonMises\""));
    assert_non_null(strstr(text_of(f, "dofs_000001.vtu"), "Name=\"strain\""));
    assert_non_null(strstr(text_of(f, "dofs_000001.vtu"), "Name=\"velocity\""));
    assert_non_null(strstr(text_of(f, "skin_v_000000.vtu"), "NumberOfPoints=\"3\" NumberOfCells=\"1\""));
    physics_free(test);
}

// The next run removes what the list names, and nothing else.
static void files_of_an_earlier_run_are_removed(void **state) {
    folder *f = *state;
    physics_scene *test = physics_load(POINTS);
    for (size_t i = 0; i < 3; i++) assert_int_equal(st_scene_write_vtk(test->scene, f->path, i, NULL), ST_OK);
    physics_free(test);
    FILE *other = fopen(in(f, "mine_000000.vtu"), "w");
    assert_non_null(other);
    fclose(other);
    test = physics_load(POINTS);
    assert_int_equal(st_scene_write_vtk(test->scene, f->path, 9, NULL), ST_OK);
    assert_int_equal(files_in(f, false), 3); // the new one, its list, and the one that is not ours
    assert_int_equal(access(in(f, "mine_000000.vtu"), F_OK), 0);
    assert_int_not_equal(access(in(f, "dofs_000000.vtu"), F_OK), 0);
    physics_free(test);

    // a list that someone else wrote, or that names files elsewhere, removes nothing
    FILE *list = fopen(in(f, "scene.pvd"), "w");
    assert_non_null(list);
    fputs("<DataSet timestep=\"0\" part=\"0\" file=\"mine_000000.vtu\"/>\n", list);
    fclose(list);
    test = physics_load(POINTS);
    assert_int_equal(st_scene_write_vtk(test->scene, f->path, 9, NULL), ST_OK);
    assert_int_equal(access(in(f, "mine_000000.vtu"), F_OK), 0);
    physics_free(test);
}

static void every_state_has_its_own_file(void **state) {
    folder *f = *state;
    physics_scene *test = physics_load("<Node name='a'><MechanicalObject name='b' position='1 1 1'/></Node>"
                                       "<Node name='n'><MechanicalObject name='a_b_2' position='2 2 2'/></Node>"
                                       "<Node name='n_a'><MechanicalObject name='b_2' position='3 3 3'/></Node>"
                                       "<MechanicalObject name='a_b' position='4 4 4'/>");
    size_t files = 0;
    assert_int_equal(st_scene_write_vtk(test->scene, f->path, 0, &files), ST_OK);
    assert_int_equal(files, 4);
    assert_int_equal(files_in(f, false), 5); // with their list
    assert_non_null(strstr(text_of(f, "n_a_b_2_000000.vtu"), "\n2\n2\n2\n"));
    assert_non_null(strstr(text_of(f, "n_a_b_2_2_000000.vtu"), "\n3\n3\n3\n"));
    assert_int_equal(st_scene_write_vtk(test->scene, f->path, 0, &files), ST_OK); // the same names again
    assert_int_equal(files_in(f, false), 5);
    physics_free(test);
}

static void failures_are_told(void **state) {
    folder *f = *state;
    physics_scene *test = physics_load(POINTS);
    FILE *file = fopen(in(f, "plain"), "w");
    assert_non_null(file);
    fclose(file);
    size_t files = 0;
    assert_int_equal(st_scene_write_vtk(test->scene, f->file, 0, &files), ST_FAILED); // a file, not a directory
    assert_non_null(strstr(test->log, "cannot be written: "));
    assert_int_equal(st_scene_write_vtk(test->scene, in(f, "plain/below"), 0, &files), ST_FAILED);
    assert_non_null(strstr(test->log, "error: vtk: the directory could not be made: Not a directory"));
    assert_int_equal(mkdir(in(f, "dofs_000000.vtu"), 0777), 0); // where the file should be
    assert_int_equal(st_scene_write_vtk(test->scene, f->path, 0, &files), ST_FAILED);
    assert_int_equal(rmdir(f->file), 0);
    assert_int_equal(files, 0);
    assert_int_equal(files_in(f, false), 1);
    physics_free(test);
}

static bool write_nothing(void *user, const char *text, size_t length) {
    (void)user;
    (void)text;
    return length > 0;
}

// Every result that is asked of a scene before anything is loaded is refused with a message.
static void empty_scene_is_told(void **state) {
    folder *f = *state;
    physics_scene test = {0};
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = &test;
    st_scene *scene = st_scene_create(&config);
    assert_non_null(scene);
    const st_writer writer = {write_nothing, NULL};
    assert_int_equal(st_scene_write_vtk(scene, f->path, 0, NULL), ST_INVALID);
    assert_int_equal(test.count[ST_ERROR], 1);
    assert_int_equal(st_scene_write_png(scene, in(f, "a.png"), NULL), ST_INVALID);
    assert_int_equal(test.count[ST_ERROR], 2);
    assert_int_equal(st_scene_dump_states(scene, 0, &writer), ST_INVALID);
    assert_int_equal(test.count[ST_ERROR], 3);
    assert_int_equal(st_scene_dump_topology(scene, 0, &writer), ST_INVALID);
    assert_int_equal(test.count[ST_ERROR], 4);
    assert_int_equal(st_scene_check_derivatives(scene, NULL, NULL), ST_INVALID);
    assert_int_equal(test.count[ST_ERROR], 5);
    assert_int_equal(files_in(f, false), 0);
    st_scene_destroy(scene);
}

// A link stays and its file is replaced; an abandoned file leaves nothing; a device is written directly.
static void files_appear_whole(void **state) {
    folder *f = *state;
    st_file file, other;
    char why[256];
    assert_true(st_file_create(&file, in(f, "data"), why, sizeof why));
    assert_true(st_file_create(&other, f->file, why, sizeof why)); // at the same time
    fputs("one", file.stream);
    assert_true(st_file_commit(&file, why, sizeof why));
    st_file_abandon(&other);
    assert_string_equal(text_of(f, "data"), "one");
    assert_int_equal(symlink("data", in(f, "link")), 0);
    assert_true(st_file_create(&file, f->file, why, sizeof why));
    fputs("two", file.stream);
    assert_true(st_file_commit(&file, why, sizeof why));
    assert_string_equal(text_of(f, "data"), "two");
    struct stat info;
    assert_int_equal(lstat(in(f, "link"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(files_in(f, false), 2);
    assert_true(st_file_create(&file, "/dev/full", why, sizeof why));
    fputs("lost", file.stream);
    assert_false(st_file_commit(&file, why, sizeof why));
    assert_string_equal(why, "/dev/full: cannot be written: No space left on device");
    assert_false(st_file_create(&file, f->path, why, sizeof why));
    assert_non_null(strstr(why, "Is a directory"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_elements_of_the_highest_dimension_are_written, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(frames_are_listed_with_their_times, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(files_of_an_earlier_run_are_removed, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(every_state_has_its_own_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(failures_are_told, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(empty_scene_is_told, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(files_appear_whole, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
