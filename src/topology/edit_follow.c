// Carrying edits: to lists attached to points and elements, to topological mappings and hooks, to states.
//
// Whoever holds data on the mesh gets them first, all over the scene; then, node by node from the root, the topological
// mappings that start from the mesh, and the hooks `edited`.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/quat.h"
#include "math/real.h"
#include "scene/field_reader.h"
#include "scene/scene.h"
#include "scene/snapshot.h"
#include "settee/plugin/state.h"
#include "topology/edit.h"
#include "topology/mapping/topological_mapping.h"

bool st_became_empty(const st_object *object, const void *list) {
    return ((const st_any_list *)list)->count == 0 && st_snapshot_count(object, list) > 0;
}

st_init_reason st_why_init(const st_object *object) {
    if (object->scene->undoing) return ST_INIT_RESET;
    return object->scene->edited.count ? ST_INIT_CHANGED : ST_INIT_FIRST;
}

// ---------------------------------------------------------------------------------------------------
// Which mesh
// ---------------------------------------------------------------------------------------------------

static st_topology *linked_topology(const st_object *object) {
    const int index = st_field_index(object, "topology");
    if (index < 0 || st_fields(object)[index]->type->syntax != ST_SYNTAX_LINK || st_fields(object)[index]->type->list)
        return NULL;
    st_object *target = *(st_object **)st_member(object, st_fields(object)[index]);
    return st_has_role(target, ST_ROLE(topology)) ? (st_topology *)target : NULL;
}

// The states that an attribute of a mapping names: input or output.
typedef ST_LIST(st_object *) object_list;
static const object_list *mapped_states(const st_object *mapping, const char *name) {
    static const object_list none = {0};
    const int index = st_field_index(mapping, name);
    if (!mapping->type->mapping || index < 0) return &none;
    const st_field *field = st_fields(mapping)[index];
    return field->type->syntax == ST_SYNTAX_LINK && field->type->list ? st_member(mapping, field) : &none;
}

// The state that this one is a copy of, DOF by DOF: a mapping that copies, and that has no list of the parent's points.
static const st_state *copied_state(const st_state *state) {
    const st_node *node = state->object.node;
    for (size_t i = 0; i < node->objects.count; i++) {
        const st_object *object = node->objects.data[i];
        if (!object->type->mapping || !(object->type->flags & ST_CLASS_COPIES_DOFS)) continue;
        const object_list *in = mapped_states(object, "input"), *out = mapped_states(object, "output");
        if (in->count != 1 || out->count != 1 || out->data[0] != &state->object) continue;

        bool listed = false;
        for (uint32_t k = 0; k < st_field_count(object); k++) listed = listed || st_fields(object)[k]->mesh > 0;
        if (!listed) return (const st_state *)in->data[0];
    }
    return NULL;
}

// A state follows the mesh of its own node, or the one that it names, or that of the state that it copies.
static st_topology *state_topology(const st_state *state) {
    for (int depth = 0; state && depth < 64; depth++) {
        st_topology *linked = linked_topology(&state->object);
        if (!linked) linked = st_local_topology(state->object.node);
        if (linked) return linked;
        state = copied_state(state);
    }
    return NULL;
}

// The mesh that an object's data on points or elements belong to.
static const st_topology *mesh_of(const st_object *object, int kind) {
    if (kind == ST_POINT && !object->type->topology) {
        const st_state *state = (const st_state *)st_find_slot(object->node, ST_ROLE(state));
        if (state) return state_topology(state);
    }

    // the list of a topological mapping belongs to its input
    if (st_is_a(object, &st_topological_mapping_class))
        return (const st_topology *)((const st_topological_mapping *)object)->input;
    const st_topology *linked = linked_topology(object);
    return linked ? linked : st_context_topology(object->node, NULL);
}

bool st_edits_move_points(const st_edits *edits, const st_state *state) {
    if (!state || state_topology(state) != edits->topology) return false;
    for (size_t i = 0; i < edits->count; i++)
        if (edits->list[i].kind == ST_POINT && edits->list[i].what != ST_EDIT_ADDED &&
            edits->list[i].what < ST_EDIT_MOVING)
            return true;
    return false;
}

static size_t mesh_count(const st_topology *topology, int kind) {
    return kind == ST_POINT ? st_topology_points(topology) : topology->elements[kind].count;
}

// The number that a thing has when those with the ids are gone, each replaced by the last one of its time. Its place can be
// the last one several times.
static uint32_t number_after(const st_edit *edit, size_t count, uint32_t number) {
    // ids decrease: is it one of them?
    size_t low = 0, high = edit->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (edit->ids[middle] > number) low = middle + 1;
        else high = middle;
    }
    if (low < edit->count && edit->ids[low] == number) return ST_INVALID_INDEX;

    // place count - 1 - i moves to ids[i], in this order
    for (size_t step = 0; number < count; step++) {
        const size_t i = count - 1 - number;
        if (i < step || i >= edit->count) break;
        step = i;
        number = edit->ids[i];
    }
    return number;
}

uint32_t st_edits_number(const st_edits *edits, int kind, uint32_t number) {
    const size_t count = mesh_count(edits->topology, kind);

    for (size_t i = 0; i < edits->count && number != ST_INVALID_INDEX; i++) {
        const st_edit *edit = &edits->list[i];
        if (edit->kind != kind || edit->what == ST_EDIT_ADDED || edit->what >= ST_EDIT_MOVING) continue;
        if (edit->what == ST_EDIT_REMOVED) number = number_after(edit, count, number);
        for (size_t k = 0; edit->what == ST_EDIT_RENUMBERED && k < edit->count; k++)
            if (edit->ids[k] == number) return (uint32_t)k;
    }
    return number;
}

// ---------------------------------------------------------------------------------------------------
// Attached lists
// ---------------------------------------------------------------------------------------------------

typedef struct attached_list {
    st_object *object;
    st_any_list *list;
    size_t bytes;
    st_make_entry *make;
} attached_list;

static char *entry_of(const attached_list *a, size_t i) { return (char *)a->list->data + i * a->bytes; }

// One entry for each, before `count` things become fewer; a list of another length is not one of them.
static bool entries_removed(attached_list *a, const st_edit *edit, size_t count) {
    if (a->list->count != count) return false;
    for (size_t i = 0; i < edit->count; i++) {
        const size_t last = --a->list->count;
        if (edit->ids[i] != last) memcpy(entry_of(a, edit->ids[i]), entry_of(a, last), a->bytes);
    }
    return true;
}

static bool entries_added(attached_list *a, const st_edit *edit) {
    const size_t first = edit->count ? edit->ids[0] : 0;
    if (edit->count == 0 || a->list->count != first) return false;

    if (!st_list_set_count_bytes(a->list, first + edit->count, a->bytes)) {
        st_message(a->object, ST_ERROR, "out of memory: a list of %zu entries cannot follow the mesh",
                   first + edit->count);
        a->object->validity = ST_BROKEN;
        return false;
    }
    for (size_t k = 0; a->make && k < edit->count; k++) a->make(a->object, entry_of(a, first + k), edit, k);
    return true;
}

// `entry` is entry edit->ids[k] of a list of single reals.
void st_make_like_ancestor(st_object *object, void *entry, const st_edit *edit, size_t k) {
    (void)object;
    const st_real *list = (const st_real *)entry - edit->ids[k];
    const bool known = edit->starts && edit->starts[k] < edit->starts[k + 1];
    const uint32_t from = known ? edit->ancestors[edit->starts[k]] : 0;
    *(st_real *)entry = list[from < edit->ids[k] ? from : 0];
}

void st_make_position(st_object *object, void *entry, const st_edit *edit, size_t k) {
    const st_state *state = (const st_state *)st_find_slot(object->node, ST_ROLE(state));
    if (!state || edit->ids[k] >= state->coord[ST_COORD_POSITION].count || state->object.dof != object->dof) return;
    const size_t width = st_state_dof(state)->coord;
    st_copy_reals(entry, state->coord[ST_COORD_POSITION].data + edit->ids[k] * width, width);
}

static bool entries_renumbered(attached_list *a, const st_edit *edit) {
    char *copy = a->list->count == edit->count ? st_alloc(edit->count, a->bytes) : NULL;
    if (!copy) return false;

    for (size_t i = 0; i < edit->count; i++) memcpy(copy + i * a->bytes, entry_of(a, edit->ids[i]), a->bytes);
    memcpy(a->list->data, copy, edit->count * a->bytes);
    st_free(copy);
    return true;
}

// Rows of `width` numbers: one that has a removed thing disappears, the others follow.
static bool numbers_removed(st_uints *list, size_t width, const st_edit *edit, size_t count) {
    bool changed = false;
    size_t kept = 0;

    for (size_t row = 0; row < list->count; row++) {
        bool stays = true;
        for (size_t k = 0; k < width; k++) {
            const uint32_t before = list->data[row * width + k], after = number_after(edit, count, before);
            list->data[kept * width + k] = after;
            stays = stays && (after != ST_INVALID_INDEX || before == ST_INVALID_INDEX);
            changed = changed || after != before;
        }
        kept += stays;
    }
    list->count = kept;
    return changed;
}

static bool numbers_renumbered(st_uints *list, size_t width, const st_edit *edit) {
    uint32_t *names = st_alloc(edit->count, sizeof *names);
    if (!names) return false;

    for (size_t i = 0; i < edit->count; i++) names[edit->ids[i]] = (uint32_t)i;
    for (size_t i = 0; i < list->count * width; i++)
        if (list->data[i] < edit->count) list->data[i] = names[list->data[i]];
    st_free(names);
    return true;
}

static bool is_number_of(const st_uints *list, size_t count, uint32_t number) {
    for (size_t i = 0; i < count; i++)
        if (list->data[i] == number) return true;
    return false;
}

// New points whose every ancestor is listed are listed, too.
static bool numbers_inherited(st_uints *list, const st_edit *edit) {
    const size_t former = list->count;
    for (size_t k = 0; edit->starts && k < edit->count; k++) {
        bool all = edit->starts[k] < edit->starts[k + 1];
        for (uint32_t a = edit->starts[k]; all && a < edit->starts[k + 1]; a++)
            all = is_number_of(list, former, edit->ancestors[a]);
        if (all && !st_list_push(list, edit->ids[k])) break;
    }
    return list->count > former;
}

// The kind that a list of one entry for each cell belongs to: the largest one with that many elements before the edit.
static int cell_kind(const st_edits *edits, size_t entries) {
    static const st_element kinds[] = {ST_HEXAHEDRON, ST_TETRAHEDRON, ST_QUAD, ST_TRIANGLE, ST_EDGE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t count = edits->topology->elements[kinds[i]].count;
        for (size_t k = 0; k < edits->count; k++)
            if (edits->list[k].kind == (int)kinds[i] && edits->list[k].what == ST_EDIT_ADDED)
                count -= edits->list[k].count;
        if (count && count == entries) return (int)kinds[i];
    }
    return -1;
}

// What one edit does to one list. True: it has changed.
static bool apply_edit(attached_list *a, int mesh, const st_edit *edit, size_t count) {
    const size_t width = a->bytes / sizeof(uint32_t); // of numbers

    // one entry for each
    if (mesh == ST_PER(edit->kind)) switch (edit->what) {
        case ST_EDIT_ADDED: return entries_added(a, edit);
        case ST_EDIT_REMOVED: return entries_removed(a, edit, count);
        case ST_EDIT_RENUMBERED: return entries_renumbered(a, edit);
        case ST_EDIT_MOVING:
        case ST_EDIT_MOVED: return false;
        }

    // numbers
    if (mesh == ST_INDICES(edit->kind)) switch (edit->what) {
        case ST_EDIT_ADDED:
            return edit->inherits && a->object->type->projection &&
                   numbers_inherited((st_uints *)(void *)a->list, edit);
        case ST_EDIT_REMOVED: return numbers_removed((st_uints *)(void *)a->list, width, edit, count);
        case ST_EDIT_RENUMBERED: return numbers_renumbered((st_uints *)(void *)a->list, width, edit);
        case ST_EDIT_MOVING:
        case ST_EDIT_MOVED: return false;
        }
    return false;
}

static bool apply_edits(attached_list *a, int mesh, const st_edits *edits) {
    bool changed = false;
    if (mesh == ST_PER_CELL) {
        const int kind = mesh_of(a->object, ST_EDGE) == edits->topology ? cell_kind(edits, a->list->count) : -1;
        if (kind < 0) return false;
        mesh = ST_PER(kind);
    }
    for (size_t i = 0; i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        if (mesh != ST_PER(edit->kind) && mesh != ST_INDICES(edit->kind)) continue;
        if (mesh_of(a->object, edit->kind) != edits->topology) continue;
        changed = apply_edit(a, mesh, edit, mesh_count(edits->topology, edit->kind)) || changed;
    }
    return changed;
}

// ---------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------

static const st_state *linked_state(const st_object *object, const char *name) {
    const int index = st_field_index(object, name);
    if (index < 0 || st_fields(object)[index]->type->syntax != ST_SYNTAX_LINK) return NULL;

    // before init the attribute may name a node
    const st_object *target = *(st_object **)st_member(object, st_fields(object)[index]);
    if (target && st_is_node(target)) target = st_node_mechanical((const st_node *)target).last;
    return target && target->type->state ? (const st_state *)target : NULL;
}

// The states whose points rows name.
static const st_state *first_state(const st_object *object) {
    if (st_field_index(object, "object1") >= 0) return linked_state(object, "object1");
    return (const st_state *)st_find_slot(object->node, ST_ROLE(state));
}

static const st_state *second_state(const st_object *object) {
    const st_state *state = linked_state(object, "object2");
    return state ? state : linked_state(object, "external_rest_shape");
}

typedef struct row_lists {
    attached_list lists[16];
    int mesh[16];
    size_t count;
} row_lists;

static void add_row_list(row_lists *rows, attached_list list, int mesh) {
    const bool row = (mesh >= ST_ROWS_OF_FIRST && mesh <= ST_ROWS) || mesh == ST_ROWS_OF_EDGES;
    if (!row || rows->count == sizeof rows->lists / sizeof *rows->lists) return;
    rows->lists[rows->count] = list;
    rows->mesh[rows->count++] = mesh;

    // numbers first: they say how many rows there are
    const size_t last = rows->count - 1;
    if (rows->mesh[0] == ST_ROWS && mesh != ST_ROWS) {
        rows->lists[last] = rows->lists[0], rows->mesh[last] = rows->mesh[0];
        rows->lists[0] = list, rows->mesh[0] = mesh;
    }
}

// The lists of the object that are made of rows.
static void find_rows(st_object *object, row_lists *rows) {
    for (uint32_t i = 0; i < st_field_count(object); i++) {
        const st_field *field = st_fields(object)[i];
        const attached_list list = {.object = object,
                                    .list = st_member(object, field),
                                    .bytes = st_scalar_size(field->type->scalar) * st_field_width(object, field->type)};
        if (field->type->list) add_row_list(rows, list, field->mesh);
    }

    st_attached_walk walk = {0};
    const st_attached *row;
    while ((row = st_attached_next(object, &walk))) {
        const attached_list list = {.object = object,
                                    .list = (st_any_list *)(void *)((char *)object + row->offset),
                                    .bytes = st_attached_bytes(object, row)};
        add_row_list(rows, list, row->mesh);
    }
}

// The new numbers of one row; false: one of its points is gone.
static bool renumber_row(const row_lists *rows, size_t row, const bool ends[3], const st_edits *edits) {
    bool stays = true;
    for (size_t k = 0; k < rows->count; k++) {
        const bool edges = rows->mesh[k] == ST_ROWS_OF_EDGES;
        const int end = edges ? 2 : rows->mesh[k] - ST_ROWS_OF_FIRST;
        st_uints *list = (st_uints *)(void *)rows->lists[k].list;
        if (rows->mesh[k] == ST_ROWS || !ends[end] || row >= list->count) continue;
        list->data[row] = st_edits_number(edits, edges ? ST_EDGE : ST_POINT, list->data[row]);
        stays = stays && list->data[row] != ST_INVALID_INDEX;
    }
    return stays;
}

// Where only second ends are given, the first ones are all points in their order: from now on they are written out.
static bool count_first_ends(const row_lists *rows) {
    st_uints *first = (st_uints *)(void *)rows->lists[0].list;
    size_t count = 0;
    for (size_t k = 0; k < rows->count; k++)
        if (rows->mesh[k] == ST_ROWS_OF_SECOND && rows->lists[k].list->count > count)
            count = rows->lists[k].list->count;
    if (first->count || !count || rows->mesh[0] != ST_ROWS_OF_FIRST) return true;

    if (!st_list_set_count(first, count, 1)) return false;
    for (size_t i = 0; i < count; i++) first->data[i] = (uint32_t)i;
    return true;
}

static void edit_rows(st_object *object, const st_edits *edits) {
    row_lists rows = {.count = 0};
    find_rows(object, &rows);
    if (rows.count == 0) return;
    const bool ends[3] = {st_edits_move_points(edits, first_state(object)),
                          st_edits_move_points(edits, second_state(object)),
                          rows.mesh[0] == ST_ROWS_OF_EDGES && mesh_of(object, ST_EDGE) == edits->topology};
    if (!ends[0] && !ends[1] && !ends[2]) return;

    if (!count_first_ends(&rows)) return;

    // rows that stay close up
    const size_t count = rows.lists[0].list->count;
    size_t kept = 0;
    for (size_t row = 0; row < count; row++) {
        if (!renumber_row(&rows, row, ends, edits)) continue;
        for (size_t k = 0; k < rows.count && kept != row; k++)
            if (rows.lists[k].list->count == count)
                memcpy(entry_of(&rows.lists[k], kept), entry_of(&rows.lists[k], row), rows.lists[k].bytes);
        kept++;
    }
    for (size_t k = rows.count; k-- > 0;)
        if (rows.lists[k].list->count == count) rows.lists[k].list->count = kept;
}

// ---------------------------------------------------------------------------------------------------
// Points of parents, and single numbers
// ---------------------------------------------------------------------------------------------------

// Entries that stay.
static bool edit_staying(const st_object *object, st_uints *list, int mesh, const st_edits *edits) {
    const object_list *parents = mapped_states(object, "input");
    const size_t width = mesh == ST_OF_PARENTS ? 2 : 1;
    const st_object *own = mesh == ST_STAYING_INDICES ? st_find_slot(object->node, ST_ROLE(state)) : NULL;
    bool changed = false;

    // a pair begins with the number of the parent
    for (size_t p = 0; p < (own ? 1 : parents->count); p++) {
        if (!st_edits_move_points(edits, (const st_state *)(own ? own : parents->data[p]))) continue;
        for (size_t i = width - 1; i < list->count; i += width) {
            if ((width == 2 ? list->data[i - 1] : 0) != p || list->data[i] == ST_INVALID_INDEX) continue;
            list->data[i] = st_edits_number(edits, ST_POINT, list->data[i]);
            changed = true;
        }
    }
    return changed;
}

// A single number has the bits of ST_INVALID_INDEX when it is gone, as a whole number with a sign as well.
static bool edit_value(const st_object *object, uint32_t *value, int mesh, const st_edits *edits) {
    const st_state *state = NULL;
    if (*value == ST_INVALID_INDEX) return false;
    if (mesh == ST_INDICES(ST_POINT)) state = (const st_state *)st_find_slot(object->node, ST_ROLE(state));
    else if (mesh == ST_ROWS_OF_FIRST) state = first_state(object);
    else if (mesh == ST_ROWS_OF_SECOND) state = second_state(object);
    else if (mesh == ST_OF_PARENT && mapped_states(object, "input")->count)
        state = (const st_state *)mapped_states(object, "input")->data[0];

    if (!state || !st_edits_move_points(edits, state)) return false;
    *value = st_edits_number(edits, ST_POINT, *value);
    return true;
}

static bool edit_field(st_object *object, const st_field *field, const st_edits *edits) {
    const bool number = field->type->scalar == ST_SCALAR_UINT || field->type->scalar == ST_SCALAR_INT;
    const bool staying = field->mesh >= ST_OF_PARENT && field->mesh <= ST_STAYING_INDICES;
    if (field->type->list && staying) return edit_staying(object, st_member(object, field), field->mesh, edits);
    if (!field->type->list && number && field->type->width == 1 && field->mesh != ST_WITH_MESH)
        return edit_value(object, st_member(object, field), field->mesh, edits);
    if (!field->type->list || (field->mesh >= ST_WITH_MESH && field->mesh != ST_PER_CELL)) return false;

    attached_list a = {.object = object,
                       .list = st_member(object, field),
                       .bytes = st_scalar_size(field->type->scalar) * st_field_width(object, field->type),
                       .make = field->make};
    return apply_edits(&a, field->mesh, edits);
}

static void edit_object(st_object *object, const st_edits *edits) {
    edit_rows(object, edits);
    for (uint32_t i = 0; i < st_field_count(object); i++) {
        const st_field *field = st_fields(object)[i];
        if (field->mesh <= 0) continue;
        const bool was_set = object->data[i].set;
        if (edit_field(object, field, edits)) {
            st_touch_index(object, i);
            object->data[i].set = was_set;
            object->data[i].seen = object->data[i].counter; // the user has not written it
        }
    }

    st_attached_walk walk = {0};
    const st_attached *row;
    while ((row = st_attached_next(object, &walk))) {
        attached_list a = {.object = object,
                           .list = (st_any_list *)(void *)((char *)object + row->offset),
                           .bytes = st_attached_bytes(object, row),
                           .make = row->make};
        if (row->mesh >= ST_OF_PARENT && row->mesh <= ST_STAYING_INDICES)
            edit_staying(object, (st_uints *)(void *)a.list, row->mesh, edits);
        else apply_edits(&a, row->mesh, edits);
    }
}

static void edit_node(const st_node *node, const st_edits *edits) {
    for (size_t i = 0; i < node->objects.count; i++) edit_object(node->objects.data[i], edits);
    for (size_t i = 0; i < node->children.count; i++) edit_node(node->children.data[i], edits);
}

// Mappings of a node before its other components.
static void call_hooks(const st_node *node, const st_edits *edits) {
    for (int mappings = 1; mappings >= 0; mappings--)
        for (size_t i = 0; i < node->objects.count; i++) {
            st_object *object = node->objects.data[i];
            if (!object->type->edited || object->validity != ST_VALID) continue;
            st_topological_mapping *mapping =
                st_is_a(object, &st_topological_mapping_class) ? (st_topological_mapping *)object : NULL;
            if ((mapping != NULL) != (mappings == 1)) continue;
            if (!mapping || mapping->input == &edits->topology->object) object->type->edited(object, edits);
            else if (mapping->output == &edits->topology->object) {
                if (mapping->output_edited) mapping->output_edited(mapping, edits);
                else st_topological_output_edited(mapping, edits);
            }
        }
    for (size_t i = 0; i < node->children.count; i++) call_hooks(node->children.data[i], edits);
}

void st_edits_carry(const st_edits *edits) {
    const st_node *root = edits->topology->object.scene->root;
    edit_node(root, edits);
    call_hooks(root, edits);
}

static void call_ended(const st_node *node, const st_topology *topology) {
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (object->validity != ST_VALID || !st_is_a(object, &st_topological_mapping_class)) continue;
        st_topological_mapping *mapping = (st_topological_mapping *)object;
        const bool concerned = mapping->input == &topology->object || mapping->output == &topology->object;
        if (mapping->ended && concerned) mapping->ended(mapping, topology);
    }
    for (size_t i = 0; i < node->children.count; i++) call_ended(node->children.data[i], topology);
}

void st_edits_ended(st_topology *topology) { call_ended(topology->object.scene->root, topology); }

// ---------------------------------------------------------------------------------------------------
// States
// ---------------------------------------------------------------------------------------------------

// The mean of rotations: each ancestor turns by its share of its angle, one after the other.
static void mean_rotation(st_real q[4], const st_real *from, size_t width, const st_edit *edit, size_t k) {
    q[0] = q[1] = q[2] = 0, q[3] = 1;
    for (uint32_t a = edit->starts[k]; a < edit->starts[k + 1]; a++) {
        const st_real *r = from + edit->ancestors[a] * width + 3;
        const st_real length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        if (!(length > (st_real)0.0005)) continue;

        const st_real half = acos(r[3]) * edit->weights[a], s = sin(half) / length;
        const st_real part[4] = {r[0] * s, r[1] * s, r[2] * s, cos(half)};
        st_real product[4];
        st_quat_multiply(product, part, q);
        const st_real norm =
            sqrt(product[0] * product[0] + product[1] * product[1] + product[2] * product[2] + product[3] * product[3]);
        for (int i = 0; i < 4; i++) q[i] = norm > 0 ? product[i] / norm : q[i];
    }
}

// One weighted sum of ancestors.
static void weighted_sum(st_real *to, const st_reals *list, size_t width, bool rigid_coord, const st_edit *edit,
                         size_t k) {
    const size_t sums = rigid_coord ? 3 : width;
    for (size_t i = 0; i < sums; i++) {
        st_real sum = 0;
        for (uint32_t a = edit->starts[k]; a < edit->starts[k + 1]; a++)
            sum += list->data[edit->ancestors[a] * width + i] * edit->weights[a];
        to[i] = sum;
    }
    if (rigid_coord) mean_rotation(to + 3, list->data, width, edit, k);
}

// New entries of one vector: weighted sums of their ancestors'.
static void interpolate(st_reals *list, size_t width, bool rigid_coord, size_t old, const st_edit *edit) {
    if (!edit->starts || list->count != old + edit->count) return;

    for (size_t k = 0; k < edit->count; k++) {
        st_real *to = list->data + (old + k) * width;
        bool known = edit->starts[k] < edit->starts[k + 1];
        for (uint32_t a = edit->starts[k]; a < edit->starts[k + 1]; a++) known = known && edit->ancestors[a] < old;
        if (known) weighted_sum(to, list, width, rigid_coord, edit, k);
    }
}

// Moved entries: all sums before the first one is written.
static void move_entries(st_reals *list, size_t width, bool rigid_coord, const st_edit *edit) {
    for (size_t i = 0; i < edit->count; i++)
        if (edit->ids[i] >= list->count) return;
    for (uint32_t a = edit->starts[0]; a < edit->starts[edit->count]; a++)
        if (edit->ancestors[a] >= list->count) return;
    st_real *moved = st_alloc(edit->count * width, sizeof *moved);
    if (!moved) return;

    for (size_t k = 0; k < edit->count; k++) weighted_sum(moved + k * width, list, width, rigid_coord, edit, k);
    for (size_t k = 0; k < edit->count; k++) st_copy_reals(list->data + edit->ids[k] * width, moved + k * width, width);
    st_free(moved);
}

static void shrink(st_reals *list, size_t width, size_t size, const st_edit *edit) {
    if (list->count != size) return;
    size_t last = size;
    for (size_t i = 0; i < edit->count; i++) {
        last--;
        if (edit->ids[i] != last) st_copy_reals(list->data + edit->ids[i] * width, list->data + last * width, width);
    }
}

static void reorder(st_reals *list, size_t width, const st_edit *edit) {
    st_real *copy = list->count == edit->count ? st_alloc(edit->count * width, sizeof *copy) : NULL;
    if (!copy) return;
    for (size_t i = 0; i < edit->count; i++) st_copy_reals(copy + i * width, list->data + edit->ids[i] * width, width);
    st_copy_reals(list->data, copy, edit->count * width);
    st_free(copy);
}

static void edit_vector(st_reals *list, size_t width, bool rigid_coord, size_t size, const st_edit *edit) {
    if (list->count == 0) return;
    switch (edit->what) {
    case ST_EDIT_ADDED: interpolate(list, width, rigid_coord, size, edit); break;
    case ST_EDIT_REMOVED: shrink(list, width, size, edit); break;
    case ST_EDIT_RENUMBERED: reorder(list, width, edit); break;
    case ST_EDIT_MOVING: break;
    case ST_EDIT_MOVED: move_entries(list, width, rigid_coord, edit); break;
    }
}

static void edit_vectors(st_state *state, size_t size, const st_edit *edit) {
    const st_dof *dof = st_state_dof(state);
    const bool rigid = dof->coord == 7;
    for (int i = 1; i < ST_COORD_DYNAMIC; i++) edit_vector(&state->coord[i], dof->coord, rigid, size, edit);
    for (int i = 1; i < ST_DERIV_DYNAMIC; i++) edit_vector(&state->deriv[i], dof->deriv, false, size, edit);
    for (size_t i = 0; i < state->more_coord.count; i++)
        edit_vector(&state->more_coord.data[i].values, dof->coord, rigid, size, edit);
    for (size_t i = 0; i < state->more_deriv.count; i++)
        edit_vector(&state->more_deriv.data[i].values, dof->deriv, false, size, edit);
}

static void edit_state(st_state *state, const st_edit *edit) {
    const size_t size = state->size;
    st_status status = ST_OK;

    // numbers that the state does not have: it has never been one of this mesh
    if (edit->what == ST_EDIT_REMOVED && (edit->count > size || edit->ids[0] >= size)) {
        st_message(&state->object, ST_ERROR, "point %u of the mesh is removed, but the state has only %zu DOFs",
                   edit->ids[0], size);
        return;
    }
    if (edit->what == ST_EDIT_ADDED) status = st_state_resize(state, size + edit->count);
    if (status == ST_OK) edit_vectors(state, size, edit);
    if (edit->what == ST_EDIT_REMOVED) status = st_state_resize(state, size - edit->count);
    if (status != ST_OK) st_message(&state->object, ST_ERROR, "out of memory: the state cannot follow its mesh");

    st_touch(&state->object, &state->coord[ST_COORD_POSITION]);
    st_touch(&state->object, &state->coord[ST_COORD_REST]);
    st_touch(&state->object, &state->deriv[ST_DERIV_VELOCITY]);
}

// DOFs beyond the last point that an element uses are points, too: both count the same from now on.
static size_t largest_state(const st_node *node, const st_topology *topology) {
    size_t largest = 0;
    for (size_t i = 0; i < node->objects.count; i++) {
        const st_object *object = node->objects.data[i];
        if (!object->type->state || !((const st_state *)object)->mechanical) continue;
        const st_state *state = (const st_state *)object;
        if (state_topology(state) == topology && state->size > largest) largest = state->size;
    }
    for (size_t i = 0; i < node->children.count; i++) {
        const size_t below = largest_state(node->children.data[i], topology);
        if (below > largest) largest = below;
    }
    return largest;
}

void st_edits_fit_points(st_topology *topology) {
    const size_t largest = largest_state(topology->object.scene->root, topology);
    if (largest > st_topology_points(topology)) st_container_set_points(topology, largest);
}

// A position that follows a link would be written over with the former points.
static void unlink_vectors(st_state *state) {
    for (int i = 1; i < ST_COORD_DYNAMIC; i++) st_unlink_field(&state->object, &state->coord[i]);
    for (int i = 1; i < ST_DERIV_DYNAMIC; i++) st_unlink_field(&state->object, &state->deriv[i]);
}

static void edit_states(const st_node *node, const st_edits *edits) {
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (!object->type->state || !((st_state *)object)->mechanical) continue;
        if (state_topology((st_state *)object) != edits->topology) continue;
        unlink_vectors((st_state *)object);
        for (size_t k = 0; k < edits->count; k++) edit_state((st_state *)object, &edits->list[k]);
    }
    for (size_t i = 0; i < node->children.count; i++) edit_states(node->children.data[i], edits);
}

void st_edits_carry_to_states(const st_edits *edits) { edit_states(edits->topology->object.scene->root, edits); }
