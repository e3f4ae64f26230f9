// The viewer: one thread simulates and does what pages ask for between two steps, the server has another one.
//
// What is computed does not depend on who looks: a step is made by the same call as in `settee run`, and everything sent
// to pages is read between steps.
//
// SPDX-License-Identifier: Apache-2.0
#include "viewer.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "answers.h"
#include "figures.h"
#include "pulls.h"
#include "server.h"
#include "tools.h"

enum {
    MOST_WATCHED = 16,
    MOST_MESSAGES = 1000,
    MOST_ANSWERS = 32, // between two steps: who asks without end does not stop the time
    TOKEN_BYTES = 16,
};

#define FRAME_SECONDS 0.02 // least time between two frames
#define MOST_WAIT 0.1      // longest time without a look at `stop`
#define MOST_LAG 0.25      // a simulation that is later than that begins to count from now

struct st_viewer {
    st_viewer_options options; // without its texts, which are the caller's
    char *title;
    st_viewer_hub *hub;
    st_viewer_server *server;
    char url[600];
    st_scene *scene;
    st_drawing *drawing;
    char *words, *color; // what is shown, in addition to what the scene asks for
    bool playing;
    double speed;   // simulated over real time; 0: as fast as it can
    size_t pending; // steps to make at once
    size_t step;
    double last_time; // of the scene when it was seen last
    double busy;      // seconds spent in steps
    char failure[512];
    double anchor_clock, anchor_time; // when a pace was begun
    double published;                 // clock of the last frame
    bool dirty;                       // something changed since
    size_t messages;
    st_viewer_watched watched[MOST_WATCHED];
    size_t watched_count;
    st_viewer_pulls pulls;
    st_viewer_pins pins;
    st_viewer_kept kept;
    atomic_bool nudged;
    st_viewer_text text, cells;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---------------------------------------------------------------------------------------------------
// Life
// ---------------------------------------------------------------------------------------------------

static bool make_token(char token[2 * TOKEN_BYTES + 1]) {
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (int i = 0; i < TOKEN_BYTES; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

// The token is part of an address: only what needs no escape there.
static bool is_good_token(const char *token) {
    const size_t length = strlen(token);
    return length >= 8 && length <= 128 &&
           strspn(token, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~") == length;
}

st_viewer *st_viewer_create(const st_viewer_options *options, char *why, size_t size) {
    const char *address = options->address ? options->address : "127.0.0.1";
    char token[2 * TOKEN_BYTES + 1] = "";

    // a secret, unless one is given
    if (options->token && !is_good_token(options->token)) {
        snprintf(why, size, "the token must have 8 to 128 letters, digits or any of - _ . ~");
        return NULL;
    }
    if (!options->token && !make_token(token)) {
        snprintf(why, size, "the system has no random numbers for the token");
        return NULL;
    }

    st_viewer *viewer = calloc(1, sizeof *viewer);
    snprintf(why, size, "out of memory");
    if (!viewer) return NULL;
    *viewer = (st_viewer){.options = *options, .playing = options->playing, .speed = 1};
    viewer->options.title = viewer->options.address = viewer->options.token = NULL;
    viewer->title = strdup(options->title ? options->title : "");
    viewer->drawing = st_drawing_create();
    viewer->words = strdup("");
    viewer->color = strdup("");
    viewer->hub = st_viewer_hub_create();
    const char *secret = options->token ? options->token : token;
    if (viewer->title && viewer->drawing && viewer->words && viewer->color && viewer->hub)
        viewer->server =
            st_viewer_server_create(viewer->hub, address, options->port, secret, options->read_only, why, size);
    if (!viewer->server) {
        st_viewer_destroy(viewer);
        return NULL;
    }

    const bool v6 = strchr(address, ':') != NULL;
    snprintf(viewer->url, sizeof viewer->url, "http://%s%s%s:%d/?token=%s", v6 ? "[" : "", address, v6 ? "]" : "",
             st_viewer_server_port(viewer->server), secret);
    return viewer;
}

const char *st_viewer_url(const st_viewer *viewer) { return viewer->url; }

static void forget_watched(st_viewer *viewer) {
    for (size_t i = 0; i < viewer->watched_count; i++) {
        free(viewer->watched[i].path);
        free(viewer->watched[i].field);
    }
    viewer->watched_count = 0;
}

void st_viewer_destroy(st_viewer *viewer) {
    if (!viewer) return;
    st_viewer_server_destroy(viewer->server);
    st_viewer_hub_destroy(viewer->hub);
    st_drawing_destroy(viewer->drawing);
    forget_watched(viewer);
    st_viewer_kept_free(&viewer->kept);
    st_viewer_text_free(&viewer->text);
    st_viewer_text_free(&viewer->cells);
    free(viewer->title);
    free(viewer->words);
    free(viewer->color);
    free(viewer);
}

void st_viewer_log(void *user, const st_diagnostic *d) {
    st_viewer *viewer = user;
    if (viewer->messages > MOST_MESSAGES) return;
    const bool last = viewer->messages++ == MOST_MESSAGES;

    // the last one says that no more will come
    st_viewer_text text = {0};
    st_viewer_json_open(&text, NULL, '{');
    st_viewer_json_text(&text, "type", "message");
    st_viewer_json_text(&text, "severity", st_severity_name(last ? ST_WARNING : d->severity));
    st_viewer_json_text(&text, "file", last ? NULL : d->file);
    st_viewer_json_count(&text, "line", last || d->line < 0 ? 0 : (size_t)d->line);
    st_viewer_json_text(&text, "path", last ? NULL : d->path);
    st_viewer_json_text(&text, "component", last ? NULL : d->component);
    st_viewer_json_text(&text, "text", last ? "further messages are not shown here" : d->text);
    st_viewer_json_close(&text, '}');

    st_viewer_hub_send(viewer->hub, ST_VIEWER_EVERYONE, &text, false);
    st_viewer_hub_keep(viewer->hub, &text);
    st_viewer_text_free(&text);
}

// ---------------------------------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------------------------------

static void put_figures(st_viewer *viewer) {
    const st_viewer_moment moment = {.title = viewer->title,
                                     .step = viewer->step,
                                     .busy = viewer->busy,
                                     .playing = viewer->playing || viewer->pending > 0,
                                     .speed = viewer->speed,
                                     .failure = viewer->failure,
                                     .words = viewer->words,
                                     .color = viewer->color,
                                     .watched = viewer->watched,
                                     .watched_count = viewer->watched_count,
                                     .pages = st_viewer_hub_pages(viewer->hub)};
    st_viewer_put_figures(&viewer->text, viewer->scene, &moment);
}

static st_status draw(st_viewer *viewer) {
    st_draw_options options = st_default_draw_options();
    options.show_words = *viewer->words ? viewer->words : NULL;
    options.color = *viewer->color ? viewer->color : NULL;
    return st_drawing_update(viewer->drawing, viewer->scene, &options);
}

// The present state for all pages, if there is one that waits for it.
static void publish(st_viewer *viewer) {
    const double clock = now();
    const bool soon = viewer->playing && clock - viewer->published < FRAME_SECONDS;
    if (!viewer->dirty || soon || !st_viewer_hub_is_hungry(viewer->hub)) return;
    if (draw(viewer) != ST_OK) return;
    put_figures(viewer);

    // a server that reads the frame before is not waited for while time goes on
    st_viewer_snapshot *snapshot = st_viewer_hub_begin(viewer->hub, !viewer->playing);
    if (!snapshot) return;
    st_viewer_snapshot_update(snapshot, viewer->drawing, viewer->scene);
    st_viewer_hub_publish(viewer->hub, &viewer->text);
    viewer->published = clock;
    viewer->dirty = false;
}

// ---------------------------------------------------------------------------------------------------
// Commands
// ---------------------------------------------------------------------------------------------------

static void set_pace(st_viewer *viewer) {
    viewer->anchor_clock = now();
    viewer->anchor_time = (double)st_scene_time(viewer->scene);
}

static void begin_again(st_viewer *viewer) {
    viewer->step = 0;
    viewer->busy = 0;
    viewer->pending = 0;
    viewer->failure[0] = 0;
    set_pace(viewer);
}

static bool reset(st_viewer *viewer, st_viewer_text *answer) {
    st_scene_clear_error(viewer->scene);
    const st_status status = st_scene_reset(viewer->scene);
    begin_again(viewer);
    return st_succeeded(status) || st_viewer_fail_with(answer, viewer->scene, status);
}

static bool reload(st_viewer *viewer, st_viewer_text *answer) {
    if (!viewer->options.open)
        return st_viewer_fail(answer, "the scene was made by a program: it cannot be loaded again");

    // messages of the new scene replace those of the old one
    st_viewer_hub_forget(viewer->hub);
    viewer->messages = 0;
    st_viewer_text cleared = {0};
    const char text[] = "{\"type\":\"cleared\"}";
    st_viewer_text_append(&cleared, text, sizeof text - 1);
    st_viewer_hub_send(viewer->hub, ST_VIEWER_EVERYONE, &cleared, false);
    st_viewer_text_free(&cleared);

    st_scene *scene = viewer->options.open(viewer->options.user);
    if (!scene) return st_viewer_fail(answer, "the scene cannot be loaded again: the one before stays");
    st_scene_destroy(viewer->scene);
    viewer->scene = scene;
    viewer->pulls.count = viewer->pins.count = 0; // springs went with the old one
    begin_again(viewer);
    return true;
}

static bool replace(char **text, const char *by) {
    char *copy = strdup(by);
    if (!copy) return false;
    free(*text);
    *text = copy;
    return true;
}

static bool show(st_viewer *viewer, const st_viewer_command *command, st_viewer_text *answer) {
    const char *words = st_viewer_command_text(command, "words"), *color = st_viewer_command_text(command, "color");
    unsigned on = 0, off = 0;
    char word[64] = "";
    if (!st_read_show_words(words, &on, &off, word)) return st_viewer_fail(answer, "'%s' is nothing to show", word);
    char *old = strdup(viewer->color);
    bool ok = old && replace(&viewer->words, words) && replace(&viewer->color, color);
    if (!ok) st_viewer_fail(answer, "out of memory");

    // a field that nothing has is refused, and the color before stays
    st_scene_clear_error(viewer->scene);
    const st_status status = ok ? draw(viewer) : ST_OK;
    if (status != ST_OK) {
        replace(&viewer->color, old);
        ok = st_viewer_fail_with(answer, viewer->scene, status);
    }
    free(old);
    return ok;
}

static bool watch(st_viewer *viewer, const st_viewer_command *command, st_viewer_text *answer) {
    const st_viewer_watched w = {(char *)st_viewer_command_text(command, "path"),
                                 (char *)st_viewer_command_text(command, "field"),
                                 (size_t)st_viewer_command_number(command, "index")};
    size_t i = 0;
    while (i < viewer->watched_count &&
           (strcmp(viewer->watched[i].path, w.path) != 0 || strcmp(viewer->watched[i].field, w.field) != 0 ||
            viewer->watched[i].index != w.index))
        i++;
    const bool known = i < viewer->watched_count, on = st_viewer_command_number(command, "on") != 0;

    // no longer
    if (known && !on) {
        free(viewer->watched[i].path);
        free(viewer->watched[i].field);
        viewer->watched[i] = viewer->watched[--viewer->watched_count];
    }
    if (known || !on) return true;

    st_array array;
    if (st_object_array(st_viewer_find(viewer->scene, w.path), w.field, &array) != ST_OK)
        return st_viewer_fail(answer, "%s has no field %s of numbers", w.path, w.field);
    if (viewer->watched_count == MOST_WATCHED)
        return st_viewer_fail(answer, "at most %d values are watched", MOST_WATCHED);
    st_viewer_watched *slot = &viewer->watched[viewer->watched_count];
    *slot = (st_viewer_watched){strdup(w.path), strdup(w.field), w.index};
    viewer->watched_count++;
    return (slot->path && slot->field) || st_viewer_fail(answer, "out of memory");
}

static bool send_key(st_viewer *viewer, const st_viewer_command *command, st_viewer_text *answer) {
    const char *event = st_viewer_command_number(command, "down") != 0 ? "KeypressedEvent" : "KeyreleasedEvent";
    const int code = (int)st_viewer_command_number(command, "code");
    const st_status status = st_node_send_event(st_scene_root(viewer->scene), event, code, NULL);
    return status == ST_OK || st_viewer_fail_with(answer, viewer->scene, status);
}

// Commands of time always succeed: a step that fails is reported with the figures.
static bool set_time(st_viewer *viewer, const st_viewer_command *command) {
    viewer->playing = command->verb == ST_VIEWER_PLAY || (command->verb == ST_VIEWER_SPEED && viewer->playing);
    if (command->verb == ST_VIEWER_PAUSE) viewer->pending = 0;
    else viewer->failure[0] = 0;

    if (command->verb == ST_VIEWER_STEP) viewer->pending += (size_t)st_viewer_command_number(command, "count");
    if (command->verb == ST_VIEWER_SPEED) viewer->speed = st_viewer_command_number(command, "factor");
    set_pace(viewer);
    return true;
}

static bool obey(st_viewer *viewer, uint32_t page, const st_viewer_command *command, st_viewer_text *answer) {
    st_scene *scene = viewer->scene;
    switch (command->verb) {
    // time
    case ST_VIEWER_PLAY:
    case ST_VIEWER_PAUSE:
    case ST_VIEWER_STEP:
    case ST_VIEWER_SPEED: return set_time(viewer, command);
    case ST_VIEWER_RESET: return reset(viewer, answer);
    case ST_VIEWER_RELOAD: return reload(viewer, answer);

    // what is shown
    case ST_VIEWER_SHOW: return show(viewer, command, answer);
    case ST_VIEWER_WATCH: return watch(viewer, command, answer);

    // the mouse
    case ST_VIEWER_PULL: return st_viewer_pull(&viewer->pulls, scene, page, command, answer);
    case ST_VIEWER_DRAG: return st_viewer_drag(&viewer->pulls, page, command, answer);
    case ST_VIEWER_RELEASE: st_viewer_release(&viewer->pulls, page); return true;
    case ST_VIEWER_FIX: return st_viewer_fix(&viewer->pins, scene, command, answer);
    case ST_VIEWER_UNFIX: st_viewer_unfix(&viewer->pins); return true;
    case ST_VIEWER_REMOVE: return st_viewer_remove(scene, command, answer);
    case ST_VIEWER_CUT: return st_viewer_cut(scene, command, answer);

    // the scene
    case ST_VIEWER_KEY: return send_key(viewer, command, answer);
    case ST_VIEWER_GRAPH: return st_viewer_answer_graph(scene, answer);
    case ST_VIEWER_FIELDS: return st_viewer_answer_fields(scene, command, answer);
    case ST_VIEWER_SET: return st_viewer_answer_set(scene, command, answer);
    case ST_VIEWER_XML: return st_viewer_answer_xml(scene, answer);
    case ST_VIEWER_MATRIX: return st_viewer_answer_matrix(&viewer->kept, scene, command, answer, &viewer->cells);
    case ST_VIEWER_KEEP: return st_viewer_answer_keep(&viewer->kept, scene, command, answer);
    case ST_VIEWER_FIGURES: return st_viewer_answer_figures(scene, command, answer);
    case ST_VIEWER_VERBS: break;
    }
    return false;
}

static void answer(st_viewer *viewer, uint32_t page, const st_viewer_command *command) {
    st_viewer_text *text = &viewer->text;
    st_viewer_text_clear(text);
    st_viewer_text_clear(&viewer->cells);
    st_viewer_json_open(text, NULL, '{');
    st_viewer_json_text(text, "type", "answer");
    st_viewer_json_count(text, "id", command->id);
    st_viewer_json_text(text, "do", st_viewer_verb_name(command->verb));

    const bool ok = obey(viewer, page, command, text);
    st_viewer_json_bool(text, "ok", ok);
    st_viewer_json_close(text, '}');
    st_viewer_hub_send(viewer->hub, page, text, false);
    if (ok && viewer->cells.length) st_viewer_hub_send(viewer->hub, page, &viewer->cells, true);

    // pages see what they have changed; what only was read is no news
    if (st_viewer_verb_changes(command->verb) || command->verb == ST_VIEWER_SHOW || command->verb == ST_VIEWER_WATCH)
        viewer->dirty = true;
}

// ---------------------------------------------------------------------------------------------------
// Time
// ---------------------------------------------------------------------------------------------------

static void step(st_viewer *viewer) {
    st_scene_clear_error(viewer->scene);
    const double start = now();
    const st_status status = st_scene_step(viewer->scene, 0);
    viewer->busy += now() - start;
    viewer->dirty = true;

    if (status == ST_OK) {
        viewer->step++;
        if (viewer->pending > 0) viewer->pending--;
        return;
    }

    // the last good state stays
    const st_diagnostic *error = st_scene_last_error(viewer->scene);
    snprintf(viewer->failure, sizeof viewer->failure, "step %zu failed: %s", viewer->step + 1,
             error ? error->text : st_status_text(status));
    viewer->playing = false;
    viewer->pending = 0;
}

// Seconds until the next step is due; 0: now.
static double wait_for_step(st_viewer *viewer) {
    if (viewer->pending > 0) return 0;
    if (!viewer->playing) return viewer->dirty && st_viewer_hub_pages(viewer->hub) > 0 ? FRAME_SECONDS / 2 : MOST_WAIT;
    if (viewer->speed == 0) return 0;

    const double simulated = (double)st_scene_time(viewer->scene) - viewer->anchor_time;
    const double due = viewer->anchor_clock + simulated / viewer->speed - now();
    if (due < -MOST_LAG) set_pace(viewer);
    return due <= 0 ? 0 : due < FRAME_SECONDS ? due : FRAME_SECONDS;
}

// One round: what pages ask for, a step if one is due, a frame. Waits for the next step, but no longer than `most` seconds.
static void turn(st_viewer *viewer, double most) {
    uint32_t page;
    st_viewer_command command;
    double wait = fmin(wait_for_step(viewer), most);
    for (int i = 0; i < MOST_ANSWERS && st_viewer_hub_take(viewer->hub, wait, &page, &command); i++) {
        answer(viewer, page, &command);
        st_viewer_command_free(&command);
        wait = 0;
    }

    if (st_viewer_release_gone(&viewer->pulls, viewer->hub)) viewer->dirty = true;
    if (viewer->pending > 0 || (viewer->playing && wait_for_step(viewer) == 0)) step(viewer);
    publish(viewer);
}

// A scene that a program may have stepped, or changed, since it was seen last.
static void meet(st_viewer *viewer, st_scene *scene) {
    const double time = (double)st_scene_time(scene), dt = (double)st_scene_dt(scene);
    const double made = dt > 0 ? round((time - viewer->last_time) / dt) : 0;
    viewer->scene = scene;
    viewer->dirty = true;

    if (made < 0) viewer->step = 0;
    else if (made < 1e9) viewer->step += (size_t)made;
    set_pace(viewer);
}

static bool is_over(st_viewer *viewer) {
    return atomic_exchange(&viewer->nudged, false) ||
           (viewer->options.stop && viewer->options.stop(viewer->options.user));
}

st_scene *st_viewer_serve(st_viewer *viewer, st_scene *scene, double seconds) {
    const double end = now() + seconds;
    double left = fmax(seconds, 0);
    meet(viewer, scene);
    do {
        turn(viewer, left);
        left = end - now();
    } while (left > 0 && !is_over(viewer));
    viewer->last_time = (double)st_scene_time(viewer->scene);
    return viewer->scene;
}

void st_viewer_nudge(st_viewer *viewer) {
    atomic_store(&viewer->nudged, true);
    st_viewer_hub_nudge(viewer->hub);
}

void st_viewer_let_go(st_viewer *viewer) {
    while (viewer->pulls.count > 0) st_viewer_release(&viewer->pulls, viewer->pulls.all[0].page);
    st_viewer_unfix(&viewer->pins);
}

st_scene *st_viewer_run(st_viewer *viewer, st_scene *scene) {
    scene = st_viewer_serve(viewer, scene, INFINITY);
    st_viewer_let_go(viewer);
    return scene;
}
