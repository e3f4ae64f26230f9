// A run: what it writes on the way, and what is printed of it at the end.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CLI_RUN_H
#define SETTEE_CLI_RUN_H

#include "session.h"

enum { ST_CLI_PATH = 4096 }; // room for a name of a file

typedef struct st_cli_outputs {
    st_cli_session *session;
    st_cli_output states, topology, contacts;
    size_t next_dump; // in the list of --dump-at
    size_t vtk_files;
    size_t vtk_step; // last step written, when vtk_files > 0
    size_t *clouds;  // steps whose contacts were written as FILE_STEP.vtk
    size_t cloud_count;
    bool written_states, written_topology, written_contacts, written_png;
    bool contacts_named; // the line of names of the contacts is written
} st_cli_outputs;

// Whether the files that were asked for make sense; false, with a message: usage error.
bool st_cli_outputs_check(const st_cli_options *options);
// All print a message and return false when something could not be written.
bool st_cli_outputs_open(st_cli_outputs *outputs, st_cli_session *session);
bool st_cli_outputs_step(st_cli_outputs *outputs, size_t step);
bool st_cli_outputs_finish(st_cli_outputs *outputs, size_t step); // `step` is the last one; all files are closed
void st_cli_outputs_free(st_cli_outputs *outputs);
// The name of the cloud of contacts of a step: FILE.vtk, or FILE_99.vtk where steps were asked for. False: it is too long.
bool st_cli_cloud_path(const st_cli_options *options, size_t step, char *path, size_t room);

typedef struct st_cli_result {
    const char *status; // "ok", "errors", "failed", "interrupted", "invalid", "unwritten"
    int code;           // exit code
    bool ran;           // the steps were begun: the numbers mean something
    size_t steps;
    double start_time;   // of the scene when it was initialized
    double time, dt;     // of the scene at the end
    double step_seconds; // spent in steps
    double wall_seconds; // from the first step to the last file
    st_energy energy;
} st_cli_result;

void st_cli_summary_text(FILE *file, const st_cli_session *session, const st_cli_outputs *outputs,
                         const st_cli_result *result);
void st_cli_summary_json(FILE *file, const st_cli_session *session, const st_cli_outputs *outputs,
                         const st_cli_result *result);
void st_cli_profile_text(FILE *file, const st_cli_session *session, const st_cli_result *result);

#endif
