// How close to the memory bandwidth does one iteration of CGLinearSolver run?
//
// The matrix has 3 × 3 blocks in the pattern of a 27-point stencil on a grid of 60³ nodes, 420 MB in double: far
// beyond the caches. The solver itself is run, on a system that has this matrix: q = A p, d = pᵀq, x += a p, r -= a q,
// rᵀr, p = r + b p. The bytes that an iteration must move are those of the matrix (values, column numbers, row starts)
// and of the vectors, each counted once per pass.
// The yardstick is the triad a[i] = b[i] + s c[i], measured in between on the same core. Best of several tries.
//
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/array.h"
#include "linalg/bsr.h"
#include "scene/scene.h"
#include "solver/cg_linear_solver.h"

enum { SIDE = 60, TRIAD_COUNT = 8 << 20, TRIES = 7, ITERATIONS = 8 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Neighbors of a node in increasing order; counts only when columns is NULL.
static size_t neighbors(int node, int32_t *columns) {
    const int x = node % SIDE, y = node / SIDE % SIDE, z = node / SIDE / SIDE;
    size_t count = 0;
    for (int k = z - 1; k <= z + 1; k++)
        for (int j = y - 1; j <= y + 1; j++)
            for (int i = x - 1; i <= x + 1; i++) {
                if (i < 0 || j < 0 || k < 0 || i >= SIDE || j >= SIDE || k >= SIDE) continue;
                if (columns) columns[count] = i + SIDE * (j + SIDE * k);
                count++;
            }
    return count;
}

static bool make_matrix(st_bsr *matrix) {
    const int nodes = SIDE * SIDE * SIDE;
    size_t *starts = st_alloc((size_t)nodes + 1, sizeof *starts);
    int32_t *columns = st_alloc((size_t)nodes * 27, sizeof *columns);

    // 27 neighbors, fewer at the border
    bool made = starts && columns;
    if (made) {
        for (int i = 0; i < nodes; i++) starts[i + 1] = starts[i] + neighbors(i, columns + starts[i]);
        made = st_bsr_create(matrix, 3, nodes, nodes, starts, columns) == ST_OK;
    }

    st_free(starts);
    st_free(columns);
    if (!made) return false;

    // Diagonally dominant: 60 on the diagonal, -1 / (1 + number of the scalar in its block) elsewhere.
    for (int row = 0; row < nodes; row++)
        for (size_t s = matrix->starts[row]; s < matrix->starts[row + 1]; s++)
            for (int e = 0; e < 9; e++)
                matrix->values[9 * s + (size_t)e] =
                    matrix->columns[s] == row && e % 4 == 0 ? (st_real)60 : (st_real)-1 / (st_real)(1 + e);
    return true;
}

static double triad_gbs(st_real *a, const st_real *b, const st_real *c) {
    const double begin = now();
    for (size_t i = 0; i < TRIAD_COUNT; i++) a[i] = b[i] + 3 * c[i];
    return 3.0 * sizeof *a * TRIAD_COUNT / (now() - begin) / 1e9;
}

// ---------------------------------------------------------------------------------------------------
// A system that has the matrix, and the solver
// ---------------------------------------------------------------------------------------------------

typedef struct bench_system {
    st_system system;
    st_bsr matrix;
} bench_system;

static st_status multiply(st_system *system, const st_real *p, st_real *q) {
    st_bsr_multiply(&((bench_system *)system)->matrix, NULL, p, q);
    return ST_OK;
}

static const st_system_ops system_ops = {.multiply = multiply};
static const st_class system_class = {.name = "BenchSystem", .system = &system_ops};

static double iteration_gbs(st_linear_solver *solver) {
    const st_bsr *matrix = &((bench_system *)solver->system)->matrix;
    const size_t n = st_bsr_scalar_rows(matrix), count = st_bsr_count(matrix);

    // Passes over vectors: product 2 (p, q), pᵀq 2, step 6 (p, q, x twice, r twice), new direction 3.
    const double bytes = (double)count * (9 * sizeof(st_real) + sizeof(int32_t)) +
                         (double)matrix->rows * sizeof(size_t) + 13.0 * (double)n * sizeof(st_real);
    const double begin = now();
    if (st_linear_solve(solver) != ST_OK) return 0;
    return ITERATIONS * bytes / (now() - begin) / 1e9;
}

static int measure(st_linear_solver *solver, st_real *a, st_real *b, st_real *c) {
    for (size_t i = 0; i < TRIAD_COUNT; i++) {
        b[i] = 1;
        c[i] = 2;
    }
    iteration_gbs(solver); // the first solve looks at the matrix, too

    double triad = 0, cg = 0;
    for (int k = 0; k < TRIES; k++) {
        const double t = triad_gbs(a, b, c), g = iteration_gbs(solver);
        if (t > triad) triad = t;
        if (g > cg) cg = g;
    }

    printf("cg_iteration_3x3: %.2f GB/s, triad %.2f GB/s, ratio %.2f\n", cg, triad, cg / triad);
    return a[TRIAD_COUNT / 2] == 7 && solver->system->solution[0] != 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int run(st_scene *scene, bench_system *system) {
    static const char text[] = "<Node><DefaultAnimationLoop/></Node>";
    if (!st_succeeded(st_scene_load_text(scene, text, sizeof text - 1, NULL))) return EXIT_FAILURE;

    // the solver gets a system that has the matrix, and nothing else of a scene
    st_object *object = st_add_object(scene->root, "CGLinearSolver", "GraphScattered", "cg", false);
    const size_t n = st_bsr_scalar_rows(&system->matrix);
    system->system = (st_system){.object = {.type = &system_class, .scene = scene}, .version = 1, .size = n};
    system->system.rhs = st_alloc(n, sizeof(st_real));
    system->system.solution = st_alloc(n, sizeof(st_real));
    st_real *a = st_alloc(TRIAD_COUNT, sizeof *a), *b = st_alloc(TRIAD_COUNT, sizeof *b);
    st_real *c = st_alloc(TRIAD_COUNT, sizeof *c);

    // no tolerance: all iterations are made
    int result = EXIT_FAILURE;
    if (object && system->system.rhs && system->system.solution && a && b && c) {
        for (size_t i = 0; i < n; i++) system->system.rhs[i] = (st_real)(1 + i % 7);
        st_cg_linear_solver *cg = (st_cg_linear_solver *)object;
        cg->iterations = ITERATIONS;
        cg->tolerance = cg->threshold = 0;
        cg->solver.system = &system->system;
        result = measure(&cg->solver, a, b, c);
        cg->solver.system = NULL;
    }

    st_free(a);
    st_free(b);
    st_free(c);
    st_free(system->system.rhs);
    st_free(system->system.solution);
    return result;
}

int main(void) {
    bench_system system = {0};
    const st_config config = st_default_config();
    st_scene *scene = st_scene_create(&config);

    const int result = scene && make_matrix(&system.matrix) ? run(scene, &system) : EXIT_FAILURE;
    if (scene) st_scene_destroy(scene);
    st_bsr_free(&system.matrix);
    return result;
}
