// A stand-in for the library that does what its scene says, so that the program can be tested where the real library
// cannot be brought to it at will: a step that fails, a slow step, a message in every step, a wrong derivative.
//
// A scene is any text with words such as fail_step="5" in it:
//   dofs="3"          points in the only state, all at the height of the time
//   step_ms="10"      time that a step takes
//   fail_load="1", fail_init="1", fail_step="5", silent="1" (without a message)
//   warn="1"          a warning in every step; info="1" likewise; error="1" an error at load
//   explicit="1"      no linear system
//   derivative="0.5"  its error; inexact="1": by design
//   difference="1"    it differs from SOFA; missing="1": a component is missing; contacts="1": a warning about contacts
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "settee/contact.h"
#include "settee/drawing.h"
#include "settee/matrix.h"
#include "settee/mesh.h"
#include "settee/migration.h"
#include "settee/settee.h"

struct st_scene {
    st_config config;
    char text[4096];
    char file[1024];
    double time;
    size_t steps;
    st_object object;
    st_profile_function *event;
    void *event_user;
};

static double number(const st_scene *scene, const char *name, double otherwise) {
    char key[64];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *at = strstr(scene->text, key);
    return at ? atof(at + strlen(key)) : otherwise;
}

static bool is_set(const st_scene *scene, const char *name) { return number(scene, name, 0) != 0; }

static void say(const st_scene *scene, st_severity severity, const char *text) {
    const st_diagnostic d = {severity, scene->file, 12, "/Node/mass", "UniformMass(mass)", text};
    if (scene->config.log && !is_set(scene, "silent")) scene->config.log(scene->config.log_user, &d);
}

const char *st_severity_name(st_severity severity) {
    static const char *const names[] = {"info", "notice", "deprecated", "warning", "error", "fatal"};
    return names[severity];
}

const char *st_live_rule_name(st_live_rule rule) { return rule == ST_LIVE ? "live" : "fixed"; }

const char *st_status_text(st_status status) { return status == ST_OK ? "ok" : "the simulation failed"; }

st_config st_default_config(void) { return (st_config){.threads = 1}; }

st_scene *st_scene_create(const st_config *config) {
    st_scene *scene = calloc(1, sizeof *scene);
    if (scene) scene->config = *config;
    return scene;
}

void st_scene_destroy(st_scene *scene) { free(scene); }

// The paths are reported as messages, for the tests that ask about them.
static void say_paths(const st_scene *scene) {
    char text[2048];
    if (!is_set(scene, "paths")) return;
    for (size_t i = 0; scene->config.data_paths[i]; i++) {
        snprintf(text, sizeof text, "data path %s", scene->config.data_paths[i]);
        say(scene, ST_NOTICE, text);
    }
    for (size_t i = 0; scene->config.plugin_paths[i]; i++) {
        snprintf(text, sizeof text, "plugin path %s", scene->config.plugin_paths[i]);
        say(scene, ST_NOTICE, text);
    }
    snprintf(text, sizeof text, "threads %d strict %d no_compat %d", scene->config.threads, scene->config.strict,
             scene->config.no_compat);
    say(scene, ST_NOTICE, text);
}

st_status st_scene_load(st_scene *scene, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return ST_NOT_FOUND;
    const size_t length = fread(scene->text, 1, sizeof scene->text - 1, file);
    fclose(file);
    scene->text[length] = 0;
    snprintf(scene->file, sizeof scene->file, "%s", path);
    say_paths(scene);
    if (is_set(scene, "error")) say(scene, ST_ERROR, "something that SOFA survives");
    if (is_set(scene, "evil")) say(scene, ST_WARNING, "red \033[31m bell \a and\na second line");
    if (!is_set(scene, "fail_load")) return ST_OK;
    say(scene, ST_ERROR, "cannot be loaded");
    return ST_INVALID;
}

st_status st_scene_init(st_scene *scene) {
    if (!is_set(scene, "fail_init")) return ST_OK;
    say(scene, ST_ERROR, "cannot be initialized");
    return ST_INVALID;
}

st_status st_scene_finish(st_scene *scene) {
    if (!is_set(scene, "fail_finish")) return ST_OK;
    say(scene, ST_ERROR, "a file could not be written");
    return ST_FAILED;
}

st_status st_scene_begin_step(st_scene *scene) {
    (void)scene;
    return ST_OK;
}

st_status st_scene_step(st_scene *scene, st_real dt) {
    const double milliseconds = number(scene, "step_ms", 0);
    struct timespec left = {0, (long)(milliseconds * 1e6)};
    while (milliseconds > 0 && nanosleep(&left, &left) != 0) {} // a signal does not end a step
    if (is_set(scene, "warn")) say(scene, ST_WARNING, "it is warm");
    if (is_set(scene, "info")) say(scene, ST_INFO, "an info");
    if (scene->steps + 1 == (size_t)number(scene, "fail_step", 0)) {
        say(scene, ST_ERROR, "diverged");
        return ST_FAILED;
    }
    scene->steps++;
    const st_profile_event event = {"Force \"f\" /Node/a\\b", true, 1, (double)time(NULL), 1e-3};
    if (scene->event) scene->event(scene->event_user, &event);
    scene->time += dt > 0 ? (double)dt : 0.01;
    return ST_OK;
}

st_real st_scene_time(const st_scene *scene) { return (st_real)scene->time; }
st_real st_scene_dt(const st_scene *scene) { return scene ? (st_real)0.01 : 0; }

st_object *st_scene_object(st_scene *scene, size_t index) { return index < 3 ? &scene->object : NULL; }
const char *st_object_path(const st_object *object) { return object ? "/Node/mass" : ""; }
const char *st_object_class_name(const st_object *object) { return object ? "UniformMass" : ""; }
bool st_object_is_inert(const st_object *object) { return !object; }

st_mass_sum st_scene_mass(st_scene *scene) { return (st_mass_sum){(st_real)scene->time + 3, {1, 2, 3}}; }
st_energy st_scene_energy(st_scene *scene) { return (st_energy){(st_real)scene->time, is_set(scene, "nan") ? NAN : 2}; }

static st_status dump(const st_scene *scene, const char *what, size_t step, const st_writer *writer) {
    char line[256];
    snprintf(line, sizeof line, "STEP %zu TIME %.17g %s /Node/dofs\n", step, scene->time, what);
    bool ok = writer->write(writer->user, line, strlen(line));
    for (int i = 0; ok && i < (int)number(scene, "dofs", 3); i++) {
        snprintf(line, sizeof line, "%d %.17g 0\n", i, scene->time);
        ok = writer->write(writer->user, line, strlen(line));
    }
    if (!ok) say(scene, ST_ERROR, "the dump could not be written");
    return ok ? ST_OK : ST_FAILED;
}

st_status st_scene_dump_states(st_scene *scene, size_t step, const st_writer *writer) {
    return dump(scene, "STATE", step, writer);
}

st_status st_scene_dump_topology(st_scene *scene, size_t step, const st_writer *writer) {
    return dump(scene, "TOPOLOGY", step, writer);
}

// A scene of the fake library has one contact.
size_t st_scene_contacts(st_scene *scene, st_contact_report *contacts, size_t most) {
    (void)scene;
    if (contacts && most) *contacts = (st_contact_report){.normal = {0, 1, 0}, .force = {0, 2, 0}, .normal_force = 2};
    return 1;
}

size_t st_scene_check_contacts(st_scene *scene) { return is_set(scene, "contacts"); }

st_status st_scene_write_contacts(st_scene *scene, size_t step, bool header, const st_writer *writer) {
    char text[64];
    (void)scene;
    const int length = snprintf(text, sizeof text, "%s%zu,contact\n", header ? "names\n" : "", step);
    return writer->write(writer->user, text, (size_t)length) ? ST_OK : ST_FAILED;
}

st_status st_scene_write_contacts_vtk(st_scene *scene, size_t step, const st_writer *writer) {
    char text[64];
    (void)scene;
    const int length = snprintf(text, sizeof text, "cloud %zu\n", step);
    return writer->write(writer->user, text, (size_t)length) ? ST_OK : ST_FAILED;
}

const char *st_contact_motion_name(st_contact_motion motion) { return motion == ST_CONTACT_OPEN ? "open" : "closed"; }

st_picture_options st_default_picture_options(void) { return (st_picture_options){.width = 800, .height = 600}; }

st_status st_scene_write_png(st_scene *scene, const char *path, const st_picture_options *o) {
    FILE *file = fopen(path, "w");
    bool ok =
        file && fprintf(file, "%dx%d %g,%g,%g %s %s%s%g\n", o->width, o->height, (double)o->view[0], (double)o->view[1],
                        (double)o->view[2], o->caption, o->show ? o->show : "", o->show ? " " : "", scene->time) > 0;
    if (ok && o->has_eye) fprintf(file, "eye %g,%g,%g\n", (double)o->eye[0], (double)o->eye[1], (double)o->eye[2]);
    if (ok && o->has_target)
        fprintf(file, "target %g,%g,%g\n", (double)o->target[0], (double)o->target[1], (double)o->target[2]);
    if (ok && o->up[1] + o->up[2] != 0)
        fprintf(file, "up %g,%g,%g\n", (double)o->up[0], (double)o->up[1], (double)o->up[2]);
    if (ok && o->zoom != 0) fprintf(file, "zoom %g\n", (double)o->zoom);
    if (ok && o->fit) fprintf(file, "fit %s\n", o->fit);
    if (ok && o->color)
        fprintf(file, "color %s %g,%g\n", o->color, (double)o->color_range[0], (double)o->color_range[1]);
    if (ok && o->drawing) fprintf(file, "trails %zu\n", st_drawing_count(o->drawing));
    if (file && fclose(file) != 0) ok = false;
    return ok ? ST_OK : ST_FAILED;
}

st_status st_scene_draw_pixels(st_scene *scene, uint8_t *pixels, const st_picture_options *o) {
    memset(pixels, (int)(scene->time * 10) & 255, (size_t)3 * (size_t)o->width * (size_t)o->height);
    return ST_OK;
}

const char *st_scene_written_file(const st_scene *scene, size_t index) {
    return scene && is_set(scene, "export") && index < 12 ? "export.vtk" : NULL;
}

// ---- a drawing counts its updates

struct st_drawing {
    size_t updates;
};

const char *st_show_name(unsigned flag) {
    return flag == ST_SHOW_CONTACTS ? "contacts" : flag == ST_SHOW_TRAILS ? "trails" : "others";
}

bool st_read_show_words(const char *words, unsigned *on, unsigned *off, char word[64]) {
    (void)off, (void)word;
    if (strstr(words, "trails")) *on |= ST_SHOW_TRAILS;
    return strstr(words, "contacts") || strstr(words, "trails") || strstr(words, "visual");
}

st_draw_options st_default_draw_options(void) { return (st_draw_options){0}; }
st_drawing *st_drawing_create(void) { return calloc(1, sizeof(st_drawing)); }
void st_drawing_destroy(st_drawing *drawing) { free(drawing); }
size_t st_drawing_count(const st_drawing *drawing) { return drawing->updates; }

st_status st_drawing_update(st_drawing *drawing, st_scene *scene, const st_draw_options *options) {
    (void)scene, (void)options;
    drawing->updates++;
    return ST_OK;
}

st_status st_scene_write_vtk(st_scene *scene, const char *directory, size_t frame, size_t *files) {
    char path[4096];
    snprintf(path, sizeof path, "%s/dofs_%zu.vtk", directory, frame);
    FILE *file = fopen(path, "w");
    if (!file) return ST_FAILED;
    fprintf(file, "%g\n", scene->time);
    fclose(file);
    *files = 1;
    return ST_OK;
}

st_status st_scene_check_derivatives(st_scene *scene, void (*report)(void *user, const st_derivative_check *),
                                     void *user) {
    const st_derivative_check good = {&scene->object, "mass", (st_real)1e-9, true, NULL};
    const st_derivative_check other = {&scene->object, "stiffness", (st_real)number(scene, "derivative", 0),
                                       !is_set(scene, "inexact"), "because"};
    report(user, &good);
    report(user, &other);
    return ST_OK;
}

void st_scene_differences(st_scene *scene, void (*report)(void *user, const st_difference *), void *user) {
    const st_difference found = {&scene->object, "it is lighter"};
    if (is_set(scene, "difference")) report(user, &found);
}

const char *st_object_file(const st_object *object, int *line) {
    (void)object;
    if (line) *line = 12;
    return "scene.scn";
}

const char *st_fate_name(st_fate fate) { return fate == ST_FATE_MISSING ? "missing" : "as in SOFA"; }

void st_scene_migration(st_scene *scene, void (*report)(void *user, const st_migration *), void *user) {
    const st_migration same = {&scene->object, "UniformMass", ST_FATE_SAME, ""};
    const st_migration missing = {&scene->object, "Gone", ST_FATE_MISSING, "it went"};
    report(user, &same);
    if (is_set(scene, "missing")) report(user, &missing);
}

size_t st_scene_profile(const st_scene *scene, const st_profile_entry **entries) {
    static const st_profile_entry parts[] = {{"force", 1e-9, 7}, {"solve", 2e-9, 5}};
    *entries = parts;
    return scene ? 2 : 0;
}

// A part of a part, whose name needs care.
static const st_profile_node fake_tree[] = {{"force", SIZE_MAX, false, 1e-9, 7, 0},
                                            {"Force \"f\" /Node/a\\b", 0, true, 5e-10, 7, 3e6},
                                            {"solve", SIZE_MAX, false, 2e-9, 5, 0}};

size_t st_scene_profile_tree(const st_scene *scene, const st_profile_node **nodes) {
    *nodes = fake_tree;
    return scene ? 3 : 0;
}

// The listener hears of one component in each step.
st_status st_scene_profile_components(st_scene *scene, bool on, st_profile_function *event, void *user) {
    scene->event = on ? event : NULL;
    scene->event_user = user;
    return ST_OK;
}

// ---- matrices: a system whose A is diag(1, 2) after the first step, and K always

struct st_system {
    uint32_t version;
};
static st_system fake_system;
static const size_t fake_starts[] = {0, 1, 2};
static const int32_t fake_columns[] = {0, 1};
static const st_real fake_values[] = {1, 2};

st_node *st_scene_root(st_scene *scene) { return scene ? (st_node *)(void *)&fake_system : NULL; }
size_t st_node_matrix_parts(st_node *node, st_matrix_part *parts, size_t most) {
    return (void)node, (void)parts, (void)most, 0;
}
st_node *st_object_node(const st_object *object) { return (st_node *)object; }
st_status st_matrix_write_picture(const st_matrix_view *matrix, const st_matrix_part *parts, size_t count,
                                  FILE *stream) {
    (void)parts;
    return fprintf(stream, "picture %zu %zu\n", matrix->rows, count) > 0 ? ST_OK : ST_FAILED;
}
st_object *st_scene_find(st_scene *scene, const char *path) {
    return strcmp(path, "/Node/mass") == 0 ? &scene->object : NULL;
}
st_system *st_scene_system(st_scene *scene, const char *path) {
    fake_system.version = (uint32_t)(scene->time > 0);
    return is_set(scene, "explicit") || path ? NULL : &fake_system;
}
static st_status fake_matrix(st_matrix_view *view) {
    *view = (st_matrix_view){
        .rows = 2, .cols = 2, .block = 1, .starts = fake_starts, .columns = fake_columns, .values = fake_values};
    return ST_OK;
}
st_status st_system_matrix(st_system *system, st_matrix_kind which, st_matrix_view *view) {
    return which == ST_MATRIX_A && system->version == 0 ? ST_NOT_FOUND : fake_matrix(view);
}
st_status st_node_matrix(st_node *node, st_matrix_kind which, st_matrix_view *view) {
    return node && which != ST_MATRIX_A ? fake_matrix(view) : ST_NOT_FOUND;
}
st_constraint_solver *st_scene_constraint_solver(st_scene *scene, const char *path) {
    (void)scene, (void)path;
    return NULL;
}
st_status st_constraint_compliance(st_constraint_solver *solver, st_matrix_view *view) {
    return solver ? fake_matrix(view) : ST_NOT_FOUND;
}
st_status st_constraint_jacobian(st_constraint_solver *solver, st_matrix_view *view) {
    return solver ? fake_matrix(view) : ST_NOT_FOUND;
}
st_status st_constraint_multipliers(const st_constraint_solver *solver, st_vector_view *view) {
    *view = (st_vector_view){0};
    return solver ? ST_OK : ST_NOT_FOUND;
}
st_status st_constraint_violations(const st_constraint_solver *solver, st_vector_view *view) {
    *view = (st_vector_view){0};
    return solver ? ST_OK : ST_NOT_FOUND;
}
st_status st_component_matrix(st_object *component, st_matrix_kind which, st_matrix_space space, st_matrix_view *view) {
    (void)space;
    return component && which == ST_MATRIX_M ? fake_matrix(view) : ST_NOT_FOUND;
}
st_status st_system_rhs(const st_system *system, st_vector_view *view) {
    *view = (st_vector_view){.count = 2, .values = fake_values};
    return system->version ? ST_OK : ST_NOT_FOUND;
}
st_status st_system_solution(const st_system *system, st_vector_view *view) { return st_system_rhs(system, view); }
bool st_matrix_format_by_name(const char *name, st_matrix_format *format) {
    *format = strcmp(name, "png") == 0 ? ST_FORMAT_PNG : ST_FORMAT_MTX;
    return strcmp(name, "summary") != 0;
}
st_status st_matrix_write(const st_matrix_view *matrix, st_matrix_format format, int digits, FILE *stream) {
    fprintf(stream, "matrix of %zu rows, %d digits%s\n", matrix->rows, digits, format == ST_FORMAT_PNG ? ", png" : "");
    return ST_OK;
}
st_status st_vector_write(const st_vector_view *vector, st_matrix_format format, int digits, FILE *stream) {
    (void)format;
    fprintf(stream, "vector of %zu numbers, %d digits\n", vector->count, digits);
    return ST_OK;
}
st_status st_matrix_summarize(const st_matrix_view *matrix, st_matrix_summary *summary) {
    *summary = (st_matrix_summary){.rows = matrix->rows,
                                   .cols = matrix->cols,
                                   .entries = 2,
                                   .norm = (st_real)2.236,
                                   .symmetric = true,
                                   .factored = true,
                                   .positive = 2,
                                   .condition = 2,
                                   .factor_entries = 2};
    return ST_OK;
}

const char *st_version(void) { return "9.8.7"; }
const char *st_build_info(void) { return "a compiler\nsome libraries"; }

bool st_describe_class(size_t index, st_class_description *d) {
    static const st_class_description classes[] = {
        {.name = "OglModel",
         .help = "Draws. Not here.",
         .kind = "inert",
         .templates = "",
         .aliases = "",
         .example = "",
         .inert = true},
        {.name = "UniformMass",
         .help = "The same mass for each point. f = m g | a_b*c.",
         .kind = "mass",
         .templates = "Vec3 Rigid3",
         .aliases = "OldMass",
         .example = "<UniformMass totalMass=\"1\"/>\n"},
    };
    if (index >= 2) return false;
    *d = classes[index];
    return true;
}

bool st_describe_field(const char *class_name, size_t index, st_field_description *d) {
    static const st_field_description fields[] = {
        {.name = "totalMass",
         .type = "real",
         .value = "1",
         .help = "mass of all points | together",
         .aliases = "totalmass",
         .inherited_from = "UniformMass"},
        {.name = "listening",
         .type = "bool",
         .value = "0",
         .help = "hears events",
         .aliases = "",
         .inherited_from = "Object",
         .no_effect = true},
    };
    if (strcmp(class_name, "UniformMass") != 0 || index >= 2) return false;
    *d = fields[index];
    return true;
}

const char *st_class_by_any_name(const char *name, const char **suggestion, const char **explanation) {
    *suggestion = *explanation = NULL;
    if (strcmp(name, "OldMass") == 0) *explanation = "renamed";
    if (strcmp(name, "OldMass") == 0 || strcmp(name, "UniformMass") == 0) return "UniformMass";
    if (strcmp(name, "OglModel") == 0) return "OglModel";
    if (strncmp(name, "Uni", 3) == 0) *suggestion = "UniformMass";
    return NULL;
}

const char *st_describe_missing(size_t index) { return index == 0 ? "Zebra" : NULL; }

bool st_describe_compat(size_t index, st_compat_entry *entry) {
    if (index) return false;
    *entry = (st_compat_entry){"some-defect", "a reason", "a scene"};
    return true;
}

// Meshes: there are none.
const double st_aspect_limits[ST_ASPECT_BINS];
st_status st_mesh_load(st_mesh **mesh, const char *path, st_log_function *log, void *user) {
    *mesh = NULL;
    log(user, &(st_diagnostic){.severity = ST_ERROR, .file = path, .text = "the file is not there"});
    return ST_NOT_FOUND;
}
st_status st_mesh_save(const st_mesh *mesh, const char *path, st_log_function *log, void *user) {
    (void)mesh, (void)path, (void)log, (void)user;
    return ST_OK;
}
st_status st_mesh_measure(const st_mesh *mesh, st_mesh_report *report) {
    (void)mesh;
    *report = (st_mesh_report){0};
    return ST_OK;
}
void st_mesh_destroy(st_mesh *mesh) { (void)mesh; }

// --set and standard input are tested with the real program.
st_node *st_scene_find_node(st_scene *scene, const char *path) { return (void)scene, (void)path, NULL; }
st_object *st_node_as_object(st_node *node) { return (void)node, NULL; }
int st_object_field_index(const st_object *object, const char *name) { return (void)object, (void)name, -1; }
st_status st_object_set(st_object *object, const char *field, const char *text) {
    return (void)object, (void)field, (void)text, ST_NOT_FOUND;
}
st_status st_scene_load_text(st_scene *scene, const char *text, size_t length, const char *directory) {
    return (void)scene, (void)text, (void)length, (void)directory, ST_INVALID;
}
