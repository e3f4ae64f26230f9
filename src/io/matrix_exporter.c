// The base of the exporters of matrices: their formats.
//
// Files are named by their number and format: matrix00001.txt. Pictures have a pixel for each entry, black where it
// is not 0, and the first row at the bottom, as SOFA has them; `settee matrix` writes pictures that show magnitudes.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/matrix_exporter.h"

#include <string.h>

#include "base/array.h"
#include "io/matrix_file.h"
#include "visual/image.h"

static const char *const formats[] = {"txt", "csv", "png", "jpg", "jpeg", "bmp", "tga", "mtx", "npz", NULL};
enum { TXT, CSV, PNG, JPG, JPEG, BMP, TGA };

static bool is_picture(int32_t format) { return format >= PNG && format <= TGA; }

st_status st_matrix_exporter_init(st_object *object, bool (*write)(st_exporter *)) {
    st_matrix_exporter *self = (st_matrix_exporter *)object;
    if (is_picture(self->format) && self->format != PNG)
        st_message(object, ST_WARNING, "pictures are written as png, not as %s", formats[self->format]);

    if (self->precision < 1 || self->precision > 17)
        return st_invalid(object, "precision is %d; it must be from 1 to 17", self->precision);
    return st_exporter_init(object, write);
}

static st_status write_picture(const st_matrix_view *m, FILE *stream) {
    st_image image = {0};
    if (m->rows == 0 || m->rows > ST_IMAGE_MAX_SIDE) return ST_INVALID;

    // black where an entry is not 0
    st_real *row = st_alloc(m->cols, sizeof *row);
    st_status status = row ? st_image_resize(&image, (uint32_t)m->cols, (uint32_t)m->rows, NULL) : ST_OUT_OF_MEMORY;

    // SOFA has the first row at the bottom
    for (size_t i = 0; status == ST_OK && i < m->rows; i++) {
        uint8_t *pixels = image.pixels + 3 * m->cols * (m->rows - 1 - i);
        st_view_row(m, i, row);
        for (size_t j = 0; j < m->cols; j++) memset(pixels + 3 * j, row[j] == 0 ? 255 : 0, 3);
    }

    if (status == ST_OK) status = st_image_encode_png(&image, stream, "matrix", NULL);
    st_image_free(&image);
    st_free(row);
    return status;
}

typedef struct content {
    const st_matrix_exporter *exporter;
    const st_matrix_view *matrix;
} content;

static st_status put_matrix(FILE *out, const void *what) {
    const content *c = what;
    const int32_t chosen = c->exporter->format;
    st_matrix_format format = ST_FORMAT_TXT;

    if (is_picture(chosen)) return write_picture(c->matrix, out);
    st_find_matrix_format(formats[chosen], &format);
    return st_write_matrix(c->matrix, format, c->exporter->precision, out);
}

bool st_matrix_exporter_write(st_matrix_exporter *self, const st_matrix_view *m) {
    const char *suffix = is_picture(self->format) ? "png" : formats[self->format];
    const content c = {self, m};

    if (is_picture(self->format) && m->rows == 0)
        return st_matrix_exporter_nothing(self, "a matrix without rows has no picture");

    char *base = st_exporter_numbered_base(&self->exporter, NULL);
    if (!base) return false;
    char *path = st_string_format("%s.%s", base, suffix);
    st_free(base);

    return st_output_write(&self->exporter.object, path, put_matrix, &c);
}

st_system *st_chosen_system(const st_object *object, st_object *linked) {
    if (linked) return (st_system *)linked;
    const st_object *system = st_find(object->node, ST_ROLE(system), ST_UP);
    if (system) return (st_system *)system;

    const st_object *solver = st_find(object->node, ST_ROLE(linear_solver), ST_UP);
    return solver ? ((const st_linear_solver *)solver)->system : NULL;
}

bool st_matrix_exporter_nothing(st_matrix_exporter *self, const char *why) {
    st_message_once(&self->exporter.object, "nothing", ST_WARNING, "%s: nothing is written", why);
    return false;
}

static const st_field fields[] = {
    ST_FIELD(st_matrix_exporter, no_begin, "exportAtBegin", st_type_bool, "0",
             "there is no matrix before the first step", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_matrix_exporter, format, "format", st_type_option, "txt", "what is written", .options = formats),
    ST_FIELD(st_matrix_exporter, precision, "precision", st_type_int, "6", "significant digits"),
    ST_FIELDS_END,
};

const st_class st_matrix_exporter_class = {
    .name = "MatrixExporter",
    .help = "what every exporter of a matrix has",
    .parent = &st_exporter_class,
    .fields = fields,
    .size = sizeof(st_matrix_exporter),
    .flags = ST_CLASS_ABSTRACT,
};
