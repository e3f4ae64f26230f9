// MeshROI: selects what a closed surface of triangles holds: points in its box whose ray to the outside crosses the
// surface an odd number of times.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/roi.h"
#include "engine/shapes.h"
#include "engine/surface.h"
#include "topology/topology.h"

typedef struct mesh_roi {
    st_roi base;
    st_reals roi_position;
    st_uints roi_edges, roi_triangles;
    bool compute_mesh_roi;
    st_real box[6];
} mesh_roi;

static const st_field fields[] = {
    ST_INPUT(mesh_roi, base.strict, "strict", st_type_bool, "0",
             "all vertices of an element must be inside; else its center is enough"),
    ST_INPUT(mesh_roi, roi_position, "ROIposition", st_type_vec3s, NULL,
             "points of the surface; those of the node's state or loader when not given"),
    ST_INPUT(mesh_roi, roi_edges, "ROIedges", st_type_edges, NULL, "edges of the surface; only drawn"),
    ST_INPUT(mesh_roi, roi_triangles, "ROItriangles", st_type_triangles, NULL,
             "triangles of the surface; those of the node's topology when not given"),
    ST_INPUT(mesh_roi, compute_mesh_roi, "computeMeshROI", st_type_bool, "1", "false: every point is inside"),
    ST_OUTPUT(mesh_roi, box, "box", st_type_box, "box of the surface"),
    ST_FIELDS_END,
};

static bool mesh_roi_inside(const st_roi *base, const st_real *p) {
    const mesh_roi *roi = (const mesh_roi *)base;
    if (!roi->compute_mesh_roi) return true;

    const st_surface surface = {.points = roi->roi_position.data,
                                .point_count = roi->roi_position.count,
                                .triangles = roi->roi_triangles.data,
                                .triangle_count = roi->roi_triangles.count};
    return st_surface_holds(&surface, roi->box, p);
}

static st_status mesh_roi_init(st_object *object) {
    mesh_roi *roi = (mesh_roi *)object;
    st_topology *topology = st_local_topology(object->node);

    st_engine_link_rest(object, &roi->roi_position);
    st_engine_link_elements(object, &roi->roi_edges, topology, ST_EDGE);
    st_engine_link_elements(object, &roi->roi_triangles, topology, ST_TRIANGLE);

    roi->base.vertices_suffice = true;
    return st_roi_init(&roi->base);
}

static void mesh_roi_update(st_object *object) {
    mesh_roi *roi = (mesh_roi *)object;

    st_box_of_points(roi->box, roi->roi_position.data, roi->roi_position.count);
    st_touch(object, roi->box);

    st_roi_update(&roi->base, mesh_roi_inside);
}

const st_class st_mesh_roi_class = {
    .name = "MeshROI",
    .help = "selects the points and elements that a closed surface holds",
    .parent = &st_roi_class,
    .templates = "Vec3 Vec6 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(mesh_roi),
    .example = "<GenerateSphere name=\"ball\" radius=\"0.6\"/>\n"
               "<RegularGridTopology n=\"3 3 3\" min=\"0 0 0\" max=\"1 1 1\"/>\n"
               "<MechanicalObject/>\n"
               "<MeshROI name=\"corner\" ROIposition=\"@ball.output_TrianglesPosition\" "
               "ROItriangles=\"@ball.triangles\"/>\n"
               "<FixedProjectiveConstraint indices=\"@corner.indices\"/>",
    .init = mesh_roi_init,
    .update = mesh_roi_update,
};
