// Types of degrees of freedom.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLUGIN_DOF_H
#define SETTEE_PLUGIN_DOF_H

#include "settee/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// A type of degree of freedom is data: sizes, and whether its coordinate holds a rotation.
typedef struct st_dof {
    const char *name;
    size_t coord;   // scalars of a position
    size_t deriv;   // scalars of a velocity, force, displacement
    size_t spatial; // leading scalars that are a place in space (at most 3)
    bool rigid;     // Rigid3: center + quaternion; its coordinates do not add like numbers
} st_dof;

extern ST_API const st_dof st_vec1, st_vec2, st_vec3, st_vec6, st_rigid2, st_rigid3;
// Vec3, Vec3d, Vec3f, Rigid... ; NULL when it is none. `deprecated` (may be NULL) is set for the single-precision names.
ST_API const st_dof *st_dof_by_name(const char *name, bool *deprecated);

// Coordinate arithmetic of one DOF type (rigid coordinates are composed, not added).
ST_API void st_dof_set_zero(const st_dof *dof, st_real *x);                         // zeros, identity rotation
ST_API void st_dof_add(const st_dof *dof, st_real *x, const st_real *d, st_real k); // x ⊕= k d
ST_API void st_dof_difference(const st_dof *dof, st_real *d, const st_real *a, const st_real *b); // d = a ⊖ b

#ifdef __cplusplus
}
#endif
#endif
