// What a page asks for: one flat JSON object, such as {"do": "set", "id": 7, "path": "/Liver/fem", "field": "youngModulus",
// "value": "3000"}. It comes from outside: sizes, types and ranges are checked here, before anything is done.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VIEWER_COMMAND_H
#define SETTEE_VIEWER_COMMAND_H

#include <stdint.h>

#include "settee/types.h"

enum {
    ST_VIEWER_MOST_BYTES = 1 << 20, // of a message from a page
    ST_VIEWER_MOST_MEMBERS = 16,
};

typedef enum st_viewer_verb {
    ST_VIEWER_PLAY,
    ST_VIEWER_PAUSE,
    ST_VIEWER_STEP,
    ST_VIEWER_RESET,
    ST_VIEWER_RELOAD,
    ST_VIEWER_SPEED,
    ST_VIEWER_SHOW,
    ST_VIEWER_GRAPH,
    ST_VIEWER_FIELDS,
    ST_VIEWER_SET,
    ST_VIEWER_XML,
    ST_VIEWER_WATCH,
    ST_VIEWER_MATRIX,
    ST_VIEWER_KEEP,
    ST_VIEWER_FIGURES,
    ST_VIEWER_PULL,
    ST_VIEWER_DRAG,
    ST_VIEWER_RELEASE,
    ST_VIEWER_FIX,
    ST_VIEWER_UNFIX,
    ST_VIEWER_REMOVE,
    ST_VIEWER_CUT,
    ST_VIEWER_KEY,
    ST_VIEWER_VERBS
} st_viewer_verb;

typedef struct st_viewer_member {
    const char *name; // in the text of the command
    const char *text; // NULL: it is a number (true is 1, false and null are 0)
    double number;
} st_viewer_member;

typedef struct st_viewer_command {
    char *memory; // all names and texts, ended by zeros
    st_viewer_member members[ST_VIEWER_MOST_MEMBERS];
    size_t count;
    st_viewer_verb verb;
    uint32_t id; // chosen by the page, repeated in the answer; 0: none
} st_viewer_command;

// Reads a message. NULL, or what is wrong with it (constant text); the command is to be freed in both cases.
const char *st_viewer_command_read(st_viewer_command *command, const char *text, size_t length);
void st_viewer_command_free(st_viewer_command *command);

// Members of a command; the verb's own are there and of the right type.
const char *st_viewer_command_text(const st_viewer_command *command, const char *name);
double st_viewer_command_number(const st_viewer_command *command, const char *name);

const char *st_viewer_verb_name(st_viewer_verb verb);
// Whether it changes the scene or its time: refused where one may only look.
bool st_viewer_verb_changes(st_viewer_verb verb);

#endif
