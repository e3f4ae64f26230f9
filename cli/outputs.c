// What a run writes: dumps at the steps asked, VTK files every few steps, a picture of the last state.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "settee/contact.h"

// ---------------------------------------------------------------------------------------------------
// Before the run
// ---------------------------------------------------------------------------------------------------

static bool clash(const char *a, const char *a_name, const char *b, const char *b_name) {
    if (!a || !b || !st_cli_same_file(a, b)) return false;
    st_cli_error("%s and %s are the same file: %s", a_name, b_name, a);
    return true;
}

bool st_cli_outputs_check(const st_cli_options *o) {
    const struct {
        const char *path, *name;
    } files[] = {{o->dump_states, "--dump-states"},
                 {o->dump_topology, "--dump-topology"},
                 {o->contacts, "--contacts"},
                 {o->html, "--html"},
                 {o->profile && *o->profile ? o->profile : NULL, "--profile"},
                 {o->png, "--png"},
                 {o->video, "--video"},
                 {o->report, "--report"},
                 {strcmp(o->operand, "-") != 0 ? o->operand : NULL, "the scene"}};
    enum { FILES = sizeof files / sizeof *files };

    // no file is written twice, nor over the scene
    for (size_t i = 0; i < FILES; i++)
        for (size_t k = i + 1; k < FILES; k++)
            if (clash(files[i].path, files[i].name, files[k].path, files[k].name)) return false;

    // standard output has room for one of them
    for (size_t i = 0; i < 5; i++)
        if (o->json && files[i].path && st_cli_is_stdout(files[i].path)) {
            st_cli_error("--json and %s %s both need standard output", files[i].name, files[i].path);
            return false;
        }
    return st_cli_pictures_check(o);
}

// Clouds of points hold one step each: a file is written when its step has come.
static bool is_cloud(const char *path) {
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".vtk") == 0;
}

static bool open_all(st_cli_outputs *outputs, const st_cli_options *o) {
    if (!st_cli_pictures_open(&outputs->pictures, outputs->session)) return false;
    if (o->report && !st_cli_can_write(o->report)) return false;
    if (o->vtk && !st_cli_make_folder(o->vtk)) return false;
    if (o->dump_states && !st_cli_output_open(&outputs->states, o->dump_states)) return false;
    if (o->dump_topology && !st_cli_output_open(&outputs->topology, o->dump_topology)) return false;
    if (o->html && !(outputs->html = st_cli_html_open(o->html, o->operand))) return false;
    if (o->contacts && is_cloud(o->contacts)) return st_cli_can_write(o->contacts);
    return !o->contacts || st_cli_output_open(&outputs->contacts, o->contacts);
}

bool st_cli_outputs_open(st_cli_outputs *outputs, st_cli_session *session) {
    *outputs = (st_cli_outputs){.session = session};
    if (open_all(outputs, session->options)) return true;
    st_cli_output_discard(&outputs->states);
    st_cli_output_discard(&outputs->topology);
    st_cli_html_discard(outputs->html);
    st_cli_pictures_close(&outputs->pictures);
    return false;
}

// ---------------------------------------------------------------------------------------------------
// During the run
// ---------------------------------------------------------------------------------------------------

bool st_cli_cloud_path(const st_cli_options *o, size_t step, char *path, size_t room) {
    const int stem = (int)strlen(o->contacts) - 4;
    const int length = o->dump_at.given ? snprintf(path, room, "%.*s_%zu.vtk", stem, o->contacts, step)
                                        : snprintf(path, room, "%s", o->contacts);
    return length >= 0 && (size_t)length < room;
}

static bool note_cloud(st_cli_outputs *outputs, size_t step) {
    size_t *steps = realloc(outputs->clouds, (outputs->cloud_count + 1) * sizeof *steps);
    if (!steps) {
        st_cli_error("out of memory: %zu files of contacts", outputs->cloud_count + 1);
        return false;
    }
    outputs->clouds = steps;
    outputs->clouds[outputs->cloud_count++] = step;
    return true;
}

static bool write_cloud(st_cli_outputs *outputs, size_t step) {
    const st_cli_options *o = outputs->session->options;
    char path[ST_CLI_PATH];
    if (!st_cli_cloud_path(o, step, path, sizeof path)) {
        st_cli_error("%s: the name is too long", o->contacts);
        return false;
    }

    st_cli_output file = {0};
    if (!st_cli_output_open(&file, path)) return false;
    const st_writer writer = {st_cli_output_write, &file};
    if (st_scene_write_contacts_vtk(outputs->session->scene, step, &writer) != ST_OK) file.failed = true;
    return st_cli_output_close(&file) && note_cloud(outputs, step);
}

static bool dump(st_cli_outputs *outputs, size_t step) {
    st_scene *scene = outputs->session->scene;
    bool ok = true;

    // a file that failed once is not tried again
    if (outputs->states.stream && !outputs->states.failed) {
        const st_writer writer = {st_cli_output_write, &outputs->states};
        ok = st_scene_dump_states(scene, step, &writer) == ST_OK;
    }

    if (outputs->contacts.stream && !outputs->contacts.failed) {
        const st_writer writer = {st_cli_output_write, &outputs->contacts};
        ok = st_scene_write_contacts(scene, step, !outputs->contacts_named, &writer) == ST_OK && ok;
        outputs->contacts_named = true;
    }

    // the mesh with which the next step goes on: it changes at the beginning of that step
    if (outputs->topology.stream && !outputs->topology.failed) {
        const st_writer writer = {st_cli_output_write, &outputs->topology};
        if (step < outputs->session->options->steps) ok = st_scene_begin_step(scene) == ST_OK && ok;
        ok = st_scene_dump_topology(scene, step, &writer) == ST_OK && ok;
    }

    const char *contacts = outputs->session->options->contacts;
    return (!contacts || !is_cloud(contacts) || write_cloud(outputs, step)) && ok;
}

// Whether the list of --dump-at holds the step. Steps come in order, so that the list is walked once.
static bool is_listed(st_cli_outputs *outputs, size_t step) {
    const st_cli_steps *steps = &outputs->session->options->dump_at;
    while (outputs->next_dump < steps->count && steps->data[outputs->next_dump] < step) outputs->next_dump++;
    return steps->all || (outputs->next_dump < steps->count && steps->data[outputs->next_dump] == step);
}

// A failing call of the library has usually explained itself.
static bool explain(const st_cli_outputs *outputs, size_t errors_before, const char *path) {
    if (st_cli_errors(&outputs->session->messages) == errors_before) st_cli_error("%s: cannot be written", path);
    return false;
}

static bool write_vtk(st_cli_outputs *outputs, size_t step) {
    const char *folder = outputs->session->options->vtk;
    const size_t errors = st_cli_errors(&outputs->session->messages);
    size_t files = 0;

    const st_status status = st_scene_write_vtk(outputs->session->scene, folder, step, &files);
    outputs->vtk_files += files;
    outputs->vtk_step = step;
    return status == ST_OK || explain(outputs, errors, folder);
}

bool st_cli_outputs_step(st_cli_outputs *outputs, size_t step) {
    const st_cli_options *o = outputs->session->options;
    bool ok = true;

    if (is_listed(outputs, step)) ok = dump(outputs, step);
    if (o->vtk && step % o->every == 0) ok = write_vtk(outputs, step) && ok;
    if (o->html && step % o->every == 0) ok = st_cli_html_step(outputs->html, outputs->session->scene, step) && ok;
    return st_cli_pictures_step(&outputs->pictures, step, false) && ok;
}

// ---------------------------------------------------------------------------------------------------
// After the run
// ---------------------------------------------------------------------------------------------------

bool st_cli_outputs_finish(st_cli_outputs *outputs, size_t step) {
    const st_cli_options *o = outputs->session->options;
    bool ok = true;

    // what shows the last state
    if (!o->dump_at.given) ok = dump(outputs, step);
    if (o->vtk && (outputs->vtk_files == 0 || outputs->vtk_step != step)) ok = write_vtk(outputs, step) && ok;
    ok = st_cli_pictures_step(&outputs->pictures, step, true) && ok;
    ok = st_cli_pictures_close(&outputs->pictures) && ok;
    if (o->html) ok = st_cli_html_step(outputs->html, outputs->session->scene, step) && ok;

    // files take their place now
    if (o->dump_states) outputs->written_states = st_cli_output_close(&outputs->states);
    if (o->dump_topology) outputs->written_topology = st_cli_output_close(&outputs->topology);
    if (o->html) outputs->written_html = st_cli_html_close(outputs->html, &outputs->html_frames, &outputs->html_bytes);
    if (o->contacts && !is_cloud(o->contacts)) outputs->written_contacts = st_cli_output_close(&outputs->contacts);

    return ok && (!o->contacts || outputs->written_contacts || is_cloud(o->contacts)) &&
           (!o->html || outputs->written_html) && (!o->dump_states || outputs->written_states) &&
           (!o->dump_topology || outputs->written_topology);
}

void st_cli_outputs_free(st_cli_outputs *outputs) {
    free(outputs->clouds);
    outputs->clouds = NULL;
    outputs->cloud_count = 0;
}
