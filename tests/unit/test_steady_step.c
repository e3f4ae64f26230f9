// A steady step allocates nothing: an interposed allocator counts every call during some steps of warm scenes.
// labels: no-sanitizer
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "settee/settee.h"

// The C library's own allocator under the names by which it can still be reached.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static size_t allocations;

void *malloc(size_t size) {
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    return __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    return __libc_realloc(block, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    return __libc_memalign(alignment, size);
}

static size_t allocations_of_steps(st_scene *scene) {
    // entries of the matrix that are zero by symmetry at first come in during the first steps
    for (int i = 0; i < 40; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
    const size_t before = allocations;
    for (int i = 0; i < 5; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
    return allocations - before;
}

static void example_scene_allocates_nothing(void **state) {
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        st_config config = st_default_config();
        config.threads = threads;
        st_scene *scene = st_scene_create(&config);
        assert_true(st_succeeded(st_scene_load(scene, SETTEE_EXAMPLES "/jelly.scn")));
        assert_true(st_succeeded(st_scene_init(scene)));
        assert_true(allocations > 0); // the counter does count
        assert_int_equal((int)allocations_of_steps(scene), 0);
        st_scene_destroy(scene);
    }
}

static void every_integrator_allocates_nothing(void **state) {
    (void)state;
    static const char *const integrators[] = {
        "<EulerExplicitSolver/>",
        "<EulerImplicitSolver/><SparseLDLSolver/>",
        "<EulerImplicitSolver trapezoidalScheme='1'/><CGLinearSolver template='CompressedRowSparseMatrixMat3x3d' "
        "iterations='20' tolerance='1e-9' threshold='1e-9'/>",
        "<RungeKutta2Solver/>",
        "<RungeKutta4Solver/>",
        "<CentralDifferenceSolver/>",
        "<NewmarkImplicitSolver/><SparseLDLSolver/>",
        "<StaticSolver/><NewtonRaphsonSolver maxNbIterationsNewton='2' warnWhenDiverge='0' "
        "warnWhenLineSearchFails='0'/><SparseLDLSolver/>",
        "<BDFOdeSolver/><NewtonRaphsonSolver maxNbIterationsNewton='2' warnWhenDiverge='0' "
        "warnWhenLineSearchFails='0'/><SparseLDLSolver/>",
        "<VariationalSymplecticSolver/><SparseLDLSolver/>",
    };
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "<Node dt='0.001'><DefaultAnimationLoop/><Node name='n'>%s<RegularGridTopology n='3 3 "
                 "3'/><MechanicalObject/><UniformMass totalMass='1'/>"
                 "<FixedProjectiveConstraint indices='0-8'/><MeshSpringForceField stiffness='50' "
                 "damping='0.1'/></Node></Node>",
                 integrators[i]);
        st_scene *scene = st_scene_create(NULL);
        assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
        assert_true(st_succeeded(st_scene_init(scene)));
        const size_t made = allocations_of_steps(scene);
        if (made) print_error("%zu allocations in 5 steady steps of %s\n", made, integrators[i]);
        assert_int_equal((int)made, 0);
        st_scene_destroy(scene);
    }
}

// Springs on points that follow a coarse grid, a mass on points that follow frames: projected in every step.
static void mapped_matrices_allocate_nothing(void **state) {
    (void)state;
    static const char text[] =
        "<Node dt='0.001'><DefaultAnimationLoop/><Node name='n'><EulerImplicitSolver/><SparseLDLSolver/>"
        "<Node name='soft'><RegularGridTopology n='3 3 3'/><MechanicalObject/><UniformMass totalMass='1'/>"
        "<FixedProjectiveConstraint indices='0-8'/><Node name='skin'>"
        "<RegularGridTopology n='5 5 5' min='0.1 0.1 0.1' max='0.9 0.9 0.9'/><MechanicalObject/><BarycentricMapping/>"
        "<MeshSpringForceField stiffness='50' damping='0.1'/></Node></Node>"
        "<Node name='frames'><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0 0 1'/>"
        "<UniformMass totalMass='2'/><Node name='points'><MechanicalObject position='0 1 0 1 1 0'/>"
        "<RigidMapping rigidIndexPerPoint='0 1' geometricStiffness='1'/><UniformMass totalMass='1'/>"
        "<StiffSpringForceField spring='0 1 20 0.1 0.9'/></Node></Node></Node></Node>";
    for (int threads = 1; threads <= 2; threads++) {
        st_config config = st_default_config();
        config.threads = threads;
        st_scene *scene = st_scene_create(&config);
        assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
        assert_true(st_succeeded(st_scene_init(scene)));
        assert_int_equal((int)allocations_of_steps(scene), 0);
        st_scene_destroy(scene);
    }
}

// A body that rests on a floor: trees, detections, contact points, and matrices with them.
static void steady_contact_allocates_nothing(void **state) {
    (void)state;
    static const char *const methods[] = {"NewProximityIntersection", "MinProximityIntersection"};
    static const char *const solvers[] = {"<SparseLDLSolver/>",
                                          "<CGLinearSolver iterations='30' tolerance='1e-9' threshold='1e-9'/>"};
    for (int i = 0; i < 8; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "<Node dt='0.01' gravity='0 -1 0'><DefaultAnimationLoop/><CollisionPipeline/><BruteForceBroadPhase/>"
                 "<BVHNarrowPhase/><%s alarmDistance='0.3' contactDistance='0.2'/>"
                 "<CollisionResponse response='PenalityContactForceField' name='manager'/>"
                 "<Node name='floor'><MeshTopology position='-5 0 -5  5 0 -5  5 0 5  -5 0 5' triangles='0 2 1  0 3 2'/>"
                 "<MechanicalObject/><TriangleCollisionModel name='floor' simulated='0' moving='0'/></Node>"
                 "<Node name='n'><EulerImplicitSolver rayleighMass='2' rayleighStiffness='0.1'/>%s"
                 "<RegularGridTopology n='4 4 4' min='0.1 0.19 0.2' max='1.1 1.2 1.3'/><MechanicalObject/><UniformMass "
                 "totalMass='1'/><MeshSpringForceField stiffness='300' damping='1'/><TriangleCollisionModel name='t'/>"
                 "<PointCollisionModel name='p'/></Node></Node>",
                 methods[i % 2], solvers[i / 2 % 2]);
        st_config config = st_default_config();
        config.threads = 1 + i / 4;
        st_scene *scene = st_scene_create(&config);
        assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
        assert_true(st_succeeded(st_scene_init(scene)));
        for (int k = 0; k < 200; k++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
        const size_t made = allocations_of_steps(scene);
        if (made) print_error("%zu allocations in 5 steps of steady contact, case %d\n", made, i);
        assert_int_equal((int)made, 0);
        char *contacts = st_object_get(st_scene_find(scene, "/floor/floor"), "numberOfContacts", 6);
        assert_string_not_equal(contacts, "0");
        st_string_free(contacts);
        st_scene_destroy(scene);
    }
}

// Those whose factorization is settee's own; libraries allocate as they like.
static void every_direct_solver_allocates_nothing(void **state) {
    (void)state;
    static const char *const solvers[] = {
        "<SparseLDLSolver/>",      "<SparseLDLSolver/><NaturalOrderingMethod/>",
        "<AsyncSparseLDLSolver/>", "<EigenSimplicialLDLT/>",
        "<EigenSimplicialLLT/>",   "<CholeskySolver/>",
        "<SparseCholeskySolver/>", "<PrecomputedLinearSolver use_file='0'/>",
    };
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++)
        for (int threads = 1; threads <= 2; threads++) {
            char text[2048];
            snprintf(
                text, sizeof text,
                "<Node dt='0.001'><DefaultAnimationLoop/><Node name='n'><EulerImplicitSolver/>%s<RegularGridTopology "
                "n='6 6 6'/><MechanicalObject/><UniformMass totalMass='1'/><FixedProjectiveConstraint "
                "indices='0-35'/><MeshSpringForceField stiffness='50' damping='0.1'/></Node></Node>",
                solvers[i]);
            st_config config = st_default_config();
            config.threads = threads;
            st_scene *scene = st_scene_create(&config);
            assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
            assert_true(st_succeeded(st_scene_init(scene)));
            const size_t made = allocations_of_steps(scene);
            if (made) print_error("%zu allocations in 5 steady steps of %s\n", made, solvers[i]);
            assert_int_equal((int)made, 0);
            st_scene_destroy(scene);
        }
}

#define CHAIN_LINK(name, x)                                                                                            \
    "<Node name='" name "'><EulerImplicitSolver/><SparseLDLSolver/>"                                                   \
    "<MechanicalObject name='s' template='Rigid3' position='" x " 0 0 0 0 0 1'/><UniformMass totalMass='1'/>%s"        \
    "<Node name='p'><MechanicalObject name='s' position='-0.5 0 0 0.5 0 0'/><RigidMapping/></Node></Node>"
#define CHAIN_JOIN(a, i, b, j)                                                                                         \
    "<BilateralLagrangianConstraint template='Vec3' object1='@" a "/s' object2='@" b "/s' first_point='" i             \
    "' second_point='" j "'/>"

static void constraints_allocate_nothing(void **state) {
    (void)state;
    static const char *const solvers[] = {
        "BlockGaussSeidelConstraintSolver",        "NNCGConstraintSolver",
        "UnbuiltGaussSeidelConstraintSolver",      "ImprovedJacobiConstraintSolver",
        "PreconditionedConjugateResidual",         "KKTConstraintSolver",
        "LCPConstraintSolver mu='0.3' maxIt='20'", "LCPConstraintSolver mu='0.3' build_lcp='0' maxIt='20'"};
    static const char *const corrections[] = {"<UncoupledConstraintCorrection/>", "<LinearSolverConstraintCorrection/>",
                                              "<GenericConstraintCorrection/>", "<PrecomputedConstraintCorrection/>"};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++)
        for (size_t c = 0; c < sizeof corrections / sizeof *corrections; c++) {
            char text[4096];
            snprintf(text, sizeof text,
                     "<Node dt='0.001'><FreeMotionAnimationLoop/><%s %s/><Node name='post'><MechanicalObject "
                     "name='s'/></Node>" CHAIN_LINK("a", "0.5") CHAIN_LINK("b", "1.5")
                         CHAIN_JOIN("post", "0", "a/p", "0") CHAIN_JOIN(
                             "a/p", "1", "b/p",
                             "0") "<UnilateralLagrangianConstraint template='Vec3' object1='@post/s' object2='@b/p/s' "
                                  "first_point='0' second_point='1' normals='0 1 0' contactDistances='-0.01' "
                                  "mu='0.3'/></Node>",
                     solvers[i], strncmp(solvers[i], "LCP", 3) ? "maxIterations='20'" : "", corrections[c],
                     corrections[c]);
            st_scene *scene = st_scene_create(NULL);
            assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
            assert_true(st_succeeded(st_scene_init(scene)));
            const size_t made = allocations_of_steps(scene);
            if (made)
                print_error("%zu allocations in 5 steady steps of %s with %s\n", made, solvers[i], corrections[c]);
            assert_int_equal((int)made, 0);
            st_scene_destroy(scene);
        }
}

// W of a soft body, by the factor of its matrix, with one thread and with several.
static void compliances_allocate_nothing(void **state) {
    (void)state;
    static const char text[] =
        "<Node dt='0.01' gravity='0 -10 0'><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver "
        "maxIterations='20' "
        "tolerance='1e-9'/><Node name='post'><RegularGridTopology n='4 4 1' min='0 0 0' max='1 1 0'/><MechanicalObject "
        "name='s'/></Node><Node name='a'><EulerImplicitSolver/><SparseLDLSolver "
        "template='CompressedRowSparseMatrixMat3x3d'/><RegularGridTopology n='4 4 6' min='0 0 0' max='1 1 2'/>"
        "<MechanicalObject name='s'/><UniformMass totalMass='3'/><HexahedronFEMForceField youngModulus='3000'/>"
        "<LinearSolverConstraintCorrection/></Node><BilateralLagrangianConstraint template='Vec3' object1='@post/s' "
        "object2='@a/s' first_point='0-15' second_point='0-15'/></Node>";
    for (int threads = 1; threads <= 2; threads++) {
        st_config config = st_default_config();
        config.threads = threads;
        st_scene *scene = st_scene_create(&config);
        assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
        assert_true(st_succeeded(st_scene_init(scene)));
        assert_int_equal((int)allocations_of_steps(scene), 0);
        st_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_direct_solver_allocates_nothing), cmocka_unit_test(example_scene_allocates_nothing),
        cmocka_unit_test(every_integrator_allocates_nothing),    cmocka_unit_test(mapped_matrices_allocate_nothing),
        cmocka_unit_test(constraints_allocate_nothing),          cmocka_unit_test(compliances_allocate_nothing),
        cmocka_unit_test(steady_contact_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
