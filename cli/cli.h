// The settee program: what its files share. The table of commands and options (table.c) is the only place where an
// option is written; the parser, the help, the manual page, docs/cli.md and the shell completion are made from it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CLI_H
#define SETTEE_CLI_H

#include <stdio.h>

#include "settee/settee.h"

// ---------------------------------------------------------------------------------------------------
// What was asked
// ---------------------------------------------------------------------------------------------------

typedef enum st_cli_exit {
    ST_CLI_OK = 0,
    ST_CLI_FAILED = 1,  // the simulation failed, a derivative is wrong, or output could not be written
    ST_CLI_USAGE = 2,   //
    ST_CLI_INVALID = 3, // the scene or mesh
    ST_CLI_ERRORS = 4,  // done, but errors were reported on the way: results may not be what the scene means
    ST_CLI_SIGNAL = 128 // + the number of the signal
} st_cli_exit;

typedef struct st_cli_words { // a repeatable option; the words are argv's
    const char **data;
    size_t count;
} st_cli_words;

// --dump-at: a sorted set of steps, or every step. Not given: the last step.
typedef struct st_cli_steps {
    bool given, all;
    size_t *data;
    size_t count;
} st_cli_steps;

typedef struct st_cli_point { // a place in space
    bool given;
    double at[3];
} st_cli_point;

// Scenes that are Python scripts: the program runs inside of Python then, and these calls lead to it. Each has said why
// when it fails.
typedef struct st_cli_options st_cli_options;
typedef struct st_cli_host {
    st_scene *(*load)(void *user, const st_cli_options *options, const st_config *config); // NULL: failed
    st_status (*init)(void *user, st_scene *scene);
    void (*end)(void *user, st_scene *scene); // in place of st_scene_destroy
    void *user;
} st_cli_host;

struct st_cli_options {
    const char *program; // argv[0]
    int word_count;      // all of argv
    char **all_words;
    const st_cli_host *host;   // NULL: there is no Python around the program
    const char *operand;       // the scene, mesh, component or topic; NULL: none
    const char *second;        // a second one, of commands whose operands are two words
    st_cli_words script_words; // after --argv
    bool help, version, verbose;
    size_t steps, threads, every;
    double dt; // 0: the scene's
    st_cli_words data_paths, plugin_paths, sets;
    const char *into; // folder of a sweep
    const char *dump_states, *dump_topology, *contacts;
    st_cli_steps dump_at;
    const char *png, *vtk, *show, *report;
    const char *output;
    size_t size[2]; // 0 0: the library's
    double view[3]; // 0 0 0: the library's
    st_cli_point eye, look_at;
    double up[3];    // 0 0 0: the library's
    double zoom;     // 0: 1
    double range[2]; // of the color bar; equal: that of the values
    const char *color, *fit, *video;
    double tolerance;
    const char *profile; // "": the tree; otherwise the file of the trace, too; NULL: none
    bool real_time, json, quiet, strict, no_compat, fast, read_only;
    bool markdown, names, missing;
    bool man, completion;
    const char *which, *component, *space, *system, *format; // of matrix
    size_t digits;
    const char *html;                 // of run
    const char *bind_address, *token; // of view
    size_t port;
    bool no_browser, paused;
};

// ---------------------------------------------------------------------------------------------------
// The table
// ---------------------------------------------------------------------------------------------------

enum {
    ST_CLI_TOP = 1,
    ST_CLI_RUN = 2,
    ST_CLI_CHECK = 4,
    ST_CLI_INFO = 8,
    ST_CLI_HELP = 16,
    ST_CLI_MESH = 32,
    ST_CLI_MATRIX = 64,
    ST_CLI_NEW = 128,
    ST_CLI_VIEW = 256
};

typedef enum st_cli_kind { // of an option's value, and of the member of st_cli_options that holds it
    ST_CLI_FLAG,           // bool
    ST_CLI_COUNT,          // size_t
    ST_CLI_REAL,           // double
    ST_CLI_WORD,           // const char *
    ST_CLI_OPTIONAL,       // const char *; "" where only the name is given, a value must be in the same word
    ST_CLI_CHOICE,         // const char *, one of the words in the option's value, | between
    ST_CLI_WORDS,          // st_cli_words
    ST_CLI_REST,           // st_cli_words: all words that follow
    ST_CLI_PIXELS,         // size_t[2]
    ST_CLI_DIRECTION,      // double[3]
    ST_CLI_POINT,          // st_cli_point
    ST_CLI_RANGE,          // double[2], increasing
    ST_CLI_SHOW,           // const char *, words of settee/drawing.h
    ST_CLI_STEPS,          // st_cli_steps
} st_cli_kind;

typedef struct st_cli_option {
    unsigned commands; // in which it can be used
    st_cli_kind kind;
    const char *name;  // long form
    const char *value; // what the value is called in help, NULL for a flag; FILE and DIR are completed as such
    const char *help;
    size_t offset;        // in st_cli_options
    double least, most;   // of a number
    const char *needs;    // options of which one must be given with it, blanks between; or NULL
    const char *excludes; // option that cannot be given with it; or NULL
    char letter;          // short form, or 0
    bool hidden;          // not shown in help
} st_cli_option;

typedef struct st_cli_command {
    unsigned bit;
    const char *name;
    const char *operand; // "SCENE", "[NAME]" when it can be left out, "plugin NAME" where two are needed, or NULL
    const char *summary;
    const char *text;
    int (*run)(const st_cli_options *options);
} st_cli_command;

// A chapter of the manual that belongs to no single command. Paragraphs are separated by an empty line; lines that
// begin with blanks are kept as they are.
typedef struct st_cli_topic {
    const char *name;
    const char *title;
    const char *text;
} st_cli_topic;

extern const st_cli_command st_cli_commands[]; // name NULL at the end, as in the others
extern const st_cli_option st_cli_option_table[];
extern const st_cli_topic st_cli_topics[];

const st_cli_command *st_cli_find_command(const char *name);

// The program; `host` NULL: not inside of Python.
int st_cli_program(int argc, char **argv, const st_cli_host *host);

// Fills the options from the words after the command. False: a message was printed, the exit code is ST_CLI_USAGE.
bool st_cli_parse(const st_cli_command *command, int count, char **words, st_cli_options *options);
void st_cli_options_free(st_cli_options *options);

// Strict readers of values: the whole word must be a number in the range.
bool st_cli_read_count(const char *text, double least, double most, size_t *value);
bool st_cli_read_real(const char *text, double least, double most, double *value);
enum { ST_CLI_MOST_PIXELS = 1 << 25 }; // of a picture, as the library has it
bool st_cli_read_pixels(const char *text, double most, size_t size[2]);
bool st_cli_read_direction(const char *text, double view[3]);
bool st_cli_read_point(const char *text, st_cli_point *point);
bool st_cli_read_range(const char *text, double range[2]);
bool st_cli_read_choice(const char *text, const char *choices); // is it one of them?
bool st_cli_read_steps(const char *text, st_cli_steps *steps);

// The nearest of a series of names to a misspelled one.
typedef struct st_cli_guess {
    const char *word;
    const char *best; // NULL: nothing is near
    size_t distance;
} st_cli_guess;
void st_cli_guess_try(st_cli_guess *guess, const char *candidate);

// ---------------------------------------------------------------------------------------------------
// Commands
// ---------------------------------------------------------------------------------------------------

int st_cli_run(const st_cli_options *options);
int st_cli_check(const st_cli_options *options);
int st_cli_view(const st_cli_options *options);
int st_cli_matrix(const st_cli_options *options);
int st_cli_info(const st_cli_options *options);
int st_cli_mesh(const st_cli_options *options);
int st_cli_new(const st_cli_options *options);
int st_cli_new_body(const st_cli_options *options);
int st_cli_help(const st_cli_options *options);
int st_cli_version(const st_cli_options *options);

// Help of one command, or of the program for NULL.
void st_cli_print_help(FILE *file, const st_cli_command *command);
void st_cli_print_topic(FILE *file, const st_cli_topic *topic);
void st_cli_print_man(FILE *file);
void st_cli_print_markdown(FILE *file);
void st_cli_print_completion(FILE *file);
// "settee run SCENE [-n N] ...", broken into lines of `width`; `separator` goes between the lines.
void st_cli_print_usage(FILE *file, const st_cli_command *command, size_t width, const char *separator);
// "-n, --steps N"
const char *st_cli_before_value(const st_cli_option *option); // what separates it from its name
void st_cli_option_label(const st_cli_option *option, char *label, size_t size);

void st_cli_info_json(FILE *file, const char *name);     // NULL: all components
void st_cli_info_markdown(FILE *file, const char *name); // likewise

// ---------------------------------------------------------------------------------------------------
// Printing
// ---------------------------------------------------------------------------------------------------

// An error of the program itself on stderr: "settee: error: ..."
void st_cli_error(const char *format, ...) ST_PRINTF(1, 2);
bool st_cli_is_terminal(FILE *file); // one that can draw over a line
bool st_cli_has_color(FILE *file);
size_t st_cli_width(FILE *file); // columns of the terminal, 80 elsewhere

// A text in lines of `width`, each after the first indented; `column` is where the first one starts.
void st_cli_print_wrapped(FILE *file, const char *text, size_t column, size_t indent, size_t width);
// Text from outside, without the control characters that a terminal would obey.
void st_cli_print_clean(FILE *file, const char *text);
// A figure for people: three digits, or a whole number; 114503, 57.2, 0.0337. Returns the text.
const char *st_cli_figure(double value, char text[32]);
// Blocks of a topic's or command's text, one after the other: false at the end. `kept`: lines to be kept as they are.
bool st_cli_next_block(const char **text, const char **start, size_t *length, bool *kept);

// JSON, written as it comes: a name is NULL inside a list.
typedef struct st_cli_json {
    FILE *file;
    int depth;
    int lines;     // what is deeper than this stays on one line; 0: nothing does
    bool some[32]; // a member was written at this depth
} st_cli_json;
void st_cli_json_open(st_cli_json *json, const char *name, char bracket);
void st_cli_json_close(st_cli_json *json, char bracket);
void st_cli_json_text(st_cli_json *json, const char *name, const char *value); // NULL: null
void st_cli_json_real(st_cli_json *json, const char *name, double value);      // not finite: null
void st_cli_json_count(st_cli_json *json, const char *name, size_t value);
void st_cli_json_bool(st_cli_json *json, const char *name, bool value);

// Makes sure that descriptors 0, 1 and 2 are taken, so that no file opened later becomes "standard output" of a program
// that was started with it closed.
void st_cli_guard_standard_files(void);
// Flushes stdout; false, with a message, when something could not be written.
bool st_cli_flush_stdout(void);

#endif
