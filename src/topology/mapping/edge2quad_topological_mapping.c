// Edge2QuadTopologicalMapping: a tube around a beam of rigid frames, N points around each of them.
//
//     point p N + j = c_p + R_p (a Y cos(2πj/N) + b Z sin(2πj/N))
//
// with c_p, R_p the frame p; a = b = radius, Y = (0,1,0), Z = (0,0,1) for a circle. With radiusFocal the section is an
// ellipse: Z along focalAxis with b = radiusFocal, Y = Z × (1,0,0) with a = radius. Edge (p0, p1) gives the quads
// (p0 N + j, p1 N + j, p1 N + j+1, p0 N + j+1), j+1 taken modulo N.
//
// The circles come and go with the points of the beam, the quads with its edges. (In SOFA circles go as soon as they lose
// their last quad, even when the point of the beam stays; the numbers p N + j are then wrong.)
//
// SPDX-License-Identifier: Apache-2.0
#include <float.h>

#include "base/array.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "settee/plugin/change.h"
#include "settee/plugin/state.h"
#include "topology/container.h"
#include "topology/mapping/topological_mapping.h"

enum { MAX_CIRCLE = 1 << 16 };

typedef struct mapping {
    st_topological_mapping base;
    uint32_t circle; // N
    st_real radius, radius_focal, focal_axis[3];
    st_uints edge_list;
    bool flip_normals;
    st_object *container, *modifier;
} mapping;

static const st_field fields[] = {
    ST_FIELD(mapping, circle, "nbPointsOnEachCircle", st_type_uint, "0", "number of points around each frame"),
    ST_FIELD(mapping, radius, "radius", st_type_real, "1", "radius of the tube; half axis along Y of an ellipse"),
    ST_FIELD(mapping, radius_focal, "radiusFocal", st_type_real, "0", "half axis along focalAxis of an ellipse"),
    ST_FIELD(mapping, focal_axis, "focalAxis", st_type_vec3, "0 0 1", "axis of the ellipse"),
    ST_FIELD(mapping, edge_list, "edgeList", st_type_indices, NULL, "edges to take; all when empty",
             .mesh = ST_INDICES(ST_EDGE)),
    ST_FIELD(mapping, flip_normals, "flipNormals", st_type_bool, "0", "turn the quads inside out"),
    ST_FIELD(mapping, container, "toQuadContainer", st_type_link, NULL, "container of the quads; the output",
             .role = ST_ROLE(topology)),
    ST_FIELD(mapping, modifier, "toQuadModifier", st_type_link, NULL, "what changes the output; looked for beside it"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

static void section_axes(const mapping *self, st_real y[3], st_real z[3]) {
#ifdef SETTEE_REAL_FLOAT
    const bool ellipse = self->radius_focal >= FLT_MIN;
#else
    const bool ellipse = self->radius_focal >= DBL_MIN;
#endif

    // a circle unless radiusFocal is larger than zero, however little
    st_vec3_set(y, 0, 1, 0);
    st_vec3_set(z, 0, 0, 1);

    if (ellipse) {
        st_vec3_normalize(z, self->focal_axis);
        st_vec3_cross(y, z, (st_real[3]){1, 0, 0});
    }

    st_vec3_scale(y, y, self->radius);
    st_vec3_scale(z, z, ellipse ? self->radius_focal : self->radius);
}

static void place_circle(const mapping *self, const st_real *frame, st_real *points) {
    st_real y[3], z[3];

    section_axes(self, y, z);

    // p = c + R (Y cos + Z sin), the radii being in Y and Z
    for (uint32_t j = 0; j < self->circle; j++) {
        const st_real angle = 2 * ST_PI * (st_real)j / (st_real)self->circle;
        st_real local[3] = {0, 0, 0}, turned[3];

        st_vec3_add_scaled(local, local, y, cos(angle));
        st_vec3_add_scaled(local, local, z, sin(angle));

        st_quat_rotate(turned, frame + 3, local);
        st_vec3_add(points + 3 * (size_t)j, frame, turned);
    }
}

static st_status place_points(mapping *self, size_t points) {
    const st_state *frames = (const st_state *)st_find_slot(self->base.input->node, ST_ROLE(state));
    st_state *skin = (st_state *)st_find(self->base.output->node, ST_ROLE(state), ST_LOCAL);

    if (!frames || st_state_dof(frames) != &st_rigid3)
        return st_invalid(&self->base.object, "there is no Rigid3 state beside the input %s", self->base.input->name);

    // without a state of points there is nothing to place
    if (!skin || st_state_dof(skin)->coord != 3) return ST_OK;
    if (st_state_resize(skin, points * self->circle) != ST_OK) return ST_OUT_OF_MEMORY;

    const st_reals *x = &frames->coord[ST_COORD_POSITION];
    for (size_t p = 0; p < points && p < x->count; p++)
        place_circle(self, x->data + 7 * p, skin->coord[ST_COORD_POSITION].data + 3 * p * self->circle);

    st_touch(&skin->object, &skin->coord[ST_COORD_POSITION]);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Quads
// ---------------------------------------------------------------------------------------------------

static void make_quad(const mapping *self, const uint32_t edge[2], size_t j, bool flip, uint32_t quad[4]) {
    static const int orders[3][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {0, 3, 2, 1}};
    const size_t n = self->circle, next = (j + 1) % n;
    const size_t v[4] = {edge[0] * n + j, edge[1] * n + j, edge[1] * n + next, edge[0] * n + next};

    // exchanged normals: the order of the quad depends on whether edges were chosen
    const int *order = orders[!flip ? 0 : self->edge_list.count ? 2 : 1];
    for (int i = 0; i < 4; i++) quad[i] = (uint32_t)v[order[i]];
}

static st_status edge2quad_make_quads(mapping *self, const st_uints *edges) {
    st_topology *output = st_mapped_to(&self->base);
    const size_t n = self->circle, count = self->edge_list.count ? self->edge_list.count : edges->count;
    const st_status status = st_topological_reserve(&self->base, ST_QUAD, count * n, edges->count, n);
    if (status != ST_OK) return status;

    for (size_t i = 0; i < count; i++) {
        // chosen edges, or all of them
        const size_t edge = self->edge_list.count ? self->edge_list.data[i] : i;
        for (size_t j = 0; j < n; j++) {
            make_quad(self, edges->data + 2 * edge, j, self->flip_normals,
                      output->elements[ST_QUAD].data + 4 * (i * n + j));
            st_topological_relate(&self->base, i * n + j, edge, j);
        }
    }

    return st_topological_finish(&self->base);
}

static st_status edge2quad_check(mapping *self, const st_uints *edges, size_t points) {
    st_object *object = &self->base.object;

    // a radius, a possible number of points, edges that exist
    if (!st_is_set(object, &self->radius) && !st_is_set(object, &self->radius_focal))
        return st_invalid(object, "neither radius nor radiusFocal is given");

    if (self->circle < 1 || self->circle > MAX_CIRCLE || points * self->circle >= UINT32_MAX)
        return st_invalid(object, "nbPointsOnEachCircle = %u is not possible", self->circle);

    for (size_t i = 0; i < self->edge_list.count; i++)
        if (self->edge_list.data[i] >= edges->count)
            return st_invalid(object, "edgeList has edge %u, but there are only %zu", self->edge_list.data[i],
                              edges->count);
    return ST_OK;
}

static st_status edge2quad_init(st_object *object) {
    mapping *self = (mapping *)object;
    if (self->container) self->base.output = self->container;

    st_topology *input = st_mapped_from(&self->base);
    const st_uints *edges = st_topology_elements(input, ST_EDGE);
    const size_t points = st_topology_points(input);

    // each check only where those before it passed
    st_status status = st_topological_check_types(&self->base, ST_EDGE, ST_QUAD);
    if (status == ST_OK && !self->modifier)
        status = st_topological_require_modifier(&self->base, &st_quad_set_topology_modifier_class);
    if (status == ST_OK) status = edge2quad_check(self, edges, points);
    if (status == ST_OK) status = place_points(self, points);
    if (status == ST_OK) status = st_topological_begin(&self->base, points * self->circle);
    return status == ST_OK ? edge2quad_make_quads(self, edges) : status;
}

// ---------------------------------------------------------------------------------------------------
// Changes
// ---------------------------------------------------------------------------------------------------

// Quads of new edges are not flipped, as in SOFA.
static void edge2quad_make(st_topological_mapping *base, uint32_t edge, size_t j, uint32_t *quad) {
    make_quad((const mapping *)base, st_mapped_from(base)->elements[ST_EDGE].data + 2 * (size_t)edge, j, false, quad);
}

// A list of n numbers for each of `count` numbers a: a n + j.
static bool spread(st_uints *to, const uint32_t *from, size_t count, size_t n) {
    if (!st_list_set_count(to, count * n, 1)) return false;
    for (size_t i = 0; i < count * n; i++) to->data[i] = (uint32_t)(from[i / n] * n + i % n);
    return true;
}

// New frames have their circles; velocities are means over the same places of their ancestors' circles.
static bool edge2quad_add_circles(mapping *self, const st_edit *edit) {
    const size_t n = self->circle, total = edit->starts ? edit->starts[edit->count] : 0;
    const size_t old = st_topology_points(st_mapped_to(&self->base)) / n;
    st_uints starts = {0}, ancestors = {0};
    st_reals weights = {0};
    bool ok = st_list_set_count(&starts, edit->count * n + 1, 1) && st_list_set_count(&ancestors, total * n, 1) &&
              st_list_set_count(&weights, total * n, 1);

    // place j of a circle comes from places j
    size_t at = 0;
    for (size_t i = 0; ok && edit->starts && i < edit->count * n; i++) {
        for (uint32_t a = edit->starts[i / n]; a < edit->starts[i / n + 1]; a++, at++) {
            ancestors.data[at] = (uint32_t)(edit->ancestors[a] * n + i % n);
            weights.data[at] = edit->weights[a];
        }
        starts.data[i + 1] = (uint32_t)at;
    }

    const st_origin origin = {starts.data, ancestors.data, weights.data};
    ok = ok &&
         st_edit_add_points(st_mapped_to(&self->base), edit->count * n, edit->starts ? &origin : NULL, true) == ST_OK;

    // and lie around their frame
    const st_state *frames = (const st_state *)st_find_slot(self->base.input->node, ST_ROLE(state));
    st_state *skin = (st_state *)st_find(self->base.output->node, ST_ROLE(state), ST_LOCAL);
    const bool placed = ok && frames && skin && st_state_dof(skin)->coord == 3;
    for (size_t p = old; placed && p < old + edit->count; p++)
        if (p < frames->size && (p + 1) * n <= skin->size)
            place_circle(self, frames->coord[ST_COORD_POSITION].data + 7 * p,
                         skin->coord[ST_COORD_POSITION].data + 3 * p * n);

    st_list_free(&starts);
    st_list_free(&ancestors);
    st_list_free(&weights);
    return ok;
}

static bool edge2quad_follow_points(mapping *self, const st_edit *edit) {
    const size_t n = self->circle;
    st_uints ids = {0};
    bool ok = true;

    if (edit->what == ST_EDIT_ADDED) return edge2quad_add_circles(self, edit);
    ok = spread(&ids, edit->ids, edit->count, n);
    if (ok && edit->what == ST_EDIT_REMOVED)
        ok = st_edit_remove_points(st_mapped_to(&self->base), ids.data, ids.count, true) == ST_OK;
    if (ok && edit->what == ST_EDIT_RENUMBERED)
        ok = st_edit_renumber_points(st_mapped_to(&self->base), ids.data, true) == ST_OK;
    st_list_free(&ids);
    return ok;
}

static void edge2quad_edited(st_object *object, const st_edits *edits) {
    mapping *self = (mapping *)object;
    bool ok = true;
    if (!st_topological_can_follow(&self->base)) return;

    for (size_t i = 0; ok && i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        if (edit->kind == ST_POINT) ok = edge2quad_follow_points(self, edit);
        if (edit->kind == ST_EDGE && edit->what == ST_EDIT_ADDED)
            st_topological_make(&self->base, edit, edge2quad_make);
        if (edit->kind == ST_EDGE && edit->what == ST_EDIT_REMOVED) st_topological_drop(&self->base, edit);
    }
    if (!ok) st_message(object, ST_ERROR, "the skin could not follow its beam");
}

const st_class st_edge2quad_topological_mapping_class = {
    .name = "Edge2QuadTopologicalMapping",
    .help = "a tube of quads around a beam of rigid frames",
    .parent = &st_topological_mapping_class,
    .fields = fields,
    .size = sizeof(mapping),
    .example =
        "<EdgeSetTopologyContainer name='beam' position='0 0 0 1 0 0' edges='0 1'/>"
        "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1 1 0 0 0 0 0 1'/><Node name='skin'>"
        "<QuadSetTopologyContainer name='quads'/><QuadSetTopologyModifier/><MechanicalObject/>"
        "<Edge2QuadTopologicalMapping nbPointsOnEachCircle='8' radius='0.2' input='@../beam' output='@quads'/></Node>",
    .init = edge2quad_init,
    .edited = edge2quad_edited,
};
