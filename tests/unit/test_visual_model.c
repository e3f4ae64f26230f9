// Visual models: what size mappings see, where the mesh comes from, transformations, and what is drawn.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/array.h"
#include "scene/scene.h"
#include "settee/plugin/draw.h"
#include "settee/plugin/physics.h"

extern const st_class st_mesh_obj_loader_class, st_visual_model_class, st_ogl_model_class, st_identity_mapping_class;

static char folder[] = "/tmp/settee-visual-XXXXXX";
static char messages[4096];

// Point 1 has two texture coordinates and point 2 two normals: six vertices of four points, and an unused point.
static const char *const mesh = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\n"
                                "vt 0 0\nvt 1 0\nvt 1 1\nvt 0.5\nvn 0 0 1\nvn 0 1 0\n"
                                "f 1/4/1 2/2/2 3/3/1\nf 1/1/1 2/2/1 4/3/1\n";

static int make_folder(void **unused) {
    (void)unused;
    char path[64];
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/mesh.obj", folder);
    FILE *file = fopen(path, "w");
    if (!file) return -1;
    fputs(mesh, file);
    return fclose(file);
}

static int remove_folder(void **unused) {
    (void)unused;
    char path[64];
    snprintf(path, sizeof path, "%s/mesh.obj", folder);
    unlink(path);
    return rmdir(folder);
}

static void keep_message(void *user, const st_diagnostic *diagnostic) {
    (void)user;
    if (diagnostic->severity < ST_DEPRECATED) return;
    const size_t used = strlen(messages);
    snprintf(messages + used, sizeof messages - used, "%s\n", diagnostic->text);
}

static st_scene *load(const char *body) {
    static const st_class *const needed[] = {&st_mesh_obj_loader_class, &st_visual_model_class, &st_ogl_model_class,
                                             &st_identity_mapping_class};
    st_config config = st_default_config();
    config.log = keep_message;
    messages[0] = '\0';
    st_scene *scene = st_scene_create(&config);
    assert_non_null(scene);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!st_registry_find(scene, needed[i]->name)) assert_int_equal(st_register_class(scene, needed[i]), ST_OK);
    char *xml = st_string_format("<Node name=\"root\"><DefaultAnimationLoop/>%s</Node>", body);
    assert_true(st_succeeded(st_scene_load_text(scene, xml, strlen(xml), folder)));
    st_free(xml);
    st_scene_init(scene);
    return scene;
}

static st_state *model(st_scene *scene) {
    st_state *state = (st_state *)st_scene_find(scene, "/v");
    if (!state) state = (st_state *)st_scene_find(scene, "/c/v");
    assert_non_null(state);
    return state;
}

static void check_field(st_scene *scene, const char *field, const char *expected) {
    char *text = st_object_get(&model(scene)->object, field, 6);
    assert_non_null(text);
    if (strcmp(text, expected) != 0) fail_msg("%s is \"%s\", expected \"%s\"; %s", field, text, expected, messages);
    st_string_free(text);
}

// ---------------------------------------------------------------------------------------------------
// A canvas that remembers
// ---------------------------------------------------------------------------------------------------

typedef struct memory {
    st_canvas canvas;
    size_t triangles, lines, points;
    double area;
    st_rgba color;
} memory;

static void draw_triangles(st_canvas *canvas, size_t count, const uint32_t *corners, const st_real *x, size_t points,
                           int stride, st_rgba color) {
    memory *m = (memory *)canvas;
    m->triangles += count;
    m->points = points;
    m->color = color;
    for (size_t i = 0; i < count; i++) {
        const st_real *p[3];
        for (int k = 0; k < 3; k++) {
            assert_true(corners[3 * i + (size_t)k] < points);
            p[k] = x + corners[3 * i + (size_t)k] * (size_t)stride;
        }
        m->area += ((double)(p[1][0] - p[0][0]) * (double)(p[2][1] - p[0][1]) -
                    (double)(p[1][1] - p[0][1]) * (double)(p[2][0] - p[0][0])) /
                   2;
    }
}

static void draw_lines(st_canvas *canvas, size_t count, const uint32_t *pairs, const st_real *x, size_t points,
                       int stride, st_rgba color) {
    (void)pairs, (void)x, (void)points, (void)stride, (void)color;
    ((memory *)canvas)->lines += count;
}

static memory draw(st_scene *scene) {
    memory m = {.canvas = {.triangles = draw_triangles, .lines = draw_lines}};
    st_object *object = &model(scene)->object;
    object->type->draw(object, &m.canvas);
    return m;
}

// ---------------------------------------------------------------------------------------------------
// Tests
// ---------------------------------------------------------------------------------------------------

static void test_given_mesh(void **unused) {
    (void)unused;
    st_scene *scene = load("<OglModel name=\"v\" template=\"Vec3\" position=\"0 0 0  2 0 0  2 1 0  0 1 0\" "
                           "quads=\"0 1 2 3\" color=\"1 0.5 0 0.25\"/>");
    check_field(scene, "normal", "0 0 1 0 0 1 0 0 1 0 0 1");
    check_field(scene, "restPosition", "0 0 0 2 0 0 2 1 0 0 1 0");
    const memory m = draw(scene);
    assert_int_equal(m.triangles, 2);
    assert_float_equal(m.area, 2, 1e-6);
    assert_float_equal((double)m.color.g, 0.5, 1e-6);
    assert_float_equal((double)m.color.a, 0.25, 1e-6);
    assert_false(model(scene)->mechanical);
    assert_string_equal(messages, "");
    st_scene_destroy(scene);
}

// A loader with seams: mappings see the points, the picture is the same.
static void test_seams(void **unused) {
    (void)unused;
    st_scene *scene = load("<MeshOBJLoader name=\"l\" filename=\"mesh.obj\" handleSeams=\"1\"/>"
                           "<OglModel name=\"v\" src=\"@l\" material=\"m Diffuse 1 0 1 0 1 Ambient 1 0 0 0 1\"/>");
    assert_int_equal(model(scene)->size, 4);
    check_field(scene, "position", "0 0 0 1 0 0 1 1 0 0 1 0");
    check_field(scene, "vertices", "0 0 0 0 0 0 1 0 0 1 0 0 1 1 0 0 1 0");
    const memory m = draw(scene);
    assert_int_equal(m.triangles, 2);
    assert_int_equal(m.points, 4);
    assert_float_equal(m.area, 1, 1e-6);
    assert_float_equal((double)m.color.g, 1, 0);
    assert_float_equal((double)m.color.r, 0, 0);
    assert_string_equal(messages, "");
    st_scene_destroy(scene);
}

static void test_without_seams(void **unused) {
    (void)unused;
    st_scene *scene = load("<MeshOBJLoader name=\"l\" filename=\"mesh.obj\"/><VisualModel name=\"v\" src=\"@l\"/>");
    assert_int_equal(model(scene)->size, 5);
    check_field(scene, "vertices", "");
    st_scene_destroy(scene);
}

// A file of its own keeps all points.
static void test_file(void **unused) {
    (void)unused;
    st_scene *scene = load("<OglModel name=\"v\" filename=\"mesh.obj\"/>");
    assert_int_equal(model(scene)->size, 5);
    check_field(scene, "vertPosIdx", "0 0 1 1 2 3");
    check_field(scene, "triangles", "1 3 4 0 2 5");
    assert_non_null(strstr(messages, "deprecated"));
    assert_float_equal(draw(scene).area, 1, 1e-6);
    st_scene_destroy(scene);
    // five vertices for five points: taken for a mesh without seams
    scene = load("<OglModel name=\"v\" filename=\"mesh.obj\" useNormals=\"0\"/>");
    check_field(scene, "vertPosIdx", "");
    check_field(scene, "triangles", "0 1 2 0 1 3");
    st_scene_destroy(scene);
}

static void test_topology(void **unused) {
    (void)unused;
    st_scene *scene = load("<RegularGridTopology n=\"2 2 2\"/><OglModel name=\"v\"/>");
    assert_int_equal(model(scene)->size, 8);
    assert_int_equal(draw(scene).triangles, 24);
    st_scene_destroy(scene);
    // the state beside a topology without coordinates; an unknown point is not drawn
    scene = load("<MeshTopology triangles=\"0 1 2  0 1 7\"/><MechanicalObject position=\"0 0 0  1 0 0  0 1 0\"/>"
                 "<OglModel name=\"v\"/>");
    assert_int_equal(model(scene)->size, 3);
    assert_int_equal(draw(scene).triangles, 1);
    st_scene_destroy(scene);
    scene = load("<OglModel name=\"v\"/>");
    assert_int_equal(model(scene)->size, 0);
    assert_non_null(strstr(messages, "neither a mesh nor a topology"));
    st_scene_destroy(scene);
}

// S, then R, then T, and then these attributes are the identity's.
static void test_transformation(void **unused) {
    (void)unused;
    st_scene *scene =
        load("<OglModel name=\"v\" position=\"1 2 3\" triangles=\"0 0 0\" scale=\"2\" rz=\"90\" dx=\"10\" su=\"2\"/>");
    const st_real *x = model(scene)->coord[ST_COORD_POSITION].data, *rest = model(scene)->coord[ST_COORD_REST].data;
    static const double expected[3] = {6, 2, 6};
    for (int i = 0; i < 3; i++) {
        assert_float_equal((double)x[i], expected[i], 1e-5);
        assert_float_equal((double)rest[i], expected[i], 1e-5);
    }
    check_field(scene, "scale3d", "1 1 1");
    check_field(scene, "rotation", "0 0 0");
    check_field(scene, "translation", "0 0 0");
    assert_string_equal(messages, "");
    st_scene_destroy(scene);
}

static void test_mapping_resizes(void **unused) {
    (void)unused;
    st_scene *scene = load("<MechanicalObject position=\"0 0 0  1 0 0  0 2 0\"/><Node name=\"c\">"
                           "<OglModel name=\"v\" triangles=\"0 1 2\"/><IdentityMapping/></Node>");
    assert_int_equal(model(scene)->size, 3);
    assert_int_equal(model(scene)->deriv[ST_DERIV_NORMAL].count, 3);
    assert_float_equal(draw(scene).area, 1, 1e-6);
    st_scene_destroy(scene);
}

static void test_bad_seams(void **unused) {
    (void)unused;
    st_scene *scene = load(
        "<OglModel name=\"v\" position=\"0 0 0  1 0 0  0 1 0\" triangles=\"0 1 2\" vertPosIdx=\"0 4294967294 1\"/>");
    assert_non_null(strstr(messages, "vertPosIdx names point 4294967294"));
    st_scene_destroy(scene);
    scene = load("<OglModel name=\"v\" position=\"0 0 0  1 0 0  0 1 0\" triangles=\"0 1 2  7 8 9\" vertPosIdx=\"0\"/>");
    assert_non_null(strstr(messages, "vertPosIdx has 1 entries"));
    assert_int_equal(draw(scene).triangles, 1);
    st_scene_destroy(scene);
}

static void test_lines_and_display(void **unused) {
    (void)unused;
    st_scene *scene =
        load("<OglModel name=\"v\" position=\"0 0 0  1 0 0\" edges=\"0 1\" lineWidth=\"5\" normals=\"0\" "
             "texturename=\"a.png\" isToPrint=\"0\" primitiveType=\"DEFAULT\" blendEquation=\"GL_FUNC_ADD\" "
             "sfactor=\"GL_SRC_ALPHA\" dfactor=\"GL_ONE\" computeTangents=\"1\" material=\"m Diffuse 0 1 1 1 1\"/>"
             "<MeshTopology/>");
    assert_int_equal(draw(scene).lines, 1);
    assert_string_equal(messages, "");
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given_mesh),        cmocka_unit_test(test_seams),
        cmocka_unit_test(test_without_seams),     cmocka_unit_test(test_file),
        cmocka_unit_test(test_topology),          cmocka_unit_test(test_transformation),
        cmocka_unit_test(test_mapping_resizes),   cmocka_unit_test(test_bad_seams),
        cmocka_unit_test(test_lines_and_display),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
