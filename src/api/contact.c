// Contacts as programs see them (settee/contact.h): every contact pair of every manager is asked.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/contact.h"

#include "base/text.h"
#include "check/contact_check.h"
#include "collision/collision_response.h"
#include "math/vec3.h"
#include "scene/scene.h"

typedef struct collecting {
    st_contact_report *contacts;
    size_t most, count;
    const st_writer *writer; // instead of the list
    size_t step;
    bool failed;
} collecting;

static const char *motion_name(st_contact_motion motion) {
    static const char *const names[] = {"open", "sticks", "slides"};
    return names[motion];
}

// ---------------------------------------------------------------------------------------------------
// CSV
// ---------------------------------------------------------------------------------------------------

static bool write_line(const st_writer *writer, const st_text *line) {
    return line->data && writer->write(writer->user, line->data, line->length);
}

// Paths have no commas unless a name has one: then they are quoted.
static bool append_path(st_text *line, const st_object *object) {
    const char *path = st_path(object);
    if (!strpbrk(path, ",\"\n")) return st_text_append(line, path);
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

static bool write_contact(const collecting *c, const st_contact_report *r) {
    const st_real time = r->model[0]->scene->root->time;
    st_text line = {0};
    bool ok = st_text_appendf(&line, "%zu", c->step) && append_reals(&line, &time, 1) &&
              st_text_append_char(&line, ',') && append_path(&line, r->model[0]) && st_text_append_char(&line, ',') &&
              append_path(&line, r->model[1]) &&
              st_text_appendf(&line, ",%u,%u", (unsigned)r->element[0], (unsigned)r->element[1]);
    ok = ok && append_reals(&line, r->point[0], 3) && append_reals(&line, r->point[1], 3) &&
         append_reals(&line, r->normal, 3) && append_reals(&line, &r->gap, 1) && append_reals(&line, r->force, 3) &&
         append_reals(&line, &r->normal_force, 1) && append_reals(&line, &r->tangential_force, 1) &&
         st_text_appendf(&line, ",%s\n", motion_name(r->motion));
    ok = ok && write_line(c->writer, &line);
    st_text_free(&line);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Collecting
// ---------------------------------------------------------------------------------------------------

static void take_contact(collecting *c, const st_contact_report *report) {
    if (c->writer) c->failed = !write_contact(c, report) || c->failed;
    else if (c->count < c->most) c->contacts[c->count] = *report;
    c->count++;
}

static void take_pair(collecting *c, const st_contact_pair *pair) {
    const st_response_ops *ops = pair->response ? pair->response->type->response : NULL;
    if (!ops || !ops->report) return;
    for (size_t i = 0; 2 * i + 1 < pair->elements.count && !c->failed; i++) {
        st_contact_report report = {.model = {&pair->model[0]->object, &pair->model[1]->object},
                                    .element = {pair->elements.data[2 * i], pair->elements.data[2 * i + 1]}};
        if (!ops->report(pair, i, &report)) continue;

        // the normal part, and what is left
        st_real along[3];
        report.normal_force = st_vec3_dot(report.force, report.normal);
        st_vec3_add_scaled(along, report.force, report.normal, -report.normal_force);
        report.tangential_force = st_vec3_norm(along);
        take_contact(c, &report);
    }
}

static bool take_node(st_node *node, void *context) {
    collecting *c = context;
    for (size_t i = 0; !c->failed && i < node->objects.count; i++) {
        if (!st_is_a(node->objects.data[i], &st_collision_response_class)) continue;
        const st_collision_response *manager = (const st_collision_response *)node->objects.data[i];
        for (size_t k = 0; k < manager->sorted.count; k++) take_pair(c, manager->sorted.data[k]);
    }
    return !c->failed;
}

size_t st_scene_contacts(st_scene *scene, st_contact_report *contacts, size_t most) {
    collecting c = {.contacts = contacts, .most = contacts ? most : 0};
    if (scene && scene->root) st_visit(scene->root, take_node, &c);
    return c.count;
}

st_status st_scene_write_contacts(st_scene *scene, size_t step, bool header, const st_writer *writer) {
    static const char names[] = "step,time,model1,model2,element1,element2,x1,y1,z1,x2,y2,z2,nx,ny,nz,gap,fx,fy,fz,"
                                "normal_force,tangential_force,motion\n";
    collecting c = {.writer = writer, .step = step};
    if (!scene || !scene->root || !writer) return ST_INVALID;
    if (header && !writer->write(writer->user, names, sizeof names - 1)) return ST_FAILED;
    st_visit(scene->root, take_node, &c);
    return c.failed ? ST_FAILED : ST_OK;
}

size_t st_scene_check_contacts(st_scene *scene) {
    size_t problems = 0;
    const st_status status = st_check_contacts(scene, &problems);

    if (status != ST_OK)
        st_scene_message(scene, ST_ERROR, "contacts", NULL, 0, "contacts cannot be checked: %s",
                         scene->root ? st_status_text(status) : "no scene is loaded");
    return problems;
}
