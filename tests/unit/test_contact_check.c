// What `settee check` says about contacts: each mistake is found, and a scene without mistakes is quiet.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "settee/contact.h"

#define PARTS(method, response)                                                                                        \
    "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver/><CollisionPipeline/><BruteForceBroadPhase/>"         \
    "<BVHNarrowPhase/>" method "<CollisionResponse response='" response "'/>"
#define LMD "<LocalMinDistance alarmDistance='0.3' contactDistance='0.1'/>"
#define SOLVER "<EulerImplicitSolver/><SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/>"
#define BODY(name, correction, inside)                                                                                 \
    "<Node name='" name "'>" SOLVER inside "<UniformMass totalMass='1'/>" correction "</Node>"
#define UNCOUPLED "<UncoupledConstraintCorrection defaultCompliance='1'/>"
#define CORNERS(x) x "0 0 0  " x "1 0 0  " x "1 1 0  " x "0 1 0  " x "0 0 1  " x "1 0 1  " x "1 1 1  " x "0 1 1"
#define FACES "0 2 1  0 3 2  4 5 6  4 6 7  0 1 5  0 5 4  3 6 2  3 7 6  0 4 7  0 7 3  1 2 6  1 6 5"
#define CUBE(faces, more)                                                                                              \
    "<MeshTopology position='" CORNERS("") "' triangles='" faces "'/><MechanicalObject name='dofs'/>"                  \
                                           "<TriangleCollisionModel name='skin' " more "/>"

static size_t check(const char *children, char *log, size_t room) {
    physics_scene *test = physics_load(children);
    test->log[0] = 0;
    const size_t problems = st_scene_check_contacts(test->scene), said = test->count[ST_WARNING];
    assert_int_equal(test->count[ST_ERROR], 0);
    assert_true(said >= problems);
    snprintf(log, room, "%s", test->log);
    physics_free(test);
    return problems;
}

static void is_told(const char *children, const char *text) {
    char log[8192];
    const size_t problems = check(children, log, sizeof log);
    if (problems != 1 || !strstr(log, text)) fail_msg("%zu problems:\n%s\nnot: %s", problems, log, text);
}

static void is_quiet(const char *children) {
    char log[8192];
    const size_t problems = check(children, log, sizeof log);
    if (problems) fail_msg("%s", log);
}

static void good_scenes_are_quiet(void **state) {
    (void)state;
    is_quiet("");
    is_quiet("<MechanicalObject name='dofs' position='0 0 0'/><SphereCollisionModel/>"); // nothing looks for contacts
    is_quiet(PARTS(LMD, "FrictionContactConstraint") BODY("a", UNCOUPLED, CUBE(FACES, "")));
    is_quiet(PARTS(LMD, "PenalityContactForceField") BODY("a", "", CUBE(FACES, ""))); // needs no correction
    is_quiet(PARTS(LMD, "FrictionContactConstraint") "<Node name='floor'>" CUBE(FACES, "simulated='0'") "</Node>");
    is_quiet(PARTS("<CCDTightInclusionIntersection alarmDistance='0' contactDistance='0.01' "
                   "continuousCollisionType='FreeMotion'/>",
                   "FrictionContactConstraint") BODY("a", UNCOUPLED, CUBE(FACES, "")));
    // a sheet has a border, and no holes
    is_quiet(PARTS(LMD, "FrictionContactConstraint")
                 BODY("a", UNCOUPLED,
                      "<MeshTopology position='0 0 0 1 0 0 1 0 1 0 0 1' triangles='0 2 1 0 3 2'/><MechanicalObject/>"
                      "<TriangleCollisionModel/>"));
}

static void distances_that_do_not_fit(void **state) {
    (void)state;
    is_told(PARTS("<LocalMinDistance alarmDistance='0.1' contactDistance='0.3'/>", "FrictionContactConstraint")
                BODY("a", UNCOUPLED, CUBE(FACES, "")),
            "contactDistance 0.3 is above alarmDistance 0.1");
}

static void surfaces_turned_inwards(void **state) {
    (void)state;
#define INWARDS "0 1 2  0 2 3  4 6 5  4 7 6  0 5 1  0 4 5  3 2 6  3 6 7  0 7 4  0 3 7  1 6 2  1 5 6"
    is_told(PARTS(LMD, "FrictionContactConstraint") BODY("a", UNCOUPLED, CUBE(INWARDS, "")),
            "point inwards (volume -1)");
    is_quiet(PARTS(LMD, "FrictionContactConstraint") BODY("a", UNCOUPLED, CUBE(INWARDS, "bothSide='1'")));
    is_told(PARTS(LMD, "FrictionContactConstraint")
                BODY("a", UNCOUPLED,
                     CUBE("0 1 2  0 3 2  4 5 6  4 6 7  0 1 5  0 5 4  3 6 2  3 7 6  0 4 7  0 7 3  1 2 6  1 6 5", "")),
            "3 edges have neighbors that are turned against each other");

    // a sheet: its areas, which add up to nothing, make no body of it
    is_told(PARTS(LMD, "FrictionContactConstraint")
                BODY("a", UNCOUPLED,
                     "<MeshTopology position='0 0 0 1 0 0 1 1 0 0 1 0' triangles='0 1 2  0 3 2'/><MechanicalObject "
                     "name='dofs'/><TriangleCollisionModel/>"),
            "1 edges have neighbors that are turned against each other");
}

static void holes(void **state) {
    (void)state;
    is_told(PARTS(LMD, "FrictionContactConstraint")
                BODY("a", UNCOUPLED,
                     CUBE("0 2 1  0 3 2  4 5 6  4 6 7  0 1 5  0 5 4  3 6 2  3 7 6  0 4 7  0 7 3  1 2 6", "")),
            "has holes, 3 border edges");
}

static void bodies_without_a_correction(void **state) {
    (void)state;
    is_told(PARTS(LMD, "FrictionContactConstraint") BODY("a", "", CUBE(FACES, "")),
            "/a/dofs has no constraint correction");
    is_told(PARTS(LMD, "FrictionContactConstraint") "<Node name='a'>" CUBE(FACES, "") "</Node>",
            "nothing moves /a/dofs, which has no integrator");
    is_told(PARTS(LMD, "PenalityContactForceField")
                BODY("a", "", CUBE(FACES, "contactResponse='FrictionContactConstraint?mu=0.3'")),
            "/a/dofs has no constraint correction");

    // what carries the model is asked for
    is_told(PARTS(LMD, "FrictionContactConstraint")
                BODY("a", "",
                     "<MechanicalObject name='dofs' position='0 0 0'/><Node name='skin'><MechanicalObject "
                     "name='dofs'/><IdentityMapping/><SphereCollisionModel/></Node>"),
            "/a/dofs has no constraint correction");
}

static void bodies_in_each_other(void **state) {
    (void)state;
    is_told(PARTS(LMD, "FrictionContactConstraint") BODY("a", UNCOUPLED, CUBE(FACES, ""))
                BODY("b", UNCOUPLED,
                     "<MeshTopology position='0.5 0.5 0.2  2 0.5 0.3  2 0.8 0.9' triangles='0 1 2'/><MechanicalObject/>"
                     "<TriangleCollisionModel name='blade'/>"),
            "it starts inside of /a/skin: triangle 0 goes through triangle");
    is_told(PARTS(LMD, "FrictionContactConstraint")
                BODY("a", UNCOUPLED, "<MechanicalObject position='0 0 0'/><SphereCollisionModel radius='1'/>")
                    BODY("b", UNCOUPLED, "<MechanicalObject position='1.5 0 0'/><SphereCollisionModel radius='1'/>"),
            "1 contacts overlap, by up to 0.5");
    // near is not inside
    is_quiet(PARTS(LMD, "FrictionContactConstraint")
                 BODY("a", UNCOUPLED, "<MechanicalObject position='0 0 0'/><SphereCollisionModel radius='1'/>")
                     BODY("b", UNCOUPLED, "<MechanicalObject position='2.05 0 0'/><SphereCollisionModel radius='1'/>"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_scenes_are_quiet),       cmocka_unit_test(distances_that_do_not_fit),
        cmocka_unit_test(surfaces_turned_inwards),     cmocka_unit_test(holes),
        cmocka_unit_test(bodies_without_a_correction), cmocka_unit_test(bodies_in_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
