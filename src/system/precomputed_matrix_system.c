// The system of a PrecomputedWarpPreconditioner: its matrix is assembled by the first build, and kept.
//
// Compatibility: in SOFA it is never assembled, and stays a matrix of size 0.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene/compat.h"
#include "system/matrix_linear_system.h"

static bool precomputed_matrix_system_is_left_empty(const st_system *system) {
    return st_compat_on(system->object.scene, ST_COMPAT_PRECOMPUTED_WARP_EMPTY);
}

static st_status precomputed_matrix_system_build(st_system *system, const st_params *params) {
    const size_t former = system->size;
    const st_status status = st_system_prepare(system);
    if (status != ST_OK) return status;

    const bool built = ((const st_matrix_linear_system *)system)->built; // since the last reset
    if (!precomputed_matrix_system_is_left_empty(system) && (!built || system->size != former))
        return st_matrix_linear_system_class.system->build(system, params);

    system->params = *params;
    system->version++;
    system->factorization_invalid = true;
    return ST_OK;
}

static st_status precomputed_matrix_system_multiply(st_system *system, const st_real *p, st_real *q) {
    return st_matrix_linear_system_class.system->multiply(system, p, q);
}

static const st_bsr *precomputed_matrix_system_matrix(st_system *system) {
    return st_matrix_linear_system_class.system->matrix(system);
}

static const st_system_ops ops = {.build = precomputed_matrix_system_build,
                                  .multiply = precomputed_matrix_system_multiply,
                                  .matrix = precomputed_matrix_system_matrix,
                                  .is_left_empty = precomputed_matrix_system_is_left_empty};

const st_class st_precomputed_matrix_system_class = {
    .name = "PrecomputedMatrixSystem",
    .help = "linear system whose matrix is assembled once, for a PrecomputedWarpPreconditioner",
    .parent = &st_matrix_linear_system_class,
    .templates = "CompressedRowSparseMatrixd",
    .default_template = "CompressedRowSparseMatrixd",
    .size = sizeof(st_matrix_linear_system),
    .example = "<PrecomputedMatrixSystem/>",
    .system = &ops,
};
