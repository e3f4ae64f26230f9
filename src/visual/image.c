// Images and their PNG files, written with libpng.
//
// libpng reports errors by longjmp. The only function that it may jump back to is encode(), which keeps everything
// that it needs after a jump in a struct of its caller, so no local variable can be clobbered.
//
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // realpath, fdopen
#include "visual/image.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

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
    uint8_t *data = st_alloc((size_t)pixels, 3);
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

static st_status write_pixels(const st_image *image, FILE *file, const char *path, st_image_error *error) {
    encoder e = {0};
    errno = 0;
    e.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &e, on_error, on_warning);
    if (e.png) e.info = png_create_info_struct(e.png);
    const bool made = e.png && e.info;
    const bool good = made && encode(&e, image, file);
    if (e.png) png_destroy_write_struct(&e.png, &e.info);
    if (!made) return st_image_fail(error, ST_OUT_OF_MEMORY, "%s: no memory for the PNG writer", path);
    if (!good)
        return st_image_fail(error, ST_FAILED, "%s: cannot write: %s", path,
                             e.system_error ? strerror(e.system_error) : e.reason);
    return ST_OK;
}

// The file that a symbolic link names is replaced, not the link. A device or a directory must not be replaced at all.
static st_status resolve_target(const char *path, char **target, st_image_error *error) {
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return st_image_fail(error, ST_INVALID, "%s: exists and is not a regular file", path);
    char *real = realpath(path, NULL);
    *target = st_string_copy(real ? real : path);
    free(real);
    return *target ? ST_OK : st_image_fail(error, ST_OUT_OF_MEMORY, "%s: no memory", path);
}

// A new file beside the target, with the permissions that the user's umask gives (mkstemp would make it private).
static FILE *open_beside(const char *target, char **name) {
    for (int attempt = 0; attempt < 100; attempt++) {
        *name = st_string_format("%s.%ld-%d.part", target, (long)getpid(), attempt);
        if (!*name) return NULL;
        const int descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            FILE *file = fdopen(descriptor, "wb");
            if (file) return file;
            close(descriptor);
            unlink(*name);
        }
        const int reason = errno;
        st_free(*name);
        *name = NULL;
        errno = reason;
        if (reason != EEXIST) return NULL;
    }
    return NULL;
}

st_status st_image_write_png(const st_image *image, const char *path, st_image_error *error) {
    if (!image->pixels) return st_image_fail(error, ST_INVALID, "%s: the image is empty", path);
    char *target = NULL, *part = NULL;
    st_status status = resolve_target(path, &target, error);
    if (status != ST_OK) return status;
    FILE *file = open_beside(target, &part);
    if (!file) {
        status = st_image_fail(error, ST_FAILED, "%s: cannot create the file: %s", path, strerror(errno));
        st_free(target);
        return status;
    }
    status = write_pixels(image, file, path, error);
    // The last bytes leave the buffer only here: a full disk may show up as late as this.
    if (fclose(file) != 0 && status == ST_OK)
        status = st_image_fail(error, ST_FAILED, "%s: cannot write: %s", path, strerror(errno));
    if (status == ST_OK && rename(part, target) != 0)
        status = st_image_fail(error, ST_FAILED, "%s: cannot replace the file: %s", path, strerror(errno));
    if (status != ST_OK) unlink(part);
    st_free(part);
    st_free(target);
    return status;
}
