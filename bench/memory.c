// How much memory does a scene with a direct solver hold in a steady step, compared to its matrix and its factor?
//
//     memory [SCENE]...
//
// For each scene, by default some of ../shared: the matrix (values, columns, starts), the factor (its entries without
// padding, and its pivots), all that the solver keeps (the factor with its padding, plan and workspace), and how many
// times matrix and factor that is, together with the matrix. Then everything that the process holds after three steps
// beyond what it held before the scene was made, states, meshes and elements included, and its ratio. One thread.
//
// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "linalg/ldl.h"
#include "settee/matrix.h"
#include "settee/settee.h"

#define SHARED "../shared"

static size_t held(void) {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static size_t matrix_bytes(const st_matrix_view *a) {
    const size_t b = (size_t)a->block, rows = a->rows / b, blocks = a->starts[rows];
    return blocks * (b * b * sizeof(st_real) + sizeof(int32_t)) + (rows + 1) * sizeof(size_t);
}

typedef struct factor_size {
    size_t factor; // bytes of the entries and pivots
    size_t held;   // of all that a solver keeps, its workspace included
} factor_size;

static factor_size measure_factor(const st_matrix_view *a) {
    factor_size size = {0};
    const int32_t rows = (int32_t)(a->rows / (size_t)a->block);
    st_bsr matrix;
    if (st_bsr_create(&matrix, a->block, rows, rows, a->starts, a->columns) != ST_OK) return size;

    const size_t scalars = st_bsr_count(&matrix) * (size_t)(a->block * a->block);
    for (size_t k = 0; k < scalars; k++) matrix.values[k] = a->values[k];

    const size_t before = held();
    st_ldl *ldl = st_ldl_create();
    if (ldl && st_ldl_analyze(ldl, NULL, &matrix, ST_ORDERING_BEST, ST_LDL_LATER_ROW) == ST_OK)
        size = (factor_size){(st_ldl_entries(ldl) + a->rows) * sizeof(st_real), held() - before};

    st_ldl_free(ldl);
    st_bsr_free(&matrix);
    return size;
}

static void measure(const char *path) {
    const char *const data[] = {SHARED "/conformance/sofa/share", SHARED "/conformance/sofa/examples", NULL};
    st_config config = st_default_config();
    config.data_paths = data;

    const size_t before = held();
    st_scene *scene = st_scene_create(&config);
    bool ok = scene && st_scene_load(scene, path) == ST_OK && st_scene_init(scene) == ST_OK;

    // the first steps allocate
    for (int i = 0; ok && i < 3; i++) ok = st_scene_step(scene, 0) == ST_OK;
    const size_t after = held();

    // compared with its matrix and its factor
    st_matrix_view a;
    st_system *system = ok ? st_scene_system(scene, NULL) : NULL;
    if (system && st_system_matrix(system, ST_MATRIX_A, &a) == ST_OK) {
        const factor_size size = measure_factor(&a);
        const double mib = 1.0 / (1 << 20), matrix = (double)matrix_bytes(&a) * mib;
        const double factor = (double)size.factor * mib, all = (double)(after - before) * mib;
        const double solver = (double)size.held * mib;
        printf("%-34s %7zu %9.2f %9.2f %9.2f %6.2f %9.2f %6.2f\n", strrchr(path, '/') + 1, a.rows, matrix, factor,
               solver, (matrix + solver) / (matrix + factor), all, all / (matrix + factor));
    } else printf("%s has no matrix\n", path);

    st_scene_destroy(scene);
}

int main(int argc, char **argv) {
    static char *scenes[] = {
        SHARED "/conformance/sofa/examples/Benchmark/Performance/MatrixAssembly/MatrixAssembly_direct.scn",
        SHARED "/conformance/sofa/examples/Component/LinearSolver/Direct/FEMBAR_SparseLDLSolver.scn",
        SHARED "/bench/scale/bar_hexa_ldl_5.scn",
        SHARED "/bench/scale/bar_hexa_ldl_8.scn",
        SHARED "/bench/scale/bar_hexa_ldl_12.scn",
        SHARED "/bench/scale/bar_tetra_ldl_8.scn",
        SHARED "/bench/scale/bar_tetra_ldl_12.scn",
        SHARED "/bench/scale/bar_tetra_ldl_16.scn",
    };

    // the scenes of the arguments, or all of these
    printf("%-34s %7s %9s %9s %9s %6s %9s %6s\n", "scene, MiB", "n", "matrix", "factor", "solver", "ratio", "all",
           "ratio");
    if (argc > 1)
        for (int i = 1; i < argc; i++) measure(argv[i]);
    else
        for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) measure(scenes[i]);
    return 0;
}
