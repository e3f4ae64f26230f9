// The C interface of programs: nodes, typed fields, views, events, changes of a running scene, saving, misuse.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE // mkstemps
#endif
#include <math.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "scene_probe.h"

#define LOOP "<DefaultAnimationLoop name='loop'/>"
#define FALL                                                                                                           \
    "<Node name='body'><EulerExplicitSolver name='ode'/><MechanicalObject name='dofs' position='0 0 0 1 0 0'/>"        \
    "<UniformMass name='mass' totalMass='2'/></Node>"
#define ROOT(inside) "<Node name='root' gravity='0 -10 0' dt='0.1'>" LOOP inside "</Node>"

static st_real height(st_scene *scene) {
    size_t count, width;
    const st_real *x = st_object_reals(st_scene_find(scene, "/body/dofs"), "position", &count, &width);
    return x ? x[1] : 0;
}

// ---------------------------------------------------------------------------------------------------
// Nodes
// ---------------------------------------------------------------------------------------------------

static void the_tree_can_be_walked(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL "<Node name='other'><Node name='deep'/></Node>"));
    st_node *root = st_scene_root(scene), *body = st_scene_find_node(scene, "/body");
    assert_int_equal(st_node_child_count(root), 2);
    assert_ptr_equal(st_node_child(root, 0), body);
    assert_null(st_node_child(root, 2));
    assert_ptr_equal(st_node_parent(body), root);
    assert_null(st_node_parent(root));
    assert_string_equal(st_node_name(body), "body");
    assert_string_equal(st_node_path(st_scene_find_node(scene, "/other/deep")), "/other/deep");
    assert_string_equal(st_node_path(root), "/");
    assert_int_equal(st_node_object_count(body), 3);
    assert_string_equal(st_object_name(st_node_object(body, 1)), "dofs");
    assert_ptr_equal(st_object_node(st_node_object(body, 1)), body);
    assert_ptr_equal(st_node_find(body, "dofs"), st_scene_find(scene, "/body/dofs"));
    assert_ptr_equal(st_object_as_node(st_node_find(body, "../other")), st_scene_find_node(scene, "/other"));
    assert_null(st_scene_find_node(scene, "/body/dofs"));
    assert_ptr_equal(st_object_as_node(st_node_as_object(body)), body);
    assert_null(st_object_as_node(st_node_object(body, 0)));
    assert_ptr_equal(st_node_scene(body), scene);
    assert_string_equal(st_object_kind(st_node_object(body, 2)), "mass");
    assert_true(st_object_is_initialized(st_node_object(body, 2)));
    st_scene_destroy(scene);
}

// A scene that is built by calls moves like the same scene from a file.
static void a_scene_can_be_built(void **unused) {
    (void)unused;
    st_scene *file = probe_init(ROOT(FALL)), *built = probe_create(false);
    const st_attribute_text here[] = {{"gravity", "0 -10 0"}, {"dt", "0.1"}};
    const st_attribute_text points[] = {{"position", "0 0 0 1 0 0"}, {"name", "dofs"}};
    const st_attribute_text mass = {"totalMass", "2"};
    st_node *root = st_scene_create_root(built, "root");
    assert_non_null(root);
    assert_null(st_scene_create_root(built, "again"));
    for (int i = 0; i < 2; i++)
        assert_int_equal(st_object_set(st_node_as_object(root), here[i].name, here[i].value), ST_OK);
    st_node_add_object(root, "DefaultAnimationLoop", NULL, 0);
    st_node *body = st_node_add_child(root, "body", NULL, 0);
    st_node_add_object(body, "EulerExplicitSolver", NULL, 0);
    st_node_add_object(body, "MechanicalObject", points, 2);
    st_node_add_object(body, "UniformMass", &mass, 1);
    assert_int_equal(st_scene_init(built), ST_OK);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(st_scene_step(file, 0), ST_OK);
        assert_int_equal(st_scene_step(built, 0), ST_OK);
    }
    assert_true(height(built) < (st_real)-0.5);
    assert_true(height(built) == height(file));
    st_scene_destroy(file);
    st_scene_destroy(built);
}

static void unknown_components_are_refused(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL));
    const st_attribute_text null_value = {"name", NULL};
    assert_null(st_node_add_object(st_scene_root(scene), "NoSuchThing", NULL, 0));
    assert_null(st_node_add_object(st_scene_root(scene), "MechanicalObject", &null_value, 1));
    assert_null(st_node_add_object(st_scene_root(scene), "MechanicalObject", NULL, 3));
    assert_null(st_node_add_object(st_scene_root(scene), "Node", NULL, 0));
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Changes while it runs
// ---------------------------------------------------------------------------------------------------

// A force that comes later acts from the next step on, as if it had been there: the plan follows.
static void late_components_act(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL));
    const st_attribute_text up[] = {{"name", "lift"}, {"totalForce", "0 20 0"}};
    st_scene_step(scene, 0);
    const st_real before = height(scene);
    st_object *lift = st_node_add_object(st_scene_find_node(scene, "/body"), "ConstantForceField", up, 2);
    assert_non_null(lift);
    assert_false(st_object_is_initialized(lift));
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_true(st_object_is_initialized(lift));

    // weight and force are in balance: the velocity stays
    const st_real step = height(scene) - before;
    assert_true(fabs((double)(step + (st_real)0.1)) < 1e-6);

    // without it the fall goes on
    assert_int_equal(st_object_remove(lift), ST_OK);
    assert_null(st_object_node(lift));
    assert_false(st_object_is_attached(lift));
    const st_real middle = height(scene);
    st_scene_step(scene, 0);
    assert_true(height(scene) - middle < step - (st_real)0.05);

    // and back
    assert_int_equal(st_object_attach(lift, st_scene_find_node(scene, "/body")), ST_OK);
    const st_real third = height(scene);
    st_scene_step(scene, 0);
    const st_real fourth = height(scene);
    st_scene_step(scene, 0);
    assert_true(fabs((double)((height(scene) - fourth) - (fourth - third))) < 1e-6);
    st_scene_destroy(scene);
}

static void late_branches_are_initialized(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(""));
    st_node *body = st_node_add_child(st_scene_root(scene), "body", NULL, 0);
    const st_attribute_text name = {"name", "dofs"}, mass = {"totalMass", "1"};
    st_node_add_object(body, "EulerExplicitSolver", NULL, 0);
    st_node_add_object(body, "MechanicalObject", &name, 1);
    st_node_add_object(body, "UniformMass", &mass, 1);
    if (st_node_init(body) != ST_OK) fail_msg("%s", probe_messages);
    assert_true(st_object_is_initialized(st_scene_find(scene, "/body/dofs")));
    st_scene_step(scene, 0);
    assert_true(height(scene) < 0);
    st_scene_reset(scene);
    assert_true(height(scene) == 0);
    st_scene_destroy(scene);
}

static void removed_nodes_stand_still_and_come_back(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL));
    st_node *body = st_scene_find_node(scene, "/body");
    st_object *dofs = st_scene_find(scene, "/body/dofs");
    assert_int_equal(st_node_remove(body), ST_OK);
    assert_int_equal(st_node_remove(body), ST_INVALID);
    assert_null(st_scene_find(scene, "/body/dofs"));
    assert_int_equal(st_node_child_count(st_scene_root(scene)), 0);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    probe_expect(scene, "/", "name", "root");
    size_t count, width;
    assert_true(st_object_reals(dofs, "position", &count, &width)[1] == 0);
    assert_int_equal(st_node_attach(body, body), ST_INVALID);
    assert_int_equal(st_node_attach(body, st_scene_root(scene)), ST_OK);
    assert_int_equal(st_node_attach(body, st_scene_root(scene)), ST_INVALID);
    st_scene_step(scene, 0);
    assert_true(height(scene) < 0);
    st_scene_destroy(scene);
}

// What is linked to something that was removed is switched off, not left with a dangling address.
static void dependents_are_switched_off(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL));
    st_object *dofs = st_scene_find(scene, "/body/dofs"), *mass = st_scene_find(scene, "/body/mass");
    assert_int_equal(st_object_remove(dofs), ST_OK);
    assert_said(ST_WARNING, "is switched off: what its link 'mstate' leads to was removed");
    assert_false(st_object_is_valid(mass));
    st_scene_step(scene, 0);
    assert_int_equal(st_object_attach(dofs, st_scene_find_node(scene, "/body")), ST_OK);
    assert_true(st_object_is_valid(mass));
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_true(height(scene) < 0);
    st_scene_destroy(scene);
}

static void graph_changes_are_checked(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL)), *other = probe_create(false);
    probe_try(other, ROOT(FALL));
    st_object *mass = st_scene_find(scene, "/body/mass");
    assert_int_equal(st_node_remove(st_scene_root(scene)), ST_INVALID);
    assert_int_equal(st_object_attach(mass, st_scene_root(scene)), ST_INVALID);
    st_object_remove(mass);
    assert_int_equal(st_object_attach(mass, st_scene_root(other)), ST_INVALID);
    assert_int_equal(st_object_remove(NULL), ST_INVALID);
    assert_int_equal(st_object_attach(mass, NULL), ST_INVALID);
    st_scene_destroy(scene);
    st_scene_destroy(other);
}

// Each component of a scene goes and comes back, with steps in between.
static void any_component_can_go(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(
        FALL "<Node name='mapped'><EulerImplicitSolver/><CGLinearSolver/><RegularGridTopology n='3 2 2' min='0 0 0' "
             "max='2 1 1'/><MechanicalObject name='p'/><MeshSpringForceField stiffness='10'/><UniformMass "
             "totalMass='1'/><FixedProjectiveConstraint indices='0'/><Node name='child'><MechanicalObject "
             "position='0.5 0.5 0.5'/><BarycentricMapping/><ConstantForceField totalForce='0 1 0'/></Node></Node>"));
    for (size_t i = 0; st_scene_object(scene, i); i++) {
        st_object *object = st_scene_object(scene, 0);
        st_node *node = st_object_node(object);
        assert_int_equal(st_object_remove(object), ST_OK);
        st_scene_step(scene, 0);
        st_scene_reset(scene);
        assert_int_equal(st_object_attach(object, node), ST_OK);
        st_scene_step(scene, 0);
    }
    for (st_object *object; (object = st_scene_object(scene, 0));) {
        assert_int_equal(st_object_remove(object), ST_OK);
        st_scene_step(scene, 0);
    }
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Fields
// ---------------------------------------------------------------------------------------------------

static void numbers_by_type(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe name='a'/><Probe name='b'/>"));
    st_object *a = probe_find(scene, "/a"), *b = probe_find(scene, "/b");
    const st_real reals[] = {1, 2, 3, 4, 5, 6};
    const int64_t integers[] = {7, 3, 3}, negative = -1, large = (int64_t)1 << 40, two = 2, one = 1;
    assert_int_equal(st_object_set_reals(a, "points", reals, 2, 3), ST_OK);
    probe_expect(scene, "/a", "points", "1 2 3 4 5 6");
    assert_int_equal(st_object_set_reals(a, "points", reals, 1, 3), ST_OK);
    probe_expect(scene, "/a", "points", "1 2 3");
    assert_int_equal(st_object_set_reals(a, "points", reals, 3, 2), ST_INVALID);
    assert_int_equal(st_object_set_reals(a, "real", reals, 2, 1), ST_INVALID);
    assert_int_equal(st_object_set_reals(a, "number", reals, 1, 1), ST_INVALID);
    assert_int_equal(st_object_set_reals(a, "text", reals, 1, 1), ST_INVALID);
    assert_int_equal(st_object_set_reals(a, "points", NULL, 1, 3), ST_INVALID);
    assert_int_equal(st_object_set_reals(a, "points", NULL, 0, 3), ST_OK);
    assert_int_equal(st_object_set_reals(a, "nothing", reals, 1, 1), ST_NOT_FOUND);
    assert_int_equal(st_object_set_reals(NULL, "real", reals, 1, 1), ST_NOT_FOUND);
    assert_int_equal(st_object_set_integers(a, "indices", integers, 3, 1), ST_OK);
    probe_expect(scene, "/a", "indices", "7 3 3");
    int64_t back[4] = {0};
    assert_int_equal(st_object_get_integers(a, "indices", back, 2), 3);
    assert_true(back[0] == 7 && back[1] == 3 && back[2] == 0);
    assert_int_equal(st_object_set_integers(a, "indices", &negative, 1, 1), ST_INVALID);
    assert_int_equal(st_object_set_integers(a, "number", &negative, 1, 1), ST_OK);
    assert_int_equal(st_object_set_integers(a, "number", &large, 1, 1), ST_INVALID);
    assert_int_equal(st_object_set_integers(a, "flag", &two, 1, 1), ST_INVALID);
    assert_int_equal(st_object_set_integers(a, "flag", &one, 1, 1), ST_OK);
    assert_int_equal(st_object_set_integers(a, "real", &two, 1, 1), ST_OK);
    probe_expect(scene, "/a", "real", "2");
    probe_expect(scene, "/a", "number", "-1");

    st_array array;
    assert_int_equal(st_object_array(a, "point", &array), ST_OK);
    assert_true(!array.list && array.count == 1 && array.width == 3 && array.scalar == ST_SCALAR_REAL);
    const uint32_t version = array.version;
    assert_int_equal(st_object_set_reals(a, "point", reals, 1, 3), ST_OK);
    assert_int_equal(st_object_array(a, "point", &array), ST_OK);
    assert_int_not_equal(array.version, version);
    assert_int_equal(st_object_array(a, "text", &array), ST_INVALID);
    assert_int_equal(st_object_array(a, "none", &array), ST_NOT_FOUND);
    assert_int_equal(st_object_array(b, "points", NULL), ST_NOT_FOUND);
    st_scene_destroy(scene);
}

static void texts_and_links_by_type(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe name='a'/><Probe name='b'/><MechanicalObject name='s'/>"));
    st_scene *other = probe_create(false);
    probe_try(other, ROOT("<Probe name='x'/>"));
    st_object *a = probe_find(scene, "/a"), *b = probe_find(scene, "/b"), *s = probe_find(scene, "/s");
    const char *const texts[] = {"@not a link", "two words"};
    assert_int_equal(st_object_set_strings(a, "text", texts, 1), ST_OK);
    assert_string_equal(st_object_string(a, "text", 0), "@not a link");
    assert_null(st_object_string(a, "text", 1));
    assert_int_equal(st_object_set_strings(a, "text", texts, 2), ST_INVALID);
    assert_int_equal(st_object_set_strings(a, "words", texts, 2), ST_OK);
    assert_string_equal(st_object_string(a, "words", 1), "two words");
    assert_int_equal(st_object_element_count(a, "words"), 2);
    assert_int_equal(st_object_set_strings(a, "words", NULL, 1), ST_INVALID);
    assert_int_equal(st_object_set_strings(a, "real", texts, 1), ST_INVALID);
    const char *const label = "some";
    assert_int_equal(st_object_set_strings(a, "option", &label, 1), ST_OK);
    probe_expect(scene, "/a", "option", "some");

    assert_int_equal(st_object_set_links(a, "any", &b, 1), ST_OK);
    assert_ptr_equal(st_object_link(a, "any", 0), b);
    assert_int_equal(st_object_set_links(a, "state", &b, 1), ST_INVALID);
    assert_int_equal(st_object_set_links(a, "state", &s, 1), ST_OK);
    st_object *foreign = probe_find(other, "/x"), *both[] = {b, s};
    assert_int_equal(st_object_set_links(a, "any", &foreign, 1), ST_INVALID);
    assert_ptr_equal(st_object_link(a, "any", 0), b);
    assert_int_equal(st_object_set_links(a, "many", both, 2), ST_OK);
    assert_ptr_equal(st_object_link(a, "many", 1), s);
    assert_null(st_object_link(a, "many", 2));
    assert_int_equal(st_object_set_links(a, "any", both, 2), ST_INVALID);
    assert_int_equal(st_object_set_links(a, "any", NULL, 0), ST_OK);
    assert_null(st_object_link(a, "any", 0));

    // fields that follow others
    assert_int_equal(st_object_link_field(a, "real", b, "real"), ST_OK);
    const char *field = NULL;
    assert_ptr_equal(st_object_source(a, "real", &field), b);
    assert_string_equal(field, "real");
    st_object_set(b, "real", "12");
    probe_expect(scene, "/a", "real", "12");
    assert_int_equal(st_object_link_field(b, "real", a, "real"), ST_INVALID); // a circle
    assert_int_equal(st_object_link_field(b, "real", foreign, "real"), ST_INVALID);
    assert_int_equal(st_object_link_field(b, "real", NULL, "real"), ST_NOT_FOUND);
    assert_int_equal(st_object_unlink_field(a, "real"), ST_OK);
    st_object_set(b, "real", "13");
    probe_expect(scene, "/a", "real", "12");
    assert_null(st_object_source(a, "real", NULL));
    st_scene_destroy(scene);
    st_scene_destroy(other);
}

// A state's vectors keep their length once the scene runs; bad lengths leave them as they are.
static void states_keep_their_size(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL));
    st_object *dofs = st_scene_find(scene, "/body/dofs");
    const st_real x[] = {5, 6, 7, 8, 9, 10};
    assert_int_equal(st_object_set_reals(dofs, "position", x, 1, 3), ST_INVALID);
    probe_expect(scene, "/body/dofs", "position", "0 0 0 1 0 0");
    assert_int_equal(st_object_set_reals(dofs, "position", x, 2, 3), ST_OK);
    probe_expect(scene, "/body/dofs", "position", "5 6 7 8 9 10");
    assert_int_equal(st_object_set_reals(dofs, "externalForce", x, 2, 3), ST_OK); // empty so far
    assert_int_equal(st_object_set_reals(dofs, "externalForce", x, 1, 3), ST_INVALID);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    st_scene_destroy(scene);
}

static void fixed_fields_are_refused(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL "<Adder name='e'/>"));
    assert_int_equal(st_object_set(st_scene_find(scene, "/e"), "sum", "5"), ST_INVALID);
    assert_said(ST_ERROR, "'sum' cannot be changed after the initialization: it is computed by the component");
    const st_diagnostic *error = st_scene_last_error(scene);
    assert_non_null(error);
    assert_string_equal(error->path, "/e");
    st_scene_clear_error(scene);
    assert_null(st_scene_last_error(scene));
    st_scene_destroy(scene);
}

static void fields_are_described(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<MechanicalObject name='r' template='Rigid3' position='0 0 0 0 0 0 1'/>"));
    st_object *r = probe_find(scene, "/r");
    st_field_description d;
    bool found = false;
    for (size_t i = 0; st_object_describe_field(r, i, &d); i++) {
        if (strcmp(d.name, "position") != 0) continue;
        found = true;
        assert_true(d.list && d.scalar == ST_SCALAR_REAL && d.width == 7 && d.live == ST_LIVE);
    }
    assert_true(found);
    assert_int_equal(st_object_field_index(r, "name"), 0);
    assert_int_equal(st_object_field_index(r, "nothing"), -1);
    st_field_state state;
    assert_int_equal(st_object_field_state(r, "position", &state), ST_OK);
    assert_true(state.set && !state.linked);
    assert_int_equal(st_object_field_state(r, "nothing", &state), ST_NOT_FOUND);
    st_scene_destroy(scene);
}

// A field that only one component has: set, read, linked from and to, described, viewed.
static void fields_are_added_while_it_runs(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL "<Node name='rigid'><MechanicalObject name='dofs' template='Rigid3' "
                                           "position='0 0 0 0 0 0 1'/></Node><Adder name='e' a='1' b='2'/>"));
    st_scene_step(scene, 0);
    st_object *dofs = st_scene_find(scene, "/body/dofs"), *e = st_scene_find(scene, "/e");
    assert_int_equal(st_object_add_field(dofs, "speed", "real", "2.5", "how fast it was"), ST_OK);
    assert_int_equal(st_object_add_field(dofs, "marks", "list of Vec3", NULL, NULL), ST_OK);
    assert_int_equal(st_object_add_field(dofs, "note", "text", "seen @noon", NULL), ST_OK);
    probe_expect(scene, "/body/dofs", "speed", "2.5");
    probe_expect(scene, "/body/dofs", "marks", "");
    probe_expect(scene, "/body/dofs", "note", "seen @noon");

    // it is one of the component's, and of no other's
    st_field_description d;
    assert_true(st_object_describe_field(dofs, (size_t)st_object_field_index(dofs, "speed"), &d));
    assert_string_equal(d.help, "how fast it was");
    assert_string_equal(d.type, "real");
    assert_true(d.live == ST_LIVE && !d.list && d.width == 1);
    assert_int_equal(st_object_field_index(st_scene_find(scene, "/rigid/dofs"), "speed"), -1);

    // lists grow, and a view of them holds
    const st_real marks[] = {1, 2, 3, 4, 5, 6};
    assert_int_equal(st_object_set_reals(dofs, "marks", marks, 2, 3), ST_OK);
    st_view *view = st_view_create(dofs, "marks");
    assert_int_equal(st_object_set_reals(dofs, "marks", marks, 1, 3), ST_OK);
    assert_memory_equal(st_view_array(view).data, marks, sizeof marks);
    assert_false(st_view_is_current(view));
    st_view_destroy(view);

    // others follow it, and it follows others, engines too
    assert_int_equal(st_object_link_field(e, "a", dofs, "speed"), ST_OK);
    assert_int_equal(st_object_add_field(dofs, "sum", "real", NULL, NULL), ST_OK);
    assert_int_equal(st_object_link_field(dofs, "sum", e, "sum"), ST_OK);
    const st_real three = 3;
    assert_int_equal(st_object_set_reals(dofs, "speed", &three, 1, 1), ST_OK);
    probe_expect(scene, "/body/dofs", "sum", "5");

    // a node has fields, too; a rigid position is the identity
    assert_int_equal(st_object_add_field(st_node_as_object(st_scene_root(scene)), "owner", "text", "me", NULL), ST_OK);
    assert_int_equal(st_object_add_field(st_scene_find(scene, "/rigid/dofs"), "home", "position", NULL, NULL), ST_OK);
    probe_expect(scene, "/rigid/dofs", "home", "0 0 0 0 0 0 1");
    for (int i = 0; i < 3; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);

    // it is not saved; what follows it has its value
    char path[] = "settee-api-XXXXXX.scn";
    close(mkstemps(path, 4));
    assert_int_equal(st_scene_save_xml(scene, path), ST_OK);
    st_scene *again = probe_create(false);
    assert_int_equal(st_scene_load(again, path), ST_OK);
    probe_expect(again, "/e", "a", "3");
    assert_int_equal(st_object_field_index(st_scene_find(again, "/body/dofs"), "speed"), -1);
    st_scene_destroy(again);
    unlink(path);

    // a component that goes leaves nothing behind
    assert_int_equal(st_object_remove(e), ST_OK);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    st_scene_destroy(scene);
}

static void add_within_event(void *status, st_scene *scene, const st_event_info *event) {
    (void)event;
    *(st_status *)status = st_object_add_field(st_scene_find(scene, "/body/dofs"), "late", "int", "7", NULL);
}

// Links that a step has looked at before are followed where the fields of a component have moved.
static void links_are_followed_after_a_field_was_added(void **unused) {
    (void)unused;
    st_scene *scene =
        probe_init(ROOT(FALL "<Adder name='first' a='1' b='2'/><Adder name='second' a='@first.sum' b='1'/>"));
    st_object *first = st_scene_find(scene, "/first"), *second = st_scene_find(scene, "/second");
    assert_int_equal(st_scene_step(scene, 0), ST_OK);

    // both ends have new places for their fields
    char name[16];
    for (int i = 0; i < 50; i++) {
        snprintf(name, sizeof name, "more%d", i);
        assert_int_equal(st_object_add_field(first, name, "real", "1", NULL), ST_OK);
        assert_int_equal(st_object_add_field(second, name, "real", "1", NULL), ST_OK);
    }
    assert_int_equal(st_object_set(first, "a", "5"), ST_OK);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    probe_expect(scene, "/second", "sum", "8");
    st_scene_destroy(scene);
}

static void added_fields_are_checked(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL));
    st_object *dofs = st_scene_find(scene, "/body/dofs");
    const char *const bad_names[] = {"", "a b", "a.b", "@a", "a/b", "a=b"};
    for (size_t i = 0; i < sizeof bad_names / sizeof *bad_names; i++)
        assert_int_equal(st_object_add_field(dofs, bad_names[i], "real", "1", NULL), ST_INVALID);
    assert_said(ST_ERROR, "the field 'a.b' cannot be added: a name has no blanks");
    assert_int_equal(st_object_add_field(dofs, "position", "real", "1", NULL), ST_INVALID);
    assert_int_equal(st_object_add_field(dofs, "free_position", "list of reals", NULL, NULL), ST_INVALID);
    assert_said(ST_ERROR, "there is a field of this name");
    assert_int_equal(st_object_add_field(dofs, "a", "vector<double>", "1", NULL), ST_INVALID);
    assert_int_equal(st_object_add_field(dofs, "a", "link", "@x", NULL), ST_INVALID);
    assert_said(ST_ERROR, "it cannot be of type vector<double>");
    assert_int_equal(st_object_add_field(dofs, "a", "list of Vec3", "1 2 3 4 x", NULL), ST_INVALID);
    assert_said(ST_ERROR, "the field 'a' cannot be added: its value cannot be read: ");
    assert_int_equal(st_object_field_index(dofs, "a"), -1);
    assert_int_equal(st_object_add_field(dofs, "a", "list of words", "[\"b c\"]", NULL), ST_OK);
    assert_int_equal(st_object_add_field(dofs, "a", "real", NULL, NULL), ST_INVALID);
    assert_int_equal(st_object_add_field(NULL, "a", "real", NULL, NULL), ST_INVALID);
    assert_int_equal(st_object_add_field(dofs, NULL, "real", NULL, NULL), ST_INVALID);
    assert_int_equal(st_object_add_field(dofs, "b", NULL, NULL, NULL), ST_INVALID);

    // in the callback of an event, too
    st_status status = ST_FAILED;
    st_scene_add_callback(scene, "AnimateEndEvent", add_within_event, &status);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_int_equal(status, ST_OK);
    probe_expect(scene, "/body/dofs", "late", "7");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Views
// ---------------------------------------------------------------------------------------------------

static void views_never_dangle(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL "<Probe name='a' points='1 2 3'/>"));
    st_object *dofs = st_scene_find(scene, "/body/dofs"), *a = probe_find(scene, "/a");
    st_view *x = st_view_create(dofs, "position"), *points = st_view_create(a, "points");
    assert_non_null(x);
    assert_non_null(points);
    assert_null(st_view_create(a, "point")); // one value is no list
    assert_null(st_view_create(a, "text"));
    assert_null(st_view_create(NULL, "points"));

    // it follows the steps
    assert_true(st_view_is_current(x));
    st_scene_step(scene, 0);
    assert_true(st_view_is_current(x));
    assert_true(((const st_real *)st_view_array(x).data)[1] == height(scene));

    // a resize detaches it, with the numbers that it had
    st_real many[300] = {0};
    assert_int_equal(st_object_set_reals(a, "points", many, 100, 3), ST_OK);
    assert_false(st_view_is_current(points));
    assert_true(((const st_real *)st_view_array(points).data)[2] == 3);
    assert_ptr_equal(st_view_object(points), a);

    // so does the end of the scene
    st_scene_destroy(scene);
    assert_false(st_view_is_current(x));
    assert_null(st_view_object(x));
    assert_string_equal(st_view_field(x), "position");
    assert_true(((const st_real *)st_view_array(x).data)[1] < 0);
    st_view_destroy(x);
    st_view_destroy(points);
    st_view_destroy(NULL);
    assert_null(st_view_array(NULL).data);
}

// ---------------------------------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------------------------------

static char heard[1024];

static void hear(void *user, st_scene *scene, const st_event_info *event) {
    (void)scene;
    strcat(strcat(heard, event->name), user ? user : " ");
}

// The beginning of a step is made once, ahead of it or with it.
static void a_step_begins_once(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL));
    heard[0] = 0;
    st_scene_add_callback(scene, "AnimateBeginEvent", hear, NULL);
    assert_int_equal(st_scene_begin_step(scene), ST_OK);
    assert_int_equal(st_scene_begin_step(scene), ST_OK);
    assert_string_equal(heard, "AnimateBeginEvent ");
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_string_equal(heard, "AnimateBeginEvent ");
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_string_equal(heard, "AnimateBeginEvent AnimateBeginEvent ");

    // a reset forgets it
    st_scene_begin_step(scene);
    st_scene_reset(scene);
    heard[0] = 0;
    st_scene_step(scene, 0);
    assert_string_equal(heard, "AnimateBeginEvent ");
    st_scene_destroy(scene);
    assert_int_equal(st_scene_begin_step(NULL), ST_INVALID);
}

static void callbacks_hear_events(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL));
    heard[0] = 0;
    const uint32_t all = st_scene_add_callback(scene, NULL, hear, NULL);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_string_equal(heard, "AnimateBeginEvent CollisionBeginEvent CollisionEndEvent IntegrateBeginEvent "
                               "IntegrateEndEvent AnimateEndEvent UpdateMappingEndEvent ");
    assert_int_equal(st_scene_remove_callback(scene, all), ST_OK);
    assert_int_equal(st_scene_remove_callback(scene, all), ST_NOT_FOUND);
    heard[0] = 0;
    st_scene_add_callback(scene, "mine", hear, "!");
    st_scene_step(scene, 0);
    assert_int_equal(st_node_send_event(st_scene_root(scene), "mine", 0, NULL), ST_OK);
    assert_string_equal(heard, "mine!");
    assert_int_equal(st_node_send_event(NULL, "mine", 0, NULL), ST_INVALID);
    assert_int_equal(st_node_send_event(st_scene_root(scene), NULL, 0, NULL), ST_INVALID);
    assert_int_equal(st_scene_add_callback(scene, "mine", NULL, NULL), 0);
    st_scene_destroy(scene);
}

static void misuse(void *user, st_scene *scene, const st_event_info *event) {
    (void)user, (void)event;
    assert_int_equal(st_scene_step(scene, 0), ST_BUSY);
    assert_int_equal(st_scene_reset(scene), ST_BUSY);
    assert_int_equal(st_scene_init(scene), ST_INVALID);
    const st_attribute_text force = {"totalForce", "0 20 0"};
    assert_non_null(st_node_add_object(st_scene_find_node(scene, "/body"), "ConstantForceField", &force, 1));
    assert_int_equal(st_object_remove(st_scene_find(scene, "/body/mass")), ST_OK);
}

// The graph may change in an event; a step within a step is refused.
static void callbacks_may_change_the_graph(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL));
    const uint32_t number = st_scene_add_callback(scene, "AnimateBeginEvent", misuse, NULL);
    st_scene_step(scene, 0);
    st_scene_remove_callback(scene, number);
    assert_null(st_scene_find(scene, "/body/mass"));
    st_scene_step(scene, 0);
    st_scene_destroy(scene);
}

static void make_fail(void *user, st_scene *scene, const st_event_info *event) {
    (void)user, (void)event;
    st_scene_fail_step(scene, "enough");
    st_scene_fail_step(scene, "second");
}

static void a_callback_can_fail_the_step(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL));
    st_scene_step(scene, 0);
    const st_real before = height(scene), time = st_scene_time(scene);
    const uint32_t number = st_scene_add_callback(scene, "CollisionBeginEvent", make_fail, NULL);
    assert_int_equal(st_scene_step(scene, 0), ST_FAILED);
    assert_said(ST_ERROR, "was made to fail: enough; the state before the step was put back");
    assert_true(height(scene) == before && st_scene_time(scene) == time);
    st_scene_remove_callback(scene, number);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);

    // at its end, too
    const st_real later = height(scene), end = st_scene_time(scene);
    const uint32_t last = st_scene_add_callback(scene, "AnimateEndEvent", make_fail, NULL);
    assert_int_equal(st_scene_step(scene, 0), ST_FAILED);
    assert_true(height(scene) == later && st_scene_time(scene) == end);

    // a reason that comes in a reset is one of the reset
    assert_int_equal(st_scene_remove_callback(scene, last), ST_OK);
    assert_int_equal(st_scene_reset(scene), ST_OK);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    st_scene_fail_step(scene, "outside of a step this means nothing");
    st_scene_fail_step(NULL, "x");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Saving
// ---------------------------------------------------------------------------------------------------

static void saved_scenes_load_again(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL "<Node name='late'><Probe name='p' text='a &lt; b &quot;c&quot; &amp;' "
                                           "real='@../q.real'/></Node><Probe name='q' real='3'/><NoSuchThing x='1'/>"));
    st_scene_step(scene, 0);
    st_object_set(st_scene_find(scene, "/body/mass"), "totalMass", "5");
    const st_real g[] = {0, -5, 0};
    st_object_set_reals(st_node_as_object(st_scene_root(scene)), "gravity", g, 1, 3);
    char path[] = "settee-api-XXXXXX.scn";
    close(mkstemps(path, 4));
    assert_int_equal(st_scene_save_xml(scene, path), ST_OK);

    // values that were set are there, moved positions are not
    st_scene *again = probe_create(false);
    if (st_scene_load(again, path) != ST_WITH_ERRORS) fail_msg("%s", probe_messages); // NoSuchThing
    probe_expect(again, "/", "gravity", "0 -5 0");
    probe_expect(again, "/body/mass", "totalMass", "5");
    probe_expect(again, "/body/dofs", "position", "0 0 0 1 0 0");
    probe_expect(again, "/late/p", "text", "a < b \"c\" &");
    assert_int_equal(st_scene_init(again), ST_OK);
    assert_non_null(st_scene_find(again, "/Not created (NoSuchThing)"));
    assert_int_equal(st_scene_step(again, 0), ST_OK);
    assert_true(height(again) < 0);
    assert_int_equal(st_scene_save_xml(scene, "/no/such/folder/x.scn"), ST_FAILED);
    assert_int_equal(st_scene_save_xml(scene, NULL), ST_INVALID);
    assert_int_equal(st_scene_write_xml(scene, NULL), ST_INVALID);
    st_scene_destroy(scene);
    st_scene_destroy(again);
    unlink(path);
}

// ---------------------------------------------------------------------------------------------------
// Threads, NULL, time
// ---------------------------------------------------------------------------------------------------

static void *step_many(void *scene) {
    for (int i = 0; i < 50; i++)
        if (st_scene_step(scene, 0) != ST_OK) return scene;
    return NULL;
}

static void two_scenes_in_two_threads(void **unused) {
    (void)unused;
    st_scene *scenes[3];
    for (int i = 0; i < 3; i++) {
        st_config config = st_default_config();
        scenes[i] = st_scene_create(&config);
        assert_true(st_succeeded(st_scene_load_text(scenes[i], ROOT(FALL), strlen(ROOT(FALL)), NULL)));
        assert_int_equal(st_scene_init(scenes[i]), ST_OK);
    }
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, step_many, scenes[i]), 0);
    for (int i = 0; i < 2; i++) {
        void *failed = scenes[i];
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    step_many(scenes[2]);
    assert_true(height(scenes[0]) == height(scenes[2]) && height(scenes[1]) == height(scenes[2]));
    for (int i = 0; i < 3; i++) st_scene_destroy(scenes[i]);
}

static void *step_foreign(void *scene) {
    static st_status answers[3];
    const st_real x[6] = {0};
    answers[0] = st_scene_step(scene, 0);
    answers[1] = st_object_set(st_scene_find(scene, "/body/dofs"), "position", "0 0 0 0 0 0");
    answers[2] = st_object_set_reals(st_scene_find(scene, "/body/dofs"), "position", x, 2, 3);
    return answers;
}

static void let_another_try(void *user, st_scene *scene, const st_event_info *event) {
    (void)event;
    pthread_t thread;
    void *answers = NULL;
    assert_int_equal(pthread_create(&thread, NULL, step_foreign, scene), 0);
    pthread_join(thread, &answers);
    memcpy(user, answers, 3 * sizeof(st_status));
}

static void one_scene_belongs_to_one_thread(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL));
    st_status answers[3] = {ST_OK, ST_OK, ST_OK};
    st_scene_add_callback(scene, "AnimateBeginEvent", let_another_try, answers);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    for (int i = 0; i < 3; i++) assert_int_equal(answers[i], ST_BUSY);
    st_scene_destroy(scene);
}

static void null_is_answered(void **unused) {
    (void)unused;
    const st_profile_entry *entries;
    assert_int_equal(st_scene_load(NULL, "x"), ST_INVALID);
    assert_int_equal(st_scene_load_text(NULL, "x", 1, NULL), ST_INVALID);
    assert_int_equal(st_scene_load_plugin(NULL, "x"), ST_INVALID);
    assert_int_equal(st_scene_init(NULL), ST_INVALID);
    assert_int_equal(st_scene_step(NULL, 0), ST_INVALID);
    assert_int_equal(st_scene_reset(NULL), ST_INVALID);
    assert_int_equal(st_scene_finish(NULL), ST_INVALID);
    assert_int_equal(st_node_init(NULL), ST_INVALID);
    assert_int_equal(st_scene_profile(NULL, &entries), 0);
    assert_int_equal(st_scene_message_count(NULL, ST_ERROR), 0);
    assert_null(st_scene_root(NULL));
    assert_null(st_scene_object(NULL, 0));
    assert_null(st_scene_find(NULL, "/"));
    assert_null(st_scene_create_root(NULL, "x"));
    assert_null(st_node_add_child(NULL, "x", NULL, 0));
    assert_null(st_node_add_object(NULL, "x", NULL, 0));
    assert_null(st_node_find(NULL, "x"));
    assert_null(st_node_child(NULL, 0));
    assert_null(st_node_object(NULL, 0));
    assert_null(st_object_node(NULL));
    assert_null(st_object_get(NULL, "x", 6));
    assert_null(st_object_link(NULL, "x", 0));
    assert_null(st_object_string(NULL, "x", 0));
    assert_int_equal(st_object_set(NULL, "x", "y"), ST_NOT_FOUND);
    assert_int_equal(st_object_reinit(NULL), ST_NOT_FOUND);
    assert_int_equal(st_object_touch(NULL, "x"), ST_NOT_FOUND);
    assert_string_equal(st_object_path(NULL), "");
    assert_string_equal(st_node_name(NULL), "");
    assert_false(st_object_is_attached(NULL));
    assert_false(st_describe_class(0, NULL));
    assert_null(st_scene_last_error(NULL));
    st_scene_destroy(NULL);
}

static void bad_time_steps_are_refused(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT(FALL));
    const st_real bad[] = {-1, (st_real)NAN, (st_real)INFINITY};
    for (int i = 0; i < 3; i++) assert_int_equal(st_scene_step(scene, bad[i]), ST_INVALID);
    assert_said(ST_ERROR, "a step must be a positive, finite time");
    assert_true(height(scene) == 0);
    st_scene_destroy(scene);
}

#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define MOST_SECONDS 1.0
#else
#define MOST_SECONDS 1e-4
#endif

// 30,000 points in a tenth of a millisecond: the best of many, since the machine has other work.
static void points_are_set_quickly(void **unused) {
    (void)unused;
    enum { POINTS = 30000 };
    st_scene *scene = probe_init(ROOT("<MechanicalObject name='dofs' size='30000'/>"));
    st_object *dofs = st_scene_find(scene, "/dofs");
    st_real *x = calloc(POINTS, 3 * sizeof *x);
    double best = 1e9;
    for (int i = 0; i < 200; i++) {
        struct timespec a, b;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
        assert_int_equal(st_object_set_reals(dofs, "position", x, POINTS, 3), ST_OK);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
        const double seconds = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
        if (seconds < best) best = seconds;
    }
    free(x);
    print_message("30,000 points: %.1f us\n", 1e6 * best);
    assert_true(best < MOST_SECONDS);
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_can_be_walked),
        cmocka_unit_test(a_scene_can_be_built),
        cmocka_unit_test(unknown_components_are_refused),
        cmocka_unit_test(late_components_act),
        cmocka_unit_test(late_branches_are_initialized),
        cmocka_unit_test(removed_nodes_stand_still_and_come_back),
        cmocka_unit_test(dependents_are_switched_off),
        cmocka_unit_test(graph_changes_are_checked),
        cmocka_unit_test(any_component_can_go),
        cmocka_unit_test(numbers_by_type),
        cmocka_unit_test(texts_and_links_by_type),
        cmocka_unit_test(states_keep_their_size),
        cmocka_unit_test(fixed_fields_are_refused),
        cmocka_unit_test(fields_are_described),
        cmocka_unit_test(fields_are_added_while_it_runs),
        cmocka_unit_test(links_are_followed_after_a_field_was_added),
        cmocka_unit_test(added_fields_are_checked),
        cmocka_unit_test(views_never_dangle),
        cmocka_unit_test(a_step_begins_once),
        cmocka_unit_test(callbacks_hear_events),
        cmocka_unit_test(callbacks_may_change_the_graph),
        cmocka_unit_test(a_callback_can_fail_the_step),
        cmocka_unit_test(saved_scenes_load_again),
        cmocka_unit_test(two_scenes_in_two_threads),
        cmocka_unit_test(one_scene_belongs_to_one_thread),
        cmocka_unit_test(null_is_answered),
        cmocka_unit_test(bad_time_steps_are_refused),
        cmocka_unit_test(points_are_set_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
