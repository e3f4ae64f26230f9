// Placing the camera so that everything is seen.
//
// With the viewing axes fixed, a point (x, y, z) is inside the left and right border when |x - ex| <= (ez - z) t, where
// e is the eye and t the tangent of half the angle of view. Over all points that reads
//     ex + ez t >= max(x + z t) = A    and    -ex + ez t >= max(-x + z t) = B,
// so the nearest eye is ez = (A + B) / 2t, and ex = (A - B) / 2 is centered for any ez. The same holds for y; the
// larger of the two distances wins. This is exact for perspective; no search is needed.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/camera.h"

#include <tgmath.h>

static const double margin = 0.88;    // fraction of the screen that the shapes fill
static const double bar_width = 0.24; // fraction of the screen that is left to a color bar
static const double far_limit = 1e9;  // in camera lengths

st_picture_view st_default_picture_view(void) {
    return (st_picture_view){
        .width = 1280,
        .height = 960,
        .direction = {0.62, 0.42, 1.0},
        .field_of_view = 30,
        .zoom = 1,
        .axes = true,
        .samples = 2,
        // The channels differ by whole steps of 1/255, so that they change in the same rows and no colored bands
        // appear.
        .background_top = {248 / 255.0f, 249 / 255.0f, 251 / 255.0f, 1},
        .background_bottom = {216 / 255.0f, 217 / 255.0f, 219 / 255.0f, 1},
    };
}

static double camera_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void camera_cross(const double a[3], const double b[3], double result[3]) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        result[i] = a[j] * b[k] - a[k] * b[j];
    }
}

// Divides by the largest component first: no overflow, no underflow.
static bool camera_normalize(double v[3]) {
    const double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!isfinite(v[0] + v[1] + v[2]) || !(largest > 0)) return false;
    for (int k = 0; k < 3; k++) v[k] /= largest;

    const double length = sqrt(camera_dot(v, v));
    for (int k = 0; k < 3; k++) v[k] /= length;
    return true;
}

// When looking along the requested up, another axis replaces it: one that leaves x pointing to the right when up was y.
static void replace_up(const double back[3], double up[3]) {
    if (fabs(camera_dot(back, up)) < 0.999) return;

    if (fabs(up[1]) > 0.999) {
        up[0] = up[1] = 0;
        up[2] = back[1] > 0 ? -1 : 1;
    } else {
        up[0] = up[2] = 0;
        up[1] = 1;
    }
}

static st_status set_axes(st_camera *camera, const st_picture_view *view, st_image_error *error) {
    double *right = camera->axes[0], *upward = camera->axes[1], *back = camera->axes[2];
    double up[3];
    for (int k = 0; k < 3; k++) {
        back[k] = view->has_eye ? view->eye[k] - view->target[k] : view->direction[k];
        up[k] = view->up[k];
    }

    // back points from the target to the eye
    if (!camera_normalize(back))
        return st_image_fail(error, ST_INVALID, "the direction of view (%g, %g, %g) is not usable", back[0], back[1],
                             back[2]);

    // up and right make a right-handed frame with it
    if (!camera_normalize(up)) up[0] = up[2] = 0, up[1] = 1;
    replace_up(back, up);
    camera_cross(up, back, right);
    camera_normalize(right);
    camera_cross(back, right, upward);
    return ST_OK;
}

// Center and half diagonal of the box; a box without extent gets a size anyway.
static bool set_scale(st_camera *camera, double bounds[2][3]) {
    double half[3], reach = 0;
    for (int k = 0; k < 3; k++) {
        camera->origin[k] = bounds[0][k] + (bounds[1][k] - bounds[0][k]) / 2;
        half[k] = (bounds[1][k] - bounds[0][k]) / 2;
        reach = fmax(reach, fabs(camera->origin[k]));
    }

    // relative to its distance from the origin, a box cannot be smaller than what doubles resolve
    const double size = sqrt(camera_dot(half, half));
    camera->scale = fmax(size, reach * 1e-9);
    if (!(camera->scale > 1e-30)) camera->scale = 1;

    return isfinite(size) && isfinite(reach) && reach < 1e100;
}

typedef struct fit {
    double x[2], y[2]; // A and B of the two directions, see above
    double front;      // largest z
} fit;

static void fit_point(fit *f, const double p[3], double tx, double ty) {
    f->x[0] = fmax(f->x[0], p[0] + p[2] * tx);
    f->x[1] = fmax(f->x[1], -p[0] + p[2] * tx);
    f->y[0] = fmax(f->y[0], p[1] + p[2] * ty);
    f->y[1] = fmax(f->y[1], -p[1] + p[2] * ty);
    f->front = fmax(f->front, p[2]);
}

static void fit_shapes(fit *f, const st_camera *camera, const st_picture *picture, double tx, double ty) {
    static const size_t widths[] = {
        [ST_SHAPE_SURFACE] = 3, [ST_SHAPE_LINES] = 2, [ST_SHAPE_POINTS] = 1, [ST_SHAPE_LABELS] = 1};
    for (size_t s = 0; s < picture->shapes.count; s++) {
        const st_shape *shape = &picture->shapes.data[s];
        for (size_t i = 0; i < shape->count * widths[shape->kind]; i++) {
            double p[3];
            st_camera_transform(camera, shape->positions + 3 * (size_t)shape->indices[i], p);
            if (!isfinite(p[0] + p[1] + p[2])) continue;
            fit_point(f, p, tx, ty);

            // a sphere reaches as far in all directions
            const double r = shape->radii ? (double)shape->radii[i] / camera->scale : 0;
            for (int k = 0; r > 0 && r < far_limit && k < 6; k++) {
                double q[3] = {p[0], p[1], p[2]};
                q[k / 2] += k % 2 ? r : -r;
                fit_point(f, q, tx, ty);
            }
        }
    }
}

static void fit_box(fit *f, const st_camera *camera, double bounds[2][3], double tx, double ty) {
    for (int corner = 0; corner < 8; corner++) {
        double p[3];

        const double world[3] = {bounds[corner & 1][0], bounds[corner >> 1 & 1][1], bounds[corner >> 2][2]};
        st_camera_transform(camera, world, p);
        fit_point(f, p, tx, ty);
    }
}

static void fit_eye(st_camera *camera, const st_picture *picture, const st_picture_view *view, bool whole_box,
                    double bounds[2][3]) {
    fit f = {{-1e300, -1e300}, {-1e300, -1e300}, -1e300};
    const double tx = margin * camera->middle / camera->focal, ty = margin * camera->half_height / camera->focal;

    // A and B in both directions, of the box or of all points
    if (whole_box) fit_box(&f, camera, bounds, tx, ty);
    else fit_shapes(&f, camera, picture, tx, ty);

    // the larger distance wins; x and y are centered for any distance
    double distance = fmax((f.x[0] + f.x[1]) / (2 * tx), (f.y[0] + f.y[1]) / (2 * ty));
    distance = fmax(distance, f.front + 0.5); // not inside a point or a line seen end on
    camera->eye[0] = (f.x[0] - f.x[1]) / 2;
    camera->eye[1] = (f.y[0] - f.y[1]) / 2;
    camera->eye[2] = distance;

    camera->focal *= view->zoom;
}

// A given eye: the target is the origin, and its distance the unit of length.
static st_status set_eye(st_camera *camera, const st_picture_view *view, st_image_error *error) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
        camera->origin[k] = view->target[k];
        square += (view->eye[k] - view->target[k]) * (view->eye[k] - view->target[k]);
    }

    camera->scale = sqrt(square);
    camera->eye[2] = 1;

    if (camera->scale > 1e-30 && camera->scale < 1e100) return ST_OK;
    return st_image_fail(error, ST_INVALID, "the eye is at a distance of %g from its target", camera->scale);
}

static st_status set_view(st_camera *camera, const st_picture *picture, const st_picture_view *view,
                          st_image_error *error) {
    double bounds[2][3];
    const bool some = st_picture_bounds(picture, bounds), whole_box = view->has_bounds || !some;

    // the box that is given; a cube of two units where nothing is drawn
    for (int i = 0; i < 6 && whole_box; i++) {
        const int side = i / 3, k = i % 3;
        bounds[side][k] = view->has_bounds ? view->bounds[side][k] : 2 * side - 1;
    }

    if (!set_scale(camera, bounds)) return st_image_fail(error, ST_INVALID, "the bounds of the view are not finite");
    fit_eye(camera, picture, view, whole_box, bounds);
    return ST_OK;
}

st_status st_camera_init(st_camera *camera, const st_picture *picture, const st_picture_view *view, double width,
                         double height, st_image_error *error) {
    const st_status status = set_axes(camera, view, error);
    if (status != ST_OK) return status;

    // the lens
    if (!(view->field_of_view >= 1 && view->field_of_view <= 150))
        return st_image_fail(error, ST_INVALID, "a field of view of %g degrees: 1 to 150 can be drawn",
                             view->field_of_view);
    if (!(view->zoom >= 1e-3 && view->zoom <= 1e3))
        return st_image_fail(error, ST_INVALID, "a zoom of %g: 0.001 to 1000 can be drawn", view->zoom);

    camera->half_width = width / 2;
    camera->half_height = height / 2;
    camera->middle = (picture->legend.title ? 1 - bar_width : 1) * camera->half_width;
    camera->focal = camera->half_height / tan(view->field_of_view * (acos(-1.0) / 360));
    for (int k = 0; k < 3; k++) camera->eye[k] = 0;

    return view->has_eye ? set_eye(camera, view, error) : set_view(camera, picture, view, error);
}

void st_camera_transform(const st_camera *camera, const double world[3], double result[3]) {
    double p[3];
    for (int k = 0; k < 3; k++) p[k] = (world[k] - camera->origin[k]) / camera->scale;

    // absurdly far points are brought nearer, so that clipping keeps its precision
    for (int k = 0; k < 3; k++) {
        const double x = camera_dot(camera->axes[k], p) - camera->eye[k];
        result[k] = x > far_limit ? far_limit : (x < -far_limit ? -far_limit : x);
    }
}

void st_camera_project(const st_camera *camera, const double point[3], double *x, double *y) {
    *x = camera->middle - camera->focal * point[0] / point[2];
    *y = camera->half_height + camera->focal * point[1] / point[2];
}
