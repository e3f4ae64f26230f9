// Files that exporters write when a program asks for them.
//
// SPDX-License-Identifier: Apache-2.0
#include "api/scene.h"
#include "io/exporter.h"
#include "settee/settee.h"

st_status st_object_export(st_object *object) {
    if (!object || !object->scene) return ST_INVALID;
    if (!st_scene_enter(object->scene)) return ST_BUSY;

    st_status status = ST_INVALID;
    if (!st_is_a(object, &st_exporter_class) || !object->scene->initialized || !st_is_valid(object))
        st_message(object, ST_ERROR, "nothing is written: it is no exporter, or not initialized");
    else status = st_exporter_write((st_exporter *)object) ? ST_OK : ST_FAILED;

    st_scene_leave(object->scene);
    return status;
}
