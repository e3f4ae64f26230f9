// What mappings cost: the search of a barycentric mapping, its products, and the projection of a mapped stiffness.
//
//   barycentric init    1e5 points at random places in a block of 1e5 tetrahedra; goal: below 1 s. By the hash of a
//                       container, and by the tree of a plain mesh.
//   apply, applyJT      bytes that must move (row starts, nodes, weights, child, each once) against the triad
//                       a[i] = b[i] + s c[i]; goal: 0.5
//   projection          Jᵀ K J of 1e4 springs on the skin of that block, and of the bodies on rigid frames of SOFA's
//                       CompositeLinearSystem scene (where ../shared exists), patterns known: time against that of as
//                       many 3 × 3 products in the cache; goal: at most 2.5. Also in operations a second, 54 a product
//   renaming            the assembled matrix of a body whose elements are behind an identity mapping, against the
//                       same body without one; goal: the same
//
// Best of several tries.
//
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "settee/plugin/physics.h"
#include "settee/settee.h"
#include "system/matrix_linear_system.h"
#include "text.h"

enum { SIDE = 27, POINTS = 100000, NET = 71, SPRINGS = 2 * NET * (NET - 1), TRIAD_COUNT = 8 << 20, TRIES = 7 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); // one thread: what others do on the machine does not count
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double smaller(double a, double b) { return a < b ? a : b; }

// ---------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------

static int node_at(int x, int y, int z) { return x + SIDE * (y + SIDE * z); }

// A block of boxes, six tetrahedra each, a little out of square so that no point lies on a face by chance.
static void append_mesh(text *t, const char *container) {
    static const int split[6][4] = {{0, 5, 1, 6}, {0, 1, 3, 6}, {1, 3, 6, 2}, {6, 3, 0, 7}, {6, 7, 0, 5}, {7, 5, 4, 0}};

    append(t, "<%s name='mesh' position='", container);
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
        append(t, "%.4f %.4f %.4f ", x + 0.1 * ((i * 7) % 11) / 11, y + 0.1 * ((i * 5) % 13) / 13, z + 0.01 * x);
    }

    // six tetrahedra per box
    append(t, "' tetrahedra='");
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
        if (x == SIDE - 1 || y == SIDE - 1 || z == SIDE - 1) continue;

        const int corner[8] = {
            node_at(x, y, z),     node_at(x + 1, y, z),     node_at(x + 1, y + 1, z),     node_at(x, y + 1, z),
            node_at(x, y, z + 1), node_at(x + 1, y, z + 1), node_at(x + 1, y + 1, z + 1), node_at(x, y + 1, z + 1)};
        for (int k = 0; k < 6; k++)
            append(t, "%d %d %d %d ", corner[split[k][0]], corner[split[k][1]], corner[split[k][2]],
                   corner[split[k][3]]);
    }

    append(t, "'/>");
}

// Anywhere in the block.
static void append_points(text *t) {
    uint32_t seed = 12345;
    append(t, "<MechanicalObject name='child' position='");

    for (int i = 0; i < 3 * POINTS; i++) {
        seed = seed * 1664525u + 1013904223u;
        append(t, "%.4f ", (seed >> 8) / 16777216.0 * (SIDE - 1));
    }
    append(t, "'/>");
}

// A net of points under the top of the block, and springs along its lines.
static void append_skin(text *t) {
    append(t, "<MechanicalObject name='child' position='");
    for (int i = 0; i < NET * NET; i++)
        append(t, "%.4f %.4f %.4f ", (SIDE - 1.2) * (i % NET) / NET, (SIDE - 1.2) * (i / NET) / NET, SIDE - 1.5);
    append(t, "'/>");
}

static void append_springs(text *t) {
    append(t, "<SpringForceField name='springs' spring='");
    for (int i = 0; i < NET * NET; i++) {
        if (i % NET + 1 < NET) append(t, "%d %d 100 1 0.1 ", i, i + 1);
        if (i / NET + 1 < NET) append(t, "%d %d 100 1 0.1 ", i, i + NET);
    }
    append(t, "'/>");
}

static st_scene *load(const text *t) {
    st_config config = st_default_config();
    st_scene *scene = st_scene_create(&config);
    if (!scene || !st_succeeded(st_scene_load_text(scene, t->data, t->size, NULL))) abort();
    st_scene_init(scene);
    return scene;
}

// ---------------------------------------------------------------------------------------------------
// Yardsticks
// ---------------------------------------------------------------------------------------------------

static double triad_gbs(void) {
    st_real *a = st_alloc(TRIAD_COUNT, sizeof *a), *b = st_alloc(TRIAD_COUNT, sizeof *b);
    st_real *c = st_alloc(TRIAD_COUNT, sizeof *c), sum = 0;
    double best = 1e9;
    if (!a || !b || !c) abort();

    for (size_t i = 0; i < TRIAD_COUNT; i++) b[i] = 1, c[i] = 2;

    for (int k = 0; k < TRIES; k++) {
        const double begin = now();
        for (size_t i = 0; i < TRIAD_COUNT; i++) a[i] = b[i] + 3 * c[i];
        best = smaller(best, now() - begin);
        sum += a[TRIAD_COUNT / 2];
    }

    st_free(a);
    st_free(b);
    st_free(c);
    return sum > 0 ? 3.0 * sizeof *a * TRIAD_COUNT / best / 1e9 : 0;
}

// Seconds of one 3 × 3 product that is added to a block, everything in the cache: mat3_ns of
// ../shared/bench/calibrate.c.
static double product_seconds(void) {
    enum { N = 256, ROUNDS = 400 };
    static st_real a[N][9], b[N][9], c[N][9];
    double best = 1e9;

    for (int k = 0; k < N; k++)
        for (int e = 0; e < 9; e++)
            a[k][e] = (st_real)1 / (st_real)(1 + k + e), b[k][e] = (st_real)1 / (st_real)(2 + k * e);

    // c += a b, one product after another
    for (int tries = 0; tries < TRIES; tries++) {
        const double begin = now();
        for (int r = 0; r < ROUNDS; r++)
            for (int k = 0; k < N; k++)
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++) {
                        st_real sum = 0;
                        for (int l = 0; l < 3; l++) sum += a[k][3 * i + l] * b[k][3 * l + j];
                        c[k][3 * i + j] += sum;
                    }
        best = smaller(best, now() - begin);
    }

    return c[7][4] != 0 ? best / ((double)N * ROUNDS) : 0;
}

// ---------------------------------------------------------------------------------------------------
// Measurements
// ---------------------------------------------------------------------------------------------------

static void measure_barycentric(const char *container, double triad) {
    text t = {0};

    // points in a block of tetrahedra
    append(&t, "<Node name='root'><DefaultAnimationLoop/>");
    append_mesh(&t, container);
    append(&t, "<MechanicalObject name='parent'/><Node name='points'>");
    append_points(&t);
    append(&t, "<BarycentricMapping name='mapping'/></Node></Node>");

    st_scene *scene = load(&t);
    st_mapping *mapping = (st_mapping *)st_scene_find(scene, "/points/mapping");
    if (!mapping || !st_is_valid(&mapping->object)) abort();

    // the search, then the products
    double init = 1e9, apply = 1e9, transposed = 1e9;
    for (int k = 0; k < 3; k++) {
        const double begin = now();
        mapping->object.type->init(&mapping->object);
        init = smaller(init, now() - begin);
    }
    for (int k = 0; k < 20 * TRIES; k++) {
        double begin = now();
        mapping->object.type->mapping->apply(mapping, ST_POSITION, st_read_coord(ST_POSITION));
        apply = smaller(apply, now() - begin);
        begin = now();
        st_mapping_apply_jt(mapping, ST_FORCE, st_read_deriv(ST_FORCE));
        transposed = smaller(transposed, now() - begin);
    }

    // row starts, nodes, weights and children, each once
    const double bytes = POINTS * (sizeof(uint32_t) * 5.0 + sizeof(st_real) * 7.0);
    printf("barycentric_init_%s: %d points, %d tetrahedra, %.3f s\n", container, POINTS,
           6 * (SIDE - 1) * (SIDE - 1) * (SIDE - 1), init);
    printf("barycentric_apply_%s: %.2f GB/s, triad %.2f GB/s, ratio %.2f\n", container, bytes / apply / 1e9, triad,
           bytes / apply / 1e9 / triad);
    printf("barycentric_applyJT_%s: %.2f GB/s, triad %.2f GB/s, ratio %.2f\n", container, bytes / transposed / 1e9,
           triad, bytes / transposed / 1e9 / triad);

    st_scene_destroy(scene);
    free(t.data);
}

static st_matrix_linear_system *find_system(st_scene *scene, const char *path) {
    st_matrix_linear_system *system = (st_matrix_linear_system *)st_scene_find(scene, path);
    if (st_scene_step(scene, 0) != ST_OK || !system) abort();
    return system;
}

static void measure_projection(const char *name, st_scene *scene, const char *path, double product) {
    st_mapped *m = &find_system(scene, path)->sum.mapped;
    double best = 1e9, step = 1e9;
    size_t products = 0;

    // products of all steps of the projection
    for (size_t i = 0; i < m->steps.count; i++)
        products +=
            m->steps.data[i].product.starts[st_bsr_count(&m->pairs.data[m->steps.data[i].target].assembly.matrix)];

    // with known patterns
    for (int k = 0; k < 5 * TRIES; k++) {
        const double begin = now();
        for (size_t i = 0; i < m->steps.count; i++) {
            const st_mapped_step *s = &m->steps.data[i];
            const st_bsr *j = &m->jacobians.data[s->jacobian].assembly.matrix;
            const st_bsr *source = &m->pairs.data[s->source].assembly.matrix;
            st_block_product_add(&s->product, NULL, s->rows ? j : source, s->rows ? source : j,
                                 &m->pairs.data[s->target].assembly.matrix);
        }
        best = smaller(best, now() - begin);
    }

    // a whole step
    for (int k = 0; k < TRIES; k++) {
        const double begin = now();
        st_scene_step(scene, 0);
        step = smaller(step, now() - begin);
    }

    printf(
        "projection_%s: %zu block products in %.3f ms (%.1f GFlop/s), in the cache %.3f ms, ratio %.2f; a step takes "
        "%.2f ms\n",
        name, products, 1e3 * best, 54e-9 * (double)products / best, 1e3 * product * (double)products,
        best / (product * (double)products), 1e3 * step);
    st_scene_destroy(scene);
}

// One iteration of the solver, so that the time of a step is that of the matrix.
static void append_solver(text *t) {
    append(t, "<Node name='root' dt='0.01'><DefaultAnimationLoop/><Node name='body'><EulerImplicitSolver/>"
              "<CGLinearSolver template='CompressedRowSparseMatrixMat3x3d' iterations='1' tolerance='1e-5' "
              "threshold='1e-30'/><MatrixLinearSystem name='system' template='CompressedRowSparseMatrixMat3x3d'/>");
}

static void measure_skin(double product) {
    text t = {0};
    char name[64];
    append_solver(&t);

    append_mesh(&t, "TetrahedronSetTopologyContainer");
    append(&t, "<MechanicalObject name='parent'/><UniformMass totalMass='1'/><Node name='skin'>");
    append_skin(&t);
    append(&t, "<BarycentricMapping name='mapping'/>");
    append_springs(&t);
    append(&t, "</Node></Node></Node>");

    snprintf(name, sizeof name, "of_%d_springs_on_a_skin", SPRINGS);
    measure_projection(name, load(&t), "/body/system", product);
    free(t.data);
}

static void measure_composite(double product) {
    static const char path[] = "../shared/conformance/sofa/examples/Component/LinearSystem/CompositeLinearSystem.scn";
    st_config config = st_default_config();
    st_scene *scene = st_scene_create(&config);
    if (!scene || !st_succeeded(st_scene_load(scene, path))) {
        printf("projection_CompositeLinearSystem: %sdoes not exist\n", path);
        st_scene_destroy(scene);
        return;
    }

    st_scene_init(scene);
    measure_projection("CompositeLinearSystem", scene, "/node/matrices/system", product);
}

static void measure_renaming(void) {
    double seconds[2];
    for (int renamed = 0; renamed < 2; renamed++) {
        text t = {0};

        // the same body twice: without and with an identity mapping
        append_solver(&t);
        append_mesh(&t, "TetrahedronSetTopologyContainer");
        append(&t,
               "<MechanicalObject name='parent'/><UniformMass totalMass='1'/>%s"
               "<TetrahedronFEMForceField youngModulus='100' poissonRatio='0.3' method='large'/>%s</Node></Node>",
               renamed ? "<Node name='copy'><MechanicalObject/><IdentityMapping/>" : "", renamed ? "</Node>" : "");

        st_scene *scene = load(&t);
        st_matrix_linear_system *system = find_system(scene, "/body/system");
        if (system->sum.mapped.steps.count > 0) abort();

        seconds[renamed] = 1e9;
        for (int k = 0; k < 2 * TRIES; k++) {
            const st_params params = system->system.params;
            const double begin = now();
            if (system->system.object.type->system->build(&system->system, &params) != ST_OK) abort();
            seconds[renamed] = smaller(seconds[renamed], now() - begin);
        }

        st_scene_destroy(scene);
        free(t.data);
    }

    printf("renaming: matrix of %d tetrahedra %.2f ms, on an identity mapping %.2f ms, ratio %.2f\n",
           6 * (SIDE - 1) * (SIDE - 1) * (SIDE - 1), 1e3 * seconds[0], 1e3 * seconds[1], seconds[1] / seconds[0]);
}

int main(void) {
    const double triad = triad_gbs(), product = product_seconds();
    measure_barycentric("TetrahedronSetTopologyContainer", triad);
    measure_barycentric("MeshTopology", triad);
    measure_skin(product);
    measure_composite(product);
    measure_renaming();
    return EXIT_SUCCESS;
}
