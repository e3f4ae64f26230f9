// Images and their PNG files, written with libpng.
//
// libpng reports errors by longjmp. The only function that it may jump back to is encode(), which keeps everything
// that it needs after a jump in a struct of its caller, so no local variable can be clobbered.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/image.h"

#include <errno.h>
#include <png.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "settee/file.h"

st_status st_image_fail(st_image_error *error, st_status status, const char *format, ...) {
    if (!error) return status;

    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}

st_status st_image_resize(st_image *image, uint32_t width, uint32_t height, st_image_error *error) {
    const uint64_t pixels = (uint64_t)width * height;
    if (width < 1 || height < 1 || width > ST_IMAGE_MAX_SIDE || height > ST_IMAGE_MAX_SIDE ||
        pixels > ST_IMAGE_MAX_PIXELS)
        return st_image_fail(error, ST_INVALID,
                             "image of %u x %u pixels: a side must be 1 to %d, all at most %d pixels", width, height,
                             ST_IMAGE_MAX_SIDE, ST_IMAGE_MAX_PIXELS);

    uint8_t *data = st_alloc(pixels, 3);
    if (!data) return st_image_fail(error, ST_OUT_OF_MEMORY, "no memory for an image of %u x %u pixels", width, height);

    st_free(image->pixels);
    *image = (st_image){width, height, data};
    return ST_OK;
}

void st_image_free(st_image *image) {
    st_free(image->pixels);
    *image = (st_image){0};
}

typedef struct encoder {
    png_structp png;
    png_infop info;
    int system_error; // errno when libpng gave up
    char reason[128]; // libpng's own words
} encoder;

static void on_error(png_structp png, png_const_charp message) {
    encoder *e = png_get_error_ptr(png);
    e->system_error = errno;
    snprintf(e->reason, sizeof e->reason, "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static bool encode(encoder *e, const st_image *image, FILE *file) {
    if (setjmp(png_jmpbuf(e->png))) return false;

    // a plain picture: 8 bits, sRGB, filters that are quick and good enough
    png_init_io(e->png, file);
    png_set_IHDR(e->png, e->info, image->width, image->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(e->png, e->info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(e->png, 6);
    png_set_filter(e->png, PNG_FILTER_TYPE_DEFAULT, PNG_FILTER_NONE | PNG_FILTER_SUB | PNG_FILTER_UP);

    png_write_info(e->png, e->info);
    for (size_t row = 0; row < image->height; row++) png_write_row(e->png, image->pixels + row * image->width * 3);
    png_write_end(e->png, e->info);
    return true;
}

st_status st_image_encode_png(const st_image *image, FILE *file, const char *path, st_image_error *error) {
    encoder e = {0};
    errno = 0;
    e.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &e, on_error, on_warning);

    if (e.png) e.info = png_create_info_struct(e.png);
    const bool made = e.png && e.info;

    const bool good = made && encode(&e, image, file);
    if (e.png) png_destroy_write_struct(&e.png, &e.info);

    // the system's reason says more than libpng's own words
    if (!made) return st_image_fail(error, ST_OUT_OF_MEMORY, "%s: no memory for the PNG writer", path);
    if (good) return ST_OK;
    if (e.system_error) st_error_text(e.system_error, e.reason, sizeof e.reason);
    return st_image_fail(error, ST_FAILED, "%s: cannot write: %s", path, e.reason);
}

// A pipe, a device or a directory is not a place for a picture.
static bool is_something_else(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

st_status st_image_write_png(const st_image *image, const char *path, st_image_error *error) {
    if (!image->pixels) return st_image_fail(error, ST_INVALID, "%s: the image is empty", path);
    if (is_something_else(path)) return st_image_fail(error, ST_INVALID, "%s: exists and is not a regular file", path);

    // written aside, and renamed when it is complete
    char why[sizeof error->text];
    st_file file;
    if (!st_file_create(&file, path, why, sizeof why)) return st_image_fail(error, ST_FAILED, "%s", why);
    const st_status status = st_image_encode_png(image, file.stream, path, error);

    if (status != ST_OK) {
        st_file_abandon(&file);
        return status;
    }

    return st_file_commit(&file, why, sizeof why) ? ST_OK : st_image_fail(error, ST_FAILED, "%s", why);
}
