// The summary of a run: as text, or as JSON for programs.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "settee/contact.h"

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

static double simulated(const st_cli_result *r) { return r->time - r->start_time; }

// ---------------------------------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------------------------------

static void put_file(FILE *file, const char **label, const char *path, size_t files) {
    fprintf(file, "%-12s %s", *label, path);
    *label = "";

    const size_t length = strlen(path);
    if (files) fprintf(file, "%s (%zu file%s)", path[length - 1] == '/' ? "" : "/", files, files == 1 ? "" : "s");

    fputc('\n', file);
}

static void put_pictures(FILE *file, const char **label, const char *path, size_t count) {
    fprintf(file, "%-12s %s", *label, path);
    *label = "";
    if (strchr(path, '%')) fprintf(file, " (%zu picture%s)", count, count == 1 ? "" : "s");
    fputc('\n', file);
}

// What components of the scene wrote, the first ones by name.
static void put_components(FILE *file, const char **label, const st_scene *scene) {
    enum { NAMED = 10 };
    size_t count = 0;
    while (st_scene_written_file(scene, count)) count++;
    for (size_t i = 0; i < count && i < NAMED; i++) put_file(file, label, st_scene_written_file(scene, i), 0);
    if (count > NAMED) fprintf(file, "%-12s and %zu more files of the scene\n", "", count - NAMED);
}

enum { MOST_CLOUDS = 10 }; // whose names are all printed

static void put_files(FILE *file, const st_cli_options *o, const st_scene *scene, const st_cli_outputs *outputs) {
    const char *label = "wrote";

    // dumps, and the clouds of contacts of many steps
    if (outputs->written_states && !st_cli_is_stdout(o->dump_states)) put_file(file, &label, o->dump_states, 0);
    if (outputs->written_topology && !st_cli_is_stdout(o->dump_topology)) put_file(file, &label, o->dump_topology, 0);
    if (outputs->written_contacts && !st_cli_is_stdout(o->contacts)) put_file(file, &label, o->contacts, 0);
    for (size_t i = 0; i < outputs->cloud_count; i++) {
        char path[ST_CLI_PATH];
        if (outputs->cloud_count > MOST_CLOUDS && i > 0 && i + 1 < outputs->cloud_count) continue;
        if (st_cli_cloud_path(o, outputs->clouds[i], path, sizeof path)) put_file(file, &label, path, 0);
        if (outputs->cloud_count > MOST_CLOUDS && i == 0)
            fprintf(file, "%-12s ... (%zu more)\n", label, outputs->cloud_count - 2);
    }

    // pictures and meshes, the page, what components wrote
    if (outputs->pictures.count) put_pictures(file, &label, o->png, outputs->pictures.count);
    if (outputs->pictures.video.written) put_file(file, &label, o->video, 0);
    if (outputs->vtk_files) put_file(file, &label, o->vtk, outputs->vtk_files);
    if (o->report) put_file(file, &label, o->report, 0);
    if (o->profile && *o->profile && !st_cli_is_stdout(o->profile)) put_file(file, &label, o->profile, 0);
    if (outputs->written_html && !st_cli_is_stdout(o->html)) {
        char name[4096], size[32];
        snprintf(name, sizeof name, "%s (%zu frame%s, %s MB)", o->html, outputs->html_frames,
                 outputs->html_frames == 1 ? "" : "s", st_cli_figure((double)outputs->html_bytes / 1e6, size));
        put_file(file, &label, name, 0);
    }
    put_components(file, &label, scene);
}

static void put_times(FILE *file, const st_cli_session *session, const st_cli_result *r) {
    fprintf(file, "%-12s %.6g s (dt %.6g s)\n", "simulated", simulated(r), r->dt);
    fprintf(file, "%-12s %.3g s", "wall time", r->wall_seconds);
    fprintf(file, " (loading %.3g s, initialization %.3g s)\n", session->load_seconds, session->init_seconds);

    if (r->steps == 0) return;
    char speed[32], factor[32];
    fprintf(file, "%-12s %s steps/s, %s x real time\n", "speed",
            st_cli_figure(ratio((double)r->steps, r->step_seconds), speed),
            st_cli_figure(ratio(simulated(r), r->step_seconds), factor));
    if (r->pace) st_cli_pace_text(file, r->pace);
}

void st_cli_summary_text(FILE *file, const st_cli_session *session, const st_cli_outputs *outputs,
                         const st_cli_result *r) {
    const st_cli_options *o = session->options;
    const double kinetic = r->energy.kinetic, potential = r->energy.potential;

    // the scene, and how far it came
    fprintf(file, "%-12s ", "scene");
    st_cli_print_clean(file, o->operand);
    fprintf(file, "\n%-12s %zu", "steps", r->steps);
    if (r->steps < o->steps) fprintf(file, " of %zu (%s)", o->steps, r->status);
    fputc('\n', file);

    put_times(file, session, r);
    fprintf(file, "%-12s kinetic %.6g, potential %.6g, total %.6g\n", "energy", kinetic, potential,
            kinetic + potential);

    const size_t warnings = st_cli_warnings(&session->messages), errors = st_cli_errors(&session->messages);
    fprintf(file, "%-12s %zu warning%s, %zu error%s\n", "messages", warnings, warnings == 1 ? "" : "s", errors,
            errors == 1 ? "" : "s");
    put_files(file, o, session->scene, outputs);
}

// ---------------------------------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------------------------------

static void json_files(st_cli_json *json, const st_cli_options *o, const st_scene *scene,
                       const st_cli_outputs *outputs) {
    // dumps, and the clouds of contacts of many steps
    st_cli_json_open(json, "files", '[');
    if (outputs->written_states) st_cli_json_text(json, NULL, o->dump_states);
    if (outputs->written_topology) st_cli_json_text(json, NULL, o->dump_topology);
    if (outputs->written_contacts) st_cli_json_text(json, NULL, o->contacts);
    for (size_t i = 0; i < outputs->cloud_count; i++) {
        char path[ST_CLI_PATH];
        if (st_cli_cloud_path(o, outputs->clouds[i], path, sizeof path)) st_cli_json_text(json, NULL, path);
    }

    // pictures and meshes, the page, what components wrote
    if (outputs->pictures.count) st_cli_json_text(json, NULL, o->png);
    if (outputs->pictures.video.written) st_cli_json_text(json, NULL, o->video);
    if (outputs->vtk_files) st_cli_json_text(json, NULL, o->vtk);
    if (outputs->written_html) st_cli_json_text(json, NULL, o->html);
    if (o->profile && *o->profile) st_cli_json_text(json, NULL, o->profile);
    for (size_t i = 0; scene && st_scene_written_file(scene, i); i++)
        st_cli_json_text(json, NULL, st_scene_written_file(scene, i));
    st_cli_json_close(json, ']');
    if (o->vtk) st_cli_json_count(json, "vtk_files", outputs->vtk_files);
    if (o->png) st_cli_json_count(json, "pictures", outputs->pictures.count);
}

// Contacts at the end.
static void json_contacts(st_cli_json *json, st_scene *scene) {
    const size_t count = st_scene_contacts(scene, NULL, 0);
    st_contact_report *contacts = count ? malloc(count * sizeof *contacts) : NULL;
    const size_t most = contacts ? st_scene_contacts(scene, contacts, count) : 0;

    // one object a contact
    st_cli_json_open(json, "contacts", '[');
    for (size_t i = 0; i < most && i < count; i++) {
        const st_contact_report *c = &contacts[i];
        st_cli_json_open(json, NULL, '{');
        st_cli_json_text(json, "model1", st_object_path(c->model[0]));
        st_cli_json_text(json, "model2", st_object_path(c->model[1]));
        st_cli_json_count(json, "element1", c->element[0]);
        st_cli_json_count(json, "element2", c->element[1]);
        st_cli_json_real(json, "gap", (double)c->gap);
        st_cli_json_real(json, "normal_force", (double)c->normal_force);
        st_cli_json_real(json, "tangential_force", (double)c->tangential_force);
        st_cli_json_text(json, "motion", st_contact_motion_name(c->motion));

        for (int v = 0; v < 4; v++) {
            static const char *const names[] = {"point1", "point2", "normal", "force"};
            const st_real *values[] = {c->point[0], c->point[1], c->normal, c->force};
            st_cli_json_open(json, names[v], '[');
            for (int k = 0; k < 3; k++) st_cli_json_real(json, NULL, (double)values[v][k]);
            st_cli_json_close(json, ']');
        }
        st_cli_json_close(json, '}');
    }
    st_cli_json_close(json, ']');

    free(contacts);
}

static void json_numbers(st_cli_json *json, const st_cli_session *session, const st_cli_result *r) {
    st_cli_json_count(json, "steps", r->steps);
    st_cli_json_count(json, "steps_asked", session->options->steps);
    st_cli_json_real(json, "dt", r->dt);
    st_cli_json_real(json, "time", r->time);
    st_cli_json_real(json, "simulated_seconds", simulated(r));

    // seconds on the clock, and speed
    st_cli_json_real(json, "load_seconds", session->load_seconds);
    st_cli_json_real(json, "init_seconds", session->init_seconds);
    st_cli_json_real(json, "step_seconds", r->step_seconds);
    st_cli_json_real(json, "wall_seconds", r->wall_seconds);
    st_cli_json_real(json, "steps_per_second", ratio((double)r->steps, r->step_seconds));
    st_cli_json_real(json, "real_time_factor", ratio(simulated(r), r->step_seconds));

    if (r->pace) st_cli_pace_json(json, r->pace);

    st_cli_json_open(json, "energy", '{');
    st_cli_json_real(json, "kinetic", r->energy.kinetic);
    st_cli_json_real(json, "potential", r->energy.potential);
    st_cli_json_real(json, "total", (double)r->energy.kinetic + (double)r->energy.potential);
    st_cli_json_close(json, '}');
}

void st_cli_summary_json(FILE *file, const st_cli_session *session, const st_cli_outputs *outputs,
                         const st_cli_result *r) {
    st_cli_json json = {.file = file};
    st_cli_json_open(&json, NULL, '{');
    st_cli_json_text(&json, "settee", st_version());
    st_cli_json_text(&json, "scene", session->options->operand);
    st_cli_json_text(&json, "status", r->status);
    st_cli_json_count(&json, "exit_code", (size_t)r->code);

    // a run that was not begun has no numbers
    if (r->ran) json_numbers(&json, session, r);
    st_cli_json_count(&json, "warnings", st_cli_warnings(&session->messages));
    st_cli_json_count(&json, "errors", st_cli_errors(&session->messages));
    st_cli_messages_json(&session->messages, &json);

    json_files(&json, session->options, session->scene, outputs);
    if (r->ran) json_contacts(&json, session->scene);
    if (session->options->profile && r->ran) st_cli_profile_json(&json, session, r);
    st_cli_json_close(&json, '}');
}
