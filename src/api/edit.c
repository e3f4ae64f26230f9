// Meshes that change by a program: see settee/edit.h. Everything is checked here before the engine changes anything.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/edit.h"

#include "api/scene.h"
#include "base/array.h"
#include "collision/remove_picked.h"
#include "io/change_incision.h"
#include "math/real.h"
#include "plan/edits.h"
#include "topology/cut/cut_surface.h"
#include "topology/cut/refine.h"
#include "topology/recipes.h"

// ---------------------------------------------------------------------------------------------------
// Around every change
// ---------------------------------------------------------------------------------------------------

// ST_OK: st_change_end must follow.
static st_status change_begin(st_object *object) {
    if (!object || !object->scene) return ST_INVALID;
    if (!st_scene_enter(object->scene)) return ST_BUSY;
    if (!st_graph_may_change(object->scene, "a mesh cannot change")) {
        st_scene_leave(object->scene);
        return ST_BUSY;
    }

    if (st_is_valid(object) && object->scene->initialized) return ST_OK;

    st_message(object, ST_ERROR, "it cannot change: it is not initialized, or broken");
    st_scene_leave(object->scene);
    return ST_INVALID;
}

static st_status change_end(st_object *object, st_status status) {
    st_finish_edits(object->scene);
    st_scene_leave(object->scene);
    return status;
}

static st_status mesh_begin(st_object *mesh) {
    const st_status status = change_begin(mesh);
    if (status != ST_OK) return status;

    // a container, and the modifier that changes it
    const st_topology *topology = (const st_topology *)mesh;
    const st_modifier *modifier = NULL;
    if (mesh->type->topology && st_is_changeable(topology)) modifier = st_modifier_of(topology);
    if (modifier && st_is_valid(&modifier->object)) return ST_OK;

    st_message(mesh, ST_ERROR,
               "it cannot change: it must be a container such as TetrahedronSetTopologyContainer, with the "
               "modifier of its kind in its node or above");
    st_scene_leave(mesh->scene);
    return ST_INVALID;
}

static st_status missing(const st_object *object, const char *what) {
    st_message(object, ST_ERROR, "nothing changes: no %s are given", what);
    return ST_INVALID;
}

// ---------------------------------------------------------------------------------------------------
// Removing
// ---------------------------------------------------------------------------------------------------

st_status st_remove_elements(st_object *mesh, const uint32_t *ids, size_t count) {
    st_status status = mesh_begin(mesh);
    if (status != ST_OK) return status;

    // what the container and its modifier hold
    st_topology *topology = (st_topology *)mesh;
    const st_element kind = st_container_kind(topology);
    st_modifier *modifier = st_modifier_of(topology);

    // by the modifier of special meshes, as points, or as elements with what they alone had
    if (!ids && count) status = missing(mesh, "numbers");
    else if (st_modifier_kind(modifier) == kind) status = st_edit_remove_items(modifier, ids, count);
    else if (kind == ST_ELEMENT_KINDS) status = st_edit_remove_points(topology, ids, count, true);
    else status = st_edit_remove(topology, kind, ids, count, true, true);
    return change_end(mesh, status);
}

st_status st_remove_points(st_object *mesh, const uint32_t *ids, size_t count) {
    st_status status = mesh_begin(mesh);
    if (status != ST_OK) return status;

    status = !ids && count ? missing(mesh, "numbers") : st_edit_remove_points((st_topology *)mesh, ids, count, true);
    return change_end(mesh, status);
}

st_status st_remove_picked_elements(st_object *model, const uint32_t *ids, size_t count, size_t *removed) {
    if (removed) *removed = 0;
    st_status status = change_begin(model);
    if (status != ST_OK) return status;

    size_t gone = 0;
    if (!model->type->collision_model) {
        st_message(model, ST_ERROR, "nothing is removed: it is no collision model");
        status = ST_INVALID;
    } else if (!ids && count) status = missing(model, "numbers");
    else {
        gone = st_remove_picked((const st_collision_model *)model, ids, count);
        if (gone == 0 && count) status = ST_INVALID;
    }

    if (removed) *removed = gone;
    return change_end(model, status);
}

// ---------------------------------------------------------------------------------------------------
// Adding and moving
// ---------------------------------------------------------------------------------------------------

static st_status check_ancestry(const st_topology *topology, const st_ancestry *from, size_t count) {
    const size_t points = st_topology_points(topology);
    if (!from || !from->starts || !from->ancestors || !from->weights) return missing(&topology->object, "ancestors");

    // every point has ancestors, and they exist
    for (size_t i = 0; i < count; i++) {
        if (from->starts[i + 1] <= from->starts[i]) {
            st_message(&topology->object, ST_ERROR, "nothing changes: point %zu of %zu has no ancestors", i, count);
            return ST_INVALID;
        }
        for (uint32_t a = from->starts[i]; a < from->starts[i + 1]; a++) {
            if (from->ancestors[a] < points && isfinite(from->weights[a])) continue;
            st_message(&topology->object, ST_ERROR,
                       "nothing changes: ancestor %u with weight %g is not finite, or not among %zu points",
                       from->ancestors[a], (double)from->weights[a], points);
            return ST_INVALID;
        }
    }
    return ST_OK;
}

st_status st_add_points(st_object *mesh, size_t count, const st_ancestry *from) {
    st_status status = mesh_begin(mesh);
    if (status != ST_OK) return status;

    st_topology *topology = (st_topology *)mesh;
    if (st_edit_begin(topology) != ST_OK) status = ST_OUT_OF_MEMORY;
    if (status == ST_OK) status = check_ancestry(topology, from, count);

    // checked: the mesh changes
    if (status == ST_OK) {
        const st_origin origin = {from->starts, from->ancestors, from->weights};
        status = st_edit_add_points(topology, count, &origin, true);
    }
    return change_end(mesh, status);
}

st_status st_add_free_points(st_object *mesh, size_t count) {
    st_status status = mesh_begin(mesh);
    if (status != ST_OK) return status;
    return change_end(mesh, st_edit_add_points((st_topology *)mesh, count, NULL, true));
}

st_status st_move_points(st_object *mesh, const uint32_t *ids, size_t count, const st_ancestry *to) {
    st_status status = mesh_begin(mesh);
    if (status != ST_OK) return status;

    st_topology *topology = (st_topology *)mesh;
    status = !ids && count ? missing(mesh, "numbers") : check_ancestry(topology, to, count);

    if (status == ST_OK) {
        const st_origin origin = {to->starts, to->ancestors, to->weights};
        status = st_edit_move_points(topology, ids, count, &origin);
    }
    return change_end(mesh, status);
}

static st_status check_vertices(const st_topology *topology, st_element kind, const uint32_t *vertices, size_t count) {
    const size_t points = st_topology_points(topology), size = st_element_size[kind];
    for (size_t i = 0; i < count * size; i++) {
        // among those before it in the same element
        bool twice = false;
        for (size_t k = i / size * size; k < i; k++) twice = twice || vertices[k] == vertices[i];
        if (vertices[i] < points && !twice) continue;

        st_message(&topology->object, ST_ERROR, "nothing is added: vertex %u of %s %zu is %s", vertices[i],
                   st_element_names[kind], i / size, twice ? "there twice" : "no point of the mesh");
        return ST_INVALID;
    }
    return ST_OK;
}

st_status st_add_elements(st_object *mesh, st_element kind, const uint32_t *vertices, size_t count) {
    st_status status = mesh_begin(mesh);
    if (status != ST_OK) return status;
    st_topology *topology = (st_topology *)mesh;

    // a kind that fits, vertices that exist
    if ((unsigned)kind >= ST_ELEMENT_KINDS || !st_topology_holds(topology, kind)) {
        st_message(mesh, ST_ERROR, "nothing is added: it holds no elements of kind %d", (int)kind);
        status = ST_INVALID;
    } else if (!vertices && count) status = missing(mesh, "vertices");
    else status = check_vertices(topology, kind, vertices, count);

    if (status == ST_OK && count) status = st_edit_add(topology, kind, vertices, count, NULL);
    return change_end(mesh, status);
}

st_status st_split_mesh_edges(st_object *mesh, const uint32_t *edges, const st_real *t, size_t count) {
    st_status status = mesh_begin(mesh);
    if (status != ST_OK) return status;
    status = !edges && count ? missing(mesh, "edges") : st_split_edges((st_topology *)mesh, edges, t, count, mesh);
    return change_end(mesh, status);
}

st_status st_suture(st_object *mesh, const uint32_t *pairs, size_t count) {
    st_status status = mesh_begin(mesh);
    if (status != ST_OK) return status;
    status = !pairs && count ? missing(mesh, "pairs") : st_suture_points((st_topology *)mesh, pairs, count, mesh);
    return change_end(mesh, status);
}

// ---------------------------------------------------------------------------------------------------
// Cutting
// ---------------------------------------------------------------------------------------------------

st_status st_cut_by_plane(st_object *mesh, const st_real normal[3], const st_real point[3], st_real snap) {
    st_status status = mesh_begin(mesh);
    if (status != ST_OK) return status;

    // a plane with a direction
    st_plane_knife plane;
    if (!normal || !point) status = missing(mesh, "normal and point");
    else if (!st_plane_knife_make(&plane, normal, point)) {
        st_message(mesh, ST_ERROR,
                   "no cut: normal (%g %g %g) at (%g %g %g) makes no plane: it must be finite and not zero",
                   (double)normal[0], (double)normal[1], (double)normal[2], (double)point[0], (double)point[1],
                   (double)point[2]);
        status = ST_INVALID;
    } else status = st_cut_topology((st_topology *)mesh, &plane.knife, snap, mesh, NULL);
    return change_end(mesh, status);
}

st_status st_cut_by_surface(st_object *mesh, const st_real *positions, size_t points, const uint32_t *triangles,
                            size_t count, st_real snap) {
    st_status status = mesh_begin(mesh);
    if (status != ST_OK) return status;
    if ((!positions && points) || (!triangles && count)) return change_end(mesh, missing(mesh, "triangles"));

    // a tree over its triangles, then the cut
    const st_points at = {positions, points, 3, 3};
    st_surface_knife surface;
    status = st_surface_knife_make(&surface, &at, triangles, count, mesh);
    if (status == ST_OK) status = st_cut_topology((st_topology *)mesh, &surface.knife, snap, mesh, NULL);
    st_surface_knife_free(&surface);
    return change_end(mesh, status);
}

st_status st_cut_along(st_object *mesh, const st_real *places, size_t count) {
    st_status status = mesh_begin(mesh);
    if (status != ST_OK) return status;

    st_incision_points points = {0};
    if (!places || count < 2) status = missing(mesh, "two places");
    else if (!st_list_set_count(&points.places, 3 * count, 1)) status = ST_OUT_OF_MEMORY;
    else {
        st_copy_reals(points.places.data, places, 3 * count);
        status = st_incise_points(mesh, (st_topology *)mesh, &points);
    }

    st_incision_points_free(&points);
    return change_end(mesh, status);
}
