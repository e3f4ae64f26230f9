// The scene as a whole: its components from outside, messages, and sizes that must not hurt.
//
// SPDX-License-Identifier: Apache-2.0
#include <time.h>

#include "scene_probe.h"

#define ROOT(inside) "<Node><DefaultAnimationLoop/>" inside "</Node>"

// ---------------------------------------------------------------------------------------------------
// From outside
// ---------------------------------------------------------------------------------------------------

static void components_in_order(void **unused) {
    (void)unused;
    st_scene *scene = probe_create(false);
    assert_null(st_scene_object(scene, 0));
    assert_null(st_scene_root(scene));
    assert_null(st_scene_find(scene, "/a"));
    probe_try(scene, ROOT("<Probe name='a'/><Node name='n'><Probe name='b'/></Node><Probe name='c'/>"));
    static const char *const paths[] = {"/DefaultAnimationLoop1", "/a", "/c", "/n/b"};
    for (size_t i = 0; i < 4; i++) assert_string_equal(st_object_path(st_scene_object(scene, i)), paths[i]);
    assert_null(st_scene_object(scene, 4));
    st_add_object(st_scene_root(scene), "Probe", "Rigid3", NULL, false);
    assert_string_equal(st_object_path(st_scene_object(scene, 3)), "/Probe1");
    assert_string_equal(st_object_template(st_scene_object(scene, 3)), "Rigid3");
    assert_string_equal(st_object_class_name(st_scene_object(scene, 3)), "Probe");
    assert_string_equal(st_object_path(&st_scene_root(scene)->object), "/");
    assert_ptr_equal(st_scene_find(scene, "/n/b"), st_scene_find(scene, "@/n/b"));
    st_scene_destroy(scene);
}

static void fields_from_outside(void **unused) {
    (void)unused;
    st_scene *scene = probe_init(ROOT("<Probe name='a' real='0.1' points='1 2 3 4 5 6' any='@b' option='some'/>"
                                      "<Probe name='b'/><Adder name='e' a='1' b='2'/>"));
    st_object *a = probe_find(scene, "/a");
    probe_expect(scene, "/a", "real", "0.1");
    char *exact = st_object_get(a, "real", 17);
    assert_true((st_real)strtod(exact, NULL) == (st_real)0.1);
    st_string_free(exact);
    probe_expect(scene, "/a", "realAlias", "0.1");
    probe_expect(scene, "/a", "any", "@/b");
    probe_expect(scene, "/a", "option", "some");
    probe_expect(scene, "/e", "sum", "3"); // runs the engine
    size_t count, width;
    const st_real *points = st_object_reals(a, "points", &count, &width);
    assert_int_equal(count, 2);
    assert_int_equal(width, 3);
    assert_true(points[5] == 6);
    assert_null(st_object_reals(a, "text", &count, &width));
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Messages
// ---------------------------------------------------------------------------------------------------

static void messages_say_where(void **unused) {
    (void)unused;
    st_scene *scene =
        probe_load("<Node>\n<DefaultAnimationLoop/>\n<Node name='n'>\n  <Probe\n  numbre='5'/></Node></Node>");
    assert_said(ST_WARNING, "<text>:4 /n/Probe1 Probe(Probe1): unused attribute: \"numbre\" with value: \"5\"");
    assert_int_equal(st_scene_message_count(scene, ST_WARNING), 1);
    assert_int_equal(st_scene_message_count(scene, ST_ERROR), 0);
    st_scene_destroy(scene);
}

static void information_needs_print_log(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<Probe name='a'/><Probe name='b' printLog='1'/>"));
    st_message(probe_find(scene, "/a"), ST_INFO, "hidden");
    st_message(probe_find(scene, "/b"), ST_INFO, "shown");
    st_message(probe_find(scene, "/a"), ST_NOTICE, "always");
    assert_quiet(ST_INFO, "hidden");
    assert_said(ST_INFO, "shown");
    assert_said(ST_NOTICE, "always");
    st_scene_destroy(scene);
}

static void long_values_are_cut_in_messages(void **unused) {
    (void)unused;
    char *xml = malloc(40000), *at = xml;
    at += sprintf(at, "<Node><DefaultAnimationLoop/><Probe number='x");
    memset(at, 'y', 30000);
    sprintf(at + 30000, "'/></Node>");
    st_scene *scene = probe_load(xml);
    free(xml);
    assert_said(ST_WARNING, "could not read value for data field 'number'");
    assert_true(strlen(probe_messages) < 1000);
    st_scene_destroy(scene);
}

static void required_plugins(void **unused) {
    (void)unused;
    st_scene *scene = probe_load(ROOT("<RequiredPlugin name='Sofa.Component.Mass'/><RequiredPlugin/>"
                                      "<RequiredPlugin pluginName='Sofa.Component NoSuchThing'/>"
                                      "<RequiredPlugin pluginName='../evil' requireAll='0'/>"
                                      "<RequiredPlugin pluginName='Nope1 Sofa.Component Nope2' requireAll='0' "
                                      "stopAfterFirstNameFound='1' name='r'/>"));
    assert_int_equal(probe_count(ST_ERROR, "plug-in"), 1);
    assert_said(ST_ERROR, "\"NoSuchThing\"");
    assert_said(ST_WARNING, "\"../evil\"");
    assert_said(ST_WARNING, "\"Nope1\"");
    assert_quiet(ST_WARNING, "\"Nope2\"");
    probe_expect(scene, "/r", "loadedPlugins", "[\"Sofa.Component\"]");
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Sizes
// ---------------------------------------------------------------------------------------------------

// Sanitizers and builds for the debugger are slow by a factor that says nothing.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#define SLOW_BUILD
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW_BUILD
#endif
#endif

#ifdef SLOW_BUILD
enum { MANY = 4000 };
#define LIMIT 60.0
#else
enum { MANY = 20000 };
#define LIMIT 2.0
#endif

// Of this program only, whatever else the machine does.
static double processor_time(void) { return (double)clock() / CLOCKS_PER_SEC; }

typedef struct text {
    char *data;
    size_t used;
} text;

static void add(text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    t->used += (size_t)vsprintf(t->data + t->used, format, arguments);
    va_end(arguments);
}

// Loads, initializes, steps and takes down a scene of MANY parts made by the format, which takes the part's number
// twice.
static void run_many(const char *what, const char *begin, const char *format, const char *end) {
    text t = {.data = malloc((size_t)MANY * 400)};
    add(&t, "<Node><DefaultAnimationLoop/>%s", begin);
    for (int i = 0; i < MANY; i++) add(&t, format, i, i);
    add(&t, "%s</Node>", end);
    st_config config = st_default_config();
    st_scene *scene = st_scene_create(&config);
    st_register_class(scene, &probe_class);
    st_register_class(scene, &adder_class);
    double begin_time = processor_time();
    assert_true(st_succeeded(st_scene_load_text(scene, t.data, t.used, NULL)));
    const double load = processor_time() - begin_time;
    begin_time = processor_time();
    assert_true(st_succeeded(st_scene_init(scene)));
    const double init = processor_time() - begin_time;
    begin_time = processor_time();
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    const double step = processor_time() - begin_time;
    begin_time = processor_time();
    size_t count = 0;
    while (st_scene_object(scene, count)) count++;
    st_scene_destroy(scene);
    const double rest = processor_time() - begin_time;
    free(t.data);
    print_message("%s: load %.3f s, init %.3f s, step %.3f s, rest %.3f s\n", what, load, init, step, rest);
    assert_true(count >= MANY / 2);
    if (load > LIMIT || init > LIMIT || step > LIMIT || rest > LIMIT) fail_msg("%s is slow", what);
}

static void many_components(void **unused) {
    (void)unused;
    run_many("unnamed components", "", "<Adder/>", "");
    run_many("named components, linked by name", "<Adder name='e0' a='1'/>", "<Adder name='c%d' a='@e0.sum'/>", "");
    run_many("components with templates", "", "<Probe name='%d' any='@%d'/>", "");
    run_many("forces of one node", "<EulerExplicitSolver/><MechanicalObject name='s'/><UniformMass/>",
             "<UniformVelocityDampingForceField dampingCoefficient='1'/>", "");
    run_many("springs of one node", "<EulerExplicitSolver/><MechanicalObject name='s' size='2'/><UniformMass/>",
             "<SpringForceField name='%d' spring='0 1 1 0 1' object1='@s' object2='@./'/>", "");
    run_many("masses of one node", "<EulerExplicitSolver/><MechanicalObject name='s'/>",
             "<UniformMass vertexMass='1'/>", "");
}

static void many_nodes(void **unused) {
    (void)unused;
    run_many("nodes", "", "<Node name='n%d'><Adder/></Node>", "");
    run_many("nodes that climb", "<Probe name='top'/>", "<Node name='n%d'><Probe name='%d' any='@top'/></Node>", "");
    run_many("bodies with their own integrators", "",
             "<Node name='n%d'><EulerExplicitSolver/><MechanicalObject/><UniformMass/></Node>", "");
    run_many("bodies of one integrator, linked by springs", "<EulerExplicitSolver/>",
             "<Node name='n%d'><MechanicalObject/><UniformMass/>"
             "<SpringForceField object1='@./' object2='@/n%d' spring='0 0 1 0 1'/></Node>",
             "");
}

static void deep_nodes(void **unused) {
    (void)unused;
    enum { DEPTH = 250 };
    text t = {.data = malloc(DEPTH * 128)};
    add(&t, "<Node><DefaultAnimationLoop/><EulerExplicitSolver/><MechanicalObject name='s'/><UniformMass/>");
    for (int i = 0; i < DEPTH; i++) add(&t, "<Node name='n'>");
    add(&t, "<Probe name='p' state='@s'/>");
    for (int i = 0; i <= DEPTH; i++) add(&t, "</Node>");
    st_scene *scene = probe_init(t.data);
    free(t.data);
    assert_int_equal(st_scene_step(scene, 0), ST_OK);
    const probe *p = (probe *)st_scene_object(scene, 4);
    assert_string_equal(st_path(p->state), "/s");
    assert_int_equal(strlen(st_path(&p->object)), 2 * DEPTH + 2);
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_in_order),
        cmocka_unit_test(fields_from_outside),
        cmocka_unit_test(messages_say_where),
        cmocka_unit_test(information_needs_print_log),
        cmocka_unit_test(long_values_are_cut_in_messages),
        cmocka_unit_test(required_plugins),
        cmocka_unit_test(many_components),
        cmocka_unit_test(many_nodes),
        cmocka_unit_test(deep_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
