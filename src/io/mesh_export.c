// Points and elements for exporters of meshes.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_export.h"

#include "base/array.h"
#include "settee/plugin/state.h"

st_status st_mesh_export_init(st_object *object, bool (*write)(st_exporter *)) {
    st_mesh_export *self = (st_mesh_export *)object;

    // the nearest topology above, and the state that belongs to the node
    if (!self->topology) self->topology = st_find(object->node, ST_ROLE(topology), ST_UP);
    if (!self->state) self->state = st_find_slot(object->node, ST_ROLE(state));

    if (!self->topology) return st_invalid(object, "there is no topology in its node or above: nothing is written");
    return st_exporter_init(object, write);
}

// The places of all DOFs as triples.
static const st_real *points_of_state(st_mesh_export *self, const st_state *state) {
    const size_t width = st_state_dof(state)->coord, spatial = st_state_dof(state)->spatial;
    const st_real *x = state->coord[ST_COORD_POSITION].data;
    if (width == 3 && spatial == 3) return x;

    // the coordinates that a flatter state lacks are 0
    if (!st_list_set_count(&self->points, state->size, 3)) return NULL;
    for (size_t i = 0; i < state->size; i++)
        for (size_t k = 0; k < 3; k++) self->points.data[3 * i + k] = k < spatial ? x[i * width + k] : 0;

    return self->points.data;
}

static const st_real *points_of_topology(st_mesh_export *self, const st_topology *topology, size_t *count) {
    *count = st_topology_points(topology);
    if (!st_list_set_count(&self->points, *count, 3)) return NULL;

    for (size_t i = 0; i < *count; i++)
        if (!st_topology_point(topology, i, self->points.data + 3 * i)) *count = 0;
    return self->points.data;
}

static bool find_points(st_mesh_export *self, st_mesh_view *view) {
    const st_object *object = &self->exporter.object;

    // points of the attribute, else of the state, else of the topology
    if (st_is_set(object, &self->position)) {
        view->points = self->position.data;
        view->point_count = self->position.count;
    } else if (self->state) {
        view->points = points_of_state(self, (const st_state *)self->state);
        view->point_count = ((const st_state *)self->state)->size;
    } else {
        view->points = points_of_topology(self, (const st_topology *)self->topology, &view->point_count);
    }

    if (view->points || view->point_count == 0) return true;
    st_output_failed(object, self->exporter.filename, "out of memory");
    return false;
}

static bool check_elements(const st_mesh_export *self, const st_mesh_view *view, int kind) {
    const size_t words = view->elements[kind].count * st_element_size[kind];
    for (size_t i = 0; i < words; i++) {
        if (view->elements[kind].vertices[i] < view->point_count) continue;

        st_message(&self->exporter.object, ST_ERROR, "element %zu of %s names the point %u of %zu: nothing is written",
                   i / st_element_size[kind], st_path(self->topology), view->elements[kind].vertices[i],
                   view->point_count);
        return false;
    }
    return true;
}

bool st_mesh_export_view(st_mesh_export *self, st_mesh_view *view) {
    *view = (st_mesh_view){0};

    if (!find_points(self, view)) return false;
    for (int kind = 0; kind < ST_EXPORT_KINDS; kind++) {
        if (!self->kinds[kind]) continue;

        const st_uints *list = st_topology_elements((st_topology *)self->topology, (st_element)kind);
        view->elements[kind].vertices = list->data;
        view->elements[kind].count = list->count;

        if (!check_elements(self, view, kind)) return false;
    }
    return true;
}

void st_mesh_export_destroy(st_object *object) { st_list_free(&((st_mesh_export *)object)->points); }
