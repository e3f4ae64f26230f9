// A picture of a matrix: where its entries are, colored by their magnitude.
//
// A pixel shows the largest of a square of entries (one, or k × k of a large matrix; a small one has k × k pixels per
// entry): the color runs over six decades down from the largest entry of the matrix, from dark to light. Zero is white.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "io/matrix_file.h"
#include "visual/image.h"

enum { SIDE = 1024, DECADES = 6, LARGEST_CELL = 16 };

// From the largest magnitude (0) to the smallest (1): violet, blue, green, yellow, as in viridis.
static void color(double t, uint8_t rgb[3]) {
    static const double stops[5][3] = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {233, 216, 80}};
    const double at = t * 4;
    const int i = at >= 4 ? 3 : (int)at;
    for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)(stops[i][k] + (at - i) * (stops[i + 1][k] - stops[i][k]) + 0.5);
}

static double largest_entry(const st_matrix_view *m) {
    const size_t scalars = m->starts[m->rows / (size_t)m->block] * (size_t)m->block * (size_t)m->block;
    double largest = 0;
    for (size_t k = 0; k < scalars; k++) {
        const double a = fabs((double)m->values[k]);
        if (a > largest && isfinite(a)) largest = a;
    }

    return largest;
}

// The largest magnitude of each cell of entries.
static void matrix_picture_collect(const st_matrix_view *m, size_t entries, size_t cells, float *cell) {
    for (size_t i = 0, column; i < m->rows; i++) {
        st_real value;
        for (size_t k = 0; st_view_scalar(m, i, k, &column, &value); k++) {
            const double a = fabs((double)value);
            float *to = &cell[i / entries * cells + column / entries];

            // what is not a number counts as infinitely large
            if (!(a <= (double)*to)) *to = isnan(a) || a > 3e38 ? INFINITY : (float)a;
        }
    }
}

static void paint(st_image *image, size_t pixels, size_t cells, const float *cell, double largest) {
    memset(image->pixels, 255, 3 * (size_t)image->width * image->height);

    for (size_t y = 0; y < image->height; y++) {
        for (size_t x = 0; x < image->width; x++) {
            const double a = (double)cell[y / pixels * cells + x / pixels];
            if (a == 0) continue;

            // six decades from the largest entry down
            const double t = largest > 0 && isfinite(a) ? -log10(a / largest) / DECADES : 0;
            color(t < 0 ? 0 : t > 1 ? 1 : t, image->pixels + 3 * (y * image->width + x));
        }
    }
}

st_status st_matrix_write_png(const st_matrix_view *m, FILE *stream) {
    const size_t side = m->rows > m->cols ? m->rows : m->cols;

    if (m->rows == 0 || m->cols == 0) return ST_INVALID;

    // entries along a side of a cell, pixels along it: one of the two is 1
    const size_t entries = (side + SIDE - 1) / SIDE;
    size_t pixels = SIDE / side;
    pixels = pixels < 1 ? 1 : pixels > LARGEST_CELL ? LARGEST_CELL : pixels;
    const size_t rows = (m->rows + entries - 1) / entries, cols = (m->cols + entries - 1) / entries;

    // each cell shows the largest magnitude of its entries
    st_image image = {0};
    float *cell = st_alloc(rows * cols, sizeof *cell);
    st_status status = cell ? ST_OK : ST_OUT_OF_MEMORY;
    if (status == ST_OK) status = st_image_resize(&image, (uint32_t)(cols * pixels), (uint32_t)(rows * pixels), NULL);

    if (status == ST_OK) {
        matrix_picture_collect(m, entries, cols, cell);
        paint(&image, pixels, cols, cell, largest_entry(m));
        status = st_image_encode_png(&image, stream, "matrix", NULL);
    }

    st_image_free(&image);
    st_free(cell);
    return status;
}
