// From elements to components: attributes and their order, names, unknown things, templates, strictness, messages.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_probe.h"

#define ROOT(inside) "<Node><DefaultAnimationLoop/>" inside "</Node>"

// ---------------------------------------------------------------------------------------------------
// Attributes
// ---------------------------------------------------------------------------------------------------

// Upper case comes before lower case, so that Zboth is written before aFirst, and mboth between aFirst and zSecond.
static void attributes_are_applied_in_byte_order(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe name='a' zSecond='3' mboth='2' aFirst='1'/>"
                                      "<Probe name='b' aFirst='1' zSecond='3' Zboth='9'/>"
                                      "<Probe name='c' Zboth='9'/>"));
    assert_true(PROBE(scene, "/a")->first == 2 && PROBE(scene, "/a")->second == 3);
    assert_true(PROBE(scene, "/b")->first == 1 && PROBE(scene, "/b")->second == 3);
    assert_true(PROBE(scene, "/c")->first == 9 && PROBE(scene, "/c")->second == 9);
    st_scene_destroy(scene);
}

static void an_alias_writes_every_field_that_carries_it(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe name='a' shared='4'/><Probe name='b' realAlias='2.5'/>"));
    const probe *a = PROBE(scene, "/a"), *b = PROBE(scene, "/b");
    assert_int_equal(a->number, 4);
    assert_true(a->real == 4);
    assert_true(b->real == (st_real)2.5);
    assert_int_equal(b->number, 7);
    assert_true(st_is_set(&a->object, &a->number) && st_is_set(&a->object, &a->real));
    assert_false(st_is_set(&b->object, &b->number));
    st_scene_destroy(scene);
}

static void short_hands_are_rounded_to_float(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe name='a' sh='0.1'/><Probe name='b' sh='0.1x'/>"));
    assert_true(PROBE(scene, "/a")->shorthand == (st_real)0.1f);
    assert_true(PROBE(scene, "/b")->shorthand == 3); // the default stays
    assert_said(ST_ERROR, "could not read value for data field 'sh': \"0.1x\"");
    st_scene_destroy(scene);
}

static void set_flags_and_counters(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe name='a' number='1' text=''/>"));
    probe *a = PROBE(scene, "/a");
    assert_true(st_is_set(&a->object, &a->number));
    assert_true(st_is_set(&a->object, &a->text)); // an empty value counts
    assert_false(st_is_set(&a->object, &a->real));
    const uint32_t before = st_change_count(&a->object, &a->number);
    assert_int_equal(st_object_set(&a->object, "number", "2"), ST_OK);
    assert_int_equal(st_change_count(&a->object, &a->number), before + 1);
    st_touch(&a->object, &a->real);
    assert_true(st_is_set(&a->object, &a->real));
    st_unset(&a->object, &a->real);
    assert_false(st_is_set(&a->object, &a->real));
    st_scene_destroy(scene);
}

static void unknown_attributes_are_reported(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe name='a' numbre='1'/>\n<Probe name='b' _x='1' NOthing='2'/>"
                                      "<VisualStyle anything='3'/>"));
    assert_said(ST_WARNING, "unused attribute: \"numbre\" with value: \"1\" (did you mean \"number\"?)");
    assert_said(ST_WARNING, "<text>:1 /a Probe(a)");
    assert_quiet(ST_WARNING, "_x");
    assert_quiet(ST_WARNING, "NOthing");
    assert_quiet(ST_WARNING, "anything");
    assert_int_equal(probe_count(ST_WARNING, "unused"), 1);
    st_scene_destroy(scene);
}

static void removed_and_deprecated_attributes(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe name='a' gone='x' old='y'/>"));
    assert_said(ST_ERROR, "attribute 'gone' was removed: use text");
    assert_said(ST_DEPRECATED, "attribute 'old' is deprecated");
    assert_null(PROBE(scene, "/a")->removed);
    assert_string_equal(PROBE(scene, "/a")->old, "y");
    st_scene_destroy(scene);
}

static void unreadable_values_keep_what_was_read(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("\n<Probe name='a' number='many' point='8 9 x' reals='1 2 x 3'/>"));
    assert_said(ST_WARNING, "<text>:2 /a Probe(a): could not read value for data field 'number': \"many\"");
    assert_said(ST_WARNING, "'point'");
    const probe *a = PROBE(scene, "/a");
    assert_int_equal(a->number, 0);
    assert_true(a->point[0] == 8 && a->point[1] == 9);
    assert_int_equal(a->reals.count, 2);
    st_scene_destroy(scene);
}

static void required_fields(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("<ChildProbe name='a'/><ChildProbe name='b' required='1' requiredBare='1'/>"));
    assert_said(ST_WARNING, "/a ChildProbe(a): required data \"required\"");
    assert_said(ST_ERROR, "/a ChildProbe(a): required data \"requiredBare\"");
    assert_quiet(ST_WARNING, "/b ");
    assert_quiet(ST_ERROR, "/b ");
    st_scene_destroy(scene);
}

// A class may declare a field of its parent again: there is still one field of that name.
static void a_redeclared_field_replaces_its_parents(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<ChildProbe name='a'/><ChildProbe name='b' number='x'/>"));
    assert_int_equal(PROBE(scene, "/a")->number, 9);
    assert_int_equal(probe_count(ST_WARNING, "'number'"), 1);
    assert_int_equal(st_field_count(&PROBE(scene, "/a")->object), 4 + 23 + 2);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------

static void names_of_the_nameless(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe/><Probe name='x'/><ProbeAlias/><Adder/><Probe name=''/>"
                                      "<Node><Probe/></Node><Node name='n'><Probe/></Node>"
                                      "<Node name='f'><MechanicalObject/><FixedConstraint/></Node>"));
    static const char *const names[] = {"Probe1", "x", "Probe2", "Adder1", "Probe3"};
    const st_node *root = st_scene_root(scene);
    for (size_t i = 0; i < 5; i++) assert_string_equal(root->objects.data[i + 1]->name, names[i]);
    assert_string_equal(root->children.data[0]->object.name, "");
    assert_string_equal(st_path(probe_find(scene, "/n/Probe1")), "/n/Probe1");
    probe_find(scene, "/f/FixedProjectiveConstraint1"); // the real class's name
    assert_true(root->objects.data[1]->record->auto_named && !root->objects.data[2]->record->auto_named);
    st_scene_destroy(scene);
}

// A component that was given another name no longer takes part in the counting.
static void renamed_components_are_not_counted(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe/><Probe/>"));
    st_node *root = st_scene_root(scene);
    st_object *second = probe_find(scene, "/Probe2");
    assert_int_equal(st_object_set(second, "name", "x"), ST_OK);
    assert_false(second->record->auto_named);
    const st_object *third = st_add_object(root, "Probe", NULL, NULL, false);
    assert_non_null(third);
    assert_string_equal(third->name, "Probe2");
    assert_true(third->record->auto_named);
    st_scene_destroy(scene);
}

static void fields_of_nothing(void **unused) {
    (void)unused;
    size_t count = 0, width = 0;
    assert_null(st_object_get(NULL, "name", 6));
    assert_int_equal(st_object_set(NULL, "name", "x"), ST_NOT_FOUND);
    assert_null(st_object_reals(NULL, "position", &count, &width));
}

static void the_first_of_several_names_is_found(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe name='a' number='1'/><Probe name='a' number='2'/>"
                                      "<Node name='a'><Probe name='b'/></Node>"));
    assert_true(st_is_a(probe_find(scene, "/a"), &st_node_class)); // a node before components
    probe_find(scene, "/a/b");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Unknown components
// ---------------------------------------------------------------------------------------------------

static void unknown_components_leave_a_placeholder(void **unused) {
    (void)unused;
    st_scene *scene = probe_load("<Node><DefaultAnimationLoop/>\n<Node name='n'>\n<Prove name='p'/></Node></Node>");
    assert_said(ST_ERROR, "<text>:3 - factory: component Prove in node /n is not created: there is no such component "
                          "(did you mean Probe?)");
    const st_node *n = (st_node *)probe_find(scene, "/n");
    assert_int_equal(n->objects.count, 1);
    assert_string_equal(n->objects.data[0]->name, "Not created (Prove)");
    assert_int_equal(n->objects.data[0]->line, 3);
    st_scene_destroy(scene);
}

static void classes_that_cannot_be_made(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<ForceField/><Object type='Node'/><UniformMass/>"));
    assert_said(ST_ERROR, "component ForceField in node / is not created");
    assert_said(ST_ERROR, "component Node in node / is not created");
    assert_said(ST_ERROR, "component UniformMass in node / is not created: ");
    assert_said(ST_ERROR, "there is no mechanical state");
    assert_int_equal(st_scene_root(scene)->objects.count, 4);
    assert_null(st_add_object(st_scene_root(scene), "ForceField", NULL, "f", false));
    assert_null(st_add_object(st_scene_root(scene), "UniformMass", NULL, "m", false));
    assert_said(ST_ERROR, "UniformMass cannot be added to /");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Templates
// ---------------------------------------------------------------------------------------------------

static void templates_and_their_other_names(void **unused) {
    (void)unused;
    st_scene *scene =
        probe_load(ROOT("<Probe name='a'/><Probe name='b' template='Rigid3d'/><Probe name='c' template=''/>"
                        "<Probe name='d' template='Vec3f'/><Probe name='e' template='Rigid'/>"
                        "<Probe name='f' template='Vec6'/><Probe name='g' template='nonsense'/>"));
    static const struct {
        const char *path, *type;
    } expected[] = {{"/a", "Vec3"},   {"/b", "Rigid3"}, {"/c", "Vec3"}, {"/d", "Vec3"},
                    {"/e", "Rigid3"}, {"/f", "Vec3"},   {"/g", "Vec3"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_string_equal(st_object_template(probe_find(scene, expected[i].path)), expected[i].type);
    assert_said(ST_DEPRECATED, "/d Probe(d): template 'Vec3f'");
    assert_said(ST_DEPRECATED, "/e Probe(e): template 'Rigid'");
    assert_said(ST_ERROR, "/f Probe(f): template 'Vec6' does not exist for this component; falling back to Vec3");
    assert_said(ST_ERROR, "/g Probe(g): template 'nonsense' does not exist");
    assert_quiet(ST_ERROR, "/b ");
    st_scene_destroy(scene);
}

static void templates_follow_the_state(void **unused) {
    (void)unused;
    st_scene *scene = probe_load("<Node><DefaultAnimationLoop/><MechanicalObject template='Rigid3'/><Picky name='a'/>"
                                 "<Picky name='b' template='Vec3'/><Picky name='c' mode='any'/>"
                                 "<Picky name='d' template='Vec1' mode='any'/></Node>");
    assert_string_equal(st_object_template(probe_find(scene, "/a")), "Rigid3");
    assert_string_equal(st_object_template(probe_find(scene, "/b")), "Rigid3");
    assert_said(ST_ERROR, "/b Picky(b): template 'Vec3' does not fit here; falling back to Rigid3");
    assert_string_equal(st_object_template(probe_find(scene, "/c")), "Rigid2"); // first in byte order
    assert_said(ST_WARNING, "/c Picky(c): several templates fit and none is given; Rigid2 is taken");
    assert_string_equal(st_object_template(probe_find(scene, "/d")), "Vec1");
    assert_quiet(ST_WARNING, "/d Picky(d): several");
    assert_quiet(ST_WARNING, "/a ");
    st_scene_destroy(scene);
}

static void refusals_give_their_reasons(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Node name='n'>\n<Picky name='a'/></Node>"
                                      "<Node name='m'><MechanicalObject template='Vec2'/><Picky/></Node>"));
    assert_said(ST_ERROR, "<text>:2 - factory: component Picky in node /n is not created: there is no state");
    assert_said(ST_ERROR, "in node /m is not created: the state is of type Vec2");
    assert_string_equal(((st_node *)probe_find(scene, "/n"))->objects.data[0]->name, "Not created (Picky)");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Strict mode
// ---------------------------------------------------------------------------------------------------

static void strict_scenes_must_be_right(void **unused) {
    (void)unused;
    static const struct {
        const char *scene, *why;
    } wrong[] = {
        {ROOT("<Prove/>"), "Prove"},
        {ROOT("<Probe numbre='1'/>"), "numbre"},
        {ROOT("<Probe number='x'/>"), "'number'"},
        {ROOT("<Probe sh='x'/>"), "'sh'"},
        {ROOT("<Probe gone='x'/>"), "'gone'"},
        {ROOT("<Probe template='Vec6'/>"), "'Vec6'"},
        {ROOT("<UniformMass/>"), "UniformMass"},
        {"<Node dt='soon'><DefaultAnimationLoop/></Node>", "'dt'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        st_scene *scene = probe_create(true);
        assert_int_equal(probe_try(scene, wrong[i].scene), ST_INVALID);
        assert_said(ST_ERROR, wrong[i].why);
        st_scene_destroy(scene);
    }
    st_scene *scene = probe_create(true);
    assert_int_equal(probe_try(scene, ROOT("<Probe number='1' _free='x'/>")), ST_OK);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Registration
// ---------------------------------------------------------------------------------------------------

static void a_name_is_registered_once(void **unused) {
    (void)unused;
    st_scene *scene = probe_create(false);
    assert_int_equal(st_register_class(scene, &probe_class), ST_INVALID);
    st_class thief = probe_class;
    thief.name = "Thief";
    thief.aliases = "MechanicalObject";
    assert_int_equal(st_register_class(scene, &thief), ST_INVALID);
    assert_said(ST_ERROR, "a class called MechanicalObject is registered already");
    assert_string_equal(st_registry_find(scene, "MechanicalObject")->name, "MechanicalObject");
    st_scene_destroy(scene);
}

static void classes_describe_themselves(void **unused) {
    (void)unused;
    st_class_description before = {.name = ""}, description;
    size_t count = 0;
    for (; st_describe_class(count, &description); count++) {
        assert_true(strcmp(before.name, description.name) < 0); // in byte order, each once
        before = description;
    }
    assert_true(count > 50);
    st_field_description field;
    size_t names = 0;
    for (size_t i = 0; st_describe_field("MechanicalObject", i, &field); i++) names += strcmp(field.name, "name") == 0;
    assert_int_equal(names, 1);
    const char *suggestion, *explanation;
    assert_string_equal(st_class_by_any_name("FixedConstraint", &suggestion, &explanation),
                        "FixedProjectiveConstraint");
    assert_null(st_class_by_any_name("MechanicalObjct", &suggestion, &explanation));
    assert_string_equal(suggestion, "MechanicalObject");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_are_applied_in_byte_order),
        cmocka_unit_test(an_alias_writes_every_field_that_carries_it),
        cmocka_unit_test(short_hands_are_rounded_to_float),
        cmocka_unit_test(set_flags_and_counters),
        cmocka_unit_test(unknown_attributes_are_reported),
        cmocka_unit_test(removed_and_deprecated_attributes),
        cmocka_unit_test(unreadable_values_keep_what_was_read),
        cmocka_unit_test(required_fields),
        cmocka_unit_test(a_redeclared_field_replaces_its_parents),
        cmocka_unit_test(names_of_the_nameless),
        cmocka_unit_test(the_first_of_several_names_is_found),
        cmocka_unit_test(unknown_components_leave_a_placeholder),
        cmocka_unit_test(classes_that_cannot_be_made),
        cmocka_unit_test(templates_and_their_other_names),
        cmocka_unit_test(templates_follow_the_state),
        cmocka_unit_test(refusals_give_their_reasons),
        cmocka_unit_test(strict_scenes_must_be_right),
        cmocka_unit_test(a_name_is_registered_once),
        cmocka_unit_test(classes_describe_themselves),
        cmocka_unit_test(renamed_components_are_not_counted),
        cmocka_unit_test(fields_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
