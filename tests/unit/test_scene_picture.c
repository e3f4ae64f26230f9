// Pictures of scenes: what is a place in space is drawn, and nothing else.
//
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "physics_scene.h"

static size_t picture_of(const char *children, char *bytes, size_t size) {
    char path[] = "/tmp/settee-picture-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    physics_scene *test = physics_load(children);
    st_picture_options options = st_default_picture_options();
    options.width = options.height = 64;
    assert_int_equal(st_scene_write_png(test->scene, path, &options), ST_OK);
    physics_free(test);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(bytes, 1, size, file);
    fclose(file);
    unlink(path);
    return length;
}

static void angle_is_not_a_place(void **unused) {
    (void)unused;
    static char flat[32768], turned[32768], deep[32768];
    const size_t length =
        picture_of("<MechanicalObject template='Rigid2' position='0 0 0  1 0 0'/>", flat, sizeof flat);
    assert_int_equal(picture_of("<MechanicalObject template='Rigid2' position='0 0 1  1 0 3'/>", turned, sizeof turned),
                     length);
    assert_memory_equal(flat, turned, length);
    const size_t other = picture_of("<MechanicalObject template='Vec3' position='0 0 1  1 0 3'/>", deep, sizeof deep);
    assert_true(other != length || memcmp(flat, deep, length) != 0);
}

static void size_must_be_positive(void **unused) {
    (void)unused;
    physics_scene *test = physics_load("<MechanicalObject position='0 0 0'/>");
    st_picture_options options = st_default_picture_options();
    options.width = 0;
    assert_int_equal(st_scene_write_png(test->scene, "a.png", &options), ST_INVALID);
    assert_non_null(strstr(test->log, "its size must be positive"));
    physics_free(test);
}

enum { SIDE = 32, BYTES = 3 * SIDE * SIDE };

static st_picture_options small(void) {
    st_picture_options options = st_default_picture_options();
    options.width = options.height = SIDE;
    return options;
}

// A square that fills the picture, with and without texture coordinates.
#define SQUARE(more) "<OglModel position='0 0 0 1 0 0 1 1 0 0 1 0' quads='0 1 2 3' color='1 1 1 1' " more "/>"
#define UV "texcoords='0 0 1 0 1 1 0 1' "

// Two pixels side by side, red and blue, as a BMP image of 24 bits.
static void write_bmp(const char *path) {
    uint8_t bytes[62] = {'B', 'M', 62, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24};
    bytes[56] = 255, bytes[57] = 255; // blue, green, red
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
    fclose(file);
}

static const uint8_t *pixel(const uint8_t *pixels, int x, int y) { return pixels + 3 * (SIDE * y + x); }

static void textures_color_surfaces(void **unused) {
    (void)unused;
    char path[] = "/tmp/settee-texture-XXXXXX", scene[512];
    close(mkstemp(path));
    write_bmp(path);
    snprintf(scene, sizeof scene, SQUARE(UV "texturename='%s'"), path);
    physics_scene *test = physics_load(scene);
    static uint8_t pixels[BYTES];
    st_picture_options options = small();
    options.view[2] = 1;
    assert_int_equal(st_scene_draw_pixels(test->scene, pixels, &options), ST_OK);
    const uint8_t *left = pixel(pixels, SIDE / 2 - 6, SIDE / 2), *right = pixel(pixels, SIDE / 2 + 6, SIDE / 2);
    assert_true(left[0] > left[2] + 100);   // red
    assert_true(right[2] > right[0] + 100); // blue
    assert_int_equal(test->count[ST_WARNING], 0);
    physics_free(test);

    // one that ends too early, one that is none, one that is not there: a warning, and the plain color
    for (int i = 0; i < 3; i++) {
        if (i == 0) assert_int_equal(truncate(path, 58), 0);
        if (i == 1) assert_int_equal(truncate(path, 1), 0);
        if (i == 2) unlink(path);
        test = physics_load(scene);
        assert_int_equal(st_scene_draw_pixels(test->scene, pixels, &options), ST_OK);
        assert_non_null(strstr(test->log, "warning: picture: the texture is not drawn: "));
        left = pixel(pixels, SIDE / 2 - 6, SIDE / 2);
        assert_true(abs(left[0] - left[2]) < 8);
        physics_free(test);
    }
}

static void fields_color_bodies(void **unused) {
    (void)unused;
    physics_scene *test = physics_load("<MeshTopology triangles='0 1 2'/>"
                                       "<MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0'/>");
    static uint8_t plain[BYTES], colored[BYTES];
    st_picture_options options = small();
    options.view[2] = 1;
    assert_int_equal(st_scene_draw_pixels(test->scene, plain, &options), ST_OK);
    options.color = "/dofs.position";
    options.color_range[0] = -2, options.color_range[1] = -1; // all of it is at the upper end: red
    assert_int_equal(st_scene_draw_pixels(test->scene, colored, &options), ST_OK);
    const uint8_t *p = pixel(colored, 10, 20), *q = pixel(plain, 10, 20);
    assert_true(p[0] > p[2] + 60 && q[2] > q[0]);
    physics_free(test);
}

static void cameras_decide_what_is_seen(void **unused) {
    (void)unused;
    static uint8_t all[BYTES], part[BYTES], own[BYTES];
    physics_scene *test = physics_load("<Node name='floor'><OglModel position='-50 0 -50 50 0 -50 50 0 50 -50 0 50' "
                                       "quads='0 1 2 3'/></Node><Node name='ball'>" SQUARE("name='v'") "</Node>");
    st_picture_options options = small();
    assert_int_equal(st_scene_draw_pixels(test->scene, all, &options), ST_OK);
    options.fit = "/ball";
    assert_int_equal(st_scene_draw_pixels(test->scene, part, &options), ST_OK);
    assert_memory_not_equal(all, part, BYTES);
    options.fit = "/bal"; // the beginning of a name is not the name
    assert_int_equal(st_scene_draw_pixels(test->scene, part, &options), ST_INVALID);
    assert_non_null(strstr(test->log, "'/bal' cannot fit in the picture: nothing is drawn of it"));
    options = small();
    options.has_eye = true;
    options.eye[1] = 3, options.eye[2] = 5;
    assert_int_equal(st_scene_draw_pixels(test->scene, own, &options), ST_OK);
    assert_memory_not_equal(all, own, BYTES);
    options.has_target = true; // the eye where it looks at: no direction
    options.target[1] = 3, options.target[2] = 5;
    assert_int_equal(st_scene_draw_pixels(test->scene, own, &options), ST_INVALID);
    physics_free(test);
}

static void empty_pictures_are_reported(void **unused) {
    (void)unused;
    static uint8_t pixels[BYTES];
    const char *empty[] = {"", "<MechanicalObject position='0 0 0'/><VisualStyle displayFlags='hideVisualModels'/>"};
    for (int i = 0; i < 2; i++) {
        physics_scene *test = physics_load(empty[i]);
        const st_picture_options options = small();
        assert_int_equal(st_scene_draw_pixels(test->scene, pixels, &options), ST_OK);
        assert_non_null(strstr(test->log, "warning: picture: the picture is empty"));
        physics_free(test);
    }
}

static void unwritable_folders_are_reported(void **unused) {
    (void)unused;
    physics_scene *test = physics_load("<MechanicalObject position='0 0 0'/>");
    const st_picture_options options = small();
    assert_int_equal(st_scene_write_png(test->scene, "/nowhere/at/all/p.png", &options), ST_FAILED);
    assert_non_null(strstr(test->log, "the picture could not be written: /nowhere/at/all/p.png"));
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angle_is_not_a_place),
        cmocka_unit_test(size_must_be_positive),
        cmocka_unit_test(textures_color_surfaces),
        cmocka_unit_test(fields_color_bodies),
        cmocka_unit_test(cameras_decide_what_is_seen),
        cmocka_unit_test(empty_pictures_are_reported),
        cmocka_unit_test(unwritable_folders_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
