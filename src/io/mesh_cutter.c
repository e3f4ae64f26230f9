// MeshCutter: cuts a mesh of triangles or tetrahedra at a time, by a plane or by a surface of triangles.
//
// Elements are split and both sides part; nothing is removed. How points on the cut are found, and what volume, mass and
// velocities do, is in topology/cut/cut.h. At the beginning of the first step that is not before `time`, the positions of that
// moment are cut, once.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/real.h"
#include "plan/edits.h"
#include "topology/cut/cut_surface.h"
#include "topology/recipes.h"
#include "topology/topology.h"

typedef struct mesh_cutter {
    st_object object;
    st_object *topology, *surface;
    st_real normal[3], point[3];
    st_real time, snap;
    bool done;
} mesh_cutter;

static const st_field fields[] = {
    ST_FIELD(mesh_cutter, normal, "normal", st_type_vec3, "0 1 0", "of the plane; of any length"),
    ST_FIELD(mesh_cutter, point, "point", st_type_vec3, "0 0 0", "a point of the plane"),
    ST_FIELD(mesh_cutter, surface, "surface", st_type_link, NULL,
             "a mesh whose triangles cut instead of the plane; it may end within the mesh that is cut",
             .role = ST_ROLE(topology)),
    ST_FIELD(mesh_cutter, time, "time", st_type_real, "0", "the first step that does not begin before it cuts"),
    ST_FIELD(mesh_cutter, snap, "snap", st_type_real, "0.1",
             "points of the mesh this close to the cut, as a part of an edge, are on it; at least 0, below 0.5"),
    ST_FIELD(mesh_cutter, topology, "topology", st_type_link, NULL, "the mesh; that of the context when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

static st_status mesh_cutter_init(st_object *object) {
    mesh_cutter *self = (mesh_cutter *)object;
    st_plane_knife plane;
    if (!self->topology) self->topology = (st_object *)st_context_topology(object->node, NULL);
    if (!self->topology) return st_invalid(object, "there is no mesh in its node or above");
    if (self->surface == self->topology) return st_invalid(object, "the mesh cannot cut itself: surface is topology");
    if (!self->surface && !st_plane_knife_make(&plane, self->normal, self->point))
        return st_invalid(object, "normal \"%g %g %g\" at \"%g %g %g\" makes no plane: it must be finite and not zero",
                          (double)self->normal[0], (double)self->normal[1], (double)self->normal[2],
                          (double)self->point[0], (double)self->point[1], (double)self->point[2]);
    if (!isfinite(self->time)) return st_invalid(object, "time is not finite");
    if (!(self->snap >= 0 && self->snap < ST_R(0.5)))
        return st_invalid(object, "snap is %g: it must be at least 0 and below 0.5", (double)self->snap);
    return st_cut_kind((st_topology *)self->topology, object) == ST_ELEMENT_KINDS ? ST_INVALID : ST_OK;
}

static st_status cut_by_surface(mesh_cutter *self, st_cut_report *report) {
    st_topology *blade = (st_topology *)self->surface;
    const st_uints *triangles = st_topology_elements(blade, ST_TRIANGLE);
    const st_points points = st_view_points(blade);
    st_surface_knife knife;

    st_status status = st_surface_knife_make(&knife, &points, triangles->data, triangles->count, &self->object);
    if (status == ST_OK)
        status = st_cut_topology((st_topology *)self->topology, &knife.knife, self->snap, &self->object, report);
    st_surface_knife_free(&knife);
    return status;
}

static void mesh_cutter_event(st_object *object, st_event *event) {
    mesh_cutter *self = (mesh_cutter *)object;
    const st_real due = self->time - ST_R(1e-6) * event->dt; // times are sums of steps
    if (event->kind != ST_EVENT_ANIMATE_BEGIN || self->done || object->node->time < due) return;
    self->done = true;
    st_pull(object);

    st_cut_report report;
    st_status status = ST_INVALID;
    if (self->surface) status = cut_by_surface(self, &report);
    else {
        st_plane_knife plane;
        if (st_plane_knife_make(&plane, self->normal, self->point))
            status = st_cut_topology((st_topology *)self->topology, &plane.knife, self->snap, object, &report);
        else st_message(object, ST_ERROR, "nothing is cut: the normal is zero or not finite");
    }
    if (status == ST_OK && report.doubled)
        st_message(object, ST_NOTICE, "%zu elements of %s are split, %zu points doubled", report.split,
                   self->topology->name, report.doubled);
    st_finish_edits(object->scene);
}

static void mesh_cutter_reset(st_object *object) { ((mesh_cutter *)object)->done = false; }

const st_class st_mesh_cutter_class = {
    .name = "MeshCutter",
    .help =
        "cuts a mesh of triangles or tetrahedra at a time, by a plane or a surface; elements are split, not removed",
    .kind = "recorder",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(mesh_cutter),
    .example = "<TriangleSetTopologyContainer position=\"0 0 0  1 0 0  0 1 0  1 1 0\" triangles=\"0 1 2  1 3 2\"/>\n"
               "<TriangleSetTopologyModifier/><MechanicalObject/>\n"
               "<MeshCutter normal=\"1 0 0\" point=\"0.4 0 0\" time=\"0.1\"/>",
    .flags = ST_CLASS_LISTENING,
    .init = mesh_cutter_init,
    .reset = mesh_cutter_reset,
    .event = mesh_cutter_event,
};
