// The base of collision models: what every one has, which of them may touch, and their boxes.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/collision.h"
#include "scene/compat.h"
#include "settee/plugin/change.h"
#include "topology/topology.h"

// ---------------------------------------------------------------------------------------------------
// Boxes
// ---------------------------------------------------------------------------------------------------

// Where a corner will be at the end of the step.
static void add_end(st_box *box, const st_collision_model *model, size_t dof) {
    const st_state *s = model->state;
    const st_reals *x = &s->coord[ST_COORD_POSITION], *free = &s->coord[ST_COORD_FREE];
    const st_reals *v = &s->deriv[ST_DERIV_VELOCITY];
    const size_t coord = st_state_dof(s)->coord, deriv = st_state_dof(s)->deriv;

    if (model->sweep == ST_SWEEP_FREE) {
        if (free->count == s->size) st_box_add(box, free->data + dof * coord);
        return;
    }

    if (v->count != s->size) return;

    st_real end[3];
    for (size_t k = 0; k < 3; k++)
        end[k] = x->data[dof * coord + k] + v->data[dof * deriv + k] * model->object.node->dt;
    st_box_add(box, end);
}

// The corners, and around them the radius and the skin.
static st_box box_of(const st_collision_model *model, size_t i, int corners) {
    const st_collision_model_ops *ops = st_model_ops(model);
    const st_real *x = model->state->coord[ST_COORD_POSITION].data;
    const size_t coord = st_state_dof(model->state)->coord;

    st_box box;
    st_box_clear(&box);
    for (int k = 0; k < corners; k++) {
        const size_t dof = corners == 1 ? i : model->vertices.data[i * (size_t)corners + (size_t)k];
        st_box_add(&box, x + dof * coord);
        if (model->sweep != ST_SWEEP_NONE) add_end(&box, model, dof);
    }
    st_box_grow(&box, (ops->radius ? ops->radius(model, i) : 0) + model->contact_distance);
    return box;
}

// Without a sweep and a radius of its own, the box of an element is that of its corners. Rays have no state.
static bool has_corner_boxes(const st_collision_model *model) {
    return model->state && model->sweep == ST_SWEEP_NONE && !st_model_ops(model)->box && !st_model_ops(model)->radius;
}

static st_tree_corners corners_of(const st_collision_model *model) {
    return (st_tree_corners){.positions = model->state->coord[ST_COORD_POSITION].data,
                             .stride = st_state_dof(model->state)->coord,
                             .vertices = model->corners == 1 ? NULL : model->vertices.data,
                             .corners = model->corners,
                             .margin = model->contact_distance};
}

static void boxes_of(const void *context, const uint32_t *elements, size_t count, st_box *boxes) {
    const st_collision_model *model = context;

    if (has_corner_boxes(model)) {
        const st_tree_corners corners = corners_of(model);
        ST_BEST_KERNELS(st_tree_kernels, NULL)->boxes(&corners, elements, count, boxes);
        return;
    }

    for (size_t n = 0; n < count; n++) {
        const size_t i = elements ? elements[n] : n;
        if (st_model_ops(model)->box) st_model_ops(model)->box(model, i, &boxes[n]);
        else boxes[n] = box_of(model, i, model->corners);
    }
}

size_t st_collision_model_dofs(const st_collision_model *model) {
    const st_state *state = model->state;
    return state && state->coord[ST_COORD_POSITION].count == state->size ? state->size : 0;
}

void st_collision_model_take(st_collision_model *model) {
    const size_t scalars = model->fresh.count;
    const bool same = scalars == model->vertices.count &&
                      (!scalars || memcmp(model->fresh.data, model->vertices.data, scalars * sizeof(uint32_t)) == 0);

    model->count = scalars / (size_t)model->corners;
    if (same) return;

    const st_uints old = model->vertices;
    model->vertices = model->fresh;
    model->fresh = old;
    model->rebuilt = true;
}

enum { MANY = 64 }; // elements of a model whose boxes are computed where they are needed

static bool collect_corners(st_collision_model *model) {
    if (!model->moving || !has_corner_boxes(model) || model->count < MANY) return true;
    const st_tree_corners corners = corners_of(model);
    return st_bounding_tree_collect(&model->tree, &corners);
}

// What is half done is done again the next time.
static st_status collision_model_out_of_memory(st_collision_model *model) {
    model->tree.built = false;
    st_message(&model->object, ST_ERROR, "out of memory: %zu elements and their boxes", model->count);
    return ST_OUT_OF_MEMORY;
}

static void take_dofs(st_collision_model *model) {
    const size_t count = st_collision_model_dofs(model);
    model->rebuilt = count != model->count;
    model->count = count;
}

// A model that does not move keeps its boxes until its elements change.
st_status st_collision_model_begin(st_collision_model *model, size_t depth, st_sweep_kind sweep) {
    const st_collision_model_ops *ops = st_model_ops(model);
    model->rebuilt = false;
    model->sweep = sweep;
    model->update = ST_BOXES_KEPT;

    // elements
    if (!ops->refresh) take_dofs(model);
    else if (!ops->refresh(model)) return collision_model_out_of_memory(model);

    st_bounding_tree *tree = &model->tree;
    if (model->flat) depth = 0;
    tree->ties = sweep == ST_SWEEP_NONE                                    ? ST_TIES_KEPT
                 : st_compat_on(model->object.scene, ST_COMPAT_SWEPT_TIES) ? ST_TIES_SHUFFLED
                                                                           : ST_TIES_BY_ELEMENT;

    // boxes: a tree that is made from scratch, or boxes that follow
    if (!tree->built || tree->depth != depth || model->rebuilt) {
        if (!st_bounding_tree_build(tree, model->count, depth, boxes_of, model))
            return collision_model_out_of_memory(model);
        if (!collect_corners(model)) return collision_model_out_of_memory(model);
        model->update = ST_BOXES_BUILT;
    } else if (model->moving || tree->points.count > 0) {
        model->update = ST_BOXES_FOLLOW; // the last time, too: boxes of elements are behind
    }
    return ST_OK;
}

void st_collision_model_follow(st_collision_model *model) {
    if (model->update != ST_BOXES_FOLLOW) return;
    if (model->tree.points.count == 0 || !model->moving || !has_corner_boxes(model)) {
        model->tree.points.count = 0;
        st_bounding_tree_refresh(&model->tree, boxes_of, model);
        return;
    }

    const st_tree_corners corners = corners_of(model);
    st_bounding_tree_refresh_cells(&model->tree, &corners);
}

void st_collision_model_fill(st_collision_model *model) {
    const st_tree_corners corners = corners_of(model);
    st_bounding_tree_fill(&model->tree, &corners);
}

st_status st_collision_model_end(st_collision_model *model) {
    const st_collision_model_ops *ops = st_model_ops(model);
    if (model->update == ST_BOXES_KEPT || !ops->moved || ops->moved(model)) return ST_OK;
    return collision_model_out_of_memory(model);
}

// ---------------------------------------------------------------------------------------------------
// Who may touch whom
// ---------------------------------------------------------------------------------------------------

bool st_collision_model_is_active(const st_collision_model *model) {
    if (!model->active || model->object.validity != ST_VALID) return false;
    for (const st_node *node = model->object.node; node; node = node->parent)
        if (!node->activated) return false;
    return true;
}

static bool share_group(const st_collision_model *a, const st_collision_model *b) {
    for (size_t i = 0; i < a->group.count; i++)
        for (size_t k = 0; k < b->group.count; k++)
            if (a->group.data[i] == b->group.data[k]) return true;
    return false;
}

// Models of one node are one object: triangles, lines and points of the same surface.
bool st_models_can_collide(const st_collision_model *a, const st_collision_model *b) {
    if (a->object.node == b->object.node) return a->self_collision && b->self_collision;
    return !share_group(a, b);
}

static bool own_test(const st_collision_model *a, size_t i, const st_collision_model *b, size_t j) {
    const st_collision_model_ops *ops = st_model_ops(a);
    return !a->self_collision || !ops->may_touch || ops->may_touch(a, i, b, j);
}

bool st_elements_may_touch(const st_collision_model *a, size_t i, const st_collision_model *b, size_t j) {
    if (a->object.node != b->object.node) return true;
    return (a != b || i < j) && own_test(a, i, b, j);
}

// ---------------------------------------------------------------------------------------------------
// Class
// ---------------------------------------------------------------------------------------------------

// A state that comes later in the scene is found at init.
static bool collision_model_accepts(st_object *object) {
    const st_object *state = st_find_slot(object->node, ST_ROLE(state));
    if (!state || state->dof == object->dof) return true;
    return st_refuse(object, "the state '%s' is of type %s", state->name ? state->name : "",
                     state->dof ? state->dof->name : "(none)");
}

static st_status collision_model_init(st_object *object) {
    st_collision_model *model = (st_collision_model *)object;
    model->corners = 1;
    if (!(model->contact_distance >= 0))
        return st_invalid(object, "contactDistance is %g: it cannot be negative", (double)model->contact_distance);

    model->state = (st_state *)st_find_slot(object->node, ST_ROLE(state));
    if (model->state && model->state->object.dof == object->dof) return ST_OK;
    return st_invalid(object, "there is no mechanical state of type %s in its node or above: it touches nothing",
                      object->dof ? object->dof->name : "(none)");
}

// Trees are built from the positions of the first detection.
static void collision_model_reset(st_object *object) { ((st_collision_model *)object)->tree.built = false; }

static void collision_model_destroy(st_object *object) {
    st_collision_model *model = (st_collision_model *)object;
    st_list_free(&model->vertices);
    st_list_free(&model->fresh);
    st_bounding_tree_free(&model->tree);
}

static const st_field fields[] = {
    ST_FIELD(st_collision_model, active, "active", st_type_bool, "1", "false: it touches nothing"),
    ST_FIELD(st_collision_model, moving, "moving", st_type_bool, "1",
             "false: its boxes are computed once, for obstacles that do not move"),
    ST_FIELD(st_collision_model, simulated, "simulated", st_type_bool, "1",
             "false: an obstacle; two of them do not touch, and responses are in the node of the other object"),
    ST_FIELD(st_collision_model, self_collision, "selfCollision", st_type_bool, "0",
             "it may touch itself and the other models of its node"),
    ST_FIELD(st_collision_model, contact_distance, "contactDistance", st_type_real, "0",
             "skin, added to the distances of the intersection method", .aliases = "proximity"),
    ST_FIELD(st_collision_model, contact_stiffness, "contactStiffness", st_type_real, "10",
             "factor of the stiffness of penalty contacts"),
    ST_FIELD(st_collision_model, contact_friction, "contactFriction", st_type_real, "0",
             "for responses with friction, of which there is none", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_collision_model, contact_restitution, "contactRestitution", st_type_real, "0", "used by no response",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_collision_model, contact_response, "contactResponse", st_type_string, NULL,
             "response for this model instead of the contact manager's, with its parameters: name?a=1&b=2"),
    ST_FIELD(st_collision_model, group, "group", st_type_ints, NULL, "models that share a number do not touch",
             .mesh = ST_NO_INDEX),
    ST_FIELD(st_collision_model, color, "color", st_type_color, "1 0 0 1", "color", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(st_collision_model, contacts, "numberOfContacts", st_type_uint, "0",
             "pairs of models with a response that it takes part in", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_collision_model, filter, "collisionElementActiver", st_type_link, NULL,
             "component that leaves out elements; there is none", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

const st_class st_collision_model_class = {
    .name = "CollisionModel",
    .help = "what every collision model has",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_collision_model),
    .flags = ST_CLASS_ABSTRACT,
    .accepts = collision_model_accepts,
    .init = collision_model_init,
    .reset = collision_model_reset,
    .destroy = collision_model_destroy,
};

// ---------------------------------------------------------------------------------------------------
// Models over a topology
// ---------------------------------------------------------------------------------------------------

static const st_field mesh_fields[] = {
    ST_FIELD(st_collision_model, both_sides, "bothSide", st_type_bool, "0",
             "LocalMinDistance finds contacts on both sides; other methods always do"),
    ST_FIELD(st_collision_model, topology, "topology", st_type_link, NULL,
             "the mesh, which points do not need; that of the node, else the nearest upwards, when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

static st_status collision_model_mesh_init(st_object *object) {
    st_collision_model *model = (st_collision_model *)object;
    const st_status status = collision_model_init(object);
    if (status == ST_OK) model->topology = (st_object *)st_context_topology(object->node, model->topology);
    return status;
}

const st_class st_mesh_collision_model_class = {
    .name = "MeshCollisionModel",
    .help = "what collision models over a mesh have",
    .parent = &st_collision_model_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = mesh_fields,
    .size = sizeof(st_collision_model),
    .flags = ST_CLASS_ABSTRACT,
    .init = collision_model_mesh_init,
};
