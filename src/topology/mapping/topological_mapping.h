// Topological mappings: a mesh that is made from another one, such as the surface of a volume.
//
// A mapping fills its output during its own init and initializes it again, so that a component which comes before it
// in the scene sees an empty output. Two tables say which element came from which; as long as both meshes renumber by putting the
// last element into a gap, they stay exact in both directions:
//   loc_to_glob   the input element of each output element
//   glob_to_loc   the output elements of each input element, `per_input` of them, ST_INVALID_INDEX where there is none
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_MAPPING_TOPOLOGICAL_MAPPING_H
#define SETTEE_TOPOLOGY_MAPPING_TOPOLOGICAL_MAPPING_H

#include "topology/edit.h"

typedef struct st_topological_mapping st_topological_mapping;
struct st_topological_mapping {
    st_object object;
    st_object *input, *output; // topologies, found before the component was created
    st_uints loc_to_glob, glob_to_loc;
    size_t per_input;
    st_element kind; // of the output elements in the tables
    bool at_work;    // it changes the output itself

    // For those that keep other tables; set by `init`. The output is edited, by whomever:
    void (*output_edited)(st_topological_mapping *mapping, const st_edits *edits);
    // A removal from the input or the output is over, with all its consequences:
    void (*ended)(st_topological_mapping *mapping, const st_topology *where);
};

extern const st_class st_topological_mapping_class;

static inline st_topology *st_mapped_from(const st_topological_mapping *mapping) {
    return (st_topology *)mapping->input;
}
static inline st_topology *st_mapped_to(const st_topological_mapping *mapping) {
    return (st_topology *)mapping->output;
}

// Are the meshes of the kinds that the mapping's name says? An error otherwise.
st_status st_topological_check_types(st_topological_mapping *mapping, st_element input, st_element output);
// Finds a modifier in the output's node or above; an error when there is none.
st_status st_topological_require_modifier(st_topological_mapping *mapping, const st_class *modifier);

// A list of so many entries that say "nothing".
bool st_fill_invalid(st_uints *list, size_t count);

// Empties the output and gives it the number of points; makes room for the elements and both tables, whose entries say
// that nothing is mapped yet. The vertices of the new elements are for the caller to write.
st_status st_topological_begin(st_topological_mapping *mapping, size_t points);
st_status st_topological_reserve(st_topological_mapping *mapping, st_element kind, size_t count, size_t inputs,
                                 size_t per_input);
// Output element `out` comes from input element `in`, as its k-th.
static inline void st_topological_relate(st_topological_mapping *mapping, size_t out, size_t in, size_t k) {
    mapping->loc_to_glob.data[out] = (uint32_t)in;
    mapping->glob_to_loc.data[in * mapping->per_input + k] = (uint32_t)out;
}
st_status st_topological_finish(st_topological_mapping *mapping);

// The border of a mesh as another: parts of `lower` kind that one element of `upper` kind has, in their order, with
// the last vertices exchanged (reversed for quads) when flipped.
st_status st_topological_map_border(st_topological_mapping *mapping, st_element upper, st_element lower, bool flip);

// --- following changes of the input: for `edited` (settee/plugin/change.h)

// New input elements that have no output yet.
bool st_topological_grow(st_topological_mapping *mapping, size_t count);
// Input elements (decreasing) are about to go; what came from them is gone already.
void st_topological_forget_inputs(st_topological_mapping *mapping, const uint32_t *ids, size_t count);
// Removes outputs (any order) with the edges and points that get isolated where asked, and forgets them.
st_status st_topological_remove(st_topological_mapping *mapping, st_element kind, st_uints *outputs, bool parts,
                                bool points);
// All outputs of the input elements that are about to go, one input after the other, as an edit says.
void st_topological_drop(st_topological_mapping *mapping, const st_edit *edit);
// The `per_input` outputs of each new input element; `make` writes the vertices of number k of an input element.
typedef void st_make_output(st_topological_mapping *mapping, uint32_t element, size_t k, uint32_t *vertices);
void st_topological_make(st_topological_mapping *mapping, const st_edit *edit, st_make_output *make);
// Points that were added to the input are so in the output; states do not get them.
void st_topological_add_points(st_topological_mapping *mapping, const st_edit *edit);
// Adds outputs; the i-th comes from input from[i], as its (i % per_input)-th.
st_status st_topological_add(st_topological_mapping *mapping, st_element kind, const st_uints *vertices,
                             const st_uints *from);
// The other of the two elements around part j of element e; ST_INVALID_INDEX: it is not one of exactly two.
uint32_t st_topological_other(st_topology *input, st_element kind, st_element lower, uint32_t element, int j,
                              uint32_t *part);
// How many elements of the kind are around a part.
size_t st_topological_around(st_topology *input, st_element kind, st_element lower, uint32_t part);
// Does a number come before place `end` of the list?
bool st_topological_listed(const uint32_t *list, size_t end, uint32_t number);
// Points removed or renumbered in the input are so in the output.
void st_topological_follow_points(st_topological_mapping *mapping, const st_edit *edit);
// Somebody else changed the output: the tables follow.
void st_topological_output_edited(st_topological_mapping *mapping, const st_edits *edits);
// Can the output change? A message, once, where it cannot.
bool st_topological_can_follow(st_topological_mapping *mapping);

#endif
