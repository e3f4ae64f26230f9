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
    else snprintf(why, size, "it is neither a PNG nor a JPEG image");

    fclose(file);
    if (!ok) st_texture_free(texture);
    return ok;
}
