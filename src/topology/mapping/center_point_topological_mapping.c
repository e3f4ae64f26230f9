// CenterPointTopologicalMapping: one point for each hexahedron, with a DOF each. Where they are is said by a mechanical
// mapping.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/plugin/state.h"
#include "topology/mapping/topological_mapping.h"

static st_status center_point_init(st_object *object) {
    st_topological_mapping *mapping = (st_topological_mapping *)object;
    const size_t count = st_topology_elements(st_mapped_from(mapping), ST_HEXAHEDRON)->count;
    st_state *state = (st_state *)st_find_slot(mapping->output->node, ST_ROLE(state));
    if (!state) return st_invalid(object, "there is no state beside the output %s", mapping->output->name);

    st_topology_set_points(st_mapped_to(mapping), count);
    return st_state_resize(state, count);
}

static void center_point_edited(st_object *object, const st_edits *edits) {
    st_topological_mapping *self = (st_topological_mapping *)object;
    if (!st_topological_can_follow(self)) return;

    for (size_t i = 0; i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        if (edit->kind != ST_HEXAHEDRON) continue;
        if (edit->what == ST_EDIT_ADDED) st_edit_add_points(st_mapped_to(self), edit->count, NULL, true);
        if (edit->what == ST_EDIT_REMOVED) st_edit_remove_points(st_mapped_to(self), edit->ids, edit->count, true);
    }
}

const st_class st_center_point_topological_mapping_class = {
    .name = "CenterPointTopologicalMapping",
    .help = "one point for each hexahedron",
    .parent = &st_topological_mapping_class,
    .size = sizeof(st_topological_mapping),
    .example =
        "<RegularGridTopology name='grid' n='3 3 3'/><Node name='centers'><PointSetTopologyContainer name='points'/>"
        "<MechanicalObject/><CenterPointTopologicalMapping input='@../grid' output='@points'/></Node>",
    .init = center_point_init,
    .edited = center_point_edited,
};
