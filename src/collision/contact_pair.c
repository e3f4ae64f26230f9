// One pair of models in contact: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/contact_pair.h"

#include "collision/contact_mappings.h"
#include "math/vec3.h"
#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// Mappers
// ---------------------------------------------------------------------------------------------------

static const st_contact_carrier *carrier_of(const st_collision_model *model) {
    const st_collision_model_ops *ops = st_model_ops(model);
    return st_state_dof(model->state)->rigid ? ops->rigid_carrier : ops->carrier;
}

// A component that code adds while the scene runs: it is complete without an init.
static st_object *add_object(st_node *node, const st_class *type, const char *template_name, const st_dof *dof,
                             const char *name) {
    st_object *object = type ? st_object_create(node->object.scene, node, type, dof, template_name) : NULL;
    if (!object) return NULL;

    object->name = st_string_copy(name);
    object->validity = ST_VALID;

    if (object->name && st_node_insert(node, object, false) == ST_OK) return object;
    st_object_destroy(object);
    return NULL;
}

// A Vec3 state and the mapping that computes it.
static bool fill_node(st_contact_mapper *mapper, const st_contact_carrier *carrier) {
    st_scene *scene = mapper->model->object.scene;
    st_state *parent = mapper->model->state;

    mapper->state = (st_state *)add_object(mapper->node, st_registry_find(scene, "MechanicalObject"), "Vec3", &st_vec3,
                                           "contactPoints");
    mapper->mapping = (st_mapping *)add_object(mapper->node, st_registry_find(scene, carrier->class_name),
                                               carrier->template_name, &st_vec3, "mapping");

    if (!mapper->state || !mapper->mapping) return false;
    mapper->state->mapping = &mapper->mapping->object;
    mapper->state->mapped = mapper->state->transient = true;
    mapper->mapping->input.count = mapper->mapping->output.count = 0;

    return st_list_push(&mapper->mapping->input, &parent->object) &&
           st_list_push(&mapper->mapping->output, &mapper->state->object) && st_state_resize(mapper->state, 0) == ST_OK;
}

// A node that is not in the graph yet; all of it, or nothing.
static bool make_node(st_contact_mapper *mapper, const st_node *home, const st_contact_carrier *carrier,
                      const char *name) {
    st_node *node = mapper->node = st_node_create(home->object.scene, NULL, name);
    if (!node) return false;

    node->object.validity = ST_VALID;
    node->object.record->passing = true;
    node->object.file = home->object.file;
    node->object.line = home->object.line;

    if (fill_node(mapper, carrier)) return true;
    st_node_destroy(node);
    *mapper = (st_contact_mapper){.model = mapper->model};
    return false;
}

// Nodes of frames hang on the state's node, others on the model's.
static st_node *home_of(const st_contact_mapper *mapper) {
    const st_collision_model *model = mapper->model;
    return st_state_dof(model->state)->rigid ? model->state->object.node : model->object.node;
}

static bool wake_mapper(st_contact_mapper *mapper, const char *name) {
    const st_contact_carrier *carrier = carrier_of(mapper->model);
    mapper->count = 0;
    if (!carrier) {
        mapper->state = mapper->model->state;
        return true;
    }

    st_node *home = home_of(mapper);
    if (!mapper->node && !make_node(mapper, home, carrier, name)) return false;
    if (st_node_put_child(home, mapper->node) != ST_OK) return false;

    mapper->parent = home;

    // what a step that failed may have left
    mapper->state->deriv[ST_DERIV_EXTERNAL].count = 0;
    return true;
}

static void sleep_mapper(st_contact_mapper *mapper) {
    if (mapper->parent) st_node_take_child(mapper->parent, mapper->node);
    mapper->parent = NULL;
}

// ---------------------------------------------------------------------------------------------------
// Life
// ---------------------------------------------------------------------------------------------------

st_contact_pair *st_contact_pair_create(st_collision_model *first, st_collision_model *second) {
    st_contact_pair *pair = st_alloc(1, sizeof *pair);
    if (!pair) return NULL;
    pair->pair.key = (st_pair_key){first, second};
    pair->model[0] = pair->mapper[0].model = first;
    pair->model[1] = pair->mapper[1].model = second;
    return pair;
}

// Programs may hold the response: the scene keeps it until it ends, as it keeps what was removed.
void st_contact_pair_drop_response(st_contact_pair *pair) {
    st_object *response = pair->node ? NULL : pair->response;
    if (response && st_list_push(&response->scene->removed, response)) response->record->removed = true;
    else st_object_destroy(response);
    pair->response = NULL;
    st_free(pair->recipe);
    pair->recipe = NULL;
}

void st_contact_pair_destroy(st_contact_pair *pair) {
    if (!pair->node) st_object_destroy(pair->response);
    st_free(pair->recipe);

    for (int side = 0; side < 2; side++)
        if (!pair->mapper[side].parent) st_node_destroy(pair->mapper[side].node);

    st_list_free(&pair->elements);
    st_list_free(&pair->kept);
    st_list_free(&pair->table);
    st_list_free(&pair->chain);
    st_free(pair);
}

// Names that the response does not have are ignored; values that cannot be read are reported.
static st_status apply_parameter(st_object *response, const char *text, size_t name, size_t length) {
    char *field = st_string_copy_n(text, name), *value = st_string_copy_n(text + name + 1, length - name - 1);
    const st_status status = field && value ? st_object_apply(response, field, value) : ST_OUT_OF_MEMORY;
    if (status == ST_NOT_FOUND) st_message(response, ST_INFO, "it has no parameter called '%.120s'", field);
    st_free(field);
    st_free(value);
    return status;
}

static bool apply_parameters(st_object *response, const char *text) {
    bool ok = true;
    for (const char *at = text; ok && at && *at;) {
        const size_t length = strcspn(at, "&?"), name = strcspn(at, "=");
        if (name < length) ok = apply_parameter(response, at, name, length) != ST_OUT_OF_MEMORY;
        at += length + (at[length] != '\0');
    }
    return ok;
}

static const char *name_of(const st_collision_model *model) { return model->object.name ? model->object.name : ""; }

static st_status make_response(st_contact_pair *pair, const st_class *type, const char *recipe, const char *parameters,
                               const char *name) {
    if (pair->response && strcmp(pair->recipe, recipe) == 0) return ST_OK;

    st_contact_pair_drop_response(pair);

    // another response than it had: from scratch
    pair->recipe = st_string_copy(recipe);
    st_scene *scene = pair->model[0]->object.scene;
    pair->response = st_object_create(scene, pair->model[0]->object.node, type, &st_vec3, "Vec3");

    if (pair->recipe && pair->response && (pair->response->name = st_string_copy(name)) &&
        apply_parameters(pair->response, parameters)) {
        pair->response->validity = ST_VALID;
        pair->response->record->passing = true;
        return ST_OK;
    }

    st_contact_pair_drop_response(pair);
    return ST_OUT_OF_MEMORY;
}

st_status st_contact_pair_wake(st_contact_pair *pair, const st_class *response, const char *recipe,
                               const char *parameters) {
    char *name = st_string_format("%s-%s", name_of(pair->model[0]), name_of(pair->model[1]));

    // the response, then nodes of contact points on both sides
    st_status status = name ? make_response(pair, response, recipe, parameters, name) : ST_OUT_OF_MEMORY;
    for (int side = 0; status == ST_OK && side < 2 && !response->response->of_rays; side++)
        if (!wake_mapper(&pair->mapper[side], name)) status = ST_OUT_OF_MEMORY;

    st_free(name);
    if (status == ST_OK) response->response->connect(pair);
    else st_contact_pair_sleep(pair);
    return status;
}

void st_contact_pair_sleep(st_contact_pair *pair) {
    if (pair->node) st_node_take(pair->node, pair->response);
    pair->node = NULL;
    for (int side = 0; side < 2; side++) sleep_mapper(&pair->mapper[side]);
}

// ---------------------------------------------------------------------------------------------------
// Filling
// ---------------------------------------------------------------------------------------------------

bool st_contact_pair_begin(st_contact_pair *pair) {
    bool ok = true;
    pair->elements.count = 0;
    for (int side = 0; side < 2; side++) {
        st_contact_mapper *mapper = &pair->mapper[side];
        mapper->count = 0;
        if (mapper->mapping) ok = carrier_of(mapper->model)->begin(mapper->mapping) && ok;
    }
    return ok;
}

uint32_t st_contact_pair_add(st_contact_pair *pair, int side, size_t element, const st_real point[3]) {
    st_contact_mapper *mapper = &pair->mapper[side];
    if (!st_list_push(&pair->elements, (uint32_t)element)) return ST_INVALID_INDEX;
    if (!mapper->mapping) return (uint32_t)element;
    if (!st_model_ops(mapper->model)->carry(mapper->model, mapper->mapping, element, point)) return ST_INVALID_INDEX;
    return (uint32_t)mapper->count++;
}

// Further vectors, of which a scene can have many, have this size as well then.
static bool has_size(const st_state *state, size_t count) {
    return state->size == count && state->coord[ST_COORD_POSITION].count == count &&
           state->deriv[ST_DERIV_VELOCITY].count == count && state->deriv[ST_DERIV_FORCE].count == count;
}

bool st_contact_pair_end(st_contact_pair *pair) {
    for (int side = 0; side < 2; side++) {
        const st_contact_mapper *mapper = &pair->mapper[side];
        if (!mapper->mapping) continue;

        const st_contact_carrier *carrier = carrier_of(mapper->model);
        if (carrier->finish && !carrier->finish(mapper->mapping)) return false;
        if (!has_size(mapper->state, mapper->count) && st_state_resize(mapper->state, mapper->count) != ST_OK)
            return false;

        // places and velocities of the contact points
        mapper->mapping->object.type->mapping->apply(mapper->mapping, ST_POSITION, st_read_coord(ST_POSITION));
        st_mapping_apply_j(mapper->mapping, ST_VELOCITY, st_read_deriv(ST_VELOCITY));
    }
    return true;
}

bool st_contact_pair_move_freely(st_contact_pair *pair) {
    for (int side = 0; side < 2; side++) {
        const st_contact_mapper *mapper = &pair->mapper[side];
        const st_state *parent = mapper->model->state;
        if (!mapper->mapping || parent->coord[ST_COORD_FREE].count != parent->size ||
            parent->deriv[ST_DERIV_FREE].count != parent->size)
            continue;

        if (!st_state_make_coord(mapper->state, ST_FREE_POSITION) ||
            !st_state_make_deriv(mapper->state, ST_FREE_VELOCITY))
            return false;

        mapper->mapping->object.type->mapping->apply(mapper->mapping, ST_FREE_POSITION,
                                                     st_read_coord(ST_FREE_POSITION));
        st_mapping_apply_j(mapper->mapping, ST_FREE_VELOCITY, st_read_deriv(ST_FREE_VELOCITY));
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Which detections become contacts
// ---------------------------------------------------------------------------------------------------

// A table with open addressing: the best detection of each id so far, counted from 1.
static uint32_t *contact_pair_place_of(const st_contact_pair *pair, const st_detections *found, int64_t id) {
    const size_t mask = pair->table.count - 1;
    size_t at = ((uint64_t)id * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (pair->table.data[at] && found->list.data[pair->table.data[at] - 1].id != id) at = (at + 1) & mask;
    return &pair->table.data[at];
}

bool st_contact_pair_keep_nearest(st_contact_pair *pair, const st_detections *found) {
    const st_detection *list = found->list.data;
    size_t slots = 16;
    while (slots < 2 * found->list.count) slots *= 2;

    pair->kept.count = pair->table.count = 0; // new ones are zero
    if (!st_list_set_count(&pair->table, slots, 1) || !st_list_reserve(&pair->kept, found->list.count, 1)) return false;

    // the nearest of each id
    for (size_t i = 0; i < found->list.count; i++) {
        uint32_t *best = contact_pair_place_of(pair, found, list[i].id);
        if (!*best || list[i].value < list[*best - 1].value) *best = (uint32_t)(i + 1);
    }

    // in the order of detection
    for (size_t i = 0; i < found->list.count; i++)
        if (*contact_pair_place_of(pair, found, list[i].id) == i + 1) pair->kept.data[pair->kept.count++] = (uint32_t)i;
    return true;
}

// --- detections at the same place
//
// Whether one lies near an earlier one is looked up in a hash of cells as wide as the distance: in the cell of its
// first point and the 26 around. A cell is a chain of detections, the last one first.

static const st_real same_place2 = ST_R(9.99999993922529e-09); // squared; SOFA's 1e-8 in single precision
static const double cells_per_unit = 1e4;

static int64_t cell_along(st_real x) {
    const double far = 4e18, cell = floor((double)x * cells_per_unit);
    if (!(cell > -far)) return (int64_t)-far; // numbers that are none, too
    return cell < far ? (int64_t)cell : (int64_t)far;
}

static size_t slot_of(const st_contact_pair *pair, const int64_t cell[3]) {
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++) hash = (hash ^ (uint64_t)cell[k]) * 0x9E3779B97F4A7C15u;
    return (hash >> 32) & (pair->table.count - 1);
}

static bool is_at_same_place(const st_detection *a, const st_detection *b) {
    st_real sum = 0;
    for (int side = 0; side < 2; side++) {
        st_real d[3];
        st_vec3_sub(d, a->point[side], b->point[side]);
        sum += st_vec3_norm2(d);
    }

    return sum < same_place2;
}

static bool repeats_earlier(const st_contact_pair *pair, const st_detections *found, const st_detection *d) {
    int64_t middle[3];
    for (int k = 0; k < 3; k++) middle[k] = cell_along(d->point[0][k]);

    for (int n = 0; n < 27; n++) {
        const int64_t cell[3] = {middle[0] + n % 3 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n / 9 - 1};
        for (uint32_t at = pair->table.data[slot_of(pair, cell)]; at; at = pair->chain.data[at - 1])
            if (is_at_same_place(d, &found->list.data[at - 1])) return true;
    }
    return false;
}

bool st_contact_pair_keep_distinct(st_contact_pair *pair, const st_detections *found, bool all) {
    size_t slots = 16;
    while (slots < 2 * found->list.count) slots *= 2;
    pair->kept.count = pair->table.count = 0; // new ones are zero
    if (!st_list_set_count(&pair->table, slots, 1) || !st_list_reserve(&pair->kept, found->list.count, 1) ||
        !st_list_set_count(&pair->chain, found->list.count, 1))
        return false;

    for (size_t i = 0; i < found->list.count; i++) {
        const st_detection *d = &found->list.data[i];
        const bool repeated = repeats_earlier(pair, found, d);
        if (!repeated) pair->kept.data[pair->kept.count++] = (uint32_t)i;
        if (repeated && !all) continue;

        const int64_t cell[3] = {cell_along(d->point[0][0]), cell_along(d->point[0][1]), cell_along(d->point[0][2])};
        uint32_t *first = &pair->table.data[slot_of(pair, cell)];
        pair->chain.data[i] = *first;
        *first = (uint32_t)(i + 1);
    }
    return true;
}
