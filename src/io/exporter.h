// Components that write files: when they write, what the files are named, and what happens when that fails.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_EXPORTER_H
#define SETTEE_IO_EXPORTER_H

#include "base/text.h"
#include "settee/file.h"
#include "settee/plugin/component.h"

typedef struct st_exporter st_exporter;
struct st_exporter {
    st_object object;
    char *filename;
    uint32_t period; // in steps; 0: not in steps
    bool at_begin, at_end, enable;
    uint32_t steps;               // ended so far
    uint32_t files;               // written so far
    bool (*write)(st_exporter *); // set by st_exporter_init; false: a file could not be written, which was reported
};

extern const st_class st_exporter_class;

// For `init` of exporters.
st_status st_exporter_init(st_object *object, bool (*write)(st_exporter *));

// Writes a file of the present state now; false: it could not, which was reported, or the scene writes none.
bool st_exporter_write(st_exporter *exporter);

// Name without a suffix: the attribute (without one of the given suffixes, blanks between, each with its dot), else the
// component's name; inside, where it is an existing folder. Folders above it are made. Allocated; NULL: an error was
// reported.
char *st_exporter_base(const st_exporter *exporter, const char *suffixes);
// The same with _00012 at its end where files are written in steps.
char *st_exporter_numbered_base(const st_exporter *exporter, const char *suffixes);

// --- for every component that writes files

// Are files written at all in this scene?
bool st_output_is_on(const st_object *object);
// Opens, and puts in place; false: an error was reported, and the step or the end of the scene fails.
bool st_output_open(const st_object *object, st_file *file, const char *path);
bool st_output_close(const st_object *object, st_file *file);
// A whole file, by `put`. Takes over the path, which st_free frees; NULL means out of memory. False: as above.
bool st_output_write(const st_object *object, char *path, st_status (*put)(FILE *, const void *), const void *what);
// Little-endian, as binary formats have them.
void st_output_put_u32(FILE *out, uint32_t value);
void st_output_put_float(FILE *out, float value);
// An error in the name of the component which makes the step fail.
void st_output_failed(const st_object *object, const char *path, const char *why);

#endif
