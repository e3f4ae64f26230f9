// SphereROI: selects what lies in one of several spheres, |p - c|^2 <= r^2, and of edges and triangles only those that
// are turned away from a direction:
//
//     edge       |n . direction| < |cos(edgeAngle)|     n along the edge
//     triangle    n . normal     <  cos(triAngle)       n = unit((p2 - p0) x (p1 - p0))
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/draw_regions.h"
#include "engine/engine.h"
#include "engine/roi.h"
#include "engine/shapes.h"

typedef struct sphere_roi {
    st_roi base;
    st_reals centers;
    st_reals radii;
    st_real direction[3], normal[3];
    st_real edge_angle, triangle_angle; // degrees
    bool usable;                        // as many radii as centers
} sphere_roi;

// Centers and radii are no inputs: a selection follows the positions, not the spheres.
static const st_field fields[] = {
    ST_FIELD(sphere_roi, centers, "centers", st_type_vec3s, NULL, "centers of the spheres"),
    ST_FIELD(sphere_roi, radii, "radii", st_type_reals, NULL, "radii of the spheres; one is enough for all"),
    ST_FIELD(sphere_roi, direction, "direction", st_type_vec3, "0 0 0", "edges along it are left out"),
    ST_FIELD(sphere_roi, normal, "normal", st_type_vec3, "0 0 0", "triangles facing it are left out"),
    ST_FIELD(sphere_roi, edge_angle, "edgeAngle", st_type_real, "0", "degrees; 0: edges of all directions"),
    ST_FIELD(sphere_roi, triangle_angle, "triAngle", st_type_real, "0", "degrees; 0: triangles of all directions",
             .aliases = "angle"),
    ST_FIELDS_END,
};

static bool sphere_roi_inside(const st_roi *base, const st_real *p) {
    const sphere_roi *roi = (const sphere_roi *)base;
    return roi->usable && st_in_spheres(&roi->centers, &roi->radii, p);
}

static st_real cosine(st_real degrees) { return cos(degrees * ST_PI / 180); }

static bool turned_away(const st_roi *base, st_element kind, const uint32_t *v) {
    const sphere_roi *roi = (const sphere_roi *)base;
    const size_t width = st_engine_width(&base->object);
    const st_real *p0 = base->position.data + v[0] * width, *p1 = base->position.data + v[1] * width;
    st_real n[3], along[3], other[3];

    st_vec3_sub(n, p1, p0);

    // |n · direction| < |cos|
    if (kind == ST_EDGE && roi->edge_angle > 0) {
        st_vec3_normalize(n, n);
        st_vec3_normalize(along, roi->direction);
        return fabs(st_vec3_dot(n, along)) < fabs(cosine(roi->edge_angle));
    }

    // n · normal < cos
    if (kind == ST_TRIANGLE && roi->triangle_angle > 0) {
        st_vec3_sub(other, base->position.data + v[2] * width, p0);
        st_vec3_cross(n, other, n);

        st_vec3_normalize(n, n);
        st_vec3_normalize(along, roi->normal);
        return st_vec3_dot(n, along) < cosine(roi->triangle_angle);
    }

    return true;
}

static void check_radii(sphere_roi *roi) {
    roi->usable = roi->radii.count == roi->centers.count || roi->radii.count == 1;

    if (!roi->usable)
        st_message(&roi->base.object, ST_WARNING, "there are %zu radii for %zu centers: nothing is selected",
                   roi->radii.count, roi->centers.count);
}

static st_status sphere_roi_init(st_object *object) {
    sphere_roi *roi = (sphere_roi *)object;

    roi->base.element = turned_away;
    check_radii(roi);
    return st_roi_init(&roi->base);
}

static void sphere_roi_update(st_object *object) { st_roi_update((st_roi *)object, sphere_roi_inside); }

static void sphere_roi_draw(st_object *object, st_canvas *canvas) {
    const sphere_roi *roi = (const sphere_roi *)object;
    st_roi_draw(object, canvas);
    if (st_region_is_shown(canvas, roi->base.draw_region)) st_draw_balls(canvas, &roi->centers, &roi->radii);
}

const st_class st_sphere_roi_class = {
    .name = "SphereROI",
    .help = "selects the points and elements that lie in spheres",
    .parent = &st_roi_class,
    .templates = "Vec3 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(sphere_roi),
    .example = "<RegularGridTopology n=\"3 3 3\" min=\"0 0 0\" max=\"1 1 1\"/>\n"
               "<MechanicalObject/>\n"
               "<SphereROI name=\"corner\" centers=\"0 0 0\" radii=\"0.6\"/>\n"
               "<FixedProjectiveConstraint indices=\"@corner.indices\"/>",
    .init = sphere_roi_init,
    .update = sphere_roi_update,
    .draw = sphere_roi_draw,
};
