// Time spent in the parts of a step: a tree of phases and components.
//
//     solve                          a phase: always timed
//         CGLinearSolver /cg         a component in it: only when the program asked for it
//             HexahedronFEM... /fem
//
// Sections are opened and closed by the thread that steps, one within the other. A phase that is opened within itself is
// still one phase. The flat list has for each phase its own time, without the phases within it: its sum is never above the
// time of the steps.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/text.h"
#include "scene/scene.h"

enum { PHASES = 24, DEPTH = 32, NODES = 4096 };

typedef struct links {
    const void *key;     // the name of a phase; the component; the class of components that come and go
    size_t child, after; // first part of it, next part of the same whole; SIZE_MAX: none
} links;

typedef struct section {
    size_t node;  // SIZE_MAX: not counted on its own
    size_t phase; // that it is in, a flat entry
    double begin, inner;
    bool opens; // a phase that is not within itself
} section;

struct st_profile {
    st_profile_entry phases[PHASES];
    size_t phase_count;
    ST_LIST(st_profile_node) nodes;
    ST_LIST(links) links;
    size_t first; // root of the tree
    section open[DEPTH];
    size_t depth; // may be above DEPTH: these are not counted
    bool components;
    st_profile_function *event;
    void *user;
};

// Made when it is needed first; without memory nothing is measured.
static struct st_profile *profile_of(st_scene *scene) {
    if (scene->profile) return scene->profile;
    scene->profile = st_alloc(1, sizeof *scene->profile);
    if (scene->profile) scene->profile->first = SIZE_MAX;
    return scene->profile;
}

void st_profile_destroy(st_scene *scene) {
    struct st_profile *p = scene->profile;
    if (!p) return;
    for (size_t i = 0; i < p->nodes.count; i++)
        if (p->nodes.data[i].is_component) st_free((char *)p->nodes.data[i].name);
    st_list_free(&p->nodes);
    st_list_free(&p->links);
    st_free(p);
    scene->profile = NULL;
}

void st_profile_forget(const st_object *object) {
    const struct st_profile *p = object->scene->profile;
    if (!p || !p->components) return;
    for (size_t i = 0; i < p->links.count; i++)
        if (p->links.data[i].key == object) p->links.data[i].key = NULL;
}

// ---------------------------------------------------------------------------------------------------
// Places
// ---------------------------------------------------------------------------------------------------

// Most callers pass the literal that they passed before: its address is compared first.
static size_t find_phase(struct st_profile *p, const char *name) {
    for (size_t i = 0; i < p->phase_count; i++)
        if (p->phases[i].name == name || strcmp(p->phases[i].name, name) == 0) return i;
    if (p->phase_count == PHASES) return SIZE_MAX;
    p->phases[p->phase_count].name = name;
    return p->phase_count++;
}

static size_t parent_of(const struct st_profile *p) {
    for (size_t i = p->depth < DEPTH ? p->depth : DEPTH; i-- > 0;)
        if (p->open[i].node != SIZE_MAX) return p->open[i].node;
    return SIZE_MAX;
}

// The part of the innermost open section with this key; a new one has its name from the component, or is a phase.
static size_t find_node(struct st_profile *p, const void *key, const char *phase, const st_object *component) {
    const size_t parent = parent_of(p);
    size_t *next = parent == SIZE_MAX ? &p->first : &p->links.data[parent].child;
    while (*next != SIZE_MAX && p->links.data[*next].key != key) next = &p->links.data[*next].after;
    if (*next != SIZE_MAX) return *next;
    if (p->nodes.count == NODES) return SIZE_MAX;

    // contact responses come and go: they are counted by class
    st_profile_node node = {.name = phase, .parent = parent, .is_component = component != NULL};
    if (component)
        node.name = key == component ? st_string_format("%s %s", component->type->name, st_path(component))
                                     : st_string_copy(component->type->name);
    if (!node.name) return SIZE_MAX;
    if (!st_list_push(&p->nodes, node)) return SIZE_MAX;
    if (!st_list_push(&p->links, ((links){key, SIZE_MAX, SIZE_MAX}))) {
        p->nodes.count--;
        return SIZE_MAX;
    }

    // the list may have moved
    const size_t made = p->nodes.count - 1;
    next = parent == SIZE_MAX ? &p->first : &p->links.data[parent].child;
    while (*next != SIZE_MAX) next = &p->links.data[*next].after;
    *next = made;
    return made;
}

static const void *key_of(const st_object *component) {
    const bool passing = st_is_passing(component) || (component->node && st_is_passing(&component->node->object));
    return passing ? (const void *)component->type : component;
}

// ---------------------------------------------------------------------------------------------------
// Sections
// ---------------------------------------------------------------------------------------------------

static void profile_open(struct st_profile *p, section s) {
    s.begin = st_clock_seconds();
    if (p->depth < DEPTH) p->open[p->depth] = s;
    p->depth++;
}

static void count(struct st_profile *p, size_t node, int lane, double begin, double seconds, double bytes) {
    if (node == SIZE_MAX) return;
    st_profile_node *n = &p->nodes.data[node];
    n->seconds += seconds;
    n->bytes += bytes;
    n->calls++;

    const st_profile_event event = {
        .name = n->name, .is_component = n->is_component, .lane = lane, .begin = begin, .seconds = seconds};
    if (p->event) p->event(p->user, &event);
}

static void profile_close(st_scene *scene, double bytes) {
    struct st_profile *p = scene->profile;
    if (!p || p->depth == 0 || --p->depth >= DEPTH) return;
    const section s = p->open[p->depth];
    const double spent = st_clock_seconds() - s.begin;
    count(p, s.node, 0, s.begin, spent, bytes);

    // the own time of the phase; what the whole has around it loses all of this
    if (s.opens && s.phase != SIZE_MAX) {
        p->phases[s.phase].seconds += spent - s.inner;
        p->phases[s.phase].calls++;
    }
    if (p->depth > 0) p->open[p->depth - 1].inner += s.opens ? spent : s.inner;
}

void st_profile_begin(st_scene *scene, const char *phase) {
    struct st_profile *p = profile_of(scene);
    if (!p) return;
    const size_t index = find_phase(p, phase);
    section s = {.node = SIZE_MAX, .phase = index, .opens = true};

    // within itself, a phase goes on
    const bool inside = p->depth > 0 && p->depth <= DEPTH && p->open[p->depth - 1].phase == index;
    if (inside) s.opens = false;
    else if (index != SIZE_MAX) s.node = find_node(p, p->phases[index].name, p->phases[index].name, NULL);
    profile_open(p, s);
}

void st_profile_end(st_scene *scene, double bytes) { profile_close(scene, bytes); }

bool st_profile_is_open(const st_scene *scene) { return scene->profile && scene->profile->depth > 0; }

bool st_profile_is_detailed(const st_scene *scene) { return scene->profile && scene->profile->components; }

void st_profile_enter(const st_object *component) {
    struct st_profile *p = component->scene->profile;
    if (!p || !p->components) return;
    const size_t phase = p->depth > 0 && p->depth <= DEPTH ? p->open[p->depth - 1].phase : SIZE_MAX;
    profile_open(p, (section){.node = find_node(p, key_of(component), NULL, component), .phase = phase});
}

void st_profile_leave(const st_object *component, double bytes) {
    if (st_profile_is_detailed(component->scene)) profile_close(component->scene, bytes);
}

void st_profile_count(const st_object *component, int lane, double begin, double seconds, double bytes) {
    struct st_profile *p = component->scene->profile;
    if (p && p->components) count(p, find_node(p, key_of(component), NULL, component), lane, begin, seconds, bytes);
}

// ---------------------------------------------------------------------------------------------------
// For programs
// ---------------------------------------------------------------------------------------------------

size_t st_scene_profile(const st_scene *scene, const st_profile_entry **entries) {
    if (!scene || !entries || !scene->profile) return 0;
    *entries = scene->profile->phases;
    return scene->profile->phase_count;
}

size_t st_scene_profile_tree(const st_scene *scene, const st_profile_node **nodes) {
    if (!scene || !nodes || !scene->profile) return 0;
    *nodes = scene->profile->nodes.data;
    return scene->profile->nodes.count;
}

st_status st_scene_profile_components(st_scene *scene, bool on, st_profile_function *event, void *user) {
    if (!scene) return ST_INVALID;
    if (scene->stepping) return ST_BUSY;
    struct st_profile *p = profile_of(scene);
    if (!p) return ST_OUT_OF_MEMORY;

    p->components = on;
    p->event = on ? event : NULL;
    p->user = user;
    return ST_OK;
}
