// The server of the viewer: who may ask, what it answers, and that nothing that is sent to it stops it.
//
// SPDX-License-Identifier: Apache-2.0
#include "page.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const char protocol[] = "settee-1";

static int start(void **state) {
    *state = calloc(1, sizeof(st_test_viewer));
    st_test_viewer_start(*state, NULL);
    return 0;
}

static int end(void **state) {
    st_test_viewer_end(*state);
    free(*state);
    return 0;
}

static int page(const st_test_viewer *test) {
    const int s = st_test_open(test, test->token, NULL, protocol);
    assert_true(s >= 0);
    return s;
}

// A page that comes now gets its answer: the server lives.
static void assert_alive(const st_test_viewer *test) {
    const int s = page(test);
    char *answer = st_test_ask(s, 1, "\"do\":\"graph\"");
    assert_non_null(answer);
    assert_non_null(strstr(answer, "/Bar/fem"));
    free(answer);
    close(s);
}

// Asks, and expects words in the answer.
static void assert_answer(int s, const char *members, const char *words) {
    static unsigned id = 100;
    char *answer = st_test_ask(s, ++id, members);
    if (!answer || !strstr(answer, words)) fail_msg("%s: no '%s' in %s", members, words, answer ? answer : "nothing");
    free(answer);
}

// ---------------------------------------------------------------------------------------------------
// Who may ask
// ---------------------------------------------------------------------------------------------------

static void the_page_needs_host_origin_and_token(void **state) {
    const st_test_viewer *test = *state;
    const char *good = "Host: localhost:80\r\n";
    assert_int_equal(st_test_get(test, "/", test->token, good), 200);
    assert_int_equal(st_test_get(test, "/", test->token, "Host: 127.0.0.1\r\n"), 200);
    assert_int_equal(st_test_get(test, "/other", test->token, good), 404);
    assert_int_equal(st_test_get(test, "/../../etc/passwd", test->token, good), 404);

    // a wrong token, none, one that is too long by a letter or by many
    char longer[700];
    snprintf(longer, sizeof longer, "%sx", test->token);
    assert_int_equal(st_test_get(test, "/", longer, good), 403);
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    assert_int_equal(st_test_get(test, "/", longer, good), 403);
    assert_int_equal(st_test_get(test, "/", "", good), 403);

    // names that somebody else made to point here, and pages of somebody else's
    const char *bad[] = {"Host: evil.example\r\n",
                         "Host: 127.0.0.1.evil.example\r\n",
                         "Host: localhost.evil.example\r\n",
                         "Host: 10.0.0.1\r\n",
                         "Host: localhost:80@evil\r\n",
                         "Host: localhost\r\nOrigin: http://evil.example\r\n",
                         "Host: localhost\r\nOrigin: null\r\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (st_test_get(test, "/", test->token, bad[i]) != 403) fail_msg("served to %s", bad[i]);
}

static void a_page_needs_token_origin_and_protocol(void **state) {
    const st_test_viewer *test = *state;
    char origin[64];
    snprintf(origin, sizeof origin, "http://127.0.0.1:%d", test->port);
    const int s = st_test_open(test, test->token, origin, protocol);
    assert_true(s >= 0);
    close(s);

    assert_int_equal(st_test_open(test, "0123456789abcdef", origin, protocol), -1);
    assert_int_equal(st_test_open(test, test->token, "http://evil.example", protocol), -1);
    assert_int_equal(st_test_open(test, test->token, "http://127.0.0.1:1", protocol), -1);
    assert_int_equal(st_test_open(test, test->token, origin, "other"), -1);
    assert_int_equal(st_test_open(test, test->token, origin, NULL), -1);
    assert_alive(test);
}

static void a_token_must_be_good(void **state) {
    (void)state;
    char why[256];
    const char *bad[] = {"short", "with space in it", "quote\"quote", "slash/slash/"};
    for (size_t i = 0; i < 4; i++) {
        const st_viewer_options options = {.title = "t", .token = bad[i]};
        assert_null(st_viewer_create(&options, why, sizeof why));
        assert_non_null(strstr(why, "token"));
    }
    const st_viewer_options options = {.title = "t", .address = "no.such.address"};
    assert_null(st_viewer_create(&options, why, sizeof why));
    assert_non_null(strstr(why, "no.such.address"));
}

// ---------------------------------------------------------------------------------------------------
// What it answers
// ---------------------------------------------------------------------------------------------------

static void a_page_gets_items_figures_and_a_frame(void **state) {
    const st_test_viewer *test = *state;
    const int s = page(test);
    const char *kinds[] = {"\"type\":\"welcome\"", "\"type\":\"items\"", "\"type\":\"figures\""};
    for (size_t i = 0; i < 3; i++) {
        char *m = st_test_expect(s, kinds[i]);
        assert_non_null(m);
        free(m);
    }

    // header, then records that fill the message exactly; one of them has the 36 points of the bar
    st_test_message m;
    assert_true(st_test_receive(s, &m) && m.binary);
    assert_true(m.length > 16 && m.data[0] == 'S' && m.data[1] == 1 && m.data[2] == 1);
    bool points = false;
    size_t at = 16;
    while (at + 16 <= m.length) {
        uint32_t head[4];
        memcpy(head, m.data + at, sizeof head);
        points |= (head[1] & 0xffff) == 0 && head[2] == 36;
        at += 16 + head[3];
    }
    assert_int_equal(at, m.length);
    assert_true(points);
    free(m.data);

    // the next frame has positions only: nothing else changed
    assert_answer(s, "\"do\":\"step\",\"count\":1", "\"ok\":true");
    while (st_test_receive(s, &m) && !m.binary) free(m.data);
    for (at = 16; at + 16 <= m.length;) {
        uint32_t head[4];
        memcpy(head, m.data + at, sizeof head);
        assert_int_equal(head[1] & 0xffff, 0);
        at += 16 + head[3];
    }
    free(m.data);
    close(s);
}

static void steps_have_the_same_bits_as_without_a_viewer(void **state) {
    st_test_viewer *test = *state;
    const int s = page(test);
    assert_answer(s, "\"do\":\"watch\",\"path\":\"/Bar/dofs\",\"field\":\"position\",\"index\":1,\"on\":true",
                  "\"ok\":true");
    assert_answer(s, "\"do\":\"step\",\"count\":25", "\"ok\":true");
    char *m = st_test_expect(s, "\"step\":25,");
    assert_non_null(m);
    assert_non_null(strstr(m, "\"watched\":[{\"path\":\"/Bar/dofs\""));
    free(m);
    close(s);
    st_test_viewer_stop(test);

    st_scene *plain = st_test_scene(NULL, NULL);
    for (int i = 0; i < 25; i++) assert_int_equal(st_scene_step(plain, 0), ST_OK);
    char *expected = st_test_dump(plain), *seen = st_test_dump(test->scene);
    assert_string_equal(seen, expected);
    free(expected);
    free(seen);
    st_scene_destroy(plain);
}

static void time_can_be_played_paused_and_reset(void **state) {
    const st_test_viewer *test = *state;
    const int s = page(test);
    assert_answer(s, "\"do\":\"speed\",\"factor\":0", "\"ok\":true");
    assert_answer(s, "\"do\":\"play\"", "\"ok\":true");
    char *m = st_test_expect(s, "\"step\":5");
    assert_non_null(m);
    assert_non_null(strstr(m, "\"playing\":true"));
    free(m);
    assert_answer(s, "\"do\":\"pause\"", "\"ok\":true");
    m = st_test_expect(s, "\"playing\":false");
    assert_non_null(m);
    free(m);
    assert_answer(s, "\"do\":\"reset\"", "\"ok\":true");
    m = st_test_expect(s, "\"step\":0,");
    assert_non_null(m);
    free(m);
    assert_answer(s, "\"do\":\"step\",\"count\":3", "\"ok\":true");
    assert_answer(s, "\"do\":\"reload\"", "\"ok\":true");
    m = st_test_expect(s, "\"step\":0,");
    assert_non_null(m);
    free(m);
    close(s);
}

// Ten steps of a hundredth of a second take a tenth of a second, and not much less.
static void real_time_is_kept(void **state) {
    const st_test_viewer *test = *state;
    const int s = page(test);
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    assert_answer(s, "\"do\":\"play\"", "\"ok\":true");
    char *m = NULL;
    size_t step = 0;
    while (step < 30) {
        free(m);
        m = st_test_expect(s, "\"type\":\"figures\"");
        assert_non_null(m);
        step = (size_t)strtoul(strstr(m, "\"step\":") + 7, NULL, 10);
    }
    free(m);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert_true((double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec) > 0.25);
    close(s);
}

static void fields_are_read_and_set_with_the_checks_of_a_file(void **state) {
    const st_test_viewer *test = *state;
    const int s = page(test);
    const char *fem = "\"do\":\"fields\",\"path\":\"/Bar/fem\"";
    assert_answer(s, fem, "\"name\":\"youngModulus\"");
    assert_answer(s, "\"do\":\"fields\",\"path\":\"/\"", "\"name\":\"gravity\"");
    assert_answer(s, "\"do\":\"fields\",\"path\":\"/none\"", "there is no component");

    // a good value, one that is no number, a field that is none
    const char *set = "\"do\":\"set\",\"path\":\"/\",\"field\":\"%s\",\"value\":\"%s\"";
    char command[256];
    snprintf(command, sizeof command, set, "dt", "0.005");
    assert_answer(s, command, "\"value\":\"0.005\",\"cut\":false,\"ok\":true");
    snprintf(command, sizeof command, set, "dt", "nonsense");
    assert_answer(s, command, "\"value\":\"0.005\",\"cut\":false,\"error\":\"'nonsense' is no value for dt");
    snprintf(command, sizeof command, set, "nothing", "1");
    assert_answer(s, command, "has no field nothing");
    char *m = st_test_expect(s, "\"dt\":0.005");
    assert_non_null(m);
    free(m);
    assert_answer(s, "\"do\":\"xml\"", "dt=\\\"0.005");
    close(s);
}

static void what_is_shown_can_be_switched(void **state) {
    const st_test_viewer *test = *state;
    const int s = page(test);
    assert_answer(s, "\"do\":\"show\",\"words\":\"fixed,no-visual\",\"color\":\"\"", "\"ok\":true");
    char *m = st_test_expect(s, "\"shown\":[\"fixed\"]");
    assert_non_null(m);
    free(m);
    assert_answer(s, "\"do\":\"show\",\"words\":\"nonsense\",\"color\":\"\"", "'nonsense' is nothing to show");
    assert_answer(s, "\"do\":\"show\",\"words\":\"\",\"color\":\"/no.field\"", "\"ok\":false");
    assert_answer(s, "\"do\":\"key\",\"code\":65,\"down\":true", "\"ok\":true");
    close(s);
}

// The free end of the bar follows the spring that a page holds, and is free when the page has gone.
static void a_page_pulls_at_a_body(void **state) {
    st_test_viewer *test = *state;
    const int s = page(test);
    const char *pull = "\"do\":\"pull\",\"x\":3,\"y\":1,\"z\":5,\"dx\":0,\"dy\":0,\"dz\":%d,\"stiffness\":%d";
    char command[200];
    assert_answer(s, "\"do\":\"drag\",\"x\":0,\"y\":0,\"z\":0", "pulls at nothing");
    snprintf(command, sizeof command, pull, 1, 1000);
    assert_answer(s, command, "nothing to pull at");
    snprintf(command, sizeof command, pull, -1, 0);
    assert_answer(s, command, "\"ok\":false");
    snprintf(command, sizeof command, pull, -1, 1000);
    assert_answer(s, command, "\"path\":\"/Bar/dofs\",\"point\":[3,1,1]");
    assert_answer(s, "\"do\":\"drag\",\"x\":3,\"y\":4,\"z\":1", "\"ok\":true");
    assert_answer(s, "\"do\":\"step\",\"count\":60", "\"ok\":true");
    char *m = st_test_expect(s, "\"step\":60,");
    free(m);
    char *pulled = st_test_ask(s, 9, "\"do\":\"fields\",\"path\":\"/Bar/dofs\"");
    assert_non_null(pulled);
    free(pulled);

    // without the page it falls
    close(s);
    st_test_viewer_stop(test);
    size_t count, width;
    const st_real *x = st_object_reals(st_scene_find(test->scene, "/Bar/dofs"), "position", &count, &width);
    assert_int_equal(count, 36);
    const st_real high = x[3 * 35 + 1];
    assert_true(high > 1.5);
    for (int i = 0; i < 60; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    x = st_object_reals(st_scene_find(test->scene, "/Bar/dofs"), "position", &count, &width);
    assert_true(x[3 * 35 + 1] < high - 0.5);
}

// ---------------------------------------------------------------------------------------------------
// What pages do to bodies besides pulling
// ---------------------------------------------------------------------------------------------------

static const char block[] =
    "<Node name='root' dt='0.01' gravity='0 0 0'><DefaultAnimationLoop/>"
    "<RegularGridTopology name='grid' n='7 5 3' min='-0.6 -0.4 -0.1' max='0.6 0.4 0.1'/>"
    "<Node name='Block'><EulerImplicitSolver rayleighStiffness='0.1' rayleighMass='0.1'/>"
    "<CGLinearSolver iterations='100' tolerance='1e-9' threshold='1e-12'/>"
    "<MechanicalObject name='dofs' position='@/grid.position'/>"
    "<TetrahedronSetTopologyContainer name='mesh'/><TetrahedronSetTopologyModifier/>"
    "<Hexa2TetraTopologicalMapping input='@/grid' output='@mesh'/>"
    "<DiagonalMass massDensity='10'/><TetrahedralCorotationalFEMForceField youngModulus='3000' poissonRatio='0.3'/>"
    "<Node name='Surface'><TriangleSetTopologyContainer name='mesh'/><TriangleSetTopologyModifier/>"
    "<Tetra2TriangleTopologicalMapping input='@../mesh' output='@mesh'/><TriangleCollisionModel/></Node></Node></Node>";

static int start_block(void **state) {
    st_test_viewer *test = calloc(1, sizeof *test);
    test->text = block;
    *state = test;
    st_test_viewer_start(test, NULL);
    return 0;
}

static size_t count_of(st_test_viewer *test, const char *path, const char *field) {
    return st_object_element_count(st_scene_find(test->scene, path), field);
}

static void a_page_fixes_points_and_lets_them_go(void **state) {
    const st_test_viewer *test = *state;
    const int s = page(test);
    const char *fix = "\"do\":\"fix\",\"x\":3,\"y\":1,\"z\":5,\"dx\":0,\"dy\":0,\"dz\":%d,\"stiffness\":%d";
    char command[200];
    snprintf(command, sizeof command, fix, 1, 1000);
    assert_answer(s, command, "there is no body");
    snprintf(command, sizeof command, fix, -1, 0);
    assert_answer(s, command, "\"ok\":false");
    snprintf(command, sizeof command, fix, -1, 1000);
    assert_answer(s, command, "\"path\":\"/Bar/dofs\",\"point\":[3,1,1]");
    assert_answer(s, "\"do\":\"step\",\"count\":60", "\"ok\":true");
    free(st_test_expect(s, "\"step\":60,"));
    assert_answer(s, "\"do\":\"step\",\"count\":1", "\"ok\":true");

    // the held end is where it was, more or less; let go, it falls
    st_test_viewer_stop(*state);
    size_t count, width;
    const st_real *x = st_object_reals(st_scene_find(test->scene, "/Bar/dofs"), "position", &count, &width);
    const st_real high = x[3 * 35 + 1];
    assert_true(high > (st_real)0.7 && high < (st_real)1.1);
    for (int i = 0; i < 60; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    x = st_object_reals(st_scene_find(test->scene, "/Bar/dofs"), "position", &count, &width);
    assert_true(x[3 * 35 + 1] < high - (st_real)0.3);
    close(s);
}

static void at_most_so_many_points_are_fixed(void **state) {
    const st_test_viewer *test = *state;
    const int s = page(test);
    const char *fix = "\"do\":\"fix\",\"x\":3,\"y\":1,\"z\":5,\"dx\":0,\"dy\":0,\"dz\":-1,\"stiffness\":10";
    for (int i = 0; i < 256; i++) assert_answer(s, fix, "\"ok\":true");
    assert_answer(s, fix, "at most 256 points");
    assert_answer(s, "\"do\":\"unfix\"", "\"ok\":true");
    assert_answer(s, fix, "\"ok\":true");
    close(s);
}

static void a_page_removes_and_cuts(void **state) {
    st_test_viewer *test = *state;
    const int s = page(test);
    const size_t tetrahedra = count_of(test, "/Block/mesh", "tetrahedra");
    const size_t points = count_of(test, "/Block/dofs", "position");
    const char *down = "\"dx\":0,\"dy\":0,\"dz\":-1";
    char command[400];

    // away from the body; then a swipe from above to below, off the planes of the grid
    const char *cut = "\"do\":\"cut\",\"x\":0.07,\"y\":2,\"z\":2,\"dx\":0,\"dy\":0,\"dz\":%d,"
                      "\"x2\":0.03,\"y2\":-2,\"z2\":2,\"dx2\":0,\"dy2\":0,\"dz2\":%d";
    snprintf(command, sizeof command, cut, 1, 1);
    assert_answer(s, command, "there is no body under the cut");
    snprintf(command, sizeof command, cut, -1, -1);
    assert_answer(s, command, "\"path\":\"/Block/dofs\"");
    snprintf(command, sizeof command, "\"do\":\"remove\",\"x\":-0.45,\"y\":0.05,\"z\":2,%s", down);
    assert_answer(s, command, "\"path\":\"/Block/dofs\"");
    assert_answer(s, "\"do\":\"step\",\"count\":3", "\"ok\":true");
    free(st_test_expect(s, "\"step\":3,"));
    st_test_viewer_stop(test);
    assert_true(count_of(test, "/Block/mesh", "tetrahedra") > tetrahedra);
    assert_true(count_of(test, "/Block/dofs", "position") > points + 10);
    close(s);
}

static void what_has_no_mesh_is_not_cut(void **state) {
    const st_test_viewer *test = *state;
    const int s = page(test);
    const char *at = "\"x\":3,\"y\":1,\"z\":5,\"dx\":0,\"dy\":0,\"dz\":-1";
    char command[300];
    snprintf(command, sizeof command, "\"do\":\"remove\",%s", at);
    assert_answer(s, command, "/Bar/dofs has no mesh that can change");
    snprintf(command, sizeof command, "\"do\":\"cut\",%s,\"x2\":3,\"y2\":0,\"z2\":5,\"dx2\":0,\"dy2\":0,\"dz2\":-1",
             at);
    assert_answer(s, command, "/Bar/dofs has no mesh that can change");
    snprintf(command, sizeof command, "\"do\":\"cut\",%s,\"x2\":3,\"y2\":0,\"z2\":5,\"dx2\":0,\"dy2\":0,\"dz2\":0", at);
    assert_answer(s, command, "a ray has no direction");
    close(s);
}

// A texture that is no picture stays on this machine, whatever the scene says.
static void only_pictures_are_sent_as_textures(void **state) {
    (void)state;
    char folder[] = "/tmp/settee-texture-XXXXXX", scene[600], path[3][80];
    static const char *const names[] = {"quad.obj", "secret.txt", "good.bmp"};
    static const char *const contents[] = {"v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n",
                                           "the SECRET of a file that is no picture", "BM SECRET that looks like one"};
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 3; i++) {
        snprintf(path[i], sizeof path[i], "%s/%s", folder, names[i]);
        FILE *file = fopen(path[i], "w");
        assert_non_null(file);
        fputs(contents[i], file);
        fclose(file);
    }

    // the frame of a page has what begins as a picture, and not the other file
    for (int i = 1; i < 3; i++) {
        snprintf(scene, sizeof scene,
                 "<Node name='root'><DefaultAnimationLoop/><MeshOBJLoader name='quad' filename='%s'/>"
                 "<OglModel src='@quad' texturename='%s'/></Node>",
                 path[0], path[i]);
        st_test_viewer test = {.text = scene};
        st_test_viewer_start(&test, NULL);
        const int s = page(&test);
        st_test_message frame;
        while (st_test_receive(s, &frame) && !frame.binary) free(frame.data);
        assert_true(frame.length > 16);
        bool found = false;
        for (size_t at = 0; at + 6 <= frame.length; at++) found |= memcmp(frame.data + at, "SECRET", 6) == 0;
        assert_int_equal(found, i == 2);
        free(frame.data);
        close(s);
        st_test_viewer_end(&test);
    }
    for (int i = 0; i < 3; i++) unlink(path[i]);
    rmdir(folder);
}

// ---------------------------------------------------------------------------------------------------
// A scene of a program
// ---------------------------------------------------------------------------------------------------

static st_viewer *viewer_of_a_program(st_test_viewer *test) {
    char why[256];
    char title[] = "program";
    const st_viewer_options options = {.title = title};
    st_viewer *viewer = st_viewer_create(&options, why, sizeof why);
    assert_non_null(viewer);
    memset(title, 'x', sizeof title - 1); // the caller's: the viewer has a copy
    assert_int_equal(sscanf(strchr(st_viewer_url(viewer) + 7, ':'), ":%d/?token=%159s", &test->port, test->token), 2);
    test->scene = st_test_scene(NULL, NULL);
    return viewer;
}

// Steps of the program reach the page, and what the page asks for is done when the program serves.
static void a_program_serves_between_its_own_steps(void **state) {
    (void)state;
    st_test_viewer test = {0};
    st_viewer *viewer = viewer_of_a_program(&test);
    const int s = page(&test);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(st_scene_step(test.scene, 0), ST_OK);
        assert_ptr_equal(st_viewer_serve(viewer, test.scene, 0), test.scene);
    }
    st_viewer_serve(viewer, test.scene, 0.2);
    char *m = st_test_expect(s, "\"step\":7,");
    assert_non_null(m);
    assert_non_null(strstr(m, "\"program\""));
    free(m);

    // a page cannot load what no file has
    st_test_send(s, "{\"do\":\"reload\",\"id\":1}");
    st_viewer_serve(viewer, test.scene, 0.5);
    m = st_test_expect(s, "made by a program");
    assert_non_null(m);
    free(m);

    // a nudge that came before ends the next wait
    st_viewer_nudge(viewer);
    const double before = (double)time(NULL);
    st_viewer_serve(viewer, test.scene, 30);
    assert_true((double)time(NULL) - before < 10);
    close(s);
    st_viewer_destroy(viewer);
    st_scene_destroy(test.scene);
}

static void a_program_and_its_pages_take_turns(void **state) {
    (void)state;
    st_test_viewer test = {0};
    st_viewer *viewer = viewer_of_a_program(&test);
    st_viewer_background *background = st_viewer_background_start(viewer, test.scene);
    assert_non_null(background);
    const int s = page(&test);

    // the page steps
    assert_answer(s, "\"do\":\"step\",\"count\":5", "\"ok\":true");
    char *m = st_test_expect(s, "\"step\":5,");
    assert_non_null(m);
    free(m);

    // the program steps, while the page plays as fast as it can; a hold may be held twice
    assert_answer(s, "\"do\":\"speed\",\"factor\":0", "\"ok\":true");
    assert_answer(s, "\"do\":\"play\"", "\"ok\":true");
    for (int i = 0; i < 50; i++) {
        st_scene *scene = st_viewer_background_hold(background);
        assert_ptr_equal(st_viewer_background_hold(background), scene);
        st_viewer_background_release(background);
        const double time = (double)st_scene_time(scene);
        assert_int_equal(st_scene_step(scene, 0), ST_OK);
        assert_true((double)st_scene_time(scene) < time + 0.015);
        st_viewer_background_release(background);
    }
    assert_answer(s, "\"do\":\"pause\"", "\"ok\":true");

    // a page that pulls when it ends leaves nothing behind
    assert_answer(s, "\"do\":\"reset\"", "\"ok\":true");
    assert_answer(s, "\"do\":\"pull\",\"x\":3,\"y\":1,\"z\":5,\"dx\":0,\"dy\":0,\"dz\":-1,\"stiffness\":1000",
                  "\"ok\":true");
    assert_ptr_equal(st_viewer_background_end(background), test.scene);
    st_scene *other = st_test_scene(NULL, NULL);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(st_scene_step(test.scene, 0), ST_OK);
        assert_int_equal(st_scene_step(other, 0), ST_OK);
    }
    char *a = st_test_dump(test.scene), *b = st_test_dump(other);
    assert_string_equal(a, b);
    free(a);
    free(b);
    close(s);
    st_viewer_destroy(viewer);
    st_scene_destroy(test.scene);
    st_scene_destroy(other);
}

static void matrices_come_in_cells(void **state) {
    const st_test_viewer *test = *state;
    const int s = page(test);
    const char *k =
        "\"do\":\"matrix\",\"which\":\"%s\",\"path\":\"%s\",\"row\":%d,\"rows\":%d,\"column\":%d,\"columns\":%d,"
        "\"height\":16,\"width\":16";
    char command[300];
    snprintf(command, sizeof command, k, "A", "", 0, 0, 0, 0);
    assert_answer(s, command, "make a step");
    assert_answer(s, "\"do\":\"step\",\"count\":1", "\"ok\":true");
    char *m = st_test_expect(s, "\"step\":1,");
    free(m);

    // all of K in 16 × 16 cells, each of them the largest entry of its part
    snprintf(command, sizeof command, k, "K", "/Bar/fem", 0, 0, 0, 0);
    assert_answer(s, command, "\"matrixRows\":108,\"matrixColumns\":108,\"row\":0,\"rows\":108");
    st_test_message cells;
    while (st_test_receive(s, &cells) && !(cells.binary && cells.data[1] == 2)) free(cells.data);
    assert_int_equal(cells.length, 16 + 4 * 256);
    float first;
    memcpy(&first, cells.data + 16, sizeof first);
    assert_true(first < 0);
    free(cells.data);

    // a window of single entries, the end of the matrix
    snprintf(command, sizeof command, k, "K", "/Bar/fem", 104, 50, 104, 50);
    assert_answer(s, command, "\"row\":104,\"rows\":4,\"column\":104,\"columns\":4,\"height\":4,\"width\":4");
    assert_answer(s, "\"do\":\"figures\",\"which\":\"A\",\"path\":\"\"", "\"symmetric\":true");
    snprintf(command, sizeof command, k, "Q", "", 0, 0, 0, 0);
    assert_answer(s, command, "one of A, M, B, K, J, W and H");
    snprintf(command, sizeof command, k, "W", "", 0, 0, 0, 0);
    assert_answer(s, command, "no constraint solver");
    snprintf(command, sizeof command, k, "K", "/Bar/fem", 104, 50, 104, 50);
    assert_answer(s, command, "\"rowNames\":[\"/Bar/dofs[34] z\",\"/Bar/dofs[35] x\"");
    close(s);
}

static float largest_of(int s) {
    st_test_message cells;
    while (st_test_receive(s, &cells) && !(cells.binary && cells.data[1] == 2)) free(cells.data);
    float most = 0;
    for (size_t at = 16; at + 4 <= cells.length; at += 4) {
        float value;
        memcpy(&value, cells.data + at, sizeof value);
        if (value > most) most = value;
        if (-value > most) most = -value;
    }
    free(cells.data);
    return most;
}

static void matrices_of_two_steps_are_compared(void **state) {
    const st_test_viewer *test = *state;
    const int s = page(test);
    const char *difference =
        "\"do\":\"matrix\",\"which\":\"%s\",\"path\":\"/Bar/%s\",\"row\":0,\"rows\":0,\"column\":0,"
        "\"columns\":0,\"minus\":true,\"height\":108,\"width\":108";
    char command[300];
    assert_answer(s, "\"do\":\"step\",\"count\":1", "\"ok\":true");
    free(st_test_expect(s, "\"step\":1,"));
    snprintf(command, sizeof command, difference, "K", "fem");
    assert_answer(s, command, "nothing is kept of this matrix");
    assert_answer(s, "\"do\":\"keep\",\"which\":\"K\",\"path\":\"/Bar/none\"", "no component");
    assert_answer(s, "\"do\":\"keep\",\"which\":\"K\",\"path\":\"/Bar/fem\"", "\"time\":0.01,\"ok\":true");
    assert_answer(s, command, "\"since\":0.01");
    assert_true(largest_of(s) == 0);
    snprintf(command, sizeof command, difference, "M", "mass");
    assert_answer(s, command, "nothing is kept of this matrix");
    assert_answer(s,
                  "\"do\":\"matrix\",\"which\":\"K\",\"path\":\"/Bar/fem\",\"row\":0,\"rows\":0,\"column\":0,"
                  "\"columns\":0,\"minus\":\"yes\",\"height\":108,\"width\":108",
                  "a text in place of a number");

    // elements turn, and their stiffness with them
    assert_answer(s, "\"do\":\"step\",\"count\":20", "\"ok\":true");
    free(st_test_expect(s, "\"step\":21,"));
    snprintf(command, sizeof command, difference, "K", "fem");
    assert_answer(s, command, "\"since\":0.01");
    assert_true(largest_of(s) > 1);
    close(s);
}

static void a_viewer_for_looking_refuses_changes(void **state) {
    (void)state;
    st_test_viewer test = {0};
    const st_viewer_options options = {.read_only = true, .token = "a-given-token"};
    st_test_viewer_start(&test, &options);
    assert_string_equal(test.token, "a-given-token");
    const int s = page(&test);
    const char *changes[] = {"\"do\":\"play\"",
                             "\"do\":\"pause\"",
                             "\"do\":\"step\",\"count\":1",
                             "\"do\":\"release\"",
                             "\"do\":\"reset\"",
                             "\"do\":\"reload\"",
                             "\"do\":\"speed\",\"factor\":2",
                             "\"do\":\"key\",\"code\":65,\"down\":true",
                             "\"do\":\"keep\",\"which\":\"K\",\"path\":\"/Bar/fem\"",
                             "\"do\":\"set\",\"path\":\"/\",\"field\":\"dt\",\"value\":\"1\""};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) assert_answer(s, changes[i], "read-only");
    assert_answer(s, "\"do\":\"graph\"", "\"ok\":true");
    close(s);
    st_test_viewer_end(&test);
}

// ---------------------------------------------------------------------------------------------------
// What does not stop it
// ---------------------------------------------------------------------------------------------------

static void messages_that_make_no_sense_are_refused(void **state) {
    const st_test_viewer *test = *state;
    const int s = page(test);
    const char *bad[] = {"",
                         "x",
                         "[]",
                         "{}",
                         "{\"do\":1}",
                         "{\"do\":\"dance\"}",
                         "{\"do\":\"step\"}",
                         "{\"do\":\"step\",\"count\":\"1\"}",
                         "{\"do\":\"step\",\"count\":-1}",
                         "{\"do\":\"step\",\"count\":1e99}",
                         "{\"do\":\"graph\"} more",
                         "{\"do\":\"graph\",\"do\":\"graph\"}",
                         "{\"do\":\"graph\",\"id\":-1}",
                         "{\"do\":\"graph\",\"id\":{}}",
                         "\xff\xfe"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad - 1; i++) {
        st_test_send(s, bad[i]);
        char *m = st_test_expect(s, "\"ok\":false");
        if (!m) fail_msg("no answer to %s", bad[i]);
        free(m);
    }
    close(s);
    assert_alive(test);
}

static void half_frames_and_wrong_ones_end_only_themselves(void **state) {
    const st_test_viewer *test = *state;

    // a text in pieces, with a ping between, is one message
    int s = page(test);
    const char text[] = "{\"do\":\"graph\",\"id\":7}";
    st_test_frame(s, 1, false, text, 5);
    st_test_frame(s, 9, true, "hi", 2);
    st_test_frame(s, 0, true, text + 5, sizeof text - 6);
    char *m = st_test_expect(s, "\"id\":7,");
    assert_non_null(m);
    free(m);
    close(s);

    // a frame that never ends, a length that is a lie, opcodes that do not exist, half of a request
    const unsigned char half[] = {0x81, 0xfe, 0xff},
                        lie[] = {0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    const unsigned char strange[] = {0x8f, 0x80, 0, 0, 0, 0}, naked[] = {0x81, 0x02, '{', '}'};
    const unsigned char *const pieces[] = {half, lie, strange, naked};
    const size_t sizes[] = {sizeof half, sizeof lie, sizeof strange, sizeof naked};
    for (int i = 0; i < 4; i++) {
        s = page(test);
        st_test_write(s, pieces[i], sizes[i]);
        assert_alive(test);
        close(s);
    }
    s = st_test_connect(test);
    st_test_write(s, "GET / HT", 8);
    assert_alive(test);
    close(s);
}

static void too_large_and_binary_messages_close_the_page(void **state) {
    const st_test_viewer *test = *state;
    char *large = malloc(3 << 20);
    memset(large, ' ', 3 << 20);
    int s = page(test);
    st_test_frame(s, 1, true, large, 3 << 20);
    assert_null(st_test_expect(s, "\"ok\""));
    close(s);

    s = page(test);
    st_test_frame(s, 2, true, "{\"do\":\"graph\"}", 14);
    assert_null(st_test_expect(s, "\"ok\""));
    close(s);
    free(large);
    assert_alive(test);
}

// A page that asks without reading any answer is not read any more, and others are served.
static void floods_do_not_stop_others(void **state) {
    const st_test_viewer *test = *state;
    const int s = page(test);
    const char command[] = "{\"do\":\"fields\",\"path\":\"/Bar/dofs\",\"id\":1}";
    const struct timeval soon = {.tv_usec = 200000};
    setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof soon);
    for (int i = 0; i < 20000; i++) {
        struct pollfd p = {s, POLLOUT, 0};
        if (poll(&p, 1, 200) <= 0) break;
        st_test_send(s, command);
    }
    assert_alive(test);
    close(s);
    assert_alive(test);
}

// A page that reads nothing misses frames; those that read see the newest one. What is on the way is bounded on both
// sides, so that it fills up however slow the machine is.
static void a_slow_page_is_not_waited_for(void **state) {
    const st_test_viewer *test = *state;
    const int slow = page(test), fast = page(test), little = 4096;
    setsockopt(slow, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    assert_answer(fast, "\"do\":\"speed\",\"factor\":0", "\"ok\":true");
    assert_answer(fast, "\"do\":\"step\",\"count\":4000", "\"ok\":true");
    char *m = st_test_expect(fast, "\"step\":4000,");
    assert_non_null(m);
    free(m);

    // the slow one ends at the same frame, with fewer than one for each step
    size_t frames = 0;
    st_test_message message;
    for (bool last = false; !last && st_test_receive(slow, &message);) {
        frames += message.binary;
        last = !message.binary && strstr(message.data, "\"step\":4000,");
        free(message.data);
    }
    assert_in_range(frames, 1, 3999);
    close(slow);
    close(fast);
}

static void many_pages_and_connections_are_bounded(void **state) {
    const st_test_viewer *test = *state;
    enum { MANY = 1000, PAGES = 40 };
    int *sockets = malloc(MANY * sizeof *sockets), pages[PAGES], open = 0;

    // more files than usual, where that is allowed
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max < 4096 ? files.rlim_max : 4096;
    setrlimit(RLIMIT_NOFILE, &files);

    // pages beyond 32 are closed at once, the others work
    for (int i = 0; i < PAGES; i++) {
        pages[i] = st_test_open(test, test->token, NULL, protocol);
        char *m = pages[i] >= 0 ? st_test_expect(pages[i], "\"type\":\"welcome\"") : NULL;
        open += m != NULL;
        free(m);
    }
    assert_int_equal(open, 32);
    for (int i = 0; i < PAGES; i++)
        if (pages[i] >= 0) close(pages[i]);

    // connections that say nothing, or half of something
    int count = 0;
    for (; count < MANY && (sockets[count] = st_test_connect(test)) >= 0; count++)
        if (count % 2) st_test_write(sockets[count], "GET /?token=", 12);
    assert_true(count > 200);
    for (int i = 0; i < count; i++) close(sockets[i]);
    free(sockets);
    assert_alive(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_page_needs_host_origin_and_token, start, end),
        cmocka_unit_test_setup_teardown(a_page_needs_token_origin_and_protocol, start, end),
        cmocka_unit_test(a_token_must_be_good),
        cmocka_unit_test_setup_teardown(a_page_gets_items_figures_and_a_frame, start, end),
        cmocka_unit_test_setup_teardown(steps_have_the_same_bits_as_without_a_viewer, start, end),
        cmocka_unit_test_setup_teardown(time_can_be_played_paused_and_reset, start, end),
        cmocka_unit_test_setup_teardown(real_time_is_kept, start, end),
        cmocka_unit_test_setup_teardown(fields_are_read_and_set_with_the_checks_of_a_file, start, end),
        cmocka_unit_test_setup_teardown(what_is_shown_can_be_switched, start, end),
        cmocka_unit_test_setup_teardown(a_page_pulls_at_a_body, start, end),
        cmocka_unit_test_setup_teardown(a_page_fixes_points_and_lets_them_go, start, end),
        cmocka_unit_test_setup_teardown(at_most_so_many_points_are_fixed, start, end),
        cmocka_unit_test_setup_teardown(a_page_removes_and_cuts, start_block, end),
        cmocka_unit_test_setup_teardown(what_has_no_mesh_is_not_cut, start, end),
        cmocka_unit_test(only_pictures_are_sent_as_textures),
        cmocka_unit_test(a_program_serves_between_its_own_steps),
        cmocka_unit_test(a_program_and_its_pages_take_turns),
        cmocka_unit_test_setup_teardown(matrices_come_in_cells, start, end),
        cmocka_unit_test_setup_teardown(matrices_of_two_steps_are_compared, start, end),
        cmocka_unit_test(a_viewer_for_looking_refuses_changes),
        cmocka_unit_test_setup_teardown(messages_that_make_no_sense_are_refused, start, end),
        cmocka_unit_test_setup_teardown(half_frames_and_wrong_ones_end_only_themselves, start, end),
        cmocka_unit_test_setup_teardown(too_large_and_binary_messages_close_the_page, start, end),
        cmocka_unit_test_setup_teardown(floods_do_not_stop_others, start, end),
        cmocka_unit_test_setup_teardown(a_slow_page_is_not_waited_for, start, end),
        cmocka_unit_test_setup_teardown(many_pages_and_connections_are_bounded, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
