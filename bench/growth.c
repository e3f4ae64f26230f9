// How do the costs of assembly and of an iteration grow with the model?
//
// Clamped bars of n × n × 4 n nodes, from 1,500 to 768,000 unknowns, of hexahedra and of tetrahedra (6 a cube), with an
// assembled matrix of 3 × 3 blocks and conjugate gradients. Printed are the time of an assembly per element, the first
// time with its pattern and later without, the time of one iteration per unknown, and the memory of the whole program
// per unknown: at its peak, which is when the pattern is recorded, and what the steps need. All should stay the
// same: what grows is the distance to memory, once the matrix does not fit into a cache any more.
//
// Each bar in a process of its own; times are of the processor, one thread, best of several.
//
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "scene/scene.h"
#include "settee/plugin/solver.h"
#include "system/matrix_linear_system.h"

enum { ITERATIONS = 25 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *const elements[] = {
    "<HexahedronFEMForceField name='fem' youngModulus='1e5' poissonRatio='0.3' method='large'/>",
    "<Node><TetrahedronSetTopologyContainer name='topology'/><TetrahedronSetTopologyModifier/>"
    "<Hexa2TetraTopologicalMapping input='@../grid' output='@topology' swapping='true'/>"
    "<TetrahedronFEMForceField name='fem' youngModulus='1e5' poissonRatio='0.3' method='large' "
    "topology='@topology'/></Node>",
};
static const char *const names[] = {"hexahedra", "tetrahedra"};
static const int per_cube[] = {1, 6};

static st_scene *make_bar(int n, int kind) {
    char text[4096], fixed[16384] = "";

    // The first layer of nodes.
    for (int i = 0; i < n * n; i++) snprintf(fixed + strlen(fixed), sizeof fixed - strlen(fixed), "%d ", i);

    char *scene = NULL;
    st_scene *made = st_scene_create(NULL);
    snprintf(text, sizeof text,
             "<Node dt='0.01' gravity='0 -9.81 0'><DefaultAnimationLoop/><EulerImplicitSolver/>"
             "<MatrixLinearSystem name='system' template='CompressedRowSparseMatrixMat3x3d'/>"
             "<CGLinearSolver name='solver' template='CompressedRowSparseMatrixMat3x3d' linearSystem='@system' "
             "iterations='%d' tolerance='1e-30' threshold='1e-30'/>"
             "<RegularGridTopology name='grid' n='%d %d %d' min='0 0 0' max='1 1 4'/><MechanicalObject/>"
             "<UniformMass totalMass='100'/>%s",
             ITERATIONS, n, n, 4 * n, elements[kind]);

    scene = st_string_format("%s<FixedProjectiveConstraint indices='%s'/></Node>", text, fixed);

    const bool ok =
        made && scene && st_scene_load_text(made, scene, strlen(scene), NULL) == ST_OK && st_scene_init(made) == ST_OK;
    st_free(scene);

    if (ok) return made;
    st_scene_destroy(made);
    return NULL;
}

typedef struct figures {
    size_t unknowns, elements;
    double first, assembly, iteration; // seconds
    double peak, steady;               // bytes
} figures;

static double bytes_now(void) {
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;

    const int found = fscanf(file, "%ld %ld", &pages, &resident);
    fclose(file);
    return found == 2 ? (double)resident * (double)sysconf(_SC_PAGESIZE) : 0;
}

static double best_of(int tries, st_status (*run)(void *), void *context) {
    double best = 1e9;
    for (int i = 0; i < tries; i++) {
        const double begin = now();
        if (run(context) != ST_OK) return 0;

        const double seconds = now() - begin;
        if (seconds < best) best = seconds;
    }
    return best;
}

static st_status build(void *context) {
    st_system *system = context;
    const st_params params = system->params;
    return system->object.type->system->build(system, &params);
}

static st_status solve(void *context) {
    st_linear_solver *solver = context;
    return solver->object.type->linear_solver->solve(solver);
}

static figures measure(int n, int kind) {
    figures f = {0};
    st_scene *scene = make_bar(n, kind);
    if (!scene || st_scene_step(scene, 0) != ST_OK) return f;

    st_matrix_linear_system *system = (st_matrix_linear_system *)st_scene_find(scene, "/system");
    st_linear_solver *solver = (st_linear_solver *)st_scene_find(scene, "/solver");
    const int tries = n > 20 ? 3 : n > 10 ? 10 : 50;

    // solving changes the right-hand side: it is kept
    st_real *b = st_alloc(system->system.size, sizeof *b);
    if (!b) return f;
    memcpy(b, system->system.rhs, system->system.size * sizeof *b);

    f.unknowns = system->system.size;
    f.elements = (size_t)(n - 1) * (size_t)(n - 1) * (size_t)(4 * n - 1) * (size_t)per_cube[kind];

    // steady steps
    f.assembly = best_of(tries, build, system);
    memcpy(system->system.rhs, b, system->system.size * sizeof *b);
    f.iteration = best_of(tries, solve, solver) / ITERATIONS;
    f.steady = bytes_now();

    // the pattern from scratch
    st_assembly_forget(&system->sum.assembly);
    f.first = best_of(1, build, system);

    st_free(b);
    st_scene_destroy(scene);

    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    f.peak = 1024 * (double)usage.ru_maxrss;
    return f;
}

static figures measure_apart(int n, int kind) {
    figures f = {0};
    int ends[2];
    if (pipe(ends) != 0) return f;

    const pid_t child = fork();
    if (child == 0) {
        const figures mine = measure(n, kind);
        _exit(write(ends[1], &mine, sizeof mine) == sizeof mine ? 0 : 1);
    }

    close(ends[1]);
    if (read(ends[0], &f, sizeof f) != sizeof f) f.unknowns = 0;
    close(ends[0]);
    waitpid(child, NULL, 0);
    return f;
}

int main(void) {
    printf("%-11s %9s %9s | %8s %8s | %9s %9s | %8s %8s\n", "bar", "unknowns", "elements", "ns/elem", "first", "ms",
           "ns/unkn.", "B/unkn.", "peak");

    // eight times as many nodes from one bar to the next
    for (int kind = 0; kind < 2; kind++)
        for (int n = 5; n <= 40; n *= 2) {
            const figures f = measure_apart(n, kind);
            if (f.unknowns == 0) {
                printf("%-11s %d x %d x %d does not run\n", names[kind], n, n, 4 * n);
                continue;
            }

            const double elements_count = (double)f.elements, unknowns = (double)f.unknowns;
            printf("%-11s %9zu %9zu | %8.0f %8.0f | %9.2f %9.2f | %8.0f %8.0f\n", names[kind], f.unknowns, f.elements,
                   1e9 * f.assembly / elements_count, 1e9 * f.first / elements_count, 1e3 * f.assembly,
                   1e9 * f.iteration / unknowns, f.steady / unknowns, f.peak / unknowns);
            fflush(stdout);
        }
    return 0;
}
