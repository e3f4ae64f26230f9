// Contacts as programs see them (settee/contact.h): as a list, as CSV, as VTK.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/contact.h"

#include <math.h>

#include "base/text.h"
#include "check/contact_check.h"
#include "collision/contact_reports.h"
#include "scene/scene.h"

typedef struct listing {
    st_contact_report *contacts;
    size_t most, count;
} listing;

static bool list_contact(void *user, const st_contact_report *report) {
    listing *l = user;
    if (l->count < l->most) l->contacts[l->count] = *report;
    l->count++;
    return true;
}

size_t st_scene_contacts(st_scene *scene, st_contact_report *contacts, size_t most) {
    listing l = {.contacts = contacts, .most = contacts ? most : 0};
    return st_visit_contacts(scene, list_contact, &l);
}

const char *st_contact_motion_name(st_contact_motion motion) {
    static const char *const names[] = {"open", "sticks", "slides"};
    return motion <= ST_CONTACT_SLIDES ? names[motion] : "";
}

// ---------------------------------------------------------------------------------------------------
// CSV
// ---------------------------------------------------------------------------------------------------

typedef struct writing {
    const st_writer *writer;
    size_t step;
    bool failed;
} writing;

static bool write_text(const st_writer *writer, st_text *text) {
    const bool ok = text->data && writer->write(writer->user, text->data, text->length);
    text->length = 0;
    return ok;
}

// Paths have no commas unless a name has one: then they are quoted.
static bool append_path(st_text *line, const st_object *object) {
    const char *path = st_path(object);
    if (!strpbrk(path, ",\"\n")) return st_text_append(line, path);

    // quotes within are doubled
    bool ok = st_text_append_char(line, '"');
    for (; ok && *path; path++)
        ok = (*path != '"' || st_text_append_char(line, '"')) && st_text_append_char(line, *path);
    return ok && st_text_append_char(line, '"');
}

static bool append_reals(st_text *line, const st_real *values, size_t count) {
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = st_text_append_char(line, ',') && st_text_append_real(line, values[i], ST_TEXT_EXACT_DIGITS);
    return ok;
}

static bool write_line(void *user, const st_contact_report *r) {
    writing *w = user;
    const st_real time = r->model[0]->scene->root->time;
    st_text line = {0};

    // who, then where, then how strong
    bool ok = st_text_appendf(&line, "%zu", w->step) && append_reals(&line, &time, 1) &&
              st_text_append_char(&line, ',') && append_path(&line, r->model[0]) && st_text_append_char(&line, ',') &&
              append_path(&line, r->model[1]) &&
              st_text_appendf(&line, ",%u,%u", (unsigned)r->element[0], (unsigned)r->element[1]);
    ok = ok && append_reals(&line, r->point[0], 3) && append_reals(&line, r->point[1], 3) &&
         append_reals(&line, r->normal, 3) && append_reals(&line, &r->gap, 1) && append_reals(&line, r->force, 3) &&
         append_reals(&line, &r->normal_force, 1) && append_reals(&line, &r->tangential_force, 1) &&
         st_text_appendf(&line, ",%s\n", st_contact_motion_name(r->motion));

    ok = ok && write_text(w->writer, &line);
    st_text_free(&line);
    w->failed = !ok;
    return ok;
}

st_status st_scene_write_contacts(st_scene *scene, size_t step, bool header, const st_writer *writer) {
    static const char names[] = "step,time,model1,model2,element1,element2,x1,y1,z1,x2,y2,z2,nx,ny,nz,gap,fx,fy,fz,"
                                "normal_force,tangential_force,motion\n";
    writing w = {.writer = writer, .step = step};
    if (!scene || !scene->root || !writer) return ST_INVALID;

    // the names of the columns, then a line for each contact
    if (header && !writer->write(writer->user, names, sizeof names - 1)) return ST_FAILED;
    st_visit_contacts(scene, write_line, &w);
    return w.failed ? ST_FAILED : ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// VTK
// ---------------------------------------------------------------------------------------------------

// Values that a format without NaN would not take are 0.
static bool append_row(st_text *text, const st_real *values, size_t count) {
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = (i == 0 || st_text_append_char(text, ' ')) &&
             st_text_append_real(text, isfinite(values[i]) ? values[i] : 0, ST_TEXT_EXACT_DIGITS);
    return ok && st_text_append_char(text, '\n');
}

// Strings of VTK: what is no plain character is written as %XX.
static bool append_string(st_text *text, const char *string) {
    bool ok = true;
    for (; ok && *string; string++) {
        const unsigned char c = (unsigned char)*string;
        ok = c > ' ' && c < 127 && c != '%' && c != '"' ? st_text_append_char(text, (char)c)
                                                        : st_text_appendf(text, "%%%02X", c);
    }
    return ok && st_text_append_char(text, '\n');
}

// One array: what of a contact it holds.
typedef struct column {
    const char *name;
    size_t offset;
    int width; // 0: a path, -1: a number of 32 bits
} column;

static bool append_value(st_text *text, const column *c, const st_contact_report *r) {
    const void *at = (const char *)r + c->offset;

    // a path, a number, or a row of reals
    if (c->width == 0) return append_string(text, st_path(*(const st_object *const *)at));
    if (c->width < 0) return st_text_appendf(text, "%u\n", *(const unsigned *)at);
    return append_row(text, at, (size_t)c->width);
}

static bool write_column(const st_writer *writer, const listing *l, const column *c) {
    st_text text = {0};

    // name, numbers of a tuple, tuples, type; then a line for each
    const char *type = c->width == 0 ? "string" : c->width < 0 ? "int" : "double";
    bool ok = st_text_appendf(&text, "%s %d %zu %s\n", c->name, c->width > 0 ? c->width : 1, l->count, type);
    for (size_t i = 0; ok && i < l->count; i++) ok = append_value(&text, c, &l->contacts[i]);

    ok = ok && write_text(writer, &text);
    st_text_free(&text);
    return ok;
}

// A cloud of points: where each contact acts on its second model.
static bool write_cloud(const st_writer *writer, const listing *l, size_t step, st_real time) {
    static const column columns[] = {
        {"normal", offsetof(st_contact_report, normal), 3},
        {"force", offsetof(st_contact_report, force), 3},
        {"point1", offsetof(st_contact_report, point[0]), 3},
        {"gap", offsetof(st_contact_report, gap), 1},
        {"normal_force", offsetof(st_contact_report, normal_force), 1},
        {"tangential_force", offsetof(st_contact_report, tangential_force), 1},
        {"motion", offsetof(st_contact_report, motion), -1},
        {"element1", offsetof(st_contact_report, element[0]), -1},
        {"element2", offsetof(st_contact_report, element[1]), -1},
        {"model1", offsetof(st_contact_report, model[0]), 0},
        {"model2", offsetof(st_contact_report, model[1]), 0},
    };
    enum { COLUMNS = sizeof columns / sizeof *columns };

    // the header, with a place for each contact
    st_text text = {0};
    bool ok = st_text_appendf(&text,
                              "# vtk DataFile Version 3.0\ncontacts of step %zu, time %.7g\nASCII\nDATASET POLYDATA\n"
                              "POINTS %zu double\n",
                              step, (double)time, l->count);
    for (size_t i = 0; ok && i < l->count; i++) ok = append_row(&text, l->contacts[i].point[1], 3);

    // each point is a vertex; without contacts there is nothing more
    ok = ok && st_text_appendf(&text, "VERTICES %zu %zu\n", l->count, 2 * l->count);
    for (size_t i = 0; ok && i < l->count; i++) ok = st_text_appendf(&text, "1 %zu\n", i);
    if (l->count) ok = ok && st_text_appendf(&text, "POINT_DATA %zu\nFIELD data %d\n", l->count, (int)COLUMNS);
    ok = ok && write_text(writer, &text);
    st_text_free(&text);

    // what belongs to the points
    for (size_t c = 0; ok && l->count && c < COLUMNS; c++) ok = write_column(writer, l, &columns[c]);
    return ok;
}

st_status st_scene_write_contacts_vtk(st_scene *scene, size_t step, const st_writer *writer) {
    if (!scene || !scene->root || !writer) return ST_INVALID;

    // all of them at once: VTK wants one array after the other
    listing l = {.most = st_scene_contacts(scene, NULL, 0)};
    l.contacts = st_alloc(l.most, sizeof *l.contacts);
    if (!l.contacts) {
        st_scene_message(scene, ST_ERROR, "contacts", NULL, 0, "out of memory: %zu contacts", l.most);
        return ST_OUT_OF_MEMORY;
    }
    st_visit_contacts(scene, list_contact, &l);
    const bool ok = write_cloud(writer, &l, step, scene->root->time);
    st_free(l.contacts);
    return ok ? ST_OK : ST_FAILED;
}

size_t st_scene_check_contacts(st_scene *scene) {
    size_t problems = 0;
    const st_status status = st_check_contacts(scene, &problems);

    if (status != ST_OK)
        st_scene_message(scene, ST_ERROR, "contacts", NULL, 0, "contacts cannot be checked: %s",
                         scene->root ? st_status_text(status) : "no scene is loaded");
    return problems;
}
