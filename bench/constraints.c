// What Lagrangian constraints cost.
//
//   compliance    W = H A⁻¹ Hᵀ of n constraints on a soft body of 4913 nodes, against one dense solve per row with the
//                 same factor; n = 30, 300, 3000
//   gauss_seidel  sweeps over W, against the triad a[i] = b[i] + s c[i] on the same core, measured in between
//   chain         a chain of 200 rigid bodies: one step of the constraint solver by KKT and by Gauss-Seidel, and
//                 how far the joints are open afterwards
//
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "constraint/generic_solver.h"
#include "state/sink.h"

enum { TRIAD_COUNT = 8 << 20, SWEEPS = 5, TRIES = 5, SIDE = 17, CHAIN = 200 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_error(void *user, const st_diagnostic *d) {
    (void)user;
    if (d->severity >= ST_ERROR) fprintf(stderr, "%s: %s\n", d->component, d->text);
}

static st_scene *load(const char *text) {
    st_config config = st_default_config();
    config.log = print_error;

    st_scene *scene = st_scene_create(&config);
    if (!scene || !st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)) ||
        !st_succeeded(st_scene_init(scene)))
        exit(EXIT_FAILURE);
    return scene;
}

// ---------------------------------------------------------------------------------------------------
// Compliance
// ---------------------------------------------------------------------------------------------------

// n / 3 nodes, spread over the body, are tied to points of the world.
static st_scene *soft_body(size_t rows) {
    st_text text = {0};
    const size_t points = rows / 3, nodes = (size_t)SIDE * SIDE * SIDE;

    // a body of hexahedra, and a grid of the same points that does not move
    st_text_appendf(
        &text,
        "<Node dt='0.01' gravity='0 -10 0'><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver name='solver' "
        "maxIterations='1' tolerance='1e-9'/>"
        "<Node name='body'><EulerImplicitSolver/><SparseLDLSolver name='ldl' "
        "template='CompressedRowSparseMatrixMat3x3d'/>"
        "<RegularGridTopology n='%d %d %d' min='0 0 0' max='1 1 1'/><MechanicalObject name='s'/><UniformMass "
        "totalMass='10'/>"
        "<HexahedronFEMForceField youngModulus='5000' poissonRatio='0.3'/><LinearSolverConstraintCorrection/></Node>"
        "<Node name='world'><RegularGridTopology n='%d %d %d' min='0 0 0' max='1 1 1'/><MechanicalObject "
        "name='s'/></Node>"
        "<BilateralLagrangianConstraint template='Vec3' object1='@world/s' object2='@body/s' first_point='",
        SIDE, SIDE, SIDE, SIDE, SIDE, SIDE);

    // the same indices on both sides
    for (int list = 0; list < 2; list++) {
        for (size_t i = 0; i < points; i++) st_text_appendf(&text, "%zu ", i * (nodes / points));
        st_text_appendf(&text, list ? "'/></Node>" : "' second_point='");
    }

    st_scene *scene = load(text.data);
    st_text_free(&text);
    return scene;
}

static double time_dense(st_linear_solver *solver, const st_jacobian *h, size_t rows) {
    st_system *system = solver->system;
    const size_t most = rows < 60 ? rows : 60; // time per row is the same for all of them

    const double begin = now();
    for (size_t r = 0; r < most; r++) {
        memset(system->rhs, 0, system->size * sizeof *system->rhs);
        for (size_t e = h->starts.data[r]; e < h->starts.data[r + 1]; e++) {
            const st_real *entry = st_jacobian_entry(h, 3, e);
            for (size_t k = 0; k < 3; k++) system->rhs[3 * st_entry_dof(entry) + k] = entry[ST_ENTRY_HEAD + k];
        }
        if (st_linear_solve(solver) != ST_OK) exit(EXIT_FAILURE);
    }

    const double solves = (now() - begin) / (double)most * (double)rows;
    return solves; // without the products J x, which W needs as well
}

static double time_compliance(st_scene *scene, st_constraint_problem *p) {
    st_correction *correction = (st_correction *)st_find(st_scene_root(scene), ST_ROLE(correction), ST_DOWN);
    const st_constraint_params params = {.dt = (st_real)0.01};

    double best = 1e30;
    for (int i = 0; i < TRIES; i++) {
        memset(p->w.data, 0, p->size * p->size * sizeof *p->w.data);
        const double begin = now();
        if (correction->object.type->correction->add_compliance(correction, &params, p->size, p->w.data) != ST_OK)
            exit(EXIT_FAILURE);
        const double taken = now() - begin;
        if (taken < best) best = taken;
    }
    return best;
}

static double triad_gbs(st_real *a, const st_real *b, const st_real *c) {
    const double begin = now();
    for (size_t i = 0; i < TRIAD_COUNT; i++) a[i] = b[i] + 3 * c[i];
    return 3.0 * sizeof *a * TRIAD_COUNT / (now() - begin) / 1e9;
}

static double sweep_gbs(st_constraint_problem *p) {
    const double begin = now();
    for (int i = 0; i < SWEEPS; i++) st_gauss_seidel_sweep(p, 0);
    return (double)SWEEPS * (double)p->size * (double)p->size * sizeof(st_real) / (now() - begin) / 1e9;
}

static void measure_sweep(st_constraint_problem *p) {
    st_real *a = st_alloc(TRIAD_COUNT, sizeof *a), *b = st_alloc(TRIAD_COUNT, sizeof *b),
            *c = st_alloc(TRIAD_COUNT, sizeof *c);
    if (!a || !b || !c) exit(EXIT_FAILURE);

    double triad = 0, sweep = 0;
    st_blocks_init(p);
    for (int i = 0; i < TRIES; i++) {
        const double t = triad_gbs(a, b, c), s = sweep_gbs(p);
        if (t > triad) triad = t;
        if (s > sweep) sweep = s;
    }

    printf("gauss_seidel %zu rows: %.2f GB/s of W, triad %.2f GB/s, ratio %.2f\n", p->size, sweep, triad,
           sweep / triad);
    st_free(a);
    st_free(b);
    st_free(c);
}

static void measure_compliance(size_t rows) {
    st_scene *scene = soft_body(rows);
    if (st_scene_step(scene, 0) != ST_OK) exit(EXIT_FAILURE);

    st_linear_solver *solver = (st_linear_solver *)st_scene_find(scene, "/body/ldl");
    st_constraint_problem *p = ((st_constraint_solver *)st_scene_find(scene, "/solver"))->problem;
    const st_jacobian *h = &((st_state *)st_scene_find(scene, "/body/s"))->constraint;
    const double dense = time_dense(solver, h, h->rows.count), sparse = time_compliance(scene, p);

    printf("compliance %zu rows, %d nodes: %.2f ms, row by row %.2f ms, ratio %.1f\n", p->size, SIDE * SIDE * SIDE,
           sparse * 1e3, dense * 1e3, dense / sparse);

    if (rows >= 3000) measure_sweep(p);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Chain
// ---------------------------------------------------------------------------------------------------

static st_scene *chain(const char *solver) {
    st_text text = {0};

    // a post, and bodies with a point at each end
    st_text_appendf(&text,
                    "<Node dt='0.005' gravity='0 -10 0'><FreeMotionAnimationLoop/>%s<Node "
                    "name='post'><MechanicalObject name='s' position='0 0 0'/></Node>",
                    solver);
    for (int i = 0; i < CHAIN; i++)
        st_text_appendf(
            &text,
            "<Node name='b%d'><EulerImplicitSolver rayleighMass='0.1'/><SparseLDLSolver "
            "template='CompressedRowSparseMatrixMat3x3d'/><MechanicalObject name='s' template='Rigid3' position='%g 0 "
            "0 0 0 0 1'/>"
            "<UniformMass vertexMass='1 1 0.01 0 0 0 0.09 0 0 0 0.09'/><LinearSolverConstraintCorrection/>"
            "<Node name='p'><MechanicalObject name='s' position='-0.5 0 0 0.5 0 0'/><RigidMapping/></Node></Node>",
            i, i + 0.5);

    // the end of each body is tied to the beginning of the next one
    for (int i = 0; i < CHAIN; i++) {
        if (i == 0)
            st_text_appendf(&text, "<BilateralLagrangianConstraint template='Vec3' object1='@post/s' object2='@b0/p/s' "
                                   "first_point='0' second_point='0'/>");
        else
            st_text_appendf(&text,
                            "<BilateralLagrangianConstraint template='Vec3' object1='@b%d/p/s' object2='@b%d/p/s' "
                            "first_point='1' second_point='0'/>",
                            i - 1, i);
    }

    st_text_appendf(&text, "</Node>");
    st_scene *scene = load(text.data);
    st_text_free(&text);
    return scene;
}

static double profile(const st_scene *scene, const char *name) {
    const st_profile_entry *entries;
    const size_t count = st_scene_profile(scene, &entries);
    for (size_t i = 0; i < count; i++)
        if (strcmp(entries[i].name, name) == 0) return entries[i].seconds;
    return 0;
}

// |d_free + W f| of the last step for solvers with W, what KKT reports otherwise.
static double violation(const st_constraint_problem *p) {
    double most = 0;
    for (size_t i = 0; i < p->size && p->assembled; i++) {
        const double d = fabs((double)st_row_violation(p, i));
        if (d > most) most = d;
    }
    return most;
}

static void measure_chain(const char *name, const char *solver, int steps) {
    st_scene *scene = chain(solver);

    for (int i = 0; i < steps; i++)
        if (st_scene_step(scene, 0) != ST_OK) exit(EXIT_FAILURE);

    st_object *object = st_scene_find(scene, "/solver");
    const st_constraint_problem *p = ((st_constraint_solver *)object)->problem;
    char *iterations = st_object_get(object, "currentIterations", 6), *error = st_object_get(object, "currentError", 3);

    printf("chain of %d bodies, %zu rows, %-22s: %8.3f ms a step, violation %.1e, iterations %s\n", CHAIN, p->size,
           name, (profile(scene, "compliance") + profile(scene, "constraints")) / steps * 1e3,
           p->assembled ? violation(p) : atof(error), iterations);

    st_string_free(iterations);
    st_string_free(error);
    st_scene_destroy(scene);
}

int main(void) {
    measure_compliance(30);
    measure_compliance(300);
    measure_compliance(3000);
    measure_chain("KKT", "<KKTConstraintSolver name='solver'/>", 50);
    measure_chain("Gauss-Seidel, 1e-3",
                  "<BlockGaussSeidelConstraintSolver name='solver' tolerance='1e-3' maxIterations='1000'/>", 20);
    measure_chain("Gauss-Seidel, 1000",
                  "<BlockGaussSeidelConstraintSolver name='solver' tolerance='1e-12' maxIterations='1000'/>", 5);
    measure_chain("NNCG, 1000", "<NNCGConstraintSolver name='solver' tolerance='1e-12' maxIterations='1000'/>", 5);
    return EXIT_SUCCESS;
}
