// MouseInteractor: where SOFA's window lets the mouse act on a scene. Without a window it does nothing.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/plugin/state.h"

static st_status mouse_interactor_init(st_object *object) {
    const st_object *state = st_find(object->node, ST_ROLE(state), ST_LOCAL);
    if (state && state->dof == object->dof) return ST_OK;
    return st_invalid(object, "there is no mechanical state of type %s in its node",
                      object->dof ? object->dof->name : "(none)");
}

const st_class st_mouse_interactor_class = {
    .name = "MouseInteractor",
    .help = "where SOFA's window lets the mouse act; nothing without a window",
    .kind = "haptics",
    .parent = &st_object_class,
    .templates = "Vec2 Vec3 Rigid3",
    .default_template = "Vec3",
    .size = sizeof(st_object),
    .init = mouse_interactor_init,
};
