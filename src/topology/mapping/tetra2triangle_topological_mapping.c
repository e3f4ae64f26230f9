// Tetra2TriangleTopologicalMapping: the surface of a mesh of tetrahedra, which is the triangles that one of them has.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "topology/adjacency.h"
#include "topology/mapping/topological_mapping.h"
#include "topology/tables.h"

typedef struct mapping {
    st_topological_mapping base;
    bool flip_normals, no_new_triangles, no_initial_triangles;
    st_object *modifier;
} mapping;

static const st_field fields[] = {
    ST_FIELD(mapping, flip_normals, "flipNormals", st_type_bool, "0",
             "exchange the last two vertices of each triangle"),
    ST_FIELD(mapping, no_new_triangles, "noNewTriangles", st_type_bool, "0", "make no triangles after init"),
    ST_FIELD(mapping, no_initial_triangles, "noInitialTriangles", st_type_bool, "0", "begin without triangles"),
    ST_FIELD(mapping, modifier, "modifier", st_type_link, NULL, "what changes the output; looked for beside it"),
    ST_FIELDS_END,
};

static st_status tetra2triangle_init(st_object *object) {
    mapping *self = (mapping *)object;

    // the modifier is needed only when the mesh changes
    if (!self->modifier)
        self->modifier = st_find_class(self->base.output->node, &st_triangle_set_topology_modifier_class, ST_UP);
    if (!self->modifier)
        st_message(object, ST_WARNING,
                   "there is no TriangleSetTopologyModifier beside the output %s: it will not follow changes",
                   self->base.output->name);

    if (!self->no_initial_triangles)
        return st_topological_map_border(&self->base, ST_TETRAHEDRON, ST_TRIANGLE, self->flip_normals);

    // an empty surface that is filled by later changes
    st_topology *input = st_mapped_from(&self->base);
    st_topological_begin(&self->base, st_topology_points(input));
    return st_topological_reserve(&self->base, ST_TRIANGLE, 0, st_topology_elements(input, ST_TRIANGLE)->count, 1);
}

// ---------------------------------------------------------------------------------------------------
// Changes
// ---------------------------------------------------------------------------------------------------

typedef struct additions {
    st_uints vertices, from;
} additions;

static bool add_triangle(additions *a, const uint32_t v[3], uint32_t from) {
    bool ok = st_list_push(&a->from, from);
    for (int i = 0; i < 3; i++) ok = ok && st_list_push(&a->vertices, v[i]);
    return ok;
}

static void additions_free(additions *a) {
    st_list_free(&a->vertices);
    st_list_free(&a->from);
}

// The face of the other tetrahedron, looking outward of it, with its smallest vertex first.
static void opened_face(const mapping *self, st_topology *input, uint32_t other, uint32_t part, uint32_t v[3]) {
    const uint32_t *faces = st_topology_in(input, ST_TETRAHEDRON, ST_TRIANGLE) + 4 * (size_t)other;
    const uint32_t *corners = input->elements[ST_TETRAHEDRON].data + 4 * (size_t)other;
    int j = 0;
    while (j < 3 && faces[j] != part) j++;

    uint32_t face[3];
    for (int i = 0; i < 3; i++) face[i] = corners[st_tetrahedron_triangles[j][self->flip_normals && i ? 3 - i : i]];
    int first = 0;
    for (int i = 1; i < 3; i++)
        if (face[i] < face[first]) first = i;
    for (int i = 0; i < 3; i++) v[i] = face[(first + i) % 3];
}

// Tetrahedra are about to go: the faces that they share with others become surface.
static void open_faces(mapping *self, const st_edit *edit) {
    st_topology *input = st_mapped_from(&self->base);
    additions a = {0};
    bool ok = true;

    for (size_t i = 0; ok && i < edit->count; i++)
        for (int j = 0; ok && j < 4; j++) {
            uint32_t part, v[3];
            const uint32_t other = st_topological_other(input, ST_TETRAHEDRON, ST_TRIANGLE, edit->ids[i], j, &part);
            if (other == ST_INVALID_INDEX || st_topological_listed(edit->ids, i, other)) continue;
            opened_face(self, input, other, part, v);
            ok = add_triangle(&a, v, part);
        }

    if (ok) st_topological_add(&self->base, ST_TRIANGLE, &a.vertices, &a.from);
    else st_message(&self->base.object, ST_ERROR, "out of memory: new faces of the surface");
    additions_free(&a);
}

// Tetrahedra have come: faces that they cover leave the surface, others join it.
static void cover_faces(mapping *self, const st_edit *edit) {
    st_topology *input = st_mapped_from(&self->base);
    const uint32_t *faces = st_topology_in(input, ST_TETRAHEDRON, ST_TRIANGLE);
    const st_uints *outputs = &self->base.glob_to_loc;
    additions a = {0};
    st_uints gone = {0};
    bool ok = faces != NULL;

    // border or not, now that all new tetrahedra are there
    for (size_t i = 0; ok && i < 4 * edit->count; i++) {
        const uint32_t face = faces[4 * (size_t)edit->ids[i / 4] + i % 4];
        if (face >= outputs->count) continue;
        const uint32_t out = outputs->data[face];
        const bool border = st_topological_around(input, ST_TETRAHEDRON, ST_TRIANGLE, face) == 1;

        if (out != ST_INVALID_INDEX && !border && !st_topological_listed(gone.data, gone.count, out))
            ok = st_list_push(&gone, out);
        if (out == ST_INVALID_INDEX && border)
            ok = add_triangle(&a, input->elements[ST_TRIANGLE].data + 3 * (size_t)face, face);
    }

    if (ok) ok = st_topological_add(&self->base, ST_TRIANGLE, &a.vertices, &a.from) == ST_OK;
    if (ok) ok = st_topological_remove(&self->base, ST_TRIANGLE, &gone, true, false) == ST_OK;
    if (!ok) st_message(&self->base.object, ST_ERROR, "the surface could not follow new tetrahedra");
    additions_free(&a);
    st_list_free(&gone);
}

// Triangles of the input are about to go: so do those of the surface.
static void drop_faces(mapping *self, const st_edit *edit) {
    st_uints gone = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < edit->count; i++) {
        const uint32_t out =
            edit->ids[i] < self->base.glob_to_loc.count ? self->base.glob_to_loc.data[edit->ids[i]] : ST_INVALID_INDEX;
        if (out != ST_INVALID_INDEX) ok = st_list_push(&gone, out);
    }

    if (ok) st_topological_remove(&self->base, ST_TRIANGLE, &gone, true, false);
    st_topological_forget_inputs(&self->base, edit->ids, edit->count);
    st_list_free(&gone);
}

static void add_edges(mapping *self, const st_edit *edit) {
    const st_uints *edges = &st_mapped_from(&self->base)->elements[ST_EDGE];
    if (edit->count == 0) return;

    // ids follow each other
    st_edit_add(st_mapped_to(&self->base), ST_EDGE, edges->data + 2 * (size_t)edit->ids[0], edit->count, NULL);
}

static void tetra2triangle_edited(st_object *object, const st_edits *edits) {
    mapping *self = (mapping *)object;
    if (!self->modifier || !st_topological_can_follow(&self->base)) return;

    for (size_t i = 0; i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        const bool added = edit->what == ST_EDIT_ADDED, removed = edit->what == ST_EDIT_REMOVED;
        st_topological_follow_points(&self->base, edit);

        if (edit->kind == ST_POINT && added) {
            const st_origin origin = {edit->starts, edit->ancestors, edit->weights};
            st_edit_add_points(st_mapped_to(&self->base), edit->count, &origin, true);
        }
        // new edges come before the triangles that have them; inner ones come, too, as in SOFA
        if (edit->kind == ST_EDGE && added) add_edges(self, edit);
        if (edit->kind == ST_TRIANGLE && added) st_topological_grow(&self->base, edit->count);
        if (edit->kind == ST_TRIANGLE && removed) drop_faces(self, edit);
        if (edit->kind == ST_TETRAHEDRON && added && !self->no_new_triangles) cover_faces(self, edit);
        if (edit->kind == ST_TETRAHEDRON && removed && !self->no_new_triangles) open_faces(self, edit);
    }
}

const st_class st_tetra2triangle_topological_mapping_class = {
    .name = "Tetra2TriangleTopologicalMapping",
    .help = "the surface of a mesh of tetrahedra",
    .parent = &st_topological_mapping_class,
    .fields = fields,
    .size = sizeof(mapping),
    .example =
        "<TetrahedronSetTopologyContainer name='volume' position='0 0 0 1 0 0 0 1 0 0 0 1' tetrahedra='0 1 2 3'/>"
        "<Node name='surface'><TriangleSetTopologyContainer name='triangles'/><TriangleSetTopologyModifier/>"
        "<Tetra2TriangleTopologicalMapping input='@../volume' output='@triangles'/></Node>",
    .init = tetra2triangle_init,
    .edited = tetra2triangle_edited,
};
