// A cut of a mesh in a scene: see topology/cut/cut.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/real.h"
#include "scene/scene.h"
#include "topology/cut/cut.h"
#include "topology/mapping/topological_mapping.h"
#include "topology/recipes.h"

// The mapping that makes this mesh from another one that can change: that one is to be cut.
static const st_topological_mapping *maker_of(const st_node *node, const st_topology *topology) {
    for (size_t i = 0; i < node->objects.count; i++) {
        const st_object *object = node->objects.data[i];
        if (!st_is_a(object, &st_topological_mapping_class)) continue;
        const st_topological_mapping *mapping = (const st_topological_mapping *)object;
        const bool changeable = mapping->input && st_is_changeable((const st_topology *)mapping->input);
        if (mapping->output == &topology->object && changeable) return mapping;
    }
    for (size_t i = 0; i < node->children.count; i++) {
        const st_topological_mapping *found = maker_of(node->children.data[i], topology);
        if (found) return found;
    }
    return NULL;
}

st_element st_cut_kind(st_topology *topology, const st_object *reporter) {
    const st_element kind = st_is_changeable(topology) ? st_container_kind(topology) : ST_ELEMENT_KINDS;
    const st_topological_mapping *maker = maker_of(topology->object.scene->root, topology);

    if (kind != ST_TRIANGLE && kind != ST_TETRAHEDRON)
        st_message(reporter, ST_ERROR,
                   "%s cannot be cut: it must be a TriangleSetTopologyContainer or a TetrahedronSetTopologyContainer",
                   topology->object.name);
    else if (maker)
        st_message(reporter, ST_ERROR, "%s cannot be cut: %s makes it from %s, cut that instead", topology->object.name,
                   maker->object.name, maker->input->name);
    else return kind;
    return ST_ELEMENT_KINDS;
}

st_status st_cut_topology(st_topology *topology, const st_knife *knife, st_real snap, const st_object *reporter,
                          st_cut_report *report) {
    if (report) *report = (st_cut_report){0};
    const st_element kind = st_cut_kind(topology, reporter);
    if (kind == ST_ELEMENT_KINDS) return ST_INVALID;
    if (!(snap >= 0 && snap < ST_R(0.5))) {
        st_message(reporter, ST_ERROR, "no cut: the distance of snapping is %g, it must be at least 0 and below 0.5",
                   (double)snap);
        return ST_INVALID;
    }
    if (st_edit_begin(topology) != ST_OK) return ST_OUT_OF_MEMORY;

    // positions of all points
    const st_points points = st_view_points(topology);
    const size_t count = st_topology_points(topology);
    if (points.count < count || topology->elements[kind].count == 0) {
        st_message(reporter, ST_WARNING, "nothing is cut: %s has %zu elements, and positions for %zu of %zu points",
                   topology->object.name, topology->elements[kind].count, points.count, count);
        return ST_OK;
    }

    st_cut cut = {0};
    st_status status = ST_OUT_OF_MEMORY;
    if (st_cut_find(&cut, kind, &topology->elements[kind], &points, count, knife, snap)) status = ST_OK;
    if (status == ST_OK && cut.split + cut.doubled == 0)
        st_message(reporter, ST_WARNING, "nothing is cut: the knife does not part any %s of %s", st_element_names[kind],
                   topology->object.name);
    else if (status == ST_OK) status = st_cut_apply(&cut, topology);
    if (status == ST_OUT_OF_MEMORY) st_message(reporter, ST_ERROR, "out of memory: a cut of %s", topology->object.name);
    if (report) *report = (st_cut_report){cut.split, cut.doubled};
    st_cut_free(&cut);
    return status;
}
