// The camera of a picture: from the world to camera axes, and from there to the screen.
//
// Camera axes: x right, y up, z toward the viewer, the eye at the origin. Lengths are divided by the size of what is
// looked at, so that every later number is of order one whatever the units of the scene.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VISUAL_CAMERA_H
#define SETTEE_VISUAL_CAMERA_H

#include "visual/picture.h"

typedef struct st_camera {
    double axes[3][3];              // rows: right, up, back
    double origin[3];               // a point of the world
    double scale;                   // a length of the world
    double eye[3];                  // relative to the origin, in axes and scale
    double focal;                   // samples per unit of x / w
    double half_width, half_height; // of the screen, in samples
    double middle;                  // column of what is straight ahead: left of the middle where a color bar is
} st_camera;

// Points nearer to the eye's plane than this are cut away.
#define ST_CAMERA_NEAR 1e-3

st_status st_camera_init(st_camera *camera, const st_picture *picture, const st_picture_view *view, double width,
                         double height, st_image_error *error);

// NaN stays NaN; what is absurdly far away is brought nearer, so that clipping keeps its precision.
void st_camera_transform(const st_camera *camera, const double world[3], double result[3]);

// For points with -z >= ST_CAMERA_NEAR.
void st_camera_project(const st_camera *camera, const double point[3], double *x, double *y);

#endif
