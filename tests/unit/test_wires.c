// Points on beams, frames that move along them, wires that are pushed through an entry: places and velocities of points,
// nodes and beams by hand, numbers of SOFA, actions, the way back by a reset, and input that cannot be.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/quat.h"

#ifdef SETTEE_REAL_FLOAT
enum { DOUBLE = 0 };
#else
enum { DOUBLE = 1 };
#endif

static void step(physics_scene *test, int steps) {
    for (int i = 0; i < steps; i++)
        if (st_scene_step(test->scene, 0) != ST_OK) fail_msg("step %d: %s", i, test->log);
}

// ---------------------------------------------------------------------------------------------------
// Points on beams
// ---------------------------------------------------------------------------------------------------

#define FRAMES                                                                                                         \
    "<MeshTopology edges='0 1  1 2'/><MechanicalObject name='dofs' template='Rigid3' "                                 \
    "position='0 0 0 0 0 0 1  1 0.1 0 0 0 0.1 0.99498743710662  2 0.3 0.1 0 0 0.12 0.99277389167926857'/>"             \
    "<BeamInterpolation name='beams' radius='0.1'/>"
#define POINTS(more, type)                                                                                             \
    "<Node name='child'><MechanicalObject name='points' template='" type "'/>"                                         \
    "<AdaptiveBeamMapping name='map' template='Rigid3," type "' input='@../dofs' output='@points' " more "/></Node>"

static const st_real *points_of(physics_scene *test) {
    return physics_state(test, "/child/points")->coord[ST_COORD_POSITION].data;
}

#ifdef SETTEE_REAL_FLOAT
#define NEARLY_TWO "1.9999999"
#else
#define NEARLY_TWO "1.999999999999"
#endif

static void points_are_on_the_curve(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(FRAMES POINTS("useCurvAbs='0' points='0 0 0  1 0 0  1 0.2 0  " NEARLY_TWO " 0 0'", "Vec3"));
    const st_real *x = points_of(test), tight = 1e3 * ST_REAL_EPSILON;
    assert_int_equal(test->count[ST_ERROR], 0);
    assert_reals(x, 6, (st_real[]){0, 0, 0, 1, ST_R(0.1), 0}, tight);

    // beside frame 1, whose axes are turned by 2 asin(0.1) about z
    const st_real sine = 2 * ST_R(0.1) * ST_R(0.99498743710662), cosine = 1 - 2 * ST_R(0.01);
    assert_reals(x + 6, 3, (st_real[]){1 - ST_R(0.2) * sine, ST_R(0.1) + ST_R(0.2) * cosine, 0}, ST_R(1e-6));
    assert_reals(x + 9, 3, (st_real[]){2, ST_R(0.3), ST_R(0.1)}, ST_R(1e-6));
    physics_free(test);
}

// Along the beams, in the right computation; with the defect of SOFA all are at the beginning.
static void abscissas_run_along_the_beams(void **state) {
    (void)state;
    static const char scene[] =
        "<MeshTopology edges='0 1  1 2'/><MechanicalObject name='dofs' template='Rigid3' "
        "position='0 0 0 0 0 0 1  1 0 0 0 0 0 1  3 0 0 0 0 0 1'/><BeamInterpolation name='beams' radius='0.1'/>" POINTS(
            "points='0.5 0 0  2.5 0.1 0  9 0 0  -1 0 0'", "Vec3");
    physics_scene *test = physics_load(scene);
    assert_reals(points_of(test), 12, (st_real[]){ST_R(0.5), 0, 0, ST_R(2.5), ST_R(0.1), 0, 3, 0, 0, 0, 0, 0},
                 1e2 * ST_REAL_EPSILON);
    physics_free(test);
    test = physics_load_with(scene, false);
    assert_reals(points_of(test), 6, (st_real[]){0, 0, 0, 0, ST_R(0.1), 0}, 1e2 * ST_REAL_EPSILON);
    physics_free(test);
}

// Velocities against differences of places, points without offset: exact.
static void velocities_are_derivatives(void **state) {
    (void)state;
    physics_scene *test = physics_load(FRAMES POINTS("useCurvAbs='0' points='0.3 0 0  1.6 0 0'", "Vec3"));
    st_mapping *map = (st_mapping *)physics_find(test, "/child/map");
    st_state *dofs = physics_state(test, "/dofs"), *points = physics_state(test, "/child/points");
    assert_true(st_state_make_deriv(dofs, ST_VELOCITY) && st_state_make_deriv(points, ST_VELOCITY));
    st_real *x = dofs->coord[ST_COORD_POSITION].data, *v = dofs->deriv[ST_DERIV_VELOCITY].data, start[21], end[2][6];
    unsigned seed = 5;
    for (int i = 0; i < 18; i++) v[i] = physics_random(&seed);
    st_mapping_apply_j(map, ST_VELOCITY, st_read_deriv(ST_VELOCITY));

    // c ± h v, q ± h/2 ω q
    const st_real h = DOUBLE ? ST_R(1e-6) : ST_R(1e-2);
    memcpy(start, x, sizeof start);
    for (int side = 0; side < 2; side++) {
        for (size_t n = 0; n < 3; n++) {
            const st_real s = side ? h : -h, w[4] = {v[6 * n + 3], v[6 * n + 4], v[6 * n + 5], 0};
            st_real turn[4];
            st_quat_multiply(turn, w, start + 7 * n + 3);
            for (size_t k = 0; k < 3; k++) x[7 * n + k] = start[7 * n + k] + s * v[6 * n + k];
            for (size_t k = 0; k < 4; k++) x[7 * n + 3 + k] = start[7 * n + 3 + k] + s / 2 * turn[k];
            st_quat_normalize(x + 7 * n + 3, x + 7 * n + 3);
        }
        map->object.type->mapping->apply(map, ST_POSITION, st_read_coord(ST_POSITION));
        memcpy(end[side], points_of(test), sizeof end[side]);
    }
    for (size_t i = 0; i < 6; i++)
        assert_near(points->deriv[ST_DERIV_VELOCITY].data[i], (end[1][i] - end[0][i]) / (2 * h),
                    DOUBLE ? ST_R(1e-8) : ST_R(1e-2));
    physics_free(test);
}

static void frames_on_the_curve(void **state) {
    (void)state;
    physics_scene *test = physics_load(FRAMES POINTS("useCurvAbs='0' points='1 0 0'", "Rigid3"));
    assert_int_equal(physics_state(test, "/child/points")->size, 1);
    assert_reals(points_of(test), 7, (st_real[]){1, ST_R(0.1), 0, 0, 0, ST_R(0.1), ST_R(0.99498743710662)}, ST_R(1e-6));
    physics_free(test);
}

// Numbers of SOFA: the second beam of its scene, after 10 steps.
static void frames_move_to_where_it_bends(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<Node name='n' gravity='0 -9.81 0'><Gravity gravity='0 -9.81 0'/><EulerImplicitSolver rayleighStiffness='0' "
        "rayleighMass='0'/><EigenSparseLU template='CompressedRowSparseMatrixMat3x3d'/><MeshTopology lines='0 1 1 2 2 "
        "3'/>"
        "<MechanicalObject template='Rigid3' name='dofs' position='0 0 2 0 0 0 1  1 0 2 0 0 0 1  2 0 2 0 0 0 1  3 0 2 "
        "0 "
        "0 0 1'/><BeamInterpolation radius='0.1'/><FixedProjectiveConstraint indices='0'/><AdaptiveBeamController/>"
        "<AdaptiveBeamForceFieldAndMass massDensity='50'/></Node>");
    step(test, 10);
    const st_real *x = physics_state(test, "/n/dofs")->coord[ST_COORD_POSITION].data + 7,
                  tight = DOUBLE ? ST_R(1e-9) : 1;
    assert_reals(x, 3, (st_real[]){ST_R(0.96432565085168787), ST_R(-0.054759103562456585), 2}, tight);
    assert_near(x[5], ST_R(-0.014402323433495292), tight);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Wires
// ---------------------------------------------------------------------------------------------------

#define WIRE(name, sections)                                                                                           \
    "<Node name='" name "'>" sections                                                                                  \
    "<WireRestShape name='shape' wireMaterials='@a @b'/><EdgeSetTopologyContainer name='mesh'/></Node>"
#define SECTIONS                                                                                                       \
    "<RodStraightSection name='a' radius='0.5' nbBeams='3' nbEdgesVisu='6' nbEdgesCollis='3' length='9' "              \
    "massDensity='0.001'/><RodSpireSection name='b' massDensity='0.001' radius='0.5' nbBeams='2' nbEdgesVisu='4' "     \
    "nbEdgesCollis='4' "                                                                                               \
    "length='4' "                                                                                                      \
    "spireDiameter='3' spireHeight='1'/>"
#define BODY(n, beams, controller)                                                                                     \
    "<Node name='body'><EulerImplicitSolver rayleighStiffness='0.1' rayleighMass='0.1'/><BTDLinearSolver/>"            \
    "<RegularGridTopology name='line' nx='" n                                                                          \
    "' ny='1' nz='1' xmin='0' xmax='0' ymin='0' ymax='0' zmin='0' zmax='0'/>"                                          \
    "<MechanicalObject name='dofs' template='Rigid3'/>" beams controller                                               \
    "<FixedProjectiveConstraint name='fixed'/><RestShapeSpringsForceField points='@ir.indexFirstNode' "                \
    "stiffness='1e6' angularStiffness='1e6'/>%s</Node>"
#define ONE                                                                                                            \
    "<WireBeamInterpolation name='beams' WireRestShape='@../wire/shape'/>"                                             \
    "<AdaptiveBeamForceFieldAndMass interpolation='@beams'/>"

static physics_scene *load_wire(const char *tips, const char *more, const char *children) {
    char text[4096];
    snprintf(text, sizeof text,
             WIRE("wire", SECTIONS)
                 BODY("9", ONE, "<InterventionalRadiologyController name='ir' instruments='beams' %s %s/>"),
             tips, more, children);
    return physics_load(text);
}

static void rest_shapes_are_lines_of_sections(void **state) {
    (void)state;
    physics_scene *test = physics_load(WIRE("wire", SECTIONS));
    const st_topology *mesh = (const st_topology *)physics_find(test, "/wire/mesh");
    assert_field(test, "/wire/shape", "keyPoints", "0 9 13");
    assert_field(test, "/wire/shape", "densityOfBeams", "3 2");
    assert_int_equal(mesh->elements[ST_EDGE].count, 10);
    assert_reals(mesh->position.data + 3, 3, (st_real[]){ST_R(1.5), 0, 0}, 0);
    assert_reals(mesh->position.data + 18, 6, (st_real[]){9, 0, 0, 10, 0, 0}, 0);
    physics_free(test);
}

// The last 6 of 13 are out: the end of the straight section is at 2, its beams of 3 are sampled from there backwards, the
// spire's beams are 2 long.
static void nodes_and_beams_by_hand(void **state) {
    (void)state;
    physics_scene *test = load_wire("xtip='6'", "startingPos='1 2 3 0 0 0 2'", "");
    assert_int_equal(test->count[ST_ERROR], 0);
    assert_field(test, "/body/beams", "lengthList", "2 2 2");
    assert_field(test, "/body/beams", "curvAbsList", "7 9 9 11 11 13");
    assert_field(test, "/body/beams", "edgeList", "5 6 7");
    assert_field(test, "/body/fixed", "indices", "0 1 2 3 4");
    assert_field(test, "/body/ir", "indexFirstNode", "5");
    assert_field(test, "/body/ir", "startingPos", "1 2 3 0 0 0 1");
    const st_state *dofs = physics_state(test, "/body/dofs");
    for (size_t i = 0; i < 7 * dofs->size; i++)
        assert_near(dofs->coord[ST_COORD_POSITION].data[i], (st_real[]){1, 2, 3, 0, 0, 0, 1}[i % 7], 0);
    physics_free(test);
}

// Pushed slowly, it keeps its length and its shape: the straight part lies along the entry's x axis.
static void a_wire_is_pushed(void **state) {
    (void)state;
    physics_scene *test = load_wire("xtip='0'", "speed='10'", "");
    step(test, 80);
    char *tip = st_object_get(physics_find(test, "/body/ir"), "xtip", 6);
    assert_near((st_real)strtod(tip, NULL), 8, ST_R(1e-4));
    st_string_free(tip);
    const st_state *dofs = physics_state(test, "/body/dofs");
    const st_real *last = dofs->coord[ST_COORD_POSITION].data + 7 * (dofs->size - 1);

    // at rest: 4 of the straight section are out; then the spire, which two beams bend to −z, and up by 4 of a turn
    assert_int_equal(st_object_set(physics_find(test, "/body/ir"), "speed", "0"), ST_OK);
    step(test, 600);
    assert_reals(last - 14, 3, (st_real[]){4, 0, 0}, ST_R(0.1));
    assert_near(last[1], 4 / sqrt(1 + 9 * ST_PI * ST_PI), ST_R(0.1));
    assert_near(last[2], ST_R(1.5) * (cos(2 * ST_PI * last[1]) - 1), ST_R(0.5));
    assert_int_equal(st_object_set(physics_find(test, "/body/ir"), "speed", "10"), ST_OK);

    // it ends at its length
    step(test, 80);
    assert_field(test, "/body/ir", "xtip", "13");
    physics_free(test);
}

static void a_reset_pulls_it_back(void **state) {
    (void)state;
    physics_scene *test = load_wire("xtip='1'", "speed='10'", "");
    st_state *dofs = physics_state(test, "/body/dofs");
    st_real first[63];
    step(test, 30);
    memcpy(first, dofs->coord[ST_COORD_POSITION].data, sizeof first);
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_field(test, "/body/ir", "xtip", "1");
    step(test, 30);
    assert_memory_equal(first, dofs->coord[ST_COORD_POSITION].data, sizeof first);
    physics_free(test);
}

// Two wires: 0.01 s a step; one action a step.
static void actions_follow_their_times(void **state) {
    (void)state;
    char text[8192];
    snprintf(text, sizeof text,
             WIRE("wire", SECTIONS) WIRE("wire2", SECTIONS)
                 BODY("19",
                      ONE "<WireBeamInterpolation name='beams2' WireRestShape='@../wire2/shape'/>"
                          "<AdaptiveBeamForceFieldAndMass interpolation='@beams2'/>"
                          "<BeamAdapterActionController interventionController='@ir' writeMode='0' "
                          "timeSteps='0 0 0.045 0.05 0.05 0.05' actions='1 3 9 1 2 12'/>",
                      "<InterventionalRadiologyController name='ir' instruments='beams beams2' xtip='1 0' step='0.5' "
                      "speed='3' angularStep='0.25'/>"),
             "");
    physics_scene *test = physics_load(text);
    step(test, 3);
    assert_field(test, "/body/ir", "xtip", "1.5 0");
    assert_field(test, "/body/ir", "rotationInstrument", "0.25 0");
    step(test, 4);
    assert_field(test, "/body/ir", "controlledInstrument", "1");
    assert_field(test, "/body/ir", "xtip", "1.5 0.5");
    step(test, 3);
    assert_field(test, "/body/ir", "xtip", "1.5 0");
    assert_non_null(strstr(test->log, "action 12 is not known"));
    physics_free(test);
}

static void points_for_collisions(void **state) {
    (void)state;
    physics_scene *test = load_wire("xtip='6'", "speed='1'",
                                    "<Node name='c'><EdgeSetTopologyContainer name='mesh'/><EdgeSetTopologyModifier/>"
                                    "<MechanicalObject name='points'/>"
                                    "<MultiAdaptiveBeamMapping controller='../ir'/></Node>");
    assert_int_equal(test->count[ST_ERROR], 0);
    assert_non_null(strstr(test->log, "does not begin with @; it is taken as one"));
    const st_state *dofs = physics_state(test, "/body/dofs"), *points = physics_state(test, "/body/c/points");
    assert_int_equal(points->size, 8);
    assert_int_equal(((const st_topology *)physics_find(test, "/body/c/mesh"))->elements[ST_EDGE].count, 7);
    step(test, 20);

    // the last one at the tip, the first one at the entry, those of the spire between them a quarter of it apart
    const st_real *x = points->coord[ST_COORD_POSITION].data, *frames = dofs->coord[ST_COORD_POSITION].data;
    assert_reals(x + 21, 3, frames + 7 * (dofs->size - 1), 1e3 * ST_REAL_EPSILON);
    size_t first = 0;
    char *text = st_object_get(physics_find(test, "/body/ir"), "indexFirstNode", 6);
    first = (size_t)strtol(text, NULL, 10);
    st_string_free(text);
    assert_reals(x, 3, frames + 7 * first, 1e3 * ST_REAL_EPSILON);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------

static void refuse(const char *xml, const char *what) {
    physics_scene *test = physics_load(xml);
    if (!test->count[ST_ERROR] || !strstr(test->log, what)) fail_msg("no \"%s\" in: %s", what, test->log);
    st_scene_step(test->scene, 0);
    physics_free(test);
}

static void hostile_input(void **state) {
    (void)state;
    refuse("<RodStraightSection nbBeams='3' length='0'/>", "length is 0");
    refuse("<RodStraightSection nbBeams='0'/>", "each must be from 1 to");
    refuse("<RodStraightSection nbBeams='3' radius='1' innerRadius='2'/>", "innerRadius 2");
    refuse("<RodSpireSection nbBeams='3' spireDiameter='0'/>", "spireDiameter is 0");
    refuse("<RodMeshSection nbBeams='3'/>", "there is no loader");
    refuse("<EdgeSetTopologyContainer/><WireRestShape/>", "names no section");
    refuse("<UniformMass name='m'/><EdgeSetTopologyContainer/><WireRestShape wireMaterials='@m'/>",
           "no usable section");
    refuse("<RegularGridTopology n='3 1 1'/><MechanicalObject template='Rigid3'/><WireBeamInterpolation/>",
           "names no usable rest shape");
    refuse("<RegularGridTopology n='3 1 1'/><MechanicalObject template='Rigid3'/><InterventionalRadiologyController/>",
           "there is no WireBeamInterpolation");
    refuse("<RegularGridTopology n='3 1 1'/><MechanicalObject template='Rigid3'/>"
           "<InterventionalRadiologyController instruments='nobody'/>",
           "'nobody' is no WireBeamInterpolation");
    refuse("<MechanicalObject template='Rigid3'/><BeamAdapterActionController/>", "nothing moves");
    refuse("<MechanicalObject template='Rigid3'/><AdaptiveBeamController/>", "there is no BeamInterpolation");
    refuse(WIRE("wire", SECTIONS) "<Node name='b'><RegularGridTopology n='1 1 1'/><MechanicalObject template='Rigid3'/>"
                                  "<WireBeamInterpolation name='w' WireRestShape='@../wire/shape'/>"
                                  "<InterventionalRadiologyController/></Node>",
           "there must be 2 at least");
    refuse("<MechanicalObject template='Rigid3' name='d'/><Node name='n'><MechanicalObject name='p'/>"
           "<AdaptiveBeamMapping input='@../d' output='@p'/></Node>",
           "there is no interpolation of beams");
    refuse("<MechanicalObject template='Rigid3' name='d'/><Node name='n'><MechanicalObject name='p'/>"
           "<MultiAdaptiveBeamMapping input='@../d' output='@p'/></Node>",
           "there is no InterventionalRadiologyController");

    // more beams than frames: what fits is there
    physics_scene *test = load_wire("xtip='nan'", "", "");
    assert_true(test->count[ST_ERROR] + test->count[ST_WARNING] > 0);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_on_the_curve),       cmocka_unit_test(abscissas_run_along_the_beams),
        cmocka_unit_test(velocities_are_derivatives),    cmocka_unit_test(frames_on_the_curve),
        cmocka_unit_test(frames_move_to_where_it_bends), cmocka_unit_test(rest_shapes_are_lines_of_sections),
        cmocka_unit_test(nodes_and_beams_by_hand),       cmocka_unit_test(a_wire_is_pushed),
        cmocka_unit_test(a_reset_pulls_it_back),         cmocka_unit_test(actions_follow_their_times),
        cmocka_unit_test(points_for_collisions),         cmocka_unit_test(hostile_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
