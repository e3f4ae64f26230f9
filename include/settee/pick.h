// Picking: what a ray meets, and a spring by which a program pulls at it, as a mouse does.
//
//     st_pick pick;
//     st_object *spring;
//     if (st_scene_pick(scene, eye, direction, &pick) == ST_OK &&          // a button goes down
//         st_pick_attach(&pick, 1000, &spring) == ST_OK) {
//         st_pick_move(spring, target);                                    // the mouse moves, the scene steps
//         st_scene_step(scene, 0);
//         st_pick_release(spring);                                         // the button goes up
//     }
//
// All of it between steps or in callbacks of events, by the thread of the scene. A spring is an ordinary component,
// PulledPointForceField, in the node of the state that it pulls: it acts as the other forces there do.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PICK_H
#define SETTEE_PICK_H

#include "settee/settee.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ST_PICK_DOFS = 4 };

typedef struct st_pick {
    st_object *model; // collision model that the ray meets; NULL: none, `state` has the DOF nearest to the ray
    st_object *state;
    uint32_t element; // of the model; without one, the DOF
    size_t count;     // DOFs of the state that carry the point
    uint32_t dofs[ST_PICK_DOFS];
    st_real weights[ST_PICK_DOFS]; // barycentric: their sum is 1
    st_real local[3]; // the place in the frame dofs[0] of a Rigid3 state; on a sphere, from its center; else 0
    st_real point[3];
    st_real distance; // from the origin of the ray to the point, along it
} st_pick;

// The first body that a ray from `origin` along `direction`, of any length, meets: triangles, tetrahedra, spheres, boxes and
// rigid distance grids of simulated collision models, as the last detection knew them. Where there is none, the DOF
// nearest to the ray, of a Vec3 or Rigid3 state without the tag NoPicking that is no obstacle's; the nearer one of several.
// ST_NOT_FOUND: nothing is ahead of the origin. ST_INVALID: the scene is not initialized, or the numbers make no ray.
ST_API st_status st_scene_pick(st_scene *scene, const st_real origin[3], const st_real direction[3], st_pick *pick);

// A spring of this stiffness (force per length) between the picked point and a target, which is where the point is at
// first. ST_INVALID: the stiffness is no positive number, or the pick does not fit its state any more (it was removed, or its
// mesh has changed). A spring lives as long as the scene: it can be released when its body is gone.
ST_API st_status st_pick_attach(const st_pick *pick, st_real stiffness, st_object **spring);
// Where the point is drawn to from now on. ST_INVALID: it is no spring, it was released, or the target is not finite.
ST_API st_status st_pick_move(st_object *spring, const st_real target[3]);
// The body is free again, and the spring must not be used any more: later picks may get it.
ST_API st_status st_pick_release(st_object *spring);

#ifdef __cplusplus
}
#endif
#endif
