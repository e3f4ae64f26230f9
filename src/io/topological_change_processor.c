// TopologicalChangeProcessor: changes a mesh at given times, by a file or by lists.
//
//     T= 0.1
//       ADD= Triangles 2
//     0 1 4  1 2 4
//       REMOVE= 3
//     7 8 12
//
// Numbers are those at the time of the change. At the beginning of each step, with time t, the last block whose time is not
// after t is carried out; blocks before it that no step has met are skipped. REMOVE takes elements of the kind of the
// modifier, with the edges, faces and points that get isolated. ADD= PointInTriangle 1 has for each point the
// number of a triangle and the weights of its first two vertices. INCISE= n cuts a surface of triangles from point to
// point: "x y z" or "triangle x y z" for each. A command with a number that makes no sense is refused as a whole.
//
// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "io/change_incision.h"
#include "io/frame_player.h"
#include "math/real.h"
#include "plan/edits.h"
#include "scene/scene.h"
#include "settee/plugin/change.h"
#include "topology/edit.h"
#include "topology/recipes.h"
#include "topology/topology.h"

enum { LISTS = 6, MAX_NUMBERS = 1 << 24 };

typedef struct change_processor {
    st_object object;
    st_frame_player player;
    st_object *topology;
    bool use_data_inputs, save_indices, show;
    st_real time_to_remove, snap_path, snap_border;
    st_uints lists[LISTS]; // points, edges, triangles, quads, tetrahedra, hexahedra
    st_real next_removal;
    st_strings block;               // lines of the last block
    st_uints line_of;               // their numbers in the file
    st_real block_time, frame_time; // of the lines that are kept; of the last T=
    st_kept_incisions kept;         // with saveIndicesAtInit
} change_processor;

// Numbers at the time of the removal.
#define LIST(i, name, what)                                                                                            \
    ST_FIELD(change_processor, lists[i], name, st_type_indices, NULL, what " to remove", .mesh = ST_NO_INDEX)

static const st_field fields[] = {
    ST_FIELD(change_processor, player.filename, "filename", st_type_file, NULL, "file of changes"),
    ST_FIELD(change_processor, player.interval, "interval", st_type_real, "0",
             "with useDataInputs: time between two removals; 0: one removal"),
    ST_FIELD(change_processor, player.shift, "shift", st_type_real, "0", "added to the time of the scene"),
    ST_FIELD(change_processor, player.loop, "loop", st_type_bool, "0", "begin again at the end of the file"),
    ST_FIELD(change_processor, use_data_inputs, "useDataInputs", st_type_bool, "0",
             "use the lists instead of the file"),
    ST_FIELD(change_processor, time_to_remove, "timeToRemove", st_type_real, "0",
             "with useDataInputs: the first step after this time removes"),
    LIST(0, "pointsToRemove", "points"),
    LIST(1, "edgesToRemove", "edges"),
    LIST(2, "trianglesToRemove", "triangles"),
    LIST(3, "quadsToRemove", "quads"),
    LIST(4, "tetrahedraToRemove", "tetrahedra"),
    LIST(5, "hexahedraToRemove", "hexahedra"),
    ST_FIELD(change_processor, save_indices, "saveIndicesAtInit", st_type_bool, "0",
             "points of incisions belong to the triangles in which they are at first, and move with these"),
    ST_FIELD(change_processor, snap_path, "epsilonSnapPath", st_type_real, "0.1",
             "with saveIndicesAtInit: places of an incision this close to a vertex, as a part of the edge, are joined "
             "there"),
    ST_FIELD(change_processor, snap_border, "epsilonSnapBorder", st_type_real, "0.25",
             "the same for the ends of an incision"),
    ST_FIELD(change_processor, show, "draw", st_type_bool, "0", "draw the incisions",
             .flags = ST_FIELD_NO_EFFECT | ST_FIELD_DISPLAY),
    ST_FIELD(change_processor, topology, "topology", st_type_link, NULL, "the mesh; that of the context when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_status change_processor_init(st_object *object) {
    change_processor *self = (change_processor *)object;
    if (!self->topology) self->topology = (st_object *)st_context_topology(object->node, NULL);
    if (!self->topology) return st_invalid(object, "there is no mesh in its node or above");
    if (!st_is_changeable((st_topology *)self->topology))
        return st_invalid(object, "the mesh %s cannot change: use a container such as TetrahedronSetTopologyContainer",
                          self->topology->name);

    self->next_removal = self->time_to_remove;
    if (self->use_data_inputs) return ST_OK;
    const st_status status = st_frame_player_open(&self->player, object);
    if (status != ST_OK || !self->save_indices) return status;
    return st_keep_incisions(&self->kept, object, (st_topology *)self->topology, self->player.filename);
}

// ---------------------------------------------------------------------------------------------------
// One command of a file
// ---------------------------------------------------------------------------------------------------

typedef struct command {
    change_processor *self;
    size_t line;       // of its numbers
    const char *words; // what comes after ADD= or REMOVE=
    const char *numbers;
} command;

static st_status refuse(const command *c, const char *format, ...) ST_PRINTF(2, 3);
static st_status refuse(const command *c, const char *format, ...) {
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);

    st_message(&c->self->object, ST_ERROR, "%s, line %zu: %s; the command is not carried out", c->self->player.filename,
               c->line, text);
    return ST_INVALID;
}

static const char *line_end(const char *text) { return text + strlen(text); }

static bool read_count(const char *text, size_t *count) {
    char *end;
    const long value = strtol(text, &end, 10);
    *count = value > 0 ? (size_t)value : 0;
    return end != text && value >= 0;
}

// The numbers of the line; where they are too few, the others are 0, as in SOFA.
static st_status read_numbers(const command *c, size_t wanted, st_uints *list) {
    if (!st_frame_indices(c->numbers, line_end(c->numbers), list))
        return refuse(c, "\"%.40s\" has something that is no index", c->numbers);
    if (wanted > MAX_NUMBERS) return refuse(c, "%zu numbers are too many", wanted);

    if (list->count < wanted)
        st_message(&c->self->object, ST_WARNING,
                   "%s, line %zu: %zu numbers are expected, there are %zu: 0 is taken for the others",
                   c->self->player.filename, c->line, wanted, list->count);
    if (list->count > wanted)
        st_message(&c->self->object, ST_WARNING,
                   "%s, line %zu: %zu numbers are expected, the others of %zu are ignored", c->self->player.filename,
                   c->line, wanted, list->count);
    return st_list_set_count(list, wanted, 1) ? ST_OK : ST_OUT_OF_MEMORY;
}

static st_status remove_command(const command *c) {
    const st_topology *topology = (const st_topology *)c->self->topology;
    st_modifier *modifier = st_modifier_of(topology);
    size_t count;
    st_uints ids = {0};
    if (!modifier || !st_is_valid(&modifier->object))
        return refuse(c, "the mesh %s has no modifier", topology->object.name);
    if (!read_count(c->words, &count)) return refuse(c, "REMOVE= \"%.40s\" is no number", c->words);

    st_status status = read_numbers(c, count, &ids);
    if (status == ST_OK) status = st_edit_remove_items(modifier, ids.data, ids.count);
    st_list_free(&ids);
    return status;
}

// Triangle and two weights for each point.
static st_status add_points(const command *c, size_t count) {
    st_topology *topology = (st_topology *)c->self->topology;
    const st_uints *triangles = st_topology_elements(topology, ST_TRIANGLE);
    st_reals numbers = {0}, weights = {0};
    st_uints ancestors = {0}, starts = {0};
    st_status status = ST_OK;

    if (!st_frame_reals(c->numbers, line_end(c->numbers), &numbers) || numbers.count < 3 * count)
        status = refuse(c, "%zu numbers are expected, a triangle and two weights for each point", 3 * count);
    else if (!st_list_set_count(&weights, numbers.count, 1) || !st_list_set_count(&ancestors, numbers.count, 1) ||
             !st_list_set_count(&starts, count + 1, 1))
        status = ST_OUT_OF_MEMORY;

    // p = w0 p0 + w1 p1 + (1 − w0 − w1) p2
    for (size_t i = 0; status == ST_OK && i < count; i++) {
        const st_real *n = numbers.data + 3 * i;
        if (!(n[0] >= 0 && n[0] < (st_real)triangles->count)) {
            status = refuse(c, "there is no triangle %g among %zu", (double)n[0], triangles->count);
            break;
        }
        for (size_t k = 0; k < 3; k++) {
            ancestors.data[3 * i + k] = triangles->data[3 * (size_t)n[0] + k];
            weights.data[3 * i + k] = k < 2 ? n[1 + k] : 1 - n[1] - n[2];
        }
        starts.data[i + 1] = (uint32_t)(3 * (i + 1));
    }

    const st_origin origin = {starts.data, ancestors.data, weights.data};
    if (status == ST_OK) status = st_edit_add_points(topology, count, &origin, true);
    st_list_free(&numbers);
    st_list_free(&weights);
    st_list_free(&ancestors);
    st_list_free(&starts);
    return status;
}

// Vertices that exist, and each once in its element.
static st_status check_elements(const command *c, st_element kind, const st_uints *vertices, size_t count) {
    const size_t size = st_element_size[kind], points = st_topology_points((st_topology *)c->self->topology);
    for (size_t i = 0; i < count * size; i++) {
        if (vertices->data[i] >= points)
            return refuse(c, "%s %zu has vertex %u, but there are only %zu points", st_element_names[kind], i / size,
                          vertices->data[i], points);
        for (size_t k = i / size * size; k < i; k++)
            if (vertices->data[k] == vertices->data[i])
                return refuse(c, "%s %zu has vertex %u twice", st_element_names[kind], i / size, vertices->data[i]);
    }
    return ST_OK;
}

// "Ancestors a b ...": the element that each new one comes from.
static st_status read_ancestors(const command *c, st_element kind, size_t count, st_uints *starts, st_uints *ancestors,
                                st_reals *weights) {
    const char *word = strstr(c->words, "Ancestors");
    const size_t elements = ((st_topology *)c->self->topology)->elements[kind].count;
    if (!word) return ST_OK;
    word += strlen("Ancestors");

    if (!st_frame_indices(word, line_end(word), ancestors) || ancestors->count != count)
        return refuse(c, "%zu ancestors are expected, one for each new %s", count, st_element_names[kind]);
    for (size_t i = 0; i < count; i++)
        if (ancestors->data[i] >= elements)
            return refuse(c, "there is no ancestor %u among %zu elements", ancestors->data[i], elements);

    if (!st_list_set_count(starts, count + 1, 1) || !st_list_set_count(weights, count, 1)) return ST_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) starts->data[i + 1] = (uint32_t)i + 1, weights->data[i] = 1;
    return ST_OK;
}

static st_status add_elements(const command *c, st_element kind, size_t count) {
    st_topology *topology = (st_topology *)c->self->topology;
    const st_modifier *modifier = st_modifier_of(topology);
    st_uints vertices = {0}, starts = {0}, ancestors = {0};
    st_reals weights = {0};
    if (!modifier || !st_topology_holds(topology, kind))
        return refuse(c, "the mesh %s has no modifier for %s elements", topology->object.name, st_element_names[kind]);
    if (count > MAX_NUMBERS) return refuse(c, "%zu elements are too many", count);

    // everything is checked before anything changes
    st_status status = read_numbers(c, count * st_element_size[kind], &vertices);
    vertices.count = status == ST_OK ? vertices.count : 0;
    if (status == ST_OK) status = check_elements(c, kind, &vertices, count);
    if (status == ST_OK) status = read_ancestors(c, kind, count, &starts, &ancestors, &weights);
    const st_origin origin = {starts.data, ancestors.data, weights.data};
    if (status == ST_OK) status = st_edit_add(topology, kind, vertices.data, count, starts.count ? &origin : NULL);

    st_list_free(&vertices);
    st_list_free(&starts);
    st_list_free(&ancestors);
    st_list_free(&weights);
    return status;
}

static st_status add_command(const command *c) {
    static const struct {
        const char *names;
        int kind;
    } kinds[] = {
        {"Edge Edges", ST_EDGE},
        {"Triangle Triangles", ST_TRIANGLE},
        {"Quad Quads", ST_QUAD},
        {"Tetrahedron Tetrahedra", ST_TETRAHEDRON},
        {"Hexahedron Hexahedra", ST_HEXAHEDRON},
        {"PointInTriangle PointsInTriangle", ST_POINT},
    };
    char name[32] = "";
    const size_t length = strcspn(c->words, " \t");
    size_t count;
    if (length < sizeof name) memcpy(name, c->words, length);
    if (!read_count(c->words + length, &count)) return refuse(c, "ADD= \"%.40s\" has no number of elements", c->words);

    // singular and plural mean the same
    for (size_t i = 0; *name && i < sizeof kinds / sizeof *kinds; i++) {
        if (!st_has_word(kinds[i].names, name)) continue;
        return kinds[i].kind == ST_POINT ? add_points(c, count) : add_elements(c, (st_element)kinds[i].kind, count);
    }
    return refuse(c, "ADD= \"%.40s\" names no kind of elements", c->words);
}

// From point to point. With saveIndicesAtInit one command does all incisions of its time.
static st_status incise_command(const command *c, bool *done) {
    change_processor *self = c->self;
    st_topology *topology = (st_topology *)self->topology;
    if (self->save_indices) {
        if (*done) return ST_OK;
        *done = true;
        return st_incise_kept(&self->kept, &self->object, topology, self->block_time, self->snap_path,
                              self->snap_border);
    }

    // points of this line
    size_t count;
    if (!read_count(c->words, &count)) return refuse(c, "INCISE= \"%.40s\" is no number", c->words);
    st_incision_points points = {0};
    st_status status = ST_INVALID;
    if (st_incision_points_read(&points, &self->object, self->player.filename, c->line, c->numbers, count))
        status = st_incise_points(&self->object, topology, &points);
    st_incision_points_free(&points);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Blocks
// ---------------------------------------------------------------------------------------------------

static void clear_block(change_processor *self) {
    st_strings_free(&self->block);
    self->line_of.count = 0;
}

static bool keep_line(change_processor *self, const char *line, size_t length) {
    while (length && isspace((unsigned char)*line)) line++, length--;
    if (length == 0) return true;
    char *copy = st_string_copy_n(line, length);
    if (copy && st_list_push(&self->block, copy) && st_list_push(&self->line_of, (uint32_t)self->player.lines))
        return true;
    st_message(&self->object, ST_ERROR, "out of memory: changes of the mesh");
    return false;
}

static const char *after_key(const char *line, const char *key) {
    const size_t length = strlen(key);
    if (strncmp(line, key, length) != 0) return NULL;
    line += length;
    return line + strspn(line, " \t");
}

// A command and its line of numbers, until the block ends.
static void run_block(change_processor *self) {
    bool incised = false;
    for (size_t i = 0; i < self->block.count; i++) {
        command c = {.self = self, .line = self->line_of.data[i], .numbers = ""};
        const char *add = after_key(self->block.data[i], "ADD="), *remove = after_key(self->block.data[i], "REMOVE=");
        const char *incise = after_key(self->block.data[i], "INCISE=");

        if (!add && !remove && !incise) {
            refuse(&c, "\"%.40s\" is no command", self->block.data[i]);
            continue;
        }
        // the numbers are on the next line, unless that is a command, too
        if (i + 1 < self->block.count && !strchr(self->block.data[i + 1], '=')) {
            c.numbers = self->block.data[++i];
            c.line = self->line_of.data[i];
        }
        c.words = add ? add : remove ? remove : incise;

        if (add) add_command(&c);
        else if (remove) remove_command(&c);
        else incise_command(&c, &incised);
    }
    clear_block(self);
}

static void run_file(change_processor *self, st_real t) {
    const st_real target = t + (st_real)2.2e-16;
    const char *line;
    size_t length = 0;

    while ((line = st_frame_player_line(&self->player, target, &length))) {
        const char *rest;
        if (!st_frame_line_is(line, length, "T=", &rest)) {
            self->block_time = self->frame_time;
            if (!keep_line(self, line, length)) return;
            continue;
        }

        // a block that another one follows in the same step is skipped
        char number[40] = "";
        const size_t digits = (size_t)(line + length - rest);
        memcpy(number, rest, digits < sizeof number ? digits : sizeof number - 1);
        const st_real time = (st_real)strtod(number, NULL);
        if (!isfinite(time)) {
            st_message(&self->object, ST_ERROR, "%s, line %zu: the time is no number", self->player.filename,
                       self->player.lines);
            self->player.ended = true;
            break;
        }
        st_frame_player_frame(&self->player, time);
        if (self->player.next <= target) clear_block(self);
        self->frame_time = time;
    }
    run_block(self);
}

// ---------------------------------------------------------------------------------------------------
// Lists
// ---------------------------------------------------------------------------------------------------

static void run_list(change_processor *self, size_t list) {
    static const st_element kinds[LISTS] = {ST_ELEMENT_KINDS, ST_EDGE,        ST_TRIANGLE,
                                            ST_QUAD,          ST_TETRAHEDRON, ST_HEXAHEDRON};
    const st_uints *ids = &self->lists[list];
    st_topology *topology = (st_topology *)self->topology;
    st_modifier *modifier = st_modifier_of(topology);
    if (ids->count == 0) return;

    if (!modifier || !st_is_valid(&modifier->object))
        st_message(&self->object, ST_ERROR, "the mesh %s has no modifier: nothing is removed", topology->object.name);
    else if (list == 0) st_edit_remove_points(topology, ids->data, ids->count, true);
    else if (st_modifier_kind(modifier) == kinds[list]) st_edit_remove_items(modifier, ids->data, ids->count);
    else
        st_message(&self->object, ST_ERROR, "%s elements cannot be removed by %s: they are part of larger ones",
                   st_element_names[kinds[list]], modifier->object.name);
}

static void run_lists(change_processor *self, st_real t) {
    if (!(t > self->next_removal)) return;
    st_pull(&self->object); // lists that follow a selection are made for the present positions
    for (size_t list = LISTS; list-- > 0;) run_list(self, list);
    self->next_removal = self->player.interval > 0 ? self->next_removal + self->player.interval : (st_real)INFINITY;
}

static void change_processor_event(st_object *object, st_event *event) {
    change_processor *self = (change_processor *)object;
    if (event->kind != ST_EVENT_ANIMATE_BEGIN) return;

    const st_real t = object->node->time + self->player.shift;
    if (self->use_data_inputs) run_lists(self, t);
    else run_file(self, t);
    st_finish_edits(object->scene);
}

static void change_processor_edited(st_object *object, const st_edits *edits) {
    change_processor *self = (change_processor *)object;
    if (edits->topology == (st_topology *)self->topology) st_kept_incisions_edited(&self->kept, edits);
}

static void change_processor_reset(st_object *object) {
    change_processor *self = (change_processor *)object;
    clear_block(self);
    st_kept_incisions_reset(&self->kept);
    self->next_removal = self->time_to_remove;
    if (!self->use_data_inputs && st_is_valid(object) && self->player.reader.stream)
        st_frame_player_restart(&self->player);
}

static void change_processor_destroy(st_object *object) {
    change_processor *self = (change_processor *)object;
    clear_block(self);
    st_list_free(&self->line_of);
    st_kept_incisions_free(&self->kept);
    st_frame_player_close(&self->player);
}

const st_class st_topological_change_processor_class = {
    .name = "TopologicalChangeProcessor",
    .help = "changes a mesh at given times, by a file or by lists",
    .kind = "recorder",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(change_processor),
    .example = "<TriangleSetTopologyContainer position=\"0 0 0  1 0 0  0 1 0  1 1 0\" triangles=\"0 1 2  1 3 2\"/>\n"
               "<TriangleSetTopologyModifier/>\n"
               "<TopologicalChangeProcessor useDataInputs=\"1\" timeToRemove=\"0.1\" trianglesToRemove=\"1\"/>",
    .flags = ST_CLASS_LISTENING,
    .init = change_processor_init,
    .reset = change_processor_reset,
    .event = change_processor_event,
    .edited = change_processor_edited,
    .destroy = change_processor_destroy,
};
