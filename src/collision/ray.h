// Rays: the model and the tests for it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_RAY_H
#define SETTEE_COLLISION_RAY_H

#include "collision/collision.h"

typedef struct st_ray {
    st_real origin[3], direction[3]; // of length 1, or zero: it meets nothing
    st_real length;
} st_ray;

st_ray st_ray_of(const st_collision_model *model, size_t i);

// Where a ray first meets element j: of a triangle, tetrahedron, sphere, box or rigid grid. False: nowhere.
bool st_ray_meets(const st_ray *ray, const st_collision_model *model, size_t j, st_real point[3]);

// What every method begins with: what a ray goes through.
void st_intersection_enter_rays(st_intersection *method);
// Of NewProximityIntersection and LocalMinDistance: triangles that are nearer than the alarm distance.
void st_intersection_enter_near_rays(st_intersection *method);
// Of NewProximityIntersection: where rays go into spheres around frames, and out of them.
void st_intersection_enter_ray_hits(st_intersection *method);
// Of LocalMinDistance: spheres around points are met at their surfaces.
void st_intersection_enter_ray_surfaces(st_intersection *method);

#endif
