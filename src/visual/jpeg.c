// Reading JPEG images: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/jpeg.h"

#if SETTEE_READS_JPEG

#include <setjmp.h>
#include <string.h>

// jpeglib.h wants stdio.h before it
#include <jpeglib.h>

#include "base/array.h"

typedef struct reader {
    struct jpeg_error_mgr errors;
    jmp_buf way_out;
    char *why;
    size_t size;
} reader;

static void on_error(j_common_ptr info) {
    reader *r = (reader *)info->err;
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    snprintf(r->why, r->size, "%s", text);
    longjmp(r->way_out, 1);
}

static void on_message(j_common_ptr info, int level) {
    (void)info;
    (void)level;
}

// A row of three channels becomes one of four, from its end so that it can be the same memory.
static void widen(uint8_t *row, size_t width) {
    for (size_t x = width; x-- > 0;) {
        memmove(row + 4 * x, row + 3 * x, 3);
        row[4 * x + 3] = 255;
    }
}

static bool decode(struct jpeg_decompress_struct *info, reader *r, st_texture *texture, FILE *file) {
    if (setjmp(r->way_out)) return false;

    // whatever it is made of, it becomes red, green and blue
    jpeg_stdio_src(info, file);
    jpeg_read_header(info, TRUE);
    info->out_color_space = JCS_RGB;
    jpeg_start_decompress(info);

    const size_t width = info->output_width, height = info->output_height;
    if (width * height > ST_IMAGE_MAX_PIXELS) {
        snprintf(r->why, r->size, "%zu x %zu pixels are too many", width, height);
        return false;
    }

    // row by row into the memory of the texture
    texture->pixels = st_alloc(width * height, 4);
    if (!texture->pixels) return false;
    texture->width = (uint32_t)width;
    texture->height = (uint32_t)height;

    while (info->output_scanline < height) {
        uint8_t *row = texture->pixels + 4 * width * info->output_scanline;
        jpeg_read_scanlines(info, &row, 1);
        widen(row, width);
    }
    return jpeg_finish_decompress(info) != 0;
}

bool st_jpeg_read(st_texture *texture, FILE *file, char *why, size_t size) {
    struct jpeg_decompress_struct info = {0};
    reader r = {.why = why, .size = size};
    snprintf(why, size, "out of memory");
    info.err = jpeg_std_error(&r.errors);
    r.errors.error_exit = on_error;
    r.errors.emit_message = on_message;
    jpeg_create_decompress(&info);

    const bool ok = decode(&info, &r, texture, file);
    jpeg_destroy_decompress(&info);
    return ok;
}

#else

bool st_jpeg_read(st_texture *texture, FILE *file, char *why, size_t size) {
    (void)texture;
    (void)file;
    snprintf(why, size, "JPEG images are not read: settee was built without libjpeg");
    return false;
}

#endif
