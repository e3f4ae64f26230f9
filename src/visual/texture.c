// Reading images for surfaces: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/texture.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "settee/file.h"
#include "visual/jpeg.h"

void st_texture_free(st_texture *texture) {
    st_free(texture->pixels);
    *texture = (st_texture){0};
}

static bool read_png(st_texture *texture, FILE *file, char *why, size_t size) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    bool ok = png_image_begin_read_from_stdio(&image, file) != 0;

    // no more than a picture may have
    if (ok && (size_t)image.width * image.height > ST_IMAGE_MAX_PIXELS) {
        snprintf(why, size, "%u x %u pixels are too many", (unsigned)image.width, (unsigned)image.height);
        png_image_free(&image);
        return false;
    }

    image.format = PNG_FORMAT_RGBA;
    texture->pixels = ok ? st_alloc((size_t)image.width * image.height, 4) : NULL;
    ok = texture->pixels && png_image_finish_read(&image, NULL, texture->pixels, 0, NULL) != 0;
    texture->width = image.width;
    texture->height = image.height;
    if (!ok) snprintf(why, size, "%s", image.message[0] ? image.message : "out of memory");
    png_image_free(&image);
    return ok;
}

// Little-endian.
static uint32_t number(const uint8_t *bytes, int count) {
    uint32_t value = 0;
    for (int k = count; k-- > 0;) value = value << 8 | bytes[k];
    return value;
}

// Uncompressed, 24 or 32 bits a pixel: rows from the bottom (height above 0) or the top, each filled to four bytes.
static bool read_bmp(st_texture *texture, FILE *file, char *why, size_t size) {
    uint8_t head[54] = {0};
    const bool some = fread(head, 1, sizeof head, file) == sizeof head;

    // the head must be one that is understood
    const int32_t width = some ? (int32_t)number(head + 18, 4) : 0, height = some ? (int32_t)number(head + 22, 4) : 0;
    const uint32_t bits = number(head + 28, 2), packing = number(head + 30, 4);
    const bool fits = width > 0 && width <= ST_IMAGE_MAX_SIDE && height != 0 && height >= -ST_IMAGE_MAX_SIDE &&
                      height <= ST_IMAGE_MAX_SIDE &&
                      (int64_t)width * (height < 0 ? -height : height) <= ST_IMAGE_MAX_PIXELS;
    if (!some || !fits || (bits != 24 && bits != 32) || packing != 0) {
        snprintf(why, size, "only BMP images of 24 or 32 bits that are not compressed are read");
        return false;
    }

    const size_t columns = (size_t)width, rows = (size_t)(height < 0 ? -height : height), bytes = bits / 8;
    const size_t stride = (columns * bytes + 3) / 4 * 4;
    uint8_t *row = st_alloc(stride, 1);

    // blue, green, red become red, green, blue
    texture->pixels = st_alloc(columns * rows, 4);
    bool ok = row && texture->pixels && fseek(file, (long)number(head + 10, 4), SEEK_SET) == 0;
    for (size_t y = 0; ok && y < rows; y++) {
        ok = fread(row, 1, stride, file) == stride;
        uint8_t *to = texture->pixels + 4 * columns * (height > 0 ? rows - 1 - y : y);
        for (size_t x = 0; ok && x < columns; x++) {
            for (size_t k = 0; k < 3; k++) to[4 * x + k] = row[bytes * x + 2 - k];
            to[4 * x + 3] = 255;
        }
    }

    texture->width = (uint32_t)columns;
    texture->height = (uint32_t)rows;
    if (!ok) snprintf(why, size, "the file ends too early");
    st_free(row);
    return ok;
}

bool st_texture_read(st_texture *texture, const char *path, char *why, size_t size) {
    uint8_t begin[4] = {0};
    FILE *file = fopen(path, "rb");
    if (!file) {
        st_error_text(errno, why, size);
        return false;
    }

    // the first bytes tell the format
    const bool some = fread(begin, 1, sizeof begin, file) == sizeof begin && fseek(file, 0, SEEK_SET) == 0;
    bool ok = false;
    if (some && memcmp(begin, "\x89PNG", 4) == 0) ok = read_png(texture, file, why, size);
    else if (some && begin[0] == 0xFF && begin[1] == 0xD8) ok = st_jpeg_read(texture, file, why, size);
    else if (some && begin[0] == 'B' && begin[1] == 'M') ok = read_bmp(texture, file, why, size);
    else snprintf(why, size, "it is neither a PNG nor a JPEG nor a BMP image");

    fclose(file);
    if (!ok) st_texture_free(texture);
    return ok;
}
