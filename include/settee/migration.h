// What becomes of a scene that was made for SOFA: which of its components behave as they do there.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MIGRATION_H
#define SETTEE_MIGRATION_H

#include "settee/settee.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum st_fate {
    ST_FATE_SAME,      // as in SOFA
    ST_FATE_NO_EFFECT, // known, and without effect here: it shows or controls what does not matter for the mechanics
    ST_FATE_DIFFERENT, // a defect of SOFA that is not reproduced: st_scene_differences
    ST_FATE_INVALID,   // it could not be initialized: it does nothing
    ST_FATE_MISSING,   // it could not be created: it is not known here, or does not fit
} st_fate;

typedef struct st_migration {
    const st_object *object; // of a missing component: what stands for it
    const char *component;   // its class, as the scene names it
    st_fate fate;
    const char *why; // or ""
} st_migration;

// Every component of an initialized scene, in the order of st_scene_object.
ST_API void st_scene_migration(st_scene *scene, void (*report)(void *user, const st_migration *), void *user);
ST_API const char *st_fate_name(st_fate fate); // "as in SOFA", "without effect here", ...

#ifdef __cplusplus
}
#endif
#endif
