// What mapForces, mapConstraints, mapMasses, isMechanical and mapMatrices do, in every path: a point of mass m, and
// below a mapping a force F and a spring k on it; the first step of length h from rest shows which of them count.
//
//     EulerExplicitSolver, EulerImplicitSolver  the force always counts; the spring in assembled matrices always, in
//                                               products with mapForces alone
//     other integrators                         neither counts without mapForces
//     positions, velocities                     the child always follows
//     mapMasses, mapMatrices                    nothing
//
// And who computes a state that several mappings have as their output: the last one.
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

#define PARENTS                                                                                                        \
    "<EulerImplicitSolver/>%s<Node name='a'><MechanicalObject name='s' position='1 0 0  2 0 0'/>"                      \
    "<UniformMass totalMass='2'/></Node><Node name='b'><MechanicalObject name='s' position='5 0 0  7 0 0'/>"           \
    "<UniformMass totalMass='2'/></Node><Node name='c'><MechanicalObject name='s' position='0 0 0  0 0 0'/>"           \
    "<ConstantForceField indices='0 1' forces='3 0 0  3 0 0'/>"
#define COPY(name, from) "<IdentityMapping name='" name "' input='@/" from "/s' output='@/c/s'/>"
#define BOTH(name)                                                                                                     \
    "<SubsetMultiMapping template='Vec3,Vec3' name='" name "' input='@/a/s @/b/s' output='@/c/s' "                     \
    "indexPairs='0 0  1 1'/>"

// The child is where the last mapping puts it, and the force acts there and nowhere else.
static void the_last_mapping_computes_a_state(void **state) {
    (void)state;
    static const struct {
        const char *mappings, *message;
        int first, second; // the points that carry the two of the child, in the order a, b
    } cases[] = {
        {COPY("one", "a") COPY("two", "b"), "it replaces 'one'", 2, 3},
        {COPY("one", "a") BOTH("two"), "it replaces 'one'", 0, 3},
        {BOTH("one") COPY("two", "a"), "it replaces 'one'", 0, 1},
        {COPY("one", "a") "<Node>" COPY("two", "b") "</Node>", "computed by 'two', too", 2, 3},
        {COPY("one", "a") "<Node>" BOTH("two") "</Node>", "computed by 'two', too", 0, 3},
        {BOTH("one") "<Node>" COPY("two", "b") "</Node>", "computed by 'two', too", 2, 3},
    };
    static const char *const solvers[] = {CG, LDL};
    const st_real start[] = {1, 2, 5, 7};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        char text[2048];
        const size_t n = i / 2;
        const int length = snprintf(text, sizeof text, PARENTS "%s</Node>", solvers[i % 2], cases[n].mappings);
        assert_true(length > 0 && (size_t)length < sizeof text);
        physics_scene *test = physics_load(text);
        if (!strstr(test->log, cases[n].message)) fail_msg("%s: %s", cases[n].mappings, test->log);
        assert_int_equal(st_scene_step(test->scene, H), ST_OK);
        const st_real *child = physics_state(test, "/c/s")->coord[ST_COORD_POSITION].data;
        for (int p = 0; p < 4; p++) {
            const st_real x = physics_state(test, p < 2 ? "/a/s" : "/b/s")->coord[ST_COORD_POSITION].data[3 * (p % 2)];
            const bool pushed = p == cases[n].first || p == cases[n].second;
            assert_near(x, start[p] + (pushed ? H * H * F : 0), ST_R(1e-6));
            if (p == cases[n].first) assert_true(child[0] == x);
            if (p == cases[n].second) assert_true(child[3] == x);
        }
        physics_free(test);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flag_in_every_path),
        cmocka_unit_test(the_last_mapping_computes_a_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
