// How close to the memory bandwidth is the assembly of a matrix into known slots, and what does the projection of a
// mapped stiffness cost?
//
// Assembly: the tetrahedra of a grid of 40³ cells (5 a cell) add their 12 × 12 matrices, which are in memory, to a
// matrix of 3 × 3 blocks whose slots were recorded. The yardstick streams the same memory: it reads the element
// matrices, the lists of slots, and reads and writes the values of the matrix, each once and in order.
//
// Projection: 10⁴ springs between points that each follow 8 parents (as in a hexahedral grid), JᵀKJ by the plan,
// against the same multiplications and additions on blocks that stay in the cache.
//
// Lanes: scenes with an independent and a mapped part of the same size, which are assembled at the same time. One is
// made of elements, whose loops the threads share anyway; in the other there are springs, which one thread adds up.
//
// Best of several tries on one core, in time of the processor; the lanes on one and two cores, in time of the clock.
// Ratios are what counts.
//
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "assembly/matrix_sink.h"
#include "base/array.h"
#include "base/clock.h"
#include "linalg/block_product.h"
#include "scene/scene.h"
#include "settee/plugin/solver.h"

enum { SIDE = 40, TRIES = 7, SPRINGS = 10000, PARENTS = 1000 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---------------------------------------------------------------------------------------------------
// Assembly
// ---------------------------------------------------------------------------------------------------

static uint32_t node_at(int x, int y, int z) { return (uint32_t)(x + (SIDE + 1) * (y + (SIDE + 1) * z)); }

static size_t make_elements(uint32_t (*elements)[4]) {
    static const int corners[5][4] = {{0, 1, 2, 4}, {3, 1, 2, 7}, {5, 1, 4, 7}, {6, 2, 4, 7}, {1, 2, 4, 7}};
    size_t count = 0;
    for (int z = 0; z < SIDE; z++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                for (int e = 0; e < 5; e++, count++)
                    for (int k = 0; k < 4; k++) {
                        const int c = corners[e][k];
                        elements[count][k] = node_at(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
                    }
    return count;
}

static void add_all(st_assembly *assembly, size_t count, const uint32_t (*elements)[4], const st_real *matrices) {
    const size_t n = 3 * (size_t)(SIDE + 1) * (SIDE + 1) * (SIDE + 1);
    st_matrix_sink sink;
    st_matrix_sink_init(&sink, assembly, (st_window){.rows = n, .cols = n}, (st_real)-0.01);
    st_assembly_part(assembly, 0);
    for (size_t i = 0; i < count; i++) st_add_element(&sink.sink, 4, elements[i], 3, matrices + 144 * i);
}

static double stream(const st_assembly *a, size_t count, const st_real *matrices) {
    const size_t scalars = 9 * st_bsr_count(&a->matrix);
    st_real sum = 0, sums[4] = {0};
    uint32_t slots = 0;

    // what an assembly must read and write at least
    const double begin = now();
    for (size_t k = 0; k < scalars; k++) a->matrix.values[k] = 0;
    for (size_t k = 0; k < scalars; k++) a->matrix.values[k] += (st_real)0.5;
    for (size_t k = 0; k + 4 <= 144 * count; k += 4)
        for (size_t i = 0; i < 4; i++) sums[i] += matrices[k + i];
    for (size_t k = 0; k < a->slots.list.count; k++) slots += a->slots.list.data[k];

    const double seconds = now() - begin;
    sum = sums[0] + sums[1] + sums[2] + sums[3];
    return sum + (st_real)slots == 0 ? 0 : seconds;
}

static void assembly(void) {
    const size_t n = 3 * (size_t)(SIDE + 1) * (SIDE + 1) * (SIDE + 1), most = 5 * (size_t)SIDE * SIDE * SIDE;
    uint32_t(*elements)[4] = st_alloc(most, sizeof *elements);
    st_real *matrices = st_alloc(most * 144, sizeof *matrices);
    st_assembly a = {0};
    if (!elements || !matrices) return;

    const size_t count = make_elements(elements);
    for (size_t k = 0; k < count * 144; k++) matrices[k] = (st_real)(1 + k % 7);

    // once: the pattern and its slots
    const double recording = now();
    st_assembly_begin_record(&a, 3, n, 1, false);
    add_all(&a, count, (const uint32_t(*)[4])elements, matrices);
    st_assembly_end_record(&a);
    const double recorded = now() - recording;

    // each step: zero, then add into known slots
    double best = 1e9, yardstick = 1e9;
    for (int i = 0; i < TRIES; i++) {
        const double begin = now();
        st_assembly_begin_add(&a, NULL);
        add_all(&a, count, (const uint32_t(*)[4])elements, matrices);
        const double seconds = now() - begin, streamed = stream(&a, count, matrices);
        if (seconds < best) best = seconds;
        if (streamed < yardstick) yardstick = streamed;
    }

    printf("assembly    %zu elements, %zu blocks: %.1f ms, streaming the same memory %.1f ms: %.0f %%\n", count,
           st_bsr_count(&a.matrix), 1e3 * best, 1e3 * yardstick, 100 * yardstick / best);
    printf("pattern     recorded and compressed once: %.0f ms, as long as %.1f assemblies\n", 1e3 * recorded,
           recorded / best);

    st_assembly_free(&a);
    st_free(elements);
    st_free(matrices);
}

// ---------------------------------------------------------------------------------------------------
// Projection
// ---------------------------------------------------------------------------------------------------

static void add_springs(st_assembly *k) {
    static const st_real block[9] = {2, 1, 0, 1, 3, 1, 0, 1, 4}, other[9] = {-2, -1, 0, -1, -3, -1, 0, -1, -4};
    st_matrix_sink sink;
    st_matrix_sink_init(&sink, k, st_assembly_window(k), 1);
    st_assembly_part(k, 0);
    for (size_t i = 0; i < SPRINGS; i++) {
        const size_t a = 3 * i, b = 3 * ((i + 1) % SPRINGS);
        st_add_3x3(&sink.sink, a, a, block);
        st_add_3x3(&sink.sink, a, b, other);
        st_add_3x3(&sink.sink, b, a, other);
        st_add_3x3(&sink.sink, b, b, block);
    }
}

static void add_weights(st_assembly *j) {
    st_matrix_sink sink;
    st_matrix_sink_init(&sink, j, st_assembly_window(j), 1);
    st_assembly_part(j, 0);
    for (size_t i = 0; i < SPRINGS; i++) {
        for (size_t c = 0; c < 8; c++) {
            const size_t parent = (i * PARENTS / SPRINGS + (c & 1) + (c >> 1 & 1) * 10 + (c >> 2) * 100) % PARENTS;
            const st_real w = (st_real)(1 + c) / 36, block[9] = {w, 0, 0, 0, w, 0, 0, 0, w};
            st_add_3x3(&sink.sink, 3 * i, 3 * parent, block);
        }
    }
}

static void record(st_assembly *m, size_t rows, size_t cols, void (*fill)(st_assembly *)) {
    st_assembly_begin_record_blocks(m, 3, 3, rows, cols, 1, false);
    if (fill) fill(m);
    st_assembly_end_stream(m);

    // a product is recorded by its reservation, the others by filling them
    if (!fill) return;
    st_assembly_end_record(m);
    st_assembly_begin_add(m, NULL);
    fill(m);
}

// The same number of 3 × 3 products on blocks in the first-level cache, each sum of eight products in registers.
static double flops_bound(size_t products) {
    static st_real a[64 * 9], b[64 * 9], c[64 * 9];
    for (size_t k = 0; k < 64 * 9; k++) a[k] = b[k] = (st_real)(k % 5) / 5;

    const double begin = now();
    for (size_t p = 0; p < products; p += 8) {
        st_real sum[9] = {0};
        for (size_t q = p; q < p + 8; q++) {
            const st_real *x = a + 9 * (q % 64), *y = b + 9 * (q / 8 % 64);
            for (size_t i = 0; i < 3; i++)
                for (size_t k = 0; k < 3; k++)
                    for (size_t j = 0; j < 3; j++) sum[i * 3 + j] += x[i * 3 + k] * y[k * 3 + j];
        }
        for (size_t k = 0; k < 9; k++) c[9 * (p / 8 % 64) + k] += sum[k];
    }
    return now() - begin;
}

static void projection(void) {
    st_assembly k = {0}, j = {0}, jtk = {0}, jtkj = {0};
    st_block_product first = {0}, second = {0};

    // patterns of K, J, JᵀK and JᵀKJ
    record(&k, SPRINGS, SPRINGS, add_springs);
    record(&j, SPRINGS, PARENTS, add_weights);
    record(&jtk, PARENTS, SPRINGS, NULL);
    st_block_product_record(&j.matrix, true, &k.matrix, &jtk.pattern);
    st_assembly_end_record(&jtk);
    record(&jtkj, PARENTS, PARENTS, NULL);
    st_block_product_record(&jtk.matrix, false, &j.matrix, &jtkj.pattern);
    st_assembly_end_record(&jtkj);
    if (st_block_product_plan(&first, &j.matrix, true, &k.matrix, &jtk.matrix) != ST_OK) return;
    if (st_block_product_plan(&second, &jtk.matrix, false, &j.matrix, &jtkj.matrix) != ST_OK) return;

    // how many products of blocks the plans hold
    const size_t products = first.starts[st_bsr_count(&jtk.matrix)] + second.starts[st_bsr_count(&jtkj.matrix)];

    double best = 1e9, bound = 1e9;
    for (int i = 0; i < TRIES; i++) {
        const double begin = now();
        st_assembly_begin_add(&jtk, NULL);
        st_assembly_begin_add(&jtkj, NULL);
        st_block_product_add(&first, NULL, &j.matrix, &k.matrix, &jtk.matrix);
        st_block_product_add(&second, NULL, &jtk.matrix, &j.matrix, &jtkj.matrix);
        const double seconds = now() - begin, least = flops_bound(products);
        if (seconds < best) best = seconds;
        if (least < bound) bound = least;
    }

    printf("projection  %d springs, %zu products of blocks: %.2f ms, bound by arithmetic %.2f ms: %.2f times\n",
           SPRINGS, products, 1e3 * best, 1e3 * bound, best / bound);

    st_block_product_free(&first);
    st_block_product_free(&second);
    st_assembly_free(&k);
    st_assembly_free(&j);
    st_assembly_free(&jtk);
    st_assembly_free(&jtkj);
}

// ---------------------------------------------------------------------------------------------------
// Lanes
// ---------------------------------------------------------------------------------------------------

#define GRID(n) "<RegularGridTopology n='" n "' min='0 0 0' max='1 1 1'/><MechanicalObject/>"
#define FEM "<HexahedronFEMForceField youngModulus='1000' poissonRatio='0.3' method='large'/>"
#define SPRINGS_FORCE "<RegularGridSpringForceField linesStiffness='100' cubesStiffness='50'/>"
#define CHILD(grid, force) "<Node>" grid "<BarycentricMapping/>" force "</Node>"

static const struct {
    const char *name, *scene;
} lane_scenes[] = {
    {"elements", GRID("24 24 24") "<UniformMass totalMass='1'/>" FEM CHILD(GRID("23 23 23"), FEM)},
    {"springs", GRID("24 24 24") "<UniformMass totalMass='1'/>" SPRINGS_FORCE CHILD(GRID("15 15 15"), SPRINGS_FORCE)},
};

static double build_seconds(const char *body, int threads) {
    char text[2048];
    double best = 1e9;
    st_config config = st_default_config();

    config.threads = threads;

    st_scene *scene = st_scene_create(&config);
    snprintf(text, sizeof text,
             "<Node dt='0.01'><DefaultAnimationLoop/><EulerImplicitSolver/><MatrixLinearSystem name='system'/>"
             "<CGLinearSolver linearSystem='@system' template='CompressedRowSparseMatrixMat3x3d' iterations='1' "
             "tolerance='1e-9' threshold='1e-9'/>%s</Node>",
             body);

    // one step records the pattern
    if (!scene || !st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)) ||
        !st_succeeded(st_scene_init(scene)) || st_scene_step(scene, 0) != ST_OK)
        best = 0;
    st_system *system = best > 0 ? (st_system *)st_scene_find(scene, "/system") : NULL;

    // then only the building of the matrix is timed
    for (int i = 0; system && i < 5 * TRIES; i++) {
        const st_params params = system->params;
        const double begin = st_clock_seconds();
        system->object.type->system->build(system, &params);
        const double seconds = st_clock_seconds() - begin;
        if (seconds < best) best = seconds;
    }

    st_scene_destroy(scene);
    return best;
}

static void lanes(void) {
    for (size_t i = 0; i < sizeof lane_scenes / sizeof *lane_scenes; i++) {
        const double one = build_seconds(lane_scenes[i].scene, 1), two = build_seconds(lane_scenes[i].scene, 2);
        printf("lanes       independent and mapped %s: %.2f ms, with two threads %.2f ms: %.2f times as fast\n",
               lane_scenes[i].name, 1e3 * one, 1e3 * two, one / two);
    }
}

int main(void) {
    assembly();
    projection();
    lanes();
    return 0;
}
