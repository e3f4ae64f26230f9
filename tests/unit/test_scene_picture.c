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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angle_is_not_a_place),
        cmocka_unit_test(size_must_be_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
