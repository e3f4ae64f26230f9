// What mapForces, mapConstraints, mapMasses, isMechanical and mapMatrices do, in every path: a point of mass m, and below
// a mapping a force F and a spring k on it; the first step of length h from rest tells which of them count.
//
//     EulerExplicitSolver, EulerImplicitSolver  the force always counts; the spring in assembled matrices always, in
//                                               products with mapForces alone
//     other integrators                         neither counts without mapForces
//     positions, velocities                     the child always follows
//     mapMasses, mapMatrices                    nothing
//
// SPDX-License-Identifier: Apache-2.0
#include "math/real.h"
#include "physics_scene.h"

#define M ST_R(2)
#define F ST_R(3)
#define K ST_R(50)
#define H ST_R(0.01)

static st_real first_step(const char *solver, const char *flags) {
    char text[1024];
    snprintf(text, sizeof text,
             "<Node name='a' gravity='0 0 0'>%s<MechanicalObject name='s'/><UniformMass totalMass='2'/><Node name='c'>"
             "<MechanicalObject name='s'/><IdentityMapping %s/><ConstantForceField indices='0' forces='3 0 0'/>"
             "<RestShapeSpringsForceField stiffness='50'/></Node></Node>",
             solver, flags);
    physics_scene *test = physics_load(text);
    assert_int_equal(st_scene_step(test->scene, H), ST_OK);
    const st_state *parent = physics_state(test, "/a/s"), *child = physics_state(test, "/a/c/s");
    const st_real x = parent->coord[ST_COORD_POSITION].data[0];
    assert_true(child->coord[ST_COORD_POSITION].data[0] == x);
    assert_true(child->deriv[ST_DERIV_VELOCITY].data[0] == parent->deriv[ST_DERIV_VELOCITY].data[0]);
    physics_free(test);
    return x;
}

typedef struct expected {
    const char *solver;
    st_real with, without; // mapForces
} expected;

static void every_flag_in_every_path(void **state) {
    (void)state;
    const st_real free_fall = H * H * F / M, held = H * H * F / (M + H * H * K);
#define CG "<CGLinearSolver iterations='50' tolerance='1e-14' threshold='1e-30'/>"
#define LDL "<SparseLDLSolver/>"
#define NEWTON "<NewtonRaphsonSolver maxNbIterationsNewton='1'/>"
    const expected rows[] = {
        {"<EulerExplicitSolver/>", free_fall, free_fall},
        {"<EulerImplicitSolver/>" CG, held, free_fall},
        {"<EulerImplicitSolver/>" LDL, held, held},
        {"<RungeKutta2Solver/>", free_fall / 2, 0},
        {"<CentralDifferenceSolver/>", free_fall, 0},
        {"<NewmarkImplicitSolver/>" CG, H * H * F / (M + H * H * K / 4) / 2, 0},
        {"<NewmarkImplicitSolver/>" LDL, H * H * F / (M + H * H * K / 4) / 2, 0},
        {"<StaticSolver/>" NEWTON CG, F / K, 0},
    };
    static const char *const on[] = {"", "mapConstraints='0'", "mapMasses='0'", "mapMatrices='1'",
                                     "isMechanical='0' mapForces='1'"};
    static const char *const off[] = {"mapForces='0'", "isMechanical='0'", "mapForces='0' mapMatrices='1'"};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const st_real tolerance = ST_R(1e-5) * rows[r].with, first = first_step(rows[r].solver, "");
        if (!(fabs(first - rows[r].with) <= tolerance))
            fail_msg("%s: %g, not %g", rows[r].solver, (double)first, (double)rows[r].with);
        for (size_t i = 0; i < sizeof on / sizeof *on; i++) assert_true(first_step(rows[r].solver, on[i]) == first);
        for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
            const st_real x = first_step(rows[r].solver, off[i]);
            if (!(fabs(x - rows[r].without) <= tolerance))
                fail_msg("%s with %s: %g, not %g", rows[r].solver, off[i], (double)x, (double)rows[r].without);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_flag_in_every_path)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
