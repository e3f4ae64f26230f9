// `settee check`: what becomes of a scene that was made for SOFA. It loads and initializes it, looks for what often goes wrong
// with contacts, compares derivatives with finite differences, names components that are missing, without effect, or do not
// reproduce a defect of SOFA, and ends with a verdict.
//
// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "settee/contact.h"
#include "settee/migration.h"

// Finite differences are worth about half the digits of the number type, less where forces bend strongly.
#ifdef SETTEE_REAL_FLOAT
static const double usual_tolerance = 5e-2;
#else
static const double usual_tolerance = 1e-4;
#endif

typedef struct check {
    const st_cli_options *options;
    st_cli_session session;
    double tolerance;
    size_t derivatives, wrong, untested, differences;
    size_t fates[ST_FATE_MISSING + 1]; // components
    char missing[160];                 // their first names
    size_t contacts;                   // problems with contacts
    st_cli_json *json;                 // NULL: text
} check;

// ---------------------------------------------------------------------------------------------------
// Derivatives, printed as they come
// ---------------------------------------------------------------------------------------------------

static void print_text(const check *c, const st_derivative_check *d, const char *verdict) {
    const bool wrong = verdict[0] == 'W';
    const bool color = wrong && st_cli_has_color(stdout);

    // quiet: only what is wrong
    if (c->options->quiet) {
        if (wrong)
            st_cli_error("%s at %s: the %s is wrong: relative difference %.3g", st_object_class_name(d->object),
                         st_object_path(d->object), d->what, (double)d->error);
        return;
    }

    printf("  %s%-7s%s %10.3g  %-10s %s at ", color ? "\033[1;31m" : "", verdict, color ? "\033[0m" : "",
           (double)d->error, d->what, st_object_class_name(d->object));
    st_cli_print_clean(stdout, st_object_path(d->object));
    if (d->note && *d->note) printf(": %s", d->note);
    fputc('\n', stdout);
}

static void put_json(st_cli_json *json, const st_derivative_check *d, const char *verdict) {
    st_cli_json_open(json, NULL, '{');
    st_cli_json_text(json, "path", st_object_path(d->object));
    st_cli_json_text(json, "class", st_object_class_name(d->object));
    st_cli_json_text(json, "what", d->what);
    st_cli_json_real(json, "error", (double)d->error);
    st_cli_json_text(json, "verdict", verdict);
    st_cli_json_text(json, "note", d->note);
    st_cli_json_close(json, '}');
}

static void report(void *user, const st_derivative_check *d) {
    check *c = user;
    const bool close = (double)d->error <= c->tolerance; // false for NaN
    const bool wrong = !close && d->exact_by_design;
    const bool untested = !wrong && d->error != d->error; // NaN: it was never active

    c->derivatives++;
    c->wrong += wrong;
    c->untested += untested;
    if (c->json) put_json(c->json, d, close ? "ok" : wrong ? "wrong" : untested ? "untested" : "inexact");
    else print_text(c, d, close ? "ok" : wrong ? "WRONG" : untested ? "untested" : "inexact");
}

// ---------------------------------------------------------------------------------------------------
// Differences from SOFA
// ---------------------------------------------------------------------------------------------------

static void report_difference(void *user, const st_difference *d) {
    check *c = user;

    if (c->json) {
        st_cli_json_open(c->json, NULL, '{');
        st_cli_json_text(c->json, "path", st_object_path(d->object));
        st_cli_json_text(c->json, "class", st_object_class_name(d->object));
        st_cli_json_text(c->json, "in_sofa", d->what);
        st_cli_json_close(c->json, '}');
    } else if (!c->options->quiet) {
        if (c->differences == 0) printf("other than SOFA (docs/compatibility.md, defects that are corrected)\n");
        printf("  %s at ", st_object_class_name(d->object));
        st_cli_print_clean(stdout, st_object_path(d->object));
        printf(": in SOFA %s\n", d->what);
    }
    c->differences++;
}

// ---------------------------------------------------------------------------------------------------
// Components, and the verdict
// ---------------------------------------------------------------------------------------------------

static void report_fate(void *user, const st_migration *m) {
    check *c = user;
    c->fates[m->fate]++;

    // the first names, for the verdict
    const size_t used = strlen(c->missing);
    if (m->fate == ST_FATE_MISSING && used < 120)
        snprintf(c->missing + used, sizeof c->missing - used, "%s%.60s", used ? ", " : "", m->component);

    // all are in the output for programs; what is as in SOFA needs no line for people
    if (c->json) {
        st_cli_json_open(c->json, NULL, '{');
        st_cli_json_text(c->json, "path", st_object_path(m->object));
        st_cli_json_text(c->json, "class", m->component);
        st_cli_json_text(c->json, "fate", st_fate_name(m->fate));
        st_cli_json_text(c->json, "why", m->why);
        st_cli_json_close(c->json, '}');
    } else if (!c->options->quiet && m->fate != ST_FATE_SAME && m->fate != ST_FATE_DIFFERENT) {
        int line = 0;
        st_object_file(m->object, &line);
        printf("  %s: %s at ", st_fate_name(m->fate), m->component);
        st_cli_print_clean(stdout, st_object_path(m->object));
        if (line) printf(" (line %d)", line);
        printf("%s%s\n", *m->why ? ": " : "", m->why);
    }
}

typedef struct sentence {
    char text[512];
} sentence;

static void add_clause(sentence *s, size_t count, const char *format, ...) ST_PRINTF(3, 4);
static void add_clause(sentence *s, size_t count, const char *format, ...) {
    if (count == 0) return;
    const size_t used = strlen(s->text);
    va_list arguments;
    va_start(arguments, format);
    if (used) snprintf(s->text + used, sizeof s->text - used, "; ");
    const size_t begin = strlen(s->text);
    vsnprintf(s->text + begin, sizeof s->text - begin, format, arguments);
    va_end(arguments);
}

// What will not behave as in SOFA, in one line.
static void put_verdict(const check *c, size_t errors) {
    const size_t missing = c->fates[ST_FATE_MISSING], invalid = c->fates[ST_FATE_INVALID];
    sentence s = {""};
    add_clause(&s, missing, "%zu component%s missing (%s%s)", missing, missing == 1 ? " is" : "s are", c->missing,
               strlen(c->missing) >= 120 ? ", ..." : "");
    add_clause(&s, invalid, "%zu component%s invalid and do%s nothing", invalid, invalid == 1 ? " is" : "s are",
               invalid == 1 ? "es" : "");
    add_clause(&s, c->differences, "%zu other than SOFA on purpose", c->differences);
    add_clause(&s, errors, "%zu error%s", errors, errors == 1 ? "" : "s");

    // what often goes wrong with contacts goes wrong in SOFA, too
    const bool same = !s.text[0];
    add_clause(&s, same, "this scene behaves as in SOFA");
    add_clause(&s, c->contacts, "%zu warning%s about contacts", c->contacts, c->contacts == 1 ? "" : "s");

    if (c->json) st_cli_json_text(c->json, "verdict", s.text);
    else if (!c->options->quiet) printf("%-12s %s%s\n", "verdict", same ? "" : "not as in SOFA: ", s.text);
}

// ---------------------------------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------------------------------

static void count_components(st_scene *scene, size_t *components, size_t *inert) {
    st_object *object;
    *components = *inert = 0;
    while ((object = st_scene_object(scene, *components))) {
        *inert += st_object_is_inert(object);
        ++*components;
    }
}

static bool make_steps(check *c) {
    for (size_t i = 0; i < c->options->steps; i++) {
        const st_status status = st_scene_step(c->session.scene, 0);
        if (status == ST_OK) continue;
        st_cli_error("step %zu failed: %s", i + 1, st_status_text(status));
        return false;
    }
    return true;
}

static int check_derivatives(check *c) {
    const st_status status = st_scene_check_derivatives(c->session.scene, report, c);
    if (status != ST_OK) st_cli_error("derivatives could not be checked: %s", st_status_text(status));
    return status != ST_OK || c->wrong > 0 ? ST_CLI_FAILED : ST_CLI_OK;
}

static int inspect(check *c) {
    st_scene *scene = c->session.scene;
    c->contacts = st_scene_check_contacts(scene); // before the first step: bodies may start in each other
    if (!make_steps(c)) return ST_CLI_FAILED;

    // what the scene holds, its energy and its mass
    size_t components, inert;
    count_components(scene, &components, &inert);
    const st_energy energy = st_scene_energy(scene);
    const double kinetic = energy.kinetic, potential = energy.potential;
    const st_mass_sum mass = st_scene_mass(scene);

    // as members of the summary, or as a table
    if (c->json) {
        st_cli_json_count(c->json, "components", components);
        st_cli_json_count(c->json, "inert", inert);
        st_cli_json_open(c->json, "energy", '{');
        st_cli_json_real(c->json, "kinetic", kinetic);
        st_cli_json_real(c->json, "potential", potential);
        st_cli_json_close(c->json, '}');
        st_cli_json_open(c->json, "mass", '{');
        st_cli_json_real(c->json, "total", mass.total);
        st_cli_json_real(c->json, "x", mass.center[0]);
        st_cli_json_real(c->json, "y", mass.center[1]);
        st_cli_json_real(c->json, "z", mass.center[2]);
        st_cli_json_close(c->json, '}');
        st_cli_json_open(c->json, "derivatives", '[');
    } else if (!c->options->quiet) {
        printf("%-12s ", "scene");
        st_cli_print_clean(stdout, c->options->operand);
        printf("\n%-12s %zu", "components", components);
        if (inert) printf(", %zu of them known and without effect", inert);
        fputc('\n', stdout);
        printf("%-12s kinetic %.6g, potential %.6g, total %.6g\n", "energy", kinetic, potential, kinetic + potential);
        printf("%-12s total %.6g, center %.6g %.6g %.6g\n", "mass", (double)mass.total, (double)mass.center[0],
               (double)mass.center[1], (double)mass.center[2]);
        printf("derivatives\n");
    }

    const int code = check_derivatives(c);
    if (c->json) st_cli_json_close(c->json, ']');

    // where results are not SOFA's, on purpose
    if (c->json) st_cli_json_open(c->json, "differences", '[');
    st_scene_differences(scene, report_difference, c);
    if (c->json) st_cli_json_close(c->json, ']');

    // what became of each component
    if (c->json) st_cli_json_open(c->json, "fates", '[');
    else if (!c->options->quiet) printf("components\n");
    st_scene_migration(scene, report_fate, c);
    if (c->json) st_cli_json_close(c->json, ']');
    else if (!c->options->quiet) printf("  %zu of %zu components as in SOFA\n", c->fates[ST_FATE_SAME], components);
    return code;
}

static void put_summary(const check *c, int code) {
    const size_t warnings = st_cli_warnings(&c->session.messages), errors = st_cli_errors(&c->session.messages);
    const char *verdict = code == ST_CLI_INVALID  ? "invalid"
                          : code == ST_CLI_FAILED ? "failed"
                          : code == ST_CLI_ERRORS ? "errors"
                                                  : "ok";

    // as members of the summary, or as a table
    if (c->json) {
        st_cli_json_text(c->json, "status", verdict);
        st_cli_json_count(c->json, "exit_code", (size_t)code);
        st_cli_json_count(c->json, "warnings", warnings);
        st_cli_json_count(c->json, "errors", errors);
        st_cli_messages_json(&c->session.messages, c->json);
        st_cli_json_close(c->json, '}');
    } else if (!c->options->quiet) {
        printf("%-12s %zu warning%s, %zu error%s; %zu of %zu derivatives wrong", "messages", warnings,
               warnings == 1 ? "" : "s", errors, errors == 1 ? "" : "s", c->wrong, c->derivatives);
        if (c->untested) printf(", %zu untested", c->untested);
        fputc('\n', stdout);
        printf("%-12s %s\n", "result", verdict);
    }
}

int st_cli_check(const st_cli_options *options) {
    check c = {.options = options, .tolerance = options->tolerance > 0 ? options->tolerance : usual_tolerance};
    st_cli_json json = {.file = stdout};

    // the object stays open until the summary
    if (options->json) {
        c.json = &json;
        st_cli_json_open(&json, NULL, '{');
        st_cli_json_text(&json, "settee", st_version());
        st_cli_json_text(&json, "scene", options->operand);
    }

    int code = st_cli_session_start(&c.session, options, true);
    const bool valid = code == ST_CLI_OK;
    const size_t errors = st_cli_errors(&c.session.messages);
    if (valid) code = inspect(&c);
    if (code == ST_CLI_OK && errors > 0) code = ST_CLI_ERRORS;

    st_cli_messages_finish(&c.session.messages);
    if (valid) put_verdict(&c, st_cli_errors(&c.session.messages));
    put_summary(&c, code);
    if (code == ST_CLI_ERRORS) st_cli_session_code(&c.session, ST_CLI_OK, options->json);
    st_cli_session_end(&c.session);
    return code;
}
