// LineCollisionModel: the edges of a mesh.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/collision.h"
#include "collision/contact_mappings.h"
#include "collision/proximity.h"

typedef struct line_model {
    st_collision_model base;
    bool show_free;
    st_uints edges;          // of the mesh that the lines are
    st_uints starts, around; // lines around each DOF, for lines that may touch themselves
} line_model;

static const st_field fields[] = {
    ST_FIELD(line_model, show_free, "displayFreePosition", st_type_bool, "0", "draw the free motion",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

static void report_outside(const st_collision_model *model, size_t line, const uint32_t *edge, size_t dofs) {
    st_message_once(&model->object, "vertices", ST_ERROR,
                    "edge %zu has vertices %u and %u, but the state has %zu DOFs: it is ignored", line, edge[0],
                    edge[1], dofs);
}

// What lies around each DOF, by counting.
static bool find_around(line_model *self) {
    const st_collision_model *model = &self->base;
    const size_t dofs = st_collision_model_dofs(model);
    self->starts.count = 0; // all zero
    if (!st_list_set_count(&self->around, 2 * model->count, 1) || !st_list_set_count(&self->starts, dofs + 2, 1))
        return false;

    // a counting sort of the lines by their ends
    uint32_t *starts = self->starts.data;

    for (size_t i = 0; i < 2 * model->count; i++) starts[model->vertices.data[i] + 2]++;
    for (size_t i = 2; i < dofs + 2; i++) starts[i] += starts[i - 1];
    for (size_t i = 0; i < 2 * model->count; i++)
        self->around.data[starts[model->vertices.data[i] + 1]++] = (uint32_t)(i / 2);
    return true;
}

// Is every line still the edge of its number? In most steps nothing has changed.
static bool has_edges_of(const line_model *self, size_t dofs, const st_uints *edges) {
    const st_collision_model *model = &self->base;
    if (!model->count || model->count != edges->count || model->vertices.count != 2 * edges->count) return false;

    const uint32_t *now = edges->data, *then = model->vertices.data;
    uint32_t difference = 0, largest = 0;
    for (size_t i = 0; i < 2 * edges->count; i++) {
        difference |= then[i] ^ now[i];
        largest = now[i] > largest ? now[i] : largest;
    }
    return difference == 0 && largest < dofs && (!model->self_collision || self->starts.count == dofs + 2);
}

static bool line_model_refresh(st_collision_model *model) {
    line_model *self = (line_model *)model;
    const size_t dofs = st_collision_model_dofs(model);
    const st_uints *edges = st_topology_elements((st_topology *)model->topology, ST_EDGE);
    bool ok = true;
    if (has_edges_of(self, dofs, edges)) return true;
    model->fresh.count = self->edges.count = 0;

    // edges whose vertices are DOFs
    for (size_t i = 0; ok && i < edges->count; i++) {
        const uint32_t *edge = edges->data + 2 * i;
        if (edge[0] < dofs && edge[1] < dofs)
            ok = st_list_push(&model->fresh, edge[0]) && st_list_push(&model->fresh, edge[1]) &&
                 st_list_push(&self->edges, (uint32_t)i);
        else report_outside(model, i, edge, dofs);
    }

    if (ok) st_collision_model_take(model);
    if (model->rebuilt) self->starts.count = 0;
    return ok && (!model->self_collision || self->starts.count || find_around(self));
}

size_t st_line_edge(const st_collision_model *lines, size_t i) {
    const line_model *self = (const line_model *)lines;
    return i < self->edges.count ? self->edges.data[i] : SIZE_MAX;
}

// ---------------------------------------------------------------------------------------------------
// Lines of one object: neighbors do not touch
// ---------------------------------------------------------------------------------------------------

static bool has_end(const st_collision_model *model, size_t line, size_t dof) {
    return st_corner(model, line, 0) == dof || st_corner(model, line, 1) == dof;
}

// Does a line at one of the ends of line i end in this DOF? Line i itself is among them.
static bool line_model_reaches(const line_model *self, size_t i, size_t dof) {
    for (int k = 0; k < 2; k++) {
        const size_t end = st_corner(&self->base, i, k);
        if (end + 1 >= self->starts.count) continue;
        for (uint32_t e = self->starts.data[end]; e < self->starts.data[end + 1]; e++)
            if (has_end(&self->base, self->around.data[e], dof)) return true;
    }
    return false;
}

static bool line_model_may_touch(const st_collision_model *model, size_t i, const st_collision_model *other, size_t j) {
    const line_model *self = (const line_model *)model;
    if (other == model)
        return !line_model_reaches(self, i, st_corner(model, j, 0)) &&
               !line_model_reaches(self, i, st_corner(model, j, 1));

    return other->primitive != ST_PRIMITIVE_POINT || !line_model_reaches(self, i, j);
}

// ---------------------------------------------------------------------------------------------------
// Contact points: p = A + t (B - A), t not limited to the line
// ---------------------------------------------------------------------------------------------------

static bool line_model_carry(const st_collision_model *model, st_mapping *mapping, size_t i, const st_real point[3]) {
    const st_real t = st_line_parameter(st_corner_position(model, i, 0), st_corner_position(model, i, 1), point);
    const st_real weights[2] = {1 - t, t};
    return st_barycentric_carrier_add(mapping, 2, model->vertices.data + 2 * i, weights);
}

// ---------------------------------------------------------------------------------------------------
// Class
// ---------------------------------------------------------------------------------------------------

static st_status line_model_init(st_object *object) {
    st_collision_model *model = (st_collision_model *)object;
    const st_status status = st_mesh_collision_model_class.init(object);
    model->primitive = ST_PRIMITIVE_LINE;
    model->corners = 2;
    if (status != ST_OK || model->topology) return status;
    return st_invalid(object, "there is no topology in its node or above: it touches nothing");
}

static void line_model_destroy(st_object *object) {
    line_model *self = (line_model *)object;
    st_list_free(&self->edges);
    st_list_free(&self->starts);
    st_list_free(&self->around);
    st_collision_model_class.destroy(object);
}

static const st_collision_model_ops ops = {.refresh = line_model_refresh,
                                           .may_touch = line_model_may_touch,
                                           .carrier = &st_barycentric_carrier,
                                           .carry = line_model_carry};

const st_class st_line_collision_model_class = {
    .name = "LineCollisionModel",
    .help = "edges of a mesh, that touch other models",
    .parent = &st_mesh_collision_model_class,
    .fields = fields,
    .size = sizeof(line_model),
    .init = line_model_init,
    .destroy = line_model_destroy,
    .collision_model = &ops,
};
