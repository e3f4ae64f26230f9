// IdentityTopologicalMapping: two meshes that are the same already. It has nothing to do until one of them changes.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/mapping/topological_mapping.h"

// Points with their DOFs, edges and triangles: what happens to one mesh happens to the other.
static void identity_edited(st_object *object, const st_edits *edits) {
    st_topological_mapping *self = (st_topological_mapping *)object;
    st_topology *input = st_mapped_from(self), *output = st_mapped_to(self);
    if (!st_topological_can_follow(self)) return;

    for (size_t i = 0; i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        const st_origin origin = {edit->starts, edit->ancestors, edit->weights};
        if (edit->kind == ST_POINT) switch (edit->what) {
            case ST_EDIT_ADDED: st_edit_add_points(output, edit->count, &origin, true); break;
            case ST_EDIT_REMOVED: st_edit_remove_points(output, edit->ids, edit->count, true); break;
            case ST_EDIT_RENUMBERED: st_edit_renumber_points(output, edit->ids, true); break;
            case ST_EDIT_MOVING: break;
            case ST_EDIT_MOVED: st_edit_move_points(output, edit->ids, edit->count, &origin); break;
            }
        if ((edit->kind != ST_EDGE && edit->kind != ST_TRIANGLE) || edit->count == 0) continue;

        // an edge that comes with a triangle is there when the triangle comes
        const st_element kind = (st_element)edit->kind;
        if (edit->what == ST_EDIT_REMOVED) st_edit_remove(output, kind, edit->ids, edit->count, false, false);
        if (edit->what == ST_EDIT_ADDED)
            st_edit_add(output, kind, input->elements[kind].data + edit->ids[0] * st_element_size[kind], edit->count,
                        &origin);
    }
}

const st_class st_identity_topological_mapping_class = {
    .name = "IdentityTopologicalMapping",
    .help = "keeps a mesh the same as another one; nothing happens before one of them changes",
    .parent = &st_topological_mapping_class,
    .size = sizeof(st_topological_mapping),
    .example = "<TriangleSetTopologyContainer name='one' triangles='0 1 2'/><Node name='child'>"
               "<TriangleSetTopologyContainer name='two' triangles='0 1 2'/>"
               "<IdentityTopologicalMapping input='@../one' output='@two'/></Node>",
    .edited = identity_edited,
};
