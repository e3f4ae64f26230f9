// The names of SofaCUDA: scenes written for the GPU run with the kernels of the processor.
//
//     template    CudaVec3f, CudaVec3d, CudaVec3f1 (padded), CudaRigid3f, ...   -> Vec3, Rigid3, ...
//     component   CudaX                                                         -> X
//                 CudaPoint, CudaPointModel (former names of collision models)  -> PointCollisionModel
//
// A scene that uses one of them gets one notice.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "scene/element.h"

static const char prefix[] = "Cuda";
static const char model[] = "Model", collision_model[] = "CollisionModel";

static const char *after_prefix(const char *name) {
    const size_t length = sizeof prefix - 1;
    return strncmp(name, prefix, length) == 0 && name[length] ? name + length : NULL;
}

const st_dof *st_cuda_dof(const char *name) {
    const char *rest = after_prefix(name);
    char host[16];
    if (!rest || strlen(rest) >= sizeof host) return NULL;
    snprintf(host, sizeof host, "%s", rest);

    // Vec3f1 is Vec3f in four numbers, for the alignment
    const size_t length = strlen(host);
    const bool padded = length > 2 && host[length - 1] == '1' && (host[length - 2] == 'f' || host[length - 2] == 'd');
    if (padded) host[length - 1] = '\0';

    return st_dof_by_name(host, NULL);
}

bool st_cuda_component(const char *name, unsigned form, char host[ST_CUDA_NAME]) {
    const char *rest = after_prefix(name);
    size_t length = rest ? strlen(rest) : 0;
    if (!rest || form >= ST_CUDA_FORMS || length + sizeof collision_model > ST_CUDA_NAME) return false;

    // X; the former names Point and PointModel of PointCollisionModel
    const size_t tail = sizeof model - 1;
    if (form > 0 && length > tail && strcmp(rest + length - tail, model) == 0) length -= tail;
    snprintf(host, ST_CUDA_NAME, "%.*s%s", (int)length, rest, form > 0 ? collision_model : "");
    return true;
}

void st_cuda_notice(const st_object *object, const char *name) {
    if (!st_first_time(&object->scene->root->object, "Cuda")) return;
    st_message(object, ST_NOTICE,
               "'%.120s' is a name of SofaCUDA: everything is computed by the processor, in %s precision", name,
               sizeof(st_real) == sizeof(float) ? "single" : "double");
}
