// What topological mappings share: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/mapping/topological_mapping.h"

#include <stdlib.h>

#include "base/array.h"
#include "topology/adjacency.h"
#include "topology/recipes.h"

static const st_field fields[] = {
    ST_FIELD(st_topological_mapping, input, "input", st_type_link, NULL, "topology to start from; the parent node's",
             .role = ST_ROLE(topology)),
    ST_FIELD(st_topological_mapping, output, "output", st_type_link, NULL, "topology to fill; the node's own",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------------------------------

// A path that ends on a node means the topology that its components use.
static st_topology *at_path(const st_node *node, const char *path) {
    st_object *found = st_find_path(node, path, ST_ROLE(topology));
    if (found) return (st_topology *)found;

    const st_node *end = (const st_node *)st_find_path(node, path, ST_ROLE_NODE);
    return end ? st_context_topology(end, NULL) : NULL;
}

static st_topology *find_end(const st_object *object, const char *attribute) {
    const char *path = st_attribute(object, attribute);

    // without a path: the output is in the node itself, the input above it
    if (path && *path) return at_path(object->node, path);
    if (attribute[0] == 'o') return st_local_topology(object->node);
    return object->node->parent ? st_context_topology(object->node->parent, NULL) : NULL;
}

static bool topological_mapping_accepts(st_object *object) {
    const st_topology *input = find_end(object, "input"), *output = find_end(object, "output");
    if (!input) return st_refuse(object, "its input topology is not there");
    if (!output) return st_refuse(object, "its output topology is not there");

    return input != output || st_refuse(object, "its input and its output are the same topology");
}

static st_status topological_mapping_parse(st_object *object) {
    st_topological_mapping *mapping = (st_topological_mapping *)object;

    if (!mapping->input) mapping->input = (st_object *)find_end(object, "input");
    if (!mapping->output) mapping->output = (st_object *)find_end(object, "output");
    return mapping->input && mapping->output ? ST_OK : ST_INVALID;
}

// ---------------------------------------------------------------------------------------------------
// Checks
// ---------------------------------------------------------------------------------------------------

static const char *type_name(st_element type) { return type == ST_ELEMENT_KINDS ? "point" : st_element_names[type]; }

st_status st_topological_check_types(st_topological_mapping *mapping, st_element input, st_element output) {
    const st_element from = st_topology_type(st_mapped_from(mapping)), to = st_topology_type(st_mapped_to(mapping));

    if (from != input)
        return st_invalid(&mapping->object, "the input %s is a mesh of %s elements, not of %s elements",
                          mapping->input->name, type_name(from), type_name(input));
    if (to != output)
        return st_invalid(&mapping->object, "the output %s is a mesh of %s elements, not of %s elements",
                          mapping->output->name, type_name(to), type_name(output));
    return ST_OK;
}

st_status st_topological_require_modifier(st_topological_mapping *mapping, const st_class *modifier) {
    if (st_find_class(mapping->output->node, modifier, ST_UP)) return ST_OK;
    return st_invalid(&mapping->object, "there is no %s beside the output %s", modifier->name, mapping->output->name);
}

// ---------------------------------------------------------------------------------------------------
// Filling
// ---------------------------------------------------------------------------------------------------

static st_status topological_mapping_out_of_memory(st_topological_mapping *mapping) {
    st_invalid(&mapping->object, "out of memory while %s was filled", mapping->output->name);
    return ST_OUT_OF_MEMORY;
}

st_status st_topological_begin(st_topological_mapping *mapping, size_t points) {
    st_topology_clear(st_mapped_to(mapping));
    st_topology_set_points(st_mapped_to(mapping), points);
    mapping->loc_to_glob.count = mapping->glob_to_loc.count = 0;
    return ST_OK;
}

bool st_fill_invalid(st_uints *list, size_t count) {
    if (!st_list_set_count(list, count, 1)) return false;
    for (size_t i = 0; i < count; i++) list->data[i] = ST_INVALID_INDEX;
    return true;
}

st_status st_topological_reserve(st_topological_mapping *mapping, st_element kind, size_t count, size_t inputs,
                                 size_t per_input) {
    st_topology *output = st_mapped_to(mapping);

    if (!st_topology_holds(output, kind))
        return st_invalid(&mapping->object, "the output %s cannot hold %s elements", mapping->output->name,
                          st_element_names[kind]);

    mapping->per_input = per_input;
    mapping->kind = kind;

    if (count >= UINT32_MAX || !st_list_set_count(&output->elements[kind], count, st_element_size[kind]) ||
        !st_fill_invalid(&mapping->loc_to_glob, count) || !st_fill_invalid(&mapping->glob_to_loc, inputs * per_input))
        return topological_mapping_out_of_memory(mapping);
    return ST_OK;
}

st_status st_topological_finish(st_topological_mapping *mapping) {
    const st_status status = st_topology_init_again(st_mapped_to(mapping));

    if (status != ST_OK)
        return st_invalid(&mapping->object, "the output %s could not be filled", mapping->output->name);
    return ST_OK;
}

// Triangles and edges keep their first vertex, quads are read backwards.
static void copy_part(uint32_t *to, const uint32_t *from, int size, bool flip) {
    for (int i = 0; i < size; i++) to[i] = from[!flip ? i : size == 4 ? 3 - i : (size - i) % size];
}

st_status st_topological_map_border(st_topological_mapping *mapping, st_element upper, st_element lower, bool flip) {
    st_topology *input = st_mapped_from(mapping);
    const size_t size = st_element_size[lower];
    st_uints border = {0};
    st_status status = ST_OK;

    // the parts that exactly one element has
    if (!st_topology_single_parts(input, upper, lower, &border)) status = topological_mapping_out_of_memory(mapping);
    const st_uints *parts = st_topology_elements(input, lower);

    if (status == ST_OK) status = st_topological_begin(mapping, st_topology_points(input));
    if (status == ST_OK) status = st_topological_reserve(mapping, lower, border.count, parts->count, 1);

    for (size_t i = 0; status == ST_OK && i < border.count; i++) {
        copy_part(st_mapped_to(mapping)->elements[lower].data + i * size, parts->data + border.data[i] * size,
                  (int)size, flip);
        st_topological_relate(mapping, i, border.data[i], 0);
    }

    st_list_free(&border);
    return status == ST_OK ? st_topological_finish(mapping) : status;
}

// ---------------------------------------------------------------------------------------------------
// Following changes
// ---------------------------------------------------------------------------------------------------

bool st_topological_grow(st_topological_mapping *mapping, size_t count) {
    st_uints *list = &mapping->glob_to_loc;
    const size_t old = list->count;
    if (!st_list_set_count(list, old + count * mapping->per_input, 1)) {
        topological_mapping_out_of_memory(mapping);
        return false;
    }
    for (size_t i = old; i < list->count; i++) list->data[i] = ST_INVALID_INDEX;
    return true;
}

void st_topological_forget_inputs(st_topological_mapping *mapping, const uint32_t *ids, size_t count) {
    st_uints *outputs = &mapping->glob_to_loc;
    const size_t per = mapping->per_input;

    for (size_t i = 0; i < count; i++) {
        const size_t last = outputs->count / per - 1;
        if (outputs->count < per || ids[i] > last) continue;

        // the last input takes the place, and its outputs know
        for (size_t k = 0; k < per; k++) {
            const uint32_t out = outputs->data[last * per + k];
            outputs->data[ids[i] * per + k] = out;
            if (out < mapping->loc_to_glob.count) mapping->loc_to_glob.data[out] = ids[i];
        }
        outputs->count = last * per;
    }
}

static void name_output(st_topological_mapping *mapping, uint32_t in, uint32_t former, uint32_t name) {
    const size_t per = mapping->per_input;
    for (size_t k = 0; in != ST_INVALID_INDEX && k < per; k++)
        if (in * per + k < mapping->glob_to_loc.count && mapping->glob_to_loc.data[in * per + k] == former)
            mapping->glob_to_loc.data[in * per + k] = name;
}

static int larger_first(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

// Outputs (decreasing) are gone: the last one has taken each place.
static void forget_outputs(st_topological_mapping *mapping, const uint32_t *ids, size_t count) {
    st_uints *inputs = &mapping->loc_to_glob;
    for (size_t i = 0; i < count && inputs->count; i++) {
        const uint32_t out = ids[i], last = (uint32_t)inputs->count - 1;
        if (out > last) continue;
        name_output(mapping, inputs->data[out], out, ST_INVALID_INDEX);
        if (out != last) name_output(mapping, inputs->data[last], last, out);
        inputs->data[out] = inputs->data[last];
        inputs->count = last;
    }
}

void st_topological_output_edited(st_topological_mapping *mapping, const st_edits *edits) {
    if (mapping->at_work) return;
    for (size_t i = 0; i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        if (edit->kind != (int)mapping->kind) continue;
        if (edit->what == ST_EDIT_REMOVED) forget_outputs(mapping, edit->ids, edit->count);
        for (size_t k = 0; edit->what == ST_EDIT_ADDED && k < edit->count; k++)
            if (!st_list_push(&mapping->loc_to_glob, ST_INVALID_INDEX)) topological_mapping_out_of_memory(mapping);
    }
}

st_status st_topological_remove(st_topological_mapping *mapping, st_element kind, st_uints *outputs, bool parts,
                                bool points) {
    if (outputs->count == 0) return ST_OK;
    qsort(outputs->data, outputs->count, sizeof *outputs->data, larger_first);

    mapping->at_work = true;
    const st_status status = st_edit_remove(st_mapped_to(mapping), kind, outputs->data, outputs->count, parts, points);
    mapping->at_work = false;
    if (status == ST_OK) forget_outputs(mapping, outputs->data, outputs->count);
    return status;
}

st_status st_topological_add(st_topological_mapping *mapping, st_element kind, const st_uints *vertices,
                             const st_uints *from) {
    st_topology *output = st_mapped_to(mapping);
    const size_t old = output->elements[kind].count;
    mapping->at_work = true;
    const st_status status = st_edit_add(output, kind, vertices->data, from->count, NULL);
    mapping->at_work = false;
    if (status != ST_OK) return status;

    if (!st_list_set_count(&mapping->loc_to_glob, old + from->count, 1))
        return topological_mapping_out_of_memory(mapping);
    for (size_t i = 0; i < from->count; i++) {
        mapping->loc_to_glob.data[old + i] = from->data[i];
        if (from->data[i] == ST_INVALID_INDEX) continue;
        const size_t place = from->data[i] * mapping->per_input + i % mapping->per_input;
        if (place < mapping->glob_to_loc.count) mapping->glob_to_loc.data[place] = (uint32_t)(old + i);
    }
    return ST_OK;
}

void st_topological_make(st_topological_mapping *mapping, const st_edit *edit, st_make_output *make) {
    const size_t size = st_element_size[mapping->kind], per = mapping->per_input;
    st_uints vertices = {0}, from = {0};
    bool ok = st_topological_grow(mapping, edit->count) && st_list_set_count(&vertices, edit->count * per * size, 1) &&
              st_list_set_count(&from, edit->count * per, 1);

    for (size_t i = 0; ok && i < edit->count * per; i++) {
        from.data[i] = edit->ids[i / per];
        make(mapping, from.data[i], i % per, vertices.data + i * size);
    }

    if (ok) st_topological_add(mapping, mapping->kind, &vertices, &from);
    else topological_mapping_out_of_memory(mapping);
    st_list_free(&vertices);
    st_list_free(&from);
}

void st_topological_drop(st_topological_mapping *mapping, const st_edit *edit) {
    const size_t per = mapping->per_input;
    st_uints gone = {0};
    bool ok = st_list_set_count(&gone, per, 1);

    for (size_t i = 0; ok && i < edit->count; i++) {
        gone.count = 0;
        for (size_t k = 0; k < per; k++) {
            const size_t place = per * (size_t)edit->ids[i] + k;
            if (place < mapping->glob_to_loc.count && mapping->glob_to_loc.data[place] != ST_INVALID_INDEX)
                gone.data[gone.count++] = mapping->glob_to_loc.data[place];
        }
        ok = st_topological_remove(mapping, mapping->kind, &gone, true, false) == ST_OK;
        st_topological_forget_inputs(mapping, &edit->ids[i], 1);
    }

    if (!ok) topological_mapping_out_of_memory(mapping);
    st_list_free(&gone);
}

void st_topological_add_points(st_topological_mapping *mapping, const st_edit *edit) {
    const st_origin origin = {edit->starts, edit->ancestors, edit->weights};
    if (edit->kind == ST_POINT && edit->what == ST_EDIT_ADDED)
        st_edit_add_points(st_mapped_to(mapping), edit->count, &origin, false);
}

size_t st_topological_around(st_topology *input, st_element kind, st_element lower, uint32_t part) {
    return st_shell_of(st_topology_around(input, kind, (int)lower), part).count;
}

uint32_t st_topological_other(st_topology *input, st_element kind, st_element lower, uint32_t element, int j,
                              uint32_t *part) {
    const uint32_t *in = st_topology_in(input, kind, lower);
    const size_t parts = (size_t)st_element_parts(kind, lower).parts;
    if (!in) return ST_INVALID_INDEX;

    *part = in[element * parts + (size_t)j];
    const st_shell shell = st_shell_of(st_topology_around(input, kind, (int)lower), *part);
    if (shell.count != 2) return ST_INVALID_INDEX;
    return shell.ids[0] == element ? shell.ids[1] : shell.ids[0];
}

bool st_topological_listed(const uint32_t *list, size_t end, uint32_t number) {
    for (size_t i = 0; i < end; i++)
        if (list[i] == number) return true;
    return false;
}

void st_topological_follow_points(st_topological_mapping *mapping, const st_edit *edit) {
    st_topology *output = st_mapped_to(mapping);
    if (edit->kind != ST_POINT) return;

    // the output may have fewer points: those that it never had are no loss
    if (edit->what == ST_EDIT_REMOVED) {
        size_t first = 0;
        while (first < edit->count && edit->ids[first] >= st_topology_points(output)) first++;
        st_edit_remove_points(output, edit->ids + first, edit->count - first, false);
    }
    if (edit->what == ST_EDIT_RENUMBERED && edit->count == st_topology_points(output))
        st_edit_renumber_points(output, edit->ids, false);
}

bool st_topological_can_follow(st_topological_mapping *mapping) {
    if (st_is_changeable(st_mapped_to(mapping))) return true;
    st_message_once(&mapping->object, "static", ST_WARNING,
                    "the input has changed, but the output %s is no container that can: it is made again as a whole",
                    mapping->output->name);
    return false;
}

static void topological_mapping_destroy(st_object *object) {
    st_topological_mapping *mapping = (st_topological_mapping *)object;
    st_list_free(&mapping->loc_to_glob);
    st_list_free(&mapping->glob_to_loc);
}

const st_class st_topological_mapping_class = {
    .name = "TopologicalMapping",
    .help = "what every mapping between topologies has",
    .kind = "topological mapping",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_topological_mapping),
    .flags = ST_CLASS_ABSTRACT,
    .accepts = topological_mapping_accepts,
    .parse = topological_mapping_parse,
    .destroy = topological_mapping_destroy,
};
