// The base of exporters: at the beginning, every few steps, at the end.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/exporter.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "scene/scene.h"
#include "state/state_links.h"

static const st_field fields[] = {
    ST_FIELD(st_exporter, filename, "filename", st_type_string, NULL,
             "name of the files, relative to the current folder; the component's name when not given"),
    ST_FIELD(st_exporter, period, "exportEveryNumberOfSteps", st_type_uint, "0",
             "write each time that so many steps have ended; 0: do not"),
    ST_FIELD(st_exporter, at_begin, "exportAtBegin", st_type_bool, "0", "write when the scene is initialized"),
    ST_FIELD(st_exporter, at_end, "exportAtEnd", st_type_bool, "0", "write when the scene ends"),
    ST_FIELD(st_exporter, enable, "enable", st_type_bool, "1", "whether it writes"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool st_output_is_on(const st_object *object) { return !object->scene->config.read_only; }

void st_output_failed(const st_object *object, const char *path, const char *why) {
    st_message(object, ST_ERROR, "the file %s could not be written: %s", path ? path : "", why);
    object->scene->output_failure = true;
}

// The folders above a file.
static bool make_folders(const st_object *object, const char *path) {
    char *folder = st_string_copy(path);
    bool ok = folder != NULL;

    // each folder of the path from the top; one that exists already is fine
    for (char *c = folder ? folder + 1 : NULL; ok && c[-1] && *c; c++) {
        if (*c != '/') continue;
        *c = '\0';

        const int failed = mkdir(folder, 0777) != 0 ? errno : 0;
        ok = failed == 0 || is_folder(folder);
        *c = '/';

        if (!ok) {
            char why[128];
            st_error_text(failed, why, sizeof why);
            st_output_failed(object, path, why);
        }
    }

    st_free(folder);
    return ok;
}

bool st_output_open(const st_object *object, st_file *file, const char *path) {
    char why[256];
    if (!make_folders(object, path)) return false;

    if (st_file_create(file, path, why, sizeof why)) return true;
    st_output_failed(object, path, why);
    return false;
}

// Remembered once, for programs that list what was written. Without memory for it the file is there all the same.
static void note_file(st_scene *scene, const char *path) {
    if (st_map_has(&scene->written_names, path) || !st_map_put(&scene->written_names, path, NULL)) return;
    char *copy = st_string_copy(path);
    if (copy && !st_list_push(&scene->written, copy)) st_free(copy);
}

bool st_output_close(const st_object *object, st_file *file) {
    char why[256], *path = st_string_copy(file->path);

    const bool ok = st_file_commit(file, why, sizeof why);
    if (!ok) st_output_failed(object, path, why);
    else if (path) note_file(object->scene, path);
    st_free(path);
    return ok;
}

// A file is either whole or not there: what `put` could not finish is thrown away.
bool st_output_write(const st_object *object, char *path, st_status (*put)(FILE *, const void *), const void *what) {
    st_file file;

    if (!path) st_output_failed(object, NULL, "out of memory");
    bool ok = path && st_output_open(object, &file, path);
    const st_status status = ok ? put(file.stream, what) : ST_OK;

    if (status != ST_OK) {
        st_output_failed(object, path, st_status_text(status));
        st_file_abandon(&file);
        ok = false;
    }

    ok = ok && st_output_close(object, &file);
    st_free(path);
    return ok;
}

void st_output_put_u32(FILE *out, uint32_t value) {
    for (int i = 0; i < 4; i++) fputc((int)(value >> (8 * i) & 255), out);
}

void st_output_put_float(FILE *out, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    st_output_put_u32(out, bits);
}

// ---------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------

// Cuts one of the suffixes off the end.
static void cut_suffix(char *name, const char *suffixes) {
    const size_t length = strlen(name);
    for (const char *s = suffixes; s && *s;) {
        const size_t n = strcspn(s, " ");
        if (length > n && strncmp(name + length - n, s, n) == 0) {
            name[length - n] = '\0';
            return;
        }
        s += n + (s[n] == ' ');
    }
}

char *st_exporter_base(const st_exporter *exporter, const char *suffixes) {
    const char *given = exporter->filename && *exporter->filename ? exporter->filename : exporter->object.name;
    const size_t length = strlen(given);
    const bool folder = is_folder(given);

    // in an existing folder the files get the component's name
    char *base = folder ? st_string_format("%s%s%s", given, given[length - 1] == '/' ? "" : "/", exporter->object.name)
                        : st_string_copy(given);

    if (base && !folder) cut_suffix(base, suffixes);
    if (!base) st_output_failed(&exporter->object, given, "out of memory");
    return base;
}

char *st_exporter_numbered_base(const st_exporter *exporter, const char *suffixes) {
    char *base = st_exporter_base(exporter, suffixes);
    if (!base || exporter->period == 0) return base;

    char *numbered = st_string_format("%s%05u", base, exporter->steps / exporter->period);
    if (!numbered) st_output_failed(&exporter->object, base, "out of memory");
    st_free(base);
    return numbered;
}

// ---------------------------------------------------------------------------------------------------
// When
// ---------------------------------------------------------------------------------------------------

st_status st_exporter_init(st_object *object, bool (*write)(st_exporter *)) {
    st_exporter *exporter = (st_exporter *)object;
    exporter->write = write;
    exporter->steps = 0;

    // without a time to write there is no need for events
    if (exporter->period || exporter->at_begin || exporter->at_end) object->listening = true;
    return ST_OK;
}

bool st_exporter_write(st_exporter *exporter) {
    if (!exporter->write || !st_output_is_on(&exporter->object)) return false;
    st_touch_states(exporter->object.scene); // links to positions see the present ones
    st_pull(&exporter->object);

    const bool ok = exporter->write(exporter);
    if (ok) exporter->files++;
    return ok;
}

static void write_now(st_exporter *exporter) {
    if (exporter->enable) st_exporter_write(exporter);
}

static void exporter_event(st_object *object, st_event *event_) {
    st_exporter *exporter = (st_exporter *)object;

    // at the ends of the scene
    if (event_->kind == ST_EVENT_INIT_DONE && exporter->at_begin) write_now(exporter);
    if (event_->kind == ST_EVENT_SCENE_END && exporter->at_end) write_now(exporter);

    // every `period` steps
    if (event_->kind != ST_EVENT_ANIMATE_END || exporter->period == 0 || !exporter->enable) return;
    if (++exporter->steps % exporter->period == 0) write_now(exporter);
}

const st_class st_exporter_class = {
    .name = "BaseSimulationExporter",
    .help = "what every exporter has",
    .kind = "exporter",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_exporter),
    .flags = ST_CLASS_ABSTRACT,
    .event = exporter_event,
};
