// OffSequenceLoader: an OFF file, and at the given pace the files with the next numbers.
//
// The number is the digits before the suffix: bunny007.off is followed by bunny008.off. At the beginning of
// each step, when (current - first) stepDuration <= t, the next file is read, up to nbOfFiles of them.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/mesh_loader.h"
#include "io/mesh_reader.h"

enum { MOST_DIGITS = 9 };

typedef struct off_sequence_loader {
    st_mesh_loader mesh;
    int32_t file_count;
    st_real step_duration;
    int32_t current; // files after the first one
    bool done;       // there is no next one
    char *first;     // name
} off_sequence_loader;

static const st_field fields[] = {
    ST_FIELD(off_sequence_loader, file_count, "nbOfFiles", st_type_int, "1", "number of files",
             .flags = ST_FIELD_NO_SRC),
    ST_FIELD(off_sequence_loader, step_duration, "stepDuration", st_type_real, "0.04", "seconds between two files",
             .flags = ST_FIELD_NO_SRC),
    ST_FIELDS_END,
};

static st_status off_sequence_loader_read_file(off_sequence_loader *self) {
    st_mesh_file file;
    st_mesh mesh = {0};
    if (!st_mesh_loader_begin(&self->mesh, &file)) return ST_INVALID;

    const bool ok = st_off_read(&mesh, &file, self->mesh.flip_normals);
    return st_mesh_loader_take(&mesh, &self->mesh, &file, ok);
}

static st_status off_sequence_loader_parse(st_object *object) {
    off_sequence_loader *self = (off_sequence_loader *)object;

    // the first file, to which a reset returns
    self->current = 0;
    self->done = false;

    st_free(self->first);
    self->first = st_string_copy(self->mesh.filename);
    return off_sequence_loader_read_file(self);
}

static void take_name(off_sequence_loader *self, char *name) {
    st_free(self->mesh.filename);
    self->mesh.filename = name;
    st_touch(&self->mesh.object, &self->mesh.filename);
}

static void off_sequence_loader_reset(st_object *object) {
    off_sequence_loader *self = (off_sequence_loader *)object;
    char *name = self->current ? st_string_copy(self->first) : NULL;
    if (!name) return;

    // back to the first file
    take_name(self, name);
    self->current = 0;
    self->done = off_sequence_loader_read_file(self) != ST_OK;
}

static void off_sequence_loader_destroy(st_object *object) {
    st_free(((off_sequence_loader *)object)->first);
    st_mesh_loader_class.destroy(object);
}

// The name of the file with the next number, in as many digits; NULL: there is no number, or memory ran out.
static char *next_name(const char *name) {
    const char *dot = strrchr(name, '.'), *slash = strrchr(name, '/');
    const char *end = dot && (!slash || dot > slash) ? dot : name + strlen(name), *begin = end;

    // the digits before the suffix
    while (begin > name && begin[-1] >= '0' && begin[-1] <= '9' && end - begin < MOST_DIGITS) begin--;
    if (begin == end) return NULL;

    char digits[MOST_DIGITS + 1] = {0};
    memcpy(digits, begin, (size_t)(end - begin));
    return st_string_format("%.*s%0*ld%s", (int)(begin - name), name, (int)(end - begin), strtol(digits, NULL, 10) + 1,
                            end);
}

static void read_next_file(off_sequence_loader *self) {
    char *name = next_name(self->mesh.filename);
    self->done = true;
    if (!name) {
        st_message(&self->mesh.object, ST_ERROR, "%s has no number before its suffix: there is no next file",
                   self->mesh.filename);
        return;
    }

    take_name(self, name);
    self->current++;
    self->done = off_sequence_loader_read_file(self) != ST_OK;
}

static void off_sequence_loader_event(st_object *object, st_event *e) {
    off_sequence_loader *self = (off_sequence_loader *)object;
    if (e->kind != ST_EVENT_ANIMATE_BEGIN || self->done || self->current + 1 >= self->file_count) return;
    if ((st_real)self->current * self->step_duration <= object->node->time) read_next_file(self);
}

const st_class st_off_sequence_loader_class = {
    .name = "OffSequenceLoader",
    .help = "reads triangles and quads from an OFF file, and from the files with the next numbers as time goes on",
    .parent = &st_mesh_loader_class,
    .fields = fields,
    .size = sizeof(off_sequence_loader),
    .flags = ST_CLASS_LISTENING,
    .example = "<OffSequenceLoader name=\"loader\" filename=\"mesh/wave000.off\" nbOfFiles=\"10\"/>",
    .parse = off_sequence_loader_parse,
    .reset = off_sequence_loader_reset,
    .event = off_sequence_loader_event,
    .destroy = off_sequence_loader_destroy,
};
