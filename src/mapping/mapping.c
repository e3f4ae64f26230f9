// The base of mappings: the states they connect, and what every mapping does at init.
//
// A mapping computes the positions p of a child state from those of its parent, p = J(q). Velocities follow by its
// Jacobian, v_p = J v_q, and forces go the other way, f_q += J^T f_p.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/states.h"

// ---------------------------------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------------------------------

// The state that the attribute (or its default) leads to; NULL after a refusal. No type: any state will do.
static st_object *find_state(st_object *object, const char *attribute, const char *standard, const st_dof *type) {
    const char *path = st_attribute(object, attribute);

    // without the attribute: the parent's node, or the node itself
    if (!path || !*path) path = standard;

    st_object *found = st_find_path(object->node, path, ST_ROLE(state));

    // a path must lead to exactly one state
    if (!found) {
        st_refuse(object, "%s=\"%.120s\" leads to no state, or to several", attribute, path);
    } else if (type && found->dof != type) {
        st_refuse(object, "%s=\"%.120s\" is a state of type %s", attribute, path,
                  found->dof ? found->dof->name : "(none)");
        found = NULL;
    }

    return found;
}

// Links are tried when the component is made: states that come later in the scene are not found. What is found is kept,
// so that a mapping without these attributes has its states, too.
static bool mapping_accepts(st_object *object) {
    st_mapping *mapping = (st_mapping *)object;
    const st_dof *types[2] = {NULL, NULL};

    if (object->template_ && !st_mapping_read_types(object->template_, 2, types))
        return st_refuse(object, "its template must be of the form In,Out");

    // the parent first: without it the child is not looked for
    st_object *in = find_state(object, "input", "@../", types[0]);
    st_object *out = in ? find_state(object, "output", "@./", types[1]) : NULL;
    if (!out) return false;

    if (in == out)
        return st_refuse(object,
                         "input and output are the same state '%s': the mapping's node needs a state of its own",
                         in->name ? in->name : "");

    mapping->input.count = mapping->output.count = 0;
    return st_list_push(&mapping->input, in) && st_list_push(&mapping->output, out);
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// Forces cannot come from a state that has none.
static void clear_flags_of_visual(st_mapping *mapping) {
    for (size_t i = 0; i < mapping->output.count; i++)
        if (!((const st_state *)mapping->output.data[i])->mechanical)
            mapping->map_forces = mapping->map_constraints = mapping->map_masses = false;
}

static st_status apply_rest(st_mapping *mapping) {
    for (size_t i = 0; i < mapping->output.count; i++) {
        st_state *out = (st_state *)mapping->output.data[i];
        if (!st_state_make_coord(out, ST_REST_POSITION)) return ST_OUT_OF_MEMORY;
    }

    mapping->object.type->mapping->apply(mapping, ST_REST_POSITION, st_read_coord(ST_REST_POSITION));
    return ST_OK;
}

// The first output that is named once more; NULL: none.
static const st_object *repeated_output(const st_mapping *mapping) {
    for (size_t i = 0; i < mapping->output.count; i++)
        for (size_t k = 0; k < i; k++)
            if (mapping->output.data[i] == mapping->output.data[k]) return mapping->output.data[i];
    return NULL;
}

// A state is computed by one mapping: the last one. (Two in one node are reported by the scene.)
static void take_outputs(st_mapping *mapping) {
    for (size_t i = 0; i < mapping->output.count; i++) {
        st_state *out = (st_state *)mapping->output.data[i];
        st_object *former = out->mapping;

        // a former mapping in another node has no effect any more, which is an error of the scene
        out->mapping = &mapping->object;
        if (!former || former == &mapping->object || former->node == mapping->object.node || !st_is_valid(former))
            continue;

        st_invalid(former, "its output '%s' is computed by '%s', too, which comes later: this one has no effect",
                   out->object.name ? out->object.name : "", mapping->object.name ? mapping->object.name : "");
    }
}

st_status st_mapping_init(st_object *object) {
    st_mapping *mapping = (st_mapping *)object;
    const st_mapping_ops *ops = object->type->mapping;

    if (!st_mapping_has_states(mapping)) return st_invalid(object, "input or output is missing: it has no effect");
    if (!ops->jacobian) return st_invalid(object, "its class does not describe J: it has no effect");

    const st_object *twice = repeated_output(mapping);
    if (twice)
        return st_invalid(object, "output names the state '%s' twice: it has no effect",
                          twice->name ? twice->name : "");

    clear_flags_of_visual(mapping);

    take_outputs(mapping);

    // positions, velocities and, on request, rest positions of the children
    ops->apply(mapping, ST_POSITION, st_read_coord(ST_POSITION));
    st_mapping_apply_j(mapping, ST_VELOCITY, st_read_deriv(ST_VELOCITY));
    const st_status status = mapping->apply_rest_position ? apply_rest(mapping) : ST_OK;

    for (size_t i = 0; i < mapping->output.count; i++) {
        st_state *out = (st_state *)mapping->output.data[i];
        st_touch(&out->object, &out->coord[ST_COORD_POSITION]);
        st_touch(&out->object, &out->deriv[ST_DERIV_VELOCITY]);
        if (mapping->apply_rest_position) st_touch(&out->object, &out->coord[ST_COORD_REST]);
    }

    return status;
}

// ---------------------------------------------------------------------------------------------------
// Class
// ---------------------------------------------------------------------------------------------------

static const st_field fields[] = {
    ST_FIELD(st_mapping, input, "input", st_type_links, "@../", "the parent state, or a node that holds it",
             .role = ST_ROLE(state)),
    ST_FIELD(st_mapping, output, "output", st_type_links, "@./", "the child state, or a node that holds it",
             .role = ST_ROLE(state)),
    ST_FIELD(st_mapping, map_forces, "mapForces", st_type_bool, "1",
             "the child's forces act on the parent; when not, products with matrices leave out what lies below",
             .aliases = "isMechanical"),
    ST_FIELD(st_mapping, map_constraints, "mapConstraints", st_type_bool, "1",
             "constraints of the child act on the parent", .aliases = "isMechanical"),
    ST_FIELD(
        st_mapping, map_masses, "mapMasses", st_type_bool, "1",
        "with mapForces and mapConstraints off, too, geometric stiffness is not assembled; alone it changes nothing",
        .aliases = "isMechanical"),
    ST_FIELD(st_mapping, map_matrices, "mapMatrices", st_type_bool, "0", "mapped matrices are always projected",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_mapping, apply_rest_position, "applyRestPosition", st_type_bool, "0",
             "map the rest positions once, at init"),
    ST_FIELDS_END,
};

const st_class st_mapping_class = {
    .name = "Mapping",
    .help = "what every mapping from one state to another has",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_mapping),
    .flags = ST_CLASS_ABSTRACT,
    .accepts = mapping_accepts,
    .init = st_mapping_init,
};
