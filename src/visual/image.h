// An image of 8-bit RGB pixels (sRGB, rows from top to bottom) and its PNG writer.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_IMAGE_H
#define SETTEE_VISUAL_IMAGE_H

#include <stdio.h>

#include "settee/types.h"

enum {
    ST_IMAGE_MAX_SIDE = 16384,
    ST_IMAGE_MAX_PIXELS = 1 << 25, // 8192 x 4096; an 8K frame fits
};

typedef struct st_image {
    uint32_t width, height;
    uint8_t *pixels; // 3 bytes per pixel: red, green, blue
} st_image;

// Why a call failed, ready to be shown. Functions accept NULL where the caller does not want to know.
typedef struct st_image_error {
    char text[512];
} st_image_error;

// Stores the message when error is not NULL and returns the status, so that a failing function can end with it.
st_status st_image_fail(st_image_error *error, st_status status, const char *format, ...) ST_PRINTF(3, 4);

// Makes a black image, releasing what the image held before; start from a zeroed struct.
st_status st_image_resize(st_image *image, uint32_t width, uint32_t height, st_image_error *error);
void st_image_free(st_image *image);

// Writes the image to a stream; `path` is what messages call it.
st_status st_image_encode_png(const st_image *image, FILE *stream, const char *path, st_image_error *error);
// Writes the image as a PNG file. It is written beside the target under another name and renamed at the end:
// the target is either the old file or the whole new one, never half of it.
st_status st_image_write_png(const st_image *image, const char *path, st_image_error *error);

#endif
