// Files of states and topologies: what is written comes back, at its time; what is broken is reported.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include <unistd.h>
#include <zlib.h>

#include "math/real.h"

static char place[512];
static const char *in_build(const char *name) {
    snprintf(place, sizeof place, "%s/%s", SETTEE_BUILD, name);
    return place;
}

static physics_scene *load(const char *format, const char *path) {
    char text[4096];
    snprintf(text, sizeof text, format, path);
    return physics_load(text);
}

static char *read_all(const char *path) {
    gzFile file = gzopen(path, "rb");
    if (!file) return NULL;
    char *text = calloc(1, 1 << 16);
    assert_true(gzread(file, text, (1 << 16) - 1) >= 0);
    gzclose(file);
    return text;
}

static const char moving[] =
    "<EulerExplicitSolver/><MechanicalObject name='dofs' position='0 0 0  1 2 3' velocity='1 0 0  0 0 1'/>"
    "<UniformMass totalMass='2'/>";

static physics_scene *load_moving(const char *component, const char *path) {
    char text[4096], with[2048];
    snprintf(with, sizeof with, component, path);
    snprintf(text, sizeof text, "%s%s", moving, with);
    return physics_load(text);
}

static void states_come_back(void **state) {
    (void)state;
    static const char *const names[] = {"state_test.txt", "state_test.txt.gz"};
    for (int i = 0; i < 2; i++) {
        char path[512];
        strcpy(path, in_build(names[i]));
        unlink(path);
        physics_scene *test =
            load_moving("<WriteState name='w' filename='%s' writeV='1' writeX0='1' writeF='1' digits='17'/>", path);
        st_real kept[5][6];
        for (int k = 0; k < 5; k++) {
            memcpy(kept[k], physics_state(test, "/dofs")->coord[ST_COORD_POSITION].data, sizeof kept[k]);
            assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        }
        assert_int_equal(access(path, F_OK), -1); // not before it is whole
        assert_int_equal(st_scene_finish(test->scene), ST_OK);
        assert_int_equal(access(path, F_OK), 0);
        physics_free(test);

        test = load("<MechanicalObject name='dofs' position='9 9 9'/><ReadState filename='%s'/>", path);
        assert_int_equal(test->count[ST_ERROR], 0);
        const st_state *dofs = physics_state(test, "/dofs");
        for (int k = 0; k < 5; k++) {
            assert_int_equal(dofs->size, 2);
            assert_reals(dofs->coord[ST_COORD_POSITION].data, 6, kept[k], 0);
            st_scene_step(test->scene, 0);
            if (k + 1 < 5) st_scene_step(test->scene, ST_REAL_EPSILON); // it reads at the beginning of a step
        }
        physics_free(test);
        test = load_moving("<CompareState name='c' filename='%s'/>", path);
        for (int k = 0; k < 5; k++) st_scene_step(test->scene, 0);
        size_t count, width;
        const st_real *error = st_object_reals(physics_find(test, "/c"), "totalError", &count, &width);
        assert_true(*error < ST_R(1e-5)); // the file has more digits than are compared
        physics_free(test);
        unlink(path);
    }
}

static void the_text_is_sofas(void **state) {
    (void)state;
    char path[512];
    strcpy(path, in_build("state_text.txt"));
    physics_scene *test =
        load("<MechanicalObject position='0.1 1e-10 12345678'/><WriteState filename='%s' time='0 0.02'/>", path);
    for (int i = 0; i < 5; i++) st_scene_step(test->scene, 0);
    physics_free(test); // destroying finishes, too
    char *text = read_all(path);
    assert_non_null(text);
    assert_string_equal(text, "T= 0\n  X= 0.1 1e-10 1.23457e+07\nT= 0.02\n  X= 0.1 1e-10 1.23457e+07\n");
    free(text);
    unlink(path);
}

static size_t frames_written(const char *attributes) {
    char path[512], component[1024];
    strcpy(path, in_build("state_times.txt"));
    unlink(path);
    snprintf(component, sizeof component, "<MechanicalObject position='0 0 0'/><WriteState filename='%%s' %s/>",
             attributes);
    physics_scene *test = load(component, path);
    for (int i = 0; i < 10; i++) st_scene_step(test->scene, 0);
    physics_free(test);
    char *text = read_all(path);
    size_t frames = 0;
    for (const char *c = text; c && (c = strstr(c, "T=")); c++) frames++;
    free(text);
    unlink(path);
    return frames;
}

static void frames_are_written_at_their_times(void **state) {
    (void)state;
    assert_int_equal(frames_written(""), 10);
    assert_int_equal(frames_written("period='0.03'"), 4);
    assert_int_equal(frames_written("period='0.03' time='0.05'"), 2);
    assert_int_equal(frames_written("time='0.01 0.04 0.2'"), 2);
    assert_int_equal(frames_written("time='-1'"), 0);
}

static void a_full_disk_is_an_error(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0) skip();
    static const char *const components[] = {
        "<WriteState filename='/dev/full'/>",
        "<CSVMonitor filename='/dev/full'/>",
        "<MeshTopology position='0 0 0 1 0 0' edges='0 1'/><WriteTopology filename='/dev/full'/>",
    };
    for (size_t i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text, "<MechanicalObject position='0 0 0 1 0 0'/>%s", components[i]);
        physics_scene *test = physics_load(text);
        assert_int_equal(st_scene_step(test->scene, 0), ST_FAILED);
        assert_int_equal(st_scene_step(test->scene, 0), ST_OK); // told once
        assert_non_null(strstr(test->log, "/dev/full"));
        physics_free(test);
    }
}

static void wrong_files_are_told(void **state) {
    (void)state;
    static const char *const contents[] = {"T= 0\n  X= 1 2 x\n", "T= nan\n  X= 1\n", "\x1f\x8b\x08junkjunk"};
    for (size_t i = 0; i < 3; i++) {
        const char *path = physics_file("state_broken.txt", contents[i]);
        physics_scene *test = load("<MechanicalObject name='dofs' position='9 9 9'/><ReadState filename='%s'/>", path);
        st_scene_step(test->scene, 0);
        assert_true(test->count[ST_ERROR] > 0);
        physics_free(test);
        unlink(path);
    }
    physics_scene *test = load("<MechanicalObject position='9 9 9'/><ReadState filename='%s'/>", "/no/such/file");
    assert_true(test->count[ST_ERROR] > 0);
    physics_free(test);
    test = load("<WriteState filename='%s'/>", "unused");
    assert_true(test->count[ST_ERROR] > 0); // without a state
    physics_free(test);
}

// Two frames in 0.02 s, then the first again.
static void a_loop_begins_again(void **state) {
    (void)state;
    const char *path = physics_file("state_loop.txt", "T= 0\n  X= 0 0 0\nT= 0.01\n  X= 1 0 0\nT= 0.02\n  X= 2 0 0\n");
    physics_scene *test = load("<MechanicalObject name='dofs' position='9 9 9'/><ReadState filename='%s' loop='1' "
                               "scalePos='2' rotation='0 0 90' translation='0 0 1'/>",
                               path);
    const st_real *x = physics_state(test, "/dofs")->coord[ST_COORD_POSITION].data;
    st_real seen[6];
    for (int i = 0; i < 6; i++) {
        st_scene_step(test->scene, 0);
        seen[i] = x[1]; // turned: x became y
        assert_near(x[2], 1, 0);
    }
    assert_near(seen[0], 0, ST_R(1e-6));
    assert_near(seen[1], 2, ST_R(1e-6));
    assert_true(seen[3] < ST_R(3.9) || seen[4] < ST_R(3.9)); // it came back
    physics_free(test);
    unlink(path);
}

// A period far below the step: whole periods are skipped at once. One that is lost beside the time ends the loop.
static void a_tiny_loop_ends(void **state) {
    (void)state;
    static const char *const files[] = {"T= 1e-9\n  X= 1 0 0\n", "T= 1e-300\n  X= 1 0 0\n", "T= nan\n  X= 1 0 0\n",
                                        "T= inf\n  X= 1 0 0\n"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = physics_file("state_tiny_loop.txt", files[i]);
        physics_scene *test =
            load("<MechanicalObject name='dofs' position='9 9 9'/><ReadState filename='%s' loop='1'/>", path);
        for (int k = 0; k < 3; k++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        assert_near(physics_state(test, "/dofs")->coord[ST_COORD_POSITION].data[0], 1, 0);
        assert_true((test->count[ST_ERROR] > 0) == (i > 1));
        physics_free(test);
        unlink(path);
    }
    const char *path = physics_file("topology_tiny_loop.txt", "T= 1e-9\n  Edges= 1\n0 1\n");
    physics_scene *test = load("<MeshTopology name='mesh' position='0 0 0  1 0 0' edges='1 0'/>"
                               "<ReadTopology filename='%s' loop='1'/>",
                               path);
    for (int k = 0; k < 3; k++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    physics_free(test);
    unlink(path);
}

// A frame with a damaged list is not used at all, nor does it empty anything.
static void a_damaged_frame_is_not_used(void **state) {
    (void)state;
    static const char *const files[] = {
        "T= 0\n  Edges= 1\n0 2\n  Triangles= 1\n0 1\n",          // too few
        "T= 0\n  Edges= 1\n0 2\n  Triangles= 1\n0 1 x\n",        // no number
        "T= 0\n  Edges= 1\n0 2\n  Triangles= 1\n",               // cut off
        "T= 0\n  Edges= 1\n0 2\n  Triangles= 1\n  Quads= 0\n\n", // left out
        "T= 0\n  Edges= 1\n0 2\n  Triangles= 1\n0 1\nT= 1\n  Edges= 0\n\n",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = physics_file("topology_damaged.txt", files[i]);
        physics_scene *test = load("<MeshTopology name='mesh' position='0 0 0  1 0 0  0 1 0' edges='0 1' "
                                   "triangles='2 1 0'/><ReadTopology filename='%s'/>",
                                   path);
        assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        assert_int_equal(test->count[ST_ERROR], 1);
        const st_topology *mesh = (const st_topology *)st_scene_find(test->scene, "/mesh");
        assert_int_equal(mesh->elements[ST_EDGE].count, 1);
        assert_int_equal(mesh->elements[ST_EDGE].data[1], 1);
        assert_int_equal(mesh->elements[ST_TRIANGLE].count, 1);
        assert_int_equal(mesh->elements[ST_TRIANGLE].data[0], 2);
        physics_free(test);
        unlink(path);
    }
}

// Times that make no sense do so after a reset, too; the field keeps what was given.
static void a_broken_schedule_stays_broken(void **state) {
    (void)state;
    const char *path = in_build("state_broken.txt");
    unlink(path);
    physics_scene *test = load_moving("<WriteState name='w' filename='%s' period='-1'/>", path);
    assert_true(test->count[ST_ERROR] > 0);
    st_scene_reset(test->scene);
    for (int i = 0; i < 3; i++) st_scene_step(test->scene, 0);
    st_scene_finish(test->scene);
    assert_int_equal(access(path, F_OK), -1);
    physics_free(test);
}

static void topologies_come_back(void **state) {
    (void)state;
    char path[512];
    strcpy(path, in_build("topology_test.txt"));
    static const char mesh[] =
        "<MeshTopology name='mesh' position='0 0 0  1 0 0  0 1 0  0 0 1' %s tetrahedra='0 1 2 3'/>";
    char text[1024];
    snprintf(text, sizeof text, mesh, "triangles='0 1 2  0 2 3'");
    strcat(text, "<WriteTopology filename='%s'/>");
    physics_scene *test = load(text, path);
    for (int i = 0; i < 2; i++) st_scene_step(test->scene, 0);
    physics_free(test);
    char *written = read_all(path);
    assert_non_null(strstr(written, "T= 0.01\n"));
    assert_non_null(strstr(written, "  Triangles= 2\n0 1 2 0 2 3\n"));
    assert_non_null(strstr(written, "  Hexahedra= 0\n\n"));
    free(written);

    snprintf(text, sizeof text, mesh, "triangles='0 1 2  0 2 1'");
    strcat(text, "<CompareTopology name='c' filename='%s'/>");
    test = load(text, path);
    for (int i = 0; i < 2; i++) st_scene_step(test->scene, 0);
    assert_field(test, "/c", "totalError", "2"); // one triangle in two frames
    physics_free(test);

    snprintf(text, sizeof text, mesh, "triangles='0 1 2  0 2 1'");
    strcat(text, "<ReadTopology filename='%s'/>");
    test = load(text, path);
    assert_int_equal(test->count[ST_ERROR], 0);
    assert_field(test, "/mesh", "triangles", "0 1 2 0 2 3");
    physics_free(test);
    unlink(path);

    path[0] = '\0';
    strcat(path, physics_file("topology_broken.txt", "T= 0\n  Triangles= 1\n0 1 77\n"));
    test = load(text, path);
    assert_non_null(strstr(test->log, "point 77"));
    assert_field(test, "/mesh", "triangles", "0 1 2 0 2 1");
    physics_free(test);
    strcpy(path, physics_file("topology_broken.txt", "T= 0\n  Triangles= 4000000000\n0 1 2\n"));
    test = load(text, path);
    assert_non_null(strstr(test->log, "damaged"));
    physics_free(test);
    unlink(path);
}

static void a_checker_finds_what_is_wrong(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MeshTopology name='mesh' position='0 0 0  1 0 0  0 1 0' triangles='0 1 1'/>"
                                       "<TopologyChecker name='c'/>");
    assert_true(test->count[ST_ERROR] > 0);
    assert_field(test, "/c", "findings", "2"); // the triangle, and the edge from a point to itself
    physics_free(test);
    test = physics_load("<MeshTopology position='0 0 0  1 0 0  0 1 0' triangles='0 1 2'/><TopologyChecker name='c'/>");
    assert_field(test, "/c", "findings", "0");
    physics_free(test);
}

static void points_over_time(void **state) {
    (void)state;
    char path[512];
    strcpy(path, in_build("monitor_test.csv"));
    physics_scene *test =
        load_moving("<CSVMonitor filename='%s' indices='1' velocities='1' exportEveryNumberOfSteps='2'/>", path);
    for (int i = 0; i < 4; i++) st_scene_step(test->scene, 0);
    physics_free(test);
    char *text = read_all(path);
    assert_non_null(text);
    assert_ptr_equal(strstr(text, "time,x1,y1,z1,vx1,vy1,vz1\n0,1,2,3,0,0,1\n"), text);
    size_t rows = 0;
    for (const char *c = text; *c; c++) rows += *c == '\n';
    assert_int_equal(rows, 4);
    free(text);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_come_back),
        cmocka_unit_test(the_text_is_sofas),
        cmocka_unit_test(frames_are_written_at_their_times),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(wrong_files_are_told),
        cmocka_unit_test(a_loop_begins_again),
        cmocka_unit_test(a_tiny_loop_ends),
        cmocka_unit_test(a_damaged_frame_is_not_used),
        cmocka_unit_test(a_broken_schedule_stays_broken),
        cmocka_unit_test(topologies_come_back),
        cmocka_unit_test(a_checker_finds_what_is_wrong),
        cmocka_unit_test(points_over_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
