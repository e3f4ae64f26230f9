// How fast is the sparse LDLᵀ, compared to CHOLMOD on the same matrices in the same run?
//
//     factorization [FOLDER]
//
// FOLDER holds system matrices as text (lines `A row column value`, gzip), by default those of the conformance suite.
// Added are bars of 27-point stencils in 3 × 3 blocks, the largest of 10⁵ unknowns. For each matrix: milliseconds of
// a numeric factorization by settee, by CHOLMOD's simplicial mode (AMD) and by its supernodal mode (METIS), the ratio
// of CHOLMOD's better mode to settee, settee's rate, milliseconds of a solve, how fast it reads the factor, as a share
// of the triad a[i] = b[i] + s c[i], and the residual. One core; best of several tries, interleaved.
//
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 199309L
#include <cholmod.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "base/array.h"
#include "linalg/csc.h"
#include "linalg/ldl.h"
#include "linalg/pattern.h"
#include "linalg/vector.h"

// OpenBLAS would use every core.
extern void openblas_set_num_threads(int) __attribute__((weak));

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void smaller(double *best, double value) {
    if (value < *best) *best = value;
}

// ---- matrices -------------------------------------------------------------------------------------------------------

typedef struct triplet {
    int i, j;
    double value;
} triplet;

static st_bsr from_triplets(int n, size_t count, const triplet *entries) {
    st_pattern pattern = {0};
    st_bsr matrix = {0};

    st_pattern_begin(&pattern, n / 3, n / 3);
    for (size_t k = 0; k < count; k++) st_pattern_record(&pattern, entries[k].i / 3, entries[k].j / 3);

    st_pattern_compress(&pattern);
    st_bsr_create(&matrix, 3, pattern.rows, pattern.cols, pattern.starts, pattern.columns);
    st_pattern_free(&pattern);

    for (size_t k = 0; k < count; k++)
        *st_bsr_at(&matrix, (size_t)entries[k].i, (size_t)entries[k].j) = (st_real)entries[k].value;
    return matrix;
}

static bool read_matrix(const char *path, st_bsr *matrix) {
    gzFile file = gzopen(path, "rb");
    if (!file) return false;

    ST_LIST(triplet) entries = {0};
    char line[256];
    int n = 0;
    triplet t;

    while (gzgets(file, line, sizeof line))
        if (sscanf(line, "A %d %d %lf", &t.i, &t.j, &t.value) == 3 && st_list_push(&entries, t) && t.i >= n)
            n = t.i + 1;
    gzclose(file);

    if (n > 0) *matrix = from_triplets(n, entries.count, entries.data);
    st_list_free(&entries);
    return n > 0;
}

static st_bsr stencil(int a, int b, int c) {
    ST_LIST(triplet) entries = {0};
    const int sides[] = {a, b, c};
    for (int node = 0; node < a * b * c; node++)
        for (int k = 0; k < 27; k++) {
            // node k of the 3 × 3 × 3 around it
            const int at[] = {node % a + k % 3 - 1, node / a % b + k / 3 % 3 - 1, node / a / b + k / 9 - 1};
            bool inside = true;
            for (int d = 0; d < 3; d++) inside = inside && at[d] >= 0 && at[d] < sides[d];
            const int other = at[0] + a * (at[1] + b * at[2]);
            for (int e = 0; inside && e < 9; e++)
                st_list_push(&entries, ((triplet){3 * node + e / 3, 3 * other + e % 3,
                                                  other == node ? (e % 4 ? 0.5 : 30) : (e % 4 ? -0.1 : -1)}));
        }

    const st_bsr matrix = from_triplets(3 * a * b * c, entries.count, entries.data);
    st_list_free(&entries);
    return matrix;
}

// ---- measurements ---------------------------------------------------------------------------------------------------

typedef struct yardstick {
    cholmod_common common;
    cholmod_factor *factor;
} yardstick;

static void yardstick_begin(yardstick *y, cholmod_sparse *a, bool supernodal) {
    cholmod_start(&y->common);
    y->common.print = 0;
    y->common.supernodal = supernodal ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
    y->common.nmethods = 1;
    y->common.method[0].ordering = supernodal ? CHOLMOD_METIS : CHOLMOD_AMD;
    y->factor = cholmod_analyze(a, &y->common);
}

static double yardstick_time(yardstick *y, cholmod_sparse *a) {
    const double begin = now();
    cholmod_factorize(a, y->factor, &y->common);
    return now() - begin;
}

static void yardstick_end(yardstick *y) {
    cholmod_free_factor(&y->factor, &y->common);
    cholmod_finish(&y->common);
}

// Bytes per second of the triad on arrays as large as the factor, at most 64 MB each.
static double triad(size_t bytes) {
    size_t n = bytes / 24;
    if (n > 8 << 20) n = 8 << 20;

    double *a = st_alloc(n, 8), *b = st_alloc(n, 8), *c = st_alloc(n, 8), best = 1e30;
    for (int k = 0; k < 9; k++) {
        const double begin = now();
        for (size_t i = 0; i < n; i++) a[i] = b[i] + 3 * c[i];
        smaller(&best, now() - begin);
        b[k] = a[n - 1];
    }

    st_free(a);
    st_free(b);
    st_free(c);
    return 24 * (double)n / best;
}

static double residual(const st_bsr *matrix, const st_real *x, const st_real *b) {
    const size_t n = st_bsr_scalar_rows(matrix);
    st_real *r = st_alloc(n, sizeof *r);
    st_bsr_multiply(matrix, NULL, x, r);
    st_vector_axpy(NULL, n, -1, b, r);

    const double norm = sqrt((double)st_vector_dot(NULL, n, r, r)) / sqrt((double)st_vector_dot(NULL, n, b, b));
    st_free(r);
    return norm;
}

static void measure(const char *name, const st_bsr *matrix, int tries) {
    const size_t n = st_bsr_scalar_rows(matrix);
    st_csc csc = {0};
    st_csc_copy(&csc, matrix, true);

    // CHOLMOD gets the upper triangle
    cholmod_sparse a = {.nrow = n,
                        .ncol = n,
                        .nzmax = (size_t)csc.starts[n],
                        .p = csc.starts,
                        .i = csc.rows,
                        .x = csc.values,
                        .stype = 1,
                        .itype = CHOLMOD_INT,
                        .xtype = CHOLMOD_REAL,
                        .dtype = CHOLMOD_DOUBLE,
                        .sorted = true,
                        .packed = true};

    // symbolic work, once each
    yardstick simplicial, supernodal;
    yardstick_begin(&simplicial, &a, false);
    yardstick_begin(&supernodal, &a, true);
    st_ldl *ldl = st_ldl_create();
    const double analysis = now();
    st_ldl_analyze(ldl, NULL, matrix, ST_ORDERING_BEST, ST_LDL_LATER_ROW);
    const double analyzed = now() - analysis;

    st_real *b = st_alloc(n, sizeof *b), *x = st_alloc(n, sizeof *x);
    for (size_t i = 0; i < n; i++) b[i] = (st_real)(1 + i % 7);

    // best of several tries, interleaved
    double own = 1e30, one = 1e30, other = 1e30, solve = 1e30, bandwidth = 0;
    for (int k = 0; k < tries; k++) {
        double begin = now();
        if (st_ldl_factor(ldl, NULL, matrix, NULL) != ST_OK) printf("%s: not factored\n", name);
        smaller(&own, now() - begin);
        for (int i = 0; i < 9; i++) { // as often as the triad, which is its yardstick
            begin = now();
            st_ldl_solve(ldl, b, x);
            smaller(&solve, now() - begin);
        }
        if (n < 10000) smaller(&one, yardstick_time(&simplicial, &a));
        smaller(&other, yardstick_time(&supernodal, &a));
        const double rate = triad(st_ldl_entries(ldl) * sizeof(st_real) * 2);
        if (rate > bandwidth) bandwidth = rate;
    }

    // The factor is read once on the way up and once on the way down.
    const double share = 2 * (double)st_ldl_entries(ldl) * sizeof(st_real) / solve / bandwidth;
    const double best = one < other ? one : other;
    printf("%-34s %7zu %10zu %9.1f %9.2f %9.2f %9.2f %6.2f %7.1f %8.3f %6.0f%% %9.1e\n", name, n, st_ldl_entries(ldl),
           analyzed * 1e3, own * 1e3, one < 1e30 ? one * 1e3 : NAN, other * 1e3, best / own,
           supernodal.common.fl / own * 1e-9, solve * 1e3, 100 * share, residual(matrix, x, b));

    fflush(stdout);
    st_ldl_free(ldl);
    yardstick_end(&simplicial);
    yardstick_end(&supernodal);
    st_csc_free(&csc);
    st_free(b);
    st_free(x);
}

int main(int argc, char **argv) {
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    const char *folder = argc > 1 ? argv[1] : "../shared/conformance/truth/matrices/examples";

    static const char *const files[][2] = {
        {"MatrixAssembly_direct", "Benchmark/Performance/MatrixAssembly/MatrixAssembly_direct.scn.0.txt.gz"},
        {"cantilever hexahedra", "Validation/cantilever_beam/hexahedron/corotational/sequential/assembled/"
                                 "HexahedronCorotationalFEMForceField.scn.0.txt.gz"},
        {"FEMBAR", "Component/LinearSolver/Direct/FEMBAR_SparseLDLSolver.scn.0.txt.gz"},
    };
    static const int bars[][3] = {{5, 5, 20}, {8, 8, 32}, {12, 12, 48}, {16, 16, 130}};

    printf("%-34s %7s %10s %9s %9s %9s %9s %6s %7s %8s %7s %9s\n", "matrix", "n", "L", "analysis", "settee", "simplic.",
           "supern.", "ratio", "GFlop/s", "solve", "triad", "residual");

    // matrices of scenes
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, files[k][1]);
        st_bsr matrix;
        if (!read_matrix(path, &matrix)) {
            printf("%s: cannot be read\n", path);
            continue;
        }
        measure(files[k][0], &matrix, 30);
        st_bsr_free(&matrix);
    }

    // bars
    for (size_t k = 0; k < sizeof bars / sizeof *bars; k++) {
        char name[64];
        snprintf(name, sizeof name, "bar of %d x %d x %d nodes", bars[k][0], bars[k][1], bars[k][2]);
        st_bsr matrix = stencil(bars[k][0], bars[k][1], bars[k][2]);
        measure(name, &matrix, k < 2 ? 10 : 2);
        st_bsr_free(&matrix);
    }
    return 0;
}
