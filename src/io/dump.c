// The dump of states and topologies at one moment, as text: the format of the conformance suite.
//
//     STEP <step> TIME <time> STATE <path> <template> <count> <role>
//     <coordinates of DOF 0>
//
// Every mechanical state depth first; every topology likewise, then those that nodes below a mapping use. Numbers keep
// every bit (%.17g).
//
// SPDX-License-Identifier: Apache-2.0
#include "io/dump.h"

#include "base/text.h"
#include "scene/scene.h"
#include "settee/plugin/state.h"
#include "topology/topology.h"

typedef struct dump {
    const st_writer *writer;
    st_text text; // one record at a time
    size_t step;
    bool ok;
} dump;

static void flush(dump *d) {
    if (d->ok && d->text.length) d->ok = d->writer->write(d->writer->user, d->text.data, d->text.length);
    st_text_clear(&d->text);
}

// A path as one word: blanks become underscores.
static void put_path(dump *d, const st_object *object) {
    const char *path = st_path(object);
    for (const char *c = path; d->ok && *c; c++)
        d->ok = st_text_append_char(&d->text, *c == ' ' || *c == '\t' || *c == '\n' || *c == '\r' ? '_' : *c);
}

static void put_header(dump *d, const st_object *object, const char *what) {
    d->ok = d->ok && st_text_appendf(&d->text, "STEP %zu TIME ", d->step) &&
            st_text_append_real(&d->text, object->node->time, 17) && st_text_appendf(&d->text, " %s ", what);
    put_path(d, object);
}

// independent: an integrator at or above, no mapping at or above. mapped: both. static: no integrator.
static const char *role_of(const st_node *node) {
    bool integrated = false, mapped = false;
    for (; node; node = node->parent) {
        if (st_find(node, ST_ROLE(integrator), ST_LOCAL)) integrated = true;
        if (st_find(node, ST_ROLE(mapping), ST_LOCAL)) mapped = true;
    }
    return !integrated ? "static" : mapped ? "mapped" : "independent";
}

static void put_state(dump *d, const st_state *state) {
    const size_t width = st_state_dof(state)->coord;

    put_header(d, &state->object, "STATE");
    d->ok = d->ok && st_text_appendf(&d->text, " %s %zu %s\n", st_state_dof(state)->name, state->size,
                                     role_of(state->object.node));

    // a line for each degree of freedom
    const st_real *x = state->coord[ST_COORD_POSITION].data;
    for (size_t i = 0; d->ok && i < state->size; i++)
        for (size_t k = 0; d->ok && k < width; k++)
            d->ok = st_text_append_real(&d->text, x[i * width + k], 17) &&
                    st_text_append_char(&d->text, k + 1 < width ? ' ' : '\n');

    flush(d);
}

static bool dump_state_visit(st_node *node, void *context) {
    dump *d = context;
    for (size_t i = 0; i < node->objects.count; i++) {
        const st_object *object = node->objects.data[i];
        if (st_has_role(object, ST_ROLE(state)) && ((const st_state *)object)->mechanical &&
            !((const st_state *)object)->transient)
            put_state(d, (const st_state *)object);
    }
    return d->ok;
}

static void put_topology(dump *d, st_topology *topology) {
    static const struct {
        st_element kind;
        const char *name;
    } kinds[] = {
        {ST_EDGE, "Edges"},           {ST_TRIANGLE, "Triangles"}, {ST_QUAD, "Quads"}, {ST_TETRAHEDRON, "Tetrahedra"},
        {ST_HEXAHEDRON, "Hexahedra"},
    };

    // a topology has no template and no role
    put_header(d, &topology->object, "TOPOLOGY");
    d->ok = d->ok && st_text_appendf(&d->text, " - %zu -\n", st_topology_points(topology));

    // each kind on a line: its name, the count, the vertices
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const st_uints *list = st_topology_elements(topology, kinds[k].kind);
        d->ok = d->ok && st_text_appendf(&d->text, "%s %zu", kinds[k].name, list->count);
        for (size_t i = 0; d->ok && i < list->count * st_element_size[kinds[k].kind]; i++)
            d->ok = st_text_appendf(&d->text, " %u", list->data[i]);
        d->ok = d->ok && st_text_append_char(&d->text, '\n');
    }

    flush(d);
}

static bool dump_topology_visit(st_node *node, void *context) {
    dump *d = context;
    for (size_t i = 0; i < node->objects.count; i++)
        if (st_has_role(node->objects.data[i], ST_ROLE(topology)))
            put_topology(d, (st_topology *)node->objects.data[i]);
    return d->ok;
}

// SOFA's recorder also writes a topology for nodes below a mapping that use the topology of a node above. They come
// after all others, so that these keep their places.
static bool dump_inherited_visit(st_node *node, void *context) {
    dump *d = context;
    if (st_find(node, ST_ROLE(topology), ST_LOCAL) || !st_find(node, ST_ROLE(mapping), ST_LOCAL)) return d->ok;

    st_topology *topology = st_context_topology(node, NULL);
    if (topology) put_topology(d, topology);
    return d->ok;
}

static st_status dump_run(st_scene *scene, size_t step, const st_writer *writer, bool (*visit)(st_node *, void *),
                          bool (*then)(st_node *, void *)) {
    if (!scene->root) {
        st_scene_message(scene, ST_ERROR, "dump", NULL, 0, "there is nothing to dump: no scene is loaded");
        return ST_INVALID;
    }

    // one record at a time goes to the writer; the first failure ends the visit
    dump d = {.writer = writer, .step = step, .ok = true};
    st_visit(scene->root, visit, &d);
    if (then && d.ok) st_visit(scene->root, then, &d);
    st_text_free(&d.text);

    if (!d.ok) st_scene_message(scene, ST_ERROR, "dump", NULL, 0, "the dump of step %zu could not be written", step);
    return d.ok ? ST_OK : ST_FAILED;
}

st_status st_dump_states(st_scene *scene, size_t step, const st_writer *writer) {
    return dump_run(scene, step, writer, dump_state_visit, NULL);
}
st_status st_dump_topology(st_scene *scene, size_t step, const st_writer *writer) {
    return dump_run(scene, step, writer, dump_topology_visit, dump_inherited_visit);
}
