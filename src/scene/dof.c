// Types of degrees of freedom, and the arithmetic of their coordinates.
//
// Rigid3: a coordinate is a center and a quaternion, a derivative a linear and an angular part, both in world axes.
// Adding composes the rotation with the exponential of the angular part, on the left, without renormalization.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "math/rigid.h"
#include "settee/plugin/dof.h"

const st_dof st_vec1 = {.name = "Vec1", .coord = 1, .deriv = 1, .spatial = 1};
const st_dof st_vec2 = {.name = "Vec2", .coord = 2, .deriv = 2, .spatial = 2};
const st_dof st_vec3 = {.name = "Vec3", .coord = 3, .deriv = 3, .spatial = 3};
const st_dof st_vec6 = {.name = "Vec6", .coord = 6, .deriv = 6, .spatial = 3};
const st_dof st_rigid2 = {.name = "Rigid2", .coord = 3, .deriv = 3, .spatial = 2, .rigid = true};
const st_dof st_rigid3 = {.name = "Rigid3", .coord = 7, .deriv = 6, .spatial = 3, .rigid = true};

const st_dof *st_dof_by_name(const char *name, bool *deprecated) {
    static const st_dof *const all[] = {&st_vec1, &st_vec2, &st_vec3, &st_vec6, &st_rigid2, &st_rigid3};

    // the one old name without a digit
    if (strcmp(name, "Rigid") == 0) {
        if (deprecated) *deprecated = true;
        return &st_rigid3;
    }

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const size_t length = strlen(all[i]->name);
        if (strncmp(name, all[i]->name, length) != 0) continue;

        // Vec3d and Vec3f mean Vec3: the precision is that of the build
        const char *rest = name + length;
        if (strcmp(rest, "f") == 0 && deprecated) *deprecated = true;
        if (!*rest || strcmp(rest, "d") == 0 || strcmp(rest, "f") == 0) return all[i];
    }

    return NULL;
}

void st_dof_set_zero(const st_dof *dof, st_real *x) {
    for (size_t i = 0; i < dof->coord; i++) x[i] = 0;
    if (dof->coord == 7) x[6] = 1;
}

// The factor is applied to the derivative first; 1 is not multiplied at all.
void st_dof_add(const st_dof *dof, st_real *x, const st_real *d, st_real k) {
    if (dof->coord == 7) {
        st_real scaled[6];
        for (int i = 0; i < 6; i++) scaled[i] = k == 1 ? d[i] : d[i] * k;
        st_rigid_add_deriv(x, x, scaled);
        return;
    }

    for (size_t i = 0; i < dof->coord; i++) x[i] += k == 1 ? d[i] : d[i] * k;
}

void st_dof_difference(const st_dof *dof, st_real *d, const st_real *a, const st_real *b) {
    if (dof->coord == 7) {
        st_rigid_difference(d, a, b);
        return;
    }

    if (dof->rigid) {
        st_rigid2_difference(d, a, b);
        return;
    }

    for (size_t i = 0; i < dof->coord; i++) d[i] = a[i] - b[i];
}
