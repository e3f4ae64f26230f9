// A picture of a matrix: where its entries are, colored by their magnitude.
//
// A pixel shows the largest of a square of entries (one, or k × k of a large matrix; a small one has k × k pixels per
// entry): the color runs over six decades down from the largest entry of the matrix, from dark to light. Zero is white.
// Around it are axes with the numbers of rows and columns, lines between the states with their names, and the color bar.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "io/matrix_file.h"
#include "settee/plugin/component.h"
#include "visual/image.h"
#include "visual/raster.h"
#include "visual/text.h"

enum {
    SIDE = 1024,
    DECADES = 6,
    LARGEST_CELL = 16,
    SAMPLES = 2, // per pixel side
    TICKS = 5,
    LEFT = 150,  // pixels around the matrix: names and numbers of rows
    TOP = 70,    //
    RIGHT = 130, // the color bar
    BOTTOM = 30,
    TEXT = 10,   // height of a letter
    LEAST = 260, // pixels of a side, so that the bar has room
};

// What is drawn where: all in samples.
typedef struct sheet {
    st_raster raster;
    const st_matrix_view *m;
    size_t rows, cols; // cells
    size_t entries;    // along the side of a cell
    double size;       // of a cell
    double left, top;  // of the matrix
    double right, bottom;
} sheet;

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

static double clamp(double t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

static void fill(st_raster *raster, double left, double top, double right, double bottom, const uint8_t rgb[3]) {
    for (int32_t y = (int32_t)top; y < (int32_t)bottom && y < raster->height; y++)
        for (int32_t x = (int32_t)left; x < (int32_t)right && x < raster->width; x++)
            raster->color[(size_t)y * (size_t)raster->width + (size_t)x] =
                rgb[0] | (uint32_t)rgb[1] << 8 | (uint32_t)rgb[2] << 16;
}

static void paint(sheet *s, const float *cell, double largest) {
    for (size_t y = 0; y < s->rows; y++)
        for (size_t x = 0; x < s->cols; x++) {
            const double a = (double)cell[y * s->cols + x];
            if (a == 0) continue;

            // six decades from the largest entry down
            uint8_t rgb[3];
            color(clamp(largest > 0 && isfinite(a) ? -log10(a / largest) / DECADES : 0), rgb);
            const double left = s->left + (double)x * s->size, top = s->top + (double)y * s->size;
            fill(&s->raster, left, top, left + s->size, top + s->size, rgb);
        }
}

// ---------------------------------------------------------------------------------------------------
// Around the matrix
// ---------------------------------------------------------------------------------------------------

static const float ink[3] = {0.03F, 0.03F, 0.04F};

static void put_text(sheet *s, const char *text, double x, double y) {
    st_text_draw(&s->raster, text, x, y, TEXT * SAMPLES, ink);
}

static void put_line(sheet *s, double x0, double y0, double x1, double y1, float gray) {
    const st_raster_style style = {.color = {gray, gray, gray}, .alpha = 1};
    const st_raster_vertex a = {.x = x0, .y = y0, .depth = 1}, b = {.x = x1, .y = y1, .depth = 1};
    st_raster_line(&s->raster, &a, &b, 0.5 * SAMPLES, &style);
}

// Numbers of rows at the left and of columns at the top, at equal distances.
static void put_axes(sheet *s) {
    const double unit = s->size / (double)s->entries;
    for (size_t i = 0; i < TICKS; i++) {
        char text[32];
        const size_t row = i * s->m->rows / (TICKS - 1), col = i * s->m->cols / (TICKS - 1);
        const double y = s->top + (double)row * unit, x = s->left + (double)col * unit;

        // a mark and its number, at the left and at the top
        put_line(s, s->left - 5 * SAMPLES, y, s->left, y, 0);
        put_line(s, x, s->top - 5 * SAMPLES, x, s->top, 0);
        snprintf(text, sizeof text, "%zu", row);
        put_text(s, text, s->left - 9 * SAMPLES - st_text_width(text, TEXT * SAMPLES), y + TEXT * SAMPLES / 2.0);
        snprintf(text, sizeof text, "%zu", col);
        put_text(s, text, x - st_text_width(text, TEXT * SAMPLES) / 2, s->top - 9 * SAMPLES);
    }

    // the frame
    put_line(s, s->left, s->top, s->right, s->top, 0);
    put_line(s, s->left, s->bottom, s->right, s->bottom, 0);
    put_line(s, s->left, s->top, s->left, s->bottom, 0);
    put_line(s, s->right, s->top, s->right, s->bottom, 0);
}

// The end of a path that has room.
static const char *short_name(const st_object *state, char name[20]) {
    const char *path = st_path(state);
    const size_t length = strlen(path);
    if (length < 18) snprintf(name, 20, "%s", path);
    else snprintf(name, 20, "..%s", path + length - 15);
    return name;
}

static void put_parts(sheet *s, const st_matrix_part *parts, size_t count, bool rows) {
    const size_t side = rows ? s->m->rows : s->m->cols;
    const double unit = s->size / (double)s->entries;
    char name[20];
    double free_from = 0; // names do not overlap
    if (!count || parts[count - 1].first + parts[count - 1].count != side) return;

    for (size_t i = 0; i < count; i++) {
        const double begin = (double)parts[i].first * unit, middle = begin + (double)parts[i].count * unit / 2;
        const double width = st_text_width(short_name(parts[i].state, name), TEXT * SAMPLES);
        if (i && rows) put_line(s, s->left, s->top + begin, s->right, s->top + begin, 0.25F);
        if (i && !rows) put_line(s, s->left + begin, s->top, s->left + begin, s->bottom, 0.25F);

        // names of rows at the far left, of columns in the second line
        const double room = rows ? 1.6 * TEXT * SAMPLES : width + TEXT * SAMPLES;
        if (middle - room / 2 < free_from && i) continue;
        if (rows) put_text(s, name, 4 * SAMPLES, s->top + middle + 1.3 * TEXT * SAMPLES);
        else put_text(s, name, s->left + middle - width / 2, s->top - 28 * SAMPLES);
        free_from = middle + room / 2;
    }
}

// The color bar: each decade with its number.
static void put_bar(sheet *s, double largest) {
    const double x = s->right + 24 * SAMPLES, height = 200 * SAMPLES;
    for (int i = 0; i < 200; i++) {
        uint8_t rgb[3];
        color(i / 200.0, rgb);
        fill(&s->raster, x, s->top + i * SAMPLES, x + 16 * SAMPLES, s->top + (i + 1) * SAMPLES, rgb);
    }
    for (int k = 0; k <= DECADES; k += 2) {
        char text[32];
        snprintf(text, sizeof text, k < DECADES ? "%.2g" : "<%.2g", largest * pow(10, -k));
        put_text(s, text, x + 22 * SAMPLES, s->top + height * k / DECADES + TEXT * SAMPLES / 2.0);
    }
}

static void put_title(sheet *s) {
    char text[96];
    snprintf(text, sizeof text, "%zu x %zu, %zu entries", s->m->rows, s->m->cols, st_view_entries(s->m));
    put_text(s, text, 4 * SAMPLES, 18 * SAMPLES);
}

static bool sheet_init(sheet *s, uint32_t *width, uint32_t *height) {
    static const float white[3] = {1, 1, 1};
    const double w = (double)s->cols * s->size, h = (double)s->rows * s->size;
    *width = (uint32_t)(w / SAMPLES) + LEFT + RIGHT;
    *height = (uint32_t)(h / SAMPLES < LEAST ? LEAST : h / SAMPLES) + TOP + BOTTOM;
    s->left = LEFT * SAMPLES, s->top = TOP * SAMPLES;
    s->right = s->left + w, s->bottom = s->top + h;
    if (!st_raster_init(&s->raster, (int32_t)*width * SAMPLES, (int32_t)*height * SAMPLES)) return false;
    st_raster_background(&s->raster, white, white);
    return true;
}

st_status st_matrix_write_png(const st_matrix_view *m, const st_matrix_part *parts, size_t count, FILE *stream) {
    const size_t side = m->rows > m->cols ? m->rows : m->cols;

    if (m->rows == 0 || m->cols == 0) return ST_INVALID;

    // entries along a side of a cell, pixels along it: one of the two is 1
    const size_t entries = (side + SIDE - 1) / SIDE;
    size_t pixels = SIDE / side;
    pixels = pixels < 1 ? 1 : pixels > LARGEST_CELL ? LARGEST_CELL : pixels;
    sheet s = {.m = m, .entries = entries, .size = (double)pixels * SAMPLES};
    s.rows = (m->rows + entries - 1) / entries, s.cols = (m->cols + entries - 1) / entries;

    // each cell shows the largest magnitude of its entries
    st_image image = {0};
    uint32_t width, height;
    float *cell = st_alloc(s.rows * s.cols, sizeof *cell);
    st_status status = cell && sheet_init(&s, &width, &height) ? ST_OK : ST_OUT_OF_MEMORY;
    if (status == ST_OK) status = st_image_resize(&image, width, height, NULL);

    if (status == ST_OK) {
        const double largest = largest_entry(m);
        matrix_picture_collect(m, entries, s.cols, cell);
        paint(&s, cell, largest);
        put_parts(&s, parts, count, true);
        put_parts(&s, parts, count, false);
        put_axes(&s);
        put_bar(&s, largest);
        put_title(&s);
        st_raster_resolve(&s.raster, SAMPLES, &image);
        status = st_image_encode_png(&image, stream, "matrix", NULL);
    }

    st_raster_free(&s.raster);
    st_image_free(&image);
    st_free(cell);
    return status;
}
