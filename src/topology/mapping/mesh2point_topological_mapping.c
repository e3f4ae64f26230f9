// Mesh2PointTopologicalMapping: points at given places in the elements of a mesh.
//
// Each kind of element has a list of local coordinates (u, v, w); each element gives one point per entry:
//   point         p + (u, v, w)
//   edge          p0 (1-u) + p1 u
//   triangle      p0 (1-u-v) + p1 u + p2 v
//   quad          p0 (1-u)(1-v) + p1 u(1-v) + p2 (1-u)v + p3 uv
//   tetrahedron   p0 (1-u-v-w) + p1 u + p2 v + p3 w
//   hexahedron    trilinear, corners in the order 0 1 3 2 4 5 7 6
// All points of one kind follow each other, in the order above.
//
// When the mesh changes, points of new elements are appended, and those of removed ones go, all at once when the removal is
// over, with what was copied.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "topology/mapping/mesh2point.h"
#include "topology/mapping/point_sources.h"
#include "topology/recipes.h"

typedef enum place { POINT, EDGE, TRIANGLE, QUAD, TETRAHEDRON, HEXAHEDRON, PLACES } place;

typedef struct mapping {
    st_topological_mapping base;
    st_reals coords[PLACES];
    bool copy_edges, copy_triangles, copy_tetrahedra;
    st_point_sources sources;
} mapping;

static const st_field fields[] = {
    ST_FIELD(mapping, coords[POINT], "pointBaryCoords", st_type_vec3s, NULL, "offsets from each point"),
    ST_FIELD(mapping, coords[EDGE], "edgeBaryCoords", st_type_vec3s, NULL,
             "places on each edge (the first number counts)"),
    ST_FIELD(mapping, coords[TRIANGLE], "triangleBaryCoords", st_type_vec3s, NULL, "places on each triangle"),
    ST_FIELD(mapping, coords[QUAD], "quadBaryCoords", st_type_vec3s, NULL, "places on each quad"),
    ST_FIELD(mapping, coords[TETRAHEDRON], "tetraBaryCoords", st_type_vec3s, NULL, "places in each tetrahedron"),
    ST_FIELD(mapping, coords[HEXAHEDRON], "hexaBaryCoords", st_type_vec3s, NULL, "places in each hexahedron"),
    ST_FIELD(mapping, copy_edges, "copyEdges", st_type_bool, "0", "copy the edges (needs pointBaryCoords)"),
    ST_FIELD(mapping, copy_triangles, "copyTriangles", st_type_bool, "0", "copy the triangles (needs pointBaryCoords)"),
    ST_FIELD(mapping, copy_tetrahedra, "copyTetrahedra", st_type_bool, "0",
             "copy the tetrahedra (needs pointBaryCoords)"),
    ST_FIELDS_END,
};

static const st_element kinds[PLACES] = {(st_element)ST_POINT, ST_EDGE,      ST_TRIANGLE, ST_QUAD,
                                         ST_TETRAHEDRON,       ST_HEXAHEDRON};

// ---------------------------------------------------------------------------------------------------
// Places
// ---------------------------------------------------------------------------------------------------

// Weights of the corners in their own order; the number of corners.
static int weights(place where, const st_real c[3], st_real w[8]) {
    static const int corner[8] = {0, 1, 3, 2, 4, 5, 7, 6};
    const st_real u = c[0], v = c[1], t = c[2];

    switch (where) {
    case EDGE: w[0] = 1 - u, w[1] = u; return 2;
    case TRIANGLE: w[0] = 1 - u - v, w[1] = u, w[2] = v; return 3;
    case QUAD: w[0] = (1 - u) * (1 - v), w[1] = u * (1 - v), w[2] = (1 - u) * v, w[3] = u * v; return 4;
    case TETRAHEDRON: w[0] = 1 - u - v - t, w[1] = u, w[2] = v, w[3] = t; return 4;
    case HEXAHEDRON:
        // bit 0, 1, 2 of i: the corner lies at 1 along u, v, w
        for (int i = 0; i < 8; i++) w[corner[i]] = (i & 1 ? u : 1 - u) * (i & 2 ? v : 1 - v) * (i & 4 ? t : 1 - t);
        return 8;
    default: w[0] = 1; return 1;
    }
}

static void place_point(const st_topology *input, place where, const uint32_t *element, const st_real c[3],
                        st_real p[3]) {
    st_real w[8];
    const int corners = weights(where, c, w);

    st_vec3_zero(p);

    // Σ w_i p_i, the first term without an addition so that -0 stays -0
    for (int i = 0; i < corners; i++) {
        st_real corner[3] = {0, 0, 0};
        st_topology_point(input, element[i], corner);
        if (i == 0) st_vec3_scale(p, corner, w[0]);
        else st_vec3_add_scaled(p, p, corner, w[i]);
    }

    // a point itself has no local coordinates: they are an offset
    if (where == POINT) st_vec3_add(p, p, c);
}

static size_t element_count(st_topology *input, place where) {
    return where == POINT ? st_topology_points(input) : st_topology_elements(input, kinds[where])->count;
}

// A point is its own element.
static const uint32_t *corners_of(const st_topology *input, place where, size_t e, uint32_t *self_index) {
    *self_index = (uint32_t)e;
    return where == POINT ? self_index : input->elements[kinds[where]].data + e * st_element_size[kinds[where]];
}

static st_status mesh2point_add_points(mapping *self, place where) {
    st_topology *input = st_mapped_from(&self->base), *output = st_mapped_to(&self->base);
    const size_t entries = self->coords[where].count, count = element_count(input, where);
    self->sources.width[kinds[where]] = entries;
    if (entries == 0) return ST_OK;

    // room for all points of this kind behind those there are
    size_t at = output->position.count;
    if (count && entries > (UINT32_MAX - at) / count) return st_invalid(&self->base.object, "too many points");
    if (!st_point_sources_grow(&self->sources, (int)kinds[where], count) ||
        !st_resize_member(&output->object, &output->position, at + count * entries))
        return ST_OUT_OF_MEMORY;

    for (size_t e = 0; e < count; e++) {
        uint32_t self_index;
        const uint32_t *element = corners_of(input, where, e, &self_index);
        for (size_t k = 0; k < entries; k++, at++) {
            place_point(input, where, element, self->coords[where].data + 3 * k, output->position.data + 3 * at);
            if (!st_point_sources_push(&self->sources, (int)kinds[where], e, k)) return ST_OUT_OF_MEMORY;
        }
    }
    return ST_OK;
}

static place place_of(uint32_t kind) {
    for (int where = POINT; where < PLACES; where++)
        if ((uint32_t)kinds[where] == kind) return (place)where;
    return PLACES;
}

bool st_mesh2point_visit(st_object *object, bool (*visit)(void *context, const st_mesh2point *point), void *context) {
    mapping *self = (mapping *)object;
    st_topology *input = st_mapped_from(&self->base);

    for (size_t i = 0; i < self->sources.points.count; i++) {
        const st_point_source source = self->sources.points.data[i];
        const place where = place_of(source.kind);
        st_mesh2point point = {.count = 0};

        // a point from elsewhere, or of an element that the input has no more, follows nothing
        const size_t entries = where < PLACES ? self->coords[where].count : 1, e = source.slot / entries;
        if (where < PLACES && e < element_count(input, where)) {
            uint32_t self_index;
            const st_real *c = self->coords[where].data + 3 * (source.slot % entries);
            point.count = weights(where, c, point.weights);
            st_copy_bytes(point.nodes, corners_of(input, where, e, &self_index),
                          (size_t)point.count * sizeof *point.nodes);
            if (where == POINT) st_vec3_copy(point.offset, c);
        }
        if (!visit(context, &point)) return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Copies of elements
// ---------------------------------------------------------------------------------------------------

// The first point that was made for a vertex.
static uint32_t copied_vertex(const mapping *self, uint32_t vertex) {
    const st_uints *places = &self->sources.places[ST_POINT];
    const size_t slot = vertex * self->coords[POINT].count;
    return slot < places->count ? places->data[slot] : vertex;
}

// A copied element joins the first point of each of its vertices.
static st_status copy_elements(mapping *self, st_element kind, bool wanted) {
    st_topology *input = st_mapped_from(&self->base), *output = st_mapped_to(&self->base);

    if (!wanted) return ST_OK;
    if (!st_topology_holds(output, kind))
        return st_invalid(&self->base.object, "the output %s cannot hold %s elements", output->object.name,
                          st_element_names[kind]);

    const st_uints *from = st_topology_elements(input, kind);
    st_uints *to = &output->elements[kind];

    if (!st_list_set_count(to, from->count, st_element_size[kind])) return ST_OUT_OF_MEMORY;

    for (size_t i = 0; i < from->count * st_element_size[kind]; i++) to->data[i] = copied_vertex(self, from->data[i]);
    return ST_OK;
}

static void check_copies(mapping *self) {
    const struct {
        bool *wanted;
        const char *name;
    } copies[] = {{&self->copy_edges, "copyEdges"},
                  {&self->copy_triangles, "copyTriangles"},
                  {&self->copy_tetrahedra, "copyTetrahedra"}};

    for (size_t i = 0; i < 3; i++) {
        // without points there is nothing that copies could join
        if (!*copies[i].wanted || self->coords[POINT].count) continue;

        st_message(&self->base.object, ST_ERROR, "%s needs pointBaryCoords: it is not done", copies[i].name);
        *copies[i].wanted = false;
    }
}

// ---------------------------------------------------------------------------------------------------
// Changes
// ---------------------------------------------------------------------------------------------------

static bool is_copied(const mapping *self, int kind) {
    return (kind == ST_EDGE && self->copy_edges) || (kind == ST_TRIANGLE && self->copy_triangles) ||
           (kind == ST_TETRAHEDRON && self->copy_tetrahedra);
}

// Points of new elements, where the input says.
static bool append_points(mapping *self, const st_edit *edit, place where) {
    st_topology *input = st_mapped_from(&self->base), *output = st_mapped_to(&self->base);
    const size_t entries = self->coords[where].count, old = st_topology_points(output);
    if (!st_point_sources_grow(&self->sources, edit->kind, edit->count)) return false;
    if (entries == 0) return true;

    // the points, then their sources and places
    self->base.at_work = true;
    bool ok = st_edit_add_points(output, edit->count * entries, NULL, true) == ST_OK;
    self->base.at_work = false;

    for (size_t i = 0; ok && i < edit->count * entries; i++) {
        uint32_t self_index;
        const size_t e = edit->ids[i / entries], k = i % entries;
        const uint32_t *element = corners_of(input, where, e, &self_index);
        ok = st_point_sources_push(&self->sources, edit->kind, e, k);
        if (old + i < output->position.count)
            place_point(input, where, element, self->coords[where].data + 3 * k, output->position.data + 3 * (old + i));
    }
    return ok;
}

static bool append_copies(mapping *self, const st_edit *edit) {
    const st_element kind = (st_element)edit->kind;
    const size_t size = st_element_size[kind];
    const st_uints *from = &st_mapped_from(&self->base)->elements[kind];
    st_uints vertices = {0};
    bool ok = st_list_set_count(&vertices, edit->count * size, 1);

    for (size_t i = 0; ok && i < vertices.count; i++)
        vertices.data[i] = copied_vertex(self, from->data[edit->ids[i / size] * size + i % size]);
    ok = ok && st_edit_add(st_mapped_to(&self->base), kind, vertices.data, edit->count, NULL) == ST_OK;
    st_list_free(&vertices);
    return ok;
}

static bool mesh2point_follow(mapping *self, const st_edit *edit) {
    const place where = place_of((uint32_t)edit->kind);
    bool ok = true;
    if (where == PLACES) return true;

    switch (edit->what) {
    case ST_EDIT_ADDED:
        ok = append_points(self, edit, where) && (!is_copied(self, edit->kind) || append_copies(self, edit));
        break;
    case ST_EDIT_REMOVED:
        // copies have the numbers of what they are copied from
        if (is_copied(self, edit->kind))
            ok = st_edit_remove(st_mapped_to(&self->base), (st_element)edit->kind, edit->ids, edit->count, false,
                                false) == ST_OK;
        st_point_sources_forget_inputs(&self->sources, edit);
        break;
    case ST_EDIT_RENUMBERED: ok = st_point_sources_renumber(&self->sources, edit); break;
    case ST_EDIT_MOVING:
    case ST_EDIT_MOVED: break; // the mapping of positions follows
    }
    return ok;
}

static void mesh2point_edited(st_object *object, const st_edits *edits) {
    mapping *self = (mapping *)object;
    bool ok = st_topological_can_follow(&self->base);
    if (!ok) return;

    for (size_t i = 0; ok && i < edits->count; i++) ok = mesh2point_follow(self, &edits->list[i]);
    if (!ok) st_message(object, ST_ERROR, "its points could not follow the mesh");
}

static void mesh2point_output_edited(st_topological_mapping *base, const st_edits *edits) {
    mapping *self = (mapping *)base;
    for (size_t i = 0; i < edits->count; i++)
        if (!(base->at_work && edits->list[i].what == ST_EDIT_ADDED) &&
            !st_point_sources_follow_output(&self->sources, &edits->list[i]))
            st_message(&base->object, ST_ERROR, "out of memory: a table of points");
}

static void mesh2point_ended(st_topological_mapping *base, const st_topology *where) {
    mapping *self = (mapping *)base;
    st_uints gone = {0};
    if (&where->object != base->input || !st_is_changeable(st_mapped_to(base))) return;

    if (!st_point_sources_marked(&self->sources, &gone))
        st_message(&base->object, ST_ERROR, "out of memory: points of removed elements stay");
    else if (gone.count) st_edit_remove_points(st_mapped_to(base), gone.data, gone.count, true);
    st_list_free(&gone);
}

// ---------------------------------------------------------------------------------------------------

static st_status mesh2point_init(st_object *object) {
    mapping *self = (mapping *)object;
    st_topology *output = st_mapped_to(&self->base);
    self->base.output_edited = mesh2point_output_edited;
    self->base.ended = mesh2point_ended;
    check_copies(self);

    // the output starts empty: what it followed would undo the new points
    st_topological_begin(&self->base, 0);
    st_unlink_field(&output->object, &output->position);
    output->position.count = 0;
    st_point_sources_clear(&self->sources);

    st_status status = ST_OK;
    for (int where = POINT; status == ST_OK && where < PLACES; where++)
        status = mesh2point_add_points(self, (place)where);

    // copies of elements, each on request
    if (status == ST_OK) status = copy_elements(self, ST_EDGE, self->copy_edges);
    if (status == ST_OK) status = copy_elements(self, ST_TRIANGLE, self->copy_triangles);
    if (status == ST_OK) status = copy_elements(self, ST_TETRAHEDRON, self->copy_tetrahedra);

    st_topology_set_points(output, output->position.count);
    st_touch(&output->object, &output->position);
    return status == ST_OK ? st_topological_finish(&self->base) : status;
}

static void mesh2point_destroy(st_object *object) {
    st_point_sources_free(&((mapping *)object)->sources);
    st_topological_mapping_class.destroy(object);
}

const st_class st_mesh2point_topological_mapping_class = {
    .name = "Mesh2PointTopologicalMapping",
    .help = "points at given places in the elements of a mesh",
    .parent = &st_topological_mapping_class,
    .fields = fields,
    .size = sizeof(mapping),
    .example = "<MeshTopology name='mesh' position='0 0 0 1 0 0 0 1 0 0 0 1' tetrahedra='0 1 2 3'/><Node name='points'>"
               "<PointSetTopologyContainer name='set'/><Mesh2PointTopologicalMapping input='@../mesh' output='@set' "
               "pointBaryCoords='0 0 0' tetraBaryCoords='0.25 0.25 0.25'/></Node>",
    .init = mesh2point_init,
    .edited = mesh2point_edited,
    .destroy = mesh2point_destroy,
};
