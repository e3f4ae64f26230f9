// Pictures: what is drawn lies where geometry says, hostile input neither crashes nor draws, and a PNG file is whole
// or absent.
//
// Most tests look along -z at the square [-1, 1] x [-1, 1], which fills 88 % of the image: with 200 x 200 pixels that
// is the pixels 12 to 187 in both directions.
//
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "visual/normals.h"
#include "visual/picture.h"

static const st_color red = {1, 0, 0, 1}, blue = {0, 0, 1, 1};
static const uint8_t gray[3] = {204, 204, 204};

static st_picture_view square_view(void) {
    st_picture_view view = st_default_picture_view();
    view.width = view.height = 200;
    view.direction[0] = view.direction[1] = 0;
    view.direction[2] = 1;
    view.axes = false;
    view.background_top = view.background_bottom = (st_color){0.8f, 0.8f, 0.8f, 1};
    view.has_bounds = true;
    for (int k = 0; k < 2; k++) view.bounds[0][k] = -1, view.bounds[1][k] = 1;
    return view;
}

static void render(const st_picture *picture, const st_picture_view *view, st_image *image) {
    st_image_error error = {""};
    assert_int_equal(st_picture_render(picture, view, image, &error), ST_OK);
    assert_string_equal(error.text, "");
    assert_int_equal(image->width, view->width);
    assert_int_equal(image->height, view->height);
}

static const uint8_t *pixel(const st_image *image, uint32_t x, uint32_t y) {
    return image->pixels + 3 * ((size_t)y * image->width + x);
}

static bool is_background(const st_image *image, uint32_t x, uint32_t y) {
    return memcmp(pixel(image, x, y), gray, 3) == 0;
}

static size_t count_drawn(const st_image *image) {
    size_t count = 0;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++) count += !is_background(image, x, y);
    return count;
}

static void add_square(st_picture *picture, double half, double z, st_color color) {
    const st_real h = (st_real)half, at = (st_real)z;
    const st_real points[] = {-h, -h, at, h, -h, at, h, h, at, -h, h, at};
    const uint32_t quad[] = {0, 1, 2, 3};
    st_surface_style style = st_default_surface_style();
    style.color = color;
    assert_int_equal(st_picture_add_surface(picture, points, 4, NULL, 0, quad, 1, &style), ST_OK);
}

// ---- geometry

static void triangle_covers_its_half_of_the_square(void **state) {
    (void)state;
    const st_real points[] = {-1, -1, 0, 1, -1, 0, -1, 1, 0};
    const uint32_t triangle[] = {0, 1, 2};
    const st_surface_style style = st_default_surface_style();
    st_picture picture = {0};
    const st_picture_view view = square_view();
    st_image image = {0};
    st_picture_add_surface(&picture, points, 3, triangle, 1, NULL, 0, &style);
    render(&picture, &view, &image);
    assert_false(is_background(&image, 13, 186));
    assert_false(is_background(&image, 13, 20));
    assert_false(is_background(&image, 180, 186));
    assert_false(is_background(&image, 98, 101));
    assert_true(is_background(&image, 10, 150));
    assert_true(is_background(&image, 100, 189));
    assert_true(is_background(&image, 103, 98));
    assert_true(is_background(&image, 180, 20));
    assert_in_range(count_drawn(&image), 176 * 176 * 49 / 100, 176 * 176 * 52 / 100);
    st_image_free(&image);
    st_picture_free(&picture);
}

static void nearer_hides_farther_in_any_order(void **state) {
    (void)state;
    const st_picture_view view = square_view();
    for (int order = 0; order < 2; order++) {
        st_picture picture = {0};
        st_image image = {0};
        add_square(&picture, 0.5, order ? 0.2 : -0.2, order ? red : blue);
        add_square(&picture, 0.5, order ? -0.2 : 0.2, order ? blue : red);
        render(&picture, &view, &image);
        const uint8_t *p = pixel(&image, 100, 100);
        assert_true(p[0] > 150 && p[2] < 100);
        st_image_free(&image);
        st_picture_free(&picture);
    }
}

// Both triangles of a quad touch the samples on its diagonal; a gap or a doubled sample would show when transparent.
static void shared_sides_are_drawn_once(void **state) {
    (void)state;
    const st_picture_view view = square_view();
    st_picture picture = {0};
    st_image image = {0};
    add_square(&picture, 1, 0, (st_color){0, 0.5f, 1, 0.5f});
    render(&picture, &view, &image);
    assert_false(is_background(&image, 100, 100));
    for (uint32_t y = 13; y < 187; y++)
        for (uint32_t x = 13; x < 187; x++) assert_memory_equal(pixel(&image, x, y), pixel(&image, 100, 100), 3);
    st_image_free(&image);
    st_picture_free(&picture);
}

// The near transparent square is blended over the far one whichever was added first.
static void transparent_shapes_are_sorted(void **state) {
    (void)state;
    const st_picture_view view = square_view();
    uint8_t seen[2][3];
    for (int order = 0; order < 2; order++) {
        st_picture picture = {0};
        st_image image = {0};
        for (int i = 0; i < 2; i++) {
            const bool front = i == order;
            add_square(&picture, 0.5, front ? 0.2 : -0.2,
                       front ? (st_color){1, 0, 0, 0.5f} : (st_color){0, 0, 1, 0.5f});
        }
        render(&picture, &view, &image);
        memcpy(seen[order], pixel(&image, 100, 100), 3);
        st_image_free(&image);
        st_picture_free(&picture);
    }
    assert_memory_equal(seen[0], seen[1], 3);
    assert_true(seen[0][0] > seen[0][2]);
}

static void line_and_point_have_the_given_size_in_pixels(void **state) {
    (void)state;
    const st_picture_view view = square_view();
    const st_real ends[] = {-1, 0, 0, 1, 0, 0}, origin[] = {0, 0, 0};
    const uint32_t pair[] = {0, 1};
    st_picture picture = {0};
    st_image image = {0};
    st_picture_add_lines(&picture, ends, 2, pair, 1, red, 4);
    render(&picture, &view, &image);
    for (uint32_t y = 0; y < 200; y++) assert_int_equal(is_background(&image, 60, y), y < 98 || y > 101);
    st_picture_free(&picture);
    st_picture_add_points(&picture, origin, 1, blue, 20);
    render(&picture, &view, &image);
    // The area is 1257; pixels that the circle only touches count, too.
    assert_in_range(count_drawn(&image), 1220, 1360);
    assert_true(is_background(&image, 100, 79) && !is_background(&image, 100, 81));
    st_image_free(&image);
    st_picture_free(&picture);
}

static void marked_sides_are_darker_and_diagonals_are_not(void **state) {
    (void)state;
    const st_picture_view view = square_view();
    const st_real points[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
    const uint32_t quad[] = {0, 1, 2, 3};
    st_surface_style style = st_default_surface_style();
    style.edges = true;
    style.edge_width = 4;
    st_picture picture = {0};
    st_image image = {0};
    st_picture_add_surface(&picture, points, 4, NULL, 0, quad, 1, &style);
    render(&picture, &view, &image);
    const uint8_t *middle = pixel(&image, 100, 60), *diagonal = pixel(&image, 100, 100), *side = pixel(&image, 13, 100);
    assert_memory_equal(middle, diagonal, 3);
    assert_true(side[0] < middle[0] / 2 + 20 && side[2] < middle[2] - 50);
    st_image_free(&image);
    st_picture_free(&picture);
}

// Whatever the units and the place of the scene, it fills the image up to the margin and never leaves it.
static void everything_fits_at_any_scale(void **state) {
    (void)state;
    static const double scales[] = {1e-12, 1e-3, 1, 1e6, 1e20}, offsets[] = {0, 1, 1000};
    st_picture_view view = square_view();
    view.has_bounds = false;
    view.direction[0] = 1.3, view.direction[1] = -0.7, view.direction[2] = 0.4;
    view.height = 120;
    for (size_t i = 0; i < 15; i++) {
        const double scale = scales[i / 3], offset = offsets[i % 3];
        st_real points[24];
        for (int k = 0; k < 24; k++) points[k] = (st_real)(scale * (offset + (k / 3 >> k % 3 & 1) * (1 + k % 3)));
        st_picture picture = {0};
        st_image image = {0};
        st_picture_add_points(&picture, points, 8, red, 1);
        render(&picture, &view, &image);
        uint32_t low[2] = {999, 999}, high[2] = {0, 0};
        for (uint32_t y = 0; y < image.height; y++)
            for (uint32_t x = 0; x < image.width; x++) {
                if (is_background(&image, x, y)) continue;
                low[0] = x < low[0] ? x : low[0], high[0] = x > high[0] ? x : high[0];
                low[1] = y < low[1] ? y : low[1], high[1] = y > high[1] ? y : high[1];
            }
        assert_in_range(low[1], 5, 8); // 6 % of 120
        assert_in_range(high[1], 111, 114);
        assert_true(low[0] > 9 && high[0] < 190);
        st_image_free(&image);
        st_picture_free(&picture);
    }
}

// The floor runs from before the eye to far behind it: what is in front must appear, and only below the horizon.
static void shapes_behind_the_eye_are_clipped(void **state) {
    (void)state;
    st_picture_view view = square_view();
    view.has_bounds = false;
    view.has_eye = true;
    view.eye[1] = 1;
    view.target[1] = 1, view.target[2] = -1;
    view.eye[2] = 0;
    const st_real points[] = {-1e6f, 0, 1e6f, 1e6f, 0, 1e6f, 0, 0, -1e6f};
    const uint32_t triangle[] = {0, 1, 2};
    const st_surface_style style = st_default_surface_style();
    st_picture picture = {0};
    st_image image = {0};
    st_picture_add_surface(&picture, points, 3, triangle, 1, NULL, 0, &style);
    render(&picture, &view, &image);
    assert_true(is_background(&image, 100, 90) && is_background(&image, 20, 95));
    assert_false(is_background(&image, 100, 110));
    assert_false(is_background(&image, 3, 197));
    st_image_free(&image);
    st_picture_free(&picture);
}

static void normals_are_smooth_on_a_sphere_and_sharp_on_a_box(void **state) {
    (void)state;
    enum { AROUND = 24, ALONG = 12, POINTS = AROUND * (ALONG - 1), TRIANGLES = AROUND * (ALONG - 2) * 2 };
    static double sphere[3 * POINTS];
    static uint32_t triangles[3 * TRIANGLES];
    static float normals[9 * TRIANGLES];
    size_t n = 0;
    for (int j = 0; j < ALONG - 1; j++)
        for (int i = 0; i < AROUND; i++) {
            const double a = 2 * acos(-1.0) * i / AROUND, b = acos(-1.0) * (j + 1) / ALONG;
            double *p = sphere + 3 * (j * AROUND + i);
            p[0] = cos(a) * sin(b), p[1] = cos(b), p[2] = sin(a) * sin(b);
            if (j + 2 == ALONG) continue;
            const uint32_t v = (uint32_t)(j * AROUND + i), w = (uint32_t)(j * AROUND + (i + 1) % AROUND);
            // Every second triangle is turned around: orientation must not matter.
            const uint32_t corners[6] = {v, w, v + AROUND, w, v + AROUND, w + AROUND};
            memcpy(triangles + n, corners, sizeof corners);
            n += 6;
        }
    assert_true(st_corner_normals(sphere, POINTS, triangles, TRIANGLES, false, normals));
    for (size_t i = AROUND * 6; i < 3 * (TRIANGLES - 2 * AROUND); i++) {
        const double *p = sphere + 3 * (size_t)triangles[i];
        const float *m = normals + 3 * i;
        const double cosine = p[0] * m[0] + p[1] * m[1] + p[2] * m[2];
        assert_true(fabs(cosine) > 0.99);
    }
    static const double box[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1}; // two squares' halves that meet at 90 degrees
    const uint32_t halves[] = {0, 1, 2, 0, 1, 3};
    assert_true(st_corner_normals(box, 4, halves, 2, false, normals));
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++) assert_true(fabs(fabs((double)normals[3 * i + k]) - (k == (i < 3 ? 2 : 1))) < 1e-6);
}

// ---- hostile input

static void nothing_gives_background_and_axes(void **state) {
    (void)state;
    st_picture_view view = st_default_picture_view();
    view.width = 320, view.height = 240;
    st_picture picture = {0};
    st_image image = {0};
    double bounds[2][3];
    assert_false(st_picture_bounds(&picture, bounds));
    render(&picture, &view, &image);
    size_t colored[3] = {0, 0, 0};
    for (uint32_t y = 0; y < 240; y++)
        for (uint32_t x = 0; x < 320; x++) {
            const uint8_t *p = pixel(&image, x, y);
            for (int c = 0; c < 3; c++) {
                const bool strong = p[c] > p[(c + 1) % 3] + 60 && p[c] > p[(c + 2) % 3] + 60;
                colored[c] += strong;
                if (strong) assert_true(x < 60 && y > 180);
            }
        }
    assert_true(colored[0] > 5 && colored[1] > 5 && colored[2] > 5);
    // The gradient: lighter above, and the same along a row.
    assert_true(pixel(&image, 200, 0)[0] > pixel(&image, 200, 239)[0] + 20);
    assert_memory_equal(pixel(&image, 100, 120), pixel(&image, 319, 120), 3);
    st_image_free(&image);
    st_picture_free(&picture);
}

static void what_is_not_finite_is_left_out(void **state) {
    (void)state;
    const st_picture_view view = square_view();
    const st_real points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, (st_real)NAN, 0, 0, 0, (st_real)INFINITY, 0};
    const uint32_t triangles[] = {0, 1, 3, 1, 2, 4}, lines[] = {0, 3, 4, 1}, quad[] = {0, 1, 2, 3};
    st_surface_style style = st_default_surface_style();
    style.edges = true;
    st_picture picture = {0};
    st_image image = {0};
    st_picture_add_surface(&picture, points, 5, triangles, 2, NULL, 0, &style);
    st_picture_add_lines(&picture, points, 5, lines, 2, red, 3);
    st_picture_add_points(&picture, points + 9, 2, red, 3);
    style.color.a = 0.5f;
    st_picture_add_surface(&picture, points, 5, triangles, 2, NULL, 0, &style);
    render(&picture, &view, &image);
    assert_int_equal(count_drawn(&image), 0);
    // The good half of a quad with one bad corner is drawn.
    st_picture_add_surface(&picture, points, 5, NULL, 0, quad, 1, &style);
    render(&picture, &view, &image);
    assert_true(count_drawn(&image) > 1000);
    double bounds[2][3];
    assert_true(st_picture_bounds(&picture, bounds));
    for (int k = 0; k < 3; k++) assert_true(bounds[0][k] == 0 && bounds[1][k] == (k < 2 ? 1 : 0));
    st_image_free(&image);
    st_picture_free(&picture);
}

static void huge_and_random_coordinates_are_harmless(void **state) {
    (void)state;
    enum { POINTS = 60 };
    st_picture_view view = square_view();
    uint32_t seed = 12345;
    for (int round = 0; round < 200; round++) {
        st_real points[3 * POINTS];
        uint32_t indices[3 * POINTS];
        for (int i = 0; i < 3 * POINTS; i++) {
            seed = seed * 1664525u + 1013904223u;
            const double exponent = (double)(seed >> 16 & 1023) / 1023 * (round % 4 == 0 ? 2 : 290);
            points[i] = (st_real)((seed & 0x8000000u ? -1 : 1) * pow(10, exponent - (round % 4 == 0 ? 1 : 20)));
            indices[i] = (seed >> 8) % POINTS;
        }
        st_picture picture = {0};
        st_image image = {0};
        st_surface_style style = st_default_surface_style();
        style.edges = round & 1;
        style.color.a = round & 2 ? 0.5f : 1.0f;
        st_picture_add_surface(&picture, points, POINTS, indices, POINTS, NULL, 0, &style);
        st_picture_add_lines(&picture, points, POINTS, indices, POINTS, red, (float)(round % 7));
        st_picture_add_points(&picture, points, POINTS, blue, (float)(round % 50));
        view.has_bounds = round & 4;
        view.has_eye = round & 8;
        for (int k = 0; k < 3; k++) view.eye[k] = (double)points[k], view.target[k] = (double)points[30 + k] + 1;
        st_image_error error;
        const st_status status = st_picture_render(&picture, &view, &image, &error);
        assert_true(status == ST_OK || status == ST_INVALID);
        st_image_free(&image);
        st_picture_free(&picture);
    }
}

static void wrong_arguments_are_answered(void **state) {
    (void)state;
    const st_real points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t bad[] = {0, 1, 3, 0};
    const st_surface_style style = st_default_surface_style();
    st_picture picture = {0};
    st_image image = {0};
    st_image_error error;
    assert_int_equal(st_picture_add_surface(&picture, points, 3, bad, 1, NULL, 0, &style), ST_INVALID);
    assert_int_equal(st_picture_add_surface(&picture, points, 3, NULL, 0, bad, 1, &style), ST_INVALID);
    assert_int_equal(st_picture_add_lines(&picture, points, 3, bad + 2, 1, red, 1), ST_INVALID);
    assert_int_equal(st_picture_add_lines(&picture, points, 3, NULL, 2, red, 1), ST_INVALID);
    assert_int_equal(picture.shapes.count, 0);
    static const uint32_t sizes[][2] = {{0, 10}, {10, 0}, {16385, 1}, {16384, 16384}, {UINT32_MAX, UINT32_MAX}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        st_picture_view view = st_default_picture_view();
        view.width = sizes[i][0], view.height = sizes[i][1];
        assert_int_equal(st_picture_render(&picture, &view, &image, &error), ST_INVALID);
        assert_non_null(strstr(error.text, "pixels"));
        assert_int_equal(st_picture_render(&picture, &view, &image, NULL), ST_INVALID);
    }
    st_picture_view view = square_view();
    view.direction[2] = 0;
    assert_int_equal(st_picture_render(&picture, &view, &image, &error), ST_INVALID);
    assert_non_null(strstr(error.text, "direction"));
    view = square_view();
    view.zoom = 0;
    assert_int_equal(st_picture_render(&picture, &view, &image, &error), ST_INVALID);
    view = square_view();
    view.field_of_view = NAN;
    assert_int_equal(st_picture_render(&picture, &view, &image, &error), ST_INVALID);
    view = square_view();
    view.bounds[1][0] = NAN;
    assert_int_equal(st_picture_render(&picture, &view, &image, &error), ST_INVALID);
    view = square_view();
    view.width = view.height = 1;
    render(&picture, &view, &image);
    st_image_free(&image);
    st_picture_free(&picture);
}

static void caption_is_written_in_the_upper_left_corner(void **state) {
    (void)state;
    const st_picture_view view = square_view();
    st_picture picture = {0};
    st_image image = {0};
    st_picture_set_caption(&picture, "t = 1.00 s");
    render(&picture, &view, &image);
    const size_t drawn = count_drawn(&image);
    assert_in_range(drawn, 100, 1000);
    for (uint32_t y = 0; y < 200; y++)
        for (uint32_t x = 0; x < 200; x++)
            if (y > 30 || x > 120) assert_true(is_background(&image, x, y));
    // Longer than the image, several lines, bytes that are no text.
    char text[3000];
    for (int i = 0; i < 2999; i++) text[i] = (char)(1 + i % 255);
    text[2999] = 0;
    st_picture_set_caption(&picture, text);
    render(&picture, &view, &image);
    st_picture_set_caption(&picture, NULL);
    render(&picture, &view, &image);
    assert_int_equal(count_drawn(&image), 0);
    st_image_free(&image);
    st_picture_free(&picture);
}

// ---- files

typedef struct folder {
    char path[64], file[128];
} folder;

static int make_folder(void **state) {
    folder *f = calloc(1, sizeof *f);
    if (!f) return -1;
    snprintf(f->path, sizeof f->path, "/tmp/settee_picture_%ld", (long)getpid());
    if (mkdir(f->path, 0700) != 0) return -1;
    snprintf(f->file, sizeof f->file, "%s/out.png", f->path);
    *state = f;
    return 0;
}

static int count_files(const char *path, bool remove_them) {
    DIR *directory = opendir(path);
    int count = 0;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        char name[512];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (remove_them) unlink(name);
        count++;
    }
    if (directory) closedir(directory);
    return count;
}

static int remove_folder(void **state) {
    folder *f = *state;
    count_files(f->path, true);
    rmdir(f->path);
    free(f);
    return 0;
}

// Noise cannot be compressed, so the file is as large as the image.
static void make_noise(st_image *image, uint32_t width, uint32_t height) {
    assert_int_equal(st_image_resize(image, width, height, NULL), ST_OK);
    uint32_t seed = 1;
    for (size_t i = 0; i < (size_t)width * height * 3; i++) {
        seed = seed * 1664525u + 1013904223u;
        image->pixels[i] = (uint8_t)(seed >> 24);
    }
}

static void check_file(const char *path, const st_image *image) {
    uint8_t head[24];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    fclose(file);
    assert_memory_equal(head, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    assert_int_equal(head[18] << 8 | head[19], image->width);
    assert_int_equal(head[22] << 8 | head[23], image->height);
    png_image read = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&read, path));
    read.format = PNG_FORMAT_RGB;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(read));
    assert_true(pixels && png_image_finish_read(&read, NULL, pixels, 0, NULL));
    assert_memory_equal(pixels, image->pixels, PNG_IMAGE_SIZE(read));
    free(pixels);
}

static void png_file_holds_the_image(void **state) {
    const folder *f = *state;
    st_image image = {0};
    make_noise(&image, 301, 77);
    assert_int_equal(st_image_write_png(&image, f->file, NULL), ST_OK);
    check_file(f->file, &image);
    make_noise(&image, 1, 1);
    assert_int_equal(st_image_write_png(&image, f->file, NULL), ST_OK);
    check_file(f->file, &image);
    assert_int_equal(count_files(f->path, false), 1);
    struct stat info;
    const mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(f->file, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0666 & ~mask);
    st_image_free(&image);
}

static void symbolic_link_stays_and_its_file_is_replaced(void **state) {
    const folder *f = *state;
    char name[128];
    snprintf(name, sizeof name, "%s/link.png", f->path);
    st_image image = {0};
    make_noise(&image, 10, 10);
    assert_int_equal(st_image_write_png(&image, f->file, NULL), ST_OK);
    assert_int_equal(symlink("out.png", name), 0);
    make_noise(&image, 20, 10);
    assert_int_equal(st_image_write_png(&image, name, NULL), ST_OK);
    check_file(f->file, &image);
    struct stat info;
    assert_int_equal(lstat(name, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    st_image_free(&image);
}

static void bad_path_gives_a_message(void **state) {
    const folder *f = *state;
    st_image image = {0}, empty = {0};
    st_image_error error = {""};
    make_noise(&image, 10, 10);
    char path[192];
    snprintf(path, sizeof path, "%s/absent/out.png", f->path);
    assert_int_equal(st_image_write_png(&image, path, &error), ST_FAILED);
    assert_non_null(strstr(error.text, path));
    assert_non_null(strstr(error.text, "No such file"));
    assert_int_equal(st_image_write_png(&image, f->path, &error), ST_INVALID); // a directory
    assert_int_equal(st_image_write_png(&image, "/dev/full", &error), ST_INVALID);
    assert_int_equal(st_image_write_png(&image, "", &error), ST_FAILED);
    assert_int_equal(st_image_write_png(&empty, f->file, &error), ST_INVALID);
    assert_int_equal(count_files(f->path, false), 0);
    st_image_free(&image);
}

// A limit on the size of files stands in for a full disk. It must catch the encoder in the middle (large image) and
// the last flush (small image), and leave the old file as it was.
static void failing_disk_keeps_the_old_file(void **state) {
    const folder *f = *state;
    struct rlimit before, limit;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    st_image good = {0}, image = {0};
    st_image_error error = {""};
    make_noise(&good, 5, 5);
    assert_int_equal(st_image_write_png(&good, f->file, NULL), ST_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (int i = 0; i < 2; i++) {
        make_noise(&image, i ? 400 : 20, i ? 300 : 15);
        limit = before;
        limit.rlim_cur = i ? 100000 : 500;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        const st_status status = st_image_write_png(&image, f->file, &error);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(status, ST_FAILED);
        assert_non_null(strstr(error.text, "File too large"));
        check_file(f->file, &good);
        assert_int_equal(count_files(f->path, false), 1);
    }
    signal(SIGXFSZ, handler);
    st_image_free(&good);
    st_image_free(&image);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangle_covers_its_half_of_the_square),
        cmocka_unit_test(nearer_hides_farther_in_any_order),
        cmocka_unit_test(shared_sides_are_drawn_once),
        cmocka_unit_test(transparent_shapes_are_sorted),
        cmocka_unit_test(line_and_point_have_the_given_size_in_pixels),
        cmocka_unit_test(marked_sides_are_darker_and_diagonals_are_not),
        cmocka_unit_test(everything_fits_at_any_scale),
        cmocka_unit_test(shapes_behind_the_eye_are_clipped),
        cmocka_unit_test(normals_are_smooth_on_a_sphere_and_sharp_on_a_box),
        cmocka_unit_test(nothing_gives_background_and_axes),
        cmocka_unit_test(what_is_not_finite_is_left_out),
        cmocka_unit_test(huge_and_random_coordinates_are_harmless),
        cmocka_unit_test(wrong_arguments_are_answered),
        cmocka_unit_test(caption_is_written_in_the_upper_left_corner),
        cmocka_unit_test_setup_teardown(png_file_holds_the_image, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(symbolic_link_stays_and_its_file_is_replaced, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(bad_path_gives_a_message, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(failing_disk_keeps_the_old_file, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
