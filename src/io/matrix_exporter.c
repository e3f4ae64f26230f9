// The base of the components that write a matrix every so many steps: name and number of the file, its formats.
//
// The file is called by its number and its format: matrix00001.txt. Pictures have a pixel for each entry, black where it
// is not 0, and the first row at the bottom, as SOFA has them; `settee matrix` writes pictures that show magnitudes.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/matrix_exporter.h"

#include <string.h>
#include <sys/stat.h>

#include "io/exporter.h"
#include "io/matrix_file.h"
#include "scene/scene.h"
#include "settee/file.h"
#include "visual/image.h"

static const char *const formats[] = {"txt", "csv", "png", "jpg", "jpeg", "bmp", "tga", "mtx", "npz", NULL};
enum { TXT, CSV, PNG, JPG, JPEG, BMP, TGA };

static bool is_picture(int32_t format) { return format >= PNG && format <= TGA; }

static st_status init(st_object *object) {
    st_matrix_exporter *self = (st_matrix_exporter *)object;
    if (is_picture(self->format) && self->format != PNG)
        st_message(object, ST_WARNING, "pictures are written as png, not as %s", formats[self->format]);
    if (self->precision < 1 || self->precision > 17)
        return st_invalid(object, "precision is %d; it must be from 1 to 17", self->precision);
    self->steps = 0;
    return ST_OK;
}

static st_status write_picture(const st_matrix_view *m, FILE *stream) {
    st_image image = {0};
    if (m->rows == 0 || m->rows > ST_IMAGE_MAX_SIDE) return ST_INVALID;
    st_real *row = st_alloc(m->cols, sizeof *row);
    st_status status = row ? st_image_resize(&image, (uint32_t)m->cols, (uint32_t)m->rows, NULL) : ST_OUT_OF_MEMORY;
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

static char *name_of(const st_matrix_exporter *self, uint32_t number) {
    const char *name = self->filename && *self->filename ? self->filename : self->object.name;
    struct stat status;
    const bool folder = stat(name, &status) == 0 && S_ISDIR(status.st_mode);
    return st_string_format("%s%s%s%05u.%s", name, folder ? "/" : "", folder ? self->object.name : "", number,
                            is_picture(self->format) ? "png" : formats[self->format]);
}

void st_matrix_exporter_write(st_matrix_exporter *self, const st_matrix_view *m) {
    const uint32_t number = self->steps / self->every;
    st_file file;
    if (is_picture(self->format) && m->rows == 0) {
        st_matrix_exporter_nothing(self, "a matrix without rows has no picture");
        return;
    }
    char *path = name_of(self, number);
    if (!path || !st_output_open(&self->object, &file, path)) {
        if (!path) st_output_failed(&self->object, self->filename, "out of memory");
        st_free(path);
        return;
    }
    st_matrix_format format = ST_FORMAT_TXT;
    if (!is_picture(self->format)) st_matrix_format_by_name(formats[self->format], &format);
    const st_status status = is_picture(self->format) ? write_picture(m, file.stream)
                                                      : st_matrix_write(m, format, self->precision, file.stream);
    if (status != ST_OK) {
        st_message(&self->object, ST_ERROR, "a matrix of %zu rows cannot be written as %s", m->rows,
                   formats[self->format]);
        st_output_failed(&self->object, path, st_status_text(status));
        st_file_abandon(&file);
    } else {
        st_output_close(&self->object, &file);
    }
    st_free(path);
}

bool st_matrix_exporter_due(st_matrix_exporter *self, const st_event *event) {
    if (event->kind != ST_EVENT_ANIMATE_END || !self->enable || self->every == 0) return false;
    return ++self->steps % self->every == 0 && st_output_is_on(&self->object);
}

void st_matrix_exporter_nothing(st_matrix_exporter *self, const char *why) {
    if (!self->told) st_message(&self->object, ST_WARNING, "%s: nothing is written", why);
    self->told = true;
}

static const st_field fields[] = {
    ST_FIELD(st_matrix_exporter, format, "format", st_type_option, "txt", "what is written", .options = formats),
    ST_FIELD(st_matrix_exporter, precision, "precision", st_type_int, "6", "significant digits"),
    ST_FIELD(st_matrix_exporter, filename, "filename", st_type_string, NULL,
             "begin of the files' names, or a folder; the component's name when not given"),
    ST_FIELD(st_matrix_exporter, every, "exportEveryNumberOfSteps", st_type_uint, "0", "steps between files; 0: none"),
    ST_FIELD(st_matrix_exporter, enable, "enable", st_type_bool, "1", "false: nothing is written"),
    ST_FIELD(st_matrix_exporter, at_begin, "exportAtBegin", st_type_bool, "0", "there is no matrix at the begin",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_matrix_exporter, at_end, "exportAtEnd", st_type_bool, "0", "the last step is written like the others",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

const st_class st_matrix_exporter_class = {
    .name = "MatrixExporter",
    .help = "what every exporter of a matrix has",
    .kind = "exporter",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_matrix_exporter),
    .flags = ST_CLASS_ABSTRACT | ST_CLASS_LISTENING,
    .init = init,
};
