// `settee run`: loads a scene, makes its steps, writes what was asked for and prints a summary.
//
// SPDX-License-Identifier: Apache-2.0
#include "run.h"

typedef struct run {
    const st_cli_options *options;
    st_cli_session session;
    st_cli_outputs outputs;
    st_cli_report *report; // NULL: none was asked for
    st_cli_trace *trace;   // the same
    st_cli_result result;
} run;

// The first thing that went wrong decides.
static void stop(run *r, const char *status, int code) {
    if (r->result.code != ST_CLI_OK) return;
    r->result.status = status;
    r->result.code = code;
}

static bool step(run *r) {
    st_scene *scene = r->session.scene;

    // the time of the scene before the step, for the message
    if (r->result.pace) st_cli_pace_wait(r->result.pace);
    const double time = (double)st_scene_time(scene), start = st_cli_clock();
    const st_status status = st_scene_step(scene, (st_real)r->options->dt);
    const double seconds = st_cli_clock() - start;
    r->result.step_seconds += seconds;

    if (status == ST_OK) {
        r->result.steps++;
        st_cli_trace_step(r->trace, start, seconds);
        if (r->result.pace) st_cli_pace_step(r->result.pace, start, seconds, (double)st_scene_time(scene) - time);
        return !r->report || st_cli_report_step(r->report, &r->outputs.pictures, r->result.steps, 1e3 * seconds);
    }

    st_cli_progress_clear(&r->session.progress);
    st_cli_error("step %zu of %zu failed at time %.6g s: %s", r->result.steps + 1, r->options->steps, time,
                 st_status_text(status));
    stop(r, "failed", ST_CLI_FAILED);
    return false;
}

// Every way out of the loop leaves the last good state in the scene.
static void make_steps(run *r) {
    st_cli_progress *progress = &r->session.progress;
    st_cli_progress_start(progress, r->options->steps, !r->options->quiet);

    for (;;) {
        // files of this state; then the next step, unless the run has to end
        if (!st_cli_outputs_step(&r->outputs, r->result.steps)) stop(r, "unwritten", ST_CLI_FAILED);
        if (r->result.code != ST_CLI_OK || r->result.steps == r->options->steps) break;
        if (st_cli_signal()) {
            stop(r, "interrupted", ST_CLI_SIGNAL + st_cli_signal());
            break;
        }

        if (!step(r)) break;
        st_cli_progress_step(progress, r->result.steps, (double)st_scene_time(r->session.scene) - r->result.start_time);
    }

    st_cli_progress_clear(progress);
}

// What measures the steps.
static bool start_clocks(run *r) {
    const char *trace = r->options->profile && *r->options->profile ? r->options->profile : NULL;
    if (r->options->real_time && !(r->result.pace = st_cli_pace_create())) return false;
    if (trace && !(r->trace = st_cli_trace_open(trace))) return false;
    return !r->options->profile || st_cli_profile_start(r->session.scene, r->trace);
}

static void simulate(run *r) {
    st_scene *scene = r->session.scene;
    const double start = st_cli_clock();

    // steps, with files on the way
    st_cli_catch_signals();
    r->result.start_time = (double)st_scene_time(scene);
    r->result.ran = st_cli_outputs_open(&r->outputs, &r->session) && start_clocks(r);
    if (r->options->report && r->result.ran) r->report = st_cli_report_create(r->options->steps);
    if (r->report) st_cli_report_step(r->report, &r->outputs.pictures, 0, 0);
    if (r->result.ran) make_steps(r);

    // files of the last state, then those that components of the scene write
    if (!r->result.ran || !st_cli_outputs_finish(&r->outputs, r->result.steps)) stop(r, "unwritten", ST_CLI_FAILED);
    if (st_scene_finish(scene) != ST_OK) stop(r, "unwritten", ST_CLI_FAILED);
    if (!st_cli_trace_close(r->trace)) stop(r, "unwritten", ST_CLI_FAILED);

    // figures for the summary
    r->result.wall_seconds = st_cli_clock() - start;
    r->result.time = (double)st_scene_time(scene);
    r->result.dt = r->options->dt > 0 ? r->options->dt : (double)st_scene_dt(scene);
    r->result.energy = st_scene_energy(scene);
    if (r->options->report && (!r->report || !st_cli_report_write(r->report, &r->session, &r->result)))
        stop(r, "unwritten", ST_CLI_FAILED);
    st_cli_report_free(r->report);
}

static void print_result(run *r) {
    const st_cli_options *o = r->options;
    const bool taken = (o->dump_states && st_cli_is_stdout(o->dump_states)) ||
                       (o->dump_topology && st_cli_is_stdout(o->dump_topology)) ||
                       (o->contacts && st_cli_is_stdout(o->contacts)) || (o->html && st_cli_is_stdout(o->html)) ||
                       (o->profile && *o->profile && st_cli_is_stdout(o->profile));

    // a dump that goes to standard output has it for itself
    FILE *file = taken ? stderr : stdout;

    st_cli_messages_finish(&r->session.messages);
    if (st_cli_signal() && r->result.code > ST_CLI_SIGNAL)
        fprintf(stderr, "settee: interrupted after %zu of %zu steps\n", r->result.steps, o->steps);

    if (o->json) st_cli_summary_json(stdout, &r->session, &r->outputs, &r->result);
    if (o->json || !r->result.ran) return;

    if (!o->quiet) st_cli_summary_text(file, &r->session, &r->outputs, &r->result);
    if (o->profile) st_cli_profile_text(file, &r->session, &r->result);
}

int st_cli_run_once(const st_cli_options *options, st_cli_result *result) {
    run r = {.options = options, .result.status = "ok"};
    if (!st_cli_outputs_check(options)) return ST_CLI_USAGE;

    const int code = st_cli_session_start(&r.session, options, options->read_only);
    if (code == ST_CLI_OK) simulate(&r);
    else stop(&r, code == ST_CLI_INVALID ? "invalid" : "failed", code);
    if (st_cli_errors(&r.session.messages)) stop(&r, "errors", ST_CLI_ERRORS);
    print_result(&r);
    if (r.result.code == ST_CLI_ERRORS) st_cli_session_code(&r.session, ST_CLI_OK, options->json);

    st_cli_pace_free(r.result.pace);
    r.result.pace = NULL;
    st_cli_outputs_free(&r.outputs);
    st_cli_session_end(&r.session);
    *result = r.result;
    return r.result.code;
}

int st_cli_run(const st_cli_options *options) {
    st_cli_result result;
    return st_cli_is_sweep(options) ? st_cli_sweep(options) : st_cli_run_once(options, &result);
}
