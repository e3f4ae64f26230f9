// SPDX-License-Identifier: Apache-2.0
#include "scene/compat.h"

#include "scene/scene.h"

static const st_compat_entry entries[ST_COMPAT_COUNT] = {
    [ST_COMPAT_BDF_HISTORY] =
        {
            .name = "bdf-history",
            .reason = "BDFOdeSolver of order 2 and more keeps the current state in every slot of its history, so that it is "
                      "a backward Euler step of reduced length. Off: the real backward differentiation formula.",
            .scene = "any scene with BDFOdeSolver order >= 2",
        },
    [ST_COMPAT_GRID_SPRINGS_NOT_ASSEMBLED] =
        {
            .name = "grid-springs-not-assembled",
            .reason = "RegularGridSpringForceField puts only its custom springs into assembled matrices, not those of the "
                      "grid (matrix-free products have both). Off: all springs.",
            .scene = "any scene with RegularGridSpringForceField and an assembled solver",
        },
    [ST_COMPAT_MULTISTEP_TIME] =
        {
            .name = "multistep-time",
            .reason = "MultiStepAnimationLoop with several collision steps advances the time by dt / collisionSteps only. "
                      "Off: by dt.",
            .scene = "any scene with MultiStepAnimationLoop collisionSteps >= 2",
        },
};

bool st_compat_on(const st_scene *scene, st_compat entry) {
    (void)entry; // entries are switched together; the argument names the place in the code
    return scene->compat;
}

bool st_describe_compat(size_t index, st_compat_entry *entry) {
    if (index >= ST_COMPAT_COUNT) return false;
    *entry = entries[index];
    return true;
}
