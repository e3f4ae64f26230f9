// MechanicalObject: how its vectors get their sizes, its transforms, its short-hands.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/real.h"
#include "scene_probe.h"

#ifdef SETTEE_REAL_FLOAT
#define TIGHT 1e-6
#else
#define TIGHT 1e-15
#endif

// The state /s of a scene whose root holds these components.
static st_scene *start(const char *components) {
    char xml[4096];
    snprintf(xml, sizeof xml, "<Node><DefaultAnimationLoop/>%s</Node>", components);
    return probe_init(xml);
}

// The fields of one MechanicalObject with these attributes: a name and a value for each, NULL at the end.
static void expect(const char *attributes, const char *const *fields) {
    char xml[2048];
    snprintf(xml, sizeof xml, "<MechanicalObject name='s' %s/>", attributes);
    st_scene *scene = start(xml);
    for (; *fields; fields += 2) probe_expect(scene, "/s", fields[0], fields[1]);
    st_scene_destroy(scene);
}
#define FIELDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void close_to(const st_real *values, size_t count, const double *expected) {
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)values[i] - expected[i]) <= TIGHT * 8))
            fail_msg("scalar %zu is %.17g, not %.17g", i, (double)values[i], expected[i]);
}

// ---------------------------------------------------------------------------------------------------
// Sizes
// ---------------------------------------------------------------------------------------------------

static void nothing_given_is_one_dof(void **unused) {
    (void)unused;
    expect("", FIELDS("position", "0 0 0", "velocity", "0 0 0", "rest_position", "0 0 0", "force", "0 0 0"));
    expect("template='Rigid3'", FIELDS("position", "0 0 0 0 0 0 1", "velocity", "0 0 0 0 0 0"));
    expect("template='Vec1'", FIELDS("position", "0"));
    expect("position='1 2 3'", FIELDS("position", "1 2 3", "rest_position", "1 2 3"));
}

static void size_pads_and_cuts(void **unused) {
    (void)unused;
    expect("size='2'", FIELDS("position", "0 0 0 0 0 0", "velocity", "0 0 0 0 0 0"));
    expect("size='1' position='1 2 3 4 5 6'", FIELDS("position", "1 2 3"));
    expect("size='3' position='1 2 3' template='Rigid2'", FIELDS("position", "1 2 3 0 0 0 0 0 0"));
    expect("size='0'", FIELDS("position", "", "velocity", ""));
    expect("size='-2'", FIELDS("position", "0 0 0"));
    assert_said(ST_WARNING, "size = -2 is negative");
    expect("size='many'", FIELDS("position", "0 0 0"));
    assert_said(ST_WARNING, "'size'");
    expect("size='2000000000'", FIELDS("position", "0 0 0"));
    assert_said(ST_ERROR, "size = 2000000000 needs more memory");
    expect("size='2' template='Rigid3'", FIELDS("position", "0 0 0 0 0 0 1 0 0 0 0 0 0 1"));
}

static void the_largest_vector_decides(void **unused) {
    (void)unused;
    expect("position='1 0 0  2 0 0' velocity='5 0 0'",
           FIELDS("position", "1 0 0 2 0 0", "velocity", "5 0 0 0 0 0", "force", "0 0 0 0 0 0"));
    assert_quiet(ST_WARNING, "elements");
    expect("position='1 0 0' velocity='1 0 0  2 0 0'", FIELDS("position", "1 0 0 0 0 0"));
    expect("position='1 0 0  2 0 0' velocity='1 0 0  2 0 0  3 0 0'", FIELDS("position", "1 0 0 2 0 0 0 0 0"));
    assert_said(ST_WARNING, "position has 2 elements, the state has 3");
    expect("force='1 1 1  2 2 2'", FIELDS("position", "0 0 0 0 0 0", "force", "1 1 1 2 2 2"));
    expect("externalForce='1 1 1  2 2 2'", FIELDS("position", "0 0 0 0 0 0"));
    expect("derivX='1 1 1  2 2 2'", FIELDS("position", "0 0 0 0 0 0"));
    expect("free_position='1 1 1  2 2 2'", FIELDS("position", "0 0 0 0 0 0"));
    expect("velocity=''", FIELDS("position", "0 0 0", "velocity", "0 0 0"));
    expect("position=''", FIELDS("position", "", "velocity", ""));
}

static void rest_positions(void **unused) {
    (void)unused;
    // only a rest position: as many default positions
    expect("rest_position='1 0 0  2 0 0'", FIELDS("position", "0 0 0 0 0 0", "rest_position", "1 0 0 2 0 0"));
    // of the right size it is not transformed
    expect("position='1 0 0' rest_position='5 0 0' translation='1 1 1'",
           FIELDS("position", "2 1 1", "rest_position", "5 0 0"));
    // a shorter one is padded with zeros, not taken from position
    expect("position='1 0 0  2 0 0' rest_position='5 0 0'", FIELDS("rest_position", "5 0 0 0 0 0"));
    // a longer one enlarges the state; what is new is transformed, too
    expect("position='1 0 0' rest_position='5 0 0  6 0 0' translation='1 0 0'",
           FIELDS("position", "2 0 0 1 0 0", "rest_position", "5 0 0 6 0 0"));
    expect("position='1 2 3' restScale='2'", FIELDS("position", "1 2 3", "rest_position", "2 4 6"));
    expect("template='Rigid3' position='1 2 3 0 0 0 1' restScale='2'", FIELDS("rest_position", "2 4 6 0 0 0 1"));
}

#define GRID "<RegularGridTopology n='2 1 1' min='1 0 0' max='3 0 0'/>"

static void the_topology_of_the_node(void **unused) {
    (void)unused;
    static const char *const scenes[] = {
        GRID "<MechanicalObject name='s' velocity='7 8 9'/>",
        "<MechanicalObject name='s' velocity='7 8 9'/>" GRID, // declared later
    };
    for (int i = 0; i < 2; i++) {
        st_scene *scene = start(scenes[i]);
        probe_expect(scene, "/s", "position", "1 0 0 3 0 0");
        probe_expect(scene, "/s", "velocity", "7 8 9 7 8 9"); // one velocity for all
        probe_expect(scene, "/s", "rest_position", "1 0 0 3 0 0");
        st_scene_destroy(scene);
    }
    st_scene *scene = start(GRID "<MechanicalObject name='s' position='9 9 9' template='Rigid3'/>"
                                 "<MechanicalObject name='t' useTopology='0'/>"
                                 "<MechanicalObject name='u' position='1 1 1  2 2 2  3 3 3'/>"
                                 "<Node name='n'><MechanicalObject name='below'/>"
                                 "<MechanicalObject name='linked' topology='@../RegularGridTopology1'/></Node>");
    probe_expect(scene, "/s", "position", "1 0 0 0 0 0 1 3 0 0 0 0 0 1"); // one position is overwritten
    probe_expect(scene, "/t", "position", "0 0 0");
    probe_expect(scene, "/u", "position", "1 1 1 2 2 2 3 3 3"); // several are not
    probe_expect(scene, "/n/below", "position", "0 0 0");       // only the own node's
    probe_expect(scene, "/n/linked", "position", "1 0 0 3 0 0");
    assert_said(ST_WARNING, "only one state is permitted in a node; it replaces 's'");
    st_scene_destroy(scene);
    // the grid's own size is linked and not fetched yet when the state comes first
    scene = start("<Probe name='p' point='2 1 1'/><MechanicalObject name='s'/>"
                  "<RegularGridTopology n='@p.point' min='1 0 0' max='3 0 0'/>");
    probe_expect(scene, "/s", "position", "1 0 0 3 0 0");
    st_scene_destroy(scene);
}

static void linked_vectors(void **unused) {
    (void)unused;
    st_scene *scene = start("<Probe name='p' points='1 2 3  4 5 6' reals=''/>"
                            "<MechanicalObject name='a' template='Rigid3' position='@p.points'/>"
                            "<Node name='n'><MechanicalObject name='b' position='@p.reals'/></Node>"
                            "<Node name='m'><MechanicalObject name='c' size='4' velocity='@p.points'/></Node>"
                            "<Node name='o'><MechanicalObject name='d' src='@/a' /></Node>");
    probe_expect(scene, "/a", "position", "1 2 3 0 0 0 1 4 5 6 0 0 0 1");
    probe_expect(scene, "/n/b", "position", "");
    probe_expect(scene, "/m/c", "velocity", "1 2 3 4 5 6 4 5 6 4 5 6"); // the last one for the others
    probe_expect(scene, "/o/d", "position", "1 2 3 4 5 6");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Transforms
// ---------------------------------------------------------------------------------------------------

static void scale_rotation_translation(void **unused) {
    (void)unused;
    const char *const turn = "rotation='0 0 90' translation='10 20 30' scale3d='2 3 4'";
    static const struct {
        const char *type, *position;
        int count;
        double expected[7];
    } cases[] = {
        {"Vec1", "1", 1, {10}},                           // (2 0 0) turned is (0 2 0)
        {"Vec2", "1 2", 2, {10 - 6, 20 + 2}},             //
        {"Vec3", "1 2 3", 3, {10 - 6, 20 + 2, 30 + 12}},  //
        {"Vec6", "1 2 3 4 5 6", 6, {4, 22, 42, 4, 5, 6}}, // the first three only
        {"Rigid2", "1 2 3", 3, {4, 22, 12}},              // the angle is scaled, and not turned
        {"Rigid3", "1 2 3 0 0 0 1", 7, {4, 22, 42, 0, 0, 0.70710678118654752, 0.70710678118654752}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char xml[512];
        snprintf(xml, sizeof xml, "<MechanicalObject name='s' template='%s' position='%s' %s/>", cases[i].type,
                 cases[i].position, turn);
        st_scene *scene = start(xml);
        const st_state *s = STATE(scene, "/s");
        close_to(s->coord[ST_COORD_POSITION].data, (size_t)cases[i].count, cases[i].expected);
        close_to(s->coord[ST_COORD_REST].data, (size_t)cases[i].count, cases[i].expected);
        st_scene_destroy(scene);
    }
}

// Angles about x, then y, then z, all about fixed axes; velocities are not turned.
static void order_of_rotations(void **unused) {
    (void)unused;
    st_scene *scene = start("<MechanicalObject name='s' position='0 0 1' rotation='90 0 90' velocity='0 0 1'/>");
    close_to(STATE(scene, "/s")->coord[ST_COORD_POSITION].data, 3, (double[]){1, 0, 0});
    probe_expect(scene, "/s", "velocity", "0 0 1");
    st_scene_destroy(scene);
}

static void second_transform_comes_after_rest(void **unused) {
    (void)unused;
    expect("position='1 0 0' translation='1 0 0' translation2='0 5 0'",
           FIELDS("position", "2 5 0", "rest_position", "2 0 0"));
    st_scene *scene = start("<MechanicalObject name='s' position='1 0 0' rotation2='0 0 90' translation2='0 0 1'/>");
    close_to(STATE(scene, "/s")->coord[ST_COORD_POSITION].data, 3, (double[]){0, 1, 1});
    probe_expect(scene, "/s", "rest_position", "1 0 0");
    st_scene_destroy(scene);
}

static void short_hands(void **unused) {
    (void)unused;
    st_scene *scene = start("<MechanicalObject name='s' position='1 1 1' dx='14.4679' translation='5 6 7'/>");
    const st_real *x = STATE(scene, "/s")->coord[ST_COORD_POSITION].data;
    assert_true(x[0] == 1 + (st_real)14.4679f && x[1] == 1 && x[2] == 1); // float, and the whole triple
    probe_expect(scene, "/s", "translation", "14.4679 0 0");
    st_scene_destroy(scene);
    expect("position='1 1 1' scale='2'", FIELDS("position", "2 2 2"));
    expect("position='1 1 1' sy='3' scale3d='7 7 7'", FIELDS("position", "1 3 1"));
    expect("position='1 1 1' scale='2' sx='5'", FIELDS("position", "5 1 1"));
    expect("position='1 2 3' rz='180'", FIELDS("rotation", "0 0 180"));
    expect("position='1 2 3' dy2='1'", FIELDS("position", "1 3 3", "rest_position", "1 2 3"));
    expect("position='1 2 3' rx2='0' translation2='1 1 1'", FIELDS("position", "2 3 4"));
    expect("position='1 1 1' sx='big'", FIELDS("position", "1 1 1")); // the default of a scale is 1
    assert_said(ST_ERROR, "'sx'");
    expect("position='1 1 1' scale='x'", FIELDS("position", "1 1 1"));
    expect("position='1 1 1' dx='x' dy='2'", FIELDS("position", "1 3 1"));
}

static void reinit_transforms_again(void **unused) {
    (void)unused;
    st_scene *scene = start("<MechanicalObject name='s' position='1 0 0' translation='1 0 0' scale3d='2 2 2'/>");
    probe_expect(scene, "/s", "position", "3 0 0");
    st_object *s = probe_find(scene, "/s");
    assert_int_equal(s->type->reinit(s), ST_OK);
    probe_expect(scene, "/s", "position", "7 0 0");
    st_scene_destroy(scene);
}

static void positions_must_be_finite(void **unused) {
    (void)unused;
    st_scene *scene = start("<MechanicalObject name='s' position='1 0 0  1e300 0 0' scale3d='1e300 1 1'/>");
#ifndef SETTEE_REAL_FLOAT
    assert_said(ST_ERROR, "position of DOF 1 is not finite");
#endif
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_given_is_one_dof),          cmocka_unit_test(size_pads_and_cuts),
        cmocka_unit_test(the_largest_vector_decides),        cmocka_unit_test(rest_positions),
        cmocka_unit_test(the_topology_of_the_node),          cmocka_unit_test(linked_vectors),
        cmocka_unit_test(scale_rotation_translation),        cmocka_unit_test(order_of_rotations),
        cmocka_unit_test(second_transform_comes_after_rest), cmocka_unit_test(short_hands),
        cmocka_unit_test(reinit_transforms_again),           cmocka_unit_test(positions_must_be_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
